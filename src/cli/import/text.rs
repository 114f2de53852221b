//! Reads rows of characters, as people draw dungeons in text files.

use super::{
    ImportedMap, Starter, floor, ground_of,
    legend::{self, LegendEntry, Meaning},
    wall, water,
};
use fivefoot_core::{
    battle::capitalised,
    grid::{Cell, Feature},
    levels::{edit::GroundAndFog, usual_ground},
};

/// The characters that most texts use for floor.
const FLOOR: [char; 3] = ['.', '·', '_'];

pub(super) fn read(text: &str, legend: &[LegendEntry]) -> Result<ImportedMap, String> {
    let mut rows: Vec<&str> = text.lines().map(str::trim_end).collect();
    while rows.last().is_some_and(|row| row.is_empty()) {
        rows.pop();
    }
    let first = rows.iter().position(|row| !row.is_empty()).unwrap_or(0);
    let rows = &rows[first.min(rows.len())..];
    let widths = rows.iter().map(|row| row.chars().count());
    let width = widths.max().unwrap_or(0);
    if width == 0 {
        return Err("1:1: there is no map in this file".into());
    }
    let mut found = ImportedMap {
        width,
        ..ImportedMap::default()
    };
    // Without a character for floor, blanks within the walls are floor.
    let has_floor = rows.iter().any(|row| row.contains(FLOOR));
    for (y, row) in rows.iter().enumerate() {
        let mut chars = row.chars();
        for x in 0..width {
            let cell = Cell::new(x as i16, y as i16);
            let place = format!("{}:{}", first + y + 1, x + 1);
            let ground = match chars.next() {
                None => wall(),
                Some(c) => of_char(c, cell, &place, has_floor, legend, &mut found),
            };
            found.cells.push(ground);
        }
    }
    Ok(found)
}

fn of_char(
    c: char,
    cell: Cell,
    place: &str,
    has_floor: bool,
    legend: &[LegendEntry],
    found: &mut ImportedMap,
) -> GroundAndFog {
    if let Some(means) = legend::find(legend, c.encode_utf8(&mut [0; 4])) {
        return means.put(cell, found);
    }
    match c {
        ' ' if !has_floor => floor(),
        '\'' => (usual_ground('/').unwrap_or_default(), 0),
        '|' | '-' | '█' | '▓' | '▒' => wall(),
        '"' | ':' | ';' | '%' => (usual_ground(',').unwrap_or_default(), 0),
        '≈' => water(),
        'O' | '0' | '*' => ground_of(Feature::Pillar),
        '@' | '<' => Meaning::Start(Starter::Nth(0)).put(cell, found),
        '>' => Meaning::Start(Starter::Nth(1)).put(cell, found),
        _ if FLOOR.contains(&c) => floor(),
        _ => match usual_ground(c) {
            Some(ground) => (ground, 0),
            None => {
                let what = capitalised(&format!(
                    "{c:?} is taken as floor; say what it means: --legend '{c}=…'"
                ));
                found.notes.add(place, what);
                floor()
            }
        },
    }
}
