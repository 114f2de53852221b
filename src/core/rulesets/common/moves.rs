//! The steps of a move: one mover, one cell at a time. After every cell and
//! every interruption the state is looked at again: who is still able to go on,
//! what is left of the move, who stands in the way.
//!
//! Several may move at once. Then they take turns, a cell each, so that no two
//! come to one cell; those who charge look after every cell whether they have
//! reached whom they charge (`charges`).

use super::{CombatSystem, State, charges};
use crate::{
    battle::{DiceBox, EventKind, Id, Rule, StepOutcome, Why, movement::Occupancy},
    grid::{Board, Cell, StepRules},
    system_step,
};
use bevy_ecs::system::{In, ResMut, StaticSystemParam};
use std::{collections::VecDeque, fmt::Debug};

/// Somebody on the way.
#[derive(Clone, Debug)]
pub struct Mover<G> {
    pub who: Id,
    /// How they go, as the combat system knows it: at a run, in a charge.
    pub gait: G,
    /// The cells to step on, in order.
    pub path: VecDeque<Cell>,
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
pub trait Moves: CombatSystem {
    /// What it knows of one who moves: a run, a charge, a withdrawal.
    type Gait: Clone + Debug + Send + Sync + 'static;
    /// What is told of somebody whose feet do not suffice for the next cell.
    const USED_UP: &'static str = "its move is used up";
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

    /// The first that comes of a step: who was hiding is seen.
    fn sets_out(_: &State<Self>, _: &mut Mover<Self::Gait>, _: &mut StepOutcome) {}

    /// What comes before a step to `to`: attacks of those who are left. The
    /// step is looked at again afterwards.
    fn leaves(
        _: &State<Self>,
        _: &mut Mover<Self::Gait>,
        _: &Occupancy,
        _to: Cell,
    ) -> Option<StepOutcome> {
        None
    }

    /// Whether somebody in hiding turns up at `to`, which ends the move there.
    fn finds(_: &State<Self>, _: &Mover<Self::Gait>, _to: Cell, _: &mut StepOutcome) -> bool {
        false
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

    /// The rule by which a move ends in this cell, wherever it was to lead.
    fn ends_at(_: &State<Self>, _: &Mover<Self::Gait>, _: &Occupancy, _at: Cell) -> Option<Rule> {
        None
    }

    /// What comes of a step that was taken: answers of those whom the mover
    /// has come near.
    fn enters(
        _: &State<Self>,
        _: &mut Mover<Self::Gait>,
        _: &Occupancy,
        _from: Cell,
        _to: Cell,
    ) -> Option<StepOutcome> {
        None
    }

    /// The move is over. Somebody may have come to its end since the way was
    /// chosen: there is no room for two (GR-03).
    fn stops(state: &State<Self>, mover: &Mover<Self::Gait>, outcome: &mut StepOutcome) {
        let body = Self::view(state).body(mover.who);
        if body.is_up() {
            Self::view(state).make_room(mover.who, body.at, outcome);
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
    movers: Vec<Mover<R::Gait>>,
    /// Whose cell comes next.
    turn: usize,
}
system_step!(impl[R: Moves] MoveStep<R>, go::<R>, end::<R>);

impl<R: Moves> MoveStep<R> {
    pub fn of(mover: Mover<R::Gait>) -> Self {
        Self {
            movers: vec![mover],
            turn: 0,
        }
    }

    /// Several who move at once. Whose cell comes first where two want the same
    /// one is not decided by who is named first: it is who comes from the
    /// north, then from the west.
    pub fn together(state: &State<R>, mut movers: Vec<Mover<R::Gait>>) -> Self {
        let from = |m: &Mover<R::Gait>| {
            let at = R::view(state).body(m.who).at;
            (at.y, at.x)
        };
        movers.sort_by_key(from);
        Self { movers, turn: 0 }
    }

    /// The next who goes on, those who waited for their target at last.
    fn next(&self) -> Option<usize> {
        let all = (self.turn..self.movers.len()).chain(0..self.turn.min(self.movers.len()));
        let goes_on = |&n: &usize| self.movers[n].goes_on() && !self.movers[n].waits;
        all.into_iter().find(goes_on)
    }
}

fn go<R: Moves>(
    In(mut step): In<MoveStep<R>>,
    state: StaticSystemParam<R::Param>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    charges::look::<R>(&state, &mut step.movers, &mut outcome);
    if let Some(turn) = step.next() {
        let mover = &mut step.movers[turn];
        let is_taken = take::<R>(&state, mover, &mut dice, &mut outcome);
        step.turn = turn + usize::from(is_taken);
        outcome.push(step);
        return outcome;
    }
    halt::<R>(step, &state, outcome)
}

/// The battle is over before the move is: it is over where they are now.
fn end<R: Moves>(In(step): In<MoveStep<R>>, state: StaticSystemParam<R::Param>) -> StepOutcome {
    halt::<R>(step, &state, StepOutcome::default())
}

/// All have come to a halt. They make room one after the other: the next must
/// find the cell taken.
fn halt<R: Moves>(
    mut step: MoveStep<R>,
    state: &State<R>,
    mut outcome: StepOutcome,
) -> StepOutcome {
    if step.movers.is_empty() {
        return outcome;
    }
    let mover = step.movers.remove(0);
    R::stops(state, &mover, &mut outcome);
    if !step.movers.is_empty() {
        outcome.push(step);
    }
    outcome
}

/// The next cell of a mover. `false`: something comes before it, and it is
/// looked at again.
fn take<R: Moves>(
    state: &State<R>,
    mover: &mut Mover<R::Gait>,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    let who = mover.who;
    if !R::is_able(state, who) {
        mover.over = true;
        return true;
    }
    R::sets_out(state, mover, outcome);
    let (from, Some(&to)) = (R::view(state).body(who).at, mover.path.front()) else {
        return true;
    };
    let budget = match R::budget(state, mover) {
        Ok(budget) => budget,
        Err(why) => return stop(mover, why, outcome),
    };
    let ways = R::ways(state, mover);
    if let Some(mut before) = R::leaves(state, mover, &ways, to) {
        outcome.events.append(&mut before.events);
        outcome.next.append(&mut before.next);
        return false;
    }
    if R::finds(state, mover, to, outcome) {
        mover.over = true;
        return true;
    }
    let odd = mover.odd;
    let cost = match R::walk(state, who, &ways, |walk| walk.step_in_move(from, to, odd)) {
        Ok(cost) if mover.feet + cost.feet <= budget => cost,
        Ok(_) => return stop(mover, Why::new("GR-30", R::USED_UP), outcome),
        Err(why) => return stop(mover, Why::new("GR-30", why.to_string()), outcome),
    };
    let feet = cost.feet;
    mover.feet += feet;
    mover.odd ^= cost.diagonal;
    mover.path.pop_front();
    let moved = EventKind::Moved {
        who,
        from,
        to,
        feet,
    };
    outcome.emit("GR-31", moved);
    R::goes(state, mover, to, feet, outcome);
    if cost.fall > 0 {
        R::falls(state, who, cost.fall, dice, outcome);
        mover.over = true;
    }
    mover.over |= R::ends_at(state, mover, &ways, to).is_some();
    if let Some(mut after) = R::enters(state, mover, &ways, from, to) {
        outcome.events.append(&mut after.events);
        outcome.next.append(&mut after.next);
    }
    true
}

/// The move is over, and it is told why.
fn stop<G>(mover: &mut Mover<G>, why: Why, outcome: &mut StepOutcome) -> bool {
    mover.over = true;
    let (who, rule, why) = (mover.who, why.rule, why.text);
    outcome.emit(rule, EventKind::Stopped { who, why });
    true
}
