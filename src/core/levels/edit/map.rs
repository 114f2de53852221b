//! The rows of the map and the legend.

use super::{At, Document, Edited, splice::Splice};
pub use crate::levels::read::GroundAndFog;
use crate::{
    grid::{Axis, Block, Cell, Feature},
    levels::read::{self, WIDEST},
    ron_read::{self, ByteRange, Piece, ValueShape},
};
use std::collections::{BTreeMap, BTreeSet};

/// An edge of the map, where it grows or shrinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    North,
    East,
    South,
    West,
}

impl Document {
    fn rows(&self) -> &[Piece] {
        match self.piece(&At::root().field("map")).map(|p| &p.shape) {
            Some(ValueShape::List(rows)) => rows,
            _ => &[],
        }
    }

    /// Columns and rows of the map. The longest row counts.
    pub fn size(&self) -> (usize, usize) {
        let rows = self.rows();
        let long = rows.iter().map(|row| chars_of(row).count()).max();
        (long.unwrap_or(0), rows.len())
    }

    /// The character of a cell.
    pub fn char_at(&self, cell: Cell) -> Option<char> {
        let row = self.rows().get(usize::try_from(cell.y).ok()?)?;
        chars_of(row).nth(usize::try_from(cell.x).ok()?)
    }

    /// Where in the text the character of a cell is.
    pub fn place_of(&self, cell: Cell) -> Option<ByteRange> {
        let row = self.rows().get(usize::try_from(cell.y).ok()?)?;
        let at = usize::try_from(cell.x).ok()?;
        let (from, to) = char_places(self.raw_at(row.at)).nth(at)?;
        Some(ByteRange::new(row.at.from + from, row.at.from + to))
    }

    /// The cell whose character is at a byte.
    pub fn cell_at(&self, byte: usize) -> Option<Cell> {
        let is_in = |row: &&Piece| (row.at.from..row.at.to).contains(&byte);
        let (y, row) = (0..).zip(self.rows()).find(|(_, row)| is_in(row))?;
        let mut all = (0..).zip(char_places(self.raw_at(row.at)));
        let (x, _) = all.find(|(_, (_, to))| byte < row.at.from + to)?;
        Some(Cell::new(x, y))
    }

    /// Writes characters into cells.
    pub fn paint(&mut self, cells: &[(Cell, char)]) -> Edited {
        let mut splices: BTreeMap<usize, Splice> = BTreeMap::new();
        for &(cell, c) in cells {
            if c == '"' || c == '\\' || c.is_control() {
                return Err(format!("{c:?} cannot stand for a cell"));
            }
            if let Some(place) = self.place_of(cell) {
                splices.insert(place.from, (place, c.to_string()));
            }
        }
        self.splice(splices.into_values().collect())
    }

    /// The meaning of every character, usual and legend.
    pub fn char_meanings(&self) -> BTreeMap<char, GroundAndFog> {
        let made = ron_read::read_on("", self.text(), |r, root| {
            let mut f = r.fields(root, "a level")?;
            Some(read::char_meanings(r, &mut f))
        });
        made.made.unwrap_or_default()
    }

    /// A character with this meaning. If there is none, one is added to the legend.
    pub fn char_for(&mut self, ground: &GroundAndFog) -> Edited<char> {
        let meanings = self.char_meanings();
        let legend = At::root().field("legend");
        let is_own = |c: &char| self.piece(&legend.char_key(*c)).is_some();
        let fits = meanings.iter().filter(|(_, s)| *s == ground);
        let mut fits: Vec<char> = fits.map(|(c, _)| *c).collect();
        // Usual characters first, because a legend's character may mark a place.
        // Avoid the blank, which stands for rock left undrawn.
        fits.sort_by_key(|c| (is_own(c), *c == ' '));
        if let Some(c) = fits.first() {
            return Ok(*c);
        }
        let used = self.used();
        let is_free = |c: &char| !meanings.contains_key(c) && !used.contains(c);
        let wanted = candidates(ground).chars();
        let others = ('a'..='z').chain('A'..='Z').chain('0'..='9');
        let c = wanted.chain(others).find(is_free);
        let c = c.ok_or("there is no character left for it")?;
        self.set(&legend.char_key(c), &ground_text(ground))?;
        Ok(c)
    }

    /// Changes the meaning of one cell. A legend character that no other cell uses
    /// does not stay behind: it takes the new meaning, or is removed if another
    /// character already has that meaning and no area refers to it.
    pub fn change_cell(&mut self, cell: Cell, ground: &GroundAndFog) -> Edited {
        let legend = At::root().field("legend");
        let letter = self.char_at(cell).filter(|c| {
            let alike = self.rows().iter().flat_map(chars_of).filter(|d| d == c);
            self.piece(&legend.char_key(*c)).is_some() && alike.count() == 1
        });
        let Some(letter) = letter else {
            let c = self.char_for(ground)?;
            return self.paint(&[(cell, c)]);
        };
        let is_named = self.text().matches(&format!("{letter:?}")).count() > 1;
        let fits = |(c, s): (&char, &GroundAndFog)| *c != letter && s == ground;
        if is_named || !self.char_meanings().iter().any(fits) {
            return self.set(&legend.char_key(letter), &ground_text(ground));
        }
        let c = self.char_for(ground)?;
        self.paint(&[(cell, c)])?;
        self.remove(&legend.char_key(letter))
    }

    /// The characters used on the map.
    pub fn used(&self) -> BTreeSet<char> {
        self.rows().iter().flat_map(chars_of).collect()
    }

    /// Each character of the map with its cells, row by row.
    pub(super) fn marks(&self) -> BTreeMap<char, Vec<Cell>> {
        let mut marks: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
        for (y, row) in (0..).zip(self.rows()) {
            for (x, c) in (0..).zip(chars_of(row)) {
                marks.entry(c).or_default().push(Cell::new(x, y));
            }
        }
        marks
    }

    /// Adds a row or column of rock at an edge. At the north or west, all cells named
    /// in the file are renumbered.
    pub fn grow(&mut self, edge: Edge) -> Edited {
        let (columns, rows) = self.size();
        let is_high = matches!(edge, Edge::North | Edge::South);
        if columns == 0 || is_high && rows >= WIDEST || !is_high && columns >= WIDEST {
            let why = format!("a map has 1 to {WIDEST} rows of 1 to {WIDEST} cells");
            return Err(why);
        }
        if edge == Edge::North || edge == Edge::West {
            let by = if is_high { (0, 1) } else { (1, 0) };
            self.shift(by)?;
        }
        if is_high {
            let row = super::quoted(&" ".repeat(columns));
            let index = if edge == Edge::North { 0 } else { rows };
            return self.insert(&At::root().field("map"), index, &row);
        }
        let ends = self.rows().iter().map(|row| {
            let raw = self.raw_at(row.at);
            let places: Vec<_> = char_places(raw).collect();
            let at = match edge {
                Edge::West => places.first().map(|p| p.0),
                _ => places.last().map(|p| p.1),
            };
            let at = row.at.from + at.unwrap_or_else(|| raw.find('"').map_or(1, |q| q + 1));
            (ByteRange::before(at), String::from(" "))
        });
        let splices = ends.collect();
        self.splice(splices)
    }

    /// Removes a row or column at an edge.
    pub fn shrink(&mut self, edge: Edge) -> Edited {
        let (columns, rows) = self.size();
        let is_high = matches!(edge, Edge::North | Edge::South);
        if is_high && rows < 2 || !is_high && columns < 2 {
            return Err("nothing would be left of the map".into());
        }
        if is_high {
            let index = if edge == Edge::North { 0 } else { rows - 1 };
            self.remove(&At::root().field("map").nth(index))?;
        } else {
            let x = if edge == Edge::West { 0 } else { columns - 1 };
            let cells = (0..rows).map(|y| Cell::new(x as i16, y as i16));
            let places = cells.filter_map(|cell| self.place_of(cell));
            let splices = places.map(|place| (place, String::new())).collect();
            self.splice(splices)?;
        }
        match edge {
            Edge::North => self.shift((0, -1)),
            Edge::West => self.shift((-1, 0)),
            Edge::East | Edge::South => Ok(()),
        }
    }

    /// Shifts every cell that the file names, but not the map.
    fn shift(&mut self, (east, south): (i32, i32)) -> Edited {
        let mut cells = vec![];
        if let Some(root) = self.piece(&At::root()) {
            named_cells(root, false, &mut cells);
        }
        let moved = |(place, x, y): (ByteRange, i32, i32)| {
            let text = format!("({}, {})", x + east, y + south);
            (place, text)
        };
        self.splice(cells.into_iter().map(moved).collect())
    }
}

/// The cells named in a piece: in fields that hold places, but not the sizes and
/// ranges of kinds.
fn named_cells(piece: &Piece, tells: bool, found: &mut Vec<(ByteRange, i32, i32)>) {
    const TELL: [&str; 5] = ["at", "start", "area", "to", "until"];
    const DO_NOT: [&str; 4] = ["with", "kinds", "legend", "map"];
    match &piece.shape {
        ValueShape::Fields(fields) => {
            for field in fields {
                let name = field.name.as_str();
                if !DO_NOT.contains(&name) {
                    named_cells(&field.value, tells || TELL.contains(&name), found);
                }
            }
        }
        ValueShape::Tuple(items) => match &items[..] {
            [x, y] if tells && whole(x).is_some() && whole(y).is_some() => {
                found.extend(whole(x).zip(whole(y)).map(|(x, y)| (piece.at, x, y)));
            }
            items => items.iter().for_each(|p| named_cells(p, tells, found)),
        },
        ValueShape::List(items) => items.iter().for_each(|p| named_cells(p, tells, found)),
        ValueShape::Word(_, Some(group)) => named_cells(group, tells, found),
        _ => {}
    }
}

/// The whole number that a piece is.
pub(super) fn whole(piece: &Piece) -> Option<i32> {
    match &piece.shape {
        ValueShape::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn chars_of(row: &Piece) -> impl Iterator<Item = char> + '_ {
    let text = match &row.shape {
        ValueShape::Text(text) => text.as_str(),
        _ => "",
    };
    text.chars()
}

/// The byte range of each character of a string as written, without its quotes.
fn char_places(raw: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let is_raw = raw.starts_with('r');
    let hashes = raw.chars().skip(1).take_while(|c| *c == '#').count();
    let hashes = if is_raw { hashes } else { 0 };
    let start = if is_raw { hashes + 2 } else { 1 };
    let end = raw.len().saturating_sub(hashes + 1).max(start);
    let mut at = start;
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let rest = &raw[at..end];
        let first = rest.chars().next()?;
        let long = match rest.chars().nth(1) {
            Some(_) if is_raw || first != '\\' => first.len_utf8(),
            Some('u') => rest.find('}').map_or(2, |close| close + 1),
            Some('x') => 4.min(rest.len()),
            Some(c) => 1 + c.len_utf8(),
            None => first.len_utf8(),
        };
        at += long;
        Some((at - long, at))
    })
}

/// Characters that suggest this ground, best first.
pub(in crate::levels) fn candidates((ground, fog): &GroundAndFog) -> &'static str {
    match ground.feature {
        Feature::Window(_) => "wWi",
        Feature::Slit(_) => "sSl",
        Feature::Wall => "#X",
        Feature::LowWall => "mM",
        Feature::Pillar => "pP",
        Feature::Door { open: false } => "dD",
        Feature::Door { open: true } => "eE",
        Feature::Blocks(_) => "tTbB",
        Feature::Open if *fog > 0 => "fdF",
        Feature::Open if ground.floor > 0 => "^AHhk",
        Feature::Open if ground.floor < 0 => "vVUu",
        Feature::Open => "gc",
    }
}

/// A ground as a value of the legend.
pub fn ground_text((ground, fog): &GroundAndFog) -> String {
    let axis = |axis: Axis| if axis == Axis::X { "X" } else { "Y" };
    let feature = match &ground.feature {
        Feature::Open => String::from("Open"),
        Feature::Wall => String::from("Wall"),
        Feature::LowWall => String::from("LowWall"),
        Feature::Pillar => String::from("Pillar"),
        Feature::Window(way) => format!("Window({})", axis(*way)),
        Feature::Slit(way) => format!("Slit({})", axis(*way)),
        Feature::Door { open: false } => String::from("Door"),
        Feature::Door { open: true } => String::from("OpenDoor"),
        Feature::Blocks(blocks) => {
            let corner =
                |[x, y, z]: [f64; 3]| format!("({x}, {y}, {})", z - f64::from(ground.floor));
            let text = |block: &Block| {
                let [from, to] = block.feet().map(corner);
                format!("(from: {from}, to: {to})")
            };
            let all: Vec<String> = blocks.iter().map(text).collect();
            format!("Blocks([{}])", all.join(", "))
        }
    };
    let mut fields = vec![];
    if ground.floor != 0 {
        fields.push(format!("floor: {}", ground.floor));
    }
    for (is_so, name) in [
        (ground.rough, "rough"),
        (ground.water, "water"),
        (ground.climbable, "climbable"),
    ] {
        if is_so {
            fields.push(format!("{name}: true"));
        }
    }
    if *fog > 0 {
        fields.push(format!("fog: {fog}"));
    }
    match (&fields[..], &ground.feature) {
        ([], _) => return feature,
        ([one], Feature::Open) if one == "rough: true" => return "Rough".into(),
        ([one], Feature::Open) if one == "water: true" => return "Water".into(),
        (_, Feature::Open) => {}
        _ => fields.push(format!("feature: {feature}")),
    }
    format!("({})", fields.join(", "))
}
