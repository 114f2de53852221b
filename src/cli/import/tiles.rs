//! Tiled maps, independent of their file format.

use super::{
    ImportedMap, MAX_EDGE, Starter, Unit, floor,
    legend::{self, LegendEntry},
    wall,
};
use fivefoot_core::{
    grid::Cell,
    levels::{
        Rows,
        edit::{GroundAndFog, ground_text},
        ground_of, usual_ground,
    },
    ron_read::suggestion,
};
use std::collections::BTreeMap;

/// The properties of a tile, an object or a map, as text.
pub type Properties = BTreeMap<String, String>;

/// A tile: the index of its tileset in the map, and its number in the tileset.
pub type Tile = (usize, u32);

/// What the map says about a tile.
#[derive(Clone, Debug, Default)]
pub struct TileInfo {
    pub class: String,
    pub properties: Properties,
}

/// A Tiled map.
#[derive(Debug, Default)]
pub struct Tiled {
    pub width: usize,
    pub height: usize,
    /// The size of a cell in pixels.
    pub cell: (f64, f64),
    pub properties: Properties,
    /// The names of the tilesets.
    pub sets: Vec<String>,
    pub kinds: BTreeMap<Tile, TileInfo>,
    /// The layers, lowest first; the tiles row by row.
    pub layers: Vec<(String, Vec<Option<Tile>>)>,
    pub objects: Vec<Object>,
    /// Parts of the map that are ignored, such as pictures.
    pub others: Vec<String>,
}

/// The error for a map without edges.
pub const INFINITE: &str =
    "1:1: the map is infinite; in Tiled turn `Infinite` off in the properties of the map";

impl Tiled {
    /// Checks the size of the map.
    ///
    /// # Errors
    /// If it is larger than a level can be.
    pub fn check_size(&self) -> Result<(), String> {
        let (width, height) = (self.width, self.height);
        match width == 0 || width > MAX_EDGE || height == 0 || height > MAX_EDGE {
            true => Err(format!(
                "1:1: the map is {width} by {height} cells; a level has 1 to {MAX_EDGE}"
            )),
            false => Ok(()),
        }
    }
}

/// An object; positions in pixels.
#[derive(Debug, Default)]
pub struct Object {
    pub id: u32,
    pub name: String,
    pub class: String,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// The object is a tile: its position is that of its lower left corner.
    pub is_tile: bool,
    pub properties: Properties,
}

/// Classes of tiles that need no property.
const CLASSES: [(&str, &str); 11] = [
    ("floor", "Open"),
    ("open", "Open"),
    ("wall", "Wall"),
    ("low wall", "LowWall"),
    ("lowwall", "LowWall"),
    ("pillar", "Pillar"),
    ("door", "Door"),
    ("open door", "OpenDoor"),
    ("rough", "Rough"),
    ("water", "Water"),
    ("void", "Wall"),
];

/// What a tile means in a level.
enum TileMeaning {
    Ground(GroundAndFog, Option<char>),
    Marked(legend::Meaning),
}

pub(super) fn found(map: Tiled, legend: &[LegendEntry]) -> Result<ImportedMap, String> {
    let mut found = ImportedMap {
        title: map.properties.get("title").cloned().unwrap_or_default(),
        briefing: map.properties.get("briefing").cloned().unwrap_or_default(),
        fields: map.properties.get("level").cloned().unwrap_or_default(),
        width: map.width,
        ..ImportedMap::default()
    };
    for other in &map.others {
        found.notes.add("1:1", format!("{other} is not taken over"));
    }
    let mut known: BTreeMap<Tile, Option<TileMeaning>> = BTreeMap::new();
    for (tile, kind) in &map.kinds {
        known.insert(*tile, meaning(*tile, kind, legend)?);
    }
    let mut chars: Vec<Option<char>> = vec![];
    for n in 0..map.width * map.height {
        let cell = Cell::new((n % map.width) as i16, (n / map.width) as i16);
        let mut tiles = map.layers.iter().rev().filter_map(|(_, tiles)| tiles[n]);
        let mut meaning = None;
        let mut first = None;
        for tile in tiles.by_ref() {
            first = first.or(Some(tile));
            let means = || legend_of(tile, legend).map(TileMeaning::Marked);
            match known.entry(tile).or_insert_with(means) {
                Some(TileMeaning::Ground(ground, c)) => {
                    meaning = Some((ground.clone(), *c));
                    break;
                }
                Some(TileMeaning::Marked(means)) => {
                    meaning = Some((means.put(cell, &mut found), None));
                    break;
                }
                None => {}
            }
        }
        let (ground, c) = match (meaning, first) {
            (Some(meaning), _) => meaning,
            (None, None) => (wall(), Some('#')),
            (None, Some((set, id))) => {
                let kind = map.kinds.get(&(set, id));
                let class = kind.map_or("", |kind| kind.class.as_str());
                let set = map.sets.get(set).map_or("", String::as_str);
                let (why, help) = match class {
                    "" => (
                        "no `ground`".into(),
                        format!("give it one, or --legend '{id}=…'"),
                    ),
                    _ => (
                        format!("the unknown class `{class}`"),
                        suggestion(class, CLASSES.map(|(name, _)| name)),
                    ),
                };
                let what = format!(
                    "tile {id} of the tileset '{set}' has {why} and is taken as floor; {help}"
                );
                found.notes.add(format!("cell {cell}"), what);
                (floor(), None)
            }
        };
        found.cells.push(ground);
        chars.push(c);
    }
    found.rows = rows(&found, &chars);
    for object in &map.objects {
        put(object, &map, &mut found)?;
    }
    Ok(found)
}

/// The meaning of a tile: from the command line, its property `ground`, or its class.
fn meaning(
    tile: Tile,
    kind: &TileInfo,
    legend: &[LegendEntry],
) -> Result<Option<TileMeaning>, String> {
    if let Some(means) = legend_of(tile, legend) {
        return Ok(Some(TileMeaning::Marked(means)));
    }
    let class = kind.class.to_lowercase();
    let by_class = CLASSES.iter().find(|(name, _)| *name == class);
    let ground = kind.properties.get("ground").map(String::as_str);
    let Some(ground) = ground.or(by_class.map(|(_, ground)| *ground)) else {
        return Ok(None);
    };
    let ground = ground_of(ground)
        .map_err(|why| format!("1:1: the `ground` of tile {} is not one: {why}", tile.1))?;
    let c = kind.properties.get("char");
    let c = c.and_then(|text| text.chars().next());
    Ok(Some(TileMeaning::Ground(ground, c)))
}

fn legend_of((set, id): Tile, legend: &[LegendEntry]) -> Option<legend::Meaning> {
    let own = legend::find(legend, &format!("{}:{id}", set + 1));
    let first = || legend::find(legend, &id.to_string()).filter(|_| set == 0);
    own.or_else(first).cloned()
}

/// The rows with the characters that the tiles ask for. `None` if a tile has none, or
/// a character would have two meanings.
fn rows(found: &ImportedMap, chars: &[Option<char>]) -> Option<Rows> {
    let chars: Vec<char> = chars.iter().copied().collect::<Option<_>>()?;
    let mut means: BTreeMap<char, &GroundAndFog> = BTreeMap::new();
    for (c, ground) in chars.iter().zip(&found.cells) {
        if *means.entry(*c).or_insert(ground) != ground {
            return None;
        }
    }
    let own = means.into_iter();
    let own = own.filter(|(c, ground)| usual_ground(*c).is_none_or(|usual| (usual, 0) != **ground));
    let text = |(c, ground): (char, &GroundAndFog)| (c, ground_text(ground));
    Some(Rows {
        legend: own.map(text).collect(),
        rows: chars.chunks(found.width).map(String::from_iter).collect(),
    })
}

/// Adds an object: a unit, a starting area, an exit.
fn put(object: &Object, map: &Tiled, found: &mut ImportedMap) -> Result<(), String> {
    let y = object.y - if object.is_tile { object.height } else { 0.0 };
    let column = |x: f64| (x / map.cell.0.max(1.0) + 0.001).floor() as i64;
    let row = |y: f64| (y / map.cell.1.max(1.0) + 0.001).floor() as i64;
    let (x, y, w, h) = (column(object.x), row(y), object.width, object.height);
    let name = if object.name.is_empty() {
        &object.class
    } else {
        &object.name
    };
    let at = format!("object {}", object.id);
    let inside =
        |x: i64, y: i64| (0..map.width as i64).contains(&x) && (0..map.height as i64).contains(&y);
    if !inside(x, y) {
        let what = format!("'{name}' lies off the map and is not taken over");
        found.notes.add(at, what);
        return Ok(());
    }
    let cells = || {
        let columns = ((w / map.cell.0.max(1.0)).round() as i64).clamp(1, map.width as i64);
        let rows = ((h / map.cell.1.max(1.0)).round() as i64).clamp(1, map.height as i64);
        (0..rows).flat_map(move |dy| (0..columns).map(move |dx| (x + dx, y + dy)))
    };
    let side = object.properties.get("side").cloned();
    match object.class.to_lowercase().as_str() {
        "unit" => {
            let side = side.ok_or_else(|| format!("{at}: the unit '{name}' has no `side`"))?;
            let kind = object.properties.get("kind");
            let by_name = || object.name.to_lowercase().replace(' ', "_");
            let own = kind.map(|_| object.name.to_lowercase());
            let mut more = vec![];
            for key in ["hp", "awareness", "hidden", "prone", "leader"] {
                if let Some(value) = object.properties.get(key) {
                    more.push(format!("{key}: {value}"));
                }
            }
            let others = object.properties.get("more");
            more.extend(others.filter(|others| !others.is_empty()).cloned());
            found.units.push(Unit {
                kind: kind.cloned().unwrap_or_else(by_name),
                side,
                name: own.unwrap_or_default(),
                at: Cell::new(x as i16, y as i16),
                more,
            });
        }
        class @ ("start" | "exit") => {
            let means = match (class, side) {
                ("exit", side) => legend::Meaning::Exit(side),
                (_, None) => legend::Meaning::Start(Starter::Nth(0)),
                (_, Some(side)) => legend::Meaning::Start(Starter::Named(side)),
            };
            for (x, y) in cells().filter(|(x, y)| inside(*x, *y)) {
                means.put(Cell::new(x as i16, y as i16), found);
            }
        }
        class => {
            let what = format!(
                "'{name}' of the class '{class}' is not taken over; the classes are unit, start \
                 and exit"
            );
            found.notes.add(at, what);
        }
    }
    Ok(())
}
