//! Toasts: short messages that disappear by themselves.

use crate::ui::{
    Selection,
    art::{hud::Panel, palette},
    codex::prose,
    places::ToastPlace,
    selection::NumberedToast,
    theme::TextStyle,
    widgets::{Filled, SpawnWith, card, face, refill},
};
use bevy::prelude::*;

/// Seconds for which a toast stays.
const STAYS: f32 = 3.5;

/// Seconds since a toast appeared.
#[derive(Component)]
pub struct Age(f32);

pub(super) fn refresh(
    selection: Res<Selection>,
    place: Single<Entity, With<ToastPlace>>,
    mut shown: Local<Filled<Option<NumberedToast>>>,
    mut commands: Commands,
) {
    let now = (*place, selection.notice.clone());
    refill(&mut commands, now, &mut shown, |place, notice| {
        let Some(notice) = notice else { return };
        let node = Node {
            padding: UiRect::axes(px(14), px(8)),
            ..card()
        };
        let parts = (Age(0.0), node, face(Panel::CardLight), Pickable::IGNORE);
        place.spawn_with(parts, |card| {
            prose(card, &notice.text, TextStyle::Body, palette::INK);
        });
    });
}

pub(super) fn fade(mut ages: Query<(Entity, &mut Age)>, time: Res<Time>, mut commands: Commands) {
    for (entity, mut age) in &mut ages {
        age.0 += time.delta_secs();
        if age.0 > STAYS {
            commands.entity(entity).despawn();
        }
    }
}
