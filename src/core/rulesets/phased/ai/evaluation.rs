//! The worth of attacks, and the costs of a cell.

use super::{Evaluation, SPOILT};
use crate::{
    battle::Id,
    grid::Cell,
    rulesets::{
        common::ai::{KILL, worth_of_hit},
        phased::routine::Routine,
    },
};

/// Cost of sharing a cell, which takes two units out of the fight.
pub const CROWD: i32 = 2 * KILL;

impl Evaluation<'_, '_, '_> {
    /// The worth of a routine in the current position: damage, and a spell that it may spoil. Less
    /// against a target that listens to a parley.
    pub fn attack(&self, routine: &Routine) -> i32 {
        let Ok(forecasts) = self.state.look(routine) else {
            return 0;
        };
        let target = self.state.fighter(routine.at);
        let mut miss = 1000;
        let mut harm = 0;
        for forecast in &forecasts {
            let hit = forecast.hit().favourable as i32;
            miss = miss * (20 - hit) / 20;
            harm += hit * worth_of_hit(forecast.hp, &forecast.damage);
        }
        let mut value = harm / 20;
        if target.concentrates() {
            value += SPOILT * (1000 - miss) / 1000;
        }
        if target.listens {
            value -= KILL / 2;
        }
        value
    }

    /// The danger from enemies that can attack the unit where it stands.
    pub fn danger_beside(&self) -> i32 {
        let dangers = self.dangers().iter();
        let beside = dangers.filter(|d| self.state.reaches(d.enemy, self.who).is_ok());
        beside.map(|d| d.melee).sum()
    }

    /// The cost of sharing a cell: its units cannot fight (PH-52).
    pub fn crowd(&self, at: Cell) -> i32 {
        let space = self.space(at);
        let there = |id: Id| {
            let body = self.state.body(id);
            id != self.who && body.is_up() && body.space().overlaps(space)
        };
        match self.view.ids().any(there) {
            true => CROWD,
            false => 0,
        }
    }
}
