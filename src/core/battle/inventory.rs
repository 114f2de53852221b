//! The units' inventories, and the items on the ground.

use super::Id;
use crate::{
    content::{Creature, Make, Spell, Weapon},
    grid::Cell,
};
use bevy_ecs::resource::Resource;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// A kind of item: an index into the battle's [`ItemTable`]. Two daggers are the same kind twice,
/// so lists of actions show a kind only once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Item(pub u8);

/// Written as `%2`; [`Names::json`](super::Names::json) replaces it by the name.
impl Serialize for Item {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("%{}", self.0))
    }
}

/// A kind of spell: an index into the battle's [`ItemTable`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SpellId(pub u8);

/// Written as `~2`; [`Names::json`](super::Names::json) replaces it by the name.
impl Serialize for SpellId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("~{}", self.0))
    }
}

/// All kinds of weapons and spells in the battle. It never changes.
#[derive(Clone, Debug, Default)]
pub struct ItemTable {
    pub weapons: Vec<Arc<Weapon>>,
    pub spells: Vec<Arc<Spell>>,
}

/// Where a unit has an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemPlace {
    Hand,
    OffHand,
    /// Ready to draw: scabbard, quiver, belt.
    Belt,
    /// Stowed: taking the item out costs time.
    Pack,
    /// Part of the body: claws, fists.
    Body,
}

/// The items of a unit, in the order in which it got them.
#[derive(Clone, PartialEq, Debug)]
pub struct Inventory {
    pub items: Vec<(Item, ItemPlace)>,
    /// Whether the unit still has its shield.
    pub shield: bool,
}

/// The items on the ground, in the order in which they were dropped.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Ground(pub Vec<(Cell, Item)>);

impl ItemTable {
    #[inline]
    pub fn weapon(&self, item: Item) -> &Weapon {
        &self.weapons[usize::from(item.0)]
    }

    pub fn spell(&self, spell: SpellId) -> &Spell {
        &self.spells[usize::from(spell.0)]
    }

    /// The kind of a weapon. Adds the weapon to the table if it is new.
    ///
    /// # Panics
    /// At the 257th kind; no level has that many.
    fn item(&mut self, weapon: &Arc<Weapon>) -> Item {
        Item(place(&mut self.weapons, weapon))
    }

    /// Adds a creature's spells, so that each has a [`SpellId`].
    pub(super) fn learn(&mut self, creature: &Creature) {
        for spell in creature.all_spells() {
            place(&mut self.spells, spell);
        }
    }

    /// A creature's spells, in the order of its entry.
    pub fn spells_of(&self, creature: &Creature) -> Vec<SpellId> {
        let known = creature.spells.iter();
        let at = |spell| self.spells.iter().position(|s| s == spell);
        known.filter_map(at).map(|n| SpellId(n as u8)).collect()
    }

    /// The index of a spell in [`Self::spell_names`].
    pub fn spell_place(&self, spell: &Arc<Spell>) -> Option<usize> {
        self.spells.iter().position(|s| s == spell)
    }

    /// The name of each kind: "short sword". A repeated name gets the item's id in brackets.
    pub fn item_names(&self) -> Vec<String> {
        let name = |w: &Weapon| (w.name.clone(), w.id.clone());
        apart(self.weapons.iter().map(|w| name(w)))
    }

    pub fn spell_names(&self) -> Vec<String> {
        let name = |s: &Spell| (s.name.clone(), s.id.clone());
        apart(self.spells.iter().map(|s| name(s)))
    }
}

fn place<T: PartialEq>(kinds: &mut Vec<Arc<T>>, kind: &Arc<T>) -> u8 {
    let at = kinds.iter().position(|k| k == kind).unwrap_or_else(|| {
        kinds.push(kind.clone());
        kinds.len() - 1
    });
    u8::try_from(at).expect("at most 256 kinds in a battle")
}

fn apart(kinds: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for (name, id) in kinds {
        names.push(match names.contains(&name) {
            true => format!("{name} ({id})"),
            false => name,
        });
    }
    names
}

impl Inventory {
    /// The inventory at the start of a battle: the first weapon held, the others on the belt,
    /// natural weapons and finally bare hands as parts of the body.
    pub fn of(creature: &Creature, fists: &Arc<Weapon>, stock: &mut ItemTable) -> Self {
        let mut items = vec![];
        let mut in_hand = creature.sheathed;
        for weapon in &creature.weapons {
            let place = match weapon.make {
                Make::Natural | Make::Unarmed => ItemPlace::Body,
                Make::Forged if std::mem::replace(&mut in_hand, true) => ItemPlace::Belt,
                Make::Forged => ItemPlace::Hand,
            };
            items.push((stock.item(weapon), place));
        }
        let aside = match creature.sheathed {
            true => ItemPlace::Belt,
            false => ItemPlace::OffHand,
        };
        let off_hand = creature.off_hand.iter().map(|w| (w, aside));
        let pack = creature.pack.iter().map(|w| (w, ItemPlace::Pack));
        for (weapon, place) in off_hand.chain(pack) {
            items.push((stock.item(weapon), place));
        }
        items.push((stock.item(fists), ItemPlace::Body));
        Self {
            items,
            shield: creature.shield.is_some(),
        }
    }

    /// The items in one place, each kind once.
    pub fn at(&self, place: ItemPlace) -> impl DoubleEndedIterator<Item = Item> {
        self.of_places(move |p| p == place)
    }

    /// The item in the main hand.
    #[inline]
    pub fn in_hand(&self) -> Option<Item> {
        self.at(ItemPlace::Hand).next()
    }

    #[inline]
    pub fn off_hand(&self) -> Option<Item> {
        self.at(ItemPlace::OffHand).next()
    }

    /// The weapons that the unit can use at once: held, or part of its body. Each kind once.
    pub fn ready(&self) -> impl DoubleEndedIterator<Item = Item> {
        use ItemPlace::*;
        self.of_places(|p| matches!(p, Hand | OffHand | Body))
    }

    /// The weapons that the unit can use, drawn first if necessary: all except those in the pack.
    /// Each kind once.
    pub fn at_hand(&self) -> impl DoubleEndedIterator<Item = Item> {
        self.of_places(|p| p != ItemPlace::Pack)
    }

    /// Where the unit has an item of a kind; the quickest place if there are several.
    pub fn place(&self, item: Item) -> Option<ItemPlace> {
        use ItemPlace::*;
        let has = |place: &ItemPlace| self.items.contains(&(item, *place));
        [Hand, OffHand, Body, Belt, Pack].into_iter().find(has)
    }

    fn of_places<'a>(
        &'a self,
        wanted: impl Fn(ItemPlace) -> bool + Copy + 'a,
    ) -> impl DoubleEndedIterator<Item = Item> + 'a {
        let found = move |(n, (item, place)): (usize, &(Item, ItemPlace))| {
            let before = &self.items[..n];
            let is_first = || !before.iter().any(|(i, p)| i == item && wanted(*p));
            (wanted(*place) && is_first()).then_some(*item)
        };
        self.items.iter().enumerate().filter_map(found)
    }

    /// Moves an item from one place to another.
    ///
    /// # Panics
    /// If the item is not there: a step emitted an event without checking it.
    pub(super) fn shift(&mut self, who: Id, item: Item, from: ItemPlace, to: ItemPlace) {
        let n = self.find(who, item, from);
        self.items[n].1 = to;
    }

    pub(super) fn lose(&mut self, who: Id, item: Item, from: ItemPlace) {
        let n = self.find(who, item, from);
        self.items.remove(n);
    }

    fn find(&self, who: Id, item: Item, place: ItemPlace) -> usize {
        let at = self.items.iter().position(|i| *i == (item, place));
        at.unwrap_or_else(|| panic!("{who:?} has no {item:?} in {place:?}"))
    }
}
