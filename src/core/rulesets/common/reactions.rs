//! Reaction windows: when other units may react, and how each is asked.

use super::{CombatSystem, State};
use crate::{
    battle::{
        Answer, Choice, Decision, DiceBox, Id, Names, Offer, Offers, PASS, Rule, StepOutcome, View,
        Window, WindowState,
    },
    system_step,
    words::list,
};
use bevy_ecs::system::{In, ResMut, StaticSystemParam};
use std::fmt::Debug;

/// How units react to others under a combat system: the hooks of [`Reactions`].
pub trait Reacts: CombatSystem {
    /// What units can react to.
    type Moment: Clone + Debug + Send + Sync + 'static;

    /// Runs the window: which units are asked, and what each may answer.
    fn asks(
        state: &State<Self>,
        window: Window<Self::Moment>,
        answer: &mut Answer,
    ) -> WindowState<Self::Moment>;

    /// Applies the choices of the units that react.
    fn reacts(
        state: &State<Self>,
        moment: Self::Moment,
        choices: Vec<Choice>,
        dice: &mut DiceBox,
    ) -> StepOutcome;
}

/// The reaction window of a moment.
#[derive(Clone, Debug)]
pub struct Reactions<R: Reacts>(Window<R::Moment>);
system_step!(impl[R: Reacts] Reactions<R>, react::<R>);

impl<R: Reacts> Reactions<R> {
    pub fn open(moment: R::Moment) -> Self {
        Self(Window::open(moment))
    }
}

fn react<R: Reacts>(
    In(Reactions(window)): In<Reactions<R>>,
    state: StaticSystemParam<R::Param>,
    mut answer: ResMut<Answer>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let moment = window.moment.clone();
    match R::asks(&state, window, &mut answer) {
        WindowState::Asks(question, window) => StepOutcome::ask(question, Reactions::<R>(window)),
        WindowState::Closed => StepOutcome::default(),
        WindowState::React(choices) => R::reacts(&state, moment, choices, &mut dice),
    }
}

/// "Goblin 1 and goblin 2 leave the reach of Mara", with the verb for one unit or for several.
pub fn prompt(names: &Names, by: &[Id], [one, several]: [&str; 2], who: Id) -> String {
    let titles = list(by.iter().map(|&by| names.title(by).into()), "and");
    let verb = if by.len() == 1 { one } else { several };
    format!("{titles} {verb} {}", names.name(who))
}

/// The question whether a unit reacts or passes. `None` if no offer is legal.
pub fn question(
    view: &View,
    who: Id,
    rule: Rule,
    prompt: String,
    mut offers: Vec<Offer>,
) -> Option<Decision> {
    if !offers.iter().any(Offer::is_legal) {
        return None;
    }
    offers.push(Offer::legal(Choice::new(&PASS, who)));
    Some(Decision {
        reaction: true,
        ..view.asks(who, rule, prompt, Offers::listed(offers))
    })
}
