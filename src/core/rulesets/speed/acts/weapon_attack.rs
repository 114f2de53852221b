//! Strike, shoot and throw: a declared attack gets its target.

use super::{
    super::declared::{ATTACK, DEFENSIVE, THROWING},
    declared,
    row::*,
};
use crate::rulesets::common::{attacks, inventory};
use crate::{battle::Attack, grid::cells_apart, rulesets::speed::content::SpeedWeapon};

pub static STRIKE: Action = attacks::strike("SP-04");
pub static SHOOT: Action = attacks::shoot("SP-04");
pub static THROW: Action = attacks::throw("SP-04");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STRIKE: 's' "Strike" Strike (plain), "Make the declared attack.",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| play::strike(eval, &offer.choice);
        SHOOT: 'h' "Shoot" Shoot (plain), "Take the declared shot.",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| play::strike(eval, &offer.choice);
        THROW: 't' "Throw" Throw (plain), "Make the declared throw.",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| play::strike(eval, &offer.choice);
    },
    when: When::Declared(&[&ATTACK, &THROWING, &DEFENSIVE]),
    offers,
    begin: |sp, choice| {
        let attack = attack(choice);
        let (who, item) = (attack.by, attack.with);
        // Drawing the weapon is an action of its own (SP-07). The held item goes to the belt.
        let draws = sp.inventory(who).place(item) == Some(ItemPlace::Belt);
        standard(sp, choice, 1 + u8::from(draws), |begun| {
            if draws {
                begun.outcome.emit("SP-07", SpeedEvent::Free { who });
                inventory::draw(&sp.view, who, item, "SP-07", &mut begun.outcome);
            }
            begun.specs.push(attack);
        })
    },
};

pub(super) const DECLARED: Declaration = Declaration {
    verbs: &[&ATTACK, &THROWING, &DEFENSIVE],
    offers: declarations,
    adds,
    at_count: NOTHING,
};

fn declarations(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    for item in sp.inventory(who).at_hand() {
        let weapon = sp.weapon(item);
        let mut may = |verb| {
            let choice = Choice::new(verb, who).with(item);
            out.push(fit(sp, choice, sp.wields(who, item).map(|_| ())));
        };
        let shoots = weapon.ranged.is_some() && !weapon.is_thrown();
        if weapon.melee.is_some() || shoots {
            may(&ATTACK);
        }
        if weapon.is_thrown() {
            may(&THROWING);
        }
        if weapon.melee.is_some() || weapon.ranged.is_some() {
            may(&DEFENSIVE);
        }
    }
}

/// The speed of the weapon or of its throw (SP-04), plus 1 for a defensive attack (SP-11).
fn adds(sp: &SpeedQuery, choice: &Choice) -> i32 {
    let throws = verb_of(sp, choice) == &THROW;
    let speed = |item| {
        let weapon = sp.weapon(item).section::<SpeedWeapon>();
        if throws { weapon.thrown } else { weapon.speed }
    };
    let defensive = match choice.verb == &DEFENSIVE {
        true => tables().initiative.defensive,
        false => 0,
    };
    choice.with.map_or(0, speed) + defensive
}

/// The attack of a strike, shot or throw.
pub fn attack(choice: &Choice) -> Attack {
    attacks::attack_of(choice, choice.verb != &STRIKE)
}

/// The action that carries out a declared attack.
pub fn verb_of(sp: &SpeedQuery, declared: &Choice) -> &'static Action {
    match declared.with.map(|item| sp.weapon(item)) {
        _ if declared.verb == &THROWING => &THROW,
        Some(weapon) if weapon.melee.is_some() => &STRIKE,
        // A weapon that is not made for melee is thrown or shot.
        Some(weapon) if weapon.is_thrown() => &THROW,
        _ => &SHOOT,
    }
}

fn offers(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    let declared = declared(sp, who).and_then(|declared| Some((declared, declared.with?)));
    let Some((declared, item)) = declared else {
        return;
    };
    let verb = verb_of(sp, declared);
    let farthest = sp.reach(who, item).filter(|_| verb == &STRIKE);
    let here = sp.body(who).space();
    // Targets out of reach are not listed one by one; a single "out of reach" offer is enough.
    let is_near = |enemy: &Id| {
        let apart = cells_apart(here, sp.body(*enemy).space()) * 5;
        farthest.is_none_or(|feet| apart <= feet)
    };
    let offer = |enemy: Id| {
        let choice = Choice::new(verb, who).at(enemy).with(item);
        let legal = legal(sp, &choice);
        Offer::from(choice, legal)
    };
    let offers = sp.targets(who).into_iter().filter(is_near).map(offer);
    let why = Why::far("SP-04", "no enemy is in reach");
    list_or(offers, Choice::new(verb, who).with(item), why, out);
}

fn legal(sp: &SpeedQuery, choice: &Choice) -> Result<(), Why> {
    let attack = attack(choice);
    super::needs_standard(sp, attack.by)?;
    let place = sp.inventory(attack.by).place(attack.with);
    if place == Some(ItemPlace::Belt) {
        Why::new("SP-07", "the free action is spent: no drawing")
            .when(sp.fighter(attack.by).free)?;
        let why = "a dying unit gets one action per turn: no drawing";
        let is_dying = sp.conditions(attack.by).contains(&SpeedCondition::Dying);
        Why::new("SP-24", why).when(is_dying)?;
    }
    Why::of_actor("SP-04", "no longer has that item").when(place.is_none())?;
    sp.can_attack(&attack)
}
