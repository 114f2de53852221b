//! What was won is marked on the title, and stays.

use super::{
    hands::fresh_home,
    shell::{at, show},
};
use fivefoot::{
    battle::{Ruleset, Side},
    control::{Player, recording::Seat},
    levels::Level,
    rulesets::ALL,
    ui::{
        Screen, Session,
        progress::{Opponent, Progress},
    },
};
use std::sync::Arc;

/// A battle that the first side has won: fought by AIs, and then given these seats.
fn fought(level: &Arc<Level>, rules: &'static Ruleset, seats: Vec<Seat>) -> Session {
    let ais = vec![Seat::Ai(Player::Quick); 2];
    let fight = |seed| {
        let mut session = Session::seated(level, rules, seed, ais.clone());
        while session.awaits_ai() {
            session.think();
            session.catch_up();
        }
        session
    };
    let is_won = |session: &Session| session.over() == Some(Some(Side(0)));
    let session = (1..)
        .map(fight)
        .find(is_won)
        .expect("it is won now and then");
    let mut recording = session.recording("");
    let table = recording.table.as_mut().expect("a table");
    (table.seats, table.verdict) = (seats, None);
    let mut session = Session::load(&recording).expect("it is sound");
    session.catch_up();
    session
}

#[test]
fn a_win_is_marked_on_the_title_under_every_ruleset_and_stays() {
    let home = fresh_home();
    let mut game = at(&home);
    assert!(game.says("0 of "));
    let mut won = vec![];
    for rules in ALL {
        let level = fivefoot::levels::default_level();
        let session = fought(&level, rules, vec![Seat::Human, Seat::Ai(Player::Quick)]);
        let clock = session.shown().clock.round;
        show(&mut game, session);
        game.until("the end", |game| game.screen() == Screen::Result);
        let progress = game.app.world().resource::<Progress>();
        let mark = progress.mark(&level, rules.id).expect("a mark").clone();
        assert_eq!((mark.opponent, mark.rounds), (Opponent::Quick, clock));
        assert_eq!(mark.side, "party");
        won.push(mark);
        let mut next = game
            .app
            .world_mut()
            .resource_mut::<bevy::prelude::NextState<Screen>>();
        next.set(Screen::Title);
        game.wait(5);
        assert!(
            game.says(&format!("{} of ", won.len())),
            "{:?}",
            game.words()
        );
    }
    assert!(game.says(&format!("Won {}", won[0].line())));
    drop(game);
    // Another run knows them all.
    let mut game = at(&home);
    assert!(game.says("5 of "));
}

#[test]
fn a_lost_battle_and_two_at_one_screen_earn_nothing() {
    let level = fivefoot::levels::default_level();
    for seats in [
        vec![Seat::Ai(Player::Quick), Seat::Human],
        vec![Seat::Human, Seat::Human],
    ] {
        let home = fresh_home();
        let mut game = at(&home);
        let session = fought(&level, ALL[0], seats);
        show(&mut game, session);
        game.until("the end", |game| game.screen() == Screen::Result);
        assert_eq!(game.app.world().resource::<Progress>().gathered().0, 0);
        assert!(!home.join("progress.ron").exists());
    }
}
