//! The quick AI: it scores offers by odds, position and cover, without looking ahead. It reads
//! only what its side has seen. The easy AI is the quick AI with mistakes.

use super::{Controller, strategist::best_of_kinds, surrender::surrenders};
use crate::{
    battle::{Battle, Chance, Choice, Id, Progress, Replica, Ruleset, Setup, Side},
    rulesets::common::ai::NEVER,
};
use bevy_ecs::world::World;
use std::cmp::Reverse;

pub struct Quick {
    known: Replica,
    order: ActingOrder,
}

impl Quick {
    pub fn new(setup: &Setup, rules: &'static Ruleset, side: Side) -> Self {
        Self {
            known: Replica::new(setup, rules, Some(side)),
            order: ActingOrder::default(),
        }
    }
}

/// Units of a side that have not acted yet, in the order in which the quick AI lets them act in this
/// turn.
#[derive(Default)]
pub struct ActingOrder(Vec<Id>);

impl ActingOrder {
    /// The quick AI's answer to the open decision, by what a replica's side knows, or by everything
    /// if there is no replica. If several units can act, a unit that has begun continues; otherwise
    /// the unit with the most to gain goes first. That order is computed once per turn.
    ///
    /// # Panics
    /// If no decision is open.
    pub fn answer(&mut self, battle: &mut Battle, mut known: Option<&mut Replica>) -> Choice {
        let actors = battle.asked().map(|question| question.actors.clone());
        let Some(actors) = actors.filter(|actors| actors.len() > 1) else {
            return battle.quick_answer(known);
        };
        let begun = battle.answers().last().and_then(|last| last.who);
        let who = match begun.filter(|who| actors.contains(who)) {
            Some(begun) => begun,
            None => self.next(battle, &actors, known.as_deref_mut()),
        };
        battle.quick_answer_of(who, known).0
    }

    fn next(&mut self, battle: &mut Battle, actors: &[Id], known: Option<&mut Replica>) -> Id {
        if !actors.iter().all(|who| self.0.contains(who)) {
            self.0 = by_gain(battle, actors, known);
        }
        self.0.retain(|who| actors.contains(who));
        self.0.remove(0)
    }
}

/// The units with the most to gain first: by their best attacks, or by what they would do if
/// that is more than attacking.
fn by_gain(battle: &mut Battle, actors: &[Id], mut known: Option<&mut Replica>) -> Vec<Id> {
    let best_attack_values = battle.best_attack_values(actors, known.as_deref_mut());
    let all = actors.iter().zip(best_attack_values);
    let gain = |(&who, best_attack_value): (&Id, Option<i32>)| {
        let by_answer = || battle.quick_answer_of(who, known.as_deref_mut()).1;
        (who, best_attack_value.unwrap_or_else(by_answer))
    };
    let mut all: Vec<(Id, i32)> = all.map(gain).collect();
    all.sort_by_key(|&(_, gain)| Reverse(gain));
    all.into_iter().map(|(who, _)| who).collect()
}

impl Controller for Quick {
    fn restart(&mut self, pristine: &World, _: u64) {
        self.known.restart(pristine);
        self.order = ActingOrder::default();
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        if let Some(surrender) = surrenders(battle, &mut self.known) {
            return surrender;
        }
        self.order.answer(battle, Some(&mut self.known))
    }
}

/// The easy AI: it has the quick AI's knowledge and rules, but misjudges choices like a
/// beginner. It considers only the few best kinds of choices, and adds a random error to each
/// score, so that close choices are confused more often. It never makes any other choice.
pub struct Easy {
    quick: Quick,
    seed: u64,
}

impl Easy {
    /// How many kinds of choices it considers.
    pub const KINDS: usize = 6;
    /// Choices that are worse than the best by more than this are not considered; half the
    /// worth of an enemy's life.
    pub const FAR: i32 = 500;
    /// The range of the error, as a multiple of the difference between the best and the worst
    /// choice considered.
    const ERROR: usize = 2;
    /// After this many rounds without progress (OP-07) it makes no more mistakes: a beginner
    /// would also do the obvious then.
    const TRIES: u32 = 4;
    /// If the scores do not separate the first choice from the next, one time in this many it
    /// takes one of the next two.
    const SLIPS: usize = 3;

    pub fn new(quick: Quick, seed: u64) -> Self {
        Self { quick, seed }
    }

    /// The choices that it considers. `ranked` must be in the quick AI's order, best first.
    pub fn kinds(ranked: Vec<(Choice, i32)>) -> Vec<(Choice, i32)> {
        let best = ranked.iter().map(|r| r.1).find(|&score| score != i32::MAX);
        let least = best.map_or(NEVER, |best| best.max(NEVER + Self::FAR + 1) - Self::FAR);
        let near = best_of_kinds(ranked).filter(|&(_, score)| score >= least);
        near.take(Self::KINDS).collect()
    }

    /// What the easy AI would answer for the first asked unit, knowing all of this battle, with
    /// the luck of this seed.
    pub fn answer(battle: &mut Battle, seed: u64) -> Choice {
        Self::seen(battle, None, seed).unwrap_or_else(|| battle.quick_answer(None))
    }

    /// What the easy AI answers by what a side knows. `None` if there is no choice to misjudge.
    fn seen(battle: &mut Battle, known: Option<&mut Replica>, seed: u64) -> Option<Choice> {
        let who = battle.asked()?.actors.first().copied()?;
        let ranked = battle.ranked(who, known);
        Self::misjudge(seed, battle.answers().len(), ranked)
    }

    fn misjudge(seed: u64, answered: usize, ranked: Vec<(Choice, i32)>) -> Option<Choice> {
        let mut luck = Chance::new(seed.wrapping_add((answered as u64 + 1) << 20));
        let kinds = Self::kinds(ranked);
        let (first, last) = (kinds.first()?.1, kinds.last()?.1);
        let Some(second) = kinds.get(1) else {
            return Some(kinds[0].0.clone());
        };
        if first == i32::MAX || first <= second.1 {
            let slips = luck.below(Self::SLIPS) == 0;
            let nth = match slips {
                true => 1 + luck.below((kinds.len() - 1).min(2)),
                false => 0,
            };
            return Some(kinds[nth].0.clone());
        }
        // The sum of two numbers makes medium errors more likely than extreme ones.
        let error = Self::ERROR * (first - last) as usize + 1;
        let mut seems =
            |score: i32| i64::from(score) + (luck.below(error) + luck.below(error)) as i64;
        let kinds = kinds.into_iter();
        let seen = kinds.map(|(choice, score)| (seems(score), choice));
        let best = seen.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, choice)| choice)
    }
}

impl Controller for Easy {
    fn restart(&mut self, pristine: &World, seed: u64) {
        self.quick.restart(pristine, seed);
        self.seed = seed;
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        if let Some(surrender) = surrenders(battle, &mut self.quick.known) {
            return surrender;
        }
        let known = battle.known(&mut self.quick.known);
        if known.resource::<Progress>().idle >= Self::TRIES {
            return self.quick.choose(battle);
        }
        let seen = Self::seen(battle, Some(&mut self.quick.known), self.seed);
        seen.unwrap_or_else(|| self.quick.choose(battle))
    }
}
