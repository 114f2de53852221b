//! What the systems of Speed read, and the values that they derive from it.

use super::{
    declared::{Declared, FULL_DEFENSE, is_defensive},
    numbers::{ArmLimit, Effects, Numbers, SpeedCondition, tables},
    state::{Ailment, Clock, Fighter, Hurt},
};
use crate::rulesets::common::ruleset_query;
use crate::rulesets::speed::content::{Ability, SpeedSettings, SpeedWeapon};
use crate::{
    battle::{Id, Item, ItemPlace, Side, State, Why, movement::Occupancy},
    content::{Attribute, Weapon},
    grid::{Range, Space, cells_apart},
};
use std::sync::Arc;

ruleset_query! {
    /// Read access to a Speed battle.
    SpeedQuery: fighter, fighters: Fighter;
}

/// Numbers that the rules leave open.
pub fn numbers() -> &'static Numbers {
    &tables().numbers
}

impl SpeedQuery<'_, '_> {
    /// The level's settings for this ruleset.
    pub fn settings(&self) -> &SpeedSettings {
        self.view.level().section()
    }

    pub fn side(&self, id: Id) -> Side {
        self.body(id).side
    }

    /// The modifier of an ability after losses.
    pub fn modifier(&self, id: Id, ability: Ability) -> i32 {
        Ability::modifier(self.fighter(id).score(self.stats(id), ability))
    }

    /// The unit's best ability for a weapon, and its modifier.
    pub fn best_ability(&self, id: Id, weapon: &Weapon) -> (Ability, i32) {
        let ability = |a: &Attribute| match a {
            Attribute::Str | Attribute::Con => Ability::Strength,
            Attribute::Dex => Ability::Dexterity,
            Attribute::Int => Ability::Memory,
            Attribute::Wis | Attribute::Cha => Ability::Insight,
        };
        let all = weapon.attributes.iter().map(ability);
        let with = all.map(|a| (a, self.modifier(id, a)));
        let best = with.rev().max_by_key(|w| w.1);
        best.unwrap_or((Ability::Strength, 0))
    }

    /// Whether the unit is on the field and not a captive: it can be attacked, and may be able
    /// to act.
    pub fn is_there(&self, id: Id) -> bool {
        let there = matches!(self.body(id).state, State::Up | State::Down);
        there && !self.fighter(id).surrendered
    }

    /// All current conditions of the unit (SP-32).
    pub fn conditions(&self, id: Id) -> Vec<SpeedCondition> {
        self.fighter(id).conditions(self.body(id))
    }

    /// The unit's first condition whose effects match.
    fn hindrance(&self, id: Id, is: impl Fn(&Effects) -> bool) -> Option<SpeedCondition> {
        let all = self.conditions(id);
        all.into_iter().find(|c| is(c.effects()))
    }

    /// Whether the unit can act at all now, for example declare or react.
    pub fn can_act(&self, id: Id) -> Result<(), Why> {
        let fighter = self.fighter(id);
        Why::new("SP-31", "out of the fight").unless(self.is_there(id))?;
        if let Some(condition) = self.hindrance(id, |e| !e.acts) {
            return Err(Why::new("SP-32", condition.name()));
        }
        Why::new("SP-27", "paralysed").when(fighter.has(Hurt::Paralysed))?;
        Why::new("SP-32", "held").when(self.view.is_held(id))
    }

    /// Whether the unit can take one more action. Some injuries allow one action in two rounds;
    /// a dying unit gets one action a turn and cannot also move.
    pub fn may_act(&self, id: Id) -> Result<(), Why> {
        self.can_act(id)?;
        let fighter = self.fighter(id);
        Why::of_actor("SP-27", "acts only every second round")
            .when(fighter.has(Hurt::HalfActions) && (fighter.acted_before || fighter.acts > 0))?;
        let dying = self.conditions(id).contains(&SpeedCondition::Dying);
        Why::new("SP-24", "a dying unit gets one action per turn")
            .when(dying && (fighter.acts > 0 || fighter.feet > 0))
    }

    /// Whether one more action costs the unit a Wound Point, if the current step already
    /// includes `before` actions (SP-24, SP-25).
    pub fn is_strained(&self, id: Id, before: u8) -> bool {
        let conditions = self.conditions(id);
        let free = conditions.iter().filter_map(|c| c.effects().strained).max();
        free.is_some_and(|free| self.fighter(id).acts + before >= free)
    }

    /// Feet that the unit can still move this round (SP-08), or why it cannot move.
    pub fn feet_left(&self, id: Id) -> Result<u16, Why> {
        let fighter = self.fighter(id);
        self.can_act(id)?;
        if let Some(condition) = self.hindrance(id, |e| !e.moves) {
            return Err(Why::new("SP-32", condition.name()));
        }
        if self.hindrance(id, |e| e.crawls).is_some() {
            let tired = fighter.moved_before || fighter.feet > 0;
            let torn = self.body(id).hp < 0 && fighter.acts > 0;
            Why::of_actor("SP-24", "crawls one cell every second turn").when(tired || torn)?;
            return Ok(CRAWL);
        }
        let left = self.speed(id).saturating_sub(fighter.feet);
        Why::new("SP-08", "no movement left").when(left == 0)?;
        Ok(left)
    }

    /// Feet that the unit can move in a whole round: half its speed under Full Defense, and
    /// half for each condition that slows it. The halves multiply.
    pub fn speed(&self, id: Id) -> u16 {
        let whole = self.view.speed(id);
        let defends = |d: &Declared| d.choice.verb == &FULL_DEFENSE;
        let fighter = self.fighter(id);
        let full_defense = fighter.full_defense || fighter.declared.as_ref().is_some_and(defends);
        let slow = |c: &SpeedCondition| c.effects().half_speed;
        let slowed = self.conditions(id).into_iter().filter(slow).count();
        (whole >> (slowed + usize::from(full_defense))) / 5 * 5
    }

    /// Whether the unit's arms can use a weapon (SP-27). `Ok(true)` if it must use the wrong
    /// hand.
    pub fn wields(&self, id: Id, item: Item) -> Result<bool, Why> {
        let fighter = self.fighter(id);
        let weapon = self.weapon(item);
        let (main, off) = (fighter.arm(true), fighter.arm(false));
        if main.is_none() && off.is_none() {
            return Ok(false);
        }
        let broken = || Err(Why::new("SP-27", "a broken arm"));
        let needs_arm = weapon.section::<SpeedWeapon>().arms;
        let in_off_hand = || self.inventory(id).place(item) == Some(ItemPlace::OffHand);
        match (main, off) {
            // With one injured arm, a unit attacks with the fist or claw of the other arm, as an
            // off-hand attack.
            (Some(_), Some(_)) if weapon.hands == 0 && needs_arm => broken(),
            _ if weapon.hands == 0 => Ok(needs_arm),
            _ if weapon.hands == 2 => broken(),
            (_, None) if in_off_hand() => Ok(false),
            _ if in_off_hand() => broken(),
            (None, _) => Ok(false),
            (_, None) if !self.inventory(id).shield => Ok(true),
            _ => broken(),
        }
    }

    /// Whether the unit has a usable hand for doors, wounds and potions (SP-27).
    pub fn has_a_hand(&self, id: Id) -> Result<(), Why> {
        let fighter = self.fighter(id);
        let useless = |main| fighter.arm(main) == Some(ArmLimit::NoUse);
        Why::of_actor("SP-27", "cannot use their hands").when(useless(true) && useless(false))
    }

    /// Weapons that the unit can riposte with right now.
    pub fn ready_weapons(&self, id: Id) -> impl Iterator<Item = Item> {
        let ready = self.view.ready_weapons(id);
        ready.filter(move |&n| self.wields(id, n).is_ok())
    }

    /// Feet within which the unit threatens enemies (SP-12). `None` if it is unarmed, not up,
    /// unable to act, or has spent its reaction.
    pub fn threat_reach(&self, id: Id) -> Option<u16> {
        self.answers(id).filter(|_| self.is_up(id))
    }

    /// Feet within which the unit can riposte now, even if it is down. `None` if it cannot.
    pub fn answers(&self, id: Id) -> Option<u16> {
        let fighter = self.fighter(id);
        if fighter.reaction || self.body(id).flees || self.may_act(id).is_err() {
            return None;
        }
        let weapons = self.ready_weapons(id);
        weapons.filter_map(|n| self.reach(id, n)).max()
    }

    /// Whether an enemy that can act and is armed for melee would have the unit in reach at
    /// `there`.
    pub fn is_threatened_at(&self, id: Id, there: Space) -> bool {
        let mut enemies = self.view.enemies(self.side(id));
        enemies.any(|enemy| {
            if self.can_act(enemy).is_err() {
                return false;
            }
            let reach = |n| self.reach(enemy, n);
            let weapons = self.ready_weapons(enemy).filter_map(reach);
            let space = self.body(enemy).space();
            let reaches = |feet| self.view.board.in_reach(space, there, feet);
            weapons.max().is_some_and(reaches)
        })
    }

    /// Enemies that can be attacked: first units that are up, then fallen ones.
    pub fn targets(&self, id: Id) -> Vec<Id> {
        let side = self.side(id);
        let enemy = |n: &Id| self.is_there(*n) && self.side(*n) != side;
        let (up, down): (Vec<Id>, Vec<Id>) =
            self.view.ids().filter(enemy).partition(|&n| self.is_up(n));
        up.into_iter().chain(down).collect()
    }

    /// Occupied cells and enemy reaches for the unit's movement. A defensive move provokes
    /// nothing (SP-11); otherwise entering a reach provokes, not leaving it (SP-12). Prone movement
    /// costs double, and a frightened unit cannot come closer to what it fears (SP-32).
    pub fn occupancy(&self, id: Id) -> Occupancy {
        let guarded = self.is_guarded(id);
        let reach = |enemy: Id| match guarded {
            true => None,
            false => self.threat_reach(enemy),
        };
        let creeps = self.hindrance(id, |e| e.creeps).is_some();
        let occupancy = self.view.occupancy(id, reach);
        let occupancy = occupancy.with_whole_move(self.speed(id));
        let occupancy = occupancy.slowed(if creeps { 2 } else { 1 });
        let occupancy = occupancy.provoking_on_entry();
        let feared = self.feared(id);
        if feared.is_empty() {
            return occupancy;
        }
        let size = self.body(id).size;
        occupancy.without(|cell| {
            let there = Space::new(cell, size);
            let is_nearer = |&(space, far): &(Space, u16)| cells_apart(space, there) < far;
            feared.iter().any(is_nearer)
        })
    }

    /// Whether the unit moves defensively (SP-11).
    pub fn is_guarded(&self, id: Id) -> bool {
        let now = self.fighter(id).now.as_ref();
        now.is_some_and(|d| is_defensive(&d.choice))
    }

    /// The places that the unit must not come closer to, and their current distance in cells.
    fn feared(&self, id: Id) -> Vec<(Space, u16)> {
        let fears = |a: &&Ailment| !a.condition.effects().approaches;
        let Some(fear) = self.fighter(id).ailments.iter().find(fears) else {
            return vec![];
        };
        let here = self.body(id).space();
        let enemies = self.view.enemies(self.side(id));
        let whom = enemies.filter(|&enemy| fear.of.is_none_or(|of| of == enemy));
        let spaces = whom.map(|enemy| self.body(enemy).space());
        let apart = |space| (space, cells_apart(space, here));
        spaces.map(apart).collect()
    }

    /// The cells that the unit can reach with its remaining feet, and the enemies that each
    /// path provokes.
    pub fn range(&self, id: Id) -> Arc<Range> {
        let budget = self.feet_left(id).unwrap_or(0);
        self.view.range(id, self.occupancy(id), budget)
    }
}

/// Feet of a crawl (SP-24).
pub const CRAWL: u16 = 5;
