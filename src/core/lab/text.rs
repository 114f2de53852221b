//! A report as lines for a terminal.

use super::{
    interval::Estimate,
    report::{Compared, Report, duration, quantile, verdict},
};
use crate::{battle::capitalised, words::count};

/// With fewer battles, the report leaves out what moving first was worth.
const ENOUGH: u64 = 20;

/// The full report of one ruleset.
pub fn report(report: &Report) -> Vec<String> {
    let mut lines = vec![format!(
        "{} · {} · {}",
        report.level.title,
        report.rules.id,
        report.sample()
    )];
    wins(report, &mut lines);
    rounds(report, &mut lines);
    units(report, &mut lines);
    acts(report, &mut lines);
    swing(report, &mut lines);
    compared(&report.compared(), &report.level.sides[0].id, &mut lines);
    lines
}

/// A share with its interval as text: `61.5%, 58.4 to 64.5`.
pub fn percent(of: Estimate) -> String {
    let [value, low, high] = [of.value, of.low, of.high].map(|share| share * 100.0);
    format!("{value:.1}%, {low:.1} to {high:.1}")
}

/// A share in signed percentage points: `+2.4`.
pub fn points(share: f64) -> String {
    let points = (share * 1000.0).round() / 10.0;
    match points {
        p if p > 0.0 => format!("+{p:.1}"),
        p if p < 0.0 => format!("−{:.1}", -p),
        _ => "0.0".into(),
    }
}

/// A difference in [`points`] with its interval as text: `+2.4 points (−0.3 to +5.1)`.
pub fn difference(of: Estimate, unit: &str) -> String {
    let [value, low, high] = [of.value, of.low, of.high].map(points);
    format!("{value}{unit} ({low} to {high})")
}

fn wins(report: &Report, lines: &mut Vec<String>) {
    let tally = &report.tally;
    let (wins, why, draws) = (&tally.wins, &tally.why, &tally.draws);
    let ids = report.level.sides.iter().map(|s| s.id.as_str());
    for (n, id) in ids.chain(["nobody"]).enumerate() {
        let share = percent(report.wins(n));
        let mut line = format!("  {id} wins {} ({share})", wins[n]);
        if n < report.level.sides.len() {
            line += &format!(", {:.2} standing at the end", report.mean_standing(n));
        }
        lines.push(line);
        let mut reasons: Vec<_> = why[n].iter().collect();
        reasons.sort_by_key(|(why, manner)| (std::cmp::Reverse(manner.all()), *why));
        for (why, manner) in reasons {
            let parts = [
                (manner.felled, "all felled"),
                (manner.routed, "some put to flight"),
                (manner.standing, "with enemies still standing"),
            ];
            let listed = parts.iter().filter(|p| p.0 > 0 && n < wins.len() - 1);
            let listed: Vec<_> = listed.map(|(n, what)| format!("{n} {what}")).collect();
            let listed = match listed.is_empty() {
                true => String::new(),
                false => format!(" ({})", listed.join(", ")),
            };
            let (times, why) = (manner.all(), capitalised(why));
            lines.push(format!("    {times:>6}  {why}{listed}"));
        }
    }
    lines.push(format!(
        "  {} ended at the round limit ({}), {} as a draw without progress ({})",
        draws.round_limit,
        percent(report.round_limit()),
        draws.stalemate,
        percent(report.stalemate()),
    ));
}

fn rounds(report: &Report, lines: &mut Vec<String>) {
    let all = report.tally.all_rounds();
    lines.push(format!(
        "  {:.1} rounds on average, {} of game time; half are over by round {}, nine in ten by round {}",
        report.mean_rounds(),
        duration(report.seconds()),
        quantile(&all, 0.5),
        quantile(&all, 0.9),
    ));
    let most = all.values().copied().max().unwrap_or(1);
    for (round, n) in &all {
        let length = (n * 40).div_ceil(most) as usize;
        lines.push(format!("    {round:>3} {n:>7}  {}", "#".repeat(length)));
    }
}

fn units(report: &Report, lines: &mut Vec<String>) {
    let units = report.units();
    let wide = units.iter().map(|p| p.tally.name.chars().count()).max();
    let wide = wide.unwrap_or(0).max(9);
    lines.push(format!(
        "  {:wide$} {:>12} {:>12} {:>6} {:>7} {:>6} {:>6} {:>6}",
        "a battle", "deals", "takes", "hits", "felled", "falls", "round", "flees"
    ));
    for p in units {
        let n = report.battles().max(1) as f64;
        lines.push(format!(
            "  {:wide$} {:>6.1} {:>4.0}% {:>6.1} {:>4.0}% {:>6} {:>7.2} {:>5.0}% {:>6} {:>5.0}%",
            capitalised(&p.tally.name),
            p.dealt.value,
            p.dealt_share * 100.0,
            p.taken.value,
            p.taken_share * 100.0,
            match p.tally.attacks {
                0 => "–".into(),
                _ => format!("{:.0}%", p.hits.value * 100.0),
            },
            p.tally.felled as f64 / n,
            p.falls.value * 100.0,
            p.usual_round.map_or("–".into(), |r| r.to_string()),
            p.flees.value * 100.0,
        ));
    }
}

/// The most actions listed per side.
const TOLD: usize = 10;

fn acts(report: &Report, lines: &mut Vec<String>) {
    for (n, side) in report.level.sides.iter().enumerate() {
        for (reactions, what) in [(false, "acts"), (true, "reactions")] {
            let all = report.acts(n, reactions);
            let listed = all.iter().filter(|a| a.1 >= 0.05).take(TOLD);
            let mut listed: Vec<_> = listed.map(|(verb, k)| format!("{verb} {k:.1}")).collect();
            if all.len() > listed.len() {
                listed.push(count(all.len() - listed.len(), "more kind"));
            }
            if !listed.is_empty() {
                let (side, listed) = (&side.id, listed.join(", "));
                lines.push(format!("  {what} of {side} in a battle: {listed}"));
            }
        }
    }
}

fn swing(report: &Report, lines: &mut Vec<String>) {
    let first = &report.level.sides[0].id;
    let (hits, attacks) = report.hits();
    lines.push(format!(
        "  of {} {} hit; {:.1} reactions in a battle",
        count(attacks as usize, "attack"),
        percent(hits),
        report.reactions()
    ));
    lines.push(format!(
        "  who was ahead halfway lost {} of {} ({})",
        report.tally.swing.lost,
        report.tally.swing.ahead,
        percent(report.upsets())
    ));
    let moved = report.moved_first().value * 100.0;
    let worth = report.going_first();
    let is_telling = |worth: &Estimate| report.battles() >= ENOUGH && worth.is_telling();
    lines.push(match worth.filter(is_telling) {
        Some(worth) => {
            let worth = difference(worth, " points");
            format!("  {first} moved first in {moved:.0}%, and then won {worth} more often")
        }
        None => format!("  {first} moved first in {moved:.0}%"),
    });
    if let Some(worth) = report.first_move() {
        let second = &report.level.sides[1].id;
        let worth = difference(worth, " points");
        lines.push(format!(
            "  given the first move {first} wins {worth} more often than with it given to {second}"
        ));
    }
}

fn compared(all: &[Compared], first: &str, lines: &mut Vec<String>) {
    for c in all {
        let verdict = match verdict(c.difference) {
            none if !c.difference.is_telling() => none.to_owned(),
            listed => format!("{listed} for {first}"),
        };
        let (other, there) = (&c.other, percent(c.there));
        let worth = difference(c.difference, " points");
        lines.push(format!(
            "  with {other}: {first} wins {there}, {worth}: {verdict}"
        ));
    }
}

/// Explanations of the columns of [`side_by_side`].
pub const COLUMNS: [&str; 16] = [
    "  wins        of the first side, with the interval that holds the true share 95 times in 100",
    "  nobody      battles that nobody won: at the limit, by stalemate, or because several sides met",
    "              their objectives, or fell, at one moment",
    "  limit       battles that nobody had won when the last round was over",
    "  stalemate   battles that were a draw because no side got anywhere (OP-07)",
    "  rounds      on average; time is that in the seconds that a round stands for",
    "  hits        attacks of all that hit",
    "  reactions   used in a battle, by all",
    "  spread      the standard deviation of the margin, which is what is left of the first side at",
    "              the end less what is left of its enemies: 0 if all battles end alike, 1 if one",
    "              side or the other always comes out whole",
    "  upsets      battles lost by the side that was ahead when half of their events had happened",
    "  first move  wins of the first side, in points: the same battles once more with the first",
    "              initiative won by it, less those with it won by the second; – where there is no",
    "              initiative to win. The first initiative is that of the battle under Skirmish and",
    "              Speed, of the first round elsewhere",
];

/// A table of the reports of one level, one line per ruleset.
pub fn side_by_side(all: &[Report]) -> Vec<String> {
    let Some(one) = all.first() else {
        return vec![];
    };
    let first = &one.level.sides[0].id;
    let title = &one.level.title;
    let wins = format!("{first} wins, 95%");
    let mut lines = vec![
        format!("{title} under each ruleset"),
        format!(
            "  {:<10} {:>8} {wins:>22} {:>7} {:>7} {:>9} {:>7} {:>9} {:>6} {:>10} {:>7} {:>8} {:>22}",
            "",
            "battles",
            "nobody",
            "limit",
            "stalemate",
            "rounds",
            "time",
            "hits",
            "reactions",
            "spread",
            "upsets",
            "first move"
        ),
    ];
    for r in all {
        let (hits, _) = r.hits();
        let nobody = r.wins(r.level.sides.len()).value;
        let worth = match r.first_move() {
            Some(worth) => difference(worth, ""),
            None => "–".into(),
        };
        lines.push(format!(
            "  {:<10} {:>8} {:>22} {:>6.1}% {:>6.1}% {:>8.1}% {:>7.1} {:>9} {:>5.0}% {:>10.1} {:>7.2} {:>7.0}% {worth:>22}",
            r.rules.id,
            r.battles(),
            percent(r.wins(0)),
            nobody * 100.0,
            r.round_limit().value * 100.0,
            r.stalemate().value * 100.0,
            r.mean_rounds(),
            duration(r.seconds()),
            hits.value * 100.0,
            r.reactions(),
            r.spread(),
            r.upsets().value * 100.0,
        ));
    }
    lines
}
