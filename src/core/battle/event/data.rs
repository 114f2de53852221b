//! Events as data, as `--json` prints them.

use super::{Event, EventKind, Seen};
use crate::battle::{CheckRoll, Id, Modifier, Names, Roll, Side};
use serde::Serialize;
use serde_json::Value;

impl Event {
    /// The event's data, with ids instead of names.
    fn facts(&self, names: &Names) -> Value {
        match &self.what {
            EventKind::Ruleset(own) => own.data(),
            shared => data(shared, names),
        }
    }

    /// One JSON object: the rule, the kind of event, its data and its log line.
    pub fn json(&self, names: &Names) -> Value {
        let mut value = self.facts(names);
        value["rule"] = self.rule.into();
        if let Seen::Only(side) = self.seen {
            value["seen"] = names.side(side).into();
        }
        if let Some(line) = self.describe(names) {
            value["text"] = line.text.into();
        }
        names.json(value)
    }
}

/// The data of a shared event, with ids instead of names.
fn data(change: &EventKind, names: &Names) -> Value {
    use serde_json::json;
    let side = |s: &Side| names.side(*s).to_owned();
    match change {
        EventKind::RoundBegan { round } => json!({"what": "round", "round": round}),
        EventKind::TurnBegan { side: s } => json!({"what": "turn", "side": side(s)}),
        EventKind::Acted { choice } => {
            json!({"what": "act", "who": choice.who, "act": choice.verb.name, "order": choice.text(names), "at": choice.at, "to": choice.to.map(|c| [c.x, c.y])})
        }
        EventKind::Stopped { who, why } => json!({"what": "stopped", "who": who, "why": why}),
        EventKind::Moved {
            who,
            from,
            to,
            feet,
        } => {
            json!({"what": "moved", "who": who, "from": [from.x, from.y], "to": [to.x, to.y], "feet": feet})
        }
        EventKind::Checked(CheckRoll {
            who,
            side: s,
            at,
            what,
            roll,
            against,
            passed,
        }) => {
            json!({"what": "check", "who": who, "side": s.as_ref().map(side), "check": what, "at": at, "roll": roll_data(roll), "against": against, "passed": passed})
        }
        EventKind::AttackRolled { shot } => {
            let a = &shot.attack;
            json!({"what": "attack", "n": shot.serial, "who": a.by, "at": a.at, "with": names.item(a.with), "ranged": a.ranged, "roll": roll_data(&shot.roll)})
        }
        EventKind::Rerolled { serial, who, roll } => {
            json!({"what": "reroll", "n": serial, "who": who, "roll": roll_data(roll)})
        }
        EventKind::AttackSettled {
            serial,
            hit,
            against,
            ..
        } => {
            json!({"what": "verdict", "n": serial, "hit": hit, "against": against})
        }
        EventKind::Damaged {
            who,
            by,
            points,
            roll,
        } => {
            json!({"what": "damage", "who": who, "by": by, "points": points, "roll": roll_data(roll)})
        }
        EventKind::Caught { spell, who } => {
            json!({"what": "caught", "spell": names.spell(*spell), "who": who})
        }
        EventKind::Healed { who, points } => {
            json!({"what": "healed", "who": who, "points": points})
        }
        EventKind::ConditionBegan {
            who,
            lasting,
            rounds,
        } => {
            json!({"what": "condition", "who": who, "by": lasting.by, "condition": lasting.condition.name, "spell": lasting.spell, "defense": lasting.defense, "rounds": rounds})
        }
        EventKind::ConditionEnded { who, lasting } => {
            json!({"what": "condition_ended", "who": who, "condition": lasting.condition.name, "spell": lasting.spell})
        }
        EventKind::Fell { who } => json!({"what": "fell", "who": who}),
        EventKind::Revived { who, at, hp } => {
            json!({"what": "revived", "who": who, "at": [at.x, at.y], "hp": hp})
        }
        EventKind::Died { who } => json!({"what": "died", "who": who}),
        EventKind::Prone { who, prone } => json!({"what": "prone", "who": who, "prone": prone}),
        EventKind::Shifted {
            who,
            item,
            from,
            to,
        } => {
            json!({"what": "shifted", "who": who, "item": item, "from": from, "to": to})
        }
        EventKind::Dropped {
            who,
            item,
            from,
            at,
        } => {
            json!({"what": "dropped", "who": who, "item": item, "from": from, "at": [at.x, at.y]})
        }
        EventKind::Landed {
            who,
            item,
            from,
            at,
        } => {
            json!({"what": "landed", "who": who, "item": item, "from": from, "at": [at.x, at.y]})
        }
        EventKind::PickedUp { who, item, at } => {
            json!({"what": "picked_up", "who": who, "item": item, "at": [at.x, at.y]})
        }
        EventKind::ShieldDropped { who } => json!({"what": "shield_dropped", "who": who}),
        EventKind::DoorMoved { by, cell, open } => {
            json!({"what": "door", "who": by, "cell": [cell.x, cell.y], "open": open})
        }
        EventKind::Entered { who, at } => {
            json!({"what": "entered", "who": who, "at": [at.x, at.y]})
        }
        EventKind::Fled { who } => json!({"what": "fled", "who": who}),
        EventKind::Flees { who } => json!({"what": "flees", "who": who}),
        EventKind::FightsOn { who } => json!({"what": "fights_on", "who": who}),
        EventKind::WillReturn { who, round } => {
            json!({"what": "will_return", "who": who, "round": round})
        }
        EventKind::Rallied { who } => json!({"what": "rallied", "who": who}),
        EventKind::Handicap { side: s, points } => {
            json!({"what": "handicap", "side": side(s), "points": points})
        }
        EventKind::Shaken { side: s, shaken } => {
            json!({"what": "shaken", "side": side(s), "shaken": shaken})
        }
        EventKind::Reached {
            objective,
            who,
            so_far,
            needed,
            ..
        } => {
            let who: Vec<Id> = super::ids_of(*who).collect();
            json!({"what": "reached", "objective": objective, "who": who, "so_far": so_far, "needed": needed})
        }
        EventKind::Held {
            objective,
            side: s,
            rounds,
            needed,
            ..
        } => {
            json!({"what": "held", "objective": objective, "side": side(s), "rounds": rounds, "needed": needed})
        }
        EventKind::ObjectiveLost {
            objective, side: s, ..
        } => {
            json!({"what": "objective_lost", "objective": objective, "side": side(s)})
        }
        EventKind::Idle { rounds, limit, .. } => {
            json!({"what": "idle", "rounds": rounds, "limit": limit})
        }
        EventKind::Stuck { side: s } => json!({"what": "stuck", "side": side(s)}),
        EventKind::Surrendered { side: s } => json!({"what": "surrendered", "side": side(s)}),
        EventKind::RoundEnded => json!({"what": "round_ended"}),
        EventKind::BrokenOff { step } => json!({"what": "broken_off", "step": step}),
        EventKind::Over { won, why, end } => {
            json!({"what": "over", "won": won.as_ref().map(side), "why": why, "end": end})
        }
        EventKind::Ruleset(_) => json!({}),
    }
}

fn roll_data(roll: &Roll) -> Value {
    #[derive(Serialize)]
    struct Told<'a> {
        dice: &'a [(u16, u16)],
        modifiers: &'a [Modifier],
        total: i32,
    }
    serde_json::to_value(Told {
        dice: &roll.dice,
        modifiers: &roll.modifiers,
        total: roll.total(),
    })
    .unwrap_or_default()
}
