//! A bot's side of a battle, and what a bot answers: an order that is offered, the number of an
//! offer, or an order in words that is carried out.

use super::{SideKnowledge, view};
use crate::{
    battle::{Battle, Body, Choice, Event, Refused, Roster, of_unit},
    control::{
        Near,
        orders::{Carried, OpenOrders, is_order, parse},
    },
    words::shortened,
};
use bevy_ecs::world::World;
use serde::Deserialize;
use serde_json::{Map as Object, Value, json};

/// The most characters of a wrong value that a message repeats.
const ECHOED: usize = 40;

/// An answer as a bot writes it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BotAnswer {
    /// The text of an offered order, or an order in words: `mara: will attack goblin 2`.
    pub order: Option<String>,
    /// The number of a legal offer, from 0.
    pub offer: Option<usize>,
    /// The number for an offer that takes one.
    pub number: Option<i32>,
}

impl BotAnswer {
    /// Parses a line of JSON.
    ///
    /// # Errors
    /// Why the line is not an answer.
    pub fn parse(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let Some(fields) = value.as_object() else {
            return Err(String::from("an answer is an object, as {\"offer\": 0}"));
        };
        Self::check_types(fields)?;
        serde_json::from_value(value).map_err(|e| e.to_string())
    }

    /// Checks the values of an answer's fields.
    ///
    /// # Errors
    /// What the first wrong value should be.
    pub fn check_types(fields: &Object<String, Value>) -> Result<(), String> {
        let is_index = |value: &Value| value.as_u64().is_some_and(|n| usize::try_from(n).is_ok());
        let is_number = |value: &Value| value.as_i64().is_some_and(|n| i32::try_from(n).is_ok());
        let number = format!("a whole number from {} to {}", i32::MIN, i32::MAX);
        let wanted: [(&str, &str, &dyn Fn(&Value) -> bool); 3] = [
            ("order", "a text", &Value::is_string),
            ("offer", "a whole number from 0 on", &is_index),
            ("number", &number, &is_number),
        ];
        for (name, what, is_so) in wanted {
            if let Some(value) = fields.get(name).filter(|value| !value.is_null())
                && !is_so(value)
            {
                let value = shortened(&value.to_string(), ECHOED);
                return Err(format!("`{name}` is {what}, not {value}"));
            }
        }
        Ok(())
    }
}

/// Why an answer is refused, and similar offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    pub why: String,
    pub nearest: Vec<Near>,
}

impl Rejected {
    fn bare(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            nearest: vec![],
        }
    }

    pub fn json(&self) -> Object<String, Value> {
        let near = |near: &Near| {
            let mut all = json!({"order": near.order});
            if let Some(numbers) = near.numbers {
                all["numbers"] = json!(numbers);
            }
            if let Some(why) = &near.why_not {
                all["why_not"] = view::why_json(why);
            }
            all
        };
        let nearest: Vec<Value> = self.nearest.iter().map(near).collect();
        let mut all = Object::new();
        all.insert("error".into(), self.why.clone().into());
        all.insert("nearest".into(), nearest.into());
        all
    }
}

/// A bot's side: its knowledge, and the orders in words that are still carried out.
pub struct BotSide {
    pub knowledge: SideKnowledge,
    /// Events since the last observation.
    unseen: Vec<Event>,
    open: OpenOrders,
    /// The round in which the orders were given.
    round: u16,
}

impl BotSide {
    pub fn new(knowledge: SideKnowledge) -> Self {
        Self {
            knowledge,
            unseen: vec![],
            open: OpenOrders::default(),
            round: 0,
        }
    }

    /// Resets it for another battle with the same set-up.
    pub fn restart(&mut self, pristine: &World) {
        self.knowledge.restart(pristine);
        self.unseen.clear();
        self.drop_orders();
    }

    pub fn drop_orders(&mut self) {
        self.open.clear();
        self.round = 0;
    }

    /// Its knowledge, caught up with the battle.
    pub fn follow(&mut self, battle: &Battle) -> &mut SideKnowledge {
        self.unseen.extend(self.knowledge.follow(battle));
        &mut self.knowledge
    }

    /// Its knowledge as JSON, with the events since the last observation.
    pub fn observation(&mut self, battle: &Battle) -> Object<String, Value> {
        self.follow(battle);
        let unseen = std::mem::take(&mut self.unseen);
        view::observation(battle, &mut self.knowledge, &unseen)
    }

    /// The choices that an answer stands for; the first is legal now. Empty for an order in
    /// words without declarations.
    ///
    /// # Errors
    /// Why the answer is refused. Nothing changes in that case.
    pub fn read(
        &mut self,
        battle: &mut Battle,
        answer: &BotAnswer,
    ) -> Result<Vec<Choice>, Rejected> {
        self.follow(battle);
        self.forget_old();
        match (&answer.order, answer.offer) {
            (Some(_), Some(_)) => Err(Rejected::bare("give `order` or `offer`, not both")),
            (Some(text), None) if is_order(text) => self.in_words(battle, text),
            (Some(text), None) => {
                let text = match answer.number {
                    Some(n) => text.replacen('?', &n.to_string(), 1),
                    None => text.clone(),
                };
                let choice = battle.find(&text);
                let choice = choice.and_then(|choice| battle.check(&choice).map(|()| choice));
                let refused = |refused| rejected(battle, &mut self.knowledge, &text, &refused);
                Ok(vec![choice.map_err(refused)?])
            }
            (None, Some(n)) => nth(battle, n, answer.number).map(|choice| vec![choice]),
            (None, None) => Err(Rejected::bare(
                "an answer has `order`, the order of an offer, or `offer`, its number",
            )),
        }
    }

    /// Takes an order that is carried out now and whenever its unit is asked in this round.
    fn in_words(&mut self, battle: &mut Battle, text: &str) -> Result<Vec<Choice>, Rejected> {
        let (names, rules) = (battle.names().clone(), battle.rules());
        let plan = parse(text, &names, rules, &mut |order| battle.find(order).ok());
        let plan = plan.map_err(Rejected::bare)?;
        let asked = battle.asked().map(|question| question.side);
        let side = of_unit::<Body>(battle.world(), plan.who).side;
        if asked != Some(side) || side != self.knowledge.side() {
            let who = names.key(plan.who);
            let why = format!("{who} is not of the side that is asked");
            return Err(Rejected::bare(why));
        }
        // A side cannot name units that it does not know of.
        let target = plan.order.target();
        if let Some(target) = target.filter(|target| !self.knowledge.knows(*target)) {
            let why = format!("no unit is called '{}'", names.key(target));
            return Err(Rejected::bare(why));
        }
        let replica = self.knowledge.replica();
        let declared = self.open.take(battle, replica, text);
        let declared = declared.map_err(Rejected::bare)?;
        match declared.first().map(|first| battle.check(first)) {
            Some(Err(refused)) => {
                self.open.drop(plan.who);
                let text = declared[0].text(&names);
                Err(rejected(battle, &mut self.knowledge, &text, &refused))
            }
            _ => Ok(declared),
        }
    }

    /// What the open orders answer to the open decision of this side. `None` if the bot is to be
    /// asked. Orders that cannot be carried out are dropped and added to `undone`.
    pub fn carry_out(
        &mut self,
        battle: &mut Battle,
        undone: &mut Vec<Value>,
    ) -> Option<Vec<Choice>> {
        self.follow(battle);
        self.forget_old();
        loop {
            match self.open.carry_out(battle, self.knowledge.replica()) {
                Carried::Ask => return None,
                Carried::Failed(who, reason) => {
                    let names = battle.names();
                    undone.push(json!({"unit": names.key(who), "why": reason.text(names)}));
                }
                Carried::Answers(answers) => return Some(answers),
            }
        }
    }

    /// Drops orders of earlier rounds: an order is for one round.
    fn forget_old(&mut self) {
        if self.round != self.knowledge.round() {
            self.open.clear();
            self.round = self.knowledge.round();
        }
    }
}

fn nth(battle: &mut Battle, n: usize, number: Option<i32>) -> Result<Choice, Rejected> {
    let offers = view::legal(battle);
    let Some(offer) = offers.get(n) else {
        let count = offers.len();
        let why = format!("there is no offer {n}; there are {count}, numbered from 0");
        return Err(Rejected::bare(why));
    };
    let names = battle.names().clone();
    let choice = offer.choice.clone();
    match (offer.numbers, number) {
        (None, _) => Ok(choice),
        (Some((least, most)), Some(n)) if (least..=most).contains(&n) => Ok(choice.number(n)),
        (Some((least, most)), _) => Err(Rejected::bare(format!(
            "`{}` takes a `number` from {least} to {most}",
            choice.text(&names)
        ))),
    }
}

fn rejected(
    battle: &mut Battle,
    side_knowledge: &mut SideKnowledge,
    text: &str,
    refused: &Refused,
) -> Rejected {
    if let Some((who, _)) = text.split_once(':')
        && !knows_actor(battle, side_knowledge, who.trim())
    {
        return Rejected::bare(format!("no unit or side is called '{}'", who.trim()));
    }
    let offers = battle.offers();
    Rejected {
        why: refused.to_string(),
        nearest: Near::of(text, &offers, battle.names()),
    }
}

/// Whether the side knows a unit or side of this name. Capitals make no difference.
pub fn knows_actor(battle: &Battle, side_knowledge: &mut SideKnowledge, name: &str) -> bool {
    let names = battle.names();
    if let Some(who) = names.find(name) {
        return side_knowledge.knows(who);
    }
    let unknown = side_knowledge.unknown();
    let mut sides = battle.world().resource::<Roster>().sides();
    sides.any(|side| !unknown.has_side(side) && names.side_key(side).eq_ignore_ascii_case(name))
}
