//! Events as data, as `--json` prints them: the fields of shared events that are not written as
//! they are.

use super::{Event, EventKind, Seen, ids_of};
use crate::{
    battle::{
        ActiveCondition, Choice, Id, Item, Modifier, Names, Roll, RolledAttack, Side, SpellId,
    },
    grid::Cell,
};
use serde::{Serialize, Serializer};
use serde_json::Value;

impl Event {
    /// One JSON object: the rule, the kind of event, its data and its log line.
    pub fn json(&self, names: &Names) -> Value {
        let mut value = match &self.what {
            EventKind::Ruleset(own) => own.data(),
            shared => serde_json::to_value(shared).unwrap_or_default(),
        };
        if let EventKind::Acted { choice } = &self.what {
            value["order"] = choice.text(names).into();
        }
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

/// A cell as data: `[x, y]`.
pub fn pair<S: Serializer>(cell: &Cell, serializer: S) -> Result<S::Ok, S::Error> {
    [cell.x, cell.y].serialize(serializer)
}

/// The units of a bit set, as a list.
pub(super) fn ids<S: Serializer>(bits: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(ids_of(*bits))
}

/// A side of which all viewers may know this, so the event does not concern it alone.
pub(super) fn open<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    match serializer.is_human_readable() {
        true => side.serialize(serializer),
        false => serializer.serialize_unit(),
    }
}

pub(super) fn act<S: Serializer>(choice: &Choice, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Act {
        who: Option<Id>,
        act: &'static str,
        at: Option<Id>,
        to: Option<[i16; 2]>,
    }
    let (who, at) = (choice.who, choice.at);
    let to = choice.to.map(|to| [to.x, to.y]);
    let act = choice.verb.name;
    Act { who, act, at, to }.serialize(serializer)
}

pub(super) fn attack<S: Serializer>(
    rolled_attack: &RolledAttack,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Attack<'a> {
        n: u32,
        who: Id,
        at: Id,
        with: Item,
        ranged: bool,
        roll: &'a Roll,
    }
    let (who, at, with, ranged) = rolled_attack.attack.parts();
    let attack = Attack {
        n: rolled_attack.serial,
        who,
        at,
        with,
        ranged,
        roll: &rolled_attack.roll,
    };
    attack.serialize(serializer)
}

pub(super) fn condition<S: Serializer>(
    condition: &ActiveCondition,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Began<'a> {
        by: Id,
        condition: &'a str,
        spell: Option<SpellId>,
        defense: i32,
    }
    let began = Began {
        by: condition.by,
        condition: &condition.condition.name,
        spell: condition.spell,
        defense: condition.defense,
    };
    began.serialize(serializer)
}

/// That a condition ended does not concern the unit that caused it.
pub(super) fn ended_condition<S: Serializer>(
    condition: &ActiveCondition,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Ended<'a> {
        condition: &'a str,
        spell: Option<SpellId>,
    }
    let (condition, spell) = (&*condition.condition.name, condition.spell);
    Ended { condition, spell }.serialize(serializer)
}

impl Serialize for Roll {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Data<'a> {
            dice: &'a [(u16, u16)],
            modifiers: &'a [Modifier],
            total: i32,
        }
        let (dice, modifiers, total) = (&self.dice, &self.modifiers, self.total());
        Data {
            dice,
            modifiers,
            total,
        }
        .serialize(serializer)
    }
}
