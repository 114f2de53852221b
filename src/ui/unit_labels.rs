//! The labels on tokens that tell units of one side apart: "2", or "A2" if archers
//! and goblins both have numbers. A label matches the unit's name, so that token,
//! log, card and recording refer to the same unit.

use super::art::tokens::Label;
use crate::{
    content::Look,
    levels::{Combatant, Level},
};

/// The label of each unit of a level, by id. Units with their own name have none.
pub fn labels(level: &Level) -> Vec<Option<Label>> {
    // Assign letters to visible kinds first, so that no letter reveals a hidden unit.
    let mut order: Vec<&Combatant> = level.combatants.iter().filter(|c| is_numbered(c)).collect();
    order.sort_by_key(|c| c.hidden);
    let mut kinds: Vec<LabelGroup> = vec![];
    for unit in order {
        let (side, name) = (unit.side.0, base(unit));
        if kinds.iter().any(|k| k.side == side && k.name == name) {
            continue;
        }
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
        });
    }
    let label = |unit: &Combatant| {
        let kind = kinds
            .iter()
            .find(|k| k.side == unit.side.0 && k.name == base(unit))?;
        let mut others = kinds
            .iter()
            .filter(|k| k.side == kind.side && k.name != kind.name);
        let is_needed = others.any(|k| kind.hidden || !k.hidden);
        Some(Label {
            letters: if is_needed { kind.letters } else { [None; 2] },
            number: unit.number,
        })
    };
    let units = level.combatants.iter();
    units
        .map(|unit| is_numbered(unit).then(|| label(unit)).flatten())
        .collect()
}

type Letters = [Option<char>; 2];

/// Units of one side that share a name and differ in their number.
struct LabelGroup<'a> {
    side: u8,
    name: &'a str,
    letters: Letters,
    hidden: bool,
}

fn is_numbered(unit: &Combatant) -> bool {
    !matches!(unit.creature.look, Look::Token { .. })
        && unit.name.ends_with(&format!(" {}", unit.number))
}

/// The name without its number: "goblin archer".
fn base(unit: &Combatant) -> &str {
    unit.name
        .rsplit_once(' ')
        .map_or(&unit.name, |(name, _)| name)
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
