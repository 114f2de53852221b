//! Sight worked out again by another and slower method, to compare with.
//!
//! In the plane, free lines between two rectangles form open sets that are
//! bounded by lines through two corners. So it is enough to look once between
//! every two neighbouring directions from corner to corner, and there once
//! between every two neighbouring corners across: exact, in whole numbers.
//!
//! In space, the two bodies are halved again and again, until between two
//! parts one line is found to be free, or one solid is certain to stop all.

/// A closed rectangle: west, south, east, north ends.
pub type Rect = [i64; 4];
type Pair = [i64; 2];

fn corners(r: &Rect) -> [Pair; 4] {
    [[r[0], r[1]], [r[2], r[1]], [r[2], r[3]], [r[0], r[3]]]
}

fn cross(a: Pair, b: Pair) -> i64 {
    a[0] * b[1] - a[1] * b[0]
}

/// A direction between every two neighbouring ones of these and their
/// opposites, all the way round.
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
            // Opposite neighbours leave half a turn between them.
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

/// When the line along `way` with offset `off / 2` across it enters and leaves
/// a rectangle; none where it passes by.
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

/// Whether some point of the open rectangle `a` sees some of `b` past closed
/// solids.
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

/// Whether some point of the open rectangle `a` sees a point past closed
/// solids; the line may end on one.
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

    /// Its longest side.
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

    /// Whether it is certain to stop all lines from `a` to `b`: they all cross
    /// a plane within it, and all that they can cross there is its own.
    fn stops_all(&self, a: &Space, b: &Space) -> bool {
        (0..3).any(|k| {
            [0.001, 0.5, 0.999].into_iter().any(|share| {
                let plane = self.min[k] + (self.max[k] - self.min[k]) * share;
                let ahead = a.max[k] < plane && plane < b.min[k];
                if !ahead && !(b.max[k] < plane && plane < a.min[k]) {
                    return false;
                }
                let time = |from: f64, to: f64| (plane - from) / (to - from);
                let ends = |space: &Space, k: usize| [space.min[k], space.max[k]];
                let times: Vec<f64> = ends(a, k)
                    .into_iter()
                    .flat_map(|from| ends(b, k).map(|to| time(from, to)))
                    .collect();
                (0..3).filter(|j| *j != k).all(|j| {
                    ends(a, j).into_iter().all(|from| {
                        ends(b, j).into_iter().all(|to| {
                            times.iter().all(|t| {
                                let at = from + (to - from) * t;
                                self.min[j] <= at && at <= self.max[j]
                            })
                        })
                    })
                })
            })
        })
    }
}

/// Whether solids stop all lines from one box to another; none if that is too
/// fine to tell.
pub fn is_stopped(a: &Space, b: &Space, solids: &[Space]) -> Option<bool> {
    let mut left = vec![(*a, *b)];
    for _ in 0..6_000 {
        let Some((a, b)) = left.pop() else {
            return Some(true);
        };
        if solids.iter().any(|solid| solid.stops_all(&a, &b)) {
            continue;
        }
        let (from, to) = (a.middle(), b.middle());
        if !solids.iter().any(|solid| solid.is_met(from, to)) {
            return Some(false);
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

/// Whether, of many lines from a box to a point, some meets no solid before it
/// ends.
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
