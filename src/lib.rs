//! Fivefoot: small tactical battles on a 5-ft grid, under complete tabletop combat systems.
//!
//! This page is the map of the code. `docs/architecture.md` says where to find what, which
//! hooks a ruleset has, and how a click, a plan and an AI decision run through it.
//!
//! # The idea
//!
//! A battle is a function of (level, ruleset, seed, answers). It runs until a side must
//! decide, then it asks and stops. The window, an AI, a scenario or a recording answers
//! through one function, [`battle::Battle::answer`]. So a replay is the list of answers, an
//! undo is one answer fewer, and a bug report is one small file.
//!
//! # The modules
//!
//! Three crates. `src/core` (`fivefoot-core`) has no window:
//!
//! - [`grid`]: cells, heights, line of sight and cover, paths, areas: the rules GR-01 to GR-41.
//!   **Architecture invariant:** pure functions of a board; the module uses no other.
//! - [`battle`]: what the rulesets share: the agenda of steps, decisions and offers, reaction
//!   windows, events and the one function that applies them, dice, units, objectives.
//!   **Architecture invariant:** only applying an event changes a battle. The systems of steps
//!   write nothing but dice and answers ([`battle::Battle::audited`] checks it).
//! - [`rulesets`]: one folder for each combat system: its round, actions, attacks, reactions,
//!   forecasts and its AI's evaluation. Each is a table of functions, a [`battle::Ruleset`].
//!   What several of them share (moves, attacks, items, the AI's basics) is in
//!   [`rulesets::common`], as traits with hooks. **Architecture invariant:** `common` never asks
//!   which ruleset it serves; a forecast and its resolution come from one function, and so do
//!   the list of offers and the check of an answer.
//! - [`content`]: creatures, weapons, armour, spells and the codex, from `assets/`. Numbers that
//!   only one ruleset knows are in sections, which the ruleset registers in its table.
//! - [`levels`]: from a RON file to a checked level. [`levels::edit`] changes such a file and
//!   leaves the rest of its text alone.
//! - [`ron_read`]: reads RON, and reports every error with its position.
//! - [`control`]: what answers: AIs, recordings, scenarios, bots.
//!   [`control::strategist`] is the AI that looks ahead, [`control::orders`] turns a unit's order
//!   into declarations and answers, [`control::simulation`] plays plans on,
//!   [`control::bot`] is what programs outside see and may answer.
//!   **Architecture invariant:** an AI or a simulation gets a fork that holds nothing its side
//!   cannot know.
//! - [`road`]: runs of several battles with one squad.
//! - [`lab`]: statistics of many battles, counted in whole numbers: intervals, reports,
//!   comparisons.
//! - [`files`], [`home`]: how files are read, written and locked, and in which folders.
//! - [`icons`], [`version`], [`words`]: names of icons, versions of program and rules, text for
//!   people.
//!
//! `src/cli` (`fivefoot-cli`) is [`cli`], the command line, with the program
//! `fivefoot-headless`. And here, in `src`:
//!
//! - `ui`: the window. It needs the feature `ui`. **Architecture invariant:** nothing else draws,
//!   and the window reads what its player's side knows, never the battle itself.
//!
//! # How the hard cases become simple
//!
//! - A step is a small struct with one Bevy system that only reads the world and rolls dice. It
//!   returns a [`battle::StepOutcome`]: events, further steps, perhaps a question. The events are
//!   applied afterwards, so everything in one step sees one state, and two units that attack at
//!   once can both fall.
//! - The agenda is a stack. An interrupt is steps on top of it, and so is an interrupt of an
//!   interrupt. A step that is resumed reads the state again. Who acts next follows from the
//!   state; no queue holds it.
//! - An attack is rolled, waits in [`battle::PendingAttacks`] where units can react to it, and is
//!   resolved. Its result is worked out only then, so a reaction never edits a result.
//! - A [`battle::Window`] asks every unit that can react, in secret, and resolves their choices
//!   together. Then it opens again, until all decline.
//! - Listing everything legal would mean a question at every step. A question with only
//!   [rare](battle::Offer::rare) answers is skipped, unless the player asks for prompts at every
//!   [chance](battle::chances); that setting is an answer too.
//! - What a side knows and what the screen shows are [`battle::Replica`]s: the same `apply` over
//!   the events that the side may see. Secret choices are in [`battle::Answer`] alone until all
//!   have answered, so [`battle::Battle::fork_for`] one side holds nothing that it cannot know.
//!
//! # Invariants of the whole
//!
//! - Equal level, ruleset, seed and answers give equal events, byte for byte, on every machine.
//! - The core modules use no window, no clock and no unseeded randomness.
//! - Order comes from ids, never from the order of a query. No `Entity` is in an event, a step, a
//!   choice or a file.
//! - Every battle ends: after 100 rounds at most. A step that comes round again without a change,
//!   a die or a question is skipped.

#[cfg(feature = "ui")]
pub mod ui;

pub use fivefoot_cli as cli;
pub use fivefoot_core::{
    battle, content, control, files, grid, home, icons, lab, levels, road, ron_read, rulesets,
    system_step, version, words,
};
