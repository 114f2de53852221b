//! Simulation results of a plan in words.

use crate::{
    battle::{Id, Names, capitalised},
    control::simulation::{Failures, PlanOutcome, Simulation},
    words::list,
};

/// Most units named for one reason.
const NAMED: usize = 4;
/// Least share of rounds for mentioning that the unit is hurt or not needed, in percent.
pub const WORTH_SAYING: u32 = 10;
/// A plan that goes ahead less often is shown with the reason, in percent.
pub const RARE: u32 = 40;

/// How often a plan succeeds: "goes ahead: 85%". For a plan without a target, how often the unit
/// attacks at all; `None` if never.
pub fn success_rate(simulation: &Simulation, who: Id) -> Option<String> {
    let percent = simulation.success_rate(who)?;
    match simulation.plans[&who].is_open {
        true => (percent > 0).then(|| format!("finds a target: {percent}%")),
        false => Some(format!("goes ahead: {percent}%")),
    }
}

/// When the action happens, if dice decide that: "count 5 to 9" for the middle 80%, or "HIGH:
/// missiles (60%)" if the parts of the round have no numbers. `None` if it is always the same or
/// never happens.
pub fn when(outcome: &PlanOutcome) -> Option<String> {
    if outcome.moments.len() < 2 {
        return None;
    }
    let moments = outcome.moments.iter();
    let counts: Option<Vec<(i32, u32)>> = moments.map(|(m, n)| Some((m.count?, *n))).collect();
    let total: u32 = outcome.moments.values().sum();
    let Some(mut counts) = counts else {
        let (best, n) = outcome.likeliest()?;
        return Some(format!("{} ({}%)", best.in_line(), 100 * n / total));
    };
    counts.sort_unstable();
    let (least, most) = (
        quantile(&counts, total / 10),
        quantile(&counts, total * 9 / 10),
    );
    let span = match least == most {
        true => least.to_string(),
        false => format!("{least} to {most}"),
    };
    let (first, _) = outcome.moments.first_key_value()?;
    let number = first.label.as_str();
    Some(first.in_line().replace(number, &span.replace('-', "−")))
}

/// The price of a plan: "is hit before acting: 40%, by goblin 1 or archer 2". `None` if that is
/// rare.
pub fn price(simulation: &Simulation, who: Id, names: &Names) -> Option<String> {
    let outcome = simulation.plans.get(&who)?;
    let percent = simulation.percent(outcome.hurt);
    let by = outcome.hurt_by.iter();
    let by = by.filter(|by| 3 * by.1 >= outcome.hurt).take(NAMED);
    let by = list(by.map(|by| names.name(by.0).to_owned()), "or");
    (percent >= WORTH_SAYING).then(|| format!("is hit before acting: {percent}%, by {by}"))
}

/// Why a plan fails and how often, at most `room` lines: "fails 20%: Mara is downed before acting,
/// by archer 1 or archer 2".
pub fn failures(simulation: &Simulation, who: Id, names: &Names, room: usize) -> Vec<String> {
    let Some(outcome) = simulation.plans.get(&who) else {
        return vec![];
    };
    let all = outcome.failures.iter().filter(|f| !f.reason.is_unneeded());
    let all: Vec<&Failures> = all.collect();
    let shown = match all.len() > room {
        true => room.saturating_sub(1),
        false => all.len(),
    };
    let (shown, rest) = all.split_at(shown);
    let line = |failures: &&Failures| {
        let percent = simulation.percent(failures.rounds);
        format!("fails {percent}%: {}", reason(failures, names))
    };
    let rest: u32 = rest.iter().map(|failures| failures.rounds).sum();
    let rest = (rest > 0).then(|| format!("fails {}%: other reasons", simulation.percent(rest)));
    shown.iter().map(line).chain(rest).collect()
}

/// How often a plan has nothing left to do: "not needed 72%: Sentry will be down by then". That is no
/// failure: an ally was faster.
pub fn not_needed(simulation: &Simulation, who: Id, names: &Names) -> Option<String> {
    let outcome = simulation.plans.get(&who)?;
    let percent = simulation.percent(outcome.unneeded());
    let first = outcome.failures.iter().find(|f| f.reason.is_unneeded())?;
    Some(format!("not needed {percent}%: {}", reason(first, names)))
}

/// The most frequent reason for which a plan does not go ahead: "Main risk: Mara is downed before
/// acting", or "Often not needed: Sentry will be down by then".
pub fn main_failure(simulation: &Simulation, who: Id, names: &Names) -> Option<String> {
    let first = simulation.plans.get(&who)?.failures.first()?;
    let what = match first.reason.is_unneeded() {
        true => "Often not needed",
        false => "Main risk",
    };
    Some(format!("{what}: {}", reason(first, names)))
}

/// The most frequent reason for which a plan does not go ahead: "Mara is downed before acting".
pub fn main_reason(simulation: &Simulation, who: Id, names: &Names) -> Option<String> {
    let first = simulation.plans.get(&who)?.failures.first()?;
    Some(reason(first, names))
}

/// The most frequent reason with its share of the rounds: "fails 68%: runs out of time to reach slinger", or "not
/// needed 72%: Sentry will be down by then".
pub fn main_share(simulation: &Simulation, who: Id, names: &Names) -> Option<String> {
    let first = simulation.plans.get(&who)?.failures.first()?;
    match first.reason.is_unneeded() {
        true => not_needed(simulation, who, names),
        false => failures(simulation, who, names, usize::MAX)
            .into_iter()
            .next(),
    }
}

/// What qualifies the success rate of a plan: in how many rounds it is not needed, "Not needed 20%",
/// with the reason if it seldom goes ahead, or why it mostly fails. `None` if there is little to say.
pub fn qualification(simulation: &Simulation, who: Id, names: &Names) -> Option<String> {
    let is_rare = simulation.success_rate(who)? < RARE;
    let outcome = simulation.plans.get(&who)?;
    let first = outcome.failures.first()?;
    let percent = simulation.percent(outcome.unneeded());
    let words = match (is_rare, first.reason.is_unneeded()) {
        (true, true) => not_needed(simulation, who, names)?,
        (true, false) => reason(first, names),
        (false, _) if percent >= WORTH_SAYING => format!("not needed {percent}%"),
        (false, _) => return None,
    };
    Some(capitalised(&words))
}

fn reason(failures: &Failures, names: &Names) -> String {
    let by: Vec<Id> = failures.by.iter().map(|by| by.0).take(NAMED).collect();
    failures.reason.expected_text(names, &by)
}

/// The number at a rank; each number comes with its frequency.
fn quantile(numbers: &[(i32, u32)], before: u32) -> i32 {
    let mut passed = 0;
    let found = numbers.iter().find(|(_, count)| {
        passed += count;
        passed > before
    });
    found.or(numbers.last()).map_or(0, |found| found.0)
}
