//! Reads the map's rows and their legend.

use crate::grid::{Axis, Block, Board, Cell, CellGround, Feature};
use crate::ron_read::{ByteRange, Fields, Fix, Help, Piece, Problem, Reader, ValueShape, known};
use crate::words::{count, is_unseen};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of cells per side.
pub(in crate::levels) const WIDEST: usize = 200;

/// The board, and the cells of each character of the rows.
pub(super) struct Map {
    pub board: Board,
    marks: BTreeMap<char, Vec<Cell>>,
    /// The characters that the legend defines, with their places in the file.
    legend_chars: Vec<(char, ByteRange)>,
}

/// The meanings of characters without a legend.
pub(in crate::levels) fn usual_legend() -> BTreeMap<char, CellGround> {
    BTreeMap::from([
        ('.', CellGround::default()),
        (' ', CellGround::of(Feature::Wall)),
        ('#', CellGround::of(Feature::Wall)),
        (',', floor_with(|ground| ground.rough = true)),
        ('~', floor_with(|ground| ground.water = true)),
        ('=', CellGround::of(Feature::LowWall)),
        ('o', CellGround::of(Feature::Pillar)),
        ('+', CellGround::of(Feature::Door { open: false })),
        ('/', CellGround::of(Feature::Door { open: true })),
    ])
}

/// Open floor with a change.
fn floor_with(change: fn(&mut CellGround)) -> CellGround {
    let mut ground = CellGround::default();
    change(&mut ground);
    ground
}

pub(super) fn read(r: &mut Reader, f: &mut Fields) -> Option<Map> {
    let mut legend = usual_legend();
    // A character counts as known even if its meaning has an error.
    let mut fog: BTreeMap<char, u8> = BTreeMap::new();
    let mut legend_chars = Vec::new();
    for (c, at, meaning) in f.optional(r, "legend", read_legend).unwrap_or_default() {
        let (ground, percent) = meaning.unwrap_or_default();
        legend.insert(c, ground);
        fog.insert(c, percent);
        legend_chars.push((c, at));
    }
    let piece = f.needed(r, "map")?;
    let ValueShape::List(rows) = &piece.shape else {
        let wanted = "the map as a list with a text for each row, `[\"...\", \"...\"]`";
        r.expected(piece, wanted);
        return None;
    };
    let texts: Vec<Option<String>> = rows.iter().map(|row| r.text(row)).collect();
    let texts: Vec<String> = texts.into_iter().collect::<Option<_>>()?;
    let width = usual_width(&texts);
    if width == 0 || width > WIDEST || rows.len() > WIDEST {
        let what = format!("a map has 1 to {WIDEST} rows of 1 to {WIDEST} cells");
        let rows = count(rows.len(), "row");
        let help = format!("this one has {rows} of {}", count(width, "cell"));
        r.problem(piece.at, what, help);
        return None;
    }
    let before = r.count();
    let mut map = Map {
        board: Board::new(width as u16, rows.len() as u16),
        marks: BTreeMap::new(),
        legend_chars,
    };
    let mut strangers = BTreeMap::new();
    for (y, (row, text)) in rows.iter().zip(&texts).enumerate() {
        let long = text.chars().count();
        if long != width {
            let (cells, off) = (
                count(long, "cell"),
                count(long.abs_diff(width), "character"),
            );
            let end = ByteRange::new(row.at.to.saturating_sub(1), row.at.to);
            let (which, at, help) = match long < width {
                true => ("short", end, format!("add {off}")),
                false => (
                    "long",
                    r.char_of_text(row, width),
                    format!("leave {off} out"),
                ),
            };
            let what = format!("this row is too {which}: {cells}, where the others have {width}");
            r.problem(at, what, help);
        }
        for (x, c) in text.chars().enumerate().take(width) {
            let cell = Cell::new(x as i16, y as i16);
            map.marks.entry(c).or_default().push(cell);
            match legend.get(&c) {
                Some(ground) => {
                    map.board.set(cell, ground.clone());
                    map.board.set_fog(cell, fog.get(&c).copied().unwrap_or(0));
                }
                None => {
                    (strangers.entry(c)).or_insert_with(|| (r.char_of_text(row, x), cell));
                }
            }
        }
    }
    for (c, (at, cell)) in strangers {
        let more = match map.marks[&c].len() - 1 {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        let here = format!("at {}{more}", cell.in_file());
        if c == '\t' {
            let help = "a tab counts as one cell; write `.` for floor, `#` or a blank for a wall";
            r.problem(at, format!("there is a tab in the map {here}"), help);
            continue;
        }
        if c.is_whitespace() || is_unseen(c) {
            let what = format!("there is an invisible character, {c:?}, in the map {here}");
            r.problem(at, what, "delete it, or write a plain blank for a wall");
            continue;
        }
        let what = format!("unknown legend character {c:?} {here}");
        let chars: Vec<String> = legend.keys().map(char::to_string).collect();
        let known = known(chars.iter().map(String::as_str));
        let help = format!("say what it means: `legend: {{{c:?}: Open}}`; {known}");
        r.problem(at, what, help);
    }
    // Rows of different lengths do not prevent further checks.
    (r.count() == before || !map.marks.is_empty()).then_some(map)
}

/// The most common width of the rows; the first of several equally common ones.
fn usual_width(rows: &[String]) -> usize {
    let widths: Vec<usize> = rows.iter().map(|row| row.chars().count()).collect();
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for width in &widths {
        *votes.entry(*width).or_default() += 1;
    }
    let most = votes.values().max();
    let usual = widths.iter().find(|w| votes.get(w) == most);
    usual.copied().unwrap_or(0)
}

/// A ground, and the percentage by which fog or darkness conceals it.
pub type GroundAndFog = (CellGround, u8);

/// The meaning of every character, with the legend of a level if there is one.
pub(in crate::levels) fn char_meanings(
    r: &mut Reader,
    f: &mut Fields,
) -> BTreeMap<char, GroundAndFog> {
    let usual = usual_legend().into_iter();
    let mut all: BTreeMap<char, GroundAndFog> = usual.map(|(c, ground)| (c, (ground, 0))).collect();
    let own = f.optional(r, "legend", read_legend).unwrap_or_default();
    let own = own.into_iter();
    all.extend(own.filter_map(|(c, _, meaning)| Some((c, meaning?))));
    all
}

fn read_legend(
    r: &mut Reader,
    piece: &Piece,
) -> Option<Vec<(char, ByteRange, Option<GroundAndFog>)>> {
    let mut read = Vec::new();
    let mut known = BTreeSet::new();
    for (key, value) in r.entries(piece)? {
        let c = r.char(key);
        let ground = ground(r, value);
        let Some(c) = c else {
            // What is in its quotes counts as known, so that the rows are not reported too.
            let inside: BTreeSet<char> = r.raw(key.at).chars().collect();
            let meant = inside.into_iter().filter(|c| !"'\"".contains(*c));
            read.extend(meant.map(|c| (c, key.at, None)));
            continue;
        };
        if !known.insert(c) {
            r.problem(key.at, format!("{c:?} is in the legend twice"), "keep one");
        }
        read.push((c, key.at, ground));
    }
    Some(read)
}

/// A ground in the notation of a legend: `Wall`, `(floor: 5, rough: true)`.
///
/// # Errors
/// A description of what is wrong with the text.
pub fn ground_of(text: &str) -> Result<GroundAndFog, String> {
    let read = crate::ron_read::read("", text, ground);
    read.map(|(ground, _)| ground).map_err(|problems| {
        let what = problems.iter().map(Problem::text);
        what.collect::<Vec<_>>().join("; ")
    })
}

/// Reads a legend's value: a word such as `LowWall`, or fields.
fn ground(r: &mut Reader, piece: &Piece) -> Option<GroundAndFog> {
    let clear = |ground| Some((ground, 0));
    match &piece.shape {
        ValueShape::Word(word, None) if word == "Rough" => {
            clear(floor_with(|ground| ground.rough = true))
        }
        ValueShape::Word(word, None) if word == "Water" => {
            clear(floor_with(|ground| ground.water = true))
        }
        ValueShape::Word(..) => {
            let feature = feature(r, piece, 0, &["Rough", "Water"])?;
            clear(CellGround::of(feature))
        }
        _ => {
            let mut f = r.fields(piece, "a legend entry")?;
            let floor = f.optional(r, "floor", |r, p| r.whole(p, -500..=500));
            let floor = floor.unwrap_or(0) as i16;
            let rough = f.optional(r, "rough", Reader::yes_no).unwrap_or(false);
            let water = f.optional(r, "water", Reader::yes_no).unwrap_or(false);
            let climbable = f.optional(r, "climbable", Reader::yes_no).unwrap_or(false);
            let fog = f.optional(r, "fog", |r, p| r.whole(p, 0..=100));
            let feature = f.optional(r, "feature", |r, p| feature(r, p, floor, &[]));
            f.finish(r);
            let ground = CellGround {
                floor,
                rough,
                water,
                climbable,
                feature: feature.unwrap_or_default(),
            };
            Some((ground, fog.unwrap_or(0) as u8))
        }
    }
}

const FEATURES: [&str; 9] = [
    "Open", "Wall", "LowWall", "Window", "Slit", "Pillar", "Door", "OpenDoor", "Blocks",
];

/// Reads what stands in a cell. `also` are other words that would be valid here, for
/// the error message.
fn feature(r: &mut Reader, piece: &Piece, floor: i16, also: &[&str]) -> Option<Feature> {
    let (word, group) = r.variant(piece, "a feature such as `LowWall` or `Window(X)`")?;
    let plain = match word {
        "Open" => Feature::Open,
        "Wall" => Feature::Wall,
        "LowWall" => Feature::LowWall,
        "Pillar" => Feature::Pillar,
        "Door" => Feature::Door { open: false },
        "OpenDoor" => Feature::Door { open: true },
        "Window" => return axis(r, piece, group).map(Feature::Window),
        "Slit" => return axis(r, piece, group).map(Feature::Slit),
        "Blocks" => {
            let [list] = r.tuple(group.unwrap_or(piece), "`Blocks([…])`")?;
            let blocks = r.list(list, |r, p| block(r, p, floor))?;
            return Some(Feature::Blocks(blocks));
        }
        _ => {
            let known = FEATURES.iter().chain(also).copied();
            r.unknown(piece.at, "feature", word, known);
            return None;
        }
    };
    r.bare(word, group)?;
    Some(plain)
}

fn axis(r: &mut Reader, piece: &Piece, group: Option<&Piece>) -> Option<Axis> {
    let wanted = "the axis of sight: `(X)` for east and west, `(Y)` for north and south";
    let [axis] = r.tuple(group.unwrap_or(piece), wanted)?;
    r.word(axis, "an axis", &Axis::WORDS)
}

/// Reads a box in feet from the cell's north-west corner and its floor.
fn block(r: &mut Reader, piece: &Piece, floor: i16) -> Option<Block> {
    let mut f = r.fields(piece, "a box")?;
    let from = f.required(r, "from", |r, p| corner(r, p, floor));
    let to = f.required(r, "to", |r, p| corner(r, p, floor));
    f.finish(r);
    let block = Block::from_feet(from?, to?);
    if block.is_none() {
        let help = "`from` is its west, north and lower end, `to` the other; steps of 0.05 ft";
        let what = "this box is flat, or finer than can be measured";
        r.problem(piece.at, what, help);
    }
    block
}

fn corner(r: &mut Reader, piece: &Piece, floor: i16) -> Option<[f64; 3]> {
    let [x, y, z] = r.tuple(piece, "`(east, south, up)` in feet")?;
    let (x, y) = (r.number(x, 0.0..=5.0), r.number(y, 0.0..=5.0));
    let z = r.number(z, 0.0..=200.0)?;
    // The board measures heights from the common datum, a level from the floor.
    Some([x?, y?, z + f64::from(floor)])
}

/// Reads a cell of the board, written as `(column, row)`.
pub(crate) fn cell(r: &mut Reader, piece: &Piece, board: &Board) -> Option<Cell> {
    let [x, y] = r.tuple(piece, "a cell as `(column, row)`")?;
    let (w, h) = (board.width(), board.height());
    let (east, south) = (coordinate(r, x, w), coordinate(r, y, h));
    let cell = Cell::new(east?, south?);
    if !board.contains(cell) {
        let help = format!("columns run from 0 to {}, rows from 0 to {}", w - 1, h - 1);
        r.problem(piece.at, format!("{} is off the map", cell.in_file()), help);
        return None;
    }
    Some(cell)
}

/// A column or row. One that is off the map is accepted, so that the message can name the
/// cell; anything else that is no column or row of the map is reported.
fn coordinate(r: &mut Reader, piece: &Piece, cells: u16) -> Option<i16> {
    if let ValueShape::Number(digits) = &piece.shape
        && let Ok(n) = digits.parse()
    {
        return Some(n);
    }
    r.whole(piece, 0..=i32::from(cells) - 1).map(|n| n as i16)
}

impl Map {
    /// Reads a cell written as `(column, row)`.
    pub(super) fn cell(&self, r: &mut Reader, piece: &Piece) -> Option<Cell> {
        cell(r, piece, &self.board)
    }

    /// Hints at legend characters that no row uses.
    pub(super) fn hint_at_unused(&self, r: &mut Reader) {
        for (c, at) in &self.legend_chars {
            if !self.marks.contains_key(c) {
                let what = format!("{c:?} is in the legend, and in no row of the map");
                let (help, fix) = (
                    "leave it out, or put it on the map",
                    Fix::DropLegendChar(*c),
                );
                r.hint(*at, what, Help::fix(help, fix));
            }
        }
    }

    /// Reads cells: one cell, all cells with a character, a rectangle, or a list of
    /// these. Never empty; each cell once.
    pub(super) fn area(&self, r: &mut Reader, piece: &Piece) -> Option<Vec<Cell>> {
        self.listed(r, piece, false).map(|cells| self.once(cells))
    }

    /// The cells without duplicates.
    fn once(&self, mut cells: Vec<Cell>) -> Vec<Cell> {
        let width = usize::from(self.board.width());
        let mut seen = vec![false; width * usize::from(self.board.height())];
        cells.retain(|c| {
            let nth = c.y as usize * width + c.x as usize;
            !std::mem::replace(&mut seen[nth], true)
        });
        cells
    }

    /// Reads cells for one unit each, so naming a cell twice is an error.
    pub(super) fn places(&self, r: &mut Reader, piece: &Piece) -> Option<Vec<Cell>> {
        self.listed(r, piece, true).map(|cells| self.once(cells))
    }

    /// Reads cells as listed. It is an error if a list names a cell or a character
    /// twice and, with `single`, if any cell occurs twice.
    fn listed(&self, r: &mut Reader, piece: &Piece, single: bool) -> Option<Vec<Cell>> {
        let cells = match &piece.shape {
            ValueShape::Char(c) => match self.marks.get(c) {
                Some(cells) => cells.clone(),
                None => {
                    let help = format!("write it into one, with `legend: {{{c:?}: Open}}`");
                    r.problem(piece.at, format!("no row of the map has {c:?}"), help);
                    return None;
                }
            },
            ValueShape::List(items) => {
                let mut all = Vec::new();
                let (mut seen, mut plain) = (BTreeSet::new(), BTreeSet::new());
                for item in items {
                    let more = self.listed(r, item, single)?;
                    let twice = match &item.shape {
                        _ if single => more.iter().find(|c| seen.contains(*c)),
                        ValueShape::Tuple(_) | ValueShape::Char(_) => {
                            let is_first = plain.insert(r.raw(item.at).to_string());
                            more.first().filter(|_| !is_first)
                        }
                        _ => None,
                    };
                    if let Some(cell) = twice {
                        let what = format!("{} is here twice", cell.in_file());
                        r.problem(item.at, what, "keep one");
                    }
                    if single {
                        seen.extend(more.iter().copied());
                    }
                    all.extend(more);
                }
                all
            }
            ValueShape::Word(word, Some(group)) if word == "Rect" => {
                let [a, b] = r.tuple(group, "two corners as `Rect((0, 0), (3, 4))`")?;
                let (a, b) = (self.cell(r, a), self.cell(r, b));
                let (a, b) = (a?, b?);
                let columns = a.x.min(b.x)..=a.x.max(b.x);
                let rows = a.y.min(b.y)..=a.y.max(b.y);
                rows.flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)))
                    .collect()
            }
            ValueShape::Tuple(_) => vec![self.cell(r, piece)?],
            _ => {
                let wanted = "cells as `(column, row)`, 'c', `Rect(…)` or a list of these";
                r.expected(piece, wanted);
                return None;
            }
        };
        if cells.is_empty() {
            r.expected(piece, "at least one cell");
            return None;
        }
        Some(cells)
    }
}
