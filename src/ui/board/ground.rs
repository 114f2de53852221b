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
        shown::{Shown, corner_in_cell},
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
    mut laid: Local<(Vec<(Vec2, Item)>, u32)>,
) {
    let Some(px) = sprites.cell_px() else { return };
    let is_there = laid.1 == px && old.is_empty() == laid.0.is_empty();
    if is_there && !session.is_changed() {
        return;
    }
    let things = things(session.shown());
    if is_there && laid.0 == things {
        return;
    }
    old.iter()
        .for_each(|thing| commands.entity(thing).despawn());
    for &(place, item) in &things {
        let icon = item_icon(session.game.names().item(item));
        let image = sprites.get_or_draw_sized(format!("on the ground {icon:?}"), SIDE, |px| {
            icons::icon(icon, px, palette::FADED_INK)
        });
        let place = Transform::from_translation(at(place, height::GROUND));
        commands.spawn((Thing, DespawnOnExit(Screen::Battle), image.sprite(), place));
    }
    *laid = (things, px);
}

/// The items whose icons are shown, and the middles of the icons in cells: from the south-west corner
/// on, so that a unit in the cell hides none. Where small faces of fallen units lie there, they lie
/// along the upper edge, on the side without the number of a unit.
fn things(shown: &Shown) -> Vec<(Vec2, Item)> {
    let has_faces = |cell: Cell| {
        let mut fallen = shown.units.iter().filter(|p| !p.is_up());
        fallen.any(|p| p.space().contains(cell) && corner_in_cell(&shown.units, p).is_some())
    };
    let ground = shown.ground.iter().enumerate();
    let placed = ground.filter_map(|(n, &(cell, item))| {
        let before = shown.ground[..n].iter().filter(|g| g.0 == cell).count();
        let along = Some(before).filter(|&n| n < MAX)? as f32 * 0.28 + 0.22;
        let is_numbered = || shown.on(cell).is_some_and(|unit| unit.label.is_some());
        let place = match has_faces(cell) {
            true if is_numbered() => Vec2::new(1.0 - along, 0.2),
            true => Vec2::new(along, 0.2),
            false => Vec2::new(along, 0.8),
        };
        Some((Vec2::new(cell.x.into(), cell.y.into()) + place, item))
    });
    placed.collect()
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
