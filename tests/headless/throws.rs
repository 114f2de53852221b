//! Thrown weapons, under every ruleset: none is lost or duplicated, and a unit that has thrown all
//! of them fights on.

use fivefoot_core::{
    battle::{Battle, DiceBox, EventKind, Ground, Id, Inventory, Item, all_units, level_setup},
    control::{Controllers, Player, play},
    levels::{Level, check_file},
    rulesets::ALL,
};
use std::{collections::BTreeMap, sync::Arc};

/// Units with only thrown weapons, and enemies that attack them.
const FIELD: &str = r#"(
    title: "Throwers",
    map: ["............", "............", "............", "............"],
    sides: [(id: "party"), (id: "foes")],
    combatants: [
        (kind: "bandit", side: "party", at: [(0, 0), (0, 2)], with: (weapons: [(weapon: "javelin", count: 2)], morale: Fearless)),
        (kind: "bandit", side: "party", at: (0, 3), with: (weapons: [(weapon: "dart", count: 4)], morale: Fearless)),
        (kind: "goblin", side: "foes", at: [(9, 0), (9, 1), (9, 3)], with: (weapons: ["cudgel"], morale: Fearless)),
    ],
)"#;

fn field() -> Arc<Level> {
    match check_file("throwers.ron", FIELD) {
        Ok((level, _)) => Arc::new(level),
        Err(problems) => panic!("{}", problems[0]),
    }
}

/// The number of each item, carried or on the ground.
fn things(battle: &Battle) -> BTreeMap<Item, usize> {
    let world = battle.world();
    let inventory = all_units::<Inventory>(world).iter();
    let carried = inventory.flat_map(|inventory| inventory.items.iter().map(|thing| thing.0));
    let lying = world.resource::<Ground>().0.iter().map(|thing| thing.1);
    let mut count = BTreeMap::new();
    for item in carried.chain(lying) {
        *count.entry(item).or_default() += 1;
    }
    count
}

#[test]
fn thrown_weapons_are_neither_lost_nor_duplicated() {
    let level = field();
    for rules in ALL {
        let setup = level_setup(&level);
        let players = [Player::Quick, Player::Quick];
        let mut controllers = Controllers::new(&players, &setup, rules, 0);
        let mut battle = Battle::new(setup, rules, DiceBox::seeded(0));
        let before = things(&battle);
        let mut thrown = 0;
        for seed in 0..12 {
            battle.restart(DiceBox::seeded(seed));
            controllers.restart(&mut battle, seed);
            play(&mut battle, &mut controllers, 60_000);
            assert!(battle.over().is_some(), "{} {seed} does not end", rules.id);
            assert_eq!(things(&battle), before, "{} {seed}", rules.id);
            // No unit throws more weapons than it started with or picked up.
            let mut left: BTreeMap<Id, i32> = (0..2).map(|n| (Id(n), 2)).collect();
            left.insert(Id(2), 4);
            for event in battle.events() {
                match &event.what {
                    EventKind::Landed { who, .. } => {
                        thrown += 1;
                        *left.entry(*who).or_default() -= 1;
                    }
                    EventKind::PickedUp { who, .. } => *left.entry(*who).or_default() += 1,
                    _ => {}
                }
            }
            assert!(left.values().all(|&n| n >= 0), "{} {seed}", rules.id);
        }
        assert!(thrown > 12, "{}: only {thrown} throws", rules.id);
    }
}
