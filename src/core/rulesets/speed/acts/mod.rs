//! What is done when one's count has come: the declared act on a target that
//! is chosen now, moves before and after it, one free action. Each act lists its
//! offers and begins what was chosen; [`ACTS`] is the order in which they are
//! listed. What may be declared stands with the
//! act that it leads to, and is listed in `declare`.

pub mod blow;
mod declaration;
pub mod declare;
mod door;
mod free;
pub mod heal;
pub mod intimidate;
mod leave;
pub mod magic;
mod own;
mod stride;
mod surge;

use super::{Speed, events::SpeedEvent, sp::Sp, wounds};
use crate::{
    battle::{Action, Choice, Id, Offer, StepOutcome, Why},
    rulesets::common::undertake,
};

pub use crate::rulesets::common::doors::{CLOSE, OPEN};
pub use blow::{SHOOT, STRIKE, THROW};
pub use free::{GO_PRONE, PICK_UP, pick_ups};
pub use heal::TEND;
pub use intimidate::INTIMIDATE;
pub use leave::{LEAVE, can_leave};
pub use magic::{CAST, CAST_AT_PLACE, USE};
pub use stride::{CRAWL, MOVE, Mover, walker};
pub use surge::{SURGE, surges};

/// What may be done at one moment of a turn. Those who share a count move
/// before, act together, and move after (SP-03).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Before the acts of a count: moves, and free actions that are no more
    /// than that.
    Moves,
    /// After them: what is left of the moves, and a surge (SP-22).
    After,
    All,
}

/// When in its turn somebody may do something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// With the acts of a count, if one of these was declared (SP-03).
    Declared(&'static [&'static Action]),
    Always,
    /// Not before the acts of a count.
    NotBefore,
}

/// What acts come to that have begun.
pub type Begun = undertake::Begun<Speed>;

/// An act: how it is listed and how it begins.
pub struct Act {
    /// Its verbs, for the act bar and for orders.
    pub verbs: &'static [&'static Action],
    /// Of these, those that begin together where several act at once (SP-03).
    /// With the others somebody else may be first.
    pub at_once: &'static [&'static Action],
    pub when: When,
    pub offers: fn(&Sp, Id, &mut Vec<Offer>),
    /// Says so, pays for it, and what it comes to.
    pub begin: fn(&Sp, &Choice) -> Begun,
}

/// Every act of one's own turn.
pub static ACTS: [Act; 10] = [
    blow::ACT,
    magic::ACT,
    magic::BOTTLE,
    heal::ACT,
    intimidate::ACT,
    door::ACT,
    stride::ACT,
    free::ACT,
    surge::ACT,
    leave::ACT,
];

impl Act {
    /// The act that was chosen.
    fn of(choice: &Choice) -> &'static Self {
        let act = ACTS.iter().find(|a| a.verbs.contains(&choice.verb));
        act.expect("a chosen act is a listed one")
    }

    fn is_in(&self, part: Part) -> bool {
        match self.when {
            When::Declared(_) => part == Part::All,
            When::Always => true,
            When::NotBefore => part != Part::Moves,
        }
    }

    /// It carries out what was declared.
    fn carries_out(&self, declared: &Choice) -> bool {
        matches!(self.when, When::Declared(verbs) if verbs.contains(&declared.verb))
    }
}

/// Everything that `who` may do in this part of its turn, the impossible with
/// its reason.
pub fn offers(sp: &Sp, who: Id, part: Part) -> Vec<Offer> {
    let mut out = vec![];
    if part == Part::All {
        acts(sp, who, &mut out);
    }
    let standing = |act: &&Act| !matches!(act.when, When::Declared(_)) && act.is_in(part);
    for act in ACTS.iter().filter(standing) {
        (act.offers)(sp, who, &mut out);
    }
    out
}

/// The ways to do what was declared.
pub fn acts(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    let Some(declared) = declared(sp, who) else {
        return;
    };
    if let Some(act) = ACTS.iter().find(|act| act.carries_out(declared)) {
        (act.offers)(sp, who, out);
    }
}

/// What somebody has declared whose turn it is.
fn declared<'a>(sp: &'a Sp, who: Id) -> Option<&'a Choice> {
    sp.fighter(who).now.as_ref().map(|now| &now.choice)
}

/// What takes the standard or the free action of one's own turn (SP-07): no move, and
/// no way out of the battle.
pub fn is_act(verb: &'static Action) -> bool {
    let acts = ACTS.iter().filter(|act| act.when != When::NotBefore);
    let mut verbs = acts.flat_map(|act| act.verbs);
    let is_free = [&MOVE, &CRAWL, &LEAVE].contains(&verb);
    !is_free && verbs.any(|act| *act == verb)
}

/// Begins whatever was chosen.
pub fn begin(sp: &Sp, choice: &Choice) -> Begun {
    (Act::of(choice).begin)(sp, choice)
}

/// Somebody else may be first with it: what costs no more than a free action, or
/// leads out of the battle.
pub fn waits(choice: &Choice) -> bool {
    !Act::of(choice).at_once.contains(&choice.verb)
}

/// The standard action of this turn is left, and it is able to take it.
fn needs_standard(sp: &Sp, who: Id) -> Result<(), Why> {
    match sp.fighter(who).standard {
        true => Err(Why::new("SP-07", "the standard action is spent")),
        false => sp.may_act(who),
    }
}

/// Announced, and the standard action spent on it. Then it goes on, unless the
/// strain of so many acts is too much for the dying (SP-24).
fn standard(sp: &Sp, choice: &Choice, acts: u8, go_on: impl FnOnce(&mut Begun)) -> Begun {
    let who = choice.who.expect("an act has an actor");
    let spent = SpeedEvent::Standard { who };
    let mut outcome = StepOutcome::announcing(choice).and("SP-07", spent);
    let falls = wounds::strain(sp, who, acts, &mut outcome);
    let mut begun = outcome.into();
    if !falls {
        go_on(&mut begun);
    }
    begun
}

/// Announced, and the free action spent on it; then it goes on, unless the
/// strain is too much.
fn free_action(sp: &Sp, choice: &Choice, go_on: impl FnOnce(Id, &mut StepOutcome)) -> Begun {
    let who = choice.who.expect("an act has an actor");
    let mut outcome = StepOutcome::announcing(choice).and("SP-07", SpeedEvent::Free { who });
    if !wounds::strain(sp, who, 1, &mut outcome) {
        go_on(who, &mut outcome);
    }
    outcome.into()
}

/// The free action is left, and it is able to take it (SP-07).
fn needs_free(sp: &Sp, who: Id) -> Result<(), Why> {
    match sp.fighter(who).free {
        true => Err(Why::new("SP-07", "the free action is spent")),
        false => sp.may_act(who),
    }
}
