//! The figures of a creature under every ruleset. Each ruleset computes them from a battle that is
//! set up but never fought.

use super::ALL;
use crate::{
    battle::{Id, Replica, Stat, level_setup},
    content::{Content, Creature},
    levels::{self, Level, Rules},
};
use std::sync::{Arc, LazyLock};

/// A level on which two units of one kind face each other.
const GROUND: &str = r#"(
    title: "Two of a kind",
    map: ["..........", "..........", "..........", "..........", "..........",
          "..........", "..........", "..........", "..........", ".........."],
    sides: [(id: "one"), (id: "other")],
    combatants: [
        (kind: "mara", side: "one", at: (0, 0)),
        (kind: "mara", side: "other", at: (5, 5)),
    ],
    exits: [(at: (9, 0))],
)"#;

static LEVEL: LazyLock<Option<Level>> = LazyLock::new(|| {
    let read = levels::check_file("kinds.ron", GROUND);
    read.ok().map(|(level, _)| level)
});

/// The figures of a creature under each ruleset, with the ruleset's id, in the order of [`ALL`].
/// `sturdier` is the hit-point bonus that the level gives the creature's side.
pub fn profiles(
    content: &Arc<Content>,
    creature: &Arc<Creature>,
    sturdier: &[(Rules, u8)],
) -> Vec<(&'static str, Vec<Stat>)> {
    let Some(mut level) = LEVEL.clone() else {
        return vec![];
    };
    level.content = content.clone();
    level.sides[0].sturdier = sturdier.to_vec();
    for one in &mut level.combatants {
        one.creature = creature.clone();
    }
    let setup = level_setup(&Arc::new(level));
    let of = |rules: &&'static crate::battle::Ruleset| {
        let mut known = Replica::new(&setup, rules, None);
        (rules.id, (rules.profile)(&mut known.world, Id(0), Id(1)))
    };
    ALL.iter().map(of).collect()
}
