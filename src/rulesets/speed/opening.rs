//! How a battle begins: who is surprised, then initiative (SP-01, SP-02).

use super::{
    events::SpeedEvent,
    round::{Initiative, RoundStart, surprised},
    sp::Sp,
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{CheckRoll, DiceBox, Id, Roll, Side, StepOutcome},
    content::Skill,
    levels::{Approach, Awareness, Surprise},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// The first step of a battle.
#[derive(Clone, Debug)]
pub struct Begin;
system_step!(Begin, begin);

/// SP-01: the unaware are surprised for round one, and with them those whom
/// the level says are caught. Who expects a fight is surprised only by the
/// hidden.
fn begin(In(_): In<Begin>, sp: Sp, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let caught = caught(&sp, &mut dice, &mut outcome);
    let here: Vec<Id> = sp.view.ids().filter(|&id| sp.is_up(id)).collect();
    for &id in &here {
        // What one suffers from as the battle begins is told.
        for &ailment in &sp.fighter(id).ailments {
            outcome.emit("SP-32", SpeedEvent::Afflicted { who: id, ailment }.event());
        }
        let combatant = |id: Id| &sp.view.level().combatants[id.index()];
        let side = sp.side(id);
        let hidden = || sp.view.foes(side).any(|foe| combatant(foe).hidden);
        let is_caught = match combatant(id).awareness {
            Awareness::Unaware => true,
            Awareness::Ready => caught.contains(&side),
            Awareness::Alert => caught.contains(&side) && hidden(),
        };
        if is_caught {
            outcome.emit("SP-01", surprised(id));
        }
    }
    outcome.then(Initiative(here)).then(RoundStart)
}

/// The sides that are caught: told by the level, or by a check of the best of
/// one side against the best of each other.
fn caught(sp: &Sp, dice: &mut DiceBox, outcome: &mut StepOutcome) -> Vec<Side> {
    let (by, how, against) = match &sp.view.level().surprise {
        Surprise::None => return vec![],
        Surprise::Caught(sides) => return sides.iter().map(|&s| s.into()).collect(),
        Surprise::Check { by, how, against } => (*by, *how, against),
    };
    let (what, skill, ability) = match how {
        Approach::Stealth => ("stealth", Skill::Sneak, Ability::Agility),
        Approach::Force => ("force", Skill::Exert, Ability::Strength),
    };
    let mut roll = |side: Side, what: &'static str, skill, ability| -> Option<(Id, Roll)> {
        let members = sp.view.standing(side);
        let checks = members.map(|id| sp.check(id, what, Some(skill), ability, "SP-01"));
        let best = checks.rev_max()?;
        let roll = best.roll(dice);
        Some((best.who, roll))
    };
    let Some((attacker, mine)) = roll(by.into(), what, skill, ability) else {
        return vec![];
    };
    let target = mine.total();
    let log_text = |who, what: &'static str, roll, against, passed| {
        CheckRoll::by(who, what, roll)
            .against(against)
            .passed(passed)
            .event()
    };
    let mut out = vec![];
    let mut lines = vec![log_text(attacker, what, mine, None, None)];
    for &side in against {
        let Some((who, theirs)) = roll(side.into(), "notice", Skill::Notice, Ability::Perception)
        else {
            continue;
        };
        let notices = theirs.total() >= target;
        lines.push(log_text(who, "notice", theirs, Some(target), Some(notices)));
        if !notices {
            out.push(side.into());
        }
    }
    lines
        .into_iter()
        .for_each(|line| outcome.emit("SP-01", line));
    out
}

/// The best of some checks; the first of equals.
trait Best {
    fn rev_max(self) -> Option<super::checks::Check>;
}

impl<I: Iterator<Item = super::checks::Check>> Best for I {
    fn rev_max(self) -> Option<super::checks::Check> {
        self.reduce(|best, next| {
            if next.bonus() > best.bonus() {
                next
            } else {
                best
            }
        })
    }
}
