//! The track of counts: which unit acts at which count, and what it declared, as far as known.

use super::{
    events::action_name,
    query::ActivityQuery,
    state::{PlannedAction, Stage},
};
use crate::battle::{Clock, Id, Moment, TrackMark, TrackPart, TrackTime, numeral};
use bevy_ecs::system::In;
use std::{cmp::Reverse, collections::BTreeMap};

/// The track of the current stage. Counts run down (AC-11). Before the first count, only the
/// declared share of each unit's round is known.
pub fn clock(In(()): In<()>, ac: ActivityQuery) -> Clock {
    let track = match ac.clock.stage {
        Stage::Declaring => vec![declared(&ac)],
        Stage::Count(n) => counts(&ac, n).collect(),
        Stage::LeftOver => vec![left_over(&ac)],
    };
    Clock {
        round: ac.clock.round,
        now: current(&ac, ()),
        track,
        ..Clock::default()
    }
}

/// The current part of the round.
pub fn current(ac: &ActivityQuery, (): ()) -> Moment {
    match ac.clock.stage {
        Stage::Declaring => Moment::named("Declarations"),
        Stage::Count(n) => Moment::count(n),
        Stage::LeftOver => Moment::named("Leftover moves"),
    }
}

/// A mark for something that takes this percent of the round.
fn mark(who: Id, what: String, percent: i32, done: bool) -> TrackMark {
    TrackMark {
        what: what.into(),
        share: u8::try_from(percent.clamp(0, 100)).ok(),
        done,
        ..TrackMark::new(who)
    }
}

fn only_part(marks: impl Iterator<Item = TrackMark>) -> TrackPart {
    TrackPart {
        marks: marks.collect(),
        when: TrackTime::Now,
        ..TrackPart::default()
    }
}

/// One stop with every unit that is up and its known declarations.
fn declared(ac: &ActivityQuery) -> TrackPart {
    only_part(ac.view.ids().filter(|&id| ac.is_up(id)).map(|who| {
        let actor = ac.actor(who);
        let planned = actor.planned();
        let mark = mark(who, format!("{planned}% declared"), planned, actor.declared);
        let share = mark.share.filter(|&share| share > 0);
        TrackMark { share, ..mark }
    }))
}

/// One stop for each count. For units with sealed plans, only initiative and past actions are
/// known.
fn counts(ac: &ActivityQuery, now: i32) -> impl Iterator<Item = TrackPart> {
    let per_tenth = ac.tables().count_per_tenth;
    let mut stops: BTreeMap<Reverse<i32>, Vec<TrackMark>> = BTreeMap::new();
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        let actor = ac.actor(who);
        let mut add = |count, mark| stops.entry(Reverse(count)).or_default().push(mark);
        for place in 0..actor.plan.len() {
            let Some(fall) = actor.fall(place, per_tenth) else {
                continue;
            };
            add(actor.initiative - fall, action(ac, who, place));
        }
        if actor.plan.is_empty() && !actor.declared && !ac.is_helpless(who) {
            let sealed = TrackMark {
                what: "declared in secret".into(),
                ..TrackMark::new(who)
            };
            add(actor.initiative, sealed);
        }
    }
    let stops = stops.into_iter();
    stops.map(move |(Reverse(count), marks)| TrackPart::count(count, now.cmp(&count), marks))
}

/// The mark of an action in the unit's plan.
fn action(ac: &ActivityQuery, who: Id, place: usize) -> TrackMark {
    let actor = ac.actor(who);
    let PlannedAction { kind, percent, .. } = &actor.plan[place];
    let waits = match actor.waiting && place == actor.next {
        true => ", waiting for an enemy",
        false => "",
    };
    let what = format!("{}, {percent}%{waits}", action_name(kind, ac.view.names()));
    let done = place < actor.next || ac.is_helpless(who);
    mark(who, what, *percent, done)
}

/// Units that can still move with leftover activity, highest initiative first.
fn left_over(ac: &ActivityQuery) -> TrackPart {
    let may = |&id: &Id| ac.is_up(id) && !ac.is_helpless(id) && ac.actor(id).left_over() > 0;
    let mut units: Vec<Id> = ac.view.ids().filter(may).collect();
    units.sort_by_key(|&id| Reverse(ac.actor(id).initiative));
    only_part(units.into_iter().map(|who| {
        let actor = ac.actor(who);
        let (left, done) = (actor.left_over(), actor.leftover_done);
        mark(who, format!("{left}% left to move"), left, done)
    }))
}

/// What a unit that is up has declared, or does next. Empty if nothing is known.
pub fn plan(ac: &ActivityQuery, who: Id) -> String {
    if !ac.body(who).is_up() {
        return String::new();
    }
    let (actor, names) = (ac.actor(who), ac.view.names());
    let Some(coming) = actor.plan.get(actor.next) else {
        return String::new();
    };
    match when(ac, who) {
        Some(when) => format!("{}, {when}", action_name(&coming.kind, names)),
        None => {
            let kinds = actor.plan.iter().map(|p| action_name(&p.kind, names));
            kinds.collect::<Vec<_>>().join(", ")
        }
    }
}

/// When a unit does what it has declared: "at 35". `None` before the counts are rolled.
pub fn when(ac: &ActivityQuery, who: Id) -> Option<String> {
    let actor = ac.actor(who);
    if actor.waiting {
        return Some(String::from("when an enemy comes"));
    }
    let is_rolled = ac.clock.stage != Stage::Declaring;
    let count = actor.count(ac.tables().count_per_tenth);
    is_rolled.then(|| {
        count.map_or("next round".into(), |count| {
            format!("at {}", numeral(count))
        })
    })
}

/// Whether the unit has nothing left to do in this stage of the round.
pub fn is_done(ac: &ActivityQuery, who: Id) -> bool {
    let actor = ac.actor(who);
    let is_over = match ac.clock.stage {
        Stage::Declaring => actor.declared || ac.is_helpless(who),
        Stage::Count(_) => actor.coming().is_none(),
        Stage::LeftOver => actor.leftover_done,
    };
    !ac.body(who).is_up() || is_over
}
