//! Toasts: short messages that disappear by themselves.

use super::CardContent;
use crate::ui::{
    Selection,
    art::{hud::Panel, palette},
    codex::prose,
    places::ToastPlace,
    selection::NumberedToast,
    theme::TextStyle,
    widgets::{SpawnWith, card, face},
};
use bevy::prelude::*;

/// Seconds for which a toast stays.
const STAYS: f32 = 3.5;

/// Seconds since a toast appeared.
#[derive(Component)]
pub struct Age(f32);

pub(super) fn refresh(
    selection: Res<Selection>,
    place: Single<(Entity, &mut CardContent<Option<NumberedToast>>), With<ToastPlace>>,
    mut commands: Commands,
) {
    let (entity, mut cache) = place.into_inner();
    if !cache.set_if_changed(selection.notice.clone()) {
        return;
    }
    let mut place = commands.entity(entity);
    place.despawn_children();
    let Some(notice) = &selection.notice else {
        return;
    };
    place.with_children(|place| {
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
