//! How a battle begins: who is caught unaware takes no part in the first round.

use super::{
    ac::{Ac, open_ended},
    events::ActivityEvent,
    perception::parts,
    round::RoundStart,
    state::{Lasts, Timed},
};
use crate::{
    battle::{CheckRoll, DiceBox, EventKind, Id, Modifier, Roll, Side, StepOutcome, sum},
    content::Skill,
    levels::{Approach, Awareness, Surprise},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// The first step of a battle.
#[derive(Clone, Debug)]
pub struct Begin;
system_step!(Begin, begin);

/// The unaware are caught, and with them those whom the level says are, or
/// whom a check does. Who is on the alert is caught only by the hidden.
fn begin(In(_): In<Begin>, ac: Ac, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let caught = caught(&ac, &mut dice, &mut outcome);
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        let side = ac.body(who).side;
        let by_hidden = || ac.view.foes(side).any(|foe| ac.actor(foe).hidden);
        let is_caught = match ac.view.level().combatants[who.index()].awareness {
            Awareness::Unaware => true,
            Awareness::Ready => caught.contains(&side),
            Awareness::Alert => caught.contains(&side) && by_hidden(),
        };
        if is_caught {
            outcome.emit("AC-09", surprised(who));
        }
    }
    outcome.then(RoundStart)
}

pub fn is_unaware(ac: &Ac, who: Id) -> bool {
    ac.view.level().combatants[who.index()].awareness == Awareness::Unaware
}

/// Until the end of the round that begins.
pub fn surprised(who: Id) -> EventKind {
    let lasting = Timed {
        what: Lasts::Surprised,
        rounds: 1,
    };
    ActivityEvent::Lasts { who, lasting }.event()
}

/// The sides that are caught: told by the level, or by a roll of the best of
/// one side against the perception of the best of each other.
fn caught(ac: &Ac, dice: &mut DiceBox, outcome: &mut StepOutcome) -> Vec<Side> {
    let (by, how, against) = match &ac.view.level().surprise {
        Surprise::None => return vec![],
        Surprise::Caught(sides) => return sides.iter().map(|&s| s.into()).collect(),
        Surprise::Check { by, how, against } => (Side::from(*by), *how, against),
    };
    let Some((attacker, approach)) = best(ac, by, |id| approach(ac, id, how)) else {
        return vec![];
    };
    let what = match how {
        Approach::Stealth => "stealth",
        Approach::Force => "force",
    };
    let roll = rolled(approach, dice);
    let target = roll.total();
    log_text(attacker, what, roll, None, outcome);
    let mut out = vec![];
    for side in against.iter().map(|&s| Side::from(s)) {
        let Some((who, notice)) = best(ac, side, |id| parts(ac, id)) else {
            continue;
        };
        let roll = rolled(notice, dice);
        let notices = roll.total() >= target;
        log_text(who, "perception", roll, Some(target), outcome);
        if !notices {
            out.push(side);
        }
    }
    out
}

/// Quickness and 8 for each level of Sneak; or Exert alone, where force
/// decides; less what armour takes from maneuvers.
fn approach(ac: &Ac, id: Id, how: Approach) -> Vec<Modifier> {
    let (skill, attribute) = match how {
        Approach::Stealth => (Skill::Sneak, ac.stats(id).quickness),
        Approach::Force => (Skill::Exert, 0),
    };
    let (skill, level) = ac.skill(id, &[skill]);
    let parts = [
        bonus(attribute, "Quickness"),
        bonus(8 * level, skill.name()),
    ];
    let own = parts.into_iter().filter(|m| m.value != 0);
    own.chain(ac.hindrances(id)).collect()
}

fn bonus(value: i32, label: &'static str) -> Modifier {
    Modifier::new(value as i16, label, "AC-35")
}

/// The member with the best of such bonuses; the first of equals.
fn best(ac: &Ac, side: Side, of: impl Fn(Id) -> Vec<Modifier>) -> Option<(Id, Vec<Modifier>)> {
    let all = ac.view.standing(side).map(|id| (id, of(id)));
    all.reduce(|best, next| {
        if sum(&next.1) > sum(&best.1) {
            next
        } else {
            best
        }
    })
}

fn rolled(modifiers: Vec<Modifier>, dice: &mut DiceBox) -> Roll {
    Roll {
        modifiers,
        ..open_ended(dice)
    }
}

fn log_text(
    who: Id,
    what: &'static str,
    roll: Roll,
    against: Option<i32>,
    outcome: &mut StepOutcome,
) {
    let passed = against.map(|n| roll.total() >= n);
    outcome.emit(
        "AC-35",
        CheckRoll::by(who, what, roll)
            .against(against)
            .passed(passed)
            .event(),
    );
}
