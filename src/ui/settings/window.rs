//! The window itself: the full-screen key, and restoring its last size and position.

use super::Settings;
use crate::ui::input::{Key, focus};
use bevy::{
    ecs::system::NonSendMarker,
    prelude::*,
    window::{PrimaryWindow, WindowMode, WindowMoved, WindowResized},
    winit::WINIT_WINDOWS,
};
use serde::{Deserialize, Serialize};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, restore);
    app.add_systems(Update, toggle.before(focus::Steering));
    app.add_systems(Last, remember.before(super::keep));
}

/// The window's last size and position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WindowPlace {
    /// The window was maximised.
    pub maximised: bool,
    /// Its size when not maximised, in physical pixels.
    pub size: (u32, u32),
    /// Its corner on the desktop in physical pixels. `None` if unknown.
    pub at: Option<(i32, i32)>,
}

/// The smallest window that is restored: anything smaller was left by mistake.
const MIN: (u32, u32) = (640, 360);

/// Opens the window as it was left; the first time, maximised.
fn restore(settings: Res<Settings>, window: Option<Single<&mut Window, With<PrimaryWindow>>>) {
    let Some(mut window) = window else { return };
    let Some(place) = settings.window else {
        window.set_maximized(true);
        return;
    };
    let size = (place.size.0.max(MIN.0), place.size.1.max(MIN.1));
    window.resolution.set_physical_resolution(size.0, size.1);
    if let Some((x, y)) = place.at {
        window.position = WindowPosition::At(IVec2::new(x, y));
    }
    if place.maximised {
        window.set_maximized(true);
    }
}

/// Toggles full screen with its key (F11 by default) or Alt+Enter.
fn toggle(
    mut keys: ResMut<ButtonInput<Key>>,
    keyboard: Res<ButtonInput<KeyCode>>,
    mut settings: ResMut<Settings>,
) {
    let alt = keyboard.any_pressed([KeyCode::AltLeft, KeyCode::AltRight]);
    let enter = keyboard.any_just_pressed([KeyCode::Enter, KeyCode::NumpadEnter]);
    let is_key = keys.just_pressed(Key::FullScreen);
    if is_key {
        keys.clear_just_pressed(Key::FullScreen);
    }
    if is_key || alt && enter {
        settings.full_screen = !settings.full_screen;
    }
}

/// Stores the window's size and position in the settings. Full screen does not change
/// them.
fn remember(
    window: Option<Single<(Entity, &Window), With<PrimaryWindow>>>,
    mut settings: ResMut<Settings>,
    mut resized: MessageReader<WindowResized>,
    mut moved: MessageReader<WindowMoved>,
    exits: MessageReader<AppExit>,
    // The window library answers on the main thread only.
    _main: NonSendMarker,
) {
    let is_moved = resized.read().count() + moved.read().count() > 0;
    let Some(window) = window.filter(|_| is_moved || !exits.is_empty()) else {
        return;
    };
    let (entity, window) = *window;
    if window.mode != WindowMode::Windowed {
        return;
    }
    let maximised = WINIT_WINDOWS.with_borrow(|windows| {
        let window = windows.get_window(entity);
        window.is_some_and(|window| window.is_maximized())
    });
    let now = place(settings.window, maximised, window);
    if settings.window != Some(now) {
        settings.window = Some(now);
    }
}

/// The place to store: a maximised window keeps the size that it had before.
fn place(before: Option<WindowPlace>, maximised: bool, window: &Window) -> WindowPlace {
    let at = match window.position {
        WindowPosition::At(at) => Some((at.x, at.y)),
        _ => None,
    };
    let size = (window.physical_width(), window.physical_height());
    match (maximised, before) {
        (true, Some(before)) => WindowPlace {
            maximised,
            ..before
        },
        _ => WindowPlace {
            maximised,
            size,
            at: at.filter(|_| !maximised),
        },
    }
}
