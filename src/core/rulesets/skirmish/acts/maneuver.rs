//! What shoves and grapples have in common: an attack roll, and on a hit an opposed check instead
//! of damage.

use crate::rulesets::common::attacks::{ToHit, attack_of};
use crate::{
    battle::{Attack, Choice, DiceBox, EventKind, Id, Item, StepOutcome, Why},
    grid::Cell,
    rulesets::{
        common::damage::Odds,
        skirmish::{
            attacks::AttackBatch,
            checks::Check,
            grapple::GrappleEvent,
            push,
            query::SkirmishQuery,
            state::ActionCost,
            trials::{self, Trial, TrialOutcome},
        },
    },
    system_step,
};
use bevy_ecs::system::{In, ResMut};

/// The goal of a maneuver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ManeuverAim {
    /// Push the victim into a cell next to it (SK-50).
    Push(Cell),
    /// Knock the victim prone (SK-50).
    Down,
    /// Grapple the victim (SK-51).
    Hold,
}

/// The goal of a choice to shove or grapple.
pub fn aim_of(choice: &Choice) -> ManeuverAim {
    match choice.to {
        _ if choice.verb == &super::GRAPPLE => ManeuverAim::Hold,
        Some(to) => ManeuverAim::Push(to),
        None => ManeuverAim::Down,
    }
}

impl ManeuverAim {
    fn checks(self, sk: &SkirmishQuery, by: Id, at: Id) -> Result<(Check, Check), Why> {
        match self {
            Self::Push(_) | Self::Down => sk.shove_checks(by, at),
            Self::Hold => sk.grapple_checks(by, at),
        }
    }
}

/// The attack roll of a maneuver.
pub fn attack(choice: &Choice) -> Attack {
    attack_of(choice, false)
}

/// Checks that the attack is possible and the victim not too large.
pub fn legal(sk: &SkirmishQuery, choice: &Choice, aim: ManeuverAim) -> Result<(), Why> {
    let attack = attack(choice);
    sk.needs_main(attack.by)?;
    sk.forecast(&attack)?;
    aim.checks(sk, attack.by, attack.at).map(|_| ())
}

/// The ready or natural weapon that hits `at` most easily: a shove can use any of them. `None` if
/// none reaches.
pub fn best_item(sk: &SkirmishQuery, who: Id, at: Id, rule: &'static str) -> Option<Item> {
    let needs = |with: Item| {
        let attack = Attack::new(who, at, with, false, rule);
        sk.forecast(&attack).ok().map(|f| f.needs())
    };
    let ready = sk.gear(who).ready();
    let found = ready.filter_map(|item| Some((needs(item)?, item)));
    found.min_by_key(|f| f.0).map(|f| f.1)
}

/// The chances of a maneuver, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct ManeuverChances {
    /// To get past the units that screen the victim (SK-15).
    pub pass: Odds,
    pub hit: Odds,
    /// To win the check after a hit.
    pub win: Odds,
}

impl ManeuverChances {
    /// The chance that the whole maneuver succeeds.
    pub fn all(self) -> Odds {
        self.pass.and(self.hit).and(self.win)
    }
}

pub fn chance(sk: &SkirmishQuery, choice: &Choice, aim: ManeuverAim) -> Option<ManeuverChances> {
    let attack = attack(choice);
    let forecast = sk.forecast(&attack).ok()?;
    let (mine, theirs) = aim.checks(sk, attack.by, attack.at).ok()?;
    Some(ManeuverChances {
        pass: forecast.pass,
        hit: forecast.hit(),
        win: mine.odds_against(&theirs),
    })
}

pub fn begin(choice: &Choice) -> StepOutcome {
    let aim = aim_of(choice);
    let attack = attack(choice);
    let (by, rule) = (attack.by, attack.rule);
    super::declare(choice, ActionCost::Main)
        .then(AttackBatch::of(vec![attack]))
        .then(Contest { by, aim, rule })
}

system_step! {
    /// The opposed check, if the attack has hit.
    struct Contest { by: Id, aim: ManeuverAim, rule: &'static str } => contest
}

fn contest(In(step): In<Contest>, sk: SkirmishQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let Contest { by, aim, rule } = step;
    let mut outcome = StepOutcome::default();
    let Some(at) = sk.grip(by).opening else {
        return outcome;
    };
    outcome.emit(rule, GrappleEvent::Decided { by });
    if !sk.is_up(by) || !sk.is_up(at) {
        return outcome;
    }
    let checks = match aim.checks(&sk, by, at) {
        Ok(checks) => checks,
        Err(why) => return stopped(outcome, by, why),
    };
    let trial = Trial::opposed(rule, checks.0, checks.1, &mut dice);
    let places = [by, at].map(|id| sk.body(id).at);
    let wrestled = Wrestled {
        by,
        at,
        aim,
        rule,
        places,
    };
    trials::open(vec![trial], outcome, wrestled)
}

/// The result of the check.
#[derive(Clone, Debug)]
struct Wrestled {
    by: Id,
    at: Id,
    aim: ManeuverAim,
    rule: &'static str,
    /// The cells of both units when the dice were rolled.
    places: [Cell; 2],
}

impl TrialOutcome for Wrestled {
    fn resolved(self, sk: &SkirmishQuery, trials: &[Trial], dice: &mut DiceBox) -> StepOutcome {
        let Self {
            by,
            at,
            aim,
            rule,
            places,
        } = self;
        let mut outcome = StepOutcome::default();
        if !trials.iter().all(Trial::passed) {
            return outcome;
        }
        let is_there = |(id, place)| sk.is_up(id) && sk.body(id).at == place;
        if !std::iter::zip([by, at], places).all(is_there) {
            return stopped(outcome, by, Why::new(rule, "they are parted"));
        }
        match aim {
            ManeuverAim::Push(to) => match push::landing(sk, by, at, to, rule) {
                Ok(_) => {
                    push::put(sk, by, at, to, rule, dice, &mut outcome);
                }
                Err(why) => return stopped(outcome, by, why),
            },
            ManeuverAim::Down if sk.body(at).prone => {}
            ManeuverAim::Down => {
                let (who, prone) = (at, true);
                outcome.emit(rule, EventKind::Prone { who, prone });
            }
            ManeuverAim::Hold if sk.holds(by).is_some() => {}
            ManeuverAim::Hold => outcome.emit(rule, GrappleEvent::Seized { by, who: at }),
        }
        outcome
    }
}

fn stopped(outcome: StepOutcome, who: Id, why: Why) -> StepOutcome {
    let text = why.text;
    outcome.and(why.rule, EventKind::Stopped { who, why: text })
}
