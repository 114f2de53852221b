//! A forecast as JSON.

use super::view::{put, some, why_json};
use crate::battle::{
    AttackForecast, DamageOutcome, Forecast, Modifier, Names, OddsLine, Provoked, Spread, Trade,
};
use serde_json::{Map as Object, Value, json};

/// A number with the digits that it has as `f32`, without those that `f64` would add.
pub fn number(number: f32) -> Value {
    let number = number.to_string().parse::<f64>();
    number.map_or(Value::Null, Value::from)
}

/// Everything that is forecast for an order. Parts that do not apply are left out.
pub fn forecast_json(forecast: &Forecast, names: &Names) -> Object<String, Value> {
    let mut all = Object::new();
    match &forecast.attack {
        Some(Ok(attack)) => {
            let mut json = attack_json(attack, names);
            json["damage"] = spread_json(&forecast.spread);
            all.insert("attack".into(), json);
        }
        Some(Err(why)) => {
            all.insert("cannot".into(), why_json(why));
        }
        None => {}
    }
    let mut add = |key: &str, list: Vec<Value>| put(&mut all, key, some(list));
    let odds = |odds: &OddsLine| odds_json(odds, names);
    add("odds", forecast.odds.iter().map(odds).collect());
    let cells = forecast.area.iter();
    add("area", cells.map(|at| json!([at.x, at.y])).collect());
    let provoked = |one: &Provoked| json!({"by": names.key(one.by), "chance": one.percent});
    add("provokes", forecast.provoked.iter().map(provoked).collect());
    let text = |lines: &[String]| lines.iter().map(|line| line.as_str().into()).collect();
    add("warnings", text(&forecast.warnings));
    add("changes", text(&forecast.changes));
    add("trades", forecast.trades.iter().map(trade_json).collect());
    put(&mut all, "interrupts", forecast.interrupts.clone());
    all
}

fn odds_json(odds: &OddsLine, names: &Names) -> Value {
    let mut json = json!({"text": odds.text, "rule": odds.rule});
    if let Some(who) = odds.who {
        json["unit"] = names.key(who).into();
    }
    if let Some(percent) = odds.percent {
        json["chance"] = percent.into();
    }
    json
}

fn attack_json(attack: &AttackForecast, names: &Names) -> Value {
    let modifier = |one: &Modifier| json!({"value": one.value, "for": one.label, "rule": one.rule});
    let modifiers = |all: &[Modifier]| all.iter().map(modifier).collect::<Vec<_>>();
    let mut json = json!({
        "by": names.key(attack.by),
        "at": names.key(attack.at),
        "weapon": attack.weapon,
        "chance": attack.percent,
        "drop_chance": attack.drop_percent,
        "needs": attack.needs,
        "against": attack.against,
        "modifiers": modifiers(&attack.modifiers),
        "against_modifiers": modifiers(&attack.against_modifiers),
        "dice": attack.damage,
        "cover": format!("{:?}", attack.cover).to_lowercase(),
    });
    answers_json(&mut json, attack, names);
    if !attack.notes.is_empty() {
        let notes = attack.notes.iter().map(|odds| odds_json(odds, names));
        json["notes"] = notes.collect();
    }
    json
}

/// Adds what the target's side has against an attack: its defense, and the units that screen it.
pub fn answers_json(json: &mut Value, attack: &AttackForecast, names: &Names) {
    if let Some(left) = &attack.answered {
        json["answered"] = json!({
            "how": left.how,
            "chance": left.percent,
            "drop_chance": left.drop_percent,
            "rule": left.rule,
        });
    }
    if let Some(screen) = &attack.screen {
        let keys = screen.by.iter().map(|&id| names.key(id));
        json["screeners"] = keys.collect();
    }
}

/// The mean, and the chance of each number of points.
fn spread_json(spread: &Spread) -> Value {
    let bar = |bar: &DamageOutcome| json!({"points": bar.points, "chance": number(bar.chance), "drops": number(bar.drops)});
    json!({
        "mean": number(spread.mean()),
        "outcomes": spread.bars.iter().map(bar).collect::<Vec<_>>(),
    })
}

fn trade_json(trade: &Trade) -> Value {
    let point = |(n, mean): &(i32, f32)| json!([n, number(*mean)]);
    json!({
        "over": trade.over,
        "now": trade.now,
        "dealt": trade.dealt.iter().map(point).collect::<Vec<_>>(),
        "taken": trade.taken.iter().map(point).collect::<Vec<_>>(),
    })
}
