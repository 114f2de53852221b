//! The window: everything that is drawn, heard or clicked. Nothing outside this module
//! depends on it.
//!
//! # Three worlds
//!
//! ```text
//! Battle ────── events ──────> display world ──── read ────> Bevy's world
//! the rules, ahead of what     what was shown so far,        nodes, sprites, sounds;
//! is shown; only the match     one event at a time; reads    systems take Session,
//! answers it                   and forecasts use it          Selection, ActionPreview
//!    ^                                                            │
//!    └──────────── choices, by Session::answer <── Command ───────┘
//! ```
//!
//! The first two are worlds of their own inside [`Session`]. The battle is never read for the
//! screen, so the screen cannot show what the player's side does not know or has not seen yet.
//!
//! # Modules, from the bottom layer up
//!
//! A module uses only modules above it in this list, unless its line says otherwise.
//! This file may use all of them.
//!
//! Foundations:
//! - `app`: the screens, the parts of a frame, and what the program was started with.
//! - [`art`]: pictures, drawn by pure functions. [`pictures`] caches them for the HUD,
//!   [`theme`] sets fonts and colours, [`room`] the scale.
//! - [`modal`]: cards over the whole window. [`places`]: markers for parts of the layout
//!   that one module spawns and others fill. [`entry`], `lines`, `scrollbars`: text
//!   fields, text layout and scrolling.
//! - [`selection`]: what the player points at and has selected ([`Selection`]), and the
//!   player's [`Command`]s, the only output of mouse, keys and buttons.
//! - [`input`]: keys, gamepad and focus (it knows from the [`preview`] whether a number
//!   is being chosen). [`widgets`]: buttons, cards, tooltips.
//!
//! The battle, as the window sees it:
//! - [`ruleset_ui`]: everything that the window knows about a ruleset, one folder each.
//! - [`shown`]: the display state as plain values ([`Shown`]). [`portraits`], [`tokens`]
//!   and [`small_map`]: pictures of it. `unit_labels`: labels that tell units of a side
//!   apart.
//! - [`session`]: the running battle ([`Session`]), in three parts: the match, which is
//!   the only one to answer the [`Battle`](crate::battle::Battle); how much of it is
//!   shown; and the *display world*, which follows the battle one event at a time, with
//!   everything read from it. Queries never change it.
//! - [`preview`]: what the selected unit could do, and what a click would do
//!   ([`ActionPreview`]), worked out from the two modules above, once for each state.
//!
//! What the player sees and does:
//! - [`settings`]: the player's settings; [`profile`]: automatic reactions and completed
//!   lessons; [`progress`]: wins. All are saved between runs.
//! - [`board`]: the map, the tokens, the camera, the playback of events. [`redraw`]: how
//!   often the window is drawn. [`sound`]: music and sounds.
//! - [`app_command`]: commands to the game itself: save, pause, restart. [`saves`] stores
//!   battles, [`replay`] plays them back.
//! - [`apply`]: turns keys into commands and carries commands out. [`auto_reactions`]:
//!   gives the answers that the player chose in advance.
//! - [`codex`]: the rules, with links to them from everywhere.
//! - [`hud`]: the cards around the board. [`tutorial`]: the coach, which explains the
//!   lesson of a level. [`screens`]: title, battle, result.
//! - [`editor`]: draws, checks, tests and balances levels.
//! - [`screen_reader`]: descriptions for screen readers.
//! - [`live`]: reads the level again when its file changes; [`own`]: the same for your
//!   own levels. `start`: opens the window.
//!
//! # What the board reads and writes
//!
//! It reads
//! - [`Session::shown`]: units, doors, whose turn it is. [`Shown::epoch`] changes when
//!   the state was replaced as a whole (a new battle, an undo, a skip): the board then
//!   puts everything in its place without animation.
//! - [`Selection::chosen`] (gold ring), [`Selection::cursor`] (the cell pointed at),
//!   [`Selection::by_keys`] (keep the cursor in view).
//! - [`ActionPreview::reach`] (teal and ochre cells), [`ActionPreview::targets`] and
//!   [`ActionPreview::places`] (possible targets of the armed action), and
//!   [`ActionPreview::click`]: a [`Way`](crate::battle::Way) with its path and the attacks
//!   that each step provokes, or an attack; [`ActionPreview::exchanges`]: the enemies in
//!   reach from the end of the path, and those that could attack there; and
//!   [`ActionPreview::answer`]: what the enemy under the cursor could do.
//! - [`Overlays`](board::Overlays): what keys toggle over the board.
//! - the rectangle of the UI node with [`BoardArea`](places::BoardArea), the board's part
//!   of the window. That node receives the pointer events, so that the HUD's cards cover
//!   what is below them.
//!
//! It writes
//! - [`Command::Point`] when the pointer moves to another cell or off the map,
//!   [`Command::Go`] for a click, [`Command::Retract`] for a right click;
//!   [`Command::Glance`] for a click that only takes the cursor from the keys.
//! - [`Playback`]. In [`Phase::Play`] it takes the next event with
//!   [`Session::next_event`], which applies it to the display world, and plays it. While
//!   [`Playback::busy`] is true, no AI thinks and no player is prompted. Simultaneous
//!   effects of one cause on several units are played together. The [`settings`] limit
//!   shaking, swaying and flashing.
//! - `EventShown` for each event with its weight, `BurstShown` for each spell that takes effect:
//!   [`sound`] reads them.
//!
//! A frame runs through [`Phase`]s: commands, playback, AI, preview, drawing.

mod app;
pub mod app_command;
pub mod apply;
pub mod art;
pub mod auto_reactions;
pub mod board;
pub mod codex;
pub mod editor;
pub mod entry;
pub mod hud;
pub mod input;
mod lines;
pub mod live;
pub mod modal;
mod node_ext;
pub mod own;
pub mod pictures;
pub mod places;
pub mod portraits;
pub mod preview;
pub mod profile;
pub mod progress;
pub mod redraw;
pub mod replay;
pub mod room;
pub mod ruleset_ui;
pub mod saves;
pub mod screen_reader;
pub mod screens;
mod scrollbars;
pub mod selection;
pub mod session;
pub mod settings;
pub mod shown;
pub mod small_map;
pub mod sound;
mod start;
pub mod theme;
pub mod tokens;
pub mod tutorial;
mod unit_labels;
pub mod widgets;

pub use crate::home;
pub use app::{Options, Phase, Screen};
pub use preview::ActionPreview;
pub use profile::Profile;
pub use selection::{Command, Selection};
pub use session::{Playback, Session};
pub use shown::Shown;
pub use start::{GameWindow, has_display, put_game, window_app};

use bevy::prelude::*;

/// The whole game, on top of Bevy's own plugins, with or without a window.
pub fn plugin(app: &mut App) {
    app.init_state::<Screen>();
    app.configure_sets(
        Update,
        (
            Phase::Input,
            Phase::Commands,
            Phase::Play,
            Phase::Think,
            Phase::Foresee,
            Phase::Draw,
        )
            .chain(),
    );
    app.add_plugins((
        theme::plugin,
        pictures::plugin,
        widgets::plugin,
        lines::plugin,
        scrollbars::plugin,
        settings::plugin,
        sound::plugin,
        input::plugin,
        session::plugin,
        selection::plugin,
        apply::plugin,
        preview::plugin,
        screens::plugin,
        hud::plugin,
        board::plugin,
    ));
    app.add_plugins((
        room::plugin,
        entry::plugin,
        app_command::plugin,
        saves::plugin,
        screen_reader::plugin,
        replay::plugin,
        codex::plugin,
        profile::plugin,
        progress::plugin,
        auto_reactions::plugin,
        tutorial::plugin,
        live::plugin,
        own::plugin,
        editor::plugin,
        redraw::plugin,
    ));
}
