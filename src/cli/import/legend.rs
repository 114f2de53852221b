//! The meanings of characters and tiles, given on the command line.

use super::{ImportedMap, Starter, Unit, floor};
use fivefoot_core::{
    grid::Cell,
    levels::{edit::GroundAndFog, ground_of},
};

/// An entry of the legend: a key and its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// A character, a code of a table, or the number of a tile.
    pub key: String,
    pub means: Meaning,
}

/// What a cell is, or what is in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    Ground(GroundAndFog),
    /// Floor where a side starts.
    Start(Starter),
    /// Floor where a side can leave; without a side, all of them.
    Exit(Option<String>),
    /// Floor with a unit on it.
    Unit {
        kind: String,
        side: String,
    },
}

/// Parses an entry: `^=(floor: 5)`, `@=start party`, `g=unit goblin foes`.
pub fn entry(text: &str) -> Result<LegendEntry, String> {
    let form = "write a character or code, `=`, and what it means: `^=(floor: 5)`, \
                `@=start party`, `<=exit`, `g=unit goblin foes`";
    // The first character may itself be `=`.
    let first = text.chars().next().ok_or(form)?;
    let rest = &text[first.len_utf8()..];
    let (more, means) = rest.split_once('=').ok_or(form)?;
    let key = format!("{first}{more}");
    let words: Vec<&str> = means.split_whitespace().collect();
    let means = match &words[..] {
        [] => return Err(form.into()),
        ["start"] => Meaning::Start(Starter::Nth(0)),
        ["start", side] => Meaning::Start(Starter::Named((*side).into())),
        ["exit"] => Meaning::Exit(None),
        ["exit", side] => Meaning::Exit(Some((*side).into())),
        ["unit", kind, side] => Meaning::Unit {
            kind: (*kind).into(),
            side: (*side).into(),
        },
        ["start" | "exit", ..] => return Err("a side is one id, as `@=start party`".into()),
        ["unit", ..] => return Err("a unit has a kind and a side, as `g=unit goblin foes`".into()),
        _ => Meaning::Ground(ground_of(means.trim()).map_err(|why| format!("{why}; {form}"))?),
    };
    Ok(LegendEntry { key, means })
}

/// The meaning of a key, if the legend has it.
pub fn find<'e>(legend: &'e [LegendEntry], key: &str) -> Option<&'e Meaning> {
    let found = legend.iter().rev().find(|entry| entry.key == key);
    found.map(|entry| &entry.means)
}

impl Meaning {
    /// The ground. Anything else that it means is added to `found`.
    pub(super) fn put(&self, at: Cell, found: &mut ImportedMap) -> GroundAndFog {
        match self {
            Self::Ground(ground) => return ground.clone(),
            Self::Start(side) => area(&mut found.starts, side, at),
            Self::Exit(side) => area(&mut found.exits, side, at),
            Self::Unit { kind, side } => found.units.push(Unit {
                kind: kind.clone(),
                side: side.clone(),
                name: String::new(),
                at,
                more: vec![],
            }),
        }
        floor()
    }
}

/// Adds a cell to the area of a side.
fn area<S: Clone + PartialEq>(areas: &mut Vec<(S, Vec<Cell>)>, side: &S, at: Cell) {
    match areas.iter_mut().find(|(of, _)| of == side) {
        Some((_, cells)) if !cells.contains(&at) => cells.push(at),
        Some(_) => {}
        None => areas.push((side.clone(), vec![at])),
    }
}
