//! Areas (GR-41), line of effect (PH-26) and concealment (PH-27).

use serde::{Deserialize, Serialize};

use super::{
    Block, Board, Cell, Space,
    board::corner,
    lines,
    segment::{crosses, meets},
    solid::{CELL, FOOT},
};

/// A point of the map in units of 1/20 ft: x east, y south, z above height 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Point(pub [i32; 3]);

impl Point {
    fn to(self, other: Point) -> [i128; 3] {
        std::array::from_fn(|k| i128::from(other.0[k]) - i128::from(self.0[k]))
    }
}

/// The shape of an area around or from its origin; lengths in feet (GR-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All points within a radius.
    Blast(u16),
    /// Towards a point, with this length. Its width at any distance equals that distance.
    Cone(Point, u16),
    /// Towards a point, with this length and 5 ft wide.
    Line(Point, u16),
}

impl Shape {
    /// Whether a point lies in the shape.
    fn holds(self, origin: Point, point: Point) -> bool {
        let way = origin.to(point);
        let feet = |n: u16| i128::from(n) * i128::from(FOOT);
        let half = i128::from(CELL / 2);
        let within = |reach: i128| way.iter().all(|v| v.abs() <= reach);
        match self {
            Self::Blast(radius) => {
                let radius = feet(radius);
                within(radius) && dot(way, way) <= radius * radius
            }
            Self::Cone(towards, length) => {
                let (axis, length) = (origin.to(towards), feet(length));
                let (ahead, aside) = (dot(way, axis), cross(way, axis));
                within(length)
                    && ahead > 0
                    && 4 * dot(aside, aside) <= ahead * ahead
                    && dot(way, way) <= length * length
            }
            Self::Line(towards, length) => {
                let (axis, length) = (origin.to(towards), feet(length));
                let (ahead, aside) = (dot(way, axis), cross(way, axis));
                let square = dot(axis, axis);
                within(length + half)
                    && ahead > 0
                    && ahead * ahead <= length * length * square
                    && dot(aside, aside) <= half * half * square
            }
        }
    }
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

impl Board {
    /// The centre of a body's cube. `None` off the map.
    pub fn centre(&self, space: Space) -> Option<Point> {
        Some(Point(self.cube(space)?.middle()))
    }

    /// The cells of a blast: within a radius in feet of its origin (GR-41).
    pub fn blast(&self, origin: Point, radius: u16) -> Vec<Cell> {
        self.area(origin, Shape::Blast(radius))
    }

    /// The cells of a cone: within `length` feet of its origin. Its width at any distance equals
    /// that distance (GR-41).
    pub fn cone(&self, origin: Point, towards: Point, length: u16) -> Vec<Cell> {
        self.area(origin, Shape::Cone(towards, length))
    }

    /// The cells of a line 5 ft wide and `length` feet long (GR-41).
    pub fn line(&self, origin: Point, towards: Point, length: u16) -> Vec<Cell> {
        self.area(origin, Shape::Line(towards, length))
    }

    /// The cells that an area covers, row by row (GR-41).
    pub fn area(&self, origin: Point, shape: Shape) -> Vec<Cell> {
        let covered = |cell: &Cell| self.is_covered(origin, shape, *cell);
        self.cells().filter(covered).collect()
    }

    /// Whether an area covers a cell: the cell's centre lies in the shape, and a free line leads
    /// from some point of the cell to the origin (GR-41).
    pub fn is_covered(&self, origin: Point, shape: Shape, cell: Cell) -> bool {
        let Some(centre) = self.centre(cell.into()) else {
            return false;
        };
        shape.holds(origin, centre) && self.has_effect(origin, cell)
    }

    /// Whether a free line leads from a point to some point of a cell's cube.
    fn has_effect(&self, origin: Point, cell: Cell) -> bool {
        let Some(cube) = self.cube(cell.into()) else {
            return false;
        };
        let point = Block::new(origin.0, origin.0);
        let (_, solids) = self.solids_between(&cube, &point);
        self.can_stand(cell.into()) && lines::free_segment_to(origin.0, &cube, &solids).is_ok()
    }

    /// Whether an effect can pass from one body to another: along a straight line with an opening
    /// of at least 1 ft by 1 ft, and with at most half of the target behind cover (PH-26).
    pub fn line_of_effect(&self, a: Space, b: Space) -> bool {
        self.has_opening(a, b) && self.unseen_share(a, b) <= 50
    }

    /// Whether a cube of 1 ft can slide along a straight line from one body's cube to the
    /// other's. An opening of exactly 1 ft is enough.
    pub fn has_opening(&self, a: Space, b: Space) -> bool {
        let (Some(a), Some(b)) = (self.cube(a), self.cube(b)) else {
            return false;
        };
        // In half units, the cube is 40 wide. A line that touches a solid is blocked, so the
        // solids grow by 38 only: the cube then fits an opening of exactly 40, and none smaller,
        // because all sizes are even.
        let half = FOOT - 1;
        let grown = |block: &Block, by: i32| Block {
            min: block.min.map(|v| 2 * v - by),
            max: block.max.map(|v| 2 * v + by),
        };
        let (_, solids) = self.solids_between(&a, &b);
        let solids: Vec<Block> = solids.iter().map(|solid| grown(solid, half)).collect();
        let (a, b) = (grown(&a, -half), grown(&b, -half));
        !a.clip(&b).is_flat() || lines::free_segment(&a, &b, &solids).is_ok()
    }

    /// How much of a target fog or darkness hides, in percent (PH-27): the most of all cells that
    /// the straight line between the centres crosses, seen from above, including the target's
    /// cells but not the attacker's. 0 off the map.
    pub fn concealment(&self, a: Space, b: Space) -> u8 {
        if self.is_clear() {
            return 0;
        }
        let (Some(from), Some(to)) = (self.centre(a), self.centre(b)) else {
            return 0;
        };
        // A flat problem: every cell is a box around height 0.
        let [from, to] = [from, to].map(|Point([x, y, _])| [x, y, 0]);
        let on_line = |cell: &Cell| {
            let [x, y, _] = corner(*cell);
            crosses(&Block::new([x, y, -1], [x + CELL, y + CELL, 1]), from, to)
        };
        let low = Cell::new(a.at.x.min(b.at.x), a.at.y.min(b.at.y));
        let high = |a: i16, a_side: i16, b: i16, b_side: i16| (a + a_side).max(b + b_side);
        let across = low.x..high(a.at.x, a.side(), b.at.x, b.side());
        let down = low.y..high(a.at.y, a.side(), b.at.y, b.side());
        let cells = down.flat_map(|y| across.clone().map(move |x| Cell::new(x, y)));
        let crossed =
            cells.filter(|cell| !a.contains(*cell) && (b.contains(*cell) || on_line(cell)));
        crossed.map(|cell| self.fog(cell)).max().unwrap_or(0)
    }

    /// Computes what [`unseen_share`](Self::unseen_share) caches.
    pub(super) fn unseen_share_uncached(&self, a: Space, b: Space) -> u8 {
        let (Some(from), Some(eye), Some(cube)) = (self.cube(a), self.centre(a), self.cube(b))
        else {
            return 100;
        };
        let (_, solids) = self.solids_between(&from, &cube);
        let step = (cube.max[0] - cube.min[0]) / 10;
        let at = |i: i32, k: usize| cube.min[k] + (2 * i + 1) * step;
        let points = (0..125).map(|i| [at(i % 5, 0), at(i / 5 % 5, 1), at(i / 25, 2)]);
        let hidden = points
            .filter(|point| solids.iter().any(|solid| meets(solid, eye.0, *point)))
            .count();
        (hidden * 100 / 125) as u8
    }
}
