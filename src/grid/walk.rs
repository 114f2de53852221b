//! Walking: steps, paths and ranges (GR-30 to GR-33).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Board, Cell, Space,
    solid::{CELL, FOOT},
};

/// What a diagonal step costs (GR-31).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Diagonals {
    /// 5 ft, as any other.
    #[default]
    Five,
    /// 5 ft, but every second diagonal of a move 10 ft.
    FiveTen,
}

/// Who stands in a cell, as seen by the one who walks. The walker itself is
/// nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Occupant {
    /// Nobody.
    #[default]
    Nobody,
    /// Somebody who lets the walker pass, but not stop there (GR-03).
    Ally,
    /// Somebody who does not.
    Foe,
}

/// Why a step cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Why {
    /// It leads off the map.
    OffMap,
    /// It does not lead to a neighbouring cell.
    NotAdjacent,
    /// A wall or another solid is in the way.
    Wall,
    /// A diagonal step past the corner of a wall (GR-30).
    Corner,
    /// More than 5 ft up, with no climbable face (GR-32).
    TooHigh,
    /// A foe stands there (GR-03).
    Foe,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::OffMap => "off the map",
            Why::NotAdjacent => "not a neighbouring cell",
            Why::Wall => "a wall is in the way",
            Why::Corner => "cuts the corner of a wall",
            Why::TooHigh => "too high to step up",
            Why::Foe => "a foe stands there",
        })
    }
}

/// What one step costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StepCost {
    /// In feet.
    pub feet: u16,
    /// How far one falls, in feet; 0 for a drop of at most 10 ft or a climb.
    pub fall: u16,
    /// Whether it is diagonal, which [`Diagonals::FiveTen`] counts.
    pub diagonal: bool,
}

/// What a whole path costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// In feet.
    pub feet: u16,
    /// The foes whose reach it leaves, one bit each.
    pub provoked: u64,
    /// Its steps one by one, diagonals counted.
    pub steps: Vec<StepCost>,
}

/// The first step of a path that cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Misstep {
    /// Its number, from 0.
    pub step: usize,
    /// What is wrong with it.
    pub why: Why,
}

impl fmt::Display for Misstep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step + 1, self.why)
    }
}

/// How a body walks: all that its steps depend on. Places are north-west cells
/// of its space.
#[derive(Clone, Copy)]
pub struct Walk<'a> {
    /// The map.
    pub board: &'a Board,
    /// Cells along the body's side.
    pub size: u8,
    /// What diagonals cost.
    pub diagonals: Diagonals,
    /// Multiplies every cost: 2 while prone, else 1.
    pub slow: u8,
    /// Who stands in a cell.
    pub standing: &'a dyn Fn(Cell) -> Occupant,
    /// The foes whose reach a step leaves (from, to), one bit each.
    pub provokes: &'a dyn Fn(Cell, Cell) -> u64,
}

impl Walk<'_> {
    /// What a step costs, as the first diagonal of a move if it is one, or why
    /// it cannot be taken.
    pub fn step(&self, from: Cell, to: Cell) -> Result<StepCost, Why> {
        let stride = self.board.stride(from, to, self.size)?;
        let space = Space::new(to, self.size);
        if space
            .cells()
            .any(|cell| (self.standing)(cell) == Occupant::Foe)
        {
            return Err(Why::Foe);
        }
        Ok(StepCost {
            feet: stride.feet.saturating_mul(self.slow.max(1).into()),
            ..stride
        })
    }

    /// As [`step`](Self::step), after an odd or even number of diagonals of the
    /// same move (GR-31).
    pub fn step_in_move(&self, from: Cell, to: Cell, odd: bool) -> Result<StepCost, Why> {
        let step = self.step(from, to)?;
        let (feet, _) = self.counted(step, odd);
        Ok(StepCost { feet, ..step })
    }

    /// Whether one may end a move there: nobody else stands in the space.
    pub fn may_stop(&self, at: Cell) -> bool {
        Space::new(at, self.size)
            .cells()
            .all(|cell| (self.standing)(cell) == Occupant::Nobody)
    }

    /// What a path laid by hand costs, its first cell being where one stands;
    /// or its first step that cannot be taken. It may lead over a ledge.
    pub fn price(&self, path: &[Cell]) -> Result<Price, Misstep> {
        let mut price = Price::default();
        let mut odd = false;
        for (number, pair) in path.windows(2).enumerate() {
            let step = self
                .step(pair[0], pair[1])
                .map_err(|why| Misstep { step: number, why })?;
            let (feet, next) = self.counted(step, odd);
            odd = next;
            price.feet = price.feet.saturating_add(feet);
            price.provoked |= (self.provokes)(pair[0], pair[1]);
            price.steps.push(StepCost { feet, ..step });
        }
        Ok(price)
    }

    /// The cheapest path, and among the cheapest one that provokes the fewest
    /// foes, from the cell one stands in to another, both included; none if
    /// there is no way without a fall.
    pub fn path(&self, from: Cell, to: Cell) -> Option<Vec<Cell>> {
        type Node = (Cell, bool, u64);
        let successors = |&(cell, odd, provoked): &Node| {
            let steps = cell.neighbours().filter_map(move |next| {
                let step = self.step(cell, next).ok().filter(|step| step.fall == 0)?;
                let (feet, odd) = self.counted(step, odd);
                let all = provoked | (self.provokes)(cell, next);
                Some((
                    (next, odd, all),
                    (u32::from(feet), (all & !provoked).count_ones()),
                ))
            });
            steps.collect::<Vec<_>>()
        };
        let start = (from, false, 0);
        let (path, _) = pathfinding::prelude::dijkstra(
            &start,
            |node| {
                successors(node)
                    .into_iter()
                    .map(|(node, (feet, foes))| (node, Cost { feet, foes }))
            },
            |(cell, ..)| *cell == to,
        )?;
        Some(path.into_iter().map(|(cell, ..)| cell).collect())
    }

    /// All that can be reached from a cell for at most `budget` feet, in one
    /// search.
    pub fn range(&self, from: Cell, budget: u16) -> Range {
        Range::search(self, from, budget)
    }

    /// A step's feet after an odd or even number of diagonals, and whether the
    /// number is odd after it.
    fn counted(&self, step: StepCost, odd: bool) -> (u16, bool) {
        match self.diagonals {
            Diagonals::FiveTen if step.diagonal => {
                (step.feet.saturating_mul(1 + u16::from(odd)), !odd)
            }
            _ => (step.feet, odd),
        }
    }
}

/// Feet first, then foes provoked.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    feet: u32,
    foes: u32,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            feet: self.feet + other.feet,
            foes: self.foes + other.foes,
        }
    }
}

impl pathfinding::num_traits::Zero for Cost {
    fn zero() -> Self {
        Self::default()
    }

    fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

impl Board {
    /// What a step would cost a body of some size if nobody stood in the way.
    fn stride(&self, from: Cell, to: Cell, size: u8) -> Result<StepCost, Why> {
        let (dx, dy) = (
            i32::from(to.x) - i32::from(from.x),
            i32::from(to.y) - i32::from(from.y),
        );
        if dx.abs().max(dy.abs()) != 1 {
            return Err(Why::NotAdjacent);
        }
        let [here, there] = [from, to].map(|cell| Space::new(cell, size));
        let (Some(start), Some(end)) = (self.cube(here), self.cube(there)) else {
            return Err(Why::OffMap);
        };
        let (low, high) = (start.min[2].min(end.min[2]), start.min[2].max(end.min[2]));
        let top = high + start.max[2] - start.min[2];
        // Up in the air over the lower place, then across.
        let lower = if start.min[2] < end.min[2] {
            here
        } else {
            there
        };
        let higher = if start.min[2] < end.min[2] {
            there
        } else {
            here
        };
        if !self.can_stand(there)
            || !self.is_free(lower, low, top)
            || !self.is_free(higher, high, top)
        {
            return Err(Why::Wall);
        }
        let diagonal = dx != 0 && dy != 0;
        if diagonal {
            let sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
            if sides
                .iter()
                .any(|side| !self.lets_by(Space::new(*side, size), high))
            {
                return Err(Why::Corner);
            }
        }
        let climb = high - low;
        let up = end.min[2] > start.min[2];
        // A face is climbed straight on, never slantwise.
        let has_face = !diagonal
            && here
                .cells()
                .chain(there.cells())
                .any(|cell| self.ground(cell).is_some_and(|ground| ground.climbable));
        let is_fall = !up && climb > 10 * FOOT && !has_face;
        let feet = if up && climb > 5 * FOOT || !up && climb > 10 * FOOT && has_face {
            if !has_face {
                return Err(Why::TooHigh);
            }
            // Half rate: two feet for each foot of height, in steps of 5 ft.
            5 * ((2 * climb + CELL - 1) / CELL).max(2)
        } else if up && climb > 5 * FOOT / 2 {
            10
        } else {
            5
        };
        let entered = there.cells().filter(|cell| !here.contains(*cell));
        let is_rough = entered
            .filter_map(|cell| self.ground(cell))
            .any(|ground| ground.rough || ground.water);
        Ok(StepCost {
            feet: u16::try_from(feet * if is_rough { 2 } else { 1 }).unwrap_or(u16::MAX),
            fall: if is_fall { (climb / FOOT) as u16 } else { 0 },
            diagonal,
        })
    }

    /// Whether a diagonal step at some height may pass over a space: nothing
    /// there rises more than a plain step above it.
    fn lets_by(&self, side: Space, height: i32) -> bool {
        self.cube(side).is_some_and(|cube| {
            let at = cube.min[2].max(height);
            at <= height + 5 * FOOT / 2 && self.is_free(side, at, at + cube.max[2] - cube.min[2])
        })
    }
}

/// All that a body can reach, from [`Walk::range`].
#[derive(Clone, Debug)]
pub struct Range {
    from: Cell,
    /// North-west cell of the part of the map that was searched, and its size.
    corner: Cell,
    width: usize,
    /// Places for each cell: two where diagonals are counted, else one.
    layers: usize,
    /// Best label of each cell, or [`NONE`].
    best: Vec<u32>,
    /// Feet by place.
    feet: Vec<u16>,
    labels: Vec<Label>,
    stops: Vec<bool>,
    /// Reached cells in the order in which they were first reached.
    order: Vec<Cell>,
}

/// A way to a place that may turn out best: none other to that place provokes
/// only some of the foes that this one does.
#[derive(Clone, Copy, Debug)]
struct Label {
    provoked: u64,
    place: u32,
    /// The label it comes from.
    before: u32,
    /// The next label of the same place.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// A cell within range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The cell.
    pub cell: Cell,
    /// What the way there costs.
    pub feet: u16,
    /// The foes whose reach it leaves, one bit each.
    pub provoked: u64,
    /// Whether one may end a move there.
    pub may_stop: bool,
}

impl Range {
    fn search(walk: &Walk, from: Cell, budget: u16) -> Self {
        let far = (budget / 5).min(Board::MAX_SIDE) as i16;
        let board = walk.board;
        let corner = Cell::new(
            from.x.saturating_sub(far).max(0),
            from.y.saturating_sub(far).max(0),
        );
        let last = Cell::new(
            from.x.saturating_add(far).min(board.width() as i16 - 1),
            from.y.saturating_add(far).min(board.height() as i16 - 1),
        );
        let span = |low: i16, high: i16| (i32::from(high) - i32::from(low) + 1).max(0) as usize;
        let (width, height) = (span(corner.x, last.x), span(corner.y, last.y));
        let layers = if walk.diagonals == Diagonals::FiveTen {
            2
        } else {
            1
        };
        let mut range = Range {
            from,
            corner,
            width,
            layers,
            best: vec![NONE; width * height],
            feet: vec![u16::MAX; width * height * layers],
            labels: vec![],
            stops: vec![false; width * height],
            order: vec![],
        };
        if board.contains(from) {
            range.flood(walk, budget);
        }
        range
    }

    fn flood(&mut self, walk: &Walk, budget: u16) {
        let mut heads = vec![NONE; self.feet.len()];
        // All costs are multiples of 5 ft: a queue for each.
        let mut queues = vec![vec![]; usize::from(budget / 5) + 1];
        let Some(start) = self.index(self.from) else {
            return;
        };
        let start = start * self.layers;
        self.feet[start] = 0;
        heads[start] = 0;
        self.labels.push(Label {
            provoked: 0,
            place: start as u32,
            before: NONE,
            next: NONE,
        });
        queues[0].push(start);
        for queue in 0..queues.len() {
            let feet = queue as u16 * 5;
            for place in std::mem::take(&mut queues[queue]) {
                if self.feet[place] != feet {
                    continue;
                }
                self.settle(walk, place, heads[place]);
                let (cell, odd) = (self.cell(place / self.layers), place % self.layers == 1);
                for next in cell.neighbours() {
                    let Some(index) = self.index(next) else {
                        continue;
                    };
                    let Ok(step) = walk.step(cell, next) else {
                        continue;
                    };
                    let (cost, odd) = walk.counted(step, odd);
                    let Some(feet) = feet.checked_add(cost).filter(|feet| *feet <= budget) else {
                        continue;
                    };
                    let there = index * self.layers + usize::from(odd);
                    if step.fall > 0 || feet > self.feet[there] {
                        continue;
                    }
                    if feet < self.feet[there] {
                        self.feet[there] = feet;
                        heads[there] = NONE;
                        queues[usize::from(feet / 5)].push(there);
                    }
                    let provoked = (walk.provokes)(cell, next);
                    let mut label = heads[place];
                    while label != NONE {
                        let Label {
                            provoked: before,
                            next,
                            ..
                        } = self.labels[label as usize];
                        self.add_label(&mut heads[there], there, before | provoked, label);
                        label = next;
                    }
                }
            }
        }
    }

    /// A place whose labels are all known: is it the best of its cell?
    fn settle(&mut self, walk: &Walk, place: usize, head: u32) {
        let index = place / self.layers;
        if self.best[index] == NONE {
            let cell = self.cell(index);
            self.order.push(cell);
            self.stops[index] = walk.may_stop(cell);
        }
        let rank = |range: &Self, label: u32| {
            let Label {
                provoked, place, ..
            } = range.labels[label as usize];
            (range.feet[place as usize], provoked.count_ones())
        };
        let mut label = head;
        while label != NONE {
            if self.best[index] == NONE || rank(self, label) < rank(self, self.best[index]) {
                self.best[index] = label;
            }
            label = self.labels[label as usize].next;
        }
    }

    /// Adds a way to a place unless a known one provokes no foe but some of
    /// its own; known ones that it beats so are dropped.
    fn add_label(&mut self, head: &mut u32, place: usize, provoked: u64, before: u32) {
        let mut label = *head;
        while label != NONE {
            let known = self.labels[label as usize];
            if known.provoked & !provoked == 0 {
                return;
            }
            label = known.next;
        }
        let mut kept = NONE;
        let mut label = *head;
        while label != NONE {
            let next = self.labels[label as usize].next;
            if provoked & !self.labels[label as usize].provoked != 0 {
                self.labels[label as usize].next = kept;
                kept = label;
            }
            label = next;
        }
        *head = self.labels.len() as u32;
        self.labels.push(Label {
            provoked,
            place: place as u32,
            before,
            next: kept,
        });
    }

    /// Where the walk starts.
    pub fn from(&self) -> Cell {
        self.from
    }

    /// The cells within range, nearest first in feet, the start among them.
    pub fn cells(&self) -> impl Iterator<Item = Reached> + '_ {
        self.order.iter().filter_map(|cell| self.get(*cell))
    }

    /// What it takes to reach a cell; none beyond range.
    pub fn get(&self, cell: Cell) -> Option<Reached> {
        let index = self.index(cell)?;
        let label = self.labels.get(self.best[index] as usize)?;
        Some(Reached {
            cell,
            feet: self.feet[label.place as usize],
            provoked: label.provoked,
            may_stop: self.stops[index],
        })
    }

    /// The way to a cell, from the start to the cell itself; empty beyond
    /// range.
    pub fn path(&self, cell: Cell) -> Vec<Cell> {
        let mut path = vec![];
        let mut label = self.index(cell).map_or(NONE, |index| self.best[index]);
        while let Some(Label { place, before, .. }) = self.labels.get(label as usize) {
            path.push(self.cell(*place as usize / self.layers));
            label = *before;
        }
        path.reverse();
        path
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let x = usize::try_from(i32::from(cell.x) - i32::from(self.corner.x)).ok()?;
        let y = usize::try_from(i32::from(cell.y) - i32::from(self.corner.y)).ok()?;
        let index = y * self.width + x;
        (x < self.width && index < self.best.len()).then_some(index)
    }

    fn cell(&self, index: usize) -> Cell {
        self.corner
            .offset((index % self.width) as i16, (index / self.width) as i16)
    }
}
