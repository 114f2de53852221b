//! The declarations for an order, made before anything is carried out.

use super::{Order, Plan, distance, long_path, nearest};
use crate::{
    battle::{
        Action, AttackOdds, Body, Choice, Id, Item, Purpose, Ruleset, View, of_unit, standing_at,
    },
    content::Make,
    control::exchange::{charges, plain_attacks},
    grid::{Cell, Space, cells_apart},
};
use bevy_ecs::world::World;
use std::cmp::Reverse;

/// Feet that most units can move and still attack.
pub const A_MOVE: u16 = 30;

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
    let attacker = Attacker {
        rules,
        who,
        order,
        manner,
    };
    let here = of_unit::<Body>(known, who).at;
    let now = attacker.attacks(known).into_iter().next();
    let comes = manner.comes;
    let comes = comes.unwrap_or_else(|| now.is_none() || rules.planning.advances);
    let near = comes.then(|| attacker.beside(known, target)).flatten();
    let near = near.filter(|n| now.is_none() || n.feet <= A_MOVE);
    let (attack, feet, stand) = match (now, near) {
        (Some(now), Some(near)) if near.odds.worth > now.0.worth => {
            (near.attack, near.feet, near.stand)
        }
        (Some((_, attack)), _) => (attack, 0, here),
        // Units that cannot attack after a move charge instead.
        (None, near) => match attacker.charge(known, target) {
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

/// The weapons with which a unit could declare an attack on a target, most promising first and bare
/// hands last, which every unit has. Empty if it has no choice.
pub fn weapons(rules: &Ruleset, known: &mut World, who: Id, target: Id) -> Vec<Item> {
    let ways = plain_attacks(rules, known, who, target);
    let mut items: Vec<Item> = ways.into_iter().filter_map(|way| way.with).collect();
    items.sort_unstable();
    items.dedup();
    if items.len() < 2 {
        return vec![];
    }
    let ranked = |item: Item| {
        let order = Order::Attack {
            target,
            by: None,
            with: Some(item),
        };
        let found = attack_plan(rules, known, who, &order, &Manner::default())?;
        let odds = |known: &mut World| (rules.planning.odds)(known, &found.attack);
        let odds = standing_at(known, who, found.stand, odds);
        let is_unarmed = View::read(known, |view| view.weapon(item).make == Make::Unarmed);
        let rank = (is_unarmed, Reverse(odds), item);
        (!found.plan.declared.is_empty()).then_some(rank)
    };
    let mut found: Vec<(bool, Reverse<Option<AttackOdds>>, Item)> =
        items.into_iter().filter_map(ranked).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, item)| item).collect()
}

/// The possible attacks on the order's target from the unit's cell, most promising first.
pub(super) fn attacks(
    rules: &Ruleset,
    known: &mut World,
    who: Id,
    order: &Order,
) -> Vec<(AttackOdds, Choice)> {
    let attacker = Attacker {
        rules,
        who,
        order,
        manner: &Manner::default(),
    };
    attacker.attacks(known)
}

/// A unit with an attack order.
struct Attacker<'a> {
    rules: &'a Ruleset,
    who: Id,
    order: &'a Order,
    manner: &'a Manner<'a>,
}

/// An attack from a cell next to the target.
struct Beside {
    odds: AttackOdds,
    attack: Choice,
    feet: u16,
    stand: Cell,
}

impl Attacker<'_> {
    /// Whether the order and manner allow this attack.
    fn wants(&self, known: &mut World, choice: &Choice) -> bool {
        let Order::Attack { by, with, .. } = *self.order else {
            return false;
        };
        let is_meant = by.is_none_or(|by| by == choice.verb)
            && (with.is_none() || choice.with == with)
            && (self.manner.attacks).is_none_or(|all| all.contains(&choice.verb));
        let (Some(verb), true) = (self.manner.declared, is_meant) else {
            return is_meant;
        };
        let purpose = Purpose::attack(choice.clone());
        let orders = (self.rules.planning.declare)(known, self.who, &purpose);
        matches!(&orders[..], [only] if only.verb == verb)
    }

    /// The wanted ones of these attacks that are possible.
    fn possible(&self, known: &mut World, ways: Vec<Choice>) -> Vec<(AttackOdds, Choice)> {
        let possible = ways.into_iter().filter_map(|way| {
            let is_wanted = self.wants(known, &way);
            let odds = is_wanted.then(|| (self.rules.planning.odds)(known, &way))?;
            Some((odds?, way))
        });
        possible.collect()
    }

    /// The possible attacks on the order's target from the unit's cell, most promising first.
    fn attacks(&self, known: &mut World) -> Vec<(AttackOdds, Choice)> {
        let Some(target) = self.order.target() else {
            return vec![];
        };
        let ways = plain_attacks(self.rules, known, self.who, target);
        let mut found = self.possible(known, ways);
        found.retain(|(odds, _)| odds.percent > 0);
        found.sort_by_key(|found| Reverse(found.0));
        found
    }

    /// The best attack from the nearest cell next to the target.
    fn beside(&self, known: &mut World, target: Id) -> Option<Beside> {
        let ends = |view: View| -> Vec<Cell> {
            let (own, there) = (view.body(self.who), view.body(target));
            let near = i16::from(own.size.max(1));
            let side = i16::from(there.size.max(1));
            let cells = (-near..=side).flat_map(|x| (-near..=side).map(move |y| (x, y)));
            let cells = cells.map(|(x, y)| Cell::new(there.at.x + x, there.at.y + y));
            let is_other = |id: &Id| *id != self.who && view.body(*id).is_up();
            let others = view.ids().filter(is_other);
            let others: Vec<Space> = others.map(|id| view.body(id).space()).collect();
            let is_free = |cell: &Cell| {
                let space = Space::new(*cell, own.size);
                cells_apart(space, there.space()) == 1
                    && view.board.can_stand(space)
                    && others.iter().all(|other| cells_apart(*other, space) > 0)
            };
            cells.filter(is_free).collect()
        };
        let mut ends = View::read(known, ends);
        while let Some((feet, stand)) = nearest(known, self.who, ends.clone()) {
            let found = standing_at(known, self.who, stand, |known| self.attacks(known));
            if let Some((odds, attack)) = found.into_iter().next() {
                return Some(Beside {
                    odds,
                    attack,
                    feet,
                    stand,
                });
            }
            ends.retain(|&end| end != stand);
        }
        None
    }

    /// The best charge at the target, and the cell where it ends. `None` if it is not possible, or
    /// if charges need a declaration of their own.
    fn charge(&self, known: &mut World, target: Id) -> Option<(Choice, Cell)> {
        if !self.rules.planning.charges_by_attack() {
            return None;
        }
        let approach = (self.rules.attack_approach)(known, (self.who, target));
        let ways = charges(self.rules, known, (self.who, target), &approach);
        let possible = self.possible(known, ways).into_iter();
        let (_, best) = possible.max_by_key(|found| found.0)?;
        let end = best.to?;
        Some((best, end))
    }
}
