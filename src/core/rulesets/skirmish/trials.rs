//! Checks and saves whose dice are rolled and logged before they take effect. A unit with that
//! trait may reroll a failure (SK-71).
//!
//! Damage, healing, morale and initiative can't be rerolled (decided).

use super::{
    checks::Check,
    query::SkirmishQuery,
    stance::StanceEvent,
    triggers::{REROLL, Reactions, Trigger},
};
use crate::{
    battle::{
        Action, Answer, Choice, Decision, DiceBox, EventKind, Id, Offer, Offers, PASS, Roll, Rule,
        StepOutcome, Window, WindowState,
    },
    content::Trait,
    system_step,
};
use bevy_ecs::system::{In, ResMut};
use std::fmt::Debug;

/// Rerolls a check or save that has no single opponent (SK-71).
pub static REROLL_CHECK: Action =
    Action::new("roll a check again", "roll again", "rolls again", "SK-71");

/// A check with its roll.
#[derive(Clone, Debug)]
struct RolledCheck {
    check: Check,
    roll: Roll,
}

impl RolledCheck {
    fn new(check: Check, dice: &mut DiceBox) -> Self {
        let roll = check.roll(dice);
        Self { check, roll }
    }

    fn total(&self) -> i32 {
        self.roll.total()
    }
}

/// What a check is compared with.
#[derive(Clone, Debug)]
enum TrialGoal {
    /// Reach at least this number.
    Reach(i32),
    /// Beat these scores, each on its own.
    Beat(Vec<i32>),
    /// Beat the totals of these rolls, each on its own.
    Each(Vec<RolledCheck>),
    /// Beat the totals of all these rolls.
    All(Vec<RolledCheck>),
}

/// A check and what it is compared with. The other side wins ties (SK-62).
#[derive(Clone, Debug)]
pub struct Trial {
    rule: Rule,
    mine: RolledCheck,
    goal: TrialGoal,
}

impl Trial {
    /// A check that must reach `against`.
    pub fn reach(rule: Rule, check: Check, against: i32, dice: &mut DiceBox) -> Self {
        let (mine, goal) = (RolledCheck::new(check, dice), TrialGoal::Reach(against));
        Self { rule, mine, goal }
    }

    /// A check against several scores, which wins against each one that it beats.
    pub fn beat(rule: Rule, check: Check, scores: Vec<i32>, dice: &mut DiceBox) -> Self {
        let (mine, goal) = (RolledCheck::new(check, dice), TrialGoal::Beat(scores));
        Self { rule, mine, goal }
    }

    /// An opposed check between two units.
    pub fn opposed(rule: Rule, attacker: Check, defender: Check, dice: &mut DiceBox) -> Self {
        Self::each(rule, attacker, vec![defender], dice)
    }

    /// One roll against several units, which wins against each one that it beats.
    pub fn each(rule: Rule, challenger: Check, others: Vec<Check>, dice: &mut DiceBox) -> Self {
        Self::against_rolls(rule, challenger, others, TrialGoal::Each, dice)
    }

    /// One roll that must beat all of several units.
    pub fn all(rule: Rule, challenger: Check, others: Vec<Check>, dice: &mut DiceBox) -> Self {
        Self::against_rolls(rule, challenger, others, TrialGoal::All, dice)
    }

    fn against_rolls(
        rule: Rule,
        challenger: Check,
        others: Vec<Check>,
        goal: fn(Vec<RolledCheck>) -> TrialGoal,
        dice: &mut DiceBox,
    ) -> Self {
        let mine = RolledCheck::new(challenger, dice);
        let others = others
            .into_iter()
            .map(|c| RolledCheck::new(c, dice))
            .collect();
        let goal = goal(others);
        Self { rule, mine, goal }
    }

    /// The total of the check.
    pub fn total(&self) -> i32 {
        self.mine.total()
    }

    /// Whether the check has reached or beaten everything that it is compared with.
    pub fn passed(&self) -> bool {
        let total = self.total();
        match &self.goal {
            TrialGoal::Reach(n) => total >= *n,
            TrialGoal::Beat(scores) => scores.iter().all(|&score| total > score),
            TrialGoal::Each(_) | TrialGoal::All(_) => {
                self.others().iter().all(|o| total > o.total())
            }
        }
    }

    /// The units that the check beats.
    pub fn beaten(&self) -> impl Iterator<Item = Id> {
        let total = self.total();
        let beaten = self.others().iter().filter(move |o| total > o.total());
        beaten.map(|o| o.check.who)
    }

    /// The units that the check does not beat, with their totals.
    pub fn unbeaten(&self) -> impl Iterator<Item = (i32, Id)> {
        let total = self.total();
        let others = self.others().iter().map(|o| (o.total(), o.check.who));
        others.filter(move |o| o.0 >= total)
    }

    /// The units whose rolls the check is compared with.
    pub fn against(&self) -> impl Iterator<Item = Id> {
        self.others().iter().map(|o| o.check.who)
    }

    fn others(&self) -> &[RolledCheck] {
        match &self.goal {
            TrialGoal::Each(others) | TrialGoal::All(others) => others,
            TrialGoal::Reach(_) | TrialGoal::Beat(_) => &[],
        }
    }

    fn best_other(&self) -> i32 {
        self.others()
            .iter()
            .map(RolledCheck::total)
            .max()
            .unwrap_or(0)
    }

    fn emit_all(&self, outcome: &mut StepOutcome) {
        self.emit_mine(self.rule, outcome);
        for n in 0..self.others().len() {
            self.emit_other(n, self.rule, outcome);
        }
    }

    fn emit_mine(&self, rule: Rule, outcome: &mut StepOutcome) {
        let RolledCheck { check, roll } = &self.mine;
        let mut emit =
            |against, passed| outcome.emit(rule, check.event(roll.clone(), against, passed));
        match &self.goal {
            TrialGoal::Reach(n) => emit(*n, self.passed()),
            TrialGoal::Beat(scores) => scores.iter().for_each(|&n| emit(n, self.total() > n)),
            TrialGoal::Each(_) | TrialGoal::All(_) => emit(self.best_other(), self.passed()),
        }
    }

    fn emit_other(&self, n: usize, rule: Rule, outcome: &mut StepOutcome) {
        let (RolledCheck { check, roll }, against) = (&self.others()[n], self.total());
        let holds = roll.total() >= against;
        outcome.emit(rule, check.event(roll.clone(), against, holds));
    }

    /// The rolls of the trial that have failed.
    fn failures(&self) -> Vec<Failure> {
        let total = self.total();
        let mine = |against: i32, needs: i32| {
            let enemy = match self.others() {
                [only] => Some(only.check.who),
                _ => None,
            };
            let roll = Which::Mine;
            Failure {
                roll,
                against,
                needs,
                enemy,
            }
        };
        let other = |n: usize| Failure {
            roll: Which::Other(n),
            against: total,
            needs: total,
            enemy: Some(self.mine.check.who),
        };
        let others = || self.others().iter().map(RolledCheck::total);
        match &self.goal {
            TrialGoal::Reach(n) if total < *n => vec![mine(*n, *n)],
            TrialGoal::Reach(_) => vec![],
            TrialGoal::Beat(scores) => {
                let lowest = scores.iter().filter(|&&n| n >= total).min();
                lowest.map(|&n| mine(n, n + 1)).into_iter().collect()
            }
            TrialGoal::Each(_) => {
                let lowest = others().filter(|&n| n >= total).min();
                let below = others().enumerate().filter(|o| o.1 < total);
                let below = below.map(|o| other(o.0));
                lowest
                    .map(|n| mine(n, n + 1))
                    .into_iter()
                    .chain(below)
                    .collect()
            }
            // One roll that is not beaten is enough to stop the check.
            TrialGoal::All(_) if !self.passed() => {
                let highest = self.best_other();
                vec![mine(highest, highest + 1)]
            }
            TrialGoal::All(all) => (0..all.len()).map(other).collect(),
        }
    }

    fn tried(&self, roll: Which) -> &RolledCheck {
        match roll {
            Which::Mine => &self.mine,
            Which::Other(n) => &self.others()[n],
        }
    }

    fn roll_again(&mut self, roll: Which, dice: &mut DiceBox) {
        let again = self.tried(roll).check.roll(dice);
        match (roll, &mut self.goal) {
            (Which::Mine, _) => self.mine.roll = again,
            (Which::Other(n), TrialGoal::Each(others) | TrialGoal::All(others)) => {
                others[n].roll = again
            }
            (Which::Other(_), _) => {}
        }
    }

    fn emit_again(&self, roll: Which, outcome: &mut StepOutcome) {
        match roll {
            Which::Mine => self.emit_mine("SK-71", outcome),
            Which::Other(n) => self.emit_other(n, "SK-71", outcome),
        }
    }
}

/// One of the rolls of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    Mine,
    Other(usize),
}

/// A failed roll, and the total that a reroll would need.
struct Failure {
    roll: Which,
    against: i32,
    needs: i32,
    /// The unit that it failed against.
    enemy: Option<Id>,
}

/// What follows from trials once no unit rerolls.
pub trait TrialOutcome: Clone + Debug + Send + Sync + 'static {
    /// Whether Instants are possible between the dice and their effect (SK-04).
    const IS_MOMENT: bool = true;

    /// Applies the results. The state may have changed since the dice were rolled.
    fn resolved(self, sk: &SkirmishQuery, trials: &[Trial], dice: &mut DiceBox) -> StepOutcome;
}

/// Logs the rolls of trials that happen at once, then lets units react and reroll. `result`
/// follows.
pub fn open(
    trials: Vec<Trial>,
    mut outcome: StepOutcome,
    result: impl TrialOutcome,
) -> StepOutcome {
    trials.iter().for_each(|trial| trial.emit_all(&mut outcome));
    lie_open(trials, outcome, result)
}

/// Opens a reaction window for Instants, then one for rerolls.
fn lie_open<T: TrialOutcome>(
    trials: Vec<Trial>,
    mut outcome: StepOutcome,
    result: T,
) -> StepOutcome {
    if let Some(trial) = trials.first().filter(|_| T::IS_MOMENT) {
        let (check, passed) = (&trial.mine.check, trial.passed());
        outcome.push(Reactions::open(Trigger::Checked {
            who: check.who,
            what: check.what,
            passed,
        }));
    }
    outcome.then(Open {
        trials,
        window: Window::open(()),
        result,
    })
}

/// Trials that happen at once, the window for their rerolls, and what follows.
#[derive(Clone, Debug)]
struct Open<T> {
    trials: Vec<Trial>,
    window: Window<()>,
    result: T,
}
system_step!(impl[T: TrialOutcome] Open<T>, resolve::<T>);

/// SK-71: asks the units that failed and may reroll, until none of them does.
fn resolve<T: TrialOutcome>(
    In(open): In<Open<T>>,
    sk: SkirmishQuery,
    mut answer: ResMut<Answer>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let Open {
        mut trials,
        window,
        result,
    } = open;
    let ask = |_: &(), id| question(&sk, &trials, id);
    let choices = match window.run(&mut answer, |_| who(&trials), ask) {
        WindowState::Closed => return result.resolved(&sk, &trials, &mut dice),
        WindowState::Asks(question, window) => {
            let again = Open {
                trials,
                window,
                result,
            };
            return StepOutcome::ask(question, again);
        }
        WindowState::React(choices) => choices,
    };
    // All answers see the rolls as they were (SK-05).
    let chosen: Vec<(Choice, Option<(usize, Which)>)> = choices
        .into_iter()
        .map(|choice| {
            let found = failed(&sk, &trials).find(|(_, offer)| *offer == choice);
            (choice, found.map(|f| f.0))
        })
        .collect();
    for (n, roll) in chosen.iter().filter_map(|c| c.1) {
        trials[n].roll_again(roll, &mut dice);
    }
    let mut outcome = StepOutcome::default();
    StanceEvent::at_once(chosen.iter().map(|c| &c.0), &mut outcome);
    for (choice, failed) in chosen {
        let (Some(who), Some((n, roll))) = (choice.who, failed) else {
            continue;
        };
        outcome.emit("SK-71", EventKind::Acted { choice });
        outcome.emit("SK-71", StanceEvent::Rerolls { who });
        trials[n].emit_again(roll, &mut outcome);
    }
    lie_open(trials, outcome, result)
}

/// The units with failed rolls, in id order.
fn who(trials: &[Trial]) -> Vec<Id> {
    let failures = trials.iter().flat_map(|trial| {
        let failures = trial.failures().into_iter();
        failures.map(|f| trial.tried(f.roll).check.who)
    });
    let mut who: Vec<Id> = failures.collect();
    who.sort_unstable();
    who.dedup();
    who
}

/// The failed rolls that a reroll could turn into a success, each with its choice; the choice's
/// number is the percent chance. Helpless and unaware units may reroll too (decided).
fn failed(sk: &SkirmishQuery, trials: &[Trial]) -> impl Iterator<Item = ((usize, Which), Choice)> {
    trials.iter().enumerate().flat_map(|(n, trial)| {
        let again = |f: Failure| {
            let check = &trial.tried(f.roll).check;
            let who = check.who;
            let may = sk.view.creature(who).has(Trait::Reroll) && !sk.stance(who).rerolled;
            let odds = check.odds(f.needs);
            let choice = match f.enemy {
                Some(enemy) => Choice::new(&REROLL, who).at(enemy),
                None => Choice::new(&REROLL_CHECK, who),
            };
            let choice = choice.number(odds.percent() as i32);
            (may && sk.is_up(who) && odds.favourable > 0).then_some(((n, f.roll), choice))
        };
        trial
            .failures()
            .into_iter()
            .filter_map(again)
            .collect::<Vec<_>>()
    })
}

fn question(sk: &SkirmishQuery, trials: &[Trial], id: Id) -> Option<Decision> {
    let mine = failed(sk, trials).filter(|(_, choice)| choice.who == Some(id));
    let mine: Vec<_> = mine.collect();
    let ((n, roll), choice) = mine.first()?;
    let (trial, chance) = (&trials[*n], choice.number.unwrap_or(0));
    let failure = trial.failures().into_iter().find(|f| f.roll == *roll)?;
    let RolledCheck { check, roll } = trial.tried(*roll);
    let prompt = format!(
        "{}, {}: {} against {} fails, another roll succeeds with {chance}%",
        sk.view.names().title(id),
        check.what,
        roll.total(),
        failure.against,
    );
    let offers = mine.iter().map(|(_, choice)| choice.clone());
    let offers = offers.chain([Choice::new(&PASS, id)]);
    Some(Decision {
        reaction: true,
        ..sk.view.asks(
            id,
            "SK-71",
            prompt,
            Offers::listed(offers.map(Offer::legal).collect()),
        )
    })
}
