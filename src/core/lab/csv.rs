//! Reports as a table: one line per number, with its interval if it has one.

use super::{
    interval::Estimate,
    report::{Report, verdict},
};

pub const HEAD: &str = "level,rules,battles,about,name,measure,at,value,low,high";

/// The lines of one report, without the header.
pub fn lines(report: &Report) -> Vec<String> {
    let mut table = CsvTable {
        report,
        lines: vec![],
    };
    table.battles();
    table.units();
    table.heat();
    for c in report.compared() {
        let (name, verdict) = (c.other.to_string(), verdict(c.difference));
        table.estimate("beside", &name, "wins", "", c.there);
        table.estimate("beside", &name, "difference", verdict, c.difference);
    }
    table.lines
}

struct CsvTable<'r> {
    report: &'r Report,
    lines: Vec<String>,
}

impl CsvTable<'_> {
    fn line(&mut self, about: &str, name: &str, measure: &str, at: &str, numbers: &[f64]) {
        let level = &self.report.tally.fought.level;
        let battles = self.report.battles().to_string();
        let fields = [level, self.report.rules.id, &battles].map(quoted);
        let more = [about, name, measure, at].map(quoted);
        let mut numbers: Vec<_> = numbers.iter().map(|n| format!("{n}")).collect();
        numbers.resize(3, String::new());
        self.lines
            .push([&fields[..], &more[..], &numbers].concat().join(","));
    }

    fn estimate(&mut self, about: &str, name: &str, measure: &str, at: &str, of: Estimate) {
        self.line(about, name, measure, at, &[of.value, of.low, of.high]);
    }

    fn count(&mut self, about: &str, name: &str, measure: &str, at: &str, n: u64) {
        self.line(about, name, measure, at, &[n as f64]);
    }

    fn battles(&mut self) {
        let report = self.report;
        let ids = report.level.sides.iter().map(|s| s.id.as_str());
        for (n, id) in ids.chain(["nobody"]).enumerate() {
            self.estimate("side", id, "wins", "", report.wins(n));
            for (why, manner) in &report.tally.why[n] {
                self.count("side", id, "won by", why, manner.all());
            }
            for (round, times) in &report.tally.rounds[n] {
                self.count("side", id, "won in round", &round.to_string(), *times);
            }
            if n == report.level.sides.len() {
                continue;
            }
            for (standing, times) in &report.tally.standing[n] {
                let standing = standing.to_string();
                self.count("side", id, "standing after a win", &standing, *times);
            }
            for (reactions, what) in [(false, "acts"), (true, "reactions")] {
                for (verb, often) in report.acts(n, reactions) {
                    self.line("side", id, what, verb, &[often]);
                }
            }
        }
        self.estimate("battle", "", "round limit", "", report.round_limit());
        self.estimate("battle", "", "stalemate", "", report.stalemate());
        let (hits, attacks) = report.hits();
        self.line("battle", "", "rounds", "", &[report.mean_rounds()]);
        self.line("battle", "", "seconds", "", &[report.seconds()]);
        self.count("battle", "", "attacks", "", attacks);
        self.estimate("battle", "", "hits", "", hits);
        self.line("battle", "", "reactions", "", &[report.reactions()]);
        self.line("battle", "", "spread", "", &[report.spread()]);
        self.estimate("battle", "", "upsets", "", report.upsets());
        self.estimate("battle", "", "moved first", "", report.moved_first());
        if let Some(worth) = report.going_first() {
            self.estimate("battle", "", "going first", "", worth);
        }
        if let Some(worth) = report.first_move() {
            self.estimate("battle", "", "first move", "", worth);
        }
    }

    fn units(&mut self) {
        let report = self.report;
        for p in report.units() {
            let name = &p.tally.name;
            self.estimate("combatant", name, "deals", "", p.dealt);
            self.estimate("combatant", name, "takes", "", p.taken);
            self.line("combatant", name, "share dealt", "", &[p.dealt_share]);
            self.line("combatant", name, "share taken", "", &[p.taken_share]);
            self.estimate("combatant", name, "hits", "", p.hits);
            self.estimate("combatant", name, "falls", "", p.falls);
            self.estimate("combatant", name, "flees", "", p.flees);
            for (round, times) in &p.tally.fell {
                let round = round.to_string();
                self.count("combatant", name, "fell in round", &round, *times);
            }
            for (what, verbs) in [("acts", &p.tally.acts), ("reactions", &p.tally.reactions)] {
                for (verb, times) in verbs {
                    self.count("combatant", name, what, verb, *times);
                }
            }
        }
    }

    fn heat(&mut self) {
        let report = self.report;
        let all = [
            ("falls", &report.tally.falls),
            ("standing", &report.tally.stood),
            ("shots", &report.tally.shots),
        ];
        for (measure, heat) in all {
            for cell in report.level.board().cells() {
                if heat.at(cell) > 0 {
                    self.count("cell", &cell.to_string(), measure, "", heat.at(cell));
                }
            }
        }
    }
}

/// A field, quoted if necessary.
fn quoted(field: &str) -> String {
    match field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
