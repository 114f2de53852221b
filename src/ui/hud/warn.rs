//! The warning before an action that provokes an attack, harms an ally or wastes an action.

use super::CardContent;
use crate::ui::{
    Selection,
    art::{hud::Panel, palette},
    input::Key,
    places::BoardArea,
    selection::{Command, Warning},
    theme::{TextStyle, colour, text},
    widgets::{SendOnPress, button, card, face, key_button, row, rule},
};
use bevy::prelude::*;

/// The place of the warning, over the lower part of the board.
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
