//! The lessons, played by their text only: the tests do what each step asks for, with clicks
//! on the places that it points at.

use super::kit::{
    game::{Game, resize},
    shell::open,
};
use bevy::{
    asset::AssetId,
    prelude::{ComputedNode, Image, KeyCode, Sprite, Text, TextColor, Vec2},
    ui::UiGlobalTransform,
};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::{Cost, Id, Offer},
    grid::Cell,
    levels::{self, CombatantIx, LessonMark, LessonStep, Level, Until},
    ui::{
        Command, Options, Profile, Screen,
        app_command::{AppCommand, GameCommand, SaveCommand},
        art::palette,
        board::{MapView, preview::Tint},
        hud::ActBar,
        preview::Click,
        ruleset_ui,
        screens::title::Page,
        settings::{Settings, toast::ToastCard},
        theme::colour,
        tutorial::{Coach, CoachButton, CoachCard, LessonButton},
    },
};

fn title() -> Game {
    let mut game = Game::new(Options {
        seed: Some(2),
        ..Options::default()
    });
    open(&mut game, Page::Learn);
    game
}

/// A lesson, started from the title screen, at the player's first turn.
fn lesson(n: usize) -> Game {
    let mut game = title();
    game.click_on::<LessonButton>("the lesson", |b| b.0 == n);
    react_until_own_turn(&mut game);
    game
}

/// A battle on the level in `text`, at the player's first turn.
fn begun(text: &str) -> Game {
    let mut game = Game::battle(fivefoot_kit::level(text), None, 3);
    react_until_own_turn(&mut game);
    game
}

/// What completes a step of a built-in lesson.
fn condition(lesson: usize, step: usize) -> Until {
    let lesson = levels::tutorial()[lesson].lesson.as_ref();
    let until = lesson.expect("it teaches").steps[step].until.clone();
    until.expect("a condition")
}

/// Goes to the next step with the button.
fn skip(game: &mut Game) {
    game.click_on::<CoachButton>("Next", |b| *b == CoachButton::Next);
    game.wait(2);
}

fn step(game: &Game) -> usize {
    game.app.world().resource::<Coach>().step
}

fn id(of: CombatantIx) -> Id {
    Id(of.0)
}

fn at(game: &Game, of: Id) -> Cell {
    game.session().shown().unit(of).at
}

/// Answers a prompt: takes an attack of opportunity, and declines what costs something.
fn react(game: &mut Game) {
    let menu = game.preview().menu.as_ref();
    let first = menu.and_then(|menu| menu.rows.first()?.choice());
    let is_free = first.is_some_and(|choice| choice.verb.name == "attack of opportunity");
    game.press(match is_free {
        true => KeyCode::Enter,
        false => KeyCode::Escape,
    });
}

/// Answers all prompts until it is the player's turn.
fn react_until_own_turn(game: &mut Game) {
    game.until_asked();
    while game.screen() == Screen::Battle && game.session().is_prompted() {
        react(game);
        game.until_asked();
    }
}

/// Selects a unit with a click on the board.
fn take(game: &mut Game, who: Id) {
    if game.selection().chosen != Some(who) {
        game.click_cell(at(game, who));
    }
    assert_eq!(game.selection().chosen, Some(who));
}

/// Attacks one of these enemies with each unit that can; the others move nearer.
fn fight(game: &mut Game, enemies: &[Id]) {
    let own: Vec<Id> = {
        let session = game.session();
        let idle = session.idle_members();
        idle.map(|p| p.id).collect()
    };
    for who in own {
        if game.screen() != Screen::Battle || !game.session().is_players_turn() {
            return;
        }
        take(game, who);
        for &enemy in enemies {
            if !game.session().shown().unit(enemy).is_up() {
                continue;
            }
            if strike(game, enemy) {
                return;
            }
            let apart = |a: Cell, b: Cell| (a.x - b.x).abs().max((a.y - b.y).abs());
            let there = at(game, enemy);
            let near = game.preview().reach.iter();
            let near = near.filter(|r| r.cost == Cost::Plain);
            let best = near.min_by_key(|r| (apart(r.cell, there), r.feet));
            if let Some(cell) = best.map(|r| r.cell)
                && apart(cell, there) < apart(at(game, who), there)
            {
                game.click_cell(cell);
                react_until_own_turn(game);
                return;
            }
        }
    }
    end_turn(game);
}

fn strike(game: &mut Game, enemy: Id) -> bool {
    game.point(game.screen_point(at(game, enemy)));
    let can = matches!(game.preview().click, Click::Attack(_));
    if can {
        game.click_cell(at(game, enemy));
        react_until_own_turn(game);
    }
    can
}

fn end_turn(game: &mut Game) {
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
    react_until_own_turn(game);
}

/// Points at a unit long enough to complete a step, whose text stays for five seconds.
fn look_at(game: &mut Game, who: Id) {
    let before = step(game);
    game.point(game.screen_point(at(game, who)));
    game.wait(22);
    assert_eq!(step(game), before, "the text can still be read");
    game.point(Vec2::ONE);
    game.wait(101);
}

/// Does what a step asks for.
fn complete_step(game: &mut Game, until: &Until) {
    match until {
        Until::Moved { who, area } => {
            take(game, id(who.expect("the lesson names a unit")));
            game.click_cell(area[0]);
            react_until_own_turn(game);
        }
        Until::Chosen(who) => take(game, id(*who)),
        Until::Pointed(who) => {
            look_at(game, id(who[0]));
        }
        Until::Attacked(who) => {
            if !strike(game, id(who[0])) {
                panic!("{who:?} cannot be attacked: {:?}", game.preview().click);
            }
        }
        Until::Used { act, who } => {
            if let Some(who) = who {
                take(game, id(*who));
            }
            match act.as_str() {
                "disengage" => game.press(KeyCode::KeyF),
                "cast" => {
                    game.press(KeyCode::KeyM);
                    let menu = game.preview().menu.as_ref().expect("spells");
                    let bolt = menu.rows.iter().position(|r| r.label == "Fire bolt");
                    game.click_button(&Command::Reply(bolt.expect("Fire bolt")));
                    let target = *game.preview().targets.first().expect("a target");
                    game.click_cell(at(game, target));
                }
                other => panic!("how is `{other}` done?"),
            }
            react_until_own_turn(game);
        }
        Until::Opened(_) => {
            game.press(KeyCode::KeyO);
            game.press(KeyCode::Enter);
            react_until_own_turn(game);
        }
        Until::Round(_) => end_turn(game),
        Until::Undone => game.click_button(&Command::Undo),
        Until::Defeated(who) => {
            let enemies: Vec<Id> = who.iter().map(|of| id(*of)).collect();
            fight(game, &enemies);
        }
        Until::Asked => end_turn(game),
        Until::Declared => panic!("Skirmish has no declarations"),
    }
}

/// The letter of the bar's button for an action, if the action is possible now.
fn letter_of(game: &Game, act: &str) -> Option<char> {
    let can = |o: &Offer| o.is_legal() && o.choice.verb.name == act;
    let mut acts = game.preview().acts.iter();
    acts.find(|a| a.offers.iter().any(can)).map(|a| a.key)
}

fn press_letter(game: &mut Game, letter: char) {
    let keys = [
        ('b', KeyCode::KeyB),
        ('c', KeyCode::KeyC),
        ('d', KeyCode::KeyD),
        ('f', KeyCode::KeyF),
        ('g', KeyCode::KeyG),
        ('h', KeyCode::KeyH),
        ('j', KeyCode::KeyJ),
        ('m', KeyCode::KeyM),
        ('n', KeyCode::KeyN),
        ('o', KeyCode::KeyO),
        ('s', KeyCode::KeyS),
    ];
    let key = keys.iter().find(|k| k.0 == letter);
    game.press(key.expect("a letter that the lessons name").1);
}

/// Whether the text of the step names this letter.
fn is_named(words: &str, letter: char) -> bool {
    let letter = letter.to_ascii_uppercase();
    let after = |sign: char| words.contains(&format!("ress {letter}{sign}"));
    let short = |sign: char| words.contains(&format!("({letter}{sign}"));
    [',', ':', '.'].into_iter().any(after) || [')', ','].into_iter().any(short)
}

/// Presses the letter that the text names and accepts suggestions with Enter; of several
/// spells, it chooses the one from the lesson.
fn do_act(game: &mut Game, act: &str, words: &str) {
    let letter = letter_of(game, act);
    let letter = letter.unwrap_or_else(|| panic!("`{act}` cannot be done: {words}"));
    assert!(
        is_named(words, letter),
        "`{letter}` for `{act}` in: {words}"
    );
    press_letter(game, letter);
    if let Some(menu) = &game.preview().menu {
        let bolt = menu.rows.iter().position(|r| r.label == "Fire bolt");
        match bolt {
            Some(bolt) => game.click_button(&Command::Reply(bolt)),
            None => game.press(KeyCode::Enter),
        }
    }
    // The spell's target is chosen when the spell is ready.
    if game.preview().unaimed.is_some() {
        game.press(KeyCode::Enter);
    }
}

/// The standing enemies, beginning with the targets of the step.
fn enemies(game: &Game) -> Vec<Id> {
    let lesson = game.session().game.level().lesson.as_ref();
    let step = lesson.and_then(|l| l.steps.get(step(game)));
    let marks = step.iter().flat_map(|s| &s.at);
    let marked = marks.filter_map(|mark| match mark {
        LessonMark::Unit(who) => Some(id(*who)),
        _ => None,
    });
    let session = game.session();
    let all = session.shown().units.iter().map(|p| p.id);
    let is_foe = |who: &Id| {
        let unit = session.shown().unit(*who);
        unit.is_there() && unit.is_up() && unit.side != session.player()
    };
    marked.chain(all).filter(is_foe).collect()
}

/// Clicks an enemy if that is an attack or aims the armed action.
fn click_foe(game: &mut Game) -> bool {
    for enemy in enemies(game) {
        game.point(game.screen_point(at(game, enemy)));
        let is_meant = matches!(
            game.preview().click,
            Click::Attack(_) | Click::Aim { .. } | Click::Act { .. }
        );
        if is_meant {
            game.click_cell(at(game, enemy));
            if game.preview().menu.is_some() {
                game.press(KeyCode::Enter);
            }
            return true;
        }
    }
    false
}

/// Gives one answer to the current decision, as the lessons' last steps advise: plan anew,
/// attack if possible, move nearer, or end the action.
fn go_on(game: &mut Game) {
    game.until_asked();
    if game.screen() != Screen::Battle {
        return;
    }
    if game.session().is_prompted() {
        return react(game);
    }
    if game.session().awaits_end_of_turn() {
        return game.press(KeyCode::KeyE);
    }
    if game.session().goes_on() {
        return game.wait(2);
    }
    let who = game
        .session()
        .question()
        .expect("a question")
        .actors
        .clone();
    let who = game.selection().chosen.filter(|one| who.contains(one));
    let who = who.expect("a unit that is asked is selected");
    let apart = |a: Cell, b: Cell| (a.x - b.x).abs().max((a.y - b.y).abs());
    let near = |game: &Game, from: Cell| {
        let all = enemies(game)
            .into_iter()
            .map(|enemy| apart(at(game, enemy), from));
        all.min().unwrap_or(0)
    };
    let gap = near(game, at(game, who));
    let plans = match gap > 1 {
        true => [
            "plan move",
            "plan melee",
            "declare nothing",
            "declare missiles",
        ],
        false => ["plan melee", "attack", "declare nothing", "declare attack"],
    };
    let plans = plans
        .into_iter()
        .chain(["attack", "declare attack", "cast"]);
    for act in plans {
        // Only possible actions with a letter that the lessons name.
        let Some(letter) = letter_of(game, act).filter(|l| "sgjhm".contains(*l)) else {
            continue;
        };
        let is_attack = game
            .preview()
            .acts
            .iter()
            .any(|a| a.key == letter && a.item.is_some());
        let is_target = is_attack && !act.starts_with("declare") && !enemies(game).is_empty();
        if is_target && click_foe(game) {
            return;
        }
        press_letter(game, letter);
        // A declared attack's target is chosen when it is due.
        if game.preview().menu.is_some() || game.preview().unaimed.is_some() {
            game.press(KeyCode::Enter);
        }
        return;
    }
    if click_foe(game) {
        return;
    }
    let here = at(game, who);
    let reach = game.preview().reach.iter();
    let best = reach.map(|r| (near(game, r.cell), r.feet, r.cell)).min();
    match best {
        Some((left, _, cell)) if left < near(game, here) => game.click_cell(cell),
        _ => game.press(KeyCode::KeyN),
    }
}

/// Does what the text of a step asks for, in a lesson about a ruleset with declarations.
fn follow_words(game: &mut Game, until: &Until, words: &str) {
    match until {
        Until::Used { act, who } => {
            let who = who.map(id);
            for _ in 0..30 {
                game.until_asked();
                if game.session().is_prompted() {
                    react(game);
                    continue;
                }
                // Other units that decide first do nothing.
                let asked = game.session().question().map(|q| q.actors.clone());
                let asked = asked.unwrap_or_default();
                match who {
                    Some(who) if asked.contains(&who) => take(game, who),
                    None => {}
                    Some(_) => {
                        game.press(KeyCode::KeyN);
                        continue;
                    }
                }
                break;
            }
            match act.as_str() {
                "shoot" | "aim" | "release at" | "strike" => {
                    assert!(click_foe(game), "nobody to click: {words}");
                }
                "move" => game.click_cell(Cell::new(5, 2)),
                "done" | "declared" => {
                    assert!(words.contains("ress N"), "{words}");
                    game.press(KeyCode::KeyN);
                }
                "declare charge" => {
                    do_act(game, act, words);
                    assert!(click_foe(game), "nobody to charge");
                }
                _ => do_act(game, act, words),
            }
        }
        Until::Pointed(who) => {
            look_at(game, id(who[0]));
        }
        Until::Round(round) => {
            for _ in 0..60 {
                game.until_asked();
                if u32::from(game.session().shown().clock.round) >= *round {
                    return;
                }
                match game.session().is_prompted() {
                    true => react(game),
                    false if game.session().awaits_end_of_turn() => game.press(KeyCode::KeyE),
                    false => game.press(KeyCode::KeyN),
                }
            }
        }
        Until::Declared => game.press(KeyCode::KeyE),
        Until::Defeated(_) => go_on(game),
        other => panic!("no lesson waits for {other:?}"),
    }
    if game.screen() == Screen::Battle {
        game.until_asked();
    }
}

fn played(n: usize) {
    let level = levels::tutorial()[n].clone();
    let mut game = lesson(n);
    let lesson = level.lesson.clone().expect("it teaches");
    assert_eq!(game.session().game.level().id, level.id);
    let rules = game.session().game.rules().id;
    assert!(game.session().question().is_some());
    assert!(game.find::<CoachCard>(|_| true).is_some());
    let shown = game.count::<SendOnPress<Command>>(|sends| matches!(sends.0, Command::Act(_)));
    assert!(
        (2..=lesson.acts.len()).contains(&shown),
        "{shown} acts in the bar"
    );
    for _ in 0..300 {
        let now = step(&game);
        let Some(step_now) = lesson.steps.get(now) else {
            break;
        };
        // Close explanations of reactions first.
        if let Some(read) = game.find::<CoachButton>(|b| *b == CoachButton::Understood) {
            game.click(read);
            game.wait(2);
        }
        let first: String = step_now.text.split(['(', '.']).next().unwrap().into();
        assert!(game.says(first.trim()), "step {now} is not told");
        let until = step_now
            .until
            .clone()
            .expect("the lessons wait for something");
        let is_last = matches!(until, Until::Defeated(_));
        match rules {
            "Skirmish" => complete_step(&mut game, &until),
            _ => follow_words(&mut game, &until, &step_now.text),
        }
        if game.screen() != Screen::Battle || game.session().over().is_some() {
            break;
        }
        game.wait(2);
        if !is_last {
            assert!(step(&game) > now, "step {now} is not done: {until:?}");
        }
    }
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(25);
    assert!(game.says("Victory"), "the lesson is lost");
    let profile = game.app.world().resource::<Profile>();
    assert!(profile.lessons.contains(&level.id));
    let next = levels::tutorial().get(n + 1);
    assert_eq!(game.says("Next lesson"), next.is_some());
    let ends_ruleset = next.is_none_or(|next| next.rules != level.rules);
    assert_eq!(game.says("Play the easiest level"), ends_ruleset);
    if let Some(next) = next {
        game.press(KeyCode::Enter);
        game.until("what is next", |game| game.screen() == Screen::Battle);
        game.until_asked();
        // After the last lesson about a ruleset, the next level is the easiest one.
        let wanted = match next.rules == level.rules {
            true => next.id.as_str(),
            false => "hen_house",
        };
        assert_eq!(game.session().game.level().id, wanted);
        assert_eq!(game.session().game.rules().id, rules);
        return;
    }
    game.click_on::<SendOnPress<AppCommand>>("Back to title", |b| {
        b.0 == AppCommand::Game(GameCommand::Leave)
    });
    game.wait(2);
    assert!(game.says("Lessons"));
}

macro_rules! lessons {
    ($($name:ident: $n:literal;)*) => {
        $(#[test]
        fn $name() {
            played($n);
        })*
    };
}

lessons! {
    lesson_1_is_won_by_following_its_text: 0;
    lesson_2_is_won_by_following_its_text: 1;
    lesson_3_is_won_by_following_its_text: 2;
    lesson_4_is_won_by_following_its_text: 3;
    lesson_5_is_won_by_following_its_text: 4;
    lesson_6_is_won_by_following_its_text: 5;
    lesson_7_is_won_by_following_its_text: 6;
}

/// A step says one thing: it is short and names one rule at most.
#[test]
fn every_step_of_a_lesson_is_short() {
    for level in levels::tutorial() {
        let lesson = level.lesson.as_ref().expect("it teaches");
        for LessonStep { text, .. } in &lesson.steps {
            let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
            let rules = text.split('-').skip(1).filter(|part| is_number(part));
            assert!(rules.count() <= 1, "{}: {text}", level.id);
            let words = text.split_whitespace().count();
            assert!(words <= 52, "{}: {words} words: {text}", level.id);
        }
    }
}

/// The lesson of Phased explains each word of that system where it first matters; tooltips explain
/// the rest.
#[test]
fn the_lesson_of_phased_explains_the_words_on_the_screen() {
    let lesson = levels::tutorial()[4].lesson.as_ref().expect("it teaches");
    for (act, words) in [("aim", "HIGH"), ("aim", "LOW"), ("shoot", "hits AC 0 on")] {
        let explains = |step: &&LessonStep| step.text.contains(words);
        let first = lesson.steps.iter().find(explains);
        let until = first.and_then(|step| step.until.as_ref());
        let is_it = matches!(until, Some(Until::Used { act: of, .. }) if of == act);
        assert!(is_it, "{words}: {until:?}");
    }
    for rules in ["Phased", "Segments"] {
        let tip = ruleset_ui::of(rules).figures_tip;
        assert!(tip.contains("hits AC 0 on") && tip.contains("AC: lower is better"));
    }
    assert!(ruleset_ui::of("Phased").figures_tip.contains("20*"));
}

/// If the plan is reviewed, the last declaration completes its step, and the next step asks to
/// begin the round. An undo leads back.
#[test]
fn a_lesson_asks_to_begin_the_round() {
    let mut game = lesson(4);
    game.app.world_mut().resource_mut::<Settings>().review = true;
    game.wait(1);
    let lesson = levels::tutorial()[4].lesson.clone().expect("it teaches");
    let follow_step = |game: &mut Game, n: usize| {
        let now = &lesson.steps[n];
        follow_words(game, now.until.as_ref().expect("a condition"), &now.text);
        game.wait(2);
    };
    for n in 0..3 {
        assert_eq!(step(&game), n);
        follow_step(&mut game, n);
    }
    // The list has one form for all orders with a target.
    assert!(game.says("Charge → Goblin 3"), "{:?}", game.words());
    assert_eq!(lesson.steps[3].until, Some(Until::Declared));
    assert!(game.session().held().is_some() && game.session().is_declaring());
    assert_eq!(step(&game), 3);
    assert!(game.says("click Begin the round"));
    game.press(KeyCode::KeyU);
    game.wait(2);
    assert_eq!(step(&game), 2);
    follow_step(&mut game, 2);
    assert_eq!(step(&game), 3);
    follow_step(&mut game, 3);
    assert_eq!(step(&game), 4);
}

/// The buttons of a lesson have the same form as in other battles if its actions share them: a
/// declaration has the key of what carries it out.
#[test]
fn a_lesson_with_few_buttons_has_tall_ones() {
    let mut game = lesson(3);
    resize(game.app.world_mut(), 1920, 1080);
    game.wait(5);
    let world = game.app.world_mut();
    let mut buttons = world.query::<(&SendOnPress<Command>, &ComputedNode)>();
    let mut buttons = buttons.iter(world);
    let button = buttons.find(|(sends, _)| sends.0 == Command::Act('m'));
    let (_, node) = button.expect("Ysolde can cast");
    let height = node.size().y * node.inverse_scale_factor;
    assert!(height > ActBar::HEIGHT - 1.0, "{height}");
}

/// If a plan does what a step asks for, the step is skipped, and the card says why.
#[test]
fn a_step_that_a_plan_carries_out_is_skipped() {
    let (tobin, goblin) = (Id(1), Id(4));
    let mut game = lesson(3);
    let lesson = levels::tutorial()[3].lesson.clone().expect("it teaches");
    let follow_step = |game: &mut Game, n: usize| {
        assert_eq!(step(game), n);
        let now = &lesson.steps[n];
        follow_words(game, now.until.as_ref().expect("a condition"), &now.text);
        game.wait(2);
    };
    follow_step(&mut game, 0);
    take(&mut game, tobin);
    game.press(KeyCode::KeyH);
    game.click_cell(at(&game, goblin));
    game.wait(2);
    follow_step(&mut game, 2);
    game.until("the shot", |game| {
        let mut answers = game.session().game.answers().iter();
        answers.any(|choice| choice.verb.name == "shoot")
    });
    game.wait(2);
    assert!(step(&game) > 4);
    assert!(game.says("as ordered: step skipped"), "{:?}", game.words());
}

/// Once the round runs, nothing can be declared any more: steps that ask for a declaration are
/// skipped, whatever was declared instead.
#[test]
fn steps_about_declarations_are_skipped_once_the_round_runs() {
    let mut game = lesson(4);
    game.app.world_mut().resource_mut::<Settings>().review = true;
    game.wait(1);
    for who in 0..3 {
        take(&mut game, Id(who));
        game.press(KeyCode::KeyJ);
        game.wait(2);
    }
    assert_eq!(step(&game), 0);
    game.press(KeyCode::KeyE);
    game.until_asked();
    game.wait(2);
    assert_eq!(step(&game), 4);
    assert!(game.says("Round 1 has begun"));
}

/// Each of the five rulesets has a lesson, and each lesson's bar has all actions that the
/// lesson shows or asks for.
#[test]
fn every_ruleset_has_a_lesson_with_all_its_actions_in_the_bar() {
    for rules in fivefoot::rulesets::ALL {
        let mut all = levels::tutorial().iter();
        let is_of = |level: &Level| level.rules.is_some_and(|r| r.0 == rules.id);
        assert!(all.any(|level| is_of(level)), "{}", rules.id);
    }
    for level in levels::tutorial() {
        let lesson = level.lesson.as_ref().expect("it teaches");
        let marks = lesson.steps.iter().flat_map(|step| &step.at);
        for mark in marks {
            if let LessonMark::Act(act) = mark {
                let names = [act.as_str()].into_iter();
                assert!(lesson.shows(names), "{}: {act}", level.id);
            }
        }
    }
}

/// Actions that a lesson does not need have no button but keep their keys.
#[test]
fn the_bar_of_a_lesson_shows_only_the_actions_it_needs() {
    let mut game = lesson(0);
    let act = |sends: &SendOnPress<Command>| matches!(sends.0, Command::Act(_));
    assert!(game.says("Strike") && game.says("Throw"));
    assert!(!game.says("Grapple") && !game.says("Parley"));
    assert_eq!(game.count::<SendOnPress<Command>>(act), 4);
    assert!(game.preview().acts.len() > 12, "the rules stay as they are");
    game.click_button(&Command::More);
    game.wait(2);
    assert!(game.says("Grapple") && game.says("Parley"));
}

/// A step about a fallen unit is skipped with a message.
#[test]
fn a_step_about_a_fallen_unit_is_skipped_with_a_message() {
    // The first attack drops the goblin, before the step about it.
    let text = r#"(
        title: "A short lesson",
        rules: Skirmish,
        map: ["....v...", "....v..."],
        legend: {'v': (floor: -20)},
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        kinds: (creatures: {
            "dummy": (like: "goblin", morale: Fearless, skirmish: (hp: 1, ac: 1)),
            "sturdy": (like: "goblin", morale: Fearless, skirmish: (hp: 60)),
        }),
        combatants: [
            (kind: "mara", side: "party", at: (1, 1)),
            (kind: "dummy", name: "first", side: "goblins", at: (2, 1)),
            (kind: "sturdy", name: "second", side: "goblins", at: (7, 0)),
        ],
        lesson: (steps: [
            (text: "Look at the second.", until: Pointed(["second"])),
            (text: "Get away from the first.", until: Used(act: "disengage"), at: [Person("first")]),
            (text: "Point at the first.", until: Pointed(["first"])),
            (text: "End the turn.", until: Round(90)),
            (text: "That is all.", until: Defeated(["goblins"])),
        ]),
    )"#;
    let mut game = begun(text);
    for _ in 0..8 {
        if game.session().shown().unit(Id(1)).is_up() && !strike(&mut game, Id(1)) {
            end_turn(&mut game);
        }
    }
    assert!(!game.session().shown().unit(Id(1)).is_up());
    look_at(&mut game, Id(2));
    assert_eq!(step(&game), 1);
    assert!(game.says("First is out of the fight now."));
    // A press just after the coach has gone on by itself means the step before.
    game.click_on::<CoachButton>("Next", |b| *b == CoachButton::Next);
    assert_eq!(step(&game), 1);
    game.wait(12);
    skip(&mut game);
    assert_eq!(step(&game), 3);
    assert!(game.says("First is out of the fight already"));
    // That is no failure.
    let world = game.app.world_mut();
    let mut texts = world.query::<(&Text, &TextColor)>();
    let mut said = texts.iter(world);
    let skipped = said.find(|(text, _)| text.0.contains("step skipped"));
    let (_, ink) = skipped.expect("it is said");
    assert_ne!(ink.0, colour(palette::DANGER));
    game.wait(12);
    skip(&mut game);
    assert!(!game.says("out of the fight"));
}

/// A step about a unit that enters in this round waits for it.
#[test]
fn a_step_about_a_unit_that_has_yet_to_enter_waits() {
    let text = r#"(
        title: "A short lesson",
        rules: Skirmish,
        map: ["........................", "........................"],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        kinds: (creatures: {
            "sturdy": (like: "goblin", morale: Fearless, skirmish: (hp: 60)),
        }),
        combatants: [
            (kind: "mara", side: "party", at: (0, 1)),
            (kind: "sturdy", name: "first", side: "goblins", at: (22, 0)),
        ],
        reinforcements: [
            (round: 2, combatants: [
                (kind: "sturdy", name: "late", side: "goblins", at: (22, 1)),
            ]),
        ],
        lesson: (steps: [
            (text: "End the turn.", until: Round(2)),
            (text: "Point at the late one.", until: Pointed(["late"]), at: [Person("late")]),
            (text: "That is all.", until: Defeated(["goblins"])),
        ]),
    )"#;
    let mut game = begun(text);
    assert_eq!(step(&game), 0);
    end_turn(&mut game);
    let words = game.words();
    assert_eq!(game.session().shown().clock.round, 2, "{words:?}");
    game.until("the late one enters", |game| {
        assert!(!game.says("out of the fight"));
        game.session().shown().unit(Id(2)).is_up()
    });
    game.until_own_turn();
    assert_eq!(step(&game), 1);
}

#[test]
fn the_coach_can_be_skipped_closed_and_reopened() {
    let mut game = lesson(0);
    game.click_on::<CoachButton>("Next", |b| *b == CoachButton::Next);
    assert_eq!(step(&game), 1);
    game.click_on::<CoachButton>("Back", |b| *b == CoachButton::Back);
    assert_eq!(step(&game), 0);
    game.click_on::<CoachButton>("Close", |b| *b == CoachButton::Close);
    assert!(!game.says("Step 1 of"));
    // Play continues without the coach.
    let reach = game.preview().reach.iter();
    let to = reach.map(|r| r.cell).next().expect("somewhere to go");
    game.click_cell(to);
    react_until_own_turn(&mut game);
    assert!(game.session().can_undo());
    game.click_on::<CoachButton>("Lesson", |b| *b == CoachButton::Open);
    assert!(game.says("Step 1 of"));
}

/// The picture of the cells in reach that cost this much.
fn tint_of(game: &mut Game, cost: Cost) -> Option<AssetId<Image>> {
    let world = game.app.world_mut();
    let mut tints = world.query::<(&Tint, &Sprite)>();
    let mut tints = tints.iter(world);
    let tint = tints.find(|(tint, _)| tint.0 == cost)?;
    Some(tint.1.image.id())
}

/// Cells that cost the Main action have the second tint, also when the Move is spent.
#[test]
fn cells_that_cost_the_main_action_always_look_alike() {
    let mut game = lesson(0);
    game.wait(2);
    let (plain, extra) = (
        tint_of(&mut game, Cost::Plain),
        tint_of(&mut game, Cost::Extra),
    );
    assert!(plain.is_some() && extra.is_some() && plain != extra);
    complete_step(&mut game, &condition(0, 0));
    game.wait(2);
    assert_eq!(tint_of(&mut game, Cost::Plain), None);
    assert_eq!(tint_of(&mut game, Cost::Extra), extra);
}

/// A step whose order is undone is shown again, and so is one to which the player goes back.
#[test]
fn a_step_can_be_revisited_and_done_again() {
    let mut game = lesson(0);
    let complete = |game: &mut Game, n: usize| {
        complete_step(game, &condition(0, n));
        game.wait(2);
        assert_eq!(step(game), n + 1);
    };
    complete(&mut game, 0);
    game.press(KeyCode::KeyU);
    game.wait(3);
    assert_eq!(step(&game), 0);
    complete(&mut game, 0);
    complete(&mut game, 1);
    game.click_on::<CoachButton>("Back", |b| *b == CoachButton::Back);
    game.wait(2);
    assert_eq!(step(&game), 1);
    complete(&mut game, 1);
}

/// A lesson that is left and continued goes on with its step, also if that was reached without
/// an order.
#[test]
fn a_continued_lesson_goes_on_where_it_was_left() {
    let mut game = lesson(1);
    for _ in 0..3 {
        skip(&mut game);
    }
    assert_eq!(step(&game), 3);
    game.send(AppCommand::Game(GameCommand::Leave), 3);
    assert_eq!(game.screen(), Screen::Title);
    game.send(AppCommand::Save(SaveCommand::Continue), 3);
    react_until_own_turn(&mut game);
    game.wait(2);
    assert_eq!(step(&game), 3);
    assert!(game.says("Point at bandit 1"));
    // The toast says what was loaded, below the card.
    let (toast, card) = (game.rect::<ToastCard>(), game.rect::<CoachCard>());
    assert!(toast.intersect(card).is_empty(), "{toast:?} {card:?}");
}

/// If the unit of a step has spent its actions elsewhere, the card says how to go on.
#[test]
fn a_step_whose_unit_has_no_action_left_says_how_to_go_on() {
    let mut game = lesson(1);
    const NEWS: &str = "Hild has no action left for this step: click Undo";
    for to in [Cell::new(3, 5), Cell::new(3, 2)] {
        assert!(!game.says(NEWS));
        take(&mut game, Id(0));
        game.click_cell(to);
        react_until_own_turn(&mut game);
        game.wait(2);
    }
    assert_eq!(step(&game), 0);
    assert!(game.says(NEWS));
    game.click_button(&Command::Undo);
    game.wait(2);
    assert!(!game.says(NEWS));
}

/// Two lessons in one row end where a single one ends.
#[test]
fn rows_of_lessons_are_equally_wide() {
    let mut game = title();
    let world = game.app.world_mut();
    let mut buttons = world.query::<(&LessonButton, &ComputedNode, &UiGlobalTransform)>();
    let mut right = vec![0.0; levels::tutorial().len()];
    for (button, node, at) in buttons.iter(world) {
        right[button.0] = at.translation.x + node.size().x / 2.0;
    }
    for n in [1, 2, 4, 6] {
        assert!((right[n] - right[0]).abs() < 1.5, "{right:?}");
    }
}

/// A new player starts on the Learn page, where Enter starts the first lesson.
#[test]
fn a_new_player_starts_at_the_first_lesson() {
    let mut game = Game::newcomer();
    assert!(game.says("Start with lesson 1"));
    game.press(KeyCode::Enter);
    game.until("the lesson", |game| game.screen() == Screen::Battle);
    assert_eq!(game.session().game.level().id, "lesson_1");
}

/// Each lesson of the first ruleset shows three more buttons than the one before: six, nine
/// and twelve, including those to end the action and for all actions.
#[test]
fn each_lesson_adds_three_actions() {
    let acts = |n: usize| {
        let lesson = levels::tutorial()[n].lesson.as_ref();
        lesson.expect("it teaches").acts.clone()
    };
    for (n, of) in [4, 7, 10].into_iter().enumerate() {
        assert_eq!(acts(n).len(), of);
        assert!(n == 0 || acts(n).starts_with(&acts(n - 1)));
    }
}

/// Moving the pointer across a unit completes no step, and neither does an order from an
/// earlier round.
#[test]
fn steps_are_not_completed_by_accident() {
    let text = r#"(
        title: "Accidents",
        rules: Skirmish,
        map: ["x.........", "..........", ".........."],
        legend: {'x': Open},
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        kinds: (creatures: {
            "sturdy": (like: "goblin", morale: Fearless, skirmish: (hp: 60, attack: -9)),
        }),
        combatants: [
            (kind: "mara", side: "party", at: (4, 0)),
            (kind: "sturdy", name: "first", side: "goblins", at: (9, 2)),
        ],
        lesson: (steps: [
            (text: "Look at the first.", until: Pointed(["first"])),
            (text: "Disengage.", until: Used(act: "disengage")),
            (text: "Wait.", until: Round(2)),
            (text: "Once more.", until: Used(act: "disengage")),
            (text: "That is all.", until: Defeated(["goblins"])),
        ]),
    )"#;
    let mut game = begun(text);
    game.point(game.screen_point(at(&game, Id(1))));
    game.point(game.screen_point(Cell::new(0, 2)));
    game.wait(22);
    assert_eq!(step(&game), 0, "passed over");
    look_at(&mut game, Id(1));
    assert_eq!(step(&game), 1);
    game.press(KeyCode::KeyF);
    react_until_own_turn(&mut game);
    game.wait(2);
    assert_eq!(step(&game), 2);
    end_turn(&mut game);
    game.wait(2);
    assert_eq!(step(&game), 3, "what was done a round ago is not done now");
    game.press(KeyCode::KeyF);
    react_until_own_turn(&mut game);
    game.wait(2);
    assert_eq!(step(&game), 4);
}

/// A lesson with an archer who shoots at a unit that can defend itself.
fn arrows() -> Game {
    let text = r#"(
        title: "Arrows",
        rules: Skirmish,
        map: [".........."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "mara", side: "party", at: (1, 0), with: (skirmish: (hp: 60))),
            (kind: "bandit_archer", side: "goblins", at: (9, 0)),
        ],
        lesson: (
            reactions: [(act: "total defense", text: "This is total defense.")],
            steps: [(text: "Wait.", until: Round(90))],
        ),
    )"#;
    Game::battle(fivefoot_kit::level(text), None, 3)
}

/// What the player has closed with "Got it" is not explained in another lesson.
#[test]
fn an_explanation_that_was_read_is_not_shown_again() {
    const READ: &str = "Skirmish: total defense";
    for is_read in [false, true] {
        let mut game = arrows();
        if is_read {
            let mut profile = game.app.world_mut().resource_mut::<Profile>();
            profile.explained.insert(READ.into());
        }
        for _ in 0..20 {
            game.until_asked();
            if !game.session().is_prompted() {
                end_unmoved(&mut game);
                continue;
            }
            // A setting answers what does not matter.
            game.wait(4);
            if game.session().is_prompted() {
                break;
            }
        }
        assert_ne!(game.says("This is total defense."), is_read);
        if !is_read {
            game.click_on::<CoachButton>("Got it", |b| *b == CoachButton::Understood);
            game.wait(3);
            assert!(!game.says("This is total defense."));
            let profile = game.app.world().resource::<Profile>();
            assert!(profile.explained.contains(READ));
        }
    }
}

/// The card explains a reaction when one is possible for the first time.
#[test]
fn a_reaction_is_explained_the_first_time() {
    let mut game = arrows();
    let mut told = vec![];
    for _ in 0..20 {
        game.until_asked();
        if game.screen() != Screen::Battle {
            break;
        }
        if game.session().is_prompted() {
            game.wait(4);
            if game.session().is_prompted() {
                told.push(game.says("This is total defense."));
                game.press(KeyCode::Escape);
                game.wait(4);
            }
            continue;
        }
        assert!(game.says("Wait.") && !game.says("This is total defense."));
        end_unmoved(&mut game);
    }
    assert!(told.len() > 1, "asked {} times", told.len());
    assert!(told[0] && !told[1..].contains(&true), "{told:?}");
}

/// Ends the turn without answering prompts.
fn end_unmoved(game: &mut Game) {
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
}

/// The card stays in its place wherever the pointer is.
#[test]
fn the_card_of_a_lesson_stays_in_its_corner() {
    for n in [0, 3] {
        let mut game = lesson(n);
        game.wait(3);
        // The places of the card and of the board, which must not overlap.
        let corner = |game: &mut Game| {
            let card = game.rect::<CoachCard>();
            let room = game.app.world().resource::<MapView>().area();
            assert!(card.intersect(room).is_empty(), "{card:?} {room:?}");
            (card, room)
        };
        let first = corner(&mut game);
        let steps = levels::tutorial()[n].lesson.as_ref().expect("it teaches");
        for _ in 1..steps.steps.len() {
            game.click_on::<CoachButton>("Next", |b| *b == CoachButton::Next);
            game.wait(3);
            assert_eq!(corner(&mut game), first);
        }
    }
}
