//! The units of a battle: the state that all rulesets share, and read access to it.

use super::{
    Conditions, CurrentLevel, Each, Id, Inventory, Item, ItemTable, Progress, Rule, Side, SpellId,
    Why,
};
use crate::{
    content::{Creature, Spell, Weapon},
    grid::{Board, Cell, Space, cells_apart},
    levels::Level,
    words::{capitalised, in_sentence},
};
use bevy_ecs::{
    resource::Resource,
    system::{Res, SystemParam, SystemState},
    world::{FromWorld, World},
};
use serde::Serialize;
use std::{
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
};

file_words! {
    /// Whether and how a unit takes part in the battle.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
    pub enum State {
        Up,
        /// On the ground and out of the fight, but alive.
        Down,
        Dead,
        /// Left the battle by an exit.
        Fled,
        /// Not on the board yet: a reinforcement.
        Waiting,
    }
}

/// The state of a unit that all rulesets share.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    pub side: Side,
    /// The north-west cell of the unit's space.
    pub at: Cell,
    /// Cells along one edge of the unit's space.
    pub size: u8,
    pub state: State,
    pub hp: i32,
    pub max_hp: i32,
    /// The unit lies on the ground until an action gets it up.
    pub prone: bool,
    /// The unit's morale broke: it runs for an exit.
    pub flees: bool,
    /// The round in which a unit that left the battle comes back.
    pub returns: Option<u16>,
}

impl Body {
    #[inline]
    pub fn space(&self) -> Space {
        Space::new(self.at, self.size)
    }

    #[inline]
    pub fn is_up(&self) -> bool {
        self.state == State::Up
    }

    /// A hidden unit shows itself: a side that did not know of it now sees it on the board.
    pub fn appear(&mut self, at: Cell) {
        if self.state == State::Waiting {
            (self.state, self.at) = (State::Up, at);
        }
    }
}

/// The battle's board, with the current state of its doors.
#[derive(Resource, Clone, Debug)]
pub struct Map(pub Board);

impl std::ops::Deref for Map {
    type Target = Board;

    fn deref(&self) -> &Board {
        &self.0
    }
}

/// The part of a unit that never changes.
#[derive(Clone, Debug)]
pub struct CreatureRef {
    pub creature: Arc<Creature>,
    /// The spells that the unit can cast.
    pub spells: Arc<[SpellId]>,
    /// The unit's side checks morale when it falls.
    pub leader: bool,
}

/// What never changes about the combatants, sides and items of a battle.
#[derive(Resource, Clone, Debug)]
pub struct Roster {
    /// The number of combatants.
    pub units: usize,
    pub names: Arc<Names>,
    pub sides: Arc<[SideInfo]>,
    pub stock: Arc<ItemTable>,
}

impl Roster {
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Id> + use<> {
        (0..self.units as u16).map(Id)
    }

    pub fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        (0..self.sides.len() as u8).map(Side)
    }
}

/// The part of a side that never changes.
#[derive(Clone, Debug)]
pub struct SideInfo {
    pub name: String,
    /// The player's side wins initiative ties and adds its DEX (SK-01).
    pub player: bool,
}

/// The names of units, items, spells and sides, by number.
#[derive(Clone, Debug, Default)]
pub struct Names {
    keys: Vec<String>,
    spoken: Vec<String>,
    titles: Vec<String>,
    items: Vec<String>,
    spells: Vec<String>,
    sides: Vec<String>,
    side_keys: Vec<String>,
    /// What the battle's ruleset calls the number that an attack has to reach: "AC".
    pub(super) defense: &'static str,
}

impl Names {
    /// `units`: the name of each unit, "goblin 2", and whether it is a proper name. `sides`: the
    /// name of each side in orders, "party", and its title, "The party".
    pub fn new(
        units: Vec<(String, bool)>,
        sides: Vec<(String, String)>,
        stock: &ItemTable,
    ) -> Self {
        let spoken = |(key, named): &(String, bool)| match named {
            true => capitalised(key),
            false => key.clone(),
        };
        let spoken = units.iter().map(spoken).collect();
        let keys: Vec<String> = units.into_iter().map(|p| p.0).collect();
        let (side_keys, sides) = sides.into_iter().unzip();
        Self {
            titles: keys.iter().map(|k| capitalised(k)).collect(),
            spoken,
            keys,
            items: stock.item_names(),
            spells: stock.spell_names(),
            sides,
            side_keys,
            defense: "AC",
        }
    }

    /// What the battle's ruleset calls the number that an attack has to reach: "AC".
    pub fn defense(&self) -> &'static str {
        self.defense
    }

    /// A unit in the middle of a sentence: "goblin 2", "Mara".
    pub fn name(&self, id: Id) -> &str {
        self.spoken.get(id.index()).map_or("nobody", String::as_str)
    }

    /// A unit in an order: "goblin 2", "mara".
    pub fn key(&self, id: Id) -> &str {
        self.keys.get(id.index()).map_or("nobody", String::as_str)
    }

    /// A unit at the start of a sentence: "Goblin 2".
    pub fn title(&self, id: Id) -> &str {
        self.titles.get(id.index()).map_or("Nobody", String::as_str)
    }

    /// An item in lower case: "short sword".
    pub fn item(&self, item: Item) -> &str {
        let name = self.items.get(usize::from(item.0));
        name.map_or("bare hands", String::as_str)
    }

    /// The first item with this name, ignoring case.
    pub fn find_item(&self, name: &str) -> Option<Item> {
        let name = name.trim();
        let mut items = self.items.iter();
        let found = items.position(|k| k.eq_ignore_ascii_case(name))?;
        Some(Item(found as u8))
    }

    /// A spell in lower case: "fire bolt".
    pub fn spell(&self, spell: SpellId) -> &str {
        let name = self.spells.get(usize::from(spell.0));
        name.map_or("a spell", String::as_str)
    }

    pub fn side(&self, side: Side) -> &str {
        let name = self.sides.get(side.index());
        name.map_or("nobody", String::as_str)
    }

    /// A side in an order: "goblins".
    pub fn side_key(&self, side: Side) -> &str {
        let key = self.side_keys.get(side.index());
        key.map_or("nobody", String::as_str)
    }

    pub fn find(&self, key: &str) -> Option<Id> {
        let mut keys = self.keys.iter();
        let n = keys.position(|k| k.eq_ignore_ascii_case(key.trim()))?;
        Some(Id(n as u16))
    }

    /// A side in the middle of a sentence: "the party".
    pub fn side_in_line(&self, side: Side) -> String {
        in_sentence(self.side(side))
    }

    /// Replaces ids (`"#3"`) by names everywhere in the value.
    pub fn json(&self, mut value: serde_json::Value) -> serde_json::Value {
        self.put_names(&mut value);
        value
    }

    fn put_names(&self, value: &mut serde_json::Value) {
        use serde_json::Value;
        match value {
            Value::String(s) => {
                if let Some(id) = Id::read(s) {
                    *s = self.key(id).to_owned();
                } else if let Some(n) = s.strip_prefix('@').and_then(|n| n.parse().ok()) {
                    *s = self.side(Side(n)).to_owned();
                } else if let Some(n) = s.strip_prefix('%').and_then(|n| n.parse().ok()) {
                    *s = self.item(Item(n)).to_owned();
                } else if let Some(n) = s.strip_prefix('~').and_then(|n| n.parse().ok()) {
                    *s = self.spell(SpellId(n)).to_owned();
                }
            }
            Value::Array(a) => a.iter_mut().for_each(|v| self.put_names(v)),
            Value::Object(o) => o.values_mut().for_each(|v| self.put_names(v)),
            _ => {}
        }
    }
}

/// Read access to the state that all rulesets share. Rulesets nest it in a system parameter of
/// their own.
#[derive(SystemParam)]
pub struct View<'w, 's> {
    pub roster: Res<'w, Roster>,
    pub board: Res<'w, Map>,
    pub scene: Res<'w, CurrentLevel>,
    pub progress: Res<'w, Progress>,
    bodies: Each<'w, Body>,
    sheets: Each<'w, CreatureRef>,
    inventory: Each<'w, Inventory>,
    pub(super) conditions: Each<'w, Conditions>,
    pub ground: Res<'w, super::Ground>,
    pub(super) ranges: Res<'w, super::ranges::Ranges>,
    /// The units that are prompted at every chance.
    pub prompted: Res<'w, super::chances::PromptedUnits>,
    /// A ruleset's own access, which nests this one, can keep state from one run to the next.
    state: PhantomData<&'s ()>,
}

/// The access to a world for [`View::read`], which is kept because it is needed often.
#[derive(Resource)]
struct ViewState(Arc<Mutex<SystemState<View<'static, 'static>>>>);

impl FromWorld for ViewState {
    fn from_world(world: &mut World) -> Self {
        Self(Arc::new(Mutex::new(SystemState::new(world))))
    }
}

impl View<'_, '_> {
    /// Reads a world outside of a step.
    ///
    /// # Panics
    /// If it is not the world of a battle.
    pub fn read<T>(world: &mut World, read: impl FnOnce(View) -> T) -> T {
        let state = world.get_resource_or_init::<ViewState>().0.clone();
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        read(state.get(world).expect("the world of a battle"))
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Id> + use<> {
        self.roster.ids()
    }

    #[inline]
    pub fn body(&self, id: Id) -> &Body {
        self.bodies.of(id)
    }

    #[inline]
    pub fn sheet(&self, id: Id) -> &CreatureRef {
        self.sheets.of(id)
    }

    #[inline]
    pub fn inventory(&self, id: Id) -> &Inventory {
        self.inventory.of(id)
    }

    /// The melee weapons that the unit has ready, held or part of its body. Bare hands don't count.
    #[inline]
    pub fn ready_weapons(&self, who: Id) -> impl Iterator<Item = Item> {
        let ready = self.inventory(who).ready();
        ready.filter(|&item| self.weapon(item).arms_for_melee())
    }

    /// Whether the unit has such a weapon, in its pack too.
    pub fn has_weapon(&self, who: Id, is_such: impl Fn(&Weapon) -> bool) -> bool {
        let mut items = self.inventory(who).items.iter();
        items.any(|(item, _)| is_such(self.weapon(*item)))
    }

    /// The reason against a shot or throw without a missile weapon: the unit has none, or it is in
    /// its pack.
    pub fn nothing_to_shoot(&self, who: Id, rule: Rule) -> Why {
        let has_one = self.has_weapon(who, |weapon| weapon.ranged.is_some());
        Why::new(rule, "nothing to shoot or throw").lacking(!has_one)
    }

    #[inline]
    pub fn weapon(&self, item: Item) -> &Weapon {
        self.roster.stock.weapon(item)
    }

    pub fn spell(&self, spell: SpellId) -> &Spell {
        self.roster.stock.spell(spell)
    }

    #[inline]
    pub fn creature(&self, id: Id) -> &Creature {
        &self.sheet(id).creature
    }

    pub fn level(&self) -> &Level {
        &self.scene.0
    }

    #[inline]
    pub fn names(&self) -> &Names {
        &self.roster.names
    }

    /// The units of a bit set, in id order.
    pub fn of_bits(&self, set: u64) -> impl Iterator<Item = Id> + use<> {
        self.ids().filter(move |id| set & id.bit() != 0)
    }

    /// The units of a side that are up, in id order.
    #[inline]
    pub fn standing(&self, side: Side) -> impl Iterator<Item = Id> {
        self.ids().filter(move |&id| {
            let body = self.body(id);
            body.is_up() && body.side == side
        })
    }

    /// The units of all other sides that are up, in id order.
    #[inline]
    pub fn enemies(&self, of: Side) -> impl Iterator<Item = Id> {
        self.ids().filter(move |&id| {
            let body = self.body(id);
            body.is_up() && body.side != of
        })
    }

    /// The units of `some` within `feet`, counted in cells. A cheap filter before costly checks.
    pub fn nearby(
        &self,
        who: Id,
        some: impl Iterator<Item = Id>,
        feet: u16,
    ) -> impl Iterator<Item = Id> {
        let here = self.body(who).space();
        some.filter(move |&id| cells_apart(here, self.body(id).space()) * 5 <= feet)
    }

    /// The unit on a cell.
    pub fn on(&self, cell: Cell) -> Option<Id> {
        self.ids().find(|&id| {
            let body = self.body(id);
            body.is_up() && body.space().contains(cell)
        })
    }

    /// Whether `b` is within a reach of `feet` from `a` (GR-40).
    pub fn in_reach(&self, a: Id, b: Id, feet: u16) -> bool {
        let (a, b) = (self.body(a).space(), self.body(b).space());
        self.board.in_reach(a, b, feet)
    }

    /// Whether the bodies of `a` and `b` are within `feet` of each other (GR-40).
    pub fn within(&self, a: Id, b: Id, feet: u16) -> bool {
        self.board
            .within(self.body(a).space(), self.body(b).space(), feet)
    }
}
