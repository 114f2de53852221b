//! Which units act in a segment: units of one side one by one, units of several sides
//! simultaneously (SE-32, SE-35).

use super::{
    Segments,
    acts::{self, Begun, DONE},
    end_checks::EndChecks,
    query::SegmentsQuery,
    rout::FallBack,
};
use crate::{
    battle::{
        Action, Answer, Choice, Decision, Id, Lister, Offer, Offers, Poll, Rule, Side, Step,
        StepOutcome, all_arrivals,
    },
    rulesets::common::{
        ask,
        begin_actions::{AtOnce, BeginActions, BeginsActions},
        flee::Flee,
    },
    system_step,
};
use bevy_ecs::system::{In, ResMut};

pub static END_TURN: Action = Action::new("end turn", "end turn", "ends the turn", "SE-01");

system_step! {
    /// One part of a segment: the units' actions or, if `further`, their further attack routines
    /// (SE-34). The list of units is rebuilt after each action.
    pub struct Phase { pub further: bool } => phase
}

fn phase(In(step): In<Phase>, se: SegmentsQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.take() {
        return take(&se, step, &choice);
    }
    let actors = actors(&se, step.further);
    // Units that flee or fall back act first, without a prompt.
    if let Some(&who) = actors.iter().find(|&&id| se.is_afraid(id)) {
        let mut outcome = StepOutcome::default();
        match se.body(who).flees {
            true => outcome.push(Flee::<Segments> { who, budget: () }),
            false => outcome.push(FallBack { who }),
        }
        return outcome.then(EndChecks).then(step);
    }
    let Some(&first) = actors.first() else {
        return StepOutcome::default();
    };
    let side = se.body(first).side;
    if actors.iter().any(|&id| se.body(id).side != side) {
        let poll = Poll::of(actors);
        return StepOutcome::default().then(Together { poll }).then(step);
    }
    let rule = match (se.clock.round, step.further) {
        (0, _) => "SE-14",
        (_, true) => "SE-34",
        (_, false) => "SE-01",
    };
    let question = Decision::of_side(side, rule, prompt(&se), actors, Some(&END_TURN), LIST);
    StepOutcome::ask(question, step)
}

/// Units whose action or further routine is due in this segment.
fn actors(se: &SegmentsQuery, further: bool) -> Vec<Id> {
    let due = |id: &Id| {
        let f = se.fighter(*id);
        let able = se.can_act(*id) && f.casting.is_none();
        able && f.due == se.clock.segment && f.due > 0 && f.further == further
    };
    se.view.ids().filter(due).collect()
}

fn prompt(se: &SegmentsQuery) -> String {
    match se.clock.round {
        0 => format!("Surprise segment {}", se.clock.segment),
        _ => format!("Segment {}", se.clock.segment),
    }
}

/// Everything the unit can do now; blocked offers come with the reason.
const LIST: Lister = |world, who| ask::<Segments, _, _>(world, acts::offers, who);

fn take(se: &SegmentsQuery, step: Phase, choice: &Choice) -> StepOutcome {
    if choice.verb == &END_TURN {
        let mut outcome = StepOutcome::default();
        for who in actors(se, step.further) {
            acts::stand_by(se, who, &mut outcome);
        }
        return outcome.then(step);
    }
    resolve(se, vec![choice.clone()]).then(step)
}

/// Resolves simultaneous choices: other actions begin, then all units move together, then all
/// attacks resolve from one state.
fn resolve(se: &SegmentsQuery, mut said: Vec<Choice>) -> StepOutcome {
    let side = |choice: &Choice| choice.who.map_or(Side(0), |id| se.body(id).side);
    said.sort_by_key(|choice| (side(choice), choice.who));
    let mut outcome = StepOutcome::default();
    // `done` comes after movement, so that a spear is still set when a charge arrives.
    let stands_by = |choice: &Choice| choice.verb == &DONE;
    let (goes, other): (Vec<_>, Vec<_>) = said.iter().cloned().partition(acts::moves);
    let waiting = other.into_iter().filter(Segments::waits);
    let (last, first): (Vec<_>, Vec<_>) = waiting.partition(stands_by);
    let part = ();
    for choice in first {
        outcome.push(BeginActions::<Segments> { choice, part });
    }
    if !goes.is_empty() {
        outcome.push(AtOnce::<Segments> { said: goes, part });
    }
    for choice in last {
        outcome.push(BeginActions::<Segments> { choice, part });
    }
    said.retain(|c| acts::is_attack(c) || c.verb == &acts::CHARGE);
    if !said.is_empty() {
        outcome.push(Strikes { choices: said });
    }
    outcome.then(EndChecks)
}

system_step! {
    /// Several sides act in one segment: all units choose in secret, then act simultaneously
    /// (SE-32).
    struct Together { poll: Poll } => together
}

fn together(
    In(mut step): In<Together>,
    se: SegmentsQuery,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    let prompt = "All act at once, and choose in secret";
    let ask = |who: Id| Some(se.view.asks(who, "SE-32", prompt, Offers::ByActor(LIST)));
    if let Some(question) = step.poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, step);
    }
    let said = step.poll.open(&mut answer);
    let (at_once, said): (Vec<_>, Vec<_>) = said.into_iter().partition(acts::takes_no_time);
    if at_once.is_empty() {
        return resolve(&se, said);
    }
    // These units also choose an action that takes time before anything is resolved.
    let mut outcome = StepOutcome::default();
    let left = at_once.iter().filter_map(|choice| choice.who).collect();
    for choice in at_once {
        outcome.push(BeginActions::<Segments> { choice, part: () });
    }
    let poll = Poll::resume_with(said, left, &mut answer);
    outcome.then(Together { poll })
}

impl BeginsActions for Segments {
    const AT_ONCE: Rule = "SE-32";
    type Part = ();
    type Begun = Box<dyn Step>;

    /// An earlier action may have dropped the unit or held it, or it may have spent its action on a
    /// charging enemy.
    fn may_begin(se: &SegmentsQuery, who: Id) -> bool {
        se.can_act(who) && se.fighter(who).due == se.clock.segment
    }

    fn offers(se: &SegmentsQuery, who: Id, choice: &Choice, (): ()) -> Vec<Offer> {
        acts::offers_like(se, who, choice)
    }

    fn waits(choice: &Choice) -> bool {
        !acts::is_attack(choice) && !acts::moves(choice)
    }

    fn begin(se: &SegmentsQuery, choice: &Choice) -> Begun {
        if choice.verb != &DONE {
            return acts::begin(se, choice);
        }
        let who = choice.actor();
        let mut outcome = StepOutcome::default();
        acts::stand_by(se, who, &mut outcome);
        outcome.into()
    }

    fn begun(all: Vec<Box<dyn Step>>) -> Vec<Box<dyn Step>> {
        all
    }
}

system_step! {
    /// The attacks of these choices, including those at the end of a charge.
    struct Strikes { choices: Vec<Choice> } => strikes
}

fn strikes(In(Strikes { choices }): In<Strikes>, se: SegmentsQuery) -> StepOutcome {
    let mut all = Begun::from(StepOutcome::default());
    for choice in choices {
        let who = choice.actor();
        if acts::is_attack(&choice) {
            if Segments::may_begin(&se, who) {
                all.add(acts::begin(&se, &choice));
            }
        } else if se.fighter(who).charged == Some(se.clock.round) {
            // A charger attacks from the cell it reached (SE-51).
            let specs = acts::charge_specs(&se, &choice, se.body(who).at);
            all.specs.extend(specs);
        }
    }
    all.into_outcome(&se)
}

system_step! {
    /// The end of a segment: notes which units reached the area of an objective.
    pub struct SegmentEnd => segment_end
}

fn segment_end(In(_): In<SegmentEnd>, se: SegmentsQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    all_arrivals(&se.view, &mut outcome);
    outcome.then(EndChecks)
}
