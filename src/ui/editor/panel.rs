//! The widgets that the editor's panels are built from.

use super::{Drawing, command::EditorCommand, state::EditorState};
use crate::{
    levels::edit::{At, quoted},
    ui::{
        art::{
            hud::Panel,
            palette::{self, Rgb},
        },
        entry::{entry, keep_typed},
        theme::{TextStyle, faded, one_line, strong_text, text},
        widgets::{
            NodeExt, SendOnPress, SpawnWith, Tip, button, fill_width, rigid, row, wrapping_row,
        },
    },
};
use bevy::{
    prelude::*,
    text::{EditableText, TextEdit, TextEditChange},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Searches>();
    keep_typed::<PaletteSearch, Searches>(app, |all, words| all.palette = words.to_lowercase());
    keep_typed::<FormSearch, Searches>(app, |all, words| all.form = words.to_lowercase());
    app.add_observer(typed::<Writes>);
    app.add_systems(Update, show_undone.in_set(Drawing));
}

/// The search field that filters the tiles and kinds on the left.
#[derive(Component)]
pub(super) struct PaletteSearch;

/// The search field that filters the numbers of a kind in the form.
#[derive(Component)]
pub struct FormSearch;

/// What is typed into the search fields, in lower case.
#[derive(Resource, Default)]
pub(super) struct Searches {
    pub palette: String,
    pub form: String,
}

/// A text field that writes what is typed to a path in the file.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Writes {
    pub at: At,
    /// The value is written in quotes; otherwise as typed.
    pub is_text: bool,
    pub what: String,
}

/// A text field whose text is part of the file.
pub(super) trait FileField: Component {
    /// The current value in the file.
    fn now<'a>(&self, state: &'a EditorState) -> &'a str;

    /// The command that writes another value.
    fn write(&self, value: &str) -> Option<EditorCommand>;
}

impl FileField for Writes {
    fn now<'a>(&self, state: &'a EditorState) -> &'a str {
        let now = match self.is_text {
            true => state.doc.string(&self.at),
            false => state.doc.raw(&self.at),
        };
        now.unwrap_or_default()
    }

    fn write(&self, value: &str) -> Option<EditorCommand> {
        let Self { at, is_text, what } = self.clone();
        let value = match (is_text, value.trim()) {
            (_, "") => return Some(EditorCommand::Unset { at, what }),
            (true, words) => quoted(words),
            (false, words) => words.into(),
        };
        Some(EditorCommand::Type { at, value, what })
    }
}

/// Shows an undo in the fields of the form, which is not rebuilt while a field has
/// the focus.
fn show_undone(
    mut editor_commands: MessageReader<EditorCommand>,
    mut lines: Query<(&mut EditableText, &Writes)>,
    state: Res<EditorState>,
) {
    let undoes =
        |command: &&EditorCommand| matches!(command, EditorCommand::Undo | EditorCommand::Redo);
    if editor_commands.read().filter(undoes).count() == 0 {
        return;
    }
    for (mut line, writes) in &mut lines {
        let now = writes.now(&state).trim();
        if line.value().to_string().trim() != now {
            // Set the text directly instead of as an edit: it may be longer than the
            // field accepts.
            line.editor_mut().set_text(now);
            line.queue_edit(TextEdit::TextEnd(false));
        }
    }
}

/// Writes what is typed into a field.
pub(super) fn typed<F: FileField>(
    on: On<TextEditChange>,
    entries: Query<(&EditableText, &F)>,
    state: Option<Res<EditorState>>,
    mut out: MessageWriter<EditorCommand>,
) {
    let (Ok((text, field)), Some(state)) = (entries.get(on.event_target()), state) else {
        return;
    };
    let value = text.value().to_string();
    // The first change event only reports the initial text, not something typed.
    if field.now(&state).trim() != value.trim() {
        out.write_batch(field.write(&value));
    }
}

/// A small text button, lit if `is_on`.
pub(super) fn small(words: &str, is_on: bool, command: EditorCommand) -> impl Bundle {
    let node = Node::default().min_height(px(25)).padding(7.0, 1.0);
    let panel = Panel::Button.active_if(is_on);
    let words = one_line(words, TextStyle::Label, palette::INK);
    (button(panel, node), SendOnPress(command), children![words])
}

/// A line with a single button.
pub(super) fn lone(to: &mut ChildSpawnerCommands, button: impl Bundle) {
    to.group(wrapped(3.0), |line| {
        line.spawn(button);
    });
}

/// The heading of a section of a panel.
pub(super) fn heading(to: &mut ChildSpawnerCommands, words: &str, aside: &str) {
    let node = rigid(row(8.0).align(AlignItems::Baseline).margin_top(6.0));
    to.group(node, |line| {
        line.spawn(strong_text(words));
        if !aside.is_empty() {
            line.spawn(faded(aside));
        }
    });
}

/// A row whose items wrap.
pub(super) fn wrapped(gap: f32) -> Node {
    rigid(wrapping_row(gap, gap))
}

/// The node of a row's label: a fixed width, so that the values line up.
pub(super) fn label() -> Node {
    rigid(Node::default().min_width(px(62)))
}

/// A row of a form: label, tooltip, and the value that `fill` spawns.
pub(super) fn line(
    to: &mut ChildSpawnerCommands,
    words: &str,
    meaning: Option<String>,
    fill: impl FnOnce(&mut ChildSpawnerCommands),
) {
    to.group(rigid(row(8.0)), |line| {
        let about = meaning.map_or(Tip::default(), Tip::text);
        line.spawn((label(), about, children![faded(words)]));
        line.group(fill_width(wrapping_row(4.0, 4.0)), fill);
    });
}

pub(super) fn tip(words: &str) -> Tip {
    Tip::text(words)
}

/// A text field that edits a field of the file.
pub(super) fn field(
    to: &mut ChildSpawnerCommands,
    (what, width, most): (&str, f32, usize),
    now: &str,
    writes: Writes,
) {
    to.spawn((writes, text_entry(what, now, width, most)));
}

/// A text field for one line of any text.
pub(super) fn text_entry(what: &str, now: &str, width: f32, most: usize) -> impl Bundle {
    entry(what, now, width, most, |c| !c.is_control())
}

/// A row with a text field for the text at a path in the file.
pub(super) fn text_line(
    to: &mut ChildSpawnerCommands,
    state: &EditorState,
    (label, meaning): (&str, Option<String>),
    entry: (&str, f32, usize),
    (at, what): (At, String),
) {
    line(to, label, meaning, |l| {
        let now = state.doc.string(&at).unwrap_or_default();
        let is_text = true;
        field(l, entry, now, Writes { at, is_text, what });
    });
}

/// A stepper: `−` number `+`.
pub(super) fn stepper(
    to: &mut ChildSpawnerCommands,
    now: i32,
    ink: Rgb,
    command: impl Fn(i32) -> EditorCommand,
) {
    to.group(rigid(row(3.0)), |all| {
        all.spawn(small("\u{2212}", false, command(now - 1)));
        let node = Node::default().min_width(px(26)).centred();
        let number = text(crate::words::numeral(now), TextStyle::Strong, ink);
        all.spawn((node, children![number]));
        all.spawn(small("+", false, command(now + 1)));
    });
}

/// The command that removes the value at a path in the file.
pub(super) fn unset(at: At, what: impl Into<String>) -> EditorCommand {
    let what = what.into();
    EditorCommand::Unset { at, what }
}

/// The command of a button for one value of a field: it sets the value, or removes the field if
/// that is its value now.
pub(super) fn toggle(
    at: At,
    is_on: bool,
    value: impl Into<String>,
    what: impl Into<String>,
) -> EditorCommand {
    match is_on {
        true => unset(at, what),
        false => set(at, value, what),
    }
}

/// The command that sets the value at a path in the file.
pub(super) fn set(at: At, value: impl Into<String>, what: impl Into<String>) -> EditorCommand {
    EditorCommand::Set {
        at,
        value: value.into(),
        what: what.into(),
    }
}
