//! Properties of every battle: it is a function of its dice and answers, forks and replays are
//! identical, undo is exact, and it ends.

use crate::kit::{self, begun, json};
use bevy_ecs::world::World;
use fivefoot_core::control::Controller;
use fivefoot_core::{
    battle::{
        Battle, Body, Choice, DiceBox, Id, Map, PendingAttacks, Progress, Replica, Roster, Ruleset,
        Setup, all_units, level_setup, of_unit,
    },
    control::{Controllers, Player, Random, play, scenario},
    levels::{self, Level},
    rulesets::{
        ALL, KNOWN, activity, phased, segments,
        skirmish::{
            RULESET,
            state::{Clock, Fighter, Stance},
        },
        speed,
    },
};
use fivefoot_kit::{files::beneath, sample};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Every level in `levels`.
fn shipped() -> Vec<Arc<Level>> {
    let read = |(file, text): &(String, String)| match levels::check_file(file, text) {
        Ok((level, _)) => Arc::new(level),
        Err(problems) => panic!("{}", problems[0]),
    };
    beneath("levels", "ron").iter().map(read).collect()
}

/// The levels to play under each ruleset: in a quick run a third of them, others under each.
fn cases() -> Vec<(&'static Ruleset, Arc<Level>)> {
    let step = sample(3, 1);
    let of = |(n, rules): (usize, &'static Ruleset)| {
        let all = match n {
            0 => shipped(),
            _ => levels::built_in().to_vec(),
        };
        let some = all.into_iter().skip(n % step).step_by(step);
        some.map(|level| (rules, level)).collect::<Vec<_>>()
    };
    KNOWN.into_iter().enumerate().flat_map(of).collect()
}

/// A finished, audited battle of random answers.
fn fought(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> Battle {
    kit::fought(level, rules, Player::Random, seed)
}

/// What a ruleset keeps about the round and its units, as text.
fn own_state(rules: &Ruleset, world: &World) -> String {
    match rules.id {
        "Skirmish" => format!(
            "{:?} {:?} {:?}",
            all_units::<Fighter>(world),
            all_units::<Stance>(world),
            world.resource::<Clock>()
        ),
        "Segments" => format!(
            "{:?} {:?}",
            all_units::<segments::state::Fighter>(world),
            world.resource::<segments::state::Clock>()
        ),
        "Phased" => format!(
            "{:?} {:?}",
            all_units::<phased::state::Fighter>(world),
            world.resource::<phased::state::Clock>()
        ),
        "Speed" => format!("{:?}", all_units::<speed::state::Fighter>(world)),
        "Activity" => format!("{:?}", all_units::<activity::state::Actor>(world)),
        _ => String::new(),
    }
}

/// The whole state of a battle and all its offers, as text.
fn snapshot(battle: &mut Battle) -> Vec<String> {
    let names = battle.names().clone();
    let question = battle
        .asked()
        .map(|q| (q.prompt.clone(), q.actors.clone(), q.side, q.reaction));
    let mut out = vec![format!("{question:?}")];
    let offers = battle.offers();
    out.extend(
        offers
            .iter()
            .map(|o| format!("{} {:?}", o.choice.text(&names), o.why_not)),
    );
    let world = battle.world();
    out.push(format!("{:?}", all_units::<Body>(world)));
    out.push(own_state(battle.rules(), world));
    let board = &world.resource::<Map>().0;
    out.extend(
        board
            .doors()
            .map(|cell| format!("{cell} {:?}", board.door(cell))),
    );
    out.push(format!("{:?}", world.resource::<PendingAttacks>().all()));
    out.push(format!("{:?}", world.resource::<Progress>()));
    out.push(format!("{}", battle.dice().rolled()));
    out.extend(json(battle, 0));
    out
}

#[test]
fn random_answers_play_every_level_to_its_end() {
    let mut tried = BTreeSet::new();
    for level in shipped() {
        // A battle of 60 units takes as long as 100 battles of 6.
        let units = level.combatants.len().max(1) as u64;
        for seed in 0..(2000 / units.pow(2)).clamp(2, 27) {
            let battle = fought(&level, &RULESET, seed);
            let which = format!("{} with seed {seed}", level.id);
            assert!(battle.over().is_some(), "{which} has no end");
            assert!(battle.is_idle(), "{which} ends in the middle of something");
            assert!(battle.world().resource::<PendingAttacks>().all().is_empty());
            tried.extend(battle.answers().iter().map(|choice| choice.verb.name));
        }
    }
    // Stalking needs an unaware enemy. The tests of Skirmish check that random play uses every
    // other action.
    assert!(tried.contains("stalk"), "nobody ever tried to stalk");
}

#[test]
fn equal_seeds_and_answers_give_equal_events() {
    for (rules, level) in cases() {
        let [first, second] = [(); 2].map(|()| fought(&level, rules, 7));
        let which = format!("{} {}", rules.id, level.id);
        assert_eq!(first.answers(), second.answers(), "{which}");
        assert_eq!(json(&first, 0), json(&second, 0), "{which}");
        let again = first.at(first.answers().len());
        assert_eq!(json(&first, 0), json(&again, 0), "{which}");
        assert_eq!(first.over(), again.over(), "{which}");
    }
}

#[test]
fn another_seed_gives_another_battle() {
    let level = levels::default_level();
    let [one, other] = [1, 2].map(|seed| json(&fought(&level, &RULESET, seed), 0));
    assert_ne!(one, other);
}

#[test]
fn a_fork_with_equal_dice_and_answers_is_identical() {
    for (rules, level) in cases() {
        let battle = fought(&level, rules, 11);
        for share in [1, 4, 8] {
            let n = battle.answers().len() * share / 10;
            let from = battle.events_before(n);
            let then = battle.at(n);
            let mut fork = then.fork(then.dice().clone());
            // The second fork reuses a world in which another fork ran on.
            let mut other = then.fork(DiceBox::seeded(12));
            (0..20).for_each(|_| other.answer_quickly());
            drop(other);
            let mut pooled = then.fork(then.dice().clone());
            for choice in &battle.answers()[n..] {
                for fork in [&mut fork, &mut pooled] {
                    fork.answer(choice.clone())
                        .expect("a fork takes the same answers");
                }
            }
            for fork in [&fork, &pooled] {
                let which = format!("{} {} at {n}", rules.id, level.id);
                assert_eq!(json(&battle, from), json(fork, 0), "{which}");
                assert_eq!(fork.over(), battle.over(), "{which}");
            }
            // Forks do not change the original battle.
            assert_eq!(then.answers().len(), n);
            assert_eq!(json(&then, 0).len(), from);
        }
    }
}

#[test]
fn an_earlier_state_leads_to_the_same_battle() {
    let battle = fought(&levels::default_level(), &RULESET, 5);
    let n = battle.answers().len() / 2;
    let mut again = battle.at_from(&battle.at(n / 2), n);
    assert_eq!(again.answers(), &battle.answers()[..n]);
    assert_eq!(snapshot(&mut again), snapshot(&mut battle.at(n)));
}

#[test]
fn undo_restores_everything() {
    let mut undone = BTreeMap::new();
    for (rules, level) in cases() {
        for seed in 0..2 {
            let mut battle = begun(&level, rules, seed);
            let mut chance = Random::new(seed);
            for _ in 0..40 {
                if battle.asked().is_none() {
                    break;
                }
                let (before, rolled) = (snapshot(&mut battle), battle.dice().rolled());
                let choice: Choice = chance.choose(&mut battle);
                battle.answer(choice).expect("chance plays by the rules");
                if let Some(mut back) = battle.undone() {
                    let which = format!("{} {} {seed}", rules.id, level.id);
                    assert_eq!(snapshot(&mut back), before, "{which}");
                    assert_eq!(battle.dice().rolled(), rolled, "{which}");
                    *undone.entry(rules.id).or_insert(0) += 1;
                }
            }
        }
    }
    for rules in ALL {
        let enough = undone.get(rules.id).is_some_and(|undone| *undone > 10);
        assert!(enough, "answers that could be undone: {undone:?}");
    }
}

#[test]
fn answers_that_rolled_dice_cannot_be_undone() {
    let level = levels::default_level();
    let battle = fought(&level, &RULESET, 3);
    let (mut with, mut without) = (0, 0);
    for n in 1..battle.answers().len().min(200) {
        let then = battle.at(n);
        let rolled = then.dice().rolled() > battle.at(n - 1).dice().rolled();
        let is_undone = then.undone().is_some();
        assert!(!(rolled && is_undone), "answer {n}");
        with += usize::from(rolled);
        // An answer that reveals something cannot be undone either.
        without += usize::from(is_undone);
    }
    assert!(with > 3 && without > 50, "{with} {without}");
}

/// The last side to declare learns the other declarations at once, so its answer cannot be undone.
/// Phased is left out because it rolls dice first.
#[test]
fn undo_stops_where_enemy_declarations_were_revealed() {
    let level = levels::default_level();
    for rules in [&speed::RULESET, &activity::RULESET] {
        let (mut told, mut free) = (0, 0);
        for seed in 0..4 {
            let mut battle = begun(&level, rules, seed);
            let mut chance = Random::new(seed);
            for _ in 0..400 {
                let Some(asked) = battle.asked() else { break };
                let (side, rolled) = (asked.side, battle.dice().rolled());
                let from = battle.events().len();
                let choice = chance.choose(&mut battle);
                battle.answer(choice).expect("chance plays by the rules");
                if battle.dice().rolled() != rolled {
                    continue;
                }
                let names = battle.names();
                let roster = battle.world().resource::<Roster>();
                let is_other = |id: &Id| of_unit::<Body>(battle.world(), *id).side != side;
                let others = roster.ids().filter(is_other).map(|id| names.name(id));
                let others: Vec<_> = others.collect();
                let tells = battle.events()[from..].iter().any(|event| {
                    let fact = event.json(names);
                    let what = fact["what"].as_str().unwrap_or_default();
                    ["declared", "declares", "begins"].contains(&what)
                        && fact["seen"].is_null()
                        && others.iter().any(|&other| fact["who"] == other)
                });
                assert!(!(tells && battle.can_undo()), "{} {seed}", rules.id);
                *(if tells { &mut told } else { &mut free }) += 1;
            }
        }
        assert!(told > 0 && free > 50, "{}: {told} {free}", rules.id);
    }
}

#[test]
fn a_replica_of_all_events_equals_the_battle() {
    for level in shipped() {
        let battle = fought(&level, &RULESET, 5);
        let mut all = Replica::new(&level_setup(&level), &RULESET, None);
        all.catch_up(battle.events());
        let (seen, real) = (&all.world, battle.world());
        assert_eq!(all_units::<Body>(seen), all_units::<Body>(real));
        assert_eq!(all_units::<Fighter>(seen), all_units::<Fighter>(real));
        assert_eq!(all_units::<Stance>(seen), all_units::<Stance>(real));
    }
}

/// An audited battle checks each step's system when it first runs, and panics if the system can
/// write anything but dice and answers. This test checks that every step is audited somewhere.
#[test]
fn every_step_is_audited_to_write_only_dice_and_answers() {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (file, text) in beneath("tests/scenarios", "ron") {
        let Ok((scenario, _)) = scenario::check_file(&file, &text) else {
            continue; // Another test reports the problem.
        };
        let battle = scenario.play().battle;
        seen.extend(battle.audited_steps().map(str::to_owned));
    }
    for level in shipped() {
        let battle = fought(&level, &RULESET, 21);
        seen.extend(battle.audited_steps().map(str::to_owned));
    }
    let mut steps: BTreeSet<String> = BTreeSet::new();
    for (_, text) in beneath("src/core/rulesets", "rs") {
        let made = text.split("system_step!(").skip(1);
        // The name of a generic step: `impl[R: Moves] MoveStep<R>` is `MoveStep`.
        let name = |rest: &str| {
            let whole = rest.split_once(',')?.0.trim();
            let own = whole.rsplit(' ').next()?.split('<').next()?;
            Some(own.to_owned())
        };
        steps.extend(made.filter_map(name));
        // `struct LeaveStep[R: Leaves]`.
        let for_each_system = text
            .split("struct ")
            .filter_map(|rest| rest.split_once("[R: "));
        let names = for_each_system.map(|(name, _)| name.to_owned());
        steps.extend(names.filter(|name| !name.contains(char::is_whitespace)));
    }
    let unseen: Vec<&String> = steps.difference(&seen).collect();
    assert!(unseen.is_empty(), "no battle ran {unseen:?}");
    assert!(steps.len() > 10);
}

#[test]
fn what_is_remembered_of_sight_changes_no_battle() {
    for level in shipped() {
        let known = level_setup(&level);
        let anew = known.clone();
        let anew: Setup = Arc::new(move |world| {
            anew(world);
            let mut map = world.resource_mut::<Map>();
            map.0 = map.0.clone().forgetful();
        });
        let fight = |setup: &Setup| {
            let players = vec![Player::Quick; level.sides.len()];
            let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::seeded(3));
            let mut controllers = Controllers::new(&players, setup, &RULESET, 3);
            play(&mut battle, &mut controllers, 12);
            json(&battle, 0)
        };
        assert_eq!(fight(&known), fight(&anew), "{}", level.id);
    }
}
