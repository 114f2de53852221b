//! A weapon in each hand (SK-55).

use super::{numbers, query::SkirmishQuery};
use crate::{
    battle::{Attack, Id, Item, ItemPlace, Modifier},
    content::{Skill, Weapon},
    grid::Space,
};

impl SkirmishQuery<'_, '_> {
    /// The main and off-hand weapons of a unit that attacks with `with`, drawn first if it is at
    /// the belt. `None` unless it is trained to fight with both: level 1 in a skill of each.
    fn pair(&self, who: Id, with: Item) -> Option<(Item, Item)> {
        let inventory = self.inventory(who);
        let off = inventory.off_hand()?;
        let main = match inventory.place(with) {
            Some(ItemPlace::Belt) => with,
            _ => inventory.in_hand()?,
        };
        let held = |item| self.weapon(item).hands == 1 && self.is_trained(who, item);
        (held(main) && held(off)).then_some((main, off))
    }

    fn is_trained(&self, who: Id, item: Item) -> bool {
        let weapon = self.weapon(item);
        let level = |skill: &Skill| self.view.creature(who).skill(*skill).unwrap_or(0);
        skills(weapon).iter().any(|skill| level(skill) >= 1)
    }

    /// The penalty of two weapons to each attack roll.
    pub fn two_weapons(&self, who: Id, with: Item) -> Option<Modifier> {
        self.pair(who, with)?;
        Some(Modifier::new(numbers::TWO_WEAPONS, "two weapons", "SK-55"))
    }

    /// The bonus of the other weapon to the damage of a hit, if the target is also in its range
    /// from `here`.
    pub fn second_weapon(&self, attack: &Attack, here: Space) -> Option<Modifier> {
        let (main, off) = self.pair(attack.by, attack.with)?;
        let other = match attack.with {
            with if with == main => off,
            with if with == off => main,
            _ => return None,
        };
        let there = self.body(attack.at).space();
        let board = &self.view.board;
        let reach = self.reach(attack.by, other);
        let strikes = reach.is_some_and(|feet| board.in_reach(here, there, feet));
        let flies = attack.ranged && self.flies_to(other, here, there);
        (strikes || flies).then(|| Modifier::new(numbers::SECOND_WEAPON, "second weapon", "SK-55"))
    }
}

/// The skills of a weapon; for melee if it is a melee weapon.
fn skills(weapon: &Weapon) -> &[Skill] {
    match (&weapon.melee, &weapon.ranged) {
        (Some(melee), _) => &melee.skills,
        (None, Some(shot)) => &shot.skills,
        (None, None) => &[],
    }
}
