//! The editor's forms for creatures and sides, its fixes and keys, and the way from a
//! battle to the editor and back.

use super::kit::{
    editing::{
        ask, chord, drag, editor, is_of_a_level, screen_point, send_command, standing, text,
    },
    game::{Game, fresh_home},
    shell::click,
};
use bevy::prelude::*;
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    grid::Cell,
    levels::{self, edit::At},
    ui::{
        Options, Screen,
        app_command::{AppCommand, GameCommand},
        editor::{
            EditorCommand, FormSearch,
            brush::{Brush, TerrainKind, Tool},
            kinds::Names,
            state::Chosen,
        },
        input::{EditKey, Key, Stroke, rebind},
        settings::{
            Settings,
            screen::{CardButton, Tab},
        },
    },
};

/// An editor with a copy of the goblin from the list on the left.
fn with_own_kind() -> Game {
    let mut game = editor();
    ask(&mut game, EditorCommand::Choose(Chosen::Kinds));
    send_command(&mut game, EditorCommand::PickKind);
    ask(
        &mut game,
        EditorCommand::Brush(Brush::Unit("goblin".into(), 1)),
    );
    assert_eq!(standing(&game).chosen, Chosen::Kind(0));
    game
}

/// Finds the button that raises a creature's hit dice from one to two.
fn second_hit_die(kind: &At) -> impl Fn(&SendOnPress<EditorCommand>) -> bool {
    let hit_dice = kind.field("hit_dice");
    move |wishes| matches!(&wishes.0, EditorCommand::Set { at, value, .. } if *at == hit_dice && value == "2")
}

#[test]
fn a_creature_is_copied_named_changed_and_placed() {
    let mut game = with_own_kind();
    assert!(game.says("like goblin"), "{:?}", game.words());
    game.click_on::<Names>("its name", |n| *n == Names::Kind(0));
    game.type_text("Bog king");
    game.press(KeyCode::Enter);
    game.wait(5);
    assert_eq!(standing(&game).doc.own_kinds(), ["bog_king"]);
    let at = standing(&game).doc.own_kind_at(0).unwrap();
    assert_eq!(
        standing(&game).doc.piece(&at.field("name")),
        None,
        "the id says it"
    );
    // A button changes a number; its tooltip explains it.
    game.click_on::<SendOnPress<EditorCommand>>("one hit die more", second_hit_die(&at));
    game.wait(3);
    assert_eq!(standing(&game).doc.raw(&at.field("hit_dice")), Some("2"));
    // A weapon is chosen from a list.
    send_command(&mut game, EditorCommand::List(at.field("weapons")));
    let takes = |w: &SendOnPress<EditorCommand>| {
        matches!(&w.0, EditorCommand::Set { at: a, value, .. }
            if *a == at.field("weapons") && value.ends_with("\"mace\"]"))
    };
    let place = game
        .find::<SendOnPress<EditorCommand>>(takes)
        .expect("a mace to take");
    game.click(place);
    game.wait(3);
    let raw = standing(&game).doc.raw(&at.field("weapons")).unwrap();
    assert!(raw.ends_with("\"mace\"]") && raw.len() > 8, "{raw}");
    // The search finds a ruleset's numbers by a part of their name.
    let search = game.find::<FormSearch>(|_| true).is_some();
    assert!(search, "others are searched");
    ask(
        &mut game,
        EditorCommand::Brush(Brush::Unit("bog_king".into(), 1)),
    );
    game.click(screen_point(&game, 12, 8));
    game.wait(3);
    let level = standing(&game).good.clone().expect("it is sound");
    let king = level
        .combatants
        .iter()
        .find(|c| c.creature.id == "bog_king");
    assert_eq!(king.expect("they are placed").creature.rank(), 2);
    assert_eq!(standing(&game).findings, []);
    // Once the creature is removed, its units have the kind that it was based on.
    ask(&mut game, EditorCommand::Choose(Chosen::Kind(0)));
    ask(&mut game, EditorCommand::RemoveKind(0));
    assert!(!text(&game).contains("bog_king") && !text(&game).contains("kinds:"));
    assert_eq!(standing(&game).findings, []);
}

/// Buttons and the map stay under the pointer when a number is raised or the tool changes.
#[test]
fn buttons_and_map_stay_under_the_pointer() {
    let mut game = with_own_kind();
    let at = standing(&game).doc.own_kind_at(0).unwrap();
    let place = game.find::<SendOnPress<EditorCommand>>(second_hit_die(&at));
    let place = place.expect("one hit die more");
    for _ in 0..3 {
        game.click(place);
        game.wait(3);
    }
    assert_eq!(standing(&game).doc.raw(&at.field("hit_dice")), Some("4"));
    let before = screen_point(&game, 3, 3);
    for (tool, ..) in Tool::ALL {
        ask(&mut game, EditorCommand::Tool(tool));
        game.wait(3);
        assert_eq!(screen_point(&game, 3, 3), before, "{tool:?}");
    }
}

#[test]
fn the_rulesets_a_level_suits_are_chosen_by_buttons() {
    let mut game = editor();
    let before = text(&game);
    let toggle = |game: &mut Game, list: &str| {
        let at = At::root().field("suits");
        let is_it = |w: &SendOnPress<EditorCommand>| match &w.0 {
            EditorCommand::Set { at: a, value, .. } => *a == at && value == list,
            EditorCommand::Unset { at: a, .. } => *a == at && list.is_empty(),
            _ => false,
        };
        game.click_on::<SendOnPress<EditorCommand>>(list, is_it);
        game.wait(3);
    };
    toggle(&mut game, "[Speed]");
    toggle(&mut game, "[Phased, Speed]");
    assert!(text(&game).contains("    suits: [Phased, Speed],\n"));
    let level = standing(&game).good.clone().expect("it is sound");
    assert!(level.suits("Speed") && !level.suits("Skirmish"));
    toggle(&mut game, "[Speed]");
    toggle(&mut game, "");
    assert_eq!(text(&game), before);
}

#[test]
fn naming_a_side_changes_its_id_in_the_file() {
    let mut game = editor();
    ask(&mut game, EditorCommand::Choose(Chosen::Sides));
    game.click_on::<Names>("its name", |n| *n == Names::Side(1));
    game.type_text("The toll keepers");
    assert_eq!(standing(&game).side_ids()[1], "toll_keepers");
    assert!(!text(&game).contains("\"goblins\""), "{}", text(&game));
    assert_eq!(standing(&game).findings, []);
    chord(&mut game, KeyCode::KeyZ);
    assert_eq!(standing(&game).side_ids()[1], "goblins", "one edit");
}

#[test]
fn a_problem_offers_its_fix_and_shows_its_place() {
    let mut game = editor();
    let before = text(&game);
    drag(&mut game, MouseButton::Left, &[(9, 1), (11, 2)]);
    assert_eq!(standing(&game).errors(), 1);
    ask(&mut game, EditorCommand::Choose(Chosen::Level));
    send_command(&mut game, EditorCommand::Find(0));
    assert!(matches!(standing(&game).chosen, Chosen::Unit(_)));
    assert_eq!(standing(&game).cursor, Some(Cell::new(11, 2)));
    send_command(&mut game, EditorCommand::Fix(0));
    assert_eq!(
        standing(&game).errors(),
        0,
        "{:?}",
        standing(&game).findings
    );
    assert_ne!(text(&game), before);
    // A misspelt word: the editor offers the right one.
    let kind = standing(&game).units[0].entry.field("kind");
    let value = "\"mata\"".to_string();
    ask(
        &mut game,
        EditorCommand::Set {
            at: kind.clone(),
            value,
            what: "a typo".into(),
        },
    );
    assert!(standing(&game).errors() > 0);
    send_command(&mut game, EditorCommand::Fix(0));
    assert_eq!(standing(&game).doc.string(&kind), Some("mara"));
    assert_eq!(standing(&game).errors(), 0);
}

#[test]
fn a_hollow_box_is_drawn_by_mouse() {
    let mut game = editor();
    ask(
        &mut game,
        EditorCommand::Brush(Brush::Ground(TerrainKind::Rubble)),
    );
    send_command(&mut game, EditorCommand::Tool(Tool::Box));
    send_command(&mut game, EditorCommand::Hollow);
    drag(&mut game, MouseButton::Left, &[(11, 7), (12, 8), (13, 9)]);
    let board = standing(&game).board().unwrap();
    let is_rough = |x, y| board.ground(Cell::new(x, y)).unwrap().rough;
    assert!(is_rough(11, 7) && is_rough(12, 9) && !is_rough(12, 8));
}

#[test]
fn the_editors_keys_are_listed_and_can_be_changed() {
    let mut game = editor();
    game.press(KeyCode::F10);
    game.wait(5);
    click(&mut game, CardButton::Tab(Tab::Keys));
    assert!(game.says("In the level editor"));
    assert!(game.says("Line") && game.says("Ctrl+Z"));
    let bind = CardButton::Bind(Key::Edit(EditKey::Line));
    let buttons = game.count::<CardButton>(|b| *b == bind);
    assert_eq!(buttons, 1);
    let stroke = Stroke::plain(KeyCode::KeyU);
    let mut settings = game.app.world_mut().resource_mut::<Settings>();
    let key = Key::Edit(EditKey::Line);
    let taken = rebind(&mut settings.keys, key, stroke);
    assert_eq!(taken, None, "that U takes back in a battle is no hindrance");
    game.press(KeyCode::F10);
    game.wait(5);
    game.press(KeyCode::KeyU);
    assert_eq!(standing(&game).tool, Tool::Line);
    game.press(KeyCode::KeyB);
    game.press(KeyCode::KeyL);
    assert_eq!(standing(&game).tool, Tool::Paint, "L is free now");
}

#[test]
fn a_battles_level_is_edited_and_the_battle_continues() {
    let mut game = Game::new(Options {
        home: Some(fresh_home()),
        level: Some(levels::default_level()),
        seed: Some(3),
        ..Options::default()
    });
    game.until_settled();
    let answered = game.session().game.answered();
    let battle = game.session().game.id().to_string();
    game.send(AppCommand::Game(GameCommand::Pause), 5);
    game.click_on::<SendOnPress<fivefoot::ui::editor::Edit>>("Edit this level", is_of_a_level);
    game.wait(10);
    assert_eq!(game.screen(), Screen::Editor);
    assert_eq!(text(&game), *levels::default_level().source);
    // A test play in between changes nothing about that.
    game.press(KeyCode::F5);
    game.wait(10);
    assert_eq!(game.screen(), Screen::Battle);
    game.send(AppCommand::Game(GameCommand::Pause), 5);
    assert!(game.says("To the editor") && !game.says("Edit this level"));
    game.click_on::<SendOnPress<AppCommand>>("back", |does| {
        does.0 == AppCommand::Game(GameCommand::Leave)
    });
    game.wait(10);
    assert_eq!(game.screen(), Screen::Editor);
    game.press(KeyCode::Escape);
    game.wait(10);
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(game.session().game.id().to_string(), battle);
    assert_eq!(game.session().game.answered(), answered);
    assert!(game.session().question().is_some() || game.session().awaits_end_of_turn());
}
