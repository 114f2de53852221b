//! Paths that take several turns.

use crate::{
    battle::{Id, View, run_system},
    grid::Cell,
};
use bevy_ecs::{system::In, world::World};

/// Feet of the cheapest path to a cell, over any number of turns. `None` if no path exists.
pub fn distance(world: &mut World, who: Id, to: Cell) -> Option<u16> {
    fn read(In((who, to)): In<(Id, Cell)>, view: View) -> Option<u16> {
        let occupancy = view.occupancy(who, |_| None);
        view.walk(who, &occupancy, |walk| {
            let path = walk.path(view.body(who).at, to)?;
            Some(walk.price(&path).ok()?.feet)
        })
    }
    run_system(world, read, (who, to))
}

/// The cheapest path to a cell, or to one next to it if it is occupied, over any number of
/// turns. Empty if there is none.
pub fn long_path(world: &mut World, who: Id, to: Cell) -> Vec<Cell> {
    fn read(In((who, to)): In<(Id, Cell)>, view: View) -> Vec<Cell> {
        let occupancy = view.occupancy(who, |_| None);
        view.walk(who, &occupancy, |walk| {
            let here = view.body(who).at;
            let way = |cell: Cell| {
                let path = walk.path(here, cell)?;
                let feet = walk.price(&path).ok()?.feet;
                walk.may_stop(cell).then_some((feet, path))
            };
            let beside = || to.neighbours().filter_map(way);
            let best = way(to).or_else(|| beside().min_by_key(|w| w.0));
            best.map_or(vec![], |w| w.1)
        })
    }
    run_system(world, read, (who, to))
}
