//! The start of a battle: surprise, then initiative (SP-01, SP-02).

use super::{
    Speed,
    events::SpeedEvent,
    query::SpeedQuery,
    round::{Initiative, RoundStart, surprised},
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{CheckRoll, DiceBox, Id, Rule, Side, StepOutcome},
    content::Skill,
    levels::Approach,
    rulesets::common::surprise::{Surprises, best, caught},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// The first step of a battle.
    pub struct Begin => begin
}

/// Unaware units, and units that the level marks as caught, are surprised in round one (SP-01).
/// Units that expect a fight are surprised only by hidden enemies.
fn begin(In(_): In<Begin>, sp: SpeedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let caught = caught::<Speed>(&sp, &mut dice, &mut outcome);
    let here: Vec<Id> = sp.view.ids().filter(|&id| sp.is_up(id)).collect();
    for &id in &here {
        // Log the conditions that units start with.
        for &ailment in &sp.fighter(id).ailments {
            outcome.emit("SP-32", SpeedEvent::Afflicted { who: id, ailment });
        }
        if caught.contains(&id) {
            outcome.emit("SP-01", surprised(id));
        }
    }
    outcome.then(Initiative(here)).then(RoundStart)
}

impl Surprises for Speed {
    const NOTICED: Rule = "SP-01";

    fn check(
        sp: &SpeedQuery,
        side: Side,
        approach: Option<Approach>,
        dice: &mut DiceBox,
    ) -> Option<CheckRoll> {
        let (what, skill, ability) = match approach {
            Some(Approach::Stealth) => ("stealth", Skill::Sneak, Ability::Agility),
            Some(Approach::Force) => ("force", Skill::Exert, Ability::Strength),
            None => ("notice", Skill::Notice, Ability::Perception),
        };
        let members = sp.view.standing(side);
        let checks = members.map(|id| sp.check(id, what, Some(skill), ability, "SP-01"));
        let best = best(checks, |check| check.bonus())?;
        Some(CheckRoll::by(best.who, what, best.roll(dice)))
    }
}
