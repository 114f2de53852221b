//! What spells do when their casting ends (SK-70).

use super::{
    Skirmish,
    acts::cast,
    awareness,
    end_checks::EndChecks,
    events::SkirmishEvent,
    magic::CastingEvent,
    query::SkirmishQuery,
    trials::{self, Trial, TrialOutcome},
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

fn resolve(
    In(Resolve { choice, hp }): In<Resolve>,
    sk: SkirmishQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let outcome = StepOutcome::default();
    let (Some(who), Some(spell)) = (choice.who, choice.spell) else {
        return outcome;
    };
    if !sk.can_act(who) || sk.body(who).hp < hp {
        return outcome.and("SK-70", CastingEvent::Spoiled { who, spell });
    }
    let caught = match cast::aim(&sk, &choice) {
        Ok(caught) => caught,
        Err(why) => return outcome.and(why.rule, EventKind::Stopped { who, why: why.text }),
    };
    // A spell reveals the units it catches.
    let mut outcome = outcome;
    caught.iter().for_each(|&id| sk.reveal(id, &mut outcome));
    if choice.to.is_some() {
        let who = caught.clone();
        outcome.emit("GR-41", EventKind::Caught { spell, who });
    }
    let kind = sk.view.spell(spell);
    // One damage roll for all caught units, and a save for each.
    let roll = match kind.effect {
        Effect::Damage(amount) => Some(amount_of(amount, &mut dice)),
        _ => None,
    };
    let saves = kind.save != Save::None && !matches!(kind.effect, Effect::Heal(_));
    let save = |&id: &Id| {
        let against = sk.save_needs(id, 0);
        Trial::reach("SK-62", sk.save(id, 0), against, &mut dice)
    };
    let trials = match saves {
        true => caught.iter().map(save).collect(),
        false => vec![],
    };
    let takes = Takes {
        choice,
        hp,
        who,
        spell,
        caught,
        roll,
    };
    trials::open(trials, outcome, takes)
}

/// The spell's effect on the units it catches. The trials are their saves, one for each, or none if
/// the spell allows no save.
#[derive(Clone, Debug)]
struct Takes {
    choice: Choice,
    /// The caster's hit points when the casting began, as in [`Resolve`].
    hp: i32,
    who: Id,
    spell: SpellId,
    caught: Vec<Id>,
    /// The roll of its damage.
    roll: Option<Roll>,
}

impl TrialOutcome for Takes {
    fn resolved(self, sk: &SkirmishQuery, trials: &[Trial], dice: &mut DiceBox) -> StepOutcome {
        let Self {
            choice,
            hp,
            who,
            spell,
            caught,
            roll,
        } = self;
        if !sk.can_act(who) || sk.body(who).hp < hp {
            let spoiled = CastingEvent::Spoiled { who, spell };
            return StepOutcome::default().and("SK-70", spoiled);
        }
        // A unit that has left the area since the dice were rolled is spared.
        let still = cast::aim(sk, &choice).unwrap_or_default();
        let kind = sk.view.spell(spell);
        let mut work = Work {
            sk,
            dice,
            outcome: StepOutcome::default(),
            by: who,
        };
        for (n, &id) in caught.iter().enumerate() {
            if !still.contains(&id) {
                continue;
            }
            let saved = trials.get(n).is_some_and(Trial::passed);
            match kind.effect {
                Effect::Damage(_) => {
                    let roll = roll.clone().unwrap_or_default();
                    work.harm(id, roll, saved, kind.save);
                }
                Effect::Heal(amount) => work.heal(id, amount),
                Effect::Lasts { .. } if !saved => {
                    lay::<Skirmish>(sk, who, spell, id, &mut work.outcome);
                }
                Effect::Lasts { .. } => {}
            }
        }
        let mut outcome = work.outcome;
        awareness::by_attacks(sk, attacks(sk, (who, spell), &caught), &mut outcome);
        outcome.then(EndChecks)
    }
}

/// The attacks that a casting counts as, given the units it catches (SK-56): one on each enemy if
/// the spell is harmful, else none.
pub fn attacks(sk: &SkirmishQuery, (who, spell): (Id, SpellId), caught: &[Id]) -> Vec<(Id, Id)> {
    if !sk.view.spell(spell).effect.harms() {
        return vec![];
    }
    let enemies = caught
        .iter()
        .filter(|&&id| sk.body(id).side != sk.body(who).side);
    enemies.map(|&id| (who, id)).collect()
}

fn amount_of(amount: Dice, dice: &mut DiceBox) -> Roll {
    Roll::thrown(amount, "spell", "SK-70", dice)
}

/// A spell that takes effect. Everything it does is based on the state before it.
struct Work<'a, 'w, 's> {
    sk: &'a SkirmishQuery<'w, 's>,
    dice: &'a mut DiceBox,
    outcome: StepOutcome,
    by: Id,
}

impl Work<'_, '_, '_> {
    fn harm(&mut self, who: Id, mut roll: Roll, saved: bool, save: Save) {
        let full = roll.total().max(0);
        let Some(points) = after_save(full, save, saved) else {
            return;
        };
        if points < full {
            roll.come_to(points, "save", "SK-62");
        }
        let damaged = EventKind::damaged(who, Some(self.by), points, roll);
        self.outcome.emit("SK-70", damaged);
        if self.sk.body(who).hp <= points {
            wounds::fall(self.sk, who, true, &mut self.outcome);
        }
    }

    /// Restores hit points, up to the target's maximum. A fallen unit comes to, prone, with only
    /// these.
    fn heal(&mut self, who: Id, amount: Dice) {
        let roll = amount_of(amount, self.dice);
        let points = roll.total().max(0);
        let check = CheckRoll::by(who, "healing", roll);
        self.outcome.emit("SK-70", check);
        let body = self.sk.body(who);
        if body.state == State::Up {
            let points = points.min(body.max_hp - body.hp);
            self.outcome
                .emit("SK-70", EventKind::Healed { who, points });
            return;
        }
        if self.sk.fighter(who).dying.is_some() {
            self.outcome
                .emit("SK-61", SkirmishEvent::Stabilised { who });
        }
        let hp = points.clamp(1, body.max_hp);
        self.outcome.push(Revive::<Skirmish>::of(who, hp, "SK-70"));
    }
}
