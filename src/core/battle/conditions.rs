//! What lasts on combatants: conditions that are data, such as a ward or a
//! hold, whoever laid them there.

use super::{Id, Modifier, Rule, SpellId, View, component};
use crate::content::Condition;
use bevy_ecs::{component::Component, world::World};
use std::sync::Arc;

/// Everything that lasts on a combatant, in the order in which it came.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Conditions(pub Vec<Lasting>);

/// A condition that lies on somebody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasting {
    pub condition: Arc<Condition>,
    /// How much harder it makes its bearer to hit, in the ruleset's points.
    pub defense: i32,
    /// The moment at which its first round is over, as the ruleset counts them.
    pub since: i32,
    /// The moment at which it ends, likewise.
    pub until: i32,
    /// Whose doing it is.
    pub by: Id,
    /// Of what spell it comes; none of something else.
    pub spell: Option<SpellId>,
}

impl Lasting {
    /// Once more the same as another.
    pub fn is_again(&self, other: &Self) -> bool {
        (&self.condition.id, self.spell) == (&other.condition.id, other.spell)
    }

    /// Points to hit or to defend, and where they come from.
    fn modifier(&self, points: i32, view: &View, rule: Rule) -> Modifier {
        let label = match self.spell {
            Some(spell) => view.names().spell(spell).to_owned(),
            None => self.condition.name.clone(),
        };
        Modifier::new(points as i16, label, rule)
    }
}

impl Conditions {
    /// The same once more does no more, and lasts as long as the longer does.
    pub(super) fn begin(&mut self, new: &Lasting) {
        let mut new = new.clone();
        if let Some(old) = self.0.iter().find(|old| old.is_again(&new)) {
            new.until = new.until.max(old.until);
        }
        self.0.retain(|old| !old.is_again(&new));
        self.0.push(new);
    }

    pub(super) fn end(&mut self, over: &Lasting) {
        self.0.retain(|old| !old.is_again(over));
    }
}

impl View<'_, '_> {
    /// What lasts on somebody.
    pub fn lasting(&self, id: Id) -> &[Lasting] {
        &self.conditions.of(id).0
    }

    /// Something lets it do nothing.
    pub fn is_held(&self, id: Id) -> bool {
        self.lasting(id).iter().any(|l| l.condition.idle)
    }

    /// Feet of a move: half as many, in whole steps, if something slows it.
    pub fn slowed(&self, id: Id, feet: u16) -> u16 {
        match self.lasting(id).iter().any(|l| l.condition.half_speed) {
            true => feet / 10 * 5,
            false => feet,
        }
    }

    /// Feet that somebody moves as its kind has it, or half of that if something slows it.
    pub fn speed(&self, id: Id) -> u16 {
        let feet = u16::try_from(self.creature(id).speed).unwrap_or(0);
        self.slowed(id, feet)
    }

    /// What wards it best. Wards do not add up.
    pub fn ward(&self, id: Id) -> Option<&Lasting> {
        let wards = self.lasting(id).iter().filter(|l| l.defense > 0);
        wards.max_by_key(|l| l.defense)
    }

    /// What lasts on an attacker and changes its die. `point`: what a point of
    /// a d20 is here.
    pub fn hit_modifiers(&self, by: Id, point: i32, rule: Rule) -> impl Iterator<Item = Modifier> {
        let all = self.lasting(by).iter();
        let all = all.filter(|l| l.condition.to_hit != 0);
        all.map(move |l| l.modifier(l.condition.to_hit * point, self, rule))
    }

    /// What makes a target harder to hit, or easier: the best ward, and all
    /// that leaves it open.
    pub fn defense_modifiers(&self, of: Id, rule: Rule) -> impl Iterator<Item = Modifier> {
        let open = self.lasting(of).iter().filter(|l| l.defense < 0);
        let all = self.ward(of).into_iter().chain(open);
        all.map(move |l| l.modifier(l.defense, self, rule))
    }
}

/// Whether something of a kind lasts on somebody, from a bare world: probes.
pub fn lies_on(world: &World, id: Id, wanted: fn(&Lasting) -> bool) -> bool {
    component::<Conditions>(world, id).0.iter().any(wanted)
}

/// The points of the best ward on somebody, likewise.
pub fn ward_on(world: &World, id: Id) -> i32 {
    let wards = component::<Conditions>(world, id)
        .0
        .iter()
        .map(|l| l.defense);
    wards.max().unwrap_or(0).max(0)
}
