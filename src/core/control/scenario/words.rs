//! Checks that the words of an order name something that exists: its action, and each unit,
//! item, spell and cell.

use crate::{
    battle::{Action, ItemTable, level_stock},
    grid::{Board, Cell},
    levels::{Level, LevelDraft},
};

/// Everything that orders of a level can name.
pub(super) struct Words<'a> {
    draft: &'a LevelDraft,
    level: &'a Level,
    board: Board,
    stock: ItemTable,
    items: Vec<String>,
    spells: Vec<String>,
}

/// A word of an order that names nothing: "weapon", "swrod".
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unknown {
    pub kind: &'static str,
    pub word: String,
}

/// Prepositions that join the parts of an order.
const JOINTS: [&str; 13] = [
    "against", "at", "for", "from", "in", "into", "of", "on", "over", "to", "towards", "upon",
    "with",
];

/// The placeholder for any value, as in the list of offers.
const ANY: &str = "?";

impl<'a> Words<'a> {
    pub fn of(draft: &'a LevelDraft) -> Self {
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

    /// The known names of a kind (see [`Unknown`]), for an order of `who`.
    pub fn known(&self, kind: &str, who: &str) -> Vec<&str> {
        match kind {
            "combatant" => self.level.combatants.iter().map(|c| &*c.name).collect(),
            "weapon" => self.items.iter().map(String::as_str).collect(),
            "spell" => self.spells_of(who),
            _ => vec![],
        }
    }

    /// The spells that a unit can cast; none can be learnt during a battle.
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

    /// Whether the unit's kind could not be read.
    fn is_stranger(&self, who: &str) -> bool {
        let who = self.level.combatant_named(who);
        who.is_some_and(|who| self.draft.unreadable_kinds.contains(&who))
    }

    /// Whether an order of `who` can be read as one of this action. `None` if it does not match
    /// the action's phrase.
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

    /// The correct form of an order that is right except for its prepositions: `release blast
    /// towards 6,0` becomes `release blast at 6,0`.
    pub fn reworded(&self, verbs: &[&Action], who: &str, order: &str) -> Option<String> {
        let (plain, path) = without_path(order);
        if path.iter().any(|cell| !self.board.contains(*cell)) {
            return None;
        }
        let words: Vec<&str> = plain.split_whitespace().collect();
        let first = |phrase: &str| phrase.split(' ').next() == words.first().copied();
        let phrases = verbs.iter().map(|verb| verb.order_text);
        let mut meant = phrases.filter(|phrase| first(phrase)).filter_map(|phrase| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            self.loosely(&phrase, who, &words)
        });
        let meant = meant.next()?.join(" ");
        let path: String = path.iter().map(|cell| format!(" {cell}")).collect();
        match path.is_empty() {
            true => Some(meant),
            false => Some(format!("{meant} by{path}")),
        }
    }

    /// The order in the words of a phrase; prepositions may differ.
    fn loosely(&self, phrase: &[&str], who: &str, order: &[&str]) -> Option<Vec<String>> {
        let is_joint = |word: &str| JOINTS.contains(&word);
        let goes_on = |own: String, phrase: &[&str], order: &[&str]| {
            let mut words = self.loosely(phrase, who, order)?;
            words.insert(0, own);
            Some(words)
        };
        // The order has one preposition too many.
        let without = || match order.split_first() {
            Some((word, rest)) if is_joint(word) => self.loosely(phrase, who, rest),
            _ => None,
        };
        let Some((&own, rest)) = phrase.split_first() else {
            return if order.is_empty() {
                Some(vec![])
            } else {
                without()
            };
        };
        if let Some(slot) = own.strip_prefix('{') {
            let (slot, end) = slot.split_once('}')?;
            let of_slot = |long: usize| {
                let text = order[..long].join(" ");
                let text = text.strip_suffix(end)?;
                self.word(slot, who, text).ok()?;
                goes_on(format!("{text}{end}"), rest, &order[long..])
            };
            let found = (1..=order.len()).find_map(of_slot);
            return found.or_else(without);
        }
        let next = order.first().copied().unwrap_or_default();
        if next == own {
            return goes_on(own.to_owned(), rest, &order[1..]);
        }
        let missing = || {
            let found = is_joint(own).then(|| goes_on(own.to_owned(), rest, order));
            found.flatten()
        };
        missing().or_else(without)
    }

    /// Matches the rest of a phrase with the rest of an order.
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

    /// Checks that the words fit a slot.
    fn word(&self, slot: &str, who: &str, word: &str) -> Result<(), Unknown> {
        let among = |kind| {
            let known = self.known(kind, who);
            let found = known.iter().any(|name| name.eq_ignore_ascii_case(word));
            (kind, found)
        };
        let (kind, is_known) = match slot {
            "at" if self.draft.has_unread_names => return Ok(()),
            "at" => among("combatant"),
            // An item that a unit of unknown kind brings may be held by any unit.
            "with" if !self.draft.unreadable_kinds.is_empty() => return Ok(()),
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

/// An order without its custom path, and that path.
fn without_path(order: &str) -> (&str, Vec<Cell>) {
    let Some((before, cells)) = order.rsplit_once(" by ") else {
        return (order, vec![]);
    };
    let path: Result<Vec<Cell>, _> = cells.split_whitespace().map(str::parse).collect();
    path.map_or((order, vec![]), |path| (before, path))
}
