//! Fast actions: parleys, flights, charges, before any group's turn (PH-05).

use super::{
    acts,
    aftermath::{Aftermath, two_d6},
    concentration,
    fact::Fact,
    fighter::Plan,
    flight,
    ph::Ph,
    reactions::{self, Moment, Reactions},
    routine::{Routine, Way},
    stride,
    volley::Volley,
};
use crate::{
    battle::{
        Answer, Change, Choice, Decision, DiceBox, Flow, Id, Leg, Offer, Offers, Side, Verb, Why,
    },
    content::{Attribute, Trait},
    grid::{Cell, Space},
    rulesets::common::run_up::End,
    system_step,
};
use bevy::ecs::{
    system::{In, ResMut},
    world::World,
};

pub static PARLEY: Verb = Verb {
    name: "parley",
    phrase: "parley",
    told: "calls for a parley",
    rule: "PH-04",
};
pub static FLEE: Verb = Verb {
    name: "flee",
    phrase: "flee to {to}",
    told: "flees to {to}",
    rule: "PH-04",
};
pub static STAND_FAST: Verb = Verb {
    name: "stand fast",
    phrase: "stand fast",
    told: "does not flee after all",
    rule: "PH-04",
};
pub static CHARGE: Verb = Verb {
    name: "charge",
    phrase: "charge {at} with {with}",
    told: "charges {at} with {with}",
    rule: "PH-42",
};

/// The next of those in the group whose fast actions it is, who have declared
/// such a plan and not yet done it. Delays do not matter here (PH-17).
fn next(ph: &Ph, wanted: impl Fn(Plan) -> bool) -> Option<Id> {
    let due = |id: &Id| {
        let f = ph.fighter(*id);
        let group = ph.clock.group_of(ph.body(*id).side);
        ph.can_act(*id) && !f.spent && group == ph.clock.group && f.plan.is_some_and(&wanted)
    };
    ph.view.ids().find(due)
}

/// PH-04, A: words. Once a battle a side may call; who listens does not attack
/// this round unless it is attacked.
#[derive(Clone, Debug)]
pub struct Parleys;
system_step!(Parleys, parleys);

fn parleys(In(_): In<Parleys>, ph: Ph, mut dice: ResMut<DiceBox>) -> Flow {
    let Some(who) = next(&ph, |plan| plan == Plan::Parley) else {
        return Flow::default();
    };
    let choice = Choice::new(&PARLEY, who);
    let side = ph.body(who).side;
    let mut flow = Flow::default();
    ph.reveal(who, &mut flow);
    let mut flow = flow
        .and("PH-04", Change::Acted { choice })
        .and("PH-10", Fact::Spent { who }.event());
    if has_parleyed(&ph, side) {
        let why = "its side has been heard".into();
        return flow
            .and("PH-04", Change::Stopped { who, why })
            .then(Parleys);
    }
    flow.emit("PH-04", Fact::Parleyed { side }.event());
    let cha = ph.view.creature(who).modifier(Attribute::Cha);
    let roll = two_d6(&mut dice, cha, "CHA");
    let against = ph.tables().numbers.parley_needs;
    let passed = roll.total() >= against;
    flow.emit(
        "PH-04",
        Change::Checked {
            who: Some(who),
            side: None,
            what: "parley".into(),
            roll,
            against: Some(against),
            passed: Some(passed),
        },
    );
    if passed {
        for foe in hearers(&ph, who) {
            flow.emit("PH-04", Fact::Listens { who: foe }.event());
        }
    }
    flow.then(Parleys)
}

fn has_parleyed(ph: &Ph, side: Side) -> bool {
    ph.clock.parleyed & (1 << side.0) != 0
}

/// The foes whom words can reach: near enough, with ears for them, and with a
/// morale to lose.
pub fn hearers(ph: &Ph, who: Id) -> Vec<Id> {
    let feet = ph.tables().numbers.parley_feet;
    let hears = |foe: &Id| {
        let near = ph.view.within(who, *foe, feet);
        near && ph.morale(*foe).is_some() && !is_speechless(ph, *foe)
    };
    ph.foes_seen(who).filter(hears).collect()
}

fn is_speechless(ph: &Ph, who: Id) -> bool {
    ph.view.creature(who).has(Trait::Speechless)
}

pub fn can_parley(ph: &Ph, who: Id) -> Result<(), Why> {
    if is_speechless(ph, who) {
        return Err(Why::new("PH-04", "it has no speech"));
    }
    if has_parleyed(ph, ph.body(who).side) {
        return Err(Why::new("PH-04", "its side has been heard"));
    }
    if hearers(ph, who).is_empty() {
        return Err(Why::new("PH-04", "nobody would listen"));
    }
    Ok(())
}

pub fn can_flee(ph: &Ph, who: Id) -> Result<(), Why> {
    if ph.body(who).prone {
        return Err(Why::new("PH-04", "prone"));
    }
    if ph.ends(who, ph.rate(who)).is_empty() && ph.range(who, ph.rate(who)).count() < 2 {
        return Err(Why::new("PH-04", "there is no way to anywhere"));
    }
    Ok(())
}

/// PH-04, B: the way out of a melee, and any other way in a hurry. Those in
/// the melee strike first (PH-40).
#[derive(Clone, Debug)]
pub struct Flights;
system_step!(Flights, flights);

fn flights(In(_): In<Flights>, ph: Ph, mut answer: ResMut<Answer>) -> Flow {
    if let Some(choice) = answer.0.take() {
        let who = choice.who.expect("somebody flees");
        let mut flow = Flow::default();
        ph.reveal(who, &mut flow);
        let mut flow = flow
            .and(
                "PH-04",
                Change::Acted {
                    choice: choice.clone(),
                },
            )
            .and("PH-10", Fact::Spent { who }.event());
        if choice.verb == &FLEE {
            let to = choice.to.expect("a flight has an end");
            let path = ph.walk_path(who, &FLEE, to);
            flow.push(Reactions::open(Moment::Flight { by: who }));
            flow.push(stride::go(who, ph.rate(who), path));
            flow.push(Aftermath);
        }
        return flow.then(Flights);
    }
    let Some(who) = next(&ph, |plan| plan == Plan::Flee) else {
        return Flow::default();
    };
    if ph.fighter(who).fleeing {
        let flow = Flow::default().and("PH-10", Fact::Spent { who }.event());
        return flow
            .then(Reactions::open(Moment::Flight { by: who }))
            .then(Run { who, doors: 0 })
            .then(Aftermath)
            .then(Flights);
    }
    let question = Decision {
        side: ph.body(who).side,
        prompt: String::from("Flee where to?"),
        rule: "PH-04",
        actors: vec![who],
        common: vec![],
        offers: Offers::ByActor(list_flights),
        reaction: false,
    };
    Flow::ask(question, Flights)
}

fn list_flights(world: &mut World, id: Id) -> Vec<Offer> {
    fn offers(In(who): In<Id>, ph: Ph) -> Vec<Offer> {
        let strikers = reactions::strikers(&ph, who);
        let drawn = strikers.iter().fold(0, |set, s| set | s.0.bit());
        let ends = ph.walk_ends(who, &FLEE, ph.rate(who));
        let offer = |(to, feet)| Offer::legal(Choice::new(&FLEE, who).to(to)).priced(feet, drawn);
        let mut out: Vec<Offer> = ends.into_iter().map(offer).collect();
        out.push(Offer::legal(Choice::new(&STAND_FAST, who)));
        out
    }
    crate::battle::run_system(world, offers, id)
}

/// Those whose morale broke are not asked: they make for an exit and leave
/// when they get there.
#[derive(Clone, Debug)]
struct Run {
    who: Id,
    /// Doors that it has opened on its way this round.
    doors: u8,
}
system_step!(Run, run_off);

fn run_off(In(Run { who, doors }): In<Run>, ph: Ph) -> Flow {
    let mut flow = Flow::default();
    if !ph.is_up(who) {
        return flow;
    }
    if ph.view.is_at_exit(who) {
        flight::be_gone(&ph, who, &mut flow);
        return flow;
    }
    if ph.body(who).prone {
        let prone = false;
        return flow
            .and("PH-60", Change::Prone { who, prone })
            .then(Run { who, doors });
    }
    let Some(leg) = flight::way_out(&ph, who) else {
        return flow.and("PH-60", Fact::FightsOn { who }.event());
    };
    match leg {
        Leg::Open(cell) if doors == 0 => {
            let (by, open) = (who, true);
            flow.and("GR-02", Change::DoorMoved { by, cell, open })
                .then(Run { who, doors: 1 })
        }
        Leg::Open(_) | Leg::Wait => flow,
        Leg::Run(path) => flow
            .then(stride::go(who, ph.rate(who), path))
            .then(Gone { who }),
    }
}

#[derive(Clone, Debug)]
struct Gone {
    who: Id,
}
system_step!(Gone, gone);

fn gone(In(Gone { who }): In<Gone>, ph: Ph) -> Flow {
    let mut flow = Flow::default();
    if ph.is_up(who) && ph.view.is_at_exit(who) {
        flight::be_gone(&ph, who, &mut flow);
    }
    flow
}

/// PH-04, C; PH-42: those who charge, one after the other.
#[derive(Clone, Debug)]
pub struct Charges;
system_step!(Charges, charges);

fn charges(In(_): In<Charges>, ph: Ph) -> Flow {
    let Some(who) = next(&ph, |plan| matches!(plan, Plan::Charge { .. })) else {
        return Flow::default();
    };
    let Some(Plan::Charge { at, with }) = ph.fighter(who).plan else {
        return Flow::default();
    };
    // Who listens leaves it be, and is free again if it is attacked.
    if ph.fighter(who).listens {
        let why = "it listens to what is offered".into();
        return Flow::default()
            .and("PH-04", Change::Stopped { who, why })
            .and("PH-04", Fact::Dropped { who }.event())
            .then(Charges);
    }
    // Who is in melee by now needs no run-up: it fights when melee's turn comes.
    if ph.in_melee(who) {
        return Flow::default()
            .and("PH-42", Fact::Dropped { who }.event())
            .then(Charges);
    }
    let choice = Choice::new(&CHARGE, who).at(at).with(with);
    let mut flow = Flow::default();
    ph.reveal(who, &mut flow);
    let mut flow = flow
        .and(
            "PH-42",
            Change::Acted {
                choice: choice.clone(),
            },
        )
        .and("PH-10", Fact::Spent { who }.event());
    // It is an attack: what it keeps up ends as the run begins (PH-21).
    concentration::lets_go(&ph, who, &mut flow);
    match run_up(&ph, who, at).and_then(|path| ph.readying(who, with).map(|_| path)) {
        Err(why) => flow.emit("PH-42", Change::Stopped { who, why: why.text }),
        Ok(path) => {
            flow.emit("PH-42", Fact::Charged { who }.event());
            acts::ready(&ph, who, with, &mut flow);
            flow.push(stride::go(who, charge_feet(&ph, who), path));
            flow.push(Impact {
                routine: impact_routine(&ph, &choice),
            });
            flow.push(Aftermath);
        }
    }
    flow.then(Charges)
}

/// The attack that a charge ends in.
pub fn impact_routine(ph: &Ph, choice: &Choice) -> Routine {
    let bonus = ph.tables().numbers.charge_attack;
    Routine {
        rule: "PH-42",
        ..Routine::of(choice, Way::Strike).plus(bonus, "charge", "PH-42")
    }
}

/// The straight line towards a foe, up to the cell next to it, if twice the
/// rate takes one there and nothing is in the way. The whole rate: to charge
/// ends what one keeps up (PH-21).
pub fn run_up(ph: &Ph, who: Id, foe: Id) -> Result<Vec<Cell>, Why> {
    let (mine, theirs) = (ph.body(who), ph.body(foe));
    if mine.prone {
        return Err(Why::new("PH-42", "prone"));
    }
    if ph.in_melee(who) {
        return Err(Why::new("PH-42", "in melee already"));
    }
    if !theirs.is_up() {
        return Err(Why::new("PH-42", "the target is down"));
    }
    let budget = charge_feet(ph, who);
    let reaches = |at: Cell| {
        ph.view
            .board
            .in_reach(Space::new(at, mine.size), theirs.space(), 5)
    };
    let line = ph.view.run_up(who, foe, &ph.ways(who), budget, reaches);
    match line.end {
        End::Arrived if !line.paces.is_empty() => Ok(line.cells().collect()),
        End::Met => Err(End::Blocked.why("PH-42", budget)),
        end => Err(end.why("PH-42", budget)),
    }
}

/// Feet of a charge.
pub fn charge_feet(ph: &Ph, who: Id) -> u16 {
    ph.full_rate(who) * ph.tables().numbers.charge_paces
}

/// The end of a charge. A weapon that was set against it strikes first, for
/// double damage (PH-42).
#[derive(Clone, Debug)]
struct Impact {
    routine: Routine,
}
system_step!(Impact, impact);

fn impact(In(Impact { routine }): In<Impact>, ph: Ph) -> Flow {
    let mut flow = Flow::default();
    if !ph.is_up(routine.by) {
        return flow;
    }
    if let Some(set) = received(&ph, routine.by, routine.at) {
        let who = set.by;
        flow.emit("PH-42", Fact::Spent { who }.event());
        concentration::lets_go(&ph, who, &mut flow);
        acts::ready(&ph, who, set.with, &mut flow);
        flow.push(Volley(ph.blows(&set)));
        return flow.then(Blow { routine });
    }
    flow.then(Volley(ph.blows(&routine)))
}

/// The attack of somebody who has set a weapon against this charge.
fn received(ph: &Ph, charger: Id, target: Id) -> Option<Routine> {
    let fighter = ph.fighter(target);
    let Some(Plan::Set { with }) = fighter.plan else {
        return None;
    };
    if !ph.can_act(target) || fighter.spent {
        return None;
    }
    let times = ph.tables().numbers.set_times;
    let routine = Routine::new(target, charger, with, Way::Strike, "PH-42").times(times);
    ph.look(&routine).ok().map(|_| routine)
}

/// The charger's own attack, if it is still there to make it.
#[derive(Clone, Debug)]
struct Blow {
    routine: Routine,
}
system_step!(Blow, blow);

fn blow(In(Blow { routine }): In<Blow>, ph: Ph) -> Flow {
    match ph.is_up(routine.by) {
        true => Flow::default().then(Volley(ph.blows(&routine))),
        false => Flow::default(),
    }
}
