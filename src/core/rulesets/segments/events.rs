//! The events of Segments.

use super::{
    numbers,
    state::{Casting, Clock, Fighter, Intent},
};
use crate::{
    battle::{
        CreatureRef, Id, LogField, Names, Roster, Side, SpellId, all_units_mut, events, members,
        of_unit, of_unit_mut,
    },
    rulesets::segments::content::SegmentsStats,
    words::count,
};
use bevy_ecs::world::World;
use std::borrow::Cow;

events! {
    /// Events that only Segments knows.
    pub enum SegmentsEvent: RulesetEvent |world, names, unknown| {
        /// A side is surprised for this many segments, possibly 0 (SE-10).
        Surprised { side: Side, segments: u8 }
            log(if (*segments == 0) { Detail "{side}: not surprised" }
                else { Fact "{side}: surprised for {n}", n = count((*segments).into(), "segment") })
            apply {
                for id in members(world, *side) {
                    fighter(world, &id).surprised = *segments;
                }
            };

        /// A unit is surprised for a different number of segments than its side (SE-11, SE-13).
        SurprisedAlone { who: Id, segments: u8 }
            log(if (*segments == 0) { Fact "{who} is not surprised" }
                else { Fact "{who} is surprised for {n}", n = count((*segments).into(), "segment") })
            apply { fighter(world, who).surprised = *segments };

        /// A surprise segment begins; the units in `act` can act in it (SE-14).
        SurpriseSegment { segment: u8, act: Vec<Id> }
            log(Heading "Surprise segment {segment}")
            apply {
                for (n, f) in all_units_mut::<Fighter>(world).iter_mut().enumerate() {
                    (f.routines, f.further, f.braced) = (1, false, false);
                    f.due = if act.contains(&Id(n as u16)) { *segment } else { 0 };
                }
                world.resource_mut::<Clock>().segment = *segment;
            };

        /// The number of surprise segments for the whole battle.
        SurpriseLasts { segments: u8 }
            log(if (*segments == 0) { silent }
                else { Detail "Surprise lasts for {n}", n = count((*segments).into(), "segment") })
            apply { world.resource_mut::<Clock>().surprise = *segments };

        /// A round begins, with no declarations.
        Opened
            log(silent)
            apply {
                for f in all_units_mut::<Fighter>(world) {
                    (f.intent, f.due, f.further) = (None, 0, false);
                    (f.surprised, f.acted, f.braced) = (0, 0, false);
                }
                let sides = world.resource::<Roster>().sides.len();
                let mut clock = world.resource_mut::<Clock>();
                clock.round += 1;
                clock.segment = 0;
                clock.initiative = vec![0; sides];
            };

        Declared { who: Id, intent: Intent }
            log(Detail "{who} declares {intent}")
            apply { fighter(world, who).intent = Some(*intent) };

        /// Segments of all sides in order, of all units that act, and once more of the units that
        /// act in another segment than their side (SE-30, SE-31).
        Initiative { sides: Vec<u8>, due: Vec<(Id, u8)>, apart: Vec<(Id, u8)> }
            log(Fact "Acting: {order}", order = acting_order(names, sides, apart))
            apply {
                world.resource_mut::<Clock>().initiative.clone_from(sides);
                for (who, segment) in due {
                    fighter(world, who).due = *segment;
                }
                for who in world.resource::<Roster>().ids() {
                    fighter(world, &who).routines = routines(world, who);
                }
            };

        SegmentBegan { segment: u8 }
            log(Heading "Segment {segment}")
            apply { world.resource_mut::<Clock>().segment = *segment };

        /// The unit has acted; `next` is the segment of its next routine (SE-34).
        Spent { who: Id, next: Option<u8> }
            log(silent)
            apply {
                let f = acts_now(world, who);
                f.routines = f.routines.saturating_sub(1);
                (f.due, f.further) = (next.unwrap_or(0), next.is_some());
                f.braced = false;
            };

        /// The unit holds its action (SE-35).
        Held { who: Id, until: u8 }
            log(Detail "{who} waits for segment {until}")
            apply { fighter(world, who).due = *until };

        /// A small action took a segment, so the unit acts in the next one.
        Delayed { who: Id, until: u8 }
            log(Trace "It takes a segment: {who} acts in segment {until}")
            apply { fighter(world, who).due = *until };

        /// The unit drops its declared spell (SE-20).
        GaveUp { who: Id, spell: SpellId }
            log(Fact "{who} gives up {spell}") apply { fighter(world, who).due = 0 };

        /// `ends`: the surprise segment at whose end the spell is complete (SE-14).
        CastBegan { who: Id, casting: Casting, ends: Option<u8> }
            log(Detail "{who} will have cast {spell} {moment}",
                spell = names.spell(casting.spell), moment = ends_at(*ends, casting.ready))
            apply {
                let f = acts_now(world, who);
                f.casting = Some(*casting);
                f.due = 0;
                f.castings.add(casting.spell);
            };

        CastEnded { who: Id } log(silent) apply { fighter(world, who).casting = None };

        Spoiled { who: Id, spell: SpellId }
            log(Fact "The casting of {spell} by {who} is spoiled")
            cue(Bad, who, "loses the spell")
            apply { fighter(world, who).casting = None };

        Charged { who: Id }
            log(Detail "{who} has charged: its AC is 1 worse this round")
            apply { fighter(world, who).charged = Some(world.resource::<Clock>().round) };

        /// The unit sets its spear until it acts or the surprise segment ends.
        Braced { who: Id }
            log(silent) cue(Defense, who, "spear set") apply { fighter(world, who).braced = true };

        /// A failed morale check: the unit withdraws once, then fights again (SE-55).
        FallsBack { who: Id }
            log(Fact "{who} falls back")
            cue(Bad, who, "afraid")
            apply { fighter(world, who).falls_back = true };

        FellBack { who: Id }
            log(Fact "{who} takes heart again") apply { fighter(world, who).falls_back = false };

        /// A unit that would flee finds no way out and acts normally for the rest of the round.
        Turned { who: Id }
            log(silent) apply { fighter(world, who).intent.get_or_insert(Intent::Attack); };

        Bleeding { who: Id }
            log(Detail "{who} is bleeding")
            cue(Bad, who, "bleeds")
            apply { fighter(world, who).bleeding = true };

        Bound { who: Id }
            log(Fact "{who} is bandaged and stops bleeding")
            cue(Good, who, "bandaged")
            apply { fighter(world, who).bleeding = false };
    }
}

fn fighter<'w>(world: &'w mut World, who: &Id) -> &'w mut Fighter {
    of_unit_mut::<Fighter>(world, *who)
}

/// Notes that a unit acts in the current segment.
fn acts_now<'w>(world: &'w mut World, who: &Id) -> &'w mut Fighter {
    let segment = world.resource::<Clock>().segment;
    let f = fighter(world, who);
    f.acted |= 1 << segment;
    f
}

/// Attack routines per round of the unit's creature (SE-34).
fn routines(world: &World, who: Id) -> u8 {
    let sheet = of_unit::<CreatureRef>(world, who);
    sheet.creature.section::<SegmentsStats>().routines
}

/// When a spell takes effect: "in segment 6 of round 2", or "at the end of surprise segment 1"
/// (SE-14).
pub fn completion(clock: &Clock, ready: i32) -> String {
    ends_at(clock.surprise_segment_of(ready), ready)
}

fn ends_at(surprise_segment: Option<u8>, ready: i32) -> String {
    match surprise_segment {
        Some(n) => format!("at the end of surprise segment {n}"),
        None => format!("in {}", when(ready)),
    }
}

/// A moment as text: "segment 6 of round 2".
pub fn when(moment: i32) -> String {
    if moment < 1 {
        return String::from("this surprise segment");
    }
    let (round, segment) = round_and_segment(moment);
    format!("segment {segment} of round {round}")
}

/// The round of a moment and its segment in that round, both from 1. Not for surprise segments.
pub fn round_and_segment(moment: i32) -> (i32, i32) {
    let before = moment - 1;
    (before / numbers::ROUND + 1, before % numbers::ROUND + 1)
}

/// A declaration as text: "an attack".
pub fn describe_intent(intent: Intent, names: &Names) -> String {
    match intent {
        Intent::Attack => String::from("an attack"),
        Intent::Missiles => String::from("a missile attack"),
        Intent::Move => String::from("a move"),
        Intent::Set => String::from("a spear set against charges"),
        Intent::Cast(spell) => format!("the spell {}", names.spell(spell)),
    }
}

impl LogField for Intent {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str> {
        describe_intent(*self, names).into()
    }
}

/// "the party in segment 1, the goblins in segment 6, tobin in segment 4".
fn acting_order(names: &Names, sides: &[u8], apart: &[(Id, u8)]) -> String {
    let acts = sides.iter().enumerate().filter(|s| *s.1 > 0);
    let acts = acts.map(|(n, segment)| (names.side_in_line(Side(n as u8)), segment));
    let alone = apart
        .iter()
        .map(|(who, segment)| (names.name(*who).to_owned(), segment));
    let all = acts.chain(alone);
    let parts = all.map(|(name, segment)| format!("{name} in segment {segment}"));
    parts.collect::<Vec<_>>().join(", ")
}
