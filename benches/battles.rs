//! Benchmarks of whole battles and of the engine's parts, on one core. The level is 4 against 4 on
//! 20 by 20 cells with 24 walls; the sides start at opposite edges.

use bevy_ecs::{
    system::{In, Res},
    world::World,
};
use divan::{Bencher, counter::ItemsCount};
use fivefoot::{
    battle::{Battle, DiceBox, Map, Setup, Step, StepOutcome, level_setup},
    control::{Controllers, Player, play},
    levels,
    rulesets::ALL,
    system_step,
};
use std::sync::Arc;

fn main() {
    divan::main();
}

fn open_field() -> Setup {
    let text = include_str!("../levels/bench/open_4v4.ron");
    let (level, _) = levels::check_file("open_4v4.ron", text).expect("the bench level is right");
    level_setup(&Arc::new(level))
}

/// Runs battles one after another in one world, each with the next seed.
fn battles(bencher: Bencher, player: Player) {
    battles_of(open_field(), bencher, player);
}

fn battles_of(setup: Setup, bencher: Bencher, player: Player) {
    let rules = ALL[0];
    let mut controllers = Controllers::new(&[player, player], &setup, rules, 1);
    let mut battle = Battle::new(setup, rules, DiceBox::seeded(1));
    let mut seed = 1;
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
        seed += 1;
        battle.restart(DiceBox::seeded(seed));
        controllers.restart(&mut battle, seed);
        play(&mut battle, &mut controllers, 100_000);
        battle.events().len()
    });
}

/// A battle of quick AI against quick AI.
#[divan::bench(sample_count = 500)]
fn ai_battle(bencher: Bencher) {
    battles(bencher, Player::Quick);
}

/// A battle of quick AI against quick AI without the sight cache.
#[divan::bench(sample_count = 20)]
fn ai_battle_without_memory(bencher: Bencher) {
    let known = open_field();
    let setup: Setup = Arc::new(move |world: &mut World| {
        known(world);
        let mut map = world.resource_mut::<Map>();
        map.0 = map.0.clone().forgetful();
    });
    battles_of(setup, bencher, Player::Quick);
}

/// A battle in which both sides give random legal answers.
#[divan::bench(sample_count = 200)]
fn random_battle(bencher: Bencher) {
    battles(bencher, Player::Random);
}

/// A battle after its first 40 answers, as a start for the benchmarks below.
fn midway() -> Battle {
    let (setup, rules) = (open_field(), ALL[0]);
    let mut controllers = Controllers::new(&[Player::Quick, Player::Quick], &setup, rules, 1);
    let mut battle = Battle::new(setup, rules, DiceBox::seeded(1));
    play(&mut battle, &mut controllers, 40);
    battle
}

/// A playout by the quick AI from the middle of a battle to its end, as the strategist runs it:
/// without a log and without replicas.
#[divan::bench(sample_count = 500)]
fn played_on(bencher: Bencher) {
    let battle = midway();
    let mut seed = 1;
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
        seed += 1;
        let mut fork = battle.fork(DiceBox::seeded(seed));
        while fork.asked().is_some() {
            fork.answer_quickly();
        }
        fork.events().len()
    });
}

/// Lists all offers of one unit.
#[divan::bench]
fn offers_of_one(bencher: Bencher) {
    let mut battle = midway();
    let who = battle.asked().expect("not over").actors[0];
    bencher.bench_local(|| {
        battle.forget_offers();
        battle.offers_of(who).len()
    });
}

/// Runs a battle of 40 answers again, as undo does.
#[divan::bench]
fn run_again(bencher: Bencher) {
    let battle = midway();
    let n = battle.answers().len();
    bencher.bench_local(|| battle.at(n).events().len());
}

/// Forks a battle, in the world of the fork before.
#[divan::bench]
fn fork(bencher: Bencher) {
    let battle = midway();
    bencher.bench_local(|| battle.fork(DiceBox::seeded(2)).events().len());
}

/// Runs a step that does nothing, to measure the agenda itself.
#[divan::bench]
fn empty_step(bencher: Bencher) {
    #[derive(Clone, Debug)]
    struct Idle;
    system_step!(Idle, idle);
    fn idle(In(_): In<Idle>, _: Res<DiceBox>) -> StepOutcome {
        StepOutcome::default()
    }
    let mut world = World::new();
    world.insert_resource(DiceBox::seeded(1));
    bencher.bench_local(|| Box::new(Idle).run(&mut world).events.len());
}
