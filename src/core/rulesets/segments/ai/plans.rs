//! What to declare, given what the enemy may do (SE-20), and when to hold (SE-35).

use super::{AttackSpec, Evaluation, Intent, KILL, SPOIL, ai, declare, has_a_charge, segment_of};
use crate::battle::Id;

impl Evaluation<'_, '_, '_> {
    /// The worth of the best melee attack from here, or of the best ranged one.
    fn best_here(&self, ranged: bool) -> i32 {
        self.best_of(self.here, |_, option| option.ranged == ranged)
    }

    pub fn plan_to_attack(&self) -> i32 {
        let strike = self.best_here(false);
        if strike > 0 {
            return strike + 10;
        }
        // Charge, or attack an enemy that comes close. It is the default plan, so it always has
        // some worth.
        let feet = self.view.speed(self.who) * 2 + 5;
        let is_near = |t: &ai::Target| self.feet_to(t.space) <= feet;
        let charges = self.targets().iter().any(is_near) && has_a_charge(self.state, self.who);
        20 + self.melee_worth() * if charges { 6 } else { 2 } / 10
    }

    /// Missiles come sooner, and from out of reach.
    pub fn plan_to_shoot(&self) -> i32 {
        match self.best_here(true) {
            0 => 0,
            best => best + 40,
        }
    }

    /// In a surprise segment, where the spear stays set only that long, it pays against enemies
    /// that also act in it (SE-14).
    pub fn brace_now(&self) -> Option<i32> {
        let worth = self.brace(|enemy| self.state.fighter(enemy).due > 0);
        worth.filter(|&worth| worth > 0)
    }

    /// A unit that passes keeps its spear set against enemies that act later.
    pub fn kept_set(&self) -> i32 {
        let (se, now) = (self.state, self.state.clock.segment);
        let is_set = se.fighter(self.who).is_set();
        let worth = is_set.then(|| self.brace(|enemy| se.fighter(enemy).due > now));
        worth.flatten().unwrap_or(0)
    }

    /// The worth of a set spear against the best target among the enemies that may charge.
    pub fn brace(&self, may: impl Fn(Id) -> bool) -> Option<i32> {
        let se = self.state;
        let spear = declare::spear(se, self.who).filter(|_| !se.is_engaged(self.who))?;
        let mut best = 0;
        for enemy in self.dangers() {
            let far = self.feet_to(enemy.space);
            let comes = may(enemy.enemy)
                && enemy.melee > enemy.ranged
                && far >= 15
                && far <= enemy.strike
                && has_a_charge(se, enemy.enemy)
                && !se.view.is_held(enemy.enemy);
            if comes {
                let spec = AttackSpec::of_set_spear(self.who, enemy.enemy, spear);
                let worth = self.worth(enemy.enemy, &se.unobstructed_forecast(&spec));
                best = best.max(worth);
            }
        }
        // Enemies may charge another unit or nobody, so a set spear loses worth in idle rounds.
        Some(match best {
            0 => 0,
            best => (best / 2 + 60) * self.patience_left() / 100,
        })
    }

    /// Holding pays when the enemy is about to come close or to cast.
    pub fn hold(&self, until: i32) -> Option<i32> {
        let se = self.state;
        let f = se.fighter(self.who);
        let now = i32::from(se.clock.segment);
        let others = self.view.roster.sides().filter(|s| *s != self.side());
        let theirs = others.map(|s| i32::from(segment_of(&se.clock, s)));
        let theirs = theirs.filter(|&s| s > now).min()?;
        // A caster begins in its side's segment: an attack in that segment spoils the spell.
        let ranged = f.intent == Some(Intent::Missiles);
        if until == theirs && (ranged || f.intent == Some(Intent::Attack)) {
            return self.worth_of_disrupting(ranged);
        }
        if until != theirs + 1 || f.intent != Some(Intent::Attack) {
            return None;
        }
        // An enemy that comes close has spent its action, so this unit attacks first.
        if self.best_here(false) > 0 || self.is_sent_by_objective() {
            return None;
        }
        let comes = |d: &ai::Danger| {
            d.melee > d.ranged && self.feet_to(d.space) <= se.view.speed(d.enemy) + d.reach
        };
        if !self.dangers().iter().any(comes) {
            return None;
        }
        let patience = (4 - i32::from(se.clock.round.min(4))) * 40;
        Some((self.melee_worth() / 3 + patience) * self.patience_left() / 100)
    }

    /// The worth of attacking a caster just as it begins; `None` without a suitable caster. A
    /// target that the unit could drop now should be attacked now.
    fn worth_of_disrupting(&self, ranged: bool) -> Option<i32> {
        let se = self.state;
        let mut best = None;
        for target in self.targets() {
            let f = se.fighter(target.id);
            let casts = f.due > 0 && f.casting.is_none() && se.spells(target.id).next().is_some();
            let worth = || self.best_of(self.here, |t, a| t.id == target.id && a.ranged == ranged);
            let Some(worth) = casts.then(worth).filter(|&n| n > 0 && n <= KILL / 2) else {
                continue;
            };
            let options = target.options.all.iter();
            let options = options.filter(|option| option.ranged == ranged);
            let chance = options.map(|option| option.chance()).max().unwrap_or(0);
            // Assume that a bit more than half of all casters cast.
            let gain = SPOIL * 6 / 10 * chance / 100;
            best = best.max(Some(worth + gain - 30));
        }
        best
    }
}
