//! The work of a review. After each possible order of a decision, the quick AI plays all sides
//! for two rounds on a fork of what the side knew, with the same dice for every order. Then the
//! formula estimates who wins.

use super::{ComparedOrder, Estimate, INACCURACY, Review, ReviewedDecision};
use crate::{
    battle::{Battle, Body, Choice, DiceBox, EventKind, Id, Replica, Roster, Side, State, of_unit},
    control::{
        forecast::{self, chances_after, outcomes},
        interval::Z,
        statistics::{UnitStatistics, statistics},
        strategist::{best_of_kinds, error, mean, promising_choices, quick_result},
        timeline::between,
    },
};
use rayon::prelude::*;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Orders of the acting unit to compare, in addition to those of its side.
const OWN: usize = 6;
/// Orders to compare closely, in addition to the given order.
const CLOSE: usize = 3;
/// Playouts per order in the two parts of the search: one for this many playouts of the proof.
const SEARCH: [u32; 2] = [20, 6];
/// The fewest playouts per order in a part of the search.
const MIN: u32 = 4;
/// Decisions between two calls of `on_progress`.
const CHUNK: usize = 8;
/// The most orders shown after the given or proposed one.
const FOLLOWING: usize = 3;
/// Anchors are decisions where battles are played to the end. They show the formula's error,
/// and decisions between two anchors are corrected accordingly.
const ANCHORS: usize = 6;
const TO_THE_END: u64 = 60;
/// Separates the dice of the proof from those of the search: an order that was chosen as the
/// best on some dice looks better on them than it is.
const FRESH: u64 = 1 << 40;

/// Reviews a battle, in steps.
pub struct Reviewer {
    decisions: Vec<Work>,
    /// The only side whose orders are compared with others. `None` compares the orders of all
    /// sides.
    only: Option<Side>,
    /// The side whose orders are compared first.
    first: Option<Side>,
    playouts: u32,
    /// The side of each unit, by unit.
    sides: Vec<Side>,
    end: Vec<f32>,
    events: usize,
    rounds: u16,
    units: Vec<UnitStatistics>,
}

/// The result of a playout.
#[derive(Clone)]
struct Sample {
    /// Win probability of each side, by side.
    chances: Vec<f32>,
    /// Whether the battle was over; the chances are then its outcome.
    is_over: bool,
    /// Units that are down at the end, as a bit set.
    fallen: u64,
}

/// An order and its playouts, an arm of the bandit problem. Equal indexes of playouts have equal
/// dice.
struct Arm {
    choice: Choice,
    then: Vec<Choice>,
    is_given: bool,
    is_quick: bool,
    search: Vec<Sample>,
    proof: Vec<Sample>,
}

/// A decision under review.
struct Work {
    base: Battle,
    answer: usize,
    event: usize,
    round: u16,
    side: Side,
    who: Option<Id>,
    is_reaction: bool,
    seed: u64,
    arms: Vec<Arm>,
    /// Whether battles are played to the end here, to measure the formula's error.
    is_anchor: bool,
    /// The result of those battles, by side.
    ended: Option<Vec<f32>>,
    /// How many steps are done.
    steps: usize,
}

/// The two parts of the search, and the proof.
const STEPS: usize = 3;

impl Reviewer {
    /// Collects every decision of a battle. `only` limits the comparison to one side's orders; `playouts` is the number for each closely compared
    /// order. `None` if `enough` returned true, or if the ruleset has no fitted forecast.
    pub fn of(
        battle: &Battle,
        only: Option<Side>,
        playouts: u32,
        seed: u64,
        enough: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let formula = forecast::formula(battle.rules())?;
        let roster = battle.world().resource::<Roster>();
        let sides = roster.sides.len();
        let side = |id| of_unit::<Body>(battle.world(), id).side;
        let mut reviewer = Self {
            decisions: vec![],
            only,
            first: only,
            playouts,
            sides: roster.ids().map(side).collect(),
            end: vec![],
            events: battle.events().len(),
            rounds: 0,
            units: statistics(battle),
        };
        let replica = |n| battle.replica(Some(Side(n as u8)));
        let mut known: Vec<Replica> = (0..sides).map(replica).collect();
        let mut run = battle.at(0);
        let (mut round, mut seen) = (0, 0);
        for (n, given) in battle.answers().iter().enumerate() {
            if enough() {
                return None;
            }
            let new = run.events()[seen..].iter();
            let mut began = new.filter_map(|event| match event.what {
                EventKind::RoundBegan { round } => Some(round),
                _ => None,
            });
            round = began.next_back().unwrap_or(round);
            seen = run.events().len();
            let seed = seed.wrapping_add((n as u64 + 1) << 20);
            let work = reviewer.work(&run, &mut known, (battle, n), round, seed);
            reviewer.decisions.extend(work);
            run.answer(given.clone()).ok()?;
        }
        reviewer.rounds = round;
        let last = reviewer.decisions.len().saturating_sub(1);
        for n in 0..ANCHORS.min(reviewer.decisions.len()) {
            let at = n * last / (ANCHORS - 1);
            reviewer.decisions[at.min(last)].is_anchor = true;
        }
        reviewer.end = match run.over() {
            Some(won) => outcomes(won, sides),
            None => {
                run.with_world(|world| formula.chances(&forecast::position(world, battle.rules())))
            }
        };
        Some(reviewer)
    }

    /// Compares the orders of this side before those of others.
    pub fn beginning_with(mut self, side: Side) -> Self {
        self.first = Some(side);
        self
    }

    /// The decision that a battle's answer `n` was given to, if it has at least two orders to
    /// compare.
    fn work(
        &self,
        run: &Battle,
        known: &mut [Replica],
        (battle, n): (&Battle, usize),
        round: u16,
        seed: u64,
    ) -> Option<Work> {
        let (given, later) = battle.answers()[n..].split_first()?;
        let side = run.asked()?.side;
        let dice = DiceBox::seeded(n as u64);
        let mut base = run.fork_known(&mut known[side.index()], dice);
        // An order that is illegal only because of something the side did not know failed by
        // bad luck, so it is not reviewed.
        base.check(given).ok()?;
        let quick = base.quick_answer(None);
        let mut all = vec![quick.clone()];
        if self.only.is_none_or(|only| only == side) {
            all.extend(promising_choices(&mut base, 0));
            if let Some(who) = given.who.filter(|who| is_asked(&base, *who)) {
                let ranked = base.ranked(who, None);
                all.extend(best_of_kinds(ranked).take(OWN).map(|(choice, _)| choice));
            }
        }
        all.push(given.clone());
        let mut arms: Vec<Arm> = vec![];
        for choice in all {
            if arms.iter().all(|arm| arm.choice != choice) && base.check(&choice).is_ok() {
                arms.push(Arm {
                    then: vec![],
                    is_given: choice == *given,
                    is_quick: choice == quick,
                    choice,
                    search: vec![],
                    proof: vec![],
                });
            }
        }
        if arms.len() < 2 {
            // Only one order could be given, or the side's orders are not compared and the
            // given one is the quick AI's.
            return None;
        }
        let goes_on = |choice: &&Choice| choice.who.is_some() && choice.who == given.who;
        let then = later.iter().take_while(goes_on).take(FOLLOWING);
        let own = arms.iter_mut().find(|arm| arm.is_given)?;
        own.then = then.cloned().collect();
        Some(Work {
            base,
            answer: n,
            event: run.events().len(),
            round,
            side,
            who: given.who,
            is_reaction: battle.was_reaction(n),
            seed,
            arms,
            is_anchor: false,
            ended: None,
            steps: 0,
        })
    }

    /// Works until everything is done (true) or `enough` returns true (false). Calls `on_progress`
    /// repeatedly with the review so far.
    pub fn run_playouts(
        &mut self,
        parallel: bool,
        enough: &(dyn Fn() -> bool + Sync),
        on_progress: &mut dyn FnMut(&Self),
    ) -> bool {
        let (playouts, only) = (self.playouts, self.only);
        // All decisions of one side come first, so that its mistakes are known early.
        let is_first = |work: &Work| self.first.is_none_or(|side| side == work.side);
        let is_first: Vec<bool> = self.decisions.iter().map(is_first).collect();
        let parts = [true, false].into_iter();
        let parts = parts.flat_map(|first| (0..STEPS).map(move |step| (first, step)));
        for (first, step) in parts {
            let mut order: Vec<usize> = (0..self.decisions.len()).collect();
            if step > 0 {
                // Decisions that look like big mistakes come first.
                let cost = |n: &usize| (self.decisions[*n].suspicion() * 1e6) as i64;
                order.sort_by_key(|n| Reverse(cost(n)));
            }
            order.retain(|&n| is_first[n] == first && self.decisions[n].steps == step);
            for chunk in order.chunks(CHUNK) {
                let chunk = BTreeSet::from_iter(chunk.iter().copied());
                let works = self.decisions.iter_mut().enumerate();
                let works = works.filter(|(n, _)| chunk.contains(n));
                let mut works: Vec<&mut Work> = works.map(|(_, work)| work).collect();
                let one = |work: &mut &mut Work| {
                    let is_compared = only.is_none_or(|only| only == work.side);
                    work.step(step, is_compared, playouts, enough);
                };
                match parallel {
                    true => works.par_iter_mut().for_each(one),
                    false => works.iter_mut().for_each(one),
                }
                if enough() {
                    return false;
                }
                on_progress(self);
            }
        }
        true
    }

    /// The share of the work that is done, 0 to 1.
    pub fn progress(&self) -> f32 {
        let done: usize = self.decisions.iter().map(|work| work.steps).sum();
        let all = self.decisions.len() * STEPS;
        match all {
            0 => 1.0,
            _ => done as f32 / all as f32,
        }
    }

    /// The review so far.
    pub fn review(&self) -> Review {
        let known = self.decisions.iter().filter(|work| work.steps > 0);
        let off: Vec<BTreeMap<usize, f32>> = (0..self.end.len()).map(|n| self.off(n)).collect();
        let off_at = |answer: usize| -> Vec<f32> {
            let of_side = |off: &BTreeMap<usize, f32>| between(off, answer).unwrap_or(0.0);
            off.iter().map(of_side).collect()
        };
        let decisions = known.map(|work| work.reviewed(&off_at(work.answer)));
        Review {
            decisions: decisions.collect(),
            end: self.end.clone(),
            events: self.events,
            rounds: self.rounds,
            sides: self.sides.clone(),
            units: self.units.clone(),
            progress: self.progress(),
        }
    }

    /// The formula's error for a side at each anchor, in log odds, by number of answers.
    fn off(&self, side: usize) -> BTreeMap<usize, f32> {
        let anchors = self.decisions.iter().filter_map(|work| {
            let ended = work.ended.as_ref()?[side];
            let quick = &work.arms[work.quick()].search;
            let values: Vec<f32> = quick.iter().map(|one| one.chances[side]).collect();
            let by = forecast::log_odds(ended) - forecast::log_odds(mean(&values));
            Some((work.answer, by))
        });
        anchors.collect()
    }
}

fn is_asked(battle: &Battle, who: Id) -> bool {
    let asked = battle.asked();
    asked.is_some_and(|asked| asked.actors.contains(&who))
}

impl Sample {
    /// A side's win probability, corrected for the formula's error `off`.
    fn chance(&self, side: usize, off: f32) -> f32 {
        let chance = self.chances[side];
        match self.is_over || off == 0.0 {
            true => chance,
            false => forecast::logistic(forecast::log_odds(chance) + off),
        }
    }
}

impl Arm {
    fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.search.iter().chain(&self.proof)
    }

    /// The side's win probabilities, one for each set of dice; from the proof if there is one.
    fn values(&self, side: Side, off: f32) -> Vec<f32> {
        let samples = match self.proof.is_empty() {
            true => &self.search,
            false => &self.proof,
        };
        let chances = samples.iter().map(|one| one.chance(side.index(), off));
        chances.collect()
    }

    fn searched(&self, side: Side) -> f32 {
        let values = self.search.iter().map(|one| one.chances[side.index()]);
        mean(&values.collect::<Vec<_>>())
    }
}

impl Work {
    /// The index of the given order.
    fn given(&self) -> usize {
        let given = self.arms.iter().position(|arm| arm.is_given);
        given.expect("the order that was given is compared")
    }

    fn quick(&self) -> usize {
        self.arms.iter().position(|arm| arm.is_quick).unwrap_or(0)
    }

    /// Indexes of all orders by their result in the search, best first. Among equals, the given
    /// order comes first.
    fn by_search(&self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.arms.len()).collect();
        let value = |n: &usize| self.arms[*n].searched(self.side);
        all.sort_by(|a, b| {
            let given = self.arms[*b].is_given.cmp(&self.arms[*a].is_given);
            value(b).total_cmp(&value(a)).then(given)
        });
        all
    }

    /// The estimated cost of the given order by the search alone.
    fn suspicion(&self) -> f32 {
        let value = |n: usize| self.arms[n].searched(self.side);
        value(self.by_search()[0]) - value(self.given())
    }

    fn step(
        &mut self,
        step: usize,
        is_compared: bool,
        playouts: u32,
        enough: &(dyn Fn() -> bool + Sync),
    ) {
        let (given, quick) = (self.given(), self.quick());
        let ranked = self.by_search();
        let close = |n: &usize| {
            let place = ranked.iter().position(|one| one == n);
            place.is_some_and(|place| place < CLOSE) || [given, quick].contains(n)
        };
        let all = 0..self.arms.len();
        let (arms, times): (Vec<usize>, u32) = match step {
            0 => (all.collect(), (playouts / SEARCH[0]).max(MIN)),
            1 => (all.filter(close).collect(), (playouts / SEARCH[1]).max(MIN)),
            // A given order that the search rates almost as good as the best needs no proof.
            _ if is_compared && self.suspicion() >= INACCURACY * 0.7 => {
                (all.filter(close).collect(), playouts)
            }
            _ => (vec![], 0),
        };
        let seed = self.seed;
        for n in arms {
            for _ in 0..times {
                if enough() {
                    return;
                }
                let arm = &mut self.arms[n];
                let (samples, apart) = match step {
                    2 => (&mut arm.proof, FRESH),
                    _ => (&mut arm.search, 0),
                };
                let dice = seed.wrapping_add(apart + samples.len() as u64);
                samples.push(played(&self.base, &arm.choice, dice));
            }
        }
        if step == 1 && self.is_anchor {
            let mut sum = vec![];
            for n in 0..TO_THE_END {
                if enough() {
                    return;
                }
                sum.push(ended(&self.base, seed.wrapping_add(n)));
            }
            let of_side = |n: usize| {
                let all: Vec<f32> = sum.iter().map(|one: &Vec<f32>| one[n]).collect();
                mean(&all)
            };
            self.ended = Some((0..sum[0].len()).map(of_side).collect());
        }
        self.steps = step + 1;
        if self.steps == STEPS {
            let best = self.by_search()[0];
            if !self.arms[best].is_given {
                self.arms[best].then = self.following(best);
            }
        }
    }

    /// What the unit would do next after this order.
    fn following(&self, arm: usize) -> Vec<Choice> {
        let first = &self.arms[arm].choice;
        let mut battle = self.base.fork(DiceBox::seeded(self.seed));
        let mut then = vec![];
        if let (Some(who), Ok(())) = (first.who, battle.answer(first.clone())) {
            while then.len() < FOLLOWING && is_asked(&battle, who) {
                let (choice, _) = battle.quick_answer_of(who, None);
                if battle.answer(choice.clone()).is_err() {
                    break;
                }
                then.push(choice);
            }
            let done = battle.rules().planning.done;
            if then.is_empty() && done.contains(&first.verb) {
                then.extend(self.next_unit(&mut battle));
            }
        }
        then
    }

    /// What the quick AI would do next in the turn of the side, with any unit. `None` if it would
    /// only end the turn.
    fn next_unit(&self, battle: &mut Battle) -> Option<Choice> {
        let done = battle.rules().planning.done;
        let units = battle.world().resource::<Roster>().ids().count();
        for _ in 0..units {
            let asked = battle.asked()?;
            if asked.side != self.side || !asked.is_turn() {
                return None;
            }
            let choice = battle.quick_answer(None);
            choice.who?;
            if !done.contains(&choice.verb) {
                return Some(choice);
            }
            battle.answer(choice).ok()?;
        }
        None
    }

    /// The reviewed decision so far. `off` is the formula's error for each side.
    fn reviewed(&self, off: &[f32]) -> ReviewedDecision {
        let sides = off.len();
        let (side, given, quick) = (self.side, self.given(), self.quick());
        let mut ranked = self.by_search();
        // Orders with a proof come first.
        ranked.sort_by_key(|&n| Reverse(self.arms[n].proof.len().min(1)));
        let best = self.by_search()[0];
        let values = |n: usize| self.arms[n].values(side, off[side.index()]);
        let paired = |a: usize, b: usize| {
            let pairs = std::iter::zip(values(a), values(b));
            let found: Vec<f32> = pairs.map(|(a, b)| a - b).collect();
            estimate(&found)
        };
        let cost = paired(best, given);
        // The best order of the search counts only if the proof confirms it.
        let is_best = best == given || cost.value <= 0.0;
        let first = if is_best { given } else { best };
        ranked.retain(|&n| n != first);
        ranked.insert(0, first);
        // Only the proof can show a mistake: the search chose the best order by its own dice.
        let is_proven = !self.arms[given].proof.is_empty();
        let cost = match is_best || !is_proven {
            true => Estimate::default(),
            false => cost,
        };
        let each = |n: usize, side: usize| -> Vec<f32> {
            let all = self.arms[n].samples();
            all.map(|one| one.chance(side, off[side])).collect()
        };
        let of_side = |n: usize, side: usize| mean(&each(n, side));
        let before: Vec<f32> = (0..sides).map(|n| of_side(quick, n)).collect();
        let difference = paired(given, quick);
        // A difference within the error counts as luck.
        let is_gain = given != quick && difference.is_certain();
        let gained = |n: usize| before[n] + of_side(given, n) - of_side(quick, n);
        let after: Vec<f32> = match is_gain {
            true => (0..sides).map(gained).collect(),
            false => before.clone(),
        };
        let orders = ranked.iter().map(|&n| self.compared(n, off[side.index()]));
        let gain = std::iter::zip(&after, &before).map(|(a, b)| a - b);
        ReviewedDecision {
            answer: self.answer,
            event: self.event,
            round: self.round,
            side,
            who: self.who,
            is_reaction: self.is_reaction,
            orders: orders.collect(),
            cost,
            gain: gain.collect(),
            before,
            after,
            error: estimate(&each(quick, side.index())).error,
        }
    }

    fn compared(&self, n: usize, off: f32) -> ComparedOrder {
        let arm = &self.arms[n];
        let values = arm.values(self.side, off);
        let roster = self.base.world().resource::<Roster>();
        let all = arm.samples().count().max(1) as f32;
        let falls = roster.ids().map(|id| {
            let fell = arm.samples().filter(|one| one.fallen & id.bit() != 0);
            fell.count() as f32 / all
        });
        ComparedOrder {
            choice: arm.choice.clone(),
            then: arm.then.clone(),
            chance: estimate(&values),
            playouts: values.len() as u32,
            is_given: arm.is_given,
            is_quick: arm.is_quick,
            falls: falls.collect(),
        }
    }
}

/// What an order costs a side compared with a better one at the current decision: playouts with
/// common dice on a fork of what the side knows. `None` if no decision is open, one of the
/// orders is not legal, no forecast was fitted, or `enough` returned true before the first
/// playout.
pub fn cost_of(
    battle: &Battle,
    (given, better): (&Choice, &Choice),
    playouts: u32,
    seed: u64,
    enough: &dyn Fn() -> bool,
) -> Option<Estimate> {
    forecast::formula(battle.rules())?;
    let side = battle.asked()?.side;
    let mut known = battle.replica(Some(side));
    let mut base = battle.fork_known(&mut known, DiceBox::seeded(seed));
    base.check(given).ok()?;
    base.check(better).ok()?;
    let mut costs = vec![];
    for n in 0..u64::from(playouts) {
        if enough() {
            break;
        }
        let dice = seed.wrapping_add(n);
        let [given, better] = [given, better].map(|order| played(&base, order, dice));
        let of = |sample: &Sample| sample.chances[side.index()];
        costs.push(of(&better) - of(&given));
    }
    (!costs.is_empty()).then(|| estimate(&costs))
}

/// A mean with its 95% error.
fn estimate(values: &[f32]) -> Estimate {
    Estimate {
        value: mean(values),
        error: Z as f32 * error(values),
    }
}

fn played(base: &Battle, choice: &Choice, seed: u64) -> Sample {
    let orders = std::slice::from_ref(choice);
    let (mut fallen, mut is_over) = (0, false);
    let chances = chances_after(base, orders, seed, |battle| {
        is_over = battle.over().is_some();
        let world = battle.world();
        let roster = world.resource::<Roster>();
        let state = |id: Id| of_unit::<Body>(world, id).state;
        let ids = roster.ids();
        let down = ids.filter(|&id| matches!(state(id), State::Down | State::Dead));
        fallen = down.fold(0, |set, id| set | id.bit());
    });
    Sample {
        chances,
        is_over,
        fallen,
    }
}

/// Each side's result when the quick AI plays the battle to its end.
fn ended(base: &Battle, seed: u64) -> Vec<f32> {
    let mut battle = base.fork(DiceBox::seeded(seed));
    quick_result(&mut battle, Side(0));
    let won = battle.over().flatten();
    let sides = battle.world().resource::<Roster>().sides.len();
    outcomes(won, sides)
}
