//! What it is worth to stand somewhere, and how far it is to go.

use super::Evaluation;
use crate::{
    battle::Id,
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

    /// Paces to the place that an objective of its side sends it to, if any.
    pub(super) fn steps_to_goal(&self, at: Cell) -> Option<u16> {
        self.goal.as_ref().map(|field| field.paces(at))
    }

    pub(super) fn steps_to_foes(&self, at: Cell) -> u16 {
        self.to_foes.paces(at)
    }
}
