//! Activity: rules that hold in every battle, and the ruleset's tables.

use crate::kit;
use fivefoot_core::control::Controller;
use fivefoot_core::rulesets::{
    activity::content::{AttackSize, AttackType},
    common::attacks::ToHit,
};
use fivefoot_core::{
    battle::{
        Attack, Battle, DiceBox, Event, Id, Item, Modifier, Replica, Side, all_units, level_setup,
        of_unit_mut,
    },
    control::{Controllers, Player, Random, exchange},
    levels,
    rulesets::activity::{
        RULESET,
        numbers::tables,
        odds::{AttackChances, RollResult},
        query::ActivityQuery,
        state::{ActionKind, Actor},
    },
};

/// No unit spends more activity than it has for the round, even if it gives up actions after a
/// parry (AC-13). A unit that waits has a melee action ahead of it (AC-15).
#[test]
fn no_unit_spends_more_than_its_round() {
    let (mut waited, mut paid) = (0, 0);
    for level in levels::built_in() {
        for seed in 0..8 {
            let setup = level_setup(level);
            let mut battle = Battle::new(setup, &RULESET, DiceBox::seeded(seed));
            let mut chance = Random::new(seed);
            for _ in 0..500 {
                if battle.asked().is_none() {
                    break;
                }
                let choice = chance.choose(&mut battle);
                battle.answer(choice).expect("chance plays by the rules");
                for actor in all_units::<Actor>(battle.world()) {
                    assert!(actor.spent <= actor.capacity, "{}: {actor:?}", level.id);
                    if actor.waiting {
                        let next = actor.plan.get(actor.next).map(|p| p.kind);
                        assert_eq!(next, Some(ActionKind::Melee), "{}", level.id);
                        waited += 1;
                    }
                }
            }
            let log_text = |e: &Event| e.describe(battle.names()).map(|line| line.text);
            let lines = battle.events().iter().filter_map(log_text);
            paid += lines.filter(|text| text.contains("are spent")).count();
        }
    }
    assert!(waited > 0 && paid > 0, "{waited} waited, {paid} paid");
}

/// A forecast's chances match its hit results, die by die (AC-30).
#[test]
fn forecast_chances_match_hit_results() {
    let level = levels::default_level();
    let mut battle = Battle::new(level_setup(&level), &RULESET, DiceBox::seeded(1));
    fn look(_: bevy_ecs::system::In<()>, ac: ActivityQuery) -> Vec<(u32, u32)> {
        let mut out = vec![];
        for by in ac.view.ids() {
            for at in ac.view.ids().filter(|&at| at != by) {
                let with: Vec<Item> = ac.inventory(by).at_hand().collect();
                // The plain attack, then the attack with larger and larger penalties.
                let less = [0, -60, -110, -170];
                for (with, less) in with.iter().flat_map(|&w| less.map(|n| (w, n))) {
                    let attack = Attack {
                        by,
                        at,
                        with,
                        ranged: ac.weapon(with).ranged.is_some(),
                        rule: "AC-01",
                        extra: vec![Modifier::new(less, "less", "AC-01")],
                    };
                    let Ok(forecast) = ac.forecast(&attack) else {
                        continue;
                    };
                    let hits = |first: i32, roll: i32| {
                        let comes = forecast.comes(first, roll + forecast.bonus());
                        matches!(comes, RollResult::Hit(_))
                    };
                    // Each first die below 96 has a chance of 1 in 100; the five from 96 up are
                    // rolled again, and both dice count.
                    let low = (1..96).filter(|&die| hits(die, die)).count();
                    let pairs = (96..=100).flat_map(|a| (1..=100).map(move |b| (a, b)));
                    let high = pairs.filter(|(a, b)| hits(*a, a + b)).count();
                    out.push(((low * 100 + high) as u32, forecast.chances().hit));
                }
            }
        }
        out
    }
    let seen = battle.read::<bevy_ecs::system::In<()>, _, _, _>(look, ());
    // Some attacks can hit with an ordinary die, and some only with an open-ended one.
    assert!(
        seen.iter().any(|(_, all)| (600..9_500).contains(all)),
        "{seen:?}"
    );
    assert!(seen.iter().any(|(_, all)| *all < 500), "{seen:?}");
    for (counted, told) in seen {
        assert_eq!(counted, told);
        assert!(AttackChances::percent(told) <= 100);
    }
}

/// AC-13: a forecast says what the strongest parry that the target may have declared would leave.
#[test]
fn a_forecast_names_a_possible_parry() {
    let units = [("ann", "party", (1, 1), 9), ("gob", "goblins", (2, 1), 9)];
    let level = fivefoot_kit::field(&["....", "....", "...."], &units);
    let mut known = Replica::new(&level_setup(&level), &RULESET, None);
    let mut is_named = |declared: bool| {
        of_unit_mut::<Actor>(&mut known.world, Id(1)).declared = declared;
        let attacks = exchange::attacks(&RULESET, &mut known.world, Id(0), Id(1));
        let mut notes = attacks.iter().flat_map(|attack| &attack.notes);
        notes.any(|note| note.rule == "AC-13" && note.text.starts_with("if it parries"))
    };
    assert!(is_named(false));
    // Its plan is known: it keeps no OB.
    assert!(!is_named(true));
}

/// What the quick AI declares and drops in a battle on this level, as JSON events.
fn declared(level: &str) -> Vec<String> {
    let battle = kit::fought(&fivefoot_kit::level(level), &RULESET, Player::Quick, 3);
    kit::json(&battle, 0)
        .into_iter()
        .filter(|e| e.contains("\"declared\"") || e.contains("\"drops\""))
        .collect()
}

/// A unit with a shield parries the arrows of one archer while it walks towards it. It does not
/// stop to parry two.
#[test]
fn the_ai_parries_missiles_ac_22() {
    let level = |archers: &str| {
        format!(
            r#"(
    title: "Arrows", rules: Activity,
    map: ["{0}", "{0}", "{0}"],
    sides: [(id: "party"), (id: "archers")],
    combatants: [
        (kind: "brandt", side: "party", at: (0, 1), with: (speed: 20)),
        (kind: "goblin", side: "archers", at: [{archers}], with: (weapons: ["short_bow"], morale: Fearless)),
    ],
)"#,
            ".".repeat(40)
        )
    };
    let parries = |archers: &str| {
        let all = declared(&level(archers));
        assert!(all.len() > 5, "{all:#?}");
        all.iter().filter(|e| e.contains("parry_missile")).count()
    };
    assert!(parries("(30, 1)") > 0);
    assert_eq!(parries("(30, 0), (30, 2)"), 0);
}

/// The AI builds up chi speed on the way to the enemy and uses it: two attacks in a round.
#[test]
fn the_ai_uses_chi_speed_ac_25() {
    let level = r#"(
    title: "Chi", rules: Activity,
    map: ["..........................", ".........................."],
    sides: [(id: "party"), (id: "orcs")],
    combatants: [
        (kind: "wat", side: "party", at: (0, 0), with: (activity: (hits: 200, resistance: 120, ob: 60))),
        (kind: "ogre", side: "orcs", at: (23, 0), with: (morale: Fearless, activity: (hits: 200, ob: 0))),
    ],
)"#;
    let all = declared(level);
    assert!(all.iter().any(|e| e.contains("chi_speed")), "{all:#?}");
}

#[test]
fn the_tables_are_complete() {
    let t = tables();
    for size in AttackSize::ALL {
        let (plus, cap) = t.size(size);
        assert_eq!(cap - plus, 100, "{size:?}: size and cap rise together");
    }
    let types = [
        AttackType::Slash,
        AttackType::Crush,
        AttackType::Puncture,
        AttackType::Unarmed,
        AttackType::Heat,
        AttackType::Cold,
        AttackType::Shock,
        AttackType::Missile,
    ];
    for attack in types {
        assert!(t.critical(attack, 0).is_none());
        let hits: Vec<i32> = (1..=120)
            .map(|n| t.critical(attack, n).expect("a row for every total").hits)
            .collect();
        assert!(hits.is_sorted(), "{attack:?}: more never does less");
        assert!(t.critical(attack, 120).is_some_and(|row| row.dead));
        assert!(t.critical(attack, 110).is_some_and(|row| !row.dead));
    }
    assert_eq!(t.fumble(100).to, 100);
}

/// A side that looks ahead lets its enemies choose their hidden declarations again. An enemy that
/// is already carrying out a load from the last round has no action left to give up (AC-09, AC-14).
#[test]
fn a_started_action_is_not_given_up_in_a_forecast() {
    let level = fivefoot_kit::level(
        r#"(
            title: "Loads",
            map: ["................", "................", "................"],
            sides: [(id: "west"), (id: "east")],
            combatants: [
                (kind: "mara", side: "west", at: (0, 1)),
                (kind: "brandt", side: "west", at: (0, 2)),
                (kind: "crossbowman", side: "east", at: [(14, 0), (15, 2)], with: (weapons: ["heavy_crossbow", "dagger"])),
            ],
        )"#,
    );
    let setup = level_setup(&level);
    let mut past = 0;
    for seed in 0..6 {
        let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::seeded(seed));
        let mut known = Replica::new(&setup, &RULESET, Some(Side(0)));
        let mut controllers =
            Controllers::new(&[Player::Quick, Player::Quick], &setup, &RULESET, seed);
        for _ in 0..300 {
            let Some(side) = battle.asked().map(|asked| asked.side) else {
                break;
            };
            let choice = controllers.0[side.index()].choose(&mut battle);
            battle.answer(choice).expect("it is legal");
            known.catch_up(battle.events());
            past += (all_units::<Actor>(battle.world()).iter())
                .filter(|a| a.next > 0 && a.plan.first().is_some_and(|p| p.carried))
                .count();
            // Without the rule, this call loops forever or panics.
            let _ = battle.fork_known(&mut known, DiceBox::seeded(1));
        }
    }
    assert!(past > 0, "{past}");
}
