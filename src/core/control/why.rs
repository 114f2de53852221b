//! Why an answer was given: the options an AI considered and how it rated them. This is
//! recomputed from the position; no file stores it.

use super::{
    Player, Strategist, controller_seed,
    strategist::{Candidate, OpenDecision, best_of_kinds},
};
use crate::{
    battle::{Battle, Body, Choice, Id, Side, all_units, of_unit},
    grid::Cell,
};

/// The most choices that are listed.
const MAX: usize = 6;

/// The options that were considered before an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    pub judge: Judge,
    /// Best first; one of them was chosen.
    pub weighed: Vec<RatedOption>,
}

/// Which AI rates the options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judge {
    /// The strategist, which simulates choices.
    Strategist,
    /// The quick AI, which scores choices.
    Quick,
}

/// A choice and its rating.
#[derive(Clone, PartialEq, Debug)]
pub struct RatedOption {
    pub choice: Choice,
    /// The cell that the choice's cell is counted from, see [`Choice::counts_from`]. `None` until
    /// [`Explanation::placed`] sets it.
    pub from: Option<Cell>,
    pub worth: Worth,
    pub is_taken: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Worth {
    /// The side's mean result, from 0 (lost) to 1 (won), over this many playouts, with its
    /// standard error.
    Share {
        value: f32,
        error: f32,
        playouts: u32,
    },
    /// The score of the quick AI; an enemy's last hit point is worth 1000.
    Points(i32),
    /// The choice was not rated.
    Unknown,
}

/// An answer to explain, detached from the battle.
pub struct Inquiry {
    problem: OpenDecision,
    judge: Judge,
    taken: Choice,
}

impl Inquiry {
    /// The decision that was answered with `taken`, as the side's player rates it: the
    /// strategist with its playouts and dice, the quick AI with its scores. For a human
    /// (`player` is `None`) the strategist rates it. `seed` is the battle's. `None` if no
    /// decision was open.
    pub fn of(before: &Battle, player: Option<Player>, taken: &Choice, seed: u64) -> Option<Self> {
        let side = before.asked()?.side;
        let (judge, playouts) = match player {
            None => (Judge::Strategist, Strategist::PLAYOUTS),
            Some(Player::Strategist(playouts)) => (Judge::Strategist, playouts),
            Some(_) => (Judge::Quick, 0),
        };
        let mut known = before.replica(Some(side));
        let seed = controller_seed(seed, side.index());
        Some(Self {
            problem: OpenDecision::of(before, &mut known, playouts, seed),
            judge,
            taken: taken.clone(),
        })
    }

    /// Rates the options again, until `enough` returns true.
    pub fn answer(mut self, enough: &(dyn Fn() -> bool + Sync)) -> Explanation {
        let units = all_units::<Body>(self.problem.base().world()).iter();
        let cells: Vec<Cell> = units.map(|body| body.at).collect();
        let found = match self.judge {
            Judge::Quick => self.points(),
            Judge::Strategist => {
                let problem = self.problem.with(self.taken.clone());
                Explanation::of_thought(&problem.think(false, enough), &self.taken)
            }
        };
        found.placed(|id| cells[id.index()])
    }

    fn points(&mut self) -> Explanation {
        let base = self.problem.base();
        let asked = base.asked().and_then(|q| q.actors.first().copied());
        let who = self.taken.who.or(asked);
        let ranked = who.map_or(vec![], |who| base.ranked(who, None));
        let scored = |(choice, score): (Choice, i32)| RatedOption {
            is_taken: choice == self.taken,
            from: None,
            worth: match score {
                i32::MAX => Worth::Unknown,
                score => Worth::Points(score),
            },
            choice,
        };
        let taken = ranked.iter().find(|(choice, _)| *choice == self.taken);
        let taken = taken.cloned();
        let weighed = best_of_kinds(ranked).take(MAX).map(scored).collect();
        let taken = taken.map(scored);
        Explanation::of(Judge::Quick, weighed, taken, &self.taken)
    }
}

impl Explanation {
    /// The considered options of a strategist that gave this answer.
    pub fn of_thought(thought: &[Candidate], taken: &Choice) -> Self {
        let weighed = thought.iter().map(|one| RatedOption {
            is_taken: one.choice == *taken,
            from: None,
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

    /// Adds the chosen option if it is missing.
    fn of(
        judge: Judge,
        mut weighed: Vec<RatedOption>,
        known: Option<RatedOption>,
        taken: &Choice,
    ) -> Self {
        if !weighed.iter().any(|one| one.is_taken) {
            let unknown = || RatedOption {
                choice: taken.clone(),
                from: None,
                worth: Worth::Unknown,
                is_taken: true,
            };
            weighed.push(known.unwrap_or_else(unknown));
        }
        Self { judge, weighed }
    }

    /// Sets where the units of the options stood when they were considered.
    pub fn placed(mut self, at: impl Fn(Id) -> Cell) -> Self {
        for one in &mut self.weighed {
            one.from = one.choice.counts_from().map(&at);
        }
        self
    }

    /// Whether there was only one option.
    pub fn is_plain(&self) -> bool {
        self.weighed.len() < 2
    }
}

/// The side that gave an answer.
pub fn side_of(battle: &Battle, choice: &Choice) -> Option<Side> {
    let body = |who| of_unit::<Body>(battle.world(), who);
    choice.who.map(|who| body(who).side).or(choice.side)
}
