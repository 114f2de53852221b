//! Where a unit could attack on its next turn.

use super::{
    QuickAi, State,
    targets::{AttackOption, compute_attack_options},
};
use crate::{
    battle::{AttackApproach, Harmless, Id, ThreatRange, movement::Occupancy},
    grid::{Cell, Range, SightFrom, Space, cells_apart},
};
use std::{
    collections::{BTreeSet, HashSet},
    iter::once,
    sync::Arc,
};

/// A charge that a unit could make on its next turn.
pub struct Charge {
    pub who: Id,
    /// Feet that the charge must cover at least, and may cover at most.
    pub least: u16,
    pub feet: u16,
    /// The units in its way.
    pub occupancy: Occupancy,
}

/// Why a unit attacks nobody on its next turn. `None` if it could attack.
pub fn harmless<R: QuickAi>(state: &State<R>, who: Id) -> Option<Harmless> {
    if feet_to_attack::<R>(state, who).is_some() {
        return None;
    }
    Some(match R::stays_out(state, who) {
        Some(why) => why,
        None if R::view(state).body(who).flees => Harmless::Flees,
        None if R::is_held(state, who) => Harmless::Unable,
        None => Harmless::Spent,
    })
}

/// Feet that a unit can move before a melee attack on its next turn. `None` if it is no danger.
fn feet_to_attack<R: QuickAi>(state: &State<R>, who: Id) -> Option<u16> {
    let body = R::view(state).body(who);
    let is_able = body.is_up() && !body.flees && R::stays_out(state, who).is_none();
    R::approach_feet(state, who).filter(|_| is_able)
}

/// What decides where a unit can be and attack in its next turn.
struct NextTurn {
    /// Where it can move before a melee attack.
    range: Arc<Range>,
    /// The cells from which it could strike, including its own.
    stands: Vec<Cell>,
    /// The melee reach in feet; `None` without a melee weapon.
    reach: Option<u16>,
    /// Its ranged attacks, each with the feet that it can move before it.
    ranged: Vec<(AttackOption, u16)>,
}

impl NextTurn {
    /// `None` if the unit is no danger: helpless, fleeing, unaware.
    fn of<R: QuickAi>(state: &State<R>, who: Id) -> Option<Self> {
        let view = R::view(state);
        let body = view.body(who);
        let enemy = view.enemies(body.side).next()?;
        let feet = feet_to_attack::<R>(state, who)?;
        let options = compute_attack_options::<R>(state, who, enemy);
        let locked = R::locked_reach(state, who);
        let (ranged, melee): (Vec<_>, Vec<_>) = options.all.into_iter().partition(|o| o.ranged);
        let reach = melee.iter().map(|o| o.far.max(locked.unwrap_or(0))).max();
        let feet = if locked.is_some() { 0 } else { feet };
        let range = view.range(who, view.occupancy(who, |_| None), feet);
        let ends = range.cells().filter(|end| end.may_stop);
        let mut stands: Vec<Cell> = ends.map(|end| end.cell).collect();
        if !stands.contains(&body.at) {
            stands.push(body.at);
        }
        let is_thrown = |option: &AttackOption| view.weapon(option.item).is_thrown();
        let ranged = ranged.into_iter();
        let ranged = ranged.filter(|option| locked.is_none() || is_thrown(option));
        let ranged = ranged.map(|option| {
            let feet = R::feet_before_shooting(state, who, option.item);
            (option, feet)
        });
        Some(Self {
            ranged: ranged.collect(),
            range,
            stands,
            reach,
        })
    }
}

/// How a unit could come to attack another. Empty if it is no danger: helpless, fleeing, unaware.
pub fn attack_approach<R: QuickAi>(state: &State<R>, (who, at): (Id, Id)) -> AttackApproach {
    let Some(next) = NextTurn::of::<R>(state, who) else {
        return AttackApproach::default();
    };
    let charge_end = || {
        let (reach, charge) = (next.reach?, R::charge(state, who)?);
        let view = R::view(state);
        let (here, there) = (view.body(who).space(), view.body(at).space());
        let far = u32::from(charge.feet + reach);
        let is_near = u32::from(cells_apart(here, there)) * 5 <= far;
        is_near.then(|| R::charge_end(state, &charge, there, reach))?
    };
    AttackApproach {
        charge_end: charge_end(),
        goes_to_shoot: next.ranged.iter().any(|(_, feet)| *feet > 0),
        stands: next.stands,
    }
}

/// The cells that a unit could attack in melee after moving, and the cells that it could shoot or
/// throw at, with the movement that it may make first. Empty if the unit is no danger: helpless,
/// fleeing, unaware.
pub fn threat_range<R: QuickAi>(state: &State<R>, who: Id) -> ThreatRange {
    let mut out = ThreatRange::default();
    let Some(next) = NextTurn::of::<R>(state, who) else {
        return out;
    };
    let view = R::view(state);
    let (board, body) = (&view.board, view.body(who));
    if let Some(reach) = next.reach {
        let mut known = HashSet::new();
        for &at in &next.stands {
            let here = Space::new(at, body.size);
            let near = here.and_around(reach.div_ceil(5));
            for cell in near {
                let there = Space::one(cell);
                let is_new = !known.contains(&cell) && board.can_stand(there);
                if is_new && board.in_reach(here, there, reach) {
                    known.insert(cell);
                }
            }
        }
        out.charges = charges::<R>(state, who, reach, &known);
        out.strikes = Vec::from_iter(known);
        out.strikes.sort_by_key(|cell| (cell.y, cell.x));
    }
    let mut shoots = BTreeSet::new();
    for (option, feet) in &next.ranged {
        let ends = next.range.cells();
        let ends = ends.filter(|end| end.may_stop && end.feet <= *feet);
        let from = ends.map(|end| end.cell).filter(|&cell| cell != body.at);
        let from = once(body.at).chain(from).map(|at| {
            let here = Space::new(at, body.size);
            (here, board.sight_from(here, 1))
        });
        let from: Vec<(Space, SightFrom)> = from.collect();
        let in_sight = |(here, sight_from): &(Space, SightFrom), there: Space| {
            u32::from(cells_apart(*here, there)) * 5 <= option.far.into()
                && board.within(*here, there, option.far)
                && sight_from.at(there).los
        };
        shoots.extend(board.cells().filter(|&cell| {
            let there = Space::one(cell);
            board.can_stand(there) && from.iter().any(|here| in_sight(here, there))
        }));
    }
    out.shoots = Vec::from_iter(shoots);
    out
}

/// The spaces of the targets that a unit could charge: its enemies, and the empty cells outside
/// `known`.
fn charges<R: QuickAi>(state: &State<R>, who: Id, reach: u16, known: &HashSet<Cell>) -> Vec<Space> {
    let Some(charge) = R::charge(state, who) else {
        return vec![];
    };
    let view = R::view(state);
    let (board, body) = (&view.board, view.body(who));
    let space = |enemy| view.body(enemy).space();
    let enemies: Vec<Space> = view.enemies(body.side).map(space).collect();
    let beyond = board.cells().filter(|cell| !known.contains(cell));
    let beyond = beyond.map(Space::one).filter(|there| {
        let is_taken = enemies.iter().any(|enemy| enemy.overlaps(*there));
        !is_taken && board.can_stand(*there)
    });
    let far = u32::from(charge.feet + reach);
    let all = enemies.iter().copied().chain(beyond);
    let near = all.filter(|there| u32::from(cells_apart(body.space(), *there)) * 5 <= far);
    near.filter(|there| R::charge_end(state, &charge, *there, reach).is_some())
        .collect()
}
