//! Editor commands. Buttons, keys and the pointer write [`EditorCommand`] messages, and only
//! these change the editor's state.

use super::{
    brush::{self, Brush, TerrainKind, Tool},
    files::{self, MergeChoice},
    kinds::Names,
    simulate::Simulation,
    state::{Chosen, EditorState, Stroke, goal_area},
    test_play,
    trace::{Trace, TraceChange},
};
use crate::ui::widgets::send_on_press;
use crate::{
    grid::{Axis, Cell, Feature},
    levels::edit::{At, Document, Edge, Edited, units::written_area},
    ui::{Phase, Screen},
};
use bevy::prelude::*;
use std::collections::BTreeSet;

pub(super) fn plugin(app: &mut App) {
    app.add_message::<EditorCommand>();
    app.add_observer(send_on_press::<EditorCommand>);
    app.add_systems(
        Update,
        apply_commands
            .in_set(Phase::Commands)
            .run_if(in_state(Screen::Editor)),
    );
}

/// An editor command.
#[derive(Message, Clone, PartialEq, Debug)]
pub enum EditorCommand {
    Tool(Tool),
    Brush(Brush),
    Size(u8),
    Choose(Chosen),
    /// Show the finding with this index.
    Find(usize),
    /// The pointer or the keyboard cursor moved to a cell.
    Point(Option<Cell>),
    /// Start, extend or end a stroke.
    Begin {
        at: Cell,
        erases: bool,
    },
    Reach {
        at: Cell,
        straight: bool,
    },
    End,
    /// Select the next (or an earlier) unit in file order, counted from the selected
    /// unit.
    Next(isize),
    /// Turn the opening under the cursor by 90 degrees: a window, a slit or a door.
    Turn,
    /// Mirror the picked-up area from west to east, or from north to south if
    /// `upright`.
    Mirror {
        upright: bool,
    },
    /// Move the selected unit by this many cells.
    Nudge(i16, i16),
    /// Write a value at a path in the file.
    Set {
        at: At,
        value: String,
        what: String,
    },
    /// Write a value while it is being typed: successive edits are one step of the
    /// history.
    Type {
        at: At,
        value: String,
        what: String,
    },
    Unset {
        at: At,
        what: String,
    },
    Push {
        list: At,
        entry: String,
        what: String,
    },
    /// Add a note about the whole level.
    AddNote,
    /// Change the picture to trace.
    Trace(TraceChange),
    /// Add another unit like the selected one.
    Another,
    SplitOff,
    /// Turn the selected unit's deviations from its kind into a new kind of this
    /// level.
    OwnKind,
    /// Remove the selected unit.
    Remove,
    /// The round in which the selected unit arrives; `None` for a unit that is there
    /// from the start.
    Round(Option<i32>),
    PickKind,
    /// Add a kind to this level as a copy of this one.
    CopyKind(String),
    RemoveKind(usize),
    /// Rename a kind or a side, while the name is being typed.
    Name(Names, String),
    /// Open or close the choices for this list.
    List(At),
    /// Apply the fix for the finding with this index.
    Fix(usize),
    /// Toggle hollow boxes.
    Hollow,
    Grow(Edge),
    Shrink(Edge),
    Undo,
    Redo,
    Save,
    /// Save under this name in the folder of your levels.
    SaveAs(String),
    TestPlay,
    Simulate,
    Rules,
    Table,
    Cover,
    WholeFile,
    /// Resolve a change of the file from outside.
    MergeChoice(MergeChoice),
    Zoom(i32),
    /// Leave for the title screen.
    Leave {
        sure: bool,
    },
}

fn apply_commands(
    mut editor_commands: MessageReader<EditorCommand>,
    mut state: ResMut<EditorState>,
    mut table: ResMut<test_play::TestTable>,
    mut simulation: ResMut<Simulation>,
    (mut files, mut view): (files::Files, ResMut<super::canvas::Canvas>),
    (mut trace, mut images): (ResMut<Trace>, ResMut<Assets<Image>>),
    left: Option<Res<super::Left>>,
    mut next: ResMut<NextState<Screen>>,
    mut commands: Commands,
) {
    for command in editor_commands.read() {
        match command {
            EditorCommand::Undo => state.undo(),
            EditorCommand::Redo => state.redo(),
            EditorCommand::Save | EditorCommand::SaveAs(_) => {
                match command {
                    EditorCommand::SaveAs(name) => files.save_as(&mut state, name),
                    _ => files.save(&mut state),
                }
                simulation.remember(&state);
            }
            EditorCommand::MergeChoice(what) => files.resolve(&mut state, what),
            EditorCommand::Simulate => simulation.toggle(&mut state, &table),
            EditorCommand::Rules => table.turn_rules(),
            EditorCommand::Table => table.turn_players(),
            EditorCommand::TestPlay => {
                if test_play::begin(&mut state, &table, &mut commands) {
                    next.set(Screen::Battle);
                }
            }
            EditorCommand::Zoom(by) => view.zoom(*by),
            EditorCommand::Trace(change) => trace.apply(change, &mut state, &mut images),
            EditorCommand::Leave { sure } => {
                if state.history.is_saved() || *sure {
                    files.forget();
                    if !super::go_back(&mut commands, left.is_some()) {
                        if let Some(file) = state.file.clone() {
                            commands.insert_resource(super::LeftAt(file));
                        }
                        next.set(Screen::Title);
                    }
                } else {
                    files.ask_to_leave();
                }
            }
            editor_command => {
                state.apply(editor_command);
                if let (EditorCommand::Find(_), Some(cell)) = (editor_command, state.cursor) {
                    view.reveal(cell);
                }
            }
        }
    }
}

impl EditorState {
    /// Applies the commands that concern the level only.
    pub fn apply(&mut self, command: &EditorCommand) {
        match command.clone() {
            EditorCommand::Tool(tool) => {
                self.stroke = None;
                self.clip = None;
                self.tool = tool;
                self.message = None;
            }
            EditorCommand::Brush(brush) => self.take(brush),
            EditorCommand::Size(size) => self.size = size.clamp(1, 3),
            EditorCommand::Choose(chosen) => {
                self.history.seal();
                self.chosen = chosen;
                self.picks_kind = false;
                self.lists = None;
            }
            EditorCommand::Find(n) => self.find(n),
            EditorCommand::Point(cell) => self.cursor = cell,
            EditorCommand::Begin { at, erases } => self.begin(at, erases),
            EditorCommand::Reach { at, straight } => self.reach(at, straight),
            EditorCommand::End => self.end(),
            EditorCommand::Next(by) => self.next(by),
            EditorCommand::Turn => self.turn(),
            EditorCommand::Mirror { upright } => self.mirror(upright),
            EditorCommand::Nudge(x, y) => self.nudge(x, y),
            EditorCommand::Set { at, value, what } => {
                self.history.seal();
                self.edit(what, None, |doc| doc.set(&at, &value));
            }
            EditorCommand::Type { at, value, what } => {
                let key = Some(format!("{at:?}"));
                self.edit(what, key, |doc| doc.set(&at, &value));
            }
            EditorCommand::Unset { at, what } => {
                self.edit(what, None, |doc| doc.remove(&at));
            }
            EditorCommand::Push { list, entry, what } => {
                self.edit(what, None, |doc| doc.push(&list, &entry));
            }
            EditorCommand::AddNote => self.add_note(None),
            EditorCommand::Another => self.another(),
            EditorCommand::SplitOff => {
                if let Chosen::Unit(who) = self.chosen {
                    let last = who + self.units.get(who).map_or(0, |p| p.of - 1 - p.nth);
                    let done = self.edit_unit("{} by itself", |doc, who| doc.split_off(who, None));
                    self.chosen = done.map_or(self.chosen, |_| Chosen::Unit(last));
                }
            }
            EditorCommand::OwnKind => {
                if let Some(id) = self.edit_unit("a kind like {}", Document::own_kind) {
                    self.choose_kind(&id);
                }
            }
            EditorCommand::Remove => {
                let gone = self.edit_unit("removal of {}", Document::remove_unit);
                self.chosen = gone.map_or(self.chosen, |_| Chosen::Level);
            }
            EditorCommand::Round(round) => {
                let now = self.edit_unit("when {} arrives", |doc, who| doc.set_round(who, round));
                self.chosen = now.map_or(self.chosen, Chosen::Unit);
            }
            EditorCommand::PickKind => self.picks_kind = !self.picks_kind,
            EditorCommand::CopyKind(like) => self.copy_kind(&like),
            EditorCommand::RemoveKind(nth) => {
                let gone = self.edit("removal of a kind", None, |doc| doc.remove_kind(nth));
                if gone.is_some() {
                    self.chosen = Chosen::Kinds;
                }
            }
            EditorCommand::Name(Names::Kind(nth), name) => {
                let key = Some(format!("kind {nth}"));
                self.edit("name of a kind", key, |doc| doc.name_kind(nth, &name));
            }
            EditorCommand::Name(Names::Side(nth), name) => {
                let key = Some(format!("side {nth}"));
                self.edit("name of a side", key, |doc| doc.name_side(nth, &name));
            }
            EditorCommand::List(at) => {
                let was_open = self.lists.as_ref() == Some(&at);
                self.lists = (!was_open).then_some(at);
            }
            EditorCommand::Fix(nth) => self.apply_fix(nth),
            EditorCommand::Hollow => self.is_hollow = !self.is_hollow,
            EditorCommand::Grow(edge) => {
                self.edit(format!("{edge:?} grows"), None, |doc| doc.grow(edge));
            }
            EditorCommand::Shrink(edge) => {
                self.edit(format!("{edge:?} shrinks"), None, |doc| doc.shrink(edge));
            }
            EditorCommand::Cover => self.shows_cover = !self.shows_cover,
            EditorCommand::WholeFile => self.shows_file = !self.shows_file,
            _ => {}
        }
    }

    /// Edits the selected unit. `what` says it in the history, with the unit's name for `{}`.
    fn edit_unit<T>(
        &mut self,
        what: &str,
        edit: impl FnOnce(&mut Document, usize) -> Edited<T>,
    ) -> Option<T> {
        let Chosen::Unit(who) = self.chosen else {
            return None;
        };
        let what = what.replace("{}", &self.name_of(who));
        self.edit(what, None, |doc| edit(doc, who))
    }

    fn take(&mut self, brush: Brush) {
        match (&brush, self.chosen) {
            (Brush::Unit(kind, _), Chosen::Kinds) if self.picks_kind => {
                return self.copy_kind(kind);
            }
            (Brush::Unit(kind, _), Chosen::Unit(who)) if self.picks_kind => {
                self.picks_kind = false;
                if let Some(placed) = self.units.get(who) {
                    let (at, kind) = (placed.entry.field("kind"), format!("{kind:?}"));
                    self.edit_unit("another kind for {}", |doc, _| doc.set(&at, &kind));
                }
                return;
            }
            _ => {}
        }
        (self.stroke, self.clip) = (None, None);
        self.tool = brush.tool(self.tool);
        self.brush = brush;
        self.message = None;
    }

    /// Shows the form of a finding and its place on the map.
    fn find(&mut self, n: usize) {
        let Some(found) = self.findings.get(n) else {
            return;
        };
        self.chosen = found.form;
        self.cursor = found.cells.first().copied().or(self.cursor);
    }

    fn copy_kind(&mut self, like: &str) {
        let what = format!("a kind like {}", like.replace('_', " "));
        if let Some(id) = self.edit(what, None, |doc| doc.add_kind(like)) {
            self.choose_kind(&id);
        }
    }

    fn choose_kind(&mut self, id: &str) {
        self.picks_kind = false;
        self.lists = None;
        let nth = self.doc.own_kinds().iter().position(|own| own == id);
        self.chosen = nth.map_or(Chosen::Kinds, Chosen::Kind);
    }

    fn next(&mut self, by: isize) {
        let all = self.units.len() as isize;
        if all > 0 {
            let now = match self.chosen {
                Chosen::Unit(n) => n as isize + by,
                _ if by < 0 => all - 1,
                _ => 0,
            };
            let who = now.rem_euclid(all) as usize;
            self.chosen = Chosen::Unit(who);
            self.cursor = self.space(who).map(|s| s.at).or(self.cursor);
        }
    }

    fn begin(&mut self, at: Cell, erases: bool) {
        let stroke = |cells: Vec<Cell>| {
            Some(Stroke {
                from: at,
                to: at,
                cells,
                erases,
                who: None,
            })
        };
        self.message = None;
        match self.tool {
            Tool::Select if erases => {}
            Tool::Select => {
                let who = self.unit_at(at);
                self.chosen = who.map_or(Chosen::Level, Chosen::Unit);
                self.history.seal();
                self.stroke = stroke(vec![]).map(|s| Stroke { who, ..s });
            }
            Tool::Paint => self.stroke = stroke(brush::under(at, self.size)),
            Tool::Line | Tool::Box | Tool::Area => self.stroke = stroke(vec![at]),
            Tool::Fill => {
                self.stroke = stroke(brush::alike(self, at));
                self.end();
            }
            Tool::Pick => self.pick(at),
            Tool::Sight => self.pin = (!erases).then_some(at),
            Tool::Place if erases => {
                if let Some(who) = self.unit_at(at) {
                    self.chosen = Chosen::Unit(who);
                    self.apply(&EditorCommand::Remove);
                }
            }
            Tool::Place => self.place(at),
            Tool::Copy | Tool::Move if erases => self.clip = None,
            Tool::Copy | Tool::Move if self.clip.is_some() => self.put_area(at),
            Tool::Copy | Tool::Move => self.stroke = stroke(vec![at]),
        }
    }

    fn reach(&mut self, at: Cell, straight: bool) {
        self.cursor = Some(at);
        let (tool, size, hollow) = (self.tool, self.size, self.is_hollow);
        let Some(stroke) = &mut self.stroke else {
            return;
        };
        let mut to = at;
        if straight && matches!(tool, Tool::Paint | Tool::Line) {
            let (dx, dy) = ((at.x - stroke.from.x).abs(), (at.y - stroke.from.y).abs());
            match dx >= dy {
                true => to.y = stroke.from.y,
                false => to.x = stroke.from.x,
            }
        }
        let before = std::mem::replace(&mut stroke.to, to);
        match tool {
            Tool::Paint => {
                let all = brush::line(before, to).into_iter();
                for cell in all.flat_map(|cell| brush::under(cell, size)) {
                    if !stroke.cells.contains(&cell) {
                        stroke.cells.push(cell);
                    }
                }
            }
            Tool::Line => {
                let all = brush::line(stroke.from, to);
                let all: BTreeSet<Cell> = all.iter().flat_map(|c| brush::under(*c, size)).collect();
                stroke.cells = all.into_iter().collect();
            }
            Tool::Box => stroke.cells = brush::square(stroke.from, to, straight != hollow),
            Tool::Area | Tool::Copy | Tool::Move => {
                stroke.cells = brush::square(stroke.from, to, false)
            }
            _ => {}
        }
    }

    fn end(&mut self) {
        let Some(stroke) = self.stroke.take() else {
            return;
        };
        if let Some(who) = stroke.who {
            if stroke.to != stroke.from {
                self.put(who, stroke.to);
            }
            return;
        }
        match (self.tool, stroke.erases) {
            (Tool::Area, erases) => self.mark(&stroke.cells, erases),
            (Tool::Copy | Tool::Move, _) => self.take_area(&stroke.cells),
            (_, true) => self.paint(&stroke.cells, &Brush::floor()),
            (_, false) => self.paint(&stroke.cells, &self.brush.clone()),
        }
    }

    /// Applies a ground brush to cells.
    fn paint(&mut self, cells: &[Cell], brush: &Brush) {
        let Some(board) = self.board() else { return };
        let mut changes = vec![];
        for &cell in cells {
            let Some(now) = self.ground_at(cell) else {
                continue;
            };
            let Some(mut ground) = brush.on(&now, self) else {
                continue;
            };
            if let Feature::Window(axis) | Feature::Slit(axis) = &mut ground.0.feature
                && matches!(brush, Brush::Ground(_))
            {
                *axis = brush::opening(&board, cell);
            }
            let own = match brush {
                Brush::LegendChar(c) => Some(*c),
                _ => None,
            };
            // Cells that already look like this keep their character.
            if ground != now || own.is_some() {
                changes.push((cell, ground, own));
            }
        }
        if changes.is_empty() {
            return;
        }
        let title = brush.title().to_lowercase();
        let what = match &changes[..] {
            [(cell, ..)] => format!("{title} at {}", named(*cell)),
            [(first, ..), ..] => {
                format!("{title} in {} cells from {}", changes.len(), named(*first))
            }
            [] => title,
        };
        self.edit(what, None, |doc| {
            let mut painted = vec![];
            for (cell, ground, own) in changes {
                let c = match own {
                    Some(c) => c,
                    None => doc.char_for(&ground)?,
                };
                painted.push((cell, c));
            }
            doc.paint(&painted)
        });
    }

    /// Adds cells to the area that the brush marks, or removes them if `takes_out`.
    fn mark(&mut self, cells: &[Cell], takes_out: bool) {
        if self.brush == Brush::Note {
            return match takes_out {
                true => self.remove_notes(cells),
                false => self.add_note(cells.last().copied()),
            };
        }
        let root = At::root();
        let ids = self.side_ids();
        if let Brush::Start(n) | Brush::Exit(n) = &self.brush
            && *n >= ids.len()
        {
            return;
        }
        let (what, at) = match &self.brush {
            Brush::Start(n) => {
                let at = root.field("sides").nth(*n).field("start");
                (format!("start of {}", ids[*n]), at)
            }
            Brush::Goal(n) => ("area of a goal".into(), goal_area(*n)),
            Brush::Exit(n) => {
                let exits = root.field("exits");
                let is_own = |i: &usize| {
                    let sides = exits.nth(*i).field("sides");
                    let is_it = self.doc.string(&sides.nth(0)) == Some(ids[*n].as_str());
                    self.doc.count(&sides) == 1 && is_it
                };
                let found = (0..self.doc.count(&exits)).find(is_own);
                let what = format!("exit of {}", ids[*n]);
                match found {
                    Some(i) => (what, exits.nth(i).field("at")),
                    None if takes_out => return,
                    None => {
                        let area = written_area(&cells.iter().copied().collect());
                        let entry = format!("(at: {area}, sides: [{:?}])", ids[*n]);
                        self.edit(what, None, |doc| doc.push(&exits, &entry));
                        return;
                    }
                }
            }
            _ => {
                self.message = Some("Choose a start, exit, goal or note on the left first.".into());
                return;
            }
        };
        let mut area: BTreeSet<Cell> = self.doc.area(&at).into_iter().collect();
        match takes_out {
            true => area.retain(|c| !cells.contains(c)),
            false => area.extend(cells),
        }
        let is_exit = matches!(self.brush, Brush::Exit(_));
        self.edit(what, None, |doc: &mut Document| {
            if !area.is_empty() {
                return doc.set(&at, &written_area(&area));
            }
            match is_exit {
                true => doc.remove(&at.parent()),
                false => doc.remove(&at),
            }
        });
    }

    /// Adds a note about a cell or about the whole level, and shows the form where its text is
    /// written.
    fn add_note(&mut self, cell: Option<Cell>) {
        let (entry, what) = match cell {
            Some(cell) => {
                let entry = format!("(text: \"Note\", at: ({}, {}))", cell.x, cell.y);
                (entry, format!("note at {}", named(cell)))
            }
            None => (String::from("(text: \"Note\")"), String::from("note")),
        };
        let notes = At::root().field("notes");
        self.edit(what, None, |doc| doc.push(&notes, &entry));
        self.chosen = Chosen::Level;
    }

    fn remove_notes(&mut self, cells: &[Cell]) {
        let notes = self.notes().into_iter();
        let here = notes.filter(|note| note.cell.is_some_and(|at| cells.contains(&at)));
        // The last one first, because the indices of later ones change.
        for note in here.rev() {
            self.edit("removal of a note", None, |doc| doc.remove(&note.entry));
        }
    }

    fn pick(&mut self, at: Cell) {
        if let Some(who) = self.unit_at(at)
            && let Some(level) = &self.level
        {
            let combatant = &level.combatants[who];
            let side = usize::from(combatant.side.0);
            self.take(Brush::Unit(combatant.creature.id.clone(), side));
        } else if let Some(c) = self.doc.char_at(at) {
            let now = self.ground_at(at);
            let kinds = TerrainKind::GROUND.into_iter();
            let plain = kinds.chain(TerrainKind::OPENINGS).find(|kind| {
                let all = [Axis::X, Axis::Y].map(|axis| (kind.ground(0, axis), 0));
                now.as_ref().is_some_and(|now| all.contains(now))
            });
            self.take(plain.map_or(Brush::LegendChar(c), Brush::Ground));
        }
    }

    fn place(&mut self, at: Cell) {
        let Brush::Unit(kind, side) = self.brush.clone() else {
            self.message = Some("Choose a unit on the left first.".into());
            return;
        };
        let ids = self.side_ids();
        let Some(side) = ids.get(side).or(ids.first()).cloned() else {
            return;
        };
        let what = format!("new {} at {}", kind.replace('_', " "), named(at));
        let who = self.edit(what, None, |doc| doc.add_unit(&kind, &side, at));
        self.chosen = who.map_or(self.chosen, Chosen::Unit);
    }

    fn put(&mut self, who: usize, to: Cell) {
        let what = format!("move of {} to {}", self.name_of(who), named(to));
        let now = self.edit(what, None, |doc| doc.move_unit(who, to));
        self.chosen = now.map_or(self.chosen, Chosen::Unit);
        self.cursor = Some(to);
    }

    fn nudge(&mut self, x: i16, y: i16) {
        if let Chosen::Unit(who) = self.chosen
            && let Some(space) = self.space(who)
        {
            let to = space.at.offset(x, y);
            if self.board().is_some_and(|board| board.contains(to)) {
                self.put(who, to);
            }
        }
    }

    fn another(&mut self) {
        let Chosen::Unit(who) = self.chosen else {
            return;
        };
        let Some(cell) = self.free_cell(who, |_| true) else {
            self.message = Some("No free cell left.".into());
            return;
        };
        let what = format!("another {}", self.name_of(who));
        let now = self.edit(what, None, |doc| doc.add_like(who, cell));
        self.chosen = now.map_or(self.chosen, Chosen::Unit);
    }

    /// Turns the opening or the door under the cursor by 90 degrees.
    fn turn(&mut self) {
        let Some((cell, (mut ground, fog))) =
            self.cursor.and_then(|c| Some((c, self.ground_at(c)?)))
        else {
            return;
        };
        let other = |axis: Axis| if axis == Axis::X { Axis::Y } else { Axis::X };
        let what;
        (what, ground.feature) = match ground.feature {
            Feature::Window(axis) => ("turn of the window", Feature::Window(other(axis))),
            Feature::Slit(axis) => ("turn of the slit", Feature::Slit(other(axis))),
            Feature::Door { open: true } => ("closed door", Feature::Door { open: false }),
            Feature::Door { open: false } => ("open door", Feature::Door { open: true }),
            _ => {
                self.message = Some("Only windows, slits and doors can be turned.".into());
                return;
            }
        };
        let what = format!("{what} at {}", named(cell));
        self.edit(what, None, |doc| doc.change_cell(cell, &(ground, fog)));
    }
}

/// A cell as text in a history entry: "7,3".
fn named(cell: Cell) -> String {
    format!("{},{}", cell.x, cell.y)
}
