//! The state of the editor: the level's text and everything read from it, the current
//! tool, the selection. Only [`EditorState`] holds the level.

use super::{
    brush::{Brush, Tool},
    clip::Clip,
    fixes::FixEdit,
};
use crate::{
    grid::{Board, Cell},
    levels::{
        self, Level,
        edit::{At, Document, Edited, History, units::Placed},
    },
    ron_read::Problem,
    ui::shown::UnitView,
};
use bevy::prelude::*;
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// The level being edited.
#[derive(Resource)]
pub struct EditorState {
    /// The file of the level. `None` if it was never saved from the editor.
    pub file: Option<PathBuf>,
    /// The level's id: the file's name without its extension.
    pub id: String,
    pub history: History,
    /// The parsed text; the last version that could be parsed.
    pub doc: Document,
    /// The current text cannot be parsed: only undo can fix it in the editor.
    pub is_torn: bool,
    /// The level as far as it can be read, even with errors.
    pub level: Option<Arc<Level>>,
    /// All units, in the order of the level, as the text places them.
    pub units: Vec<Placed>,
    pub findings: Vec<Finding>,
    /// The last state without errors. Test play and simulation use it.
    pub good: Option<Arc<Level>>,
    pub tool: Tool,
    pub brush: Brush,
    /// The width of the brush in cells.
    pub size: u8,
    pub chosen: Chosen,
    /// The current stroke or drag.
    pub stroke: Option<Stroke>,
    /// The area that was picked up.
    pub clip: Option<Clip>,
    /// The cell under the pointer, or the keyboard cursor.
    pub cursor: Option<Cell>,
    /// The cell whose line of sight is shown.
    pub pin: Option<Cell>,
    /// Tint the whole map by what is visible from the pin.
    pub shows_cover: bool,
    /// The next kind picked in the palette becomes the selected unit's kind.
    pub picks_kind: bool,
    /// The list of the form whose choices are open.
    pub lists: Option<At>,
    /// Boxes are drawn as outlines.
    pub is_hollow: bool,
    /// Show the whole file, not only the changed lines.
    pub shows_file: bool,
    /// Changes whenever the text is read again.
    pub revision: u64,
    /// Why the last command was refused, or what it did.
    pub message: Option<String>,
}

/// A note of the author, as the file has it.
#[derive(Clone, PartialEq, Debug)]
pub struct FileNote {
    pub entry: At,
    pub text: String,
    pub cell: Option<Cell>,
}

/// What is selected, which decides the form shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Chosen {
    #[default]
    Level,
    Sides,
    Goals,
    Later,
    Surprise,
    /// A unit, by its index in the level.
    Unit(usize),
    /// All kinds of creature that the level defines.
    Kinds,
    /// One of the level's kinds, by its index in the file.
    Kind(usize),
}

/// An error or a warning, and what it concerns on the map.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub is_error: bool,
    pub problem: Problem,
    pub cells: Vec<Cell>,
    pub who: Option<usize>,
    /// The form where the problem can be edited.
    pub form: Chosen,
    /// The automatic fix, if there is one.
    pub fix: Option<FixEdit>,
}

/// What the pointer does while its button is held.
#[derive(Clone, PartialEq, Debug)]
pub struct Stroke {
    pub from: Cell,
    pub to: Cell,
    /// The cells painted so far, in order.
    pub cells: Vec<Cell>,
    /// The stroke removes instead of adding.
    pub erases: bool,
    /// The unit being dragged.
    pub who: Option<usize>,
}

/// The path of the area of an objective, by the index of the objective.
pub(super) fn goal_area(nth: usize) -> At {
    let objective = At::root().field("objectives").nth(nth);
    objective.field("goal").group().field("area")
}

/// Revisions are unique across all states, so that nothing drawn for one state is
/// reused for another.
static REVISIONS: AtomicU64 = AtomicU64::new(1);

impl EditorState {
    /// Opens a level's text for editing. `None` if the text cannot be parsed.
    pub fn open(id: &str, text: &str, file: Option<PathBuf>) -> Option<Self> {
        let mut state = Self {
            file,
            id: id.into(),
            history: History::new(text),
            doc: Document::new(text)?,
            is_torn: false,
            level: None,
            units: vec![],
            findings: vec![],
            good: None,
            tool: Tool::default(),
            brush: Brush::default(),
            size: 1,
            chosen: Chosen::default(),
            stroke: None,
            clip: None,
            cursor: None,
            pin: None,
            shows_cover: false,
            picks_kind: false,
            lists: None,
            is_hollow: false,
            shows_file: false,
            revision: REVISIONS.fetch_add(1 << 32, Ordering::Relaxed),
            message: None,
        };
        state.renew();
        Some(state)
    }

    /// The file name that the checker shows in its messages.
    pub fn file_name(&self) -> String {
        format!("{}.ron", self.id)
    }

    /// Reads everything from the current text again.
    pub fn renew(&mut self) {
        self.revision += 1;
        let text = self.history.text().clone();
        let name = self.file_name();
        let read = levels::draft_file(&name, &text);
        let torn = Document::new(&text);
        self.is_torn = torn.is_none();
        if let Some(doc) = torn {
            self.doc = doc;
            self.units = self.doc.units();
        }
        if let Some(draft) = read.made {
            let mut level = draft.level;
            // A unit placed where it cannot stand is still shown there.
            if level.combatants.len() == self.units.len() {
                for (combatant, placed) in level.combatants.iter_mut().zip(&self.units) {
                    combatant.cell = placed.cell.unwrap_or(combatant.cell);
                }
            }
            let level = Arc::new(level);
            if read.problems.is_empty() {
                self.good = Some(level.clone());
            }
            self.level = Some(level);
        }
        let errors = read.problems.into_iter().map(|p| (true, p));
        let hints = read.hints.into_iter().map(|p| (false, p));
        let all = errors.chain(hints);
        let found = all.map(|(is_error, problem)| self.finding(is_error, problem));
        self.findings = found.collect();
        self.chosen = match self.chosen {
            Chosen::Unit(n) if n >= self.units.len() => Chosen::Level,
            Chosen::Kind(n) if n >= self.doc.own_kinds().len() => Chosen::Kinds,
            same => same,
        };
    }

    /// The notes of the author, in the order of the file.
    pub fn notes(&self) -> Vec<FileNote> {
        let list = At::root().field("notes");
        let note = |n: usize| {
            let entry = list.nth(n);
            let text = self.doc.string(&entry.field("text")).unwrap_or_default();
            FileNote {
                text: text.into(),
                cell: self.doc.area(&entry.field("at")).first().copied(),
                entry,
            }
        };
        (0..self.doc.count(&list)).map(note).collect()
    }

    /// Adds to a problem where it is on the map, its form and its fix.
    fn finding(&self, is_error: bool, problem: Problem) -> Finding {
        let byte = self.doc.byte_at(problem.line, problem.col);
        let holds = |at: &At| {
            let place = self.doc.piece(at).map(|p| p.at);
            place.is_some_and(|place| (place.from..place.to).contains(&byte))
        };
        let who = self.units.iter().position(|p| holds(&p.entry));
        let mut cells: Vec<Cell> = self.doc.cell_at(byte).into_iter().collect();
        if let Some(first) = who {
            let entry = &self.units[first].entry;
            let mine = self.units.iter().filter(|p| p.entry == *entry);
            let all: Vec<Cell> = mine.filter_map(|p| p.cell).collect();
            // If there are several candidates, take the one that the message names.
            let named = |c: &&Cell| problem.what.contains(&c.in_file());
            let one: Vec<Cell> = all.iter().filter(named).copied().collect();
            cells.extend(if one.is_empty() { all } else { one });
        }
        for (list, field) in [("exits", "at"), ("sides", "start"), ("objectives", "goal")] {
            let list = At::root().field(list);
            for n in 0..self.doc.count(&list) {
                let entry = list.nth(n);
                let area = match field {
                    "goal" => goal_area(n),
                    _ => entry.field(field),
                };
                if holds(&entry) {
                    cells.extend(self.doc.area(&area));
                }
            }
        }
        let kinds = self.doc.own_kinds().len();
        let kind = |n: &usize| self.doc.own_kind_at(*n).is_some_and(|at| holds(&at));
        let forms = [
            ("sides", Chosen::Sides),
            ("objectives", Chosen::Goals),
            ("reinforcements", Chosen::Later),
            ("surprise", Chosen::Surprise),
            ("kinds", Chosen::Kinds),
        ];
        let form = forms.iter().find(|f| holds(&At::root().field(f.0)));
        let form = match (who, (0..kinds).find(kind)) {
            (Some(who), _) => Chosen::Unit(who),
            (None, Some(nth)) => Chosen::Kind(nth),
            _ => form.map_or(Chosen::Level, |f| f.1),
        };
        let mut finding = Finding {
            is_error,
            problem,
            cells,
            who,
            form,
            fix: None,
        };
        finding.fix = FixEdit::of(self, &finding, byte);
        finding
    }

    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|f| f.is_error).count()
    }

    /// Edits the text. If the edit fails, its reason is shown, nothing changes and
    /// the result is `None`. Successive edits with the same key are one step of the
    /// history.
    pub fn edit<T>(
        &mut self,
        what: impl Into<String>,
        key: Option<String>,
        edit: impl FnOnce(&mut Document) -> Edited<T>,
    ) -> Option<T> {
        if self.is_torn {
            self.message =
                Some("The file can't be parsed: undo, or fix it in a text editor.".into());
            return None;
        }
        let mut doc = self.doc.clone();
        match edit(&mut doc) {
            Ok(made) => {
                self.message = None;
                if doc.text() != &**self.history.text() {
                    self.history.push(doc.text(), what, key);
                    self.renew();
                }
                Some(made)
            }
            Err(why) => {
                self.message = Some(format!("Not done: {why}."));
                None
            }
        }
    }

    pub fn undo(&mut self) {
        let done = self.history.undo().map(String::from);
        self.report(done, "Undone");
    }

    pub fn redo(&mut self) {
        let done = self.history.redo().map(String::from);
        self.report(done, "Redone");
    }

    fn report(&mut self, done: Option<String>, how: &str) {
        self.stroke = None;
        if let Some(what) = done {
            self.message = Some(format!("{how}: {what}."));
            self.renew();
        }
    }

    /// Replaces the whole text. This can be undone.
    pub fn replace(&mut self, text: &str, what: &str) {
        self.history.push(text, what, None);
        self.renew();
    }

    pub fn board(&self) -> Option<Board> {
        self.level.as_ref().map(|level| level.board())
    }

    /// The board with the current stroke applied.
    pub fn board_ahead(&self) -> Option<Board> {
        let mut board = self.board()?;
        let paints = |s: &&Stroke| s.who.is_none() && !self.tool.takes_areas();
        if let Some(stroke) = self.stroke.as_ref().filter(paints) {
            let brush = match stroke.erases {
                true => Brush::floor(),
                false => self.brush.clone(),
            };
            for &cell in &stroke.cells {
                if let Some(ground) = self.ground_at(cell).and_then(|now| brush.on(&now, self)) {
                    board.set(cell, ground.0);
                    board.set_fog(cell, ground.1);
                }
            }
        }
        Some(board)
    }

    /// The ground of a cell and its fog. `None` outside the map.
    pub fn ground_at(&self, cell: Cell) -> Option<levels::edit::GroundAndFog> {
        let board = self.level.as_ref()?.board();
        Some((board.ground(cell)?.clone(), board.fog(cell)))
    }

    /// The unit in a cell, preferring the selected one.
    pub fn unit_at(&self, cell: Cell) -> Option<usize> {
        let is_here = |n: &usize| self.space(*n).is_some_and(|s| s.contains(cell));
        let mut here = (0..self.units.len()).filter(is_here);
        let chosen = here.clone().find(|&n| self.chosen == Chosen::Unit(n));
        chosen.or(here.next())
    }

    /// The cells that a unit takes up.
    pub fn space(&self, who: usize) -> Option<crate::grid::Space> {
        let level = self.level.as_ref()?;
        let combatant = level.combatants.get(who)?;
        Some(combatant.space())
    }

    /// All units as the board draws them, including reinforcements and hidden units.
    pub fn unit_views(&self) -> Vec<UnitView> {
        let Some(level) = &self.level else {
            return vec![];
        };
        let mut all = UnitView::all_of(level, crate::rulesets::ALL[0]);
        for unit in &mut all {
            unit.state = crate::battle::State::Up;
        }
        all
    }

    /// The display name of a unit.
    pub fn name_of(&self, who: usize) -> String {
        let level = self.level.as_ref();
        let found = level.and_then(|l| l.combatants.get(who));
        found.map_or_else(|| String::from("somebody"), |c| c.name.clone())
    }

    /// The index of the side for which the brush places units.
    pub fn brush_side(&self) -> usize {
        match &self.brush {
            Brush::Unit(_, side) => *side,
            _ => 1,
        }
    }

    /// The ids of the sides, as written in the file.
    pub fn side_ids(&self) -> Vec<String> {
        let sides = At::root().field("sides");
        let id = |n| self.doc.string(&sides.nth(n).field("id"));
        (0..self.doc.count(&sides))
            .map(|n| id(n).unwrap_or("?").to_string())
            .collect()
    }
}
