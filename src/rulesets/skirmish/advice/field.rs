//! How far it is from everywhere to the foes, or to where somebody is sent.

use super::Mind;
use crate::grid::{Cell, Space};

impl Mind<'_, '_, '_> {
    /// A number that changes when a foe or a door moves (FNV-1a).
    pub(super) fn where_foes_are(&self) -> u64 {
        let board = &self.sk.view.board;
        let cells = self.dangers.iter().map(|d| (d.space.at, true));
        let doors = board.doors().map(|c| (c, board.door(c) == Some(true)));
        cells
            .chain(doors)
            .fold(0xcbf2_9ce4_8422_2325, |hash, (cell, flag)| {
                let bits = u64::from(cell.x as u16) << 24
                    | u64::from(cell.y as u16) << 8
                    | u64::from(flag);
                (hash ^ bits).wrapping_mul(0x0100_0000_01b3)
            })
    }

    /// Steps from every cell to the nearest of `goals`, creatures aside; a shut
    /// door counts as three steps more.
    pub(super) fn distances(&self, goals: impl Iterator<Item = Cell>) -> Vec<u16> {
        /// What it costs to enter each cell, and how high one stands there.
        const WALL: u16 = u16::MAX;
        let board = &self.sk.view.board;
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
                let n = self.index(cell);
                if steps[n] <= ring {
                    continue;
                }
                steps[n] = ring;
                idle = 0;
                for to in cell.neighbours().filter(|&c| board.contains(c)) {
                    let (cost, height) = ground[self.index(to)];
                    let flat = (height - ground[n].1).abs() <= 5.0;
                    if cost != WALL && flat && steps[self.index(to)] > ring + cost {
                        rings[usize::from(ring + cost) % 5].push(to);
                    }
                }
            }
            ring += 1;
        }
        steps
    }
}
