//! Line of sight on maps with all kinds of terrain: against the oracle in space, against other ways
//! to compute it, and against properties of every map.

use fivefoot_core::grid::*;
use rand::RngExt;

use super::{
    kit::{Dice, at, dice, drawn, place},
    oracle,
};

/// A random map with all kinds of terrain.
fn jumble(dice: &mut Dice, width: u16, height: u16) -> Board {
    let mut board = Board::new(width, height);
    let is_hilly = dice.random_bool(0.5);
    for cell in board.cells() {
        let axis = if dice.random_bool(0.5) {
            Axis::X
        } else {
            Axis::Y
        };
        let feature = match dice.random_range(0..30) {
            0..4 => Feature::Wall,
            4..6 => Feature::LowWall,
            6..8 => Feature::Window(axis),
            8 => Feature::Slit(axis),
            9 => Feature::Pillar,
            10 => Feature::Door {
                open: dice.random_bool(0.5),
            },
            11 => {
                let mut side = |most: i32| {
                    let (a, b) = (dice.random_range(0..=most), dice.random_range(0..=most));
                    (f64::from(a.min(b)) / 4.0, f64::from(a.max(b) + 1) / 4.0)
                };
                let (x, y, z) = (side(19), side(19), side(40));
                Feature::Blocks(vec![
                    Block::from_feet([x.0, y.0, z.0], [x.1, y.1, z.1]).unwrap(),
                ])
            }
            _ => Feature::Open,
        };
        let floor = if is_hilly {
            [0, 0, 0, 3, 5, -5][dice.random_range(0..6)]
        } else {
            0
        };
        board.set(
            cell,
            CellGround {
                floor,
                feature,
                ..CellGround::default()
            },
        );
    }
    board
}

/// Whether a segment hits a box that is enlarged by `grown` feet on all sides.
fn is_hit(block: &Block, [from, to]: [[f64; 3]; 2], grown: f64) -> bool {
    let [min, max] = block.feet();
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for k in 0..3 {
        let (low, high, way) = (min[k] - grown, max[k] + grown, to[k] - from[k]);
        if way == 0.0 {
            if from[k] < low || from[k] > high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - from[k]) / way, (high - from[k]) / way);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    enter <= leave
}

fn all_solids(board: &Board) -> Vec<Block> {
    board.cells().flat_map(|cell| board.solids(cell)).collect()
}

fn is_inside(block: &Block, point: [f64; 3]) -> bool {
    let [min, max] = block.feet();
    (0..3).all(|k| min[k] < point[k] && point[k] < max[k])
}

#[test]
fn cached_sight_equals_computed_sight() {
    let mut dice = dice(7);
    for round in 0..60 {
        let (width, height) = (dice.random_range(2..9), dice.random_range(2..9));
        let board = jumble(&mut dice, width, height);
        let sizes = if round % 4 == 0 { [2, 1] } else { [1, 1] };
        for a in board.cells().map(|cell| Space::new(cell, sizes[0])) {
            for b in board.cells().map(|cell| Space::new(cell, sizes[1])) {
                let (there, back) = (board.sight_uncached(a, b), board.sight_uncached(b, a));
                assert_eq!(
                    board.sight(a, b),
                    there,
                    "{a:?} to {b:?} on {}",
                    drawn(&board)
                );
                assert_eq!(board.sight(a, b), there);
                assert_eq!(there.los, back.los, "{a:?} and {b:?} on {}", drawn(&board));
            }
        }
        let from = Space::one(Cell::new(0, 0));
        let expected: Vec<(Cell, Sight)> = board
            .cells()
            .map(|cell| (cell, board.sight(from, cell.into())))
            .filter(|(_, sight)| sight.los && board.can_stand(from))
            .collect();
        assert_eq!(board.survey(from, u16::MAX), expected);
    }
}

#[test]
fn sight_proofs_are_correct_gr_13() {
    let (mut dice, mut clear_lines) = (dice(8), 0);
    while clear_lines < 800 {
        let (width, height) = (dice.random_range(2..8), dice.random_range(2..8));
        let board = jumble(&mut dice, width, height);
        let (Some(a), Some(b)) = (place(&board, &mut dice, 1), place(&board, &mut dice, 1)) else {
            continue;
        };
        let proof = board.proof(a, b);
        assert_eq!(proof.sight, board.sight(a, b));
        assert_eq!(
            proof.corners.iter().filter(|(_, seen)| *seen).count(),
            usize::from(proof.sight.corners)
        );
        assert_eq!(proof.clear.is_some(), proof.sight.los);
        assert_eq!(board.clear_line(a, b), proof.clear);
        if let Some(clear) = proof.clear {
            clear_lines += 1;
            assert!(
                is_inside(&board.cube(a).unwrap(), clear[0]),
                "{a:?} to {b:?} on {}",
                drawn(&board)
            );
            assert!(
                is_inside(&board.cube(b).unwrap(), clear[1]),
                "{a:?} to {b:?} on {}",
                drawn(&board)
            );
            let hit = all_solids(&board)
                .into_iter()
                .find(|solid| is_hit(solid, clear, 0.0));
            assert_eq!(hit, None, "{a:?} to {b:?} on {}", drawn(&board));
        }
    }
}

/// A random point of a box, often near its surface.
fn random_point(block: &Block, dice: &mut Dice) -> [f64; 3] {
    let [min, max] = block.feet();
    std::array::from_fn(|k| {
        let share = match dice.random_range(0..4) {
            0 => 1e-4,
            1 => 1.0 - 1e-4,
            _ => f64::from(dice.random_range(1..1000)) / 1000.0,
        };
        min[k] + (max[k] - min[k]) * share
    })
}

#[test]
fn no_line_passes_where_sight_is_blocked_gr_12() {
    let mut dice = dice(9);
    let (mut pairs, mut lines) = (0, 0);
    while pairs < fivefoot_kit::sample(400, 1200) {
        let (width, height) = (dice.random_range(2..8), dice.random_range(2..8));
        let board = jumble(&mut dice, width, height);
        let (Some(a), Some(b)) = (place(&board, &mut dice, 1), place(&board, &mut dice, 1)) else {
            continue;
        };
        let proof = board.proof(a, b);
        let cubes = [board.cube(a).unwrap(), board.cube(b).unwrap()];
        let blocking: Vec<Block> = proof.blocking.iter().map(|(_, block)| *block).collect();
        if a == b || blocking.is_empty() {
            continue;
        }
        pairs += 1;
        for _ in 0..300 {
            let from = random_point(&cubes[0], &mut dice);
            if !proof.sight.los {
                let to = if dice.random_bool(0.5) {
                    random_point(&cubes[1], &mut dice)
                } else {
                    // Aim just past an edge of a blocking solid.
                    let over = blocking[dice.random_range(0..blocking.len())];
                    let mut over = random_point(&over, &mut dice);
                    over[dice.random_range(0..3)] +=
                        if dice.random_bool(0.5) { 1e-3 } else { -1e-3 };
                    let far = [0, 1, 2].map(|k| {
                        from[k] + (over[k] - from[k]) * f64::from(dice.random_range(10..50)) / 10.0
                    });
                    if !is_inside(&cubes[1], far) {
                        continue;
                    }
                    far
                };
                lines += 1;
                assert!(
                    blocking.iter().any(|solid| is_hit(solid, [from, to], 1e-9)),
                    "{from:?} to {to:?}, {a:?} to {b:?} on {}",
                    drawn(&board)
                );
                continue;
            }
            for (corner, seen) in &proof.corners {
                let near = [0, 1, 2].map(|k| corner[k] + (from[k] - corner[k]) * 1e-4);
                let is_free = !all_solids(&board)
                    .iter()
                    .any(|solid| is_hit(solid, [from, near], 1e-7));
                assert!(
                    *seen || !is_free,
                    "{from:?} to {corner:?}, {a:?} to {b:?} on {}",
                    drawn(&board)
                );
                if !*seen {
                    lines += 1;
                    assert!(
                        blocking
                            .iter()
                            .any(|solid| is_hit(solid, [from, near], 1e-9))
                    );
                }
            }
        }
    }
    assert!(lines > fivefoot_kit::sample(30_000, 100_000), "{lines}");
}

/// A box in the oracle's units, enlarged on all sides.
fn in_space(block: &Block, grown: f64) -> oracle::Space {
    oracle::Space {
        min: block.min.map(|v| f64::from(v) - grown),
        max: block.max.map(|v| f64::from(v) + grown),
    }
}

#[test]
fn sight_among_boxes_matches_the_oracle_in_space_gr_12() {
    let mut dice = dice(11);
    let (mut seen, mut stopped, mut open) = (0, 0, 0);
    while seen + stopped < 1200 {
        let (width, height) = (dice.random_range(2..7), dice.random_range(2..7));
        let board = jumble(&mut dice, width, height);
        let (Some(a), Some(b)) = (place(&board, &mut dice, 1), place(&board, &mut dice, 1)) else {
            continue;
        };
        if a == b {
            continue;
        }
        let [from, to] = [a, b].map(|space| in_space(&board.cube(space).unwrap(), 0.0));
        let scene = || format!("{a:?} to {b:?} on\n{}", drawn(&board));
        let proof = board.proof(a, b);
        // No line passes between touching solids. Enlarged by 0.02 ft, they overlap.
        let solids: Vec<_> = all_solids(&board)
            .iter()
            .map(|solid| in_space(solid, 0.4))
            .collect();
        if proof.sight.los {
            // Check the clear line against the solids at their true size.
            let clear = proof.clear.unwrap();
            let is_free = |solid: &Block| !is_hit(solid, clear, 0.0);
            assert!(all_solids(&board).iter().all(is_free), "{}", scene());
            seen += 1;
        } else {
            match oracle::is_stopped(&from, &to, &solids) {
                Some(all) => assert!(all, "{}", scene()),
                None => open += 1,
            }
            stopped += 1;
        }
        // If a corner is not seen, no line to a point just before it is free. Slightly enlarged
        // solids also stop lines that touch them, despite rounding.
        for (at, is_seen) in proof.corners.iter().filter(|_| proof.sight.los) {
            let solids: Vec<_> = all_solids(&board)
                .iter()
                .map(|solid| in_space(solid, 1e-5))
                .collect();
            let sees = oracle::some_line_to(&from, at.map(|v| v * 20.0), &solids);
            assert!(*is_seen || !sees, "{at:?}, {}", scene());
        }
    }
    assert!(seen > 250 && stopped > 250, "{seen} {stopped}");
    assert!(
        open * 3 < stopped,
        "{open} of {stopped} are too fine to tell"
    );
}

/// The map with columns and rows exchanged, mirrored, or both, and a function that maps spaces to
/// it.
fn turned(board: &Board, swap: bool, mirror: bool) -> (Board, impl Fn(Space) -> Space) {
    let (width, height) = if swap {
        (board.height(), board.width())
    } else {
        (board.width(), board.height())
    };
    let to = move |cell: Cell, size: i16| {
        let cell = if swap {
            Cell::new(cell.y, cell.x)
        } else {
            cell
        };
        if mirror {
            Cell::new(width as i16 - size - cell.x, cell.y)
        } else {
            cell
        }
    };
    let mut other = Board::new(width, height);
    for cell in board.cells() {
        let mut ground = board.ground(cell).unwrap().clone();
        let turn = |axis: Axis| match (swap, axis) {
            (true, Axis::X) => Axis::Y,
            (true, Axis::Y) => Axis::X,
            _ => axis,
        };
        ground.feature = match ground.feature {
            Feature::Window(axis) => Feature::Window(turn(axis)),
            Feature::Slit(axis) => Feature::Slit(turn(axis)),
            Feature::Blocks(blocks) => {
                let turn = |mut block: Block| {
                    if swap {
                        block.min.swap(0, 1);
                        block.max.swap(0, 1);
                    }
                    if mirror {
                        (block.min[0], block.max[0]) = (100 - block.max[0], 100 - block.min[0]);
                    }
                    block
                };
                Feature::Blocks(blocks.into_iter().map(turn).collect())
            }
            other => other,
        };
        other.set(to(cell, 1), ground);
    }
    (other, move |space: Space| {
        Space::new(to(space.at, space.side()), space.size)
    })
}

#[test]
fn sight_does_not_depend_on_the_maps_orientation() {
    let (mut dice, mut compared) = (dice(10), 0);
    for round in 0..150 {
        let (width, height) = (dice.random_range(2..7), dice.random_range(2..7));
        let board = jumble(&mut dice, width, height);
        let (other, to) = turned(&board, round % 2 == 0, round % 3 > 0);
        for _ in 0..20 {
            let (Some(a), Some(b)) = (place(&board, &mut dice, 1), place(&board, &mut dice, 1))
            else {
                continue;
            };
            assert_eq!(
                board.sight(a, b),
                other.sight_uncached(to(a), to(b)),
                "{a:?} to {b:?} on {}",
                drawn(&board)
            );
            compared += 1;
        }
    }
    assert!(compared > 1_500, "{compared}");
}

#[test]
fn cached_sight_follows_doors() {
    let mut board = Board::new(5, 1);
    let door = Cell::new(2, 0);
    board.set(door, CellGround::of(Feature::Door { open: false }));
    let clone = board.clone();
    let (a, b) = (at(0, 0), at(4, 0));
    assert!(!board.sight(a, b).los);
    assert_eq!(board.door(door), Some(false));
    assert!(board.set_door(door, true) && !board.set_door(Cell::new(0, 0), true));
    assert_eq!(board.sight(a, b), Sight::seen(8));
    assert!(!clone.sight(a, b).los);
    board.set_door(door, false);
    assert!(!board.sight(a, b).los);
    board.set_door(door, true);
    board.set(Cell::new(1, 0), CellGround::of(Feature::Wall));
    assert!(!board.sight(a, b).los);
    board.set(Cell::new(1, 0), CellGround::default());
    assert_eq!(board.sight(a, b), Sight::seen(8));
    board.set(door, CellGround::default());
    assert_eq!((board.door(door), board.doors().count()), (None, 0));
    board.set(door, CellGround::of(Feature::Door { open: true }));
    assert_eq!(board.doors().collect::<Vec<_>>(), [door]);
    assert_eq!(board.sight(a, b), Sight::seen(8));
}

#[test]
fn sight_is_exact_over_long_distances_and_heights() {
    let mut board = Board::new(Board::MAX_SIDE, 4);
    let last = Board::MAX_SIDE as i16 - 1;
    for x in (1..last).step_by(7) {
        board.set(
            Cell::new(x, x % 3),
            CellGround {
                floor: x,
                feature: Feature::Slit(Axis::X),
                ..CellGround::default()
            },
        );
        board.set(Cell::new(x, 3), CellGround::of(Feature::Window(Axis::X)));
    }
    board.set(Cell::new(0, 0), CellGround::floor(i16::MAX));
    board.set(Cell::new(last, 0), CellGround::floor(i16::MIN));
    assert_eq!(board.stand(Cell::new(0, 0)), 2000.0);
    for (a, b) in [
        (at(0, 0), at(last, 0)),
        (at(0, 0), at(last, 3)),
        (at(0, 3), at(last, 3)),
        (at(0, 2), at(last, 1)),
    ] {
        let (there, back) = (board.sight_uncached(a, b), board.sight_uncached(b, a));
        assert_eq!((there.los, there), (back.los, board.sight(a, b)));
        assert_eq!(board.proof(a, b).sight, there);
    }
}
