//! What the window asks of a ruleset: a table of functions for each. They
//! read the display world, never the battle itself, so that the screen knows
//! no more than has been shown.

mod skirmish;

use super::art::{hud::Pip, icons::Icon, tokens::Condition};
use crate::{
    battle::{Choice, Id, Item, Modifier, Rule, Side, Verb, Why},
    grid::{Cell, Cover},
};
use bevy::ecs::world::World;

/// What the screen reads of one ruleset.
pub struct Reader {
    pub rules: &'static str,
    /// The act bar, from left to right.
    pub acts: &'static [Face],
    /// One's own turn is over.
    pub end_turn: &'static Verb,
    /// One member is done for the turn.
    pub done: &'static Verb,
    pub clock: fn(&mut World) -> Clock,
    pub status: fn(&mut World, Id) -> Status,
    /// Lines for the card of somebody who is looked at.
    pub figures: fn(&mut World, Id) -> Vec<String>,
    /// Where one could move to now.
    pub reach: fn(&mut World, Id) -> Vec<Reach>,
    /// How one would move there.
    pub way: fn(&mut World, Id, Cell) -> Option<Way>,
    /// What an attack would be. `None`: the choice is no attack.
    pub blow: fn(&mut World, &Choice) -> Option<Result<Blow, Why>>,
    /// The attacks that an act draws before it is done.
    pub draws: fn(&mut World, &Choice) -> Vec<Drawn>,
    /// How far one threatens who leaves its reach, in feet. `None`: not at all.
    pub threat: fn(&mut World, Id) -> Option<u16>,
    /// What a reaction would change, a line each.
    pub reaction: fn(&mut World, &Choice) -> Vec<String>,
}

/// A button of the act bar. The acts of one button exclude each other.
pub struct Face {
    /// Its letter on the keyboard.
    pub key: char,
    pub acts: &'static [ActFace],
    /// A click on a foe, a comrade or a thing means this act, without the bar.
    pub plain: bool,
}

/// How an act looks.
pub struct ActFace {
    pub verb: &'static Verb,
    /// One or two words: "Strike".
    pub label: &'static str,
    pub icon: Icon,
}

/// Where the battle is in its round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    pub round: u16,
    pub turn: Option<Side>,
    pub order: Vec<Side>,
}

/// How somebody is doing in this round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    pub pips: Vec<(Pip, bool)>,
    pub done: bool,
    pub conditions: Vec<Condition>,
}

/// What a move is paid with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cost {
    /// The Move alone.
    Move,
    /// The Main, perhaps besides the Move.
    Main,
}

/// A cell that somebody could move to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    pub cell: Cell,
    pub feet: u16,
    pub cost: Cost,
}

/// How somebody would move to a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// To be given one after the other.
    pub orders: Vec<Choice>,
    pub cost: Cost,
    pub feet: u16,
    /// From where it stands to where it goes, both included.
    pub path: Vec<Cell>,
    /// The attacks that it draws, in order.
    pub drawn: Vec<Drawn>,
    /// Whom it could still attack from there this turn, best first.
    pub shots: Vec<Shot>,
}

/// An attack that an act draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    pub by: Id,
    /// The place in the path that is left when it comes; 0 for an act done
    /// where one stands.
    pub step: usize,
    pub percent: u32,
}

/// Somebody who could be hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shot {
    pub at: Id,
    pub with: Item,
    pub percent: u32,
    pub cover: Cover,
}

/// An attack before the click: all that the player may know of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Blow {
    pub choice: Choice,
    pub by: Id,
    pub at: Id,
    /// What it is done with.
    pub weapon: String,
    /// Everything that is added to the die.
    pub modifiers: Vec<Modifier>,
    /// What the total has to reach: "AC 15", and what of it is for the moment.
    pub against: String,
    pub against_modifiers: Vec<Modifier>,
    /// "needs 10 or more on d20".
    pub needs: String,
    pub percent: u32,
    /// "1d6+1: 2 to 7".
    pub damage: String,
    /// The chance that it takes the target's last hit point.
    pub drop_percent: u32,
    /// What a miss does all the same.
    pub miss: Option<(String, Rule)>,
    pub cover: Cover,
    /// Two hundred times the damage to be expected, to compare blows with.
    pub worth: i32,
}

static READERS: [&Reader; 1] = [&skirmish::READER];

/// The reader of a ruleset.
///
/// # Panics
/// When the ruleset has none: each one in [`crate::rulesets::ALL`] has.
pub fn of(rules: &str) -> &'static Reader {
    READERS
        .iter()
        .copied()
        .find(|r| r.rules == rules)
        .expect("every ruleset can be read")
}
