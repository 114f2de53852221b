//! What lies on the editor's desk: the level's text and all that is read of it,
//! the tool in hand, who is chosen. Nothing else in the editor keeps anything of
//! the level.

use super::{
    brush::{Brush, Tool},
    clip::Clip,
    mends::Mend,
};
use crate::{
    grid::{Board, Cell},
    levels::{
        self, Level,
        edit::{At, Document, Edited, History, people::Placed},
    },
    ron_read::Problem,
    ui::shown::Person,
};
use bevy::prelude::*;
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// The level that is edited.
#[derive(Resource)]
pub struct Desk {
    /// Where it is kept; `None`: it has never been saved by its editor.
    pub file: Option<PathBuf>,
    /// The level's id: the file's name without its ending.
    pub id: String,
    pub history: History,
    /// The text taken apart; of the last one that could be.
    pub doc: Document,
    /// The text of now cannot be taken apart: nothing but undo mends it here.
    pub is_torn: bool,
    /// As far as it can be read, errors and all.
    pub level: Option<Arc<Level>>,
    /// Everybody, in the order of the level, by the text.
    pub people: Vec<Placed>,
    pub findings: Vec<Finding>,
    /// The last state without an error: what is played and simulated.
    pub good: Option<Arc<Level>>,
    pub tool: Tool,
    pub brush: Brush,
    /// Cells across a brush.
    pub size: u8,
    pub chosen: Chosen,
    /// A stroke or a drag under way.
    pub stroke: Option<Stroke>,
    /// The area that was picked up.
    pub clip: Option<Clip>,
    /// The cell under the pointer, or where the keys have gone.
    pub cursor: Option<Cell>,
    /// From where sight is looked at.
    pub pin: Option<Cell>,
    /// The whole map is tinted by what is seen from the pin.
    pub shows_cover: bool,
    /// The kind of the chosen one is about to be picked from the palette.
    pub picks_kind: bool,
    /// The list of a form whose choices are laid out.
    pub lists: Option<At>,
    /// Boxes are drawn without what is in them.
    pub is_hollow: bool,
    /// The whole file is shown, not the touched lines alone.
    pub shows_file: bool,
    /// Changes with everything that is read of the text.
    pub revision: u64,
    /// Why the last wish was not granted.
    pub word: Option<String>,
}

/// What the form tells of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Chosen {
    #[default]
    Level,
    Sides,
    Goals,
    Later,
    Surprise,
    /// By their place in the level.
    Person(usize),
    /// The level's own kinds of creature.
    Kinds,
    /// One of these, by its place in the file.
    Kind(usize),
}

/// An error or a warning, with what it is about on the map.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub is_error: bool,
    pub problem: Problem,
    pub cells: Vec<Cell>,
    pub who: Option<usize>,
    /// The form that tells of it.
    pub form: Chosen,
    /// What would mend it.
    pub mend: Option<Mend>,
}

/// What the pointer does while it is held down.
#[derive(Clone, PartialEq, Debug)]
pub struct Stroke {
    pub from: Cell,
    pub to: Cell,
    /// The cells that are painted, in their order.
    pub cells: Vec<Cell>,
    /// Takes away rather than puts.
    pub erases: bool,
    /// Somebody who is dragged.
    pub who: Option<usize>,
}

/// No two desks have a revision in common: what was drawn of one is not taken for
/// the other.
static REVISIONS: AtomicU64 = AtomicU64::new(1);

impl Desk {
    /// A level's text to be edited; the text itself if it cannot be.
    pub fn open(id: &str, text: &str, file: Option<PathBuf>) -> Option<Self> {
        let mut desk = Self {
            file,
            id: id.into(),
            history: History::new(text),
            doc: Document::new(text)?,
            is_torn: false,
            level: None,
            people: vec![],
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
            word: None,
        };
        desk.renew();
        Some(desk)
    }

    /// The name by which the checker calls it.
    pub fn file_name(&self) -> String {
        format!("{}.ron", self.id)
    }

    /// Reads what the text says now.
    pub fn renew(&mut self) {
        self.revision += 1;
        let text = self.history.text().clone();
        let name = self.file_name();
        let read = levels::draft_file(&name, &text);
        let torn = Document::new(&text);
        self.is_torn = torn.is_none();
        if let Some(doc) = torn {
            self.doc = doc;
            self.people = self.doc.people();
        }
        if let Some(draft) = read.made {
            let mut level = draft.level;
            // Where somebody cannot stand they are shown all the same.
            if level.combatants.len() == self.people.len() {
                for (combatant, placed) in level.combatants.iter_mut().zip(&self.people) {
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
        let found: Vec<Finding> = errors
            .chain(hints)
            .map(|(is_error, problem)| self.finding(is_error, problem))
            .collect();
        self.findings = found;
        self.chosen = match self.chosen {
            Chosen::Person(n) if n >= self.people.len() => Chosen::Level,
            Chosen::Kind(n) if n >= self.doc.own_kinds().len() => Chosen::Kinds,
            same => same,
        };
    }

    /// Where a problem is on the map.
    fn finding(&self, is_error: bool, problem: Problem) -> Finding {
        let byte = self.doc.byte_at(problem.line, problem.col);
        let holds = |at: &At| {
            let place = self.doc.piece(at).map(|p| p.at);
            place.is_some_and(|place| (place.from..place.to).contains(&byte))
        };
        let who = self.people.iter().position(|p| holds(&p.entry));
        let mut cells: Vec<Cell> = self.doc.cell_at(byte).into_iter().collect();
        if let Some(first) = who {
            let entry = &self.people[first].entry;
            let mine = self.people.iter().filter(|p| p.entry == *entry);
            let all: Vec<Cell> = mine.filter_map(|p| p.cell).collect();
            // Of several the one that the message names.
            let named = |c: &&Cell| problem.what.contains(&c.in_file());
            let one: Vec<Cell> = all.iter().filter(named).copied().collect();
            cells.extend(if one.is_empty() { all } else { one });
        }
        for (list, field) in [("exits", "at"), ("sides", "start"), ("objectives", "goal")] {
            let list = At::root().field(list);
            for n in 0..self.doc.count(&list) {
                let entry = list.nth(n);
                let area = match field {
                    "goal" => entry.field("goal").group().field("area"),
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
            (Some(who), _) => Chosen::Person(who),
            (None, Some(nth)) => Chosen::Kind(nth),
            _ => form.map_or(Chosen::Level, |f| f.1),
        };
        let mut finding = Finding {
            is_error,
            problem,
            cells,
            who,
            form,
            mend: None,
        };
        finding.mend = Mend::of(self, &finding, byte);
        finding
    }

    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|f| f.is_error).count()
    }

    /// Edits the text. What cannot be done is told, and changes nothing. Edits
    /// with the same key join in the history.
    pub fn edit<T>(
        &mut self,
        what: impl Into<String>,
        key: Option<String>,
        edit: impl FnOnce(&mut Document) -> Edited<T>,
    ) -> Option<T> {
        if self.is_torn {
            self.word = Some("The file can't be parsed: undo, or fix it in a text editor.".into());
            return None;
        }
        let mut doc = self.doc.clone();
        match edit(&mut doc) {
            Ok(made) => {
                self.word = None;
                if doc.text() != &**self.history.text() {
                    self.history.push(doc.text(), what, key);
                    self.renew();
                }
                Some(made)
            }
            Err(why) => {
                self.word = Some(format!("Not done: {why}."));
                None
            }
        }
    }

    pub fn undo(&mut self) {
        let done = self.history.undo().map(String::from);
        self.told(done, "Undone");
    }

    pub fn redo(&mut self) {
        let done = self.history.redo().map(String::from);
        self.told(done, "Redone");
    }

    fn told(&mut self, done: Option<String>, how: &str) {
        self.stroke = None;
        if let Some(what) = done {
            self.word = Some(format!("{how}: {what}."));
            self.renew();
        }
    }

    /// Another text in the place of this one: it can be undone.
    pub fn replace(&mut self, text: &str, what: &str) {
        self.history.push(text, what, None);
        self.renew();
    }

    pub fn board(&self) -> Option<Board> {
        self.level.as_ref().map(|level| level.board())
    }

    /// The board with the stroke under way in it.
    pub fn board_ahead(&self) -> Option<Board> {
        let mut board = self.board()?;
        let paints = |s: &&Stroke| s.who.is_none() && !self.tool.takes_areas();
        if let Some(stroke) = self.stroke.as_ref().filter(paints) {
            for &cell in &stroke.cells {
                let brush = if stroke.erases {
                    Brush::floor()
                } else {
                    self.brush.clone()
                };
                if let Some(sign) = self.sign_at(cell).and_then(|now| brush.on(&now, self)) {
                    board.set(cell, sign.0);
                    board.set_haze(cell, sign.1);
                }
            }
        }
        Some(board)
    }

    /// The ground of a cell, and the fog in it.
    pub fn sign_at(&self, cell: Cell) -> Option<levels::edit::Sign> {
        let board = self.level.as_ref()?.board();
        Some((board.ground(cell)?.clone(), board.haze(cell)))
    }

    /// Who stands in a cell, the chosen one first.
    pub fn person_at(&self, cell: Cell) -> Option<usize> {
        let here: Vec<usize> = (0..self.people.len())
            .filter(|n| self.space(*n).is_some_and(|s| s.contains(cell)))
            .collect();
        let chosen = here.iter().find(|n| self.chosen == Chosen::Person(**n));
        chosen.or(here.first()).copied()
    }

    /// The cells that somebody takes up.
    pub fn space(&self, who: usize) -> Option<crate::grid::Space> {
        let level = self.level.as_ref()?;
        let combatant = level.combatants.get(who)?;
        Some(combatant.space())
    }

    /// Everybody as the board draws them; those who come later and who are
    /// hidden too.
    pub fn persons(&self) -> Vec<Person> {
        let Some(level) = &self.level else {
            return vec![];
        };
        let mut all = Person::all_of(level, crate::rulesets::ALL[0]);
        for person in &mut all {
            person.state = crate::battle::State::Up;
        }
        all
    }

    /// What somebody is called.
    pub fn name_of(&self, who: usize) -> String {
        let level = self.level.as_ref();
        let found = level.and_then(|l| l.combatants.get(who));
        found.map_or_else(|| String::from("somebody"), |c| c.name.clone())
    }

    /// The side for which somebody is placed.
    pub fn brush_side(&self) -> usize {
        match &self.brush {
            Brush::Person(_, side) => *side,
            _ => 1,
        }
    }

    /// The ids of the sides, as the file has them.
    pub fn side_ids(&self) -> Vec<String> {
        let sides = At::root().field("sides");
        let id = |n| self.doc.string(&sides.nth(n).field("id"));
        (0..self.doc.count(&sides))
            .map(|n| id(n).unwrap_or("?").to_string())
            .collect()
    }
}
