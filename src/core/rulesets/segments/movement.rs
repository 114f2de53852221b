//! Movement step by step, and the attacks on fleeing units (SE-52).

use super::{Segments, acts, query::SegmentsQuery, reactions, wounds};
use crate::{
    battle::{Action, Choice, Id, Item, Rule, StepOutcome, Why, movement::Occupancy},
    grid::Cell,
    rulesets::common::{
        damage::Loss,
        hiding::Hides,
        moves::{self, Moves},
        paths::CustomPaths,
    },
};

/// How a unit moves. An enemy that was adjacent when the move began is prompted before the step
/// that leaves it.
#[derive(Clone, Copy, Debug)]
pub struct MoveMode {
    pub pace: Pace,
    /// Enemies that attack when the unit leaves them, as a bit set.
    pub strikers: u64,
    /// The weapon of a charge.
    pub with: Option<Item>,
}

/// The kinds of movement, each with its own distance per round (SE-51, SE-52).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    Move,
    /// Half the distance, facing the enemy.
    Withdraw,
    /// Twice the distance.
    Charge,
}

pub type Mover = moves::Mover<MoveMode>;

/// A unit that is about to move along these cells.
pub fn mover(who: Id, pace: Pace, path: impl IntoIterator<Item = Cell>, strikers: u64) -> Mover {
    let gait = MoveMode {
        pace,
        strikers,
        with: None,
    };
    Mover::new(who, gait, path)
}

/// A unit that is about to charge a target along these cells.
pub fn charger(
    se: &SegmentsQuery,
    who: Id,
    path: impl IntoIterator<Item = Cell>,
    at: Id,
    with: Item,
) -> Mover {
    let mut mover = mover(who, Pace::Charge, path, 0).at(at, se.body(at).at);
    mover.gait.with = Some(with);
    mover
}

impl SegmentsQuery<'_, '_> {
    /// Feet that the unit can move at this pace.
    pub fn feet(&self, who: Id, pace: Pace) -> u16 {
        match pace {
            Pace::Move => self.view.speed(who),
            Pace::Withdraw => self.view.speed(who) / 2,
            Pace::Charge => self.view.speed(who) * 2,
        }
    }
}

/// Segments has no hidden units: an ambush only surprises the enemy.
impl Hides for Segments {}

impl Moves for Segments {
    type MoveMode = MoveMode;
    const CONTACT: Rule = "SE-51";

    fn occupancy(se: &SegmentsQuery, mover: &Mover) -> Occupancy {
        se.occupancy(mover.who, mover.gait.strikers & !mover.asked)
    }

    fn budget(se: &SegmentsQuery, mover: &Mover) -> Result<u16, Why> {
        Ok(se.feet(mover.who, mover.gait.pace))
    }

    fn is_able(se: &SegmentsQuery, who: Id) -> bool {
        se.can_act(who)
    }

    fn leaves(se: &SegmentsQuery, mover: &Mover, occupancy: &Occupancy, to: Cell) -> u64 {
        occupancy.left(se.body(mover.who).at, to)
    }

    fn left(se: &SegmentsQuery, left: Vec<(Id, u64)>, outcome: &mut StepOutcome) {
        outcome.push(reactions::window_against_fleeing(se, &left));
    }

    fn lands(se: &SegmentsQuery, who: Id, points: i32, outcome: &mut StepOutcome) {
        wounds::suffer(se, who, Loss::deadly(points), outcome);
    }

    fn reaches(se: &SegmentsQuery, mover: &Mover, target: Id) -> bool {
        let with = mover.gait.with;
        with.is_some_and(|with| acts::can_strike(se, mover.who, target, with).is_ok())
    }

    fn follows(se: &SegmentsQuery, mover: &Mover, target: Id) -> Option<Vec<Cell>> {
        let left = se.feet(mover.who, Pace::Charge).saturating_sub(mover.feet);
        let range = se.quiet_range(mover.who, left);
        let end = acts::charge_end(se, mover.who, target, mover.gait.with?, &range, 0)?;
        Some(range.path(end.cell).into_iter().skip(1).collect())
    }
}

impl CustomPaths for Segments {
    fn is_move(verb: &'static Action) -> bool {
        verb == &acts::MOVE || verb == &acts::WITHDRAW
    }

    fn mover(se: &SegmentsQuery, choice: &Choice, who: Id) -> Result<Mover, Why> {
        acts::can_go(se, who)?;
        let slow = choice.verb == &acts::WITHDRAW;
        Why::new("SE-52", "no adjacent enemy").when(slow && !se.is_engaged(who))?;
        let pace = if slow { Pace::Withdraw } else { Pace::Move };
        Ok(mover(who, pace, [], 0))
    }
}
