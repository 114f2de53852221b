//! Looking about, with more or less of the round (AC-02).

use super::{Act, Begin, spanning};
use crate::{
    battle::Modifier,
    rulesets::activity::{declared::PERCEIVE, perception::Look, state::Deed},
};

pub(super) const ACT: Act = Act {
    declared: &PERCEIVE,
    deed: |_, _| Deed::Perceive,
    is: |deed| deed == Deed::Perceive,
    cost: |ac, _, _| ac.tables().costs.perception.1,
    offers: |ac, who, out| {
        let (least, full) = ac.tables().costs.perception;
        spanning(ac, who, &PERCEIVE, least, full, out);
    },
    begin: Begin::Plain(|ac, who, planned, doing| {
        let full = ac.tables().costs.perception.1;
        let less = (planned.percent - full).min(0) as i16;
        let label = format!("{}% activity", planned.percent);
        let extra = vec![Modifier::new(less, label, "AC-02")];
        doing.casts.push(Look { who, extra });
    }),
};
