//! How somebody is asked whether they react.

use crate::battle::{Choice, Decision, Id, Offer, Offers, PASS, Rule, View};

/// The question whether somebody reacts, or passes; none if nothing that they
/// are offered may be done.
pub fn question(
    view: &View,
    who: Id,
    rule: Rule,
    prompt: String,
    mut offers: Vec<Offer>,
) -> Option<Decision> {
    if !offers.iter().any(Offer::is_legal) {
        return None;
    }
    offers.push(Offer::legal(Choice::new(&PASS, who)));
    Some(Decision {
        side: view.body(who).side,
        prompt,
        rule,
        actors: vec![who],
        common: vec![],
        offers: Offers::Listed(offers),
        reaction: true,
    })
}
