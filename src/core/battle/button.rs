//! An action's button in the action bar, and the properties of an action that need no battle.

use super::Action;
use crate::icons::Icon;

/// The letters of the action bar, in bar order. An action has the same letter and position under
/// every ruleset. Actions that need a means, such as a missile, come after those of every unit:
/// without it they have no button, and the others keep their places from unit to unit.
pub const LETTERS: &str = "scmgfdhtDbkjxzyaioplL";

/// The button of an action. Actions with the same key share a button: they exclude each other,
/// differ by their targets, or are chosen from a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Button {
    /// A letter of [`LETTERS`]. A space means that the action has its own button, without a key.
    pub key: char,
    /// The text on the button, one or two words: "Strike".
    pub label: &'static str,
    pub icon: Icon,
    /// A sentence on what the action costs and does; may be empty.
    pub help: &'static str,
    /// A click on a unit or an item chooses this action; the player does not have to
    /// press the button first.
    pub plain: bool,
    /// A click on an enemy chooses this action if the quick AI prefers it to an attack there.
    pub instead: bool,
    /// The button stands for several actions: the player must choose one of them first.
    pub group: bool,
    /// Listed after the other actions of its key.
    pub last: bool,
    /// Ends what afflicts the unit, such as a hold: as long as that lasts, it has a place in the bar
    /// and comes before the other actions of its key.
    pub remedy: bool,
    /// The button chooses this action only while no other action of its key is possible.
    pub fallback: bool,
}

impl Button {
    /// A button for an action that is chosen in the bar.
    pub const fn new(key: char, label: &'static str, icon: Icon, help: &'static str) -> Self {
        Self {
            key,
            label,
            icon,
            help,
            plain: false,
            instead: false,
            group: false,
            last: false,
            remedy: false,
            fallback: false,
        }
    }

    /// Lets a click on a unit or an item choose this action, without its button.
    pub const fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Lets a click on an enemy choose this action where the quick AI prefers it to an attack.
    pub const fn instead(mut self) -> Self {
        self.instead = true;
        self
    }

    /// Makes the button stand for several actions, of which the player chooses one.
    pub const fn group(mut self) -> Self {
        self.group = true;
        self
    }

    /// Lists the action after the others of its key.
    pub const fn last(mut self) -> Self {
        self.last = true;
        self
    }

    /// Gives the action a place in the bar while it is needed.
    pub const fn remedy(mut self) -> Self {
        self.remedy = true;
        self
    }

    /// Lists the action last, and only while no other action of its key is possible.
    pub const fn fallback(mut self) -> Self {
        self.fallback = true;
        self.last()
    }
}

/// The properties of a ruleset's action that need no battle.
#[derive(Clone, Copy, Debug)]
pub struct ActInfo {
    pub action: &'static Action,
    /// `None` if a click on a cell chooses the action, or if it ends a turn.
    pub button: Option<Button>,
    /// A reaction that the player can answer in advance. Reactions that need a plan, such as a
    /// held action or a spell, always prompt.
    pub auto_reaction: bool,
}
