//! The presets: whole rounds behind one button each.

use crate::{
    rulesets::activity::{
        planning::GUARD,
        targets::{SHOOT, STRIKE},
    },
    ui::ruleset_ui::Preset,
};

/// The presets.
pub(super) static PRESETS: [Preset; 4] = [
    Preset {
        name: "All-out",
        help: "Attack with the whole round; no parry",
        verbs: &[&STRIKE],
        comes: false,
        waits: false,
        guard: 0,
    },
    Preset {
        name: "Guarded",
        help: "Attack an enemy in reach, or the first that comes; keep the rest for parrying",
        verbs: &[&STRIKE],
        comes: false,
        waits: true,
        guard: 100,
    },
    Preset {
        name: "Load and shoot",
        help: "Load if needed, then shoot",
        verbs: &[&SHOOT],
        comes: false,
        waits: false,
        guard: 0,
    },
    Preset {
        name: "Move and strike",
        help: "Move next to the target and attack with the rest, half kept for parrying",
        verbs: &[&STRIKE],
        comes: true,
        waits: false,
        guard: GUARD,
    },
];
