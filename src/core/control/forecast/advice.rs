//! What orders would do to a side's chances: each is played on by the quick AI for
//! all, on a fork of what the side knows and with the same dice, for two rounds;
//! then the formula says who is likely to win.

use super::{chances_after, formula};
use crate::{
    battle::{Battle, Choice, Side},
    control::strategist::{Pool, error, mean, worth_a_look},
};

/// How often each is played on at most.
const MOST: usize = 240;
/// After so many, what is clearly worse than the best is left as it is.
const ENOUGH: usize = 40;
/// Orders that are named.
const NAMED: usize = 3;

/// Orders that are weighed up, for as long as somebody waits for it.
pub struct Advice {
    base: Battle,
    side: Side,
    seed: u64,
    pool: Pool,
    /// The first is what the quick AI would do.
    tried: Vec<Tried>,
}

/// Orders, given one after the other, and the chances after them by their dice.
struct Tried {
    orders: Vec<Choice>,
    values: Vec<f32>,
    /// They did not look good at first sight: the player has pointed at them.
    is_added: bool,
    /// The player points at them.
    is_meant: bool,
}

/// What orders would do to the chances.
#[derive(Clone, PartialEq, Debug)]
pub struct Counsel {
    /// What is done first.
    pub choice: Choice,
    /// What they add to the chance to win, -1 to 1, against what the quick AI
    /// would do, and the standard error of that.
    pub gain: f32,
    pub error: f32,
    pub playouts: u32,
    /// The quick AI would do it.
    pub is_quick: bool,
}

impl Counsel {
    /// What it adds, less the error.
    fn at_least(&self) -> f32 {
        self.gain - self.error
    }
}

impl Advice {
    /// The open question of a fork of what a side knows; none where no formula was
    /// fitted, or where there is nothing to choose.
    pub fn of(mut base: Battle, side: Side, seed: u64) -> Option<Self> {
        formula(base.rules())?;
        let tried: Vec<Tried> = worth_a_look(&mut base)
            .into_iter()
            .map(|choice| Tried::of(vec![choice], false))
            .collect();
        (tried.len() > 1).then_some(Self {
            base,
            side,
            seed,
            pool: Pool::default(),
            tried,
        })
    }

    /// Weighs up these as well, in place of what the player pointed at before.
    pub fn point(&mut self, orders: &[Choice]) {
        // What was only passed by is not worth more playouts.
        self.tried
            .retain(|one| !one.is_added || one.values.len() >= ENOUGH);
        self.tried.iter_mut().for_each(|one| one.is_meant = false);
        if let Some(known) = self.tried.iter_mut().find(|one| one.orders == orders) {
            known.is_meant = true;
        } else if let Some(first) = orders.first()
            && self.base.check(first).is_ok()
        {
            self.tried.push(Tried::of(orders.to_vec(), true));
        }
    }

    /// Plays on, what was played least first, until it is `enough`; false: there
    /// is nothing left to play.
    pub fn go_on(&mut self, enough: &dyn Fn() -> bool) -> bool {
        while !enough() {
            let Some(next) = self.next() else {
                return false;
            };
            let dice = self.tried[next].values.len() as u64;
            let value = self.value(&self.tried[next].orders, self.seed.wrapping_add(dice));
            self.tried[next].values.push(value);
        }
        true
    }

    /// Whose turn it is to be played on.
    fn next(&self) -> Option<usize> {
        let best = self.tried.iter().map(Tried::least).fold(0.0, f32::max);
        let is_open = |(nth, one): &(usize, &Tried)| match one.values.len() {
            ..ENOUGH => true,
            ENOUGH..MOST => *nth == 0 || one.is_meant || one.most() >= best,
            _ => false,
        };
        let open = self.tried.iter().enumerate().filter(is_open);
        let least = open.min_by_key(|(_, one)| one.values.len());
        least.map(|(nth, _)| nth)
    }

    /// The chance of the side to win after these, when the dice fall so.
    fn value(&self, orders: &[Choice], seed: u64) -> f32 {
        chances_after(&self.base, orders, seed, &self.pool, |_| {})[self.side.index()]
    }

    /// The best orders, the best first: what the quick AI would do, unless another
    /// is better by more than its error.
    pub fn best(&self) -> Vec<Counsel> {
        let own = self.tried.iter().filter(|one| !one.values.is_empty());
        let mut all: Vec<Counsel> = own.map(|one| self.counsel(one)).collect();
        all.sort_by(|a, b| b.at_least().total_cmp(&a.at_least()));
        all.truncate(NAMED);
        all
    }

    /// What the player points at.
    pub fn meant(&self) -> Option<Counsel> {
        let mut tried = self.tried.iter();
        let one = tried.find(|one| one.is_meant && !one.values.is_empty())?;
        Some(self.counsel(one))
    }

    fn counsel(&self, one: &Tried) -> Counsel {
        let quick = &self.tried[0];
        let pairs = one.values.iter().zip(&quick.values);
        let gains: Vec<f32> = pairs.map(|(own, quick)| own - quick).collect();
        Counsel {
            choice: one.orders[0].clone(),
            gain: mean(&gains),
            error: error(&gains),
            playouts: one.values.len() as u32,
            is_quick: std::ptr::eq(one, quick),
        }
    }
}

impl Tried {
    fn of(orders: Vec<Choice>, is_added: bool) -> Self {
        Self {
            orders,
            values: vec![],
            is_added,
            is_meant: is_added,
        }
    }

    /// What it is worth at the very least, and at most: two standard errors off.
    fn least(&self) -> f32 {
        mean(&self.values) - 2.0 * error(&self.values)
    }

    fn most(&self) -> f32 {
        mean(&self.values) + 2.0 * error(&self.values)
    }
}
