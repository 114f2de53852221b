//! `fivefoot odds`: the forecast of an order.

use super::{
    Failure, Outcome,
    args::{ruleset, whole},
    battles, input, replay, say, say_json,
    sim::rulesets_of,
};
use clap::Args;
use fivefoot_core::{
    battle::{
        AttackForecast, Battle, Body, Choice, DiceBox, Forecast, Id, Modifier, Names, OddsLine,
        Offer, Ruleset, Spread, Why, level_setup, of_unit, signed,
    },
    control::{
        FileKind, Near,
        bot::{self, SideKnowledge},
        exchange,
    },
    files::RECORDING_BYTES,
    levels::Level,
    ron_read::suggestion,
    words::shown_line,
};
use serde_json::{Map, Value, json};
use std::{path::PathBuf, slice, sync::Arc};

/// Show what an order would come to: chances, damage, what it provokes.
///
/// ORDER is an order as in a scenario, such as `mara: strike goblin 2 with short sword`, or
/// `mara: attack goblin 2` for every attack that she could make from where she stands, in
/// her turn or not. Without ORDER, all orders that can be given now are listed. Only what
/// the side that is asked knows is used.
#[derive(Args)]
pub struct OddsArgs {
    /// A level or pack, at its first decision; or a recording or save, at its last
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The order, in quotes
    #[arg(value_name = "ORDER")]
    order: Option<String>,
    /// A level's ruleset [default: the level's first]
    #[arg(long, value_name = "R", value_parser = ruleset)]
    rules: Option<&'static Ruleset>,
    /// The seed of a level's dice
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// In a recording, stop after this many answers
    #[arg(long, value_name = "STEP", value_parser = whole::<usize>(0..=usize::MAX))]
    to: Option<usize>,
    /// One JSON object per order
    #[arg(long)]
    json: bool,
}

/// The most bars of the damage chart; with more values, each bar stands for several.
const BARS: usize = 12;

pub fn run(args: &OddsArgs) -> Outcome {
    let (level, mut battle) = battle_at(args)?;
    let Some(asked) = battle.asked().cloned() else {
        return Err(Failure::new("the battle is over by then: nobody is asked"));
    };
    let mut knowledge = SideKnowledge::new(&level_setup(&level), battle.rules(), asked.side);
    knowledge.follow(&battle);
    let Some(order) = &args.order else {
        list(&mut battle, &mut knowledge, args.json);
        return Ok(());
    };
    for (choice, why_not) in choices(&mut battle, &mut knowledge, order)? {
        let forecasting = battle.rules().forecasting;
        let forecast = forecasting.of(knowledge.world(), &choice);
        let names = battle.names();
        if args.json {
            let mut object = line(&forecast, &choice, names);
            if let Some(why) = why_not {
                let why = json!({"rule": why.rule, "text": why.text});
                object.insert("why_not".into(), why);
            }
            say_json(Value::from(object));
            continue;
        }
        say(choice.text(names));
        if let Some(why) = why_not {
            say(format!("  not possible now: {} ({})", why.text, why.rule));
        }
        print_forecast(&forecast, names);
    }
    Ok(())
}

/// The first decision of a level, or the current one of a recording.
fn battle_at(args: &OddsArgs) -> Result<(Arc<Level>, Battle), Failure> {
    let name = input::name(&args.file);
    // Read once, because it can be standard input.
    let text = match battles::is_pack(&args.file) {
        true => None,
        false => Some(battles::read(&args.file, RECORDING_BYTES)?),
    };
    let is_recording = |text: &&String| matches!(FileKind::of(text), Some(FileKind::Recording));
    if let Some(text) = text.as_ref().filter(is_recording) {
        let recording = replay::recording_of(&name, text)?;
        if args.rules.is_some() {
            let why = "a recording has its own rules: leave out --rules";
            return Err(Failure::usage(why));
        }
        let level = recording.level().map_err(Failure::new)?;
        let battle = replay::battle(&args.file, &recording, args.to)?;
        return Ok((level, battle));
    }
    if args.to.is_some() {
        let why = format!("--to is for a recording, and {name} is none");
        return Err(Failure::usage(why));
    }
    let level = match text {
        Some(text) => battles::level_of(&name, &text)?,
        None => battles::level(&args.file)?,
    };
    let rules = rulesets_of(&level, args.rules.as_ref().map(slice::from_ref))?[0];
    let battle = Battle::new(level_setup(&level), rules, DiceBox::seeded(args.seed));
    Ok((level, battle))
}

/// A choice, and why it is not possible now; `None` if it is.
type OrderMatch = (Choice, Option<Why>);

/// The choices that a text stands for: an offered order, with the reason if it is not
/// possible now; or every attack of one unit on another, `mara: attack goblin 2`.
///
/// # Errors
/// If a unit is unknown or can't attack the other, or if no offer matches the text.
fn choices(
    battle: &mut Battle,
    knowledge: &mut SideKnowledge,
    text: &str,
) -> Result<Vec<OrderMatch>, Failure> {
    let names = battle.names().clone();
    let units = knowledge.units();
    let unknown = |what: &str, key: &str| {
        let help = suggestion(key, units.iter().map(|id| names.key(*id)));
        Failure::usage(format!("no {what} is called '{key}'; {help}"))
    };
    let unit = |key: &str| {
        let key = key.trim();
        let mut all = units.iter();
        let found = all.find(|id| names.key(**id).eq_ignore_ascii_case(key));
        found.copied().ok_or_else(|| unknown("unit", key))
    };
    if let Some((by, at)) = text.split_once(':')
        && let Some(at) = at.trim().strip_prefix("attack ")
    {
        let (by, at) = (unit(by)?, unit(at)?);
        if let Some(why) = own_side(knowledge, by, at) {
            let (by, at) = (names.key(by), names.key(at));
            return Err(Failure::new(format!("{by} cannot attack {at}: {why}")));
        }
        let all = exchange::attacks(battle.rules(), knowledge.world(), by, at);
        if all.is_empty() {
            let (by, at) = (names.key(by), names.key(at));
            let what = format!("{by} cannot attack {at} from where it stands");
            return Err(Failure::new(what));
        }
        return Ok(all.into_iter().map(|one| (one.choice, None)).collect());
    }
    let offers = battle.offers();
    let found = battle.find(text).map_err(|e| {
        if let Some(Err(unknown)) = target(text, &offers).map(|key| unit(&key)) {
            return unknown;
        }
        if let Some((who, _)) = text.split_once(':')
            && !bot::knows_actor(battle, knowledge, who.trim())
        {
            return unknown("unit or side", who.trim());
        }
        let mut lines = vec![shown_line(&e.to_string()).into_owned()];
        let near = Near::of(text, &offers, &names).into_iter();
        lines.extend(near.map(|near| format!("  {near}")));
        if lines.len() > 1 {
            lines.insert(1, "the nearest orders:".into());
        }
        Failure::lines(2, lines.join("\n"))
    })?;
    let offer = offers.iter().find(|offer| offer.covers(&found));
    let why = offer.and_then(|offer| offer.why_not.clone());
    Ok(vec![(found, why)])
}

/// Why a unit cannot attack another of its own side. `None` if they are enemies.
fn own_side(knowledge: &mut SideKnowledge, by: Id, at: Id) -> Option<&'static str> {
    let world = knowledge.world();
    let [mine, theirs] = [by, at].map(|id| of_unit::<Body>(world, id).side);
    let why = match by == at {
        true => "no unit attacks itself",
        false => "they are on the same side",
    };
    (mine == theirs).then_some(why)
}

/// What an order names as its target, if an action is ordered so.
fn target(order: &str, offers: &[Offer]) -> Option<String> {
    let order = order.to_lowercase();
    let act = order.split_once(':').map_or(&*order, |(_, act)| act).trim();
    let verbs = offers.iter().map(|offer| offer.choice.verb);
    let slots = verbs.filter_map(|verb| verb.slots(act));
    let targets = slots.flatten().filter(|(slot, _)| *slot == "at");
    // The action with the most fixed words leaves the shortest name.
    let target = targets.min_by_key(|(_, name)| name.len());
    target.map(|(_, name)| name.to_owned())
}

/// Prints every order that is possible now, with its chance.
fn list(battle: &mut Battle, knowledge: &mut SideKnowledge, is_json: bool) {
    let (names, rules) = (battle.names().clone(), battle.rules());
    for offer in battle.offers().iter().filter(|offer| offer.is_legal()) {
        let forecast = rules.forecasting.of(knowledge.world(), &offer.choice);
        if is_json {
            say_json(Value::from(line(&forecast, &offer.choice, &names)));
            continue;
        }
        let order = offer.choice.text(&names);
        let brief = match (&forecast.attack, forecast.odds.first()) {
            (Some(Ok(attack)), _) => attack.in_brief(),
            (_, Some(odds)) => odds.words(),
            _ => String::new(),
        };
        say(format!("{order:<60} {brief}").trim_end());
    }
}

/// A forecast as the JSON object that `--json` prints.
fn line(forecast: &Forecast, choice: &Choice, names: &Names) -> Map<String, Value> {
    let mut object = bot::forecast_json(forecast, names);
    object.insert("what".into(), "odds".into());
    object.insert("order".into(), choice.text(names).into());
    object
}

/// Prints a forecast, indented by two spaces.
fn print_forecast(forecast: &Forecast, names: &Names) {
    match &forecast.attack {
        Some(Ok(attack)) => tell_attack(attack, &forecast.spread),
        Some(Err(why)) => say(format!("  not possible: {} ({})", why.text, why.rule)),
        None => {}
    }
    forecast.odds.iter().for_each(tell_odds);
    for one in &forecast.provoked {
        let (by, percent) = (names.name(one.by), one.percent);
        say(format!("  provokes {by}: {percent}%"));
    }
    if !forecast.area.is_empty() {
        let cells: Vec<String> = forecast.area.iter().map(ToString::to_string).collect();
        say(format!("  covers {}", cells.join(" ")));
    }
    let risks = forecast.interrupts.iter().chain(&forecast.warnings);
    let risks = risks.chain(&forecast.alerts).map(String::as_str);
    let changes = forecast.changes.iter().map(String::as_str);
    for line in risks.chain(forecast.reassures).chain(changes) {
        say(format!("  {line}"));
    }
}

fn tell_attack(attack: &AttackForecast, spread: &Spread) {
    say(format!("  {}", attack.in_brief()));
    if let Some(answered) = &attack.answered {
        say(format!("  {} ({})", answered.words(), answered.rule));
    }
    let modifier = |one: &Modifier| {
        let value = signed(i32::from(one.value));
        say(format!("    {value:>4} {} ({})", one.label, one.rule))
    };
    let (weapon, needs, against) = (&attack.weapon, &attack.needs, &attack.against);
    say(format!("  {weapon}: {needs}, {against}"));
    attack.modifiers.iter().for_each(modifier);
    if !attack.against_modifiers.is_empty() {
        say("  the target:");
        attack.against_modifiers.iter().for_each(modifier);
    }
    attack.notes.iter().for_each(tell_odds);
    let (damage, mean) = (&attack.damage, spread.mean());
    say(format!("  {damage}; mean {mean:.1}, misses included"));
    let single = spread.bars.len() <= BARS;
    let bars = match single {
        true => spread.bars.clone(),
        false => spread.at_most(BARS),
    };
    for bar in bars.iter().filter(|bar| bar.chance > 0.0) {
        let percent = bar.chance * 100.0;
        let line = "#".repeat((percent / 2.0).round() as usize);
        let from = if single { "" } else { "+" };
        let drops = match bar.drops > 0.0 {
            true => "  drops the target",
            false => "",
        };
        let points = bar.points;
        let text = format!("    {points:>3}{from:1} {percent:>5.1}% {line}{drops}");
        say(text.trim_end());
    }
}

fn tell_odds(odds: &OddsLine) {
    say(format!("  {} ({})", odds.words(), odds.rule));
}
