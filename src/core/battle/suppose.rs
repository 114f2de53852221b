//! The world as it would be if units stood elsewhere.

use super::{Body, Id, of_unit_mut};
use crate::grid::Cell;
use bevy_ecs::world::World;

/// Reads a world as if a unit stood elsewhere. The world is restored afterwards.
pub fn standing_at<T>(
    world: &mut World,
    who: Id,
    at: Cell,
    look: impl FnOnce(&mut World) -> T,
) -> T {
    standing_so(world, &[(who, at)], look)
}

/// Reads a world as if several units stood elsewhere. The world is restored afterwards.
pub fn standing_so<T>(
    world: &mut World,
    stands: &[(Id, Cell)],
    look: impl FnOnce(&mut World) -> T,
) -> T {
    let mut swap = |&(who, at): &(Id, Cell)| {
        let body = &mut of_unit_mut::<Body>(world, who).at;
        (who, std::mem::replace(body, at))
    };
    let before: Vec<(Id, Cell)> = stands.iter().map(&mut swap).collect();
    let seen = look(world);
    for (who, at) in before {
        of_unit_mut::<Body>(world, who).at = at;
    }
    seen
}
