//! Events that only Activity knows.

use super::state::{ActionKind, Actor, Clock, Lasts, PlannedAction, Stage, Timed};
use crate::{
    battle::{
        Body, Cue, CueKind, Handling, Id, Item, LogField, Modifier, Names, SpellId, all_units_mut,
        events, numeral, of_unit_mut, signed,
    },
    grid::Cell,
    words::count as counted,
};
use bevy_ecs::world::World;
use std::borrow::Cow;

events! {
    /// Events that only Activity knows.
    pub enum ActivityEvent: RulesetEvent |world, names, unknown| {
        /// A round begins: every unit has its full activity again.
        Refreshed log(silent) apply { refresh(world) };

        /// A unit with haste or chi speed has 200% activity this round (AC-25).
        Swift { who: Id }
            log(Detail "{who} has 200% activity") apply { actor(world, who).capacity = 200 };

        Initiative { who: Id, count: i32 }
            log(Trace "{who} has initiative {count}", count = numeral(*count))
            apply { actor(world, who).initiative = *count };

        /// Sealed: an action is declared.
        Declared { who: Id, planned: PlannedAction }
            log(Detail "{who} declares {kind} ({percent}% of the round)",
                kind = action_name(&planned.kind, names), percent = planned.percent)
            apply {
                let a = actor(world, who);
                a.naming = None;
                a.plan.push(*planned);
            };

        /// Sealed: a spell is declared, its casting time not yet.
        Names { who: Id, spell: SpellId, points: i32 }
            log(Trace "{who} will put {points} power points into {spell}")
            apply { actor(world, who).naming = Some((*spell, *points)) };

        /// Sealed: OB kept for parrying.
        Parries { who: Id, share: i32 }
            log(Detail "{who} keeps {share} OB for parrying")
            apply { actor(world, who).parry = *share };

        /// Sealed: the unit has finished declaring.
        Ready { who: Id }
            log(Trace "{who} has declared") apply { actor(world, who).declared = true };

        /// The round reaches this count.
        Counted { count: i32 }
            log(Detail "Count {count}", count = numeral(*count))
            apply { world.resource_mut::<Clock>().stage = Stage::Count(*count) };

        /// All counts are over: leftover activity can be used for movement (AC-10).
        CountsOver log(silent) apply { world.resource_mut::<Clock>().stage = Stage::LeftOver };

        /// A unit starts an action that is due.
        Begins { who: Id, #[serde(rename = "deed")] kind: ActionKind, percent: i32 }
            log(Trace "{who} spends {percent}% on {kind}")
            apply {
                let a = actor(world, who);
                // Replicas that did not know of the action learn of it now.
                if a.plan.len() == a.next {
                    a.plan.push(PlannedAction::new(*kind, *percent));
                }
                a.next += 1;
                a.spent += percent;
                a.waiting = false;
                if kind.is_action() {
                    a.last = Some(*kind);
                }
            };

        /// An action continues in the next round.
        Overruns { who: Id, planned: PlannedAction }
            log(Detail "{who} continues {kind} next round: {percent}% left",
                kind = action_name(&planned.kind, names), percent = planned.percent)
            apply {
                let a = actor(world, who);
                a.spent = a.capacity;
                a.carry = Some(*planned);
            };

        /// An action is given up, or has become impossible. `spent`: percent that it costs anyway
        /// (AC-13).
        Drops { who: Id, #[serde(rename = "deed")] kind: ActionKind, why: Cow<'static, str>, spent: i32 }
            log(if (*spent == 0) { Fact "{who} gives up {kind}: {why}" }
                else { Fact "{who} gives up {kind}: {why}; has parried, and the {spent}% are spent" })
            cue(Stop, who, why.clone())
            apply {
                let a = actor(world, who);
                let next = a.next;
                if next < a.plan.len() {
                    a.plan.remove(next);
                }
                a.spent += spent;
                (a.waiting, a.carry) = (false, None);
            };

        /// The unit's melee has no enemy in reach, so it waits for one (AC-15).
        Waits { who: Id }
            log(Fact "{who} waits, ready to strike") apply { actor(world, who).waiting = true };

        /// The OB kept for parrying was used against an attack (AC-13).
        Parried { who: Id }
            log(Trace "{who} has parried")
            cue(Defense, who, "parries")
            apply { actor(world, who).parried = true };

        /// The OB kept for parrying did not count; only the unit's side sees why.
        CannotParry { who: Id, why: Cow<'static, str> } log(Detail "{who} cannot parry: {why}");

        /// The target's defence against an attack, part by part (AC-32).
        Defends { who: Id, parts: Vec<Modifier> }
            log(Trace "{who} defends: {parts}", parts = {
                let parts = parts.iter().map(|m| format!("{} {}", m.value, m.label));
                parts.collect::<Vec<_>>().join(" + ")
            });

        Ran { who: Id, feet: u16 } log(silent) apply { actor(world, who).moved += feet };

        /// Leftover activity has been used for movement, or declined.
        Settled { who: Id } log(silent) apply { actor(world, who).leftover_done = true };

        Loaded { who: Id, item: Item }
            log(Fact "{who} has loaded {item}")
            apply { actor(world, who).loaded.push(*item) }
            handles(Handling::Load, who, Some(*item));

        Loosed { who: Id, item: Item }
            log(silent) apply { actor(world, who).loaded.retain(|i| i != item) };

        /// The unit has made its one attack of the round against an enemy leaving its reach.
        Struck { who: Id } log(silent) apply { actor(world, who).struck = true };

        ParriedMissile { who: Id }
            log(Detail "{who} has parried its missile")
            cue(Defense, who, "parries")
            apply { actor(world, who).missiles_parried += 1 };

        Wounded { who: Id, stun: i32, bleed: i32, penalty: i32, maneuver: i32 }
            log(Fact "{who}: {wounds}", wounds = wounds(*stun, *bleed, *penalty, *maneuver))
            cue(match (*stun > 0, *bleed > 0) {
                (true, _) => Cue::of(CueKind::Bad, *who, "stunned"),
                (_, true) => Cue::of(CueKind::Bad, *who, "bleeds"),
                _ => None,
            })
            apply {
                let a = actor(world, who);
                a.stunned += stun;
                a.bleeding += bleed;
                a.penalty += penalty;
                a.clumsy += maneuver;
            };

        Stanched { who: Id }
            log(Fact "{who} bleeds no more")
            cue(Good, who, "stanched")
            apply { actor(world, who).bleeding = 0 };

        Power { who: Id, points: i32 } log(silent) apply { actor(world, who).power -= points };

        Cast { who: Id, spell: SpellId }
            log(silent) apply { actor(world, who).castings.add(*spell) };

        Lasts { who: Id, lasting: Timed }
            log(if (lasting.what == Lasts::ChiSpent) { silent }
                else if (lasting.what == Lasts::Surprised) { Fact "{who} is caught unaware" }
                else if (lasting.what == Lasts::Swift) { Fact "{who} is swift for {time}",
                    time = counted(lasting.rounds as usize, "round") }
                else { Fact "{who} loads at once for {time}",
                    time = counted(lasting.rounds as usize, "round") })
            apply { actor(world, who).lasting.push(*lasting) };

        /// A round ends: durations count down.
        Waned log(silent) apply { wane(world) };

        Revealed { who: Id, at: Cell }
            log(Fact "{who} is seen")
            cue(Good, who, "seen")
            apply {
                actor(world, who).hidden = false;
                of_unit_mut::<Body>(world, *who).appear(*at);
            };
    }
}

fn actor<'w>(world: &'w mut World, who: &Id) -> &'w mut Actor {
    of_unit_mut::<Actor>(world, *who)
}

/// "stunned for 2 rounds, bleeds 3 a round".
fn wounds(stun: i32, bleed: i32, penalty: i32, maneuver: i32) -> String {
    let parts = [
        (stun > 0).then(|| format!("stunned for {}", counted(stun as usize, "round"))),
        (bleed > 0).then(|| format!("bleeds {bleed} a round")),
        (penalty < 0).then(|| format!("{} to everything", signed(penalty))),
        (maneuver < 0).then(|| format!("{} to maneuvers", signed(maneuver))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Gives every unit 100% again; actions carried over come first in the plan (AC-01, AC-10).
fn refresh(world: &mut World) {
    for a in all_units_mut::<Actor>(world) {
        a.plan = a.carry.take().into_iter().collect();
        a.capacity = 100;
        (a.naming, a.parry, a.declared) = (None, 0, false);
        (a.next, a.spent, a.last) = (0, 0, None);
        (a.moved, a.leftover_done) = (0, false);
        (a.struck, a.waiting) = (false, false);
        (a.parried, a.missiles_parried) = (false, 0);
    }
    let mut clock = world.resource_mut::<Clock>();
    clock.round += 1;
    clock.stage = Stage::Declaring;
}

/// Counts down durations by one round (AC-20).
fn wane(world: &mut World) {
    for a in all_units_mut::<Actor>(world) {
        a.stunned = (a.stunned - 1).max(0);
        for lasting in &mut a.lasting {
            lasting.rounds -= 1;
        }
        a.lasting.retain(|l| l.rounds > 0);
    }
}

impl LogField for ActionKind {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str> {
        action_name(self, names).into()
    }
}

/// The name of an action for the log: "melee".
pub fn action_name(kind: &ActionKind, names: &Names) -> String {
    match kind {
        ActionKind::Melee => "melee".into(),
        ActionKind::Missile => "a missile attack".into(),
        ActionKind::Charge => "a charge".into(),
        ActionKind::Move => "moving".into(),
        ActionKind::Reload(item) => format!("loading {}", names.item(*item)),
        ActionKind::Draw(item) => format!("drawing {}", names.item(*item)),
        ActionKind::Change(item) => format!("changing to {}", names.item(*item)),
        ActionKind::LetGo(item) => format!("dropping {}", names.item(*item)),
        ActionKind::DropProne => "dropping to the ground".into(),
        ActionKind::StandUp => "standing up".into(),
        ActionKind::ParryMissile => "a missile parry".into(),
        ActionKind::Spell { spell, points } | ActionKind::Instant { spell, points } => {
            format!("{} with {points} power points", names.spell(*spell))
        }
        ActionKind::Stanch => "stanching blood".into(),
        ActionKind::Herb => "taking a herb".into(),
        ActionKind::Perceive => "looking about".into(),
        ActionKind::ChiSpeed => "chi speed".into(),
        ActionKind::ChiDefense => "chi defense".into(),
        ActionKind::PickUp => "picking something up".into(),
        ActionKind::Door => "a door".into(),
    }
}
