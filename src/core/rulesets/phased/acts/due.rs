//! Which units have something to do in a part of the round, and which of them act first (PH-02,
//! PH-04). This follows from the state; there is no queue.

use super::{ability, own_simple, row::*, shoot, strike, toil};
use crate::{battle::Side, rulesets::phased::state::DeclaredPlan};

/// Units with something to do in this part, in id order.
pub fn due(ph: &PhasedQuery) -> Vec<Id> {
    ph.view.ids().filter(|&id| is_due(ph, id)).collect()
}

/// The units that act now: all of a side if only that side has something to do; in a tie, the units
/// that come first by weapon speed or reaction (PH-02). A hidden unit acts after others that it
/// would tie with, because they don't know of it and have the turn to themselves (PH-06).
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

/// The units that are not hidden; all of them if every unit is hidden.
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

/// The side that acts now; `None` between turns and when several sides act simultaneously.
pub fn side_now(ph: &PhasedQuery) -> Option<Side> {
    let batch = batch(ph, &due(ph))?;
    let side = ph.body(batch[0]).side;
    let alone = batch.iter().all(|&id| ph.body(id).side == side);
    alone.then_some(side)
}

/// Whether units of several sides have something to do, not counting hidden ones.
fn is_tie(ph: &PhasedQuery, due: &[Id]) -> bool {
    are_of_several(ph, &in_sight(ph, due))
}

/// The order within a tie: delayed units last (PH-17), then by the attribute of the kind, lowest
/// first. Abilities and other actions have no such attribute (PH-02).
fn key(ph: &PhasedQuery, id: Id) -> (bool, i16) {
    let attribute = match ph.clock.part {
        PhasePart::Missile => -(ph.stats(id).reaction as i16),
        PhasePart::Melee | PhasePart::Multi | PhasePart::Rest => {
            strike::next_speed(ph, id).map_or(i16::MAX, i16::from)
        }
        _ => 0,
    };
    (ph.fighter(id).passed_up.delayed, attribute)
}

/// The weapon speed that acts now in a melee tie; `None` if any can act.
pub fn speed_now(ph: &PhasedQuery) -> Option<u8> {
    let strikes = [PhasePart::Melee, PhasePart::Multi, PhasePart::Rest];
    if !strikes.contains(&ph.clock.part) {
        return None;
    }
    let due = due(ph);
    if !is_tie(ph, &due) {
        return None;
    }
    let best = due.iter().map(|&id| key(ph, id)).min()?;
    u8::try_from(best.1).ok()
}

/// Whether weapon speed currently decides the order (PH-02).
pub fn is_level(ph: &PhasedQuery) -> bool {
    speed_now(ph).is_some()
}

/// Whether the unit has something to do in the current part of the round.
pub fn is_due(ph: &PhasedQuery, who: Id) -> bool {
    let f = ph.fighter(who);
    if !ph.can_act(who) || ph.body(who).flees || f.passed_up.passed == ph.clock.stamp {
        return false;
    }
    let stats = ph.stats(who);
    let own = ph.group(who) == ph.clock.group;
    let strikes = || own && strike::has_target(ph, who);
    match ph.clock.part {
        PhasePart::First => stats.first && own && turn_is_open(ph, who),
        PhasePart::Last => stats.last && own && turn_is_open(ph, who),
        _ if f.work.is_some() => false,
        PhasePart::Multi => stats.routines > 1 && !stats.last && strikes(),
        PhasePart::Rest => f.routines > 0 && strikes(),
        PhasePart::Innate => own && ability::is_due(ph, who),
        _ if stats.first || stats.last => false,
        PhasePart::Missile => shoot::has_target(ph, who),
        PhasePart::Melee => strikes(),
        PhasePart::Other => other_is_open(ph, who) && other_is_due(ph, who),
        _ => false,
    }
}

/// Whether the unit has its major action left, or something to do after it.
fn turn_is_open(ph: &PhasedQuery, who: Id) -> bool {
    let f = ph.fighter(who);
    f.casting.is_none()
        && f.work.is_none()
        && (!f.spent || !ph.in_melee(who) || f.plan == Some(DeclaredPlan::After))
}

/// Whether the unit can take other actions: a casting unit can do minor ones (PH-10), and a unit
/// with routines left can delay them (PH-16).
fn other_is_open(ph: &PhasedQuery, who: Id) -> bool {
    let f = ph.fighter(who);
    f.casting.is_some() || f.routines > 0 || turn_is_open(ph, who)
}

/// In LOW's other actions, HIGH units can also do delaying activities (PH-15) and a third simple
/// activity (PH-12).
fn other_is_due(ph: &PhasedQuery, who: Id) -> bool {
    own_simple(ph, who).is_ok() || ph.clock.group == Group::Low && toil::lags(ph, who)
}
