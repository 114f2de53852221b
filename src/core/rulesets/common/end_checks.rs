//! What follows when units fall or arrive: the end of the battle, and morale.

use super::{CombatSystem, State};
use crate::{
    battle::{
        self, CheckRoll, DiceBox, EventKind, Fallen, Id, Rule, Shaken, Side, Step, StepOutcome,
        View, judge,
    },
    system_step,
};
use bevy_ecs::system::{In, ResMut, StaticSystemParam};
use std::borrow::Cow;

/// What a combat system checks after something happened: the hooks of [`check_end`], which does not
/// depend on what it was.
pub trait EndCheckHooks: CombatSystem {
    /// Whether fallen units may get up again.
    const FALLEN: Fallen;

    /// Adds log entries before the end of the battle.
    fn over(_: &mut StepOutcome) {}

    /// Further consequences while the battle continues. Systems with [`Morale`] call [`occasions`]
    /// here, or when their rules say so.
    fn follows(_: &State<Self>, _: &mut StepOutcome) {}
}

/// The system of a ruleset's own step `S`, which runs after something happened.
pub fn check_end<R: EndCheckHooks, S: Step + 'static>(
    In(step): In<S>,
    state: StaticSystemParam<R::Param>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let view = R::view(&state);
    if let Some((rule, over)) = judge(view, R::FALLEN, &mut outcome) {
        R::over(&mut outcome);
        return outcome.and(rule, over);
    }
    let leaves = |id: &Id| view.progress.has_surrendered(view.body(*id).side);
    let up = view.ids().filter(|id| view.body(*id).is_up());
    let mut leaving = up.filter(leaves).peekable();
    if leaving.peek().is_some() {
        leaving.for_each(|who| outcome.emit("OP-08", EventKind::Fled { who }));
        return outcome.then(step);
    }
    R::follows(&state, &mut outcome);
    outcome
}

/// Defines a ruleset's `EndChecks` step.
macro_rules! end_checks {
    ($system:ident) => {
        /// Checks the state after something happened: the end of the battle, surrender, and what
        /// the ruleset adds.
        #[derive(Clone, Debug)]
        pub struct EndChecks;
        crate::system_step!(
            EndChecks,
            crate::rulesets::common::end_checks::check_end::<$system, EndChecks>
        );
    };
}
pub(crate) use end_checks;

/// How a combat system checks the morale of a side that had a reason: one roll per unit, however
/// many reasons came together.
pub trait Morale: CombatSystem {
    const MORALE: Rule;

    /// Whether a side knows what happens at all.
    fn is_aware(_: &State<Self>, _: Side) -> bool {
        true
    }

    /// The morale check of a standing unit, already rolled. `None` for units that never check.
    fn check(state: &State<Self>, who: Id, news: Shaken, dice: &mut DiceBox) -> Option<CheckRoll>;

    /// What happens when a unit fails its check. `false` if it fights on anyway.
    fn fails(state: &State<Self>, who: Id, check: &CheckRoll, outcome: &mut StepOutcome) -> bool;
}

/// Finds the sides with a new reason for a morale check, and queues their checks.
pub fn occasions<R: Morale>(state: &State<R>, outcome: &mut StepOutcome) {
    let view = R::view(state);
    for side in view.roster.sides().filter(|&s| R::is_aware(state, s)) {
        let before = view.progress.shaken[side.index()];
        let shaken = by_now(view, side, before);
        if shaken != before {
            outcome.emit(R::MORALE, EventKind::Shaken { side, shaken });
            outcome.push(MoraleStep::<R>::of(side, shaken.since(before)));
        }
    }
}

/// The reasons for a morale check that a side has had by now.
fn by_now(view: &View, side: Side, before: Shaken) -> Shaken {
    let members = || view.ids().filter(|&id| view.body(id).side == side);
    let fallen = [battle::State::Down, battle::State::Dead];
    let is_down = |id: &Id| fallen.contains(&view.body(*id).state);
    let (all, down) = (members().count(), members().filter(is_down).count());
    Shaken {
        first_fall: before.first_fall || down > 0,
        half: before.half || down * 2 >= all && down > 0,
        leader: before.leader || members().any(|id| view.sheet(id).leader && is_down(&id)),
    }
}

system_step! {
    /// The morale checks of a side, for the reasons that came together.
    pub struct MoraleStep[R: Morale] { side: Side, news: Shaken } => check_morale::<R>
}

fn check_morale<R: Morale>(
    In(step): In<MoraleStep<R>>,
    state: StaticSystemParam<R::Param>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let MoraleStep { side, news, .. } = step;
    let standing = R::view(&state).standing(side);
    let checks = standing.filter_map(|who| Some((who, R::check(&state, who, news, &mut dice)?)));
    let checks: Vec<(Id, CheckRoll)> = checks.collect();
    if checks.is_empty() {
        return outcome;
    }
    let check = |(who, check): (Id, CheckRoll), outcome: &mut StepOutcome| {
        outcome.emit(R::MORALE, check.clone());
        check.passed == Some(false) && R::fails(&state, who, &check, outcome)
    };
    let why = news.words().into();
    morale_of_side((R::MORALE, side, why), checks, check, &mut outcome);
    outcome
}

/// Emits the morale checks of a side's units, between its beginning with the reason and its end.
/// `check` emits a unit's check and says whether the unit breaks.
pub fn morale_of_side<T>(
    (rule, side, why): (Rule, Side, Cow<'static, str>),
    checks: Vec<(Id, T)>,
    mut check: impl FnMut((Id, T), &mut StepOutcome) -> bool,
    outcome: &mut StepOutcome,
) {
    let who: Vec<Id> = checks.iter().map(|check| check.0).collect();
    let began = EventKind::MoraleBegan {
        side,
        why,
        who: who.clone(),
    };
    outcome.emit(rule, began);
    let mut broke = vec![];
    for one in checks {
        let unit = one.0;
        if check(one, outcome) {
            broke.push(unit);
        }
    }
    outcome.emit(rule, EventKind::MoraleEnded { side, who, broke });
}
