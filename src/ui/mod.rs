//! The window: everything that is drawn, heard or clicked. Nothing outside this module
//! depends on it.
//!
//! # Modules, from the bottom layer up
//!
//! A module uses only modules above it in this list, unless its line says otherwise.
//! This file may use all of them.
//!
//! Foundations:
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
//! - [`read`]: everything that the window knows about a ruleset, one folder each.
//! - [`shown`]: the display state as plain values ([`Shown`]). [`likeness`], [`tokens`]
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
//!   [`Command::Go`] for a click, [`Command::Retract`] for a right click.
//! - [`Playback`]. In [`Phase::Play`] it takes the next event with
//!   [`Session::next_event`], which applies it to the display world, and plays it. While
//!   [`Playback::busy`] is true, no AI thinks and no player is prompted. Simultaneous
//!   effects of one cause on several units are played together. The [`settings`] limit
//!   shaking, swaying and flashing.
//! - `Played` for each event with its weight, `Flared` for each spell that takes effect:
//!   [`sound`] reads them.
//!
//! A frame runs through [`Phase`]s: commands, playback, AI, preview, drawing.

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
pub mod likeness;
mod lines;
pub mod live;
pub mod modal;
pub mod own;
pub mod pictures;
pub mod places;
pub mod preview;
pub mod profile;
pub mod progress;
pub mod read;
pub mod redraw;
pub mod replay;
pub mod room;
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
pub use preview::ActionPreview;
pub use profile::Profile;
pub use selection::{Command, Selection};
pub use session::{Playback, Session};
pub use shown::Shown;
pub use start::{GameWindow, has_display, put_game, window_app};

use crate::{
    battle::Ruleset,
    control::{Player, recording::Seat},
    levels::Level,
};
use bevy::prelude::*;
use std::{path::PathBuf, sync::Arc};

/// The options of the command line for the game.
#[derive(Resource, Clone, Debug, Default)]
pub struct Options {
    /// The level to start with. `None` shows the title screen.
    pub level: Option<Arc<Level>>,
    /// The file of that level. The level is read again when the file changes.
    pub file: Option<PathBuf>,
    /// The ruleset. `None` uses the level's ruleset, or else the default.
    pub rules: Option<&'static Ruleset>,
    /// The first battle's seed. `None` picks a random one.
    pub seed: Option<u64>,
    /// The folder of settings and saves. `None` means [`home::Home::find`].
    pub home: Option<PathBuf>,
    /// A folder of your own levels besides the one in the data folder.
    pub levels_folder: Option<PathBuf>,
    /// Your own levels without errors. [`own`] updates them.
    pub own: Vec<Arc<Level>>,
    /// The controllers of sides by id, instead of the level's choice.
    pub ai: Vec<(String, Player)>,
}

impl Options {
    /// The controllers of a level's sides, unless the player chooses otherwise.
    pub fn seats(&self, level: &Level) -> Vec<Seat> {
        let mut seats = session::usual(level);
        for (id, player) in &self.ai {
            if let Some(side) = level.side_named(id) {
                seats[usize::from(side.0)] = Seat::Ai(*player);
            }
        }
        seats
    }

    /// The player's own program that controls a side, if there is one.
    pub fn external(&self) -> Option<Player> {
        let players = self.ai.iter().map(|(_, player)| *player);
        players
            .into_iter()
            .find(|player| matches!(player, Player::External(_)))
    }

    /// Why the player's own programs failed, each once.
    fn take_failures(&self) -> impl Iterator<Item = String> {
        self.ai.iter().filter_map(|(_, player)| match player {
            Player::External(program) => program.0.take_failure(),
            _ => None,
        })
    }

    /// The levels to choose from: the built-in ones, the easiest first, the one that was
    /// asked for, and the player's own.
    pub fn levels(&self) -> Vec<Arc<Level>> {
        let mut all = crate::lab::measured::by_difficulty().to_vec();
        if let Some(level) = &self.level {
            match all.iter_mut().find(|l| l.id == level.id) {
                Some(same) => *same = level.clone(),
                None => all.push(level.clone()),
            }
        }
        let is_asked_for =
            |own: &Level| self.level.as_ref().is_some_and(|l| l.source == own.source);
        all.extend(self.own.iter().filter(|own| !is_asked_for(own)).cloned());
        all
    }

    /// The ruleset for a level: from the command line, or else the level's own, or
    /// else the default.
    pub fn rules_for(&self, level: &Level) -> &'static Ruleset {
        let own = level.rules.and_then(|rules| crate::rulesets::find(rules.0));
        self.rules.or(own).unwrap_or(crate::rulesets::ALL[0])
    }
}

/// The screens.
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Screen {
    #[default]
    Title,
    /// The battle builder.
    Builder,
    /// The map of a Road run.
    Road,
    Battle,
    Result,
    /// The review of a battle: what each order cost.
    Review,
    Editor,
}

/// The parts of a frame, in order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Keys and pointer become [`Command`]s.
    Input,
    /// Commands are carried out.
    Commands,
    /// The board plays events.
    Play,
    /// The AI answers, once all events were played.
    Think,
    /// The preview of a click is worked out.
    Foresee,
    /// HUD and board are updated.
    Draw,
}

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
