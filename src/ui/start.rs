//! Opens the window, or explains why it cannot be opened.

use super::{
    Options, Screen, Session,
    home::Home,
    session::{Next, Ready, any_seed},
};
use crate::control::recording::Recording;
use bevy::{
    audio::AudioPlugin,
    ecs::schedule::SingleThreadedExecutor,
    prelude::*,
    render::settings::{Backends, WgpuSettings},
    window::{PresentMode, WindowResolution},
    winit::WinitPlugin,
};
use fivefoot_cli::Game;
use fivefoot_cli::stop;
use std::process::ExitCode;

/// Whether there is a display to open a window on.
pub fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    // On Linux the window uses X11; Wayland desktops provide an X11 display too.
    !cfg!(target_os = "linux") || set("DISPLAY")
}

/// The window, as the command line opens it.
pub struct GameWindow;

impl fivefoot_cli::Window for GameWindow {
    fn play(&self, game: Game) -> ExitCode {
        let options = Options {
            level: game.level,
            file: game.file,
            levels_folder: game.levels_folder,
            rules: game.rules,
            seed: game.seed,
            ai: game.ai,
            ..Options::default()
        };
        open(options, None)
    }

    fn watch(&self, recording: &Recording) -> Result<ExitCode, String> {
        let session = Session::load(recording).map_err(|broken| broken.why)?;
        Ok(open(Options::default(), Some(session.into_replay())))
    }
}

fn open(options: Options, session: Option<Session>) -> ExitCode {
    // Before any other thread starts.
    stop::install_handler();
    if !has_display() {
        eprintln!("fivefoot: there is no display (DISPLAY is not set).");
        return ExitCode::FAILURE;
    }
    if let Err(why) = reach_display() {
        eprintln!("fivefoot: {why}");
        return ExitCode::FAILURE;
    }
    if !has_graphics() {
        eprintln!("fivefoot: no graphics adapter was found that Vulkan can use.");
        eprintln!("Install the driver of your graphics card, or one that draws in software:");
        eprintln!("    Debian, Ubuntu: sudo apt install mesa-vulkan-drivers");
        eprintln!("    Fedora:         sudo dnf install mesa-vulkan-drivers");
        eprintln!("    Arch:           sudo pacman -S vulkan-swrast");
        return ExitCode::FAILURE;
    }
    let mut app = window_app(options, false);
    app.add_systems(First, close_when_asked);
    if let Some(session) = session {
        app.insert_resource(Ready(session));
        app.insert_state(Screen::Battle);
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// A signal closes the window like its close button: the battle is saved first.
fn close_when_asked(mut exits: MessageWriter<AppExit>) {
    if let Some(signal) = stop::asked() {
        exits.write(AppExit::from_code(signal.code()));
    }
}

/// Checks whether an X11 server answers. Without an answer, the window library would
/// panic.
#[cfg(target_os = "linux")]
fn reach_display() -> Result<(), String> {
    use std::os::{linux::net::SocketAddrExt, unix::net};
    let display = std::env::var("DISPLAY").unwrap_or_default();
    let (host, rest) = display.rsplit_once(':').unwrap_or(("", ""));
    let number: u16 = rest
        .split('.')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    let path = format!("/tmp/.X11-unix/X{number}");
    let is_there = if host.is_empty() || host == "unix" {
        let hidden = net::SocketAddr::from_abstract_name(&path);
        net::UnixStream::connect(&path).is_ok()
            || hidden.is_ok_and(|at| net::UnixStream::connect_addr(&at).is_ok())
    } else {
        let port = 6000_u16.checked_add(number);
        port.is_some_and(|port| std::net::TcpStream::connect((host, port)).is_ok())
    };
    if is_there {
        Ok(())
    } else {
        Err(format!("nobody answers at the display {display}"))
    }
}

#[cfg(not(target_os = "linux"))]
fn reach_display() -> Result<(), String> {
    Ok(())
}

/// Whether there is a graphics adapter.
fn has_graphics() -> bool {
    let backends = WgpuSettings::default().backends.unwrap_or(Backends::all());
    let descriptor = wgpu::InstanceDescriptor {
        backends,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    };
    let instance = wgpu::Instance::new(descriptor);
    let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default());
    let is_found = bevy::tasks::block_on(adapter).is_ok();
    // Dropping the instance unloads the driver. At the end of the program that can
    // happen just before the driver's exit handlers run, which then crash.
    std::mem::forget(instance);
    is_found
}

/// Whether there is a sound card or a sound server.
#[cfg(target_os = "linux")]
fn has_sound() -> bool {
    let plays = |name: &str| name.starts_with("pcm") && name.ends_with('p');
    let cards = std::fs::read_dir("/dev/snd")
        .into_iter()
        .flatten()
        .flatten();
    let mut cards = cards.filter_map(|entry| entry.file_name().into_string().ok());
    let run = std::env::var_os("XDG_RUNTIME_DIR").map(std::path::PathBuf::from);
    let serves = |socket: &str| run.as_ref().is_some_and(|run| run.join(socket).exists());
    cards.any(|name| plays(&name))
        || std::env::var_os("PULSE_SERVER").is_some()
        || serves("pulse/native")
        || serves("pipewire-0")
}

#[cfg(not(target_os = "linux"))]
fn has_sound() -> bool {
    true
}

/// The game in its window. The window library needs to know if it runs on another
/// thread than the first.
pub fn window_app(options: Options, on_any_thread: bool) -> App {
    let mut app = App::new();
    let window = Window {
        title: String::from("Fivefoot"),
        name: Some(String::from("fivefoot")),
        resolution: WindowResolution::new(1280, 720),
        present_mode: PresentMode::AutoVsync,
        ..default()
    };
    let plugins = DefaultPlugins
        .set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        })
        .set(bevy::log::LogPlugin {
            filter: String::from("warn,wgpu=error,naga=error"),
            ..default()
        })
        .set(WinitPlugin {
            run_on_any_thread: on_any_thread,
        });
    // The audio library prints long errors on machines without sound.
    if has_sound() {
        app.add_plugins(plugins);
    } else {
        app.add_plugins(plugins.disable::<AudioPlugin>());
    }
    put_game(&mut app, options);
    app
}

/// Adds the game to an app that already has Bevy's plugins.
pub fn put_game(app: &mut App, options: Options) {
    let first = options.level.clone().map(|level| Next {
        level,
        rules: None,
        seed: options.seed.unwrap_or_else(any_seed),
    });
    let home = options.home.as_deref();
    let home = home.map_or_else(Home::find, Home::at);
    home.clear();
    app.insert_resource(home);
    app.insert_resource(options);
    app.add_plugins(super::plugin);
    if let Some(next) = first {
        app.insert_resource(next).insert_state(Screen::Battle);
    }
    keep_to_one_thread(app);
}

/// Uses a single thread for systems. Nearly all of the several hundred systems have
/// nothing to do in a frame: handing them to other threads takes longer than running
/// them, and the AI thinks on those threads.
fn keep_to_one_thread(app: &mut App) {
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}
