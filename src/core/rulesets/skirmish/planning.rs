//! How Skirmish's units act on orders: nothing is declared, each unit carries out its order on its
//! side's turn.

use super::{
    Skirmish,
    acts::{CHARGE, CHARGE_THROW, RUN, SHOOT, STRIKE, THROW},
    clock,
    query::SkirmishQuery,
    round::END_TURN,
    turn::DONE,
};
use crate::battle::{AttackOdds, Choice, Planning, WeaponKind, run_system};
use crate::rulesets::common::{act::attack_of, ask};
use bevy_ecs::system::In;

pub static PLANNING: Planning = Planning {
    done: &[&DONE],
    end_turn: Some(&END_TURN),
    walks: &[&RUN],
    attacks: &[
        (&STRIKE, WeaponKind::Any),
        (&SHOOT, WeaponKind::Shot),
        (&THROW, WeaponKind::Thrown),
    ],
    charge: &[&CHARGE],
    straight_charges: &[&CHARGE, &CHARGE_THROW],
    odds: |world, choice| run_system(world, odds, choice.clone()),
    clock: |world| run_system(world, clock::clock, ()),
    is_done: |world, who| ask::<Skirmish, _, _>(world, clock::is_done, who),
    advances: true,
    ..Planning::NONE
};

fn odds(In(choice): In<Choice>, sk: SkirmishQuery) -> Option<AttackOdds> {
    let (attack, from) = attack_of::<Skirmish>(&sk, &choice)?;
    let forecast = sk.forecast_from(&attack, from).ok()?;
    Some(AttackOdds {
        worth: forecast.worth(),
        percent: forecast.hit_past().percent(),
    })
}
