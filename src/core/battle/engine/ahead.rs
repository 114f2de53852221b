//! Forks of a battle as one side knows it, and what the quick AI would do in it.

use super::{Battle, fresh_world};
use crate::battle::{Answer, Body, Choice, DiceBox, Id, Progress, Replica, Roster, Side, of_unit};
use bevy_ecs::world::World;

/// The most answers that are guessed when all sides declare their round again.
const MAX_GUESSED: usize = 5_000;
/// With debug assertions, an answer in a playout is checked against the offers when the number of
/// events is a multiple of this.
const CHECKED_EVERY: usize = 64;

impl Battle {
    /// Like [`fork`](Self::fork), but with only what one side knows: the state is that of
    /// `known`, the side's [`Replica`](super::Replica), and other sides' secret answers are
    /// removed. The fork asks for those again.
    pub fn fork_for(&self, side: Side, known: &World, dice: DiceBox) -> Self {
        let mut fork = self.fork_without_secrets(side, known, dice);
        fork.guess_plans(side, &mut |battle| battle.quick_answer(None));
        fork
    }

    fn fork_without_secrets(&self, side: Side, known: &World, dice: DiceBox) -> Self {
        let mut fork = self.fork_in_state(known, dice);
        let mut answer = self.world.resource::<Answer>().clone();
        answer.redact(|who| of_unit::<Body>(&self.world, who).side == side);
        fork.world.insert_resource(answer);
        fork
    }

    /// A fork with what the side of a replica knows. The replica catches up first.
    pub fn fork_known(&self, replica: &mut Replica, dice: DiceBox) -> Self {
        let side = replica.side().expect("a side looks ahead");
        self.fork_for(side, self.state_known(replica), dice)
    }

    /// A fork with what the side of a replica knows, without the secret declarations of others,
    /// which [`guess_plans`](Self::guess_plans) can add. The replica catches up first.
    pub fn fork_seen(&self, replica: &mut Replica, dice: DiceBox) -> Self {
        let side = replica.side().expect("a side looks ahead");
        self.fork_without_secrets(side, self.state_known(replica), dice)
    }

    /// A replica for a side that knows everything about a new fork without events.
    pub fn replica_of_fork(&self, side: Side) -> Replica {
        debug_assert!(self.events.is_empty(), "a fork that was just made");
        self.replica_in_state(Some(side), &self.world)
    }

    pub(super) fn replica_in_state(&self, side: Option<Side>, state: &World) -> Replica {
        let world = self.pool.take(|| fresh_world(&self.setup, self.rules));
        Replica::in_state(world, self.rules, side, state)
    }

    /// The world as the side of a replica knows it. The replica catches up first.
    fn state_known<'a>(&'a self, replica: &'a mut Replica) -> &'a World {
        match replica.follow(&self.events) {
            true => &self.world,
            false => &replica.world,
        }
    }

    /// Lets the other sides make their secret declarations again, with the answers of `guess`.
    pub fn guess_plans(&mut self, own: Side, guess: &mut dyn FnMut(&mut Self) -> Choice) {
        let others = self.world.resource::<Roster>().sides();
        let steps = others.filter(|&side| side != own);
        let steps = steps.filter_map(|side| (self.rules.redeclare)(&self.world, side));
        let steps: Vec<_> = steps.collect();
        if steps.is_empty() {
            return;
        }
        let agenda = std::mem::replace(&mut self.agenda, steps);
        let held = (agenda, self.asked.take());
        let given = self.world.resource_mut::<Answer>().take();
        self.advance();
        for _ in 0..MAX_GUESSED {
            if self.asked.is_some() {
                let choice = guess(self);
                debug_assert!(self.check(&choice).is_ok(), "what is guessed is legal");
                self.apply_answer(choice);
            }
        }
        debug_assert!(self.asked.is_none(), "it declares without end");
        (self.agenda, self.asked) = held;
        self.world.resource_mut::<Answer>().given = given;
        self.clear_history();
    }

    /// Takes the current round for one with progress (OP-07), so that its end works out no
    /// distances.
    pub fn skip_idle_count(&mut self) {
        self.world.resource_mut::<Progress>().is_moving = true;
    }

    /// The answers of a unit with their scores, by what a replica's side knows, or by everything
    /// if there is no replica. First the quick AI's choice, then the others from best to worst.
    pub fn ranked(&mut self, who: Id, mut replica: Option<&mut Replica>) -> Vec<(Choice, i32)> {
        let (first, _) = self.quick_answer_of(who, replica.as_deref_mut());
        let (rank, offers) = (self.rules.rank, self.bundled_offers_of(who));
        rank(self.known_to(replica), who, &offers, first)
    }

    /// The world as a replica's side knows it; the battle's own if there is no replica.
    fn known_to<'a>(&'a mut self, replica: Option<&'a mut Replica>) -> &'a mut World {
        match replica {
            Some(replica) => self.known(replica),
            None => &mut self.world,
        }
    }

    /// The share of each side's strength that is left, by side: 1 if it is unhurt.
    pub fn strength(&mut self) -> Vec<f32> {
        (self.rules.strength)(&mut self.world, 0)
    }

    /// The quick AI's answer to the open decision, by what a replica's side knows, or by
    /// everything if there is no replica.
    ///
    /// # Panics
    /// If no decision is open.
    pub fn quick_answer(&mut self, replica: Option<&mut Replica>) -> Choice {
        let question = self.asked.as_ref().expect("a question is open");
        let Some(&who) = question.actors.first() else {
            return question.common[0].clone();
        };
        self.quick_answer_of(who, replica).0
    }

    /// The quick AI's answer for one unit, with its score.
    pub fn quick_answer_of(&mut self, who: Id, mut replica: Option<&mut Replica>) -> (Choice, i32) {
        let policy = self.rules.policy;
        if let Some((few, unless)) = self.few_offers_of(who) {
            let found = policy(self.known_to(replica.as_deref_mut()), who, &few);
            if unless != Some(found.0.verb) {
                return found;
            }
        }
        let offers = self.bundled_offers_of(who);
        policy(self.known_to(replica), who, &offers)
    }

    /// What each of these units has to gain by its best attack, roughly. `None` for units that do
    /// more than attack.
    pub fn best_attack_values(
        &mut self,
        actors: &[Id],
        replica: Option<&mut Replica>,
    ) -> Vec<Option<i32>> {
        let best_attack_values = self.rules.best_attack_values;
        best_attack_values(self.known_to(replica), actors)
    }

    /// Answers the open decision, if there is one, with the choice of a quick AI that knows
    /// everything.
    pub fn answer_quickly(&mut self) {
        if self.asked.is_none() {
            return;
        }
        let choice = self.quick_answer(None);
        debug_assert!(
            !self.events.len().is_multiple_of(CHECKED_EVERY) || self.check(&choice).is_ok(),
            "the AI answers what is legal"
        );
        self.apply_answer(choice);
    }
}
