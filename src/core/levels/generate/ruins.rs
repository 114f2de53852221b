//! Ruins: houses with some of their walls missing.

use super::sketch::Sketch;
use crate::battle::Chance;

pub fn draw(sketch: &mut Sketch, chance: &mut Chance) {
    let (w, h) = (sketch.width, sketch.height);
    for _ in 0..3 + chance.below(2) {
        let (wide, high) = (4 + chance.below(4) as i16, 4 + chance.below(3) as i16);
        let x = 2 + chance.below((w - wide - 2) as usize) as i16;
        let y = chance.below((h - high + 1) as usize) as i16;
        house(sketch, chance, (x, y), (wide, high));
    }
    for _ in 0..4 {
        let cells = 1 + chance.below(4);
        sketch.blot(chance, ',', cells);
    }
}

fn house(sketch: &mut Sketch, chance: &mut Chance, (x, y): (i16, i16), (wide, high): (i16, i16)) {
    for cell in (y..y + high).flat_map(|cy| (x..x + wide).map(move |cx| (cx, cy))) {
        let is_edge =
            cell.0 == x || cell.1 == y || cell.0 == x + wide - 1 || cell.1 == y + high - 1;
        if !is_edge {
            continue;
        }
        let what = match chance.below(10) {
            0..=3 => '#',
            4..=5 => '=',
            6 => ',',
            _ => '.',
        };
        sketch.put(cell, what);
    }
    // A doorway, so that no house is closed.
    let door = x + 1 + chance.below((wide - 2) as usize) as i16;
    let what = if chance.below(3) == 0 { '+' } else { '.' };
    sketch.put((door, y + high - 1), what);
}
