//! What to declare, given what the enemy may do (SE-20), and when to hold (SE-35).

use super::{Evaluation, KILL, NEVER, SPOIL, segment_of};
use crate::{
    battle::{Id, Offer},
    rulesets::{
        common::ai,
        segments::{
            acts::has_a_charge,
            declare,
            state::{AttackSpec, Intent},
        },
    },
};

impl Evaluation<'_, '_, '_> {
    /// The worth of a declaration.
    pub fn plan(&self, offer: &Offer) -> i32 {
        let plan = declare::intent(&offer.choice);
        match plan.expect("it declares something") {
            Intent::Attack => self.plan_to_attack(),
            Intent::Missiles => self.plan_to_shoot(),
            // Setting a spear pays when an enemy is likely to charge (SE-51).
            Intent::Set => self.brace(|_| true),
            Intent::Cast(spell) => self.plan_to_cast(spell),
            // Other declarations can still become a move; this one allows only a move.
            Intent::Move => self.plan_to_move(),
        }
    }

    fn plan_to_attack(&self) -> i32 {
        let strike = self.best_of(self.here, |_, option| !option.ranged);
        if strike > 0 {
            return strike + 10;
        }
        // Charge, or attack an enemy that comes close. It is the default plan, so it always has
        // some worth.
        let near = self.within_charge();
        20 + self.melee_worth() * if near { 6 } else { 2 } / 10
    }

    /// Whether an enemy is within charge distance and the unit can charge.
    fn within_charge(&self) -> bool {
        let feet = self.state.view.speed(self.who) * 2 + 5;
        let near = |t: &ai::Target| self.feet_to(t.space) <= feet;
        self.targets().iter().any(near) && has_a_charge(self.state, self.who)
    }

    fn plan_to_shoot(&self) -> i32 {
        let best = self.best_of(self.here, |_, option| option.ranged);
        // Missiles come sooner, and from out of reach.
        if best > 0 { best + 40 } else { 0 }
    }

    /// In a surprise segment, where the spear stays set only that long, it pays against enemies
    /// that also act in it (SE-14).
    pub fn brace_now(&self) -> i32 {
        match self.brace(|enemy| self.state.fighter(enemy).due > 0) {
            ..=0 => NEVER,
            worth => self.stay() + worth,
        }
    }

    /// A unit that passes keeps its spear set against enemies that act later.
    pub fn kept_set(&self) -> i32 {
        let (se, now) = (self.state, self.state.clock.segment);
        match se.fighter(self.who).is_set() {
            true => self.brace(|enemy| se.fighter(enemy).due > now).max(0),
            false => 0,
        }
    }

    /// The worth of a set spear against the best target among the enemies that may charge.
    fn brace(&self, may: impl Fn(Id) -> bool) -> i32 {
        let se = self.state;
        let Some(spear) = declare::spear(se, self.who) else {
            return NEVER;
        };
        if se.is_engaged(self.who) {
            return NEVER;
        }
        let mut best = 0;
        for enemy in self.dangers() {
            let far = self.feet_to(enemy.space);
            let comes = may(enemy.enemy)
                && enemy.melee > enemy.ranged
                && far >= 15
                && far <= enemy.strike
                && has_a_charge(se, enemy.enemy)
                && !se.is_helpless(enemy.enemy);
            if comes {
                let spec = AttackSpec {
                    times: 2,
                    ..AttackSpec::new(self.who, enemy.enemy, spear, false, "SE-51")
                };
                let worth = self.worth(enemy.enemy, &se.unobstructed_forecast(&spec));
                best = best.max(worth);
            }
        }
        // Enemies may charge another unit or nobody, so a set spear loses worth in idle rounds.
        if best > 0 {
            (best / 2 + 60) * self.patience_left() / 100
        } else {
            0
        }
    }

    /// Worth it for a unit with a place to reach, or nothing to fight with.
    fn plan_to_move(&self) -> i32 {
        match self.steps_to_goal(self.here) {
            Some(0) | None => 5,
            Some(_) => 300,
        }
    }

    /// Holding pays when the enemy is about to come close or to cast.
    pub fn hold(&self, until: i32) -> i32 {
        let se = self.state;
        let f = se.fighter(self.who);
        let now = i32::from(se.clock.segment);
        let others = self.view.roster.sides().filter(|s| *s != self.side());
        let theirs = others.map(|s| i32::from(segment_of(&se.clock, s)));
        let Some(theirs) = theirs.filter(|&s| s > now).min() else {
            return NEVER;
        };
        // A caster begins in its side's segment: an attack in that segment spoils the spell.
        let ranged = f.intent == Some(Intent::Missiles);
        if until == theirs && (ranged || f.intent == Some(Intent::Attack)) {
            let gain = self.worth_of_disrupting(ranged);
            return gain.map_or(NEVER, |gain| self.stay() + gain);
        }
        if until != theirs + 1 || f.intent != Some(Intent::Attack) {
            return NEVER;
        }
        // An enemy that comes close has spent its action, so this unit attacks first.
        if self.best_of(self.here, |_, option| !option.ranged) > 0 || self.is_sent_by_objective() {
            return NEVER;
        }
        let comes = |d: &ai::Danger| {
            d.melee > d.ranged && self.feet_to(d.space) <= se.view.speed(d.enemy) + d.reach
        };
        if !self.dangers().iter().any(comes) {
            return NEVER;
        }
        let patience = (4 - i32::from(se.clock.round.min(4))) * 40;
        self.stay() + (self.melee_worth() / 3 + patience) * self.patience_left() / 100
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
            let options = target
                .options
                .iter()
                .filter(|option| option.ranged == ranged);
            let chance = options.map(|option| option.chance()).max().unwrap_or(0);
            // Assume that a bit more than half of all casters cast.
            let gain = SPOIL * 6 / 10 * chance / 100;
            best = best.max(Some(worth + gain - 30));
        }
        best
    }
}
