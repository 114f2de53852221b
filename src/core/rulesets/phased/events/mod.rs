//! The events that only Phased knows.
//!
//! - `apply`: what each changes
//! - `tell`: how the log tells it

mod apply;
mod describe;

use super::state::{Group, Job, LetGo, Part, Plan};
use crate::battle::{
    Cue, CueKind, EventKind, Id, Item, Line, Modifier, Names, RulesetEvent, Side, Unknown,
};
use bevy_ecs::world::World;
use serde::Serialize;

/// Facts of Phased alone.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum PhasedEvent {
    /// A round begins: nothing is spent.
    Refreshed,
    /// A part of the round begins (PH-01).
    Part {
        part: Part,
        group: Group,
    },
    Surprised {
        who: Id,
    },
    /// By what somebody with a class and hit dice fights, or with enhanced hit
    /// dice (PH-32, PH-33).
    FightsAs {
        who: Id,
        text: String,
    },
    /// What its natural attacks are (PH-36).
    AttacksWith {
        who: Id,
        line: String,
    },
    /// The speed at which a routine comes in a tie, and of what it is made
    /// (PH-02, PH-11, PH-12).
    Comes {
        who: Id,
        parts: Vec<Modifier>,
    },
    /// Its hand puts a shot into the other group (PH-03).
    Hand {
        who: Id,
        group: Group,
    },
    /// Only its side knows (PH-07).
    Intends {
        who: Id,
        plan: Plan,
    },
    Declares {
        who: Id,
        plan: Plan,
    },
    /// A delay from the start, beside what else is declared (PH-16); only its
    /// side knows.
    MeansDelay {
        who: Id,
    },
    DeclaresDelay {
        who: Id,
    },
    /// A declared act is given up, or there is nothing left of it.
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
    /// A minor activity; `segments` count towards the major action (PH-11).
    Minor {
        who: Id,
        simple: bool,
        segments: u8,
        lags: bool,
    },
    Passed {
        who: Id,
    },
    /// Takes position, once a round (PH-13).
    Positions {
        who: Id,
    },
    /// Lets weapons of this speed and faster go by.
    Waited {
        who: Id,
        speed: u8,
    },
    Delayed {
        who: Id,
    },
    /// A delay in LOW: the major action is lost (PH-16).
    Forgoes {
        who: Id,
    },
    /// Draws a weapon, by an act of its own (PH-12).
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
    /// It goes on in this round.
    CastsOn {
        who: Id,
        segments: u8,
    },
    /// The target is named (PH-23).
    Aims {
        who: Id,
        at: Option<Id>,
        to: Option<(i16, i16)>,
    },
    /// The spells of the round with their places in the order (PH-24).
    Chart {
        keys: Vec<(Id, u8, u16)>,
    },
    /// Concentration is broken, and the spell lost (PH-20).
    Spoiled {
        who: Id,
        spell: u8,
    },
    /// A spell is done.
    CastDone {
        who: Id,
        spell: u8,
    },
    /// An ability, or an immediate spell.
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
    /// Concentration ends, and what it kept up (PH-21); `on` is one who was
    /// held by it.
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
    /// What lay hidden is seen from now on.
    Shows {
        who: Id,
        at: (i16, i16),
        let_go: LetGo,
    },
    /// An attack or effect does nothing to it (PH-37); who sees that knows it
    /// from now on. What does not show, only its own side is told.
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
    /// Back on its feet, where there is room.
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
            // A side with nobody there comes with the first.
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
