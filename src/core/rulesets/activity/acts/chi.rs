//! Chi: speed (AC-25), and a ward.

use super::{Act, Begin, fixed};
use crate::{
    battle::{Choice, Why},
    content::Condition,
    rulesets::{
        activity::{
            Activity,
            chi::Quicken,
            content::Talent,
            declared::{CHI_DEFENSE, CHI_SPEED},
            state::{Deed, Lasts},
        },
        common::conditions::{Afflicts, begins},
    },
};
use std::sync::Arc;

pub(super) const SPEED: Act = Act {
    declared: &CHI_SPEED,
    deed: |_, _| Deed::ChiSpeed,
    is: |deed| deed == Deed::ChiSpeed,
    cost: |ac, _, _| ac.tables().costs.chi,
    offers: |ac, who, out| {
        if ac.has(who, Talent::Chi) {
            let rested = !ac.actor(who).has(Lasts::ChiSpent);
            let legal = rested
                .then_some(())
                .ok_or(Why::new("AC-25", "chi speed only every other round"));
            fixed(ac, Choice::new(&CHI_SPEED, who), legal, out);
        }
    },
    begin: Begin::Plain(|_, who, _, doing| doing.casts.push(Quicken { who })),
};

pub(super) const DEFENSE: Act = Act {
    declared: &CHI_DEFENSE,
    deed: |_, _| Deed::ChiDefense,
    is: |deed| deed == Deed::ChiDefense,
    cost: |ac, _, _| ac.tables().costs.chi,
    offers: |ac, who, out| {
        if ac.has(who, Talent::Chi) {
            fixed(ac, Choice::new(&CHI_DEFENSE, who), Ok(()), out);
        }
    },
    begin: Begin::Plain(|ac, who, _, doing| {
        let condition = Arc::new(Condition {
            id: "chi_defense".into(),
            name: "warded".into(),
            defense: ac.tables().chi_defense / Activity::POINT,
            ..Condition::default()
        });
        let began = begins::<Activity>(ac, (who, None), who, &condition, 1);
        doing.effects.emit("AC-01", began);
    }),
};
