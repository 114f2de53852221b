//! Plans: declared by a click on the target, drawn, carried out when they are due, and
//! repeated by a key.

use super::kit::{
    game::{Game, fresh_home},
    rounds::{DECLARED, People, begun_against, declaring, declaring_at, on, plan, point, rules},
    shell::{at, show, walk_cursor},
};
use bevy::prelude::*;
use fivefoot::{
    battle::{Choice, Decision, EventKind, Id, Offer},
    control::{
        Player,
        orders::{Order, Reason},
        recording::Recording,
    },
    grid::Cell,
    levels::{Level, default_level},
    ui::{
        Command, Screen, Session,
        board::{Layer, plans::FADED},
        hud::{PreviewFrame, ReplaysRound},
        preview::{
            ActionPreview, Click, Offers, PlanPreview, PreviewedMoment,
            carry::{Went, go_on, next},
            course::RoundTimeline,
        },
        read::AimedSpell,
        replay::Ribbon,
        session::{Held, Intent},
        settings::Settings,
        widgets::SendOnPress,
    },
};
use fivefoot_kit::level;
use std::sync::Arc;

fn round(game: &Game) -> u16 {
    game.session().shown().clock.round
}

/// Declines reactions until the player's side declares or the battle is over.
fn until_declaring(game: &mut Game) {
    for _ in 0..60 {
        game.until_own_turn();
        if game.screen() != Screen::Battle || game.session().is_declaring() {
            return;
        }
        let answered = game.session().game.answered();
        // Plans are carried out automatically once everything has been shown.
        let goes_on = (0..80).any(|_| {
            game.wait(1);
            game.session().game.answered() > answered
        });
        if goes_on || !game.session().is_players_turn() || game.session().is_declaring() {
            continue;
        }
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let next = next(&mut session);
        panic!(
            "{}: asked in round {}: {:?}: {next:?}",
            session.game.rules().id,
            session.shown().clock.round,
            session.question(),
        );
    }
}

fn cell_of(game: &Game, who: Id) -> Cell {
    game.session().shown().person(who).at
}

fn course(game: &Game) -> RoundTimeline {
    let preview = game.app.world().resource::<PlanPreview>();
    preview.course.clone().expect("the round is previewed")
}

/// Whether the success rates of the plans are known.
fn is_simulated(game: &Game) -> bool {
    let preview = game.app.world().resource::<PlanPreview>();
    preview.simulation.is_some()
}

fn struck(game: &Game, by: Id, at: Id) -> bool {
    game.session().known_events().any(|e| match &e.what {
        EventKind::Acted { choice } => choice.who == Some(by) && choice.at == Some(at),
        EventKind::AttackRolled { shot } => shot.attack.by == by && shot.attack.at == at,
        _ => false,
    })
}

/// Ann beside an enemy, Bea far from everyone, an enemy behind a wall.
const BESIDE: ([&str; 3], &People) = (
    [".......#..", ".......#..", ".......#.."],
    &[
        ("ann", "party", (2, 1), 12),
        ("bea", "party", (0, 0), 12),
        ("gob", "goblins", (3, 1), 12),
        ("gab", "goblins", (9, 1), 12),
    ],
);

#[test]
fn a_click_on_an_enemy_makes_a_plan_that_is_drawn_and_carried_out() {
    for id in DECLARED {
        // The enemy may drop her first, so try several seeds.
        let went = (1..7).any(|seed| plans_and_strikes(id, seed));
        assert!(went, "{id}: Ann strikes as planned");
    }
}

fn plans_and_strikes(id: &str, seed: u64) -> bool {
    let mut game = declaring(id, &BESIDE.0, BESIDE.1, seed);
    assert!(game.session().is_declaring(), "{id}");
    let (ann, bea, gob) = (Id(0), Id(1), Id(2));
    let enemy = cell_of(&game, gob);
    game.point(game.spot(enemy));
    assert!(
        matches!(&game.preview().click, Click::Plan(_)),
        "{id}: {:?}",
        game.preview().click
    );
    // Under the cursor, the preview shows the plan's result.
    let shown = course(&game);
    let action = shown
        .acts
        .iter()
        .find(|d| d.who == ann && d.at == Some(gob));
    assert!(action.is_some(), "{id}: {:?}", shown);
    game.click_cell(enemy);
    let open = game
        .session()
        .question()
        .expect("Bea is asked")
        .actors
        .clone();
    assert_eq!(open, [bea], "{id}: a click declares all of it");
    assert!(game.session().intent(ann).is_some());
    // The plan stays drawn while the next unit declares.
    assert!(course(&game).acts.iter().any(|d| d.at == Some(gob)), "{id}");
    game.click_cell(Cell::new(0, 2));
    until_declaring(&mut game);
    assert_eq!(cell_of(&game, bea), Cell::new(0, 2), "{id}: Bea goes there");
    struck(&game, ann, gob)
}

/// Two units in a corridor: the one behind can move only after the other.
#[test]
fn the_preview_of_two_units_in_a_corridor_is_right() {
    for id in DECLARED {
        let rows = [".........#.."];
        let people = [
            ("ann", "party", (1, 0), 12),
            ("bea", "party", (0, 0), 12),
            ("gab", "goblins", (11, 0), 12),
        ];
        let mut game = declaring(id, &rows, &people, 2);
        let (ann, bea) = (Id(0), Id(1));
        game.click_cell(Cell::new(4, 0));
        assert_eq!(game.selection().chosen, Some(bea), "{id}");
        game.point(game.spot(Cell::new(3, 0)));
        let shown = course(&game);
        let end = |who: Id| {
            let own = shown.acts.iter().filter(|d| d.who == who);
            own.filter_map(|d| d.path.last().copied()).next_back()
        };
        let ends = [end(ann), end(bea)];
        assert!(ends.iter().all(Option::is_some), "{id}: {shown:?}");
        let last = shown.frames.last().expect("the round has an end");
        assert_eq!(Some(last.people[ann.index()].at), ends[0], "{id}");
        game.click_cell(Cell::new(3, 0));
        until_declaring(&mut game);
        let came = [ann, bea].map(|who| Some(cell_of(&game, who)));
        assert_eq!(came, ends, "{id}: as it was shown");
        assert_eq!(came[0], Some(Cell::new(4, 0)), "{id}: where it was meant");
    }
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
            game.click_cell(cell_of(&game, gob));
            game.click_cell(Cell::new(0, 2));
            until_declaring(&mut game);
            let asked = game
                .session()
                .question()
                .filter(|_| game.screen() == Screen::Battle);
            let fit = asked.is_some_and(|q| q.actors.contains(&ann) && q.actors.len() == 2)
                || asked.is_some_and(|q| q.actors == [ann]);
            (fit && game.session().shown().person(gob).is_up()).then_some(game)
        };
        let mut game = (1..9)
            .find_map(second)
            .unwrap_or_else(|| panic!("{id}: nobody is up for another round"));
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
    let people = [
        ("ann", "party", (2, 1), 30),
        ("bea", "party", (0, 0), 30),
        ("gob", "goblins", (3, 1), 6),
        ("gab", "goblins", (5, 1), 30),
    ];
    let level = fivefoot_kit::field(&["..........", "..........", ".........."], &people);
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
            let there = session.shown().person(gob).at;
            let Click::Plan(draft) = ActionPreview::of(&mut session, &point(ann, there)).click
            else {
                panic!("{id}: it can be planned");
            };
            plan(&mut session, &draft);
            let is_next = |session: &Session| session.shown().clock.round == 2 && is_asked(session);
            for _ in 0..400 {
                if session.game.is_over() || is_next(&session) {
                    break;
                }
                on(&mut session);
            }
            if session.game.is_over() || !is_next(&session) {
                continue;
            }
            let is_up = session.shown().person(gob).is_up();
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

/// If a plan is not possible, the reason is about the attack, not about a missing door.
#[test]
fn the_reason_of_an_impossible_plan_is_about_the_attack() {
    let all = fivefoot::levels::built_in().iter();
    let ring = all.clone().find(|level| level.id == "duel").unwrap();
    let mut game = at(&fresh_home());
    show(&mut game, Session::new(ring, rules("Phased"), 5));
    until_declaring(&mut game);
    game.point(game.spot(cell_of(&game, Id(3))));
    game.wait(3);
    let failures = course(&game).failures;
    assert!(
        failures
            .values()
            .all(|r| !matches!(r, Reason::Refused { .. })),
        "{failures:?}"
    );
}

/// Other sides cannot see a side's plans.
#[test]
fn other_sides_cannot_see_plans() {
    for id in DECLARED {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
        game.click_cell(cell_of(&game, Id(2)));
        let own = game.session().player();
        for action in &course(&game).acts {
            let side = game.session().shown().person(action.who).side;
            assert_eq!(side, own, "{id}: no foe's plan is drawn");
        }
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
            let who = game.selection().chosen.expect("somebody declares");
            let here = cell_of(&game, who);
            let shown = game.session().shown();
            let enemies = shown.people.iter();
            let foes = enemies.filter(|p| p.is_up() && p.side != game.session().player());
            let gap = |c: Cell| (c.x - here.x).abs().max((c.y - here.y).abs());
            let near = foes.min_by_key(|p| (gap(p.at), p.id)).map(|p| p.at);
            game.click_cell(near.expect("a foe"));
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

/// A key replays the last round; the battle itself stays as it is.
#[test]
fn a_key_replays_the_last_round() {
    let mut game = declaring("Speed", &BESIDE.0, BESIDE.1, 3);
    game.press(KeyCode::Backspace);
    assert!(game.says("There is no round to replay yet"));
    game.click_cell(cell_of(&game, Id(2)));
    game.click_cell(Cell::new(0, 2));
    until_declaring(&mut game);
    let (events, bea) = (game.session().shown().events, cell_of(&game, Id(1)));
    assert!(!is_marked_as_replay(&mut game));
    game.press(KeyCode::Backspace);
    assert!(game.session().shown().events < events, "from its beginning");
    assert!(is_marked_as_replay(&mut game));
    assert_ne!(cell_of(&game, Id(1)), bea, "Bea is back where she was");
    game.until_own_turn();
    assert_eq!(game.session().shown().events, events);
    assert_eq!(cell_of(&game, Id(1)), bea);
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
        game.click_cell(cell_of(&game, Id(2)));
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

/// Once a spell is chosen from the list, a click plans it at a target; Enter leaves the
/// target open.
#[test]
fn a_spell_is_planned_at_its_target() {
    let text = r#"(
        title: "A spell",
        map: ["............", "............", "............"],
        sides: [(id: "party", awareness: Alert), (id: "foes", control: Ai, awareness: Alert)],
        combatants: [
            (kind: "ysolde", side: "party", at: (1, 1)),
            (kind: "ogre", side: "foes", at: (8, 1)),
        ],
    )"#;
    let level = level(text);
    for id in ["Segments", "Phased", "Speed"] {
        for aims in [true, false] {
            let mut game = declaring_at(Session::new(&level, rules(id), 3));
            game.press(KeyCode::KeyM);
            let menu = game.preview().menu.clone().expect("spells");
            let bolt = menu.rows.iter().position(|r| r.label == "Fire bolt");
            game.click_button(&Command::Reply(bolt.expect("Fire bolt")));
            assert!(
                game.preview().unaimed.is_some(),
                "{id}: it waits for its target"
            );
            let answered = game.session().game.answered();
            match aims {
                true => game.click_cell(cell_of(&game, Id(1))),
                false => game.press(KeyCode::Enter),
            }
            game.wait(2);
            assert!(
                game.session().game.answered() > answered,
                "{id}: it is declared"
            );
            let meant = game.session().intent(Id(0)).and_then(|i| i.at());
            assert_eq!(meant, aims.then_some(Id(1)), "{id}");
        }
    }
}

/// Under Phased the target is named long before the spell takes effect (PH-23, PH-24).
#[test]
fn an_aimed_spell_is_marked_until_it_takes_effect() {
    let text = r#"(
        title: "A spell",
        map: ["............", "............", "............"],
        sides: [(id: "party", awareness: Alert), (id: "foes", control: Ai, awareness: Alert)],
        combatants: [
            (kind: "ysolde", side: "party", at: (1, 1), with: (spells: ["SPELL"])),
            (kind: "ogre", side: "foes", at: (8, 1)),
            // Her turn comes between the two.
            (kind: "mara", side: "party", at: (1, 0)),
        ],
    )"#;
    let (ysolde, ogre) = (Id(0), Id(1));
    let aim_of = |session: &Session| session.shown().person(ysolde).aimed.clone();
    for spell in ["fire_bolt", "flame_burst"] {
        let level = level(&text.replace("SPELL", spell));
        let mut session = begun_against(Player::Idle, &level, rules("Phased"), 3);
        for _ in 0..100 {
            if aim_of(&session).is_some() {
                break;
            }
            let offers = session.offers_of(ysolde);
            let is_spell = |o: &&Offer| o.is_legal() && o.choice.spell.is_some();
            match offers.iter().find(is_spell) {
                Some(offer) => {
                    session
                        .give(std::slice::from_ref(&offer.choice))
                        .expect("it is on offer");
                    session.catch_up();
                }
                None => drop(on(&mut session)),
            }
        }
        match aim_of(&session).expect("a target") {
            AimedSpell::Unit(at) => assert_eq!((spell, at), ("fire_bolt", ogre)),
            AimedSpell::Area(to, cells) => assert!(cells.contains(&to), "{spell}"),
        }

        let mut game = at(&fresh_home());
        show(&mut game, session);
        assert!(aim_marks(&mut game) > 0, "{spell}");
        {
            let mut session = game.app.world_mut().resource_mut::<Session>();
            for _ in 0..100 {
                if aim_of(&session).is_none() {
                    break;
                }
                on(&mut session);
            }
            assert_eq!(aim_of(&session), None, "{spell}");
        }
        game.wait(2);
        assert_eq!(aim_marks(&mut game), 0, "{spell}");
    }
}

/// A spell declared without a target is among the spells of the round at once.
#[test]
fn a_declared_spell_is_on_the_track() {
    let people = [
        r#"(kind: "ysolde", side: "party", at: (1, 1))"#,
        r#"(kind: "mara", side: "party", at: (1, 0))"#,
        r#"(kind: "ogre", side: "foes", at: (8, 1))"#,
    ];
    let text = format!(
        r#"(
            title: "A spell",
            map: ["............", "............", "............"],
            sides: [(id: "party", awareness: Alert), (id: "foes", control: Ai, awareness: Alert)],
            combatants: [{}],
        )"#,
        people.join(", ")
    );
    let mut session = begun_against(Player::Idle, &level(&text), rules("Phased"), 3);
    let spells = |session: &Session| {
        let track = session.shown().clock.track.iter();
        let mut spells = track.filter(|stop| &*stop.label == "Spells");
        spells.any(|stop| stop.marks.iter().any(|mark| mark.who == Id(0)))
    };
    assert!(!spells(&session));
    let offers = session.offers_of(Id(0));
    let spell = offers
        .iter()
        .find(|o| o.is_legal() && o.choice.spell.is_some());
    let choice = spell.expect("a spell").choice.clone();
    session.give(&[choice]).expect("it is on offer");
    session.catch_up();
    assert!(session.is_declaring() && spells(&session));
}

/// How many marks of plans are faded, and how many are not.
fn plan_marks(game: &mut Game) -> (usize, usize) {
    let world = game.app.world_mut();
    let mut marks = world.query::<(&Layer, &Sprite)>();
    let plans = marks
        .iter(world)
        .filter(|(layer, _)| **layer == Layer::Plans);
    let (faded, full): (Vec<_>, Vec<_>) = plans.partition(|(_, mark)| mark.color.alpha() <= FADED);
    (faded.len(), full.len())
}

#[test]
fn plans_of_other_units_are_faded_while_one_is_hovered() {
    let rows = ["............", "............", ".........#.."];
    let people = [
        ("ann", "party", (0, 0), 12),
        ("bea", "party", (0, 1), 12),
        ("cat", "party", (0, 2), 12),
        ("gab", "goblins", (11, 2), 12),
    ];
    for id in DECLARED {
        let mut game = declaring(id, &rows, &people, 2);
        game.click_cell(Cell::new(3, 0));
        game.click_cell(Cell::new(3, 1));
        assert!(game.session().is_declaring(), "{id}: Cat is asked");
        // Some marks are pale by themselves. Over a cell of the board, the draft is hovered.
        game.point(Vec2::new(2.0, 2.0));
        game.wait(2);
        let (pale, full) = plan_marks(&mut game);
        assert!(full > 0, "{id}: no unit is hovered");
        for cell in [Cell::new(0, 0), Cell::new(3, 1)] {
            game.point(game.spot(cell));
            game.wait(2);
            let (faded, full) = plan_marks(&mut game);
            assert!(faded > pale && full > 0, "{id}: {cell:?}: {faded}, {full}");
        }
    }
}

fn aim_marks(game: &mut Game) -> usize {
    let world = game.app.world_mut();
    let mut marks = world.query::<&Layer>();
    marks
        .iter(world)
        .filter(|layer| **layer == Layer::AimedSpells)
        .count()
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

/// While the mouse button is held on a previewed part of the round, the board shows the
/// expected state at that time.
#[test]
fn holding_a_part_of_the_track_shows_the_board_at_that_time() {
    use bevy::input::{ButtonState, mouse::MouseButtonInput};
    let mut game = declaring("Speed", &BESIDE.0, BESIDE.1, 3);
    let ann = Id(0);
    game.click_cell(Cell::new(2, 2));
    game.wait(3);
    let (count, start) = (course(&game), cell_of(&game, ann));
    let n = count.acts.iter().find(|a| a.who == ann).map(|a| &a.when);
    let n = count.frames.iter().position(|f| Some(&f.when) == n);
    let n = n.expect("a moment at which Ann goes");
    let part = game.find::<PreviewFrame>(|then| then.0 == n);
    game.point(part.expect("a part of the track"));
    let held = |game: &mut Game, state| {
        let world = game.app.world_mut();
        let window = world
            .query_filtered::<Entity, With<bevy::window::PrimaryWindow>>()
            .single(world)
            .expect("one window");
        world.write_message(MouseButtonInput {
            button: MouseButton::Left,
            state,
            window,
        });
        game.wait(3);
    };
    held(&mut game, ButtonState::Pressed);
    assert!(game.says("If no enemy acts"));
    let then = |game: &Game| {
        let looked = game.app.world().resource::<PreviewedMoment>();
        let preview = game.app.world().resource::<PlanPreview>();
        looked.frame(preview).map(|f| f.people[ann.index()].at)
    };
    assert_eq!(then(&game), Some(Cell::new(2, 2)));
    assert_eq!(cell_of(&game, ann), start, "nothing has happened");
    held(&mut game, ButtonState::Released);
    assert_eq!(then(&game), None);
    assert!(!game.says("If no enemy acts"));
}

/// A plan's success rate is simulated in the background and shown as soon as it is known. It
/// disappears when the pointer leaves the plan.
#[test]
fn the_success_rate_of_a_plan_is_shown() {
    for id in DECLARED {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
        let tried = |game: &Game| {
            let preview = game.app.world().resource::<PlanPreview>();
            preview.simulation.as_ref()?.plans.get(&Id(0)).cloned()
        };
        game.point(game.spot(cell_of(&game, Id(2))));
        let known = (0..2_000).find_map(|_| {
            game.wait(1);
            std::thread::sleep(std::time::Duration::from_millis(2));
            tried(&game)
        });
        let known = known.expect("it is told");
        assert!(known.succeeded > 0, "{id}: {known:?}");
        assert_eq!(
            known.succeeded < 100,
            !known.failures.is_empty(),
            "{known:?}"
        );
        assert!(
            game.says(&format!("goes ahead: {}%", known.succeeded)),
            "{id}"
        );
        game.point(game.spot(Cell::new(0, 0)));
        game.wait(3);
        assert_eq!(tried(&game), None, "{id}");
    }
}

/// After the last declaration, the whole plan is shown until the player confirms it; it can
/// be undone until then.
#[test]
fn the_whole_plan_is_shown_before_the_round_begins() {
    for id in DECLARED {
        for by_enter in [false, true] {
            let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
            game.app.world_mut().resource_mut::<Settings>().review = true;
            game.wait(1);
            let enemy = cell_of(&game, Id(2));
            let declare = |game: &mut Game| {
                for _ in 0..4 {
                    if game.session().held().is_some() || !game.session().is_declaring() {
                        return;
                    }
                    let to = match game.selection().chosen {
                        Some(Id(0)) => enemy,
                        _ => Cell::new(0, 1),
                    };
                    game.click_cell(to);
                    game.wait(3);
                }
            };
            declare(&mut game);
            let held = |game: &Game| game.session().held().cloned();
            let last = held(&game).unwrap_or_else(|| panic!("{id}: the last plan is held"));
            assert!(game.says("Begin the round"), "{id}");
            game.point(game.spot(Cell::new(6, 2)));
            game.press(KeyCode::KeyU);
            game.wait(3);
            assert_eq!(held(&game), None, "{id}");
            assert!(game.session().is_declaring(), "{id}");
            declare(&mut game);
            assert_eq!(held(&game), Some(last.clone()), "{id}");
            // A click now only inspects and declares nothing.
            let meant = course(&game).acts;
            game.click_cell(Cell::new(6, 2));
            game.wait(3);
            assert_eq!(held(&game), Some(last), "{id}");
            let acts = course(&game).acts;
            assert_eq!(acts, meant, "{id}");
            for who in [Id(0), Id(1)] {
                assert!(acts.iter().any(|act| act.who == who), "{id}: {acts:?}");
            }
            game.press(match by_enter {
                true => KeyCode::Enter,
                false => KeyCode::KeyE,
            });
            game.wait(3);
            assert!(held(&game).is_none(), "{id}");
            assert!(!game.session().is_declaring(), "{id}: the round has begun");
        }
    }
}

/// Before the round begins, the game asks about orders that never go ahead in simulated rounds.
#[test]
fn an_order_that_never_goes_ahead_is_asked_about() {
    let rows = [".".repeat(26), ".".repeat(26), ".".repeat(26)];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let people = [
        ("ann", "party", (0, 1), 12),
        ("gob", "goblins", (25, 1), 12),
    ];
    let mut asked = 0;
    for id in DECLARED {
        let mut game = declaring(id, &rows, &people, 2);
        let mut settings = game.app.world_mut().resource_mut::<Settings>();
        (settings.review, settings.warn) = (true, true);
        game.wait(1);
        game.click_cell(cell_of(&game, Id(1)));
        game.wait(3);
        if game.session().held().is_none() {
            continue;
        }
        game.until("the plan is simulated", |game| {
            std::thread::sleep(std::time::Duration::from_millis(2));
            let preview = game.app.world().resource::<PlanPreview>();
            preview.simulation.is_some() && preview.is_current()
        });
        let preview = game.app.world().resource::<PlanPreview>();
        if preview.success_rate(Id(0)) != Some(0) {
            continue;
        }
        asked += 1;
        game.press(KeyCode::KeyE);
        assert!(game.says("in no simulated round"), "{id}");
        game.press(KeyCode::Escape);
        assert!(game.session().held().is_some(), "{id}");
        game.press(KeyCode::KeyE);
        game.press(KeyCode::Enter);
        game.wait(3);
        assert!(!game.session().is_declaring() || round(&game) > 1, "{id}");
    }
    assert!(asked > 0);
}

/// Esc takes no order back: after the last declaration it opens the pause menu.
#[test]
fn escape_keeps_the_last_order() {
    for id in DECLARED {
        let mut game = declaring(id, &BESIDE.0, BESIDE.1, 3);
        game.app.world_mut().resource_mut::<Settings>().review = true;
        game.wait(1);
        let enemy = cell_of(&game, Id(2));
        for _ in 0..4 {
            if game.session().held().is_none() {
                game.click_cell(match game.selection().chosen {
                    Some(Id(0)) => enemy,
                    _ => Cell::new(0, 1),
                });
                game.wait(3);
            }
        }
        let held = game.session().held().cloned();
        assert!(held.is_some(), "{id}");
        game.press(KeyCode::Escape);
        assert!(game.is_paused(), "{id}");
        game.press(KeyCode::Escape);
        assert!(!game.is_paused(), "{id}");
        assert_eq!(game.session().held().cloned(), held, "{id}");
    }
}

/// Undoing one unit's plan keeps the plans of the others.
#[test]
fn an_undo_keeps_the_plans_of_other_units() {
    for id in DECLARED {
        let mut people = BESIDE.1.to_vec();
        people.push(("cee", "party", (0, 2), 12));
        let mut game = declaring(id, &BESIDE.0, &people, 3);
        let enemy = cell_of(&game, Id(2));
        let declare = |game: &mut Game| {
            let who = game.selection().chosen.expect("somebody declares");
            game.click_cell(match who {
                Id(0) => enemy,
                _ => Cell::new(1, 1),
            });
            game.wait(3);
            who
        };
        let first = declare(&mut game);
        let kept = game.session().intent(first).cloned();
        assert!(kept.is_some(), "{id}");
        let second = declare(&mut game);
        assert!(game.session().intent(second).is_some(), "{id}");
        game.press(KeyCode::KeyU);
        game.wait(3);
        assert!(game.session().intent(second).is_none(), "{id}");
        assert_eq!(game.session().intent(first).cloned(), kept, "{id}");
    }
}

/// If a plan cannot reach its target this round, the card says so.
#[test]
fn the_card_says_if_a_plan_only_gets_nearer() {
    let rows = [".".repeat(26), ".".repeat(26), ".".repeat(26)];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let people = [
        ("ann", "party", (0, 1), 12),
        ("bea", "party", (0, 0), 12),
        ("gob", "goblins", (1, 1), 12),
        ("gab", "goblins", (25, 1), 12),
    ];
    let words = "only gets closer";
    for id in DECLARED {
        let mut game = declaring(id, &rows, &people, 2);
        for (enemy, is_far) in [(Id(3), true), (Id(2), false)] {
            game.point(game.spot(cell_of(&game, enemy)));
            game.wait(3);
            let is_plan = matches!(&game.preview().click, Click::Plan(_));
            // No reason is given before the rounds are simulated.
            for _ in 0..2_000 {
                let is_judged = ["Won't work", "Main risk"].map(|part| game.says(part));
                assert!(is_simulated(&game) || is_judged == [false; 2], "{id}");
                if is_simulated(&game) || game.says(words) || !is_far || !is_plan {
                    break;
                }
                game.wait(1);
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            let fails = game.says(words) || game.says("Won't work");
            let is_told = fails || game.says("Main risk");
            // Under Phased the far enemy usually comes close enough.
            let rate = game
                .app
                .world()
                .resource::<PlanPreview>()
                .success_rate(Id(0));
            let works = rate.is_some_and(|rate| rate > 50);
            assert_eq!(is_told, is_far && is_plan && !works, "{id}, {enemy:?}");
            // Its chance to hit is not shown as the chance of the plan.
            let click = &game.preview().click;
            let has_blow = matches!(click, Click::Plan(draft) if draft.attack.is_some());
            let is_grey = game.says("if it could attack");
            assert_eq!(is_grey, fails && has_blow, "{id}, {enemy:?}");
        }
    }
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

const BRANDT: Id = Id(0);
const MARA: Id = Id(1);

/// Brandt declares beside a fallen ally and a goblin, unit 2.
fn beside_a_fallen_ally() -> Session {
    let text = r#"(
        title: "One is down",
        map: ["............", "............", "............", "............", "............"],
        sides: [(id: "party"), (id: "foes", control: Ai)],
        combatants: [
            (kind: "brandt", side: "party", at: (3, 2), with: (phased: (ac: 0, hp: 40))),
            (kind: "mara", side: "party", at: (4, 3), with: (phased: (hp: 3, ac: 9))),
            (kind: "goblin", side: "foes", at: (5, 2), with: (phased: (hp: 30))),
            (kind: "goblin", side: "foes", at: (5, 3), with: (phased: (hp: 30))),
        ],
    )"#;
    let mut session = begun_against(Player::Quick, &level(text), rules("Phased"), 1);
    for _ in 0..300 {
        let is_down = !session.shown().person(MARA).is_up();
        if is_down && session.is_declaring() {
            return session;
        }
        on(&mut session);
    }
    panic!("she does not fall");
}

/// The result of a round says what was done by work that took all of it.
#[test]
fn the_result_says_whose_wounds_were_bound() {
    let mut session = beside_a_fallen_ally();
    let round = session.shown().clock.round;
    let there = session.shown().person(MARA).at;
    let click = ActionPreview::of(&mut session, &point(BRANDT, there)).click;
    let bind = click.choice().expect("her wounds can be bound").clone();
    session.give(&[bind]).expect("it is on offer");
    session.catch_up();
    let is_next = |session: &Session| session.shown().clock.round > round && session.is_declaring();
    while session.over().is_none() && !is_next(&session) {
        on(&mut session);
    }
    let results = session.results(round);
    let own = results.iter().find(|result| result.who == BRANDT);
    let own = own.expect("a result");
    assert!(own.planned.is_some(), "{own:?}");
    assert!(own.happened.contains("Mara's wounds are bound"), "{own:?}");
}

/// A click on an enemy is an attack even if the unit could bind the wounds of a fallen ally
/// beside it.
#[test]
fn a_fallen_ally_does_not_prevent_planning_an_attack() {
    let mut session = beside_a_fallen_ally();
    let there = session.shown().person(Id(2)).at;
    let preview = ActionPreview::of(&mut session, &point(BRANDT, there));
    assert!(
        matches!(preview.click, Click::Plan(_)),
        "{:?}",
        preview.click
    );
    let there = session.shown().person(MARA).at;
    let preview = ActionPreview::of(&mut session, &point(BRANDT, there));
    let binds = preview
        .click
        .choice()
        .is_some_and(|choice| choice.at == Some(MARA));
    assert!(binds, "{:?}", preview.click);
}

/// A round against an AI in which each of the player's units plans to attack the nearest
/// enemy.
fn planned_round(id: &str, level: &Arc<Level>, seed: u64) -> Session {
    planned_for(id, level, seed, |session, who| {
        let here = session.shown().person(who).at;
        let enemies = session.shown().people.iter();
        let side = session.shown().person(who).side;
        let enemies = enemies.filter(|p| p.is_up() && p.side != side);
        let near = enemies.min_by_key(|p| (p.at.x - here.x).abs() + (p.at.y - here.y).abs());
        near.map(|p| p.at)
    })
}

/// A round against an AI in which each of the player's units plans for the cell from `aim`;
/// `None` is no plan.
fn planned_for(
    id: &str,
    level: &Arc<Level>,
    seed: u64,
    aim: impl Fn(&Session, Id) -> Option<Cell>,
) -> Session {
    let mut session = begun_against(Player::Quick, level, rules(id), seed);
    for _ in 0..60 {
        if !session.is_declaring() {
            return session;
        }
        let Some(asked) = session.question().cloned() else {
            on(&mut session);
            continue;
        };
        let planned = asked.actors.iter().find_map(|&who| {
            let there = aim(&session, who)?;
            match ActionPreview::of(&mut session, &point(who, there)).click {
                Click::Plan(draft) => Some(*draft),
                _ => None,
            }
        });
        match planned {
            Some(draft) => plan(&mut session, &draft),
            None => {
                let idle = asked.actors.iter().find_map(|&who| session.let_go(who));
                let idle = idle.or(asked.common.first().cloned()).expect("a way out");
                session.give(&[idle]).expect("it is on offer");
            }
        }
        session.catch_up();
    }
    panic!("{id}: the declarations do not end");
}

fn reloaded(session: &Session) -> Session {
    let text = session.recording("").text().expect("it can be written");
    let recording = Recording::read("a.battle", &text).expect("it can be read");
    Session::load(&recording).unwrap_or_else(|e| panic!("{}", e.why))
}

/// Plays to the end of the round and returns the answers as text.
fn to_its_end(session: &mut Session, round: u16) -> Vec<String> {
    while session.over().is_none() && session.shown().clock.round == round {
        on(session);
    }
    let names = session.game.names().clone();
    let answers = session.game.answers().iter();
    answers.map(|choice| choice.text(&names)).collect()
}

/// A battle that is loaded in the middle of a round continues with the same plans and ends
/// alike.
#[test]
fn a_recording_keeps_every_plan() {
    for id in DECLARED {
        for seed in 1..=fivefoot_kit::sample(2, 8) {
            let mut session = planned_round(id, &default_level(), seed);
            let round = session.shown().clock.round;
            let plans = |session: &Session| {
                let all = session.intents().in_round(round);
                let all = all.map(|intent| (intent.plan.clone(), intent.label.clone()));
                all.collect::<Vec<_>>()
            };
            assert!(plans(&session).len() > 1, "{id} {seed}: too few plans");
            let mut loaded = vec![];
            while session.over().is_none() && session.shown().clock.round == round {
                let again = reloaded(&session);
                assert_eq!(plans(&session), plans(&again), "{id} {seed}");
                loaded.push(again);
                on(&mut session);
            }
            let whole = to_its_end(&mut session, round);
            for (n, mut again) in loaded.into_iter().enumerate() {
                let end = to_its_end(&mut again, round);
                assert_eq!(whole, end, "{id} {seed}, loaded after {n} steps");
            }
        }
    }
}

/// Pending declarations, which wait for the player's confirmation, are loaded too.
#[test]
fn a_recording_keeps_pending_declarations() {
    let level = level_of_two();
    for id in DECLARED {
        let mut session = begun_against(Player::Idle, &level, rules(id), 2);
        let who = session.question().expect("it is asked").actors[0];
        let there = session.shown().person(Id(1)).at;
        let Click::Plan(draft) = ActionPreview::of(&mut session, &point(who, there)).click else {
            panic!("{id}: it can be planned");
        };
        session.hold(Some(Held {
            who,
            orders: draft.orders.clone(),
            intent: Some(draft.intent.clone()),
            label: draft.label.clone(),
        }));
        let again = reloaded(&session);
        let (before, after) = (session.held(), again.held());
        let orders = |held: Option<&Held>| held.map(|held| held.orders.clone());
        assert_eq!(orders(before), orders(after), "{id}");
        let plan = |held: Option<&Held>| held.and_then(|held| held.intent.clone()).map(|i| i.plan);
        assert_eq!(plan(before), plan(after), "{id}");
    }
}

fn level_of_two() -> Arc<Level> {
    let people = [("ann", "party", (2, 1), 12), ("gob", "goblins", (3, 1), 12)];
    fivefoot_kit::field(&[".......", ".......", "......."], &people)
}

/// A unit attacks with the weapon and in the way that the preview showed: a dagger planned
/// as a throw is thrown, not used in melee or replaced by another weapon.
#[test]
fn a_unit_attacks_as_the_preview_showed() {
    let mill = level(include_str!("../../levels/mill.ron"));
    let (mut attacks, mut changed) = (0, 0);
    for id in DECLARED {
        for seed in 1..=fivefoot_kit::sample(4, 20) {
            let mut session = planned_round(id, &mill, seed);
            let round = session.shown().clock.round;
            let from = session.shown().events;
            let plans: Vec<Intent> = session.intents().in_round(round).cloned().collect();
            to_its_end(&mut session, round);
            for intent in &plans {
                let Order::Attack { target, by, with } = intent.plan.order else {
                    continue;
                };
                let events = session.known_events_since(from);
                // A reaction can come before the planned action.
                let is_own = |choice: &&Choice| {
                    choice.who == Some(intent.who()) && choice.at == Some(target)
                };
                let mut acted = events.filter_map(|event| match &event.what {
                    EventKind::Acted { choice } => Some(choice),
                    _ => None,
                });
                let planning = session.game.rules().planning;
                let is_plain = |choice: &&Choice| planning.is_attack(choice.verb);
                let Some(done) = acted.find(|choice| is_own(choice) && is_plain(choice)) else {
                    continue;
                };
                attacks += 1;
                let what = format!("{id} {seed}: {}", intent.label);
                // A missile attack at a target that is too close becomes a melee attack. Under
                // Phased a weapon can be thrown in melee too (PH-50).
                let is_thrown = id == "Phased" && by.is_some_and(|by| by.name == "throw");
                let is_missile = by != planning.melee() && !is_thrown;
                let strikes = is_missile && Some(done.verb) == planning.melee();
                let is_as_shown = (Some(done.verb), done.with) == (by, with);
                assert!(is_as_shown || strikes, "{what}: {}", done.verb.name);
                changed += usize::from(strikes);
            }
        }
    }
    assert!(attacks > 12, "only {attacks} attacks");
    assert!(
        2 * changed < attacks,
        "{changed} of {attacks} were struck instead"
    );
}

/// A throw planned in melee is not skipped with the turns that only allow minor actions (PH-50).
#[test]
fn a_throw_planned_in_melee_is_carried_out() {
    const LIN: Id = Id(0);
    let mill = level(include_str!("../../levels/mill.ron"));
    let mut session = planned_round("Phased", &mill, 11);
    session.set_skips(true);
    let plan = &session.intent(LIN).expect("she has a plan").plan;
    let Order::Attack { by: Some(by), .. } = plan.order else {
        panic!("she plans an attack: {plan:?}");
    };
    assert_eq!(by.name, "throw");
    while session.intent(LIN).is_some_and(|i| !i.plan.is_begun) {
        assert!(session.over().is_none());
        match session.skipped() {
            Some(pass) => {
                session.give(&[pass]).expect("it is on offer");
                session.catch_up();
            }
            None => drop(on(&mut session)),
        }
    }
    let thrown = session.known_events().any(|event| match &event.what {
        EventKind::Acted { choice } => choice.who == Some(LIN) && choice.verb.name == "throw",
        _ => false,
    });
    assert!(thrown);
    let lin = session.shown().person(LIN);
    assert!(lin.plan.is_empty(), "she has acted: {}", lin.plan);
}

/// After a planned move, the game does not ask the unit for another action.
#[test]
fn a_planned_move_does_not_stop_the_round() {
    for id in DECLARED {
        for seed in 1..=4 {
            let aim = |session: &Session, who: Id| {
                let here = session.shown().person(who).at;
                let free = |cell: &Cell| session.shown().on(*cell).is_none();
                let is_open = |cell: &Cell| session.shown().board.can_stand((*cell).into());
                here.neighbours().find(|cell| free(cell) && is_open(cell))
            };
            let mut session = planned_for(id, &default_level(), seed, aim);
            let round = session.shown().clock.round;
            let planned = session.intents().in_round(round).count();
            assert!(planned > 2, "{id} {seed}: {planned} plans");
            while session.over().is_none() && session.shown().clock.round == round {
                let is_asked = session.question().is_some_and(Decision::is_turn)
                    && !session.is_prompted()
                    && !session.is_declaring();
                if is_asked && planned == session.shown().members(session.player()).count() {
                    let went = go_on(&mut session);
                    assert_ne!(went, Went::Asks, "{id} {seed}: {:?}", session.question());
                    session.catch_up();
                    if went != Went::On {
                        // Another unit stands in the cell by now.
                        break;
                    }
                } else {
                    on(&mut session);
                }
            }
        }
    }
}

/// While units declare, Enter gives an order only at the keyboard cursor, not where the pointer
/// happens to rest.
#[test]
fn a_stray_enter_gives_no_order() {
    let people = [("ann", "party", (1, 1), 12), ("gob", "goblins", (8, 1), 9)];
    for id in DECLARED {
        let mut game = declaring(id, &[".........."; 3], &people, 3);
        game.point(game.spot(Cell::new(3, 1)));
        assert!(matches!(game.preview().click, Click::Plan(_)), "{id}");
        let answers = game.session().game.answered();
        game.press(KeyCode::Enter);
        assert_eq!(game.session().game.answered(), answers, "{id}");
        walk_cursor(&mut game, Cell::new(2, 1));
        game.press(KeyCode::Enter);
        assert!(game.session().game.answered() > answers, "{id}");
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
                let first = &draft.orders[0];
                // What every attack or move is declared by goes without saying.
                let is_usual = session.reads.usual_declarations(who).contains(&first.verb);
                let planning = session.reads.rules.planning;
                let is_idle =
                    planning.idle.contains(&first.verb) || planning.done.contains(&first.verb);
                if is_usual || is_idle || first.spell.is_some() {
                    continue;
                }
                let word = session.reads.label(first.verb);
                assert!(draft.label.starts_with(&*word), "{word}: {}", draft.label);
                let is_own = first.at.is_none() || draft.intent.at() == first.at;
                assert!(is_own, "{}", draft.label);
                named += usize::from(first.at.is_some());
                followed += usize::from(draft.label.contains(", then "));
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
    for seed in 1..=6 {
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
                if draft.label == "Normal turn" {
                    assert!(!draft.is_plan(), "{seed}");
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

/// Where a walk takes the action of an attack, the card says so at once, before any simulation.
#[test]
fn the_card_says_at_once_that_a_walk_leaves_no_time_to_strike() {
    // Too far for the goblin to come within reach in this round.
    let people = [
        ("ann", "party", (0, 1), 12),
        ("gob", "goblins", (24, 0), 12),
    ];
    for id in DECLARED {
        let mut game = declaring(id, &["........................."; 2], &people, 2);
        game.point(game.spot(cell_of(&game, Id(1))));
        game.wait(3);
        let says = game.says("Can't walk and strike");
        match rules(id).planning.walk_is_action {
            // A simulated plan says how often it goes ahead instead.
            true => assert!(says || is_simulated(&game), "{id}: {:?}", game.words()),
            false => assert!(!says, "{id}"),
        }
    }
}

/// While keys move the cursor, the card says what Enter does, and a click where the mouse rests
/// only takes the cursor there.
#[test]
fn a_click_after_the_keys_only_takes_the_cursor() {
    let mut game = declaring("Phased", &BESIDE.0, BESIDE.1, 2);
    let (ann, bea) = (Id(0), Id(1));
    game.app.world_mut().write_message(Command::Choose(bea));
    game.wait(3);
    let (rests, cell) = (Cell::new(4, 2), Cell::new(1, 2));
    game.point(game.spot(rests));
    walk_cursor(&mut game, cell);
    assert!(game.says("Enter: move"), "{:?}", game.words());
    assert!(!game.says("Click: move"));
    game.click_again();
    game.wait(3);
    assert_eq!(game.selection().cursor, Some(rests));
    assert!(game.session().intent(bea).is_none());
    assert!(game.says("Click: move"), "{:?}", game.words());
    game.click_again();
    game.wait(3);
    let to = game.session().intent(bea).and_then(Intent::to);
    assert_eq!(to, Some(rests));
    assert!(game.session().intent(ann).is_none());
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
        for _ in 0..400 {
            if session.game.is_over() || is_next(&session) {
                break;
            }
            on(&mut session);
        }
        if session.game.is_over() || !is_next(&session) {
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
                            panic!("{seed}: {}", again.label);
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
