//! Attack forecasts: legality, modifiers, damage. Resolution, tooltip and AI all use these
//! functions.

use super::{
    numbers::{self, AttackTableRow},
    query::PhasedQuery,
};
use crate::{
    battle::{Attack, Id, Modifier, Why, list_with_spare_room, sum},
    content::{Dice, Make},
    grid::Space,
    rulesets::common::{
        attacks::{ToHit, to_hit},
        damage::{Damage, Odds, added},
        line::LegalAttack,
    },
};

/// One attack of a routine (PH-35).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackSpec {
    pub attack: Attack,
    pub dice: Dice,
    /// Multiplier for the total damage (PH-34).
    pub times: i32,
    /// A called shot (PH-38).
    pub called: bool,
}

/// An attack before its die is rolled (PH-30).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// Everything that is added to the d20.
    pub modifiers: Vec<Modifier>,
    /// The target's current descending armour class; `ac_modifiers` lists its temporary parts.
    pub ac: i32,
    pub ac_modifiers: Vec<Modifier>,
    /// The attacker's row of the attack tables.
    pub row: AttackTableRow,
    pub called: bool,
    pub damage: Damage,
    /// Why the attack has no effect, whatever it rolls (PH-37); `None` if it can have one. `known`:
    /// whether the attacker's side can know.
    pub foiled: Option<NoEffect>,
    pub known: bool,
    /// The target's hit points.
    pub hp: i32,
}

/// Why an attack has no effect, whatever it rolls (PH-37).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoEffect {
    /// Bodies cannot touch the target, which everyone sees.
    Hedged,
    /// The weapon cannot harm the target; `true` if everyone sees it.
    Immune(bool),
}

impl NoEffect {
    pub fn shows(self) -> bool {
        match self {
            Self::Hedged => true,
            Self::Immune(shows) => shows,
        }
    }
}

to_hit!(Forecast: |f| f.row.need(f.ac));

impl Forecast {
    /// PH-31: a 20 always hits, a 1 never does; a called shot needs the 20 (PH-38).
    pub fn hits_with(&self, face: i32, total: i32) -> bool {
        face == 20 || (!self.called && face != 1 && total >= self.against())
    }

    /// The chance to hit, as far as the attacker's side can know.
    pub fn hit(&self) -> Odds {
        if self.foiled.is_some() && self.known {
            return Odds::d20(0);
        }
        let bonus = self.bonus();
        let good = (1..=20).filter(|&face| self.hits_with(face, face + bonus));
        Odds::d20(good.count() as i32)
    }

    /// The chance that this attack alone takes all of the target's hit points.
    pub fn drop(&self) -> Odds {
        self.hit().and(self.damage.at_least(self.hp))
    }

    /// Mean damage of the attack, times 200.
    pub fn mean_damage_x200(&self) -> i32 {
        self.hit().favourable as i32 * self.damage.mean_x10()
    }
}

impl PhasedQuery<'_, '_> {
    /// The attack's forecast now, or why the attack is not possible. Listing, resolution and
    /// display all use this function.
    pub fn forecast(&self, spec: &AttackSpec) -> Result<Forecast, Why> {
        let (line, cover) = self.legal_attack(&spec.attack)?;
        let mut forecast = self.unobstructed_forecast(spec);
        if line.is_long {
            let penalty = -self.tables().numbers.long_range;
            let long = Modifier::new(penalty, "long range", "PH-30");
            forecast.modifiers.push(long);
        }
        self.add_cover(&mut forecast, cover, (line.here, line.there));
        Ok(forecast)
    }

    /// The line of an attack from where the unit stands, and the percent of the target that cover
    /// hides; or why the attack is not possible.
    pub fn legal_attack(&self, attack: &Attack) -> Result<(LegalAttack, u8), Why> {
        let (by, at, with, ranged) = attack.parts();
        self.view.both_up(attack, "PH-60")?;
        Why::new("PH-06", "the target is hidden").when(self.fighter(at).hidden)?;
        Why::of_actor("PH-52", "shares a cell with another unit")
            .when(self.shares_cell(by).is_some())?;
        let from = self.body(by).at;
        let line = self.view.line_of(attack, from, ["PH-04", "PH-50"])?;
        if ranged {
            Why::new("PH-50", "in melee there is no shooting")
                .when(!self.weapon(with).is_thrown() && self.in_melee(by))?;
        } else {
            self.reaches(by, at)?;
        }
        let cover = self.cover_between(line.here, line.there)?;
        Ok((line, cover))
    }

    /// PH-27: percent of a target that cover hides from a space. Fails if it is all.
    pub fn cover_between(&self, here: Space, there: Space) -> Result<u8, Why> {
        let cover = self.view.board.unseen_share(here, there);
        Why::new("PH-27", "the target is wholly behind cover").when(cover >= 100)?;
        Ok(cover)
    }

    /// PH-27: adds the modifiers for cover, in percent of the target, and for the concealment between
    /// two spaces.
    pub fn add_cover(&self, forecast: &mut Forecast, cover: u8, (here, there): (Space, Space)) {
        let dark = self.view.board.concealment(here, there);
        let by_cover = numbers::penalty(&self.tables().cover, cover);
        let by_dark = numbers::penalty(&self.tables().concealment, dark);
        for (penalty, percent, what) in [(by_cover, cover, "cover"), (by_dark, dark, "concealment")]
        {
            if penalty > 0 {
                let label = format!("{percent}% {what}");
                let less = Modifier::new(-penalty as i16, label, "PH-27");
                forecast.modifiers.push(less);
            }
        }
    }

    /// The forecast with nothing in the way: no cover, normal range. The AI uses it to rate
    /// positions.
    pub fn unobstructed_forecast(&self, spec: &AttackSpec) -> Forecast {
        let Attack { by, at, ranged, .. } = spec.attack;
        let (ac, ac_modifiers) = self.armour_class(at, ranged);
        let mut modifiers = self.skill_modifiers(&spec.attack);
        let numbers = &self.tables().numbers;
        let mut add = |value: i16, label: &'static str| {
            modifiers.push(Modifier::new(value, label, "PH-30"));
        };
        if self.body(by).prone {
            add(-numbers.prone_attack, "prone");
        }
        if self.body(at).prone {
            add(numbers.prone_target, "target prone");
        }
        if self.view.is_held(at) {
            add(numbers.prone_target, "target held");
        }
        modifiers.extend(self.view.hit_modifiers(by, 1, "PH-60"));
        modifiers.extend_from_slice(&spec.attack.extra);
        let foiled = self.foil(&spec.attack);
        Forecast {
            modifiers,
            ac,
            ac_modifiers,
            row: self.stats(by).row,
            called: spec.called,
            damage: self.damage(spec),
            foiled,
            known: self.knows(by, at, foiled == Some(NoEffect::Hedged)),
            hp: self.body(at).hp,
        }
    }

    /// PH-37: whether the attacker's side knows what does not harm the target: bodies if `hedged`,
    /// else weapons and effects.
    pub fn knows(&self, by: Id, at: Id, hedged: bool) -> bool {
        let side = self.body(by).side;
        let f = self.fighter(at);
        let seen = if hedged { f.seen_hedged } else { f.seen_immune };
        side == self.body(at).side || seen & (1 << side.0) != 0
    }

    /// The modifiers from attribute and magic; training is part of the table row (PH-30).
    fn skill_modifiers(&self, attack: &Attack) -> Vec<Modifier> {
        let weapon = self.weapon(attack.with);
        let creature = self.view.creature(attack.by);
        let (attribute, value) = creature.best_modifier(&weapon.attributes);
        let parts = [(value, attribute.name()), (weapon.magic, "magic weapon")];
        list_with_spare_room(Modifier::list("PH-30", parts))
    }

    /// Descending armour class with its temporary modifiers (PH-30). A modifier above 0 makes it
    /// worse.
    pub fn armour_class(&self, of: Id, ranged: bool) -> (i32, Vec<Modifier>) {
        let (stats, fighter) = (self.stats(of), self.fighter(of));
        let mut now = vec![];
        if fighter.charged {
            let worse = self.tables().numbers.charge_ac;
            now.push(Modifier::new(worse as i16, "charged", "PH-42"));
        }
        // On a descending scale a bonus is negative.
        let lasting = self.view.defense_modifiers(of, "PH-30");
        now.extend(lasting.map(|m| Modifier {
            value: -m.value,
            ..m
        }));
        let (worn, shield) = match ranged {
            true => (stats.ac_ranged, stats.shield_ranged),
            false => (stats.ac_melee, stats.shield_melee),
        };
        let borne = self.inventory(of).shield;
        let bare = worn + if borne { 0 } else { shield };
        ((bare + sum(&now)).clamp(-10, 10), now)
    }

    /// PH-37: what makes an attack have no effect.
    fn foil(&self, attack: &Attack) -> Option<NoEffect> {
        let weapon = self.weapon(attack.with);
        let stats = self.stats(attack.at);
        let is_body = weapon.make != Make::Forged && !attack.ranged;
        if is_body && (stats.hedged || self.is_hedged(attack.at)) {
            return Some(NoEffect::Hedged);
        }
        (weapon.magic < stats.needs_magic).then_some(NoEffect::Immune(stats.shows))
    }

    /// The damage dice and their modifiers. The least damage is 1, before multiplication (PH-34).
    fn damage(&self, spec: &AttackSpec) -> Damage {
        let creature = self.view.creature(spec.attack.by);
        let weapon = self.weapon(spec.attack.with);
        let launched = spec.attack.ranged && !weapon.is_thrown();
        let (attribute, value) = creature.best_modifier(&weapon.attributes);
        let value = if launched { 0 } else { value };
        let parts = added(creature, weapon, (value, attribute.name()));
        Damage {
            least: 1,
            times: spec.times,
            ..Damage::new(spec.dice, Modifier::list("PH-34", parts).collect())
        }
    }
}
