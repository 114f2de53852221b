//! Orders as text, in scenarios and recordings: `alice: will attack goblin 2 with short sword
//! by strike after 10 ft, else another`, `alice: will move to 3,4`, `anselm: will cast bless
//! for tobin`, `alice: will guard`.

use super::{Fallback, Order, Plan};
use crate::{
    battle::{Choice, Names, Ruleset},
    words::plain,
};

/// The word that marks a line as an order to carry out.
const WILL: &str = "will ";

/// Whether a line is an order to carry out: `alice: will guard`. Capitals and more spaces than
/// needed make no difference.
pub fn is_order(line: &str) -> bool {
    plain(line)
        .split_once(':')
        .is_some_and(|(_, rest)| rest.trim_start().starts_with(WILL))
}

/// A plan as a line of text.
pub fn to_text(plan: &Plan, names: &Names) -> String {
    let mut out = format!("{}: {WILL}", names.key(plan.who));
    match &plan.order {
        Order::Attack { target, by, with } => {
            out += &format!("attack {}", names.key(*target));
            if let Some(with) = with {
                out += &format!(" with {}", names.item(*with));
            }
            if let Some(by) = by {
                out += &format!(" by {}", by.name);
            }
            if plan.feet > 0 {
                out += &format!(" after {} ft", plan.feet);
            }
        }
        Order::Move { to } => out += &format!("move to {to}"),
        Order::Guard => out += "guard",
        Order::Act { declared, at, to } => {
            let text = declared.text(names);
            out += text.split_once(": ").map_or(&*text, |parts| parts.1);
            match (at, to) {
                (Some(at), _) => out += &format!(" for {}", names.key(*at)),
                (None, Some(to)) => out += &format!(" for {to}"),
                (None, None) => {}
            }
        }
    }
    match plan.fallback {
        Fallback::Ask => {}
        Fallback::Another => out += ", else another",
        Fallback::Skip => out += ", else skip",
    }
    out
}

/// Parses a line into a plan, with any capitals and spaces. `find` returns the declaration that an
/// order such as `anselm: cast bless` stands for.
///
/// # Errors
/// A message that says what cannot be read, and what could.
pub fn parse(
    line: &str,
    names: &Names,
    rules: &Ruleset,
    find: &mut dyn FnMut(&str) -> Option<Choice>,
) -> Result<Plan, String> {
    // In lower case, so that no message reveals which names exist.
    let line = &*plain(line);
    let (key, text) = line.split_once(':').unwrap_or((line, ""));
    let text = text.trim_start();
    let text = text.strip_prefix(WILL).unwrap_or(text);
    let who = names.find(key);
    let who = who.ok_or_else(|| format!("no unit is called '{}'", key.trim()))?;
    let (text, fallback) = match text.rsplit_once(", else ") {
        None => (text.trim(), Fallback::Ask),
        Some((text, "another")) => (text.trim(), Fallback::Another),
        Some((text, "skip")) => (text.trim(), Fallback::Skip),
        Some((text, "ask")) => (text.trim(), Fallback::Ask),
        Some((_, other)) => {
            let why = format!("after 'else' goes another, skip or ask, not '{other}'");
            return Err(why);
        }
    };
    let mut feet = 0;
    let order = if text == "guard" {
        Order::Guard
    } else if let Some(cell) = text.strip_prefix("move to ") {
        let to = cell.parse();
        let to = to.map_err(|_| format!("'{cell}' is not a cell as 3,4"))?;
        Order::Move { to }
    } else if let Some(rest) = text.strip_prefix("attack ") {
        let (rest, after) = split(rest, " after ");
        if let Some(after) = after {
            let number = after.strip_suffix(" ft").and_then(|n| n.parse().ok());
            feet = number.ok_or_else(|| format!("'{after}' is not a distance as 10 ft"))?;
        }
        let (rest, by) = split(rest, " by ");
        let (rest, with) = split(rest, " with ");
        let attacks = || {
            let plain = rules.planning.attacks.iter().map(|attack| attack.0);
            plain.chain(rules.planning.charge.iter().copied())
        };
        let by = match by {
            None => None,
            Some(name) => Some(attacks().find(|verb| verb.name == name).ok_or_else(|| {
                let known: Vec<&str> = attacks().map(|verb| verb.name).collect();
                format!("'{name}' is not an attack: {}", known.join(", "))
            })?),
        };
        let with = match with {
            None => None,
            Some(name) => {
                let item = names.find_item(name);
                Some(item.ok_or_else(|| format!("no item is called '{name}'"))?)
            }
        };
        let target = names.find(rest);
        let target = target.ok_or_else(|| format!("no unit is called '{rest}'"))?;
        Order::Attack { target, by, with }
    } else {
        let whole = |text: &str| format!("{}: {text}", key.trim());
        let aimed = text.rsplit_once(" for ").and_then(|(text, aim)| {
            let (at, to) = (names.find(aim), aim.parse().ok());
            (at.is_some() || to.is_some()).then_some((text, at, to))
        });
        let (text, at, to) = aimed.unwrap_or((text, None, None));
        let declared = find(&whole(text)).ok_or_else(|| {
            format!(
                "'{text}' is not something that can be declared now; orders are attack UNIT, \
                 move to CELL, guard, or a declaration with `for UNIT` or `for CELL`"
            )
        })?;
        Order::Act { declared, at, to }
    };
    Ok(Plan {
        fallback,
        feet,
        ..Plan::new(who, order)
    })
}

/// The text before the last occurrence of a joint, and the text after it.
fn split<'a>(text: &'a str, joint: &str) -> (&'a str, Option<&'a str>) {
    match text.rsplit_once(joint) {
        Some((before, after)) => (before.trim(), Some(after.trim())),
        None => (text.trim(), None),
    }
}
