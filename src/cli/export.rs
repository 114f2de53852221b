//! `fivefoot export`: writes a level as a Tiled map, with a picture of its tiles.

use super::{Failure, Outcome, battles, out::Target, say};
use clap::Args;
use fivefoot_core::{
    grid::Feature,
    levels::{
        Level,
        edit::{Document, GroundAndFog, ground_text},
    },
    ron_read,
};
use flate2::{Compression, Crc, write::ZlibEncoder};
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
};

/// Write a level as a map for another tool.
///
/// With --tiled: a map for the editor Tiled (.tmj) and a picture of its tiles beside it.
/// `fivefoot import` makes the level of it again. See docs/import.md.
#[derive(Args)]
pub struct ExportArgs {
    /// A level file
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    /// As a map of Tiled
    #[arg(long, required = true)]
    tiled: bool,
    /// The map's file [default: the level's name with .tmj, in this folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

/// The size of a cell in pixels.
const PX: usize = 32;
/// Fields of a level that the map stores in other ways.
const OWN: [&str; 5] = ["title", "briefing", "map", "legend", "combatants"];
/// Fields of a unit that its object stores in other ways.
const OF_UNIT: [&str; 5] = ["kind", "side", "name", "at", "count"];

pub fn run(args: &ExportArgs) -> Outcome {
    let level = battles::level(&args.level)?;
    let file = match &args.out {
        Some(out) => out.clone(),
        None => PathBuf::from(format!("{}.tmj", level.id)),
    };
    let picture = file.with_extension("png");
    if file == picture {
        let why = "the map goes to a .tmj file; its tiles are drawn in a .png beside it";
        return Err(Failure::usage(why));
    }
    let target = |path: &Path| Target::of(path, args.force, [&args.level]);
    let (map_file, picture_file) = (target(&file)?, target(&picture)?);
    let (tiles, map) = tiled(&level, &picture)
        .ok_or_else(|| Failure::new(format!("{}: its text cannot be taken apart", level.id)))?;
    let text = serde_json::to_string_pretty(&map).unwrap_or_default() + "\n";
    picture_file.write(&png(&tiles))?;
    say(format!("written: {}", picture.display()));
    map_file.write(text.as_bytes())?;
    say(format!("written: {}", file.display()));
    Ok(())
}

/// The kinds of ground in the order of their tiles, and the map.
fn tiled(level: &Level, picture: &Path) -> Option<(Vec<GroundAndFog>, Value)> {
    let mut document = Document::new(&level.source)?;
    // Give each unit its own entry, from the last to the first, so that the indices
    // of earlier ones stay valid.
    for n in (0..document.units().len()).rev() {
        if document.units()[n].of > 1 && document.units()[n].nth > 0 {
            document.split_off(n, None).ok()?;
        }
    }
    let board = level.board();
    let (columns, rows) = (usize::from(board.width()), usize::from(board.height()));
    let mut chars: Vec<char> = vec![];
    let mut tiles: Vec<GroundAndFog> = vec![];
    let mut data: Vec<usize> = vec![];
    for cell in board.cells() {
        let c = document.char_at(cell)?;
        let known = chars.iter().position(|known| *known == c);
        let n = known.unwrap_or_else(|| {
            let ground = board.ground(cell).cloned().unwrap_or_default();
            chars.push(c);
            tiles.push((ground, board.fog(cell)));
            chars.len() - 1
        });
        data.push(n + 1);
    }
    let property =
        |name: &str, value: String| json!({"name": name, "type": "string", "value": value});
    let kinds = std::iter::zip(&chars, &tiles).enumerate();
    let kinds = kinds.map(|(id, (c, ground))| {
        let ground = property("ground", ground_text(ground));
        json!({"id": id, "properties": [property("char", c.to_string()), ground]})
    });
    let kinds: Vec<Value> = kinds.collect();
    let mut units = vec![];
    for (id, (placed, unit)) in std::iter::zip(document.units(), &level.combatants).enumerate() {
        if placed.round.is_some() {
            continue;
        }
        let entry = document.raw(&placed.entry)?;
        let more = ron_read::top_fields(entry).into_iter();
        let more = more.filter(|field| !OF_UNIT.contains(&field.as_str()));
        let text = |field: String| Some(format!("{field}: {}", ron_read::field(entry, &field)?));
        let more: Vec<String> = more.filter_map(text).collect();
        let side = &level.sides[usize::from(unit.side.0)].id;
        let kind = ron_read::field(entry, "kind")?.trim_matches('"').to_owned();
        let mut properties = vec![property("kind", kind), property("side", side.clone())];
        if !more.is_empty() {
            properties.push(property("more", more.join(", ")));
        }
        let is_named = ron_read::field(entry, "name").is_some();
        let size = PX * usize::from(unit.creature.size.max(1));
        units.push(json!({
            "id": id + 1,
            "name": if is_named { unit.name.as_str() } else { "" },
            "type": "unit",
            "x": unit.cell.x as usize * PX,
            "y": unit.cell.y as usize * PX,
            "width": size,
            "height": size,
            "rotation": 0,
            "visible": true,
            "properties": properties,
        }));
    }
    let mut fields = String::new();
    for field in ron_read::top_fields(&level.source) {
        if !OWN.contains(&field.as_str()) {
            let text = ron_read::field(&level.source, &field)?;
            let _ = writeln!(fields, "    {field}: {text},");
        }
    }
    // The level's fields, stored as properties of the map.
    let properties = vec![
        property("title", level.title.clone()),
        property("briefing", level.briefing.clone()),
        property("level", fields),
    ];
    let image = picture.file_name()?.to_string_lossy();
    let next = units.len() + 1;
    let layer = |id: usize, name: &str, kind: &str| json!({"id": id, "name": name, "type": kind, "opacity": 1, "visible": true, "x": 0, "y": 0});
    let mut ground = layer(1, "ground", "tilelayer");
    ground["width"] = columns.into();
    ground["height"] = rows.into();
    ground["data"] = data.into();
    let mut objects = layer(2, "units", "objectgroup");
    objects["draworder"] = "topdown".into();
    objects["objects"] = units.into();
    let map = json!({
        "type": "map",
        "version": "1.10",
        "tiledversion": "1.11.0",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "infinite": false,
        "compressionlevel": -1,
        "width": columns,
        "height": rows,
        "tilewidth": PX,
        "tileheight": PX,
        "nextlayerid": 3,
        "nextobjectid": next,
        "properties": properties,
        "tilesets": [{
            "firstgid": 1,
            "name": "ground",
            "image": image,
            "imagewidth": PX * chars.len(),
            "imageheight": PX,
            "tilewidth": PX,
            "tileheight": PX,
            "margin": 0,
            "spacing": 0,
            "columns": chars.len(),
            "tilecount": chars.len(),
            "tiles": kinds,
        }],
        "layers": [ground, objects],
    });
    Some((tiles, map))
}

/// The colour of a pixel of a tile.
fn colour((ground, fog): &GroundAndFog, x: usize, y: usize) -> [u8; 3] {
    let floor = match ground {
        _ if ground.water => [96, 140, 190],
        _ if ground.rough && (x / 4 + y / 4).is_multiple_of(2) => [170, 158, 120],
        _ => [214, 205, 182],
    };
    let edge = x == 0 || y == 0;
    let inside = |from: usize| (from..PX - from).contains(&x) && (from..PX - from).contains(&y);
    let solid = match ground.feature {
        Feature::Open => None,
        Feature::Window(_) if inside(11) => Some([150, 190, 200]),
        Feature::Slit(_) if inside(14) => Some([214, 205, 182]),
        Feature::Wall | Feature::Window(_) | Feature::Slit(_) => Some([62, 58, 56]),
        Feature::LowWall => inside(4).then_some([140, 128, 112]),
        Feature::Pillar => inside(8).then_some([92, 86, 80]),
        Feature::Door { open: false } => inside(4).then_some([140, 92, 48]),
        Feature::Door { open: true } => (x < 6).then_some([140, 92, 48]),
        Feature::Blocks(_) => inside(6).then_some([124, 100, 76]),
    };
    let lift = (i32::from(ground.floor) * 3).clamp(-60, 40) - i32::from(*fog) / 2;
    let base = solid.unwrap_or(floor);
    let dark = if edge { 12 } else { 0 };
    base.map(|c| (c + lift - dark).clamp(0, 255) as u8)
}

/// The tiles in a row, as a PNG.
fn png(tiles: &[GroundAndFog]) -> Vec<u8> {
    let (width, height) = (PX * tiles.len(), PX);
    let mut raw = Vec::with_capacity((width * 3 + 1) * height);
    for y in 0..height {
        raw.push(0);
        for x in 0..width {
            raw.extend(colour(&tiles[x / PX], x % PX, y));
        }
    }
    let mut packed = ZlibEncoder::new(vec![], Compression::default());
    // Writing to memory cannot fail.
    let _ = packed.write_all(&raw);
    let packed = packed.finish().unwrap_or_default();
    let mut head = vec![];
    head.extend((width as u32).to_be_bytes());
    head.extend((height as u32).to_be_bytes());
    // Eight bits per channel, colour without alpha.
    head.extend([8, 2, 0, 0, 0]);
    let mut all = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, bytes) in [(b"IHDR", &head), (b"IDAT", &packed), (b"IEND", &vec![])] {
        let mut crc = Crc::new();
        crc.update(name);
        crc.update(bytes);
        all.extend((bytes.len() as u32).to_be_bytes());
        all.extend(name);
        all.extend(bytes);
        all.extend(crc.sum().to_be_bytes());
    }
    all
}
