//! Toasts: short messages that disappear by themselves.

use crate::ui::{
    Selection,
    art::{hud::Panel, palette},
    codex::prose,
    places::ToastPlace,
    selection::NumberedToast,
    settings::toast::Vanishes,
    theme::TextStyle,
    widgets::{Filled, SpawnWith, card, face, refill},
};
use bevy::prelude::*;

/// Seconds for which a toast stays.
const STAYS: f32 = 3.5;

pub(super) fn refresh(
    selection: Res<Selection>,
    place: Single<Entity, With<ToastPlace>>,
    mut shown: Local<Filled<Option<NumberedToast>>>,
    mut commands: Commands,
) {
    let now = (*place, selection.toast.clone());
    refill(&mut commands, now, &mut shown, |place, toast| {
        let Some(toast) = toast else { return };
        let node = Node {
            padding: UiRect::axes(px(14), px(8)),
            ..card()
        };
        let look = (node, face(Panel::CardLight), Pickable::IGNORE);
        place.spawn_with((Vanishes(STAYS), look), |card| {
            prose(card, &toast.text, TextStyle::Body, palette::INK);
        });
    });
}
