//! Chi speed (AC-25) and chi defense.

use super::row::*;
use crate::content::Condition;
use crate::rulesets::activity::{
    chi::Quicken,
    declared::{CHI_DEFENSE, CHI_SPEED},
    state::Lasts,
};
use crate::rulesets::common::conditions::{TimesConditions, begins};
use std::sync::Arc;

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        CHI_SPEED: 'k' "Chi speed" Run, "A maneuver, 20% of the round. Success: 200% next round.",
            PLAN, LAST_RESORT;
        CHI_DEFENSE: 'z' "Chi guard" Defend, "A maneuver, 20% of the round, for a better DB.",
            PLAN, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| matches!(kind, ActionKind::ChiSpeed | ActionKind::ChiDefense),
        cost: |ac, _, _| ac.tables().costs.chi,
        begin: Begin::Plain(|ac, who, planned, doing| {
            if planned.kind == ActionKind::ChiSpeed {
                doing.casts.push(Quicken { who });
                return;
            }
            let condition = Arc::new(Condition {
                id: "chi_defense".into(),
                name: "warded".into(),
                defense: ac.tables().chi_defense / Activity::POINT,
                ..Condition::default()
            });
            let began = begins::<Activity>(ac, (who, None), who, &condition, 1);
            doing.effects.emit("AC-01", began);
        }),
    },
    offers: |ac, who, out| {
        if ac.has(who, Talent::Chi) {
            let spent = ac.actor(who).has(Lasts::ChiSpent);
            let legal = Why::new("AC-25", "chi speed only every other round").when(spent);
            fixed(ac, Choice::new(&CHI_SPEED, who), legal, out);
            fixed(ac, Choice::new(&CHI_DEFENSE, who), Ok(()), out);
        }
    },
    begin: |_, choice| match choice.verb == &CHI_SPEED {
        true => ActionKind::ChiSpeed,
        false => ActionKind::ChiDefense,
    },
};
