//! Events: facts that happened. Applying events is the only way to change a world, be it the
//! battle's own, a side's knowledge or the screen's.

use super::{
    ActiveCondition, Choice, Id, Item, Names, Place, Roll, RolledAttack, Rule, Shaken, Side,
    SpellId, StepOutcome, capitalised,
};
use crate::grid::Cell;
use bevy_ecs::world::World;
use serde::Serialize;
use std::{borrow::Cow, fmt::Debug, sync::Arc};

mod apply;
mod concerns;
mod cue;
mod data;
mod describe;
mod unknown;

pub use apply::apply;
pub use concerns::Concerns;
pub use cue::{Cue, CueKind};
pub use describe::{log_lines, restates};
pub use unknown::Unknown;

#[derive(Clone, Debug)]
pub struct Event {
    pub rule: Rule,
    pub seen: Seen,
    pub what: EventKind,
}

/// Who can see an event. A secret event stays secret until another event reveals it to all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    All,
    Only(Side),
    /// Visible to all; until now only this side knew it.
    Told(Side),
}

impl Seen {
    /// Visible to all if `is_open`, else to this side only.
    pub fn all_if(is_open: bool, side: Side) -> Self {
        match is_open {
            true => Self::All,
            false => Self::Only(side),
        }
    }

    pub fn by(self, side: Side) -> bool {
        !matches!(self, Self::Only(other) if other != side)
    }

    /// Whether the event reveals to `side` what another side knew before.
    pub fn is_news_to(self, side: Side) -> bool {
        matches!(self, Self::Told(other) if other != side)
    }
}

/// What happened: facts and changes, never a whole new component.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// The battle begins, and a side has a handicap.
    Handicap {
        side: Side,
        points: u8,
    },
    RoundBegan {
        round: u16,
    },
    TurnBegan {
        side: Side,
    },
    /// An action or reaction begins; its effects follow as further events.
    Acted {
        choice: Choice,
    },
    /// An action that began has failed.
    Stopped {
        who: Id,
        why: Cow<'static, str>,
    },
    /// One step of a move. `feet` is its cost.
    Moved {
        who: Id,
        from: Cell,
        to: Cell,
        feet: u16,
    },
    /// A roll that is not an attack.
    Checked(CheckRoll),
    AttackRolled {
        shot: RolledAttack,
    },
    /// The die of a pending attack was rolled again. Only the new roll counts.
    Rerolled {
        serial: u32,
        who: Id,
        roll: Roll,
    },
    AttackSettled {
        serial: u32,
        hit: bool,
        against: i32,
        why: Cow<'static, str>,
    },
    Damaged {
        who: Id,
        by: Option<Id>,
        points: i32,
        roll: Roll,
    },
    /// The units in the area of a spell, in id order (GR-41).
    Caught {
        spell: SpellId,
        who: Vec<Id>,
    },
    Healed {
        who: Id,
        points: i32,
    },
    /// A unit gets a condition for a number of rounds.
    ConditionBegan {
        who: Id,
        lasting: ActiveCondition,
        rounds: i32,
    },
    ConditionEnded {
        who: Id,
        lasting: ActiveCondition,
    },
    Fell {
        who: Id,
    },
    /// A unit that was down gets up, prone, with this many hit points.
    Revived {
        who: Id,
        at: Cell,
        hp: i32,
    },
    Died {
        who: Id,
    },
    Prone {
        who: Id,
        prone: bool,
    },
    /// An item is drawn, put away, taken from the pack or stowed.
    Shifted {
        who: Id,
        item: Item,
        from: Place,
        to: Place,
    },
    /// An item falls to the ground.
    Dropped {
        who: Id,
        item: Item,
        from: Place,
        at: Cell,
    },
    /// A thrown item lies where it landed.
    Landed {
        who: Id,
        item: Item,
        from: Place,
        at: Cell,
    },
    /// An item is picked up from the ground and held.
    PickedUp {
        who: Id,
        item: Item,
        at: Cell,
    },
    ShieldDropped {
        who: Id,
    },
    DoorMoved {
        by: Id,
        cell: Cell,
        open: bool,
    },
    Entered {
        who: Id,
        at: Cell,
    },
    Fled {
        who: Id,
    },
    /// A unit's morale breaks: it runs for an exit.
    Flees {
        who: Id,
    },
    /// A unit that should flee finds no way to an exit and fights.
    FightsOn {
        who: Id,
    },
    /// A unit that left the field comes back in this round.
    WillReturn {
        who: Id,
        round: u16,
    },
    /// A unit that fled is back and fights.
    Rallied {
        who: Id,
    },
    /// The reasons for which a side's morale has been checked so far.
    Shaken {
        side: Side,
        shaken: Shaken,
    },
    /// Units have reached an objective's area. `who` is a bit set of the new ones; `so_far`
    /// includes them. `text` is the objective's.
    Reached {
        objective: usize,
        who: u64,
        so_far: u32,
        needed: u32,
        text: Cow<'static, str>,
    },
    /// A side has held an area at the end of this many rounds in a row.
    Held {
        objective: usize,
        side: Side,
        rounds: u32,
        needed: u32,
        text: Cow<'static, str>,
    },
    /// An objective can no longer be met.
    ObjectiveLost {
        objective: usize,
        side: Side,
        text: Cow<'static, str>,
    },
    /// Rounds in a row without progress by any side (OP-07). `nearest`: for each unit, the fewest
    /// steps to what its side is after, since the count began.
    Idle {
        rounds: u32,
        nearest: Arc<[u16]>,
        /// The number of rounds after which the battle is a draw, if it can be one.
        limit: Option<u32>,
    },
    /// No unit of a side can reach or harm an enemy from where it stands (OP-07).
    Stuck {
        side: Side,
    },
    /// A side surrenders (OP-08): its units leave at the end of the round.
    Surrendered {
        side: Side,
    },
    RoundEnded,
    /// This step would repeat forever, so it was skipped. Never happens in a correct ruleset.
    BrokenOff {
        step: Cow<'static, str>,
    },
    Over {
        won: Option<Side>,
        why: String,
        end: End,
    },
    /// An event of one ruleset.
    Ruleset(Arc<dyn RulesetEvent>),
}

/// What ended a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// An objective was met, or at most one side is left.
    Decided,
    /// The last round is over, and no side has won.
    RoundLimit,
    /// Too many rounds without progress by any side (OP-07).
    Stalemate,
    /// A bug in the rules: see [`EventKind::BrokenOff`].
    BrokenOff,
}

impl EventKind {
    /// A unit carries out its choice.
    pub fn acted(choice: &Choice) -> Self {
        let choice = choice.clone();
        Self::Acted { choice }
    }

    /// A spell's area includes these units.
    pub fn caught(spell: SpellId, who: &[Id]) -> Self {
        let who = who.to_vec();
        Self::Caught { spell, who }
    }

    /// A unit takes damage, from a unit or from something else.
    pub fn damaged(who: Id, by: Option<Id>, points: i32, roll: Roll) -> Self {
        Self::Damaged {
            who,
            by,
            points,
            roll,
        }
    }
}

/// The serialised fields of an event.
pub trait AsData {
    fn data(&self) -> serde_json::Value;
    /// The units and the side in them.
    fn concerns(&self) -> Concerns;
}

impl<T: Serialize> AsData for T {
    fn data(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn concerns(&self) -> Concerns {
        Concerns::of(self)
    }
}

/// An event that only one ruleset knows: spent actions, defenses, declarations.
pub trait RulesetEvent: AsData + Debug + Send + Sync {
    fn apply(&self, world: &mut World);
    fn describe(&self, names: &Names) -> Option<Line>;

    /// The event for a viewer that does not know of some units, if it differs: an event with a
    /// list of units leaves them out.
    fn without(&self, _unknown: Unknown) -> Option<EventKind> {
        None
    }

    /// The roll that the event shows.
    fn roll(&self) -> Option<&Roll> {
        None
    }

    /// What the event looks and sounds like.
    fn cue(&self) -> Option<Cue> {
        None
    }

    /// Whether the event counts as progress of the battle (OP-07).
    fn is_progress(&self) -> bool {
        false
    }
}

impl<E: RulesetEvent + 'static> From<E> for EventKind {
    fn from(own: E) -> Self {
        Self::Ruleset(Arc::new(own))
    }
}

impl From<CheckRoll> for EventKind {
    fn from(check: CheckRoll) -> Self {
        Self::Checked(check)
    }
}

/// How much a log line matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LogLevel {
    /// A round or a turn begins, or the battle ends.
    Heading,
    /// What a unit does or suffers.
    Fact,
    /// Dice, modifiers, the effect of a reaction.
    Detail,
    /// Each step of a move, each spent action.
    Trace,
    /// A part of a round begins. Left out if nothing happens in it.
    Part,
}

/// One line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub depth: LogLevel,
    pub text: String,
}

impl Line {
    pub fn new(depth: LogLevel, text: impl Into<String>) -> Option<Self> {
        Some(Self {
            depth,
            text: text.into(),
        })
    }
}

impl EventKind {
    /// Whether the event counts as progress of the battle (OP-07): damage, a spell, an objective,
    /// a unit that arrives, falls or leaves.
    pub fn is_progress(&self) -> bool {
        match self {
            Self::Acted { choice } => choice.spell.is_some(),
            // Damage without an attacker, such as bleeding, is no progress.
            Self::Damaged { points, by, .. } => *points > 0 && by.is_some(),
            Self::Held { rounds, .. } => *rounds > 0,
            Self::Ruleset(own) => own.is_progress(),
            _ => matches!(
                self,
                Self::Caught { .. }
                    | Self::Healed { .. }
                    | Self::ConditionBegan { .. }
                    | Self::Fell { .. }
                    | Self::Revived { .. }
                    | Self::Died { .. }
                    | Self::Entered { .. }
                    | Self::Fled { .. }
                    | Self::Flees { .. }
                    | Self::Reached { .. }
                    | Self::ObjectiveLost { .. }
                    | Self::Surrendered { .. }
            ),
        }
    }

    /// Whether the event can change a world, apart from recording [progress](Self::is_progress).
    /// Events that are only logged do not.
    pub fn changes_state(&self) -> bool {
        !matches!(
            self,
            Self::RoundBegan { .. }
                | Self::TurnBegan { .. }
                | Self::Acted { .. }
                | Self::Stopped { .. }
                | Self::Checked(_)
                | Self::BrokenOff { .. }
                | Self::Caught { .. }
                | Self::Stuck { .. }
        )
    }
}

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
    pub what: Cow<'static, str>,
    pub roll: Roll,
    /// The number that the roll has to reach.
    pub against: Option<i32>,
    pub passed: Option<bool>,
}

/// What an initiative roll is for: it decides who acts first.
const INITIATIVE: &str = "initiative";

impl CheckRoll {
    fn new(what: impl Into<Cow<'static, str>>, roll: Roll) -> Self {
        let what = what.into();
        Self {
            who: None,
            side: None,
            at: None,
            what,
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
        Self::by(who, INITIATIVE, roll)
    }

    /// An initiative roll of a side.
    pub fn initiative_of(side: Side, roll: Roll) -> Self {
        Self::of(side, INITIATIVE, roll)
    }

    /// Whether this is an initiative roll.
    pub fn is_initiative(&self) -> bool {
        self.what == INITIATIVE
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
    pub fn tell(self, rule: Rule, against: i32, passed: bool, outcome: &mut StepOutcome) -> bool {
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

    /// The unit or side that rolls, at the start of a sentence.
    pub fn name(&self, names: &Names) -> String {
        match (self.who, self.side) {
            (Some(who), _) => names.title(who).to_owned(),
            (_, Some(side)) => capitalised(names.side(side)),
            _ => String::new(),
        }
    }
}

/// The units of a bit set.
fn ids_of(bits: u64) -> impl Iterator<Item = Id> {
    (0..64).map(Id).filter(move |id| bits & id.bit() != 0)
}
