//! Wins are shown on the title screen and saved.

use super::kit::{
    game::fresh_home,
    shell::{at, choose, show},
};
use fivefoot::{
    battle::{Ruleset, Side},
    control::{Player, recording::SideController},
    lab::measured::ease,
    levels::{Level, built_in, default_level, tutorial},
    rulesets::{self, ALL},
    ui::{
        Screen, Session,
        progress::{Opponent, Progress, WinRecord},
    },
};
use std::{fs, path::Path, sync::Arc};

/// A battle between AIs that the first side has won, with its controllers replaced by
/// `controllers`.
fn fought(
    level: &Arc<Level>,
    rules: &'static Ruleset,
    controllers: Vec<SideController>,
) -> Session {
    let ais = vec![SideController::Ai(Player::Quick); 2];
    let fight = |seed| {
        let mut session = Session::with_controllers(level, rules, seed, ais.clone());
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
    let save_info = recording.save_info.as_mut().expect("a table");
    (save_info.controllers, save_info.verdict) = (controllers, None);
    let mut session = Session::load(&recording).expect("it is sound");
    session.catch_up();
    session
}

#[test]
fn a_win_under_any_ruleset_is_shown_on_the_title_and_saved() {
    let home = fresh_home();
    let mut game = at(&home);
    assert!(game.says("0 of "));
    let mut won = vec![];
    for rules in ALL {
        let level = default_level();
        let session = fought(
            &level,
            rules,
            vec![SideController::Human, SideController::Ai(Player::Quick)],
        );
        let clock = session.shown().clock.round;
        show(&mut game, session);
        game.until("the end", |game| game.screen() == Screen::Result);
        game.wait(3);
        assert!(game.says("You won a star"), "{:?}", game.words());
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
    choose(&mut game, &default_level().id);
    assert!(game.says(&format!("Won {}", won[0].line())));
    drop(game);
    // After a restart, all wins are still there.
    let mut game = at(&home);
    assert!(game.says("5 of "));
}

#[test]
fn a_lost_battle_and_hot_seat_earn_nothing() {
    let level = default_level();
    for controllers in [
        vec![SideController::Ai(Player::Quick), SideController::Human],
        vec![SideController::Human, SideController::Human],
    ] {
        let home = fresh_home();
        let mut game = at(&home);
        let session = fought(&level, ALL[0], controllers);
        show(&mut game, session);
        game.until("the end", |game| game.screen() == Screen::Result);
        game.wait(3);
        assert!(!game.says("You won a star"));
        assert_eq!(game.app.world().resource::<Progress>().gathered().0, 0);
        assert!(!home.join("progress.ron").exists());
    }
}

/// A lesson gives no star: it is marked as done. A star of one of the player's own levels is
/// not in the total.
#[test]
fn a_lesson_and_an_own_level_show_what_they_earn() {
    let controllers = vec![SideController::Human, SideController::Ai(Player::Quick)];
    let mut game = at(&fresh_home());
    show(
        &mut game,
        fought(&tutorial()[0], ALL[0], controllers.clone()),
    );
    game.until("the end", |game| game.screen() == Screen::Result);
    game.wait(3);
    assert!(game.says("You finished Lesson 1"), "{:?}", game.words());
    assert!(game.says("1 of 7 lessons") && !game.says("You won a star"));
    let mut own = (*default_level()).clone();
    own.source = format!("{}\n", own.source).into();
    show(&mut game, fought(&Arc::new(own), ALL[0], controllers));
    game.until("the end", |game| game.screen() == Screen::Result);
    game.wait(3);
    assert!(game.says("You won a star") && game.says("not in the total"));
    let progress = game.app.world().resource::<Progress>();
    assert_eq!(progress.gathered().0, 0);
}

/// After a win, the next battle is the next harder level under the same ruleset.
#[test]
fn the_next_battle_is_a_little_harder() {
    let rules = rulesets::find("Phased").expect("a ruleset");
    let all = built_in().iter().filter(|level| level.suits(rules.id));
    let mut all: Vec<_> = all.collect();
    all.sort_by_cached_key(|level| ease(level, rules.id));
    let controllers = vec![SideController::Human, SideController::Ai(Player::Quick)];
    let mut game = at(&fresh_home());
    show(&mut game, fought(all[0], rules, controllers));
    game.until("the end", |game| game.screen() == Screen::Result);
    game.wait(3);
    assert!(game.says(&format!("Next: {} (", all[1].title)));
    assert!(game.says(" rules)"), "{:?}", game.words());
}

fn open(path: &Path) -> Progress {
    Progress::stored(Some(path.to_owned()))
}

fn mark(opponent: Opponent, handicap: i16, losses: u16, rounds: u16) -> WinRecord {
    WinRecord {
        opponent,
        handicap,
        losses,
        rounds,
        side: "party".into(),
    }
}

#[test]
fn the_best_win_is_kept() {
    let level = default_level();
    let mut progress = Progress::default();
    // Each win is better than those before it.
    let better = [
        mark(Opponent::Easy, 0, 3, 9),
        mark(Opponent::Easy, 0, 3, 8),
        mark(Opponent::Easy, 0, 2, 20),
        mark(Opponent::Easy, 1, 4, 20),
        mark(Opponent::Quick, -3, 4, 20),
        mark(Opponent::Strategist, -3, 4, 20),
    ];
    for (n, now) in better.iter().enumerate() {
        progress.add(&level, "Skirmish", now.clone()).unwrap();
        for worse in &better[..n] {
            progress.add(&level, "Skirmish", worse.clone()).unwrap();
        }
        assert_eq!(progress.mark(&level, "Skirmish"), Some(now));
    }
    assert_eq!(progress.mark(&level, "Speed"), None);
    assert_eq!(progress.gathered().0, 1);
    // One of the player's own levels with the same id has its own stars.
    let mut own = (*level).clone();
    own.source = "other".into();
    assert_eq!(progress.mark(&own, "Skirmish"), None);
    let gathered = progress.gathered();
    progress.add(&own, "Skirmish", better[0].clone()).unwrap();
    assert_eq!(progress.gathered(), gathered);
}

#[test]
fn two_running_games_keep_each_others_progress() {
    let path = fresh_home().join("progress.ron");
    let level = default_level();
    let (mut one, mut other) = (open(&path), open(&path));
    one.add(&level, "Skirmish", mark(Opponent::Quick, 0, 0, 5))
        .unwrap();
    other
        .add(&level, "Speed", mark(Opponent::Easy, 0, 1, 7))
        .unwrap();
    other
        .add(&level, "Skirmish", mark(Opponent::Easy, 0, 0, 2))
        .unwrap();
    let third = open(&path);
    let best = third.mark(&level, "Skirmish").unwrap();
    assert_eq!(best.opponent, Opponent::Quick, "the better one stays");
    assert!(third.mark(&level, "Speed").is_some());
    one.read_again();
    assert_eq!(one, third);
    // Many threads at once, each with its own star.
    let all = ALL.map(|rules| rules.id);
    std::thread::scope(|scope| {
        for rules in all {
            let (path, level) = (&path, &level);
            scope.spawn(move || {
                let mut mine = open(path);
                mine.add(level, rules, mark(Opponent::Strategist, 0, 0, 3))
                    .unwrap();
            });
        }
    });
    let end = open(&path);
    let is_won = |rules: &&str| end.mark(&level, rules).unwrap().rounds == 3;
    assert!(all.iter().all(is_won));
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

#[test]
fn a_broken_file_is_set_aside() {
    let path = fresh_home().join("progress.ron");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "(marks: {").unwrap();
    let mut progress = open(&path);
    progress
        .add(&default_level(), "Speed", mark(Opponent::Easy, 0, 0, 2))
        .unwrap();
    assert_eq!(open(&path), progress);
    let aside = path.with_extension("ron.broken");
    assert_eq!(fs::read_to_string(aside).unwrap(), "(marks: {");
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}
