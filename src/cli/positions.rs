//! `fivefoot arena --positions`: which orders AIs choose in positions whose good
//! orders are known.

use super::{
    Failure, Outcome, arena::ArenaArgs, check, problems::say_problem, progress, say, say_json,
    say_lines,
};
use fivefoot_core::{
    control::{
        bot::number,
        positions::{self, Position},
    },
    ron_read::Problem,
    rulesets::ALL,
    words::{count, shown_line},
};
use rayon::prelude::*;
use std::fmt::Write;

/// The result of a position: what a and b chose, and how often the first good and the
/// first bad order win.
struct Judged {
    position: Position,
    chosen: [positions::Chosen; 2],
    shares: Option<(f32, f32)>,
}

pub fn run(args: &ArenaArgs) -> Outcome {
    let (files, missing) = check::ron_files(&args.positions, false);
    let report = |problem: &Problem| match args.json {
        true => say_problem(problem, "error"),
        false => say_lines(problem),
    };
    missing.iter().for_each(report);
    let pool = progress::threads(args.many.threads)?;
    let judge = |file: &std::path::PathBuf| -> Result<Judged, Vec<Problem>> {
        let position = positions::read(file)?;
        let illegal = position.illegal();
        if !illegal.is_empty() {
            return Err(illegal);
        }
        let alone = |problem| vec![problem];
        let chosen = [
            position.judge(args.a).map_err(alone)?,
            position.judge(args.b).map_err(alone)?,
        ];
        let shares = match args.playouts {
            Some(playouts) => position.compare(playouts).map_err(alone)?,
            None => None,
        };
        Ok(Judged {
            position,
            chosen,
            shares,
        })
    };
    let judged: Vec<_> = pool.install(|| files.par_iter().map(judge).collect());
    progress::stopped()?;
    let mut wrong = missing.len();
    let mut all = vec![];
    for one in judged {
        match one {
            Ok(one) => all.push(one),
            Err(problems) => {
                wrong += 1;
                problems.iter().for_each(report);
            }
        }
    }
    wrong += all.iter().filter(|one| !one.meets_margin()).count();
    for one in &all {
        match args.json {
            true => say_json(one.json(args)),
            false => say_lines(one.text(args).trim_end()),
        }
    }
    if !args.json && !all.is_empty() {
        totals(args, &all);
    }
    match wrong {
        0 => Ok(()),
        n => Err(Failure::new(format!("{} failed", count(n, "position")))),
    }
}

fn totals(args: &ArenaArgs, all: &[Judged]) {
    say("");
    let [a, b] = [args.a, args.b].map(|player| player.name());
    let row = |what: &str, some: &[&Judged]| {
        let good = |n: usize| some.iter().filter(|one| one.chosen[n].is_good).count();
        let (n, of_a, of_b) = (some.len(), good(0), good(1));
        say(format!("{what:<10} {n:>3} · {a} {of_a} · {b} {of_b}"));
    };
    for rules in ALL {
        let own = all.iter().filter(|one| one.position.rules.id == rules.id);
        let own: Vec<&Judged> = own.collect();
        if !own.is_empty() {
            row(rules.id, &own);
        }
    }
    row("all", &all.iter().collect::<Vec<_>>());
}

impl Judged {
    /// Whether the measured difference is at least the margin that the position
    /// claims.
    fn meets_margin(&self) -> bool {
        let (Some(margin), Some((good, bad))) = (self.position.margin, self.shares) else {
            return true;
        };
        good - bad >= f32::from(margin)
    }

    fn text(&self, args: &ArenaArgs) -> String {
        let head = format!("{}: {}", self.position.file, self.position.shows);
        let mut out = format!("{}\n", shown_line(&head));
        for (player, chosen) in [args.a, args.b].into_iter().zip(&self.chosen) {
            let mark = if chosen.is_good { "good" } else { "BAD" };
            let order = shown_line(&chosen.order);
            let _ = writeln!(out, "  {mark:<6}{}: {order}", player.name());
        }
        if let Some((good, bad)) = self.shares {
            let (a, b) = (&self.position.wise[0], &self.position.unwise[0]);
            let (a, b) = (shown_line(a), shown_line(b));
            let _ = write!(out, "  wins   {good:.0}% by {a}, {bad:.0}% by {b}");
            if !self.meets_margin() {
                let margin = self.position.margin.unwrap_or_default();
                let _ = write!(out, ": less than the {margin}% in the file");
            }
        }
        out
    }

    fn json(&self, args: &ArenaArgs) -> serde_json::Value {
        let chosen = |n: usize| {
            let chosen: &positions::Chosen = &self.chosen[n];
            serde_json::json!({"order": chosen.order, "well": chosen.is_good})
        };
        serde_json::json!({
            "what": "position",
            "file": self.position.file,
            "rules": self.position.rules.id,
            "shows": self.position.shows,
            "a": args.a.name(),
            "b": args.b.name(),
            "a_chose": chosen(0),
            "b_chose": chosen(1),
            "wise_wins_percent": self.shares.map(|s| number(s.0)),
            "unwise_wins_percent": self.shares.map(|s| number(s.1)),
        })
    }
}
