//! Line of sight on thousands of random maps of walls and heights, compared with the oracle.

use fivefoot_core::grid::*;
use rand::RngExt;
use std::ops::Range;

use super::{
    kit::{Dice, dice, drawn, is_wall, place, slab, walls},
    oracle::{Rect, corners, sees, sees_point},
};

/// Line of sight on a flat map with walls, by the oracle.
fn oracle(board: &Board, a: Space, b: Space) -> Sight {
    let square = |space: Space| -> Rect {
        let [x, y, side] = [space.at.x, space.at.y, space.side()].map(i64::from);
        [x, y, x + side, y + side]
    };
    let (from, to) = (square(a), square(b));
    // Walls outside the bounding box of both spaces block nothing.
    let room: Rect = [
        from[0].min(to[0]),
        from[1].min(to[1]),
        from[2].max(to[2]),
        from[3].max(to[3]),
    ];
    let near = |wall: &Rect| {
        wall[0] < room[2] && wall[2] > room[0] && wall[1] < room[3] && wall[3] > room[1]
    };
    let solids: Vec<Rect> = board
        .cells()
        .filter(|cell| is_wall(board, *cell))
        .map(|cell| square(cell.into()))
        .filter(near)
        .collect();
    if !sees(&from, &to, &solids) {
        return Sight::NONE;
    }
    in_view(&from, &to, &solids)
}

/// Line of sight that is free, with the share of corners in view as cover.
fn in_view(from: &Rect, to: &Rect, solids: &[Rect]) -> Sight {
    let corners = corners(to).into_iter();
    let seen = corners.filter(|corner| sees_point(from, *corner, solids));
    Sight::seen(2 * seen.count() as u8)
}

#[track_caller]
fn agree(board: &Board, a: Space, b: Space) {
    let expected = oracle(board, a, b);
    assert_eq!(
        board.sight(a, b),
        expected,
        "in plan, {a:?} to {b:?} on\n{}",
        drawn(board)
    );
    assert_eq!(
        board.sight_uncached(a, b),
        expected,
        "in space, {a:?} to {b:?} on\n{}",
        drawn(board)
    );
}

/// Compares the sight between `many` pairs of bodies of these sizes on boards from `board`.
fn agree_on(seed: u64, many: usize, sizes: Range<u8>, mut board: impl FnMut(&mut Dice) -> Board) {
    let (mut dice, mut pairs) = (dice(seed), 0);
    while pairs < many {
        let board = board(&mut dice);
        for _ in 0..6 {
            let mut body = || {
                let size = dice.random_range(sizes.clone());
                place(&board, &mut dice, size)
            };
            if let (Some(a), Some(b)) = (body(), body())
                && !a.overlaps(b)
            {
                agree(&board, a, b);
                pairs += 1;
            }
        }
    }
}

/// A board on which this share of the cells, in percent, are walls.
fn random_walls(dice: &mut Dice, width: u16, height: u16, share: i32) -> Board {
    let bits: Vec<bool> = (0..200)
        .map(|_| dice.random_range(0..100) < share)
        .collect();
    walls(width, height, |cell| {
        bits[cell.y as usize * 13 + cell.x as usize]
    })
}

#[test]
fn sight_past_random_walls_matches_the_oracle_gr_12() {
    agree_on(1, fivefoot_kit::sample(6_000, 20_000), 1..2, |dice| {
        let (width, height) = (dice.random_range(2..13u16), dice.random_range(2..13u16));
        let share = dice.random_range(5..60);
        random_walls(dice, width, height, share)
    });
}

#[test]
fn sight_of_large_bodies_matches_the_oracle_gr_01() {
    agree_on(2, 1_500, 1..4, |dice| {
        let (side, share) = (dice.random_range(4..11u16), dice.random_range(3..25));
        random_walls(dice, side, side, share)
    });
}

#[test]
fn sight_past_diagonal_walls_matches_the_oracle_gr_11() {
    agree_on(3, 2_000, 1..2, |dice| {
        let (side, slope) = (dice.random_range(4..12u16), dice.random_range(1..3i16));
        let (shift, gap) = (dice.random_range(-3..10i16), dice.random_range(0..14i16));
        let falls = dice.random_bool(0.5);
        walls(side, side, |cell| {
            let x = if falls {
                cell.x
            } else {
                side as i16 - 1 - cell.x
            };
            x / slope + cell.y == shift && cell.y != gap || x == gap && cell.y + 3 == shift
        })
    });
}

#[test]
fn sight_through_offset_gaps_matches_the_oracle_gr_12() {
    let mut dice = dice(4);
    for _ in 0..500 {
        // Walls across the whole map, each with one gap, up to 24 cells apart.
        let (length, height) = (dice.random_range(8..27u16), dice.random_range(1..8u16));
        let screens: Vec<(i16, i16)> = (0..dice.random_range(1..4))
            .map(|_| {
                (
                    dice.random_range(1..length as i16 - 1),
                    dice.random_range(0..height as i16),
                )
            })
            .collect();
        let lies = dice.random_bool(0.5);
        let turned = |x: i16, y: i16| {
            if lies {
                Cell::new(y, x)
            } else {
                Cell::new(x, y)
            }
        };
        let (width, depth) = if lies {
            (height, length)
        } else {
            (length, height)
        };
        let board = walls(width, depth, |cell| {
            let at = turned(cell.x, cell.y);
            screens.iter().any(|(x, gap)| at.x == *x && at.y != *gap)
        });
        for _ in 0..4 {
            let rows = [
                dice.random_range(0..height as i16),
                dice.random_range(0..height as i16),
            ];
            let (a, b) = (
                turned(0, rows[0]).into(),
                turned(length as i16 - 1, rows[1]).into(),
            );
            agree(&board, a, b);
            agree(&board, b, a);
        }
    }
}

#[test]
fn sight_next_to_walls_matches_the_oracle_gr_20() {
    let mut dice = dice(5);
    for _ in 0..600 {
        // Walls only next to the two bodies.
        let (dx, dy) = (dice.random_range(2..12i16), dice.random_range(0..12i16));
        let (a, b) = (Cell::new(2, 2), Cell::new(2 + dx, 2 + dy));
        let bits: Vec<bool> = (0..400).map(|_| dice.random_range(0..100) < 40).collect();
        let near = |cell: Cell, other: Cell| {
            (cell.x - other.x).abs() <= 1 && (cell.y - other.y).abs() <= 1
        };
        let board = walls(16, 16, |cell| {
            cell != a
                && cell != b
                && (near(cell, a) || near(cell, b))
                && bits[(cell.y * 20 + cell.x) as usize]
        });
        agree(&board, a.into(), b.into());
        agree(&board, b.into(), a.into());
    }
}

#[test]
fn sight_over_heights_matches_the_oracle_gr_23() {
    // In one row of cells whose solids fill the full width, line of sight depends on x and z only.
    let (mut dice, mut seen, mut stopped) = (dice(6), 0, 0);
    while seen.min(stopped) < 1_000 {
        let length = dice.random_range(2..9u16);
        let mut board = Board::new(length, 1);
        let mut solids: Vec<Rect> = vec![];
        for cell in board.cells() {
            let floor = [0, 0, 0, 5, 3, 1, -4, 7, 11][dice.random_range(0..9)];
            let x = i64::from(cell.x) * 100;
            solids.push([x, -1_000_000, x + 100, i64::from(floor) * 20]);
            let mut solid = |low: f64, high: f64| {
                solids.push([x, (low * 20.0) as i64, x + 100, (high * 20.0) as i64]);
            };
            let floor_feet = f64::from(floor);
            let feature = match dice.random_range(0..8) {
                0 => {
                    solid(floor_feet, floor_feet + 3.0);
                    Feature::LowWall
                }
                1 => {
                    let low = f64::from(dice.random_range(-10..60)) / 4.0;
                    let high = low + f64::from(dice.random_range(1..20)) / 4.0;
                    solid(low, high);
                    slab(low, high)
                }
                2 => {
                    solid(floor_feet, floor_feet + 10.0);
                    Feature::Door { open: false }
                }
                _ => Feature::Open,
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
        for _ in 0..3 {
            let (Some(a), Some(b)) = (place(&board, &mut dice, 1), place(&board, &mut dice, 1))
            else {
                continue;
            };
            if a == b {
                continue;
            }
            let [from, to]: [Rect; 2] = [a, b].map(|space| {
                let block = board.cube(space).unwrap();
                [block.min[0], block.min[2], block.max[0], block.max[2]].map(i64::from)
            });
            let expected = if sees(&from, &to, &solids) {
                in_view(&from, &to, &solids)
            } else {
                Sight::NONE
            };
            *(if expected.los {
                &mut seen
            } else {
                &mut stopped
            }) += 1;
            for sight in [board.sight_uncached(a, b), board.sight(a, b)] {
                assert_eq!(sight, expected, "{a:?} to {b:?} on {}", drawn(&board));
            }
        }
    }
}
