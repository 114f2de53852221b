//! `fivefoot import`: converts maps of other tools to levels.
//!
//! - this file: a map independent of its format, and the level made from it
//! - `text`: rows of characters
//! - `donjon`: tables of tab-separated codes
//! - `one_page`: One Page Dungeon, JSON
//! - `tiles`: Tiled maps; `tmj` and `tmx` read their two formats
//! - `legend`: the meanings of characters and tiles, from the command line

mod donjon;
mod legend;
mod one_page;
mod text;
mod tiles;
mod tmj;
mod tmx;

use super::{Failure, Outcome, generate, print_error, write_or_say};
use clap::Args;
use fivefoot_core::{
    battle::capitalised,
    control::FileKind,
    files::LEVEL_BYTES,
    grid::{Board, Cell, CellGround, Feature},
    levels::{
        Rows, check_file,
        compose::{Aim, Composition, Site, Squad, can_stand, steps},
        edit::{GroundAndFog, quoted},
        usual_ground,
    },
    ron_read::{Problem, suggestion},
    words::count,
};
pub use legend::{LegendEntry, entry};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    path::{Path, PathBuf},
};

/// Make a level from a map of another tool.
///
/// FILE is a text with rows of characters, a map of Tiled (.tmx, .tmj), a table of
/// tab-separated codes as donjon writes it (.tsv), or a One Page Dungeon (.json). What
/// cannot be taken over is listed on standard error with its place. See docs/import.md.
#[derive(Args)]
pub struct ImportArgs {
    /// The map
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What a character, a code or the number of a tile means: a ground as in a level's
    /// legend, `start [SIDE]`, `exit [SIDE]` or `unit KIND SIDE`; can be given more than
    /// once
    #[arg(long, value_name = "KEY=MEANING", value_parser = entry, allow_hyphen_values = true)]
    legend: Vec<LegendEntry>,
    /// The units of a side, such as `goblin:4,goblin_chief`, if the map has none; give it
    /// once per side, the player's first [default: heroes against goblins]
    #[arg(long, value_name = "KIND:N,…", value_parser = generate::squad)]
    squad: Vec<generate::Members>,
    /// The level's title [default: the map's, or the name of the file]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Write the level to LEVEL instead of printing it
    #[arg(long, value_name = "LEVEL")]
    out: Option<PathBuf>,
    /// Let --out overwrite a file
    #[arg(long, requires = "out")]
    force: bool,
}

/// The greatest length of a level's edge in cells.
const MAX_EDGE: usize = 200;
/// The most cells in a side's starting area, unless its squad needs more.
const MAX_START_CELLS: usize = 64;
/// The ids of the first sides of a level without units on the map, unless it names them.
const USUAL_SIDES: [&str; 2] = ["party", "goblins"];
/// The squads of these sides, unless the command line names them.
const USUAL_SQUADS: [&[(&str, u32)]; 2] = [
    &[("mara", 1), ("brandt", 1), ("tobin", 1), ("ysolde", 1)],
    &[("goblin", 4), ("goblin_archer", 1), ("goblin_chief", 1)],
];

/// The extensions of pictures, which people take for maps.
const PICTURES: [&str; 7] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "svg"];

/// A map read from another tool's file.
#[derive(Default)]
struct ImportedMap {
    title: String,
    briefing: String,
    width: usize,
    /// Ground and fog of each cell, row by row from the top left.
    cells: Vec<GroundAndFog>,
    /// The rows as they should be written, if the map says so.
    rows: Option<Rows>,
    /// The starting areas by side.
    starts: Vec<(Starter, Vec<Cell>)>,
    /// The exits by side. An exit without a name is for all sides.
    exits: Vec<(Option<String>, Vec<Cell>)>,
    units: Vec<Unit>,
    /// Further fields of the level, as text.
    fields: String,
    notes: Notes,
}

/// The side that starts in an area.
#[derive(Clone, Debug, PartialEq)]
pub enum Starter {
    /// The side with this index among the sides of the level.
    Nth(usize),
    /// The side with this id.
    Named(String),
}

/// A unit on the map.
struct Unit {
    kind: String,
    side: String,
    name: String,
    at: Cell,
    /// Further fields, as text.
    more: Vec<String>,
}

/// What could not be converted exactly.
#[derive(Default)]
struct Notes(Vec<(String, Vec<String>)>);

impl Notes {
    /// Adds a note. `place` is a place in the file, `12:3`, or on the map, `cell
    /// 3,4`.
    fn add(&mut self, place: impl Into<String>, what: impl Into<String>) {
        let (place, what) = (place.into(), what.into());
        match self.0.iter_mut().find(|(known, _)| *known == what) {
            Some((_, places)) => places.push(place),
            None => self.0.push((what, vec![place])),
        }
    }

    fn lines(&self, file: &str) -> Vec<String> {
        let line = |(what, places): &(String, Vec<String>)| {
            let more = match places.len() - 1 {
                0 => String::new(),
                n => format!(" (and {})", count(n, "more place")),
            };
            format!("{file}:{}: {what}{more}", places[0])
        };
        self.0.iter().map(line).collect()
    }
}

pub fn run(args: &ImportArgs) -> Outcome {
    let name = args.file.display().to_string();
    let at = |why: String| Failure::new(format!("{name}:{why}"));
    if PICTURES.contains(&ending(&args.file).as_str()) && args.file.exists() {
        return Err(at(
            "1:1: this is a picture; import reads text, .tsv, .json, .tmx and .tmj".into(),
        ));
    }
    let text = super::battles::read(&args.file, LEVEL_BYTES)?;
    let mut found = read(&args.file, &text, &args.legend).map_err(at)?;
    if let Some(title) = &args.title {
        found.title.clone_from(title);
    }
    if found.title.is_empty() {
        let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
        found.title = capitalised(&stem.replace(['_', '-'], " "));
    }
    // Before the cells are renumbered, so that errors name those of the map.
    let sides = found.sides(args.squad.len().max(2)).map_err(at)?;
    if found.rows.is_none() {
        found.crop();
    }
    let level = found.level(args, &sides);
    let level = level.map_err(|why| Failure::new(format!("{name}: {why}")))?;
    for line in found.notes.lines(&name) {
        print_error(&line);
    }
    let out = args.out.as_ref().map(|out| out.display().to_string());
    let file = out.as_deref().unwrap_or("imported.ron");
    match check_file(file, &level) {
        // There is no file with the lines of these problems.
        Err(problems) => {
            let line = |problem: &Problem| format!("{name}: {}", problem.text());
            let lines: Vec<String> = problems.iter().map(line).collect();
            return Err(Failure::lines(1, lines.join("\n")));
        }
        Ok((_, warnings)) => {
            for warning in warnings {
                let warning = match out {
                    Some(_) => warning.to_string(),
                    None => format!("{name}: {}", warning.text()),
                };
                print_error(&format!("warning: {warning}"));
            }
        }
    }
    write_or_say(&level, args.out.as_ref(), args.force, [&args.file])
}

/// The extension of a file's name in lower case.
fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_lowercase()
}

/// Reads a map of any supported format, chosen by the file's extension or its first characters.
///
/// # Errors
/// If the map cannot be read. The text starts with line and column.
fn read(path: &Path, text: &str, legend: &[LegendEntry]) -> Result<ImportedMap, String> {
    let start = text.trim_start();
    match ending(path).as_str() {
        "ron" => Err(of_fivefoot(path, text)),
        "tmx" => tmj::read(path, &tmx::read(text)?, legend),
        "tsv" => donjon::read(text, legend),
        "tmj" | "json" => json(path, text, legend),
        _ if start.starts_with("<?xml") || start.starts_with("<map") => {
            tmj::read(path, &tmx::read(text)?, legend)
        }
        _ if start.starts_with('{') => json(path, text, legend),
        _ if text.contains('\t') => donjon::read(text, legend),
        _ => text::read(text, legend),
    }
}

/// The error for a file of the game itself, with what to do with it.
fn of_fivefoot(path: &Path, text: &str) -> String {
    let kind = FileKind::of(text).unwrap_or(FileKind::Level);
    let remedy = kind.remedy(&path.display().to_string());
    format!("1:1: this is {} already; {remedy}", kind.name())
}

fn json(path: &Path, text: &str, legend: &[LegendEntry]) -> Result<ImportedMap, String> {
    let value: serde_json::Value = serde_json::from_str(text)
        .map_err(|e| format!("{}:{}: this is not JSON: {e}", e.line(), e.column()))?;
    match (value.get("rects"), value.get("layers")) {
        (Some(_), _) => one_page::read(&value, legend),
        (_, Some(_)) => tmj::read(path, &value, legend),
        _ => Err("1:1: neither a map of Tiled (`layers`) nor a One Page Dungeon (`rects`)".into()),
    }
}

impl ImportedMap {
    fn height(&self) -> usize {
        self.cells.len() / self.width.max(1)
    }

    fn cell(&self, n: usize) -> Cell {
        Cell::new((n % self.width) as i16, (n / self.width) as i16)
    }

    /// Removes rows and columns of wall at the edges, except for one at each edge.
    fn crop(&mut self) {
        let is_wall = |ground: &GroundAndFog| ground.0.feature == Feature::Wall;
        let open = (0..self.cells.len()).filter(|&n| !is_wall(&self.cells[n]));
        let open: Vec<Cell> = open.map(|n| self.cell(n)).collect();
        let columns = || open.iter().map(|cell| cell.x);
        let rows = || open.iter().map(|cell| cell.y);
        let (Some(west), Some(north)) = (columns().min(), rows().min()) else {
            return;
        };
        let (east, south) = (columns().max(), rows().max());
        let (west, north) = ((west - 1).max(0), (north - 1).max(0));
        let east = (east.unwrap_or(0) + 1).min(self.width as i16 - 1);
        let south = (south.unwrap_or(0) + 1).min(self.height() as i16 - 1);
        let kept = (0..self.cells.len()).filter(|&n| {
            let Cell { x, y } = self.cell(n);
            (west..=east).contains(&x) && (north..=south).contains(&y)
        });
        self.cells = kept.map(|n| self.cells[n].clone()).collect();
        self.width = (east - west + 1) as usize;
        let shift = |cell: &mut Cell| *cell = Cell::new(cell.x - west, cell.y - north);
        let starts = self.starts.iter_mut().map(|(_, area)| area);
        let exits = self.exits.iter_mut().map(|(_, area)| area);
        starts.chain(exits).flatten().for_each(shift);
        self.units.iter_mut().for_each(|unit| shift(&mut unit.at));
    }

    fn board(&self) -> Board {
        let mut board = Board::new(self.width as u16, self.height() as u16);
        for (n, (ground, fog)) in self.cells.iter().enumerate() {
            board.set(self.cell(n), ground.clone());
            board.set_fog(self.cell(n), *fog);
        }
        board
    }

    /// The ids of the level's sides: those of the units on the map, or else of `squads` sides.
    /// Empty if the further fields of the level have the sides.
    ///
    /// # Errors
    /// If a unit has an unknown kind, a start or an exit an unknown side, all units are of one
    /// side, or more sides start than there are squads. The text starts with the cell.
    fn sides(&self, squads: usize) -> Result<Vec<String>, String> {
        if !self.fields.is_empty() {
            return Ok(vec![]);
        }
        let mut sides: Vec<String> = vec![];
        for unit in &self.units {
            generate::check_kind(&unit.kind).map_err(|why| format!("cell {}: {why}", unit.at))?;
            if !sides.contains(&unit.side) {
                sides.push(unit.side.clone());
            }
        }
        match &sides[..] {
            [] => sides = self.sides_of_squads(squads)?,
            [only] => {
                return Err(format!(
                    "cell {}: all units are of the side '{only}'; place units of a second side, \
                     or none and use --squad",
                    self.units[0].at
                ));
            }
            _ => {}
        }
        let exits = self.exits.iter();
        let exits = exits.filter_map(|(side, area)| Some((side.as_ref()?, area)));
        for (side, area) in self.named_starts().chain(exits) {
            if !sides.contains(side) {
                let help = suggestion(side, sides.iter().map(String::as_str));
                return Err(format!("cell {}: unknown side `{side}`; {help}", area[0]));
            }
        }
        Ok(sides)
    }

    /// The starting areas of sides that have names.
    fn named_starts(&self) -> impl Iterator<Item = (&String, &Vec<Cell>)> {
        let starts = self.starts.iter();
        starts.filter_map(|(starter, area)| match starter {
            Starter::Nth(_) => None,
            Starter::Named(side) => Some((side, area)),
        })
    }

    /// The ids of sides without units on the map: `party`, `goblins`, `side_3` and so on. A side
    /// that a start names keeps the place of its id. The others take the places that are left,
    /// first those without a start of their own.
    ///
    /// # Errors
    /// If starts name more sides than there are squads.
    fn sides_of_squads(&self, squads: usize) -> Result<Vec<String>, String> {
        let default_id = |n: usize| match USUAL_SIDES.get(n) {
            Some(usual) => (*usual).into(),
            None => format!("side_{}", n + 1),
        };
        let default_ids: Vec<String> = (0..squads).map(default_id).collect();
        let default_place = |side: &String| default_ids.iter().position(|id| id == side);
        let has_start = |n: &usize| {
            let nth = Starter::Nth(*n);
            self.starts.iter().any(|(side, _)| *side == nth)
        };
        let mut sides: Vec<Option<String>> = vec![None; squads];
        let mut named: Vec<_> = self.named_starts().collect();
        named.sort_by_key(|(side, _)| default_place(side).is_none());
        for (side, area) in named {
            let free = (0..squads).filter(|n| sides[*n].is_none());
            let place = default_place(side).or_else(|| free.min_by_key(has_start));
            let cell = area[0];
            let place = place.ok_or_else(|| {
                format!("cell {cell}: the side `{side}` has no squad; use --squad once per side")
            })?;
            sides[place] = Some(side.clone());
        }
        let sides = std::iter::zip(sides, default_ids);
        Ok(sides.map(|(side, id)| side.unwrap_or(id)).collect())
    }

    /// The cells of the map where the nth of the `sides` starts.
    fn start(&self, sides: &[String], n: usize) -> Vec<Cell> {
        let is_own = |(starter, _): &&(Starter, Vec<Cell>)| match starter {
            Starter::Nth(nth) => *nth == n,
            Starter::Named(side) => *side == sides[n],
        };
        let own = self.starts.iter().filter(is_own);
        own.flat_map(|(_, area)| area.iter().copied()).collect()
    }

    /// The text of the level with these sides.
    ///
    /// # Errors
    /// If the map is empty or too large, has too many kinds of ground, or has no room for squads.
    fn level(&mut self, args: &ImportArgs, sides: &[String]) -> Result<String, String> {
        let (width, height) = (self.width, self.height());
        if width == 0 || width > MAX_EDGE || height > MAX_EDGE {
            return Err(format!(
                "a level has 1 to {MAX_EDGE} rows of 1 to {MAX_EDGE} cells; this map has {height} of {width}"
            ));
        }
        let rows = match self.rows.take() {
            Some(rows) => rows,
            None => Rows::of_cells(width, &self.cells)
                .ok_or("there are more kinds of ground than a legend has characters")?,
        };
        match self.fields.is_empty() && self.units.is_empty() {
            true => self.with_squads(&rows, args, sides),
            false => Ok(self.with_units(&rows, sides)),
        }
    }

    /// The level with the units of the map.
    fn with_units(&self, rows: &Rows, sides: &[String]) -> String {
        let mut text = format!("(\n    title: {},\n", quoted(&self.title));
        if !self.briefing.is_empty() {
            let _ = writeln!(text, "    briefing: {},", quoted(&self.briefing));
        }
        text += &rows.fields();
        if self.fields.is_empty() {
            text += "    sides: [\n";
            for (n, side) in sides.iter().enumerate() {
                let start = match &self.start(sides, n)[..] {
                    [] => String::new(),
                    area => format!(", start: {}", Cell::list_in_file(area)),
                };
                let _ = writeln!(text, "        (id: {}{start}),", quoted(side));
            }
            text += "    ],\n";
        }
        text += "    combatants: [\n";
        for unit in &self.units {
            let mut fields = vec![format!("kind: {}", quoted(&unit.kind))];
            if !unit.name.is_empty() {
                fields.push(format!("name: {}", quoted(&unit.name)));
            }
            fields.push(format!("side: {}", quoted(&unit.side)));
            fields.push(format!("at: {}", unit.at.in_file()));
            fields.extend(unit.more.iter().cloned());
            let _ = writeln!(text, "        ({}),", fields.join(", "));
        }
        text += "    ],\n";
        if !self.exits.is_empty() {
            text += "    exits: [\n";
            for (side, area) in &self.exits {
                let area = Cell::list_in_file(area);
                let sides = side.as_ref();
                let sides = sides.map(|side| format!(", sides: [{}]", quoted(side)));
                let _ = writeln!(text, "        (at: {area}{}),", sides.unwrap_or_default());
            }
            text += "    ],\n";
        }
        text += &self.fields;
        text + ")\n"
    }

    /// The level with squads that start as far from each other as possible.
    fn with_squads(
        &self,
        rows: &Rows,
        args: &ImportArgs,
        sides: &[String],
    ) -> Result<String, String> {
        let usual = |(kind, count): &(&str, u32)| ((*kind).into(), *count);
        let members = |n: usize| match args.squad.get(n) {
            Some(squad) => squad.0.clone(),
            None => USUAL_SQUADS[n].iter().map(usual).collect(),
        };
        let squad = |(n, side): (usize, &String)| Squad {
            name: format!("The {}", side.replace('_', " ")),
            members: members(n),
        };
        let squads: Vec<Squad> = sides.iter().enumerate().map(squad).collect();
        let starts = self.starting_areas(sides, &squads)?;
        let exit = |(side, start): (&String, &Vec<Cell>)| {
            let is_own =
                |(of, _): &&(Option<String>, Vec<Cell>)| of.as_ref().is_none_or(|of| of == side);
            let own = self.exits.iter().filter(is_own);
            let own: Vec<Cell> = own.flat_map(|(_, area)| area.iter().copied()).collect();
            match own.is_empty() {
                true => start.iter().take(2).copied().collect(),
                false => own,
            }
        };
        let exits = std::iter::zip(sides, &starts).map(exit).collect();
        let composition = Composition {
            title: self.title.clone(),
            briefing: self.briefing.clone(),
            place: Site::of_rows(rows, sides.to_vec(), starts, exits),
            squads,
            aim: Aim::Defeat,
            rules: None,
            kinds: String::new(),
        };
        Ok(composition.text())
    }

    /// The starting areas of the sides: around their starts on the map, or else far from each
    /// other in the largest connected part of the map.
    ///
    /// # Errors
    /// If there is no room for the squads of all sides.
    fn starting_areas(&self, sides: &[String], squads: &[Squad]) -> Result<Vec<Vec<Cell>>, String> {
        let board = self.board();
        let stands = |cell: &Cell| can_stand(&board, *cell);
        // The distance of every cell from the start of each side.
        let from_start = |n: usize| {
            let origin = self.start(sides, n).into_iter().find(stands);
            origin.map(|origin| steps(&board, origin))
        };
        let mut distances: Vec<_> = (0..sides.len()).map(from_start).collect();
        if distances.iter().all(Option::is_none) {
            let mut left: BTreeSet<Cell> = board.cells().filter(stands).collect();
            let mut best: BTreeMap<Cell, u32> = BTreeMap::new();
            while let Some(cell) = left.first().copied() {
                let part = steps(&board, cell);
                left.retain(|cell| !part.contains_key(cell));
                if part.len() > best.len() {
                    best = part;
                }
            }
            let far = best.iter().filter(|(cell, _)| stands(cell));
            let far = far.max_by_key(|(cell, far)| (**far, cell.y, cell.x));
            let (&origin, _) = far.ok_or("no unit can stand anywhere on this map")?;
            distances[0] = Some(steps(&board, origin));
        }
        while let Some(n) = distances.iter().position(Option::is_none) {
            let near = |cell: &Cell| {
                let all = distances.iter().flatten();
                all.filter_map(|reached| reached.get(cell)).min().copied()
            };
            let first = distances.iter().flatten().take(1);
            let far = first.flat_map(BTreeMap::keys).filter(|cell| stands(cell));
            let far = far.max_by_key(|cell| (near(cell), cell.y, cell.x)).copied();
            let origin = far.filter(|cell| near(cell) > Some(0));
            let origin = origin.ok_or("the map has no room for all sides")?;
            distances[n] = Some(steps(&board, origin));
        }
        let distances: Vec<BTreeMap<Cell, u32>> = distances.into_iter().flatten().collect();
        let mut starts = vec![];
        for (n, reached) in distances.iter().enumerate() {
            // Nearer to this side than to any other.
            let is_own = |(cell, far): &(&Cell, &u32)| {
                let others = distances.iter().enumerate().filter(|(m, _)| *m != n);
                can_stand(&board, **cell)
                    && others
                        .filter_map(|(m, reached)| reached.get(*cell).map(|other| (*other, m)))
                        .all(|other| (**far, n) < other)
            };
            let own = reached.iter().filter(is_own);
            let mut own: Vec<(u32, Cell)> = own.map(|(c, f)| (*f, *c)).collect();
            own.sort_by_key(|(far, cell)| (*far, cell.y, cell.x));
            let needed = squads[n].cells() as usize;
            // Half as many again as needed, because large units leave gaps.
            own.truncate(MAX_START_CELLS.max(needed * 3 / 2));
            if own.len() < needed {
                return Err(format!(
                    "the side `{}` has {} to start in and needs {needed}; place `start` where there \
                     is more",
                    sides[n],
                    count(own.len(), "cell")
                ));
            }
            starts.push(own.into_iter().map(|(_, cell)| cell).collect());
        }
        Ok(starts)
    }
}

fn floor() -> GroundAndFog {
    (CellGround::default(), 0)
}

fn ground_of(feature: Feature) -> GroundAndFog {
    (CellGround::of(feature), 0)
}

fn wall() -> GroundAndFog {
    ground_of(Feature::Wall)
}

fn door() -> GroundAndFog {
    ground_of(Feature::Door { open: false })
}

fn water() -> GroundAndFog {
    (usual_ground('~').unwrap_or_default(), 0)
}
