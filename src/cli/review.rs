//! `fivefoot review`: prints the review of a recorded battle.

use super::{Failure, Outcome, args::whole, progress, replay, say, say_json};
use clap::Args;
use fivefoot_core::{
    battle::{Battle, Names, Roster, Side, capitalised, members},
    control::{
        bot::number,
        review::{
            Estimate, Grade, Review, ReviewedDecision, Reviewer, better, headline, reason, said,
            title,
        },
    },
    words::count,
};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Show what each order of a recording cost, and what the dice did.
///
/// Each order is compared with others that could have been given: the quick AI plays on
/// from both with the same dice. Prints the largest mistakes with the better orders, how
/// accurate each side was, and luck apart from skill. Ctrl-C stops early and prints the
/// review so far. See docs/review.md.
#[derive(Args)]
pub struct ReviewArgs {
    /// A recording from `sim --record`, or a save
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// Compare only this side's orders [default: all sides]
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    /// Playouts for each order that is compared closely, at least 10
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u32>(10..=100_000))]
    playouts: u32,
    /// Threads, 1 to 256 [default: one per processor core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
    /// One JSON object per line: each decision, then each side
    #[arg(long)]
    json: bool,
}

pub fn run(args: &ReviewArgs) -> Outcome {
    let recording = replay::read(&args.file)?;
    let name = args.file.display().to_string();
    let battle = replay::battle(&args.file, &recording, None)?;
    let level = recording.level().map_err(Failure::new)?;
    let names = battle.names();
    let sides: Vec<Side> = battle.world().resource::<Roster>().sides().collect();
    let only = args.side.as_ref().map(|wanted| {
        let mut found = sides.iter().copied();
        let found = found.find(|&side| names.side_key(side) == wanted);
        found.ok_or_else(|| {
            let known: Vec<&str> = level.sides.iter().map(|side| side.id.as_str()).collect();
            let known = known.join(", ");
            Failure::usage(format!("there is no side '{wanted}'; there are {known}"))
        })
    });
    let only = only.transpose()?;
    let pool = progress::threads(args.threads)?;
    let bar = progress::bar(name.clone(), 100);
    let stopped = || progress::is_stopped();
    let seed = recording.seed;
    let reviewer = pool.install(|| {
        let mut reviewer = Reviewer::of(&battle, only, args.playouts, seed, &stopped)?;
        reviewer.run_playouts(true, &stopped, &mut |now| {
            bar.set_position((now.progress() * 100.0) as u64);
        });
        Some(reviewer)
    });
    bar.finish_and_clear();
    let Some(reviewer) = reviewer else {
        progress::stopped()?;
        let rules = battle.rules().id;
        let why = format!("{name}: no win probability was fitted for {rules}");
        return Err(Failure::new(why));
    };
    let review = reviewer.review();
    let reviewed = only.map_or(sides, |one| vec![one]);
    match args.json {
        true => print_json(&review, &battle, &reviewed),
        false => print(&review, &battle, &reviewed),
    }
    let done = (review.progress * 100.0).floor();
    progress::stopped_after(&format!("{done}% of the review is done"))
}

/// A share as a whole percentage.
fn percent(share: f32) -> i32 {
    (share * 100.0).round() as i32
}

/// A share as a percentage with one decimal.
fn tenths(share: f32) -> f32 {
    (share * 1000.0).round() / 10.0
}

fn print(review: &Review, battle: &Battle, sides: &[Side]) {
    let names = battle.names();
    for &side in sides {
        say(capitalised(names.side(side)));
        say(format!("  {}", headline(review, names, side, false)));
        if let Some(balance) = review.balance(side) {
            say(format!(
                "  Win chance: {}% at the start, {}% at the end; orders {:+.1}%, other sides' orders {:+.1}%, dice {:+.1}%",
                percent(balance.start),
                percent(balance.end),
                tenths(balance.orders),
                tenths(balance.others),
                tenths(balance.dice),
            ));
        }
        if let Some(accuracy) = review.accuracy(side) {
            let grades = std::iter::zip(Grade::ALL, review.grades(side));
            let grades = grades.map(|(grade, n)| format!("{n} {}", grade.name()));
            let grades: Vec<String> = grades.collect();
            say(format!(
                "  Accuracy {}% of {}: {}",
                percent(accuracy),
                count(review.of(side).count(), "order"),
                grades.join(", ")
            ));
        }
        for (place, n) in review.mistakes(side).into_iter().enumerate() {
            mistake(place + 1, &review.decisions[n], &review.sides, names);
        }
        say(
            "  Luck (damage above or below the expected damage) and skill (win chance against the quick AI)",
        );
        for who in members(battle.world(), side) {
            let unit = review.units[who.index()];
            say(format!(
                "    {:<16} luck {:+6.1}  skill {:+6.1}%",
                names.title(who),
                unit.luck(),
                tenths(review.skill(who)),
            ));
        }
    }
}

/// Prints a mistake: what it cost, the better order, and the orders compared with it.
fn mistake(place: usize, decision: &ReviewedDecision, sides: &[Side], names: &Names) {
    let Estimate { value, error } = decision.cost;
    say(format!(
        "  {place}. {}: {:.1}% win chance, ± {:.1} (answer {})",
        title(decision, names),
        tenths(value),
        tenths(error),
        decision.answer + 1,
    ));
    say(format!("     Better: {}", better(decision, names)));
    if let Some(reason) = reason(decision, sides, names) {
        say(format!("     {reason}"));
    }
    for order in decision.shown() {
        let Estimate { value, error } = order.chance;
        say(format!(
            "     {:>3}% ± {:<2} {}{}",
            percent(value),
            percent(error),
            said(&order.choice, names),
            if order.is_given { " (given)" } else { "" },
        ));
    }
}

fn print_json(review: &Review, battle: &Battle, sides: &[Side]) {
    let names = battle.names();
    let decisions = review.decisions.iter();
    for one in decisions.filter(|one| sides.contains(&one.side)) {
        say_json(decision(one, &review.sides, names));
    }
    for &side in sides {
        let units = members(battle.world(), side).into_iter().map(|who| {
            let unit = review.units[who.index()];
            json!({
                "unit": names.key(who),
                "luck_damage": number(unit.luck()),
                "luck_hits": number(unit.hits as f32 - unit.expected),
                "skill": number(review.skill(who)),
            })
        });
        let grades = std::iter::zip(Grade::ALL, review.grades(side));
        let balance = review.balance(side).map(|all| {
            json!({
                "start": number(all.start),
                "orders": number(all.orders),
                "others": number(all.others),
                "dice": number(all.dice),
                "end": number(all.end),
            })
        });
        say_json(json!({
            "what": "review",
            "side": names.side_key(side),
            "decisions": review.of(side).count(),
            "accuracy": review.accuracy(side).map(number),
            "grades": grades.map(|(grade, n)| (grade.name().to_string(), n.into())).collect::<serde_json::Map<String, Value>>(),
            "mistakes": review.mistakes(side).iter().map(|&n| review.decisions[n].answer + 1).collect::<Vec<_>>(),
            "balance": balance,
            "units": units.collect::<Vec<_>>(),
            "progress": number(review.progress),
        }));
    }
}

/// A decision as the JSON object that `--json` prints.
fn decision(one: &ReviewedDecision, sides: &[Side], names: &Names) -> Value {
    let orders = one.orders.iter().map(|order| {
        json!({
            "order": order.choice.text(names),
            "chance": number(order.chance.value),
            "error": number(order.chance.error),
            "playouts": order.playouts,
            "given": order.is_given,
            "quick": order.is_quick,
        })
    });
    json!({
        "what": "decision",
        "answer": one.answer + 1,
        "round": one.round,
        "side": names.side_key(one.side),
        "unit": one.who.map(|who| names.key(who)),
        "reaction": one.is_reaction,
        "grade": one.grade().name(),
        "cost": number(one.cost.value),
        "error": number(one.cost.error),
        "chance": number(one.before[one.side.index()]),
        "gain": number(one.gain[one.side.index()]),
        "orders": orders.collect::<Vec<_>>(),
        "reason": reason(one, sides, names).filter(|_| one.grade() >= Grade::Inaccuracy),
    })
}
