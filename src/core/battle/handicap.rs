//! Handicaps: points that raise the hit points of a side's units (OP-03). A point is worth the
//! same under every ruleset; how it is applied is up to the ruleset ([`Ruleset::add_bonus_hp`]).

use super::{Body, CurrentLevel, Event, EventKind, Id, Ruleset, Seen, Side, of_unit, of_unit_mut};
use bevy_ecs::world::World;

/// Percent of a unit's hit points that each point adds.
pub const PERCENT: i32 = 5;
/// The most points that a side can have.
pub const MAX: u8 = 20;

/// The hit points that the handicap adds: 5% for each point, rounded to the nearest.
pub fn added(max_hp: i32, points: u8) -> i32 {
    (max_hp * PERCENT * i32::from(points) + 50) / 100
}

/// Adds a handicap under rulesets that use hit points.
pub fn add_bonus_hp(world: &mut World, who: Id, points: u8) {
    let body = of_unit_mut::<Body>(world, who);
    let more = added(body.max_hp, points);
    body.max_hp += more;
    body.hp += more;
}

/// Gives all units their bonus from their side's handicap and from the level.
pub(super) fn give(world: &mut World, rules: &Ruleset) {
    let level = world.get_resource::<CurrentLevel>();
    let sides = level.map_or(&[][..], |level| &level.0.sides[..]);
    let points: Vec<u8> = sides.iter().map(|side| side.points(rules.id)).collect();
    if points.iter().all(|points| *points == 0) {
        return;
    }
    for who in world.resource::<super::Roster>().ids() {
        let side = of_unit::<Body>(world, who).side;
        match points[side.index()] {
            0 => {}
            points => (rules.add_bonus_hp)(world, who, points),
        }
    }
}

/// The events that announce the handicaps when the battle begins.
pub(super) fn events(world: &World) -> impl Iterator<Item = Event> + use<> {
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

/// The handicap points of each side; empty if no side has any.
fn points(world: &World) -> Vec<u8> {
    let level = world.get_resource::<CurrentLevel>();
    level.map_or(vec![], |level| level.0.handicaps())
}
