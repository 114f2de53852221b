//! Sight on thousands of random maps against the oracle, against itself by
//! other ways, and against all that must hold of any map.

use fivefoot::grid::*;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::oracle::{Rect, sees, sees_point};

type Dice = Xoshiro256PlusPlus;

fn dice(seed: u64) -> Dice {
    Dice::seed_from_u64(seed)
}

fn at(x: i16, y: i16) -> Space {
    Space::one(Cell::new(x, y))
}

/// A level map with walls where the test says so.
fn walls(width: u16, height: u16, is_wall: impl Fn(Cell) -> bool) -> Board {
    let mut board = Board::new(width, height);
    for cell in board.cells().filter(|cell| is_wall(*cell)) {
        board.set(cell, Ground::of(Feature::Wall));
    }
    board
}

fn is_wall(board: &Board, cell: Cell) -> bool {
    board
        .ground(cell)
        .is_some_and(|ground| ground.feature == Feature::Wall)
}

/// What the oracle says of a level map with walls.
fn oracle(board: &Board, a: Space, b: Space) -> Sight {
    let square = |space: Space| -> Rect {
        let [x, y, side] = [space.at.x, space.at.y, space.side()].map(i64::from);
        [x, y, x + side, y + side]
    };
    let (from, to) = (square(a), square(b));
    // Walls outside the two's common box block nothing.
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
    let corners = [
        [to[0], to[1]],
        [to[2], to[1]],
        [to[0], to[3]],
        [to[2], to[3]],
    ];
    Sight::seen(
        2 * corners
            .iter()
            .filter(|c| sees_point(&from, **c, &solids))
            .count() as u8,
    )
}

/// Random spaces that are free on a map.
fn places(board: &Board, dice: &mut Dice, size: u8) -> Option<Space> {
    (0..50).find_map(|_| {
        let at = Cell::new(
            dice.random_range(0..board.width() as i16),
            dice.random_range(0..board.height() as i16),
        );
        Some(Space::new(at, size)).filter(|space| board.can_stand(*space))
    })
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

fn drawn(board: &Board) -> String {
    let mut text = String::new();
    for cell in board.cells() {
        let ground = board.ground(cell).unwrap();
        text += &match &ground.feature {
            Feature::Open if ground.floor == 0 => ".".to_owned(),
            Feature::Open => format!("({})", ground.floor),
            Feature::Wall => "#".to_owned(),
            other => format!("({}: {other:?})", ground.floor),
        };
        if cell.x as u16 + 1 == board.width() {
            text += "\n";
        }
    }
    text
}

#[test]
fn random_walls_as_the_oracle_sees_them_gr_12() {
    let mut dice = dice(1);
    for _ in 0..2000 {
        let (width, height) = (dice.random_range(2..13u16), dice.random_range(2..13u16));
        let share = dice.random_range(5..60);
        let bits: Vec<bool> = (0..200)
            .map(|_| dice.random_range(0..100) < share)
            .collect();
        let board = walls(width, height, |cell| {
            bits[cell.y as usize * 13 + cell.x as usize]
        });
        for _ in 0..5 {
            let (Some(a), Some(b)) = (places(&board, &mut dice, 1), places(&board, &mut dice, 1))
            else {
                continue;
            };
            if a != b {
                agree(&board, a, b);
            }
        }
    }
}
