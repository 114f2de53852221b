//! A player that plans rounds, without a window. Test files use this module and never each other.

use bevy_ecs::world::World;
use fivefoot_core::{
    battle::{
        Battle, Body, Choice, DiceBox, EventKind, Id, Offer, Ruleset, Side, level_setup, of_unit,
    },
    control::{
        Controller, Player,
        orders::{self, NextStep, Order, Plan, Reason},
        simulation::{Intentions, Prediction, ROUNDS, Round, Simulation, Situation},
    },
    grid::Cell,
    levels::Level,
};
use std::{collections::BTreeMap, sync::Arc};

/// The rulesets in which units declare actions before the round.
pub const DECLARED: [&str; 4] = ["Segments", "Phased", "Speed", "Activity"];

/// The side that plans.
pub const OWN: Side = Side(0);

pub const MARA: Id = Id(0);
pub const YSOLDE: Id = Id(1);
pub const GOBLIN: Id = Id(2);
pub const ARCHER: Id = Id(3);

/// A battle in which one side plans its rounds against AIs.
pub struct Planner {
    pub battle: Battle,
    pub failures: Vec<(Id, Reason)>,
    seed: u64,
    ais: Vec<Box<dyn Controller>>,
    plans: BTreeMap<Id, Plan>,
    declared: Vec<(u16, Choice)>,
    round: u16,
}

impl Planner {
    /// A battle at the planning side's first decision, with `enemies` as the player of all other
    /// sides.
    pub fn new(enemies: Player, level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> Self {
        let setup = level_setup(level);
        let sides = level.sides.len();
        let ais = (0..sides).map(|n| enemies.controller(&setup, rules, n, seed));
        let mut planner = Self {
            ais: ais.collect(),
            battle: Battle::new(setup, rules, DiceBox::seeded(seed)),
            failures: vec![],
            seed,
            plans: BTreeMap::new(),
            declared: vec![],
            round: 0,
        };
        planner.enemies_answer();
        planner
    }

    /// A battle at the planning side's first declaration.
    pub fn declaring(
        enemies: Player,
        level: &Arc<Level>,
        rules: &'static Ruleset,
        seed: u64,
    ) -> Self {
        let mut planner = Self::new(enemies, level, rules, seed);
        for _ in 0..400 {
            if planner.is_declaring() {
                return planner;
            }
            planner.on();
        }
        panic!("{}: nobody declares", rules.id);
    }

    fn rules(&self) -> &'static Ruleset {
        self.battle.rules()
    }

    /// Reads from the planning side's replica.
    pub fn known<T>(&mut self, read: impl FnOnce(&mut World) -> T) -> T {
        let mut replica = self.battle.replica(Some(OWN));
        read(self.battle.known(&mut replica))
    }

    pub fn body(&mut self, who: Id) -> Body {
        self.known(|world| of_unit::<Body>(world, who).clone())
    }

    pub fn round(&mut self) -> u16 {
        let clock = self.rules().planning.clock;
        self.known(clock).round
    }

    pub fn is_over(&self) -> bool {
        self.battle.over().is_some()
    }

    pub fn is_own_turn(&self) -> bool {
        let asked = self.battle.asked();
        asked.is_some_and(|asked| asked.side == OWN && asked.is_turn())
    }

    pub fn is_declaring(&mut self) -> bool {
        let declaring = self.rules().planning.declaring;
        self.is_own_turn() && self.known(declaring)
    }

    pub fn offers(&mut self, who: Id) -> Vec<Offer> {
        self.battle.offers_of(who).to_vec()
    }

    /// A draft of the order, with the declaration that its unit would make now.
    pub fn draft(&mut self, who: Id, order: Order) -> Plan {
        let rules = self.rules();
        self.known(|world| orders::plan(rules, world, who, order))
    }

    pub fn attack(&mut self, who: Id, target: Id) -> Plan {
        self.draft(who, attack_on(target))
    }

    pub fn go(&mut self, who: Id, to: Cell) -> Plan {
        self.draft(who, Order::Move { to })
    }

    /// A draft of the first spell that a unit can declare, with a target. `None` if it can declare
    /// none.
    pub fn spell(&mut self, who: Id, at: Id) -> Option<Plan> {
        let offers = self.offers(who);
        let is_spell = |o: &&Offer| o.is_legal() && o.choice.spell.is_some();
        let offer = offers.iter().find(is_spell)?;
        let choice = match offer.numbers {
            Some((least, _)) => offer.choice.clone().number(least),
            None => offer.choice.clone(),
        };
        let order = Order::Act {
            declared: choice,
            at: Some(at),
            to: None,
        };
        Some(self.draft(who, order))
    }

    /// The current decision with all plans, ready to simulate.
    pub fn situation(&mut self, draft: Option<&Plan>) -> Situation {
        let round = self.round();
        let plans = self
            .plans
            .clone()
            .into_iter()
            .filter(|_| self.round == round);
        let intentions = Intentions {
            plans: plans.collect(),
            declared: self.declared.clone(),
            ..Intentions::default()
        };
        let situation = Situation::new(&self.battle, OWN, intentions, draft.cloned(), vec![]);
        situation.expect("a question is open")
    }

    /// The results of the plans over many simulated rounds.
    pub fn simulated(&mut self, draft: Option<&Plan>) -> Simulation {
        let seed_and_rounds = (self.seed, ROUNDS);
        let found = self.situation(draft).simulate(seed_and_rounds, &|| false);
        found.expect("it is not cancelled")
    }

    /// The enemy predictions.
    pub fn predicted(&mut self) -> BTreeMap<Id, Vec<Prediction>> {
        let found = self.situation(None).predict(self.seed, &|| false);
        found.expect("it is not cancelled")
    }

    /// The plans' result in the simulated round of one seed.
    pub fn in_round(&mut self, draft: Option<&Plan>, seed: u64) -> Round {
        let situation = self.situation(draft);
        let round = situation.round(&situation.plans(), seed, &|| false, &mut |_, _| ());
        round.expect("it is not cancelled")
    }

    /// Declares a draft and stores its plan.
    pub fn plan(&mut self, draft: &Plan) {
        let round = self.round();
        if self.round != round {
            self.plans.clear();
            self.round = round;
        }
        for choice in &draft.declared {
            self.answer(choice);
        }
        if draft.is_aimed {
            self.plans.insert(draft.who, draft.clone());
        }
        self.enemies_answer();
    }

    /// Makes a declaration without a plan.
    pub fn declare(&mut self, choice: &Choice) {
        let round = self.round();
        self.answer(choice);
        self.declared.push((round, choice.clone()));
        self.enemies_answer();
    }

    /// Completes a unit's declarations by passing.
    pub fn settle(&mut self, who: Id) {
        for _ in 0..4 {
            let is_asked = self.battle.asked().is_some_and(|q| q.actors.contains(&who));
            if !is_asked || !self.is_declaring() {
                return;
            }
            let choice = self.passes(who).expect("a last word");
            self.answer(&choice);
            self.enemies_answer();
        }
    }

    fn answer(&mut self, choice: &Choice) {
        let text = choice.text(self.battle.names());
        let given = self.battle.answer(choice.clone());
        given.unwrap_or_else(|why| panic!("{text}: {why}"));
    }

    fn passes(&mut self, who: Id) -> Option<Choice> {
        let offers = self.battle.offers_of(who);
        orders::passes(self.rules(), &offers)
    }

    fn enemies_answer(&mut self) {
        while let Some(asked) = self.battle.asked().filter(|asked| asked.side != OWN) {
            let side = asked.side.index();
            let choice = self.ais[side].choose(&mut self.battle);
            self.battle
                .answer(choice)
                .expect("the AI answers what is legal");
        }
    }

    /// Answers one decision: by the plans, or by doing nothing where there are none. Returns the
    /// unit whose plan fails.
    pub fn on(&mut self) -> Option<Id> {
        self.enemies_answer();
        let asked = self.battle.asked().cloned()?;
        let (rules, round) = (self.rules(), self.round());
        let mut step = NextStep::Ask;
        if asked.is_turn() && !self.is_declaring() && self.round == round {
            let mut replica = self.battle.replica(Some(OWN));
            let offers = asked
                .actors
                .iter()
                .map(|&who| (who, self.battle.offers_of(who)));
            let offers: BTreeMap<Id, _> = offers.collect();
            let known = (rules, self.battle.known(&mut replica));
            let offers_of = |who: Id| offers[&who].clone();
            let plan_of = |who: Id| self.plans.get(&who);
            step = orders::carried_out(known, &asked, &[], offers_of, plan_of);
        }
        match step {
            NextStep::Give(who, answers) => {
                let plan = self.plans.get_mut(&who);
                if let Some(plan) = plan.filter(|plan| plan.is_done_by(&answers)) {
                    plan.is_begun = true;
                }
                for answer in &answers {
                    if self.battle.answer(answer.clone()).is_err() {
                        break;
                    }
                }
            }
            NextStep::Failed(who, reason) => {
                self.plans.remove(&who);
                self.failures.push((who, reason));
                return Some(who);
            }
            NextStep::Pass(choice) => self.answer(&choice),
            NextStep::Ask => {
                let mut idle = || asked.actors.iter().find_map(|&who| self.passes(who));
                let choice = asked.common.first().cloned().or_else(&mut idle);
                self.answer(&choice.expect("a way to do nothing"));
            }
        }
        self.enemies_answer();
        None
    }

    /// Plays to the end of the round.
    pub fn finish_round(&mut self) {
        let round = self.round();
        for _ in 0..600 {
            if self.is_over() || self.round() != round {
                return;
            }
            self.on();
        }
        panic!("the round has no end");
    }

    /// The events from index `from` on that the side saw.
    pub fn seen_since(&self, from: usize) -> impl Iterator<Item = &EventKind> {
        let events = self.battle.events()[from..].iter();
        events
            .filter(|event| event.seen.by(OWN))
            .map(|event| &event.what)
    }
}

pub fn attack_on(target: Id) -> Order {
    Order::Attack {
        target,
        by: None,
        with: None,
    }
}
