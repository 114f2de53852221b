//! Make a melee attack (SK-10).

use super::{Act, declare, draw, draw_price};
use crate::{
    battle::{Attack, Choice, Flow, Id, Offer, Verb, Why},
    rulesets::skirmish::{fighter::Action, sk::Sk, volley::Volley},
};

pub static STRIKE: Verb = Verb {
    name: "strike",
    phrase: "strike {at} with {with}",
    told: "strikes at {at} with {with}",
    rule: "SK-10",
};

pub(super) const ACT: Act = Act {
    verbs: &[&STRIKE],
    offers,
    begin,
};

fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    let items = sk
        .view
        .sheet(who)
        .items()
        .filter(|&n| sk.weapon(who, n).melee.is_some());
    let items: Vec<u8> = items.collect();
    let farthest = items
        .iter()
        .filter_map(|&n| sk.reach(who, n))
        .max()
        .unwrap_or(5);
    let mut near = false;
    for foe in sk.view.foes(sk.body(who).side) {
        // Who is far off is not listed apart: "out of reach" once is enough.
        if crate::grid::cells_apart(sk.body(who).space(), sk.body(foe).space()) * 5 > farthest {
            continue;
        }
        near = true;
        for &item in &items {
            let choice = Choice::new(&STRIKE, who).at(foe).with(item);
            let legal = legal(sk, &choice);
            out.push(Offer::from(choice, legal));
        }
    }
    if !near {
        let why = Why::new("SK-10", "no enemy is in reach");
        out.push(Offer::not(Choice::new(&STRIKE, who), why));
    }
}

fn legal(sk: &Sk, choice: &Choice) -> Result<(), Why> {
    let (who, item) = (choice.who.unwrap_or(Id(0)), choice.with.unwrap_or(0));
    sk.needs_main(who)?;
    draw_price(sk, who, item)?;
    sk.forecast(&attack(choice)).map(|_| ())
}

/// The attack that a choice to strike stands for.
pub fn attack(choice: &Choice) -> Attack {
    let by = choice.who.expect("a strike has an actor");
    let at = choice.at.expect("a strike has a target");
    let with = choice.with.expect("a strike has a weapon");
    Attack {
        by,
        at,
        with,
        ranged: false,
        rule: "SK-10",
        extra: vec![],
    }
}

fn begin(sk: &Sk, choice: &Choice) -> Flow {
    let attack = attack(choice);
    let mut flow = declare(choice, Action::Main);
    draw(sk, attack.by, attack.with, &mut flow);
    flow.then(Volley(vec![attack]))
}
