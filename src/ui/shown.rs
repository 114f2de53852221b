//! The display state: what the screen shows of the battle, as plain values. It is
//! read from the display world after each event, so it lags behind the battle like
//! the playback.

use super::{
    art::{
        hud::Pip,
        palette::{self, Rgb},
        portrait::Portrait,
        tokens::Label,
    },
    portraits,
    ruleset_ui::{RulesetUi, Status},
    unit_labels,
};
use crate::{
    battle::{
        Body, Clock, GoalState, Id, Item, PendingAttacks, Provoked, Ruleset, Side, State,
        capitalised, of_unit,
    },
    content::Look,
    grid::{Board, Cell, Space},
    levels::{Combatant, CombatantIx, Control, Level},
};
use bevy::prelude::{Deref, DerefMut, World};
use std::cmp::Ordering;

/// The state of the battle on screen.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Changes whenever the state is replaced as a whole.
    pub epoch: u32,
    /// The number of events applied so far.
    pub events: usize,
    /// The time within the round.
    pub clock: Clock,
    /// All units, by id.
    pub units: Vec<UnitView>,
    /// The map with the current state of its doors.
    pub board: Board,
    /// Items on the ground.
    pub ground: Vec<(Cell, Item)>,
}

/// The units of a side that enter next, in one round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownArrival {
    pub side: Side,
    pub round: u32,
    /// Each with the cell where it enters.
    pub units: Vec<(Id, Cell)>,
}

impl ShownArrival {
    /// Whether they enter in the round `now` or the next.
    pub fn is_near(&self, now: u16) -> bool {
        self.round <= u32::from(now) + 1
    }

    /// How many enter, and when: "3 more in round 3", "1 more this round".
    pub fn words(&self, now: u16) -> String {
        let (count, round) = (self.units.len(), self.round);
        match round > u32::from(now) {
            true => format!("{count} more in round {round}"),
            false => format!("{count} more this round"),
        }
    }
}

/// An objective of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownObjective {
    pub side: Side,
    pub text: String,
    /// The progress: "3 of 7 left".
    pub standing: String,
    /// How many units will count later, and when: "1 counts at the end of the turn".
    pub note: Option<String>,
    /// The objective can no longer be met.
    pub is_lost: bool,
    /// The objective is met, or not failed so far.
    pub is_met: bool,
}

impl ShownObjective {
    /// `counts_own` if another side's objective counts the player's units. `counts` says when a
    /// unit that stands in an objective's area counts.
    pub fn new(
        (side, text): (Side, String),
        state: GoalState,
        counts_own: bool,
        counts: &str,
    ) -> Self {
        let note = match state {
            GoalState::Reached { there: 0, .. } => None,
            GoalState::Reached { there: 1, .. } => Some(format!("1 counts at {counts}")),
            GoalState::Reached { there, .. } => Some(format!("{there} count at {counts}")),
            _ => None,
        };
        let (words, is_met) = match state {
            GoalState::Lost => (String::from("lost"), false),
            GoalState::Left { left, of } if counts_own => {
                (format!("{left} of your {of} left"), left == 0)
            }
            GoalState::Left { left, of } => (format!("{left} of {of} left"), left == 0),
            GoalState::Reached { so_far, of, .. } => {
                (format!("{so_far} of {of} reached it"), so_far >= of)
            }
            GoalState::Lasted { rounds, of } => (format!("{rounds} of {of} rounds"), rounds >= of),
            GoalState::Held { rounds, of } => {
                (format!("held {rounds} of {of} rounds"), rounds >= of)
            }
            GoalState::Kept { left: 1 } => (String::from("stands"), true),
            GoalState::Kept { left } => (format!("all {left} stand"), true),
        };
        Self {
            side,
            text,
            standing: words,
            note,
            is_lost: state == GoalState::Lost,
            is_met,
        }
    }

    /// The objective and its progress as one line.
    pub fn line(&self) -> String {
        format!("{}: {}", self.text, self.standing)
    }

    /// The text colour: `open` while the objective can still be met.
    pub fn ink(&self, open: Rgb) -> Rgb {
        if self.is_lost { palette::DANGER } else { open }
    }
}

/// A unit as the screen shows it. The fields of its status can be used like its own.
#[derive(Clone, PartialEq, Debug, Deref, DerefMut)]
pub struct UnitView {
    pub id: Id,
    /// Its display name: "Goblin archer 3".
    pub name: String,
    /// Its role in one word.
    pub title: String,
    pub side: Side,
    /// 0 for the player's side, then the others in order: see [`rank`].
    pub rank: u8,
    pub look: Look,
    /// Its portrait, on the base of the player's side.
    pub portrait: Portrait,
    /// The id of its kind.
    pub kind: String,
    /// Its label among the units of its side. `None` for a unit with its own name.
    pub label: Option<Label>,
    pub at: Cell,
    pub size: u8,
    /// Whether the level calls it especially important: it leads its side.
    pub is_key: bool,
    pub state: State,
    pub is_prone: bool,
    /// Whether an attack of it is rolled and not yet resolved: units may still react to it.
    pub is_attacking: bool,
    /// What keeps the unit on its feet, and the full amount. Can be negative for a
    /// unit that is down.
    pub hp: i32,
    pub max_hp: i32,
    /// Its state in the current round.
    #[deref]
    pub status: Status,
}

impl UnitView {
    /// Updates the unit from a world. Nothing is shown of a unit that the player does
    /// not know.
    pub fn update(&mut self, ruleset_ui: &RulesetUi, world: &mut World, is_unknown: bool) {
        self.status = (ruleset_ui.status)(world, self.id);
        let body = of_unit::<Body>(world, self.id);
        (self.at, self.size, self.state) = (body.at, body.size, body.state);
        self.is_prone = body.prone;
        let mut attacks = world.resource::<PendingAttacks>().all().iter();
        self.is_attacking = attacks.any(|rolled| rolled.attack.by == self.id);
        if is_unknown {
            self.state = State::Waiting;
        }
        let first = self.status.bars.first();
        let plain = (body.hp, body.max_hp);
        (self.hp, self.max_hp) = first.map_or(plain, |bar| (bar.now, bar.most));
    }

    /// The name of the unit's main action, if that is spent: "Main", "Major".
    pub fn spent_action(&self) -> Option<&'static str> {
        let mut main = self.pips.iter().filter(|p| p.pip == Pip::Diamond);
        let first = main.next().filter(|p| p.spent)?;
        main.all(|p| p.spent).then_some(first.word)
    }

    /// All units of a level as it begins.
    pub fn all_of(level: &Level, rules: &Ruleset) -> Vec<Self> {
        let portraits = portraits::of_units(&level.combatants);
        let labels = unit_labels::labels(level, &portraits);
        let mut sides = level.sides.iter();
        let own = sides.position(|s| s.control == Control::Player);
        let own = Side(own.unwrap_or(0) as u8);
        let unit = |(n, c): (usize, &Combatant)| {
            let hp = (rules.hit_points)(&c.creature);
            Self {
                id: Id(n as u16),
                name: capitalised(&c.name),
                title: c.creature.title.clone(),
                side: c.side.into(),
                rank: rank(c.side.into(), own),
                look: c.creature.look,
                portrait: portraits[n],
                kind: c.creature.id.clone(),
                label: labels[n],
                at: c.cell,
                size: c.creature.size,
                is_key: level.is_key(CombatantIx(n as u16)),
                state: if c.arrives.is_some() || c.hidden {
                    State::Waiting
                } else {
                    State::Up
                },
                is_prone: c.prone,
                is_attacking: false,
                hp: hp - c.wounds,
                max_hp: hp,
                status: Status::default(),
            }
        };
        level.combatants.iter().enumerate().map(unit).collect()
    }

    pub fn space(&self) -> Space {
        Space::new(self.at, self.size)
    }

    pub fn is_up(&self) -> bool {
        self.state == State::Up
    }

    /// Whether the unit is on the board, standing or fallen.
    pub fn is_there(&self) -> bool {
        matches!(self.state, State::Up | State::Down | State::Dead)
    }

    /// Orders units in one cell by importance, the most important first: those that can still be
    /// saved before the dead, the player's own before others, and the leader of a side before its
    /// other units.
    fn importance(&self) -> (bool, u8, bool, Id) {
        (self.state == State::Dead, self.rank, !self.is_key, self.id)
    }

    /// Whether a part of it is in these cells.
    pub fn is_in(&self, area: &[Cell]) -> bool {
        self.space().cells().any(|cell| area.contains(&cell))
    }

    /// The centre of its space, in cells from the map's north-west corner.
    pub fn middle(&self) -> (f32, f32) {
        middle(self.at, self.size)
    }
}

/// The index of a side when the player's side comes first. With several players at
/// one screen, the first player's side counts, so that tokens look the same for
/// everyone.
pub fn rank(side: Side, own: Side) -> u8 {
    match side.0.cmp(&own.0) {
        Ordering::Equal => 0,
        Ordering::Less => side.0 + 1,
        Ordering::Greater => side.0,
    }
}

/// The centre of a body at a cell, in cells from the north-west corner.
pub fn middle(at: Cell, size: u8) -> (f32, f32) {
    let half = f32::from(size.max(1)) / 2.0;
    (f32::from(at.x) + half, f32::from(at.y) + half)
}

impl Shown {
    /// A line for each provoked attack: "Goblin 2 may attack (45% to hit)".
    pub fn provoked_lines(&self, provoked: &[Provoked]) -> Vec<String> {
        let line = |d: &Provoked| {
            let name = &self.unit(d.by).name;
            format!("{name} may attack ({}% to hit)", d.percent)
        };
        provoked.iter().map(line).collect()
    }

    pub fn unit(&self, id: Id) -> &UnitView {
        &self.units[id.index()]
    }

    /// The unit in a cell: a standing unit first, otherwise the most important fallen one.
    pub fn on(&self, cell: Cell) -> Option<&UnitView> {
        let is_here = |p: &&UnitView| p.is_there() && p.space().contains(cell);
        let here = self.units.iter().filter(is_here);
        here.min_by_key(|p| (!p.is_up(), p.importance()))
    }

    /// The unit in a quarter of a cell: if standing units share the cell, the one that is drawn
    /// there.
    pub fn in_quarter(&self, cell: Cell, quarter: Option<(i8, i8)>) -> Option<&UnitView> {
        let mut drawn = self.in_cell(cell);
        let drawn = drawn.find(|p| quarter.is_some() && corner_in_cell(&self.units, p) == quarter);
        drawn.or_else(|| self.on(cell))
    }

    /// The standing units whose whole space is this cell.
    pub fn in_cell(&self, cell: Cell) -> impl Iterator<Item = &UnitView> {
        let is_there = move |p: &&UnitView| p.is_up() && p.size <= 1 && p.at == cell;
        self.units.iter().filter(is_there)
    }

    /// The other units in the cells of a unit, standing or fallen.
    pub fn others_in_cells_of(&self, unit: &UnitView) -> impl Iterator<Item = &UnitView> {
        let (id, space) = (unit.id, unit.space());
        let others = self.units.iter().filter(move |p| p.id != id);
        others.filter(move |p| p.is_there() && p.space().overlaps(space))
    }

    pub fn members(&self, side: Side) -> impl Iterator<Item = &UnitView> {
        self.units.iter().filter(move |p| p.side == side)
    }

    /// The standing units of other sides.
    pub fn enemies_of(&self, side: Side) -> impl Iterator<Item = &UnitView> {
        let enemies = self.units.iter().filter(move |p| p.side != side);
        enemies.filter(|p| p.is_up())
    }
}

/// The corners of a cell as (east, south), in the order in which fallen units take
/// them: these leave the most space for bars and numbers.
const CORNERS: [(i8, i8); 4] = [(-1, 1), (1, 1), (-1, -1), (1, -1)];
/// The corners in the order in which standing units take them: two lie across from each
/// other. Fallen units below them take the corners from the end.
pub const STANDING_CORNERS: [(i8, i8); 4] = [(-1, -1), (1, 1), (1, -1), (-1, 1)];

/// The most corners of a cell in which fallen units are drawn.
pub const FALLEN_CORNERS: usize = 2;

/// The fallen units that lie in one cell with a fallen unit and are of its size, the most important
/// first.
pub fn heap<'a>(
    units: impl IntoIterator<Item = &'a UnitView>,
    unit: &UnitView,
) -> Vec<&'a UnitView> {
    let lies_here =
        |p: &&UnitView| p.is_there() && !p.is_up() && p.at == unit.at && p.size == unit.size;
    let mut heap = Vec::from_iter(units.into_iter().filter(lies_here));
    heap.sort_by_key(|p| p.importance());
    heap
}

/// The corner of its cell in which a unit is drawn, if it shares the cell. `None` if it is
/// alone, stands above fallen or smaller units, or is the most important fallen unit where none
/// stands. Fallen units without a corner of their own share the last one.
pub fn corner_in_cell<'a>(
    units: impl IntoIterator<Item = &'a UnitView>,
    unit: &UnitView,
) -> Option<(i8, i8)> {
    if !unit.is_there() {
        return None;
    }
    let meets = |p: &&UnitView| p.id != unit.id && p.is_there() && p.size >= unit.size;
    let here = units.into_iter().filter(meets);
    let here = here.filter(|p| p.space().contains(unit.at));
    let (standing, lying): (Vec<_>, Vec<_>) = here.partition(|p| p.is_up());
    // The units that share its cell on equal terms, and one that would cover it.
    let (peers, over) = match unit.is_up() {
        true => (&standing, standing.iter().find(|p| p.size > unit.size)),
        false => (&lying, standing.first()),
    };
    let is_equal = |p: &&&UnitView| p.at == unit.at && p.size == unit.size;
    let peers = peers.iter().filter(is_equal);
    if over.is_none() && peers.clone().next().is_none() {
        return None;
    }
    let mut before = peers.filter(|p| p.importance() < unit.importance()).count();
    if !unit.is_up() {
        if over.is_none() {
            before = before.checked_sub(1)?;
        }
        before = before.min(FALLEN_CORNERS - 1);
    }
    let mut corners = match (unit.is_up(), standing.len()) {
        (true, _) => STANDING_CORNERS,
        (false, 0 | 1) => CORNERS,
        (false, _) => {
            let [a, b, c, d] = STANDING_CORNERS;
            [d, c, b, a]
        }
    };
    // Move it away from the middle of a large unit, towards the most visible part of the cell.
    let away = over.map_or((0.0, 0.0), |over| {
        let ((x, y), (from_x, from_y)) = (unit.middle(), over.middle());
        (x - from_x, y - from_y)
    });
    if away == (0.0, 0.0) {
        return Some(corners[before % 4]);
    }
    let out = |c: &(i8, i8)| f32::from(c.0) * away.0 + f32::from(c.1) * away.1;
    corners.sort_by(|a, b| out(b).total_cmp(&out(a)));
    Some(corners[before % 3])
}
