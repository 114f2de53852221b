//! Orders: what a unit is meant to do, and how that becomes declarations and answers. They use
//! only what the unit's side knows and what it is offered, so they are as fair as a player.
//!
//! - this file: an order, and a plan to carry it out
//! - `advance`: a move and the attack from its end
//! - `declare`: the plan for an order, and its declarations
//! - `next`: what an asked unit answers for its plan
//! - `open`: orders that stay in force until they are done
//! - `reason`: why a plan cannot be carried out
//! - `text`: orders as text
//! - `path`: paths that take several turns

mod advance;
mod declare;
mod next;
mod open;
mod path;
mod reason;
mod text;

pub use advance::{Advance, Approach};
pub use declare::{A_MOVE, AttackPlan, Manner, attack_plan, plan, weapons};
pub use next::{
    Next, NextStep, can_attack_now, carried_out, first_offered, is_in_reach, is_moment, next,
    passes,
};
pub use open::{Carried, OpenOrders};
use path::nearest;
pub use path::{distance, long_path};
pub use reason::Reason;
pub use text::{is_order, parse, to_text};

use crate::{
    battle::{Action, Choice, Id, Item, Planning},
    grid::Cell,
};

/// What a unit is meant to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Order {
    /// Attack a unit, after moving up to it if the rules allow that. `by` and `with` name the
    /// attack and weapon; without them the unit uses its best. A unit that is meant to shoot or
    /// throw strikes instead if its target is too close.
    Attack {
        target: Id,
        by: Option<&'static Action>,
        with: Option<Item>,
    },
    /// Move to a cell, or as near as the movement allows.
    Move { to: Cell },
    /// Carry out a declaration, such as a spell, on a unit or cell that is named when the
    /// action is due; or without either.
    Act {
        declared: Choice,
        at: Option<Id>,
        to: Option<Cell>,
    },
    /// Attack any enemy that comes into reach.
    Guard,
}

impl Order {
    /// The order to attack a unit in the best way.
    pub fn attack(target: Id) -> Self {
        Self::Attack {
            target,
            by: None,
            with: None,
        }
    }

    /// The order to carry out a declaration with its unit or cell, which may be named later or not
    /// at all.
    pub fn act(declared: &Choice, at: Option<Id>, to: Option<Cell>) -> Self {
        Self::Act {
            declared: declared.clone(),
            at,
            to: to.filter(|_| at.is_none()),
        }
    }

    /// The unit that the order targets, if any.
    pub fn target(&self) -> Option<Id> {
        match self {
            Self::Attack { target, .. } => Some(*target),
            Self::Act { at, .. } => *at,
            Self::Move { .. } | Self::Guard => None,
        }
    }

    /// The cell that the order targets, if any.
    pub fn cell(&self) -> Option<Cell> {
        match self {
            Self::Move { to } => Some(*to),
            Self::Act { to, .. } => *to,
            Self::Attack { .. } | Self::Guard => None,
        }
    }
}

/// What to do if a plan cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fallback {
    /// Ask the player.
    #[default]
    Ask,
    /// Attack another enemy in reach.
    Another,
    /// Do nothing.
    Skip,
}

impl Fallback {
    /// The name in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Ask => "you choose",
            Self::Another => "another target",
            Self::Skip => "do nothing",
        }
    }

    /// The next fallback in the cycle.
    pub fn following(self) -> Self {
        match self {
            Self::Ask => Self::Another,
            Self::Another => Self::Skip,
            Self::Skip => Self::Ask,
        }
    }
}

/// A unit's order for a round, and how far it has come.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    pub who: Id,
    pub order: Order,
    pub fallback: Fallback,
    /// Feet that the unit moves before its attack. With 0 it attacks from its cell and does not
    /// come nearer if it cannot.
    pub feet: u16,
    /// The declarations of the plan, in order.
    pub declared: Vec<Choice>,
    /// Whether the unit carries out the plan when it is asked. Otherwise the declarations say
    /// everything, or leave everything to its turn.
    pub is_aimed: bool,
    /// Whether the unit has begun it: the plan then does not cover the rest of the turn.
    pub is_begun: bool,
}

impl Plan {
    pub fn new(who: Id, order: Order) -> Self {
        Self {
            who,
            order,
            fallback: Fallback::default(),
            feet: 0,
            declared: vec![],
            is_aimed: true,
            is_begun: false,
        }
    }

    /// The plan of declarations as they stand, with the target that they name, if any.
    pub fn as_declared(who: Id, declared: Vec<Choice>) -> Self {
        let named = declared.iter().find(|choice| choice.at.is_some());
        let main = named.or(declared.first());
        let order = main.map_or(Order::Guard, |main| Order::act(main, main.at, main.to));
        Self {
            declared,
            is_aimed: false,
            ..Self::new(who, order)
        }
    }

    /// Whether the plan has a target, cell or spell, or one to be named later. Finishing to declare
    /// has none.
    pub fn has_purpose(&self) -> bool {
        self.is_aimed || self.aims() || self.is_spell()
    }

    /// Whether the plan casts a spell.
    pub fn is_spell(&self) -> bool {
        self.declared.iter().any(|order| order.spell.is_some())
    }

    /// Whether the plan has a target unit or cell.
    pub fn aims(&self) -> bool {
        self.order.target().is_some() || self.order.cell().is_some()
    }

    /// Whether the plan has no target unit and no spell, so at most a cell to move to.
    pub fn is_move(&self) -> bool {
        self.order.target().is_none() && !self.is_spell()
    }

    /// Whether the plan is declared work, which is done without a further decision.
    pub fn is_work(&self, planning: &Planning) -> bool {
        let is_work = |declared: &Choice| planning.works.contains(&declared.verb);
        matches!(&self.order, Order::Act { declared, .. } if is_work(declared))
    }

    /// Whether the plan has no target unit, cell, spell or work.
    pub fn is_open(&self, planning: &Planning) -> bool {
        self.is_move() && self.order.cell().is_none() && !self.is_work(planning)
    }

    /// Whether these answers do what the plan is for.
    pub fn is_done_by(&self, answers: &[Choice]) -> bool {
        let takes_any = self.fallback == Fallback::Another;
        let target = self.order.target();
        let is_aimed = |answer: &Choice| match answer.at {
            Some(at) => takes_any || target == Some(at),
            // An area spell is aimed at a cell.
            None => answer.spell.is_some() && answer.to.is_some(),
        };
        target.is_none() && !takes_any || answers.iter().any(is_aimed)
    }
}
