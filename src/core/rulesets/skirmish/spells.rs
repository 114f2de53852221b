//! What spells do when their casting ends (SK-70).

use super::{
    Skirmish,
    acts::cast,
    awareness,
    end_checks::EndChecks,
    events::SkirmishEvent,
    magic::CastingEvent,
    pending_checks::{self, CheckOutcome, PendingCheck},
    query::SkirmishQuery,
    wounds,
};
use crate::{
    battle::{CheckRoll, Choice, DiceBox, EventKind, Id, Roll, SpellId, State, StepOutcome},
    content::{Dice, Effect, Save},
    rulesets::common::{conditions::lay, damage::after_save, room::Revive},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// The end of a casting.
    pub struct Resolve {
        pub choice: Choice,
        /// The caster's hit points when the casting began. With fewer, the spell is spoiled.
        pub hp: i32,
    } => resolve
}

impl Resolve {
    /// What follows if the caster can't finish the spell.
    fn spoiled(&self, sk: &SkirmishQuery) -> Option<StepOutcome> {
        let (who, spell) = (self.choice.actor(), self.choice.spell?);
        let is_spoiled = !sk.can_act(who) || sk.body(who).hp < self.hp;
        let spoiled = CastingEvent::Spoiled { who, spell };
        is_spoiled.then(|| StepOutcome::default().and("SK-70", spoiled))
    }
}

fn resolve(In(casting): In<Resolve>, sk: SkirmishQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    if let Some(spoiled) = casting.spoiled(&sk) {
        return spoiled;
    }
    let mut outcome = StepOutcome::default();
    let choice = &casting.choice;
    let Some(spell) = choice.spell else {
        return outcome;
    };
    let caught = match cast::aim(&sk, choice) {
        Ok(caught) => caught,
        Err(why) => {
            outcome.emit_stop(choice.actor(), why);
            return outcome;
        }
    };
    // A spell reveals the units it catches.
    caught.iter().for_each(|&id| sk.reveal(id, &mut outcome));
    if choice.to.is_some() {
        outcome.emit("GR-41", EventKind::caught(spell, &caught));
    }
    let kind = sk.view.spell(spell);
    // One damage roll for all caught units, and a save for each.
    let roll = match kind.effect {
        Effect::Damage(amount) => Some(Roll::thrown(amount, "spell", "SK-70", &mut dice)),
        _ => None,
    };
    let saves = kind.save != Save::None && !matches!(kind.effect, Effect::Heal(_));
    let save = |&id: &Id| {
        let against = sk.save_needs(id, 0);
        PendingCheck::reach("SK-62", sk.save(id, 0), against, &mut dice)
    };
    let savers = caught.iter().filter(|_| saves);
    let checks = savers.map(save).collect();
    let takes = Takes {
        casting,
        caught,
        roll,
    };
    pending_checks::log_and_open(checks, outcome, takes)
}

/// The spell's effect on the units it catches. The checks are their saves, one for each, or none if
/// the spell allows no save. Everything it does is based on the state before it.
#[derive(Clone, Debug)]
struct Takes {
    casting: Resolve,
    caught: Vec<Id>,
    /// The roll of its damage.
    roll: Option<Roll>,
}

impl CheckOutcome for Takes {
    fn resolved(
        self,
        sk: &SkirmishQuery,
        checks: &[PendingCheck],
        dice: &mut DiceBox,
    ) -> StepOutcome {
        if let Some(spoiled) = self.casting.spoiled(sk) {
            return spoiled;
        }
        let mut outcome = StepOutcome::default();
        let choice = &self.casting.choice;
        let (Some(by), Some(spell)) = (choice.who, choice.spell) else {
            return outcome;
        };
        // A unit that has left the area since the dice were rolled is spared.
        let still = cast::aim(sk, choice).unwrap_or_default();
        let kind = sk.view.spell(spell);
        for (n, &id) in self.caught.iter().enumerate() {
            if !still.contains(&id) {
                continue;
            }
            let saved = checks.get(n).is_some_and(PendingCheck::passed);
            match kind.effect {
                Effect::Damage(_) => {
                    let roll = self.roll.clone().unwrap_or_default();
                    if let Some(points) = after_save(roll.total().max(0), kind.save, saved) {
                        harm(sk, (by, id), points, roll, &mut outcome);
                    }
                }
                Effect::Heal(amount) => heal(sk, id, amount, dice, &mut outcome),
                Effect::Lasts { .. } if !saved => {
                    lay::<Skirmish>(sk, by, spell, id, &mut outcome);
                }
                Effect::Lasts { .. } => {}
            }
        }
        awareness::by_attacks(sk, attacks(sk, (by, spell), &self.caught), &mut outcome);
        outcome.then(EndChecks)
    }
}

/// The attacks that a casting counts as, given the units it catches (SK-56): one on each enemy if
/// the spell is harmful, else none.
pub fn attacks(sk: &SkirmishQuery, (who, spell): (Id, SpellId), caught: &[Id]) -> Vec<(Id, Id)> {
    if !sk.view.spell(spell).effect.harms() {
        return vec![];
    }
    let side = |id| sk.body(id).side;
    let enemies = caught.iter().filter(|&&id| side(id) != side(who));
    enemies.map(|&id| (who, id)).collect()
}

/// The damage of a spell to one unit, after its save.
fn harm(
    sk: &SkirmishQuery,
    (by, who): (Id, Id),
    points: i32,
    mut roll: Roll,
    outcome: &mut StepOutcome,
) {
    if points < roll.total().max(0) {
        roll.set_total(points, "save", "SK-62");
    }
    outcome.emit("SK-70", EventKind::damaged(who, Some(by), points, roll));
    wounds::fall_by(sk, who, points, true, outcome);
}

/// Restores hit points, up to the target's maximum. A fallen unit comes to, prone, with only these.
fn heal(sk: &SkirmishQuery, who: Id, amount: Dice, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let roll = Roll::thrown(amount, "spell", "SK-70", dice);
    let points = roll.total().max(0);
    outcome.emit("SK-70", CheckRoll::by(who, "healing", roll));
    let body = sk.body(who);
    if body.state == State::Up {
        let points = points.min(body.max_hp - body.hp);
        return outcome.emit("SK-70", EventKind::Healed { who, points });
    }
    if sk.fighter(who).dying.is_some() {
        outcome.emit("SK-61", SkirmishEvent::Stabilised { who });
    }
    let hp = points.clamp(1, body.max_hp);
    outcome.push(Revive::<Skirmish>::of(who, hp, "SK-70"));
}
