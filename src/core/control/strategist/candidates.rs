//! The choices worth simulating: the best of each kind, for each unit that can act now.

use crate::{
    battle::{Battle, Choice},
    grid::Cell,
};
use std::cmp::Reverse;

/// The most choices, over all units: with many playouts, and with few or none.
const MAX: usize = 12;
const FEW: usize = 6;
/// Playouts for each choice beyond [`FEW`].
const PLAYOUTS_EACH: usize = 16;
/// The fewest choices per unit.
const MIN: usize = 2;
/// Cells along a side of the blocks in which destinations count as the same.
const BLOCK: i16 = 3;

/// The most promising choices, with the quick AI's favourite first: the more, the more playouts
/// there are to compare them.
pub fn promising_choices(battle: &mut Battle, playouts: u32) -> Vec<Choice> {
    let most = (playouts as usize / PLAYOUTS_EACH).clamp(FEW, MAX);
    promising_of_kinds(battle, most, kind_of)
}

/// A few promising choices, with the quick AI's favourite first, that differ in what they are for:
/// of moves, the best for each answer of `kind_of_walk`.
pub fn varied_choices<K: PartialEq>(
    battle: &mut Battle,
    kind_of_walk: impl Fn(&Choice) -> K,
) -> Vec<Choice> {
    let walks = battle.rules().planning.walks;
    promising_of_kinds(battle, FEW, |choice| {
        match choice.at.is_none() && walks.contains(&choice.verb) {
            true => {
                let anywhere = Choice {
                    to: None,
                    ..kind_of(choice)
                };
                (anywhere, Some(kind_of_walk(choice)))
            }
            false => (kind_of(choice), None),
        }
    })
}

/// The best choice of each kind, for each unit that can act now: `most` over all units.
fn promising_of_kinds<K: PartialEq>(
    battle: &mut Battle,
    most: usize,
    kind_of: impl Fn(&Choice) -> K,
) -> Vec<Choice> {
    let Some(question) = battle.asked().cloned() else {
        return vec![];
    };
    let actors = question.actors.len();
    if actors == 0 {
        return question.common;
    }
    let each = (most / actors).max(MIN);
    let mut found: Vec<(usize, usize, Choice)> = vec![];
    let ranked = question.actors.iter().map(|&who| battle.ranked(who, None));
    let mut ranked: Vec<_> = ranked.collect();
    // Units with the best-rated choice come first.
    ranked.sort_by_key(|choices| Reverse(choices[0].1));
    for (nth, choices) in ranked.into_iter().enumerate() {
        let best = best_by(choices, &kind_of).take(each).enumerate();
        found.extend(best.map(|(place, (choice, _))| (place, nth, choice)));
    }
    // First the best choice of every unit, then the second best.
    found.sort_by_key(|&(place, nth, _)| (place, nth));
    found.truncate(most);
    found.into_iter().map(|(_, _, choice)| choice).collect()
}

/// The best of each kind, in the given order.
pub fn best_of_kinds(ranked: Vec<(Choice, i32)>) -> impl Iterator<Item = (Choice, i32)> {
    best_by(ranked, kind_of)
}

fn best_by<K: PartialEq>(
    ranked: Vec<(Choice, i32)>,
    kind_of: impl Fn(&Choice) -> K,
) -> impl Iterator<Item = (Choice, i32)> {
    let mut kinds = vec![];
    ranked.into_iter().filter(move |(choice, _)| {
        let kind = kind_of(choice);
        let is_new = !kinds.contains(&kind);
        if is_new {
            kinds.push(kind);
        }
        is_new
    })
}

/// What choices of one kind, which have similar results, have in common.
fn kind_of(choice: &Choice) -> Choice {
    let block = |cell: Cell| Cell::new(cell.x / BLOCK, cell.y / BLOCK);
    Choice {
        who: None,
        side: None,
        along: None,
        // The cell from which a unit attacks matters little.
        to: choice.to.filter(|_| choice.at.is_none()).map(block),
        ..choice.clone()
    }
}
