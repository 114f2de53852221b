//! Plots: how often each side wins, why, and how long battles take.

use super::svg::{GRID_LINE, INK_LINE, Svg, TEAL, bar_of};
use crate::{
    battle::capitalised,
    lab::{
        Histogram,
        report::{FAIR, Report, quantile},
    },
    words::{in_sentence, shortened},
};

/// The width of plots that stand side by side.
pub const HALF: f64 = 556.0;

/// The first side's share of wins on a scale from 0 to 100.
pub fn win_share(report: &Report) -> String {
    let e = report.wins(0);
    let mut svg = Svg::new(HALF, 62.0);
    let x = |share: f64| 4.0 + share * (HALF - 8.0);
    let fair = (x(FAIR.1) - x(FAIR.0), 26.0);
    svg.rect((x(FAIR.0), 17.0), fair, "fill=\"#dde8df\"");
    svg.text((x(FAIR.0) + 6.0, 12.0), "head", "fair: 35 to 65%");
    svg.line((x(0.0), 30.0), (x(1.0), 30.0), INK_LINE);
    for tick in 0..=20 {
        let at = x(f64::from(tick) / 20.0);
        let long = if tick % 5 == 0 { 6.0 } else { 3.0 };
        svg.line((at, 30.0 - long), (at, 30.0 + long), INK_LINE);
    }
    for (at, anchor) in [
        (0, ""),
        (25, " mid"),
        (50, " mid"),
        (75, " mid"),
        (100, " end"),
    ] {
        let class = format!("axis{anchor}");
        svg.text((x(f64::from(at) / 100.0), 56.0), &class, &format!("{at}%"));
    }
    let known = (x(e.high) - x(e.low), 5.0);
    svg.rect((x(e.low), 27.5), known, "fill=\"#2a211c\"");
    svg.whisker((x(e.value), 30.0), (x(e.low), x(e.high)), TEAL);
    svg.finish("share of the wins, with its interval")
}

/// The reasons for victory, by winner.
pub fn why(report: &Report) -> String {
    let mut rows: Vec<(Option<usize>, String, u64)> = vec![];
    for (n, side) in report.level.sides.iter().enumerate() {
        let aim = report.level.objectives.iter();
        let aim = aim.filter(|o| usize::from(o.side.0) == n);
        let aim: Vec<_> = aim.map(|o| o.text.as_str()).collect();
        let head = format!("{}: “{}”", capitalised(&side.name), aim.join("; "));
        rows.push((None, head, report.tally.wins[n]));
        let enemies = report.level.combatants.iter();
        let enemies = enemies.filter(|c| usize::from(c.side.0) != n).count();
        let mut reasons = vec![];
        for (why, manner) in &report.tally.why[n] {
            let label = |what: String| match manner.is_plain {
                true => what,
                false => format!("{}: {what}", capitalised(why)),
            };
            reasons.push((label(format!("felled all {enemies}")), manner.felled));
            let routed = "felled some, put the rest to flight".to_owned();
            reasons.push((label(routed), manner.routed));
            let others = match manner.is_plain {
                true => "with enemies left".to_owned(),
                false => capitalised(why),
            };
            reasons.push((others, manner.standing));
        }
        reasons.retain(|r| r.1 > 0);
        reasons.sort_by_key(|r| std::cmp::Reverse(r.1));
        rows.extend(reasons.into_iter().map(|(why, k)| (Some(n), why, k)));
    }
    let nobody = report.level.sides.len();
    if report.tally.wins[nobody] > 0 {
        rows.push((None, "Nobody".into(), report.tally.wins[nobody]));
        for (why, manner) in &report.tally.why[nobody] {
            rows.push((Some(3), capitalised(why), manner.all()));
        }
    }
    let most = rows.iter().filter(|r| r.0.is_some()).map(|r| r.2).max();
    let most = most.unwrap_or(1).max(1) as f64;
    let mut svg = Svg::new(HALF, 24.0 * rows.len() as f64 + 8.0);
    let mut side = 0;
    for (n, (of, label, k)) in rows.iter().enumerate() {
        let y = 24.0 * n as f64 + 17.0;
        match of {
            None => {
                let look = if side == nobody { 3 } else { side };
                svg.dot((8.0, y - 4.5), 6.0, bar_of(look));
                side += 1;
                svg.text((22.0, y), "bold", &shortened(label, 68));
                svg.text((HALF, y), "bold end", &k.to_string());
            }
            Some(of) => {
                svg.text((22.0, y), "", &shortened(label, 38));
                let width = *k as f64 / most * (HALF - 330.0);
                svg.rect((276.0, y - 12.0), (width, 14.0), bar_of(*of));
                svg.text((276.0 + width + 6.0, y), "small", &k.to_string());
            }
        }
    }
    svg.finish("why the battles were won")
}

/// How many units of the first side still stand when it wins.
pub fn standing(report: &Report) -> String {
    let all = &report.tally.standing[0];
    let wins: u64 = all.values().sum();
    if wins == 0 {
        return String::new();
    }
    let members = report.level.combatants.iter();
    let members = members.filter(|c| c.side.0 == 0).count().max(1) as f64;
    let mut svg = Svg::new(HALF, 24.0);
    let mut x = 0.0;
    for (standing, times) in all.iter().rev() {
        let share = *times as f64 / wins as f64;
        let width = share * HALF;
        let strength = f64::from(*standing) / members;
        let opacity = 0.15 + 0.85 * strength;
        let style = format!("fill=\"#2e8bc0\" fill-opacity=\"{opacity:.2}\" stroke=\"#2a211c\"");
        svg.rect((x, 1.0), (width, 20.0), &style);
        if width > 46.0 {
            let label = format!("{standing}: {:.0}%", share * 100.0);
            let class = if strength > 0.7 { "mid light" } else { "mid" };
            svg.text((x + width / 2.0, 15.5), class, &label);
        }
        x += width;
    }
    svg.finish("how many still stand after a win")
}

/// Battles with more rounds than this share one bar.
const LONGEST: u32 = 24;

/// The number of rounds, by winner.
pub fn rounds(report: &Report) -> String {
    let all = report.tally.all_rounds();
    let last = all.keys().copied().max().unwrap_or(1);
    let shown = last.min(LONGEST);
    let of = |some: &Histogram, n: u32| -> u64 {
        match n == shown {
            true => some.range(n..).map(|r| r.1).sum(),
            false => some.get(&n).copied().unwrap_or(0),
        }
    };
    let most = (1..=shown).map(|n| of(&all, n)).max().unwrap_or(1).max(1);
    let (height, left) = (150.0, 40.0);
    let mut svg = Svg::new(HALF, height + 78.0);
    let step = (HALF - left) / f64::from(shown);
    let y = |n: f64| 36.0 + height - n / most as f64 * height;
    let unit = nice(most as f64 / 2.5);
    for n in 0.. {
        let at = f64::from(n) * unit;
        if at > most as f64 {
            break;
        }
        svg.line((left, y(at)), (HALF, y(at)), GRID_LINE);
        svg.text((left - 6.0, y(at) + 4.0), "axis end", &format!("{at}"));
    }
    for n in 1..=shown {
        let x = left + step * f64::from(n - 1) + 1.5;
        let mut below = 0.0;
        for (slot, some) in report.tally.rounds.iter().enumerate() {
            let k = of(some, n) as f64;
            let is_nobody = slot == report.level.sides.len();
            let look = if is_nobody { 3 } else { slot };
            let tall = y(below) - y(below + k);
            if k > 0.0 {
                svg.rect((x, y(below + k)), (step - 3.0, tall), bar_of(look));
            }
            below += k;
        }
        let label = match n == shown && last > shown {
            true => format!("{n}+"),
            false => n.to_string(),
        };
        svg.text((x + step / 2.0 - 1.5, y(0.0) + 15.0), "axis mid", &label);
    }
    for (share, label, level) in [
        (0.5, "half are over by round", 0.0),
        (0.9, "nine in ten by round", 14.0),
    ] {
        let round = quantile(&all, share).min(shown);
        let x = left + step * (f64::from(round) - 0.5);
        let bottom = y(of(&all, round) as f64) - 3.0;
        svg.line((x, 4.0 + level), (x, bottom), INK_LINE);
        let text = format!("{label} {}", quantile(&all, share));
        match x > HALF * 0.6 {
            true => svg.text((x - 6.0, 14.0 + level), "head end", &text),
            false => svg.text((x + 6.0, 14.0 + level), "head", &text),
        }
    }
    let mut x = left;
    for (n, side) in report.level.sides.iter().enumerate() {
        svg.rect((x, height + 64.0), (14.0, 10.0), bar_of(n));
        let label = format!("{} won", in_sentence(&side.name));
        svg.text((x + 20.0, height + 74.0), "small", &label);
        x += 40.0 + label.chars().count() as f64 * 7.0;
    }
    svg.finish("battles by the round in which they ended")
}

/// The first of 1, 2, 5, 10, 20 … that is not less than a number.
fn nice(n: f64) -> f64 {
    let mut unit = 1.0;
    loop {
        for step in [1.0, 2.0, 5.0] {
            if step * unit >= n {
                return step * unit;
            }
        }
        unit *= 10.0;
    }
}

/// The first side's win rate under each ruleset.
pub fn rulesets(reports: &[Report]) -> String {
    let (top, row, left, right) = (26.0, 26.0, 96.0, 300.0);
    let height = top + row * reports.len() as f64;
    let mut svg = Svg::new(HALF, height + 24.0);
    let x = |share: f64| left + share * (right - left);
    let fair = (x(FAIR.1) - x(FAIR.0), height - 4.0);
    svg.rect((x(FAIR.0), 0.0), fair, "fill=\"#dde8df\"");
    svg.text((x(0.5), 13.0), "head mid", "fair");
    for (at, label) in [
        (350.0, "wins"),
        (450.0, "95% interval"),
        (500.0, "rounds"),
        (HALF, "nobody"),
    ] {
        svg.text((at, 13.0), "head end", label);
    }
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        svg.line((x(tick), top - 6.0), (x(tick), height), GRID_LINE);
        let label = format!("{:.0}%", tick * 100.0);
        svg.text((x(tick), height + 14.0), "axis mid", &label);
    }
    for (n, report) in reports.iter().enumerate() {
        let y = top + row * n as f64 + 12.0;
        let e = report.wins(0);
        let class = if n == 0 { "bold" } else { "" };
        svg.text((0.0, y + 4.0), class, report.rules.id);
        svg.whisker((x(e.value), y), (x(e.low), x(e.high)), TEAL);
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let nobody = report.wins(report.level.sides.len()).value;
        let interval = format!("{} – {}", percent(e.low), percent(e.high));
        for (at, class, label) in [
            (350.0, "teal end", percent(e.value) + "%"),
            (450.0, "end", interval),
            (500.0, "end", format!("{:.1}", report.mean_rounds())),
            (HALF, "end", percent(nobody) + "%"),
        ] {
            svg.text((at, y + 4.0), class, &label);
        }
    }
    svg.finish("the first side's chance under each ruleset")
}
