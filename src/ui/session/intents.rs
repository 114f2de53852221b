//! Intents: what the units of human players are to do with what they declared, carried out as long
//! as possible.

use super::{Session, edit::Earlier};
use crate::{
    battle::{Action, Choice, CowStr, Decision, Id, PASS, Refused, Why, capitalised},
    control::{
        orders::{self, Fallback, NextStep, Order, Plan, Reason},
        simulation::{Intentions, Situation, Supposed, Supposition},
    },
    ui::shown::UnitView,
    words::uncapitalised,
};
use bevy::ecs::world::World;
use std::{collections::BTreeMap, sync::Arc};

/// A unit's order: its plan or its plain declarations, and what the player was shown of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Intent {
    /// The plan: its order, and how far it has come.
    pub plan: Plan,
    /// The odds as shown: "55% to hit, 10% to drop".
    pub odds: String,
    /// Enemies shown as possible attackers on its way, a bit each; `None` if they were not
    /// determined.
    pub possible_attackers: Option<u64>,
    /// The letter of the action that is aimed; `None` for an attack or a move.
    pub key: Option<char>,
    /// "Strike goblin 2 with short sword".
    pub label: String,
}

impl Intent {
    pub fn new(label: String, plan: Plan) -> Self {
        Self {
            plan,
            odds: String::new(),
            possible_attackers: None,
            key: None,
            label,
        }
    }

    pub fn who(&self) -> Id {
        self.plan.who
    }

    /// Its target.
    pub fn at(&self) -> Option<Id> {
        self.plan.order.target()
    }

    /// Its only declaration, if it has no plan beyond that and names its target.
    fn named(&self) -> Option<&Choice> {
        match &self.plan.declared[..] {
            [only] if !self.plan.is_aimed && only.at.is_some() => Some(only),
            _ => None,
        }
    }
}

/// The orders that all units of a side get which have not declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForAll {
    /// The last orders of each.
    Repeat,
    /// Sensible orders.
    Suggest,
    /// The default declaration of each unit without an order.
    Rest,
}

/// A plan that failed, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub who: Id,
    pub reason: Reason,
    pub round: u16,
    /// The number of events shown when it was noticed.
    events_shown: usize,
    /// The number of answers before the unit did something else; `None` if it has not.
    replaced: Option<usize>,
}

/// The intents of all human sides.
#[derive(Clone, Debug, Default)]
pub struct Intents {
    /// Each with its round and the number of answers before it.
    pub(super) all: Vec<(u16, usize, Intent)>,
    /// Intents that failed or were given up.
    pub(super) dropped: Vec<(u16, usize, Intent)>,
    /// Declarations without an intent, made with the action bar; with round and number of answers
    /// before each.
    pub(super) unplanned: Vec<(u16, usize, Choice)>,
    failures: Vec<Failure>,
    /// The round in which all units that have yet to declare get orders, and which.
    for_all: Option<(u16, ForAll)>,
    /// The last order of the side, which waits for confirmation because it begins the round; with
    /// the number of answers before it.
    held: Option<(usize, Intent)>,
    /// What each unit does if its plan fails, from now on.
    fallbacks: BTreeMap<Id, Fallback>,
    /// What the player supposes enemies do in a round.
    pub(super) supposed: (u16, Arc<Supposed>),
    /// The player's order of action for units that act at the same moment.
    pub(super) sequence: Vec<Id>,
    /// Orders to give again once their units must declare.
    pub(super) parked: Vec<Intent>,
    /// The orders before each change of one, which Undo takes back.
    pub(super) earlier: Vec<Earlier>,
    /// Changes whenever the intents change.
    pub(super) version: u32,
}

impl Intents {
    /// A unit's intent in a round.
    pub fn of(&self, who: Id, round: u16) -> Option<&Intent> {
        last_of(&self.all, who, |n| n == round)
    }

    /// A unit's intent in a round, even if it failed or was given up.
    pub fn planned(&self, who: Id, round: u16) -> Option<&Intent> {
        let dropped = || last_of(&self.dropped, who, |n| n == round);
        self.of(who, round).or_else(dropped)
    }

    /// A unit's last intent before a round.
    pub fn before(&self, who: Id, round: u16) -> Option<&Intent> {
        last_of(&self.all, who, |n| n < round)
    }

    /// A unit's last declarations before a round, if they had no intent.
    pub fn unplanned_before(&self, who: Id, round: u16) -> Option<Vec<Choice>> {
        let is_own = |s: &&(u16, usize, Choice)| s.2.who == Some(who) && s.0 < round;
        let own = self.unplanned.iter().filter(is_own);
        let last = own.clone().map(|s| s.0).max()?;
        let planned = self.all.iter().filter(|i| i.2.who() == who && i.0 < round);
        let is_last = planned.map(|i| i.0).max().is_none_or(|plan| plan < last);
        is_last.then(|| own.filter(|s| s.0 == last).map(|s| s.2.clone()).collect())
    }

    /// Declarations without an intent in a round, in order.
    pub fn unplanned_in(&self, round: u16) -> impl Iterator<Item = &Choice> {
        let said = self.unplanned.iter();
        said.filter(move |s| s.0 == round).map(|s| &s.2)
    }

    pub fn in_round(&self, round: u16) -> impl Iterator<Item = &Intent> {
        self.all.iter().filter(move |i| i.0 == round).map(|i| &i.2)
    }

    /// The plans that failed in a round and were not replaced.
    pub fn failures(&self, round: u16) -> impl DoubleEndedIterator<Item = &Failure> {
        let is_open = move |f: &&Failure| f.round == round && f.replaced.is_none();
        self.failures.iter().filter(is_open)
    }

    pub fn all_failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Marks the failures of a unit that does something else instead, after this many answers.
    pub(super) fn replace_failures_of(&mut self, who: Id, answers: usize) {
        let open = self.failures.iter_mut();
        for failed in open.filter(|f| f.who == who && f.replaced.is_none()) {
            failed.replaced = Some(answers);
            self.version += 1;
        }
    }

    /// Forgets everything after the first `answers` answers and their `events` events.
    pub(super) fn rewind(&mut self, answers: usize, events: usize) {
        (self.for_all, self.held) = (None, None);
        // An intent is recorded after its declarations were given, a declaration before.
        for all in [&mut self.all, &mut self.dropped] {
            all.retain(|i| i.1 <= answers);
        }
        self.unplanned.retain(|s| s.1 < answers);
        self.failures.retain(|failed| failed.events_shown <= events);
        for failed in &mut self.failures {
            failed.replaced.take_if(|before| *before >= answers);
        }
        self.parked.clear();
        self.earlier.retain(|earlier| earlier.from <= answers);
        self.version += 1;
    }

    /// Marks a unit's plan as begun or no longer needed.
    pub(super) fn close(&mut self, who: Id, round: u16) {
        let mut all = self.all.iter_mut();
        if let Some(found) = all.find(|i| i.2.who() == who && i.0 == round) {
            found.2.plan.is_begun = true;
        }
    }
}

/// The last intent of a unit in a round that fits.
fn last_of(all: &[(u16, usize, Intent)], who: Id, fits: impl Fn(u16) -> bool) -> Option<&Intent> {
    let found = all.iter().rfind(|i| i.2.who() == who && fits(i.0))?;
    Some(&found.2)
}

impl Session {
    pub fn intents(&self) -> &Intents {
        &self.intents
    }

    /// A unit's intent in this round.
    pub fn intent(&self, who: Id) -> Option<&Intent> {
        self.intents.of(who, self.round())
    }

    /// The text of a unit's plan: its order, if it has one that is still to be carried out. A
    /// replay shows the order even if it has begun or failed since.
    pub fn plan_text(&self, unit: &UnitView) -> CowStr {
        let round = self.round();
        let intent = match self.shows_past() {
            true => self.intents.planned(unit.id, round),
            false => self.intent(unit.id).filter(|i| !i.plan.is_begun),
        };
        // The ruleset's plan text is empty once the unit has acted or is down.
        let is_open = !unit.plan.is_empty() && unit.side == self.player();
        let Some(intent) = intent.filter(|_| is_open) else {
            return unit.plan.clone();
        };
        let order = self.in_shortest(intent);
        // The declaration itself says nothing that the order does not.
        match unit.when.is_empty() {
            true => order.into(),
            false => format!("{order}, {}", unit.when).into(),
        }
    }

    /// What an intent does, in a word or two: "Strike", "Frost breath", "Move".
    pub fn action_name(&self, intent: &Intent) -> CowStr {
        match &intent.plan.order {
            Order::Attack { by: Some(by), .. } => self.queries.label(by),
            Order::Attack { by: None, .. } => "Attack".into(),
            Order::Guard => "Guard".into(),
            Order::Move { .. } => "Move".into(),
            Order::Act { declared, .. } => self.declared_name(declared),
        }
    }

    /// What a declaration does: the name of its spell, or the word of its button.
    fn declared_name(&self, declared: &Choice) -> CowStr {
        match declared.spell {
            Some(spell) => capitalised(self.game.names().spell(spell)).into(),
            None => self.queries.label(declared.verb),
        }
    }

    /// An intent on a short line: "Strike → Goblin 2 (short sword)".
    pub fn in_short(&self, intent: &Intent) -> String {
        let short = self.in_shortest(intent);
        let with = match &intent.plan.order {
            Order::Attack { with, .. } => *with,
            _ => intent.named().and_then(|declared| declared.with),
        };
        match with {
            Some(item) => format!("{short} ({})", self.game.names().item(item)),
            None => short,
        }
    }

    /// An intent without its weapon, where there is room for less: "Strike → Goblin 2".
    pub fn in_shortest(&self, intent: &Intent) -> String {
        let parts = self.order_and_target(intent);
        parts.join(" ").trim_end().to_owned()
    }

    /// The two parts of such a line: "Strike →" and "Goblin 2". The second is empty without a
    /// target unit.
    pub fn order_and_target(&self, intent: &Intent) -> [String; 2] {
        if !intent.plan.is_aimed && intent.named().is_none() {
            return [intent.label.clone(), String::new()];
        }
        let name = self.action_name(intent);
        let target = intent.at().or(match &intent.plan.order {
            Order::Act { declared, .. } => declared.at,
            _ => None,
        });
        let target = target.map(|at| self.shown().unit(at).name.clone());
        let short = match (&target, &intent.plan.order) {
            (Some(_), _) => format!("{name} →"),
            (None, _) if intent.plan.is_spell() => return [name.into(), String::new()],
            (None, Order::Move { .. }) if self.declared_first(&intent.plan).is_some() => {
                "move".into()
            }
            (None, _) => return [intent.label.clone(), String::new()],
        };
        let order = self.after_declaration(&intent.plan, &short);
        [order, target.unwrap_or_default()]
    }

    /// A plan's order after the declaration that comes first, if the order does not imply it:
    /// "Parley, then take position 10 ft to the south-east".
    pub fn after_declaration(&self, plan: &Plan, order: &str) -> String {
        match self.declared_first(plan) {
            Some(first) => format!("{first}, then {}", uncapitalised(order)),
            None => capitalised(order),
        }
    }

    /// The button's word of a declaration that a plan's order does not imply: "Parley".
    fn declared_first(&self, plan: &Plan) -> Option<CowStr> {
        let planning = self.queries.rules.planning;
        let is_follow_up = matches!(plan.order, Order::Attack { .. } | Order::Move { .. });
        let declared = plan.declared.iter();
        let is_plain = |verb| planning.done.contains(verb) || planning.idle.contains(verb);
        let mut special = declared.filter(|order| !is_plain(&order.verb));
        let first = special.next().filter(|_| is_follow_up)?;
        let is_only = special.next().is_none() && first.spell.is_none();
        let verb = first.verb;
        if !is_only || planning.is_charge(verb) {
            return None;
        }
        let usual = self.queries.usual_declarations(plan.who);
        let is_special = !usual.is_empty() && !usual.contains(&verb);
        is_special.then(|| self.queries.label(verb))
    }

    /// What a unit gives up for the attack that it declares, in two words each: "no move", "no
    /// parry".
    pub fn gives_up(&self, intent: &Intent) -> Vec<String> {
        let (plan, planning) = (&intent.plan, self.queries.rules.planning);
        if !self.is_declaring() || !matches!(plan.order, Order::Attack { .. }) {
            return vec![];
        }
        let is_declared = |is_it: &dyn Fn(&'static Action) -> bool| {
            plan.declared.iter().any(|order| is_it(order.verb))
        };
        // In melee the unit could not walk anyway.
        let stays = planning.walk_is_action
            && plan.feet == 0
            && !is_declared(&|verb| planning.is_charge(verb))
            && self.stuck(intent.who()).is_none();
        // More can be declared until the unit is done.
        let is_whole = is_declared(&|verb| planning.done.contains(&verb));
        let parry = planning.parry.filter(|_| is_whole);
        let parry = parry.filter(|parry| !is_declared(&|verb| verb == *parry));
        let parry = parry.map(|parry| uncapitalised(&self.queries.label(parry)));
        let walk = stays.then(|| String::from("move")).into_iter();
        walk.chain(parry).map(|what| format!("no {what}")).collect()
    }

    /// Declarations as they stand, as an order with the target that they name, if any.
    pub fn said(&self, who: Id, declared: Vec<Choice>) -> Intent {
        let label = capitalised(&self.orders_text(&declared));
        Intent::new(label, Plan::as_declared(who, declared))
    }

    /// What a unit declared in this round without a plan, or what waits for confirmation.
    pub fn declarations(&self, who: Id) -> Vec<&Choice> {
        match self.held().filter(|held| held.who() == who) {
            Some(held) => held.plan.declared.iter().collect(),
            None => {
                let said = self.intents.unplanned_in(self.round());
                said.filter(|order| order.who == Some(who)).collect()
            }
        }
    }

    /// The declaration of a unit in this round without a plan, if it is the only one and names its
    /// target: "Bind → Lin", "Charge → Sentry (battle axe)".
    pub fn only_declared(&self, who: Id) -> Option<Intent> {
        let said = self.intents.unplanned_in(self.round());
        let mut own = said.filter(|choice| choice.who == Some(who));
        let only = own.next().filter(|choice| choice.at.is_some())?;
        (own.next().is_none()).then(|| self.said(who, vec![only.clone()]))
    }

    /// The declaration of this round by which the player's side asks an enemy not to fight.
    pub fn truce_with(&self, enemy: Id) -> Option<&Choice> {
        let (round, truce) = (self.round(), self.queries.rules.planning.truce);
        let planned = self.intents.in_round(round);
        let planned = planned.flat_map(|intent| &intent.plan.declared);
        let mut declared = planned.chain(self.intents.unplanned_in(round));
        let asks = |choice: &Choice| self.queries.ask(|world| truce(world, choice));
        declared.find(|choice| asks(choice).contains(&enemy))
    }

    /// What a unit does if its plan of this round fails.
    pub fn fallback(&self, who: Id) -> Fallback {
        let chosen = self.intents.fallbacks.get(&who).copied();
        let planned = || self.intent(who).map(|intent| intent.plan.fallback);
        chosen.or_else(planned).unwrap_or_default()
    }

    /// What the unit of a plan does if that plan fails: what the player chose for the unit, or else
    /// what the plan has.
    pub fn fallback_of(&self, plan: &Plan) -> Fallback {
        let chosen = self.intents.fallbacks.get(&plan.who);
        chosen.copied().unwrap_or(plan.fallback)
    }

    /// Switches to the next thing that a unit does if its plan fails; returns it.
    pub fn next_fallback(&mut self, who: Id) -> Fallback {
        let fallback = self.fallback(who).following();
        self.intents.fallbacks.insert(who, fallback);
        let round = self.round();
        let all = self.intents.all.iter_mut();
        for (.., intent) in all.filter(|i| i.0 == round && i.2.who() == who) {
            intent.plan.fallback = fallback;
        }
        self.intents.version += 1;
        fallback
    }

    /// What the player supposes enemies do in this round.
    pub fn supposed(&self) -> Arc<Supposed> {
        let (round, supposed) = &self.intents.supposed;
        match *round == self.round() {
            true => supposed.clone(),
            false => Arc::default(),
        }
    }

    /// Supposes an enemy's action in this round; `None` leaves it to the AI.
    pub fn suppose(&mut self, enemy: Id, supposition: Option<Supposition>) {
        let mut supposed = Supposed::clone(&self.supposed());
        match supposition {
            Some(supposition) => supposed.insert(enemy, supposition),
            None => supposed.remove(&enemy),
        };
        self.intents.supposed = (self.round(), Arc::new(supposed));
        self.intents.version += 1;
    }

    /// The player's open decision with all plans and this draft, for simulations; `None` without a
    /// decision. A draft of a unit that has declared takes the place of its order.
    pub fn situation(&self, draft: Option<&Plan>) -> Option<Situation> {
        self.question()?;
        let round = self.round();
        let (mut battle, mut replaced, mut held) = (&self.game.battle, None, None);
        let mut later = vec![];
        if let Some(draft) = draft
            && let Some(before) = self.undeclared(draft.who)
        {
            (battle, replaced) = (&before.battle, Some(draft.who));
            later.clone_from(&before.later);
            held = self.held().filter(|held| held.plan.is_aimed);
        }
        let plans = self.intents.in_round(round);
        let plans = plans.filter(|i| Some(i.who()) != replaced).chain(held);
        let is_replaced = |choice: &Choice| replaced.is_some() && choice.who == replaced;
        let declared = self.intents.unplanned.iter();
        let declared = declared
            .filter(|said| said.0 + 1 >= round && !(said.0 == round && is_replaced(&said.2)));
        let intentions = Intentions {
            plans: plans.map(|i| (i.who(), i.plan.clone())).collect(),
            declared: declared.map(|said| (said.0, said.2.clone())).collect(),
            supposed: self.supposed(),
            sequence: self.intents.sequence.clone(),
        };
        Situation::new(battle, self.player(), intentions, draft.cloned(), later)
    }

    /// Whether these orders are the side's last declarations, so that the round begins.
    pub fn ends_declaring(&self, orders: &[Choice]) -> bool {
        let situation = self.is_declaring().then(|| self.situation(None)).flatten();
        situation.is_some_and(|now| now.ends_declaring(orders, self.skips()))
    }

    /// Gives an order, and keeps its plan if it has one beyond the declarations.
    pub fn give_order(&mut self, order: Intent) -> Result<(), Refused> {
        self.give(&order.plan.declared)?;
        if order.plan.is_aimed {
            self.intend(order);
        }
        Ok(())
    }

    /// Sets a unit's intent for this round.
    pub fn intend(&mut self, mut intent: Intent) {
        if intent.at().is_some() {
            intent.plan.fallback = self.fallback_of(&intent.plan);
        }
        let (who, round, answered) = (intent.who(), self.round(), self.game.answered());
        let intents = &mut self.intents;
        for all in [&mut intents.all, &mut intents.dropped] {
            all.retain(|i| i.2.who() != who || i.0 != round);
        }
        let said = &mut intents.unplanned;
        said.retain(|s| s.2.who != Some(who) || s.0 != round);
        intents.all.push((round, answered, intent));
        intents.version += 1;
    }

    /// Marks a unit's plan as begun.
    pub fn has_begun(&mut self, who: Id) {
        self.intents.close(who, self.round());
    }

    /// Gives up a unit's plan: the player decides for it.
    pub fn fail(&mut self, who: Id, reason: Reason) {
        self.ask_again(who);
        self.note_failure(who, reason, self.round());
    }

    pub(super) fn note_failure(&mut self, who: Id, reason: Reason, round: u16) {
        let failure = Failure {
            who,
            reason,
            round,
            events_shown: self.shown().events,
            replaced: None,
        };
        self.intents.failures.push(failure);
        self.intents.version += 1;
    }

    /// Drops a unit's plan, so that the player decides for it.
    pub fn ask_again(&mut self, who: Id) {
        let (round, intents) = (self.round(), &mut self.intents);
        let is_own = |i: &mut (u16, usize, Intent)| i.2.who() == who && i.0 == round;
        intents.dropped.extend(intents.all.extract_if(.., is_own));
        intents.version += 1;
    }

    /// The unit of the player's side that acted last, if it has no plan in this round. Reactions do
    /// not count, nor does declining one.
    pub fn acted_unplanned(&self) -> Option<Id> {
        let mut answers = self.game.answers().iter().enumerate().rev();
        let is_turn =
            |(n, choice): &(usize, &Choice)| choice.verb != &PASS && !self.game.was_reaction(*n);
        let (n, choice) = answers.find(is_turn)?;
        let is_declared = self.intents.unplanned.iter().any(|one| one.1 == n);
        let who = choice.who.filter(|_| !is_declared)?;
        let is_own = self.shown().unit(who).side == self.player();
        (is_own && self.intent(who).is_none()).then_some(who)
    }

    /// The choice that ends a unit's turn or moment; `None` if it has none.
    pub fn pass_choice(&mut self, who: Id) -> Option<Choice> {
        let offers = self.offers_of(who);
        orders::passes(self.game.rules(), &offers)
    }

    /// The next step of the plans of the units that must act.
    pub fn next_step(&mut self, asked: &Decision) -> NextStep {
        let (rules, round) = (self.game.rules(), self.round());
        let sequence = self.sequence();
        let plan_of = |who: Id| self.intents.of(who, round).map(|intent| &intent.plan);
        let offers_of = |who: Id| self.game.offers_of(who);
        let read = |world: &mut World| {
            orders::carried_out((rules, world), asked, &sequence, offers_of, plan_of)
        };
        self.queries.ask(read)
    }

    /// Whether the player's side is declaring, before any action happens.
    pub fn is_declaring(&self) -> bool {
        self.is_players_turn() && self.is_before_round()
    }

    /// Why a unit that declares now can't walk away in this round, and the declaration that still
    /// leads away. `None` if it can walk.
    pub fn stuck(&self, who: Id) -> Option<(Why, &'static Action)> {
        let stuck = |world: &mut World| (self.queries.rules.planning.stuck)(world, who);
        let is_declaring = self.is_declaring();
        is_declaring.then(|| self.queries.ask(stuck)).flatten()
    }

    /// Whether the unit declares now and had orders in an earlier round, which it may repeat.
    pub fn can_repeat(&self, who: Id) -> bool {
        self.is_declaring() && self.has_ordered(who)
    }

    /// Whether any standing unit of the player's side had orders in an earlier round.
    pub fn has_any_ordered(&self) -> bool {
        let mut own = self.shown().members(self.player());
        own.any(|unit| unit.is_up() && self.has_ordered(unit.id))
    }

    /// Whether a unit had orders in an earlier round.
    pub fn has_ordered(&self, who: Id) -> bool {
        let (intents, round) = (&self.intents, self.round());
        intents.before(who, round).is_some() || intents.unplanned_before(who, round).is_some()
    }

    /// Whether any side is still declaring, as far as the screen shows.
    pub fn is_before_round(&self) -> bool {
        let declaring = self.queries.rules.planning.declaring;
        self.queries.ask(declaring)
    }

    /// The last order of the side, if it waits for confirmation.
    pub fn held(&self) -> Option<&Intent> {
        let (answered, held) = self.intents.held.as_ref()?;
        (*answered == self.game.answered() && self.is_declaring()).then_some(held)
    }

    /// Holds the last order of the side, or with `None` drops it.
    pub fn set_held(&mut self, held: Option<Intent>) {
        let now = self.game.answered();
        self.intents.held = held.map(|held| (now, held));
        self.intents.version += 1;
    }

    /// Gives the held declarations: the round begins.
    pub fn begin_round(&mut self) -> Result<(), Refused> {
        let Some(held) = self.held().cloned() else {
            return Ok(());
        };
        self.give_order(held)?;
        self.set_held(None);
        Ok(())
    }

    /// Gives orders to all units that have yet to declare this round.
    pub fn order_all(&mut self, what: ForAll) {
        self.intents.for_all = Some((self.round(), what));
    }

    /// The orders that the unit that must declare now gets, if any; resets them.
    pub fn take_order_for_all(&mut self) -> Option<ForAll> {
        let (round, what) = self.intents.for_all.take()?;
        (round == self.round() && self.is_declaring()).then_some(what)
    }
}
