//! Whole battles by mouse only and by keys only.

use super::kit::{
    game::Game,
    shell::{click_command, walk_cursor},
};
use bevy::prelude::KeyCode;
use fivefoot::{
    battle::{Cost, Id},
    grid::Cell,
    ui::{
        Command, Options, Screen,
        app_command::{AppCommand, GameCommand},
        preview::Click,
        screens::title::TitleButton,
    },
};

fn game(seed: u64) -> Game {
    Game::new(Options {
        seed: Some(seed),
        ..Options::default()
    })
}

fn apart(a: Cell, b: Cell) -> i16 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

/// The cell within the Move that is nearest to the nearest enemy.
fn advance(game: &Game) -> Option<Cell> {
    let own = game.cell_of(game.selection().chosen?);
    let enemies = game.enemies().into_iter();
    let enemy = enemies.min_by_key(|&at| apart(at, own))?;
    let reach = game
        .preview()
        .reach
        .iter()
        .filter(|r| r.cost == Cost::Plain);
    let best = reach.min_by_key(|r| (apart(r.cell, enemy), r.feet))?;
    (apart(best.cell, enemy) < apart(own, enemy)).then_some(best.cell)
}

#[test]
fn from_the_title_to_a_move_an_attack_and_the_end_of_the_turn() {
    let mut game = game(2);
    assert_eq!(game.screen(), Screen::Title);
    assert!(game.says("The hen house") && game.says("Seed"));
    game.click_on::<TitleButton>("Start", |b| *b == TitleButton::Start);
    assert_eq!(game.screen(), Screen::Battle);
    game.until_own_turn();
    assert!(game.session().is_players_turn());
    assert_eq!(game.session().why_no_undo(), Some("Nothing to undo."));

    // A move: hovered, clicked, undone, made again.
    let who = game.selection().chosen.expect("a unit is selected");
    let before = game.session().shown().unit(who).at;
    let to = advance(&game).expect("somewhere to go");
    game.point(game.screen_point(to));
    assert!(matches!(&game.preview().click, Click::Move(way) if *way.path.last().unwrap() == to));
    game.click_cell(to);
    game.until_own_turn();
    assert_eq!(game.session().shown().unit(who).at, to);
    assert!(game.session().can_undo());
    game.click_button(&Command::Undo);
    assert_eq!(game.session().shown().unit(who).at, before);
    game.click_cell(to);
    game.until_own_turn();
    assert_eq!(game.session().shown().unit(who).at, to);

    // An attack: by the first of the player's units with an enemy in range.
    let mut struck = false;
    for n in 0..4 {
        game.click_button(&Command::Choose(Id(n)));
        for cell in game.enemies() {
            game.point(game.screen_point(cell));
            if let Click::Attack(attack) = &game.preview().click {
                let percent = format!("{}%", attack.likely_percent());
                assert!(
                    game.says("on d20") && game.says(&percent),
                    "the odds are shown first"
                );
                let events = game.session().shown().events;
                game.click_cell(cell);
                game.until_own_turn();
                assert!(game.session().shown().events > events);
                let why = game.session().why_no_undo();
                assert_eq!(why, Some("Dice were rolled: no undo."));
                struck = true;
                break;
            }
        }
        if struck {
            break;
        }
    }
    assert!(struck, "nobody had anybody in range");

    // Ending the turn asks first while a unit can still act.
    let round = game.session().shown().clock.round;
    game.click_button(&Command::EndTurn);
    assert!(game.says("can still act"));
    assert!(game.session().is_players_turn());
    game.click_button(&Command::EndTurn);
    game.until("the turn passes", |game| {
        game.screen() != Screen::Battle
            || game.session().shown().clock.round > round
            || game.session().shown().clock.turn != Some(game.session().player())
    });
}

/// Plays by mouse: attacks if possible, else moves nearer, else ends the unit's turn.
#[test]
fn a_battle_by_mouse_only() {
    let mut game = game(11).at_once();
    game.click_on::<TitleButton>("Start", |b| *b == TitleButton::Start);
    for _ in 0..600 {
        game.until_asked();
        if game.screen() != Screen::Battle {
            break;
        }
        if game.session().is_prompted() {
            game.click_button(&Command::Reply(0));
            continue;
        }
        if game.session().awaits_end_of_turn() {
            game.click_button(&Command::EndTurn);
            // Skip the enemy's turn.
            if game.has_button(&Command::Skip) {
                game.click_button(&Command::Skip);
            }
            continue;
        }
        let target = game.enemies().into_iter().find(|&cell| {
            game.point(game.screen_point(cell));
            matches!(game.preview().click, Click::Attack(_))
        });
        if let Some(cell) = target.or_else(|| advance(&game)) {
            game.click_cell(cell);
        } else {
            game.click_button(&Command::Done);
        }
    }
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(3);
    assert!(game.says("rounds") || game.says("1 round"));
    let again = AppCommand::Game(GameCommand::Again { same_dice: false });
    click_command(&mut game, &again);
    assert_eq!(game.screen(), Screen::Battle);
}

/// Plays by keys: the letters of the actions, arrow keys, Tab and Enter.
#[test]
fn a_battle_by_keys_only() {
    let mut game = game(3).at_once();
    game.press(KeyCode::Enter);
    assert_eq!(game.screen(), Screen::Battle);
    for _ in 0..600 {
        game.until_asked();
        if game.screen() != Screen::Battle {
            break;
        }
        if game.session().is_prompted() {
            game.press(KeyCode::Enter);
            continue;
        }
        if game.session().awaits_end_of_turn() {
            game.press(KeyCode::KeyE);
            game.press(KeyCode::Space);
            continue;
        }
        let open = |key| {
            game.preview()
                .acts
                .iter()
                .any(|a| a.key == key && a.why_not.is_none())
        };
        let act = [
            ('s', KeyCode::KeyS),
            ('h', KeyCode::KeyH),
            ('t', KeyCode::KeyT),
        ];
        if let Some(&(key, code)) = act.iter().find(|a| open(a.0)) {
            // With the keyboard cursor, the letter applies at once; otherwise it only arms.
            game.press(KeyCode::ArrowUp);
            game.press(code);
            assert_eq!(game.selection().armed, Some(key));
            assert!(
                matches!(game.preview().click, Click::Attack(_)),
                "a target is pointed at"
            );
            game.press(KeyCode::Enter);
        } else if let Some(to) = advance(&game) {
            walk_cursor(&mut game, to);
            game.press(KeyCode::Enter);
        } else {
            game.press(KeyCode::KeyN);
        }
    }
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(3);
    game.press(KeyCode::Escape);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Title);
}
