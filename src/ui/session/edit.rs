//! Changing what was declared, in any order, until the round begins: the declarations of
//! one unit are taken back, and those of the others given again.

use super::{Intent, Session};
use crate::battle::{Choice, Id};

/// What a unit declared, to be given again once it is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct Parked {
    pub who: Id,
    pub orders: Vec<Choice>,
    pub intent: Option<Intent>,
}

impl Session {
    /// The answer with which a unit began to declare, where all since then can be taken
    /// back.
    fn declared_from(&self, who: Id) -> Option<usize> {
        let first = *self.game.clicks.first()?;
        let answers = &self.game.answers()[first..];
        let own = answers.iter().position(|c| c.who == Some(who))?;
        self.is_declaring().then_some(first + own)
    }

    /// What a unit has declared can be changed.
    pub fn can_edit(&self, who: Id) -> bool {
        let is_held = self.held().is_some_and(|held| held.who == who);
        is_held || self.declared_from(who).is_some()
    }

    /// Takes back what a unit has declared: it is asked again. What others declared after it
    /// stays, as far as they are asked without it; where units are asked one after the other
    /// it is given again once they are.
    pub fn clear_order(&mut self, who: Id) -> bool {
        if self.held().is_some_and(|held| held.who == who) {
            self.hold(None);
            return true;
        }
        let Some(from) = self.declared_from(who) else {
            return false;
        };
        let mut parked = self.declared_after(from, who);
        if let Some(held) = self.held().cloned() {
            parked.push(Parked {
                who: held.who,
                orders: held.orders,
                intent: held.intent,
            });
        }
        self.rewind(from);
        self.game.clicks.retain(|&click| click < from);
        self.intents.parked = parked;
        while let Some(parked) = self.take_parked_but(Some(who)) {
            // What is refused now is forgotten: its unit is asked.
            if self.give(&parked.orders).is_ok() {
                let intent = parked.intent.into_iter();
                intent.for_each(|intent| self.intend(intent));
            }
            self.catch_up();
        }
        true
    }

    /// What other units of the side declared from an answer on, by unit.
    fn declared_after(&self, from: usize, but: Id) -> Vec<Parked> {
        let round = self.shown().clock.round;
        let side = self.player();
        let mut parked: Vec<Parked> = vec![];
        for choice in &self.game.answers()[from..] {
            let is_own = |id: &Id| *id != but && self.shown().person(*id).side == side;
            let Some(who) = choice.who.filter(is_own) else {
                continue;
            };
            match parked.iter_mut().find(|known| known.who == who) {
                Some(known) => known.orders.push(choice.clone()),
                None => parked.push(Parked {
                    who,
                    orders: vec![choice.clone()],
                    intent: self.intents.of(who, round).cloned(),
                }),
            }
        }
        parked
    }

    /// Takes the parked declarations of a unit that is asked now, but for one.
    fn take_parked_but(&mut self, but: Option<Id>) -> Option<Parked> {
        let asked = self.question().filter(|_| self.is_declaring())?;
        let is_asked = |p: &Parked| Some(p.who) != but && asked.actors.contains(&p.who);
        let n = self.intents.parked.iter().position(is_asked)?;
        Some(self.intents.parked.remove(n))
    }

    /// Takes the parked declarations of a unit that is asked now: they are to be given
    /// again.
    pub fn take_parked(&mut self) -> Option<Parked> {
        self.take_parked_but(None)
    }

    /// Lets a unit act earlier or later than the other units of its side that are asked at
    /// the same moment.
    pub fn move_in_sequence(&mut self, who: Id, by: isize) {
        let mut sequence = self.sequence();
        let Some(n) = sequence.iter().position(|id| *id == who) else {
            return;
        };
        let Some(to) = n.checked_add_signed(by).filter(|to| *to < sequence.len()) else {
            return;
        };
        sequence.swap(n, to);
        self.intents.sequence = sequence;
        self.intents.version += 1;
    }

    /// The units of the player's side in the order in which they act where several are
    /// asked at once.
    pub fn sequence(&self) -> Vec<Id> {
        let own = self.shown().members(self.player()).map(|p| p.id);
        let own: Vec<Id> = own.collect();
        let chosen = self.intents.sequence.iter().filter(|id| own.contains(id));
        let mut all: Vec<Id> = chosen.copied().collect();
        all.extend(own.iter().filter(|id| !self.intents.sequence.contains(id)));
        all
    }
}
