//! Checks and saves whose dice are rolled and logged before they take effect. A unit with
//! [`Trait::Reroll`] may reroll a failure (SK-71).
//!
//! Damage, healing, morale and initiative can't be rerolled.

use super::{
    checks::Check,
    query::SkirmishQuery,
    stance::StanceEvent,
    triggers::{REROLL, Reactions, Trigger},
};
use crate::{
    battle::{
        Action, Answer, CheckRoll, Choice, Decision, DiceBox, EventKind, Id, Offer, Roll, Rule,
        StepOutcome, Window, WindowState,
    },
    content::Trait,
    rulesets::common::{reactions::question as ask_reaction, sorted},
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
    fn total(&self) -> i32 {
        self.roll.total()
    }
}

/// What a check is compared with.
#[derive(Clone, Debug)]
enum CheckGoal {
    /// Reach at least this number.
    Reach(i32),
    /// Beat these scores, each on its own.
    Beat(Vec<i32>),
    /// Beat the totals of the other rolls, each on its own.
    Each,
    /// Beat the totals of all other rolls.
    All,
}

/// A check that is rolled and has not taken effect, and what it is compared with. The other side
/// wins ties (SK-62).
#[derive(Clone, Debug)]
pub struct PendingCheck {
    rule: Rule,
    goal: CheckGoal,
    /// The roll of the check, then the rolls that it is compared with.
    rolls: Vec<RolledCheck>,
}

impl PendingCheck {
    fn new(
        rule: Rule,
        goal: CheckGoal,
        checks: impl IntoIterator<Item = Check>,
        dice: &mut DiceBox,
    ) -> Self {
        let rolled = |check: Check| RolledCheck {
            roll: check.roll(dice),
            check,
        };
        let rolls = checks.into_iter().map(rolled).collect();
        Self { rule, goal, rolls }
    }

    /// A check that must reach `against`.
    pub fn reach(rule: Rule, check: Check, against: i32, dice: &mut DiceBox) -> Self {
        Self::new(rule, CheckGoal::Reach(against), [check], dice)
    }

    /// A check against several scores, which wins against each one that it beats.
    pub fn beat(rule: Rule, check: Check, scores: Vec<i32>, dice: &mut DiceBox) -> Self {
        Self::new(rule, CheckGoal::Beat(scores), [check], dice)
    }

    /// One roll against one or several units, which wins against each one that it beats.
    pub fn each(rule: Rule, challenger: Check, others: Vec<Check>, dice: &mut DiceBox) -> Self {
        let checks = [challenger].into_iter().chain(others);
        Self::new(rule, CheckGoal::Each, checks, dice)
    }

    /// One roll that must beat all of several units.
    pub fn all(rule: Rule, challenger: Check, others: Vec<Check>, dice: &mut DiceBox) -> Self {
        let checks = [challenger].into_iter().chain(others);
        Self::new(rule, CheckGoal::All, checks, dice)
    }

    pub fn total(&self) -> i32 {
        self.rolls[0].total()
    }

    /// Whether the check has reached or beaten everything that it is compared with.
    pub fn passed(&self) -> bool {
        let total = self.total();
        match &self.goal {
            CheckGoal::Reach(n) => total >= *n,
            CheckGoal::Beat(scores) => scores.iter().all(|&score| total > score),
            CheckGoal::Each | CheckGoal::All => self.others().iter().all(|o| total > o.total()),
        }
    }

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
        &self.rolls[1..]
    }

    fn best_other(&self) -> i32 {
        let totals = self.others().iter().map(RolledCheck::total);
        totals.max().unwrap_or(0)
    }

    /// Logs one of the rolls.
    fn emit(&self, roll: usize, rule: Rule, outcome: &mut StepOutcome) {
        let (is_other, total) = (roll > 0, self.total());
        let RolledCheck { check, roll } = &self.rolls[roll];
        let mut emit = |against, passed| {
            CheckRoll::by(check.who, check.what, roll.clone()).emit(rule, against, passed, outcome);
        };
        match &self.goal {
            _ if is_other => emit(total, roll.total() >= total),
            CheckGoal::Reach(n) => emit(*n, self.passed()),
            CheckGoal::Beat(scores) => scores.iter().for_each(|&n| emit(n, total > n)),
            CheckGoal::Each | CheckGoal::All => emit(self.best_other(), self.passed()),
        }
    }

    fn failures(&self) -> Vec<FailedRoll> {
        let total = self.total();
        let mine = |against: i32, needs: i32| FailedRoll {
            roll: 0,
            against,
            needs,
            enemy: match self.others() {
                [only] => Some(only.check.who),
                _ => None,
            },
        };
        let other = |roll: usize| FailedRoll {
            roll,
            against: total,
            needs: total,
            enemy: Some(self.rolls[0].check.who),
        };
        let unbeaten = |score: i32| mine(score, score + 1);
        let lowest = |scores: &mut dyn Iterator<Item = i32>| {
            let failed = scores.filter(|&score| score >= total).min();
            failed.map(unbeaten).into_iter()
        };
        let mut totals = self.others().iter().map(RolledCheck::total);
        let others = 1..self.rolls.len();
        match &self.goal {
            CheckGoal::Reach(n) if total < *n => vec![mine(*n, *n)],
            CheckGoal::Reach(_) => vec![],
            CheckGoal::Beat(scores) => lowest(&mut scores.iter().copied()).collect(),
            CheckGoal::Each => {
                let below = others.filter(|&n| self.rolls[n].total() < total);
                lowest(&mut totals).chain(below.map(other)).collect()
            }
            // One roll that is not beaten is enough to stop the check.
            CheckGoal::All if !self.passed() => vec![unbeaten(self.best_other())],
            CheckGoal::All => others.map(other).collect(),
        }
    }
}

/// A failed roll, and the total that a reroll would need.
struct FailedRoll {
    /// The index of the roll.
    roll: usize,
    against: i32,
    needs: i32,
    /// The unit that it failed against.
    enemy: Option<Id>,
}

/// What follows from checks once no unit rerolls.
pub trait CheckOutcome: Clone + Debug + Send + Sync + 'static {
    /// Whether Instants are possible between the dice and their effect (SK-04).
    const ALLOWS_INSTANTS: bool = true;

    /// Applies the results. The state may have changed since the dice were rolled.
    fn resolved(
        self,
        sk: &SkirmishQuery,
        checks: &[PendingCheck],
        dice: &mut DiceBox,
    ) -> StepOutcome;
}

/// Logs the rolls of checks that happen at once, then lets units react and reroll. `result`
/// follows.
pub fn log_and_open(
    checks: Vec<PendingCheck>,
    mut outcome: StepOutcome,
    result: impl CheckOutcome,
) -> StepOutcome {
    for pending in &checks {
        let rolls = 0..pending.rolls.len();
        rolls.for_each(|roll| pending.emit(roll, pending.rule, &mut outcome));
    }
    open_windows(checks, outcome, result)
}

/// Opens a reaction window for Instants, then one for rerolls.
fn open_windows<T: CheckOutcome>(
    checks: Vec<PendingCheck>,
    mut outcome: StepOutcome,
    result: T,
) -> StepOutcome {
    if let Some(pending) = checks.first().filter(|_| T::ALLOWS_INSTANTS) {
        let (check, passed) = (&pending.rolls[0].check, pending.passed());
        outcome.push(Reactions::open(Trigger::Checked {
            who: check.who,
            what: check.what,
            passed,
        }));
    }
    outcome.then(PendingChecks {
        checks,
        window: Window::open(()),
        result,
    })
}

/// Checks that happen at once, the window for their rerolls, and what follows.
#[derive(Clone, Debug)]
struct PendingChecks<T> {
    checks: Vec<PendingCheck>,
    window: Window<()>,
    result: T,
}
system_step!(impl[T: CheckOutcome] PendingChecks<T>, resolve::<T>);

/// SK-71: asks the units that failed and may reroll, until none of them does.
fn resolve<T: CheckOutcome>(
    In(pending): In<PendingChecks<T>>,
    sk: SkirmishQuery,
    mut answer: ResMut<Answer>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let PendingChecks {
        mut checks,
        window,
        result,
    } = pending;
    let ask = |_: &(), id| question(&sk, &checks, id);
    let choices = match window.run(&mut answer, |_| units_with_failures(&checks), ask) {
        WindowState::Closed => return result.resolved(&sk, &checks, &mut dice),
        WindowState::Asks(question, window) => {
            let again = PendingChecks {
                checks,
                window,
                result,
            };
            return StepOutcome::ask(question, again);
        }
        WindowState::React(choices) => choices,
    };
    // All answers see the rolls as they were (SK-05).
    let chosen: Vec<(Choice, Option<(usize, usize)>)> = choices
        .into_iter()
        .map(|choice| {
            let found = failed(&sk, &checks).find(|(_, offer)| *offer == choice);
            (choice, found.map(|f| f.0))
        })
        .collect();
    for (n, roll) in chosen.iter().filter_map(|c| c.1) {
        let rolled = &mut checks[n].rolls[roll];
        rolled.roll = rolled.check.roll(&mut dice);
    }
    let mut outcome = StepOutcome::default();
    StanceEvent::at_once(chosen.iter().map(|c| &c.0), &mut outcome);
    for (choice, failed) in chosen {
        let (Some(who), Some((n, roll))) = (choice.who, failed) else {
            continue;
        };
        outcome.emit("SK-71", EventKind::Acted { choice });
        outcome.emit("SK-71", StanceEvent::Rerolls { who });
        checks[n].emit(roll, "SK-71", &mut outcome);
    }
    open_windows(checks, outcome, result)
}

/// The units with failed rolls, in id order.
fn units_with_failures(checks: &[PendingCheck]) -> Vec<Id> {
    sorted(checks.iter().flat_map(|pending| {
        let failures = pending.failures().into_iter();
        failures.map(|f| pending.rolls[f.roll].check.who)
    }))
}

/// The failed rolls that a reroll could turn into a success, each by the indices of its check and of
/// the roll, with its choice; the choice's number is the percent chance. Helpless and unaware units
/// may reroll too.
fn failed(
    sk: &SkirmishQuery,
    checks: &[PendingCheck],
) -> impl Iterator<Item = ((usize, usize), Choice)> {
    checks.iter().enumerate().flat_map(|(n, pending)| {
        let again = |f: FailedRoll| {
            let check = &pending.rolls[f.roll].check;
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
        let failures = pending.failures().into_iter();
        failures.filter_map(again).collect::<Vec<_>>()
    })
}

fn question(sk: &SkirmishQuery, checks: &[PendingCheck], id: Id) -> Option<Decision> {
    let mine = failed(sk, checks).filter(|(_, choice)| choice.who == Some(id));
    let mine: Vec<_> = mine.collect();
    let ((n, roll), choice) = mine.first()?;
    let (pending, chance) = (&checks[*n], choice.number.unwrap_or(0));
    let failure = pending.failures().into_iter().find(|f| f.roll == *roll)?;
    let RolledCheck { check, roll } = &pending.rolls[*roll];
    let prompt = format!(
        "{}, {}: {} against {} fails, another roll succeeds with {chance}%",
        sk.view.names().title(id),
        check.what,
        roll.total(),
        failure.against,
    );
    let offers = mine.iter().map(|(_, choice)| Offer::legal(choice.clone()));
    ask_reaction(&sk.view, id, "SK-71", prompt, offers.collect())
}
