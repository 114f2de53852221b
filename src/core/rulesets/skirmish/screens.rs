//! How screens work: which units intercept an attack on their protected ally, and which target the
//! attack ends up with (SK-15, SK-16).

use super::{
    checks::Check, pending_checks::PendingCheck, query::SkirmishQuery, stance::StanceEvent,
};
use crate::{
    battle::{Attack, DiceBox, Id, Rule, StepOutcome},
    content::{Attribute, Skill},
    grid::{Cell, Space, cells_apart},
    rulesets::common::damage::Odds,
};
use std::collections::BTreeMap;

/// The attackers that each screener has answered in the current step, as bit sets.
pub type Answered = BTreeMap<Id, u64>;

impl SkirmishQuery<'_, '_> {
    /// A unit's best level in a combat skill, at least 0. Units other than heroes have one number
    /// for all skills.
    pub fn combat_skill(&self, who: Id) -> i32 {
        let creature = self.view.creature(who);
        let levels = Skill::COMBAT.iter().filter_map(|&s| creature.skill(s));
        levels.max().unwrap_or(0)
    }

    /// How many more attackers a screener can answer this round.
    pub fn screens_left(&self, who: Id) -> u32 {
        let answered = self.stance(who).answered.count_ones();
        u32::try_from(self.combat_skill(who)).map_or(0, |most| most.saturating_sub(answered))
    }

    /// The units that could intercept an attack from `from`, in id order.
    pub fn screeners(&self, attack: &Attack, from: Cell, answered: &Answered) -> Vec<Id> {
        let by = self.stance(attack.at).screened_by;
        if by == 0 {
            return vec![];
        }
        let own = self.body(attack.by).side;
        let stands = |&id: &Id| {
            let here = by & id.bit() != 0 && id != attack.by && self.can_react(id);
            // A unit in a grapple can't screen (SK-52).
            let free = self.free_to_move(id).is_ok();
            here && free && self.body(id).side != own && self.view.within(id, attack.at, 5)
        };
        let fresh = |&id: &Id| {
            let now = answered.get(&id).copied().unwrap_or(0);
            let all = self.stance(id).answered | now;
            let room = (all.count_ones() as i32) < self.combat_skill(id);
            room || all & attack.by.bit() != 0
        };
        // A screener stops a ranged attack only if it is no farther from the attacker than its ally
        // (SK-15).
        let far = |id: Id| {
            let here = Space::new(from, self.body(attack.by).size);
            cells_apart(here, self.body(id).space())
        };
        let between = |&id: &Id| !attack.ranged || far(id) <= far(attack.at);
        // A screener can stop only attacks that could also be made on it.
        let in_the_way = |&id: &Id| {
            let instead = Attack {
                at: id,
                ..attack.clone()
            };
            self.can_attack_from(&instead, from).is_ok()
        };
        let able = self.view.ids().filter(stands).filter(fresh);
        able.filter(between).filter(in_the_way).collect()
    }

    /// The attacker's check to get past screens, with its weapon's skill.
    pub fn check_to_pass(&self, attack: &Attack) -> Check {
        let skills = self.weapon(attack.with).skills(attack.ranged);
        self.check(attack.by, "to get past the screen", &SCREENING, skills)
    }

    pub fn check_to_screen(&self, who: Id) -> Check {
        self.check(who, "screen", &SCREENING, &Skill::COMBAT)
    }

    /// The chance that an attack from `from` gets past the target's screeners: one roll must beat
    /// all of theirs; ties go to the screeners.
    pub fn chance_to_pass(&self, attack: &Attack, from: Cell) -> Odds {
        let screeners = self.screeners(attack, from, &Answered::new());
        if screeners.is_empty() {
            return Odds::SURE;
        }
        let theirs = screeners.iter().map(|&id| self.check_to_screen(id));
        self.check_to_pass(attack)
            .odds_against_all(&theirs.collect::<Vec<_>>())
    }
}

const SCREENING: [Attribute; 2] = [Attribute::Str, Attribute::Dex];

/// The check of an attack against its screeners: one roll against one of each. `None` if there are
/// none.
pub fn meet(
    sk: &SkirmishQuery,
    attack: &Attack,
    answered: &mut Answered,
    dice: &mut DiceBox,
) -> Option<PendingCheck> {
    if sk.stance(attack.at).screened_by == 0 || sk.can_attack(attack).is_err() {
        return None;
    }
    let screeners = sk.screeners(attack, sk.body(attack.by).at, answered);
    if screeners.is_empty() {
        return None;
    }
    for &id in &screeners {
        *answered.entry(id).or_default() |= attack.by.bit();
    }
    let checks = screeners.iter().map(|&id| sk.check_to_screen(id)).collect();
    let pass = sk.check_to_pass(attack);
    Some(PendingCheck::all(rule(attack), pass, checks, dice))
}

/// The attack after the check: of the screeners that still stand and were not beaten, the one with
/// the lowest total becomes the target.
pub fn intercepted(
    sk: &SkirmishQuery,
    attack: Attack,
    pending: &PendingCheck,
    outcome: &mut StepOutcome,
) -> Attack {
    let (by, rule) = (attack.by, rule(&attack));
    for who in pending.against() {
        outcome.emit(rule, StanceEvent::Answered { who, by });
    }
    let Some((_, who)) = pending.unbeaten().filter(|o| sk.is_up(o.1)).min() else {
        return attack;
    };
    let ward = attack.at;
    outcome.emit(rule, StanceEvent::Intercepts { who, ward });
    Attack { at: who, ..attack }
}

/// The rule of a screen against this attack.
pub fn rule(attack: &Attack) -> Rule {
    if attack.ranged { "SK-16" } else { "SK-15" }
}
