//! The map in the editor, with all units on it. It is drawn in the background
//! whenever it has changed; [`Canvas`] knows where it lies in the window.

use super::{
    Drawing,
    state::{Chosen, EditorState},
};
use crate::{
    grid::{Cell, Space},
    ui::{
        art::{
            board::{self, MARGIN},
            plan::BoardPlan,
            tokens::{self as drawn, Pose},
        },
        hud::SmallPictures,
        pictures,
        redraw::KeepRedrawing,
        room::Room,
        shown::STANDING_CORNERS,
        tokens,
        widgets::{Filled, NodeExt, refill},
    },
};
use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
    ui::UiGlobalTransform,
};
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Canvas>();
    app.add_systems(Update, (measure, draw, lay, stand).chain().in_set(Drawing));
}

/// The board's part of the editor. It receives the pointer events.
#[derive(Component)]
pub struct EditorBoard;

/// The picture of the map.
#[derive(Component, Default)]
pub struct MapPicture {
    /// The plan that the picture shows, and the size of its cells in screen pixels.
    shows: Option<(Arc<BoardPlan>, u32)>,
    drawing: Option<(Arc<BoardPlan>, u32, Task<Image>)>,
}

/// A unit on the map, by its index in the level.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token(pub usize);

/// The layer of the units. Marks are drawn above it.
#[derive(Component)]
pub(super) struct TokenLayer;

/// The position and zoom of the map in the window, in layout pixels.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Canvas {
    /// The board's part of the window.
    pub room: Rect,
    /// Columns and rows of the map.
    cells: Vec2,
    /// Screen pixels for one layout pixel.
    scale: f32,
    /// Zoom steps; 0 shows the whole map.
    steps: i32,
    /// Offset of the map's centre from the centre of `room`.
    pan: Vec2,
}

impl Default for Canvas {
    fn default() -> Self {
        Self {
            room: Rect::default(),
            cells: Vec2::ONE,
            scale: 1.0,
            steps: 0,
            pan: Vec2::ZERO,
        }
    }
}

/// The largest cell, in layout pixels, when the whole map is fitted into the window.
const LARGEST: f32 = 64.0;
/// The factor of one zoom step.
const STEP: f32 = 1.25;
/// The longest side of a picture in pixels, limited by what graphics cards accept.
const WIDEST: f32 = 8000.0;

impl Canvas {
    /// The side of a cell in screen pixels.
    pub fn cell_px(&self) -> u32 {
        let whole = self.cells + 2.0 * MARGIN;
        let fit = (self.room.size() / whole).min_element().min(LARGEST);
        let px = fit * STEP.powi(self.steps) * self.scale;
        let most = (WIDEST / whole).min_element();
        px.min(most).floor().max(4.0) as u32
    }

    /// The side of a cell in layout pixels.
    pub fn cell(&self) -> f32 {
        self.cell_px() as f32 / self.scale
    }

    /// The map's north-west corner, relative to `room`.
    fn corner(&self) -> Vec2 {
        let corner = self.room.size() / 2.0 + self.pan - self.cells * self.cell() / 2.0;
        (corner * self.scale).round() / self.scale
    }

    /// The cell at a point of the window. `None` outside the map.
    pub fn cell_at(&self, point: Vec2) -> Option<Cell> {
        let place = ((point - self.room.min - self.corner()) / self.cell()).floor();
        let inside = place.cmpge(Vec2::ZERO).all() && place.cmplt(self.cells).all();
        inside.then(|| Cell::new(place.x as i16, place.y as i16))
    }

    /// Converts a position on the map, in cells, to layout pixels relative to `room`.
    pub fn place(&self, at: Vec2) -> Vec2 {
        self.corner() + at * self.cell()
    }

    /// The centre of a cell in the window, in layout pixels.
    pub fn middle(&self, cell: Cell) -> Vec2 {
        let at = Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5);
        self.room.min + self.place(at)
    }

    /// The rectangle of a space of cells, relative to `room`.
    pub fn rect(&self, space: Space) -> Rect {
        let at = Vec2::new(space.at.x.into(), space.at.y.into());
        let side = Vec2::splat(f32::from(space.size.max(1)));
        Rect::from_corners(self.place(at), self.place(at + side))
    }

    pub fn zoom(&mut self, by: i32) {
        self.steps = (self.steps + by).clamp(0, 10);
        if self.steps == 0 {
            self.pan = Vec2::ZERO;
        }
    }

    /// The zoom in percent; at 100 the whole map is visible.
    pub fn percent(&self) -> i32 {
        (STEP.powi(self.steps) * 100.0).round() as i32
    }

    /// Moves the map so that the cell is in view.
    pub fn reveal(&mut self, cell: Cell) {
        let rect = self.rect(Space::one(cell));
        let room = Rect::from_corners(Vec2::ZERO, self.room.size());
        if !room.contains(rect.min) || !room.contains(rect.max) {
            self.drag(room.center() - rect.center());
        }
    }

    pub fn drag(&mut self, by: Vec2) {
        let reach = (self.cells * self.cell()).max(self.room.size()) / 2.0;
        self.pan = (self.pan + by).clamp(-reach, reach);
    }
}

/// Updates [`Canvas`] from the size of the window and the map.
fn measure(
    area: Query<(&ComputedNode, &UiGlobalTransform), With<EditorBoard>>,
    state: Res<EditorState>,
    room: Room,
    mut canvas: ResMut<Canvas>,
) {
    let Ok((node, place)) = area.single() else {
        return;
    };
    let inverse = node.inverse_scale_factor;
    let rect = Rect::from_center_size(place.translation * inverse, node.size() * inverse);
    if rect.size().min_element() < 1.0 {
        return;
    }
    let (columns, rows) = state.doc.size();
    let known = Canvas {
        room: rect,
        cells: Vec2::new(columns.max(1) as f32, rows.max(1) as f32),
        scale: room.screen_scale(),
        ..canvas.clone()
    };
    canvas.set_if_neq(known);
}

/// Starts drawing the map when the plan or the cell size has changed.
fn draw(
    mut commands: Commands,
    state: Res<EditorState>,
    canvas: Res<Canvas>,
    mut map: Single<(Entity, &mut MapPicture, &mut ImageNode)>,
    mut images: ResMut<Assets<Image>>,
    mut wanted: Local<Option<(u64, Arc<BoardPlan>)>>,
) {
    let (entity, picture, image) = &mut *map;
    if wanted.as_ref().is_none_or(|w| w.0 != state.revision)
        && let Some(level) = &state.level
    {
        let plan = Arc::new(BoardPlan::of(&level.board(), level.light));
        let same = wanted.as_ref().filter(|w| *w.1 == *plan);
        let plan = same.map_or(plan, |w| w.1.clone());
        *wanted = Some((state.revision, plan));
    }
    let Some((_, plan)) = &*wanted else { return };
    let px = canvas.cell_px();
    if let Some((plan, px, task)) = &mut picture.drawing
        && let Some(drawn) = check_ready(task)
    {
        image.image = images.add(drawn);
        picture.shows = Some((plan.clone(), *px));
        picture.drawing = None;
        commands.entity(*entity).remove::<KeepRedrawing>();
    }
    let is_of = |shown: &(Arc<BoardPlan>, u32)| Arc::ptr_eq(&shown.0, plan) && shown.1 == px;
    if picture.drawing.is_none() && !picture.shows.as_ref().is_some_and(is_of) {
        let (plan, px) = (plan.clone(), px);
        let own = plan.clone();
        let task = AsyncComputeTaskPool::get()
            .spawn(async move { pictures::image(board::preview(&own, px)) });
        picture.drawing = Some((plan, px, task));
        commands.entity(*entity).insert(KeepRedrawing);
    }
}

/// Positions the map. A picture of another size is stretched until the new one is
/// drawn.
fn lay(canvas: Res<Canvas>, map: Single<(&MapPicture, &mut Node)>) {
    let (picture, mut node) = map.into_inner();
    let shown = picture.shows.as_ref().map(|(plan, _)| plan);
    let cells = shown.map_or(canvas.cells, |plan| {
        Vec2::new(plan.width() as f32, plan.height() as f32)
    });
    let corner = canvas.place(Vec2::splat(-MARGIN));
    let size = (cells + 2.0 * MARGIN) * canvas.cell();
    node.set_if_neq(Node::default().at(corner.x, corner.y).size(size.x, size.y));
}

/// Places all units on their cells.
fn stand(
    mut commands: Commands,
    state: Res<EditorState>,
    canvas: Res<Canvas>,
    layer: Single<Entity, With<TokenLayer>>,
    mut icons: SmallPictures,
    mut shown: Local<Filled<(u64, Canvas, Option<(usize, Cell)>)>>,
) {
    let dragged = state.stroke.as_ref().and_then(|s| Some((s.who?, s.to)));
    let now = (state.revision, canvas.clone(), dragged);
    refill(&mut commands, (*layer, now), &mut shown, |layer, _| {
        let SmallPictures { pictures, images } = &mut icons;
        let cell_px = canvas.cell_px();
        let all = state.unit_views();
        let place = |n: usize, at: Cell| match dragged {
            Some((who, to)) if who == n => to,
            _ => at,
        };
        let spaces: Vec<Space> = all
            .iter()
            .enumerate()
            .map(|(n, p)| Space::new(place(n, p.at), p.size))
            .collect();
        for (n, unit) in all.iter().enumerate() {
            // If several units share a cell, shift them so that each is visible.
            let mut before = 0;
            let mut here = 0;
            for (other, space) in spaces.iter().enumerate() {
                if space.overlaps(spaces[n]) {
                    here += 1;
                    before += usize::from(other < n);
                }
            }
            let corner = (here > 1).then(|| STANDING_CORNERS[before % 4]);
            let token = tokens::token(unit, Pose::Ready, corner);
            let name = format!("editor {token:?} {cell_px}");
            let draw = || images.add(pictures::image(drawn::token(token, cell_px)));
            let image = pictures.keep(name, draw);
            let size = images.get(&image).map_or(Vec2::ONE, |i| i.size_f32());
            let size = size / canvas.scale;
            let rect = canvas.rect(spaces[n]);
            let at = rect.center() - size / 2.0;
            let later = state.units.get(n).is_some_and(|p| p.round.is_some());
            let node = Node::default().at(at.x, at.y).size(size.x, size.y);
            let alpha = if later { 0.55 } else { 1.0 };
            let image = ImageNode::new(image).with_color(Color::WHITE.with_alpha(alpha));
            let lift = ZIndex(i32::from(state.chosen == Chosen::Unit(n)));
            layer.spawn((Token(n), node, image, lift, Pickable::IGNORE));
        }
    });
}
