//! Woods: trees, brush, and perhaps a brook.

use super::sketch::Sketch;
use crate::battle::Chance;

pub fn draw(sketch: &mut Sketch, chance: &mut Chance) {
    let (w, h) = (sketch.width, sketch.height);
    if chance.below(3) > 0 {
        brook(sketch, chance);
    }
    let trees = (w * h) as usize / 16;
    for _ in 0..trees {
        let cell = sketch.any(chance);
        // Leave space between trees for large units.
        if sketch.at(cell) == '.' && sketch.round(cell, |c| c == 'o') == 0 {
            sketch.put(cell, 'o');
        }
    }
    for _ in 0..5 {
        let cells = 3 + chance.below(7);
        sketch.blot(chance, ',', cells);
    }
    // A fallen trunk across a path.
    let (x, y) = sketch.any(chance);
    let along = chance.below(2) as i16;
    for n in 0..3 {
        let cell = (x + n * along, y + n * (1 - along));
        if sketch.at(cell) == '.' {
            sketch.put(cell, '=');
        }
    }
}

/// A brook from the north edge to the middle; by symmetry it continues to the south
/// edge.
fn brook(sketch: &mut Sketch, chance: &mut Chance) {
    let (w, h) = (sketch.width, sketch.height);
    let mut x = w / 3 + chance.below((w / 3) as usize) as i16;
    for y in 0..=h / 2 {
        sketch.put((x, y), '~');
        let aim = (w / 2 - x).signum();
        let by = match chance.below(4) {
            0 => aim,
            1 => chance.below(3) as i16 - 1,
            _ => 0,
        };
        // Widen the brook where it shifts sideways, so that it has no gaps.
        if by != 0 {
            sketch.put((x + by, y), '~');
        }
        x = (x + by).clamp(0, w - 1);
    }
    for cell in (x.min(w / 2)..=x.max(w / 2)).map(|x| (x, h / 2)) {
        sketch.put(cell, '~');
    }
}
