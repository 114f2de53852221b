//! The grid: sight, cover, movement, distances and areas.

mod arena;
mod effect;
mod kit;
mod land;
mod oracle;
mod sight;
mod space;
mod straight;
mod walk;

use fivefoot_core::grid::*;
use kit::{at, board};

#[test]
fn cover_has_a_direction_gr_22() {
    let board = board(&["....", "....", "..#.", "....", "...."]);
    let (alice, bob) = (at(2, 1), at(0, 4));
    assert_eq!(board.sight(alice, bob), Sight::seen(8));
    assert_eq!(board.sight(bob, alice), Sight::seen(4));
}

#[test]
fn a_ledge_covers_the_unit_on_it_gr_23() {
    let board = board(&["55000"]);
    let (alice, bob) = (at(0, 0), at(4, 0));
    assert_eq!(board.sight(alice, bob), Sight::seen(8));
    assert_eq!(board.sight(bob, alice), Sight::seen(4));
    let upper: Vec<bool> = board
        .proof(bob, alice)
        .corners
        .iter()
        .map(|(_, seen)| *seen)
        .collect();
    assert_eq!(upper, [false, false, false, false, true, true, true, true]);
    for near in [at(2, 0), at(3, 0)] {
        assert_eq!(board.sight(alice, near).cover, Some(Cover::Half));
    }
}

#[test]
fn no_line_passes_between_touching_corners_gr_11() {
    let board = board(&[".#", "#."]);
    assert_eq!(board.sight(at(0, 0), at(1, 1)), Sight::NONE);
    assert_eq!(board.proof(at(0, 0), at(1, 1)).blocking.len(), 2);
}

#[test]
fn surprising_pairs_in_docs_geometry_md() {
    let chapel = board(&[
        "..................",
        "..................",
        "....###s##s###....",
        "....#........#....",
        "....w..o..o.......",
        "....#........#....",
        "....w..o..o..w....",
        "....#........#....",
        "....####++####....",
    ]);
    let both = |a: Space, b: Space| (chapel.sight(a, b), chapel.sight(b, a));
    assert_eq!(both(at(3, 6), at(17, 4)), (Sight::seen(4), Sight::seen(0)));
    assert_eq!(both(at(5, 0), at(0, 6)), (Sight::seen(8), Sight::seen(2)));
    assert_eq!(both(at(7, 1), at(7, 3)), (Sight::seen(0), Sight::seen(0)));
}
