//! Names that a level defines: its kinds of creature and its sides. Renaming changes
//! every reference.

use super::{At, Document, Edited, quoted, splice::Splice};
use crate::{
    content::Content,
    ron_read::{Piece, ValueShape},
};

/// The fields that refer to a creature by id.
const OF_KINDS: [&str; 2] = ["kind", "like"];
/// The fields that refer to a side by id.
const OF_SIDES: [&str; 7] = [
    "id",
    "side",
    "sides",
    "surprise",
    "goal",
    "alerted_to",
    "until",
];

/// The greatest length of an id in characters.
const LONGEST: usize = 30;

/// The id for a display name: `goblin_king` for "Goblin king". `None` if the name has
/// no letter.
fn id_of(name: &str) -> Option<String> {
    let mut id = String::new();
    for c in name.trim().to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => id.push(c),
            '\'' | '\u{2019}' => {}
            _ if id.ends_with('_') => {}
            _ => id.push('_'),
        }
    }
    let id = id.trim_matches('_');
    let begins = id.chars().next().is_some_and(|c| c.is_ascii_lowercase());
    (begins && id.len() <= LONGEST).then(|| id.to_string())
}

/// The display name of a kind without a name: "Goblin king".
fn usual_name(id: &str) -> String {
    let mut words = id.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

pub(super) fn creatures() -> At {
    At::root().field("kinds").field("creatures")
}

impl Document {
    /// The ids of the kinds that the level defines, in the order of the file.
    pub fn own_kinds(&self) -> Vec<String> {
        let Some(ValueShape::Map(entries)) = self.piece(&creatures()).map(|p| &p.shape) else {
            return vec![];
        };
        let id = |(key, _): &(Piece, Piece)| match &key.shape {
            ValueShape::Text(id) => Some(id.clone()),
            _ => None,
        };
        entries.iter().filter_map(id).collect()
    }

    /// The path to the nth of these kinds.
    pub fn own_kind_at(&self, nth: usize) -> Option<At> {
        Some(creatures().key(self.own_kinds().get(nth)?))
    }

    /// Adds a kind to this level as a copy of another, under a free id, and returns
    /// the id.
    pub fn add_kind(&mut self, like: &str) -> Edited<String> {
        let own = self.own_kinds();
        let mut ids = (1..).map(|n| match n {
            1 => format!("own_{like}"),
            n => format!("own_{like}_{n}"),
        });
        let id = ids.find(|id| !own.contains(id));
        let id = id.ok_or("there is no name left")?;
        let entry = format!("(\n                like: {},\n            )", quoted(like));
        self.set(&creatures().key(&id), &entry)?;
        Ok(id)
    }

    /// Sets the display name of a kind of this level. Its id changes to match as
    /// closely as possible.
    pub fn name_kind(&mut self, nth: usize, name: &str) -> Edited {
        let own = self.own_kinds();
        let old = own.get(nth).ok_or("there is no such kind")?;
        let id = id_of(name).unwrap_or_else(|| old.clone());
        let is_taken =
            id != *old && (own.contains(&id) || Content::built_in().creature(&id).is_some());
        let id = if is_taken { old.clone() } else { id };
        self.rename(&OF_KINDS, old, &id)?;
        let at = creatures().key(&id).field("name");
        match usual_name(&id) == name.trim() {
            true => self.remove(&at),
            false => self.set(&at, &quoted(name.trim())),
        }
    }

    /// Removes a kind of this level. Its units become the kind that it was derived
    /// from.
    pub fn remove_kind(&mut self, nth: usize) -> Edited {
        let own = self.own_kinds();
        let id = own.get(nth).ok_or("there is no such kind")?;
        let at = creatures().key(id);
        let like = self.string(&at.field("like"));
        let like = like.ok_or("nothing says what those would be who are of it")?;
        let splices = self.named(&OF_KINDS, id, like);
        self.splice(splices)?;
        self.remove(&at)
    }

    /// Sets the display name of a side. By default it is "The " and the id.
    pub fn name_side(&mut self, nth: usize, name: &str) -> Edited {
        let sides = At::root().field("sides");
        let side = sides.nth(nth);
        let id_of_side = |n| self.string(&sides.nth(n).field("id"));
        let old = id_of_side(nth).ok_or("the side has no id")?.to_string();
        let others = (0..self.count(&sides)).filter(|n| *n != nth);
        let others: Vec<_> = others.filter_map(id_of_side).collect();
        let new = name.trim().strip_prefix("The ").and_then(id_of);
        let new = new.filter(|id| !others.contains(&id.as_str()));
        // A side cannot have the name of a unit.
        let names = self.units();
        let is_name = |id: &String| {
            let name = |p: &super::units::Placed| self.string(&p.entry.field("name"));
            names.iter().any(|p| name(p) == Some(id))
        };
        let new = new.filter(|id| !is_name(id)).unwrap_or_else(|| old.clone());
        self.rename(&OF_SIDES, &old, &new)?;
        let at = side.field("name");
        match name.trim() == format!("The {}", new.replace('_', " ")) || name.trim().is_empty() {
            true => self.remove(&at),
            false => self.set(&at, &quoted(name.trim())),
        }
    }

    /// Renames a key of the level's creatures or the id of a side, and all
    /// references.
    fn rename(&mut self, fields: &[&str], old: &str, new: &str) -> Edited {
        if old == new {
            return Ok(());
        }
        let mut splices = self.named(fields, old, new);
        if fields == OF_KINDS
            && let Some(ValueShape::Map(entries)) = self.piece(&creatures()).map(|p| &p.shape)
        {
            let is_it = |(key, _): &&(Piece, Piece)| key.shape == ValueShape::Text(old.into());
            let key = entries.iter().find(is_it).map(|(key, _)| key.at);
            splices.extend(key.map(|place| (place, quoted(new))));
        }
        self.splice(splices)
    }

    /// Replaces the old id in all of these fields.
    fn named(&self, fields: &[&str], old: &str, new: &str) -> Vec<Splice> {
        let mut all = vec![];
        if let Some(root) = self.piece(&At::root()) {
            walk(root, false, fields, old, &quoted(new), &mut all);
        }
        all
    }
}

fn walk(
    piece: &Piece,
    is_meant: bool,
    fields: &[&str],
    old: &str,
    new: &str,
    all: &mut Vec<Splice>,
) {
    match &piece.shape {
        ValueShape::Text(text) if is_meant && text == old => all.push((piece.at, new.into())),
        ValueShape::Fields(of) => {
            for field in of {
                let meant = fields.contains(&field.name.as_str())
                    || is_meant && !["text", "name"].contains(&field.name.as_str());
                // A list of sides has their entries, not their ids.
                let meant = meant
                    && !matches!(&field.value.shape, ValueShape::List(items) if items.iter().any(|i| matches!(i.shape, ValueShape::Fields(_))));
                walk(&field.value, meant, fields, old, new, all);
            }
        }
        ValueShape::List(items) | ValueShape::Tuple(items) => {
            for item in items {
                walk(item, is_meant, fields, old, new, all);
            }
        }
        ValueShape::Map(entries) => {
            for (_, value) in entries {
                walk(value, is_meant, fields, old, new, all);
            }
        }
        ValueShape::Word(_, Some(group)) => walk(group, is_meant, fields, old, new, all),
        _ => {}
    }
}
