//! Checks the explanation shown for a line of sight (GR-13).

use crate::grid::{Block, Board, Cell, CellGround, Feature, Proof, Space};

/// With line of sight, the shown segment must run from inside one cube to inside the other
/// without touching a solid. Without it, the shown solids must block alone, and each of them
/// must be needed.
pub(super) fn check(board: &Board, from: Space, to: Space, proof: &Proof) -> Result<(), String> {
    if proof.sight.los {
        clear(board, from, to, proof)
    } else {
        blocked(board, from, to, proof)
    }
}

fn clear(board: &Board, from: Space, to: Space, proof: &Proof) -> Result<(), String> {
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
    let mut cells = board.cells();
    let hit = cells.find(|&cell| board.solids(cell).iter().any(|solid| meets(a, b, solid)));
    match hit.map(Cell::in_file) {
        Some(cell) => Err(format!("the clear line meets a solid in {cell}")),
        None => Ok(()),
    }
}

fn blocked(board: &Board, from: Space, to: Space, proof: &Proof) -> Result<(), String> {
    if proof.clear.is_some() {
        return Err("a clear line is shown where there is no sight".into());
    }
    let all = &proof.blocking;
    let sees = |solids: &[(Cell, Block)]| {
        let bare = board_with_only(board, solids);
        // Both units must keep their ground, including solids that fill their cells.
        let stands = |space: Space| bare.cube(space) == board.cube(space);
        (stands(from) && stands(to)).then(|| bare.sight_uncached(from, to).los)
    };
    if sees(all) == Some(true) {
        return Err("the solids that are shown do not block".into());
    }
    for (n, (cell, _)) in all.iter().enumerate() {
        let others = [&all[..n], &all[n + 1..]].concat();
        if sees(&others) == Some(false) {
            let cell = cell.in_file();
            return Err(format!("{cell} is shown to block, but the others would do"));
        }
    }
    Ok(())
}

/// The board with only its floors and these solids.
fn board_with_only(board: &Board, solids: &[(Cell, Block)]) -> Board {
    let mut bare = Board::new(board.width(), board.height());
    for cell in board.cells() {
        let here = solids.iter().filter(|(at, _)| *at == cell);
        let blocks = here.filter_map(|(_, block)| in_cell(cell, block));
        let ground = CellGround {
            feature: Feature::Blocks(blocks.collect()),
            ..CellGround::floor(board.ground(cell).map_or(0, |ground| ground.floor))
        };
        bare.set(cell, ground);
    }
    bare
}

/// A block in coordinates relative to its cell. `None` for the ground itself.
fn in_cell(cell: Cell, block: &Block) -> Option<Block> {
    let corner = [f64::from(cell.x) * 5.0, f64::from(cell.y) * 5.0, 0.0];
    let [low, high] = block.feet();
    let moved = |point: [f64; 3]| std::array::from_fn(|k| point[k] - corner[k]);
    Block::from_feet(moved(low), moved(high))
}

/// Whether a segment touches a closed box.
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
