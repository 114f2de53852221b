//! Statistics by unit and by side.

use super::svg::{GRID_LINE, RED, Svg, TEAL};
use crate::{
    battle::capitalised,
    content::{Icon, Look},
    lab::report::{Report, UnitReport},
};

const WIDTH: f64 = 640.0;

/// A row for each unit: damage, falls, escapes.
pub fn units(report: &Report) -> String {
    let units = report.units();
    let (top, row) = (26.0, 24.0);
    let sides = report.level.sides.len() as f64;
    let mut svg = Svg::new(WIDTH, top + row * units.len() as f64 + 8.0 * sides);
    for (x, class, label) in [
        (180.0, "head", "deals"),
        (326.0, "head", "takes"),
        (462.0, "head", "falls"),
        (588.0, "head end", "round"),
        (WIDTH, "head end", "flees"),
    ] {
        svg.text((x, 13.0), class, label);
    }
    let most = |of: fn(&UnitReport) -> f64| units.iter().map(of).fold(0.1, f64::max);
    let dealt = most(|p| p.dealt.value);
    let taken = most(|p| p.taken.value);
    let mut y = top;
    let mut before = units.first().map(|p| p.side);
    for (p, c) in units.iter().zip(&report.level.combatants) {
        if before.replace(p.side) != Some(p.side) {
            svg.line((0.0, y + 3.0), (WIDTH, y + 3.0), GRID_LINE);
            y += 8.0;
        }
        let middle = y + row / 2.0;
        let text = middle + 4.5;
        token(&mut svg, (11.0, middle), c.creature.look);
        svg.text((28.0, text), "", &capitalised(&p.tally.name));
        let bars = [
            (180.0, p.dealt.value, dealt, "#4f9a92"),
            (326.0, p.taken.value, taken, "url(#harm)"),
        ];
        for (x, value, most, fill) in bars {
            let width = value / most * 96.0;
            let style = format!("fill=\"{fill}\" stroke=\"#2a211c\"");
            svg.rect((x, middle - 7.0), (width, 14.0), &style);
            svg.text((x + width + 6.0, text), "small", &format!("{value:.1}"));
        }
        let x = |share: f64| 462.0 + share * 56.0;
        svg.line((x(0.0), middle), (x(1.0), middle), GRID_LINE);
        let often = p.falls.value >= 0.8;
        let fill = if often { RED } else { "#2a211c" };
        svg.dot((x(p.falls.value), middle), 4.0, &format!("fill=\"{fill}\""));
        let percent = |share: f64| format!("{:.0}%", share * 100.0);
        let class = if often { "red end" } else { "end" };
        svg.text((556.0, text), class, &percent(p.falls.value));
        let round = p.usual_round.map_or("–".into(), |r| r.to_string());
        svg.text((588.0, text), "end", &round);
        let flees = match p.tally.fled {
            0 => "–".into(),
            _ => percent(p.flees.value),
        };
        svg.text((WIDTH, text), "end", &flees);
        y += row;
    }
    svg.finish("what each combatant deals and takes, how often they fall and flee")
}

/// A small picture of a unit's token.
fn token(svg: &mut Svg, (x, y): (f64, f64), look: Look) {
    let [r, g, b] = look.colour().rgb();
    let fill = format!("fill=\"#{r:02x}{g:02x}{b:02x}\" stroke=\"#2a211c\"");
    match look {
        Look::Meeple { .. } => {
            let at = format!("transform=\"translate({:.1} {:.1})\"", x - 9.0, y - 9.0);
            let path = "M9 1a3.200 3.200 0 0 1 2.500 5.200C14.500 6.800 17 8 17 9.500c0 1.500-2 \
                        1.800-3.600 1.700L16 17H10.500L9 13.500 7.500 17H2l2.600-5.800C3 11.300 1 \
                        11 1 9.500 1 8 3.500 6.800 6.500 6.200A3.200 3.200 0 0 1 9 1z";
            svg.raw(&format!("<path d=\"{path}\" {at} {fill}/>"));
        }
        Look::Token { icon, .. } => {
            svg.dot((x, y), 9.0, &fill);
            let at = format!("transform=\"translate({:.1} {:.1})\"", x - 9.0, y - 9.0);
            let style = "fill=\"none\" stroke=\"#fffcf0\" stroke-width=\"1.6\" \
                         stroke-linecap=\"round\"";
            svg.raw(&format!("<path d=\"{}\" {at} {style}/>", icon_path(icon)));
        }
    }
}

/// The icon of a token, in a square of 18 by 18.
fn icon_path(icon: Icon) -> &'static str {
    match icon {
        Icon::Sword => "M5 13L13 5M5 9.500L8.500 13",
        Icon::Axe => "M6 13L12 5M10 4q4 1 4 5",
        Icon::Spear => "M4 14L13 5M10.500 4.500L14 4 13.500 7.500",
        Icon::Mace => "M5 13L10 8M12 4a2 2 0 1 1 0 4a2 2 0 1 1 0-4",
        Icon::Dagger => "M6 12L12 6M6.500 9.500L8.500 11.500",
        Icon::Bow => "M5 4q9 1 8 10M5 4L13 14M4 13L12 5",
        Icon::Crossbow => "M4 8q5-5 10 0M9 5v9M4 8L9 6.500 14 8",
        Icon::Sling => "M5 4Q4 12 9 13T13 4",
        Icon::Staff => "M5 13L11 7M12 4.500a1.800 1.800 0 1 1 0 3.600",
        Icon::Shield => "M5 5h8v4q-1 4-4 5q-3-1-4-5z",
        Icon::Fist => "M6 7h6v5H6zM8 7v2M10 7v2",
        Icon::Heart => "M9 13L5 9q-1-4 2-4t2 2q0-2 2-2t2 4z",
    }
}

/// The actions of each side in a battle, most frequent first.
pub fn acts(report: &Report) -> String {
    let mut lists: Vec<(String, Vec<(&str, f64)>)> = vec![];
    for (n, side) in report.level.sides.iter().enumerate() {
        let name = capitalised(&side.name);
        let reactions = format!("{name}: reactions");
        lists.push((name, report.acts(n, false)));
        lists.push((reactions, report.acts(n, true)));
    }
    let counts = lists.iter().flat_map(|l| &l.1).map(|a| a.1);
    let most = counts.fold(0.1, f64::max);
    let column = 292.0;
    let rows = lists.iter().map(|l| l.1.len().min(TOLD)).max().unwrap_or(0);
    let mut svg = Svg::new(column * lists.len() as f64, 24.0 + 20.0 * rows as f64);
    for (n, (name, acts)) in lists.iter().enumerate() {
        let x = column * n as f64;
        svg.text((x, 13.0), "head", name);
        if acts.is_empty() {
            svg.text((x, 38.0), "small", "none");
        }
        for (n, (verb, often)) in acts.iter().take(TOLD).enumerate() {
            let y = 38.0 + 20.0 * n as f64;
            svg.text((x, y), "", &capitalised(verb));
            let width = often / most * 96.0;
            let style = format!("fill=\"{TEAL}\" fill-opacity=\"0.75\" stroke=\"#2a211c\"");
            svg.rect((x + 132.0, y - 10.0), (width, 11.0), &style);
            let label = match often {
                o if *o < 0.05 => "< 0.1".into(),
                o => format!("{o:.1}"),
            };
            svg.text((x + 138.0 + width, y), "small", &label);
        }
    }
    svg.finish("what the sides do in a battle, on average")
}

/// The most actions listed per side.
const TOLD: usize = 8;
