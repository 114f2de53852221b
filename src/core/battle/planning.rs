//! How units plan a round under a ruleset: what they declare before anything is done,
//! and when it is done. The engine knows nothing of it; what carries out orders and
//! what shows plans read it.

use super::{Action, Body, Choice, Clock, Id, Item, Rule, component};
use bevy_ecs::world::World;

/// What a declaration is for.
#[derive(Clone, PartialEq, Debug)]
pub enum Purpose {
    /// This attack, after a move of `feet`. `guard`: how much of what could be kept for
    /// defense is kept, in percent; none leaves it to the ruleset.
    Attack {
        attack: Choice,
        feet: u16,
        guard: Option<i32>,
    },
    /// A move of this many feet.
    Move(u16),
    /// To attack any enemy that comes into reach.
    Guard,
}

/// Which weapons an attack is made with: no unit throws a bow or shoots an axe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arms {
    Any,
    Shot,
    Thrown,
}

impl Arms {
    /// Whether a weapon fits that is thrown, or is not.
    pub fn fits(self, is_thrown: bool) -> bool {
        self == Self::Any || is_thrown == (self == Self::Thrown)
    }
}

/// What an attack promises. They are compared by what is expected of them, then by the
/// chance to hit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AttackOdds {
    /// What is expected of it, in the ruleset's own measure.
    pub worth: i32,
    /// The chance that it hits, in percent.
    pub percent: u32,
}

/// A ruleset's way to plan, as a table. [`Planning::NONE`] is that of a ruleset in
/// which nothing is declared.
#[derive(Debug)]
pub struct Planning {
    /// Units now say what they will do in the round.
    pub declaring: fn(&mut World) -> bool,
    /// When a unit acts is known before it declares; else dice decide it afterwards.
    pub knows_times: bool,
    /// What is to be declared for a purpose, in order. Empty: it cannot be.
    pub declare: fn(&mut World, Id, &Purpose) -> Vec<Choice>,
    /// Declarations that do nothing: the first that is offered is what a unit without a
    /// plan declares.
    pub idle: &'static [&'static Action],
    /// What carries out a declared action whose target is named later: the declaration,
    /// and the actions of its moment.
    pub carried_out: &'static [(&'static Action, &'static [&'static Action])],
    /// A unit is done for the turn: the first of these that is offered.
    pub done: &'static [&'static Action],
    /// Ends the turn of a whole side. None where a turn is always one unit's.
    pub end_turn: Option<&'static Action>,
    /// Moves; the very first is the usual one.
    pub walks: &'static [&'static Action],
    /// The plain attacks that any unit may make on a target in reach, with whatever is at
    /// hand that fits. The first is the melee attack.
    pub attacks: &'static [(&'static Action, Arms)],
    /// The attack at the end of a run, where there is one; then what it is declared by, if
    /// that is not what declares any attack.
    pub charge: &'static [&'static Action],
    /// What a plain attack promises, made from where the unit stands, out of turn or in it.
    /// None: it cannot be made.
    pub odds: fn(&mut World, &Choice) -> Option<AttackOdds>,
    /// A move leaves room for an attack in the same turn, right after it.
    pub advances: bool,
    /// A unit that is asked now still has its moment to come in this round.
    pub waits: fn(&mut World, Id) -> bool,
    /// What is left to a unit that is asked is seldom worth a stop.
    pub trifles: fn(&mut World, Id) -> bool,
    /// The round from left to right, as far as this world knows it.
    pub clock: fn(&mut World) -> Clock,
    /// What a unit has declared or does next, as far as this world knows: "fire bolt at
    /// goblin 2, segment 6". Empty: nothing.
    pub declared: fn(&mut World, Id) -> String,
    /// A unit has nothing left to do in its turn, or in this round.
    pub is_done: fn(&mut World, Id) -> bool,
    /// The rules by which an adjacent enemy keeps a unit from what it does.
    pub crowds: &'static [Rule],
    /// The weapons in hand whose moment comes after that of this attack.
    pub later: fn(&mut World, &Choice) -> Vec<Item>,
}

impl Planning {
    /// Nothing is declared, and nothing is known of moves and attacks.
    pub const NONE: Self = Self {
        declaring: |_| false,
        knows_times: false,
        declare: |_, _, _| vec![],
        idle: &[],
        carried_out: &[],
        done: &[],
        end_turn: None,
        walks: &[],
        attacks: &[],
        charge: &[],
        odds: |_, _| None,
        advances: false,
        waits: |_, _| false,
        trifles: |_, _| false,
        clock: |_| Clock::default(),
        declared: |_, _| String::new(),
        is_done: |world, who| !component::<Body>(world, who).is_up(),
        crowds: &[],
        later: |_, _| vec![],
    };

    /// Whether an action is a charge, or declares one.
    pub fn is_charge(&self, action: &'static Action) -> bool {
        self.charge.contains(&action)
    }

    /// Whether what declares any attack declares a charge as well.
    pub fn charges_by_attack(&self) -> bool {
        self.charge.len() == 1 && !self.advances
    }

    /// Whether a round is declared beforehand.
    pub fn declares(&self) -> bool {
        !self.idle.is_empty()
    }

    /// The melee attack of any unit.
    pub fn melee(&self) -> Option<&'static Action> {
        self.attacks.first().map(|attack| attack.0)
    }

    /// Whether an action is a plain attack.
    pub fn is_attack(&self, action: &'static Action) -> bool {
        self.attacks.iter().any(|attack| attack.0 == action)
    }
}
