//! How far it is from everywhere to somewhere, for those who choose a way.

use super::View;
use crate::grid::{Cell, Space};

/// Steps from every cell to the nearest of some goals, creatures aside.
#[derive(Clone, Debug)]
pub struct Field {
    width: usize,
    steps: Vec<u16>,
}

impl Field {
    /// `u16::MAX` where there is no way.
    pub fn steps(&self, from: Cell) -> u16 {
        let (Ok(x), Ok(y)) = (usize::try_from(from.x), usize::try_from(from.y)) else {
            return u16::MAX;
        };
        let at = (x < self.width).then(|| y * self.width + x);
        at.and_then(|n| self.steps.get(n))
            .copied()
            .unwrap_or(u16::MAX)
    }
}

impl View<'_, '_> {
    /// Steps from every cell to the nearest of `goals`; a shut door counts as
    /// three steps more.
    pub fn field(&self, goals: impl Iterator<Item = Cell>) -> Field {
        const WALL: u16 = u16::MAX;
        let board = &self.board;
        let width = usize::from(board.width());
        let index = |cell: Cell| cell.y as usize * width + cell.x as usize;
        // What it costs to enter each cell, and how high one stands there.
        let ground: Vec<(u16, f64)> = board
            .cells()
            .map(|c| match board.door(c) {
                Some(false) => (4, board.stand(c)),
                _ if board.can_stand(Space::one(c)) => (1, board.stand(c)),
                _ => (WALL, 0.0),
            })
            .collect();
        let mut steps = vec![u16::MAX; ground.len()];
        let mut rings: [Vec<Cell>; 5] = Default::default();
        rings[0].extend(goals.filter(|&c| board.contains(c)));
        let (mut ring, mut idle) = (0u16, 0);
        // Costs are 1 or 4: five rings in turn hold all that is open.
        while idle < rings.len() {
            idle += 1;
            for cell in std::mem::take(&mut rings[usize::from(ring) % 5]) {
                let n = index(cell);
                if steps[n] <= ring {
                    continue;
                }
                steps[n] = ring;
                idle = 0;
                for to in cell.neighbours().filter(|&c| board.contains(c)) {
                    let (cost, height) = ground[index(to)];
                    let flat = (height - ground[n].1).abs() <= 5.0;
                    if cost != WALL && flat && steps[index(to)] > ring + cost {
                        rings[usize::from(ring + cost) % 5].push(to);
                    }
                }
            }
            ring += 1;
        }
        Field { width, steps }
    }
}
