//! Combat injuries that a critical hit can cause (SP-26, SP-27).

use super::{
    Speed,
    end_checks::EndChecks,
    events::SpeedEvent,
    numbers::{ArmLimit, Harm, SpeedCondition, tables},
    query::SpeedQuery,
    state::{Ailment, Hurt, Wound},
    wounds,
};
use crate::rulesets::speed::content::{Ability, DamageType};
use crate::{
    battle::{
        Action, Answer, Button, CheckRoll, Choice, Decision, DiceBox, EventKind, Id, ItemPlace,
        Offer, Offers, Roll, State, StepOutcome,
    },
    content::Trait,
    icons::Icon,
    rulesets::common::{
        act::{Act, ShownChances},
        inventory::drop_item,
    },
    system_step,
};
use bevy_ecs::system::{In, ResMut};

/// A critical hit: attacker, target, damage types of the weapon and damage dealt.
#[derive(Clone, Debug)]
pub struct Critical {
    pub by: Id,
    pub at: Id,
    pub types: Vec<DamageType>,
    pub dealt: i32,
    /// Index of the target's wound from this hit. `None` if the hit dealt no wound.
    pub wound: Option<usize>,
}

/// Rolls for each critical hit whether it injures: a d100 at or under the damage dealt (SP-26).
#[derive(Clone, Debug)]
pub struct Injuries(pub Vec<Critical>);
system_step!(Injuries, chances);

fn chances(
    In(Injuries(all)): In<Injuries>,
    sp: SpeedQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for critical in all {
        if !sp.is_there(critical.at) {
            continue;
        }
        let roll = Roll::one(100, dice.roll(100), vec![]);
        let passed = roll.total() <= critical.dealt;
        let check = CheckRoll::by(critical.by, "chance to injure", roll);
        check.emit("SP-26", critical.dealt, passed, &mut outcome);
        if passed {
            outcome.push(Pick(critical));
        }
    }
    outcome
}

/// Chooses the injury table; if the weapon has several damage types, the attacker's player
/// decides.
#[derive(Clone, Debug)]
struct Pick(Critical);
system_step!(Pick, pick);

/// One action for each damage type; the AI gives all of them worth 0.
pub static CHOICES: [Act<Speed>; 11] = [
    choice(&table("blunt injury"), "Blunt injury"),
    choice(&table("piercing injury"), "Piercing injury"),
    choice(&table("slashing injury"), "Slashing injury"),
    choice(&table("chopping injury"), "Chopping injury"),
    choice(&table("fire injury"), "Fire injury"),
    choice(&table("cold injury"), "Cold injury"),
    choice(&table("electric injury"), "Electric injury"),
    choice(&table("sonic injury"), "Sonic injury"),
    choice(&table("acid injury"), "Acid injury"),
    choice(&table("holy injury"), "Holy injury"),
    choice(&table("unholy injury"), "Unholy injury"),
];

const fn choice(table: &'static Action, label: &'static str) -> Act<Speed> {
    let button = Button::new(' ', label, Icon::Bleeding, "");
    Act::new(table, Some(button), ShownChances::None, |_, _| 0)
}

const fn table(name: &'static str) -> Action {
    Action::new(name, name, name, "SP-26")
}

fn pick(
    In(Pick(critical)): In<Pick>,
    sp: SpeedQuery,
    mut answer: ResMut<Answer>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let verb = |kind: &DamageType| CHOICES[*kind as usize].action;
    let kind = match answer.take() {
        Some(choice) => {
            let chosen = critical.types.iter().find(|t| verb(t) == choice.verb);
            *chosen.expect("a type of the weapon")
        }
        None if critical.types.len() > 1 => {
            let offer = |t| Offer::legal(Choice::new(verb(t), critical.by));
            let offers = critical.types.iter().map(offer).collect();
            let names = sp.view.names();
            let prompt = format!("What injures {}?", names.name(critical.at));
            let offers = Offers::listed(offers);
            let question = Decision {
                reaction: true,
                ..sp.view.asks(critical.by, "SP-26", prompt, offers)
            };
            return StepOutcome::ask(question, Pick(critical));
        }
        None => critical.types[0],
    };
    let mut outcome = StepOutcome::default();
    if !sp.is_there(critical.at) {
        return outcome;
    }
    // The wound takes the damage type whose table was chosen (SP-23).
    let who = critical.at;
    let retyped = |wound: &Wound| wound.kind != Some(kind);
    if let Some(nth) = critical.wound
        && sp.fighter(who).wounds.get(nth).is_some_and(retyped)
    {
        outcome.emit("SP-23", SpeedEvent::Retyped { who, nth, kind });
    }
    injure(&sp, &critical, kind, &mut dice, &mut outcome);
    outcome.then(EndChecks)
}

/// Rolls a row of the table and applies all of its effects (SP-27).
fn injure(
    sp: &SpeedQuery,
    hit: &Critical,
    kind: DamageType,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) {
    let who = hit.at;
    let roll = dice.roll(20);
    let row = &tables().injuries[&kind][usize::from(roll) - 1];
    let what = format!("{} injury: {}", kind.name().to_lowercase(), row.0);
    let check = CheckRoll::by(who, what, Roll::one(20, roll, vec![]));
    outcome.emit("SP-27", check);
    let mut fallen = !sp.is_up(who);
    for harm in &row.1 {
        let hurt = |hurt| SpeedEvent::Hurt {
            who,
            hurt,
            row: &row.0,
        };
        let afflicted = |condition, rounds| {
            let of = (condition == SpeedCondition::Frightened).then_some(hit.by);
            let ailment = Ailment::new(condition, rounds, of);
            SpeedEvent::Afflicted { who, ailment }
        };
        match harm {
            Harm::Lose(abilities, throw) => {
                fallen |= weaken(sp, who, abilities, throw.0, fallen, dice, outcome);
            }
            Harm::Is(condition) => outcome.emit("SP-27", afflicted(*condition, None)),
            Harm::For(condition, n) => outcome.emit("SP-27", afflicted(*condition, Some(*n))),
            Harm::Balance(n) => outcome.emit("SP-27", hurt(Hurt::Balance(*n))),
            Harm::HalfActions => outcome.emit("SP-27", hurt(Hurt::HalfActions)),
            Harm::Lamed | Harm::Paralysed => {
                let lames = *harm == Harm::Lamed;
                let effect = if lames { Hurt::Lamed } else { Hurt::Paralysed };
                outcome.emit("SP-27", hurt(effect));
                outcome.emit("SP-27", EventKind::Prone { who, prone: true });
            }
            Harm::Arm(limit) => {
                let side = dice.roll(4);
                let roll = Roll::one(4, side, vec![]);
                outcome.emit("SP-27", CheckRoll::by(who, "which arm", roll));
                let main = side <= 2;
                let arm = if main { Hurt::MainArm } else { Hurt::OffArm };
                outcome.emit("SP-27", hurt(arm(*limit)));
                if *limit != ArmLimit::NoAttack {
                    drop_from_arm(sp, who, main, outcome);
                }
            }
            Harm::Mute => outcome.emit("SP-27", hurt(Hurt::Mute)),
            Harm::Suffocating => outcome.emit("SP-27", hurt(Hurt::Suffocating)),
            Harm::NoSmell => outcome.emit("SP-27", hurt(Hurt::NoSmell)),
            Harm::HalfDeaf => outcome.emit("SP-27", hurt(Hurt::HalfDeaf)),
            Harm::HalfBlind => {
                outcome.emit("SP-27", hurt(Hurt::HalfBlind));
                if sp.fighter(who).has(Hurt::HalfBlind) {
                    outcome.emit("SP-27", afflicted(SpeedCondition::Blinded, None));
                }
            }
            Harm::Concussed => outcome.emit("SP-27", hurt(Hurt::Concussed)),
        }
    }
}

/// Rolls once for all abilities of the row; a unit with an ability at 0 is incapacitated. True
/// if the unit falls.
fn weaken(
    sp: &SpeedQuery,
    who: Id,
    abilities: &[Ability],
    throw: crate::content::Dice,
    fallen: bool,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    let roll = Roll::thrown(throw, "injury", "SP-27", dice);
    let points = roll.total();
    let lost = SpeedEvent::Weakened {
        who,
        abilities: abilities.to_vec(),
        points,
        roll,
    };
    outcome.emit("SP-27", lost);
    let score = |a: &Ability| sp.fighter(who).score(sp.stats(who), *a);
    let empty = abilities.iter().any(|a| score(a) <= points);
    // Lost Strength lowers maximum Wound Points. The unit may fall at 0, or die because the
    // remaining Strength no longer covers its negative Wound Points (SP-24).
    let strength = (score(&Ability::Strength) - points).max(0);
    let most = sp.fighter(who).wounds_with(strength, sp.stats(who));
    let weaker = abilities.contains(&Ability::Strength);
    let hp = sp.body(who).hp.min(most);
    let falls = !fallen && (empty || weaker && hp <= 0 && sp.body(who).hp > 0);
    if falls {
        wounds::fall(sp, who, outcome);
    }
    let minion = falls && hp <= 0 && sp.view.creature(who).has(Trait::Minion);
    if weaker && sp.body(who).state != State::Dead && (minion || wounds::is_fatal(hp, strength)) {
        outcome.emit("SP-24", EventKind::Died { who });
    }
    falls
}

/// Drops what a useless arm held, including a shield.
fn drop_from_arm(sp: &SpeedQuery, who: Id, main: bool, outcome: &mut StepOutcome) {
    let body = sp.body(who);
    if !matches!(body.state, State::Up | State::Down) {
        return;
    }
    let inventory = sp.inventory(who);
    let mut drops = |item, from| drop_item(&sp.view, who, item, from, "SP-27", outcome);
    let held = inventory.at(ItemPlace::Hand);
    held.filter(|&item| main || sp.weapon(item).hands == 2)
        .for_each(|item| drops(item, ItemPlace::Hand));
    if !main {
        let held = inventory.at(ItemPlace::OffHand);
        held.for_each(|item| drops(item, ItemPlace::OffHand));
        if inventory.shield {
            outcome.emit("SP-27", EventKind::ShieldDropped { who });
        }
    }
}
