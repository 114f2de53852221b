//! Melee: one attack routine, with simultaneous attacks (SE-34, SE-50).

use super::{attack, row::*};

verbs! {
    STRIKE = "attack", "attack {at} with {with}", "attacks {at} with {with}", "SE-50";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        STRIKE: 's' "Attack" Strike (plain), "",
            Chances::Attack(|se, choice| Some(specs(se, choice))), |eval, offer| eval.attacks(&offer.choice) + eval.stay();
    },
    when: When::Strikes(specs),
    offers,
    begin: attack,
};

fn offers(se: &SegmentsQuery, who: Id, out: &mut Vec<Offer>) {
    if let Err(why) = se.may(who, DeclaredKind::Strike) {
        out.push(Offer::not(Choice::new(&STRIKE, who), why));
        return;
    }
    let openers = se.openers(who);
    let weapons = openers.iter().flat_map(|&n| se.routine(who, n));
    let reaches = weapons.filter_map(|n| se.reach(who, n));
    let farthest = reaches.max().unwrap_or(5);
    let enemies = se.view.enemies(se.body(who).side);
    let mut near = se.view.nearby(who, enemies, farthest).peekable();
    if near.peek().is_none() {
        let why = Why::far("SE-50", "no enemy is in reach");
        out.push(Offer::not(Choice::new(&STRIKE, who), why));
    }
    for enemy in near {
        for &item in &openers {
            let choice = Choice::new(&STRIKE, who).at(enemy).with(item);
            let legal = at_hand(se, who, item).and_then(|()| legal(se, &choice));
            out.push(Offer::from(choice, legal));
        }
    }
}

/// Legal if at least one attack of the routine is possible.
fn legal(se: &SegmentsQuery, choice: &Choice) -> Result<(), Why> {
    let specs = routine(se, choice, se.body(choice.actor()).at);
    let mut first_why = None;
    for spec in &specs {
        match se.forecast(spec) {
            Ok(_) => return Ok(()),
            Err(why) => first_why = first_why.or(Some(why)),
        }
    }
    Err(first_why.unwrap_or(Why::new("SE-50", "nothing to strike with")))
}

/// All attacks of the routine that a choice begins, made from cell `from`. A second weapon has a
/// penalty to hit.
pub fn routine(se: &SegmentsQuery, choice: &Choice, from: crate::grid::Cell) -> Vec<AttackSpec> {
    let by = choice.actor();
    let at = choice.at.expect("an attack has a target");
    let with = choice.with.expect("an attack has a weapon");
    let space = crate::grid::Space::new(from, se.body(by).size);
    let off_hand = se.inventory(by).off_hand();
    let weapons = se.routine(by, with);
    let rule = match weapons.len() {
        1 => choice.verb.rule,
        _ => "SE-34",
    };
    let reaches = |spec: &AttackSpec| {
        let feet = se.reach(by, spec.attack.with);
        feet.is_some_and(|feet| se.view.board.in_reach(space, se.body(at).space(), feet))
    };
    let spec = |(n, item)| {
        let spec = AttackSpec::new(by, at, item, false, rule);
        match n > 0 && Some(item) == off_hand {
            true => spec.plus(numbers::OFF_HAND, "off hand", "SE-34"),
            false => spec,
        }
    };
    // Weapons of the routine that don't reach the target make no attack. If none reaches, keep the
    // first, whose forecast gives the reason.
    let all = weapons.into_iter().enumerate().map(spec);
    let (near, mut short): (Vec<_>, Vec<_>) = all.partition(reaches);
    short.truncate(1);
    if near.is_empty() { short } else { near }
}

fn specs(se: &SegmentsQuery, choice: &Choice) -> Vec<AttackSpec> {
    routine(se, choice, se.body(choice.actor()).at)
}
