//! What shoves and grapples have in common: an attack roll, and on a hit an opposed check instead
//! of damage.

use super::{GRAPPLE, row::*};
use crate::battle::Attack;
use crate::rulesets::common::{
    attacks::{ToHit, attack_of},
    damage::Odds,
};
use crate::rulesets::skirmish::{grapple::GrappleEvent, push};

/// The attack roll of a maneuver.
pub fn attack(choice: &Choice) -> Attack {
    attack_of(choice, false)
}

/// Checks that the attack is possible and the victim not too large.
pub fn legal(sk: &SkirmishQuery, choice: &Choice) -> Result<(), Why> {
    let attack = attack(choice);
    sk.needs_main(attack.by)?;
    sk.can_attack_from(&attack, sk.body(attack.by).at)?;
    sk.maneuver_checks(&attack).map(|_| ())
}

/// The ready or natural weapon that hits `at` most easily: a shove can use any of them. `None` if
/// none reaches.
pub fn best_item(sk: &SkirmishQuery, who: Id, at: Id, rule: &'static str) -> Option<Item> {
    let needs = |with: Item| {
        let attack = Attack::new(who, at, with, false, rule);
        sk.forecast(&attack).ok().map(|f| f.needs())
    };
    let ready = sk.inventory(who).ready();
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

pub fn chance(sk: &SkirmishQuery, choice: &Choice) -> Option<ManeuverChances> {
    let attack = attack(choice);
    let forecast = sk.forecast(&attack).ok()?;
    let (mine, theirs) = sk.maneuver_checks(&attack).ok()?;
    Some(ManeuverChances {
        pass: forecast.pass,
        hit: forecast.hit(),
        win: mine.odds_against(&theirs),
    })
}

pub fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    super::declare(sk, choice, ActionCost::Main)
        .then(AttackBatch::of(vec![attack(choice)]))
        .then(Contest {
            choice: choice.clone(),
        })
}

system_step! {
    /// The opposed check, if the attack has hit.
    struct Contest { choice: Choice } => contest
}

fn contest(
    In(Contest { choice }): In<Contest>,
    sk: SkirmishQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let by = choice.actor();
    let mut outcome = StepOutcome::default();
    let Some(at) = sk.grip(by).opening else {
        return outcome;
    };
    let attack = Attack {
        at,
        ..attack(&choice)
    };
    outcome.emit(attack.rule, GrappleEvent::Decided { by });
    if !sk.is_up(by) || !sk.is_up(at) {
        return outcome;
    }
    let (mine, theirs) = match sk.maneuver_checks(&attack) {
        Ok(checks) => checks,
        Err(why) => {
            outcome.emit_stop(by, why);
            return outcome;
        }
    };
    let pending = PendingCheck::each(attack.rule, mine, vec![theirs], &mut dice);
    let places = [by, at].map(|id| sk.body(id).at);
    let result = ManeuverResult { choice, at, places };
    pending_checks::log_and_open(vec![pending], outcome, result)
}

/// The result of the check.
#[derive(Clone, Debug)]
struct ManeuverResult {
    choice: Choice,
    /// The unit that was hit, which may be a screener.
    at: Id,
    /// The cells of both units when the dice were rolled.
    places: [Cell; 2],
}

impl CheckOutcome for ManeuverResult {
    fn resolved(
        self,
        sk: &SkirmishQuery,
        checks: &[PendingCheck],
        dice: &mut DiceBox,
    ) -> StepOutcome {
        let (by, at, rule) = (self.choice.actor(), self.at, self.choice.verb.rule);
        let mut outcome = StepOutcome::default();
        if !checks.iter().all(PendingCheck::passed) {
            return outcome;
        }
        let is_there = |(id, place)| sk.is_up(id) && sk.body(id).at == place;
        if !std::iter::zip([by, at], self.places).all(is_there) {
            outcome.emit_stop(by, Why::new(rule, "they are parted"));
        } else if self.choice.verb == &GRAPPLE {
            if sk.holds(by).is_none() {
                outcome.emit(rule, GrappleEvent::Seized { by, who: at });
            }
        } else if let Some(to) = self.choice.to {
            match push::landing(sk, by, at, to, rule) {
                Ok(_) => _ = push::put(sk, by, at, to, rule, dice, &mut outcome),
                Err(why) => outcome.emit_stop(by, why),
            }
        } else if !sk.body(at).prone {
            let (who, prone) = (at, true);
            outcome.emit(rule, EventKind::Prone { who, prone });
        }
        outcome
    }
}
