//! Whether the words of an order stand for something: whether there is such a
//! verb, and each name, thing, spell and cell in it.

use crate::{
    battle::{Action, ItemTable, level_stock},
    grid::{Board, Cell},
    levels::{Draft, Level},
};

/// What the orders of a level may name.
pub(super) struct Words<'a> {
    draft: &'a Draft,
    level: &'a Level,
    board: Board,
    stock: ItemTable,
    items: Vec<String>,
    spells: Vec<String>,
}

/// A word of an order that stands for nothing: "weapon", "swrod".
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unknown {
    pub kind: &'static str,
    pub word: String,
}

/// What stands for anything at all, as the list of offers writes it.
const ANY: &str = "?";

impl<'a> Words<'a> {
    pub fn of(draft: &'a Draft) -> Self {
        let level = &draft.level;
        let stock = level_stock(level);
        Self {
            draft,
            level,
            board: level.board(),
            items: stock.item_names(),
            spells: stock.spell_names(),
            stock,
        }
    }

    /// The names of a kind that [`Unknown`] tells of, for an order of `who`.
    pub fn known(&self, kind: &str, who: &str) -> Vec<&str> {
        match kind {
            "combatant" => self.level.combatants.iter().map(|c| &*c.name).collect(),
            "weapon" => self.items.iter().map(String::as_str).collect(),
            "spell" => self.spells_of(who),
            _ => vec![],
        }
    }

    /// The spells that somebody may ever cast: nobody learns one in a battle.
    fn spells_of(&self, who: &str) -> Vec<&str> {
        let Some(who) = self.level.combatant_named(who) else {
            return vec![];
        };
        let creature = &self.level.combatants[usize::from(who.0)].creature;
        let all = creature.all_spells();
        all.filter_map(|spell| {
            let at = self.stock.spell_place(spell)?;
            self.spells.get(at).map(String::as_str)
        })
        .collect()
    }

    /// Nobody knows what kind they are.
    fn is_stranger(&self, who: &str) -> bool {
        let who = self.level.combatant_named(who);
        who.is_some_and(|who| self.draft.strangers.contains(&who))
    }

    /// Whether an order of `who` can be read as one of this verb; `None` if it
    /// does not have the verb's words.
    pub fn read(&self, verb: &Action, who: &str, order: &str) -> Option<Result<(), Unknown>> {
        let (order, path) = without_path(order);
        let outside = path.into_iter().find(|&cell| !self.board.contains(cell));
        let read = self.slots(verb.order_text, who, order)?;
        let off = outside.map(|cell| Unknown {
            kind: "cell",
            word: cell.to_string(),
        });
        Some(read.and(off.map_or(Ok(()), Err)))
    }

    /// The rest of a phrase against the rest of an order.
    fn slots(&self, order_text: &str, who: &str, order: &str) -> Option<Result<(), Unknown>> {
        let Some((before, rest)) = order_text.split_once('{') else {
            return (order_text == order).then_some(Ok(()));
        };
        let order = order.strip_prefix(before)?;
        let (slot, rest) = rest.split_once('}')?;
        let next = rest.split('{').next().unwrap_or_default();
        let ends: Vec<usize> = match next {
            "" => vec![order.len()],
            _ => order.match_indices(next).map(|found| found.0).collect(),
        };
        let mut wrong = None;
        for end in ends.into_iter().filter(|end| *end > 0) {
            let Some(read) = self.slots(rest, who, &order[end..]) else {
                continue;
            };
            match self.word(slot, who, &order[..end]).and(read) {
                Ok(()) => return Some(Ok(())),
                Err(unknown) => wrong = wrong.or(Some(unknown)),
            }
        }
        wrong.map(Err)
    }

    /// Whether one word or a few may stand in a slot.
    fn word(&self, slot: &str, who: &str, word: &str) -> Result<(), Unknown> {
        let among = |kind| {
            let known = self.known(kind, who);
            let found = known.iter().any(|name| name.eq_ignore_ascii_case(word));
            (kind, found)
        };
        let (kind, is_known) = match slot {
            "at" if self.draft.nameless => return Ok(()),
            "at" => among("combatant"),
            // Anybody may hold what a stranger has brought.
            "with" if !self.draft.strangers.is_empty() => return Ok(()),
            "with" => among("weapon"),
            "spell" if self.is_stranger(who) => return Ok(()),
            "spell" => among("spell"),
            "to" => {
                let cell = word.parse::<Cell>();
                ("cell", cell.is_ok_and(|cell| self.board.contains(cell)))
            }
            _ => ("number", word.parse::<i32>().is_ok()),
        };
        if is_known || word == ANY {
            return Ok(());
        }
        Err(Unknown {
            kind,
            word: word.to_owned(),
        })
    }
}

/// An order without the path laid by hand that closes it, and that path.
fn without_path(order: &str) -> (&str, Vec<Cell>) {
    let Some((before, cells)) = order.rsplit_once(" by ") else {
        return (order, vec![]);
    };
    let path: Result<Vec<Cell>, _> = cells.split_whitespace().map(str::parse).collect();
    path.map_or((order, vec![]), |path| (before, path))
}
