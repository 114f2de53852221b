//! Sections: what a single ruleset needs to know about creatures, weapons, armour, spells and
//! levels. A ruleset defines them with `section!`, each field once, and registers them in its
//! table. This module knows none of them.

use super::{Armour, Content, Creature, Spell, Weapon};
use crate::ron_read::{ByteRange, Fields, Piece, Reader};
use std::{
    any::{Any, TypeId},
    fmt::{self, Debug},
    ops::RangeInclusive,
    sync::Arc,
};

/// A complete section with all derived values. Defined with `section!`.
pub trait Section: Any + Clone + PartialEq + Debug + Send + Sync {
    /// What the section belongs to: a creature, a weapon, an armour, a spell or a level.
    type Of: 'static;
    /// The section as written: fields that can all be missing.
    type Written: Clone + Default + Debug + Send + Sync + 'static;
    /// The name of the section's field in files.
    const KEY: &'static str;

    fn read(r: &mut Reader, p: &Piece, content: &Content) -> Option<Self::Written>;
    /// Fills missing fields from another section.
    fn over(own: &Self::Written, base: &Self::Written) -> Self::Written;
    /// Makes the complete section from what is written and from what all rulesets share. The
    /// sections of earlier rulesets are already in `of`.
    fn derive(own: &Self::Written, of: &Self::Of) -> Self;
    /// Reports values that contradict each other.
    fn check(&self, _own: &Self::Written, _of: &Self::Of, _: &mut Reader, _at: ByteRange) {}
    /// Spells that a creature has only because of this section.
    fn spells(&self) -> &[Arc<Spell>] {
        &[]
    }
    /// The integer fields that files can set, with their values.
    fn numbers(&self) -> Vec<(&'static str, i32)> {
        vec![]
    }
}

/// Defines a [`Section`] from one list of fields:
///
/// ```text
/// section! {
///     /// Numbers of a weapon.
///     pub struct SegmentsWeapon from WrittenWeapon, of Weapon,
///     "segments": "a Segments section of a weapon";
///     |own, w|
///     /// Missiles in one attack routine.
///     rate: u8, small(1..=4) => 1;
///     /// Computed from the other fields; files cannot set it.
///     hits: i32 => w.damage.max() * i32::from(rate);
/// }
/// ```
///
/// A field has a name, a type, a way to read it, and after the arrow its default. Without a way
/// to read it, it is always computed. `own` is the section as written, `w` the weapon; earlier
/// fields are available by their names. An optional `with { name: type, way to read; }` before
/// `|own, w|` has fields of the file without a field in the struct; if such a field is a number,
/// `=> |s| …` computes its value from a complete section.
macro_rules! section {
    (
        $(#[$doc:meta])*
        pub struct $name:ident from $written:ident, of $of:ty, $key:literal: $thing:literal;
        $(spells: $spells:ident;)?
        $(check: $check:path;)?
        $(with { $($wfield:ident: $wty:ty, $wread:expr $(=> $comes:expr)?;)* })?
        |$own:ident, $it:ident|
        $(
            $(#[$fdoc:meta])*
            $field:ident: $ty:ty $(, $read:expr)? => $value:expr;
        )*
    ) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name {
            $($(#[$fdoc])* pub $field: $ty,)*
        }

        /// The section as written.
        #[derive(Clone, Default, Debug)]
        pub struct $written {
            $($($wfield: Option<$wty>,)*)?
            $($($field: $crate::content::section::section!(@written $ty, $read),)?)*
        }

        impl $crate::content::Section for $name {
            type Of = $of;
            type Written = $written;
            const KEY: &'static str = $key;

            fn read(
                r: &mut $crate::ron_read::Reader,
                p: &$crate::ron_read::Piece,
                content: &$crate::content::Content,
            ) -> Option<$written> {
                use $crate::content::section::{field, name_of};
                let mut f = r.fields(p, $thing)?;
                let written = $written {
                    $($($wfield: field(r, &mut f, content, name_of(stringify!($wfield)), $wread),)*)?
                    $($($field: field(r, &mut f, content, name_of(stringify!($field)), $read),)?)*
                };
                f.finish(r);
                Some(written)
            }

            fn over(own: &$written, base: &$written) -> $written {
                $written {
                    $($($wfield: own.$wfield.clone().or_else(|| base.$wfield.clone()),)*)?
                    $($($field: $crate::content::section::section!(@over own, base, $field, $read),)?)*
                }
            }

            #[allow(unused_variables)]
            fn derive($own: &$written, $it: &$of) -> Self {
                $(let $field: $ty = $crate::content::section::section!(@value $own, $field, [$($read)?], $value);)*
                Self { $($field,)* }
            }

            fn numbers(&self) -> Vec<(&'static str, i32)> {
                use $crate::content::section::{name_of, number_of};
                let mut all = vec![];
                $($($({
                    let comes: fn(&Self) -> i32 = $comes;
                    all.push((name_of(stringify!($wfield)), comes(self)));
                })?)*)?
                $($crate::content::section::section!(@number all, self, $field, [$($read)?]);)*
                all
            }

            $(fn spells(&self) -> &[std::sync::Arc<$crate::content::Spell>] {
                &self.$spells
            })?

            $(fn check(
                &self,
                own: &$written,
                of: &$of,
                r: &mut $crate::ron_read::Reader,
                at: $crate::ron_read::ByteRange,
            ) {
                $check(self, own, of, r, at);
            })?
        }
    };
    (@number $all:ident, $self:ident, $field:ident, []) => {};
    (@number $all:ident, $self:ident, $field:ident, [$read:expr]) => {
        if let Some(n) = number_of(&$self.$field) {
            $all.push((name_of(stringify!($field)), n));
        }
    };
    (@written $ty:ty, $read:expr) => { Option<$ty> };
    (@over $own:ident, $base:ident, $field:ident, $read:expr) => {
        $own.$field.clone().or_else(|| $base.$field.clone())
    };
    (@value $own:ident, $field:ident, [], $value:expr) => { $value };
    (@value $own:ident, $field:ident, [$read:expr], $value:expr) => {
        match &$own.$field {
            Some(written) => written.clone(),
            None => $value,
        }
    };
}
pub(crate) use section;

/// Defines a [`Section`] that is true or false; false if files do not set it:
///
/// ```text
/// flag! {
///     /// Too little room to move about in a fight.
///     pub struct Restricted of Level, "restricted"
/// }
/// ```
macro_rules! flag {
    ($(#[$doc:meta])* pub struct $name:ident of $of:ty, $key:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(pub bool);

        impl $crate::content::Section for $name {
            type Of = $of;
            type Written = Option<bool>;
            const KEY: &'static str = $key;

            fn read(
                r: &mut $crate::ron_read::Reader,
                p: &$crate::ron_read::Piece,
                _: &$crate::content::Content,
            ) -> Option<Self::Written> {
                r.yes_no(p).map(Some)
            }

            fn over(own: &Self::Written, base: &Self::Written) -> Self::Written {
                own.or(*base)
            }

            fn derive(own: &Self::Written, _: &$of) -> Self {
                Self(own.unwrap_or(false))
            }
        }
    };
}
pub(crate) use flag;

/// The name of a field in files, from its name in the code: `r#type`.
pub(crate) fn name_of(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

/// A field's value, if it is an integer.
pub(crate) fn number_of(value: &dyn Any) -> Option<i32> {
    let small = || value.downcast_ref::<u8>().map(|n| i32::from(*n));
    value.downcast_ref().copied().or_else(small)
}

/// Reads one field of a section.
pub(crate) fn field<T>(
    r: &mut Reader,
    f: &mut Fields,
    content: &Content,
    name: &'static str,
    read: impl Fn(&mut Reader, &Piece, &Content) -> Option<T>,
) -> Option<T> {
    f.optional(r, name, |r, p| read(r, p, content))
}

/// Reads an integer.
pub fn whole(within: RangeInclusive<i32>) -> impl Fn(&mut Reader, &Piece, &Content) -> Option<i32> {
    move |r, p, _| r.whole(p, within.clone())
}

/// Reads a small integer of at least 0.
pub fn small(within: RangeInclusive<i32>) -> impl Fn(&mut Reader, &Piece, &Content) -> Option<u8> {
    move |r, p, _| Some(r.whole(p, within.clone())? as u8)
}

/// Reads `true` or `false`.
pub fn yes_no(r: &mut Reader, p: &Piece, _: &Content) -> Option<bool> {
    r.yes_no(p)
}

/// Reads one of some words. `thing` says what they stand for.
pub fn word<'a, T: Copy>(
    thing: &'a str,
    words: &'a [(&'static str, T)],
) -> impl Fn(&mut Reader, &Piece, &Content) -> Option<T> + 'a {
    move |r, p, _| r.word(p, thing, words)
}

/// Like `file_words!`, for enums whose values are also named in texts: `name` is the word in files,
/// or the text that follows it in the definition.
macro_rules! word_enum {
    (
        $(#[$attr:meta])*
        pub enum $name:ident { $($(#[$doc:meta])* $word:ident $(= $text:literal)?),* $(,)? }
    ) => {
        file_words! {
            $(#[$attr])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
            pub enum $name {
                $($(#[$doc])* $word,)*
            }
        }

        impl $name {
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$word => word_enum!(@name $word $($text)?)),*
                }
            }
        }
    };
    (@name $word:ident) => { stringify!($word) };
    (@name $word:ident $text:literal) => { $text };
}
pub(crate) use word_enum;

/// Reads a list of some words, as a vector or a set.
pub fn words<'a, T: Copy, C: FromIterator<T>>(
    thing: &'a str,
    words: &'a [(&'static str, T)],
) -> impl Fn(&mut Reader, &Piece, &Content) -> Option<C> + 'a {
    move |r, p, _| {
        let list = r.list(p, |r, p| r.word(p, thing, words))?;
        Some(list.into_iter().collect())
    }
}

/// Reads a text with [`FromStr`](std::str::FromStr), whose error describes the expected form.
pub fn parsed<T: std::str::FromStr<Err = &'static str>>(
    r: &mut Reader,
    p: &Piece,
    _: &Content,
) -> Option<T> {
    r.parsed(p)
}

/// Reads the ids of weapons.
pub fn weapons(r: &mut Reader, p: &Piece, content: &Content) -> Option<Vec<Arc<Weapon>>> {
    r.list(p, |r, p| super::read::weapon(r, p, content))
}

/// Reads the ids of spells.
pub fn spells(r: &mut Reader, p: &Piece, content: &Content) -> Option<Vec<Arc<Spell>>> {
    r.list(p, |r, p| super::read::spell(r, p, content))
}

/// A section as written; a [`Section::Written`].
type AnyWritten = Arc<dyn Any + Send + Sync>;

/// A [`Section`] of `T` in the table of its ruleset.
pub struct Registered<T: 'static> {
    key: &'static str,
    read: fn(&mut Reader, &Piece, &Content) -> Option<AnyWritten>,
    over: fn(&AnyWritten, &AnyWritten) -> AnyWritten,
    derive: fn(&mut Reader, ByteRange, Option<&AnyWritten>, &T) -> Arc<dyn AnySection>,
}

impl<T> Registered<T> {
    /// The name of the section's field in files.
    pub fn key(&self) -> &'static str {
        self.key
    }

    pub const fn new<S: Section<Of = T>>() -> Self {
        Self {
            key: S::KEY,
            read: |r, piece, content| Some(Arc::new(S::read(r, piece, content)?)),
            over: |own, base| Arc::new(S::over(written::<S>(own), written::<S>(base))),
            derive: |r, at, own, of| {
                let nothing = S::Written::default();
                let own = own.map_or(&nothing, written::<S>);
                let made = S::derive(own, of);
                made.check(own, of, r, at);
                Arc::new(made)
            },
        }
    }
}

fn written<S: Section>(any: &AnyWritten) -> &S::Written {
    any.downcast_ref()
        .expect("a section is kept by its own key")
}

impl<T> Debug for Registered<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

/// The sections that a ruleset adds.
#[derive(Clone, Copy, Debug)]
pub struct OwnSections {
    pub creature: &'static [Registered<Creature>],
    pub weapon: &'static [Registered<Weapon>],
    pub armour: &'static [Registered<Armour>],
    pub spell: &'static [Registered<Spell>],
}

impl OwnSections {
    pub const NONE: Self = Self {
        creature: &[],
        weapon: &[],
        armour: &[],
        spell: &[],
    };
}

/// All sections that files can have.
#[derive(Clone, Default, Debug)]
pub struct Registry {
    pub(super) creature: Vec<&'static Registered<Creature>>,
    pub(super) weapon: Vec<&'static Registered<Weapon>>,
    pub(super) armour: Vec<&'static Registered<Armour>>,
    pub(super) spell: Vec<&'static Registered<Spell>>,
}

impl FromIterator<OwnSections> for Registry {
    fn from_iter<I: IntoIterator<Item = OwnSections>>(all: I) -> Self {
        let mut registry = Self::default();
        for own in all {
            registry.creature.extend(own.creature);
            registry.weapon.extend(own.weapon);
            registry.armour.extend(own.armour);
            registry.spell.extend(own.spell);
        }
        registry
    }
}

/// The sections of one entry, as written.
pub(crate) struct Written<T: 'static>(Vec<(&'static Registered<T>, AnyWritten)>);

impl<T> Written<T> {
    pub(crate) fn read(
        r: &mut Reader,
        f: &mut Fields,
        content: &Content,
        known: &[&'static Registered<T>],
    ) -> Self {
        let section = |&one: &&'static Registered<T>| {
            let written = f.optional(r, one.key, |r, p| (one.read)(r, p, content))?;
            Some((one, written))
        };
        Self(known.iter().filter_map(section).collect())
    }

    fn of(&self, key: &str) -> Option<&AnyWritten> {
        self.0.iter().find(|own| own.0.key == key).map(|own| &own.1)
    }

    pub(super) fn over(&self, base: &Self) -> Self {
        let own = self.0.iter().map(|(one, own)| match base.of(one.key) {
            Some(base) => (*one, (one.over)(own, base)),
            None => (*one, own.clone()),
        });
        let others = base.0.iter().filter(|one| self.of(one.0.key).is_none());
        Self(own.chain(others.cloned()).collect())
    }

    /// Makes the sections one after the other. `sections` finds the list of sections in a `T`.
    pub(crate) fn derive(
        &self,
        r: &mut Reader,
        at: ByteRange,
        known: &[&'static Registered<T>],
        of: &mut T,
        sections: fn(&mut T) -> &mut Sections,
    ) {
        for one in known {
            let made = (one.derive)(r, at, self.of(one.key), of);
            let id = (*made).type_id();
            sections(of).0.push((id, made));
        }
    }
}

impl<T> Clone for Written<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Written<T> {
    fn default() -> Self {
        Self(vec![])
    }
}

impl<T> Debug for Written<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|own| own.0))
            .finish()
    }
}

/// A [`Section`] of any type.
trait AnySection: Any + Debug + Send + Sync {
    fn is_equal(&self, other: &dyn AnySection) -> bool;
    fn spells(&self) -> &[Arc<Spell>];
    fn key(&self) -> &'static str;
    fn numbers(&self) -> Vec<(&'static str, i32)>;
}

impl<S: Section> AnySection for S {
    fn is_equal(&self, other: &dyn AnySection) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<S>() == Some(self)
    }

    fn spells(&self) -> &[Arc<Spell>] {
        Section::spells(self)
    }

    fn key(&self) -> &'static str {
        S::KEY
    }

    fn numbers(&self) -> Vec<(&'static str, i32)> {
        Section::numbers(self)
    }
}

/// The sections of one kind, by type.
#[derive(Clone, Default, Debug)]
pub struct Sections(Vec<(TypeId, Arc<dyn AnySection>)>);

impl Sections {
    /// # Panics
    /// If no ruleset has registered the section.
    #[inline]
    pub fn get<S: Section>(&self) -> &S {
        let wanted = TypeId::of::<S>();
        let found = self.0.iter().find(|one| one.0 == wanted);
        let any: Option<&dyn Any> = found.map(|one| &*one.1 as &dyn Any);
        let Some(section) = any.and_then(|any| any.downcast_ref()) else {
            panic!("no ruleset has registered {}", S::KEY);
        };
        section
    }

    /// All numbers that files can set: the section's key, the field and the value.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (&'static str, &'static str, i32)> {
        let of = |one: &Arc<dyn AnySection>| {
            let key = one.key();
            let numbers = one.numbers().into_iter();
            numbers.map(move |(field, n)| (key, field, n))
        };
        self.0.iter().flat_map(move |one| of(&one.1))
    }

    /// The spells that a creature has only because of sections.
    pub(super) fn spells(&self) -> impl Iterator<Item = &Arc<Spell>> {
        self.0.iter().flat_map(|one| one.1.spells())
    }
}

impl PartialEq for Sections {
    fn eq(&self, other: &Self) -> bool {
        let both = || self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && both().all(|(a, b)| a.1.is_equal(&*b.1))
    }
}

impl Eq for Sections {}
