//! Modals: cards over the whole window, such as the codex, a menu or a question.
//! While one is open, the screen below receives no keys and the AI pauses.

use super::{
    art::palette,
    theme::colour,
    widgets::{NodeExt, SpawnWith},
};
use bevy::prelude::*;

/// The root node of a modal.
#[derive(Component, Default)]
#[require(GlobalZIndex)]
pub struct Modal;

/// Spawns a dark backdrop over the whole window, with a card in its middle. Of several modals, the
/// one with the greatest `above` is on top.
pub fn spawn_modal<'a>(
    commands: &'a mut Commands,
    (name, above): (&'static str, i32),
    root: impl Bundle,
    card: impl Bundle,
    content: impl FnOnce(&mut ChildSpawnerCommands),
) -> EntityCommands<'a> {
    let node = Node::default().absolute().whole().centred();
    let shade = BackgroundColor(colour(palette::INK).with_alpha(0.35));
    let own = (Name::new(name), Modal, GlobalZIndex(above), node, shade);
    let mut modal = commands.spawn((own, root));
    modal.with_children(|modal| modal.spawn_with(card, content));
    modal
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
