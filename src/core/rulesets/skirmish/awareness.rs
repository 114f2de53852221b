//! Unaware units, and units that stalk them (SK-56).
//!
//! An unaware unit does not act or react, and nothing provokes its attacks. All units of a side are
//! alarmed when their side attacks or is attacked, or when one of them sees an attack on others or
//! an execution. An execution that fails to drop its victim alarms every side.

use super::{
    query::SkirmishQuery,
    state::{Alertness, Stalk},
};
use crate::rulesets::skirmish::numbers::{self, MINUTE};
use crate::{
    battle::{Cue, Id, Roster, Side, State, StepOutcome, events, of_unit_mut},
    levels::{Awareness, Combatant, Level},
    system_step,
};
use bevy_ecs::{system::In, world::World};

events! {
    /// Events about unaware units and stalking.
    pub enum AwarenessEvent: RulesetEvent |world, names, unknown| {
        Alarmed { who: Vec<Id> }
            log(Fact "The alarm is raised: {who}")
            cue(Cue::alarm("the alarm"))
            apply {
                for &id in who {
                    watch(world, &id).unaware = false;
                }
                for id in world.resource::<Roster>().ids() {
                    let watch = watch(world, &id);
                    if watch.stalk.is_some_and(|stalk| who.contains(&stalk.at)) {
                        watch.stalk = None;
                    }
                }
            }
            progress(true)
            known(Self::Alarmed { who: unknown.known(who)? });

        // The log entry of the action already says it.
        Stalks { who: Id, at: Id }
            log(silent)
            apply {
                let (at, near, aimed, busy) = (*at, 0, 0, false);
                watch(world, who).stalk = Some(Stalk { at, near, aimed, busy });
            }
            progress(true);

        /// Another round of a stalk is over.
        // Stalking takes ten quiet rounds. Once it is complete, more rounds are no progress.
        Bided { who: Id, near: u8, aimed: u8 }
            log(if ((*near, *aimed) == (0, 0)) { Detail "{who} waits for a better place" }
                else if (*aimed == 0) { Detail "{who} has watched for {near} of {MINUTE} rounds" }
                else if (*near == 0) { Detail "{who} has aimed for {aimed} of {MINUTE} rounds" }
                else {
                    Detail "{who} has watched for {near} and aimed for {aimed} of {MINUTE} rounds"
                })
            apply {
                if let Some(stalk) = &mut watch(world, who).stalk {
                    (stalk.near, stalk.aimed, stalk.busy) = (*near, *aimed, false);
                }
            }
            progress((1..MINUTE).contains(near) || (1..MINUTE).contains(aimed));

        /// The stalk ends with the execution.
        Strikes { who: Id } log(silent) apply { watch(world, who).stalk = None } progress(true);

        /// The stalk ends because the stalker gave it up or was disturbed.
        Spoiled { who: Id, why: &'static str }
            log(Fact "{who}'s preparation is spoiled: {why}")
            cue(Stop, who, "disturbed")
            apply { watch(world, who).stalk = None }
            progress(true);
    }
}

fn watch<'w>(world: &'w mut World, who: &Id) -> &'w mut Alertness {
    of_unit_mut::<Alertness>(world, *who)
}

/// The awareness of each unit as the level sets it. If every unit present at the start is unaware,
/// none is: otherwise there would be no battle.
pub(super) fn watches(level: &Level) -> impl Iterator<Item = Alertness> {
    let unaware = |c: &Combatant| c.awareness == Awareness::Unaware;
    let mut present = level.combatants.iter().filter(|c| c.arrives.is_none());
    let is_hushed = present.any(|c| !unaware(c));
    let ready = |at: Id| Stalk {
        at,
        near: MINUTE,
        aimed: MINUTE,
        busy: false,
    };
    level.combatants.iter().map(move |combatant| Alertness {
        unaware: is_hushed && unaware(combatant),
        stalk: combatant.stalks.map(|at| ready(at.into())),
    })
}

impl SkirmishQuery<'_, '_> {
    /// Whether a unit is on the field and unaware.
    pub fn is_unaware(&self, id: Id) -> bool {
        self.watch(id).unaware && self.is_up(id)
    }
}

/// Queues the alarms that attacks raise; see the module documentation.
pub fn by_attacks(sk: &SkirmishQuery, attacks: Vec<(Id, Id)>, outcome: &mut StepOutcome) {
    let watchful = |id: Id| sk.watch(id).unaware || sk.watch(id).stalk.is_some();
    if sk.view.ids().any(watchful) {
        outcome.push(Noise { attacks });
    }
}

system_step! {
    /// Alarms the sides that notice attacks, and ends disturbed stalks. Runs after units that fell
    /// to the attacks lie on the ground.
    struct Noise {
        /// Attacker and target of each attack.
        attacks: Vec<(Id, Id)>,
    } => noise
}

/// A stalker that attacked or was attacked stops stalking.
fn noise(In(Noise { attacks }): In<Noise>, sk: SkirmishQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let fought = |id: Id| attacks.iter().any(|a| a.0 == id || a.1 == id);
    for who in sk.view.ids() {
        if sk.watch(who).stalk.is_some() && fought(who) {
            let why = "in a fight";
            outcome.emit("SK-56", AwarenessEvent::Spoiled { who, why });
        }
    }
    raise(&sk, noticing(&sk, &attacks), &mut outcome);
    outcome
}

/// The sides that notice at least one of these attacks.
fn noticing(sk: &SkirmishQuery, attacks: &[(Id, Id)]) -> impl Iterator<Item = Side> {
    let sides = sk.view.roster.sides();
    sides.filter(move |&side| attacks.iter().any(|&attack| notices(sk, side, attack)))
}

/// Whether a side notices an attack: it attacks or is attacked, or one of its unaware units sees
/// it.
fn notices(sk: &SkirmishQuery, side: Side, (by, at): (Id, Id)) -> bool {
    let is_own = |id: Id| sk.body(id).side == side;
    is_own(by) || is_own(at) || sees(sk, side, &[by, at])
}

/// The unaware units that attacks alarm, as far as the attackers can know.
pub fn alarmed(sk: &SkirmishQuery, attacks: &[(Id, Id)]) -> Vec<Id> {
    unaware(sk, noticing(sk, attacks))
}

/// The unaware units of these sides on the field.
pub fn unaware(sk: &SkirmishQuery, sides: impl Iterator<Item = Side>) -> Vec<Id> {
    let units = sides.flat_map(|side| sk.view.standing(side));
    units.filter(|&id| sk.is_unaware(id)).collect()
}

system_step! {
    /// An execution was carried out or attempted.
    pub struct Cry { pub by: Id, pub victim: Id } => cry
}

/// A victim that still stands alarms every side. A victim that fell alarms only the sides that see
/// it.
fn cry(In(Cry { by, victim }): In<Cry>, sk: SkirmishQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let hears = |side: &Side| sk.is_up(victim) || sees(&sk, *side, &[by, victim]);
    raise(&sk, sk.view.roster.sides().filter(hears), &mut outcome);
    outcome
}

/// Alarms all units of these sides.
pub fn raise(sk: &SkirmishQuery, sides: impl Iterator<Item = Side>, outcome: &mut StepOutcome) {
    let sides: Vec<Side> = sides.collect();
    let sleeps = |id: &Id| {
        let body = sk.body(*id);
        let there = matches!(body.state, State::Up | State::Waiting);
        sk.watch(*id).unaware && there && sides.contains(&body.side)
    };
    let who: Vec<Id> = sk.view.ids().filter(sleeps).collect();
    if !who.is_empty() {
        outcome.emit("SK-56", AwarenessEvent::Alarmed { who });
    }
}

/// Whether an unaware unit of the side sees one of these units.
fn sees(sk: &SkirmishQuery, side: Side, whom: &[Id]) -> bool {
    let sight = |id: Id, at: Id| {
        let (here, there) = (sk.body(id).space(), sk.body(at).space());
        sk.view.board.sight(here, there).los
    };
    let mut members = sk.view.standing(side).filter(|&id| sk.is_unaware(id));
    members.any(|id| whom.iter().any(|&at| sight(id, at)))
}

/// Counts another round of each stalk at the end of a round. Spending the Main on anything else
/// ends the stalk; leaving the 30 ft resets one count, moving or losing the line to the victim the
/// other.
pub fn watch_on(sk: &SkirmishQuery, outcome: &mut StepOutcome) {
    for who in sk.view.ids() {
        let Some(stalk) = sk.watch(who).stalk else {
            continue;
        };
        let fighter = sk.fighter(who);
        let why = if !sk.is_up(who) || !sk.is_unaware(stalk.at) {
            "there is nobody to stalk"
        } else if stalk.busy {
            "did something else"
        } else {
            let more = |n: u8, kept: bool| {
                if kept { (n + 1).min(MINUTE) } else { 0 }
            };
            let near = more(stalk.near, sk.view.within(who, stalk.at, numbers::NEAR));
            let aimed = more(stalk.aimed, fighter.moves > 0 && can_aim(sk, who, stalk.at));
            outcome.emit("SK-56", AwarenessEvent::Bided { who, near, aimed });
            continue;
        };
        outcome.emit("SK-56", AwarenessEvent::Spoiled { who, why });
    }
}

/// Whether a unit has a ready ranged weapon with enough range, and a line of sight to the target.
pub fn can_aim(sk: &SkirmishQuery, who: Id, at: Id) -> bool {
    let (here, there) = (sk.body(who).space(), sk.body(at).space());
    let mut ready = sk.inventory(who).ready();
    sk.view.board.sight(here, there).los && ready.any(|item| sk.flies_to(item, here, there))
}
