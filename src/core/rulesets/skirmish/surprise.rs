//! Which units are surprised before the battle begins, and the free round of their enemies (SK-03).

use super::{
    Skirmish,
    checks::Check,
    end_checks::EndChecks,
    pending_checks::{self, CheckOutcome, PendingCheck},
    query::SkirmishQuery,
    round::{self, Initiative, Squeeze, TurnStart},
    stance::StanceEvent,
};
use crate::rulesets::common::{hiding::take_places, surprise};
use crate::{
    battle::{DiceBox, Id, Side, StepOutcome},
    content::{Attribute, Skill},
    levels::{Approach, Awareness, Surprise},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// The first step of a battle: hidden units take their places, known only to their own side.
    pub struct Begin => begin
}

fn begin(In(_): In<Begin>, sk: SkirmishQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    take_places::<Skirmish>(&sk, &mut outcome);
    outcome.then(Opening)
}

system_step! { struct Opening => open }

/// Decides which units are surprised: as the level says, or by checks. Alert units are surprised
/// only by hidden enemies.
fn open(In(_): In<Opening>, sk: SkirmishQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut caught: Vec<Id> = vec![];
    let (mut unsure, mut checks) = (vec![], vec![]);
    match &sk.view.level().surprise {
        Surprise::None => return outcome.then(Initiative),
        Surprise::Caught(sides) => {
            for side in sides.iter().map(|&s| Side::from(s)) {
                let hidden = sk.view.enemies(side).any(|id| sk.stance(id).hidden);
                caught.extend(catchable(&sk, side, hidden, &mut outcome));
            }
        }
        Surprise::Check { by, how, against } => {
            let by = Side::from(*by);
            let hidden = sk.view.standing(by).any(|id| sk.stance(id).hidden);
            let Some(theirs) = best(&sk, by, |id| approach(&sk, id, *how)) else {
                return outcome.then(Initiative);
            };
            for side in against.iter().map(|&s| Side::from(s)) {
                let members = catchable(&sk, side, hidden, &mut outcome);
                let notice = |id| sk.check(id, "notice", &[Attribute::Wis], &[Skill::Notice]);
                let Some(mine) = best(&sk, side, notice).filter(|_| !members.is_empty()) else {
                    continue;
                };
                let theirs = theirs.clone();
                checks.push(PendingCheck::each("SK-03", theirs, vec![mine], &mut dice));
                unsure.push(members);
            }
        }
    }
    pending_checks::log_and_open(checks, outcome, Noticed { caught, unsure })
}

/// The result of the checks, if there were any.
#[derive(Clone, Debug)]
struct Noticed {
    caught: Vec<Id>,
    /// For each check, the units that are surprised if the check against their side succeeds.
    unsure: Vec<Vec<Id>>,
}

impl CheckOutcome for Noticed {
    /// No Instants here: no unit can act yet.
    const ALLOWS_INSTANTS: bool = false;

    fn resolved(self, _: &SkirmishQuery, checks: &[PendingCheck], _: &mut DiceBox) -> StepOutcome {
        let Self { mut caught, unsure } = self;
        let outcome = StepOutcome::default();
        let lost = std::iter::zip(unsure, checks).filter(|(_, pending)| pending.passed());
        caught.extend(lost.flat_map(|(members, _)| members));
        if caught.is_empty() {
            return outcome.then(Initiative);
        }
        caught.sort();
        outcome
            .and("SK-03", StanceEvent::Surprised { who: caught })
            .then(FreeRound)
    }
}

/// The units of a side that can be surprised now. Logs it if there is none.
fn catchable(
    sk: &SkirmishQuery,
    side: Side,
    by_hidden: bool,
    outcome: &mut StepOutcome,
) -> Vec<Id> {
    let unready = |id: &Id| {
        let combatant = &sk.view.level().combatants[id.index()];
        by_hidden || combatant.awareness != Awareness::Alert
    };
    let members: Vec<Id> = sk.view.standing(side).filter(unready).collect();
    if members.is_empty() && sk.view.standing(side).next().is_some() {
        outcome.emit("SK-03", StanceEvent::Expected { side });
    }
    members
}

fn approach(sk: &SkirmishQuery, id: Id, how: Approach) -> Check {
    match how {
        Approach::Stealth => sk.check(id, "stealth", &[Attribute::Dex], &[Skill::Sneak]),
        Approach::Force => sk.check(id, "force", &[Attribute::Str], &[Skill::Exert]),
    }
}

/// The check of a side's best unit.
fn best(sk: &SkirmishQuery, side: Side, check: impl Fn(Id) -> Check) -> Option<Check> {
    surprise::best(sk.view.standing(side).map(check), |check| check.bonus())
}

system_step! {
    /// A whole round for every side with no surprised units: the player's side first, then in the
    /// level's order. It counts for no objective.
    struct FreeRound => free_round
}

fn free_round(In(_): In<FreeRound>, sk: SkirmishQuery) -> StepOutcome {
    let is_free = |side: &Side| !sk.view.standing(*side).any(|id| sk.stance(id).surprised);
    let mut sides: Vec<Side> = sk.view.roster.sides().filter(is_free).collect();
    sides.sort_by_key(|s| !sk.view.roster.sides[s.index()].player);
    let mut outcome = StepOutcome::default();
    for side in sides {
        outcome.push(TurnStart { side });
    }
    outcome.then(Squeeze).then(FreeRoundEnd)
}

system_step! { struct FreeRoundEnd => free_round_end }

fn free_round_end(In(_): In<FreeRoundEnd>, sk: SkirmishQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    round::close(&sk, &mut outcome);
    outcome
        .and("SK-03", StanceEvent::SurpriseEnds)
        .then(EndChecks)
        .then(Initiative)
}
