//! [`PlayedBattle`]: the battle on screen with its controllers, undo state and recording.

use super::{
    players::now,
    thinking::{Thinking, ThinkingTime, has_many_cores},
    why::Reasons,
};
use crate::{
    battle::{
        Battle, Body, Choice, Event, EventKind, Id, Item, Offer, Roster, Setup, Side, SpellId,
        level_setup, of_unit,
    },
    content::{Creature, Spell, Weapon},
    control::{
        Controller,
        recording::{Recorder, Recording, SideController},
        review::{self, Estimate, Reviewer},
        statistics::{UnitStatistics, statistics},
        strategist::Thought,
        why::Explanation,
    },
    levels::Level,
};
use bevy::{platform::cell::SyncCell, prelude::Deref};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

/// A controller that answers by itself.
type Ai = SyncCell<Box<dyn Controller>>;

/// Playouts for each order that the review compares closely.
const PLAYOUTS: u32 = 120;

/// The battle on screen, its controllers, and what undo and saves need. `Battle` alone knows
/// nothing of controllers. It can be read like a `Battle`, with secrets of all sides.
#[derive(Deref)]
pub struct PlayedBattle {
    level: Arc<Level>,
    seed: u64,
    pub(super) id: String,
    pub(super) setup: Setup,
    #[deref]
    pub(super) battle: Battle,
    controllers: Vec<SideController>,
    /// The AI of each side; `None` for humans.
    ais: Vec<Option<Ai>>,
    recorder: Mutex<Recorder>,
    /// Number of restarted turns.
    pub restarts: u8,
    /// Index of the lesson's step that the player has reached, for saves.
    pub lesson_step: usize,
    /// Number of answers before each player action that can still be undone.
    pub(super) undo_points: Vec<usize>,
    /// Choices without results so far, each with the number of answers and events before it; see
    /// [`chosen`](Self::chosen).
    pub(super) chosen: Vec<(usize, usize, Choice)>,
    /// Answers still to give for the player's last action.
    pub(super) queue: VecDeque<Choice>,
    thinking: Option<Thinking<(Thought, Duration)>>,
    /// How long the AI has thought since another side decided; limits its next decision.
    pub(super) thinking_time: ThinkingTime,
    /// Explanations of answers, as far as they were requested.
    pub(super) reasons: Reasons,
    /// The offers that were last asked for, and those of them that are not rare.
    usual_offers: Option<[Arc<Vec<Offer>>; 2]>,
}

impl PlayedBattle {
    pub(super) fn new(
        level: &Arc<Level>,
        battle: Battle,
        seed: u64,
        controllers: Vec<SideController>,
    ) -> Self {
        let mut game = Self {
            level: level.clone(),
            seed,
            id: fresh_id(),
            setup: level_setup(level),
            battle,
            controllers,
            ais: vec![],
            recorder: Mutex::default(),
            restarts: 0,
            lesson_step: 0,
            undo_points: vec![],
            chosen: vec![],
            queue: VecDeque::new(),
            thinking: None,
            thinking_time: ThinkingTime::default(),
            reasons: Reasons::default(),
            usual_offers: None,
        };
        game.create_ais();
        game
    }

    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A unique id of the battle, which all its saves carry.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Gives the battle a new id, because another running game plays the battle with the old one.
    pub fn renew_id(&mut self) {
        self.id = fresh_id();
    }

    pub fn spell(&self, spell: SpellId) -> &Spell {
        self.world().resource::<Roster>().stock.spell(spell)
    }

    pub fn creature(&self, id: Id) -> &Creature {
        &self.level().combatants[id.index()].creature
    }

    pub fn weapon(&self, item: Item) -> &Weapon {
        self.world().resource::<Roster>().stock.weapon(item)
    }

    /// Whether the battle is over, whether or not the end was shown.
    pub fn is_over(&self) -> bool {
        self.over().is_some()
    }

    /// Number of events, shown or not.
    pub fn length(&self) -> usize {
        self.events().len()
    }

    /// Number of answers so far, from all sides.
    pub fn answered(&self) -> usize {
        self.answers().len()
    }

    /// Number of answers given before an event or at it.
    pub(super) fn answers_until(&self, event: usize) -> usize {
        let is_later = |n: &usize| self.events_before(*n) > event;
        let later = (0..self.answered()).rev().take_while(is_later);
        self.answered() - later.count()
    }

    /// The event that began the round, or 0.
    pub(super) fn round_start(&self) -> usize {
        let begins = |e: &Event| matches!(e.what, EventKind::RoundBegan { .. });
        self.events().iter().rposition(begins).unwrap_or(0)
    }

    /// All reactions so far, from all sides.
    pub fn reactions(&self) -> Vec<Choice> {
        let all = self.answers().iter().enumerate();
        let reactions = all.filter(|(n, _)| self.was_reaction(*n));
        reactions.map(|(_, choice)| choice.clone()).collect()
    }

    /// Who controls each side, by side number.
    pub fn controllers(&self) -> &[SideController] {
        &self.controllers
    }

    pub fn is_human(&self, side: Side) -> bool {
        self.controllers.get(side.index()) == Some(&SideController::Human)
    }

    pub fn humans(&self) -> usize {
        let all = self.controllers.iter();
        all.filter(|s| **s == SideController::Human).count()
    }

    /// Statistics so far, by unit number.
    pub fn statistics(&self) -> Vec<UnitStatistics> {
        statistics(&self.battle)
    }

    /// Rates every order on a background thread, those of `side` first. Calls `on_progress` with the
    /// results so far after each part. The result is false if the rating was dropped early, or if
    /// the ruleset has no fitted win probability.
    pub fn review_orders(
        &self,
        side: Side,
        on_progress: impl Fn(review::Review) + Send + 'static,
    ) -> Thinking<bool> {
        let battle = self.battle.at(self.answered());
        let seed = playout_seed(self.seed);
        Thinking::of(move |dropped| {
            let reviewer = Reviewer::of(&battle, None, PLAYOUTS, seed, dropped);
            let Some(reviewer) = reviewer else {
                return false;
            };
            let mut reviewer = reviewer.beginning_with(side);
            reviewer.run_playouts(has_many_cores(), dropped, &mut |now| {
                on_progress(now.review())
            })
        })
    }

    /// Compares an order with a better one after `answers` answers, on a background thread.
    pub fn cost_of(
        &self,
        answers: usize,
        given: Choice,
        better: Choice,
    ) -> Thinking<Option<Estimate>> {
        let battle = self.battle.at(answers);
        let seed = playout_seed(self.seed) ^ 1;
        Thinking::of(move |dropped| {
            review::cost_of(&battle, (&given, &better), PLAYOUTS, seed, dropped)
        })
    }

    /// What a unit has chosen while others still choose; `None` if nothing is pending.
    pub fn chosen(&self, who: Id) -> Option<&Choice> {
        let (answers, events) = (self.answered(), self.length());
        let is_pending = |c: &&(usize, usize, Choice)| c.0 < answers && c.1 == events;
        let mut all = self.chosen.iter().rev().filter(is_pending).map(|c| &c.2);
        all.find(|choice| choice.who == Some(who))
    }

    /// The offers of a unit, without rare ones unless the player wants them.
    pub(super) fn offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        let all = self.battle.offers_of(who);
        self.without_rare(who, all)
    }

    /// These offers of a unit, without rare ones unless the player wants them.
    pub(super) fn without_rare(&mut self, who: Id, all: Arc<Vec<Offer>>) -> Arc<Vec<Offer>> {
        if self.is_prompted_at_chances(who) || !all.iter().any(|o| o.rare) {
            return all;
        }
        // A hover asks for the list of each cell again.
        if let Some([of, shown]) = &self.usual_offers
            && Arc::ptr_eq(of, &all)
        {
            return shown.clone();
        }
        let shown = all.iter().filter(|o| !o.rare).cloned();
        let shown: Arc<Vec<Offer>> = Arc::new(shown.collect());
        self.usual_offers = Some([all, shown.clone()]);
        shown
    }

    pub(super) fn record(&self) -> Recording {
        let mut recorder = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        recorder.record(&self.battle, &self.level, self.seed)
    }

    /// Creates new AIs. Needed after an undo, because the old ones have seen what was undone.
    fn create_ais(&mut self) {
        let ai = |(n, controller): (usize, &SideController)| match controller {
            SideController::Human => None,
            SideController::Ai(player) => {
                let ai = player.controller(&self.setup, self.rules(), n, self.seed);
                Some(SyncCell::new(ai))
            }
        };
        self.ais = self.controllers.iter().enumerate().map(ai).collect();
    }

    /// Gives the queued answers in the player's turn. Clears the queue if an answer fails, rolls
    /// dice or reveals a secret, because the player then decides with new knowledge.
    pub(super) fn answer_queue(&mut self) {
        while let Some(asked) = self.asked()
            && asked.is_turn()
            && self.is_human(asked.side)
            && let Some(choice) = self.queue.pop_front()
        {
            if self.battle.answer(choice).is_err() || !self.can_undo() {
                self.undo_points.clear();
                self.queue.clear();
            }
        }
    }

    /// Whether the queue should stop: events from index `from` on damaged the unit whose answer is
    /// next, or nothing is queued. A provoked attack that misses does not stop it.
    fn hurts_the_next(&self, from: usize) -> bool {
        let next = self.queue.front().and_then(|choice| choice.who);
        let hurts =
            |e: &Event| matches!(&e.what, EventKind::Damaged { who, .. } if Some(*who) == next);
        next.is_none() || self.events()[from..].iter().any(hurts)
    }

    /// Goes back to the state after the first `answers` answers.
    pub(super) fn rewind(&mut self, answers: usize) {
        self.battle = self.battle.at(answers);
        self.queue.clear();
        (self.thinking, self.thinking_time) = (None, ThinkingTime::default());
        self.reasons.forget(answers);
        self.recorder = Mutex::default();
        self.create_ais();
    }

    /// Lets an AI that takes its time start thinking about its decision.
    pub(super) fn ponder(&mut self) {
        if self.thinking.is_some() {
            return;
        }
        let asked = self.asked().map(|q| (q.side, q.actors.len()));
        let Some((side, actors)) = asked else { return };
        let time = self.thinking_time.allows(side, actors);
        let ai = self.ais[side.index()].as_mut();
        if let Some(strategist) = ai.and_then(|ai| ai.get().looks_ahead()) {
            let problem = strategist.ponder(&mut self.battle);
            self.thinking = Some(Thinking::of(move |dropped| {
                let began = Instant::now();
                let thought =
                    problem.think(has_many_cores(), &|| dropped() || began.elapsed() >= time);
                (thought, began.elapsed())
            }));
        }
    }

    /// Repeats the AIs' decisions of this round, so that they continue as they began: an AI sets
    /// the order of its units once, at the start of its turn. Strategists decide each time anew and
    /// remember nothing.
    pub(super) fn replay_ai_decisions(&mut self) {
        let first = self.answers_until(self.round_start());
        let answers = self.answers().to_vec();
        let mut battle = self.battle.at(first);
        for choice in &answers[first..] {
            let side = battle.asked().map(|asked| asked.side);
            let ai = side.and_then(|side| self.ais[side.index()].as_mut());
            if let Some(ai) = ai.map(SyncCell::get)
                && ai.looks_ahead().is_none()
            {
                ai.choose(&mut battle);
            }
            if battle.answer(choice.clone()).is_err() {
                return;
            }
        }
    }

    /// Lets the AI answer; unless `waits`, only if it is done thinking.
    pub(super) fn think(&mut self, waits: bool) {
        self.ponder();
        let Some(side) = self.asked().map(|q| q.side) else {
            return;
        };
        let Some(ai) = &mut self.ais[side.index()] else {
            return;
        };
        let thought = self.thinking.as_mut().map(|thinking| thinking.done(waits));
        if matches!(thought, Some(None)) {
            return;
        }
        if !waits && !ai.get().is_ready(&mut self.battle) {
            return;
        }
        self.thinking = None;
        let (thought, time) = thought.flatten().unzip();
        self.thinking_time.decided(side, time.unwrap_or_default());
        let (rolled, events) = (self.battle.dice().rolled(), self.battle.events().len());
        let choice = match (ai.get().looks_ahead(), thought) {
            (Some(strategist), Some(thought)) => {
                let choice = strategist.conclude(&mut self.battle, thought);
                if let Some(thought) = strategist.thought() {
                    let answer = self.battle.answers().len();
                    let at = |id| of_unit::<Body>(self.battle.world(), id).at;
                    let why = Explanation::of_thought(thought, &choice).placed(at);
                    self.reasons.keep(answer, why);
                }
                choice
            }
            _ => ai.get().choose(&mut self.battle),
        };
        if let Err(why) = self.battle.answer(choice) {
            panic!("the AI of {side} chose what is not legal: {why}");
        }
        if self.over().is_some() {
            for ai in self.ais.iter_mut().flatten() {
                ai.get().ended(&self.battle);
            }
        }
        self.undo_points.clear();
        if self.battle.dice().rolled() != rolled && self.hurts_the_next(events) {
            self.queue.clear();
        }
        self.answer_queue();
    }
}

/// The dice seed of all playouts from this battle. It is equal at every state, so that states are
/// compared with equal luck, and differs from the battle's own seed.
pub(super) fn playout_seed(seed: u64) -> u64 {
    !seed
}

/// A unique id for a battle or its file, across all running games.
pub fn fresh_id() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{count}", now(), std::process::id())
}
