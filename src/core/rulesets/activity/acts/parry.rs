//! Parrying missiles: nothing happens at its count, it meets those that come
//! (AC-22).

use super::{Act, Begin, fixed};
use crate::{
    battle::{Choice, Why},
    rulesets::activity::{content::Talent, declared::PARRY_MISSILE, state::Deed},
};

pub(super) const ACT: Act = Act {
    declared: &PARRY_MISSILE,
    deed: |_, _| Deed::ParryMissile,
    is: |deed| deed == Deed::ParryMissile,
    cost: |ac, _, _| ac.tables().costs.parry_missile,
    offers: |ac, who, out| {
        let parries = ac.has(who, Talent::MissileDeflection) || ac.gear(who).shield;
        let legal = parries.then_some(()).ok_or(Why::new(
            "AC-22",
            "needs a shield or the talent to deflect missiles",
        ));
        fixed(ac, Choice::new(&PARRY_MISSILE, who), legal, out);
    },
    begin: Begin::Plain(|_, _, _, _| {}),
};
