//! Plans are carried out as previewed, also after loading; spells are aimed at their targets.

use super::kit::{
    game::{Game, fresh_home},
    rounds::{
        DECLARED, begun_against, declaring_at, give_or_on, on, plan, point, rules, simulated,
    },
    shell::{at, show},
};
use bevy::prelude::*;
use fivefoot::{
    battle::{Choice, Decision, EventKind, Id, Offer},
    control::{
        Player,
        orders::{Order, weapons},
        recording::Recording,
    },
    grid::Cell,
    levels::{Level, default_level},
    ui::{
        Command, Selection, Session,
        board::Layer,
        preview::{
            ActionPreview, Click, OrderDraft, again,
            carry::{Went, go_on},
        },
        ruleset_ui::AimedSpell,
        session::Intent,
        shown::UnitView,
    },
};
use fivefoot_kit::level;
use std::sync::Arc;

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
        let is_down = !session.shown().unit(MARA).is_up();
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
    let there = session.shown().unit(MARA).at;
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
    assert!(
        own.happened.contains("Mara's wounds are bandaged"),
        "{own:?}"
    );
}

/// PH-14: work that a unit began on its turn goes on with the order to repeat.
#[test]
fn repeat_continues_the_work_of_a_unit() {
    let text = r#"(
        title: "A bandage",
        map: ["............", "............"],
        sides: [(id: "party"), (id: "foes", control: Ai)],
        combatants: [
            (kind: "brandt", side: "party", at: (0, 0), with: (phased: (ac: 0, hp: 40))),
            (kind: "mara", side: "party", at: (1, 0), with: (phased: (hp: 3, ac: 9))),
            (kind: "goblin", side: "foes", at: (2, 0), with: (phased: (hp: 30))),
        ],
    )"#;
    let level = level(text);
    let binds = |session: &Session| {
        let mut events = session.known_events().map(|event| &event.what);
        events.any(|what| matches!(what, EventKind::Acted { choice } if choice.verb.name == "bind"))
    };
    // The goblin may stay away from her, or fell him first.
    let session = (1..20).find_map(|seed| {
        let mut session = begun_against(Player::Quick, &level, rules("Phased"), seed);
        for _ in 0..300 {
            if session.game.is_over() {
                return None;
            }
            if binds(&session) && session.is_declaring() {
                return session.question().is_some().then_some(session);
            }
            if session.question().is_some() && !session.is_prompted() && !session.is_declaring() {
                give_or_on(&mut session, BRANDT, |offer| {
                    offer.is_legal() && offer.choice.verb.name == "bind"
                });
            } else {
                on(&mut session);
            }
        }
        None
    });
    let mut session = session.expect("he begins to bind her wounds");
    let draft = again(&mut session, BRANDT).expect("he goes on");
    assert_eq!(draft.orders()[0].verb.name, "declare binding");
    assert_eq!(draft.orders()[0].at, Some(MARA));
}

/// Work that is the last declaration of its side, and so waits for the round to begin, goes ahead
/// as often as work that is declared.
#[test]
fn work_that_waits_for_the_round_goes_ahead() {
    let mut session = beside_a_fallen_ally();
    let there = session.shown().unit(MARA).at;
    let click = ActionPreview::of(&mut session, &point(BRANDT, there)).click;
    let choice = click.choice().expect("her wounds can be bound");
    let held = OrderDraft::of(session.said(BRANDT, vec![choice.clone()]));
    assert_eq!(held.intent.at(), Some(MARA));
    let found = simulated(&session, Some(&held));
    let done = found.plans.get(&BRANDT).expect("it is simulated");
    assert!(!done.is_open && done.succeeded > 50, "{done:?}");
}

/// A click on an enemy is an attack even if the unit could bind the wounds of a fallen ally
/// beside it.
#[test]
fn a_fallen_ally_does_not_prevent_planning_an_attack() {
    let mut session = beside_a_fallen_ally();
    let there = session.shown().unit(Id(2)).at;
    let preview = ActionPreview::of(&mut session, &point(BRANDT, there));
    assert!(
        matches!(preview.click, Click::Plan(_)),
        "{:?}",
        preview.click
    );
    let there = session.shown().unit(MARA).at;
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
        Some(point(who, nearest(session, who)?.at))
    })
}

fn nearest(session: &Session, who: Id) -> Option<&UnitView> {
    let unit = session.shown().unit(who);
    let enemies = session.shown().units.iter();
    let enemies = enemies.filter(|p| p.is_up() && p.side != unit.side);
    enemies.min_by_key(|p| (p.at.x - unit.at.x).abs() + (p.at.y - unit.at.y).abs())
}

/// A round against an AI in which each of the player's units plans by a click with the selection
/// from `aim`; `None` is no plan.
fn planned_for(
    id: &str,
    level: &Arc<Level>,
    seed: u64,
    aim: impl Fn(&Session, Id) -> Option<Selection>,
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
            let selection = aim(&session, who)?;
            match ActionPreview::of(&mut session, &selection).click {
                Click::Plan(draft) => Some(*draft),
                _ => None,
            }
        });
        match planned {
            Some(draft) => plan(&mut session, &draft),
            None => {
                let idle = asked
                    .actors
                    .iter()
                    .find_map(|&who| session.pass_choice(who));
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
        let there = session.shown().unit(Id(1)).at;
        let Click::Plan(draft) = ActionPreview::of(&mut session, &point(who, there)).click else {
            panic!("{id}: it can be planned");
        };
        session.set_held(Some(draft.intent.clone()));
        let again = reloaded(&session);
        let plan = |held: Option<&Intent>| held.map(|held| held.plan.clone());
        assert_eq!(plan(session.held()), plan(again.held()), "{id}");
    }
}

fn level_of_two() -> Arc<Level> {
    let units = [("ann", "party", (2, 1), 12), ("gob", "goblins", (3, 1), 12)];
    fivefoot_kit::field(&[".......", ".......", "......."], &units)
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
    let mut session = planned_for("Phased", &mill, 11, |session, who| {
        let enemy = nearest(session, who)?;
        let rules = session.queries.rules;
        let all = |world: &mut World| weapons(rules, world, who, enemy.id);
        let names = session.game.names();
        let mut all = session.queries.ask(all).into_iter();
        Some(Selection {
            // The player chooses it: a click beside an enemy keeps weapons in hand.
            prefers: all.find(|item| who == LIN && names.item(*item) == "dagger"),
            ..point(who, enemy.at)
        })
    });
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
    let lin = session.shown().unit(LIN);
    assert!(lin.plan.is_empty(), "she has acted: {}", lin.plan);
}

/// After a planned move, the game does not ask the unit for another action.
#[test]
fn a_planned_move_does_not_stop_the_round() {
    for id in DECLARED {
        for seed in 1..=4 {
            let aim = |session: &Session, who: Id| {
                let here = session.shown().unit(who).at;
                let free = |cell: &Cell| session.shown().on(*cell).is_none();
                let is_open = |cell: &Cell| session.shown().board.can_stand((*cell).into());
                let found = here.neighbours().find(|cell| free(cell) && is_open(cell));
                Some(point(who, found?))
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
                true => game.click_cell(game.cell_of(Id(1))),
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
    let aim_of = |session: &Session| session.shown().unit(ysolde).aimed.clone();
    for spell in ["fire_bolt", "flame_burst"] {
        let level = level(&text.replace("SPELL", spell));
        let mut session = begun_against(Player::Idle, &level, rules("Phased"), 3);
        for _ in 0..100 {
            if aim_of(&session).is_some() {
                break;
            }
            let is_spell = |o: &Offer| o.is_legal() && o.choice.spell.is_some();
            give_or_on(&mut session, ysolde, is_spell);
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

fn aim_marks(game: &mut Game) -> usize {
    let world = game.app.world_mut();
    let mut marks = world.query::<&Layer>();
    marks
        .iter(world)
        .filter(|layer| **layer == Layer::AimedSpells)
        .count()
}

/// A spell declared without a target is among the spells of the round at once.
#[test]
fn a_declared_spell_is_on_the_track() {
    let units = [
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
        units.join(", ")
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

/// PH-03: a unit that may shoot in HIGH although its side acts in LOW is in both parts of the track,
/// and both say why.
#[test]
fn the_track_says_why_a_unit_may_shoot_early() {
    let text = r#"(
        title: "A quick archer",
        map: ["..........", ".........."],
        sides: [(id: "party", awareness: Alert), (id: "foes", control: Ai, awareness: Alert)],
        combatants: [
            (kind: "bandit", side: "party", at: (0, 0), with: (weapons: ["long_bow"], phased: (reaction: 2))),
            (kind: "bandit", side: "foes", at: (9, 0)),
        ],
    )"#;
    let level = level(text);
    let why = |session: &Session, label: &str| {
        let mut stops = session.shown().clock.track.iter();
        let stop = stops.find(|stop| stop.label == label)?;
        let mark = stop.marks.iter().find(|mark| mark.who == Id(0));
        mark.map(|mark| mark.why.to_string())
    };
    let is_told = (1..40).any(|seed| {
        let mut session = begun_against(Player::Idle, &level, rules("Phased"), seed);
        for _ in 0..10 {
            let both = why(&session, "HIGH").zip(why(&session, "LOW"));
            if let Some((high, low)) = both {
                for told in [&high, &low] {
                    assert!(told.contains("PH-03"), "{high}, {low}");
                }
                return true;
            }
            on(&mut session);
        }
        false
    });
    assert!(is_told);
}
