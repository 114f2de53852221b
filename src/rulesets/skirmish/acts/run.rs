//! Run (SK-18): move the movement rate, for a Move action.

use super::{Act, declare};
use crate::{
    battle::{Choice, Flow, Id, Offer, Verb},
    grid::Range,
    rulesets::skirmish::{sk::Sk, stride::Stride},
};

pub static RUN: Verb = Verb {
    name: "run",
    phrase: "run to {to}",
    told: "runs to {to}",
    rule: "SK-18",
};

pub(super) const ACT: Act = Act {
    verbs: &[&RUN],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    if let Err(why) = sk.needs_move(who) {
        out.push(Offer::not(Choice::new(&RUN, who), why));
        return;
    }
    let range = sk.run_range(who, 1);
    let here = sk.body(who).at;
    let ends = range.cells().filter(|end| end.may_stop && end.cell != here);
    out.extend(ends.map(|end| Offer::legal(Choice::new(&RUN, who).to(end.cell))));
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let to = choice.to.expect("a run has an end");
    let path = match &choice.along {
        Some(cells) => cells.to_vec(),
        None => sk.run_range(who, 1).path(to).split_off(1),
    };
    declare(choice, sk.fighter(who).move_price()).then(Stride::new(who, path))
}

impl Sk<'_, '_> {
    /// Feet of one Move.
    pub fn speed(&self, who: Id) -> u16 {
        u16::try_from(self.view.creature(who).speed).unwrap_or(0)
    }

    /// Where so many Moves take it, with what each way costs and provokes
    /// (GR-33). Prone movement costs double (SK-25).
    pub fn run_range(&self, who: Id, moves: u16) -> Range {
        let ways = self.ways(who);
        let budget = self.speed(who) * moves;
        self.view
            .walk(who, &ways, |walk| walk.range(self.body(who).at, budget))
    }

    /// The ways of a mover: the reach of armed foes from whom it has not
    /// disengaged is not left freely (SK-18, SK-19).
    pub fn ways(&self, who: Id) -> crate::battle::movement::Ways {
        let free = self.fighter(who).disengaged;
        let reach = |foe: Id| {
            if free & foe.bit() == 0 {
                self.threat_reach(foe)
            } else {
                None
            }
        };
        self.view.ways(who, reach)
    }
}
