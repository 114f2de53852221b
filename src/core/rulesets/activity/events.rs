//! Events that only Activity knows.

use super::state::{ActionKind, Actor, Clock, Lasts, PlannedAction, Stage, Timed};
use crate::battle::{
    Body, Cue, CueKind, Id, Item, Line, LogLevel, Modifier, Names, RulesetEvent, SpellId, State,
    all_units_mut, numeral, of_unit_mut, signed,
};
use crate::grid::Cell;
use bevy_ecs::world::World;
use serde::Serialize;
use std::borrow::Cow;

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum ActivityEvent {
    /// A round begins: every unit has its full activity again.
    Refreshed,
    /// A unit with haste or chi speed has 200% activity this round (AC-25).
    Swift {
        who: Id,
    },
    Initiative {
        who: Id,
        count: i32,
    },
    /// Sealed: an action is declared.
    Declared {
        who: Id,
        planned: PlannedAction,
    },
    /// Sealed: a spell is declared, its casting time not yet.
    Names {
        who: Id,
        spell: SpellId,
        points: i32,
    },
    /// Sealed: OB kept for parrying.
    Parries {
        who: Id,
        share: i32,
    },
    /// Sealed: the unit has finished declaring.
    Ready {
        who: Id,
    },
    /// The round reaches this count.
    Counted {
        count: i32,
    },
    /// All counts are over: leftover activity can be used for movement (AC-10).
    CountsOver,
    /// A unit starts an action that is due.
    Begins {
        who: Id,
        deed: ActionKind,
        percent: i32,
    },
    /// An action continues in the next round.
    Overruns {
        who: Id,
        planned: PlannedAction,
    },
    /// An action is given up, or has become impossible.
    Drops {
        who: Id,
        deed: ActionKind,
        why: Cow<'static, str>,
        /// Percent that the action costs anyway (AC-13).
        spent: i32,
    },
    /// The unit's melee has no enemy in reach, so it waits for one (AC-15).
    Waits {
        who: Id,
    },
    /// The OB kept for parrying was used against an attack (AC-13).
    Parried {
        who: Id,
    },
    /// The OB kept for parrying did not count; only the unit's side sees why.
    CannotParry {
        who: Id,
        why: Cow<'static, str>,
    },
    /// The target's defence against an attack, part by part (AC-32).
    Defends {
        who: Id,
        parts: Vec<Modifier>,
    },
    Ran {
        who: Id,
        feet: u16,
    },
    /// Leftover activity has been used for movement, or declined.
    Settled {
        who: Id,
    },
    Loaded {
        who: Id,
        item: Item,
    },
    Loosed {
        who: Id,
        item: Item,
    },
    /// The unit has made its one attack of the round against an enemy leaving its reach.
    Struck {
        who: Id,
    },
    ParriedMissile {
        who: Id,
    },
    Wounded {
        who: Id,
        stun: i32,
        bleed: i32,
        penalty: i32,
        maneuver: i32,
    },
    Stanched {
        who: Id,
    },
    Power {
        who: Id,
        points: i32,
    },
    Cast {
        who: Id,
        spell: SpellId,
    },
    Lasts {
        who: Id,
        lasting: Timed,
    },
    /// A round ends: durations count down.
    Waned,
    Revealed {
        who: Id,
        at: Cell,
    },
}

impl RulesetEvent for ActivityEvent {
    fn apply(&self, world: &mut World) {
        use ActivityEvent::*;
        fn actor<'w>(world: &'w mut World, id: &Id) -> &'w mut Actor {
            of_unit_mut::<Actor>(world, *id)
        }
        match self {
            Refreshed => refresh(world),
            Swift { who } => actor(world, who).capacity = 200,
            Initiative { who, count } => actor(world, who).initiative = *count,
            Declared { who, planned } => {
                let a = actor(world, who);
                a.naming = None;
                a.plan.push(*planned);
            }
            Names { who, spell, points } => actor(world, who).naming = Some((*spell, *points)),
            Parries { who, share } => actor(world, who).parry = *share,
            Ready { who } => actor(world, who).declared = true,
            Counted { count } => world.resource_mut::<Clock>().stage = Stage::Count(*count),
            CountsOver => world.resource_mut::<Clock>().stage = Stage::LeftOver,
            Begins { who, deed, percent } => {
                let a = actor(world, who);
                // Replicas that did not know of the action learn of it now.
                if a.plan.len() == a.next {
                    a.plan.push(PlannedAction::new(*deed, *percent));
                }
                a.next += 1;
                a.spent += percent;
                a.waiting = false;
                if deed.is_action() {
                    a.last = Some(*deed);
                }
            }
            Overruns { who, planned } => {
                let a = actor(world, who);
                a.spent = a.capacity;
                a.carry = Some(*planned);
            }
            Drops { who, spent, .. } => {
                let a = actor(world, who);
                let next = a.next;
                if next < a.plan.len() {
                    a.plan.remove(next);
                }
                a.spent += spent;
                (a.waiting, a.carry) = (false, None);
            }
            Waits { who } => actor(world, who).waiting = true,
            Parried { who } => actor(world, who).parried = true,
            CannotParry { .. } | Defends { .. } => {}
            Ran { who, feet } => actor(world, who).moved += feet,
            Settled { who } => actor(world, who).settled = true,
            Loaded { who, item } => actor(world, who).loaded.push(*item),
            Loosed { who, item } => actor(world, who).loaded.retain(|i| i != item),
            Struck { who } => actor(world, who).struck = true,
            ParriedMissile { who } => actor(world, who).missiles_parried += 1,
            Wounded {
                who,
                stun,
                bleed,
                penalty,
                maneuver,
            } => {
                let a = actor(world, who);
                a.stunned += stun;
                a.bleeding += bleed;
                a.penalty += penalty;
                a.clumsy += maneuver;
            }
            Stanched { who } => actor(world, who).bleeding = 0,
            Power { who, points } => actor(world, who).power -= points,
            Cast { who, spell } => {
                let a = actor(world, who);
                match a.cast.iter_mut().find(|c| c.0 == *spell) {
                    Some(cast) => cast.1 += 1,
                    None => a.cast.push((*spell, 1)),
                }
            }
            Lasts { who, lasting } => actor(world, who).lasting.push(*lasting),
            Waned => wane(world),
            Revealed { who, at } => {
                actor(world, who).hidden = false;
                let body = of_unit_mut::<Body>(world, *who);
                // Replicas that did not know of the unit see it from now on.
                if body.state == State::Waiting {
                    (body.state, body.at) = (State::Up, *at);
                }
            }
        }
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        use self::ActivityEvent::*;
        use LogLevel::{Detail, Trace};
        const FACT: LogLevel = LogLevel::Fact;
        let title = |id: &Id| names.title(*id);
        match self {
            Refreshed
            | Settled { .. }
            | Waned
            | Ran { .. }
            | Power { .. }
            | Cast { .. }
            | CountsOver => None,
            Counted { count } => Line::new(Detail, format!("Count {}", numeral(*count))),
            Swift { who } => Line::new(Detail, format!("{} has 200% activity", title(who))),
            Initiative { who, count } => Line::new(
                Trace,
                format!("{} has initiative {}", title(who), numeral(*count)),
            ),
            Declared { who, planned } => Line::new(
                Detail,
                format!(
                    "{} declares {} ({}% of the round)",
                    title(who),
                    deed_name(&planned.deed, names),
                    planned.percent
                ),
            ),
            Names { who, spell, points } => Line::new(
                Trace,
                format!(
                    "{} will put {points} power points into {}",
                    title(who),
                    names.spell(*spell)
                ),
            ),
            Parries { who, share } => Line::new(
                Detail,
                format!("{} keeps {share} OB for parrying", title(who)),
            ),
            Ready { who } => Line::new(Trace, format!("{} has declared", title(who))),
            Begins { who, deed, percent } => Line::new(
                Trace,
                format!(
                    "{} spends {percent}% on {}",
                    title(who),
                    deed_name(deed, names)
                ),
            ),
            Overruns { who, planned } => Line::new(
                Detail,
                format!(
                    "{} continues {} next round: {}% left",
                    title(who),
                    deed_name(&planned.deed, names),
                    planned.percent
                ),
            ),
            Drops {
                who,
                deed,
                why,
                spent,
            } => {
                let paid = match spent {
                    0 => String::new(),
                    n => format!("; has parried, and the {n}% are spent"),
                };
                let deed = deed_name(deed, names);
                Line::new(FACT, format!("{} gives up {deed}: {why}{paid}", title(who)))
            }
            Waits { who } => Line::new(FACT, format!("{} waits, ready to strike", title(who))),
            Parried { who } => Line::new(Trace, format!("{} has parried", title(who))),
            CannotParry { who, why } => {
                Line::new(Detail, format!("{} cannot parry: {why}", title(who)))
            }
            Defends { who, parts } => {
                let parts = parts.iter().map(|m| format!("{} {}", m.value, m.label));
                let parts = parts.collect::<Vec<_>>().join(" + ");
                Line::new(Trace, format!("{} defends: {parts}", title(who)))
            }
            Loaded { who, item } => Line::new(
                FACT,
                format!("{} has loaded {}", title(who), names.item(*item)),
            ),
            Loosed { .. } | Struck { .. } => None,
            ParriedMissile { who } => {
                Line::new(Detail, format!("{} has parried its missile", title(who)))
            }
            Wounded {
                who,
                stun,
                bleed,
                penalty,
                maneuver,
            } => {
                let mut parts = vec![];
                if *stun > 0 {
                    parts.push(format!("stunned for {}", rounds(*stun)));
                }
                if *bleed > 0 {
                    parts.push(format!("bleeds {bleed} a round"));
                }
                if *penalty < 0 {
                    parts.push(format!("{} to everything", signed(*penalty)));
                }
                if *maneuver < 0 {
                    parts.push(format!("{} to maneuvers", signed(*maneuver)));
                }
                Line::new(FACT, format!("{}: {}", title(who), parts.join(", ")))
            }
            Stanched { who } => Line::new(FACT, format!("{} bleeds no more", title(who))),
            Lasts { who, lasting } => {
                let what = match lasting.what {
                    self::Lasts::Swift => String::from("is swift"),
                    self::Lasts::QuickLoad => String::from("loads at once"),
                    self::Lasts::Surprised => {
                        return Line::new(FACT, format!("{} is caught unaware", title(who)));
                    }
                    self::Lasts::ChiSpent => return None,
                };
                Line::new(
                    FACT,
                    format!("{} {what} for {}", title(who), rounds(lasting.rounds)),
                )
            }
            Revealed { who, at } => Line::new(FACT, format!("{} is seen at {at}", title(who))),
        }
    }

    fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match self {
            Self::Parried { who } | Self::ParriedMissile { who } => {
                Cue::of(Defense, *who, "parries")
            }
            Self::Drops { who, why, .. } => Cue::of(Stop, *who, why.clone()),
            Self::Wounded { who, stun, .. } if *stun > 0 => Cue::of(Bad, *who, "stunned"),
            Self::Wounded { who, bleed, .. } if *bleed > 0 => Cue::of(Bad, *who, "bleeds"),
            Self::Stanched { who } => Cue::of(Good, *who, "stanched"),
            Self::Revealed { who, .. } => Cue::of(Good, *who, "seen"),
            _ => None,
        }
    }
}

/// Gives every unit 100% again; actions carried over come first in the plan (AC-01, AC-10).
fn refresh(world: &mut World) {
    for a in all_units_mut::<Actor>(world) {
        a.plan = a.carry.take().into_iter().collect();
        a.capacity = 100;
        (a.naming, a.parry, a.declared) = (None, 0, false);
        (a.next, a.spent, a.last) = (0, 0, None);
        (a.moved, a.settled) = (0, false);
        (a.struck, a.waiting) = (false, false);
        (a.parried, a.missiles_parried) = (false, 0);
    }
    let mut clock = world.resource_mut::<Clock>();
    clock.round += 1;
    clock.stage = Stage::Declaring;
}

/// "1 round", "2 rounds".
fn rounds(n: impl Into<i64>) -> String {
    match n.into() {
        1 => String::from("1 round"),
        n => format!("{n} rounds"),
    }
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

/// The name of an action for the log: "melee".
pub fn deed_name(deed: &ActionKind, names: &Names) -> String {
    match deed {
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
