//! Segments: random and AI battles, declarations are secret, and forecasts match the results.

use crate::kit;
use fivefoot_core::control::Controller;
use fivefoot_core::rulesets::segments::content::SegmentsStats;
use fivefoot_core::{
    battle::{
        Battle, Body, Choice, DiceBox, EventKind, Id, LogLevel, Replica, Roster, Seen, Setup,
        SpellId, State, all_units, level_setup, of_unit, of_unit_mut,
    },
    control::{Controllers, Player, Random, play},
    levels::{self, Level},
    rulesets::segments::{
        RULESET,
        acts::SET,
        declare,
        round::segments,
        state::{Casting, Clock, Fighter, Intent},
    },
};
use std::sync::Arc;

fn fought(level: &Arc<Level>, player: Player, seed: u64) -> Battle {
    kit::fought(level, &RULESET, player, seed)
}

/// The quick AI beats random answers on either of two sides.
#[test]
fn the_ai_beats_random_answers() {
    let level = levels::default_level();
    let wins = |players: [Player; 2], side: usize| {
        let winner = |seed| {
            kit::between(&level, &RULESET, &players, seed)
                .over()
                .flatten()
        };
        let is_won = |seed: &u64| winner(*seed).is_some_and(|s| s.index() == side);
        (0..30).filter(is_won).count()
    };
    assert!(wins([Player::Quick, Player::Random], 0) >= 27);
    assert!(wins([Player::Random, Player::Quick], 1) >= 24);
}

/// Every offer of a decision has a different text, and its text is read as that offer.
#[test]
fn order_texts_are_unique_and_readable() {
    let mut read = 0;
    for level in levels::built_in() {
        let battle = fought(level, Player::Random, 5);
        let names = battle.names().clone();
        for n in (0..battle.answers().len()).step_by(23) {
            let mut then = battle.at(n);
            let mut texts: Vec<String> = vec![];
            for offer in then.offers() {
                let text = offer.choice.text(&names);
                assert_eq!(then.find(&text).as_ref(), Ok(&offer.choice), "{text}");
                texts.push(text);
            }
            let count = texts.len();
            read += count;
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), count, "{} at {n}", level.id);
        }
    }
    assert!(read > 500, "only {read} orders");
}

/// SE-21: only a side's own units know its declarations, and AI sides have declared before the
/// player is asked.
#[test]
fn se_21_declarations_are_sealed() {
    let level = levels::default_level();
    let setup = level_setup(&level);
    let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::seeded(3));
    let mut chance = Random::new(1);
    // Skip to the first declaration, past any surprise.
    while battle.world().resource::<Clock>().round == 0 {
        let choice = chance.choose(&mut battle);
        battle.answer(choice).expect("a legal answer");
    }
    let side = |battle: &Battle| battle.asked().expect("a question").side.index();
    assert_eq!(side(&battle), 1, "the goblins declare first");
    while side(&battle) == 1 {
        let who = battle.asked().expect("a question").actors[0];
        battle
            .answer(Choice::new(&declare::FIGHT, who))
            .expect("anybody may declare an attack");
    }
    let sealed = battle.events().iter().filter(|e| e.rule == "SE-20");
    let sealed: Vec<Seen> = sealed.map(|e| e.seen).collect();
    assert!(!sealed.is_empty());
    let goblins = fivefoot_core::battle::Side(1);
    assert!(sealed.iter().all(|s| *s == Seen::Only(goblins)));
    let intent = |setup: &Setup, eyes: usize| {
        let side = fivefoot_core::battle::Side(eyes as u8);
        let mut known = Replica::new(setup, &RULESET, Some(side));
        known.catch_up(battle.events());
        let roster = battle.world().resource::<Roster>();
        let goblin = roster.names.find("goblin 1").expect("a goblin");
        of_unit::<Fighter>(&known.world, goblin).intent
    };
    assert!(intent(&setup, 1).is_some());
    assert_eq!(intent(&setup, 0), None);
}

/// What a card says of a unit's plan: short enough for two lines, and true until the end.
#[test]
fn a_plan_says_when_the_unit_acts_or_its_spell_is_ready() {
    let setup = level_setup(&levels::default_level());
    let plan = |(segment, due): (u8, u8), ready: Option<i32>| {
        let mut known = Replica::new(&setup, &RULESET, None);
        let mut clock = known.world.resource_mut::<Clock>();
        (clock.round, clock.segment) = (1, segment);
        let spell = SpellId(0);
        let fighter = of_unit_mut::<Fighter>(&mut known.world, Id(0));
        (fighter.intent, fighter.due) = (Some(Intent::Attack), due);
        fighter.casting = ready.map(|ready| Casting { spell, ready });
        let names = known.world.resource::<Roster>().names.clone();
        let plan = (RULESET.planning.declared)(&mut known.world, Id(0));
        plan.replace(names.spell(spell), "spark")
    };
    assert_eq!(plan((0, 0), None), "attack");
    assert_eq!(plan((0, 4), None), "attack, segment 4");
    assert_eq!(plan((4, 0), Some(5)), "spark ready: segment 5");
    assert_eq!(plan((9, 0), Some(12)), "spark ready: segment 2, round 2");
    assert_eq!(plan((5, 0), Some(5)), "spark is ready");
}

/// SE-50: an attack hits according to its roll. SE-32: a fallen unit attacks only in the segment in
/// which it fell.
#[test]
fn hit_results_follow_from_rolls() {
    let (mut settled, mut fallen) = (0, 0);
    for level in levels::built_in() {
        for seed in 0..10 {
            let battle = fought(level, Player::Quick, seed);
            let mut rolls = std::collections::BTreeMap::new();
            // Units that fell in this segment, and units that were down before.
            let (mut falls, mut down) = (vec![], vec![]);
            for event in battle.events() {
                let line = event.describe(battle.names());
                if line.is_some_and(|line| line.depth == LogLevel::Heading) {
                    down.append(&mut falls);
                }
                match &event.what {
                    EventKind::Fell { who } | EventKind::Died { who } => {
                        falls.push(*who);
                        fallen += 1;
                    }
                    EventKind::Revived { who, .. } => down.retain(|id| id != who),
                    EventKind::AttackRolled { rolled_attack } => {
                        let by = rolled_attack.attack.by;
                        assert!(
                            !down.contains(&by),
                            "{} {seed}: {rolled_attack:?}",
                            level.id
                        );
                        rolls.insert(rolled_attack.serial, rolled_attack.clone());
                    }
                    EventKind::AttackResolved {
                        serial,
                        hit,
                        against,
                        ..
                    } => {
                        let rolled_attack = &rolls[serial];
                        let creature = &level.combatants[rolled_attack.attack.by.index()].creature;
                        let needed = creature.section::<SegmentsStats>().to_hit - against;
                        let natural = rolled_attack.roll.dice[0].1;
                        let expected = match natural {
                            20 => true,
                            1 => false,
                            _ => rolled_attack.roll.total() >= needed,
                        };
                        assert_eq!(*hit, expected, "{}: {rolled_attack:?}", level.id);
                        settled += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(settled > 500 && fallen > 100, "{settled} {fallen}");
}

/// SE-54: a dead unit has -10 hit points or less, or died of an effect that kills at once.
#[test]
fn se_54_hit_points_and_states_agree() {
    let mut seen = std::collections::BTreeMap::new();
    for level in levels::built_in() {
        for seed in 0..10 {
            let battle = fought(level, Player::Random, seed);
            for (n, body) in all_units::<Body>(battle.world()).iter().enumerate() {
                let minion = level.combatants[n]
                    .creature
                    .has(fivefoot_core::content::Trait::Minion);
                *seen.entry(format!("{:?}", body.state)).or_insert(0) += 1;
                match body.state {
                    State::Up => assert!(body.hp > 0),
                    State::Down => assert!(body.hp <= 0 && body.hp > -10),
                    State::Dead => assert!(body.hp <= -10 || minion && body.hp <= 0),
                    State::Waiting | State::Fled => {}
                }
            }
        }
    }
    for state in ["Up", "Down", "Dead"] {
        assert!(seen.get(state).is_some_and(|n| *n > 10), "{seen:?}");
    }
}

/// SE-14: Alice is too slow to charge. The goblin can charge; only its side's roll decides whether
/// it is surprised. If both act in one surprise segment, Alice sets her spear.
#[test]
fn the_ai_sets_a_spear_in_a_surprise_segment_se_14() {
    let text = r##"(
        title: "A spear",
        map: ["............", "            ", "            ", "            ", "............"],
        kinds: (weapons: {"pike": (like: "long_spear", segments: (set: true))}),
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "bandit", name: "alice", side: "party", at: (0, 0), with: (weapons: ["pike"], speed: 10, segments: (surprise: 2))),
            (kind: "goblin", side: "goblins", at: (8, 0), with: (weapons: ["sword"], speed: 30)),
            (kind: "bandit", name: "bob", side: "party", at: (0, 4), with: (weapons: ["sword"])),
        ],
    )"##;
    let level = fivefoot_kit::level(text);
    let (mut set, mut alone) = (0, 0);
    for seed in 0..100 {
        let setup = level_setup(&level);
        let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::seeded(seed));
        let mut controllers =
            Controllers::new(&[Player::Quick, Player::Quick], &setup, &RULESET, seed);
        let is_before_round_1 = |b: &Battle| b.world().resource::<Clock>().round == 0;
        while is_before_round_1(&battle) && battle.asked().is_some() {
            let foe_acts = of_unit::<Fighter>(battle.world(), Id(1)).due > 0;
            let answers = battle.answers().len();
            play(&mut battle, &mut controllers, 1);
            let choice = &battle.answers()[answers];
            let sets = choice.verb == &SET;
            assert!(!sets || foe_acts, "seed {seed}: nobody can charge");
            set += usize::from(sets);
            alone += usize::from(!foe_acts);
        }
    }
    assert!(set > 0 && alone > 0, "{set} {alone}");
}

#[test]
fn se_30_each_side_acts_in_the_segment_of_the_other_sides_roll() {
    assert_eq!(segments(&[Some(6), Some(1)]), [1, 6]);
    assert_eq!(segments(&[Some(5), Some(4)]), [4, 5]);
    assert_eq!(segments(&[Some(3), Some(3)]), [3, 3]);
}

#[test]
fn se_30_of_three_sides_the_best_acts_first() {
    assert_eq!(segments(&[Some(2), Some(6), Some(4)]), [6, 2, 4]);
    assert_eq!(segments(&[Some(5), Some(2), Some(5)]), [2, 5, 2]);
    assert_eq!(segments(&[Some(5), None, Some(2)]), [2, 0, 5]);
}
