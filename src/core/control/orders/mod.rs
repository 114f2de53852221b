//! Orders: what a unit is meant to do, and how that becomes declarations and answers.
//! They read what the unit's side knows and the offers to it, and nothing more: to carry
//! out an order is as fair as to play.
//!
//! - this file: an order, and a plan to carry it out
//! - `declare`: the plan for an order, with what is declared for it
//! - `next`: what a unit that is asked answers for its plan
//! - `open`: orders that are open until they are done
//! - `reason`: why a plan cannot be carried out
//! - `text`: orders as people write them
//! - `path`: paths that take several turns

mod declare;
mod next;
mod open;
mod path;
mod reason;
mod text;

pub use declare::{AttackPlan, Manner, attack_plan, plan};
pub use next::{Next, Step, carried_out, is_in_reach, is_moment, next, passes};
pub use open::{Carried, OpenOrders};
pub use path::{distance, long_path};
pub use reason::Reason;
pub use text::{is_order, parse, print};

use crate::{
    battle::{Action, Choice, Id, Item, SpellId},
    grid::Cell,
};

/// What a unit is meant to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Order {
    /// Attack a unit, and go there first where the rules leave room for it. `by` and
    /// `with`: with this attack and this weapon; without them the best at hand. A unit that
    /// is to shoot or throw strikes a target that has come so close that it cannot.
    Attack {
        target: Id,
        by: Option<&'static Action>,
        with: Option<Item>,
    },
    /// Go to a cell, as near as the movement allows.
    Move { to: Cell },
    /// Carry out what was declared, a spell or any other action, at a unit or a cell
    /// that is named once its moment comes; or at none.
    Act {
        declared: Choice,
        at: Option<Id>,
        to: Option<Cell>,
    },
    /// Attack any enemy that comes into reach.
    Guard,
}

impl Order {
    /// The unit that it is for.
    pub fn target(&self) -> Option<Id> {
        match self {
            Self::Attack { target, .. } => Some(*target),
            Self::Act { at, .. } => *at,
            Self::Move { .. } | Self::Guard => None,
        }
    }

    /// The cell that it is for.
    pub fn cell(&self) -> Option<Cell> {
        match self {
            Self::Move { to } => Some(*to),
            Self::Act { to, .. } => *to,
            Self::Attack { .. } | Self::Guard => None,
        }
    }

    /// The spell that it is to cast.
    pub fn spell(&self) -> Option<SpellId> {
        match self {
            Self::Act { declared, .. } => declared.spell,
            _ => None,
        }
    }
}

/// What is done where a plan cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fallback {
    /// The player is asked.
    #[default]
    Ask,
    /// Another enemy in reach is attacked.
    Another,
    /// Nothing is done.
    Skip,
}

impl Fallback {
    /// In a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Ask => "you choose",
            Self::Another => "another target",
            Self::Skip => "do nothing",
        }
    }

    /// The next in a ring.
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
    /// Feet that it goes before its attack. 0: it attacks from where it stands, and comes
    /// no nearer where it cannot.
    pub feet: u16,
    /// What was declared for it, in order.
    pub declared: Vec<Choice>,
    /// It has been begun: what is left of the moment is no part of the plan.
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
            is_begun: false,
        }
    }

    /// The plan that a declaration is for which names its target itself, or has none.
    pub fn declared(choice: &Choice) -> Self {
        let who = choice.actor();
        let order = match (choice.at, choice.to, choice.spell) {
            (None, None, None) => Order::Guard,
            (at, to, _) => Order::Act {
                declared: choice.clone(),
                at,
                to: to.filter(|_| at.is_none()),
            },
        };
        Self {
            declared: vec![choice.clone()],
            ..Self::new(who, order)
        }
    }

    /// It is to cast a spell.
    pub fn is_spell(&self) -> bool {
        self.declared.iter().any(|order| order.spell.is_some())
    }

    /// It is for a unit, or for a cell.
    pub fn aims(&self) -> bool {
        self.order.target().is_some() || self.order.cell().is_some()
    }

    /// It is to go somewhere, and no more.
    pub fn is_move(&self) -> bool {
        self.order.target().is_none() && !self.is_spell()
    }

    /// It is for no unit and no cell, and no spell either.
    pub fn is_open(&self) -> bool {
        self.is_move() && self.order.cell().is_none()
    }

    /// These answers are what it is for.
    pub fn is_done_by(&self, answers: &[Choice]) -> bool {
        let takes_any = self.fallback == Fallback::Another;
        let target = self.order.target();
        let is_aimed = |answer: &Choice| match answer.at {
            Some(at) => takes_any || target == Some(at),
            // A spell that covers an area is aimed at a cell.
            None => answer.spell.is_some() && answer.to.is_some(),
        };
        target.is_none() && !takes_any || answers.iter().any(is_aimed)
    }
}
