//! Missiles (PH-04 D2): shooting, throwing, called shots; loading as part of a shot (PH-15).

use super::{attack, routine, row::*, things};
use crate::rulesets::common::attacks;
use crate::rulesets::phased::{
    content::Loading,
    routine::{AttackWay, Routine},
};

pub static SHOOT: Action = attacks::shoot("PH-35");
pub static THROW: Action = attacks::throw("PH-35");
verbs! {
    CALL_SHOT = "called shot", "call a shot at {at} with {with}",
        "aims at a weak spot of {at} with {with}", "PH-38";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SHOOT: 'h' "Shoot" Shoot (plain), "",
            Chances::Attack(routine), |eval, offer| ai::attack(eval, &offer.choice);
        THROW: 't' "Throw" Throw (plain), "Throw the weapon. It lands on the ground.",
            Chances::Attack(routine), |eval, offer| ai::attack(eval, &offer.choice);
        CALL_SHOT: 'x' "Weak spot" Aim, "Only a natural 20 hits, for extra damage.",
            Chances::Attack(routine), |eval, offer| ai::attack(eval, &offer.choice);
    },
    when: When {
        at_once: &[&SHOOT, &THROW, &CALL_SHOT],
        ..When::of(PhasePart::Missile)
    },
    offers,
    begin,
};

/// The group in which the unit can shoot with a weapon: LOW if the shot includes loading (PH-15),
/// otherwise by reaction (PH-03).
fn group(ph: &PhasedQuery, who: Id, item: Item) -> Group {
    match ph.is_delaying_shot(who, item) {
        true => Group::Low,
        false => ph.shooting_group(who),
    }
}

fn can_shoot(ph: &PhasedQuery, who: Id, item: Item) -> Result<(), Why> {
    needs_major(ph, who)?;
    let f = ph.fighter(who);
    Why::of_actor("PH-04", "is listening to the parley").when(f.listens)?;
    no_set_weapon(ph, who)?;
    let whole = ph.clock.part.is_whole_turn();
    let follows = f.lags && ph.clock.group == Group::Low;
    let loads = "it must be loaded first, which has to wait for LOW";
    Err(match group(ph, who, item) {
        group if whole || follows || group == ph.clock.group => return Ok(()),
        Group::Low if ph.is_delaying_shot(who, item) => Why::new("PH-15", loads),
        Group::Low => Why::of_actor("PH-03", "shoots in LOW"),
        Group::High => Why::of_actor("PH-03", "could only shoot in HIGH"),
    })
}

fn missiles(ph: &PhasedQuery, who: Id) -> impl Iterator<Item = Item> {
    let items = ph.inventory(who).at_hand();
    items.filter(|&item| ph.weapon(item).ranged.is_some())
}

/// PH-03: whether the reaction adjustment moves this shot to another group than the unit's own.
fn hand(ph: &PhasedQuery, who: Id, item: Item) -> bool {
    !ph.is_delaying_shot(who, item) && ph.shooting_group(who) != ph.group(who)
}

/// Whether the unit acts in LOW but has a weapon that it can shoot in HIGH (PH-03).
pub fn is_quick(ph: &PhasedQuery, who: Id) -> bool {
    let quick = |item: Item| group(ph, who, item) == Group::High;
    ph.group(who) == Group::Low && missiles(ph, who).any(quick)
}

/// Whether the unit could shoot at a target in this part, or could after a simple activity: opening
/// an adjacent door or picking up a weapon (PH-12).
pub fn has_target(ph: &PhasedQuery, who: Id) -> bool {
    let opens = || {
        let doors = ph.view.doors_beside(who);
        let shut = doors.into_iter().any(|(_, open)| !open);
        shut && missiles(ph, who).any(|i| can_shoot(ph, who, i).is_ok())
    };
    let takes = || {
        let free = ph.inventory(who).in_hand().is_none();
        let throws = |item: &Item| ph.weapon(*item).ranged.is_some();
        let near = things::lying(ph, who).into_iter();
        free && near.filter(throws).any(|i| can_shoot(ph, who, i).is_ok())
    };
    sees_target(ph, who) || super::needs_simple(ph, who).is_ok() && (opens() || takes())
}

/// Whether the unit could shoot at a target in the current position.
pub fn sees_target(ph: &PhasedQuery, who: Id) -> bool {
    let may = |&i: &Item| can_shoot(ph, who, i).is_ok();
    let items: Vec<Item> = missiles(ph, who).filter(may).collect();
    !items.is_empty()
        && ph.enemies_seen(who).any(|enemy| {
            let shot = |&item: &Item| Routine::new(who, enemy, item, AttackWay::Shoot, "PH-35");
            items.iter().any(|item| ph.can_make(&shot(item)).is_ok())
        })
}

fn offers(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    let mut armed = false;
    for item in missiles(ph, who) {
        armed = true;
        let thrown = ph.weapon(item).is_thrown();
        let verb = if thrown { &THROW } else { &SHOOT };
        let ready = can_shoot(ph, who, item);
        for enemy in ph.enemies_seen(who) {
            let plain = Choice::new(verb, who).at(enemy).with(item);
            let shot = || ph.can_make(&Routine::of(&plain, AttackWay::Shoot));
            let legal = ready.clone().and_then(|()| shot());
            let called = Choice::new(&CALL_SHOT, who).at(enemy).with(item);
            out.push(Offer::from(plain, legal.clone()));
            out.push(Offer::from(called, legal));
        }
    }
    if !armed {
        let why = ph.view.nothing_to_shoot(who, "PH-04");
        out.push(Offer::not(Choice::new(&SHOOT, who), why));
    }
}

fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
    let routine = routine(ph, choice).expect("it shoots or throws");
    let (who, with, group) = (routine.by, routine.with, ph.clock.group);
    let mut outcome = announce(ph, choice);
    if ph.clock.part == PhasePart::Missile && hand(ph, who, with) {
        outcome.emit("PH-03", PhasedEvent::Hand { who, group });
    }
    let mut begun = attack(ph, &routine, outcome);
    // This shot includes loading and uses up the bolt.
    if ph.is_delaying_shot(who, with) {
        let loaded = PhasedEvent::Loaded { who, with };
        begun.outcome.emit("PH-15", loaded);
    }
    if ph.weapon_stats(with).loading != Loading::None {
        let shot = PhasedEvent::Shot { who, with };
        begun.outcome.emit("PH-15", shot);
    }
    begun
}
