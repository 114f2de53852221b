//! Who has won, derived from the state; what cannot be derived (who has been
//! somewhere, for how long a place was held) is kept as progress.

use super::{Id, Side, State, View};
use crate::levels::{CombatantIx, Goal, Level, Objective, SideIx};
use bevy::ecs::resource::Resource;
use std::sync::Arc;

/// The level that is fought.
#[derive(Resource, Clone, Debug)]
pub struct Scene(pub Arc<Level>);

impl From<CombatantIx> for Id {
    fn from(ix: CombatantIx) -> Self {
        Id(ix.0)
    }
}

impl From<SideIx> for Side {
    fn from(ix: SideIx) -> Self {
        Side(ix.0)
    }
}

/// What has been achieved of each objective, in the level's order.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Who has stood in a `Reach` area at the end of a turn, as a bit set.
    pub reached: Vec<u64>,
    /// Ends of round, one after the other, at which a `Capture` area was held.
    pub held: Vec<u32>,
    /// Rounds that are over.
    pub rounds: u32,
}

impl Progress {
    pub fn new(objectives: usize) -> Self {
        Self {
            reached: vec![0; objectives],
            held: vec![0; objectives],
            rounds: 0,
        }
    }
}

/// How the battle stands for good: who won, and why. `None`: it goes on.
pub type Outcome = Option<(Option<Side>, String)>;

/// The rounds after which a battle that nobody wins is called off, so that
/// every battle ends.
pub const LONGEST: u32 = 100;

/// Looks whether the battle is over. Simultaneous falls come out right because
/// it is asked after all of them.
pub fn outcome(view: &View, level: &Level, progress: &Progress) -> Outcome {
    let lost = |side: Side| !has_anybody(view, side) || has_failed(view, level, side);
    let in_it: Vec<Side> = view.roster.sides().filter(|&s| !lost(s)).collect();
    match in_it[..] {
        [] => return Some((None, "nobody is left to fight".into())),
        [side] => {
            let broken = level.objectives.iter().find(|o| failed(view, o));
            let why = match broken {
                Some(o) if has_anybody(view, o.side.into()) => format!("failed: {}", o.text),
                _ => "no enemy is left on the field".into(),
            };
            return Some((Some(side), why));
        }
        _ => {}
    }
    for &side in &in_it {
        let own = || {
            level
                .objectives
                .iter()
                .enumerate()
                .filter(|o| Side::from(o.1.side) == side)
        };
        let tasks = || own().filter(|o| !matches!(o.1.goal, Goal::Protect(_)));
        if tasks().next().is_some() && tasks().all(|(n, o)| is_met(view, n, o, progress)) {
            let texts: Vec<_> = tasks().map(|(_, o)| o.text.as_str()).collect();
            return Some((Some(side), texts.join("; ")));
        }
    }
    let last = level.last_round.unwrap_or(LONGEST);
    (progress.rounds >= last).then(|| {
        let defends = |o: &&Objective| matches!(o.goal, Goal::Survive { .. } | Goal::Protect(_));
        let keeper = level
            .objectives
            .iter()
            .filter(defends)
            .map(|o| Side::from(o.side));
        let winner = keeper.into_iter().find(|s| in_it.contains(s));
        (winner, format!("round {last} is over"))
    })
}

/// Somebody of the side stands, or is still to come.
fn has_anybody(view: &View, side: Side) -> bool {
    view.ids().any(|id| {
        let body = view.body(id);
        body.side == side && matches!(body.state, State::Up | State::Waiting)
    })
}

fn has_failed(view: &View, level: &Level, side: Side) -> bool {
    level
        .objectives
        .iter()
        .any(|o| Side::from(o.side) == side && failed(view, o))
}

fn failed(view: &View, objective: &Objective) -> bool {
    match &objective.goal {
        Goal::Protect(wards) => wards.iter().any(|&w| is_out(view, w)),
        _ => false,
    }
}

fn is_out(view: &View, who: CombatantIx) -> bool {
    !matches!(view.body(who.into()).state, State::Up | State::Waiting)
}

fn is_met(view: &View, n: usize, objective: &Objective, progress: &Progress) -> bool {
    match &objective.goal {
        Goal::Defeat(foes) => foes.iter().all(|&f| is_out(view, f)),
        Goal::Reach { count, .. } => progress.reached[n].count_ones() >= *count,
        Goal::Survive { rounds } => progress.rounds >= *rounds,
        Goal::Capture { rounds, .. } => progress.held[n] >= *rounds,
        Goal::Protect(_) => true,
    }
}

/// Which of a side's members stand in the areas that they are to reach:
/// objective and bit set. For the end of that side's turn.
pub fn arrivals(view: &View, level: &Level, progress: &Progress, side: Side) -> Vec<(usize, u64)> {
    let mut out = vec![];
    for (n, objective) in level.objectives.iter().enumerate() {
        let Goal::Reach { who, area, .. } = &objective.goal else {
            continue;
        };
        let there = |id: Id| {
            let body = view.body(id);
            body.is_up() && body.side == side && body.space().cells().any(|c| area.contains(&c))
        };
        let bits = who
            .iter()
            .map(|&w| Id::from(w))
            .filter(|&id| there(id))
            .map(Id::bit);
        let new = bits.fold(0, |set, bit| set | bit) & !progress.reached[n];
        if new != 0 {
            out.push((n, new));
        }
    }
    out
}

/// For the end of a round: how long each area to be captured has been held.
pub fn holdings(view: &View, level: &Level, progress: &Progress) -> Vec<(usize, u32)> {
    let mut out = vec![];
    for (n, objective) in level.objectives.iter().enumerate() {
        let Goal::Capture { area, .. } = &objective.goal else {
            continue;
        };
        let side = Side::from(objective.side);
        let inside = |id: &Id| view.body(*id).space().cells().any(|c| area.contains(&c));
        let held =
            view.standing(side).any(|id| inside(&id)) && !view.foes(side).any(|id| inside(&id));
        let rounds = if held { progress.held[n] + 1 } else { 0 };
        if rounds != progress.held[n] {
            out.push((n, rounds));
        }
    }
    out
}
