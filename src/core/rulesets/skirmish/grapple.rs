//! Grapples (SK-51 to SK-54): which unit holds which, what that forbids, the damage of a hold, and
//! when it ends.

use super::{
    checks::Check, pending_checks::PendingCheck, query::SkirmishQuery, state::GrappleState,
};
use crate::{
    battle::{Attack, DiceBox, Id, Item, Rule, StepOutcome, Why, events, of_unit_mut},
    content::{Attribute, Bulk, Make, Skill},
    rulesets::common::damage::Odds,
};
use bevy_ecs::world::World;

events! {
    /// Events about holds.
    pub enum GrappleEvent: RulesetEvent |world, names, unknown| {
        /// The attack of a maneuver has hit; an opposed check decides now.
        Opening { by: Id, at: Id }
            log(Trace "{by} has an opening on {at}") apply { grip(world, by).opening = Some(*at) };

        /// The opposed check was made.
        Decided { by: Id } log(silent) apply { grip(world, by).opening = None };

        Seized { by: Id, who: Id }
            log(Fact "{by} has a hold on {who}")
            cue(Bad, who, "held")
            apply {
                grip(world, by).holds = Some(*who);
                grip(world, who).held_by |= by.bit();
            };

        Released { by: Id, who: Id }
            log(Fact "{by} no longer holds {who}")
            cue(Good, who, "free")
            apply {
                grip(world, by).holds = None;
                grip(world, who).held_by &= !by.bit();
            };
    }
}

fn grip<'w>(world: &'w mut World, who: &Id) -> &'w mut GrappleState {
    of_unit_mut::<GrappleState>(world, *who)
}

impl SkirmishQuery<'_, '_> {
    /// The unit that this unit holds.
    pub fn holds(&self, id: Id) -> Option<Id> {
        self.grip(id).holds
    }

    /// The units that hold this unit, in id order.
    pub fn holders(&self, id: Id) -> impl Iterator<Item = Id> + use<> {
        self.view.of_bits(self.grip(id).held_by)
    }

    /// Whether a unit holds another or is held (SK-52).
    pub fn in_grapple(&self, id: Id) -> bool {
        let grip = self.grip(id);
        grip.holds.is_some() || grip.held_by != 0
    }

    /// Checks that a unit is not in a grapple, where it couldn't move (SK-52).
    pub fn free_to_move(&self, id: Id) -> Result<(), Why> {
        let names = self.view.names();
        let held = self.holders(id).next();
        let held = held.map(|by| format!("held by {}", names.name(by)));
        let holding = || Some(format!("holding {}", names.name(self.holds(id)?)));
        let why = held.or_else(holding);
        why.map_or(Ok(()), |text| Err(Why::new("SK-52", text)))
    }

    /// Checks that a unit can use a weapon: in a grapple, only unarmed attacks and natural melee
    /// weapons work (SK-52).
    pub fn free_to_use(&self, id: Id, item: Item, ranged: bool) -> Result<(), Why> {
        let why = "in a grapple only natural weapons and unarmed attacks work";
        let barred = ranged || self.weapon(item).make == Make::Forged;
        Why::new("SK-52", why).when(barred && self.in_grapple(id))
    }

    /// The weapon for unarmed attacks: claws or teeth if the unit has any, else bare hands.
    pub fn unarmed(&self, id: Id) -> Option<Item> {
        let mut own = self.inventory(id).at(crate::battle::ItemPlace::Body);
        own.find(|&n| self.weapon(n).melee.is_some())
    }

    /// The STR/Brawl check of a unit in a grapple (SK-51).
    fn wrestling(&self, id: Id) -> Check {
        self.check(id, "grapple", &[Attribute::Str], &[Skill::Brawl])
    }

    /// The checks of both units when `by` grapples, holds or drags `at`, with a penalty for a
    /// larger target (SK-54); or why it is too large.
    pub fn grapple_checks(&self, by: Id, at: Id) -> Result<(Check, Check), Why> {
        let penalty = self.bulk_penalty(by, at)?;
        let mine = self.wrestling(by).plus(penalty, "larger body", "SK-54");
        Ok((mine, self.wrestling(at)))
    }

    /// The checks of both units when `by` shoves `at`: STR with Brawl or Exert (SK-50), with a
    /// penalty for a larger target (SK-54).
    fn shove_checks(&self, by: Id, at: Id) -> Result<(Check, Check), Why> {
        let penalty = self.bulk_penalty(by, at)?;
        let skills = [Skill::Brawl, Skill::Exert];
        let check = |id, what| self.check(id, what, &[Attribute::Str], &skills);
        let shove = check(by, "shove").plus(penalty, "larger body", "SK-54");
        Ok((shove, check(at, "stand firm")))
    }

    /// The checks of both units after the hit of a maneuver: a shove (SK-50), or else a grapple.
    pub fn maneuver_checks(&self, attack: &Attack) -> Result<(Check, Check), Why> {
        match attack.rule {
            "SK-50" => self.shove_checks(attack.by, attack.at),
            _ => self.grapple_checks(attack.by, attack.at),
        }
    }

    /// SK-54: the penalty for a larger target, or why it is too large to grapple.
    fn bulk_penalty(&self, by: Id, at: Id) -> Result<i16, Why> {
        let bulk = |id| self.view.creature(id).bulk;
        match (bulk(by), bulk(at)) {
            (_, Bulk::Beyond) => Err(Why::new("SK-54", "the target is too big to grapple")),
            (mine, theirs) if theirs <= mine => Ok(0),
            (Bulk::Ordinary, Bulk::Large) | (Bulk::Large, Bulk::Huge) => Ok(-2),
            _ => Ok(-4),
        }
    }

    /// The chance that a held unit breaks free of one holder with one check.
    pub fn odds_to_break(&self, who: Id, by: Id) -> Odds {
        match self.grapple_checks(by, who) {
            Ok((holder, held)) => held.odds_against(&holder),
            Err(_) => Odds::SURE,
        }
    }
}

/// SK-51: the held unit rolls one check against one of each holder, and breaks free of each holder
/// that it beats.
pub fn struggle(sk: &SkirmishQuery, who: Id, dice: &mut DiceBox) -> PendingCheck {
    let against = |by: Id| sk.grapple_checks(by, who).ok().map(|c| c.0);
    let checks: Vec<Check> = sk.holders(who).filter_map(against).collect();
    PendingCheck::each("SK-51", sk.wrestling(who), checks, dice)
}

/// Ends the hold of a unit, if it holds another.
pub fn release(sk: &SkirmishQuery, by: Id, rule: Rule, outcome: &mut StepOutcome) {
    if let Some(who) = sk.holds(by) {
        outcome.emit(rule, GrappleEvent::Released { by, who });
    }
}

/// SK-51: ends holds where one of the two has fallen, the holder is helpless, or they are out of
/// reach.
pub fn lapse(sk: &SkirmishQuery, outcome: &mut StepOutcome) {
    for by in sk.view.ids() {
        let Some(who) = sk.holds(by) else { continue };
        let reach = sk.unarmed(by).and_then(|n| sk.reach(by, n)).unwrap_or(5);
        let grips = sk.is_up(by) && !sk.view.is_held(by);
        let lasts = grips && sk.is_up(who) && sk.view.in_reach(by, who, reach);
        if !lasts {
            release(sk, by, "SK-51", outcome);
        }
    }
}

/// The unarmed attack of a holder on the unit that it holds.
pub fn grip_of(by: Id, at: Id, with: Item) -> Attack {
    Attack::new(by, at, with, false, "SK-52")
}
