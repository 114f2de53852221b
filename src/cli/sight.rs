//! `fivefoot sight`

use super::{Failure, Outcome, SightArgs, battles, say};
use crate::grid::{Board, Cell, Cover, Proof, Sight, Space};
use serde_json::json;

pub fn run(args: &SightArgs) -> Outcome {
    let level = battles::level(&args.level)?;
    let board = level.board();
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
            return Err(Failure::new(format!(
                "{cell} is off the map: cells run from 0,0 to {w},{h}"
            )));
        }
        if !board.can_stand(Space::one(cell)) {
            return Err(Failure::new(format!(
                "nobody can stand at {cell}: it is not free"
            )));
        }
    }
    for (a, b) in [(from, to), (to, from)] {
        let proof = board.proof(Space::one(a), Space::one(b));
        if args.json {
            say(proof_json(a, b, &proof));
        } else {
            tell(a, b, &proof);
        }
    }
    Ok(())
}

/// One line for every ordered pair of free cells.
fn every_pair(board: &Board) {
    let free: Vec<Cell> = board
        .cells()
        .filter(|&c| board.can_stand(Space::one(c)))
        .collect();
    for &a in &free {
        for &b in free.iter().filter(|&&b| b != a) {
            say(pair(a, b, &board.sight(Space::one(a), Space::one(b))));
        }
    }
}

fn pair(a: Cell, b: Cell, sight: &Sight) -> serde_json::Value {
    json!({
        "a": [a.x, a.y],
        "b": [b.x, b.y],
        "los": sight.los,
        "cover": sight.cover.map(cover),
        "corners": sight.corners,
    })
}

fn cover(cover: Cover) -> &'static str {
    match cover {
        Cover::None => "none",
        Cover::Half => "half",
        Cover::Full => "full",
    }
}

fn proof_json(a: Cell, b: Cell, proof: &Proof) -> serde_json::Value {
    let mut line = pair(a, b, &proof.sight);
    line["clear"] = json!(proof.clear);
    line["seen"] = proof
        .corners
        .iter()
        .map(|c| json!({"at": c.0, "seen": c.1}))
        .collect();
    line["blocking"] = proof
        .blocking
        .iter()
        .map(|(c, _)| json!([c.x, c.y]))
        .collect();
    line
}

fn tell(a: Cell, b: Cell, proof: &Proof) {
    let sight = &proof.sight;
    if !sight.los {
        say(format!("{a} does not see {b} (GR-10)"));
        let mut cells: Vec<String> = proof.blocking.iter().map(|(c, _)| c.to_string()).collect();
        cells.dedup();
        if !cells.is_empty() {
            say(format!("  what blocks: {}", cells.join(" ")));
        }
        return;
    }
    let what = match sight.cover {
        Some(Cover::Half) => "half cover",
        Some(Cover::Full) => "full cover",
        _ => "no cover",
    };
    say(format!(
        "{a} sees {b}: {what}, {} of 8 corners seen (GR-21)",
        sight.corners
    ));
    if let Some([from, to]) = proof.clear {
        say(format!(
            "  a clear line, in feet: {} to {}",
            point(from),
            point(to)
        ));
    }
    for (at, seen) in &proof.corners {
        say(format!(
            "  corner {}: {}",
            point(*at),
            if *seen { "seen" } else { "hidden" }
        ));
    }
}

fn point(p: [f64; 3]) -> String {
    format!("{:.2},{:.2},{:.2}", p[0], p[1], p[2])
}
