//! Boards, dice and step rules for the grid tests.

use fivefoot_core::grid::*;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

pub type Dice = Xoshiro256PlusPlus;

pub fn dice(seed: u64) -> Dice {
    Dice::seed_from_u64(seed)
}

/// A flat map with walls where `is_wall` says so.
pub fn walls(width: u16, height: u16, is_wall: impl Fn(Cell) -> bool) -> Board {
    let mut board = Board::new(width, height);
    for cell in board.cells().filter(|cell| is_wall(*cell)) {
        board.set(cell, CellGround::of(Feature::Wall));
    }
    board
}

pub fn is_wall(board: &Board, cell: Cell) -> bool {
    board
        .ground(cell)
        .is_some_and(|ground| ground.feature == Feature::Wall)
}

/// A map from text: `#` wall, `=` low wall, `o` pillar, `+` closed door, `w` window to the east and
/// west, `s` slit to the north and south, `.` open. Digits are floor heights in feet.
pub fn board(rows: &[&str]) -> Board {
    let mut board = Board::new(rows[0].len() as u16, rows.len() as u16);
    for (y, row) in rows.iter().enumerate() {
        for (x, mark) in row.bytes().enumerate() {
            let ground = match mark {
                b'#' => CellGround::of(Feature::Wall),
                b'=' => CellGround::of(Feature::LowWall),
                b'o' => CellGround::of(Feature::Pillar),
                b'+' => CellGround::of(Feature::Door { open: false }),
                b'w' => CellGround::of(Feature::Window(Axis::X)),
                b's' => CellGround::of(Feature::Slit(Axis::Y)),
                b'0'..=b'9' => CellGround::floor(i16::from(mark - b'0')),
                _ => CellGround::default(),
            };
            board.set(Cell::new(x as i16, y as i16), ground);
        }
    }
    board
}

pub fn at(x: i16, y: i16) -> Space {
    Space::one(Cell::new(x, y))
}

/// Step rules for one medium unit on an empty map, every diagonal at 5 ft.
pub fn plain(board: &Board) -> StepRules<'_> {
    StepRules {
        board,
        size: 1,
        diagonals: Diagonals::Five,
        slow: 1,
        most: u16::MAX,
        standing: &|_| Occupant::Nobody,
        provokes: None,
    }
}

pub fn c(x: i16, y: i16) -> Cell {
    Cell::new(x, y)
}

/// A random free space on the map, or `None` after 50 tries.
pub fn place(board: &Board, dice: &mut Dice, size: u8) -> Option<Space> {
    (0..50).find_map(|_| {
        let at = Cell::new(
            dice.random_range(0..board.width() as i16),
            dice.random_range(0..board.height() as i16),
        );
        Some(Space::new(at, size)).filter(|space| board.can_stand(*space))
    })
}

/// The board as text, for error messages.
pub fn drawn(board: &Board) -> String {
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

/// A box that fills a whole cell between two heights in feet.
pub fn slab(low: f64, high: f64) -> Feature {
    Feature::Blocks(vec![
        Block::from_feet([0.0, 0.0, low], [5.0, 5.0, high]).unwrap(),
    ])
}
