//! A unit's numbers in a battle, as its ruleset computes them.

use super::{Attack, Id, Modifier, Rule, View, sum};
use crate::{content::Dice, words::signed};
use serde_json::Value;

/// One number of a unit, or a short text.
#[derive(Clone, PartialEq, Debug)]
pub struct Stat {
    /// A word or two: "HP", "short bow".
    pub name: String,
    /// A number, a text, or an object of these.
    pub value: Value,
    /// Whether it can be left out where space is short.
    pub is_detail: bool,
}

impl Stat {
    pub fn new(name: impl Into<String>, value: impl Into<Value>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
            is_detail: false,
        }
    }

    /// A figure that can be left out where space is short.
    pub fn detail(name: impl Into<String>, value: impl Into<Value>) -> Self {
        Self {
            is_detail: true,
            ..Self::new(name, value)
        }
    }

    /// The value as text: "hit +4, damage 1d8+2", "yes".
    pub fn text(&self) -> String {
        in_words(&self.value)
    }
}

fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_string(),
        Value::Bool(false) => "no".to_string(),
        Value::Object(all) => {
            let each = all.iter().map(|(name, value)| match value.as_i64() {
                // Shown with its sign, because it is a bonus.
                Some(n) if name == "hit" => format!("{name} {}", signed(n as i32)),
                _ => format!("{name} {}", in_words(value)),
            });
            each.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// A figure for each attack that unit `by` could make with its ready or belted weapons. `at` is
/// any target; `look` computes the figure.
pub fn attack_figures(
    view: &View,
    (by, at): (Id, Id),
    rule: Rule,
    figures_of: impl Fn(Attack) -> Value,
) -> Vec<Stat> {
    let mut figures = vec![];
    for with in view.inventory(by).at_hand() {
        let weapon = view.weapon(with);
        let ways = [
            (weapon.melee.is_some(), false),
            (weapon.ranged.is_some(), true),
        ];
        for (_, ranged) in ways.into_iter().filter(|(can, _)| *can) {
            let name = view.names().item(with);
            let name = match ranged && weapon.melee.is_some() {
                true => format!("{name}, thrown"),
                false => name.to_string(),
            };
            let attack = Attack::new(by, at, with, ranged, rule);
            figures.push(Stat::new(name, figures_of(attack)));
        }
    }
    figures
}

/// Dice with the sum of their modifiers: "1d8+2".
pub fn dice_text(dice: Dice, modifiers: &[Modifier]) -> String {
    let plus = dice.plus + sum(modifiers) as i16;
    Dice { plus, ..dice }.to_string()
}
