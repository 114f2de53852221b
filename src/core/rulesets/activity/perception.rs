//! Perception: who notices the hidden (AC-01, AC-35).

use super::{
    ac::{Ac, open_ended},
    events::ActivityEvent,
};
use crate::{
    battle::{CheckRoll, DiceBox, Id, Modifier, StepOutcome},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// AC-01: combat perception, at −50, for free: each who has a hidden foe in
    /// sight may notice it.
    pub struct Glance => glance
}

fn glance(In(_): In<Glance>, ac: Ac, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let t = ac.tables();
    let mut seen = vec![];
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        let extra = Modifier::new(t.hidden_perception as i16, "in combat", "AC-01");
        look_about(&ac, who, vec![extra], &mut dice, &mut seen, &mut outcome);
    }
    outcome
}

system_step! {
    /// A perception roll for the hidden.
    pub struct Look { pub who: Id, pub extra: Vec<Modifier> } => look
}

fn look(In(Look { who, extra }): In<Look>, ac: Ac, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    look_about(&ac, who, extra, &mut dice, &mut vec![], &mut outcome);
    outcome
}

/// What is added to a look about, beside what the moment adds (AC-35).
pub fn parts(ac: &Ac, who: Id) -> Vec<Modifier> {
    let perception = ac.stats(who).perception as i16;
    let own = Modifier::new(perception, "perception", "AC-35");
    [own].into_iter().chain(ac.hindrances(who)).collect()
}

/// AC-35: d100 open-ended + perception, 101 notices every hidden foe in sight.
/// Nobody rolls who has none in sight. `seen`: who has been noticed already.
fn look_about(
    ac: &Ac,
    who: Id,
    extra: Vec<Modifier>,
    dice: &mut DiceBox,
    seen: &mut Vec<Id>,
    outcome: &mut StepOutcome,
) {
    let board = &ac.view.board;
    let here = ac.body(who).space();
    let lurks = |id: &Id| {
        let hidden = ac.actor(*id).hidden && !seen.contains(id);
        hidden && board.sight(here, ac.body(*id).space()).los
    };
    let side = ac.body(who).side;
    let found: Vec<Id> = ac.view.foes(side).filter(lurks).collect();
    if found.is_empty() {
        return;
    }
    let mut roll = open_ended(dice);
    roll.modifiers = parts(ac, who);
    roll.modifiers.extend(extra);
    let against = ac.tables().maneuver_target;
    let passed = roll.total() >= against;
    CheckRoll::by(who, "perception", roll).tell("AC-35", against, passed, outcome);
    if passed {
        for who in found {
            let revealed = ActivityEvent::Revealed { who };
            outcome.tell("AC-35", ac.body(who).side, revealed);
            seen.push(who);
        }
    }
}
