//! The worth of attacks, the unit's own and its enemies'.

use super::{Evaluation, OWN_LIFE};
use crate::{
    battle::Id,
    rulesets::{
        common::{
            ai::{QuickAi, worth_of_hit},
            gear::price_of_throwing,
        },
        segments::{Segments, odds::Forecast, query::SegmentsQuery, state::AttackSpec},
    },
};

/// The worth of a hit: damage, a drop, a spoiled spell.
pub(super) fn worth_of(se: &SegmentsQuery, at: Id, f: &Forecast) -> i32 {
    worth_of_hit(f.hp, &f.damage) + Segments::worth_of_disrupting(se, at)
}

impl Evaluation<'_, '_, '_> {
    /// The worth of an attack in the current position.
    pub(super) fn worth(&self, at: Id, f: &Forecast) -> i32 {
        f.outcomes() as i32 * worth_of(self.state, at, f) / 20
    }

    /// The cost to the unit of an attack on it.
    pub(super) fn loss(&self, f: &Forecast) -> i32 {
        (f.mean_damage_x200() * OWN_LIFE / 200 / f.hp.max(1)).min(OWN_LIFE)
    }

    pub(super) fn blows_worth(&self, blows: &[AttackSpec]) -> i32 {
        let worth = |blow: &AttackSpec| {
            let forecast = self.state.forecast(blow).ok();
            forecast.map_or(0, |f| self.worth(blow.attack.at, &f))
        };
        blows.iter().map(worth).sum()
    }

    /// The worth of missiles, less for the allies that they may hit.
    pub(super) fn shot_worth(&self, blows: &[AttackSpec]) -> i32 {
        let Some(first) = blows.first() else { return 0 };
        let clean = Segments::clean(self.state, self.who, first.attack.at);
        self.blows_worth(blows) * clean / 100 - price_of_throwing(self.view, &first.attack)
    }
}
