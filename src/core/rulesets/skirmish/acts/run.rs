//! Run (SK-18): move up to the unit's speed, for a Move.

use super::row::*;
use crate::{
    battle::movement::Occupancy,
    grid::{Range, Space},
    rulesets::{common::hiding::known_occupancy, skirmish::movement},
};
use std::sync::Arc;

verbs! {
    RUN = "run", "run to {to}", "moves to {to}", "SK-18";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        RUN: no button,
            Chances::None, worth_of_move, moving;
    },
    when: (),
    offers,
    begin: |sk, choice| {
        let who = choice.actor();
        let to = choice.to.expect("a run has an end");
        let path = choice.path_or(|| sk.run_range(who, 1).path(to).split_off(1));
        declare(sk, choice, sk.fighter(who).move_price()).then(movement::run(who, path))
    },
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    if let Err(why) = can_run(sk, who) {
        return out.push(Offer::not(Choice::new(&RUN, who), why));
    }
    let range = sk.run_range(who, 1);
    let here = sk.body(who).at;
    let ends = range.cells().filter(|end| end.may_stop && end.cell != here);
    out.push(Offer::to_some(Choice::new(&RUN, who), ends, "SK-18"));
}

/// Checks that the unit can run now.
pub fn can_run(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    sk.needs_move(who)?;
    sk.free_to_move(who)
}

impl SkirmishQuery<'_, '_> {
    /// The cells that this many Moves reach, with what each path costs and provokes (GR-33). Prone
    /// movement costs double (SK-25).
    pub fn run_range(&self, who: Id, moves: u16) -> Arc<Range> {
        let occupancy = self.occupancy(who);
        // Units in a grapple can't move (SK-52).
        let speed = self.free_to_move(who).map_or(0, |()| self.view.speed(who));
        self.view.range(who, occupancy, speed * moves)
    }

    /// Hidden enemies whose reach `who` would leave by a step, as a bit set (SK-06). The mover's
    /// occupancy does not include them.
    pub fn left_in_hiding(&self, who: Id, from: Cell, to: Cell) -> u64 {
        let body = self.body(who);
        let [here, there] = [from, to].map(|at| Space::new(at, body.size));
        let is_left = |enemy: &Id| {
            let hidden = self.stance(*enemy).hidden && self.is_bound(who, *enemy);
            hidden && self.threatens(*enemy, here) && !self.threatens(*enemy, there)
        };
        let left = self.view.enemies(body.side).filter(is_left);
        left.fold(0, |set, enemy| set | enemy.bit())
    }

    /// The occupancy for a mover. Leaving the reach of an armed and aware enemy provokes its
    /// attack, unless the mover has disengaged from it (SK-18, SK-19). Hidden enemies are missing
    /// (SK-03).
    pub fn occupancy(&self, who: Id) -> Occupancy {
        let reach = |enemy: Id| {
            let provokes = self.is_bound(who, enemy) && !self.stance(enemy).hidden;
            provokes.then(|| self.threat_reach(enemy)).flatten()
        };
        known_occupancy::<Skirmish>(self, who, reach)
    }
}
