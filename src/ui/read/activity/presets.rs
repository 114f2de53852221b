//! A whole round declared at once for something that is to be done: what has to
//! be drawn or loaded, the way there, the attack, what is kept for parrying.

use super::plan;
use crate::{
    battle::{Choice, Id, Item, component_mut},
    rulesets::activity::{
        ac::Ac,
        content::ActivityArms,
        declared,
        plan::{most_parry, offers},
        state::{Actor, Stage},
        targets::{SHOOT, STRIKE},
    },
    ui::read::{Preset, Purpose, run},
};
use bevy::ecs::{system::In, world::World};

pub(super) fn declaring(In(()): In<()>, ac: Ac) -> bool {
    ac.clock.stage == Stage::Declaring
}

/// The usual rounds.
pub(super) static PRESETS: [Preset; 4] = [
    Preset {
        name: "All-out",
        help: "Attack with the whole round; no parry",
        verbs: &[&STRIKE],
        comes: false,
        waits: false,
        guard: 0,
    },
    Preset {
        name: "Guarded",
        help: "Attack an enemy in reach, or the first that comes; keep the rest for parrying",
        verbs: &[&STRIKE],
        comes: false,
        waits: true,
        guard: 100,
    },
    Preset {
        name: "Load, shoot",
        help: "Load if needed, then shoot",
        verbs: &[&SHOOT],
        comes: false,
        waits: false,
        guard: 0,
    },
    Preset {
        name: "Move, strike",
        help: "Move next to the target and attack with the rest, half kept for parrying",
        verbs: &[&STRIKE],
        comes: true,
        waits: false,
        guard: GUARD,
    },
];

/// How much of the OB that is left over is kept for the parry, in percent, where
/// nobody says otherwise.
const GUARD: i32 = 50;

/// The round in the order in which it is declared; what is not open to somebody
/// is left out. Empty: the main thing is not.
pub(super) fn declare(world: &mut World, who: Id, purpose: &Purpose) -> Vec<Choice> {
    let before = component_mut::<Actor>(world, who).clone();
    let mut out = vec![];
    let whole = match purpose {
        Purpose::Go(feet) => go(world, who, *feet, &mut out),
        Purpose::Attack { blow, feet, guard } => {
            let guard = guard.unwrap_or(GUARD);
            attack(world, blow, (*feet, guard), &mut out)
        }
        Purpose::Guard => strike(world, who, 100, &mut out),
    };
    if whole {
        add(world, &mut out, Choice::new(&declared::READY, who));
    }
    *component_mut::<Actor>(world, who) = before;
    match whole {
        true => out,
        false => vec![],
    }
}

fn go(world: &mut World, who: Id, feet: u16, out: &mut Vec<Choice>) -> bool {
    let percent = run(world, percent_of, (who, feet));
    add(
        world,
        out,
        Choice::new(&declared::MOVE, who).number(percent),
    )
}

fn attack(
    world: &mut World,
    blow: &Choice,
    (feet, guard): (u16, i32),
    out: &mut Vec<Choice>,
) -> bool {
    let (Some(who), Some(with)) = (blow.who, blow.with) else {
        return false;
    };
    let (is_ready, must_load) = run(world, stands, (who, with));
    if !is_ready {
        let draw = Choice::new(&declared::DRAW, who).with(with);
        let change = Choice::new(&declared::CHANGE, who).with(with);
        if !add(world, out, draw) && !add(world, out, change) {
            return false;
        }
    }
    let strikes = blow.verb == &STRIKE;
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
    // What has no room any more comes next round: the way there, or the load.
    fits || feet > 0 || must_load
}

/// A melee with all that is left, and what is kept of it for the parry.
fn strike(world: &mut World, who: Id, guard: i32, out: &mut Vec<Choice>) -> bool {
    if !add(world, out, Choice::new(&declared::MELEE, who).number(100)) {
        return false;
    }
    let kept = run(world, parry, who) * guard / 100;
    if kept > 0 {
        add(world, out, Choice::new(&declared::PARRY, who).number(kept));
    }
    true
}

/// Declares one thing more, with as much of its number as there is room for.
fn add(world: &mut World, out: &mut Vec<Choice>, choice: Choice) -> bool {
    let Some(choice) = run(world, fitted, choice) else {
        return false;
    };
    let fact = run(world, plan::fact_of, choice.clone());
    crate::battle::RulesetEvent::apply(&fact, world);
    out.push(choice);
    true
}

/// The choice as it is on offer now.
fn fitted(In(choice): In<Choice>, ac: Ac) -> Option<Choice> {
    let who = choice.who?;
    let bare = Choice {
        number: None,
        ..choice.clone()
    };
    let offers = offers(&ac, who);
    let offer = offers.iter().find(|o| o.is_legal() && o.choice == bare)?;
    Some(match offer.numbers {
        Some((least, most)) => bare.number(choice.number?.clamp(least, most)),
        None => bare,
    })
}

fn percent_of(In((who, feet)): In<(Id, u16)>, ac: Ac) -> i32 {
    ac.percent_of(who, feet)
}

/// Whether a thing is ready in hand, and has to be loaded first.
fn stands(In((who, item)): In<(Id, Item)>, ac: Ac) -> (bool, bool) {
    let loads = ac.weapon(item).section::<ActivityArms>().reload > 0;
    let is_loaded = ac.actor(who).loaded.contains(&item);
    let is_ready = ac.gear(who).ready().any(|n| n == item);
    (is_ready, loads && !is_loaded)
}

fn parry(In(who): In<Id>, ac: Ac) -> i32 {
    most_parry(&ac, who)
}
