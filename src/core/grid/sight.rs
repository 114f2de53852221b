//! Line of sight and cover (GR-10 to GR-23).

use serde::{Deserialize, Serialize};

use super::{
    Block, Board, Cell, Space,
    board::earth,
    lines::{self, Segment},
    segment::{meets, meets_before_end},
    solid::{CELL, FOOT, feet},
};

file_words! {
    /// How much of a target the attacker does not see (GR-21).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum Cover {
        /// All eight corners are visible.
        None,
        /// Some corners are visible.
        Half,
        /// No corner is visible, but there is line of sight.
        Full,
    }
}

/// What one body sees of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sight {
    /// Whether there is line of sight. It is the same in both directions (GR-10).
    pub los: bool,
    /// The target's cover. `None` without line of sight.
    pub cover: Option<Cover>,
    /// How many of the target's eight corners are visible (GR-20); 0 without line of sight.
    pub corners: u8,
}

impl Sight {
    /// No line of sight.
    pub const NONE: Sight = Sight {
        los: false,
        cover: None,
        corners: 0,
    };

    /// Line of sight, with this many of eight corners visible.
    pub const fn seen(corners: u8) -> Self {
        let cover = match corners {
            0 => Cover::Full,
            1..=7 => Cover::Half,
            _ => Cover::None,
        };
        Sight {
            los: true,
            cover: Some(cover),
            corners,
        }
    }
}

/// Why a body sees another or does not (GR-13). Points are in feet: x east, y south, z above
/// height 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// The result.
    pub sight: Sight,
    /// With line of sight, a segment from one body to the other that meets no solid.
    pub clear: Option<[[f64; 3]; 2]>,
    /// The target's eight corners, and whether each is visible. x changes fastest, then y; the
    /// lower four first.
    pub corners: Vec<([f64; 3], bool)>,
    /// Without line of sight, solids that together block every line. With it, solids that
    /// together hide the invisible corners. None of them can be left out. Each comes with its
    /// cell.
    pub blocking: Vec<(Cell, Block)>,
}

impl Board {
    /// Like [`Self::sight`], but computed without the cache.
    pub fn sight_uncached(&self, a: Space, b: Space) -> Sight {
        let Some(scene) = Scene::between(self, a, b) else {
            return Sight::NONE;
        };
        if scene.line().is_err() {
            return Sight::NONE;
        }
        let corners = scene.b.corners().into_iter();
        let seen = corners.filter(|at| {
            scene.is_plain_corner(*at) || scene.corner_from(*at, &scene.solids).is_ok()
        });
        Sight::seen(seen.count() as u8)
    }

    /// A segment from `a` to `b` that meets no solid, in feet like [`Proof::clear`]; `None` without
    /// line of sight.
    pub fn clear_line(&self, a: Space, b: Space) -> Option<[[f64; 3]; 2]> {
        let segment = Scene::between(self, a, b)?.line().ok()?;
        Some(in_feet(segment))
    }

    /// What `a` sees of `b`, and why.
    pub fn proof(&self, a: Space, b: Space) -> Proof {
        let nothing = Proof {
            sight: Sight::NONE,
            clear: None,
            corners: vec![],
            blocking: vec![],
        };
        let Some(scene) = Scene::between(self, a, b) else {
            return nothing;
        };
        let corners: Vec<_> = scene.corners().collect();
        let listed = |seen: bool| {
            corners
                .iter()
                .map(move |(at, hit)| (at.map(feet), seen && hit.is_ok()))
                .collect()
        };
        match scene.line() {
            Ok(segment) => {
                let mut hiding = vec![];
                for (at, seen) in &corners {
                    if let Err(solids) = seen {
                        hiding.extend(
                            scene.needed(solids, |solids| scene.corner_from(*at, solids).is_err()),
                        );
                    }
                }
                hiding.sort_unstable();
                hiding.dedup();
                let seen = corners.iter().filter(|(_, seen)| seen.is_ok()).count() as u8;
                Proof {
                    sight: Sight::seen(seen),
                    clear: Some(in_feet(segment)),
                    corners: listed(true),
                    blocking: scene.named(&hiding),
                }
            }
            Err(solids) => {
                let blocking = scene.needed(&solids, |solids| scene.line_past(solids).is_err());
                Proof {
                    corners: listed(false),
                    blocking: scene.named(&blocking),
                    ..nothing
                }
            }
        }
    }
}

fn in_feet(segment: Segment) -> [[f64; 3]; 2] {
    segment.map(|point| point.map(|v| v / f64::from(FOOT)))
}

/// Two bodies and the solids between them.
struct Scene {
    a: Block,
    b: Block,
    /// The parts of `a` and `b` that no solid fills: all of a body that can stand where it is.
    a_parts: Vec<Block>,
    b_parts: Vec<Block>,
    cells: Vec<Cell>,
    solids: Vec<Block>,
}

impl Scene {
    fn between(board: &Board, a: Space, b: Space) -> Option<Self> {
        let (a, b) = (board.cube(a)?, board.cube(b)?);
        let (cells, solids) = board.solids_between(&a, &b);
        let parts = |cube: &Block| {
            let inside = solids.iter().filter(|solid| !solid.clip(cube).is_flat());
            inside.fold(vec![*cube], |parts, solid| {
                parts.iter().flat_map(|part| without(part, solid)).collect()
            })
        };
        Some(Self {
            a_parts: parts(&a),
            b_parts: parts(&b),
            a,
            b,
            cells,
            solids,
        })
    }

    fn line(&self) -> Result<Segment, Vec<usize>> {
        if self.is_plain() {
            return Ok([&self.a, &self.b].map(|cube| cube.middle().map(f64::from)));
        }
        self.line_past(&self.solids)
    }

    fn line_past(&self, solids: &[Block]) -> Result<Segment, Vec<usize>> {
        let mut blocking: Vec<usize> = (0..solids.len())
            .filter(|i| {
                [&self.a, &self.b]
                    .iter()
                    .any(|cube| !solids[*i].clip(cube).is_flat())
            })
            .collect();
        for a in &self.a_parts {
            for b in &self.b_parts {
                let shared = a.clip(b);
                if !shared.is_flat() {
                    let middle =
                        std::array::from_fn(|k| f64::from(shared.min[k] + shared.max[k]) / 2.0);
                    return Ok([middle, middle]);
                }
                match lines::free_segment(a, b, solids) {
                    Ok(segment) => return Ok(segment),
                    Err(solids) => blocking.extend(solids),
                }
            }
        }
        blocking.sort_unstable();
        blocking.dedup();
        Err(blocking)
    }

    /// The corners of `b`, and for each whether `a` sees it.
    fn corners(&self) -> impl Iterator<Item = ([i32; 3], Result<[f64; 3], Vec<usize>>)> {
        self.b
            .corners()
            .into_iter()
            .map(|corner| (corner, self.corner_from(corner, &self.solids)))
    }

    /// Whether the line between the centres is free. This decides most pairs with line of sight.
    fn is_plain(&self) -> bool {
        let [from, to] = [&self.a, &self.b].map(Block::middle);
        !self.solids.iter().any(|solid| meets(solid, from, to))
    }

    /// Whether the centre of `a` sees a corner.
    fn is_plain_corner(&self, corner: [i32; 3]) -> bool {
        let from = self.a.middle();
        !self
            .solids
            .iter()
            .any(|solid| meets_before_end(solid, from, corner))
    }

    fn corner_from(&self, corner: [i32; 3], solids: &[Block]) -> Result<[f64; 3], Vec<usize>> {
        let mut blocking = vec![];
        for a in &self.a_parts {
            match lines::free_segment_to(corner, a, solids) {
                Ok(start) => return Ok(start),
                Err(solids) => blocking.extend(solids),
            }
        }
        Err(blocking)
    }

    /// A minimal subset of the solids that still blocks.
    fn needed(&self, solids: &[usize], blocks: impl Fn(&[Block]) -> bool) -> Vec<usize> {
        let mut kept = solids.to_vec();
        kept.sort_unstable();
        kept.dedup();
        for solid in kept.clone() {
            let without: Vec<usize> = kept
                .iter()
                .copied()
                .filter(|other| *other != solid)
                .collect();
            let boxes: Vec<Block> = without.iter().map(|i| self.solids[*i]).collect();
            if blocks(&boxes) {
                kept = without;
            }
        }
        kept
    }

    fn named(&self, solids: &[usize]) -> Vec<(Cell, Block)> {
        solids
            .iter()
            .map(|i| (self.cells[*i], self.solids[*i]))
            .collect()
    }
}

/// The part of a box outside a solid, as boxes.
fn without(block: &Block, solid: &Block) -> Vec<Block> {
    if block.clip(solid).is_flat() {
        return vec![*block];
    }
    let mut rest = *block;
    let mut parts = vec![];
    for k in 0..3 {
        if solid.min[k] > rest.min[k] {
            let mut part = rest;
            part.max[k] = solid.min[k];
            parts.push(part);
            rest.min[k] = solid.min[k];
        }
        if solid.max[k] < rest.max[k] {
            let mut part = rest;
            part.min[k] = solid.max[k];
            parts.push(part);
            rest.max[k] = solid.max[k];
        }
    }
    parts
}

impl Board {
    /// The solids that can stand between two boxes, and the cell of each: those inside the bounding
    /// box of both, in cells near the line between them as seen from above.
    pub(super) fn solids_between(&self, a: &Block, b: &Block) -> (Vec<Cell>, Vec<Block>) {
        let room = Block::new(
            std::array::from_fn(|k| a.min[k].min(b.min[k])),
            std::array::from_fn(|k| a.max[k].max(b.max[k])),
        );
        // The direction across the line between the centres, in half units.
        let centre = |block: &Block, k: usize| i64::from(block.min[k] + block.max[k]);
        let across = [centre(a, 1) - centre(b, 1), centre(b, 0) - centre(a, 0)];
        let offset =
            |x: i64, y: i64| across[0] * (x - centre(a, 0)) + across[1] * (y - centre(a, 1));
        let reach = |block: &Block| {
            let side = |k: usize| across[k].abs() * i64::from(block.max[k] - block.min[k]);
            side(0) + side(1)
        };
        let widest = reach(a).max(reach(b)) + reach(&Block::new([0; 3], [CELL; 3]));
        let mut solids = (vec![], vec![]);
        let cells = |k: usize| room.min[k].div_euclid(CELL)..=(room.max[k] - 1).div_euclid(CELL);
        let middle = |v: i32| i64::from(v * 2 + 1) * i64::from(CELL);
        // The columns of a row that are near enough. If the line runs north to south, all or none
        // are.
        let columns = |y: i32| {
            let all = cells(0);
            if across[0] == 0 {
                return all;
            }
            let at = centre(a, 0) - across[1] * (middle(y) - centre(a, 1)) / across[0];
            let far = widest / across[0].abs() + 1;
            let column = |at: i64| at.div_euclid(2 * i64::from(CELL)) as i32;
            column(at - far).max(*all.start())..=column(at + far).min(*all.end())
        };
        for y in cells(1) {
            for x in columns(y) {
                let cell = Cell::new(x as i16, y as i16);
                let Some(data) = self
                    .cell_data(cell)
                    .filter(|_| offset(middle(x), middle(y)).abs() <= widest)
                else {
                    continue;
                };
                let all = data.blocks.iter().copied().chain([earth(cell, data.floor)]);
                let near = all.filter(|solid| !solid.clip(&room).is_flat());
                solids.extend(near.map(|solid| (cell, solid)));
            }
        }
        solids
    }
}
