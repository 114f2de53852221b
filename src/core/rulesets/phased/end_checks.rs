//! Checks after units fall or arrive: the end of the battle and, at the end of a round, morale
//! (PH-60).

use super::{Phased, concentration, query::PhasedQuery};
use crate::{
    battle::{CheckRoll, DiceBox, Fallen, Id, Modifier, Roll, Rule, Shaken, StepOutcome},
    content::Dice,
    rulesets::common::{
        damage::Odds,
        end_checks::{EndCheckHooks, Morale, end_checks, occasions},
        flee::takes_flight,
    },
    system_step,
};
use bevy_ecs::system::In;

end_checks!(Phased);

impl EndCheckHooks for Phased {
    const FALLEN: Fallen = Fallen::StayDown;
}

system_step! {
    /// PH-60, at the end of a round: which sides have reason to check morale. A unit rolls once,
    /// however many reasons the round brought.
    pub struct Occasions => end_of_round
}

fn end_of_round(In(_): In<Occasions>, ph: PhasedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    occasions::<Phased>(&ph, &mut outcome);
    outcome
}

impl Morale for Phased {
    const MORALE: Rule = "PH-60";

    fn check(ph: &PhasedQuery, who: Id, _: Shaken, dice: &mut DiceBox) -> Option<CheckRoll> {
        let base = ph.view.creature(who).morale?;
        // A hidden unit ignores the events that shake its side.
        if ph.body(who).flees || ph.fighter(who).hidden {
            return None;
        }
        let score = ph.morale(who).unwrap_or(base);
        let roll = Roll::thrown(Dice::new(2, 6, 0), "", "PH-60", dice);
        let holds = roll.total() <= score;
        let what = match score - base {
            0 => String::from("morale"),
            more => format!("morale {base} and {more} for its hit dice"),
        };
        Some(CheckRoll::by(who, what, roll).against(score).passed(holds))
    }

    fn fails(ph: &PhasedQuery, who: Id, _: &CheckRoll, outcome: &mut StepOutcome) -> bool {
        let flees = takes_flight::<Self>(ph, who, outcome);
        // A fleeing unit cannot concentrate (PH-20).
        if flees {
            concentration::breaks(ph, who, outcome);
        }
        flees
    }
}

/// Rolls 2d6 and adds a labelled modifier.
pub fn two_d6(dice: &mut DiceBox, value: i32, label: &'static str) -> Roll {
    let mut roll = Roll::thrown(Dice::new(2, 6, 0), "", "PH-04", dice);
    roll.modifiers
        .push(Modifier::new(value as i16, label, "PH-04"));
    roll
}

impl PhasedQuery<'_, '_> {
    /// The chance that a unit fails a morale check (PH-60). `None` for units that never check.
    pub fn breaks(&self, who: Id) -> Option<Odds> {
        let score = self.morale(who)?;
        Some(Odds::of_sum(2, 6, |sum| sum > score))
    }
}
