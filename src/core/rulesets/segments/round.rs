//! The round: declarations, initiative, ten segments, its end (SE-01).

use super::{
    Segments,
    end_checks::EndChecks,
    events::SegmentsEvent,
    query::SegmentsQuery,
    segment::{Phase, SegmentEnd},
    spells::{Due, lapse},
    state::Intent,
};
use crate::rulesets::common::bleed;
use crate::rulesets::common::declare::{Declaring, sides_in_turn};
use crate::rulesets::{
    common::{initiative::side_dice, leave::Arrivals},
    segments::numbers,
};
use crate::{
    battle::{DiceBox, EventKind, FirstMove, Id, StepOutcome, end_round},
    system_step,
};
use bevy_ecs::system::{In, Res, ResMut};

system_step! {
    /// SE-01: starts a round. Declarations are cleared and reinforcements arrive.
    pub struct RoundStart => round_start
}

fn round_start(In(_): In<RoundStart>, se: SegmentsQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let round = se.clock.round + 1;
    let mut outcome = StepOutcome::default()
        .and("SE-01", EventKind::RoundBegan { round })
        .and("SE-01", SegmentsEvent::Opened);
    let now = i32::from(se.clock.round) * numbers::ROUND;
    lapse(&se, now, &mut dice, &mut outcome);
    outcome.push(Arrivals::<Segments>::of());
    // SE-21: sides without a player declare first.
    for side in sides_in_turn(&se.view) {
        outcome.push(Declaring::<Segments>::of(side));
    }
    outcome.then(Initiative).then(NextSegment)
}

system_step! {
    /// SE-30: rolls a d6 for each side; the roll is the segment in which the other side acts.
    struct Initiative => initiative
}

fn initiative(
    In(_): In<Initiative>,
    se: SegmentsQuery,
    first: Option<Res<FirstMove>>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let of = (&se.view, se.clock.round, "SE-30");
    let rolls = side_dice(of, first.as_deref(), &mut dice, &mut outcome);
    let sides = segments(&rolls);
    let (mut due, mut apart) = (vec![], vec![]);
    for side in se.view.roster.sides() {
        let segment = sides[side.index()];
        for who in se.view.standing(side).filter(|&id| acts(&se, id)) {
            let own = sooner(&se, who, segment);
            due.push((who, own));
            if own != segment {
                apart.push((who, own));
            }
        }
    }
    let rule = if apart.is_empty() { "SE-30" } else { "SE-31" };
    outcome.and(rule, SegmentsEvent::Initiative { sides, due, apart })
}

/// Each side's segment from the initiative rolls: the best roll gets the lowest number, and so on,
/// so that two sides get each other's roll (SE-30). Equal rolls get equal segments (SE-32). 0 for a
/// side that did not roll.
pub fn segments(rolls: &[Option<u16>]) -> Vec<u8> {
    let mut low: Vec<u16> = rolls.iter().flatten().copied().collect();
    low.sort_unstable();
    let better = |roll: u16| low.iter().filter(|r| **r > roll).count();
    let segment = |roll: &Option<u16>| roll.map_or(0, |r| low[better(r)] as u8);
    rolls.iter().map(segment).collect()
}

/// Whether the unit acts this round: it has declared an action, or is afraid.
fn acts(se: &SegmentsQuery, who: Id) -> bool {
    let f = se.fighter(who);
    let wants = f.intent.is_some() || se.is_afraid(who);
    wants && f.casting.is_none() && !se.view.is_held(who)
}

/// SE-31: the missile bonus moves a unit that declared missiles to an earlier segment (a penalty:
/// later) if it has a missile weapon ready, in a hand or as part of its body.
fn sooner(se: &SegmentsQuery, who: Id, segment: u8) -> u8 {
    let mut weapons = se.inventory(who).ready();
    let ready = weapons.any(|item| se.weapon(item).ranged.is_some());
    let f = se.fighter(who);
    if !ready || se.is_afraid(who) || f.intent != Some(Intent::Missiles) {
        return segment;
    }
    let own = i32::from(segment) - se.stats(who).missile;
    own.clamp(1, numbers::ROUND) as u8
}

system_step! {
    /// Advances to the next segment in which an action or a spell is due (SE-33).
    struct NextSegment => next_segment
}

fn next_segment(
    In(_): In<NextSegment>,
    se: SegmentsQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let first = (i32::from(se.clock.round) - 1) * numbers::ROUND;
    let after = |n: i32| n > i32::from(se.clock.segment) && n <= numbers::ROUND;
    let acts = se.view.ids().filter(|&id| se.can_act(id));
    let acts = acts.map(|id| i32::from(se.fighter(id).due));
    let spells = se.view.ids().filter_map(|id| se.casting(id));
    let spells = spells.map(|c| c.ready - first);
    let Some(segment) = acts.chain(spells).filter(|&n| after(n)).min() else {
        return StepOutcome::default().then(RoundEnd);
    };
    let segment = segment as u8;
    let is_rolled = segment <= numbers::LAST_ROLLED;
    let rule = if is_rolled { "SE-01" } else { "SE-33" };
    let began = SegmentsEvent::SegmentBegan { segment };
    let mut outcome = StepOutcome::default().and(rule, began);
    lapse(&se, first + i32::from(segment), &mut dice, &mut outcome);
    outcome
        .then(Due { poll: None })
        .then(EndChecks)
        .then(Phase { further: false })
        .then(Phase { further: true })
        .then(SegmentEnd)
        .then(NextSegment)
}

system_step! { struct RoundEnd => round_end }

fn round_end(In(_): In<RoundEnd>, se: SegmentsQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    bleed::bleed::<Segments>(&se, &mut outcome);
    end_round(&se.view, "SE-01", &mut outcome);
    outcome.then(EndChecks).then(RoundStart)
}
