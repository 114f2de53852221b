//! The lines of the attack that the board shows.

use crate::{
    battle::capitalised,
    ui::{
        Session,
        art::{palette, palette::Rgb},
        board::playback::PlayedAttack,
        theme::{TextStyle, text},
    },
};
use bevy::prelude::*;

/// An attack as far as it is shown.
#[derive(PartialEq)]
pub(super) struct AttackLines {
    /// "Short sword against Osk".
    attack: String,
    /// "Needs 14" while its dice roll, then "Rolls 15 in all against 14: hits for 4".
    result: String,
    /// The colour of the result.
    ink: Rgb,
}

impl AttackLines {
    pub(super) fn of(session: &Session, plays: &PlayedAttack) -> Self {
        let (attack, total) = (&plays.rolled.attack, plays.rolled.roll.total());
        let at = session.shown().unit(attack.at);
        let weapon = capitalised(session.game.names().item(attack.with));
        let result = match (plays.hits, plays.points) {
            (Some(true), Some(points)) => format!(": hits for {points}"),
            (Some(false), Some(points)) => format!(": misses, {points} damage"),
            (Some(true), None) => String::from(": hits"),
            (Some(false), None) => String::from(": misses"),
            (None, _) => String::new(),
        };
        let needed = plays.rolled.needed;
        let result = match plays.is_rolling {
            true => format!("Needs {needed}"),
            false => format!("Rolls {total} in all against {needed}{result}"),
        };
        let is_harm = plays.hits == Some(true) || plays.points.is_some();
        Self {
            attack: format!("{weapon} against {}", at.name),
            result,
            ink: match is_harm && !plays.is_rolling && at.side == session.player() {
                true => palette::DANGER,
                false => palette::INK,
            },
        }
    }

    pub(super) fn show(&self, card: &mut ChildSpawnerCommands) {
        card.spawn(text(self.attack.clone(), TextStyle::Body, palette::INK));
        card.spawn(text(self.result.clone(), TextStyle::Strong, self.ink));
    }
}
