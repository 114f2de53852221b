//! Exact intersection of a segment and a box.

use super::Block;

/// Whether a segment touches or enters a closed box.
pub(super) fn meets(block: &Block, from: [i32; 3], to: [i32; 3]) -> bool {
    times(block, from, to).is_some_and(|[enter, leave]| enter.at_most(leave))
}

/// Whether a segment touches or enters a closed box before the segment's end.
pub(super) fn meets_before_end(block: &Block, from: [i32; 3], to: [i32; 3]) -> bool {
    times(block, from, to).is_some_and(|[enter, leave]| enter.at_most(leave) && enter.0 < enter.1)
}

/// Whether a segment passes through the interior of a box.
pub(super) fn crosses(block: &Block, from: [i32; 3], to: [i32; 3]) -> bool {
    times(block, from, to).is_some_and(|[enter, leave]| !leave.at_most(enter))
}

/// A position along a segment, as a fraction of its length with a positive denominator.
#[derive(Clone, Copy)]
struct Time(i64, i64);

impl Time {
    fn at_most(self, other: Time) -> bool {
        self.0 * other.1 <= other.0 * self.1
    }
}

/// The latest entry of the segment between a pair of the box's faces, and the earliest exit.
/// `None` if it misses the box along an axis to which it is perpendicular.
fn times(block: &Block, from: [i32; 3], to: [i32; 3]) -> Option<[Time; 2]> {
    let (mut enter, mut leave) = (Time(0, 1), Time(1, 1));
    for k in 0..3 {
        let (start, way) = (i64::from(from[k]), i64::from(to[k]) - i64::from(from[k]));
        let (low, high) = (i64::from(block.min[k]), i64::from(block.max[k]));
        if way == 0 {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let (near, far) = if way > 0 {
            (low - start, high - start)
        } else {
            (start - high, start - low)
        };
        let (near, far) = (Time(near, way.abs()), Time(far, way.abs()));
        enter = if near.at_most(enter) { enter } else { near };
        leave = if leave.at_most(far) { leave } else { far };
    }
    Some([enter, leave])
}
