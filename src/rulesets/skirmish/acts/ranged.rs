//! Make a ranged attack (SK-11): shoot, or throw what one holds.

use super::{Act, declare, draw, draw_price};
use crate::{
    battle::{Attack, Choice, Flow, Id, Offer, Verb, Why},
    rulesets::skirmish::{fighter::Action, sk::Sk, volley::Volley},
};

pub static SHOOT: Verb = Verb {
    name: "shoot",
    phrase: "shoot at {at} with {with}",
    told: "shoots at {at} with {with}",
    rule: "SK-11",
};
pub static THROW: Verb = Verb {
    name: "throw",
    phrase: "throw {with} at {at}",
    told: "throws {with} at {at}",
    rule: "SK-11",
};

pub(super) const ACT: Act = Act {
    verbs: &[&SHOOT, &THROW],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    let mut armed = false;
    for item in sk.view.sheet(who).items() {
        let weapon = sk.weapon(who, item);
        if weapon.ranged.is_none() {
            continue;
        }
        armed = true;
        let verb = if weapon.is_thrown() { &THROW } else { &SHOOT };
        for foe in sk.view.foes(sk.body(who).side) {
            let choice = Choice::new(verb, who).at(foe).with(item);
            let legal = legal(sk, &choice);
            out.push(Offer::from(choice, legal));
        }
    }
    if !armed {
        let why = Why::new("SK-11", "nothing to shoot or throw");
        out.push(Offer::not(Choice::new(&SHOOT, who), why));
    }
}

fn legal(sk: &Sk, choice: &Choice) -> Result<(), Why> {
    let (who, item) = (choice.who.unwrap_or(Id(0)), choice.with.unwrap_or(0));
    sk.needs_main(who)?;
    draw_price(sk, who, item)?;
    sk.forecast(&attack(choice)).map(|_| ())
}

/// The attack that a choice to shoot or throw stands for.
pub fn attack(choice: &Choice) -> Attack {
    let by = choice.who.expect("a shot has an actor");
    let at = choice.at.expect("a shot has a target");
    let with = choice.with.expect("a shot has a weapon");
    Attack {
        by,
        at,
        with,
        ranged: true,
        rule: "SK-11",
        extra: vec![],
    }
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let attack = attack(choice);
    let mut flow = declare(choice, Action::Main);
    draw(sk, attack.by, attack.with, &mut flow);
    flow.then(Volley(vec![attack]))
}
