//! The battle: it runs on its own until a side has to decide.

mod ahead;
mod offers;

use super::{
    Answer, Body, Choice, Decision, DiceBox, End, Event, EventKind, Id, Names, Offer,
    PendingAttacks, Replica, Roster, Ruleset, SURRENDER, Seen, Side, Step, StepOutcome, View,
    apply,
    chances::{self, PromptedUnits},
    copy_all_units, of_unit, of_unit_mut,
    pool::{PooledWorld, WorldPool},
    surrender,
    watch::Watch,
};
use crate::{
    grid::{Cell, Range},
    words::plain,
};
use bevy_ecs::{
    system::{IntoSystem, SystemInput},
    world::World,
};
use offers::Listed;
use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

/// Puts the board and the units into an empty world. Every call gives an equal world; replays,
/// forks and replicas rely on that.
pub type Setup = Arc<dyn Fn(&mut World) + Send + Sync>;

/// A battle: a pure function of its setup, ruleset, dice and answers.
pub struct Battle {
    world: PooledWorld,
    /// The worlds of its forks that are done.
    pool: WorldPool,
    rules: &'static Ruleset,
    setup: Setup,
    /// The dice before the first roll.
    dice: DiceBox,
    agenda: Vec<Box<dyn Step>>,
    asked: Option<Decision>,
    /// The offers that were listed for the open decision.
    listed: Vec<Listed>,
    events: Vec<Event>,
    answers: Vec<Choice>,
    /// The state before each answer, in the order of the answers.
    marks: Vec<Mark>,
    over: Option<Option<Side>>,
    watch: Watch,
    names: Arc<Names>,
    /// The world before the first step, shared with all forks. Built when it is first needed.
    pristine: Arc<OnceLock<World>>,
    /// The names of the steps whose writes were checked. `None` if the battle is not audited.
    audited: Option<BTreeSet<String>>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    dice: u32,
    /// See [`Answer::opened`].
    opened: u32,
    events: usize,
    reaction: bool,
    side: Option<Side>,
}

/// Why an answer was refused. The battle is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    NoDecision,
    Impossible(super::Why),
    NotOffered(String),
    /// The order, and the smallest and largest number that it allows.
    OutOfRange(String, i32, i32),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoDecision => write!(f, "nobody is asked anything now"),
            Self::Impossible(why) => write!(f, "{why}"),
            Self::NotOffered(text) => write!(f, "'{text}' is not among the offers"),
            Self::OutOfRange(text, least, most) => {
                write!(f, "'{text}': the number goes from {least} to {most}")
            }
        }
    }
}

impl Battle {
    /// Starts a battle and runs it to the first decision.
    pub fn new(setup: Setup, rules: &'static Ruleset, dice: DiceBox) -> Self {
        Self::start(setup, rules, dice, false)
    }

    /// Like [`new`](Self::new), for tests: panics if a step's system has write access to anything
    /// but dice and answers.
    pub fn audited(setup: Setup, rules: &'static Ruleset, dice: DiceBox) -> Self {
        Self::start(setup, rules, dice, true)
    }

    fn start(setup: Setup, rules: &'static Ruleset, dice: DiceBox, audit: bool) -> Self {
        let mut battle = Self::blank(setup, rules, dice, WorldPool::default());
        battle.world.insert_resource(battle.dice.clone());
        battle.agenda.push((rules.first)());
        battle.audited = audit.then(BTreeSet::new);
        battle.begin();
        battle
    }

    /// A battle without steps and dice, in a world in any state.
    fn blank(setup: Setup, rules: &'static Ruleset, dice: DiceBox, pool: WorldPool) -> Self {
        let world = pool.take(|| fresh_world(&setup, rules));
        Self {
            names: world.resource::<Roster>().names.clone(),
            world,
            pool,
            rules,
            setup,
            dice,
            agenda: vec![],
            asked: None,
            listed: vec![],
            events: vec![],
            answers: vec![],
            marks: vec![],
            over: None,
            watch: Watch::default(),
            pristine: Arc::default(),
            audited: None,
        }
    }

    fn begin(&mut self) {
        self.events.extend(super::handicap::events(&self.world));
        self.advance();
    }

    /// Runs the agenda until a decision is open or the battle is over.
    fn advance(&mut self) {
        while self.asked.is_none() && self.over.is_none() {
            let Some(step) = self.agenda.pop() else { break };
            self.audit(step.as_ref());
            let rolled = || self.world.resource::<DiceBox>().rolled();
            let waiting = self.agenda.len();
            let outcome = match self.watch.is_circle(step.as_ref(), waiting, rolled) {
                false => {
                    self.world.resource_mut::<DiceBox>().roll_for(None);
                    step.run(&mut self.world)
                }
                true => self.break_off(step.as_ref()),
            };
            self.watch.note(&outcome.events, outcome.ask.is_some());
            debug_assert!(
                self.world.resource::<Answer>().given.is_none(),
                "an answer was not taken"
            );
            debug_assert!(
                outcome.ask.is_none() || outcome.events.is_empty(),
                "a step that asks emits nothing"
            );
            for event in outcome.events {
                if let EventKind::Over { won, .. } = event.what {
                    self.end_steps();
                    self.over = Some(won);
                }
                self.happen(event);
            }
            self.agenda.extend(outcome.next.into_iter().rev());
            self.asked = outcome.ask;
        }
        if self.over.is_some() {
            self.agenda.clear();
        }
    }

    fn happen(&mut self, event: Event) {
        apply(&mut self.world, &event);
        self.events.push(event);
    }

    /// Ends all waiting steps, because the battle is about to be over, perhaps in the middle of a
    /// move.
    fn end_steps(&mut self) {
        while let Some(step) = self.agenda.pop() {
            let outcome = step.end(&mut self.world);
            for event in outcome.events {
                self.happen(event);
            }
            self.agenda.extend(outcome.next.into_iter().rev());
        }
    }

    /// Skips a step that repeats forever. The battle continues without it, or ends if no other
    /// step is left.
    ///
    /// # Panics
    /// In an audited battle, because the rules have a bug.
    fn break_off(&mut self, step: &dyn Step) -> StepOutcome {
        let step = format!("{step:?}");
        let events = self.events.iter().rev();
        let lines = events.filter_map(|e| e.describe(&self.names));
        let last: Vec<String> = lines.take(3).map(|line| line.text).collect();
        assert!(
            self.audited.is_none(),
            "the step {step} comes round again and again without a change, a die or a question; \
             last in the log: {last:?}"
        );
        self.watch.clear();
        let outcome =
            StepOutcome::default().and("GR-00", EventKind::BrokenOff { step: step.into() });
        if !self.agenda.is_empty() {
            return outcome;
        }
        let over = EventKind::Over {
            won: None,
            why: "the rules found no way on".into(),
            end: End::BrokenOff,
        };
        outcome.and("GR-00", over)
    }

    fn audit(&mut self, step: &dyn Step) {
        let Some(seen) = &mut self.audited else {
            return;
        };
        let text = format!("{step:?}");
        let name = text.split([' ', '(', '{']).next();
        let name = name.unwrap_or(&text).to_owned();
        if seen.insert(name.clone()) {
            let wrong = step.writes_state(&mut self.world);
            assert!(!wrong, "step {name} may write more than dice and answers");
        }
    }

    /// The names of the steps whose writes an audited battle has checked.
    pub fn audited_steps(&self) -> impl Iterator<Item = &str> {
        self.audited.iter().flatten().map(String::as_str)
    }

    pub fn asked(&self) -> Option<&Decision> {
        self.asked.as_ref()
    }

    /// The winner once the battle is over; `Some(None)` if nobody won.
    pub fn over(&self) -> Option<Option<Side>> {
        self.over
    }

    /// What ended the battle. `None` while it continues.
    pub fn end(&self) -> Option<End> {
        match self.events.last()?.what {
            EventKind::Over { end, .. } => Some(end),
            _ => None,
        }
    }

    /// What ended the battle, in words. `None` while it continues.
    pub fn why_over(&self) -> Option<&str> {
        match &self.events.last()?.what {
            EventKind::Over { why, .. } => Some(why),
            _ => None,
        }
    }

    /// The first mismatch between scripted dice and the rolls.
    pub fn fault(&self) -> Option<&super::ScriptMismatch> {
        self.dice().fault()
    }

    pub fn dice(&self) -> &DiceBox {
        self.world.resource::<DiceBox>()
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The number of the last round that has begun; 0 before the first.
    pub fn rounds(&self) -> u32 {
        let began = |event: &Event| match event.what {
            EventKind::RoundBegan { round } => Some(round.into()),
            _ => None,
        };
        self.events.iter().rev().find_map(began).unwrap_or(0)
    }

    pub fn answers(&self) -> &[Choice] {
        &self.answers
    }

    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    pub fn rules(&self) -> &'static Ruleset {
        self.rules
    }

    pub fn world(&self) -> &World {
        &self.world
    }

    /// Checks that a choice is among the legal offers of the open decision.
    pub fn check(&mut self, choice: &Choice) -> Result<(), Refused> {
        let question = self.asked.as_ref().ok_or(Refused::NoDecision)?;
        if question.common.contains(choice) {
            return Ok(());
        }
        if choice.verb == &SURRENDER && *choice == surrender(question.side) {
            let side = question.side;
            return View::read(&mut self.world, |view| view.may_surrender(side))
                .map_err(Refused::Impossible);
        }
        let names = self.names.clone();
        let not_offered = || Refused::NotOffered(choice.text(&names));
        let who = choice.who.ok_or_else(not_offered)?;
        if chances::is_every_chance(choice.verb) {
            let is_new =
                self.is_prompted_at_chances(who) != (choice.verb == &chances::EVERY_CHANCE);
            let may = self.rules.chances && is_new && *choice == Choice::new(choice.verb, who);
            return may.then_some(()).ok_or_else(not_offered);
        }
        // A plotted path is never listed, so the ruleset checks it.
        if choice.along.is_some() && question.actors.contains(&who) {
            let priced = (self.rules.path)(&mut self.world, choice);
            return priced.map_err(Refused::Impossible);
        }
        if self.is_listed(choice) {
            return Ok(());
        }
        let offers = self.bundled_offers_of(who);
        let Some(listed) = offers.iter().find(|o| o.covers(choice)) else {
            let other = offers.iter().find_map(|o| o.range_of(choice));
            return Err(other.map_or_else(not_offered, |(least, most)| {
                Refused::OutOfRange(choice.text(&names), least, most)
            }));
        };
        match listed.why_not.clone() {
            None => Ok(()),
            Some(why) => Err(Refused::Impossible(why)),
        }
    }

    /// Answers the open decision and runs on to the next. A request about prompts and a surrender
    /// leave the decision open.
    pub fn answer(&mut self, choice: Choice) -> Result<(), Refused> {
        self.check(&choice)?;
        self.apply_answer(choice);
        Ok(())
    }

    /// Applies an answer that is known to be legal.
    fn apply_answer(&mut self, choice: Choice) {
        self.marks.push(Mark {
            dice: self.dice().rolled(),
            opened: self.world.resource::<Answer>().opened,
            events: self.events.len(),
            side: self.asked.as_ref().map(|q| q.side),
            reaction: self.asked.as_ref().is_some_and(|q| q.is_reaction(&choice)),
        });
        self.listed.clear();
        if let Some(who) = choice.who.filter(|_| chances::is_every_chance(choice.verb)) {
            self.set_every_chance(who, choice.verb == &chances::EVERY_CHANCE);
            self.answers.push(choice);
            return;
        }
        if let Some(side) = choice.side.filter(|_| choice.verb == &SURRENDER) {
            self.happen(Event {
                rule: SURRENDER.rule,
                seen: Seen::All,
                what: EventKind::Surrendered { side },
            });
            self.answers.push(choice);
            return;
        }
        self.asked = None;
        self.world.resource_mut::<Answer>().given = Some(choice.clone());
        self.answers.push(choice);
        self.advance();
    }

    fn set_every_chance(&mut self, who: Id, every: bool) {
        let side = of_unit::<Body>(&self.world, who).side;
        let event = Event {
            rule: chances::EVERY_CHANCE.rule,
            seen: Seen::Only(side),
            what: chances::ChancePrompt::SetEveryChance { who, every }.into(),
        };
        self.happen(event);
    }

    /// Whether a unit is prompted at every chance.
    pub fn is_prompted_at_chances(&self, who: Id) -> bool {
        self.world.resource::<PromptedUnits>().contains(who)
    }

    /// Answers with an order as text, matched against the texts of the offers. Case and extra
    /// spaces do not matter.
    pub fn order(&mut self, text: &str) -> Result<(), Refused> {
        let choice = self.find(text)?;
        self.answer(choice)
    }

    /// The choice with this text, legal or not.
    pub fn find(&mut self, text: &str) -> Result<Choice, Refused> {
        let question = self.asked.clone().ok_or(Refused::NoDecision)?;
        let names = self.names.clone();
        if let Some((order, cells)) = text.rsplit_once(" by ")
            && let Ok(path) = cells
                .split_whitespace()
                .map(str::parse)
                .collect::<Result<Vec<_>, _>>()
            && let Ok(choice) = self.find_end(order, path.last().copied())
        {
            return Ok(Choice {
                along: Some(path.into()),
                ..choice
            });
        }
        let wanted = plain(text);
        // Old recordings leave the side's name out of the order.
        let reads = |c: &&Choice| [c.text(&names), c.describe(&names)].contains(&wanted);
        let surrender = surrender(question.side);
        if let Some(choice) = question.common.iter().chain([&surrender]).find(reads) {
            return Ok(choice.clone());
        }
        // The order begins with its unit: list only that unit's offers.
        let named = text.split_once(':').and_then(|(who, _)| names.find(who));
        let toggles = [true, false].map(|every| named.map(|who| chances::every_chance(who, every)));
        let mut toggles = toggles.into_iter().flatten();
        if let Some(toggle) = toggles.find(|toggle| plain(&toggle.text(&names)) == wanted) {
            return Ok(toggle);
        }
        let is_meant = |who: &Id| named.is_none_or(|named| named == *who);
        for who in question.actors.iter().copied().filter(is_meant) {
            let offers = self.offers_of(who);
            let reads = |choice: &Choice| plain(&choice.text(&names)) == wanted;
            if let Some(choice) = offers.iter().find_map(|o| matching(o, &wanted, reads)) {
                return Ok(choice);
            }
        }
        Err(Refused::NotOffered(text.trim().to_owned()))
    }

    /// The choice of an order with a plotted path. Its end may be missing from the offers, because
    /// a detour is not the cheapest way.
    fn find_end(&mut self, order: &str, end: Option<Cell>) -> Result<Choice, Refused> {
        let names = self.names.clone();
        let not_offered = || Refused::NotOffered(order.trim().to_owned());
        let who = order.split_once(':').and_then(|(who, _)| names.find(who));
        let end = end.ok_or_else(not_offered)?;
        let offers = self.offers_of(who.ok_or_else(not_offered)?);
        let mut moved = offers.iter().map(|o| Choice {
            to: Some(end),
            ..o.choice.clone()
        });
        let wanted = plain(order);
        let found = moved.find(|choice| plain(&choice.text(&names)) == wanted);
        found.ok_or_else(not_offered)
    }

    /// The world as a replica's side knows it, for reading. As long as nothing was hidden from
    /// the side, this is the battle's own world, which is then equal.
    pub fn known<'a>(&'a mut self, replica: &'a mut Replica) -> &'a mut World {
        match replica.follow(&self.events) {
            true => &mut self.world,
            false => &mut replica.world,
        }
    }

    /// A replica for a side, at the start of the battle; it catches up when it is used. `None`
    /// sees everything.
    pub fn replica(&self, side: Option<Side>) -> Replica {
        self.replica_in_state(side, self.pristine())
    }

    /// Runs a closure on the world, to read the state. It must leave the world as it was.
    pub fn with_world<T>(&mut self, read: impl FnOnce(&mut World) -> T) -> T {
        read(&mut self.world)
    }

    /// Runs a read-only system on the state: odds, ranges, tooltips.
    pub fn read<I, O, M, S>(&mut self, system: S, input: I::Inner<'_>) -> O
    where
        I: SystemInput + 'static,
        O: 'static,
        S: IntoSystem<I, O, M> + 'static,
    {
        super::run_system(&mut self.world, system, input)
    }

    /// Where a unit's move can take it now, with the cost and the provoked attacks of each path.
    pub fn range(&mut self, who: Id) -> Arc<Range> {
        (self.rules.range)(&mut self.world, who)
    }

    /// Whether the last answer can be undone: no die was rolled since, and the side that gave it
    /// has learned no secret of another side.
    pub fn can_undo(&self) -> bool {
        let opened = self.world.resource::<Answer>().opened;
        let is_news = |e: &Event, side| e.seen.is_news_to(side);
        self.marks.last().is_some_and(|m| {
            let mut since = self.events[m.events..].iter();
            (m.dice, m.opened) == (self.dice().rolled(), opened)
                && !m.side.is_some_and(|side| since.any(|e| is_news(e, side)))
        })
    }

    /// The battle one answer earlier. `None` if the answer cannot be undone.
    pub fn undone(&self) -> Option<Self> {
        self.can_undo().then(|| self.at(self.answers.len() - 1))
    }

    /// The battle after its first `n` answers, by running it again.
    ///
    /// # Panics
    /// If a recorded answer is refused: then the battle is not a function of its answers, which
    /// is a bug in the ruleset.
    pub fn at(&self, n: usize) -> Self {
        let mut start = self.blank_fork();
        start.audited = self.audited.as_ref().map(|_| BTreeSet::new());
        start.restart(self.dice.clone());
        self.re_run(start, n)
    }

    /// Like [`at`](Self::at), but runs only the answers again that came after an `earlier` state of
    /// this battle, of at most `n` answers.
    ///
    /// # Panics
    /// As [`at`](Self::at), and if `earlier` has more answers.
    pub fn at_from(&self, earlier: &Self, n: usize) -> Self {
        let mut start = earlier.fork(earlier.dice().clone());
        start.events.clone_from(&earlier.events);
        start.answers.clone_from(&earlier.answers);
        start.marks.clone_from(&earlier.marks);
        start.watch.clone_from(&earlier.watch);
        self.re_run(start, n)
    }

    /// Gives a state of this battle the answers that followed, up to the first `n`.
    fn re_run(&self, mut state: Self, n: usize) -> Self {
        for choice in &self.answers[state.answers.len()..n] {
            let answered = state.answer(choice.clone());
            answered.expect("a battle re-runs as it ran");
        }
        state
    }

    /// How many events came before answer `n`.
    pub fn events_before(&self, n: usize) -> usize {
        self.marks.get(n).map_or(self.events.len(), |m| m.events)
    }

    /// Whether answer `n` was a reaction: see [`Decision::is_reaction`].
    pub fn was_reaction(&self, n: usize) -> bool {
        self.marks.get(n).is_some_and(|m| m.reaction)
    }

    /// Whether a die was rolled since answer `n` was given.
    pub fn has_rolled_since(&self, n: usize) -> bool {
        let mark = self.marks.get(n);
        mark.is_some_and(|m| m.dice != self.dice().rolled())
    }

    /// A copy of this battle with other dice and without its events, which does not affect this
    /// battle. It takes the world of a fork that is done, if there is one.
    pub fn fork(&self, dice: DiceBox) -> Self {
        self.fork_in_state(&self.world, dice)
    }

    /// Like [`fork`](Self::fork), with the state of another world of this setup.
    fn fork_in_state(&self, state: &World, dice: DiceBox) -> Self {
        let mut fork = Self {
            agenda: self.agenda.clone(),
            asked: self.asked.clone(),
            over: self.over,
            ..self.blank_fork()
        };
        copy_state(self.rules, state, &mut fork.world);
        fork.world.insert_resource(dice);
        fork
    }

    fn blank_fork(&self) -> Self {
        let pool = self.pool.clone();
        Self {
            pristine: self.pristine.clone(),
            ..Self::blank(self.setup.clone(), self.rules, self.dice.clone(), pool)
        }
    }

    /// The worlds that are ready for forks.
    pub fn free_worlds(&self) -> usize {
        self.pool.free()
    }

    /// Forgets all events, answers and listed offers, but not the state.
    fn clear_history(&mut self) {
        self.listed.clear();
        self.events.clear();
        self.answers.clear();
        self.marks.clear();
    }

    /// Restarts the battle with other dice. Keeps the world and its caches, which makes many
    /// battles of one level fast.
    pub fn restart(&mut self, dice: DiceBox) {
        let fresh = || fresh_world(&self.setup, self.rules);
        copy_state(
            self.rules,
            self.pristine.get_or_init(fresh),
            &mut self.world,
        );
        self.world.insert_resource(dice.clone());
        self.dice = dice;
        self.agenda.clear();
        self.agenda.push((self.rules.first)());
        self.asked = None;
        self.clear_history();
        self.over = None;
        self.watch.clear();
        self.begin();
    }

    /// A world of this setup before the first step.
    pub fn pristine(&self) -> &World {
        let fresh = || fresh_world(&self.setup, self.rules);
        self.pristine.get_or_init(fresh)
    }

    /// Whether no step waits and no decision is open.
    pub fn is_idle(&self) -> bool {
        self.agenda.is_empty() && self.asked.is_none()
    }
}

/// A world of a battle before its first step.
pub(super) fn fresh_world(setup: &Setup, rules: &Ruleset) -> World {
    let mut world = World::new();
    world.init_resource::<Answer>();
    world.init_resource::<PendingAttacks>();
    world.init_resource::<PromptedUnits>();
    world.init_resource::<super::ranges::Ranges>();
    setup(&mut world);
    let names = &mut world.resource_mut::<Roster>().names;
    if names.defense != rules.defense {
        Arc::make_mut(names).defense = rules.defense;
    }
    give_hit_points(&mut world, rules);
    (rules.install)(&mut world);
    super::handicap::give(&mut world, rules);
    world
}

/// Gives every unit its hit points under the ruleset, less the wounds that the level gives it; at
/// least 1.
fn give_hit_points(world: &mut World, rules: &Ruleset) {
    let level = world.get_resource::<super::CurrentLevel>();
    let Some(level) = level.map(|level| level.0.clone()) else {
        return;
    };
    for (n, combatant) in level.combatants.iter().enumerate() {
        let most = (rules.hit_points)(&combatant.creature);
        let body = of_unit_mut::<Body>(world, Id(n as u16));
        body.max_hp = most;
        body.hp = (most - combatant.wounds).max(1);
    }
}

/// Copies all state from one world to another of the same setup: the shared state, and the
/// ruleset's own with [`Ruleset::copy`].
pub(super) fn copy_state(rules: &Ruleset, from: &World, to: &mut World) {
    (rules.copy)(from, to);
    copy_all_units::<super::Body>(from, to);
    copy_all_units::<super::Inventory>(from, to);
    copy_all_units::<super::Conditions>(from, to);
    copy_resource::<super::Ground>(from, to);
    copy_resource::<super::Map>(from, to);
    copy_resource::<PendingAttacks>(from, to);
    copy_resource::<PromptedUnits>(from, to);
    copy_resource::<Answer>(from, to);
    copy_resource::<super::Progress>(from, to);
}

pub fn copy_resource<T>(from: &World, to: &mut World)
where
    T: bevy_ecs::resource::Resource
        + bevy_ecs::component::Component<Mutability = bevy_ecs::component::Mutable>
        + Clone,
{
    to.resource_mut::<T>().clone_from(from.resource::<T>());
}

/// The offer's choice if its text matches. If the offer allows any number, the choice with the
/// number in the order.
fn matching(offer: &Offer, wanted: &str, reads: impl Fn(&Choice) -> bool) -> Option<Choice> {
    if offer.numbers.is_none() {
        return reads(&offer.choice).then(|| offer.choice.clone());
    }
    let digits = |c: char| !(c.is_ascii_digit() || c == '-');
    let numbers = wanted.split(digits).filter_map(|n| n.parse().ok());
    let mut choices = numbers.map(|n| offer.choice.clone().number(n));
    choices.find(|choice| reads(choice))
}
