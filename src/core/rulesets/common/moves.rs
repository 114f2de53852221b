//! Movement, one cell at a time. After every cell and every interruption the state is checked
//! again: whether the unit can continue, what is left of the move, which units are in the way.
//!
//! Several units may move at once. Then each takes one step at a time, judged on the state before
//! that step. If two want the same cell, only their positions decide who gets it. Charging units
//! check after every cell whether they have reached their target (`charges`).

use super::{
    State, charges,
    hiding::{Hides, clear, is_stopped, lurkers},
    room::make_room,
};
use crate::{
    battle::{
        DiceBox, EventKind, Id, Rule, StepOutcome, View, Why,
        movement::{Occupancy, fall},
    },
    grid::{Cell, Space, StepCost},
    system_step,
};
use bevy_ecs::system::{In, ResMut, StaticSystemParam};
use std::{borrow::Cow, collections::VecDeque, fmt::Debug};

/// A unit on its way.
#[derive(Clone, Debug)]
pub struct Mover<G> {
    pub who: Id,
    /// How the unit moves, as the combat system defines it: a run, a charge.
    pub gait: G,
    /// The cells ahead, in order.
    pub path: VecDeque<Cell>,
    /// The cells that this move has left behind, in order.
    pub trail: Vec<Cell>,
    /// Feet that this move has taken so far.
    pub feet: u16,
    /// Enemies that already had their chance to react to this move, as a bit set.
    pub asked: u64,
    /// Units that the mover has come near or passed, as a bit set.
    pub met: u64,
    /// The unit that it charges.
    pub(super) target: Option<MoveTarget>,
    /// Whether it has taken an odd number of diagonal steps (GR-31).
    odd: bool,
    /// Whether the move is over, whatever is left of the path.
    pub(super) over: bool,
    /// Whether the target is in reach, but still moving.
    pub(super) waits: bool,
}

/// The target of a charge.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveTarget {
    pub enemy: Id,
    /// Where the target stood when the path was chosen.
    pub seen: Cell,
    /// Whether the target has moved since the charge began.
    pub has_moved: bool,
}

impl<G> Mover<G> {
    /// `path`: the cells to step on, in order.
    pub fn new(who: Id, gait: G, path: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            who,
            gait,
            path: path.into_iter().collect(),
            trail: vec![],
            feet: 0,
            asked: 0,
            met: 0,
            target: None,
            odd: false,
            over: false,
            waits: false,
        }
    }

    /// Makes this move a charge at an enemy at `seen`.
    pub fn at(self, enemy: Id, seen: Cell) -> Self {
        let has_moved = false;
        Self {
            target: Some(MoveTarget {
                enemy,
                seen,
                has_moved,
            }),
            ..self
        }
    }

    pub(super) fn goes_on(&self) -> bool {
        !self.over && !self.path.is_empty()
    }

    /// Those of `enemies`, a bit set, that have not had their chance to react yet; from now on they
    /// have.
    pub fn first_time(&mut self, enemies: u64) -> u64 {
        let new = enemies & !self.asked;
        self.asked |= new;
        new
    }
}

/// How units move under a combat system: the hooks of [`MoveStep`] and of custom paths.
pub trait Moves: Hides {
    /// The system's kind of movement: a run, a charge, a withdrawal.
    type MoveMode: Clone + Debug + Send + Sync + 'static;
    /// The rule by which a unit's move ends when a charge reaches it.
    const CONTACT: Rule = "GR-30";

    /// Which cells are taken and which are in an enemy's reach, for this mover.
    fn occupancy(state: &State<Self>, mover: &Mover<Self::MoveMode>) -> Occupancy {
        Self::view(state).occupancy(mover.who, |_| None)
    }

    /// Feet that the whole move may take as things stand, or why it is over.
    fn budget(state: &State<Self>, mover: &Mover<Self::MoveMode>) -> Result<u16, Why>;

    /// Whether a unit can move at all. A unit that can't stops without a log entry.
    fn is_able(state: &State<Self>, who: Id) -> bool {
        Self::view(state).body(who).is_up()
    }

    /// Whether a mover can continue its move. A mover that can't stops without a log entry.
    fn may_go_on(state: &State<Self>, mover: &Mover<Self::MoveMode>) -> bool {
        Self::is_able(state, mover.who)
    }

    /// Runs before anything else in a step: a hidden mover is revealed.
    fn sets_out(_: &State<Self>, _: &mut Mover<Self::MoveMode>, _: &mut StepOutcome) {}

    /// The enemies that may react before a step to `to` because it leaves their reach, as a bit
    /// set. Each is asked once per move.
    fn leaves(_: &State<Self>, _: &Mover<Self::MoveMode>, _: &Occupancy, _to: Cell) -> u64 {
        0
    }

    /// Opens reactions before the steps of one moment: each mover with the enemies that may react
    /// to it.
    fn left(_: &State<Self>, _: Vec<(Id, u64)>, _: &mut StepOutcome) {}

    /// What a step costs this mover, given its cost for walking.
    fn price(_: &Mover<Self::MoveMode>, cost: StepCost) -> StepCost {
        cost
    }

    /// Logs that a mover has taken a step.
    fn steps(
        mover: &Mover<Self::MoveMode>,
        [from, to]: [Cell; 2],
        feet: u16,
        outcome: &mut StepOutcome,
    ) {
        outcome.emit("GR-31", EventKind::moved(mover.who, from, to, feet));
    }

    /// Further events for a cell that cost this many feet.
    fn goes(
        _: &State<Self>,
        _: &mut Mover<Self::MoveMode>,
        _to: Cell,
        _feet: u16,
        _: &mut StepOutcome,
    ) {
    }

    /// A fall of this many feet, which ends the move; `by` is the unit that caused it, if another
    /// unit did.
    fn falls(
        state: &State<Self>,
        who: Id,
        by: Option<Id>,
        feet: u16,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) {
        let points = fall(who, by, feet, dice, outcome);
        Self::lands(state, who, points, outcome);
    }

    /// What the damage of a fall does to a unit, beyond the hit points that it has lost.
    fn lands(_: &State<Self>, _who: Id, _points: i32, _: &mut StepOutcome) {}

    /// Why the move ends in this cell, even if the path leads on.
    fn ends_at(
        _: &State<Self>,
        _: &Mover<Self::MoveMode>,
        _: &Occupancy,
        _at: Cell,
    ) -> Option<Why> {
        None
    }

    /// The enemies that may react to the step that this mover has taken among `strides`, as a bit
    /// set. `None` if no reaction window opens.
    fn enters(
        _: &State<Self>,
        _: &mut Mover<Self::MoveMode>,
        _: &Occupancy,
        _: &Strides,
    ) -> Option<u64> {
        None
    }

    /// Opens reactions after the steps of one moment: each mover with the enemies that may react to
    /// it.
    fn entered(_: &State<Self>, _: Vec<(Id, u64)>, _: &mut StepOutcome) {}

    /// The move is over. If another unit has stopped in its last cell meanwhile, the mover makes
    /// room (GR-03).
    fn stops(state: &State<Self>, mover: &Mover<Self::MoveMode>, outcome: &mut StepOutcome) {
        if Self::view(state).body(mover.who).is_up() {
            make_room::<Self>(state, mover.who, &mover.trail, outcome);
        }
    }

    /// Whether a charging unit could attack the target from where it stands.
    fn reaches(_: &State<Self>, _: &Mover<Self::MoveMode>, _target: Id) -> bool {
        false
    }

    /// The new path of a charging unit whose target has moved, within what is left of the move.
    /// `None` to keep its old path.
    fn follows(_: &State<Self>, _: &Mover<Self::MoveMode>, _target: Id) -> Option<Vec<Cell>> {
        None
    }
}

/// The rest of a move, or of several moves at once.
#[derive(Clone, Debug)]
pub struct MoveStep<R: Moves> {
    /// If two want one cell, the first gets it.
    movers: Vec<Mover<R::MoveMode>>,
}
system_step!(impl[R: Moves] MoveStep<R>, go::<R>, end::<R>);

impl<R: Moves> MoveStep<R> {
    pub fn of(mover: Mover<R::MoveMode>) -> Self {
        let movers = vec![mover];
        Self { movers }
    }

    /// Several units that move at once, in any order. If two want one cell, the unit farther north
    /// gets it, then the one farther west.
    pub fn together(state: &State<R>, mut movers: Vec<Mover<R::MoveMode>>) -> Self {
        let from = |m: &Mover<R::MoveMode>| {
            let at = R::view(state).body(m.who).at;
            (at.y, at.x)
        };
        movers.sort_by_key(from);
        Self { movers }
    }
}

/// The steps that units have taken at one moment: unit, from, to.
#[derive(Clone, Debug, Default)]
pub struct Strides(Vec<(Id, Cell, Cell)>);

impl Strides {
    /// The spaces that a unit's step led from and to; its own space twice if it took no step.
    pub fn of(&self, view: &View, who: Id) -> [Space; 2] {
        let body = view.body(who);
        let stride = self.0.iter().find(|stride| stride.0 == who);
        let cells = stride.map_or([body.at; 2], |&(_, from, to)| [from, to]);
        cells.map(|at| Space::new(at, body.size))
    }
}

/// A step that a mover is about to take.
struct Next {
    /// The mover's index.
    n: usize,
    to: Cell,
    occupancy: Occupancy,
    cost: StepCost,
}

/// All movers take one step, judged on one state: first the enemies whose reach is left may react,
/// then all move, then the enemies whose reach is entered may react.
fn go<R: Moves>(
    In(mut step): In<MoveStep<R>>,
    state: StaticSystemParam<R::Param>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let movers = &mut step.movers;
    charges::stop_arrived_charges::<R>(&state, movers, &mut outcome);
    let on_the_way = |m: &Mover<R::MoveMode>| m.goes_on() && !m.waits;
    if !movers.iter().any(on_the_way) {
        return halt::<R>(step, &state, outcome);
    }
    let next = prepare::<R>(&state, movers, &mut outcome);
    let mut left = vec![];
    for Next {
        n, to, occupancy, ..
    } in &next
    {
        let mover = &mut movers[*n];
        match mover.first_time(R::leaves(&state, mover, occupancy, *to)) {
            0 => {}
            enemies => left.push((mover.who, enemies)),
        }
    }
    if !left.is_empty() {
        R::left(&state, left, &mut outcome);
        return outcome.then(step);
    }
    let next = find_hidden::<R>(&state, movers, next, &mut outcome);
    let (taken, blocked) = in_turn::<R>(&state, movers, next);
    for (n, why) in blocked {
        stop(&mut movers[n], why, &mut outcome);
    }
    let stride = |next: &Next| {
        let who = movers[next.n].who;
        (who, R::view(&state).body(who).at, next.to)
    };
    let strides = Strides(taken.iter().map(stride).collect());
    for next in &taken {
        take::<R>(&state, &mut movers[next.n], next, &mut dice, &mut outcome);
    }
    let mut entered = vec![];
    for Next { n, occupancy, .. } in &taken {
        let mover = &mut movers[*n];
        if let Some(enemies) = R::enters(&state, mover, occupancy, &strides) {
            entered.push((mover.who, enemies));
        }
    }
    if !entered.is_empty() {
        R::entered(&state, entered, &mut outcome);
    }
    outcome.then(step)
}

/// The battle ends before the move does: the move ends where the units are now.
fn end<R: Moves>(In(step): In<MoveStep<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    halt::<R>(step, &state, StepOutcome::default())
}

/// All movers have stopped. They make room one after the other, the last first, so that the first
/// of two in one cell keeps it.
fn halt<R: Moves>(
    mut step: MoveStep<R>,
    state: &State<R>,
    mut outcome: StepOutcome,
) -> StepOutcome {
    let Some(mover) = step.movers.pop() else {
        return outcome;
    };
    R::stops(state, &mover, &mut outcome);
    if !step.movers.is_empty() {
        outcome.push(step);
    }
    outcome
}

/// The next step of each mover that can take one. The others stop.
fn prepare<R: Moves>(
    state: &State<R>,
    movers: &mut [Mover<R::MoveMode>],
    outcome: &mut StepOutcome,
) -> Vec<Next> {
    let mut open = vec![];
    for (n, mover) in movers.iter_mut().enumerate() {
        if !mover.goes_on() || mover.waits {
            continue;
        }
        let who = mover.who;
        let at = R::view(state).body(who).at;
        let occupancy = R::occupancy(state, mover);
        let has_moved = !mover.trail.is_empty();
        if !R::may_go_on(state, mover) {
            mover.over = true;
            continue;
        }
        if has_moved && let Some(why) = R::ends_at(state, mover, &occupancy, at) {
            stop(mover, why, outcome);
            continue;
        }
        R::sets_out(state, mover, outcome);
        let Some(&to) = mover.path.front() else {
            continue;
        };
        match R::budget(state, mover) {
            Ok(budget) => open.push((n, to, occupancy, budget)),
            Err(why) => stop(mover, why, outcome),
        }
    }
    // Units that are about to move may leave their cells to others.
    let going: Vec<Id> = open.iter().map(|(n, ..)| movers[*n].who).collect();
    let mut next = vec![];
    for (n, to, occupancy, budget) in open {
        let mover = &mut movers[n];
        let free = free_of::<R>(state, mover.who, &occupancy, &going);
        match cost_of::<R>(state, mover, &free, to) {
            Ok(cost) if mover.feet + cost.feet <= budget => {
                next.push(Next {
                    n,
                    to,
                    occupancy,
                    cost,
                });
            }
            Ok(_) => stop(mover, Why::new("GR-30", "no movement left"), outcome),
            Err(why) => stop(mover, why, outcome),
        }
    }
    next
}

/// What the next step of a mover costs, with this occupancy.
fn cost_of<R: Moves>(
    state: &State<R>,
    mover: &Mover<R::MoveMode>,
    occupancy: &Occupancy,
    to: Cell,
) -> Result<StepCost, Why> {
    let view = R::view(state);
    let from = view.body(mover.who).at;
    let cost = view.walk(mover.who, occupancy, |walk| {
        walk.step_in_move(from, to, mover.odd)
    });
    match cost {
        Ok(cost) => Ok(R::price(mover, cost)),
        Err(why) => Err(Why::new("GR-30", why.to_string())),
    }
}

/// A unit's occupancy without those of its enemies that are in `gone`.
fn free_of<'a, R: Moves>(
    state: &State<R>,
    who: Id,
    occupancy: &'a Occupancy,
    gone: &[Id],
) -> Cow<'a, Occupancy> {
    let view = R::view(state);
    let enemies = view.enemies(view.body(who).side);
    let leave: Vec<Id> = enemies.filter(|enemy| gone.contains(enemy)).collect();
    if leave.is_empty() {
        return Cow::Borrowed(occupancy);
    }
    let mut occupancy = occupancy.clone();
    clear::<R>(state, who, &leave, &mut occupancy);
    Cow::Owned(occupancy)
}

/// Drops the steps that lead onto a hidden enemy, and reveals it.
fn find_hidden<R: Moves>(
    state: &State<R>,
    movers: &mut [Mover<R::MoveMode>],
    mut next: Vec<Next>,
    outcome: &mut StepOutcome,
) -> Vec<Next> {
    let mut found = 0u64;
    next.retain(|Next { n, to, .. }| {
        let mover = &mut movers[*n];
        let there = Space::new(*to, R::view(state).body(mover.who).size);
        let Some(&enemy) = lurkers::<R>(state, mover.who, there).first() else {
            return true;
        };
        if found & enemy.bit() == 0 {
            R::reveal(state, enemy, outcome);
        }
        found |= enemy.bit();
        is_stopped::<R>(mover.who, outcome);
        mover.over = true;
        false
    });
    next
}

/// The steps of one moment that are possible, in an order in which no two enemies ever share a
/// cell; and the movers that are blocked. A mover whose cell was just taken is in neither list: it
/// tries again at the next moment.
fn in_turn<R: Moves>(
    state: &State<R>,
    movers: &[Mover<R::MoveMode>],
    mut left: Vec<Next>,
) -> (Vec<Next>, Vec<(usize, Why)>) {
    if movers.len() == 1 {
        return (left, vec![]);
    }
    let view = R::view(state);
    let (mut taken, mut gone): (Vec<Next>, Vec<Id>) = (vec![], vec![]);
    let who = |next: &Next| movers[next.n].who;
    let space = |next: &Next| Space::new(next.to, view.body(who(next)).size);
    let is_end = |next: &Next| movers[next.n].path.len() == 1;
    // Allies may pass through each other, but not end in one cell.
    let is_contested = |next: &Next, taken: &[Next]| {
        let clash = |other: &Next| {
            let allies = view.body(who(next)).side == view.body(who(other)).side;
            let passes = allies && !(is_end(next) && is_end(other));
            view.body(who(other)).is_up() && space(next).overlaps(space(other)) && !passes
        };
        taken.iter().any(clash)
    };
    let blocked = |next: &Next, gone: &[Id]| {
        let free = free_of::<R>(state, who(next), &next.occupancy, gone);
        cost_of::<R>(state, &movers[next.n], &free, next.to).err()
    };
    let can = |next: &&Next, taken: &[Next], gone: &[Id]| {
        !is_contested(next, taken) && blocked(next, gone).is_none()
    };
    while let Some(n) = left.iter().position(|next| can(&next, &taken, &gone)) {
        let next = left.remove(n);
        gone.push(who(&next));
        taken.push(next);
    }
    let is_free = |next: &&Next| !is_contested(next, &taken);
    let stopped = left.iter().filter(is_free);
    let blocked = stopped.filter_map(|next| Some((next.n, blocked(next, &gone)?)));
    let blocked = blocked.collect();
    (taken, blocked)
}

/// A mover takes its next step.
fn take<R: Moves>(
    state: &State<R>,
    mover: &mut Mover<R::MoveMode>,
    &Next { to, cost, .. }: &Next,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) {
    let (who, feet) = (mover.who, cost.feet);
    let from = R::view(state).body(who).at;
    mover.feet += feet;
    mover.odd ^= cost.diagonal;
    mover.path.pop_front();
    mover.trail.push(from);
    R::steps(mover, [from, to], feet, outcome);
    R::goes(state, mover, to, feet, outcome);
    if cost.fall > 0 {
        R::falls(state, who, None, cost.fall, dice, outcome);
        mover.over = true;
    }
}

/// Ends a move and logs why.
fn stop<G>(mover: &mut Mover<G>, why: Why, outcome: &mut StepOutcome) {
    mover.over = true;
    outcome.emit_stop(mover.who, why);
}
