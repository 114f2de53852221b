//! What the systems of Activity read, and the values that they derive from it.

use super::{
    Activity,
    numbers::{Tables, tables},
    state::{Actor, Clock},
};
use crate::rulesets::activity::content::{ActivityWeapon, Talent};
use crate::rulesets::common::{hiding::known_occupancy, ruleset_query};
use crate::{
    battle::{
        CheckRoll, DiceBox, Id, Item, ItemPlace, Modifier, Roll, StepOutcome, movement::Occupancy,
        sum,
    },
    content::{Make, Skill},
    grid::{Board, Range, Space, cells_apart},
};
use std::sync::Arc;

ruleset_query! {
    /// Read access to an Activity battle.
    ActivityQuery: actor, actors: Actor;
}

impl ActivityQuery<'_, '_> {
    pub fn has(&self, id: Id, talent: Talent) -> bool {
        self.stats(id).talents.contains(&talent)
    }

    pub fn tables(&self) -> &'static Tables {
        tables()
    }

    /// What wounds and armour subtract from a maneuver (AC-31, AC-32); perception is also a
    /// maneuver (AC-35).
    pub fn hindrances(&self, id: Id) -> impl Iterator<Item = Modifier> {
        let actor = self.actor(id);
        let parts = [
            (actor.penalty, "wounds", "AC-31"),
            (actor.clumsy, "hurt limbs", "AC-31"),
            (self.stats(id).hindrance, "armour", "AC-32"),
        ];
        let hindering = parts.into_iter().filter(|p| p.0 != 0);
        hindering.map(|(n, label, rule)| Modifier::new(n as i16, label, rule))
    }

    /// Percent of a round to load the weapon, 0 if it needs no loading.
    pub fn reload(&self, item: Item) -> i32 {
        self.weapon(item).section::<ActivityWeapon>().reload
    }

    /// Whether the unit can attack with the item in its current place.
    pub fn usable(&self, who: Id, item: Item, ranged: bool) -> bool {
        let (inventory, weapon) = (self.inventory(who), self.weapon(item));
        if ranged {
            return weapon.ranged.is_some();
        }
        // Unarmed attacks are only for units that hold no melee weapon.
        let bare = weapon.make == Make::Unarmed && inventory.place(item) == Some(ItemPlace::Body);
        let armed = || {
            let for_melee = |i| self.weapon(i).melee.is_some();
            inventory.in_hand().is_some_and(for_melee)
        };
        weapon.melee.is_some() && !(bare && armed())
    }

    /// Ready weapons that the unit can attack with.
    pub fn usable_weapons(&self, who: Id, ranged: bool) -> impl Iterator<Item = Item> {
        let ready = self.inventory(who).ready();
        ready.filter(move |&item| self.usable(who, item, ranged))
    }

    /// Reach in feet against units that leave it (AC-36). `None` if the unit is unarmed, unable
    /// to act, or has made such an attack this round.
    pub fn threat_reach(&self, id: Id) -> Option<u16> {
        self.strike_reach(id).filter(|_| !self.actor(id).struck)
    }

    /// Melee reach in feet with the longest ready weapon. `None` if the unit is unarmed or
    /// unable to act.
    pub fn strike_reach(&self, id: Id) -> Option<u16> {
        if self.is_helpless(id) || self.body(id).flees {
            return None;
        }
        let weapons = self.view.ready_weapons(id);
        weapons.filter_map(|n| self.reach(id, n)).max()
    }

    /// Enemies that are up and visible to the unit's side, in id order.
    pub fn enemies(&self, of: Id) -> impl Iterator<Item = Id> {
        let enemies = self.view.enemies(self.body(of).side);
        enemies.filter(|&enemy| !self.actor(enemy).hidden)
    }

    /// The visible enemies that have the unit in reach, in id order.
    pub fn threatened_by(&self, id: Id) -> impl Iterator<Item = Id> {
        self.enemies(id).filter(move |&enemy| {
            let reach = self.strike_reach(enemy);
            reach.is_some_and(|feet| self.view.in_reach(enemy, id, feet))
        })
    }

    /// Whether a visible enemy has the unit in reach.
    pub fn is_threatened(&self, id: Id) -> bool {
        self.threatened_by(id).next().is_some()
    }

    /// The best of these skills and its level, 0 if the unit has none.
    pub fn skill(&self, id: Id, skills: &[Skill]) -> (Skill, i32) {
        self.view.creature(id).attack_skill(skills)
    }

    /// Whether the unit is stunned, held or surprised, and so can do nothing now.
    pub fn is_helpless(&self, id: Id) -> bool {
        self.actor(id).is_dazed() || self.view.is_held(id)
    }

    /// Whether a melee or missile parry is current or next and the unit is able to parry
    /// (AC-13).
    pub fn may_parry(&self, id: Id) -> bool {
        self.actor(id).position().allows_parry() && !self.is_helpless(id)
    }

    /// Feet that a full move takes the unit, before they are rounded to whole cells. A condition
    /// that slows it halves its speed.
    fn pace(&self, id: Id) -> i32 {
        let t = self.tables();
        let base = i32::from(self.view.speed(id)) / t.base_rate_divisor / 5 * 5;
        base.max(5) * t.pace
    }

    /// Feet that this percent of the round moves the unit, rounded down to whole cells; half of
    /// that in a defensive withdrawal (AC-01, AC-36).
    pub fn feet(&self, id: Id, percent: i32, withdraws: bool) -> u16 {
        if self.view.speed(id) == 0 {
            return 0;
        }
        let feet = self.pace(id) * percent / self.tables().costs.move_base;
        let feet = if withdraws { feet / 2 } else { feet };
        u16::try_from(feet.max(0) / 5 * 5).unwrap_or(u16::MAX)
    }

    /// Percent of the round that this many feet take.
    pub fn percent_of(&self, id: Id, feet: u16) -> i32 {
        let pace = self.pace(id);
        (i32::from(feet) * self.tables().costs.move_base + pace - 1) / pace
    }

    /// Occupied cells and enemy reaches for the unit's movement. A withdrawal provokes nothing
    /// (AC-36).
    pub fn occupancy(&self, id: Id, withdraws: bool) -> Occupancy {
        let reach = |enemy: Id| match withdraws || self.actor(enemy).hidden {
            true => None,
            false => self.threat_reach(enemy),
        };
        known_occupancy::<Activity>(self, id, reach).with_whole_move(self.feet(id, 100, false))
    }

    /// The cells that the unit can reach with this percent of the round.
    pub fn range(&self, id: Id, percent: i32, withdraws: bool) -> Arc<Range> {
        let occupancy = self.occupancy(id, withdraws);
        let budget = self.feet(id, percent, withdraws);
        self.view.range(id, occupancy, budget)
    }

    /// Feet to the nearest cell from which the unit could make a melee attack, within this
    /// percent of the round. `None` if it reaches no such cell.
    pub fn feet_to_strike(&self, id: Id, percent: i32) -> Option<u16> {
        let (striking, size) = (self.striking(id), self.body(id).size);
        // A quick check by straight distance: most enemies are farther away than that.
        if !striking.is_near(self.body(id).space(), self.feet(id, percent, false)) {
            return None;
        }
        let range = self.range(id, percent, false);
        let reaches = |at| striking.reaches(&self.view.board, Space::new(at, size));
        // Cells are sorted by distance.
        let mut ends = range.cells().filter(|e| e.may_stop);
        ends.find(|e| reaches(e.cell)).map(|e| e.feet)
    }

    /// Data to check from which cells the unit could make a melee attack.
    pub fn striking(&self, id: Id) -> Striking {
        let ready = self.inventory(id).ready();
        let enemies = self.enemies(id).map(|enemy| self.body(enemy).space());
        Striking {
            reach: ready.filter_map(|n| self.reach(id, n)).max(),
            enemies: enemies.collect(),
        }
    }

    /// OB with a weapon before temporary modifiers, which is the most the unit can use to
    /// parry.
    pub fn base_ob(&self, id: Id, item: Item, ranged: bool) -> i32 {
        sum(&self.ob_parts(id, item, ranged))
    }
}

/// An open-ended d100 with these modifiers: 96 or more rolls again and adds, repeatedly (AC-30).
pub fn open_ended(modifiers: Vec<Modifier>, dice: &mut DiceBox) -> Roll {
    let mut roll = Roll::one(100, dice.roll(100), modifiers);
    let again = |roll: &Roll| roll.dice.last().is_some_and(|d| d.1 >= tables().open_ended);
    while again(&roll) && roll.dice.len() < 20 {
        roll.dice.push((100, dice.roll(100)));
    }
    roll
}

/// Rolls a maneuver with these modifiers and logs it. True if it succeeds: 101 or more (AC-35).
pub fn maneuver(
    who: Id,
    what: &'static str,
    modifiers: Vec<Modifier>,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    dice.roll_for(who);
    let roll = open_ended(modifiers, dice);
    let against = tables().maneuver_target;
    let passed = roll.total() >= against;
    CheckRoll::by(who, what, roll).emit("AC-35", against, passed, outcome)
}

/// From which cells a unit could make a melee attack, for checking many cells.
pub struct Striking {
    /// Feet of the longest ready weapon.
    reach: Option<u16>,
    enemies: Vec<Space>,
}

impl Striking {
    /// Whether an enemy is within reach of `here` after moving `feet` feet, ignoring line of
    /// sight.
    pub fn is_near(&self, here: Space, feet: u16) -> bool {
        let far = |enemy: &Space| u32::from(cells_apart(here, *enemy)) * 5;
        let near = |enemy, reach| far(enemy) <= u32::from(reach) + u32::from(feet);
        let any = |reach| self.enemies.iter().any(|enemy| near(enemy, reach));
        self.reach.is_some_and(any)
    }

    /// Whether an enemy would be in reach from `here`.
    pub fn reaches(&self, board: &Board, here: Space) -> bool {
        let mut enemies = self.enemies.iter();
        let any = |reach| enemies.any(|&enemy| board.in_reach(here, enemy, reach));
        self.reach.is_some_and(any)
    }
}
