//! What an event looks and sounds like: floating text, a sound.

use super::{Event, EventTable};
use crate::battle::Id;
use std::borrow::Cow;

/// What an event looks and sounds like. The board, the sounds and the statistics read this for
/// events of all rulesets.
#[derive(Clone, PartialEq, Debug)]
pub struct Cue {
    pub kind: CueKind,
    /// The unit that the cue appears over.
    pub who: Option<Id>,
    /// The unit that caused the event.
    pub by: Option<Id>,
    /// Points of damage, harm or healing.
    pub points: i32,
    /// The floating text, without any unit's name: "shaken".
    pub word: Cow<'static, str>,
}

/// What kind of event a cue stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CueKind {
    Turn,
    Act,
    Spell,
    /// An action fails.
    Stop,
    Step,
    Enter,
    Leave,
    Door,
    /// An item is dropped or picked up.
    Thing,
    /// A unit goes prone or gets up.
    Stance,
    Dice,
    Pass,
    Fail,
    /// Protection against an attack: a parry, a ward, full defense.
    Defense,
    Hit,
    Miss,
    /// Hit points lost.
    Wound,
    /// Points lost of something that a ruleset counts in addition to hit points.
    Harm,
    Heal,
    /// A good effect begins or a bad one ends.
    Good,
    /// A bad effect begins or a good one ends.
    Bad,
    Fall,
    Death,
    /// Unaware units wake: all that the event names.
    Alarm,
    Over,
}

impl CueKind {
    /// Good for the unit, or bad.
    pub fn good_if(is_good: bool) -> Self {
        if is_good { Self::Good } else { Self::Bad }
    }
}

impl Cue {
    pub(super) fn new(kind: CueKind, who: Option<Id>) -> Self {
        Self {
            kind,
            who,
            by: None,
            points: 0,
            word: Cow::Borrowed(""),
        }
    }

    /// Floating text over a unit.
    pub fn of(kind: CueKind, who: Id, word: impl Into<Cow<'static, str>>) -> Option<Self> {
        Some(Self {
            word: word.into(),
            ..Self::new(kind, Some(who))
        })
    }

    /// Points of damage or healing.
    pub(super) fn points(kind: CueKind, who: Id, points: i32) -> Self {
        Self {
            points,
            ..Self::new(kind, Some(who))
        }
    }

    /// Unaware units wake. The word says why: "the alarm".
    pub fn alarm(word: &'static str) -> Option<Self> {
        Some(Self {
            word: word.into(),
            ..Self::new(CueKind::Alarm, None)
        })
    }

    /// Points lost of something that a ruleset counts in addition to hit points.
    pub fn harm(who: Id, by: Option<Id>, points: i32, word: &'static str) -> Option<Self> {
        Some(Self {
            by,
            points,
            word: word.into(),
            ..Self::new(CueKind::Harm, Some(who))
        })
    }
}

impl Cue {
    /// Whether points are lost of something that a ruleset counts in addition to hit points.
    pub fn is_harm(&self) -> bool {
        self.kind == CueKind::Harm
    }

    /// Whether points of any kind are lost: hit points or harm.
    pub fn is_loss(&self) -> bool {
        matches!(self.kind, CueKind::Wound | CueKind::Harm)
    }
}

impl Event {
    /// The event's cue. `None` if the event is only logged.
    pub fn cue(&self) -> Option<Cue> {
        self.what.cue()
    }
}
