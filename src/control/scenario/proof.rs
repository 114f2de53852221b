//! Whether the reason that is shown for a sight is one (GR-13).

use crate::grid::{Block, Board, Proof, Space};

/// With line of sight: the segment shown runs from inside the one cube to
/// inside the other and meets no solid. Without: something is said to block.
pub(super) fn check(board: &Board, from: Space, to: Space, proof: &Proof) -> Result<(), String> {
    if !proof.sight.los {
        return if proof.clear.is_some() {
            Err("a clear line is shown where there is no sight".into())
        } else if proof.blocking.is_empty() {
            Err("nothing is shown to block the sight".into())
        } else {
            Ok(())
        };
    }
    let seen = proof.corners.iter().filter(|corner| corner.1).count();
    if seen != usize::from(proof.sight.corners) || proof.corners.len() != 8 {
        return Err(format!("{seen} of the corners shown are seen"));
    }
    let Some([a, b]) = proof.clear else {
        return Err("no clear line is shown".into());
    };
    for (end, space) in [(a, from), (b, to)] {
        let inside = board.cube(space).is_some_and(|cube| {
            let [low, high] = cube.feet();
            (0..3).all(|k| low[k] < end[k] && end[k] < high[k])
        });
        if !inside {
            return Err(format!("the clear line ends at {end:?}, outside the cube"));
        }
    }
    let hit = board
        .cells()
        .find(|&cell| board.solids(cell).iter().any(|solid| meets(a, b, solid)));
    match hit {
        Some(cell) => Err(format!("the clear line meets a solid in {cell}")),
        None => Ok(()),
    }
}

/// Whether a segment meets a closed box.
fn meets(a: [f64; 3], b: [f64; 3], solid: &Block) -> bool {
    let [low, high] = solid.feet();
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for k in 0..3 {
        let run = b[k] - a[k];
        if run == 0.0 {
            if a[k] < low[k] || a[k] > high[k] {
                return false;
            }
            continue;
        }
        let (first, last) = ((low[k] - a[k]) / run, (high[k] - a[k]) / run);
        enter = enter.max(first.min(last));
        leave = leave.min(first.max(last));
    }
    enter <= leave
}
