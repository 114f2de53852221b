//! `fivefoot sum`: joins the JSON results of several runs.

use super::{
    Failure, Outcome, arena, battles,
    fail_unless::WinRange,
    input, print_error, redirect,
    report_printer::{Form, ReportPrinter},
    say, say_json_line, say_lines,
};
use clap::Args;
use fivefoot_core::{
    control::FileKind,
    files::TALLY_BYTES,
    lab::{
        arena::Contest,
        file::{self, FilePart},
        interval::Estimate,
        report::Report,
    },
};
use std::path::PathBuf;

/// Join the statistics of several `sim`, `compare` or `arena` runs with --json, exactly.
///
/// The parts must have equal levels, rulesets, AIs and program versions, and
/// different seeds. Exit code 1 if shards are missing or a run was stopped. See docs/many-machines.md.
#[derive(Args)]
pub struct SumArgs {
    /// Output of `sim`, `compare` or `arena` with --json, or the JSON of a report; `-`
    /// reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print what there is although battles are missing
    #[arg(long)]
    partial: bool,
    /// Exit code 1 unless a side's win rate is in a range: `party 35..65%`, as in `sim`
    #[arg(long, value_name = "SIDE LOW..HIGH%")]
    fail_unless: Vec<WinRange>,
    /// Write the output to FILE, complete or not at all, instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let --out overwrite a file
    #[arg(long, requires = "out")]
    force: bool,
    /// Statistics as JSON, like those of `sim --json`
    #[arg(long)]
    json: bool,
    /// Statistics as one CSV table, one number per line
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Also write an HTML page with plots, and its JSON, to this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

pub fn run(args: &SumArgs) -> Outcome {
    let mut files: Vec<Vec<FilePart>> = vec![];
    let mut all: Vec<FilePart> = vec![];
    for path in &args.files {
        let name = input::name(path);
        let text = battles::read(path, TALLY_BYTES)?;
        let read = file::read(&text);
        let read = read.map_err(|(line, why)| match FileKind::of(&text) {
            Some(kind) => {
                let (what, help) = (kind.name(), kind.remedy(&name));
                let why = format!("{name}:1:1: this is {what}, not statistics; {help}");
                Failure::new(why)
            }
            None => Failure::new(format!("{name}:{line}: {why}")),
        })?;
        if files.is_empty() {
            all.clone_from(&read);
        } else {
            let joined = file::join(&mut all, &read);
            joined.map_err(|why| {
                let first = input::name(&args.files[0]);
                Failure::new(format!("{name}: cannot be joined to {first}: {why}"))
            })?;
        }
        files.push(read);
    }
    let missing: Vec<String> = all.iter().flat_map(missing).collect();
    if !missing.is_empty() {
        let missing_text = missing.join("\n");
        if !args.partial {
            let help = "--partial prints what there is";
            return Err(Failure::lines(1, format!("{missing_text}\n{help}")));
        }
        print_error(&missing_text);
    }
    redirect(args.out.as_ref(), args.force, &args.files)?;
    print_report(args, all, &files)
}

/// What a part lacks, one line for each shard.
fn missing(part: &FilePart) -> Vec<String> {
    let lacks = part.missing().into_iter();
    let lacks = lacks.map(|lack| format!("{}: {lack}", part.name()));
    lacks.collect()
}

fn print_report(args: &SumArgs, all: Vec<FilePart>, files: &[Vec<FilePart>]) -> Outcome {
    let form = Form::of(args.json, args.csv, Form::Text);
    let (mut reports, mut contests) = (vec![], vec![]);
    for (n, part) in all.into_iter().enumerate() {
        match part {
            FilePart::Battles(tally) => {
                reports.push((n, Report::of(*tally).map_err(Failure::new)?));
            }
            FilePart::Arena(contest) => contests.push(*contest),
        }
    }
    if !contests.is_empty() {
        let refused = [
            (args.csv, "--csv"),
            (args.report.is_some(), "--report"),
            (!args.fail_unless.is_empty(), "--fail-unless"),
        ];
        if let Some((_, option)) = refused.into_iter().find(|(given, _)| *given) {
            let why = format!("{option} is for the battles of sim and compare, not of arena");
            return Err(Failure::usage(why));
        }
    }
    if !reports.is_empty() || contests.is_empty() {
        let mut report_printer = ReportPrinter::new(form, args.report.as_ref(), &args.fail_unless)?;
        for (_, report) in &reports {
            report_printer.check_sides(&report.level)?;
        }
        for (n, report) in reports {
            let held = files.len() > 1 && form == Form::Text && report.battles() > 0;
            let held = held.then(|| coverage(&report, files, n));
            report_printer.print(report);
            held.iter().for_each(say);
        }
        report_printer.finish()?;
    }
    tell_contests(&contests, form);
    Ok(())
}

fn tell_contests(contests: &[Contest], form: Form) {
    let mut lines = file::Writer::default();
    let mut last = None;
    for contest in contests {
        if form == Form::Json {
            lines.arena(contest).iter().for_each(say_json_line);
            continue;
        }
        if last.replace(&contest.pairing.source) != Some(&contest.pairing.source) {
            say_lines(arena::heading(&contest.pairing));
        }
        say(arena::row(contest));
    }
}

/// How many of the files' intervals contain the share of the whole.
fn coverage(whole: &Report, files: &[Vec<FilePart>], n: usize) -> String {
    let share = whole.wins(0).value;
    let holds = |file: &&Vec<FilePart>| {
        let Some(FilePart::Battles(part)) = file.get(n) else {
            return false;
        };
        let part = Estimate::proportion(part.wins[0], part.battles());
        part.low <= share && share <= part.high
    };
    let held = files.iter().filter(holds).count();
    format!(
        "  {held} of the intervals of the {} parts contain the overall win rate ({:.1}%)",
        files.len(),
        share * 100.0
    )
}
