//! A battle as a small map: the title screen shows its start, the list of saves its
//! current state.

use crate::{
    control::recording::checksum,
    grid::Board,
    levels::{Level, Light},
    rulesets,
    ui::{
        art::{
            board::{self, MARGIN},
            plan::BoardPlan,
        },
        hud::SmallPictures,
        pictures,
        room::Room,
        shown::UnitView,
        tokens,
        widgets::{NodeExt, fill_height},
    },
};
use bevy::prelude::*;
use tiny_skia::{Pixmap, PixmapPaint, Transform};

/// The cell size in screen pixels at which a map fits into `room`, and the size of
/// the map in layout pixels. `scale` is the number of screen pixels per layout pixel.
pub fn fit(board: &Board, room: Vec2, scale: f32) -> (u32, Vec2) {
    let cells = Vec2::new(board.width() as f32, board.height() as f32) + 2.0 * MARGIN;
    let cell_px = (room * scale / cells).min_element().floor().max(2.0);
    (cell_px as u32, cells * cell_px / scale)
}

/// The node for a map: it takes the remaining space, with the map in its middle.
pub fn frame() -> Node {
    fill_height(Node::default().centred().clipped())
}

/// Draws the start of a level.
pub fn start(level: &Level, cell_px: u32) -> Image {
    let units = UnitView::all_of(level, rulesets::ALL[0]);
    let up = units.iter().filter(|unit| unit.is_up());
    draw((&level.board(), level.light), up, cell_px)
}

/// The picture of the start of a level, which is drawn once, and its size, so that it fits into
/// `space`.
pub fn kept_start(
    icons: &mut SmallPictures,
    level: &Level,
    space: Vec2,
    room: &Room,
) -> (Handle<Image>, Vec2) {
    let (cell_px, size) = fit(&level.board(), space, room.screen_scale());
    // The hash in the name gives a changed level a new picture.
    let name = format!("start {} {} {cell_px}", level.id, checksum(&level.source));
    let images = &mut icons.images;
    let draw = || images.add(start(level, cell_px));
    (icons.pictures.keep(name, draw), size)
}

/// Draws the map with all units on it.
pub fn draw<'a>(
    (board, light): (&Board, Light),
    units: impl IntoIterator<Item = &'a UnitView>,
    cell_px: u32,
) -> Image {
    let mut sheet = board::preview(&BoardPlan::of(board, light), cell_px);
    for (token, middle) in tokens::on_map(units, None, cell_px) {
        put(&mut sheet, &token, middle, cell_px);
    }
    pictures::image(sheet)
}

/// Draws a token's picture on a map.
fn put(sheet: &mut Pixmap, token: &Pixmap, middle: (f32, f32), cell_px: u32) {
    let at =
        |cells: f32, px: u32| ((cells + MARGIN) * cell_px as f32 - px as f32 / 2.0).round() as i32;
    sheet.draw_pixmap(
        at(middle.0, token.width()),
        at(middle.1, token.height()),
        token.as_ref(),
        &PixmapPaint::default(),
        Transform::identity(),
        None,
    );
}
