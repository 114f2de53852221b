//! The file of the edited level. It is saved completely or not at all, and never
//! overwrites changes from outside without asking.

use super::{command::EditorCommand, state::EditorState};
use crate::{
    files,
    levels::{Level, edit::lines, own::place_for},
    ui::{
        Options, Phase, Screen,
        app_command::{AppCommand, Replies},
        art::{hud::Panel, palette},
        entry::entry,
        home,
        modal::spawn_modal,
        own::Own,
        theme::{TextStyle, body_text, heading_text, text},
        widgets::{
            NodeExt, SpawnWith, card, despawn_all, message_button, panel_button, panel_style, row,
            rule, word_button,
        },
    },
};
use bevy::{ecs::system::SystemParam, prelude::*, text::EditableText};
use std::{
    io,
    path::{Path, PathBuf},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenQuestion>();
    app.add_systems(
        Update,
        (watch.in_set(Phase::Input), show.in_set(Phase::Draw)).run_if(in_state(Screen::Editor)),
    );
    app.add_observer(save_as_typed);
}

/// What to do when the file has changed outside the editor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeChoice {
    /// Merge both changes.
    Merge,
    /// Keep the editor's text; saving will overwrite the file.
    Mine,
    /// Load the text of the file; undo restores the editor's text.
    Theirs,
}

/// The question about the file that the player is asked now, if any.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct OpenQuestion {
    question: Option<FileQuestion>,
    /// When to check the file for changes next, in seconds since the game started.
    next_check: f32,
}

#[derive(Clone, PartialEq, Debug)]
enum FileQuestion {
    /// Ask for a file name; the text says why.
    Name(String),
    Leave,
    Changed {
        theirs: String,
        merged: Option<String>,
    },
}

/// The system parameters that file operations need.
#[derive(SystemParam)]
pub(super) struct Files<'w> {
    own: Res<'w, Own>,
    asked: ResMut<'w, OpenQuestion>,
}

/// The file that a level was read from: one of your levels, or the file given on the
/// command line. `None` if the file no longer contains the level's text.
pub(super) fn file_of(own: &Own, options: &Options, level: &Level) -> Option<PathBuf> {
    let all = own.0.all().iter();
    let of_own = |own: &&crate::levels::own::OwnLevel| {
        let is_it = |l: &std::sync::Arc<Level>| l.source == level.source;
        own.level().is_some_and(is_it) && own.path.is_file()
    };
    let found = all.clone().find(of_own).map(|own| own.path.clone());
    let given = options.level.as_ref().is_some_and(|l| l.id == level.id);
    let found = found.or_else(|| options.file.clone().filter(|_| given));
    let says = |path: &PathBuf| text_of(path).is_ok_and(|text| text == *level.source);
    found.filter(says)
}

fn text_of(path: &Path) -> io::Result<String> {
    files::read_text(path, files::LEVEL_BYTES)
}

/// Opens a level file. `None` if it cannot be read, or is too damaged to be parsed
/// into pieces.
pub fn read(path: &Path) -> Option<EditorState> {
    let text = text_of(path).ok()?;
    let id = path.file_stem()?.to_string_lossy();
    EditorState::open(&id, &text, Some(path.to_owned()))
}

impl Files<'_> {
    pub fn save(&mut self, state: &mut EditorState) {
        let Some(path) = state.file.clone() else {
            let why = match state.history.saved().is_empty() {
                true => "",
                false => "This level comes with the game: save a copy in your own levels.",
            };
            return self.asked.ask(FileQuestion::Name(why.into()));
        };
        match text_of(&path) {
            Ok(there) if there != **state.history.saved() => {
                return self.asked.changed(state, there);
            }
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                let why = format!("{}: {e}.", path.display());
                return self.asked.ask(FileQuestion::Name(why));
            }
            _ => {}
        }
        self.write(state, &path);
    }

    pub fn save_as(&mut self, state: &mut EditorState, name: &str) {
        let id = name.trim().trim_end_matches(".ron");
        let id = id.replace([' ', '-'], "_");
        let Some(folder) = self.own.folder() else {
            state.message = Some("There is no folder to save it in.".into());
            return;
        };
        if id.is_empty() {
            return;
        }
        let path = folder.join(format!("{id}.ron"));
        if path.exists() {
            let why = format!("A level named {id} already exists.");
            return self.asked.ask(FileQuestion::Name(why));
        }
        self.write(state, &path);
        if state.file.as_ref() == Some(&path) {
            state.id = id;
            state.renew();
        }
    }

    fn write(&mut self, state: &mut EditorState, path: &Path) {
        let text = state.history.text().clone();
        match home::write(path, &text) {
            Ok(()) => {
                state.history.mark_saved(&text);
                state.file = Some(path.to_owned());
                state.message = Some(format!("Saved: {}", path.display()));
                state.revision += 1;
                self.forget();
            }
            Err(why) => self.asked.ask(FileQuestion::Name(format!("{why}."))),
        }
    }

    pub fn resolve(&mut self, state: &mut EditorState, what: &MergeChoice) {
        let Some(FileQuestion::Changed { theirs, merged }) = self.asked.question.take() else {
            return;
        };
        match (what, merged) {
            (MergeChoice::Merge, Some(both)) => state.replace(&both, "merge with the file"),
            (MergeChoice::Theirs, _) => state.replace(&theirs, "take the file's version"),
            _ => {}
        }
        // The file has this text now, so it is the new baseline for changes.
        state.history.mark_saved(&theirs);
        state.revision += 1;
    }

    pub fn ask_to_leave(&mut self) {
        self.asked.ask(FileQuestion::Leave);
    }

    pub fn forget(&mut self) {
        self.asked.question = None;
    }
}

impl OpenQuestion {
    fn ask(&mut self, question: FileQuestion) {
        self.question = Some(question);
    }

    /// Handles a file whose text is no longer the one that was read or saved.
    fn changed(&mut self, state: &mut EditorState, theirs: String) {
        if state.history.is_saved() {
            state.replace(&theirs, "changes from outside");
            state.history.mark_saved(&theirs);
            state.message = Some("The file changed outside; reloaded.".into());
            return;
        }
        let merged = lines::merge(state.history.saved(), state.history.text(), &theirs);
        self.ask(FileQuestion::Changed { theirs, merged });
    }
}

/// Seconds between two checks of the file.
const CHECK_SECONDS: f32 = 1.0;

fn watch(time: Res<Time<Real>>, mut asked: ResMut<OpenQuestion>, mut state: ResMut<EditorState>) {
    let now = time.elapsed_secs();
    if now < asked.next_check || asked.question.is_some() {
        return;
    }
    asked.bypass_change_detection().next_check = now + CHECK_SECONDS;
    let there = state.file.as_ref().and_then(|file| text_of(file).ok());
    let Some(there) = there else { return };
    if there != **state.history.saved() && !there.is_empty() {
        asked.changed(&mut state, there);
    }
}

/// The card that shows the question.
#[derive(Component)]
pub struct FileCard;

/// The text field for the file name.
#[derive(Component)]
pub struct NameEntry;

/// The button that saves under the typed name.
#[derive(Component)]
pub struct SaveNamed;

fn save_as_typed(
    on: On<bevy::ui_widgets::Activate>,
    buttons: Query<(), With<SaveNamed>>,
    names: Query<&EditableText, With<NameEntry>>,
    mut out: MessageWriter<EditorCommand>,
    mut asked: ResMut<OpenQuestion>,
) {
    if buttons.contains(on.entity)
        && let Ok(name) = names.single()
    {
        asked.question = None;
        out.write(EditorCommand::SaveAs(name.value().to_string()));
    }
}

/// The most changed lines that the card shows.
const MAX: usize = 8;

fn show(
    mut asked: ResMut<OpenQuestion>,
    state: Res<EditorState>,
    old: Query<Entity, With<FileCard>>,
    mut app_commands: MessageReader<AppCommand>,
    mut commands: Commands,
) {
    // Escape closes the card.
    if app_commands.read().any(|c| *c == AppCommand::Close) && asked.question.is_some() {
        asked.question = None;
    }
    if !asked.is_changed() {
        return;
    }
    despawn_all(&mut commands, &old);
    let Some(question) = &asked.question else {
        return;
    };
    let replies = Replies::new(None, AppCommand::Close);
    let root = (FileCard, replies, DespawnOnExit(Screen::Editor));
    let node = card().width(px(520)).max_width(percent(90)).row_gap(6.0);
    let card = (node, panel_style(Panel::CardActive));
    spawn_modal(&mut commands, ("File card", 80), root, card, |card| {
        fill(card, question, &state);
    });
}

fn fill(card: &mut ChildSpawnerCommands, question: &FileQuestion, state: &EditorState) {
    let heading = match question {
        FileQuestion::Name(_) => "Save as",
        FileQuestion::Leave => "Leave without saving?",
        FileQuestion::Changed { .. } => "The file changed outside",
    };
    card.spawn(heading_text(heading));
    card.spawn(rule());
    let mut answers: Vec<(&str, Panel, EditorCommand)> = vec![];
    match question {
        FileQuestion::Name(why) => {
            if !why.is_empty() {
                card.spawn(body_text(why.clone()));
            }
            let takes = |c: char| c.is_ascii_alphanumeric() || "_- ".contains(c);
            let root = crate::levels::edit::At::root();
            let title = state.doc.string(&root.field("title"));
            let given = match (&state.file, title) {
                (Some(_), _) => format!("{}_2", state.id),
                // The suggested name of a new level's file comes from its title.
                (None, Some(title)) if state.history.saved().is_empty() => {
                    let path = place_for(Path::new(""), title);
                    let stem = path.file_stem().unwrap_or_default();
                    stem.to_string_lossy().into_owned()
                }
                _ => state.id.clone(),
            };
            let entry = entry("File name of the level", &given, 300.0, 40, takes);
            card.spawn((NameEntry, entry));
        }
        FileQuestion::Leave => {
            let n = lines::changes(state.history.saved(), state.history.text());
            let words = format!("{} not saved.", crate::words::count(n, "changed line"));
            card.spawn(body_text(words));
            let discard = EditorCommand::Leave { sure: true };
            answers.push(("Save", Panel::ButtonPrimary, EditorCommand::Save));
            answers.push(("Discard", Panel::ButtonDanger, discard));
        }
        FileQuestion::Changed { theirs, merged } => {
            let base = state.history.saved();
            let own = lines::changes(base, state.history.text());
            let other = lines::changes(base, theirs);
            let words = match merged {
                Some(_) => "They can be merged: they change different lines.",
                None => "Both change the same lines. Choose one; undo brings back the other.",
            };
            let count = |n| crate::words::count(n, "line");
            let (own, other) = (count(own), count(other));
            let words = format!("File: {other} changed, here: {own}. {words}");
            card.spawn(body_text(words));
            let all: Vec<&str> = theirs.lines().collect();
            let new = lines::compare(base, theirs);
            let new = new.iter().filter_map(|line| match line {
                lines::DiffLine::New(n) => Some(format!("{}  {}", n + 1, all[*n].trim())),
                _ => None,
            });
            for line in new.take(MAX) {
                card.spawn(text(line, TextStyle::Small, palette::AMBER));
            }
            let merge = ("Merge both", Panel::ButtonPrimary, MergeChoice::Merge);
            let mine = ("Keep mine", Panel::Button, MergeChoice::Mine);
            let theirs = ("Take theirs", Panel::Button, MergeChoice::Theirs);
            for (words, panel, what) in merged.iter().map(|_| merge).chain([mine, theirs]) {
                answers.push((words, panel, EditorCommand::MergeChoice(what)));
            }
        }
    }
    card.spawn_with(row(8.0).margin_top(10.0), |buttons| {
        for (words, panel, command) in answers {
            panel_button(buttons, (words, panel), command);
        }
        if matches!(question, FileQuestion::Name(_)) {
            buttons.spawn((word_button("Save", Panel::ButtonPrimary), SaveNamed));
        }
        message_button(buttons, "Cancel (Esc)", AppCommand::Close);
    });
}
