//! Reactions that are settled beforehand.

use super::hands::Game;
use bevy::prelude::KeyCode;
use fivefoot::{
    battle::Change,
    levels::{self, Level},
    rulesets::{self, skirmish::OPPORTUNITY},
    ui::{
        Profile, Screen,
        habits::{Habit, Settled, Settles},
    },
};
use std::sync::Arc;

/// An archer with a spear at his throat: he will want to be elsewhere.
const PASSAGE: &str = r#"(
    title: "The passage",
    map: [".........."],
    sides: [(id: "party"), (id: "bandits", awareness: Alert)],
    combatants: [
        (kind: "hild", side: "party", at: (6, 0)),
        (kind: "bandit_archer", side: "bandits", at: (5, 0)),
    ],
)"#;

fn passage() -> Arc<Level> {
    let (level, _) = levels::check_file("passage.ron", PASSAGE).expect("a level");
    Arc::new(level)
}

/// Plays on until a question out of turn comes up, or so many rounds are over.
fn until_prompted(game: &mut Game, rounds: u16) -> bool {
    for _ in 0..200 {
        game.until_asked();
        if game.screen() != Screen::Battle || game.session().shown().clock.round > rounds {
            return false;
        }
        if game.session().is_prompted() {
            return true;
        }
        game.press(KeyCode::KeyE);
        game.press(KeyCode::KeyE);
    }
    false
}

/// A seed with which the archer gives an opening in the first rounds.
fn prompted() -> (Game, u64) {
    for seed in 1..12 {
        let mut game = Game::battle(passage(), rulesets::find("Skirmish"), seed);
        if until_prompted(&mut game, 6) {
            let rows = &game.prospect().menu.as_ref().expect("a list").rows;
            let verbs = rows.iter().filter_map(|r| r.choice());
            if verbs.into_iter().any(|c| c.verb == &OPPORTUNITY) {
                return (game, seed);
            }
        }
    }
    panic!("nobody ever gives an opening");
}

fn struck(game: &Game) -> usize {
    let told = game.session().told();
    told.filter(|e| matches!(&e.what, Change::Acted { choice } if choice.verb == &OPPORTUNITY))
        .count()
}

#[test]
#[ignore = "the AI gives no opening on this map any more"]
fn always_is_settled_in_the_prompt_and_answers_it() {
    let (mut game, seed) = prompted();
    let before = struck(&game);
    game.click_on::<Settles>("always", |s| {
        s.verb == &OPPORTUNITY && s.habit == Habit::Always
    });
    game.wait(5);
    game.until("the answer", |game| struck(game) > before);
    assert!(game.says("as always"), "the player is told");
    assert_eq!(game.app.world().resource::<Settled>().0.len(), 1);
    // In the next battle nobody is asked any more.
    let profile = game.app.world().resource::<Profile>().clone();
    let mut game = Game::battle(passage(), rulesets::find("Skirmish"), seed);
    game.app.insert_resource(profile);
    for _ in 0..100 {
        game.until_asked();
        if game.screen() != Screen::Battle || struck(&game) > 0 {
            break;
        }
        assert!(!asks_for_opportunity(&game));
        match game.session().is_prompted() {
            true => game.press(KeyCode::Escape),
            false => {
                game.press(KeyCode::KeyE);
                game.press(KeyCode::KeyE);
            }
        }
    }
    assert!(struck(&game) > 0);
}

fn asks_for_opportunity(game: &Game) -> bool {
    let menu = game.prospect().menu.as_ref().filter(|m| m.is_reaction);
    let rows = menu.map_or(&[][..], |m| &m.rows);
    rows.iter()
        .any(|r| r.choice().is_some_and(|c| c.verb == &OPPORTUNITY))
}

#[test]
#[ignore = "the AI gives no opening on this map any more"]
fn never_lets_the_moment_pass() {
    let (mut game, _) = prompted();
    let before = struck(&game);
    game.click_on::<Settles>("never", |s| {
        s.verb == &OPPORTUNITY && s.habit == Habit::Never
    });
    game.until("the moment has passed", |game| {
        game.screen() != Screen::Battle || !game.session().is_prompted()
    });
    assert_eq!(struck(&game), before);
    let told = &game.app.world().resource::<Settled>().0;
    assert!(told[0].text.contains("let pass, as always"), "{told:?}");
}
