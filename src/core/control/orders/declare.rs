//! What is declared for an order before anything is done.

use super::{Order, Plan, distance, long_path, standing_at};
use crate::{
    battle::{AttackOdds, Body, Choice, Id, Item, Purpose, Ruleset, View, component, run_system},
    grid::{Cell, Space, cells_apart},
};
use bevy_ecs::{system::In, world::World};
use std::cmp::Reverse;

/// Feet that most units can go and attack after it.
const A_MOVE: u16 = 30;

/// The plan of a unit for an order, by what `known` shows: what it declares, where the
/// rules have units declare anything now, and how it goes about it, with which attack and
/// which weapon.
pub fn plan(rules: &Ruleset, known: &mut World, who: Id, order: Order) -> Plan {
    let planning = rules.planning;
    let mut plan = Plan::new(who, order);
    let is_declaring = (planning.declaring)(known);
    let purpose = match &plan.order {
        Order::Act { declared, .. } => {
            plan.declared.extend(is_declaring.then(|| declared.clone()));
            return plan;
        }
        Order::Guard => Purpose::Guard,
        Order::Move { to } => match distance(known, who, *to) {
            Some(feet) => Purpose::Move(feet),
            None => return plan,
        },
        Order::Attack { target, .. } => match attack(rules, known, who, &plan.order) {
            Some((attack, feet)) => {
                plan.feet = feet;
                plan.order = Order::Attack {
                    target: *target,
                    by: Some(attack.verb),
                    with: attack.with,
                };
                Purpose::Attack {
                    attack,
                    feet,
                    guard: None,
                }
            }
            None => {
                // Out of reach for now: it comes nearer.
                let there = component::<Body>(known, *target).at;
                plan.feet = long_path(known, who, there).len() as u16 * 5;
                Purpose::Move(plan.feet)
            }
        },
    };
    if is_declaring {
        plan.declared = (planning.declare)(known, who, &purpose);
    }
    plan
}

/// The attack that an order is for: from where the unit stands, or from beside its target
/// after so many feet.
fn attack(rules: &Ruleset, known: &mut World, who: Id, order: &Order) -> Option<(Choice, u16)> {
    let here = attacks(rules, known, who, order).into_iter().next();
    let comes = here.is_none() || rules.planning.advances;
    let near = comes.then(|| beside(rules, known, who, order)).flatten();
    let near = near.filter(|(.., feet)| here.is_none() || *feet <= A_MOVE);
    match (here, near) {
        (Some(here), Some(near)) if near.0 > here.0 => Some((near.1, near.2)),
        (Some((_, here)), _) => Some((here, 0)),
        (None, near) => {
            let charge = charge(rules, known, who, order).map(|charge| (charge, 0));
            charge.or(near.map(|(_, choice, feet)| (choice, feet)))
        }
    }
}

/// The attacks on the target of an order from where the unit stands, the most promising
/// first.
pub(super) fn attacks(
    rules: &Ruleset,
    known: &mut World,
    who: Id,
    order: &Order,
) -> Vec<(AttackOdds, Choice)> {
    fn at_hand(In(who): In<Id>, view: View) -> Vec<(Item, bool)> {
        let items = view.gear(who).at_hand();
        let kinds = items.map(|item| (item, view.weapon(item).is_thrown()));
        kinds.collect()
    }
    let Order::Attack { target, by, with } = *order else {
        return vec![];
    };
    let mut found = vec![];
    for (item, is_thrown) in run_system(known, at_hand, who) {
        if with.is_some_and(|with| with != item) {
            continue;
        }
        for &(verb, arms) in rules.planning.attacks {
            if by.is_some_and(|by| by != verb) || !arms.fits(is_thrown) {
                continue;
            }
            let choice = Choice::new(verb, who).at(target).with(item);
            let odds = (rules.planning.odds)(known, &choice);
            found.extend(
                odds.filter(|odds| odds.percent > 0)
                    .map(|odds| (odds, choice)),
            );
        }
    }
    found.sort_by_key(|found| Reverse(found.0));
    found
}

/// The best attack from the nearest cell beside the target, and how far that is.
fn beside(
    rules: &Ruleset,
    known: &mut World,
    who: Id,
    order: &Order,
) -> Option<(AttackOdds, Choice, u16)> {
    fn ends(In((who, at)): In<(Id, Id)>, view: View) -> Vec<Cell> {
        let (own, there) = (view.body(who), view.body(at));
        let near = i16::from(own.size.max(1));
        let side = i16::from(there.size.max(1));
        let cells = (-near..=side).flat_map(|x| (-near..=side).map(move |y| (x, y)));
        let cells = cells.map(|(x, y)| Cell::new(there.at.x + x, there.at.y + y));
        let others: Vec<Space> = view
            .ids()
            .filter(|&id| id != who && view.body(id).is_up())
            .map(|id| view.body(id).space())
            .collect();
        let is_free = |cell: &Cell| {
            let space = Space::new(*cell, own.size);
            cells_apart(space, there.space()) == 1
                && view.board.can_stand(space)
                && others.iter().all(|other| cells_apart(*other, space) > 0)
        };
        cells.filter(is_free).collect()
    }
    let target = order.target()?;
    let cells = run_system(known, ends, (who, target));
    let far = |cell: Cell| Some((distance(known, who, cell)?, cell));
    let mut ends: Vec<(u16, Cell)> = cells.into_iter().filter_map(far).collect();
    ends.sort_by_key(|&(feet, cell)| (feet, cell.y, cell.x));
    ends.into_iter().find_map(|(feet, cell)| {
        let found = standing_at(known, who, cell, |known| attacks(rules, known, who, order));
        let (odds, choice) = found.into_iter().next()?;
        Some((odds, choice, feet))
    })
}

/// The best charge at the target of an order, where what declares any attack declares a
/// charge as well.
fn charge(rules: &Ruleset, known: &mut World, who: Id, order: &Order) -> Option<Choice> {
    fn look(In((who, at)): In<(Id, Id)>, view: View) -> (Space, Vec<Item>) {
        let strikes = |item: &Item| view.weapon(*item).melee.is_some();
        let items = view.gear(who).at_hand().filter(strikes);
        (view.body(at).space(), items.collect())
    }
    let Order::Attack { target, by, with } = *order else {
        return None;
    };
    let verb = *rules.planning.charge.first()?;
    if !rules.planning.charges_by_attack() || by.is_some_and(|by| by != verb) {
        return None;
    }
    let (there, items) = run_system(known, look, (who, target));
    let end = (rules.threat_range)(known, who).charge_end(there)?;
    let items = items.into_iter();
    let meant = items.filter(|item| with.is_none_or(|with| with == *item));
    let choices = meant.filter_map(|item| {
        let choice = Choice::new(verb, who).at(target).with(item).to(end);
        Some(((rules.planning.odds)(known, &choice)?, choice))
    });
    choices.max_by_key(|found| found.0).map(|found| found.1)
}
