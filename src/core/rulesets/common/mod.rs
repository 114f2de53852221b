//! What the combat systems share: each mechanism is written once, with hooks where the systems
//! differ. Nothing in this module knows which system it serves.
//!
//! - this file: a combat system as the shared mechanisms see it
//! - `act`: an action as one row: button, chances, worth, how it begins
//! - `ai`: the quick AI's evaluation
//! - `moves`: movement, one cell at a time, also of several units at once
//! - `charges`: charges among units that move at once
//! - `hiding`, `room`: hidden units; free cells for units that can't stay where they are
//! - `leave`, `flee`: leaving by an exit, and entering; fleeing after morale breaks
//! - `paths`: custom paths
//! - `charge_lane`: the straight line of a charge
//! - `attacks`: attacks from the roll to the damage
//! - `bleed`: fallen units that bleed
//! - `surprise`: which units are surprised as the battle begins
//! - `initiative`: initiative dice by side
//! - `end_checks`: the end of the battle, morale
//! - `line`: line of sight, range, reach and cover of an attack
//! - `areas`: what spells cover, which units they catch, how far they reach
//! - `conditions`: effects that last for rounds
//! - `castings`: how often spells were cast
//! - `checks`: a check before its dice
//! - `declare`: declarations before a round
//! - `damage`: damage dice, chances, losses per unit
//! - `numbers`: reading a file of numbers
//! - `table`: a system's row in the engine's table
//! - `begin_actions`: how chosen actions begin, one or several at once
//! - `probes`: probes that all systems share
//! - `reactions`: reaction windows
//! - `doors`: opening and closing doors
//! - `forecast`: forecasts of orders
//! - `inventory`: items in hand, thrown, dropped and picked up

pub mod act;
pub mod ai;
pub mod areas;
pub mod attacks;
pub mod begin_actions;
pub mod bleed;
pub mod castings;
pub mod charge_lane;
mod charges;
pub mod checks;
pub mod conditions;
pub mod damage;
pub mod declare;
pub mod doors;
pub mod end_checks;
pub mod flee;
pub mod forecast;
pub mod hiding;
pub mod initiative;
pub mod inventory;
pub mod leave;
pub mod line;
pub mod moves;
pub mod numbers;
pub mod paths;
pub mod probes;
pub mod reactions;
pub mod room;
pub mod surprise;
pub mod table;

/// Defines a ruleset's actions, each from its constant, name, order text, log text and rule, and
/// what it [handles](crate::battle::Handling), if that is all it is for. Another property, such as
/// [`moving_target`](crate::battle::Action::moving_target), follows an arrow.
/// `declare` defines declarations from a name and a text; `all` also defines a list of the actions.
macro_rules! verbs {
    (all $list:ident: $($(#[$doc:meta])* $constant:ident = $($rest:literal),+ $(, $handling:ident)?;)*) => {
        verbs! { $($(#[$doc])* $constant = $($rest),+ $(, $handling)?;)* }
        pub static $list: &[&crate::battle::Action] = &[$(&$constant),*];
    };
    (declare $rule:literal: $($constant:ident = $name:literal, $what:literal;)*) => {
        verbs! {
            $($constant = concat!("declare ", $name), concat!("declare ", $what),
                concat!("declares ", $what), $rule;)*
        }
    };
    ($(
        $(#[$doc:meta])*
        $constant:ident = $name:expr, $order:expr, $log:expr, $rule:expr $(, $handling:ident)?
        $(=> $property:ident)?;
    )*) => {
        $($(#[$doc])* pub static $constant: crate::battle::Action =
            crate::battle::Action::new($name, $order, $log, $rule)
                $(.handling(crate::battle::Handling::$handling))?$(.$property())?;)*
    };
}
pub(crate) use verbs;

/// Defines read access to a battle of a combat system, to the components that it stores for each
/// unit and to its `Clock`.
macro_rules! ruleset_query {
    (
        $(#[$doc:meta])* $name:ident: $($(#[$one_doc:meta])* $one:ident, $all:ident: $part:ty;)+
        $(+ $(#[$field_doc:meta])* $field:ident: $local:ty)?
    ) => {
        $(#[$doc])*
        #[derive(bevy_ecs::system::SystemParam)]
        pub struct $name<'w, 's> {
            pub view: crate::battle::View<'w, 's>,
            $($all: crate::battle::Each<'w, $part>,)+
            pub clock: bevy_ecs::system::Res<'w, Clock>,
            pub pending_attacks: bevy_ecs::system::Res<'w, crate::battle::PendingAttacks>,
            $($(#[$field_doc])* pub $field: bevy_ecs::system::Local<'s, $local>,)?
        }

        impl $name<'_, '_> {
            $($(#[$one_doc])* pub fn $one(&self, id: crate::battle::Id) -> &$part {
                self.$all.of(id)
            })+
        }
    };
}
pub(crate) use ruleset_query;

/// Defines a combat system for the shared mechanisms, with read access that has a `view` and a
/// `clock`. `stats` is the system's own section of a creature.
macro_rules! combat_system {
    ($(#[$doc:meta])* $name:ident, $query:ident, $stats:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl crate::rulesets::common::CombatSystem for $name {
            type Param = $query<'static, 'static>;

            fn view<'a, 'w, 's>(
                state: &'a crate::rulesets::common::State<'w, 's, Self>,
            ) -> &'a crate::battle::View<'w, 's> {
                &state.view
            }

            fn round(state: &$query) -> u16 {
                state.clock.round
            }
        }

        impl $query<'_, '_> {
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

            pub fn inventory(&self, id: crate::battle::Id) -> &crate::battle::Inventory {
                self.view.inventory(id)
            }

            /// The unit's reach in feet with one of its weapons. `None` if it is not a melee
            /// weapon.
            pub fn reach(&self, id: crate::battle::Id, item: crate::battle::Item) -> Option<u16> {
                let reach = self.view.creature(id).reach(self.weapon(item))?;
                u16::try_from(reach).ok()
            }
        }
    };
}
pub(crate) use combat_system;

use crate::battle::{View, run_system};
use bevy_ecs::{
    system::{In, ReadOnlySystemParam, StaticSystemParam, SystemParamItem},
    world::World,
};
use std::fmt::Debug;

/// A combat system as the shared mechanisms see it: a type without values.
pub trait CombatSystem: Copy + Debug + Send + Sync + 'static {
    /// Read access to a battle under this system.
    type Param: ReadOnlySystemParam + 'static;

    /// The part of the state that all systems share.
    fn view<'a, 'w, 's>(state: &'a State<'w, 's, Self>) -> &'a View<'w, 's>;

    fn round(state: &State<Self>) -> u16;
}

/// The values, each once, in ascending order.
pub fn sorted<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all = Vec::from_iter(all);
    all.sort_unstable();
    all.dedup();
    all
}

/// The values, each once, in order of their first appearance.
pub fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut out = vec![];
    for new in all {
        if !out.contains(&new) {
            out.push(new);
        }
    }
    out
}

/// The state of a battle under a combat system.
pub type State<'w, 's, R> = SystemParamItem<'w, 's, <R as CombatSystem>::Param>;

/// A function that reads the state of a battle under a combat system.
type ReadFn<R, I, O> = fn(&State<R>, I) -> O;

/// Runs a function that reads a battle under a combat system.
pub fn ask<R: CombatSystem, I: 'static, O: 'static>(
    world: &mut World,
    read: ReadFn<R, I, O>,
    input: I,
) -> O {
    fn run<R: CombatSystem, I: 'static, O: 'static>(
        In((read, input)): In<(ReadFn<R, I, O>, I)>,
        state: StaticSystemParam<R::Param>,
    ) -> O {
        read(&state, input)
    }
    run_system(world, run::<R, I, O>, (read, input))
}
