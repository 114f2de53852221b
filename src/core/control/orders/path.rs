//! Paths that take several turns.

use crate::{
    battle::{Id, View},
    grid::Cell,
};
use bevy_ecs::world::World;

/// Feet of the cheapest path to a cell, over any number of turns. `None` if no path exists.
pub fn distance(world: &mut World, who: Id, to: Cell) -> Option<u16> {
    nearest(world, who, vec![to]).map(|(feet, _)| feet)
}

/// Whichever of these cells is cheapest to reach over any number of turns, and the feet of the path;
/// among equals the northernmost, then the westernmost. `None` if no path exists.
pub fn nearest(world: &mut World, who: Id, mut ends: Vec<Cell>) -> Option<(u16, Cell)> {
    View::read(world, |view| {
        let occupancy = view.occupancy(who, |_| None);
        view.walk(who, &occupancy, |walk| {
            let mut best: Option<(u16, Cell)> = None;
            while let Some(path) = walk.path_to_any(view.body(who).at, &ends) {
                let (feet, end) = (walk.price(&path).ok()?.feet, *path.last()?);
                if best.is_some_and(|best| best.0 < feet) {
                    break;
                }
                let place = |(_, cell): &(u16, Cell)| (cell.y, cell.x);
                best = best.into_iter().chain([(feet, end)]).min_by_key(place);
                ends.retain(|&other| other != end);
            }
            best
        })
    })
}

/// The cheapest path to a cell, or to one next to it if it is occupied, over any number of
/// turns. Empty if there is none.
pub fn long_path(world: &mut World, who: Id, to: Cell) -> Vec<Cell> {
    View::read(world, |view| {
        let occupancy = view.occupancy(who, |_| None);
        view.walk(who, &occupancy, |walk| {
            let path = |ends: &[Cell]| {
                let mut ends = ends.to_vec();
                ends.retain(|&end| walk.may_stop(end));
                walk.path_to_any(view.body(who).at, &ends)
            };
            let beside = || path(&to.neighbours().collect::<Vec<_>>());
            path(&[to]).or_else(beside).unwrap_or_default()
        })
    })
}
