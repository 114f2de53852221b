//! Read access to a battle under Phased, and the values that follow from it.

use super::{
    numbers::{self, Tables},
    state::{Clock, Fighter, Group},
};
use crate::rulesets::common::ruleset_query;
use crate::rulesets::phased::content::{PhasedSpell, PhasedWeapon, Restricted};
use crate::{
    battle::{ActiveCondition, Id, Item, ItemPlace, Side, SpellId, Why},
    grid::{Cell, Space, cells_apart},
};

ruleset_query! {
    /// Read access to a battle under Phased.
    PhasedQuery: fighter, fighters: Fighter;
    + /// The side that offers are listed for: units that are hidden from it take up no room. `None`:
    /// each unit's own side.
    offers_for: Option<Side>
}

impl PhasedQuery<'_, '_> {
    pub fn tables(&self) -> &'static Tables {
        numbers::tables()
    }

    /// A weapon's numbers under Phased.
    pub fn weapon_stats(&self, item: Item) -> &PhasedWeapon {
        self.weapon(item).section()
    }

    pub fn spell_numbers(&self, spell: SpellId) -> &PhasedSpell {
        self.view.spell(spell).section()
    }

    /// Whether a spell keeps bodies off the unit (PH-37).
    pub fn is_hedged(&self, id: Id) -> bool {
        let hedges = |l: &ActiveCondition| l.spell.is_some_and(|s| self.spell_numbers(s).hedges);
        self.view.conditions(id).iter().any(hedges)
    }

    /// Whether the unit can act: up, not held, not surprised.
    pub fn can_act(&self, id: Id) -> bool {
        let f = self.fighter(id);
        self.is_up(id) && !self.view.is_held(id) && !f.surprised
    }

    /// The group in which the unit acts (PH-02, PH-16, PH-17).
    pub fn group(&self, id: Id) -> Group {
        let waits = self.fighter(id).waits_for_low();
        let of_side = self.clock.group_of(self.body(id).side);
        if waits { Group::Low } else { of_side }
    }

    /// PH-03: the group in which the unit shoots. It adds its DEX reaction adjustment to its side's
    /// die, for itself only.
    pub fn shooting_group(&self, id: Id) -> Group {
        let f = self.fighter(id);
        if f.waits_for_low() {
            return Group::Low;
        }
        let mine = self.body(id).side;
        let dice = &self.clock.initiative;
        let Some(die) = dice.get(mine.index()) else {
            return Group::High;
        };
        let own = i32::from(*die) + self.stats(id).reaction;
        let others = dice.iter().enumerate().filter(|(n, _)| *n != mine.index());
        let best = others.map(|(_, die)| i32::from(*die)).max().unwrap_or(0);
        if own >= best { Group::High } else { Group::Low }
    }

    pub fn adjacent_enemies(&self, id: Id) -> impl Iterator<Item = Id> {
        self.enemies_seen(id)
            .filter(move |&enemy| self.is_adjacent(id, enemy))
    }

    pub fn is_adjacent(&self, a: Id, b: Id) -> bool {
        let (a, b) = (self.body(a).space(), self.body(b).space());
        cells_apart(a, b) <= 1 && self.view.board.in_reach(a, b, 5)
    }

    /// Enemies that are up and not hidden.
    pub fn enemies_seen(&self, id: Id) -> impl Iterator<Item = Id> {
        let enemies = self.view.enemies(self.body(id).side);
        enemies.filter(|&enemy| !self.fighter(enemy).hidden)
    }

    /// PH-50: whether an enemy that the unit sees is adjacent.
    pub fn in_melee(&self, id: Id) -> bool {
        !self.fighter(id).hidden && self.adjacent_enemies(id).next().is_some()
    }

    /// PH-50: all units in the unit's melee, connected by adjacent enemies, as a bit set; 0 if it
    /// is not in melee.
    pub fn melee(&self, id: Id) -> u64 {
        if !self.in_melee(id) {
            return 0;
        }
        let (mut found, mut open) = (id.bit(), vec![id]);
        while let Some(next) = open.pop() {
            for enemy in self.adjacent_enemies(next) {
                if found & enemy.bit() == 0 {
                    found |= enemy.bit();
                    open.push(enemy);
                }
            }
        }
        found
    }

    /// PH-50: the unit's reach in melee, in feet.
    pub fn melee_reach(&self, id: Id) -> u16 {
        let numbers = &self.tables().numbers;
        let Restricted(restricted) = *self.view.level().section();
        if restricted || self.open_cells(id) < numbers.open_cells {
            return 5;
        }
        numbers.melee_feet
    }

    /// PH-50: whether the unit can attack an enemy from where both stand, or why not.
    pub fn reaches(&self, id: Id, enemy: Id) -> Result<(), Why> {
        if self.is_adjacent(id, enemy) {
            return Ok(());
        }
        Why::new("PH-50", "no adjacent enemy").unless(self.in_melee(id))?;
        if self.melee(id) & enemy.bit() == 0 {
            let why = match self.in_melee(enemy) {
                true => "the target is in another melee",
                false => "the target is not in melee",
            };
            return Err(Why::new("PH-50", why));
        }
        Err(match self.melee_reach(id) {
            feet if self.view.in_reach(id, enemy, feet) => return Ok(()),
            5 => Why::new("PH-50", "no room to reach the target"),
            feet => Why::new("PH-50", format!("more than {feet} ft away")),
        })
    }

    /// The number of adjacent cells that are free of units and obstacles (PH-50, PH-51).
    pub fn open_cells(&self, id: Id) -> usize {
        let space = self.body(id).space();
        let side = space.side();
        let around = (-1..=side).flat_map(|y| (-1..=side).map(move |x| space.at.offset(x, y)));
        let open = |cell: &Cell| {
            let taken = |other: Id| {
                let body = self.body(other);
                self.takes_room_from(id, other) && body.is_up() && body.space().contains(*cell)
            };
            !space.contains(*cell)
                && self.view.board.can_stand(Space::one(*cell))
                && !self.view.ids().any(taken)
        };
        around.filter(open).count()
    }

    /// PH-52: the unit with which this one shares a cell, so that neither can attack.
    pub fn shares_cell(&self, id: Id) -> Option<Id> {
        let space = self.body(id).space();
        let other = |other: &Id| {
            let body = self.body(*other);
            self.takes_room_from(id, *other) && body.is_up() && body.space().overlaps(space)
        };
        self.view.ids().find(other)
    }

    /// Whether another unit takes up room for this one, as far as the side in `offers_for` knows.
    fn takes_room_from(&self, id: Id, other: Id) -> bool {
        let side = self.offers_for.unwrap_or(self.body(id).side);
        other != id && (!self.fighter(other).hidden || self.body(other).side == side)
    }

    /// Segments to have a weapon ready, or why the hands are not free (PH-11, PH-12). Drawing it as
    /// part of the attack takes none; putting another weapon away first takes one.
    pub fn readying(&self, id: Id, item: Item) -> Result<u8, Why> {
        let inventory = self.inventory(id);
        let both = self.weapon(item).hands == 2;
        Why::new("PH-11", "it takes both hands, and one holds the shield")
            .when(both && inventory.shield)?;
        Why::new("PH-11", "it takes both hands, and one is not free")
            .when(both && inventory.off_hand().is_some())?;
        match inventory.place(item) {
            Some(ItemPlace::Hand | ItemPlace::OffHand | ItemPlace::Body) => Ok(0),
            Some(ItemPlace::Belt) => Ok(u8::from(inventory.in_hand().is_some())),
            Some(ItemPlace::Pack) => Err(Why::new("PH-15", "it is in the pack")),
            None => Err(Why::of_actor("PH-11", "no longer has that item")),
        }
    }

    /// Feet of a major move; half while concentrating (PH-21).
    pub fn rate(&self, id: Id) -> u16 {
        let rate = self.full_rate(id);
        match self.fighter(id).upkeep {
            Some(_) if !self.stats(id).native => rate / 10 * 5,
            _ => rate,
        }
    }

    /// Feet of a major move without concentration.
    pub fn full_rate(&self, id: Id) -> u16 {
        let feet = u16::try_from(self.stats(id).rate).unwrap_or(0);
        self.view.slowed(id, feet)
    }

    /// The unit's morale score, with the bonus of its hit dice (PH-33); `None` if it never checks.
    pub fn morale(&self, id: Id) -> Option<i32> {
        Some(self.view.creature(id).morale? + self.stats(id).steadfast)
    }

    /// Standing units of a side whose morale has not broken.
    pub fn steady(&self, side: Side) -> impl Iterator<Item = Id> {
        self.view.standing(side).filter(|&id| !self.body(id).flees)
    }
}
