//! Fast actions: parley, fleeing and charges, before any group's turn (PH-05).

use super::{
    Phased,
    acts::{announce, ready},
    attacks::AttackBatch,
    concentration,
    end_checks::{EndChecks, two_d6},
    events::PhasedEvent,
    movement::{self, charge_feet, charge_line},
    query::PhasedQuery,
    reactions::{self, Reactions, Trigger},
    routine::{AttackWay, Routine},
    state::DeclaredPlan,
};
use crate::{
    battle::{
        Answer, CheckRoll, Choice, DiceBox, EventKind, Id, Offer, Offers, PASS, Poll, StepOutcome,
        Why,
    },
    content::{Attribute, Trait},
    rulesets::common::{flee::Flee, moves::MoveStep, verbs},
    system_step,
};
use bevy_ecs::{
    system::{In, ResMut},
    world::World,
};

verbs! {
    PARLEY = "parley", "parley", "calls for a parley", "PH-04";
    FLEE = "flee", "flee to {to}", "flees to {to}", "PH-04";
    STAND_FAST = "stand fast", "stand fast", "does not flee after all", "PH-04";
    CHARGE = "charge", "charge {at} with {with}", "charges {at} with {with}", "PH-42";
    /// A set weapon's attack on a charging enemy.
    MEET = "meet the charge", "meet the charge of {at} with {with}",
        "meets the charge of {at} with {with}", "PH-42";
}

/// Units of the current group with a `wanted` plan that they have not carried out. Delays don't
/// matter here (PH-17).
fn due(ph: &PhasedQuery, wanted: impl Fn(DeclaredPlan) -> bool) -> Vec<Id> {
    let due = |id: &Id| {
        let f = ph.fighter(*id);
        let group = ph.clock.group_of(ph.body(*id).side);
        ph.can_act(*id) && !f.spent && group == ph.clock.group && f.plan.is_some_and(&wanted)
    };
    ph.view.ids().filter(due).collect()
}

/// Which of these units act now: all simultaneously if they belong to several sides (PH-02); within
/// one side, only the unit with the lowest `key`.
fn now<K: Ord>(ph: &PhasedQuery, all: Vec<Id>, key: impl Fn(Id) -> K) -> Vec<Id> {
    let side = |id: Id| ph.body(id).side;
    if all.iter().any(|&id| side(id) != side(all[0])) {
        return all;
    }
    Vec::from_iter(all.into_iter().min_by_key(|&id| key(id)))
}

system_step! {
    /// PH-04, A: parley. A side may call for one once per battle; enemies that listen don't attack
    /// this round unless they are attacked.
    pub struct Parleys => parleys
}

fn parleys(In(_): In<Parleys>, ph: PhasedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    // At most one unit of each side has declared a parley.
    for who in due(&ph, |plan| plan == DeclaredPlan::Parley) {
        parley(&ph, who, &mut dice, &mut outcome);
    }
    outcome
}

fn parley(ph: &PhasedQuery, who: Id, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let side = ph.body(who).side;
    let said = announce(ph, &Choice::new(&PARLEY, who));
    outcome.events.extend(said.events);
    outcome.emit("PH-10", PhasedEvent::Spent { who });
    outcome.emit("PH-04", PhasedEvent::Parleyed { side });
    let cha = ph.view.creature(who).modifier(Attribute::Cha);
    let roll = two_d6(dice, cha, "CHA");
    let against = ph.tables().numbers.parley_needs;
    let passed = roll.total() >= against;
    CheckRoll::by(who, "parley", roll).emit("PH-04", against, passed, outcome);
    if passed {
        for enemy in hearers(ph, who) {
            outcome.emit("PH-04", PhasedEvent::Listens { who: enemy });
        }
    }
}

/// Enemies that a parley can reach: near enough, able to understand speech, and with a morale
/// score.
pub fn hearers(ph: &PhasedQuery, who: Id) -> Vec<Id> {
    let feet = ph.tables().numbers.parley_feet;
    let hears = |enemy: &Id| {
        let near = ph.view.within(who, *enemy, feet);
        near && ph.morale(*enemy).is_some() && !is_speechless(ph, *enemy)
    };
    ph.enemies_seen(who).filter(hears).collect()
}

fn is_speechless(ph: &PhasedQuery, who: Id) -> bool {
    ph.view.creature(who).has(Trait::Speechless)
}

pub fn can_parley(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    Why::of_actor("PH-04", "cannot speak").when(is_speechless(ph, who))?;
    let side = ph.body(who).side;
    let has_parleyed = ph.clock.parleyed & (1 << side.0) != 0;
    Why::new("PH-04", "the side has been heard").when(has_parleyed)?;
    let has_declared = |ally: Id| ph.fighter(ally).plan == Some(DeclaredPlan::Parley);
    Why::new("PH-04", "an ally has declared it").when(ph.view.standing(side).any(has_declared))?;
    Why::new("PH-04", "nobody would listen").when(hearers(ph, who).is_empty())
}

pub fn can_flee(ph: &PhasedQuery, who: Id) -> Result<(), Why> {
    Why::new("PH-04", "prone").when(ph.body(who).prone)?;
    // A single step is found quickly, and usually exists.
    Why::new("PH-04", "there is nowhere to go")
        .when(!ph.can_step(who, ph.rate(who)) && ph.ends(who, ph.rate(who)).is_empty())
}

system_step! {
    /// PH-04, B: fleeing, the only way out of melee. Enemies in the melee attack first (PH-40).
    pub struct EscapePhase { pub poll: Option<Poll> } => flights
}

fn flights(In(step): In<EscapePhase>, ph: PhasedQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    let due = || now(&ph, due(&ph, |plan| plan == DeclaredPlan::Flee), |id| id);
    let mut poll = step.poll.unwrap_or_else(|| Poll::of(due()));
    // Units whose morale broke are not prompted.
    let ask = |who: Id| {
        let offers = Offers::ByActor(list_flights);
        let question = || ph.view.asks(who, "PH-04", "Flee where to?", offers);
        (!ph.body(who).flees).then(question)
    };
    if let Some(question) = poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, EscapePhase { poll: Some(poll) });
    }
    // The state has not changed since the prompts, so the list of units hasn't either.
    let mut routed: Vec<Id> = due();
    routed.retain(|&who| ph.body(who).flees);
    let said = poll.open(&mut answer);
    if said.is_empty() && routed.is_empty() {
        return StepOutcome::default();
    }
    let mut outcome = StepOutcome::default();
    let (mut gone, mut movers) = (vec![], vec![]);
    for choice in said {
        let who = choice.actor();
        let to = choice.to.filter(|_| choice.verb == &FLEE);
        ph.reveal(who, &mut outcome);
        outcome.emit("PH-04", EventKind::Acted { choice });
        outcome.emit("PH-10", PhasedEvent::Spent { who });
        if let Some(to) = to {
            let path = ph.flight_path(who, to);
            gone.push(who);
            movers.push(movement::flight(who, ph.rate(who), path));
        }
    }
    for &who in &routed {
        outcome.emit("PH-10", PhasedEvent::Spent { who });
        gone.push(who);
    }
    // Units that flee simultaneously are attacked simultaneously (PH-02).
    match gone[..] {
        [] => {}
        [by] => outcome.push(Reactions::open(Trigger::Flight { by })),
        _ => outcome.push(Reactions::open(Trigger::Flights(gone.clone()))),
    }
    if !movers.is_empty() {
        outcome.push(MoveStep::<Phased>::together(&ph, movers));
    }
    for who in routed {
        outcome.push(Flee::<Phased> { who, budget: 1 });
    }
    if !gone.is_empty() {
        outcome.push(EndChecks);
    }
    outcome.then(EscapePhase { poll: None })
}

fn list_flights(world: &mut World, id: Id) -> Vec<Offer> {
    fn offers(In(who): In<Id>, mut ph: PhasedQuery) -> Vec<Offer> {
        *ph.offers_for = Some(ph.body(who).side);
        let strikers = reactions::strikers(&ph, who, &Trigger::Flight { by: who });
        let provoked = strikers.iter().fold(0, |set, s| set | s.0.bit());
        let ends = ph.flight_ends(who, provoked).into_iter();
        let mut out = Vec::from_iter(Offer::to_any(Choice::new(&FLEE, who), ends));
        out.push(Offer::legal(Choice::new(&STAND_FAST, who)));
        out
    }
    crate::battle::run_system(world, offers, id)
}

system_step! {
    /// PH-04, C; PH-42: the charges of a group. Units of one side charge one by one, the nearest
    /// first; units of tied sides charge simultaneously (PH-02).
    pub struct Charges => charges
}

fn charges(In(_): In<Charges>, ph: PhasedQuery) -> StepOutcome {
    let is_charge = |plan| matches!(plan, DeclaredPlan::Charge { .. });
    let all = now(&ph, due(&ph, is_charge), |who| steps(&ph, who));
    if all.is_empty() {
        return StepOutcome::default();
    }
    let mut outcome = StepOutcome::default();
    let (mut movers, mut runs) = (vec![], vec![]);
    for who in all {
        let Some(DeclaredPlan::Charge { at, with }) = ph.fighter(who).plan else {
            continue;
        };
        // A unit that listens does not charge; it is free to act again if it is attacked.
        if ph.fighter(who).listens {
            let why = "is listening to the parley".into();
            outcome.emit("PH-04", EventKind::Stopped { who, why });
            outcome.emit("PH-04", PhasedEvent::Dropped { who });
            continue;
        }
        // A unit that is in melee by now attacks in the melee part instead.
        if ph.in_melee(who) {
            outcome.emit("PH-42", PhasedEvent::Dropped { who });
            continue;
        }
        let choice = Choice::new(&CHARGE, who).at(at).with(with);
        let routine = Routine::of_charge(&ph, &choice);
        outcome.events.extend(announce(&ph, &choice).events);
        outcome.emit("PH-10", PhasedEvent::Spent { who });
        // A charge is faster than half speed, so it ends a spell that the unit keeps up (PH-21).
        concentration::lets_go(&ph, who, &mut outcome);
        let path = charge_line(&ph, who, at, charge_feet(&ph, who));
        match path.and_then(|path| ph.readying(who, with).map(|_| path)) {
            Err(why) => outcome.emit("PH-42", EventKind::Stopped { who, why: why.text }),
            Ok(path) => {
                outcome.emit("PH-42", PhasedEvent::Charged { who });
                ready(&ph, who, with, &mut outcome);
                let steps = path.len();
                movers.push(movement::charge(&ph, who, at, path));
                runs.push(Run { routine, steps });
            }
        }
    }
    if !movers.is_empty() {
        outcome.push(MoveStep::<Phased>::together(&ph, movers));
        outcome.push(ChargesArrive { runs, poll: None });
        outcome.push(EndChecks);
    }
    outcome.then(Charges)
}

/// Length in steps of the unit's declared charge in the current position; 0 if it has none.
fn steps(ph: &PhasedQuery, who: Id) -> usize {
    let Some(DeclaredPlan::Charge { at, .. }) = ph.fighter(who).plan else {
        return 0;
    };
    let line = charge_line(ph, who, at, charge_feet(ph, who));
    line.map_or(0, |line| line.len())
}

/// A charge after its movement.
#[derive(Clone, Debug)]
struct Run {
    routine: Routine,
    /// Steps of the charge. Of several charges at one unit, the shortest arrives first.
    steps: usize,
}

system_step! {
    /// The end of charges. Weapons set against them attack first, for double damage (PH-42). A
    /// target of charges that arrive at the same step chooses which one to meet.
    struct ChargesArrive { runs: Vec<Run>, poll: Option<Poll> } => impact
}

fn impact(
    In(mut step): In<ChargesArrive>,
    ph: PhasedQuery,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    let bears = |&id: &Id| !first_charges(&ph, &step.runs, id).is_empty();
    let bearers: Vec<Id> = ph.view.ids().filter(bears).collect();
    let meetings = |who: Id| meetings(&ph, &step.runs, who);
    let has_choice = |who: &Id| meetings(*who).len() > 1;
    let all = || Poll::of(bearers.iter().copied().filter(has_choice));
    let mut poll = step.poll.take().unwrap_or_else(all);
    let ask = |who: Id| {
        let offers = meetings(who).into_iter().map(Offer::legal).collect();
        let prompt = "Charges arrive at the same step: which one to meet?";
        Some(ph.view.asks(who, "PH-42", prompt, Offers::listed(offers)))
    };
    if let Some(question) = poll.next(&mut answer, ask) {
        step.poll = Some(poll);
        return StepOutcome::ask(question, step);
    }
    let mut said = poll.open(&mut answer);
    // A unit with only one possible charge to meet is not prompted.
    let only = |&who: &Id| Some(meetings(who)).filter(|all| all.len() == 1);
    said.extend(bearers.iter().filter_map(only).flatten());
    said.sort_by_key(|choice| choice.who);
    let mut outcome = StepOutcome::default();
    let mut specs = vec![];
    for choice in said {
        let Some(routine) = meeting(&ph, &choice) else {
            continue;
        };
        let who = routine.by;
        outcome.emit("PH-42", EventKind::Acted { choice });
        outcome.emit("PH-42", PhasedEvent::Spent { who });
        ready(&ph, who, routine.with, &mut outcome);
        specs.extend(ph.specs(&routine));
    }
    if !specs.is_empty() {
        outcome.push(AttackBatch::of(specs));
    }
    let routines = step.runs.into_iter().map(|run| run.routine).collect();
    outcome.then(CountAttacks { routines })
}

/// The choices of a unit with a set weapon: meet one of the charges that arrived first, or pass if
/// a later charge at the unit has equally few steps.
fn meetings(ph: &PhasedQuery, runs: &[Run], who: Id) -> Vec<Choice> {
    let first = first_charges(ph, runs, who);
    let Some(steps) = first.first().map(|run| run.steps) else {
        return vec![];
    };
    let mut all: Vec<Choice> = first.iter().filter_map(|run| meets(ph, run)).collect();
    let at_it = |plan: DeclaredPlan| matches!(plan, DeclaredPlan::Charge { at, .. } if at == who);
    let more = due(ph, at_it);
    if more.into_iter().any(|id| self::steps(ph, id) == steps) {
        all.push(Choice::new(&PASS, who));
    }
    all
}

/// The first charges to arrive at a unit with a set weapon.
fn first_charges<'a>(ph: &PhasedQuery, runs: &'a [Run], who: Id) -> Vec<&'a Run> {
    let at_it = runs.iter().filter(|run| run.routine.at == who);
    let all: Vec<&Run> = at_it.filter(|run| meets(ph, run).is_some()).collect();
    let first = all.iter().map(|run| run.steps).min();
    let is_first = |run: &&Run| Some(run.steps) == first;
    all.into_iter().filter(is_first).collect()
}

/// The choice to meet this charge; `None` if the target has no weapon set that reaches it.
fn meets(ph: &PhasedQuery, run: &Run) -> Option<Choice> {
    let (charger, target) = (run.routine.by, run.routine.at);
    let fighter = ph.fighter(target);
    let Some(DeclaredPlan::Set { with }) = fighter.plan else {
        return None;
    };
    if !ph.is_up(charger) || !ph.can_act(target) || fighter.spent {
        return None;
    }
    let choice = Choice::new(&MEET, target).at(charger).with(with);
    let routine = meeting(ph, &choice)?;
    ph.routine_forecasts(&routine).ok().map(|_| choice)
}

/// The attack of a choice to meet a charge; `None` for other choices.
pub fn meeting(ph: &PhasedQuery, choice: &Choice) -> Option<Routine> {
    let times = ph.tables().numbers.set_times;
    (choice.verb == &MEET).then(|| Routine::of(choice, AttackWay::Strike).times(times))
}

system_step! {
    /// The simultaneous attacks of the chargers that are still up. Their further routines come
    /// after the groups (PH-01, PH-35).
    struct CountAttacks { routines: Vec<Routine> } => strike
}

fn strike(In(CountAttacks { routines }): In<CountAttacks>, ph: PhasedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut specs = vec![];
    for routine in routines.iter().filter(|r| ph.is_up(r.by)) {
        let who = routine.by;
        let left = ph.stats(who).routines.saturating_sub(1);
        if left > 0 && ph.in_melee(who) {
            outcome.emit("PH-35", PhasedEvent::Routines { who, left });
        }
        specs.extend(ph.specs(routine));
    }
    match specs.is_empty() {
        true => outcome,
        false => outcome.then(AttackBatch::of(specs)),
    }
}
