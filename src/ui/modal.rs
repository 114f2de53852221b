//! Modals: cards over the whole window, such as the codex, a menu or a question.
//! While one is open, the screen below receives no keys and the AI pauses.

use super::{art::palette, theme::colour};
use bevy::prelude::*;

/// The root node of a modal.
#[derive(Component, Default)]
#[require(GlobalZIndex)]
pub struct Modal;

/// A dark backdrop over the whole window, with its children in the middle. Of several
/// modals, the one with the greatest `above` is on top.
pub fn modal(above: i32) -> impl Bundle {
    let node = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        ..default()
    };
    let shade = BackgroundColor(colour(palette::INK).with_alpha(0.35));
    (Modal, GlobalZIndex(above), node, shade)
}

/// Whether no modal is open.
pub fn is_clear(modals: Query<(), With<Modal>>) -> bool {
    modals.is_empty()
}

/// Whether the topmost modal has the component `C`.
pub fn is_top<C: Component>(modals: Query<(&GlobalZIndex, Has<C>), With<Modal>>) -> bool {
    let top = modals.iter().max_by_key(|(above, _)| above.0);
    top.is_some_and(|(_, is_it)| is_it)
}
