//! What its side is there for: where that sends somebody, and how bold it
//! makes them.

use super::{Evaluation, NEVER, QuickAi};
use crate::{
    battle::{Id, Side, sent_to},
    grid::{Cell, Field, Space},
    levels::Goal,
};

/// What danger and distance are to somebody.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Posture {
    /// Percent of the danger somewhere that keeps them away.
    pub caution: i32,
    /// What a pace nearer to the foes is worth in the first round, and how much
    /// more in each that follows: who waits in ambush does not wait for ever.
    haste: (i32, i32),
    /// They seek out foes.
    seeks: bool,
}

/// Who has all the time in the world.
const PATIENT: Posture = Posture {
    caution: 40,
    haste: (20, 10),
    seeks: true,
};
/// Time works for the foes: they have but to last.
const PRESSED: Posture = Posture {
    caution: 20,
    haste: (40, 20),
    seeks: true,
};
/// Their side has but to last: let them come.
const KEEPING: Posture = Posture {
    caution: 40,
    haste: (0, 0),
    seeks: false,
};
/// Their side has lost if they fall.
const IN_CARE: Posture = Posture {
    caution: 100,
    ..KEEPING
};

/// What follows from all that for whatever place somebody looks at.
pub struct Aims {
    pub(super) caution: i32,
    /// Their side has lost if they fall.
    pub(super) is_ward: bool,
    /// They keep near those who must not fall.
    pub(super) guards: bool,
    /// What a pace nearer to the foes is worth; none where they are sent
    /// somewhere.
    haste: Option<i32>,
}

/// Rounds after which nobody gets hastier.
const HASTIEST: u16 = 10;
/// Idle rounds after which a unit fears no danger.
const MOST_IDLE: u32 = 4;
/// A pace nearer to where somebody is sent.
const NEARER: i32 = 40;
/// Steps that count: more than the way across any map, but what that is worth must be
/// less than what the rulesets give for moving at all.
const FAR: u16 = 10_000;

impl<R: QuickAi> Evaluation<'_, '_, '_, R> {
    /// Those of its side who must not fall.
    pub fn wards(&self) -> impl Iterator<Item = Id> {
        let wards = self.goals_of(self.side()).filter_map(|goal| match goal {
            Goal::Protect(wards) => Some(wards.iter().map(|&w| Id::from(w))),
            _ => None,
        });
        wards.flatten()
    }

    /// Its side loses if it falls.
    pub fn is_ward(&self) -> bool {
        self.posture() == IN_CARE
    }

    /// Its side has but to be there at the end: the foes must come.
    pub fn keeps(&self) -> bool {
        !self.posture().seeks
    }

    pub fn posture(&self) -> Posture {
        *self.posture.get_or_init(|| {
            if self.wards().any(|ward| ward == self.who) {
                return IN_CARE;
            }
            let own = self.side();
            let keeps = |side: Side| {
                let lasts = |goal: &Goal| {
                    matches!(
                        goal,
                        Goal::Survive { .. } | Goal::Protect(_) | Goal::Capture { .. }
                    )
                };
                let seeks = |goal: &Goal| matches!(goal, Goal::Defeat(_));
                self.goals_of(side).any(lasts) && !self.goals_of(side).any(seeks)
            };
            let mut others = self.view().roster.sides().filter(|&side| side != own);
            match (keeps(own), others.any(keeps)) {
                (true, _) => KEEPING,
                (false, true) => PRESSED,
                (false, false) => PATIENT,
            }
        })
    }

    pub(super) fn side(&self) -> Side {
        self.view().body(self.who).side
    }

    fn goals_of(&self, side: Side) -> impl Iterator<Item = &Goal> {
        let all = self.view().level().objectives.iter();
        all.filter(move |o| side == o.side.into()).map(|o| &o.goal)
    }

    /// An objective of its side sends it somewhere.
    pub fn is_sent(&self) -> bool {
        self.paces_to_goal(self.here).is_some()
    }

    /// It is not yet where it is sent.
    pub fn has_far_to_go(&self) -> bool {
        self.paces_to_goal(self.here).is_some_and(|paces| paces > 0)
    }

    /// Paces to the place that an objective of its side sends it to, if any.
    pub fn paces_to_goal(&self, at: Cell) -> Option<u16> {
        let field = self.goal.get_or_init(|| {
            let cells = sent_to(self.view(), self.who);
            let board = &self.view().board;
            (!cells.is_empty()).then(|| self.memory.borrow_mut().fields.to(board, &cells))
        });
        field.as_ref().map(|field| field.paces(at))
    }

    /// Paces to the nearest foe.
    #[inline]
    pub fn paces_to_foes(&self, at: Cell) -> u16 {
        let field = self.to_foes.get_or_init(|| self.field_to_foes());
        field.paces(at)
    }

    #[cold]
    fn field_to_foes(&self) -> Field {
        let space = |&foe: &Id| self.view().body(foe).space();
        let spaces: Vec<Space> = self.foes.iter().map(space).collect();
        let board = &self.view().board;
        self.memory.borrow_mut().fields.nearest_of(board, spaces)
    }

    /// Paces to where it wants to be: where it is sent, or the nearest foe.
    pub fn paces_to_go(&self, at: Cell) -> u16 {
        self.paces_to_goal(at)
            .unwrap_or_else(|| self.paces_to_foes(at))
    }

    /// How far it is from where it wants to be, at so much a pace. Who can
    /// attack from there is where it wants to be.
    #[inline]
    pub fn way_to_go(&self, at: Cell, offense: i32) -> i32 {
        match self.aims().haste {
            None => i32::from(self.paces_to_go(at).min(FAR)) * NEARER,
            Some(0) => 0,
            Some(_) if offense > 0 => 0,
            Some(haste) => i32::from(self.paces_to_foes(at).min(FAR)) * haste,
        }
    }

    /// What it makes of every place alike.
    #[inline]
    pub(super) fn aims(&self) -> &Aims {
        self.aims.get_or_init(|| self.aims_now())
    }

    #[cold]
    fn aims_now(&self) -> Aims {
        let posture = self.posture();
        let (first, more) = (
            posture.haste.0 * R::HASTE.0 / 100,
            posture.haste.1 * R::HASTE.1 / 100,
        );
        let haste = first + more * i32::from(R::round(self.state).min(HASTIEST));
        let seeks = i32::from(posture.seeks);
        Aims {
            caution: posture.caution * self.patience_left() / 100,
            is_ward: self.is_ward(),
            guards: self.keeps() && !self.is_ward() && !self.is_sent(),
            haste: (!self.is_sent()).then_some(haste * seeks),
        }
    }

    /// Percent of its caution that is left to a unit that seeks its enemies: all of it
    /// while the battle gets somewhere, nothing after a few idle rounds (OP-07).
    pub fn patience_left(&self) -> i32 {
        let idle = self.view().progress.idle.min(MOST_IDLE) as i32;
        match self.posture().seeks {
            true => 100 - 100 * idle / MOST_IDLE as i32,
            false => 100,
        }
    }

    /// A door is opened when the way leads through it: where it is sent, or to
    /// the foes while none is in sight.
    pub fn is_on_the_way(&self, door: Cell) -> bool {
        let seeks = self.is_sent() || !self.keeps() && self.offense(self.here) <= 0;
        seeks && self.paces_to_go(door) < self.paces_to_go(self.here)
    }

    /// What it is worth to open a door, more or less.
    pub fn open(&self, door: Option<Cell>) -> i32 {
        match door.is_some_and(|door| self.is_on_the_way(door)) {
            // Behind a shut door nothing is gained by waiting.
            true => self.stay() + 60 + self.danger(self.here) / 8,
            false => NEVER,
        }
    }
}
