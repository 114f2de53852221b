//! Reading content files: each entry is layered over the known ones and made into a complete
//! kind.

mod armour;
mod condition;
mod creature;
mod spell;
mod weapon;

pub use creature::CreatureEntry;

use super::{Armour, Colour, Condition, Content, Creature, Registry, Spell, Weapon};
use crate::ron_read::{self, ByteRange, Fields, Fix, Help, Outcome, Piece, Reader, ValueShape};
use armour::ArmourEntry;
use condition::ConditionEntry;
use spell::SpellEntry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;
use weapon::WeaponEntry;

/// The entries as written, before derivation. Other kinds can be based on them, and units can
/// change some of their fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    weapons: BTreeMap<String, WeaponEntry>,
    armours: BTreeMap<String, ArmourEntry>,
    spells: BTreeMap<String, SpellEntry>,
    conditions: BTreeMap<String, ConditionEntry>,
    creatures: BTreeMap<String, CreatureEntry>,
    /// The ids of entries with errors that have already been reported.
    broken: BTreeSet<String>,
}

/// The fields of a kind as written in a file, which can all be missing. Defined with `entry!`.
pub(crate) trait Layered: Clone {
    type Made;

    fn read(r: &mut Reader, f: &mut Fields, content: &Content) -> Self;
    /// Fills missing fields from another entry.
    fn over(self, base: &Self) -> Self;
    fn entries(content: &mut Content) -> &mut BTreeMap<String, Self>;
    fn made(content: &mut Content) -> &mut BTreeMap<String, Arc<Self::Made>>;
}

/// Reads the name of a kind.
fn name(r: &mut Reader, piece: &Piece, _: &Content) -> Option<String> {
    r.filled_text(piece)
}

/// Defines the entry of a kind from a list of fields: each with its type and how to read it. A field
/// `or None` can remove an inherited value: `shield: None`. The sections of rulesets come after the
/// fields. `checked by` reports fields that contradict each other, `layered by` prepares two entries
/// before the second fills what the first lacks, and the field `beside` these is not in files.
macro_rules! entry {
    (
        $(#[$doc:meta])*
        $vis:vis struct $name:ident: $made:ident in $kinds:ident
        $(, sections of $of:ty: $known:ident)?
        $(, checked by $check:path)?
        $(, layered by $over:path)?
        $(, beside $own:ident: $own_ty:ty)?;
        $($field:ident $(or $none:ident)?: $ty:ty, $read:expr;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default)]
        $vis struct $name {
            $($own: Option<$own_ty>,)?
            $($field: Option<$ty>,)*
            $(sections: crate::content::section::Written<$of>,)?
        }

        impl super::Layered for $name {
            type Made = $made;

            fn read(
                r: &mut crate::ron_read::Reader,
                f: &mut crate::ron_read::Fields,
                content: &Content,
            ) -> Self {
                let entry = Self {
                    $($own: None,)?
                    $($field: entry!(@read r, f, content, $field, $read $(, $none)?),)*
                    $(sections: {
                        let known = &content.registry.$known;
                        crate::content::section::Written::read(r, f, content, known)
                    },)?
                };
                $($check(&entry, r, f);)?
                entry
            }

            fn over(self, base: &Self) -> Self {
                let (own, base) = (self, base.clone());
                $(let (own, base) = $over(own, base);)?
                Self {
                    $($own: own.$own.or(base.$own),)?
                    $($field: own.$field.or(base.$field),)*
                    $(sections: <crate::content::section::Written<$of>>::over(
                        &own.sections,
                        &base.sections,
                    ),)?
                }
            }

            fn entries(content: &mut Content) -> &mut BTreeMap<String, Self> {
                &mut content.entries.$kinds
            }

            fn made(content: &mut Content) -> &mut BTreeMap<String, Arc<$made>> {
                &mut content.$kinds
            }
        }
    };
    (@read $r:ident, $f:ident, $content:ident, $field:ident, $read:expr) => {
        crate::content::section::field($r, $f, $content, stringify!($field), $read)
    };
    (@read $r:ident, $f:ident, $content:ident, $field:ident, $read:expr, None) => {
        super::none_or($r, $f, $content, stringify!($field), $read)
    };
}
use entry;

/// Reads a field that can be `None` to remove an inherited value.
fn none_or<T>(
    r: &mut Reader,
    f: &mut Fields,
    content: &Content,
    name: &'static str,
    read: impl FnOnce(&mut Reader, &Piece, &Content) -> Option<T>,
) -> Option<Option<T>> {
    let piece = f.piece(name)?;
    match &piece.shape {
        ValueShape::Word(word, None) if word == "None" => Some(None),
        _ => read(r, piece, content).map(Some),
    }
}

/// The entry of a kind, as written in a file.
trait Entry: Layered {
    /// The kind with its article: "a weapon".
    const THING: &'static str;
    /// Groups of fields of which one is required, unless the entry is based on another.
    const NEEDS: &'static [&'static [&'static str]];

    /// Makes the complete kind. `at` is the place to report errors at.
    fn make(&self, r: &mut Reader, at: ByteRange, id: &str, known: &Registry)
    -> Option<Self::Made>;
    /// Notes the kind that it is based on, unless that is based on another itself.
    fn rooted(self, _: &str) -> Self {
        self
    }
}

/// Reads a content file on top of known content.
pub fn check_file(file: &str, text: &str, base: &Content) -> Outcome<Content> {
    ron_read::read(file, text, |r, root| {
        let mut content = base.clone();
        layer(r, root, &mut content)?;
        Some(content)
    })
}

/// The known fields of each kind of entry that occurs in a content file.
pub fn known_fields(text: &str, base: &Content) -> BTreeMap<&'static str, Vec<&'static str>> {
    ron_read::known_fields(text, |r, root| layer(r, root, &mut base.clone()))
}

/// A kind that a file defines: what it is, its id, and the place of the id.
pub(crate) type Brought = (&'static str, String, ByteRange);

/// Adds a hint for each kind that a file defines but does not use.
pub(crate) fn hint_at_unused(r: &mut Reader, brought: &[Brought]) {
    for (thing, id, at) in brought {
        if !r.is_mentioned(thing, id) {
            let thing = thing.strip_prefix("a ").or(thing.strip_prefix("an "));
            let what = format!("nobody uses the {} `{id}`", thing.unwrap_or_default());
            let help = "leave it out, or name it where it is wanted";
            r.hint(*at, what, Help::fix(help, Fix::DropKind));
        }
    }
}

/// Adds the kinds of `(weapons: {…}, armour: {…}, conditions: {…}, spells: {…}, creatures: {…})`
/// to the content; they replace kinds of the same id. Returns the kinds.
pub(crate) fn layer(r: &mut Reader, piece: &Piece, content: &mut Content) -> Option<Vec<Brought>> {
    let mut brought = Vec::new();
    let mut f = r.fields(piece, "a set of kinds")?;
    // A fixed order, whatever that of the file, because creatures refer to all the others.
    let sections: [(_, fn(&mut Reader, &Piece, &mut Content) -> Vec<Brought>); 5] = [
        ("weapons", section::<WeaponEntry>),
        ("armour", section::<ArmourEntry>),
        ("conditions", section::<ConditionEntry>),
        ("spells", section::<SpellEntry>),
        ("creatures", section::<CreatureEntry>),
    ];
    for (name, read) in sections {
        if let Some(piece) = f.piece(name) {
            brought.extend(read(r, piece, content));
        }
    }
    f.finish(r);
    Some(brought)
}

/// One entry of the file.
struct Written<E> {
    at: ByteRange,
    like: Option<(String, ByteRange)>,
    entry: E,
    /// Whether the entry was read without errors.
    sound: bool,
    /// Whether it has been made or has failed.
    done: bool,
}

fn section<E: Entry>(r: &mut Reader, piece: &Piece, content: &mut Content) -> Vec<Brought> {
    let mut ids: Vec<String> = Vec::new();
    let mut written: BTreeMap<String, Written<E>> = BTreeMap::new();
    for (key, value) in r.entries(piece).unwrap_or_default() {
        let before = r.count();
        let Some(id) = r.id(key) else { continue };
        let Some(mut f) = r.fields(value, E::THING) else {
            content.entries.broken.insert(id);
            continue;
        };
        let like = f.optional(r, "like", |r, p| Some((r.text(p)?, p.at)));
        let entry = E::read(r, &mut f, content);
        for group in E::NEEDS {
            if f.lacks("like") && group.iter().all(|name| f.lacks(name)) {
                let names = group.join("` or `");
                let what = format!("{} needs the field `{names}`", E::THING);
                r.problem(key.at, what, "");
            }
        }
        f.finish(r);
        if written.contains_key(&id) {
            r.problem(key.at, format!("`{id}` is here twice"), "keep one");
            continue;
        }
        let (at, sound) = (key.at, r.count() == before);
        ids.push(id.clone());
        let this = Written {
            at,
            like,
            entry,
            sound,
            done: false,
        };
        written.insert(id, this);
    }
    for id in &ids {
        // Entries that it is based on come first, the most distant at the front.
        let (mut chain, mut met) = (Vec::new(), BTreeSet::new());
        let mut next = written.get_key_value(id);
        while let Some((id, this)) = next
            && !this.done
            && met.insert(id)
        {
            chain.push(id.clone());
            let like = this.like.as_ref().filter(|(like, _)| like != id);
            next = like.and_then(|(like, _)| written.get_key_value(like));
        }
        for id in chain.iter().rev() {
            finish(r, id, &mut written, content);
        }
    }
    let place = |id: String| {
        let at = written[&id].at;
        (E::THING, id, at)
    };
    ids.into_iter().map(place).collect()
}

/// Makes one kind, after the kind that it is based on. Failures are recorded, so that references
/// to them are not reported as further errors.
fn finish<E: Entry>(
    r: &mut Reader,
    id: &str,
    written: &mut BTreeMap<String, Written<E>>,
    content: &mut Content,
) {
    let Some(this) = written.get_mut(id) else {
        return;
    };
    this.done = true;
    let (at, like, sound) = (this.at, this.like.clone(), this.sound);
    let mut entry = this.entry.clone();
    if let Some((like, like_at)) = like {
        // A kind based on its own id changes that of an earlier layer.
        if like != id {
            r.mention(E::THING, &like);
        }
        let Some(base) = E::entries(content).get(&like) else {
            let is_written = written.contains_key(&like);
            if is_written && !content.entries.broken.contains(&like) {
                let what = format!("`{id}` is like `{like}`, which cannot be made before it");
                r.problem(like_at, what, "kinds must not be like each other in a ring");
            } else if !is_written {
                let mut known: Vec<&str> = Vec::new();
                if r.is_guessing() {
                    known.extend(written.keys().map(String::as_str));
                    known.extend(E::entries(content).keys().map(String::as_str));
                    known.sort_unstable();
                }
                r.unknown(like_at, E::THING, &like, known);
            }
            content.entries.broken.insert(id.to_string());
            return;
        };
        entry = entry.over(base).rooted(&like);
    }
    // An entry that was misread is not made: further errors could be only a result of that.
    let registry = content.registry.clone();
    let made = sound.then(|| entry.make(r, at, id, &registry)).flatten();
    match made {
        Some(made) => {
            E::entries(content).insert(id.to_string(), entry);
            E::made(content).insert(id.to_string(), Arc::new(made));
        }
        None => {
            content.entries.broken.insert(id.to_string());
        }
    }
}

impl Content {
    /// A kind of creature with some fields changed.
    pub(crate) fn changed(
        &self,
        r: &mut Reader,
        at: ByteRange,
        id: &str,
        changes: CreatureEntry,
    ) -> Option<Arc<Creature>> {
        let entry = changes.over(self.entries.creatures.get(id)?);
        entry.make(r, at, id, &self.registry).map(Arc::new)
    }
}

/// Reads feet that make whole cells.
fn feet_in_cells(r: &mut Reader, piece: &Piece, within: RangeInclusive<i32>) -> Option<i32> {
    let feet = r.whole(piece, within)?;
    if feet % 5 != 0 {
        let what = format!("{feet} ft is no whole number of cells");
        r.problem(piece.at, what, "a cell is 5 ft");
        return None;
    }
    Some(feet)
}

/// The default name of a kind: its id with spaces.
fn plain_name(id: &str) -> String {
    id.replace('_', " ")
}

pub(super) fn weapon(r: &mut Reader, piece: &Piece, content: &Content) -> Option<Arc<Weapon>> {
    look_up(r, piece, "a weapon", content, &content.weapons)
}

fn armour(r: &mut Reader, piece: &Piece, content: &Content) -> Option<Arc<Armour>> {
    look_up(r, piece, "an armour or shield", content, &content.armours)
}

pub(super) fn spell(r: &mut Reader, piece: &Piece, content: &Content) -> Option<Arc<Spell>> {
    look_up(r, piece, "a spell", content, &content.spells)
}

fn condition(r: &mut Reader, piece: &Piece, content: &Content) -> Option<Arc<Condition>> {
    let thing = ConditionEntry::THING;
    look_up(r, piece, thing, content, &content.conditions)
}

pub(crate) fn colour(r: &mut Reader, piece: &Piece) -> Option<Colour> {
    r.word(piece, "a colour", &Colour::WORDS)
}

/// Reads the id of a creature kind and looks it up.
pub(crate) fn kind(r: &mut Reader, piece: &Piece, content: &Content) -> Option<Arc<Creature>> {
    let found = look_up(r, piece, "a kind", content, &content.creatures)?;
    r.mention(CreatureEntry::THING, &found.id);
    Some(found)
}

/// Looks up the id that a piece of the file names.
fn look_up<T>(
    r: &mut Reader,
    piece: &Piece,
    thing: &'static str,
    content: &Content,
    known: &BTreeMap<String, Arc<T>>,
) -> Option<Arc<T>> {
    let id = r.text(piece)?;
    r.mention(thing, &id);
    let found = known.get(&id).cloned();
    if found.is_none() && !content.entries.broken.contains(&id) {
        r.unknown(piece.at, thing, &id, known.keys().map(String::as_str));
    }
    found
}
