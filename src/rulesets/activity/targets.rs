//! The verbs of an action whose time has come, and what it may be done to.

use super::{
    ac::Ac,
    charge::{charges, run_of},
    spells,
    state::{Deed, Planned},
};
use crate::rulesets::activity::content::ActivityArms;
use crate::rulesets::common::attacks::attack_of;
use crate::{
    battle::{Attack, Choice, Id, Item, Modifier, Offer, Place, State, Why},
    rulesets::common::{doors, gear::can_reach, verbs},
};

verbs! {
    STRIKE = "strike", "strike {at} with {with}", "strikes at {at} with {with}", "AC-01";
    SHOOT = "shoot", "shoot at {at} with {with}", "shoots at {at} with {with}", "AC-01";
    CHARGE = "charge", "charge {at} with {with} from {to}", "charges {at} with {with}, to {to}", "AC-21";
    MOVE = "move", "move to {to}", "moves to {to}", "AC-01";
    WITHDRAW = "withdraw", "withdraw to {to}", "withdraws to {to}", "AC-36";
    LEAVE = "leave", "leave the battle", "makes off", "AC-37";
    CAST_AT = "cast", "cast {spell} at {at}", "casts {spell} at {at}", "AC-34";
    CAST_TO = "cast to", "cast {spell} towards {to}", "casts {spell} towards {to}", "AC-34";
    STANCH = "stanch", "stanch the blood of {at}", "stanches the blood of {at}", "AC-33";
    PICK_UP = "pick up", "pick up {with} at {to}", "picks up {with} at {to}", "AC-01";
    GIVE_UP = "give up", "give it up", "gives it up", "AC-09";
    WAIT = "wait", "wait", "waits", "AC-15";
}

/// Every way to do what was planned. None: there is nothing to choose.
pub fn targets(ac: &Ac, who: Id, planned: &Planned) -> Option<Vec<Offer>> {
    let percent = planned.percent;
    Some(match planned.deed {
        Deed::Melee => blows(ac, who, percent, false),
        Deed::Missile => blows(ac, who, percent, true),
        Deed::Charge => charges(ac, who, percent),
        Deed::Move => walks(ac, who, percent),
        Deed::Spell { spell, .. } | Deed::Instant { spell, .. } => spells::aims(ac, who, spell),
        Deed::Stanch => bleeders(ac, who),
        Deed::PickUp => pick_ups(ac, who),
        Deed::Door => doors(ac, who),
        _ => return None,
    })
}

fn blows(ac: &Ac, who: Id, percent: i32, ranged: bool) -> Vec<Offer> {
    let verb = if ranged { &SHOOT } else { &STRIKE };
    let items: Vec<Item> = ac
        .gear(who)
        .ready()
        .filter(|&n| usable(ac, who, n, ranged))
        .collect();
    let mut out = vec![];
    for foe in ac.foes(who) {
        for &item in &items {
            let choice = Choice::new(verb, who).at(foe).with(item);
            let attack = attack(ac, &choice, percent);
            let legal = loaded(ac, who, item, ranged).and(ac.forecast(&attack).map(|_| ()));
            out.push(Offer::from(choice, legal));
        }
    }
    out
}

pub fn usable(ac: &Ac, who: Id, item: Item, ranged: bool) -> bool {
    let weapon = ac.weapon(item);
    let in_body = ac.gear(who).place(item) == Some(Place::Body);
    if ranged {
        weapon.ranged.is_some()
    } else {
        // Fists are for those who hold nothing better.
        let armed = ac
            .gear(who)
            .in_hand()
            .is_some_and(|i| ac.weapon(i).melee.is_some());
        weapon.melee.is_some()
            && !(in_body && weapon.make == crate::content::Make::Unarmed && armed)
    }
}

/// AC-26: a weapon that must be loaded is.
fn loaded(ac: &Ac, who: Id, item: Item, ranged: bool) -> Result<(), Why> {
    let needs = ranged && ac.weapon(item).section::<ActivityArms>().reload > 0;
    if needs && !ac.actor(who).loaded.contains(&item) {
        return Err(Why::new("AC-26", "it is not loaded"));
    }
    Ok(())
}

/// The attack that a choice to strike, shoot or charge stands for.
pub fn attack(ac: &Ac, choice: &Choice, percent: i32) -> Attack {
    let by = choice.who.expect("an attack has an actor");
    match choice.verb == &CHARGE {
        true => charge_after(ac, choice, percent, run_of(ac, choice), ac.actor(by).moved),
        false => attack_with(choice, ac.effort(by, percent, choice.verb == &SHOOT, None)),
    }
}

/// The attack of a charge after a run of so many feet; `moved`: feet gone in
/// the round before it.
pub fn charge_after(ac: &Ac, choice: &Choice, percent: i32, run: u16, moved: u16) -> Attack {
    let by = choice.who.expect("an attack has an actor");
    let left = percent - ac.percent_of(by, run);
    let share = left.min(ac.tables().costs.melee.1);
    attack_with(choice, ac.effort_after(by, share, false, Some(run), moved))
}

fn attack_with(choice: &Choice, extra: Vec<Modifier>) -> Attack {
    Attack {
        extra,
        ..attack_of(choice, choice.verb == &SHOOT)
    }
}

/// Where one may move to with a share of the round, in haste or guarded.
pub fn walks(ac: &Ac, who: Id, percent: i32) -> Vec<Offer> {
    let mut out = vec![];
    if ac.view.is_at_exit(who) {
        out.push(Offer::legal(Choice::new(&LEAVE, who)));
    }
    if ac.feet(who, percent, false) < 5 {
        return out;
    }
    let here = ac.body(who).at;
    let threatened = ac.ways(who, false).threats(here) != 0;
    for (verb, withdraws) in [(&MOVE, false), (&WITHDRAW, true)] {
        if withdraws && !threatened {
            continue;
        }
        let range = ac.range(who, percent, withdraws);
        let ends = range.cells().filter(|e| e.may_stop && e.cell != here);
        out.reserve(range.count());
        out.extend(ends.map(|end| {
            let choice = Choice::new(verb, who).to(end.cell);
            let drawn = if withdraws { 0 } else { end.provoked };
            Offer::legal(choice).priced(end.feet, drawn)
        }));
    }
    out
}

fn bleeders(ac: &Ac, who: Id) -> Vec<Offer> {
    let side = ac.body(who).side;
    let bleeds = |id: &Id| {
        let body = ac.body(*id);
        let alive = matches!(body.state, State::Up | State::Down);
        alive && body.side == side && ac.actor(*id).bleeding > 0
    };
    let offer = |id: Id| {
        let near = id == who || ac.view.within(who, id, 5);
        let legal = near
            .then_some(())
            .ok_or(Why::new("AC-33", "not next to them"));
        Offer::from(Choice::new(&STANCH, who).at(id), legal)
    };
    ac.view.ids().filter(bleeds).map(offer).collect()
}

fn pick_ups(ac: &Ac, who: Id) -> Vec<Offer> {
    let mut out: Vec<Offer> = vec![];
    for &(cell, item) in &ac.view.ground.0 {
        let choice = Choice::new(&PICK_UP, who).with(item).to(cell);
        let legal = can_reach(&ac.view, who, cell)
            .then_some(())
            .ok_or(Why::new("AC-01", "it lies out of reach"));
        if !out.iter().any(|o| o.choice == choice) {
            out.push(Offer::from(choice, legal));
        }
    }
    out
}

fn doors(ac: &Ac, who: Id) -> Vec<Offer> {
    let mut out = vec![];
    doors::offers(&ac.view, who, Ok(()), &mut out);
    out
}
