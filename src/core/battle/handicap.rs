//! Handicaps: steps that raise the hit points of a side's units (OP-03). A step is worth the
//! same under every ruleset; how it is applied is up to the ruleset ([`Ruleset::add_bonus_hp`]).

use super::{Body, CurrentLevel, Event, EventKind, Id, Ruleset, Seen, Side, of_unit, of_unit_mut};
use bevy_ecs::world::World;

/// Percent of a unit's hit points that each step adds.
pub const PERCENT: i32 = 5;
/// The most steps that a side can have.
pub const MAX: u8 = 20;

/// The hit points that the handicap adds: 5% for each step, rounded to the nearest.
pub fn added(max_hp: i32, steps: u8) -> i32 {
    (max_hp * PERCENT * i32::from(steps) + 50) / 100
}

/// Adds a handicap under rulesets that use hit points.
pub fn add_bonus_hp(world: &mut World, who: Id, steps: u8) {
    let body = of_unit_mut::<Body>(world, who);
    let more = added(body.max_hp, steps);
    body.max_hp += more;
    body.hp += more;
}

/// Gives all units their bonus from their side's handicap and from the level.
pub(super) fn give(world: &mut World, rules: &Ruleset) {
    let level = world.get_resource::<CurrentLevel>();
    let sides = level.map_or(&[][..], |level| &level.0.sides[..]);
    let steps: Vec<u8> = sides.iter().map(|side| side.steps(rules.id)).collect();
    if steps.iter().all(|steps| *steps == 0) {
        return;
    }
    for who in world.resource::<super::Roster>().ids() {
        let side = of_unit::<Body>(world, who).side;
        match steps[side.index()] {
            0 => {}
            steps => (rules.add_bonus_hp)(world, who, steps),
        }
    }
}

/// The events that announce the handicaps when the battle begins.
pub(super) fn events(world: &World) -> impl Iterator<Item = Event> + use<> {
    let all = steps(world).into_iter().enumerate();
    let all = all.filter(|&(_, steps)| steps > 0);
    all.map(|(n, steps)| Event {
        rule: "OP-03",
        seen: Seen::All,
        what: EventKind::Handicap {
            side: Side(n as u8),
            points: steps,
        },
    })
}

/// The handicap of each side, in steps; empty if no side has any.
fn steps(world: &World) -> Vec<u8> {
    let level = world.get_resource::<CurrentLevel>();
    level.map_or(vec![], |level| level.0.handicaps())
}
