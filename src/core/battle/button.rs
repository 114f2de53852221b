//! How an action stands in the act bar, and what else is known of it without a battle.

use super::Action;
use crate::icons::Icon;

/// The letters of the act bar in their order, under whatever ruleset: what is one
/// action to the player has one letter and one place everywhere.
pub const LETTERS: &str = "shtcmgfdbkjxzyaioplL";

/// The button of an action. Actions of one key share a button: they exclude each other,
/// or are told apart by their targets, or in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Button {
    /// A letter of [`LETTERS`], or a space: it has a button of its own that no key presses.
    pub key: char,
    /// One or two words: "Strike".
    pub label: &'static str,
    pub icon: Icon,
    /// What the action costs and does, in a sentence; perhaps nothing.
    pub help: &'static str,
    /// A click on a unit or a thing means this action, without the bar.
    pub plain: bool,
    /// Several actions under one name: it says too little to be done at once.
    pub group: bool,
    /// It comes after the others of its key.
    pub last: bool,
}

impl Button {
    /// The button of an action that is chosen in the bar.
    pub const fn new(key: char, label: &'static str, icon: Icon, help: &'static str) -> Self {
        Self {
            key,
            label,
            icon,
            help,
            plain: false,
            group: false,
            last: false,
        }
    }

    /// A click on a unit or a thing means this action, without the bar.
    pub const fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Several actions under one name.
    pub const fn group(mut self) -> Self {
        self.group = true;
        self
    }

    /// It comes after the others of its key.
    pub const fn last(mut self) -> Self {
        self.last = true;
        self
    }
}

/// What is known of an action of a ruleset without a battle.
#[derive(Clone, Copy, Debug)]
pub struct ActInfo {
    pub action: &'static Action,
    /// None: a click on a cell means it, or it ends a turn.
    pub button: Option<Button>,
    /// A reaction that a player may settle beforehand. What needs a plan of its own, such
    /// as an action held back or a spell, is always asked.
    pub auto_reaction: bool,
}
