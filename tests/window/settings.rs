//! Settings, keys and the gamepad.

use super::kit::game::{Game, fresh_home, resize};
use bevy::{
    input::ButtonState, input_focus::InputFocusVisible, prelude::*, text::RemSize,
    window::WindowMode,
};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::Side,
    control::{Player, recording::SideController},
    lab::measured::by_difficulty,
    levels::built_in,
    rulesets,
    ui::{
        Options, Screen, Session,
        art::palette::Scheme,
        home::Home,
        hud::{ActBar, LogCard, TopBar},
        input::{Bindings, Key, Stroke},
        screens::title::TitleButton,
        settings::{
            Amount, Pace, Settings, Toast,
            screen::{CardButton, Choice, Loudness, Open, OpensSettings, Switch, Tab},
            store,
        },
        theme::{BODY, TextStyle},
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn title(home: &Path) -> Game {
    Game::new(Options {
        seed: Some(2),
        home: Some(home.to_path_buf()),
        ..Options::default()
    })
}

impl Game {
    fn settings(&self) -> &Settings {
        self.app.world().resource()
    }

    fn text_size(&self) -> f32 {
        self.app.world().resource::<RemSize>().0
    }

    fn is_open(&self) -> bool {
        self.app.world().resource::<Open>().is_open()
    }

    /// Clicks the control with this component.
    fn choose_on<C: Component + PartialEq + std::fmt::Debug>(&mut self, what: C) {
        let place = self.find::<C>(|c| *c == what);
        self.click(place.unwrap_or_else(|| panic!("{what:?} is not on the screen")));
    }

    fn open_settings(&mut self) {
        let button = self.find::<OpensSettings>(|_| true);
        self.click(button.expect("a button for the settings"));
        assert!(self.is_open());
    }
}

#[test]
fn settings_apply_at_once_and_after_a_restart() {
    let home = fresh_home();
    let mut game = title(&home);
    assert_eq!(game.text_size(), BODY);
    game.open_settings();
    // The controls further down are not visible in a small window.
    game.choose_on(Choice::OwnPace(Pace::Instant));
    game.choose_on(Switch::Vsync);
    // A click a quarter along the slider.
    let slider = game.find::<Loudness>(|l| *l == Loudness::Effects);
    game.click(slider.expect("a slider") - Vec2::new(50.0, 0.0));
    let effects = game.settings().volumes.effects;
    assert!((20..=35).contains(&effects), "{effects}");
    game.choose_on(Choice::TextPercent(150));
    assert_eq!(game.text_size(), BODY * 1.5);
    game.wait(3);
    game.choose_on(CardButton::Close);
    assert!(!game.is_open());
    let before = game.settings().clone();
    assert!(!before.vsync && before.own_pace == Pace::Instant);
    game.wait(20);
    drop(game);

    let game = title(&home);
    assert_eq!(*game.settings(), before);
    assert_eq!(game.text_size(), BODY * 1.5);
    let there = fs::read_dir(&home).unwrap().flatten();
    let files: Vec<_> = there.filter(|entry| entry.path().is_file()).collect();
    assert_eq!(
        files.len(),
        1,
        "one file and nothing half written: {files:?}"
    );
}

/// A larger text size makes the rows above it higher; the next click must not hit another setting.
#[test]
fn the_row_of_the_pressed_text_size_stays_in_its_place() {
    let mut game = title(&fresh_home());
    game.open_settings();
    for size in [Choice::TextPercent(175), Choice::TextPercent(100)] {
        let place = |game: &mut Game| game.find::<Choice>(|c| *c == size).expect("a button");
        let before = place(&mut game).y;
        game.choose_on(size);
        game.wait(8);
        let after = place(&mut game).y;
        assert!((after - before).abs() < 2.0, "{size:?}: {before} {after}");
    }
}

/// With large text the buttons of a row wrap beside its label.
#[test]
fn a_row_of_settings_stays_clear_of_its_label() {
    let mut game = title(&fresh_home());
    game.open_settings();
    game.choose_on(Choice::TextPercent(150));
    game.wait(3);
    let middle = |game: &mut Game, scheme| {
        let found = game.find::<Choice>(|c| *c == Choice::Palette(scheme));
        found.expect("a button for each scheme")
    };
    let first = middle(&mut game, Scheme::Standard);
    let last = middle(&mut game, Scheme::HighContrast);
    assert!(last.y > first.y, "the row wraps");
    assert!(last.x >= first.x, "{last} {first}");
}

#[test]
fn the_last_change_is_saved_when_the_window_closes() {
    let home = fresh_home();
    let mut game = title(&home);
    game.open_settings();
    game.choose_on(Choice::OwnPace(Pace::Fast));
    game.send(AppExit::Success, 1);
    drop(game);
    assert_eq!(title(&home).settings().own_pace, Pace::Fast);
}

#[test]
fn full_screen_has_a_key_and_alt_enter() {
    let mut game = title(&fresh_home());
    let mode = |game: &mut Game| {
        let world = game.app.world_mut();
        let mut windows = world.query::<&Window>();
        windows.single(world).expect("a window").mode
    };
    game.press(KeyCode::F11);
    assert_ne!(mode(&mut game), WindowMode::Windowed);
    game.key(KeyCode::AltLeft, ButtonState::Pressed);
    game.press(KeyCode::Enter);
    game.key(KeyCode::AltLeft, ButtonState::Released);
    assert_eq!(mode(&mut game), WindowMode::Windowed);
    // The key combination pressed nothing on the screen.
    assert_eq!(game.screen(), Screen::Title);
    // It also works while a card is open.
    game.open_settings();
    game.press(KeyCode::F11);
    assert!(game.settings().full_screen && game.is_open());
}

#[test]
fn the_window_reopens_with_its_last_size() {
    let home = fresh_home();
    let mut game = title(&home);
    resize(game.app.world_mut(), 1500, 900);
    game.wait(2);
    // The size in full screen is not saved.
    game.press(KeyCode::F11);
    resize(game.app.world_mut(), 1920, 1080);
    game.wait(2);
    game.press(KeyCode::F11);
    game.app.world_mut().write_message(AppExit::Success);
    resize(game.app.world_mut(), 1500, 900);
    game.wait(1);
    drop(game);
    let mut game = title(&home);
    game.wait(1);
    let place = game.settings().window.expect("a place");
    assert_eq!((place.size, place.maximised), ((1500, 900), false));
    let world = game.app.world_mut();
    let mut windows = world.query::<&Window>();
    let size = windows.single(world).expect("a window").physical_size();
    assert_eq!(size, UVec2::new(1500, 900));
}

#[test]
fn the_interface_size_is_limited_by_the_window() {
    let mut game = title(&fresh_home());
    let scale = |game: &mut Game, width, height, percent| {
        resize(game.app.world_mut(), width, height);
        game.app
            .world_mut()
            .resource_mut::<Settings>()
            .interface_percent = percent;
        game.wait(2);
        game.app.world().resource::<UiScale>().0
    };
    let usual = scale(&mut game, 1920, 1080, 100);
    assert!(scale(&mut game, 1920, 1080, 80) < usual);
    assert_eq!(scale(&mut game, 1920, 1080, 150), 1.5);
    assert_eq!(scale(&mut game, 1280, 720, 150), 1.0);
}

#[test]
fn a_broken_file_is_reported_and_kept() {
    let home = fresh_home();
    fs::create_dir_all(&home).unwrap();
    let file = home.join("settings.ron");
    fs::write(&file, "(palette: Ultraviolet)").unwrap();
    let mut game = title(&home);
    // The tests turn off warnings and the win probability.
    let standard = Settings {
        warn: false,
        forecast: false,
        review: false,
        ..Settings::default()
    };
    assert_eq!(*game.settings(), standard);
    assert!(game.says("line 1") && game.says("cannot be read"));
    game.wait(20);
    // A setting was changed meanwhile, so the broken file was renamed.
    let aside = fs::read_to_string(file.with_extension("ron.broken"));
    assert!(aside.unwrap().contains("Ultraviolet"));
    // The message appears on any screen and disappears after a while.
    game.until("the card goes", |game| !game.says("cannot be read"));
    game.send(Toast(String::from("a word")), 2);
    assert!(game.says("a word"));
}

#[test]
fn a_key_can_be_rebound_and_tooltips_name_it() {
    let home = fresh_home();
    let mut game = title(&home);
    game.open_settings();
    game.choose_on(CardButton::Tab(Tab::Keys));
    game.choose_on(CardButton::Bind(Key::EndTurn));
    assert!(game.says("press a key"));
    // The key is taken: the two swap, and a message says so.
    game.press(KeyCode::KeyU);
    assert!(
        game.says("was “Undo”, which is now E"),
        "{:?}",
        game.words()
    );
    let bindings = game.app.world().resource::<Bindings>().clone();
    assert_eq!(
        bindings.meaning(Stroke::plain(KeyCode::KeyU)),
        Some(Key::EndTurn)
    );
    assert_eq!(
        bindings.meaning(Stroke::plain(KeyCode::KeyE)),
        Some(Key::Undo)
    );
    // Escape cancels, and does not close the card.
    game.choose_on(CardButton::Bind(Key::Undo));
    game.press(KeyCode::Escape);
    assert!(game.is_open() && !game.says("press a key"));
    assert_eq!(*game.app.world().resource::<Bindings>(), bindings);
    game.press(KeyCode::Escape);
    assert!(!game.is_open());

    game.press(KeyCode::Enter);
    game.until_asked();
    let turn = game.session().game.answered();
    game.press(KeyCode::KeyE);
    assert_eq!(
        game.session().game.answered(),
        turn,
        "E takes back, which is nothing"
    );
    game.press(KeyCode::KeyU);
    game.press(KeyCode::KeyU);
    assert!(game.session().game.answered() > turn, "U ends the turn");
}

#[test]
fn settings_work_by_keys_only() {
    let mut game = title(&fresh_home());
    game.press(KeyCode::F10);
    assert!(game.is_open());
    // Down from the heading to the sliders; the arrow keys move a slider.
    game.press(KeyCode::ArrowDown);
    game.until("a slider", |game| {
        game.press(KeyCode::ArrowDown);
        game.has_focus::<Loudness>(|_| true)
    });
    let before = game.settings().volumes;
    game.press(KeyCode::ArrowLeft);
    assert_ne!(game.settings().volumes, before);
    game.until("the palettes", |game| {
        game.press(KeyCode::ArrowDown);
        game.has_focus::<Choice>(|c| matches!(c, Choice::TextPercent(_)))
    });
    game.press(KeyCode::ArrowRight);
    game.press(KeyCode::ArrowRight);
    game.press(KeyCode::Enter);
    assert_ne!(game.settings().text_percent, 100);
    // The card does not pass keys on to the screen behind it.
    assert_eq!(game.screen(), Screen::Title);
    game.press(KeyCode::F10);
    assert!(!game.is_open());
}

#[test]
fn the_title_screen_works_by_keys() {
    let mut game = title(&fresh_home());
    let chosen = |game: &mut Game| game.has_focus::<TitleButton>(|b| *b == TitleButton::Level(1));
    game.press(KeyCode::ArrowDown);
    assert!(chosen(&mut game), "the first arrow goes to the next level");
    assert!(game.app.world().resource::<InputFocusVisible>().0);
    // The list is rebuilt when another level is chosen; the focus stays.
    game.wait(5);
    assert!(chosen(&mut game));
    game.press(KeyCode::Enter);
    game.until_asked();
    assert_eq!(game.session().game.level().id, by_difficulty()[1].id);
}

#[test]
fn instant_speed_shows_no_animation() {
    let mut game = Game::battle(built_in()[0].clone(), Some(rulesets::ALL[0]), 3);
    game.app.world_mut().resource_mut::<Settings>().others_pace = Pace::Instant;
    if game.session().is_players_turn() {
        game.press(KeyCode::KeyE);
        game.press(KeyCode::KeyE);
    }
    assert!(!game.session().is_players_turn());
    let mut frames = 0;
    game.until("the others have acted", |game| {
        frames += 1;
        game.session().is_prompted()
            || game.screen() != Screen::Battle
            || game.session().is_players_turn()
    });
    assert!(frames < 60, "{frames} frames of 50 ms");
}

/// A replay is animated at any enemy speed, because it is there to be watched.
#[test]
fn a_replay_is_animated_at_instant_speed() {
    let level = &built_in()[0];
    let controllers = vec![SideController::Ai(Player::Quick); level.sides.len()];
    let mut session = Session::with_controllers(level, rulesets::ALL[0], 3, controllers);
    while session.over().is_none() && session.game.length() < 200 {
        while session.next_event().is_some() {}
        session.think();
    }
    let length = session.game.length();
    let mut game = Game::battle(built_in()[0].clone(), Some(rulesets::ALL[0]), 3);
    game.app.world_mut().resource_mut::<Settings>().others_pace = Pace::Instant;
    game.app.insert_resource(session.into_replay());
    game.wait(10);
    let shown = game.session().shown().events;
    assert!(
        shown < length,
        "{shown} of {length} events in half a second"
    );
}

#[cfg(feature = "gamepad")]
#[test]
fn a_turn_can_be_played_by_gamepad() {
    use GamepadButton as Pad;
    let mut game = title(&fresh_home());
    let pad = game.plug_in();
    // Open the settings and close them.
    game.pad(pad, Pad::Start);
    assert!(game.is_open());
    assert!(game.says("Close (B)"), "tips name the pad's buttons");
    game.pad(pad, Pad::DPadDown);
    game.until("the text sizes", |game| {
        game.pad(pad, Pad::DPadDown);
        game.has_focus::<Choice>(|c| matches!(c, Choice::TextPercent(_)))
    });
    game.pad(pad, Pad::DPadRight);
    game.pad(pad, Pad::DPadRight);
    game.pad(pad, Pad::South);
    assert_ne!(game.settings().text_percent, 100);
    game.pad(pad, Pad::East);
    assert!(!game.is_open());
    // Start the battle.
    game.pad(pad, Pad::South);
    game.until_asked();

    // Move to a reachable cell.
    let who = game.selection().chosen.expect("a unit is selected");
    let at = game.session().shown().unit(who).at;
    let reach = game.preview().reach.clone();
    let near = reach.iter().find(|r| {
        let (x, y) = (r.cell.x - at.x, r.cell.y - at.y);
        x.abs() + y.abs() == 1
    });
    let near = near.expect("a free cell beside").cell;
    let way = match (near.x - at.x, near.y - at.y) {
        (1, _) => Pad::DPadRight,
        (-1, _) => Pad::DPadLeft,
        (_, 1) => Pad::DPadDown,
        _ => Pad::DPadUp,
    };
    game.pad(pad, way);
    assert_eq!(game.selection().cursor, Some(near));
    game.pad(pad, Pad::South);
    game.until_asked();
    assert_eq!(game.session().shown().unit(who).at, near);

    // Move the focus to the buttons, along the action bar, and back to the board.
    game.pad(pad, Pad::West);
    game.until("a button of the act bar", |game| {
        game.pad(pad, Pad::DPadDown);
        game.has_focus::<SendOnPress<fivefoot::ui::Command>>(|_| true)
    });
    let cursor = game.selection().cursor;
    game.pad(pad, Pad::DPadRight);
    assert_eq!(
        game.selection().cursor,
        cursor,
        "the arrows are the buttons' now"
    );
    game.pad(pad, Pad::East);
    game.pad(pad, Pad::DPadRight);
    assert_ne!(game.selection().cursor, cursor, "and the board's again");

    // Open the list of all actions.
    game.pad(pad, Pad::North);
    assert!(game.says(": all actions"));
    assert!(
        game.has_focus::<SendOnPress<fivefoot::ui::Command>>(|_| true),
        "the list has the focus"
    );
    game.pad(pad, Pad::East);
    assert!(!game.says(": all actions"));

    // Select the next unit, and end the turn.
    game.pad(pad, Pad::RightTrigger);
    assert_ne!(game.selection().chosen, Some(who));
    let answers = game.session().game.answered();
    game.pad(pad, Pad::RightTrigger2);
    game.pad(pad, Pad::RightTrigger2);
    assert!(game.session().game.answered() > answers);
    assert_eq!(game.session().player(), Side(0));
}

#[test]
fn the_whole_action_bar_is_visible_with_large_text() {
    let mut game = Game::battle(built_in()[0].clone(), Some(rulesets::ALL[0]), 3);
    for percent in [100, 150, 200] {
        game.app.world_mut().resource_mut::<Settings>().text_percent = percent;
        game.wait(6);
        let (bar, window) = (game.rect::<ActBar>(), Vec2::new(1280.0, 720.0));
        assert!(bar.max.cmple(window).all(), "{percent}%: {bar:?}");
        assert!(bar.width() > 200.0, "{percent}%: {bar:?}");
    }
}

#[test]
fn large_text_leaves_the_log_three_lines_and_the_header_two() {
    let mut game = Game::battle(built_in()[0].clone(), Some(rulesets::ALL[0]), 3);
    resize(game.app.world_mut(), 1920, 1080);
    for percent in [150, 175] {
        game.app.world_mut().resource_mut::<Settings>().text_percent = percent;
        game.wait(6);
        let room = game.app.world().resource::<UiScale>().0;
        let text = game.text_size() / BODY;
        let line = room * text * TextStyle::Body.line_height();
        let log = game.rect::<LogCard>().height();
        assert!(log >= 3.0 * line, "{percent}%: {log} for lines of {line}");
        // A row with two lines of text, and one for the track.
        let bar = game.rect::<TopBar>().height();
        assert!(bar < 5.0 * line, "{percent}%: {bar} for lines of {line}");
    }
}

/// The path of the settings file in an existing, empty home folder.
fn file() -> PathBuf {
    let home = fresh_home();
    fs::create_dir_all(&home).unwrap();
    store::path(&Home::at(&home)).unwrap()
}

#[test]
fn all_settings_are_saved_and_loaded() {
    let path = file();
    let mut settings = Settings {
        text_percent: 150,
        palette: Scheme::Tritan,
        others_pace: Pace::Instant,
        full_screen: true,
        warn: false,
        shake: Amount::Off,
        flashes: Amount::Little,
        dice: false,
        less_motion: true,
        ..Settings::default()
    };
    settings.volumes.effects = 35;
    settings
        .keys
        .insert(Key::Undo, Stroke::shifted(KeyCode::KeyZ));
    settings
        .keys
        .insert(Key::Act('s'), Stroke::plain(KeyCode::F5));
    store::save(&path, &settings).unwrap();
    assert_eq!(store::load(&path), (settings, None));
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

#[test]
fn missing_settings_are_defaults_and_excessive_values_are_limited() {
    let path = file();
    fs::write(&path, "(text_percent: 9000, of_tomorrow: 3)").unwrap();
    let (settings, told) = store::load(&path);
    assert_eq!(told, None);
    let standard = Settings::default();
    assert_eq!(
        settings,
        Settings {
            text_percent: 200,
            ..standard
        }
    );
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

#[test]
fn a_broken_file_is_reported_with_its_position_and_never_lost() {
    let path = file();
    let broken = "(\n  text_percent: lots,\n)";
    fs::write(&path, broken).unwrap();
    let (settings, told) = store::load(&path);
    assert_eq!(settings, Settings::default());
    assert!(told.unwrap().contains("line 2, column "));
    assert_eq!(fs::read_to_string(&path).unwrap(), broken);
    store::save(&path, &settings).unwrap();
    assert_eq!(store::load(&path), (settings, None));
    let aside = path.with_extension("ron.broken");
    assert_eq!(fs::read_to_string(aside).unwrap(), broken);
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}
