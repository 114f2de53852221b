//! What the actions of a unit's own turn are worth.

use super::{Evaluation, NEVER, attack::value};
use crate::{
    battle::{Choice, MoveEnd},
    rulesets::{
        common::{ai::EndWorth, gear::price_of_throwing},
        skirmish::acts::charge_attack,
    },
};

impl Evaluation<'_, '_, '_> {
    /// The score of a charge: it uses up the turn and costs 2 AC.
    pub(in super::super::super) fn charge(&self, choice: &Choice) -> i32 {
        let Some(to) = choice.to else {
            return NEVER;
        };
        let attack = charge_attack(choice);
        let Ok(forecast) = self.state.forecast_from(&attack, to) else {
            return NEVER;
        };
        let drawn = self.drawn() + price_of_throwing(&self.state.view, &attack);
        value(&forecast) + self.place(to) - drawn - self.danger(to) / 8
    }

    /// The score of a run: what the unit can do at its end, less what it provokes.
    pub(super) fn run(&self, end: MoveEnd, there: &EndWorth) -> i32 {
        let then = if self.own.strikes { there.offense } else { 0 };
        there.place + then - self.price_of_run(end)
    }

    fn price_of_run(&self, end: MoveEnd) -> i32 {
        self.opening(end.provoked) + i32::from(end.feet) / 5 - self.lurking(end.to, false)
    }

    /// The score of disengaging: good for a unit that can't fight here and would be hurt while
    /// leaving.
    pub(in super::super::super) fn disengage(&self) -> i32 {
        let sk = self.state;
        let here = self.here;
        if sk.fighter(self.who).moves == 0 {
            return NEVER;
        }
        let drawn = self.drawn();
        self.stay() - self.offense(here) / 3 + drawn / 2
    }

    pub(in super::super::super) fn aid(&self, choice: &Choice) -> i32 {
        let Some(ally) = choice.at else { return 0 };
        let rounds = i32::from(self.state.fighter(ally).dying.unwrap_or(0));
        let drawn = self.drawn();
        200 + rounds * 60 - drawn + self.stay()
    }
}
