//! Charge (SK-14): Main and Move for a straight run that ends in an attack.

use super::{draw_price, row::*};
use crate::rulesets::common::{
    attacks::{self, attack_of},
    charge_lane::{ChargeLane, LaneEnd},
    hiding::known_occupancy,
};
use crate::rulesets::skirmish::movement;
use crate::{
    battle::{Attack, Modifier, movement::Occupancy},
    grid::{Space, cells_apart},
};

pub static CHARGE: Action = attacks::charge("SK-14");

verbs! {
    /// A charge that ends in a throw.
    CHARGE_THROW = "charge and throw", "charge and throw {with} at {at} from {to}",
        "charges to {to} and throws {with} at {at}", "SK-14";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        CHARGE: 'c' "Charge" Charge, "Main and Move. Run straight and attack at +2; −2 AC until the round ends.",
            Chances::Attack(|_, choice| choice.to.map(|_| attack(choice))), |eval, offer| eval.charge(&offer.choice).unwrap_or(NEVER), provoking;
        CHARGE_THROW: 'c' "Charge" Charge, "Main and Move. Run straight and throw at +2; −2 AC until the round ends.",
            Chances::Attack(|_, choice| choice.to.map(|_| attack(choice))), |eval, offer| eval.charge(&offer.choice).unwrap_or(NEVER), provoking;
    },
    when: (),
    offers,
    begin,
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    if let Err(why) = can_charge(sk, who) {
        return out.push(Offer::not(Choice::new(&CHARGE, who), why));
    }
    let before = out.len();
    let mut first_why = None;
    let occupancy = open_occupancy(sk, who);
    for enemy in sk.known_enemies(sk.body(who).side) {
        match charge_lane(sk, who, enemy, &occupancy) {
            Err(why) => {
                first_why.get_or_insert(why);
            }
            Ok(line) => attacks_along(sk, who, enemy, &line, out),
        }
    }
    if out.len() == before {
        let why = first_why.unwrap_or(Why::new("SK-14", "no enemy can be charged"));
        out.push(Offer::not(Choice::new(&CHARGE, who), why));
    }
}

/// What is in the way of a charge, as far as the charger knows. Hidden enemies are missing: the
/// charger finds them only when it gets there (SK-03).
pub fn open_occupancy(sk: &SkirmishQuery, who: Id) -> Occupancy {
    known_occupancy::<Skirmish>(sk, who, |_| None)
}

fn can_charge(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    let fighter = sk.fighter(who);
    sk.needs_main(who)?;
    sk.free_to_move(who)?;
    Why::new("SK-14", "a charge also takes the Move, which is spent")
        .when(fighter.moves == 0 && fighter.mains < 2)?;
    Why::new("SK-14", "prone").when(sk.body(who).prone)
}

/// Adds the offers to charge `enemy`: with a melee weapon to the first cell from which it reaches,
/// with a thrown weapon to any cell from which it can be thrown.
fn attacks_along(sk: &SkirmishQuery, who: Id, enemy: Id, line: &ChargeLane, out: &mut Vec<Offer>) {
    // Weapon range is at most the distance in cells, so most cells need no forecast.
    let (size, target) = (sk.body(who).size, sk.body(enemy).space());
    let apart = |to: Cell| i32::from(cells_apart(Space::new(to, size), target)) * 5;
    for item in sk.inventory(who).at_hand() {
        // The charge uses the Move, so the weapon must be ready or the free draw left.
        if !matches!(draw_price(sk, who, item), Ok(None | Some(ActionCost::Draw))) {
            continue;
        }
        let offers = |verb: &'static Action, feet: i32| {
            let near = line.cells().filter(move |&to| apart(to) <= feet);
            near.filter_map(move |to| {
                let choice = Choice::new(verb, who).at(enemy).with(item).to(to);
                sk.can_attack_from(&attack(&choice), to).ok()?;
                Some(Offer::legal(choice))
            })
        };
        let weapon = sk.weapon(item);
        if weapon.melee.is_some() {
            let reach = sk.reach(who, item).map_or(0, i32::from);
            out.extend(offers(&CHARGE, reach).next());
        }
        if let Some(shot) = weapon.ranged.as_ref().filter(|_| weapon.is_thrown()) {
            out.extend(offers(&CHARGE_THROW, shot.long));
        }
    }
}

/// The straight line towards `enemy`, as far as a charge goes.
fn charge_lane(
    sk: &SkirmishQuery,
    who: Id,
    enemy: Id,
    occupancy: &Occupancy,
) -> Result<ChargeLane, Why> {
    let budget = sk.view.speed(who) * 2;
    let charge_lane = sk
        .view
        .charge_lane(who, sk.body(enemy).space(), occupancy, budget, |_| false);
    match charge_lane.end {
        _ if !charge_lane.steps.is_empty() => Ok(charge_lane),
        end @ (LaneEnd::Blocked(_) | LaneEnd::Step(_)) => Err(end.why("SK-14", budget)),
        _ => Err(Why::new("SK-14", "no room for a run-up of 5 ft")),
    }
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let enemy = choice.at.expect("a charge has a target");
    let to = choice.to.expect("a charge has an end");
    let item = choice.with.expect("a charge has a weapon");
    let line = charge_lane(sk, who, enemy, &open_occupancy(sk, who));
    let path = line.map_or(vec![], |line| line.to(to));
    let action = sk.fighter(who).move_price();
    let mut outcome = declare(sk, choice, ActionCost::Main)
        .and("SK-04", SkirmishEvent::Spent { who, action })
        .and("SK-14", SkirmishEvent::Charged { who });
    draw(sk, who, item, &mut outcome);
    outcome.then(movement::freely(who, 2, path)).then(Impact {
        attack: attack(choice),
        from: to,
    })
}

/// The attack at the end of a charge.
pub fn attack(choice: &Choice) -> Attack {
    Attack {
        rule: "SK-14",
        extra: vec![Modifier::new(numbers::CHARGE_BONUS, "charge", "SK-14")],
        ..attack_of(choice, choice.verb == &CHARGE_THROW)
    }
}

system_step! {
    /// Makes the attack at the end of the charge, if the charger got there.
    struct Impact { attack: Attack, from: Cell } => impact
}

fn impact(In(Impact { attack, from }): In<Impact>, sk: SkirmishQuery) -> StepOutcome {
    if !sk.is_up(attack.by) || sk.body(attack.by).at != from {
        return StepOutcome::default();
    }
    StepOutcome::default().then(AttackBatch::of(vec![attack]))
}
