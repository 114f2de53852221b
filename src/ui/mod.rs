//! The window: everything that is drawn, heard or clicked. Nothing outside
//! this room knows that it exists.
//!
//! # The rooms, from the ground floor up
//!
//! A room uses those above it in this list, and no other but where a line says
//! so. This page itself lies below them all.
//!
//! What everything stands on:
//! - [`art`]: pictures, drawn by pure functions. [`pictures`] keeps them for the
//!   HUD, [`theme`] says how things look, [`room`] how large they are.
//! - [`modal`]: cards over the whole window. [`places`]: marks for what one
//!   room lays out and others fill. [`entry`], `lines`, `scrollbars`: text that
//!   is typed, and what is longer than its room.
//! - [`selection`]: what the player points at and has chosen ([`Selection`]), and
//!   what they say ([`Command`]). Mouse, keys and buttons write nothing else.
//! - [`input`]: keys, gamepad and focus (which knows of the [`preview`] whether a
//!   number is being chosen). [`widgets`]: buttons, cards, tips.
//!
//! The battle, as the window sees it:
//! - [`read`]: all that the window knows of a ruleset, one folder each.
//! - [`shown`]: the display world as plain values ([`Shown`]). [`likeness`], [`tokens`]
//!   and [`small_map`]: pictures of it. `unit_labels`: what tells units of a side apart.
//! - [`session`]: the running battle ([`Session`]), in three parts: the match, which
//!   alone answers the [`Battle`](crate::battle::Battle); how much of it is shown;
//!   and the *display world*, which follows the battle one event at a time, with
//!   all that is read of it. Asking it changes nothing.
//! - [`preview`]: what the chosen one could do, and what a click would do
//!   ([`ActionPreview`]), worked out from the two above, once for each moment.
//!
//! What is seen and done:
//! - [`settings`]: what the player has set; [`profile`]: reactions settled
//!   beforehand, and the lessons that are done; [`progress`]: what was won. All are
//!   kept between runs.
//! - [`board`]: the map, the tokens, the camera, the playing of events.
//!   [`redraw`]: how often the window is drawn. [`sound`]: what is heard.
//! - [`app_command`]: what the player asks of the game itself: to save, to pause, to
//!   begin anew. [`saves`] keeps battles, [`replay`] watches them.
//! - [`obey`]: keys become commands, and commands are carried out.
//!   [`auto_reactions`]: what the player has settled beforehand is answered.
//! - [`codex`]: the rules to look up, and the links to them everywhere.
//! - [`hud`]: the cards round the board. [`tutorial`]: the coach, who tells the
//!   lesson of a level that has one. [`screens`]: title, battle, result.
//! - [`editor`]: levels are drawn, checked, tried and balanced.
//! - [`screen_reader`]: what screen readers are told of all of it.
//! - [`live`]: the level is read again when its file changes; [`own`]: the player's
//!   own levels are. `start`: the window opens.
//!
//! # What the board reads and writes
//!
//! It reads
//! - [`Session::shown`]: who stands where and how they are, doors, whose turn.
//!   [`Shown::epoch`] changes when the picture was replaced as a whole (a new
//!   battle, an undo, a skip): put everything in its place without animation.
//! - [`Selection::chosen`] (gold ring), [`Selection::cursor`] (the cell pointed at),
//!   [`Selection::by_keys`] (keep the cursor in view).
//! - [`ActionPreview::reach`] (teal and ochre cells), [`ActionPreview::targets`] and
//!   [`ActionPreview::places`] (what the armed act may be aimed at), and
//!   [`ActionPreview::click`]: a [`Way`](crate::battle::Way) with its path, the attacks
//!   that it draws step by step, or an attack; [`ActionPreview::exchanges`], the
//!   foes in reach from the end of the way and those who could hit there, and
//!   [`ActionPreview::answer`], what the foe under the cursor could do.
//! - [`Overlays`](board::Overlays): what is laid over the board by keys.
//! - the rectangle of the UI node marked [`BoardArea`](places::BoardArea):
//!   the part of the window that is the board's. Pointer events arrive at that
//!   node, so that the cards of the HUD hide what lies below them.
//!
//! It writes
//! - [`Command::Point`] when the pointer moves to another cell or off the map,
//!   [`Command::Go`] for a click, [`Command::Retract`] for a right click.
//! - [`Playback`]. In [`Phase::Play`] it takes the next event with
//!   [`Session::next_event`], which applies it to the display world, and plays
//!   it; while [`Playback::busy`] is true nobody thinks and nobody is asked.
//!   What happens at one moment to several for one cause is played together.
//!   How much of it sways, shakes and flashes is for the [`settings`] to say.
//! - `Played` for each event and how much it weighs, `Flared` for each spell that
//!   takes effect: [`sound`] hears them.
//!
//! A frame runs through [`Phase`]s: commands, play, think, foresee, draw.

pub mod app_command;
#[allow(dead_code)]
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
pub mod obey;
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

/// What the command line says about the game.
#[derive(Resource, Clone, Debug, Default)]
pub struct Options {
    /// The level to begin with; `None` shows the title screen.
    pub level: Option<Arc<Level>>,
    /// Where the level was read from: it is read again when this changes.
    pub file: Option<PathBuf>,
    /// `None` leaves it to the level, and then to the game.
    pub rules: Option<&'static Ruleset>,
    /// The first battle's seed; `None` takes one by chance.
    pub seed: Option<u64>,
    /// Where settings and saves lie; `None` means [`home::Home::find`].
    pub home: Option<PathBuf>,
    /// A folder of own levels besides the one in the data folder.
    pub levels_folder: Option<PathBuf>,
    /// The player's own levels that can be played. [`own`] keeps them.
    pub own: Vec<Arc<Level>>,
    /// Who plays the sides of these ids, instead of the level's choice.
    pub ai: Vec<(String, Player)>,
}

impl Options {
    /// Who plays the sides of a level, unless the player chooses otherwise.
    pub fn seats(&self, level: &Level) -> Vec<Seat> {
        let mut seats = session::usual(level);
        for (id, player) in &self.ai {
            if let Some(side) = level.side_named(id) {
                seats[usize::from(side.0)] = Seat::Ai(*player);
            }
        }
        seats
    }

    /// The program of the player's own that may play a side.
    pub fn external(&self) -> Option<Player> {
        let players = self.ai.iter().map(|(_, player)| *player);
        players
            .into_iter()
            .find(|player| matches!(player, Player::External(_)))
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

    /// What a level is played under.
    pub fn rules_for(&self, level: &Level) -> &'static Ruleset {
        let own = level.rules.and_then(|rules| crate::rulesets::find(rules.0));
        self.rules.or(own).unwrap_or(crate::rulesets::ALL[0])
    }
}

/// What fills the window.
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Screen {
    #[default]
    Title,
    /// A battle is put together.
    Builder,
    /// The map of a run.
    Road,
    Battle,
    Result,
    /// What each order of a battle cost.
    Review,
    Editor,
}

/// The parts of a frame, in order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Keys and pointers become [`Command`]s.
    Input,
    /// Commands are obeyed.
    Obey,
    /// The board plays events.
    Play,
    /// The AI answers, once everything has been played.
    Think,
    /// What a click would do is worked out.
    Foresee,
    /// HUD and board show it.
    Draw,
}

/// The whole game, on top of bevy's own plugins: with or without a window.
pub fn plugin(app: &mut App) {
    app.init_state::<Screen>();
    app.configure_sets(
        Update,
        (
            Phase::Input,
            Phase::Obey,
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
        obey::plugin,
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
