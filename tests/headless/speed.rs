//! Speed: battles end and match their forecasts.

use crate::kit;
use fivefoot_core::rulesets::speed::content::most_stress;
use fivefoot_core::{
    battle::{
        Action, Attack, Battle, Body, Chance, CheckRoll, Choice, CueKind, DiceBox, EventKind, Id,
        Offer, Side, State, level_setup, of_unit, of_unit_mut,
    },
    control::Player,
    levels::{self, Level},
    rulesets::speed::{
        RULESET,
        declared::{self, Declared},
        numbers,
        odds::split,
        query::SpeedQuery,
        state::Fighter,
    },
};
use fivefoot_kit::level;
use std::sync::Arc;

fn fight(level: &Arc<Level>, player: Player, seed: u64) -> Battle {
    let battle = kit::fought(level, &RULESET, player, seed);
    assert!(battle.over().is_some(), "{} {seed} does not end", level.id);
    assert!(battle.is_idle());
    battle
}

/// Forks with equal dice and answers are equal, also if the dice are not those of the battle.
#[test]
fn a_fork_with_equal_answers_has_an_equal_log() {
    let level = &levels::built_in()[0];
    let whole = fight(level, Player::Random, 5);
    for part in [1, 40, 150] {
        let n = part.min(whole.answers().len());
        let then = whole.at(n);
        let mut fork = then.fork(DiceBox::seeded(99));
        let mut other = then.fork(DiceBox::seeded(99));
        // Other dice lead to other decisions, so answers are drawn from the fork's offers.
        let mut chance = Chance::new(part as u64);
        let mut given = 0;
        while fork.over().is_none() {
            let mut offers = fork.offers();
            offers.retain(Offer::is_legal);
            let choice = offers[chance.below(offers.len())].choice.clone();
            fork.answer(choice.clone()).unwrap();
            other.answer(choice).unwrap();
            given += 1;
            assert!(given < kit::MAX_ANSWERS, "it does not end");
        }
        assert!(given > 20, "only {given} answers after {n}");
        assert_eq!(fork.over(), other.over());
        assert_eq!(kit::json(&fork, 0), kit::json(&other, 0));
    }
}

/// The forecast just before each roll has the modifiers and the target number of the roll.
#[test]
fn forecast_and_resolution_agree() {
    fn look(
        bevy_ecs::system::In(attack): bevy_ecs::system::In<Attack>,
        sp: SpeedQuery,
    ) -> Option<(Vec<fivefoot_core::battle::Modifier>, i32)> {
        sp.forecast(&attack).ok().map(|f| (f.modifiers, f.defense))
    }
    let level = &levels::built_in()[0];
    let whole = fight(level, Player::Quick, 3);
    let mut battle = whole.at(0);
    let mut seen = 0;
    for choice in whole.answers() {
        let before = battle.events().len();
        let alone = choice.with.zip(choice.at).zip(choice.who);
        let verb = choice.verb.name;
        let attack = alone.filter(|_| verb == "strike" || verb == "shoot" || verb == "throw");
        let foreseen = attack.and_then(|((with, at), by)| {
            let attack = Attack {
                by,
                at,
                with,
                ranged: verb != "strike",
                rule: "SP-04",
                extra: vec![],
            };
            battle.read(look, attack)
        });
        battle.answer(choice.clone()).unwrap();
        let Some((modifiers, _)) = foreseen else {
            continue;
        };
        let rolled = battle.events()[before..]
            .iter()
            .find_map(|e| match &e.what {
                EventKind::AttackRolled { rolled_attack }
                    if Some(rolled_attack.attack.by) == choice.who =>
                {
                    Some(rolled_attack)
                }
                _ => None,
            });
        if let Some(rolled_attack) = rolled {
            assert_eq!(rolled_attack.roll.modifiers, modifiers);
            seen += 1;
        }
    }
    assert!(seen > 5, "only {seen} attacks");
}

/// The loss from a hit for 5, as forecast and as resolved.
#[test]
fn a_non_lethal_hit_takes_at_most_what_is_left_sp_24() {
    let taken = |left, critical, lethal| {
        let loss = split(5, left, critical, lethal);
        (loss.stress, loss.wounds)
    };
    assert_eq!(taken((2, 9), false, false), (2, 3));
    assert_eq!(taken((2, 1), false, false), (2, 1));
    assert_eq!(taken((2, 1), true, false), (0, 1));
    assert_eq!(taken((0, 0), false, false), (0, 0));
    assert_eq!(taken((0, -3), true, false), (0, 0));
    assert_eq!(taken((0, -3), false, true), (0, 5));
}

#[test]
fn the_tables_are_complete_sp_27_sp_32() {
    let tables = numbers::tables();
    assert_eq!(tables.injuries.len(), 11);
    assert!(tables.injuries.values().all(|rows| rows.len() == 20));
    let text = include_str!("../../assets/tables/speed.ron");
    assert!(numbers::read("speed.ron", text).is_ok());
    let short = text.replacen("(\"crushed foot\", [Balance(-5)]),", "", 1);
    let wrong = numbers::read("speed.ron", &short).expect_err("a row is missing");
    assert!(wrong.to_string().contains("Blunt"), "{wrong}");
    let wrong = numbers::read("speed.ron", "(speed_tables: (initiatve: ()))");
    assert!(
        wrong
            .expect_err("misspelt")
            .to_string()
            .starts_with("speed.ron:1:")
    );
}

/// Every row of every injury table works: 1,000 critical hits leave every unit in a valid state.
#[test]
fn every_injury_can_be_suffered_sp_27() {
    let kinds = [
        "Blunt", "Piercing", "Slashing", "Chopping", "Fire", "Cold", "Electric", "Sonic", "Acid",
        "Holy", "Unholy",
    ];
    let mut rows = std::collections::BTreeSet::new();
    for kind in kinds {
        let text = format!(
            r#"(
    title: "Blows", rules: Speed,
    map: ["......", "......"],
    sides: [(id: "party"), (id: "goblins")],
    kinds: (weapons: {{"blow": (melee: (), damage: "1d6", speed: (critical: 2, times: 4, types: [{kind}]))}}),
    combatants: [
        (kind: "mara", side: "party", at: (1, 0), with: (weapons: ["blow"], speed_rules: (attack: 30, wounds: 100))),
        (kind: "tobin", side: "party", at: (1, 1), with: (weapons: ["blow"], speed_rules: (attack: 30, wounds: 100))),
        (kind: "goblin", side: "goblins", at: [(2, 0), (2, 1)], with: (weapons: ["blow"], morale: Fearless, speed_rules: (attack: 30, wounds: 100))),
    ],
)"#
        );
        let level = level(&text);
        for seed in 0..12 {
            let battle = fight(&level, Player::Quick, seed);
            for event in battle.events().iter().filter(|e| e.rule == "SP-27") {
                if let EventKind::Checked(CheckRoll { what, .. }) = &event.what {
                    rows.insert(what.to_string());
                }
            }
        }
    }
    let injuries = rows.iter().filter(|r| r.contains(" injury: ")).count();
    assert!(injuries > 100, "only {injuries} rows");
}

#[test]
fn five_dice_with_three_each_are_41_sp_22() {
    assert_eq!(most_stress(5, 3), 41);
    assert_eq!(most_stress(1, 0), 8);
}

/// A side's replica does not contain other sides' declarations until they are revealed.
#[test]
fn sealed_declarations_stay_sealed_sp_05() {
    use fivefoot_core::battle::{Replica, Side};
    use fivefoot_core::rulesets::speed::state::Fighter;
    let level = &levels::built_in()[0];
    let setup = level_setup(level);
    let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::seeded(1));
    let mut known = Replica::new(&setup, &RULESET, Some(Side(0)));
    let mut asked_player = false;
    while !asked_player {
        let question = battle.asked().expect("declarations are asked for");
        asked_player = question.side == Side(0);
        if !asked_player {
            let who = question.actors[0];
            let offers = battle.offers_of(who);
            let offer = offers
                .iter()
                .find(|o| o.is_legal())
                .expect("something is legal");
            battle.answer(offer.choice.clone()).unwrap();
        }
    }
    known.catch_up(battle.events());
    let declared =
        |world: &bevy_ecs::world::World, id: Id| of_unit::<Fighter>(world, id).declared.is_some();
    let goblins: Vec<Id> = (4..level.combatants.len() as u16).map(Id).collect();
    assert_eq!(goblins.len(), 7);
    for id in goblins {
        assert!(declared(battle.world(), id), "{id:?} has declared");
        assert!(
            !declared(&known.world, id),
            "{id:?} is known to have declared"
        );
    }
}

#[test]
fn dead_units_do_nothing() {
    let level = &levels::built_in()[1];
    let mut deaths = 0;
    for seed in 0..6 {
        let battle = fight(level, Player::Quick, seed);
        let mut dead = vec![];
        for event in battle.events() {
            match &event.what {
                EventKind::Died { who } => dead.push(*who),
                EventKind::Acted { choice } => {
                    assert!(!choice.who.is_some_and(|w| dead.contains(&w)), "{choice:?}");
                }
                EventKind::Moved { who, .. } => assert!(!dead.contains(who)),
                _ => {}
            }
        }
        for id in dead {
            let body = of_unit::<fivefoot_core::battle::Body>(battle.world(), id);
            assert_eq!(body.state, State::Dead);
            deaths += 1;
        }
    }
    assert!(deaths > 0, "nobody has died");
}

/// A unit that is down pays a Wound Point for each action, so it is asked only if one is worth
/// it, or it has declared one (SP-24).
#[test]
fn a_fallen_unit_with_nothing_to_do_is_not_asked_sp_24() {
    let of = |with: &str| {
        level(&format!(
            r#"(
                title: "Fallen", map: [".........."],
                sides: [(id: "party"), (id: "goblins")],
                combatants: [
                    (kind: "brandt", side: "party", at: (0, 0), with: (weapons: ["sword"], {with})),
                    (kind: "goblin", side: "goblins", at: (9, 0), with: (weapons: ["short_sword"])),
                ],
            )"#
        ))
    };
    let skips = |level: &Arc<Level>, state, declared: Option<&'static Action>| {
        let battle = Battle::new(level_setup(level), &RULESET, DiceBox::seeded(1));
        let mut known = battle.replica(Some(Side(0)));
        let body = of_unit_mut::<Body>(&mut known.world, Id(0));
        (body.state, body.hp) = (state, 0);
        let declared = declared.map(|verb| Declared {
            choice: Choice::new(verb, Id(0)),
            count: 0,
            adds: 0,
        });
        of_unit_mut::<Fighter>(&mut known.world, Id(0)).declared = declared;
        (RULESET.planning.is_skippable)(&mut known.world, Id(0))
    };
    let plain = of("");
    assert!(skips(&plain, State::Down, None));
    assert!(skips(&plain, State::Down, Some(&declared::HOLD)));
    assert!(
        !skips(&plain, State::Down, Some(&declared::MOVING)),
        "it wants to crawl"
    );
    assert!(!skips(&plain, State::Up, None));
    let potion = of("speed_rules: (draughts: [\"mend\"])");
    assert!(!skips(&potion, State::Down, None), "it can drink");
}

/// SP-30: the board shows over the target that it is intimidated.
#[test]
fn sp_30_a_threat_is_shown_over_its_target() {
    let battle = kit::of_scenario("tests/scenarios/speed/sp_30_intimidated.ron");
    let mut cues = battle.events().iter().filter_map(|e| e.cue());
    assert!(cues.any(|cue| {
        (cue.kind, cue.who, &*cue.word) == (CueKind::Fail, Some(Id(1)), "intimidated")
    }));
}
