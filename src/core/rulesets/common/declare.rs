//! Declarations before a round: the units of a side declare in any order, hidden from the other
//! sides.

use super::{CombatSystem, State, ask};
use crate::{
    battle::{Action, Answer, Choice, Decision, Id, Offer, Rule, Side, StepOutcome, View},
    system_step,
};
use bevy_ecs::{
    system::{In, ResMut, StaticSystemParam},
    world::World,
};

/// How a side declares under a combat system: the hooks of [`Declaring`].
pub trait Declares: CombatSystem {
    const PROMPT: &'static str;
    /// The action that leaves the rest of the side without declarations.
    const REST: Option<&'static Action>;

    fn rule(state: &State<Self>, side: Side) -> Rule;

    /// Whether a unit has yet to declare.
    fn is_open(state: &State<Self>, who: Id) -> bool;

    /// Everything that a unit can declare next.
    fn offers(state: &State<Self>, who: Id) -> Vec<Offer>;

    fn declared(state: &State<Self>, side: Side, choice: &Choice, outcome: &mut StepOutcome);

    /// What a unit does if its side leaves it without a declaration.
    fn left(_: &State<Self>, _: Side, _who: Id, _: &mut StepOutcome) {}
}

/// The units of a side that have not declared yet.
pub fn undeclared<R: Declares>(state: &State<R>, side: Side) -> Vec<Id> {
    let standing = R::view(state).standing(side);
    standing.filter(|&who| R::is_open(state, who)).collect()
}

/// All sides, those without a player first, so that their declarations are sealed before a player
/// is asked.
pub fn sides_in_turn(view: &View) -> Vec<Side> {
    let mut sides: Vec<Side> = view.roster.sides().collect();
    sides.sort_by_key(|side| view.roster.sides[side.index()].player);
    sides
}

system_step! {
    /// Asks a side for declarations until all of its units have declared.
    pub struct Declaring[R: Declares] { side: Side } => declaring::<R>
}

fn declaring<R: Declares>(
    In(step): In<Declaring<R>>,
    state: StaticSystemParam<R::Param>,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    let (side, mut outcome) = (step.side, StepOutcome::default());
    if let Some(choice) = answer.take() {
        if R::REST == Some(choice.verb) {
            for who in undeclared::<R>(&state, side) {
                R::left(&state, side, who, &mut outcome);
            }
            return outcome;
        }
        R::declared(&state, side, &choice, &mut outcome);
        return outcome.then(step);
    }
    let actors = undeclared::<R>(&state, side);
    if actors.is_empty() {
        return outcome;
    }
    let rule = R::rule(&state, side);
    let list = |world: &mut World, who| ask::<R, _, _>(world, R::offers, who);
    let question = Decision::of_side(side, rule, R::PROMPT, actors, R::REST, list);
    StepOutcome::ask(question, step)
}
