//! Edits declarations in any order until the round begins: one unit's declarations are undone and
//! those of the others given again.

use super::{DisplayQueries, Intent, Session, ShownMoment};
use crate::battle::{Battle, Choice, Decision, Id, Offer};
use std::sync::Arc;

/// The orders of a side before one was cleared or the sequence was changed.
#[derive(Clone, Debug)]
pub(super) struct Earlier {
    /// The unit whose order was changed or moved.
    who: Id,
    round: u16,
    /// The number of answers before the first order.
    pub(super) from: usize,
    orders: Vec<Intent>,
    held: Option<Intent>,
    /// Orders that were still to be given again.
    parked: Vec<Intent>,
    sequence: Vec<Id>,
}

impl Earlier {
    fn has_order(&self, who: Id) -> bool {
        let mut given = self.orders.iter().chain(&self.parked).chain(&self.held);
        given.any(|one| one.who() == who)
    }
}

/// The battle as if a unit had not declared.
pub(super) struct Undeclared {
    who: Id,
    moment: ShownMoment,
    pub(super) battle: Battle,
    /// What the player would know.
    queries: DisplayQueries,
    offers: Arc<Vec<Offer>>,
    /// What other units of the side declared that can be declared only after the unit, in order.
    pub(super) later: Vec<Choice>,
}

impl Session {
    /// The answer with which a unit began to declare; `None` if not everything since then can be
    /// undone.
    fn declared_from(&self, who: Id) -> Option<usize> {
        let first = *self.game.undo_points.first()?;
        let answers = &self.game.answers()[first..];
        let own = answers.iter().position(|c| c.who == Some(who))?;
        self.is_declaring().then_some(first + own)
    }

    /// Whether a unit's declarations can still be changed.
    pub fn can_edit(&self, who: Id) -> bool {
        self.holds(who) || self.declared_from(who).is_some()
    }

    /// Whether a unit has an order and nothing more to declare, so that another order replaces it.
    pub fn can_replace(&self, who: Id) -> bool {
        (self.holds(who) || !self.is_asked(who)) && self.can_edit(who)
    }

    /// Whether a unit's declarations wait for confirmation.
    fn holds(&self, who: Id) -> bool {
        self.held().is_some_and(|held| held.who() == who)
    }

    /// What a unit could declare before it declared. `None` if it still must declare, or its order
    /// can't be replaced.
    pub fn offers_before(&mut self, who: Id) -> Option<Arc<Vec<Offer>>> {
        if self.undeclared(who).is_none() {
            self.undeclared = self.undeclare(who);
        }
        self.undeclared(who).map(|before| before.offers.clone())
    }

    /// Runs a query as if a unit had not declared, with what it could declare. `None` if it still
    /// must declare, or its order can't be replaced.
    pub fn as_undeclared<T>(
        &mut self,
        who: Id,
        read: impl FnOnce(&mut Self, &[Offer]) -> T,
    ) -> Option<T> {
        // Declarations that wait for confirmation are not given yet.
        if self.holds(who) {
            let offers = self.offers_of(who);
            return Some(read(self, &offers));
        }
        let offers = self.offers_before(who)?;
        let mut before = self.undeclared.take()?;
        std::mem::swap(&mut self.queries, &mut before.queries);
        let found = read(self, &offers);
        std::mem::swap(&mut self.queries, &mut before.queries);
        self.undeclared = Some(before);
        Some(found)
    }

    /// The battle as if a unit had not declared, if it was worked out in this state.
    pub(super) fn undeclared(&self, who: Id) -> Option<&Undeclared> {
        let known = self.undeclared.as_ref();
        known.filter(|before| before.who == who && before.moment == self.moment())
    }

    fn undeclare(&mut self, who: Id) -> Option<Undeclared> {
        let from = self.declared_from(who).filter(|_| !self.is_asked(who))?;
        let mut battle = self.battle_at(from);
        let others = self.declared_since(from).into_iter();
        let others = others.filter(|one| one.who() != who);
        let all = others.chain(self.held().cloned());
        let mut later: Vec<Choice> = all.flat_map(|one| one.plan.declared).collect();
        later.retain(|order| battle.answer(order.clone()).is_err());
        let mut known = self.game.replica(self.display.viewer());
        known.catch_up(battle.events());
        Some(Undeclared {
            who,
            moment: self.moment(),
            offers: battle.offers_of(who),
            battle,
            queries: DisplayQueries::new(self.game.rules(), known),
            later,
        })
    }

    /// The battle after its first `n` answers. Its state before the first answer that can be undone
    /// is kept, so that selecting one unit after the other does not run a long battle again from its
    /// start each time.
    fn battle_at(&mut self, n: usize) -> Battle {
        let now = &self.game.battle;
        let first = self.game.undo_points.first();
        let first = first.map_or(n, |&first| first.min(n));
        let is_same = |known: &Battle| known.answers() == &now.answers()[..first];
        let start = self.undoable_from.take().filter(is_same);
        let start = start.unwrap_or_else(|| now.at(first));
        let battle = now.at_from(&start, n);
        self.undoable_from = Some(start);
        battle
    }

    fn is_asked(&self, who: Id) -> bool {
        let is_actor = |asked: &Decision| asked.actors.contains(&who);
        self.question().is_some_and(is_actor)
    }

    fn ordered(&self) -> Vec<Id> {
        let own = self.shown().members(self.player()).map(|p| p.id);
        own.filter(|&id| self.can_edit(id)).collect()
    }

    /// Undoes a unit's declarations so that it must declare again; returns whether that was
    /// possible. Later declarations of other units are given again, at once or when it is their
    /// turn to declare.
    pub fn clear_order(&mut self, who: Id) -> bool {
        let held = self.held().cloned();
        if self.holds(who) {
            self.note_earlier(who);
            self.set_held(None);
            return true;
        }
        let Some(from) = self.declared_from(who) else {
            return false;
        };
        self.note_earlier(who);
        let mut parked = self.declared_since(from);
        parked.retain(|one| one.who() != who);
        parked.extend(held);
        self.give_anew(from, parked, Some(who));
        true
    }

    /// Undoes everything since an answer, and gives these orders again whose units must declare now,
    /// except those of `but`.
    fn give_anew(&mut self, from: usize, orders: Vec<Intent>, but: Option<Id>) {
        self.rewind(from);
        self.game.undo_points.retain(|&click| click < from);
        self.intents.parked = orders;
        while let Some(parked) = self.take_parked(but) {
            // A refused order is dropped: its unit must declare again.
            let _ = self.give_order(parked);
            self.catch_up();
        }
    }

    /// The number of answers before the first order of the side that can still be changed.
    fn first_declared(&self) -> usize {
        let ordered = self.ordered().into_iter();
        let first = ordered.filter_map(|who| self.declared_from(who)).min();
        first.unwrap_or(self.game.answered())
    }

    /// Remembers the orders before a change to that of a unit, for Undo.
    fn note_earlier(&mut self, who: Id) {
        if !self.is_declaring() {
            return;
        }
        let from = self.first_declared();
        let earlier = Earlier {
            who,
            round: self.round(),
            from,
            orders: self.declared_since(from),
            held: self.held().cloned(),
            parked: self.intents.parked.clone(),
            sequence: self.intents.sequence.clone(),
        };
        self.intents.earlier.push(earlier);
    }

    /// Whether the last thing that happened is that an order was cleared, replaced or moved: no
    /// other unit has got an order since.
    pub(super) fn has_changed_order(&self) -> bool {
        let is_last = |earlier: &Earlier| {
            let who = earlier.who;
            let is_known = |id: &Id| *id == who || earlier.has_order(*id);
            earlier.round == self.round()
                && earlier.from == self.first_declared()
                && (self.can_replace(who) || !self.can_edit(who))
                && self.ordered().iter().all(is_known)
        };
        self.is_declaring() && self.intents.earlier.last().is_some_and(is_last)
    }

    /// Gives the orders again that stood before one was cleared, replaced or moved; returns the
    /// unit of that order. `None` if something else happened last.
    pub fn restore_orders(&mut self) -> Option<Id> {
        if !self.has_changed_order() {
            return None;
        }
        let earlier = self.intents.earlier.pop()?;
        let held = earlier.held.as_ref().map(Intent::who);
        self.give_anew(earlier.from, earlier.orders, held);
        self.intents.parked.extend(earlier.parked);
        self.intents.sequence = earlier.sequence;
        self.set_held(earlier.held);
        Some(earlier.who)
    }

    /// The orders of the units of the side that declared from an answer on.
    fn declared_since(&self, from: usize) -> Vec<Intent> {
        let mut all: Vec<(Id, Vec<Choice>)> = vec![];
        for choice in &self.game.answers()[from..] {
            let is_own = |id: &Id| self.shown().unit(*id).side == self.player();
            let Some(who) = choice.who.filter(is_own) else {
                continue;
            };
            match all.iter_mut().find(|known| known.0 == who) {
                Some((_, declared)) => declared.push(choice.clone()),
                None => all.push((who, vec![choice.clone()])),
            }
        }
        let order = |(who, declared)| match self.intent(who) {
            Some(intent) => {
                let mut order = intent.clone();
                order.plan.declared = declared;
                order
            }
            None => self.said(who, declared),
        };
        all.into_iter().map(order).collect()
    }

    /// Takes the parked order of a unit that must declare now, except `but`, to give it again.
    pub fn take_parked(&mut self, but: Option<Id>) -> Option<Intent> {
        let asked = self.question().filter(|_| self.is_declaring())?;
        let is_asked = |p: &Intent| Some(p.who()) != but && asked.actors.contains(&p.who());
        let n = self.intents.parked.iter().position(is_asked)?;
        Some(self.intents.parked.remove(n))
    }

    /// Moves a unit earlier or later among the units of its side that act at the same moment.
    pub fn move_in_sequence(&mut self, who: Id, by: isize) {
        let mut sequence = self.sequence();
        let Some(n) = sequence.iter().position(|id| *id == who) else {
            return;
        };
        let Some(to) = n.checked_add_signed(by).filter(|to| *to < sequence.len()) else {
            return;
        };
        self.note_earlier(who);
        sequence.swap(n, to);
        self.intents.sequence = sequence;
        self.intents.version += 1;
    }

    /// The units of the player's side in their order of action within the same moment.
    pub fn sequence(&self) -> Vec<Id> {
        let own = self.shown().members(self.player()).map(|p| p.id);
        let mut all: Vec<Id> = own.collect();
        let chosen = &self.intents.sequence;
        // Sorting keeps the order of units that the player has not moved.
        all.sort_by_key(|id| chosen.iter().position(|c| c == id).unwrap_or(usize::MAX));
        all
    }
}
