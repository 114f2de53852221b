//! Straight lines of cells, for charges.

use super::Cell;

/// One step of a straight line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The next cell of the line.
    pub to: Cell,
    /// A further cell that the line crosses on the way there.
    pub crossed: Option<Cell>,
}

/// The line between the centres of two cells as a list of steps to neighbouring cells, ending
/// with `to`, with every cell whose interior the line crosses. A line through a corner crosses
/// neither of the two cells beside it.
pub fn straight(from: Cell, to: Cell) -> Vec<Stage> {
    let (dx, dy) = (i32::from(to.x - from.x), i32::from(to.y - from.y));
    let (nx, ny) = (dx.abs(), dy.abs());
    let (sx, sy) = (dx.signum() as i16, dy.signum() as i16);
    let (mut cell, mut ix, mut iy) = (from, 0, 0);
    let mut crossed = Vec::with_capacity((nx + ny) as usize);
    while ix < nx || iy < ny {
        // The line leaves the cell by the side that it meets first.
        match ((2 * ix + 1) * ny).cmp(&((2 * iy + 1) * nx)) {
            std::cmp::Ordering::Less => (cell, ix) = (Cell::new(cell.x + sx, cell.y), ix + 1),
            std::cmp::Ordering::Greater => (cell, iy) = (Cell::new(cell.x, cell.y + sy), iy + 1),
            std::cmp::Ordering::Equal => {
                (cell, ix, iy) = (Cell::new(cell.x + sx, cell.y + sy), ix + 1, iy + 1);
            }
        }
        crossed.push(cell);
    }
    stages(from, &crossed)
}

/// If the line crosses two cells in a row beside one corner, the unit steps diagonally to the
/// second where it can.
fn stages(from: Cell, crossed: &[Cell]) -> Vec<Stage> {
    let (mut out, mut at, mut n) = (vec![], from, 0);
    while n < crossed.len() {
        let next = crossed.get(n + 1);
        let diagonal = next.filter(|c| (c.x - at.x).abs() == 1 && (c.y - at.y).abs() == 1);
        let (to, passed) = match diagonal {
            Some(&far) => (far, Some(crossed[n])),
            None => (crossed[n], None),
        };
        n += 1 + usize::from(passed.is_some());
        at = to;
        out.push(Stage {
            to,
            crossed: passed,
        });
    }
    out
}
