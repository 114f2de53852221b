//! Missiles: all shots of a routine at one target (SE-31, SE-53).

use super::{attack, row::*};
use crate::rulesets::common::attacks;

pub static SHOOT: Action = attacks::shoot("SE-31");
pub static THROW: Action = attacks::throw("SE-31");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SHOOT: 'h' "Shoot" Shoot (plain), "",
            Chances::Attack(|se, choice| Some(routine_attacks(se, choice))), |eval, offer| eval.shoot(&offer.choice);
        THROW: 't' "Throw" Throw (plain), "Throw the weapon. It lands on the ground.",
            Chances::Attack(|se, choice| Some(routine_attacks(se, choice))), |eval, offer| eval.shoot(&offer.choice);
    },
    when: When::Strikes(routine_attacks),
    offers,
    begin: attack,
};

fn offers(se: &SegmentsQuery, who: Id, out: &mut Vec<Offer>) {
    let may = se.may(who, DeclaredKind::Shoot);
    let before = out.len();
    for item in se.inventory(who).at_hand() {
        let weapon = se.weapon(item);
        if weapon.ranged.is_none() {
            continue;
        }
        let verb = if weapon.is_thrown() { &THROW } else { &SHOOT };
        if let Err(why) = &may {
            out.push(Offer::not(Choice::new(verb, who), why.clone()));
            return;
        }
        for enemy in se.view.enemies(se.body(who).side) {
            let choice = Choice::new(verb, who).at(enemy).with(item);
            let attack_spec = AttackSpec::new(who, enemy, item, true, verb.rule);
            let legal = at_hand(se, who, item).and_then(|()| se.can_attack(&attack_spec.attack));
            out.push(Offer::from(choice, legal));
        }
    }
    if out.len() == before && may.is_ok() {
        let why = se.view.nothing_to_shoot(who, "SE-31");
        out.push(Offer::not(Choice::new(&SHOOT, who), why));
    }
}

fn routine_attacks(se: &SegmentsQuery, choice: &Choice) -> Vec<AttackSpec> {
    let attack = attacks::attack_of(choice, true);
    let shots = se.missiles(attack.by, attack.with);
    vec![AttackSpec { attack, times: 1 }; shots]
}
