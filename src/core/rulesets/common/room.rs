//! Free cells for units that can't stay where they are, or that enter where another unit stands
//! (GR-03).

use super::{
    State,
    hiding::{Hides, known_occupancy, lurkers},
};
use crate::{
    battle::{self, EventKind, Id, Rule, StepOutcome},
    grid::{Cell, Occupant, Space},
    system_step,
};
use bevy_ecs::system::{In, StaticSystemParam};

/// GR-03: the free cell for a unit that can't stay at `at`: the last free one on its `trail`, else
/// the nearest that it can walk to. An enemy hidden there is revealed, and the next cell is tried.
/// `None` if no cell is free.
pub fn room<R: Hides>(
    state: &State<R>,
    who: Id,
    at: Cell,
    trail: &[Cell],
    outcome: &mut StepOutcome,
) -> Option<Cell> {
    let view = R::view(state);
    let size = view.body(who).size;
    let mut occupancy = known_occupancy::<R>(state, who, |_| None);
    let mut found = 0u64;
    loop {
        let cell = view.free_cell(who, at, trail, &occupancy)?;
        let hidden = lurkers::<R>(state, who, Space::new(cell, size));
        let mut hidden = hidden.into_iter();
        let Some(enemy) = hidden.find(|enemy| found & enemy.bit() == 0) else {
            return Some(cell);
        };
        found |= enemy.bit();
        R::reveal(state, enemy, outcome);
        occupancy.put(view.body(enemy).space(), Occupant::Foe);
    }
}

/// GR-03: moves a unit that stopped in another unit's cell to where there is [`room`].
pub fn make_room<R: Hides>(state: &State<R>, who: Id, trail: &[Cell], outcome: &mut StepOutcome) {
    let from = R::view(state).body(who).at;
    let Some(to) = room::<R>(state, who, from, trail, outcome).filter(|&to| to != from) else {
        return;
    };
    outcome.emit("GR-03", EventKind::moved(who, from, to, 0));
}

system_step! {
    /// A fallen unit comes to with this many hit points, where it lies or where there is [`room`].
    /// Units come to one at a time, so that each finds a free cell.
    pub struct Revive[R: Hides] { who: Id, hp: i32, rule: Rule } => come_to::<R>
}

fn come_to<R: Hides>(In(step): In<Revive<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    let Revive { who, hp, rule, .. } = step;
    let mut outcome = StepOutcome::default();
    let body = R::view(&state).body(who);
    if body.state == battle::State::Down
        && let Some(at) = room::<R>(&state, who, body.at, &[], &mut outcome)
    {
        outcome.emit(rule, EventKind::Revived { who, at, hp });
    }
    outcome
}
