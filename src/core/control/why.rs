//! Why an answer was given: what an AI weighed up before it, made anew from the
//! position. Nothing of it is kept in any file.

use super::{
    Player, Strategist, seat_seed,
    strategist::{Problem, Thought, best_of_kinds},
};
use crate::battle::{Battle, Choice, Replica, Setup, Side};

/// Choices that are told at most.
const MOST: usize = 6;

/// What was weighed up before an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    pub judge: Judge,
    /// The best first; one of them was taken.
    pub weighed: Vec<Weighed>,
}

/// Who weighs up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judge {
    /// The strategist, which plays choices on.
    Strategist,
    /// The quick AI, which gives points.
    Quick,
}

/// A choice and what was made of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighed {
    pub choice: Choice,
    pub worth: Worth,
    pub is_taken: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Worth {
    /// How the side does from there, 1 won and 0 lost, by the mean of this many
    /// playouts, and the standard error of that.
    Share {
        value: f32,
        error: f32,
        playouts: u32,
    },
    /// What the quick AI gives it; a foe's last hit point is worth 1000.
    Points(i32),
    /// It was not looked at.
    Unknown,
}

/// An answer that is to be explained, apart from the battle.
pub struct Inquiry {
    problem: Problem,
    judge: Judge,
    taken: Choice,
}

impl Inquiry {
    /// The open question of a battle as it stood before it was answered with
    /// `taken`, as whoever plays that side sees it: the strategist with its
    /// playouts and dice, the quick AI with its points. None is a human: the
    /// strategist is asked in their place. `seed` is the battle's.
    pub fn of(
        before: &Battle,
        setup: &Setup,
        player: Option<Player>,
        taken: &Choice,
        seed: u64,
    ) -> Option<Self> {
        let side = before.asked()?.side;
        let (judge, playouts) = match player {
            None => (Judge::Strategist, Strategist::PLAYOUTS),
            Some(Player::Strategist(playouts)) => (Judge::Strategist, playouts),
            Some(_) => (Judge::Quick, 0),
        };
        let mut known = Replica::new(setup, before.rules(), Some(side));
        let seed = seat_seed(seed, side.index());
        Some(Self {
            problem: Problem::of(before, &mut known, playouts, seed),
            judge,
            taken: taken.clone(),
        })
    }

    /// Weighs it all up once more, until it is `enough`.
    pub fn answer(mut self, enough: &(dyn Fn() -> bool + Sync)) -> Why {
        match self.judge {
            Judge::Quick => self.points(),
            Judge::Strategist => {
                let problem = self.problem.with(self.taken.clone());
                Why::of_thought(&problem.think(false, enough), &self.taken)
            }
        }
    }

    fn points(&mut self) -> Why {
        let base = self.problem.base();
        let asked = base.asked().and_then(|q| q.actors.first().copied());
        let ranked = self
            .taken
            .who
            .or(asked)
            .map_or(vec![], |who| base.ranked(who, None));
        let scored = |(choice, score): (Choice, i32)| Weighed {
            is_taken: choice == self.taken,
            worth: match score {
                i32::MAX => Worth::Unknown,
                score => Worth::Points(score),
            },
            choice,
        };
        let taken = ranked
            .iter()
            .find(|(choice, _)| *choice == self.taken)
            .cloned();
        let weighed = best_of_kinds(ranked).take(MOST).map(scored).collect();
        let taken = taken.map(scored);
        Why::of(Judge::Quick, weighed, taken, &self.taken)
    }
}

impl Why {
    /// What a strategist has made of a question that it answered so.
    pub fn of_thought(thought: &Thought, taken: &Choice) -> Self {
        let weighed = thought.candidates.iter().map(|one| Weighed {
            is_taken: one.choice == *taken,
            worth: match one.playouts {
                0 => Worth::Unknown,
                playouts => Worth::Share {
                    value: one.value,
                    error: one.error,
                    playouts,
                },
            },
            choice: one.choice.clone(),
        });
        Self::of(Judge::Strategist, weighed.collect(), None, taken)
    }

    /// What was taken is always among it.
    fn of(judge: Judge, mut weighed: Vec<Weighed>, known: Option<Weighed>, taken: &Choice) -> Self {
        if !weighed.iter().any(|one| one.is_taken) {
            let unknown = || Weighed {
                choice: taken.clone(),
                worth: Worth::Unknown,
                is_taken: true,
            };
            weighed.push(known.unwrap_or_else(unknown));
        }
        Self { judge, weighed }
    }

    /// Nothing else could be done, or was worth a look.
    pub fn is_plain(&self) -> bool {
        self.weighed.len() < 2
    }
}

/// Whose answer it is.
pub fn side_of(battle: &Battle, choice: &Choice) -> Option<Side> {
    let body = |who| crate::battle::component::<crate::battle::Body>(battle.world(), who);
    choice.who.map(|who| body(who).side).or(choice.side)
}
