//! The counts of a round: which unit acts at which count, and what it declared.

use super::{declared::Declared, query::SpeedQuery};
use crate::battle::{Clock, Id, Moment, TrackMark, TrackPart, TrackTime, numeral};
use bevy_ecs::system::In;
use std::collections::BTreeMap;

/// One stop for each count at which a unit is known to act.
pub fn clock(In(()): In<()>, sp: SpeedQuery) -> Clock {
    let mut stops: BTreeMap<i32, Vec<TrackMark>> = BTreeMap::new();
    for who in sp.view.ids().filter(|&id| sp.is_there(id)) {
        let fighter = sp.fighter(who);
        let mut add = |declared: &Declared, done| {
            let mut mark = TrackMark::new(who);
            mark.what = declared.choice.log_text(sp.view.names()).into();
            mark.done = done;
            stops.entry(declared.count).or_default().push(mark);
        };
        if let Some(late) = &fighter.late {
            add(late, false);
        }
        if let Some(declared) = fighter.declared.as_ref().filter(|_| !fighter.missed) {
            add(declared, fighter.acted);
        }
    }
    let now = sp.clock.count;
    let stop = |(count, marks): (i32, Vec<TrackMark>)| {
        let when = now.map_or(TrackTime::Later, |now| count.cmp(&now).into());
        TrackPart::count(count, when, marks)
    };
    Clock {
        round: sp.clock.round,
        now: current(&sp, ()),
        track: stops.into_iter().map(stop).collect(),
        ..Clock::default()
    }
}

/// The current part of the round.
pub fn current(sp: &SpeedQuery, (): ()) -> Moment {
    let count = sp.clock.count;
    count.map_or(Moment::named("Declarations"), Moment::count)
}

/// A unit's declaration with its count. Empty if none is known.
pub fn plan(sp: &SpeedQuery, who: Id) -> String {
    let declared = sp.fighter(who).declared.as_ref();
    let what = declared.map(|declared| declared.choice.verb.name);
    let parts = what.zip(when(sp, who));
    parts.map_or(String::new(), |(what, when)| format!("{what}, {when}"))
}

/// The count of a unit's declaration: "count 14".
pub fn when(sp: &SpeedQuery, who: Id) -> Option<String> {
    let declared = sp.fighter(who).declared.as_ref()?;
    Some(format!("count {}", numeral(declared.count)))
}

/// Whether the unit has nothing left to do this round.
pub fn is_done(sp: &SpeedQuery, who: Id) -> bool {
    let fighter = sp.fighter(who);
    sp.can_act(who).is_err() || fighter.acted && fighter.now.is_none()
}
