//! What a ruleset's reader makes of the display world: the battle as far as the
//! screen has shown it. Asking changes nothing, so that whoever only looks
//! takes the session as it is.

use crate::{
    battle::{
        Action, AttackForecast, Choice, Id, Item, Names, Odds, Offer, PendingAttacks,
        PlannedAttack, Provoked, Purpose, Reach, Replica, RolledAttack, Ruleset, Setup, Side,
        Spread, ThreatRange, Trade, Unknown, Way, Why, Words, capitalised, standing_at,
        standing_so,
    },
    control::{
        exchange::{self, Exchange},
        orders,
    },
    grid::Cell,
    ui::read::{self, Button, DeclarationPreview, Look, Reader},
};
use bevy::ecs::world::World;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The display world, and what reads it.
pub struct Reads {
    pub rules: &'static Ruleset,
    pub reader: &'static Reader,
    /// The buttons of the act bar.
    pub buttons: Arc<[Button]>,
    /// A world keeps what it needs to be asked, so even who only reads it must
    /// have it alone.
    display: Mutex<Replica>,
    /// Where each could attack, as long as nothing of that world changes.
    ranges: Mutex<HashMap<Id, Arc<ThreatRange>>>,
    forecasts: Forecasts,
}

/// What was worked out, as long as nothing of the display world changes: for choices, or
/// for whatever else it was asked for.
struct Known<T, K = Choice>(Mutex<Vec<(K, T)>>);

impl<T, K> Default for Known<T, K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone, K: PartialEq + Clone> Known<T, K> {
    fn get(&self, key: &K, fresh: impl FnOnce() -> T) -> T {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = lock().iter().find(|known| known.0 == *key) {
            return known.clone();
        }
        let found = fresh();
        lock().push((key.clone(), found.clone()));
        found
    }
}

/// A unit, and where it is supposed to stand.
type Stand = (Id, Cell);

/// A planned attack as a key.
type Planned = (Stand, Vec<Choice>, u16);

fn key_of(plan: &PlannedAttack) -> Planned {
    ((plan.who, plan.stand), plan.orders.to_vec(), plan.feet)
}

/// Parts of forecasts, each worked out once.
#[derive(Default)]
struct Forecasts {
    attack: Known<Option<Result<AttackForecast, Why>>>,
    spread: Known<Spread>,
    trades: Known<Vec<Trade>>,
    odds: Known<Vec<Odds>>,
    area: Known<Vec<Cell>>,
    provoked: Known<Vec<Provoked>>,
    warnings: Known<Vec<String>>,
    changes: Known<Vec<String>>,
    is_futile: Known<bool>,
    /// The attacks on a unit of one that stood elsewhere.
    blows_from: Known<Vec<AttackForecast>, (Stand, Id)>,
    /// The best attack of an enemy on a unit that stood elsewhere.
    answer: Known<Option<(AttackForecast, Spread)>, (Stand, Id)>,
    planned_blow: Known<Option<AttackForecast>, (Planned, Choice)>,
    planned_spread: Known<Option<Spread>, (Planned, Choice)>,
    /// The best attack of an enemy on a unit whose plan has led to its end.
    answer_to: Known<Option<(AttackForecast, Spread)>, (Planned, Id)>,
    /// What would lie between a unit that stood elsewhere and its enemies.
    exchanges: Known<Vec<Exchange>, (Stand, Vec<Id>)>,
}

/// Each asks the ruleset's forecast that has its name, once for a choice.
macro_rules! forecasts {
    ($($(#[$doc:meta])* $name:ident -> $out:ty;)+) => {
        $($(#[$doc])* pub fn $name(&self, choice: &Choice) -> $out {
            let fresh = || self.ask(|world| (self.rules.forecasting.$name)(world, choice));
            self.forecasts.$name.get(choice, fresh)
        })+
    };
}

impl Reads {
    pub(super) fn new(rules: &'static Ruleset, display: Replica) -> Self {
        let reader = read::of(rules.id);
        Self {
            rules,
            reader,
            buttons: read::buttons(rules).into(),
            display: Mutex::new(display),
            ranges: Mutex::default(),
            forecasts: Forecasts::default(),
        }
    }

    pub(super) fn display(&mut self) -> &mut Replica {
        self.ranges
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        self.forecasts = Forecasts::default();
        self.display
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// How many events have been applied to the display world.
    pub(super) fn at(&self) -> usize {
        self.display
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .at()
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

    pub fn figures(&self, who: Id) -> Vec<String> {
        self.ask(|world| (self.reader.figures)(world, who))
    }

    /// What would be if this were declared.
    pub fn foresee(&self, choice: &Choice) -> DeclarationPreview {
        self.ask(|world| (self.reader.foresee)(world, choice))
    }

    forecasts! {
        /// What an attack would be; none if it is no attack.
        attack -> Option<Result<AttackForecast, Why>>;
        spread -> Spread;
        trades -> Vec<Trade>;
        odds -> Vec<Odds>;
        area -> Vec<Cell>;
        provoked -> Vec<Provoked>;
        /// What would be lost by an act and could be had, a sentence each.
        warnings -> Vec<String>;
        /// What a reaction would change, a line each.
        changes -> Vec<String>;
        /// A reaction would change nothing of what it answers.
        is_futile -> bool;
    }

    /// Where a unit could move to now.
    pub fn reach(&self, who: Id) -> Vec<Reach> {
        self.ask(|world| (self.rules.forecasting.reach)(world, who))
    }

    /// How it would move there, by way of some cells in their order.
    pub fn way(&self, who: Id, via: &[Cell], to: Cell) -> Option<Way> {
        self.ask(|world| (self.rules.forecasting.way)(world, who, via, to))
    }

    /// The feet within which a unit attacks an enemy that leaves.
    pub fn threat(&self, who: Id) -> Option<u16> {
        self.ask(|world| (self.rules.forecasting.threat)(world, who))
    }

    /// The number that a choice of any number begins with.
    pub fn first(&self, choice: &Choice) -> Option<i32> {
        self.ask(|world| (self.rules.forecasting.first)(world, choice))
    }

    /// What is left to a unit that is asked is seldom worth a stop.
    pub fn trifles(&self, who: Id) -> bool {
        self.ask(|world| (self.rules.planning.trifles)(world, who))
    }

    /// What is to be declared for a purpose, in order.
    pub fn declare(&self, who: Id, purpose: &Purpose) -> Vec<Choice> {
        self.ask(|world| (self.rules.planning.declare)(world, who, purpose))
    }

    /// A unit that is asked now still has its moment to come.
    pub fn waits(&self, who: Id) -> bool {
        self.ask(|world| (self.rules.planning.waits)(world, who))
    }

    /// The weapons in hand whose moment comes after that of an attack.
    pub fn later(&self, choice: &Choice) -> Vec<Item> {
        self.ask(|world| (self.rules.planning.later)(world, choice))
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
    pub fn declare_blow(&self, blow: &AttackForecast) -> Vec<Choice> {
        let purpose = Purpose::Attack {
            attack: blow.choice.clone(),
            feet: 0,
            guard: None,
        };
        self.declare(blow.by, &purpose)
    }

    /// The plain attacks of one on another, whoever's turn it is, the most
    /// promising first.
    pub fn blows(&self, by: Id, at: Id) -> Vec<AttackForecast> {
        self.ask(|world| exchange::blows(self.rules, world, by, at))
    }

    /// An attack as it would be from elsewhere.
    pub fn blow_from(&self, by: Stand, choice: &Choice) -> Option<AttackForecast> {
        self.standing(by, |world| {
            (self.rules.forecasting.attack)(world, choice)?.ok()
        })
    }

    /// The same for somebody who stood elsewhere.
    pub fn blows_from(&self, by: Stand, at: Id) -> Vec<AttackForecast> {
        let fresh = || self.standing(by, |world| exchange::blows(self.rules, world, by.0, at));
        self.forecasts.blows_from.get(&(by, at), fresh)
    }

    /// How the damage of an attack from elsewhere would be spread.
    pub fn spread_from(&self, by: Stand, choice: &Choice) -> Spread {
        self.standing(by, |world| (self.rules.forecasting.spread)(world, choice))
    }

    /// The best attack of a foe on somebody who stood there.
    pub fn answer(&self, at: Stand, foe: Id) -> Option<(AttackForecast, Spread)> {
        let fresh = || self.standing(at, |world| self.answer_in(world, at.0, foe));
        self.forecasts.answer.get(&(at, foe), fresh)
    }

    fn answer_in(&self, world: &mut World, who: Id, foe: Id) -> Option<(AttackForecast, Spread)> {
        if !(self.rules.threatens)(world, foe) {
            return None;
        }
        let blow = exchange::answers(self.rules, world, foe, who)
            .into_iter()
            .next()?;
        let spread = (self.rules.forecasting.spread)(world, &blow.choice);
        Some((blow, spread))
    }

    /// An attack as its plan would make it.
    pub fn planned_blow(&self, plan: &PlannedAttack, choice: &Choice) -> Option<AttackForecast> {
        let look = |world: &mut World| (self.rules.forecasting.attack)(world, choice)?.ok();
        let key = (key_of(plan), choice.clone());
        let fresh = || self.as_planned(plan, look);
        self.forecasts.planned_blow.get(&key, fresh)
    }

    /// How its damage would be spread.
    pub fn planned_spread(&self, plan: &PlannedAttack, choice: &Choice) -> Option<Spread> {
        let look = |world: &mut World| Some((self.rules.forecasting.spread)(world, choice));
        let key = (key_of(plan), choice.clone());
        let fresh = || self.as_planned(plan, look);
        self.forecasts.planned_spread.get(&key, fresh)
    }

    /// The best attack of a foe on somebody whose plan has led to its end.
    pub fn answer_to(&self, plan: &PlannedAttack, foe: Id) -> Option<(AttackForecast, Spread)> {
        let fresh = || self.as_planned(plan, |world| self.answer_in(world, plan.who, foe));
        self.forecasts.answer_to.get(&(key_of(plan), foe), fresh)
    }

    fn as_planned<T>(
        &self,
        plan: &PlannedAttack,
        mut look: impl FnMut(&mut World) -> Option<T>,
    ) -> Option<T> {
        self.standing((plan.who, plan.stand), |world| {
            let mut seen = None;
            (self.rules.forecasting.planned)(world, plan, &mut |world| seen = look(world));
            seen
        })
    }

    /// Reads what would be if somebody stood there.
    fn standing<T>(&self, (who, at): (Id, Cell), look: impl FnOnce(&mut World) -> T) -> T {
        self.ask(|world| standing_at(world, who, at, look))
    }

    /// What would lie between somebody at a cell and each of some foes.
    pub fn exchanges(&self, who: Id, at: Cell, foes: &[Id]) -> Vec<Exchange> {
        let fresh = || {
            let mut all = self.ask(|world| exchange::exchanges(self.rules, world, who, at, foes));
            for exchange in &mut all {
                let threatens = self.threatens(exchange.foe);
                exchange.takes = exchange.takes.filter(|_| threatens);
            }
            all.retain(|exchange| exchange.gives.is_some() || exchange.takes.is_some());
            all
        };
        let key = ((who, at), foes.to_vec());
        self.forecasts.exchanges.get(&key, fresh)
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
    pub fn threat_range_if(&self, who: Id, stands: &[Stand]) -> ThreatRange {
        let look = |world: &mut World| (self.rules.threat_range)(world, who);
        self.ask(|world| standing_so(world, stands, look))
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
        stands: &[Stand],
    ) -> Option<AttackForecast> {
        let look = |world: &mut World| exchange::coming(self.rules, world, (foe, at), range);
        self.ask(|world| standing_so(world, stands, look))
    }

    /// The best charge of somebody at a foe in its next turn.
    pub fn charge(&self, who: Id, at: Id) -> Option<AttackForecast> {
        let range = self.threat_range(who);
        self.ask(|world| exchange::charge(self.rules, world, (who, at), &range))
    }

    /// An act is a spell that harms those whom it catches.
    pub fn harms(&self, choice: &Choice) -> bool {
        choice
            .spell
            .is_some_and(|spell| self.ask(|world| exchange::harms(world, spell)))
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

    fn look(&self, verb: &'static Action) -> Option<&Look> {
        self.buttons.iter().find_map(|button| button.look(verb))
    }

    /// What an act is called in the act bar.
    pub fn label(&self, verb: &'static Action) -> Words {
        let look = self.look(verb);
        look.map_or_else(|| capitalised(verb.name).into(), |l| l.label.into())
    }

    /// What the button for an act of the whole side says.
    pub fn side_label(&self, choice: &Choice, names: &Names) -> String {
        let look = self.look(choice.verb);
        look.map_or_else(|| capitalised(&choice.deed(names)), |l| l.label.to_owned())
    }

    /// What an act costs and does, in a sentence; perhaps nothing.
    pub fn help(&self, verb: &'static Action) -> &'static str {
        self.look(verb).map_or("", |l| l.help)
    }
}
