//! Line of effect (PH-26), cover in percent and concealment (PH-27).

use fivefoot_core::grid::*;

use super::kit::{at, c};

/// A row of three cells with boxes in the middle one, in feet.
fn screen(boxes: &[[[f64; 3]; 2]]) -> Board {
    let mut board = Board::new(3, 1);
    let blocks = boxes
        .iter()
        .map(|[min, max]| Block::from_feet(*min, *max).unwrap())
        .collect();
    board.set(c(1, 0), CellGround::of(Feature::Blocks(blocks)));
    board
}

#[test]
fn effects_need_an_opening_of_one_foot_ph_26() {
    // A wall with a gap of full height, or with a hole.
    let gap = |width: f64| {
        let side = (5.0 - width) / 2.0;
        screen(&[
            [[0.0, 0.0, 0.0], [5.0, side, 10.0]],
            [[0.0, 5.0 - side, 0.0], [5.0, 5.0, 10.0]],
        ])
    };
    let hole = |height: f64| {
        screen(&[
            [[0.0, 0.0, 0.0], [5.0, 5.0, 1.0]],
            [[0.0, 0.0, 1.0 + height], [5.0, 5.0, 10.0]],
        ])
    };
    let opens = |board: Board| board.has_opening(at(0, 0), at(2, 0));
    assert!(opens(gap(1.0)) && opens(gap(2.0)) && !opens(gap(0.9)));
    assert!(opens(hole(1.0)) && opens(hole(1.05)) && !opens(hole(0.95)));
    // Line of sight passes through all of them.
    assert!(gap(0.1).sight(at(0, 0), at(2, 0)).los && hole(0.05).sight(at(0, 0), at(2, 0)).los);
    let mut window = Board::new(3, 1);
    window.set(c(1, 0), CellGround::of(Feature::Window(Axis::X)));
    assert!(opens(window.clone()));
    window.set(c(1, 0), CellGround::of(Feature::Slit(Axis::X)));
    assert!(!opens(window));
    assert!(opens(Board::new(3, 1)));
}

#[test]
fn more_than_half_cover_breaks_effects_ph_26() {
    // Seen from the centre at 2.5 ft, a thin wall of 2 ft hides the lowest of five layers of points
    // in the target and four of the five rows of the next layer. A wall of 2.5 ft hides the three
    // lowest layers, because it also stops lines that touch it.
    let low = |height: f64| screen(&[[[0.0, 0.0, 0.0], [5.0, 5.0, height]]]);
    let share = |board: &Board| {
        (
            board.unseen_share(at(0, 0), at(2, 0)),
            board.line_of_effect(at(0, 0), at(2, 0)),
        )
    };
    assert_eq!(share(&low(0.05)), (0, true));
    assert_eq!(share(&Board::new(3, 1)), (0, true));
    let thin = |height: f64| screen(&[[[2.0, 0.0, 0.0], [3.0, 5.0, height]]]);
    assert_eq!(share(&thin(2.0)), (36, true));
    assert_eq!(share(&thin(2.5)), (60, false));
    assert_eq!(share(&thin(10.0)), (100, false));
}

#[test]
fn fog_conceals_along_the_line_ph_27() {
    let mut board = Board::new(5, 3);
    board.set_fog(c(2, 0), 40);
    board.set_fog(c(4, 0), 20);
    board.set_fog(c(0, 0), 90);
    assert_eq!(board.concealment(at(1, 0), at(3, 0)), 40);
    assert_eq!(board.concealment(at(1, 0), at(4, 0)), 40);
    assert_eq!(board.concealment(at(3, 0), at(4, 0)), 20);
    // The viewer's cell does not count; the target's cell does.
    assert_eq!(board.concealment(at(0, 0), at(1, 0)), 0);
    assert_eq!(board.concealment(at(1, 0), at(0, 0)), 90);
    assert_eq!(board.concealment(at(1, 1), at(3, 1)), 0);
    // A line through the corner of a cell does not pass through the cell.
    assert_eq!(board.concealment(at(1, 0), at(2, 1)), 0);
    board.set_fog(c(2, 0), 200);
    assert_eq!(board.fog(c(2, 0)), 100);
}
