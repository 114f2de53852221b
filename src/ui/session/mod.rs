//! The running battle, in three parts with an owner each. Nothing else answers
//! the battle.
//!
//! - [`Match`]: the battle, who plays which side, what may be taken back, what
//!   is written down.
//! - [`Display`]: how much of what happened the screen has shown, and to whom.
//! - [`Reads`]: the display world, and what the ruleset's reader makes of it.
//!
//! What needs several of them is done by the [`Session`] itself: here, and
//! - [`chances`]: who is asked at moments at which nobody is by default.
//! - [`seats`]: who sits where, the change of players at one screen, loading
//!   and saving.
//! - [`replay`]: a battle that is only watched.
//! - [`forecast`]: who is likely to win, from what the player knows.
//! - [`edit`]: changing what was declared, until the round begins.
//! - [`intents`]: what members are to do when their declared moment comes.
//! - [`missed`]: why a plan failed; [`results`]: what was planned for a round and what
//!   happened.
//! - [`why`]: what was weighed up before an answer, as far as the player may know.

mod chances;
mod display;
mod edit;
mod forecast;
mod game;
mod hint;
mod intents;
mod missed;
mod reads;
mod recorded_plans;
mod replay;
mod results;
mod seats;
pub mod thinking;
mod why;

pub use edit::Parked;
pub use game::{Match, fresh_id};
pub use hint::Hint;
pub use intents::{Failure, Held, Intent, Intents};
pub use reads::Reads;
pub use replay::{Mark, MarkKind, Replay, SPEEDS};
pub use results::UnitResult;
pub use seats::{Unloadable, now, usual};
pub use why::Told;

use super::{
    Options, Phase, Screen,
    modal::Modal,
    settings::Settings,
    shown::{Aim, Person},
};
use crate::{
    battle::{
        Action, Battle, Choice, Decision, DiceBox, Event, EventKind, GoalState, Id, Offer, PASS,
        Progress, Refused, Ruleset, Side, goal_state, level_setup, surrender,
    },
    control::{recording::Seat, simulation::Casts},
    levels::{Level, Objective},
};
use bevy::prelude::*;
pub use display::Asked;
use display::Display;
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Playback>()
        .init_resource::<thinking::FrameWait>();
    app.add_systems(
        Update,
        (
            think,
            close,
            foretell.run_if(|settings: Res<Settings>| settings.forecast),
        )
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

/// A moment of a battle on the screen: see [`Session::moment`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    picture: (u32, usize, Side),
    answered: usize,
    is_open: (Option<usize>, bool),
    intents: u32,
    company: usize,
}

impl Moment {
    /// The other is of the same battle, which has not been gone back in since.
    pub fn leads_to(self, other: Self) -> bool {
        self.picture.0 == other.picture.0
    }
}

/// A battle, as it is played and as the screen shows it. To look at it and to
/// ask its [`Reads`] leaves it unchanged; who writes it answers the battle or
/// shows more of it.
#[derive(Resource)]
pub struct Session {
    pub game: Match,
    pub reads: Reads,
    display: Display,
    outlook: forecast::Outlook,
    hints: hint::Hints,
    intents: Intents,
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
        Self::with_dice(level, rules, (seed, DiceBox::seeded(seed)), seats)
    }

    /// A new battle with dice that need not be those of its seed.
    pub fn with_dice(
        level: &Arc<Level>,
        rules: &'static Ruleset,
        (seed, dice): (u64, DiceBox),
        seats: Vec<Seat>,
    ) -> Self {
        let battle = Battle::new(level_setup(level), rules, dice);
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
        let is_human = |side: &Side| seats.get(side.index()) == Some(&Seat::Human);
        let all = (0..seats.len()).map(|n| Side(n as u8));
        let first = all.clone().find(is_human);
        let player = eyes.filter(is_human).or(first);
        let display = Display::new(level, battle.rules(), (player, first), seats.len());
        let game = Match::new(level, battle, seed, seats);
        let reads = Reads::new(game.rules(), game.replica(player));
        let mut session = Self {
            game,
            reads,
            display,
            outlook: forecast::Outlook::default(),
            hints: hint::Hints::default(),
            intents: Intents::default(),
        };
        session.look();
        session
    }

    /// What each side has to do and how far that has come, as the screen has
    /// shown it: the player's own first.
    pub fn aims(&self) -> Vec<Aim> {
        let level = self.game.level();
        let unknown = self.reads.unknown(self.player());
        let states = |world: &mut World| {
            let all = 0..level.objectives.len();
            let is_known = |id: Id| !unknown.contains(&id);
            Vec::from_iter(all.map(|n| goal_state(world, n, is_known)))
        };
        let all = std::iter::zip(&level.objectives, self.reads.ask(states));
        let told =
            |(o, state): (&Objective, GoalState)| Aim::new(o.side.into(), o.text.clone(), state);
        let mut aims: Vec<Aim> = all.map(told).collect();
        aims.sort_by_key(|aim| (aim.side != self.player(), aim.side));
        aims
    }

    /// The member of the player's side that is asked out of turn.
    pub fn asked_member(&self) -> Option<Id> {
        let asked = self.question().filter(|q| !q.is_turn())?;
        asked.actors.first().copied()
    }

    /// The winner, once the end has been shown.
    pub fn over(&self) -> Option<Option<Side>> {
        self.game.over().filter(|_| self.is_caught_up())
    }

    /// What the player is asked, once everything that led to it was shown.
    pub fn question(&self) -> Option<&Decision> {
        let asked = self.asked().filter(|q| self.game.is_human(q.side))?;
        let is_players = asked.side == self.player() && !self.display.is_sealed;
        (is_players && self.is_settled()).then_some(asked)
    }

    /// What anybody is asked; nobody is in a recording.
    fn asked(&self) -> Option<&Decision> {
        let asked = self.game.battle.asked();
        asked.filter(|_| self.display.replay.is_none())
    }

    /// Everything was shown, and nothing waits for the player's word.
    fn is_settled(&self) -> bool {
        self.display.gate.is_none() && self.is_caught_up()
    }

    /// The player's own turn, as opposed to a reaction.
    pub fn is_players_turn(&self) -> bool {
        self.question().is_some_and(Decision::is_turn)
    }

    /// The player is asked to choose from a list, out of turn.
    pub fn is_prompted(&self) -> bool {
        self.question().is_some_and(|q| !q.is_turn())
    }

    /// The player's turn is over but for the player's word: see
    /// [`end_turn`](Self::end_turn).
    pub fn awaits_end_of_turn(&self) -> bool {
        self.display.gate.is_some() && !self.has_next()
    }

    /// What the question and all that is read about it depend on: as long as
    /// this is the same, so are they.
    pub fn moment(&self) -> Moment {
        let (display, shown) = (&self.display, self.shown());
        Moment {
            picture: (shown.epoch, shown.events, display.player),
            answered: self.game.answered(),
            is_open: (display.gate, display.is_sealed),
            intents: self.intents.version,
            company: self.company().len(),
        }
    }

    /// What reads the battle as it is shown now, for a thread of its own.
    pub fn reads_apart(&self) -> Reads {
        self.reads.copied(&self.game.setup)
    }

    /// What one of those asked may do.
    pub fn offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        match self.question() {
            Some(_) => self.game.offers_of(who),
            None => Arc::default(),
        }
    }

    /// How one of those asked says that they are done for the turn, if they may.
    pub fn done_verb(&mut self, who: Id) -> Option<&'static Action> {
        // A reaction is let pass in its own list.
        self.question().filter(|q| !q.reaction)?;
        let offers = self.offers_of(who);
        let is_offered = |verb: &&&'static Action| {
            let fits = |o: &Offer| o.is_legal() && o.choice.verb == **verb;
            offers.iter().any(fits)
        };
        let verbs = self.reads.rules.planning.done;
        verbs.iter().find(is_offered).copied()
    }

    /// The player is asked, but nobody of those asked has more to do than what
    /// is seldom worth a stop.
    pub fn is_trifling(&self) -> bool {
        let asked = self.question().filter(|q| q.is_turn());
        asked.is_some_and(|q| q.actors.iter().all(|&who| self.reads.trifles(who)))
    }

    /// Members of the player's side who are asked and have something left to do
    /// that is worth a stop.
    pub fn idle_members(&self) -> impl Iterator<Item = &Person> {
        let asked = self.question().filter(|q| q.is_turn());
        let actors = asked.map_or(&[][..], |q| &q.actors);
        let members = actors.iter().map(|&id| self.shown().person(id));
        members.filter(|p| p.is_up() && !p.done && !self.reads.trifles(p.id))
    }

    /// Gives the player's answers, one after the other. The later ones are
    /// given only if the first went as foreseen.
    pub fn give(&mut self, orders: &[Choice]) -> Result<(), Refused> {
        let Some((first, rest)) = orders.split_first() else {
            return Ok(());
        };
        let (before, events) = (self.game.answered(), self.game.length());
        let round = self.shown().clock.round;
        let declares = self.is_declaring();
        self.answer(first, |game| {
            if game.length() == events {
                game.chosen.push((before, events, first.clone()));
            }
            game.queue = rest.iter().cloned().collect();
            game.clicks.push(before);
        })?;
        if let Some(who) = first.who {
            self.intents.make_good(who);
        }
        for (n, order) in orders.iter().enumerate().filter(|_| declares) {
            self.intents.say(round, before + n, order);
        }
        self.display.hurry = false;
        Ok(())
    }

    /// Units of the player's side that can react to the same act, after the unit that is
    /// asked now.
    pub fn company(&self) -> &[Asked] {
        match self.display.company.0 == self.game.answered() && self.is_prompted() {
            true => &self.display.company.1,
            false => &[],
        }
    }

    /// Finds the units that can react to this act after the first, once or `anew`. `look` says
    /// whether the player is asked about a unit; none if the settings answer with a
    /// reaction.
    pub fn find_company(
        &mut self,
        anew: bool,
        mut look: impl FnMut(&mut Self, Id, &Arc<Vec<Offer>>) -> Option<bool>,
    ) {
        let answered = self.game.answered();
        if self.display.company.0 == answered && !anew {
            return;
        }
        self.display.company = (answered, vec![]);
        let Some(asked) = self.question().filter(|q| !q.is_turn()).cloned() else {
            return;
        };
        let mut found: Vec<Asked> = vec![];
        let mut fork = self.game.battle.fork(DiceBox::seeded(0));
        let mut before = asked.actors.first().copied();
        while let Some(who) = before.take() {
            // Answers are sealed from each other: nothing has happened yet.
            let pass = Choice::new(&PASS, who);
            if fork.answer(pass).is_err() || !fork.events().is_empty() {
                break;
            }
            let next = fork
                .asked()
                .filter(|q| !q.is_turn() && q.side == asked.side);
            let Some(who) = next.and_then(|q| q.actors.first().copied()) else {
                break;
            };
            let mut offers = fork.offers_of(who);
            if !self.game.battle.wants_chances(who) && offers.iter().any(|o| o.rare) {
                offers = Arc::new(offers.iter().filter(|o| !o.rare).cloned().collect());
            }
            let Some(is_shown) = look(self, who, &offers) else {
                break;
            };
            found.push(Asked {
                who,
                offers,
                is_shown,
            });
            before = Some(who);
        }
        let last = found.iter().rposition(|asked| asked.is_shown);
        found.truncate(last.map_or(0, |n| n + 1));
        self.display.company.1 = found;
    }

    /// Gives the reaction of one unit; all others that can react to the act pass.
    pub fn react(&mut self, choice: &Choice) -> Result<(), Refused> {
        let Some(first) = self.asked_member() else {
            return self.give(std::slice::from_ref(choice));
        };
        let others = self.company().iter().map(|asked| asked.who);
        let all: Vec<Id> = std::iter::once(first).chain(others).collect();
        let is_mine = |who: Id| choice.who == Some(who) && choice.verb != &PASS;
        let order = |&who: &Id| match is_mine(who) {
            true => choice.clone(),
            false => Choice::new(&PASS, who),
        };
        let orders: Vec<Choice> = all.iter().map(order).collect();
        self.give(&orders[..1])?;
        for order in &orders[1..] {
            if self.asked_member() != order.who {
                break;
            }
            self.give_settled(order)?;
        }
        Ok(())
    }

    /// Gives the answers that somebody was to give as they had planned. The turn
    /// needs no last word for them.
    pub fn give_planned(&mut self, orders: &[Choice]) -> Result<(), Refused> {
        self.give(orders)?;
        self.game.clicks.clear();
        self.display.gate = None;
        Ok(())
    }

    /// Gives an answer that the player has settled beforehand. It is taken back
    /// together with what the player did before.
    pub fn give_settled(&mut self, choice: &Choice) -> Result<(), Refused> {
        self.answer(choice, |_| {})
    }

    /// Why the player's side cannot surrender now, if so.
    pub fn may_retreat(&self) -> Result<(), &'static str> {
        let side = self.player();
        let world = self.game.world();
        let progress = world.get_resource::<Progress>();
        if progress.is_some_and(|progress| progress.is_surrendering(side)) {
            Err("Your units leave at the end of the round.")
        } else if self.question().is_none_or(|asked| asked.side != side) {
            Err("It's not your turn.")
        } else {
            Ok(())
        }
    }

    /// The player's side surrenders: its units leave at the end of the round (OP-08). This
    /// cannot be taken back.
    ///
    /// # Errors
    /// Why the side cannot surrender.
    pub fn retreat(&mut self) -> Result<(), Refused> {
        self.give_settled(&surrender(self.player()))?;
        self.game.clicks.clear();
        Ok(())
    }

    fn answer(&mut self, choice: &Choice, note: impl FnOnce(&mut Match)) -> Result<(), Refused> {
        if self.question().is_none() {
            return Err(Refused::NobodyAsked);
        }
        let side = self.question().map(|asked| asked.side);
        self.game.battle.answer(choice.clone())?;
        side.into_iter()
            .for_each(|side| self.game.human_decided(side));
        note(&mut self.game);
        if !self.game.battle.can_undo() {
            self.game.clicks.clear();
            self.game.queue.clear();
        }
        self.game.go_on();
        self.mind_the_turn();
        Ok(())
    }

    /// When the player's turn has ended by itself and the last thing done in
    /// it could be taken back, the player has the last word.
    fn mind_the_turn(&mut self) {
        let (game, player) = (&self.game, self.display.player);
        let goes_on = |asked: &Decision| asked.side == player || asked.reaction;
        let has_ended = game.battle.asked().is_some_and(|asked| !goes_on(asked));
        if !has_ended || game.clicks.is_empty() || game.is_over() {
            return;
        }
        let last = game.answered() - 1;
        let Some(end_turn) = self.reads.rules.planning.end_turn else {
            return;
        };
        if game.answers()[last].verb == end_turn {
            return;
        }
        let from = game.battle.events_before(last);
        let is_next = |e: &Event| {
            matches!(
                e.what,
                EventKind::RoundBegan { .. } | EventKind::RoundEnded | EventKind::TurnBegan { .. }
            )
        };
        let next = game.battle.events()[from..].iter().position(is_next);
        self.display.gate = next.map(|n| from + n);
    }

    /// Ends the player's turn.
    pub fn end_turn(&mut self) {
        if self.display.gate.take().is_some() {
            self.game.clicks.clear();
        } else if self.is_players_turn()
            && let Some(verb) = self.reads.rules.planning.end_turn
            && let Some(side) = self.question().map(|asked| asked.side)
        {
            // The answer is legal: it is what every own turn offers.
            let _ = self.give(&[Choice::of_side(verb, side)]);
            self.game.clicks.clear();
            self.display.gate = None;
        }
    }

    pub fn can_undo(&self) -> bool {
        self.held().is_some() || !self.game.clicks.is_empty() && !self.has_next()
    }

    /// Takes back the last thing that the player did, or that was done as they
    /// had planned it: they are asked again.
    pub fn undo(&mut self) -> Option<Id> {
        if let Some(who) = self.held().map(|held| held.who) {
            self.hold(None);
            return Some(who);
        }
        let answers = self.game.clicks.pop()?;
        let who = self.game.answers().get(answers).and_then(|c| c.who);
        self.rewind(answers);
        who.into_iter().for_each(|who| self.ask_again(who));
        who
    }

    /// The battle as it stood after its first answers.
    fn rewind(&mut self, answers: usize) {
        self.game.rewind(answers);
        self.intents.rewind(answers);
        self.display.gate = None;
        let end = self.game.length();
        self.display.seen.iter_mut().for_each(|n| *n = end.min(*n));
        self.show_anew();
    }

    /// An AI has to answer.
    pub fn awaits_ai(&self) -> bool {
        let asked = self.asked().filter(|_| self.display.gate.is_none());
        asked.is_some_and(|q| !self.game.is_human(q.side))
    }

    /// The AI that is asked answers, however long it thinks.
    pub fn think(&mut self) {
        self.game.think(true);
    }
}

/// The battle goes on: no modal is open.
pub fn is_on(modals: Query<(), With<Modal>>) -> bool {
    modals.is_empty()
}

/// The AI answers when everything before has been played.
fn think(mut session: ResMut<Session>, playback: Res<Playback>) {
    if !session.awaits_ai() {
        return;
    }
    // It may think while the board still plays.
    if !session.display.hurry && (playback.busy || !session.is_caught_up()) {
        session.bypass_change_detection().game.ponder();
        return;
    }
    // One answer a frame keeps the window alive; in a hurry the turn is run
    // through, which takes less than a blink.
    if !session.display.hurry {
        let answered = session.game.answered();
        session.bypass_change_detection().game.think(false);
        if session.game.answered() != answered {
            session.set_changed();
        }
        return;
    }
    while session.display.hurry && session.awaits_ai() {
        session.think();
    }
    session.catch_up();
    session.display.hurry = session.awaits_ai();
}

/// The forecast becomes better while the player thinks.
fn foretell(mut session: ResMut<Session>) {
    if session.bypass_change_detection().foretell() {
        session.set_changed();
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

/// The battle is fought to try a level that is being made: nothing of it is kept,
/// and whoever leaves it is back where the level is made.
#[derive(Resource)]
pub struct Trial;

/// Starts the battle that is ready, or else the next.
pub fn begin(world: &mut World) {
    let session = match world.remove_resource::<Ready>() {
        Some(Ready(session)) => session,
        None => {
            let (next, options) = (world.resource::<Next>(), world.resource::<Options>());
            let rules = next.rules;
            let rules = rules.unwrap_or_else(|| options.rules_for(&next.level));
            Session::seated(&next.level, rules, next.seed, options.seats(&next.level))
        }
    };
    world.insert_resource(session);
}
