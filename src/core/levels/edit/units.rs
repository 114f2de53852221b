//! Where each unit stands and which entry of the file places it, and edits that
//! change this.

use super::{At, Document, Edited, map::whole, names::creatures, quoted};
use crate::{
    grid::Cell,
    ron_read::{ByteRange, Piece, TreeField, ValueShape},
};
use std::collections::BTreeSet;

/// A unit as the file places it, in the order of a level's combatants.
#[derive(Clone, PartialEq, Debug)]
pub struct Placed {
    /// The entry that makes the unit.
    pub entry: At,
    /// The index of the unit among those of the entry, from 0, and how many the entry
    /// makes.
    pub nth: usize,
    pub of: usize,
    /// `None`: somewhere in the side's starting area, or the file's cell is invalid.
    pub cell: Option<Cell>,
    /// Where the file has the cell, if it is written on its own.
    written: Option<ByteRange>,
    /// The round of arrival. `None` for units that are there from the start.
    pub round: Option<i32>,
}

/// Cells of a piece, each with its place in the text if it is written on its own.
type Listed = Vec<(Cell, Option<ByteRange>)>;

impl Document {
    /// All units of the level.
    pub fn units(&self) -> Vec<Placed> {
        let mut all = vec![];
        self.entries(&At::root().field("combatants"), None, &mut all);
        let waves = At::root().field("reinforcements");
        for n in 0..self.count(&waves) {
            let wave = waves.nth(n);
            let round = self.piece(&wave.field("round")).and_then(whole);
            let list = wave.field("combatants");
            self.entries(&list, Some(round.unwrap_or(2)), &mut all);
        }
        all
    }

    fn entries(&self, list: &At, round: Option<i32>, all: &mut Vec<Placed>) {
        for n in 0..self.count(list) {
            let entry = list.nth(n);
            let shape = self.piece(&entry).map(|p| &p.shape);
            if !matches!(shape, Some(ValueShape::Fields(_))) {
                continue;
            }
            let positions = match self.piece(&entry.field("at")).map(|at| self.cells(at)) {
                Some(Some(cells)) => cells.into_iter().map(Some).collect(),
                Some(None) => vec![None],
                None => {
                    let count = self.piece(&entry.field("count")).and_then(whole);
                    vec![None; count.unwrap_or(1).clamp(1, 64) as usize]
                }
            };
            let of = positions.len();
            let placed = positions.into_iter().enumerate();
            all.extend(placed.map(|(nth, position)| Placed {
                entry: entry.clone(),
                nth,
                of,
                cell: position.map(|s| s.0),
                written: position.and_then(|s| s.1),
                round,
            }));
        }
    }

    /// The cells that a piece names, each once. `None` if one is off the map or
    /// invalid.
    fn cells(&self, piece: &Piece) -> Option<Listed> {
        let mut all = self.listed(piece)?;
        let mut seen = BTreeSet::new();
        all.retain(|(cell, _)| seen.insert(*cell));
        (!all.is_empty()).then_some(all)
    }

    fn listed(&self, piece: &Piece) -> Option<Listed> {
        let cell = |piece: &Piece| -> Option<Cell> {
            let ValueShape::Tuple(items) = &piece.shape else {
                return None;
            };
            let [x, y] = &items[..] else { return None };
            let (x, y) = (whole(x)?, whole(y)?);
            let (columns, rows) = self.size();
            let inside = (0..columns as i32).contains(&x) && (0..rows as i32).contains(&y);
            inside.then(|| Cell::new(x as i16, y as i16))
        };
        match &piece.shape {
            ValueShape::Tuple(_) => Some(vec![(cell(piece)?, Some(piece.at))]),
            ValueShape::Char(c) => {
                let cells = self.marks().remove(c)?;
                Some(cells.into_iter().map(|cell| (cell, None)).collect())
            }
            ValueShape::List(items) => {
                let all: Option<Vec<Listed>> = items.iter().map(|p| self.listed(p)).collect();
                Some(all?.concat())
            }
            ValueShape::Word(word, Some(group)) if word == "Rect" => {
                let ValueShape::Tuple(corners) = &group.shape else {
                    return None;
                };
                let [a, b] = &corners[..] else { return None };
                let (a, b) = (cell(a)?, cell(b)?);
                let rows = a.y.min(b.y)..=a.y.max(b.y);
                let row = |y| (a.x.min(b.x)..=a.x.max(b.x)).map(move |x| (Cell::new(x, y), None));
                Some(rows.flat_map(row).collect())
            }
            _ => None,
        }
    }

    /// The cells of an area in the file: an exit, a starting area, an objective.
    pub fn area(&self, at: &At) -> Vec<Cell> {
        let cells = self.piece(at).and_then(|piece| self.cells(piece));
        let cells = cells.unwrap_or_default().into_iter();
        cells.map(|(cell, _)| cell).collect()
    }

    /// Moves a unit to a cell, and returns its new index. If the unit shares the
    /// starting area with others of its entry, it gets its own entry.
    pub fn move_unit(&mut self, who: usize, to: Cell) -> Edited<usize> {
        let all = self.units();
        let placed = all.get(who).ok_or("there is nobody")?;
        let text = to.in_file();
        let is_taken =
            |p: &Placed| p.entry == placed.entry && p.nth != placed.nth && p.cell == Some(to);
        if all.iter().any(is_taken) {
            return Err("another of the same entry stands there".into());
        }
        if let Some(place) = placed.written {
            self.replace(place, &text)?;
            return Ok(who);
        }
        let at = placed.entry.field("at");
        if self.piece(&at).is_none() && placed.of > 1 {
            let rest = placed.of - 1 - placed.nth;
            self.split_off(who, Some(to))?;
            return Ok(who + rest);
        }
        let mine = all.iter().filter(|p| p.entry == placed.entry);
        let cells = mine.map(|p| match p.nth == placed.nth {
            true => Some(to),
            false => p.cell,
        });
        let cells: Option<Vec<Cell>> = cells.collect();
        let entry = placed.entry.clone();
        self.set(&at, &written_all(&cells.unwrap_or(vec![to])))?;
        self.remove(&entry.field("count"))?;
        Ok(who)
    }

    /// Gives one of several units of an entry its own entry, right after the shared
    /// one.
    pub fn split_off(&mut self, who: usize, to: Option<Cell>) -> Edited {
        let placed = self.units().get(who).cloned().ok_or("there is nobody")?;
        let (Some((list, _)), Some(n)) = (placed.entry.split(), placed.entry.index()) else {
            return Err("there is no such entry".into());
        };
        if placed.of < 2 {
            return Ok(());
        }
        let raw = self.raw(&placed.entry).unwrap_or_default();
        // Treat the entry as a document, so that it can be edited on its own.
        let mut own = Document::new(raw).ok_or("the entry cannot be read")?;
        own.remove(&At::root().field("count"))?;
        match to.or(placed.cell) {
            Some(cell) => own.set(&At::root().field("at"), &cell.in_file())?,
            None => own.remove(&At::root().field("at"))?,
        }
        self.take_out(&placed)?;
        self.insert(&list, n + 1, own.text())
    }

    /// Removes a unit. The entry is removed with its last unit.
    pub fn remove_unit(&mut self, who: usize) -> Edited {
        let placed = self.units().get(who).cloned().ok_or("there is nobody")?;
        if placed.of > 1 {
            return self.take_out(&placed);
        }
        let list = placed.entry.split().map(|(list, _)| list);
        self.remove(&placed.entry)?;
        // A wave without units is removed as well.
        if let Some(list) = list
            && self.count(&list) == 0
            && let Some((wave, _)) = list.split()
            && wave.index().is_some()
        {
            self.remove(&wave)?;
        }
        Ok(())
    }

    /// Removes one of several units of an entry.
    fn take_out(&mut self, placed: &Placed) -> Edited {
        let at = placed.entry.field("at");
        if self.piece(&at).is_none() {
            let count = placed.entry.field("count");
            return match placed.of {
                2 => self.remove(&count),
                n => self.set(&count, &(n - 1).to_string()),
            };
        }
        let mine = self.units();
        let mine = mine.iter().filter(|p| p.entry == placed.entry);
        let others = mine.filter(|p| p.nth != placed.nth);
        let cells: Vec<Cell> = others.filter_map(|p| p.cell).collect();
        // From a plain list of cells, remove one; rewrite anything else that names
        // the cells.
        let list = match self.piece(&at).map(|p| &p.shape) {
            Some(ValueShape::List(items)) if cells.len() > 1 => {
                items.iter().position(|p| Some(p.at) == placed.written)
            }
            _ => None,
        };
        match list {
            Some(nth) => self.remove(&at.nth(nth)),
            None => self.set(&at, &written_all(&cells)),
        }
    }

    /// Adds a unit of a kind after the others of its side, and returns its index.
    pub fn add_unit(&mut self, kind: &str, side: &str, cell: Cell) -> Edited<usize> {
        let list = At::root().field("combatants");
        let (kind, at) = (quoted(kind), cell.in_file());
        let item = format!("(kind: {kind}, side: {}, at: {at})", quoted(side));
        let count = self.count(&list);
        let of_side = |n: &usize| self.string(&list.nth(*n).field("side")) == Some(side);
        let last = (0..count).rev().find(of_side);
        let index = last.map_or(count, |n| n + 1);
        self.insert(&list, index, &item)?;
        let entry = list.nth(index);
        let found = self.units().iter().position(|p| p.entry == entry);
        found.ok_or("nobody was added".into())
    }

    /// Adds a unit like another one, to the same entry.
    pub fn add_like(&mut self, who: usize, cell: Cell) -> Edited<usize> {
        let all = self.units();
        let placed = all.get(who).ok_or("there is nobody")?;
        let entry = placed.entry.clone();
        let mine = all.iter().filter(|p| p.entry == entry);
        let last = who - placed.nth + placed.of;
        let at = entry.field("at");
        match self.piece(&at).map(|p| &p.shape) {
            Some(ValueShape::List(_)) => self.push(&at, &cell.in_file())?,
            Some(_) => {
                let mut cells: Vec<Cell> = mine.filter_map(|p| p.cell).collect();
                cells.push(cell);
                self.set(&at, &written_all(&cells))?;
            }
            None => {
                self.set(&entry.field("count"), &(placed.of + 1).to_string())?;
                return self.move_unit(last, cell);
            }
        }
        Ok(last)
    }

    /// Makes a unit arrive with the reinforcements of a round. `None`: it is there
    /// from the start.
    pub fn set_round(&mut self, who: usize, round: Option<i32>) -> Edited<usize> {
        let placed = self.units().get(who).cloned().ok_or("there is nobody")?;
        if placed.round == round {
            return Ok(who);
        }
        if placed.of > 1 {
            self.split_off(who, None)?;
        }
        let mut entry = placed.entry.clone();
        if placed.of > 1
            && let (Some((list, _)), Some(n)) = (entry.split(), entry.index())
        {
            entry = list.nth(n + 1);
        }
        let raw = self.raw(&entry).unwrap_or_default().to_string();
        let at = self.unit_of(&entry)?;
        self.remove_unit(at)?;
        let list = match round {
            None => At::root().field("combatants"),
            Some(round) => {
                let waves = At::root().field("reinforcements");
                let count = self.count(&waves);
                let of = |n: &usize| self.piece(&waves.nth(*n).field("round")).and_then(whole);
                let same = (0..count).find(|n| of(n) == Some(round));
                let Some(wave) = same else {
                    let later = (0..count).find(|n| of(n) > Some(round));
                    let item = format!("(round: {round}, combatants: [{raw}])");
                    let index = later.unwrap_or(count);
                    self.insert(&waves, index, &item)?;
                    let list = waves.nth(index).field("combatants");
                    return self.unit_of(&list.nth(0));
                };
                waves.nth(wave).field("combatants")
            }
        };
        self.push(&list, &raw)?;
        self.unit_of(&list.nth(self.count(&list) - 1))
    }

    /// Turns a unit's deviations from its kind into a kind of this level, makes the
    /// unit one of them, and returns the id of the kind.
    pub fn own_kind(&mut self, who: usize) -> Edited<String> {
        let placed = self.units().get(who).cloned().ok_or("there is nobody")?;
        let (kind_at, with) = (placed.entry.field("kind"), placed.entry.field("with"));
        let kind = self.string(&kind_at).ok_or("its kind cannot be read")?;
        let kind = kind.to_string();
        let fields: Vec<(String, String)> = match self.piece(&with).map(|p| &p.shape) {
            Some(ValueShape::Fields(fields)) => {
                let raw = |f: &TreeField| (f.name.clone(), self.raw_at(f.value.at).to_string());
                fields.iter().map(raw).collect()
            }
            _ => vec![],
        };
        let id = self.add_kind(&kind)?;
        for (name, value) in fields {
            self.set(&creatures().key(&id).field(&name), &value)?;
        }
        self.set(&kind_at, &quoted(&id))?;
        self.remove(&with)?;
        Ok(id)
    }

    fn unit_of(&self, entry: &At) -> Edited<usize> {
        let found = self.units().iter().position(|p| p.entry == *entry);
        found.ok_or("there is no such entry".into())
    }
}

/// Cells as a file has them: one cell or a list.
pub fn written_all(cells: &[Cell]) -> String {
    match cells {
        [one] => one.in_file(),
        all => Cell::list_in_file(all),
    }
}

/// An area in its shortest form: one cell, a rectangle, or a list of cells.
pub fn written_area(cells: &BTreeSet<Cell>) -> String {
    let columns = || cells.iter().map(|cell| cell.x);
    let rows = || cells.iter().map(|cell| cell.y);
    let (Some(west), Some(east)) = (columns().min(), columns().max()) else {
        return "[]".into();
    };
    let (north, south) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
    let whole = (east - west + 1) as usize * (south - north + 1) as usize;
    if cells.len() > 1 && cells.len() == whole {
        let (from, to) = (Cell::new(west, north), Cell::new(east, south));
        return format!("Rect({}, {})", from.in_file(), to.in_file());
    }
    let mut rows: Vec<Cell> = cells.iter().copied().collect();
    rows.sort_by_key(|c| (c.y, c.x));
    written_all(&rows)
}
