//! What may be declared for a round, and what it adds to the base initiative
//! (SP-03, SP-04).

use super::super::{
    declared::*,
    numbers::{Condition, Initiative, tables},
    sp::Sp,
    state::Hurt,
};
use super::{intimidate, magic};
use crate::battle::{Action, Choice, Id, Offer, Why};
use crate::rulesets::speed::content::{SpeedSpell, SpeedWeapon};

/// What a declared act adds to the base initiative (SP-04).
pub fn modifier(sp: &Sp, choice: &Choice) -> i32 {
    let table: &Initiative = &tables().initiative;
    let weapon = || {
        choice
            .with
            .map_or(0, |item| sp.weapon(item).section::<SpeedWeapon>().speed)
    };
    let verb = choice.verb;
    if verb == &ATTACK {
        weapon()
    } else if verb == &THROWING {
        choice
            .with
            .map_or(0, |item| sp.weapon(item).section::<SpeedWeapon>().thrown)
    } else if verb == &DEFENSIVE {
        weapon() + table.defensive
    } else if verb == &DEFENSIVE_MOVE {
        table.defensive
    } else if verb == &FULL_DEFENSE {
        table.full_defense
    } else if verb == &CASTING {
        choice.spell.map_or(0, |spell| {
            sp.view.spell(spell).section::<SpeedSpell>().speed
        })
    } else if verb == &USING {
        table.consumable
    } else if verb == &STANDING_UP {
        table.standing_up
    } else if verb == &DOOR {
        table.door
    } else if verb == &HEALING {
        table.heal
    } else if verb == &INTIMIDATING {
        table.intimidate
    } else if verb == &BREAKING_FREE {
        table.break_free
    } else if verb == &DOUSING {
        table.douse
    } else if verb == &HOLD {
        table.hold
    } else {
        table.moving
    }
}

/// A choice with the count at which it comes: base and modifier (SP-03).
pub fn declared(sp: &Sp, choice: Choice) -> Declared {
    let who = choice.who.expect("a declaration has an actor");
    let base = sp.fighter(who).base.unwrap_or(0);
    let adds = modifier(sp, &choice);
    Declared {
        count: base + adds,
        adds,
        choice,
    }
}

/// Everything that `who` may declare, the impossible with its reason.
pub fn offers(sp: &Sp, who: Id) -> Vec<Offer> {
    let mut out = vec![];
    let act = sp.may_act(who);
    let fit = |more: Result<(), Why>| act.clone().and(more);
    let new = |verb: &'static Action| Choice::new(verb, who);
    for item in sp.gear(who).at_hand() {
        let weapon = sp.weapon(item);
        let arms = sp.wields(who, item).map(|_| ());
        let shoots = weapon.ranged.is_some() && !weapon.is_thrown();
        if weapon.melee.is_some() || shoots {
            out.push(Offer::from(new(&ATTACK).with(item), fit(arms.clone())));
        }
        if weapon.is_thrown() {
            out.push(Offer::from(new(&THROWING).with(item), fit(arms.clone())));
        }
        if weapon.melee.is_some() {
            out.push(Offer::from(new(&DEFENSIVE).with(item), fit(arms)));
        }
    }
    // The fallen may do all this too, for a Wound Point each (SP-24).
    let on_its_feet = match sp.is_up(who) {
        true => Ok(()),
        false => act.clone(),
    };
    out.push(Offer::from(new(&DEFENSIVE_MOVE), on_its_feet));
    out.push(Offer::from(new(&FULL_DEFENSE), fit(Ok(()))));
    for &spell in sp.view.sheet(who).spells.iter() {
        let legal = fit(magic::can_cast(sp, who, spell));
        out.push(Offer::from(new(&CASTING).spell(spell), legal));
    }
    let mut seen = vec![];
    for &spell in &sp.fighter(who).draughts {
        if !seen.contains(&spell) {
            seen.push(spell);
            let legal = fit(sp.has_a_hand(who));
            out.push(Offer::from(new(&USING).spell(spell), legal));
        }
    }
    out.push(Offer::legal(new(&MOVING)));
    out.push(Offer::from(new(&STANDING_UP), fit(can_stand(sp, who))));
    if sp.view.board.doors().next().is_some() {
        out.push(Offer::from(new(&DOOR), fit(sp.has_a_hand(who))));
    }
    // Who needs it may turn out only when the count comes.
    out.push(Offer::from(new(&HEALING), fit(sp.has_a_hand(who))));
    out.push(Offer::from(
        new(&INTIMIDATING),
        fit(intimidate::can_threaten(sp, who)),
    ));
    let fighter = sp.fighter(who);
    if fighter.suffers(Condition::Grappled) {
        out.push(Offer::from(new(&BREAKING_FREE), fit(Ok(()))));
    }
    if fighter.suffers(Condition::Burning) {
        out.push(Offer::from(new(&DOUSING), fit(Ok(()))));
    }
    out.push(Offer::from(new(&HOLD), fit(Ok(()))));
    out
}

fn can_stand(sp: &Sp, who: Id) -> Result<(), Why> {
    if !sp.body(who).prone {
        return Err(Why::new("SP-04", "already on its feet"));
    }
    if sp.fighter(who).has(Hurt::Lamed) {
        return Err(Why::new("SP-27", "prone until healed"));
    }
    Ok(())
}
