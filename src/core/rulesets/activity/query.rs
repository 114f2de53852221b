//! What Activity's systems read, and what they derive from it everywhere.

use super::{
    Activity,
    numbers::{Tables, tables},
    state::{Actor, Clock},
};
use crate::rulesets::activity::content::Talent;
use crate::rulesets::common::{hiding::overlook, reads};
use crate::{
    battle::{DiceBox, Id, Item, Modifier, Place, Roll, movement::Occupancy, sum},
    content::Skill,
    grid::{Board, Range, Space, cells_apart},
};
use std::sync::Arc;

reads! {
    /// Read access to an Activity battle.
    ActivityQuery, actor: Actor, actors
}

impl ActivityQuery<'_, '_> {
    pub fn has(&self, id: Id, talent: Talent) -> bool {
        self.stats(id).talents.contains(&talent)
    }

    pub fn tables(&self) -> &'static Tables {
        tables()
    }

    /// AC-31, AC-32: what wounds and armour take from a maneuver; looking about
    /// is one too (AC-35).
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

    /// Whether it can be struck with, or shot with, where it is now.
    pub fn usable(&self, who: Id, item: Item, ranged: bool) -> bool {
        let weapon = self.weapon(item);
        let in_body = self.gear(who).place(item) == Some(Place::Body);
        if ranged {
            weapon.ranged.is_some()
        } else {
            // Fists are for those who hold nothing better.
            let armed = self
                .gear(who)
                .in_hand()
                .is_some_and(|i| self.weapon(i).melee.is_some());
            weapon.melee.is_some()
                && !(in_body && weapon.make == crate::content::Make::Unarmed && armed)
        }
    }

    /// How far it still strikes in this round at who leaves its reach (AC-36),
    /// in feet. None: not armed for melee, not able to, or it has done so.
    pub fn threat_reach(&self, id: Id) -> Option<u16> {
        self.strike_reach(id).filter(|_| !self.actor(id).struck)
    }

    /// How far it strikes with a melee weapon that it has ready, in feet. None:
    /// not armed for melee, or not able to.
    pub fn strike_reach(&self, id: Id) -> Option<u16> {
        if self.is_helpless(id) || self.body(id).flees {
            return None;
        }
        let armed = |n: &Item| self.weapon(*n).arms_for_melee();
        let ready = self.gear(id).ready().filter(armed);
        ready.filter_map(|n| self.reach(id, n)).max()
    }

    /// Foes that its side sees, who are up, in id order.
    pub fn foes(&self, of: Id) -> impl Iterator<Item = Id> {
        let foes = self.view.foes(self.body(of).side);
        foes.filter(|&foe| !self.actor(foe).hidden)
    }

    /// Some foe has it in reach.
    pub fn is_threatened(&self, id: Id) -> bool {
        let mut foes = self.foes(id);
        foes.any(|foe| {
            let reach = self.strike_reach(foe);
            reach.is_some_and(|feet| self.view.in_reach(foe, id, feet))
        })
    }

    /// The melee skill level and the like; 0 for who has none.
    pub fn skill(&self, id: Id, skills: &[Skill]) -> (Skill, i32) {
        self.view.creature(id).attack_skill(skills)
    }

    /// Stunned, held or caught unaware: it can do nothing now.
    pub fn is_helpless(&self, id: Id) -> bool {
        self.actor(id).is_dazed() || self.view.is_held(id)
    }

    /// AC-13: it is at its melee, or a missile parry, and free to parry.
    pub fn may_parry(&self, id: Id) -> bool {
        self.actor(id).position().allows_parry() && !self.is_helpless(id)
    }

    /// As its kind has it, or half of that if something slows it.
    fn speed(&self, id: Id) -> i32 {
        self.view.speed(id).into()
    }

    /// Feet that a share of the round moves it, in whole cells; half as far in
    /// a defensive withdrawal (AC-01, AC-36).
    pub fn feet(&self, id: Id, percent: i32, withdraws: bool) -> u16 {
        let t = self.tables();
        let speed = self.speed(id);
        let base = speed / t.base_rate_divisor / 5 * 5;
        let mut feet = base.max(5) * t.pace * percent / t.costs.move_base;
        if speed == 0 {
            feet = 0;
        }
        if withdraws {
            feet /= 2;
        }
        u16::try_from(feet.max(0) / 5 * 5).unwrap_or(u16::MAX)
    }

    /// The share of the round that this many feet take, in percent.
    pub fn percent_of(&self, id: Id, feet: u16) -> i32 {
        let t = self.tables();
        let base = (self.speed(id) / t.base_rate_divisor / 5 * 5).max(5);
        (i32::from(feet) * t.costs.move_base + base * t.pace - 1) / (base * t.pace)
    }

    /// The ways of a mover; who withdraws leaves every reach freely (AC-36).
    pub fn ways(&self, id: Id, withdraws: bool) -> Occupancy {
        let reach = |foe: Id| {
            if withdraws || self.actor(foe).hidden {
                None
            } else {
                self.threat_reach(foe)
            }
        };
        let mut ways = self.view.ways(id, reach);
        overlook::<Activity>(self, id, &mut ways);
        ways
    }

    /// Where a share of the round takes it.
    pub fn range(&self, id: Id, percent: i32, withdraws: bool) -> Arc<Range> {
        let ways = self.ways(id, withdraws);
        let budget = self.feet(id, percent, withdraws);
        self.view.range(id, ways, budget)
    }

    /// Feet to the nearest cell from which it could strike a foe, within a
    /// share of the round.
    pub fn feet_to_strike(&self, id: Id, percent: i32) -> Option<u16> {
        let (striking, size) = (self.striking(id), self.body(id).size);
        // Most foes are farther off than that as the crow flies.
        if !striking.is_near(self.body(id).space(), self.feet(id, percent, false)) {
            return None;
        }
        let range = self.range(id, percent, false);
        let reaches = |at| striking.reaches(&self.view.board, Space::new(at, size));
        // The nearest come first.
        let mut ends = range.cells().filter(|e| e.may_stop);
        ends.find(|e| reaches(e.cell)).map(|e| e.feet)
    }

    /// From where it could strike a foe with what it has ready.
    pub fn striking(&self, id: Id) -> Striking {
        let ready = self.gear(id).ready();
        Striking {
            reach: ready.filter_map(|n| self.reach(id, n)).max(),
            foes: self.foes(id).map(|foe| self.body(foe).space()).collect(),
        }
    }

    /// OB with a weapon before anything of the moment: what it can give to
    /// parrying at most.
    pub fn base_ob(&self, id: Id, item: Item, ranged: bool) -> i32 {
        sum(&self.ob_parts(id, item, ranged))
    }
}

/// AC-30: an open-ended d100: 96 and more rolls again and adds, as long as it
/// lasts.
pub fn open_ended(dice: &mut DiceBox) -> Roll {
    let from = tables().open_ended;
    let mut roll = Roll::default();
    loop {
        let value = dice.roll(100);
        roll.dice.push((100, value));
        if value < from || roll.dice.len() == 20 {
            return roll;
        }
    }
}

/// From where somebody could strike a foe, for those who ask about many cells.
pub struct Striking {
    /// Feet of the longest weapon that is ready.
    reach: Option<u16>,
    foes: Vec<Space>,
}

impl Striking {
    /// Some foe would be near enough from there after so many more feet, be it seen or
    /// not.
    pub fn is_near(&self, here: Space, feet: u16) -> bool {
        let far = |foe: &Space| u32::from(cells_apart(here, *foe)) * 5;
        let near = |foe, reach| far(foe) <= u32::from(reach) + u32::from(feet);
        let any = |reach| self.foes.iter().any(|foe| near(foe, reach));
        self.reach.is_some_and(any)
    }

    /// From there some foe would be in reach.
    pub fn reaches(&self, board: &Board, here: Space) -> bool {
        let any = |reach| {
            self.foes
                .iter()
                .any(|&foe| board.in_reach(here, foe, reach))
        };
        self.reach.is_some_and(any)
    }
}
