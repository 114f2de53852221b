//! What an asked unit answers for its plan.

use super::{
    Fallback, Order, Plan, Reason,
    advance::{MAX_ENDS, NEAR},
    declare::attacks,
    long_path,
};
use crate::{
    battle::{
        Action, Body, Choice, Decision, Id, Offer, Offers, PASS, Purpose, Ruleset, Side, View,
        of_unit, standing_at,
    },
    grid::{Cell, Space, cells_apart},
};
use bevy_ecs::world::World;
use std::{cmp::Reverse, sync::Arc};

/// What a plan needs at this point.
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    /// Give these answers, in order.
    Answer(Vec<Choice>),
    /// The plan's turn has not come yet.
    Wait,
    /// The plan is done or has nothing to do: decline the rest.
    Done,
    /// The plan cannot be carried out.
    Failed(Reason),
}

/// What an asked unit with a plan answers, by what `known` shows and by its offers.
pub fn next(rules: &Ruleset, known: &mut World, offers: &Arc<Vec<Offer>>, plan: &Plan) -> Next {
    let mut moment = Moment {
        rules,
        known,
        offers,
        plan,
    };
    let found = moment.as_ordered();
    let is_lost = match &found {
        Next::Failed(_) => true,
        Next::Done => plan.order.target().is_none(),
        Next::Answer(_) | Next::Wait => false,
    };
    match plan.fallback {
        _ if plan.is_begun || !is_lost => found,
        Fallback::Ask => found,
        Fallback::Another => moment.any_attack().map_or(found, Next::Answer),
        Fallback::Skip => Next::Done,
    }
}

/// The next step of a side whose units are asked.
#[derive(Clone, PartialEq, Debug)]
pub enum NextStep {
    /// This unit gives these answers.
    Give(Id, Vec<Choice>),
    /// No unit has more to do now: decline with this choice.
    Pass(Choice),
    /// This unit's plan cannot be carried out.
    Failed(Id, Reason),
    /// Ask the side.
    Ask,
}

/// Whether plans can answer this decision: it is a turn, or a prompt to a unit that holds.
pub fn is_moment(rules: &Ruleset, asked: &Decision) -> bool {
    let declares = |offer: &Offer| rules.planning.idle.contains(&offer.choice.verb);
    match &asked.offers {
        Offers::Listed(all) => !asked.reaction || all.iter().any(declares),
        Offers::ByActor(_) => true,
    }
}

/// The next step of a side whose units are asked, by what `known` shows. `sequence` is the
/// order in which they act, as far as chosen; `offers_of` gives the offers to a unit, `plan_of`
/// its plan if it has one.
pub fn carried_out<'a>(
    (rules, known): (&Ruleset, &mut World),
    asked: &Decision,
    sequence: &[Id],
    mut offers_of: impl FnMut(Id) -> Arc<Vec<Offer>>,
    plan_of: impl Fn(Id) -> Option<&'a Plan>,
) -> NextStep {
    let (mut rest, mut left) = (None, false);
    let mut actors = asked.actors.clone();
    let place = |who: &Id| sequence.iter().position(|id| id == who);
    actors.sort_by_key(|who| place(who).unwrap_or(usize::MAX));
    for who in actors {
        let Some(plan) = plan_of(who) else {
            left = true;
            continue;
        };
        match next(rules, known, &offers_of(who), plan) {
            Next::Answer(answers) => return NextStep::Give(who, answers),
            Next::Failed(reason) => return NextStep::Failed(who, reason),
            Next::Done => rest = rest.or(Some(who)),
            Next::Wait => {}
        }
    }
    if left {
        return NextStep::Ask;
    }
    let end_turn = rules.planning.end_turn;
    if let Some(end) = asked.common.iter().find(|c| Some(c.verb) == end_turn) {
        return NextStep::Pass(end.clone());
    }
    let who = rest.or(asked.actors.first().copied());
    let passing = who.and_then(|who| passes(rules, &offers_of(who)));
    passing.map_or(NextStep::Ask, NextStep::Pass)
}

/// The choice by which an asked unit declines the rest of its turn. `None` if it cannot.
pub fn passes(rules: &Ruleset, offers: &[Offer]) -> Option<Choice> {
    let planning = rules.planning;
    let is_idle = |offer: &&Offer| {
        let verb = offer.choice.verb;
        offer.is_legal() && (verb == &PASS || planning.idle.contains(&verb))
    };
    let done = first_offered(offers, planning.done.iter().copied());
    let found = done.or_else(|| offers.iter().find(is_idle));
    found.map(|offer| offer.choice.clone())
}

/// The first of these actions that is offered.
pub fn first_offered(
    offers: &[Offer],
    mut verbs: impl Iterator<Item = &'static Action>,
) -> Option<&Offer> {
    let legal = offers.iter().filter(|offer| offer.is_legal());
    verbs.find_map(|verb| legal.clone().find(|offer| offer.choice.verb == verb))
}

/// Whether the unit could attack its plan's target from its cell with the action it declared: a
/// spear declared for a strike is not thrown.
pub fn is_in_reach(rules: &Ruleset, known: &mut World, plan: &Plan) -> bool {
    let Some(target) = plan.order.target() else {
        return false;
    };
    let all = attacks(rules, known, plan.who, &Order::attack(target));
    let declare = rules.planning.declare;
    let mut is_declared = |attack: Choice| {
        let purpose = Purpose::attack(attack);
        let is_same =
            |o: &Choice, d: &Choice| o.verb == d.verb && (o.with.is_none() || o.with == d.with);
        let orders = declare(known, plan.who, &purpose);
        let mut orders = orders.iter();
        plan.declared.is_empty() || orders.any(|o| plan.declared.iter().any(|d| is_same(o, d)))
    };
    all.into_iter().any(|(_, attack)| is_declared(attack))
}

/// Whether the unit could make the attack of its order from its cell, by what `known` shows.
pub fn can_attack_now(rules: &Ruleset, known: &mut World, plan: &Plan) -> bool {
    !attacks(rules, known, plan.who, &plan.order).is_empty()
}

/// The point at which a unit with a plan is asked.
struct Moment<'a> {
    rules: &'a Ruleset,
    known: &'a mut World,
    offers: &'a [Offer],
    plan: &'a Plan,
}

impl Moment<'_> {
    /// The result of the order, without its fallback.
    fn as_ordered(&mut self) -> Next {
        match &self.plan.order {
            Order::Attack { target, .. } => self.attack(*target),
            Order::Move { to } => self.go(*to),
            Order::Act { declared, at, to } => self.act(declared, (*at, *to)),
            Order::Guard => self.any_attack().map_or(Next::Done, Next::Answer),
        }
    }

    fn attack(&mut self, target: Id) -> Next {
        let planning = self.rules.planning;
        let who = self.plan.who;
        let Order::Attack { by, with, .. } = self.plan.order else {
            return Next::Done;
        };
        let is_charge = by.is_some_and(|by| planning.is_charge(by));
        // A prompt that is seldom worth answering is not the time to attack either, except for the
        // planned attack itself: where a weapon can be thrown in melee, it is.
        let is_planned = |choice: &Choice| {
            let is_way = by == Some(choice.verb) && (with.is_none() || choice.with == with);
            is_way && choice.at == Some(target)
        };
        if !is_charge
            && (planning.is_skippable)(self.known, who)
            && self.legal(is_planned).is_empty()
        {
            return Next::Wait;
        }
        if let Some(over) = self.is_over(target) {
            return over;
        }
        let is_begun = self.plan.is_begun;
        // If attacks are asked for after moves, a unit with its target in reach waits for that.
        let is_later = planning.advances && planning.declares() && !is_begun && !is_charge;
        let waits = (planning.waits)(self.known, who)
            || is_later && is_in_reach(self.rules, self.known, self.plan);
        let is_meant = |choice: &Choice| {
            choice.at == Some(target)
                && match is_charge {
                    true => planning.is_charge(choice.verb),
                    false => planning.is_attack(choice.verb),
                }
        };
        // An order with a certain weapon and attack is not carried out in any other way.
        let strict = with.filter(|_| by.is_some() && !is_begun);
        let liked = |choice: &Choice| {
            let is_by = is_charge || by.is_none_or(|by| choice.verb == by);
            is_by && (with.is_none() || choice.with == with)
        };
        let all = self.legal(is_meant);
        // A unit that is meant to shoot or throw strikes if that is all it can do to a target
        // that has come close.
        let is_missile = by.is_some_and(|by| Some(by) != planning.melee()) && !is_charge;
        let strict = strict.filter(|_| !is_missile || all.iter().any(liked));
        let ways: Vec<Choice> = match all.iter().any(liked) {
            true => all.into_iter().filter(liked).collect(),
            false => all,
        };
        if let Some(choice) = self.best(ways) {
            let is_hasty = strict.is_some_and(|with| {
                // The weapon of the order acts later in the round than this one.
                (planning.later)(self.known, &choice).contains(&with)
            });
            if is_hasty {
                return Next::Done;
            }
            if strict.is_none() || liked(&choice) {
                return Next::Answer(vec![choice]);
            }
        }
        if waits {
            return Next::Wait;
        } else if is_begun {
            return Next::Done;
        }
        let advance = (planning.advances && !is_charge).then(|| self.advance(target));
        if let Some(answers) = advance.flatten() {
            return Next::Answer(answers);
        }
        // If moving leaves no room for the attack, the unit would lose the attack altogether.
        let is_lost = self.plan.feet == 0 && !planning.advances;
        let there = self.place(target);
        let nearer = (!is_lost).then(|| self.nearer(there)).flatten();
        nearer.unwrap_or_else(|| Next::Failed(self.hindered(target)))
    }

    fn go(&mut self, to: Cell) -> Next {
        let planning = self.rules.planning;
        if of_unit::<Body>(self.known, self.plan.who).at == to {
            return Next::Done;
        }
        let waits = (planning.waits)(self.known, self.plan.who);
        let ends = self.ends();
        if let Some((choice, _)) = ends.into_iter().find(|(choice, _)| choice.to == Some(to)) {
            return Next::Answer(vec![choice]);
        }
        if waits {
            return Next::Wait;
        } else if self.plan.is_begun {
            return Next::Done;
        }
        let nearer = self.nearer(to);
        nearer.unwrap_or_else(|| Next::Failed(self.blocked(to)))
    }

    fn act(&mut self, declared: &Choice, (at, to): (Option<Id>, Option<Cell>)) -> Next {
        let planning = self.rules.planning;
        if let Some(over) = at.and_then(|at| self.is_over(at)) {
            return over;
        }
        let Some(cell) = at.map(|at| self.place(at)).or(to) else {
            // An action without a target has already happened by itself, or does not happen.
            return Next::Done;
        };
        let verbs = planning.carries_out(declared.verb);
        let is_of = |choice: &Choice| {
            (choice.verb == declared.verb || verbs.contains(&choice.verb))
                && (declared.spell.is_none() || choice.spell == declared.spell)
        };
        let is_spell = declared.spell.is_some();
        let is_offered = self.offers.iter().any(|o| o.is_legal() && is_of(&o.choice));
        // A unit that can move before its action is not asked for the spell yet.
        if is_spell && planning.advances && !is_offered {
            return Next::Wait;
        }
        let waits = (planning.waits)(self.known, self.plan.who);
        let is_aimed = |choice: &Choice| match (choice.at, choice.to) {
            (Some(target), _) => Some(target) == at,
            (None, Some(to)) => to == cell,
            // The spell only begins now, and is aimed later.
            (None, None) => true,
        };
        let ways = self.legal(|choice| is_of(choice) && is_aimed(choice));
        if let Some(choice) = self.best(ways) {
            return Next::Answer(vec![choice]);
        }
        if waits {
            return Next::Wait;
        } else if self.plan.is_begun {
            return Next::Done;
        } else if is_spell {
            return Next::Failed(Reason::NoAim { at });
        }
        let nearer = self.nearer(cell);
        nearer.unwrap_or_else(|| {
            let mut refused = self.offers.iter().filter(|o| is_of(&o.choice));
            let why = refused.find_map(|offer| offer.why_not.clone());
            Next::Failed(match (why, at) {
                (Some(why), target) => Reason::Refused { target, why },
                (None, Some(at)) => self.hindered(at),
                (None, None) => self.blocked(cell),
            })
        })
    }

    /// The best attack on any enemy that is up and can be attacked now: with the order's weapon, or
    /// with another if that cannot be used.
    fn any_attack(&mut self) -> Option<Vec<Choice>> {
        let planning = self.rules.planning;
        let side = of_unit::<Body>(self.known, self.plan.who).side;
        let known = &*self.known;
        let is_enemy = |at: Id| {
            let body = of_unit::<Body>(known, at);
            body.is_up() && body.side != side
        };
        let is_meant =
            |choice: &Choice| planning.is_attack(choice.verb) && choice.at.is_some_and(is_enemy);
        let mut ways = self.legal(is_meant);
        if let Order::Attack {
            with: Some(with), ..
        } = self.plan.order
        {
            let is_with = |choice: &Choice| choice.with == Some(with);
            if ways.iter().any(is_with) {
                ways.retain(is_with);
            }
            // A weapon that acts later in the round is not given up for another.
            ways.retain(|choice| !(planning.later)(self.known, choice).contains(&with));
        }
        let now = self.best(ways).map(|choice| vec![choice]);
        now.or_else(|| self.declared_attack(side))
    }

    /// The declarations of the best attack on an enemy in reach, if a holding unit can still
    /// declare one.
    fn declared_attack(&mut self, side: Side) -> Option<Vec<Choice>> {
        let (rules, who) = (self.rules, self.plan.who);
        let enemies: Vec<Id> = View::read(self.known, |view| view.enemies(side).collect());
        let best = enemies.into_iter().filter_map(|target| {
            let all = attacks(rules, self.known, who, &Order::attack(target));
            all.into_iter().next()
        });
        let (_, attack) = best.max_by_key(|found| found.0)?;
        let purpose = Purpose::attack(attack);
        let orders = (rules.planning.declare)(self.known, who, &purpose);
        let first = orders.first()?;
        let mut legal = self.offers.iter().filter(|offer| offer.is_legal());
        legal.any(|offer| offer.covers(first)).then_some(orders)
    }

    /// The result for a plan whose target is out of the fight. `None` if the target is still in
    /// it.
    fn is_over(&self, target: Id) -> Option<Next> {
        let side = |id: Id| of_unit::<Body>(self.known, id).side;
        let gone = Reason::gone(self.known, target);
        let gone = gone.filter(|_| side(target) != side(self.plan.who))?;
        Some(match self.plan.is_begun {
            true => Next::Done,
            false => Next::Failed(gone),
        })
    }

    fn place(&self, id: Id) -> Cell {
        of_unit::<Body>(self.known, id).at
    }

    /// All legal choices that match.
    fn legal(&self, is_meant: impl Fn(&Choice) -> bool) -> Vec<Choice> {
        let legal = self.offers.iter().filter(|offer| offer.is_legal());
        let all = legal.flat_map(Offer::each).map(|offer| offer.choice);
        all.filter(is_meant).collect()
    }

    /// The choice that the quick AI prefers among these.
    fn best(&mut self, mut ways: Vec<Choice>) -> Option<Choice> {
        if ways.len() < 2 {
            return ways.pop().map(|only| self.numbered(only));
        }
        let is_way = |offer: &Offer| ways.contains(&offer.choice);
        let each = self.offers.iter().flat_map(Offer::each);
        let offers: Vec<Offer> = each.filter(is_way).collect();
        let policy = self.rules.policy;
        Some(policy(self.known, self.plan.who, &Arc::new(offers)).0)
    }

    /// The choice with its greatest number, if it takes one.
    fn numbered(&self, choice: Choice) -> Choice {
        let offer = self.offers.iter().find(|offer| offer.choice == choice);
        match offer.and_then(|offer| offer.numbers) {
            Some((_, most)) => choice.number(most),
            None => choice,
        }
    }

    /// All possible moves with their feet, the usual kind of move first.
    fn ends(&self) -> Vec<(Choice, u16)> {
        let walks = self.rules.planning.walks;
        let of = |verb| {
            let legal = self.offers.iter().filter(|offer| offer.is_legal());
            let own = legal.filter(move |offer| offer.choice.verb == verb);
            own.flat_map(Offer::each).map(|end| (end.choice, end.feet))
        };
        let ends = walks.iter().flat_map(|verb| of(*verb));
        ends.filter(|(choice, _)| choice.to.is_some()).collect()
    }

    /// A move, and the attack from its end. Moves that provoke no attack come first, then a
    /// higher chance to hit, then a shorter path.
    fn advance(&mut self, target: Id) -> Option<Vec<Choice>> {
        let (who, usual) = (self.plan.who, *self.rules.planning.walks.first()?);
        let size = of_unit::<Body>(self.known, who).size;
        let there = of_unit::<Body>(self.known, target).space();
        let gap = |cell: Cell| cells_apart(Space::new(cell, size), there);
        let legal = self.offers.iter().filter(|offer| offer.is_legal());
        let own = legal.filter(|offer| offer.choice.verb == usual);
        let ends = own.flat_map(Offer::each).filter_map(|end| {
            let to = end.choice.to?;
            Some((end.feet, to, end))
        });
        let mut ends: Vec<(u16, Cell, Offer)> = ends.collect();
        ends.sort_by_key(|&(feet, cell, _)| (feet, cell.y, cell.x));
        let near = ends.iter().filter(|end| gap(end.1) <= NEAR);
        let far = ends.iter().filter(|end| gap(end.1) > NEAR);
        let order = &self.plan.order;
        let mut best: Option<((bool, u32, Reverse<u16>), Vec<Choice>)> = None;
        for (feet, cell, end) in near.take(MAX_ENDS).chain(far.take(MAX_ENDS)) {
            let rules = self.rules;
            let all = standing_at(self.known, who, *cell, |known| {
                attacks(rules, known, who, order)
            });
            // Only attacks that are offered in this turn can follow the move.
            let is_offered =
                |attack: &Choice| self.offers.iter().any(|o| o.choice.verb == attack.verb);
            let Some((odds, attack)) = all.into_iter().find(|found| is_offered(&found.1)) else {
                continue;
            };
            let rank = (end.provoked == 0, odds.percent, Reverse(*feet));
            if best.as_ref().is_none_or(|best| best.0 < rank) {
                best = Some((rank, vec![end.choice.clone(), attack]));
            }
        }
        best.map(|(_, answers)| answers)
    }

    /// A move that gets as close to a cell as possible, along the path there. An attack plan
    /// fails instead if the only possible move is a withdrawal, which does not bring the unit
    /// closer.
    fn nearer(&mut self, cell: Cell) -> Option<Next> {
        let who = self.plan.who;
        let ends = self.ends();
        let body = of_unit::<Body>(self.known, who);
        let (here, size) = (body.at, body.size);
        let path = long_path(self.known, who, cell);
        let is_end = |c: &&Cell| ends.iter().any(|(choice, _)| choice.to == Some(**c));
        let end = path.iter().rev().find(is_end).copied().or_else(|| {
            // No path gets there, so the unit moves straight towards it.
            let gap = |c: Cell| cells_apart(Space::new(c, size), cell.into());
            let all = ends.iter().filter_map(|(choice, feet)| {
                let cell = choice.to?;
                Some((gap(cell), *feet, cell))
            });
            let best = all.min_by_key(|e| (e.0, e.1, e.2.y, e.2.x))?;
            (best.0 < gap(here)).then_some(best.2)
        })?;
        let (choice, _) = ends.into_iter().find(|(c, _)| c.to == Some(end))?;
        let is_usual = self.rules.planning.walks.first() == Some(&choice.verb);
        let is_attack = self.plan.order.target().is_some();
        Some(match is_attack && !is_usual {
            false => Next::Answer(vec![choice]),
            true => {
                let adjacent = Reason::adjacent_enemy(self.known, who);
                Next::Failed(adjacent.unwrap_or(Reason::LeadsAway))
            }
        })
    }

    /// Why the unit cannot attack a target: a shared cell, an adjacent enemy, no line of sight, or
    /// the distance.
    fn hindered(&mut self, target: Id) -> Reason {
        let who = self.plan.who;
        if let Some(shares) = Reason::shares_cell(self.rules, self.known, who) {
            return shares;
        }
        let own = of_unit::<Body>(self.known, who).space();
        let apart = cells_apart(own, of_unit::<Body>(self.known, target).space());
        if apart <= 1 && self.needs_distance() {
            // The target itself, if adjacent, also keeps a unit from shooting.
            return Reason::Adjacent { enemy: target, who };
        } else if apart <= 1 {
            let planning = self.rules.planning;
            let is_attack = |offer: &&Offer| {
                offer.choice.at == Some(target) && planning.is_attack(offer.choice.verb)
            };
            let attacks = || self.offers.iter().filter(is_attack);
            let why = attacks().find_map(|offer| offer.why_not.clone());
            let with = match self.plan.order {
                Order::Attack { with, .. } => with,
                _ => None,
            };
            return match (why, with) {
                (Some(why), _) => Reason::Refused {
                    target: Some(target),
                    why,
                },
                (None, Some(with)) if attacks().next().is_some() => Reason::NoWeapon { with },
                (None, _) => Reason::OutOfTime { target: None },
            };
        }
        match Reason::adjacent_enemy(self.known, who) {
            Some(Reason::Adjacent { enemy, who }) if !self.needs_distance() => {
                Reason::HeldInMelee { target, enemy, who }
            }
            Some(adjacent) => adjacent,
            None => Reason::too_far(self.rules, self.known, self.plan, target),
        }
    }

    /// Whether the plan is a shot, a throw or a charge, which an adjacent enemy can prevent.
    fn needs_distance(&self) -> bool {
        let planning = self.rules.planning;
        let by = match &self.plan.order {
            Order::Attack { by, .. } => *by,
            Order::Act { declared, .. } => Some(declared.verb),
            Order::Move { .. } | Order::Guard => None,
        };
        by.is_some_and(|by| {
            planning.is_charge(by) || planning.is_attack(by) && Some(by) != planning.melee()
        })
    }

    /// Why the unit cannot move to a cell: the rules hold it, another unit is there, or no path
    /// leads there.
    fn blocked(&mut self, to: Cell) -> Reason {
        let who = self.plan.who;
        if let Some((why, _)) = (self.rules.planning.stuck)(self.known, who) {
            return Reason::Refused { target: None, why };
        }
        let other = Reason::occupied(self.known, who, to);
        other.unwrap_or(Reason::NoPath { to })
    }
}
