//! `fivefoot check`: reports all problems of levels and other files.

use super::{
    Failure, Outcome, input,
    problems::{Sources, say_problem},
    say, say_json, say_json_line,
};
use clap::Args;
use fivefoot_core::{
    content::{self, Content, codex::Codex},
    control::{FileKind, positions, scenario},
    files::{self, LEVEL_BYTES},
    levels::{self, About, Level, pack},
    ron_read::{self, Problem},
    version,
    words::count,
};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Find every mistake in levels, packs, content and scenarios, with its position.
#[derive(Args)]
pub struct CheckArgs {
    /// Files, packs, or folders; in a folder, all .ron files and packs are checked. `-`
    /// reads standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// `json`: one object per line; `github`: annotations of a workflow; `sarif`: a file
    /// for code scanning. See docs/ci.md
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Text,
    Json,
    Github,
    Sarif,
}

/// The problems of a file.
struct Checked {
    file: String,
    sources: Sources,
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
    /// The level, if the file is a readable one.
    level: Option<Arc<Level>>,
}

/// Errors and warnings of a file, and the level in it.
type Findings = (Vec<Problem>, Vec<Problem>, Option<Arc<Level>>);

pub fn run(args: &CheckArgs) -> Outcome {
    let (files, missing) = ron_files(&args.paths, true);
    let mut results = vec![];
    let (mut errors, mut warnings) = (0, 0);
    let missing = missing.into_iter().map(|problem| Checked {
        file: problem.file.clone(),
        sources: Sources::default(),
        errors: vec![problem],
        warnings: vec![],
        level: None,
    });
    let n = missing.len() + files.len();
    for checked in missing.chain(files.iter().map(|path| check_path(path))) {
        errors += checked.errors.len();
        warnings += checked.warnings.len();
        match args.format {
            Format::Text => checked.say_text(),
            Format::Json => checked.say_json(),
            Format::Github => checked.each(|problem, level| say(annotation(problem, level))),
            Format::Sarif => checked.each(|problem, level| results.push(sarif(problem, level))),
        }
    }
    match args.format {
        Format::Sarif => say_json_line(sarif_log(results)),
        Format::Json => say_json(json!({
            "what": "checked",
            "files": n,
            "errors": errors,
            "warnings": warnings,
        })),
        Format::Text | Format::Github => {}
    }
    let files = count(n, "file");
    let warned = match warnings {
        0 => String::new(),
        n => format!(", {}", count(n, "warning")),
    };
    if errors > 0 {
        let errors = count(errors, "error");
        return Err(Failure::new(format!("{errors} in {files}{warned}")));
    }
    if args.strict && warnings > 0 {
        return Err(Failure::new(format!("{files}{warned} (--strict)")));
    }
    if matches!(args.format, Format::Text | Format::Github) {
        say(format!("{files}, no errors{warned}"));
    }
    Ok(())
}

fn check_path(path: &Path) -> Checked {
    let file = input::name(path);
    let (sources, (errors, mut warnings, level)) =
        if !input::is_standard(path) && pack::is_pack(path) {
            let (sources, pack) = Sources::of_pack(path);
            (sources, with_level(pack, |pack| Some(pack.level)))
        } else {
            match input::text(path, LEVEL_BYTES) {
                Ok(text) => (Sources::of(&file, &text), check(&file, &text)),
                Err(problem) => (Sources::default(), (vec![problem], vec![], None)),
            }
        };
    if pack::is_misnamed_level(path) {
        let what = format!("the level of a pack is called `{}`", pack::LEVEL);
        warnings.push(problem(path, &what, "rename this file"));
    }
    Checked {
        file,
        sources,
        errors,
        warnings,
        level,
    }
}

impl Checked {
    fn say_text(self) {
        self.sources.report(&self.errors, self.warnings);
        if let Some(level) = self.level.filter(|level| !level.about.is_empty()) {
            say(format!("{}: {}, {}", self.file, level.title, level.about));
        }
    }

    fn say_json(&self) {
        self.each(say_problem);
        let title = self.level.as_ref().map(|level| level.title.as_str());
        let mut summary = json!({
            "what": "file",
            "file": self.file,
            "errors": self.errors.len(),
            "warnings": self.warnings.len(),
            "title": title,
        });
        let none = About::default();
        let about = self.level.as_ref().map_or(&none, |level| &level.about);
        about.put_into(&mut summary);
        say_json(summary);
    }

    /// Calls `each` for the errors, then the warnings, with "error" or "warning".
    fn each(&self, mut each: impl FnMut(&Problem, &str)) {
        for (problems, level) in [(&self.errors, "error"), (&self.warnings, "warning")] {
            problems.iter().for_each(|problem| each(problem, level));
        }
    }
}

/// A command of a GitHub workflow that annotates a line.
fn annotation(problem: &Problem, level: &str) -> String {
    let data = |text: &str| {
        let text = text.replace('%', "%25").replace('\r', "%0D");
        text.replace('\n', "%0A")
    };
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    format!(
        "::{level} file={},line={},col={},title=fivefoot check::{}",
        property(&problem.file),
        problem.line,
        problem.col,
        data(&problem.text())
    )
}

/// The id of the SARIF rule for errors, which make a file unusable.
const MISTAKE: &str = "fivefoot/mistake";
/// The id of the SARIF rule for warnings, about what has no effect.
const HINT: &str = "fivefoot/hint";

/// A problem as a SARIF result. `level` is "error" or "warning".
fn sarif(problem: &Problem, level: &str) -> Value {
    let id = if level == "error" { MISTAKE } else { HINT };
    json!({
        "ruleId": id,
        "level": level,
        "message": {"text": problem.text()},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(&problem.file)},
            "region": {"startLine": problem.line, "startColumn": problem.col},
        }}],
    })
}

/// A complete SARIF file.
fn sarif_log(results: Vec<Value>) -> Value {
    let rule = |id: &str, text: &str, level: &str| {
        json!({
            "id": id,
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": level},
        })
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "fivefoot",
                "version": version::VERSION,
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": [
                    rule(MISTAKE, "A mistake: the file cannot be used", "error"),
                    rule(HINT, "Something that has no effect", "warning"),
                ],
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// A path as a URI reference. Relative paths stay relative.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    #[cfg(windows)]
    let path = &path.replace('\\', "/");
    let mut uri = String::new();
    if path.starts_with('/') {
        uri += "file://";
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into());
            }
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

/// Errors and warnings of a file that is not a level.
fn split<T>(read: ron_read::Outcome<T>) -> Findings {
    with_level(read, |_| None)
}

/// Errors and warnings of a file, and the level that `level` finds in it.
fn with_level<T>(read: ron_read::Outcome<T>, level: impl Fn(T) -> Option<Arc<Level>>) -> Findings {
    match read {
        Ok((made, warnings)) => (vec![], warnings, level(made)),
        Err(errors) => (errors, vec![], None),
    }
}

/// Errors and warnings of a file's text. Its fields show what kind of file it is.
fn check(name: &str, text: &str) -> Findings {
    // A file of no known kind is taken for a level.
    match FileKind::of(text).unwrap_or(FileKind::Level) {
        FileKind::Content => split(content::check_file(name, text, Content::built_in())),
        FileKind::Codex => split(Codex::built_in().check_file(name, text)),
        FileKind::Tables(tables) => (Vec::from_iter((tables.check)(name, text)), vec![], None),
        FileKind::Scenario => match scenario::check_file(name, text) {
            Ok((scenario, warnings)) => (scenario.open_end().into_iter().collect(), warnings, None),
            Err(errors) => (errors, vec![], None),
        },
        FileKind::Position => match positions::check_file(name, text) {
            Ok((position, warnings)) => (position.illegal(), warnings, None),
            Err(errors) => (errors, vec![], None),
        },
        kind @ (FileKind::Recording | FileKind::Run) => {
            let what = format!("this is {}", kind.name());
            let help = kind.remedy(name);
            (vec![Problem::of_file(name, what, help)], vec![], None)
        }
        FileKind::Level => with_level(levels::check_file(name, text), |level| {
            Some(Arc::new(level))
        }),
    }
}

/// The named files and packs, standard input for `-`, and all `.ron` files in the named folders,
/// in order; and the problems of the files that cannot be read. Packs in the folders are
/// included `with_packs`; commands that read other files than levels leave them out.
pub fn ron_files(paths: &[PathBuf], with_packs: bool) -> (Vec<PathBuf>, Vec<Problem>) {
    let (mut found, mut missing) = (vec![], vec![]);
    for path in paths {
        if input::is_standard(path) || pack::is_pack(path) {
            found.push(path.clone());
        } else if path.is_dir() {
            let (before, wrong) = (found.len(), missing.len());
            collect((path, path), with_packs, &mut found, &mut missing);
            found[before..].sort();
            if found.len() == before && missing.len() == wrong {
                let what = match with_packs {
                    true => "contains no .ron files",
                    false => "contains no .ron files outside packs",
                };
                missing.push(problem(path, what, ""));
            }
        } else if path.exists() {
            found.push(path.clone());
        } else {
            missing.push(problem(path, "there is no such file", ""));
        }
    }
    (found, missing)
}

/// Collects the files of a folder within `root`. Links that lead out of `root` are
/// not followed, because the problems of a file reveal its content.
fn collect(
    (root, folder): (&Path, &Path),
    with_packs: bool,
    found: &mut Vec<PathBuf>,
    missing: &mut Vec<Problem>,
) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) => {
            missing.push(problem(folder, &format!("cannot be read: {e}"), ""));
            return;
        }
    };
    for entry in entries {
        let (path, kind) = match entry.and_then(|e| Ok((e.path(), e.file_type()?))) {
            Ok(entry) => entry,
            Err(e) => {
                missing.push(problem(folder, &format!("cannot be read: {e}"), ""));
                continue;
            }
        };
        // A link to a folder can form a cycle, and reading a pipe never ends.
        let is_ron = path.extension().is_some_and(|e| e == "ron");
        let is_pack = pack::is_pack(&path);
        if (is_ron || is_pack) && kind.is_symlink() && files::leads_out(&path, root) {
            let what = "this link leads out of the folder and is not followed";
            missing.push(problem(&path, what, "name the file itself to have it read"));
        } else if is_pack {
            found.extend(with_packs.then_some(path));
        } else if kind.is_dir() {
            collect((root, &path), with_packs, found, missing);
        } else if is_ron && path.is_file() {
            found.push(path);
        } else if is_ron && kind.is_symlink() && !path.exists() {
            missing.push(problem(&path, "this link points to nothing", ""));
        } else if is_ron {
            missing.push(problem(&path, "is not a file", ""));
        }
    }
}

/// A problem of a whole file or folder.
fn problem(path: &Path, what: &str, help: &str) -> Problem {
    Problem::of_file(&path.display().to_string(), what, help)
}
