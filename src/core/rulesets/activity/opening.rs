//! The start of a battle: surprised units do not act in the first round.

use super::{
    Activity,
    events::ActivityEvent,
    perception::parts,
    query::{ActivityQuery, open_ended},
    round::RoundStart,
    state::{Lasts, Timed},
};
use crate::{
    battle::{CheckRoll, DiceBox, EventKind, Id, Modifier, Rule, Side, StepOutcome, sum},
    content::Skill,
    levels::{Approach, Awareness},
    rulesets::common::{
        hiding::{self, take_places},
        surprise::{Surprises, best, caught},
    },
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// The first step of a battle.
    pub struct Begin => begin
}

fn begin(In(_): In<Begin>, ac: ActivityQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    take_places::<Activity>(&ac, &mut outcome);
    outcome.then(Opening).then(RoundStart)
}

system_step! { struct Opening => open }

fn open(In(_): In<Opening>, ac: ActivityQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in caught::<Activity>(&ac, &mut dice, &mut outcome) {
        hiding::emit_unless_hidden::<Activity>(&ac, who, "AC-09", surprised(who), &mut outcome);
    }
    outcome
}

pub fn is_unaware(ac: &ActivityQuery, who: Id) -> bool {
    ac.view.level().combatants[who.index()].awareness == Awareness::Unaware
}

/// Surprise until the end of the round that begins.
pub fn surprised(who: Id) -> EventKind {
    let lasting = Timed {
        what: Lasts::Surprised,
        rounds: 1,
    };
    ActivityEvent::Lasts { who, lasting }.into()
}

impl Surprises for Activity {
    const NOTICED: Rule = "AC-35";

    fn check(
        ac: &ActivityQuery,
        side: Side,
        approach: Option<Approach>,
        dice: &mut DiceBox,
    ) -> Option<CheckRoll> {
        let modifiers = |id: Id| match approach {
            Some(Approach::Stealth) => moving(ac, id, Skill::Sneak, ac.stats(id).quickness),
            Some(Approach::Force) => moving(ac, id, Skill::Exert, 0),
            None => parts(ac, id),
        };
        let what = match approach {
            Some(Approach::Stealth) => "stealth",
            Some(Approach::Force) => "force",
            None => "perception",
        };
        let all = ac.view.standing(side).map(|id| (id, modifiers(id)));
        let (who, modifiers) = best(all, |member| sum(&member.1))?;
        Some(CheckRoll::by(who, what, open_ended(modifiers, dice)))
    }
}

/// Modifiers to an approach: 8 per level of the skill, Quickness for stealth, minus the armour
/// penalty to maneuvers.
fn moving(ac: &ActivityQuery, id: Id, skill: Skill, quickness: i32) -> Vec<Modifier> {
    let (skill, level) = ac.skill(id, &[skill]);
    let parts = [(quickness, "Quickness"), (8 * level, skill.label())];
    let own = Modifier::list("AC-35", parts);
    own.chain(ac.hindrances(id)).collect()
}
