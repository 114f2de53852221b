//! Rolls and their modifiers.

use super::{DiceBox, Rule};
use crate::content::Dice;
use serde::Serialize;
use std::{borrow::Cow, fmt};

/// A number that is added to a roll, and the reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Modifier {
    pub value: i16,
    /// The reason as the player reads it: "half cover".
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

    /// Adds a modifier to a list, unless its value is 0.
    pub fn push(to: &mut Vec<Self>, value: i32, label: &'static str, rule: Rule) {
        if value != 0 {
            to.push(Self::new(value as i16, label, rule));
        }
    }

    /// Modifiers of one rule, without those of value 0.
    pub fn list(
        rule: Rule,
        parts: impl IntoIterator<Item = (i32, &'static str)>,
    ) -> impl Iterator<Item = Self> {
        let parts = parts.into_iter().filter(|p| p.0 != 0);
        parts.map(move |(n, label)| Self::new(n as i16, label, rule))
    }
}

/// A list of modifiers with spare capacity, because most forecasts add some.
pub fn list_with_spare_room(modifiers: impl Iterator<Item = Modifier>) -> Vec<Modifier> {
    let mut list = Vec::with_capacity(8);
    list.extend(modifiers);
    list
}

/// The sum of modifiers.
pub fn sum(modifiers: &[Modifier]) -> i32 {
    modifiers.iter().map(|m| i32::from(m.value)).sum()
}

/// What a single d20 shows, if it is its highest or its lowest face.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Natural {
    Twenty,
    One,
}

/// Dice that were rolled, and their modifiers. Whether the roll succeeds is worked out when it is
/// needed, and never stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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

    /// A roll without dice, for points that come straight from a table or rule.
    pub fn fixed(points: i32, label: impl Into<Cow<'static, str>>, rule: Rule) -> Self {
        Self {
            dice: vec![],
            modifiers: vec![Modifier::new(points as i16, label, rule)],
        }
    }

    /// Rolls dice. Their fixed bonus becomes a modifier with this label and rule.
    pub fn thrown(of: Dice, label: &'static str, rule: Rule, dice: &mut DiceBox) -> Self {
        let rolled = (0..of.count).map(|_| (of.sides, dice.roll(of.sides)));
        Self {
            dice: rolled.collect(),
            modifiers: Modifier::list(rule, [(of.plus.into(), label)]).collect(),
        }
    }

    /// The value of the first die; 0 without dice.
    pub fn face(&self) -> i32 {
        self.dice.first().map_or(0, |d| d.1.into())
    }

    /// Whether this is a natural 20 or a natural 1: a single d20.
    pub fn natural(&self) -> Option<Natural> {
        match self.dice[..] {
            [(20, 20)] => Some(Natural::Twenty),
            [(20, 1)] => Some(Natural::One),
            _ => None,
        }
    }

    /// The sum of the dice without modifiers.
    pub fn shown(&self) -> i32 {
        self.dice.iter().map(|d| i32::from(d.1)).sum()
    }

    pub fn total(&self) -> i32 {
        self.shown() + sum(&self.modifiers)
    }

    /// The roll behind a number of points in the log: " (1d6 4)". Nothing if there is no roll.
    pub fn in_brackets(&self) -> String {
        match self.dice.is_empty() && self.modifiers.is_empty() {
            true => String::new(),
            false => format!(" ({self})"),
        }
    }

    /// Adds a modifier that makes the total equal to `points`, unless it already is.
    pub fn set_total(&mut self, points: i32, label: impl Into<Cow<'static, str>>, rule: Rule) {
        let more = (points - self.total()) as i16;
        if more != 0 {
            self.modifiers.push(Modifier::new(more, label, rule));
        }
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
        let shown = self.modifiers.iter().filter(|m| m.value != 0).count();
        if self.dice.len() + shown > 1 {
            write!(f, " = {}", self.total())?;
        }
        Ok(())
    }
}
