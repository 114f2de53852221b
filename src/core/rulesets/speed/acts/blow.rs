//! Strike, shoot and throw: a declared attack gets its target.

use super::{
    super::{
        declared::{ATTACK, DEFENSIVE, THROWING},
        events::SpeedEvent,
        numbers::{Condition, tables},
        query::SpeedQuery,
    },
    When,
    declaration::{Declaration, NOTHING, fit},
    declared,
    row::*,
    standard,
};
use crate::rulesets::common::attacks;
use crate::rulesets::common::attacks::attack_of;
use crate::rulesets::speed::content::SpeedWeapon;
use crate::{
    battle::{Action, Attack, Choice, Id, ItemPlace, Offer, StepOutcome, Why},
    rulesets::common::gear,
};

pub static STRIKE: Action = attacks::strike("SP-04");
pub static SHOOT: Action = attacks::shoot("SP-04");
pub static THROW: Action = attacks::throw("SP-04");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STRIKE: 's' "Strike" Strike (plain), "Make the declared attack.",
            Chances::Attack(attacks_of::own), |eval, _, offer| play::strike(eval, &offer.choice);
        SHOOT: 'h' "Shoot" Shoot (plain), "Take the declared shot.",
            Chances::Attack(attacks_of::own), |eval, _, offer| play::shoot(eval, &offer.choice);
        THROW: 't' "Throw" Throw (plain), "Make the declared throw.",
            Chances::Attack(attacks_of::own), |eval, _, offer| play::shoot(eval, &offer.choice);
    },
    when: When::Declared(&[&ATTACK, &THROWING, &DEFENSIVE]),
    offers,
    begin: |sp, choice| {
        let draws = draws(sp, choice);
        standard(sp, choice, 1 + u8::from(draws), |begun| {
            if draws {
                draw(sp, choice, &mut begun.outcome);
            }
            begun.blows.push(attack(choice));
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
    for item in sp.gear(who).at_hand() {
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
    attack_of(choice, choice.verb != &STRIKE)
}

/// The action that carries out a declared attack.
pub fn verb_of(sp: &SpeedQuery, declared: &Choice) -> &'static Action {
    let weapon = declared.with.map(|item| sp.weapon(item));
    let melee = weapon.is_some_and(|w| w.melee.is_some());
    let thrown = weapon.is_some_and(|w| w.is_thrown());
    match (declared.verb == &THROWING, melee) {
        (true, _) => &THROW,
        (false, true) => &STRIKE,
        // A weapon that is not made for melee is thrown or shot.
        (false, false) if thrown => &THROW,
        (false, false) => &SHOOT,
    }
}

fn offers(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    let Some(declared) = declared(sp, who) else {
        return;
    };
    let Some(item) = declared.with else { return };
    let verb = verb_of(sp, declared);
    let farthest = sp.reach(who, item).filter(|_| verb == &STRIKE);
    let here = sp.body(who).space();
    let before = out.len();
    for enemy in sp.targets(who) {
        // Targets out of reach are not listed one by one; a single "out of reach" offer is
        // enough.
        let apart = crate::grid::cells_apart(here, sp.body(enemy).space()) * 5;
        if farthest.is_some_and(|feet| apart > feet) {
            continue;
        }
        let choice = Choice::new(verb, who).at(enemy).with(item);
        let legal = legal(sp, &choice);
        out.push(Offer::from(choice, legal));
    }
    if out.len() == before {
        let why = Why::new("SP-04", "no enemy is in reach");
        out.push(Offer::not(Choice::new(verb, who).with(item), why));
    }
}

fn legal(sp: &SpeedQuery, choice: &Choice) -> Result<(), Why> {
    let attack = attack(choice);
    super::needs_standard(sp, attack.by)?;
    let place = sp.gear(attack.by).place(attack.with);
    if place == Some(ItemPlace::Belt) {
        Why::new("SP-07", "the free action is spent: no drawing")
            .when(sp.fighter(attack.by).free)?;
        let why = "a dying unit gets one action per turn: no drawing";
        let is_dying = sp.conditions(attack.by).contains(&Condition::Dying);
        Why::new("SP-24", why).when(is_dying)?;
    }
    Why::of_actor("SP-04", "no longer has that item").when(place.is_none())?;
    sp.forecast(&attack).map(|_| ())
}

/// Whether the attack first draws its weapon, which is an action of its own (SP-07).
fn draws(sp: &SpeedQuery, choice: &Choice) -> bool {
    let of = choice.who.zip(choice.with);
    of.is_some_and(|(who, item)| sp.gear(who).place(item) == Some(ItemPlace::Belt))
}

/// Draws the weapon as a free action; the held item goes to the belt.
fn draw(sp: &SpeedQuery, choice: &Choice, outcome: &mut StepOutcome) {
    let (who, item) = (choice.who, choice.with);
    let (Some(who), Some(item)) = (who, item) else {
        return;
    };
    outcome.emit("SP-07", SpeedEvent::Free { who });
    gear::draw(&sp.view, who, item, "SP-07", outcome);
}
