//! Read access to a Skirmish battle, and what follows from it everywhere.

use super::state::{Alertness, Clock, Fighter, GrappleState, Stance};
use crate::rulesets::skirmish::numbers;
use crate::{
    battle::{Id, Why},
    grid::Space,
    rulesets::common::ruleset_query,
};

ruleset_query! {
    /// Read access to a Skirmish battle.
    SkirmishQuery: fighter, fighters: Fighter;
    /// The unit's holding, swarm, screens and hiding.
    stance, stances: Stance;
    grip, grips: GrappleState;
    watch, watches: Alertness;
}

impl SkirmishQuery<'_, '_> {
    /// The unit's melee reach for attacks of opportunity, in feet. `None` if it has no melee weapon
    /// ready (SK-06), or can't attack now: surprised (SK-03), in a grapple (SK-52), unaware
    /// (SK-56), helpless (SK-70).
    pub fn threat_reach(&self, id: Id) -> Option<u16> {
        self.armed_reach(id).filter(|_| self.is_free_to_strike(id))
    }

    /// The reach of the unit's ready melee weapons, whatever its state.
    fn armed_reach(&self, id: Id) -> Option<u16> {
        let weapons = self.view.ready_weapons(id);
        weapons.filter_map(|n| self.reach(id, n)).max()
    }

    fn is_free_to_strike(&self, id: Id) -> bool {
        !self.in_grapple(id) && self.can_act(id) && !self.stance(id).surprised
    }

    /// Whether the unit has a space in reach of a melee weapon and can attack there. Most units are
    /// too far away, so their state is checked last.
    pub(super) fn threatens(&self, id: Id, there: Space) -> bool {
        let here = self.body(id).space();
        let reaches = |feet| self.view.board.in_reach(here, there, feet);
        self.armed_reach(id).is_some_and(reaches) && self.is_free_to_strike(id)
    }

    /// The known enemies, armed for melee, that have the unit in reach, in id order.
    pub fn threatened_by(&self, id: Id) -> impl Iterator<Item = Id> {
        let (side, here) = (self.body(id).side, self.body(id).space());
        self.known_enemies(side)
            .filter(move |&enemy| self.threatens(enemy, here))
    }

    /// Those enemies whose attack an action of `id` provokes, as far as it knows: all from which it
    /// has not disengaged (SK-06, SK-19).
    pub fn provoked_by(&self, id: Id) -> Vec<Id> {
        let threats = self.threatened_by(id);
        threats.filter(|&enemy| self.is_bound(id, enemy)).collect()
    }

    /// Whether a unit has not disengaged from an enemy (SK-19).
    pub fn is_bound(&self, id: Id, enemy: Id) -> bool {
        self.fighter(id).disengaged & enemy.bit() == 0
    }

    /// Those of [`provoked_by`](Self::provoked_by) that are adjacent.
    pub fn provoked_beside(&self, id: Id) -> Vec<Id> {
        let mut enemies = self.provoked_by(id);
        enemies.retain(|&enemy| self.view.within(enemy, id, 5));
        enemies
    }

    /// Hidden enemies whose attack an action of `id` provokes. The unit does not know of them
    /// (SK-03, SK-06).
    pub fn provoked_in_hiding(&self, id: Id) -> impl Iterator<Item = Id> {
        let (side, here) = (self.body(id).side, self.body(id).space());
        self.view.enemies(side).filter(move |&enemy| {
            let hidden = self.stance(enemy).hidden && self.is_bound(id, enemy);
            hidden && self.threatens(enemy, here)
        })
    }

    /// Feet within which the unit counts as a melee attacker by an unarmed attack in this round or
    /// the last (SK-11, SK-19), whether or not it can attack now.
    fn brawlers_reach(&self, id: Id) -> Option<u16> {
        let recent = self.clock.round <= self.fighter(id).brawled? + 1;
        recent.then(|| self.reach(id, self.unarmed(id)?)).flatten()
    }

    /// Feet within which the unit hinders ranged attacks (SK-11). In a grapple, only its unarmed
    /// attacks count.
    pub fn hindering_reach(&self, id: Id) -> Option<u16> {
        let brawls = || {
            let reach = self.brawlers_reach(id)?;
            (self.can_act(id) && !self.stance(id).surprised).then_some(reach)
        };
        self.threat_reach(id).or_else(brawls)
    }

    /// Whether an enemy melee attacker would have the unit in reach at `there` (SK-11).
    pub fn is_hindered_at(&self, id: Id, there: Space) -> bool {
        let mut enemies = self.known_enemies(self.body(id).side);
        let brawls = |enemy: Id| {
            let here = self.body(enemy).space();
            let reaches = |feet| self.view.board.in_reach(here, there, feet);
            self.fighter(enemy).brawled.is_some()
                && self.hindering_reach(enemy).is_some_and(reaches)
        };
        enemies.any(|enemy| self.threatens(enemy, there) || brawls(enemy))
    }

    /// All melee attackers that have the unit in reach, in id order, including hidden ones (SK-19).
    pub fn attackers_of(&self, id: Id) -> impl Iterator<Item = Id> {
        let (side, here) = (self.body(id).side, self.body(id).space());
        self.view.enemies(side).filter(move |&enemy| {
            let there = self.body(enemy).space();
            let reaches = |feet| self.view.board.in_reach(there, here, feet);
            let reach = self.armed_reach(enemy);
            let reach = reach.or_else(|| self.brawlers_reach(enemy));
            reach.is_some_and(reaches)
        })
    }

    /// Checks that a Main action is left (SK-04).
    pub fn needs_main(&self, id: Id) -> Result<(), Why> {
        Why::new("SK-04", "the Main action is spent").unless(self.fighter(id).mains > 0)
    }

    /// The reason to show when an action that costs a Main has no targets: no Main left (SK-04), or
    /// else `why`.
    pub fn why_not(&self, id: Id, why: Why) -> Why {
        self.needs_main(id).err().unwrap_or(why)
    }

    /// Checks that a Move is left, or a Main in its place (SK-04).
    pub fn needs_move(&self, id: Id) -> Result<(), Why> {
        Why::new("SK-04", "Main and Move are spent").unless(self.fighter(id).can_move())
    }

    /// Checks that a Free action is left: eight per turn (SK-04).
    pub fn needs_free(&self, id: Id) -> Result<(), Why> {
        Why::new("SK-04", "eight Free actions were taken this turn")
            .unless(self.fighter(id).frees < numbers::FREE_ACTIONS)
    }
}
