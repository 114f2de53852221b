//! What one may do on its turn: each act lists its offers and begins what was
//! chosen. What is offered goes by the part of the round (PH-04).

mod ability;
mod door;
mod go;
mod leave;
mod posture;
pub mod shoot;
mod strike;
mod things;
mod toil;

use super::{
    attacks::AttackBatch,
    events::PhasedEvent,
    odds::Blow,
    ph::Ph,
    routine::{Routine, Way},
    state::{Group, Part, Plan},
    turns::{self, DELAY, DONE},
};
use crate::{
    battle::{Action, Choice, EventKind, Id, Item, Offer, StepOutcome, Why},
    content::Make,
    rulesets::common::gear,
};

pub use ability::{AIM, AIM_AT_PLACE, CAST, USE, USE_ON, is_use, use_ability};
pub use door::{CLOSE, OPEN};
pub use go::{GO, SHIFT, can_go, set_out};
pub use leave::LEAVE;
pub use posture::{GO_PRONE, STAND_UP};
pub use shoot::{CALL_SHOT, SHOOT, THROW};
pub use strike::{CALL, GRAB, STRIKE, THRUST, later_arms, next_speed, speed as strike_speed};
pub use things::{DRAW, DROP, DROP_SHIELD, PICK_UP, SHEATHE, UNPACK};
pub use toil::{BIND, LOAD};

/// An act: how it is listed and how it begins.
pub struct Act {
    pub verbs: &'static [&'static Action],
    /// In which parts of the round it is listed.
    pub when: fn(Part) -> bool,
    pub offers: fn(&Ph, Id, &mut Vec<Offer>),
    pub begin: fn(&Ph, &Choice) -> StepOutcome,
}

/// Every act of one's own turn; strikes and shots begin as routines do.
pub static ACTS: [Act; 9] = [
    strike::ACT,
    shoot::ACT,
    ability::ACT,
    go::ACT,
    posture::ACT,
    things::ACT,
    toil::ACT,
    door::ACT,
    leave::ACT,
];

/// Everything that `who` may do now, the impossible with its reason. In a tie
/// of melee only with weapons of the speed whose moment it is (PH-02).
pub fn offers(ph: &Ph, who: Id, speed: Option<u8>) -> Vec<Offer> {
    let part = ph.clock.part;
    let mut out = vec![];
    // A major action of any kind may follow something delaying (PH-15).
    let follows = part == Part::Other && ph.fighter(who).lags;
    let kinds = [Part::Missile, Part::Melee];
    let has_time = |act: &&Act| (act.when)(part) || follows && kinds.into_iter().any(act.when);
    for act in ACTS.iter().filter(has_time) {
        (act.offers)(ph, who, &mut out);
    }
    if let Some(speed) = speed {
        out.retain(|offer| strike::speed(ph, &offer.choice).is_none_or(|s| s == speed));
    }
    let kinds = matches!(
        part,
        Part::Innate | Part::Missile | Part::Melee | Part::Other
    );
    if kinds {
        out.push(Offer::from(Choice::new(&DELAY, who), can_delay(ph, who)));
    }
    out.push(Offer::legal(Choice::new(&DONE, who)));
    out
}

/// PH-16: at any time in the turn of one's group; in LOW, where there is
/// something to lose by it. Who shoots in HIGH for its quick hand may put that
/// off as well (PH-03).
fn can_delay(ph: &Ph, who: Id) -> Result<(), Why> {
    let f = ph.fighter(who);
    if f.delayed {
        return Err(Why::new("PH-16", "it is delayed"));
    }
    let quick = ph.clock.part == Part::Missile && ph.shooting_group(who) == ph.clock.group;
    if !quick {
        own_minor(ph, who)?;
    }
    let nothing = f.spent && f.casting.is_none() && f.routines == 0;
    if nothing && ph.clock.group == Group::Low {
        return Err(Why::new("PH-16", "there is nothing left to put off"));
    }
    Ok(())
}

/// Begins what was chosen: says so, pays for it, and what follows.
pub fn begin(ph: &Ph, choice: &Choice) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if let Some(blows) = begin_attack(ph, choice, &mut outcome) {
        return outcome.then(AttackBatch::of(blows));
    }
    if let Some(who) = choice.who {
        ph.reveal(who, &mut outcome);
    }
    let act = ACTS.iter().find(|a| a.verbs.contains(&choice.verb));
    let mut begun = (act.expect("a chosen act is a listed one").begin)(ph, choice);
    begun.events.splice(0..0, outcome.events);
    begun
}

/// The attacks of a choice, announced and paid for; none if it is no attack.
pub fn begin_attack(ph: &Ph, choice: &Choice, outcome: &mut StepOutcome) -> Option<Vec<Blow>> {
    let routine = routine(ph, choice)?;
    let who = routine.by;
    ph.reveal(who, outcome);
    outcome.emit(
        choice.verb.rule,
        EventKind::Acted {
            choice: choice.clone(),
        },
    );
    explain(ph, choice, &routine, outcome);
    pay_attack(ph, who, outcome);
    ready(ph, who, routine.with, outcome);
    if routine.way == Way::Shoot {
        shoot::loose(ph, &routine, outcome);
    }
    Some(ph.blows(&routine))
}

/// Says why an attack comes when it does, and what a beast's attacks are.
fn explain(ph: &Ph, choice: &Choice, routine: &Routine, outcome: &mut StepOutcome) {
    let (who, group) = (routine.by, ph.clock.group);
    let shoots = routine.way == Way::Shoot;
    if shoots && ph.clock.part == Part::Missile && shoot::hand(ph, who, routine.with) {
        outcome.emit("PH-03", PhasedEvent::Hand { who, group }.event());
    }
    if turns::is_level(ph) && strike_speed(ph, choice).is_some() {
        let parts = ph.speed_parts(who, routine.with, routine.way);
        outcome.emit("PH-02", PhasedEvent::Comes { who, parts }.event());
    }
    let natural = ph.weapon(routine.with).make == Make::Natural && !shoots && !routine.called;
    if let Some(line) = ph.stats(who).attacks.as_ref().filter(|_| natural) {
        let line = line.to_string();
        outcome.emit("PH-36", PhasedEvent::AttacksWith { who, line }.event());
    }
}

/// The routine that a choice stands for; none if it is no attack.
pub fn routine(ph: &Ph, choice: &Choice) -> Option<Routine> {
    strike::routine(ph, choice).or_else(|| shoot::routine(ph, choice))
}

/// An attack takes the major action, or one of the routines still to come. The
/// first of several is struck early, or in the melee of one's group, and the
/// others follow after the groups (PH-01). It does not end what one keeps up
/// (PH-21).
fn pay_attack(ph: &Ph, who: Id, outcome: &mut StepOutcome) {
    let left = ph.fighter(who).routines;
    match ph.clock.part {
        Part::Rest => {
            let left = left.saturating_sub(1);
            outcome.emit("PH-35", PhasedEvent::Routines { who, left }.event());
        }
        Part::Multi | Part::Melee | Part::Other if ph.stats(who).routines > 1 => {
            let left = ph.stats(who).routines - 1;
            outcome.emit("PH-10", PhasedEvent::Spent { who }.event());
            outcome.emit("PH-35", PhasedEvent::Routines { who, left }.event());
        }
        _ => outcome.emit("PH-10", PhasedEvent::Spent { who }.event()),
    }
}

/// Has a weapon in hand: what was there is put away first (PH-12).
pub fn ready(ph: &Ph, who: Id, item: Item, outcome: &mut StepOutcome) {
    gear::draw(&ph.view, who, item, "PH-12", outcome);
}

/// Whether a part of the round has anything for somebody.
pub fn is_due(ph: &Ph, who: Id) -> bool {
    let (part, group) = (ph.clock.part, ph.clock.group);
    let f = ph.fighter(who);
    if !ph.can_act(who) || f.fleeing || f.passed == ph.clock.stamp {
        return false;
    }
    let stats = ph.stats(who);
    let own_time = |time: Part| ph.group(who) == group && part == time;
    if part == Part::First {
        return stats.first && own_time(part) && turn_is_open(ph, who);
    }
    if part == Part::Last {
        return stats.last && own_time(part) && turn_is_open(ph, who);
    }
    if f.work.is_some() {
        return false;
    }
    match part {
        Part::Multi => {
            stats.routines > 1
                && !stats.last
                && ph.group(who) == group
                && strike::has_target(ph, who)
        }
        Part::Rest => f.routines > 0 && ph.group(who) == group && strike::has_target(ph, who),
        Part::Innate => ph.group(who) == group && ability::is_due(ph, who),
        _ if stats.first || stats.last => false,
        Part::Missile => shoot::has_target(ph, who),
        Part::Melee => ph.group(who) == group && strike::has_target(ph, who),
        Part::Other => other_is_open(ph, who) && other_is_due(ph, who),
        _ => false,
    }
}

/// It has a major action, or something to do after it.
fn turn_is_open(ph: &Ph, who: Id) -> bool {
    let f = ph.fighter(who);
    f.casting.is_none()
        && f.work.is_none()
        && (!f.spent || !ph.in_melee(who) || f.plan == Some(Plan::After))
}

/// The same among the other acts: who casts may do minor ones beside it
/// (PH-10), and who has routines to come may put them off (PH-16).
fn other_is_open(ph: &Ph, who: Id) -> bool {
    let f = ph.fighter(who);
    f.casting.is_some() || f.routines > 0 || turn_is_open(ph, who)
}

/// LOW's other acts have room for delaying activities of those in HIGH
/// (PH-15), and for their third simple activity (PH-12).
fn other_is_due(ph: &Ph, who: Id) -> bool {
    own_simple(ph, who).is_ok() || ph.clock.group == Group::Low && toil::lags(ph, who)
}

/// PH-16: it is the turn of its own group; or LOW's, and it has done something
/// delaying, after which the rest may follow (PH-15).
pub fn own_turn(ph: &Ph, who: Id) -> Result<(), Why> {
    let (mine, now) = (ph.group(who), ph.clock.group);
    if mine == now || now == Group::Low && ph.fighter(who).lags {
        return Ok(());
    }
    Err(Why::new("PH-02", "its group has had its turn"))
}

/// The same for a minor action. After two simple activities a third may come
/// in LOW (PH-12).
pub fn own_simple(ph: &Ph, who: Id) -> Result<(), Why> {
    let third = ph.fighter(who).simples + 1 >= DELAYING_SIMPLES;
    match third && ph.clock.group == Group::Low {
        true => Ok(()),
        false => own_minor(ph, who),
    }
}

fn own_minor(ph: &Ph, who: Id) -> Result<(), Why> {
    let why = "minor actions come in its own group's turn";
    own_turn(ph, who).map_err(|_| Why::new("PH-16", why))
}

/// PH-10: the major action, where nothing that was declared stands against it.
pub fn needs_major(ph: &Ph, who: Id) -> Result<(), Why> {
    let f = ph.fighter(who);
    if ph.clock.part == Part::Rest {
        return match f.routines {
            0 => Err(Why::new("PH-35", "no routine is left")),
            _ => Ok(()),
        };
    }
    if f.casting.is_some() {
        return Err(Why::new("PH-22", "it is casting a spell"));
    }
    if f.work.is_some() {
        return Err(Why::new("PH-14", "its work takes the whole round"));
    }
    if f.spent {
        return Err(Why::new("PH-10", "the major action is spent"));
    }
    if f.simples >= DELAYING_SIMPLES && ph.clock.group == Group::High {
        return Err(Why::new(
            "PH-12",
            "three simple activities: the rest has to wait for LOW",
        ));
    }
    Ok(())
}

/// Simple activities in a round beside a major action that make it wait
/// (PH-12, decided); one more takes the round.
const DELAYING_SIMPLES: u8 = 3;

/// PH-12: another simple activity of a segment, in its own group's turn.
pub fn needs_simple(ph: &Ph, who: Id) -> Result<(), Why> {
    own_simple(ph, who)?;
    let f = ph.fighter(who);
    let is_low = ph.clock.group == Group::Low || ph.clock.part.is_whole_turn();
    match f.simples + 1 {
        1 | 2 => Ok(()),
        // What is delaying is complex for the delayed (PH-15).
        DELAYING_SIMPLES if f.delayed && f.spent => Err(Why::new(
            "PH-15",
            "a third leaves the delayed no other action, and one was taken",
        )),
        DELAYING_SIMPLES if is_low => Ok(()),
        DELAYING_SIMPLES => Err(Why::new(
            "PH-12",
            "a third simple activity has to wait for LOW",
        )),
        4 if is_low && !f.spent => Ok(()),
        4 if f.spent => Err(Why::new(
            "PH-12",
            "a fourth leaves no other action, and one was taken",
        )),
        4 => Err(Why::new(
            "PH-12",
            "a fourth simple activity has to wait for LOW",
        )),
        _ => Err(Why::new("PH-12", "there is no time for a fifth")),
    }
}

/// A simple activity is announced and counted: a segment towards the major
/// action (PH-11). The third is delaying, the fourth takes what is left of the
/// round (PH-12); of the delayed the third does (PH-15).
pub fn simple(ph: &Ph, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let f = ph.fighter(who);
    let lags = f.simples + 1 >= DELAYING_SIMPLES;
    let takes_all = f.simples >= DELAYING_SIMPLES || lags && f.delayed;
    let (simple, segments) = (true, 1);
    let rule = match f.casting {
        _ if lags => "PH-15",
        Some(_) => "PH-11",
        None => "PH-12",
    };
    let mut outcome = StepOutcome::default()
        .and(
            choice.verb.rule,
            EventKind::Acted {
                choice: choice.clone(),
            },
        )
        .and(
            rule,
            PhasedEvent::Minor {
                who,
                simple,
                segments,
                lags,
            }
            .event(),
        );
    if takes_all && !f.spent {
        outcome.emit("PH-12", PhasedEvent::Spent { who }.event());
    }
    outcome
}

/// A major act is announced and paid for.
pub fn major(choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    StepOutcome::default()
        .and(
            choice.verb.rule,
            EventKind::Acted {
                choice: choice.clone(),
            },
        )
        .and("PH-10", PhasedEvent::Spent { who }.event())
}
