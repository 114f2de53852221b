//! The offers of the open decision, listed for a unit when they are first needed.

use super::Battle;
use crate::battle::{Action, Choice, Id, Offer, Offers};
use std::sync::{Arc, OnceLock};

/// The offers of one unit.
pub(super) struct Listed {
    who: Id,
    /// Whether these are only a few of them.
    is_part: bool,
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
    pub fn bundled_offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        self.list(who).offers.clone()
    }

    fn list(&mut self, who: Id) -> &Listed {
        let is_it = |listed: &Listed| listed.who == who && !listed.is_part;
        if let Some(n) = self.listed.iter().position(is_it) {
            return &self.listed[n];
        }
        let offers = match &self.asked {
            Some(q) if q.actors.contains(&who) => match &q.offers {
                Offers::Listed(all) => of_actor(all, who),
                Offers::ByActor(list) => Arc::new(list(&mut self.world, who)),
            },
            _ => Arc::default(),
        };
        self.listed.push(Listed {
            who,
            is_part: false,
            offers,
            each: OnceLock::new(),
        });
        self.listed.last().expect("it was put there")
    }

    /// The few offers that are enough for the quick AI to decide for a unit in its turn, unless it
    /// takes this action. `None` if it needs all of them.
    pub(super) fn few_offers_of(
        &mut self,
        who: Id,
    ) -> Option<(Arc<Vec<Offer>>, Option<&'static Action>)> {
        let is_turn = matches!(self.asked.as_ref()?.offers, Offers::ByActor(_));
        let few = is_turn.then(|| (self.rules.few_offers)(&mut self.world, who))??;
        let offers = Arc::new(few.offers);
        self.listed.push(Listed {
            who,
            is_part: true,
            offers: offers.clone(),
            each: OnceLock::new(),
        });
        Some((offers, few.unless))
    }

    /// Whether a choice is among the offers that were listed for its unit so far.
    pub(super) fn is_listed(&self, choice: &Choice) -> bool {
        let of_unit = self.listed.iter().filter(|l| Some(l.who) == choice.who);
        let mut offers = of_unit.flat_map(|listed| listed.offers.iter());
        offers.any(|offer| offer.is_legal() && offer.covers(choice))
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
