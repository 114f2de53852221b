//! Comparisons: with other levels, with changed numbers, and between rulesets.

use super::{
    Page,
    plots::HALF,
    svg::{GRID_LINE, INK_LINE, RED, Svg, TEAL},
};
use crate::lab::{
    Other,
    interval::Estimate,
    report::{Compared, Report, duration, verdict},
    text::points,
};

/// A scale of differences: its left and right end, and the greatest difference that
/// it shows.
struct DifferenceScale {
    left: f64,
    right: f64,
    reach: f64,
}

impl DifferenceScale {
    /// A scale that fits these differences, in percentage points; at least five
    /// either way.
    fn of(left: f64, right: f64, all: impl Iterator<Item = Estimate>) -> Self {
        let reach = all.map(|e| e.low.abs().max(e.high.abs()));
        Self {
            left,
            right,
            reach: reach.fold(0.05, f64::max),
        }
    }

    fn x(&self, difference: f64) -> f64 {
        let share = difference / self.reach / 2.0 + 0.5;
        self.left + share * (self.right - self.left)
    }

    fn grid(&self, svg: &mut Svg, top: f64, bottom: f64) {
        let step = [0.02, 0.05, 0.1, 0.2, 0.5].into_iter();
        let step = step.clone().find(|s| self.reach / s <= 3.5).unwrap_or(0.5);
        let most = (self.reach / step).floor() as i32;
        for n in -most..=most {
            let at = f64::from(n) * step;
            let style = if n == 0 { INK_LINE } else { GRID_LINE };
            svg.line((self.x(at), top), (self.x(at), bottom), style);
            let label = points(at).replace(".0", "");
            svg.text((self.x(at), bottom + 15.0), "axis mid", &label);
        }
    }
}

/// Compares this level with another one under each ruleset.
pub fn level(page: &Page, other: &Other, reports: &[Report]) -> String {
    let found = reports.iter().filter_map(|report| {
        let mut all = report.compared().into_iter();
        Some((report, all.find(|c| c.other == other)?))
    });
    let found: Vec<(&Report, Compared)> = found.collect();
    let line = DifferenceScale::of(190.0, 390.0, found.iter().map(|f| f.1.difference));
    let (top, row) = (26.0, 26.0);
    let bottom = top + row * found.len() as f64;
    let mut svg = Svg::new(HALF, bottom + 22.0);
    for (x, class, label) in [
        (122.0, "head end", "here"),
        (172.0, "head end", "there"),
        (290.0, "head mid", "there less here, in points"),
        (440.0, "head", "what it means"),
    ] {
        svg.text((x, 13.0), class, label);
    }
    line.grid(&mut svg, top - 4.0, bottom);
    for (n, (report, c)) in found.iter().enumerate() {
        let y = top + row * n as f64 + 12.0;
        let text = y + 4.5;
        svg.text((0.0, text), "", report.rules.id);
        let percent = |e: Estimate| format!("{:.0}%", e.value * 100.0);
        svg.text((122.0, text), "end", &percent(c.here));
        svg.text((172.0, text), "bold end", &percent(c.there));
        let is_telling = c.difference.is_telling();
        let (fill, colour) = match is_telling {
            false => ("#fffcf0", ""),
            true if c.difference.value < 0.0 => (RED, "red "),
            true => (TEAL, "teal "),
        };
        let ends = (line.x(c.difference.low), line.x(c.difference.high));
        svg.whisker((line.x(c.difference.value), y), ends, fill);
        let class = format!("{colour}end");
        svg.text((434.0, text), &class, &points(c.difference.value));
        let class = if is_telling { "bold" } else { "small" };
        svg.text((440.0, text), class, verdict(c.difference));
    }
    let drawn = svg.finish("the difference under each ruleset");
    let telling = found.iter().filter(|f| f.1.difference.is_telling()).count();
    format!(
        "{drawn}<p>Wins of {}. The difference is larger than chance under {telling} of {}.</p>",
        page.first(),
        crate::words::count(found.len(), "ruleset")
    )
}

/// The variations under one ruleset; a change and its reverse share a row. `None` if
/// there are none.
pub fn varied(report: &Report) -> Option<String> {
    let compared = report.compared();
    let mut rows: Vec<(String, Vec<(bool, Estimate)>)> = vec![];
    for c in &compared {
        let Other::Varied(text) = c.other else {
            continue;
        };
        let (plain, is_more) = unsigned(text);
        match rows.iter_mut().find(|row| row.0 == plain) {
            Some(row) => row.1.push((is_more, c.difference)),
            None => rows.push((plain, vec![(is_more, c.difference)])),
        }
    }
    let most = |row: &[(bool, Estimate)]| row.iter().map(|d| d.1.value.abs()).fold(0.0, f64::max);
    rows.sort_by(|a, b| most(&b.1).total_cmp(&most(&a.1)));
    let best = rows.first()?.0.clone();
    let all = rows.iter().flat_map(|r| r.1.iter().map(|d| d.1));
    let line = DifferenceScale::of(190.0, HALF - 20.0, all);
    let (top, row) = (6.0, 26.0);
    let bottom = top + row * rows.len() as f64;
    let mut svg = Svg::new(HALF, bottom + 22.0);
    line.grid(&mut svg, top - 4.0, bottom);
    for (n, (name, both)) in rows.iter().enumerate() {
        let y = top + row * n as f64 + 12.0;
        let signs = if both.len() > 1 {
            name.replace('+', "±")
        } else {
            name.clone()
        };
        let is_telling = both.iter().any(|d| d.1.is_telling());
        let class = if is_telling { "" } else { "small" };
        svg.text((0.0, y + 4.5), class, &signs);
        for (is_more, e) in both {
            let (zero, end) = (line.x(0.0), line.x(e.value));
            let (from, to) = (zero.min(end), zero.max(end));
            let fill = if *is_more { "#4f9a92" } else { "url(#less)" };
            let pale = if e.is_telling() { 1.0 } else { 0.35 };
            let style = format!("fill=\"{fill}\" stroke=\"#2a211c\" opacity=\"{pale}\"");
            svg.rect((from, y - 7.0), (to - from, 14.0), &style);
            let (low, high) = (line.x(e.low), line.x(e.high));
            let off = if *is_more { -2.5 } else { 2.5 };
            svg.line((low, y + off), (high, y + off), INK_LINE);
            for end in [low, high] {
                svg.line((end, y + off - 3.0), (end, y + off + 3.0), INK_LINE);
            }
        }
    }
    let drawn = svg.finish("what each change does to the first side's chance");
    let advice = match most(&rows[0].1) {
        _ if rows.iter().all(|r| r.1.iter().all(|d| !d.1.is_telling())) => {
            "No difference is larger than chance.".to_owned()
        }
        _ => format!("Turn {} first.", best.split(" +").next().unwrap_or(&best)),
    };
    let advice = crate::words::escaped(&advice);
    Some(format!(
        "{drawn}<p class=\"key\"><small>plain: more of it · hatched: less of it · pale: within \
         chance</small> <b>{advice}</b></p>"
    ))
}

/// A change with all signs turned to plus, and whether they were plus.
fn unsigned(text: &str) -> (String, bool) {
    (text.replace(" -", " +"), text.contains(" +"))
}

/// How much battles swing under each ruleset.
pub fn swing(reports: &[Report]) -> String {
    let mut rows = String::new();
    for report in reports {
        let (hits, attacks) = report.hits();
        let per_battle = attacks as f64 / report.battles().max(1) as f64;
        let upsets = report.upsets();
        let percent = |share: f64| format!("{:.0}%", share * 100.0);
        let interval = |e: Estimate| {
            let [value, low, high] = [e.value, e.low, e.high].map(percent);
            format!("{value} <small>{low} – {high}</small>")
        };
        let worth = match report.first_move() {
            Some(e) => {
                let [value, low, high] = [e.value, e.low, e.high].map(points);
                format!("{value} <small>{low} to {high}</small>")
            }
            None => "–".into(),
        };
        let cells = [
            report.rules.id.to_owned(),
            format!("{:.1}", report.mean_rounds()),
            duration(report.seconds()),
            format!("{per_battle:.1}"),
            percent(hits.value),
            format!("{:.1}", report.reactions()),
            format!("{:.2}", report.spread()),
            interval(upsets),
            percent(report.moved_first().value),
            worth,
        ];
        rows += &format!("<tr><td>{}</td></tr>", cells.join("</td><td>"));
    }
    format!(
        "<table><tr><th></th><th>rounds</th><th>game time</th><th>attacks</th><th>hit</th>\
         <th>reactions</th><th>spread</th><th>upsets</th><th>moved first</th>\
         <th>first move, in points</th></tr>{rows}</table>\
         <p><small>Spread: the standard deviation of the margin, which is what is left of the \
         first side at the end less what is left of its enemies; 0 if all battles end alike, 1 if one \
         side or the other always comes out whole. Upsets: battles lost by the side that was ahead when half of their \
         events had happened. Moved first: the first side was the first to move or strike. First \
         move: wins of the first side in the same battles fought with the first initiative won by \
         it, less those with it won by the second side; `compare` fights them.</small></p>"
    )
}
