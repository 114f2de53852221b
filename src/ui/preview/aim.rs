//! Narrows an action with many ways down to one: what the player still has to choose.

use crate::{
    battle::{Choice, Id, Offer, SpellId},
    grid::Cell,
    rulesets::common::distinct,
    ui::selection::PartialChoice,
};

/// The next thing to choose.
#[derive(Clone, PartialEq, Debug)]
pub enum Open {
    Spell(Vec<SpellId>),
    /// A unit or a cell on the board.
    Aim {
        units: Vec<Id>,
        places: Vec<Cell>,
    },
    /// One of these few ways.
    Way(Vec<Offer>),
    /// A number for this offer.
    Number(Offer),
    Nothing(Choice),
}

/// Most places offered in a list; more are chosen on the board only.
const FEW: usize = 9;

/// What is still open, given the choices so far. `None` if no legal way is left.
pub fn open(ways: &[Offer], partial: &PartialChoice) -> Option<Open> {
    let left: Vec<&Offer> = ways.iter().filter(|o| partial.allows(&o.choice)).collect();
    let choices = || left.iter().map(|o| &o.choice);
    let spells = distinct(choices().map(|c| c.spell));
    if partial.spell.is_none() && spells.len() > 1 {
        return Some(Open::Spell(spells.into_iter().flatten().collect()));
    }
    let has_aim = |c: &Choice| c.at.is_some() || c.to.is_some();
    if !partial.is_aimed() && choices().any(has_aim) && choices().all(has_aim) {
        let places = choices().filter(|c| c.at.is_none()).map(|c| c.to);
        return Some(Open::Aim {
            units: distinct(choices().filter_map(|c| c.at)),
            places: distinct(places.flatten()),
        });
    }
    let places = distinct(choices().filter_map(|c| c.to));
    if let Some(units) = goes(&left).filter(|_| partial.is_aimed() && partial.to.is_none()) {
        return Some(Open::Aim { units, places });
    }
    if partial.to.is_none() && places.len() > FEW && choices().all(|c| c.to.is_some()) {
        return Some(Open::Aim {
            units: vec![],
            places,
        });
    }
    match &left[..] {
        [] => None,
        [one] if one.numbers.is_some() => Some(Open::Number((*one).clone())),
        [one] => Some(Open::Nothing(one.choice.clone())),
        many => Some(Open::Way(many.iter().map(|o| (*o).clone()).collect())),
    }
}

/// Whether these ways differ only in where the acting unit goes, which is chosen on the board like a
/// move: then the unit itself, if it can also stay, is a target. Where a target goes is chosen from a
/// list.
fn goes(ways: &[&Offer]) -> Option<Vec<Id>> {
    let places = distinct(ways.iter().map(|way| way.choice.to));
    let goes = |way: &&Offer| way.choice.to.is_none() || !way.choice.verb.moves_target;
    let is_all = ways.len() > 1 && places.len() == ways.len();
    let stays = ways.iter().filter(|way| way.choice.to.is_none());
    (is_all && ways.iter().all(goes)).then(|| stays.filter_map(|way| way.choice.who).collect())
}
