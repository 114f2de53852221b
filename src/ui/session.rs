//! The running battle: who plays which side, and how much of what happened the
//! screen has shown. Nothing else answers the battle.
//!
//! - [`chances`]: who is asked at moments at which nobody is by default.
//! - [`seats`]: who sits where, the change of players at one screen, what is
//!   written down of it all.
//! - [`replay`]: a battle that is only watched.

mod chances;
mod replay;
mod seats;

pub use replay::{Mark, MarkKind, Replay, SPEEDS};
pub use seats::{Unloadable, now, usual};

use super::{
    Options, Phase, Screen,
    modal::Modal,
    read::{
        self, Blow, Button, Clock, DeclarationPreview, Drawn, Exchange, Odds, Reach, Reader,
        Spread, Way, Words,
    },
    shown::{Aim, Person, Shown},
};
use crate::{
    battle::{
        Action, Battle, Body, Choice, Decision, DiceBox, Event, EventKind, Ground, Id, Map, Names,
        Offer, Offers, PendingAttacks, Progress, Refused, Replica, RolledAttack, Roster, Ruleset,
        Setup, Side, SpellId, State, Why, capitalised, level_setup,
    },
    content::Spell,
    control::recording::{Recorder, Seat},
    grid::Cell,
    levels::{Level, Objective},
};
use bevy::{ecs::world::World, prelude::*};
use seats::Ai;
use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Playback>();
    app.add_systems(
        Update,
        (think, close)
            .chain()
            .in_set(Phase::Think)
            .run_if(in_state(Screen::Battle))
            .run_if(is_on),
    );
}

/// Whether the board is still playing an event. The board owns it.
#[derive(Resource, Default, Debug)]
pub struct Playback {
    pub busy: bool,
}

/// A battle and its players.
#[derive(Resource)]
pub struct Session {
    level: Arc<Level>,
    rules: &'static Ruleset,
    seed: u64,
    /// Names the battle in its saves.
    id: String,
    setup: Setup,
    battle: Battle,
    /// By side.
    seats: Vec<Seat>,
    /// The AIs among them, likewise.
    ais: Vec<Option<Ai>>,
    /// The side whose eyes the screen looks through.
    player: Side,
    /// Nobody plays: the screen sees all that happens.
    sees_all: bool,
    /// How many events the eyes of each side have seen.
    seen: Vec<usize>,
    /// The screen was left to another player, who has not said yet that it is
    /// there.
    is_sealed: bool,
    /// The battle is a recording that is watched.
    replay: Option<Replay>,
    /// What has been written down of the battle.
    recorder: Recorder,
    /// How often a turn has been started over.
    restarts: u8,
    reader: &'static Reader,
    /// The act bar of this ruleset, and the verbs that a click on a cell means.
    buttons: Arc<[Button]>,
    walks: Arc<[&'static Action]>,
    display: Replica,
    shown: Shown,
    /// Events, by number, about those whom the player does not know of.
    hushed: BTreeSet<usize>,
    /// How many answers had been given before each thing that the player did
    /// and may still take back.
    clicks: Vec<usize>,
    /// Choices that nothing has come of yet, each with how many answers and
    /// events there were before it.
    chosen: Vec<(usize, usize, Choice)>,
    /// What is still to be answered of the last thing that the player did.
    queue: VecDeque<Choice>,
    /// The turn has ended by itself, with something that could be taken back:
    /// nothing beyond this event is shown before the player says so.
    gate: Option<usize>,
    /// The player does not want to watch until it is asked again.
    hurry: bool,
    /// The offers that were shown last.
    quiet: chances::Quiet,
}

impl Session {
    /// A new battle, seated as the level has it.
    pub fn new(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> Self {
        Self::seated(level, rules, seed, seats::usual(level))
    }

    /// A new battle; `seats` by side.
    pub fn seated(
        level: &Arc<Level>,
        rules: &'static Ruleset,
        seed: u64,
        seats: Vec<Seat>,
    ) -> Self {
        let battle = Battle::new(level_setup(level), rules, DiceBox::seeded(seed));
        Self::of(level, battle, seed, seats, None)
    }

    /// A battle under way, of which nothing has been shown yet. `eyes` are
    /// those of a side that a human plays, the first one's if left open.
    fn of(
        level: &Arc<Level>,
        battle: Battle,
        seed: u64,
        seats: Vec<Seat>,
        eyes: Option<Side>,
    ) -> Self {
        let (setup, rules) = (level_setup(level), battle.rules());
        let is_human = |side: &Side| seats.get(side.index()) == Some(&Seat::Human);
        let all = (0..seats.len()).map(|n| Side(n as u8));
        let player = eyes.filter(is_human).or(all.clone().find(is_human));
        let display = Replica::new(&setup, rules, player);
        let mut session = Self {
            shown: Shown {
                epoch: 0,
                events: 0,
                clock: Clock::default(),
                people: Person::all_of(level, rules),
                board: level.board(),
                ground: vec![],
            },
            level: level.clone(),
            rules,
            seed,
            id: seats::fresh_id(),
            setup,
            battle,
            ais: vec![],
            player: player.unwrap_or(Side(0)),
            sees_all: player.is_none(),
            seen: vec![0; seats.len()],
            seats,
            is_sealed: false,
            replay: None,
            recorder: Recorder::default(),
            restarts: 0,
            reader: read::of(rules.id),
            buttons: read::buttons(rules, read::of(rules.id)).into(),
            walks: read::walks(rules, read::of(rules.id)).into(),
            display,
            hushed: BTreeSet::new(),
            clicks: vec![],
            chosen: vec![],
            queue: VecDeque::new(),
            gate: None,
            hurry: false,
            quiet: None,
        };
        session.seat();
        session.look();
        session
    }

    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    pub fn rules(&self) -> &'static Ruleset {
        self.rules
    }

    pub fn reader(&self) -> &'static Reader {
        self.reader
    }

    /// The buttons of the act bar.
    pub fn buttons(&self) -> Arc<[Button]> {
        self.buttons.clone()
    }

    /// The verbs that a click on a cell in reach means.
    pub fn walks(&self) -> Arc<[&'static Action]> {
        self.walks.clone()
    }

    /// What an act is called in the act bar.
    pub fn label(&self, verb: &'static Action) -> Words {
        let look = self.buttons.iter().find_map(|b| b.look(verb));
        look.map_or_else(|| capitalised(verb.name).into(), |l| l.label.clone())
    }

    /// What the player's side has to do, as far as the screen has shown it.
    pub fn aims(&self) -> Vec<Aim> {
        let lost = &self.display.world.resource::<Progress>().lost;
        let all = std::iter::zip(&self.level.objectives, lost);
        let own = all.filter(|(o, _)| Side::from(o.side) == self.player);
        let aim = |(o, &is_lost): (&Objective, &bool)| Aim {
            text: o.text.clone(),
            is_lost,
        };
        own.map(aim).collect()
    }

    /// The member of the player's side that is asked out of turn.
    pub fn asked_member(&self) -> Option<Id> {
        let asked = self
            .question()
            .filter(|q| !is_turn(q) && self.is_human(q.side))?;
        asked.actors.first().copied()
    }

    /// What an act costs and does, in a sentence; perhaps nothing.
    pub fn help(&self, verb: &'static Action) -> &'static str {
        let look = self.buttons.iter().find_map(|b| b.look(verb));
        look.map_or("", |l| l.help)
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
        self.id = seats::fresh_id();
    }

    pub fn player(&self) -> Side {
        self.player
    }

    pub fn names(&self) -> &Arc<Names> {
        self.battle.names()
    }

    /// The battle as the screen shows it now.
    pub fn shown(&self) -> &Shown {
        &self.shown
    }

    /// The events that the screen has shown and the player may know of.
    pub fn told(&self) -> impl Iterator<Item = &Event> {
        let told = &self.battle.events()[..self.shown.events];
        let known = |e: &(usize, &Event)| self.sees(e.1) && !self.hushed.contains(&e.0);
        told.iter().enumerate().filter(known).map(|e| e.1)
    }

    fn sees(&self, event: &Event) -> bool {
        self.sees_all || event.seen.by(self.player)
    }

    /// The winner, once the end has been shown.
    pub fn over(&self) -> Option<Option<Side>> {
        self.battle.over().filter(|_| self.is_caught_up())
    }

    /// The battle has come to its end, shown or not.
    pub fn is_over(&self) -> bool {
        self.battle.over().is_some()
    }

    /// Everything that happened has been shown.
    pub fn is_caught_up(&self) -> bool {
        self.display.at() == self.battle.events().len()
    }

    /// There is an event to be played.
    pub fn has_next(&self) -> bool {
        self.display.at() < self.horizon()
    }

    /// Up to which event may be shown.
    fn horizon(&self) -> usize {
        let until = self.replay.as_ref().map(|replay| replay.until);
        let end = self.battle.events().len();
        self.gate.or(until).unwrap_or(end).min(end)
    }

    /// Applies the next event that the player may see to the display world.
    pub fn next_event(&mut self) -> Option<Event> {
        let mut seen = None;
        while seen.is_none() && self.display.at() < self.horizon() {
            seen = self.step_on();
        }
        self.look();
        seen
    }

    /// Shows at once all that is left to be shown.
    pub fn catch_up(&mut self) {
        while self.display.at() < self.horizon() {
            self.step_on();
        }
        self.shown.epoch += 1;
        self.look();
    }

    /// Begins to show the battle afresh, and shows what may be shown at once.
    fn show_anew(&mut self) {
        let eyes = (!self.sees_all).then_some(self.player);
        self.hushed.clear();
        self.display = Replica::new(&self.setup, self.rules, eyes);
        self.catch_up();
    }

    /// Whom the player knows nothing of; who watches knows of everybody.
    fn unknown(&mut self) -> Vec<Id> {
        if self.sees_all {
            return vec![];
        }
        (self.reader.unknown)(&mut self.display.world, self.player)
    }

    /// Applies one event to the display world; none if the player may not know
    /// of it, as it is sealed or about somebody whose place is unknown before
    /// and after.
    fn step_on(&mut self) -> Option<Event> {
        let n = self.display.at();
        let before = self.unknown();
        let event = self.display.next(self.battle.events())?.clone();
        if !self.sees(&event) {
            return None;
        }
        if !before.is_empty() {
            let after = self.unknown();
            let who = event.who(self.battle.names());
            let mut unknown = before.iter().filter(|id| after.contains(id));
            if unknown.any(|id| who & id.bit() != 0) {
                self.hushed.insert(n);
                return None;
            }
        }
        Some(event)
    }

    /// Everything is to be put in its place without animation.
    pub fn replace_picture(&mut self) {
        self.shown.epoch += 1;
    }

    /// Reads the display world.
    fn look(&mut self) {
        let at = self.display.at();
        self.seen[self.player.index()] = at;
        let unknown = self.unknown();
        let (world, shown, reader) = (&mut self.display.world, &mut self.shown, self.reader);
        shown.clock = (reader.clock)(world);
        shown.events = at;
        shown.board = world.resource::<Map>().0.clone();
        shown.ground.clone_from(&world.resource::<Ground>().0);
        let entities = world.resource::<Roster>().who.clone();
        for (person, entity) in std::iter::zip(&mut shown.people, entities) {
            let status = (reader.status)(world, person.id);
            let body = world
                .get::<Body>(entity)
                .expect("every combatant has a body");
            (person.at, person.size, person.state) = (body.at, body.size, body.state);
            if unknown.contains(&person.id) {
                person.state = State::Waiting;
            }
            let mut bars = status.bars.into_iter();
            let first = bars.next();
            let (hp, most) = first.map_or((body.hp, body.max_hp), |b| (b.now, b.most));
            (person.hp, person.max_hp, person.more) = (hp, most, bars.collect());
            (person.pips, person.left) = (status.pips, status.left);
            (person.plan, person.done) = (status.plan, status.done);
            (person.conditions, person.round) = (status.conditions, status.round);
        }
    }

    /// What the player is asked, once everything that led to it was shown.
    pub fn question(&self) -> Option<&Decision> {
        let asked = self.battle.asked().filter(|_| self.replay.is_none())?;
        let is_players = self.is_human(asked.side) && asked.side == self.player;
        let may_ask = is_players && !self.is_sealed && self.gate.is_none() && self.is_caught_up();
        may_ask.then_some(asked)
    }

    /// The player's own turn, as opposed to a reaction.
    pub fn is_players_turn(&self) -> bool {
        self.question().is_some_and(is_turn)
    }

    /// How many questions have been answered so far, by anybody.
    pub fn answered(&self) -> usize {
        self.battle.answers().len()
    }

    /// The player is asked to choose from a list, out of turn.
    pub fn is_prompted(&self) -> bool {
        self.question().is_some_and(|q| !is_turn(q))
    }

    /// The player's turn is over but for the player's word: see
    /// [`end_turn`](Self::end_turn).
    pub fn awaits_end_of_turn(&self) -> bool {
        self.gate.is_some() && !self.has_next()
    }

    /// What one of those asked may do.
    pub fn offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        if self.question().is_some() {
            self.quiet_offers_of(who)
        } else {
            Arc::default()
        }
    }

    /// How one of those asked says that it is done for the turn, if it may.
    pub fn done_verb(&mut self, who: Id) -> Option<&'static Action> {
        let offers = self.offers_of(who);
        let is_offered = |verb: &&&'static Action| {
            let fits = |o: &Offer| o.is_legal() && o.choice.verb == **verb;
            offers.iter().any(fits)
        };
        let verbs = self.reader.done;
        verbs.iter().find(is_offered).copied()
    }

    /// The player is asked, but nobody of those asked has more to do than what
    /// is seldom worth a stop.
    pub fn is_trifling(&mut self) -> bool {
        let Some(asked) = self.question().filter(|q| is_turn(q)) else {
            return false;
        };
        let actors = asked.actors.clone();
        let trifles = self.reader.trifles;
        let mut all = actors.into_iter();
        all.all(|who| trifles(&mut self.display.world, who))
    }

    /// Members of the player's side who are asked and have something left to do.
    pub fn idle_members(&self) -> impl Iterator<Item = &Person> {
        let asked = self.question().filter(|q| is_turn(q));
        let actors = asked.map_or(&[][..], |q| &q.actors);
        let members = actors.iter().map(|&id| self.shown.person(id));
        members.filter(|p| p.is_up() && !p.done)
    }

    /// Gives the player's answers, one after the other. The later ones are
    /// given only if the first went as foreseen.
    pub fn give(&mut self, orders: &[Choice]) -> Result<(), Refused> {
        if self.question().is_none() {
            return Err(Refused::NobodyAsked);
        }
        let Some((first, rest)) = orders.split_first() else {
            return Ok(());
        };
        let before = self.battle.answers().len();
        let events = self.battle.events().len();
        self.battle.answer(first.clone())?;
        if self.battle.events().len() == events {
            self.chosen.push((before, events, first.clone()));
        }
        self.queue = rest.iter().cloned().collect();
        self.clicks.push(before);
        self.hurry = false;
        if !self.battle.can_undo() {
            self.clicks.clear();
            self.queue.clear();
        }
        self.go_on();
        self.mind_the_turn();
        Ok(())
    }

    /// What somebody has chosen in a moment in which all choose first.
    pub fn chosen(&self, who: Id) -> Option<&Choice> {
        let (answers, events) = (self.battle.answers().len(), self.battle.events().len());
        let waits = |c: &&(usize, usize, Choice)| c.0 < answers && c.1 == events;
        let mut all = self.chosen.iter().rev().filter(waits).map(|c| &c.2);
        all.find(|choice| choice.who == Some(who))
    }

    /// Gives an answer that the player has settled beforehand. It is taken back
    /// together with what the player did before.
    pub fn give_by_habit(&mut self, choice: &Choice) -> Result<(), Refused> {
        if self.question().is_none() {
            return Err(Refused::NobodyAsked);
        }
        self.battle.answer(choice.clone())?;
        if !self.battle.can_undo() {
            self.clicks.clear();
            self.queue.clear();
        }
        self.go_on();
        self.mind_the_turn();
        Ok(())
    }

    /// Gives what is queued, as long as it is the player's own turn and the
    /// dice have not spoken.
    fn go_on(&mut self) {
        while let Some(asked) = self.battle.asked()
            && is_turn(asked)
            && self.is_human(asked.side)
            && let Some(choice) = self.queue.pop_front()
        {
            if self.battle.answer(choice).is_err() || !self.battle.can_undo() {
                self.clicks.clear();
                self.queue.clear();
            }
        }
    }

    /// When the player's turn has ended by itself and the last thing done in
    /// it could be taken back, the player has the last word.
    fn mind_the_turn(&mut self) {
        let goes_on = |asked: &Decision| asked.side == self.player || asked.reaction;
        let ended = match self.battle.asked() {
            Some(asked) => !goes_on(asked),
            None => false,
        };
        if !ended || self.clicks.is_empty() || self.battle.over().is_some() {
            return;
        }
        let last = self.battle.answers().len() - 1;
        let Some(end_turn) = self.reader.end_turn else {
            return;
        };
        if self.battle.answers()[last].verb == end_turn {
            return;
        }
        let from = self.battle.events_before(last);
        let is_next = |e: &Event| {
            matches!(
                e.what,
                EventKind::RoundBegan { .. } | EventKind::RoundEnded | EventKind::TurnBegan { .. }
            )
        };
        let next = self.battle.events()[from..].iter().position(is_next);
        self.gate = next.map(|n| from + n);
    }

    /// Ends the player's turn.
    pub fn end_turn(&mut self) {
        if self.gate.take().is_some() {
            self.clicks.clear();
        } else if self.is_players_turn()
            && let Some(verb) = self.reader.end_turn
            && let Some(side) = self.question().map(|asked| asked.side)
        {
            // The answer is legal: it is what every own turn offers.
            let _ = self.give(&[Choice::of_side(verb, side)]);
            self.clicks.clear();
            self.gate = None;
        }
    }

    pub fn can_undo(&self) -> bool {
        !self.clicks.is_empty() && !self.has_next()
    }

    /// Takes back the last thing that the player did.
    pub fn undo(&mut self) -> Option<Id> {
        let answers = self.clicks.pop()?;
        let who = self.battle.answers().get(answers).and_then(|c| c.who);
        self.rewind(answers);
        who
    }

    /// The battle as it stood after its first answers.
    fn rewind(&mut self, answers: usize) {
        self.battle = self.battle.at(answers);
        self.gate = None;
        self.queue.clear();
        self.recorder = Recorder::default();
        let end = self.battle.events().len();
        self.seen.iter_mut().for_each(|n| *n = end.min(*n));
        self.seat();
        self.show_anew();
    }

    /// The player does not want to watch what happens until it is asked again.
    pub fn hurry(&mut self) {
        self.hurry = true;
        self.catch_up();
    }

    /// An AI has to answer.
    pub fn awaits_ai(&self) -> bool {
        let asked = self.battle.asked().filter(|_| self.replay.is_none());
        self.gate.is_none() && asked.is_some_and(|q| !self.is_human(q.side))
    }

    /// The AI that is asked answers.
    pub fn think(&mut self) {
        let Some(side) = self.battle.asked().map(|q| q.side) else {
            return;
        };
        let Some(ai) = &mut self.ais[side.index()] else {
            return;
        };
        let rolled = self.battle.dice().rolled();
        let choice = ai.get().choose(&mut self.battle);
        if let Err(why) = self.battle.answer(choice) {
            panic!("the AI of {side} chose what is not legal: {why}");
        }
        self.clicks.clear();
        if self.battle.dice().rolled() != rolled {
            self.queue.clear();
        }
        self.go_on();
    }

    // What the screen reads of the display world.

    pub fn figures(&mut self, who: Id) -> Vec<String> {
        (self.reader.figures)(&mut self.display.world, who)
    }

    pub fn reach(&mut self, who: Id) -> Vec<Reach> {
        (self.reader.reach)(&mut self.display.world, who)
    }

    pub fn way(&mut self, who: Id, via: &[Cell], to: Cell) -> Option<Way> {
        (self.reader.way)(&mut self.display.world, who, via, to)
    }

    pub fn blow(&mut self, choice: &Choice) -> Option<Result<Blow, Why>> {
        (self.reader.blow)(&mut self.display.world, choice)
    }

    pub fn spread(&mut self, choice: &Choice) -> Spread {
        (self.reader.spread)(&mut self.display.world, choice)
    }

    /// The plain attacks of one on another, whoever's turn it is, the most
    /// promising first.
    pub fn blows(&mut self, by: Id, at: Id) -> Vec<Blow> {
        read::blows(self.reader, &mut self.display.world, by, at)
    }

    /// What would lie between somebody at a cell and each of some foes.
    pub fn exchanges(&mut self, who: Id, at: Cell, foes: &[Id]) -> Vec<Exchange> {
        read::exchanges(self.reader, &mut self.display.world, who, at, foes)
    }

    /// The feet of the cheapest way to a cell, however many turns it takes.
    pub fn distance(&mut self, who: Id, to: Cell) -> Option<u16> {
        read::distance(&mut self.display.world, who, to)
    }

    pub fn odds(&mut self, choice: &Choice) -> Vec<Odds> {
        (self.reader.odds)(&mut self.display.world, choice)
    }

    pub fn area(&mut self, choice: &Choice) -> Vec<Cell> {
        (self.reader.area)(&mut self.display.world, choice)
    }

    pub fn draws(&mut self, choice: &Choice) -> Vec<Drawn> {
        (self.reader.draws)(&mut self.display.world, choice)
    }

    /// What would be lost by an act and could be had, a sentence each.
    pub fn slips(&mut self, choice: &Choice) -> Vec<String> {
        (self.reader.slips)(&mut self.display.world, choice)
    }

    pub fn threat(&mut self, who: Id) -> Option<u16> {
        (self.reader.threat)(&mut self.display.world, who)
    }

    pub fn reaction(&mut self, choice: &Choice) -> Vec<String> {
        (self.reader.reaction)(&mut self.display.world, choice)
    }

    /// The cheapest path by which one move takes somebody to a cell.
    pub fn path(&mut self, who: Id, to: Cell) -> Vec<Cell> {
        let range = (self.rules.range)(&mut self.display.world, who);
        if range.get(to).is_some() {
            range.path(to)
        } else {
            vec![range.from(), to]
        }
    }

    pub fn spell(&self, spell: SpellId) -> &Spell {
        self.display.world.resource::<Roster>().stock.spell(spell)
    }

    /// What one has to know of a spell to choose it.
    pub fn spell_lines(&self, spell: SpellId) -> Vec<String> {
        (self.reader.spell)(self.spell(spell))
    }

    /// The number that a choice of any number begins with.
    pub fn first(&mut self, choice: &Choice) -> Option<i32> {
        (self.reader.first)(&mut self.display.world, choice)
    }

    /// What would be if this were declared.
    pub fn foresee(&mut self, choice: &Choice) -> DeclarationPreview {
        (self.reader.foresee)(&mut self.display.world, choice)
    }

    /// The attacks that have been rolled and not yet settled.
    pub fn flights(&self) -> &[RolledAttack] {
        self.display.world.resource::<PendingAttacks>().all()
    }

    /// The display world, for those who read more of it than this.
    pub fn world(&self) -> &World {
        &self.display.world
    }
}

/// Whether a question is played by the act bar and on the board: one's own
/// turn, a declaration, or a whole turn that was held back and is taken out of
/// turn. Its offers are worked out for the one who is looked at; those of a
/// reaction are a short list.
pub fn is_turn(asked: &Decision) -> bool {
    !asked.reaction || matches!(asked.offers, Offers::ByActor(_))
}

/// While something lies over the whole window, the battle stands still.
pub fn is_on(veils: Query<(), With<Modal>>) -> bool {
    veils.is_empty()
}

/// The AI answers when everything before has been played.
fn think(mut session: ResMut<Session>, playback: Res<Playback>) {
    if !session.awaits_ai() || !session.hurry && (playback.busy || !session.is_caught_up()) {
        return;
    }
    // One answer a frame keeps the window alive; in a hurry the turn is run
    // through, which takes less than a blink.
    session.think();
    while session.hurry && session.awaits_ai() {
        session.think();
    }
    if session.hurry {
        session.catch_up();
        session.hurry = session.awaits_ai();
    }
}

/// How long the last blow stays in sight.
const CURTAIN: f32 = 1.2;

/// Shows the result once the end of the battle was seen.
fn close(
    session: Res<Session>,
    playback: Res<Playback>,
    time: Res<Time>,
    mut since: Local<f32>,
    mut next: ResMut<NextState<Screen>>,
) {
    if session.over().is_none() || session.replay().is_some() || playback.busy {
        *since = 0.0;
        return;
    }
    *since += time.delta_secs();
    if *since >= CURTAIN {
        *since = 0.0;
        next.set(Screen::Result);
    }
}

/// The next battle to be fought.
#[derive(Resource, Clone, Debug)]
pub struct Next {
    pub level: Arc<Level>,
    /// `None` leaves it to the command line, the level, and then the game.
    pub rules: Option<&'static Ruleset>,
    pub seed: u64,
}

/// A seed by chance: the one thing in the game that nobody can repeat, so it is
/// shown, and can be given on the command line.
pub fn any_seed() -> u64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    (now.as_micros() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40 & 0xFFFF
}

/// A session that waits for its screen: a battle that was saved, one that is
/// watched, one at a table of the player's own making. It goes before [`Next`].
#[derive(Resource)]
pub struct Ready(pub Session);

/// Starts the battle that is ready, or else the next.
pub fn begin(world: &mut World) {
    let session = match world.remove_resource::<Ready>() {
        Some(Ready(session)) => session,
        None => {
            let next = world.resource::<Next>();
            let rules = next.rules;
            let rules = rules.unwrap_or_else(|| world.resource::<Options>().rules_for(&next.level));
            Session::new(&next.level, rules, next.seed)
        }
    };
    world.insert_resource(session);
}
