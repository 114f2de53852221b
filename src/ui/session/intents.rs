//! What units are to do when the moment comes for which they have declared: the plans of
//! the sides that people play, carried out as long as they can be.

use super::{Parked, Session};
use crate::{
    battle::{Choice, Decision, Id, Item, Refused},
    control::{
        orders::{self, Fallback, Plan, Reason, Step},
        simulation::{Draft, Intentions, Situation, Supposed, Supposition},
    },
    grid::Cell,
};
use bevy::ecs::world::World;
use std::{collections::BTreeMap, sync::Arc};

/// What a unit is to do with what it has declared, and what the player was shown of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Intent {
    /// Its order, and how far it has come.
    pub plan: Plan,
    /// The weapon that the player likes best for it.
    pub prefers: Option<Item>,
    /// What was shown of its chances: "55% to hit, 10% to drop".
    pub odds: String,
    /// The enemies who may attack on its way, as it was shown, a bit each. None: that was
    /// not looked at.
    pub braves: Option<u64>,
    /// The letter of the action that is aimed so; none for an attack or a move.
    pub key: Option<char>,
    /// "Strike goblin 2 with short sword".
    pub label: String,
}

impl Intent {
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            prefers: None,
            odds: String::new(),
            braves: None,
            key: None,
            label: String::new(),
        }
    }

    pub fn who(&self) -> Id {
        self.plan.who
    }

    /// Its target.
    pub fn at(&self) -> Option<Id> {
        self.plan.order.target()
    }

    /// Where the unit goes, or where it is aimed.
    pub fn to(&self) -> Option<Cell> {
        self.plan.order.cell()
    }

    /// It is to cast a spell.
    pub fn is_spell(&self) -> bool {
        self.plan.is_spell()
    }

    /// It is to go somewhere, and no more.
    pub fn is_move(&self) -> bool {
        self.plan.is_move()
    }

    /// It is for a unit, or for a cell.
    pub fn aims(&self) -> bool {
        self.plan.aims()
    }
}

/// The last declarations of a side, which wait for the player's word: with them the
/// round begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Held {
    pub who: Id,
    pub orders: Vec<Choice>,
    /// What they are for, where that is known.
    pub intent: Option<Intent>,
    /// "Strike goblin 2 with short sword".
    pub label: String,
}

/// A plan that failed, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub who: Id,
    pub reason: Reason,
    pub round: u16,
}

/// The intents of this round, of all sides that humans play.
#[derive(Clone, Debug, Default)]
pub struct Intents {
    /// Each with the round it is for and how many answers there were before it.
    pub(super) all: Vec<(u16, usize, Intent)>,
    /// What was declared without one, by the act bar, likewise.
    pub(super) said: Vec<(u16, usize, Choice)>,
    failures: Vec<Failure>,
    /// The round in which all who are still to declare do the same again.
    again: Option<u16>,
    /// With how many answers before it.
    held: Option<(usize, Held)>,
    /// What each unit does if its plan fails, in this round and later.
    fallbacks: BTreeMap<Id, Fallback>,
    /// What enemies are supposed to do in a round.
    pub(super) supposed: (u16, Arc<Supposed>),
    /// The order in which units act that are asked at once, as far as the player chose it.
    pub(super) sequence: Vec<Id>,
    /// Declarations that are to be given again.
    pub(super) parked: Vec<Parked>,
    /// Another number whenever something of it has changed.
    pub(super) version: u32,
}

impl Intents {
    /// What somebody is to do in a round.
    pub fn of(&self, who: Id, round: u16) -> Option<&Intent> {
        let mut all = self.all.iter().rev();
        all.find(|i| i.2.who() == who && i.0 == round).map(|i| &i.2)
    }

    /// What somebody was to do when they last had a plan before a round.
    pub fn before(&self, who: Id, round: u16) -> Option<&Intent> {
        let mut all = self.all.iter().rev();
        all.find(|i| i.2.who() == who && i.0 < round).map(|i| &i.2)
    }

    /// What somebody declared when they last declared anything before a round, if
    /// they had no plan then.
    pub fn said_before(&self, who: Id, round: u16) -> Option<Vec<Choice>> {
        let own = self
            .said
            .iter()
            .filter(|s| s.2.who == Some(who) && s.0 < round);
        let last = own.clone().map(|s| s.0).max()?;
        let planned = self.all.iter().filter(|i| i.2.who() == who && i.0 < round);
        let is_last = planned.map(|i| i.0).max().is_none_or(|plan| plan < last);
        is_last.then(|| own.filter(|s| s.0 == last).map(|s| s.2.clone()).collect())
    }

    /// What has been declared in a round without a plan, in order.
    pub fn said_in(&self, round: u16) -> impl Iterator<Item = &Choice> {
        self.said.iter().filter(move |s| s.0 == round).map(|s| &s.2)
    }

    /// Somebody declares this.
    pub(super) fn say(&mut self, round: u16, answered: usize, order: &Choice) {
        self.said.push((round, answered, order.clone()));
    }

    /// Everything that is to be done in a round.
    pub fn in_round(&self, round: u16) -> impl Iterator<Item = &Intent> {
        self.all.iter().filter(move |i| i.0 == round).map(|i| &i.2)
    }

    /// The plans that were found not to come off in a round.
    pub fn failures(&self, round: u16) -> impl Iterator<Item = &Failure> {
        self.failures.iter().filter(move |f| f.round == round)
    }

    /// All plans that did not come off and have not been made good, in order; at a
    /// table apart those that came to nothing there.
    pub fn all_failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Whose plan did not come off does something else.
    pub(super) fn make_good(&mut self, who: Id) {
        let count = self.failures.len();
        self.failures.retain(|f| f.who != who);
        self.version += u32::from(self.failures.len() < count);
    }

    fn keep(&mut self, round: u16, answered: usize, intent: Intent) {
        self.all
            .retain(|i| i.2.who() != intent.who() || i.0 != round);
        self.said
            .retain(|s| s.2.who != Some(intent.who()) || s.0 != round);
        self.all.push((round, answered, intent));
        self.version += 1;
    }

    /// What was meant after the first answers is forgotten.
    pub(super) fn rewind(&mut self, answers: usize) {
        (self.again, self.held) = (None, None);
        // A plan is kept once its declarations are given.
        self.all.retain(|i| i.1 <= answers);
        self.said.retain(|s| s.1 < answers);
        self.failures.clear();
        self.parked.clear();
        self.version += 1;
    }

    /// It has been begun, or is not to be any more.
    pub(super) fn close(&mut self, who: Id, round: u16) {
        let mut all = self.all.iter_mut();
        if let Some(found) = all.find(|i| i.2.who() == who && i.0 == round) {
            found.2.plan.is_begun = true;
        }
    }

    fn drop(&mut self, who: Id, round: u16) {
        self.all.retain(|i| i.2.who() != who || i.0 != round);
        self.version += 1;
    }
}

impl Session {
    pub fn intents(&self) -> &Intents {
        &self.intents
    }

    /// What a member is to do in this round.
    pub fn intent(&self, who: Id) -> Option<&Intent> {
        self.intents.of(who, self.shown().clock.round)
    }

    /// What a unit does if its plan fails.
    pub fn fallback(&self, who: Id) -> Fallback {
        let chosen = self.intents.fallbacks.get(&who);
        chosen.copied().unwrap_or_default()
    }

    /// From now on a unit does this if its plan fails.
    pub fn set_fallback(&mut self, who: Id, fallback: Fallback) {
        self.intents.fallbacks.insert(who, fallback);
        let round = self.shown().clock.round;
        let all = self.intents.all.iter_mut();
        for (.., intent) in all.filter(|i| i.0 == round && i.2.who() == who) {
            intent.plan.fallback = fallback;
        }
        self.intents.version += 1;
    }

    /// What enemies are supposed to do in this round.
    pub fn supposed(&self) -> Arc<Supposed> {
        let (round, supposed) = &self.intents.supposed;
        match *round == self.shown().clock.round {
            true => supposed.clone(),
            false => Arc::default(),
        }
    }

    /// Supposes that an enemy does something in this round; none leaves it to AIs.
    pub fn suppose(&mut self, enemy: Id, supposition: Option<Supposition>) {
        let mut supposed = Supposed::clone(&self.supposed());
        match supposition {
            Some(supposition) => supposed.insert(enemy, supposition),
            None => supposed.remove(&enemy),
        };
        self.intents.supposed = (self.shown().clock.round, Arc::new(supposed));
        self.intents.version += 1;
    }

    /// The open question of the player, with what is planned and this draft, to be
    /// simulated.
    pub fn situation(&self, draft: Option<Draft>) -> Option<Situation> {
        self.question()?;
        let round = self.shown().clock.round;
        let plans = self.intents.in_round(round);
        let declared = self.intents.said.iter();
        let intentions = Intentions {
            plans: plans.map(|i| (i.who(), i.plan.clone())).collect(),
            declared: declared
                .filter(|said| said.0 + 1 >= round)
                .map(|said| (said.0, said.2.clone()))
                .collect(),
            supposed: self.supposed(),
            sequence: self.intents.sequence.clone(),
        };
        Situation::new(&self.game.battle, self.player(), intentions, draft)
    }

    /// From now on a member is to do this in this round.
    pub fn intend(&mut self, mut intent: Intent) {
        if intent.at().is_some() {
            intent.plan.fallback = self.fallback(intent.who());
        }
        let (round, answered) = (self.shown().clock.round, self.game.answered());
        self.intents.keep(round, answered, intent);
    }

    /// It has been begun.
    pub fn has_begun(&mut self, who: Id) {
        let round = self.shown().clock.round;
        self.intents.close(who, round);
    }

    /// Gives up the plan of a unit: it is asked.
    pub fn fail(&mut self, who: Id, reason: Reason) {
        self.ask_again(who);
        self.note_failure(who, reason, self.shown().clock.round);
    }

    pub(super) fn note_failure(&mut self, who: Id, reason: Reason, round: u16) {
        let failure = Failure { who, reason, round };
        self.intents.failures.push(failure);
        self.intents.version += 1;
    }

    /// A member is to be asked after all.
    pub fn ask_again(&mut self, who: Id) {
        let round = self.shown().clock.round;
        self.intents.drop(who, round);
    }

    /// How a unit that is asked lets the rest of the moment pass.
    pub fn let_go(&mut self, who: Id) -> Option<Choice> {
        let offers = self.offers_of(who);
        orders::passes(self.game.rules(), &offers)
    }

    /// What the units that are asked do next by their plans.
    pub fn carried_out(&mut self, asked: &Decision) -> Step {
        let (rules, round) = (self.game.rules(), self.shown().clock.round);
        let sequence = self.sequence();
        let plan_of = |who: Id| self.intents.of(who, round).map(|intent| &intent.plan);
        let offers_of = |who: Id| self.game.offers_of(who);
        let look = |world: &mut World| {
            orders::carried_out((rules, world), asked, &sequence, offers_of, plan_of)
        };
        self.reads.ask(look)
    }

    /// The side says what each will do before anything is done.
    pub fn is_declaring(&self) -> bool {
        self.is_players_turn()
            && self
                .reads
                .ask(|world| (self.reads.rules.planning.declaring)(world))
    }

    /// The last declarations of the side, if they wait for the player's word.
    pub fn held(&self) -> Option<&Held> {
        let held = self.intents.held.as_ref();
        let now = self.game.answered();
        held.filter(|(answered, _)| *answered == now && self.is_declaring())
            .map(|(_, held)| held)
    }

    /// The last declarations of the side wait for the player's word; none any more.
    pub fn hold(&mut self, held: Option<Held>) {
        let now = self.game.answered();
        self.intents.held = held.map(|held| (now, held));
        self.intents.version += 1;
    }

    /// Gives the declarations that were held: the round begins.
    pub fn begin_round(&mut self) -> Result<(), Refused> {
        let Some(held) = self.held().cloned() else {
            return Ok(());
        };
        self.give(&held.orders)?;
        self.hold(None);
        held.intent
            .into_iter()
            .for_each(|intent| self.intend(intent));
        Ok(())
    }

    /// Whoever of the side is still to declare in this round does the same again.
    pub fn go_on_again(&mut self) {
        self.intents.again = Some(self.shown().clock.round);
    }

    /// Whether the one who is asked now declares the same again for that; asked once.
    pub fn goes_on_again(&mut self) -> bool {
        let round = self.shown().clock.round;
        self.intents.again.take() == Some(round) && self.is_declaring()
    }
}
