//! Charging: a straight run into an attack (AC-21).

use super::{CountActions, doing::AttackSpec, row::*, strike::attack};
use crate::rulesets::activity::{
    charge::{charge_lane, charges},
    declared::CHARGE,
    movement,
};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        CHARGE: 'c' "Charge" Charge (plain, last), "Run straight for 25 ft or more, then attack: +2 OB per 5 ft.",
            PLAN, LAST_RESORT;
        targets::CHARGE: 'c' "Charge" Charge (plain), "Run straight for 25 ft or more, then attack: +2 OB per 5 ft.",
            Chances::Attack(|ac, choice| choice.to.map(|_| attacks_of::planned_attack(ac, choice))), |eval, offer| eval.attack(&offer.choice) - 30 * offer.provoked.count_ones() as i32;
    },
    when: ActionRules {
        is: |kind| kind == ActionKind::Charge,
        cost: |ac, _, _| ac.tables().costs.melee.1,
        begin: Begin::Aimed {
            targets: |ac, who, planned| charges(ac, who, planned.percent),
            begin,
        },
    },
    offers: |ac, who, out| {
        let charge_lane = ac.percent_of(who, ac.tables().charge_least);
        let least = ac.tables().costs.melee.0 + charge_lane;
        spanning(ac, who, &CHARGE, least, ac.actor(who).capacity, out);
    },
    begin: |_, _| ActionKind::Charge,
};

fn begin(ac: &ActivityQuery, planned: &PlannedAction, choice: &Choice, doing: &mut CountActions) {
    let (who, percent) = (choice.actor(), planned.percent);
    let enemy = choice.at.expect("a charge has a target");
    let to = choice.to.expect("a charge has an end");
    let path = charge_lane(ac, who, enemy, u16::MAX).to(to);
    let feet = ac.feet(who, percent - ac.tables().costs.melee.0, false);
    let attack = attack(ac, choice, percent);
    let mover = movement::charger(ac, &attack, feet, path);
    doing.movers.push(mover);
    doing.specs.push(AttackSpec::AfterCharge {
        choice: choice.clone(),
        percent,
        moved: ac.actor(who).moved,
    });
}
