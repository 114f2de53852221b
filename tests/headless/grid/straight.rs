//! Straight lines of cells, for charges.

use fivefoot_core::grid::{Cell, straight};

fn ends(from: (i16, i16), to: (i16, i16)) -> Vec<(i16, i16)> {
    let stages = straight(Cell::new(from.0, from.1), Cell::new(to.0, to.1));
    stages.iter().map(|s| (s.to.x, s.to.y)).collect()
}

#[test]
fn a_line_has_as_many_steps_as_its_longer_axis() {
    assert_eq!(ends((0, 0), (3, 0)), [(1, 0), (2, 0), (3, 0)]);
    assert_eq!(ends((0, 0), (-2, 2)), [(-1, 1), (-2, 2)]);
    for (x, y) in [(5, 2), (2, 5), (-4, 3), (7, -1), (-6, -6), (3, 2)] {
        let line = ends((0, 0), (x, y));
        assert_eq!(
            line.len(),
            usize::from(x.unsigned_abs().max(y.unsigned_abs()))
        );
        assert_eq!(line.last(), Some(&(x, y)));
    }
}

#[test]
fn cells_that_a_line_only_clips_count_as_crossed() {
    let stages = straight(Cell::new(0, 0), Cell::new(2, 1));
    let crossed: Vec<Cell> = stages.iter().filter_map(|s| s.crossed).collect();
    assert_eq!(crossed, [Cell::new(1, 0)]);
}
