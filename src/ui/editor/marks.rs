//! What is drawn over the map: areas, the current stroke, the selection, problems,
//! line of sight and cover.

use super::{
    Drawing,
    brush::{Brush, Tool},
    canvas::Canvas,
    state::{Chosen, EditorState, goal_area},
};
use crate::ui::art::hud::Panel;
use crate::{
    battle::Side,
    grid::{Board, Cell, Cover, Sight, Space},
    levels::edit::At,
    ui::{
        art::{
            palette::{self, Rgb},
            tokens::Base,
        },
        board::rulers::every,
        shown::rank,
        theme::{self, TextStyle, colour, faded, one_line, strong_text, text},
        widgets::{NodeExt, SpawnWith, card, panel_style},
    },
};
use bevy::{prelude::*, text::RemSize, ui::UiTransform};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, show.in_set(Drawing));
}

/// Below or above the units.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    Below,
    Above,
}

/// The marker of an error or a warning on the map.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pin(pub usize);

/// The card that explains line of sight.
#[derive(Component)]
pub struct SightCard;

struct Pen<'a, 'b> {
    layer: &'a mut ChildSpawnerCommands<'b>,
    canvas: &'a Canvas,
    /// The text scale that the player set.
    text: f32,
}

/// A node with its corner at a place of the board, in layout pixels.
fn corner(at: Vec2) -> Node {
    Node::default().at(at.x, at.y)
}

/// A node that takes a rectangle of the board, in layout pixels.
pub(super) fn place(rect: Rect) -> Node {
    corner(rect.min).size(rect.width(), rect.height())
}

impl Pen<'_, '_> {
    fn tint(&mut self, space: Space, ink: Rgb, alpha: f32) {
        let fill = BackgroundColor(colour(ink).with_alpha(alpha));
        let node = place(self.canvas.rect(space));
        self.layer.spawn((node, fill, Pickable::IGNORE));
    }

    /// Outlines a set of cells.
    fn outline(&mut self, cells: &[Cell], ink: Rgb, width: f32) {
        for &cell in cells {
            let lies = |dx, dy| match cells.contains(&cell.offset(dx, dy)) {
                true => px(0),
                false => px(width),
            };
            let border = UiRect::new(lies(-1, 0), lies(1, 0), lies(0, -1), lies(0, 1));
            let node = place(self.canvas.rect(Space::one(cell)));
            let node = node.set(|node| node.border = border);
            let line = BorderColor::all(colour(ink));
            self.layer.spawn((node, line, Pickable::IGNORE));
        }
    }

    fn ring(&mut self, space: Space, ink: Rgb, width: f32) {
        let node = place(self.canvas.rect(space).inflate(1.0))
            .border(width)
            .rounded(BorderRadius::MAX);
        let line = BorderColor::all(colour(ink));
        self.layer.spawn((node, line, Pickable::IGNORE));
    }

    fn line(&mut self, from: Vec2, to: Vec2, ink: Rgb, width: f32) {
        let (middle, along) = ((from + to) / 2.0, to - from);
        let size = Vec2::new(along.length(), width);
        let node = place(Rect::from_center_size(middle, size));
        let turn = UiTransform::from_rotation(Rot2::radians(along.to_angle()));
        let fill = BackgroundColor(colour(ink));
        self.layer.spawn((node, turn, fill, Pickable::IGNORE));
    }

    fn words(&mut self, at: Vec2, words: &str, cut: TextStyle, ink: Rgb) {
        self.layer.spawn((one_line(words, cut, ink), corner(at)));
    }

    /// A small card with text beside a position.
    fn tag(&mut self, at: Vec2, words: String) {
        let node = corner(at)
            .padding(7.0, 2.0)
            .border(1.2)
            .rounded(BorderRadius::all(px(4)));
        let words = one_line(words, TextStyle::Label, palette::INK);
        let parts = (node, panel_style(Panel::CardLight), Pickable::IGNORE);
        self.layer.spawn((parts, children![words]));
    }

    /// A marker with a number, counted from 1, that takes a square around a place.
    fn marker(
        &mut self,
        mark: impl Bundle,
        (at, side): (Vec2, f32),
        (border, border_radius): (f32, BorderRadius),
        ground: Rgb,
        (nth, style, ink): (usize, TextStyle, Rgb),
    ) {
        let node = place(Rect::from_center_size(at, Vec2::splat(side)))
            .centred()
            .border(border)
            .rounded(border_radius);
        let ground = BackgroundColor(colour(ground));
        let line = BorderColor::all(colour(palette::INK));
        let number = text(format!("{}", nth + 1), style, ink);
        let parts = (mark, node, ground, line, Pickable::IGNORE);
        self.layer.spawn((parts, children![number]));
    }

    /// The marker of a note on the upper left corner of a cell.
    fn note(&mut self, nth: usize, cell: Cell) {
        let at = self.canvas.rect(Space::one(cell)).min + Vec2::splat(9.0);
        let shape = (1.2, BorderRadius::DEFAULT);
        let number = (nth, TextStyle::Small, palette::INK);
        self.marker(NoteMark(nth), (at, 17.0), shape, palette::GOLD, number);
    }

    /// A marker with a number on the upper right corner of a cell.
    fn pin(&mut self, nth: usize, cell: Cell, is_error: bool) {
        let corner = self.canvas.rect(Space::one(cell));
        let at = Vec2::new(corner.max.x, corner.min.y);
        let radius = match is_error {
            true => BorderRadius::MAX,
            false => BorderRadius::all(px(3)),
        };
        let number = (nth, TextStyle::Label, palette::WHITE);
        let ground = finding_ink(is_error);
        self.marker(Pin(nth), (at, 20.0), (1.4, radius), ground, number);
    }
}

/// The marker of a note on the map, by its index in the file.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoteMark(pub usize);

/// The colour of an error or a warning.
pub(super) fn finding_ink(is_error: bool) -> Rgb {
    match is_error {
        true => palette::DANGER,
        false => palette::AMBER,
    }
}

/// The colour of a side, the one its units have.
pub(super) fn side_ink(state: &EditorState, side: usize) -> Rgb {
    let level = state.level.as_ref();
    let is_own = |s: &crate::levels::LevelSide| s.control == crate::levels::Control::Player;
    let own = level.and_then(|l| l.sides.iter().position(is_own));
    let rank = rank(Side(side as u8), Side(own.unwrap_or(0) as u8));
    Base::of_rank(rank).colour()
}

fn show(
    mut commands: Commands,
    state: Res<EditorState>,
    canvas: Res<Canvas>,
    rem: Res<RemSize>,
    layers: Query<(Entity, Ref<Layer>)>,
) {
    let has_new_layers = layers.iter().any(|(_, layer)| layer.is_added());
    let changes = state.is_changed() || canvas.is_changed() || rem.is_changed();
    if !(changes || has_new_layers) || canvas.room.is_empty() {
        return;
    }
    let Some(board) = state.board_ahead() else {
        return;
    };
    for (entity, layer) in &layers {
        commands.entity(entity).despawn_children();
        commands.entity(entity).with_children(|spawner| {
            let mut pen = Pen {
                layer: spawner,
                canvas: &canvas,
                text: rem.0 / theme::BODY,
            };
            match *layer {
                Layer::Below => below(&mut pen, &state, &board),
                Layer::Above => above(&mut pen, &state, &board),
            }
        });
    }
}

fn below(pen: &mut Pen, state: &EditorState, board: &Board) {
    rulers(pen, board);
    let level = state.level.as_ref();
    for (n, side) in level.iter().flat_map(|l| l.sides.iter().enumerate()) {
        let ink = side_ink(state, n);
        area(pen, &side.start, ink, "start");
    }
    for exit in level.iter().flat_map(|l| &l.exits) {
        let ink = match &exit.sides[..] {
            [one] => side_ink(state, usize::from(one.0)),
            _ => palette::FADED_INK,
        };
        area(pen, &exit.cells, ink, "exit");
    }
    for n in 0..state.doc.count(&At::root().field("objectives")) {
        let cells = state.doc.area(&goal_area(n));
        area(pen, &cells, palette::GREEN, "goal");
    }
    let from = state.pin.or(match state.chosen {
        Chosen::Unit(who) => state.space(who).map(|s| s.at),
        _ => None,
    });
    if let Some(from) = from.filter(|_| state.shows_cover) {
        let seen = board.survey(Space::one(from), board.width().max(board.height()));
        for cell in board.cells().filter(|c| board.can_stand(Space::one(*c))) {
            let sight = seen.iter().find(|s| s.0 == cell).map(|s| s.1.cover);
            match sight {
                Some(Some(Cover::Half)) => pen.tint(Space::one(cell), palette::OCHRE, 0.28),
                Some(Some(Cover::Full)) => pen.tint(Space::one(cell), palette::OCHRE, 0.5),
                Some(_) => {}
                None => pen.tint(Space::one(cell), palette::INK, 0.34),
            }
        }
    }
}

fn area(pen: &mut Pen, cells: &[Cell], ink: Rgb, word: &str) {
    for &cell in cells {
        pen.tint(Space::one(cell), ink, 0.13);
    }
    pen.outline(cells, ink, 1.6);
    if let Some(&first) = cells.first() {
        let at = pen.canvas.rect(Space::one(first)).min + Vec2::new(3.0, 0.0);
        pen.words(at, word, TextStyle::Small, ink);
    }
}

/// The numbers of columns and rows.
fn rulers(pen: &mut Pen, board: &Board) {
    // Leave out numbers when there is not enough space for two digits.
    let every = usize::from(every(pen.canvas.cell(), 20.0 * pen.text));
    for x in (0..board.width()).step_by(every) {
        let at = pen.canvas.place(Vec2::new(f32::from(x) + 0.36, -1.0));
        pen.words(at, &x.to_string(), TextStyle::Label, palette::FADED_INK);
    }
    for y in (0..board.height()).step_by(every) {
        let at = pen.canvas.place(Vec2::new(-1.0, f32::from(y) + 0.28));
        pen.words(at, &y.to_string(), TextStyle::Label, palette::FADED_INK);
    }
}

fn above(pen: &mut Pen, state: &EditorState, board: &Board) {
    if let Chosen::Unit(who) = state.chosen {
        let entry = state.units.get(who).map(|p| &p.entry);
        for n in 0..state.units.len() {
            let Some(space) = state.space(n) else {
                continue;
            };
            if n == who {
                pen.ring(space, palette::GOLD, 3.0);
            } else if Some(&state.units[n].entry) == entry {
                pen.ring(space, palette::GOLD, 1.4);
            }
        }
    }
    notes(pen, state);
    ghost(pen, state);
    for (nth, finding) in state.findings.iter().enumerate() {
        if let Some(&cell) = finding.cells.first() {
            pen.pin(nth, cell, finding.is_error);
        }
    }
    sight(pen, state, board);
}

/// The author's notes: a marker on each cell, with the text of the one under the pointer.
fn notes(pen: &mut Pen, state: &EditorState) {
    for (n, note) in state.notes().into_iter().enumerate() {
        let Some(cell) = note.cell else { continue };
        pen.note(n, cell);
        if state.cursor == Some(cell) && state.stroke.is_none() {
            let rect = pen.canvas.rect(Space::one(cell));
            pen.tag(Vec2::new(rect.min.x, rect.max.y + 6.0), note.text);
        }
    }
}

/// The current stroke, or what a click would paint.
fn ghost(pen: &mut Pen, state: &EditorState) {
    let Some(cursor) = state.cursor else { return };
    let Some(stroke) = &state.stroke else {
        let cells = match state.tool {
            Tool::Paint => super::brush::under(cursor, state.size),
            _ => vec![cursor],
        };
        if let Some((cells, title)) = state.clip_ahead() {
            for &cell in &cells {
                pen.tint(Space::one(cell), palette::GOLD, 0.3);
            }
            pen.outline(&cells, palette::GOLD, 2.0);
            let last = cells.last().copied().unwrap_or(cursor);
            let at = pen.canvas.rect(Space::one(last)).max + Vec2::splat(6.0);
            return pen.tag(at, title);
        }
        pen.outline(&cells, palette::TEAL, 1.6);
        return;
    };
    if let Some(who) = stroke.who {
        let (Some(from), true) = (state.space(who), stroke.to != stroke.from) else {
            return;
        };
        let to = Space::new(stroke.to, from.size);
        pen.outline(&[stroke.to], palette::GOLD, 2.0);
        let ends = [from, to].map(|s| pen.canvas.rect(s).center());
        pen.line(ends[0], ends[1], palette::FADED_INK, 1.6);
        return;
    }
    let ink = match stroke.erases {
        true => palette::DANGER,
        false => palette::TEAL,
    };
    for &cell in &stroke.cells {
        pen.tint(Space::one(cell), ink, 0.35);
    }
    pen.outline(&stroke.cells, ink, 2.0);
    let title = match (state.tool, stroke.erases) {
        (Tool::Area, true) => format!("{} removed", state.brush.title()),
        (Tool::Area, false) => state.brush.title(),
        (Tool::Copy, _) => "Copy".into(),
        (Tool::Move, _) => "Move".into(),
        (_, true) => Brush::floor().title(),
        (_, false) => state.brush.title(),
    };
    let count = crate::words::count(stroke.cells.len(), "cell");
    let at = pen.canvas.rect(Space::one(stroke.to)).max + Vec2::splat(6.0);
    pen.tag(at, format!("{title} · {count}"));
}

/// Line of sight and cover from the pin to the cell under the pointer.
fn sight(pen: &mut Pen, state: &EditorState, board: &Board) {
    let Some(from) = state.pin else { return };
    pen.ring(Space::one(from), palette::TEAL, 2.0);
    let Some(to) = state.cursor.filter(|to| *to != from) else {
        return;
    };
    let (a, b) = (Space::one(from), Space::one(to));
    let proof = board.proof(a, b);
    let ends = [a, b].map(|s| pen.canvas.rect(s).center());
    let ink = match proof.sight.los {
        true => palette::TEAL,
        false => palette::DANGER,
    };
    pen.line(ends[0], ends[1], ink, 2.0);
    let mut blocks: Vec<Cell> = proof.blocking.iter().map(|b| b.0).collect();
    blocks.dedup();
    pen.outline(&blocks, palette::DANGER, 2.0);
    let before = state.board().map(|now| now.sight(a, b));
    let feet = 5 * (from.x - to.x).abs().max((from.y - to.y).abs());
    // The card goes to the side of the map that the player is not looking at.
    let is_east = to.x * 2 >= board.width() as i16;
    let mut node = card().absolute().width(px(190)).row_gap(1.0);
    node.top = px(theme::GAP);
    match is_east {
        true => node.left = px(theme::GAP),
        false => node.right = px(theme::GAP),
    }
    let parts = (SightCard, node, Pickable::IGNORE);
    pen.layer
        .spawn_with((parts, panel_style(Panel::CardLight)), |card| {
            card.spawn(strong_text("Line of sight"));
            card.spawn(faded(format!("({from}) to ({to}), {feet} ft")));
            card.spawn(text(sight_label(&proof.sight), TextStyle::Heading, ink));
            let corners = format!("{} of 8 corners seen (GR-21)", proof.sight.corners);
            card.spawn(faded(corners));
            if let Some(before) = before.filter(|b| *b != proof.sight) {
                let words = format!("before this stroke: {}", sight_label(&before));
                card.spawn(text(words, TextStyle::Small, palette::AMBER));
            }
        });
}

fn sight_label(sight: &Sight) -> &'static str {
    match sight.cover {
        _ if !sight.los => "not seen",
        Some(Cover::Half) => "half cover",
        Some(Cover::Full) => "full cover",
        _ => "in the open",
    }
}
