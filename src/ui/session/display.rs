//! How much of the battle the screen has shown, and to which side.

use super::{Replay, Session, ShownMoment};
use crate::{
    battle::{Clock, Event, EventKind, Ground, Id, Map, Offer, Ruleset, Side, State, Unknown},
    levels::Level,
    ui::shown::{Shown, UnitView, rank},
};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

pub struct Display {
    /// The side from whose view the screen shows the battle.
    pub(super) player: Side,
    /// No human plays: the screen shows everything.
    pub(super) sees_all: bool,
    /// Number of events each side has seen.
    pub(super) seen: Vec<usize>,
    /// Whether the next player at the shared screen has yet to confirm being there.
    pub(super) is_sealed: bool,
    pub(super) replay: Option<Replay>,
    /// While a battle's last round is replayed, the number of events up to the current state.
    pub(super) rewatched: usize,
    pub(super) shown: Shown,
    /// The units that are shown lying before their fall is applied: see [`Session::show_fall`].
    felled: Vec<Id>,
    /// Events about unknown units, by number, with what the player sees instead, if anything.
    retold: BTreeMap<usize, Option<Event>>,
    /// No event from this number on is shown until the player ends the turn: all units have acted,
    /// but the last action can still be undone.
    pub(super) gate: Option<usize>,
    /// Whether the player skips animations until the next decision.
    pub(super) hurry: bool,
    /// Whether units with nothing worth a prompt are not asked.
    pub(super) skips: bool,
    /// The state whose decision is answered without the player, with `goes_on` unset: see
    /// [`Session::goes_on`].
    pub(super) goes_on: Option<ShownMoment>,
    /// The units that can react to the same action after the first, and the number of answers when
    /// they were found.
    pub(super) company: (usize, Vec<Asked>),
}

/// A unit that can react to the same action as another.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    pub who: Id,
    pub offers: Arc<Vec<Offer>>,
    /// Whether the player gets a prompt for it; otherwise it declines by itself.
    pub is_shown: bool,
}

/// A number that no display of any battle has had.
fn fresh_epoch() -> u32 {
    static COUNT: AtomicU32 = AtomicU32::new(1);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

impl Display {
    /// `player` is the side whose view is shown, `first` the first side that a human plays; both
    /// are `None` if no human plays.
    pub(super) fn new(
        level: &Level,
        rules: &Ruleset,
        (player, first): (Option<Side>, Option<Side>),
        sides: usize,
    ) -> Self {
        let mut units = UnitView::all_of(level, rules);
        for unit in &mut units {
            unit.rank = rank(unit.side, first.unwrap_or(Side(0)));
        }
        Self {
            player: player.unwrap_or(Side(0)),
            sees_all: player.is_none(),
            seen: vec![0; sides],
            is_sealed: false,
            replay: None,
            rewatched: 0,
            shown: Shown {
                epoch: fresh_epoch(),
                events: 0,
                clock: Clock::default(),
                units,
                board: level.board(),
                ground: vec![],
            },
            felled: vec![],
            retold: BTreeMap::new(),
            gate: None,
            hurry: false,
            skips: false,
            goes_on: None,
            company: (usize::MAX, vec![]),
        }
    }

    /// The side whose view is shown; `None` shows everything.
    pub(super) fn viewer(&self) -> Option<Side> {
        (!self.sees_all).then_some(self.player)
    }

    /// An event as the player sees it; `None` if it stays hidden.
    fn known_event<'e>(&'e self, n: usize, event: &'e Event) -> Option<&'e Event> {
        match self.retold.get(&n) {
            Some(instead) => instead.as_ref(),
            None => self.sees(event).then_some(event),
        }
    }

    fn sees(&self, event: &Event) -> bool {
        self.viewer().is_none_or(|side| event.seen.by(side))
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

    /// The round that the screen shows.
    pub fn round(&self) -> u16 {
        self.shown().clock.round
    }

    /// The events that the screen has shown and the player may know.
    pub fn known_events(&self) -> impl Iterator<Item = &Event> {
        self.known_events_since(0)
    }

    /// [`known_events`](Self::known_events), without the first `from` events of the battle.
    pub fn known_events_since(&self, from: usize) -> impl Iterator<Item = &Event> {
        let shown_events = self.game.events()[..self.shown().events].iter();
        let display = &self.display;
        let all = shown_events.enumerate().skip(from);
        all.filter_map(|(n, event)| display.known_event(n, event))
    }

    /// Whether the last action that a unit began is a spell.
    pub fn is_casting(&self, who: Id) -> bool {
        let begun = self.known_events().filter_map(|event| match &event.what {
            EventKind::Acted { choice } if choice.who == Some(who) => Some(choice),
            _ => None,
        });
        begun.last().is_some_and(|choice| choice.spell.is_some())
    }

    /// Whether every event has been shown.
    pub fn is_caught_up(&self) -> bool {
        self.shown().events == self.game.length()
    }

    pub fn has_next(&self) -> bool {
        self.shown().events < self.horizon()
    }

    /// The next events to show. Some may turn out to be about units unknown to the player.
    pub fn upcoming(&self) -> impl Iterator<Item = &Event> {
        let to_come = &self.game.events()[self.shown().events..self.horizon()];
        to_come.iter().filter(|e| self.display.sees(e))
    }

    /// The number of events that may be shown.
    pub(super) fn horizon(&self) -> usize {
        let until = self.display.replay.as_ref().map(|replay| replay.until);
        let end = self.game.length();
        self.display.gate.or(until).unwrap_or(end).min(end)
    }

    /// Applies the next event that the player may see to the display world; `None` if there is
    /// none.
    pub fn next_event(&mut self) -> Option<Event> {
        let mut seen = None;
        while seen.is_none() && self.queries.at() < self.horizon() {
            seen = self.step_on();
        }
        // The ruleset counts the round with an event of its own. Without it, the new round would
        // begin under the number of the old one.
        let begins = |event: &Event| matches!(event.what, EventKind::RoundBegan { .. });
        let at = self.queries.at();
        if seen.as_ref().is_some_and(begins)
            && at < self.horizon()
            && matches!(self.game.events()[at].what, EventKind::Ruleset(_))
        {
            self.step_on();
        }
        self.update_shown();
        seen
    }

    /// Applies all remaining events at once.
    pub fn catch_up(&mut self) {
        while self.queries.at() < self.horizon() {
            self.step_on();
        }
        self.replace_picture();
        self.update_shown();
    }

    /// Skips animations until the player's next decision.
    pub fn hurry(&mut self) {
        self.display.hurry = true;
        self.catch_up();
    }

    /// Requests that everything be put in place without animation.
    pub fn replace_picture(&mut self) {
        self.display.shown.epoch = fresh_epoch();
        self.display.felled.clear();
    }

    /// Shows a unit lying although its fall is not applied yet: the rules let units fall only after
    /// all attacks of one moment, but on the screen a unit falls with the hit that fells it.
    pub fn show_fall(&mut self, who: Id) {
        self.display.felled.push(who);
        self.update_shown();
    }

    /// Marks all events as seen by every side.
    pub(super) fn all_seen(&mut self) {
        self.catch_up();
        let at = self.shown().events;
        self.display.seen.fill(at);
    }

    /// Restarts the display from the beginning of the battle and shows what may be shown at once.
    pub(super) fn show_anew(&mut self) {
        self.display.rewatched = 0;
        self.display.retold.clear();
        *self.queries.display() = self.game.replica(self.display.viewer());
        self.catch_up();
    }

    /// Units and sides that the player does not know; empty for spectators.
    fn unknown(&self) -> Unknown {
        let viewer = self.display.viewer();
        viewer.map_or(Unknown::default(), |side| self.queries.unknown_to(side))
    }

    /// Applies one event to the display world. `None` if the player may not know it: it is secret,
    /// or about a unit unknown before and after. Lists are reduced to known units.
    fn step_on(&mut self) -> Option<Event> {
        let before = self.unknown();
        let display = self.queries.display();
        let n = display.at();
        let event = display.next(self.game.events())?.clone();
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

    /// Updates [`shown`](Self::shown) from the display world.
    pub fn update_shown(&mut self) {
        let unknown = self.unknown();
        let (rules, ruleset_ui) = (self.queries.rules, self.queries.ruleset_ui);
        let display = self.queries.display();
        let (at, world) = (display.at(), &mut display.world);
        let (shown, felled) = (&mut self.display.shown, &mut self.display.felled);
        self.display.seen[self.display.player.index()] = at;
        let turn = shown.clock.turn;
        shown.clock = (rules.planning.clock)(world).without(unknown);
        if shown.clock.turn.is_some_and(|side| unknown.has_side(side)) {
            shown.clock.turn = turn;
        }
        shown.events = at;
        shown.board = world.resource::<Map>().0.clone();
        shown.ground.clone_from(&world.resource::<Ground>().0);
        for unit in &mut shown.units {
            unit.update(ruleset_ui, world, unknown.has(unit.id));
            match unit.is_up() && felled.contains(&unit.id) {
                true => unit.state = State::Down,
                false => felled.retain(|&who| who != unit.id),
            }
        }
        self.note_missed();
    }
}
