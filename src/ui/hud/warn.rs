//! The warning before an action that provokes an attack, harms an ally or wastes an action.

use super::menu;
use crate::battle::CowStr;
use crate::grid::Space;
use crate::ui::{
    Selection, Session,
    art::{hud::Panel, palette},
    board::MapView,
    input::Key,
    places::WarnPlace,
    selection::{Command, Warning},
    theme::{TextStyle, colour, text},
    widgets::{
        Filled, NodeExt, SendOnPress, SpawnWith, button, card, key_button, panel_style, refill,
        rule, wrapping_row,
    },
};
use bevy::prelude::*;

pub(super) fn refresh(
    (selection, session): (Res<Selection>, Res<Session>),
    place: Single<Entity, With<WarnPlace>>,
    mut shown: Local<Filled<Option<Warning>>>,
    mut commands: Commands,
) {
    let now = (*place, selection.warning.clone());
    refill(&mut commands, now, &mut shown, |place, warning| {
        let Some(warning) = warning else { return };
        let node = card().width(px(400)).row_gap(2.0);
        place.spawn_with((node, panel_style(Panel::CardActive)), |card| {
            fill(card, &session, warning)
        });
    });
}

/// Places the card where it covers the fewest units, and not the cell that the order is about.
pub(super) fn step_aside(
    (session, selection): (Res<Session>, Res<Selection>),
    view: Res<MapView>,
    place: Single<(&mut Node, &Children), With<WarnPlace>>,
    cards: Query<&ComputedNode>,
) {
    let (mut node, children) = place.into_inner();
    let Some(card) = children.first().and_then(|&card| cards.get(card).ok()) else {
        return;
    };
    let units = session.shown().units.iter().filter(|p| p.is_up());
    let spaces = units.map(|unit| unit.space());
    let spaces = spaces.chain(selection.cursor.map(Space::one));
    let obstacles: Vec<(Rect, u32)> = spaces.map(|space| (view.rect(space), 1)).collect();
    let (room, size) = (view.area(), card.size());
    let covered = |place| menu::cost(menu::card_at(place, room, size), &obstacles);
    use AlignItems as Along;
    use JustifyContent as At;
    let places = [
        (At::End, Along::Center),
        (At::Start, Along::Center),
        (At::End, Along::End),
        (At::End, Along::Start),
        (At::Start, Along::End),
        (At::Start, Along::Start),
    ];
    let best = places.into_iter().min_by_key(|&place| covered(place));
    let Some((at, along)) = best else { return };
    if (node.justify_content, node.align_items) != (at, along) {
        (node.justify_content, node.align_items) = (at, along);
    }
}

/// The question, with the action by the word of its button: "Flee anyway?".
fn question(session: &Session, warning: &Warning) -> String {
    let is_held = session
        .held()
        .is_some_and(|held| held.plan.declared == warning.orders);
    let done = session.queries.rules.planning.done;
    let action: CowStr = match &warning.orders[..] {
        _ if is_held => "Begin the round".into(),
        [order] if order.who.is_none() => {
            let names = session.game.names();
            session.queries.side_label(order, names).into()
        }
        [order] if !done.contains(&order.verb) => session.queries.label(order.verb),
        _ => "Do it".into(),
    };
    format!("{action} anyway?")
}

fn fill(card: &mut ChildSpawnerCommands, session: &Session, warning: &Warning) {
    let words = question(session, warning);
    card.spawn(text(words, TextStyle::Heading, palette::INK));
    card.spawn(rule());
    card.lines(&warning.lines, TextStyle::Body, palette::DANGER);
    let buttons = wrapping_row(8.0, 6.0).margin_top(10.0);
    card.spawn_with(buttons, |buttons| {
        let yes = key_button("Confirm ({})", Key::Confirm, Panel::ButtonDanger);
        buttons.spawn((yes, SendOnPress(Command::Confirm(true))));
        let no = key_button("Cancel ({})", Key::Back, Panel::Button);
        buttons.spawn((no, SendOnPress(Command::Confirm(false))));
        let node = Node::default().column_gap(6.0).padding(6.0, 4.0);
        let sends = SendOnPress(Command::DontAskAgain);
        buttons.spawn_with((button(Panel::CardActive, node), sends), |tick| {
            let box_node = Node::default()
                .size(14.0, 14.0)
                .padding(2.0, 2.0)
                .border(1.6);
            let inner = Node::default().whole();
            let fill = if warning.is_last {
                colour(palette::TEAL)
            } else {
                Color::NONE
            };
            tick.spawn((
                box_node,
                BorderColor::all(colour(palette::INK)),
                Pickable::IGNORE,
                children![(inner, BackgroundColor(fill), Pickable::IGNORE)],
            ));
            tick.spawn(text("Don't ask again", TextStyle::Small, palette::INK));
        });
    });
}
