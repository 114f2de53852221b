//! What it is worth to stand somewhere, and how far it is to go.

use super::Evaluation;
use crate::{
    battle::{Id, sent_to},
    grid::{Cell, Cover, Space, cells_apart},
    levels::Goal,
};

impl Evaluation<'_, '_, '_> {
    /// What it can do from there next, less what may be done to it there, less
    /// the way that is left.
    pub(super) fn place(&self, at: Cell) -> i32 {
        let offense = self.offense(at);
        let danger = self.danger(at);
        let fear = if self.is_ward { danger } else { danger / 2 };
        offense / 2 - fear - self.way_to_go(at, offense)
    }

    /// Its side loses if it falls.
    pub(super) fn is_protected(&self) -> bool {
        let goals = self.se.view.level().objectives.iter();
        goals.map(|o| &o.goal).any(|goal| match goal {
            Goal::Protect(wards) => wards.iter().any(|&w| Id::from(w) == self.who),
            _ => false,
        })
    }

    /// Its side has only to be there still at the end: the foes must come.
    pub(super) fn only_holds_out(&self) -> bool {
        let side = self.se.body(self.who).side;
        let goals = self.se.view.level().objectives.iter();
        let mut own = goals.filter(|o| side == o.side.into()).peekable();
        let waits = |goal: &Goal| matches!(goal, Goal::Survive { .. } | Goal::Protect(_));
        own.peek().is_some() && own.all(|o| waits(&o.goal))
    }

    /// What the foes could do to it there with their next action.
    pub(super) fn danger(&self, at: Cell) -> i32 {
        let board = &self.se.view.board;
        let here = Space::new(at, self.se.body(self.who).size);
        let mut sum = 0;
        for foe in &self.dangers {
            let far = cells_apart(foe.space, here) * 5;
            // Who is in reach strikes; who is not has to charge.
            let melee = if far <= foe.reach {
                foe.melee
            } else if far <= foe.speed * 2 + foe.reach {
                foe.melee / 3
            } else {
                0
            };
            let mut ranged = 0;
            if foe.ranged > melee && far <= foe.range && far > 5 {
                let sight = board.sight(foe.space, here);
                ranged = match (sight.los, sight.cover) {
                    (false, _) => 0,
                    (_, Some(Cover::Half)) => foe.ranged * 7 / 10,
                    (_, Some(Cover::Full)) => foe.ranged * 4 / 10,
                    _ => foe.ranged,
                };
            }
            sum += melee.max(ranged);
        }
        sum
    }

    /// How far it is from where it wants to be, at so much a cell. Who can
    /// attack from there is where it wants to be.
    fn way_to_go(&self, at: Cell, offense: i32) -> i32 {
        if let Some(cells) = self.steps_to_goal(at) {
            return i32::from(cells.min(200)) * 60;
        }
        if offense > 0 {
            return 0;
        }
        if self.holds_out {
            return 0;
        }
        // Who waits in ambush does not wait for ever.
        let haste = 20 + 6 * i32::from(self.se.clock.round.min(15));
        i32::from(self.steps_to_foes(at).min(200)) * haste
    }

    /// Steps to the place that an objective of its side sends it to, if any.
    pub(super) fn steps_to_goal(&self, at: Cell) -> Option<u16> {
        let field = self.goal.get_or_init(|| {
            let cells = sent_to(&self.se.view, self.who);
            (!cells.is_empty()).then(|| self.distances(cells.into_iter()))
        });
        field.as_ref().map(|steps| steps[self.index(at)])
    }

    pub(super) fn steps_to_foes(&self, at: Cell) -> u16 {
        self.field.get(self.index(at)).copied().unwrap_or(u16::MAX)
    }

    fn index(&self, cell: Cell) -> usize {
        let width = usize::from(self.se.view.board.width());
        usize::try_from(cell.y).unwrap_or(0) * width + usize::try_from(cell.x).unwrap_or(0)
    }

    /// A number that changes when a foe or a door moves (FNV-1a).
    pub(super) fn where_foes_are(&self) -> u64 {
        let board = &self.se.view.board;
        let cells = self.dangers.iter().map(|d| (d.space.at, true));
        let doors = board.doors().map(|c| (c, board.door(c) == Some(true)));
        cells
            .chain(doors)
            .fold(0xcbf2_9ce4_8422_2325, |hash, (cell, flag)| {
                let (x, y) = (u64::from(cell.x as u16), u64::from(cell.y as u16));
                let bits = x << 24 | y << 8 | u64::from(flag);
                (hash ^ bits).wrapping_mul(0x0100_0000_01b3)
            })
    }

    /// Steps from every cell to the nearest of `goals`, creatures aside. A shut
    /// door counts as three steps more, a climb as five.
    pub(super) fn distances(&self, goals: impl Iterator<Item = Cell>) -> Vec<u16> {
        const RINGS: usize = 16;
        let board = &self.se.view.board;
        let walkable = |c: Cell| board.can_stand(Space::one(c)) || board.door(c) == Some(false);
        let open: Vec<Option<f64>> = board
            .cells()
            .map(|c| walkable(c).then(|| board.stand(c)))
            .collect();
        let climbs = |c: Cell| board.ground(c).is_some_and(|g| g.climbable);
        let mut steps = vec![u16::MAX; open.len()];
        let mut rings: [Vec<Cell>; RINGS] = Default::default();
        rings[0].extend(goals.filter(|&c| board.contains(c)));
        let (mut ring, mut idle) = (0u16, 0);
        while idle < RINGS {
            idle += 1;
            for cell in std::mem::take(&mut rings[usize::from(ring) % RINGS]) {
                let n = self.index(cell);
                if steps[n] <= ring {
                    continue;
                }
                steps[n] = ring;
                idle = 0;
                let height = open[n].unwrap_or(0.0);
                for to in cell.neighbours().filter(|&c| board.contains(c)) {
                    let Some(other) = open[self.index(to)] else {
                        continue;
                    };
                    // Going from `to` to `cell`: up more than 5 ft is a climb,
                    // and down more than 10 ft a fall.
                    let rise = height - other;
                    let level = (-10.0..=5.0).contains(&rise);
                    if !level && !climbs(cell) && !climbs(to) {
                        continue;
                    }
                    let door = if board.door(to) == Some(false) { 3 } else { 0 };
                    let cost = 1 + door + if level { 0 } else { 5 };
                    if steps[self.index(to)] > ring + cost {
                        rings[usize::from(ring + cost) % RINGS].push(to);
                    }
                }
            }
            ring += 1;
        }
        steps
    }
}
