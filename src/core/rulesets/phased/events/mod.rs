//! The events that only Phased knows.
//!
//! - `apply`: what each event changes
//! - `describe`: the log line of each event

mod apply;
mod describe;

use super::state::{Group, Job, LetGo, Part, Plan};
use crate::battle::{
    Cue, CueKind, EventKind, Id, Item, Line, Modifier, Names, RulesetEvent, Side, Unknown,
};
use bevy_ecs::world::World;
use serde::Serialize;

/// Events that only Phased knows.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum PhasedEvent {
    /// A round begins and nothing is spent.
    Refreshed,
    /// A part of the round begins (PH-01).
    Part {
        part: Part,
        group: Group,
    },
    Surprised {
        who: Id,
    },
    /// Whether a unit with a class and hit dice fights by its level or its hit dice, or how it
    /// fights with enhanced hit dice (PH-32, PH-33).
    FightsAs {
        who: Id,
        text: String,
    },
    /// The unit's natural attacks (PH-36).
    AttacksWith {
        who: Id,
        line: String,
    },
    /// The speed of a routine in a tie, as its parts (PH-02, PH-11, PH-12).
    Comes {
        who: Id,
        parts: Vec<Modifier>,
    },
    /// The unit's reaction adjustment puts a shot into the other group (PH-03).
    Hand {
        who: Id,
        group: Group,
    },
    /// A declaration that only the unit's side knows (PH-07).
    Intends {
        who: Id,
        plan: Plan,
    },
    Declares {
        who: Id,
        plan: Plan,
    },
    /// A delay declared with any other plan (PH-16); only the unit's side knows.
    MeansDelay {
        who: Id,
    },
    DeclaresDelay {
        who: Id,
    },
    /// A declared action is given up or no longer possible.
    Dropped {
        who: Id,
    },
    Initiative {
        dice: Vec<u16>,
    },
    /// The fast actions of the round, in order (PH-05).
    FastOrder {
        acts: Vec<(Id, Part)>,
    },
    Spent {
        who: Id,
    },
    /// A minor activity; its `segments` count towards the major action (PH-11).
    Minor {
        who: Id,
        simple: bool,
        segments: u8,
        lags: bool,
    },
    Passed {
        who: Id,
    },
    /// The unit takes position, once per round (PH-13).
    Positions {
        who: Id,
    },
    /// The unit passes on weapons of this speed or faster.
    Waited {
        who: Id,
        speed: u8,
    },
    Delayed {
        who: Id,
    },
    /// A delay in LOW, which loses the major action (PH-16).
    Forgoes {
        who: Id,
    },
    /// The unit draws a weapon as a separate action (PH-12).
    Drew {
        who: Id,
        with: Item,
    },
    Routines {
        who: Id,
        left: u8,
    },
    FreeAttack {
        who: Id,
        on: Id,
    },
    /// Casting begins (PH-22).
    Casts {
        who: Id,
        spell: u8,
        segments: u8,
    },
    /// A casting continues in this round.
    CastsOn {
        who: Id,
        segments: u8,
    },
    /// The caster names the target (PH-23).
    Aims {
        who: Id,
        at: Option<Id>,
        to: Option<(i16, i16)>,
    },
    /// The spells of the round with their initiative keys (PH-24).
    Chart {
        keys: Vec<(Id, u8, u16)>,
    },
    /// Concentration is broken and the spell lost (PH-20).
    Spoiled {
        who: Id,
        spell: u8,
    },
    /// A spell completes.
    CastDone {
        who: Id,
        spell: u8,
    },
    /// An innate ability or immediate spell is used.
    Used {
        who: Id,
        spell: u8,
        is_spell: bool,
    },
    KeepsUp {
        who: Id,
        spell: u8,
        on: Id,
    },
    /// Concentration ends, and the spell that it kept up (PH-21); `on` is a unit that was held by
    /// the spell.
    LetsGo {
        who: Id,
        on: Option<Id>,
    },
    Charged {
        who: Id,
    },
    Listens {
        who: Id,
    },
    Parleyed {
        side: Side,
    },
    HearsNoMore {
        who: Id,
    },
    /// A hidden unit is seen from now on.
    Shows {
        who: Id,
        at: (i16, i16),
        let_go: LetGo,
    },
    /// An attack or effect does nothing to the unit (PH-37). If it `shows`, the attacker's side
    /// knows so from now on; otherwise only the unit's own side sees the event.
    Foiled {
        who: Id,
        by: Id,
        shows: bool,
        hedged: bool,
    },
    Working {
        who: Id,
        job: Job,
        rounds: u8,
    },
    WorkDone {
        who: Id,
    },
    Loaded {
        who: Id,
        with: Item,
    },
    Shot {
        who: Id,
        with: Item,
    },
    Bleeds {
        who: Id,
    },
    Bound {
        who: Id,
    },
    /// The unit stands up again, at a cell with room.
    Rises {
        who: Id,
        at: (i16, i16),
    },
}

impl RulesetEvent for PhasedEvent {
    fn apply(&self, world: &mut World) {
        apply::apply(self, world);
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        describe::describe(self, names)
    }

    fn without(&self, unknown: Unknown) -> Option<EventKind> {
        let known = match self {
            // A side that the viewer does not know counts as HIGH, like a side without units.
            Self::Initiative { dice } => {
                let best = dice.iter().max().copied().unwrap_or(0);
                let die = |(n, die): (usize, &u16)| match unknown.has_side(Side(n as u8)) {
                    true => best,
                    false => *die,
                };
                let dice = dice.iter().enumerate().map(die).collect();
                Self::Initiative { dice }
            }
            Self::FastOrder { acts } => {
                let known = acts.iter().copied();
                let acts: Vec<_> = known.filter(|act| !unknown.has(act.0)).collect();
                (!acts.is_empty()).then_some(Self::FastOrder { acts })?
            }
            Self::Chart { keys } => {
                let known = keys.iter().copied();
                let keys: Vec<_> = known.filter(|key| !unknown.has(key.0)).collect();
                (!keys.is_empty()).then_some(Self::Chart { keys })?
            }
            _ => return None,
        };
        Some(known.into())
    }

    fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match self {
            Self::Surprised { who } => Cue::of(Bad, *who, "surprised"),
            Self::Spoiled { who, .. } => Cue::of(Bad, *who, "loses the spell"),
            Self::Foiled { who, .. } => Cue::of(Defense, *who, "no harm"),
            Self::Shows { who, .. } => Cue::of(Good, *who, "seen"),
            Self::Bleeds { who } => Cue::of(Bad, *who, "bleeds"),
            Self::Bound { who } => Cue::of(Good, *who, "bound"),
            Self::Rises { who, .. } => Cue::of(Good, *who, "up again"),
            _ => None,
        }
    }
}
