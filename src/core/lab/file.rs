//! Tallies as lines of JSON: what `sim --json` and `sum --json` print, and what
//! `sum` reads.

use super::{
    Tally,
    interval::Estimate,
    report::{Report, quantile},
    tally::Unlike,
};
use serde_json::{Value, json};

/// How a tally is marked among other lines.
const WHAT: &str = "tally";

/// With what a line of a tally begins.
pub const MARK: &str = "{\"what\":\"tally\"";

/// A tally as a line: first what it says, then what was counted.
pub fn line(report: &Report) -> String {
    let told = told(report).to_string();
    let tally = serde_json::to_string(&report.tally).unwrap_or_default();
    format!("{MARK},\"told\":{told},\"tally\":{tally}}}")
}

fn told(report: &Report) -> Value {
    let nobody = report.level.sides.len();
    let ids = report.level.sides.iter().map(|s| s.id.as_str());
    let wins = ids.chain(["nobody"]).enumerate().map(|(n, id)| {
        let mut wins = estimate(report.wins(n));
        wins["side"] = id.into();
        wins["wins"] = report.tally.wins[n].into();
        wins
    });
    let rounds = report.tally.all_rounds();
    let (hits, attacks) = report.hits();
    let mut told = json!({
        "level": report.tally.fought.level,
        "rules": report.tally.fought.rules,
        "battles": report.battles(),
        "wins": wins.take(nobody + 1).collect::<Vec<_>>(),
        "round_limit": estimate(report.round_limit()),
        "stalemate": estimate(report.stalemate()),
        "rounds": {"mean": report.mean_rounds(), "median": quantile(&rounds, 0.5), "p90": quantile(&rounds, 0.9)},
        "seconds": report.seconds(),
        "attacks": attacks,
        "hit": estimate(hits),
        "reactions": report.reactions(),
        "spread": report.spread(),
        "upsets": estimate(report.upsets()),
        "moved_first": estimate(report.moved_first()),
        "going_first": report.going_first().map(estimate),
        "first_move": report.first_move().map(estimate),
    });
    if !report.tally.beside.is_empty() {
        let compared = report.compared().into_iter().map(|c| {
            json!({
                "with": c.other.to_string(),
                "there": estimate(c.there),
                "difference": estimate(c.difference),
                "is_telling": c.difference.is_telling(),
            })
        });
        told["beside"] = compared.collect();
    }
    told
}

fn estimate(of: Estimate) -> Value {
    json!({"share": of.value, "low": of.low, "high": of.high})
}

/// The tallies in a file's lines; lines of other things are passed over.
///
/// # Errors
/// The line, from 1, and what is wrong there; or that there is none at all.
pub fn read(text: &str) -> Result<Vec<Tally>, (usize, String)> {
    let mut found = vec![];
    let mut last = 1;
    for (n, line) in text.lines().enumerate() {
        last = n + 1;
        if line.trim().is_empty() {
            continue;
        }
        let mut value: Value = serde_json::from_str(line).map_err(|e| {
            let what = format!("this is not a line of JSON: {e}");
            (last, format!("{what}; it may have been cut short"))
        })?;
        if value["what"] != WHAT {
            continue;
        }
        if !is_plausible(&value["tally"]) {
            return Err((
                last,
                "the numbers are too large to be counts of battles".into(),
            ));
        }
        let tally: Tally = serde_json::from_value(value["tally"].take())
            .map_err(|e| (last, format!("this tally cannot be read: {e}")))?;
        Report::of(tally.clone()).map_err(|e| (last, e))?;
        found.push(tally);
    }
    match found.is_empty() {
        true => {
            let what = "there is no tally in it; `fivefoot sim --battles N --json` writes one";
            Err((last, what.into()))
        }
        false => Ok(found),
    }
}

/// Whether no number is larger than can be added up; seeds may be anything.
fn is_plausible(tally: &Value) -> bool {
    match tally {
        Value::Number(n) => n.as_f64().is_some_and(|n| n.abs() < 1e15),
        Value::Array(all) => all.iter().all(is_plausible),
        Value::Object(all) => all
            .iter()
            .all(|(key, of)| key == "seeds" || is_plausible(of)),
        _ => true,
    }
}

/// Takes the tallies of a file into those of files before it.
///
/// # Errors
/// In words, when they are not of the same battles, or fought the same seed.
pub fn join(all: &mut [Tally], more: &[Tally]) -> Result<(), String> {
    if all.len() != more.len() {
        let (theirs, ours) = (more.len(), all.len());
        return Err(format!(
            "it has {theirs} tallies where the first file has {ours}"
        ));
    }
    for (tally, more) in all.iter_mut().zip(more) {
        tally.join(more).map_err(|unlike| match unlike {
            Unlike::What(what) => format!("it is {what}"),
            Unlike::Seed(seed) => {
                let Tally { fought, .. } = &tally;
                format!(
                    "seed {seed} under {} is in an earlier file too",
                    fought.rules
                )
            }
        })?;
    }
    Ok(())
}
