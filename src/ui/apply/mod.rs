//! Handles the player's input in a battle: [`keys`] become [`Command`](super::Command)s, and
//! commands are applied, after a [warning](warn) where needed. [`carry_on`] continues the side's
//! plans.

mod apply_command;
mod carry_on;
mod keys;
mod warn;

use super::{Phase, Screen, modal, session};
use apply_command::{apply_commands, follow};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            keys::battle_keys
                .in_set(Phase::Input)
                .run_if(modal::is_clear),
            (
                apply_commands,
                carry_on::carry_on.run_if(session::is_on),
                carry_on::show_plan_failures
                    .run_if(resource_exists_and_changed::<session::Session>),
            )
                .chain()
                .in_set(Phase::Commands),
            // The frame that hands control to the player already shows the unit that is selected.
            follow.after(Phase::Think).before(Phase::Foresee),
        )
            .run_if(in_state(Screen::Battle)),
    );
}
