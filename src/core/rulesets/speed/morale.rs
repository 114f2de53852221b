//! Morale checks of monsters (SP-30).

use super::{
    Speed,
    query::{SpeedQuery, numbers},
};
use crate::rulesets::speed::content::Ability;
use crate::{
    battle::{DiceBox, EventKind, Id, Modifier, Side, StepOutcome, capitalised, sum},
    rulesets::common::{
        checks::Check, damage::Odds, end_checks::morale_of_side, flee::takes_flight,
    },
    system_step,
};
use bevy_ecs::system::{In, ResMut};
use std::collections::{BTreeMap, BTreeSet};

system_step! {
    /// Every monster with a reason checks morale at the end of a round. All checks use the
    /// state before this step: units that break now still count as allies.
    pub struct Morale => morale
}

fn morale(In(_): In<Morale>, sp: SpeedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let sp = &sp;
    let is_ready = |who: &Id| sp.is_up(*who) && !sp.body(*who).flees;
    let ready = sp.view.ids().filter(is_ready);
    let mut sides: BTreeMap<Side, Vec<(Id, Reasoned)>> = BTreeMap::new();
    for (who, check) in ready.filter_map(|who| Some((who, sp.morale(who)?))) {
        sides.entry(sp.side(who)).or_default().push((who, check));
    }
    let mut breaks = |(who, check): (Id, Reasoned), outcome: &mut StepOutcome| {
        let (roll, against) = (&check.roll, check.against);
        let fails = check.hopeless || !roll.passes("SP-30", against, &mut dice, outcome);
        if check.hopeless {
            let why = "it is hopeless".into();
            outcome.emit("SP-30", EventKind::Stopped { who, why });
        }
        if fails {
            takes_flight::<Speed>(sp, who, outcome);
        }
        fails
    };
    for (side, checks) in sides {
        let reasons = checks.iter().flat_map(|(_, check)| &check.reasons);
        let why: BTreeSet<&str> = reasons.copied().collect();
        let why = capitalised(&Vec::from_iter(why).join(", ")).into();
        morale_of_side(("SP-30", side, why), checks, &mut breaks, &mut outcome);
    }
    outcome
}

/// A morale check before its dice are rolled.
struct Reasoned {
    roll: Check,
    against: i32,
    /// Why the unit checks: "outnumbered".
    reasons: Vec<&'static str>,
    /// Whether the check fails without a roll.
    hopeless: bool,
}

impl SpeedQuery<'_, '_> {
    /// The morale check that the unit must make now. `None` for heroes, fearless units and
    /// units without a reason.
    fn morale(&self, who: Id) -> Option<Reasoned> {
        self.view.creature(who).morale?;
        let (fighter, side) = (self.fighter(who), self.side(who));
        let allies: Vec<Id> = self.view.standing(side).filter(|&id| id != who).collect();
        let opponents = self.view.enemies(side).count();
        let outnumbered = opponents > allies.len() + 1;
        let reasons = [
            (fighter.hit_hard, "hit hard"),
            (outnumbered, "outnumbered"),
            (fighter.intimidated.is_some(), "intimidated"),
        ];
        let had = reasons.into_iter().filter(|reason| reason.0);
        let reasons: Vec<&str> = had.map(|reason| reason.1).collect();
        if reasons.is_empty() {
            return None;
        }
        let mut own = allies.iter().chain([&who]);
        let hurt = own.any(|&id| self.fighter(id).hurt_a_foe);
        let against = (fighter.hit_hard || outnumbered).then_some(self.morale_needs(who));
        let against = against.max(fighter.intimidated);
        let modifiers = self.steadiness(who, allies.len());
        Some(Reasoned {
            roll: Check::new(who, "morale", modifiers, (3, 6)),
            against: against.unwrap_or(0),
            reasons,
            hopeless: !hurt && opponents >= numbers().hopeless * (allies.len() + 1),
        })
    }

    /// What a unit adds to its morale check.
    fn steadiness(&self, who: Id, allies: usize) -> Vec<Modifier> {
        let parts = [
            (self.modifier(who, Ability::Insight), "Insight"),
            (self.stats(who).hit_dice, "HD"),
            (allies as i32, "allies"),
        ];
        let steady = [(self.fighter(who).steady, "handicap")];
        let steady = Modifier::list("OP-03", steady).chain(self.concussed(who));
        Modifier::list("SP-30", parts).chain(steady).collect()
    }

    /// What a check of a unit that is hit hard or outnumbered must reach.
    fn morale_needs(&self, who: Id) -> i32 {
        11 + self.view.enemies(self.side(who)).count() as i32
    }

    /// The chance that a standing unit would fail such a check as things are, if it is not
    /// hopeless. `None` for units that never check.
    pub fn breaks(&self, who: Id) -> Option<Odds> {
        self.view.creature(who).morale?;
        let allies = self.view.standing(self.side(who)).filter(|&id| id != who);
        let bonus = sum(&self.steadiness(who, allies.count()));
        let needs = self.morale_needs(who);
        Some(Odds::of_sum(3, 6, |sum| sum + bonus < needs))
    }
}
