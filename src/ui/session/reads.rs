//! What a ruleset's reader makes of the display world: the battle as far as the
//! screen has shown it. Asking changes nothing, so that whoever only looks
//! takes the session as it is.

use crate::{
    battle::{
        Action, Choice, Id, Item, Offer, PendingAttacks, Purpose, Replica, RolledAttack, Ruleset,
        Setup, Side, ThreatRange, Unknown, Why, Words, capitalised,
    },
    control::orders,
    grid::Cell,
    ui::read::{
        self, Blow, Button, DeclarationPreview, Drawn, Exchange, Odds, PlannedAttack, Reach,
        Reader, Spread, Trade, Way,
    },
};
use bevy::ecs::world::World;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The display world, and what reads it.
pub struct Reads {
    rules: &'static Ruleset,
    pub reader: &'static Reader,
    /// The buttons of the act bar.
    pub buttons: Arc<[Button]>,
    /// The verbs that a click on a cell in reach means.
    pub walks: Arc<[&'static Action]>,
    /// A world keeps what it needs to be asked, so even who only reads it must
    /// have it alone.
    display: Mutex<Replica>,
    /// Where each could attack, as long as nothing of that world changes.
    ranges: Mutex<HashMap<Id, Arc<ThreatRange>>>,
}

/// Each asks the function of the reader that has its name.
macro_rules! reader {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),+) -> $out:ty;)+) => {
        $($(#[$doc])* pub fn $name(&self, $($arg: $type),+) -> $out {
            self.ask(|world| (self.reader.$name)(world, $($arg),+))
        })+
    };
}

impl Reads {
    pub(super) fn new(rules: &'static Ruleset, display: Replica) -> Self {
        let reader = read::of(rules.id);
        Self {
            rules,
            reader,
            buttons: read::buttons(rules, reader).into(),
            walks: read::walks(rules, reader).into(),
            display: Mutex::new(display),
            ranges: Mutex::default(),
        }
    }

    pub(super) fn display(&mut self) -> &mut Replica {
        self.ranges
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        self.display
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The same of a copy of that world, to be read on a thread of its own.
    pub(super) fn copied(&self, setup: &Setup) -> Self {
        let display = self.display.lock().unwrap_or_else(PoisonError::into_inner);
        Self::new(self.rules, display.copied(setup))
    }

    /// Reads the display world, for those who read more of it than this.
    pub fn ask<T>(&self, look: impl FnOnce(&mut World) -> T) -> T {
        let mut display = self.display.lock().unwrap_or_else(PoisonError::into_inner);
        look(&mut display.world)
    }

    reader! {
        figures(who: Id) -> Vec<String>;
        reach(who: Id) -> Vec<Reach>;
        way(who: Id, via: &[Cell], to: Cell) -> Option<Way>;
        blow(choice: &Choice) -> Option<Result<Blow, Why>>;
        spread(choice: &Choice) -> Spread;
        trades(choice: &Choice) -> Vec<Trade>;
        odds(choice: &Choice) -> Vec<Odds>;
        area(choice: &Choice) -> Vec<Cell>;
        draws(choice: &Choice) -> Vec<Drawn>;
        /// What would be lost by an act and could be had, a sentence each.
        slips(choice: &Choice) -> Vec<String>;
        threat(who: Id) -> Option<u16>;
        reaction(choice: &Choice) -> Vec<String>;
        /// A reaction would change nothing of what it answers.
        futile(choice: &Choice) -> bool;
        /// The number that a choice of any number begins with.
        first(choice: &Choice) -> Option<i32>;
        /// What would be if this were declared.
        foresee(choice: &Choice) -> DeclarationPreview;
    }

    /// What is left to a unit that is asked is seldom worth a stop.
    pub fn trifles(&self, who: Id) -> bool {
        self.ask(|world| (self.reader.planning.trifles)(world, who))
    }

    /// What is to be declared for a purpose, in order.
    pub fn declare(&self, who: Id, purpose: &Purpose) -> Vec<Choice> {
        self.ask(|world| (self.reader.planning.declare)(world, who, purpose))
    }

    /// A unit that is asked now still has its moment to come.
    pub fn waits(&self, who: Id) -> bool {
        self.ask(|world| (self.reader.planning.waits)(world, who))
    }

    /// The weapons in hand whose moment comes after that of an attack.
    pub fn later(&self, choice: &Choice) -> Vec<Item> {
        self.ask(|world| (self.reader.planning.later)(world, choice))
    }

    /// Units of other sides that a side does not know of: the screen is silent about them.
    pub fn unknown(&self, side: Side) -> Vec<Id> {
        self.ask(|world| (self.rules.unknown)(world, side))
    }

    /// The units and the sides that a side knows nothing of.
    pub fn unknown_to(&self, side: Side) -> Unknown {
        self.ask(|world| self.rules.unknown_to(world, side))
    }

    /// What is to be declared for an attack from where one stands, in order.
    pub fn declare_blow(&self, blow: &Blow) -> Vec<Choice> {
        let purpose = Purpose::Attack {
            attack: blow.choice.clone(),
            feet: 0,
            guard: None,
        };
        self.declare(blow.by, &purpose)
    }

    /// The plain attacks of one on another, whoever's turn it is, the most
    /// promising first.
    pub fn blows(&self, by: Id, at: Id) -> Vec<Blow> {
        self.ask(|world| read::blows(self.reader, world, by, at))
    }

    /// An attack as it would be from elsewhere.
    pub fn blow_from(&self, by: (Id, Cell), choice: &Choice) -> Option<Blow> {
        self.standing(by, |world| (self.reader.blow)(world, choice)?.ok())
    }

    /// The same for somebody who stood elsewhere.
    pub fn blows_from(&self, by: (Id, Cell), at: Id) -> Vec<Blow> {
        self.standing(by, |world| read::blows(self.reader, world, by.0, at))
    }

    /// How the damage of an attack from elsewhere would be spread.
    pub fn spread_from(&self, by: (Id, Cell), choice: &Choice) -> Spread {
        self.standing(by, |world| (self.reader.spread)(world, choice))
    }

    /// The best attack of a foe on somebody who stood there.
    pub fn answer(&self, at: (Id, Cell), foe: Id) -> Option<(Blow, Spread)> {
        self.standing(at, |world| self.answer_in(world, at.0, foe))
    }

    fn answer_in(&self, world: &mut World, who: Id, foe: Id) -> Option<(Blow, Spread)> {
        if !(self.rules.threatens)(world, foe) {
            return None;
        }
        let blow = read::answers(self.reader, world, foe, who)
            .into_iter()
            .next()?;
        let spread = (self.reader.spread)(world, &blow.choice);
        Some((blow, spread))
    }

    /// An attack as its plan would make it.
    pub fn planned_blow(&self, plan: &PlannedAttack, choice: &Choice) -> Option<Blow> {
        self.as_planned(plan, |world| (self.reader.blow)(world, choice)?.ok())
    }

    /// How its damage would be spread.
    pub fn planned_spread(&self, plan: &PlannedAttack, choice: &Choice) -> Option<Spread> {
        self.as_planned(plan, |world| Some((self.reader.spread)(world, choice)))
    }

    /// The best attack of a foe on somebody whose plan has led to its end.
    pub fn answer_to(&self, plan: &PlannedAttack, foe: Id) -> Option<(Blow, Spread)> {
        self.as_planned(plan, |world| self.answer_in(world, plan.who, foe))
    }

    fn as_planned<T>(
        &self,
        plan: &PlannedAttack,
        mut look: impl FnMut(&mut World) -> Option<T>,
    ) -> Option<T> {
        self.standing((plan.who, plan.stand), |world| {
            let mut seen = None;
            (self.reader.planned)(world, plan, &mut |world| seen = look(world));
            seen
        })
    }

    /// Reads what would be if somebody stood there.
    fn standing<T>(&self, (who, at): (Id, Cell), look: impl FnOnce(&mut World) -> T) -> T {
        self.ask(|world| orders::standing_at(world, who, at, look))
    }

    /// What would lie between somebody at a cell and each of some foes.
    pub fn exchanges(&self, who: Id, at: Cell, foes: &[Id]) -> Vec<Exchange> {
        let mut all = self.ask(|world| read::exchanges(self.reader, world, who, at, foes));
        for exchange in &mut all {
            let threatens = self.threatens(exchange.foe);
            exchange.takes = exchange.takes.filter(|_| threatens);
        }
        all.retain(|exchange| exchange.gives.is_some() || exchange.takes.is_some());
        all
    }

    /// What the quick AI would answer for somebody, of these.
    pub fn sensible(&self, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
        self.ask(|world| (self.rules.policy)(world, who, offers).0)
    }

    /// Somebody could attack anybody in its next turn.
    pub fn threatens(&self, who: Id) -> bool {
        self.ask(|world| (self.rules.threatens)(world, who))
    }

    /// Where somebody could attack in its next turn if these others stood there.
    pub fn threat_range_if(&self, who: Id, stands: &[(Id, Cell)]) -> ThreatRange {
        let look = |world: &mut World| (self.rules.threat_range)(world, who);
        self.ask(|world| orders::standing_so(world, stands, look))
    }

    /// Where somebody could attack in its next turn.
    pub fn threat_range(&self, who: Id) -> Arc<ThreatRange> {
        let mut ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        let range = ranges.entry(who);
        let range = range.or_insert_with(|| Arc::new(self.threat_range_if(who, &[])));
        range.clone()
    }

    /// The best attack of a foe on somebody in its next turn, given where it could if
    /// these stood there.
    pub fn coming(
        &self,
        (foe, at): (Id, Id),
        range: &ThreatRange,
        stands: &[(Id, Cell)],
    ) -> Option<Blow> {
        let look = |world: &mut World| read::coming(self.reader, world, (foe, at), range);
        self.ask(|world| orders::standing_so(world, stands, look))
    }

    /// The best charge of somebody at a foe in its next turn.
    pub fn charge(&self, who: Id, at: Id) -> Option<Blow> {
        let range = self.threat_range(who);
        self.ask(|world| read::charge(self.reader, world, (who, at), &range))
    }

    /// An act is a spell that harms those whom it catches.
    pub fn harms(&self, choice: &Choice) -> bool {
        choice
            .spell
            .is_some_and(|spell| self.ask(|world| read::harms(world, spell)))
    }

    /// The feet of the cheapest way to a cell, however many turns it takes.
    pub fn distance(&self, who: Id, to: Cell) -> Option<u16> {
        self.ask(|world| orders::distance(world, who, to))
    }

    /// The cheapest path by which one move takes somebody to a cell.
    pub fn path(&self, who: Id, to: Cell) -> Vec<Cell> {
        let range = self.ask(|world| (self.rules.range)(world, who));
        if range.get(to).is_some() {
            range.path(to)
        } else {
            vec![range.from(), to]
        }
    }

    /// The attacks that have been rolled and not yet resolved.
    pub fn pending_attacks(&self) -> Vec<RolledAttack> {
        self.ask(|world| world.resource::<PendingAttacks>().all().to_vec())
    }

    /// What an act is called in the act bar.
    pub fn label(&self, verb: &'static Action) -> Words {
        let look = self.buttons.iter().find_map(|b| b.look(verb));
        look.map_or_else(|| capitalised(verb.name).into(), |l| l.label.clone())
    }

    /// What an act costs and does, in a sentence; perhaps nothing.
    pub fn help(&self, verb: &'static Action) -> &'static str {
        let look = self.buttons.iter().find_map(|b| b.look(verb));
        look.map_or("", |l| l.help)
    }
}
