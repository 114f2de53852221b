//! What maneuvers, breaking free and executions are worth.

use super::super::{
    acts::{self, GRAPPLE, HURL, SHOVE_DOWN},
    grapple::grip_of,
    numbers::MINUTE,
};
use super::{Evaluation, HURT, KILL, OWN_LIFE, Stalk, acts::value};
use crate::{
    battle::{Attack, Choice, Id, Item},
    content::Dice,
    grid::Cell,
    rulesets::common::{ai::worth_of_hit, damage::Damage},
};

/// Rounds for which a hold counts, in hundredths: two rounds, less the risk of losing it.
const HOLD_LASTS: i32 = 150;
/// Worth of an enemy lying prone.
const PRONE: i32 = 60;
/// Worth of an enemy that can't raise the alarm.
const SILENCE: i32 = 500;
/// Worth of continuing a stalk.
const PATIENCE: i32 = 800;

impl Evaluation<'_, '_, '_> {
    pub fn maneuver(&self, choice: &Choice) -> Option<i32> {
        let at = choice.at?;
        let gain = match choice.verb {
            verb if verb == &GRAPPLE => self.hold(at),
            verb if verb == &SHOVE_DOWN => PRONE,
            _ => self.drop_of(choice, at),
        };
        if gain <= 0 {
            return None;
        }
        let chances = acts::maneuver_chance(self.state, choice)?;
        Some(gain * chances.all().percent() as i32 / 100)
    }

    /// The worth of pushing a target over a ledge; 0 on level ground.
    fn drop_of(&self, choice: &Choice, at: Id) -> i32 {
        let drop = |to| acts::drop_at(self.state, self.who, at, to);
        let drop = choice.to.map_or(0, drop);
        if drop < 10 {
            return 0;
        }
        let dice = Dice::new((drop / 10).min(100) as u8, 6, 0);
        let fall = Damage::new(dice, vec![]);
        PRONE + worth_of_hit(self.state.body(at).hp, &fall)
    }

    /// The worth of holding an enemy: the attacks it loses and the damage of the hold, less the
    /// attacks that the unit itself loses.
    fn hold(&self, at: Id) -> i32 {
        let armed = self.harm_from(at, false);
        let bare = self.harm_from(at, true);
        let unarmed = self.state.unarmed(self.who);
        let lost = self.armed() - unarmed.map_or(0, |item| self.plain(at, item));
        ((armed - bare).max(0) + self.grip(self.who, at, HURT)) * HOLD_LASTS / 100 - lost.max(0)
    }

    /// The worth of the damage that a hold does in one round, where `whole` is the worth of all the
    /// victim's hit points.
    fn grip(&self, by: Id, at: Id, whole: i32) -> i32 {
        let Some(with) = self.state.unarmed(by) else {
            return 0;
        };
        let forecast = self.state.unobstructed_forecast(&grip_of(by, at, with));
        let hp = self.state.body(at).hp.max(1);
        forecast.damage.mean_x10().min(hp * 10) * whole / 10 / hp
    }

    /// The worth of an enemy's best attack on this unit, with all weapons or only unarmed.
    fn harm_from(&self, enemy: Id, bare: bool) -> i32 {
        let sk = self.state;
        let items = sk.inventory(enemy).ready();
        let of = |item| {
            let ranged = sk.weapon(item).melee.is_none();
            let attack = Attack {
                ranged,
                ..grip_of(enemy, self.who, item)
            };
            let loss = sk.unobstructed_forecast(&attack).mean_damage_x200();
            loss * OWN_LIFE / 200 / sk.body(self.who).hp.max(1)
        };
        let meant = |&item: &Item| !bare || Some(item) == sk.unarmed(enemy);
        items.filter(meant).map(of).max().unwrap_or(0)
    }

    /// The worth of the unit's best melee attack on any enemy, as if it were free to move.
    fn armed(&self) -> i32 {
        let sk = self.state;
        let items = || sk.inventory(self.who).ready();
        let weapons = || items().filter(|&item| sk.weapon(item).melee.is_some());
        let enemies = self.view.enemies(self.side());
        let all = enemies.flat_map(|enemy| weapons().map(move |item| self.plain(enemy, item)));
        all.max().unwrap_or(0).max(0)
    }

    fn plain(&self, at: Id, item: Item) -> i32 {
        let attack = grip_of(self.who, at, item);
        value(&self.state.unobstructed_forecast(&attack))
    }

    pub fn break_free(&self) -> Option<i32> {
        let (sk, who) = (self.state, self.who);
        let holders: Vec<Id> = sk.holders(who).collect();
        let harm: i32 = holders.iter().map(|&by| self.grip(by, who, OWN_LIFE)).sum();
        let here = self.offense(self.here);
        let gain = harm + (self.armed() - here).max(0) + PRONE;
        let chance = |&by: &Id| sk.odds_to_break(who, by).percent() as i32;
        let worst = holders.iter().map(chance).min().unwrap_or(0);
        Some(gain * HOLD_LASTS / 100 * worst / 100)
    }

    /// The worth of letting go of an enemy that is not worth holding.
    pub fn release(&self, choice: &Choice) -> Option<i32> {
        let (sk, at) = (self.state, choice.at?);
        if sk.fighter(self.who).mains == 0 || sk.grip(self.who).held_by != 0 {
            return None;
        }
        (self.hold(at) < 0).then(|| self.armed())
    }

    pub fn haul(&self, choice: &Choice) -> Option<i32> {
        let (at, to) = (choice.at?, choice.to?);
        let chance = acts::haul_chance(self.state, choice)?.percent() as i32;
        let gain = if choice.verb == &HURL {
            self.drop_of(choice, at) - self.hold(at).max(0)
        } else {
            let steps = |from| self.steps_to_goal(from).map(i32::from);
            40 * (steps(self.here)? - steps(to)?)
        };
        // A lost check frees the victim.
        Some(gain * chance / 100 - self.hold(at).max(0) * (100 - chance) / 100)
    }

    /// The worth of starting a stalk; only good while no enemy suspects anything.
    pub fn stalk(&self) -> Option<i32> {
        let sk = self.state;
        let mut enemies = self.view.enemies(self.side());
        let stalks = sk.watch(self.who).stalk.is_some();
        (!stalks && enemies.all(|enemy| sk.is_unaware(enemy))).then_some(PATIENCE)
    }

    pub fn execute(&self, choice: &Choice) -> Option<i32> {
        let hp = self.state.body(choice.at?).hp.max(1);
        let (hit, fails) = acts::execution_chances(self.state, choice);
        let forecast = self.state.forecast(&acts::execution(choice)).ok()?;
        let most = forecast.damage.span().1.min(hp) * HURT / hp;
        let fails = fails.percent() as i32;
        let struck = (KILL * fails + most * (100 - fails)) / 100;
        Some((SILENCE + struck) * hit.percent() as i32 / 100)
    }

    /// What the unit's stalk adds to the score of waiting, or of moving to `at`: wait until the
    /// execution is ready, then go where it is possible.
    #[inline]
    pub fn lurking(&self, at: Cell, waits: bool) -> i32 {
        let stalk = self.state.watch(self.who).stalk;
        stalk.map_or(0, |stalk| self.stalking(stalk, at, waits))
    }

    #[cold]
    fn stalking(&self, stalk: Stalk, at: Cell, waits: bool) -> i32 {
        let sk = self.state;
        if stalk.near < MINUTE && stalk.aimed < MINUTE {
            return if waits { PATIENCE + SILENCE } else { -PATIENCE };
        }
        let there = sk.body(stalk.at).space();
        let reach = |item| sk.reach(self.who, item).unwrap_or(0);
        let reach = sk.inventory(self.who).ready().map(reach).max().unwrap_or(5);
        let is_close = |at| sk.view.board.in_reach(self.space(at), there, reach);
        // Without a Move left, the run would use the Main.
        let comes = self.can_run_and_attack() && !waits && is_close(at) && !is_close(self.here);
        if comes { PATIENCE + SILENCE } else { 0 }
    }
}
