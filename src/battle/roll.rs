//! What a log line about dice is made of.

use super::Rule;
use serde::Serialize;
use std::{borrow::Cow, fmt};

/// A number that is added to a roll, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Modifier {
    pub value: i16,
    /// In the game's words: "half cover".
    pub label: Cow<'static, str>,
    pub rule: Rule,
}

impl Modifier {
    pub fn new(value: i16, label: impl Into<Cow<'static, str>>, rule: Rule) -> Self {
        Self {
            value,
            label: label.into(),
            rule,
        }
    }
}

/// Dice that were rolled with what was added to them. The verdict is derived
/// from it when it is needed, never stored.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Roll {
    /// Sides and value of each die.
    pub dice: Vec<(u16, u16)>,
    pub modifiers: Vec<Modifier>,
}

impl Roll {
    pub fn one(sides: u16, value: u16, modifiers: Vec<Modifier>) -> Self {
        Self {
            dice: vec![(sides, value)],
            modifiers,
        }
    }

    pub fn total(&self) -> i32 {
        let dice: i32 = self.dice.iter().map(|d| i32::from(d.1)).sum();
        dice + self
            .modifiers
            .iter()
            .map(|m| i32::from(m.value))
            .sum::<i32>()
    }
}

/// `d20 14 + 3 attack bonus − 2 half cover = 15`
impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (sides, value)) in self.dice.iter().enumerate() {
            write!(f, "{}d{sides} {value}", if n > 0 { " + " } else { "" })?;
        }
        for m in self.modifiers.iter().filter(|m| m.value != 0) {
            let sign = if m.value < 0 { '−' } else { '+' };
            match self.dice.is_empty() {
                true => write!(f, "{} {}", m.value, m.label)?,
                false => write!(f, " {sign} {} {}", m.value.abs(), m.label)?,
            }
        }
        let log_text = self.modifiers.iter().filter(|m| m.value != 0).count();
        if self.dice.len() + log_text > 1 {
            write!(f, " = {}", self.total())?;
        }
        Ok(())
    }
}

/// `3`, `−2`.
pub fn numeral(n: i32) -> String {
    match n {
        0.. => n.to_string(),
        _ => signed(n),
    }
}

/// `+3`, `−2`, `+0`.
pub fn signed(n: impl Into<i32>) -> String {
    let n = n.into();
    if n < 0 {
        format!("−{}", -n)
    } else {
        format!("+{n}")
    }
}
