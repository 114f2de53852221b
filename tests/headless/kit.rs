//! Helpers for several headless tests: the command-line program and small levels. Test files use
//! this module and never each other.

use fivefoot_core::levels::check_file;
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

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
        let home = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("cli")
            .join(test);
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        Self { home }
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
