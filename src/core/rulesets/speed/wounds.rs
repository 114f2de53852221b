//! The effects of damage: Stress, Wound Points, falling, dying and recovery (SP-22 to SP-25).

use super::{
    Speed,
    events::SpeedEvent,
    numbers::SpeedCondition,
    odds::{Loss, split},
    query::SpeedQuery,
    state::{Ailment, Hurt, Wound},
};
use crate::rulesets::speed::content::{Ability, DamageType};
use crate::{
    battle::{EventKind, Id, Roll, Rule, State, StepOutcome},
    content::Trait,
    rulesets::common::{bleed::rounds_until, room::room},
    system_step,
};
use bevy_ecs::system::In;
use std::collections::BTreeMap;

/// Damage dealt in one step, all of it to the state before the step.
#[derive(Default)]
pub struct DamageTally {
    /// Stress and Wound Points left for each damaged unit.
    left: BTreeMap<Id, (i32, i32)>,
    /// The number of wounds of each damaged unit so far.
    wounds: BTreeMap<Id, usize>,
}

/// Damage from a hit, an accident or fire.
pub struct Harm {
    pub who: Id,
    pub by: Option<Id>,
    pub points: i32,
    /// Whether all of it goes to Wound Points (SP-26).
    pub critical: bool,
    /// If false, the damage can bring Wound Points to 0 but not below.
    pub lethal: bool,
    pub kind: Option<DamageType>,
    pub roll: Roll,
}

impl Harm {
    /// Lethal damage that is no hit of an enemy: a fall, fire or a spell.
    pub fn plain(who: Id, kind: Option<DamageType>, points: i32, roll: Roll) -> Self {
        Self {
            who,
            by: None,
            points,
            critical: false,
            lethal: true,
            kind,
            roll,
        }
    }
}

impl DamageTally {
    /// Deals damage: first to Stress, the rest to Wound Points.
    pub fn take(&mut self, sp: &SpeedQuery, harm: Harm, outcome: &mut StepOutcome) -> Loss {
        let Harm { who, by, kind, .. } = harm;
        let now = (sp.fighter(who).stress, sp.body(who).hp);
        let left = self.left.entry(who).or_insert(now);
        let loss = split(harm.points, *left, harm.critical, harm.lethal);
        *left = (left.0 - loss.stress, left.1 - loss.wounds);
        // Only the first of the two events shows the roll.
        let mut roll = harm.roll;
        if loss.stress > 0 {
            let stressed = SpeedEvent::Stressed {
                who,
                by,
                points: loss.stress,
                roll: std::mem::take(&mut roll),
            };
            outcome.emit("SP-22", stressed);
        }
        if loss.wounds > 0 || loss.stress == 0 {
            let rule = match (harm.critical, loss.wounds) {
                (_, 0) => "SP-21",
                (true, _) => "SP-26",
                _ => "SP-23",
            };
            outcome.emit(rule, EventKind::damaged(who, by, loss.wounds, roll));
        }
        if loss.wounds > 0 {
            let points = loss.wounds;
            let wound = Wound { kind, points };
            outcome.emit("SP-23", SpeedEvent::Wounded { who, wound });
            let before = sp.fighter(who).wounds.len();
            *self.wounds.entry(who).or_insert(before) += 1;
            if points * 2 > sp.body(who).max_hp {
                outcome.emit("SP-30", SpeedEvent::HitHard { who });
            }
            recovers(sp, who, SpeedCondition::Stabilised, "SP-25", outcome);
        }
        let is_enemy = |by: &Id| sp.side(*by) != sp.side(who);
        if let Some(who) = by.filter(is_enemy).filter(|_| harm.points > 0) {
            outcome.emit("SP-30", SpeedEvent::HurtAFoe { who });
        }
        loss
    }

    /// The index of the unit's latest wound, in the order in which they were taken. `None` if
    /// this step has not wounded the unit.
    pub fn latest(&self, who: Id) -> Option<usize> {
        self.wounds.get(&who).map(|count| count - 1)
    }

    /// Resolves which units fall or die of the damage.
    pub fn close(self, sp: &SpeedQuery, outcome: &mut StepOutcome) {
        for (who, (_, hp)) in self.left {
            reckon(sp, who, hp, hp < sp.body(who).hp, outcome);
        }
    }
}

/// Emits the fall or death of a unit with this many Wound Points (SP-24). True if it is dead.
/// `wounded`: the points were lost to damage, which undoes stabilisation.
pub fn reckon(sp: &SpeedQuery, who: Id, hp: i32, wounded: bool, outcome: &mut StepOutcome) -> bool {
    let strength = sp.fighter(who).score(sp.stats(who), Ability::Strength);
    let steady = sp.fighter(who).suffers(SpeedCondition::Stabilised) && !wounded;
    if hp <= 0 && sp.is_up(who) && !steady {
        fall(sp, who, outcome);
    }
    let minion = hp <= 0 && sp.view.creature(who).has(Trait::Minion) && !steady;
    let dead = sp.body(who).state == State::Dead;
    let dies = !dead && (minion || is_fatal(hp, strength));
    if dies {
        outcome.emit("SP-24", EventKind::Died { who });
    }
    dead || dies
}

/// Whether Wound Points are at or below minus the Strength score, which is death (SP-24).
pub fn is_fatal(hp: i32, strength: i32) -> bool {
    hp <= dead_at(strength)
}

/// The Wound Points at which a unit with this Strength dies (SP-24): -1 with no Strength left.
fn dead_at(strength: i32) -> i32 {
    -strength.max(1)
}

/// Rounds, with this one, after which a dying unit is dead of what dying and bleeding cost it
/// (SP-24, SP-32). `None` for any other unit.
pub fn rounds_to_live(sp: &SpeedQuery, who: Id) -> Option<u16> {
    let conditions = sp.conditions(who);
    conditions.contains(&SpeedCondition::Dying).then(|| {
        let costs = conditions.iter().filter_map(|c| c.effects().wounds);
        let cost: i32 = costs.map(|throw| throw.0.min()).sum();
        let strength = sp.fighter(who).score(sp.stats(who), Ability::Strength);
        rounds_until(sp.body(who).hp, dead_at(strength), cost)
    })
}

/// Ends a condition, if the unit suffers from it.
pub fn recovers(
    sp: &SpeedQuery,
    who: Id,
    condition: SpeedCondition,
    rule: Rule,
    outcome: &mut StepOutcome,
) {
    if sp.fighter(who).suffers(condition) {
        outcome.emit(rule, SpeedEvent::Recovered { who, condition });
    }
}

/// The unit becomes incapacitated and prone, for any reason.
pub fn fall(sp: &SpeedQuery, who: Id, outcome: &mut StepOutcome) {
    outcome.emit("SP-24", EventKind::Fell { who });
    if !sp.body(who).prone {
        outcome.emit("SP-24", SpeedEvent::Sank { who });
        outcome.emit("SP-24", EventKind::Prone { who, prone: true });
    }
}

/// Each of `acts` actions that this step starts costs a strained unit 1 Wound Point (SP-24,
/// SP-25). True if the unit dies of it; the actions are then lost.
pub fn strain(sp: &SpeedQuery, who: Id, acts: u8, outcome: &mut StepOutcome) -> bool {
    let stabilised = sp.fighter(who).suffers(SpeedCondition::Stabilised);
    let rule = if stabilised { "SP-25" } else { "SP-24" };
    let costs = (0..acts).filter(|&before| sp.is_strained(who, before));
    let points = costs.count() as i32;
    (0..points).for_each(|_| outcome.emit(rule, SpeedEvent::Strained { who }));
    points > 0 && reckon(sp, who, sp.body(who).hp - points, false, outcome)
}

/// The target number of a heal check: 10 plus the largest wound (SP-25).
pub fn heal_target(sp: &SpeedQuery, who: Id) -> i32 {
    let wounds = sp.fighter(who).wounds.iter().map(|w| w.points);
    10 + wounds.max().unwrap_or(0)
}

/// Stabilises a unit: it can act and its wounds get no worse (SP-25).
pub fn stabilise(sp: &SpeedQuery, who: Id, outcome: &mut StepOutcome) {
    let ailment = Ailment::new(SpeedCondition::Stabilised, None, None);
    outcome.emit("SP-25", SpeedEvent::Afflicted { who, ailment });
    // A unit that is prone only because it fell stands up, so that it moves at half speed
    // instead of crawling.
    let fighter = sp.fighter(who);
    let pinned = fighter.has(Hurt::Lamed) || fighter.has(Hurt::Paralysed);
    let lies = sp.body(who).prone && fighter.sank && !pinned;
    outcome.push(Rally { who, stands: lies });
}

/// Whether no ability is at 0; an ability at 0 incapacitates by itself (SP-27).
fn is_able(sp: &SpeedQuery, who: Id) -> bool {
    let (stats, fighter) = (sp.stats(who), sp.fighter(who));
    Ability::ALL.iter().all(|&a| fighter.score(stats, a) > 0)
}

system_step! {
    /// A fallen unit rejoins the fight, in its cell or the nearest free one. Rallies run one at
    /// a time, so that each finds the cells of earlier ones taken.
    struct Rally {
        who: Id,
        /// Whether the unit also stands up.
        stands: bool,
    } => rally
}

fn rally(In(Rally { who, stands }): In<Rally>, sp: SpeedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let body = sp.body(who);
    if body.state != State::Down || sp.fighter(who).surrendered || !is_able(&sp, who) {
        return outcome;
    }
    let Some(at) = room::<Speed>(&sp, who, body.at, &[], &mut outcome) else {
        return outcome;
    };
    outcome.emit("SP-25", SpeedEvent::Rallied { who, at });
    if stands {
        outcome.emit("SP-25", EventKind::Prone { who, prone: false });
    }
    outcome
}

/// Restores Wound Points first, then Stress.
pub fn heal(sp: &SpeedQuery, who: Id, points: i32, outcome: &mut StepOutcome) {
    let (body, fighter) = (sp.body(who), sp.fighter(who));
    let wounds = points.min(body.max_hp - body.hp).max(0);
    if wounds > 0 {
        let points = wounds;
        outcome.emit("SP-23", EventKind::Healed { who, points });
        outcome.emit("SP-23", SpeedEvent::Mended { who, points });
    }
    let points = (points - wounds).min(fighter.max_stress - fighter.stress);
    if points > 0 {
        outcome.emit("SP-22", SpeedEvent::Eased { who, points });
    }
    if body.hp + wounds > 0 {
        // A unit with Wound Points above 0 no longer needs to be stabilised.
        if is_able(sp, who) {
            recovers(sp, who, SpeedCondition::Stabilised, "SP-25", outcome);
        }
        let stands = false;
        outcome.push(Rally { who, stands });
    }
}
