//! Reactions: attacks of opportunity, Total Defense, snap attacks, held actions, rerolls.
//!
//! - this file: what the reactions do
//! - `offers`: which units are asked, and what each may answer

pub mod offers;

use super::{
    Skirmish,
    acts::{defend, hold::ACT_NOW, snap},
    attacks::AttackBatch,
    query::SkirmishQuery,
    stance::StanceEvent,
    triggers::{OPPORTUNITY, REROLL, Reactions, Trigger},
    turn::HeldTurn,
};
use crate::battle::{self, Answer, Choice, DiceBox, EventKind, StepOutcome, Window, WindowState};
use crate::rulesets::common::{attacks::attack_of, reactions::Reacts};

impl Reacts for Skirmish {
    type Moment = Trigger;

    fn asks(
        sk: &SkirmishQuery,
        window: Window<Trigger>,
        answer: &mut Answer,
    ) -> WindowState<Trigger> {
        let moment = window.moment.clone();
        let room = offers::Room::of(sk, &moment);
        window.run(answer, |_| room.who(), |_, id| room.question(id))
    }

    fn reacts(
        sk: &SkirmishQuery,
        moment: Trigger,
        choices: Vec<Choice>,
        dice: &mut DiceBox,
    ) -> StepOutcome {
        // All reactions see the state before any applies (SK-05): events, dice and attacks of this
        // outcome come from that one state. Held actions are whole turns and follow one after the
        // other.
        let mut outcome = StepOutcome::default();
        let (mut attacks, mut turns, mut again) = (vec![], vec![], vec![]);
        StanceEvent::at_once(choices.iter().filter(|c| c.verb != &ACT_NOW), &mut outcome);
        for choice in choices {
            let Some(who) = choice.who else { continue };
            sk.reveal(who, &mut outcome);
            outcome.emit(choice.verb.rule, EventKind::acted(&choice));
            if choice.verb != &OPPORTUNITY {
                again.push(who);
            }
            if choice.verb == &defend::DEFEND {
                defend::take(who, &mut outcome);
            } else if choice.verb == &REROLL {
                roll_again(sk, &choice, dice, &mut outcome);
            } else if choice.verb == &ACT_NOW {
                outcome.emit("SK-26", StanceEvent::Released { who });
                turns.push(HeldTurn { who });
            } else if snap::is_snap(choice.verb) {
                snap::take(who, &mut outcome);
                attacks.push(snap::attack(&choice));
            } else {
                attacks.push(attack_of(&choice, false));
            }
        }
        if !attacks.is_empty() {
            outcome.push(AttackBatch::of(attacks));
        }
        turns.into_iter().for_each(|turn| outcome.push(turn));
        match moment {
            // Each enemy has one attack per action, so only those that reacted in another way are
            // asked again.
            Trigger::Provoked { by, rule, .. } if !again.is_empty() => {
                let enemies = again;
                outcome.then(Reactions::open(Trigger::Provoked { by, enemies, rule }))
            }
            Trigger::Provoked { .. } => outcome,
            moment => outcome.then(Reactions::open(moment)),
        }
    }
}

/// SK-71: rerolls an attack's die; the new result counts, whatever it is.
fn roll_again(sk: &SkirmishQuery, choice: &Choice, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let Some(who) = choice.who else { return };
    let own = |s: &&battle::RolledAttack| s.attack.by == who && Some(s.attack.at) == choice.at;
    let Some(rolled_attack) = sk.pending_attacks.all().iter().rev().find(own) else {
        return;
    };
    let mut roll = rolled_attack.roll.clone();
    roll.dice[0].1 = dice.roll(20);
    let serial = rolled_attack.serial;
    outcome.emit("SK-71", StanceEvent::Rerolls { who });
    outcome.emit("SK-71", EventKind::Rerolled { serial, who, roll });
}
