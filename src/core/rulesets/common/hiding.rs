//! Hidden units: other sides do not know where they are until they act or are
//! found. Moves, doors and units that are put somewhere treat a hidden enemy's
//! cell as free, and find the enemy when they get there.

use super::{CombatSystem, State};
use crate::{
    battle::{EventKind, Id, Rule, Seen, StepOutcome, movement::Occupancy},
    grid::{Cell, Occupant, Space},
};

/// How a combat system hides units. By default it hides none.
pub trait Hides: CombatSystem {
    /// The rule by which a unit stops that finds a hidden one.
    const FOUND: Rule = "GR-03";

    /// Whether other sides do not know where a unit is.
    fn is_hidden(_: &State<Self>, _who: Id) -> bool {
        false
    }

    /// Tells all sides where a hidden unit is.
    fn reveal(_: &State<Self>, _who: Id, _: &mut StepOutcome) {}
}

/// Tells all sides something about a unit, or its own side alone while it is hidden.
pub fn tell_of<R: Hides>(
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

/// Tells all sides what the unit's own side alone has known so far; while the unit is
/// hidden, still only its own side.
pub fn open_of<R: Hides>(
    state: &State<R>,
    who: Id,
    rule: Rule,
    what: impl Into<EventKind>,
    outcome: &mut StepOutcome,
) {
    match R::is_hidden(state, who) {
        true => tell_of::<R>(state, who, rule, what, outcome),
        false => outcome.tell(rule, R::view(state).body(who).side, what),
    }
}

/// Hidden units take their places as the battle begins, known to their own side
/// alone.
pub fn take_places<R: Hides>(state: &State<R>, outcome: &mut StepOutcome) {
    let view = R::view(state);
    for who in view.ids().filter(|&id| R::is_hidden(state, id)) {
        let combatant = &view.level().combatants[who.index()];
        if combatant.arrives.is_none() {
            let at = combatant.cell;
            outcome.seal(
                R::FOUND,
                view.body(who).side,
                EventKind::Entered { who, at },
            );
        }
    }
}

/// The enemies of a unit that are hidden from it, in id order.
fn hidden_from<R: Hides>(state: &State<R>, who: Id) -> Vec<Id> {
    let foes = R::view(state).foes(R::view(state).body(who).side);
    foes.filter(|&foe| R::is_hidden(state, foe)).collect()
}

/// Whether a unit knows where another is.
pub fn knows_of<R: Hides>(state: &State<R>, who: Id, other: Id) -> bool {
    let side = |id| R::view(state).body(id).side;
    !R::is_hidden(state, other) || side(who) == side(other)
}

/// Clears the cells of hidden enemies: a unit does not walk around what it does
/// not know of.
pub fn overlook<R: Hides>(state: &State<R>, who: Id, ways: &mut Occupancy) {
    clear::<R>(state, who, &hidden_from::<R>(state, who), ways);
}

/// Takes enemies of a unit out of its ways. Two may stand in one cell (PH-52): a unit
/// that it knows of and that is not taken out is still there.
pub fn clear<R: Hides>(state: &State<R>, who: Id, gone: &[Id], ways: &mut Occupancy) {
    let view = R::view(state);
    let spaces: Vec<Space> = gone.iter().map(|&foe| view.body(foe).space()).collect();
    for &space in &spaces {
        ways.put(space, Occupant::Nobody);
    }
    let shares = |id: &Id| {
        let body = view.body(*id);
        let is_left = body.is_up() && *id != who && !gone.contains(id);
        is_left && spaces.iter().any(|space| space.overlaps(body.space()))
    };
    for id in view
        .ids()
        .filter(shares)
        .filter(|&id| knows_of::<R>(state, who, id))
    {
        let occupant = match view.body(id).side == view.body(who).side {
            true => Occupant::Ally,
            false => Occupant::Foe,
        };
        ways.put(view.body(id).space(), occupant);
    }
}

/// The enemies hidden from a unit that are in a space, in id order.
pub fn lurkers<R: Hides>(state: &State<R>, who: Id, there: Space) -> Vec<Id> {
    let overlaps = |id: &Id| R::view(state).body(*id).space().overlaps(there);
    let mut lurkers = hidden_from::<R>(state, who);
    lurkers.retain(overlaps);
    lurkers
}

/// Whether an enemy of `by` is hidden where `who` is about to be. Then it is
/// revealed, and `who` gets no farther.
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

/// As [`finds`], in a space.
pub fn finds_in<R: Hides>(
    state: &State<R>,
    by: Id,
    who: Id,
    there: Space,
    outcome: &mut StepOutcome,
) -> bool {
    let Some(&foe) = lurkers::<R>(state, by, there).first() else {
        return false;
    };
    R::reveal(state, foe, outcome);
    is_stopped::<R>(who, outcome);
    true
}

/// A unit stops because it has found a hidden one.
pub fn is_stopped<R: Hides>(who: Id, outcome: &mut StepOutcome) {
    let why = "an enemy was hiding there".into();
    outcome.emit(R::FOUND, EventKind::Stopped { who, why });
}
