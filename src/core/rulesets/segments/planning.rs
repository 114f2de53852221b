//! How units declare before initiative (an attack, missiles, a move or a spell) and how plans carry
//! that out (SE-20).

use super::{
    Segments,
    acts::{BIND, CAST, CHARGE, DONE, MOVE, SHOOT, STRIKE, THROW, WITHDRAW},
    clock,
    declare::{self, FIGHT, GO, MISSILES, SPELL},
    query::SegmentsQuery,
    segment::END_TURN,
    spells::{AIM, AIM_PLACE},
    state::Clock,
};
use crate::battle::{Action, AttackOdds, Choice, Planning, Purpose, WeaponKind, run_system};
use crate::rulesets::common::{act::attack_of, ask};
use bevy_ecs::system::In;

pub static PLANNING: Planning = Planning {
    declaring: |world| world.resource::<Clock>().is_declaring(),
    declare: |_, who, purpose| vec![Choice::new(declared_for(purpose), who)],
    rest: |world, who| ask::<Segments, _, _>(world, declare::rest_of, who),
    idle: &[&GO, &FIGHT],
    carried_out: &[(&SPELL, &[&CAST, &AIM, &AIM_PLACE]), (&GO, &[&BIND])],
    done: &[&DONE],
    end_turn: Some(&END_TURN),
    walks: &[&MOVE, &WITHDRAW],
    attacks: &[
        (&STRIKE, WeaponKind::Any),
        (&SHOOT, WeaponKind::Shot),
        (&THROW, WeaponKind::Thrown),
    ],
    charge: &[&CHARGE],
    odds: |world, choice| run_system(world, odds, choice.clone()),
    adjacency_rules: &["SE-53"],
    clock: |world| run_system(world, clock::clock, ()),
    now: |world| ask::<Segments, _, _>(world, clock::current, ()),
    declared: |world, who| ask::<Segments, _, _>(world, clock::plan, who),
    is_done: |world, who| ask::<Segments, _, _>(world, clock::is_done, who),
    ..Planning::NONE
};

fn declared_for(purpose: &Purpose) -> &'static Action {
    match purpose {
        Purpose::Move(_) => &GO,
        Purpose::Guard => &FIGHT,
        Purpose::Attack { attack, .. } if [&STRIKE, &CHARGE].contains(&attack.verb) => &FIGHT,
        Purpose::Attack { .. } => &MISSILES,
    }
}

fn odds(In(choice): In<Choice>, se: SegmentsQuery) -> Option<AttackOdds> {
    let (all, from) = attack_of::<Segments>(&se, &choice)?;
    let forecast = se.forecast_from(all.first()?, from).ok()?;
    Some(AttackOdds {
        worth: forecast.mean_damage_x200(),
        percent: forecast.hit().percent(),
    })
}
