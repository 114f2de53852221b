//! What combatants carry, where each thing is, and what lies on the ground.

use super::Id;
use crate::{
    content::{Creature, Make, Spell, Weapon},
    grid::Cell,
};
use bevy_ecs::{component::Component, resource::Resource};
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// A kind of thing, by its place in the battle's [`ItemTable`]. Two daggers are
/// one kind twice: whoever lists acts lists a kind once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Item(pub u8);

/// Written as `%2`; [`Names::json`](super::Names::json) puts the name in its place.
impl Serialize for Item {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("%{}", self.0))
    }
}

/// A kind of spell, by its place in the battle's [`ItemTable`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SpellId(pub u8);

/// Written as `~2`, for a name to be put in its place likewise.
impl Serialize for SpellId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("~{}", self.0))
    }
}

/// Every kind of weapon and of spell that anybody in the battle has. It never
/// changes.
#[derive(Clone, Debug, Default)]
pub struct ItemTable {
    pub weapons: Vec<Arc<Weapon>>,
    pub spells: Vec<Arc<Spell>>,
}

/// Where a thing is that somebody has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Hand,
    OffHand,
    /// Within reach of the hand: scabbard, quiver, belt.
    Belt,
    /// Stowed: getting it out takes time.
    Pack,
    /// Part of the body: claws, fists.
    Body,
}

/// What one has, in the order in which it was given.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Inventory {
    pub items: Vec<(Item, Place)>,
    /// Bears its shield still.
    pub shield: bool,
}

/// What lies about, in the order in which it was dropped.
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

    /// The kind of a weapon; a new one when nobody has had it yet.
    ///
    /// # Panics
    /// At the 257th kind: no level has so many.
    fn item(&mut self, weapon: &Arc<Weapon>) -> Item {
        Item(place(&mut self.weapons, weapon))
    }

    /// Takes in what a creature knows, so that [`SpellId`] finds it.
    pub(super) fn learn(&mut self, creature: &Creature) {
        for spell in creature.all_spells() {
            place(&mut self.spells, spell);
        }
    }

    /// The spells that a creature has, in the order of its entry.
    pub fn spells_of(&self, creature: &Creature) -> Vec<SpellId> {
        let known = creature.spells.iter();
        let at = |spell| self.spells.iter().position(|s| s == spell);
        known.filter_map(at).map(|n| SpellId(n as u8)).collect()
    }

    /// The place of a spell in [`Self::spell_names`].
    pub fn spell_place(&self, spell: &Arc<Spell>) -> Option<usize> {
        self.spells.iter().position(|s| s == spell)
    }

    /// What each kind is called: "short sword"; kinds that would sound alike
    /// are told apart by their ids.
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
        let taken = names.contains(&name);
        names.push(if taken {
            format!("{name} ({id})")
        } else {
            name
        });
    }
    names
}

impl Inventory {
    /// As a battle begins: the first weapon in hand, the others at the belt,
    /// natural arms and, last, bare hands as parts of the body.
    pub fn of(creature: &Creature, fists: &Arc<Weapon>, stock: &mut ItemTable) -> Self {
        let mut items = vec![];
        let mut in_hand = creature.sheathed;
        for weapon in &creature.weapons {
            let place = match weapon.make {
                Make::Natural | Make::Unarmed => Place::Body,
                Make::Forged if std::mem::replace(&mut in_hand, true) => Place::Belt,
                Make::Forged => Place::Hand,
            };
            items.push((stock.item(weapon), place));
        }
        let aside = if creature.sheathed {
            Place::Belt
        } else {
            Place::OffHand
        };
        let off_hand = creature.off_hand.iter().map(|w| (w, aside));
        let pack = creature.pack.iter().map(|w| (w, Place::Pack));
        for (weapon, place) in off_hand.chain(pack) {
            items.push((stock.item(weapon), place));
        }
        items.push((stock.item(fists), Place::Body));
        Self {
            items,
            shield: creature.shield.is_some(),
        }
    }

    /// What is in this place, each kind once.
    pub fn at(&self, place: Place) -> impl DoubleEndedIterator<Item = Item> {
        self.of_places(move |p| p == place)
    }

    /// What it holds in the hand that fights.
    #[inline]
    pub fn in_hand(&self) -> Option<Item> {
        self.at(Place::Hand).next()
    }

    #[inline]
    pub fn off_hand(&self) -> Option<Item> {
        self.at(Place::OffHand).next()
    }

    /// What it could strike with this instant: held, or part of its body. Each
    /// kind once.
    pub fn ready(&self) -> impl DoubleEndedIterator<Item = Item> {
        use Place::*;
        self.of_places(|p| matches!(p, Hand | OffHand | Body))
    }

    /// What it could strike with, drawn first if need be: all but what is in
    /// the pack. Each kind once.
    pub fn at_hand(&self) -> impl DoubleEndedIterator<Item = Item> {
        self.of_places(|p| p != Place::Pack)
    }

    /// Where it has one of a kind: the place that is quickest.
    pub fn place(&self, item: Item) -> Option<Place> {
        use Place::*;
        let has = |place: &Place| self.items.contains(&(item, *place));
        [Hand, OffHand, Body, Belt, Pack].into_iter().find(has)
    }

    fn of_places<'a>(
        &'a self,
        wanted: impl Fn(Place) -> bool + Copy + 'a,
    ) -> impl DoubleEndedIterator<Item = Item> + 'a {
        let found = move |(n, (item, place)): (usize, &(Item, Place))| {
            let before = &self.items[..n];
            let is_first = || !before.iter().any(|(i, p)| i == item && wanted(*p));
            (wanted(*place) && is_first()).then_some(*item)
        };
        self.items.iter().enumerate().filter_map(found)
    }

    /// Moves one of a kind from place to place.
    ///
    /// # Panics
    /// When it is not there: a step emitted what it did not check.
    pub(super) fn shift(&mut self, who: Id, item: Item, from: Place, to: Place) {
        let n = self.find(who, item, from);
        self.items[n].1 = to;
    }

    pub(super) fn lose(&mut self, who: Id, item: Item, from: Place) {
        let n = self.find(who, item, from);
        self.items.remove(n);
    }

    fn find(&self, who: Id, item: Item, place: Place) -> usize {
        let at = self.items.iter().position(|i| *i == (item, place));
        at.unwrap_or_else(|| panic!("{who:?} has no {item:?} in {place:?}"))
    }
}
