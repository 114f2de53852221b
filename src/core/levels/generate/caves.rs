//! Caves: eroded rock, pools, rubble.

use super::sketch::Sketch;
use crate::battle::Chance;

pub fn draw(sketch: &mut Sketch, chance: &mut Chance) {
    for cell in sketch.all() {
        // The last write into corresponding cells wins, so that they are equal.
        let rock = chance.below(100) < 43;
        sketch.put(cell, if rock { '#' } else { '.' });
    }
    for _ in 0..4 {
        let rock = |cell| (cell, sketch.round(cell, |c| c == '#'));
        let worn: Vec<_> = sketch.all().map(rock).collect();
        for (cell, rock) in worn {
            match rock {
                5.. => sketch.put(cell, '#'),
                0..=3 => sketch.put(cell, '.'),
                _ => {}
            }
        }
    }
    for what in ['~', ',', ','] {
        let cells = 4 + chance.below(8);
        sketch.blot(chance, what, cells);
    }
    for _ in 0..2 {
        let cell = sketch.any(chance);
        if sketch.at(cell) == '.' && sketch.round(cell, |c| c == '.') == 8 {
            sketch.put(cell, 'o');
        }
    }
}
