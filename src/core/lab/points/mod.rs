//! What each kind is worth under each ruleset, in points: squads of equal points have
//! an even fight. The numbers come from battles of the quick AI against itself, each
//! with its error; docs/points.md explains how.

mod fit;

pub use fit::{Fought, Value, predicted, values};

use crate::{
    battle::{Battle, Chance, DiceBox, Ruleset, Side, level_setup},
    content::{Content, Training},
    control::{Controllers, Player, forecast::outcome, play},
    levels::{
        Level, check_file,
        compose::{Aim, Composition, Site, Squad},
        generate::{Form, MapSpec, ground},
    },
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

/// The reference kind and its points.
pub const MEASURE: (&str, f64) = ("watchman", 10.0);
/// The most units in a squad of a measured battle.
const MAX: usize = 6;
/// The number of answers after which a battle is abandoned.
const MAX_ANSWERS: usize = 20_000;

/// What a kind is worth.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Points {
    pub points: f64,
    /// The standard error.
    pub error: f64,
}

/// Points by ruleset, then by kind.
pub type Known = BTreeMap<String, BTreeMap<String, Points>>;

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let text = include_str!("../../../../assets/points.json");
    // A broken build; the tests catch this.
    serde_json::from_str(text).expect("assets/points.json")
});

/// The points of a kind under a ruleset. `None` if they were not measured.
pub fn of(rules: &Ruleset, kind: &str) -> Option<Points> {
    KNOWN.get(rules.id)?.get(kind).copied()
}

/// The points of a squad, with their error. Kinds that were not measured do not
/// count.
pub fn of_squad(rules: &Ruleset, squad: &Squad) -> Points {
    let of_kind =
        |(kind, count): &(String, u32)| of(rules, kind).map(|points| (points, f64::from(*count)));
    let all: Vec<(Points, f64)> = squad.members.iter().filter_map(of_kind).collect();
    let squares = all.iter().map(|(of, count)| (of.error * count).powi(2));
    Points {
        points: all.iter().map(|(of, count)| of.points * count).sum(),
        error: squares.sum::<f64>().sqrt(),
    }
}

/// The kinds that are measured: all that come with the game.
pub fn kinds() -> Vec<String> {
    Content::built_in().creatures.keys().cloned().collect()
}

/// Draws two random squads for a battle, as indices into [`kinds`]. If values are
/// already known, the second squad is filled until it is about as strong as the
/// first, because an uneven battle tells little.
pub fn random_squads(
    chance: &mut Chance,
    known: Option<&[Value]>,
    count: usize,
) -> [Vec<usize>; 2] {
    let any = |chance: &mut Chance| {
        let (all, alike) = (1 + chance.below(MAX), chance.below(3) == 0);
        let first = chance.below(count);
        // A third of the squads have a single kind, to measure what many of a kind
        // are worth.
        let member = |n: usize, chance: &mut Chance| match alike || n == 0 {
            true => first,
            false => chance.below(count),
        };
        (0..all).map(|n| member(n, chance)).collect::<Vec<_>>()
    };
    let first = any(chance);
    let Some(known) = known else {
        return [first, any(chance)];
    };
    let worth = |squad: &[usize]| squad.iter().map(|&n| known[n].worth).sum::<f64>();
    let goal = worth(&first);
    let off = |squad: &[usize]| (worth(squad).ln() - goal.ln()).abs();
    let others = (0..24).map(|_| any(chance)).collect::<Vec<_>>();
    let best = others.into_iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    [first, best.unwrap_or_default()]
}

/// The level for a measured battle of two squads; each seed gives another map.
///
/// # Panics
/// If the level has errors, which the tests of the generator rule out.
pub fn ground_for(squads: &[Vec<usize>; 2], kinds: &[String], seed: u64) -> Arc<Level> {
    let form = Form::ALL[(seed % Form::ALL.len() as u64) as usize];
    let squad = |members: &Vec<usize>, name: &str| Squad {
        name: name.into(),
        members: members.iter().map(|&n| (kinds[n].clone(), 1)).collect(),
    };
    let composition = Composition {
        title: "Measured".into(),
        briefing: String::new(),
        place: Site::of_ground(&ground(MapSpec::new(form, seed, 2))),
        squads: vec![
            squad(&squads[0], "The reds"),
            squad(&squads[1], "The blues"),
        ],
        aim: Aim::Defeat,
        rules: None,
        kinds: String::new(),
    };
    match check_file("measured.ron", &composition.text()) {
        Ok((level, _)) => Arc::new(level),
        Err(problems) => panic!("{}\n{}", problems[0], composition.text()),
    }
}

/// Fights a battle of the quick AI against itself. The first side's share: 1, 0, or a
/// half if nobody won.
pub fn fight(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> f64 {
    let setup = level_setup(level);
    let players = vec![Player::Quick; level.sides.len()];
    let mut controllers = Controllers::new(&players, &setup, rules, seed);
    let mut battle = Battle::new(setup, rules, DiceBox::seeded(seed));
    play(&mut battle, &mut controllers, MAX_ANSWERS);
    outcome(battle.over().flatten(), Side(0)).into()
}

/// A random squad of any kinds except heroes, as in [`squad_of`].
pub fn any_squad(rules: &Ruleset, name: &str, goal: f64, most: f64, chance: &mut Chance) -> Squad {
    let heroes = |kind: &String| {
        let creature = Content::built_in().creature(kind);
        creature.is_none_or(|c| matches!(c.training, Training::Hero { .. }))
    };
    let all = kinds().into_iter().filter(|kind| !heroes(kind));
    squad_of(rules, name, all, goal, most, chance)
}

/// A random squad of these kinds worth about `goal` points under a ruleset: of
/// several candidates, the one that comes nearest without exceeding `most`. Its units
/// are of at most three kinds.
pub fn squad_of(
    rules: &Ruleset,
    name: &str,
    kinds: impl IntoIterator<Item = String>,
    goal: f64,
    most: f64,
    chance: &mut Chance,
) -> Squad {
    let all: Vec<(String, f64)> = kinds
        .into_iter()
        .filter_map(|kind| of(rules, &kind).map(|of| (kind, of.points.max(0.1))))
        .collect();
    let mut best = (f64::MAX, vec![]);
    let tries = if all.is_empty() { 0 } else { 40 };
    for _ in 0..tries {
        // Few kinds, so that players can tell them apart.
        let few = (0..1 + chance.below(3)).map(|_| &all[chance.below(all.len())]);
        let few: Vec<&(String, f64)> = few.collect();
        let (mut members, mut sum): (Vec<(String, u32)>, f64) = (vec![], 0.0);
        loop {
            let is_nearer = |points: f64| (sum + points - goal).abs() < (sum - goal).abs();
            let fits = |one: &&&(String, f64)| sum + one.1 <= most.max(goal) && is_nearer(one.1);
            let fits: Vec<_> = few.iter().filter(fits).collect();
            let size: u32 = members.iter().map(|(_, count)| count).sum();
            if fits.is_empty() || size as usize == SQUAD {
                break;
            }
            let (kind, points) = fits[chance.below(fits.len())];
            sum += points;
            match members.iter_mut().find(|(there, _)| there == kind) {
                Some((_, count)) => *count += 1,
                None => members.push((kind.clone(), 1)),
            }
        }
        let off = (sum - goal).abs();
        if !members.is_empty() && off < best.0 {
            best = (off, members);
        }
    }
    Squad {
        name: name.into(),
        members: best.1,
    }
}

/// The most units in a squad.
pub const SQUAD: usize = 10;
