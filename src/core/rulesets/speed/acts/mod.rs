//! Actions on a unit's count: the declared action with a target that is chosen now, moves
//! before and after it, and one free action. Each action is a row; [`ACTS`] is the order in
//! which they are listed. What can be declared is defined next to the action that carries it
//! out, and listed in `declare`.

mod declaration;
pub mod declare;
mod door;
mod free;
pub mod heal;
pub mod intimidate;
mod leave;
pub mod magic;
mod movement;
mod own;
mod surge;
pub mod weapon_attack;

use super::{RIPOSTE, declared, reactions::riposte, turn::DONE, wounds};
use crate::battle::PASS;
use crate::rulesets::common::{act::group_of, begin_actions};
use row::*;

pub use crate::rulesets::common::doors::{CLOSE, OPEN};
pub use free::{GO_PRONE, PICK_UP, pick_ups};
pub use heal::TEND;
pub use intimidate::INTIMIDATE;
pub use leave::{LEAVE, can_leave};
pub use magic::{CAST, CAST_AT_PLACE, USE};
pub use movement::{CRAWL, MOVE, Mover, walker};
pub use own::break_free;
pub use surge::{SURGE, surges};
pub use weapon_attack::{SHOOT, STRIKE, THROW};

/// A part of a turn. Units that share a count move, then act together, then move again (SP-03).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnPart {
    /// Before the actions of a count: moves and simple free actions.
    Moves,
    /// After the actions of a count: the rest of the movement, and a surge (SP-22).
    After,
    All,
}

/// When an action is available, and how it combines with actions of other units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// With the actions of a count, if one of these was declared. Units that share a count start
    /// at the same time (SP-03).
    Declared(&'static [&'static Action]),
    /// Always. Units that share a count start at the same time.
    Moving,
    /// Always. Another unit can be first.
    Always,
    /// Not before the actions of a count. Another unit can be first.
    NotBefore,
}

/// The started actions of one or several units.
pub type Begun = begin_actions::Begun<Speed>;

/// Imports for files that define rows.
mod row {
    pub(in super::super) use super::super::{
        Speed,
        ai::{plan, play},
        content::Ability,
        events::SpeedEvent,
        forecast::attacks as attacks_of,
        numbers::{SpeedCondition, tables},
        query::{SpeedQuery, numbers},
        state::Hurt,
    };
    pub use super::When;
    pub(super) use super::{
        declaration::{Declaration, NOTHING, fit},
        needs_standard, standard,
    };

    crate::rulesets::common::act::row_types!(Speed);
}

/// Every action of a unit's own turn.
pub static ACTS: &[ActGroup] = &[
    weapon_attack::ACT,
    magic::ACT,
    magic::POTION,
    heal::ACT,
    intimidate::ACT,
    door::ACT,
    movement::ACT,
    free::ACT,
    surge::ACT,
    leave::ACT,
];

/// The actions that can be declared before a round.
pub static DECLARED: &[Act] = rows! {
    declared::ATTACK: 's' "Attack" Strike (plain, last), "Attack on your count: base plus weapon speed.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::attack);
    declared::THROWING: 't' "Throw" Throw (plain, last), "Throw on your count. The weapon lands at the target.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::attack);
    declared::DEFENSIVE: 'b' "Safe attack" Parry, "Attack one count later; provokes no ripostes.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::attack);
    declared::DEFENSIVE_MOVE: 'f' "Safe move" Disengage, "Move one count later; provokes no ripostes.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, |_, _| Some(plan::GO - 1));
    declared::FULL_DEFENSE: 'd' "Defend" TotalDefense, "Full Defense. Defense +4 from your count until the round ends, half speed, ripostes. No attack.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::full_defense);
    declared::CASTING: 'm' "Cast" Spell (plain, last), "Cast on your count. A hit before then can disrupt it.",
        Chances::Odds(attacks_of::declared_casting), |eval, offer| plan::declared(eval, offer, plan::cast);
    declared::USING: 'j' "Use" Heart (plain, last), "Use a potion or similar on your count.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::cast);
    // A protected unit moves rather than attacks.
    declared::MOVING: 'g' "Move" Move, "Move on your count, up to your speed. No attack.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, |eval, _| Some(if eval.is_protected() { plan::GO + 60 } else { plan::GO }));
    declared::STANDING_UP: 'p' "Stand up" Stand (last), "Get up on your count.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, |_, _| Some(250));
    declared::DOOR: 'o' "Door" Door (plain, last), "Open or close an adjacent door on your count.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::door);
    declared::HEALING: 'a' "Heal" Aid (plain, last), "On your count: make a check to heal an adjacent ally.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::heal);
    declared::INTIMIDATING: 'y' "Intimidate" Intimidate (last), "On your count: make a check. At the end of the round the enemy must match it with a morale check, or flee or surrender.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::threaten);
    declared::BREAKING_FREE: 'k' "Break free" Grapple (remedy), "A check to break out of a hold.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, |_, _| Some(120));
    declared::DOUSING: 'x' "Douse" Bleeding (remedy), "Put out the flames on yourself.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, |_, _| Some(300));
    declared::HOLD: 'z' "Hold" Hold, "Act at any later count.",
        Chances::Odds(attacks_of::declared), |eval, offer| plan::declared(eval, offer, plan::hold);
    declared::FLEEING: ' ' "Flee" Fleeing, "",
        Chances::Odds(attacks_of::declared), |_, _| NEVER;
};

/// Actions that respond to other units or end a turn.
pub static OTHERS: &[Act] = rows! {
    DONE: no button,
        Chances::None, |eval, _| play::done(eval);
    RIPOSTE: 'b' "Riposte" Parry, "Reaction. Attack at once.",
        Chances::Attack(|_, choice| riposte(choice, "SP-12")), |eval, offer| 1 + play::weapon_attack(eval, &offer.choice), auto_reaction;
    PASS: no button,
        Chances::None, |eval, _| play::pass(eval);
};

impl When {
    fn is_in(self, part: TurnPart) -> bool {
        match self {
            Self::Declared(_) => part == TurnPart::All,
            Self::Moving | Self::Always => true,
            Self::NotBefore => part != TurnPart::Moves,
        }
    }

    fn carries_out(self, declared: &Choice) -> bool {
        matches!(self, Self::Declared(verbs) if verbs.contains(&declared.verb))
    }
}

/// Every action of `who` in this part of its turn; impossible ones carry their reason.
pub fn offers(sp: &SpeedQuery, who: Id, part: TurnPart) -> Vec<Offer> {
    let mut out = vec![];
    if part == TurnPart::All {
        acts(sp, who, &mut out);
    }
    let standing = |act: &&ActGroup| {
        let when = act.when;
        !matches!(when, When::Declared(_)) && when.is_in(part)
    };
    for act in ACTS.iter().filter(standing) {
        (act.offers)(sp, who, &mut out);
    }
    out
}

/// Adds the offers that carry out the unit's declaration.
pub fn acts(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    let Some(plan) = declared(sp, who) else {
        return;
    };
    if let Some(act) = ACTS.iter().find(|act| act.when.carries_out(plan)) {
        (act.offers)(sp, who, out);
    }
}

/// The declaration that the unit is carrying out. `None` if it is not its turn.
fn declared<'a>(sp: &'a SpeedQuery, who: Id) -> Option<&'a Choice> {
    sp.fighter(who).now.as_ref().map(|now| &now.choice)
}

/// Whether the action takes the standard or free action of the unit's own turn (SP-07). Moves
/// and leaving the battle do not.
pub fn is_act(verb: &'static Action) -> bool {
    let mut acts = ACTS.iter().filter(|act| act.when != When::NotBefore);
    let is_free = [&MOVE, &CRAWL, &LEAVE].contains(&verb);
    !is_free && acts.any(|act| act.has(verb))
}

/// Starts a chosen action.
pub fn begin(sp: &SpeedQuery, choice: &Choice) -> Begun {
    (group_of(ACTS, choice).begin)(sp, choice)
}

/// Whether another unit may be first with the action: true for free actions and for leaving the
/// battle.
pub fn waits(choice: &Choice) -> bool {
    matches!(group_of(ACTS, choice).when, When::Always | When::NotBefore)
}

/// Whether the unit's standard action is left and the unit can take it.
fn needs_standard(sp: &SpeedQuery, who: Id) -> Result<(), Why> {
    Why::new("SP-07", "the standard action is spent").when(sp.fighter(who).standard)?;
    sp.may_act(who)
}

/// Announces an action and spends the standard action. `go_on` is skipped if the unit dies of
/// the strain of `acts` actions (SP-24).
fn standard(sp: &SpeedQuery, choice: &Choice, acts: u8, go_on: impl FnOnce(&mut Begun)) -> Begun {
    let who = choice.actor();
    let mut outcome = StepOutcome::announcing(choice).and("SP-07", SpeedEvent::Standard { who });
    let dies = wounds::strain(sp, who, acts, &mut outcome);
    let mut begun = outcome.into();
    if !dies {
        go_on(&mut begun);
    }
    begun
}

/// Announces an action and spends the free action. `go_on` is skipped if the unit dies of the
/// strain.
fn free_action(
    sp: &SpeedQuery,
    choice: &Choice,
    go_on: impl FnOnce(Id, &mut StepOutcome),
) -> Begun {
    let who = choice.actor();
    let mut outcome = StepOutcome::announcing(choice).and("SP-07", SpeedEvent::Free { who });
    if !wounds::strain(sp, who, 1, &mut outcome) {
        go_on(who, &mut outcome);
    }
    outcome.into()
}

/// Whether the unit's free action is left and the unit can take it (SP-07).
fn needs_free(sp: &SpeedQuery, who: Id) -> Result<(), Why> {
    Why::new("SP-07", "the free action is spent").when(sp.fighter(who).free)?;
    sp.may_act(who)
}
