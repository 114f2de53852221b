//! Declares a whole round for one purpose: draw or load, move, attack, and keep OB for parrying
//! (AC-10).

use super::{
    Activity,
    acts::attack,
    clock,
    declared::{self, READY},
    events::ActivityEvent,
    odds::AttackChances,
    plan::{self, most_parry},
    query::ActivityQuery,
    round::STAY,
    state::{ActionKind, Actor, Clock, PlannedAction, Stage},
    targets::{CAST_AT, CAST_TO, CHARGE, GIVE_UP, MOVE, SHOOT, STANCH, STRIKE, WAIT, WITHDRAW},
};
use crate::rulesets::common::{ask, declare::Declares};
use crate::{
    battle::{
        Action, AttackOdds, Choice, EventTable, Id, Item, Planning, Purpose, WeaponKind, of_unit,
        of_unit_mut, run_system,
    },
    rulesets::common::doors::{CLOSE, OPEN},
};
use bevy_ecs::{system::In, world::World};

pub static PLANNING: Planning = Planning {
    declaring: |world| world.resource::<Clock>().stage == Stage::Declaring,
    declare,
    idle: &[&READY, &GIVE_UP],
    carried_out: &[
        (&declared::SPELL, &[&CAST_AT, &CAST_TO]),
        (&declared::STANCH, &[&STANCH]),
        (&declared::DOOR, &[&OPEN, &CLOSE]),
    ],
    works: &[&declared::RELOAD, &declared::HERB],
    done: &[&READY, &STAY, &WAIT],
    walks: &[&MOVE, &WITHDRAW],
    attacks: &[(&STRIKE, WeaponKind::Any), (&SHOOT, WeaponKind::Any)],
    charge: &[&CHARGE, &declared::CHARGE],
    straight_charges: &[&CHARGE],
    parry: Some(&declared::PARRY),
    odds: |world, choice| run_system(world, odds, choice.clone()),
    clock: |world| run_system(world, clock::clock, ()),
    now: |world| ask::<Activity, _, _>(world, clock::current, ()),
    declared: |world, who| ask::<Activity, _, _>(world, clock::plan, who),
    is_done: |world, who| ask::<Activity, _, _>(world, clock::is_done, who),
    ..Planning::NONE
};

fn odds(In(choice): In<Choice>, ac: ActivityQuery) -> Option<AttackOdds> {
    let who = choice.who?;
    choice.at.and(choice.with)?;
    let from = match choice.verb == &CHARGE {
        true => choice.to?,
        false => ac.body(who).at,
    };
    let attack = attack(&ac, &choice, attack_percent(&ac, who, choice.verb));
    let chances = ac.forecast_from(&attack, from).ok()?.chances();
    Some(AttackOdds {
        worth: chances.worth(),
        percent: AttackChances::percent(chances.hit),
    })
}

/// Percent of the round that an attack takes. If the unit has planned no such attack, it counts
/// as taking the whole round.
pub fn attack_percent(ac: &ActivityQuery, who: Id, verb: &'static Action) -> i32 {
    let fits = |p: &&PlannedAction| match p.kind {
        ActionKind::Melee | ActionKind::Charge => verb != &SHOOT,
        ActionKind::Missile => verb == &SHOOT,
        _ => false,
    };
    let actor = ac.actor(who);
    let planned = actor.plan.iter().skip(actor.next).find(fits);
    planned.map_or(ac.tables().costs.melee.1, |p| p.percent)
}

/// Percent of the available OB that is kept for parrying by default.
pub const GUARD: i32 = 50;

/// The declarations of the round, in order. Unavailable ones are skipped. Empty if
/// the purpose itself cannot be declared.
fn declare(world: &mut World, who: Id, purpose: &Purpose) -> Vec<Choice> {
    let before = of_unit::<Actor>(world, who).clone();
    let mut out = vec![];
    let whole = match purpose {
        Purpose::Move(feet) => go(world, who, *feet, &mut out),
        Purpose::Attack {
            attack,
            feet,
            guard,
        } => {
            let guard =
                guard.unwrap_or_else(|| match ask::<Activity, _, _>(world, needs_guard, who) {
                    true => GUARD,
                    false => 0,
                });
            round_of_attack(world, attack, (*feet, guard), &mut out)
        }
        Purpose::Guard => strike(world, who, 100, &mut out),
    };
    if whole {
        add(world, &mut out, Choice::new(&READY, who));
    }
    *of_unit_mut::<Actor>(world, who) = before;
    if whole { out } else { vec![] }
}

fn go(world: &mut World, who: Id, feet: u16, out: &mut Vec<Choice>) -> bool {
    let read = |ac: &ActivityQuery, (who, feet): (Id, u16)| ac.percent_of(who, feet);
    let percent = ask::<Activity, _, _>(world, read, (who, feet));
    let choice = Choice::new(&declared::MOVE, who).number(percent);
    add(world, out, choice)
}

fn round_of_attack(
    world: &mut World,
    attack: &Choice,
    (feet, guard): (u16, i32),
    out: &mut Vec<Choice>,
) -> bool {
    let (Some(who), Some(with)) = (attack.who, attack.with) else {
        return false;
    };
    let (is_ready, must_load) = ask::<Activity, _, _>(world, readiness, (who, with));
    if !is_ready {
        let draw = Choice::new(&declared::DRAW, who).with(with);
        let change = Choice::new(&declared::CHANGE, who).with(with);
        if !add(world, out, draw) && !add(world, out, change) {
            return false;
        }
    }
    let strikes = attack.verb == &STRIKE;
    if !strikes && must_load {
        add(world, out, Choice::new(&declared::RELOAD, who).with(with));
    }
    if feet > 0 && !go(world, who, feet, out) {
        return false;
    }
    let fits = match strikes {
        true => strike(world, who, guard, out),
        false => add(world, out, Choice::new(&declared::MISSILE, who).number(60)),
    };
    // What does not fit follows in the next round: the rest of the way, or the loading.
    fits || feet > 0 || must_load
}

/// Whether any enemy can attack; if all are helpless, no OB is kept for parrying.
fn needs_guard(ac: &ActivityQuery, who: Id) -> bool {
    let side = ac.body(who).side;
    ac.view.enemies(side).any(|enemy| !ac.is_helpless(enemy))
}

/// Adds a melee with all remaining activity, and the parry share of its OB.
fn strike(world: &mut World, who: Id, guard: i32, out: &mut Vec<Choice>) -> bool {
    if !add(world, out, Choice::new(&declared::MELEE, who).number(100)) {
        return false;
    }
    let kept = ask::<Activity, _, _>(world, most_parry, who) * guard / 100;
    if kept > 0 {
        add(world, out, Choice::new(&declared::PARRY, who).number(kept));
    }
    true
}

/// Adds a declaration, with its number limited to what is available. False if it is not
/// available.
fn add(world: &mut World, out: &mut Vec<Choice>, choice: Choice) -> bool {
    let Some((choice, fact)) = ask::<Activity, _, _>(world, fitted, choice) else {
        return false;
    };
    fact.apply(world);
    out.push(choice);
    true
}

/// The choice as currently offered, with its number limited to the offered range, and the event
/// that declares it.
fn fitted(ac: &ActivityQuery, choice: Choice) -> Option<(Choice, ActivityEvent)> {
    let number = choice.number;
    let bare = Choice {
        number: None,
        ..choice
    };
    let offers = Activity::offers(ac, bare.who?);
    let offer = offers.iter().find(|o| o.is_legal() && o.choice == bare)?;
    let choice = match offer.numbers {
        Some((least, most)) => bare.number(number?.clamp(least, most)),
        None => bare,
    };
    let fact = plan::fact(ac, &choice);
    Some((choice, fact))
}

/// Whether an item is ready in hand, and whether it must be loaded first.
fn readiness(ac: &ActivityQuery, (who, item): (Id, Item)) -> (bool, bool) {
    let is_loaded = ac.reload(item) == 0 || ac.actor(who).loaded.contains(&item);
    let is_ready = ac.inventory(who).ready().any(|n| n == item);
    (is_ready, !is_loaded)
}
