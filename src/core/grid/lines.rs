//! Exact search for free lines among boxes. Line of sight, cover and line of effect all use it.
//!
//! Consider lines that ascend along all three axes (the other directions are mirrored to this
//! case). Such a line crosses the plane `k = v` at the time `v * u[k] - w[k]`, where `u[k] > 0`
//! is the inverse of its speed along axis `k`. It meets a box if it enters the box along every
//! axis before it leaves it along any:
//!
//! ```text
//! min[j] * u[j] - w[j]  <=  max[k] * u[k] - w[k]      for all axes j != k
//! ```
//!
//! All six inequalities are linear in `(u, w)`, so the lines that meet a box form a convex cone
//! with six sides. "Does some line from A to B miss all solids?" is then the question whether a
//! union of closed convex cones covers an open one. The answer is found with integers by cutting:
//! while some solid contains a line of the set, the set is split along that solid's sides and the
//! part inside is dropped. The set is open and never empty, so a vertex strictly on one side of a
//! cut proves that something is left there. The cut itself can be ignored, because free lines
//! form an open set.
//!
//! The method also works for lines in the plane, which are enough if every solid is as high as
//! both bodies together, and for the directions from one point. Both give cones in three
//! dimensions, which are polygons.

use super::Block;

/// A segment in units, as its start and end.
pub(super) type Segment = [[f64; 3]; 2];

/// A segment from the open box `a` to the open box `b` that meets none of the solids. If there is
/// none, the indices of solids that together block every segment.
///
/// The boxes must be apart or touch, and neither may overlap a solid.
pub(super) fn free_segment(a: &Block, b: &Block, solids: &[Block]) -> Result<Segment, Vec<usize>> {
    let mut blocking = vec![false; solids.len()];
    for mirror in Mirror::all() {
        let (a, b) = (mirror.block(a), mirror.block(b));
        // No segment in this direction leaves this box.
        let room = Block::new(a.min, b.max);
        if room.is_flat() {
            continue;
        }
        let obstacles = clipped(solids, &room, |solid| mirror.block(solid));
        let fills = |(_, solid): &(usize, Block)| {
            solid.min[2] == room.min[2] && solid.max[2] == room.max[2]
        };
        let found = if obstacles.iter().all(fills) {
            Polygon::lines_through(&a, &b)
                .and_then(|lines| {
                    lines.past(
                        &obstacles,
                        |solid| Polygon::lines_meeting(solid, a.min),
                        &mut blocking,
                    )
                })
                .map(|lines| lines.segment(&a, &b))
        } else {
            Lines::through(&a, &b)
                .and_then(|lines| {
                    lines.past(
                        &obstacles,
                        |solid| Lines::meeting(solid, a.min),
                        &mut blocking,
                    )
                })
                .map(|lines| lines.segment(&a, &b))
        };
        if let Some(segment) = found {
            return Ok(segment.map(|point| mirror.point(point)));
        }
    }
    Err(numbers(&blocking))
}

/// A point of the open box `a` from which a segment to `point` meets none of the solids before it
/// ends. If there is none, the indices of solids that together block every segment.
///
/// The box must not overlap a solid; the point can be anywhere.
pub(super) fn free_segment_to(
    point: [i32; 3],
    a: &Block,
    solids: &[Block],
) -> Result<[f64; 3], Vec<usize>> {
    let mut blocking = vec![false; solids.len()];
    let origin = point.map(|v| -v);
    for mirror in Mirror::all() {
        // The view from the point back to the box.
        let back = |block: &Block| mirror.block(&block.shifted(origin));
        let from = back(a).clip(&Block::new([0; 3], [i32::MAX; 3]));
        if from.is_flat() {
            continue;
        }
        let obstacles = clipped(solids, &Block::new([0; 3], from.max), back);
        let found = Polygon::rays_into(&from)
            .and_then(|rays| rays.past(&obstacles, Polygon::rays_meeting, &mut blocking));
        if let Some(rays) = found {
            let start = mirror.point(rays.point_in(&from));
            return Ok(std::array::from_fn(|k| start[k] + f64::from(point[k])));
        }
    }
    Err(numbers(&blocking))
}

/// The mirrored parts of the solids inside `room`, with their indices.
fn clipped(
    solids: &[Block],
    room: &Block,
    mirrored: impl Fn(&Block) -> Block,
) -> Vec<(usize, Block)> {
    let parts = solids
        .iter()
        .map(|solid| mirrored(solid).clip(room))
        .enumerate();
    parts.filter(|(_, solid)| !solid.is_flat()).collect()
}

fn numbers(marks: &[bool]) -> Vec<usize> {
    marks
        .iter()
        .enumerate()
        .filter(|(_, mark)| **mark)
        .map(|(number, _)| number)
        .collect()
}

/// An open convex cone, never empty, in `D` dimensions.
trait Cone<const D: usize>: Sized {
    /// Splits the cone into the part where a row is negative and the part where it is positive.
    fn split(self, row: &[i64; D]) -> (Option<Self>, Option<Self>);

    /// The edge rays of the cone.
    fn rays(&self) -> impl Iterator<Item = &[i64; D]>;

    /// A ray well inside the cone.
    fn middle(&self) -> Middle<D> {
        let mut exact = [0; D];
        for ray in self.rays() {
            // Scale all rays to about the same length.
            let longest = ray.iter().map(|v| v.unsigned_abs()).max().unwrap_or(1);
            let weight = i128::from((1 << 40) / longest.max(1)).max(1);
            for (sum, number) in exact.iter_mut().zip(ray) {
                *sum += weight * i128::from(*number);
            }
        }
        Middle {
            exact,
            near: exact.map(|v| v as f64),
        }
    }

    /// A part of the cone whose middle lies in no obstacle. A ray lies in an obstacle if none of
    /// the obstacle's rows is negative on it. Marks the obstacles that removed something in
    /// `blocking`.
    fn past<const N: usize>(
        self,
        obstacles: &[(usize, Block)],
        rows: impl Fn(&Block) -> [[i64; D]; N],
        blocking: &mut [bool],
    ) -> Option<Self> {
        let obstacles: Vec<_> = obstacles
            .iter()
            .map(|(number, solid)| (*number, rows(solid)))
            .collect();
        self.past_rows(&obstacles, blocking)
    }

    fn past_rows<const N: usize>(
        self,
        obstacles: &[(usize, [[i64; D]; N])],
        blocking: &mut [bool],
    ) -> Option<Self> {
        let middle = self.middle();
        let Some((number, rows)) = obstacles
            .iter()
            .find(|(_, rows)| rows.iter().all(|row| middle.is_in(row)))
        else {
            return Some(self);
        };
        blocking[*number] = true;
        let mut rest = self;
        for row in rows {
            let (outside, inside) = rest.split(row);
            if let Some(found) = outside.and_then(|cone| cone.past_rows(obstacles, blocking)) {
                return Some(found);
            }
            rest = inside?;
        }
        None
    }
}

/// A ray well inside a cone, exact and approximate.
struct Middle<const D: usize> {
    exact: [i128; D],
    near: [f64; D],
}

impl<const D: usize> Middle<D> {
    /// Whether the row is zero or positive on this ray.
    fn is_in(&self, row: &[i64; D]) -> bool {
        let (mut sum, mut size) = (0.0f64, 0.0f64);
        for (coefficient, near) in row.iter().zip(&self.near) {
            let term = *coefficient as f64 * near;
            sum += term;
            size += term.abs();
        }
        // The rounding error is far smaller than this.
        if sum.abs() > size * 1e-12 {
            return sum > 0.0;
        }
        (0..D)
            .map(|k| i128::from(row[k]) * self.exact[k])
            .sum::<i128>()
            >= 0
    }
}

fn height<const D: usize>(row: &[i64; D], ray: &[i64; D]) -> i64 {
    (0..D).map(|k| row[k] * ray[k]).sum()
}

/// The pairs of axes (j, k) whose entry and exit are compared.
const PAIRS: [(usize, usize); 6] = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)];

/// A set of lines that ascend along all axes, as the rays that span its cone. The dimensions are
/// `ux, uy, uz, wy, wz`; `wx` is 0, which fixes the time.
struct Lines {
    rays: Vec<Ray>,
    /// The number of sides so far.
    sides: u32,
}

#[derive(Clone, Copy)]
struct Ray {
    at: [i64; 5],
    /// The sides of the cone on which the ray lies, one bit each.
    on: u128,
}

impl Lines {
    /// The lines that meet both open boxes, relative to the lower corner of the first.
    fn through(a: &Block, b: &Block) -> Option<Self> {
        // The initial cone has five sides and five rays: u >= 0, and the line does not leave the
        // box `a` along x before it enters along y or z.
        let width = i64::from(a.max[0] - a.min[0]);
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
        let mut rows = [a, b]
            .into_iter()
            .flat_map(|block| Self::meeting(block, a.min));
        rows.try_fold(all, |lines, row| lines.split(&row).1)
    }

    /// The sides of the set of lines that meet a box.
    fn meeting(block: &Block, origin: [i32; 3]) -> [[i64; 5]; 6] {
        PAIRS.map(|(j, k)| {
            let mut row = [0; 5];
            row[k] = i64::from(block.max[k] - origin[k]);
            row[j] = -i64::from(block.min[j] - origin[j]);
            if k > 0 {
                row[2 + k] = -1;
            }
            if j > 0 {
                row[2 + j] = 1;
            }
            row
        })
    }

    /// The set's middle line, from `a` to `b`.
    fn segment(&self, a: &Block, b: &Block) -> Segment {
        let [ux, uy, uz, wy, wz] = self.middle().near;
        within([a, b], [ux, uy, uz], [0.0, wy, wz], 3)
    }

    /// Renumbers the sides and drops those that no longer bound the cone, before the bits run
    /// out.
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

impl Cone<5> for Lines {
    fn split(self, row: &[i64; 5]) -> (Option<Self>, Option<Self>) {
        let heights: Vec<i64> = self.rays.iter().map(|ray| height(row, &ray.at)).collect();
        if heights.iter().all(|h| *h >= 0) {
            return (None, Some(self));
        }
        if heights.iter().all(|h| *h <= 0) {
            return (Some(self), None);
        }
        let side = 1u128 << self.sides;
        let most = self.rays.len() + 8;
        let (mut below, mut above) = (Vec::with_capacity(most), Vec::with_capacity(most));
        for (ray, height) in self.rays.iter().zip(&heights) {
            match height.signum() {
                -1 => below.push(*ray),
                1 => above.push(*ray),
                _ => {
                    let ray = Ray {
                        on: ray.on | side,
                        ..*ray
                    };
                    below.push(ray);
                    above.push(ray);
                }
            }
        }
        for (i, high) in self
            .rays
            .iter()
            .enumerate()
            .filter(|(i, _)| heights[*i] > 0)
        {
            for (j, low) in self
                .rays
                .iter()
                .enumerate()
                .filter(|(j, _)| heights[*j] < 0)
            {
                let on = high.on & low.on;
                // An edge lies on at least three sides, and no third ray lies on all of them.
                let others = || {
                    self.rays
                        .iter()
                        .enumerate()
                        .filter(|(k, _)| *k != i && *k != j)
                };
                if on.count_ones() >= 3 && !others().any(|(_, ray)| ray.on & on == on) {
                    let at = between(&high.at, heights[i], &low.at, heights[j]);
                    let ray = Ray { at, on: on | side };
                    below.push(ray);
                    above.push(ray);
                }
            }
        }
        let lines = |rays| {
            Self {
                rays,
                sides: self.sides + 1,
            }
            .tidied()
        };
        (Some(lines(below)), Some(lines(above)))
    }

    fn rays(&self) -> impl Iterator<Item = &[i64; 5]> {
        self.rays.iter().map(|ray| &ray.at)
    }
}

/// Where the edge from `above` to `below` crosses height 0, in lowest terms.
fn between(above: &[i64; 5], high: i64, below: &[i64; 5], low: i64) -> [i64; 5] {
    let shared = gcd(high.unsigned_abs().into(), low.unsigned_abs().into()) as i64;
    let (high, low) = (i128::from(high / shared), i128::from(low / shared));
    let sum: [i128; 5] =
        std::array::from_fn(|i| high * i128::from(below[i]) - low * i128::from(above[i]));
    let shared = sum
        .iter()
        .fold(0, |shared, v| gcd(shared, v.unsigned_abs())) as i128;
    match shared {
        1 => sum.map(|v| v as i64),
        _ => sum.map(|v| (v / shared) as i64),
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(mut a), Ok(mut b)) = (u64::try_from(a), u64::try_from(b)) {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            return a.into();
        }
        (a, b) = (b, a % b);
    }
    a
}

/// A cone in three dimensions, as a polygon: each side, and the ray between it and the next.
///
/// It is either a set of lines in the plane, in the dimensions `ux, uy, wy`, or a set of
/// directions. Lines ascend along both axes, directions along all three.
struct Polygon(Vec<([i64; 3], [i64; 3])>);

impl Polygon {
    /// The lines that meet both open boxes as seen from above, relative to the lower corner of
    /// the first.
    fn lines_through(a: &Block, b: &Block) -> Option<Self> {
        let width = i64::from(a.max[0] - a.min[0]);
        let all = vec![
            ([1, 0, 0], [0, 0, 1]),
            ([0, 1, 0], [1, 0, -width]),
            ([width, 0, 1], [0, 1, 0]),
        ];
        let mut rows = [a, b]
            .into_iter()
            .flat_map(|block| Self::lines_meeting(block, a.min));
        rows.try_fold(Self(all), |lines, row| lines.split(&row).1)
    }

    /// The sides of the set of lines that meet a box as seen from above.
    fn lines_meeting(block: &Block, origin: [i32; 3]) -> [[i64; 3]; 2] {
        let [min, max] =
            [block.min, block.max].map(|end| [0, 1].map(|k| i64::from(end[k] - origin[k])));
        [[-min[0], max[1], -1], [max[0], -min[1], 1]]
    }

    /// The directions from the origin into an open box.
    fn rays_into(block: &Block) -> Option<Self> {
        let all = vec![
            ([1, 0, 0], [0, 0, 1]),
            ([0, 1, 0], [1, 0, 0]),
            ([0, 0, 1], [0, 1, 0]),
        ];
        Self::rays_meeting(block)
            .into_iter()
            .try_fold(Self(all), |rays, row| rays.split(&row).1)
    }

    /// The sides of the set of directions that meet a box.
    fn rays_meeting(block: &Block) -> [[i64; 3]; 6] {
        PAIRS.map(|(j, k)| {
            let mut row = [0; 3];
            row[j] = i64::from(block.max[k]);
            row[k] = -i64::from(block.min[j]);
            row
        })
    }

    /// The set's middle line, from `a` to `b`.
    fn segment(&self, a: &Block, b: &Block) -> Segment {
        let [ux, uy, wy] = self.middle().near;
        within([a, b], [ux, uy, 0.0], [0.0, wy, 0.0], 2)
    }

    /// The point of a box in the middle of a set of directions.
    fn point_in(&self, block: &Block) -> [f64; 3] {
        let way = self.middle().near;
        let enter = (0..3)
            .map(|k| f64::from(block.min[k]) / way[k])
            .fold(0.0, f64::max);
        let leave = (0..3)
            .map(|k| f64::from(block.max[k]) / way[k])
            .fold(f64::MAX, f64::min);
        way.map(|v| v * (enter + leave) / 2.0)
    }

    /// The part where a row is positive, given the row's value on each ray.
    fn half(&self, row: &[i64; 3], heights: &[i64]) -> Self {
        let count = self.0.len();
        let mut sides = Vec::with_capacity(count + 1);
        for (i, (side, end)) in self.0.iter().enumerate() {
            let start = (i + count - 1) % count;
            let (before, after) = (heights[start], heights[i]);
            if before <= 0 && after > 0 {
                let turn = if before < 0 {
                    cross(side, row)
                } else {
                    self.0[start].1
                };
                sides.push((*row, turn));
            }
            if before > 0 && after < 0 {
                sides.push((*side, cross(side, row)));
            } else if before > 0 || after > 0 {
                sides.push((*side, *end));
            }
        }
        Self(sides)
    }
}

impl Cone<3> for Polygon {
    fn split(self, row: &[i64; 3]) -> (Option<Self>, Option<Self>) {
        let heights: Vec<i64> = self.0.iter().map(|(_, ray)| height(row, ray)).collect();
        if heights.iter().all(|h| *h >= 0) {
            return (None, Some(self));
        }
        if heights.iter().all(|h| *h <= 0) {
            return (Some(self), None);
        }
        let above = self.half(row, &heights);
        let depths: Vec<i64> = heights.iter().map(|h| -h).collect();
        (Some(self.half(&row.map(|v| -v), &depths)), Some(above))
    }

    fn rays(&self) -> impl Iterator<Item = &[i64; 3]> {
        self.0.iter().map(|(_, ray)| ray)
    }
}

/// The common ray of two sides.
fn cross(a: &[i64; 3], b: &[i64; 3]) -> [i64; 3] {
    let ray = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ];
    // The first two numbers of a ray are never negative.
    let is_opposite = ray[0] < 0 || ray[1] < 0 || ray[0] == 0 && ray[1] == 0 && ray[2] < 0;
    if is_opposite { ray.map(|v| -v) } else { ray }
}

/// The segment of a line that crosses `k = v` at the time `v * u[k] - w[k]`, relative to the
/// lower corner of the first box. It connects the middles of the line's parts in the two boxes.
/// If `axes` is 2, its height is the middle of the room between the boxes.
fn within(boxes: [&Block; 2], u: [f64; 3], w: [f64; 3], axes: usize) -> Segment {
    let origin = boxes[0].min;
    boxes.map(|block| {
        let time = |v: i32, k: usize| f64::from(v - origin[k]) * u[k] - w[k];
        let enter = (0..axes)
            .map(|k| time(block.min[k], k))
            .fold(f64::MIN, f64::max);
        let leave = (0..axes)
            .map(|k| time(block.max[k], k))
            .fold(f64::MAX, f64::min);
        let time = (enter + leave) / 2.0;
        std::array::from_fn(|k| match k < axes {
            true => f64::from(origin[k]) + (time + w[k]) / u[k],
            false => {
                f64::from(block.min[k].max(boxes[0].min[k]) + block.max[k].min(boxes[1].max[k]))
                    / 2.0
            }
        })
    })
}

/// The reversed axes, one bit each.
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
}
