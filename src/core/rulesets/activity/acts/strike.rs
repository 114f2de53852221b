//! Melee and missile attacks, and their share of the round (AC-01, AC-02).

use super::{doing::AttackSpec, row::*};
use crate::rulesets::activity::{
    charge::{attack_with, charge_after, run_of},
    declared::{MELEE, MISSILE},
    targets::{CHARGE, SHOOT, STRIKE},
};
use crate::{battle::Attack, rulesets::common::inventory::missiles};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        MELEE: 's' "Melee" Strike (plain, last), "Attack for 60 to 100% of the round; −1 OB per percent below 100.",
            PLAN, LAST_RESORT;
        targets::STRIKE: 's' "Strike" Strike (plain), "",
            Chances::Attack(|ac, choice| Some(attacks_of::planned_attack(ac, choice))), |eval, offer| eval.attack(&offer.choice);
        MISSILE: 'h' "Missile" Shoot (plain, last), "Shoot or throw for 30 to 60% of the round; −1 OB per percent below 60. A thrown weapon lands on the ground.",
            PLAN, LAST_RESORT;
        targets::SHOOT: 'h' "Shoot" Shoot (plain), "",
            Chances::Attack(|ac, choice| Some(attacks_of::planned_attack(ac, choice))), |eval, offer| eval.attack(&offer.choice);
    },
    when: ActionRules {
        is: |kind| matches!(kind, ActionKind::Melee | ActionKind::Missile),
        cost: |ac, _, kind| match kind {
            ActionKind::Missile => ac.tables().costs.missile.1,
            _ => ac.tables().costs.melee.1,
        },
        begin: Begin::Aimed {
            targets: specs,
            begin: |ac, planned, choice, doing| {
                let attack = attack(ac, choice, planned.percent);
                doing.specs.push(AttackSpec::Ready(attack));
            },
        },
    },
    offers: |ac, who, out| {
        let (least, full) = ac.tables().costs.melee;
        spanning(ac, who, &MELEE, least, full, out);
        missile_offers(ac, who, out);
    },
    begin: |_, choice| match choice.verb == &MISSILE {
        true => ActionKind::Missile,
        false => ActionKind::Melee,
    },
};

fn missile_offers(ac: &ActivityQuery, who: Id, out: &mut Vec<Offer>) {
    let (least, full) = ac.tables().costs.missile;
    let shoots = |n: &Item| ac.weapon(*n).ranged.is_some();
    let weapons: Vec<Item> = ac.inventory(who).at_hand().filter(shoots).collect();
    if weapons.iter().any(|&n| will_be_loaded(ac, who, n)) {
        spanning(ac, who, &MISSILE, least, full, out);
        return;
    }
    let why = match weapons.is_empty() {
        false if weapons.iter().all(|&n| ac.reload(n) == 0) => {
            Why::new("AC-01", "nothing else to throw")
        }
        false => Why::new("AC-26", "not loaded: plan to load it first"),
        true => ac.view.nothing_to_shoot(who, "AC-01"),
    };
    let not = Offer::not(Choice::new(&MISSILE, who), why);
    out.push(not.ranging(least, full));
}

/// Whether there is a load, or an item to throw, for one more shot than already planned.
pub fn will_be_loaded(ac: &ActivityQuery, who: Id, item: Item) -> bool {
    let actor = ac.actor(who);
    let planned = |kind: ActionKind| actor.plan.iter().filter(|p| p.kind == kind).count();
    if missiles(&ac.view, who, item) <= planned(ActionKind::Missile) {
        return false;
    }
    let loads = usize::from(actor.loaded.contains(&item)) + planned(ActionKind::Reload(item));
    ac.reload(item) == 0 || loads > planned(ActionKind::Missile)
}

fn specs(ac: &ActivityQuery, who: Id, planned: &PlannedAction) -> Vec<Offer> {
    let ranged = planned.kind == ActionKind::Missile;
    let verb = if ranged { &SHOOT } else { &STRIKE };
    let items: Vec<Item> = ac.usable_weapons(who, ranged).collect();
    let mut out = vec![];
    for enemy in ac.enemies(who) {
        for &item in &items {
            let choice = Choice::new(verb, who).at(enemy).with(item);
            let attack = attack(ac, &choice, planned.percent);
            let legal = loaded(ac, who, item, ranged).and(ac.can_attack(&attack));
            out.push(Offer::from(choice, legal));
        }
    }
    out
}

/// Checks that a weapon that needs loading is loaded (AC-26).
fn loaded(ac: &ActivityQuery, who: Id, item: Item, ranged: bool) -> Result<(), Why> {
    let needs = ranged && ac.reload(item) > 0;
    Why::new("AC-26", "it is not loaded").when(needs && !ac.actor(who).loaded.contains(&item))
}

/// The attack of a strike, shot or charge that takes this percent of the round.
pub fn attack(ac: &ActivityQuery, choice: &Choice, percent: i32) -> Attack {
    let by = choice.actor();
    match choice.verb == &CHARGE {
        true => charge_after(ac, choice, percent, run_of(ac, choice), ac.actor(by).moved),
        false => attack_with(choice, ac.effort(by, percent, choice.verb == &SHOOT, None)),
    }
}
