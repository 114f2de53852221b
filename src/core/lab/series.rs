//! Series of battles: level, ruleset and players, and fighting one seed after the
//! other.

use super::{Fought, Other, Tally};
use crate::{
    battle::{Battle, DiceBox, FirstMove, Replica, Ruleset, Setup, Side, level_setup},
    control::{Controllers, Player, play},
    levels::Level,
    version,
};
use bevy_ecs::world::World;
use std::sync::Arc;

/// The number of answers between two checks whether to stop.
const ANSWERS_AT_A_TIME: usize = 64;

/// The number of answers after which a battle is abandoned: far more than any battle
/// has.
pub const MAX_ANSWERS: usize = 100_000;

/// Battles of one level under one ruleset.
#[derive(Clone)]
pub struct Series {
    pub level: Arc<Level>,
    /// Shared by all battles, including the board's cached lines of sight.
    pub setup: Setup,
    pub rules: &'static Ruleset,
    /// Who plays each side.
    pub players: Vec<Player>,
}

impl Series {
    pub fn new(level: &Arc<Level>, rules: &'static Ruleset, players: Vec<Player>) -> Self {
        Self {
            level: level.clone(),
            setup: level_setup(level),
            rules,
            players,
        }
    }

    /// This series, but with the first initiative won by a side.
    fn won_by(&self, side: Side) -> Self {
        let setup = self.setup.clone();
        let with = move |world: &mut World| {
            setup(world);
            world.insert_resource(FirstMove(side));
        };
        Self {
            setup: Arc::new(with),
            ..self.clone()
        }
    }

    fn fought(&self) -> Fought {
        Fought {
            program: version::VERSION.into(),
            level: self.level.id.clone(),
            source: self.level.source.to_string(),
            rules: self.rules.id.into(),
            ai: self.players.iter().map(|p| p.name()).collect(),
            handicaps: self.level.handicaps(),
        }
    }
}

/// A series to compare with, fought on the same seeds.
pub struct Rival {
    pub other: Other,
    pub series: Series,
}

/// A series, and the series it is compared with on the same seeds.
pub struct Experiment {
    pub main: Series,
    pub rivals: Vec<Rival>,
    /// The main series with the first initiative won by the first side, and by the
    /// second.
    first_move: Option<[Series; 2]>,
}

impl Experiment {
    pub fn new(main: Series) -> Self {
        Self {
            main,
            rivals: vec![],
            first_move: None,
        }
    }

    /// Also measures the value of the first move, if the ruleset has initiative and
    /// there are several sides.
    pub fn give_first_move(&mut self) {
        let Series { level, rules, .. } = &self.main;
        let gives = rules.initiative && level.sides.len() > 1;
        self.first_move = gives.then(|| [0, 1].map(|side| self.main.won_by(Side(side))));
    }

    /// An empty tally for this experiment.
    pub fn blank(&self) -> Tally {
        let others = self.rivals.iter().map(|rival| rival.other.clone());
        let gives = self.first_move.is_some();
        Tally::new(self.main.fought(), &self.main.level, others, gives)
    }
}

/// Fights battles of a series one after the other, reusing one world.
#[derive(Default)]
pub(super) struct Arena {
    kept: Option<(Battle, Controllers, Replica)>,
}

impl Arena {
    /// Fights a battle to its end. `None` if it was stopped first.
    pub(super) fn fight(
        &mut self,
        series: &Series,
        seed: u64,
        stop: impl Fn() -> bool,
    ) -> Option<(&mut Battle, &mut Replica)> {
        let dice = DiceBox::seeded(seed);
        let (battle, controllers, replica) = match &mut self.kept {
            Some((battle, controllers, replica)) => {
                battle.restart(dice);
                controllers.restart(battle, seed);
                replica.restart(battle.pristine());
                (battle, controllers, replica)
            }
            none => {
                let Series { setup, rules, .. } = series;
                let controllers = Controllers::new(&series.players, setup, rules, seed);
                let battle = Battle::new(setup.clone(), rules, dice);
                let replica = Replica::new(setup, rules, None);
                let (battle, controllers, replica) = none.insert((battle, controllers, replica));
                (battle, controllers, replica)
            }
        };
        // Some battles are long, so check from time to time whether to stop.
        while battle.asked().is_some() && battle.answers().len() < MAX_ANSWERS {
            if stop() {
                return None;
            }
            play(battle, controllers, ANSWERS_AT_A_TIME);
        }
        controllers.ended(battle);
        (!stop()).then_some((battle, replica))
    }
}

/// Runs the battles of an experiment, reusing its worlds.
pub struct BattleRunner<'e> {
    experiment: &'e Experiment,
    main: Arena,
    rivals: Vec<Arena>,
    first_move: [Arena; 2],
}

impl<'e> BattleRunner<'e> {
    pub fn new(experiment: &'e Experiment) -> Self {
        let arena = Arena::default;
        Self {
            experiment,
            main: arena(),
            rivals: experiment.rivals.iter().map(|_| arena()).collect(),
            first_move: [arena(), arena()],
        }
    }

    /// Fights one seed of all series, counts it and returns the main battle. If it is
    /// stopped before all of them are over, it counts nothing and returns `None`.
    pub fn fight(
        &mut self,
        seed: u64,
        tally: &mut Tally,
        stop: impl Fn() -> bool,
    ) -> Option<&mut Battle> {
        let experiment = self.experiment;
        let main = &experiment.main;
        let mut given = vec![];
        let first_move = experiment.first_move.iter().flatten();
        for (series, arena) in first_move.zip(&mut self.first_move) {
            let (battle, _) = arena.fight(series, seed, &stop)?;
            given.push(slot(battle, &main.level, &main.level));
        }
        let mut there = vec![];
        for (rival, arena) in experiment.rivals.iter().zip(&mut self.rivals) {
            let (battle, _) = arena.fight(&rival.series, seed, &stop)?;
            there.push(slot(battle, &rival.series.level, &main.level));
        }
        let (battle, replica) = self.main.fight(main, seed, &stop)?;
        let here = slot(battle, &main.level, &main.level);
        for (beside, there) in tally.beside.iter_mut().zip(there) {
            beside.wins[here][there] += 1;
        }
        if let [first, second] = given[..] {
            tally.given[first][second] += 1;
        }
        tally.count(battle, replica, seed);
        Some(battle)
    }
}

/// The index of the winner among the sides of `of`, by id. The number of sides if
/// nobody won.
fn slot(battle: &Battle, level: &Level, of: &Level) -> usize {
    let winner = battle.over().flatten();
    let id = winner.map(|side| level.sides[side.index()].id.as_str());
    let side = id.and_then(|id| of.side_named(id));
    side.map_or(of.sides.len(), |side| usize::from(side.0))
}
