//! Reactions: free attacks (PH-40), immediate attacks (PH-41), immediate spells (PH-10).

use super::{
    Phased,
    attacks::AttackBatch,
    concentration,
    content::Craft,
    events::PhasedEvent,
    query::PhasedQuery,
    routine::{AttackWay, Routine},
    spells,
    state::DeclaredPlan,
};
use crate::rulesets::common::{distinct, verbs};
use crate::{
    battle::{
        Answer, Choice, Decision, DiceBox, EventKind, Id, Offer, Rule, SpellId, StepOutcome, Why,
        Window, WindowState,
    },
    content::Effect,
    rulesets::common::{
        conditions::lay,
        reactions::{self, Reacts},
    },
};

/// What allows a reaction under Phased.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// Attacks are rolled and not yet resolved; their serial numbers.
    Rolled(Vec<u32>),
    /// A unit flees from melee (PH-40).
    Flight { by: Id },
    /// Several units flee simultaneously (PH-02).
    Flights(Vec<Id>),
    /// A unit's action in melee provokes an attack (PH-41).
    Opening { by: Id, rule: Rule },
}

/// A reaction window for one [`Trigger`].
pub type Reactions = reactions::Reactions<Phased>;

verbs! {
    FREE_ATTACK = "free attack", "free attack on {at} with {with}",
        "takes a free attack on {at} with {with}", "PH-40";
    IMMEDIATE_ATTACK = "immediate attack", "immediate attack on {at} with {with}",
        "attacks {at} at once with {with}", "PH-41";
    /// An immediate spell on the caster.
    CAST = "cast at once", "cast {spell} at once", "casts {spell} at once", "PH-10";
}

impl Reacts for Phased {
    type Moment = Trigger;

    fn asks(
        ph: &PhasedQuery,
        window: Window<Trigger>,
        answer: &mut Answer,
    ) -> WindowState<Trigger> {
        window.run(answer, |m| candidates(ph, m), |m, id| question(ph, m, id))
    }

    fn reacts(
        ph: &PhasedQuery,
        moment: Trigger,
        choices: Vec<Choice>,
        _: &mut DiceBox,
    ) -> StepOutcome {
        let mut outcome = StepOutcome::default();
        let mut specs = vec![];
        for choice in choices {
            outcome.emit(choice.verb.rule, EventKind::acted(&choice));
            if choice.verb == &CAST {
                immediate(ph, &choice, &mut outcome);
            } else if let Some(routine) = routine(ph, &choice) {
                pay(ph, &choice, &mut outcome);
                specs.extend(ph.specs(&routine));
            }
        }
        if !specs.is_empty() {
            outcome.push(AttackBatch::of(specs));
        }
        match moment {
            Trigger::Rolled(_) => outcome.then(Reactions::open(moment)),
            // Each enemy attacks at most once and has already been prompted.
            _ => outcome,
        }
    }
}

fn candidates(ph: &PhasedQuery, moment: &Trigger) -> Vec<Id> {
    match moment {
        Trigger::Rolled(serials) => {
            let rolled = serials.iter().filter_map(|&n| ph.pending_attacks.get(n));
            distinct(rolled.map(|rolled_attack| rolled_attack.attack.at))
        }
        Trigger::Flight { by } | Trigger::Opening { by, .. } => {
            ph.view.enemies(ph.body(*by).side).collect()
        }
        Trigger::Flights(all) => {
            let is_left = |id: &Id| all.iter().any(|by| ph.body(*by).side != ph.body(*id).side);
            let up = ph.view.ids().filter(|&id| ph.is_up(id));
            up.filter(is_left).collect()
        }
    }
}

/// The attack of a reaction; `None` if it is not an attack.
pub fn routine(ph: &PhasedQuery, choice: &Choice) -> Option<Routine> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    let plain = Routine::new(by, at, with, AttackWay::Strike, choice.verb.rule);
    if choice.verb == &FREE_ATTACK {
        let bonus = ph.tables().numbers.free_attack_on_flight;
        return Some(plain.plus(bonus, "in flight", "PH-40"));
    }
    (choice.verb == &IMMEDIATE_ATTACK).then_some(plain)
}

/// Enemies that can attack a unit that flees (PH-40) or provokes an attack (PH-41) where it stands,
/// each with its possible attacks.
pub fn strikers(ph: &PhasedQuery, by: Id, moment: &Trigger) -> Vec<(Id, Vec<Choice>)> {
    let attacks = |enemy: Id| {
        let mut offers = attacks_on(ph, moment, by, enemy)?;
        offers.retain(Offer::is_legal);
        let all: Vec<Choice> = offers.into_iter().map(|offer| offer.choice).collect();
        (!all.is_empty()).then_some((enemy, all))
    };
    let enemies = ph.view.enemies(ph.body(by).side);
    enemies.filter_map(attacks).collect()
}

/// Applies a reaction's costs to the unit that reacts.
fn pay(ph: &PhasedQuery, choice: &Choice, outcome: &mut StepOutcome) {
    let (Some(who), Some(on)) = (choice.who, choice.at) else {
        return;
    };
    if choice.verb == &FREE_ATTACK {
        // A free attack breaks concentration.
        concentration::breaks(ph, who, outcome);
        outcome.emit("PH-40", PhasedEvent::FreeAttack { who, on });
        return;
    }
    // An immediate attack uses the major action. A spell being cast is lost, but one that is kept
    // up continues (PH-21).
    concentration::disrupt(ph, who, outcome);
    if ph.fighter(who).plan != Some(DeclaredPlan::Open) {
        outcome.emit("PH-41", PhasedEvent::Dropped { who });
    }
    outcome.emit("PH-41", PhasedEvent::Spent { who });
}

/// PH-40, PH-41: whether the unit can attack out of turn, or why not.
fn may_strike(ph: &PhasedQuery, id: Id, moment: &Trigger) -> Result<(), Why> {
    let fighter = ph.fighter(id);
    Why::of_actor("PH-06", "cannot react")
        .when(!ph.can_act(id) || ph.body(id).flees || fighter.hidden)?;
    Why::of_actor("PH-04", "is listening to the parley").when(fighter.listens)?;
    match moment {
        Trigger::Flight { by } => {
            Why::new("PH-40", "one free attack on each enemy a round")
                .when(ph.fighter(*by).drew_free & id.bit() != 0)?;
            Why::new("PH-40", "one free attack a segment")
                .when(fighter.struck_free == ph.clock.stamp)
        }
        // A spell or work under way is a started major action, which can be given up.
        _ if fighter.spent && fighter.casting.is_none() && fighter.work.is_none() => {
            Err(Why::new("PH-41", "the major action is spent"))
        }
        _ => Ok(()),
    }
}

/// The prompt for a unit's reaction to a trigger; `None` if it cannot react.
fn question(ph: &PhasedQuery, moment: &Trigger, id: Id) -> Option<Decision> {
    let names = ph.view.names();
    let (offers, prompt, rule) = match moment {
        Trigger::Rolled(serials) => {
            let offers = immediate_offers(ph, id);
            let mut rolled_attacks = serials.iter().filter_map(|&n| ph.pending_attacks.get(n));
            let by = rolled_attacks.find(|s| s.attack.at == id)?.attack.by;
            let prompt = format!("{} attacks {}", names.title(by), names.name(id));
            (offers, prompt, "PH-10")
        }
        // The unit attacks one of the fleeing units.
        Trigger::Flights(all) => {
            let attacks = |&by: &Id| Some((by, attacks_on(ph, &Trigger::Flight { by }, by, id)?));
            let side = |id| ph.body(id).side;
            let own = all.iter().filter(|&&by| side(by) != side(id));
            let (by, offers): (Vec<Id>, Vec<_>) = own.filter_map(attacks).unzip();
            let prompt = reactions::prompt(names, &by, ["flees from", "flee from"], id);
            (offers.concat(), prompt, "PH-40")
        }
        Trigger::Flight { by } | Trigger::Opening { by, .. } => {
            let offers = attacks_on(ph, moment, *by, id)?;
            let (what, rule) = match moment {
                Trigger::Flight { .. } => ("flees from", "PH-40"),
                _ => ("gives an opening to", "PH-41"),
            };
            let prompt = reactions::prompt(names, &[*by], [what; 2], id);
            (offers, prompt, rule)
        }
    };
    reactions::question(&ph.view, id, rule, prompt, offers)
}

/// A unit's attacks on a unit that flees or provokes; `None` if it cannot attack.
fn attacks_on(ph: &PhasedQuery, moment: &Trigger, by: Id, id: Id) -> Option<Vec<Offer>> {
    may_strike(ph, id, moment).ok()?;
    if !ph.is_up(by) {
        return None;
    }
    let verb = match moment {
        Trigger::Flight { .. } => &FREE_ATTACK,
        _ => &IMMEDIATE_ATTACK,
    };
    let offer = |with| {
        let choice = Choice::new(verb, id).at(by).with(with);
        let legal = routine(ph, &choice).map_or(Ok(()), |r| ph.can_make(&r));
        Offer::from(choice, legal)
    };
    Some(ph.ready_weapons(id).into_iter().map(offer).collect())
}

/// PH-10: the immediate spells that the unit could cast on itself now.
fn immediate_offers(ph: &PhasedQuery, who: Id) -> Vec<Offer> {
    let spells = ph.view.sheet(who).spells.iter();
    let immediate = spells.filter(|&&s| ph.spell_numbers(s).craft == Craft::Immediate);
    let offer = |&spell: &SpellId| {
        let may = Why::of_actor("PH-06", "cannot react").unless(ph.can_act(who));
        let legal = may.and_then(|()| spells::can_begin(ph, who, spell));
        Offer::from(Choice::new(&CAST, who).spell(spell), legal)
    };
    immediate.map(offer).collect()
}

/// Casts an immediate spell, which takes no time. Such spells protect or heal their caster.
fn immediate(ph: &PhasedQuery, choice: &Choice, outcome: &mut StepOutcome) {
    let (Some(who), Some(spell)) = (choice.who, choice.spell) else {
        return;
    };
    let known = ph.view.spell(spell);
    // A condition that hinders the caster breaks its concentration (PH-20); a spell that needs
    // concentration ends the one that was kept up (PH-21).
    if matches!(&known.effect, Effect::Lasts { condition, .. } if condition.impedes()) {
        concentration::breaks(ph, who, outcome);
    } else if ph.spell_numbers(spell).upkeep {
        concentration::lets_go(ph, who, outcome);
    }
    outcome.emit("PH-22", spells::used(ph, who, spell));
    match known.effect {
        Effect::Lasts { .. } => {
            lay::<Phased>(ph, who, spell, who, outcome);
            spells::keep_up(ph, who, spell, who, outcome);
        }
        _ => outcome.push(spells::Unleash {
            choices: vec![choice.clone().at(who)],
        }),
    }
}
