//! What a level calls its own: its kinds of creature and its sides. A new name goes
//! wherever the old one stood.

use super::{At, Document, Edited, quoted, splice::Splice};
use crate::{
    content::Content,
    ron_read::{Piece, Shape},
};

/// Where a creature is named by its id.
const OF_KINDS: [&str; 2] = ["kind", "like"];
/// Where a side is.
const OF_SIDES: [&str; 7] = [
    "id",
    "side",
    "sides",
    "surprise",
    "goal",
    "alerted_to",
    "until",
];

/// Characters of an id at most.
const LONGEST: usize = 30;

/// An id of what people call "Goblin king"; `None` where no letter is in it.
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

/// As a kind is called that has no name: "Goblin king".
fn usual_name(id: &str) -> String {
    let mut words = id.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

fn creatures() -> At {
    At::root().field("kinds").field("creatures")
}

impl Document {
    /// The ids of the level's own kinds of creature, in the order of the file.
    pub fn own_kinds(&self) -> Vec<String> {
        let Some(Piece {
            shape: Shape::Map(entries),
            ..
        }) = self.piece(&creatures())
        else {
            return vec![];
        };
        let id = |(key, _): &(Piece, Piece)| match &key.shape {
            Shape::Text(id) => Some(id.clone()),
            _ => None,
        };
        entries.iter().filter_map(id).collect()
    }

    /// The way to the nth of these.
    pub fn own_kind_at(&self, nth: usize) -> Option<At> {
        Some(creatures().key(self.own_kinds().get(nth)?))
    }

    /// A kind of this level like another, under a name that is free; its id.
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

    /// Calls a kind of this level what people are to call it; its id becomes as
    /// like that as it can.
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

    /// Takes a kind of this level out; who was one is what it was like.
    pub fn remove_kind(&mut self, nth: usize) -> Edited {
        let own = self.own_kinds();
        let id = own.get(nth).ok_or("there is no such kind")?;
        let at = creatures().key(id);
        let like = self.string(&at.field("like"));
        let like = like.ok_or("nothing says what those would be who are of it")?;
        let like = like.to_string();
        self.rename_values(&OF_KINDS, id, &like)?;
        self.remove(&at)
    }

    /// Calls a side what people are to call it; without a word of its own it is
    /// "The " and its id.
    pub fn name_side(&mut self, nth: usize, name: &str) -> Edited {
        let side = At::root().field("sides").nth(nth);
        let id = self.string(&side.field("id"));
        let old = id.ok_or("the side has no id")?.to_string();
        let sides = At::root().field("sides");
        let others = (0..self.count(&sides)).filter(|n| *n != nth);
        let others: Vec<_> = others
            .filter_map(|n| self.string(&sides.nth(n).field("id")))
            .collect();
        let new = name.trim().strip_prefix("The ").and_then(id_of);
        let new = new.filter(|id| !others.contains(&id.as_str()));
        // Nobody may be called as a side is.
        let names = self.people();
        let is_name = |id: &String| {
            let name = |p: &super::people::Placed| self.string(&p.entry.field("name"));
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

    /// A key of the level's creatures, or the id of a side, and all that name it.
    fn rename(&mut self, fields: &[&str], old: &str, new: &str) -> Edited {
        if old == new {
            return Ok(());
        }
        let mut splices = self.named(fields, old, new);
        if fields == OF_KINDS
            && let Some(Piece {
                shape: Shape::Map(entries),
                ..
            }) = self.piece(&creatures())
        {
            let is_it = |(key, _): &&(Piece, Piece)| key.shape == Shape::Text(old.into());
            let key = entries.iter().find(is_it).map(|(key, _)| key.at);
            splices.extend(key.map(|place| (place, quoted(new))));
        }
        self.splice(splices)
    }

    fn rename_values(&mut self, fields: &[&str], old: &str, new: &str) -> Edited {
        let splices = self.named(fields, old, new);
        self.splice(splices)
    }

    /// Wherever one of these fields says the old word, the new one.
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
        Shape::Text(text) if is_meant && text == old => all.push((piece.at, new.into())),
        Shape::Fields(of) => {
            for field in of {
                let meant = fields.contains(&field.name.as_str())
                    || is_meant && !["text", "name"].contains(&field.name.as_str());
                // A list of sides holds their entries, not their ids.
                let meant = meant
                    && !matches!(&field.value.shape, Shape::List(items) if items.iter().any(|i| matches!(i.shape, Shape::Fields(_))));
                walk(&field.value, meant, fields, old, new, all);
            }
        }
        Shape::List(items) | Shape::Tuple(items) => {
            for item in items {
                walk(item, is_meant, fields, old, new, all);
            }
        }
        Shape::Map(entries) => {
            for (_, value) in entries {
                walk(value, is_meant, fields, old, new, all);
            }
        }
        Shape::Word(_, Some(group)) => walk(group, is_meant, fields, old, new, all),
        _ => {}
    }
}
