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

    fn approaches(
        ac: &ActivityQuery,
        side: Side,
        how: Approach,
        dice: &mut DiceBox,
    ) -> Option<CheckRoll> {
        let what = match how {
            Approach::Stealth => "stealth",
            Approach::Force => "force",
        };
        best_roll(ac, side, what, |id| approach(ac, id, how), dice)
    }

    fn notices(ac: &ActivityQuery, side: Side, dice: &mut DiceBox) -> Option<CheckRoll> {
        best_roll(ac, side, "perception", |id| parts(ac, id), dice)
    }
}

/// Modifiers to an approach: Quickness and 8 per level of Sneak for stealth, 8 per level of
/// Exert for force, minus the armour penalty to maneuvers.
fn approach(ac: &ActivityQuery, id: Id, how: Approach) -> Vec<Modifier> {
    let (skill, attribute) = match how {
        Approach::Stealth => (Skill::Sneak, ac.stats(id).quickness),
        Approach::Force => (Skill::Exert, 0),
    };
    let (skill, level) = ac.skill(id, &[skill]);
    let parts = [(attribute, "Quickness"), (8 * level, skill.label())];
    let own = Modifier::list("AC-35", parts);
    own.chain(ac.hindrances(id)).collect()
}

/// A check by the side's member with the best bonus.
fn best_roll(
    ac: &ActivityQuery,
    side: Side,
    what: &'static str,
    of: impl Fn(Id) -> Vec<Modifier>,
    dice: &mut DiceBox,
) -> Option<CheckRoll> {
    let all = ac.view.standing(side).map(|id| (id, of(id)));
    let (who, modifiers) = best(all, |member| sum(&member.1))?;
    Some(CheckRoll::by(who, what, open_ended(modifiers, dice)))
}
