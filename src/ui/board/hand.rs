//! The mouse pointer on the board: hovers, clicks, drags the map and zooms.

use super::MapView;
use crate::{
    grid::Cell,
    ui::{
        Command, Phase, Screen, Selection, Session,
        input::{PromptAnswered, is_shifted},
        places::BoardArea,
    },
};
use bevy::{
    input::mouse::MouseScrollUnit,
    picking::{
        events::{Click, Drag, Move, Out, Press, Scroll},
        pointer::PointerButton,
    },
    prelude::*,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Hand>();
    app.add_observer(press)
        .add_observer(over)
        .add_observer(out)
        .add_observer(drag)
        .add_observer(scroll)
        .add_observer(click);
    app.add_systems(OnEnter(Screen::Battle), |mut hand: ResMut<Hand>| {
        *hand = Hand::default()
    });
    app.add_systems(
        Update,
        point.in_set(Phase::Input).run_if(in_state(Screen::Battle)),
    );
}

/// How far a press may move and still count as a click, in layout pixels.
const SLIP: f32 = 5.0;
/// Pixels of smooth scrolling for one zoom step.
const WHEEL: f32 = 60.0;

/// State of the mouse pointer on the board.
#[derive(Resource, Default, Debug)]
pub struct Hand {
    /// Position in window pixels; `None` while the pointer is not on the board.
    pub at: Option<Vec2>,
    /// Whether it moved since keys last moved the cursor.
    has_moved: bool,
    /// Distance moved since the selection last moved on by itself, in layout pixels.
    strayed: f32,
    /// Distance dragged since the press, in layout pixels.
    dragged: f32,
    /// Scrolling that has not added up to a zoom step, in steps.
    wheel: f32,
}

/// Whether an event happened on the board itself: events on a card over the board bubble up to the
/// board.
fn is_own<E: std::fmt::Debug + Clone + Reflect>(
    on: &On<Pointer<E>>,
    area: &Query<(), With<BoardArea>>,
) -> bool {
    on.entity == on.original_event_target() && area.contains(on.entity)
}

fn scale(window: &Option<Single<&Window>>) -> f32 {
    window.as_ref().map_or(1.0, |w| w.scale_factor())
}

fn over(
    on: On<Pointer<Move>>,
    area: Query<(), With<BoardArea>>,
    window: Option<Single<&Window>>,
    mut hand: ResMut<Hand>,
) {
    if area.contains(on.entity) {
        let at = on.pointer_location.position * scale(&window);
        hand.at = is_own(&on, &area).then_some(at);
        hand.has_moved = true;
        hand.strayed += on.delta.length();
    }
}

fn out(on: On<Pointer<Out>>, area: Query<(), With<BoardArea>>, mut hand: ResMut<Hand>) {
    if is_own(&on, &area) {
        hand.at = None;
        hand.has_moved = true;
    }
}

fn press(on: On<Pointer<Press>>, mut hand: ResMut<Hand>) {
    if on.entity == on.original_event_target() {
        hand.dragged = 0.0;
    }
}

/// Drags the map with the middle or right button, or with the left button while Space is held.
fn drag(
    on: On<Pointer<Drag>>,
    area: Query<(), With<BoardArea>>,
    keys: Res<ButtonInput<KeyCode>>,
    window: Option<Single<&Window>>,
    mut hand: ResMut<Hand>,
    mut view: ResMut<MapView>,
) {
    let drags = on.button != PointerButton::Primary || keys.pressed(KeyCode::Space);
    if !is_own(&on, &area) || !drags {
        return;
    }
    let was_click = hand.dragged <= SLIP;
    hand.dragged = hand.dragged.max(on.distance.length());
    if hand.dragged > SLIP {
        // Catches up with the movement before the press counted as a drag.
        let by = if was_click { on.distance } else { on.delta };
        view.pan(by * scale(&window));
    }
}

fn scroll(
    on: On<Pointer<Scroll>>,
    area: Query<(), With<BoardArea>>,
    window: Option<Single<&Window>>,
    mut hand: ResMut<Hand>,
    mut view: ResMut<MapView>,
) {
    if !is_own(&on, &area) {
        return;
    }
    hand.wheel += match on.unit {
        MouseScrollUnit::Line => on.y,
        MouseScrollUnit::Pixel => on.y / WHEEL,
    };
    let steps = hand.wheel.trunc();
    if steps != 0.0 {
        hand.wheel -= steps;
        view.zoom(on.pointer_location.position * scale(&window), steps as i32);
    }
}

fn click(
    on: On<Pointer<Click>>,
    area: Query<(), With<BoardArea>>,
    window: Option<Single<&Window>>,
    (hand, view): (Res<Hand>, Res<MapView>),
    (session, selection): (Option<Res<Session>>, Res<Selection>),
    (answered, time): (Res<PromptAnswered>, Res<Time<Real>>),
    keys: Res<ButtonInput<KeyCode>>,
    mut out: MessageWriter<Command>,
) {
    // There are clicks on other screens too, without a battle.
    let Some(session) = session.filter(|_| is_own(&on, &area) && hand.dragged <= SLIP) else {
        return;
    };
    let at = on.pointer_location.position * scale(&window);
    let (cell, quarter) = under(&view, &session, at);
    match on.button {
        PointerButton::Primary
            if keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]) =>
        {
            out.write(Command::Pin(cell));
        }
        PointerButton::Primary if answered.is_double(&time) => {}
        PointerButton::Primary => {
            // The card shows what is at the cursor of the keys: the first click only takes the
            // cursor to the mouse.
            let is_elsewhere = selection.by_keys && !hand.has_moved && selection.cursor != cell;
            let is_asked = selection.warning.is_some() || selection.pinned;
            out.write(Command::Point(cell, quarter));
            // Shift plots a custom path.
            out.write(match is_shifted(&keys) {
                _ if is_elsewhere && !is_asked => Command::Glance,
                true => Command::AddWaypoint,
                false => Command::Go,
            });
        }
        PointerButton::Secondary => {
            out.write(Command::Retract);
        }
        PointerButton::Middle => {
            out.write(Command::Pin(cell));
        }
    }
}

/// The cell under a point of the window, and the quarter of it if that tells several units apart.
fn under(view: &MapView, session: &Session, at: Vec2) -> (Option<Cell>, Option<(i8, i8)>) {
    let cell = view.cell(at);
    let is_shared = cell.is_some_and(|cell| session.shown().in_cell(cell).nth(1).is_some());
    (cell, is_shared.then(|| view.quarter(at)))
}

/// Keeps the cursor on the cell under the pointer, also when the map moves under it.
fn point(
    mut hand: ResMut<Hand>,
    view: Res<MapView>,
    (session, selection): (Res<Session>, Res<Selection>),
    mut last: Local<(Option<Cell>, Option<(i8, i8)>)>,
    mut out: MessageWriter<Command>,
) {
    // The mouse may move a little during a double click.
    if selection.mouse_rested && hand.strayed > SLIP {
        out.write(Command::MouseMoved);
    }
    if !selection.mouse_rested && hand.strayed > 0.0 {
        hand.strayed = 0.0;
    }
    // A pointer at rest does not take the cursor from the keys.
    if selection.by_keys && !hand.has_moved {
        return;
    }
    let now = hand
        .at
        .map_or((None, None), |at| under(&view, &session, at));
    let (cell, quarter) = now;
    if hand.has_moved || *last != now {
        if (selection.cursor, selection.quarter) != now || selection.by_keys {
            out.write(Command::Point(cell, quarter));
        }
        hand.has_moved = false;
        *last = now;
    }
}
