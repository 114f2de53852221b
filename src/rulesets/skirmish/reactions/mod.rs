//! Answers to what somebody else does: attacks of opportunity, total defense,
//! snap attacks, held actions, a die rolled again.
//!
//! - this file: the moments, and what comes of the answers
//! - `offers`: who is asked, and what each may answer

mod offers;

use super::{
    acts::{
        defend,
        hold::{ACT_NOW, HeldTurn},
        snap,
    },
    sk::Sk,
    stance::Timing,
    volley::Volley,
};
use crate::{
    battle::{self, Answer, Attack, Change, Choice, DiceBox, Flow, Id, Rule, Side, Verb, Window},
    system_step,
};
use bevy::ecs::system::{In, ResMut};
pub use offers::is_answered;

/// When others may react under Skirmish.
#[derive(Clone, Debug)]
pub enum Moment {
    /// Attacks were rolled and not yet settled (SK-12, SK-17, SK-71).
    Rolled(Vec<u32>),
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
#[derive(Clone, Debug)]
pub struct Reactions(Window<Moment>);
system_step!(Reactions, react);

impl Reactions {
    pub fn open(moment: Moment) -> Self {
        Self(Window::open(moment))
    }
}

pub static OPPORTUNITY: Verb = Verb {
    name: "attack of opportunity",
    phrase: "attack of opportunity on {at} with {with}",
    told: "takes the opportunity to strike at {at} with {with}",
    rule: "SK-06",
};

/// To roll again for one's own attack, or for a check against somebody (SK-71).
pub static REROLL: Verb = Verb {
    name: "roll again",
    phrase: "roll again against {at}",
    told: "rolls again against {at}",
    rule: "SK-71",
};

fn react(
    In(Reactions(window)): In<Reactions>,
    sk: Sk,
    mut answer: ResMut<Answer>,
    mut dice: ResMut<DiceBox>,
) -> Flow {
    let moment = window.moment.clone();
    let room = offers::Room::of(&sk, &moment);
    let ask = |_: &Moment, id| room.question(id);
    let choices = match window.run(&mut answer, |_| room.who(), ask) {
        battle::Moment::Asks(question, window) => return Flow::ask(question, Reactions(window)),
        battle::Moment::Closed => return Flow::default(),
        battle::Moment::React(choices) => choices,
    };
    // All of them see the state before any applies (SK-05): events, dice and
    // attacks of this flow come from that one state. Held actions are whole
    // turns: they follow, one after the other.
    let mut flow = Flow::default();
    let (mut attacks, mut turns, mut again) = (vec![], vec![], vec![]);
    Timing::at_once(choices.iter().filter(|c| c.verb != &ACT_NOW), &mut flow);
    for choice in choices {
        let Some(who) = choice.who else { continue };
        sk.reveal(who, &mut flow);
        flow.emit(
            choice.verb.rule,
            Change::Acted {
                choice: choice.clone(),
            },
        );
        if choice.verb != &OPPORTUNITY {
            again.push(who);
        }
        if choice.verb == &defend::DEFEND {
            defend::take(who, &mut flow);
        } else if choice.verb == &REROLL {
            roll_again(&sk, &choice, &mut dice, &mut flow);
        } else if choice.verb == &ACT_NOW {
            flow.emit("SK-26", Timing::Released { who }.event());
            turns.push(HeldTurn { who });
        } else if snap::is_snap(choice.verb) {
            snap::take(who, &mut flow);
            attacks.extend(snap::attack(&choice));
        } else {
            attacks.extend(opportunity(&choice));
        }
    }
    if !attacks.is_empty() {
        flow.push(Volley(attacks));
    }
    turns.into_iter().for_each(|turn| flow.push(turn));
    match moment {
        // Each foe has one attack for one act: only those are asked again who
        // have answered in another way.
        Moment::Provoked { by, rule, .. } if !again.is_empty() => {
            let foes = again;
            flow.then(Reactions::open(Moment::Provoked { by, foes, rule }))
        }
        Moment::Provoked { .. } => flow,
        moment => flow.then(Reactions::open(moment)),
    }
}

/// SK-71: the record of the attack gets another die; whatever comes up, it
/// counts.
fn roll_again(sk: &Sk, choice: &Choice, dice: &mut DiceBox, flow: &mut Flow) {
    let Some(who) = choice.who else { return };
    let own = |s: &&battle::InFlight| s.attack.by == who && Some(s.attack.at) == choice.at;
    let Some(shot) = sk.flights.all().iter().rev().find(own) else {
        return;
    };
    let mut roll = shot.roll.clone();
    roll.dice[0].1 = dice.roll(20);
    let serial = shot.serial;
    flow.emit("SK-71", Timing::Rerolls { who }.event());
    flow.emit("SK-71", Change::Rerolled { serial, who, roll });
}

fn opportunity(choice: &Choice) -> Option<Attack> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    Some(Attack {
        by,
        at,
        with,
        ranged: false,
        rule: "SK-06",
        extra: vec![],
    })
}
