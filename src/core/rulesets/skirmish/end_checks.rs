//! What follows when units fall or arrive: holds that end, and morale (SK-60).

use super::{Skirmish, grapple, query::SkirmishQuery};
use crate::{
    battle::{CheckRoll, DiceBox, Fallen, Id, Roll, Rule, Shaken, Side, StepOutcome},
    content::Dice,
    rulesets::common::{
        damage::Odds,
        end_checks::{EndCheckHooks, Morale, end_checks, occasions},
        flee::takes_flight,
    },
};

end_checks!(Skirmish);

impl EndCheckHooks for Skirmish {
    const FALLEN: Fallen = Fallen::MayRise;

    fn follows(sk: &SkirmishQuery, outcome: &mut StepOutcome) {
        grapple::lapse(sk, outcome);
        occasions::<Self>(sk, outcome);
    }
}

impl Morale for Skirmish {
    const MORALE: Rule = "SK-60";

    /// A side whose units are all unaware does not know of it yet (SK-56).
    fn is_aware(sk: &SkirmishQuery, side: Side) -> bool {
        !sk.view.standing(side).all(|id| sk.is_unaware(id))
    }

    fn check(sk: &SkirmishQuery, who: Id, _: Shaken, dice: &mut DiceBox) -> Option<CheckRoll> {
        let score = sk.view.creature(who).morale?;
        // Hidden units have seen nothing that would shake them.
        if sk.body(who).flees || sk.is_unaware(who) || sk.stance(who).hidden {
            return None;
        }
        let roll = Roll::thrown(Dice::new(2, 6, 0), "", "SK-60", dice);
        let holds = roll.total() <= score;
        let check = CheckRoll::by(who, "morale", roll);
        Some(check.against(score).passed(holds))
    }

    fn fails(sk: &SkirmishQuery, who: Id, _: &CheckRoll, outcome: &mut StepOutcome) -> bool {
        takes_flight::<Self>(sk, who, outcome)
    }
}

impl SkirmishQuery<'_, '_> {
    /// The chance that a unit fails a morale check (SK-60). `None` for units that never check.
    pub fn breaks(&self, who: Id) -> Option<Odds> {
        self.view.creature(who).morale.map(fails_at)
    }
}

/// The chance to fail a morale check with this score (SK-60).
pub fn fails_at(score: i32) -> Odds {
    Odds::of_sum(2, 6, |sum| sum > score)
}
