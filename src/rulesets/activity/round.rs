//! The order of things: declarations, initiative, counts, what is left over,
//! the end of the round.

use super::{
    ac::Ac,
    aftermath::Aftermath,
    deeds::{drops_all, walk},
    event::Fact,
    flight::Flee,
    harm, opening,
    perception::Glance,
    plan::Declare,
    ready,
    targets::walks,
    turn::Turn,
};
use crate::{
    battle::{
        Answer, Change, Choice, Decision, DiceBox, Flow, Id, Modifier, Offer, Offers, Roll, Side,
        State, Verb, arrivals, holdings,
    },
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// The first step of every round.
#[derive(Clone, Debug)]
pub struct RoundStart;
system_step!(RoundStart, round_start);

/// AC-09, AC-11: all declare, sealed; then initiative; then the counts.
fn round_start(In(_): In<RoundStart>, ac: Ac) -> Flow {
    let round = ac.clock.round + 1;
    let mut flow = Flow::default()
        .and("AC-10", Change::RoundBegan { round })
        .and("AC-10", Fact::Refreshed.event());
    for who in ac.view.ids() {
        if ac.actor(who).has(super::state::Lasts::Swift) {
            flow.emit("AC-25", Fact::Swift { who }.event());
        }
    }
    flow.push(Arrivals);
    flow.push(Glance);
    // Those whom no player leads seal theirs first.
    let mut sides: Vec<Side> = ac.view.roster.sides().collect();
    sides.sort_by_key(|side| ac.view.roster.sides[side.index()].player);
    for side in sides {
        flow.push(Declare { side });
    }
    flow.then(Initiative)
        .then(Count)
        .then(LeftOver)
        .then(RoundEnd)
}

/// Those whose round has come enter, each on the nearest free cell; so do those
/// who fled and are back, by the way that they left.
#[derive(Clone, Debug)]
struct Arrivals;
system_step!(Arrivals, arrive);

fn arrive(In(_): In<Arrivals>, ac: Ac) -> Flow {
    let due = ac.view.ids().find_map(|id| {
        let combatant = &ac.view.level().combatants[id.index()];
        let back = ac.actor(id).returns;
        let round = back.map(u32::from).or(combatant.arrives)?;
        let is_due = round <= u32::from(ac.clock.round);
        if !is_due || ac.body(id).state != State::Waiting {
            return None;
        }
        let wanted = match back {
            Some(_) => ac.body(id).at,
            None => combatant.cell,
        };
        Some((id, ac.view.nearest_free(id, wanted)?))
    });
    let Some((who, at)) = due else {
        return Flow::default();
    };
    let mut flow = Flow::default();
    if ac.actor(who).returns.is_some() {
        flow.emit("AC-37", Fact::Rallied { who }.event());
    }
    flow.emit("GR-00", Change::Entered { who, at });
    if ac.actor(who).returns.is_none() && opening::is_unaware(&ac, who) {
        flow.emit("AC-09", opening::surprised(who));
    }
    flow.then(Arrivals)
}

/// AC-11: 1d10 + Quickness and Insight for everybody, anew each round.
#[derive(Clone, Debug)]
struct Initiative;
system_step!(Initiative, initiative);

fn initiative(In(_): In<Initiative>, ac: Ac, mut dice: ResMut<DiceBox>) -> Flow {
    let mut flow = Flow::default();
    let sides = ac.tables().initiative_die;
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        let stats = ac.stats(who);
        let parts = [(stats.quickness, "Quickness"), (stats.insight, "Insight")];
        let told = parts.into_iter().filter(|p| p.0 != 0);
        let modifiers = told.map(|(n, label)| Modifier::new(n as i16, label, "AC-11"));
        let roll = Roll::one(sides, dice.roll(sides), modifiers.collect());
        let count = roll.total();
        flow.emit(
            "AC-11",
            Change::Checked {
                who: Some(who),
                side: None,
                what: "initiative".into(),
                roll,
                against: None,
                passed: None,
            },
        );
        flow.emit("AC-11", Fact::Initiative { who, count }.event());
    }
    flow
}

/// AC-11: whose action comes next: the highest count, then the higher
/// Quickness; who is level in both acts at the same time.
#[derive(Clone, Debug)]
struct Count;
system_step!(Count, count);

fn count(In(_): In<Count>, ac: Ac) -> Flow {
    let per_tenth = ac.tables().count_per_tenth;
    let met = ready::met(&ac);
    if !met.is_empty() {
        return Flow::default()
            .then(Turn::of(met))
            .then(Aftermath)
            .then(Count);
    }
    let due = |id: Id| {
        let actor = ac.actor(id);
        let acts = ac.is_up(id) && !actor.is_helpless() && !actor.waiting;
        let count = acts.then(|| actor.count(per_tenth)).flatten()?;
        Some((count, ac.stats(id).quickness))
    };
    let Some(first) = ac.view.ids().filter_map(due).max() else {
        return overruns(&ac);
    };
    let group: Vec<Id> = ac.view.ids().filter(|&id| due(id) == Some(first)).collect();
    Flow::default()
        .and("AC-11", Fact::Counted { count: first.0 }.event())
        .then(Turn::of(group))
        .then(Aftermath)
        .then(Count)
}

/// AC-14: what does not fit goes on into the next round.
fn overruns(ac: &Ac) -> Flow {
    let mut flow = Flow::default().and("AC-10", Fact::CountsOver.event());
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        let actor = ac.actor(who);
        let Some(&planned) = actor.plan.get(actor.next) else {
            continue;
        };
        // Who flees lets go of what it was at, and runs.
        if actor.fleeing {
            drops_all(ac, who, "AC-37", "it only wants to get away", &mut flow);
            continue;
        }
        if actor.is_helpless() || !planned.deed.may_overrun() {
            continue;
        }
        let done = actor.capacity - actor.spent;
        let planned = super::state::Planned {
            percent: planned.percent - done,
            carried: true,
            ..planned
        };
        flow.emit("AC-14", Fact::Overruns { who, planned }.event());
    }
    flow
}

pub static STAY: Verb = Verb {
    name: "stay",
    phrase: "stay",
    told: "stays",
    rule: "AC-10",
};

/// AC-10: what activity remains may be spent moving, the highest initiative
/// first (AC-17).
#[derive(Clone, Debug)]
struct LeftOver;
system_step!(LeftOver, left_over);

fn left_over(In(step): In<LeftOver>, ac: Ac, mut answer: ResMut<Answer>) -> Flow {
    if let Some(choice) = answer.0.take() {
        let who = choice.who.expect("it has an actor");
        let mut flow = Flow::default().and("AC-10", Fact::Settled { who }.event());
        if choice.verb != &STAY {
            if ac.actor(who).waiting {
                drops_all(&ac, who, "AC-09", "it moves instead", &mut flow);
            }
            let rule = match choice.to {
                Some(_) => "AC-17",
                None => choice.verb.rule,
            };
            let choice = choice.clone();
            flow.emit(rule, Change::Acted { choice });
        }
        let mut walked = walk(&ac, &choice, ac.actor(who).left_over());
        flow.next.append(&mut walked.next);
        return flow.then(Aftermath).then(step);
    }
    let waits = |id: &Id| {
        let actor = ac.actor(*id);
        ac.is_up(*id) && !actor.settled && !actor.is_helpless()
    };
    let next = ac.view.ids().filter(waits).max_by_key(|&id| {
        let actor = ac.actor(id);
        (actor.initiative, std::cmp::Reverse(id))
    });
    let Some(who) = next else {
        return Flow::default();
    };
    let settled = || Flow::default().and("AC-10", Fact::Settled { who }.event());
    let percent = ac.actor(who).left_over();
    if ac.actor(who).fleeing {
        return settled()
            .then(Flee { who, percent })
            .then(Aftermath)
            .then(step);
    }
    let mut offers = walks(&ac, who, percent);
    if offers.is_empty() {
        return settled().then(step);
    }
    offers.push(Offer::legal(Choice::new(&STAY, who)));
    let names = ac.view.names();
    let question = Decision {
        side: ac.body(who).side,
        prompt: format!("{} has {percent}% left to move with", names.title(who)),
        rule: "AC-10",
        actors: vec![who],
        common: vec![],
        offers: Offers::Listed(offers),
        reaction: false,
    };
    Flow::ask(question, step)
}

/// The end of a round: blood, durations, objectives.
#[derive(Clone, Debug)]
struct RoundEnd;
system_step!(RoundEnd, round_end);

fn round_end(In(_): In<RoundEnd>, ac: Ac) -> Flow {
    let mut flow = Flow::default();
    for who in ac.view.ids().filter(|&id| ac.actor(id).waiting) {
        drops_all(&ac, who, "AC-15", "nobody came into reach", &mut flow);
    }
    harm::bleed(&ac, &mut flow);
    flow.emit("AC-20", Fact::Waned.event());
    for side in ac.view.roster.sides() {
        arrivals(&ac.view, side, &mut flow);
    }
    holdings(&ac.view, &mut flow);
    flow.emit("AC-10", Change::RoundEnded);
    flow.then(Aftermath).then(RoundStart)
}
