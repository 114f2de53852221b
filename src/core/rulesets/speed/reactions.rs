//! Ripostes: against enemies that enter a unit's reach (SP-12), and against attackers of a unit
//! under Full Defense (SP-10).

use super::{Speed, attacks::AttackBatch, events::SpeedEvent, query::SpeedQuery, wounds};
use crate::rulesets::common::{sorted, verbs};
use crate::{
    battle::{
        Answer, Attack, Choice, Decision, DiceBox, EventKind, Id, Offer, StepOutcome, Window,
        WindowState,
    },
    rulesets::common::reactions::{self, Reacts},
};

/// What allows a reaction under Speed.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// Units have entered the reach of enemies. Pairs of the enemy that can react and the unit
    /// that entered.
    Entered(Vec<(Id, Id)>),
    /// Attacks on units under Full Defense are over. Pairs of the target that can react and its
    /// attacker.
    Struck(Vec<(Id, Id)>),
}

/// The reaction window of a trigger.
pub type Reactions = reactions::Reactions<Speed>;

verbs! {
    RIPOSTE = "riposte", "riposte against {at} with {with}", "ripostes against {at} with {with}",
        "SP-12";
}

impl Reacts for Speed {
    type Moment = Trigger;

    fn asks(sp: &SpeedQuery, window: Window<Trigger>, answer: &mut Answer) -> WindowState<Trigger> {
        let who = |m: &Trigger| {
            let (Trigger::Entered(pairs) | Trigger::Struck(pairs)) = m;
            sorted(pairs.iter().map(|p| p.0))
        };
        window.run(answer, who, |m, id| question(sp, m, id))
    }

    fn reacts(
        sp: &SpeedQuery,
        moment: Trigger,
        choices: Vec<Choice>,
        _: &mut DiceBox,
    ) -> StepOutcome {
        let rule = rule_of(&moment);
        let mut outcome = StepOutcome::default();
        let mut attacks = vec![];
        for choice in choices {
            let (Some(who), Some(attack)) = (choice.who, riposte(&choice, rule)) else {
                continue;
            };
            outcome.emit(rule, EventKind::Acted { choice });
            outcome.emit("SP-07", SpeedEvent::Reaction { who });
            if !wounds::strain(sp, who, 1, &mut outcome) {
                attacks.push(attack);
            }
        }
        outcome.then(AttackBatch::of(attacks))
    }
}

fn rule_of(moment: &Trigger) -> &'static str {
    match moment {
        Trigger::Entered(_) => "SP-12",
        Trigger::Struck(_) => "SP-10",
    }
}

/// The unit's decision about a reaction. `None` if it has no reaction.
fn question(sp: &SpeedQuery, moment: &Trigger, id: Id) -> Option<Decision> {
    let (Trigger::Entered(pairs) | Trigger::Struck(pairs)) = moment;
    let mut on = sorted(pairs.iter().filter(|p| p.0 == id).map(|p| p.1));
    // Fallen units do not threaten enemies that enter their reach, but can riposte under Full
    // Defense.
    sp.answers(id)
        .filter(|_| sp.is_up(id) || matches!(moment, Trigger::Struck(_)))?;
    let rule = rule_of(moment);
    // Fallen units can act (SP-24), so they can be targets of a riposte too.
    on.retain(|&enemy| sp.is_there(enemy) && enemy != id);
    let verb = match moment {
        Trigger::Entered(_) => ["comes into the reach of", "come into the reach of"],
        Trigger::Struck(_) => ["has attacked", "have attacked"],
    };
    let prompt = reactions::prompt(sp.view.names(), &on, verb, id);
    let mut offers = vec![];
    for enemy in on {
        for item in sp.ready_weapons(id) {
            let choice = Choice::new(&RIPOSTE, id).at(enemy).with(item);
            let attack = riposte(&choice, rule)?;
            offers.push(Offer::from(choice, sp.can_attack(&attack)));
        }
    }
    reactions::question(&sp.view, id, rule, prompt, offers)
}

/// The attack of a riposte choice: immediate and without penalty (SP-12).
pub fn riposte(choice: &Choice, rule: &'static str) -> Option<Attack> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    Some(Attack::new(by, at, with, false, rule))
}
