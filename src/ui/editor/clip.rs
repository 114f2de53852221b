//! An area of the map that was picked up, to be copied or moved, and mirrored if you
//! like.

use super::{
    brush::{self, Tool},
    state::EditorState,
};
use crate::{
    grid::{Cell, CellGround},
    levels::edit::{Document, Edited},
};

/// An area of the map that was picked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clip {
    /// Where its north-west corner was.
    from: Cell,
    /// Columns and rows.
    size: (i16, i16),
    /// Each map character with its position relative to the corner.
    chars: Vec<((i16, i16), char)>,
    /// The area is moved: putting it down clears its old place and moves its units.
    moves: bool,
    /// Mirrored from west to east, and from north to south.
    flips: (bool, bool),
}

impl Clip {
    /// Picks up the rectangle around the cells, cut off at the edges of the map.
    fn take(state: &EditorState, cells: &[Cell], moves: bool) -> Option<Self> {
        let (xs, ys) = (cells.iter().map(|c| c.x), cells.iter().map(|c| c.y));
        let from = Cell::new(xs.clone().min()?, ys.clone().min()?);
        let last = (xs.max()? - from.x, ys.max()? - from.y);
        let char_of = |c: &Cell| Some(((c.x - from.x, c.y - from.y), state.doc.char_at(*c)?));
        Some(Self {
            from,
            size: (last.0 + 1, last.1 + 1),
            chars: cells.iter().filter_map(char_of).collect(),
            moves,
            flips: (false, false),
        })
    }

    /// The new cell for something at (x, y) of the area that is `wide` cells across,
    /// with the area's corner at `to`.
    fn place(&self, (x, y): (i16, i16), wide: i16, to: Cell) -> Cell {
        let flip = |is: bool, n: i16, size: i16| if is { size - n - wide } else { n };
        let x = flip(self.flips.0, x, self.size.0);
        let y = flip(self.flips.1, y, self.size.1);
        to.offset(x, y)
    }

    /// The cells that the area would cover with its corner at `to`.
    pub fn cells(&self, to: Cell) -> Vec<Cell> {
        let last = to.offset(self.size.0 - 1, self.size.1 - 1);
        brush::square(to, last, false)
    }

    /// A title such as "Copy 4 by 3 cells".
    pub fn title(&self) -> String {
        let what = if self.moves { "Move" } else { "Copy" };
        format!("{what} {} by {} cells", self.size.0, self.size.1)
    }
}

impl EditorState {
    /// Picks up the cells of a stroke.
    pub(super) fn take_area(&mut self, cells: &[Cell]) {
        self.clip = Clip::take(self, cells, self.tool == Tool::Move);
        if self.clip.is_some() {
            self.message = Some("Click where its north-west corner goes; Esc drops it.".into());
        }
    }

    /// Puts down the picked-up area with its north-west corner at `to`.
    pub(super) fn put_area(&mut self, to: Cell) {
        let Some(clip) = self.clip.clone() else {
            return;
        };
        let what = match clip.moves {
            true => format!("move of an area to {},{}", to.x, to.y),
            false => format!("copy of an area to {},{}", to.x, to.y),
        };
        let units = match clip.moves {
            true => self.units_in(&clip),
            false => vec![],
        };
        let floor = (CellGround::default(), 0);
        let target = clip.cells(to);
        let is_empty = |cell: &Cell| self.unit_at(*cell).is_none() && !target.contains(cell);
        let empty = self.board().and_then(|board| board.cells().find(is_empty));
        let done = self.edit(what, None, |doc| {
            if clip.moves {
                let plain = doc.char_for(&floor)?;
                let old: Vec<(Cell, char)> = (clip.chars.iter())
                    .map(|((x, y), _)| (clip.from.offset(*x, *y), plain))
                    .collect();
                doc.paint(&old)?;
            }
            let new: Vec<(Cell, char)> = (clip.chars.iter())
                .map(|&(at, c)| (clip.place(at, 1, to), c))
                .collect();
            doc.paint(&new)?;
            let all: Vec<(Cell, Cell)> = (units.iter())
                .map(|&(at, wide)| {
                    let from = (at.x - clip.from.x, at.y - clip.from.y);
                    (at, clip.place(from, wide, to))
                })
                .collect();
            move_units(doc, &all, empty)
        });
        if done.is_some() && clip.moves {
            self.clip = None;
            self.tool = Tool::Select;
        }
    }

    /// Mirrors the picked-up area.
    pub(super) fn mirror(&mut self, is_upright: bool) {
        let Some(clip) = &mut self.clip else {
            self.message = Some("Copy or move an area first: drag over it.".into());
            return;
        };
        match is_upright {
            true => clip.flips.1 = !clip.flips.1,
            false => clip.flips.0 = !clip.flips.0,
        }
    }

    /// The units that stand in the area, each with its cell and its width in cells.
    fn units_in(&self, clip: &Clip) -> Vec<(Cell, i16)> {
        let inside = clip.cells(clip.from);
        let all = 0..self.units.len();
        let spaces = all.filter_map(|who| {
            self.units[who].cell?;
            self.space(who)
        });
        let here = spaces.filter(|space| inside.contains(&space.at));
        here.map(|space| (space.at, space.side())).collect()
    }

    /// The cells that a click would put down, and a title for them.
    pub(super) fn clip_ahead(&self) -> Option<(Vec<Cell>, String)> {
        let clip = self.clip.as_ref()?;
        Some((clip.cells(self.cursor?), clip.title()))
    }
}

/// Moves units, each from one cell to another. A unit waits until its new cell is
/// free; if units swap places, one of them waits in an empty cell.
fn move_units(doc: &mut Document, all: &[(Cell, Cell)], empty: Option<Cell>) -> Edited {
    let mut left: Vec<(Cell, Cell)> = all.iter().copied().filter(|(a, b)| a != b).collect();
    while !left.is_empty() {
        let is_free = |to: Cell| left.iter().all(|(from, _)| *from != to);
        match left.iter().position(|(_, to)| is_free(*to)) {
            Some(n) => {
                let (from, to) = left.remove(n);
                move_unit(doc, from, to)?;
            }
            None => {
                let cell = empty.ok_or("no cell is free for units that change places")?;
                move_unit(doc, left[0].0, cell)?;
                left[0].0 = cell;
            }
        }
    }
    Ok(())
}

fn move_unit(doc: &mut Document, from: Cell, to: Cell) -> Edited {
    let who = doc.units().iter().position(|p| p.cell == Some(from));
    let who = who.ok_or("a unit of the area is not where it was")?;
    doc.move_unit(who, to)?;
    Ok(())
}

impl Tool {
    /// Whether the tool picks up areas and puts them down.
    pub(super) fn takes_areas(self) -> bool {
        matches!(self, Self::Copy | Self::Move)
    }
}
