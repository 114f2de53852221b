//! What may be answered: the offers of those who are asked, listed when somebody looks.

use super::Battle;
use crate::battle::{Id, Offer, Offers};
use std::sync::{Arc, OnceLock};

/// What one actor may do.
pub(super) struct Listed {
    who: Id,
    /// As the ruleset lists it: moves in one, with all their ends.
    offers: Arc<Vec<Offer>>,
    /// Every move by itself, once somebody has looked.
    each: OnceLock<Arc<Vec<Offer>>>,
}

impl Battle {
    /// What one actor of the open question may do, the impossible with its
    /// reason. Empty when it is not asked.
    pub fn offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        let listed = self.list(who);
        let each = || match listed.offers.iter().any(|o| o.ends.is_some()) {
            true => Arc::new(listed.offers.iter().flat_map(Offer::each).collect()),
            false => listed.offers.clone(),
        };
        listed.each.get_or_init(each).clone()
    }

    /// The same as the ruleset lists it, an offer for all the ends of a move.
    pub(super) fn bundled_offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        self.list(who).offers.clone()
    }

    fn list(&mut self, who: Id) -> &Listed {
        if let Some(n) = self.listed.iter().position(|l| l.who == who) {
            return &self.listed[n];
        }
        let offers = match &self.asked {
            Some(q) if q.actors.contains(&who) => match &q.offers {
                Offers::Listed(all) => of_actor(all, who),
                Offers::ByActor(list) => Arc::new(list(&mut self.world, who)),
            },
            _ => Arc::default(),
        };
        let each = OnceLock::new();
        self.listed.push(Listed { who, offers, each });
        self.listed.last().expect("it was put there")
    }

    /// Lists anew what [`offers_of`](Self::offers_of) would remember: for
    /// measuring it.
    pub fn forget_offers(&mut self) {
        self.listed.clear();
    }

    /// Every offer of the open question: those of each actor, then the side's.
    pub fn offers(&mut self) -> Vec<Offer> {
        let Some(question) = self.asked.clone() else {
            return vec![];
        };
        let mut all = vec![];
        for who in question.actors {
            all.extend_from_slice(&self.offers_of(who));
        }
        all.extend(question.common.into_iter().map(Offer::legal));
        all
    }
}

/// What is offered to one actor; most questions are put to one alone.
fn of_actor(all: &Arc<Vec<Offer>>, who: Id) -> Arc<Vec<Offer>> {
    let is_theirs = |o: &&Offer| o.choice.who == Some(who);
    match all.iter().all(|o| is_theirs(&o)) {
        true => all.clone(),
        false => Arc::new(all.iter().filter(is_theirs).cloned().collect()),
    }
}
