//! The world as it would be if units stood elsewhere or were still in the fight, or if all doors
//! were open.

use super::{Body, Id, Map, State, of_unit_mut};
use crate::grid::Cell;
use bevy_ecs::world::World;

/// Reads a world as if a unit stood elsewhere. The world is restored afterwards.
pub fn standing_at<T>(
    world: &mut World,
    who: Id,
    at: Cell,
    read: impl FnOnce(&mut World) -> T,
) -> T {
    standing_so(world, &[(who, at)], read)
}

/// Reads a world as if several units stood elsewhere. The world is restored afterwards.
pub fn standing_so<T>(
    world: &mut World,
    stands: &[(Id, Cell)],
    read: impl FnOnce(&mut World) -> T,
) -> T {
    let mut swap = |&(who, at): &(Id, Cell)| {
        let body = &mut of_unit_mut::<Body>(world, who).at;
        (who, std::mem::replace(body, at))
    };
    let before: Vec<(Id, Cell)> = stands.iter().map(&mut swap).collect();
    let seen = read(world);
    for (who, at) in before {
        of_unit_mut::<Body>(world, who).at = at;
    }
    seen
}

/// Reads a world as if a unit that is out of the fight stood where it is. The world is restored
/// afterwards.
pub fn standing_up<T>(world: &mut World, who: Id, read: impl FnOnce(&mut World) -> T) -> T {
    let before = std::mem::replace(&mut of_unit_mut::<Body>(world, who).state, State::Up);
    let seen = read(world);
    of_unit_mut::<Body>(world, who).state = before;
    seen
}

/// Reads a world as if all doors were open. The world is restored afterwards.
pub fn with_doors_open<T>(world: &mut World, read: impl FnOnce(&mut World) -> T) -> T {
    let open = world.resource::<Map>().opened();
    let before = std::mem::replace(&mut world.resource_mut::<Map>().0, open);
    let seen = read(world);
    world.resource_mut::<Map>().0 = before;
    seen
}
