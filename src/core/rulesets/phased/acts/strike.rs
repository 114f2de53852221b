//! Melee (PH-04 D3): strikes, thrusts, called shots, grabs.

use super::{attack, due::is_level, routine, row::*};
use crate::rulesets::common::attacks;
use crate::rulesets::phased::{routine::AttackWay, state::DeclaredPlan};
use crate::{
    battle::{CheckRoll, Roll},
    content::Make,
};
use std::cell::LazyCell;

pub static STRIKE: Action = attacks::strike("PH-35");
verbs! {
    THRUST = "thrust", "thrust at {at} with {with}", "thrusts at {at} with {with}", "PH-51";
    CALL = "called strike", "call a strike at {at} with {with}",
        "aims a strike at a weak spot of {at} with {with}", "PH-38";
    /// Takes an item from an enemy's hand.
    GRAB = "grab", "grab {with} from {at}", "grabs at {with} of {at}", "PH-38";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STRIKE: 's' "Strike" Strike (plain), "",
            Chances::Attack(routine), |eval, offer| ai::attack(eval, &offer.choice);
        THRUST: 'b' "Thrust" Spear (last), "Use as a spear: needs less space.",
            Chances::Attack(routine), |eval, offer| ai::attack(eval, &offer.choice);
        CALL: 'x' "Weak spot" Aim, "Only a natural 20 hits, for extra damage.",
            Chances::Attack(routine), |eval, offer| ai::attack(eval, &offer.choice);
        GRAB: 'k' "Grab" Grapple, "Only a natural 20 takes the item the enemy holds.",
            Chances::Odds(attacks_of::grab), |eval, offer| offer.choice.at.map_or(0, |enemy| eval.danger_from(enemy)) / 20;
    },
    when: When {
        at_once: &[&STRIKE, &THRUST, &CALL],
        ..When::of(PhasePart::Melee).also(&[PhasePart::Multi, PhasePart::Rest])
    },
    offers,
    begin,
};

/// The speed of a melee choice in ties; `None` for other choices (PH-02).
pub fn speed(ph: &PhasedQuery, choice: &Choice) -> Option<u8> {
    let who = choice.who?;
    if choice.verb == &GRAB {
        // As fast as a bare hand.
        return Some(1 + ph.fighter(who).segments);
    }
    let routine = routine(ph, choice).filter(|r| r.way != AttackWay::Shoot)?;
    Some(ph.speed_of(who, routine.with, routine.way))
}

/// The speed of the unit's fastest usable weapon that it has not passed on; `None` if there is
/// none.
pub fn next_speed(ph: &PhasedQuery, who: Id) -> Option<u8> {
    let waited = ph.fighter(who).passed_up.waited;
    let speeds = weapon_speeds(ph, who).into_iter().map(|weapon| weapon.1);
    speeds.filter(|&s| s > waited).min()
}

/// If weapon speed decides who acts: the unit's other weapons that act later than this attack, with
/// their speeds (PH-02). One at the belt is drawn within its attack (PH-12).
pub fn later_weapons(ph: &PhasedQuery, choice: &Choice) -> Vec<(Item, u8)> {
    let (Some(now), true) = (speed(ph, choice), is_level(ph)) else {
        return vec![];
    };
    let (Some(who), Some(with)) = (choice.who, choice.with) else {
        return vec![];
    };
    let mut later = weapon_speeds(ph, who);
    later.retain(|(item, speed)| *item != with && *speed > now);
    later.sort_by_key(|l| l.1);
    later.dedup_by_key(|l| l.0);
    later
}

/// The held ones of [`later_weapons`], if this attack uses a weapon that is not held.
pub fn held_later_weapons(ph: &PhasedQuery, choice: &Choice) -> Vec<(Item, u8)> {
    let held = |item: Item| {
        let who = choice.who.map(|who| ph.inventory(who).place(item));
        who.flatten() == Some(ItemPlace::Hand)
    };
    if choice.with.is_some_and(held) {
        return vec![];
    }
    let mut later = later_weapons(ph, choice);
    later.retain(|&(item, _)| held(item));
    later
}

/// The unit's usable melee weapons, each with its speed in the ways of using it that it has space
/// for.
fn weapon_speeds(ph: &PhasedQuery, who: Id) -> Vec<(Item, u8)> {
    let open = LazyCell::new(|| ph.open_cells(who));
    let mut out = vec![];
    for item in ph.strike_items(who) {
        let stats = ph.weapon_stats(item);
        if ph.readying(who, item).is_err() || !is_set_for(ph, who, item) {
            continue;
        }
        let fits = |space: u8| space <= 4 || *open > 0;
        if fits(stats.space) {
            out.push((item, ph.speed_of(who, item, AttackWay::Strike)));
        }
        if stats.thrust.is_some_and(|t| fits(t.space)) {
            out.push((item, ph.speed_of(who, item, AttackWay::Thrust)));
        }
    }
    out
}

/// A unit with a set weapon can use only that weapon (PH-42).
fn is_set_for(ph: &PhasedQuery, who: Id, item: Item) -> bool {
    match ph.fighter(who).plan {
        Some(DeclaredPlan::Set { with }) => with == item,
        _ => true,
    }
}

/// Whether the unit could make a melee attack in this part of the round.
pub fn has_target(ph: &PhasedQuery, who: Id) -> bool {
    if needs_major(ph, who).is_err() || !ph.in_melee(who) || ph.shares_cell(who).is_some() {
        return false;
    }
    !ph.fighter(who).listens && next_speed(ph, who).is_some()
}

fn offers(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    let reach = ph.tables().numbers.melee_feet;
    let items = ph.strike_items(who);
    let mut near = ph.view.nearby(who, ph.enemies_seen(who), reach).peekable();
    if near.peek().is_none() {
        let why = Why::far("PH-50", "no adjacent enemy");
        out.push(Offer::not(Choice::new(&STRIKE, who), why));
    }
    for enemy in near {
        for &item in &items {
            let thrust = ph.weapon_stats(item).thrust.map(|_| &THRUST);
            for verb in [&STRIKE, &CALL].into_iter().chain(thrust) {
                let choice = Choice::new(verb, who).at(enemy).with(item);
                let strike = || ph.can_make(&routine(ph, &choice).expect("a strike"));
                let legal = can_strike(ph, who, item).and_then(|()| strike());
                out.push(Offer::from(choice, legal));
            }
        }
        if let Some(held) = ph.inventory(enemy).in_hand() {
            let choice = Choice::new(&GRAB, who).at(enemy).with(held);
            let legal = can_grab(ph, who).and_then(|()| ph.reaches(who, enemy));
            out.push(Offer::from(choice, legal));
        }
    }
}

fn can_strike_at_all(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    needs_major(ph, who)?;
    Why::of_actor("PH-04", "is listening to the parley").when(ph.fighter(who).listens)
}

/// PH-38: whether the unit can grab, or why not. It needs hands, and no weapon may be set.
fn can_grab(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    can_strike_at_all(ph, who)?;
    Why::of_actor("PH-38", "has no hands").unless(ph.view.creature(who).has_hands())?;
    no_set_weapon(ph, who)
}

fn can_strike(ph: &PhasedQuery, who: Id, item: Item) -> Result<(), Why> {
    can_strike_at_all(ph, who)?;
    Why::new("PH-42", "another weapon is set").unless(is_set_for(ph, who, item))
}

/// Begins an attack or a grab; a grab costs as much as a routine. Logs the speed if it decides a
/// tie, and the attack line of natural weapons.
fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
    let mut outcome = announce(ph, choice);
    let Some(routine) = routine(ph, choice) else {
        let who = choice.actor();
        super::pay_attack(ph, who, &mut outcome);
        let choice = choice.clone();
        return outcome.then(Snatch { choice }).into();
    };
    let (who, with) = (routine.by, routine.with);
    if is_level(ph) {
        let parts = ph.speed_parts(who, with, routine.way);
        outcome.emit("PH-02", PhasedEvent::Comes { who, parts });
    }
    let natural = ph.weapon(with).make == Make::Natural && !routine.called;
    if let Some(line) = ph.stats(who).attacks.as_ref().filter(|_| natural) {
        let line = line.to_string();
        outcome.emit("PH-36", PhasedEvent::AttacksWith { who, line });
    }
    attack(ph, &routine, outcome)
}

/// The d20 roll that a grab needs (PH-38).
pub const GRABS_AT: u16 = 20;

system_step! {
    /// PH-38: only a 20 takes the item. It goes into a free hand, or else to the ground.
    struct Snatch { choice: Choice } => snatch
}

fn snatch(
    In(Snatch { choice }): In<Snatch>,
    ph: PhasedQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let (Some(by), Some(enemy), Some(item)) = (choice.who, choice.at, choice.with) else {
        return outcome;
    };
    let value = dice.roll(20);
    let passed = value >= GRABS_AT;
    let check = CheckRoll::by(by, "grab", Roll::one(20, value, vec![]));
    check.emit("PH-38", GRABS_AT.into(), passed, &mut outcome);
    let inventory = ph.inventory(by);
    if !passed || ph.inventory(enemy).in_hand() != Some(item) {
        return outcome;
    }
    let (from, at) = (ItemPlace::Hand, ph.body(by).at);
    let dropped = EventKind::Dropped {
        who: enemy,
        item,
        from,
        at,
    };
    outcome.emit("PH-38", dropped);
    let hands = inventory.in_hand().is_none() && !(ph.weapon(item).hands == 2 && inventory.shield);
    if hands {
        outcome.emit("PH-38", EventKind::PickedUp { who: by, item, at });
    }
    outcome
}
