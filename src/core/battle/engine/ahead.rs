//! Looking ahead: a battle as one side knows it, what the quick AI would do in
//! it, and how it stands.

use super::{Battle, copy_state};
use crate::battle::{Answer, Body, Choice, DiceBox, Id, Replica, Roster, Side};
use bevy_ecs::world::World;

/// Answers that all sides need at most to declare a round anew.
const MOST_GUESSED: usize = 5_000;
/// With debug assertions an answer of a playout is checked against the offers where the
/// number of events so far is a multiple of this.
const CHECKED_EVERY: usize = 64;

impl Battle {
    /// A forecast by what one side knows: as [`fork`](Self::fork), with the state
    /// as in `known`, that side's [`Replica`](super::Replica), and without what
    /// others have said under seal. Those are asked again in the fork.
    pub fn fork_for(&self, side: Side, known: &World, dice: DiceBox) -> Self {
        self.fork_quickly(self.blank(), side, known, dice)
    }

    fn fork_quickly(&self, fork: Self, side: Side, known: &World, dice: DiceBox) -> Self {
        let mut guess = |battle: &mut Self| battle.quick_answer(None);
        self.fork_guessed(fork, side, known, dice, &mut guess)
    }

    fn fork_guessed(
        &self,
        fork: Self,
        side: Side,
        known: &World,
        dice: DiceBox,
        guess: &mut dyn FnMut(&mut Self) -> Choice,
    ) -> Self {
        let mut fork = self.fork_open(fork, side, known, dice);
        fork.guess_plans(side, guess);
        fork
    }

    /// The same, where the others have declared nothing but what may be seen.
    fn fork_open(&self, mut fork: Self, side: Side, known: &World, dice: DiceBox) -> Self {
        self.fork_into(&mut fork, dice);
        copy_state(self.rules, known, &mut fork.world);
        let mut answer = self.world.resource::<Answer>().clone();
        let all = &self.world.resource::<Roster>().who;
        let side_of = |who: Id| self.world.get::<Body>(all[who.index()]).map(|b| b.side);
        answer.redact(|who| side_of(who) == Some(side));
        fork.world.insert_resource(answer);
        fork
    }

    /// The same for the side of a replica, caught up here.
    pub fn fork_known(&self, replica: &mut Replica, dice: DiceBox) -> Self {
        self.fork_known_into(self.blank(), replica, dice)
    }

    /// The same, into a battle of the same set-up that is no longer needed.
    pub fn fork_known_into(&self, used: Self, replica: &mut Replica, dice: DiceBox) -> Self {
        let side = replica.side().expect("a side looks ahead");
        self.fork_quickly(used, side, self.state_known(replica), dice)
    }

    /// A fork by what a side knows, with what it sees of the fork from here on. No replica:
    /// it knows all that happened. What others have declared in secret is guessed, or left
    /// out.
    pub fn fork_seen(
        &self,
        (side, replica): (Side, Option<&mut Replica>),
        dice: DiceBox,
        guess: Option<&mut dyn FnMut(&mut Self) -> Choice>,
    ) -> (Self, Replica) {
        let known = match replica {
            Some(replica) => self.state_known(replica),
            None => &self.world,
        };
        let fork = match guess {
            Some(guess) => self.fork_guessed(self.blank(), side, known, dice, guess),
            None => self.fork_open(self.blank(), side, known, dice),
        };
        let mut eyes = Replica::new(&self.setup, self.rules, Some(side));
        copy_state(self.rules, known, &mut eyes.world);
        (fork, eyes)
    }

    /// The eyes of a side that knows all of a fork of which nothing has been told yet.
    pub fn eyes_of_fork(&self, side: Side) -> Replica {
        debug_assert!(self.events.is_empty(), "a fork that was just made");
        let mut eyes = Replica::new(&self.setup, self.rules, Some(side));
        copy_state(self.rules, &self.world, &mut eyes.world);
        eyes
    }

    /// The state as the side of a replica knows it, caught up here.
    fn state_known<'a>(&'a self, replica: &'a mut Replica) -> &'a World {
        match replica.follow(&self.events) {
            true => &self.world,
            false => &replica.world,
        }
    }

    /// What the other sides have declared under seal is declared anew, as it is
    /// guessed.
    fn guess_plans(&mut self, own: Side, guess: &mut dyn FnMut(&mut Self) -> Choice) {
        let others = self.world.resource::<Roster>().sides();
        let steps = others.filter(|&side| side != own);
        let steps = steps.filter_map(|side| (self.rules.redeclare)(&self.world, side));
        let steps: Vec<_> = steps.collect();
        if steps.is_empty() {
            return;
        }
        let held = (
            std::mem::replace(&mut self.agenda, steps),
            self.asked.take(),
        );
        let given = self.world.resource_mut::<Answer>().take();
        self.advance();
        for _ in 0..MOST_GUESSED {
            if self.asked.is_some() {
                let choice = guess(self);
                debug_assert!(self.check(&choice).is_ok(), "what is guessed is legal");
                self.obey(choice);
            }
        }
        debug_assert!(self.asked.is_none(), "it declares without end");
        (self.agenda, self.asked) = held;
        self.listed.clear();
        self.world.resource_mut::<Answer>().given = given;
        self.events.clear();
        self.answers.clear();
        self.marks.clear();
    }

    /// What somebody who is asked could answer, each with its score, by what
    /// somebody knows or else by all of this battle: what the quick AI would
    /// choose first, then from the best down.
    pub fn ranked(&mut self, who: Id, replica: Option<&mut Replica>) -> Vec<(Choice, i32)> {
        let (rank, offers) = (self.rules.rank, self.bundled_offers_of(who));
        rank(self.known_to(replica), who, &offers)
    }

    /// What somebody knows; all of this battle, if that is nobody.
    fn known_to<'a>(&'a mut self, replica: Option<&'a mut Replica>) -> &'a mut World {
        match replica {
            Some(replica) => self.known(replica),
            None => &mut self.world,
        }
    }

    /// What is left of each side, by side: 1 of one that is whole.
    pub fn strength(&mut self) -> Vec<f32> {
        (self.rules.strength)(&mut self.world, 0)
    }

    /// What the quick AI answers to the open question, by what somebody knows;
    /// by all of this battle, if that is nobody.
    ///
    /// # Panics
    /// When nobody is asked anything.
    pub fn quick_answer(&mut self, replica: Option<&mut Replica>) -> Choice {
        let question = self.asked.as_ref().expect("a question is open");
        let Some(&who) = question.actors.first() else {
            return question.common[0].clone();
        };
        self.quick_answer_of(who, replica).0
    }

    /// The same of one who is asked, and its score.
    pub fn quick_answer_of(&mut self, who: Id, replica: Option<&mut Replica>) -> (Choice, i32) {
        let (policy, offers) = (self.rules.policy, self.bundled_offers_of(who));
        policy(self.known_to(replica), who, &offers)
    }

    /// Answers as the quick AI does that knows all of this battle, if a
    /// question stands.
    pub fn answer_quickly(&mut self) {
        if self.asked.is_none() {
            return;
        }
        let choice = self.quick_answer(None);
        debug_assert!(
            !self.events.len().is_multiple_of(CHECKED_EVERY) || self.check(&choice).is_ok(),
            "the AI answers what is legal"
        );
        self.obey(choice);
    }
}
