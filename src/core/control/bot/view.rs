//! A battle as JSON: what a side knows, and what it can answer.

use super::{SideKnowledge, forecast::answers_json};
use crate::{
    battle::{
        Battle, Body, Choice, Conditions, CreatureRef, CurrentLevel, Event, GoalState, Ground, Id,
        Inventory, Item, Map, Names, Offer, Probe, ProbeValue, Roster, Side, State, Why,
        goal_state, ids_of, of_unit,
    },
    grid::Cell,
    levels::Rows,
    version,
};
use bevy_ecs::world::World;
use serde_json::{Map as Object, Value, json};

/// The version of the format that `docs/bots.md` describes.
pub const FORMAT: u32 = 1;

/// The parts of a battle that never change, as the side knows them.
pub fn begin(battle: &Battle, side_knowledge: &mut SideKnowledge) -> Value {
    let (names, side) = (battle.names(), side_knowledge.side());
    let unknown = side_knowledge.unknown();
    let world = side_knowledge.world();
    let level = &world.resource::<CurrentLevel>().0;
    let Rows { rows, legend } = Rows::of(world.resource::<Map>());
    let entry = |(c, what): (char, String)| (c.to_string(), what.into());
    let legend: Object<String, Value> = legend.into_iter().map(entry).collect();
    let sides = world.resource::<Roster>().sides();
    let sides: Vec<Side> = sides.filter(|side| !unknown.has_side(*side)).collect();
    let titles = sides.iter().map(|side| {
        let title = names.side(*side);
        (names.side_key(*side).to_owned(), title.into())
    });
    let titles: Object<String, Value> = titles.collect();
    let sides: Vec<&str> = sides.iter().map(|side| names.side_key(*side)).collect();
    json!({
        "what": "begin",
        "format": FORMAT,
        "program": version::VERSION,
        "level": level.id,
        "title": level.title,
        "rules": battle.rules().id,
        "side": names.side_key(side),
        "sides": sides,
        "side_titles": titles,
        "map": {"rows": rows, "legend": legend},
    })
}

/// A side's knowledge of the battle. `news` are the events since its last observation.
pub fn observation(
    battle: &Battle,
    side_knowledge: &mut SideKnowledge,
    news: &[Event],
) -> Object<String, Value> {
    let (names, rules, side) = (battle.names(), battle.rules(), side_knowledge.side());
    let units = side_knowledge.units();
    let round = side_knowledge.round();
    let world = side_knowledge.world();
    let unit = |id: &Id| {
        let body = of_unit::<Body>(world, *id);
        let mut unit = object(json!({
            "unit": names.key(*id),
            "kind": of_unit::<CreatureRef>(world, *id).creature.id,
            "side": names.side_key(body.side),
            "state": state(body.state),
        }));
        let is_on_map = matches!(body.state, State::Up | State::Down | State::Dead);
        put(&mut unit, "at", is_on_map.then(|| pair(body.at)));
        put(&mut unit, "size", is_on_map.then_some(body.size));
        let has_entered = body.state != State::Waiting;
        put(&mut unit, "hp", has_entered.then_some(body.hp));
        unit.insert("max_hp".into(), body.max_hp.into());
        put(&mut unit, "prone", body.prone.then_some(true));
        let conditions = of_unit::<Conditions>(world, *id).0.iter();
        let conditions = conditions.map(|l| l.condition.id.as_str().into());
        put(&mut unit, "conditions", some(conditions.collect()));
        let items = of_unit::<Inventory>(world, *id).items.iter();
        let items = items.map(|(item, place)| json!({"item": names.item(*item), "in": place}));
        unit.insert("items".into(), items.collect());
        let probe = |probe: &Probe| {
            let value = match (probe.read)(world, *id) {
                // Probes that do not apply are left out.
                ProbeValue::Yes(false) => return None,
                ProbeValue::Yes(true) => true.into(),
                ProbeValue::Count(n) => n.into(),
                ProbeValue::Text(text) => text.into(),
            };
            Some((probe.name.to_owned(), value))
        };
        let own: Object<String, Value> = rules.probes.iter().filter_map(probe).collect();
        unit.insert("rules".into(), own.into());
        Value::from(unit)
    };
    let list: Vec<Value> = units.iter().map(unit).collect();
    let mut all = object(json!({
        "round": round,
        "side": names.side_key(side),
        "units": list,
        "objectives": objectives(world, side, &units),
    }));
    let board = world.resource::<Map>();
    let door = |cell| json!({"at": pair(cell), "open": board.door(cell)});
    put(&mut all, "doors", some(board.doors().map(door).collect()));
    let ground = world.resource::<Ground>().0.iter();
    let lies = |(cell, item): &(Cell, Item)| json!({"at": pair(*cell), "item": names.item(*item)});
    put(&mut all, "ground", some(ground.map(lies).collect()));
    let news: Vec<Value> = news.iter().map(|event| event.json(names)).collect();
    all.insert("events".into(), news.into());
    all
}

fn objectives(world: &World, side: Side, units: &[Id]) -> Value {
    let level = &world.resource::<CurrentLevel>().0;
    let own = level.objectives.iter().enumerate();
    let own = own.filter(|(_, objective)| Side::from(objective.side) == side);
    let objectives = own.map(|(n, objective)| {
        let (done, of) = match goal_state(world, n, |id| units.contains(&id)) {
            GoalState::Lost => return json!({"text": objective.text, "lost": true}),
            GoalState::Left { left, of } => (of - left, of),
            GoalState::Reached { so_far, of, .. } => (so_far, of),
            GoalState::Lasted { rounds, of } | GoalState::Held { rounds, of } => (rounds, of),
            GoalState::Kept { left } => return json!({"text": objective.text, "kept": left}),
        };
        json!({"text": objective.text, "done": done, "of": of})
    });
    objectives.collect()
}

/// The open decision of the side of `side_knowledge`, with its legal offers, numbered from 0.
pub fn question(battle: &mut Battle, side_knowledge: &mut SideKnowledge) -> Object<String, Value> {
    let Some(asked) = battle.asked().cloned() else {
        return Object::new();
    };
    let names = battle.names().clone();
    let actors: Vec<&str> = asked.actors.iter().map(|id| names.key(*id)).collect();
    let offers = legal(battle);
    let json = |offer: &Offer| offer_json(battle, side_knowledge, offer);
    let offers: Vec<Value> = offers.iter().map(json).collect();
    object(json!({
        "prompt": asked.prompt,
        "rule": asked.rule,
        "reaction": asked.reaction,
        "actors": actors,
        "offers": offers,
    }))
}

/// The legal offers of the open decision, in the order of their numbers.
pub fn legal(battle: &mut Battle) -> Vec<Offer> {
    let mut all = battle.offers();
    all.retain(Offer::is_legal);
    all
}

/// An offer, legal or not.
pub fn offer_json(battle: &Battle, side_knowledge: &mut SideKnowledge, offer: &Offer) -> Value {
    let (names, rules) = (battle.names(), battle.rules());
    let choice = &offer.choice;
    let mut all = object(json!({"order": choice.text(names), "act": choice.verb.name}));
    put(&mut all, "unit", choice.who.map(|id| names.key(id)));
    put(&mut all, "at", choice.at.map(|id| names.key(id)));
    put(&mut all, "with", choice.with.map(|item| names.item(item)));
    put(&mut all, "spell", choice.spell.map(|id| names.spell(id)));
    put(&mut all, "to", choice.to.map(pair));
    let numbers = offer.numbers.map(|numbers| json!(numbers));
    put(&mut all, "numbers", numbers);
    put(&mut all, "feet", (offer.feet > 0).then_some(offer.feet));
    let provoked = ids_of(offer.provoked).map(|id| names.key(id).into());
    put(&mut all, "provokes", some(provoked.collect()));
    put(&mut all, "why_not", offer.why_not.as_ref().map(why_json));
    let mut all = Value::from(all);
    if rules.planning.is_attack(choice.verb)
        && let Some(Ok(attack)) = (rules.forecasting.attack)(side_knowledge.world(), choice)
    {
        all["chance"] = attack.percent.into();
        all["worth"] = attack.worth.into();
        answers_json(&mut all, &attack, names);
    }
    all
}

/// How the battle ended.
pub fn over(battle: &Battle) -> Object<String, Value> {
    let names = battle.names();
    let why = battle.why_over().unwrap_or_default();
    let winner = battle.over().flatten().map(|side| names.side_key(side));
    object(json!({"over": true, "winner": winner, "why": why, "end": battle.end()}))
}

/// Choices as order texts.
pub fn orders(choices: &[Choice], names: &Names) -> Value {
    choices.iter().map(|choice| choice.text(names)).collect()
}

/// A list, if it is not empty.
pub(super) fn some(all: Vec<Value>) -> Option<Value> {
    (!all.is_empty()).then(|| all.into())
}

/// Adds a field, if it has a value.
pub(super) fn put(all: &mut Object<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        all.insert(key.into(), value.into());
    }
}

pub(super) fn why_json(why: &Why) -> Value {
    json!({"rule": why.rule, "text": why.text})
}

fn pair(cell: Cell) -> Value {
    json!([cell.x, cell.y])
}

fn state(state: State) -> &'static str {
    match state {
        State::Waiting => "waiting",
        State::Up => "up",
        State::Down => "down",
        State::Dead => "dead",
        State::Fled => "fled",
    }
}

/// The fields of a JSON object.
pub fn object(value: Value) -> Object<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Object::new(),
    }
}
