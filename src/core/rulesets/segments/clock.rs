//! The ten segments of a round on the timeline: which units act in each, and what they declared.

use super::{
    events::round_and_segment,
    query::SegmentsQuery,
    state::{self, Intent},
};
use crate::battle::{Clock, Id, Moment, Side, TrackMark, TrackPart, capitalised};
use bevy_ecs::system::In;

/// The timeline of the round: for each segment, the units that act and the spells that take effect.
pub fn clock(In(()): In<()>, se: SegmentsQuery) -> Clock {
    let c = &se.clock;
    let due = |id: &Id, n: u8| is_due(&se, *id, n);
    let mark = |who, what: String| TrackMark {
        what: what.into(),
        ..TrackMark::new(who)
    };
    let stop = |n: u8| {
        let acts = se.view.ids().filter(|id| due(id, n));
        let acts = acts.map(|who| mark(who, what(&se, who)));
        let acted = |id: &Id| se.fighter(*id).acted & 1 << n != 0 && !due(id, n);
        let acted = se.view.ids().filter(acted).map(|who| TrackMark {
            done: true,
            ..mark(who, "Has acted".into())
        });
        let spells = se.view.ids().filter_map(|who| {
            let casting = se.casting(who)?;
            let what = format!("{} takes effect", se.view.names().spell(casting.spell));
            let surprise = c.surprise_segment_of(casting.ready).map(i32::from);
            let done = surprise.unwrap_or_else(|| c.segment_of(casting.ready));
            (done == i32::from(n)).then(|| mark(who, what))
        });
        TrackPart {
            count: Some(n.into()),
            tip: format!("Segment {n}: spells take effect first").into(),
            marks: spells.chain(acted).chain(acts).collect(),
            ..TrackPart::new(n.to_string(), n.cmp(&c.segment).into())
        }
    };
    let (acting, alone) = acting(&se);
    let ready = |id| se.casting(id).is_some_and(|s| s.ready <= c.now());
    let spells_first = se.view.ids().any(ready);
    let last = if c.round == 0 { c.surprise } else { 10 };
    Clock {
        round: c.round,
        turn: acting.filter(|_| alone && !spells_first),
        now: part(&se, alone),
        track: (1..=last).map(stop).collect(),
    }
}

/// The current part of the round.
pub fn current(se: &SegmentsQuery, (): ()) -> Moment {
    part(se, acting(se).1)
}

/// The current part of the round, in which one side acts `alone` or all at once.
fn part(se: &SegmentsQuery, alone: bool) -> Moment {
    let (round, segment) = (se.clock.round, se.clock.segment);
    let name = match round {
        0 => format!("Surprise segment {segment}"),
        _ if segment == 0 => return Moment::named("Declarations"),
        _ if alone => format!("Segment {segment}"),
        _ => format!("Segment {segment}: all at once"),
    };
    Moment {
        count: Some(segment.into()),
        label: segment.to_string(),
        ..Moment::named(name)
    }
}

/// The first side with units that act in this segment, and whether it is the only one.
fn acting(se: &SegmentsQuery) -> (Option<Side>, bool) {
    let segment = se.clock.segment;
    let is_due = |id: &Id| segment > 0 && is_due(se, *id, segment);
    let mut sides = se.view.ids().filter(is_due).map(|id| se.body(id).side);
    let first = sides.next();
    (first, sides.all(|side| Some(side) == first))
}

/// Whether the unit acts in this segment.
fn is_due(se: &SegmentsQuery, who: Id, segment: u8) -> bool {
    se.is_up(who) && se.fighter(who).due == segment
}

/// What the unit will do in its segment, as far as the viewer knows.
fn what(se: &SegmentsQuery, who: Id) -> String {
    let f = se.fighter(who);
    match f.intent {
        _ if f.further => String::from("Another attack routine"),
        Some(intent) => capitalised(word(se, intent)),
        None => String::new(),
    }
}

/// Whether the unit has yet to act this round.
pub fn is_to_act(se: &SegmentsQuery, who: Id) -> bool {
    se.is_up(who) && se.fighter(who).due >= se.clock.segment && se.fighter(who).due > 0
}

/// What a unit has declared, with the segment in which it acts, or when its spell is ready; empty if
/// nothing is known. It fits on a card.
pub fn plan(se: &SegmentsQuery, who: Id) -> String {
    if let Some(casting) = se.casting(who) {
        let spell = se.view.names().spell(casting.spell);
        return match casting.ready <= se.clock.now() {
            true => format!("{spell} is ready"),
            false => format!("{spell} ready: {}", moment(&se.clock, casting.ready)),
        };
    }
    match (se.fighter(who).intent, when(se, who)) {
        (Some(intent), Some(when)) => format!("{}, {when}", word(se, intent)),
        (Some(intent), None) => word(se, intent).to_owned(),
        (None, Some(when)) => format!("acts in {when}"),
        (None, None) => String::new(),
    }
}

/// The segment in which a unit has yet to act this round: "segment 4".
pub fn when(se: &SegmentsQuery, who: Id) -> Option<String> {
    is_to_act(se, who).then(|| format!("segment {}", se.fighter(who).due))
}

/// When a spell takes effect, in short: "segment 6" of this round, "segment 2, round 3", "surprise
/// segment 1".
fn moment(clock: &state::Clock, ready: i32) -> String {
    if let Some(n) = clock.surprise_segment_of(ready) {
        return format!("surprise segment {n}");
    }
    let (round, segment) = round_and_segment(ready);
    match round == i32::from(clock.round) {
        true => format!("segment {segment}"),
        false => format!("segment {segment}, round {round}"),
    }
}

/// A declaration in a word, for cards: "attack", "fire bolt".
fn word<'a>(se: &'a SegmentsQuery, intent: Intent) -> &'a str {
    match intent {
        Intent::Attack => "attack",
        Intent::Missiles => "missiles",
        Intent::Move => "move",
        Intent::Set => "spear set",
        Intent::Cast(spell) => se.view.names().spell(spell),
    }
}

/// Whether the unit has nothing left to do this round. A casting unit still has to aim.
pub fn is_done(se: &SegmentsQuery, who: Id) -> bool {
    let has_acted = se.clock.segment > 0 && !is_to_act(se, who) && se.casting(who).is_none();
    !se.body(who).is_up() || has_acted
}
