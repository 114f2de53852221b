//! Rolls that are not attacks.

use super::{Cue, CueKind};
use crate::battle::{Id, Names, Roll, Rule, Side, StepOutcome, capitalised};
use serde::Serialize;
use std::borrow::Cow;

/// A roll that is not an attack: initiative, a check, a save, morale.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CheckRoll {
    /// The unit that rolls. `None` if a side rolls, or no one in particular.
    pub who: Option<Id>,
    /// The side that rolls.
    pub side: Option<Side>,
    /// The unit that the roll is made against.
    pub at: Option<Id>,
    /// What the roll is for, without any unit's name: "morale".
    #[serde(rename = "check")]
    pub what: Cow<'static, str>,
    /// The roll decides which unit or side acts first.
    #[serde(skip)]
    pub is_initiative: bool,
    pub roll: Roll,
    /// The number that the roll has to reach.
    pub against: Option<i32>,
    pub passed: Option<bool>,
}

impl CheckRoll {
    /// Whether this check is rolled against the total of another unit's: both are of one contest.
    pub fn answers(&self, other: &Self) -> bool {
        self.who != other.who && self.against == Some(other.roll.total())
    }

    fn new(what: impl Into<Cow<'static, str>>, roll: Roll) -> Self {
        let what = what.into();
        Self {
            who: None,
            side: None,
            at: None,
            what,
            is_initiative: false,
            roll,
            against: None,
            passed: None,
        }
    }

    /// A roll of a unit.
    pub fn by(who: Id, what: impl Into<Cow<'static, str>>, roll: Roll) -> Self {
        Self {
            who: Some(who),
            ..Self::new(what, roll)
        }
    }

    /// An initiative roll of a unit.
    pub fn initiative(who: Id, roll: Roll) -> Self {
        Self {
            is_initiative: true,
            ..Self::by(who, "initiative", roll)
        }
    }

    /// An initiative roll of a side.
    pub fn initiative_of(side: Side, roll: Roll) -> Self {
        Self {
            is_initiative: true,
            ..Self::of(side, "initiative", roll)
        }
    }

    /// A roll of a side.
    pub fn of(side: Side, what: impl Into<Cow<'static, str>>, roll: Roll) -> Self {
        Self {
            side: Some(side),
            ..Self::new(what, roll)
        }
    }

    /// Makes the roll one against a unit.
    pub fn at(self, at: Id) -> Self {
        Self {
            at: Some(at),
            ..self
        }
    }

    /// Emits the roll with the number to reach and the result. Returns `passed`.
    pub fn emit(self, rule: Rule, against: i32, passed: bool, outcome: &mut StepOutcome) -> bool {
        outcome.emit(rule, self.against(against).passed(passed));
        passed
    }

    /// Sets the number that the roll has to reach.
    pub fn against(self, against: impl Into<Option<i32>>) -> Self {
        Self {
            against: against.into(),
            ..self
        }
    }

    /// Sets whether the roll succeeded.
    pub fn passed(self, passed: impl Into<Option<bool>>) -> Self {
        Self {
            passed: passed.into(),
            ..self
        }
    }

    /// "Mara, morale: 2d6 7 against 8: passes".
    pub(super) fn log_text(&self, names: &Names) -> String {
        let name = self.name(names);
        let (what, roll) = (&self.what, &self.roll);
        let at = self.at.map(|at| format!(" against {}", names.name(at)));
        let at = at.unwrap_or_default();
        let against = self.against.map(|n| format!(" against {n}"));
        let against = against.unwrap_or_default();
        let verdict = match self.passed {
            Some(true) => ": passes",
            Some(false) => ": fails",
            None => "",
        };
        format!("{name}, {what}{at}: {roll}{against}{verdict}")
    }

    pub(super) fn cue(&self) -> Cue {
        let (kind, verdict) = match self.passed {
            None => return Cue::new(CueKind::Dice, self.who),
            Some(true) => (CueKind::Pass, "passes"),
            Some(false) => (CueKind::Fail, "fails"),
        };
        Cue {
            word: format!("{}: {verdict}", self.what).into(),
            ..Cue::new(kind, self.who)
        }
    }

    /// The unit or side that rolls, at the start of a sentence.
    pub fn name(&self, names: &Names) -> String {
        match (self.who, self.side) {
            (Some(who), _) => names.title(who).to_owned(),
            (_, Some(side)) => capitalised(names.side(side)),
            _ => String::new(),
        }
    }
}
