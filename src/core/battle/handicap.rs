//! A handicap: points that a side has in a battle (OP-03). What a point means is
//! the same everywhere: all of its members can bear so much more. How a ruleset
//! keeps what somebody can bear is its own ([`Ruleset::add_bonus_hp`]).

use super::{Body, Event, EventKind, Id, LevelRes, Ruleset, Seen, Side, component, component_mut};
use bevy_ecs::world::World;

/// Percent of what somebody can bear that a point adds.
pub const PERCENT: i32 = 5;
/// Points that a side may have.
pub const MOST: u8 = 20;

/// What points add to what somebody can bear: 5% each, the half rounded up.
pub fn added(bears: i32, points: u8) -> i32 {
    (bears * PERCENT * i32::from(points) + 50) / 100
}

/// Most rulesets keep in hit points what somebody can bear.
pub fn add_bonus_hp(world: &mut World, who: Id, points: u8) {
    let mut body = component_mut::<Body>(world, who);
    let more = added(body.max_hp, points);
    body.max_hp += more;
    body.hp += more;
}

/// Everybody of a side with a handicap, or with points from the level, gets what they
/// give.
pub(super) fn give(world: &mut World, rules: &Ruleset) {
    let level = world.get_resource::<LevelRes>();
    let sides = level.map_or(&[][..], |level| &level.0.sides[..]);
    let points: Vec<u8> = sides.iter().map(|side| side.points(rules.id)).collect();
    if points.iter().all(|points| *points == 0) {
        return;
    }
    for who in world.resource::<super::Roster>().ids() {
        let side = component::<Body>(world, who).side;
        match points[side.index()] {
            0 => {}
            points => (rules.add_bonus_hp)(world, who, points),
        }
    }
}

/// Told as the battle begins.
pub(super) fn told(world: &World) -> impl Iterator<Item = Event> + use<> {
    let all = points(world).into_iter().enumerate();
    let all = all.filter(|&(_, points)| points > 0);
    all.map(|(n, points)| Event {
        rule: "OP-03",
        seen: Seen::All,
        what: EventKind::Handicap {
            side: Side(n as u8),
            points,
        },
    })
}

/// By side; empty where none has a handicap.
fn points(world: &World) -> Vec<u8> {
    let level = world.get_resource::<LevelRes>();
    level.map_or(vec![], |level| level.0.handicaps())
}
