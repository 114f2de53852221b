//! Leaving the battle by an exit, of one's own will.

use super::{Act, Begun, announce, own_turn};
use crate::{
    battle::{Action, Choice, Id, Offer, Why},
    rulesets::{
        common::leave::be_gone,
        phased::{Phased, ph::Ph, state::Part},
    },
};

pub static LEAVE: Action = Action {
    name: "leave",
    order_text: "leave the battle",
    log_text: "makes off",
    rule: "PH-60",
};

pub(super) const ACT: Act = Act {
    verbs: &[&LEAVE],
    at_once: &[],
    opens: &[],
    kind: Part::Other,
    also: &[],
    offers,
    begin,
};

fn offers(ph: &Ph, who: Id, out: &mut Vec<Offer>) {
    if ph.view.exits(who).next().is_some() {
        let legal = if let Err(why) = own_turn(ph, who) {
            Err(why)
        } else if ph.fighter(who).casting.is_some() {
            Err(Why::new("PH-22", "it is casting a spell"))
        } else if !ph.view.is_at_exit(who) {
            Err(Why::new("PH-60", "not at an exit"))
        } else if ph.in_melee(who) {
            Err(Why::new("PH-13", "in melee: declare flight to get away"))
        } else {
            Ok(())
        };
        out.push(Offer::from(Choice::new(&LEAVE, who), legal));
    }
}

fn begin(ph: &Ph, choice: &Choice) -> Begun {
    let who = choice.who.expect("an act has an actor");
    let mut outcome = announce(ph, choice);
    be_gone::<Phased>(ph, who, &mut outcome);
    outcome.into()
}
