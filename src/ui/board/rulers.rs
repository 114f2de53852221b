//! Numbers of columns and rows along the map's edges, as in the log, icons on exit cells, and the
//! areas of objectives.

use super::{
    MapView, Overlays, Stage, height,
    mark_painter::{Layer, Layers, rect_of},
    sprites::at,
};
use crate::{
    grid::Cell,
    levels::Goal,
    ui::{
        Selection, Session,
        art::{
            icons::{self, Icon},
            marks, palette,
        },
        selection::{Highlight, Overlay},
        widgets::visible_if,
    },
};
use bevy::prelude::*;
use std::{
    collections::BTreeSet,
    f32::consts::{FRAC_PI_2, PI},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (number, slide, mark_goals, hide_exits)
            .chain()
            .in_set(Stage::Lay),
    );
}

/// The number of a column or row.
#[derive(Component, Clone, Copy)]
pub enum Ruler {
    Column(u16),
    Row(u16),
}

/// The icon on this exit cell.
#[derive(Component)]
pub struct ExitIcon(pub Cell);

/// From the map's side to the middle of a number, in cells.
const OFF: f32 = 0.86;
/// Distance from the window's edge to the middle of a number while the map's edge is out of sight,
/// in layout pixels.
const INSIDE: f32 = 12.0;
/// Least distance between numbers, in layout pixels.
const APART: f32 = 24.0;
/// Margin around units in which no number is drawn, in cells.
const FREE: f32 = 0.15;
/// Size of the numbers in layout pixels.
const SIZE: f32 = 12.0;
/// Side of the exit icon, in cells.
const SIDE: f32 = 0.34;

fn number(layers: Layers, session: Res<Session>) {
    let is_gone = layers.is_empty(Layer::Rulers);
    let painter = layers.redraw(Layer::Rulers, is_gone, session.shown());
    let Some(mut painter) = painter else { return };
    let board = &session.shown().board;
    let columns = (0..board.width()).map(Ruler::Column);
    let rows = (0..board.height()).map(Ruler::Row);
    let size = SIZE * painter.sprites.layout_scale();
    for ruler in columns.chain(rows) {
        let (Ruler::Column(n) | Ruler::Row(n)) = ruler;
        let draw = |_| marks::number(&n.to_string(), size);
        let image = painter.sprites.get_or_draw(format!("ruler {n}"), draw);
        painter.lay((ruler, image.sprite(), Visibility::Hidden));
    }
}

/// Keeps the numbers in sight as the map moves, but never over a unit. They belong to the numbers
/// overlay, and appear while a log entry is hovered, which can name a cell.
fn slide(
    view: Res<MapView>,
    session: Res<Session>,
    (overlays, selection): (Res<Overlays>, Res<Selection>),
    mut rulers: Query<(Ref<Ruler>, &mut Transform, &mut Visibility)>,
) {
    let is_still = !view.is_changed()
        && !session.is_changed()
        && !overlays.is_changed()
        && !selection.is_changed();
    let is_wanted = overlays.has(Overlay::Numbers) || selection.highlighted != Highlight::default();
    let units = session.shown().units.iter().filter(|p| p.is_there());
    let bases: Vec<Rect> = units.map(|p| rect_of(p.space()).inflate(FREE)).collect();
    let px = view.cell_px() as f32 / view.layout_scale();
    let room = view.area();
    let inside = Vec2::splat(INSIDE * view.layout_scale());
    let corner = view.place(room.min + inside).max(Vec2::splat(-OFF));
    let seen = Rect::from_corners(view.place(room.min), view.place(room.max));
    let every = every(px, APART);
    for (ruler, mut transform, mut visibility) in &mut rulers {
        if is_still && !ruler.is_added() {
            continue;
        }
        let (Ruler::Column(n) | Ruler::Row(n)) = *ruler;
        let middle = f32::from(n) + 0.5;
        // The corner where column and row numbers meet stays empty.
        let (place, along) = match *ruler {
            Ruler::Column(_) => (corner.with_x(middle), middle - corner.x),
            Ruler::Row(_) => (corner.with_y(middle), middle - corner.y),
        };
        let shows = n % every == 0 && seen.contains(place) && along > 0.5;
        let shows = shows && is_wanted && !bases.iter().any(|base| base.contains(place));
        visibility.set_if_neq(visible_if(shows));
        transform.set_if_neq(Transform::from_translation(at(place, height::NOTES)));
    }
}

/// The step between numbered rows and columns, so that numbers are at least `apart` from each
/// other; `cell` and `apart` are in layout pixels.
pub fn every(cell: f32, apart: f32) -> u16 {
    let steps = [1, 2, 5, 10, 20].into_iter();
    let mut wide = steps.filter(|&n| f32::from(n) * cell >= apart);
    wide.next().unwrap_or(50)
}

/// Marks exits with icons, and outlines the areas that objectives say to reach or to hold, each with
/// a flag in it.
fn mark_goals(layers: Layers, session: Res<Session>) {
    let level = session.game.level();
    let exits = level.exits.iter();
    let exits: BTreeSet<_> = exits.flat_map(|exit| &exit.cells).collect();
    let areas = level.objectives.iter();
    let areas = areas.filter_map(|objective| match &objective.goal {
        Goal::Capture { area, .. } | Goal::Reach { area, .. } => Some(area),
        Goal::Defeat(_) | Goal::Survive { .. } | Goal::Protect(_) => None,
    });
    let areas: BTreeSet<&Vec<Cell>> = areas.filter(|area| !area.is_empty()).collect();
    let is_gone = layers.is_empty(Layer::Goals) != (exits.is_empty() && areas.is_empty());
    let painter = layers.redraw(Layer::Goals, is_gone, session.shown());
    let Some(mut painter) = painter else { return };
    let board = &session.shown().board;
    let (east, south) = (board.width() as i16 - 1, board.height() as i16 - 1);
    for cell in exits {
        let draw = |px| icons::icon(Icon::Exit, px, palette::FADED_INK);
        let image = painter.sprites.get_or_draw_sized("a way out", SIDE, draw);
        // In the north-east corner, clear of items on the ground.
        let place = Vec2::new(f32::from(cell.x) + 0.78, f32::from(cell.y) + 0.22);
        // The icon points west as drawn; it is turned to the nearest edge of the map.
        let sides = [
            (cell.x, 0.0),
            (east - cell.x, PI),
            (cell.y, -FRAC_PI_2),
            (south - cell.y, FRAC_PI_2),
        ];
        let nearest = sides.into_iter().min_by_key(|side| side.0);
        let turn = Quat::from_rotation_z(nearest.map_or(0.0, |side| side.1));
        let place = Transform::from_translation(at(place, height::NOTES)).with_rotation(turn);
        painter.lay((ExitIcon(*cell), image.sprite(), place));
    }
    for area in areas {
        if let Some(outline) = marks::area(area, palette::GOLD, painter.px()) {
            let outline = painter.sprites.placed(outline, height::NOTES - 0.1);
            painter.lay(outline);
        }
        let image = painter.sprites.get_or_draw("an area to hold", |px| {
            let px = (px as f32 * SIDE * 1.2).round() as u32;
            icons::icon(Icon::Flag, px, palette::OAK_DARK)
        });
        // In the north-west corner of the middle cell, clear of exit icons.
        let cell = middle_of(area);
        let place = Vec2::new(f32::from(cell.x) + 0.24, f32::from(cell.y) + 0.24);
        painter.place_image(&image, place, height::NOTES);
    }
}

/// Hides the icons under units, which would only peek out.
fn hide_exits(session: Res<Session>, mut icons: Query<(Ref<ExitIcon>, &mut Visibility)>) {
    for (icon, mut visibility) in &mut icons {
        if session.is_changed() || icon.is_added() {
            let is_free = session.shown().on(icon.0).is_none();
            visibility.set_if_neq(visible_if(is_free));
        }
    }
}

/// The cell nearest to the middle of an area that is not empty.
fn middle_of(area: &[Cell]) -> Cell {
    let sum = area.iter().fold((0, 0), |(x, y), cell| {
        (x + i32::from(cell.x), y + i32::from(cell.y))
    });
    let n = area.len() as i32;
    let off = |cell: &&Cell| {
        let (dx, dy) = (i32::from(cell.x) * n - sum.0, i32::from(cell.y) * n - sum.1);
        (dx * dx + dy * dy, cell.y, cell.x)
    };
    *area.iter().min_by_key(off).expect("the area has cells")
}
