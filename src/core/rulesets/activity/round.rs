//! The order of a round: declarations, initiative, counts, leftover movement, end of round.

use super::{
    Activity,
    acts::{drop_all_actions, walk, walks},
    end_checks::EndChecks,
    events::ActivityEvent,
    perception::FreePerception,
    query::ActivityQuery,
    ready,
    state::{Lasts, PlannedAction},
    turn::Turn,
    wounds,
};
use crate::rulesets::common::declare::{Declaring, sides_in_turn};
use crate::{
    battle::{
        Action, Answer, CheckRoll, Choice, DiceBox, EventKind, FirstMove, Id, Modifier, Offer,
        Offers, Roll, StepOutcome, all_arrivals, end_round,
    },
    rulesets::common::{conditions::expire, flee::Flee, hiding, leave::Arrivals},
    system_step,
};
use bevy_ecs::system::{In, Res, ResMut};

system_step! {
    /// The first step of every round.
    pub struct RoundStart => round_start
}

/// All units declare in secret; then initiative is rolled, and the counts follow (AC-09,
/// AC-11).
fn round_start(In(_): In<RoundStart>, ac: ActivityQuery) -> StepOutcome {
    let round = ac.clock.round + 1;
    let mut outcome = StepOutcome::default()
        .and("AC-10", EventKind::RoundBegan { round })
        .and("AC-10", ActivityEvent::Refreshed);
    for who in ac.view.ids() {
        if ac.actor(who).has(Lasts::Swift) {
            let swift = ActivityEvent::Swift { who };
            hiding::emit_unless_hidden::<Activity>(&ac, who, "AC-25", swift, &mut outcome);
        }
    }
    outcome.push(Arrivals::<Activity>::of());
    outcome.push(FreePerception);
    for side in sides_in_turn(&ac.view) {
        outcome.push(Declaring::<Activity>::of(side));
    }
    outcome
        .then(Initiative)
        .then(Count)
        .then(LeftOver)
        .then(RoundEnd)
}

system_step! {
    /// Rolls initiative for every unit: 1d10 plus Quickness and Insight, anew each round
    /// (AC-11).
    struct Initiative => initiative
}

fn initiative(
    In(_): In<Initiative>,
    ac: ActivityQuery,
    first: Option<Res<FirstMove>>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let sides = ac.tables().initiative_die;
    let (mut rolls, mut counts) = (vec![], vec![]);
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        let stats = ac.stats(who);
        let parts = [(stats.quickness, "Quickness"), (stats.insight, "Insight")];
        let modifiers = Modifier::list("AC-11", parts).collect();
        dice.roll_for(who);
        let roll = Roll::one(sides, dice.roll(sides), modifiers);
        counts.push((ac.body(who).side, roll.total()));
        rolls.push((who, roll));
    }
    if let Some(first) = first.filter(|_| ac.clock.round <= 1) {
        first.give_best_counts(&mut counts);
    }
    for ((who, roll), (_, count)) in rolls.into_iter().zip(counts) {
        let roll = CheckRoll::initiative(who, roll);
        hiding::emit_unless_hidden::<Activity>(&ac, who, "AC-11", roll, &mut outcome);
        let initiative = ActivityEvent::Initiative { who, count };
        hiding::emit_unless_hidden::<Activity>(&ac, who, "AC-11", initiative, &mut outcome);
    }
    outcome
}

system_step! {
    /// Finds the next action: the highest count, then the higher Quickness. Units equal in both
    /// act at the same time (AC-11).
    struct Count => count
}

fn count(In(_): In<Count>, ac: ActivityQuery) -> StepOutcome {
    let per_tenth = ac.tables().count_per_tenth;
    let met = ready::with_target(&ac);
    let outcome = StepOutcome::default();
    if !met.is_empty() {
        return outcome.then(Turn::of(met)).then(EndChecks).then(Count);
    }
    let due = |id: Id| {
        let actor = ac.actor(id);
        let acts = ac.is_up(id) && !ac.is_helpless(id) && !actor.waiting;
        let count = acts.then(|| actor.count(per_tenth)).flatten()?;
        Some((count, ac.stats(id).quickness))
    };
    let Some(first) = ac.view.ids().filter_map(due).max() else {
        return overruns(&ac);
    };
    let group: Vec<Id> = ac.view.ids().filter(|&id| due(id) == Some(first)).collect();
    outcome
        .and("AC-11", ActivityEvent::Counted { count: first.0 })
        .then(Turn::of(group))
        .then(EndChecks)
        .then(Count)
}

/// Actions that do not fit continue in the next round (AC-14).
fn overruns(ac: &ActivityQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default().and("AC-10", ActivityEvent::CountsOver);
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        let actor = ac.actor(who);
        let Some(&planned) = actor.plan.get(actor.next) else {
            continue;
        };
        // A fleeing unit gives up all its actions and runs.
        if ac.body(who).flees {
            drop_all_actions(ac, who, "AC-37", "only wants to get away", &mut outcome);
            continue;
        }
        if ac.is_helpless(who) || !planned.kind.may_overrun() {
            continue;
        }
        let planned = PlannedAction {
            percent: planned.percent - (actor.capacity - actor.spent),
            carried: true,
            ..planned
        };
        let overruns = ActivityEvent::Overruns { who, planned };
        hiding::emit_unless_hidden::<Activity>(ac, who, "AC-14", overruns, &mut outcome);
    }
    outcome
}

pub static STAY: Action = Action::new("stay", "stay", "stays", "AC-10");

system_step! {
    /// Leftover activity can be used for movement (AC-10), highest initiative first (AC-17).
    struct LeftOver => left_over
}

fn left_over(In(step): In<LeftOver>, ac: ActivityQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.take() {
        let who = choice.actor();
        let mut outcome = StepOutcome::default().and("AC-10", ActivityEvent::Settled { who });
        if choice.verb != &STAY {
            ac.reveal(who, &mut outcome);
            if ac.actor(who).waiting {
                drop_all_actions(&ac, who, "AC-09", "moves instead", &mut outcome);
            }
            let rule = match choice.to {
                Some(_) => "AC-17",
                None => choice.verb.rule,
            };
            outcome.emit(rule, EventKind::acted(&choice));
        }
        walk(&ac, &choice, ac.actor(who).left_over(), &mut outcome);
        return outcome.then(EndChecks).then(step);
    }
    let waits = |id: &Id| {
        let actor = ac.actor(*id);
        ac.is_up(*id) && !actor.leftover_done && !ac.is_helpless(*id)
    };
    let next = ac.view.ids().filter(waits).max_by_key(|&id| {
        let actor = ac.actor(id);
        (actor.initiative, std::cmp::Reverse(id))
    });
    let Some(who) = next else {
        return StepOutcome::default();
    };
    let done = || StepOutcome::default().and("AC-10", ActivityEvent::Settled { who });
    let percent = ac.actor(who).left_over();
    if ac.body(who).flees {
        let budget = percent;
        let flee = Flee::<Activity> { who, budget };
        return done().then(flee).then(EndChecks).then(step);
    }
    let mut offers = walks(&ac, who, percent);
    if offers.is_empty() {
        return done().then(step);
    }
    offers.push(Offer::legal(Choice::new(&STAY, who)));
    let name = ac.view.names().title(who);
    let prompt = format!("{name} has {percent}% left to move with");
    let question = (ac.view).asks(who, "AC-10", prompt, Offers::listed(offers));
    StepOutcome::ask(question, step)
}

system_step! {
    /// The end of a round: bleeding, durations and objectives.
    struct RoundEnd => round_end
}

fn round_end(In(_): In<RoundEnd>, ac: ActivityQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in ac.view.ids().filter(|&id| ac.actor(id).waiting) {
        drop_all_actions(&ac, who, "AC-15", "nobody came into reach", &mut outcome);
    }
    wounds::bleed(&ac, &mut outcome);
    outcome.emit("AC-20", ActivityEvent::Waned);
    let now = ac.clock.round.into();
    expire::<Activity>(&ac, now, |_, _| true, &mut dice, &mut outcome);
    all_arrivals(&ac.view, &mut outcome);
    end_round(&ac.view, "AC-10", &mut outcome);
    outcome.then(EndChecks).then(RoundStart)
}
