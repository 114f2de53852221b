//! The list of orders beside the board: orders can be cleared, changed and re-sequenced until
//! the round begins, and the player can assume what enemies will do.

use super::kit::{
    game::{Game, resize},
    rounds::{
        DECLARED, UnitEntries, begun, cell_of, click, declaring, declaring_at, on, on_until, plan,
        point, rules, until_declaring,
    },
    shell::{against, show},
};
use bevy::{input::ButtonState, prelude::*, ui::UiGlobalTransform};
use fivefoot::{
    battle::{Body, Choice, Id, Replica, State, level_setup, of_unit_mut},
    control::{
        Player,
        orders::{NextStep, Reason},
        simulation::Supposition,
    },
    grid::Cell,
    rulesets::{
        activity::state::Actor,
        speed::{
            numbers::SpeedCondition,
            state::{Ailment, Fighter},
        },
    },
    ui::{
        Command, Selection, Session,
        board::{labels::Label, plans::facts},
        hud::SidePanelCard,
        places::TrackPlace,
        preview::{
            ActionPreview, Click, Offers, PlanPreview, Predictions,
            carry::{Went, go_on, next},
        },
        ruleset_ui,
        selection::PlanChange,
        settings::Settings,
        widgets::{SendOnPress, Tip},
    },
};

const ANN: Id = Id(0);
const BEA: Id = Id(1);
const GOB: Id = Id(2);
const CEE: Id = Id(4);

/// Ann beside an enemy, Bea and Cee far from everyone, an enemy behind a wall.
const ROWS: [&str; 3] = [".......#..", ".......#..", ".......#.."];
const UNITS: &UnitEntries = &[
    ("ann", "party", (2, 1), 30),
    ("bea", "party", (0, 0), 30),
    ("gob", "goblins", (3, 1), 30),
    ("gab", "goblins", (9, 1), 30),
    ("cee", "party", (0, 2), 30),
];

/// Declares an attack for Ann and a move for the others. The last declaration waits until
/// the player confirms the whole plan.
fn all_declared(id: &str) -> Game {
    all_declared_to(id, [Cell::new(1, 0), Cell::new(1, 2)])
}

/// The same with the cells to which Bea and Cee move.
fn all_declared_to(id: &str, ends: [Cell; 2]) -> Game {
    declare_all(declaring(id, &ROWS, UNITS, 3), ends)
}

fn declare_all(mut game: Game, [bea, cee]: [Cell; 2]) -> Game {
    game.app.world_mut().resource_mut::<Settings>().review = true;
    game.wait(1);
    for _ in 0..6 {
        if game.session().held().is_some() {
            return game;
        }
        let to = match game.selection().chosen {
            Some(ANN) => game.cell_of(GOB),
            Some(BEA) => bea,
            _ => cee,
        };
        game.click_cell(to);
        game.wait(3);
    }
    panic!("a unit has not declared");
}

/// Selects a unit, by its name in the list.
fn choose(game: &mut Game, who: Id) {
    if game.selection().chosen != Some(who) {
        game.click_button(&Command::Choose(who));
        game.wait(3);
    }
    assert_eq!(game.selection().chosen, Some(who));
}

fn planned(game: &Game) -> Vec<(Id, Option<Id>, Option<Cell>)> {
    let session = game.session();
    let held = session.held().filter(|held| held.plan.is_aimed).cloned();
    let all = [ANN, BEA, CEE].into_iter().filter_map(|who| {
        let held = held.clone().filter(|intent| intent.who() == who);
        let intent = held.or(session.intent(who).cloned())?;
        Some((who, intent.at(), intent.plan.order.cell()))
    });
    all.collect()
}

/// While the cursor drafts another order for a unit, the list keeps the rate of the given one.
#[test]
fn a_draft_does_not_change_the_rate_of_a_given_order() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    choose(&mut game, BEA);
    game.click_cell(Cell::new(1, 0));
    game.wait(3);
    choose(&mut game, BEA);
    let preview = |game: &Game| game.app.world().resource::<PlanPreview>().clone();
    game.until_simulated();
    assert_eq!(preview(&game).draft, None);
    let rate = preview(&game).success_rate(BEA);
    assert!(rate.is_some());
    // She would have to walk first, which takes the action of the attack.
    game.point(game.screen_point(game.cell_of(GOB)));
    game.until_simulated();
    let now = preview(&game);
    assert!(now.is_draft(BEA), "{:?}", game.preview().click);
    assert_ne!(now.success_rate(BEA), rate);
    let given = now.simulation_of_order(game.session(), BEA);
    assert_eq!(given.and_then(|given| given.success_rate(BEA)), rate);
}

/// *Suggest all* gives orders to units without one only, also where those of the others wait to be
/// given again.
#[test]
fn suggest_all_replaces_no_order() {
    for id in DECLARED {
        let mut game = all_declared(id);
        let before = planned(&game);
        choose(&mut game, ANN);
        game.click_button(&Command::Plan(PlanChange::Clear(ANN)));
        game.wait(4);
        game.send(Command::Suggest { all: true }, 40);
        let after = planned(&game);
        for who in [BEA, CEE] {
            let own = |all: &[(Id, Option<Id>, Option<Cell>)]| {
                all.iter().find(|plan| plan.0 == who).copied()
            };
            assert_eq!(own(&before), own(&after), "{id}, {who:?}");
        }
    }
    // An order is withdrawn while the one that is to replace it is aimed.
    let mut game = all_declared("Phased");
    let before = planned(&game);
    let world = game.app.world_mut();
    assert!(world.resource_mut::<Session>().clear_order(BEA));
    world.resource_mut::<Selection>().withdrawn = Some(BEA);
    game.send(Command::Suggest { all: true }, 40);
    assert_eq!(planned(&game), before);
}

/// The order of any unit, also of the first, can be cleared and restored with Undo, or given again;
/// all others stay.
#[test]
fn any_order_can_be_cleared_and_given_again() {
    for id in DECLARED {
        for who in [ANN, BEA, CEE] {
            let mut game = all_declared(id);
            let before = planned(&game);
            assert_eq!(before.len(), 3, "{id}");
            let clear = |game: &mut Game| {
                choose(game, who);
                game.click_button(&Command::Plan(PlanChange::Clear(who)));
                game.wait(4);
                assert!(game.session().held().is_none(), "{id}");
                assert!(game.session().is_declaring(), "{id}");
                assert_eq!(game.selection().chosen, Some(who), "{id}");
                assert!(planned(game).iter().all(|plan| plan.0 != who), "{id}");
            };
            clear(&mut game);
            game.click_button(&Command::Undo);
            game.wait(40);
            assert_eq!(planned(&game), before, "{id}: {who:?}");
            assert!(game.session().is_declaring(), "{id}");
            if id == "Phased" && who == ANN {
                // In melee, so that only flight leads away (PH-50).
                continue;
            }
            clear(&mut game);
            // If units declare one after the other, the later ones follow after this one.
            game.click_cell(Cell::new(4, 2));
            game.wait(40);
            let after = planned(&game);
            let rest = |all: &[(Id, Option<Id>, Option<Cell>)]| {
                let others = all.iter().filter(|plan| plan.0 != who);
                others.copied().collect::<Vec<_>>()
            };
            assert_eq!(rest(&before), rest(&after), "{id}, {who:?}");
            let own = after.iter().find(|plan| plan.0 == who);
            assert_eq!(own.map(|plan| plan.2), Some(Some(Cell::new(4, 2))), "{id}");
            assert!(game.session().held().is_some(), "{id}, {who:?}");
        }
    }
}

/// The list shows the time and success rate of each plan. The board has a label only for the
/// hovered plan, or for all plans while Alt is held.
#[test]
fn only_the_hovered_plan_has_a_label_on_the_board() {
    for id in DECLARED {
        let mut game = all_declared(id);
        game.point(Vec2::ONE);
        game.wait(6);
        assert_eq!(game.count::<Label>(|_| true), 0, "{id}");
        let own = game.screen_point(game.cell_of(BEA));
        game.point(own);
        game.wait(6);
        assert!(game.count::<Label>(|_| true) > 0, "{id}");
        game.point(Vec2::ONE);
        game.key(KeyCode::AltLeft, ButtonState::Pressed);
        game.wait(6);
        assert!(game.count::<Label>(|_| true) > 1, "{id}");
    }
}

/// While all numbers are shown, enemies have their names and figures on the board before any order
/// is given.
#[test]
fn all_numbers_include_the_figures_of_enemies() {
    for id in DECLARED {
        let mut game = declaring(id, &ROWS, UNITS, 3);
        game.point(Vec2::ONE);
        game.wait(3);
        assert_eq!(game.count::<Label>(|_| true), 0, "{id}");
        let enemies = game.session().known_enemies().len();
        let figures = game.session().queries.figures(GOB).into_iter().next();
        let name = game.session().shown().unit(GOB).name.clone();
        let named = |game: &mut Game| game.words().iter().filter(|words| **words == name).count();
        let before = named(&mut game);
        game.key(KeyCode::AltLeft, ButtonState::Pressed);
        game.wait(3);
        assert!(game.count::<Label>(|_| true) >= enemies, "{id}");
        assert!(named(&mut game) > before, "{id}");
        assert!(game.says(&figures.expect("figures")), "{id}");
        game.key(KeyCode::AltLeft, ButtonState::Released);
        game.wait(3);
        assert_eq!(game.count::<Label>(|_| true), 0, "{id}");
    }
}

/// A battle of five units against five enemies.
fn five_against_five() -> Game {
    let names = ["ann", "bea", "cee", "dan", "eve"];
    let enemies = ["gab", "gib", "gob", "gub", "gyb"];
    let own = (0_i16..)
        .zip(names)
        .map(|(n, name)| (name, "party", (0, n), 30));
    let enemy = (0_i16..)
        .zip(enemies)
        .map(|(n, name)| (name, "goblins", (9, n), 30));
    let units: Vec<_> = own.chain(enemy).collect();
    declaring("Phased", &[".........."; 5], &units, 3)
}

/// Five units, one of them with the buttons of its order, and five enemies. In a smaller window the
/// list scrolls.
#[test]
fn five_units_and_five_enemies_fit_on_the_list() {
    let mut game = five_against_five();
    resize(game.app.world_mut(), 1920, 1080);
    game.wait(3);
    let choose = |game: &mut Game| {
        game.send(Command::Choose(ANN), 3);
    };
    choose(&mut game);
    game.click_cell(Cell::new(2, 0));
    game.wait(3);
    choose(&mut game);
    let world = game.app.world_mut();
    let mut cards = world.query_filtered::<&ComputedNode, With<SidePanelCard>>();
    let card = cards.single(world).expect("the list");
    let (content, high) = (card.content_size().y, card.size().y);
    assert!(content <= high + 1.0, "{content} in {high}");
}

/// The list is built again at every change, and stays where the player scrolled it to.
#[test]
fn the_list_keeps_its_scroll_position() {
    let mut game = five_against_five();
    resize(game.app.world_mut(), 1280, 720);
    game.send(Command::Choose(ANN), 3);
    let list = |game: &mut Game| {
        let world = game.app.world_mut();
        let mut lists = world.query_filtered::<(Entity, &ScrollPosition), With<SidePanelCard>>();
        let (entity, position) = lists.single(world).expect("the list");
        (entity, position.0)
    };
    let (before, _) = list(&mut game);
    let to = Vec2::new(0.0, 24.0);
    game.app
        .world_mut()
        .entity_mut(before)
        .insert(ScrollPosition(to));
    game.wait(2);
    game.send(Command::Choose(Id(1)), 3);
    let (after, position) = list(&mut game);
    assert_ne!(after, before, "it is built again");
    assert_eq!(position, to);
}

/// The buttons beside the phases reserve no space that they do not need.
#[test]
fn the_last_phase_is_whole_with_large_text() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    resize(game.app.world_mut(), 1920, 1080);
    game.app.world_mut().resource_mut::<Settings>().text_percent = 150;
    game.wait(8);
    let world = game.app.world_mut();
    let mut tracks = world.query_filtered::<(Entity, &Children), With<TrackPlace>>();
    let (track, boxes) = tracks.single(world).expect("the phases");
    let last = *boxes.last().expect("a phase");
    let right = |entity: Entity| {
        let node = world.get::<ComputedNode>(entity).expect("a node");
        let place = world.get::<UiGlobalTransform>(entity).expect("its place");
        place.translation.x + node.size().x / 2.0
    };
    let (last, track) = (right(last), right(track));
    assert!(last <= track + 1.0, "{last} in {track}");
}

/// The button in the log that opens the closed list is no wider than its words need. In the next
/// round the list is open again.
#[test]
fn the_closed_list_has_a_small_button() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    let change = Command::Plan(PlanChange::ShowLog(true));
    game.send(change, 5);
    assert!(game.find::<SidePanelCard>(|_| true).is_none());
    let opens = Command::Plan(PlanChange::ShowLog(false));
    let world = game.app.world_mut();
    let mut buttons = world.query::<(&SendOnPress<Command>, &ComputedNode)>();
    let mut buttons = buttons.iter(world);
    let button = buttons.find(|(sends, _)| sends.0 == opens);
    let (_, node) = button.expect("the list can be opened");
    let width = node.size().x * node.inverse_scale_factor;
    assert!(width < 120.0, "{width}");
    assert!(game.selection().shows_log);
    for _ in 0..40 {
        if game.session().shown().clock.round > 1 && game.session().is_declaring() {
            break;
        }
        game.app.world_mut().resource_mut::<Session>().end_turn();
        game.wait(2);
        game.until_own_turn();
    }
    game.until("the orders are shown", |game| !game.selection().shows_log);
}

/// The button that finishes declaring works even if the plan is to be reviewed.
#[test]
fn declaring_can_be_finished_early() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    game.app.world_mut().resource_mut::<Settings>().review = true;
    game.wait(2);
    assert!(game.says("Finish declaring"));
    game.click_button(&Command::Common(0));
    game.wait(2);
    assert!(!game.session().is_declaring());
}

/// Where units left without an order get one, the whole plan can be reviewed, whether the button or
/// the key declares the rest.
#[test]
fn the_rest_is_declared_and_reviewed() {
    for has_key in [true, false] {
        let mut game = declaring("Segments", &ROWS, UNITS, 3);
        game.app.world_mut().resource_mut::<Settings>().review = true;
        game.wait(2);
        match has_key {
            true => game.press(KeyCode::KeyE),
            false => game.click_button(&Command::Common(0)),
        }
        game.wait(20);
        assert!(game.session().is_declaring(), "the round has not begun");
        assert!(game.session().held().is_some());
        assert!(game.says("Begin the round"), "{:?}", game.words());
        for who in [ANN, BEA] {
            assert!(!game.session().shown().unit(who).plan.is_empty());
        }
        game.press(KeyCode::KeyU);
        game.wait(4);
        assert!(game.session().held().is_none() && game.session().is_declaring());
    }
}

/// While the whole plan waits for confirmation, the card lists every unit's order with its chances
/// and which enemies are likely to fall.
#[test]
fn the_card_reviews_the_whole_plan() {
    for id in DECLARED {
        let mut game = all_declared(id);
        game.point(Vec2::ONE);
        game.in_time("success rates", |game| {
            game.app
                .world()
                .resource::<PlanPreview>()
                .simulation
                .is_some()
        });
        game.wait(2);
        assert!(game.says("Your plan"), "{id}: {:?}", game.words());
        for name in ["Ann: ", "Bea: ", "Cee: "] {
            assert!(game.says(name), "{id}: {name} {:?}", game.words());
        }
        assert!(game.says("% to drop"), "{id}: {:?}", game.words());
        let names = ["No enemy is likely to fall", "Falls: Gob"];
        let said = names.iter().filter(|words| game.says(words)).count();
        assert_eq!(said, 1, "{id}: {:?}", game.words());
        let own = game.screen_point(game.cell_of(ANN));
        game.point(own);
        game.wait(3);
        assert!(!game.says("Your plan"), "{id}");
    }
}

/// Buttons that can't be used yet are not shown: nothing can be repeated in the first round.
#[test]
fn only_usable_buttons_of_the_strip_are_shown() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    game.wait(2);
    let world = game.app.world_mut();
    let mut buttons = world.query::<(&SendOnPress<Command>, &InheritedVisibility)>();
    let is_shown = |command: Command| {
        let mut found = buttons.iter(world).filter(|(sends, _)| sends.0 == command);
        found.any(|(_, visibility)| visibility.get())
    };
    let [suggest, repeat] = [
        Command::Suggest { all: true },
        Command::Repeat { all: true },
    ]
    .map(is_shown);
    assert!(suggest && !repeat);
    assert!(game.says("3 units have no order yet"), "{:?}", game.words());
}

/// The key that ends a turn also finishes declaring. The warning says so, and a second press
/// confirms.
#[test]
fn the_end_turn_key_finishes_declaring() {
    for (id, button) in [
        ("Phased", "finish declaring"),
        ("Segments", "auto-declare the rest"),
    ] {
        let mut game = declaring(id, &ROWS, UNITS, 3);
        game.press(KeyCode::KeyE);
        assert!(game.says("have no order."), "{id}: {:?}", game.words());
        assert!(game.says(&format!("Enter: {button}")), "{id}");
        assert!(game.session().is_declaring(), "{id}");
        game.press(KeyCode::KeyE);
        assert!(!game.session().is_declaring(), "{id}");
    }
    let mut game = declaring("Activity", &ROWS, UNITS, 3);
    let answered = game.session().game.answered();
    game.press(KeyCode::KeyE);
    assert!(game.says("Each unit needs its own order"));
    game.press(KeyCode::KeyE);
    assert_eq!(game.session().game.answered(), answered);
}

/// A unit that delays could declare more, but it has an order: the end-turn key does not warn.
#[test]
fn units_that_delay_do_not_count_as_undeclared() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    for who in [ANN, BEA, CEE] {
        choose(&mut game, who);
        game.act('z');
        game.wait(3);
    }
    assert!(game.session().is_declaring());
    game.press(KeyCode::KeyE);
    assert!(!game.session().is_declaring());
}

/// Units that act at the same moment act in the sequence of the list.
#[test]
fn units_act_in_the_sequence_of_the_list() {
    // Only under Phased, where these units act in one step; counts are not known beforehand.
    for is_moved in [false, true] {
        let mut game = all_declared("Phased");
        if is_moved {
            choose(&mut game, BEA);
            game.click_button(&Command::Plan(PlanChange::Later(BEA)));
            game.wait(3);
        }
        let expected = match is_moved {
            false => [ANN, BEA, CEE],
            true => [ANN, CEE, BEA],
        };
        assert_eq!(game.session().sequence(), expected);
        let mut session = game.app.world_mut().resource_mut::<Session>();
        session.begin_round().expect("the round begins");
        session.catch_up();
        let mut moved = vec![];
        for _ in 0..60 {
            if moved.len() == 2 {
                break;
            }
            on(&mut session);
            for (who, to) in [(BEA, Cell::new(1, 0)), (CEE, Cell::new(1, 2))] {
                if cell_of(&session, who) == to && !moved.contains(&who) {
                    moved.push(who);
                }
            }
        }
        assert_eq!(moved, expected[1..], "{is_moved}");
    }
}

/// In simulations, an enemy that is assumed to hold attacks no one; one that is assumed to
/// attack does so if it can get there.
#[test]
fn the_assumed_action_of_an_enemy_is_simulated() {
    for id in DECLARED {
        let mut game = all_declared(id);
        let supposed = |game: &Game| game.session().supposed().get(&GOB).copied();
        assert_eq!(supposed(&game), None);
        game.click_button(&Command::Plan(PlanChange::Suppose(GOB)));
        game.wait(3);
        assert_eq!(supposed(&game), Some(Supposition::Holds), "{id}");
        assert!(game.says("suppose: holds"), "{id}");
        game.until_simulated();
        let simulation = &game.app.world().resource::<PlanPreview>().simulation;
        let outcome = &simulation.as_ref().expect("it is simulated").plans[&ANN];
        assert_eq!(outcome.hurt, 0, "{id}: it does nothing");
        game.click_button(&Command::Plan(PlanChange::Suppose(GOB)));
        game.wait(2);
        assert_eq!(supposed(&game), Some(Supposition::Attacks(ANN)), "{id}");
        let session = game.session();
        let predicted = super::kit::rounds::predicted(session);
        let on_ann = |p: &fivefoot::control::simulation::Prediction| {
            p.action == fivefoot::control::simulation::Action::Attacks(ANN)
        };
        let attacks = predicted[&GOB].iter().find(|p| on_ann(p));
        assert!(
            attacks.is_some_and(|p| p.percent > 50),
            "{id}: {predicted:?}"
        );
        // After the last unit, the assumption is cleared and the AI decides again.
        for _ in 0..3 {
            game.click_button(&Command::Plan(PlanChange::Suppose(GOB)));
            game.wait(2);
        }
        assert_eq!(supposed(&game), None, "{id}");
    }
}

/// An order that plans nothing is called like its button, in the list and on the card, and has no
/// success rate.
#[test]
fn an_order_that_plans_nothing_has_no_success_rate() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    game.act('j');
    game.wait(6);
    let words = game.words();
    let named = words.iter().filter(|words| *words == "Normal turn");
    assert!(named.count() > 2, "button, card and list: {words:?}");
    assert!(!words.iter().any(|words| words == "0%"), "{words:?}");
}

/// The button of a normal turn declares just that, wherever the pointer rests.
#[test]
fn a_normal_turn_takes_no_destination_from_the_pointer() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    choose(&mut game, BEA);
    game.point(game.screen_point(Cell::new(2, 0)));
    assert!(matches!(game.preview().click, Click::Plan(_)));
    game.press(KeyCode::KeyJ);
    game.wait(3);
    let session = game.session();
    assert!(!session.shown().unit(BEA).plan.is_empty());
    assert!(session.intent(BEA).is_none());
}

/// The button of a move waits for its cell, wherever the pointer rests; Enter leaves the cell open.
#[test]
fn a_declared_move_waits_for_its_cell() {
    for cell in [Some(Cell::new(2, 0)), None] {
        let mut game = declaring("Segments", &ROWS, UNITS, 3);
        choose(&mut game, BEA);
        game.point(game.screen_point(Cell::new(1, 0)));
        game.press(KeyCode::KeyG);
        game.wait(3);
        assert!(game.session().shown().unit(BEA).plan.is_empty());
        assert_eq!(game.selection().chosen, Some(BEA));
        assert!(!game.preview().range().is_empty());
        match cell {
            Some(cell) => game.click_cell(cell),
            None => game.press(KeyCode::Enter),
        }
        game.wait(3);
        let session = game.session();
        assert!(!session.shown().unit(BEA).plan.is_empty(), "{cell:?}");
        let to = session
            .intent(BEA)
            .and_then(|intent| intent.plan.order.cell());
        assert_eq!(to, cell);
    }
}

/// PH-11: the key of an attack during the round declares nothing. The attack with a simple action
/// has its own key.
#[test]
fn the_key_of_an_attack_declares_nothing() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    let who = game.selection().chosen.expect("a unit");
    let plan = |game: &Game| game.session().shown().unit(who).plan.clone();
    game.press(KeyCode::KeyS);
    game.wait(3);
    assert!(plan(&game).is_empty());
    game.act('g');
    game.wait(6);
    assert!(!plan(&game).is_empty());
}

/// A unit that has declared has a button to change its order, and the key of an action replaces
/// the order as long as the round has not begun.
#[test]
fn a_declared_order_can_be_replaced() {
    let mut game = all_declared("Phased");
    choose(&mut game, ANN);
    assert!(game.says("Change order"), "{:?}", game.words());
    game.press(KeyCode::KeyJ);
    game.wait(6);
    assert!(game.session().intent(ANN).is_none());
    let is_ann = game.session().held().is_some_and(|held| held.who() == ANN);
    assert!(is_ann, "the new order is the last one, and waits");
    // A key that gives no order leaves the old one.
    choose(&mut game, BEA);
    let before = planned(&game);
    game.press(KeyCode::KeyX);
    game.wait(6);
    assert_eq!(planned(&game), before);
}

/// An order that was to replace another and is cancelled at its warning leaves the old one. With the
/// mouse on the name in the list, the card keeps its hints.
#[test]
fn a_cancelled_order_leaves_the_old_one() {
    // Ann and Gob fight a round first: only enemies in melee attack a unit that flees.
    let text = r#"(
        title: "Flight",
        map: [".......#..", ".......#..", ".......#.."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "bandit", name: "ann", side: "party", at: (2, 1), with: (phased: (hp: 60))),
            (kind: "bandit", name: "bea", side: "party", at: (0, 0)),
            (kind: "bandit", name: "gob", side: "goblins", at: (3, 1), with: (phased: (hp: 60))),
            (kind: "bandit", name: "gab", side: "goblins", at: (9, 1)),
            (kind: "bandit", name: "cee", side: "party", at: (0, 2)),
        ],
    )"#;
    let session = Session::new(&fivefoot_kit::level(text), rules("Phased"), 3);
    let ends = [Cell::new(1, 0), Cell::new(1, 2)];
    let mut game = declare_all(declaring_at(session), ends);
    game.press(KeyCode::Enter);
    game.wait(6);
    until_declaring(&mut game);
    let mut game = declare_all(game, [Cell::new(0, 0), Cell::new(0, 2)]);
    game.app.world_mut().resource_mut::<Settings>().warn = true;
    let before = planned(&game);
    choose(&mut game, ANN);
    for cancel in [Command::Confirm(false), Command::Retract] {
        game.press(KeyCode::KeyF);
        game.wait(6);
        let is_warned = game.selection().warning.is_some();
        assert!(is_warned, "before {cancel:?}: {:?}", game.words());
        game.send(cancel, 40);
        assert_eq!(planned(&game), before);
        assert!(game.session().held().is_some());
        assert_eq!(game.selection().chosen, Some(ANN));
    }
    let is_name = |sends: &SendOnPress<Command>| sends.0 == Command::Choose(ANN);
    let name = game.find(is_name).expect("its name");
    game.point(name);
    game.wait(3);
    assert_eq!(game.selection().looked_at, Some(ANN));
    assert!(game.says("Selected") && game.says("begin the round. U:"));
}

/// A click with a unit that has declared replaces its order with the one that was shown, and Undo
/// restores it, also for the unit that declared last. The unit keeps its buttons.
#[test]
fn a_click_replaces_a_declared_order() {
    let to = Cell::new(4, 2);
    for id in DECLARED {
        for who in [BEA, CEE] {
            let mut game = all_declared(id);
            let before = planned(&game);
            choose(&mut game, who);
            assert!(!game.preview().acts.is_empty(), "{id}, {who:?}");
            game.point(game.screen_point(to));
            let Click::Plan(draft) = game.preview().click.clone() else {
                panic!("{id}, {who:?}: {:?}", game.preview().click);
            };
            assert!(game.preview().replaces, "{id}, {who:?}");
            assert_eq!(
                (draft.who(), draft.intent.plan.order.cell()),
                (who, Some(to)),
                "{id}"
            );
            game.click_cell(to);
            game.wait(40);
            let own = planned(&game).into_iter().find(|plan| plan.0 == who);
            assert_eq!(own.map(|plan| plan.2), Some(Some(to)), "{id}, {who:?}");
            assert!(game.session().held().is_some(), "{id}, {who:?}");
            game.press(KeyCode::KeyU);
            game.wait(40);
            assert_eq!(planned(&game), before, "{id}, {who:?}");
        }
    }
}

/// Once everyone has declared, a click on the board changes an order only after its unit was picked.
#[test]
fn a_click_changes_no_order_before_a_unit_is_picked() {
    for id in DECLARED {
        let mut game = all_declared(id);
        let before = planned(&game);
        assert_eq!(game.selection().chosen, None, "{id}");
        // Meanwhile the card says what to do, wherever the mouse is.
        game.point(game.screen_point(Cell::new(4, 2)));
        game.wait(3);
        assert!(game.says("Your plan"), "{id}");
        assert!(game.says("begin the round. U:"), "{id}: {:?}", game.words());
        for cell in [Cell::new(4, 2), game.cell_of(GOB)] {
            game.click_cell(cell);
            game.wait(6);
            assert_eq!(planned(&game), before, "{id}");
            assert!(game.says("Pick a unit to change its order"), "{id}");
        }
    }
}

/// Undo takes back what was done to the orders, the last first: a move in the list, a replacement,
/// and then the orders.
#[test]
fn undo_takes_back_the_last_change_first() {
    let to = Cell::new(4, 2);
    let mut game = all_declared("Phased");
    let before = planned(&game);
    let sequence = game.session().sequence();
    choose(&mut game, BEA);
    game.click_cell(to);
    game.wait(40);
    let replaced = planned(&game);
    assert_ne!(replaced, before);
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session.move_in_sequence(ANN, 1);
    assert_ne!(session.sequence(), sequence);
    let undo = |game: &mut Game| {
        game.press(KeyCode::KeyU);
        game.wait(40);
    };
    undo(&mut game);
    assert_eq!(game.session().sequence(), sequence);
    assert_eq!(planned(&game), replaced);
    undo(&mut game);
    assert_eq!(planned(&game), before);
    let last = game.session().held().map(|held| held.who());
    undo(&mut game);
    let left: Vec<_> = before.into_iter().filter(|p| Some(p.0) != last).collect();
    assert_eq!(planned(&game), left);
}

/// With a unit that has declared, an enemy shows the order that a click there would give instead,
/// with its odds and its success rate.
#[test]
fn an_enemy_shows_the_order_that_replaces_another() {
    let mut game = all_declared("Phased");
    choose(&mut game, BEA);
    game.point(game.screen_point(game.cell_of(GOB)));
    let preview = game.preview();
    assert!(preview.replaces && !preview.attacks.is_empty());
    let Click::Plan(draft) = preview.click.clone() else {
        panic!("{:?}", preview.click);
    };
    assert_eq!(draft.intent.at(), Some(GOB));
    game.until("the success rate", |game| {
        let plans = game.app.world().resource::<PlanPreview>();
        plans.knows(&draft) && plans.success_rate(BEA).is_some()
    });
    assert!(game.says("Click: change the order. U: restore it."));
}

/// A click that can give no order leaves the old one and says why.
#[test]
fn a_click_without_an_order_leaves_the_old_one() {
    let mut game = all_declared("Phased");
    let before = planned(&game);
    choose(&mut game, ANN);
    game.click_cell(Cell::new(5, 0));
    game.wait(6);
    assert!(game.says("In melee: only Flee"), "{:?}", game.words());
    assert_eq!(planned(&game), before);
}

/// While orders are declared, the board marks where the selected unit can go in the round, under
/// what it has declared.
#[test]
fn the_range_of_a_declared_turn_is_marked() {
    for id in ["Phased", "Speed", "Segments"] {
        let mut game = declaring(id, &ROWS, UNITS, 3);
        choose(&mut game, BEA);
        let has = |game: &Game, cell| game.preview().range().iter().any(|end| end.cell == cell);
        assert!(has(&game, Cell::new(1, 0)), "{id}");
        assert!(!has(&game, game.cell_of(GOB)), "{id}");
        // A click can't move the unit yet.
        assert!(game.preview().reach.is_empty(), "{id}");
    }
    // An attack with a simple act after it leaves no move, Full Defense half the speed.
    for (id, word) in [("Phased", "after"), ("Speed", "full defense")] {
        let mut game = declaring(id, &ROWS, UNITS, 3);
        if id == "Phased" {
            choose(&mut game, BEA);
        }
        let who = game.selection().chosen.expect("a unit");
        let farthest = |game: &Game| {
            let ends = game.preview().range().iter();
            ends.map(|end| end.feet).max().unwrap_or(0)
        };
        let before = farthest(&game);
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let offers = session.offers_of(who);
        let is_it = |choice: &&Choice| choice.verb.name.ends_with(word);
        let choice = offers.iter().map(|offer| &offer.choice).find(is_it);
        let choice = choice.expect("it can be declared").clone();
        session.give(&[choice]).expect("it is legal");
        game.wait(3);
        game.send(Command::Choose(who), 3);
        assert!(game.session().is_declaring(), "{id}");
        assert!(farthest(&game) < before, "{id}: {before}");
    }
}

/// In a part of the round without attacks, an enemy says why it can't be attacked.
#[test]
fn an_enemy_says_why_it_cannot_be_attacked() {
    let units = [("ann", "party", (1, 1), 30), ("gob", "goblins", (8, 1), 30)];
    let level = fivefoot_kit::field(&[".........."; 3], &units);
    let mut session = begun(&level, rules("Phased"), 3);
    let is_moving = |session: &Session| {
        !session.is_declaring()
            && session.is_players_turn()
            && !session.queries.reach(ANN).is_empty()
    };
    assert!(on_until(&mut session, is_moving));
    let click = ActionPreview::of(&mut session, &point(ANN, Cell::new(8, 1))).click;
    let why = "Out of reach this turn: a move takes the action that an attack needs";
    assert_eq!(click, Click::No(String::from(why)));
}

/// The card of a unit with an order shows the order once, not the declaration that stands for it.
#[test]
fn a_card_shows_the_order() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    choose(&mut game, BEA);
    game.click_cell(Cell::new(2, 0));
    game.wait(3);
    assert!(game.session().intent(BEA).is_some());
    assert!(!game.says("; normal turn"), "{:?}", game.words());
    choose(&mut game, ANN);
    game.click_cell(game.cell_of(GOB));
    game.wait(3);
    choose(&mut game, ANN);
    assert!(game.session().intent(ANN).is_some());
    let words = game.words();
    let named = words.iter().filter(|words| *words == "Normal turn");
    assert!(named.count() <= 1, "only the button: {words:?}");
}

/// Out of melee leads only the declaration that the rules allow: a click elsewhere gives no order,
/// and says at once which one.
#[test]
fn no_move_out_of_melee_can_be_planned() {
    let mut game = declaring("Phased", &ROWS, UNITS, 3);
    choose(&mut game, ANN);
    let away = Cell::new(5, 0);
    let why = "In melee: only Flee (F) leads away";
    // The card says so before a cell is pointed at.
    game.wait(3);
    assert!(game.says(why), "{:?}", game.words());
    game.point(game.screen_point(away));
    assert_eq!(game.preview().click, Click::No(String::from(why)));
    game.click_cell(away);
    game.wait(3);
    assert!(game.session().intent(ANN).is_none());
    assert!(game.session().shown().unit(ANN).plan.is_empty());
}

/// If all units have declared, none is said to come next.
#[test]
fn no_unit_comes_next_if_all_have_declared() {
    for id in DECLARED {
        let mut game = all_declared(id);
        for who in [ANN, BEA, CEE] {
            choose(&mut game, who);
            assert!(!game.says(" Next: "), "{id}: {:?}", game.words());
        }
    }
}

/// An enemy's line says its likely deed and target. How sure its place is stands in the tooltip.
#[test]
fn an_enemy_is_listed_with_its_deed_and_target() {
    let mut levels = fivefoot::levels::built_in().iter();
    let level = levels
        .find(|level| level.id == "toll_gate")
        .expect("a built-in level");
    let mut game = declaring_at(against(Player::Quick, level, rules("Phased"), 11));
    let known = |game: &Game| {
        let predictions = game.app.world().resource::<Predictions>();
        let session = game.session();
        let all = session.known_enemies().into_iter();
        let all = all.filter(|id| !predictions.waits(session, *id));
        let all = all.map(|id| predictions.likeliest(session, id));
        all.collect::<Option<Vec<[String; 3]>>>()
    };
    game.in_time("predictions", |game| known(game).is_some());
    game.wait(3);
    let all = known(&game).expect("they are known");
    assert!(!all.is_empty());
    for [_, does, at] in all {
        assert!(!at.contains('('), "{at}");
        assert!(
            game.says(&format!("{does} {at}")),
            "{does} {at}: {:?}",
            game.words()
        );
    }
}

/// Each order is one line of the list; if it is cut, its target stays.
#[test]
fn an_order_is_one_short_line() {
    let mut timed = 0;
    for id in DECLARED {
        let mut game = all_declared(id);
        let session = game.session();
        let held = session.held().filter(|held| held.who() == ANN);
        let held = held.filter(|held| held.plan.is_aimed);
        let intent = held.or(session.intent(ANN)).expect("a plan");
        let short = session.in_short(intent);
        assert!(short.contains(" → "), "{id}: {short}");
        let shortest = session.in_shortest(intent);
        // On a card, the declaration does not repeat the order; when the unit acts is added.
        let own = session.shown().members(session.player());
        for unit in own.filter(|unit| !unit.plan.is_empty()) {
            let intent = session.intent(unit.id);
            let Some(intent) = intent.filter(|intent| !intent.plan.is_begun) else {
                continue;
            };
            let order = session.in_shortest(intent);
            timed += usize::from(!unit.when.is_empty());
            let text = match unit.when.is_empty() {
                true => order,
                false => format!("{order}, {}", unit.when),
            };
            assert_eq!(session.plan_text(unit), text, "{id}");
        }
        let [_, target] = session.order_and_target(intent);
        let words = game.words();
        let is_order = |line: &String| match line.split_once("… ") {
            Some((start, end)) => shortest.starts_with(start) && end == target,
            None => [&short, &shortest].contains(&line),
        };
        assert!(words.iter().any(is_order), "{id}: {short}: {words:?}");
    }
    assert!(timed > 0, "some rulesets say when a unit acts");
}

/// A declared charge without room for its weapon is shown with its target, not cut in the middle.
#[test]
fn a_declared_charge_keeps_its_target() {
    let units = [
        ("ann", "party", (0, 1), 30),
        ("bea", "party", (0, 0), 30),
        ("gob", "goblins", (6, 1), 30),
    ];
    let mut game = declaring("Phased", &ROWS, &units, 3);
    let mut session = game.app.world_mut().resource_mut::<Session>();
    let planning = session.queries.rules.planning;
    let offers = session.offers_of(ANN);
    let mut legal = offers.iter().filter(|offer| offer.is_legal());
    let charge = legal.find(|o| planning.is_charge(o.choice.verb) && o.choice.at == Some(GOB));
    let charge = charge.expect("it can charge").choice.clone();
    session.give(&[charge]).expect("it is legal");
    game.wait(3);
    let session = game.session();
    let declared = session.only_declared(ANN).expect("a declaration");
    let short = session.in_short(&declared);
    let shortest = session.in_shortest(&declared);
    assert!(short.starts_with(&format!("{shortest} (")), "{short}");
    let words = game.words();
    let is_cut = |line: &&String| line.starts_with(&shortest) && line.ends_with('…');
    assert_eq!(words.iter().find(is_cut), None);
}

/// The card names the risks and why an order may fail. The list counts the risks; the failures are in
/// the rate beside them.
#[test]
fn the_list_counts_the_risks_and_the_card_names_them() {
    for id in DECLARED {
        let mut game = all_declared(id);
        let own = game.screen_point(game.cell_of(ANN));
        game.point(own);
        game.until_simulated();
        game.wait(3);
        let preview = game.app.world().resource::<PlanPreview>();
        let mut acts = preview.timeline.iter().flat_map(|timeline| &timeline.acts);
        let risks = preview
            .risks
            .get(&ANN)
            .filter(|_| acts.any(|act| act.who == ANN));
        let simulation = preview.simulation.as_ref();
        let lines = risks.map_or(vec![], |risks| risks.lines(game.session(), simulation, ANN));
        let risks = risks
            .map_or(vec![], |risks| {
                risks.beside_rate(game.session(), simulation, ANN)
            })
            .len();
        let words = game.words();
        for line in &lines {
            assert!(words.contains(line), "{id}: {line}: {words:?}");
        }
        let number = fivefoot::words::count(risks, "risk");
        assert!(risks == 0 || words.contains(&number), "{id}: {number}");
    }
}

/// Two orders that end in one cell are a risk of both units, and the game asks before the round
/// begins.
#[test]
fn orders_that_end_in_one_cell_are_warned_about() {
    for id in DECLARED {
        for cells in [[(1, 1), (1, 1)], [(1, 0), (1, 2)]] {
            let mut game = all_declared_to(id, cells.map(|(x, y)| Cell::new(x, y)));
            game.app.world_mut().resource_mut::<Settings>().warn = true;
            game.point(Vec2::ONE);
            game.wait(1);
            game.in_time("the round is previewed", |game| {
                game.app.world().resource::<PlanPreview>().is_current()
            });
            let preview = game.app.world().resource::<PlanPreview>();
            let shared: Vec<(Id, Id)> = preview.shared_ends().collect();
            let is_shared = cells[0] == cells[1];
            assert_eq!(
                shared,
                Vec::from_iter(is_shared.then_some((BEA, CEE))),
                "{id}"
            );
            game.press(KeyCode::KeyE);
            game.wait(3);
            let name = |who: Id| game.session().shown().unit(who).name.clone();
            let line = format!("{} and {} end in the same cell", name(BEA), name(CEE));
            assert_eq!(game.says(&line), is_shared, "{id}");
            let costs = game.says("neither can attack there") && game.says("(PH-52)");
            assert_eq!(costs, is_shared && id == "Phased", "{id}");
        }
    }
}

/// A unit that ended its turn is done until it is asked again, and no longer counts as able to act.
#[test]
fn a_unit_that_passed_is_done() {
    let units = [
        ("ann", "party", (1, 1), 30),
        ("bea", "party", (1, 0), 30),
        ("gob", "goblins", (8, 1), 30),
    ];
    let level = fivefoot_kit::field(&[".........."; 3], &units);
    let mut session = begun(&level, rules("Phased"), 3);
    // In a tie the units are asked one by one.
    let both = (0..400).find_map(|_| {
        let asked = session.question().filter(|q| q.is_turn());
        let actors = asked.map_or(vec![], |q| q.actors.clone());
        if actors.len() == 2 && !session.is_declaring() {
            return Some(actors);
        }
        on(&mut session);
        None
    });
    let [first, other] = both.expect("a turn of both units")[..] else {
        panic!("there are two units");
    };
    assert!(!session.has_passed(first));
    let pass = session.pass_choice(first).expect("it can end its turn");
    session.give(&[pass]).expect("it is on offer");
    session.catch_up();
    assert!(session.has_passed(first) && !session.has_passed(other));
    let is_done = |session: &Session, who: Id| session.is_done(session.shown().unit(who));
    assert!(is_done(&session, first) && !is_done(&session, other));
    let left: Vec<Id> = session.awaiting_orders().map(|unit| unit.id).collect();
    assert_eq!(left, [other]);
    session.undo();
    assert!(!session.has_passed(first) && !is_done(&session, first));
}

/// In a tie each part of the round asks one unit after the other. A unit that passed in an earlier part
/// is not done before it is asked in this one.
#[test]
fn a_unit_that_is_still_to_be_asked_is_not_done() {
    let text = r#"(
        title: "Bows",
        map: ["..........", "..........", ".........."],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "bandit", name: "ann", side: "party", at: (0, 0), with: (weapons: ["short_bow"])),
            (kind: "bandit", name: "bea", side: "party", at: (0, 2), with: (weapons: ["short_bow"])),
            (kind: "bandit", name: "gob", side: "goblins", at: (8, 1), with: (weapons: ["short_bow"])),
        ],
    )"#;
    let level = fivefoot_kit::level(text);
    let mut asked_later = 0;
    for seed in 1..=12 {
        let mut session = begun(&level, rules("Phased"), seed);
        // The unit that was not asked at the last decision, when that was, and whether it was done.
        let mut other: Option<(Id, String, bool)> = None;
        for _ in 0..60 {
            let asked = session.question().filter(|q| q.is_turn());
            let actors = asked.map_or(vec![], |q| q.actors.clone());
            if let ([who], false) = (&actors[..], session.is_declaring()) {
                let clock = &session.shown().clock;
                let now = format!("round {}, {}", clock.round, clock.now.name);
                if let Some((id, then, is_done)) = other
                    && (id, &then) == (*who, &now)
                {
                    assert!(!is_done, "{seed}: {now}");
                    asked_later += 1;
                }
                let next = if *who == ANN { BEA } else { ANN };
                other = Some((next, now, session.has_passed(next)));
            }
            on(&mut session);
        }
    }
    assert!(asked_later > 0);
}

/// After a move that no plan gave, the group waits for the player although the plans of the others
/// are done: one of them can still take a step, and the move can be undone.
#[test]
fn a_group_waits_after_a_move_without_a_plan() {
    let units = [
        ("ann", "party", (1, 1), 30),
        ("bea", "party", (1, 0), 30),
        ("gob", "goblins", (4, 1), 30),
    ];
    let level = fivefoot_kit::field(&[".........."; 3], &units);
    let moved = (1..=20).find_map(|seed| {
        let mut session = begun(&level, rules("Phased"), seed);
        let draft = click(&mut session, &point(BEA, Cell::new(0, 2)));
        plan(&mut session, &draft);
        let idle = session.pass_choice(ANN)?;
        session.give(&[idle]).expect("it is on offer");
        for _ in 0..40 {
            session.catch_up();
            let is_done = session.intent(BEA).is_some_and(|i| i.plan.is_begun);
            let actors = session.question().map_or(vec![], |q| q.actors.clone());
            if is_done && actors.len() == 2 {
                let there = point(ANN, Cell::new(3, 1));
                let Click::Move(way) = ActionPreview::of(&mut session, &there).click else {
                    return None;
                };
                session.give(&way.orders).expect("it is on offer");
                session.catch_up();
                return Some(session);
            }
            on(&mut session);
        }
        None
    });
    let mut session = moved.expect("a group of both");
    let asked = session.question().expect("the group is asked");
    assert!(asked.actors.contains(&BEA), "{asked:?}");
    assert_eq!(go_on(&mut session), Went::Asks);
    assert!(session.can_undo());
}

/// When something has happened, a unit that has an action left is selected instead of one that has
/// only a free step, and the button that ends the group names it.
#[test]
fn a_unit_with_an_action_left_is_selected() {
    let units = [
        ("ann", "party", (0, 1), 30),
        ("bea", "party", (0, 0), 30),
        ("cee", "party", (0, 2), 30),
        ("gob", "goblins", (9, 1), 30),
    ];
    let cee = Id(2);
    let moved = (1..=8).find_map(|seed| {
        let mut game = declaring("Phased", &ROWS, &units, seed);
        for (who, to) in [(BEA, Cell::new(3, 0)), (cee, Cell::new(3, 2))] {
            let way = (0..300).find_map(|_| {
                game.wait(1);
                let mut session = game.app.world_mut().resource_mut::<Session>();
                if !session.is_players_turn() {
                    return None;
                }
                let click = ActionPreview::of(&mut session, &point(who, to)).click;
                let is_group = session.question().is_some_and(|q| q.actors.len() == 3);
                match click {
                    Click::Move(way) if is_group => Some(way),
                    _ => {
                        session.end_turn();
                        None
                    }
                }
            })?;
            game.send(Command::Choose(BEA), 3);
            let mut session = game.app.world_mut().resource_mut::<Session>();
            session.give(&way.orders).expect("it is on offer");
        }
        game.until_own_turn();
        game.wait(3);
        Some(game)
    });
    let mut game = moved.expect("a group of all");
    assert_eq!(game.selection().chosen, Some(ANN));
    let name = game.session().shown().unit(ANN).name.clone();
    let words = format!("{name} can still act");
    let is_it = |tip: &Tip| tip.0.iter().any(|line| line.text == words);
    assert!(game.find::<Tip>(is_it).is_some(), "{words}");
}

/// While plans are carried out, the screen does not ask for the decisions that they answer, and the
/// key that ends the turn does nothing.
#[test]
fn nothing_is_asked_while_plans_are_carried_out() {
    let mut game = all_declared("Phased");
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session.begin_round().expect("the round begins");
    let round = session.shown().clock.round;
    let mut answered = 0;
    for _ in 0..600 {
        game.wait(1);
        let mut session = game.app.world_mut().resource_mut::<Session>();
        if session.shown().clock.round > round {
            break;
        }
        if !session.is_players_turn() || next(&mut session) == NextStep::Ask {
            continue;
        }
        answered += 1;
        assert!(session.goes_on() && !session.prompts_turn());
        assert!(game.preview().range().is_empty());
        let words = game.words();
        let asks = |words: &String| words == "Your turn" || words.contains("nothing to do right");
        assert!(!words.iter().any(asks), "{words:?}");
        game.send(Command::EndTurn, 1);
        assert!(!game.selection().confirming_end);
    }
    assert!(answered > 0);
}

/// A plan that failed is still named after the round.
#[test]
fn a_failed_plan_is_named_in_the_result() {
    for id in DECLARED {
        let mut game = all_declared(id);
        let mut session = game.app.world_mut().resource_mut::<Session>();
        session.begin_round().expect("the round begins");
        session.catch_up();
        let round = session.shown().clock.round;
        let label = session.intent(BEA).expect("a plan").label.clone();
        session.fail(BEA, Reason::Short);
        assert_eq!(session.intent(BEA), None, "{id}");
        let results = session.results(round);
        let bea = results.iter().find(|result| result.who == BEA);
        let bea = bea.expect("a result");
        assert_eq!(bea.planned, Some(label), "{id}");
        assert!(bea.why.is_some(), "{id}");
        assert!(bea.in_short.starts_with("move failed"), "{id}: {bea:?}");
        assert!(!bea.is_unneeded, "{id}");
        // One whose target is out of the fight did not fail.
        let (target, has_left) = (GOB, false);
        session.fail(CEE, Reason::Gone { target, has_left });
        let results = session.results(round);
        let cee = results.iter().find(|result| result.who == CEE);
        let cee = cee.expect("a result");
        assert!(cee.in_short.starts_with("move not needed"), "{id}: {cee:?}");
        assert!(cee.is_unneeded, "{id}");
    }
}

/// The label of a failed plan disappears after a few seconds; with all numbers it is there again.
#[test]
fn the_label_of_a_failed_plan_fades() {
    let mut game = all_declared("Phased");
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session.begin_round().expect("the round begins");
    session.catch_up();
    session.fail(BEA, Reason::Short);
    let why = Reason::Short.text(session.game.names());
    let is_told = |game: &mut Game| game.words().contains(&why);
    game.point(Vec2::ONE);
    game.until("the label", is_told);
    game.until("the end of the label", |game| !is_told(game));
    assert_eq!(game.session().intents().all_failures().len(), 1);
    game.key(KeyCode::AltLeft, ButtonState::Pressed);
    game.wait(6);
    assert!(is_told(&mut game));
}

/// Plans that failed before a battle was loaded are no news, even if another battle was on.
#[test]
fn a_loaded_battle_announces_no_old_failures() {
    let mut game = all_declared("Phased");
    let level = fivefoot_kit::field(&ROWS, UNITS);
    let mut session = begun(&level, rules("Phased"), 3);
    session.fail(BEA, Reason::Short);
    show(&mut game, session);
    assert!(!game.says("Bea's plan failed"), "{:?}", game.words());
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session.fail(CEE, Reason::Short);
    assert!(game.comes(|game| game.says("Cee's plan failed")));
}

/// A unit that fell stays in the list while it can be saved, with the words of its card.
#[test]
fn a_fallen_unit_is_named_in_the_list() {
    let units = [
        ("ann", "party", (2, 1), 1),
        ("bea", "party", (0, 0), 30),
        ("gob", "goblins", (3, 1), 30),
    ];
    let is_told = |seed: u64| {
        let mut game = declaring("Phased", &ROWS, &units, seed);
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let mut fell = None;
        let is_later = |session: &Session, fell: Option<u16>| {
            let round = session.shown().clock.round;
            session.is_declaring() && fell.is_some_and(|fell| round > fell + 1)
        };
        for _ in 0..200 {
            if session.game.is_over() || is_later(&session, fell) {
                break;
            }
            on(&mut session);
            let shown = session.shown();
            if !shown.unit(ANN).is_up() {
                fell.get_or_insert(shown.clock.round);
            }
        }
        if !is_later(&session, fell) || session.shown().unit(ANN).dying.is_none() {
            return false;
        }
        game.wait(3);
        let words = game.words();
        let told = words.iter().filter(|word| word.starts_with("dies in "));
        assert!(
            told.count() > 1,
            "on the card and in the list: seed {seed}: {words:?}"
        );
        true
    };
    assert!((1..40).any(is_told), "nobody falls");
}

/// The card of a fallen ally says who can't walk to it.
#[test]
fn the_card_of_a_fallen_ally_names_the_unit_that_cannot_walk() {
    let units = [
        ("ann", "party", (2, 1), 1),
        ("bea", "party", (4, 2), 30),
        ("gob", "goblins", (3, 1), 30),
    ];
    let is_named = |seed: u64| {
        let mut game = declaring("Phased", &ROWS, &units, seed);
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let is_it = |session: &Session| {
            let has_fallen = session.shown().unit(ANN).state == State::Down;
            has_fallen && session.stuck(BEA).is_some()
        };
        for _ in 0..60 {
            if session.game.is_over() || is_it(&session) {
                break;
            }
            on(&mut session);
        }
        if !is_it(&session) {
            return false;
        }
        game.wait(3);
        choose(&mut game, BEA);
        game.point(game.screen_point(game.cell_of(ANN)));
        game.wait(3);
        let why = "Bea is in melee: only Flee (F) leads away";
        assert_eq!(game.preview().click, Click::No(String::from(why)));
        assert!(is_struck_through(&mut game, "Ann"));
        true
    };
    assert!((1..40).any(is_named), "nobody falls");
}

/// Whether a line of at least one pixel crosses a name, all of it.
fn is_struck_through(game: &mut Game, name: &str) -> bool {
    let world = game.app.world_mut();
    let mut texts = world.query::<(&Text, &ChildOf, &ComputedNode)>();
    let mut lines = world.query::<(&Node, &ChildOf, &ComputedNode)>();
    let names = texts.iter(world).filter(|(text, ..)| text.0 == name);
    let names = Vec::from_iter(names.map(|(_, of, node)| (of.parent(), node.size().x)));
    lines.iter(world).any(|(node, of, line)| {
        let crosses = |&(parent, width): &(Entity, f32)| {
            of.parent() == parent && (line.size().x - width).abs() <= 1.0
        };
        let is_line = node.position_type == PositionType::Absolute && line.size().y >= 1.0;
        is_line && names.iter().any(crosses)
    })
}

/// The card of a fallen unit says at how many HP it dies; a dead one no longer bleeds.
#[test]
fn only_the_dying_bleed() {
    let units = [("ann", "party", (2, 1), 1), ("gob", "goblins", (3, 1), 30)];
    for id in ["Phased", "Segments"] {
        let level = fivefoot_kit::field(&ROWS, &units);
        let mut dying = 0;
        for seed in 1..40 {
            let mut session = against(Player::Quick, &level, rules(id), seed);
            for _ in 0..400 {
                session.catch_up();
                if session.game.is_over() {
                    break;
                }
                on(&mut session);
                let ann = session.shown().unit(ANN);
                let bleeds = |words: &str| words.starts_with("Bleeding");
                let said = ann.conditions.iter().find(|c| bleeds(&c.words));
                match ann.state {
                    // A fallen unit that is stable does not bleed.
                    State::Down => {
                        let tells = |c: &fivefoot::ui::ruleset_ui::StatusBadge| {
                            c.words.contains("dies at −10 HP")
                        };
                        assert!(said.is_none_or(tells), "{id}: {said:?}");
                        dying += usize::from(said.is_some());
                    }
                    _ => assert_eq!(said, None, "{id}"),
                }
            }
        }
        assert!(dying > 0, "{id}: nobody falls");
    }
}

/// SP-24, AC-33: a fallen unit that loses points each round has its rounds counted, fewer if it
/// loses more; one that loses none has no count.
#[test]
fn rounds_to_live_are_counted_where_a_rule_has_them() {
    let units = [("ann", "party", (2, 1), 1), ("gob", "goblins", (3, 1), 30)];
    let level = fivefoot_kit::field(&ROWS, &units);
    let dying = |id: &str, bleeds: &dyn Fn(&mut World)| {
        let mut known = Replica::new(&level_setup(&level), rules(id), None);
        let body = of_unit_mut::<Body>(&mut known.world, ANN);
        (body.state, body.hp) = (State::Down, -1);
        bleeds(&mut known.world);
        (ruleset_ui::of(id).status)(&mut known.world, ANN).dying
    };
    let suffers = |condition: SpeedCondition| {
        move |world: &mut World| {
            let ailments = &mut of_unit_mut::<Fighter>(world, ANN).ailments;
            ailments.push(Ailment::new(condition, None, None));
        }
    };
    let rounds = dying("Speed", &|_| ()).expect("it is dying");
    assert!(rounds > 2);
    let bleeding = dying("Speed", &suffers(SpeedCondition::Bleeding));
    assert_eq!(bleeding, Some(rounds.div_ceil(2)));
    assert_eq!(dying("Speed", &suffers(SpeedCondition::Stabilised)), None);
    let loses =
        |points: i32| move |world: &mut World| of_unit_mut::<Actor>(world, ANN).bleeding = points;
    assert_eq!(dying("Activity", &|_| ()), None);
    let rounds = dying("Activity", &loses(1)).expect("it is dying");
    assert!(rounds > 2);
    assert_eq!(dying("Activity", &loses(2)), Some(rounds.div_ceil(2)));
}

/// After the round, the list shows what happened to each unit's order, and the tooltip the plan.
#[test]
fn after_the_round_the_list_says_what_happened() {
    for id in DECLARED {
        let mut game = all_declared(id);
        let round = game.session().shown().clock.round;
        let mut session = game.app.world_mut().resource_mut::<Session>();
        session.begin_round().expect("the round begins");
        session.catch_up();
        on_until(&mut session, |session| {
            session.shown().clock.round > round && session.is_declaring()
        });
        let results = session.results(round);
        let bea = results.iter().find(|result| result.who == BEA);
        let bea = bea.expect("a result");
        let planned = bea.planned.clone().expect("it had a plan");
        assert!(bea.happened.contains("moves 5 ft"), "{id}: {bea:?}");
        if game.session().is_declaring() {
            game.wait(3);
            assert!(game.says("last round: moved 5 ft"), "{id}");
            assert!(bea.in_short.starts_with("moved 5 ft"), "{id}: {bea:?}");
            assert!(!game.says("happened:"), "{id}: only in the tooltip");
            let happened = format!("happened: {}", bea.happened);
            let planned = format!("planned: {planned}");
            let has = |tip: &Tip, words: &String| tip.0.iter().any(|line| line.text == *words);
            let is_own = |tip: &Tip| has(tip, &happened) && has(tip, &planned);
            let place = game.find::<Tip>(is_own).expect("the line of the result");
            game.point(place);
            game.wait(3);
            assert!(game.says(&planned) && game.says(&happened), "{id}");
        }
    }
}

/// PH-13: a unit that shoots could take position afterwards. No plan includes that step, and the
/// list says so, but not of a unit in melee; the card says that the unit does not move.
#[test]
fn the_list_and_the_card_say_that_a_planned_shot_leaves_no_move() {
    let text = r#"(
        title: "A bow",
        map: ["...........", "...........", "..........."],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "bandit", name: "ann", side: "party", at: (8, 1), with: (weapons: ["sword"])),
            (kind: "bandit", name: "bea", side: "party", at: (0, 0), with: (weapons: ["short_bow"])),
            (kind: "bandit", name: "gob", side: "goblins", at: (9, 1), with: (weapons: ["sword"])),
            (kind: "bandit", name: "cee", side: "party", at: (0, 2), with: (weapons: ["sword"])),
        ],
    )"#;
    for (who, is_told) in [(BEA, true), (ANN, false)] {
        let session = Session::new(&fivefoot_kit::level(text), rules("Phased"), 3);
        let mut game = declaring_at(session);
        choose(&mut game, who);
        game.click_cell(game.cell_of(GOB));
        game.wait(3);
        let intent = game.session().intent(who).cloned();
        assert_eq!(intent.and_then(|intent| intent.at()), Some(GOB));
        let says = |tip: &Tip| {
            let mut lines = tip.0.iter();
            lines.any(|line| line.text == "Take position: not part of the plan")
        };
        assert_eq!(game.find::<Tip>(says).is_some(), is_told);
        game.in_time("the plan is previewed", |game| {
            let preview = game.app.world().resource::<PlanPreview>();
            preview.timeline.is_some() && preview.is_current()
        });
        let preview = game.app.world().resource::<PlanPreview>();
        let mut facts = facts(game.session(), preview, who).into_iter();
        assert_eq!(facts.any(|fact| fact.0.ends_with("; no move")), is_told);
    }
}

/// An attack that keeps nothing for parrying says so; one that keeps some does not.
#[test]
fn an_attack_without_a_parry_says_so() {
    for (guard, is_told) in [(0, true), (100, false)] {
        let level = fivefoot_kit::field(&ROWS, UNITS);
        let mut session = begun(&level, rules("Activity"), 3);
        let mut presets = session.queries.ruleset_ui.presets.iter();
        let n = presets.position(|preset| preset.guard == guard);
        let n = n.expect("a preset");
        let draft = Offers::Preset(n).draft(&mut session, ANN);
        let draft = draft.expect("an enemy is beside her");
        let told = session.gives_up(&draft.intent);
        assert_eq!(
            told.contains(&String::from("no parry")),
            is_told,
            "{told:?}"
        );
    }
}
