//! Surprise, checked once before the first round (SE-10 to SE-14).

use super::{
    end_checks::EndChecks,
    events::SegmentsEvent,
    query::SegmentsQuery,
    round::RoundStart,
    segment::{Phase, SegmentEnd},
    spells::{Due, lapse},
};
use crate::rulesets::segments::numbers;
use crate::{
    battle::{CheckRoll, DiceBox, Id, Roll, Side, StepOutcome},
    levels::{SideIx, Surprise},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// The first step of a battle: which units are surprised, and for how long.
    pub struct Begin => begin
}

fn begin(In(_): In<Begin>, se: SegmentsQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut longest = 0;
    for side in se.view.roster.sides() {
        if se.view.standing(side).next().is_none() {
            continue;
        }
        let segments = match known(&se, side) {
            Some(segments) => segments,
            None => rolled(&se, side, &mut dice, &mut outcome),
        };
        outcome.emit("SE-10", SegmentsEvent::Surprised { side, segments });
        for who in se.view.standing(side) {
            let own = surprise_of(&se, who, segments);
            longest = longest.max(own);
            if own != segments {
                let can_be = se.stats(who).surprised;
                let rule = if can_be { "SE-13" } else { "SE-11" };
                outcome.emit(rule, SegmentsEvent::SurprisedAlone { who, segments: own });
            }
        }
    }
    outcome.emit("SE-12", SegmentsEvent::SurpriseLasts { segments: longest });
    outcome.then(SurpriseSegment { segment: 1 })
}

/// A side's segments of surprise if no roll is needed; `None` if the side must roll. 0 if the side
/// is alerted to all other sides (SE-10) or the level has it surprise them; [`numbers::CAUGHT`] if
/// the level has it surprised.
fn known(se: &SegmentsQuery, side: Side) -> Option<u8> {
    let level = se.view.level();
    let ix = SideIx(side.0);
    let alerted = &level.side(ix).alerted_to;
    let others = || se.view.roster.sides().filter(|s| *s != side);
    let present = |s: &Side| se.view.standing(*s).next().is_some();
    let mut here = others().filter(present);
    if here.all(|s| alerted.contains(&SideIx(s.0))) {
        return Some(0);
    }
    match &level.surprise {
        Surprise::None => None,
        Surprise::Caught(sides) if sides.contains(&ix) => Some(numbers::CAUGHT),
        Surprise::Caught(_) => Some(0),
        Surprise::Check { against, .. } if against.contains(&ix) => None,
        Surprise::Check { .. } => Some(0),
    }
}

/// SE-10, SE-11: rolls 1d6 for a side; it is surprised on a roll up to its stealthiest enemy's
/// number.
fn rolled(se: &SegmentsQuery, side: Side, dice: &mut DiceBox, outcome: &mut StepOutcome) -> u8 {
    let enemies = se.view.enemies(side).map(|enemy| se.stats(enemy).surprises);
    let most = enemies.max().unwrap_or(2);
    let value = dice.roll(6);
    let rule = if most == 2 { "SE-10" } else { "SE-11" };
    let what = format!("surprised on 1 to {most}");
    let roll = Roll::one(6, value, vec![]);
    outcome.emit(rule, CheckRoll::of(side, what, roll));
    let surprised = i32::from(value) <= most;
    if surprised { value as u8 } else { 0 }
}

/// SE-13: a bonus cancels segments of surprise and a penalty adds some, but only for a unit that is
/// surprised.
fn surprise_of(se: &SegmentsQuery, who: Id, segments: u8) -> u8 {
    let stats = se.stats(who);
    if segments == 0 || !stats.surprised {
        return 0;
    }
    (i32::from(segments) - stats.surprise).max(0) as u8
}

system_step! {
    /// SE-12: in each surprise segment, the units act that are not, or no longer, surprised.
    struct SurpriseSegment { segment: u8 } => surprise_segment
}

fn surprise_segment(
    In(SurpriseSegment { segment }): In<SurpriseSegment>,
    se: SegmentsQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    if segment > se.clock.surprise {
        return StepOutcome::default().then(RoundStart);
    }
    let able = |id: &Id| {
        let f = se.fighter(*id);
        se.can_act(*id) && f.surprised < segment && f.casting.is_none()
    };
    let act: Vec<Id> = se.view.ids().filter(able).collect();
    let rule = if act.is_empty() { "SE-12" } else { "SE-14" };
    let began = SegmentsEvent::SurpriseSegment { segment, act };
    let mut outcome = StepOutcome::default().and(rule, began);
    let next = SurpriseSegment {
        segment: segment + 1,
    };
    let now = i32::from(segment) - i32::from(se.clock.surprise);
    lapse(&se, now, &mut dice, &mut outcome);
    outcome
        .then(Phase { further: false })
        // A one-segment spell is complete as the segment ends (SE-14).
        .then(Due { poll: None })
        .then(EndChecks)
        .then(SegmentEnd)
        .then(next)
}
