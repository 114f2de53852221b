//! The labels on tokens that tell units of one side apart: "2", or "A2" if archers and goblins both
//! have numbers, or "S" for a straggler that looks like them. A label matches the unit's name, so
//! that token, log, card and recording refer to the same unit.

use super::art::{portrait::Portrait, tokens::Label};
use crate::{
    content::Look,
    levels::{Combatant, Level},
};

/// The label of each unit of a level with these portraits, by id. Units with their own name have
/// none, unless they look like another unit of their side.
pub fn labels(level: &Level, portraits: &[Portrait]) -> Vec<Option<Label>> {
    let units = &level.combatants;
    let looks_like_another = |n: usize| {
        let is_like = |other: usize| {
            let is_known = units[n].hidden || !units[other].hidden;
            let is_of_side = units[other].side.0 == units[n].side.0;
            other != n && is_known && is_of_side && portraits[other] == portraits[n]
        };
        (0..units.len()).any(is_like)
    };
    let has_label = |n: usize| {
        let is_meeple = matches!(units[n].creature.look, Look::Meeple { .. });
        is_meeple && (is_numbered(&units[n]) || looks_like_another(n))
    };
    let labelled = Vec::from_iter((0..units.len()).map(has_label));
    // Assign letters to visible kinds first, so that no letter reveals a hidden unit.
    let order = units
        .iter()
        .zip(&labelled)
        .filter(|(_, labelled)| **labelled);
    let mut order: Vec<&Combatant> = order.map(|(unit, _)| unit).collect();
    order.sort_by_key(|c| c.hidden);
    let mut kinds: Vec<LabelGroup> = vec![];
    for unit in order {
        if kinds.iter().any(|k| k.includes(unit)) {
            continue;
        }
        let (side, name) = (unit.side.0, base(unit));
        let is_free = |letters: &Letters| {
            let mut others = kinds.iter().filter(|k| k.side == side);
            !others.any(|k| k.letters == *letters)
        };
        let letters = candidates(name).find(is_free).unwrap_or_default();
        kinds.push(LabelGroup {
            side,
            name,
            letters,
            hidden: unit.hidden,
            is_numbered: is_numbered(unit),
        });
    }
    let label = |unit: &Combatant| {
        let kind = kinds.iter().find(|k| k.includes(unit))?;
        let mut others = kinds
            .iter()
            .filter(|k| k.side == kind.side && k.name != kind.name && k.is_numbered);
        let is_needed = !kind.is_numbered || others.any(|k| kind.hidden || !k.hidden);
        let label = Label {
            letters: if is_needed { kind.letters } else { [None; 2] },
            number: kind.is_numbered.then_some(unit.number),
        };
        // All letters can be taken.
        (label != Label::default()).then_some(label)
    };
    let all = units.iter().zip(labelled);
    all.map(|(unit, labelled)| labelled.then(|| label(unit)).flatten())
        .collect()
}

type Letters = [Option<char>; 2];

/// Units of one side that share a name and differ in their number, or one with its own name.
struct LabelGroup<'a> {
    side: u8,
    name: &'a str,
    letters: Letters,
    hidden: bool,
    is_numbered: bool,
}

impl LabelGroup<'_> {
    /// Whether the unit belongs to this group. "Goblin" is not one of "goblin 1" and "goblin 2".
    fn includes(&self, unit: &Combatant) -> bool {
        let own = (unit.side.0, base(unit), is_numbered(unit));
        (self.side, self.name, self.is_numbered) == own
    }
}

fn is_numbered(unit: &Combatant) -> bool {
    unit.name.ends_with(&format!(" {}", unit.number))
}

/// The name without its number: "goblin archer".
fn base(unit: &Combatant) -> &str {
    let number = format!(" {}", unit.number);
    unit.name.strip_suffix(&number).unwrap_or(&unit.name)
}

/// Letters that can stand for a name, best first: the initial of its last word, then
/// that initial with each later letter of the name.
fn candidates(name: &str) -> impl Iterator<Item = Letters> + '_ {
    let last = name.rsplit(' ').next().unwrap_or(name);
    let upper = |c: char| c.to_uppercase().next();
    let first = last.chars().next().and_then(upper);
    let more = last.chars().skip(1).chain(name.chars());
    let pairs = more.filter(|c| c.is_alphabetic());
    std::iter::once([first, None]).chain(pairs.map(move |c| [first, Some(c)]))
}
