//! A level's text as a tree of pieces, and the basic edits that all others are built
//! from.

use super::{
    At, Edited,
    at::PieceStep,
    splice::{Sheet, Splice, spliced},
};
use crate::{
    ron_read::{self, ByteRange, Piece, ValueShape},
    rulesets,
};

/// A level's text and the tree of its pieces. It can be edited as long as the text
/// can be parsed, even if the level has errors.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    root: Piece,
}

/// Where the fields that rulesets add go in an order.
const OWN: &str = "*";

/// The order in which the fields of a level and of its entries are written.
const ORDERS: [&str; 9] = [
    "title briefing author version licence source needs rules suits light diagonals * map legend \
     kinds sides combatants reinforcements surprise exits objectives last_round stalemate \
     surrender lesson notes",
    "kind name side at count hp awareness hidden prone leader stalks with",
    "id name control start colour awareness fled_return sturdier alerted_to",
    "side goal vital text",
    "round count combatants",
    "at sides",
    "text at",
    "area who count rounds",
    // The fields of a kind, and of a unit's deviations from its kind.
    "like name title look size bulk speed level hit_dice attributes skills skill weapons off_hand \
     pack armour shield morale traits spells *",
];

/// Lists that are removed instead of left empty.
const OPTIONAL: [&str; 4] = ["exits", "notes", "objectives", "reinforcements"];

impl Document {
    /// Parses the text. `None` if that fails, for example because a bracket is not
    /// closed.
    pub fn new(text: &str) -> Option<Self> {
        let root = ron_read::pieces(text)?;
        let is_group = matches!(root.shape, ValueShape::Fields(_));
        is_group.then(|| Self {
            text: text.into(),
            root,
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn piece(&self, at: &At) -> Option<&Piece> {
        let mut steps = at.steps().iter();
        steps.try_fold(&self.root, |piece, step| step.of(piece))
    }

    /// The text of a piece as written.
    pub fn raw(&self, at: &At) -> Option<&str> {
        let place = self.piece(at)?.at;
        Some(&self.text[place.from..place.to])
    }

    pub(super) fn raw_at(&self, place: ByteRange) -> &str {
        &self.text[place.from..place.to]
    }

    /// The value of a piece that is a string.
    pub fn string(&self, at: &At) -> Option<&str> {
        match &self.piece(at)?.shape {
            ValueShape::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a piece that is a word: `Alert`, `true`.
    pub fn word(&self, at: &At) -> Option<&str> {
        match &self.piece(at)?.shape {
            ValueShape::Word(word, _) => Some(word),
            _ => None,
        }
    }

    /// The path to the innermost piece that contains a byte.
    pub fn way_to(&self, byte: usize) -> Option<At> {
        let mut at = At::root();
        loop {
            let piece = self.piece(&at)?;
            let next: Vec<At> = match &piece.shape {
                ValueShape::Fields(fields) => fields.iter().map(|f| at.field(&f.name)).collect(),
                ValueShape::List(items) | ValueShape::Tuple(items) => {
                    (0..items.len()).map(|n| at.nth(n)).collect()
                }
                ValueShape::Map(entries) => {
                    let key = |(key, _): &(Piece, Piece)| match &key.shape {
                        ValueShape::Text(key) => Some(at.key(key)),
                        ValueShape::Char(c) => Some(at.char_key(*c)),
                        _ => None,
                    };
                    entries.iter().filter_map(key).collect()
                }
                ValueShape::Word(_, Some(_)) => vec![at.group()],
                _ => vec![],
            };
            let holds = |at: &At| {
                let place = self.piece(at).map(|p| p.at);
                place.is_some_and(|p| (p.from..p.to).contains(&byte))
            };
            match next.into_iter().find(holds) {
                Some(inner) => at = inner,
                None => return Some(at),
            }
        }
    }

    /// The number of entries of a list or fields of a group. 0 if there is no such
    /// piece.
    pub fn count(&self, at: &At) -> usize {
        self.piece(at).map_or(0, |p| super::splice::items(p).len())
    }

    /// The line on which a piece starts, from 1.
    pub fn line(&self, at: &At) -> Option<usize> {
        Some(self.line_at(self.piece(at)?.at.from))
    }

    /// The line of a byte, from 1.
    pub fn line_at(&self, byte: usize) -> usize {
        self.text[..byte].matches('\n').count() + 1
    }

    /// The byte at a line and a column in characters, both from 1.
    pub fn byte_at(&self, line: u32, col: u32) -> usize {
        ron_read::byte_of(&self.text, line as usize, col as usize)
    }

    /// Applies splices. Fails without any change if the result cannot be parsed.
    pub(super) fn splice(&mut self, splices: Vec<Splice>) -> Edited {
        let text = spliced(&self.text, splices);
        let made = Self::new(&text).ok_or("the file could not be read afterwards")?;
        *self = made;
        Ok(())
    }

    /// Replaces the text at a place.
    pub(super) fn replace(&mut self, place: ByteRange, with: &str) -> Edited {
        if self.raw_at(place) == with {
            return Ok(());
        }
        self.splice(vec![(place, with.into())])
    }

    /// Sets the value at a path. A missing field is added, with all groups that lead
    /// to it.
    pub fn set(&mut self, at: &At, value: &str) -> Edited {
        if let Some(piece) = self.piece(at) {
            return self.replace(piece.at, value);
        }
        let (before, last) = at.split().ok_or("there is nothing to set")?;
        let item = match last {
            PieceStep::Field(name) => format!("{name}: {value}"),
            PieceStep::CharKey(c) => format!("{c:?}: {value}"),
            PieceStep::Key(name) => format!("{}: {value}", super::quoted(name)),
            _ => return Err("there is no such entry".into()),
        };
        let Some(piece) = self.piece(&before) else {
            let whole = match (last, before.steps().len()) {
                // Each legend entry goes on its own line.
                (PieceStep::CharKey(_), 1) => format!("{{\n        {item},\n    }}"),
                // So does each kind of the level, one level deeper.
                (PieceStep::Key(_), 2) => format!("{{\n            {item},\n        }}"),
                (PieceStep::CharKey(_) | PieceStep::Key(_), _) => format!("{{{item}}}"),
                (PieceStep::Field(_), 1) if item.contains('\n') => {
                    format!("(\n        {item},\n    )")
                }
                _ => format!("({item})"),
            };
            return self.set(&before, &whole);
        };
        let index = match (last, &piece.shape) {
            (PieceStep::Field(name), ValueShape::Fields(fields)) => {
                let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
                place_among(&names, name)
            }
            (PieceStep::Field(_), ValueShape::Tuple(all)) if all.is_empty() => 0,
            (PieceStep::CharKey(_) | PieceStep::Key(_), ValueShape::Map(entries)) => entries.len(),
            _ => return Err("nothing can be set there".into()),
        };
        let splices = Sheet::new(&self.text).insert(piece, index, &item);
        self.splice(splices)
    }

    /// Removes a field or an entry. A field whose group becomes empty is removed too.
    pub fn remove(&mut self, at: &At) -> Edited {
        let Some((before, last)) = at.split() else {
            return Err("the level itself cannot be removed".into());
        };
        let Some(piece) = self.piece(&before) else {
            return Ok(());
        };
        let Some(nth) = last.index(piece) else {
            return Ok(());
        };
        let is_last = self.count(&before) == 1;
        let parent = before.split();
        let goes_too = match (last, &parent) {
            (PieceStep::Field(_) | PieceStep::CharKey(_), Some((_, PieceStep::Field(_)))) => true,
            (PieceStep::Key(_), Some((_, PieceStep::Field(_)))) => true,
            (PieceStep::Nth(_), Some((_, PieceStep::Field(list)))) => {
                OPTIONAL.contains(&list.as_str())
            }
            _ => false,
        };
        if is_last && goes_too {
            return self.remove(&before);
        }
        let splices = Sheet::new(&self.text).remove(piece, nth);
        self.splice(splices)
    }

    /// Inserts an entry into a list, after its first `index` entries. A missing list
    /// is added.
    pub fn insert(&mut self, list: &At, index: usize, item: &str) -> Edited {
        let Some(piece) = self.piece(list) else {
            let whole = match list.steps().len() {
                1 => format!("[\n        {item},\n    ]"),
                _ => format!("[{item}]"),
            };
            return self.set(list, &whole);
        };
        if !matches!(piece.shape, ValueShape::List(_)) {
            return Err("this is not a list".into());
        }
        let splices = Sheet::new(&self.text).insert(piece, index, item);
        self.splice(splices)
    }

    /// Adds an entry at the end of a list.
    pub fn push(&mut self, list: &At, item: &str) -> Edited {
        self.insert(list, self.count(list), item)
    }
}

/// The index at which a field belongs among the existing ones.
fn place_among(names: &[&str], name: &str) -> usize {
    let rank = |order: &str, name: &str| {
        let own = || rulesets::added_fields().any(|n| n == name);
        let stands = |wanted: &str| order.split(' ').position(|n| n == wanted);
        stands(name).or_else(|| stands(OWN).filter(|_| own()))
    };
    let known = |order: &&&str| {
        let hits = names.iter().filter(|n| rank(order, n).is_some()).count();
        rank(order, name).map_or(0, |_| hits)
    };
    let order = ORDERS.iter().max_by_key(known).copied().unwrap_or_default();
    let Some(own) = rank(order, name) else {
        return names.len();
    };
    let is_before = |n: &&str| rank(order, n).is_some_and(|rank| rank <= own);
    let last = names.iter().rposition(is_before);
    last.map_or(0, |n| n + 1)
}
