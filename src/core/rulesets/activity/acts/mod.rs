//! What a share of a round may be spent on. Each act says how it is declared and
//! what it takes, what it may be done to when its time has come, and begins it;
//! [`ACTS`] is the order in which they are listed.

mod charge;
mod chi;
mod doing;
mod door;
mod go;
mod look;
mod parry;
mod posture;
mod spell;
mod stanch;
mod strike;
mod things;

use super::{
    ac::Ac,
    state::{Deed, Planned},
};
use crate::battle::{Action, Choice, Id, Offer, Why};

pub use doing::{Doing, OWN_WILL, drops, drops_all};
pub use go::{walk, walks};
pub use strike::{attack, will_be_loaded};
pub use things::load_first;

/// An act: how it is declared, and how it is done.
pub struct Act {
    /// The verb that declares it (AC-09).
    pub declared: &'static Action,
    /// What such a declaration stands for.
    pub deed: fn(&Ac, &Choice) -> Deed,
    /// Whether a deed is this act's.
    pub is: fn(Deed) -> bool,
    /// Its full cost, in percent of a round (AC-01).
    pub cost: fn(&Ac, Id, Deed) -> i32,
    /// Adds every way to declare it now, the impossible with its reason.
    pub offers: fn(&Ac, Id, &mut Vec<Offer>),
    pub begin: Begin,
}

/// How an act begins when its time has come.
pub enum Begin {
    /// On something that is chosen then.
    Aimed {
        /// Every way to do what was planned.
        targets: fn(&Ac, Id, &Planned) -> Vec<Offer>,
        begin: fn(&Ac, &Planned, &Choice, &mut Doing),
    },
    /// There is nothing to choose.
    Plain(fn(&Ac, Id, &Planned, &mut Doing)),
}

/// Every act of a round.
pub static ACTS: [Act; 19] = [
    strike::MELEE_ACT,
    strike::MISSILE_ACT,
    charge::ACT,
    parry::ACT,
    go::ACT,
    posture::STAND,
    posture::DROP,
    door::ACT,
    things::LOAD,
    things::CHANGE_ACT,
    things::DRAW_ACT,
    things::DROP,
    things::TAKE,
    stanch::ACT,
    stanch::HERB_ACT,
    chi::SPEED,
    chi::DEFENSE,
    look::ACT,
    spell::ACT,
];

impl Act {
    /// The act that a choice declares.
    pub fn declared_by(choice: &Choice) -> &'static Self {
        let act = ACTS.iter().find(|act| act.declared == choice.verb);
        act.expect("a declared act is a listed one")
    }

    /// The act that a deed is.
    pub fn of(deed: Deed) -> &'static Self {
        let act = ACTS.iter().find(|act| (act.is)(deed));
        act.expect("every deed is an act's")
    }
}

/// Every way to do what was planned. None: there is nothing to choose.
pub fn targets(ac: &Ac, who: Id, planned: &Planned) -> Option<Vec<Offer>> {
    match Act::of(planned.deed).begin {
        Begin::Aimed { targets, .. } => Some(targets(ac, who, planned)),
        Begin::Plain(_) => None,
    }
}

/// AC-01, AC-24: what a deed takes in full, in percent.
pub fn cost(ac: &Ac, who: Id, deed: Deed) -> i32 {
    (Act::of(deed).cost)(ac, who, deed)
}

/// AC-10: a further action of at least this many percent has room.
fn room(ac: &Ac, who: Id, percent: i32, overruns: bool) -> Result<i32, Why> {
    let actor = ac.actor(who);
    let most = ac.tables().max_actions;
    if actor.actions() >= most {
        return Err(Why::new(
            "AC-10",
            format!("{most} actions are already planned"),
        ));
    }
    let left = actor.capacity - actor.planned();
    if left <= 0 {
        return Err(Why::new("AC-10", "the whole round is planned"));
    }
    if left < percent && !overruns {
        let text = format!("it takes {percent}%, but only {left}% is left");
        return Err(Why::new("AC-01", text));
    }
    Ok(left)
}

/// An action for any share between two.
fn spanning(ac: &Ac, who: Id, verb: &'static Action, least: i32, full: i32, out: &mut Vec<Offer>) {
    let choice = Choice::new(verb, who);
    out.push(match room(ac, who, least, false) {
        Ok(left) => Offer::legal(choice).ranging(least, full.min(left)),
        Err(why) => Offer::not(choice, why).ranging(least, full),
    });
}

/// An action of a fixed cost.
fn fixed(ac: &Ac, choice: Choice, legal: Result<(), Why>, out: &mut Vec<Offer>) {
    let who = choice.who.expect("a plan has an actor");
    let act = Act::declared_by(&choice);
    let deed = (act.deed)(ac, &choice);
    let fits = room(ac, who, (act.cost)(ac, who, deed), deed.may_overrun()).map(|_| ());
    out.push(Offer::from(choice, legal.and(fits)));
}
