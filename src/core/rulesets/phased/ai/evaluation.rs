//! The worth of attacks and spells, and the costs of a cell.

use super::{Evaluation, SPOILT};
use crate::{
    battle::Id,
    grid::{Cell, cells_apart},
    rulesets::{
        common::ai::{Arm, Danger, Hit, KILL, worth_of_hit},
        phased::{
            query::PhasedQuery,
            routine::{AttackWay, Routine},
            state::Group,
        },
    },
};

/// Cost of sharing a cell, which takes two units out of the fight.
pub const CROWD: i32 = 2 * KILL;
/// Reach in feet of an enemy that must move first (PH-50).
pub const BESIDE: u16 = 5;

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
        match self.state.view.ids().any(there) {
            true => CROWD,
            false => 0,
        }
    }

    pub fn way_here(&self) -> i32 {
        self.way_to_go(self.here, self.offense(self.here))
    }

    /// Whether to wait: an enemy could come close in LOW before it is attacked, and no enemy shoots
    /// (PH-16).
    pub fn had_better_wait(&self) -> bool {
        if self.state.clock.round > 6 || self.has_far_to_go() {
            return false;
        }
        let here = self.space(self.here);
        let comes = |f: &&Danger| {
            let apart = cells_apart(f.space, here) * 5;
            let later = self.state.group(f.enemy) == Group::Low;
            later && !self.state.in_melee(f.enemy) && apart <= f.strike && f.melee > 0
        };
        self.dangers().iter().all(|f| f.ranged == 0) && self.dangers().iter().any(|f| comes(&f))
    }
}

/// Sets the attacks of a routine, as they would be with nothing in the way.
pub fn aim(ph: &PhasedQuery, by: Id, at: Id, arm: &mut Arm) {
    let way = match arm.ranged {
        true => AttackWay::Shoot,
        false => AttackWay::Strike,
    };
    match arm.ranged {
        true => arm.adjacent_penalty = None,
        false => (arm.near, arm.far) = (BESIDE, BESIDE),
    }
    let strikes = || ph.strike_items(by).contains(&arm.item) && ph.readying(by, arm.item).is_ok();
    if !arm.ranged && !strikes() {
        return;
    }
    let routine = Routine::new(by, at, arm.item, way, "PH-35");
    let hit = |blow| {
        let forecast = ph.unobstructed_forecast(blow);
        Hit {
            faces: forecast.hit().favourable as i32,
            hit: worth_of_hit(forecast.hp, &forecast.damage),
            miss: 0,
        }
    };
    arm.blows = ph.blows(&routine).iter().map(hit).collect();
}
