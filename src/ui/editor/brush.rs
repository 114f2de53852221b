//! Tools, and what a stroke puts on the map.

use super::state::EditorState;
use crate::{
    grid::{Axis, Board, Cell, CellGround, Feature},
    levels::edit::GroundAndFog,
    ui::input::EditKey,
};
use std::collections::BTreeSet;

/// What the pointer does on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Tool {
    /// Select units and drag them.
    #[default]
    Select,
    Paint,
    Line,
    Box,
    Fill,
    /// Take the content of a cell as the brush.
    Pick,
    /// Mark a starting area, an exit or the area of an objective.
    Area,
    Sight,
    /// Place a unit.
    Place,
    /// Pick up an area and put down a copy (`Copy`) or the area itself (`Move`).
    Copy,
    Move,
}

impl Tool {
    /// Every tool, with its key.
    pub const ALL: [(Self, EditKey); 11] = [
        (Self::Select, EditKey::Select),
        (Self::Paint, EditKey::Paint),
        (Self::Line, EditKey::Line),
        (Self::Box, EditKey::Box),
        (Self::Fill, EditKey::Fill),
        (Self::Pick, EditKey::Pick),
        (Self::Area, EditKey::Area),
        (Self::Sight, EditKey::Sight),
        (Self::Place, EditKey::Place),
        (Self::Copy, EditKey::CopyArea),
        (Self::Move, EditKey::MoveArea),
    ];

    /// The tooltip of its button.
    pub fn about(self) -> &'static str {
        match self {
            Self::Select => "Select and drag units on the map",
            Self::Paint => "Paint cells; right-click paints floor",
            Self::Line => "A straight line of cells",
            Self::Box => "All cells between two corners; Shift: outline only",
            Self::Fill => "All connected cells of the same kind",
            Self::Pick => "Pick a cell's contents as the brush",
            Self::Area => "Cells of a start, exit, goal or note; right-click removes",
            Self::Sight => "Show sight and cover from the clicked cell",
            Self::Place => "Place a unit of the chosen kind",
            Self::Copy => "Drag over an area, then click where copies go; X mirrors it",
            Self::Move => {
                "Drag over an area, then click where it goes with its units; X mirrors it"
            }
        }
    }
}

/// What a stroke puts on the map.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Brush {
    Ground(TerrainKind),
    /// Sets the height of the floor in feet and keeps everything else.
    Height(i16),
    /// Whether the sides of the cell can be climbed.
    Climbable(bool),
    /// How much the fog conceals, in percent.
    Fog(u8),
    /// A character of the level's own legend.
    LegendChar(char),
    /// The starting area of a side, by index.
    Start(usize),
    /// An exit of a side, by index.
    Exit(usize),
    /// The area of an objective, by index.
    Goal(usize),
    /// A note of the author.
    Note,
    /// A unit of this kind, for the side with this index.
    Unit(String, usize),
}

/// The kinds of terrain that a cell can have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TerrainKind {
    Floor,
    Wall,
    LowWall,
    Pillar,
    Rubble,
    Water,
    Door,
    OpenDoor,
    Window,
    Slit,
}

impl Default for Brush {
    fn default() -> Self {
        Self::floor()
    }
}

impl TerrainKind {
    pub const GROUND: [Self; 6] = [
        Self::Floor,
        Self::Wall,
        Self::LowWall,
        Self::Pillar,
        Self::Rubble,
        Self::Water,
    ];
    pub const OPENINGS: [Self; 4] = [Self::Door, Self::OpenDoor, Self::Window, Self::Slit];

    pub fn title(self) -> &'static str {
        match self {
            Self::Floor => "Floor",
            Self::Wall => "Wall",
            Self::LowWall => "Low wall",
            Self::Pillar => "Pillar",
            Self::Rubble => "Rubble",
            Self::Water => "Water",
            Self::Door => "Door",
            Self::OpenDoor => "Open",
            Self::Window => "Window",
            Self::Slit => "Arrow slit",
        }
    }

    /// The ground for this kind at a floor height in feet. Openings are seen through
    /// along `axis`.
    pub fn ground(self, floor: i16, axis: Axis) -> CellGround {
        let of = |feature| CellGround {
            floor,
            feature,
            ..CellGround::default()
        };
        match self {
            Self::Floor => of(Feature::Open),
            Self::Wall => CellGround::of(Feature::Wall),
            Self::LowWall => of(Feature::LowWall),
            Self::Pillar => of(Feature::Pillar),
            Self::Rubble => CellGround {
                rough: true,
                ..of(Feature::Open)
            },
            Self::Water => CellGround {
                water: true,
                ..of(Feature::Open)
            },
            Self::Door => of(Feature::Door { open: false }),
            Self::OpenDoor => of(Feature::Door { open: true }),
            Self::Window => of(Feature::Window(axis)),
            Self::Slit => of(Feature::Slit(axis)),
        }
    }
}

impl Brush {
    pub fn floor() -> Self {
        Self::Ground(TerrainKind::Floor)
    }

    /// The tool that this brush needs: `now` if that fits.
    pub fn tool(&self, now: Tool) -> Tool {
        match self {
            Self::Start(_) | Self::Exit(_) | Self::Goal(_) | Self::Note => Tool::Area,
            Self::Unit(..) => Tool::Place,
            _ if matches!(now, Tool::Paint | Tool::Line | Tool::Box | Tool::Fill) => now,
            _ => Tool::Paint,
        }
    }

    pub fn title(&self) -> String {
        match self {
            Self::Ground(kind) => kind.title().into(),
            Self::Height(feet) => format!("Height {feet} ft"),
            Self::Climbable(true) => "Climbable".into(),
            Self::Climbable(false) => "Not climbable".into(),
            Self::Fog(percent) => format!("Fog {percent}%"),
            Self::LegendChar(c) => format!("Custom {c:?}"),
            Self::Start(_) => "Start".into(),
            Self::Exit(_) => "Exit".into(),
            Self::Goal(_) => "Goal".into(),
            Self::Note => "Note".into(),
            Self::Unit(kind, _) => kind.replace('_', " "),
        }
    }

    /// The ground after the brush is applied. `None` if the brush does not change the
    /// ground.
    pub fn on(&self, (ground, fog): &GroundAndFog, state: &EditorState) -> Option<GroundAndFog> {
        let mut ground = ground.clone();
        Some(match self {
            Self::Ground(kind) => {
                // A wall has neither height nor fog worth keeping.
                let is_wall = ground.feature == Feature::Wall;
                let floor = if is_wall { 0 } else { ground.floor };
                let is_kept = *kind != TerrainKind::Wall && !is_wall;
                let made = CellGround {
                    climbable: ground.climbable && is_kept,
                    ..kind.ground(floor, Axis::X)
                };
                (made, if is_kept { *fog } else { 0 })
            }
            Self::Height(feet) => {
                if ground.feature == Feature::Wall {
                    ground.feature = Feature::Open;
                }
                ground.floor = *feet;
                (ground, *fog)
            }
            Self::Climbable(is) => {
                ground.climbable = *is;
                (ground, *fog)
            }
            Self::Fog(percent) => (ground, *percent),
            Self::LegendChar(c) => state.doc.char_meanings().get(c)?.clone(),
            _ => return None,
        })
    }
}

/// The axis along which a unit can see through an opening in this cell: across the
/// wall that the cell belongs to.
pub fn opening(board: &Board, cell: Cell) -> Axis {
    let is_solid = |dx, dy| {
        let there = cell.offset(dx, dy);
        let feature = board.ground(there).map(|g| &g.feature);
        feature.is_none_or(|f| !matches!(f, Feature::Open | Feature::LowWall | Feature::Blocks(_)))
    };
    let solid = |dx, dy| u8::from(is_solid(dx, dy)) + u8::from(is_solid(-dx, -dy));
    let (across, along) = (solid(1, 0), solid(0, 1));
    if across > along { Axis::Y } else { Axis::X }
}

/// The cells of a straight line from one cell to another.
pub fn line(from: Cell, to: Cell) -> Vec<Cell> {
    let (dx, dy) = (i32::from(to.x - from.x), i32::from(to.y - from.y));
    let steps = dx.abs().max(dy.abs());
    let at = |n: i32, d: i32| (f64::from(n * d) / f64::from(steps.max(1))).round() as i16;
    (0..=steps)
        .map(|n| from.offset(at(n, dx), at(n, dy)))
        .collect()
}

/// All cells of the rectangle between two corners; only its edge if `is_hollow`.
pub fn square(from: Cell, to: Cell, is_hollow: bool) -> Vec<Cell> {
    let (west, east) = (from.x.min(to.x), from.x.max(to.x));
    let (north, south) = (from.y.min(to.y), from.y.max(to.y));
    let rows = (north..=south).flat_map(|y| (west..=east).map(move |x| Cell::new(x, y)));
    let is_edge = |c: &Cell| c.x == west || c.x == east || c.y == north || c.y == south;
    rows.filter(|c| !is_hollow || is_edge(c)).collect()
}

/// The connected cells that have the same map character as `from`, for flood fill.
pub fn alike(state: &EditorState, from: Cell) -> Vec<Cell> {
    let Some(c) = state.doc.char_at(from) else {
        return vec![];
    };
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(cell) = open.pop() {
        for (dx, dy) in &Cell::DIRECTIONS[..4] {
            let next = cell.offset(*dx, *dy);
            if state.doc.char_at(next) == Some(c) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen.into_iter().collect()
}

/// The cells that a brush covers, `size` cells across.
pub fn under(cell: Cell, size: u8) -> Vec<Cell> {
    let before = (i16::from(size) - 1) / 2;
    let from = cell.offset(-before, -before);
    let last = i16::from(size) - 1;
    square(from, from.offset(last, last), false)
}
