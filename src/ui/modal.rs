//! What lies over the whole window: the codex, a menu, a question. While there
//! is one the keys of the screen below and the AI stand still.

use super::{art::palette, theme::colour};
use bevy::prelude::*;

/// The outermost node of an overlay.
#[derive(Component, Default)]
#[require(GlobalZIndex)]
pub struct Modal;

/// A shade over the whole window, with what lies on it in its middle. Of
/// several, the one with the greatest number is on top.
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

/// Nothing lies over the screen.
pub fn is_clear(veils: Query<(), With<Modal>>) -> bool {
    veils.is_empty()
}

/// The overlay that is marked with `C` is there, and nothing lies over it.
pub fn is_top<C: Component>(veils: Query<(&GlobalZIndex, Has<C>), With<Modal>>) -> bool {
    let top = veils.iter().max_by_key(|(above, _)| above.0);
    top.is_some_and(|(_, is_it)| is_it)
}
