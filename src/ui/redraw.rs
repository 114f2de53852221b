//! Redraw policy: every frame during input and animation, seldom while the game waits
//! for the player. Any window event wakes it.

use super::{Playback, Session, board::MapView, input::Key};
use bevy::{
    prelude::*,
    window::WindowEvent,
    winit::{UpdateMode, WinitSettings},
};
use std::time::Duration;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RedrawMode>()
        .add_systems(Last, keep.run_if(resource_exists::<WinitSettings>));
}

/// When the window can idle.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RedrawMode {
    #[default]
    AsNeeded,
    /// The window never idles.
    Always,
}

/// While an entity with this component exists, the window does not idle.
#[derive(Component, Default)]
pub struct KeepRedrawing;

/// Seconds after the last input or animation until the window idles. Everything that
/// fades by itself is gone by then.
const LINGERS: f32 = 5.0;
/// The time between frames while idle; short enough to notice changed files.
const REST: Duration = Duration::from_millis(500);
/// The time between frames while idle with a gamepad, whose input does not wake the
/// window.
const REST_OF_PADS: Duration = Duration::from_millis(50);
/// The longest time step of a frame while awake: Bevy's default.
const LONGEST: Duration = Duration::from_millis(250);
/// The longest time step of the first frame after idling, so that an animation that
/// starts then is not already half over.
const FIRST: Duration = Duration::from_millis(20);

fn keep(
    mode: Res<RedrawMode>,
    mut events: MessageReader<WindowEvent>,
    keys: Res<ButtonInput<Key>>,
    (keep_redrawing, pads): (Query<(), With<KeepRedrawing>>, Query<(), With<Gamepad>>),
    session: Option<Res<Session>>,
    (view, playback): (Res<MapView>, Res<Playback>),
    (time, mut played): (Res<Time<Real>>, ResMut<Time<Virtual>>),
    mut settings: ResMut<WinitSettings>,
    mut stirred: Local<f32>,
) {
    let is_at_it = session.is_some_and(|s| s.is_changed() || s.awaits_ai());
    let is_pressed = keys.get_pressed().len() > 0;
    let stirs = events.read().count() > 0
        || is_at_it
        || is_pressed
        || playback.busy
        || view.is_changed()
        || !keep_redrawing.is_empty();
    let now = time.elapsed_secs();
    if stirs {
        *stirred = now;
    }
    let is_awake = *mode == RedrawMode::Always || now - *stirred < LINGERS;
    let rest = if pads.is_empty() { REST } else { REST_OF_PADS };
    let (wanted, longest) = match is_awake {
        true => (WinitSettings::game(), LONGEST),
        false => {
            let rests = WinitSettings {
                focused_mode: UpdateMode::reactive(rest),
                unfocused_mode: UpdateMode::reactive_low_power(rest),
            };
            (rests, FIRST)
        }
    };
    if settings.focused_mode != wanted.focused_mode {
        *settings = wanted;
        played.set_max_delta(longest);
    }
}
