//! Free lines among boxes, exactly: the one question behind line of sight,
//! cover and line of effect.
//!
//! Take lines that run up all three axes (the other directions are mirrored
//! into this one). Such a line passes the plane `k = v` at the time
//! `v * u[k] - w[k]`, where `u[k] > 0` is the inverse of its speed along axis
//! `k`. It meets a box when it has entered it along every axis before it has
//! left it along any:
//!
//! ```text
//! min[j] * u[j] - w[j]  <=  max[k] * u[k] - w[k]      for all axes j != k
//! ```
//!
//! All six are linear in `(u, w)`. So the lines that meet a box form a convex
//! cone with six sides, and "does some line from A to B miss all solids?" asks
//! whether a union of closed convex cones covers an open one. That is settled
//! in whole numbers by cutting: while some solid holds a line of the set, the
//! set is split along that solid's sides, and what lies inside is thrown away.
//! An open set is never empty here, so a vertex strictly on one side of a cut
//! proves that there is something left on that side; what lies in the cut
//! itself may be forgotten, for free lines form an open set.

use super::Block;

/// Lines that run up all axes, one number a row: coefficients of
/// `ux, uy, uz, wy, wz` (`wx` is 0, which fixes the clock).
type LineRow = [i64; 5];
/// Directions that run up all axes: coefficients of `dx, dy, dz`.
type RayRow = [i64; 3];

/// A segment in units: where it starts and where it ends.
pub(super) type Segment = [[f64; 3]; 2];

/// A segment from the open box `a` to the open box `b` that meets none of the
/// solids; or else the numbers of solids that together block every one.
///
/// The boxes must be apart or touch, and neither may overlap a solid.
pub(super) fn free_segment(a: &Block, b: &Block, solids: &[Block]) -> Result<Segment, Vec<usize>> {
    let mut blocking = vec![false; solids.len()];
    for mirror in Mirror::all() {
        let (a, b) = (mirror.block(a), mirror.block(b));
        // Beyond this box no segment in this direction goes.
        let room = Block::new(a.min, b.max);
        if room.is_flat() {
            continue;
        }
        let Some(lines) = Lines::through(&a, &b) else {
            continue;
        };
        let mut obstacles = vec![];
        for (number, solid) in solids.iter().enumerate() {
            let solid = mirror.block(solid).clip(&room);
            if !solid.is_flat() {
                obstacles.push((number, Lines::meeting(&solid.shifted(a.min.map(|v| -v)))));
            }
        }
        if let Some(found) = find_free(lines, &obstacles, &mut blocking) {
            return Ok(mirror.segment(found.segment(&a, &b)));
        }
    }
    Err(numbers(&blocking))
}

/// A point of the open box `a` from which a segment to `point` meets none of
/// the solids before it ends; or else the numbers of solids that together
/// block every one.
///
/// The box must not overlap a solid; the point may lie anywhere.
pub(super) fn free_segment_to(
    point: [i32; 3],
    a: &Block,
    solids: &[Block],
) -> Result<[f64; 3], Vec<usize>> {
    let mut blocking = vec![false; solids.len()];
    let origin = point.map(|v| -v);
    for mirror in Mirror::all() {
        // Looking back from the point.
        let ahead = |block: &Block, end: [i32; 3]| {
            mirror
                .block(&block.shifted(origin))
                .clip(&Block::new([0; 3], end))
        };
        let from = ahead(a, [i32::MAX; 3]);
        if from.is_flat() {
            continue;
        }
        let Some(rays) = Rays::into(&from) else {
            continue;
        };
        let mut obstacles = vec![];
        for (number, solid) in solids.iter().enumerate() {
            let solid = ahead(solid, from.max);
            if !solid.is_flat() {
                obstacles.push((number, Rays::meeting(&solid)));
            }
        }
        if let Some(found) = find_free(rays, &obstacles, &mut blocking) {
            let start = mirror.point(found.point_in(&from));
            return Ok(std::array::from_fn(|k| start[k] + f64::from(point[k])));
        }
    }
    Err(numbers(&blocking))
}

fn numbers(marks: &[bool]) -> Vec<usize> {
    marks
        .iter()
        .enumerate()
        .filter(|(_, mark)| **mark)
        .map(|(number, _)| number)
        .collect()
}

/// An open convex cone, never empty.
trait Cone: Sized {
    type Row: Copy;

    /// The part of it where the row is positive; none if there is none.
    fn cut(&self, row: Self::Row) -> Option<Self>;

    fn negative(row: Self::Row) -> Self::Row;

    /// A test of rows at some point within: whether the row is not negative.
    fn inside(&self) -> impl Fn(&Self::Row) -> bool;
}

/// A part of the cone that lies in no obstacle; an obstacle holds what its six
/// rows are not negative on. Marks the obstacles that took something away.
fn find_free<C: Cone>(
    cone: C,
    obstacles: &[(usize, [C::Row; 6])],
    blocking: &mut [bool],
) -> Option<C> {
    let holds = cone.inside();
    let blocked_by = obstacles.iter().find(|(_, rows)| rows.iter().all(&holds));
    drop(holds);
    let Some((number, rows)) = blocked_by else {
        return Some(cone);
    };
    blocking[*number] = true;
    let mut rest = cone;
    for row in rows {
        if let Some(outside) = rest.cut(C::negative(*row))
            && let Some(found) = find_free(outside, obstacles, blocking)
        {
            return Some(found);
        }
        rest = rest.cut(*row)?;
    }
    None
}

/// The pairs of axes (j, k) whose order of entering and leaving counts.
const PAIRS: [(usize, usize); 6] = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)];

/// A set of lines, as the rays that span its cone.
#[derive(Clone)]
struct Lines {
    rays: Vec<Ray>,
    /// Sides numbered so far.
    sides: u32,
}

#[derive(Clone)]
struct Ray {
    at: [i64; 5],
    /// The sides of the cone that it lies on, one bit each.
    on: u128,
}

impl Lines {
    /// The lines that run up all axes and meet both open boxes, measured from
    /// the first box's lower corner.
    fn through(a: &Block, b: &Block) -> Option<Self> {
        let origin = a.min.map(|v| -v);
        let (a, b) = (a.shifted(origin), b.shifted(origin));
        // To start with, five sides that make a cone with five rays:
        // u >= 0, and the box `a` is not left along x before it is entered
        // along y or z.
        let width = i64::from(a.max[0]);
        let starts = [
            [1, 0, 0, -width, -width],
            [0, 1, 0, 0, 0],
            [0, 0, 1, 0, 0],
            [0, 0, 0, 1, 0],
            [0, 0, 0, 0, 1],
        ];
        let ray = |(side, at): (usize, [i64; 5])| Ray {
            at,
            on: 0b11111 & !(1 << side),
        };
        let all = Self {
            rays: starts.into_iter().enumerate().map(ray).collect(),
            sides: 5,
        };
        let rows = Self::meeting(&a).into_iter().chain(Self::meeting(&b));
        rows.into_iter().try_fold(all, |lines, row| lines.cut(row))
    }

    /// The sides of the set of lines that meet a box.
    fn meeting(block: &Block) -> [LineRow; 6] {
        PAIRS.map(|(j, k)| {
            let mut row = [0; 5];
            row[k] = i64::from(block.max[k]);
            row[j] = -i64::from(block.min[j]);
            if k > 0 {
                row[2 + k] = -1;
            }
            if j > 0 {
                row[2 + j] = 1;
            }
            row
        })
    }

    /// A line well within the set.
    fn middle(&self) -> [i128; 5] {
        std::array::from_fn(|i| self.rays.iter().map(|ray| i128::from(ray.at[i])).sum())
    }

    /// Its middle line between its middle in `a` and its middle in `b`.
    fn segment(&self, a: &Block, b: &Block) -> Segment {
        let [ux, uy, uz, wy, wz] = self.middle().map(|v| v as f64);
        let (u, w) = ([ux, uy, uz], [0.0, wy, wz]);
        let within = |block: &Block| {
            let time = |v: i32, k: usize| f64::from(v - a.min[k]) * u[k] - w[k];
            let enter = (0..3)
                .map(|k| time(block.min[k], k))
                .fold(f64::MIN, f64::max);
            let leave = (0..3)
                .map(|k| time(block.max[k], k))
                .fold(f64::MAX, f64::min);
            let time = (enter + leave) / 2.0;
            std::array::from_fn(|k| f64::from(a.min[k]) + (time + w[k]) / u[k])
        };
        [within(a), within(b)]
    }
}

fn along(row: &LineRow, at: &[i64; 5]) -> i64 {
    (0..5).map(|i| row[i] * at[i]).sum()
}

impl Cone for Lines {
    type Row = LineRow;

    fn cut(&self, row: LineRow) -> Option<Self> {
        let heights: Vec<i64> = self.rays.iter().map(|ray| along(&row, &ray.at)).collect();
        if heights.iter().all(|h| *h <= 0) {
            return None;
        }
        if heights.iter().all(|h| *h >= 0) {
            return Some(self.clone());
        }
        let side = 1u128 << self.sides;
        let mut rays = vec![];
        for (ray, height) in self.rays.iter().zip(&heights) {
            if *height >= 0 {
                let on = if *height == 0 { ray.on | side } else { ray.on };
                rays.push(Ray { at: ray.at, on });
            }
        }
        for (i, above) in self
            .rays
            .iter()
            .enumerate()
            .filter(|(i, _)| heights[*i] > 0)
        {
            for (j, below) in self
                .rays
                .iter()
                .enumerate()
                .filter(|(j, _)| heights[*j] < 0)
            {
                let on = above.on & below.on;
                // An edge lies on at least three sides, and no third ray lies
                // on all of them.
                let is_edge = on.count_ones() >= 3
                    && !self
                        .rays
                        .iter()
                        .enumerate()
                        .any(|(l, ray)| l != i && l != j && ray.on & on == on);
                if is_edge {
                    let at = between(&above.at, heights[i], &below.at, heights[j]);
                    rays.push(Ray { at, on: on | side });
                }
            }
        }
        Some(
            Self {
                rays,
                sides: self.sides + 1,
            }
            .tidied(),
        )
    }

    fn negative(row: LineRow) -> LineRow {
        row.map(|v| -v)
    }

    fn inside(&self) -> impl Fn(&LineRow) -> bool {
        let middle = self.middle();
        move |row| (0..5).map(|i| i128::from(row[i]) * middle[i]).sum::<i128>() >= 0
    }
}

impl Lines {
    /// Numbers the sides anew, without those that no longer bound the cone,
    /// before the numbers run out.
    fn tidied(mut self) -> Self {
        if self.sides < 100 {
            return self;
        }
        let real = |side: &u32| {
            self.rays
                .iter()
                .filter(|ray| ray.on >> side & 1 == 1)
                .count()
                >= 4
        };
        let kept: Vec<u32> = (0..self.sides).filter(real).collect();
        for ray in &mut self.rays {
            let on = ray.on;
            ray.on = kept
                .iter()
                .enumerate()
                .map(|(new, old)| (on >> old & 1) << new)
                .sum();
        }
        self.sides = kept.len() as u32;
        self
    }
}

/// Where the edge from `above` to `below` passes height 0, in lowest terms.
fn between(above: &[i64; 5], high: i64, below: &[i64; 5], low: i64) -> [i64; 5] {
    let shared = gcd(high as u128, low.unsigned_abs() as u128) as i64;
    let (high, low) = (i128::from(high / shared), i128::from(low / shared));
    let sum: [i128; 5] =
        std::array::from_fn(|i| high * i128::from(below[i]) - low * i128::from(above[i]));
    let shared = sum
        .iter()
        .fold(0, |shared, v| gcd(shared, v.unsigned_abs())) as i128;
    sum.map(|v| (v / shared) as i64)
}

fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A set of directions from a point, as a polygon: each side and the ray
/// between it and the next.
#[derive(Clone)]
struct Rays {
    sides: Vec<(RayRow, RayRow)>,
}

impl Rays {
    /// The directions that run up all axes into an open box.
    fn into(block: &Block) -> Option<Self> {
        let all = Self {
            sides: vec![
                ([1, 0, 0], [0, 0, 1]),
                ([0, 1, 0], [1, 0, 0]),
                ([0, 0, 1], [0, 1, 0]),
            ],
        };
        Self::meeting(block)
            .into_iter()
            .try_fold(all, |rays, row| rays.cut(row))
    }

    /// The sides of the set of directions that meet a box.
    fn meeting(block: &Block) -> [RayRow; 6] {
        PAIRS.map(|(j, k)| {
            let mut row = [0; 3];
            row[j] = i64::from(block.max[k]);
            row[k] = -i64::from(block.min[j]);
            row
        })
    }

    fn middle(&self) -> [i128; 3] {
        std::array::from_fn(|i| self.sides.iter().map(|(_, ray)| i128::from(ray[i])).sum())
    }

    /// A point of the box in the middle direction.
    fn point_in(&self, block: &Block) -> [f64; 3] {
        let way = self.middle().map(|v| v as f64);
        let enter = (0..3)
            .map(|k| f64::from(block.min[k]) / way[k])
            .fold(0.0, f64::max);
        let leave = (0..3)
            .map(|k| f64::from(block.max[k]) / way[k])
            .fold(f64::MAX, f64::min);
        way.map(|v| v * (enter + leave) / 2.0)
    }
}

impl Cone for Rays {
    type Row = RayRow;

    fn cut(&self, row: RayRow) -> Option<Self> {
        let height = |ray: &RayRow| (0..3).map(|i| row[i] * ray[i]).sum::<i64>();
        let heights: Vec<i64> = self.sides.iter().map(|(_, ray)| height(ray)).collect();
        if heights.iter().all(|h| *h <= 0) {
            return None;
        }
        if heights.iter().all(|h| *h >= 0) {
            return Some(self.clone());
        }
        let count = self.sides.len();
        let mut sides = vec![];
        for i in 0..count {
            // The side `i` runs from the ray before it to its own.
            let (before, after) = (heights[(i + count - 1) % count], heights[i]);
            let (side, ray) = self.sides[i];
            if before > 0 && after < 0 {
                sides.push((side, cross(side, row)));
            } else if before <= 0 && after > 0 {
                // The cut itself comes in before this side.
                let turn = if before < 0 {
                    cross(side, row)
                } else {
                    self.sides[(i + count - 1) % count].1
                };
                sides.push((row, turn));
                sides.push((side, ray));
            } else if after > 0 || before > 0 {
                sides.push((side, ray));
            }
        }
        Some(Self { sides })
    }

    fn negative(row: RayRow) -> RayRow {
        row.map(|v| -v)
    }

    fn inside(&self) -> impl Fn(&RayRow) -> bool {
        let middle = self.middle();
        move |row| (0..3).map(|i| i128::from(row[i]) * middle[i]).sum::<i128>() >= 0
    }
}

/// The ray on both sides.
fn cross(a: RayRow, b: RayRow) -> RayRow {
    let ray = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ];
    if ray.iter().sum::<i64>() < 0 {
        ray.map(|v| -v)
    } else {
        ray
    }
}

/// Which axes are reversed, one bit each.
#[derive(Clone, Copy)]
struct Mirror(u8);

impl Mirror {
    fn all() -> impl Iterator<Item = Mirror> {
        (0..8).map(Mirror)
    }

    fn reverses(self, axis: usize) -> bool {
        self.0 >> axis & 1 == 1
    }

    fn block(self, block: &Block) -> Block {
        let mut mirrored = *block;
        for k in (0..3).filter(|k| self.reverses(*k)) {
            (mirrored.min[k], mirrored.max[k]) = (-block.max[k], -block.min[k]);
        }
        mirrored
    }

    fn point(self, point: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|k| {
            if self.reverses(k) {
                -point[k]
            } else {
                point[k]
            }
        })
    }

    fn segment(self, segment: Segment) -> Segment {
        segment.map(|point| self.point(point))
    }
}
