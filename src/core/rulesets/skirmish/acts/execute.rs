//! Execution (SK-56): one attack on an unaware target.

use super::{draw_price, row::*};
use crate::rulesets::common::{attacks::attack_of, damage::Odds, inventory::Throws};
use crate::rulesets::skirmish::{
    awareness::{AwarenessEvent, Cry},
    checks::Check,
    end_checks::EndChecks,
    loads,
    numbers::MINUTE,
    wounds,
};
use crate::{
    battle::{Attack, Roll},
    content::{Attribute, Skill},
};

verbs! {
    EXECUTE = "execute", "execute {at} with {with}", "executes {at} with {with}", "SK-56";
    EXECUTE_SHOT = "execute from afar", "execute {at} from afar with {with}",
        "executes {at} from afar with {with}", "SK-56";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        EXECUTE: 'x' "Execute" Dagger (instead), "Main action. Hits automatically; drops the target if its save fails.",
            Chances::Odds(checks::execution), |eval, offer| eval.staying(eval.execute(&offer.choice));
        EXECUTE_SHOT: 'x' "Execute" Dagger (instead), "Main action. A check to hit; drops the target if its save fails.",
            Chances::Odds(checks::execution), |eval, offer| eval.staying(eval.execute(&offer.choice));
    },
    when: (),
    offers,
    begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let Some(stalk) = sk.watch(who).stalk else {
        for verb in [&EXECUTE, &EXECUTE_SHOT] {
            let why = Why::of_actor("SK-56", "has not stalked an enemy").lacking(true);
            out.push(Offer::not(Choice::new(verb, who), why));
        }
        return;
    };
    for item in sk.inventory(who).at_hand() {
        let weapon = sk.weapon(item);
        let (melee, ranged) = (weapon.melee.is_some(), weapon.ranged.is_some());
        let ways = [(&EXECUTE, melee), (&EXECUTE_SHOT, ranged)];
        for (verb, _) in ways.iter().filter(|w| w.1) {
            let choice = Choice::new(verb, who).at(stalk.at).with(item);
            let legal = legal(sk, &choice);
            out.push(Offer::from(choice, legal));
        }
    }
}

/// The execution as an attack, for its reach and damage.
pub fn attack(choice: &Choice) -> Attack {
    Attack {
        rule: "SK-56",
        ..attack_of(choice, choice.verb == &EXECUTE_SHOT)
    }
}

fn legal(sk: &SkirmishQuery, choice: &Choice) -> Result<(), Why> {
    let attack = attack(choice);
    let no = |text: String| Err(Why::new("SK-56", text));
    sk.needs_main(attack.by)?;
    let Some(stalk) = sk.watch(attack.by).stalk.filter(|s| s.at == attack.at) else {
        return no("has not stalked this enemy".into());
    };
    unsuspecting(sk, attack.at)?;
    let (done, what) = match attack.ranged {
        true => (stalk.aimed, "taken aim"),
        false => (stalk.near, "watched from within 30 ft"),
    };
    if done < MINUTE {
        return no(format!("{what} for {done} of {MINUTE} rounds"));
    }
    if attack.ranged && sk.fighter(attack.by).moves == 0 {
        return no("has moved: the aim is lost".into());
    }
    if draw_price(sk, attack.by, attack.with)?.is_some() && attack.ranged {
        return no("did not aim with this".into());
    }
    sk.can_attack(&attack)
}

/// The check for a ranged execution: DEX and Shoot, with a bonus at close range (SK-56).
fn aim(sk: &SkirmishQuery, attack: &Attack) -> Check {
    let check = sk.check(attack.by, "execution", &[Attribute::Dex], &[Skill::Shoot]);
    let shot = sk.weapon(attack.with).ranged.as_ref();
    let normal = shot.map_or(0, |shot| shot.normal.clamp(0, 30_000) as u16);
    if sk.view.within(attack.by, attack.at, 10) {
        check.plus(4, "within 10 ft", "SK-56")
    } else if sk.view.within(attack.by, attack.at, normal) {
        check.plus(2, "within normal range", "SK-56")
    } else {
        check
    }
}

/// The penalty on the victim's save: the attacker's level in the skill it uses.
fn penalty(sk: &SkirmishQuery, by: Id, with: Item, ranged: bool) -> i32 {
    let weapon = sk.weapon(with);
    let skills: &[Skill] = match (&weapon.melee, ranged) {
        (Some(melee), false) => &melee.skills,
        _ => &[Skill::Shoot],
    };
    let creature = sk.view.creature(by);
    let levels = skills.iter().filter_map(|&s| creature.skill(s));
    levels.max().unwrap_or(0).max(0)
}

/// The chance that the execution hits, and the chance that the victim's save then fails.
pub fn chances(sk: &SkirmishQuery, choice: &Choice) -> (Odds, Odds) {
    let attack = attack(choice);
    let hit = match attack.ranged {
        true => aim(sk, &attack).odds(numbers::EXECUTION_SHOT),
        false => Odds::SURE,
    };
    let penalty = penalty(sk, attack.by, attack.with, attack.ranged);
    (hit, Odds::d20(sk.save_needs(attack.at, penalty) - 1))
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let attack = attack(choice);
    let who = attack.by;
    let mut outcome = declare(sk, choice, ActionCost::Main);
    draw(sk, who, attack.with, &mut outcome);
    outcome
        .and("SK-56", AwarenessEvent::Strikes { who })
        .then(Execution(attack))
}

/// The attack itself, or the check for a ranged one.
#[derive(Clone, Debug)]
struct Execution(Attack);
system_step!(Execution, spec);

fn spec(
    In(Execution(attack)): In<Execution>,
    sk: SkirmishQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let (by, at) = (attack.by, attack.at);
    let forecast = sk.forecast(&attack);
    // Something before the attack may have raised the alarm.
    let forecast = match forecast.and_then(|f| unsuspecting(&sk, at).map(|()| f)) {
        Ok(forecast) => forecast,
        Err(why) => {
            outcome.emit_stop(by, why);
            return outcome;
        }
    };
    let most = forecast.damage.span().1;
    if !attack.ranged {
        return outcome.then(ExecutionHit { attack, most });
    }
    loads::shot(&sk, &attack, &mut Throws::default(), &mut outcome);
    let check = aim(&sk, &attack);
    let pending = PendingCheck::reach("SK-56", check, numbers::EXECUTION_SHOT, &mut dice);
    let hit = ExecutionHit { attack, most };
    pending_checks::log_and_open(vec![pending], outcome, Aimed(hit))
}

fn unsuspecting(sk: &SkirmishQuery, at: Id) -> Result<(), Why> {
    Why::new("SK-56", "the target is not unaware").unless(sk.is_unaware(at))
}

/// The result of the check for a ranged execution.
#[derive(Clone, Debug)]
struct Aimed(ExecutionHit);

impl CheckOutcome for Aimed {
    fn resolved(self, sk: &SkirmishQuery, checks: &[PendingCheck], _: &mut DiceBox) -> StepOutcome {
        let (by, victim) = (self.0.attack.by, self.0.attack.at);
        let goes_on = sk.is_up(by) && sk.is_up(victim);
        match goes_on && checks.iter().all(PendingCheck::passed) {
            true => StepOutcome::default().then(self.0),
            false => StepOutcome::default().then(Cry { by, victim }),
        }
    }
}

system_step! {
    /// The execution hits: the victim rolls a save.
    struct ExecutionHit {
        attack: Attack,
        /// The weapon's maximum damage.
        most: i32,
    } => hit
}

fn hit(In(hit): In<ExecutionHit>, sk: SkirmishQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let (by, at, with, ranged) = hit.attack.parts();
    let save = sk.save(at, penalty(&sk, by, with, ranged));
    let pending = PendingCheck::reach("SK-62", save, sk.save_needs(at, 0), &mut dice);
    pending_checks::log_and_open(vec![pending], StepOutcome::default(), hit)
}

impl CheckOutcome for ExecutionHit {
    fn resolved(self, sk: &SkirmishQuery, checks: &[PendingCheck], _: &mut DiceBox) -> StepOutcome {
        let Self { attack, most } = self;
        let mut outcome = StepOutcome::default();
        let (by, at) = (attack.by, attack.at);
        if !sk.is_up(by) || !sk.is_up(at) {
            return outcome.then(Cry { by, victim: at }).then(EndChecks);
        }
        let saved = checks.iter().all(PendingCheck::passed);
        let lethal = sk.weapon(attack.with).lethal;
        // The attack does damage even if the save succeeds: all hit points on a failure, the
        // weapon's maximum on a success.
        let (points, label) = match saved {
            true => (most, "the most it can do"),
            false => (sk.body(at).hp, "execution"),
        };
        let roll = Roll::fixed(points, label, "SK-56");
        let damaged = EventKind::damaged(at, Some(by), points, roll);
        outcome.emit("SK-56", damaged);
        wounds::fall_by(sk, at, points, lethal, &mut outcome);
        outcome.then(Cry { by, victim: at }).then(EndChecks)
    }
}
