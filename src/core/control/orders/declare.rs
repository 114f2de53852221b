//! The declarations for an order, made before anything is carried out.

use super::{Order, Plan, distance, long_path};
use crate::{
    battle::{
        Action, AttackOdds, Body, Choice, Id, Item, Purpose, Ruleset, View, of_unit, run_system,
        standing_at,
    },
    grid::{Cell, Space, cells_apart},
};
use bevy_ecs::{system::In, world::World};
use std::cmp::Reverse;

/// Feet that most units can move and still attack.
const A_MOVE: u16 = 30;

/// Limits on how a unit attacks, in addition to its order.
#[derive(Clone, Copy, Default, Debug)]
pub struct Manner<'a> {
    /// Only these attacks. `None` allows all.
    pub attacks: Option<&'a [&'static Action]>,
    /// Only attacks that need exactly this one declaration. `None` allows all.
    pub declared: Option<&'static Action>,
    /// Whether the unit may move up first. `None` leaves that to the rules.
    pub comes: Option<bool>,
    /// Percent of the available defense that the unit keeps. `None` leaves that to the rules.
    pub guard: Option<i32>,
}

/// A plan to attack.
#[derive(Clone, PartialEq, Debug)]
pub struct AttackPlan {
    pub plan: Plan,
    pub attack: Choice,
    /// The cell from which the unit attacks.
    pub stand: Cell,
}

/// The plan for an order, by what `known` shows: its declarations, if units declare now, and
/// the attack and weapon it uses.
pub fn plan(rules: &Ruleset, known: &mut World, who: Id, order: Order) -> Plan {
    let planning = rules.planning;
    let mut plan = Plan::new(who, order);
    let purpose = match &plan.order {
        Order::Act { declared, .. } => {
            let is_declaring = (planning.declaring)(known);
            plan.declared.extend(is_declaring.then(|| declared.clone()));
            return plan;
        }
        Order::Guard => Purpose::Guard,
        Order::Move { to } => match distance(known, who, *to) {
            Some(feet) => Purpose::Move(feet),
            None => return plan,
        },
        Order::Attack { target, .. } => {
            let found = attack_plan(rules, known, who, &plan.order, &Manner::default());
            if let Some(found) = found {
                return found.plan;
            }
            // The target is out of reach for now, so the unit moves closer.
            let there = of_unit::<Body>(known, *target).at;
            plan.feet = long_path(known, who, there).len() as u16 * 5;
            Purpose::Move(plan.feet)
        }
    };
    plan.declared = declared(rules, known, who, &purpose);
    plan
}

/// The declarations for a purpose. Empty if units do not declare now.
fn declared(rules: &Ruleset, known: &mut World, who: Id, purpose: &Purpose) -> Vec<Choice> {
    match (rules.planning.declaring)(known) {
        true => (rules.planning.declare)(known, who, purpose),
        false => vec![],
    }
}

/// The plan for an attack order: from the unit's cell, by a charge, or from next to the target.
/// `None` if the target cannot be attacked.
pub fn attack_plan(
    rules: &Ruleset,
    known: &mut World,
    who: Id,
    order: &Order,
    manner: &Manner,
) -> Option<AttackPlan> {
    let target = order.target()?;
    let here = of_unit::<Body>(known, who).at;
    let now = attacks(rules, known, who, order, manner).into_iter().next();
    let comes = manner.comes;
    let comes = comes.unwrap_or_else(|| now.is_none() || rules.planning.advances);
    let near = comes.then(|| beside(rules, known, who, order, manner));
    let near = near.flatten().filter(|n| now.is_none() || n.feet <= A_MOVE);
    let (attack, feet, stand) = match (now, near) {
        (Some(now), Some(near)) if near.odds.worth > now.0.worth => {
            (near.attack, near.feet, near.stand)
        }
        (Some((_, attack)), _) => (attack, 0, here),
        // Units that cannot attack after a move charge instead.
        (None, near) => match charge(rules, known, who, order, manner) {
            Some((attack, end)) => (attack, 0, end),
            None => near.map(|n| (n.attack, n.feet, n.stand))?,
        },
    };
    let purpose = Purpose::Attack {
        attack: attack.clone(),
        feet,
        guard: manner.guard,
    };
    let order = Order::Attack {
        target,
        by: Some(attack.verb),
        with: attack.with,
    };
    Some(AttackPlan {
        plan: Plan {
            feet,
            declared: declared(rules, known, who, &purpose),
            ..Plan::new(who, order)
        },
        attack,
        stand,
    })
}

/// Whether the order and manner allow this attack.
fn is_wanted(
    rules: &Ruleset,
    known: &mut World,
    order: &Order,
    manner: &Manner,
    choice: &Choice,
) -> bool {
    let Order::Attack { by, with, .. } = *order else {
        return false;
    };
    let is_meant = by.is_none_or(|by| by == choice.verb)
        && (with.is_none() || choice.with == with)
        && manner.attacks.is_none_or(|all| all.contains(&choice.verb));
    let (Some(verb), Some(who), true) = (manner.declared, choice.who, is_meant) else {
        return is_meant;
    };
    let purpose = Purpose::Attack {
        attack: choice.clone(),
        feet: 0,
        guard: None,
    };
    let orders = (rules.planning.declare)(known, who, &purpose);
    matches!(&orders[..], [only] if only.verb == verb)
}

/// The possible attacks on the order's target from the unit's cell, most promising first.
pub(super) fn attacks(
    rules: &Ruleset,
    known: &mut World,
    who: Id,
    order: &Order,
    manner: &Manner,
) -> Vec<(AttackOdds, Choice)> {
    fn at_hand(In(who): In<Id>, view: View) -> Vec<(Item, bool)> {
        let items = view.gear(who).at_hand();
        let kinds = items.map(|item| (item, view.weapon(item).is_thrown()));
        kinds.collect()
    }
    let Some(target) = order.target() else {
        return vec![];
    };
    let items = run_system(known, at_hand, who);
    let mut found = vec![];
    for &(verb, arms) in rules.planning.attacks {
        for &(item, _) in items.iter().filter(|item| arms.fits(item.1)) {
            let choice = Choice::new(verb, who).at(target).with(item);
            if !is_wanted(rules, known, order, manner, &choice) {
                continue;
            }
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

/// An attack from a cell next to the target.
struct Beside {
    odds: AttackOdds,
    attack: Choice,
    feet: u16,
    stand: Cell,
}

/// The best attack from the nearest cell next to the target.
fn beside(
    rules: &Ruleset,
    known: &mut World,
    who: Id,
    order: &Order,
    manner: &Manner,
) -> Option<Beside> {
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
    ends.into_iter().find_map(|(feet, stand)| {
        let found = standing_at(known, who, stand, |known| {
            attacks(rules, known, who, order, manner)
        });
        let (odds, attack) = found.into_iter().next()?;
        Some(Beside {
            odds,
            attack,
            feet,
            stand,
        })
    })
}

/// The best charge at the order's target, and the cell where it ends. `None` if it is not
/// possible, or if charges need a declaration of their own.
fn charge(
    rules: &Ruleset,
    known: &mut World,
    who: Id,
    order: &Order,
    manner: &Manner,
) -> Option<(Choice, Cell)> {
    fn look(In((who, at)): In<(Id, Id)>, view: View) -> (Space, Vec<Item>) {
        let strikes = |item: &Item| view.weapon(*item).melee.is_some();
        let items = view.gear(who).at_hand().filter(strikes);
        (view.body(at).space(), items.collect())
    }
    let target = order.target()?;
    let verb = *rules.planning.charge.first()?;
    if !rules.planning.charges_by_attack() {
        return None;
    }
    let (there, items) = run_system(known, look, (who, target));
    let end = (rules.threat_range)(known, who).charge_end(there)?;
    let choices = items.into_iter().filter_map(|item| {
        let choice = Choice::new(verb, who).at(target).with(item).to(end);
        let is_wanted = is_wanted(rules, known, order, manner, &choice);
        let odds = is_wanted.then(|| (rules.planning.odds)(known, &choice))?;
        Some((odds?, choice))
    });
    let best = choices.max_by_key(|found| found.0);
    best.map(|(_, choice)| (choice, end))
}
