//! What an event looks and sounds like: floating text, a sound.

use super::{CheckRoll, Event, EventKind};
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
    Over,
}

impl Cue {
    fn new(kind: CueKind, who: Option<Id>) -> Self {
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
}

impl Event {
    /// The event's cue. `None` if the event is only logged.
    pub fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match &self.what {
            EventKind::TurnBegan { .. } => Some(Cue::new(Turn, None)),
            EventKind::Acted { choice } => {
                let kind = match choice.spell {
                    Some(_) => Spell,
                    None => Act,
                };
                Some(Cue::new(kind, choice.who))
            }
            EventKind::Stopped { who, .. } => Cue::of(Stop, *who, "stops"),
            EventKind::Moved { who, .. } => Cue::of(Step, *who, ""),
            EventKind::AttackRolled { shot } => Cue::of(Dice, shot.attack.by, ""),
            EventKind::Rerolled { who, .. } => Cue::of(Dice, *who, ""),
            EventKind::Checked(CheckRoll {
                who, what, passed, ..
            }) => {
                let (kind, verdict) = match passed {
                    None => return Some(Cue::new(Dice, *who)),
                    Some(true) => (Pass, "passes"),
                    Some(false) => (Fail, "fails"),
                };
                Some(Cue {
                    word: format!("{what}: {verdict}").into(),
                    ..Cue::new(kind, *who)
                })
            }
            EventKind::AttackSettled { hit, .. } => {
                Some(Cue::new(if *hit { Hit } else { Miss }, None))
            }
            EventKind::Damaged {
                who, by, points, ..
            } => Some(Cue {
                by: *by,
                points: *points,
                ..Cue::new(Wound, Some(*who))
            }),
            EventKind::Healed { who, points } => Some(Cue {
                points: *points,
                ..Cue::new(Heal, Some(*who))
            }),
            EventKind::Revived { who, hp, .. } => Some(Cue {
                points: *hp,
                ..Cue::new(Heal, Some(*who))
            }),
            EventKind::ConditionBegan { who, lasting, .. } => {
                let kind = if lasting.condition.harms() { Bad } else { Good };
                Cue::of(kind, *who, lasting.condition.name.clone())
            }
            EventKind::ConditionEnded { who, lasting } => {
                let kind = if lasting.condition.harms() { Good } else { Bad };
                Cue::of(kind, *who, format!("{} no more", lasting.condition.name))
            }
            EventKind::Fell { who } => Cue::of(Fall, *who, ""),
            EventKind::Died { who } => Cue::of(Death, *who, "dies"),
            EventKind::Prone { who, prone: true } => Cue::of(Stance, *who, "prone"),
            EventKind::Prone { who, .. } => Cue::of(Stance, *who, "up"),
            EventKind::Dropped { who, .. } | EventKind::ShieldDropped { who } => {
                Cue::of(Thing, *who, "drops it")
            }
            EventKind::PickedUp { who, .. } => Cue::of(Thing, *who, "takes it up"),
            EventKind::DoorMoved { by, .. } => Cue::of(Door, *by, ""),
            EventKind::Entered { who, .. } => Cue::of(Enter, *who, ""),
            EventKind::Fled { who } => Cue::of(Leave, *who, ""),
            EventKind::Flees { who } => Cue::of(Bad, *who, "flees"),
            EventKind::FightsOn { who } => Cue::of(Good, *who, "fights on"),
            EventKind::Rallied { who } => Cue::of(Good, *who, "up again"),
            EventKind::Over { .. } => Some(Cue::new(Over, None)),
            EventKind::Ruleset(own) => own.cue(),
            EventKind::RoundBegan { .. }
            | EventKind::Handicap { .. }
            | EventKind::RoundEnded
            | EventKind::Idle { .. }
            | EventKind::Stuck { .. }
            | EventKind::Surrendered { .. }
            | EventKind::Caught { .. }
            | EventKind::WillReturn { .. }
            | EventKind::Shaken { .. }
            | EventKind::Shifted { .. }
            | EventKind::Landed { .. }
            | EventKind::BrokenOff { .. }
            | EventKind::Reached { .. }
            | EventKind::Held { .. }
            | EventKind::ObjectiveLost { .. } => None,
        }
    }
}
