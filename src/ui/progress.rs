//! What the player has won: for each level and combat system the best win. It is
//! kept beside the settings. Whoever writes it joins what is there with what it
//! knows, under a lock, so that two running games lose nothing of each other's.

use super::{
    Phase, Screen, Session,
    home::{self, Home},
    settings::Toast,
};
use crate::{
    battle::State,
    control::{Player, recording::Seat},
    levels::{Level, built_in},
    rulesets,
    words::count,
};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
};

/// The file's name in [`Home::config`].
const FILE: &str = "progress.ron";

pub(super) fn plugin(app: &mut App) {
    let home = app.world().get_resource::<Home>();
    let path = home.and_then(|home| home.config.as_ref());
    let mut progress = Progress {
        path: path.map(|config| config.join(FILE)),
        ..Progress::default()
    };
    progress.read_again();
    app.insert_resource(progress);
    app.add_systems(
        OnEnter(Screen::Title),
        // Another window may have won something meanwhile.
        |mut progress: ResMut<Progress>| progress.read_again(),
    );
    app.add_systems(
        Update,
        note.in_set(Phase::Foresee)
            .run_if(in_state(Screen::Battle))
            .run_if(not(resource_exists::<super::session::Trial>))
            .run_if(resource_exists_and_changed::<Session>),
    );
}

/// How well who was beaten plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Opponent {
    Easy,
    Quick,
    Strategist,
}

impl Opponent {
    /// "the quick AI".
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "the easy AI",
            Self::Quick => "the quick AI",
            Self::Strategist => "the strategist",
        }
    }

    /// `None`: nobody who is worth a mark.
    fn of(seat: Seat) -> Option<Self> {
        match seat {
            Seat::Ai(Player::Strategist(_)) => Some(Self::Strategist),
            Seat::Ai(Player::Quick) => Some(Self::Quick),
            Seat::Ai(Player::Easy) => Some(Self::Easy),
            Seat::Human | Seat::Ai(_) => None,
        }
    }
}

/// A win of one human against the game's AIs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// The worst of those who were beaten.
    pub opponent: Opponent,
    /// Points of handicap that they had more than the player's side; of several the
    /// least.
    #[serde(default)]
    pub handicap: i16,
    /// Of the player's side: dead or down at the end.
    pub losses: u16,
    /// The round in which it was won.
    pub rounds: u16,
    /// The id of the side that the player had.
    pub side: String,
}

impl Mark {
    /// The win of a battle that has come to its end on the screen.
    fn of(session: &Session) -> Option<Self> {
        let (game, own) = (&session.game, session.player());
        let won = session.over() == Some(Some(own)) && session.replay().is_none();
        if !won || game.humans() != 1 || !game.is_human(own) {
            return None;
        }
        let sides = &game.level().sides;
        let foes = || (0..sides.len()).filter(|n| *n != own.index());
        let opponents = foes().map(|n| Opponent::of(game.seats()[n]));
        let handicap = |n: usize| i16::from(sides[n].handicap);
        let people = session.shown().people.iter();
        let lost = people.filter(|p| p.side == own && matches!(p.state, State::Down | State::Dead));
        Some(Self {
            opponent: opponents.min()??,
            handicap: foes().map(handicap).min()? - handicap(own.index()),
            losses: lost.count() as u16,
            rounds: session.shown().clock.round,
            side: sides[own.index()].id.clone(),
        })
    }

    /// The better of two has the better opponent, then the greater handicap, then
    /// fewer losses and rounds.
    fn worth(&self) -> impl Ord + use<> {
        let cost = (Reverse(self.losses), Reverse(self.rounds));
        (self.opponent, self.handicap, cost)
    }

    /// "against the quick AI in 6 rounds, nobody lost".
    pub fn line(&self) -> String {
        let lost = match self.losses {
            0 => String::from("nobody lost"),
            n => format!("{n} lost"),
        };
        let handicap = match self.handicap {
            0 => String::new(),
            n @ 1.. => format!(" with {} of handicap more", count(n as usize, "point")),
            n => format!(
                " with {} of handicap less",
                count(n.unsigned_abs().into(), "point")
            ),
        };
        let (name, rounds) = (self.opponent.name(), count(self.rounds.into(), "round"));
        format!("against {name}{handicap} in {rounds}, {lost}")
    }
}

/// The best wins, by level and ruleset.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Marks {
    marks: BTreeMap<String, BTreeMap<String, Mark>>,
}

impl Marks {
    /// Takes over what is better in the other.
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

/// What the player has won.
#[derive(Resource, Debug, Default)]
pub struct Progress {
    path: Option<PathBuf>,
    all: Marks,
}

impl Progress {
    /// The best win of a level under a ruleset.
    pub fn mark(&self, level: &Level, rules: &str) -> Option<&Mark> {
        self.all.marks.get(&key(level))?.get(rules)
    }

    /// How many of the marks that the game's own levels have to give were won, and
    /// how many there are.
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

    /// Takes in a win, and writes it.
    fn add(&mut self, level: &Level, rules: &str, mark: Mark) -> Result<(), String> {
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

    fn read_again(&mut self) {
        let there = self.path.as_deref().map(read);
        self.all.join(there.unwrap_or_default());
    }
}

/// By what a level's marks are found. One of the player's own may be called like
/// one of the game's.
fn key(level: &Level) -> String {
    let is_it = |shipped: &Level| shipped.id == level.id && shipped.source == level.source;
    match built_in().iter().any(|shipped| is_it(shipped)) {
        true => level.id.clone(),
        false => format!("own/{}", level.id),
    }
}

fn read(path: &Path) -> Marks {
    let (marks, told) = home::read_or_set_aside(path);
    told.inspect(|told| warn!("{told}"));
    marks
}

/// Writes the marks, joined with those that are there by now.
fn write(path: &Path, marks: &mut Marks) -> Result<(), String> {
    let cannot = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot)?;
    }
    // Gone with the game, however it ends; whoever else holds it does so for no
    // longer than it takes to write.
    let lock = File::create(path.with_extension("lock")).map_err(cannot)?;
    lock.lock().map_err(cannot)?;
    marks.join(read(path));
    let pretty = ron::ser::PrettyConfig::new().struct_names(false);
    let body = ron::ser::to_string_pretty(marks, pretty);
    let body = body.map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    home::write(path, &format!("// What was won in Fivefoot.\n{body}\n"))
}

/// A battle that is won is noted as soon as its end is seen.
fn note(
    session: Res<Session>,
    mut progress: ResMut<Progress>,
    mut noted: Local<String>,
    mut toasts: MessageWriter<Toast>,
) {
    if session.over().is_none() || *noted == session.game.id() {
        return;
    }
    *noted = session.game.id().to_owned();
    let Some(mark) = Mark::of(&session) else {
        return;
    };
    let (level, rules) = (session.game.level(), session.game.rules().id);
    if let Err(why) = progress.add(level, rules, mark) {
        toasts.write(Toast(format!("The win is not kept: {why}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::default_level;

    fn at(name: &str) -> PathBuf {
        let name = format!("fivefoot-progress-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        folder.join(FILE)
    }

    fn open(path: &Path) -> Progress {
        let mut progress = Progress {
            path: Some(path.to_owned()),
            ..Progress::default()
        };
        progress.read_again();
        progress
    }

    fn mark(opponent: Opponent, handicap: i16, losses: u16, rounds: u16) -> Mark {
        Mark {
            opponent,
            handicap,
            losses,
            rounds,
            side: "party".into(),
        }
    }

    #[test]
    fn the_best_win_is_kept() {
        let level = default_level();
        let mut progress = Progress::default();
        // Each is better than those before it.
        let better = [
            mark(Opponent::Easy, 0, 3, 9),
            mark(Opponent::Easy, 0, 3, 8),
            mark(Opponent::Easy, 0, 2, 20),
            mark(Opponent::Easy, 1, 4, 20),
            mark(Opponent::Quick, -3, 4, 20),
            mark(Opponent::Strategist, -3, 4, 20),
        ];
        for (n, now) in better.iter().enumerate() {
            progress.add(&level, "Skirmish", now.clone()).unwrap();
            for worse in &better[..n] {
                progress.add(&level, "Skirmish", worse.clone()).unwrap();
            }
            assert_eq!(progress.mark(&level, "Skirmish"), Some(now));
        }
        assert_eq!(progress.mark(&level, "Speed"), None);
        assert_eq!(progress.gathered().0, 1);
        // A level of the player's own that is called like it has its own marks.
        let mut own = (*level).clone();
        own.source = "other".into();
        assert_eq!(progress.mark(&own, "Skirmish"), None);
        let gathered = progress.gathered();
        progress.add(&own, "Skirmish", better[0].clone()).unwrap();
        assert_eq!(progress.gathered(), gathered);
    }

    #[test]
    fn two_windows_lose_nothing_of_each_others() {
        let path = at("two");
        let level = default_level();
        let (mut one, mut other) = (open(&path), open(&path));
        one.add(&level, "Skirmish", mark(Opponent::Quick, 0, 0, 5))
            .unwrap();
        other
            .add(&level, "Speed", mark(Opponent::Easy, 0, 1, 7))
            .unwrap();
        other
            .add(&level, "Skirmish", mark(Opponent::Easy, 0, 0, 2))
            .unwrap();
        let third = open(&path);
        let best = third.mark(&level, "Skirmish").unwrap();
        assert_eq!(best.opponent, Opponent::Quick, "the better one stays");
        assert!(third.mark(&level, "Speed").is_some());
        one.read_again();
        assert_eq!(one.all, third.all);
        // Many at once, each with a mark of its own.
        let all = rulesets::ALL.map(|rules| rules.id);
        std::thread::scope(|scope| {
            for rules in all {
                let (path, level) = (&path, &level);
                scope.spawn(move || {
                    let mut mine = open(path);
                    mine.add(level, rules, mark(Opponent::Strategist, 0, 0, 3))
                        .unwrap();
                });
            }
        });
        let end = open(&path);
        let is_won = |rules: &&str| end.mark(&level, rules).unwrap().rounds == 3;
        assert!(all.iter().all(is_won));
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_broken_file_is_set_aside() {
        let path = at("broken");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "(marks: {").unwrap();
        let mut progress = open(&path);
        progress
            .add(&default_level(), "Speed", mark(Opponent::Easy, 0, 0, 2))
            .unwrap();
        assert_eq!(open(&path).all, progress.all);
        let aside = path.with_extension("ron.broken");
        assert_eq!(fs::read_to_string(aside).unwrap(), "(marks: {");
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}
