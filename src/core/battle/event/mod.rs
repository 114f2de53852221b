//! Facts. Applying an event is the only thing that changes a world: the truth,
//! what a side knows, what the screen shows.

use super::{
    Choice, Id, Item, Lasting, Names, Place, Roll, RolledAttack, Rule, Shaken, Side, SpellId,
    StepOutcome, capitalised,
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

/// Who may know of an event. What is sealed stays so until an event for all
/// tells it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    All,
    Only(Side),
    /// All, and until now this side alone.
    Told(Side),
}

impl Seen {
    /// All may know of it; while it is not so, this side alone.
    pub fn all_if(is_open: bool, side: Side) -> Self {
        match is_open {
            true => Self::All,
            false => Self::Only(side),
        }
    }

    pub fn by(self, side: Side) -> bool {
        !matches!(self, Self::Only(other) if other != side)
    }

    /// Whether a side learns by it what others knew before.
    pub fn is_news_to(self, side: Side) -> bool {
        matches!(self, Self::Told(other) if other != side)
    }
}

/// Facts and deltas, never "the new whole component".
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
    /// An act or reaction begins; what it does follows.
    Acted {
        choice: Choice,
    },
    /// An act that was begun comes to nothing.
    Stopped {
        who: Id,
        why: Cow<'static, str>,
    },
    /// One step of a move; `feet` is what it cost.
    Moved {
        who: Id,
        from: Cell,
        to: Cell,
        feet: u16,
    },
    /// Dice that are not an attack's.
    Checked(CheckRoll),
    AttackRolled {
        shot: RolledAttack,
    },
    /// The die of an attack in flight was rolled again; this counts now.
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
    /// Those whom the area of a spell catches, in id order (GR-41).
    Caught {
        spell: SpellId,
        who: Vec<Id>,
    },
    Healed {
        who: Id,
        points: i32,
    },
    /// A condition comes to lie on somebody, for a number of rounds.
    ConditionBegan {
        who: Id,
        lasting: Lasting,
        rounds: i32,
    },
    ConditionEnded {
        who: Id,
        lasting: Lasting,
    },
    Fell {
        who: Id,
    },
    /// One of the fallen comes to, prone, with this many hit points.
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
    /// A thing is drawn, put away, got out of the pack, stowed.
    Shifted {
        who: Id,
        item: Item,
        from: Place,
        to: Place,
    },
    /// A thing falls to the ground.
    Dropped {
        who: Id,
        item: Item,
        from: Place,
        at: Cell,
    },
    /// What was thrown lies where it fell.
    Landed {
        who: Id,
        item: Item,
        from: Place,
        at: Cell,
    },
    /// A thing is taken up from the ground, in hand.
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
    /// Courage is lost: they make for an exit.
    Flees {
        who: Id,
    },
    /// No way leads to an exit: who was to flee turns.
    FightsOn {
        who: Id,
    },
    /// Who has left the field will be back in this round.
    WillReturn {
        who: Id,
        round: u16,
    },
    /// Who had fled is back, and fights.
    Rallied {
        who: Id,
    },
    /// The occasions that a side's morale has had by now.
    Shaken {
        side: Side,
        shaken: Shaken,
    },
    /// Members of a side have been where an objective wants them, as a bit set;
    /// with them this many of those that it needs. `text` is the objective's.
    Reached {
        objective: usize,
        who: u64,
        so_far: u32,
        needed: u32,
        text: Cow<'static, str>,
    },
    /// A side has held an area at the end of this many rounds, one after the other.
    Held {
        objective: usize,
        side: Side,
        rounds: u32,
        needed: u32,
        text: Cow<'static, str>,
    },
    /// An objective that can no longer be met.
    ObjectiveLost {
        objective: usize,
        side: Side,
        text: Cow<'static, str>,
    },
    /// Rounds in a row in which no side got anywhere (OP-07). `nearest`: the
    /// fewest steps that each unit was away from what its side is after, since
    /// the count began.
    Idle {
        rounds: u32,
        nearest: Arc<[u16]>,
        /// The rounds after which the battle is a draw, if it ever is.
        limit: Option<u32>,
    },
    /// No unit of a side can get to an enemy or harm one from where it is (OP-07).
    Stuck {
        side: Side,
    },
    /// A side gives up (OP-08): its units leave at the end of the round.
    Surrendered {
        side: Side,
    },
    RoundEnded,
    /// The rules went in a circle: this step is left out, and the battle goes
    /// on. Never in a sound ruleset.
    BrokenOff {
        step: Cow<'static, str>,
    },
    Over {
        won: Option<Side>,
        why: String,
        end: End,
    },
    /// A ruleset's own.
    Ruleset(Arc<dyn RulesetEvent>),
}

/// What ended a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// An objective, or that at most one side is left.
    Decided,
    /// The last round is over, and no side has won.
    RoundLimit,
    /// Too many rounds in which no side got anywhere (OP-07).
    Stalemate,
    /// A mistake in the rules: see [`EventKind::BrokenOff`].
    BrokenOff,
}

impl EventKind {
    /// Somebody does what they have chosen.
    pub fn acted(choice: &Choice) -> Self {
        let choice = choice.clone();
        Self::Acted { choice }
    }

    /// The area of a spell catches these.
    pub fn caught(spell: SpellId, who: &[Id]) -> Self {
        let who = who.to_vec();
        Self::Caught { spell, who }
    }

    /// Somebody takes damage, of somebody or of nobody.
    pub fn damaged(who: Id, by: Option<Id>, points: i32, roll: Roll) -> Self {
        Self::Damaged {
            who,
            by,
            points,
            roll,
        }
    }
}

/// Facts as data.
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

/// What only one ruleset knows: spent actions, defenses, declarations.
pub trait RulesetEvent: AsData + Debug + Send + Sync {
    fn apply(&self, world: &mut World);
    fn describe(&self, names: &Names) -> Option<Line>;

    /// What it tells those who do not know of some, if that is less and yet something:
    /// an event with a list of units leaves them out.
    fn without(&self, _unknown: Unknown) -> Option<EventKind> {
        None
    }

    /// The dice that it tells of.
    fn roll(&self) -> Option<&Roll> {
        None
    }

    /// What it is to eye and ear.
    fn cue(&self) -> Option<Cue> {
        None
    }

    /// Whether it shows that the battle is getting somewhere (OP-07).
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
pub enum Depth {
    /// A round or a turn begins, the battle ends.
    Heading,
    /// What somebody does or suffers.
    Fact,
    /// Dice, modifiers, what a reaction changed.
    Detail,
    /// Each step of a move, each action spent.
    Trace,
    /// A part of a round begins: of no interest if nothing follows in it.
    Part,
}

/// One line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub depth: Depth,
    pub text: String,
}

impl Line {
    pub fn new(depth: Depth, text: impl Into<String>) -> Option<Self> {
        Some(Self {
            depth,
            text: text.into(),
        })
    }
}

impl EventKind {
    /// Whether it shows that the battle is getting somewhere (OP-07): harm, a
    /// spell, an objective, a unit that comes, falls or leaves.
    pub fn is_progress(&self) -> bool {
        match self {
            Self::Acted { choice } => choice.spell.is_some(),
            // Who bleeds on the ground gets nobody anywhere.
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

    /// Whether it may change a world, but for the note of what was
    /// [progress](Self::is_progress): what only tells something does not.
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

/// Dice that are not an attack's: initiative, a check, a save, morale.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CheckRoll {
    /// Who rolls; none if a side does, or nobody in particular.
    pub who: Option<Id>,
    /// The side that rolls.
    pub side: Option<Side>,
    /// The target it is rolled against.
    pub at: Option<Id>,
    /// What is rolled for: "morale". It names nobody.
    pub what: Cow<'static, str>,
    pub roll: Roll,
    /// What the roll is measured by.
    pub against: Option<i32>,
    pub passed: Option<bool>,
}

/// What is rolled for by who or what comes first.
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

    /// Somebody rolls.
    pub fn by(who: Id, what: impl Into<Cow<'static, str>>, roll: Roll) -> Self {
        Self {
            who: Some(who),
            ..Self::new(what, roll)
        }
    }

    /// Somebody rolls for when they act.
    pub fn initiative(who: Id, roll: Roll) -> Self {
        Self::by(who, INITIATIVE, roll)
    }

    /// A side rolls for when it acts.
    pub fn initiative_of(side: Side, roll: Roll) -> Self {
        Self::of(side, INITIATIVE, roll)
    }

    /// Rolled for when somebody acts.
    pub fn is_initiative(&self) -> bool {
        self.what == INITIATIVE
    }

    /// A side rolls.
    pub fn of(side: Side, what: impl Into<Cow<'static, str>>, roll: Roll) -> Self {
        Self {
            side: Some(side),
            ..Self::new(what, roll)
        }
    }

    /// Rolled against somebody.
    pub fn at(self, at: Id) -> Self {
        Self {
            at: Some(at),
            ..self
        }
    }

    /// Tells what it was measured by and whether that was reached, and says the
    /// latter.
    pub fn tell(self, rule: Rule, against: i32, passed: bool, outcome: &mut StepOutcome) -> bool {
        outcome.emit(rule, self.against(against).passed(passed));
        passed
    }

    /// The number that the roll is measured by.
    pub fn against(self, against: impl Into<Option<i32>>) -> Self {
        Self {
            against: against.into(),
            ..self
        }
    }

    /// How it came out.
    pub fn passed(self, passed: impl Into<Option<bool>>) -> Self {
        Self {
            passed: passed.into(),
            ..self
        }
    }

    /// Who rolls, as the beginning of a sentence.
    pub fn name(&self, names: &Names) -> String {
        match (self.who, self.side) {
            (Some(who), _) => names.title(who).to_owned(),
            (_, Some(side)) => capitalised(names.side(side)),
            _ => String::new(),
        }
    }
}

/// Those in a bit set.
fn ids_of(bits: u64) -> impl Iterator<Item = Id> {
    (0..64).map(Id).filter(move |id| bits & id.bit() != 0)
}
