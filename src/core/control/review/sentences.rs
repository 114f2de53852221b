//! The review as text, for the window and the command line.

use super::{ComparedOrder, Review, ReviewedDecision};
use crate::{
    battle::{Choice, Id, Names, Side, capitalised},
    words,
};

/// A unit is named as the reason only if its rate of falling differs by at least this, 0 to 1.
const TELLING: f32 = 0.05;

/// A share in percent without its sign, such as 9 for 0.09.
fn percent(share: f32) -> i32 {
    (share.abs() * 100.0).round() as i32
}

/// The summary of a review: "Three orders cost you 31% win chance; the dice took 12%." `you`: the
/// player controls the side.
pub fn headline(review: &Review, names: &Names, side: Side, you: bool) -> String {
    let mistakes = review.mistakes(side);
    let cost: f32 = mistakes.iter().map(|&n| review.decisions[n].loss()).sum();
    let side_name = match you {
        true => String::from("you"),
        false => names.side_in_line(side).to_string(),
    };
    let orders = match mistakes.len() {
        0 => format!(
            "No order cost {side_name} more than {}% win chance",
            percent(super::INACCURACY)
        ),
        n => {
            let orders = ["One order", "Two orders", "Three orders"][n.min(super::NAMED) - 1];
            format!("{orders} cost {side_name} {}% win chance", percent(cost))
        }
    };
    let dice = review.balance(side).map_or(0.0, |all| all.dice);
    match (percent(dice), dice > 0.0) {
        (0, _) => format!("{orders}; the dice were even."),
        (n, true) => format!("{orders}; the dice gave {n}%."),
        (n, false) => format!("{orders}; the dice took {n}%."),
    }
}

/// The order as text: "Tobin shoots at goblin 2 with bow".
pub fn said(choice: &Choice, names: &Names) -> String {
    match choice.who {
        Some(_) => choice.log_text(names),
        None => {
            let side = choice.side.map_or("", |side| names.side(side));
            capitalised(&format!("{side}: {}", choice.describe(names)))
        }
    }
}

/// The round and the order: "Round 3, Tobin shoots at goblin 2 with bow".
pub fn title(decision: &ReviewedDecision, names: &Names) -> String {
    let round = capitalised(&words::round(decision.round));
    format!("{round}, {}", said(&decision.given().choice, names))
}

/// The better order, and what its unit does next: "move to 4,2, then shoot at archer 2", or
/// "Tobin moves to 4,2, then shoots at archer 2" if it is another unit's. An order that only
/// leaves the turn to another unit is followed by what that unit does: "Wat is done for the turn,
/// then Tobin shoots at archer 2".
pub fn better(decision: &ReviewedDecision, names: &Names) -> String {
    let best = decision.best();
    let is_own = best.choice.who.is_some() && best.choice.who == decision.who;
    let next = best.then.first();
    let other = next.filter(|next| next.who != best.choice.who);
    if let Some((next, who)) = other.and_then(|next| Some((next, next.who?))) {
        let (first, does) = (said(&best.choice, names), next.done_from(names, None));
        return format!("{first}, then {} {does}", names.name(who));
    }
    let first = match is_own {
        true => best.choice.describe(names),
        false => said(&best.choice, names),
    };
    let then = next.map(|next| match is_own {
        true => next.describe(names),
        false => next.done_from(names, None),
    });
    match then {
        Some(next) => format!("{first}, then {next}"),
        None => first,
    }
}

/// Why it is better: the unit of the side that falls less often after it, or the enemy that falls
/// more often, by the largest difference. `sides` are those of the review. `None` if no difference
/// is large enough.
pub fn reason(decision: &ReviewedDecision, sides: &[Side], names: &Names) -> Option<String> {
    let (given, best) = (decision.given(), decision.best());
    let helps = |n: &usize| match sides.get(*n) == Some(&decision.side) {
        true => falls(given, *n) - falls(best, *n),
        false => falls(best, *n) - falls(given, *n),
    };
    let most = (0..given.falls.len()).max_by(|a, b| helps(a).total_cmp(&helps(b)))?;
    if helps(&most) < TELLING {
        return None;
    }
    let rate = |order: &ComparedOrder| percent(falls(order, most));
    let name = capitalised(names.name(Id(most as u16)));
    let (given, best) = (rate(given), rate(best));
    Some(format!(
        "{name} falls in {given}% of the playouts, after the better order in {best}%."
    ))
}

fn falls(order: &ComparedOrder, unit: usize) -> f32 {
    order.falls.get(unit).copied().unwrap_or(0.0)
}
