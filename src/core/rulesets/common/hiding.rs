//! Hidden units: other sides do not know where they are until they act or are found. Movement,
//! doors and forced movement treat a hidden enemy's cell as free, and find the enemy on arrival.

use super::{CombatSystem, State};
use crate::{
    battle::{EventKind, Id, Rule, Seen, StepOutcome, Why, movement::Occupancy},
    grid::{Cell, Occupant, Space},
};

/// How a combat system hides units. By default it hides none.
pub trait Hides: CombatSystem {
    /// The rule by which a unit stops when it finds a hidden one.
    const FOUND: Rule = "GR-03";

    /// Whether other sides do not know where a unit is.
    fn is_hidden(_: &State<Self>, _who: Id) -> bool {
        false
    }

    /// Tells all sides where a hidden unit is.
    fn reveal(_: &State<Self>, _who: Id, _: &mut StepOutcome) {}
}

/// Emits an event about a unit to all sides, or only to its own side while it is hidden.
pub fn emit_unless_hidden<R: Hides>(
    state: &State<R>,
    who: Id,
    rule: Rule,
    what: impl Into<EventKind>,
    outcome: &mut StepOutcome,
) {
    let is_open = !R::is_hidden(state, who);
    let seen = Seen::all_if(is_open, R::view(state).body(who).side);
    outcome.emit_to(rule, seen, what);
}

/// Emits an event about a unit to all sides that only its own side knew so far; while the unit is
/// hidden, to its own side alone.
pub fn reveal_unless_hidden<R: Hides>(
    state: &State<R>,
    who: Id,
    rule: Rule,
    what: impl Into<EventKind>,
    outcome: &mut StepOutcome,
) {
    match R::is_hidden(state, who) {
        true => emit_unless_hidden::<R>(state, who, rule, what, outcome),
        false => outcome.emit_reveal(rule, R::view(state).body(who).side, what),
    }
}

/// Places hidden units as the battle begins, known only to their own side.
pub fn take_places<R: Hides>(state: &State<R>, outcome: &mut StepOutcome) {
    let view = R::view(state);
    for who in view.ids().filter(|&id| R::is_hidden(state, id)) {
        let combatant = &view.level().combatants[who.index()];
        if combatant.arrives.is_none() {
            let (side, at) = (view.body(who).side, combatant.cell);
            outcome.seal(R::FOUND, side, EventKind::Entered { who, at });
        }
    }
}

/// The enemies of a unit that are hidden from it, in id order.
fn hidden_from<R: Hides>(state: &State<R>, who: Id) -> Vec<Id> {
    let enemies = R::view(state).enemies(R::view(state).body(who).side);
    let hidden = enemies.filter(|&enemy| R::is_hidden(state, enemy));
    hidden.collect()
}

/// Whether a unit knows where another is.
pub fn knows_of<R: Hides>(state: &State<R>, who: Id, other: Id) -> bool {
    let side = |id| R::view(state).body(id).side;
    !R::is_hidden(state, other) || side(who) == side(other)
}

/// The occupancy for a mover without hidden enemies: the unit does not walk around enemies that it
/// does not know of.
pub fn known_occupancy<R: Hides>(
    state: &State<R>,
    who: Id,
    reach: impl Fn(Id) -> Option<u16>,
) -> Occupancy {
    let mut occupancy = R::view(state).occupancy(who, reach);
    clear::<R>(state, who, &hidden_from::<R>(state, who), &mut occupancy);
    occupancy
}

/// Clears the cells of some enemies from a unit's occupancy. Two units may share a cell (PH-52), so
/// other units that it knows of in these cells are put back.
pub fn clear<R: Hides>(state: &State<R>, who: Id, gone: &[Id], occupancy: &mut Occupancy) {
    let view = R::view(state);
    let spaces: Vec<Space> = gone.iter().map(|&enemy| view.body(enemy).space()).collect();
    for &space in &spaces {
        occupancy.put(space, Occupant::Nobody);
    }
    let shares = |id: &Id| {
        let body = view.body(*id);
        let is_left = body.is_up() && *id != who && !gone.contains(id);
        is_left && spaces.iter().any(|space| space.overlaps(body.space()))
    };
    let there = view.ids().filter(shares);
    for id in there.filter(|&id| knows_of::<R>(state, who, id)) {
        let occupant = match view.body(id).side == view.body(who).side {
            true => Occupant::Ally,
            false => Occupant::Foe,
        };
        occupancy.put(view.body(id).space(), occupant);
    }
}

/// The enemies hidden from a unit that are in a space, in id order.
pub fn lurkers<R: Hides>(state: &State<R>, who: Id, there: Space) -> Vec<Id> {
    let overlaps = |id: &Id| R::view(state).body(*id).space().overlaps(there);
    let mut lurkers = hidden_from::<R>(state, who);
    lurkers.retain(overlaps);
    lurkers
}

/// Whether an enemy of `by` is hidden where `who` is about to be. If so, the enemy is revealed and
/// `who` stops.
pub fn finds<R: Hides>(
    state: &State<R>,
    by: Id,
    who: Id,
    to: Cell,
    outcome: &mut StepOutcome,
) -> bool {
    let there = Space::new(to, R::view(state).body(who).size);
    finds_in::<R>(state, by, who, there, outcome)
}

/// Whether an enemy of `by` is hidden in the space that `who` is about to enter. If so, the enemy
/// is revealed and `who` stops.
pub fn finds_in<R: Hides>(
    state: &State<R>,
    by: Id,
    who: Id,
    there: Space,
    outcome: &mut StepOutcome,
) -> bool {
    let Some(&enemy) = lurkers::<R>(state, by, there).first() else {
        return false;
    };
    R::reveal(state, enemy, outcome);
    is_stopped::<R>(who, outcome);
    true
}

/// A unit stops because it has found a hidden one.
pub fn is_stopped<R: Hides>(who: Id, outcome: &mut StepOutcome) {
    outcome.emit_stop(who, Why::new(R::FOUND, "an enemy was hiding there"));
}
