//! The winner of the first initiative, set from outside the battle: the laboratory measures what
//! the first move is worth.

use super::Side;
use bevy_ecs::resource::Resource;
use std::cmp::Reverse;

/// The side that wins the first initiative, whatever it rolls: the rolls are handed out again. No
/// level sets this.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstMove(pub Side);

impl FirstMove {
    /// Gives the side the best of the sides' rolls; `None` is a side that does not roll. `faces`
    /// is the number of sides of the die. A tie is broken by a better roll for this side or a
    /// worse one for the others.
    pub fn hand_to_side(self, rolls: &mut [Option<u16>], faces: u16) {
        let mine = self.0.index();
        let Some(own) = rolls[mine] else { return };
        let others = (0..rolls.len()).filter(|&n| n != mine);
        let Some((best, at)) = others.filter_map(|n| Some((rolls[n]?, n))).max() else {
            return;
        };
        if best > own {
            rolls.swap(mine, at);
        }
        let own = own.max(best);
        let is_level = |n: usize, roll: &Option<u16>| n != mine && *roll == Some(own);
        let mut all = rolls.iter_mut().enumerate();
        if !all.any(|(n, roll)| is_level(n, roll)) {
            return;
        }
        match own < faces {
            true => rolls[mine] = Some(own + 1),
            false => {
                let all = rolls.iter_mut().enumerate();
                let level = all.filter(|(n, roll)| is_level(*n, roll));
                level.for_each(|(_, roll)| *roll = Some(own - 1));
            }
        }
    }

    /// Gives the side's units the best counts (higher is better). The order of the units within
    /// each side stays.
    pub fn give_best_counts(self, counts: &mut [(Side, i32)]) {
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by_key(|&n| (counts[n].0 != self.0, Reverse(counts[n].1)));
        let mut handed: Vec<i32> = counts.iter().map(|c| c.1).collect();
        handed.sort_unstable_by_key(|&count| Reverse(count));
        for (n, count) in order.into_iter().zip(handed) {
            counts[n].1 = count;
        }
    }
}
