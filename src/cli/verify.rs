//! `fivefoot verify`: runs scenarios and prints the results.

use super::{
    Failure, Outcome, check, input, problems, progress, say, say_json, say_lines, say_raw, stop,
};
use clap::Args;
use fivefoot_core::{
    control::scenario::{self, ScenarioResult},
    files::LEVEL_BYTES,
    words::{count, escaped},
};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Run scenarios that test the rules.
///
/// Ctrl-C stops early and prints the results so far.
#[derive(Args)]
pub struct VerifyArgs {
    /// Files, or folders; in a folder, all .ron files are run, but no packs. `-` reads standard
    /// input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Run only scenarios with this text in their path or in the id of a rule that they
    /// prove, in any case; repeat it to run scenarios that match any of them
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Print only failures and the number of scenarios
    #[arg(long, short)]
    quiet: bool,
    /// `json`: one object per line; `junit`: XML as Jenkins and GitLab read it; `tap`:
    /// the Test Anything Protocol. See docs/ci.md
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Do nothing at decisions for which the scenario has no order; print all orders,
    /// including those added
    #[arg(long)]
    fill: bool,
}

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Text,
    Json,
    Junit,
    Tap,
}

/// A scenario that was run.
struct Ran {
    verdict: ScenarioResult,
    time: Duration,
}

pub fn run(args: &VerifyArgs) -> Outcome {
    stop::install_handler();
    let (files, missing) = check::ron_files(&args.paths, false);
    let mut all = vec![];
    let mut take = |ran: Ran| {
        match args.format {
            Format::Text => say_text(&ran, args.quiet),
            Format::Json => say_object(&ran, args.quiet),
            Format::Tap => say_tap(&ran, all.len() + 1, args.quiet),
            Format::Junit => {}
        }
        all.push(ran);
    };
    if args.format == Format::Tap {
        say("TAP version 13");
    }
    for problem in missing {
        take(Ran {
            verdict: ScenarioResult::unread(&problem.file.clone(), vec![problem]),
            time: Duration::ZERO,
        });
    }
    for path in &files {
        if progress::is_stopped() {
            break;
        }
        if let Some(ran) = run_one(path, args) {
            take(ran);
        }
    }
    if all.is_empty() && !progress::is_stopped() {
        let what = args.filter.join("' or '");
        return Err(Failure::usage(format!("no scenario matches '{what}'")));
    }
    let failed = all.iter().filter(|ran| !ran.verdict.passed()).count();
    let passed = all.len() - failed;
    match args.format {
        Format::Text => {
            if !args.quiet && all.len() > 1 {
                repeat_failures(&all);
            }
            say(format!("{passed} passed, {failed} failed"));
        }
        Format::Json => say_json(json!({
            "what": "verified",
            "passed": passed,
            "failed": failed,
            "seconds": all.iter().map(|ran| ran.time).sum::<Duration>().as_secs_f64(),
        })),
        Format::Tap => say(format!("1..{}", all.len())),
        Format::Junit => say_raw(&junit(&all)),
    }
    progress::stopped_after(&format!("ran {}", count(all.len(), "scenario")))?;
    match failed {
        0 => Ok(()),
        _ => Err(Failure::new("")),
    }
}

/// Runs a scenario. `None` if the arguments exclude it.
fn run_one(path: &Path, args: &VerifyArgs) -> Option<Ran> {
    let file = input::name(path);
    let text = input::text(path, LEVEL_BYTES);
    let is_wanted = |text: &str| {
        args.filter.is_empty() || {
            let text = text.to_lowercase();
            let mut wanted = args.filter.iter();
            wanted.any(|filter| text.contains(&filter.to_lowercase()))
        }
    };
    if !is_wanted(&file) {
        let scenario = scenario::check_file(&file, text.as_ref().ok()?).ok()?;
        scenario.0.proves().any(is_wanted).then_some(())?;
    }
    let before = Instant::now();
    let verdict = match text {
        Err(problem) => ScenarioResult::unread(&file, vec![problem]),
        Ok(text) if args.fill => scenario::fill_text(&file, &text),
        Ok(text) => scenario::verify_text(&file, &text),
    };
    let time = before.elapsed();
    Some(Ran { verdict, time })
}

/// A duration as text: `3 ms`, `1.2 s`.
fn duration_text(time: Duration) -> String {
    match time.as_millis() {
        ms @ ..1000 => format!("{ms} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

fn say_text(Ran { verdict, time }: &Ran, quiet: bool) {
    if !(quiet && verdict.passed() && verdict.orders.is_none()) {
        say_lines(verdict.text(&format!("({})", duration_text(*time))));
    }
}

/// Prints all failures again, without their logs.
fn repeat_failures(all: &[Ran]) {
    let failed = all.iter().filter(|ran| !ran.verdict.passed());
    let failed: Vec<_> = failed.map(|ran| &ran.verdict).collect();
    if failed.is_empty() {
        return;
    }
    say("");
    say(format!("{}:", count(failed.len(), "failure")));
    for verdict in failed {
        say(format!("  {}  {}", verdict.file, verdict.proves.join(" ")).trim_end());
        let problems = verdict.problems.iter();
        problems.for_each(|problem| say(format!("    {problem}")));
    }
    say("");
}

fn say_object(Ran { verdict, time }: &Ran, quiet: bool) {
    if quiet && verdict.passed() {
        return;
    }
    let problems = verdict.problems.iter().map(problems::json);
    say_json(json!({
        "what": "scenario",
        "file": verdict.file,
        "passed": verdict.passed(),
        "proves": verdict.proves,
        "shows": verdict.shows,
        "seconds": time.as_secs_f64(),
        "problems": problems.collect::<Vec<_>>(),
        "log": verdict.log,
        "orders": verdict.orders,
    }));
}

fn say_tap(Ran { verdict, time }: &Ran, n: usize, quiet: bool) {
    let how = if verdict.passed() { "ok" } else { "not ok" };
    let name = format!("{} {}", verdict.file, verdict.proves.join(" "));
    // Text after an unescaped # is a directive.
    let name = name.trim_end().replace('\\', "\\\\").replace('#', "\\#");
    say(format!("{how} {n} - {name}"));
    if quiet && verdict.passed() {
        return;
    }
    say("  ---");
    say(format!("  duration_ms: {:.3}", time.as_secs_f64() * 1000.0));
    let problems: Vec<_> = verdict.problems.iter().map(ToString::to_string).collect();
    // Perl's YAML reader understands this form, but not every quoted string.
    for (name, lines) in [("message", &problems), ("log", &verdict.log)] {
        if !lines.is_empty() {
            say(format!("  {name}: |"));
            lines.iter().for_each(|line| say(format!("    {line}")));
        }
    }
    say("  ...");
}

/// Results as JUnit XML, one suite per folder.
fn junit(all: &[Ran]) -> String {
    let xml = |text: &str| escaped(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let counts = |all: &[&Ran]| {
        let of =
            |is: fn(&ScenarioResult) -> bool| all.iter().filter(|ran| is(&ran.verdict)).count();
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\"",
            all.len(),
            of(|verdict| !verdict.passed() && verdict.was_read()),
            of(|verdict| !verdict.was_read()),
            seconds(all.iter().map(|ran| ran.time).sum())
        )
    };
    let every: Vec<&Ran> = all.iter().collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += &format!("<testsuites name=\"fivefoot verify\" {}>\n", counts(&every));
    let folder = |ran: &Ran| Path::new(&ran.verdict.file).parent().map(Path::to_owned);
    for suite in every.chunk_by(|a, b| folder(a) == folder(b)) {
        let place = folder(suite[0]).unwrap_or_default();
        let parts = place.components().filter_map(|part| match part {
            std::path::Component::Normal(name) => Some(name.to_string_lossy().replace('.', "_")),
            _ => None,
        });
        let class = match parts.collect::<Vec<_>>().join(".") {
            none if none.is_empty() => "scenarios".into(),
            class => class,
        };
        let class = xml(&class);
        out += &format!("  <testsuite name=\"{class}\" {}>\n", counts(suite));
        for Ran { verdict, time } in suite {
            let name = Path::new(&verdict.file).file_stem().unwrap_or_default();
            let name = xml(&name.to_string_lossy());
            let time = seconds(*time);
            let head = format!("name=\"{name}\" classname=\"{class}\" time=\"{time}\"");
            let Some(first) = verdict.problems.first() else {
                out += &format!("    <testcase {head}/>\n");
                continue;
            };
            let kind = match verdict.was_read() {
                true => "failure",
                false => "error",
            };
            let (first, text) = (xml(&first.to_string()), xml(&verdict.to_string()));
            out += &format!(
                "    <testcase {head}>\n      <{kind} type=\"{kind}\" message=\"{first}\">{text}</{kind}>\n    </testcase>\n"
            );
        }
        out += "  </testsuite>\n";
    }
    out + "</testsuites>"
}
