//! The choices that are worth a look: the best of each kind, for each who may
//! act now.

use crate::{
    battle::{Action, Battle, Choice, Id, Item, SpellId},
    grid::Cell,
};
use std::cmp::Reverse;

/// At most, over all actors.
const MOST: usize = 6;
/// At least, of each actor.
const LEAST: usize = 2;

/// What looks best to the quick AI comes first.
pub fn of(battle: &mut Battle) -> Vec<Choice> {
    let Some(question) = battle.asked().cloned() else {
        return vec![];
    };
    let actors = question.actors.len();
    if actors == 0 {
        return question.common;
    }
    let each = (MOST / actors).max(LEAST);
    let mut found: Vec<(usize, usize, Choice)> = vec![];
    let ranked = question.actors.iter().map(|&who| battle.ranked(who, None));
    let mut ranked: Vec<_> = ranked.collect();
    // Who can do most goes first.
    ranked.sort_by_key(|choices| Reverse(choices[0].1));
    for (nth, choices) in ranked.into_iter().enumerate() {
        let best = best_of_kinds(choices).take(each).enumerate();
        found.extend(best.map(|(place, (choice, _))| (place, nth, choice)));
    }
    // The first of everybody, then the second.
    found.sort_by_key(|&(place, nth, _)| (place, nth));
    found.truncate(MOST);
    found.into_iter().map(|(_, _, choice)| choice).collect()
}

/// The best of each kind, in the order that they come in.
pub fn best_of_kinds(ranked: Vec<(Choice, i32)>) -> impl Iterator<Item = (Choice, i32)> {
    let mut kinds = vec![];
    ranked.into_iter().filter(move |(choice, _)| {
        let kind = Kind::of(choice);
        let is_new = !kinds.contains(&kind);
        if is_new {
            kinds.push(kind);
        }
        is_new
    })
}

/// Choices of one kind come to much the same.
#[derive(PartialEq)]
struct Kind {
    verb: &'static Action,
    at: Option<Id>,
    with: Option<Item>,
    spell: Option<SpellId>,
    number: Option<i32>,
    /// Where it leads, to the nearest few cells.
    to: Option<(i16, i16)>,
}

impl Kind {
    /// Cells along an edge of what counts as one place.
    const PLACE: i16 = 3;

    fn of(choice: &Choice) -> Self {
        let place = |cell: Cell| (cell.x / Self::PLACE, cell.y / Self::PLACE);
        Self {
            verb: choice.verb,
            at: choice.at,
            with: choice.with,
            spell: choice.spell,
            number: choice.number,
            // Where one stands to strike somebody matters little.
            to: choice.to.filter(|_| choice.at.is_none()).map(place),
        }
    }
}
