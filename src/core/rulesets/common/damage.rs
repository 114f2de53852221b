//! The damage of an attack: the possible results of its dice, the rolled result, and total losses
//! per unit.

use crate::{
    battle::{DiceBox, Id, Modifier, Roll, Rule, sum},
    content::{Creature, Dice, Save, Skill, Weapon},
};
use std::{borrow::Cow, collections::BTreeMap, sync::OnceLock};

/// The damage of a hit. A combat system fills in what its rules use, and rolls it with
/// [`Damage::roll`]; forecasts, previews and the AI use the same numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    pub dice: Dice,
    pub modifiers: Vec<Modifier>,
    /// Added to the dice, but the dice and this never exceed the dice's maximum.
    pub within: i32,
    /// Minimum of the sum, before it is multiplied.
    pub least: i32,
    /// Multiplier of the sum.
    pub times: i32,
    /// Subtracted from the result, down to 0.
    pub armour: i32,
}

impl Damage {
    /// Damage from dice and modifiers alone: at least 0.
    pub fn new(dice: Dice, modifiers: Vec<Modifier>) -> Self {
        Self {
            dice,
            modifiers,
            within: 0,
            least: 0,
            times: 1,
            armour: 0,
        }
    }

    /// The sum of the modifiers, without the weapon's own bonus.
    pub fn bonus(&self) -> i32 {
        sum(&self.modifiers)
    }

    /// The damage if the dice show `rolled` in total.
    pub fn done(&self, rolled: i32) -> i32 {
        self.with(rolled, self.bonus(), self.times)
    }

    /// The damage if the dice show `rolled` in total, with this bonus and multiplier. Faster than
    /// [`Damage::done`] for many totals with one bonus.
    pub fn with(&self, rolled: i32, bonus: i32, times: i32) -> i32 {
        let most = i32::from(self.dice.count) * i32::from(self.dice.sides);
        let rolled = (rolled + self.within).min(most.max(rolled));
        let sum = (rolled + i32::from(self.dice.plus) + bonus).max(self.least);
        (sum * times - self.armour).max(0)
    }

    /// The minimum and maximum damage of a hit.
    pub fn span(&self) -> (i32, i32) {
        let least = i32::from(self.dice.count);
        let most = least * i32::from(self.dice.sides);
        (self.done(least), self.done(most))
    }

    /// The chance of `points` or more damage.
    pub fn at_least(&self, points: i32) -> Odds {
        self.share_of(points).1
    }

    /// Ten times the mean damage, rounded down, with every result capped at `points`; and the
    /// chance of `points` or more.
    pub fn share_of(&self, points: i32) -> (i32, Odds) {
        let (mut done_by_ways, mut all, mut enough) = (0, 0u32, 0);
        let bonus = self.bonus();
        each_sum(self.dice, |sum, ways| {
            let done = self.with(sum, bonus, self.times);
            done_by_ways += i64::from(done.min(points)) * i64::from(ways);
            all += ways;
            enough += if done >= points { ways } else { 0 };
        });
        let mean = (done_by_ways * 10 / i64::from(all).max(1)) as i32;
        (mean, Odds::new(enough, all))
    }

    /// Ten times the mean damage, rounded down.
    pub fn mean_x10(&self) -> i32 {
        self.share_of(i32::MAX).0
    }

    /// Rolls the dice: the damage, and the roll with the weapon's own bonus (under this rule) and
    /// the modifiers. If a minimum, multiplier or armour changes the sum, the caller explains it
    /// with [`Roll::set_total`].
    pub fn roll(&self, rule: Rule, dice: &mut DiceBox) -> (i32, Roll) {
        let mut roll = Roll::thrown(self.dice, "weapon", rule, dice);
        let points = self.done(roll.shown());
        roll.modifiers.extend_from_slice(&self.modifiers);
        (points, roll)
    }
}

/// What adds to a weapon's damage: an ability, the weapon's magic, a trait of the attacker.
pub fn added(
    by: &Creature,
    weapon: &Weapon,
    ability: (i32, &'static str),
) -> [(i32, &'static str); 3] {
    let magic = (weapon.magic, "magic weapon");
    [ability, magic, (by.damage_bonus(), "trait")]
}

/// What adds to a weapon's damage, as [`added`], plus a hero's Brawl skill for unarmed attacks.
pub fn added_unarmed(
    by: &Creature,
    weapon: &Weapon,
    ability: (i32, &'static str),
) -> [(i32, &'static str); 4] {
    let brawl = by.brawl_damage(weapon);
    let [ability, magic, gift] = added(by, weapon, ability);
    [ability, magic, gift, (brawl, Skill::Brawl.label())]
}

/// The damage of a spell after the target's save. `None` if a successful save cancels it.
pub fn after_save(points: i32, save: Save, saved: bool) -> Option<i32> {
    match (saved, save) {
        (true, Save::Negates) => None,
        (true, Save::Half) => Some(points / 2),
        _ => Some(points),
    }
}

/// A chance as a fraction of whole numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    pub favourable: u32,
    pub of: u32,
}

impl Odds {
    pub const SURE: Self = Self::new(1, 1);
    pub const NEVER: Self = Self::new(0, 1);

    const fn new(favourable: u32, of: u32) -> Self {
        Self { favourable, of }
    }

    /// `favourable` out of `of`, scaled down if the numbers are too large.
    pub fn of(favourable: u64, of: u64) -> Self {
        let shift = (64 - of.leading_zeros()).saturating_sub(u32::BITS);
        Self::new((favourable >> shift) as u32, (of >> shift) as u32)
    }

    /// The chance of this many results of a d20.
    pub fn d20(outcomes: i32) -> Self {
        Self::new(outcomes.clamp(0, 20) as u32, 20)
    }

    /// The chance that the sum of some dice is wanted.
    pub fn of_sum(count: u8, sides: u16, wanted: impl Fn(i32) -> bool) -> Self {
        let (mut favourable, mut of) = (0, 0);
        each_sum(Dice::new(count, sides, 0), |sum, ways| {
            of += ways;
            favourable += if wanted(sum) { ways } else { 0 };
        });
        Self { favourable, of }
    }

    /// The chance that both happen, one after the other.
    pub fn and(self, then: Self) -> Self {
        let times = |a: u32, b: u32| u64::from(a) * u64::from(b);
        let favourable = times(self.favourable, then.favourable);
        Self::of(favourable, times(self.of, then.of))
    }

    /// The chance that it does not happen.
    pub fn complement(self) -> Self {
        Self::new(self.of.saturating_sub(self.favourable), self.of)
    }

    /// The chance in percent, rounded to the nearest.
    pub fn percent(self) -> u32 {
        let (favourable, of) = (u64::from(self.favourable), u64::from(self.of));
        ((favourable * 100 + of / 2) / of.max(1)) as u32
    }

    pub fn as_f32(self) -> f32 {
        self.favourable as f32 / self.of.max(1) as f32
    }
}

/// Calls `each` with every sum of the dice, without modifiers, and the number of combinations that
/// give it. Only six dice (three of more than 12 sides) are enumerated, to keep the counts in
/// range; the rest count as their mean.
pub fn each_sum(dice: Dice, mut each: impl FnMut(i32, u32)) {
    let sides = i32::from(dice.sides);
    let apart = dice.count.min(if sides <= 12 { 6 } else { 3 });
    let mean = i32::from(dice.count - apart) * (sides + 1) / 2;
    match apart {
        0 => each(mean, 1),
        1 => (1..=sides).for_each(|face| each(mean + face, 1)),
        _ => {
            let ways = combinations(apart.into(), dice.sides.into());
            for (sum, &n) in ways.iter().enumerate().filter(|w| *w.1 > 0) {
                each(mean + sum as i32, n);
            }
        }
    }
}

/// The number of combinations for each sum of some dice; cached for common dice.
fn combinations(count: usize, sides: usize) -> Cow<'static, [u32]> {
    const MAX: (usize, usize) = (6, 12);
    static KNOWN: [[OnceLock<Vec<u32>>; MAX.1 + 1]; MAX.0 + 1] =
        [const { [const { OnceLock::new() }; MAX.1 + 1] }; MAX.0 + 1];
    match KNOWN.get(count).and_then(|some| some.get(sides)) {
        Some(known) => known
            .get_or_init(|| count_combinations(count, sides))
            .into(),
        None => count_combinations(count, sides).into(),
    }
}

fn count_combinations(count: usize, sides: usize) -> Vec<u32> {
    let mut ways = vec![0; count * sides + 1];
    ways[0] = 1;
    for dice in 1..=count {
        // From the highest sum down, because each sum is built from lower ones.
        for sum in (0..=dice * sides).rev() {
            let before = sum.saturating_sub(sides)..sum;
            ways[sum] = ways[before].iter().sum();
        }
    }
    ways
}

/// What a unit loses at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Loss {
    /// Hit points, or what takes their place.
    pub points: i32,
    /// Whether it can kill. If not, it only knocks out.
    pub lethal: bool,
}

impl Loss {
    /// Points of a non-lethal loss.
    pub fn plain(points: i32) -> Self {
        let lethal = false;
        Self { points, lethal }
    }

    /// Points of a lethal loss.
    pub fn deadly(points: i32) -> Self {
        let lethal = true;
        Self { points, lethal }
    }
}

/// What several units lose at one moment, in id order. Only the sum decides who falls: two attacks
/// may do together what neither would do alone.
#[derive(Clone, Debug, Default)]
pub struct Losses(BTreeMap<Id, Loss>);

impl Losses {
    pub fn add(&mut self, who: Id, points: i32, lethal: bool) {
        let loss = self.0.entry(who).or_default();
        loss.points += points;
        loss.lethal |= lethal;
    }
}

impl IntoIterator for Losses {
    type Item = (Id, Loss);
    type IntoIter = std::collections::btree_map::IntoIter<Id, Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
