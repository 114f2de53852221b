//! First aid (SK-20, SK-61): keep a fallen comrade from dying.

use super::{Act, declare, provoke};
use crate::{
    battle::{Choice, DiceBox, Flow, Id, Offer, State, Verb, Why},
    content::{Attribute, Skill},
    rulesets::skirmish::{
        fighter::{Action, Sk as Fact},
        sk::Sk,
    },
    system_step,
};
use bevy::ecs::system::{In, ResMut};

pub static AID: Verb = Verb {
    name: "aid",
    phrase: "aid {at}",
    told: "gives first aid to {at}",
    rule: "SK-20",
};

pub(super) const ACT: Act = Act {
    verbs: &[&AID],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    let side = sk.body(who).side;
    let dying = |id: &Id| {
        let body = sk.body(*id);
        body.side == side && body.state == State::Down && sk.fighter(*id).dying.is_some()
    };
    let mut any = false;
    for ally in sk.view.ids().filter(dying) {
        any = true;
        out.push(Offer::from(
            Choice::new(&AID, who).at(ally),
            legal(sk, who, ally),
        ));
    }
    if !any {
        let why = Why::new("SK-61", "no comrade is dying");
        out.push(Offer::not(Choice::new(&AID, who), why));
    }
}

fn legal(sk: &Sk, who: Id, ally: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    if !sk.view.within(who, ally, 5) {
        return Err(Why::new("SK-20", "not next to the fallen"));
    }
    Ok(())
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let ally = choice.at.expect("aid has a patient");
    let mut flow = declare(choice, Action::Main);
    provoke(sk, who, "SK-20", &mut flow);
    flow.then(Tend { who, ally })
}

#[derive(Clone, Debug)]
struct Tend {
    who: Id,
    ally: Id,
}
system_step!(Tend, tend);

/// 2d6 with INT/Heal or DEX/Heal against 8, and 1 more for every round passed.
fn tend(In(Tend { who, ally }): In<Tend>, sk: Sk, mut dice: ResMut<DiceBox>) -> Flow {
    let Some(rounds) = sk.fighter(ally).dying else {
        return Flow::default();
    };
    if !sk.is_up(who) || sk.body(ally).state != State::Down {
        return Flow::default();
    }
    let check = sk.check(
        who,
        "first aid",
        &[Attribute::Int, Attribute::Dex],
        &[Skill::Heal],
    );
    let against = 8 + i32::from(rounds);
    let roll = check.roll(&mut dice);
    let passed = roll.total() >= against;
    let flow = Flow::default().and("SK-61", check.told(roll, against, passed));
    if passed {
        flow.and("SK-61", Fact::Stabilised { who: ally }.event())
    } else {
        flow
    }
}
