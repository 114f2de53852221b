//! Movement: at full speed, or as a defensive withdrawal (AC-01, AC-36).

use super::row::*;
use crate::rulesets::activity::{
    declared,
    movement::{self, Mover},
    targets::{LEAVE, MOVE, WITHDRAW},
};
use crate::rulesets::common::{leave::LeaveStep, moves::MoveStep};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        declared::MOVE: 'g' "Move" Move, "Move. Attacks later this round lose 10 OB per 10 ft.",
            PLAN, LAST_RESORT;
        targets::MOVE: no button,
            Chances::None, worth_of_move, moving;
        targets::WITHDRAW: 'f' "Withdraw" Disengage, "Move at half speed; provokes no attacks.",
            Chances::None, worth_of_move, moving;
        targets::LEAVE: 'L' "Leave" Fleeing, "Leave the battle by this exit.",
            Chances::None, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| kind == ActionKind::Move,
        cost: |ac, _, _| ac.tables().costs.move_base,
        begin: Begin::Aimed {
            targets: |ac, who, planned| walks(ac, who, planned.percent),
            begin: |ac, planned, choice, doing| match set_out(ac, choice, planned.percent) {
                Some(mover) => doing.movers.push(mover),
                None => (doing.outcome).push(LeaveStep::<Activity>::of(choice.actor())),
            },
        },
    },
    offers: |ac, who, out| {
        if ac.view.creature(who).speed > 0 {
            let (least, most) = (ac.percent_of(who, 5), ac.actor(who).capacity);
            spanning(ac, who, &declared::MOVE, least, most, out);
        }
    },
    begin: |_, _| ActionKind::Move,
};

/// The moves, withdrawals and exits that are possible with this percent of the round.
pub fn walks(ac: &ActivityQuery, who: Id, percent: i32) -> Vec<Offer> {
    let mut out = vec![];
    if ac.view.is_at_exit(who) {
        out.push(Offer::legal(Choice::new(&LEAVE, who)));
    }
    if ac.feet(who, percent, false) < 5 {
        return out;
    }
    let here = ac.body(who).at;
    let threatened = ac.occupancy(who, false).threats(here) != 0;
    for (verb, withdraws) in [(&MOVE, false), (&WITHDRAW, true)] {
        if withdraws && !threatened {
            continue;
        }
        let range = ac.range(who, percent, withdraws);
        let ends = range.cells().filter(|e| e.may_stop && e.cell != here);
        let ends = ends.map(|mut end| {
            end.provoked = if withdraws { 0 } else { end.provoked };
            end
        });
        out.extend(Offer::to_any(Choice::new(verb, who), ends));
    }
    out
}

/// Adds the step of a move, a withdrawal or leaving the battle.
pub fn walk(ac: &ActivityQuery, choice: &Choice, percent: i32, outcome: &mut StepOutcome) {
    match set_out(ac, choice, percent) {
        Some(mover) => outcome.push(MoveStep::<Activity>::of(mover)),
        None if choice.verb == &LEAVE => outcome.push(LeaveStep::<Activity>::of(choice.actor())),
        None => {}
    }
}

/// The movement of a choice. `None` if it is not a move.
fn set_out(ac: &ActivityQuery, choice: &Choice, percent: i32) -> Option<Mover> {
    let (who, to) = (choice.who?, choice.to?);
    let withdraws = choice.verb == &WITHDRAW;
    let path = choice.path_or(|| ac.range(who, percent, withdraws).path(to).split_off(1));
    let feet = ac.feet(who, percent, withdraws);
    Some(movement::mover(who, feet, withdraws, path))
}
