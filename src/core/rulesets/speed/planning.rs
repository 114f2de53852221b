//! Planning for Speed: a unit declares one action for the round and takes it on its count
//! (SP-04, SP-05).

use super::{
    Speed,
    acts::{
        CAST, CAST_AT_PLACE, CLOSE, CRAWL, INTIMIDATE, MOVE, OPEN, SHOOT, STRIKE, TEND, THROW, USE,
        declare, weapon_attack,
    },
    clock, declared,
    query::SpeedQuery,
    state::Clock,
    turn::DONE,
};
use crate::battle::{
    Action, AttackOdds, Choice, Id, Offer, PASS, Planning, Purpose, Ruleset, SpellId, State,
    WeaponKind, run_system,
};
use crate::rulesets::common::ask;
use bevy_ecs::{system::In, world::World};
use std::sync::Arc;

pub static PLANNING: Planning = Planning {
    declaring: |world| world.resource::<Clock>().count.is_none(),
    knows_times: true,
    declare: |_, who, purpose| vec![declared_for(who, purpose)],
    idle: &[&declared::MOVING, &declared::HOLD],
    carried_out: &[
        (&declared::CASTING, &[&CAST, &CAST_AT_PLACE]),
        (&declared::USING, &[&USE]),
        (&declared::HEALING, &[&TEND]),
        (&declared::INTIMIDATING, &[&INTIMIDATE]),
        (&declared::DOOR, &[&OPEN, &CLOSE]),
    ],
    done: &[&DONE, &PASS],
    walks: &[&MOVE, &CRAWL],
    attacks: &[
        (&STRIKE, WeaponKind::Any),
        (&SHOOT, WeaponKind::Shot),
        (&THROW, WeaponKind::Thrown),
    ],
    odds: |world, choice| run_system(world, odds, choice.clone()),
    clock: |world| run_system(world, clock::clock, ()),
    now: |world| ask::<Speed, _, _>(world, clock::current, ()),
    declared: |world, who| ask::<Speed, _, _>(world, clock::plan, who),
    is_done: |world, who| ask::<Speed, _, _>(world, clock::is_done, who),
    advances: true,
    is_skippable,
    ..Planning::NONE
};

/// The declaration for a purpose. An attack uses the given weapon, from the unit's cell or
/// after a move.
fn declared_for(who: Id, purpose: &Purpose) -> Choice {
    match purpose {
        Purpose::Move(_) => Choice::new(&declared::MOVING, who),
        Purpose::Guard => Choice::new(&declared::HOLD, who),
        Purpose::Attack { attack, .. } => {
            let verb = match attack.verb == &THROW {
                true => &declared::THROWING,
                false => &declared::ATTACK,
            };
            Choice {
                with: attack.with,
                ..Choice::new(verb, who)
            }
        }
    }
}

fn odds(In(choice): In<Choice>, sp: SpeedQuery) -> Option<AttackOdds> {
    choice.at.and(choice.with)?;
    let forecast = sp.forecast(&weapon_attack::attack(&choice)).ok()?;
    Some(AttackOdds {
        worth: forecast.mean_damage_x200(),
        percent: forecast.hit_percent(),
    })
}

/// Whether the unit is down and cannot help itself or an ally. Each action costs it a Wound Point
/// (SP-24), so attacks do not count, and of the others only what the quick AI would do. A unit
/// that has declared an action is asked for it.
fn is_skippable(world: &mut World, who: Id) -> bool {
    const RULES: &Ruleset = &super::RULESET;
    let Some(offers) = run_system(world, helpful_offers, who) else {
        return false;
    };
    let (choice, _) = (RULES.policy)(world, who, &Arc::new(offers));
    PLANNING.idle.contains(&choice.verb)
}

/// Declarations by which a unit that is down can help, and those that do nothing. `None` for all
/// other units, and if it has declared an action.
fn helpful_offers(In(who): In<Id>, sp: SpeedQuery) -> Option<Vec<Offer>> {
    const HELPS: [&Action; 3] = [&declared::USING, &declared::HEALING, &declared::DOUSING];
    let declared = sp.fighter(who).declared.as_ref();
    let is_idle = declared.is_none_or(|declared| declared.choice.verb == &declared::HOLD);
    let is_down = sp.body(who).state == State::Down && sp.can_act(who).is_ok();
    if !(is_down && is_idle) {
        return None;
    }
    let is_healing = |spell: SpellId| !sp.view.spell(spell).effect.harms();
    let is_helpful = |offer: &Offer| {
        let verb = offer.choice.verb;
        let casts = verb == &declared::CASTING && offer.choice.spell.is_some_and(is_healing);
        casts || HELPS.contains(&verb) || PLANNING.idle.contains(&verb)
    };
    let mut offers = declare::offers(&sp, who);
    offers.retain(is_helpful);
    Some(offers)
}
