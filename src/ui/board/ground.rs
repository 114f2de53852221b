//! Items on the ground: a small icon in a corner of the cell.

use super::{
    Stage, height,
    sprites::{SpriteCache, at},
};
use crate::{
    battle::Item,
    grid::Cell,
    ui::{
        Screen, Session,
        art::{
            icons::{self, Icon},
            palette,
        },
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, lay.in_set(Stage::Lay));
}

/// An item on the ground.
#[derive(Component)]
struct Thing;

/// Side of an icon, in cells.
const SIDE: f32 = 0.4;
/// Most icons in a cell: more would hide it.
const MAX: usize = 3;

fn lay(
    mut commands: Commands,
    session: Res<Session>,
    mut sprites: SpriteCache,
    old: Query<Entity, With<Thing>>,
    mut laid: Local<(Vec<(Cell, Item)>, u32)>,
) {
    let Some(px) = sprites.cell_px() else { return };
    let ground = &session.shown().ground;
    let is_there = old.is_empty() == ground.is_empty();
    if laid.0 == *ground && laid.1 == px && is_there {
        return;
    }
    *laid = (ground.clone(), px);
    old.iter()
        .for_each(|thing| commands.entity(thing).despawn());
    for (n, &(cell, item)) in ground.iter().enumerate() {
        let before = ground[..n].iter().filter(|g| g.0 == cell).count();
        if before >= MAX {
            continue;
        }
        let icon = item_icon(session.game.names().item(item));
        let image = sprites.get_or_draw_sized(format!("on the ground {icon:?}"), SIDE, |px| {
            icons::icon(icon, px, palette::FADED_INK)
        });
        // From the south-west corner on, so that a unit in the cell hides no icon.
        let place = Vec2::new(
            f32::from(cell.x) + 0.22 + 0.28 * before as f32,
            f32::from(cell.y) + 0.8,
        );
        let place = Transform::from_translation(at(place, height::GROUND));
        commands.spawn((Thing, DespawnOnExit(Screen::Battle), image.sprite(), place));
    }
}

/// The icon for an item, chosen by its name.
pub(super) fn item_icon(name: &str) -> Icon {
    const ICONS: &[(&[&str], Icon)] = &[
        (&["axe"], Icon::Axe),
        (
            &["spear", "pike", "halberd", "javelin", "polearm", "lance"],
            Icon::Spear,
        ),
        (&["bow", "sling"], Icon::Shoot),
        (&["dagger", "knife"], Icon::Dagger),
        (&["staff", "club", "mace", "hammer", "flail"], Icon::Staff),
        (&["shield"], Icon::Defend),
    ];
    let found = ICONS.iter().find(|s| s.0.iter().any(|w| name.contains(w)));
    found.map_or(Icon::Strike, |s| s.1)
}
