//! The distribution of an attack's damage, and how likely it is to drop the target.

/// The distribution of an attack's damage, misses included, in ascending order of points.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spread {
    pub bars: Vec<DamageOutcome>,
}

/// One possible amount of damage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DamageOutcome {
    pub points: i32,
    /// The chance of exactly this many points, from 0 to 1.
    pub chance: f32,
    /// The part of that chance in which the target drops.
    pub drops: f32,
}

impl Spread {
    /// The distribution for an attack that hits with the chance `hit` and does `low` to `high`
    /// points, where `at_least` gives the chance of that many points or more. A miss does `miss`
    /// points. `enough` points drop the target.
    pub fn of(
        hit: f32,
        (low, high): (i32, i32),
        at_least: impl Fn(i32) -> f32,
        miss: i32,
        enough: i32,
    ) -> Self {
        let mut spread = Self::default();
        let mut add = |points: i32, chance: f32| {
            let drops = if points >= enough { chance } else { 0.0 };
            spread.add(points, chance, drops);
        };
        add(miss, 1.0 - hit);
        for points in low..=high {
            add(points, hit * (at_least(points) - at_least(points + 1)));
        }
        spread
    }

    /// Adds an outcome with a chance, of which `drops` drops the target.
    pub fn add(&mut self, points: i32, chance: f32, drops: f32) {
        if chance <= 0.0 {
            return;
        }
        let place = self.bars.partition_point(|b| b.points < points);
        match self.bars.get_mut(place).filter(|b| b.points == points) {
            Some(bar) => {
                bar.chance += chance;
                bar.drops += drops;
            }
            None => self.bars.insert(
                place,
                DamageOutcome {
                    points,
                    chance,
                    drops,
                },
            ),
        }
    }

    /// The distribution of the sum of two attacks on the same target.
    pub fn and(&self, other: &Self, enough: i32) -> Self {
        let mut sum = Self::default();
        for a in &self.bars {
            for b in &other.bars {
                let (points, chance) = (a.points + b.points, a.chance * b.chance);
                let drops = if points >= enough { chance } else { 0.0 };
                sum.add(points, chance, drops);
            }
        }
        sum
    }

    /// The distribution of the sum of several attacks on the same target, each with the points
    /// that are enough to drop it.
    pub fn sum(each: impl Iterator<Item = (Self, i32)>) -> Self {
        let sum = each.reduce(|(sum, enough), (next, _)| (sum.and(&next, enough), enough));
        sum.map_or_else(Self::default, |s| s.0)
    }

    /// Whether the damage is always the same.
    pub fn is_sure(&self) -> bool {
        self.bars.len() < 2
    }

    /// The mean damage.
    pub fn mean(&self) -> f32 {
        self.bars.iter().map(|b| b.points as f32 * b.chance).sum()
    }

    /// The chance to drop the target, in percent.
    pub fn drop_percent(&self) -> u32 {
        let drops: f32 = self.bars.iter().map(|b| b.drops).sum();
        (drops * 100.0).round() as u32
    }

    /// The distribution in at most this many bars of equal width, each named by its lowest number
    /// of points.
    pub fn at_most(&self, most: usize) -> Vec<DamageOutcome> {
        let (Some(first), Some(last)) = (self.bars.first(), self.bars.last()) else {
            return vec![];
        };
        let span = (last.points - first.points + 1) as usize;
        let width = span.div_ceil(most.max(1)).max(1) as i32;
        let mut out: Vec<DamageOutcome> = (first.points..=last.points)
            .step_by(width as usize)
            .map(|points| DamageOutcome {
                points,
                chance: 0.0,
                drops: 0.0,
            })
            .collect();
        for bar in &self.bars {
            let into = &mut out[((bar.points - first.points) / width) as usize];
            into.chance += bar.chance;
            into.drops += bar.drops;
        }
        out
    }
}
