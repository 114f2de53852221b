//! What one does by oneself: acts without a target, which happen as soon as
//! their count comes, and free actions.

use super::super::{
    checks::Check,
    declared::{BREAKING_FREE, DEFENSIVE_MOVE, DOUSING, FULL_DEFENSE, STANDING_UP},
    events::SpeedEvent,
    numbers::Condition,
    sp::{Sp, numbers},
    state::Hurt,
    wounds,
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{Action, Choice, DiceBox, EventKind, Id, Offer, StepOutcome, Why},
    content::Trait,
    rulesets::common::gear,
};

pub static GO_PRONE: Action = Action::new("go prone", "go prone", "goes prone", "SP-07");
/// What lies in reach, into the hand that fights.
pub static PICK_UP: Action = Action::new(
    "pick up",
    "pick up {with} at {to}",
    "picks up {with} at {to}",
    "SP-07",
);
pub static SURGE: Action = Action::new("surge", "surge", "draws on its last strength", "SP-22");

/// What happens at a count without a question: full defense, standing up,
/// breaking free, dousing flames; and that the fallen guard themselves.
pub fn by_itself(
    sp: &Sp,
    who: Id,
    declared: &Choice,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) {
    let verb = declared.verb;
    let all = [&FULL_DEFENSE, &STANDING_UP, &BREAKING_FREE, &DOUSING];
    let guards = verb == &DEFENSIVE_MOVE && !sp.is_up(who);
    if !(all.contains(&verb) || guards) || sp.may_act(who).is_err() {
        return;
    }
    outcome.emit("SP-07", SpeedEvent::Standard { who }.event());
    if wounds::strain(sp, who, 1, outcome) || guards {
        return;
    }
    if verb == &FULL_DEFENSE {
        outcome.emit("SP-10", SpeedEvent::FullDefense { who }.event());
    } else if verb == &STANDING_UP {
        stand_up(sp, who, dice, outcome);
    } else {
        let (condition, check) = if verb == &DOUSING {
            (Condition::Burning, None)
        } else {
            let check = sp.check(who, "break free", None, Ability::Strength, "SP-32");
            (Condition::Grappled, Some((check, numbers().break_free)))
        };
        if sp.fighter(who).suffers(condition) && passes(check, dice, outcome) {
            outcome.emit("SP-32", SpeedEvent::Recovered { who, condition }.event());
        }
    }
}

fn passes(check: Option<(Check, i32)>, dice: &mut DiceBox, outcome: &mut StepOutcome) -> bool {
    let Some((check, against)) = check else {
        return true;
    };
    let roll = check.roll(dice);
    let passed = roll.total() >= against;
    outcome.emit(
        check.modifiers.first().map_or("SP-32", |m| m.rule),
        check.log_text(roll, Some(against)),
    );
    passed
}

/// Up again; on a hurt foot it takes a Balance check (SP-27).
fn stand_up(sp: &Sp, who: Id, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let fighter = sp.fighter(who);
    if !sp.body(who).prone || fighter.has(Hurt::Lamed) {
        return;
    }
    let balance = fighter.balance();
    let check = (balance != 0).then(|| {
        let mut check = sp.check(who, "balance", None, Ability::Agility, "SP-27");
        let hurt = crate::battle::Modifier::new(balance, "hurt foot", "SP-27");
        check.modifiers.insert(0, hurt);
        (check, numbers().balance)
    });
    if passes(check, dice, outcome) {
        outcome.emit("SP-04", EventKind::Prone { who, prone: false });
    }
}

pub fn offers(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    if !sp.body(who).prone {
        out.push(Offer::from(Choice::new(&GO_PRONE, who), free(sp, who)));
    }
    pick_ups(sp, who, out);
}

/// What it could pick up: for a hand that can use it.
pub fn pick_ups(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    let may = |item| free(sp, who).and_then(|()| sp.wields(who, item).map(|_| ()));
    gear::pick_ups(&sp.view, &Choice::new(&PICK_UP, who), may, out);
}

/// The surge of who has it in it, once the act is done.
pub fn surge(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    if sp.view.creature(who).has(Trait::SpareMain) {
        let legal = free(sp, who).and_then(|()| can_surge(sp, who));
        out.push(Offer::from(Choice::new(&SURGE, who), legal));
    }
}

/// The free action is left, and it is able to take it (SP-07).
fn free(sp: &Sp, who: Id) -> Result<(), Why> {
    match sp.fighter(who).free {
        true => Err(Why::new("SP-07", "the free action is spent")),
        false => sp.may_act(who),
    }
}

/// SP-22: Stress buys a second standard action, once a battle.
fn can_surge(sp: &Sp, who: Id) -> Result<(), Why> {
    let fighter = sp.fighter(who);
    if fighter.surged {
        return Err(Why::new("SP-22", "once a battle"));
    }
    if !fighter.standard {
        return Err(Why::new("SP-22", "the standard action is not spent yet"));
    }
    if fighter.stress < numbers().surge {
        return Err(Why::new(
            "SP-22",
            format!("it takes {} Stress", numbers().surge),
        ));
    }
    Ok(())
}

pub fn begin(sp: &Sp, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let acted = EventKind::Acted {
        choice: choice.clone(),
    };
    let mut outcome = StepOutcome::default()
        .and(choice.verb.rule, acted)
        .and("SP-07", SpeedEvent::Free { who }.event());
    if wounds::strain(sp, who, 1, &mut outcome) {
        return outcome;
    }
    if choice.verb == &PICK_UP {
        let (item, at) = (choice.with.expect("a thing"), choice.to.expect("a place"));
        gear::take_up(&sp.view, who, item, at, "SP-07", &mut outcome);
    } else if choice.verb == &GO_PRONE {
        outcome.emit("SP-32", EventKind::Prone { who, prone: true });
    } else {
        let points = numbers().surge;
        let on = "a surge";
        outcome.emit("SP-22", SpeedEvent::StressSpent { who, points, on }.event());
    }
    outcome
}
