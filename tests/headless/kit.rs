//! Helpers for several headless tests: battles, the command-line program and small levels. Test
//! files use this module and never each other.

use fivefoot_core::{
    battle::{Battle, DiceBox, Ruleset, level_setup},
    control::{
        Controllers, Player, play,
        scenario::{self, ScenarioResult},
    },
    levels::{Level, check_file},
};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

/// Answer limit, higher than any battle needs.
pub const MAX_ANSWERS: usize = 100_000;

pub fn begun(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> Battle {
    Battle::new(level_setup(level), rules, DiceBox::seeded(seed))
}

/// A finished battle between these players. The last player has all later sides.
pub fn between(
    level: &Arc<Level>,
    rules: &'static Ruleset,
    players: &[Player],
    seed: u64,
) -> Battle {
    let mut battle = Battle::new(level_setup(level), rules, DiceBox::seeded(seed));
    finish(&mut battle, level, players, seed);
    battle
}

/// A finished, audited battle with the same player on all sides.
pub fn fought(level: &Arc<Level>, rules: &'static Ruleset, player: Player, seed: u64) -> Battle {
    audited(level, rules, &[player], seed)
}

/// A finished, audited battle between these players. The last player has all later sides.
pub fn audited(
    level: &Arc<Level>,
    rules: &'static Ruleset,
    players: &[Player],
    seed: u64,
) -> Battle {
    let mut battle = Battle::audited(level_setup(level), rules, DiceBox::seeded(seed));
    finish(&mut battle, level, players, seed);
    battle
}

fn finish(battle: &mut Battle, level: &Arc<Level>, players: &[Player], seed: u64) {
    let mut controllers = controllers(level, battle.rules(), players, seed);
    play(battle, &mut controllers, MAX_ANSWERS);
}

/// Players by side. The last one has all later sides.
pub fn controllers(
    level: &Arc<Level>,
    rules: &'static Ruleset,
    players: &[Player],
    seed: u64,
) -> Controllers {
    let sides = 0..level.sides.len();
    let players: Vec<Player> = sides.map(|n| players[n.min(players.len() - 1)]).collect();
    Controllers::new(&players, &level_setup(level), rules, seed)
}

/// A battle before its first answer, and this player for all its sides.
pub fn with_controllers(
    level: &Arc<Level>,
    rules: &'static Ruleset,
    player: Player,
    seed: u64,
) -> (Battle, Controllers) {
    let controllers = controllers(level, rules, &[player], seed);
    (begun(level, rules, seed), controllers)
}

/// The events from an index on, as JSON.
pub fn json(battle: &Battle, from: usize) -> Vec<String> {
    let events = battle.events()[from..].iter();
    let json = events.map(|e| e.json(battle.names()).to_string());
    json.collect()
}

/// The texts of the log lines.
pub fn lines(battle: &Battle) -> Vec<String> {
    let events = battle.events().iter();
    let lines = events.filter_map(|e| e.describe(battle.names()));
    lines.map(|line| line.text).collect()
}

/// The battle of a scenario file, by its path from the repository's root.
pub fn of_scenario(file: &str) -> Battle {
    let text = fivefoot_kit::files::read(file);
    let (scenario, _) = scenario::check_file(file, &text).expect("it checks clean");
    scenario.play().battle
}

/// The problems of a scenario's text, which is called `a.ron`.
pub fn scenario_problems(text: &str) -> Vec<String> {
    problems_of(&scenario::verify_text("a.ron", text))
}

pub fn problems_of(result: &ScenarioResult) -> Vec<String> {
    result.problems.iter().map(ToString::to_string).collect()
}

/// An empty folder for one test of a group.
pub fn folder(group: &str, test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.join(group).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The program with a home folder for one test.
pub struct Cli {
    pub home: PathBuf,
}

/// The exit code and output of a call.
#[derive(Debug)]
pub struct Output {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Output {
    /// What the program printed. It succeeded without a word on standard error.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// The program succeeded and printed this.
    #[track_caller]
    pub fn tells(&self, text: &str) {
        let is_told = self.code == 0 && self.out.contains(text);
        assert!(is_told, "{text:?} is not printed: {self:?}");
    }

    /// The program failed with this exit code and gave this reason.
    #[track_caller]
    pub fn fails(&self, code: i32, why: &str) {
        let is_told = self.code == code && self.err.contains(why);
        assert!(is_told, "no exit code {code} for {why:?}: {self:?}");
    }
}

/// A destination that discards output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sink {
    /// Every write fails.
    Full,
    /// A pipe without a reader.
    Closed,
}

impl Cli {
    /// An empty folder for the test with this name.
    pub fn new(test: &str) -> Self {
        Self {
            home: folder("cli", test),
        }
    }

    /// A folder with [`LEVEL`] as `level.ron`.
    pub fn with_level(test: &str) -> Self {
        let cli = Self::new(test);
        cli.write("level.ron", LEVEL);
        cli
    }

    pub fn write(&self, file: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.home.join(file);
        fs::write(&path, text).unwrap();
        path
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.home.join(file)).unwrap()
    }

    /// A call of the program that has not started yet. After `measure`, it is a call of the
    /// program that measures what the game ships.
    pub fn command(&self, args: &[&str]) -> Command {
        let (program, args) = match args {
            ["measure", args @ ..] => (env!("CARGO_BIN_EXE_fivefoot-measure"), args),
            args => (env!("CARGO_BIN_EXE_fivefoot-headless"), args),
        };
        let mut command = Command::new(program);
        let home = command.current_dir(&self.home).args(args);
        let home = home.env("FIVEFOOT_HOME", &self.home);
        home.env_remove("DISPLAY").stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        let done = self.command(args).output().unwrap();
        Output {
            code: done.status.code().unwrap(),
            out: String::from_utf8(done.stdout).unwrap(),
            err: String::from_utf8(done.stderr).unwrap(),
        }
    }

    /// [`Self::run`] with the arguments in one text, split at spaces.
    pub fn call(&self, args: &str) -> Output {
        self.run(&args.split(' ').collect::<Vec<_>>())
    }

    /// Runs the program with its output going to sinks. Without `err`, standard error is captured.
    pub fn sunk(&self, args: &[&str], out: Sink, err: Option<Sink>) -> Output {
        let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
        let sink = |to: Sink| match to {
            Sink::Full => full(),
            Sink::Closed => {
                let (reader, writer) = std::io::pipe().unwrap();
                drop(reader);
                writer.into()
            }
        };
        let mut command = self.command(args);
        command.stdout(sink(out));
        command.stderr(err.map_or_else(Stdio::piped, sink));
        let done = command.spawn().unwrap().wait_with_output().unwrap();
        Output {
            code: done.status.code().unwrap(),
            out: String::new(),
            err: String::from_utf8(done.stderr).unwrap(),
        }
    }
}

/// A small level without problems.
pub const LEVEL: &str = r#"(
    title: "Small",
    map: ["........", "....+...", "....#..."],
    sides: [(id: "party"), (id: "foes")],
    combatants: [
        (kind: "mara", side: "party", at: (0, 0)),
        (kind: "goblin", side: "foes", at: (6, 1)),
    ],
    exits: [(at: (7, 0))],
)
"#;

/// A scenario that fails.
pub const FAILING: &str = r#"(
    rules: Skirmish, proves: ["GR-10"], shows: "Nothing.",
    map: ["..."],
    combatants: [
        (kind: "mara", side: "a", at: (0, 0)), (kind: "goblin", side: "b", at: (2, 0)),
    ],
    expect: (sight: [(from: (0, 0), to: (2, 0), los: false)]),
)"#;

/// The errors of a level, or its warnings if it has no errors; each starts with line and column.
pub fn told(text: &str) -> Vec<String> {
    let list = match check_file("a.ron", text) {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    };
    let lines = list.iter().map(|p| p.to_string());
    lines.map(|line| line["a.ron:".len()..].into()).collect()
}

/// [`LEVEL`] with some texts replaced.
pub fn changed(changes: &[(&str, &str)]) -> String {
    let mut text = LEVEL.to_string();
    for (old, new) in changes {
        assert!(text.contains(old), "{old} is not in the level");
        text = text.replacen(old, new, 1);
    }
    text
}

/// Asserts that [`LEVEL`] with some texts replaced has exactly these errors or warnings.
#[track_caller]
pub fn assert_told(changes: &[(&str, &str)], wanted: &[&str]) {
    assert_problems(&changed(changes), wanted);
}

/// Asserts that a level has exactly these errors or warnings.
#[track_caller]
pub fn assert_problems(text: &str, wanted: &[&str]) {
    let [found, wanted] = [told(text).join("\n"), wanted.join("\n")];
    assert!(found == wanted, "found:\n{found}\nwanted:\n{wanted}");
}
