//! Hints: how orders would change the player's win probability, from what the player knows.

use super::{Moment, Session, thinking::Thinking};
use crate::{
    battle::Choice,
    control::forecast::{Advice, OrderAdvice},
};
use std::time::{Duration, Instant};

/// Length of a batch of playouts between results.
const STAGE: Duration = Duration::from_millis(150);

/// The current hints and their computation.
#[derive(Default)]
pub struct Hints {
    moment: Option<Moment>,
    /// `None` while a thread works on it, or if there is nothing to choose.
    advice: Option<Advice>,
    /// The flag is set if there is more to simulate.
    thinking: Option<Thinking<(Advice, bool)>>,
    is_done: bool,
    meant: Vec<Choice>,
    hint: Hint,
}

/// The hints so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hint {
    /// The best orders, best first.
    pub best: Vec<OrderAdvice>,
    /// The order under the cursor.
    pub meant: Option<OrderAdvice>,
    /// Whether the numbers are still being refined.
    pub is_open: bool,
}

impl Session {
    /// The best orders and the order under the cursor, as known so far; `None` if there is nothing
    /// to choose.
    pub fn hint(&mut self, meant: &[Choice]) -> Option<Hint> {
        let now = self.moment();
        if self.hints.moment != Some(now) {
            self.hints = Hints {
                moment: Some(now),
                advice: self.advice(),
                ..Hints::default()
            };
        }
        let hints = &mut self.hints;
        if let Some(thinking) = &mut hints.thinking
            && let Some((advice, goes_on)) = thinking.done(false)
        {
            hints.hint = Hint {
                best: advice.best(),
                meant: advice.meant(),
                is_open: goes_on,
            };
            (hints.thinking, hints.is_done) = (None, !goes_on);
            hints.advice = Some(advice);
        }
        let is_news = hints.meant != meant;
        if let Some(mut advice) = hints.advice.take_if(|_| is_news || !hints.is_done) {
            hints.meant = meant.to_vec();
            advice.point(meant);
            hints.thinking = Some(Thinking::of(move |dropped| {
                let began = Instant::now();
                let enough = || dropped() || began.elapsed() >= STAGE;
                let goes_on = advice.go_on(&enough);
                (advice, goes_on)
            }));
        }
        let is_known = hints.advice.is_some() || hints.thinking.is_some();
        let is_same = hints.meant == meant;
        is_known.then(|| Hint {
            meant: hints.hint.meant.clone().filter(|_| is_same),
            is_open: hints.thinking.is_some(),
            ..hints.hint.clone()
        })
    }

    /// The best answer to the player's decision, as known so far.
    pub fn best_hint(&self) -> Option<&Choice> {
        let is_known = self.question().is_some() && self.hints.moment == Some(self.moment());
        let best = self.hints.hint.best.first().filter(|_| is_known);
        best.map(|best| &best.choice)
    }

    fn advice(&self) -> Option<Advice> {
        let (base, seed) = self.fork_from_here()?;
        Advice::of(base, self.player(), seed)
    }
}
