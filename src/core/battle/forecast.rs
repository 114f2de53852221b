//! What a ruleset says of an order before it is given: plain values, by the functions
//! that resolve it. The window, the command line, bots and tests read the same.

use super::{Choice, Id, Item, Modifier, Names, Rule, Spread, Why, Words};
use crate::grid::{Board, Cell, Cover, Space};
use bevy_ecs::world::World;

/// What an order would come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forecast {
    /// The attack that it is. None: it is no attack.
    pub attack: Option<Result<AttackForecast, Why>>,
    /// How the damage of that attack is spread.
    pub spread: Spread,
    /// How what such an attack does changes with what is put into it.
    pub trades: Vec<Trade>,
    /// Any other chances, and who is affected.
    pub odds: Vec<Odds>,
    /// The cells that it covers.
    pub area: Vec<Cell>,
    /// The attacks that it provokes before it is done.
    pub provoked: Vec<Provoked>,
    /// What else speaks against it, a sentence each: what would be lost by it and could
    /// be had.
    pub warnings: Vec<String>,
    /// A reaction: what it would change, a line each.
    pub changes: Vec<String>,
    /// A reaction: it would change nothing of what it answers.
    pub is_futile: bool,
}

/// A ruleset's forecasts, as a table of functions. Each reads a world and leaves it as it
/// was. [`Forecasting::NONE`] is that of a ruleset that says nothing.
#[derive(Debug)]
pub struct Forecasting {
    /// What an attack would be. None: the choice is no attack. Of an offer of any number
    /// it is asked with the number that is chosen.
    pub attack: fn(&mut World, &Choice) -> Option<Result<AttackForecast, Why>>,
    /// How the damage of an attack that can be made is spread.
    pub spread: fn(&mut World, &Choice) -> Spread,
    /// How what such an attack does changes with what is put into it.
    pub trades: fn(&mut World, &Choice) -> Vec<Trade>,
    /// The chances of any other act, and of each unit in its area.
    pub odds: fn(&mut World, &Choice) -> Vec<Odds>,
    /// The cells that an act would cover.
    pub area: fn(&mut World, &Choice) -> Vec<Cell>,
    /// The attacks that an act provokes before it is done.
    pub provoked: fn(&mut World, &Choice) -> Vec<Provoked>,
    /// What else speaks against an act, a sentence each.
    pub warnings: fn(&mut World, &Choice) -> Vec<String>,
    /// What a reaction would change, a line each.
    pub changes: fn(&mut World, &Choice) -> Vec<String>,
    /// A reaction would change nothing of what it answers.
    pub is_futile: fn(&mut World, &Choice) -> bool,
    /// Where a unit could move to now.
    pub reach: fn(&mut World, Id) -> Vec<Reach>,
    /// How it would move there, by way of some cells in their order (GR-33).
    pub way: fn(&mut World, Id, &[Cell], Cell) -> Option<Way>,
    /// The feet within which a unit attacks an enemy that leaves. None: not at all.
    pub threat: fn(&mut World, Id) -> Option<u16>,
    /// The cover that a unit in the second space has from the first; none if it is not
    /// seen.
    pub cover: fn(&Board, Space, Space) -> Option<Cover>,
    /// The number that a choice of any number begins with. None: an attack's most,
    /// anything else's least.
    pub first: fn(&mut World, &Choice) -> Option<i32>,
    /// Shows the world as it would be when the moment of a plan comes, as far as that
    /// follows from the plan itself. It is as before afterwards.
    pub planned: fn(&mut World, &PlannedAttack, &mut dyn FnMut(&mut World)),
}

impl Forecasting {
    /// Nothing is said of anything.
    pub const NONE: Self = Self {
        attack: |_, _| None,
        spread: |_, _| Spread::default(),
        trades: |_, _| vec![],
        odds: |_, _| vec![],
        area: |_, _| vec![],
        provoked: |_, _| vec![],
        warnings: |_, _| vec![],
        changes: |_, _| vec![],
        is_futile: |_, _| false,
        reach: |_, _| vec![],
        way: |_, _, _, _| None,
        threat: |_, _| None,
        cover: |board, from, to| board.sight(from, to).cover,
        first: |_, _| None,
        planned: |world, _, look| look(world),
    };

    /// All that is to be said of an order, by what a world shows.
    pub fn of(&self, world: &mut World, choice: &Choice) -> Forecast {
        let attack = (self.attack)(world, choice);
        let can = matches!(attack, Some(Ok(_)));
        Forecast {
            spread: if can {
                (self.spread)(world, choice)
            } else {
                Spread::default()
            },
            trades: if can {
                (self.trades)(world, choice)
            } else {
                vec![]
            },
            attack,
            odds: (self.odds)(world, choice),
            area: (self.area)(world, choice),
            provoked: (self.provoked)(world, choice),
            warnings: (self.warnings)(world, choice),
            changes: (self.changes)(world, choice),
            is_futile: (self.is_futile)(world, choice),
        }
    }
}

/// What a unit would declare for an attack.
#[derive(Clone, Copy, Debug)]
pub struct PlannedAttack<'a> {
    pub who: Id,
    /// In their order.
    pub orders: &'a [Choice],
    /// Where the attack is made from.
    pub stand: Cell,
    /// What is gone before it, in feet.
    pub feet: u16,
}

/// How dear a move is: the colour of the cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cost {
    /// What one moves for as a matter of course.
    Plain,
    /// It takes what one might rather do something else with.
    Dear,
}

/// A cell that a unit could move to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    pub cell: Cell,
    pub feet: u16,
    pub cost: Cost,
}

/// How a unit would move to a cell.
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
    /// The attacks that it provokes, in order.
    pub provoked: Vec<Provoked>,
    /// Feet that it falls on the way; 0 for none.
    pub fall: u16,
    /// The targets in reach from there this turn, best first.
    pub shots: Vec<Shot>,
}

/// An attack that an act provokes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Provoked {
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
pub struct AttackForecast {
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
    /// The chances if the target defends itself as it still may.
    pub answered: Option<Defended>,
    /// The points to be expected, where they say more than the chance to hit.
    pub mean: Option<f32>,
    /// What else follows: what a miss does, the check that follows, the
    /// routine's further attacks.
    pub notes: Vec<Odds>,
    pub cover: Cover,
    /// To compare blows with each other: the damage to be expected, in any
    /// unit.
    pub worth: i32,
}

impl AttackForecast {
    /// "60%", or the points to be expected where they say more.
    pub fn chance(&self) -> String {
        match self.mean {
            Some(mean) => format!("{mean:.1} damage"),
            None => format!("{}%", self.percent),
        }
    }

    /// "55% to hit, 10% to drop"; where the target may still defend itself, first what is
    /// left then: "50% to hit if it defends, else 60%; 5% to drop".
    pub fn in_brief(&self) -> String {
        match (self.mean, &self.answered) {
            (Some(_), _) => format!("{}, {}% to drop", self.chance(), self.drop_percent),
            (None, Some(left)) => format!(
                "{}% to hit if it defends, else {}%; {}% to drop",
                left.percent, self.percent, left.drop_percent
            ),
            (None, None) => format!("{}% to hit, {}% to drop", self.percent, self.drop_percent),
        }
    }
}

/// An attack whose target defends itself as it still may.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defended {
    /// "if the target uses Total Defense".
    pub how: &'static str,
    pub percent: u32,
    pub drop_percent: u32,
    pub rule: Rule,
}

impl Defended {
    /// "50% if the target uses Total Defense, 5% to drop".
    pub fn words(&self) -> String {
        let Self {
            how,
            percent,
            drop_percent,
            ..
        } = self;
        format!("{percent}% {how}, {drop_percent}% to drop")
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
    /// The unit that it is about: the chance stands beside its token.
    pub who: Option<Id>,
    /// The unit's name, where it is one of several that are affected alike.
    pub name: Option<String>,
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
            name: None,
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

    /// About one of several units that are affected alike.
    pub fn each(self, who: Id, names: &Names) -> Self {
        Self {
            name: Some(names.title(who).to_owned()),
            ..self.of(who)
        }
    }

    /// What is to be known, with the unit's name and the chance where it has them.
    pub fn words(&self) -> String {
        let name = self.name.as_ref().map(|name| format!("{name}: "));
        let chance = self.percent.map(|percent| format!(": {percent}%"));
        format!(
            "{}{}{}",
            name.unwrap_or_default(),
            self.text,
            chance.unwrap_or_default()
        )
    }
}

impl Provoked {
    /// One that is provoked where the unit stands.
    pub fn here(by: Id, percent: u32) -> Self {
        Self {
            by,
            step: 0,
            percent,
        }
    }
}
