//! Where the map is in the window: fitted at first, then as dragged and zoomed.
//!
//! Everything is measured in screen pixels, not layout pixels, so that pictures drawn for a cell
//! size are shown without blur.

use super::{Stage, shake::Shake};
use crate::{
    grid::{Cell, Space},
    ui::{
        Phase, Screen, Selection, Session,
        input::Key,
        modal,
        places::{BoardArea, MainCamera},
    },
};
use bevy::{camera::Projection, prelude::*, ui::UiGlobalTransform};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<MapView>();
    app.add_systems(OnEnter(Screen::Battle), |mut view: ResMut<MapView>| {
        *view = MapView::default()
    });
    app.add_systems(
        Update,
        measure
            .in_set(Phase::Input)
            .run_if(in_state(Screen::Battle)),
    );
    app.add_systems(
        Update,
        zoom_by_keys
            .in_set(Phase::Input)
            .run_if(in_state(Screen::Battle))
            .run_if(modal::is_clear),
    );
    app.add_systems(
        Update,
        (follow_cursor, glide, aim_camera)
            .chain()
            .in_set(Stage::Look),
    );
}

/// Cell sizes in pixels for zooming, in addition to the size that fits the whole map.
const STEPS: [u32; 16] = [
    6, 8, 10, 13, 16, 20, 25, 32, 40, 48, 60, 75, 96, 120, 150, 188,
];
/// Largest cell size, in layout pixels.
const LARGEST: f32 = 120.0;
/// Visible margin around the map, in cells: it holds the hatching of the walls.
pub const FRAME: f32 = 0.35;
/// Largest cell size for a fitted map, in layout pixels.
const LARGEST_FIT: f32 = 96.0;
/// Smallest cell size at the start of a battle, in layout pixels: a map too large to fit at this
/// size starts zoomed in.
const SMALLEST_START: f32 = 26.0;
/// Speed at which the view approaches its goal, in 1 / seconds.
const APPROACH_SPEED: f32 = 14.0;

/// Where the map is in the window.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct MapView {
    /// The board's part of the window, in pixels.
    area: Rect,
    window: Vec2,
    /// Screen pixels for each logical pixel of the window, and for each layout pixel.
    window_scale: f32,
    layout_scale: f32,
    /// The map's size in cells.
    cells: Vec2,
    /// Pixels of a cell right now.
    scale: f32,
    /// Pixels of a cell once the zoom is done.
    cell_px: u32,
    /// The place of the map that is in the middle of the board area, in cells.
    middle: Vec2,
    /// The target of the middle while it moves.
    goal: Option<Vec2>,
    /// During a zoom: a point of the window, and the place of the map that stays under it.
    zoom_anchor: Option<(Vec2, Vec2)>,
    /// Whether nothing moved the view since it was fitted.
    is_fitted: bool,
}

impl Default for MapView {
    fn default() -> Self {
        Self {
            area: Rect::default(),
            window: Vec2::ONE,
            window_scale: 1.0,
            layout_scale: 1.0,
            cells: Vec2::ONE,
            scale: 0.0,
            cell_px: 0,
            middle: Vec2::ZERO,
            goal: None,
            zoom_anchor: None,
            is_fitted: true,
        }
    }
}

impl MapView {
    /// A view with a map of this size fitted into its part of a window.
    pub fn fitted(cells: Vec2, window: Vec2, area: Rect) -> Self {
        let mut view = Self {
            cells,
            window,
            area,
            ..Self::default()
        };
        view.fit();
        view
    }

    /// Whether the window has been measured.
    pub fn is_ready(&self) -> bool {
        self.cell_px > 0
    }

    /// Pixels of a cell once the zoom is done, the size for which pictures are drawn.
    pub fn cell_px(&self) -> u32 {
        self.cell_px
    }

    /// The cell size at which the whole map fits.
    pub fn whole_px(&self) -> u32 {
        let room = self.area.size() / (self.cells + 2.0 * FRAME);
        let fit = room.min_element().min(LARGEST_FIT * self.layout_scale);
        fit.floor().max(4.0) as u32
    }

    /// The board's part of the window, in pixels.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// Screen pixels for each layout pixel.
    pub fn layout_scale(&self) -> f32 {
        self.layout_scale
    }

    /// The map's north-west corner in the window.
    fn corner(&self) -> Vec2 {
        let corner = self.area.center() - self.middle * self.scale;
        // At rest the map is aligned to whole pixels; in motion that would look jerky.
        match self.is_at_rest() {
            true => corner.round(),
            false => corner,
        }
    }

    fn is_at_rest(&self) -> bool {
        self.scale == self.cell_px as f32 && self.goal.is_none()
    }

    /// A place of the map, in cells from its north-west corner, as a point of the window.
    pub fn in_window(&self, place: Vec2) -> Vec2 {
        self.corner() + place * self.scale
    }

    /// The place of the map at a point of the window, in cells.
    pub fn place(&self, at: Vec2) -> Vec2 {
        (at - self.corner()) / self.scale.max(1.0)
    }

    /// The cell at a point of the window; `None` off the map.
    pub fn cell(&self, at: Vec2) -> Option<Cell> {
        let place = self.place(at).floor();
        let inside = place.cmpge(Vec2::ZERO).all() && place.cmplt(self.cells).all();
        (inside && self.is_ready()).then(|| Cell::new(place.x as i16, place.y as i16))
    }

    /// The quarter of its cell at a point of the window, as (east, south). The middle belongs to
    /// the north-west.
    pub fn quarter(&self, at: Vec2) -> (i8, i8) {
        let in_cell = self.place(at).fract_gl() - 0.5;
        let sign = |off: f32| if off > 0.0 { 1 } else { -1 };
        (sign(in_cell.x), sign(in_cell.y))
    }

    /// The rectangle of a space in the window, in pixels.
    pub fn rect(&self, space: Space) -> Rect {
        let at = Vec2::new(space.at.x.into(), space.at.y.into());
        let side = Vec2::splat(f32::from(space.size.max(1)));
        Rect::from_corners(self.in_window(at), self.in_window(at + side))
    }

    /// The part of the map visible in the window, in cells.
    pub fn visible(&self) -> Rect {
        Rect::from_corners(self.place(Vec2::ZERO), self.place(self.window))
    }

    /// The part of the map that the board area shows once the view is at rest, in cells.
    pub fn area_at_rest(&self) -> Rect {
        let middle = self.goal.unwrap_or(self.middle);
        let half = self.area.size() / 2.0 / self.cell_px.max(1) as f32;
        let all = Rect::from_corners(Vec2::ZERO, self.cells);
        Rect::from_center_half_size(middle, half).intersect(all)
    }

    /// Fits the whole map; a very large map starts zoomed in.
    pub fn fit(&mut self) {
        if self.area.size().min_element() < 1.0 {
            return;
        }
        let start = (SMALLEST_START * self.layout_scale).round() as u32;
        self.cell_px = self.whole_px().max(start);
        self.scale = self.cell_px as f32;
        self.middle = self.bounded(self.cells / 2.0, self.scale);
        (self.goal, self.zoom_anchor) = (None, None);
    }

    /// The allowed middle nearest to `middle`: the view shows as much of the map as fits, with no
    /// more margin than needed.
    fn bounded(&self, middle: Vec2, scale: f32) -> Vec2 {
        let half = self.area.size() / 2.0 / scale.max(1.0);
        let (least, most) = (half - FRAME, self.cells + FRAME - half);
        let one = |middle: f32, least: f32, most: f32, whole: f32| match least >= most {
            true => whole / 2.0,
            false => middle.clamp(least, most),
        };
        Vec2::new(
            one(middle.x, least.x, most.x, self.cells.x),
            one(middle.y, least.y, most.y, self.cells.y),
        )
    }

    /// Drags the map by an offset in pixels.
    pub fn pan(&mut self, by: Vec2) {
        self.is_fitted = false;
        (self.goal, self.zoom_anchor) = (None, None);
        self.middle = self.bounded(self.middle - by / self.scale.max(1.0), self.scale);
    }

    /// Zooms by a number of steps; the place under `at` stays there as far as the bounds allow.
    pub fn zoom(&mut self, at: Vec2, steps: i32) {
        let (least, most) = (self.whole_px(), (LARGEST * self.layout_scale) as u32);
        let sizes = STEPS.into_iter().chain([least]);
        let mut sizes = Vec::from_iter(sizes.filter(|px| (least..=most).contains(px)));
        sizes.sort_unstable();
        let mut next = self.cell_px;
        for _ in 0..steps.unsigned_abs() {
            // Sizes that hardly differ count as one step.
            let now = next as f32;
            next = match steps > 0 {
                true => *sizes
                    .iter()
                    .find(|&&px| px as f32 > now * 1.08)
                    .unwrap_or(&next),
                false => {
                    let smaller = sizes.iter().rfind(|&&px| (px as f32) < now * 0.93);
                    *smaller.unwrap_or(&next.min(least.max(1)))
                }
            };
        }
        if next != self.cell_px {
            self.zoom_anchor = Some((at, self.place(at)));
            self.goal = None;
            self.cell_px = next;
            self.is_fitted = next == least;
        }
    }

    /// Scrolls just far enough to show a place with some space around it.
    pub fn show(&mut self, place: Vec2) {
        if !self.is_ready() {
            return;
        }
        let scale = self.cell_px as f32;
        let half = (self.area.size() / 2.0 / scale - 2.0).max(Vec2::splat(0.5));
        let from = self.goal.unwrap_or(self.middle);
        let goal = self.bounded(from.clamp(place - half, place + half), scale);
        if goal.distance(from) > 0.01 {
            self.goal = Some(goal);
            self.is_fitted = false;
        }
    }

    /// Advances zooming and scrolling.
    pub fn advance(&mut self, seconds: f32) {
        let share = 1.0 - (-APPROACH_SPEED * seconds).exp();
        let aim = self.cell_px as f32;
        if self.scale != aim {
            let next = self.scale + (aim - self.scale) * share;
            let is_there = (next - aim).abs() < aim * 0.004;
            self.scale = if is_there { aim } else { next };
        }
        if let Some((at, place)) = self.zoom_anchor {
            let middle = place - (at - self.area.center()) / self.scale;
            self.middle = self.bounded(middle, self.scale);
            if self.scale == aim {
                self.zoom_anchor = None;
            }
        }
        if let Some(goal) = self.goal {
            let next = self.middle.lerp(goal, share);
            let is_there = next.distance(goal) * self.scale < 0.7;
            self.middle = if is_there { goal } else { next };
            self.goal = (!is_there).then_some(goal);
        }
    }

    /// Finishes zooming and scrolling at once.
    pub fn finish(&mut self) {
        self.advance(60.0);
    }
}

/// Zooms at the cursor if keys move it, otherwise in the middle.
fn zoom_by_keys(keys: Res<ButtonInput<Key>>, selection: Res<Selection>, mut view: ResMut<MapView>) {
    let steps = match (
        keys.just_pressed(Key::ZoomIn),
        keys.just_pressed(Key::ZoomOut),
    ) {
        (true, false) => 1,
        (false, true) => -1,
        _ => return,
    };
    let cursor = selection.cursor.filter(|_| selection.by_keys);
    let middle = |cell: Cell| view.rect(Space::new(cell, 1)).center();
    let at = cursor.map_or(view.area().center(), middle);
    view.zoom(at, steps);
}

/// Measures the window, the board area and the map.
fn measure(
    board_area: Query<(&ComputedNode, &UiGlobalTransform), With<BoardArea>>,
    session: Res<Session>,
    window: Option<Single<&Window>>,
    mut view: ResMut<MapView>,
) {
    let (Ok((node, place)), Some(window)) = (board_area.single(), window) else {
        return;
    };
    let board = &session.shown().board;
    let known = MapView {
        area: Rect::from_center_size(place.translation, node.size()),
        window: window.physical_size().as_vec2(),
        window_scale: window.scale_factor(),
        layout_scale: 1.0 / node.inverse_scale_factor.max(0.01),
        cells: Vec2::new(board.width().into(), board.height().into()),
        ..view.clone()
    };
    if known == *view || known.area.size().min_element() < 1.0 {
        return;
    }
    let is_first = !view.is_ready();
    *view = known;
    if view.is_fitted || is_first {
        view.fit();
        view.is_fitted = true;
    } else {
        view.middle = view.bounded(view.middle, view.scale);
    }
    if is_first && view.cell_px() > view.whole_px() {
        // The map does not fit, so start at the player's units.
        let own = session.shown().members(session.player());
        let own = own.filter(|p| p.is_up()).map(|p| Vec2::from(p.middle()));
        let own: Vec<Vec2> = own.collect();
        let sum: Vec2 = own.iter().sum();
        let middle = sum / own.len().max(1) as f32;
        view.middle = view.bounded(middle, view.scale);
        view.is_fitted = false;
    }
}

/// Keeps a cursor moved by keys in sight.
fn follow_cursor(selection: Res<Selection>, mut view: ResMut<MapView>) {
    if selection.is_changed()
        && selection.by_keys
        && let Some(cell) = selection.cursor
    {
        view.show(Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5));
    }
}

fn glide(time: Res<Time>, mut view: ResMut<MapView>) {
    if !view.is_at_rest() || view.zoom_anchor.is_some() {
        view.advance(time.delta_secs().min(0.1));
    }
}

fn aim_camera(
    view: Res<MapView>,
    shake: Res<Shake>,
    camera: Single<(&mut Transform, &mut Projection), With<MainCamera>>,
) {
    if !view.is_changed() && !shake.is_changed() || !view.is_ready() {
        return;
    }
    let (mut transform, mut projection) = camera.into_inner();
    let middle = view.place(view.window / 2.0) + shake.offset();
    transform.translation = Vec3::new(middle.x, -middle.y, transform.translation.z);
    if let Projection::Orthographic(lens) = &mut *projection {
        lens.scale = view.window_scale / view.scale;
    }
}
