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
        let [x, y, w, h] = [rect.x, rect.y, rect.w, rect.h].map(to_cell);
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
    let doors = dungeon.doors.iter();
    open.extend(doors.map(|door| (to_cell(door.x), to_cell(door.y))));
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
        let cell = Cell::new(x as i16, y as i16);
        inside.then(|| (y as usize * width + x as usize, cell))
    };
    for (x, y) in open {
        if let Some((n, _)) = place(x as f64, y as f64) {
            found.cells[n] = floor();
        }
    }
    let pillar = ground_of(Feature::Pillar);
    for (features, ground) in [(&dungeon.water, water()), (&dungeon.columns, pillar)] {
        for (n, _) in features.iter().filter_map(|at| place(at.x, at.y)) {
            if found.cells[n].0.feature == Feature::Open {
                found.cells[n] = ground.clone();
            }
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
        match feature.kind {
            // An entrance from outside the map, where the first side starts.
            3 => drop(Meaning::Start(Starter::Nth(0)).put(cell, &mut found)),
            1 | 4..=7 => found.cells[n] = door(),
            _ => {}
        }
        let note = match feature.kind {
            0..=3 | 5 => continue,
            4 => "a portcullis is taken as a closed door".into(),
            6 => "a secret door is taken as a closed door".into(),
            7 => "a barred door is taken as a closed door".into(),
            8 | 9 => "stairs are taken as floor".into(),
            other => format!("a door of the kind {other} is taken as open"),
        };
        found.notes.add(at, note);
    }
    for note in &dungeon.notes {
        let at = place(note.pos.x, note.pos.y).map_or("1:1".into(), |(_, c)| format!("cell {c}"));
        let number = match &note.number {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let what = format!("note {number} is not taken over: {}", note.text);
        found.notes.add(at, what);
    }
    Ok(found)
}
