//! Before the battle is left for the title screen the player is asked.

use crate::ui::{
    Pick, Screen,
    art::{hud::Panel, palette},
    input::Key,
    pick::Command,
    settings::screen::OpensSettings,
    theme::{Cut, text},
    widgets::{Broad, Sends, card, face, key_button, row, rule, word_button},
};
use bevy::prelude::*;

/// The question, over everything.
#[derive(Component)]
pub struct LeaveCard;

pub(super) fn refresh(
    pick: Res<Pick>,
    shown: Query<Entity, With<LeaveCard>>,
    mut commands: Commands,
) {
    if pick.leaving != shown.is_empty() {
        return;
    }
    for question in &shown {
        commands.entity(question).despawn();
    }
    if !pick.leaving {
        return;
    }
    let veil = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        ..default()
    };
    let shade = BackgroundColor(crate::ui::theme::colour(palette::INK).with_alpha(0.35));
    let place = (LeaveCard, DespawnOnExit(Screen::Battle), GlobalZIndex(50));
    commands.spawn((place, veil, shade)).with_children(|veil| {
        let node = Node {
            row_gap: px(4),
            ..card()
        };
        veil.spawn((node, Broad(420.0), face(Panel::CardActive)))
            .with_children(|card| {
                card.spawn(text("Leave the battle?", Cut::Heading, palette::INK));
                card.spawn(rule());
                card.spawn(text(
                    "What has happened in it is lost.",
                    Cut::Body,
                    palette::INK,
                ));
                let buttons = Node {
                    margin: UiRect::top(px(12)),
                    ..row(8.0)
                };
                card.spawn(buttons).with_children(|buttons| {
                    let leave = key_button("Leave ({})", Key::Confirm, Panel::ButtonDanger);
                    buttons.spawn((leave, Sends(Command::Leave)));
                    let stay = key_button("Stay ({})", Key::Back, Panel::Button);
                    buttons.spawn((stay, Sends(Command::AskToLeave(false))));
                    buttons.spawn((word_button("Settings", Panel::Button), OpensSettings));
                });
            });
    });
}
