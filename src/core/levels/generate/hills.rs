//! Hills: floor at three heights, with at most one step of height between neighbours.

use super::sketch::Sketch;
use crate::battle::Chance;

pub fn draw(sketch: &mut Sketch, chance: &mut Chance) {
    for _ in 0..4 + chance.below(3) {
        hill(sketch, chance);
    }
    // Where the ground drops by two steps, lower the upper cell.
    for _ in 0..3 {
        for cell in sketch.all() {
            if sketch.at(cell) == '2' && sketch.round(cell, |c| c == '.') > 0 {
                sketch.put(cell, '1');
            }
        }
    }
    for _ in 0..4 {
        let cells = 2 + chance.below(5);
        sketch.blot(chance, ',', cells);
    }
    for _ in 0..6 {
        let cell = sketch.any(chance);
        let what = match sketch.at(cell) {
            '.' => 'o',
            '2' => '4',
            _ => continue,
        };
        if sketch.round(cell, |c| "o4#".contains(c)) == 0 {
            sketch.put(cell, what);
        }
    }
}

/// A round hill, perhaps with a higher top.
fn hill(sketch: &mut Sketch, chance: &mut Chance) {
    let (x, y) = sketch.any(chance);
    let radius = 2 + chance.below(3) as i16;
    for cell in sketch.all() {
        let (dx, dy) = (cell.0 - x, cell.1 - y);
        let off = dx * dx + dy * dy - chance.below(3) as i16;
        let now = sketch.at(cell);
        let inner = radius - 2;
        if inner > 0 && off <= inner * inner && now != '#' {
            sketch.put(cell, '2');
        } else if off <= radius * radius && now == '.' {
            sketch.put(cell, '1');
        }
    }
}
