//! A fork of a battle, as one side knows it, in which that side's plans are carried out.

use super::{Evidence, Intentions};
use crate::{
    battle::{
        Battle, Body, Choice, Decision, DiceBox, Event, EventKind, Id, Moment, Names, Offer, PASS,
        Replica, Ruleset, Side, of_unit,
    },
    control::{
        ActingOrder, Easy,
        orders::{self, Next, NextStep, Order, Plan, Reason},
        strategist::quick_result,
    },
};
use bevy_ecs::world::World;
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

/// A round never has more decisions than this.
const MAX: usize = 400;

/// What the other sides do in a fork, and how the dice fall.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enemies {
    /// Enemies do nothing, and have no secret declarations; dice show average results.
    Passive,
    /// Enemies act like the quick AI; dice show average results.
    Expected,
    /// Enemies act like the quick AI, or for odd seeds like the easy AI; dice use this seed.
    Seeded(u64),
}

impl Enemies {
    fn dice(self) -> DiceBox {
        match self {
            Self::Seeded(seed) => DiceBox::seeded(seed),
            _ => DiceBox::middling(),
        }
    }

    /// Whether they act like the easy AI.
    fn are_easy(self) -> bool {
        matches!(self, Self::Seeded(seed) if seed % 2 == 1)
    }

    /// What an AI answers to the open decision.
    fn answer(self, battle: &mut Battle, order: &mut ActingOrder) -> Choice {
        match self {
            Self::Seeded(seed) if self.are_easy() => Easy::answer(battle, seed),
            _ => order.answer(battle, None),
        }
    }
}

/// What an enemy is assumed to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Supposition {
    /// It stays where it is and does nothing.
    Holds,
    /// It attacks this unit.
    Attacks(Id),
}

impl Supposition {
    fn plan(self, who: Id) -> Option<Plan> {
        match self {
            Self::Holds => None,
            Self::Attacks(target) => Some(Plan::new(who, Order::attack(target))),
        }
    }
}

/// What each enemy is assumed to do.
pub type Supposed = BTreeMap<Id, Supposition>;

/// What `play` reports while it plays a fork.
pub enum Observed<'a> {
    /// A decision is open.
    Question(&'a Decision),
    /// A unit begins to carry out its plan with these answers.
    Begins(Id, &'a [Choice]),
    /// The answers that a unit began with were given.
    Began(Id),
    /// A unit reacts with this choice.
    Reacts(&'a Choice),
    /// An event that the side sees, already applied to what it knows.
    Event(&'a Event),
}

/// A fork of a battle, as one side knows it.
pub struct Fork {
    battle: Battle,
    /// What the side sees of it.
    replica: Replica,
    side: Side,
    round: u16,
    /// The round that the plans are for.
    planned: u16,
    enemies: Enemies,
    /// In which order enemies act that are asked at once.
    order: ActingOrder,
    intentions: Intentions,
    failures: BTreeMap<Id, Reason>,
}

impl Fork {
    /// A fork with passive enemies.
    pub(super) fn new(battle: &Battle, side: Side, intentions: Intentions) -> Self {
        let mut known = battle.replica(Some(side));
        let battle = battle.fork_seen(&mut known, Enemies::Passive.dice());
        let mut replica = battle.replica_of_fork(side);
        let round = (battle.rules().planning.clock)(&mut replica.world).round;
        Self {
            battle,
            replica,
            side,
            round,
            planned: round,
            enemies: Enemies::Passive,
            order: ActingOrder::default(),
            intentions,
            failures: BTreeMap::new(),
        }
    }

    /// Another fork of this state. Only before anything has happened in it, when it holds only
    /// what the side knows. `quick` keeps the state with the secret declarations of the quick AI,
    /// which do not depend on the dice.
    pub(super) fn again(&self, enemies: Enemies, quick: &OnceLock<Battle>) -> Self {
        let battle = match enemies {
            Enemies::Passive => self.battle.fork(enemies.dice()),
            _ if enemies.are_easy() => self.guessed(enemies),
            _ => {
                let guessed = quick.get_or_init(|| self.guessed(Enemies::Expected));
                guessed.fork(enemies.dice())
            }
        };
        Self {
            replica: self.battle.replica_of_fork(self.side),
            battle,
            enemies,
            order: ActingOrder::default(),
            intentions: self.intentions.clone(),
            failures: BTreeMap::new(),
            ..*self
        }
    }

    /// A fork that is played only to the end of this round.
    pub(super) fn for_one_round(mut self) -> Self {
        self.battle.skip_idle_count();
        self
    }

    /// This state with secret declarations of the enemies.
    fn guessed(&self, enemies: Enemies) -> Battle {
        let mut battle = self.battle.fork(enemies.dice());
        let mut order = ActingOrder::default();
        let supposed = &self.intentions.supposed;
        battle.guess_plans(self.side, &mut |battle| {
            enemy_answer(battle, (enemies, &mut order), supposed)
        });
        battle
    }

    pub fn side(&self) -> Side {
        self.side
    }

    pub fn rules(&self) -> &'static Ruleset {
        self.battle.rules()
    }

    pub fn names(&self) -> &Arc<Names> {
        self.battle.names()
    }

    /// The current round.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// What the side knows.
    pub fn world(&mut self) -> &mut World {
        &mut self.replica.world
    }

    pub fn body(&self, who: Id) -> &Body {
        of_unit(&self.replica.world, who)
    }

    /// The current part of the round.
    pub fn moment(&mut self) -> Moment {
        (self.rules().planning.now)(&mut self.replica.world)
    }

    pub fn asked(&self) -> Option<&Decision> {
        self.battle.asked()
    }

    pub fn offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        self.battle.offers_of(who)
    }

    /// What the quick AI would answer for an asked unit. A unit that has declared flight flees,
    /// even if the AI would rather stay.
    pub fn sensible(&mut self, who: Id) -> Choice {
        let rules = self.rules();
        let offers = self.offers_of(who);
        let legal = offers.iter().filter(|offer| offer.is_legal());
        let is_flight = |offer: &&Offer| rules.planning.is_declared_walk(offer.choice.verb);
        let flights: Vec<Offer> = legal.filter(is_flight).cloned().collect();
        match flights.is_empty() {
            true => self.battle.quick_answer_of(who, None).0,
            false => (rules.policy)(&mut self.replica.world, who, &Arc::new(flights)).0,
        }
    }

    /// Whether units are declaring now.
    pub fn is_declaring(&mut self) -> bool {
        (self.rules().planning.declaring)(&mut self.replica.world)
    }

    /// The plan of a unit in this round, if it has one.
    pub fn plan(&self, who: Id) -> Option<&Plan> {
        let plan = self.intentions.plans.get(&who);
        plan.filter(|_| self.round == self.planned)
    }

    /// Why each abandoned plan failed.
    pub fn failures(&self) -> &BTreeMap<Id, Reason> {
        &self.failures
    }

    /// Events that the side has seen since the fork was made.
    pub fn seen(&self) -> impl Iterator<Item = &Event> {
        let events = self.battle.events().iter();
        events.filter(|event| event.seen.by(self.side))
    }

    /// Sets a plan for its unit in this round.
    pub fn intend(&mut self, plan: Plan) {
        self.intentions.plans.insert(plan.who, plan);
    }

    /// Abandons a plan, so that its unit is asked instead.
    fn fail(&mut self, who: Id, reason: Reason) {
        let reason = match self.intentions.plans.remove(&who) {
            Some(plan) => self.main_reason(&plan, reason),
            None => reason,
        };
        self.failures.insert(who, reason);
    }

    /// Why a plan was not begun, at the end of the round.
    pub fn why_missed(&mut self, plan: &Plan) -> Reason {
        let reason = Evidence::of_fork(self).why_missed(plan);
        self.main_reason(plan, reason)
    }

    /// A target that fell is the reason only if the plan could have been carried out otherwise.
    fn main_reason(&mut self, plan: &Plan, reason: Reason) -> Reason {
        let anyway = match reason {
            Reason::Gone { target, .. } => Evidence::of_fork(self).too_far_anyway(plan, target),
            _ => None,
        };
        anyway.unwrap_or(reason)
    }

    /// Whether a unit has declared something that it has not done yet. While others still
    /// declare, a unit that is done has only finished declaring.
    fn is_under_way(&mut self, who: Id) -> bool {
        let planning = self.rules().planning;
        let is_declaring = self.is_declaring();
        let world = &mut self.replica.world;
        of_unit::<Body>(world, who).is_up()
            && !(planning.declared)(world, who).is_empty()
            && (is_declaring || !(planning.is_done)(world, who))
    }

    /// Declares for a unit of the side, which is asked for a target later if the declaration has
    /// none. False if the declaration is not legal.
    pub(super) fn declare(
        &mut self,
        choice: &Choice,
        observe: &mut dyn FnMut(&mut Self, Observed),
    ) -> bool {
        let declared = (self.round, choice.clone());
        self.intentions.declared.push(declared);
        self.answer(choice, observe)
    }

    /// Answers the open decision of any side. False if the choice is not legal.
    pub fn answer(
        &mut self,
        choice: &Choice,
        observe: &mut dyn FnMut(&mut Self, Observed),
    ) -> bool {
        let is_legal = self.battle.answer(choice.clone()).is_ok();
        while let Some(event) = self.replica.next(self.battle.events()) {
            if !event.seen.by(self.side) {
                continue;
            }
            let event = event.clone();
            if let EventKind::RoundBegan { round } = event.what {
                self.round = round;
            }
            observe(self, Observed::Event(&event));
        }
        is_legal
    }

    /// All declared actions of the side that have not begun, including spells from the previous
    /// round that are still being cast.
    pub(super) fn open_plans(&mut self) -> BTreeMap<Id, Plan> {
        let planning = self.rules().planning;
        let declared = self.intentions.declared.clone();
        let own = |fork: &Self, who: Id| fork.body(who).side == fork.side;
        let mut plans = BTreeMap::new();
        for (round, choice) in declared {
            let Some(who) = choice.who.filter(|&who| own(self, who)) else {
                continue;
            };
            if self.plan(who).is_some() || !self.is_under_way(who) {
                continue;
            }
            let is_idle = planning.idle.contains(&choice.verb) && choice.at.is_none();
            let goes_on = choice.spell.is_some() && choice.at.is_none();
            if is_idle || round != self.round && !goes_on {
                continue;
            }
            let plan = Plan::as_declared(who, vec![choice]);
            // Of several declarations of a unit, one with a target counts, otherwise a spell, and
            // work only if there is nothing else.
            let rank = |plan: &Plan| {
                let has_target = plan.order.target().is_some();
                (has_target, plan.is_spell(), plan.is_open(planning))
            };
            let known = plans.get(&who).map(rank);
            if known.is_none_or(|known| known < rank(&plan)) {
                plans.insert(who, plan);
            }
        }
        let aimed = self.intentions.plans.values();
        let aimed = aimed.filter(|plan| !plan.is_begun && own(self, plan.who));
        plans.extend(aimed.map(|plan| (plan.who, plan.clone())));
        plans
    }

    /// Plans of units that are up that were not begun in their round. Spells are left out,
    /// because they can continue in the next round.
    pub fn unfinished(&self) -> Vec<Plan> {
        let is_open = |plan: &&Plan| {
            let unit = self.body(plan.who);
            let is_own = unit.side == self.side && unit.is_up();
            is_own && plan.aims() && !plan.is_begun && !plan.is_spell()
        };
        let plans = self.intentions.plans.values();
        plans.filter(is_open).cloned().collect()
    }

    /// The next step for an open decision; the side's own units follow their plans.
    fn next(&mut self, asked: &Decision) -> NextStep {
        if asked.side != self.side || !asked.is_turn() || self.is_declaring() {
            return NextStep::Ask;
        }
        let planning = (self.battle.rules(), &mut *self.replica.world);
        let (plans, sequence) = (&self.intentions.plans, &self.intentions.sequence);
        let is_planned = self.round == self.planned;
        let plan_of = |who: Id| plans.get(&who).filter(|_| is_planned);
        let offers_of = |who: Id| self.battle.offers_of(who);
        orders::carried_out(planning, asked, sequence, offers_of, plan_of)
    }

    /// Lets an asked unit carry out its plan. False if no plan is due.
    pub(super) fn carry_out(&mut self, asked: &Decision) -> bool {
        match self.next(asked) {
            NextStep::Give(who, answers) => {
                self.begin(who, &answers);
                let mut answer = |choice: &Choice| self.answer(choice, &mut |_, _| ());
                answers.iter().take_while(|choice| answer(choice)).count() > 0
            }
            NextStep::Failed(who, reason) => {
                self.fail(who, reason);
                true
            }
            NextStep::Pass(_) | NextStep::Ask => false,
        }
    }

    /// The side's result when its units follow their plans in this round, and the quick AI plays
    /// all else to the end: 1 won, 0 lost.
    pub(super) fn play_to_the_end(mut self) -> f32 {
        for _ in 0..MAX {
            let asked = self.asked().cloned();
            let Some(asked) = asked.filter(|_| self.round == self.planned) else {
                break;
            };
            if self.carry_out(&asked) {
                continue;
            }
            let is_own = asked.side == self.side;
            let choice = match (self.next(&asked), self.unaimed(&asked)) {
                (NextStep::Pass(choice), _) => choice,
                (_, Some(who)) if is_own => self.sensible(who),
                _ => self.battle.quick_answer(None),
            };
            if !self.answer(&choice, &mut |_, _| ()) {
                break;
            }
        }
        quick_result(&mut self.battle, self.side)
    }

    /// Whether the side means to do anything beyond the state of the battle.
    pub(super) fn has_intentions(&self) -> bool {
        !self.intentions.plans.is_empty() || !self.intentions.declared.is_empty()
    }

    /// Notes that a unit begins to carry out its plan with these answers.
    fn begin(&mut self, who: Id, answers: &[Choice]) {
        let plan = self.intentions.plans.get_mut(&who);
        if let Some(plan) = plan.filter(|plan| plan.is_done_by(answers)) {
            plan.is_begun = true;
        }
    }

    /// An answer that does not interfere. A unit without a plan stays where it is when its turn
    /// comes. Units of other sides prefer to have no turn at all, because units with a common
    /// turn wait for each other's moves (SP-03).
    pub(super) fn idle(&mut self, asked: &Decision) -> Choice {
        if let Some(common) = asked.common.first() {
            return common.clone();
        }
        let who = asked.actors.first().copied().unwrap_or(Id(0));
        let planning = self.rules().planning;
        let offers = self.battle.bundled_offers_of(who);
        let mut idle: Vec<_> = planning.idle.to_vec();
        if asked.side != self.side {
            idle.reverse();
        }
        let actions = [&PASS].into_iter();
        let actions = actions.chain(planning.done.iter().copied()).chain(idle);
        // A unit that must choose where to go, such as one that declared a flight, stays.
        let is_aimless = |offer: &&Offer| {
            let choice = &offer.choice;
            offer.is_legal() && offer.ends.is_none() && choice.at.is_none() && choice.to.is_none()
        };
        let stays = || offers.iter().find(is_aimless).filter(|_| asked.is_turn());
        match orders::first_offered(&offers, actions).or_else(stays) {
            Some(offer) => offer.choice.clone(),
            None => self.sensible(who),
        }
    }

    /// The answer to a decision without a plan.
    fn unplanned(&mut self, asked: &Decision) -> Choice {
        match (self.enemies, asked.side == self.side) {
            (Enemies::Passive, _) => self.idle(asked),
            (enemies, false) => {
                let supposed = self.intentions.supposed.clone();
                enemy_answer(&mut self.battle, (enemies, &mut self.order), &supposed)
            }
            (_, true) => match self.unaimed(asked) {
                Some(who) => self.sensible(who),
                None => self.idle(asked),
            },
        }
    }

    /// A unit that is asked for the target of its declaration, and has none planned.
    fn unaimed(&mut self, asked: &Decision) -> Option<Id> {
        if !asked.is_turn() || self.is_declaring() {
            return None;
        }
        let idle = self.rules().planning.idle;
        let declared = self.intentions.declared.clone();
        let open = declared.into_iter().filter(|(round, choice)| {
            *round == self.round
                && choice.at.is_none()
                && choice.spell.is_none()
                && !idle.contains(&choice.verb)
        });
        let open: Vec<Id> = open.filter_map(|(_, choice)| choice.who).collect();
        open.into_iter().find(|&who| {
            asked.actors.contains(&who) && self.plan(who).is_none() && self.is_under_way(who)
        })
    }
}

/// The answer of another side to the open decision: what its unit is assumed to do, or what an
/// AI would do.
fn enemy_answer(
    battle: &mut Battle,
    (enemies, order): (Enemies, &mut ActingOrder),
    supposed: &Supposed,
) -> Choice {
    let asked = battle.asked().expect("a question is open").clone();
    let known = |who: &Id| supposed.get(who).map(|supposition| (*who, *supposition));
    for (who, supposition) in asked.actors.iter().filter_map(known) {
        let offers = battle.offers_of(who);
        let rules = battle.rules();
        let answer = match supposition.plan(who) {
            _ if !asked.is_turn() => None,
            None => orders::passes(rules, &offers),
            Some(plan) => battle.with_world(|world| attack_answer(rules, world, &offers, plan)),
        };
        let legal = answer.filter(|answer| battle.check(answer).is_ok());
        if let Some(answer) = legal {
            return answer;
        }
    }
    enemies.answer(battle, order)
}

/// What a unit answers that is assumed to attack: a declaration, or its next action.
fn attack_answer(
    rules: &Ruleset,
    world: &mut World,
    offers: &Arc<Vec<Offer>>,
    plan: Plan,
) -> Option<Choice> {
    if (rules.planning.declaring)(world) {
        let declared = orders::plan(rules, world, plan.who, plan.order).declared;
        let is_offered = |choice: &Choice| offers.iter().any(|o| o.is_legal() && o.covers(choice));
        return declared.into_iter().find(is_offered);
    }
    match orders::next(rules, world, offers, &plan) {
        Next::Answer(answers) => answers.into_iter().next(),
        Next::Done => orders::passes(rules, offers),
        Next::Wait | Next::Failed(_) => None,
    }
}

/// Plays until a round is over, with the side's plans, as long as `observe` returns true for
/// each decision. False if it was cancelled.
pub fn play(
    fork: &mut Fork,
    last: u16,
    cancelled: &dyn Fn() -> bool,
    observe: &mut dyn FnMut(&mut Fork, Observed) -> bool,
) -> bool {
    for _ in 0..MAX {
        let asked = fork.asked().cloned();
        let Some(asked) = asked.filter(|_| fork.round <= last) else {
            break;
        };
        if !observe(fork, Observed::Question(&asked)) {
            break;
        } else if cancelled() {
            return false;
        }
        let mut begun = None;
        let answers = match fork.next(&asked) {
            NextStep::Give(who, answers) => {
                observe(fork, Observed::Begins(who, &answers));
                fork.begin(who, &answers);
                begun = Some(who);
                answers
            }
            NextStep::Failed(who, reason) => {
                fork.fail(who, reason);
                continue;
            }
            NextStep::Pass(choice) => vec![choice],
            NextStep::Ask => vec![fork.unplanned(&asked)],
        };
        let mut answer = |choice: &Choice| {
            if asked.is_reaction(choice) {
                observe(fork, Observed::Reacts(choice));
            }
            fork.answer(choice, &mut |fork, observed| {
                observe(fork, observed);
            })
        };
        // An enemy may react to the first answer; the rest then follows in its turn.
        if answers.iter().take_while(|choice| answer(choice)).count() == 0 {
            break;
        }
        if let Some(who) = begun {
            observe(fork, Observed::Began(who));
        }
    }
    true
}
