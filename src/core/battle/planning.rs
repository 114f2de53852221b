//! How units plan a round under a ruleset: what they declare first, and when they act. The engine
//! does not use this; the code that carries out orders and shows plans does.

use super::{Action, Body, Choice, Clock, Event, EventKind, Id, Item, Moment, Rule, Why, of_unit};
use bevy_ecs::world::World;

/// The purpose of a declaration.
#[derive(Clone, PartialEq, Debug)]
pub enum Purpose {
    /// Attack after a move of `feet`. `guard`: the percentage of the possible defense that is
    /// kept; `None` leaves it to the ruleset.
    Attack {
        attack: Choice,
        feet: u16,
        guard: Option<i32>,
    },
    /// Move this many feet.
    Move(u16),
    /// Attack any enemy that comes into reach.
    Guard,
}

impl Purpose {
    /// A move of one cell, for questions about moves of any length.
    pub const STEP: Self = Self::Move(5);

    /// Attack without a move.
    pub fn attack(attack: Choice) -> Self {
        Self::Attack {
            attack,
            feet: 0,
            guard: None,
        }
    }
}

/// The kind of weapon for an attack: units do not throw bows or shoot axes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeaponKind {
    Any,
    Shot,
    Thrown,
}

impl WeaponKind {
    /// Whether a weapon fits, given whether it is thrown.
    pub fn fits(self, is_thrown: bool) -> bool {
        self == Self::Any || is_thrown == (self == Self::Thrown)
    }
}

/// How good an attack is. Compared by expected effect, then by chance to hit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AttackOdds {
    /// The expected effect, in the ruleset's own measure.
    pub worth: i32,
    /// The chance to hit, in percent.
    pub percent: u32,
}

/// How units plan under a ruleset, as a table. [`Planning::NONE`] is for rulesets without
/// declarations.
#[derive(Debug)]
pub struct Planning {
    /// Whether units are declaring their round now.
    pub declaring: fn(&mut World) -> bool,
    /// Whether the time of a unit's action is known before it declares. Otherwise dice decide it
    /// afterwards.
    pub knows_times: bool,
    /// What to declare for a purpose, in order. Empty if it is not possible.
    pub declare: fn(&mut World, Id, &Purpose) -> Vec<Choice>,
    /// What a unit declares if its side ends the declarations without an order for it. `None` if
    /// nothing.
    pub rest: fn(&mut World, Id) -> Option<Choice>,
    /// Declarations that do nothing. A unit without a plan declares the first of them that is
    /// offered.
    pub idle: &'static [&'static Action],
    /// For actions that name their target later: the declaration, and the actions that carry it
    /// out when its moment comes.
    pub carried_out: &'static [(&'static Action, &'static [&'static Action])],
    /// Declared work that is done without a further decision, at its moment or at the end of the
    /// round; or a declared walk, such as flight, which only needs a cell when its moment comes.
    pub works: &'static [&'static Action],
    /// Answers that end a unit's turn; the first that is offered is used.
    pub done: &'static [&'static Action],
    /// Ends the turn of a whole side. `None` where every turn belongs to one unit.
    pub end_turn: Option<&'static Action>,
    /// The moves; the first is the usual one.
    pub walks: &'static [&'static Action],
    /// The plain attacks that any unit can make on a target in reach, and the weapons they need.
    /// The first is the melee attack.
    pub attacks: &'static [(&'static Action, WeaponKind)],
    /// The attack at the end of a run, if the ruleset has one, then its declaration if it differs
    /// from that of other attacks.
    pub charge: &'static [&'static Action],
    /// The charges that must run in a straight line, and their declarations.
    pub straight_charges: &'static [&'static Action],
    /// How good a plain attack would be from where the unit stands, in or out of turn. `None` if
    /// it is not possible.
    pub odds: fn(&mut World, &Choice) -> Option<AttackOdds>,
    /// Whether a unit can move and then attack in the same turn.
    pub advances: bool,
    /// Whether a unit that walks in a round makes no plain attack in it: the walk takes the action
    /// of the attack, and comes after the others' attacks.
    pub walk_is_action: bool,
    /// The declaration that keeps part of a unit's attack for its defense. `None` if the ruleset has
    /// none.
    pub parry: Option<&'static Action>,
    /// The short move that a unit out of melee can make after its attack. Plans leave it out.
    pub step_after: Option<&'static Action>,
    /// Whether a unit that has a decision now still gets its own moment later in this round.
    pub waits: fn(&mut World, Id) -> bool,
    /// Whether the actions left to a unit are seldom worth a stop.
    pub is_skippable: fn(&mut World, Id) -> bool,
    /// The round from left to right, as far as this world knows it.
    pub clock: fn(&mut World) -> Clock,
    /// The current part of the round: [`Clock::now`].
    pub now: fn(&mut World) -> Moment,
    /// What a unit has declared or does next, as far as this world knows: "fire bolt at goblin 2,
    /// segment 6". Empty if nothing.
    pub declared: fn(&mut World, Id) -> String,
    /// Whether a unit has nothing left to do in its turn or in this round.
    pub is_done: fn(&mut World, Id) -> bool,
    /// Whether a unit is still to be asked in this part of the round, which may ask one unit after the
    /// other.
    pub is_due: fn(&mut World, Id) -> bool,
    /// Whether a unit can't attack on its own turn any more in this round: it is surprised, or its
    /// attacks are made.
    pub has_attacked: fn(&mut World, Id) -> bool,
    /// Why a unit that declares now can't walk away in this round, and the declaration that still
    /// leads away. `None` if it can walk.
    pub stuck: fn(&mut World, Id) -> Option<(Why, &'static Action)>,
    /// The unit in whose cell a unit stands, if neither can attack from there.
    pub shares_cell: fn(&mut World, Id) -> Option<Id>,
    /// What it costs two units to share a cell, and the rule: "neither can attack there". `None` if
    /// it costs nothing.
    pub shared_cell_cost: Option<(&'static str, Rule)>,
    /// The rules by which an adjacent enemy can prevent a unit's action.
    pub adjacency_rules: &'static [Rule],
    /// The enemies that a declaration asks not to fight in this round. An attack on one of them ends
    /// that for it.
    pub truce: fn(&mut World, &Choice) -> Vec<Id>,
    /// The held weapons whose moment comes after that of this attack.
    pub later: fn(&mut World, &Choice) -> Vec<Item>,
}

impl Planning {
    /// No declarations, moves or attacks.
    pub const NONE: Self = Self {
        declaring: |_| false,
        knows_times: false,
        declare: |_, _, _| vec![],
        rest: |_, _| None,
        idle: &[],
        carried_out: &[],
        works: &[],
        done: &[],
        end_turn: None,
        walks: &[],
        attacks: &[],
        charge: &[],
        straight_charges: &[],
        odds: |_, _| None,
        advances: false,
        walk_is_action: false,
        parry: None,
        step_after: None,
        waits: |_, _| false,
        is_skippable: |_, _| false,
        clock: |_| Clock::default(),
        now: |_| Moment::default(),
        declared: |_, _| String::new(),
        is_done: |world, who| !of_unit::<Body>(world, who).is_up(),
        is_due: |_, _| false,
        has_attacked: |_, _| false,
        stuck: |_, _| None,
        shares_cell: |_, _| None,
        shared_cell_cost: None,
        adjacency_rules: &[],
        truce: |_, _| vec![],
        later: |_, _| vec![],
    };

    /// Whether an action is a charge or declares one.
    pub fn is_charge(&self, action: &'static Action) -> bool {
        self.charge.contains(&action)
    }

    /// Keeps a set of the units whose last action is a charge in a straight line, a bit each.
    pub fn note_charge(&self, charging: &mut u64, event: &Event) {
        let EventKind::Acted { choice } = &event.what else {
            return;
        };
        let Some(who) = choice.who else { return };
        match self.straight_charges.contains(&choice.verb) {
            true => *charging |= who.bit(),
            false => *charging &= !who.bit(),
        }
    }

    /// Whether a charge is declared in the same way as any attack.
    pub fn charges_by_attack(&self) -> bool {
        self.charge.len() == 1 && !self.advances
    }

    /// Whether rounds are declared beforehand.
    pub fn declares(&self) -> bool {
        !self.idle.is_empty()
    }

    /// Whether a choice is a declaration that leaves everything to the unit's turn.
    pub fn leaves_open(&self, choice: &Choice) -> bool {
        let is_idle = self.idle.contains(&choice.verb) && choice.at.is_none();
        is_idle && !self.done.contains(&choice.verb)
    }

    /// The melee attack of any unit.
    pub fn melee(&self) -> Option<&'static Action> {
        self.attacks.first().map(|attack| attack.0)
    }

    /// The actions that carry out a declaration when its moment comes.
    pub fn carries_out(&self, declared: &'static Action) -> &'static [&'static Action] {
        let row = self.carried_out.iter().find(|row| row.0 == declared);
        row.map_or(&[], |row| row.1)
    }

    /// Whether an action is a walk that was declared, such as flight.
    pub fn is_declared_walk(&self, action: &'static Action) -> bool {
        let is_of = |work: &&'static Action| self.carries_out(work).contains(&action);
        self.walks.contains(&action) && self.works.iter().any(is_of)
    }

    /// Whether an action is a plain attack.
    pub fn is_attack(&self, action: &'static Action) -> bool {
        self.attacks.iter().any(|attack| attack.0 == action)
    }
}
