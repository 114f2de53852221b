//! Conditions that last on units and are data, such as a ward or a hold.

use super::{Id, Modifier, Rule, SpellId, View, of_unit};
use crate::content::Condition;
use bevy_ecs::world::World;
use std::sync::Arc;

/// All conditions of a unit, in the order in which they began.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Conditions(pub Vec<ActiveCondition>);

/// A condition on a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActiveCondition {
    pub condition: Arc<Condition>,
    /// How much harder the unit is to hit, in the ruleset's points.
    pub defense: i32,
    /// When the first round of the condition is over, in the ruleset's count of moments.
    pub since: i32,
    /// When the condition ends, in the ruleset's count of moments.
    pub until: i32,
    /// The unit that caused it.
    pub by: Id,
    /// The spell that caused it; `None` if it was not a spell.
    pub spell: Option<SpellId>,
}

impl ActiveCondition {
    /// Whether both are the same condition from the same spell.
    pub fn is_again(&self, other: &Self) -> bool {
        (&self.condition.id, self.spell) == (&other.condition.id, other.spell)
    }

    /// A modifier of this many points, labelled with the spell or the condition.
    fn modifier(&self, points: i32, view: &View, rule: Rule) -> Modifier {
        let label = match self.spell {
            Some(spell) => view.names().spell(spell).to_owned(),
            None => self.condition.name.clone(),
        };
        Modifier::new(points as i16, label, rule)
    }
}

impl Conditions {
    /// Adds a condition. A repeated one has no further effect; the later end counts.
    pub(super) fn begin(&mut self, new: &ActiveCondition) {
        let mut new = new.clone();
        if let Some(old) = self.0.iter().find(|old| old.is_again(&new)) {
            new.until = new.until.max(old.until);
        }
        self.0.retain(|old| !old.is_again(&new));
        self.0.push(new);
    }

    pub(super) fn end(&mut self, over: &ActiveCondition) {
        self.0.retain(|old| !old.is_again(over));
    }
}

impl View<'_, '_> {
    /// The conditions of a unit.
    pub fn conditions(&self, id: Id) -> &[ActiveCondition] {
        &self.conditions.of(id).0
    }

    /// Whether a condition keeps the unit from acting.
    pub fn is_held(&self, id: Id) -> bool {
        self.conditions(id).iter().any(|l| l.condition.idle)
    }

    /// Feet of a move: halved, in whole cells, if a condition slows the unit.
    pub fn slowed(&self, id: Id, feet: u16) -> u16 {
        match self.conditions(id).iter().any(|l| l.condition.half_speed) {
            true => feet / 10 * 5,
            false => feet,
        }
    }

    /// The unit's speed in feet, halved if a condition slows it.
    pub fn speed(&self, id: Id) -> u16 {
        let feet = u16::try_from(self.creature(id).speed).unwrap_or(0);
        self.slowed(id, feet)
    }

    /// The unit's best ward. Wards do not add up.
    pub fn protection(&self, id: Id) -> Option<&ActiveCondition> {
        let wards = self.conditions(id).iter().filter(|l| l.defense > 0);
        wards.max_by_key(|l| l.defense)
    }

    /// The modifiers that conditions add to the attacker's roll. `point`: how many of the
    /// ruleset's points one point on a d20 is worth.
    pub fn hit_modifiers(&self, by: Id, point: i32, rule: Rule) -> impl Iterator<Item = Modifier> {
        let all = self.conditions(by).iter();
        let all = all.filter(|l| l.condition.to_hit != 0);
        all.map(move |l| l.modifier(l.condition.to_hit * point, self, rule))
    }

    /// The modifiers that make a target harder or easier to hit: its best ward, and all
    /// conditions that lower its defense.
    pub fn defense_modifiers(&self, of: Id, rule: Rule) -> impl Iterator<Item = Modifier> {
        let open = self.conditions(of).iter().filter(|l| l.defense < 0);
        let all = self.protection(of).into_iter().chain(open);
        all.map(move |l| l.modifier(l.defense, self, rule))
    }
}

/// Whether a unit has a condition for which `wanted` holds, from a bare world, for probes.
pub fn has_condition_where(world: &World, id: Id, wanted: fn(&ActiveCondition) -> bool) -> bool {
    of_unit::<Conditions>(world, id).0.iter().any(wanted)
}

/// The points of the unit's best ward, from a bare world, for probes; 0 without a ward.
pub fn ward_on(world: &World, id: Id) -> i32 {
    let wards = of_unit::<Conditions>(world, id).0.iter().map(|l| l.defense);
    wards.max().unwrap_or(0).max(0)
}
