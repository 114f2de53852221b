//! Edits declarations in any order until the round begins: one unit's declarations are undone and
//! those of the others given again.

use super::{Held, Intent, Session};
use crate::battle::{Choice, Id};

/// Declarations to give again once the unit must declare.
#[derive(Clone, PartialEq, Debug)]
pub struct Parked {
    pub who: Id,
    pub orders: Vec<Choice>,
    pub intent: Option<Intent>,
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
        let is_held = self.held().is_some_and(|held| held.who == who);
        is_held || self.declared_from(who).is_some()
    }

    /// Undoes a unit's declarations so that it must declare again; returns whether that was
    /// possible. Later declarations of other units are given again, at once or when it is their
    /// turn to declare.
    pub fn clear_order(&mut self, who: Id) -> bool {
        let park = |held: Held| Parked {
            who: held.who,
            orders: held.orders,
            intent: held.intent,
        };
        let held = self.held().cloned().map(park);
        if let Some(held) = held.clone().filter(|held| held.who == who) {
            self.hold(None);
            self.intents.cleared = Some((self.game.answered(), held));
            return true;
        }
        let Some(from) = self.declared_from(who) else {
            return false;
        };
        let (own, mut parked): (Vec<Parked>, Vec<Parked>) = self
            .declared_since(from)
            .into_iter()
            .partition(|one| one.who == who);
        parked.extend(held);
        self.rewind(from);
        self.game.undo_points.retain(|&click| click < from);
        self.intents.parked = parked;
        while let Some(parked) = self.take_parked_but(Some(who)) {
            // A refused declaration is dropped: its unit must declare again.
            if self.give(&parked.orders).is_ok() {
                let intent = parked.intent.into_iter();
                intent.for_each(|intent| self.intend(intent));
            }
            self.catch_up();
        }
        let answered = self.game.answered();
        self.intents.cleared = own.into_iter().next().map(|own| (answered, own));
        true
    }

    /// Whether the last thing that happened is that an order was cleared.
    pub fn has_cleared(&self) -> bool {
        let cleared = self.intents.cleared.as_ref();
        let now = self.game.answered();
        self.is_declaring() && cleared.is_some_and(|cleared| cleared.0 == now)
    }

    /// Gives the order again that was cleared last; returns its unit.
    pub(super) fn restore_cleared(&mut self) -> Option<Id> {
        let (_, parked) = self.intents.cleared.take()?;
        let who = parked.who;
        self.intents.parked.insert(0, parked);
        Some(who)
    }

    /// What the units of the side declared from an answer on, by unit.
    fn declared_since(&self, from: usize) -> Vec<Parked> {
        let round = self.shown().clock.round;
        let side = self.player();
        let mut parked: Vec<Parked> = vec![];
        for choice in &self.game.answers()[from..] {
            let is_own = |id: &Id| self.shown().person(*id).side == side;
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

    /// Takes parked declarations of a unit that must declare now, except `but`.
    fn take_parked_but(&mut self, but: Option<Id>) -> Option<Parked> {
        let asked = self.question().filter(|_| self.is_declaring())?;
        let is_asked = |p: &Parked| Some(p.who) != but && asked.actors.contains(&p.who);
        let n = self.intents.parked.iter().position(is_asked)?;
        Some(self.intents.parked.remove(n))
    }

    /// Takes parked declarations of a unit that must declare now, to give them again.
    pub fn take_parked(&mut self) -> Option<Parked> {
        self.take_parked_but(None)
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
        sequence.swap(n, to);
        self.intents.sequence = sequence;
        self.intents.version += 1;
    }

    /// The units of the player's side in their order of action within the same moment.
    pub fn sequence(&self) -> Vec<Id> {
        let own = self.shown().members(self.player()).map(|p| p.id);
        let own: Vec<Id> = own.collect();
        let chosen = self.intents.sequence.iter().filter(|id| own.contains(id));
        let mut all: Vec<Id> = chosen.copied().collect();
        all.extend(own.iter().filter(|id| !self.intents.sequence.contains(id)));
        all
    }
}
