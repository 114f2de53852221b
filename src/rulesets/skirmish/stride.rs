//! The steps of a move, and the attacks that they draw.

use super::{
    acts::snap,
    reactions::{Moment, Reactions},
    sk::Sk,
    wounds,
};
use crate::{
    battle::{Change, DiceBox, Flow, Id, movement},
    grid::Cell,
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::collections::VecDeque;

/// What is left of a move. It goes on until a step leaves the reach of a foe
/// who has not struck at this move yet; that foe is asked before the step.
/// Whoever could snap at the mover, or holds an action, is asked once when it
/// comes near (SK-12, SK-26). After each interruption the way is looked at
/// again, and so is what is left of the Move.
#[derive(Clone, Debug)]
pub struct Stride {
    who: Id,
    path: VecDeque<Cell>,
    /// The foes who have had their attack for this act, as a bit set (SK-06).
    asked: u64,
    /// Those whom it has come near to, as a bit set.
    met: u64,
    /// Moves that pay for it, and feet that it has gone.
    moves: u16,
    feet: u16,
    /// Leaving a reach draws nothing: a charge, which draws at its start.
    free: bool,
    /// An odd number of diagonals lies behind (GR-31).
    odd: bool,
}
system_step!(Stride, stride);

impl Stride {
    /// `path`: the cells to step on, in order.
    pub fn new(who: Id, path: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            who,
            path: path.into_iter().collect(),
            asked: 0,
            met: 0,
            moves: 1,
            feet: 0,
            free: false,
            odd: false,
        }
    }

    /// As [`new`](Self::new), for a charge: two Moves, and no attacks drawn on
    /// the way.
    pub fn unhindered(who: Id, path: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            moves: 2,
            ..Self::to_screen(who, path)
        }
    }

    /// As [`new`](Self::new), for a move to an ally's side, which draws no
    /// attacks on its way (SK-15).
    pub fn to_screen(who: Id, path: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            free: true,
            ..Self::new(who, path)
        }
    }
}

fn stride(In(mut step): In<Stride>, sk: Sk, mut dice: ResMut<DiceBox>) -> Flow {
    let who = step.who;
    let mut flow = Flow::default();
    if !sk.is_up(who) {
        return flow;
    }
    if step.path.is_empty() {
        return flow;
    }
    if let Err(why) = sk.free_to_move(who) {
        let why = why.text;
        return flow.and("SK-52", Change::Stopped { who, why });
    }
    let ways = sk.ways(who);
    let budget = sk.speed(who) * step.moves;
    let mut at = sk.body(who).at;
    while let Some(&to) = step.path.front() {
        let left = if step.free {
            0
        } else {
            ways.left(at, to) & !step.asked
        };
        if left != 0 {
            step.asked |= left;
            let foes = sk.view.ids().filter(|id| left & id.bit() != 0).collect();
            flow.push(Reactions::open(Moment::Provoked {
                by: who,
                foes,
                rule: "SK-18",
            }));
            flow.push(step);
            return flow;
        }
        if sk.finds_lurker(who, who, to, &mut flow) {
            sk.view.make_room(who, at, &mut flow);
            return flow;
        }
        let step_on = |walk: &crate::grid::Walk| walk.step_in_move(at, to, step.odd);
        let cost = match sk.view.walk(who, &ways, step_on) {
            Ok(cost) if step.feet + cost.feet <= budget => cost,
            stopped => {
                let why = match stopped {
                    Ok(_) => "its Move is used up".into(),
                    Err(why) => why.to_string().into(),
                };
                flow.emit("GR-30", Change::Stopped { who, why });
                sk.view.make_room(who, at, &mut flow);
                return flow;
            }
        };
        step.feet += cost.feet;
        step.odd ^= cost.diagonal;
        flow.emit(
            "GR-31",
            Change::Moved {
                who,
                from: at,
                to,
                feet: cost.feet,
            },
        );
        let entered = ways.threats(to) & !ways.threats(at);
        at = to;
        step.path.pop_front();
        if cost.fall > 0 {
            fall(&sk, who, cost.fall, &mut dice, &mut flow);
            return flow;
        }
        let foes = watchers(
            &sk,
            who,
            entered & !step.met,
            step.path.is_empty(),
            step.met,
        );
        if !foes.is_empty() {
            step.met = foes.iter().fold(step.met, |set, id| set | id.bit());
            flow.push(Reactions::open(Moment::Near { by: who, foes }));
            flow.push(step);
            return flow;
        }
    }
    flow
}

/// Those who may answer that it has come near: into their reach, or, where its
/// way ends, before the eyes of those who hold an action.
fn watchers(sk: &Sk, who: Id, entered: u64, at_end: bool, met: u64) -> Vec<Id> {
    let side = sk.body(who).side;
    let may = |id: &Id| {
        let near = entered & id.bit() != 0;
        let holds = (near || at_end) && met & id.bit() == 0 && sk.waits(*id);
        holds && sk.body(*id).side != side || near && snap::may(sk, *id).is_ok()
    };
    if entered == 0 && !at_end {
        return vec![];
    }
    sk.view.ids().filter(may).collect()
}

/// GR-32: who falls is hurt and prone, and may be out of the fight.
pub fn fall(sk: &Sk, who: Id, feet: u16, dice: &mut DiceBox, flow: &mut Flow) {
    let points = movement::fall(who, feet, dice, flow);
    if sk.body(who).hp <= points {
        wounds::fall(sk, who, true, flow);
    }
}
