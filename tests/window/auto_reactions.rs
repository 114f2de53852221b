//! Automatic reactions: set for a unit or for all, and prompts that skip themselves.

use super::kit::{
    game::{Game, resize},
    rounds::rules,
    shell::{against, plain, show, shown},
};
use bevy::{prelude::*, ui::UiGlobalTransform, ui_widgets::Activate};
use fivefoot::{
    battle::{Action, Choice, EventKind, Id, PASS, chances::EVERY_CHANCE},
    control::{Player, recording::SideController},
    grid::Cell,
    levels::{self, Level},
    rulesets::{skirmish::OPPORTUNITY, speed::declared::HOLD},
    ui::{
        Command, Options, Phase, Playback, Profile, Screen, Selection, Session,
        art::hud::Panel,
        auto_reactions::{AutoAnswers, SetAutoReaction, WhyUnasked, is_prompted_at_chances},
        hud::{InspectsUnit, Unfolds},
        input::PromptAnswered,
        places::{BoardArea, ReactionPlace},
        profile::{AutoReaction, AutoReactions, kinds},
        widgets::{SendOnPress, Skin},
    },
};
use fivefoot_kit::level;
use std::sync::Arc;

/// A randomly acting archer next to a unit with a spear: sooner or later the archer walks
/// away and provokes an attack.
const PASSAGE: &str = r#"(
    title: "The passage",
    map: [".........."],
    sides: [(id: "party"), (id: "bandits", awareness: Alert)],
    combatants: [
        (kind: "hild", side: "party", at: (6, 0)),
        (kind: "bandit_archer", side: "bandits", at: (5, 0)),
    ],
)"#;

fn battle(seed: u64) -> Game {
    battle_in(&level(PASSAGE), seed)
}

fn battle_in(level: &Arc<Level>, seed: u64) -> Game {
    let mut game = shown(against(Player::Random, level, rules("Skirmish"), seed));
    game.until_asked();
    game
}

/// Plays on until there is a reaction prompt (`true`), or for this many rounds.
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

/// A battle at a prompt because the archer provokes an attack, and its seed.
fn prompted() -> (Game, u64) {
    for seed in 1..12 {
        let mut game = battle(seed);
        if until_prompted(&mut game, 6) {
            let rows = &game.preview().menu.as_ref().expect("a list").rows;
            let verbs = rows.iter().filter_map(|r| r.choice());
            if verbs.into_iter().any(|c| c.verb == &OPPORTUNITY) {
                return (game, seed);
            }
        }
    }
    panic!("nobody ever gives an opening");
}

/// The hatching of the enemy under the pointer belongs to the player's own turn.
#[test]
fn no_hatching_lies_behind_a_prompt() {
    let (mut game, _) = prompted();
    let enemies = game.session().known_enemies();
    for enemy in enemies {
        game.point(game.screen_point(game.cell_of(enemy)));
        game.wait(10);
        assert!(!game.says("melee next turn; dashed:"));
    }
}

fn struck(game: &Game) -> usize {
    let told = game.session().known_events();
    told.filter(|e| matches!(&e.what, EventKind::Acted { choice } if choice.verb == &OPPORTUNITY))
        .count()
}

#[test]
fn always_can_be_set_in_the_prompt_and_answers_it() {
    let (mut game, seed) = prompted();
    let before = struck(&game);
    // The end-turn key does not answer the prompt, and a toast says so.
    game.press(KeyCode::KeyE);
    assert!(game.session().is_prompted() && game.says("Answer the prompt"));
    assert!(game.says("Ask when it helps"));
    game.click_on::<SetAutoReaction>("always", |s| {
        s.verb == &OPPORTUNITY && s.auto_reaction == AutoReaction::Always
    });
    game.wait(5);
    game.until("the answer", |game| struck(game) > before);
    assert!(game.says("(automatic)"), "the log says so");
    assert_eq!(game.app.world().resource::<AutoAnswers>().answers.len(), 1);
    // There is no prompt in the next battle.
    let profile = game.app.world().resource::<Profile>().clone();
    let mut game = battle(seed);
    game.app.insert_resource(profile);
    game.wait(5);
    for _ in 0..100 {
        game.until_asked();
        if game.screen() != Screen::Battle || struck(&game) > 0 {
            break;
        }
        // The reaction follows once its trigger has been shown.
        game.until_quiet();
        game.wait(2);
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
    let menu = game.preview().menu.as_ref().filter(|m| m.is_reaction);
    let rows = menu.map_or(&[][..], |m| &m.rows);
    rows.iter()
        .any(|r| r.choice().is_some_and(|c| c.verb == &OPPORTUNITY))
}

/// SK-17: the target of an attack of opportunity can still defend.
#[test]
fn a_reaction_leads_with_the_chance_against_the_targets_defense() {
    for seed in 1..12 {
        let mut game = battle(seed);
        while until_prompted(&mut game, 6) {
            let rows = game.preview().menu.as_ref().expect("a list").rows.clone();
            for row in rows {
                let choice = row.choice().filter(|c| c.verb == &OPPORTUNITY);
                let attack = choice.and_then(|choice| game.session().queries.attack(choice));
                let Some(Ok(forecast)) = attack else { continue };
                let leads = match row.is_drop_first {
                    true => forecast.likely_drop_percent(),
                    false => forecast.likely_percent(),
                };
                assert_eq!(row.percent, Some(leads));
                if let Some(left) = &forecast.answered {
                    let (hits, other) = (left.percent, forecast.percent);
                    let brief = format!("{hits}% to hit {}, else {other}%", left.brief);
                    assert!(row.brief.starts_with(&brief), "{}", row.brief);
                    assert!(row.brief.ends_with(", free"), "{}", row.brief);
                    assert!(game.says(&brief));
                    return;
                }
            }
            game.press(KeyCode::Escape);
        }
    }
    panic!("no target of an attack of opportunity can defend");
}

#[test]
fn never_declines_automatically() {
    let (mut game, _) = prompted();
    let before = struck(&game);
    game.click_on::<SetAutoReaction>("never", |s| {
        s.verb == &OPPORTUNITY && s.auto_reaction == AutoReaction::Never
    });
    // A snap attack is another kind of reaction, with a setting of its own.
    game.wait(5);
    if asks_for_opportunity(&game) {
        game.click_on::<SetAutoReaction>("never to snap", |s| {
            s.verb != &OPPORTUNITY && s.auto_reaction == AutoReaction::Never
        });
    }
    game.until("the moment has passed", |game| !asks_for_opportunity(game));
    assert_eq!(struck(&game), before);
    let told = &game.app.world().resource::<AutoAnswers>().answers;
    assert!(told[0].text.contains("skipped (automatic)"), "{told:?}");
}

/// A unit with one hit point between two enemies, and another far away.
const FRAIL: &str = r#"(
    title: "The frail one",
    map: ["....................", "...................."],
    sides: [(id: "party"), (id: "bandits", awareness: Alert)],
    combatants: [
        (kind: "hild", side: "party", at: (6, 0), with: (skirmish: (hp: 1))),
        (kind: "mara", side: "party", at: (19, 1)),
        (kind: "bandit", side: "bandits", at: [(5, 0), (7, 0)]),
    ],
)"#;

/// SK-17: if Total Defense is set to Never, the log says in the line of a unit's fall that it was not
/// asked.
#[test]
fn the_log_says_why_a_unit_that_falls_was_not_asked() {
    let rules = rules("Skirmish");
    let level = level(FRAIL);
    let words = format!("Hild falls: {}", WhyUnasked::Never.words());
    for seed in 1..20 {
        let mut game = Game::new(Options::default());
        let mut profile = game.app.world_mut().resource_mut::<Profile>();
        for kind in kinds(rules) {
            profile.auto_reactions.set(rules, kind, AutoReaction::Never);
        }
        show(&mut game, against(Player::Quick, &level, rules, seed));
        let round = |game: &Game| game.session().shown().clock.round;
        while game.screen() == Screen::Battle && round(&game) < 3 {
            game.until_asked();
            // Prompts are answered automatically once everything has been shown.
            game.until_quiet();
            game.wait(3);
            game.press(KeyCode::KeyE);
            game.press(KeyCode::KeyE);
        }
        if game.screen() == Screen::Battle && plain(&mut game).contains(&words) {
            let unasked = &game.app.world().resource::<AutoAnswers>().unasked;
            assert!(unasked.iter().any(|one| one.who == Id(0)));
            return;
        }
    }
    panic!("Hild never falls to a hit that she could have defended against");
}

/// A setting for one unit applies only to that unit; a setting for all applies to all.
#[test]
fn automatic_reactions_are_set_per_unit_and_kind() {
    let rules = rules("Skirmish");
    let mut auto_answers = AutoReactions::default();
    let of =
        |auto_answers: &AutoReactions, unit| auto_answers.of_unit(rules, &OPPORTUNITY, Some(unit));
    assert_eq!(of(&auto_answers, "Mara"), AutoReaction::Helps);
    auto_answers.set_unit(rules, &OPPORTUNITY, ("Mara", AutoReaction::Always));
    assert_eq!(of(&auto_answers, "Mara"), AutoReaction::Always);
    assert_eq!(of(&auto_answers, "Tobin"), AutoReaction::Helps);
    auto_answers.set(rules, &OPPORTUNITY, AutoReaction::Never);
    assert_eq!(of(&auto_answers, "Mara"), AutoReaction::Never);
    assert_eq!(of(&auto_answers, "Tobin"), AutoReaction::Never);
    auto_answers.set_unit(rules, &OPPORTUNITY, ("Tobin", AutoReaction::Ask));
    let written = ron::to_string(&auto_answers).expect("it can be written");
    let read: AutoReactions = ron::from_str(&written).expect("and read");
    assert_eq!(of(&read, "Tobin"), AutoReaction::Ask);
    assert_eq!(of(&read, "Mara"), AutoReaction::Never);
}

/// The prompt is beside the board and covers no part of it. Esc declines to react; the letter of
/// that row does nothing, because it is not shown.
#[test]
fn a_prompt_is_beside_the_board_and_esc_declines() {
    let (mut game, _) = prompted();
    game.wait(3);
    let (board, panel) = (game.rect::<BoardArea>(), game.rect::<ReactionPlace>());
    assert!(panel.height() > 100.0 && board.intersect(panel).is_empty());
    let rows = game.preview().menu.as_ref().expect("a list").rows.clone();
    assert!(rows.last().is_some_and(|row| row.is_pass), "{rows:?}");
    let (before, answers) = (struck(&game), game.session().game.answered());
    let letters = [KeyCode::KeyB, KeyCode::KeyC, KeyCode::KeyD];
    game.press(letters[rows.len() - 2]);
    game.wait(3);
    assert_eq!(game.session().game.answered(), answers);
    game.press(KeyCode::Escape);
    game.wait(3);
    assert!(game.session().game.answered() > answers);
    assert_eq!(struck(&game), before);
}

/// Enter takes the highlighted row: a reaction that helps, whatever it costs.
#[test]
fn enter_takes_the_reaction_that_helps() {
    let (mut game, _) = prompted();
    let before = struck(&game);
    assert_eq!(suggested(&game), Some(&OPPORTUNITY));
    game.press(KeyCode::Enter);
    game.wait(3);
    assert!(struck(&game) > before);

    let mut game = missed();
    assert_ne!(suggested(&game), Some(&PASS), "{:?}", game.words());
    game.press(KeyCode::Enter);
    let is_rerolled = |game: &mut Game| {
        let mut events = game.session().known_events();
        events.any(|e| matches!(e.what, EventKind::Rerolled { .. }))
    };
    game.until("the attack is rolled again", is_rerolled);
}

/// What Enter does at the prompt.
fn suggested(game: &Game) -> Option<&'static Action> {
    let menu = game.preview().menu.as_ref()?;
    Some(menu.rows[menu.suggested?].choice()?.verb)
}

/// Osk can roll again once in a battle.
const ONCE_MORE: &str = r#"(
    title: "Once more",
    map: ["......"],
    sides: [(id: "party"), (id: "bandits", awareness: Alert)],
    combatants: [
        (kind: "osk", side: "party", at: (1, 0)),
        (kind: "bandit", side: "bandits", at: (2, 0)),
    ],
)"#;

/// A battle in which Osk has missed and is asked whether he rolls again.
fn missed() -> Game {
    let rolls_again = |game: &Game| {
        let rows = game.preview().menu.iter().flat_map(|menu| &menu.rows);
        let mut choices = rows.filter_map(|row| row.choice());
        game.session().is_prompted() && choices.any(|choice| choice.verb.name == "roll again")
    };
    let found = (1..60).find_map(|seed| {
        let mut game = battle_in(&level(ONCE_MORE), seed);
        game.until_own_turn();
        game.click_cell(Cell::new(2, 0));
        game.until_asked();
        game.wait(3);
        let is_it = game.screen() == Screen::Battle && rolls_again(&game);
        is_it.then_some(game)
    });
    let mut game = found.expect("he misses");
    game.until_settled();
    game
}

/// A prompt about the unit's own roll says so beside the unit too. A number or a click does not
/// answer it, and a toast says what to do.
#[test]
fn numbers_and_clicks_do_not_answer_a_prompt() {
    let mut game = missed();
    let heading = "Osk: roll again?";
    let said = game.words();
    assert_eq!(
        said.iter().filter(|words| *words == heading).count(),
        2,
        "{said:?}"
    );
    let answers = game.session().game.answered();
    let presses: [fn(&mut Game); 2] = [
        |game| game.press(KeyCode::Digit1),
        |game| game.click_cell(Cell::new(5, 0)),
    ];
    for press in presses {
        game.app.world_mut().resource_mut::<Selection>().toast = None;
        press(&mut game);
        game.wait(3);
        assert_eq!(game.session().game.answered(), answers);
        assert!(game.says("Answer the prompt"));
    }
    game.press(KeyCode::KeyA);
    game.wait(3);
    assert!(game.session().game.answered() > answers);
}

/// In a prompt no action can be taken, so no button of the action bar looks as if it could.
#[test]
fn the_action_bar_is_grey_in_a_prompt() {
    let level = level(ONCE_MORE);
    for seed in 1..60 {
        let mut game = battle_in(&level, seed);
        game.until_own_turn();
        game.click_cell(Cell::new(2, 0));
        game.until_asked();
        game.wait(3);
        if game.screen() != Screen::Battle || !game.session().is_prompted() {
            continue;
        }
        let world = game.app.world_mut();
        let mut buttons = world.query::<(&SendOnPress<Command>, &Skin)>();
        let buttons = buttons.iter(world);
        let acts = buttons.filter(|(sends, _)| matches!(sends.0, Command::Act(_)));
        let skins: Vec<Panel> = acts.map(|(_, skin)| skin.0).collect();
        if !skins.is_empty() {
            assert!(skins.iter().all(|skin| *skin == Panel::CardPale));
            return;
        }
    }
    panic!("he never misses");
}

/// Keeps the playback busy, as during the last moments of an event.
#[derive(Resource, Default)]
struct PlaysOn(bool);

/// The end of playback changes nothing else: the panel must not wait for the pointer.
#[test]
fn the_panel_of_a_prompt_is_filled_when_playback_ends() {
    let (mut game, _) = prompted();
    let hold = |holds: Res<PlaysOn>, mut playback: ResMut<Playback>| {
        if holds.0 {
            playback.busy = true;
        }
    };
    let replies = |game: &mut Game| {
        game.count::<SendOnPress<Command>>(|sends| matches!(sends.0, Command::Reply(_)))
    };
    game.app.insert_resource(PlaysOn(true));
    game.app
        .add_systems(Update, hold.after(Phase::Play).before(Phase::Draw));
    game.wait(3);
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session.set_changed();
    game.wait(2);
    assert_eq!(replies(&mut game), 0, "events are still shown");
    game.app.insert_resource(PlaysOn(false));
    game.wait(3);
    assert!(replies(&mut game) > 0, "the panel is empty");
}

/// The second press of a double press on a prompt gives no order.
#[test]
fn a_press_right_after_a_prompt_does_nothing_on_the_board() {
    let is_double = |game: &Game| {
        let world = game.app.world();
        let time = world.resource::<Time<Real>>();
        world.resource::<PromptAnswered>().is_double(time)
    };
    let (mut game, _) = prompted();
    assert!(!is_double(&game));
    game.press(KeyCode::Enter);
    assert!(is_double(&game));
    game.wait(10);
    assert!(!is_double(&game));

    let mut game = battle(1);
    game.until_own_turn();
    game.wait(10);
    let cell = game.preview().reach.last().expect("a reachable cell").cell;
    game.point(game.screen_point(cell));
    let answers = game.session().game.answered();
    let presses: [fn(&mut Game, Cell); 2] = [
        |game, _| game.press(KeyCode::Enter),
        |game, cell| game.click_cell(cell),
    ];
    for press in presses {
        let world = game.app.world_mut();
        let now = *world.resource::<Time<Real>>();
        world.resource_mut::<PromptAnswered>().note(&now);
        press(&mut game, cell);
        assert_eq!(game.session().game.answered(), answers);
    }
    game.wait(10);
    game.click_cell(cell);
    assert!(game.session().game.answered() > answers);
}

/// Number of prompts in some rounds for chances, which are skipped by default; and whether
/// a rare offer was visible on the player's turn.
fn chances(every: bool) -> (usize, bool) {
    let mut session = against(Player::Random, &level(PASSAGE), rules("Skirmish"), 3);
    let (mut asked, mut in_sight) = (0, false);
    for _ in 0..60 {
        session.want_chances(every);
        session.catch_up();
        let Some(question) = session.question().cloned() else {
            match session.awaits_ai() {
                true => session.think(),
                false => session.end_turn(),
            }
            continue;
        };
        let who = question.actors[0];
        if question.reaction {
            asked += usize::from(question.rule == "SK-04");
            let pass = Choice::new(&PASS, who);
            session.give(&[pass]).expect("a moment may be let pass");
        } else {
            in_sight |= session.offers_of(who).iter().any(|o| o.rare);
            session.end_turn();
        }
        if session.game.is_over() {
            break;
        }
    }
    (asked, in_sight)
}

/// SK-12: a snap attack at an enemy that threatens no one is legal. There is a prompt for it
/// only if the player asks for prompts at every chance.
#[test]
fn every_chance_prompts_if_the_player_wants_it() {
    assert_eq!(chances(false), (0, false));
    let (asked, in_sight) = chances(true);
    assert!(asked > 5 && in_sight, "{asked} {in_sight}");
}

#[test]
fn a_button_of_the_reactions_page_turns_on_prompts_at_every_chance() {
    let mut game = battle(1);
    let rules = rules("Skirmish");
    let wants = |game: &Game| {
        let profile = game.app.world().resource::<Profile>();
        is_prompted_at_chances(&profile.auto_reactions, rules)
    };
    assert!(!wants(&game));
    let settle = |auto_reaction| SetAutoReaction {
        rules,
        verb: &EVERY_CHANCE,
        auto_reaction,
        unit: None,
    };
    for (auto_reaction, wanted) in [(AutoReaction::Always, true), (AutoReaction::Ask, false)] {
        let before = game.session().game.answered();
        let button = game.app.world_mut().spawn(settle(auto_reaction)).id();
        game.app.world_mut().trigger(Activate { entity: button });
        game.wait(5);
        assert_eq!(wants(&game), wanted);
        let answers = game.session().game.answered();
        assert_eq!(answers, before + 1, "it is recorded");
    }
}

/// An archer without a visible target, beside a shut door: in the missiles phase, only minor
/// actions are possible.
const SHUT: &str = r#"(
    title: "The shut door",
    map: ["...+....."],
    sides: [(id: "party"), (id: "bandits")],
    combatants: [
        (kind: "bandit_archer", side: "party", at: (2, 0)),
        (kind: "bandit", side: "bandits", at: (8, 0)),
    ],
)"#;

/// Whether the player gets a turn with only minor actions within two rounds under Phased.
fn stops_at_minor_acts(send_command: Option<AutoReaction>) -> bool {
    let skippable = fivefoot::ui::ruleset_ui::of("Phased")
        .skippable
        .expect("Phased has such turns");
    let rules = rules("Phased");
    let session = against(Player::Idle, &level(SHUT), rules, 1);
    let mut game = Game::new(Options::default());
    if let Some(send_command) = send_command {
        let mut profile = game.app.world_mut().resource_mut::<Profile>();
        profile.auto_reactions.set(rules, skippable, send_command);
    }
    show(&mut game, session);
    for _ in 0..60 {
        game.until_asked();
        game.until_quiet();
        game.wait(2);
        if game.screen() != Screen::Battle || game.session().shown().clock.round > 2 {
            return false;
        }
        let session = game.session();
        if session.is_worth_no_prompt() {
            return true;
        }
        let before = game.session().game.answered();
        game.press(KeyCode::KeyE);
        game.press(KeyCode::KeyE);
        // Without a turn to end, give the common answer to the declaration.
        if game.session().game.answered() == before {
            let mut session = game.app.world_mut().resource_mut::<Session>();
            let common = session.question().and_then(|q| q.common.first().cloned());
            match common {
                Some(rest) => session.give(&[rest]).expect("it is offered"),
                None => game.press(KeyCode::KeyN),
            }
        }
    }
    panic!("two rounds are not over after sixty turns");
}

/// PH-10: a turn with only minor actions is skipped, unless the player wants to be asked.
#[test]
fn turns_with_only_minor_actions_are_skipped_by_default() {
    assert!(!stops_at_minor_acts(None));
    assert!(!stops_at_minor_acts(Some(AutoReaction::Never)));
    assert!(stops_at_minor_acts(Some(AutoReaction::Ask)));
}

/// Two units with spears, side by side: an enemy that walks away provokes attacks from both.
const PAIR: &str = r#"(
    title: "The pair",
    map: ["..........", ".........."],
    sides: [(id: "party"), (id: "bandits", awareness: Alert)],
    combatants: [
        (kind: "hild", side: "party", at: (6, 0)),
        (kind: "brandt", side: "party", at: (6, 1)),
        (kind: "bandit_archer", side: "bandits", at: (5, 0)),
        (kind: "bandit_archer", side: "bandits", at: (5, 1)),
    ],
)"#;

/// If several units can react to one action, one panel has a row for each choice; one
/// answer closes it.
#[test]
fn units_that_can_react_to_one_action_share_a_prompt() {
    let level = level(PAIR);
    for seed in 1..30 {
        let mut game = shown(against(Player::Random, &level, rules("Skirmish"), seed));
        while until_prompted(&mut game, 6) {
            game.wait(2);
            let menu = game.preview().menu.clone().expect("a list");
            let rows = menu.rows.iter().filter_map(|row| row.choice());
            let mut who: Vec<_> = rows.filter(|c| c.verb != &PASS).map(|c| c.who).collect();
            who.dedup();
            if who.len() < 2 {
                game.press(KeyCode::Escape);
                continue;
            }
            assert_eq!(menu.company.len(), who.len());
            // A row without a chance to drop does not mention it, and the settings of several
            // units are hidden behind a button.
            assert!(
                menu.rows
                    .iter()
                    .all(|row| !row.brief.contains("; 0% to drop"))
            );
            game.until("the panel", |game| game.says("hoose one"));
            assert_eq!(game.count::<SetAutoReaction>(|_| true), 0);
            game.click_on::<Unfolds>("the settings", |_| true);
            game.wait(2);
            assert!(game.count::<SetAutoReaction>(|_| true) > 0);
            assert_eq!(menu.rows.iter().filter(|row| row.is_pass).count(), 1);
            let events = game.session().known_events().count();
            let answered = game.session().game.answered();
            game.press(KeyCode::Escape);
            game.wait(3);
            // Both units have declined, so a following prompt is about something else.
            let given = &game.session().game.answers()[answered..];
            let passed: Vec<_> = given.iter().take(2).map(|c| (c.verb, c.who)).collect();
            assert_eq!(passed, [(&PASS, who[0]), (&PASS, who[1])]);
            assert!(game.session().known_events().count() >= events);
            return;
        }
    }
    panic!("nobody ever gives two an opening");
}

/// Several archers can each cancel a hit with a shot: there is one prompt per attack,
/// whatever the result of the first reaction.
#[test]
fn one_attack_prompts_once() {
    let rules = rules("Skirmish");
    let level = levels::default_level();
    let (mut asked, mut last) = (0, None);
    for seed in 1..6 {
        let mut game = shown(against(Player::Quick, &level, rules, seed));
        for _ in 0..6 {
            if !until_prompted(&mut game, 3) {
                break;
            }
            game.until_quiet();
            game.wait(3);
            if !game.session().is_prompted() {
                continue;
            }
            let attacks = game.session().queries.pending_attacks();
            let now = attacks.last().map(|attack| (seed, attack.serial));
            assert!(now.is_none() || now != last, "asked twice about {now:?}");
            (asked, last) = (asked + 1, now);
            // Choose the first reaction, which can fail to stop the attack.
            game.press(KeyCode::KeyA);
            game.wait(3);
        }
    }
    assert!(asked > 2, "asked {asked} times");
}

/// The prompts in a battle under Speed to units that are down: how many the player gets, and how
/// many are answered automatically.
fn prompts_when_down(skips: bool) -> (usize, usize) {
    let rules = rules("Speed");
    let controllers = vec![SideController::Human, SideController::Ai(Player::Quick)];
    let (mut asked, mut skipped) = (0, 0);
    for seed in 1..5 {
        let mut session =
            Session::with_controllers(&levels::default_level(), rules, seed, controllers.clone());
        session.set_skips(skips);
        while !session.game.is_over() {
            session.catch_up();
            let Some(question) = session.question().cloned() else {
                session.think();
                continue;
            };
            if let Some(choice) = session.skipped() {
                assert!(choice.verb == &HOLD || choice.verb == &PASS, "{choice:?}");
                session.give_automatically(&choice).expect("it is legal");
                skipped += 1;
                continue;
            }
            let who = question.actors[0];
            asked += usize::from(!session.shown().unit(who).is_up());
            let offers = session.offers_of(who);
            let choice = session.queries.sensible(who, &offers);
            session.give(&[choice]).expect("it is legal");
        }
    }
    (asked, skipped)
}

/// SP-24: a unit that is down and has nothing worth doing holds by itself.
#[test]
fn fallen_units_hold_by_themselves() {
    let (all, none) = prompts_when_down(false);
    let (asked, skipped) = prompts_when_down(true);
    assert_eq!(none, 0);
    assert!(skipped > 0 && asked * 2 < all, "{asked} of {all}");
}

/// A hero who holds can begin many actions before the goblin's count.
const HOLDER: &str = r#"(
    title: "The holder",
    map: [".........."],
    sides: [(id: "party"), (id: "goblins", awareness: Alert)],
    combatants: [
        (kind: "mara", side: "party", at: (0, 0), with: (weapons: ["sword", "dagger"], speed_rules: (agility: 20))),
        (kind: "goblin", side: "goblins", at: (3, 0)),
    ],
)"#;

/// All reactions of a prompt can be seen without scrolling, in windows of all sizes.
#[test]
fn a_prompt_shows_all_its_reactions() {
    let rules = rules("Speed");
    let level = level(HOLDER);
    for seed in 1..20 {
        let mut session = against(Player::Quick, &level, rules, seed);
        while session.question().is_none() {
            session.think();
            session.catch_up();
        }
        let who = session.question().expect("a declaration").actors[0];
        session
            .give(&[Choice::new(&HOLD, who)])
            .expect("it is legal");
        let mut game = Game::new(Options::default()).at_once();
        show(&mut game, session);
        game.until_settled();
        let menu = game.preview().menu.as_ref().filter(|menu| menu.is_docked());
        let Some(rows) = menu.map(|menu| menu.rows.len()).filter(|rows| *rows > 3) else {
            continue;
        };
        for (wide, high) in [(1280, 720), (1920, 1080), (2560, 1440)] {
            resize(game.app.world_mut(), wide, high);
            game.wait(5);
            let panel = game.rect::<ReactionPlace>();
            let world = game.app.world_mut();
            let screen = Rect::new(0.0, 0.0, wide as f32, high as f32);
            assert_eq!(panel.intersect(screen), panel);
            let mut buttons =
                world.query::<(&SendOnPress<Command>, &ComputedNode, &UiGlobalTransform)>();
            let replies = buttons
                .iter(world)
                .filter(|(sends, ..)| matches!(sends.0, Command::Reply(_)));
            let rect = |(_, node, place): (_, &ComputedNode, &UiGlobalTransform)| {
                Rect::from_center_size(place.translation, node.size())
            };
            let replies: Vec<Rect> = replies.map(rect).collect();
            assert_eq!(replies.len(), rows);
            for reply in replies {
                let seen = panel.intersect(reply);
                assert!(
                    seen.height() > reply.height() - 1.0,
                    "{wide}: {rows} rows, {reply:?} in {panel:?}"
                );
            }
        }
        return;
    }
    panic!("no prompt");
}

/// The ring in the turn order is around the unit that can react, not around the selected one.
#[test]
fn the_turn_order_marks_the_unit_that_can_react() {
    let level = level(&PASSAGE.replace(
        r#"(kind: "hild","#,
        r#"(kind: "mara", side: "party", at: (9, 0)),
        (kind: "hild","#,
    ));
    for seed in 1..20 {
        let mut game = battle_in(&level, seed);
        if !until_prompted(&mut game, 6) {
            continue;
        }
        let asked = game.session().asked_member();
        if game.selection().chosen == asked {
            continue;
        }
        game.until_settled();
        let world = game.app.world_mut();
        let mut tokens = world.query_filtered::<(&InspectsUnit, &Outline), With<ImageNode>>();
        let marked = tokens.iter(world).filter(|(_, ring)| ring.width != px(0));
        let marked: Vec<_> = marked.map(|(looks, _)| Some(looks.0)).collect();
        assert_eq!(marked, [asked]);
        return;
    }
    panic!("no unit but the selected one can ever react");
}
