//! Who has something to do in a part of the round, and who of them comes first
//! (PH-02, PH-04): derived from the state, never kept in a queue.

use super::{ability, own_simple, shoot, strike, toil};
use crate::{
    battle::{Id, Side},
    rulesets::phased::{
        query::PhasedQuery,
        state::{Group, Part, Plan},
    },
};

/// Those who have something to do in this part, in id order.
pub fn due(ph: &PhasedQuery) -> Vec<Id> {
    ph.view.ids().filter(|&id| is_due(ph, id)).collect()
}

/// Those of them who act now: all of a side when nobody else is there; in a
/// tie, those who come first by weapon speed or reaction (PH-02). Hidden units come after
/// others whom they would be level with: those do not know of them, and have the turn to
/// themselves (PH-06).
pub fn batch(ph: &PhasedQuery, due: &[Id]) -> Option<Vec<Id>> {
    let best = match is_tie(ph, due) {
        true => due.iter().map(|&id| key(ph, id)).min(),
        false => None,
    };
    let is_now = |id: &Id| best.is_none_or(|best| key(ph, *id) == best);
    let now: Vec<Id> = due.iter().copied().filter(is_now).collect();
    let in_sight = in_sight(ph, &now);
    if are_of_several(ph, &in_sight) {
        return Some(now);
    }
    let side = in_sight.iter().map(|&id| ph.body(id).side).min()?;
    let of_side = |id: &Id| ph.body(*id).side == side;
    Some(now.into_iter().filter(of_side).collect())
}

/// Those of them who are not in hiding; all if that is nobody.
fn in_sight(ph: &PhasedQuery, all: &[Id]) -> Vec<Id> {
    let is_seen = |id: &Id| !ph.fighter(*id).hidden;
    match all.iter().any(is_seen) {
        true => all.iter().copied().filter(is_seen).collect(),
        false => all.to_vec(),
    }
}

fn are_of_several(ph: &PhasedQuery, all: &[Id]) -> bool {
    all.iter()
        .any(|&id| ph.body(id).side != ph.body(all[0]).side)
}

/// The side that acts now; none between turns, and where several act at once.
pub fn side_now(ph: &PhasedQuery) -> Option<Side> {
    let batch = batch(ph, &due(ph))?;
    let side = ph.body(batch[0]).side;
    let alone = batch.iter().all(|&id| ph.body(id).side == side);
    alone.then_some(side)
}

/// Units of several sides have something to do, as far as those in sight know.
fn is_tie(ph: &PhasedQuery, due: &[Id]) -> bool {
    are_of_several(ph, &in_sight(ph, due))
}

/// What sorts those who act at one time: the delayed come last (PH-17), then the
/// attribute of the kind, lowest first. Abilities and other acts have none that
/// decides (PH-02).
fn key(ph: &PhasedQuery, id: Id) -> (bool, i16) {
    let attribute = match ph.clock.part {
        Part::Missile => -(ph.stats(id).reaction as i16),
        Part::Melee | Part::Multi | Part::Rest => {
            strike::next_speed(ph, id).map_or(i16::MAX, i16::from)
        }
        _ => 0,
    };
    (ph.fighter(id).delayed, attribute)
}

/// In a tie of melee only weapons of this speed come now; none: any.
pub fn speed_now(ph: &PhasedQuery) -> Option<u8> {
    if !matches!(ph.clock.part, Part::Melee | Part::Multi | Part::Rest) {
        return None;
    }
    let due = due(ph);
    if !is_tie(ph, &due) {
        return None;
    }
    let best = due.iter().map(|&id| key(ph, id)).min()?;
    u8::try_from(best.1).ok()
}

/// Weapon speed decides who comes when (PH-02).
pub fn is_level(ph: &PhasedQuery) -> bool {
    speed_now(ph).is_some()
}

/// Whether a part of the round has anything for somebody.
fn is_due(ph: &PhasedQuery, who: Id) -> bool {
    let (part, group) = (ph.clock.part, ph.clock.group);
    let f = ph.fighter(who);
    if !ph.can_act(who) || ph.body(who).flees || f.passed == ph.clock.stamp {
        return false;
    }
    let stats = ph.stats(who);
    let own_time = |time: Part| ph.group(who) == group && part == time;
    if part == Part::First {
        return stats.first && own_time(part) && turn_is_open(ph, who);
    }
    if part == Part::Last {
        return stats.last && own_time(part) && turn_is_open(ph, who);
    }
    if f.work.is_some() {
        return false;
    }
    match part {
        Part::Multi => {
            stats.routines > 1
                && !stats.last
                && ph.group(who) == group
                && strike::has_target(ph, who)
        }
        Part::Rest => f.routines > 0 && ph.group(who) == group && strike::has_target(ph, who),
        Part::Innate => ph.group(who) == group && ability::is_due(ph, who),
        _ if stats.first || stats.last => false,
        Part::Missile => shoot::has_target(ph, who),
        Part::Melee => ph.group(who) == group && strike::has_target(ph, who),
        Part::Other => other_is_open(ph, who) && other_is_due(ph, who),
        _ => false,
    }
}

/// It has a major action, or something to do after it.
fn turn_is_open(ph: &PhasedQuery, who: Id) -> bool {
    let f = ph.fighter(who);
    f.casting.is_none()
        && f.work.is_none()
        && (!f.spent || !ph.in_melee(who) || f.plan == Some(Plan::After))
}

/// The same among the other acts: who casts may do minor ones beside it
/// (PH-10), and who has routines to come may put them off (PH-16).
fn other_is_open(ph: &PhasedQuery, who: Id) -> bool {
    let f = ph.fighter(who);
    f.casting.is_some() || f.routines > 0 || turn_is_open(ph, who)
}

/// LOW's other acts have room for delaying activities of those in HIGH
/// (PH-15), and for their third simple activity (PH-12).
fn other_is_due(ph: &PhasedQuery, who: Id) -> bool {
    own_simple(ph, who).is_ok() || ph.clock.group == Group::Low && toil::lags(ph, who)
}
