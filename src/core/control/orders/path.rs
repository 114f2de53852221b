//! Paths that take several turns.

use crate::{
    battle::{Id, View, run_system},
    grid::Cell,
};
use bevy_ecs::{system::In, world::World};

/// Feet of the cheapest path to a cell, over any number of turns. `None` if no path exists.
pub fn distance(world: &mut World, who: Id, to: Cell) -> Option<u16> {
    distances(world, who, vec![to])[0]
}

/// Feet of the cheapest path to each cell, over any number of turns. `None` where no path exists.
pub fn distances(world: &mut World, who: Id, cells: Vec<Cell>) -> Vec<Option<u16>> {
    fn read(In((who, cells)): In<(Id, Vec<Cell>)>, view: View) -> Vec<Option<u16>> {
        let range = view.range(who, view.occupancy(who, |_| None), u16::MAX);
        let feet = |cell| Some(range.get(cell)?.feet);
        cells.into_iter().map(feet).collect()
    }
    run_system(world, read, (who, cells))
}

/// The cheapest path to a cell, or to one next to it if it is occupied, over any number of
/// turns. Empty if there is none.
pub fn long_path(world: &mut World, who: Id, to: Cell) -> Vec<Cell> {
    fn read(In((who, to)): In<(Id, Cell)>, view: View) -> Vec<Cell> {
        let range = view.range(who, view.occupancy(who, |_| None), u16::MAX);
        let end = |cell: Cell| range.get(cell).filter(|end| end.may_stop);
        let beside = || to.neighbours().filter_map(end);
        let best = end(to).or_else(|| beside().min_by_key(|end| end.feet));
        best.map_or(vec![], |end| range.path(end.cell))
    }
    run_system(world, read, (who, to))
}
