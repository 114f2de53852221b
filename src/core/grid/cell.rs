//! Cells of the map, and the spaces that bodies occupy.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// One square of the map, 5 ft by 5 ft (GR-01). `x` counts columns to the east and `y` rows to
/// the south, both from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Cell {
    /// Column, counted eastwards from 0.
    pub x: i16,
    /// Row, counted southwards from 0.
    pub y: i16,
}

impl Cell {
    /// The eight directions as (east, south): the four sides, then the four diagonals. All
    /// searches in this module use this order.
    pub const DIRECTIONS: [(i16, i16); 8] = [
        (0, -1),
        (1, 0),
        (0, 1),
        (-1, 0),
        (1, -1),
        (1, 1),
        (-1, 1),
        (-1, -1),
    ];

    /// The cell in column `x` and row `y`.
    #[inline]
    pub const fn new(x: i16, y: i16) -> Self {
        Self { x, y }
    }

    /// The eight cells around this one, in the order of [`Self::DIRECTIONS`]. Some can lie off
    /// the map.
    pub fn neighbours(self) -> impl Iterator<Item = Cell> {
        Self::DIRECTIONS
            .into_iter()
            .map(move |(dx, dy)| self.offset(dx, dy))
    }

    /// The four cells that share a side with this one, north first.
    pub fn beside(self) -> impl Iterator<Item = Cell> {
        self.neighbours().take(4)
    }

    /// The overall direction to this cell from another: the nearest of the eight, so a diagonal only
    /// from 22.5 degrees off a side. `None` for the same cell.
    pub fn direction_from(self, other: Self) -> Option<&'static str> {
        let (east, south) = (self.x - other.x, self.y - other.y);
        let (across, down) = (
            u32::from(east.unsigned_abs()),
            u32::from(south.unsigned_abs()),
        );
        // 5 to 12 is the tangent of 22.6 degrees.
        let is_near = |part: u32, whole: u32| 12 * part < 5 * whole;
        let row = match south {
            _ if is_near(down, across) => "",
            0.. => "south",
            _ => "north",
        };
        let column = match east {
            _ if is_near(across, down) => "",
            0.. => "east",
            _ => "west",
        };
        Some(match (row, column) {
            _ if self == other => return None,
            ("north", "east") => "north-east",
            ("north", "west") => "north-west",
            ("south", "east") => "south-east",
            ("south", "west") => "south-west",
            (row, "") => row,
            (_, column) => column,
        })
    }

    /// A path in words, with its length in feet and the overall direction from its start to its
    /// end: "25 ft to the south-east". `None` for a path that leaves no cell.
    pub fn describe_path(path: &[Self]) -> Option<String> {
        let feet = Self::length(path);
        match path.last()?.direction_from(*path.first()?) {
            Some(there) => Some(format!("{feet} ft to the {there}")),
            None => (feet > 0).then(|| format!("{feet} ft, back to its start")),
        }
    }

    /// Where this cell lies, seen from another: "25 ft to the east", and off the eight directions
    /// "25 ft east, 5 ft south", so that no two cells are called the same. `None` for the same cell.
    pub fn place_from(self, other: Self) -> Option<String> {
        let (east, south) = (self.x - other.x, self.y - other.y);
        let (across, down) = (east.unsigned_abs(), south.unsigned_abs());
        if across == 0 || down == 0 || across == down {
            return Self::describe_path(&[other, self]);
        }
        let column = if east > 0 { "east" } else { "west" };
        let row = if south > 0 { "south" } else { "north" };
        Some(format!("{} ft {column}, {} ft {row}", 5 * across, 5 * down))
    }

    /// The length of a path in feet, whatever its ground costs.
    pub fn length(path: &[Self]) -> u16 {
        let leg = |leg: &[Self]| {
            let (from, to) = (leg[0], leg[1]);
            from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))
        };
        5 * path.windows(2).map(leg).sum::<u16>()
    }

    /// The cell as level files write it: `(3, 4)`. Orders and the command line write `3,4`, which
    /// is its [`Display`](fmt::Display).
    pub fn in_file(self) -> String {
        format!("({}, {})", self.x, self.y)
    }

    /// A list of cells as level files write it: `[(3, 4), (3, 5)]`.
    pub fn list_in_file(cells: &[Self]) -> String {
        let all: Vec<String> = cells.iter().map(|cell| cell.in_file()).collect();
        format!("[{}]", all.join(", "))
    }

    /// The opposite direction. Both are indices into [`Self::DIRECTIONS`].
    pub const fn opposite(direction: usize) -> usize {
        direction / 4 * 4 + (direction + 2) % 4
    }

    /// The cell `dx` columns east and `dy` rows south of this one.
    #[inline]
    pub const fn offset(self, dx: i16, dy: i16) -> Self {
        Self {
            x: self.x.saturating_add(dx),
            y: self.y.saturating_add(dy),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The error for a text that is not two whole numbers with a comma between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACell;

impl fmt::Display for NotACell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a cell: expected column,row such as 7,10")
    }
}

impl std::error::Error for NotACell {}

impl FromStr for Cell {
    type Err = NotACell;

    fn from_str(text: &str) -> Result<Self, NotACell> {
        let (x, y) = text.split_once(',').ok_or(NotACell)?;
        let number = |part: &str| part.trim().parse().map_err(|_| NotACell);
        Ok(Self {
            x: number(x)?,
            y: number(y)?,
        })
    }
}

/// The cells that a body occupies: `size` by `size`, and as many cells high (GR-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Space {
    /// Its north-west cell.
    pub at: Cell,
    /// Cells along a side: 1 for a body of ordinary size. 0 counts as 1.
    pub size: u8,
}

impl Space {
    /// The space of `size` by `size` cells whose north-west cell is `at`.
    #[inline]
    pub const fn new(at: Cell, size: u8) -> Self {
        Self { at, size }
    }

    /// The space of a body of ordinary size.
    #[inline]
    pub const fn one(at: Cell) -> Self {
        Self { at, size: 1 }
    }

    /// Cells along a side, at least 1.
    #[inline]
    pub fn side(self) -> i16 {
        i16::from(self.size.max(1))
    }

    /// The cells of the space, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let side = self.side();
        (0..side).flat_map(move |dy| (0..side).map(move |dx| self.at.offset(dx, dy)))
    }

    /// The cells of the space, and all cells up to `cells` columns or rows away.
    pub fn and_around(self, cells: u16) -> impl Iterator<Item = Cell> {
        let far = i16::try_from(cells).unwrap_or(i16::MAX / 4);
        let span = -far..self.side() + far;
        span.clone()
            .flat_map(move |dy| span.clone().map(move |dx| self.at.offset(dx, dy)))
    }

    /// The cell of the space that is nearest to `from`.
    pub fn nearest(self, from: Cell) -> Cell {
        let end = self.side() - 1;
        let clamp = |v: i16, low: i16| v.clamp(low, low + end);
        Cell::new(clamp(from.x, self.at.x), clamp(from.y, self.at.y))
    }

    /// Whether `cell` belongs to the space.
    pub fn contains(self, cell: Cell) -> bool {
        let inside = |at: i16, low: i16| {
            (0..i32::from(self.side())).contains(&(i32::from(at) - i32::from(low)))
        };
        inside(cell.x, self.at.x) && inside(cell.y, self.at.y)
    }

    /// Whether the two spaces share a cell.
    #[inline]
    pub fn overlaps(self, other: Space) -> bool {
        gap(self, other) == (0, 0)
    }
}

impl From<Cell> for Space {
    fn from(at: Cell) -> Self {
        Self::one(at)
    }
}

/// Columns and rows from one space to the nearest cell of the other: 0 if they share a column or
/// row, 1 if they are side by side.
#[inline]
pub(super) fn gap(a: Space, b: Space) -> (u16, u16) {
    let along = |a: i16, a_side: i16, b: i16, b_side: i16| {
        let (a, b) = (i32::from(a), i32::from(b));
        let past = (b - (a + i32::from(a_side) - 1)).max(a - (b + i32::from(b_side) - 1));
        past.max(0) as u16
    };
    (
        along(a.at.x, a.side(), b.at.x, b.side()),
        along(a.at.y, a.side(), b.at.y, b.side()),
    )
}
