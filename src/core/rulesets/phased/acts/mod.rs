//! The actions of a unit's own turn, one row each. The part of the round decides which of them are
//! listed (PH-04).

mod ability;
mod door;
mod due;
mod go;
mod leave;
mod pass;
mod posture;
pub mod shoot;
mod strike;
mod things;
mod toil;

use super::{
    ai::plans,
    declare,
    fast::{FLEE, MEET, STAND_FAST, meeting},
    reactions::{self, CAST, FREE_ATTACK, IMMEDIATE_ATTACK, Reactions, Trigger},
    routine::{AttackWay, Routine},
    state::DeclaredPlan,
    turns::END_TURN,
};
use crate::battle::PASS;
use crate::rulesets::common::{
    act::{group_of, provokes},
    begin_actions, inventory,
};
use row::*;

pub use crate::rulesets::common::doors::{CLOSE, OPEN};
pub use ability::{AIM, AIM_AT_PLACE, USE, USE_ON, is_use};
pub use due::{batch, due, is_due, side_now, speed_now};
pub use go::{GO, SHIFT};
pub use leave::LEAVE;
pub use pass::{DELAY, DONE};
pub use posture::{GO_PRONE, STAND_UP};
pub use shoot::{CALL_SHOT, SHOOT, THROW};
pub use strike::{
    CALL, GRAB, GRABS_AT, STRIKE, THRUST, held_later_weapons, later_weapons, speed as strike_speed,
};
pub use things::{DRAW, DROP, DROP_SHIELD, PICK_UP, SHEATHE, UNPACK};
pub use toil::{BIND, LOAD};

pub type Begun = begin_actions::Begun<Phased>;

/// When actions can be taken.
pub struct When {
    /// Actions that begin together if several units act simultaneously (PH-02). The others begin
    /// one by one, because another unit's action can make them impossible.
    pub at_once: &'static [&'static Action],
    /// The actions' time in a group's turn (PH-04). A unit that takes every kind of action in one
    /// part has them there too, in the order of their kinds.
    pub kind: PhasePart,
    /// Other parts of the round in which they can be taken.
    pub also: &'static [PhasePart],
}

impl When {
    /// Actions of this kind, in no other part of the round, that begin one by one.
    const fn of(kind: PhasePart) -> Self {
        let (at_once, also): (&[&Action], &[PhasePart]) = (&[], &[]);
        Self {
            at_once,
            kind,
            also,
        }
    }

    const fn also(self, also: &'static [PhasePart]) -> Self {
        Self { also, ..self }
    }
}

/// Names that every row uses.
mod row {
    pub(in super::super) use super::super::{
        Phased, ai,
        events::PhasedEvent,
        forecast::attacks as attacks_of,
        query::PhasedQuery,
        state::{Group, PhasePart},
    };
    pub(super) use super::no_set_weapon;
    pub use super::{Begun, When, announce, needs_major, needs_simple, own_turn, simple};

    crate::rulesets::common::act::row_types!(Phased);

    /// Help text of every item button.
    pub const ITEMS: &str = "A simple action, one segment each. Drawing is free within an attack; picking up provokes attacks. From the pack: a delaying action, in LOW.";
}

/// Every action of a unit's own turn.
pub static ACTS: &[ActGroup] = &[
    strike::ACT,
    shoot::ACT,
    ability::ACT,
    go::ACT,
    posture::ACT,
    things::ACT,
    toil::ACT,
    door::ACT,
    leave::ACT,
    pass::ACT,
];

/// The declarations before a round.
pub static DECLARED: &[Act] = rows! {
    // Attack from here, or else move closer.
    declare::NOTHING: 'j' "Normal turn" Check, "Decide on your turn: attack, shoot, grab or move.",
        Chances::None, |eval, _| eval.offense(eval.here).max(60);
    declare::PARLEY: 'y' "Parley" Intimidate, "Before HIGH and LOW, once per battle: enemies who listen don't attack this round, unless they are attacked.",
        Chances::Odds(attacks_of::parley), |eval, _| plans::parley(eval).unwrap_or(NEVER);
    declare::FLIGHT: 'f' "Flee" Fleeing, "Before HIGH and LOW: the only way out of melee. Enemies in reach attack first, at +4.",
        Chances::None, |eval, _| plans::flight(eval).unwrap_or(NEVER);
    declare::CHARGE: 'c' "Charge" Charge, "Before HIGH and LOW: double speed in a straight line, +2 to hit, AC 1 worse.",
        Chances::Attack(|ph, choice| Some(Routine::of_charge(ph, choice))), |eval, offer| plans::charge(eval, &offer.choice).unwrap_or(NEVER);
    declare::SPELL: 'm' "Cast" Spell (plain), "Takes the whole round. Pick the target now, or on your group's turn; the spell goes off near the end of the round, unless the caster is hurt.",
        Chances::Odds(attacks_of::declared_spell), |eval, offer| plans::cast(eval, &offer.choice).unwrap_or(NEVER);
    declare::SET: 'b' "Set weapon" Spear, "Attack a charging enemy first, for double damage; else an adjacent enemy.",
        Chances::None, |eval, offer| plans::set(eval, &offer.choice).unwrap_or(NEVER);
    declare::DELAY: 'z' "Delay" Hold, "Act in LOW, whatever you roll for initiative. You can declare something else too.",
        Chances::None, |eval, _| plans::delay(eval).unwrap_or(NEVER);
    declare::AFTER: 'g' "Extra action" FastForward (plain), "Attack, then one simple action; counts one segment slower in ties.";
    declare::BIND: 'a' "Bandage" Aid (plain), "Stop the bleeding of an ally who is down (1 round; 2 if not declared).",
        Chances::None, |eval, offer| plans::bind(eval, &offer.choice).unwrap_or(NEVER);
    declare::LOAD: 'l' "Load" Reload, "",
        Chances::None, |eval, _| plans::load(eval).unwrap_or(NEVER);
    // Finishes declaring for the whole side.
    declare::NO_MORE: ' ' "Finish declaring" ArrowRight, "";
};

/// Fast actions, reactions, and the ends of turns.
pub static OTHERS: &[Act] = rows! {
    // Ends the turn of the whole side.
    END_TURN: no button;
    FLEE: 'f' "Flee" Fleeing, "",
        Chances::None, worth_of_move, moving;
    STAND_FAST: 'd' "Stand fast" Stand (last), "Stay here; the action is spent.",
        Chances::None, |eval, _| ai::unless_busy(eval, || eval.stay());
    MEET: 'b' "Meet" Spear (last), "Attack this charging enemy first, for double damage.",
        Chances::Attack(meeting), |eval, offer| ai::reaction(eval, &offer.choice);
    FREE_ATTACK: ' ' "Free attack" Strike, "",
        Chances::Attack(reactions::routine), |eval, offer| ai::reaction(eval, &offer.choice), auto_reaction;
    IMMEDIATE_ATTACK: ' ' "Immediate attack" Strike, "",
        Chances::Attack(reactions::routine), |eval, offer| ai::reaction(eval, &offer.choice), auto_reaction;
    CAST: 'm' "Cast" Spell (plain, last), "",
        Chances::Odds(attacks_of::spell), |eval, offer| ai::immediate(eval, &offer.choice).unwrap_or(NEVER);
    PASS: no button,
        Chances::None, |eval, _| plans::own_spell(eval);
};

/// Whether a group's actions are listed in a part of the round.
fn is_in(group: &ActGroup, part: PhasePart) -> bool {
    let When { kind, also, .. } = &group.when;
    *kind == part || part.is_whole_turn() || also.contains(&part)
}

/// Everything that `who` can do now; blocked offers come with the reason. In a melee tie only
/// attacks with a weapon of the current `speed` are listed (PH-02).
pub fn offers(ph: &PhasedQuery, who: Id, speed: Option<u8>) -> Vec<Offer> {
    let part = ph.clock.part;
    let mut out = vec![];
    // Any major action can follow a delaying activity (PH-15).
    let follows = part == PhasePart::Other && ph.fighter(who).lags;
    let kinds = [PhasePart::Missile, PhasePart::Melee];
    let is_any = |group: &ActGroup| kinds.into_iter().any(|kind| is_in(group, kind));
    let now = |group: &&ActGroup| is_in(group, part) || follows && is_any(group);
    for act in ACTS.iter().filter(now) {
        (act.offers)(ph, who, &mut out);
    }
    if let Some(speed) = speed {
        out.retain(|offer| strike::speed(ph, &offer.choice).is_none_or(|s| s == speed));
    }
    out
}

/// Begins the chosen action. If it provokes attacks, those come first.
pub fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
    let mut begun = (group_of(ACTS, choice).begin)(ph, choice);
    if let Some(moment) = opening(choice) {
        let react = Box::new(Reactions::open(moment));
        begun.outcome.next.insert(0, react);
    }
    begun
}

/// The reaction trigger of an action that provokes attacks; `None` for other actions and for
/// fleeing, which has its own.
pub fn opening(choice: &Choice) -> Option<Trigger> {
    let (by, rule) = (choice.who?, "PH-41");
    provokes::<Phased>(choice.verb).then_some(Trigger::Opening { by, rule })
}

/// Reveals a hidden unit that acts, then announces the choice.
pub fn announce(ph: &PhasedQuery, choice: &Choice) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if let Some(who) = choice.who {
        ph.reveal(who, &mut outcome);
    }
    outcome.and(choice.verb.rule, EventKind::acted(choice))
}

/// Begins an announced attack: pays for it and readies the weapon.
fn attack(ph: &PhasedQuery, routine: &Routine, mut outcome: StepOutcome) -> Begun {
    pay_attack(ph, routine.by, &mut outcome);
    ready(ph, routine.by, routine.with, &mut outcome);
    Begun {
        specs: ph.specs(routine),
        ..outcome.into()
    }
}

/// The routine that a choice stands for; `None` if it is not an attack.
pub fn routine(ph: &PhasedQuery, choice: &Choice) -> Option<Routine> {
    let ways = [
        (&STRIKE, AttackWay::Strike),
        (&CALL, AttackWay::Strike),
        (&THRUST, AttackWay::Thrust),
        (&SHOOT, AttackWay::Shoot),
        (&THROW, AttackWay::Shoot),
        (&CALL_SHOT, AttackWay::Shoot),
    ];
    let (verb, way) = ways.into_iter().find(|way| way.0 == choice.verb)?;
    let routine = Routine::of(choice, way);
    Some(match [&CALL, &CALL_SHOT].contains(&verb) {
        true => routine.called(ph.tables().numbers.called_shot_times),
        false => routine,
    })
}

/// Spends the major action, or one of the routines still to come. The first of several routines
/// comes early or in the melee of the unit's group, the others after the groups (PH-01). An attack
/// does not end a spell that is kept up (PH-21).
fn pay_attack(ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
    let left = ph.fighter(who).routines;
    match ph.clock.part {
        PhasePart::Rest => {
            let left = left.saturating_sub(1);
            outcome.emit("PH-35", PhasedEvent::Routines { who, left });
        }
        PhasePart::Multi | PhasePart::Melee | PhasePart::Other if ph.stats(who).routines > 1 => {
            let left = ph.stats(who).routines - 1;
            outcome.emit("PH-10", PhasedEvent::Spent { who });
            outcome.emit("PH-35", PhasedEvent::Routines { who, left });
        }
        _ => outcome.emit("PH-10", PhasedEvent::Spent { who }),
    }
}

/// Readies a weapon; a weapon in that hand is put away first (PH-12).
pub fn ready(ph: &PhasedQuery, who: Id, item: Item, outcome: &mut StepOutcome) {
    inventory::draw(&ph.view, who, item, "PH-12", outcome);
}

/// PH-16: whether it is the turn of the unit's group, or LOW's and the unit did a delaying
/// activity, after which its other actions can follow (PH-15).
pub fn own_turn(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    let (mine, now) = (ph.group(who), ph.clock.group);
    Why::new("PH-02", "the unit's group has had its turn")
        .unless(mine == now || now == Group::Low && ph.fighter(who).lags)
}

/// Whether the unit can do a simple activity now. A third one after two can come in LOW (PH-12).
pub fn own_simple(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    let third = ph.fighter(who).simples + 1 >= DELAYING_SIMPLES;
    own_minor(ph, who).or_else(|why| why.unless(third && ph.clock.group == Group::Low))
}

fn own_minor(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    let why = "minor actions come in the unit's own group's turn";
    own_turn(ph, who).map_err(|_| Why::new("PH-16", why))
}

/// PH-10: whether the unit can take its major action, or why not.
pub fn needs_major(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    let f = ph.fighter(who);
    if ph.clock.part == PhasePart::Rest {
        return Why::new("PH-35", "no routine is left").when(f.routines == 0);
    }
    Why::of_actor("PH-22", "is casting a spell").when(f.casting.is_some())?;
    Why::new("PH-14", "work takes the whole round").when(f.work.is_some())?;
    Why::new("PH-10", "the major action is spent").when(f.spent)?;
    let why = "after three simple activities the rest has to wait for LOW";
    Why::new("PH-12", why).when(f.simples >= DELAYING_SIMPLES && ph.clock.group == Group::High)
}

/// PH-42: whether the unit has set no weapon against a charge.
fn no_set_weapon(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    let is_set = matches!(ph.fighter(who).plan, Some(DeclaredPlan::Set { .. }));
    Why::new("PH-42", "a weapon is set against a charge").when(is_set)
}

/// The number of simple activities that makes the major action wait for LOW (PH-12, decided). One
/// more takes the rest of the round.
const DELAYING_SIMPLES: u8 = 3;

/// PH-12: whether the unit has time for another simple activity, or why not.
pub fn needs_simple(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    own_simple(ph, who)?;
    let f = ph.fighter(who);
    let is_low = ph.clock.group == Group::Low || ph.clock.part.is_whole_turn();
    let why = match f.simples + 1 {
        1 | 2 => return Ok(()),
        // A delaying activity is complex for a delayed unit (PH-15).
        DELAYING_SIMPLES if f.passed_up.delayed && f.spent => {
            let why = "when delayed, a third simple activity takes the whole round";
            return Err(Why::new("PH-15", why));
        }
        4 if f.spent => "a fourth simple activity takes the whole round",
        DELAYING_SIMPLES | 4 if is_low => return Ok(()),
        DELAYING_SIMPLES => "a third simple activity has to wait for LOW",
        4 => "a fourth simple activity has to wait for LOW",
        _ => "no time for a fifth simple activity",
    };
    Err(Why::new("PH-12", why))
}

/// Announces a simple activity and counts a segment towards the major action (PH-11). The third is
/// delaying and the fourth takes the rest of the round (PH-12); for a delayed unit, the third does
/// (PH-15).
pub fn simple(ph: &PhasedQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let f = ph.fighter(who);
    let lags = f.simples + 1 >= DELAYING_SIMPLES;
    let takes_all = f.simples >= DELAYING_SIMPLES || lags && f.passed_up.delayed;
    let rule = match f.casting {
        _ if lags => "PH-15",
        Some(_) => "PH-11",
        None => "PH-12",
    };
    let minor = PhasedEvent::Minor {
        who,
        simple: true,
        segments: 1,
        lags,
    };
    let mut outcome = announce(ph, choice).and(rule, minor);
    if takes_all && !f.spent {
        outcome.emit("PH-12", PhasedEvent::Spent { who });
    }
    outcome
}

/// Announces a major action and pays for it.
pub fn major(ph: &PhasedQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    announce(ph, choice).and("PH-10", PhasedEvent::Spent { who })
}
