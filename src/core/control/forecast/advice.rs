//! What orders would do to a side's win probability. The quick AI plays all sides on for two
//! rounds after each, on a fork of what the side knows and with the same dice for all; then the
//! formula estimates who wins.

use super::{
    OrderReason, chances_after, formula,
    reason::{cells_in_danger, reason},
};
use crate::{
    battle::{Battle, Choice, Decision, Event, EventKind, Id, Side},
    control::{
        interval::Z,
        strategist::{error, mean, promising_choices, varied_choices},
    },
};

/// The most playouts of each order.
const MAX: usize = 240;
/// After this many playouts, orders that are clearly worse than the best get no more.
const ENOUGH: usize = 40;
/// After this many playouts of each order, the best are known well enough to be listed.
const FIRST: usize = 20;
/// How many orders are listed.
const NAMED: usize = 3;

/// Orders that are compared for as long as the caller allows.
pub struct Advice {
    base: Battle,
    side: Side,
    seed: u64,
    /// The first is the quick AI's order.
    tried: Vec<TriedOrders>,
}

/// Orders given one after the other, and the win probability after them for each set of dice.
struct TriedOrders {
    orders: Vec<Choice>,
    values: Vec<f32>,
    /// See [`OrderAdvice::plan`].
    plan: Vec<Choice>,
    /// See [`OrderAdvice::reason`]; known after the first playout.
    reason: Option<OrderReason>,
    /// Whether the player added them by pointing at them; they did not look promising at first.
    is_added: bool,
    /// Whether the player points at them now.
    is_under_pointer: bool,
}

/// The effect of orders on the win probability.
#[derive(Clone, PartialEq, Debug)]
pub struct OrderAdvice {
    /// The first of the orders.
    pub choice: Choice,
    /// What the unit does with it in the first playout, if it is a declaration without a target or
    /// cell: its move, then its first action with a target. If it is a move on a turn that allows an
    /// attack after it: the action with a target that follows. Empty otherwise.
    pub plan: Vec<Choice>,
    /// The largest effect of the orders, or of the plan. `None` if they only wait.
    pub reason: Option<OrderReason>,
    /// What the orders add to the win probability, from -1 to 1, compared with the quick AI's
    /// order; and how far off that may be, with 95% confidence.
    pub gain: f32,
    pub error: f32,
    pub playouts: u32,
    /// Whether it is the quick AI's order.
    pub is_quick: bool,
}

impl OrderAdvice {
    /// The action that follows a move in the same turn.
    pub fn follow_up(&self) -> Option<&Choice> {
        self.plan.first().filter(|_| self.choice.to.is_some())
    }

    /// What the unit is to do now: the order, and what follows a move in the same turn.
    pub fn orders(&self) -> Vec<Choice> {
        let orders = std::iter::once(&self.choice).chain(self.follow_up());
        orders.cloned().collect()
    }

    /// Whether two orders of a unit differ only in their cell: one action on one target, or moves
    /// for one reason.
    fn is_like(&self, other: &Self) -> bool {
        let anywhere = |one: &Self| Choice {
            to: None,
            along: None,
            ..one.follow_up().unwrap_or(&one.choice).clone()
        };
        let own = anywhere(self);
        own == anywhere(other) && (own.at.is_some() || self.reason == other.reason)
    }

    /// The gain and its error in whole percentage points; the error is at least 1.
    pub fn points(&self) -> (i32, i32) {
        let percent = |share: f32| (share * 100.0).round() as i32;
        (percent(self.gain), percent(self.error).max(1))
    }

    /// The gain in whole percentage points, or 0 if it is within its error.
    pub fn beyond_error(&self) -> i32 {
        let (gain, error) = self.points();
        if gain.abs() > error { gain } else { 0 }
    }

    /// The gain minus its error.
    fn at_least(&self) -> f32 {
        self.gain - self.error
    }
}

impl Advice {
    /// Advice on the open decision of `base`, a fork of what the side knows. `None` if no
    /// formula was fitted, or if there are not at least two orders to choose from.
    pub fn of(mut base: Battle, side: Side, seed: u64) -> Option<Self> {
        formula(base.rules())?;
        let danger = cells_in_danger(&mut base, side);
        let is_in_danger = |walk: &Choice| walk.to.is_some_and(|cell| danger.contains(&cell));
        let mut choices = varied_choices(&mut base, is_in_danger);
        if choices.len() < 2 {
            // A decision that is only about a cell.
            choices = promising_choices(&mut base, 0);
        }
        let tried: Vec<TriedOrders> = choices
            .into_iter()
            .map(|choice| TriedOrders::of(vec![choice], false))
            .collect();
        (tried.len() > 1).then_some(Self {
            base,
            side,
            seed,
            tried,
        })
    }

    /// Also rates these orders, replacing the ones that the player pointed at before.
    pub fn point(&mut self, orders: &[Choice]) {
        // Orders that the player only pointed at briefly are not worth more playouts.
        let tried = &mut self.tried;
        tried.retain(|one| !one.is_added || one.values.len() >= ENOUGH);
        for one in &mut *tried {
            one.is_under_pointer = false;
        }
        if let Some(known) = tried.iter_mut().find(|one| one.orders == orders) {
            known.is_under_pointer = true;
        } else if let Some(first) = orders.first()
            && self.base.check(first).is_ok()
        {
            self.tried.push(TriedOrders::of(orders.to_vec(), true));
        }
    }

    /// Runs playouts, always for the order with the fewest, until `enough` returns true. False
    /// if none are left to run.
    pub fn run_playouts(&mut self, enough: &dyn Fn() -> bool) -> bool {
        while !enough() {
            let Some(next) = self.next() else {
                return false;
            };
            let (value, plan) = self.play_on(next);
            let one = &mut self.tried[next];
            let is_first = one.values.is_empty();
            one.values.push(value);
            one.plan = plan;
            if is_first {
                let choices = [&one.orders[..], &one.plan].concat();
                one.reason = reason(&mut self.base, self.side, &choices);
            }
        }
        true
    }

    /// The index of the next order to play on.
    fn next(&self) -> Option<usize> {
        let bounds = self.tried.iter().map(TriedOrders::lower_bound);
        let best = bounds.fold(0.0, f32::max);
        let is_open = |(nth, one): &(usize, &TriedOrders)| match one.values.len() {
            ..ENOUGH => true,
            ENOUGH..MAX => *nth == 0 || one.is_under_pointer || one.upper_bound() >= best,
            _ => false,
        };
        let open = self.tried.iter().enumerate().filter(is_open);
        let least = open.min_by_key(|(_, one)| one.values.len());
        least.map(|(nth, _)| nth)
    }

    /// The side's win probability after the orders at this index with the next dice, and the plan
    /// of the first playout.
    fn play_on(&mut self, index: usize) -> (f32, Vec<Choice>) {
        let one = &self.tried[index];
        let nth = one.values.len() as u64;
        let mut plan = one.plan.clone();
        let is_first = nth == 0 && self.base.asked().is_some_and(Decision::is_turn);
        let is_stuck = is_first && is_stuck(&mut self.base, &one.orders);
        let look = |battle: &Battle| {
            if is_first {
                plan = plan_after(battle, &one.orders, is_stuck);
                plan.extend(follow_up(battle, &one.orders));
            }
        };
        let seed = self.seed.wrapping_add(nth);
        let chances = chances_after(&self.base, &one.orders, seed, look);
        (chances[self.side.index()], plan)
    }

    /// The best orders, best first: by gain in whole points, where a gain within its error counts
    /// as 0. Among equals, orders of the unit `chosen` come first, and work without a target, such
    /// as a parley or flight, comes last; then the quick AI's order comes first, which has gain 0,
    /// and then the gain minus the error counts. Of orders that differ only in their cell, only the
    /// first is listed, and the quick AI's. The best order of `chosen` is always listed.
    pub fn best(&self, chosen: Option<Id>) -> Vec<OrderAdvice> {
        let own = self.tried.iter().filter(|one| !one.values.is_empty());
        let mut all: Vec<OrderAdvice> = own.map(|one| self.rate(one)).collect();
        let works = self.base.rules().planning.works;
        let has_no_target =
            |one: &OrderAdvice| one.choice.at.is_none() && works.contains(&one.choice.verb);
        let is_chosen = |one: &OrderAdvice| chosen.is_some() && one.choice.who == chosen;
        all.sort_by(|a, b| {
            let by_gain = b.beyond_error().cmp(&a.beyond_error());
            let by_unit = by_gain.then(is_chosen(b).cmp(&is_chosen(a)));
            let by_work = by_unit.then(has_no_target(a).cmp(&has_no_target(b)));
            let by_quick = by_work.then(b.is_quick.cmp(&a.is_quick));
            by_quick.then(b.at_least().total_cmp(&a.at_least()))
        });
        let mut varied: Vec<OrderAdvice> = vec![];
        for one in all {
            if one.is_quick || !varied.iter().any(|other| other.is_like(&one)) {
                varied.push(one);
            }
        }
        let mut all = varied;
        if let Some(nth) = all.iter().position(is_chosen)
            && nth >= NAMED
        {
            all[NAMED - 1..=nth].rotate_right(1);
        }
        all.truncate(NAMED);
        all
    }

    /// The current ratings of orders listed before, in the order of the list.
    pub fn rated(&self, listed: &[OrderAdvice]) -> Vec<OrderAdvice> {
        let now = |old: &OrderAdvice| {
            let mut tried = self.tried.iter();
            let one = tried.find(|one| one.orders[0] == old.choice && !one.values.is_empty());
            one.map_or_else(|| old.clone(), |one| self.rate(one))
        };
        listed.iter().map(now).collect()
    }

    /// The share of the first playouts that is done, 0 to 1. At 1 the best orders can be listed.
    pub fn progress(&self) -> f32 {
        let own = self.tried.iter().filter(|one| !one.is_added);
        let (done, all) = own.fold((0, 0), |(done, all), one| {
            (done + one.values.len().min(FIRST), all + FIRST)
        });
        done as f32 / all.max(1) as f32
    }

    /// The orders that the player points at, if they have been played on.
    pub fn under_pointer(&self) -> Option<OrderAdvice> {
        let mut tried = self.tried.iter();
        let one = tried.find(|one| one.is_under_pointer && !one.values.is_empty())?;
        Some(self.rate(one))
    }

    fn rate(&self, one: &TriedOrders) -> OrderAdvice {
        let quick = &self.tried[0];
        let pairs = one.values.iter().zip(&quick.values);
        let gains: Vec<f32> = pairs.map(|(own, quick)| own - quick).collect();
        OrderAdvice {
            choice: one.orders[0].clone(),
            plan: one.plan.clone(),
            reason: one.reason.clone(),
            gain: mean(&gains),
            error: Z as f32 * error(&gains),
            playouts: one.values.len() as u32,
            is_quick: std::ptr::eq(one, quick),
        }
    }
}

impl TriedOrders {
    fn of(orders: Vec<Choice>, is_added: bool) -> Self {
        Self {
            orders,
            values: vec![],
            plan: vec![],
            reason: None,
            is_added,
            is_under_pointer: is_added,
        }
    }

    /// Two standard errors below the mean; `upper_bound` is two above.
    fn lower_bound(&self) -> f32 {
        mean(&self.values) - 2.0 * error(&self.values)
    }

    fn upper_bound(&self) -> f32 {
        mean(&self.values) + 2.0 * error(&self.values)
    }
}

/// Whether the unit of these orders can't walk away in this round, and does not declare what leads
/// away. Whether it can walk later depends on what others do first.
fn is_stuck(base: &mut Battle, orders: &[Choice]) -> bool {
    let stuck = base.rules().planning.stuck;
    let unit = orders
        .first()
        .and_then(|first| Some((first.who?, first.verb)));
    unit.is_some_and(|(who, verb)| {
        let found = base.with_world(|world| stuck(world, who));
        found.is_some_and(|(_, away)| away != verb)
    })
}

/// What follows a move on the unit's turn: its next action, if that has a target. `battle` is a fork
/// in which the orders were given and played on.
fn follow_up(battle: &Battle, orders: &[Choice]) -> Option<Choice> {
    let planning = battle.rules().planning;
    let is_walk = |choice: &Choice| planning.walks.contains(&choice.verb);
    let first = orders
        .first()
        .filter(|first| planning.advances && is_walk(first))?;
    if let Some(given) = orders.get(1) {
        return Some(given.clone());
    }
    let ends_turn = |choice: &Choice| planning.end_turn == Some(choice.verb);
    let turn = battle.answers().iter().enumerate().skip(1);
    let mut turn = turn.take_while(|(_, choice)| !ends_turn(choice));
    let is_next = |nth: usize, who: Option<Id>| who == first.who && !battle.was_reaction(nth);
    let (_, next) = turn.find(|(nth, choice)| is_next(*nth, choice.who))?;
    next.at.map(|_| next.clone())
}

/// See [`OrderAdvice::plan`]; `battle` is a fork in which the orders were given and played on.
/// Moves are left out if the unit `is_stuck`.
fn plan_after(battle: &Battle, orders: &[Choice], is_stuck: bool) -> Vec<Choice> {
    let planning = battle.rules().planning;
    let is_open = |first: &&Choice| {
        let is_named = first.at.is_some() || first.to.is_some();
        planning.declares() && !is_named && !planning.done.contains(&first.verb)
    };
    let Some(who) = orders.first().filter(is_open).and_then(|first| first.who) else {
        return vec![];
    };
    let begins = |event: &Event| matches!(event.what, EventKind::RoundBegan { .. });
    let end = battle.events().iter().position(begins);
    let is_of_round = |nth: usize| end.is_none_or(|end| battle.events_before(nth) <= end);
    let carries_out = |choice: &&Choice| {
        let mut declared = planning.carried_out.iter();
        planning.walks.contains(&choice.verb) && !is_stuck
            || planning.is_attack(choice.verb)
            || planning.is_charge(choice.verb)
            || declared.any(|row| row.1.contains(&choice.verb))
    };
    let later = battle.answers().iter().enumerate().skip(orders.len());
    let own = later.filter(|(nth, choice)| choice.who == Some(who) && is_of_round(*nth));
    let own = own.map(|(_, choice)| choice).filter(carries_out);
    let own: Vec<&Choice> = own.collect();
    let aimed = own.iter().position(|choice| choice.at.is_some());
    let aimed = aimed.unwrap_or(own.len());
    // A unit may walk in several steps, and then with another verb, such as to take position.
    let mut walks = own[..aimed].iter().filter(|choice| choice.to.is_some());
    let first = walks.clone().next();
    let walk = walks.rfind(|walk| first.is_some_and(|first| walk.verb == first.verb));
    let plan = walk.into_iter().chain(own.get(aimed));
    plan.map(|&choice| choice.clone()).collect()
}
