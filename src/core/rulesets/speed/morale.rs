//! Morale checks of monsters (SP-30).

use super::{
    Speed,
    query::{SpeedQuery, numbers},
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{CheckRoll, DiceBox, EventKind, Id, Modifier, Roll, StepOutcome},
    rulesets::common::flee::takes_flight,
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// Every monster with a reason checks morale at the end of a round. All checks use the
    /// state before this step: units that break now still count as allies.
    pub struct Morale => morale
}

fn morale(In(_): In<Morale>, sp: SpeedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in sp.view.ids() {
        if !sp.is_up(who) || sp.body(who).flees {
            continue;
        }
        let Some(check) = sp.morale(who) else {
            continue;
        };
        if check.hopeless {
            let why = "it is hopeless".into();
            outcome.emit("SP-30", EventKind::Stopped { who, why });
            takes_flight::<Speed>(&sp, who, &mut outcome);
            continue;
        }
        dice.roll_for(who);
        let roll = Roll {
            dice: (0..3).map(|_| (6, dice.roll(6))).collect(),
            modifiers: check.modifiers,
        };
        let passed = roll.total() >= check.against;
        CheckRoll::by(who, "morale", roll).emit("SP-30", check.against, passed, &mut outcome);
        if !passed {
            takes_flight::<Speed>(&sp, who, &mut outcome);
        }
    }
    outcome
}

/// A morale check before its dice are rolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub modifiers: Vec<Modifier>,
    pub against: i32,
    /// Whether the check fails without a roll.
    pub hopeless: bool,
}

impl SpeedQuery<'_, '_> {
    /// The morale check that the unit must make now. `None` for heroes, fearless units and
    /// units without a reason.
    pub fn morale(&self, who: Id) -> Option<Check> {
        let creature = self.view.creature(who);
        creature.morale?;
        let (fighter, side) = (self.fighter(who), self.side(who));
        let allies: Vec<Id> = self.view.standing(side).filter(|&id| id != who).collect();
        let opponents = self.view.enemies(side).count();
        let outnumbered = opponents > allies.len() + 1;
        if !fighter.hit_hard && !outnumbered && fighter.intimidated.is_none() {
            return None;
        }
        let mut own = allies.iter().chain([&who]);
        let hurt = own.any(|&id| self.fighter(id).hurt_a_foe);
        let parts = [
            (self.modifier(who, Ability::Insight), "Insight"),
            (self.stats(who).hit_dice, "HD"),
            (allies.len() as i32, "allies"),
        ];
        let against = (fighter.hit_hard || outnumbered).then_some(11 + opponents as i32);
        let against = against.max(fighter.intimidated);
        Some(Check {
            modifiers: Modifier::list("SP-30", parts)
                .chain(Modifier::list("OP-03", [(fighter.steady, "handicap")]))
                .chain(self.concussed(who))
                .collect(),
            against: against.unwrap_or(0),
            hopeless: !hurt && opponents >= numbers().hopeless * (allies.len() + 1),
        })
    }
}
