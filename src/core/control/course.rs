//! How a battle went: a side's chance to win over its events, and the deed that
//! changed it most.

use super::forecast;
use crate::battle::{Battle, Cue, CueKind, Event, EventKind, Id, Replica, Setup, Side};
use std::{collections::BTreeMap, ops::Range};

/// How a battle went for a side.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// One for each deed, in their order, and one for the beginning; empty where
    /// no forecast was fitted.
    pub points: Vec<Point>,
    /// How far the chances are off on average, 0 to 1.
    pub error: f32,
    /// The deed that changed the chance most in the direction in which the battle
    /// ended; without a forecast, the one that hurt most.
    pub decisive: Option<Deed>,
}

/// The chance of a side at a moment, with all that is so known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// How many events there were by then.
    pub event: usize,
    /// 0 to 1; once the battle is over, how it ended.
    pub chance: f32,
}

/// What somebody did, with all that came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    pub events: Range<usize>,
    /// In which round, from 1.
    pub round: u16,
    /// Who hurt most by it, or else who did it.
    pub by: Option<Id>,
    /// The side's chance before and after it; none without a forecast.
    pub swing: Option<(f32, f32)>,
    /// Points of harm that it did.
    pub harm: i32,
}

/// A change of the chance that nobody would call one.
const SLIGHT: f32 = 0.03;

/// How the battle went for a side; `setup` is the battle's own. `astray` tells, as a
/// logarithm of odds, how far the formula was found to be off by an event, 0 if nobody
/// has looked.
pub fn course(battle: &Battle, setup: &Setup, side: Side, astray: &dyn Fn(usize) -> f32) -> Course {
    let (events, rules) = (battle.events(), battle.rules());
    let deeds = deeds(events);
    let mut followed = Replica::new(setup, rules, None);
    let mut chance = |until: usize| {
        while followed.at() < until {
            followed.next(events);
        }
        let chance = forecast::at_once(&mut followed.world, rules, side, &[])?;
        Some(chance.corrected(astray(until)).value)
    };
    let chances: Option<Vec<f32>> = deeds.iter().map(|deed| chance(deed.start)).collect();
    let end = chance(events.len());
    let mut points = vec![];
    if let (Some(chances), Some(end)) = (chances, end) {
        let point = |(deed, &chance): (&Range<usize>, &f32)| Point {
            event: deed.start,
            chance,
        };
        points.extend(std::iter::zip(&deeds, &chances).map(point));
        points.push(Point {
            event: events.len(),
            chance: end,
        });
    }
    let decisive = decisive(events, &deeds, &points, battle.over().flatten(), side);
    if let (Some(last), Some(won)) = (points.last_mut(), battle.over()) {
        last.chance = match won {
            Some(winner) => f32::from(u8::from(winner == side)),
            None => 0.5,
        };
    }
    Course {
        points,
        error: forecast::formula(rules).map_or(0.0, |formula| formula.error),
        decisive,
    }
}

/// The events, cut where somebody begins something or the round goes on. What
/// happens between an attack and the moment when it is settled belongs to it.
fn deeds(events: &[Event]) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    // Where the deed of each attack in flight begins.
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
            EventKind::AttackRolled { shot } => {
                flying.insert(shot.serial, starts.last().copied().unwrap_or(0));
            }
            EventKind::AttackSettled { serial, .. } => {
                if let Some(start) = flying.remove(serial) {
                    starts.retain(|&other| other <= start);
                }
            }
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).copied().chain([events.len()]);
    std::iter::zip(starts.iter().copied(), ends)
        .map(|(from, to)| from..to)
        .collect()
}

/// Points of harm that an event tells of, and whose doing they are.
fn harm(event: &Event) -> Option<(Option<Id>, i32)> {
    let does_harm = |cue: &Cue| matches!(cue.kind, CueKind::Wound | CueKind::Harm);
    let cue = event.cue().filter(does_harm)?;
    Some((cue.by, cue.points))
}

fn decisive(
    events: &[Event],
    deeds: &[Range<usize>],
    points: &[Point],
    won: Option<Side>,
    side: Side,
) -> Option<Deed> {
    let swing = |n: usize| Some((points.get(n)?.chance, points.get(n + 1)?.chance));
    let hurt = |n: usize| -> i32 {
        let of_deed = &events[deeds[n].clone()];
        of_deed
            .iter()
            .filter_map(harm)
            .map(|(_, points)| points)
            .sum()
    };
    // In the direction in which it went.
    let gain = |n: usize| {
        let (before, after) = swing(n)?;
        Some(match won {
            Some(winner) if winner == side => after - before,
            Some(_) => before - after,
            None => (after - before).abs(),
        })
    };
    // Rounds that begin and end are nobody's doing.
    let is_deed = |n: &usize| {
        let first = events.get(deeds[*n].start).map(|event| &event.what);
        matches!(first, Some(EventKind::Acted { .. })) || hurt(*n) > 0
    };
    let all = (0..deeds.len()).filter(is_deed);
    let most = all.clone().filter_map(|n| Some((n, gain(n)?)));
    let most = most.max_by(|a, b| a.1.total_cmp(&b.1));
    let n = match most {
        Some((n, gain)) if gain >= SLIGHT => n,
        _ => all.max_by_key(|&n| hurt(n)).filter(|&n| hurt(n) > 0)?,
    };
    let began = |event: &Event| match event.what {
        EventKind::RoundBegan { round } => Some(round),
        _ => None,
    };
    let before = events[..deeds[n].end].iter().rev();
    Some(Deed {
        events: deeds[n].clone(),
        round: before.filter_map(began).next().unwrap_or(1),
        by: doer(&events[deeds[n].clone()]),
        swing: swing(n),
        harm: hurt(n),
    })
}

/// Who did most harm in a deed, or else who began it.
fn doer(events: &[Event]) -> Option<Id> {
    let mut done: BTreeMap<Id, i32> = BTreeMap::new();
    for (by, points) in events.iter().filter_map(harm) {
        if let Some(by) = by {
            *done.entry(by).or_default() += points;
        }
    }
    let most = done
        .into_iter()
        .max_by_key(|&(id, points)| (points, std::cmp::Reverse(id)));
    let began = |event: &Event| match &event.what {
        EventKind::Acted { choice } => choice.who,
        _ => None,
    };
    most.map(|(id, _)| id)
        .or_else(|| events.iter().find_map(began))
}
