//! The level editor, by mouse and by keys.

use super::kit::{
    editing::{
        ask, button, chord, drag, editor, editor_in, screen_point, send_command, standing, text,
        title,
    },
    game::{Game, fresh_home},
    shell::{open, played},
};
use bevy::{input::ButtonState, prelude::*};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    grid::Cell,
    levels::{self, edit::At},
    rulesets::ALL,
    ui::{
        Screen,
        editor::{
            Edit, EditorCommand,
            brush::{Brush, TerrainKind, Tool},
            canvas::Token,
            files::{FileCard, MergeChoice, NameEntry, SaveNamed},
            marks::{Pin, SightCard},
            simulate::Simulation,
            state::Chosen,
        },
        screens::title::Page,
    },
};
use std::fs;

fn row(game: &Game, y: usize) -> String {
    let at = At::root().field("map").nth(y);
    standing(game).doc.string(&at).expect("a row").to_string()
}

#[test]
fn opening_a_level_from_the_title_changes_nothing() {
    let mut game = editor();
    let level = levels::default_level();
    assert_eq!(text(&game), *level.source);
    assert_eq!(game.count::<Token>(|_| true), level.combatants.len());
    assert!(game.says("No problems found."));
    game.press(KeyCode::Escape);
    game.wait(5);
    assert_eq!(game.screen(), Screen::Title);
}

#[test]
fn the_ground_is_painted_by_mouse_and_undone() {
    let mut game = editor();
    let before = text(&game);
    send_command(
        &mut game,
        EditorCommand::Brush(Brush::Ground(TerrainKind::LowWall)),
    );
    drag(&mut game, MouseButton::Left, &[(3, 7), (4, 7), (6, 7)]);
    assert_eq!(row(&game, 7), " ..====.......  ");
    assert_eq!(
        standing(&game).history.last().0,
        1,
        "one stroke is one edit"
    );
    assert!(game.says("1 line changed"));
    // The right button paints floor; rows without special characters get no legend.
    drag(&mut game, MouseButton::Right, &[(4, 7), (4, 7)]);
    assert_eq!(row(&game, 7).chars().nth(4), Some('.'));
    chord(&mut game, KeyCode::KeyZ);
    chord(&mut game, KeyCode::KeyZ);
    assert_eq!(text(&game), before);
    chord(&mut game, KeyCode::KeyY);
    assert_eq!(row(&game, 7).matches('=').count(), 4);
}

#[test]
fn a_pit_and_a_window_get_signs_in_the_legend() {
    let mut game = editor();
    send_command(&mut game, EditorCommand::Brush(Brush::Height(-10)));
    send_command(&mut game, EditorCommand::Tool(Tool::Box));
    drag(&mut game, MouseButton::Left, &[(8, 7), (9, 8)]);
    send_command(
        &mut game,
        EditorCommand::Brush(Brush::Ground(TerrainKind::Window)),
    );
    send_command(&mut game, EditorCommand::Tool(Tool::Paint));
    game.click(screen_point(&game, 9, 4));
    game.wait(3);
    let level = standing(&game).good.clone().expect("it is sound");
    let board = level.board();
    assert_eq!(board.ground(Cell::new(9, 8)).unwrap().floor, -10);
    let legend = standing(&game)
        .doc
        .raw(&At::root().field("legend"))
        .unwrap();
    assert!(legend.contains("'v': (floor: -10),"), "{legend}");
    assert!(legend.contains("'w': Window("), "{legend}");
    assert!(legend.contains("// A ledge"), "comments stay: {legend}");
    // T rotates the item under the pointer.
    let now = text(&game);
    game.point(screen_point(&game, 9, 4));
    game.press(KeyCode::KeyT);
    assert_ne!(text(&game), now);
}

#[test]
fn a_unit_is_dragged_duplicated_and_removed() {
    let mut game = editor();
    let level = levels::default_level();
    let who = level.combatant_named("goblin guard").unwrap().0.into();
    drag(&mut game, MouseButton::Left, &[(9, 1), (10, 1), (12, 3)]);
    assert_eq!(standing(&game).chosen, Chosen::Unit(who));
    assert_eq!(standing(&game).units[who].cell, Some(Cell::new(12, 3)));
    assert!(game.says("Goblin guard"), "its form is shown");
    chord(&mut game, KeyCode::KeyD);
    assert_eq!(standing(&game).units.len(), level.combatants.len() + 1);
    assert!(text(&game).contains("at: [(12, 3), "));
    game.press(KeyCode::Delete);
    assert_eq!(standing(&game).units.len(), level.combatants.len());
    // By keys: select the next unit in the file and move it one cell south.
    game.press(KeyCode::Tab);
    let Chosen::Unit(next) = standing(&game).chosen else {
        panic!("nobody is chosen");
    };
    let at = standing(&game).units[next].cell.unwrap();
    game.key(KeyCode::ShiftLeft, ButtonState::Pressed);
    game.press(KeyCode::ArrowDown);
    game.key(KeyCode::ShiftLeft, ButtonState::Released);
    game.wait(2);
    assert_eq!(standing(&game).units[next].cell, Some(at.offset(0, 1)));
}

#[test]
fn a_number_of_the_selected_unit_is_changed_in_its_form() {
    let mut game = editor();
    game.click(screen_point(&game, 11, 2));
    game.wait(3);
    assert!(game.says("skirmish.hp"), "what differs from its kind");
    let at = standing(&game)
        .units
        .iter()
        .find(|p| p.cell == Some(Cell::new(11, 2)));
    let at = at
        .unwrap()
        .entry
        .field("with")
        .field("skirmish")
        .field("hp");
    let more = |w: &SendOnPress<EditorCommand>| matches!(&w.0, EditorCommand::Set { at: a, value, .. } if *a == at && value == "21");
    let place = game
        .find::<SendOnPress<EditorCommand>>(more)
        .expect("the button for one more");
    game.click(place);
    game.wait(3);
    assert_eq!(standing(&game).doc.raw(&at), Some("21"));
    assert!(game.says("HP 21"), "the result is shown");
}

#[test]
fn an_error_is_marked_and_the_last_valid_state_is_played() {
    let mut game = editor();
    drag(&mut game, MouseButton::Left, &[(9, 1), (11, 2)]);
    assert_eq!(standing(&game).errors(), 1);
    assert_eq!(game.count::<Pin>(|_| true), 1);
    assert_eq!(standing(&game).findings[0].cells, [Cell::new(11, 2)]);
    let now = text(&game);
    game.press(KeyCode::F5);
    game.wait(10);
    assert_eq!(game.screen(), Screen::Battle);
    let level = game.session().game.level().clone();
    assert_eq!(level.source, levels::default_level().source);
    game.until_asked();
    // F5 also returns to the editor, at the same position.
    game.press(KeyCode::F5);
    game.wait(10);
    assert_eq!(game.screen(), Screen::Editor);
    assert_eq!(text(&game), now);
    chord(&mut game, KeyCode::KeyZ);
    assert_eq!(standing(&game).errors(), 0);
    // The title screen does not offer to continue the test play.
    game.press(KeyCode::Escape);
    game.press(KeyCode::Escape);
    game.wait(5);
    assert_eq!(game.screen(), Screen::Title);
    assert!(!game.says("Continue"));
}

#[test]
fn test_play_returns_to_the_editor() {
    let mut game = editor();
    // Enter on the result or F5 in the battle returns to the editor.
    for back in [KeyCode::Enter, KeyCode::F5] {
        game.press(KeyCode::F5);
        game.wait(10);
        game.app.insert_resource(played(ALL[0], 5000));
        game.until("the result", |game| game.screen() == Screen::Result);
        game.wait(25);
        assert!(game.says("Back to the editor (Enter)") && !game.says("Main menu (Esc)"));
        game.press(back);
        game.wait(10);
        assert_eq!(game.screen(), Screen::Editor);
    }
}

/// Saves under a name typed into the save card.
fn save_as(game: &mut Game, name: &str) {
    chord(game, KeyCode::KeyS);
    game.click_on::<NameEntry>("where the name is typed", |_| true);
    game.type_text(name);
    game.click_on::<SaveNamed>("the button", |_| true);
    game.wait(5);
}

#[test]
fn a_built_in_level_is_saved_as_the_players_own() {
    let home = fresh_home();
    let mut game = editor_in(&home);
    send_command(
        &mut game,
        EditorCommand::Brush(Brush::Ground(TerrainKind::Water)),
    );
    game.click(screen_point(&game, 12, 8));
    game.wait(3);
    save_as(&mut game, "my gate");
    let file = home.join("levels").join("my_gate.ron");
    let written = fs::read_to_string(&file).expect("it is there");
    assert_eq!(written, text(&game));
    let old = levels::default_level().source.to_string();
    let differ = old.lines().zip(written.lines()).filter(|(a, b)| a != b);
    assert_eq!(differ.count(), 1, "one row of the map");
    // From now on, the editor saves to that file.
    game.click(screen_point(&game, 12, 9));
    game.wait(2);
    game.click(screen_point(&game, 11, 8));
    game.wait(3);
    chord(&mut game, KeyCode::KeyS);
    assert_eq!(fs::read_to_string(&file).unwrap(), text(&game));
    assert!(standing(&game).history.is_saved());
}

#[test]
fn the_title_screen_shows_the_edited_level_by_its_file_name() {
    let home = fresh_home();
    let mut game = editor_in(&home);
    let name = standing(&game).id.clone();
    save_as(&mut game, &name);
    send_command(&mut game, EditorCommand::Leave { sure: false });
    game.until("the title", |game| game.screen() == Screen::Title);
    game.wait(5);
    // Both levels have the same title; the file name distinguishes them.
    let chosen =
        |edits: &SendOnPress<Edit>| matches!(&edits.0, Edit::Level(level) if level.id != name);
    assert!(
        game.find::<SendOnPress<Edit>>(chosen).is_some(),
        "the copy is chosen"
    );
    let all = fivefoot::levels::built_in();
    let shipped = all.iter().find(|level| level.id == name).unwrap();
    assert!(game.says(&shipped.title) && game.says(&format!("{name}.ron")));
    // Try again: the list is rebuilt when the new file is noticed, which can lose a click.
    for _ in 0..5 {
        if game.screen() == Screen::Title {
            game.click_on::<SendOnPress<Edit>>("the button", chosen);
            game.wait(10);
        }
    }
    let file = home.join("levels").join(format!("{name}.ron"));
    assert_eq!(standing(&game).file.as_ref(), Some(&file));
    assert_eq!(standing(&game).id, name);
}

#[test]
fn changes_to_the_file_from_outside_are_never_lost() {
    let home = fresh_home();
    let mut game = editor_in(&home);
    save_as(&mut game, "gate");
    let file = home.join("levels").join("gate.ron");
    let base = text(&game);
    // Without changes in the editor, the file is reloaded.
    let theirs = base.replace("The toll gate\"", "The other gate\"");
    fs::write(&file, &theirs).unwrap();
    game.in_time("the change of the file", |game| text(game) == theirs);
    assert!(standing(&game).history.is_saved());
    // The editor changes a row and the file's title changes: both changes are kept.
    send_command(
        &mut game,
        EditorCommand::Brush(Brush::Ground(TerrainKind::Water)),
    );
    game.click(screen_point(&game, 12, 8));
    game.wait(3);
    let mine = text(&game);
    let third = theirs.replace("The other gate\"", "A third gate\"");
    fs::write(&file, &third).unwrap();
    game.in_time("the change of the file", |game| {
        game.count::<FileCard>(|_| true) > 0
    });
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        third,
        "nothing is written unasked"
    );
    send_command(&mut game, EditorCommand::MergeChoice(MergeChoice::Merge));
    assert!(text(&game).contains("A third gate\"") && row(&game, 8).contains('~'));
    chord(&mut game, KeyCode::KeyS);
    assert_eq!(fs::read_to_string(&file).unwrap(), text(&game));
    // The file's version is taken, and undo restores the editor's.
    game.click(screen_point(&game, 11, 8));
    game.wait(3);
    let own = text(&game);
    assert_ne!(own, mine);
    fs::write(&file, &base).unwrap();
    game.in_time("the change of the file", |game| {
        game.count::<FileCard>(|_| true) > 0
    });
    send_command(&mut game, EditorCommand::MergeChoice(MergeChoice::Theirs));
    assert_eq!(text(&game), base);
    chord(&mut game, KeyCode::KeyZ);
    assert_eq!(text(&game), own);
}

#[test]
fn line_of_sight_and_cover_follow_the_edits() {
    let mut game = editor();
    game.press(KeyCode::KeyS);
    game.click(screen_point(&game, 13, 7));
    game.point(screen_point(&game, 5, 7));
    game.wait(3);
    assert_eq!(game.count::<SightCard>(|_| true), 1);
    assert!(game.says("in the open"));
    send_command(
        &mut game,
        EditorCommand::Brush(Brush::Ground(TerrainKind::Wall)),
    );
    let at = screen_point(&game, 9, 7);
    game.point(at);
    button(&mut game, MouseButton::Left, ButtonState::Pressed);
    let ahead = standing(&game).board_ahead().unwrap();
    let (a, b) = (Cell::new(13, 7).into(), Cell::new(5, 7).into());
    assert!(!ahead.sight(a, b).los && standing(&game).board().unwrap().sight(a, b).los);
    button(&mut game, MouseButton::Left, ButtonState::Released);
}

#[test]
fn areas_goals_and_a_third_side_are_added_in_the_editor() {
    let mut game = editor();
    ask(&mut game, EditorCommand::Choose(Chosen::Sides));
    let adds = |w: &SendOnPress<EditorCommand>| matches!(&w.0, EditorCommand::Push { entry, .. } if entry.contains("third"));
    ask(
        &mut game,
        EditorCommand::Push {
            list: At::root().field("sides"),
            entry: "(id: \"third\")".into(),
            what: "another side".into(),
        },
    );
    assert_eq!(standing(&game).side_ids().len(), 3);
    assert!(
        game.find::<SendOnPress<EditorCommand>>(adds).is_none(),
        "the next one is the fourth"
    );
    ask(&mut game, EditorCommand::Brush(Brush::Start(2)));
    drag(&mut game, MouseButton::Left, &[(10, 8), (11, 9)]);
    let start = At::root().field("sides").nth(2).field("start");
    assert_eq!(
        standing(&game).doc.raw(&start),
        Some("Rect((10, 8), (11, 9))")
    );
    drag(&mut game, MouseButton::Right, &[(11, 9), (11, 9)]);
    assert_eq!(standing(&game).doc.area(&start).len(), 3);
    ask(&mut game, EditorCommand::Brush(Brush::Exit(2)));
    drag(&mut game, MouseButton::Left, &[(1, 9), (2, 9)]);
    let third = standing(&game)
        .doc
        .text()
        .contains("(at: Rect((1, 9), (2, 9)), sides: [\"third\"]),");
    assert!(third, "{}", text(&game));
    ask(
        &mut game,
        EditorCommand::Brush(Brush::Unit("giant_rat".into(), 2)),
    );
    game.click(screen_point(&game, 10, 8));
    game.wait(3);
    assert_eq!(
        standing(&game).errors(),
        0,
        "{:?}",
        standing(&game).findings
    );
    assert_eq!(standing(&game).good.as_ref().unwrap().sides.len(), 3);
    // The units arrive later.
    send_command(&mut game, EditorCommand::Round(Some(3)));
    let level = standing(&game).good.clone().unwrap();
    assert!(level.combatants.iter().any(|c| c.arrives == Some(3)));
}

#[test]
fn win_rates_of_all_rulesets_are_simulated_in_the_background() {
    let mut game = editor();
    let level = standing(&game).good.clone().unwrap();
    let players = vec![fivefoot::control::Player::Random; 2];
    game.app
        .world_mut()
        .resource_mut::<Simulation>()
        .begin(&level, players, 2);
    game.in_time("the change of the file", |game| {
        !game.app.world().resource::<Simulation>().is_running()
    });
    let world = game.app.world();
    let standing = world
        .resource::<Simulation>()
        .standing(standing(&game))
        .unwrap();
    assert_eq!(standing.chances.len(), 5);
    assert!(standing.chances.iter().all(|c| c.of == 2 && c.won <= 2));
    assert!(standing.is_over && !standing.is_old);
    game.wait(3);
    assert!(game.says("2 battles each, 95% intervals"));
    // A key starts the full simulation and stops it.
    game.press(KeyCode::F6);
    assert!(game.app.world().resource::<Simulation>().is_running());
    game.press(KeyCode::F6);
    assert!(!game.app.world().resource::<Simulation>().is_running());
}

#[test]
fn a_new_level_is_started_from_the_title() {
    let home = fresh_home();
    let mut game = title(&home);
    open(&mut game, Page::Make);
    game.click_on::<SendOnPress<Edit>>("new level", |edits| matches!(edits.0, Edit::New));
    game.wait(10);
    assert_eq!(game.screen(), Screen::Editor);
    assert_eq!(standing(&game).findings, []);
    // Leaving asks first.
    game.press(KeyCode::Escape);
    game.wait(3);
    assert_eq!(game.count::<FileCard>(|_| true), 1);
    send_command(&mut game, EditorCommand::Leave { sure: true });
    game.wait(5);
    assert_eq!(game.screen(), Screen::Title);
}

/// An area is copied and mirrored by mouse and key. Moving it moves its units too, and undo
/// names the change that it undoes.
#[test]
fn an_area_is_copied_mirrored_and_moved() {
    let mut game = editor();
    let before = text(&game);
    game.press(KeyCode::KeyK);
    drag(&mut game, MouseButton::Left, &[(1, 7), (3, 7), (5, 8)]);
    game.press(KeyCode::KeyX);
    drag(&mut game, MouseButton::Left, &[(6, 7), (6, 7)]);
    // " ..~~.........  " and " ..~~~........  "
    assert_eq!(row(&game, 7), " ..~~..~~.....  ");
    assert_eq!(row(&game, 8), " ..~~~~~~.....  ");
    assert!(standing(&game).clip.is_some(), "another copy can follow");
    chord(&mut game, KeyCode::KeyZ);
    assert_eq!(text(&game), before);
    assert!(game.says("Undone: copy of an area to 6,7."));

    game.press(KeyCode::KeyM);
    let goblin = || Cell::new(8, 2);
    let who = standing(&game).unit_at(goblin()).expect("a goblin");
    let name = standing(&game).name_of(who);
    drag(&mut game, MouseButton::Left, &[(8, 2), (9, 2)]);
    drag(&mut game, MouseButton::Left, &[(10, 7), (10, 7)]);
    assert_eq!(row(&game, 2), "...,,...........");
    assert_eq!(row(&game, 7), " ..~~......=..  ");
    let moved = standing(&game)
        .unit_at(Cell::new(10, 7))
        .expect("it came along");
    assert_eq!(standing(&game).name_of(moved), name);
    assert_eq!(standing(&game).tool, Tool::Select);
    chord(&mut game, KeyCode::KeyZ);
    assert_eq!(text(&game), before);
}

#[test]
fn undo_names_the_change() {
    let mut game = editor();
    send_command(
        &mut game,
        EditorCommand::Brush(Brush::Ground(TerrainKind::Window)),
    );
    drag(&mut game, MouseButton::Left, &[(7, 6), (7, 6)]);
    game.point(screen_point(&game, 7, 6));
    game.press(KeyCode::KeyT);
    chord(&mut game, KeyCode::KeyZ);
    assert!(game.says("Undone: turn of the window at 7,6."));
    chord(&mut game, KeyCode::KeyZ);
    assert!(game.says("Undone: window at 7,6."));
}
