//! Read access to a battle under Segments, and the values that follow from it.

use super::state::{Casting, Clock, Fighter, Intent, segment_of};
use crate::rulesets::common::reads;
use crate::rulesets::segments::content::SegmentsWeapon;
use crate::rulesets::segments::numbers;
use crate::{
    battle::{Id, Item, ItemPlace, SpellId, Why, movement::Occupancy},
    rulesets::common::gear::missiles,
};

reads! {
    /// Read access to a battle under Segments.
    SegmentsQuery, fighter: Fighter, fighters
}

/// Kinds of actions, as declarations allow them (SE-20).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredKind {
    Strike,
    Charge,
    Shoot,
    /// A move, and everything allowed with it: doors, items, bandaging.
    Move,
    Cast(SpellId),
}

impl SegmentsQuery<'_, '_> {
    /// Feet of one move (SE-51).
    pub fn speed(&self, who: Id) -> u16 {
        self.view.speed(who)
    }

    /// Held by a condition and unable to act.
    pub fn is_helpless(&self, id: Id) -> bool {
        self.view.is_held(id)
    }

    /// Whether the unit is surprised in the current segment (SE-12).
    pub fn is_surprised(&self, id: Id) -> bool {
        self.clock.round == 0 && self.fighter(id).surprised >= self.clock.segment
    }

    /// The spell that the unit is casting.
    pub fn casting(&self, id: Id) -> Option<Casting> {
        self.fighter(id).casting.filter(|_| self.is_up(id))
    }

    /// Whether the unit can react: up, not casting, not afraid, not helpless, not surprised.
    pub fn can_react(&self, id: Id) -> bool {
        let f = self.fighter(id);
        self.is_up(id)
            && f.casting.is_none()
            && !self.is_afraid(id)
            && !self.is_helpless(id)
            && !self.is_surprised(id)
    }

    /// The melee weapons that the unit has ready, held or part of its body. Bare hands don't count.
    pub fn arms(&self, id: Id) -> impl Iterator<Item = Item> {
        let arms = self.gear(id).ready();
        arms.filter(|&n| self.weapon(n).arms_for_melee())
    }

    /// Whether the unit is armed for melee, so that adjacent enemies are in melee with it (SE-52).
    pub fn is_armed(&self, id: Id) -> bool {
        self.arms(id).next().is_some()
    }

    /// Adjacent armed enemies that are not helpless, in id order (SE-52).
    pub fn engaged_by(&self, id: Id) -> impl Iterator<Item = Id> {
        self.view.enemies(self.body(id).side).filter(move |&enemy| {
            self.is_armed(enemy)
                && !self.is_helpless(enemy)
                && self.view.in_reach(enemy, id, numbers::NEXT_TO)
        })
    }

    pub fn is_engaged(&self, id: Id) -> bool {
        self.engaged_by(id).next().is_some()
    }

    /// Enemies that attack if the unit leaves them (SE-52), as a bit set.
    pub fn strikers(&self, id: Id) -> u64 {
        let able = self.engaged_by(id).filter(|&enemy| self.can_react(enemy));
        able.fold(0, |set, enemy| set | enemy.bit())
    }

    /// The occupancy for a mover; leaving one of `strikers` provokes its attack.
    pub fn occupancy(&self, who: Id, strikers: u64) -> Occupancy {
        let reach = |enemy: Id| (strikers & enemy.bit() != 0).then_some(numbers::NEXT_TO);
        self.view.occupancy(who, reach)
    }

    /// Whether the unit's declaration allows this kind of action (SE-20). In a surprise segment,
    /// where nothing is declared, all kinds are allowed (SE-14).
    pub fn may(&self, who: Id, kind: DeclaredKind) -> Result<(), Why> {
        let f = self.fighter(who);
        Why::new("SE-34", "only an attack routine is left")
            .when(f.further && !matches!(kind, DeclaredKind::Strike | DeclaredKind::Shoot))?;
        if self.clock.round == 0 {
            return Ok(());
        }
        let allowed = match (f.intent, kind) {
            (Some(Intent::Cast(mine)), DeclaredKind::Cast(spell)) => mine == spell,
            (Some(Intent::Cast(_)), _) | (_, DeclaredKind::Cast(_)) => false,
            (_, DeclaredKind::Move) => true,
            (Some(Intent::Attack), DeclaredKind::Strike | DeclaredKind::Charge) => true,
            (Some(Intent::Set), DeclaredKind::Strike) => true,
            (Some(Intent::Missiles), DeclaredKind::Shoot) => true,
            _ => false,
        };
        if allowed {
            return Ok(());
        }
        let what = f.intent.map_or_else(
            || String::from("nothing"),
            |i| super::events::describe_intent(i, self.view.names()),
        );
        Err(Why::of_actor("SE-20", format!("has declared {what}")))
    }

    /// The spells that the unit can still cast.
    pub fn spells(&self, who: Id) -> impl Iterator<Item = SpellId> {
        let known = self.view.sheet(who).spells.iter().copied();
        known.filter(move |&s| self.needs_casting(who, s).is_ok())
    }

    /// Checks that the unit has a casting of a spell left (SE-41).
    pub fn needs_casting(&self, who: Id, spell: SpellId) -> Result<(), Why> {
        let kind = self.view.spell(spell);
        self.fighter(who).castings.needs_left(spell, kind, "SE-41")
    }

    /// The segment of the next attack routine if one is used now: after all other sides' segments,
    /// and not before the current one; `None` if no routine is left (SE-34).
    pub fn next_routine(&self, who: Id) -> Option<u8> {
        let f = self.fighter(who);
        if self.clock.round == 0 || f.routines < 2 {
            return None;
        }
        let side = self.body(who).side;
        let others = self.view.roster.sides().filter(|s| *s != side);
        let last = others.map(|s| segment_of(&self.clock, s)).max();
        Some(last.unwrap_or(0).max(self.clock.segment))
    }

    /// Missiles in one routine: the weapon's rate, limited by the weapons left to throw (SE-31).
    pub fn missiles(&self, who: Id, with: Item) -> usize {
        let rate = usize::from(self.weapon(with).section::<SegmentsWeapon>().rate);
        rate.min(missiles(&self.view, who, with))
    }

    /// The weapons of the routine that begins with `with`: the creature's listed routine, or the
    /// weapon and the one in the other hand (SE-34).
    pub fn routine(&self, who: Id, with: Item) -> Vec<Item> {
        let listed = self.listed_routine(who);
        if listed.contains(&with) {
            return listed;
        }
        let mut blows = vec![with];
        let gear = self.gear(who);
        let one_hand = self.weapon(with).hands == 1;
        if let Some(other) = gear.off_hand().filter(|_| one_hand)
            && self.weapon(other).melee.is_some()
        {
            blows.push(other);
        }
        blows
    }

    /// The routine listed for the creature, without weapons that it no longer has.
    fn listed_routine(&self, who: Id) -> Vec<Item> {
        let arms = &self.stats(who).attacks;
        let stock = &self.view.roster.stock;
        let items = arms.iter().filter_map(|arm| {
            let at = stock.weapons.iter().position(|w| w == arm)?;
            Some(Item(at as u8))
        });
        let gear = self.gear(who);
        items.filter(|&i| gear.place(i).is_some()).collect()
    }

    /// The melee weapons that can begin a routine, one for each routine.
    pub fn openers(&self, who: Id) -> Vec<Item> {
        let gear = self.gear(who);
        let listed = self.listed_routine(who);
        let first = listed.first().copied();
        let of_other_hand =
            |item| gear.place(item) == Some(ItemPlace::OffHand) && gear.in_hand().is_some();
        let opens = |&item: &Item| {
            self.weapon(item).melee.is_some()
                && (!listed.contains(&item) || Some(item) == first)
                && !of_other_hand(item)
        };
        gear.at_hand().filter(opens).collect()
    }
}
