//! Attacks with a weapon for a Main: strike (SK-10), shoot or throw (SK-11). The weapon is drawn first
//! if necessary.

use super::{draw_price, row::*};
use crate::battle::Attack;
use crate::rulesets::common::attacks::{self, attack_of};

pub static STRIKE: Action = attacks::strike("SK-10");
pub static SHOOT: Action = attacks::shoot("SK-11");
pub static THROW: Action = attacks::throw("SK-11");

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STRIKE: 's' "Strike" Strike (plain), "Main action. Attack an enemy in reach.",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| eval.strike(&offer.choice);
        SHOOT: 'h' "Shoot" Shoot (plain), "Main action. Needs a clear line. Next to an enemy: −4 with one hand, impossible with two.",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| eval.strike(&offer.choice);
        THROW: 't' "Throw" Throw (plain), "Main action. −4 with an enemy in reach. The weapon lands on the ground.",
            Chances::Attack(|_, choice| Some(attack(choice))), |eval, offer| eval.strike(&offer.choice);
    },
    when: (),
    offers: |sk, who, out| {
        strikes(sk, who, out);
        shots(sk, who, out);
    },
    begin,
};

fn strikes(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let at_hand = sk.inventory(who).at_hand();
    let items = at_hand.filter(|&n| sk.weapon(n).melee.is_some());
    let items: Vec<Item> = items.collect();
    let reaches = items.iter().filter_map(|&n| sk.reach(who, n));
    let farthest = reaches.max().unwrap_or(5);
    let enemies = sk.known_enemies(sk.body(who).side);
    let mut near = sk.view.nearby(who, enemies, farthest).peekable();
    if near.peek().is_none() {
        let why = match sk.view.has_weapon(who, |weapon| weapon.melee.is_some()) {
            true => sk.why_not(who, Why::far("SK-10", "no enemy is in reach from here")),
            false => Why::new("SK-10", "nothing to strike with").lacking(true),
        };
        out.push(Offer::not(Choice::new(&STRIKE, who), why));
    }
    for enemy in near {
        for &item in &items {
            let choice = Choice::new(&STRIKE, who).at(enemy).with(item);
            let legal = legal(sk, &choice);
            out.push(Offer::from(choice, legal));
        }
    }
}

fn shots(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let mut armed = false;
    for item in sk.inventory(who).at_hand() {
        let weapon = sk.weapon(item);
        if weapon.ranged.is_none() {
            continue;
        }
        armed = true;
        let verb = if weapon.is_thrown() { &THROW } else { &SHOOT };
        for enemy in sk.known_enemies(sk.body(who).side) {
            let choice = Choice::new(verb, who).at(enemy).with(item);
            let legal = legal(sk, &choice);
            out.push(Offer::from(choice, legal));
        }
    }
    if !armed {
        let why = sk.view.nothing_to_shoot(who, "SK-11");
        let lacks = why.lacks;
        let why = if lacks { why } else { sk.why_not(who, why) };
        out.push(Offer::not(Choice::new(&SHOOT, who), why));
    }
}

fn attack(choice: &Choice) -> Attack {
    attack_of(choice, choice.verb != &STRIKE)
}

fn legal(sk: &SkirmishQuery, choice: &Choice) -> Result<(), Why> {
    let attack = attack(choice);
    sk.needs_main(attack.by)?;
    draw_price(sk, attack.by, attack.with)?;
    sk.can_attack(&attack)
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let attack = attack(choice);
    let mut outcome = declare(sk, choice, ActionCost::Main);
    draw(sk, attack.by, attack.with, &mut outcome);
    outcome.then(AttackBatch::of(vec![attack]))
}
