//! The worth of attacks, the unit's own and its enemies'.

use super::{Evaluation, OWN_LIFE, SPOIL};
use crate::rulesets::common::attacks::ToHit;
use crate::{
    battle::Id,
    rulesets::{
        common::{
            ai::{Arm, Hit, worth_of_hit},
            gear::price_of_throwing,
        },
        segments::{odds::Forecast, query::SegmentsQuery, state::AttackSpec},
    },
};

/// Sets the attacks of a routine, as they would be with nothing in the way.
pub(super) fn aim(se: &SegmentsQuery, by: Id, at: Id, arm: &mut Arm) {
    let blow = |item| {
        let blow = AttackSpec::new(by, at, item, arm.ranged, "SE-50");
        let plain = se.unobstructed_forecast(&blow);
        Hit {
            faces: 21 - plain.needs(),
            hit: worth_of(se, at, &plain),
            miss: 0,
        }
    };
    arm.blows = match arm.ranged {
        true => vec![blow(arm.item); se.missiles(by, arm.item)],
        false if se.openers(by).contains(&arm.item) => {
            let routine = se.routine(by, arm.item);
            // One forecast serves all attacks with a weapon.
            let alike = routine.chunk_by(|a, b| a == b);
            let blows = alike.flat_map(|same| std::iter::repeat_n(blow(same[0]), same.len()));
            blows.collect()
        }
        false => vec![],
    };
    if arm.ranged {
        arm.adjacent_penalty = None;
    }
}

/// SE-53: percent of a missile's worth that counts, given the other units in the melee that it may
/// hit. Hits on allies count double against it.
pub(super) fn clean_shot(se: &SegmentsQuery, by: Id, at: Id) -> i32 {
    let around = se.melee_around(by, at);
    let all: i32 = around.iter().map(|a| i32::from(a.1)).sum();
    let mine = se.body(by).side;
    let share = |(id, size): &(Id, u16)| {
        let friend = se.body(*id).side == mine;
        i32::from(*size) * if friend { -2 } else { 1 }
    };
    around.iter().map(share).sum::<i32>() * 100 / all.max(1)
}

/// The worth of a hit: damage, a drop, a spoiled spell.
fn worth_of(se: &SegmentsQuery, at: Id, f: &Forecast) -> i32 {
    worth_of_hit(f.hp, &f.damage) + worth_of_caster(se, at)
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
        let clean = clean_shot(self.state, self.who, first.attack.at);
        self.blows_worth(blows) * clean / 100 - price_of_throwing(&self.state.view, &first.attack)
    }
}

/// A hit on a casting unit spoils its spell; a unit that can still cast harmful spells is worth
/// more than one that cannot.
pub(super) fn worth_of_caster(se: &SegmentsQuery, at: Id) -> i32 {
    if se.casting(at).is_some() {
        return SPOIL;
    }
    let harms = |&spell: &crate::battle::SpellId| se.view.spell(spell).effect.harms();
    let left = se.spells(at).filter(harms).count().min(3);
    left as i32 * 40
}
