//! Answers to what somebody else does: attacks of opportunity, total defense,
//! snap attacks, held actions, a die rolled again.
//!
//! - this file: the moments, and what comes of the answers
//! - `offers`: who is asked, and what each may answer

mod offers;

use super::{
    Skirmish,
    acts::{
        defend,
        hold::{ACT_NOW, HeldTurn},
        snap,
    },
    attacks::AttackBatch,
    sk::Sk,
    stance::TimingEvent,
};
use crate::{
    battle::{
        self, Action, Answer, Attack, Choice, DiceBox, EventKind, Id, Rule, Side, StepOutcome,
        Window, WindowState,
    },
    rulesets::common::reactions::{self, Reacts},
};
pub use offers::is_answered;

/// When others may react under Skirmish.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// Attacks were rolled and not yet settled (SK-12, SK-17, SK-71).
    Rolled(Vec<u32>),
    /// A check or a save was rolled, and nothing has come of it yet: nobody is
    /// asked by default (SK-04).
    Checked {
        who: Id,
        what: &'static str,
        passed: bool,
    },
    /// `by` does what draws attacks of opportunity from these foes (SK-06).
    Provoked { by: Id, foes: Vec<Id>, rule: Rule },
    /// Somebody is about to do this; it is paid for (SK-26).
    Declared(Choice),
    /// `by`, on its way, has made a step, and come near these foes, or before
    /// their eyes.
    Near { by: Id, foes: Vec<Id> },
    /// `by` casts a spell, which a wound would spoil (SK-70).
    Casting { by: Id },
    /// A side has had its turn: held actions may still come before the next.
    TurnOver(Side),
    /// A side's turn begins: nobody is asked by default.
    TurnBegins(Side),
    /// Somebody has done this: nobody is asked by default.
    After(Choice),
}

/// The window of such a moment.
pub type Reactions = reactions::Reactions<Skirmish>;

pub static OPPORTUNITY: Action = Action::new(
    "attack of opportunity",
    "attack of opportunity on {at} with {with}",
    "takes the opportunity to strike at {at} with {with}",
    "SK-06",
);

/// To roll again for one's own attack, or for a check against somebody (SK-71).
pub static REROLL: Action = Action::new(
    "roll again",
    "roll again against {at}",
    "rolls again against {at}",
    "SK-71",
);

impl Reacts for Skirmish {
    type Moment = Trigger;

    fn asks(sk: &Sk, window: Window<Trigger>, answer: &mut Answer) -> WindowState<Trigger> {
        let moment = window.moment.clone();
        let room = offers::Room::of(sk, &moment);
        window.run(answer, |_| room.who(), |_, id| room.question(id))
    }

    fn reacts(sk: &Sk, moment: Trigger, choices: Vec<Choice>, dice: &mut DiceBox) -> StepOutcome {
        // All of them see the state before any applies (SK-05): events, dice and
        // attacks of this flow come from that one state. Held actions are whole
        // turns: they follow, one after the other.
        let mut outcome = StepOutcome::default();
        let (mut attacks, mut turns, mut again) = (vec![], vec![], vec![]);
        TimingEvent::at_once(choices.iter().filter(|c| c.verb != &ACT_NOW), &mut outcome);
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
                outcome.emit("SK-26", TimingEvent::Released { who }.event());
                turns.push(HeldTurn { who });
            } else if snap::is_snap(choice.verb) {
                snap::take(who, &mut outcome);
                attacks.extend(snap::attack(&choice));
            } else {
                attacks.extend(opportunity(&choice));
            }
        }
        if !attacks.is_empty() {
            outcome.push(AttackBatch::of(attacks));
        }
        turns.into_iter().for_each(|turn| outcome.push(turn));
        match moment {
            // Each foe has one attack for one act: only those are asked again who
            // have answered in another way.
            Trigger::Provoked { by, rule, .. } if !again.is_empty() => {
                let foes = again;
                outcome.then(Reactions::open(Trigger::Provoked { by, foes, rule }))
            }
            Trigger::Provoked { .. } => outcome,
            moment => outcome.then(Reactions::open(moment)),
        }
    }
}

/// SK-71: the record of the attack gets another die; whatever comes up, it
/// counts.
fn roll_again(sk: &Sk, choice: &Choice, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let Some(who) = choice.who else { return };
    let own = |s: &&battle::RolledAttack| s.attack.by == who && Some(s.attack.at) == choice.at;
    let Some(shot) = sk.flights.all().iter().rev().find(own) else {
        return;
    };
    let mut roll = shot.roll.clone();
    roll.dice[0].1 = dice.roll(20);
    let serial = shot.serial;
    outcome.emit("SK-71", TimingEvent::Rerolls { who }.event());
    outcome.emit("SK-71", EventKind::Rerolled { serial, who, roll });
}

fn opportunity(choice: &Choice) -> Option<Attack> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    Some(Attack::new(by, at, with, false, "SK-06"))
}
