//! Rare offers: actions that are possible at moments without a prompt. They are hidden unless the
//! player wants them.

use super::{PlayedBattle, Session};
use crate::battle::{Body, Id, Offer, Roster, chances, of_unit};
use std::sync::Arc;

/// A list of offers, and the part of it that is shown.
pub(super) type OfferCache = Option<[Arc<Vec<Offer>>; 2]>;

impl Session {
    /// Turns prompts at every chance on or off for all units of human players.
    pub fn want_chances(&mut self, every: bool) {
        let game = &self.game;
        if !game.rules().chances || self.asked().is_none() {
            return;
        }
        let roster = game.world().resource::<Roster>();
        let is_human = |id: &Id| game.is_human(of_unit::<Body>(game.world(), *id).side);
        let differ = |id: &Id| game.battle.is_prompted_at_chances(*id) != every;
        let news: Vec<Id> = roster.ids().filter(differ).filter(is_human).collect();
        for who in news {
            // The answer is legal: a decision is open, and the setting differs.
            let _ = self.game.battle.answer(chances::every_chance(who, every));
        }
    }
}

impl PlayedBattle {
    /// The offers of a unit, without rare ones unless the player wants them.
    pub(super) fn offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        let all = self.battle.offers_of(who);
        self.without_rare(who, all)
    }

    /// These offers of a unit, without rare ones unless the player wants them.
    pub(super) fn without_rare(&mut self, who: Id, all: Arc<Vec<Offer>>) -> Arc<Vec<Offer>> {
        if self.battle.is_prompted_at_chances(who) || !all.iter().any(|o| o.rare) {
            return all;
        }
        if let Some([of, shown]) = &self.offer_cache
            && Arc::ptr_eq(of, &all)
        {
            return shown.clone();
        }
        let shown = all.iter().filter(|o| !o.rare).cloned();
        let shown = Arc::new(shown.collect::<Vec<Offer>>());
        self.offer_cache = Some([all, shown.clone()]);
        shown
    }
}
