//! Reads Tiled's JSON; `tmx` converts its XML to that.

use super::{
    ImportedMap,
    legend::LegendEntry,
    tiles::{self, Object, Properties, Tile, TileInfo, Tiled},
    tmx,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use fivefoot_core::{files::LEVEL_BYTES, ron_read};
use serde_json::Value;
use std::{io::Read, path::Path};

/// The most bytes of a layer's tiles; the largest map has fewer.
const MAX: u64 = 4 << 20;
/// The bits of a tile's number that say how it is rotated and flipped.
const TURNED: u64 = 0xf << 28;

pub(super) fn read(
    path: &Path,
    value: &Value,
    legend: &[LegendEntry],
) -> Result<ImportedMap, String> {
    if text(value, "orientation") != "orthogonal" {
        return Err("1:1: only orthogonal maps can be imported".into());
    }
    if value["infinite"] == true {
        return Err(tiles::INFINITE.into());
    }
    let mut found = Tiled {
        width: number(value, "width") as usize,
        height: number(value, "height") as usize,
        cell: (number(value, "tilewidth"), number(value, "tileheight")),
        properties: properties(value),
        ..Tiled::default()
    };
    found.check_size()?;
    let mut firsts: Vec<u64> = vec![];
    for (n, set) in list(value, "tilesets").iter().enumerate() {
        firsts.push(number(set, "firstgid") as u64);
        let name = match set.get("source").and_then(Value::as_str) {
            None => put_kinds(n, set, &mut found),
            Some(source) => {
                let file = path.parent().unwrap_or(path).join(source);
                external(&file, n, &mut found)?
            }
        };
        found.sets.push(name);
    }
    put_layers(list(value, "layers"), &firsts, &mut found, 0)?;
    tiles::found(found, legend)
}

/// Reads a tileset in a separate file.
fn external(file: &Path, n: usize, found: &mut Tiled) -> Result<String, String> {
    let name = file.display();
    let text = ron_read::file_text(file, LEVEL_BYTES);
    let text = text.map_err(|problem| format!("1:1: the tileset {problem}"))?;
    let extension = file.extension();
    let set = match extension.is_some_and(|e| e.eq_ignore_ascii_case("tsx")) {
        true => tmx::read(&text).map_err(|why| format!("1:1: the tileset {name}:{why}"))?,
        false => serde_json::from_str(&text)
            .map_err(|e| format!("1:1: the tileset {name} is not JSON: {e}"))?,
    };
    Ok(put_kinds(n, &set, found))
}

fn put_kinds(n: usize, set: &Value, found: &mut Tiled) -> String {
    for tile in list(set, "tiles") {
        let kind = TileInfo {
            class: class(tile),
            properties: properties(tile),
        };
        if !kind.class.is_empty() || !kind.properties.is_empty() {
            found.kinds.insert((n, number(tile, "id") as u32), kind);
        }
    }
    text(set, "name").into()
}

/// The deepest nesting of groups; real maps have only a few levels.
const DEEPEST: usize = 32;

fn put_layers(
    layers: &[Value],
    firsts: &[u64],
    found: &mut Tiled,
    depth: usize,
) -> Result<(), String> {
    for layer in layers {
        let name = text(layer, "name");
        match text(layer, "type") {
            "tilelayer" => {
                let gids = gids(layer, found.width, found.height)
                    .map_err(|why| format!("1:1: the layer '{name}' {why}"))?;
                let tiles = gids.into_iter().map(|gid| tile(gid, firsts)).collect();
                found.layers.push((name.into(), tiles));
            }
            "objectgroup" => found
                .objects
                .extend(list(layer, "objects").iter().map(object)),
            "group" if depth < DEEPEST => {
                put_layers(list(layer, "layers"), firsts, found, depth + 1)?;
            }
            other => found.others.push(format!("the layer '{name}' ({other})")),
        }
    }
    Ok(())
}

/// The tile of a global id, which counts through all tilesets. `None` for an empty
/// cell.
fn tile(gid: u64, firsts: &[u64]) -> Option<Tile> {
    let gid = gid & !TURNED;
    let set = firsts.iter().rposition(|first| *first <= gid && gid > 0)?;
    Some((set, (gid - firsts[set]) as u32))
}

/// The global ids of a layer's tiles, one per cell of the map, row by row.
fn gids(layer: &Value, width: usize, height: usize) -> Result<Vec<u64>, String> {
    let count = width * height;
    let gid = |(n, value): (usize, &Value)| {
        let (x, y) = (n % width, n / width);
        let wrong = || format!("has {value} at cell {x},{y}, not a tile's number");
        value.as_u64().ok_or_else(wrong)
    };
    let all: Vec<u64> = match &layer["data"] {
        Value::Array(all) => all.iter().enumerate().map(gid).collect::<Result<_, _>>()?,
        Value::String(coded) => decoded(coded.trim(), text(layer, "compression"))?
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).into())
            .collect(),
        _ => return Err("has no `data`".into()),
    };
    match all.len() == count {
        true => Ok(all),
        false => Err(format!(
            "has {} tiles where the map has {count} cells",
            all.len()
        )),
    }
}

fn decoded(coded: &str, compression: &str) -> Result<Vec<u8>, String> {
    let bytes = STANDARD.decode(coded);
    let bytes = bytes.map_err(|e| format!("is not base64: {e}"))?;
    let mut plain = vec![];
    let packed: Box<dyn Read> = match compression {
        "" => return Ok(bytes),
        "zlib" => Box::new(flate2::read::ZlibDecoder::new(&bytes[..])),
        "gzip" => Box::new(flate2::read::GzDecoder::new(&bytes[..])),
        other => {
            return Err(format!(
                "is packed with {other}; in Tiled choose CSV or zlib as the map's layer format"
            ));
        }
    };
    let read = packed.take(MAX).read_to_end(&mut plain);
    read.map_err(|e| format!("cannot be unpacked: {e}"))?;
    Ok(plain)
}

fn object(value: &Value) -> Object {
    Object {
        id: number(value, "id") as u32,
        name: text(value, "name").into(),
        class: class(value),
        x: number(value, "x"),
        y: number(value, "y"),
        width: number(value, "width"),
        height: number(value, "height"),
        is_tile: value.get("gid").is_some(),
        properties: properties(value),
    }
}

/// The class. Some versions of Tiled call it `type`.
fn class(value: &Value) -> String {
    let class = text(value, "class");
    if class.is_empty() {
        text(value, "type").into()
    } else {
        class.into()
    }
}

fn properties(value: &Value) -> Properties {
    let all = list(value, "properties").iter().filter_map(|one| {
        let value = match &one["value"] {
            Value::String(text) => text.clone(),
            Value::Null => return None,
            other => other.to_string(),
        };
        Some((text(one, "name").to_owned(), value))
    });
    all.collect()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn number(value: &Value, key: &str) -> f64 {
    value.get(key).and_then(Value::as_f64).unwrap_or_default()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    let list = value.get(key).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}
