//! What the actions of a unit's own turn are worth.

use super::{Evaluation, NEVER, attack::value};
use crate::{
    battle::{Choice, MoveEnd},
    rulesets::{
        common::{ai::EndWorth, inventory::price_of_throwing},
        skirmish::{
            acts::{cast, charge_attack},
            forecast::attacks::casts_unhurt,
        },
    },
};

/// How much better than a plain attack a spell with limited castings must be.
const THRIFT: i32 = 120;

impl Evaluation<'_, '_, '_> {
    /// The score of a charge: it uses up the turn and costs 2 AC.
    pub fn charge(&self, choice: &Choice) -> i32 {
        let Some(to) = choice.to else { return NEVER };
        let attack = charge_attack(choice);
        let Ok(forecast) = self.state.forecast_from(&attack, to) else {
            return NEVER;
        };
        let cost = self.provocation_cost() + price_of_throwing(self.view, &attack);
        value(&forecast) + self.place(to) - cost - self.danger(to) / 8
    }

    /// The score of a run: what the unit can do at its end, less what it provokes.
    pub(super) fn run(&self, end: MoveEnd, there: &EndWorth) -> i32 {
        let then = if self.own.strikes { there.offense } else { 0 };
        let price = self.cost_of_provoking(end.provoked) + i32::from(end.feet) / 5;
        there.place + then + self.lurking(end.to, false) - price
    }

    /// The score of disengaging: good for a unit that can't fight here and would be hurt while
    /// leaving.
    pub fn disengage(&self) -> i32 {
        if self.state.fighter(self.who).moves == 0 {
            return NEVER;
        }
        self.stay() - self.offense(self.here) / 3 + self.provocation_cost() / 2
    }

    pub fn aid(&self, choice: &Choice) -> i32 {
        let Some(ally) = choice.at else { return 0 };
        let rounds = i32::from(self.state.fighter(ally).dying.unwrap_or(0));
        200 + rounds * 60 - self.provocation_cost() + self.stay()
    }

    /// The score of a casting (SK-70): its worth on enemies less its harm to allies.
    pub fn cast(&self, choice: &Choice) -> i32 {
        let (sk, who) = (self.state, self.who);
        let (Some(spell), Ok(caught)) = (choice.spell, cast::aim(sk, choice)) else {
            return NEVER;
        };
        let kind = sk.view.spell(spell);
        let mut worth = self.spell_on_all(kind, caught);
        if kind.uses.is_some() {
            worth -= THRIFT;
        }
        worth = worth * casts_unhurt(sk, who).percent() as i32 / 100;
        if worth <= 0 {
            return NEVER;
        }
        worth + self.stay() - self.provocation_cost()
    }
}
