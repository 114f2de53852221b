//! Units that cannot stay in their cell (GR-03): a unit that stops in an ally's cell, stands up,
//! regains consciousness or arrives is put into a cell it could walk to, with doors as they are.
//! Only if no such cell is free may it be put elsewhere.

use crate::kit::with_controllers;
use bevy_ecs::world::World;
use fivefoot_core::{
    battle::{Body, Event, EventKind, Map, Replica, Ruleset, Setup, State, all_units, level_setup},
    control::{Player, play},
    grid::{Board, Cell, Diagonals, Occupant, Space, StepRules},
    levels::{Level, built_in},
    rulesets::ALL,
};
use fivefoot_kit::{sample, small_levels::small_level};
use std::sync::Arc;

/// Answer limit per battle.
const ANSWERS: usize = 400;

/// The number of times a unit was put into another cell, and of the times it could not have walked
/// there.
#[derive(Default, Debug)]
struct Tally {
    put: usize,
    /// No free cell could be walked to.
    forced: usize,
    wrong: Vec<String>,
}

fn bodies(world: &World) -> Vec<Body> {
    all_units(world).to_vec()
}

/// Whether the unit can walk from one cell to the other, and whether it can walk to any free cell.
/// It can pass allies but not enemies.
fn walks(board: &Board, all: &[Body], n: usize, from: Cell, to: Cell) -> (bool, bool) {
    let own = &all[n];
    let standing = |cell: Cell| {
        let others = all.iter().enumerate().filter(|(m, b)| *m != n && b.is_up());
        let there = others.filter(|(_, b)| b.space().contains(cell));
        let kind = |b: &Body| match b.side == own.side {
            true => Occupant::Ally,
            false => Occupant::Foe,
        };
        there.map(|(_, b)| kind(b)).max().unwrap_or_default()
    };
    let walk = StepRules {
        board,
        size: own.size,
        diagonals: Diagonals::Five,
        slow: 1,
        most: u16::MAX,
        standing: &standing,
        provokes: None,
    };
    let range = walk.range(from, u16::MAX);
    let is_free = |cell: Cell| {
        let space = Space::new(cell, own.size);
        board.can_stand(space) && space.cells().all(|c| standing(c) == Occupant::Nobody)
    };
    let any = range.cells().any(|reached| is_free(reached.cell));
    (range.get(to).is_some() && is_free(to), any)
}

/// Counts and checks every unit that an event puts into another cell.
fn look(level: &Level, event: &Event, before: &World, after: &World, tally: &mut Tally) {
    let board = &before.resource::<Map>().0;
    let (old, new) = (bodies(before), bodies(after));
    for (n, (was, is)) in old.iter().zip(&new).enumerate() {
        let makes_room = matches!(event.what, EventKind::Moved { .. }) && event.rule == "GR-03";
        let from = match (was.state, is.state) {
            (State::Up, State::Up) if makes_room && was.at != is.at => was.at,
            (State::Down, State::Up) if was.at != is.at => was.at,
            (State::Waiting, State::Up) if was.returns.is_some() => was.at,
            (State::Waiting, State::Up) => level.combatants[n].cell,
            _ => continue,
        };
        if from == is.at {
            continue;
        }
        tally.put += 1;
        match walks(board, &old, n, from, is.at) {
            (true, _) => {}
            (false, false) => tally.forced += 1,
            (false, true) => {
                let what = format!("{}: {from} to {}", level.combatants[n].name, is.at);
                tally.wrong.push(what);
            }
        }
    }
}

fn fight(
    level: &Arc<Level>,
    rules: &'static Ruleset,
    player: Player,
    seed: u64,
    tally: &mut Tally,
) {
    let setup: Setup = level_setup(level);
    let (mut battle, mut controllers) = with_controllers(level, rules, player, seed);
    play(&mut battle, &mut controllers, ANSWERS);
    let mut before = Replica::new(&setup, rules, None);
    let mut after = Replica::new(&setup, rules, None);
    let known = tally.wrong.len();
    while let Some(event) = after.next(battle.events()) {
        look(level, event, &before.world, &after.world, tally);
        before.next(battle.events());
    }
    for wrong in &mut tally.wrong[known..] {
        *wrong = format!("{}, {}, seed {seed}: {wrong}", rules.id, level.title);
    }
}

#[test]
fn displaced_units_stay_within_walking_reach_on_built_in_levels_gr_03() {
    for rules in ALL {
        let mut tally = Tally::default();
        for (seed, level) in (0..).zip(built_in()) {
            for player in [Player::Quick, Player::Random] {
                fight(level, rules, player, seed, &mut tally);
            }
        }
        assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
        assert!(tally.put > 0, "{}: nobody was put anywhere", rules.id);
    }
}

#[test]
fn displaced_units_stay_within_walking_reach_on_small_levels_gr_03() {
    let mut all = Tally::default();
    for rules in ALL {
        for seed in 0..sample(60, 160) {
            let player = [Player::Quick, Player::Random][seed as usize % 2];
            fight(&small_level(seed), rules, player, seed, &mut all);
        }
    }
    assert!(all.wrong.is_empty(), "{:#?}", all.wrong);
    assert!(all.put > sample(15, 50), "{all:?}");
}
