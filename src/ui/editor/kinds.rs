//! The forms of the kinds of creature that the level itself defines.

use super::{
    command::EditorCommand,
    fields,
    form::{KnownFigures, figures, head},
    panel::{
        FileField, heading, line, lone, set, small, text_entry, text_line, tip, typed, wrapped,
    },
    state::{Chosen, EditorState},
};
use crate::{
    battle::capitalised,
    content::{Colour, Creature, Look, schema},
    levels::edit::At,
    ui::{
        art::palette,
        hud::SmallPictures,
        pictures::SmallPicture,
        theme::{TextStyle, faded, heading_text, text},
        widgets::{NodeExt, SpawnWith, row, rule},
    },
};
use bevy::prelude::*;
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.add_observer(typed::<Names>);
}

/// A text field for the name of a kind or a side. Its id in the file is derived from
/// the name.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    Kind(usize),
    Side(usize),
}

impl FileField for Names {
    fn now<'a>(&self, state: &'a EditorState) -> &'a str {
        let found = match self {
            Self::Kind(nth) => kind(state, *nth).map(|(_, kind)| &*kind.name),
            Self::Side(nth) => side_name(state, *nth),
        };
        found.unwrap_or_default()
    }

    fn write(&self, value: &str) -> Option<EditorCommand> {
        (!value.trim().is_empty()).then(|| EditorCommand::Name(*self, value.into()))
    }
}

/// The display name of a side.
pub(super) fn side_name(state: &EditorState, nth: usize) -> Option<&str> {
    Some(&state.level.as_ref()?.sides.get(nth)?.name)
}

/// A kind that the level defines, and the path to its entry in the file.
fn kind(state: &EditorState, nth: usize) -> Option<(At, &Arc<Creature>)> {
    let at = state.doc.own_kind_at(nth)?;
    let id = state.doc.own_kinds().get(nth)?.clone();
    Some((at, state.level.as_ref()?.content.creatures.get(&id)?))
}

/// The list of the level's own kinds, with a button that adds one.
pub(super) fn all(form: &mut ChildSpawnerCommands, state: &EditorState, icons: &mut SmallPictures) {
    form.spawn(heading_text("Own kinds"));
    form.spawn(rule());
    let ids = state.doc.own_kinds();
    for (nth, id) in ids.iter().enumerate() {
        let level = state.level.as_ref();
        let found = level.and_then(|l| l.content.creatures.get(id));
        form.group(row(8.0), |line| {
            if let Some(creature) = found {
                let portrait = SmallPicture::Portrait(super::palette::portrait(creature, 1), false);
                line.spawn(icons.square(portrait, 32.0));
            }
            let words = found.map_or_else(|| id.clone(), |kind| capitalised(&kind.name));
            let editor_command = EditorCommand::Choose(Chosen::Kind(nth));
            line.spawn(small(&words, false, editor_command));
        });
    }
    if ids.is_empty() {
        form.spawn(faded("This level has no kinds of its own yet."));
    }
    heading(form, "Add one", "");
    let words = match state.picks_kind {
        true => "pick on the left",
        false => "Copy a kind",
    };
    let about = "Copy a kind from the list on the left under a new name";
    let pick = small(words, state.picks_kind, EditorCommand::PickKind);
    lone(form, (pick, tip(about)));
    let words = "Then change it, and place it from the top of the list on the left.";
    form.spawn(faded(words));
}

/// The form of one of the level's own kinds.
pub(super) fn one(
    form: &mut ChildSpawnerCommands,
    state: &EditorState,
    nth: usize,
    search: &str,
    icons: &mut SmallPictures,
    known: &mut KnownFigures,
) {
    let Some((at, creature)) = kind(state, nth) else {
        form.spawn(text("No such kind.", TextStyle::Small, palette::INK));
        return;
    };
    let Some(level) = &state.level else { return };
    let like = state.doc.string(&at.field("like"));
    let usual = like.and_then(|like| level.content.creatures.get(like));
    let usual = usual.cloned();
    let like = usual.as_ref().map(|kind| kind.name.to_lowercase());
    let like = like.map_or(String::new(), |kind| format!("like {kind}, "));
    let about = format!(
        "{like}line {} of the file",
        state.doc.line(&at).unwrap_or(0)
    );
    let portrait = super::palette::portrait(creature, 1);
    head(form, icons, portrait, (&creature.name, about));
    line(form, "Name", schema::of_creature(None, "name"), |l| {
        let what = "Name that players see; the id follows it";
        let entry = text_entry(what, &creature.name, 180.0, 30);
        l.spawn((Names::Kind(nth), entry));
    });
    let label = ("Title", schema::of_creature(None, "title"));
    let entry = ("Role in one or two words; empty: unchanged", 180.0, 30);
    let written = (at.field("title"), format!("title of {}", creature.name));
    text_line(form, state, label, entry, written);
    line(form, "Size", schema::of_creature(None, "size"), |l| {
        for cells in 1..=4_u8 {
            let is_on = creature.size == cells;
            let what = format!("size of {}", creature.name);
            let command = set(at.field("size"), cells.to_string(), what);
            l.spawn(small(&cells.to_string(), is_on, command));
        }
    });
    line(form, "Colour", schema::of_creature(None, "look"), |l| {
        for colour in Colour::ALL {
            let look = match creature.look {
                Look::Token { icon, .. } => format!("Token({icon:?}, {colour:?})"),
                Look::Meeple { .. } => format!("Meeple({colour:?})"),
            };
            let is_on = creature.look.colour() == colour;
            let editor_command = set(at.field("look"), look, format!("look of {}", creature.name));
            l.spawn(small(&format!("{colour:?}"), is_on, editor_command));
        }
    });
    let of = fields::Of {
        at: at.clone(),
        creature,
        usual: usual.clone(),
        shows: fields::Shows::Usual,
    };
    fields::put(form, state, &of, search);
    figures(form, level, creature, usual.as_ref(), &[], known);
    let node = wrapped(4.0).margin_top(8.0);
    form.group(node, |foot| {
        let brush = super::brush::Brush::Unit(creature.id.clone(), state.brush_side());
        let about = "Place one where you click on the map";
        super::palette::brush_button(foot, state, "Place it", (brush, about));
        let about = "Add a copy of this kind";
        let editor_command = EditorCommand::CopyKind(creature.id.clone());
        foot.spawn((small("Copy", false, editor_command), tip(about)));
        let about = "Delete this kind; its units become the kind it copies";
        let editor_command = EditorCommand::RemoveKind(nth);
        foot.spawn((small("Remove", false, editor_command), tip(about)));
        let editor_command = EditorCommand::Choose(Chosen::Kinds);
        foot.spawn(small("All kinds", false, editor_command));
    });
}
