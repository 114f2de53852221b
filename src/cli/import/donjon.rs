//! Reads tables of tab-separated codes, as donjon writes them.

use super::{
    ImportedMap, Starter, door, floor,
    legend::{self, LegendEntry, Meaning},
    wall,
};
use fivefoot_core::{grid::Cell, levels::edit::GroundAndFog};

pub(super) fn read(text: &str, legend: &[LegendEntry]) -> Result<ImportedMap, String> {
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|row| row.split('\t').map(str::trim).collect())
        .collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    if width < 2 {
        return Err("1:1: there are no tab-separated codes in this file".into());
    }
    let mut found = ImportedMap {
        width,
        ..ImportedMap::default()
    };
    for (y, row) in rows.iter().enumerate() {
        let mut column = 1;
        for x in 0..width {
            let code = row.get(x).copied().unwrap_or("");
            let cell = Cell::new(x as i16, y as i16);
            let place = format!("{}:{column}", y + 1);
            column += code.chars().count() + 1;
            let ground = match legend::find(legend, code).filter(|_| !code.is_empty()) {
                Some(means) => means.put(cell, &mut found),
                None => of_code(code, cell, &place, &mut found),
            };
            found.cells.push(ground);
        }
    }
    Ok(found)
}

fn of_code(code: &str, cell: Cell, place: &str, found: &mut ImportedMap) -> GroundAndFog {
    let way = |code: &str| matches!(code, "" | "R" | "L" | "T" | "B");
    match code {
        "" => wall(),
        "F" => floor(),
        "SU" | "SD" => {
            let what = "stairs are taken as floor, and as a place to begin";
            found.notes.add(place, what);
            let side = usize::from(code == "SD");
            Meaning::Start(Starter::Nth(side)).put(cell, found)
        }
        // The second cell of a staircase.
        "SUU" | "SDD" => floor(),
        _ => match code.strip_prefix('D') {
            Some(rest) if way(rest) => door(),
            Some(rest) if rest.strip_prefix('S').is_some_and(way) => {
                let what = "a secret door is taken as a closed door";
                found.notes.add(place, what);
                door()
            }
            Some(rest) if rest.strip_prefix('P').is_some_and(way) => {
                let what = "a portcullis is taken as a closed door";
                found.notes.add(place, what);
                door()
            }
            _ => {
                let what = format!("the code '{code}' is taken as floor; --legend '{code}=…'");
                found.notes.add(place, what);
                floor()
            }
        },
    }
}
