//! Levels: map, sides, units and objectives of a battle. A file becomes a checked
//! [`Level`] or a list of all its problems; `docs/levels.md` explains how to write
//! one.

mod about;
pub mod compose;
pub mod edit;
pub mod generate;
mod lesson;
pub mod own;
pub mod pack;
mod read;
mod rows;

pub use about::{About, Release};
pub use lesson::{Lesson, LessonMark, LessonStep, Panel, Until};
pub(crate) use read::cell;
pub use read::{
    Change, LevelDraft, Purpose, check_file, draft_file, ground_of, id_of, isolated_unit,
    known_fields, level,
};

pub use rows::{Rows, usual_ground};

use crate::content::{Colour, Content, Creature, Section, Sections, codex::RuleEntry};
pub use crate::grid::Diagonals;
use crate::grid::{Board, Cell, Space};
use std::sync::{Arc, LazyLock};

file_words! {
    /// The light in which a level is drawn, and its ambient sound.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Light {
        #[default]
        Day,
        Dusk,
        Night,
        /// Frost or fog.
        Cold,
        /// Under a roof or underground.
        Torches,
    }
}

impl Light {
    /// Whether what conceals units is darkness rather than fog.
    pub fn is_dark(self) -> bool {
        matches!(self, Self::Night | Self::Torches)
    }
}

/// A checked level: every name is resolved, every unit stands on free ground.
#[derive(Clone, Debug)]
pub struct Level {
    /// The file's name without its extension: "toll_gate".
    pub id: String,
    /// The display name: "The toll gate".
    pub title: String,
    /// The text of the file that the level was read from; recordings store it.
    pub source: Arc<str>,
    /// The text for the player before the battle.
    pub briefing: String,
    /// Author, version and requirements.
    pub about: About,
    /// The ruleset that it must be played under. `None` leaves the choice to the
    /// player.
    pub rules: Option<Rules>,
    /// The rulesets that it is designed for, with a fair chance for both sides; empty
    /// for all. It can be played under the others too.
    pub suits: Vec<Rules>,
    /// What playing the level teaches, in one sentence.
    pub teaches: String,
    pub diagonals: Diagonals,
    /// Affects only look and sound, not the rules.
    pub light: Light,
    /// Data that only some rulesets use.
    pub sections: Sections,
    /// The map, with doors as they are at the start.
    board: Board,
    /// At least two, in the order that breaks ties.
    pub sides: Vec<LevelSide>,
    /// In the order of the file; reinforcements follow the units that are there from
    /// the start.
    pub combatants: Vec<Combatant>,
    pub exits: Vec<Exit>,
    pub surprise: Surprise,
    /// At least one for each side, in the order of the sides.
    pub objectives: Vec<Objective>,
    /// The battle ends after this round. A side wins if it still has to survive or
    /// protect and has not failed; if there is no such side, nobody wins.
    pub last_round: Option<u32>,
    /// The number of rounds without progress after which the battle is a draw
    /// (OP-07). `None`: never.
    pub stalemate: Option<u32>,
    /// Whether sides can surrender (OP-08).
    pub surrender: bool,
    /// The steps of the lesson, if the level is one.
    pub lesson: Option<Lesson>,
    /// Notes of the author, which only the editor shows.
    pub notes: Vec<Note>,
    /// Rules that only this level has, for the codex; by id.
    pub codex: Vec<RuleEntry>,
    /// The kinds available to the level: the built-in ones and its own.
    pub content: Arc<Content>,
}

/// A note of a level's author.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub text: String,
    /// The cell that it is about. `None`: the whole level.
    pub at: Option<Cell>,
}

/// The levels that are compiled in; the first is played where none is named.
pub const BUILT_IN: [(&str, &str); 16] = [
    shipped!("levels/toll_gate.ron"),
    shipped!("levels/chapel.ron"),
    shipped!("levels/bridge.ron"),
    shipped!("levels/den.ron"),
    shipped!("levels/muster.ron"),
    shipped!("levels/undercroft.ron"),
    shipped!("levels/mill.ron"),
    shipped!("levels/caravan.ron"),
    shipped!("levels/duel.ron"),
    shipped!("levels/watchtower.ron"),
    shipped!("levels/marsh.ron"),
    shipped!("levels/banners.ron"),
    shipped!("levels/gaol.ron"),
    shipped!("levels/bell.ron"),
    shipped!("levels/far_bank.ron"),
    shipped!("levels/hen_house.ron"),
];

/// The level in a text, or the lines that say what is wrong with it.
pub fn of_text(file: &str, text: &str) -> Result<Arc<Level>, String> {
    let read = check_file(file, text).map(|(level, _)| Arc::new(level));
    read.map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        lines.join("\n")
    })
}

static LEVELS: LazyLock<Vec<Arc<Level>>> = LazyLock::new(|| read_in(&BUILT_IN));

fn read_in(files: &[(&str, &str)]) -> Vec<Arc<Level>> {
    let read = |(file, text): &(&str, &str)| match check_file(file, text) {
        Ok((level, _)) => Arc::new(level),
        // A broken build; the tests catch this.
        Err(problems) => panic!("{}", problems[0]),
    };
    files.iter().map(read).collect()
}

/// The levels that come with the game, the default one first.
/// [`by_difficulty`](crate::lab::measured::by_difficulty) has them in the order for players.
pub fn built_in() -> &'static [Arc<Level>] {
    &LEVELS
}

/// The lessons in order: first what all rulesets share, taught under the default one;
/// then one lesson for each other ruleset.
pub const TUTORIAL: [(&str, &str); 7] = [
    shipped!("levels/tutorial/lesson_1.ron"),
    shipped!("levels/tutorial/lesson_2.ron"),
    shipped!("levels/tutorial/lesson_3.ron"),
    shipped!("levels/tutorial/lesson_4.ron"),
    shipped!("levels/tutorial/lesson_5.ron"),
    shipped!("levels/tutorial/lesson_6.ron"),
    shipped!("levels/tutorial/lesson_7.ron"),
];

static LESSONS: LazyLock<Vec<Arc<Level>>> = LazyLock::new(|| read_in(&TUTORIAL));

/// The lessons of the tutorial, in order.
pub fn tutorial() -> &'static [Arc<Level>] {
    &LESSONS
}

/// The level that is played if none is named.
pub fn default_level() -> Arc<Level> {
    built_in()[0].clone()
}

/// A ruleset by its name in level files: "Skirmish".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rules(pub &'static str);

/// An index into [`Level::sides`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SideIx(pub u8);

/// An index into [`Level::combatants`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CombatantIx(pub u16);

/// Units that fight together. All other sides are their enemies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelSide {
    /// The id in files: "party".
    pub id: String,
    /// The display name: "The party".
    pub name: String,
    pub control: Control,
    pub colour: Colour,
    /// Its starting area. Empty if every unit has its own cell.
    pub start: Vec<Cell>,
    /// The number of rounds after which its fled units come back. `None`: never.
    pub fled_return: Option<u32>,
    /// The sides that revealed themselves to it: it does not roll for surprise
    /// against them (SE-10).
    pub alerted_to: Vec<SideIx>,
    /// Hit-point bonuses under some rulesets that give both sides a fair chance; each
    /// step is 5% more hit points for all its units.
    pub sturdier: Vec<(Rules, u8)>,
    /// The handicap in steps of 5% more hit points (OP-03). Set when the battle
    /// starts, never by a file.
    pub handicap: u8,
}

file_words! {
    /// Who controls a side, unless the player or the command line chooses otherwise.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Control {
        Player,
        Ai,
    }
}

/// A unit of the level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Combatant {
    /// Unique in the level, in lower case: "mara", "goblin 2". Replays and scenarios
    /// refer to the unit by this name.
    pub name: String,
    /// Its kind, with this unit's own changes applied.
    pub creature: Arc<Creature>,
    /// Its number among the units of its kind and side, from 1; shown on its token.
    pub number: u32,
    pub side: SideIx,
    /// The cell where it starts or arrives. For a large unit, the north-west cell.
    pub cell: Cell,
    /// Hit points lost before the battle.
    pub wounds: i32,
    /// The round at whose start it arrives. `None`: it is there from the start.
    pub arrives: Option<u32>,
    /// Under Speed: the count of that round at which it arrives. `None`: at the start of
    /// the round.
    pub arrives_at: Option<i32>,
    pub awareness: Awareness,
    /// Out of sight until it acts; can surprise even alert enemies.
    pub hidden: bool,
    pub prone: bool,
    /// Its side checks morale when it falls.
    pub leader: bool,
    /// It has spent its undisturbed minute on this target: an execution attack is
    /// ready.
    pub stalks: Option<CombatantIx>,
}

file_words! {
    /// How much a unit expects a fight.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Awareness {
        /// Completely unsuspecting: can be surprised, and executed.
        Unaware,
        /// Not expecting a fight right now: can be surprised.
        #[default]
        Ready,
        /// Expecting a fight: only hidden enemies surprise it.
        Alert,
    }
}

/// Cells through which units can leave the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    pub cells: Vec<Cell>,
    /// The sides that can use it, in order.
    pub sides: Vec<SideIx>,
}

/// Surprise at the start of the battle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Surprise {
    /// Nobody is surprised.
    #[default]
    None,
    /// These sides are completely unaware.
    Caught(Vec<SideIx>),
    /// The best check of `by` against the best Notice of each side in `against`.
    Check {
        by: SideIx,
        how: Approach,
        against: Vec<SideIx>,
    },
}

file_words! {
    /// How one side surprises another.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Approach {
        /// DEX and Sneak.
        Stealth,
        /// STR and Exert, to break down a door.
        Force,
    }
}

/// An objective of a side. The side wins once all its objectives are met and no vital
/// one is lost, or when it is the last on the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objective {
    pub side: SideIx,
    pub goal: Goal,
    /// The text for the player: "Hold the chapel for eight rounds".
    pub text: String,
    /// If it is lost, the side loses the battle. Otherwise a lost objective no longer
    /// counts.
    pub vital: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// None of these units is still on its feet on the field: all are dead, down or
    /// fled.
    Defeat(Vec<CombatantIx>),
    /// `count` of these units have stood in the area at the end of their own turn. A
    /// unit that has counts even if it falls later.
    Reach {
        who: Vec<CombatantIx>,
        count: u32,
        area: Vec<Cell>,
    },
    /// A unit of the side still stands at the end of this round.
    Survive { rounds: u32 },
    /// None of these units falls. This objective can only be lost, so the side needs
    /// another objective or a last round.
    Protect(Vec<CombatantIx>),
    /// A unit of the side stands in the area and no enemy does, at the end of
    /// `rounds` successive rounds.
    Capture { area: Vec<Cell>, rounds: u32 },
}

impl Level {
    /// The map, with doors as they are at the start. Copies are cheap: they share
    /// everything except their doors.
    pub fn board(&self) -> Board {
        self.board.clone()
    }

    /// The data that a ruleset adds to a level.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }

    /// The level with a handicap for each side, in steps. Sides without an entry get
    /// 0.
    pub fn with_handicaps(self: &Arc<Self>, steps: &[u8]) -> Arc<Self> {
        let wanted = |n: usize| steps.get(n).copied().unwrap_or_default();
        let mut level = self.clone();
        if (0..self.sides.len()).any(|n| self.sides[n].handicap != wanted(n)) {
            let sides = &mut Arc::make_mut(&mut level).sides;
            (0..sides.len()).for_each(|n| sides[n].handicap = wanted(n));
        }
        level
    }

    /// The handicap of each side in steps. Empty if no side has one.
    pub fn handicaps(&self) -> Vec<u8> {
        let all = self.sides.iter().map(|side| side.handicap);
        match all.clone().all(|steps| steps == 0) {
            true => vec![],
            false => all.collect(),
        }
    }

    /// Whether the level is designed for a ruleset.
    pub fn suits(&self, rules: &str) -> bool {
        let is_it = |own: &Rules| own.0 == rules;
        self.rules.as_ref().is_none_or(is_it)
            && (self.suits.is_empty() || self.suits.iter().any(is_it))
    }

    pub fn side(&self, side: SideIx) -> &LevelSide {
        &self.sides[usize::from(side.0)]
    }

    pub fn combatant(&self, of: CombatantIx) -> &Combatant {
        &self.combatants[usize::from(of.0)]
    }

    /// Whether the unit is especially important: it leads its side, or is the only
    /// target of an objective that wants it defeated or protected.
    pub fn is_key(&self, of: CombatantIx) -> bool {
        let alone = |o: &Objective| match &o.goal {
            Goal::Defeat(who) | Goal::Protect(who) => who[..] == [of],
            _ => false,
        };
        self.combatant(of).leader || self.objectives.iter().any(alone)
    }

    pub fn side_named(&self, id: &str) -> Option<SideIx> {
        let place = self.sides.iter().position(|s| s.id == id);
        place.map(|n| SideIx(n as u8))
    }

    pub fn combatant_named(&self, name: &str) -> Option<CombatantIx> {
        let at = self.combatants.iter().position(|c| c.name == name)?;
        Some(CombatantIx(at as u16))
    }
}

impl LevelSide {
    /// The steps of 5% more hit points under a ruleset: the level's bonus plus the
    /// handicap.
    pub fn steps(&self, rules: &str) -> u8 {
        let own = self.sturdier.iter().find(|(of, _)| of.0 == rules);
        self.handicap + own.map_or(0, |(_, steps)| *steps)
    }
}

impl Combatant {
    /// The cells that the unit takes up at the start.
    pub fn space(&self) -> Space {
        Space::new(self.cell, self.creature.size)
    }
}
