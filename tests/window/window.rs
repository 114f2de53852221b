//! A tour of every screen. At each stop, the tests check the layout in several window and
//! text sizes: nothing may be outside the window, cut off or covered by other text. That
//! needs no graphics. A second, shorter tour runs in a real window and saves a picture of
//! each screen in the target folder under `tmp/screens`.

mod layout;

use super::kit::{
    game::{Game, rescale, resize, strike},
    rounds::{DECLARED, begun_against, plan, point},
    shell::against,
};
use bevy::{
    input::{ButtonState, keyboard::Key as Logical},
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
    ui_widgets::Activate,
};
use fivefoot::{
    battle::{Id, Ruleset},
    control::{Player, recording::SideController},
    levels, rulesets,
    ui::{
        Command, Options, Screen, Selection, Session,
        app_command::{
            AppCommand, Browse, FileCommand, GameCommand, ReplayCommand, ReviewCommand, SaveCommand,
        },
        editor::{Edit, EditorCommand},
        preview::{ActionPreview, Click, Picks, PlanPreview},
        redraw::RedrawMode,
        room::{MEASURE, first_size, scale_for},
        screens::title::{Page, TitleButton},
        selection::Overlay,
        session::Ready,
        settings::{
            Settings,
            screen::{CardButton, Tab},
        },
        window_app,
    },
};
use std::{
    collections::{HashSet, VecDeque},
    path::{Path, PathBuf},
};

/// Width and height of the window in physical pixels, text size in percent, scale factor of
/// the screen.
type Size = (u32, u32, u16, f32);

const SIZES: [Size; 12] = [
    (1280, 720, 100, 1.0),
    (1280, 720, 150, 1.0),
    (1280, 720, 200, 1.0),
    (1920, 1080, 100, 1.0),
    (1920, 1080, 200, 1.0),
    (2560, 1440, 100, 1.0),
    (2560, 1440, 150, 1.0),
    (3840, 2160, 200, 1.0),
    (1280, 720, 100, 1.5),
    (1280, 720, 100, 2.0),
    (2560, 1440, 150, 2.0),
    (1920, 1080, 100, 3.0),
];

/// A step of the tour.
enum Step {
    Size(Size),
    /// Opens a screen that needs no battle.
    Open(Screen),
    /// A page of the title.
    Page(Page),
    /// The editor with the default level; [`Step::Chosen`] follows.
    Editor,
    /// Selects a unit in the editor.
    Chosen,
    Battle(Box<Session>),
    /// Waits until the player has a decision.
    Asked,
    /// Waits for the player's turn and declines reactions before it.
    Turn,
    /// Passes all decisions until this screen is reached.
    Until(Screen),
    Key(KeyCode),
    Released(KeyCode),
    Say(Command),
    Keys(Tab),
    AppCommand(AppCommand),
    /// Points at the nearest enemy.
    Foe,
    /// Points at a reachable cell.
    Cell,
    /// Gives the order under the cursor; after the last declaration, the whole plan is shown.
    Go,
    /// Waits until the plans have been simulated.
    Tried,
    Wait(u32),
    /// Checks the screen in every size, after layout and drawing.
    Look(String),
    LookNow(String),
}

/// Frames that layout and drawing of a screen take.
const SETTLES: u32 = 6;

#[derive(Resource)]
struct Tour {
    steps: VecDeque<Step>,
    /// The sizes for the next stop; the first one is the current size.
    sizes: Vec<Size>,
    rest: u32,
    frames: u32,
    /// The folder for pictures, if the window is real.
    folder: Option<PathBuf>,
    faults: Vec<String>,
    pictures: usize,
    kept: usize,
}

/// Adds a tour to the game.
fn guide(app: &mut App, steps: VecDeque<Step>, sizes: &[Size], folder: Option<PathBuf>) {
    app.insert_resource(Tour {
        steps,
        sizes: sizes.to_vec(),
        rest: 20,
        frames: 0,
        folder,
        faults: vec![],
        pictures: 0,
        kept: 0,
    });
    app.insert_resource(Found::default());
    app.add_systems(Last, lead);
}

/// Checks all screens in some of the sizes. The sizes are split over two tests, because a
/// single one would be the longest of the suite.
fn every_screen_fits(sizes: &[Size]) {
    let mut game = Game::new(Options {
        seed: Some(2),
        ..Options::default()
    });
    guide(&mut game.app, round(), sizes, None);
    while game.app.should_exit().is_none() {
        game.app.update();
    }
}

#[test]
fn every_screen_fits_in_the_first_sizes() {
    every_screen_fits(&SIZES[..6]);
}

#[test]
fn every_screen_fits_in_the_other_sizes() {
    every_screen_fits(&SIZES[6..]);
}

/// One screen of each kind in a common size. `PICTURES=1280x720-150` saves all screens in
/// that size, `1280x720-100@2` with scale factor 2. `MOMENTS=1280x720-100` saves the moments
/// of a battle that are compared.
#[test]
fn a_real_window_shows_every_kind_of_screen() {
    let display = std::env::var_os("DISPLAY");
    assert!(
        display.is_some(),
        "a display is needed: ./test brings a virtual one"
    );
    let size_in = |name: &str| {
        let wanted = std::env::var(name).ok()?;
        let found = SIZES.iter().find(|&&size| named(size) == wanted);
        Some(*found.expect("one of the sizes of this tour"))
    };
    let (steps, size) = match (size_in("PICTURES"), size_in("MOMENTS")) {
        (Some(size), _) => (round(), size),
        (None, Some(size)) => (moments(), size),
        (None, None) => (glance(), SIZES[0]),
    };
    let mut app = window_app(
        Options {
            seed: Some(2),
            home: Some(super::kit::game::fresh_home()),
            begins_at_once: true,
            ..Options::default()
        },
        true,
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screens");
    std::fs::create_dir_all(&folder).expect("a folder for the pictures");
    app.insert_resource(RedrawMode::Always);
    guide(&mut app, steps, &[size], Some(folder));
    let exit = app.run();
    assert_eq!(exit, AppExit::Success, "the tour came to its end");
}

/// The names of the pictures taken so far.
#[derive(Resource, Default)]
struct Found(Vec<String>);

fn named((width, height, text, factor): Size) -> String {
    match factor {
        1.0 => format!("{width}x{height}-{text}"),
        _ => format!("{width}x{height}-{text}@{factor}"),
    }
}

fn look(name: &str) -> Step {
    Step::Look(name.to_owned())
}

/// The title screen, a battle with the pointer on an enemy, a card above it, and the result.
fn glance() -> VecDeque<Step> {
    let skirmish = &rulesets::ALL[0];
    let mut steps = VecDeque::from([Step::Size(SIZES[0])]);
    steps.extend([
        Step::Open(Screen::Title),
        look("title"),
        Step::Key(KeyCode::F10),
    ]);
    steps.extend([look("settings"), Step::Key(KeyCode::Escape)]);
    steps.extend([
        Step::Battle(Box::new(played(skirmish))),
        Step::Asked,
        Step::Turn,
    ]);
    steps.extend([
        Step::Foe,
        look("foe"),
        Step::AppCommand(AppCommand::Game(GameCommand::Pause)),
    ]);
    steps.extend([look("pause"), Step::AppCommand(AppCommand::Close)]);
    steps.extend([
        Step::Battle(Box::new(watched(skirmish))),
        Step::Until(Screen::Result),
        look("result"),
    ]);
    steps
}

/// The moments of a battle that are compared by eye.
fn moments() -> VecDeque<Step> {
    use KeyCode::{Escape, KeyQ};
    let (skirmish, speed) = (&rulesets::ALL[0], super::kit::rounds::rules("Speed"));
    let mut steps = VecDeque::from([Step::Open(Screen::Title), look("moment-1-title")]);
    steps.extend([Step::Battle(Box::new(prompted(skirmish))), Step::Wait(20)]);
    steps.extend([look("moment-2-reaction")]);
    steps.extend([Step::Battle(Box::new(played(skirmish))), Step::Asked]);
    steps.extend([Step::Turn, Step::Wait(30)]);
    steps.extend([look("moment-3-turn"), Step::Cell, Step::Wait(10)]);
    steps.extend([look("moment-4-move"), Step::Foe, Step::Wait(240)]);
    let plans = || Step::Say(Command::Overlay(Overlay::Threats));
    steps.extend([look("moment-5-enemy"), plans(), Step::Wait(240)]);
    steps.extend([look("moment-6-all-enemies"), plans()]);
    steps.extend([Step::Key(KeyQ), look("moment-7-actions")]);
    steps.extend([Step::Key(Escape)]);
    steps.extend([Step::Battle(Box::new(met(skirmish))), Step::Asked]);
    steps.extend([Step::Turn, Step::Foe, Step::Wait(60)]);
    steps.extend([look("moment-8-melee")]);
    steps.extend([Step::Battle(Box::new(planned(speed))), Step::Asked]);
    steps.extend([Step::Foe, Step::Tried, look("moment-9-plans")]);
    steps.extend([Step::Battle(Box::new(watched(skirmish)))]);
    steps.extend([Step::Until(Screen::Result), look("moment-10-result")]);
    steps
}

/// All screens, one after the other.
fn round() -> VecDeque<Step> {
    use KeyCode::{Digit3, Escape, F1, F10, KeyE, KeyQ, Space};
    let skirmish = &rulesets::ALL[0];
    let mut steps = VecDeque::from([Step::Open(Screen::Title), look("title")]);
    steps.extend([Step::Page(Page::Learn), look("title-learn")]);
    steps.extend([Step::Page(Page::Make), look("title-make")]);
    steps.extend([Step::Page(Page::Play), Step::Wait(4), look("title-play")]);
    steps.extend([Step::Key(Digit3), look("title-level")]);
    steps.extend([Step::Key(F10), look("settings"), Step::Keys(Tab::Keys)]);
    steps.extend([look("keys"), Step::Key(Escape)]);
    steps.extend([Step::Key(F1), look("codex"), Step::Key(Escape)]);
    // Finished battles: the results of the player's own and of a watched one, and a replay.
    let own = super::kit::shell::played(skirmish, 5000);
    steps.extend([Step::Battle(Box::new(own)), Step::Until(Screen::Result)]);
    steps.extend([look("result-own")]);
    steps.extend([
        Step::AppCommand(AppCommand::Review(ReviewCommand::Open)),
        Step::Wait(300),
    ]);
    steps.extend([look("review")]);
    steps.extend([
        Step::Battle(Box::new(watched(skirmish))),
        Step::Until(Screen::Result),
    ]);
    steps.extend([
        look("result"),
        Step::AppCommand(AppCommand::Replay(ReplayCommand::Watch(0))),
    ]);
    // Paused, so that no floating text is still moving over the board.
    steps.extend([Step::Wait(20), Step::Key(Space), Step::Wait(90)]);
    steps.extend([look("replay")]);
    for rules in rulesets::ALL {
        let named = |what: &str| look(&format!("{what}-{}", rules.id.to_lowercase()));
        if rules.id == skirmish.id {
            steps.extend([Step::Battle(Box::new(prompted(rules))), Step::Wait(20)]);
            steps.extend([named("prompt")]);
        }
        steps.extend([Step::Battle(Box::new(played(rules))), Step::Asked]);
        steps.extend([
            Step::Turn,
            Step::Cell,
            named("battle"),
            Step::Foe,
            named("foe"),
        ]);
        steps.extend([Step::Key(KeyQ), named("acts"), Step::Key(Escape)]);
        if DECLARED.contains(&rules.id) {
            // All units but one have plans; the last declaration shows the whole plan.
            steps.extend([Step::Battle(Box::new(planned(rules))), Step::Asked]);
            steps.extend([Step::Foe, Step::Tried, named("plans")]);
            steps.extend([Step::Go, Step::Tried, named("last-look")]);
        }
        // An adjacent enemy, with the forecasts for both units.
        steps.extend([Step::Battle(Box::new(met(rules))), Step::Asked, Step::Turn]);
        steps.extend([Step::Foe, named("melee")]);
    }
    steps.extend([
        Step::AppCommand(AppCommand::Game(GameCommand::Pause)),
        look("pause"),
    ]);
    let ask = AppCommand::Ask(Box::new(AppCommand::Game(GameCommand::Again {
        same_dice: true,
    })));
    steps.extend([
        Step::AppCommand(ask),
        look("ask"),
        Step::AppCommand(AppCommand::Close),
    ]);
    steps.extend([
        Step::AppCommand(AppCommand::File(FileCommand::Browse(Browse::Save))),
        look("save"),
    ]);
    steps.extend([Step::AppCommand(AppCommand::Save(SaveCommand::QuickSave))]);
    steps.extend([
        Step::Open(Screen::Title),
        Step::AppCommand(AppCommand::File(FileCommand::Browse(Browse::Load))),
    ]);
    steps.extend([look("load"), Step::AppCommand(AppCommand::Close)]);
    steps.extend([
        Step::Open(Screen::Builder),
        Step::Wait(10),
        look("builder"),
        Step::Open(Screen::Title),
    ]);
    steps.extend([
        Step::Open(Screen::Road),
        Step::Wait(10),
        look("road"),
        Step::Open(Screen::Title),
    ]);
    steps.extend([
        Step::Editor,
        Step::Wait(30),
        look("editor"),
        Step::Open(Screen::Title),
    ]);
    steps.extend([Step::AppCommand(AppCommand::File(FileCommand::Browse(
        Browse::Replays,
    )))]);
    steps.extend([look("replays"), Step::AppCommand(AppCommand::Close)]);
    let lesson = Session::new(&levels::tutorial()[2], skirmish, 1);
    steps.extend([Step::Battle(Box::new(lesson)), Step::Asked, look("lesson")]);
    let humans = vec![SideController::Human, SideController::Human];
    let hotseat = Session::with_controllers(&levels::tutorial()[0], skirmish, 1, humans);
    steps.extend([Step::Battle(Box::new(hotseat)), Step::Asked]);
    steps.extend([Step::Key(KeyE), Step::Key(KeyE), Step::Wait(20)]);
    steps.extend([look("handover"), Step::Open(Screen::Title)]);
    steps
}

/// The toll gate, against an easy AI.
fn played(rules: &'static Ruleset) -> Session {
    against(Player::Easy, &levels::default_level(), rules, 5)
}

/// The toll gate, at a reaction that helps.
fn prompted(rules: &'static Ruleset) -> Session {
    let controllers = vec![SideController::Human, SideController::Ai(Player::Quick)];
    for seed in 1..60 {
        let mut session =
            Session::with_controllers(&levels::default_level(), rules, seed, controllers.clone());
        for _ in 0..60 {
            session.catch_up();
            if session.awaits_ai() {
                session.think();
                continue;
            }
            if !session.is_prompted() {
                break;
            }
            let menu = ActionPreview::of(&mut session, &Selection::default()).menu;
            let rows = menu.expect("an answer").rows;
            if rows.iter().any(|row| row.brief.contains("becomes a miss")) {
                return session;
            }
            let Some(Picks::Give(pass)) = rows.last().map(|row| row.picks.clone()) else {
                break;
            };
            session.give(&[pass]).expect("it is on offer");
        }
    }
    panic!("no reaction helps");
}

/// The toll gate, where all units but one have declared an attack on the same enemy.
fn planned(rules: &'static Ruleset) -> Session {
    let level = levels::default_level();
    let mut session = begun_against(Player::Quick, &level, rules, 11);
    let own: Vec<Id> = session
        .shown()
        .members(session.player())
        .map(|p| p.id)
        .collect();
    for &who in &own[1..] {
        let enemy = session
            .shown()
            .units
            .iter()
            .find(|p| p.side != session.player());
        let foe = enemy.expect("a foe").at;
        let preview = ActionPreview::of(&mut session, &point(who, foe));
        if let Click::Plan(draft) = preview.click {
            plan(&mut session, &draft);
        }
    }
    session
}

/// A battle with a goblin beside one of the player's units.
fn met(rules: &'static Ruleset) -> Session {
    against(Player::Idle, &super::kit::levels::level(), rules, 5)
}

/// A battle between AIs, played to the end.
fn watched(rules: &'static Ruleset) -> Session {
    let controllers = vec![SideController::Ai(Player::Quick); 2];
    let mut session = Session::with_controllers(&levels::default_level(), rules, 7, controllers);
    while session.awaits_ai() {
        session.think();
    }
    session
}

/// Runs the next step of the tour, once the last one is done.
fn lead(world: &mut World) {
    let mut tour = world.remove_resource::<Tour>().expect("the tour");
    tour.frames += 1;
    assert!(
        tour.frames < 1_000_000,
        "stuck, {} steps left",
        tour.steps.len()
    );
    if tour.rest > 0 {
        tour.rest -= 1;
    } else if tour.kept < tour.pictures {
        // The last picture has not been saved yet.
        tour.kept = world.resource::<Found>().0.len();
    } else if let Some(step) = tour.steps.pop_front() {
        go(world, &mut tour, step);
    } else {
        let faults = &tour.faults;
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        world.write_message(AppExit::Success);
    }
    world.insert_resource(tour);
}

fn go(world: &mut World, tour: &mut Tour, step: Step) {
    tour.rest = 1;
    match step {
        Step::Size((width, height, text, factor)) => {
            rescale(world, factor);
            resize(world, width, height);
            world.resource_mut::<Settings>().text_percent = text;
            world.resource_mut::<Settings>().warn = false;
            tour.rest = SETTLES;
        }
        Step::Open(screen) => {
            world.resource_mut::<NextState<Screen>>().set(screen);
        }
        Step::Page(page) => {
            let mut buttons = world.query::<(Entity, &TitleButton)>();
            let mut found = buttons.iter(world);
            let found = found.find(|(_, button)| **button == TitleButton::Page(page));
            let entity = found.expect("the entry").0;
            world.trigger(Activate { entity });
        }
        Step::Editor => {
            world.write_message(Edit::Level(levels::default_level()));
            tour.steps.push_front(Step::Chosen);
        }
        Step::Chosen => {
            world.write_message(EditorCommand::Next(-1));
        }
        Step::Battle(session) => {
            world.resource_mut::<Settings>().review = false;
            world.insert_resource(Ready(*session));
            world
                .resource_mut::<NextState<Screen>>()
                .set(Screen::Battle);
        }
        Step::Asked => {
            let session = world.resource::<Session>();
            if session.question().is_none() && !session.awaits_end_of_turn() {
                world.write_message(Command::Skip);
                tour.steps.push_front(Step::Asked);
            }
        }
        Step::Turn => {
            let session = world.resource::<Session>();
            if session.is_prompted() || !session.is_players_turn() {
                let is_prompted = session.is_prompted();
                world.write_message(match is_prompted {
                    true => Command::Reply(usize::MAX),
                    false => Command::Skip,
                });
                tour.steps.push_front(Step::Turn);
            }
        }
        Step::Until(screen) => {
            if *world.resource::<State<Screen>>().get() != screen {
                world.write_message(Command::Skip);
                tour.steps.push_front(Step::Until(screen));
            }
        }
        Step::Key(code) => {
            strike(world, code, Logical::Dead(None), None, ButtonState::Pressed);
            tour.steps.push_front(Step::Released(code));
        }
        Step::Released(code) => {
            strike(
                world,
                code,
                Logical::Dead(None),
                None,
                ButtonState::Released,
            );
        }
        Step::Say(command) => {
            world.write_message(command);
        }
        Step::Keys(tab) => {
            let mut buttons = world.query::<(Entity, &CardButton)>();
            let tab = buttons.iter(world).find(|b| *b.1 == CardButton::Tab(tab));
            let entity = tab.expect("the tab").0;
            world.trigger(Activate { entity });
        }
        Step::AppCommand(app_command) => {
            world.write_message(app_command);
        }
        Step::Foe | Step::Cell => {
            let session = world.resource::<Session>();
            let preview = world.resource::<ActionPreview>();
            let foes = session.shown().units.iter();
            let mut foes = foes.filter(|p| p.is_up() && p.side != session.player());
            let foe = foes.next().map(|p| p.at);
            let near = preview.reach.last().map(|r| r.cell);
            let is_foe = matches!(step, Step::Foe);
            world.write_message(Command::Point(if is_foe { foe } else { near }, None));
        }
        Step::Go => {
            world.resource_mut::<Settings>().review = true;
            world.write_message(Command::Go);
        }
        Step::Tried => {
            if world.resource::<PlanPreview>().simulation.is_none() {
                // Frames without vsync would leave the simulation no time.
                std::thread::sleep(std::time::Duration::from_millis(10));
                tour.steps.push_front(Step::Tried);
            }
        }
        Step::Wait(frames) => tour.rest = frames,
        Step::Look(name) => {
            for &size in tour.sizes.iter().rev() {
                let name = format!("{name}-{}", self::named(size));
                tour.steps.push_front(Step::LookNow(name));
                tour.steps.push_front(Step::Size(size));
            }
            tour.sizes.reverse();
        }
        Step::LookNow(name) => check(world, tour, &name),
    }
}

fn check(world: &mut World, tour: &mut Tour, name: &str) {
    let mut faults = layout::faults(world);
    if world.resource::<Settings>().text_percent == 100 {
        faults.extend(layout::scrolled_card(world));
    }
    tour.faults
        .extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
    let Some(folder) = &tour.folder else { return };
    let path = folder.join(format!("{name}.png"));
    let name = name.to_owned();
    tour.pictures += 1;
    world
        .spawn(Screenshot::primary_window())
        .observe(save_to_disk(path))
        .observe(
            move |shot: On<ScreenshotCaptured>, mut found: ResMut<Found>| {
                let colours = colours_of(&shot.image);
                assert!(colours > 50, "{name} has only {colours} colours");
                found.0.push(name.clone());
            },
        );
}

fn colours_of(image: &Image) -> usize {
    let data = image.data.as_deref().unwrap_or_default();
    data.chunks_exact(4).collect::<HashSet<_>>().len()
}

#[test]
fn the_interface_scales_with_the_window() {
    let scale = |w: f32, h: f32| (scale_for(Vec2::new(w, h), 1.0) * 100.0).round() as i32;
    assert_eq!(scale(1280.0, 720.0), 100);
    assert_eq!(scale(1024.0, 600.0), 100);
    assert_eq!(scale(1920.0, 1080.0), 125);
    assert_eq!(scale(2560.0, 1440.0), 150);
    assert_eq!(scale(3840.0, 2160.0), 200);
    // The shorter side limits the scale.
    assert_eq!(scale(3840.0, 720.0), 100);
}

/// At every scale factor, a window with enough pixels has at least the layout size of the
/// smallest window.
#[test]
fn no_window_has_less_space_than_the_smallest() {
    for factor in [1.0, 1.25, 1.5, 2.0, 3.0] {
        for width in (640..=3840).step_by(7) {
            let pixels = Vec2::new(width as f32, width as f32 * 9.0 / 16.0);
            let window = pixels / factor;
            let scale = scale_for(window, factor);
            let least = MEASURE.min(pixels) - 1.0;
            assert!(
                (window / scale).cmpge(least).all(),
                "{pixels} at {factor}: {scale}"
            );
            // A layout pixel is never smaller than a physical pixel.
            assert!(scale * factor > 0.999, "{pixels} at {factor}: {scale}");
        }
    }
}

#[test]
fn the_initial_window_is_not_larger_than_the_screen() {
    let size = |wanted: (u32, u32), screen: (u32, u32)| {
        <(u32, u32)>::from(first_size(wanted.into(), screen.into()))
    };
    assert_eq!(size((1280, 720), (1920, 1080)), (1280, 720));
    assert_eq!(size((1280, 720), (1280, 720)), (1280, 720));
    // The window at scale factor 2, on common screens.
    assert_eq!(size((2560, 1440), (1920, 1080)), (1728, 972));
    assert_eq!(size((2560, 1440), (2880, 1800)), (2560, 1440));
    assert_eq!(size((1280, 720), (1024, 768)), (921, 691));
}
