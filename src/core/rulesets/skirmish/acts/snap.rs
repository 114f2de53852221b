//! Snap attack (SK-12): an Instant, at any moment of the round.

use super::{SHOOT, STRIKE, THROW, defend::DEFEND, row::*};
use crate::battle::{Attack, Modifier};
use crate::rulesets::{common::attacks::attack_of, skirmish::odds::Forecast};

verbs! {
    SNAP = "snap attack", "snap at {at} with {with}", "snaps at {at} with {with}", "SK-12";
    SNAP_SHOT = "snap shot", "snap shot at {at} with {with}",
        "looses a snap shot at {at} with {with}", "SK-12";
    SNAP_THROW = "snap throw", "snap throw {with} at {at}", "throws {with} at {at} in a snap",
        "SK-12";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SNAP: ' ' "Snap attack" Snap, "",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| eval.snap(offer).unwrap_or(NEVER), auto_reaction;
        SNAP_SHOT: ' ' "Snap shot" Snap, "",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| eval.snap(offer).unwrap_or(NEVER), auto_reaction;
        SNAP_THROW: ' ' "Snap throw" Throw, "",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| eval.snap(offer).unwrap_or(NEVER), auto_reaction;
    },
    when: (),
    offers: in_turn,
    begin: |_, choice| {
        let mut outcome = StepOutcome::announcing(choice);
        take(choice.actor(), &mut outcome);
        outcome.then(AttackBatch::of(vec![attack(choice)]))
    },
};

/// Rare offers for snap attacks on the unit's own turn, made from its other attacks. They are
/// seldom useful, since the same Main pays for an attack without the penalty.
fn in_turn(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    if may(sk, who).is_err() {
        return;
    }
    let ready: Vec<Item> = sk.inventory(who).ready().collect();
    let snap = |offer: &Offer| {
        let verb = match offer.choice.verb {
            v if v == &STRIKE => &SNAP,
            v if v == &SHOOT => &SNAP_SHOT,
            v if v == &THROW => &SNAP_THROW,
            _ => return None,
        };
        let is_ready = offer.choice.with.is_some_and(|item| ready.contains(&item));
        let choice = Choice {
            verb,
            ..offer.choice.clone()
        };
        (is_ready && offer.is_legal()).then(|| Offer::legal(choice).rare())
    };
    let snaps: Vec<Offer> = out.iter().filter_map(snap).collect();
    out.extend(snaps);
}

/// Whether a reaction spends a Main, of the turn to come or of this one (SK-12, SK-17).
pub fn spends_main(verb: &'static Action) -> bool {
    is_snap(verb) || verb == &DEFEND
}

pub fn is_snap(verb: &'static Action) -> bool {
    [&SNAP, &SNAP_SHOT, &SNAP_THROW].contains(&verb)
}

/// The attack of a choice to snap, at −4.
pub fn attack(choice: &Choice) -> Attack {
    Attack {
        extra: vec![Modifier::new(numbers::SNAP, "snap attack", "SK-12")],
        ..attack_of(choice, choice.verb != &SNAP)
    }
}

/// Checks that a unit can make snap attacks now, whatever is in reach: it must be trained and have
/// a Main to give up. They are possible before its turn as well as after it.
pub fn may(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    Why::new("SK-12", "not trained for it").unless(sk.view.creature(who).is_disciplined())?;
    Why::new("SK-12", "in no state for it").when(!sk.can_react(who) || sk.body(who).flees)?;
    sk.needs_main(who)
}

/// The offers for `who` to snap at an enemy with its ready weapons; there is no time to draw.
/// Possible attacks are listed only if `only_if` accepts their forecast. Beside a weapon, bare hands are
/// a rare offer.
pub fn offers(
    sk: &SkirmishQuery,
    who: Id,
    enemy: Id,
    only_if: impl Fn(&Forecast) -> bool,
) -> Vec<Offer> {
    if may(sk, who).is_err() {
        return vec![];
    }
    let mut out = vec![];
    let mut add = |verb, item: Item| {
        let choice = Choice::new(verb, who).at(enemy).with(item);
        match sk.forecast(&attack(&choice)) {
            Ok(forecast) if only_if(&forecast) => out.push(Offer::legal(choice)),
            Ok(_) => {}
            Err(why) => out.push(Offer::not(choice, why)),
        }
    };
    for item in sk.inventory(who).ready() {
        let weapon = sk.weapon(item);
        if weapon.melee.is_some() {
            add(&SNAP, item);
        }
        if weapon.ranged.is_some() {
            let is_thrown = weapon.is_thrown();
            add(if is_thrown { &SNAP_THROW } else { &SNAP_SHOT }, item);
        }
    }
    let is_armed = |offer: &Offer| {
        let item = offer.choice.with.filter(|_| offer.choice.verb == &SNAP);
        item.is_some_and(|item| sk.weapon(item).arms_for_melee())
    };
    if out.iter().any(|offer| offer.is_legal() && is_armed(offer)) {
        for offer in &mut out {
            offer.rare = offer.choice.verb == &SNAP && !is_armed(offer);
        }
    }
    out
}

/// Whether an attack could take its target's last hit point.
pub fn could_drop(forecast: &Forecast) -> bool {
    let by_hit = forecast.hit().favourable > 0 && forecast.damage.span().1 >= forecast.hp;
    by_hit || forecast.shock.points() >= forecast.hp
}

/// Whether a snap attack may be worth the Main: it could drop the enemy, or the unit's turn is
/// over and the Main would be lost.
pub fn is_wise(sk: &SkirmishQuery, who: Id, forecast: &Forecast) -> bool {
    could_drop(forecast) || sk.turn_is_over(sk.body(who).side)
}

/// Gives up the Main for a snap attack.
pub fn take(who: Id, outcome: &mut StepOutcome) {
    let action = ActionCost::Main;
    outcome.emit("SK-12", SkirmishEvent::Spent { who, action });
}
