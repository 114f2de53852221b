//! What every part of the window knows: the screens, the parts of a frame, and the options of the
//! command line.

use crate::{
    battle::Ruleset,
    control::{Player, recording::SideController},
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
    /// The folder of settings and saves. `None` means [`Home::find`](crate::home::Home::find).
    pub home: Option<PathBuf>,
    /// A folder of your own levels, in addition to the one in the data folder.
    pub levels_folder: Option<PathBuf>,
    /// Your own levels without errors. [`own`](super::own) updates them.
    pub own: Vec<Arc<Level>>,
    /// The controllers of sides by id, instead of the level's choice.
    pub ai: Vec<(String, Player)>,
    /// Battles start without the card that waits for the player to begin: for tests and
    /// benchmarks.
    pub begins_at_once: bool,
}

impl Options {
    /// The controllers of a level's sides, unless the player chooses otherwise.
    pub fn controllers(&self, level: &Level) -> Vec<SideController> {
        let mut controllers = super::session::usual(level);
        for (id, player) in &self.ai {
            if let Some(side) = level.side_named(id) {
                controllers[usize::from(side.0)] = SideController::Ai(*player);
            }
        }
        controllers
    }

    /// The player's own program that controls a side, if there is one.
    pub fn external(&self) -> Option<Player> {
        let mut players = self.ai.iter().map(|(_, player)| *player);
        players.find(|player| matches!(player, Player::External(_)))
    }

    /// Why the player's own programs failed, each once.
    pub(super) fn take_failures(&self) -> impl Iterator<Item = String> {
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
    /// Keys and pointer become [`Command`](super::Command)s.
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
