//! Toasts: short messages that disappear by themselves.

use crate::ui::{
    Selection,
    art::{hud::Panel, palette},
    codex::prose,
    places::ToastPlace,
    selection::NumberedToast,
    settings::toast::Vanishes,
    theme::TextStyle,
    widgets::{Filled, NodeExt, card, panel_style, refill},
};
use bevy::prelude::*;

/// Seconds for which a toast stays.
const STAYS: f32 = 3.5;

pub(super) fn refresh(
    selection: Res<Selection>,
    place: Single<Entity, With<ToastPlace>>,
    mut shown: Local<Filled<(Option<NumberedToast>, bool)>>,
    mut commands: Commands,
) {
    // Why the turn does not end yet is shown until the player confirms or cancels.
    let model = (selection.toast.clone(), selection.confirming_end);
    let now = (*place, model);
    refill(&mut commands, now, &mut shown, |place, (toast, stays)| {
        let Some(toast) = toast else { return };
        let node = card().padding(14.0, 8.0);
        let look = (node, panel_style(Panel::CardLight), Pickable::IGNORE);
        let mut card = place.spawn(look);
        card.with_children(|card| prose(card, &toast.text, TextStyle::Body, palette::INK));
        if !stays {
            card.insert(Vanishes(STAYS));
        }
    });
}
