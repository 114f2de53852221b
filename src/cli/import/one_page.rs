//! Reads the JSON files of One Page Dungeon: rooms as rectangles, doors, columns, water and
//! notes.

use super::{
    ImportedMap, MAX_EDGE, Starter, door, floor, ground_of,
    legend::{self, LegendEntry, Meaning},
    wall, water,
};
use fivefoot_core::grid::{Cell, Feature};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Dungeon {
    #[serde(default)]
    title: String,
    #[serde(default)]
    story: String,
    rects: Vec<Rect>,
    #[serde(default)]
    doors: Vec<Door>,
    #[serde(default)]
    notes: Vec<Note>,
    #[serde(default)]
    columns: Vec<PagePosition>,
    #[serde(default)]
    water: Vec<PagePosition>,
}

#[derive(Deserialize)]
struct Rect {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
    #[serde(default)]
    rotunda: bool,
}

#[derive(Deserialize, Clone, Copy)]
struct PagePosition {
    x: f64,
    y: f64,
}

#[derive(Deserialize)]
struct Door {
    x: f64,
    y: f64,
    #[serde(default, rename = "type")]
    kind: u32,
}

#[derive(Deserialize)]
struct Note {
    text: String,
    #[serde(default, rename = "ref")]
    number: Value,
    pos: PagePosition,
}

/// What a type of door becomes.
enum ImportedDoor {
    Open,
    Closed,
    /// An entrance from outside the map, where the first side starts.
    Entrance,
}

/// How each type of door is imported (index: the door's `type`), and a note if that loses
/// something.
const DOORS: [(ImportedDoor, &str); 10] = [
    (ImportedDoor::Open, ""),
    (ImportedDoor::Closed, ""),
    (ImportedDoor::Open, ""),
    (ImportedDoor::Entrance, ""),
    (
        ImportedDoor::Closed,
        "a portcullis is taken as a closed door",
    ),
    (ImportedDoor::Closed, ""),
    (
        ImportedDoor::Closed,
        "a secret door is taken as a closed door",
    ),
    (
        ImportedDoor::Closed,
        "a barred door is taken as a closed door",
    ),
    (ImportedDoor::Open, "stairs are taken as floor"),
    (ImportedDoor::Open, "stairs are taken as floor"),
];

/// Reads a dungeon.
///
/// # Errors
/// If it is not a One Page Dungeon, has no rooms, or is too large. The text starts with `1:1:`,
/// because JSON values do not know their line.
pub(super) fn read(value: &Value, legend: &[LegendEntry]) -> Result<ImportedMap, String> {
    let dungeon = Dungeon::deserialize(value).map_err(|e| format!("1:1: {e}"))?;
    // Coordinates may be negative.
    let to_cell = |n: f64| n.clamp(-100_000.0, 100_000.0).floor() as i64;
    let mut open: Vec<(i64, i64)> = vec![];
    for rect in &dungeon.rects {
        let (x, y, w, h) = (
            to_cell(rect.x),
            to_cell(rect.y),
            to_cell(rect.w),
            to_cell(rect.h),
        );
        if w > MAX_EDGE as i64 || h > MAX_EDGE as i64 || w < 1 || h < 1 {
            return Err(format!("1:1: a rectangle at {x},{y} is {w} by {h} cells"));
        }
        for (dx, dy) in (0..h).flat_map(|dy| (0..w).map(move |dx| (dx, dy))) {
            let from_centre =
                |at: i64, of: i64| (at as f64 + 0.5 - of as f64 / 2.0) / (of as f64 / 2.0);
            let is_in = from_centre(dx, w).powi(2) + from_centre(dy, h).powi(2) <= 1.1;
            if is_in || !rect.rotunda {
                open.push((x + dx, y + dy));
            }
        }
    }
    open.extend(
        dungeon
            .doors
            .iter()
            .map(|door| (to_cell(door.x), to_cell(door.y))),
    );
    let least = |of: fn(&(i64, i64)) -> i64| open.iter().map(of).min();
    let most = |of: fn(&(i64, i64)) -> i64| open.iter().map(of).max();
    let (Some(west), Some(north), Some(east), Some(south)) =
        (least(|c| c.0), least(|c| c.1), most(|c| c.0), most(|c| c.1))
    else {
        return Err("1:1: there are no rooms in `rects`".into());
    };
    let (west, north) = (west - 1, north - 1);
    let (width, height) = ((east - west + 2) as usize, (south - north + 2) as usize);
    if width > MAX_EDGE || height > MAX_EDGE {
        return Err(format!(
            "1:1: the map would be {width} by {height} cells; a level has at most {MAX_EDGE}"
        ));
    }
    let mut found = ImportedMap {
        title: dungeon.title,
        briefing: dungeon.story,
        width,
        cells: vec![wall(); width * height],
        ..ImportedMap::default()
    };
    let place = |x: f64, y: f64| -> Option<(usize, Cell)> {
        let (x, y) = (to_cell(x) - west, to_cell(y) - north);
        let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
        inside.then(|| {
            (
                y as usize * width + x as usize,
                Cell::new(x as i16, y as i16),
            )
        })
    };
    for (x, y) in open {
        if let Some((n, _)) = place(x as f64, y as f64) {
            found.cells[n] = floor();
        }
    }
    let is_floor = |found: &ImportedMap, n: usize| found.cells[n].0.feature == Feature::Open;
    for feature in &dungeon.water {
        if let Some((n, _)) = place(feature.x, feature.y).filter(|(n, _)| is_floor(&found, *n)) {
            found.cells[n] = water();
        }
    }
    for feature in &dungeon.columns {
        if let Some((n, _)) = place(feature.x, feature.y).filter(|(n, _)| is_floor(&found, *n)) {
            found.cells[n] = ground_of(Feature::Pillar);
        }
    }
    for feature in &dungeon.doors {
        let Some((n, cell)) = place(feature.x, feature.y) else {
            continue;
        };
        let key = format!("door {}", feature.kind);
        if let Some(meaning) = legend::find(legend, &key) {
            found.cells[n] = meaning.put(cell, &mut found);
            continue;
        }
        let at = format!("cell {cell}");
        match DOORS.get(feature.kind as usize) {
            None => {
                let what = format!("a door of the kind {} is taken as open", feature.kind);
                found.notes.add(at, what);
            }
            Some((what, note)) => {
                if !note.is_empty() {
                    found.notes.add(at, *note);
                }
                match what {
                    ImportedDoor::Open => {}
                    ImportedDoor::Closed => found.cells[n] = door(),
                    ImportedDoor::Entrance => {
                        Meaning::Start(Starter::Nth(0)).put(cell, &mut found);
                    }
                }
            }
        }
    }
    for note in &dungeon.notes {
        let at = place(note.pos.x, note.pos.y).map_or("1:1".into(), |(_, c)| format!("cell {c}"));
        let number = match &note.number {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        found.notes.add(
            at,
            format!("note {number} is not taken over: {}", note.text),
        );
    }
    Ok(found)
}
