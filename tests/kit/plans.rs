//! Levels for tests of plans.

/// A caster in the open in front of archers, and a fighter for orders to move or attack.
pub const CASTER: &str = r##"(
    title: "What disrupts it",
    map: [
        "............",
        "............",
        "............",
        "............",
        "............",
        "............",
    ],
    sides: [(id: "party"), (id: "foes", control: Ai)],
    combatants: [
        (kind: "mara", side: "party", at: (1, 4)),
        (kind: "ysolde", side: "party", at: (2, 1)),
        (kind: "goblin", side: "foes", at: (6, 4)),
        (kind: "goblin_archer", side: "foes", at: (7, 1)),
        (kind: "goblin_archer", side: "foes", at: (7, 2)),
    ],
)"##;

/// A party and two idle enemies, one of them behind walls. The near enemy, of the kind `FOE`, has
/// too many hit points to fall in one round.
pub const NOBODY: &str = r##"(
    title: "Nobody interferes",
    map: [
        "................",
        "................",
        "................",
        ".............###",
        ".............#.#",
        ".............###",
    ],
    sides: [(id: "party"), (id: "foes", control: Ai)],
    combatants: [
        (kind: "mara", side: "party", at: (2, 1)),
        (kind: "tobin", side: "party", at: (0, 0)),
        (kind: "brandt", side: "party", at: (2, 3)),
        (kind: "ysolde", side: "party", at: (1, 4)),
        (kind: "FOE", side: "foes", at: (6, 1), with: (
            morale: Fearless,
            segments: (hp: 400), phased: (hp: 400),
            speed_rules: (stress: 400, wounds: 100), activity: (hits: 400),
        )),
        (kind: "goblin", side: "foes", at: (14, 4)),
    ],
)"##;

/// Three goblins cross a bridge and three heroes plan to attack them. Units that sidestep, fall or
/// block the way disrupt plans.
pub const BRIDGE: &str = r##"(
    title: "A bridge",
    map: [
        "..........",
        ".##....##.",
        "..........",
        ".##....##.",
        "..........",
    ],
    sides: [(id: "party"), (id: "foes", control: Ai)],
    combatants: [
        (kind: "mara", side: "party", at: (1, 2)),
        (kind: "tobin", side: "party", at: (0, 2)),
        (kind: "brandt", side: "party", at: (2, 2)),
        (kind: "goblin", side: "foes", at: (7, 2)),
        (kind: "goblin", side: "foes", at: (8, 2)),
        (kind: "goblin", side: "foes", at: (9, 0)),
    ],
)"##;
