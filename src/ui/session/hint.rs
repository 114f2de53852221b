//! Hints: what orders would do to the player's chances, from what they know.

use super::{Moment, Session, thinking::Thinking};
use crate::{
    battle::Choice,
    control::forecast::{Advice, Counsel},
};
use std::time::{Duration, Instant};

/// How long it plays on before it tells what it has found.
const STAGE: Duration = Duration::from_millis(150);

/// What is weighed up at the moment.
#[derive(Default)]
pub struct Hints {
    moment: Option<Moment>,
    /// None while it is being thought about, and where there is nothing to choose.
    advice: Option<Advice>,
    /// With whether there is more to be played.
    thinking: Option<Thinking<(Advice, bool)>>,
    is_done: bool,
    meant: Vec<Choice>,
    hint: Hint,
}

/// What is known of what could be done.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hint {
    /// The best orders, the best first.
    pub best: Vec<Counsel>,
    /// What the player points at.
    pub meant: Option<Counsel>,
    /// It becomes surer still.
    pub is_open: bool,
}

impl Session {
    /// What could be done best, and what would come of what the player points
    /// at, as far as it is known by now; none where there is nothing to choose.
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

    fn advice(&self) -> Option<Advice> {
        let (base, seed) = self.fork_from_here()?;
        Advice::of(base, self.player(), seed)
    }
}
