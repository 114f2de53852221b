//! What the player points at and has chosen. Mouse, keys and buttons write
//! [`Command`]s; here they are obeyed.

mod apply_command;
mod warn;

use super::{Phase, Screen, board::Overlay, preview::Settled};
use crate::{
    battle::{Id, Item},
    grid::Cell,
};
use apply_command::{apply_command, follow};
use bevy::prelude::*;
pub use warn::Warning;

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Command>().init_resource::<Selection>();
    app.add_systems(
        Update,
        (apply_command, follow)
            .chain()
            .in_set(Phase::Obey)
            .run_if(in_state(Screen::Battle)),
    );
}

/// What the player wants. The only way in for mouse, keys and buttons.
#[derive(Message, Clone, PartialEq, Debug)]
pub enum Command {
    /// The pointer is on a cell now, or off the map.
    Point(Option<Cell>),
    /// The cursor stays on this cell wherever the pointer goes, so that what
    /// the cards say of it can be clicked; or no more.
    Keep(Option<Cell>),
    /// The cursor goes so many cells east and south.
    Step(i16, i16),
    /// Do what the cell under the cursor stands for.
    Go,
    /// Take this member of one's side in hand.
    Choose(Id),
    /// Take the next or the previous member in hand; with an act armed, point
    /// at the next or previous target.
    Cycle {
        back: bool,
    },
    /// The member with this place on the party's cards, from 0.
    Member(usize),
    /// Look at somebody, wherever the cursor is.
    LookAt(Option<Id>),
    /// A button of the act bar, by its letter.
    Act(char),
    /// The next weapon for the same act.
    Other,
    /// The chosen one is done for the turn.
    Done,
    /// Take back the last thing that was settled of an act, or the last cell
    /// of a path; with neither, let the act be; with none armed, pause.
    Back,
    /// The path is to lead by the cell under the cursor (GR-33).
    Via,
    /// Show every act with why it cannot be done, or no more.
    More,
    /// So much more or less of a number that is being chosen.
    Nudge(i32),
    EndTurn,
    /// Another answer of the whole side, by its place.
    Common(usize),
    Undo,
    /// Show at once what is being played.
    Skip,
    /// The player was warned: go on, or let it be.
    Heed(bool),
    /// After this warning there are to be no more, or there are after all.
    NeverAgain,
    /// Lay something over the board, or take it off.
    Overlay(Overlay),
    /// A row of the list, by its place; `usize::MAX` is the last.
    Reply(usize),
}

/// What the player points at and has chosen.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Selection {
    /// Who is in hand.
    pub chosen: Option<Id>,
    /// The cell under the pointer, or under the keyboard's cursor.
    pub cursor: Option<Cell>,
    /// The cursor was moved by keys: keep it in view.
    pub by_keys: bool,
    /// The cursor stays where it is until the player lets it go.
    pub kept: bool,
    /// Somebody whose card or chip is pointed at.
    pub looked_at: Option<Id>,
    /// The letter of the act that waits for a target.
    pub armed: Option<char>,
    /// What has been settled of the armed act, one thing after the other.
    pub trail: Vec<Settled>,
    /// Cells by which the path is to lead, in their order.
    pub via: Vec<Cell>,
    /// Every act is shown.
    pub more: bool,
    /// The item that the player would rather use than the best one.
    pub prefers: Option<Item>,
    /// A word to the player.
    pub notice: Option<Notice>,
    /// To end the turn was asked for while members have something left to do.
    pub sure: bool,
    /// What is about to be done, and what speaks against it.
    pub warning: Option<Warning>,
}

/// A word to the player. Another number makes it another word.
#[derive(Clone, PartialEq, Debug)]
pub struct Notice {
    pub text: String,
    pub number: u32,
}

impl Selection {
    /// As a battle begins.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Tells the player something.
    pub fn say(&mut self, text: impl Into<String>) {
        let number = self.notice.as_ref().map_or(0, |n| n.number + 1);
        self.notice = Some(Notice {
            text: text.into(),
            number,
        });
    }

    /// All that has been settled of the armed act.
    pub fn settled(&self) -> Settled {
        self.trail.last().cloned().unwrap_or_default()
    }

    /// The same but for where the player looks, and words.
    pub fn means_same(&self, other: &Self) -> bool {
        let looks_away = |selection: &Self| Self {
            cursor: None,
            by_keys: false,
            kept: false,
            looked_at: None,
            notice: None,
            ..selection.clone()
        };
        looks_away(self) == looks_away(other)
    }

    fn choose(&mut self, id: Id) {
        self.chosen = Some(id);
        self.disarm();
    }

    fn disarm(&mut self) {
        (self.armed, self.prefers, self.more) = (None, None, false);
        self.kept = false;
        self.trail.clear();
        self.via.clear();
    }
}
