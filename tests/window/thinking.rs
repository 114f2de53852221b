//! The strategist thinks in the background: whatever the player does meanwhile, nothing is
//! lost and nothing hangs.

use super::kit::{
    game::{Game, fresh_home},
    rounds::{DECLARED, begun_against, declaring, on, to_decision},
    shell::{against, at, common_or_first, show},
};
use bevy::prelude::*;
use fivefoot::{
    battle::{Ruleset, Side},
    control::{Player, Strategist, forecast::Chance, recording::SideController, timeline::Review},
    grid::Cell,
    levels,
    rulesets::{ALL, find},
    ui::{
        Screen, Session,
        app_command::{AppCommand, GameCommand, SaveCommand},
        board::labels::Label,
        hud::ForecastBar,
        preview::{Click, PlanPreview},
        session::thinking::{FrameWait, ThinkingTime},
        settings::{Pace, Settings},
    },
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

fn against_the_strategist(rules: &'static Ruleset) -> Session {
    let enemy = SideController::Ai(Player::Strategist(Strategist::PLAYOUTS));
    Session::with_controllers(
        &levels::default_level(),
        rules,
        6,
        vec![SideController::Human, enemy],
    )
}

/// Plays until the strategist has a decision.
fn until_it_thinks(game: &mut Game) {
    for _ in 0..40 {
        game.until("a unit is asked", |game| {
            let session = game.session();
            session.question().is_some() || session.awaits_ai() || session.awaits_end_of_turn()
        });
        let mut session = game.app.world_mut().resource_mut::<Session>();
        if session.awaits_ai() {
            return;
        }
        if session.question().is_some() {
            let choice = common_or_first(&mut session);
            session.give(&[choice]).expect("it is legal");
        }
        session.end_turn();
    }
    panic!("the strategist is never asked");
}

fn begun(rules: &'static Ruleset) -> Game {
    let mut game = at(&fresh_home());
    let mut settings = game.app.world_mut().resource_mut::<Settings>();
    (settings.own_pace, settings.others_pace) = (Pace::Instant, Pace::Instant);
    show(&mut game, against_the_strategist(rules));
    until_it_thinks(&mut game);
    game.wait(1);
    game
}

/// Asserts that the battle continues: the player has a decision after seeing the enemies'
/// actions.
fn goes_on(game: &mut Game) {
    game.in_time("the battle continues", |game| {
        game.session().question().is_some() || game.session().awaits_end_of_turn()
    });
}

#[test]
fn the_window_runs_while_the_ai_thinks() {
    let mut game = begun(ALL[0]);
    // On a busy machine, a single frame can take as long as a decision, so try several times.
    let passes = (0..8).any(|_| {
        until_it_thinks(&mut game);
        let answered = game.session().game.answered();
        let began = Instant::now();
        let mut frames = 0;
        while game.session().game.answered() == answered {
            assert!(began.elapsed() < Duration::from_secs(60), "it hangs");
            game.wait(1);
            frames += 1;
        }
        frames > 1
    });
    assert!(passes, "the window stood still while it thought");
    goes_on(&mut game);
}

#[test]
fn loading_and_restarting_while_the_ai_thinks_lose_nothing() {
    let mut game = begun(ALL[0]);
    // The save can contain answers given while it was written.
    let saved = game.session().game.answered();
    let answers = game.session().game.answers()[..saved].to_vec();
    game.press(KeyCode::F5);
    game.send(AppCommand::Save(SaveCommand::QuickLoad), 5);
    assert!(game.session().game.answers().starts_with(&answers));
    goes_on(&mut game);
    until_it_thinks(&mut game);
    let again = AppCommand::Game(GameCommand::Again { same_dice: true });
    game.send(again, 5);
    assert_eq!(game.screen(), Screen::Battle);
    goes_on(&mut game);
}

/// If the player undoes the last order, the strategist's decision no longer exists, and its
/// result is discarded.
#[test]
fn an_undo_while_the_ai_thinks_discards_its_decision() {
    let mut game = begun(ALL[0]);
    let answers = game.session().game.answers().to_vec();
    assert!(game.session().awaits_ai() && game.session().can_undo());
    game.press(KeyCode::KeyU);
    assert!(!game.session().awaits_ai());
    goes_on(&mut game);
    let left = game.session().game.answers().len();
    assert!(left < answers.len(), "nothing was taken back");
    std::thread::sleep(Duration::from_millis(600));
    game.wait(5);
    assert_eq!(game.session().game.answers(), &answers[..left]);
    until_it_thinks(&mut game);
    goes_on(&mut game);
}

#[test]
fn leaving_and_closing_do_not_wait_for_the_ai() {
    let mut game = begun(ALL[4]);
    game.send(AppCommand::Game(GameCommand::Leave), 3);
    assert_eq!(game.screen(), Screen::Title);
    let game = begun(ALL[0]);
    let began = Instant::now();
    drop(game);
    assert!(began.elapsed() < Duration::from_secs(5), "closing waits");
}

/// The win probability is beside the round, gets refined during the player's decision, and
/// can be turned off.
#[test]
fn the_win_probability_is_shown_beside_the_round() {
    let mut game = at(&fresh_home());
    game.app.world_mut().resource_mut::<Settings>().forecast = true;
    show(&mut game, Session::new(&levels::default_level(), ALL[0], 2));
    game.until_asked();
    let is_there = |game: &mut Game| game.find::<ForecastBar>(|_| true).is_some();
    assert!(is_there(&mut game));
    game.in_time("it is refined", |game| {
        let is_estimating = game.session().is_estimating();
        // The formula alone may be far off.
        assert!(!is_estimating || game.says("estimating"));
        !is_estimating
    });
    game.wait(2);
    assert!(is_there(&mut game) && !game.says("estimating"));
    assert!(game.says("win "), "{:?}", game.words());
    game.app.world_mut().resource_mut::<Settings>().forecast = false;
    game.wait(3);
    assert!(!is_there(&mut game));
}

/// While a round is carried out, the win chance stays the last settled one and counts as not
/// settled, until there are playouts from the new state.
#[test]
fn the_win_chance_is_final_only_for_the_state_that_was_simulated() {
    let mut all = levels::built_in().iter();
    let mill = all.find(|level| level.id == "mill").expect("the mill");
    let rules = find("Phased").expect("a ruleset");
    let mut session = begun_against(Player::Quick, mill, rules, 1);
    let began = Instant::now();
    let mut simulated = loop {
        session.update_win_probability();
        let chance = session.chance().expect("the battle has begun");
        if chance.playouts > 0 {
            break chance;
        }
        let waits = began.elapsed();
        assert!(waits < Duration::from_secs(120), "it is never refined");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(simulated.is_settled() && !session.is_estimating());
    let mut passed = 0;
    while passed < 5 {
        on(&mut session);
        session.catch_up();
        let is_new = session.update_win_probability();
        let now = session.chance().expect("no side has won yet");
        if is_new {
            assert!(now.is_settled() && !session.is_estimating(), "{now:?}");
            simulated = now;
        } else if session.is_estimating() {
            assert_eq!(now, simulated);
            passed += 1;
        }
    }
}

/// Every unit of a side acts twice, and an enemy reacts in between.
#[test]
fn a_sides_turn_takes_half_a_second_with_any_number_of_units() {
    let (own, enemy) = (Side(1), Side(0));
    for actors in 1..=12 {
        let mut patience = ThinkingTime::default();
        let mut all = Duration::ZERO;
        for n in 0..2 * actors {
            let time = patience.allows(own, actors - n / 2);
            assert!(time <= ThinkingTime::DECISION);
            assert!(n > 0 || time * actors as u32 <= ThinkingTime::TURN);
            patience.decided(own, time);
            all += time;
        }
        assert!(all <= ThinkingTime::TURN, "{actors}: {all:?}");
        patience.decided(enemy, Duration::ZERO);
        assert!(patience.allows(own, 2) == ThinkingTime::DECISION);
    }
}

/// Two units on each side; one enemy is adjacent to one of the player's units.
#[test]
fn slow_previews_appear_some_frames_later() {
    let units = [
        ("ann", "party", (2, 1), 12),
        ("bea", "party", (0, 0), 12),
        ("gob", "goblins", (3, 1), 12),
        ("gab", "goblins", (9, 1), 12),
    ];
    let rows = [".........."; 3];
    let foreseen = |game: &Game| game.app.world().resource::<PlanPreview>().timeless();
    for id in DECLARED {
        let at_gob = |wait: Duration| {
            let mut game = declaring(id, &rows, &units, 3);
            game.app.insert_resource(FrameWait(wait));
            game.point(game.screen_point(Cell::new(3, 1)));
            let Click::Plan(draft) = game.preview().click.clone() else {
                panic!("{id}: a click is a plan");
            };
            // The chance of the attack needs no simulation.
            let labels = game.count::<Label>(|_| true);
            assert!(draft.attack.is_none() || labels > 0, "{id}");
            game.in_time("it is simulated", |game| {
                game.app.world().resource::<PlanPreview>().knows(&draft)
            });
            game
        };
        let (at_once, later) = (at_gob(Duration::from_secs(60)), at_gob(Duration::ZERO));
        let (at_once, seen) = (foreseen(&at_once), foreseen(&later));
        assert!(seen.timeline.is_some(), "{id}");
        assert_eq!(
            (at_once.timeline, at_once.risks),
            (seen.timeline, seen.risks),
            "{id}"
        );
    }
}

/// Plays to the player's next decision and waits for its win probability, then lets a unit wait. The
/// probability and the number of events before it.
fn chance_of_next(session: &mut Session) -> (Chance, usize) {
    to_decision(session);
    // Until then the chance is that of the decision before.
    while !session.update_win_probability() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let found = (
        session.chance().expect("it is known"),
        session.shown().events,
    );
    let asked = session.question().expect("it is asked").clone();
    let choice = match asked.actors.first() {
        Some(&who) => session.pass_choice(who).expect("a unit can wait"),
        None => asked.common[0].clone(),
    };
    session.give(&[choice]).expect("it is legal");
    found
}

/// The win probability stays about the same while the units only wait: the 95% intervals of one
/// decision and the next overlap, or nearly, as a turn that is given up counts for a little.
#[test]
fn the_win_probability_does_not_drift_while_nothing_happens() {
    for rules in fivefoot_kit::sample(&ALL[..2], &ALL[..]) {
        let mut session = against(Player::Idle, &levels::default_level(), rules, 3);
        let mut found: Vec<Chance> = vec![];
        while found.len() < 4 {
            found.push(chance_of_next(&mut session).0);
            assert_eq!(session.readings().len(), found.len(), "{}", rules.id);
        }
        let is_still = |pair: &[Chance]| {
            let [(low, high), (low_next, high_next)] = [pair[0].interval(), pair[1].interval()];
            low <= high_next + 0.05 && low_next <= high + 0.05
        };
        assert!(found.windows(2).all(is_still), "{}: {found:?}", rules.id);
    }
}

/// The course of a battle passes through the chances that were shown. A loaded copy knows none.
#[test]
fn the_course_of_a_battle_agrees_with_the_chances_that_were_shown() {
    let mut session = against(Player::Idle, &levels::default_level(), ALL[0], 3);
    let mut shown = BTreeMap::new();
    while shown.len() < 3 {
        let (chance, events) = chance_of_next(&mut session);
        shown.insert(events, chance.value);
    }
    let points = session.timeline(&Review::default()).points;
    for (event, chance) in &shown {
        let point = points.iter().find(|point| point.event == *event);
        let off = point.expect("a point").chance - chance.clamp(0.01, 0.99);
        assert!(off.abs() < 1e-3, "{event}: {off}");
    }
    let mut loaded = Session::load(&session.recording("")).expect("it runs as it did");
    assert!(loaded.readings().is_empty());
    let plain = loaded.timeline(&Review::default()).points;
    assert_ne!(plain, points);
    loaded.restore_readings(session.readings().to_vec());
    assert_eq!(loaded.timeline(&Review::default()).points, points);
}
