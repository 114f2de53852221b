//! What the combat systems share above the engine: each mechanism is written
//! once, with hooks where the systems differ. Nothing in this room knows which
//! of them it serves.
//!
//! - this file: a combat system as the mechanisms see it
//! - `act`: an action as one row: button, chances, worth, how it begins
//! - `ai`: what the quick AI makes of the field
//! - `moves`: what is left of a move, one cell at a time; several who move at
//!   once
//! - `charges`: those among them who run at somebody
//! - `hiding`, `room`: hidden units; room for units that cannot stay where they are
//! - `leave`, `flee`: leaving the field by an exit, and coming onto it; those who
//!   make for one because their courage is gone
//! - `paths`: a path laid by hand
//! - `run_up`: the straight line of a charge
//! - `attacks`: from the die to the wound
//! - `bleed`: the fallen who bleed
//! - `surprise`: who is caught unaware as the battle begins
//! - `end_checks`: the end of the battle, morale
//! - `line`: what the board has to say of an attack
//! - `areas`: what spells cover, who is in it, how far they reach
//! - `conditions`: what lasts on somebody for some rounds
//! - `checks`: a check before its dice
//! - `declare`: declarations before a round
//! - `damage`: what dice do, chances, who has lost how much
//! - `numbers`: how a file of numbers is read
//! - `table`: their rows in the engine's table
//! - `undertake`: how acts begin, one or several at one moment
//! - `probes`: what all of them keep of each combatant
//! - `reactions`: how somebody is asked whether they react
//! - `doors`: opening and closing them as an act
//! - `forecast`: what is said of an order before it is given
//! - `gear`: things in hand, thrown, let go and picked up

pub mod act;
pub mod ai;
pub mod areas;
pub mod attacks;
pub mod bleed;
mod charges;
pub mod checks;
pub mod conditions;
pub mod damage;
pub mod declare;
pub mod doors;
pub mod end_checks;
pub mod flee;
pub mod forecast;
pub mod gear;
pub mod hiding;
pub mod initiative;
pub mod leave;
pub mod line;
pub mod moves;
pub mod numbers;
pub mod paths;
pub mod probes;
pub mod reactions;
pub mod room;
pub mod run_up;
pub mod surprise;
pub mod table;
pub mod undertake;

/// Actions of a ruleset, each by its constant, key, order and log text and rule, or of
/// what is declared, by its key and words; with `all`, a list of them.
macro_rules! verbs {
    (all $list:ident: $($constant:ident = $($rest:literal),+;)*) => {
        verbs! { $($constant = $($rest),+;)* }
        pub static $list: &[&crate::battle::Action] = &[$(&$constant),*];
    };
    (declare $rule:literal: $($constant:ident = $name:literal, $what:literal;)*) => {
        verbs! {
            $($constant = concat!("declare ", $name), concat!("declare ", $what),
                concat!("declares ", $what), $rule;)*
        }
    };
    ($($constant:ident = $name:expr, $order:expr, $log:expr, $rule:literal;)*) => {
        $(pub static $constant: crate::battle::Action =
            crate::battle::Action::new($name, $order, $log, $rule);)*
    };
}
pub(crate) use verbs;

/// Read access to a battle of a combat system that keeps one component of each
/// combatant, and a `Clock`.
macro_rules! reads {
    (
        $(#[$doc:meta])* $name:ident, $one:ident: $part:ty, $all:ident
        $(, $(#[$field_doc:meta])* $field:ident: $local:ty)?
    ) => {
        $(#[$doc])*
        #[derive(bevy_ecs::system::SystemParam)]
        pub struct $name<'w, 's> {
            pub view: crate::battle::View<'w, 's>,
            $all: crate::battle::Each<'w, 's, $part>,
            pub clock: bevy_ecs::system::Res<'w, Clock>,
            pub pending_attacks: bevy_ecs::system::Res<'w, crate::battle::PendingAttacks>,
            $($(#[$field_doc])* pub $field: bevy_ecs::system::Local<'s, $local>,)?
        }

        impl $name<'_, '_> {
            pub fn $one(&self, id: crate::battle::Id) -> &$part {
                self.$all.of(id)
            }
        }
    };
}
pub(crate) use reads;

/// A combat system as the shared mechanisms see it, whose read access has a
/// `view` and a `clock`; and what that reads of everybody: `stats` are its own
/// section of a creature.
macro_rules! combat_system {
    ($(#[$doc:meta])* $name:ident, $reads:ident, $stats:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl crate::rulesets::common::CombatSystem for $name {
            type Param = $reads<'static, 'static>;

            fn view<'a, 'w, 's>(
                state: &'a crate::rulesets::common::State<'w, 's, Self>,
            ) -> &'a crate::battle::View<'w, 's> {
                &state.view
            }

            fn round(state: &$reads) -> u16 {
                state.clock.round
            }
        }

        impl $reads<'_, '_> {
            pub fn body(&self, id: crate::battle::Id) -> &crate::battle::Body {
                self.view.body(id)
            }

            pub fn is_up(&self, id: crate::battle::Id) -> bool {
                self.body(id).is_up()
            }

            pub fn stats(&self, id: crate::battle::Id) -> &$stats {
                self.view.creature(id).section::<$stats>()
            }

            pub fn weapon(&self, item: crate::battle::Item) -> &crate::content::Weapon {
                self.view.weapon(item)
            }

            pub fn gear(&self, id: crate::battle::Id) -> &crate::battle::Inventory {
                self.view.gear(id)
            }

            /// Feet that they reach with one of their weapons; none if that is not
            /// for melee.
            pub fn reach(&self, id: crate::battle::Id, item: crate::battle::Item) -> Option<u16> {
                let reach = self.view.creature(id).reach(self.weapon(item))?;
                u16::try_from(reach).ok()
            }
        }
    };
}
pub(crate) use combat_system;

use crate::battle::View;
use bevy_ecs::system::{ReadOnlySystemParam, SystemParamItem};
use std::fmt::Debug;

/// A combat system, as the shared mechanisms see it: a type without values.
pub trait CombatSystem: Copy + Debug + Send + Sync + 'static {
    /// Read access to a battle under it.
    type Param: ReadOnlySystemParam + 'static;

    /// What all systems share of it.
    fn view<'a, 'w, 's>(state: &'a State<'w, 's, Self>) -> &'a View<'w, 's>;

    /// The round that is fought.
    fn round(state: &State<Self>) -> u16;
}

/// The state of a battle under a combat system.
pub type State<'w, 's, R> = SystemParamItem<'w, 's, <R as CombatSystem>::Param>;
