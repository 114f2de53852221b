//! Progress: the best win for each level and ruleset, saved beside the settings.
//! Writing merges it with what is in the file, under a lock, so that two running
//! games lose nothing.

use super::{
    Phase, Profile, Screen, Session,
    home::{self, Home},
    screens::road::Road,
    settings::Toast,
};
use crate::{
    battle::State,
    control::{Player, recording::SideController},
    files::{self, Lock},
    levels::{Level, built_in, tutorial},
    rulesets,
    words::count,
};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The name of the file in [`Home::config`].
const FILE: &str = "progress.ron";

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>();
    let path = home.and_then(|home| home.config.as_ref());
    app.insert_resource(Progress::stored(path.map(|config| config.join(FILE))));
    app.init_resource::<Gain>();
    app.add_systems(
        OnEnter(Screen::Title),
        // Another running game may have saved a win in the meantime.
        |mut progress: ResMut<Progress>| progress.read_again(),
    );
    app.add_systems(
        Update,
        note.in_set(Phase::Foresee)
            .run_if(in_state(Screen::Battle))
            .run_if(super::saves::autosave::is_kept)
            .run_if(resource_exists_and_changed::<Session>),
    );
}

/// The playing strength of the defeated AI.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Opponent {
    Easy,
    Quick,
    Strategist,
}

impl Opponent {
    /// The name in a sentence: "the quick AI".
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "the easy AI",
            Self::Quick => "the quick AI",
            Self::Strategist => "the strategist",
        }
    }

    /// `None` for an opponent that earns no star.
    fn of(controller: SideController) -> Option<Self> {
        match controller {
            SideController::Ai(Player::Strategist(_)) => Some(Self::Strategist),
            SideController::Ai(Player::Quick) => Some(Self::Quick),
            SideController::Ai(Player::Easy) => Some(Self::Easy),
            SideController::Human | SideController::Ai(_) => None,
        }
    }
}

/// A win of a single human player against the game's AIs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinRecord {
    /// The weakest of the defeated AIs.
    pub opponent: Opponent,
    /// The enemies' handicap in steps above that of the player's side; the least if
    /// there are several enemies.
    #[serde(default)]
    pub handicap: i16,
    /// How many units of the player's side were dead or down at the end.
    pub losses: u16,
    /// The round in which the battle was won.
    pub rounds: u16,
    /// The id of the player's side.
    pub side: String,
}

impl WinRecord {
    /// The win of the battle that has just ended on screen. `None` if it is no win
    /// that counts.
    fn of(session: &Session) -> Option<Self> {
        let (game, own) = (&session.game, session.player());
        let won = session.over() == Some(Some(own)) && session.replay().is_none();
        if !won || game.humans() != 1 || !game.is_human(own) {
            return None;
        }
        let sides = &game.level().sides;
        let enemies = || (0..sides.len()).filter(|n| *n != own.index());
        let opponents = enemies().map(|n| Opponent::of(game.controllers()[n]));
        let handicap = |n: usize| i16::from(sides[n].handicap);
        let units = session.shown().units.iter();
        let lost = units.filter(|p| p.side == own && matches!(p.state, State::Down | State::Dead));
        Some(Self {
            opponent: opponents.min()??,
            handicap: enemies().map(handicap).min()? - handicap(own.index()),
            losses: lost.count() as u16,
            rounds: session.shown().clock.round,
            side: sides[own.index()].id.clone(),
        })
    }

    /// The sort key: better opponent, then greater handicap, then fewer losses, then
    /// fewer rounds.
    fn worth(&self) -> impl Ord + use<> {
        let cost = (Reverse(self.losses), Reverse(self.rounds));
        (self.opponent, self.handicap, cost)
    }

    /// The win as text: "against the quick AI in 6 rounds, no losses".
    pub fn line(&self) -> String {
        let lost = match self.losses {
            0 => String::from("no losses"),
            n => format!("{n} lost"),
        };
        let handicap = match self.handicap {
            0 => String::new(),
            n @ 1.. => format!(" with {} more handicap", count(n as usize, "point")),
            n => format!(
                " with {} less handicap",
                count(n.unsigned_abs().into(), "point")
            ),
        };
        let (name, rounds) = (self.opponent.name(), lasted(self.rounds));
        format!("against {name}{handicap} {rounds}, {lost}")
    }
}

/// The duration as text: "in 3 rounds". A battle can end before the first round.
fn lasted(rounds: u16) -> String {
    match rounds {
        0 => String::from("before the first round"),
        n => format!("in {}", count(n.into(), "round")),
    }
}

/// The best wins, by level and ruleset.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Marks {
    marks: BTreeMap<String, BTreeMap<String, WinRecord>>,
}

impl Marks {
    /// Takes over the wins that are better in the other.
    fn join(&mut self, other: Self) {
        for (level, marks) in other.marks {
            let own = self.marks.entry(level).or_default();
            for (rules, mark) in marks {
                let is_better = own.get(&rules).is_none_or(|old| old.worth() < mark.worth());
                if is_better {
                    own.insert(rules, mark);
                }
            }
        }
    }
}

/// The player's gain from the battle that ended last, as text.
#[derive(Resource, Default, Debug)]
pub struct Gain {
    battle: String,
    words: String,
}

impl Gain {
    /// The gain from this battle. `None` if there is none.
    pub fn of(&self, session: &Session) -> Option<&str> {
        let is_it = self.battle == session.game.id() && !self.words.is_empty();
        is_it.then_some(&*self.words)
    }
}

/// Everything that the player has won.
#[derive(Resource, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    path: Option<PathBuf>,
    all: Marks,
}

impl Progress {
    /// Progress stored in a file, which is written with every gain. Without a file,
    /// nothing is saved.
    pub fn stored(path: Option<PathBuf>) -> Self {
        let mut progress = Self {
            path,
            ..Self::default()
        };
        progress.read_again();
        progress
    }

    /// The best win of a level under a ruleset.
    pub fn mark(&self, level: &Level, rules: &str) -> Option<&WinRecord> {
        self.all.marks.get(&key(level))?.get(rules)
    }

    /// The number of stars won on built-in levels, and the number there are.
    pub fn gathered(&self) -> (usize, usize) {
        let all = built_in().iter().flat_map(|level| {
            let open = rulesets::ALL.iter().filter(|rules| level.suits(rules.id));
            open.map(move |rules| (level, rules.id))
        });
        let won = all
            .clone()
            .filter(|(level, rules)| self.mark(level, rules).is_some());
        (won.count(), all.count())
    }

    /// Adds a win if it is better than the previous one, and saves it.
    pub fn add(&mut self, level: &Level, rules: &str, mark: WinRecord) -> Result<(), String> {
        let mut new = Marks::default();
        let marks = new.marks.entry(key(level)).or_default();
        marks.insert(rules.to_owned(), mark);
        let before = self.all.clone();
        self.all.join(new);
        match &self.path {
            Some(path) if self.all != before => write(path, &mut self.all),
            _ => Ok(()),
        }
    }

    /// Merges what other running games have saved.
    pub fn read_again(&mut self) {
        let there = self.path.as_deref().map(read);
        self.all.join(there.unwrap_or_default());
    }
}

/// The key of a level's wins. Your own level may have the same id as a built-in one.
fn key(level: &Level) -> String {
    let is_it = |shipped: &Level| shipped.id == level.id && shipped.source == level.source;
    match built_in().iter().any(|shipped| is_it(shipped)) {
        true => level.id.clone(),
        false => format!("own/{}", level.id),
    }
}

fn read(path: &Path) -> Marks {
    let (marks, message) = home::read_or_set_aside(path);
    message.inspect(|message| warn!("{message}"));
    marks
}

/// Writes the wins, merged with those that are in the file by now.
fn write(path: &Path, marks: &mut Marks) -> Result<(), String> {
    let cannot = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot)?;
    }
    // Another game holds the lock only while it writes.
    let _lock = Lock::wait_for(&path.with_extension(files::LOCK)).map_err(cannot)?;
    marks.join(read(path));
    home::write_ron(path, "What was won in Fivefoot.", marks)
}

/// Records a win as soon as the player sees the end of the battle.
fn note(
    (session, profile, road): (Res<Session>, Res<Profile>, Res<Road>),
    mut progress: ResMut<Progress>,
    mut gain: ResMut<Gain>,
    mut noted: Local<String>,
    mut toasts: MessageWriter<Toast>,
) {
    if session.over().is_none() || *noted == session.game.id() {
        return;
    }
    *noted = session.game.id().to_owned();
    // Stars are for levels.
    let mark = WinRecord::of(&session).filter(|_| !road.is_fighting(&session));
    let Some(mark) = mark else { return };
    let (level, rules) = (session.game.level(), session.game.rules().id);
    gain.battle = session.game.id().to_owned();
    if tutorial().iter().any(|lesson| lesson.id == level.id) {
        let is_done = |id: &String| *id == level.id || profile.lessons.contains(id);
        let done = tutorial().iter().filter(|lesson| is_done(&lesson.id));
        let (done, of) = (done.count(), tutorial().len());
        gain.words = format!("You finished {}: {done} of {of} lessons.", level.title);
        return;
    }
    let old = progress.mark(level, rules).map(|old| old.worth());
    let worth = mark.worth();
    let line = mark.line();
    if let Err(why) = progress.add(level, rules, mark) {
        toasts.write(Toast(format!("The win can't be saved: {why}")));
    }
    let (title, (won, of)) = (&level.title, progress.gathered());
    gain.words = match old {
        None if key(level) != level.id => format!(
            "You won a star: {title} with {rules} rules. Stars of your own levels are not in the total."
        ),
        None => format!(
            "You won a star: {title} with {rules} rules. {won} of {of}, one for each level and combat system."
        ),
        Some(old) if old < worth => {
            format!("Your best win of {title} with {rules} rules: {line}.")
        }
        Some(_) => format!("You have the star for {title} with {rules} rules already."),
    };
}
