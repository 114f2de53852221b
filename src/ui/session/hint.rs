//! Hints: how orders would change the player's win probability, from what the player knows.

use super::{Session, ShownMoment, thinking::Thinking};
use crate::{
    battle::{Choice, Decision, Id},
    control::{
        Easy,
        forecast::{Advice, OrderAdvice, OrderReason},
    },
    grid::Cell,
};
use std::time::{Duration, Instant};

/// Length of a batch of playouts between results.
const STAGE: Duration = Duration::from_millis(150);

/// The current hints and their computation.
#[derive(Default)]
pub struct Hints {
    moment: Option<ShownMoment>,
    /// `None` while a thread works on it, or if there is nothing to choose.
    advice: Option<Advice>,
    /// `None` if there is nothing to choose. The flag is set if there is more to simulate.
    thinking: Option<Thinking<Option<(Advice, bool)>>>,
    is_done: bool,
    under_pointer: Vec<Choice>,
    /// The unit whose best order comes first of its equals.
    chosen: Option<Id>,
    hint: Hint,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hint {
    /// The best orders, best first. Empty until the first playouts of all orders are done.
    pub best: Vec<OrderAdvice>,
    pub under_pointer: Option<OrderAdvice>,
    /// Whether the numbers are still being refined.
    pub is_open: bool,
    /// The share of the first playouts that is done, 0 to 1.
    pub progress: f32,
}

impl Session {
    /// The best orders and the order under the cursor, as known so far; `None` if there is nothing
    /// to choose. Orders of the unit `chosen` come first of their equals. With `keeps_order`, listed
    /// orders keep their places whatever their new ratings.
    pub fn hint(
        &mut self,
        under_pointer: &[Choice],
        chosen: Option<Id>,
        keeps_order: bool,
    ) -> Option<Hint> {
        let now = self.moment();
        if self.hints.moment != Some(now) {
            let (base, side) = (self.fork_from_here(), self.player());
            // To rank what all units can do takes long in a large battle.
            let thinking = base.map(|(base, seed)| {
                Thinking::of(move |_| Some((Advice::of(base, side, seed)?, true)))
            });
            self.hints = Hints {
                moment: Some(now),
                thinking,
                ..Hints::default()
            };
        }
        if self.hints.chosen != chosen && !keeps_order {
            self.hints.chosen = chosen;
            let is_listed = !self.hints.hint.best.is_empty();
            let advice = self.hints.advice.as_ref().filter(|_| is_listed);
            if let Some(best) = advice.map(|advice| advice.best(chosen)) {
                self.hints.hint.best = self.listed(best);
            }
        }
        let thinking = self.hints.thinking.as_mut();
        let done = thinking.and_then(|thinking| thinking.done(false));
        if let Some(None) = done {
            self.hints.thinking = None;
        } else if let Some(Some((advice, goes_on))) = done {
            let (known, progress) = (&self.hints.hint.best, advice.progress());
            let best = match known.is_empty() {
                _ if progress < 1.0 => vec![],
                false if keeps_order => advice.rated(known),
                _ => self.listed(advice.best(self.hints.chosen)),
            };
            let hints = &mut self.hints;
            hints.hint = Hint {
                best,
                under_pointer: advice.under_pointer(),
                is_open: goes_on,
                progress,
            };
            (hints.thinking, hints.is_done) = (None, !goes_on);
            hints.advice = Some(advice);
        }
        let hints = &mut self.hints;
        let is_news = hints.under_pointer != under_pointer;
        if let Some(mut advice) = hints.advice.take_if(|_| is_news || !hints.is_done) {
            hints.under_pointer = under_pointer.to_vec();
            advice.point(under_pointer);
            hints.thinking = Some(Thinking::of(move |dropped| {
                let began = Instant::now();
                let enough = || dropped() || began.elapsed() >= STAGE;
                let goes_on = advice.run_playouts(&enough);
                Some((advice, goes_on))
            }));
        }
        let is_known = hints.advice.is_some() || hints.thinking.is_some();
        let is_same = hints.under_pointer == under_pointer;
        is_known.then(|| Hint {
            under_pointer: hints.hint.under_pointer.clone().filter(|_| is_same),
            is_open: hints.thinking.is_some(),
            ..hints.hint.clone()
        })
    }

    /// The best answer to the player's decision, as known so far.
    pub fn best_hint(&self) -> Option<Vec<Choice>> {
        let is_known = self.question().is_some() && self.hints.moment == Some(self.moment());
        let best = self.hints.hint.best.first().filter(|_| is_known);
        best.map(OrderAdvice::orders)
    }

    /// The choices that an AI would consider for a unit that is asked now, best first, by what the player
    /// knows.
    pub fn considered(&self, who: Id) -> Vec<Choice> {
        let Some((mut base, _)) = self.fork_from_here() else {
            return vec![];
        };
        let is_asked = |asked: &Decision| asked.is_turn() && asked.actors.contains(&who);
        if !base.asked().is_some_and(is_asked) {
            return vec![];
        }
        let kinds = Easy::kinds(base.ranked(who, None)).into_iter();
        kinds.map(|(choice, _)| choice).collect()
    }

    /// The orders that teach something: the first, the quick AI's, and the alternatives, even if
    /// they are about equal. Cells in one direction read the same; the best of them is enough. That
    /// a unit is done is no order while it has nothing left and others have.
    fn listed(&self, mut best: Vec<OrderAdvice>) -> Vec<OrderAdvice> {
        let able: Vec<Id> = self.idle_members().map(|unit| unit.id).collect();
        let ends = |choice: &Choice| self.queries.rules.planning.done.contains(&choice.verb);
        let is_spent = |who: Id| !able.is_empty() && !able.contains(&who);
        let says_nothing =
            |one: &OrderAdvice| ends(&one.choice) && one.choice.who.is_some_and(is_spent);
        best.retain(|one| !says_nothing(one));
        let mut listed: Vec<String> = vec![];
        best.retain(|one| {
            let words = self.suggestion(one);
            let is_listed = one.is_quick || !listed.contains(&words);
            listed.extend(is_listed.then_some(words));
            is_listed
        });
        best
    }

    /// "Mara moves 15 ft to the east"; "Mara strikes at goblin 2 with sword (first moves 15 ft to the
    /// east)"; with its number, if the order has one. A declaration that leaves
    /// everything to the unit's turn reads as on its button, with what the AI then does: "Mara:
    /// normal turn (likely: move 15 ft to the east, strike goblin 2 with sword)".
    pub fn suggestion(&self, one: &OrderAdvice) -> String {
        let (choice, planning) = (&one.choice, self.queries.rules.planning);
        if let Some(next) = one.follow_up() {
            let walk = Choice {
                who: None,
                ..choice.clone()
            };
            let place = || self.place_of(choice).into_iter().collect();
            let path: Vec<Cell> = self.walk(choice).unwrap_or_else(place);
            let walk = walk.log_text_along(self.game.names(), &path);
            return format!("{} (first {walk})", self.log_text(next));
        }
        let mut words = match choice.who.filter(|_| planning.leaves_open(choice)) {
            Some(who) => {
                let name = self.game.names().title(who);
                format!("{name}: {}", self.order_text(choice))
            }
            None if self.is_aimed_later(choice) => {
                format!("{}, aimed on the unit's turn", self.log_text(choice))
            }
            None => match self.walk(choice) {
                Some(path) => choice.log_text_along(self.game.names(), &path),
                None => self.log_text(choice),
            },
        };
        if let Some(number) = choice.number {
            words += &format!(": {number}");
        }
        let plan: Vec<String> = one.plan.iter().map(|next| self.order_text(next)).collect();
        if !plan.is_empty() {
            words += &format!(" (likely: {})", plan.join(", "));
        }
        words
    }

    /// Why an order is promising: "60% to drop the archer", "out of 3 enemies' reach".
    pub fn reason(&self, reason: &OrderReason) -> String {
        let name = |id: &Id| self.game.names().name(*id);
        match reason {
            OrderReason::Attack { at, hit, drop: 0 } => format!("{hit}% to hit {}", name(at)),
            OrderReason::Attack { at, drop, .. } => format!("{drop}% to drop {}", name(at)),
            OrderReason::Chance(odds) => odds.words(),
            OrderReason::OutOfReach(1) => String::from("out of 1 enemy's reach"),
            OrderReason::OutOfReach(n) => format!("out of {n} enemies' reach"),
            OrderReason::TowardsObjective => String::from("towards the objective"),
            OrderReason::Closer(enemy) => format!("closer to {}", name(enemy)),
        }
    }

    /// The cells of a move from where its unit stands: the board and the log say their length too.
    fn walk(&self, choice: &Choice) -> Option<Vec<Cell>> {
        let (who, to) = (choice.who?, choice.to?);
        if !self.queries.rules.planning.walks.contains(&choice.verb) {
            return None;
        }
        match &choice.along {
            Some(along) => Some([&[self.shown().unit(who).at], &along[..]].concat()),
            None => Some(self.queries.way(who, &[], to)?.path),
        }
    }

    /// Whether a choice declares a spell whose target is picked when it is due.
    fn is_aimed_later(&self, choice: &Choice) -> bool {
        let is_named = choice.at.is_some() || choice.to.is_some();
        let planning = self.queries.rules.planning;
        choice.spell.is_some() && !is_named && !planning.carries_out(choice.verb).is_empty()
    }
}
