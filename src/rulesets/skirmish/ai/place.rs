//! What it is worth to stand somewhere.

use super::Evaluation;
use crate::{
    battle::sent_to,
    grid::{Cell, Space},
};

impl Evaluation<'_, '_, '_> {
    /// What it is worth to stay where it stands.
    pub(super) fn stay(&self) -> i32 {
        *self.stay.get_or_init(|| self.place(self.here))
    }

    /// What it is worth to stand somewhere when the turn ends: near enough to
    /// its goal, out of harm.
    pub(super) fn place(&self, at: Cell) -> i32 {
        self.place_with(at, self.offense(at))
    }

    /// The same, its best attack from there being known.
    pub(super) fn place_with(&self, at: Cell, offense: i32) -> i32 {
        offense / 3 - self.deterrence(self.danger(at)) - self.way_to_go(at, offense)
    }

    /// What [`place_with`](Self::place_with) comes to at most, with the best
    /// attack from there being at most that.
    pub(super) fn place_at_most(&self, at: Cell, offense: i32) -> i32 {
        offense / 3 - self.deterrence(self.danger_in_melee(at)) - self.way_to_go(at, offense)
    }

    /// How much of a danger keeps it away.
    fn deterrence(&self, danger: i32) -> i32 {
        danger * self.posture().caution / 100
    }

    /// How far it is from where it wants to be, at so much a cell. Who can
    /// attack from there is where it wants to be.
    fn way_to_go(&self, at: Cell, offense: i32) -> i32 {
        if let Some(cells) = self.steps_to_goal(at) {
            return i32::from(cells) * 40;
        }
        if offense > 0 {
            return 0;
        }
        let (first, more) = self.posture().haste;
        let haste = first + more * i32::from(self.sk.clock.round.min(10));
        match haste {
            0 => 0,
            _ => i32::from(self.steps_to_foes(at).min(200)) * haste,
        }
    }

    /// Steps to the place that an objective of its side sends it to, if any.
    pub(super) fn steps_to_goal(&self, at: Cell) -> Option<u16> {
        let field = self.goal.get_or_init(|| {
            let cells = sent_to(&self.sk.view, self.who);
            let board = &self.sk.view.board;
            (!cells.is_empty()).then(|| self.fields.borrow_mut().to(board, &cells))
        });
        field.as_ref().map(|field| field.paces(at))
    }

    /// Steps to the nearest foe.
    pub(super) fn steps_to_foes(&self, at: Cell) -> u16 {
        let board = &self.sk.view.board;
        let field = self.to_foes.get_or_init(|| {
            let spaces: Vec<Space> = self
                .foes
                .iter()
                .map(|&foe| self.sk.body(foe).space())
                .collect();
            self.fields.borrow_mut().nearest_of(board, spaces)
        });
        field.paces(at)
    }
}
