//! Distances (GR-40).

use super::{
    Board, Space, cell,
    solid::{CELL, FOOT},
};

/// An exact straight-line distance between the centres of two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Distance {
    /// The square of the distance, in units of 1/20 ft.
    squared: u64,
}

impl Distance {
    /// The distance in feet, rounded to the nearest foot for display; halves are rounded up.
    pub fn feet(self) -> u32 {
        // The largest f with f - 1/2 <= distance, that is 2f - 1 <= 2d.
        let half_feet = (self.squared * 4 / (FOOT * FOOT) as u64).isqrt();
        (half_feet as u32).div_ceil(2)
    }

    /// Whether the distance is at most `feet`.
    #[inline]
    pub fn is_within(self, feet: u32) -> bool {
        let limit = u64::from(feet) * FOOT as u64;
        self.squared <= limit * limit
    }
}

/// Up to this many feet, distances are counted in cells (GR-40).
const NEAR: u16 = 10;

/// How far one body is from another, in all measures that the rules use.
#[derive(Clone, Copy, Debug)]
pub struct Apart {
    /// Columns and rows between the nearest cells of the two.
    dx: u16,
    dy: u16,
    /// The difference in height, in units.
    rise: u32,
}

impl Apart {
    fn straight(self) -> Distance {
        let [dx, dy] = [self.dx, self.dy].map(|cells| u64::from(cells) * CELL as u64);
        let dz = u64::from(self.rise);
        Distance {
            squared: dx * dx + dy * dy + dz * dz,
        }
    }

    /// Like [`Board::within`], for two bodies with line of sight to each other.
    #[inline]
    pub fn is_within(self, feet: u16) -> bool {
        match feet > NEAR {
            true => self.straight().is_within(feet.into()),
            false => self.is_in_reach(feet),
        }
    }

    /// Like [`Board::in_reach`], for two bodies with line of sight to each other.
    #[inline]
    pub fn is_in_reach(self, feet: u16) -> bool {
        u32::from(self.dx.max(self.dy)) * 5 <= u32::from(feet)
            && self.rise <= u32::from(feet) * FOOT as u32
    }
}

/// The distance between two spaces in cells: the larger of the columns and rows between their
/// nearest cells. 1 for neighbours, 0 if they share a cell.
#[inline]
pub fn cells_apart(a: Space, b: Space) -> u16 {
    let (dx, dy) = cell::gap(a, b);
    dx.max(dy)
}

impl Board {
    /// The straight-line distance between two bodies in three dimensions, between the centres of
    /// their nearest cells. `None` off the map.
    pub fn distance(&self, a: Space, b: Space) -> Option<Distance> {
        self.apart(a, b).map(|apart| apart.straight())
    }

    /// How far `b` is from `a`, to check several reaches at once. `None` off the map.
    #[inline]
    pub fn apart(&self, a: Space, b: Space) -> Option<Apart> {
        let (dx, dy) = cell::gap(a, b);
        let rise = self.rise(a, b)?;
        Some(Apart { dx, dy, rise })
    }

    /// Whether `b` is within `feet` of `a`. Up to 10 ft, this counts cells and needs line of
    /// sight and at most as many feet of height difference. Beyond, it is the straight-line
    /// distance.
    #[inline]
    pub fn within(&self, a: Space, b: Space, feet: u16) -> bool {
        if feet > NEAR {
            return self.apart(a, b).is_some_and(|apart| apart.is_within(feet));
        }
        self.in_reach(a, b, feet)
    }

    /// Whether `b` is in a reach of `feet` from `a`. Counts cells at any length, and needs line
    /// of sight and at most as many feet of height difference.
    #[inline]
    pub fn in_reach(&self, a: Space, b: Space, feet: u16) -> bool {
        // A cheap check first: most pairs are too far apart.
        u32::from(cells_apart(a, b)) * 5 <= u32::from(feet) && self.is_near(a, b, feet)
    }

    fn is_near(&self, a: Space, b: Space, feet: u16) -> bool {
        let apart = self.apart(a, b);
        apart.is_some_and(|apart| apart.is_in_reach(feet)) && self.sight(a, b).los
    }

    /// The height difference between the nearest cells of two bodies, in units. A large body has
    /// several layers of cells.
    fn rise(&self, a: Space, b: Space) -> Option<u32> {
        if a.side() == 1 && b.side() == 1 {
            return Some(
                self.cell_data(a.at)?
                    .stand
                    .abs_diff(self.cell_data(b.at)?.stand),
            );
        }
        let layers = |space: Space| {
            let floor = self.cube(space)?.min[2];
            Some((0..i32::from(space.side())).map(move |layer| floor + layer * CELL))
        };
        let (a, b) = (layers(a)?, layers(b)?);
        a.flat_map(|low| b.clone().map(move |high| low.abs_diff(high)))
            .min()
    }
}
