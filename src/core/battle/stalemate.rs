//! Stalemates and surrender: rounds without progress are counted (OP-07), and a side that cannot
//! win can surrender (OP-08).

use super::{
    Action, Choice, EventKind, EventTable, Id, Rule, Side, State, StepOutcome, View, Why,
    objectives::{holdings, sent_to},
};
use crate::{
    grid::{Cell, Field, Space, StepRules},
    levels::Goal,
};
use std::{collections::BTreeSet, sync::Arc};

/// A side gives up the battle. Valid as an answer to any decision of that side; the decision
/// stays open.
pub static SURRENDER: Action = Action::new("surrender", "surrender", "surrenders", "OP-08");

/// The number of steps if there is no way.
const NOWHERE: u16 = u16::MAX;

impl View<'_, '_> {
    /// Whether a side can surrender now (OP-08).
    pub fn may_surrender(&self, side: Side) -> Result<(), Why> {
        let no = |text| Err(Why::new("OP-08", text));
        match self.progress.is_surrendering(side) {
            _ if !self.level().surrender => no("no side may surrender in this level"),
            true => no("the side has surrendered"),
            false => Ok(()),
        }
    }
}

/// The answer with which a side surrenders.
pub fn surrender(side: Side) -> Choice {
    Choice::of_side(&SURRENDER, side)
}

/// Ends a round: updates areas that are held and the count of rounds without progress, then emits
/// the end by the ruleset's own rule.
pub fn end_round(view: &View, rule: Rule, outcome: &mut StepOutcome) {
    holdings(view, outcome);
    count_idle(view, outcome);
    outcome.emit(rule, EventKind::RoundEnded);
}

/// Updates the count of rounds without progress (OP-07).
fn count_idle(view: &View, outcome: &mut StepOutcome) {
    let progress = &view.progress;
    let is_moving = progress.is_moving || outcome.events.iter().any(|e| e.what.is_progress());
    // An attack without effect is no progress, but such a round is not idle either.
    if is_moving || progress.is_contested {
        return;
    }
    let now = Ways::new(view).all();
    let before = &progress.nearest;
    let is_nearer = before.iter().zip(&now).any(|(before, now)| now < before);
    let nearest: Arc<[u16]> = match before.is_empty() {
        true => now.into(),
        false => before.iter().zip(&now).map(|(a, b)| *a.min(b)).collect(),
    };
    let rounds = if is_nearer { 0 } else { progress.idle + 1 };
    let limit = limit(view);
    let idle = EventKind::Idle {
        rounds,
        nearest,
        limit,
    };
    outcome.emit("OP-07", idle);
    if limit.is_some_and(|limit| rounds == limit.div_ceil(2)) {
        let ways = Ways::new(view);
        for side in view.roster.sides() {
            let mut own = view.standing(side).peekable();
            if own.peek().is_some() && !own.any(|id| ways.can_fight(id)) {
                outcome.emit("OP-07", EventKind::Stuck { side });
            }
        }
    }
}

/// The rounds without progress after which the battle is a draw (OP-07). `None` if it never is.
pub(super) fn limit(view: &View) -> Option<u32> {
    view.level().stalemate.filter(|_| !time_decides(view))
}

/// Whether waiting is progress: reinforcements are to come, or a side only has to last.
fn time_decides(view: &View) -> bool {
    let comes = |id: Id| view.body(id).state == State::Waiting;
    let level = view.level();
    let lasts = |goal: &Goal| match goal {
        Goal::Survive { rounds } => view.progress.rounds < *rounds,
        Goal::Protect(_) => level.last_round.is_some(),
        _ => false,
    };
    let mut all = level.objectives.iter().zip(&view.progress.lost);
    view.ids().any(comes) || all.any(|(objective, lost)| !lost && lasts(&objective.goal))
}

/// How far each unit is from what its side is after.
struct Ways<'a, 'w, 's> {
    view: &'a View<'w, 's>,
    /// For each side, the distances to its nearest enemy.
    nearest_enemy: Vec<Option<Field>>,
}

impl<'a, 'w, 's> Ways<'a, 'w, 's> {
    fn new(view: &'a View<'w, 's>) -> Self {
        Self {
            view,
            nearest_enemy: vec![None; view.roster.sides.len()],
        }
    }

    /// For each unit, the steps to where an objective sends it, or else to the nearest enemy.
    fn all(&mut self) -> Vec<u16> {
        let (view, ids) = (self.view, self.view.ids());
        let steps = |id: Id| match view.body(id).is_up() {
            false => NOWHERE,
            true => match &sent_to(view, id)[..] {
                [] => self.nearest_enemy(id),
                cells => least(&view.lengths_to(cells), view.body(id).space()),
            },
        };
        ids.map(steps).collect()
    }

    /// The steps to the nearest enemy.
    fn nearest_enemy(&mut self, id: Id) -> u16 {
        let (view, body) = (self.view, self.view.body(id));
        let field = self.nearest_enemy[body.side.index()]
            .get_or_insert_with(|| view.lengths_to_any(view.enemies(body.side)));
        least(field, body.space())
    }

    /// Whether a unit can walk to an enemy or has a ranged attack or a harmful spell.
    fn can_fight(&self, id: Id) -> bool {
        let view = self.view;
        let casts = |spell| view.spell(spell).effect.harms();
        view.has_weapon(id, |weapon| weapon.ranged.is_some())
            || view.sheet(id).spells.iter().any(|spell| casts(*spell))
            || self.walks_to_a_foe(id)
    }

    /// Whether a unit of its size can walk, climb or jump to where an enemy is in its reach,
    /// ignoring doors and other units. It cannot enter an enemy's cell.
    fn walks_to_a_foe(&self, id: Id) -> bool {
        let (view, body) = (self.view, self.view.body(id));
        let board = view.board.opened();
        let enemies = view.enemies(body.side).map(|id| view.body(id).space());
        let enemies: Vec<Space> = enemies.collect();
        let items = view.inventory(id).items.iter();
        let reaches = items.filter_map(|(item, _)| view.creature(id).reach(view.weapon(*item)));
        let feet = reaches.max().unwrap_or(0).clamp(5, 100) as u16;
        let is_among = |at: Cell, is_it: &dyn Fn(Space, Space) -> bool| {
            let here = Space::new(at, body.size);
            enemies.iter().any(|enemy| is_it(here, *enemy))
        };
        let walk = StepRules::alone(&board, body.size, view.level().diagonals);
        let (mut open, mut seen) = (vec![body.at], BTreeSet::from([body.at]));
        while let Some(at) = open.pop() {
            if is_among(at, &|here, enemy| board.in_reach(here, enemy, feet)) {
                return true;
            }
            if view.creature(id).speed > 0 {
                let is_taken = |at: Cell| is_among(at, &|here, enemy| here.overlaps(enemy));
                let can_go = |next: &Cell| walk.step(at, *next).is_ok() && !is_taken(*next);
                let next = at.neighbours().filter(can_go);
                open.extend(next.filter(|next| seen.insert(*next)));
            }
        }
        false
    }
}

fn least(field: &Field, space: Space) -> u16 {
    let steps = space.cells().map(|cell| field.distance_in_cells(cell));
    steps.min().unwrap_or(NOWHERE)
}
