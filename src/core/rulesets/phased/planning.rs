//! Planning under Phased: only special actions are declared (PH-10). All other actions are chosen
//! on the unit's turn.

use super::{
    Phased,
    acts::{
        self, AIM, AIM_AT_PLACE, BIND, DONE, GO, LOAD, SHIFT, SHOOT, STRIKE, THROW, USE, USE_ON,
        later_weapons, shoot,
    },
    clock, declare,
    fast::{self, FLEE, PARLEY},
    forecast::attacks::forecasts,
    odds::Forecast,
    query::PhasedQuery,
    reactions::CAST,
    routine::Routine,
    spells,
    state::{Clock, Group, PhasePart},
    turns::END_TURN,
};
use crate::battle::{Action, AttackOdds, Choice, Id, Item, Planning, WeaponKind, Why, run_system};
use crate::rulesets::common::ask;
use bevy_ecs::system::In;

pub static PLANNING: Planning = Planning {
    declaring: |world| world.resource::<Clock>().part == PhasePart::Declare,
    declare: |_, who, _| vec![Choice::new(&declare::NOTHING, who)],
    idle: &[&declare::NOTHING],
    carried_out: &[
        (&declare::SPELL, &[&AIM, &AIM_AT_PLACE, &CAST]),
        (&declare::NOTHING, &[&USE_ON, &USE]),
        (&declare::BIND, &[&BIND]),
        (&declare::LOAD, &[&LOAD]),
        (&declare::PARLEY, &[&PARLEY]),
        (&declare::FLIGHT, &[&FLEE]),
    ],
    works: &[
        &declare::BIND,
        &declare::LOAD,
        &declare::PARLEY,
        &declare::FLIGHT,
    ],
    done: &[&DONE],
    end_turn: Some(&END_TURN),
    walks: &[&GO, &SHIFT, &FLEE],
    walk_is_action: true,
    step_after: Some(&SHIFT),
    attacks: &[
        (&STRIKE, WeaponKind::Any),
        (&SHOOT, WeaponKind::Shot),
        (&THROW, WeaponKind::Thrown),
    ],
    charge: &[&declare::CHARGE, &declare::CHARGE],
    straight_charges: &[&declare::CHARGE, &fast::CHARGE],
    odds: |world, choice| run_system(world, odds, choice.clone()),
    clock: |world| run_system(world, clock::clock, ()),
    now: |world| ask::<Phased, _, _>(world, clock::current, ()),
    declared: |world, who| ask::<Phased, _, _>(world, clock::plan, who),
    is_done: |world, who| ask::<Phased, _, _>(world, clock::is_done, who),
    waits: |world, who| run_system(world, waits, who),
    is_skippable: |world, who| run_system(world, is_skippable, who),
    is_due: |world, who| ask::<Phased, _, _>(world, acts::is_due, who),
    has_attacked: |world, who| ask::<Phased, _, _>(world, has_attacked, who),
    stuck: |world, who| run_system(world, stuck, who),
    shares_cell: |world, who| ask::<Phased, _, _>(world, |ph, who| ph.shares_cell(who), who),
    shared_cell_cost: Some((
        "neither can attack there, and in melee only fleeing separates them",
        "PH-52",
    )),
    adjacency_rules: &["PH-50"],
    truce: |world, choice| run_system(world, truce, choice.clone()),
    later: |world, choice| run_system(world, later, choice.clone()),
    ..Planning::NONE
};

fn odds(In(choice): In<Choice>, ph: PhasedQuery) -> Option<AttackOdds> {
    choice.at.and(choice.with)?;
    attack_odds(&ph, &choice)
}

fn attack_odds(ph: &PhasedQuery, choice: &Choice) -> Option<AttackOdds> {
    let charge = (choice.verb == &declare::CHARGE).then(|| Routine::of_charge(ph, choice));
    let routine = charge.or_else(|| acts::routine(ph, choice))?;
    let all = forecasts(ph, choice, &routine).ok()?;
    Some(AttackOdds {
        worth: all.iter().map(Forecast::mean_damage_x200).sum(),
        percent: all.first()?.hit().percent(),
    })
}

/// PH-04: those that a parley can reach.
fn truce(In(choice): In<Choice>, ph: PhasedQuery) -> Vec<Id> {
    let who = choice.who.filter(|_| choice.verb == &declare::PARLEY);
    who.map_or(vec![], |who| fast::hearers(&ph, who))
}

fn later(In(choice): In<Choice>, ph: PhasedQuery) -> Vec<Item> {
    let weapons = later_weapons(&ph, &choice);
    weapons.into_iter().map(|(item, _)| item).collect()
}

/// Whether a unit's moment is still to come. Before the Other kind, this holds for a unit that can
/// still move to where it will act; in Other, for a unit that shoots in LOW (PH-03).
fn waits(In(who): In<Id>, ph: PhasedQuery) -> bool {
    let (part, group) = (ph.clock.part, ph.clock.group);
    let is_early = match part {
        PhasePart::Innate | PhasePart::Missile => true,
        // A unit in melee cannot move away, so it has nothing to wait for.
        PhasePart::Multi | PhasePart::Melee => !ph.in_melee(who),
        _ => false,
    };
    let is_slow = group == Group::High && ph.shooting_group(who) == Group::Low;
    is_early || part == PhasePart::Other && is_slow && may_shoot(&ph, who)
}

/// Whether the unit is surprised (PH-06), or neither its major action (PH-10) nor a routine (PH-01)
/// is left.
fn has_attacked(ph: &PhasedQuery, who: Id) -> bool {
    let fighter = ph.fighter(who);
    fighter.surprised || fighter.spent && fighter.routines == 0
}

/// Whether the unit could shoot or throw something at an enemy it sees.
fn may_shoot(ph: &PhasedQuery, who: Id) -> bool {
    ph.enemies_seen(who).any(|enemy| {
        ph.inventory(who).at_hand().any(|item| {
            let thrown = ph.weapon(item).is_thrown();
            let verb = if thrown { &THROW } else { &SHOOT };
            let shot = Choice::new(verb, who).at(enemy).with(item);
            attack_odds(ph, &shot).is_some_and(|odds| odds.percent > 0)
        })
    })
}

/// PH-50: a unit in melee can only flee.
fn stuck(In(who): In<Id>, ph: PhasedQuery) -> Option<(Why, &'static Action)> {
    let away: &'static Action = &declare::FLIGHT;
    let why = || Why::new("PH-50", "in melee");
    ph.in_melee(who).then(|| (why(), away))
}

/// Whether what the unit can do now is seldom worth a prompt: minor actions during its casting, or
/// the missile part while it fights in melee or has no target.
fn is_skippable(In(who): In<Id>, ph: PhasedQuery) -> bool {
    let casts = ph.fighter(who).casting.is_some() && !spells::must_aim(&ph, who);
    match ph.clock.part {
        PhasePart::Other => casts && !ph.body(who).prone,
        PhasePart::Missile => {
            let strikes = |item| ph.weapon(item).arms_for_melee();
            let fights = ph.in_melee(who) && ph.inventory(who).in_hand().is_some_and(strikes);
            fights || !shoot::sees_target(&ph, who)
        }
        _ => false,
    }
}
