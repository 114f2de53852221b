//! Text fields: Bevy's text input with the game's look, and the editing keys and
//! pasting of other programs.

use super::{
    art::palette,
    input::KeyLabel,
    theme::{self, TextStyle, colour},
    widgets::{NodeExt, Tip, rigid},
};
use bevy::{
    clipboard::Clipboard,
    ecs::component::Mutable,
    input::{
        ButtonState, InputSystems,
        keyboard::{Key as Logical, KeyboardInput},
    },
    input_focus::{FocusedInput, InputFocus, InputFocusSystems},
    picking::events::Press,
    prelude::*,
    text::{
        EditableText, EditableTextFilter, TextCursorStyle, TextEdit, TextEditChange,
        apply_text_edits,
    },
};
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Modifiers>();
    app.add_observer(leave_on_press)
        .add_observer(add_missing_keys)
        .add_observer(follow_modifiers);
    app.add_systems(
        PreUpdate,
        (
            rewind_modifiers
                .after(InputSystems)
                .before(InputFocusSystems::Dispatch),
            restore_modifiers.after(InputFocusSystems::Dispatch),
        ),
    );
    app.add_systems(PostUpdate, paste.before(apply_text_edits));
}

/// The characters that a text field accepts.
#[derive(Component, Clone)]
struct AcceptedChars(Arc<dyn Fn(char) -> bool + Send + Sync>);

/// A single-line text field: `what` is its purpose, `most` its greatest number of
/// characters, and `accepts` decides which characters it accepts.
pub fn entry(
    what: &str,
    text: &str,
    width: f32,
    most: usize,
    accepts: impl Fn(char) -> bool + Send + Sync + 'static,
) -> impl Bundle {
    let node = rigid(
        Node::default()
            .size(width, 34.0)
            .padding(8.0, 5.0)
            .border(theme::LINE)
            .rounded(BorderRadius::all(px(theme::RADIUS))),
    );
    let accepts = Arc::new(accepts);
    let by_key = accepts.clone();
    let filter = EditableTextFilter::new(move |c| by_key(c));
    let editable = EditableText {
        max_characters: Some(most),
        ..EditableText::new(text)
    };
    let cursor = TextCursorStyle {
        color: colour(palette::INK),
        selection_color: colour(palette::GOLD).with_alpha(0.5),
        unfocused_selection_color: Color::NONE,
        selected_text_color: None,
    };
    (
        node,
        Tip::text(what),
        (editable, filter, AcceptedChars(accepts)),
        (TextStyle::Body.font(), TextLayout::no_wrap()),
        TextColor(colour(palette::INK)),
        cursor,
        BackgroundColor(colour(palette::WHITE)),
        BorderColor::all(colour(palette::INK)),
    )
}

/// Keeps the text of the fields with this marker in a resource while the player types. The resource
/// does not count as changed, so that no page is rebuilt meanwhile.
pub fn keep_typed<F: Component, R: Resource<Mutability = Mutable>>(
    app: &mut App,
    keep: fn(&mut R, String),
) {
    app.add_observer(
        move |on: On<TextEditChange>,
              fields: Query<&EditableText, With<F>>,
              state: Option<ResMut<R>>| {
            if let (Ok(field), Some(mut state)) = (fields.get(on.event_target()), state) {
                keep(state.bypass_change_detection(), field.value().to_string());
            }
        },
    );
}

/// Whether a text field has the focus.
pub fn is_typing(focus: Res<InputFocus>, entries: Query<(), With<EditableText>>) -> bool {
    focus.get().is_some_and(|it| entries.contains(it))
}

/// A click outside a text field ends typing.
fn leave_on_press(
    press: On<Pointer<Press>>,
    entries: Query<(), With<EditableText>>,
    mut focus: ResMut<InputFocus>,
) {
    let is_typing = focus.get().is_some_and(|it| entries.contains(it));
    if is_typing && !entries.contains(press.entity) {
        focus.clear();
    }
}

/// Pastes what the field accepts and has space for, such as the digits of a copied
/// line. Bevy pastes nothing if one character is not accepted.
fn paste(mut lines: Query<(&mut EditableText, &AcceptedChars)>, mut clipboard: ResMut<Clipboard>) {
    for (mut line, accepts) in &mut lines {
        if !line.pending_edits.contains(&TextEdit::Paste) {
            continue;
        }
        let length = |text: String| text.chars().count();
        let is_all = line.pending_edits.contains(&TextEdit::SelectAll);
        let selected = match line.editor.selected_text() {
            _ if is_all => length(line.value().to_string()),
            selected => length(selected.unwrap_or_default().to_owned()),
        };
        let stays = length(line.value().to_string()) - selected;
        let room = line.max_characters.unwrap_or(usize::MAX);
        let room = room.saturating_sub(stays);
        // There may be no clipboard, or a picture on it.
        let text = clipboard.fetch_text().poll_result();
        let text = text.and_then(Result::ok).unwrap_or_default();
        let text = text.trim().replace(['\n', '\t'], " ");
        let text: String = text
            .chars()
            .filter(|&c| (accepts.0)(c))
            .take(room)
            .collect();
        let is_empty = text.is_empty();
        let mut edits = std::mem::take(&mut line.pending_edits);
        for edit in &mut edits {
            if *edit == TextEdit::Paste {
                *edit = TextEdit::Insert(text.as_str().into());
            }
        }
        edits.retain(|edit| !is_empty || !matches!(edit, TextEdit::Insert(t) if t.is_empty()));
        line.pending_edits = edits;
    }
}

const MODIFIERS: [Logical; 4] = [
    Logical::Control,
    Logical::Shift,
    Logical::Alt,
    Logical::Super,
];

/// The modifiers held at the end of the last frame and of this one. Bevy types all
/// keys of a frame with the modifiers held at its end: after a slow frame Ctrl is
/// already released, and Ctrl+V would type a v.
#[derive(Resource, Default)]
struct Modifiers {
    before: [bool; 4],
    after: [bool; 4],
}

fn held_now(keys: &ButtonInput<Logical>) -> [bool; 4] {
    MODIFIERS.map(|key| keys.pressed(key))
}

fn hold(keys: &mut ButtonInput<Logical>, held: [bool; 4]) {
    for (key, is_held) in MODIFIERS.into_iter().zip(held) {
        match is_held {
            true => keys.press(key),
            false => keys.release(key),
        }
    }
}

/// Sets the modifiers to those at the beginning of the frame.
fn rewind_modifiers(mut keys: ResMut<ButtonInput<Logical>>, mut modifiers: ResMut<Modifiers>) {
    modifiers.after = held_now(&keys);
    hold(&mut keys, modifiers.before);
}

/// Applies the modifier keys of the frame in the order they were pressed and
/// released.
fn follow_modifiers(on: On<FocusedInput<KeyboardInput>>, mut keys: ResMut<ButtonInput<Logical>>) {
    if MODIFIERS.contains(&on.input.logical_key) {
        let key = on.input.logical_key.clone();
        match on.input.state {
            ButtonState::Pressed => keys.press(key),
            ButtonState::Released => keys.release(key),
        }
    }
}

fn restore_modifiers(mut keys: ResMut<ButtonInput<Logical>>, mut modifiers: ResMut<Modifiers>) {
    hold(&mut keys, modifiers.after);
    modifiers.before = modifiers.after;
}

/// Handles keys that Bevy's text input lacks: shortcuts in layouts without Latin
/// letters, the older clipboard shortcuts, and Space and Backspace while Shift is
/// held.
fn add_missing_keys(
    mut on: On<FocusedInput<KeyboardInput>>,
    mut lines: Query<&mut EditableText>,
    held: Res<ButtonInput<Logical>>,
) {
    let stroke = &on.input;
    let Ok(mut line) = lines.get_mut(on.focused_entity) else {
        return;
    };
    if stroke.state == ButtonState::Released || line.is_composing() {
        return;
    }
    let modifier = if cfg!(target_os = "macos") {
        Logical::Super
    } else {
        Logical::Control
    };
    let others = [Logical::Alt, Logical::Control, Logical::Super];
    if others
        .iter()
        .any(|key| *key != modifier && held.pressed(key.clone()))
    {
        return;
    }
    let (ctrl, shift) = (held.pressed(modifier), held.pressed(Logical::Shift));
    let edit = match (ctrl, shift, &stroke.logical_key) {
        (true, false, Logical::Character(c)) if !c.is_ascii() => match KeyLabel::of(stroke).key {
            Some(KeyCode::KeyA) => TextEdit::SelectAll,
            Some(KeyCode::KeyC) => TextEdit::Copy,
            Some(KeyCode::KeyV) => TextEdit::Paste,
            Some(KeyCode::KeyX) => TextEdit::Cut,
            _ => return,
        },
        (true, false, Logical::Insert) => TextEdit::Copy,
        (false, true, Logical::Insert) => TextEdit::Paste,
        (false, true, Logical::Backspace) => TextEdit::Backspace,
        (false, true, Logical::Space) => TextEdit::Insert(" ".into()),
        _ => return,
    };
    line.queue_edit(edit);
    on.propagate(false);
}
