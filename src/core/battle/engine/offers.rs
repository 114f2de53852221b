//! The offers of the open decision, listed for a unit when they are first needed.

use super::Battle;
use crate::battle::{Id, Offer, Offers};
use std::sync::{Arc, OnceLock};

/// The offers of one unit.
pub(super) struct Listed {
    who: Id,
    /// As the ruleset lists them: a move is one offer for all its cells.
    offers: Arc<Vec<Offer>>,
    /// One offer for each cell of a move, once they are needed.
    each: OnceLock<Arc<Vec<Offer>>>,
}

impl Battle {
    /// The offers of one unit in the open decision, blocked ones with their reason. Empty if the
    /// unit cannot answer it.
    pub fn offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        let listed = self.list(who);
        let each = || match listed.offers.iter().any(|o| o.ends.is_some()) {
            true => Arc::new(listed.offers.iter().flat_map(Offer::each).collect()),
            false => listed.offers.clone(),
        };
        listed.each.get_or_init(each).clone()
    }

    /// The offers of one unit as the ruleset lists them: a move is one offer for all its cells.
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

    /// Clears the cache behind [`offers_of`](Self::offers_of), to measure it.
    pub fn forget_offers(&mut self) {
        self.listed.clear();
    }

    /// All offers of the open decision: those of each unit, then those of the side.
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

/// The offers of one unit. Most decisions have only one unit, whose list is shared, not copied.
fn of_actor(all: &Arc<Vec<Offer>>, who: Id) -> Arc<Vec<Offer>> {
    let is_theirs = |o: &&Offer| o.choice.who == Some(who);
    match all.iter().all(|o| is_theirs(&o)) {
        true => all.clone(),
        false => Arc::new(all.iter().filter(is_theirs).cloned().collect()),
    }
}
