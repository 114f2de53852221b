//! The map, with heat layers for where something happened.

use super::svg::Svg;
use crate::{
    grid::{Board, Cell, Feature},
    lab::{Heat, report::Report},
};

/// The map with three layers of heat, one of them visible. `n` makes their names
/// unique on the page.
pub fn map(report: &Report, n: usize) -> String {
    let board = report.level.board();
    let (columns, rows) = (f64::from(board.width()), f64::from(board.height()));
    let unit = (520.0 / columns).min(560.0 / rows).clamp(6.0, 40.0);
    let bottom = (rows + 1.0) * unit;
    let mut svg = Svg::new((columns + 1.0) * unit, bottom + 22.0);
    ground(&mut svg, &board, unit);
    let tally = &report.tally;
    let layers = [
        ("falls", "in a cell", &tally.falls),
        (
            "standing",
            "in a cell, at the start of a round",
            &tally.stood,
        ),
        ("shots", "from a cell", &tally.shots),
    ];
    for (layer, (_, what, heat)) in layers.iter().enumerate() {
        svg.raw(&format!("<g class=\"heat h{layer}\">"));
        cells(&mut svg, &board, heat, unit);
        scale(&mut svg, bottom + 8.0, heat.most(), what);
        svg.raw("</g>");
    }
    let mut out = String::from("<div class=\"layers\">");
    for (layer, letter) in ["a", "b", "c"].into_iter().enumerate() {
        let checked = if layer == 0 { " checked" } else { "" };
        out += &format!(
            "<input type=\"radio\" class=\"{letter}\" name=\"heat{n}\" id=\"heat{n}{letter}\"{checked}>"
        );
    }
    out += &svg.finish("the map, and how often combatants fell, stood and shot in each cell");
    for (layer, letter) in ["c", "b", "a"].into_iter().enumerate() {
        let (name, _, heat) = layers[2 - layer];
        let label = format!("{name} {}", heat.all());
        out += &format!("<label class=\"l{letter}\" for=\"heat{n}{letter}\">{label}</label>");
    }
    out + "</div>\n"
}

/// The scale of a layer, below the map.
fn scale(svg: &mut Svg, y: f64, most: u64, what: &str) {
    const STEPS: u32 = 24;
    svg.text((0.0, y + 11.0), "axis", "0");
    for step in 0..STEPS {
        let share = f64::from(step) / f64::from(STEPS - 1);
        let x = 12.0 + 5.0 * f64::from(step);
        svg.rect((x, y), (5.4, 14.0), &shade(share));
    }
    svg.text((140.0, y + 11.0), "axis", &format!("{most} {what}"));
}

/// The fill of a cell whose count is this share of the greatest count.
fn shade(share: f64) -> String {
    let opacity = 0.06 + 0.8 * share;
    format!("fill=\"#b5332e\" fill-opacity=\"{opacity:.2}\"")
}

fn ground(svg: &mut Svg, board: &Board, unit: f64) {
    let at = |cell: Cell| {
        let place = |n: i16| (f64::from(n) + 0.5) * unit;
        (place(cell.x), place(cell.y))
    };
    let is_wall = |cell: Cell| match board.ground(cell) {
        Some(ground) => ground.feature == Feature::Wall,
        None => true,
    };
    // Draw rock only next to floor.
    let (w, h) = (board.width() as i16, board.height() as i16);
    let around = (-1..=h).flat_map(|y| (-1..=w).map(move |x| Cell::new(x, y)));
    for cell in around.filter(|c| is_wall(*c)) {
        if cell.neighbours().any(|next| !is_wall(next)) {
            let (mut x, mut y) = at(cell);
            let (mut wide, mut tall) = (unit, unit);
            // Outside the map, half a cell of rock is enough.
            for (n, last, from, long) in [
                (cell.x, w, &mut x, &mut wide),
                (cell.y, h, &mut y, &mut tall),
            ] {
                if n < 0 {
                    *from += unit / 2.0;
                }
                if n < 0 || n == last {
                    *long = unit / 2.0;
                }
            }
            svg.rect((x, y), (wide, tall), "fill=\"url(#rock)\"");
        }
    }
    for cell in board.cells().filter(|c| !is_wall(*c)) {
        let Some(ground) = board.ground(cell) else {
            continue;
        };
        let (x, y) = at(cell);
        let fill = match ground.floor {
            _ if ground.water => "url(#waves)",
            0 => "#f9f3e3",
            1.. => "#e6cf9b",
            _ => "#d9d2c2",
        };
        let style = format!("fill=\"{fill}\" stroke=\"#d8ccb0\" stroke-width=\".7\"");
        svg.rect((x, y), (unit, unit), &style);
        if ground.rough {
            svg.rect((x, y), (unit, unit), "fill=\"url(#rubble)\"");
        }
        let inset = unit * 0.12;
        match ground.feature {
            Feature::LowWall => {
                svg.rect((x, y), (unit, unit), "fill=\"url(#bricks)\"");
            }
            Feature::Pillar => {
                let middle = (x + unit / 2.0, y + unit / 2.0);
                let style = "fill=\"#dbcdaa\" stroke=\"#2a211c\"";
                svg.dot(middle, unit * 0.3, style);
            }
            Feature::Door { .. } => {
                let size = (unit - 2.0 * inset, unit * 0.4);
                let style = "fill=\"#b98248\" stroke=\"#2a211c\"";
                svg.rect((x + inset, y + unit * 0.3), size, style);
            }
            Feature::Window(_) | Feature::Slit(_) | Feature::Blocks(_) => {
                let style = "fill=\"url(#bricks)\" stroke=\"#2a211c\"";
                svg.rect((x, y), (unit, unit), style);
            }
            Feature::Open | Feature::Wall => {}
        }
    }
    // The edge between rock and floor.
    let style = "stroke=\"#2a211c\" stroke-width=\"1.6\" stroke-linecap=\"square\"";
    for cell in board.cells().filter(|c| !is_wall(*c)) {
        let (x, y) = at(cell);
        let corners = [(x, y), (x + unit, y), (x + unit, y + unit), (x, y + unit)];
        for (side, next) in cell.beside().enumerate() {
            if is_wall(next) {
                svg.line(corners[side], corners[(side + 1) % 4], style);
            }
        }
    }
}

fn cells(svg: &mut Svg, board: &Board, heat: &Heat, unit: f64) {
    let most = heat.most().max(1) as f64;
    for cell in board.cells() {
        let n = heat.at(cell);
        if n == 0 {
            continue;
        }
        let share = n as f64 / most;
        let [x, y] = [cell.x, cell.y].map(|n| (f64::from(n) + 0.5) * unit);
        svg.rect((x, y), (unit, unit), &shade(share));
        if share > 0.22 && unit >= 22.0 {
            let weight = if share > 0.55 { "light" } else { "bold" };
            let middle = (x + unit / 2.0, y + unit / 2.0 + 4.0);
            svg.text(middle, &format!("mid {weight}"), &n.to_string());
        }
    }
}
