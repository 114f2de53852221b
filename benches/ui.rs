//! Benchmarks of the window's own work, without a window and without a graphics card.
//!
//! - `levels/bench/crowd.ron`, 60 units on 100 by 100 cells: the times of whole frames, with Bevy's
//!   own systems and the layout of the cards. The time that Bevy takes with nothing to show is printed
//!   next to them.
//! - `levels/toll_gate.ron`, while units declare: the times from a hover to its order on the board,
//!   with the chance of its attack, to the preview of the round, and to the success rate at 60 frames
//!   per second.

use bevy::{
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    window::{CursorMoved, PrimaryWindow, WindowEvent, WindowResolution},
    winit::WinitPlugin,
};
use fivefoot::{
    battle::Ruleset,
    grid::Cell,
    levels,
    rulesets::ALL,
    ui::{
        ActionPreview, Options, Screen, Selection, Session,
        board::MapView,
        preview::{Click, PlanPreview, enemies_of},
        put_game,
        session::Next,
    },
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The time that passes in the game from frame to frame.
const FRAME: Duration = Duration::from_micros(16_667);

fn main() {
    // `cargo test --benches` only lists the benchmarks.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    let bevy_only = frames(&mut bare(), 400, |_, _| {});
    report("a frame of bevy with nothing to show", &bevy_only);
    for rules in ALL {
        measure(rules);
        measure_plans(rules);
    }
}

/// Prints how long a hover over enemies and cells takes while units declare; nothing under a ruleset
/// without declarations.
fn measure_plans(rules: &'static Ruleset) {
    let mut app = game(
        "toll_gate.ron",
        include_str!("../levels/toll_gate.ron"),
        rules,
    );
    let session = app.world().resource::<Session>();
    if !session.is_declaring() {
        return;
    }
    let enemies = session.known_enemies();
    let enemies = enemies.iter().map(|&id| session.shown().unit(id).at);
    let reach = &app.world().resource::<ActionPreview>().declared_reach;
    let cells: Vec<Cell> = enemies.chain(reach.iter().map(|r| r.cell)).collect();
    let hovered = |count| cells.iter().cycle().take(count).copied();
    let mut time = |count, frame, is_ready: fn(&PlanPreview) -> bool| {
        let all = hovered(count).filter_map(|cell| time_plan(&mut app, cell, frame, is_ready));
        all.collect::<Vec<_>>()
    };
    report(
        "  from hover to order",
        &time(300, Duration::ZERO, |_| true),
    );
    let is_previewed = |preview: &PlanPreview| preview.draft.is_some() && preview.is_current();
    report(
        "  from hover to plan",
        &time(300, Duration::ZERO, is_previewed),
    );
    let is_simulated = |preview: &PlanPreview| {
        preview.draft.is_some() && preview.is_current() && preview.simulation.is_some()
    };
    report(
        "  from hover to success rate",
        &time(60, FRAME, is_simulated),
    );
}

/// The time from pointing at a cell until the preview of the round satisfies `is_ready`, with frames
/// of at least `frame`. `None` if a click there orders nothing.
fn time_plan(
    app: &mut App,
    cell: Cell,
    frame: Duration,
    is_ready: impl Fn(&PlanPreview) -> bool,
) -> Option<Duration> {
    point(app, Cell::new(0, 0));
    (0..20).for_each(|_| app.update());
    point(app, cell);
    let start = Instant::now();
    for _ in 0..1000 {
        let begun = Instant::now();
        app.update();
        let preview = app.world().resource::<PlanPreview>();
        if app.world().resource::<Selection>().cursor != Some(cell) {
            continue;
        }
        if !matches!(
            app.world().resource::<ActionPreview>().click,
            Click::Plan(_)
        ) {
            return None;
        }
        if is_ready(preview) {
            return Some(start.elapsed());
        }
        std::thread::sleep(frame.saturating_sub(begun.elapsed()));
    }
    panic!("there is no preview of {cell}");
}

/// Prints the frame times under a ruleset: idle, and while the pointer moves over cells.
fn measure(rules: &'static Ruleset) {
    println!("{}", rules.id);
    let mut app = game(
        "crowd.ron",
        include_str!("../levels/bench/crowd.ron"),
        rules,
    );
    report("  idle", &frames(&mut app, 400, |_, _| {}));

    let reach: Vec<Cell> = {
        let preview = app.world().resource::<ActionPreview>();
        preview.reach.iter().map(|r| r.cell).collect()
    };
    let enemies: Vec<Cell> = {
        let session = app.world().resource::<Session>();
        let who = app.world().resource::<Selection>().chosen;
        let enemies = who.map_or(vec![], |who| enemies_of(session, who));
        enemies
            .iter()
            .map(|&id| session.shown().unit(id).at)
            .collect()
    };
    let far: Vec<Cell> = (0..40).map(|n| Cell::new(20 + n, 50)).collect();
    for (what, cells) in [("reach", reach), ("foes", enemies), ("far cells", far)] {
        if cells.is_empty() {
            continue;
        }
        let mut next = 0;
        let hovering = frames(&mut app, 200, |app, n| {
            // Ten cells per second at 60 frames per second: a fast mouse.
            if n % 6 == 0 {
                next += 1;
                point(app, cells[next % cells.len()]);
            }
        });
        report(&format!("  hovering over {what}"), &hovering);
        let previews = cells
            .iter()
            .cycle()
            .take(60)
            .map(|&cell| time_preview(&mut app, cell));
        let previews: Vec<Duration> = previews.collect();
        report(&format!("  from hover to preview, {what}"), &previews);
    }
}

fn report(what: &str, all: &[Duration]) {
    let mut sorted = all.to_vec();
    sorted.sort();
    if sorted.is_empty() {
        println!("{what}: nothing to measure");
        return;
    }
    let ms = |d: Duration| d.as_secs_f64() * 1000.0;
    let mean = sorted.iter().sum::<Duration>() / sorted.len() as u32;
    println!(
        "{what}: median {:.2} ms, mean {:.2} ms, 95% within {:.2} ms, 99% within {:.2} ms, most {:.2} ms",
        ms(sorted[sorted.len() / 2]),
        ms(mean),
        ms(sorted[sorted.len() * 95 / 100]),
        ms(sorted[sorted.len() * 99 / 100]),
        ms(sorted[sorted.len() - 1]),
    );
}

/// The times of `count` frames.
fn frames(app: &mut App, count: usize, mut before: impl FnMut(&mut App, usize)) -> Vec<Duration> {
    let frame = |n| {
        before(app, n);
        let start = Instant::now();
        app.update();
        start.elapsed()
    };
    (0..count).map(frame).collect()
}

/// The time between moving the pointer to a cell and seeing the preview of a click there.
fn time_preview(app: &mut App, cell: Cell) -> Duration {
    let elsewhere = Cell::new(0, 0);
    point(app, elsewhere);
    (0..4).for_each(|_| app.update());
    point(app, cell);
    let start = Instant::now();
    for _ in 0..10 {
        app.update();
        if app.world().resource::<Selection>().cursor == Some(cell) {
            return start.elapsed();
        }
    }
    panic!("the pointer never came to {cell}");
}

/// Moves the pointer to a cell.
fn point(app: &mut App, cell: Cell) {
    // A cell outside the view cannot be pointed at, so scroll the map to it.
    let mut view = app.world_mut().resource_mut::<MapView>();
    let middle = Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5);
    if !view.area().inflate(-20.0).contains(view.in_window(middle)) {
        view.show(middle);
        view.finish();
    }
    let position = view.in_window(middle);
    let world = app.world_mut();
    let window = world
        .query_filtered::<Entity, With<PrimaryWindow>>()
        .single(world)
        .expect("one window");
    let moved = CursorMoved {
        window,
        position,
        delta: None,
    };
    world.write_message(WindowEvent::from(moved.clone()));
    world.write_message(moved);
}

/// Bevy with a window of 1920 by 1080 pixels that is never opened, and without a graphics card.
fn bevy_alone() -> App {
    let mut app = App::new();
    let window = Window {
        resolution: WindowResolution::new(1920, 1080),
        ..default()
    };
    let no_gpu = WgpuSettings {
        backends: None,
        ..default()
    };
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(window),
                ..default()
            })
            .set(RenderPlugin {
                render_creation: no_gpu.into(),
                ..default()
            })
            .disable::<bevy::log::LogPlugin>()
            .disable::<WinitPlugin>(),
    );
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app
}

/// Bevy with a camera and nothing to show.
fn bare() -> App {
    let mut app = bevy_alone();
    app.add_systems(Startup, |mut commands: Commands| {
        commands.spawn(Camera2d);
    });
    app.finish();
    app.cleanup();
    (0..20).for_each(|_| app.update());
    app
}

/// The app with a level, at the player's first decision.
fn game(file: &str, text: &str, rules: &'static Ruleset) -> App {
    let (level, _) = levels::check_file(file, text).expect("the level is right");
    let mut app = bevy_alone();
    let options = Options {
        begins_at_once: true,
        ..Options::default()
    };
    put_game(&mut app, options);
    app.finish();
    app.cleanup();
    (0..5).for_each(|_| app.update());
    app.insert_resource(Next {
        level: Arc::new(level),
        rules: Some(rules),
        // Nobody is surprised under Segments, so that all declare.
        seed: 11,
    });
    app.world_mut()
        .resource_mut::<NextState<Screen>>()
        .set(Screen::Battle);
    for _ in 0..3000 {
        app.update();
        let asked = app
            .world()
            .get_resource::<Session>()
            .is_some_and(|s| s.is_players_turn());
        if asked {
            break;
        }
        if let Some(mut session) = app.world_mut().get_resource_mut::<Session>()
            && session.has_next()
        {
            session.catch_up();
        }
    }
    // Wait until the map is drawn.
    (0..200).for_each(|_| {
        app.update();
        std::thread::sleep(Duration::from_millis(2));
    });
    app
}
