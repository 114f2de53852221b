//! How the damage of an attack is spread, and which of it drops the target.

/// The damage of an attack, a miss included, from the least points to the most.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spread {
    pub bars: Vec<Outcome>,
}

/// A number of points of damage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    pub points: i32,
    /// The chance of just that many, from 0 to 1.
    pub chance: f32,
    /// The part of it that puts the target out of the fight.
    pub drops: f32,
}

impl Spread {
    /// Of an attack that hits with some chance, then does between `low` and
    /// `high` points, that many or more with the chance of `at_least`, and that
    /// does `miss` points when it misses. `enough` points are what it takes to drop
    /// the target.
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

    /// Adds points that come with some chance, a part of which drops the target.
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
                Outcome {
                    points,
                    chance,
                    drops,
                },
            ),
        }
    }

    /// The sum of this and of another attack on the same target.
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

    /// Several attacks on the same target together: each with the points that are
    /// enough to drop the target.
    pub fn sum(each: impl Iterator<Item = (Self, i32)>) -> Self {
        let sum = each.reduce(|(sum, enough), (next, _)| (sum.and(&next, enough), enough));
        sum.map_or_else(Self::default, |s| s.0)
    }

    /// It is one number of points, whatever the dice.
    pub fn is_sure(&self) -> bool {
        self.bars.len() < 2
    }

    /// The points to be expected.
    pub fn mean(&self) -> f32 {
        self.bars.iter().map(|b| b.points as f32 * b.chance).sum()
    }

    /// The chance that the target is out of the fight.
    pub fn drop_percent(&self) -> u32 {
        let drops: f32 = self.bars.iter().map(|b| b.drops).sum();
        (drops * 100.0).round() as u32
    }

    /// The same in this many bars at most, each of as many points as the next
    /// and named by its least.
    pub fn at_most(&self, most: usize) -> Vec<Outcome> {
        let (Some(first), Some(last)) = (self.bars.first(), self.bars.last()) else {
            return vec![];
        };
        let span = (last.points - first.points + 1) as usize;
        let width = span.div_ceil(most.max(1)).max(1) as i32;
        let mut out: Vec<Outcome> = (first.points..=last.points)
            .step_by(width as usize)
            .map(|points| Outcome {
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
