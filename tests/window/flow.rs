//! Flow: no needless prompts, no plan lost without a question, and clicks that do what the
//! screen shows.

use super::kit::{
    game::Game,
    shell::{battle, walk_cursor},
};
use bevy::prelude::{
    ChildOf, Children, ComputedNode, GlobalTransform, KeyCode, MouseButton, Rect, Visibility, With,
};
use bevy::ui::UiGlobalTransform;
use fivefoot::{
    battle::{EventKind, Id, PASS},
    control::Player,
    grid::Cell,
    levels,
    rulesets::skirmish::acts::{defend::DEFEND, spare::SPARE_MAIN},
    ui::{
        Command, Screen,
        art::hud::Panel,
        board::{
            height,
            pieces::{FollowsFigure, Pieces},
        },
        input::Key,
        preview::{Click, Picks},
        settings::{Settings, Toast, toast::ToastCard},
        widgets::{SendOnPress, Skin, Tip},
    },
};
const OPEN_FIELD: &str = r#"(
    title: "Open field",
    map: ["..........", "..........", ".........."],
    sides: [(id: "party"), (id: "goblins", awareness: Alert)],
    combatants: [
        (kind: "mara", side: "party", at: (1, 1)),
        (kind: "brandt", side: "party", at: (1, 2)),
        (kind: "goblin", side: "goblins", at: (6, 1)),
    ],
)"#;

/// The card offers a click on an enemy only to a unit that can attack now: a door beside it is no
/// attack.
#[test]
fn the_card_offers_no_attack_to_a_unit_that_has_none() {
    let text = r##"(
        title: "A door",
        map: ["............", "#+##########", "............"],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "goblin", name: "ann", side: "party", at: (1, 2)),
            (kind: "goblin", name: "gob", side: "goblins", at: (11, 2)),
        ],
    )"##;
    let mut game = battle(text, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    game.point(bevy::prelude::Vec2::ONE);
    let acts = &game.preview().acts;
    assert!(acts.iter().any(|act| act.plain && act.why_not.is_none()));
    assert!(game.says("Click a coloured cell to move."));
    assert!(!game.says("an enemy to attack"));
}

/// A battle in which the player's side begins.
fn own_turn(level: &str, rules: &str) -> Game {
    for seed in 1..20 {
        let mut game = battle(level, rules, seed, Player::Random);
        game.until_own_turn();
        if game.session().game.answered() == 0 {
            return game;
        }
    }
    panic!("the party never begins");
}

#[test]
fn the_right_mouse_button_cancels_and_never_pauses() {
    let mut game = own_turn(OPEN_FIELD, "Skirmish");
    let empty = game.screen_point(Cell::new(9, 0));
    game.click_with(empty, MouseButton::Right);
    game.wait(5);
    assert!(!game.is_paused());
    let act = game.preview().acts.iter().find(|a| a.label == "Items");
    let key = act.expect("a list of things").key;
    game.act(key);
    assert!(game.preview().menu.is_some());
    game.click_with(empty, MouseButton::Right);
    assert!(game.preview().menu.is_none() && !game.is_paused());
    game.press(KeyCode::Escape);
    assert!(game.is_paused(), "the key does");
}

#[test]
fn a_click_on_an_enemy_out_of_reach_moves_and_attacks() {
    let far = OPEN_FIELD
        .replace("..........", "..................")
        .replace("at: (6, 1)", "at: (14, 1)");
    let mut game = own_turn(&far, "Skirmish");
    let brandt = Id(1);
    game.click_button(&Command::Choose(brandt));
    let enemy = game.session().shown().unit(Id(2)).at;
    game.point(game.screen_point(enemy));
    let Click::Advance(advance) = game.preview().click.clone() else {
        panic!("{:?}", game.preview().click);
    };
    assert!(game.says("then attacks"), "the card says so first");
    let percent = format!("{}%", advance.attack.percent);
    assert!(game.says(&percent), "and with what chance");
    // The chance stands on the card and beside the target.
    let answered = advance.attack.answered.as_ref();
    let most_likely = answered.map_or(advance.attack.percent, |left| left.percent);
    let chance = format!("{most_likely}%");
    let words = game.words();
    assert!(
        words.iter().filter(|w| **w == chance).count() > 1,
        "{words:?}"
    );
    game.click_cell(enemy);
    game.until("the attack", |game| {
        let mut told = game.session().known_events();
        told.any(|e| {
            matches!(&e.what, EventKind::AttackRolled { rolled_attack }
                if rolled_attack.attack.by == brandt && rolled_attack.attack.at == Id(2))
        })
    });
    let end = *advance.way.path.last().expect("a way");
    assert_eq!(game.session().shown().unit(brandt).at, end);
}

/// An attack provoked on the way stops the clicked attack only if it hits.
#[test]
fn a_provoked_miss_does_not_stop_the_clicked_attack() {
    let level = OPEN_FIELD.replace(
        r#"(kind: "goblin", side: "goblins", at: (6, 1))"#,
        r#"(kind: "goblin", side: "goblins", at: (7, 1)),
        (kind: "goblin", side: "goblins", at: (0, 2))"#,
    );
    let level = level.replace(
        r#"at: (1, 1))"#,
        r#"at: (1, 1), with: (weapons: ["short_sword"]))"#,
    );
    let (mara, target) = (Id(0), Id(2));
    let (mut missed, mut hurt) = (0, 0);
    for seed in 1..80 {
        let mut game = battle(&level, "Skirmish", seed, Player::Quick);
        game.until_own_turn();
        if game.session().game.answered() > 0 {
            continue;
        }
        game.click_button(&Command::Choose(mara));
        let enemy = game.session().shown().unit(target).at;
        game.point(game.screen_point(enemy));
        let Click::Advance(advance) = game.preview().click.clone() else {
            continue;
        };
        if advance.way.provoked.is_empty() {
            continue;
        }
        game.click_cell(enemy);
        game.press(KeyCode::Enter);
        game.until_own_turn();
        let told: Vec<_> = game.session().known_events().cloned().collect();
        let of = |who: Id, at: Id| {
            let rolled = move |e: &fivefoot::battle::Event| matches!(&e.what, EventKind::AttackRolled { rolled_attack } if rolled_attack.attack.by == who && rolled_attack.attack.at == at);
            told.iter().any(rolled)
        };
        let harmed = told
            .iter()
            .any(|e| matches!(&e.what, EventKind::Damaged { who, .. } if *who == mara));
        if !of(Id(3), mara) {
            continue;
        }
        assert_eq!(of(mara, target), !harmed, "seed {seed}");
        *(if harmed { &mut hurt } else { &mut missed }) += 1;
        if missed > 0 && hurt > 0 {
            return;
        }
    }
    panic!("{missed} blows missed and {hurt} did harm");
}

#[test]
fn a_second_click_on_a_fallen_enemy_is_no_order_for_the_next_unit() {
    let level = OPEN_FIELD.replace(
        r#"(kind: "goblin", side: "goblins", at: (6, 1))"#,
        r#"(kind: "goblin", side: "goblins", at: (2, 1), hp: 1),
        (kind: "goblin", side: "goblins", at: (8, 0))"#,
    );
    for seed in 1..60 {
        let mut game = battle(&level, "Skirmish", seed, Player::Random);
        game.until_own_turn();
        let enemy = Cell::new(2, 1);
        let stands = |game: &Game| game.session().shown().on(enemy).is_some_and(|p| p.is_up());
        if game.session().game.answered() > 0 || !stands(&game) {
            continue;
        }
        game.click_cell(enemy);
        game.until_own_turn();
        if stands(&game) || game.screen() != Screen::Battle {
            continue;
        }
        let answers = game.session().game.answered();
        // Under the resting mouse, no path leads where the goblin was, and Enter is no click.
        assert!(!matches!(game.preview().click, Click::Move(_)));
        game.press(KeyCode::Enter);
        game.wait(3);
        assert_eq!(game.session().game.answered(), answers);
        assert!(!game.says("is out of the fight"));
        game.click(game.screen_point(enemy));
        assert_eq!(game.session().game.answered(), answers);
        assert!(game.says("is out of the fight"));
        // Another click gives the order.
        game.click(game.screen_point(enemy));
        game.wait(5);
        assert!(game.session().game.answered() > answers);
        return;
    }
    panic!("the goblin never falls");
}

/// While the mouse rests, its cell means nothing to a unit that was selected by itself.
#[test]
fn a_resting_mouse_does_not_move_the_next_unit() {
    let mut game = own_turn(OPEN_FIELD, "Skirmish");
    let (mara, brandt) = (Id(0), Id(1));
    game.click_button(&Command::Choose(mara));
    game.point(game.screen_point(Cell::new(3, 0)));
    assert!(matches!(game.preview().click, Click::Move(_)));
    game.press(KeyCode::KeyN);
    game.until_asked();
    assert_eq!(game.selection().chosen, Some(brandt));
    assert!(matches!(game.preview().click, Click::Nothing));
    let answers = game.session().game.answered();
    game.click_again();
    game.click_again();
    assert_eq!(game.session().game.answered(), answers);
    assert!(game.says("move the mouse before you click"));
    // Once the mouse has moved, the cell means a move again.
    game.click_cell(Cell::new(3, 0));
    game.wait(5);
    assert!(game.session().game.answered() > answers);
}

/// A unit that attacked stays selected for its Move, also if the enemy declined to defend.
#[test]
fn a_declined_reaction_leaves_the_attacker_selected() {
    let level = OPEN_FIELD.replace("(6, 1)", "(2, 1)");
    for seed in 1..60 {
        let mut game = battle(&level, "Skirmish", seed, Player::Idle);
        game.until_own_turn();
        game.send(Command::Choose(Id(0)), 3);
        game.click_cell(Cell::new(2, 1));
        game.until_own_turn();
        let last = game.session().game.answers().last();
        let is_declined = last.is_some_and(|last| last.verb == &PASS);
        if !is_declined || game.screen() != Screen::Battle {
            continue;
        }
        assert_eq!(game.selection().chosen, Some(Id(0)));
        return;
    }
    panic!("the goblin never declines to defend");
}

/// A unit that is selected while another one's action is shown does not get that one's buttons.
#[test]
fn the_action_bar_is_never_that_of_another_unit() {
    let mut game = own_turn(OPEN_FIELD, "Skirmish");
    let (mara, brandt) = (Id(0), Id(1));
    game.click_button(&Command::Choose(mara));
    game.click_cell(Cell::new(4, 1));
    assert!(!game.session().is_players_turn(), "she is on her way");
    assert!(!game.preview().acts.is_empty(), "her buttons stay");
    game.send(Command::Choose(brandt), 1);
    assert_eq!(game.selection().chosen, Some(brandt));
    assert!(!game.session().is_players_turn(), "she is still on her way");
    assert!(game.preview().acts.is_empty());
    game.until_asked();
    assert!(!game.preview().acts.is_empty());
}

/// Ann's turn; an enemy and an ally are adjacent.
fn beside_a_foe() -> Game {
    let units = [
        ("ann", "party", (1, 2), 9),
        ("ben", "party", (1, 3), 9),
        ("gob", "goblins", (2, 2), 9),
    ];
    let mut game = Game::battle(fivefoot_kit::field(&["....."; 5], &units), None, 1);
    game.until_own_turn();
    game
}

/// While an attack plays no action can be chosen, and what it cost is spent, so no button of the
/// action bar looks as if it could be pressed.
#[test]
fn the_action_bar_is_grey_while_an_attack_plays() {
    let mut game = beside_a_foe();
    game.click_cell(Cell::new(2, 2));
    assert!(!game.session().prompts_turn(), "the attack plays");
    game.wait(1);
    let world = game.app.world_mut();
    let mut buttons = world.query::<(&SendOnPress<Command>, &Skin)>();
    let buttons = buttons.iter(world);
    let acts = buttons.filter(|(sends, _)| matches!(sends.0, Command::Act(_)));
    let skins: Vec<Panel> = acts.map(|(_, skin)| skin.0).collect();
    assert!(!skins.is_empty() && skins.iter().all(|skin| *skin == Panel::CardPale));
}

/// D is Defend for every unit: the spare Main, which can be taken once, has its own key.
#[test]
fn a_spare_main_has_its_own_key_and_the_end_of_the_turn_closes_a_list() {
    let level = OPEN_FIELD.replace("mara", "lin");
    let mut game = battle(&level, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    game.send(Command::Choose(Id(0)), 3);
    let verb_of = |key| {
        game.preview()
            .act(key)
            .and_then(|act| Some(act.only()?.verb))
    };
    assert_eq!(verb_of('d'), Some(&DEFEND));
    assert_eq!(verb_of('D'), Some(&SPARE_MAIN));
    // Only an action that a click takes now names the key that swaps its weapon.
    let acts = game.preview().acts.iter().filter(|act| act.is_on);
    let on: Vec<char> = acts.map(|act| act.key).collect();
    let world = game.app.world_mut();
    let mut tips = world.query::<(&SendOnPress<Command>, &Tip)>();
    for (sends, tip) in tips.iter(world) {
        let swaps = tip.0.iter().any(|line| line.key == Some(Key::Other));
        let is_on = matches!(sends.0, Command::Act(key) if on.contains(&key));
        assert!(!swaps || is_on, "{tip:?}");
    }
    game.act('i');
    assert!(game.preview().menu.is_some(), "she has a list of items");
    game.press(KeyCode::KeyE);
    assert!(game.preview().menu.is_none());
    assert!(game.selection().confirming_end, "others can still act");
}

/// The card of an enemy lists the enemy's weapons, so it names the unit that can't attack, and it
/// offers no other weapon to a unit that has only bare hands besides.
#[test]
fn the_card_of_an_enemy_tells_your_attacks_from_its_own() {
    let level = OPEN_FIELD.replace("(6, 1)", "(2, 0)");
    let armed = r#"kind: "mara", with: (weapons: ["sword"])"#;
    let level = level.replace(r#"kind: "mara""#, armed);
    let mut game = battle(&level, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    game.send(Command::Choose(Id(0)), 3);
    let enemy = game.screen_point(Cell::new(2, 0));
    game.point(enemy);
    game.wait(3);
    assert!(game.says("Mara, sword"), "{:?}", game.words());
    assert!(!game.says("swap weapons"));
    game.act('d');
    game.until_asked();
    game.app.world_mut().write_message(Command::Choose(Id(0)));
    game.point(enemy);
    game.wait(3);
    assert!(game.says("Mara has acted: Main is spent"));
    assert!(!game.says("ists: "), "whose fists?");
}

/// The cursor of the keys stays on the target of an order, and the card would stay with it.
#[test]
fn selecting_a_unit_takes_the_card_back_from_the_keyboard_cursor() {
    let mut game = battle(OPEN_FIELD, "Skirmish", 3, Player::Idle);
    game.until_own_turn();
    game.send(Command::Choose(Id(0)), 3);
    walk_cursor(&mut game, Cell::new(6, 1));
    game.wait(3);
    assert!(!game.says("Selected"), "the card shows the goblin");
    game.press(KeyCode::Digit2);
    game.wait(3);
    assert_eq!(game.selection().chosen, Some(Id(1)));
    assert!(game.says("Selected"));
}

/// An action whose second choice is a cell says so, and the turn does not end before it is made.
#[test]
fn a_screen_asks_for_the_cell_and_is_finished_before_the_turn_ends() {
    let mut game = beside_a_foe();
    game.act('g');
    let ally = game.cell_of(Id(1));
    game.click_cell(ally);
    game.wait(3);
    assert!(!game.preview().places.is_empty(), "cells to screen from");
    assert!(game.says(": choose the cell for ann"), "{:?}", game.words());
    let answers = game.session().game.answered();
    game.press(KeyCode::KeyE);
    assert!(game.says("Screen is not finished"), "{:?}", game.words());
    assert_eq!(game.session().game.answered(), answers);
    assert!(game.selection().armed.is_some());
}

#[test]
fn an_open_list_survives_other_keys_and_cards() {
    let mut game = beside_a_foe();
    let act = game.preview().acts.iter().find(|a| a.label == "Shove");
    let key = act.expect("a shove").key;
    game.act(key);
    game.click_cell(Cell::new(2, 2));
    let menu = game.preview().menu.clone().expect("a list of ways");
    let (who, answers) = (game.selection().chosen, game.session().game.answered());
    for key in [KeyCode::KeyN, KeyCode::KeyE] {
        game.press(key);
        assert_eq!(game.preview().menu.as_ref(), Some(&menu), "{key:?}");
        assert!(game.says("is not finished"));
    }
    game.click_button(&Command::Choose(Id(1)));
    assert_eq!(game.selection().chosen, who);
    assert_eq!(game.preview().menu.as_ref(), Some(&menu));
    assert_eq!(game.session().game.answered(), answers);
    // Esc closes the list; then the cards work again.
    game.press(KeyCode::Escape);
    game.press(KeyCode::Escape);
    game.click_button(&Command::Choose(Id(1)));
    assert_eq!(game.selection().chosen, Some(Id(1)));
}

/// Ending the action of a unit beside an enemy asks first.
#[test]
fn a_warning_is_answered_before_anything_else() {
    let mut game = beside_a_foe();
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    game.press(KeyCode::KeyN);
    let warning = game.selection().warning.clone();
    assert!(warning.is_some() && game.says("could attack"));
    game.click_button(&Command::Choose(Id(1)));
    game.press(KeyCode::KeyN);
    assert_eq!(game.selection().warning, warning);
    game.press(KeyCode::Escape);
    assert_eq!(game.selection().warning, None);
    assert_eq!(game.selection().chosen, Some(Id(0)));
    game.press(KeyCode::KeyN);
    game.press(KeyCode::Enter);
    game.wait(4);
    assert_eq!(game.selection().warning, None);
    assert_ne!(game.selection().chosen, Some(Id(0)));
}

/// Ending the turn while units can still act asks first: Esc cancels only that, Enter ends it, and
/// the button names its key.
#[test]
fn enter_confirms_the_end_of_the_turn_and_escape_cancels_it() {
    let mut game = beside_a_foe();
    let answers = game.session().game.answered();
    let undo = |game: &mut Game| {
        game.find::<SendOnPress<Command>>(|sends| sends.0 == Command::Undo)
            .expect("the button")
    };
    let place = undo(&mut game);
    game.press(KeyCode::KeyE);
    assert!(game.says("can still act") && game.says("End anyway (Enter)"));
    assert_eq!(undo(&mut game), place, "no other button moves");
    // The reason stays as long as the button does.
    game.wait(300);
    assert!(game.says("Enter: end the turn"));
    game.press(KeyCode::Escape);
    assert!(!game.selection().confirming_end && !game.says("End anyway") && !game.is_paused());
    game.press(KeyCode::KeyE);
    assert!(game.selection().confirming_end);
    assert_eq!(
        game.session().game.answered(),
        answers,
        "the turn continues"
    );
    game.press(KeyCode::Enter);
    assert!(game.session().game.answered() > answers, "the turn is over");
}

/// The warning also names a unit that has only a move left and stands in danger.
#[test]
fn the_end_of_the_turn_names_a_unit_in_danger_with_only_a_move_left() {
    let mut game = beside_a_foe();
    let ann = game.session().shown().unit(Id(0)).name.clone();
    let foe = game.session().known_enemies()[0];
    game.click_cell(game.cell_of(foe));
    game.until_own_turn();
    game.press(KeyCode::KeyE);
    assert!(game.says(&format!("{ann} can still move and is in danger")));
    assert!(game.says("can still act"), "the other one");
}

/// Mara lies dying beside Brandt: her card counts the rounds, and the end of the turn asks first.
#[test]
fn a_turn_does_not_end_unasked_while_an_ally_can_be_saved() {
    let level = r#"(
        title: "Dying",
        map: [".....", ".....", "....."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "mara", side: "party", at: (1, 1), with: (skirmish: (hp: 1))),
            (kind: "brandt", side: "party", at: (1, 2), with: (skirmish: (hp: 60))),
            (kind: "goblin", side: "goblins", at: (2, 1), with: (skirmish: (hp: 60, attack: 20))),
        ],
    )"#;
    for seed in 1..20 {
        let mut game = battle(level, "Skirmish", seed, Player::Quick);
        let is_dying = |game: &Game| game.session().shown().unit(Id(0)).dying.is_some();
        for _ in 0..3 {
            game.until_own_turn();
            if is_dying(&game) || game.screen() != Screen::Battle {
                break;
            }
            game.press(KeyCode::KeyE);
            game.press(KeyCode::KeyE);
        }
        let is_near = game.cell_of(Id(1)) == Cell::new(1, 2);
        if game.screen() != Screen::Battle || !is_dying(&game) || !is_near {
            continue;
        }
        game.wait(3);
        assert!(game.says("dies in "));
        assert!(has_plate_above_rings(&mut game, Id(0)), "her rounds");
        let answers = game.session().game.answered();
        game.press(KeyCode::KeyE);
        assert!(game.says("Mara is dying, and you can still help"));
        assert_eq!(game.session().game.answered(), answers);
        game.press(KeyCode::KeyE);
        assert!(game.session().game.answered() > answers, "the turn is over");
        return;
    }
    panic!("Mara never falls beside Brandt");
}

/// Whether a visible small picture on a unit's token lies above the rings around units.
fn has_plate_above_rings(game: &mut Game, who: Id) -> bool {
    let world = game.app.world_mut();
    let mut plates =
        world.query_filtered::<(&ChildOf, &GlobalTransform, &Visibility), With<FollowsFigure>>();
    let root = world.resource::<Pieces>().get(who).expect("a token").root;
    let mut plates = plates.iter(world);
    plates.any(|(of, place, visibility)| {
        let is_seen = *visibility != Visibility::Hidden;
        of.parent() == root && is_seen && place.translation().z > height::TARGET
    })
}

/// An archer shoots at Mara every round. There is a prompt for total defense only if it
/// would turn the hit into a miss.
#[test]
fn there_is_no_prompt_for_reactions_without_effect() {
    let level = r#"(
        title: "Arrows",
        map: [".........."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "mara", side: "party", at: (1, 0), with: (skirmish: (hp: 60))),
            (kind: "bandit_archer", side: "goblins", at: (9, 0)),
        ],
    )"#;
    let (mut asked, mut hits) = (0, 0);
    for seed in 1..8 {
        let mut game = battle(level, "Skirmish", seed, Player::Quick).at_once();
        for _ in 0..40 {
            game.until("a turn or a prompt", |game| {
                game.screen() != Screen::Battle || game.session().question().is_some()
            });
            // Prompts that need no answer are skipped once everything has been shown.
            game.until_quiet();
            game.wait(3);
            if game.screen() != Screen::Battle || game.session().shown().clock.round > 4 {
                break;
            }
            if !game.session().is_prompted() {
                game.press(KeyCode::KeyE);
                game.press(KeyCode::KeyE);
                continue;
            }
            let menu = game.preview().menu.clone().expect("a list");
            let useful = |n: usize| match &menu.rows[n].picks {
                Picks::Give(choice) if choice.verb == &DEFEND => {
                    let lines = &menu.rows[n].lines;
                    lines
                        .iter()
                        .any(|l| l.contains("becomes a miss") || l.contains("no Shock"))
                }
                Picks::Give(choice) => choice.at.is_some(),
                _ => true,
            };
            asked += 1;
            // Every offered reaction has an effect, and the last row is to decline.
            let passes = menu.rows.len() - 1;
            assert!(passes > 0 && menu.rows[passes].is_pass, "{menu:?}");
            assert!((0..passes).all(useful), "{menu:?}");
            game.press(KeyCode::Escape);
        }
        let told = game.session().known_events();
        hits += told
            .filter(|e| matches!(&e.what, EventKind::AttackResolved { hit: true, .. }))
            .count();
    }
    assert!(asked > 0 && hits > asked, "{asked} questions, {hits} hits");
}

/// A prepared spell needs only a target: its cells are marked, and a click on one casts the
/// spell without a button.
#[test]
fn a_ready_spell_is_aimed_with_one_click() {
    let level = r#"(
        title: "Sleepers",
        map: [".............", ".............", "............."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "ysolde", side: "party", at: (1, 1)),
            (kind: "goblin", side: "goblins", at: [(10, 0), (10, 1), (11, 1)]),
        ],
    )"#;
    let mut game = battle(level, "Segments", 3, Player::Random);
    for _ in 0..90 {
        game.until_asked();
        if game.session().is_prompted() {
            game.press(KeyCode::Escape);
            continue;
        }
        let label = |wanted: &str| {
            let acts = game.preview().acts.iter();
            let mut open = acts.filter(|a| a.why_not.is_none() && a.label == wanted);
            open.next().map(|a| a.key)
        };
        if label("Release").is_some() {
            assert!(game.selection().armed.is_none());
            let preview = game.preview();
            let marked = !preview.places.is_empty() || !preview.targets.is_empty();
            assert!(marked, "what it may be aimed at is marked");
            let enemy = game.session().shown().unit(Id(2)).at;
            game.point(game.screen_point(enemy));
            assert!(
                matches!(game.preview().click, Click::Act { .. }),
                "{:?}",
                game.preview().click
            );
            return;
        }
        match label("Cast") {
            Some(key) => {
                game.act(key);
                game.click_button(&Command::Reply(0));
            }
            None => game.press(KeyCode::KeyN),
        }
        if game.screen() != Screen::Battle {
            break;
        }
    }
    let (words, acts) = (game.words(), game.preview().acts.clone());
    panic!("no spell was ever ready: {words:?} {acts:?}");
}

/// A toast covers neither the bar at the top nor the buttons at the bottom.
#[test]
fn a_toast_covers_no_button() {
    let mut game = own_turn(OPEN_FIELD, "Skirmish");
    let long = "A word that is rather long, so that it takes more than a line of the card. ";
    game.send(Toast(long.repeat(2)), 4);
    let world = game.app.world_mut();
    let mut cards = world.query_filtered::<&Children, With<ToastCard>>();
    let card = cards.single(world).expect("a card")[0];
    let node = world.get::<ComputedNode>(card).expect("laid out");
    let place = world.get::<UiGlobalTransform>(card).expect("laid out");
    let card = Rect::from_center_size(place.translation, node.size());
    let buttons = game.rects::<Skin>();
    assert!(buttons.len() > 5);
    for button in buttons {
        assert!(card.intersect(button).is_empty(), "{card:?} {button:?}");
    }
}

/// Even if the first two goblins fall early, the first lesson shows how a round ends.
#[test]
fn the_first_lesson_reaches_the_second_round() {
    let level = levels::tutorial()[0].clone();
    let early: Vec<u32> = level.combatants.iter().filter_map(|c| c.arrives).collect();
    assert_eq!(early, [2]);
}

#[test]
fn ending_an_unspent_round_asks_first() {
    let mut game = battle(OPEN_FIELD, "Activity", 2, Player::Random);
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    let answers = game.session().game.answered();
    game.press(KeyCode::KeyN);
    assert!(game.says("100% of the round left"), "{:?}", game.words());
    assert_eq!(game.session().game.answered(), answers);
    game.press(KeyCode::Enter);
    assert!(game.session().game.answered() > answers);
}

/// A unit with a melee weapon beside an enemy gets no prompt to throw something in the
/// missiles phase: it attacks later, in the melee phase.
#[test]
fn a_unit_in_melee_gets_no_prompt_to_throw() {
    let level = r#"(
        title: "At close quarters",
        map: ["........", "........"],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "osk", side: "party", at: (1, 1)),
            (kind: "wolf", side: "goblins", at: (2, 1)),
            (kind: "wolf", side: "goblins", at: (6, 0)),
        ],
    )"#;
    let mut game = battle(level, "Phased", 2, Player::Random);
    for _ in 0..30 {
        game.until_asked();
        if game.screen() != Screen::Battle || game.session().shown().clock.round > 2 {
            break;
        }
        if game.session().is_prompted() {
            game.press(KeyCode::Escape);
            continue;
        }
        game.until_quiet();
        game.wait(3);
        let (moment, asked) = (
            game.session().shown().clock.now.name.clone(),
            game.session().question(),
        );
        if moment.contains("missiles") && asked.is_some() {
            let own = game.session().shown().unit(Id(0)).at;
            let enemies = game
                .session()
                .shown()
                .units
                .iter()
                .filter(|p| p.is_up() && p.id != Id(0));
            let near = |at: Cell| (at.x - own.x).abs().max((at.y - own.y).abs()) <= 1;
            assert!(!enemies.map(|p| p.at).any(near), "{moment}");
        }
        let before = game.session().game.answered();
        game.press(KeyCode::KeyJ);
        game.press(KeyCode::KeyN);
        game.press(KeyCode::KeyE);
        if game.session().game.answered() == before {
            game.click_button(&Command::Common(0));
        }
    }
}

/// A round begins with the first unit, whichever was selected last. The frame that hands control to
/// the player already shows it, and it stays selected until the player does something.
#[test]
fn the_selection_stays_once_the_turn_has_begun() {
    let mut game = own_turn(OPEN_FIELD, "Skirmish");
    game.send(Command::Member(1), 2);
    assert_eq!(game.selection().chosen, Some(Id(1)));
    let round = game.session().round();
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
    game.until("the next turn", |game| {
        if game.session().is_prompted() {
            game.press(KeyCode::Escape);
        }
        game.session().prompts_turn() && game.session().round() > round
    });
    assert_eq!(game.selection().chosen, Some(Id(0)));
    game.wait(20);
    assert_eq!(game.selection().chosen, Some(Id(0)));
}
