//! Queries on the display world through the ruleset and its [`RulesetUi`]. They change nothing, so systems
//! that only read take the session as `Res`.

use crate::{
    battle::{
        Action, Attack, AttackForecast, Button as ActionButton, Choice, CowStr, Id, Names,
        OddsLine, Offer, PendingAttacks, PlannedAttack, Provoked, Purpose, Reach, Replica,
        RolledAttack, Ruleset, Setup, Side, Spread, ThreatRange, Trade, Unknown, Way, Why,
        capitalised, standing_at, standing_so, with_doors_open,
    },
    control::{
        exchange::{self, Exchange},
        orders::{self, Order, Plan},
        simulation::AttackKind,
    },
    grid::Cell,
    icons::Icon,
    ui::ruleset_ui::{self, Button, DeclarationPreview, RulesetUi, TraitWords},
};
use bevy::ecs::world::World;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The display world, with the ruleset's queries.
pub struct DisplayQueries {
    pub rules: &'static Ruleset,
    pub ruleset_ui: &'static RulesetUi,
    /// The buttons of the action bar.
    pub buttons: Arc<[Button]>,
    /// Queries need mutable access to the world for their state, hence the lock.
    display: Mutex<Replica>,
    forecasts: Forecasts,
}

/// Cached results by key, until the display world changes.
struct Cached<T, K = Choice>(Mutex<Vec<(K, T)>>);

impl<T, K> Default for Cached<T, K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone, K: PartialEq + Clone> Cached<T, K> {
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

/// An enemy's attack on a unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub kind: AttackKind,
    pub attack: AttackForecast,
    /// Its damage distribution.
    pub spread: Spread,
}

/// A unit and the cell where it is assumed to stand.
type Stand = (Id, Cell);

/// A planned attack as a cache key.
type Planned = (Stand, Vec<Choice>, u16);

/// Cached parts of forecasts.
#[derive(Default)]
struct Forecasts {
    of_choice: ForecastsOfChoice,
    usual_declarations: Cached<Vec<&'static Action>, Id>,
    threat_range: Cached<Arc<ThreatRange>, Id>,
    planned_forecast: Cached<Option<AttackForecast>, (Planned, Choice)>,
    planned_spread: Cached<Spread, (Planned, Choice)>,
    /// Best attack of each kind of an enemy on a unit after its plan.
    answers: Cached<Vec<Answer>, (Planned, Id)>,
    attacks: Cached<Vec<AttackForecast>, (Id, Id)>,
    long_path: Cached<Vec<Cell>, (Id, Cell)>,
    /// Best charge of a unit at an enemy.
    charge: Cached<Option<AttackForecast>, (Id, Id)>,
    exchanges: Cached<Vec<Exchange>, (Stand, Vec<Id>)>,
    exchanges_after: Cached<Vec<Exchange>, (Planned, Vec<Id>)>,
}

/// Each asks the ruleset's forecast of that name, once for a choice.
macro_rules! forecasts {
    ($($(#[$doc:meta])* $name:ident -> $out:ty;)+) => {
        #[derive(Default)]
        struct ForecastsOfChoice {
            $($name: Cached<$out>,)+
        }

        impl DisplayQueries {
            $($(#[$doc])* pub fn $name(&self, choice: &Choice) -> $out {
                let fresh = || self.ask(|world| (self.rules.forecasting.$name)(world, choice));
                self.forecasts.of_choice.$name.get(choice, fresh)
            })+
        }
    };
}

forecasts! {
    /// The forecast of an attack; `None` if the choice is no attack.
    attack -> Option<Result<AttackForecast, Why>>;
    spread -> Spread;
    trades -> Vec<Trade>;
    odds -> Vec<OddsLine>;
    area -> Vec<Cell>;
    provoked -> Vec<Provoked>;
    /// The attack in reaction that may cancel an attack, as text.
    interrupts -> Option<String>;
    /// What an action would lose or miss, in sentences.
    warnings -> Vec<String>;
    /// What an action sets off besides its own effect, in sentences.
    alerts -> Vec<String>;
    /// What an action does not set off although it looks as if it could, in a sentence.
    reassures -> Option<&'static str>;
    forfeits -> Option<String>;
    /// What a reaction would change, in lines.
    changes -> Vec<String>;
    /// Whether an action has no effect, or a reaction is seldom worth what it costs.
    is_futile -> bool;
    /// The number that a choice with a number starts with.
    first -> Option<i32>;
}

impl DisplayQueries {
    pub(super) fn new(rules: &'static Ruleset, display: Replica) -> Self {
        let ruleset_ui = ruleset_ui::of(rules.id);
        Self {
            rules,
            ruleset_ui,
            buttons: ruleset_ui::buttons(rules).into(),
            display: Mutex::new(display),
            forecasts: Forecasts::default(),
        }
    }

    pub(super) fn display(&mut self) -> &mut Replica {
        self.forecasts = Forecasts::default();
        let display = self.display.get_mut();
        display.unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Replica> {
        self.display.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of events applied to the display world.
    pub(super) fn at(&self) -> usize {
        self.lock().at()
    }

    /// A copy with its own display world, for a background thread.
    pub(super) fn copied(&self, setup: &Setup) -> Self {
        Self::new(self.rules, self.lock().copied(setup))
    }

    /// Runs a query on the display world.
    pub fn ask<T>(&self, read: impl FnOnce(&mut World) -> T) -> T {
        read(&mut self.lock().world)
    }

    /// Key figures for the inspect card, without [`traits`](Self::traits).
    pub fn figures(&self, who: Id) -> Vec<String> {
        self.ask(|world| (self.ruleset_ui.figures)(world, who))
    }

    /// What sets a unit apart.
    pub fn traits(&self, who: Id) -> Vec<TraitWords> {
        self.ask(|world| (self.ruleset_ui.traits)(world, who))
    }

    /// The effects of a declaration.
    pub fn preview_declaration(&self, choice: &Choice) -> DeclarationPreview {
        self.ask(|world| (self.ruleset_ui.preview_declaration)(world, choice))
    }

    /// Where a unit can move now.
    pub fn reach(&self, who: Id) -> Vec<Reach> {
        self.ask(|world| (self.rules.forecasting.reach)(world, who))
    }

    /// While units declare: where a unit can move in the round, under what it has declared.
    pub fn declared_reach(&self, who: Id) -> Vec<Reach> {
        self.ask(|world| (self.rules.forecasting.declared_reach)(world, who))
    }

    /// How a unit would move to a cell through waypoints.
    pub fn way(&self, who: Id, waypoints: &[Cell], to: Cell) -> Option<Way> {
        self.ask(|world| (self.rules.forecasting.way)(world, who, waypoints, to))
    }

    /// Distance in feet within which a unit attacks enemies that leave; `None` if it does not.
    pub fn threat(&self, who: Id) -> Option<u16> {
        self.ask(|world| (self.rules.forecasting.threat)(world, who))
    }

    /// Whether a unit that must decide has only options that are seldom worth a prompt.
    pub fn is_skippable(&self, who: Id) -> bool {
        self.ask(|world| (self.rules.planning.is_skippable)(world, who))
    }

    /// The plan for an order of a unit, with its declarations.
    pub fn plan(&self, who: Id, order: Order) -> Plan {
        self.ask(|world| orders::plan(self.rules, world, who, order))
    }

    /// The declarations for a purpose, in order.
    pub fn declare(&self, who: Id, purpose: &Purpose) -> Vec<Choice> {
        self.ask(|world| (self.rules.planning.declare)(world, who, purpose))
    }

    /// What a unit declares if its side ends the declarations without an order for it.
    pub fn rest(&self, who: Id) -> Option<Choice> {
        self.ask(|world| (self.rules.planning.rest)(world, who))
    }

    /// The actions that a unit declares for a plain attack or a move.
    pub fn usual_declarations(&self, who: Id) -> Vec<&'static Action> {
        let fresh = || {
            let attacks = self.rules.planning.attacks.iter();
            let attacks = attacks.map(|attack| Purpose::attack(Choice::new(attack.0, who)));
            let purposes = attacks.chain([Purpose::STEP]);
            let declared = purposes.flat_map(|purpose| self.declare(who, &purpose));
            declared.map(|order| order.verb).collect()
        };
        self.forecasts.usual_declarations.get(&who, fresh)
    }

    /// Units of other sides that a side does not know about; the screen never mentions them.
    pub fn unknown(&self, side: Side) -> Vec<Id> {
        self.ask(|world| (self.rules.unknown)(world, side))
    }

    /// The units and sides that a side does not know about.
    pub fn unknown_to(&self, side: Side) -> Unknown {
        self.ask(|world| self.rules.unknown_to(world, side))
    }

    /// The plain attacks of one unit on another, regardless of turn, best first.
    pub fn attacks(&self, by: Id, at: Id) -> Vec<AttackForecast> {
        let fresh = || self.ask(|world| exchange::attacks(self.rules, world, by, at));
        self.forecasts.attacks.get(&(by, at), fresh)
    }

    /// The attack in reaction that may cancel an attack from elsewhere, as text.
    pub fn interrupts_from(&self, by: Stand, choice: &Choice) -> Option<String> {
        self.standing(by, |world| {
            (self.rules.forecasting.interrupts)(world, choice)
        })
    }

    /// An attack as its plan would make it.
    pub fn planned_forecast(
        &self,
        plan: &PlannedAttack,
        choice: &Choice,
    ) -> Option<AttackForecast> {
        let cached = &self.forecasts.planned_forecast;
        self.as_planned(cached, (plan, choice), |world| {
            (self.rules.forecasting.attack)(world, choice)?.ok()
        })
    }

    /// The damage distribution of a planned attack.
    pub fn planned_spread(&self, plan: &PlannedAttack, choice: &Choice) -> Spread {
        let cached = &self.forecasts.planned_spread;
        self.as_planned(cached, (plan, choice), |world| {
            (self.rules.forecasting.spread)(world, choice)
        })
    }

    /// The best attack of each kind of an enemy on a unit after its plan, best first.
    pub fn answers(&self, plan: &PlannedAttack, enemy: Id) -> Vec<Answer> {
        self.as_planned(&self.forecasts.answers, (plan, &enemy), |world| {
            let mut best: Vec<Answer> = vec![];
            if (self.rules.harmless)(world, enemy).is_some() {
                return best;
            }
            for attack in exchange::answers(self.rules, world, enemy, plan.who) {
                let kind = AttackKind::of(self.rules, world, &attack.choice);
                if best.iter().all(|known| known.kind != kind) {
                    let spread = (self.rules.forecasting.spread)(world, &attack.choice);
                    best.push(Answer {
                        kind,
                        attack,
                        spread,
                    });
                }
            }
            best
        })
    }

    /// Runs a query as if a unit had carried out its plan up to the attack, once for each plan and
    /// key.
    fn as_planned<T: Clone + Default, K: PartialEq + Clone>(
        &self,
        cached: &Cached<T, (Planned, K)>,
        (plan, key): (&PlannedAttack, &K),
        mut read: impl FnMut(&mut World) -> T,
    ) -> T {
        let stand = (plan.who, plan.stand);
        let key = ((stand, plan.orders.to_vec(), plan.feet), key.clone());
        cached.get(&key, || {
            self.standing(stand, |world| {
                let mut seen = T::default();
                (self.rules.forecasting.planned)(world, plan, &mut |world| seen = read(world));
                seen
            })
        })
    }

    /// Runs a query as if a unit stood elsewhere.
    fn standing<T>(&self, (who, at): (Id, Cell), read: impl FnOnce(&mut World) -> T) -> T {
        self.ask(|world| standing_at(world, who, at, read))
    }

    /// Chances between a unit at a cell and each of some enemies.
    pub fn exchanges(&self, who: Id, at: Cell, enemies: &[Id]) -> Vec<Exchange> {
        let fresh = || self.ask(|world| exchange::exchanges(self.rules, world, who, at, enemies));
        let key = ((who, at), enemies.to_vec());
        self.forecasts.exchanges.get(&key, fresh)
    }

    /// Chances between a unit after its plan and each of some enemies.
    pub fn exchanges_after(&self, plan: &PlannedAttack, enemies: &[Id]) -> Vec<Exchange> {
        let cached = &self.forecasts.exchanges_after;
        self.as_planned(cached, (plan, &enemies.to_vec()), |world| {
            exchange::exchanges(self.rules, world, plan.who, plan.stand, enemies)
        })
    }

    /// The offer that the quick AI would choose for a unit.
    pub fn sensible(&self, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
        self.ask(|world| (self.rules.policy)(world, who, offers).0)
    }

    /// Whether a unit can't attack on its own turn any more in this round.
    pub fn has_attacked(&self, who: Id) -> bool {
        self.ask(|world| (self.rules.planning.has_attacked)(world, who))
    }

    /// Where a unit could attack on its next turn if others stood elsewhere. Shut doors do not
    /// limit it: the unit, or another one before it, can open them.
    pub fn threat_range_if(&self, who: Id, stands: &[Stand]) -> ThreatRange {
        let read = |world: &mut World| (self.rules.threat_range)(world, who);
        self.ask(|world| with_doors_open(world, |world| standing_so(world, stands, read)))
    }

    /// Where a unit could attack on its next turn, through doors too.
    pub fn threat_range(&self, who: Id) -> Arc<ThreatRange> {
        let fresh = || Arc::new(self.threat_range_if(who, &[]));
        self.forecasts.threat_range.get(&who, fresh)
    }

    /// The best attack of an enemy on a unit on its next turn, given where others stand.
    pub fn coming(&self, (enemy, at): (Id, Id), stands: &[Stand]) -> Option<AttackForecast> {
        let read = |world: &mut World| exchange::coming(self.rules, world, (enemy, at));
        self.ask(|world| with_doors_open(world, |world| standing_so(world, stands, read)))
    }

    /// The best charge of a unit at an enemy on its next turn.
    pub fn charge(&self, who: Id, at: Id) -> Option<AttackForecast> {
        let read = |world: &mut World| exchange::charge(self.rules, world, (who, at));
        self.forecasts.charge.get(&(who, at), || self.ask(read))
    }

    /// Whether a choice is a spell that harms the units it catches.
    pub fn harms(&self, choice: &Choice) -> bool {
        let harms = |spell| self.ask(|world| exchange::harms(world, spell));
        choice.spell.is_some_and(harms)
    }

    /// Feet of the cheapest path to a cell, over any number of turns; `None` without a path.
    pub fn distance(&self, who: Id, to: Cell) -> Option<u16> {
        self.ask(|world| orders::distance(world, who, to))
    }

    /// The cheapest path to a cell within one move; a straight line if it is out of range.
    pub fn path(&self, who: Id, to: Cell) -> Vec<Cell> {
        let range = self.ask(|world| (self.rules.range)(world, who));
        if range.get(to).is_some() {
            range.path(to)
        } else {
            vec![range.from(), to]
        }
    }

    /// The cheapest path to a cell over any number of moves, through doors that can be opened; a
    /// straight line if there is none.
    pub fn long_path(&self, who: Id, to: Cell) -> Vec<Cell> {
        let fresh = || self.find_long_path(who, to);
        self.forecasts.long_path.get(&(who, to), fresh)
    }

    fn find_long_path(&self, who: Id, to: Cell) -> Vec<Cell> {
        let near = self.path(who, to);
        // One move ends there, or it is the next cell.
        if near.len() != 2 {
            return near;
        }
        let long = |world: &mut World| orders::long_path(world, who, to);
        let mut path = self.ask(|world| with_doors_open(world, long));
        match path.last() {
            None => return near,
            // Another unit is there now, so the path ends beside it.
            Some(&end) if end != to => path.push(to),
            Some(_) => {}
        }
        path
    }

    /// The attacks that are rolled and not yet resolved.
    pub fn pending_attacks(&self) -> Vec<RolledAttack> {
        self.ask(|world| world.resource::<PendingAttacks>().all().to_vec())
    }

    /// The total with which a rolled attack would hit as things stand; see [`Ruleset::needed`].
    pub fn needed(&self, attack: &Attack) -> Option<i32> {
        self.ask(|world| (self.rules.needed)(world, attack))
    }

    /// Whether a click on an enemy can mean this action instead of an attack.
    pub fn is_instead(&self, verb: &'static Action) -> bool {
        self.button_of(verb).is_some_and(|button| button.instead)
    }

    /// Whether an action ends what afflicts the unit, such as a hold.
    pub fn is_remedy(&self, verb: &'static Action) -> bool {
        self.button_of(verb).is_some_and(|button| button.remedy)
    }

    fn button_of(&self, verb: &'static Action) -> Option<&ActionButton> {
        let mut buttons = self.buttons.iter();
        buttons.find_map(|button| button.button_of(verb))
    }

    /// The icon of an action. `None` if it has no button.
    pub fn icon(&self, verb: &'static Action) -> Option<Icon> {
        Some(self.button_of(verb)?.icon)
    }

    /// The letter of an action's button.
    pub fn key(&self, verb: &'static Action) -> Option<char> {
        let mut buttons = self.buttons.iter();
        Some(buttons.find(|button| button.button_of(verb).is_some())?.key)
    }

    /// An action's label in the action bar.
    pub fn label(&self, verb: &'static Action) -> CowStr {
        let button = self.button_of(verb);
        button.map_or_else(|| capitalised(verb.name).into(), |l| l.label.into())
    }

    /// The label of a button for a choice of the whole side.
    pub fn side_label(&self, choice: &Choice, names: &Names) -> String {
        let button = self.button_of(choice.verb);
        let described = || capitalised(&choice.describe(names));
        button.map_or_else(described, |l| l.label.to_owned())
    }

    /// What an action costs and does, in a sentence; may be empty.
    pub fn help(&self, verb: &'static Action) -> &'static str {
        self.button_of(verb).map_or("", |l| l.help)
    }
}
