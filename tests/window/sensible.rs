//! Sensible defaults: a click on an enemy gives an order that suits the unit, and the game asks
//! before orders that cannot be undone or leave a unit in danger.

use super::kit::{game::Game, shell::battle};
use bevy::prelude::*;
use fivefoot::{
    battle::Id,
    control::Player,
    grid::Cell,
    ui::{
        Command,
        art::hud::Panel,
        preview::{Click, MenuRow},
        settings::Settings,
        widgets::{SendOnPress, Skin},
    },
};

/// One of the player's units, and a goblin behind a wall, near enough to walk to.
fn behind_a_wall(kind: &str) -> Game {
    let text = r#"(
        title: "Behind the wall",
        map: ["....#....", "....#....", "........."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "KIND", side: "party", at: (2, 0)),
            (kind: "goblin", side: "goblins", at: (6, 0)),
        ],
    )"#;
    let mut game = battle(&text.replace("KIND", kind), "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    game
}

/// What a click on the goblin would do. The pointer only hovers.
fn click_on_goblin(game: &mut Game) -> Click {
    let at = game.session().shown().unit(Id(1)).at;
    game.point(game.screen_point(at));
    game.wait(3);
    game.preview().click.clone()
}

fn key_of(game: &Game, label: &str) -> char {
    let act = game.preview().acts.iter().find(|act| act.label == label);
    act.unwrap_or_else(|| panic!("no button {label}")).key
}

#[test]
fn a_click_moves_an_archer_to_a_place_to_shoot_from() {
    let mut game = behind_a_wall("tobin");
    let Click::Advance(advance) = click_on_goblin(&mut game) else {
        panic!("{:?}", game.preview().click);
    };
    let with = advance.attack.choice.with.expect("a weapon");
    assert!(
        game.session().game.weapon(with).melee.is_none(),
        "{advance:?}"
    );
    let key = {
        let mut acts = game.preview().acts.iter();
        let act = acts.find(|act| act.has(advance.attack.choice.verb));
        act.expect("its button").key
    };
    let world = game.app.world_mut();
    let mut buttons = world.query::<(&SendOnPress<Command>, &Skin)>();
    let mut buttons = buttons.iter(world);
    let button = buttons.find(|(sends, _)| sends.0 == Command::Act(key));
    let (_, skin) = button.expect("it is in the bar");
    assert_eq!(skin.0, Panel::CardActive, "the click would do it");
}

#[test]
fn a_click_makes_a_fighter_move_and_attack() {
    let mut game = behind_a_wall("brandt");
    assert!(matches!(click_on_goblin(&mut game), Click::Advance(_)));
}

#[test]
fn a_click_on_an_enemy_out_of_reach_gives_a_mage_no_melee_attack() {
    let mut game = behind_a_wall("ysolde");
    let with = match click_on_goblin(&mut game) {
        Click::Advance(advance) => advance.attack.choice.with,
        Click::Attack(attack) => attack.choice.with,
        _ => None,
    };
    let is_melee = |item| game.session().game.weapon(item).melee.is_some();
    assert!(!with.is_some_and(is_melee));
}

#[test]
fn a_click_on_an_enemy_in_sight_makes_a_mage_cast_or_shoot() {
    let text = r#"(
        title: "In sight",
        map: ["..........", "..........", ".........."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "ysolde", side: "party", at: (1, 1)),
            (kind: "goblin", side: "goblins", at: (7, 1)),
        ],
    )"#;
    let mut game = battle(text, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    match click_on_goblin(&mut game) {
        Click::Act { choice, .. } => assert!(choice.spell.is_some(), "{choice:?}"),
        Click::Attack(attack) => {
            let with = attack.choice.with.expect("a weapon");
            assert!(game.session().game.weapon(with).melee.is_none());
        }
        click => panic!("{click:?}"),
    }
}

/// Beside an enemy, a unit keeps its daggers in hand: a click strikes with the short sword.
#[test]
fn a_click_on_an_adjacent_enemy_throws_nothing() {
    let text = r#"(
        title: "Side by side",
        map: [".......", "......."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "lin", side: "party", at: (2, 1)),
            (kind: "hobgoblin", side: "goblins", at: (3, 1)),
        ],
    )"#;
    for id in ["Skirmish", "Phased"] {
        let mut game = battle(text, id, 3, Player::Idle);
        game.until_own_turn();
        let choice = match click_on_goblin(&mut game) {
            Click::Attack(attack) => attack.choice,
            Click::Plan(draft) => draft.attack.expect("an attack").choice,
            other => panic!("{id}: {other:?}"),
        };
        let with = choice.with.expect("a weapon");
        assert_eq!(choice.verb.name, "strike", "{id}");
        assert!(game.session().game.weapon(with).melee.is_some(), "{id}");
    }
}

/// A level in which Lin stalks an unaware sentry beside her. `fields` are further fields of the
/// sentry, `others` further units.
fn stalked_sentry(fields: &str, others: &str) -> String {
    format!(
        r#"(
            title: "A sentry",
            map: [".......", ".......", "......."],
            sides: [(id: "party"), (id: "bandits", awareness: Unaware)],
            combatants: [
                (kind: "lin", side: "party", at: (2, 1), stalks: "sentry"),
                (kind: "hobgoblin", name: "sentry", side: "bandits", at: (3, 1){fields}),
                {others}
            ],
        )"#
    )
}

/// SK-56: a click on an unaware enemy that the unit has stalked executes it; the card names the
/// target and the chance.
#[test]
fn a_click_executes_a_stalked_enemy() {
    let text = &stalked_sentry(", with: (skirmish: (hp: 14))", "");
    let mut game = battle(text, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    let Click::Act { choice, seen, .. } = click_on_goblin(&mut game) else {
        panic!("{:?}", game.preview().click);
    };
    assert_eq!(choice.verb.name, "execute");
    let [odds] = &seen.odds[..] else {
        panic!("{:?}", seen.odds);
    };
    assert!(odds.percent.is_some());
    assert!(game.says("Click: execute sentry"), "{:?}", game.words());
    assert!(game.says("Execute succeeds: sentry's save fails"));
}

/// SK-56: a failed execution wakes the whole side, and a banner says so.
#[test]
fn an_alarm_has_a_banner() {
    let other = r#"(kind: "bandit", side: "bandits", at: (6, 0)),"#;
    let text = &stalked_sentry(", with: (skirmish: (hp: 40))", other);
    let alarmed = (1..60).any(|seed| {
        let mut game = battle(text, "Skirmish", seed, Player::Idle);
        game.until_own_turn();
        game.click_cell(Cell::new(3, 1));
        let mut says = false;
        for _ in 0..300 {
            game.wait(1);
            says |= game.says("The alarm: 2 enemies wake");
        }
        says
    });
    assert!(alarmed, "no execution fails");
}

/// SK-56: a banner says how an execution went.
#[test]
fn an_execution_has_a_banner() {
    let text = &stalked_sentry(", with: (skirmish: (hp: 40))", "");
    let ends = ["Sentry is executed", "Sentry survives the execution"];
    let mut seen = [false; 2];
    for seed in 1..60 {
        let mut game = battle(text, "Skirmish", seed, Player::Idle);
        game.until_own_turn();
        game.click_cell(Cell::new(3, 1));
        for _ in 0..100 {
            game.wait(1);
            for (seen, words) in std::iter::zip(&mut seen, ends) {
                *seen |= game.says(words);
            }
        }
        if seen == [true; 2] {
            return;
        }
    }
    panic!("{seen:?}");
}

/// SK-56: "Execute" marks only the enemy that can be executed. Without one, the button stalks.
#[test]
fn execute_marks_only_enemies_that_can_be_executed() {
    let other = r#"(kind: "bandit", side: "bandits", at: (4, 2)),"#;
    let text = &stalked_sentry("", other);
    let plain = text.replace(", stalks: \"sentry\"", "");
    for (text, label, targets) in [
        (text.as_str(), "Execute", vec![Id(1)]),
        (plain.as_str(), "Stalk", vec![Id(1), Id(2)]),
    ] {
        let mut game = battle(text, "Skirmish", 3, Player::Idle);
        game.until_own_turn();
        let button = game.preview().acts.iter().find(|act| act.key == 'x');
        let button = button.expect("an enemy is unaware");
        assert_eq!(&*button.label, label);
        game.send(Command::Act('x'), 3);
        assert_eq!(game.preview().targets, targets, "{label}");
    }
}

/// SK-56: each way to execute an enemy leads with its chance, also one that needs a check to hit.
#[test]
fn each_way_to_execute_leads_with_its_chance() {
    let text = &stalked_sentry("", "");
    let mut game = battle(text, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    game.act('x');
    game.click_cell(Cell::new(3, 1));
    game.wait(3);
    let menu = game.preview().menu.as_ref().expect("she has several ways");
    let is_shot = |row: &MenuRow| row.lines.len() > 1;
    assert!(menu.rows.iter().any(is_shot), "she can throw her dagger");
    assert!(
        menu.rows.iter().all(|row| row.percent.is_some()),
        "{menu:?}"
    );
}

/// Parley rolls at once and has no target, so the game asks first.
#[test]
fn an_action_without_a_target_that_rolls_asks_first() {
    let mut game = behind_a_wall("mara");
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    let parley = Command::Act(key_of(&game, "Parley"));
    let answers = game.session().game.answered();
    game.send(parley.clone(), 3);
    assert_eq!(game.session().game.answered(), answers);
    assert!(game.says("It can't be undone"));
    game.press(KeyCode::Escape);
    assert_eq!(game.session().game.answered(), answers, "and it is let be");
    game.send(parley, 3);
    game.press(KeyCode::Enter);
    game.wait(3);
    assert!(game.session().game.answered() > answers);
}

/// A warning opened by a key hides the tooltip under the pointer, which would cover it.
#[test]
fn a_warning_hides_tooltips() {
    let mut game = behind_a_wall("mara");
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    let (defend, parley) = (key_of(&game, "Defend"), key_of(&game, "Parley"));
    let button = game.find::<SendOnPress<Command>>(|sends| sends.0 == Command::Act(defend));
    game.point(button.expect("a button to defend"));
    game.wait(2);
    assert!(game.says("Uses an unspent Main"), "{:?}", game.words());
    game.send(Command::Act(parley), 3);
    assert!(game.says("It can't be undone"));
    assert!(!game.says("Uses an unspent Main"), "{:?}", game.words());
}

/// SK-26: holding rolls no dice and can be undone, so the game does not ask first.
#[test]
fn an_action_that_rolls_no_dice_is_not_asked_about() {
    let mut game = behind_a_wall("mara");
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    let hold = game.preview().acts.iter().find(|act| act.label == "Hold");
    let hold = hold.expect("she may hold");
    assert!(hold.odds.is_empty(), "{:?}", hold.odds);
    let key = hold.key;
    let answers = game.session().game.answered();
    game.send(Command::Act(key), 3);
    assert!(!game.says("It can't be undone"));
    assert!(game.session().game.answered() > answers);
}

/// SK-56: a call to parley wakes enemies that suspect nothing, and the question says so.
#[test]
fn the_question_before_parley_warns_that_it_alarms_unaware_enemies() {
    let text = r#"(
        title: "Sleepers",
        map: [".......", ".......", "......."],
        sides: [(id: "party"), (id: "bandits", awareness: Unaware)],
        combatants: [
            (kind: "mara", side: "party", at: (0, 1)),
            (kind: "bandit", side: "bandits", at: [(5, 1), (6, 1)]),
        ],
    )"#;
    let mut game = battle(text, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    game.send(Command::Act(key_of(&game, "Parley")), 3);
    assert!(game.says("It alarms 2 unaware units."));
    assert!(game.says("It can't be undone"));
    assert!(game.says("Chance to force a morale check on the bandits"));
}

/// A unit that has spent its Main can still move out of danger.
#[test]
fn ending_the_turn_asks_about_units_in_danger_that_can_move() {
    let mut game = behind_a_wall("mara");
    game.send(Command::Act(key_of(&game, "Defend")), 5);
    game.until_own_turn();
    let round = game.session().shown().clock.round;
    game.press(KeyCode::KeyE);
    assert!(game.says("in danger"), "{:?}", game.selection().toast);
    assert_eq!(game.session().shown().clock.round, round);
    game.press(KeyCode::KeyE);
    game.until("the turn has ended", |game| {
        game.session().shown().clock.round > round || !game.session().is_players_turn()
    });
}

/// If the last unit that stands leaves, the battle is lost, so the game asks first, whatever the
/// settings say. While others fight on it does not ask: leaving can be undone until the turn ends.
#[test]
fn the_last_unit_does_not_leave_without_a_question() {
    let text = r#"(
        title: "The way out",
        map: [".......", ".......", "......."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "mara", side: "party", at: (0, 1)),
            (kind: "brandt", side: "party", at: (0, 2)),
            (kind: "goblin", side: "goblins", at: (6, 1)),
        ],
        exits: [(at: Rect((0, 0), (0, 2)), sides: ["party"])],
    )"#;
    let mut game = battle(text, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    let leave = Command::Act(key_of(&game, "Leave"));
    let is_up = |game: &Game, who| game.session().shown().unit(Id(who)).is_up();
    game.send(Command::Choose(Id(0)), 2);
    game.send(leave.clone(), 5);
    game.until_own_turn();
    assert!(!is_up(&game, 0), "{:?}", game.words());
    game.send(Command::Choose(Id(1)), 2);
    game.send(leave.clone(), 5);
    assert!(is_up(&game, 1) && game.says("This loses the battle."));
    game.press(KeyCode::Escape);
    game.send(leave, 3);
    game.press(KeyCode::Enter);
    game.until("the battle is over", |game| game.session().over().is_some());
}
