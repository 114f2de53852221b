//! The turn at a count: one unit acts alone, or several act at once (SP-03).

use super::{
    super::common::{ask as ask_rules, begin_actions::BeginsActions, flee::Flee, sorted},
    Speed,
    acts::{self, Begun, SURGE, TurnPart, declare},
    end_checks::EndChecks,
    events::SpeedEvent,
    query::SpeedQuery,
};
use crate::{
    battle::{
        Action, Answer, Choice, Decision, DiceBox, Id, Lister, Offer, Offers, PASS, Poll, Rule,
        Step, StepOutcome, arrivals,
    },
    system_step,
};
use bevy_ecs::{
    system::{In, ResMut},
    world::World,
};

pub static DONE: Action = Action::new("done", "done", "is done", "SP-03");

system_step! {
    /// The turn of a unit that is alone at its count.
    pub struct Turn { pub who: Id } => turn
}

fn turn(In(Turn { who }): In<Turn>, sp: SpeedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    open(&sp, who, &mut dice, &mut outcome);
    if sp.body(who).flees {
        outcome.push(Flee::<Speed> { who, budget: () });
    } else {
        outcome.push(EndChecks);
        outcome.push(Course {
            who,
            part: TurnPart::All,
        });
    }
    outcome.then(Close { who: vec![who] })
}

/// Starts a unit's turn and carries out a declaration that needs no target.
fn open(sp: &SpeedQuery, who: Id, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let Some(declared) = sp.fighter(who).pending() else {
        return;
    };
    outcome.emit("SP-03", SpeedEvent::Turn { who });
    declare::by_itself(sp, &declared.choice, dice, outcome);
}

system_step! {
    /// One part of a turn; asks the unit again until it is done.
    struct Course { who: Id, part: TurnPart } => course
}

fn course(In(mut step): In<Course>, sp: SpeedQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.take() {
        if choice.verb == &DONE {
            return StepOutcome::default();
        }
        // A surge gives another standard action, so all actions are offered again.
        if choice.verb == &SURGE {
            step.part = TurnPart::All;
        }
        let outcome = acts::begin(&sp, &choice).into_outcome(&sp);
        return outcome.then(EndChecks).then(step);
    }
    match ask(&sp, step.who, step.part) {
        Some(question) => StepOutcome::ask(question, step),
        None => StepOutcome::default(),
    }
}

/// The decision of a unit in this part of its turn. `None` if it has nothing to do.
fn ask(sp: &SpeedQuery, who: Id, part: TurnPart) -> Option<Decision> {
    if sp.fighter(who).now.is_none() || !has_something(sp, who, part) {
        return None;
    }
    let name = sp.view.names().title(who);
    let (lister, may): (Lister, _) = match part {
        TurnPart::Moves => (
            |world, who| list(world, who, TurnPart::Moves),
            "may move before it acts",
        ),
        TurnPart::After => (
            |world, who| list(world, who, TurnPart::After),
            "may move on",
        ),
        TurnPart::All => (|world, who| list(world, who, TurnPart::All), "acts"),
    };
    let (prompt, offers) = (format!("{name} {may}"), Offers::ByActor(lister));
    Some(sp.view.asks(who, "SP-03", prompt, offers))
}

/// Whether the unit can do more than end its turn.
fn has_something(sp: &SpeedQuery, who: Id, part: TurnPart) -> bool {
    if sp.can_act(who).is_err() {
        return false;
    }
    if sp.feet_left(who).is_ok() || acts::can_leave(sp, who) {
        return true;
    }
    let mut offers = vec![];
    acts::pick_ups(sp, who, &mut offers);
    if part == TurnPart::All && !sp.fighter(who).standard {
        acts::acts(sp, who, &mut offers);
    }
    if part != TurnPart::Moves {
        acts::surges(sp, who, &mut offers);
    }
    offers.iter().any(Offer::is_legal)
}

fn list(world: &mut World, id: Id, part: TurnPart) -> Vec<Offer> {
    let read = |sp: &SpeedQuery, (id, part): (Id, TurnPart)| acts::offers(sp, id, part);
    let mut offers = ask_rules::<Speed, _, _>(world, read, (id, part));
    offers.push(Offer::legal(Choice::new(&DONE, id)));
    offers
}

system_step! {
    /// Ends the turns of units that shared a count.
    struct Close { who: Vec<Id> } => close
}

fn close(In(Close { who }): In<Close>, sp: SpeedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let sides = sorted(who.iter().map(|&id| sp.side(id)));
    for who in who {
        outcome.emit("SP-03", SpeedEvent::TurnEnded { who });
    }
    for side in sides {
        arrivals(&sp.view, side, &mut outcome);
    }
    outcome.then(EndChecks)
}

system_step! {
    /// Several units act at one count: they move at the same time, then act at the same time,
    /// then use the rest of their movement.
    pub struct Tie {
        /// Sorted by side and number.
        pub actors: Vec<Id>,
    } => tie
}

fn tie(In(Tie { actors }): In<Tie>, sp: SpeedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for &who in &actors {
        open(&sp, who, &mut dice, &mut outcome);
    }
    outcome.push(EndChecks);
    let (runs, all): (Vec<Id>, Vec<Id>) = actors.iter().partition(|&&who| sp.body(who).flees);
    for who in runs {
        outcome.push(Flee::<Speed> { who, budget: () });
    }
    let moves = |part| Moves {
        part,
        poll: Poll::of(all.iter().copied()),
    };
    outcome.push(moves(TurnPart::Moves));
    outcome.push(Together(Poll::of(actors.iter().copied())));
    outcome.push(moves(TurnPart::After));
    outcome.then(Close { who: actors })
}

system_step! {
    /// Moves of units that share a count. They choose in secret; then all movers move together,
    /// one cell at a time. Units that are not done choose again.
    struct Moves { part: TurnPart, poll: Poll } => moves
}

fn moves(
    In(Moves { part, mut poll }): In<Moves>,
    sp: SpeedQuery,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    if let Some(question) = poll.next(&mut answer, |id| ask(&sp, id, part)) {
        return StepOutcome::ask(question, Moves { part, poll });
    }
    let mut said = poll.open(&mut answer);
    said.retain(|c| c.verb != &DONE);
    if said.is_empty() {
        return StepOutcome::default();
    }
    // A surge gives another standard action, so all actions are offered again.
    let surges = |c: &&Choice| c.verb == &SURGE;
    let (surged, left): (Vec<_>, Vec<_>) = said.iter().partition(surges);
    let poll = Poll::of(left.into_iter().filter_map(|c| c.who));
    let surged: Vec<Id> = surged.into_iter().filter_map(|c| c.who).collect();
    let mut outcome = Begun::of(&sp, said, part).into_outcome(&sp).then(EndChecks);
    for who in surged {
        let part = TurnPart::All;
        outcome.push(Course { who, part });
    }
    outcome.then(Moves { part, poll })
}

/// How actions of one count begin. An action may fail because another unit was first, for
/// example in picking up the same item or crawling to the same cell.
impl BeginsActions for Speed {
    const AT_ONCE: Rule = "SP-03";
    type Part = TurnPart;
    type Begun = Box<dyn Step>;

    fn may_begin(sp: &SpeedQuery, who: Id) -> bool {
        sp.can_act(who).is_ok()
    }

    fn offers(sp: &SpeedQuery, who: Id, _: &Choice, part: TurnPart) -> Vec<Offer> {
        acts::offers(sp, who, part)
    }

    fn waits(choice: &Choice) -> bool {
        acts::waits(choice)
    }

    fn begin(sp: &SpeedQuery, choice: &Choice) -> Begun {
        acts::begin(sp, choice)
    }

    fn begun(all: Vec<Box<dyn Step>>) -> Vec<Box<dyn Step>> {
        all
    }
}

/// The actions of units that share a count, chosen in secret and resolved from one state: two
/// units can defeat each other.
#[derive(Clone, Debug)]
struct Together(Poll);
system_step!(Together, together);

fn together(
    In(Together(mut poll)): In<Together>,
    sp: SpeedQuery,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    if let Some(question) = poll.next(&mut answer, |id| act_of(&sp, id)) {
        return StepOutcome::ask(question, Together(poll));
    }
    let mut said = poll.open(&mut answer);
    said.retain(|c| c.verb != &PASS);
    let outcome = Begun::of(&sp, said, TurnPart::All).into_outcome(&sp);
    match outcome.next.is_empty() {
        true => outcome,
        false => outcome.then(EndChecks),
    }
}

fn act_of(sp: &SpeedQuery, id: Id) -> Option<Decision> {
    if sp.can_act(id).is_err() || sp.fighter(id).now.is_none() || sp.body(id).flees {
        return None;
    }
    let mut offers = vec![];
    acts::acts(sp, id, &mut offers);
    if !offers.iter().any(Offer::is_legal) {
        return None;
    }
    offers.push(Offer::legal(Choice::new(&PASS, id)));
    let count = sp.clock.count.unwrap_or(0);
    let name = sp.view.names().title(id);
    let prompt = format!("{name} acts at {count}, together with others");
    Some(sp.view.asks(id, "SP-03", prompt, Offers::listed(offers)))
}
