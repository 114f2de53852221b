//! What an attack would be: legal or not, what is added to the die, what it
//! would do. The resolver, the tooltip and the AI all ask here.

use super::{query::SegmentsQuery, state::Blow};
use crate::rulesets::common::attacks::{ToHit, to_hit};
use crate::rulesets::segments::numbers;
use crate::{
    battle::{Attack, Id, Modifier, Why, roomy, sum},
    content::Make,
    grid::{Cell, Space},
    rulesets::common::damage::{Damage, added},
};

/// An attack before its die is rolled (SE-50).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// Everything that is added to the d20.
    pub modifiers: Vec<Modifier>,
    /// What the total has to reach against AC 0.
    pub to_hit: i32,
    /// The target's descending armour class now, and what of it is for the moment.
    pub ac: i32,
    pub ac_modifiers: Vec<Modifier>,
    pub damage: Damage,
    /// Hit points that the target has.
    pub hp: i32,
}

to_hit!(Forecast: |f| f.to_hit - f.ac);

impl Forecast {
    /// A natural 20 always hits, a natural 1 never (SE-50).
    pub fn hits_with(&self, natural: i32) -> bool {
        natural == 20 || natural != 1 && natural >= self.needs()
    }

    /// Faces of the d20 that hit, 1 to 19.
    pub fn faces(&self) -> u32 {
        (21 - self.needs()).clamp(1, 19) as u32
    }

    pub fn percent(&self) -> u32 {
        self.faces() * 5
    }

    /// Two hundred times the damage to be expected.
    pub fn expected_by_200(&self) -> i32 {
        self.faces() as i32 * self.damage.mean_by_ten()
    }
}

impl SegmentsQuery<'_, '_> {
    /// What this blow would be now, or why it cannot be dealt. The same
    /// function lists it, resolves it and shows it.
    pub fn forecast(&self, blow: &Blow) -> Result<Forecast, Why> {
        self.forecast_from(blow, self.body(blow.attack.by).at)
    }

    /// As [`forecast`](Self::forecast), if the attacker stood at `from`.
    pub fn forecast_from(&self, blow: &Blow, from: Cell) -> Result<Forecast, Why> {
        let (by, _, with, ranged) = blow.attack.parts();
        self.view.both_up(&blow.attack, "SE-32")?;
        let line = self.view.line_of(&blow.attack, from, ["SE-50", "SE-50"])?;
        let mut forecast = self.plain_forecast(blow);
        let mut add = |value: i16, label: &'static str| {
            forecast
                .modifiers
                .push(Modifier::new(value, label, "SE-50"));
        };
        if ranged {
            if self.is_beset(by, line.here) {
                return Err(Why::new("SE-53", "an enemy is adjacent"));
            }
            if line.is_long {
                add(numbers::BEYOND_NORMAL_RANGE, "long range");
            }
        } else {
            line.reaches(&self.view, self.reach(by, with), "SE-50")?;
        }
        if let Some((value, label)) = line.by_cover(numbers::HALF_COVER, numbers::FULL_COVER) {
            add(value, label);
        }
        Ok(forecast)
    }

    /// What a blow would be with nothing in the way: no cover, normal range.
    /// For those who weigh up places.
    pub fn plain_forecast(&self, blow: &Blow) -> Forecast {
        let attack = &blow.attack;
        let (ac, ac_modifiers) = self.armour_class(attack.at, attack.ranged);
        let mut modifiers = self.skill_modifiers(attack);
        let mut add = |value: i16, label: &'static str| {
            modifiers.push(Modifier::new(value, label, "SE-50"));
        };
        if !attack.ranged && self.body(attack.by).prone {
            add(numbers::PRONE, "prone");
        }
        if self.is_helpless(attack.at) {
            add(numbers::EASY, "target helpless");
        } else if !attack.ranged && self.body(attack.at).prone {
            add(numbers::EASY, "target prone");
        }
        modifiers.extend(self.view.hit_modifiers(attack.by, 1, "SE-40"));
        modifiers.extend_from_slice(&attack.extra);
        Forecast {
            modifiers,
            to_hit: self.stats(attack.by).to_hit,
            ac,
            ac_modifiers,
            damage: self.damage(blow),
            hp: self.body(attack.at).hp,
        }
    }

    /// Some armed foe would stand next to it there, and is not helpless.
    fn is_beset(&self, id: Id, there: Space) -> bool {
        self.view.foes(self.body(id).side).any(|foe| {
            let space = self.body(foe).space();
            let able = self.is_armed(foe) && !self.is_helpless(foe);
            able && self.view.board.in_reach(space, there, numbers::NEXT_TO)
        })
    }

    /// Attribute, missile bonus (SE-31) and magic.
    fn skill_modifiers(&self, attack: &Attack) -> Vec<Modifier> {
        let weapon = self.weapon(attack.with);
        let (rule, own) = if attack.ranged {
            let bonus = self.stats(attack.by).missile;
            ("SE-31", (bonus, "missile bonus"))
        } else {
            let creature = self.view.creature(attack.by);
            let (attribute, value) = creature.best_modifier(&weapon.attributes);
            ("SE-50", (value, attribute.name()))
        };
        let magic = Modifier::list("SE-50", [(weapon.magic, "magic weapon")]);
        roomy(Modifier::list(rule, [own]).chain(magic))
    }

    /// Descending armour class against melee or missiles, with what holds for
    /// the moment; a modifier above 0 makes it worse.
    pub fn armour_class(&self, of: Id, ranged: bool) -> (i32, Vec<Modifier>) {
        let (stats, fighter) = (self.stats(of), self.fighter(of));
        let mut now = vec![];
        if fighter.charged == Some(self.clock.round) {
            now.push(Modifier::new(
                numbers::CHARGED,
                "charged this round",
                "SE-51",
            ));
        }
        // What makes it better is below 0 on this scale.
        let lasting = self.view.defense_modifiers(of, "SE-40");
        now.extend(lasting.map(|m| Modifier {
            value: -m.value,
            ..m
        }));
        let (worn, shield) = if ranged {
            (stats.ac_ranged, stats.shield_ranged)
        } else {
            (stats.ac, stats.shield)
        };
        let lost = if self.gear(of).shield { 0 } else { shield };
        // The scale ends at both ends (SE-50).
        ((worn + lost + sum(&now)).clamp(-10, 10), now)
    }

    /// The dice of a hit and what is added to them: in melee the attribute.
    /// Never below 1 (decided).
    fn damage(&self, blow: &Blow) -> Damage {
        let attack = &blow.attack;
        let creature = self.view.creature(attack.by);
        let weapon = self.weapon(attack.with);
        let (attribute, value) = creature.best_modifier(&weapon.attributes);
        let in_hand = !attack.ranged && weapon.make != Make::Unarmed;
        let value = if in_hand { value } else { 0 };
        let parts = added(creature, weapon, (value, attribute.name()));
        Damage {
            least: 1,
            times: blow.times.into(),
            ..Damage::new(weapon.damage, Modifier::list("SE-50", parts).collect())
        }
    }

    /// Among whom a missile at `at` picks its target: those in melee with it,
    /// and it, each as often as it has cells along an edge (SE-53). One: nobody
    /// fights it.
    pub fn melee_around(&self, by: Id, at: Id) -> Vec<(Id, u16)> {
        let side = self.body(at).side;
        let near = |id: &Id| {
            let other = *id != by && *id != at && self.is_up(*id);
            other && self.view.in_reach(*id, at, numbers::NEXT_TO)
        };
        let near: Vec<Id> = self.view.ids().filter(near).collect();
        let in_melee = near.iter().any(|&id| self.body(id).side != side);
        let size = |id: Id| (id, u16::from(self.body(id).size));
        let mut all = vec![size(at)];
        if in_melee {
            all.extend(near.into_iter().map(size));
            all.sort();
        }
        all
    }
}
