//! On every card above the screen, Enter presses the teal button; and the list of levels
//! follows the keys.

use super::kit::{
    editing::{ask, editor},
    game::{Game, fresh_home},
    shell::{at, click, click_command, end_turn, played, show},
};
use bevy::{prelude::*, ui::UiGlobalTransform, ui_widgets::Activate};
use fivefoot::{
    control::recording::SideController,
    lab::measured::{by_difficulty, under},
    levels,
    rulesets::ALL,
    ui::{
        Screen, Session,
        app_command::{AppCommand, Browse, FileCommand, GameCommand},
        art::hud::Panel,
        editor::{
            EditorCommand,
            brush::{Brush, TerrainKind},
        },
        modal::Modal,
        screens::title::{Page, TitleButton},
        widgets::Skin,
    },
};

/// The pressed buttons, in order.
#[derive(Resource, Default)]
struct Pressed(Vec<Entity>);

fn watch(game: &mut Game) {
    game.app.init_resource::<Pressed>();
    game.app
        .add_observer(|on: On<Activate>, mut pressed: ResMut<Pressed>| pressed.0.push(on.entity));
}

/// The teal buttons of the topmost card.
fn teal(game: &mut Game) -> Vec<Entity> {
    let world = game.app.world_mut();
    let mut modals = world.query_filtered::<(Entity, &GlobalZIndex), With<Modal>>();
    let top = modals.iter(world).max_by_key(|(_, above)| above.0);
    let (top, _) = top.expect("something lies over the screen");
    let mut skins = world.query::<(Entity, &Skin)>();
    let teal = skins.iter(world).filter(|(entity, skin)| {
        let up = std::iter::successors(Some(*entity), |e| Some(world.get::<ChildOf>(*e)?.0));
        skin.0 == Panel::ButtonPrimary && up.into_iter().any(|e| e == top)
    });
    teal.map(|(entity, _)| entity).collect()
}

/// Asserts that Enter presses the only teal button.
fn enter_presses_it(game: &mut Game, what: &str) {
    let teal = teal(game);
    assert!(!teal.is_empty(), "{what}: no button is teal");
    game.app.world_mut().resource_mut::<Pressed>().0.clear();
    game.press(KeyCode::Enter);
    let pressed = &game.app.world().resource::<Pressed>().0;
    assert_eq!(pressed[..], teal[..1], "{what}");
}

#[test]
fn enter_presses_the_teal_button_of_every_card() {
    let mut game = at(&fresh_home());
    watch(&mut game);
    show(&mut game, Session::new(&levels::default_level(), ALL[0], 2));
    game.until_own_turn();
    let open = |game: &mut Game, key: KeyCode| {
        game.press(key);
        game.wait(3);
    };
    open(&mut game, KeyCode::Escape);
    enter_presses_it(&mut game, "pause");
    open(&mut game, KeyCode::F1);
    enter_presses_it(&mut game, "codex");
    open(&mut game, KeyCode::F10);
    enter_presses_it(&mut game, "settings");
    assert!(!game.is_paused(), "all are closed again");
    for what in [Browse::Save, Browse::Load] {
        game.press(KeyCode::Escape);
        game.wait(3);
        click_command(&mut game, &AppCommand::File(FileCommand::Browse(what)));
        if what == Browse::Load {
            click_command(&mut game, &AppCommand::File(FileCommand::Choose(0)));
        }
        game.wait(3);
        enter_presses_it(&mut game, &format!("{what:?}"));
        game.wait(5);
        game.until_own_turn();
        while game.is_paused() {
            game.press(KeyCode::Escape);
        }
    }
    // Two human players at one screen.
    let mut recording = played(ALL[0], 0).recording("");
    recording.save_info.as_mut().unwrap().controllers = vec![SideController::Human; 2];
    show(&mut game, Session::load(&recording).unwrap());
    game.until("the card between the players", Game::is_paused);
    enter_presses_it(&mut game, "handover");
}

#[test]
fn enter_presses_the_teal_button_of_the_editors_dialogs() {
    let mut game = editor();
    watch(&mut game);
    ask(
        &mut game,
        EditorCommand::Brush(Brush::Ground(TerrainKind::LowWall)),
    );
    game.click(super::kit::editing::screen_point(&game, 4, 7));
    game.wait(3);
    ask(&mut game, EditorCommand::Leave { sure: false });
    enter_presses_it(&mut game, "leave without saving");
    game.wait(3);
    // A built-in level has to be saved under a new name.
    if game.is_paused() {
        enter_presses_it(&mut game, "save as");
        game.wait(3);
    }
    assert!(!game.is_paused(), "it is saved");
}

fn rect(game: &Game, entity: Entity) -> Rect {
    let world = game.app.world();
    let node = world.get::<ComputedNode>(entity).expect("a node");
    let place = world.get::<UiGlobalTransform>(entity).expect("its place");
    let scale = node.inverse_scale_factor;
    Rect::from_center_size(place.translation * scale, node.size() * scale)
}

fn entity_of<C: Component>(game: &mut Game, is_it: impl Fn(&C) -> bool) -> Entity {
    let world = game.app.world_mut();
    let mut all = world.query::<(Entity, &C)>();
    let found = all.iter(world).find(|(_, c)| is_it(c));
    found.expect("it is on the screen").0
}

/// Whether the row of a level is visible in the list.
fn is_in_sight(game: &mut Game, n: usize) -> bool {
    let row = entity_of::<TitleButton>(game, |b| *b == TitleButton::Level(n));
    let list = game.app.world().get::<ChildOf>(row).expect("a list").0;
    let (row, list) = (rect(game, row), rect(game, list));
    list.min.y - 1.0 <= row.min.y && row.max.y <= list.max.y + 1.0
}

#[test]
fn the_list_of_levels_follows_the_keys() {
    let mut game = at(&fresh_home());
    let all = by_difficulty();
    let last = all.len() - 1;
    assert!(
        !is_in_sight(&mut game, last),
        "the list is longer than its place"
    );
    for (key, n) in [
        (KeyCode::Digit9, 8),
        (KeyCode::Digit1, 0),
        (KeyCode::Digit8, 7),
    ] {
        game.press(key);
        game.wait(6);
        assert!(is_in_sight(&mut game, n), "level {}", n + 1);
    }
    for (n, level) in all.iter().enumerate().skip(8) {
        game.press(KeyCode::ArrowDown);
        game.wait(6);
        assert!(game.says(&level.briefing), "level {}", n + 1);
        assert!(is_in_sight(&mut game, n), "level {}", n + 1);
    }
    // The arrow keys continue from the level that was chosen by number.
    game.press(KeyCode::Digit1);
    game.wait(6);
    game.press(KeyCode::ArrowDown);
    game.wait(6);
    assert!(game.says(&all[1].briefing));
}

/// The list is sorted by the results under the chosen ruleset.
#[test]
fn the_list_of_levels_begins_with_the_easiest() {
    let mut game = at(&fresh_home());
    for (nth, rules) in ALL.iter().enumerate() {
        click(&mut game, TitleButton::Rules(nth));
        assert!(game.says("Single battle, easiest first"), "{}", rules.id);
        let mut rows: Vec<(f32, Option<f64>)> = vec![];
        for (n, level) in by_difficulty().iter().enumerate() {
            let row = entity_of::<TitleButton>(&mut game, |b| *b == TitleButton::Level(n));
            let won = under(level, rules.id).map(|of| of.won);
            rows.push((rect(&game, row).min.y, won));
        }
        rows.sort_by(|one, next| one.0.total_cmp(&next.0));
        assert!(
            rows.is_sorted_by(|one, next| one.1 >= next.1),
            "{}",
            rules.id
        );
    }
}

/// A newcomer is sent to the first lesson of the chosen ruleset.
#[test]
fn a_newcomer_begins_with_a_lesson_of_the_ruleset() {
    let mut game = Game::newcomer();
    click(&mut game, TitleButton::Page(Page::Play));
    for (id, lesson) in [("Skirmish", 1), ("Phased", 5)] {
        let nth = ALL.iter().position(|rules| rules.id == id);
        click(&mut game, TitleButton::Rules(nth.expect("a ruleset")));
        let words = format!("Start with lesson {lesson}, under Learn");
        assert!(game.says(&words), "{:?}", game.words());
    }
}

/// Many units have smaller pictures, so that none touches the border of the row.
#[test]
fn the_pictures_of_a_level_are_inside_its_row() {
    let mut game = at(&fresh_home());
    for n in 0..by_difficulty().len() {
        let row = entity_of::<TitleButton>(&mut game, |b| *b == TitleButton::Level(n));
        let edge = rect(&game, row).max.x - 10.0;
        let mut below = vec![row];
        while let Some(entity) = below.pop() {
            let world = game.app.world();
            let children = world.get::<Children>(entity).into_iter().flatten();
            below.extend(children.copied());
            if world.get::<ImageNode>(entity).is_some() && entity != row {
                let right = rect(&game, entity).max.x;
                assert!(right <= edge, "level {}: {right} {edge}", n + 1);
            }
        }
    }
}

/// Enter continues the last battle until the player chooses something. Then the hint below
/// the entries changes and Start is teal.
#[test]
fn nothing_on_the_title_moves_when_a_level_is_chosen() {
    let home = fresh_home();
    let mut game = at(&home);
    click(&mut game, TitleButton::Start);
    end_turn(&mut game);
    game.send(AppCommand::Game(GameCommand::Leave), 5);
    assert_eq!(game.screen(), Screen::Title);
    let looks = |game: &mut Game| {
        let rows = (0..4).map(TitleButton::Level).chain([TitleButton::Start]);
        let rows: Vec<_> = rows
            .map(|b| entity_of::<TitleButton>(game, |c| *c == b))
            .collect();
        let learn = entity_of::<TitleButton>(game, |b| *b == TitleButton::Page(Page::Learn));
        let start = game.app.world().get::<Skin>(rows[4]).expect("its skin").0;
        let places: Vec<Rect> = rows
            .iter()
            .chain([&learn])
            .map(|e| rect(game, *e))
            .collect();
        (places, start)
    };
    let (before, start) = looks(&mut game);
    assert_eq!(start, Panel::Button, "Enter continues");
    game.click(before[0].center());
    game.wait(4);
    let (after, start) = looks(&mut game);
    assert_eq!(start, Panel::ButtonPrimary, "Enter starts");
    assert_eq!(before, after);
}
