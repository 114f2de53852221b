//! How the objectives of a side steer a unit: where the unit goes and how bold it is.

use super::{Evaluation, QuickAi};
use crate::{
    battle::{Id, Side, View, sent_to},
    grid::{Cell, Field},
    levels::Goal,
};

/// How much danger and distance matter to a unit, given its side's objectives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Posture {
    /// Percent of the danger at a place that the unit takes into account.
    pub caution: i32,
    /// Worth of one step closer to the enemies: in round 1, and its growth per round after that, so
    /// that units in ambush do not wait forever. 0 if the unit does not go looking for enemies.
    haste: (i32, i32),
}

/// Posture of a unit without time pressure.
const PATIENT: Posture = Posture {
    caution: 40,
    haste: (20, 10),
};
/// Posture when another side wins by holding out: time works for the enemy.
const PRESSED: Posture = Posture {
    caution: 20,
    haste: (40, 20),
};
/// Posture when the unit's side wins by holding out: let the enemies come.
const KEEPING: Posture = Posture {
    caution: 40,
    haste: (0, 0),
};
/// Posture of a unit whose fall loses the battle for its side.
const IN_CARE: Posture = Posture {
    caution: 100,
    ..KEEPING
};

/// What the unit's posture and objectives mean for every place that it evaluates.
pub struct Aims {
    pub(super) caution: i32,
    /// Whether the side loses if this unit falls.
    pub(super) is_protected: bool,
    /// Whether the unit stays near the allies that its side must protect.
    pub(super) guards: bool,
    /// The steps from each cell to where the unit goes: the place where an objective sends it, else
    /// the nearest enemy. `None` if it stays where it is.
    steps: Option<Field>,
    /// Worth of one step closer.
    haste: i32,
    /// Whether the steps still count for a unit that can attack.
    is_sent_by_objective: bool,
}

impl Aims {
    /// The cost of the steps from a cell to where the unit goes. No cost if the unit can attack
    /// from the cell (`offense` > 0) and no objective sends it elsewhere.
    #[inline]
    pub fn cost_of_steps(&self, at: Cell, offense: i32) -> i32 {
        match &self.steps {
            Some(field) if self.is_sent_by_objective || offense <= 0 => {
                i32::from(field.distance_in_cells(at).min(FAR)) * self.haste
            }
            _ => 0,
        }
    }
}

/// Round after which haste grows no further.
const HASTIEST: u16 = 10;
/// Idle rounds after which a unit ignores danger.
const MAX_IDLE: u32 = 4;
/// Worth of one step closer to the place where an objective sends the unit.
const NEARER: i32 = 40;
/// Steps that count at most. More than any way across a map needs, but still worth less than what
/// the rulesets give for moving at all.
const FAR: u16 = 10_000;

/// Whether a unit only has to fight: its side has no objective but to defeat its enemies.
pub fn only_fights(view: &View, who: Id) -> bool {
    let own = view.body(who).side;
    let mut all = view.level().objectives.iter();
    all.all(|o| Side::from(o.side) != own || matches!(o.goal, Goal::Defeat(_)))
}

impl<R: QuickAi> Evaluation<'_, '_, '_, R> {
    /// The units that its side must protect.
    pub fn protected_allies(&self) -> impl Iterator<Item = Id> {
        let wards = self.goals_of(self.side()).flat_map(|goal| match goal {
            Goal::Protect(wards) => &wards[..],
            _ => &[],
        });
        wards.map(|&ward| Id::from(ward))
    }

    /// Whether the unit's side loses if the unit falls.
    pub fn is_protected(&self) -> bool {
        self.posture() == IN_CARE
    }

    /// Whether the unit's side wins by holding out, so that the enemies must come.
    pub fn holds_out(&self) -> bool {
        self.posture().haste == (0, 0)
    }

    pub fn posture(&self) -> Posture {
        *self.once.posture.get_or_init(|| {
            if self.protected_allies().any(|ward| ward == self.who) {
                return IN_CARE;
            }
            let own = self.side();
            let holds_out = |side: Side| {
                use Goal::{Capture, Defeat, Protect, Survive};
                let lasts =
                    |goal: &Goal| matches!(goal, Survive { .. } | Protect(_) | Capture { .. });
                let seeks = |goal: &Goal| matches!(goal, Defeat(_));
                self.goals_of(side).any(lasts) && !self.goals_of(side).any(seeks)
            };
            let mut others = self.view.roster.sides().filter(|&side| side != own);
            match (holds_out(own), others.any(holds_out)) {
                (true, _) => KEEPING,
                (false, true) => PRESSED,
                (false, false) => PATIENT,
            }
        })
    }

    /// The unit's side.
    pub fn side(&self) -> Side {
        self.view.body(self.who).side
    }

    fn goals_of(&self, side: Side) -> impl Iterator<Item = &Goal> {
        let all = self.view.level().objectives.iter();
        all.filter(move |o| side == o.side.into()).map(|o| &o.goal)
    }

    /// Whether an objective of its side sends the unit somewhere.
    pub fn is_sent_by_objective(&self) -> bool {
        self.steps_to_goal(self.here).is_some()
    }

    /// Whether the unit has not yet reached the place where an objective sends it.
    pub fn has_far_to_go(&self) -> bool {
        self.steps_to_goal(self.here).is_some_and(|steps| steps > 0)
    }

    /// Steps from a cell to the place where an objective sends the unit. `None` if there is no such
    /// objective.
    pub fn steps_to_goal(&self, at: Cell) -> Option<u16> {
        let field = self.once.goal.get_or_init(|| {
            let cells = sent_to(self.view, self.who);
            (!cells.is_empty()).then(|| self.view.lengths_to(&cells))
        });
        field.as_ref().map(|field| field.distance_in_cells(at))
    }

    /// The steps from each cell to the nearest enemy.
    fn steps_to_enemies(&self) -> &Field {
        self.once.to_foes.get_or_init(|| {
            let enemies = self.enemies.iter().copied();
            self.view.lengths_to_any(enemies)
        })
    }

    /// Steps from a cell to the unit's destination: the place where an objective sends it, else the
    /// nearest enemy.
    pub fn steps_to_destination(&self, at: Cell) -> u16 {
        self.steps_to_goal(at)
            .unwrap_or_else(|| self.steps_to_enemies().distance_in_cells(at))
    }

    /// The part of the evaluation that is the same for every place.
    #[inline]
    pub fn aims(&self) -> &Aims {
        self.once.aims.get_or_init(|| {
            let posture = self.posture();
            let first = posture.haste.0 * R::HASTE.0 / 100;
            let more = posture.haste.1 * R::HASTE.1 / 100;
            let haste = first + more * i32::from(R::round(self.state).min(HASTIEST));
            let is_sent_by_objective = self.is_sent_by_objective();
            Aims {
                caution: posture.caution * self.patience_left() / 100,
                is_protected: self.is_protected(),
                guards: self.holds_out() && !self.is_protected() && !is_sent_by_objective,
                steps: match self.once.goal.get() {
                    Some(Some(goal)) => Some(goal.clone()),
                    _ => (haste > 0).then(|| self.steps_to_enemies().clone()),
                },
                haste: if is_sent_by_objective { NEARER } else { haste },
                is_sent_by_objective,
            }
        })
    }

    /// Percent of its caution that a unit that seeks enemies has left: 100 while the battle makes
    /// progress, 0 after a few idle rounds (OP-07).
    pub fn patience_left(&self) -> i32 {
        let idle = self.view.progress.idle.min(MAX_IDLE) as i32;
        match self.holds_out() {
            true => 100,
            false => 100 - 100 * idle / MAX_IDLE as i32,
        }
    }

    /// Whether the way to the unit's destination is shorter from a cell than from its own.
    pub fn is_nearer(&self, at: Cell) -> bool {
        self.steps_to_destination(at) < self.steps_to_destination(self.here)
    }

    /// The score for opening a door, roughly. Good if it shortens the unit's way: to where an
    /// objective sends it, or to the enemies while the unit can attack none from here.
    pub fn open(&self, door: Option<Cell>) -> i32 {
        let seeks =
            self.is_sent_by_objective() || !self.holds_out() && self.offense(self.here) <= 0;
        let pays = seeks && door.is_some_and(|door| self.is_nearer(door));
        // Behind a closed door, waiting gains nothing.
        self.staying(pays.then(|| 60 + self.danger(self.here) / 8))
    }
}
