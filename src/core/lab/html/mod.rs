//! A report as one self-contained page: no scripts, no external fonts, no external
//! images.

mod beside;
mod map;
mod plots;
mod svg;
mod units;

use super::{
    Other,
    report::{FAIR, Report, quantile},
};
use crate::{
    battle::capitalised,
    words::{self, escaped, in_sentence},
};

/// A mark near the beginning of every page.
pub const MARK: &str = "<meta name=\"generator\" content=\"fivefoot\">";

const STYLE: &str = include_str!("style.css");

/// The page of one level under some rulesets, the first of them in full. `call` is
/// the command that made it.
pub fn page(reports: &[Report], call: &str) -> String {
    let page = Page {
        report: &reports[0],
    };
    let title = escaped(&page.report.level.title);
    let mut body = head(reports, &title, call);
    body += &page.full(reports, 0);
    body += &page.beside(reports);
    let swing = beside::swing(reports);
    let systems = section("How it swings", "a battle, on average", &swing);
    body += &format!("<div class=\"wide\">{systems}</div>");
    for (n, report) in reports.iter().enumerate().skip(1) {
        let (full, rules) = (Page { report }.full(&reports[n..=n], n), report.rules.id);
        body += &format!("<details><summary>{rules} in full</summary>{full}</details>");
    }
    body += &foot(page.report);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         {MARK}\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n{}<main>\n{body}</main>\n</html>\n",
        svg::PATTERNS
    )
}

/// The part of the page about one ruleset.
pub struct Page<'r> {
    report: &'r Report,
}

fn head(reports: &[Report], title: &str, call: &str) -> String {
    let report = &reports[0];
    let rules = report.rules.id;
    let what = match reports.len() {
        1 => rules.to_owned(),
        n => format!("{rules} in full, {n} rulesets in short"),
    };
    let players = report.tally.fought.ai.join(" against ");
    let sample = escaped(&format!("{}, {players}", report.sample()));
    format!(
        "<header><div class=\"name\">{D20}<div><i>Fivefoot laboratory</i><h1>{title}</h1></div></div>\
         <div class=\"sample\"><b>{what}</b><br><small>{sample}</small><br><code>{}</code></div>\
         </header>\n",
        escaped(call)
    )
}

/// A twenty-sided die.
const D20: &str = "<svg width=\"44\" height=\"48\" viewBox=\"0 0 44 48\" aria-hidden=\"true\">\
<path d=\"M22 2L42 13v22L22 46 2 35V13zM22 2v10M2 13l10 19M42 13L32 32M2 35l10-3M42 35l-10-3M22 46L12 32M22 46l10-14M22 12L12 32h20zM2 13l20-1 20 1\" \
fill=\"none\" stroke=\"#2a211c\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/></svg>";

fn foot(report: &Report) -> String {
    let level = escaped(&report.tally.fought.level);
    format!(
        "<footer><div>Intervals hold the true number 95 times in 100: of shares Wilson’s, of \
         differences those of pairs with the same seed. “No telling yet”: the interval holds \
         0.<br>The same seeds give this page again on any machine. What was counted: {level}.json \
         beside it.</div><div>Fivefoot {}</div></footer>\n",
        escaped(&report.tally.fought.program)
    )
}

fn section(title: &str, aside: &str, body: &str) -> String {
    let (title, aside) = (escaped(title), escaped(aside));
    format!("<section><h2>{title} <small><i>{aside}</i></small></h2>\n{body}</section>\n")
}

fn pair(left: &str, right: &str) -> String {
    format!("<div class=\"pair\">{left}{right}</div>\n")
}

impl Page<'_> {
    /// The name of the first side, for use within a sentence.
    pub fn first(&self) -> String {
        escaped(&in_sentence(&self.report.level.sides[0].name))
    }

    fn full(&self, reports: &[Report], n: usize) -> String {
        let report = self.report;
        let battles = words::count(report.battles() as usize, "battle");
        let mut why = plots::why(report);
        let standing = plots::standing(report);
        if !standing.is_empty() {
            let first = self.first();
            why += &format!("<p><i>standing at the end, when {first} wins</i></p>{standing}");
        }
        let won = section("How they won", &format!("of {battles}"), &why);
        let mut out = pair(&self.verdict(), &won);
        let rounds = plots::rounds(report);
        let aside = format!("rounds, of {battles}");
        let rounds = section("How long it took", &aside, &rounds);
        let first = format!("{} wins", in_sentence(&report.level.sides[0].name));
        let rulesets = plots::rulesets(reports);
        let name = match reports.len() {
            1 => "Under this ruleset",
            _ => "Under the rulesets",
        };
        out += &pair(&rounds, &section(name, &first, &rulesets));
        let units = units::units(report);
        let who = section("Who did what", "a battle, on average", &units);
        let falls = format!("of {} falls in all", report.tally.falls.all());
        let map = section("Where it happened", &falls, &map::map(report, n));
        out += &pair(&who, &map);
        let acts = units::acts(report);
        let acts = section("What they did", "a battle, on average", &acts);
        out + &format!("<div class=\"wide\">{acts}</div>\n")
    }

    fn verdict(&self) -> String {
        let e = self.report.wins(0);
        let percent = |share: f64| format!("{:.0}", share * 100.0);
        let name = capitalised(&self.report.level.sides[0].name);
        let (won, of) = (self.report.tally.wins[0], self.report.battles());
        let nobody = self.report.tally.wins[self.report.level.sides.len()];
        let draws = self.report.tally.draws;
        let parts = [
            (draws.round_limit, "at the round limit"),
            (draws.stalemate, "without progress"),
        ];
        let parts = parts.iter().filter(|(n, _)| *n > 0);
        let parts: Vec<_> = parts.map(|(n, how)| format!("{n} {how}")).collect();
        let how = match parts.is_empty() {
            true => String::new(),
            false => format!(" ({})", parts.join(", ")),
        };
        let undecided = match nobody {
            0 => "none was left undecided".to_owned(),
            1 => format!("one was left undecided{how}"),
            n => format!("{n} were left undecided{how}"),
        };
        format!(
            "<section><div class=\"verdict\"><div class=\"share\">{}%</div><div><h3>{} wins</h3>\
             {} to {}%, with 95% confidence<br><i>{won} of {}; {undecided}</i></div></div>\n\
             {}<p>{}</p></section>",
            percent(e.value),
            escaped(&name),
            percent(e.low),
            percent(e.high),
            words::count(of as usize, "battle"),
            plots::win_share(self.report),
            escaped(&self.judgement())
        )
    }

    /// A summary of the level in a few sentences.
    fn judgement(&self) -> String {
        let report = self.report;
        let first = in_sentence(&report.level.sides[0].name);
        let share = report.wins(0);
        let fair = match share.value {
            s if s < FAIR.0 => format!("Too hard to be fair for {first}."),
            s if s > FAIR.1 => format!("Too easy to be fair for {first}."),
            s if s < 0.45 => format!("A fair fight that leans against {first}."),
            s if s > 0.55 => format!("A fair fight that leans to {first}."),
            _ => "A fair and even fight.".to_owned(),
        };
        let mut sentences = vec![fair];
        if share.low < FAIR.0 && share.high > FAIR.0 || share.low < FAIR.1 && share.high > FAIR.1 {
            sentences.push("The interval does not say for sure whether it is fair.".into());
        }
        let standing = &report.tally.standing[0];
        if standing.values().sum::<u64>() > 0 {
            let (low, high) = (quantile(standing, 0.25), quantile(standing, 0.75));
            let many = match low == high {
                true => low.to_string(),
                false => format!("{low} to {high}"),
            };
            let of = report.level.combatants.iter().filter(|c| c.side.0 == 0);
            let of = of.count();
            sentences.push(format!("After a usual win {many} of its {of} still stand."));
        }
        let units = report.units();
        for n in 0..report.level.sides.len() {
            let own = units.iter().filter(|p| usize::from(p.side.0) == n);
            let worst = own.max_by(|a, b| a.falls.value.total_cmp(&b.falls.value));
            if let Some(p) = worst.filter(|p| p.falls.value > 0.0) {
                sentences.push(format!(
                    "{} falls in {:.0} of 100 battles, usually in round {}.",
                    capitalised(&p.tally.name),
                    p.falls.value * 100.0,
                    p.usual_round.unwrap_or(1)
                ));
            }
        }
        sentences.join(" ")
    }

    /// The comparisons with other levels and variations. Empty if there are none.
    fn beside(&self, reports: &[Report]) -> String {
        let mut sections = vec![];
        for beside in &self.report.tally.beside {
            if let Other::Level(id, _) = &beside.with {
                let title = format!("Beside {id}");
                let body = beside::level(self, &beside.with, reports);
                sections.push(section(&title, "same seeds, paired", &body));
            }
        }
        for report in reports {
            if let Some(body) = beside::varied(report) {
                let first = in_sentence(&report.level.sides[0].name);
                let aside = format!("{}, the chance of {first}, in points", report.rules.id);
                sections.push(section("What moves it", &aside, &body));
            }
        }
        let pairs = sections.chunks(2);
        let pairs = pairs.map(|two| pair(&two[0], two.get(1).map_or("", String::as_str)));
        pairs.collect()
    }
}
