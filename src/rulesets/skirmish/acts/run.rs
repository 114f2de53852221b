//! Run (SK-18): move the movement rate, for a Move action.

use super::{Act, declare};
use crate::{
    battle::{Choice, Flow, Id, Offer, Verb, Why, run_system},
    grid::{Cell, Range},
    rulesets::skirmish::{sk::Sk, stride::Stride},
};
use bevy::ecs::{system::In, world::World};

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
    if let Err(why) = legal(sk, who) {
        out.push(Offer::not(Choice::new(&RUN, who), why));
        return;
    }
    let range = sk.run_range(who, 1);
    let here = sk.body(who).at;
    let ends = range.cells().filter(|end| end.may_stop && end.cell != here);
    let before = out.len();
    out.reserve(range.count());
    out.extend(ends.map(|end| {
        Offer::legal(Choice::new(&RUN, who).to(end.cell)).priced(end.feet, end.provoked)
    }));
    if out.len() == before {
        let why = Why::new("SK-18", "there is no way to anywhere");
        out.push(Offer::not(Choice::new(&RUN, who), why));
    }
}

fn legal(sk: &Sk, who: Id) -> Result<(), Why> {
    sk.needs_move(who)?;
    sk.free_to_move(who)
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let to = choice.to.expect("a run has an end");
    let path = match &choice.along {
        Some(cells) => cells.to_vec(),
        None => sk.way(who, to).split_off(1),
    };
    declare(choice, sk.fighter(who).move_price()).then(Stride::new(who, path))
}

/// A run along a path laid by hand: it starts next to the runner, ends where
/// one may stop, and one Move pays for it.
pub fn check_path(world: &mut World, choice: &Choice) -> Result<(), Why> {
    fn check(In(choice): In<Choice>, sk: Sk) -> Result<(), Why> {
        let no = |text: String| Err(Why::new("GR-33", text));
        let (Some(who), Some(along)) = (choice.who, &choice.along) else {
            return no("a path needs somebody to walk it".into());
        };
        if choice.verb != &RUN || along.last().copied() != choice.to {
            return no("only a run follows a path, to the path's last cell".into());
        }
        legal(&sk, who)?;
        let cells: Vec<Cell> = std::iter::once(sk.body(who).at)
            .chain(along.iter().copied())
            .collect();
        let ways = sk.ways(who);
        let speed = sk.speed(who);
        sk.view.walk(who, &ways, |walk| match walk.price(&cells) {
            Err(misstep) => no(misstep.to_string()),
            Ok(price) if price.feet > speed => {
                no(format!("{} ft, and a Move is {speed} ft", price.feet))
            }
            Ok(_) if !choice.to.is_some_and(|to| walk.may_stop(to)) => {
                no("somebody stands there".into())
            }
            Ok(_) => Ok(()),
        })
    }
    run_system(world, check, choice.clone())
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
        // Nobody walks out of a grapple (SK-52).
        let speed = self.free_to_move(who).map_or(0, |()| self.speed(who));
        let budget = speed * moves;
        self.view
            .walk(who, &ways, |walk| walk.range(self.body(who).at, budget))
    }

    /// The way that [`run_range`](Self::run_range) knows to a cell in one Move,
    /// from where it stands to the cell itself.
    pub fn way(&self, who: Id, to: Cell) -> Vec<Cell> {
        let ways = self.ways(who);
        let (from, budget) = (self.body(who).at, self.speed(who));
        self.view
            .walk(who, &ways, |walk| walk.way(from, to, budget))
    }

    /// The ways of a mover: the reach of armed and aware foes from whom it has
    /// not disengaged is not left freely (SK-18, SK-19). Of those in hiding it
    /// knows nothing (SK-03).
    pub fn ways(&self, who: Id) -> crate::battle::movement::Ways {
        let free = self.fighter(who).disengaged;
        let reach = |foe: Id| {
            if free & foe.bit() == 0 && !self.stance(foe).hidden {
                self.threat_reach(foe)
            } else {
                None
            }
        };
        let mut ways = self.view.ways(who, reach);
        self.overlook_hidden(who, &mut ways);
        ways
    }
}
