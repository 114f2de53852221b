//! A key explains an AI's action: during a battle only if the explanation reveals nothing that
//! the player must not know, afterwards always.

use super::kit::{
    game::{Game, fresh_home},
    shell::{at, show},
};
use bevy::{input::ButtonState, prelude::*};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::Ruleset,
    control::{Player, recording::SideController},
    rulesets::ALL,
    ui::{Command, Session, hud::SidePanelCard, session::GivenReason},
};
use fivefoot_kit::field;

/// A session in which the player's side has done nothing and a goblin has come near.
fn passed(rules: &'static Ruleset, enemy: Player) -> Session {
    let units = [
        ("ann", "party", (1, 1), 30),
        ("gob", "goblins", (6, 1), 30),
        ("gab", "goblins", (6, 2), 30),
    ];
    let level = field(&["........", "........", "........", "........"], &units);
    let mut session = Session::with_controllers(
        &level,
        rules,
        3,
        vec![SideController::Human, SideController::Ai(enemy)],
    );
    for _ in 0..12 {
        session.catch_up();
        if session.awaits_ai() {
            session.think();
        } else if session.question().is_some() {
            let choice = super::kit::shell::common_or_first(&mut session);
            let _ = session.give(&[choice]);
            session.end_turn();
        }
    }
    session.catch_up();
    session
}

fn mine_of(session: &Session, answer: usize) -> bool {
    session.answered_by(answer) == Some(SideController::Human)
}

fn why(session: &mut Session, answer: usize) -> GivenReason {
    for _ in 0..20_000 {
        match session.why(answer) {
            GivenReason::Soon => std::thread::sleep(std::time::Duration::from_millis(2)),
            told => return told,
        }
    }
    panic!("it never came to an end");
}

/// Enemies' actions can be explained under rulesets without secret plans; with secret plans,
/// only after the battle.
#[test]
fn enemy_actions_are_explained_only_without_secrets() {
    for rules in ALL {
        let mut session = passed(rules, Player::Quick);
        let actions: Vec<usize> = session.explicable().collect();
        let is_secret = |told: &GivenReason| *told == GivenReason::Secret;
        let told: Vec<GivenReason> = actions.iter().map(|&n| why(&mut session, n)).collect();
        assert!(!told.is_empty(), "{}: nobody acted", rules.id);
        let secrets = told.iter().filter(|told| is_secret(told)).count();
        match rules.id {
            "Skirmish" => assert_eq!(secrets, 0, "all lies open"),
            "Speed" => {}
            _ => assert!(secrets > 0, "{}: plans are under seal", rules.id),
        }
        // The player's own actions need no explanation.
        assert!(!actions.iter().any(|&n| mine_of(&session, n)));
        let mut replay = session.into_replay();
        replay.catch_up();
        let actions: Vec<usize> = replay.explicable().collect();
        for n in actions {
            // Rating a human's action would take long.
            if mine_of(&replay, n) {
                continue;
            }
            assert!(!is_secret(&why(&mut replay, n)), "{}, answer {n}", rules.id);
        }
    }
}

/// Presses the keys that explain an AI's action.
fn ask_why(game: &mut Game) {
    game.key(KeyCode::ShiftLeft, ButtonState::Pressed);
    game.press(KeyCode::F12);
    game.key(KeyCode::ShiftLeft, ButtonState::Released);
}

#[test]
fn a_key_explains_the_goblins_action_and_earlier_ones() {
    let mut game = at(&fresh_home());
    show(&mut game, passed(ALL[0], Player::Quick));
    game.until_asked();
    let is_there = |game: &mut Game| game.find::<SidePanelCard>(|_| true).is_some();
    assert!(!is_there(&mut game));
    ask_why(&mut game);
    game.until("the reason is shown", |game| game.says("taken"));
    assert!(game.says("The Quick AI takes the best-looking option"));
    let newest = game.selection().side_panel;
    game.click_on::<SendOnPress<Command>>("what was done before", |sends| {
        matches!(sends.0, Command::WhyEarlier(1))
    });
    game.until("the other reason is shown", |game| game.says("taken"));
    assert_ne!(game.selection().side_panel, newest);
    ask_why(&mut game);
    assert!(!is_there(&mut game));
}

/// The explanation has the numbers that the strategist used.
#[test]
fn the_strategist_explains_its_playouts() {
    let mut session = passed(ALL[0], Player::Strategist(24));
    let actions: Vec<usize> = session.explicable().collect();
    let told = actions.iter().filter_map(|&n| match why(&mut session, n) {
        GivenReason::Why(why) if !why.is_plain() => Some(why),
        _ => None,
    });
    let told: Vec<_> = told.collect();
    assert!(!told.is_empty());
    for why in told {
        assert!(why.weighed[0].is_taken, "{why:?}");
    }
}
