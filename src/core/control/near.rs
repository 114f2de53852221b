//! The offers most similar to a refused order, for error messages.

use crate::{
    battle::{Names, Offer, Why},
    grid::{Cell, Space, cells_apart},
};
use std::fmt;

/// How many offers a message lists.
const SHOWN: usize = 4;

/// An offer that was perhaps meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Near {
    /// The order text of the offer.
    pub order: String,
    /// The least and greatest number that the offer takes, if it takes one.
    pub numbers: Option<(i32, i32)>,
    /// Why the offer is not legal now. `None` if it is.
    pub why_not: Option<Why>,
}

impl Near {
    /// The most similar offers: compared by action, then by target or cell, then by spelling.
    pub fn of(text: &str, offers: &[Offer], names: &Names) -> Vec<Self> {
        let text = text.to_lowercase();
        let act = text.split_once(':').map_or(&*text, |(_, act)| act).trim();
        let first = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        let cells = act.split(' ').filter_map(|word| word.parse().ok());
        let cells: Vec<Cell> = cells.collect();
        let rank = |offer: &Offer| {
            let choice = &offer.choice;
            let verb = match choice.verb.fits(act) {
                true => 0,
                false if first(choice.verb.order_text) == first(act) => 1,
                false => 2,
            };
            let named = |id| format!(" {act} ").contains(&format!(" {} ", names.key(id)));
            let far = |a, b| cells_apart(Space::one(a), Space::one(b));
            let apart = |to: Cell| cells.iter().map(|c| far(*c, to)).min();
            let target = u16::from(choice.at.is_some_and(|id| !named(id)));
            (verb, target, choice.to.and_then(apart).unwrap_or(0))
        };
        let near = offers.iter().map(|offer| {
            let found = Self {
                order: offer.choice.text(names),
                numbers: offer.numbers,
                why_not: offer.why_not.clone(),
            };
            let far = strsim::damerau_levenshtein(&text, &found.order);
            // Illegal offers are listed only if they are very similar.
            let far = far * 2 + if offer.is_legal() { 0 } else { 9 };
            (rank(offer), far, found.to_string(), found)
        });
        let mut near: Vec<_> = near.collect();
        near.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
        near.into_iter().take(SHOWN).map(|one| one.3).collect()
    }
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.order)?;
        if let Some((least, most)) = self.numbers {
            write!(f, " (from {least} to {most})")?;
        }
        match &self.why_not {
            Some(why) => write!(f, " (not now: {why})"),
            None => Ok(()),
        }
    }
}
