//! The demo ruleset, for which the window has no UI table: all units choose in secret, then
//! everything happens at once. The player can still play it by clicks.

use super::kit::game::Game;
use fivefoot::{
    battle::{EventKind, Id},
    grid::Cell,
    rulesets::demo::RULESET,
    ui::{Command, preview::Click},
};
use fivefoot_kit::field;

#[test]
fn a_ruleset_without_a_ui_table_is_played_by_clicks() {
    let units = [
        ("ann", "party", (1, 1), 9),
        ("ben", "party", (1, 3), 9),
        ("gob", "goblins", (2, 1), 9),
    ];
    let level = field(&[".....", ".....", ".....", ".....", "....."], &units);
    let mut game = Game::battle(level, Some(&RULESET), 5);
    assert!(game.says("Choose in secret"));
    assert_eq!(game.selection().chosen, Some(Id(0)));

    // A click on an enemy is an attack.
    let gob = game.session().shown().unit(Id(2)).at;
    game.point(game.screen_point(gob));
    assert!(matches!(
        game.preview().click,
        Click::Aim { .. } | Click::Act { .. }
    ));
    game.click_cell(gob);
    if game.preview().menu.is_some() {
        game.click_button(&Command::Reply(0));
    }
    game.until("it is Ben's turn", |game| {
        game.selection().chosen == Some(Id(1))
    });

    // A click on a cell is a move.
    game.click_cell(Cell::new(2, 3));
    game.until("all is shown", |game| {
        let told = game.session().known_events();
        let rolled = told.filter(|e| matches!(e.what, EventKind::AttackRolled { .. }));
        rolled.count() > 0
    });
    game.until_asked();
    assert_eq!(game.session().shown().unit(Id(1)).at, Cell::new(2, 3));

    // An action without a target has a button.
    let guard = game.preview().acts.iter().find(|a| a.label == "Guard");
    let key = guard.expect("a button for it").key;
    game.act(key);
    game.until("it is Ben's turn", |game| {
        game.selection().chosen == Some(Id(1))
    });
}
