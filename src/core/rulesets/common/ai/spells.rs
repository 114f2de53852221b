//! What spells are worth on the units they catch.

use super::{Evaluation, HURT, KILL, OWN_LIFE, QuickAi, worth_of_hit};
use crate::{
    battle::Id,
    content::{Condition, Dice, Effect, Save, Spell},
    grid::Cell,
    rulesets::common::damage::Damage,
};

/// Rounds ahead that count.
const SOON: i32 = 3;
/// Worth of an enemy doing nothing for a round, whatever it could do.
const IDLE: i32 = 80;
/// Worth of a fallen ally back on its feet.
const RAISED: i32 = 500;
/// Worth of an enemy moving at half speed for a round.
const SLOW: i32 = 20;
/// Worth of an enemy being 1 easier to hit for a round.
const OPEN: i32 = 10;
/// To-hit penalty that counts as never hitting.
const D20: i32 = 20;
/// Worth of being protected where enemies can attack, on top of the points that the protection
/// gives.
const SHELTER: i32 = 60;

impl<R: QuickAi> Evaluation<'_, '_, '_, R> {
    /// The worth of a spell on all the units it catches.
    pub fn spell_on_all(&self, spell: &Spell, caught: Vec<Id>) -> i32 {
        caught.into_iter().map(|id| self.spell_on(spell, id)).sum()
    }

    /// The worth of a spell on one of the units it catches, ally or enemy.
    pub fn spell_on(&self, spell: &Spell, id: Id) -> i32 {
        let (view, state) = (self.view, self.state);
        let body = view.body(id);
        let friend = body.side == self.side();
        if R::resists(state, self.who, spell, id) {
            return 0;
        }
        // Hurting an ally counts double, so that no ally is given up for an enemy.
        let hurt = |harm: i32| if friend { -2 * harm } else { harm };
        let unsaved = match spell.save {
            Save::None => 100,
            _ => R::unsaved(state, spell, id).clamp(0, 100),
        };
        match &spell.effect {
            // Damage to a fallen enemy gains nothing; a fallen ally may die of it.
            Effect::Damage(_) if !body.is_up() => match friend {
                true => -KILL,
                false => 0,
            },
            &Effect::Damage(dice) => {
                let harm = R::harm(state, self.who, spell, id);
                hurt(harm.unwrap_or_else(|| self.harm(dice, spell.save, unsaved, id)))
            }
            Effect::Lasts { condition, rounds } if body.is_up() && !self.has(condition, id) => {
                match condition.harms() {
                    true => {
                        let rounds = rounds.min(&SOON);
                        hurt(self.hindrance(condition, id) * rounds * unsaved / 100)
                    }
                    false => self.help(friend, self.boon(condition, body.at)),
                }
            }
            Effect::Lasts { .. } => 0,
            &Effect::Heal(dice) => self.help(friend, self.worth_of_healing(dice, id)),
        }
    }

    /// The worth of help: negative when the target is an enemy.
    pub fn help(&self, friend: bool, worth: i32) -> i32 {
        if friend { worth } else { -worth }
    }

    /// The worth of a unit's best attack on one of its own enemies.
    fn best_of_unit(&self, id: Id) -> i32 {
        if self.view.body(id).side != self.side() {
            return self.danger_from(id);
        }
        let most = |&enemy: &Id| self.attack_options(id, enemy).most;
        self.enemies.iter().map(most).max().unwrap_or(0)
    }

    /// Whether a condition would change nothing because one as strong is already in effect.
    fn has(&self, condition: &Condition, id: Id) -> bool {
        let lasting = self.view.conditions(id).iter().map(|l| &l.condition);
        let mut same = lasting.filter(|known| known.id == condition.id);
        condition.idle && R::is_held(self.state, id)
            || same.any(|known| known.defense >= condition.defense)
    }

    /// The cost of a condition to its target's side, per round.
    fn hindrance(&self, condition: &Condition, id: Id) -> i32 {
        let danger = self.best_of_unit(id);
        if condition.idle {
            return IDLE + danger / 2;
        }
        let slow = if condition.half_speed { SLOW } else { 0 };
        slow - condition.to_hit * danger / D20 - condition.defense * OPEN
    }

    /// The worth of a helpful condition on an ally at its cell.
    fn boon(&self, condition: &Condition, at: Cell) -> i32 {
        let points = condition.defense + condition.to_hit;
        match self.danger(at) > 0 {
            true => 20 * points + SHELTER,
            false => 10 * points,
        }
    }

    fn harm(&self, dice: Dice, save: Save, unsaved: i32, id: Id) -> i32 {
        let (left, _) = R::hp_left_and_max(self.state, id);
        let damage = Damage::new(dice, vec![]);
        let saved = match save {
            // Half damage is as bad for a unit with twice the hit points.
            Save::Half => worth_of_hit(left * 2, &damage),
            Save::None | Save::Negates => 0,
        };
        let full = worth_of_hit(left, &damage) + R::worth_of_disrupting(self.state, id);
        (full * unsaved + saved * (100 - unsaved)) / 100
    }

    fn worth_of_healing(&self, dice: Dice, id: Id) -> i32 {
        let body = self.view.body(id);
        let (left, whole) = R::hp_left_and_max(self.state, id);
        let lost = (whole - left).min(dice.twice_mean() / 2).max(0);
        if lost == 0 {
            return 0;
        }
        if !body.is_up() {
            return RAISED + lost * HURT / whole.max(1);
        }
        // Small wounds are not worth healing yet.
        let worth = OWN_LIFE * lost / whole.max(1);
        match left {
            _ if left * 3 <= whole => worth * 3 / 2,
            _ if left * 2 <= whole => worth,
            _ => worth / 3,
        }
    }
}
