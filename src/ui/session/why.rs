//! Why an answer was given: the options an AI considered, as far as the player may know.

use super::{PlayedBattle, Session, thinking::Thinking};
use crate::{
    battle::{Battle, Choice, Side, chances},
    control::{
        recording::SideController,
        why::{Explanation, Inquiry, side_of},
    },
};
use std::{collections::BTreeMap, sync::Arc};

/// Why an answer was given.
#[derive(Clone, PartialEq, Debug)]
pub enum GivenReason {
    /// It would reveal what the player can't know.
    Secret,
    /// It is still being computed.
    Soon,
    Why(Arc<Explanation>),
}

/// Known explanations, by the answer's number.
#[derive(Default)]
pub struct Reasons {
    known: BTreeMap<usize, Arc<Explanation>>,
    /// The explanation being computed.
    asked: Option<(usize, Thinking<Explanation>)>,
    /// The battle before the last explained answer: the next request is usually for a later one.
    before: Option<Battle>,
}

impl Reasons {
    pub(super) fn keep(&mut self, answer: usize, why: Explanation) {
        self.known.insert(answer, Arc::new(why));
    }

    /// Forgets everything from this answer on.
    pub(super) fn forget(&mut self, from: usize) {
        self.known.split_off(&from);
        (self.asked, self.before) = (None, None);
    }
}

impl PlayedBattle {
    /// The battle before an answer.
    fn before(&mut self, answer: usize) -> &Battle {
        let held = self.reasons.before.take();
        let battle = match held.filter(|battle| battle.answers().len() <= answer) {
            Some(held) => self.battle.at_from(&held, answer),
            None => self.battle.at(answer),
        };
        self.reasons.before.insert(battle)
    }

    fn controller_of(&self, choice: &Choice) -> Option<(Side, SideController)> {
        let side = side_of(&self.battle, choice)?;
        Some((side, *self.controllers().get(side.index())?))
    }
}

impl Session {
    /// The numbers of the answers of units that can be explained and whose results were shown,
    /// newest first.
    pub fn explicable(&self) -> impl Iterator<Item = usize> {
        let (battle, at) = (&self.game.battle, self.shown().events);
        let answers = battle.answers().iter().enumerate().rev();
        let is_shown = move |n: usize| battle.events_before(n) < at;
        let is_reviewed = self.is_reviewed();
        let fits = move |(n, choice): (usize, &Choice)| {
            let (side, controller) = self.game.controller_of(choice)?;
            let asks = is_reviewed || controller != SideController::Human && side != self.player();
            let fits = asks && is_shown(n) && !chances::is_every_chance(choice.verb);
            (fits && choice.who.is_some()).then_some(n)
        };
        answers.filter_map(fits)
    }

    /// Whether nothing is secret: a replay, a finished battle, or no human player.
    fn is_reviewed(&self) -> bool {
        let is_ai = |controller: &SideController| *controller != SideController::Human;
        self.replay().is_some()
            || self.over().is_some()
            || self.game.controllers().iter().all(is_ai)
    }

    /// The controller of the side that gave an answer.
    pub fn answered_by(&self, answer: usize) -> Option<SideController> {
        let choice = self.game.answers().get(answer)?;
        Some(self.game.controller_of(choice)?.1)
    }

    /// Why an answer was given; starts the computation if needed.
    pub fn why(&mut self, answer: usize) -> GivenReason {
        if !self.is_reviewed() && !self.is_open(answer) {
            return GivenReason::Secret;
        }
        let game = &mut self.game;
        if let Some((asked, thinking)) = &mut game.reasons.asked
            && let Some(why) = thinking.done(false)
        {
            let asked = *asked;
            game.reasons.asked = None;
            game.reasons.keep(asked, why);
        }
        if let Some(why) = game.reasons.known.get(&answer) {
            return GivenReason::Why(why.clone());
        }
        if game.reasons.asked.as_ref().is_some_and(|a| a.0 == answer) {
            return GivenReason::Soon;
        }
        let choice = game.answers()[answer].clone();
        let player = match game.controller_of(&choice) {
            Some((_, SideController::Ai(player))) => Some(player),
            _ => None,
        };
        let seed = game.seed();
        let inquiry = Inquiry::of(game.before(answer), player, &choice, seed);
        game.reasons.asked = inquiry.map(|inquiry| {
            let think = |dropped: &(dyn Fn() -> bool + Sync)| inquiry.answer(dropped);
            (answer, Thinking::of(think))
        });
        GivenReason::Soon
    }

    /// Whether the player knows everything up to the results of the answer, so that the options
    /// reveal nothing new.
    fn is_open(&self, answer: usize) -> bool {
        let player = self.player();
        let until = self.game.events_before(answer + 1);
        let mut replica = self.game.replica(Some(player));
        replica.follow(&self.game.events()[..until]) && self.queries.unknown(player).is_empty()
    }
}
