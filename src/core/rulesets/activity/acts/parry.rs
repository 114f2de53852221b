//! Missile parry: nothing happens at its count; it counts against missiles that arrive (AC-22).

use super::row::*;
use crate::rulesets::activity::declared::PARRY_MISSILE;

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        PARRY_MISSILE: 'b' "Parry shot" Defend, "Add half your OB to DB against one missile: 50% of the round.",
            PLAN, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| kind == ActionKind::ParryMissile,
        cost: |ac, _, _| ac.tables().costs.parry_missile,
        begin: Begin::Plain(|_, _, _, _| {}),
    },
    offers: |ac, who, out| {
        let parries = ac.has(who, Talent::MissileDeflection) || ac.inventory(who).shield;
        let why = "needs a shield or the talent to deflect missiles";
        let legal = Why::new("AC-22", why).unless(parries);
        fixed(ac, Choice::new(&PARRY_MISSILE, who), legal, out);
    },
    begin: |_, _| ActionKind::ParryMissile,
};
