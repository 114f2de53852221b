//! The choices worth simulating: the best of each kind, for each unit that can act now.

use crate::{
    battle::{Action, Battle, Choice, Id, Item, SpellId},
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

/// The most promising choices, with the quick AI's favourite first: the more, the more playouts
/// there are to compare them.
pub fn promising_choices(battle: &mut Battle, playouts: u32) -> Vec<Choice> {
    let most = (playouts as usize / PLAYOUTS_EACH).clamp(FEW, MAX);
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
        let best = best_of_kinds(choices).take(each).enumerate();
        found.extend(best.map(|(place, (choice, _))| (place, nth, choice)));
    }
    // First the best choice of every unit, then the second best.
    found.sort_by_key(|&(place, nth, _)| (place, nth));
    found.truncate(most);
    found.into_iter().map(|(_, _, choice)| choice).collect()
}

/// The best of each kind, in the given order.
pub fn best_of_kinds(ranked: Vec<(Choice, i32)>) -> impl Iterator<Item = (Choice, i32)> {
    let mut kinds = vec![];
    ranked.into_iter().filter(move |(choice, _)| {
        let kind = ChoiceKind::of(choice);
        let is_new = !kinds.contains(&kind);
        if is_new {
            kinds.push(kind);
        }
        is_new
    })
}

/// Choices of one kind have similar results.
#[derive(PartialEq)]
struct ChoiceKind {
    verb: &'static Action,
    at: Option<Id>,
    with: Option<Item>,
    spell: Option<SpellId>,
    number: Option<i32>,
    /// The destination, rounded to a block of cells.
    to: Option<(i16, i16)>,
}

impl ChoiceKind {
    /// The side of such a block in cells.
    const PLACE: i16 = 3;

    fn of(choice: &Choice) -> Self {
        let place = |cell: Cell| (cell.x / Self::PLACE, cell.y / Self::PLACE);
        Self {
            verb: choice.verb,
            at: choice.at,
            with: choice.with,
            spell: choice.spell,
            number: choice.number,
            // The cell from which a unit attacks matters little.
            to: choice.to.filter(|_| choice.at.is_none()).map(place),
        }
    }
}
