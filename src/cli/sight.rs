//! `fivefoot sight`: line of sight and cover between cells, with their proof.

use super::{Failure, Outcome, battles, out, say, say_json};
use clap::Args;
use fivefoot_core::grid::{Block, Board, Cell, Cover, Proof, Sight, Space};
use serde::Serialize;
use std::path::PathBuf;

/// Show line of sight and cover between two cells, in both directions, with the proof.
#[derive(Args)]
pub struct SightArgs {
    /// A level file
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    /// The cell to look from, as x,y; the north-west cell is 0,0
    #[arg(
        value_name = "FROM",
        required_unless_present = "all",
        allow_hyphen_values = true
    )]
    from: Option<fivefoot_core::grid::Cell>,
    /// The cell to look at
    #[arg(
        value_name = "TO",
        required_unless_present = "all",
        allow_hyphen_values = true
    )]
    to: Option<fivefoot_core::grid::Cell>,
    /// First open this door, or close it if it is open; can be given more than
    /// once
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    door: Vec<fivefoot_core::grid::Cell>,
    /// Every ordered pair of free cells, one JSON object per line
    #[arg(long, conflicts_with_all = ["from", "to"])]
    all: bool,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

pub fn run(args: &SightArgs) -> Outcome {
    let level = battles::level(&args.level)?;
    let mut board = level.board();
    for &door in &args.door {
        let Some(open) = board.door(door) else {
            return Err(Failure::usage(format!("there is no door at {door}")));
        };
        board.set_door(door, !open);
    }
    if args.all {
        every_pair(&board);
        return Ok(());
    }
    let (Some(from), Some(to)) = (args.from, args.to) else {
        return Err(Failure::usage("give two cells, such as 3,4 7,10, or --all"));
    };
    for cell in [from, to] {
        if !board.contains(cell) {
            let (w, h) = (board.width() - 1, board.height() - 1);
            let why = format!("{cell} is off the map: cells run from 0,0 to {w},{h}");
            return Err(Failure::usage(why));
        }
        if !board.can_stand(Space::one(cell)) {
            let why = format!("no unit can stand at {cell}: the cell is blocked");
            return Err(Failure::usage(why));
        }
    }
    for (a, b) in [(from, to), (to, from)] {
        let proof = board.proof(Space::one(a), Space::one(b));
        if args.json {
            say_json(proven(a, b, &proof));
        } else {
            print_report(a, b, &proof);
        }
    }
    Ok(())
}

/// Prints one line for every ordered pair of free cells.
fn every_pair(board: &Board) {
    let free = board.cells().filter(|&c| board.can_stand(Space::one(c)));
    let free: Vec<Cell> = free.collect();
    for &a in &free {
        if out::is_closed() {
            return;
        }
        for &b in free.iter().filter(|&&b| b != a) {
            let sight = board.sight(Space::one(a), Space::one(b));
            say_json(Pair::new(a, b, &sight));
        }
    }
}

/// The JSON line of a pair: what `a` sees of `b`. The order of the fields is fixed.
#[derive(Serialize)]
struct Pair {
    what: &'static str,
    a: [i16; 2],
    b: [i16; 2],
    los: bool,
    /// The cover of b seen from a; null without line of sight.
    cover: Option<&'static str>,
    /// How many of the 8 corners of b's cube are visible from a.
    corners: u8,
}

impl Pair {
    fn new(a: Cell, b: Cell, sight: &Sight) -> Self {
        let [a, b] = [a, b].map(|c| [c.x, c.y]);
        Self {
            what: "sight",
            a,
            b,
            los: sight.los,
            cover: sight.cover.map(cover),
            corners: sight.corners,
        }
    }
}

/// A pair with its proof: a clear segment in feet, the visibility of each corner, and
/// the blocking solids: all of them without line of sight, otherwise those in front
/// of hidden corners.
#[derive(Serialize)]
struct Proven {
    #[serde(flatten)]
    pair: Pair,
    clear: Option<[[f64; 3]; 2]>,
    seen: Vec<([f64; 3], bool)>,
    blocking: Vec<Solid>,
}

/// A solid box: its cell, and two opposite corners in feet.
#[derive(Serialize)]
struct Solid {
    cell: [i16; 2],
    from: [f64; 3],
    to: [f64; 3],
}

fn cover(cover: Cover) -> &'static str {
    match cover {
        Cover::None => "none",
        Cover::Half => "half",
        Cover::Full => "full",
    }
}

fn proven(a: Cell, b: Cell, proof: &Proof) -> Proven {
    Proven {
        pair: Pair::new(a, b, &proof.sight),
        clear: proof.clear,
        seen: proof.corners.iter().map(|c| (c.0, c.1)).collect(),
        blocking: proof.blocking.iter().map(solid).collect(),
    }
}

fn solid((cell, block): &(Cell, Block)) -> Solid {
    let [from, to] = block.feet();
    Solid {
        cell: [cell.x, cell.y],
        from,
        to,
    }
}

/// Prints the blocking solids, one per line. The ground below a floor has no lower
/// end.
fn tell_solids(proof: &Proof) {
    for (cell, block) in &proof.blocking {
        let [from, to] = block.feet();
        let (from, to) = (point(from.map(|v| v.max(-2000.0))), point(to));
        say(format!("    {cell}: {from} to {to}"));
    }
}

fn print_report(a: Cell, b: Cell, proof: &Proof) {
    let sight = &proof.sight;
    if !sight.los {
        say(format!("{a} does not see {b} (GR-10)"));
        if !proof.blocking.is_empty() {
            say("  blocked by these boxes (cell, corners in feet):");
            tell_solids(proof);
        }
        return;
    }
    let what = match sight.cover {
        Some(Cover::Half) => "half cover",
        Some(Cover::Full) => "full cover",
        _ => "no cover",
    };
    say(format!(
        "{a} sees {b}: {what}, {} of 8 corners visible (GR-21)",
        sight.corners
    ));
    if let Some([from, to]) = proof.clear {
        let (from, to) = (point(from), point(to));
        say(format!("  a clear line, in feet: {from} to {to}"));
    }
    for (at, seen) in &proof.corners {
        let seen = if *seen { "visible" } else { "hidden" };
        say(format!("  corner {}: {seen}", point(*at)));
    }
    if !proof.blocking.is_empty() {
        say("  corners hidden by these boxes (cell, corners in feet):");
        tell_solids(proof);
    }
}

fn point(p: [f64; 3]) -> String {
    format!("{:.2},{:.2},{:.2}", p[0], p[1], p[2])
}
