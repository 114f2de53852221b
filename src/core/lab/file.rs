//! Tallies as lines of JSON: written by `sim --json` and `sum --json`, read by `sum`.

use super::{
    Fought, Other, Tally,
    arena::{Contest, Times},
    interval::Estimate,
    report::{Report, quantile},
    tally::Unlike,
};
use crate::{control::recording::checksum, version::json_line};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The start of every file of such lines.
pub const MARK: &str = "{\"format\":1,\"what\":\"source\"";

/// More shards than any run is split into.
pub const MAX_SHARDS: u32 = 100_000;

/// Writes tallies as lines. The text of a level is written once, before its first
/// tally; tallies refer to it by checksum.
#[derive(Default)]
pub struct Writer {
    written: BTreeSet<String>,
}

impl Writer {
    /// The lines of a tally: first level texts not yet written, then the report and
    /// the counts.
    pub fn battles(&mut self, report: &Report) -> Vec<String> {
        let mut lines = vec![];
        let mut tally = report.tally.clone();
        let Fought { level, source, .. } = &mut tally.fought;
        self.put_away(level, source, &mut lines);
        for beside in &mut tally.beside {
            if let Other::Level(id, source) = &mut beside.with {
                self.put_away(id, source, &mut lines);
            }
        }
        let json = to_json(report).to_string();
        let tally = serde_json::to_string(&tally).unwrap_or_default();
        let line = format!("{{\"what\":\"tally\",\"told\":{json},\"tally\":{tally}}}");
        lines.push(json_line(&line));
        lines
    }

    /// The lines of a contest. The time of decisions is on its own line, so that the
    /// other lines are equal in every run.
    pub fn arena(&mut self, contest: &Contest) -> Vec<String> {
        let mut lines = vec![];
        let mut tally = contest.clone();
        let pairing = &mut tally.pairing;
        self.put_away(&pairing.level, &mut pairing.source, &mut lines);
        let json = contest.to_json();
        let counted = serde_json::to_string(&tally).unwrap_or_default();
        let line = format!("{{\"what\":\"arena\",\"told\":{json},\"tally\":{counted}}}");
        lines.push(json_line(&line));
        let times = &contest.times;
        let both = |of: usize| {
            let at = |percent| times.milliseconds(of, percent);
            json!({"median": at(50), "p99": at(99)})
        };
        let times = json!({
            "what": "arena_times",
            "level": json["level"],
            "rules": json["rules"],
            "a_ms_a_decision": both(0),
            "b_ms_a_decision": both(1),
            "microseconds": times,
        });
        lines.push(json_line(&times.to_string()));
        lines
    }

    /// Replaces a level's text by its checksum, and adds a line with the text if it
    /// was not written before.
    fn put_away(&mut self, level: &str, source: &mut String, lines: &mut Vec<String>) {
        let sum = checksum(source);
        let text = std::mem::replace(source, sum.clone());
        if self.written.insert(sum.clone()) {
            let (sum, level, text) = (json!(sum), json!(level), json!(text));
            lines.push(json_line(&format!(
                "{{\"what\":\"source\",\"checksum\":{sum},\"level\":{level},\"text\":{text}}}"
            )));
        }
    }
}

/// The counts read from a file.
#[derive(Clone, Debug, PartialEq)]
pub enum FilePart {
    Battles(Box<Tally>),
    Arena(Box<Contest>),
}

impl FilePart {
    /// Level and ruleset as text: `mill under Speed`.
    pub fn name(&self) -> String {
        let (level, rules) = match self {
            Self::Battles(tally) => (&tally.fought.level, &tally.fought.rules),
            Self::Arena(contest) => (&contest.pairing.level, &contest.pairing.rules),
        };
        format!("{level} under {rules}")
    }

    /// Whether level, ruleset and AIs are equal. Seeds may differ.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Battles(a), Self::Battles(b)) => a.unlike(b).is_none(),
            (Self::Arena(a), Self::Arena(b)) => a.unlike(b).is_none(),
            _ => false,
        }
    }

    /// Adds the counts from other seeds.
    ///
    /// # Errors
    /// A message if the battles differ in more than their seeds, or share seeds.
    fn join(&mut self, more: &Self) -> Result<(), String> {
        let joined = match (&mut *self, more) {
            (Self::Battles(tally), Self::Battles(more)) => tally.join(more),
            (Self::Arena(contest), Self::Arena(more)) => contest.join(more),
            (Self::Battles(_), Self::Arena(_)) => Err(Unlike::What("of an arena".into())),
            (Self::Arena(_), Self::Battles(_)) => Err(Unlike::What("not of an arena".into())),
        };
        joined.map_err(|unlike| match unlike {
            Unlike::What(what) => format!("it is {what}"),
            Unlike::Seed(seed) => {
                format!("seed {seed} of {} is in an earlier part too", self.name())
            }
        })
    }

    /// Descriptions of the missing shards, or of what a stopped run lacks.
    pub fn missing(&self) -> Vec<String> {
        let (whole, there) = match self {
            Self::Battles(tally) => (&tally.whole, tally.seeds.clone()),
            Self::Arena(contest) => (&contest.whole, contest.both_ways()),
        };
        whole.as_ref().map_or(vec![], |whole| whole.missing(&there))
    }
}

fn to_json(report: &Report) -> Value {
    let nobody = report.level.sides.len();
    let ids = report.level.sides.iter().map(|s| s.id.as_str());
    let wins = ids.chain(["nobody"]).enumerate().map(|(n, id)| {
        let mut wins = share(report.wins(n), report.battles());
        wins["side"] = id.into();
        wins["wins"] = report.tally.wins[n].into();
        wins
    });
    let rounds = report.tally.all_rounds();
    let (hits, attacks) = report.hits();
    let mut json = json!({
        "level": report.tally.fought.level,
        "rules": report.tally.fought.rules,
        "battles": report.battles(),
        "wins": wins.take(nobody + 1).collect::<Vec<_>>(),
        "round_limit": share(report.round_limit(), report.battles()),
        "stalemate": share(report.stalemate(), report.battles()),
        "rounds": {"mean": report.mean_rounds(), "median": quantile(&rounds, 0.5), "p90": quantile(&rounds, 0.9)},
        "seconds": report.seconds(),
        "attacks": attacks,
        "hit": share(hits, attacks),
        "reactions": report.reactions(),
        "spread": report.spread(),
        "upsets": share(report.upsets(), report.tally.swing.ahead),
        "moved_first": share(report.moved_first(), report.battles()),
        "going_first": report.going_first().map(estimate),
        "first_move": report.first_move().map(estimate),
    });
    if !report.tally.beside.is_empty() {
        let compared = report.compared().into_iter().map(|c| {
            json!({
                "with": c.other.to_string(),
                "there": share(c.there, report.battles()),
                "difference": estimate(c.difference),
                "is_telling": c.difference.is_telling(),
            })
        });
        json["beside"] = compared.collect();
    }
    json
}

/// The share of `counted` cases; without any, the share is `null`.
fn share(of: Estimate, counted: u64) -> Value {
    let mut json = estimate(of);
    if counted == 0 {
        json["share"] = Value::Null;
    }
    json
}

fn estimate(of: Estimate) -> Value {
    json!({"share": of.value, "low": of.low, "high": of.high})
}

/// Reads the counts from the lines of a file. Other lines are ignored.
///
/// # Errors
/// The line number, from 1, and what is wrong there, or that there are no counts.
pub fn read(text: &str) -> Result<Vec<FilePart>, (usize, String)> {
    let mut found = vec![];
    let mut sources = BTreeMap::new();
    let mut last = 1;
    for (n, line) in text.lines().enumerate() {
        last = n + 1;
        if line.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(line).map_err(|e| {
            let what = format!("this is not a line of JSON: {e}");
            (last, format!("{what}; it may have been cut short"))
        })?;
        read_line(value, &mut sources, &mut found).map_err(|e| (last, e))?;
    }
    if found.is_empty() {
        let what = "there is no tally in it; `fivefoot sim --battles N --json` writes one";
        return Err((last, what.into()));
    }
    // The file may be several files concatenated.
    let mut joined: Vec<FilePart> = vec![];
    for part in found {
        match joined.iter_mut().find(|known| known.is_like(&part)) {
            Some(known) => known.join(&part).map_err(|e| (last, e))?,
            None => joined.push(part),
        }
    }
    Ok(joined)
}

fn read_line(
    mut value: Value,
    sources: &mut BTreeMap<String, String>,
    found: &mut Vec<FilePart>,
) -> Result<(), String> {
    let unread = |e| format!("this tally cannot be read: {e}");
    let kind = value["what"].as_str().unwrap_or_default().to_owned();
    let mut tally = value["tally"].take();
    if !is_plausible(&tally) {
        return Err("the numbers are too large to be counts of battles".into());
    }
    if tally["whole"]["shards"].as_u64() > Some(MAX_SHARDS.into()) {
        return Err(format!("there are at most {MAX_SHARDS} shards"));
    }
    let full = |source: &mut String| match sources.get(source) {
        Some(text) => {
            text.clone_into(source);
            Ok(())
        }
        None if source.len() == checksum("").len() => {
            Err("the line with the text of its level is not before it")
        }
        // Old tallies contain the text itself.
        None => Ok(()),
    };
    match kind.as_str() {
        "source" => {
            if let Some(text) = value["text"].as_str() {
                sources.insert(checksum(text), text.to_owned());
            }
        }
        "tally" => {
            let mut tally: Tally = serde_json::from_value(tally).map_err(unread)?;
            full(&mut tally.fought.source)?;
            for beside in &mut tally.beside {
                if let Other::Level(_, source) = &mut beside.with {
                    full(source)?;
                }
            }
            Report::of(tally.clone())?;
            found.push(FilePart::Battles(Box::new(tally)));
        }
        "arena" => {
            let mut contest: Contest = serde_json::from_value(tally.take()).map_err(unread)?;
            full(&mut contest.pairing.source)?;
            if [contest.pairing.ai.len(), contest.pairing.handicaps.len()] != [2; 2] {
                return Err("this tally cannot be read: an arena has two AIs".into());
            }
            if !contest.is_sound() {
                return Err("its wins do not fit its seeds".into());
            }
            found.push(FilePart::Arena(Box::new(contest)));
        }
        "arena_times" => {
            let times = value["microseconds"].take();
            if !is_plausible(&times) {
                return Err("the numbers are too large to be counts of decisions".into());
            }
            let times: Times = serde_json::from_value(times).map_err(unread)?;
            if let Some(FilePart::Arena(contest)) = found.last_mut() {
                contest.times = times;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Whether all numbers are small enough to be added up. Seeds can be any number.
fn is_plausible(tally: &Value) -> bool {
    let is_fine = |(key, of): (&String, &Value)| key == "seeds" || is_plausible(of);
    match tally {
        Value::Number(n) => n.as_f64().is_some_and(|n| n.abs() < 1e15),
        Value::Array(all) => all.iter().all(is_plausible),
        Value::Object(all) => all.iter().all(is_fine),
        _ => true,
    }
}

/// Adds the counts of a file to those of previous files.
///
/// # Errors
/// A message if the battles differ in more than their seeds, or share seeds.
pub fn join(all: &mut [FilePart], more: &[FilePart]) -> Result<(), String> {
    if all.len() != more.len() {
        let (theirs, ours) = (more.len(), all.len());
        let why = format!("it has {theirs} tallies where the first file has {ours}");
        return Err(why);
    }
    let mut pairs = all.iter_mut().zip(more);
    pairs.try_for_each(|(part, more)| part.join(more))
}
