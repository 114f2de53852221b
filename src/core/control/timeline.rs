//! The timeline of a battle: a side's win probability over its events, and the action that
//! decided it.

use super::{
    forecast::{self, log_odds, logistic, outcome},
    interval::Z,
    strategist::{mean, play_to_the_end},
};
use crate::battle::{Battle, Cue, Event, EventKind, Id, Side};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// The timeline of a battle for a side.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// A point for the start, one after each action, and the measured points, in order. Empty if
    /// no forecast was fitted.
    pub points: Vec<Point>,
    /// The average error of the win probabilities, 0 to 1.
    pub error: f32,
}

/// A side's win probability at one time, given everything that happened by then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The number of events by then.
    pub event: usize,
    /// From 0 to 1; the result once the battle is over.
    pub chance: f32,
}

/// An action with all of its consequences.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineAction {
    pub events: Range<usize>,
    /// The round, from 1.
    pub round: u16,
    /// The unit that dealt most damage in it, otherwise the unit that acted.
    pub by: Option<Id>,
    /// The side's win probability before and after it, 0 to 1.
    pub swing: (f32, f32),
    /// How far off their difference may be, with 95% confidence.
    pub error: f32,
}

impl TimelineAction {
    fn of(events: &[Event], action: Range<usize>, swing: (f32, f32), error: f32) -> Self {
        Self {
            round: round_of(&events[..action.end]),
            by: doer(&events[action.clone()]),
            events: action,
            swing,
            error,
        }
    }

    /// The win probability before and after it, as points of a timeline.
    pub fn ends(&self) -> [Point; 2] {
        let (before, after) = self.swing;
        let point = |event, chance| Point { event, chance };
        let events = &self.events;
        [point(events.start, before), point(events.end, after)]
    }
}

/// The result of playouts from the turning points of a battle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// The action that changed the win probability most, in the direction of the result and by
    /// more than its error, and by [`LEAST_SWING`] or more. `None` if there is none.
    pub decisive: Option<TimelineAction>,
    /// Win probabilities measured on the way, in the order of their events.
    pub measured: Vec<Point>,
}

/// The timeline for a side. The formula gives the win probabilities. The timeline passes through every measured point, and between two of them the
/// formula is corrected by its error there.
pub fn timeline(battle: &Battle, side: Side, measured: &[Point]) -> Timeline {
    let events = battle.events();
    let starts = actions(events).into_iter().map(|action| action.start);
    let moments = starts.chain([events.len()]);
    let moments = moments.chain(measured.iter().map(|point| point.event));
    let formula = formula_at(battle, side, moments.collect());
    let off = |point: &Point| {
        let formula = formula.get(&point.event)?;
        Some((point.event, log_odds(point.chance) - log_odds(*formula)))
    };
    let off: BTreeMap<usize, f32> = measured.iter().filter_map(off).collect();
    let point = |(&event, &chance): (&usize, &f32)| {
        let chance = match between(&off, event) {
            Some(by) => logistic(log_odds(chance) + by),
            None => chance,
        };
        Point { event, chance }
    };
    let mut points: Vec<Point> = formula.iter().map(point).collect();
    if let (Some(last), Some(won)) = (points.last_mut(), battle.over()) {
        last.chance = outcome(won, side);
    }
    Timeline {
        points,
        error: forecast::formula(battle.rules()).map_or(0.0, |formula| formula.error),
    }
}

/// The formula's win probability of a side at each of these numbers of events.
fn formula_at(battle: &Battle, side: Side, moments: BTreeSet<usize>) -> BTreeMap<usize, f32> {
    let rules = battle.rules();
    let mut followed = battle.replica(None);
    let chance = |moment: usize| {
        while followed.at() < moment && followed.next(battle.events()).is_some() {}
        let chance = forecast::formula_estimate(&mut followed.world, rules, side, &[])?;
        Some((moment, chance.value))
    };
    moments.into_iter().map_while(chance).collect()
}

/// Linear interpolation between the known values. `None` if there are none.
pub(super) fn between(known: &BTreeMap<usize, f32>, at: usize) -> Option<f32> {
    let before = known.range(..=at).next_back();
    let after = known.range(at..).next();
    Some(match (before, after) {
        (Some((from, a)), Some((to, b))) if from < to => {
            a + (b - a) * (at - from) as f32 / (to - from) as f32
        }
        (Some((_, value)), _) | (None, Some((_, value))) => *value,
        (None, None) => return None,
    })
}

/// The least change of the win probability that is worth telling, from 0 to 1.
pub const LEAST_SWING: f32 = 0.05;

/// Actions that are examined closely: those that change the timeline most.
const CANDIDATES: usize = 6;
/// Playouts per point. Every point uses the same dice, so that two points differ by what
/// happened between them rather than by luck.
pub const PLAYOUTS: u64 = 80;

/// Runs playouts before and after the actions that may have decided a battle: those that change the
/// timeline through the points `shown` most. Returns an empty review if `enough` returns true before
/// the end.
pub fn review(
    battle: &Battle,
    (side, shown): (Side, &[Point]),
    seed: u64,
    enough: &dyn Fn() -> bool,
) -> Review {
    let events = battle.events();
    let gain = gain_of(battle, side);
    let mut ranked = ranked(battle, side, &timeline(battle, side, shown));
    ranked.truncate(CANDIDATES);

    let mut playouts = Playouts {
        battle,
        side,
        seed,
        found: BTreeMap::new(),
    };
    // The timeline begins at the odds at the start, whatever the formula says.
    if playouts.played_on(0, enough).is_none() {
        return Review::default();
    }
    let mut decisive: Option<(f32, TimelineAction)> = None;
    for (_, action) in ranked {
        let (from, to) = playouts.around(&action);
        let (Some(before), Some(after)) = (
            playouts.played_on(from, enough),
            playouts.played_on(to, enough),
        ) else {
            return Review::default();
        };
        let (by, error) = difference(&before, &after);
        let swing = (mean(&before), mean(&after));
        let gain = gain(0.0, by);
        if gain > error
            && gain >= LEAST_SWING
            && decisive.as_ref().is_none_or(|(most, _)| gain > *most)
        {
            let action = TimelineAction::of(events, action, swing, error);
            decisive = Some((gain, action));
        }
    }
    let point = |(answers, values): (&usize, &Vec<f32>)| Point {
        event: battle.events_before(*answers),
        chance: mean(values),
    };
    Review {
        decisive: decisive.map(|(_, action)| action),
        measured: playouts.found.iter().map(point).collect(),
    }
}

/// What an action changed for a side, in the direction of the result; without a winner, in either
/// direction. Takes the win probability before and after it.
fn gain_of(battle: &Battle, side: Side) -> impl Fn(f32, f32) -> f32 + use<> {
    let won = battle.over().flatten();
    // 1 if the side won, -1 if it lost.
    let way = won.map_or(0.0, |winner| 2.0 * outcome(Some(winner), side) - 1.0);
    move |before, after| match way == 0.0 {
        true => (after - before).abs(),
        false => (after - before) * way,
    }
}

/// The actions of a battle with their estimated win probabilities before and after, sorted by how
/// much they changed, the largest change first.
fn ranked(battle: &Battle, side: Side, timeline: &Timeline) -> Vec<((f32, f32), Range<usize>)> {
    let events = battle.events();
    let gain = gain_of(battle, side);
    let points = timeline.points.iter();
    let chances: BTreeMap<usize, f32> = points.map(|p| (p.event, p.chance)).collect();
    let at = |event: usize| chances.get(&event).copied().unwrap_or(0.0);
    let all = actions(events).into_iter();
    let all = all.filter(|action| is_done(&events[action.clone()]));
    let mut ranked: Vec<_> = all
        .map(|action| ((at(action.start), at(action.end)), action))
        .collect();
    let worth = |(swing, action): &((f32, f32), Range<usize>)| {
        // The formula alone ranks a missed attack last: nobody is hurt by it.
        (gain(swing.0, swing.1), hurt(&events[action.clone()]))
    };
    ranked.sort_by(|a, b| {
        let (a, b) = (worth(a), worth(b));
        b.0.total_cmp(&a.0).then(b.1.cmp(&a.1))
    });
    ranked
}

/// The action that changed the win probability of a side most by its timeline. `None` if none
/// changed it in the direction of the result, by [`LEAST_SWING`] or more.
pub fn estimated_swing(battle: &Battle, side: Side, timeline: &Timeline) -> Option<TimelineAction> {
    let gain = gain_of(battle, side);
    let (swing, action) = ranked(battle, side, timeline).into_iter().next()?;
    let is_large = gain(swing.0, swing.1) >= LEAST_SWING;
    is_large.then(|| TimelineAction::of(battle.events(), action, swing, timeline.error))
}

/// Playouts from several points of a battle.
struct Playouts<'b> {
    battle: &'b Battle,
    side: Side,
    seed: u64,
    /// The results, by number of answers.
    found: BTreeMap<usize, Vec<f32>>,
}

impl Playouts<'_> {
    /// The last decision before an action and the first after it, as numbers of answers.
    fn around(&self, action: &Range<usize>) -> (usize, usize) {
        let last = self.battle.answers().len();
        let is_before = |n: &usize| self.battle.events_before(*n) <= action.start;
        let is_after = |n: &usize| self.battle.events_before(*n) >= action.end;
        let before = (0..=last).rev().find(is_before);
        let after = (0..=last).find(is_after);
        (before.unwrap_or(0), after.unwrap_or(last))
    }

    /// The results of playouts from a decision. `None` if `enough` returned true.
    fn played_on(&mut self, answers: usize, enough: &dyn Fn() -> bool) -> Option<Vec<f32>> {
        if let Some(found) = self.found.get(&answers) {
            return Some(found.clone());
        }
        let base = self.battle.at(answers);
        let mut values = vec![];
        for n in 0..PLAYOUTS {
            if enough() {
                return None;
            }
            values.push(match base.over() {
                Some(won) => outcome(won, self.side),
                None => play_to_the_end(&base, self.side, self.seed.wrapping_add(n)),
            });
        }
        self.found.insert(answers, values.clone());
        Some(values)
    }
}

/// The mean of the paired differences, and its 95% error: Agresti and Min's interval for paired
/// shares.
fn difference(before: &[f32], after: &[f32]) -> (f32, f32) {
    let pairs = std::iter::zip(before, after).map(|(before, after)| after - before);
    let (sum, squares) = pairs.fold((0.0, 0.0), |(sum, squares), d| (sum + d, squares + d * d));
    let n = before.len() as f32 + 2.0;
    let variance = (squares + 1.0 - sum * sum / n).max(0.0);
    (sum / n, Z as f32 * variance.sqrt() / n)
}

/// The last round that began in these events, from 1.
fn round_of(events: &[Event]) -> u16 {
    let began = |event: &Event| match event.what {
        EventKind::RoundBegan { round } => Some(round),
        _ => None,
    };
    events.iter().rev().find_map(began).unwrap_or(1)
}

/// Whether a unit did something; the start or end of a round is not an action.
fn is_done(events: &[Event]) -> bool {
    let first = events.first().map(|event| &event.what);
    matches!(first, Some(EventKind::Acted { .. })) || hurt(events) > 0
}

/// Total damage in some events.
fn hurt(events: &[Event]) -> i32 {
    let harms = events.iter().filter_map(harm);
    harms.map(|(_, points)| points).sum()
}

/// Divides events into actions: a new one starts when a unit begins something or the round
/// advances. Events between an attack and its resolution belong to the attack.
fn actions(events: &[Event]) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    // For each pending attack, where its action starts.
    let mut flying = BTreeMap::new();
    for (n, event) in events.iter().enumerate() {
        match &event.what {
            EventKind::Acted { .. }
            | EventKind::RoundBegan { .. }
            | EventKind::RoundEnded
            | EventKind::TurnBegan { .. }
                if starts.last() != Some(&n) =>
            {
                starts.push(n);
            }
            EventKind::AttackRolled { rolled_attack } => {
                flying.insert(rolled_attack.serial, starts.last().copied().unwrap_or(0));
            }
            EventKind::AttackResolved { serial, .. } => {
                if let Some(start) = flying.remove(serial) {
                    starts.retain(|&other| other <= start);
                }
            }
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).copied().chain([events.len()]);
    let all = std::iter::zip(starts.iter().copied(), ends);
    all.map(|(from, to)| from..to).collect()
}

/// The damage of an event, and the unit that dealt it.
fn harm(event: &Event) -> Option<(Option<Id>, i32)> {
    let cue = event.cue().filter(Cue::is_loss)?;
    Some((cue.by, cue.points))
}

/// The unit that dealt most damage in an action, otherwise the unit that began it.
fn doer(events: &[Event]) -> Option<Id> {
    let mut done: BTreeMap<Id, i32> = BTreeMap::new();
    for (by, points) in events.iter().filter_map(harm) {
        if let Some(by) = by {
            *done.entry(by).or_default() += points;
        }
    }
    let done = done.into_iter();
    let most = done.max_by_key(|&(id, points)| (points, std::cmp::Reverse(id)));
    let began = |event: &Event| match &event.what {
        EventKind::Acted { choice } => choice.who,
        _ => None,
    };
    most.map(|(id, _)| id)
        .or_else(|| events.iter().find_map(began))
}
