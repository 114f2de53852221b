//! Orders and rounds again: orders are repeated or suggested by a key, the last round is
//! replayed, and a round takes few inputs.

use super::kit::{
    game::{Game, fresh_home},
    rounds::{
        BESIDE, DECLARED, begun_against, click, declaring, on, on_until, plan, point, rules,
        until_declaring,
    },
    shell::{at, show},
};
use bevy::prelude::*;
use fivefoot::{
    battle::Id,
    control::{
        Player,
        orders::{Fallback, Order},
    },
    grid::Cell,
    levels::Level,
    ui::{
        Command, Screen, Session,
        hud::ReplaysRound,
        preview::{ActionPreview, Click, Offers, outcome::qualification, suggested},
        replay::Ribbon,
        settings::Settings,
        widgets::SendOnPress,
    },
};
use std::sync::Arc;

fn round(game: &Game) -> u16 {
    game.session().shown().clock.round
}

/// R repeats a unit's action of the last round; Shift+R does so for all units without a plan. A
/// unit whose order is done is left without one.
#[test]
fn a_key_repeats_the_last_order() {
    let (ann, gob) = (Id(0), Id(2));
    for id in DECLARED {
        let second = |seed| {
            let mut game = declaring(id, &BESIDE.0, BESIDE.1, seed).at_once();
            assert!(
                !game.session().can_repeat(ann),
                "{id}: there is no last order"
            );
            assert!(!game.says("R: repeat"), "{id}");
            game.click_cell(game.cell_of(gob));
            game.click_cell(Cell::new(0, 2));
            until_declaring(&mut game);
            let asked = game
                .session()
                .question()
                .filter(|_| game.screen() == Screen::Battle);
            let fit = asked.is_some_and(|q| q.actors.contains(&ann) && q.actors.len() == 2)
                || asked.is_some_and(|q| q.actors == [ann]);
            (fit && game.session().shown().unit(gob).is_up()).then_some(game)
        };
        let mut game = (1..9)
            .find_map(second)
            .unwrap_or_else(|| panic!("{id}: no unit is up for another round"));
        assert!(game.session().can_repeat(ann), "{id}");
        // Suggestions stay beside the repeats.
        for all in [false, true] {
            let suggest = Command::Suggest { all };
            let buttons = game.count::<SendOnPress<Command>>(|sends| sends.0 == suggest);
            assert_eq!(buttons, 1, "{id}");
        }
        let first = game.session().game.answered();
        game.app
            .world_mut()
            .resource_mut::<fivefoot::ui::Selection>()
            .choose(ann);
        game.press(KeyCode::KeyR);
        game.wait(2);
        let meant = game.session().intent(ann).cloned();
        assert_eq!(meant.and_then(|i| i.at()), Some(gob), "{id}: once more");
        assert!(game.session().game.answered() > first, "{id}");
        game.key(KeyCode::ShiftLeft, bevy::input::ButtonState::Pressed);
        game.press(KeyCode::KeyR);
        game.key(KeyCode::ShiftLeft, bevy::input::ButtonState::Released);
        game.wait(2);
        // Bea has arrived where she was sent.
        let bea = Id(1);
        assert!(game.session().is_declaring(), "{id}");
        assert!(game.says("No order to repeat for"), "{id}");
        assert_eq!(game.session().intent(bea), None, "{id}");
    }
}

/// The key that repeats gives no other order; suggestions have their own key.
#[test]
fn a_unit_without_a_last_order_repeats_nothing() {
    for id in DECLARED {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3).at_once();
        let answered = game.session().game.answered();
        game.press(KeyCode::KeyR);
        game.wait(2);
        assert!(game.says("No order to repeat"), "{id}");
        assert_eq!(game.session().game.answered(), answered, "{id}");
        game.key(KeyCode::ShiftLeft, bevy::input::ButtonState::Pressed);
        game.press(KeyCode::KeyS);
        game.key(KeyCode::ShiftLeft, bevy::input::ButtonState::Released);
        game.wait(2);
        assert!(game.session().game.answered() > answered, "{id}");
    }
}

/// An attack is repeated as it was, or not at all.
#[test]
fn an_attack_is_repeated_or_left_out() {
    let (ann, gob) = (Id(0), Id(2));
    let units = [
        ("ann", "party", (2, 1), 30),
        ("bea", "party", (0, 0), 30),
        ("gob", "goblins", (3, 1), 6),
        ("gab", "goblins", (5, 1), 30),
    ];
    let level = fivefoot_kit::field(&["..........", "..........", ".........."], &units);
    let (mut repeated, mut left_out) = (0, 0);
    for id in DECLARED {
        for seed in 1..=8 {
            let mut session = begun_against(Player::Idle, &level, rules(id), seed);
            let is_asked = |session: &Session| {
                let asked = session.question().filter(|_| session.is_declaring());
                asked.is_some_and(|asked| asked.actors.contains(&ann))
            };
            while !is_asked(&session) {
                on(&mut session);
            }
            let there = session.shown().unit(gob).at;
            let Click::Plan(draft) = ActionPreview::of(&mut session, &point(ann, there)).click
            else {
                panic!("{id}: it can be planned");
            };
            plan(&mut session, &draft);
            let is_next = |session: &Session| session.shown().clock.round == 2 && is_asked(session);
            if !on_until(&mut session, is_next) {
                continue;
            }
            let is_up = session.shown().unit(gob).is_up();
            match Offers::Again.draft(&mut session, ann) {
                Ok(again) => {
                    assert!(is_up, "{id} {seed}: {again:?}");
                    let orders = [&again, &draft].map(|draft| &draft.intent.plan.order);
                    assert_eq!(orders[0], orders[1], "{id} {seed}");
                    repeated += 1;
                }
                Err(_) => left_out += usize::from(!is_up),
            }
        }
    }
    assert!(repeated > 0 && left_out > 0, "{repeated}, {left_out}");
}

/// A unit that charged and now stands beside its target attacks it there: the order says so.
#[test]
fn a_charge_is_repeated_as_an_attack_beside_the_target() {
    let (ann, gob) = (Id(0), Id(1));
    let units = [("ann", "party", (1, 1), 30), ("gob", "goblins", (7, 1), 30)];
    let level = fivefoot_kit::field(&["..........", "..........", ".........."], &units);
    let rules = rules("Segments");
    let is_charge = |order: &Order| match order {
        Order::Attack { by: Some(by), .. } => rules.planning.is_charge(by),
        _ => false,
    };
    let mut repeated = 0;
    for seed in 1..=8 {
        let mut session = begun_against(Player::Idle, &level, rules, seed);
        let there = session.shown().unit(gob).at;
        let Click::Plan(draft) = ActionPreview::of(&mut session, &point(ann, there)).click else {
            panic!("it can be planned");
        };
        assert!(is_charge(&draft.intent.plan.order), "{draft:?}");
        plan(&mut session, &draft);
        let is_next =
            |session: &Session| session.shown().clock.round == 2 && session.is_declaring();
        if !on_until(&mut session, is_next) {
            continue;
        }
        if let Ok(again) = Offers::Again.draft(&mut session, ann) {
            let order = &again.intent.plan.order;
            assert_eq!(order.target(), Some(gob), "{seed}");
            assert!(!is_charge(order), "{seed}: {order:?}");
            repeated += 1;
        }
    }
    assert!(repeated > 0);
}

/// A repeated attack keeps the weapon of the order, and an order that is left out has a reason.
#[test]
fn an_order_is_repeated_with_its_weapon_or_has_a_reason() {
    let mut all = fivefoot::levels::built_in().iter();
    let chapel = all.find(|level| level.id == "chapel").expect("the chapel");
    let (mut repeated, mut left_out) = (0, 0);
    for seed in 1..=4 {
        let mut session = begun_against(Player::Quick, chapel, rules("Phased"), seed);
        let party = session.question().expect("a question").actors.clone();
        for who in party {
            if let Ok(draft) = Offers::Suggested.draft(&mut session, who) {
                plan(&mut session, &draft);
            }
        }
        let is_next =
            |session: &Session| session.is_declaring() && session.shown().clock.round == 2;
        if !on_until(&mut session, is_next) {
            continue;
        }
        let asked = session.question().expect("a question").actors.clone();
        for who in asked {
            let last = session.intents().before(who, 2).cloned();
            let last = last.map(|intent| intent.plan.order);
            match Offers::Again.draft(&mut session, who) {
                Ok(again) => {
                    if let Some(Order::Attack { .. }) = &last {
                        let Order::Attack { target, with, .. } = again.intent.plan.order else {
                            panic!("{seed}: {}", again.intent.label);
                        };
                        assert_eq!(
                            Some(target),
                            last.as_ref().and_then(Order::target),
                            "{seed}"
                        );
                        if let Some(Order::Attack {
                            with: Some(held), ..
                        }) = last
                        {
                            assert_eq!(with, Some(held), "{seed}");
                        }
                        repeated += 1;
                    }
                }
                Err(why) => {
                    let reason = why.strip_prefix("No order to repeat: ");
                    assert!(reason.is_some_and(|reason| reason.len() > 1), "{why}");
                    left_out += 1;
                }
            }
        }
    }
    assert!(repeated > 0 && left_out > 0, "{repeated}, {left_out}");
}

/// *Suggest all* declares for every unit of the side, also if they declare one by one.
#[test]
fn suggest_all_declares_for_every_unit() {
    for id in DECLARED {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3).at_once();
        game.click_button(&Command::Suggest { all: true });
        game.wait(12);
        let declares = game.session().is_declaring() && round(&game) == 1;
        assert!(!declares, "{id}: {:?}", game.session().question());
    }
}

/// Ann and Bea on either side of Gob, who falls to any hit, and more enemies. Ann's short sword is
/// the faster weapon.
fn two_beside_gob(others: &str) -> Arc<Level> {
    let text = r#"(
        title: "Two against Gob",
        map: [".......", ".......", "......."],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "bandit", name: "ann", side: "party", at: (2, 1), with: (weapons: ["short_sword"], armour: None, morale: Fearless, phased: (ac: 10, hp: 20, aac0: "5"))),
            (kind: "bandit", name: "bea", side: "party", at: (4, 1), with: (weapons: ["sword"], armour: None, morale: Fearless, phased: (ac: 10, hp: 20, aac0: "5"))),
            (kind: "bandit", name: "gob", side: "goblins", at: (3, 1), with: (weapons: ["sword"], armour: None, morale: Fearless, phased: (ac: 10, hp: 1, aac0: "20"))),
            OTHERS
        ],
    )"#;
    fivefoot_kit::level(&text.replace("OTHERS", others))
}

/// A suggestion takes the orders of allies into account: Bea does not attack what Ann, whose short
/// sword is faster, will have dropped.
#[test]
fn a_suggestion_spares_an_enemy_that_an_ally_is_likely_to_drop() {
    let level = two_beside_gob(
        r#"(kind: "bandit", name: "gab", side: "goblins", at: (3, 2), with: (weapons: ["sword"], armour: None, morale: Fearless, phased: (ac: 10, hp: 20, aac0: "20"))),"#,
    );
    let (ann, bea, gob, gab) = (Id(0), Id(1), Id(2), Id(3));
    let mut session = begun_against(Player::Idle, &level, rules("Phased"), 3);
    let first = suggested(&mut session, ann).expect("she can strike");
    assert_eq!(first.intent.at(), Some(gob));
    let second = suggested(&mut session, bea).expect("she can strike");
    assert_eq!(second.intent.at(), Some(gob), "nobody has an order yet");
    plan(&mut session, &first);
    // If her target falls before, she takes another one.
    assert_eq!(session.fallback(ann), Fallback::Another);
    // Beside an order that is mostly not needed, the list says why.
    let situation = session.situation(Some(&second.intent.plan));
    let simulated = situation.and_then(|all| all.simulate((3, 40), &|| false));
    let simulated = simulated.expect("it can be simulated");
    let why = qualification(&simulated, bea, session.game.names()).expect("Gob falls before");
    assert!(why.ends_with("will be down by then"), "{why}");
    assert_eq!(qualification(&simulated, ann, session.game.names()), None);
    let second = suggested(&mut session, bea).expect("she can strike");
    assert_eq!(second.intent.at(), Some(gab));
}

/// A unit gets a suggestion even if the order of an ally is likely to end the battle before it acts.
#[test]
fn a_unit_gets_a_suggestion_beside_an_ally_who_ends_the_battle() {
    let level = two_beside_gob("");
    let mut session = begun_against(Player::Idle, &level, rules("Phased"), 3);
    let first = suggested(&mut session, Id(0)).expect("she can strike");
    plan(&mut session, &first);
    let second = suggested(&mut session, Id(1)).expect("she gets an order too");
    assert!(!second.orders().is_empty());
}

/// An attack for which the unit comes too late is not suggested: it moves beside the enemy.
#[test]
fn a_move_is_suggested_instead_of_an_attack_out_of_time() {
    // The way is no straight line, so there is no charge.
    let text = r##"(
        title: "Around the corner",
        map: [".....", ".#...", ".#..."],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "bandit", name: "ann", side: "party", at: (0, 1), with: (weapons: ["sword"], armour: None, morale: Fearless)),
            (kind: "bandit", name: "gob", side: "goblins", at: (3, 2), with: (weapons: ["sword"], armour: None, morale: Fearless)),
        ],
    )"##;
    let level = fivefoot_kit::level(text);
    let mut session = begun_against(Player::Idle, &level, rules("Phased"), 3);
    let draft = suggested(&mut session, Id(0)).expect("she can move");
    let order = &draft.intent.plan.order;
    assert!(!matches!(order, Order::Attack { .. }), "{order:?}");
}

/// PH-52: a suggested move does not end in the cell to which an ally moves.
#[test]
fn a_suggestion_ends_in_no_cell_of_an_order() {
    // The way leads around a wall, so that there is no charge.
    let text = r##"(
        title: "One behind the other",
        map: ["....................", ".###################", "...................."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "bandit", name: "ann", side: "party", at: (18, 0), with: (weapons: ["sword"], armour: None, morale: Fearless)),
            (kind: "bandit", name: "bea", side: "party", at: (19, 0), with: (weapons: ["sword"], armour: None, morale: Fearless)),
            (kind: "bandit", name: "gob", side: "goblins", at: (19, 2), with: (weapons: ["sword"], armour: None, morale: Fearless)),
        ],
    )"##;
    let (ann, bea) = (Id(0), Id(1));
    let level = fivefoot_kit::level(text);
    let mut session = begun_against(Player::Idle, &level, rules("Phased"), 3);
    let first = suggested(&mut session, bea).expect("she can move");
    let Order::Move { to } = first.intent.plan.order else {
        panic!("{:?}", first.intent.plan.order);
    };
    let draft = click(&mut session, &point(ann, to));
    plan(&mut session, &draft);
    let second = suggested(&mut session, bea).expect("she can move");
    let order = second.intent.plan.order;
    assert!(
        matches!(order, Order::Move { to: other } if other != to),
        "{order:?}"
    );
}

/// If the whole plan is shown before the round begins, *Suggest all* declares once and stops
/// there, so that the plans are simulated and can be undone.
#[test]
fn suggest_all_is_shown_and_can_be_undone() {
    for id in DECLARED {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
        game.app.world_mut().resource_mut::<Settings>().review = true;
        game.wait(2);
        game.click_button(&Command::Suggest { all: true });
        game.wait(8);
        assert!(game.session().held().is_some(), "{id}");
        let moment = game.session().moment();
        game.wait(8);
        assert!(
            game.session().moment() == moment,
            "{id}: it is declared again and again"
        );
        game.press(KeyCode::KeyU);
        game.wait(4);
        assert!(game.session().held().is_none(), "{id}");
        assert!(game.session().is_declaring(), "{id}");
    }
}

/// An order names a special declaration first, and a declaration with a target is the order
/// itself: its success rate is not that of what follows.
#[test]
fn an_order_names_its_declaration_first() {
    let (mut named, mut followed) = (0, 0);
    let all = fivefoot::levels::built_in().iter();
    for level in all.filter(|level| ["mill", "chapel"].contains(&&*level.id)) {
        for seed in 1..=5 {
            let mut session = begun_against(Player::Quick, level, rules("Phased"), seed);
            let asked = session.question().expect("a question").actors.clone();
            for who in asked {
                let Ok(draft) = Offers::Suggested.draft(&mut session, who) else {
                    continue;
                };
                let first = &draft.orders()[0];
                // What every attack or move is declared by goes without saying.
                let is_usual = session
                    .queries
                    .usual_declarations(who)
                    .contains(&first.verb);
                let planning = session.queries.rules.planning;
                let is_idle =
                    planning.idle.contains(&first.verb) || planning.done.contains(&first.verb);
                if is_usual || is_idle || first.spell.is_some() {
                    continue;
                }
                let word = session.queries.label(first.verb);
                assert!(
                    draft.intent.label.starts_with(&*word),
                    "{word}: {}",
                    draft.intent.label
                );
                let is_own = first.at.is_none() || draft.intent.at() == first.at;
                assert!(is_own, "{}", draft.intent.label);
                named += usize::from(first.at.is_some());
                followed += usize::from(draft.intent.label.contains(", then "));
            }
        }
    }
    assert!(named > 0 && followed > 0, "{named}, {followed}");
}

/// A unit whose suggested order leaves everything to its turn gets no plan, so that it is asked
/// then.
#[test]
fn a_suggested_normal_turn_is_no_plan() {
    let mut all = fivefoot::levels::built_in().iter();
    let mill = all.find(|level| level.id == "mill").expect("the mill");
    let mut found = 0;
    for seed in 1..=24 {
        let mut session = begun_against(Player::Quick, mill, rules("Phased"), seed);
        for _ in 0..1_000 {
            if session.game.is_over() || session.shown().clock.round > 13 || found > 0 {
                break;
            }
            if !session.is_declaring() {
                on(&mut session);
                continue;
            }
            let Some(asked) = session.question().map(|asked| asked.actors.clone()) else {
                break;
            };
            for who in asked {
                let Ok(draft) = Offers::Suggested.draft(&mut session, who) else {
                    continue;
                };
                if draft.intent.label == "Normal turn" {
                    assert!(!draft.intent.plan.has_purpose(), "{seed}");
                    found += 1;
                }
                plan(&mut session, &draft);
            }
            if session.is_declaring() {
                on(&mut session);
            }
        }
    }
    assert!(found > 0);
}

/// A key replays the last round; the battle itself stays as it is.
#[test]
fn a_key_replays_the_last_round() {
    let mut game = declaring("Speed", &BESIDE.0, BESIDE.1, 3);
    game.press(KeyCode::Backspace);
    assert!(game.says("There is no round to replay yet"));
    game.click_cell(game.cell_of(Id(2)));
    game.click_cell(Cell::new(0, 2));
    until_declaring(&mut game);
    let (events, bea) = (game.session().shown().events, game.cell_of(Id(1)));
    assert!(!is_marked_as_replay(&mut game));
    game.press(KeyCode::Backspace);
    assert!(game.session().shown().events < events, "from its beginning");
    assert!(is_marked_as_replay(&mut game));
    assert_ne!(game.cell_of(Id(1)), bea, "Bea is back where she was");
    game.until_own_turn();
    assert_eq!(game.session().shown().events, events);
    assert_eq!(game.cell_of(Id(1)), bea);
    assert!(!is_marked_as_replay(&mut game));
}

/// Whether the board has its ribbon for replays.
fn is_marked_as_replay(game: &mut Game) -> bool {
    let world = game.app.world_mut();
    let mut ribbons = world.query_filtered::<&Visibility, With<Ribbon>>();
    ribbons.iter(world).any(|seen| *seen != Visibility::Hidden)
}

/// A click on a part of the track without a preview replays the last round too.
#[test]
fn a_click_on_the_track_replays_the_last_round() {
    for id in ["Segments", "Phased"] {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
        assert!(
            game.find::<ReplaysRound>(|_| true).is_none(),
            "{id}: nothing to see"
        );
        game.click_cell(game.cell_of(Id(2)));
        game.click_cell(Cell::new(0, 2));
        until_declaring(&mut game);
        game.wait(2);
        assert_eq!(round(&game), 2, "{id}");
        let events = game.session().shown().events;
        game.click_on::<ReplaysRound>("the track", |_| true);
        assert!(game.session().shown().events < events, "{id}");
        game.until_own_turn();
        assert_eq!(game.session().shown().events, events, "{id}");
    }
}

/// Plays some rounds of a level like a player who wants to fight: clicks a target for each
/// unit, repeats all orders in later rounds, and answers everything else. The number of
/// clicks and keystrokes per round.
fn inputs_a_round(id: &str, rounds: u16) -> f32 {
    let mut game = at(&fresh_home()).at_once();
    let level = fivefoot::levels::default_level();
    show(&mut game, Session::new(&level, rules(id), 5));
    let (mut inputs, mut last, mut vain) = (0, None, 0);
    let mut clicked = std::collections::BTreeSet::new();
    for _ in 0..400 {
        game.until_asked();
        let now = round(&game);
        if game.screen() != Screen::Battle || now > rounds {
            break;
        }
        let answered = game.session().game.answered();
        // Plans are carried out automatically.
        for _ in 0..80 {
            if game.session().question().is_none() || game.session().is_prompted() {
                break;
            }
            game.wait(1);
            if game.session().game.answered() > answered || game.session().is_declaring() {
                break;
            }
        }
        let waits = game.session().question().is_some() || game.session().awaits_end_of_turn();
        if game.session().game.answered() > answered || !waits {
            continue;
        }
        inputs += 1;
        // After inputs without effect, end the unit's action or the declarations instead.
        let is_stuck = last.replace(answered) == Some(answered);
        vain = if is_stuck { vain + 1 } else { 0 };
        let is_declaring = game.session().is_declaring();
        if game.selection().warning.is_some() {
            // Confirm the warning about the unspent rest of the round.
            game.press(KeyCode::Enter);
        } else if vain > 2 && is_declaring {
            game.press(if vain > 4 {
                KeyCode::KeyZ
            } else {
                KeyCode::KeyE
            });
        } else if vain > usize::from(is_declaring) && !game.session().is_prompted() {
            game.press(KeyCode::KeyN);
        } else if game.session().awaits_end_of_turn() {
            game.press(KeyCode::KeyE);
        } else if game.session().is_prompted() {
            game.press(KeyCode::Enter);
        } else if !is_declaring {
            // After a failed plan or under surprise, do nothing.
            game.press(KeyCode::KeyN);
        } else if vain == 0 && (now > 1 || clicked.contains(&game.selection().chosen)) {
            game.key(KeyCode::ShiftLeft, bevy::input::ButtonState::Pressed);
            game.press(match now {
                1 => KeyCode::KeyA,
                _ => KeyCode::KeyR,
            });
            game.key(KeyCode::ShiftLeft, bevy::input::ButtonState::Released);
        } else {
            clicked.insert(game.selection().chosen);
            let who = game.selection().chosen.expect("a unit declares");
            let here = game.cell_of(who);
            let gap = |c: &Cell| (c.x - here.x).abs().max((c.y - here.y).abs());
            let near = game.enemies().into_iter().min_by_key(gap);
            game.click_cell(near.expect("an enemy"));
        }
        game.wait(3);
    }
    assert!(
        round(&game) > 2,
        "{id}: rounds were played: {inputs} inputs, {:?}, {:?}",
        game.session().question(),
        game.selection(),
    );
    inputs as f32 / f32::from(round(&game).min(rounds + 1) - 1)
}

/// The mean number of inputs per round must not exceed a limit.
macro_rules! few_inputs {
    ($($name:ident: $id:literal, $most:literal;)*) => {
        $(#[test]
        fn $name() {
            let inputs = inputs_a_round($id, 4);
            println!("{}: {inputs:.1} inputs a round", $id);
            assert!(inputs <= $most, "{}: {inputs:.1} inputs a round", $id);
        })*
    };
}

few_inputs! {
    a_round_of_segments_takes_few_inputs: "Segments", 8.0;
    a_round_of_phased_takes_few_inputs: "Phased", 8.0;
    a_round_of_speed_takes_few_inputs: "Speed", 10.0;
    a_round_of_activity_takes_few_inputs: "Activity", 12.0;
}
