//! What is done when one's count has come: the declared act on a target that
//! is chosen now, moves before and after it, one free action.

pub mod blow;
pub mod declare;
pub mod heal;
pub mod intimidate;
mod leave;
pub mod magic;
mod own;
mod stride;

use super::{Speed, declared::*, events::SpeedEvent, sp::Sp, wounds};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, StepOutcome},
    rulesets::common::{doors, undertake},
};

pub use crate::rulesets::common::doors::{CLOSE, OPEN};
pub use blow::{SHOOT, STRIKE, THROW};
pub use heal::TEND;
pub use intimidate::INTIMIDATE;
pub use leave::{LEAVE, can_leave};
pub use magic::{CAST, CAST_AT_PLACE, USE};
pub use own::{GO_PRONE, PICK_UP, SURGE, by_itself, pick_ups, surge};
pub use stride::{CRAWL, MOVE, Mover};

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

/// Every verb of a turn, for the act bar and for orders.
pub static VERBS: [&Action; 16] = [
    &STRIKE,
    &SHOOT,
    &THROW,
    &CAST,
    &CAST_AT_PLACE,
    &USE,
    &TEND,
    &INTIMIDATE,
    &OPEN,
    &CLOSE,
    &MOVE,
    &CRAWL,
    &GO_PRONE,
    &PICK_UP,
    &SURGE,
    &LEAVE,
];

/// Everything that `who` may do in this part of its turn, the impossible with
/// its reason.
pub fn offers(sp: &Sp, who: Id, part: Part) -> Vec<Offer> {
    let mut out = vec![];
    if part == Part::All {
        acts(sp, who, &mut out);
    }
    stride::offers(sp, who, &mut out);
    own::offers(sp, who, &mut out);
    if part != Part::Moves {
        own::surge(sp, who, &mut out);
    }
    leave::offers(sp, who, &mut out);
    out
}

/// The ways to do what was declared.
pub fn acts(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    let Some(now) = &sp.fighter(who).now else {
        return;
    };
    let verb = now.choice.verb;
    if verb == &ATTACK || verb == &THROWING || verb == &DEFENSIVE {
        blow::offers(sp, who, &now.choice, out);
    } else if verb == &CASTING {
        magic::offers(sp, who, &now.choice, &CAST, out);
    } else if verb == &USING {
        magic::offers(sp, who, &now.choice, &USE, out);
    } else if verb == &DOOR {
        let may = needs_standard(sp, who).and(sp.has_a_hand(who));
        doors::offers(&sp.view, who, may, out);
    } else if verb == &HEALING {
        heal::offers(sp, who, out);
    } else if verb == &INTIMIDATING {
        intimidate::offers(sp, who, out);
    }
}

/// The standard action of this turn is left, and it is able to take it.
fn needs_standard(sp: &Sp, who: Id) -> Result<(), crate::battle::Why> {
    if sp.fighter(who).standard {
        return Err(crate::battle::Why::new(
            "SP-07",
            "the standard action is spent",
        ));
    }
    sp.may_act(who)
}

/// What acts come to that have begun.
pub type Begun = undertake::Begun<Speed>;

/// Somebody else may be first with it: what costs no more than a free action, or
/// leads out of the battle.
pub fn waits(choice: &Choice) -> bool {
    [&CRAWL, &GO_PRONE, &PICK_UP, &SURGE, &LEAVE].contains(&choice.verb)
}

/// Begins whatever was chosen.
pub fn begin(sp: &Sp, choice: &Choice) -> Begun {
    let who = choice.who.expect("an act has an actor");
    let verb = choice.verb;
    if verb == &MOVE || verb == &CRAWL {
        return stride::begin(sp, choice);
    }
    if verb == &GO_PRONE || verb == &PICK_UP || verb == &SURGE {
        return own::begin(sp, choice).into();
    }
    if verb == &LEAVE {
        return leave::begin(sp, who, choice).into();
    }
    let acted = EventKind::Acted {
        choice: choice.clone(),
    };
    let mut outcome = StepOutcome::default()
        .and(verb.rule, acted)
        .and("SP-07", SpeedEvent::Standard { who }.event());
    let draws = blow::draws(sp, choice);
    if wounds::strain(sp, who, 1 + u8::from(draws), &mut outcome) {
        return outcome.into();
    }
    let mut begun = Begun::from(outcome);
    if verb == &STRIKE || verb == &SHOOT || verb == &THROW {
        if draws {
            blow::draw(sp, choice, &mut begun.outcome);
        }
        begun.blows.push(blow::attack(choice));
    } else if [&CAST, &CAST_AT_PLACE, &USE].contains(&verb) {
        magic::begin(sp, choice, &mut begun);
    } else if verb == &TEND {
        begun.deeds.push(heal::step(choice));
    } else if verb == &INTIMIDATE {
        begun.deeds.push(intimidate::step(choice));
    } else {
        doors::swing(&sp.view, choice, &mut begun.outcome);
    }
    begun
}
