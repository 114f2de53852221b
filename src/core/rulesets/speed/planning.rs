//! Planning for Speed: a unit declares one action for the round and takes it on its count
//! (SP-04, SP-05).

use super::{
    acts::{
        CAST, CAST_AT_PLACE, CLOSE, CRAWL, INTIMIDATE, MOVE, OPEN, SHOOT, STRIKE, TEND, THROW, USE,
        blow,
    },
    clock, declared,
    query::SpeedQuery,
    turn::DONE,
};
use crate::battle::{Arms, AttackOdds, Choice, Id, PASS, Planning, Purpose, run_system};
use bevy_ecs::system::In;

pub static PLANNING: Planning = Planning {
    declaring: |world| run_system(world, declaring, ()),
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
        (&STRIKE, Arms::Any),
        (&SHOOT, Arms::Shot),
        (&THROW, Arms::Thrown),
    ],
    odds: |world, choice| run_system(world, odds, choice.clone()),
    clock: |world| run_system(world, clock::clock, ()),
    declared: |world, who| {
        run_system(
            world,
            |In(who): In<Id>, sp: SpeedQuery| clock::plan(&sp, who),
            who,
        )
    },
    is_done: |world, who| {
        run_system(
            world,
            |In(who): In<Id>, sp: SpeedQuery| clock::is_done(&sp, who),
            who,
        )
    },
    advances: true,
    ..Planning::NONE
};

fn declaring(In(()): In<()>, sp: SpeedQuery) -> bool {
    sp.clock.count.is_none()
}

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
    let forecast = sp.forecast(&blow::attack(&choice)).ok()?;
    Some(AttackOdds {
        worth: forecast.mean_damage_x200(),
        percent: forecast.faces() as u32 * 5,
    })
}
