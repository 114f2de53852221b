//! The warning before an action that provokes an attack, harms an ally or wastes an action.

use super::{CardContent, menu};
use crate::grid::Space;
use crate::ui::{
    Selection, Session,
    art::{hud::Panel, palette},
    board::MapView,
    input::Key,
    places::BoardArea,
    selection::{Command, Warning},
    theme::{TextStyle, colour, text},
    widgets::{SendOnPress, button, card, face, key_button, row, rule},
};
use bevy::prelude::*;

/// The place of the warning, over the board.
#[derive(Component, Default)]
#[require(CardContent<Option<Warning>>)]
pub struct WarnPlace;

pub(super) fn refresh(
    selection: Res<Selection>,
    place: Query<(Entity, &mut CardContent<Option<Warning>>), With<WarnPlace>>,
    area: Single<Entity, With<BoardArea>>,
    mut commands: Commands,
) {
    let Some((entity, mut cache)) = place.into_iter().next() else {
        let node = Node {
            position_type: PositionType::Absolute,
            width: percent(100),
            height: percent(100),
            align_items: AlignItems::End,
            justify_content: JustifyContent::Center,
            ..default()
        };
        commands.spawn((
            WarnPlace,
            ChildOf(*area),
            node,
            ZIndex(10),
            Pickable::IGNORE,
        ));
        return;
    };
    if !cache.set_if_changed(selection.warning.clone()) {
        return;
    }
    let mut place = commands.entity(entity);
    place.despawn_children();
    let Some(warning) = &selection.warning else {
        return;
    };
    place.with_children(|place| {
        let node = Node {
            width: px(400),
            row_gap: px(2),
            ..card()
        };
        place
            .spawn((node, face(Panel::CardActive)))
            .with_children(|card| fill(card, warning));
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
    let people = session.shown().people.iter().filter(|p| p.is_up());
    let spaces = people.map(|person| person.space());
    let spaces = spaces.chain(selection.cursor.map(Space::one));
    let spots: Vec<(Rect, u32)> = spaces.map(|space| (view.rect(space), 1)).collect();
    let (room, size) = (view.room(), card.size());
    let covered = |(at, along): (AlignItems, JustifyContent)| {
        let y = match at {
            AlignItems::Start => room.min.y,
            _ => room.max.y - size.y,
        };
        let x = match along {
            JustifyContent::Start => room.min.x,
            JustifyContent::End => room.max.x - size.x,
            _ => room.center().x - size.x / 2.0,
        };
        let corner = Vec2::new(x, y);
        menu::cost(Rect::from_corners(corner, corner + size), &spots)
    };
    use AlignItems as At;
    use JustifyContent as Along;
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
    if (node.align_items, node.justify_content) != (at, along) {
        (node.align_items, node.justify_content) = (at, along);
    }
}

fn fill(card: &mut ChildSpawnerCommands, warning: &Warning) {
    card.spawn(text("Do it anyway?", TextStyle::Heading, palette::INK));
    card.spawn(rule());
    for line in &warning.lines {
        card.spawn(text(line.clone(), TextStyle::Body, palette::DANGER));
    }
    let buttons = Node {
        margin: UiRect::top(px(10)),
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(6),
        ..row(8.0)
    };
    card.spawn(buttons).with_children(|buttons| {
        let yes = key_button("Confirm ({})", Key::Confirm, Panel::ButtonDanger);
        buttons.spawn((yes, SendOnPress(Command::Confirm(true))));
        let no = key_button("Cancel ({})", Key::Back, Panel::Button);
        buttons.spawn((no, SendOnPress(Command::Confirm(false))));
        buttons
            .spawn((
                button(Panel::CardActive, tick_node()),
                SendOnPress(Command::DontAskAgain),
            ))
            .with_children(|tick| {
                let box_node = Node {
                    width: px(14),
                    height: px(14),
                    border: UiRect::all(px(1.6)),
                    padding: UiRect::all(px(2)),
                    ..default()
                };
                let inner = Node {
                    width: percent(100),
                    height: percent(100),
                    ..default()
                };
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

fn tick_node() -> Node {
    Node {
        padding: UiRect::axes(px(6), px(4)),
        column_gap: px(6),
        ..default()
    }
}
