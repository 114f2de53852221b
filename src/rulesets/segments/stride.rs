//! The steps of a move, and the attacks on those who flee (SE-52).

use super::{reactions::Reactions, se::Se, wounds};
use crate::{
    battle::{Change, DiceBox, Flow, Id, movement::fall},
    grid::Cell,
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::collections::VecDeque;

/// What is left of a move. It goes on until a step leaves a foe who stands next
/// to the mover as the move begins; that foe is asked before the step.
#[derive(Clone, Debug)]
pub struct Stride {
    who: Id,
    path: VecDeque<Cell>,
    /// Those who strike when they are left, as a bit set.
    strikers: u64,
    /// An odd number of diagonals lies behind (GR-31).
    odd: bool,
}
system_step!(Stride, stride);

impl Stride {
    /// `path`: the cells to step on, in order.
    pub fn new(who: Id, path: impl IntoIterator<Item = Cell>, strikers: u64) -> Self {
        Self {
            who,
            path: path.into_iter().collect(),
            strikers,
            odd: false,
        }
    }
}

fn stride(In(mut step): In<Stride>, se: Se, mut dice: ResMut<DiceBox>) -> Flow {
    let who = step.who;
    let mut flow = Flow::default();
    if !se.is_up(who) {
        return flow;
    }
    let ways = se.ways(who, step.strikers);
    let mut at = se.body(who).at;
    while let Some(&to) = step.path.front() {
        let left = ways.left(at, to);
        if left != 0 {
            step.strikers &= !left;
            flow.push(Reactions::to_flight(&se, who, left));
            flow.push(step);
            return flow;
        }
        let cost = se
            .view
            .walk(who, &ways, |walk| walk.step_in_move(at, to, step.odd));
        let cost = match cost {
            Ok(cost) => cost,
            Err(why) => {
                let why = why.to_string().into();
                flow.emit("GR-30", Change::Stopped { who, why });
                break;
            }
        };
        step.odd ^= cost.diagonal;
        let feet = cost.feet;
        flow.emit(
            "GR-31",
            Change::Moved {
                who,
                from: at,
                to,
                feet,
            },
        );
        at = to;
        step.path.pop_front();
        if cost.fall > 0 {
            let points = fall(who, cost.fall, &mut dice, &mut flow);
            wounds::suffer(&se, who, points, true, &mut flow);
            return flow;
        }
    }
    // Somebody may have come there since the way was chosen.
    se.view.make_room(who, at, &mut flow);
    flow
}
