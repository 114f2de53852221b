//! Objectives and victory, derived from the state. [`Progress`] holds what the state does not
//! show: which units have been where, how long an area was held, what has shaken a side.

use super::{
    Body, End, EventKind, Id, Rule, Side, State, StepOutcome, View, of_unit, of_unit_mut, stalemate,
};
use crate::{
    grid::Cell,
    levels::{CombatantIx, Goal, Level, Objective, SideIx},
};
use bevy_ecs::{resource::Resource, world::World};
use serde::Serialize;
use std::sync::Arc;

/// The level of the battle.
#[derive(Resource, Clone, Debug)]
pub struct CurrentLevel(pub Arc<Level>);

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

/// The progress of each objective, in the level's order, and of the battle as a whole.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The units that stood in a `Reach` area at the end of a turn, as a bit set.
    pub reached: Vec<u64>,
    /// How many rounds in a row a `Capture` area was held at the end.
    pub held: Vec<u32>,
    /// A lost objective stays lost, even if a unit gets up again.
    pub lost: Vec<bool>,
    /// Rounds that are over.
    pub rounds: u32,
    /// For each side, the reasons for which its morale was checked.
    pub shaken: Vec<Shaken>,
    /// Whether there was progress in this round (OP-07).
    pub is_moving: bool,
    /// Whether a unit attacked in this round, even without effect.
    pub is_contested: bool,
    /// Rounds in a row without progress by any side (OP-07).
    pub idle: u32,
    /// For each unit, the fewest steps to what its side is after since `idle` began to count.
    /// Empty while it does not count.
    pub nearest: Arc<[u16]>,
    /// The sides that have surrendered in this round or earlier, as a bit set.
    pub surrendering: u8,
    /// The sides whose round of surrender is over: they are out of the battle.
    pub surrendered: u8,
}

impl Progress {
    pub fn new(objectives: usize, sides: usize) -> Self {
        Self {
            reached: vec![0; objectives],
            held: vec![0; objectives],
            lost: vec![false; objectives],
            shaken: vec![Shaken::default(); sides],
            ..Self::default()
        }
    }

    /// Whether a side is out of the battle because it surrendered (OP-08).
    pub fn has_surrendered(&self, side: Side) -> bool {
        self.surrendered & (1 << side.0) != 0
    }

    /// Whether a side has surrendered, out of the battle or not yet.
    pub fn is_surrendering(&self, side: Side) -> bool {
        self.surrendering & (1 << side.0) != 0
    }

    pub(super) fn end_round(&mut self) {
        self.rounds += 1;
        self.is_contested = false;
        if std::mem::take(&mut self.is_moving) {
            (self.idle, self.nearest) = (0, Arc::default());
        }
        self.surrendered = self.surrendering;
    }
}

/// The state of an objective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalState {
    /// It can no longer be met.
    Lost,
    /// `left` of `of` units to defeat are left.
    Left { left: u32, of: u32 },
    /// `so_far` units have been there; `there` more stand there now and do not count yet.
    Reached { so_far: u32, of: u32, there: u32 },
    /// `rounds` rounds are over.
    Lasted { rounds: u32, of: u32 },
    /// The area was held for `rounds` rounds in a row.
    Held { rounds: u32, of: u32 },
    /// `left` of the units that must not fall are in the battle.
    Kept { left: u32 },
}

/// The state of objective `n` of the level. Of the units on the field only known ones count;
/// reinforcements still to come do not.
pub fn goal_state(world: &World, n: usize, is_known: impl Fn(Id) -> bool) -> GoalState {
    let progress = world.resource::<Progress>();
    let objective = &world.resource::<CurrentLevel>().0.objectives[n];
    if progress.lost[n] {
        return GoalState::Lost;
    }
    let state = |who: &CombatantIx| of_unit::<Body>(world, Id::from(*who)).state;
    let left = |who: &[CombatantIx]| {
        let is_left = |&who: &&CombatantIx| state(who) == State::Up && is_known((*who).into());
        who.iter().filter(is_left).count() as u32
    };
    let out = |who: &[CombatantIx]| {
        let is_out = |who: &&CombatantIx| !matches!(state(who), State::Up | State::Waiting);
        who.iter().filter(is_out).count() as u32
    };
    match &objective.goal {
        Goal::Defeat(enemies) => GoalState::Left {
            left: left(enemies),
            of: left(enemies) + out(enemies),
        },
        Goal::Reach { who, area, count } => GoalState::Reached {
            so_far: progress.reached[n].count_ones(),
            of: *count,
            there: {
                let is_there = |id: &Id| {
                    let body = of_unit::<Body>(world, *id);
                    let is_new = progress.reached[n] & id.bit() == 0 && body.is_up();
                    is_new && is_known(*id) && is_in(body, area)
                };
                who.iter().map(|&w| Id::from(w)).filter(is_there).count() as u32
            },
        },
        Goal::Survive { rounds } => GoalState::Lasted {
            rounds: progress.rounds.min(*rounds),
            of: *rounds,
        },
        Goal::Capture { rounds, .. } => GoalState::Held {
            rounds: progress.held[n],
            of: *rounds,
        },
        Goal::Protect(wards) => GoalState::Kept { left: left(wards) },
    }
}

/// The reasons to check a side's morale, each once in a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Shaken {
    pub first_fall: bool,
    /// Half of the side is down.
    pub half: bool,
    pub leader: bool,
}

impl Shaken {
    /// The reasons that are new since `before`.
    pub fn since(self, before: Self) -> Self {
        Self {
            first_fall: self.first_fall && !before.first_fall,
            half: self.half && !before.half,
            leader: self.leader && !before.leader,
        }
    }

    /// The first reason in words: "first loss". Empty without one. More reasons could reveal how many
    /// hidden units there are.
    pub fn words(self) -> &'static str {
        match (self.first_fall, self.leader, self.half) {
            (true, _, _) => "first loss",
            (_, true, _) => "the leader is down",
            (_, _, true) => "half are down",
            _ => "",
        }
    }
}

/// Whether units that are down can recover under the ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fallen {
    MayRise,
    StayDown,
}

/// The round in which a battle without a winner ends at the latest.
pub const LONGEST: u32 = 100;

/// Checks the objectives: emits an event for each that is now lost, and returns the end of the
/// battle if it is over. Call it after all simultaneous falls, so that they count together.
pub fn judge(view: &View, fallen: Fallen, outcome: &mut StepOutcome) -> Option<(Rule, EventKind)> {
    let judge = Judge { view, fallen };
    for (objective, aim) in view.level().objectives.iter().enumerate() {
        if !view.progress.lost[objective] && judge.is_lost(objective, aim) {
            let (side, text) = (aim.side.into(), aim.text.clone().into());
            let lost = EventKind::ObjectiveLost {
                objective,
                side,
                text,
            };
            outcome.emit("GR-00", lost);
        }
    }
    let (won, why, end) = judge.outcome()?;
    let rule = match end {
        End::Stalemate => "OP-07",
        _ => "GR-00",
    };
    Some((rule, EventKind::Over { won, why, end }))
}

/// Whether a unit's side loses the battle if the unit leaves it now: no unit of the side stands or is
/// to come, or an objective that must not fail does. By what `known` shows, which is restored
/// afterwards.
pub fn loses_by_leaving(known: &mut World, who: Id) -> bool {
    let body = of_unit::<Body>(known, who).clone();
    let sides = &known.resource::<CurrentLevel>().0.sides;
    if sides[body.side.index()].fled_return.is_some() && body.returns.is_none() {
        return false;
    }
    let progress = known.resource::<Progress>().clone();
    let mut outcome = StepOutcome::default();
    View::read(known, |view| {
        arrivals_of(&view, |id| id == who, &mut outcome)
    });
    for event in outcome.events {
        if let EventKind::Reached { objective, who, .. } = event.what {
            known.resource_mut::<Progress>().reached[objective] |= who;
        }
    }
    of_unit_mut::<Body>(known, who).state = State::Fled;
    let is_lost = View::read(known, |view| {
        let (view, fallen) = (&view, Fallen::MayRise);
        Judge { view, fallen }.is_beaten(body.side)
    });
    *of_unit_mut::<Body>(known, who) = body;
    *known.resource_mut::<Progress>() = progress;
    is_lost
}

struct Judge<'a, 'w, 's> {
    view: &'a View<'w, 's>,
    fallen: Fallen,
}

impl Judge<'_, '_, '_> {
    /// The final result of the battle. `None` while it continues.
    fn outcome(&self) -> Option<(Option<Side>, String, End)> {
        let (view, level) = (self.view, self.view.level());
        let objectives = || level.objectives.iter().enumerate();
        let fatal = |(n, o): (usize, &Objective)| o.vital && self.is_lost(n, o);
        let sides = view.roster.sides();
        let in_it: Vec<Side> = sides.filter(|&s| !self.is_beaten(s)).collect();
        match in_it[..] {
            [] => return Some((None, "nobody is left to fight".into(), End::NobodyLeft)),
            [side] => {
                let mut broken = objectives().filter(|&o| fatal(o));
                let (why, end) = match broken.find(|(_, o)| self.has_anybody(o.side.into())) {
                    Some((_, o)) => (format!("failed: {}", o.text), End::ObjectiveFailed),
                    None => ("no enemy is left on the field".into(), End::NoEnemyLeft),
                };
                return Some((Some(side), why, end));
            }
            _ => {}
        }
        let mut done: Vec<(Side, String)> = vec![];
        for &side in &in_it {
            let own = || objectives().filter(|(_, o)| Side::from(o.side) == side);
            let tasks = || own().filter(|(_, o)| !matches!(o.goal, Goal::Protect(_)));
            // Lost objectives that were not vital no longer count.
            let left = || tasks().filter(|&(n, o)| !self.is_lost(n, o));
            if left().next().is_some() && left().all(|(n, o)| self.is_met(n, o)) {
                let texts: Vec<_> = left().map(|(_, o)| o.text.as_str()).collect();
                done.push((side, texts.join("; ")));
            }
        }
        if let Some((won, why)) = self.end_of(done) {
            return Some((won, why, End::ObjectiveMet));
        }
        let idle = match view.progress.is_moving {
            true => 0,
            false => view.progress.idle,
        };
        if let Some(limit) = stalemate::limit(view).filter(|&limit| idle >= limit) {
            let why = format!("for {limit} rounds no side got anywhere");
            return Some((None, why, End::Stalemate));
        }
        let last = level.last_round.unwrap_or(LONGEST);
        (view.progress.rounds >= last).then(|| {
            let defends = |(n, o): &(usize, &Objective)| {
                matches!(o.goal, Goal::Survive { .. } | Goal::Protect(_)) && !self.is_lost(*n, o)
            };
            let keeps = |side: &Side| {
                let mut own = objectives().filter(|(_, o)| Side::from(o.side) == *side);
                own.any(|o| defends(&o))
            };
            let mut keepers = in_it.iter().copied().filter(keeps);
            // If several sides hold out to the end, nobody wins.
            let winner = keepers.next().filter(|_| keepers.next().is_none());
            let end = match winner {
                Some(_) => End::HeldOut,
                None => End::RoundLimit,
            };
            (winner, format!("round {last} is over"), end)
        })
    }

    /// The result when sides have met all their objectives, each with their texts. If there are
    /// several, nobody wins.
    fn end_of(&self, mut done: Vec<(Side, String)>) -> Option<(Option<Side>, String)> {
        if done.len() < 2 {
            return done.pop().map(|(side, text)| (Some(side), text));
        }
        let names = self.view.names();
        let line = |(side, text): &(Side, String)| format!("{}: {text}", names.side(*side));
        let all: Vec<String> = done.iter().map(line).collect();
        Some((None, format!("done at one moment: {}", all.join("; "))))
    }

    /// Whether a side is out of the battle: no unit is left, or an objective that must not fail has
    /// failed.
    fn is_beaten(&self, side: Side) -> bool {
        let own = |o: &Objective| Side::from(o.side) == side && o.vital;
        let mut all = self.view.level().objectives.iter().enumerate();
        !self.has_anybody(side) || all.any(|(n, o)| own(o) && self.is_lost(n, o))
    }

    /// Whether the side has not surrendered and has a unit that stands or is still to come.
    fn has_anybody(&self, side: Side) -> bool {
        let is_in_it = |id| self.view.body(id).side == side && !self.is_out(id);
        !self.view.progress.has_surrendered(side) && self.view.ids().any(is_in_it)
    }

    fn is_out(&self, who: Id) -> bool {
        !matches!(self.view.body(who).state, State::Up | State::Waiting)
    }

    /// Whether the objective can no longer be met. An objective to defeat units is never lost.
    fn is_lost(&self, n: usize, objective: &Objective) -> bool {
        let progress = &self.view.progress;
        if progress.lost[n] {
            return true;
        }
        let side = Side::from(objective.side);
        match &objective.goal {
            Goal::Defeat(_) => false,
            Goal::Protect(wards) => wards.iter().any(|&w| self.is_out(w.into())),
            Goal::Reach { who, count, .. } => {
                let reached = progress.reached[n];
                let may = |&who: &Id| {
                    let body = self.view.body(who);
                    let able = match body.state {
                        State::Up | State::Waiting => true,
                        State::Down => self.fallen == Fallen::MayRise,
                        State::Dead | State::Fled => false,
                    };
                    body.side == side && able || reached & who.bit() != 0
                };
                let able = who.iter().map(|&w| w.into()).filter(may).count();
                !self.is_met(n, objective) && (able < *count as usize || !self.has_anybody(side))
            }
            Goal::Survive { .. } | Goal::Capture { .. } => {
                !self.is_met(n, objective) && !self.has_anybody(side)
            }
        }
    }

    fn is_met(&self, n: usize, objective: &Objective) -> bool {
        let progress = &self.view.progress;
        match &objective.goal {
            Goal::Defeat(enemies) => enemies.iter().all(|&f| self.is_out(f.into())),
            Goal::Reach { count, .. } => progress.reached[n].count_ones() >= *count,
            Goal::Survive { rounds } => progress.rounds >= *rounds,
            Goal::Capture { rounds, .. } => progress.held[n] >= *rounds,
            Goal::Protect(_) => true,
        }
    }
}

/// Emits which of a side's units stand in areas that they are to reach. Call it at the end of the
/// side's turn.
pub fn arrivals(view: &View, side: Side, outcome: &mut StepOutcome) {
    arrivals_of(view, |id| view.body(id).side == side, outcome);
}

/// Emits for each side, in order, which of its units have reached the area of an objective.
pub fn all_arrivals(view: &View, outcome: &mut StepOutcome) {
    for side in view.roster.sides() {
        arrivals(view, side, outcome);
    }
}

impl View<'_, '_> {
    /// A unit leaves the battle by an exit. If it leaves from an area that it was to reach, it
    /// has reached it.
    pub fn leave(&self, who: Id, rule: Rule, outcome: &mut StepOutcome) {
        arrivals_of(self, |id| id == who, outcome);
        outcome.emit(rule, EventKind::Fled { who });
    }
}

/// Whether a unit stands in an area, with at least one of its cells.
fn is_in(body: &Body, area: &[Cell]) -> bool {
    body.space().cells().any(|cell| area.contains(&cell))
}

fn arrivals_of(view: &View, of: impl Fn(Id) -> bool, outcome: &mut StepOutcome) {
    for (objective, aim) in view.level().objectives.iter().enumerate() {
        let Goal::Reach { who, area, count } = &aim.goal else {
            continue;
        };
        let there = |id: &Id| {
            let body = view.body(*id);
            let is_own = body.side == aim.side.into() && of(*id);
            is_own && body.is_up() && is_in(body, area)
        };
        let bits = who.iter().map(|&w| Id::from(w)).filter(there).map(Id::bit);
        let before = view.progress.reached[objective];
        let new = bits.fold(0, |set, bit| set | bit) & !before;
        if new != 0 {
            let reached = EventKind::Reached {
                objective,
                who: new,
                so_far: (before | new).count_ones(),
                needed: *count,
                text: aim.text.clone().into(),
            };
            outcome.emit("GR-00", reached);
        }
    }
}

/// The units that are still to enter; see [`View::to_enter`].
pub fn to_enter(world: &mut World) -> Vec<(Id, u32, Cell)> {
    View::read(world, |view| view.to_enter().collect())
}

impl View<'_, '_> {
    /// The units that wait off the board, in id order, each with the round and the cell in which it
    /// enters. Units that fled come back where they left.
    pub fn to_enter(&self) -> impl Iterator<Item = (Id, u32, Cell)> {
        let waits = |id: &Id| self.body(*id).state == State::Waiting;
        self.ids().filter(waits).filter_map(|id| {
            let (body, entry) = (self.body(id), &self.level().combatants[id.index()]);
            match body.returns {
                Some(round) => Some((id, u32::from(round), body.at)),
                None => Some((id, entry.arrives?, entry.cell)),
            }
        })
    }

    /// The units that enter in a round, in id order, and the cell where each enters.
    pub fn arrivals_due(&self, round: u16) -> impl Iterator<Item = (Id, Cell)> {
        let due = self.to_enter();
        let due = due.filter(move |&(_, when, _)| when <= u32::from(round));
        due.map(|(id, _, at)| (id, at))
    }
}

/// Emits for how long each area to capture has been held. Call it at the end of a round.
pub(super) fn holdings(view: &View, outcome: &mut StepOutcome) {
    for (objective, aim) in view.level().objectives.iter().enumerate() {
        let Goal::Capture { area, rounds } = &aim.goal else {
            continue;
        };
        let (side, needed) = (Side::from(aim.side), *rounds);
        let inside = |id: &Id| is_in(view.body(*id), area);
        let held =
            view.standing(side).any(|id| inside(&id)) && !view.enemies(side).any(|id| inside(&id));
        let before = view.progress.held[objective];
        let rounds = if held { before + 1 } else { 0 };
        if rounds != before {
            let held = EventKind::Held {
                objective,
                side,
                rounds,
                needed,
                text: aim.text.clone().into(),
            };
            outcome.emit("GR-00", held);
        }
    }
}

/// The cells to which its side's objectives send a unit now. A `Reach` objective sends no unit
/// that has been there, and none at all once enough have been or too few are left.
pub fn sent_to(view: &View, unit: Id) -> Vec<Cell> {
    let side = view.body(unit).side;
    let own = view.level().objectives.iter().enumerate();
    let open = own.filter(|&(n, o)| Side::from(o.side) == side && !view.progress.lost[n]);
    let areas = open.filter_map(|(n, o)| match &o.goal {
        Goal::Reach { who, area, count } => {
            let done = view.progress.reached[n];
            let able = who.iter().map(|&w| Id::from(w)).filter(|&id| {
                let state = view.body(id).state;
                matches!(state, State::Up | State::Waiting) || done & id.bit() != 0
            });
            let sent = who.iter().any(|&w| Id::from(w) == unit) && done & unit.bit() == 0;
            let wanted = done.count_ones() < *count && able.count() >= *count as usize;
            (sent && wanted).then_some(area)
        }
        Goal::Capture { area, .. } => Some(area),
        _ => None,
    });
    areas.flatten().copied().collect()
}
