//! Pointer and keyboard input on the board.

use super::{
    brush::{Brush, Tool},
    canvas::Canvas,
    command::EditorCommand,
    state::{Chosen, EditorState},
};
use crate::ui::{
    Phase, Screen,
    entry::is_typing,
    input::{Bindings, EditKey, Key, Layout, Repeat, Stroke, arrows, is_shifted},
    modal,
    room::Room,
};
use bevy::{
    input::{ButtonInput, mouse::MouseScrollUnit},
    input_focus::InputFocus,
    picking::{
        events::{Drag, Move, Out, Press, Release, Scroll},
        pointer::PointerButton,
    },
    prelude::*,
};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(release);
    app.add_systems(
        Update,
        keys.in_set(Phase::Input)
            .run_if(in_state(Screen::Editor))
            .run_if(modal::is_clear),
    );
}

/// Lets the board receive the pointer.
pub(super) fn observe(board: &mut EntityCommands) {
    board.observe(press).observe(over).observe(drag);
    board.observe(out).observe(scroll);
}

fn press(
    on: On<Pointer<Press>>,
    (room, canvas): (Room, Res<Canvas>),
    keys: Res<ButtonInput<KeyCode>>,
    mut out: MessageWriter<EditorCommand>,
) {
    if keys.pressed(KeyCode::Space) {
        return;
    }
    let erases = match on.button {
        PointerButton::Primary => false,
        PointerButton::Secondary => true,
        PointerButton::Middle => return,
    };
    if let Some(at) = canvas.cell_at(room.point(on.pointer_location.position)) {
        out.write(EditorCommand::Begin { at, erases });
    }
}

fn over(
    on: On<Pointer<Move>>,
    (room, canvas): (Room, Res<Canvas>),
    keys: Res<ButtonInput<KeyCode>>,
    state: Option<Res<EditorState>>,
    mut out: MessageWriter<EditorCommand>,
) {
    let Some(state) = state else { return };
    let cell = canvas.cell_at(room.point(on.pointer_location.position));
    if cell != state.cursor {
        out.write(EditorCommand::Point(cell));
        if let Some(at) = cell {
            let straight = is_shifted(&keys);
            out.write(EditorCommand::Reach { at, straight });
        }
    }
}

/// Drags the map with the middle button, or with the space bar held.
fn drag(
    on: On<Pointer<Drag>>,
    room: Room,
    keys: Res<ButtonInput<KeyCode>>,
    mut canvas: ResMut<Canvas>,
) {
    let drags = on.button == PointerButton::Middle || keys.pressed(KeyCode::Space);
    if drags {
        canvas.drag(room.point(on.delta));
    }
}

/// Ends the stroke wherever the pointer is released.
fn release(
    on: On<Pointer<Release>>,
    state: Option<Res<EditorState>>,
    mut out: MessageWriter<EditorCommand>,
) {
    let is_top = on.entity == on.original_event_target();
    if is_top && state.is_some_and(|state| state.stroke.is_some()) {
        out.write(EditorCommand::End);
    }
}

fn out(_: On<Pointer<Out>>, mut out: MessageWriter<EditorCommand>) {
    out.write(EditorCommand::Point(None));
}

fn scroll(on: On<Pointer<Scroll>>, mut turned: Local<f32>, mut canvas: ResMut<Canvas>) {
    *turned += match on.unit {
        MouseScrollUnit::Line => on.y,
        MouseScrollUnit::Pixel => on.y / 60.0,
    };
    let steps = turned.trunc();
    *turned -= steps;
    canvas.zoom(steps as i32);
}

/// Feet by which a key changes the height of the brush.
const FEET: i16 = 1;

fn keys(
    (keyboard, layout): (Res<ButtonInput<KeyCode>>, Res<Layout>),
    bindings: Res<Bindings>,
    keys: Res<ButtonInput<Key>>,
    focus: Res<InputFocus>,
    entries: Query<(), With<bevy::text::EditableText>>,
    time: Res<Time>,
    state: Res<EditorState>,
    mut repeat: Local<Repeat>,
    mut out: MessageWriter<EditorCommand>,
) {
    if layout.has_foreign(&keyboard) {
        return;
    }
    let ctrl = layout.has_control(&keyboard);
    let shift = is_shifted(&keyboard);
    let types = is_typing(focus, entries);
    for &code in keyboard.get_just_pressed() {
        let Some(key) = layout.bound(code) else {
            continue;
        };
        let stroke = Stroke {
            shift,
            ctrl,
            ..Stroke::plain(key)
        };
        let Some(meaning) = bindings.editing(stroke) else {
            continue;
        };
        // While the player types, keys that write text are not commands.
        let writes = !ctrl && !FUNCTIONS.contains(&key);
        if !(types && writes) {
            out.write(command_of_key(meaning, &state));
        }
    }
    if ctrl || types {
        return;
    }
    let (east, south) = arrows(&keys, &time, &mut repeat);
    if (east, south) != (0, 0) {
        if shift && matches!(state.chosen, Chosen::Unit(_)) {
            out.write(EditorCommand::Nudge(east, south));
        } else if let Some(to) = goes(&state, east, south) {
            out.write(EditorCommand::Point(Some(to)));
            let straight = shift;
            out.write(EditorCommand::Reach { at: to, straight });
        }
    }
    // Enter works as the mouse button: press and release. For lines and boxes the
    // first Enter starts the stroke and the second ends it.
    let confirms = keys.just_pressed(Key::Confirm);
    if confirms && let Some(at) = state.cursor {
        let spans = matches!(
            state.tool,
            Tool::Line | Tool::Box | Tool::Area | Tool::Select
        ) || state.tool.takes_areas() && state.clip.is_none();
        if state.stroke.is_some() {
            out.write(EditorCommand::End);
        } else {
            out.write(EditorCommand::Begin { at, erases: shift });
            if !spans {
                out.write(EditorCommand::End);
            }
        }
    }
    for (key, command) in [
        (Key::Next, EditorCommand::Next(1)),
        (Key::Previous, EditorCommand::Next(-1)),
        (Key::ZoomIn, EditorCommand::Zoom(1)),
        (Key::ZoomOut, EditorCommand::Zoom(-1)),
    ] {
        if keys.just_pressed(key) {
            out.write(command);
        }
    }
    if keys.just_pressed(Key::Back) {
        // Each press cancels one thing; when nothing is left, it leaves the editor.
        let command = match (&state.stroke, state.chosen, state.tool) {
            (Some(_), ..) => EditorCommand::Tool(state.tool),
            _ if state.clip.is_some() => EditorCommand::Tool(state.tool),
            (None, _, tool) if tool != Tool::Select => EditorCommand::Tool(Tool::Select),
            (None, Chosen::Level, _) => EditorCommand::Leave { sure: false },
            _ => EditorCommand::Choose(Chosen::Level),
        };
        out.write(command);
    }
}

/// Keys that do not write text.
const FUNCTIONS: [KeyCode; 12] = {
    use KeyCode::*;
    [F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12]
};

/// The command for an editor key.
fn command_of_key(key: EditKey, state: &EditorState) -> EditorCommand {
    let height = |by: i16| {
        let now = match state.brush {
            Brush::Height(feet) => feet,
            _ => 0,
        };
        EditorCommand::Brush(Brush::Height(now + by))
    };
    match key {
        EditKey::Select => EditorCommand::Tool(Tool::Select),
        EditKey::Paint => EditorCommand::Tool(Tool::Paint),
        EditKey::Line => EditorCommand::Tool(Tool::Line),
        EditKey::Box => EditorCommand::Tool(Tool::Box),
        EditKey::Fill => EditorCommand::Tool(Tool::Fill),
        EditKey::Pick => EditorCommand::Tool(Tool::Pick),
        EditKey::Area => EditorCommand::Tool(Tool::Area),
        EditKey::Sight => EditorCommand::Tool(Tool::Sight),
        EditKey::Place => EditorCommand::Tool(Tool::Place),
        EditKey::CopyArea => EditorCommand::Tool(Tool::Copy),
        EditKey::MoveArea => EditorCommand::Tool(Tool::Move),
        EditKey::Mirror => EditorCommand::Mirror { upright: false },
        EditKey::MirrorUpright => EditorCommand::Mirror { upright: true },
        EditKey::Brush(cells) => EditorCommand::Size(cells),
        EditKey::Higher => height(FEET),
        EditKey::Lower => height(-FEET),
        EditKey::Turn => EditorCommand::Turn,
        EditKey::Cover => EditorCommand::Cover,
        EditKey::Problem => EditorCommand::Find(0),
        EditKey::Another => EditorCommand::Another,
        EditKey::Remove => EditorCommand::Remove,
        EditKey::Undo => EditorCommand::Undo,
        EditKey::Redo => EditorCommand::Redo,
        EditKey::Save => EditorCommand::Save,
        EditKey::TestPlay => EditorCommand::TestPlay,
        EditKey::Simulate => EditorCommand::Simulate,
    }
}

/// The cursor's next cell after a move by keyboard. `None` outside the map.
fn goes(state: &EditorState, east: i16, south: i16) -> Option<crate::grid::Cell> {
    let board = state.board()?;
    let from = state.cursor;
    let to = from.map_or(crate::grid::Cell::new(0, 0), |c| c.offset(east, south));
    board.contains(to).then_some(to)
}
