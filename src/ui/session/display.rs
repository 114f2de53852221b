//! How much of what happened the screen has shown, and to whom.

use super::{Replay, Session};
use crate::{
    battle::{Clock, Event, Ground, Id, Map, Offer, Ruleset, Side, Unknown},
    levels::Level,
    ui::shown::{Person, Shown, rank},
};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

/// What the screen shows of the battle.
pub struct Display {
    /// The side whose eyes the screen looks through.
    pub(super) player: Side,
    /// Nobody plays: the screen sees all that happens.
    pub(super) sees_all: bool,
    /// How many events the eyes of each side have seen.
    pub(super) seen: Vec<usize>,
    /// The screen was left to another player, who has not said yet that they
    /// are there.
    pub(super) is_sealed: bool,
    /// The battle is a recording that is watched.
    pub(super) replay: Option<Replay>,
    pub(super) shown: Shown,
    /// Events, by number, about units unknown to the player: what is told of them
    /// instead, if anything.
    retold: BTreeMap<usize, Option<Event>>,
    /// The turn has ended by itself, with something that could be taken back:
    /// nothing beyond this event is shown before the player says so.
    pub(super) gate: Option<usize>,
    /// The player does not want to watch until asked again.
    pub(super) hurry: bool,
    /// The units that react to the same act after the unit that is asked now, and the
    /// number of answers at which they were found.
    pub(super) company: (usize, Vec<Asked>),
}

/// A unit that can react to the same act as another.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    pub who: Id,
    pub offers: Arc<Vec<Offer>>,
    /// The player is asked; otherwise it passes by itself.
    pub is_shown: bool,
}

/// A number that no picture of any battle has had.
fn fresh_epoch() -> u32 {
    static COUNT: AtomicU32 = AtomicU32::new(1);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

impl Display {
    /// `first` is the first side that a human plays, if there is one.
    pub(super) fn new(
        level: &Level,
        rules: &Ruleset,
        (player, first): (Option<Side>, Option<Side>),
        sides: usize,
    ) -> Self {
        let mut people = Person::all_of(level, rules);
        for person in &mut people {
            person.rank = rank(person.side, first.unwrap_or(Side(0)));
        }
        Self {
            player: player.unwrap_or(Side(0)),
            sees_all: player.is_none(),
            seen: vec![0; sides],
            is_sealed: false,
            replay: None,
            shown: Shown {
                epoch: fresh_epoch(),
                events: 0,
                clock: Clock::default(),
                people,
                board: level.board(),
                ground: vec![],
            },
            retold: BTreeMap::new(),
            gate: None,
            hurry: false,
            company: (usize::MAX, vec![]),
        }
    }

    /// Whose eyes the screen has; none sees all.
    fn eyes(&self) -> Option<Side> {
        (!self.sees_all).then_some(self.player)
    }

    /// What the player is told of an event of this number; none if nothing.
    fn told<'e>(&'e self, n: usize, event: &'e Event) -> Option<&'e Event> {
        match self.retold.get(&n) {
            Some(instead) => instead.as_ref(),
            None => self.sees(event).then_some(event),
        }
    }

    fn sees(&self, event: &Event) -> bool {
        self.eyes().is_none_or(|side| event.seen.by(side))
    }
}

impl Session {
    pub fn player(&self) -> Side {
        self.display.player
    }

    /// The battle as the screen shows it now.
    pub fn shown(&self) -> &Shown {
        &self.display.shown
    }

    /// The events that the screen has shown and the player may know of.
    pub fn told(&self) -> impl Iterator<Item = &Event> {
        self.told_since(0)
    }

    /// Those of them after the first `from` events of the battle.
    pub fn told_since(&self, from: usize) -> impl Iterator<Item = &Event> {
        let told = self.game.battle.events()[..self.shown().events].iter();
        let display = &self.display;
        let all = told.enumerate().skip(from);
        all.filter_map(|(n, event)| display.told(n, event))
    }

    /// Everything that happened has been shown.
    pub fn is_caught_up(&self) -> bool {
        self.shown().events == self.game.length()
    }

    /// There is an event to be played.
    pub fn has_next(&self) -> bool {
        self.shown().events < self.horizon()
    }

    /// The events that are to be shown next. Some of them may turn out to be
    /// about somebody unknown to the player.
    pub fn upcoming(&self) -> impl Iterator<Item = &Event> {
        let to_come = &self.game.battle.events()[self.shown().events..self.horizon()];
        to_come.iter().filter(|e| self.display.sees(e))
    }

    /// Up to which event may be shown.
    pub(super) fn horizon(&self) -> usize {
        let until = self.display.replay.as_ref().map(|replay| replay.until);
        let end = self.game.length();
        self.display.gate.or(until).unwrap_or(end).min(end)
    }

    /// Applies the next event that the player may see to the display world.
    pub fn next_event(&mut self) -> Option<Event> {
        let seen = self.next_unlooked();
        self.look();
        seen
    }

    /// The same; the picture of it is still to be looked at.
    pub(super) fn next_unlooked(&mut self) -> Option<Event> {
        let mut seen = None;
        while seen.is_none() && self.reads.at() < self.horizon() {
            seen = self.step_on();
        }
        seen
    }

    /// Shows at once all that is left to be shown.
    pub fn catch_up(&mut self) {
        while self.reads.at() < self.horizon() {
            self.step_on();
        }
        self.replace_picture();
        self.look();
    }

    /// The player does not want to watch what happens until asked again.
    pub fn hurry(&mut self) {
        self.display.hurry = true;
        self.catch_up();
    }

    /// Everything is to be put in its place without animation.
    pub fn replace_picture(&mut self) {
        self.display.shown.epoch = fresh_epoch();
    }

    /// All that has happened is known to everybody at the screen.
    pub(super) fn all_seen(&mut self) {
        self.catch_up();
        let at = self.shown().events;
        self.display.seen.fill(at);
    }

    /// Begins to show the battle afresh, and shows what may be shown at once.
    pub(super) fn show_anew(&mut self) {
        self.display.retold.clear();
        *self.reads.display() = self.game.replica(self.display.eyes());
        self.catch_up();
    }

    /// Units and sides the player knows nothing of; who watches knows of everybody.
    fn unknown(&self) -> Unknown {
        let eyes = self.display.eyes();
        eyes.map_or(Unknown::default(), |side| self.reads.unknown_to(side))
    }

    /// Applies one event to the display world; none if the player may not know
    /// of it, as it is sealed or about somebody whose place is unknown before
    /// and after. Of a list only those are told whom the player knows.
    fn step_on(&mut self) -> Option<Event> {
        let before = self.unknown();
        let display = self.reads.display();
        let n = display.at();
        let event = display.next(self.game.battle.events())?.clone();
        if !self.display.sees(&event) {
            return None;
        }
        if before.is_empty() {
            return Some(event);
        }
        let unknown = before.and(self.unknown());
        match event.without(unknown) {
            Some(Cow::Borrowed(_)) => Some(event),
            instead => {
                let instead = instead.map(Cow::into_owned);
                self.display.retold.insert(n, instead.clone());
                instead
            }
        }
    }

    /// Reads the display world.
    pub fn look(&mut self) {
        let unknown = self.unknown();
        let (rules, reader) = (self.reads.rules, self.reads.reader);
        let display = self.reads.display();
        let (at, world) = (display.at(), &mut display.world);
        let shown = &mut self.display.shown;
        self.display.seen[self.display.player.index()] = at;
        let turn = shown.clock.turn;
        shown.clock = (rules.planning.clock)(world).without(unknown);
        if shown.clock.turn.is_some_and(|side| unknown.has_side(side)) {
            shown.clock.turn = turn;
        }
        shown.events = at;
        shown.board = world.resource::<Map>().0.clone();
        shown.ground.clone_from(&world.resource::<Ground>().0);
        for person in &mut shown.people {
            person.update(reader, world, unknown.has(person.id));
        }
        self.note_missed();
    }
}
