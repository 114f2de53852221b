//! The ribbon in a corner of the board that tells a replay from a battle.

use crate::ui::{
    Phase, Screen, Session,
    art::{hud::Panel, palette},
    places::{BoardArea, OverBoard},
    theme::{TextStyle, text},
    widgets::{panel_style, visible_if},
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    let systems = (spawn, show).chain().in_set(Phase::Draw);
    app.add_systems(Update, systems.run_if(in_state(Screen::Battle)));
}

/// The ribbon, hidden unless past events are shown.
#[derive(Component)]
pub struct Ribbon;

fn spawn(mut commands: Commands, areas: Query<Entity, Added<BoardArea>>) {
    for area in &areas {
        let node = Node {
            position_type: PositionType::Absolute,
            right: px(0),
            top: px(0),
            padding: UiRect::axes(px(10), px(2)),
            border: UiRect::all(px(1.4)),
            border_radius: BorderRadius::all(px(5)),
            ..default()
        };
        commands.spawn((
            Ribbon,
            OverBoard,
            ChildOf(area),
            node,
            panel_style(Panel::CardLight),
            Visibility::Hidden,
            Pickable::IGNORE,
            children![text("Replay", TextStyle::Label, palette::FADED_INK)],
        ));
    }
}

fn show(session: Res<Session>, mut ribbons: Query<&mut Visibility, With<Ribbon>>) {
    for mut visibility in &mut ribbons {
        visibility.set_if_neq(visible_if(session.shows_past()));
    }
}
