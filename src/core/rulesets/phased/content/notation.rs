//! Attack lines in the notation of Phased (PH-36): "bite (1d6) and 2 stings (1d4/1d4)".

use crate::{content::Dice, rulesets::phased::numbers::AttackTableRow};
use std::{fmt, str::FromStr};

/// All attacks of one routine, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttackLine {
    pub parts: Vec<AttackGroup>,
    /// The roll needed against AC 0, if any bracket of the line gives it. It applies to all
    /// attacks.
    pub aac0: Option<AttackTableRow>,
    /// An effect added to the damage: "poison".
    pub plus: Option<String>,
}

/// Attacks of one kind, one for each entry in `damage`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackGroup {
    /// "bite", "stings".
    pub name: String,
    pub damage: Vec<Dice>,
    /// The kind of damage or an added effect: "fire".
    pub special: Option<String>,
}

impl AttackGroup {
    /// Whether this part uses the weapon of that name, in singular or plural: "claws" uses "claw".
    pub fn is_of(&self, arm: &str) -> bool {
        let one = |name: &str| name.strip_suffix('s').unwrap_or(name).to_lowercase();
        one(&self.name) == one(arm)
    }
}

impl fmt::Display for AttackLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, part) in self.parts.iter().enumerate() {
            let last = n + 1 == self.parts.len();
            f.write_str(match (n, last) {
                (0, _) => "",
                (_, true) => " and ",
                _ => ", ",
            })?;
            part.write(f, self.aac0.filter(|_| last))?;
        }
        if let Some(plus) = &self.plus {
            write!(f, " plus {plus}")?;
        }
        Ok(())
    }
}

impl AttackGroup {
    fn write(&self, f: &mut fmt::Formatter<'_>, aac0: Option<AttackTableRow>) -> fmt::Result {
        if self.damage.len() > 1 {
            write!(f, "{} ", self.damage.len())?;
        }
        let dice: Vec<String> = self.damage.iter().map(Dice::to_string).collect();
        write!(f, "{} ({}", self.name, dice.join("/"))?;
        if let Some(special) = &self.special {
            write!(f, " {special}")?;
        }
        if let Some(aac0) = aac0 {
            write!(f, "; AAC0 {}", aac0.aac0())?;
        }
        f.write_str(")")
    }
}

impl FromStr for AttackLine {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "attacks such as \"2 claws (1d8/1d8) and bite (2d6)\"";
        let (text, plus) = match text.split_once(" plus ") {
            Some((text, plus)) if !plus.trim().is_empty() => (text, Some(plus.trim().to_owned())),
            Some(_) => return Err(SHAPE),
            None => (text, None),
        };
        let mut aac0 = None;
        // Each part ends with a bracket; "and" or a comma separates parts.
        let mut parts = vec![];
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (one, after) = rest.split_once(')').ok_or(SHAPE)?;
            let (one, row) = match one.split_once(';') {
                Some((one, rest)) => (one, Some(row(rest).ok_or(SHAPE)?)),
                None => (one, None),
            };
            // All attacks of a creature use one table row.
            if aac0.is_some() && row.is_some() && row != aac0 {
                return Err(SHAPE);
            }
            aac0 = aac0.or(row);
            parts.push(part(one).ok_or(SHAPE)?);
            let after = after.trim_start();
            let next = after.strip_prefix("and ").or(after.strip_prefix(','));
            rest = next.map_or(after, str::trim_start);
            if !after.is_empty() && (rest.is_empty() || rest.len() == after.len()) {
                return Err(SHAPE);
            }
        }
        if parts.is_empty() {
            return Err(SHAPE);
        }
        Ok(Self { parts, aac0, plus })
    }
}

/// Parses " AAC0 15" or " AAC0 20*".
fn row(text: &str) -> Option<AttackTableRow> {
    AttackTableRow::of(text.trim().strip_prefix("AAC0")?.trim())
}

/// Parses "2 claws (1d8/1d8 fire", without the closing bracket.
fn part(text: &str) -> Option<AttackGroup> {
    let (head, inside) = text.split_once('(')?;
    let head = head.trim();
    let head = head.strip_prefix("and ").unwrap_or(head);
    let (count, name) = match head.split_once(' ') {
        Some((n, name)) if n.bytes().all(|b| b.is_ascii_digit()) => (n.parse().ok()?, name),
        _ => (1, head),
    };
    let (dice, special) = match inside.trim().split_once(' ') {
        Some((dice, special)) => (dice, Some(special.trim().to_owned())),
        None => (inside.trim(), None),
    };
    let damage: Option<Vec<Dice>> = dice.split('/').map(|d| d.trim().parse().ok()).collect();
    let damage = damage?;
    let fits = !name.is_empty() && damage.len() == count && count > 0;
    fits.then(|| AttackGroup {
        name: name.to_owned(),
        damage,
        special,
    })
}
