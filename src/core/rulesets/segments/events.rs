//! The events of Segments: how they change the state, and their log lines.

use super::state::{Casting, Clock, Fighter, Intent};
use crate::battle::{
    Body, CreatureRef, Cue, CueKind, Id, Line, LogLevel, Names, Roster, RulesetEvent, Side,
    SpellId, of_unit, of_unit_mut,
};
use crate::rulesets::segments::content::SegmentsStats;
use bevy_ecs::world::World;
use serde::Serialize;

/// Events that only Segments knows.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum SegmentsEvent {
    /// A side is surprised for this many segments, possibly 0 (SE-10).
    Surprised {
        side: Side,
        segments: u8,
    },
    /// A unit is surprised for a different number of segments than its side (SE-11, SE-13).
    SurprisedAlone {
        who: Id,
        segments: u8,
    },
    /// A surprise segment begins; the units in `act` can act in it (SE-14).
    SurpriseSegment {
        segment: u8,
        act: Vec<Id>,
    },
    /// The number of surprise segments for the whole battle.
    SurpriseLasts {
        segments: u8,
    },
    /// A round begins, with no declarations.
    Opened,
    Declared {
        who: Id,
        intent: Intent,
    },
    /// Segments of all sides in order, of all units that act, and once more of the units that act
    /// in another segment than their side (SE-30, SE-31).
    Initiative {
        sides: Vec<u8>,
        due: Vec<(Id, u8)>,
        apart: Vec<(Id, u8)>,
    },
    SegmentBegan {
        segment: u8,
    },
    /// The unit has acted; `next` is the segment of its next routine (SE-34).
    Spent {
        who: Id,
        next: Option<u8>,
    },
    /// The unit holds its action (SE-35).
    Held {
        who: Id,
        until: u8,
    },
    /// A small action took a segment, so the unit acts in the next one.
    Delayed {
        who: Id,
        until: u8,
    },
    /// The unit drops its declared spell (SE-20).
    GaveUp {
        who: Id,
        spell: SpellId,
    },
    /// `ends`: the surprise segment at whose end the spell is complete (SE-14).
    CastBegan {
        who: Id,
        casting: Casting,
        ends: Option<u8>,
    },
    CastEnded {
        who: Id,
    },
    Spoiled {
        who: Id,
        spell: SpellId,
    },
    Charged {
        who: Id,
    },
    /// The unit sets its spear until it acts or the surprise segment ends.
    Braced {
        who: Id,
    },
    /// A failed morale check: the unit withdraws once, then fights again (SE-55).
    FallsBack {
        who: Id,
    },
    FellBack {
        who: Id,
    },
    /// A unit that would flee finds no way out and acts normally for the rest of the round.
    Turned {
        who: Id,
    },
    Bleeding {
        who: Id,
    },
    Bound {
        who: Id,
    },
}

impl RulesetEvent for SegmentsEvent {
    fn apply(&self, world: &mut World) {
        let people = world.resource::<Roster>().units as u16;
        let all = || (0..people).map(Id);
        match self {
            Self::Surprised { side, segments } => {
                for id in all() {
                    if of_unit::<Body>(world, id).side == *side {
                        of_unit_mut::<Fighter>(world, id).surprised = *segments;
                    }
                }
            }
            Self::SurprisedAlone { who, segments } => {
                of_unit_mut::<Fighter>(world, *who).surprised = *segments;
            }
            Self::SurpriseLasts { segments } => {
                world.resource_mut::<Clock>().surprise = *segments;
            }
            Self::SurpriseSegment { segment, act } => {
                for id in all() {
                    let f = of_unit_mut::<Fighter>(world, id);
                    (f.due, f.routines, f.further) = (0, 1, false);
                    f.braced = false;
                    if act.contains(&id) {
                        f.due = *segment;
                    }
                }
                world.resource_mut::<Clock>().segment = *segment;
            }
            Self::Opened => {
                for id in all() {
                    let f = of_unit_mut::<Fighter>(world, id);
                    (f.intent, f.due, f.further) = (None, 0, false);
                    (f.surprised, f.acted, f.braced) = (0, 0, false);
                }
                let sides = world.resource::<Roster>().sides.len();
                let mut clock = world.resource_mut::<Clock>();
                clock.round += 1;
                clock.segment = 0;
                clock.initiative = vec![0; sides];
            }
            Self::Declared { who, intent } => {
                of_unit_mut::<Fighter>(world, *who).intent = Some(*intent);
            }
            Self::Initiative { sides, due, .. } => {
                world.resource_mut::<Clock>().initiative.clone_from(sides);
                for (who, segment) in due {
                    of_unit_mut::<Fighter>(world, *who).due = *segment;
                }
                for who in all() {
                    let routines = routines(world, who);
                    of_unit_mut::<Fighter>(world, who).routines = routines;
                }
            }
            Self::SegmentBegan { segment } => world.resource_mut::<Clock>().segment = *segment,
            Self::Spent { who, next } => {
                let segment = world.resource::<Clock>().segment;
                let f = of_unit_mut::<Fighter>(world, *who);
                f.acted |= 1 << segment;
                f.routines = f.routines.saturating_sub(1);
                (f.due, f.further) = (next.unwrap_or(0), next.is_some());
                f.braced = false;
            }
            Self::Braced { who } => of_unit_mut::<Fighter>(world, *who).braced = true,
            Self::Held { who, until } | Self::Delayed { who, until } => {
                of_unit_mut::<Fighter>(world, *who).due = *until;
            }
            Self::GaveUp { who, .. } => of_unit_mut::<Fighter>(world, *who).due = 0,
            Self::CastBegan { who, casting, .. } => {
                let segment = world.resource::<Clock>().segment;
                let f = of_unit_mut::<Fighter>(world, *who);
                f.acted |= 1 << segment;
                f.casting = Some(*casting);
                f.due = 0;
                match f.spent.iter_mut().find(|s| s.0 == casting.spell) {
                    Some(times) => times.1 += 1,
                    None => f.spent.push((casting.spell, 1)),
                }
            }
            Self::CastEnded { who } | Self::Spoiled { who, .. } => {
                of_unit_mut::<Fighter>(world, *who).casting = None;
            }
            Self::Charged { who } => {
                let round = world.resource::<Clock>().round;
                of_unit_mut::<Fighter>(world, *who).charged = Some(round);
            }
            Self::FallsBack { who } => of_unit_mut::<Fighter>(world, *who).falls_back = true,
            Self::FellBack { who } => of_unit_mut::<Fighter>(world, *who).falls_back = false,
            Self::Turned { who } => {
                let f = of_unit_mut::<Fighter>(world, *who);
                f.intent.get_or_insert(Intent::Attack);
            }
            Self::Bleeding { who } => of_unit_mut::<Fighter>(world, *who).bleeding = true,
            Self::Bound { who } => of_unit_mut::<Fighter>(world, *who).bleeding = false,
        }
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        use LogLevel::*;
        let title = |id: &Id| names.title(*id);
        let side_title = |side: &Side| crate::battle::capitalised(names.side(*side));
        let segments = |n: u8| match n {
            1 => String::from("1 segment"),
            n => format!("{n} segments"),
        };
        match self {
            Self::Surprised { side, segments: 0 } => {
                Line::new(Detail, format!("{}: not surprised", side_title(side)))
            }
            Self::Surprised { side, segments: n } => {
                let (side, n) = (side_title(side), segments(*n));
                Line::new(Fact, format!("{side}: surprised for {n}"))
            }
            Self::SurprisedAlone { who, segments: 0 } => {
                Line::new(Fact, format!("{} is not surprised", title(who)))
            }
            Self::SurprisedAlone { who, segments: n } => {
                let (who, n) = (title(who), segments(*n));
                Line::new(Fact, format!("{who} is surprised for {n}"))
            }
            Self::SurpriseSegment { segment, .. } => {
                Line::new(Heading, format!("Surprise segment {segment}"))
            }
            Self::Declared { who, intent } => {
                let what = describe_intent(*intent, names);
                Line::new(Detail, format!("{} declares {what}", title(who)))
            }
            Self::Initiative { sides, apart, .. } => {
                Line::new(Fact, told_initiative(names, sides, apart))
            }
            Self::SegmentBegan { segment } => Line::new(Heading, format!("Segment {segment}")),
            Self::Held { who, until } => {
                Line::new(Detail, format!("{} waits for segment {until}", title(who)))
            }
            Self::Delayed { who, until } => Line::new(
                Trace,
                format!(
                    "It takes a segment: {} acts in segment {until}",
                    names.name(*who)
                ),
            ),
            Self::GaveUp { who, spell } => {
                let (who, spell) = (title(who), names.spell(*spell));
                Line::new(Fact, format!("{who} gives up {spell}"))
            }
            Self::CastBegan { who, casting, ends } => {
                let (who, spell) = (title(who), names.spell(casting.spell));
                let moment = ends_at(*ends, casting.ready);
                Line::new(Detail, format!("{who} will have cast {spell} {moment}"))
            }
            Self::Spoiled { who, spell } => {
                let (who, spell) = (names.name(*who), names.spell(*spell));
                Line::new(Fact, format!("The casting of {spell} by {who} is spoiled"))
            }
            Self::Charged { who } => {
                let text = format!("{} has charged: its AC is 1 worse this round", title(who));
                Line::new(Detail, text)
            }
            Self::FallsBack { who } => Line::new(Fact, format!("{} falls back", title(who))),
            Self::FellBack { who } => Line::new(Fact, format!("{} takes heart again", title(who))),
            Self::Bleeding { who } => Line::new(Detail, format!("{} is bleeding", title(who))),
            Self::Bound { who } => {
                Line::new(Fact, format!("{} is bound: no more blood", title(who)))
            }
            Self::SurpriseLasts { segments: n @ 1.. } => {
                Line::new(Detail, format!("Surprise lasts for {}", segments(*n)))
            }
            Self::SurpriseLasts { .. }
            | Self::Opened
            | Self::Spent { .. }
            | Self::Braced { .. }
            | Self::CastEnded { .. }
            | Self::Turned { .. } => None,
        }
    }

    fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match self {
            Self::Spoiled { who, .. } => Cue::of(Bad, *who, "loses the spell"),
            Self::Braced { who } => Cue::of(Defense, *who, "spear set"),
            Self::FallsBack { who } => Cue::of(Bad, *who, "afraid"),
            Self::Bleeding { who } => Cue::of(Bad, *who, "bleeds"),
            Self::Bound { who } => Cue::of(Good, *who, "bound"),
            _ => None,
        }
    }
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
    let (round, segment) = ((moment - 1) / 10 + 1, (moment - 1) % 10 + 1);
    format!("segment {segment} of round {round}")
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

/// "Acting: the party in segment 1, the goblins in segment 6, tobin in segment 4".
fn told_initiative(names: &Names, sides: &[u8], apart: &[(Id, u8)]) -> String {
    let acts = sides.iter().enumerate().filter(|s| *s.1 > 0);
    let mut parts: Vec<String> = acts
        .map(|(n, segment)| format!("{} in segment {segment}", names.side_in_line(Side(n as u8))))
        .collect();
    let alone = |(who, segment): &(Id, u8)| format!("{} in segment {segment}", names.name(*who));
    parts.extend(apart.iter().map(alone));
    format!("Acting: {}", parts.join(", "))
}
