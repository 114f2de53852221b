//! The battle and its table: who plays which side, what the player may take
//! back, what is written down.

use super::{
    chances::Quiet,
    seats::now,
    thinking::{Patience, Thinking},
    why::Reasons,
};
use crate::{
    battle::{
        Battle, Choice, Event, EventKind, Id, Item, Names, Replica, Roster, Ruleset, Setup, Side,
        SpellId, level_setup,
    },
    content::{Creature, Spell, Weapon},
    control::{
        Controller,
        course::{self, Course, Point, course},
        recording::{Recorder, Recording, Seat},
        review::{self, Estimate, Reviewer},
        statistics::{Deeds, statistics},
        strategist::Thought,
        why::Why,
    },
    levels::Level,
};
use bevy::{ecs::world::World, platform::cell::SyncCell};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

/// One who answers by itself.
type Ai = SyncCell<Box<dyn Controller>>;

/// Playouts for each order that the review compares closely.
const PLAYOUTS: u32 = 120;

/// A battle and its players.
pub struct Match {
    level: Arc<Level>,
    rules: &'static Ruleset,
    seed: u64,
    /// Names the battle in its saves.
    pub(super) id: String,
    pub(super) setup: Setup,
    pub(super) battle: Battle,
    /// By side.
    seats: Vec<Seat>,
    /// The AIs among them, likewise.
    ais: Vec<Option<Ai>>,
    /// What has been written down of the battle.
    recorder: Mutex<Recorder>,
    /// How often a turn has been started over.
    pub(super) restarts: u8,
    /// How many answers had been given before each thing that the player did
    /// and may still take back.
    pub(super) clicks: Vec<usize>,
    /// Choices that nothing has come of yet, each with how many answers and
    /// events there were before it.
    pub(super) chosen: Vec<(usize, usize, Choice)>,
    /// What is still to be answered of the last thing that the player did.
    pub(super) queue: VecDeque<Choice>,
    /// The offers that were shown last.
    pub(super) quiet: Quiet,
    /// What an AI thinks about meanwhile.
    thinking: Option<Thinking<(Thought, Duration)>>,
    patience: Patience,
    /// Why answers were given, as far as somebody asks.
    pub(super) reasons: Reasons,
}

impl Match {
    pub(super) fn new(level: &Arc<Level>, battle: Battle, seed: u64, seats: Vec<Seat>) -> Self {
        let mut game = Self {
            level: level.clone(),
            rules: battle.rules(),
            seed,
            id: fresh_id(),
            setup: level_setup(level),
            battle,
            seats,
            ais: vec![],
            recorder: Mutex::default(),
            restarts: 0,
            clicks: vec![],
            chosen: vec![],
            queue: VecDeque::new(),
            quiet: None,
            thinking: None,
            patience: Patience::default(),
            reasons: Reasons::default(),
        };
        game.seat();
        game
    }

    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    pub fn rules(&self) -> &'static Ruleset {
        self.rules
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Names the battle: all its saves bear it, and those of no other battle.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Makes it a battle of its own: another running game plays the one that it
    /// was.
    pub fn part(&mut self) {
        self.id = fresh_id();
    }

    pub fn names(&self) -> &Arc<Names> {
        self.battle.names()
    }

    pub fn spell(&self, spell: SpellId) -> &Spell {
        self.battle.world().resource::<Roster>().stock.spell(spell)
    }

    pub fn creature(&self, id: Id) -> &Creature {
        &self.level().combatants[id.index()].creature
    }

    pub fn weapon(&self, item: Item) -> &Weapon {
        self.battle.world().resource::<Roster>().stock.weapon(item)
    }

    /// The battle has come to its end, shown or not, and its winner.
    pub(super) fn over(&self) -> Option<Option<Side>> {
        self.battle.over()
    }

    /// The battle has come to its end, shown or not.
    pub fn is_over(&self) -> bool {
        self.battle.over().is_some()
    }

    /// How many events there are, shown or not.
    pub fn length(&self) -> usize {
        self.battle.events().len()
    }

    /// All answers that were given.
    pub fn answers(&self) -> &[Choice] {
        self.battle.answers()
    }

    /// How many questions have been answered so far, by anybody.
    pub fn answered(&self) -> usize {
        self.battle.answers().len()
    }

    /// All that was done out of turn, in answer to somebody else's act.
    pub fn reactions(&self) -> Vec<Choice> {
        let all = self.answers().iter().enumerate();
        let reactions = all.filter(|(n, _)| self.battle.was_reaction(*n));
        reactions.map(|(_, choice)| choice.clone()).collect()
    }

    /// The world of the battle, all of which nobody may know.
    pub fn world(&self) -> &World {
        self.battle.world()
    }

    /// Who plays which side.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    pub fn is_human(&self, side: Side) -> bool {
        self.seats.get(side.index()) == Some(&Seat::Human)
    }

    /// Several humans share the screen.
    pub fn is_hotseat(&self) -> bool {
        self.humans() > 1
    }

    /// How many sides humans play.
    pub fn humans(&self) -> usize {
        self.seats.iter().filter(|s| **s == Seat::Human).count()
    }

    /// How often a turn has been started over.
    pub fn restarts(&self) -> u8 {
        self.restarts
    }

    /// What everybody's dice did so far, by combatant.
    pub fn statistics(&self) -> Vec<Deeds> {
        statistics(&self.battle, &self.setup)
    }

    /// Some of what happened, shown or not.
    pub fn events(&self, of: std::ops::Range<usize>) -> &[Event] {
        &self.battle.events()[of]
    }

    /// How it went so far for a side, with all that is known by now; see [`course`].
    pub(super) fn course(&self, side: Side, measured: &[Point]) -> Course {
        course(&self.battle, &self.setup, side, measured)
    }

    /// Plays on from the turning points, on a thread of its own; see [`course::review`].
    pub(super) fn review(&self, side: Side) -> Thinking<course::Review> {
        let (battle, setup) = (self.battle.at(self.answered()), self.setup.clone());
        let seed = playout_seed(self.seed);
        Thinking::of(move |dropped| course::review(&battle, &setup, side, seed, &|| dropped()))
    }

    /// What each order cost, on a thread of its own: first those of a side. `tell` is given
    /// what is known so far, again and again. False: it was dropped, or the ruleset has no
    /// fitted forecast.
    pub fn review_orders(
        &self,
        side: Side,
        tell: impl Fn(review::Review) + Send + 'static,
    ) -> Thinking<bool> {
        let (battle, setup) = (self.battle.at(self.answered()), self.setup.clone());
        let seed = playout_seed(self.seed);
        // Where there are few cores, what is drawn needs one of them.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Thinking::of(move |dropped| {
            let enough = || dropped();
            let reviewer = Reviewer::of(&battle, &setup, None, PLAYOUTS, seed, &enough);
            let Some(reviewer) = reviewer else {
                return false;
            };
            let mut reviewer = reviewer.beginning_with(side);
            reviewer.go_on(cores > 2, dropped, &mut |now| tell(now.review()))
        })
    }

    /// What an order costs against a better one at the moment after so many answers, on a
    /// thread of its own.
    pub fn cost_of(
        &self,
        answers: usize,
        given: Choice,
        better: Choice,
    ) -> Thinking<Option<Estimate>> {
        let battle = self.battle.at(answers);
        let seed = playout_seed(self.seed) ^ 1;
        Thinking::of(move |dropped| {
            let enough = || dropped();
            review::cost_of(&battle, (&given, &better), PLAYOUTS, seed, &enough)
        })
    }

    /// What somebody has chosen in a moment in which all choose first.
    pub fn chosen(&self, who: Id) -> Option<&Choice> {
        let (answers, events) = (self.answered(), self.length());
        let waits = |c: &&(usize, usize, Choice)| c.0 < answers && c.1 == events;
        let mut all = self.chosen.iter().rev().filter(waits).map(|c| &c.2);
        all.find(|choice| choice.who == Some(who))
    }

    /// The battle as its beginning, for who sees what these eyes may see.
    pub(super) fn replica(&self, eyes: Option<Side>) -> Replica {
        Replica::new(&self.setup, self.rules, eyes)
    }

    pub(super) fn record(&self) -> Recording {
        let mut recorder = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        recorder.record(&self.battle, &self.level, self.seed)
    }

    /// Puts everybody at the table afresh: an AI that has seen what was then
    /// undone would know too much.
    fn seat(&mut self) {
        let ai = |(n, seat): (usize, &Seat)| match seat {
            Seat::Human => None,
            Seat::Ai(player) => {
                let ai = player.seat(&self.setup, self.rules, n, self.seed);
                Some(SyncCell::new(ai))
            }
        };
        self.ais = self.seats.iter().enumerate().map(ai).collect();
    }

    /// Gives what is queued, as long as it is the player's own turn and no dice have
    /// spoken but for blows of others that did no harm.
    pub(super) fn go_on(&mut self) {
        while let Some(asked) = self.battle.asked()
            && asked.is_turn()
            && self.is_human(asked.side)
            && let Some(choice) = self.queue.pop_front()
        {
            if self.battle.answer(choice).is_err() || !self.battle.can_undo() {
                self.clicks.clear();
                self.queue.clear();
            }
        }
    }

    /// Whoever is to do what is queued was hurt by what came of an answer, from an event
    /// on, or is to do nothing any more. A blow at who goes by that misses stops nobody.
    fn hurts_the_next(&self, from: usize) -> bool {
        let next = self.queue.front().and_then(|choice| choice.who);
        let hurts =
            |e: &Event| matches!(&e.what, EventKind::Damaged { who, .. } if Some(*who) == next);
        next.is_none() || self.battle.events()[from..].iter().any(hurts)
    }

    /// As it stood after its first answers.
    pub(super) fn rewind(&mut self, answers: usize) {
        self.battle = self.battle.at(answers);
        self.queue.clear();
        (self.thinking, self.patience) = (None, Patience::default());
        self.reasons.forget(answers);
        self.recorder = Mutex::default();
        self.seat();
    }

    /// An AI has its time anew.
    pub(super) fn human_decided(&mut self, side: Side) {
        self.patience.decided(side, Duration::ZERO);
    }

    /// An AI that takes its time begins to think about what it is asked.
    pub(super) fn ponder(&mut self) {
        if self.thinking.is_some() {
            return;
        }
        let asked = self.battle.asked().map(|q| (q.side, q.actors.len()));
        let Some((side, actors)) = asked else { return };
        let time = self.patience.allows(side, actors);
        let ai = self.ais[side.index()].as_mut();
        if let Some(strategist) = ai.and_then(|ai| ai.get().looks_ahead()) {
            let problem = strategist.ponder(&mut self.battle);
            // Where there are few cores, the board needs one of them.
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            self.thinking = Some(Thinking::of(move |dropped| {
                let began = Instant::now();
                let thought = problem.think(cores > 2, &|| dropped() || began.elapsed() >= time);
                (thought, began.elapsed())
            }));
        }
    }

    /// Has the AIs think again what they decided in this round, so that they continue as they
    /// had begun: an AI settles in which order its units act once, as its turn begins. An
    /// AI that looks ahead takes its time for each decision, and keeps nothing of it.
    pub(super) fn remember(&mut self) {
        let begins = |e: &Event| matches!(e.what, EventKind::RoundBegan { .. });
        let begun = self.battle.events().iter().rposition(begins).unwrap_or(0);
        let answers = self.battle.answers().to_vec();
        let is_later = |n: &usize| self.battle.events_before(*n) > begun;
        let first = (0..answers.len()).find(is_later).unwrap_or(answers.len());
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

    /// The AI that is asked answers; not yet, if it still thinks and nobody
    /// `waits` for it.
    pub(super) fn think(&mut self, waits: bool) {
        self.ponder();
        let Some(side) = self.battle.asked().map(|q| q.side) else {
            return;
        };
        let Some(ai) = &mut self.ais[side.index()] else {
            return;
        };
        let thought = match &mut self.thinking {
            None => None,
            Some(thinking) => match thinking.done(waits) {
                Some(thought) => Some(thought),
                None => return,
            },
        };
        if !waits && !ai.get().is_ready(&mut self.battle) {
            return;
        }
        self.thinking = None;
        let (thought, time) = thought.unzip();
        self.patience.decided(side, time.unwrap_or_default());
        let (rolled, events) = (self.battle.dice().rolled(), self.battle.events().len());
        let choice = match (ai.get().looks_ahead(), thought) {
            (Some(strategist), Some(thought)) => {
                let choice = strategist.conclude(&mut self.battle, thought);
                if let Some(thought) = strategist.thought() {
                    let answer = self.battle.answers().len();
                    self.reasons.keep(answer, Why::of_thought(thought, &choice));
                }
                choice
            }
            _ => ai.get().choose(&mut self.battle),
        };
        if let Err(why) = self.battle.answer(choice) {
            panic!("the AI of {side} chose what is not legal: {why}");
        }
        if self.battle.over().is_some() {
            for ai in self.ais.iter_mut().flatten() {
                ai.get().ended(&self.battle);
            }
        }
        self.clicks.clear();
        if self.battle.dice().rolled() != rolled && self.hurts_the_next(events) {
            self.queue.clear();
        }
        self.go_on();
    }
}

/// The dice of all battles that are played on from this one: the same at every moment,
/// so that two moments are compared by the same luck, and never the battle's own.
pub(super) fn playout_seed(seed: u64) -> u64 {
    !seed
}

/// A name, for a battle or a file of it, that no other has, here or in another
/// running game.
pub fn fresh_id() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{count}", now(), std::process::id())
}
