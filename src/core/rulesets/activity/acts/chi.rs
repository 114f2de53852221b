//! Chi speed (AC-25) and chi defense.

use super::{Begin, fixed, row::*};
use crate::{
    battle::{Choice, Why},
    content::Condition,
    rulesets::{
        activity::{
            Activity,
            chi::Quicken,
            content::Talent,
            declared::{CHI_DEFENSE, CHI_SPEED},
            state::{ActionKind, Lasts},
        },
        common::conditions::{TimesConditions, begins},
    },
};
use std::sync::Arc;

pub(super) const SPEED: ActGroup = ActGroup {
    acts: rows! {
        CHI_SPEED: 'k' "Chi speed" Run, "A maneuver, 20% of the round. Success: 200% next round.",
            Chances::Odds(attacks_of::plan), |_, _, _| -1;
    },
    when: ActionCost {
        is: |deed| deed == ActionKind::ChiSpeed,
        cost: |ac, _, _| ac.tables().costs.chi,
        begin: Begin::Plain(|_, who, _, doing| doing.casts.push(Quicken { who })),
    },
    offers: |ac, who, out| {
        if ac.has(who, Talent::Chi) {
            let spent = ac.actor(who).has(Lasts::ChiSpent);
            let legal = Why::new("AC-25", "chi speed only every other round").when(spent);
            fixed(ac, Choice::new(&CHI_SPEED, who), legal, out);
        }
    },
    begin: |_, _| ActionKind::ChiSpeed,
};

pub(super) const DEFENSE: ActGroup = ActGroup {
    acts: rows! {
        CHI_DEFENSE: 'z' "Chi guard" Defend, "A maneuver, 20% of the round, for a better DB.",
            Chances::Odds(attacks_of::plan), |_, _, _| -1;
    },
    when: ActionCost {
        is: |deed| deed == ActionKind::ChiDefense,
        cost: |ac, _, _| ac.tables().costs.chi,
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
    },
    offers: |ac, who, out| {
        if ac.has(who, Talent::Chi) {
            fixed(ac, Choice::new(&CHI_DEFENSE, who), Ok(()), out);
        }
    },
    begin: |_, _| ActionKind::ChiDefense,
};
