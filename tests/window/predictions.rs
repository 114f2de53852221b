//! Predictions beside enemies of what they are likely to do, and their arrows.

use super::kit::{
    game::Game,
    levels::spoiled::MARA,
    rounds::{DECLARED, begun_against, declaring, declaring_at, on, predicted, prediction, rules},
    shell::against,
};
use bevy::prelude::*;
use fivefoot::{
    battle::Id,
    control::{
        Player,
        simulation::{Action, AttackKind, Prediction},
    },
    grid::{Cell, Space, cells_apart},
    levels::built_in,
    rulesets::find,
    ui::{
        Command, Session,
        board::intents::{Intent, IntentAim, MAX, intents},
        preview::Predictions,
        selection::PlanChange,
    },
};
use fivefoot_kit as kit;

/// The arrow of a move that takes several turns goes around walls.
#[test]
fn a_path_beyond_one_move_goes_around_walls() {
    let rows = [
        "..............#......",
        "..............#......",
        ".....................",
    ];
    let units = [("ann", "party", (0, 0), 12), ("gob", "goblins", (0, 2), 12)];
    let session = Session::new(&kit::field(&rows, &units), rules("Skirmish"), 1);
    let to = Cell::new(20, 0);
    let path = session.queries.long_path(Id(0), to);
    assert_eq!(path.last(), Some(&to));
    let board = &session.shown().board;
    assert!(path.iter().all(|&cell| board.can_stand(Space::one(cell))));
    let apart = |two: &[Cell]| cells_apart(two[0].into(), two[1].into());
    assert!(path.windows(2).all(|two| apart(two) == 1), "{path:?}");
}

/// A battle in which enemies flee while the player begins to decide, with the enemies that fight and
/// those that flee.
fn flight(seed: u64) -> Option<(Session, Vec<Id>, Vec<Id>)> {
    let level = built_in().iter().find(|level| level.id == "toll_gate");
    let level = level.expect("a built-in level");
    let rules = find("Skirmish").expect("a ruleset");
    let mut session = against(Player::Quick, level, rules, seed);
    for _ in 0..400 {
        session.catch_up();
        if session.game.is_over() {
            break;
        }
        let enemies = session.shown().units.iter();
        let foes = enemies.filter(|p| p.is_up() && p.side != session.player());
        let (bold, fleeing): (Vec<Id>, Vec<Id>) = foes.map(|p| p.id).partition(|&id| {
            session
                .queries
                .ask(|world| (session.queries.rules.harmless)(world, id).is_none())
        });
        let is_begin = session.is_players_turn() && session.idle_members().count() > 1;
        if is_begin && !fleeing.is_empty() && bold.len() > 1 {
            return Some((session, bold, fleeing));
        }
        match session.question().map(|asked| asked.actors.clone()) {
            Some(actors) => {
                let who = actors.first().copied().unwrap_or(MARA);
                let offers = session.offers_of(who);
                let choice = session.queries.sensible(who, &offers);
                session.give(&[choice]).expect("it is on offer");
            }
            None => drop(on(&mut session)),
        }
    }
    None
}

/// A fleeing unit, at any time in the round, does not suppress the predictions for other
/// enemies.
#[test]
fn a_fleeing_unit_does_not_suppress_other_predictions() {
    let mut found = 0;
    for seed in 1..=kit::sample(20, 40) {
        let Some((session, bold, _)) = flight(seed) else {
            continue;
        };
        let guessed = predicted(&session);
        let does = |id: &Id| guessed.get(id).is_some_and(|habits| !habits.is_empty());
        assert!(bold.iter().any(does), "seed {seed}: {guessed:?}");
        found += 1;
    }
    assert!(found > kit::sample(0, 2), "{found} such moments");
}

/// The arrow drawn is that of the likeliest action: an attack that is less likely than help for an
/// ally has none, unless both are drawn.
#[test]
fn a_less_likely_attack_does_not_replace_the_likeliest_action() {
    let aims = |predictions: &[Prediction], most: usize| -> Vec<IntentAim> {
        let drawn = intents(Id(2), predictions, most).into_iter();
        drawn.map(|intent| intent.aim).collect()
    };
    let beside = Cell::new(3, 1);
    let attack = prediction(Action::Attacks(Id(0)), 40, None);
    let helps = [prediction(Action::Helps(Id(3)), 50, Some(beside)), attack];
    assert_eq!(aims(&helps, 1), [IntentAim::To(beside)]);
    let both = [IntentAim::To(beside), IntentAim::At(Id(0), None)];
    assert_eq!(aims(&helps, 2), both);
    let casts = [prediction(Action::Casts, 50, None), attack];
    assert!(aims(&casts, 1).is_empty());
    let falls = [prediction(Action::Falls, 50, None), attack];
    assert_eq!(aims(&falls, 1), [IntentAim::At(Id(0), None)]);
}

/// An enemy that most likely moves gets an arrow to its destination; one whose destination is
/// uncertain at most one in its direction.
#[test]
fn likely_moves_have_an_arrow() {
    let level = built_in().iter().find(|level| level.id == "mill");
    let level = level.expect("a built-in level");
    let session = begun_against(Player::Quick, level, rules("Phased"), 11);
    let mut found = 0;
    for (id, predictions) in predicted(&session) {
        let first = predictions.first();
        if first.is_some_and(|first| first.action == Action::Moves && first.percent > 50) {
            let drawn = intents(id, &predictions, MAX.1);
            let aim = drawn.first().map(|intent| intent.aim);
            let is_right = match aim {
                Some(IntentAim::To(_)) => predictions[0].is_place_likely,
                Some(IntentAim::Toward(_)) => predictions[0].heading.is_some(),
                _ => !predictions[0].is_place_likely,
            };
            assert!(is_right, "{predictions:?}");
            found += 1;
        }
    }
    assert!(found > 2, "{found} enemies move");
}

/// The card of an enemy warns of the attack that it is likely to make, not of its best one.
#[test]
fn a_card_and_a_prediction_name_the_same_weapon() {
    let level = built_in().iter().find(|level| level.id == "mill");
    let level = level.expect("a built-in level");
    let mut game = declaring_at(Session::new(level, rules("Phased"), 165));
    let of = |game: &Game, name: &str| {
        let mut units = game.session().shown().units.iter();
        units.find(|unit| unit.name == name).expect("a unit").id
    };
    let (lin, sentry) = (of(&game, "Lin"), of(&game, "Sentry"));
    game.send(Command::Choose(lin), 3);
    game.point(game.screen_point(game.cell_of(sentry)));
    let likely = |game: &Game| {
        let predictions = game.app.world().resource::<Predictions>();
        predictions.on(game.session(), sentry, lin)
    };
    game.in_time("the prediction", |game| likely(game).is_some());
    game.wait(3);
    let kind = likely(&game).expect("it is known").kind;
    assert_eq!(kind, AttackKind::Throw);
    let answer = game.preview().answer.clone().expect("an attack");
    let throw = answer.others.iter().find(|other| other.kind == kind);
    let weapon = throw.map_or(&answer.attack.weapon, |throw| &throw.attack.weapon);
    let words = format!("Enemy's {weapon} against Lin");
    assert!(game.says(&words), "{words}: {:?}", game.words());
}

/// While the player declares, the likely attacks of all enemies have arrows, wherever the
/// cursor is.
#[test]
fn likely_attacks_have_arrows_while_the_player_declares() {
    let units = [
        ("ann", "party", (2, 1), 30),
        ("bea", "party", (0, 0), 30),
        ("gob", "goblins", (3, 1), 30),
    ];
    let (ann, gob) = (Id(0), Id(2));
    for id in DECLARED {
        let mut game = declaring(id, &["......", "......", "......"], &units, 3);
        // The enemy is supposed to hold, then to attack Ann.
        for _ in 0..2 {
            game.click_button(&Command::Plan(PlanChange::Suppose(gob)));
            game.wait(2);
        }
        game.point(Vec2::ONE);
        let arrows = |game: &mut Game| -> Vec<Intent> {
            let world = game.app.world_mut();
            let mut arrows = world.query::<&Intent>();
            arrows.iter(world).copied().collect()
        };
        assert!(game.comes(|game| !arrows(game).is_empty()), "{id}");
        for arrow in arrows(&mut game) {
            assert_eq!(arrow.by, gob, "{id}: {arrow:?}");
            assert!(
                matches!(arrow.aim, IntentAim::At(at, _) if at == ann),
                "{id}: {arrow:?}"
            );
        }
    }
}
