//! What to declare with the enemy's choices in mind (SE-20), and when to hold
//! (SE-35).

use super::{Evaluation, KILL, NEVER, SPOIL, segment_of};
use crate::{
    battle::{Id, Offer},
    grid::cells_apart,
    rulesets::{
        common::ai,
        segments::{
            acts::has_a_charge,
            declare,
            state::{Blow, Intent},
        },
    },
};

impl Evaluation<'_, '_, '_> {
    /// What a declaration is worth.
    pub(in super::super) fn plan(&self, offer: &Offer) -> i32 {
        let plan = declare::intent(&offer.choice);
        match plan.expect("it declares something") {
            Intent::Attack => self.plan_to_attack(),
            Intent::Missiles => self.plan_to_shoot(),
            Intent::Set => self.plan_to_brace(),
            Intent::Cast(spell) => self.plan_to_cast(spell),
            // Any plan may become a move; this one can become nothing else.
            Intent::Move => self.plan_to_move(),
        }
    }

    fn plan_to_attack(&self) -> i32 {
        let strike = self.best_of(self.here, |_, arm| !arm.ranged);
        if strike > 0 {
            return strike + 10;
        }
        // To charge, or to strike at who comes: it is the plan of who has no
        // other.
        let near = self.within_charge();
        20 + self.melee_worth() * if near { 6 } else { 2 } / 10
    }

    /// Some foe could be charged, or could charge.
    fn within_charge(&self) -> bool {
        let here = self.space(self.here);
        let feet = self.state.speed(self.who) * 2 + 5;
        let near = |t: &ai::Target| cells_apart(here, t.space) * 5 <= feet;
        self.targets().iter().any(near) && has_a_charge(self.state, self.who)
    }

    /// The best that it does to anybody once it stands next to them.
    fn melee_worth(&self) -> i32 {
        let arms = self.targets().iter().flat_map(|t| t.arms.iter());
        let melee = arms.filter(|arm| !arm.ranged);
        melee.map(|arm| arm.most()).max().unwrap_or(0)
    }

    fn plan_to_shoot(&self) -> i32 {
        let best = self.best_of(self.here, |_, arm| arm.ranged);
        // It comes sooner, and from where nobody strikes back.
        if best > 0 { best + 40 } else { 0 }
    }

    /// A spear is set when somebody is likely to charge (SE-51).
    fn plan_to_brace(&self) -> i32 {
        self.brace(|_| true)
    }

    /// In a surprise segment, where a spear stays set as long as that: worth it
    /// against those who act in it too (SE-14).
    pub(in super::super) fn brace_now(&self) -> i32 {
        match self.brace(|foe| self.state.fighter(foe).due > 0) {
            ..=0 => NEVER,
            worth => self.stay() + worth,
        }
    }

    /// Who stands by keeps a spear set for those who act later.
    pub(in super::super) fn kept_set(&self) -> i32 {
        let (se, now) = (self.state, self.state.clock.segment);
        match se.fighter(self.who).is_set() {
            true => self.brace(|foe| se.fighter(foe).due > now).max(0),
            false => 0,
        }
    }

    /// What a spear may do to the best of those who may charge it.
    fn brace(&self, may: impl Fn(Id) -> bool) -> i32 {
        let se = self.state;
        let Some(spear) = declare::spear(se, self.who) else {
            return NEVER;
        };
        if se.is_engaged(self.who) {
            return NEVER;
        }
        let here = self.space(self.here);
        let mut best = 0;
        for foe in self.dangers() {
            let far = cells_apart(foe.space, here) * 5;
            let comes = may(foe.foe)
                && foe.melee > foe.ranged
                && far >= 15
                && far <= foe.strike
                && has_a_charge(se, foe.foe)
                && !se.is_helpless(foe.foe);
            if comes {
                let blow = Blow {
                    times: 2,
                    ..Blow::new(self.who, foe.foe, spear, false, "SE-51")
                };
                let worth = self.worth(foe.foe, &se.plain_forecast(&blow));
                best = best.max(worth);
            }
        }
        // They may charge another unit, or none: after rounds in vain the spear is no plan.
        if best > 0 {
            (best / 2 + 60) * self.patience_left() / 100
        } else {
            0
        }
    }

    /// Worth it for who has somewhere to be, or nothing to fight with.
    fn plan_to_move(&self) -> i32 {
        match self.paces_to_goal(self.here) {
            Some(0) | None => 5,
            Some(_) => 300,
        }
    }

    /// To hold is worth it when the enemy is about to come, or about to cast.
    pub(in super::super) fn hold(&self, until: i32) -> i32 {
        let se = self.state;
        let f = se.fighter(self.who);
        let mine = se.body(self.who).side;
        let now = i32::from(se.clock.segment);
        let others = se.view.roster.sides().filter(|s| *s != mine);
        let theirs = others.map(|s| i32::from(segment_of(&se.clock, s)));
        let Some(theirs) = theirs.filter(|&s| s > now).min() else {
            return NEVER;
        };
        // A caster begins in its side's segment: who strikes in the same one
        // spoils the spell.
        let ranged = f.intent == Some(Intent::Missiles);
        if until == theirs && (ranged || f.intent == Some(Intent::Attack)) {
            let gain = self.to_spoil(ranged);
            return gain.map_or(NEVER, |gain| self.stay() + gain);
        }
        if until != theirs + 1 || f.intent != Some(Intent::Attack) {
            return NEVER;
        }
        // Who comes to it has spent its action: the first blow is its own.
        if self.best_of(self.here, |_, arm| !arm.ranged) > 0 || self.is_sent() {
            return NEVER;
        }
        let here = self.space(self.here);
        let comes = |d: &&ai::Danger| {
            let far = cells_apart(d.space, here) * 5;
            d.melee > d.ranged && far <= se.speed(d.foe) + d.reach
        };
        let coming = self.dangers().iter().filter(comes).count();
        if coming == 0 {
            return NEVER;
        }
        let patience = (4 - i32::from(se.clock.round.min(4))) * 40;
        self.stay() + (self.melee_worth() / 3 + patience) * self.patience_left() / 100
    }

    /// What it gains to strike at a caster just as it begins. Who could drop it
    /// now had better do so.
    fn to_spoil(&self, ranged: bool) -> Option<i32> {
        let se = self.state;
        let mut best = None;
        for target in self.targets() {
            let f = se.fighter(target.id);
            let casts = f.due > 0 && f.casting.is_none() && se.spells(target.id).next().is_some();
            let worth = || self.best_of(self.here, |t, a| t.id == target.id && a.ranged == ranged);
            let Some(worth) = casts.then(worth).filter(|&n| n > 0 && n <= KILL / 2) else {
                continue;
            };
            let arms = target.arms.iter().filter(|arm| arm.ranged == ranged);
            let chance = arms.map(|arm| arm.chance()).max().unwrap_or(0);
            // Rather more than every second caster casts.
            let gain = SPOIL * 6 / 10 * chance / 100;
            best = best.max(Some(worth + gain - 30));
        }
        best
    }
}
