//! Halls: rooms and corridors, with doors and pillars.

use super::sketch::Sketch;
use crate::battle::Chance;

pub fn draw(sketch: &mut Sketch, chance: &mut Chance) {
    let (w, h) = (sketch.width, sketch.height);
    sketch.fill((0, 0), (w - 1, h - 1), '#');
    let mut middles = vec![(2, h / 2), (w / 2, h / 2)];
    let usual = if w == h { 2 } else { 3 };
    let larger = (w * h) as usize / 216;
    let rooms = usual + 2 * larger.saturating_sub(1) + chance.below(2);
    for _ in 0..30 * larger.max(1) {
        if middles.len() >= 2 + rooms {
            break;
        }
        let (wide, high) = (3 + chance.below(3) as i16, 3 + chance.below(2) as i16);
        let x = 1 + chance.below((w - wide - 1) as usize) as i16;
        let y = 1 + chance.below((h - high - 1) as usize) as i16;
        // Keep a wall around the room that no other room has opened.
        let mut around =
            (y - 1..=y + high).flat_map(|cy| (x - 1..=x + wide).map(move |cx| (cx, cy)));
        if !around.all(|cell| sketch.at(cell) == '#') {
            continue;
        }
        sketch.fill((x, y), (x + wide - 1, y + high - 1), '.');
        if wide * high >= 15 {
            sketch.put((x + wide / 2, y + high / 2), 'o');
        }
        middles.push((x, y + high / 2));
    }
    // The middle room and the rooms in which the sides start.
    sketch.fill((w / 2 - 2, h / 2 - 2), (w / 2 + 1, h / 2 + 1), '.');
    for n in 1..middles.len() {
        let from = middles[chance.below(n)];
        corridor(sketch, chance, from, middles[n]);
    }
    for _ in 0..2 {
        let (a, b) = (chance.below(middles.len()), chance.below(middles.len()));
        corridor(sketch, chance, middles[a], middles[b]);
    }
    doors(sketch, chance);
    for _ in 0..3 {
        let cells = 1 + chance.below(4);
        sketch.blot(chance, ',', cells);
    }
}

/// A corridor along one row and one column.
fn corridor(sketch: &mut Sketch, chance: &mut Chance, from: (i16, i16), to: (i16, i16)) {
    let corner = match chance.below(2) {
        0 => (to.0, from.1),
        _ => (from.0, to.1),
    };
    for (a, b) in [(from, corner), (corner, to)] {
        let low = (a.0.min(b.0), a.1.min(b.1));
        let high = (a.0.max(b.0), a.1.max(b.1));
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                if sketch.at((x, y)) == '#' {
                    sketch.put((x, y), '.');
                }
            }
        }
    }
}

/// Puts doors where a corridor leaves a room.
fn doors(sketch: &mut Sketch, chance: &mut Chance) {
    for cell in sketch.all() {
        let (x, y) = cell;
        let wall = |cell| sketch.at(cell) == '#' && sketch.is_in(cell);
        let floor = |cell| sketch.at(cell) == '.';
        let is_gap = wall((x, y - 1)) && wall((x, y + 1)) && floor((x - 1, y)) && floor((x + 1, y))
            || wall((x - 1, y)) && wall((x + 1, y)) && floor((x, y - 1)) && floor((x, y + 1));
        let leads_to_room = sketch.round(cell, |c| c == '.') >= 4;
        if floor(cell) && is_gap && leads_to_room && chance.below(3) == 0 {
            sketch.put(cell, ['+', '+', '/'][chance.below(3)]);
        }
    }
}
