//! Difficulty: the easy AI, and handicaps.

use crate::kit::between;
use fivefoot_core::{
    battle::{
        Battle, Body, DiceBox, EventKind, ProbeValue, Replica, Ruleset, Side, handicap,
        level_setup, of_unit,
    },
    control::{
        Controllers, Easy, Player,
        recording::{Recording, SideController},
    },
    levels::{self, Level, check_file},
    rulesets::{ALL, KNOWN},
};
use fivefoot_kit::{sample, small_levels::small_level};
use std::sync::Arc;

fn mirror() -> Arc<Level> {
    let path = "levels/bench/mirror_2v2.ron";
    let text = fivefoot_kit::files::read(path);
    Arc::new(
        check_file(path, &text)
            .unwrap_or_else(|e| panic!("{}", e[0]))
            .0,
    )
}

fn fight(level: &Arc<Level>, rules: &'static Ruleset, players: &[Player], seed: u64) -> Battle {
    between(level, rules, players, seed)
}

/// On a mirrored level the easy AI loses to the quick AI more often than it wins, and beats random
/// answers.
#[test]
fn the_easy_ai_loses_to_quick_and_beats_random() {
    let (level, battles) = (mirror(), sample(12, 24));
    for rules in ALL {
        let won = |other| {
            let of = |seed: u64| {
                let own = (seed % 2) as usize;
                let mut players = [other, other];
                players[own] = Player::Easy;
                let won = fight(&level, rules, &players, seed).over().flatten();
                won == Some(Side(own as u8))
            };
            (0..battles).filter(|&seed| of(seed)).count() as u64
        };
        let (quick, random) = (won(Player::Quick), won(Player::Random));
        assert!(
            quick * 2 < battles && random * 3 > battles * 2,
            "{}: {quick}, {random} of {battles}",
            rules.id
        );
    }
}

/// The easy AI picks one of the best-rated choices, never one far below the best, and repeats its
/// choice when asked again.
#[test]
fn the_easy_ai_does_nothing_absurd() {
    let (mut slips, mut all) = (0, 0);
    for rules in KNOWN {
        for seed in 0..4 {
            let level = small_level(seed);
            let setup = level_setup(&level);
            let players = vec![Player::Easy; level.sides.len()];
            let mut controllers = Controllers::new(&players, &setup, rules, seed);
            let mut again = Controllers::new(&players, &setup, rules, seed);
            let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
            let eyes = |n| Replica::new(&setup, rules, Some(Side(n as u8)));
            let mut known: Vec<Replica> = (0..players.len()).map(eyes).collect();
            for _ in 0..60 {
                let Some(asked) = battle.asked().cloned() else {
                    break;
                };
                let side = asked.side.index();
                let choice = controllers.0[side].choose(&mut battle);
                assert_eq!(choice, again.0[side].choose(&mut battle), "{}", rules.id);
                if let Some(&who) = asked.actors.first()
                    && rules.id == "Skirmish"
                {
                    let ranked = battle.ranked(who, Some(&mut known[side]));
                    let quick = ranked[0].0.clone();
                    slips += usize::from(quick != choice);
                    all += 1;
                    let kinds = Easy::kinds(ranked);
                    let best = kinds[0].1;
                    let found = kinds.iter().find(|kind| kind.0 == choice);
                    let (_, score) = found.unwrap_or_else(|| panic!("seed {seed}: {choice:?}"));
                    assert!(best - score <= Easy::FAR, "seed {seed}: {choice:?}");
                }
                battle.answer(choice).expect("it is legal");
            }
        }
    }
    assert!(slips * 10 > all && slips * 2 < all, "{slips} of {all}");
}

/// A unit's maximum hit points, and its Stress (0 under rulesets without Stress).
fn bears(battle: &Battle, n: u16) -> [i32; 2] {
    let id = fivefoot_core::battle::Id(n);
    let stress = battle.rules().probes.iter().find(|p| p.name == "stress");
    let stress = match stress.map(|probe| (probe.read)(battle.world(), id)) {
        Some(ProbeValue::Count(points)) => points,
        _ => 0,
    };
    [of_unit::<Body>(battle.world(), id).max_hp, stress]
}

#[test]
fn handicap_points_work_alike_under_every_ruleset() {
    for rules in KNOWN {
        for points in [1, 4, handicap::MAX] {
            let level = small_level(3);
            let favoured = level.with_handicaps(&[0, points]);
            let begun = |level| Battle::new(level_setup(level), rules, DiceBox::seeded(1));
            let (plain, favoured) = (begun(&level), begun(&favoured));
            for (n, one) in level.combatants.iter().enumerate() {
                let with = |bears: i32| match one.side.0 {
                    1 => bears + (bears * 5 * i32::from(points) + 50) / 100,
                    _ => bears,
                };
                let now = bears(&favoured, n as u16);
                let wanted = bears(&plain, n as u16).map(with);
                assert_eq!(now, wanted, "{}: {} of {points}", rules.id, one.name);
            }
            let told = favoured
                .events()
                .iter()
                .filter_map(|event| match event.what {
                    EventKind::Handicap { side, points } => Some((side, points)),
                    _ => None,
                });
            assert_eq!(told.collect::<Vec<_>>(), [(Side(1), points)]);
        }
    }
}

/// Over the same seeds, a side wins more battles with a handicap.
#[test]
fn a_handicap_wins_more_battles() {
    for rules in ALL {
        let level = mirror();
        let favoured = level.with_handicaps(&[12, 0]);
        let won = |level: &Arc<Level>| {
            let won = |seed: &u64| fight(level, rules, &[Player::Quick; 2], *seed).over();
            (0..sample(16, 40))
                .filter(|seed| won(seed) == Some(Some(Side(0))))
                .count()
        };
        let (with, without) = (won(&favoured), won(&level));
        assert!(with > without, "{}: {with}, {without} without", rules.id);
    }
}

/// Under Activity the unit that closes in is attacked first. More hit points do not make the AI
/// bolder, so the side with a handicap wins far more than half.
#[test]
fn more_hit_points_do_not_make_the_ai_bolder() {
    let path = "levels/bench/mirror_4v4.ron";
    let text = fivefoot_kit::files::read(path);
    let level = Arc::new(check_file(path, &text).unwrap().0);
    let rules = ALL.into_iter().find(|r| r.id == "Activity").unwrap();
    let won = |seed: u64| {
        let own = (seed % 2) as usize;
        let mut points = [0, 0];
        points[own] = 8;
        let favoured = level.with_handicaps(&points);
        let over = fight(&favoured, rules, &[Player::Quick; 2], seed).over();
        over == Some(Some(Side(own as u8)))
    };
    let battles = 60;
    let won = (0..battles).filter(|&seed| won(seed)).count() as u64;
    assert!(won * 60 > battles * 36, "{won} of {battles}");
}

#[test]
fn recordings_store_handicaps_only_where_there_are_any() {
    let level = levels::default_level();
    for rules in ALL {
        let plain = fight(&level, rules, &[Player::Easy; 2], 3);
        let text = Recording::of(&plain, &level, 3).text().unwrap();
        assert!(!text.contains("handicaps"), "{}", rules.id);
        let favoured = level.with_handicaps(&[0, 3]);
        let battle = fight(&favoured, rules, &[Player::Easy; 2], 3);
        let recording = Recording::of(&battle, &favoured, 3);
        assert_eq!(recording.handicaps, [0, 3]);
        let read = Recording::read("it", &recording.text().unwrap()).unwrap();
        let again = read
            .run(None)
            .unwrap_or_else(|e| panic!("{}: {}", rules.id, e.why));
        assert_eq!(again.over(), battle.over());
        assert_eq!(again.events().len(), battle.events().len());
        for handicaps in [vec![0, 4], vec![3, 0], vec![], vec![0, 21]] {
            let other = Recording {
                handicaps,
                ..read.clone()
            };
            assert!(other.run(None).is_err(), "{}: another handicap", rules.id);
        }
    }
}

/// The easy AI was called `Novice` in earlier versions.
#[test]
fn the_old_name_novice_means_the_easy_ai() {
    let controller: SideController = ron::from_str("Ai(Novice)").unwrap();
    assert_eq!(controller, SideController::Ai(Player::Easy));
    assert_eq!(ron::to_string(&controller).unwrap(), "Ai(Easy)");
    assert_eq!("novice".parse(), Ok(Player::Easy));
    assert_eq!(Player::Easy.name(), "easy");
}
