//! What members of a side are to do when the moment comes for which they have
//! declared: the target or place of their acts. The battle knows nothing of it; it
//! is the player's, and carried out for them as long as it comes off.

use super::{Match, Reads, Session, display::Display, forecast, hint};
use crate::{
    battle::{Battle, Choice, Decision, DiceBox, Event, Id, Item, Offer, Refused},
    control::{
        Easy,
        orders::{self, Plan},
        recording::Seat,
    },
    grid::Cell,
};
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

/// What the others have declared under seal, as it is supposed to be at a table
/// apart, and how the dice fall there.
#[derive(Clone, Copy, Debug)]
pub enum Others {
    /// Nothing; every die shows what it is expected to.
    Nothing,
    /// What the quick AI would; dice likewise.
    Guessed,
    /// What the quick AI would, or for every second seed one that errs; dice of this
    /// seed.
    Tried(u64),
}

impl Others {
    /// What they would answer who are asked at that table.
    fn answer(self, battle: &mut Battle) -> Choice {
        match self {
            Self::Tried(seed) if seed % 2 == 1 => Easy::answer(battle, seed),
            _ => battle.quick_answer(None),
        }
    }
}

pub use crate::control::orders::Fallback as Otherwise;

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
        self.plan.declared.iter().any(|order| order.spell.is_some())
    }

    /// It is to go somewhere, and no more.
    pub fn is_move(&self) -> bool {
        self.at().is_none() && !self.is_spell()
    }

    /// It is for somebody, or for a place.
    pub fn aims(&self) -> bool {
        self.at().is_some() || self.to().is_some()
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

/// A plan that did not come off, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub who: Id,
    pub why: String,
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
    /// What each does where a plan does not come off, in this round and later.
    otherwise: BTreeMap<Id, Otherwise>,
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

    /// What a member does where a plan does not come off.
    pub fn otherwise(&self, who: Id) -> Otherwise {
        let said = self.intents.otherwise.get(&who);
        said.copied().unwrap_or_default()
    }

    /// From now on a member does this where a plan does not come off.
    pub fn set_otherwise(&mut self, who: Id, otherwise: Otherwise) {
        self.intents.otherwise.insert(who, otherwise);
        let round = self.shown().clock.round;
        let all = self.intents.all.iter_mut();
        for (.., intent) in all.filter(|i| i.0 == round && i.2.who() == who) {
            intent.plan.fallback = otherwise;
        }
        self.intents.version += 1;
    }

    /// From now on a member is to do this in this round.
    pub fn intend(&mut self, mut intent: Intent) {
        if intent.at().is_some() {
            intent.plan.fallback = self.otherwise(intent.who());
        }
        let (round, answered) = (self.shown().clock.round, self.game.answered());
        self.intents.keep(round, answered, intent);
    }

    /// It has been begun.
    pub fn has_begun(&mut self, who: Id) {
        let round = self.shown().clock.round;
        self.intents.close(who, round);
    }

    /// A member is to be asked after all, as their plan did not come off.
    pub fn fail(&mut self, who: Id, why: String) {
        self.ask_again(who);
        self.tell_failure(who, why, self.shown().clock.round);
    }

    pub(super) fn tell_failure(&mut self, who: Id, why: String, round: u16) {
        self.intents.failures.push(Failure { who, why, round });
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

    /// What the plan of a unit that is asked comes to; none: it has no plan.
    pub fn comes_to(&mut self, who: Id) -> Option<orders::Next> {
        let plan = self.intent(who)?.plan.clone();
        let offers = self.offers_of(who);
        let rules = self.game.rules();
        Some(
            self.reads
                .ask(|world| orders::next(rules, world, &offers, &plan)),
        )
    }

    /// The side says what each will do before anything is done.
    pub fn is_declaring(&self) -> bool {
        self.is_players_turn()
            && self
                .reads
                .ask(|world| (self.reads.reader.planning.declaring)(world))
    }

    /// The player's question at a table apart, by what they know: every side's to
    /// answer.
    pub fn apart(&self, others: Others) -> Option<Self> {
        self.question()?;
        let (game, player) = (&self.game, self.player());
        let dice = match others {
            Others::Tried(seed) => DiceBox::seeded(seed),
            _ => DiceBox::middling(),
        };
        let mut guess = |battle: &mut Battle| others.answer(battle);
        let guess: Option<&mut dyn FnMut(&mut Battle) -> Choice> = match others {
            Others::Nothing => None,
            _ => Some(&mut guess),
        };
        let mut known = game.replica(Some(player));
        let (fork, eyes) = game.battle.fork_seen(&mut known, dice, guess);
        let seats = vec![Seat::Human; game.seats().len()];
        let eyes_of = (Some(player), Some(player));
        let mut display = Display::new(game.level(), game.rules(), eyes_of, seats.len());
        display.seen.fill(0);
        let mut apart = Self {
            game: Match::new(game.level(), fork, game.seed(), seats),
            reads: Reads::new(game.rules(), eyes),
            display,
            outlook: forecast::Outlook::default(),
            hints: hint::Hints::default(),
            intents: self.intents.clone(),
        };
        apart.intents.failures.clear();
        apart.look();
        Some(apart)
    }

    /// Answers whatever is asked, whoever is asked it, and shows what comes of it
    /// up to the next question. False: it is not to be answered so.
    pub fn answer_apart(&mut self, choice: &Choice) -> bool {
        self.answer_watched(choice, |_, _| ())
    }

    /// The same, looking on as each event that the player sees has happened.
    pub fn answer_watched(
        &mut self,
        choice: &Choice,
        mut watch: impl FnMut(&mut Self, &Event),
    ) -> bool {
        let is_legal = self.game.battle.answer(choice.clone()).is_ok();
        while let Some(event) = self.next_unlooked() {
            watch(self, &event);
        }
        self.catch_up();
        is_legal
    }

    /// The round is in another part than when it was looked at last.
    pub fn has_moved_on(&self) -> bool {
        let clock = self.reads.ask(self.reads.reader.clock);
        clock.moment != self.shown().clock.moment
    }

    /// What is asked, of whatever side.
    pub fn asked_apart(&self) -> Option<&Decision> {
        self.game.battle.asked()
    }

    /// What somebody who is asked may do, of whatever side.
    pub fn offers_apart(&mut self, who: Id) -> Arc<Vec<Offer>> {
        self.game.battle.offers_of(who)
    }

    /// What the quick AI would do for somebody who is asked.
    pub fn sensible(&mut self, who: Id) -> Choice {
        self.game.battle.quick_answer_of(who, None).0
    }

    /// What those would answer who are asked, of whatever side.
    pub fn others_apart(&mut self, others: Others) -> Choice {
        others.answer(&mut self.game.battle)
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
