//! What Skirmish's systems read, and what they derive from it everywhere.

use super::state::{Clock, Fighter, Grip, Loads, Magic, Stance, Watch};
use crate::rulesets::skirmish::numbers;
use crate::{
    battle::{Each, Id, Item, PendingAttacks, View, Why},
    grid::Space,
};
use bevy_ecs::system::{Res, SystemParam};

/// Read access to a Skirmish battle.
#[derive(SystemParam)]
pub struct SkirmishQuery<'w, 's> {
    pub view: View<'w, 's>,
    fighters: Each<'w, 's, Fighter>,
    grips: Each<'w, 's, Grip>,
    watches: Each<'w, 's, Watch>,
    magic: Each<'w, 's, Magic>,
    stances: Each<'w, 's, Stance>,
    loads: Each<'w, 's, Loads>,
    pub clock: Res<'w, Clock>,
    pub pending_attacks: Res<'w, PendingAttacks>,
}

impl SkirmishQuery<'_, '_> {
    pub fn fighter(&self, id: Id) -> &Fighter {
        self.fighters.of(id)
    }

    /// What it waits for, guards and hides.
    pub fn stance(&self, id: Id) -> &Stance {
        self.stances.of(id)
    }

    pub fn grip(&self, id: Id) -> &Grip {
        self.grips.of(id)
    }

    pub fn watch(&self, id: Id) -> &Watch {
        self.watches.of(id)
    }

    /// What it has cast, and what spells lie on it.
    pub fn magic(&self, id: Id) -> &Magic {
        self.magic.of(id)
    }

    /// What it has shot and not loaded again.
    pub fn loads(&self, id: Id) -> &Loads {
        self.loads.of(id)
    }

    /// How far it strikes with a melee weapon that it has ready, in feet.
    /// `None`: not armed for melee (SK-06), or in no state to strike at those
    /// who give an opening: caught unaware (SK-03), in a grapple (SK-52),
    /// unsuspecting (SK-56), helpless (SK-70).
    pub fn threat_reach(&self, id: Id) -> Option<u16> {
        self.armed_reach(id).filter(|_| self.is_free_to_strike(id))
    }

    /// The same, whatever state it is in.
    fn armed_reach(&self, id: Id) -> Option<u16> {
        let armed = |n: &Item| self.weapon(*n).arms_for_melee();
        self.gear(id)
            .ready()
            .filter(armed)
            .filter_map(|n| self.reach(id, n))
            .max()
    }

    fn is_free_to_strike(&self, id: Id) -> bool {
        !self.in_grapple(id) && self.can_act(id) && !self.stance(id).surprised
    }

    /// Has a space in reach of a melee weapon, and is free to strike there. Most
    /// are too far off for that, so their state is looked at last.
    pub(super) fn threatens(&self, id: Id, there: Space) -> bool {
        let here = self.body(id).space();
        let reaches = |feet| self.view.board.in_reach(here, there, feet);
        self.armed_reach(id).is_some_and(reaches) && self.is_free_to_strike(id)
    }

    /// The foes, armed for melee, in whose reach it stands, in id order.
    pub fn threatened_by(&self, id: Id) -> impl Iterator<Item = Id> {
        let (side, here) = (self.body(id).side, self.body(id).space());
        self.known_foes(side)
            .filter(move |&foe| self.threatens(foe, here))
    }

    /// Those among them whose attack an act of `id` draws, as far as it knows:
    /// all from whom it has not disengaged (SK-06, SK-19).
    pub fn provoked_by(&self, id: Id) -> Vec<Id> {
        let free = self.fighter(id).disengaged;
        self.threatened_by(id)
            .filter(|&foe| free & foe.bit() == 0)
            .collect()
    }

    /// Those in hiding whose attack it would draw: it knows nothing of them
    /// (SK-03, SK-06).
    pub fn provoked_in_hiding(&self, id: Id) -> impl Iterator<Item = Id> {
        let (body, free) = (self.body(id), self.fighter(id).disengaged);
        let here = body.space();
        let hidden = move |foe: &Id| self.stance(*foe).hidden && free & foe.bit() == 0;
        let lurkers = self.view.foes(body.side).filter(hidden);
        lurkers.filter(move |&foe| self.threatens(foe, here))
    }

    /// Feet within which it is an attacker in melee (SK-11, SK-19): armed for
    /// it, or with bare hands of which it has made use in this round or the
    /// last, whether or not it is free to strike just now.
    fn attackers_reach(&self, id: Id) -> Option<u16> {
        self.armed_reach(id).or_else(|| self.brawlers_reach(id))
    }

    fn brawlers_reach(&self, id: Id) -> Option<u16> {
        let brawled = self.fighter(id).brawled?;
        let recent = self.clock.round <= brawled + 1;
        recent.then(|| self.reach(id, self.unarmed(id)?)).flatten()
    }

    /// Feet within which it hinders those who shoot (SK-11). Who is in a grapple
    /// has use only for its hands.
    pub fn hindering_reach(&self, id: Id) -> Option<u16> {
        let brawls = || {
            let reach = self.brawlers_reach(id)?;
            (self.can_act(id) && !self.stance(id).surprised).then_some(reach)
        };
        self.threat_reach(id).or_else(brawls)
    }

    /// Some foe, an attacker in melee, would have it in reach if it stood there
    /// (SK-11).
    pub fn is_hindered_at(&self, id: Id, there: Space) -> bool {
        let mut foes = self.known_foes(self.body(id).side);
        let brawls = |foe: Id| {
            let here = self.body(foe).space();
            let reaches = |feet| self.view.board.in_reach(here, there, feet);
            self.fighter(foe).brawled.is_some() && self.hindering_reach(foe).is_some_and(reaches)
        };
        foes.any(|foe| self.threatens(foe, there) || brawls(foe))
    }

    /// All attackers in melee in whose reach it stands, in id order, those in
    /// hiding among them (SK-19).
    pub fn attackers_of(&self, id: Id) -> impl Iterator<Item = Id> {
        let (side, here) = (self.body(id).side, self.body(id).space());
        self.view.foes(side).filter(move |&foe| {
            let there = self.body(foe).space();
            let reaches = |feet| self.view.board.in_reach(there, here, feet);
            self.attackers_reach(foe).is_some_and(reaches)
        })
    }

    /// A Main action is left (SK-04).
    pub fn needs_main(&self, id: Id) -> Result<(), Why> {
        if self.fighter(id).mains > 0 {
            Ok(())
        } else {
            Err(Why::new("SK-04", "the Main action is spent"))
        }
    }

    /// Why nothing of an act that takes a Main is offered: there is none left (SK-04),
    /// or else what is said here.
    pub fn why_not(&self, id: Id, why: Why) -> Why {
        self.needs_main(id).err().unwrap_or(why)
    }

    /// A Move is left, or a Main to be spent as one (SK-04).
    pub fn needs_move(&self, id: Id) -> Result<(), Why> {
        if self.fighter(id).can_move() {
            Ok(())
        } else {
            Err(Why::new("SK-04", "Main and Move are spent"))
        }
    }

    /// Free actions are eight a turn (SK-04).
    pub fn needs_free(&self, id: Id) -> Result<(), Why> {
        if self.fighter(id).frees < numbers::FREE_ACTIONS {
            Ok(())
        } else {
            Err(Why::new("SK-04", "eight Free actions were taken this turn"))
        }
    }
}
