//! What a reader tells the window, as plain values.

use crate::{
    battle::{Choice, Id, Item, Modifier, Rule, Words},
    grid::{Cell, Cover},
    ui::art::{
        hud::Pip,
        icons::Icon,
        tokens::{Badge, Tone},
    },
};

/// How somebody is doing in this round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    /// The actions of the round.
    pub pips: Vec<ActionPip>,
    /// How much of the round is left, in percent, where it is counted so.
    pub left: Option<u8>,
    /// What it has declared or does next, as far as the player may know:
    /// "fire bolt at goblin 2, segment 6".
    pub plan: Words,
    /// Has nothing left to do this turn.
    pub done: bool,
    pub conditions: Vec<Condition>,
    /// What keeps it on its feet, the first in the bar under its token. Empty:
    /// the hit points of its body.
    pub bars: Vec<Bar>,
    /// Its round as a bar, where acts take shares of it.
    pub round: Option<RoundPlan>,
}

/// Somebody's round as a bar that is filled with acts from left to right.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundPlan {
    /// Percent of a round that it has: 100, or more for the swift.
    pub whole: i32,
    pub parts: Vec<Portion>,
    /// Percent that nothing is planned for.
    pub left: i32,
    /// That is lost.
    pub is_over: bool,
}

/// An act as a share of somebody's round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Portion {
    pub icon: Icon,
    /// "melee, 80%".
    pub what: Words,
    /// Of a round. What has no room goes on into the next.
    pub percent: i32,
    /// When it comes: "at 19", "4 below the roll", "next round".
    pub comes: Words,
    pub state: PortionState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PortionState {
    Done,
    ToCome,
    /// Not declared yet: the act that the player is choosing.
    Preview,
}

/// What would be if something were declared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclarationPreview {
    pub round: Option<RoundPlan>,
    /// Where it could lead.
    pub reach: Vec<Reach>,
}

/// An action of the round, as a pip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionPip {
    pub pip: Pip,
    pub spent: bool,
    /// "Main", "Reaction".
    pub word: &'static str,
}

impl ActionPip {
    pub fn new(pip: Pip, word: &'static str, spent: bool) -> Self {
        Self { pip, spent, word }
    }
}

/// Hit points, stress, wounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bar {
    /// "HP", "Stress".
    pub word: &'static str,
    pub now: i32,
    pub most: i32,
}

impl Bar {
    pub fn new(word: &'static str, now: i32, most: i32) -> Self {
        Self { word, now, most }
    }
}

/// What is the matter with somebody: a badge and what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub badge: Badge,
    /// "Total defense: AC +2, no Shock".
    pub words: Words,
}

impl Condition {
    pub fn bad<W: Into<Words>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Bad, words)
    }

    pub fn good<W: Into<Words>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Good, words)
    }

    /// Neither, or a bit of both.
    pub fn mixed<W: Into<Words>>(icon: Icon, words: W) -> Self {
        Self::of(icon, Tone::Mixed, words)
    }

    fn of(icon: Icon, tone: Tone, words: impl Into<Words>) -> Self {
        Self {
            badge: Badge { icon, tone },
            words: words.into(),
        }
    }
}

/// How dear a move is: the colour of the cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cost {
    /// What one moves for as a matter of course.
    Plain,
    /// It takes what one might rather do something else with.
    Dear,
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
    /// What it takes: "Move only", "with the Main", "60%".
    pub price: Words,
    pub feet: u16,
    /// From where it stands to where it goes, both included.
    pub path: Vec<Cell>,
    /// The attacks that it draws, in order.
    pub drawn: Vec<Drawn>,
    /// Feet that it falls on the way; 0 for none.
    pub fall: u16,
    /// The targets in reach from there this turn, best first.
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
    /// The chance that it puts the target out of the fight.
    pub drop_percent: u32,
    /// The chance where the target answers it as it may, and how that would be.
    pub answered: Option<Odds>,
    /// The points to be expected, where they say more than the chance to hit.
    pub mean: Option<f32>,
    /// What else comes of it: what a miss does, the check that follows, the
    /// routine's further attacks.
    pub notes: Vec<Odds>,
    pub cover: Cover,
    /// To compare blows with each other: the damage to be expected, in any
    /// unit.
    pub worth: i32,
}

impl Blow {
    /// "60%", or the points to be expected where they say more.
    pub fn chance(&self) -> String {
        match self.mean {
            Some(mean) => format!("{mean:.1} damage"),
            None => format!("{}%", self.percent),
        }
    }

    /// "55% to hit, 10% to drop".
    pub fn in_brief(&self) -> String {
        let hits = match self.mean {
            Some(_) => self.chance(),
            None => format!("{} to hit", self.chance()),
        };
        format!("{hits}, {}% to drop", self.drop_percent)
    }
}

/// How the points that an attack does, and those that come back, change with what
/// is put into it.
#[derive(Clone, PartialEq, Debug)]
pub struct Trade {
    /// What is put into it: "share of the round, %".
    pub over: &'static str,
    /// How much that is now.
    pub now: i32,
    /// The points to be expected by how much it is, in order.
    pub dealt: Vec<(i32, f32)>,
    /// The same of the target's best attack in return.
    pub taken: Vec<(i32, f32)>,
}

/// A chance, or something else to be known before the click, that is no plain
/// attack: an opposed check, a save, what a spell does to one in its area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Odds {
    /// Who it is about: the chance is written beside their token.
    pub who: Option<Id>,
    /// "STR/Brawl +3 against STR/Brawl +1", "saves on 12: half of 2d6".
    pub text: String,
    /// The chance that it goes well for who acts.
    pub percent: Option<u32>,
    pub rule: Rule,
}

impl Odds {
    /// A remark without a chance.
    pub fn note(text: impl Into<String>, rule: Rule) -> Self {
        Self {
            who: None,
            text: text.into(),
            percent: None,
            rule,
        }
    }

    /// A chance.
    pub fn chance(text: impl Into<String>, percent: u32, rule: Rule) -> Self {
        Self {
            percent: Some(percent),
            ..Self::note(text, rule)
        }
    }

    pub fn of(self, who: Id) -> Self {
        Self {
            who: Some(who),
            ..self
        }
    }

    /// The chance first: "55% if it takes full defense".
    pub fn chance_first(&self) -> String {
        match self.percent {
            Some(percent) => format!("{percent}% {}", self.text),
            None => self.text.clone(),
        }
    }

    /// What is to be known, with the chance if there is one.
    pub fn words(&self) -> String {
        match self.percent {
            Some(percent) => format!("{}: {percent}%", self.text),
            None => self.text.clone(),
        }
    }
}
