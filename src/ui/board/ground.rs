//! Items on the ground: a small icon in a corner of the cell.

use super::{
    Stage, height,
    mark_painter::{Layer, Layers},
};
use crate::{
    battle::Item,
    grid::Cell,
    ui::{
        Session,
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

/// Side of an icon, in cells.
const SIDE: f32 = 0.4;
/// Most icons in a cell: more would hide it.
const MAX: usize = 3;

fn lay(layers: Layers, session: Res<Session>, mut laid: Local<Vec<(Vec2, Item)>>) {
    let is_gone = layers.is_empty(Layer::Items) != laid.is_empty();
    if !is_gone && !session.is_changed() && !layers.is_renewed() {
        return;
    }
    let things = things(session.shown());
    let is_news = is_gone || *laid != things;
    let painter = layers.redraw(Layer::Items, is_news, session.shown());
    let Some(mut painter) = painter else { return };
    for &(place, item) in &things {
        let icon = item_icon(session.game.names().item(item));
        let draw = |px| icons::icon(icon, px, palette::FADED_INK);
        let name = format!("on the ground {icon:?}");
        let image = painter.sprites.get_or_draw_sized(name, SIDE, draw);
        painter.place_image(&image, place, height::GROUND);
    }
    *laid = things;
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
