//! Levels: where a battle is fought, by whom and for what. A file becomes a
//! checked [`Level`] or a list of every problem in it; `docs/levels.md` tells
//! how to write one.

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
pub use lesson::{Lesson, Mark, Panel, Step, Until};
pub(crate) use read::cell;
pub use read::{Change, Draft, Purpose, check_file, draft_file, ground_of, id_of, level, shut_in};

pub use rows::{Rows, usual_ground};

use crate::content::{Colour, Content, Creature, Section, Sections, codex::RuleEntry};
pub use crate::grid::Diagonals;
use crate::grid::{Board, Cell, Space};
use std::sync::{Arc, LazyLock};

/// The light in which a level is drawn, and what is heard in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Light {
    #[default]
    Day,
    Dusk,
    Night,
    /// Frost or fog.
    Cold,
    /// Under a roof or the ground.
    Torches,
}

/// A checked level: every name resolved, everybody on free ground.
#[derive(Clone, Debug)]
pub struct Level {
    /// The file's name without its ending: "toll_gate".
    pub id: String,
    /// For people: "The toll gate".
    pub title: String,
    /// The file that it was read from, as it was: a recording keeps it.
    pub source: Arc<str>,
    /// What the player is told before it begins.
    pub briefing: String,
    /// Who made it, and what it needs.
    pub about: About,
    /// The ruleset that it must be played under; `None` leaves it to the
    /// player.
    pub rules: Option<Rules>,
    /// The rulesets that it is meant for, in which both sides have a fair chance;
    /// empty for all. It can be played under the others too.
    pub suits: Vec<Rules>,
    /// What one learns by playing it, in a sentence.
    pub teaches: String,
    pub diagonals: Diagonals,
    /// How it looks and sounds; no rule asks for it.
    pub light: Light,
    /// What only some rulesets know of it.
    pub sections: Sections,
    /// The ground and all that stands on it, doors as they are at the start.
    board: Board,
    /// In the order that breaks ties; at least two.
    pub sides: Vec<Side>,
    /// In the order of the file, those who come later after those who are
    /// there at the start.
    pub combatants: Vec<Combatant>,
    pub exits: Vec<Exit>,
    pub surprise: Surprise,
    /// At least one for each side, in the order of the sides.
    pub objectives: Vec<Objective>,
    /// After this round the battle is over: who still has to survive or to
    /// protect and has not failed wins, and if there is none nobody does.
    pub last_round: Option<u32>,
    /// Rounds in which no side gets anywhere after which the battle is a draw
    /// (OP-07); none: never.
    pub stalemate: Option<u32>,
    /// A side may surrender (OP-08).
    pub surrender: bool,
    /// What it teaches, step by step.
    pub lesson: Option<Lesson>,
    /// Rules that only it has, for the codex; by id.
    pub codex: Vec<RuleEntry>,
    /// The kinds that it was read with: the built-in ones and its own.
    pub content: Arc<Content>,
}

/// The levels that are compiled in; the first is played where none is named.
pub const BUILT_IN: [(&str, &str); 16] = [
    (
        "levels/toll_gate.ron",
        include_str!("../../../levels/toll_gate.ron"),
    ),
    (
        "levels/chapel.ron",
        include_str!("../../../levels/chapel.ron"),
    ),
    (
        "levels/bridge.ron",
        include_str!("../../../levels/bridge.ron"),
    ),
    ("levels/den.ron", include_str!("../../../levels/den.ron")),
    (
        "levels/muster.ron",
        include_str!("../../../levels/muster.ron"),
    ),
    (
        "levels/undercroft.ron",
        include_str!("../../../levels/undercroft.ron"),
    ),
    ("levels/mill.ron", include_str!("../../../levels/mill.ron")),
    (
        "levels/caravan.ron",
        include_str!("../../../levels/caravan.ron"),
    ),
    ("levels/duel.ron", include_str!("../../../levels/duel.ron")),
    (
        "levels/watchtower.ron",
        include_str!("../../../levels/watchtower.ron"),
    ),
    (
        "levels/marsh.ron",
        include_str!("../../../levels/marsh.ron"),
    ),
    (
        "levels/banners.ron",
        include_str!("../../../levels/banners.ron"),
    ),
    ("levels/gaol.ron", include_str!("../../../levels/gaol.ron")),
    ("levels/bell.ron", include_str!("../../../levels/bell.ron")),
    (
        "levels/far_bank.ron",
        include_str!("../../../levels/far_bank.ron"),
    ),
    (
        "levels/hen_house.ron",
        include_str!("../../../levels/hen_house.ron"),
    ),
];

static LEVELS: LazyLock<Vec<Arc<Level>>> = LazyLock::new(|| read_in(&BUILT_IN));

fn read_in(files: &[(&str, &str)]) -> Vec<Arc<Level>> {
    let read = |(file, text): &(&str, &str)| match check_file(file, text) {
        Ok((level, _)) => Arc::new(level),
        // A broken build, which the tests would not let pass.
        Err(problems) => panic!("{}", problems[0]),
    };
    files.iter().map(read).collect()
}

/// The levels that come with the game, the default one first.
/// [`by_difficulty`](crate::lab::measured::by_difficulty) has them in the order for players.
pub fn built_in() -> &'static [Arc<Level>] {
    &LEVELS
}

/// The levels that teach the game, in their order: first what all combat systems
/// share, by the default one; then a lesson for each of the others.
pub const TUTORIAL: [(&str, &str); 7] = [
    (
        "levels/tutorial/lesson_1.ron",
        include_str!("../../../levels/tutorial/lesson_1.ron"),
    ),
    (
        "levels/tutorial/lesson_2.ron",
        include_str!("../../../levels/tutorial/lesson_2.ron"),
    ),
    (
        "levels/tutorial/lesson_3.ron",
        include_str!("../../../levels/tutorial/lesson_3.ron"),
    ),
    (
        "levels/tutorial/lesson_4.ron",
        include_str!("../../../levels/tutorial/lesson_4.ron"),
    ),
    (
        "levels/tutorial/lesson_5.ron",
        include_str!("../../../levels/tutorial/lesson_5.ron"),
    ),
    (
        "levels/tutorial/lesson_6.ron",
        include_str!("../../../levels/tutorial/lesson_6.ron"),
    ),
    (
        "levels/tutorial/lesson_7.ron",
        include_str!("../../../levels/tutorial/lesson_7.ron"),
    ),
];

static LESSONS: LazyLock<Vec<Arc<Level>>> = LazyLock::new(|| read_in(&TUTORIAL));

/// The levels that teach the game, in their order.
pub fn tutorial() -> &'static [Arc<Level>] {
    &LESSONS
}

/// The level that is played where none is named.
pub fn default_level() -> Arc<Level> {
    built_in()[0].clone()
}

/// A ruleset, as level files name it: "Skirmish".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rules(pub &'static str);

/// A place in [`Level::sides`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SideIx(pub u8);

/// A place in [`Level::combatants`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CombatantIx(pub u16);

/// Everybody who fights together. All other sides are its enemies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The key in files: "party".
    pub id: String,
    /// For people: "The party".
    pub name: String,
    pub control: Control,
    pub colour: Colour,
    /// Its starting area; empty where each member has a cell of its own.
    pub start: Vec<Cell>,
    /// Rounds after which its members who fled come back, if ever.
    pub fled_return: Option<u32>,
    /// The sides that have given themselves away to it: it need not roll for
    /// surprise (SE-10).
    pub alerted_to: Vec<SideIx>,
    /// Points, each of 5% more that everybody of it can bear, that it has under some
    /// rulesets so that both sides have a fair chance.
    pub sturdier: Vec<(Rules, u8)>,
    /// The points of its handicap (OP-03). Whoever begins the battle sets it;
    /// no file does.
    pub handicap: u8,
}

/// Who decides for a side, unless the command line says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    Player,
    Ai,
}

/// One who takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Combatant {
    /// Unique in the level, in lower case: "mara", "goblin 2". Replays and
    /// scenarios call it by this.
    pub name: String,
    /// Its kind, with this combatant's own changes already in it.
    pub creature: Arc<Creature>,
    /// Its place among those of its kind and side, from 1: the number on the
    /// meeple.
    pub number: u32,
    pub side: SideIx,
    /// Where it stands or comes in; of a large creature the north-west cell.
    pub cell: Cell,
    /// HP that it has lost before the battle.
    pub wounds: i32,
    /// The round at whose start it comes in; `None` is there from the start.
    pub arrives: Option<u32>,
    /// Speed: the count of that round at which it comes in; `None` comes in at
    /// its start.
    pub arrives_at: Option<i32>,
    pub awareness: Awareness,
    /// Out of sight until it acts: can surprise even the alert.
    pub hidden: bool,
    pub prone: bool,
    /// When it falls its side checks morale.
    pub leader: bool,
    /// Has spent its undisturbed minute on this one: an execution attack is
    /// ready.
    pub stalks: Option<CombatantIx>,
}

/// What a combatant expects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Awareness {
    /// Wholly unsuspecting: can be surprised, and executed.
    Unaware,
    /// Not expecting a fight this moment: can be surprised.
    #[default]
    Ready,
    /// Expecting a fight: surprised only by the hidden.
    Alert,
}

/// Cells by which a side may leave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    pub cells: Vec<Cell>,
    /// Who may use it, in order.
    pub sides: Vec<SideIx>,
}

/// How the battle opens.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Surprise {
    /// Everybody saw it coming.
    #[default]
    None,
    /// These sides are caught wholly unaware.
    Caught(Vec<SideIx>),
    /// The best of `by` against the best Notice of each of `against`.
    Check {
        by: SideIx,
        how: Approach,
        against: Vec<SideIx>,
    },
}

/// How one side comes upon another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Approach {
    /// DEX and Sneak.
    Stealth,
    /// STR and Exert: the door flies open.
    Force,
}

/// What a side has to do. It wins once all its objectives are met and none
/// that is vital is lost; it also wins when it alone is left on the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objective {
    pub side: SideIx,
    pub goal: Goal,
    /// For people: "Hold the chapel for eight rounds".
    pub text: String,
    /// Once it is lost, so is the battle for its side. Else it no longer counts.
    pub vital: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// None of these is left standing on the field: dead, down or fled.
    Defeat(Vec<CombatantIx>),
    /// `count` of these have stood in the area at the end of a turn of their
    /// own; who has done so counts even if it falls later.
    Reach {
        who: Vec<CombatantIx>,
        count: u32,
        area: Vec<Cell>,
    },
    /// Somebody of the side still stands at the end of this round.
    Survive { rounds: u32 },
    /// None of these falls. Nothing to do but to fail at: a side that has to
    /// protect has another objective beside it, or a last round.
    Protect(Vec<CombatantIx>),
    /// Somebody of the side stands in the area and no enemy does, at the end
    /// of `rounds` rounds, one after the other.
    Capture { area: Vec<Cell>, rounds: u32 },
}

impl Level {
    /// The ground and all that stands on it, doors as they are at the start.
    /// Such boards are cheap to make: they share all but their doors.
    pub fn board(&self) -> Board {
        self.board.clone()
    }

    /// What a ruleset knows of it besides.
    pub fn section<S: Section<Of = Self>>(&self) -> &S {
        self.sections.get()
    }

    /// The same with a handicap for each side, in points; none for those that
    /// are not named.
    pub fn with_handicaps(self: &Arc<Self>, points: &[u8]) -> Arc<Self> {
        let wanted = |n: usize| points.get(n).copied().unwrap_or_default();
        let mut level = self.clone();
        if (0..self.sides.len()).any(|n| self.sides[n].handicap != wanted(n)) {
            let sides = &mut Arc::make_mut(&mut level).sides;
            (0..sides.len()).for_each(|n| sides[n].handicap = wanted(n));
        }
        level
    }

    /// The handicap of each side in points; empty where no side has one.
    pub fn handicaps(&self) -> Vec<u8> {
        let all = self.sides.iter().map(|side| side.handicap);
        match all.clone().all(|points| points == 0) {
            true => vec![],
            false => all.collect(),
        }
    }

    /// Whether it is meant for a ruleset.
    pub fn suits(&self, rules: &str) -> bool {
        let is_it = |own: &Rules| own.0 == rules;
        self.rules.as_ref().is_none_or(is_it)
            && (self.suits.is_empty() || self.suits.iter().any(is_it))
    }

    pub fn side(&self, side: SideIx) -> &Side {
        &self.sides[usize::from(side.0)]
    }

    pub fn combatant(&self, of: CombatantIx) -> &Combatant {
        &self.combatants[usize::from(of.0)]
    }

    /// More hangs on this one than on others: it leads its side, or it is the
    /// only one whom some objective wants defeated or kept.
    pub fn is_key(&self, of: CombatantIx) -> bool {
        let alone = |o: &Objective| match &o.goal {
            Goal::Defeat(who) | Goal::Protect(who) => who[..] == [of],
            _ => false,
        };
        self.combatant(of).leader || self.objectives.iter().any(alone)
    }

    pub fn side_named(&self, id: &str) -> Option<SideIx> {
        self.sides
            .iter()
            .position(|s| s.id == id)
            .map(|n| SideIx(n as u8))
    }

    pub fn combatant_named(&self, name: &str) -> Option<CombatantIx> {
        let at = self.combatants.iter().position(|c| c.name == name)?;
        Some(CombatantIx(at as u16))
    }
}

impl Side {
    /// The points that it has under a ruleset: those of the level and the handicap.
    pub fn points(&self, rules: &str) -> u8 {
        let own = self.sturdier.iter().find(|(of, _)| of.0 == rules);
        self.handicap + own.map_or(0, |(_, points)| *points)
    }
}

impl Combatant {
    /// The cells that it takes up at first.
    pub fn space(&self) -> Space {
        Space::new(self.cell, self.creature.size)
    }
}
