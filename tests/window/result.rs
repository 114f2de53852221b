//! The result screen: the decisive moment, the course of the battle, what to try next.

use super::kit::{
    game::{Game, fresh_home, resize},
    shell::{at, click, played, played_in, show},
};
use bevy::{prelude::*, ui_widgets::ScrollArea};
use fivefoot::ui::widgets::{SendOnPress, Tip};
use fivefoot::{
    battle::{Event, EventKind, Id, Roll, Ruleset, Seen, State, capitalised},
    control::{
        Player,
        recording::SideController,
        timeline::{LEAST_SWING, Review, TimelineAction},
    },
    levels::built_in,
    rulesets::ALL,
    ui::{
        Screen, Session,
        app_command::{AppCommand, GameCommand, ReplayCommand},
        screens::result::moment::losses,
        settings::Settings,
    },
};
use fivefoot_kit as kit;
use std::collections::{BTreeMap, BTreeSet};

/// A game at the result of the player's battle, and the session.
fn over(rules: &'static Ruleset) -> (Game, Session) {
    let mut game = at(&fresh_home());
    show(&mut game, played(rules, 5000));
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(3);
    (game, played(rules, 5000))
}

/// The morale of a unit that is down no longer matters.
#[test]
fn only_standing_units_show_the_chance_that_their_morale_fails() {
    let mut seen = [0, 0];
    for answers in [1, 5000] {
        let mut session = played(ALL[0], answers);
        session.catch_up();
        for unit in &session.shown().units {
            let figures = session.queries.figures(unit.id);
            let is_shown = figures[0].contains("Morale\u{a0}fails");
            assert!(unit.is_up() || !is_shown, "{figures:?}");
            seen[usize::from(is_shown)] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

/// Enter that was still meant for the battle does not close the result before it is read.
#[test]
fn enter_does_nothing_on_a_result_that_has_just_opened() {
    let (mut game, _) = over(ALL[0]);
    game.press(KeyCode::Enter);
    game.wait(3);
    assert_eq!(game.screen(), Screen::Result);
    game.wait(25);
    game.press(KeyCode::Enter);
    game.wait(3);
    assert_ne!(game.screen(), Screen::Result);
}

/// A lost battle is described from the player's side: the winner's reason, that no enemy is left, would
/// read as if the player had won.
#[test]
fn a_defeat_says_that_your_units_are_gone() {
    let units = [("ann", "party", (0, 0), 1), ("gob", "goblins", (1, 0), 90)];
    let level = kit::field(&["..."; 2], &units);
    let session = || played_in(&level, ALL[0], 400);
    let mut game = at(&fresh_home());
    show(&mut game, session());
    game.until("the result", |game| game.screen() == Screen::Result);
    let how = "you have no units left on the field";
    assert_eq!(session().how_lost(), Some(how));
    assert!(game.says(&format!("{}. Victory for the goblins", capitalised(how))));
    // A battle that the player has not lost.
    assert_eq!(played(ALL[0], 1).how_lost(), None);
}

fn starts(game: &mut Game, what: impl Fn(&AppCommand) -> Option<usize>) -> Vec<usize> {
    let mut query = game.app.world_mut().query::<&SendOnPress<AppCommand>>();
    let all = query.iter(game.app.world());
    all.filter_map(|does| what(&does.0)).collect()
}

/// Runs frames until the turning points are known.
fn until_reviewed(game: &mut Game) {
    game.in_time("the turning points", |game| {
        !game.says("Simulating the turning points")
    });
    game.wait(2);
}

/// The search for the decisive moment fills a box that is there from the beginning.
#[test]
fn nothing_moves_when_the_decisive_moment_is_found() {
    for rules in ALL.into_iter().take(kit::sample(2, 5)) {
        let (mut game, _) = over(rules);
        let places = |game: &mut Game| {
            let moment = ["The largest swing of one action", "Final position"];
            let headings = [&moment[..], &["Win chance"], &["Try next"], &["Dealt"]];
            headings.map(|words| game.find::<Text>(|text| words.contains(&text.0.as_str())))
        };
        let before = places(&mut game);
        assert!(before.iter().all(Option::is_some), "{}", rules.id);
        until_reviewed(&mut game);
        assert_eq!(places(&mut game), before, "{}", rules.id);
    }
}

/// A tooltip says that damage beyond the last hit point does not count.
#[test]
fn damage_taken_is_said_to_count_up_to_the_last_hit_point() {
    let (mut game, _) = over(ALL[0]);
    let is_it = |tip: &Tip| {
        let mut lines = tip.0.iter();
        lines.any(|line| line.text.starts_with("Damage taken, at most the HP"))
    };
    assert!(game.find::<Tip>(is_it).is_some());
}

/// In a window of full HD, no part of the page is cut off.
#[test]
fn the_page_fits_without_scrolling() {
    let (mut game, _) = over(ALL[0]);
    resize(game.app.world_mut(), 1920, 1080);
    game.wait(5);
    let world = game.app.world_mut();
    let mut areas = world.query_filtered::<(&ComputedNode, &ChildOf), With<ScrollArea>>();
    let world = &*world;
    let name = |of: &ChildOf| world.get::<Name>(of.0).map(Name::as_str);
    let mut all = areas.iter(world);
    let body = all.find(|(_, of)| name(of) == Some("Result page"));
    let body = body.expect("the page scrolls if it must").0;
    let (content, seen) = (body.content_size().y, body.size().y);
    assert!(content <= seen + 1.0, "{content} in {seen}");
}

#[test]
fn the_decisive_moment_is_shown_and_can_be_retried() {
    let (mut decided, mut fallen) = (0, 0);
    for rules in ALL.into_iter().take(kit::sample(2, 5)) {
        let (mut game, session) = over(rules);
        // The title never promises what is not found yet.
        assert!(game.says("Final position") && game.says("Win chance"));
        assert!(!game.says("The largest swing"));
        // The first estimate is shown, and what became of the player's units.
        let estimate = session.estimated_swing(&session.timeline(&Review::default()));
        let change = |action: &TimelineAction| (action.swing.1 - action.swing.0).abs();
        let is_large = |action: &TimelineAction| change(action) >= LEAST_SWING;
        assert!(estimate.as_ref().is_none_or(is_large), "{estimate:?}");
        let estimate = estimate.is_some();
        assert_eq!(game.says("By a first estimate"), estimate, "{}", rules.id);
        let mut own = session.shown().members(session.player());
        let is_dying = own.any(|unit| unit.state == State::Down && unit.dying.is_some());
        assert!(!is_dying || game.says("dying"), "{:?}", game.words());
        until_reviewed(&mut game);
        let review = session.review().done(true).expect("it was waited for");
        let Some(action) = review.decisive else {
            assert!(game.says("No single action decided"), "{}", rules.id);
            assert!(game.says("Final position") && !game.says("The largest swing"));
            continue;
        };
        decided += 1;
        assert!(game.says("The largest swing of one action"), "{}", rules.id);
        assert!(game.says("in 80 simulations") && !game.says("Final position"));
        // An enemy may act at the same time: what the action led to is named.
        let mut events = session.game.events()[action.events.clone()].iter();
        let fell = events.find_map(|event| match event.what {
            EventKind::Fell { who } => Some(&session.shown().unit(who).name),
            _ => None,
        });
        let says = |name: &String| game.says(&format!("{name} falls"));
        assert!(fell.is_none_or(says), "{}: {fell:?}", rules.id);
        fallen += usize::from(fell.is_some());
        let start = action.events.start;
        click(
            &mut game,
            SendOnPress(AppCommand::Replay(ReplayCommand::Watch(start))),
        );
        assert_eq!(game.screen(), Screen::Battle);
        let at = game.session().shown().events;
        assert!(game.session().replay().is_some() && at >= start, "{at}");

        // The button appears once the battle has been reviewed again.
        let (mut game, _) = over(rules);
        game.send(AppCommand::Replay(ReplayCommand::TryFrom(start)), 5);
        assert_eq!(game.screen(), Screen::Battle);
        assert!(game.session().replay().is_none());
        let answers = game.session().game.answers();
        assert!(session.game.answers().starts_with(answers));
        // Before the enemies act, the battle is at the point just before the decisive action.
        let Ok(mut from) = session.as_replay() else {
            panic!("{}: it does not run as it did", rules.id);
        };
        from.seek(start);
        let from = from.play_on();
        assert!(from.game.length() <= action.events.end);
        assert!(answers.starts_with(from.game.answers()));
        assert!(game.session().over().is_none());
    }
    assert!(
        decided > kit::sample(0, 1),
        "only {decided} were decided by a deed"
    );
    assert!(fallen > 0, "a decisive action fells a unit");
}

/// They appear one after the other, or all at once if the player wants less motion.
#[test]
fn the_page_shows_what_each_unit_of_the_player_did() {
    for (less_motion, frames) in [(true, 1), (false, 60)] {
        let mut game = at(&fresh_home());
        game.app.world_mut().resource_mut::<Settings>().less_motion = less_motion;
        show(&mut game, played(ALL[0], 5000));
        game.until("the result", |game| game.screen() == Screen::Result);
        game.wait(frames);
        let session = game.session();
        let units = session.shown().members(session.player()).count().min(6);
        let world = game.app.world_mut();
        let mut texts = world.query::<(&Text, &InheritedVisibility)>();
        let seen = texts.iter(world).filter(|(_, seen)| seen.get());
        let told = seen.filter(|(text, _)| text.0.ends_with(" damage")).count();
        assert_eq!(told, units + 1, "the units, and a heading of the table");
    }
}

/// Luck that helped enemies has the colour of the player's bad luck.
#[test]
fn the_good_luck_of_enemies_is_bad_news() {
    let (mut game, session) = over(ALL[0]);
    let own = session.player();
    let side_of = |name: &str| {
        let mut units = session.shown().units.iter();
        units.find(|unit| unit.name == name).map(|unit| unit.side)
    };
    let world = game.app.world_mut();
    let mut texts = world.query::<(Entity, &Text, &TextColor)>();
    let all: Vec<(Entity, String, Color)> = texts
        .iter(world)
        .map(|(entity, text, ink)| (entity, text.0.clone(), ink.0))
        .collect();
    // The number, its node, its cell, the line.
    let line_of = |entity: Entity| {
        let above = |of: Entity| world.get::<ChildOf>(of).map(ChildOf::parent);
        above(above(above(entity)?)?)
    };
    let is_in = |line: Entity, mut entity: Entity| {
        while let Some(above) = world.get::<ChildOf>(entity).map(ChildOf::parent) {
            if above == line {
                return true;
            }
            entity = above;
        }
        false
    };
    let (mut good, mut bad) = (vec![], vec![]);
    for (entity, words, ink) in &all {
        let is_gain = words.starts_with('+');
        if !(is_gain || words.starts_with('\u{2212}')) || words.contains('/') {
            continue;
        }
        let Some(line) = line_of(*entity) else {
            continue;
        };
        let mut names = all.iter().filter(|other| is_in(line, other.0));
        match names.find_map(|other| side_of(&other.1)) {
            Some(side) if is_gain == (side == own) => good.push(*ink),
            Some(_) => bad.push(*ink),
            None => {}
        }
    }
    assert!(!good.is_empty() && !bad.is_empty(), "{all:?}");
    assert!(good.iter().all(|ink| *ink == good[0]), "{good:?}");
    assert!(bad.iter().all(|ink| *ink == bad[0]), "{bad:?}");
    assert_ne!(good[0], bad[0]);
}

#[test]
fn a_click_on_a_fallen_unit_shows_its_fall() {
    let (mut game, session) = over(ALL[0]);
    until_reviewed(&mut game);
    let decisive = session
        .review()
        .done(true)
        .and_then(|review| review.decisive);
    let watched = |does: &AppCommand| match does {
        AppCommand::Replay(ReplayCommand::Watch(from)) => Some(*from),
        _ => None,
    };
    // One button for the replay, one for the decisive moment if there is one, and one for
    // each unit that fell or left.
    let all = starts(&mut game, watched);
    let lost = session.marks().into_iter().filter(|mark| {
        use fivefoot::ui::session::MarkKind::*;
        matches!(mark.kind, Fell(_) | Fled(_))
    });
    assert_eq!(
        all.len(),
        1 + usize::from(decisive.is_some()) + lost.count()
    );
}

#[test]
fn a_click_starts_an_idea_for_the_next_battle() {
    let (mut game, session) = over(ALL[0]);
    assert!(game.says("Try next"));
    let fights = |game: &mut Game| {
        let mut query = game.app.world_mut().query::<&SendOnPress<AppCommand>>();
        let all = query.iter(game.app.world()).map(|does| does.0.clone());
        all.filter(|does| matches!(does, AppCommand::Game(GameCommand::Fight { .. })))
            .collect::<Vec<_>>()
    };
    let idea = fights(&mut game).pop().expect("an idea");
    let AppCommand::Game(GameCommand::Fight {
        level,
        rules,
        controllers,
    }) = idea.clone()
    else {
        unreachable!("only fights were asked for");
    };
    click(&mut game, SendOnPress(idea));
    assert_eq!(game.screen(), Screen::Battle);
    let now = &game.session().game;
    assert_eq!((&now.level().id, now.rules().id), (&level, rules));
    assert_eq!(now.controllers(), controllers);
    let same = (&session.game.level().id, session.game.rules().id);
    assert!(
        (&level, rules) != same || controllers != session.game.controllers(),
        "it is another battle"
    );
    // Human players are kept.
    assert_eq!(
        controllers
            .iter()
            .filter(|s| **s == SideController::Human)
            .count(),
        1
    );
    assert!(
        controllers
            .iter()
            .all(|s| *s != SideController::Ai(Player::Random))
    );
}

/// No idea, and no next battle, is under a ruleset that the level isn't balanced for.
#[test]
fn an_idea_names_a_ruleset_that_suits_its_level() {
    let caravan = built_in().iter().find(|level| level.id == "caravan");
    let caravan = caravan.expect("it is built in");
    let unsuited = ALL.iter().position(|rules| !caravan.suits(rules.id));
    let before = ALL[unsuited.expect("a ruleset that it is not balanced for") - 1];
    let mut game = at(&fresh_home());
    show(&mut game, played_in(caravan, before, 5000));
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(3);
    assert!(game.says("Play it with"), "{:?}", game.words());
    let mut query = game.app.world_mut().query::<&SendOnPress<AppCommand>>();
    for does in query.iter(game.app.world()) {
        let AppCommand::Game(GameCommand::Fight { level, rules, .. }) = &does.0 else {
            continue;
        };
        let level = built_in().iter().find(|known| known.id == *level);
        assert!(level.is_some_and(|level| level.suits(rules)), "{rules}");
    }
}

fn damaged(who: u16, by: Option<u16>, points: i32) -> Event {
    Event {
        rule: "GR-00",
        what: EventKind::Damaged {
            who: Id(who),
            by: by.map(Id),
            points,
            roll: Roll::default(),
        },
        seen: Seen::All,
    }
}

/// Of the losses that no unit deals, only the doer's own count, and no arrow leads to them.
#[test]
fn losses_that_no_unit_deals_count_only_for_the_doer() {
    let events = [
        damaged(0, None, 1),
        damaged(1, Some(0), 5),
        damaged(2, None, 1),
    ];
    let lost = losses(&events, Some(Id(0)));
    assert_eq!(lost.points, BTreeMap::from([(Id(0), 1), (Id(1), 5)]));
    assert_eq!(lost.dealt, BTreeSet::from([(Id(0), Id(1))]));
}
