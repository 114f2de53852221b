//! Read access to a battle under Segments, and the values that follow from it.

use super::events::describe_intent;
use super::state::{Casting, Clock, Fighter, Intent, segment_of};
use crate::rulesets::segments::content::SegmentsWeapon;
use crate::rulesets::segments::numbers;
use crate::{
    battle::{Id, Item, ItemPlace, SpellId, Why, movement::Occupancy},
    grid::Space,
    rulesets::common::{inventory::missiles, ruleset_query},
};

ruleset_query! {
    /// Read access to a battle under Segments.
    SegmentsQuery: fighter, fighters: Fighter;
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
    /// Whether the unit is up and able to act.
    pub fn can_act(&self, id: Id) -> bool {
        self.is_up(id) && !self.view.is_held(id)
    }

    /// Whether adjacent enemies are in melee with the unit: it is armed and not helpless (SE-52).
    pub fn threatens(&self, id: Id) -> bool {
        self.is_armed(id) && !self.view.is_held(id)
    }

    /// Whether the unit is surprised in the current segment (SE-12).
    pub fn is_surprised(&self, id: Id) -> bool {
        self.clock.round == 0 && self.fighter(id).surprised >= self.clock.segment
    }

    pub fn casting(&self, id: Id) -> Option<Casting> {
        self.fighter(id).casting.filter(|_| self.is_up(id))
    }

    /// Whether the unit can react: up, not casting, not afraid, not helpless, not surprised.
    pub fn can_react(&self, id: Id) -> bool {
        let casts = self.fighter(id).casting.is_some();
        self.can_act(id) && !casts && !self.is_afraid(id) && !self.is_surprised(id)
    }

    /// Whether the unit is armed for melee, so that adjacent enemies are in melee with it (SE-52).
    pub fn is_armed(&self, id: Id) -> bool {
        self.view.ready_weapons(id).next().is_some()
    }

    /// Adjacent armed enemies that are not helpless, in id order (SE-52).
    pub fn engaged_by(&self, id: Id) -> impl Iterator<Item = Id> {
        self.engaged_at(id, self.body(id).space())
    }

    /// The enemies that would engage the unit at `there`, in id order.
    pub fn engaged_at(&self, id: Id, there: Space) -> impl Iterator<Item = Id> {
        self.view.enemies(self.body(id).side).filter(move |&enemy| {
            let space = self.body(enemy).space();
            self.threatens(enemy) && self.view.board.in_reach(space, there, numbers::NEXT_TO)
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
        let describe = |intent| describe_intent(intent, self.view.names());
        let what = f.intent.map_or_else(|| "nothing".into(), describe);
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
        let one_hand = self.weapon(with).hands == 1;
        let other = self.inventory(who).off_hand().filter(|_| one_hand);
        let other = other.filter(|&other| self.weapon(other).melee.is_some());
        [with].into_iter().chain(other).collect()
    }

    /// The routine listed for the creature, without weapons that it no longer has.
    fn listed_routine(&self, who: Id) -> Vec<Item> {
        let attacks = &self.stats(who).attacks;
        let stock = &self.view.roster.stock;
        let items = attacks.iter().filter_map(|weapon| {
            let at = stock.weapons.iter().position(|w| w == weapon)?;
            Some(Item(at as u8))
        });
        let inventory = self.inventory(who);
        items.filter(|&i| inventory.place(i).is_some()).collect()
    }

    /// The melee weapons that can begin a routine, one for each routine.
    pub fn openers(&self, who: Id) -> Vec<Item> {
        let inventory = self.inventory(who);
        let listed = self.listed_routine(who);
        let first = listed.first().copied();
        let of_other_hand = |item| {
            inventory.place(item) == Some(ItemPlace::OffHand) && inventory.in_hand().is_some()
        };
        let opens = |&item: &Item| {
            self.weapon(item).melee.is_some()
                && (!listed.contains(&item) || Some(item) == first)
                && !of_other_hand(item)
        };
        inventory.at_hand().filter(opens).collect()
    }
}
