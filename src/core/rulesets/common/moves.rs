//! The steps of a move: one mover, one cell at a time. After every cell and
//! every interruption the state is looked at again: who is still able to go on,
//! what is left of the move, who stands in the way.
//!
//! Several may move at once. Then all of them take a step, a cell each, judged on the
//! state before it. Where they stand decides who of two gets a cell that both
//! want, and nothing else. Those who charge look after every cell whether they
//! have reached whom they charge (`charges`).

use super::{
    State, charges,
    hiding::{Hides, clear, is_stopped, lurkers},
    room::make_room,
};
use crate::{
    battle::{DiceBox, EventKind, Id, Rule, StepOutcome, View, Why, movement::Occupancy},
    grid::{Board, Cell, Space, StepCost, StepRules},
    system_step,
};
use bevy_ecs::system::{In, ResMut, StaticSystemParam};
use std::{borrow::Cow, collections::VecDeque, fmt::Debug};

/// Somebody on the way.
#[derive(Clone, Debug)]
pub struct Mover<G> {
    pub who: Id,
    /// How they go, as the combat system knows it: at a run, in a charge.
    pub gait: G,
    /// The cells to step on, in order.
    pub path: VecDeque<Cell>,
    /// The cells that this move has left, in order.
    pub trail: Vec<Cell>,
    /// Feet that this move has taken so far.
    pub feet: u16,
    /// The foes who have had their chance at this move, as a bit set.
    pub asked: u64,
    /// Those whom they have come near, or passed, as a bit set.
    pub met: u64,
    /// Whom they charge.
    pub(super) target: Option<Target>,
    /// An odd number of diagonals lies behind (GR-31).
    odd: bool,
    /// They go no farther, whatever is left of the path.
    pub(super) over: bool,
    /// The target is reached, but is still on the way.
    pub(super) waits: bool,
}

/// Somebody who is charged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub foe: Id,
    /// Where they stood when the way to them was chosen.
    pub seen: Cell,
    /// They have moved since the charge began.
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

    /// The same in a charge at somebody who stands at `seen`.
    pub fn at(self, foe: Id, seen: Cell) -> Self {
        let has_moved = false;
        Self {
            target: Some(Target {
                foe,
                seen,
                has_moved,
            }),
            ..self
        }
    }

    pub(super) fn goes_on(&self) -> bool {
        !self.over && !self.path.is_empty()
    }

    /// The foes of a bit set that have not had their chance yet; now they have.
    pub fn first_time(&mut self, foes: u64) -> u64 {
        let new = foes & !self.asked;
        self.asked |= new;
        new
    }
}

/// How a combat system moves people: the hooks of [`MoveStep`] and of a path
/// laid by hand.
pub trait Moves: Hides {
    /// What it knows of one who moves: a run, a charge, a withdrawal.
    type Gait: Clone + Debug + Send + Sync + 'static;
    /// What is told of somebody whose feet do not suffice for the next cell.
    const USED_UP: &'static str = "no movement left";
    /// The rule by which somebody stops who was reached by a charge.
    const CONTACT: Rule = "GR-30";

    /// Who stands where, and whose reach covers what, for this mover.
    fn ways(state: &State<Self>, mover: &Mover<Self::Gait>) -> Occupancy {
        Self::view(state).ways(mover.who, |_| None)
    }

    /// Feet that the whole move may take as things are now; or why it is over.
    fn budget(state: &State<Self>, mover: &Mover<Self::Gait>) -> Result<u16, Why>;

    /// Runs `use_it` with the walk of `who` on a board: the battle's, or the same
    /// with its doors open.
    fn walk_on<T>(
        state: &State<Self>,
        board: &Board,
        who: Id,
        ways: &Occupancy,
        use_it: impl FnOnce(&StepRules) -> T,
    ) -> T {
        Self::view(state).walk_on(board, who, ways, use_it)
    }

    /// The same on the battle's board.
    fn walk<T>(
        state: &State<Self>,
        who: Id,
        ways: &Occupancy,
        use_it: impl FnOnce(&StepRules) -> T,
    ) -> T {
        Self::walk_on(state, &Self::view(state).board, who, ways, use_it)
    }

    /// Whether somebody may go on at all; who may not stops without a word.
    fn is_able(state: &State<Self>, who: Id) -> bool {
        Self::view(state).body(who).is_up()
    }

    /// The same of a mover in the middle of its move.
    fn may_go_on(state: &State<Self>, mover: &Mover<Self::Gait>) -> bool {
        Self::is_able(state, mover.who)
    }

    /// The first that comes of a step: a hidden mover is revealed.
    fn sets_out(_: &State<Self>, _: &mut Mover<Self::Gait>, _: &mut StepOutcome) {}

    /// The enemies that may react before a step to `to`, as a bit set: their reach is
    /// left. Each is asked once a move.
    fn leaves(_: &State<Self>, _: &Mover<Self::Gait>, _: &Occupancy, _to: Cell) -> u64 {
        0
    }

    /// What comes of the steps of one moment before they are taken: each mover with
    /// the enemies that may react to it.
    fn left(_: &State<Self>, _: Vec<(Id, u64)>, _: &mut StepOutcome) {}

    /// What a step costs this mover that costs a walker so much.
    fn price(_: &Mover<Self::Gait>, cost: StepCost) -> StepCost {
        cost
    }

    /// Tells that a mover has taken a step.
    fn steps(
        mover: &Mover<Self::Gait>,
        [from, to]: [Cell; 2],
        feet: u16,
        outcome: &mut StepOutcome,
    ) {
        let who = mover.who;
        let moved = EventKind::Moved {
            who,
            from,
            to,
            feet,
        };
        outcome.emit("GR-31", moved);
    }

    /// What else is told of a cell that cost this many feet.
    fn goes(
        _: &State<Self>,
        _: &mut Mover<Self::Gait>,
        _to: Cell,
        _feet: u16,
        _: &mut StepOutcome,
    ) {
    }

    /// A fall of this many feet, which ends the move.
    fn falls(
        state: &State<Self>,
        who: Id,
        feet: u16,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    );

    /// Why a move ends in this cell, wherever it was to lead.
    fn ends_at(_: &State<Self>, _: &Mover<Self::Gait>, _: &Occupancy, _at: Cell) -> Option<Why> {
        None
    }

    /// The enemies that may react to a step that this mover has taken among `strides`,
    /// as a bit set; `None` if nobody is to be asked.
    fn enters(
        _: &State<Self>,
        _: &mut Mover<Self::Gait>,
        _: &Occupancy,
        _: &Strides,
    ) -> Option<u64> {
        None
    }

    /// What comes of the steps of one moment after they are taken: each mover with
    /// the enemies that may react to it.
    fn entered(_: &State<Self>, _: Vec<(Id, u64)>, _: &mut StepOutcome) {}

    /// The move is over. A unit may have come to its end since the way was chosen:
    /// there is no room for two (GR-03).
    fn stops(state: &State<Self>, mover: &Mover<Self::Gait>, outcome: &mut StepOutcome) {
        if Self::view(state).body(mover.who).is_up() {
            make_room::<Self>(state, mover.who, &mover.trail, outcome);
        }
    }

    /// Whether one who charges could strike at the target from where they are.
    fn reaches(_: &State<Self>, _: &Mover<Self::Gait>, _target: Id) -> bool {
        false
    }

    /// How one who charges goes on towards a target that has moved, with what
    /// is left of the move; none if they keep to the way that they had chosen.
    fn follows(_: &State<Self>, _: &Mover<Self::Gait>, _target: Id) -> Option<Vec<Cell>> {
        None
    }
}

/// What is left of a move, or of several moves at once.
#[derive(Clone, Debug)]
pub struct MoveStep<R: Moves> {
    /// The first of two who want one cell gets it.
    movers: Vec<Mover<R::Gait>>,
}
system_step!(impl[R: Moves] MoveStep<R>, go::<R>, end::<R>);

impl<R: Moves> MoveStep<R> {
    pub fn of(mover: Mover<R::Gait>) -> Self {
        let movers = vec![mover];
        Self { movers }
    }

    /// Several units that move at once. The order in which they are named decides
    /// nothing. Where two want one cell, the one that comes from farther north
    /// gets it, then from farther west.
    pub fn together(state: &State<R>, mut movers: Vec<Mover<R::Gait>>) -> Self {
        let from = |m: &Mover<R::Gait>| {
            let at = R::view(state).body(m.who).at;
            (at.y, at.x)
        };
        movers.sort_by_key(from);
        Self { movers }
    }
}

/// The steps that units have taken at one moment: who, from where, to where.
#[derive(Clone, Debug, Default)]
pub struct Strides(Vec<(Id, Cell, Cell)>);

impl Strides {
    /// Where a unit's step has led from and to; twice where it stands if it has
    /// taken none.
    pub fn of(&self, view: &View, who: Id) -> [Space; 2] {
        let body = view.body(who);
        let stride = self.0.iter().find(|stride| stride.0 == who);
        let cells = stride.map_or([body.at; 2], |&(_, from, to)| [from, to]);
        cells.map(|at| Space::new(at, body.size))
    }
}

/// A step that a mover is about to take.
struct Next {
    /// The mover's number.
    n: usize,
    to: Cell,
    ways: Occupancy,
    cost: StepCost,
}

/// All who are on the way take one step, judged on one state: first those react
/// whose reach is left, then all move, then those react whose reach is entered.
fn go<R: Moves>(
    In(mut step): In<MoveStep<R>>,
    state: StaticSystemParam<R::Param>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let movers = &mut step.movers;
    charges::look::<R>(&state, movers, &mut outcome);
    let on_the_way = |m: &Mover<R::Gait>| m.goes_on() && !m.waits;
    if !movers.iter().any(on_the_way) {
        return halt::<R>(step, &state, outcome);
    }
    let next = prepare::<R>(&state, movers, &mut outcome);
    let mut left = vec![];
    for Next { n, to, ways, .. } in &next {
        let mover = &mut movers[*n];
        match mover.first_time(R::leaves(&state, mover, ways, *to)) {
            0 => {}
            foes => left.push((mover.who, foes)),
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
    for Next { n, ways, .. } in &taken {
        let mover = &mut movers[*n];
        if let Some(foes) = R::enters(&state, mover, ways, &strides) {
            entered.push((mover.who, foes));
        }
    }
    if !entered.is_empty() {
        R::entered(&state, entered, &mut outcome);
    }
    outcome.then(step)
}

/// The battle is over before the move is: it is over where they are now.
fn end<R: Moves>(In(step): In<MoveStep<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    halt::<R>(step, &state, StepOutcome::default())
}

/// All have come to a halt. They make room one after the other, the last first:
/// the first of two who have come to one cell keeps it.
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

/// The next step of each mover that can take one. The others are stopped.
fn prepare<R: Moves>(
    state: &State<R>,
    movers: &mut [Mover<R::Gait>],
    outcome: &mut StepOutcome,
) -> Vec<Next> {
    let mut open = vec![];
    for (n, mover) in movers.iter_mut().enumerate() {
        if !mover.goes_on() || mover.waits {
            continue;
        }
        let who = mover.who;
        let at = R::view(state).body(who).at;
        let ways = R::ways(state, mover);
        let has_moved = !mover.trail.is_empty();
        if !R::may_go_on(state, mover) {
            mover.over = true;
            continue;
        }
        if has_moved && let Some(why) = R::ends_at(state, mover, &ways, at) {
            stop(mover, why, outcome);
            continue;
        }
        R::sets_out(state, mover, outcome);
        let Some(&to) = mover.path.front() else {
            continue;
        };
        match R::budget(state, mover) {
            Ok(budget) => open.push((n, to, ways, budget)),
            Err(why) => stop(mover, why, outcome),
        }
    }
    // Those who are on the way may leave their cells to others.
    let going: Vec<Id> = open.iter().map(|(n, ..)| movers[*n].who).collect();
    let mut next = vec![];
    for (n, to, ways, budget) in open {
        let mover = &mut movers[n];
        let free = free_of::<R>(state, mover.who, &ways, &going);
        match cost_of::<R>(state, mover, &free, to) {
            Ok(cost) if mover.feet + cost.feet <= budget => {
                next.push(Next { n, to, ways, cost });
            }
            Ok(_) => stop(mover, Why::new("GR-30", R::USED_UP), outcome),
            Err(why) => stop(mover, why, outcome),
        }
    }
    next
}

/// What the next step of a mover costs along these ways.
fn cost_of<R: Moves>(
    state: &State<R>,
    mover: &Mover<R::Gait>,
    ways: &Occupancy,
    to: Cell,
) -> Result<StepCost, Why> {
    let from = R::view(state).body(mover.who).at;
    let cost = R::walk(state, mover.who, ways, |walk| {
        walk.step_in_move(from, to, mover.odd)
    });
    match cost {
        Ok(cost) => Ok(R::price(mover, cost)),
        Err(why) => Err(Why::new("GR-30", why.to_string())),
    }
}

/// The ways of a unit if those of its enemies were gone that are among `gone`.
fn free_of<'a, R: Moves>(
    state: &State<R>,
    who: Id,
    ways: &'a Occupancy,
    gone: &[Id],
) -> Cow<'a, Occupancy> {
    let view = R::view(state);
    let foes = view.foes(view.body(who).side);
    let leave: Vec<Id> = foes.filter(|foe| gone.contains(foe)).collect();
    if leave.is_empty() {
        return Cow::Borrowed(ways);
    }
    let mut ways = ways.clone();
    clear::<R>(state, who, &leave, &mut ways);
    Cow::Owned(ways)
}

/// Leaves out the steps that lead upon a hidden enemy, which is revealed.
fn find_hidden<R: Moves>(
    state: &State<R>,
    movers: &mut [Mover<R::Gait>],
    mut next: Vec<Next>,
    outcome: &mut StepOutcome,
) -> Vec<Next> {
    let mut found = 0u64;
    next.retain(|Next { n, to, .. }| {
        let mover = &mut movers[*n];
        let there = Space::new(*to, R::view(state).body(mover.who).size);
        let Some(&foe) = lurkers::<R>(state, mover.who, there).first() else {
            return true;
        };
        if found & foe.bit() == 0 {
            R::reveal(state, foe, outcome);
        }
        found |= foe.bit();
        is_stopped::<R>(mover.who, outcome);
        mover.over = true;
        false
    });
    next
}

/// The steps of one moment that can be taken, in an order in which no two enemies are
/// ever in one cell; and the movers that are blocked. Whose cell somebody has
/// taken first is neither: it tries again at the next moment.
fn in_turn<R: Moves>(
    state: &State<R>,
    movers: &[Mover<R::Gait>],
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
    // Allies pass each other, and do not come to an end in one cell.
    let is_contested = |next: &Next, taken: &[Next]| {
        let clash = |other: &Next| {
            let allies = view.body(who(next)).side == view.body(who(other)).side;
            let passes = allies && !(is_end(next) && is_end(other));
            view.body(who(other)).is_up() && space(next).overlaps(space(other)) && !passes
        };
        taken.iter().any(clash)
    };
    let blocked = |next: &Next, gone: &[Id]| {
        let free = free_of::<R>(state, who(next), &next.ways, gone);
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
    mover: &mut Mover<R::Gait>,
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
        R::falls(state, who, cost.fall, dice, outcome);
        mover.over = true;
    }
}

/// The move is over, and it is told why.
fn stop<G>(mover: &mut Mover<G>, why: Why, outcome: &mut StepOutcome) {
    mover.over = true;
    let (who, rule, why) = (mover.who, why.rule, why.text);
    outcome.emit(rule, EventKind::Stopped { who, why });
}
