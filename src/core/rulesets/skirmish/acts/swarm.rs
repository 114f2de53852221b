//! Swarm attack (SK-13): several units gang up on one enemy, and one of them attacks for all.

use super::{SHOOT, STRIKE, THROW, row::*};
use crate::battle::{Attack, Modifier, Side};
use crate::rulesets::{common::sorted, skirmish::odds::SWARM_RULE};

verbs! {
    SWARM = "swarm", "swarm {at} with {with}", "joins a swarm on {at} with {with}", SWARM_RULE;
    /// Joins a swarm with a ranged weapon.
    SWARM_FAR = "swarm from afar", "swarm {at} from afar with {with}",
        "joins a swarm on {at} from afar with {with}", SWARM_RULE;
    /// Makes the swarm's one attack.
    SWARM_STRIKE = "swarm strike", "lead the swarm on {at} with {with}",
        "attacks {at} for the swarm with {with}", SWARM_RULE;
    SWARM_LOOSE = "swarm shot", "lead the swarm on {at} from afar with {with}",
        "lets fly at {at} for the swarm with {with}", SWARM_RULE;
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SWARM: 'j' "Swarm" Swarm (last), "2 to 4 allies spend their Main; one attacks at +2 to hit and +1 damage per helper.",
            Chances::Odds(checks::swarming), |eval, offer| eval.staying(eval.swarm(&offer.choice));
        SWARM_FAR: 'j' "Swarm" Swarm (last), "2 to 4 allies spend their Main; one shoots at +2 to hit and +1 damage per helper.",
            Chances::Odds(checks::swarming), |eval, offer| eval.staying(eval.swarm(&offer.choice));
        SWARM_STRIKE: 'j' "Swarm" Swarm, "Make the swarm's one attack: +2 to hit and +1 damage per helper.",
            Chances::Attack(attack), |eval, offer| eval.staying(eval.lead(&offer.choice));
        SWARM_LOOSE: 'j' "Swarm" Swarm, "Make the swarm's one attack: +2 to hit and +1 damage per helper.",
            Chances::Attack(attack), |eval, offer| eval.staying(eval.lead(&offer.choice));
    },
    when: (),
    offers,
    begin,
};

/// Every attack that costs a Main could instead join a swarm, so the offers are made from those to
/// strike, shoot and throw.
fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    for_all(sk, who, out);
    let own = |o: &&Offer| {
        let verb = o.choice.verb;
        o.is_legal() && (verb == &STRIKE || verb == &SHOOT || verb == &THROW)
    };
    let side = sk.body(who).side;
    let alone = sk.view.standing(side).nth(1).is_none();
    let why = if alone {
        Some(Why::new(SWARM_RULE, "nobody is left to swarm with"))
    } else {
        sk.needs_main(who).err()
    };
    let mut joins = vec![];
    for offer in out.iter().filter(own).filter(|_| why.is_none()) {
        let near = offer.choice.verb == &STRIKE;
        let verb = if near { &SWARM } else { &SWARM_FAR };
        let choice = Choice {
            verb,
            ..offer.choice.clone()
        };
        let enemy = choice.at.expect("an attack has a target");
        joins.push(Offer::from(choice, open_to(sk, side, enemy)));
    }
    if joins.is_empty() {
        let why = why.unwrap_or(Why::new(SWARM_RULE, "no enemy is in weapon range"));
        joins.push(Offer::not(Choice::new(&SWARM, who), why));
    }
    out.extend(joins);
}

/// Checks that the swarm on an enemy has fewer than four members and has not attacked yet.
fn open_to(sk: &SkirmishQuery, side: Side, enemy: Id) -> Result<(), Why> {
    let members = || members(sk, side, enemy);
    let has_struck = |id: Id| sk.stance(id).swarm.is_some_and(|s| s.struck);
    Why::new(SWARM_RULE, "the swarm has already attacked").when(members().any(has_struck))?;
    let is_full = members().count() >= numbers::SWARM_MAX;
    Why::new(SWARM_RULE, "the swarm already has four members").when(is_full)
}

/// Whether a unit still has an action left this turn with which it could join a swarm.
pub fn could_join(sk: &SkirmishQuery, id: Id) -> bool {
    let fighter = sk.fighter(id);
    fighter.mains > 0 && !fighter.done && !sk.body(id).flees && sk.can_react(id)
}

/// The units of a side, standing or not, that belong to the swarm on an enemy.
fn members(sk: &SkirmishQuery, side: Side, enemy: Id) -> impl Iterator<Item = Id> {
    sk.view.ids().filter(move |&id| {
        let swarm = sk.stance(id).swarm;
        swarm.is_some_and(|s| s.at == enemy) && sk.body(id).side == side
    })
}

/// Adds the offers to attack for the unit's swarm.
fn for_all(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let Some(swarm) = sk.stance(who).swarm.filter(|s| !s.struck) else {
        return;
    };
    let mut add = |verb, item: Item| {
        let choice = Choice::new(verb, who).at(swarm.at).with(item);
        let legal = match attack(sk, &choice) {
            Some(attack) => sk.can_attack(&attack),
            None => Err(Why::new(SWARM_RULE, "a swarm needs at least two members")),
        };
        out.push(Offer::from(choice, legal));
    };
    for item in sk.inventory(who).ready() {
        if sk.weapon(item).melee.is_some() {
            add(&SWARM_STRIKE, item);
        }
        if sk.weapon(item).ranged.is_some() {
            add(&SWARM_LOOSE, item);
        }
    }
}

/// The attack for a swarm: +2 to hit for every other member that still stands. `None` if there is
/// none.
pub fn attack(sk: &SkirmishQuery, choice: &Choice) -> Option<Attack> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    let side = sk.body(by).side;
    let others = members(sk, side, at).filter(|&id| id != by && sk.is_up(id));
    let others = others.take(numbers::SWARM_MAX - 1).count();
    (others > 0).then(|| Attack {
        by,
        at,
        with,
        ranged: choice.verb == &SWARM_LOOSE,
        rule: SWARM_RULE,
        extra: bonus(others),
    })
}

/// The modifier for this many other members of a swarm.
pub fn bonus(others: usize) -> Vec<Modifier> {
    let label = match others {
        1 => "another assailant",
        2 => "two other assailants",
        _ => "three other assailants",
    };
    vec![Modifier::new(others.min(3) as i16 * 2, label, SWARM_RULE)]
}

/// Ends a side's swarms at the end of its turn. Swarms from held actions end with the round
/// (SK-26).
pub fn disband(sk: &SkirmishQuery, side: Side, outcome: &mut StepOutcome) {
    let own = || sk.view.ids().filter(|&id| sk.body(id).side == side);
    let swarms = own().filter_map(|id| sk.stance(id).swarm);
    let unstruck = sorted(swarms.filter(|s| !s.struck).map(|s| s.at));
    if own().any(|id| sk.stance(id).swarm.is_some()) {
        outcome.emit(SWARM_RULE, StanceEvent::SwarmsEnd { side, unstruck });
    }
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let at = choice.at.expect("a swarm has a target");
    let item = choice.with.expect("an attack has a weapon");
    if choice.verb == &SWARM || choice.verb == &SWARM_FAR {
        let mut outcome = declare(sk, choice, ActionCost::Main);
        draw(sk, who, item, &mut outcome);
        return outcome.and(SWARM_RULE, StanceEvent::Swarms { who, at });
    }
    let side = sk.body(who).side;
    StepOutcome::announcing(choice)
        .and(SWARM_RULE, StanceEvent::SwarmStrikes { side, at })
        .then(AttackBatch::of(attack(sk, choice).into_iter().collect()))
}
