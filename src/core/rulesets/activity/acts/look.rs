//! Searching for hidden units, with a larger or smaller share of the round (AC-02).

use super::row::*;
use crate::battle::Modifier;
use crate::rulesets::activity::{declared::PERCEIVE, perception::PerceptionRoll};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        PERCEIVE: 'y' "Look" Eye, "Search for hidden enemies: 20 to 60% of the round; −1 per percent below 60.",
            PLAN, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| kind == ActionKind::Perceive,
        cost: |ac, _, _| ac.tables().costs.perception.1,
        begin: Begin::Plain(|ac, who, planned, doing| {
            let full = ac.tables().costs.perception.1;
            let less = (planned.percent - full).min(0) as i16;
            let label = format!("{}% activity", planned.percent);
            let extra = vec![Modifier::new(less, label, "AC-02")];
            doing.casts.push(PerceptionRoll { who, extra });
        }),
    },
    offers: |ac, who, out| {
        let (least, full) = ac.tables().costs.perception;
        spanning(ac, who, &PERCEIVE, least, full, out);
    },
    begin: |_, _| ActionKind::Perceive,
};
