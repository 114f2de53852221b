//! Line of sight computed by different and slower methods, to compare with.
//!
//! In the plane, free lines between two rectangles form open sets bounded by lines through two
//! corners. It is enough to test one direction between every two neighbouring corner-to-corner
//! directions, and for each direction one offset between every two neighbouring corners. This is
//! exact, in whole numbers.
//!
//! In space, both bodies are halved repeatedly until one free line is found, or until every pair of
//! parts is certainly blocked at one plane that all its lines cross.

/// A closed rectangle: its west, south, east and north edges.
pub type Rect = [i64; 4];
type Pair = [i64; 2];

pub fn corners(r: &Rect) -> [Pair; 4] {
    [[r[0], r[1]], [r[2], r[1]], [r[2], r[3]], [r[0], r[3]]]
}

fn cross(a: Pair, b: Pair) -> i64 {
    a[0] * b[1] - a[1] * b[0]
}

/// One direction between every two neighbouring directions of the full circle; the opposite of each
/// given direction counts as well.
fn between(critical: impl Iterator<Item = Pair>) -> Vec<Pair> {
    let mut all: Vec<Pair> = vec![];
    for way in critical.filter(|way| *way != [0, 0]) {
        all.extend([way, [-way[0], -way[1]]]);
    }
    let upper = |v: &Pair| v[1] > 0 || v[1] == 0 && v[0] > 0;
    all.sort_by(|a, b| upper(b).cmp(&upper(a)).then(0.cmp(&cross(*a, *b))));
    all.dedup_by(|a, b| upper(a) == upper(b) && cross(*a, *b) == 0);
    (0..all.len())
        .map(|i| {
            let (a, b) = (all[i], all[(i + 1) % all.len()]);
            // Opposite neighbours are half a turn apart.
            if cross(a, b) == 0 {
                [-a[1], a[0]]
            } else {
                [a[0] + b[0], a[1] + b[1]]
            }
        })
        .collect()
}

/// A fraction with a positive denominator.
#[derive(Clone, Copy)]
struct Ratio(i128, i128);

impl Ratio {
    fn new(top: i128, bottom: i128) -> Self {
        if bottom < 0 {
            Ratio(-top, -bottom)
        } else {
            Ratio(top, bottom)
        }
    }

    fn less(self, other: Ratio) -> bool {
        self.0 * other.1 < other.0 * self.1
    }
}

/// The parameters at which the line along `way` with offset `off / 2` across it enters and leaves a
/// rectangle. `None` if the line misses it.
fn hit(r: &Rect, way: Pair, off: i64) -> Option<[Ratio; 2]> {
    // The line is `way * t + normal * off / (2 |way|^2)`, normal = (-wy, wx).
    let square = i128::from(way[0] * way[0] + way[1] * way[1]);
    let base = [
        -i128::from(way[1]) * i128::from(off),
        i128::from(way[0]) * i128::from(off),
    ];
    let mut times: Option<[Ratio; 2]> = None;
    for k in 0..2 {
        let at = |v: i64| {
            Ratio::new(
                i128::from(v) * 2 * square - base[k],
                i128::from(way[k]) * 2 * square,
            )
        };
        let inside = |v: i64| i128::from(v) * 2 * square - base[k];
        if way[k] == 0 {
            if inside(r[k]) > 0 || inside(r[k + 2]) < 0 {
                return None;
            }
            continue;
        }
        let (a, b) = (at(r[k]), at(r[k + 2]));
        let (enter, leave) = if a.less(b) { (a, b) } else { (b, a) };
        times = Some(match times {
            None => [enter, leave],
            Some([e, l]) => [
                if e.less(enter) { enter } else { e },
                if leave.less(l) { leave } else { l },
            ],
        });
    }
    times.filter(|[enter, leave]| !leave.less(*enter))
}

fn offset(way: Pair, point: Pair) -> i64 {
    2 * (way[0] * point[1] - way[1] * point[0])
}

/// Whether any point of the open rectangle `a` sees any point of `b` past closed solids.
pub fn sees(a: &Rect, b: &Rect, solids: &[Rect]) -> bool {
    let points: Vec<Pair> = [a, b].into_iter().chain(solids).flat_map(corners).collect();
    let pairs = points
        .iter()
        .flat_map(|p| points.iter().map(move |q| [q[0] - p[0], q[1] - p[1]]));
    between(pairs).into_iter().any(|way| {
        let mut across: Vec<i64> = points.iter().map(|p| offset(way, *p)).collect();
        across.sort_unstable();
        across.dedup();
        across.windows(2).any(|near| {
            let off = (near[0] + near[1]) / 2;
            let (Some(from), Some(to)) = (hit(a, way, off), hit(b, way, off)) else {
                return false;
            };
            from[0].less(to[0])
                && !solids.iter().any(|solid| {
                    hit(solid, way, off).is_some_and(|[t, _]| from[0].less(t) && t.less(to[0]))
                })
        })
    })
}

/// Whether any point of the open rectangle `a` sees a point past closed solids. The line may end on
/// a solid.
pub fn sees_point(a: &Rect, point: Pair, solids: &[Rect]) -> bool {
    let points = [a].into_iter().chain(solids).flat_map(corners);
    between(points.map(|p| [p[0] - point[0], p[1] - point[1]]))
        .into_iter()
        .any(|way| {
            let off = offset(way, point);
            let end = Ratio(
                i128::from(way[0] * point[0] + way[1] * point[1]),
                i128::from(way[0] * way[0] + way[1] * way[1]),
            );
            hit(a, way, off).is_some_and(|[enter, leave]| {
                let is_inside = enter.less(leave) && enter.less(end);
                is_inside
                    && !solids.iter().any(|solid| {
                        hit(solid, way, off).is_some_and(|[t, _]| enter.less(t) && t.less(end))
                    })
            })
        })
}

/// A box in space, in units.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    pub min: [f64; 3],
    pub max: [f64; 3],
}

impl Space {
    fn middle(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| (self.min[k] + self.max[k]) / 2.0)
    }

    /// The axis and the length of the longest side.
    fn side(&self) -> (usize, f64) {
        let sides = [0, 1, 2].map(|k| (k, self.max[k] - self.min[k]));
        sides.into_iter().fold(
            (0, 0.0),
            |most, side| if side.1 > most.1 { side } else { most },
        )
    }

    fn halves(&self, k: usize) -> [Self; 2] {
        let middle = self.middle()[k];
        let (mut low, mut high) = (*self, *self);
        (low.max[k], high.min[k]) = (middle, middle);
        [low, high]
    }

    fn is_met(&self, from: [f64; 3], to: [f64; 3]) -> bool {
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for k in 0..3 {
            let way = to[k] - from[k];
            if way == 0.0 {
                if from[k] < self.min[k] || from[k] > self.max[k] {
                    return false;
                }
                continue;
            }
            let (a, b) = ((self.min[k] - from[k]) / way, (self.max[k] - from[k]) / way);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter <= leave
    }

    /// The lower and upper bound on an axis.
    fn ends(&self, k: usize) -> [f64; 2] {
        [self.min[k], self.max[k]]
    }
}

/// A rectangle in a plane across an axis: the bounds on the other two axes.
type Pane = [[f64; 2]; 2];

/// The part of the plane where axis `k` is `plane` that lines from `a` to `b` can cross. `None`
/// unless all lines cross the plane.
fn pane(a: &Space, b: &Space, k: usize, plane: f64) -> Option<Pane> {
    let lies_between = |a: &Space, b: &Space| a.max[k] < plane && plane < b.min[k];
    if !lies_between(a, b) && !lies_between(b, a) {
        return None;
    }
    let both = |[low, high]: [f64; 2], [to_low, to_high]: [f64; 2]| {
        [
            (low, to_low),
            (low, to_high),
            (high, to_low),
            (high, to_high),
        ]
    };
    let times = both(a.ends(k), b.ends(k)).map(|(from, to)| (plane - from) / (to - from));
    Some([(k + 1) % 3, (k + 2) % 3].map(|j| {
        let ends = both(a.ends(j), b.ends(j));
        let crossed = ends
            .into_iter()
            .flat_map(|(from, to)| times.map(|t| from + (to - from) * t));
        crossed.fold([f64::MAX, f64::MIN], |[low, high], at| {
            [low.min(at), high.max(at)]
        })
    }))
}

/// The parts of `panes` outside `hole`.
fn beside(panes: Vec<Pane>, hole: Pane) -> Vec<Pane> {
    let mut left = vec![];
    for mut pane in panes {
        let is_apart = |j: usize| pane[j][1] <= hole[j][0] || hole[j][1] <= pane[j][0];
        if is_apart(0) || is_apart(1) {
            left.push(pane);
            continue;
        }
        for j in 0..2 {
            if pane[j][0] < hole[j][0] {
                let mut part = pane;
                part[j][1] = hole[j][0];
                left.push(part);
                pane[j][0] = hole[j][0];
            }
            if hole[j][1] < pane[j][1] {
                let mut part = pane;
                part[j][0] = hole[j][1];
                left.push(part);
                pane[j][1] = hole[j][1];
            }
        }
    }
    left
}

/// Whether solids certainly stop all lines from `a` to `b`: all lines cross one plane, and solids
/// fill the part of it that they can cross.
fn stop_all(a: &Space, b: &Space, met: &[&Space], solids: &[Space]) -> bool {
    met.iter().any(|solid| {
        (0..3).any(|k| {
            let [low, high] = solid.ends(k);
            [low + 0.1, (low + high) / 2.0, high - 0.1]
                .into_iter()
                .any(|plane| {
                    let Some(pane) = pane(a, b, k, plane) else {
                        return false;
                    };
                    let mut left = vec![pane];
                    for solid in solids
                        .iter()
                        .filter(|s| s.min[k] <= plane && plane <= s.max[k])
                    {
                        left = beside(left, [solid.ends((k + 1) % 3), solid.ends((k + 2) % 3)]);
                        if left.is_empty() {
                            return true;
                        }
                    }
                    false
                })
        })
    })
}

/// Whether solids stop all lines from one box to another. `None` if 3,000 subdivisions do not
/// decide it.
pub fn is_stopped(a: &Space, b: &Space, solids: &[Space]) -> Option<bool> {
    let mut left = vec![(*a, *b)];
    for _ in 0..3_000 {
        let Some((a, b)) = left.pop() else {
            return Some(true);
        };
        let (from, to) = (a.middle(), b.middle());
        let met: Vec<&Space> = solids.iter().filter(|s| s.is_met(from, to)).collect();
        if met.is_empty() {
            return Some(false);
        }
        if stop_all(&a, &b, &met, solids) {
            continue;
        }
        let ((k, mine), (j, theirs)) = (a.side(), b.side());
        if mine >= theirs {
            left.extend(a.halves(k).map(|half| (half, b)));
        } else {
            left.extend(b.halves(j).map(|half| (a, half)));
        }
    }
    None
}

/// Whether any of 729 sample lines from a box to a point hits no solid before its end.
pub fn some_line_to(a: &Space, point: [f64; 3], solids: &[Space]) -> bool {
    const LINES: i32 = 9;
    let share = |i: i32| (f64::from(i) + 0.5) / f64::from(LINES);
    (0..LINES.pow(3)).any(|i| {
        let shares = [i % LINES, i / LINES % LINES, i / LINES / LINES].map(share);
        let from = [0, 1, 2].map(|k| a.min[k] + (a.max[k] - a.min[k]) * shares[k]);
        let near = [0, 1, 2].map(|k| point[k] + (from[k] - point[k]) * 1e-4);
        !solids.iter().any(|solid| solid.is_met(from, near))
    })
}
