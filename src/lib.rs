//! Fivefoot: small tactical battles on a 5-ft grid, under complete tabletop
//! combat systems. This page is the map of the house.
//!
//! # The idea
//!
//! A battle is a function of (level, ruleset, seed, answers). It runs by itself
//! until somebody has to decide something; then it stops and asks. Whoever
//! controls that side answers: the window, the AI, a scenario, a recording. All
//! use one door, [`battle::Battle::answer`]. So a replay is the list of
//! answers, an undo is one answer fewer, and a bug report is one small file.
//!
//! # The rooms
//!
//! Three crates. In `src/core` (`fivefoot-core`), which knows no window:
//!
//! - [`grid`]: cells, heights, line of sight and cover, paths, areas. Pure
//!   functions of a board; the rules GR-01 to GR-41.
//! - [`battle`]: what the rulesets share. The agenda of steps, decisions and
//!   offers, windows for reactions, events and the one function that applies
//!   them, dice, combatants, objectives.
//! - [`rulesets`]: one folder for each combat system: its round, acts, attacks,
//!   reactions, odds, and what its AI makes of them. Each is a table of
//!   functions, a [`battle::Ruleset`].
//!   The smallest is a demonstration; `docs/add-a-ruleset.md` walks through it.
//!   What several of them do alike (moves, attacks, things in hand, the basics
//!   of the AI) is written once in [`rulesets::common`], with hooks where they
//!   differ.
//! - [`content`]: creatures, weapons, armour, spells, and the codex, from
//!   `assets/`. What only one ruleset knows of them stands in sections that the
//!   ruleset registers in its table.
//! - [`levels`]: from a RON file to a checked level. [`levels::edit`]: edits of
//!   such a file that leave alone what they are not about.
//! - [`ron_read`]: reading RON so that every error is told, with its place.
//! - [`road`]: runs of several battles with one squad.
//! - [`control`]: who answers: AIs, chance, recordings, scenarios; what their
//!   dice came to. [`control::strategist`] is the AI that looks ahead,
//!   [`control::orders`] is how a unit's order becomes declarations and answers,
//!   [`control::bot`] what bots outside of the program are shown and may answer.
//! - [`lab`]: what many battles come to, counted in whole numbers: intervals,
//!   reports, comparisons, for those who make levels.
//! - [`files`]: how files of the user are read, written and locked.
//! - [`home`]: the folders for what is kept between runs.
//! - [`version`]: of the program and of its rules; recordings name both.
//! - [`words`]: text as people read it: nothing unseen in it, counts with nouns.
//!
//! In `src/cli` (`fivefoot-cli`): [`cli`], the command line, and a program that has
//! nothing else (`fivefoot-headless`).
//!
//! And here, in `src`:
//!
//! - `ui`: the window, and the only room that draws. It needs the feature `ui`.
//!
//! # How the hard cases come out simple
//!
//! - A step is a small struct with one Bevy system that only reads the world
//!   and rolls dice; it returns a [`battle::StepOutcome`] of events, further steps,
//!   perhaps a question. The events are applied afterwards. So all that happens
//!   in one step sees the same state: two who strike at once may both fall.
//! - The agenda is a stack. An interrupt is steps on top of it, an interrupt of
//!   an interrupt likewise. A step that is resumed looks at the state again.
//!   Who is next is derived from the state, not kept in a queue.
//! - An attack is rolled, lies in [`battle::PendingAttacks`] where it may be answered,
//!   and is settled. The verdict is derived only then, so a defense taken after
//!   the roll, or a fall in between, has nothing to edit.
//! - A [`battle::Window`] asks all who may react, sealed from each other, and
//!   resolves what they chose together; then it opens again, until all pass.
//! - What is legal at any moment would be a question at every step. A question
//!   that has only [rare](battle::Offer::rare) answers is skipped, unless
//!   somebody wants every [chance](battle::chances); that wish is an answer too.
//! - What a side knows and what the screen shows are [`battle::Replica`]s: the
//!   same `apply`, folded over the events that may be seen. What is said under
//!   seal lies in [`battle::Answer`] alone, until all have answered: so
//!   [`battle::Battle::fork_for`] one side holds nothing that it cannot know.
//!
//! # What must hold
//!
//! - `grid`, `battle`, `rulesets`, `content`, `levels`, `control` and `lab` know no
//!   window, no clock and no unseeded chance, and never use `ui`.
//! - Only applying an event changes a battle; the systems of steps write
//!   nothing but dice and answers ([`battle::Battle::audited`] looks).
//! - The same level, ruleset, seed and answers give the same events, byte for
//!   byte, on every run and machine.
//! - Order comes from ids, never from the order of a query. No entity is ever
//!   in an event, a step, a choice or a file.
//! - A forecast and a resolution come from the same function; so do the list of
//!   offers and the check of an answer.
//! - Every battle ends: 100 rounds are the most, and a step that comes round
//!   again without a change, a die or a question is not run.

#[cfg(feature = "ui")]
pub mod ui;

pub use fivefoot_cli as cli;
pub use fivefoot_core::{
    battle, content, control, files, grid, home, icons, lab, levels, road, ron_read, rulesets,
    system_step, version, words,
};
