//! What Phased keeps of each combatant, and where the round is.

use crate::{
    battle::{Id, Item, Names, Side, SpellId},
    grid::Cell,
};
use bevy_ecs::{component::Component, resource::Resource};
use serde::Serialize;

/// A combatant's round under Phased.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Fighter {
    /// What it has declared (PH-07); none before it was asked.
    pub plan: Option<Plan>,
    /// The major action of the round is spent (PH-10).
    pub spent: bool,
    /// Segments of minor activities done before the major action (PH-11).
    pub segments: u8,
    /// Simple activities of the round (PH-12).
    pub simples: u8,
    /// Has declared a delay: acts in LOW, and is not delayed by it (PH-16).
    pub late: bool,
    /// Has the delayed condition (PH-17).
    pub delayed: bool,
    /// Lost the major action by a delay in LOW: it was not taken (PH-13).
    pub forgone: bool,
    /// The weapon drawn this round by an act of its own (PH-12).
    pub drawn: Option<Item>,
    /// Attack routines still to come at the end of the round (PH-01).
    pub routines: u8,
    /// In this part of the round it lets its chance go by: the stamp of it.
    pub passed: u16,
    /// In this part it has let weapons go by that are no slower than this.
    pub waited: u8,
    /// The stamp of the part in which it last took a free attack (PH-40).
    pub struck_free: u16,
    /// The foes whose free attack it has drawn this round, as a bit set.
    pub drew_free: u64,
    /// A spell under way (PH-22).
    pub casting: Option<Casting>,
    /// Has done its one spell of the round (PH-22).
    pub spelled: bool,
    /// How often it has cast what.
    pub casts: Vec<(SpellId, u8)>,
    /// What it keeps up by concentration (PH-21).
    pub upkeep: Option<Upkeep>,
    /// A complex activity under way (PH-14).
    pub work: Option<Work>,
    /// Charged this round (PH-42).
    pub charged: bool,
    /// Listens to a parley, and has not been attacked since (PH-04).
    pub listens: bool,
    /// Took part in no way in the first round (PH-06).
    pub surprised: bool,
    /// Not seen by the others yet.
    pub hidden: bool,
    /// Unconscious, and loses a point a round (PH-60).
    pub bleeding: bool,
    /// Launchers that have to be loaded (PH-15).
    pub unloaded: Vec<Item>,
    /// The sides that have seen that bodies are kept off it (PH-37), as a bit
    /// set.
    pub seen_hedged: u8,
    /// Those that have seen that weapons, or effects, do nothing to it.
    pub seen_immune: u8,
    /// Has taken position this round (PH-13).
    pub positioned: bool,
    /// Has done a delaying activity: what follows may follow in LOW (PH-15).
    pub lags: bool,
}

/// What a unit has let go by in a round, as the others learn when it comes out of hiding:
/// it decides when the unit acts.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct LetGo {
    late: bool,
    delayed: bool,
    forgone: bool,
    passed: u16,
    waited: u8,
}

impl Fighter {
    pub fn let_go(&self) -> LetGo {
        LetGo {
            late: self.late,
            delayed: self.delayed,
            forgone: self.forgone,
            passed: self.passed,
            waited: self.waited,
        }
    }

    pub fn lets_go(&mut self, so_far: LetGo) {
        self.late = so_far.late;
        self.delayed = so_far.delayed;
        self.forgone = so_far.forgone;
        self.passed = so_far.passed;
        self.waited = so_far.waited;
    }
}

/// What somebody has declared (PH-07).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    /// Nothing: it acts as its turn comes.
    Open,
    Parley,
    Flee,
    Charge {
        at: Id,
        with: Item,
    },
    Cast {
        spell: u8,
    },
    /// A weapon set to receive a charge (PH-42).
    Set {
        with: Item,
    },
    /// An attack, and a simple activity after it (PH-11).
    After,
    Work {
        what: Job,
    },
}

/// A complex activity (PH-14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    Bind {
        at: Id,
    },
    Load {
        with: Item,
    },
    /// To get something out of the pack, which takes the delayed the round
    /// (PH-15).
    Unpack {
        with: Item,
    },
}

impl Job {
    /// What it is to be: "bind mara".
    pub fn describe(&self, names: &Names) -> String {
        match self {
            Self::Bind { at } => format!("bind {}", names.name(*at)),
            Self::Load { with } => format!("load {}", names.item(*with)),
            Self::Unpack { with } => format!("get {} out of the pack", names.item(*with)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Work {
    pub what: Job,
    /// Ends of round still to come until it is done.
    pub rounds: u8,
}

/// A spell from its first segment to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Casting {
    pub spell: SpellId,
    /// The target, once it is named (PH-23).
    pub at: Option<Id>,
    pub to: Option<Cell>,
    /// Segments left, of those that began this round; those of minor acts
    /// beside the casting are among them (PH-11).
    pub segments: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Upkeep {
    pub spell: SpellId,
    /// Those on whom it lies, as a bit set.
    pub on: u64,
}

impl Fighter {
    /// A delay puts it in LOW, whatever its side rolled (PH-16, PH-17).
    pub fn waits_for_low(&self) -> bool {
        self.late || self.delayed
    }

    pub fn cast_so_often(&self, spell: SpellId) -> u8 {
        self.casts.iter().find(|c| c.0 == spell).map_or(0, |c| c.1)
    }

    /// Anything that a break of concentration would end (PH-20).
    pub fn concentrates(&self) -> bool {
        self.casting.is_some() || self.upkeep.is_some()
    }
}

/// Where the battle is in its round.
#[derive(Resource, Clone, Debug, Default)]
pub struct Clock {
    pub round: u16,
    pub part: Part,
    pub group: Group,
    /// Grows with each part of the round and each group in it: acts of one
    /// kind in one group's turn share a segment (PH-40).
    pub stamp: u16,
    /// Each side's die of the round; none before it is rolled (PH-02).
    pub initiative: Vec<u16>,
    /// The sides that have had their parley, as a bit set.
    pub parleyed: u8,
}

impl Clock {
    /// The group of a whole side (PH-02); HIGH before the dice are cast.
    pub fn group_of(&self, side: Side) -> Group {
        let best = self.initiative.iter().max();
        match (self.initiative.get(side.index()), best) {
            (Some(die), Some(best)) if die < best => Group::Low,
            _ => Group::High,
        }
    }
}

/// The steps of a round (PH-01), and the kinds within a group's turn (PH-04).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    #[default]
    Declare,
    Parley,
    Flee,
    Charge,
    /// Those who go first.
    First,
    /// First routines of those with several.
    Multi,
    Innate,
    Missile,
    Melee,
    Other,
    /// The remaining routines.
    Rest,
    Spells,
    /// Those who go last.
    Last,
    End,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum Group {
    #[default]
    High,
    Low,
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "HIGH",
            Self::Low => "LOW",
        }
    }
}

impl Part {
    pub fn name(self) -> &'static str {
        match self {
            Self::Declare => "declarations",
            Self::Parley => "parleys",
            Self::Flee => "flights",
            Self::Charge => "charges",
            Self::First => "who goes first",
            Self::Multi => "first routines",
            Self::Innate => "innate abilities",
            Self::Missile => "missiles",
            Self::Melee => "melee",
            Self::Other => "other acts",
            Self::Rest => "remaining routines",
            Self::Spells => "spells",
            Self::Last => "who goes last",
            Self::End => "end of the round",
        }
    }

    /// After the turns of both groups: what begins to last then has the next
    /// round for its first (PH-60).
    pub fn is_late(self) -> bool {
        self >= Self::Spells
    }

    /// Everybody does everything at once there: no kinds.
    pub fn is_whole_turn(self) -> bool {
        matches!(self, Self::First | Self::Last)
    }

    pub fn has_other(self) -> bool {
        self == Self::Other || self.is_whole_turn()
    }
}
