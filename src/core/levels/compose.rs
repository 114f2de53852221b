//! Builds a level's text from a map, squads and an objective. The text is read and
//! checked like any level file, and can be saved as one.

use super::{Goal, Level, Rows, generate::GeneratedMap};
use crate::{
    content::{Content, section::word_enum},
    grid::{Board, Cell, Space},
    ron_read, rulesets,
};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::Write,
};

/// A map to fight on, with places for a number of sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The level fields that describe the map, as text.
    fields: String,
    /// The ids of the sides. Empty for `side_0`, `side_1` and so on.
    ids: Vec<String>,
    /// The cells where each side can start, nearest first.
    starts: Vec<Vec<Cell>>,
    /// The number of these cells that form the starting area. The others are for
    /// units that do not fit in it.
    core: usize,
    /// The cells where each side can leave. Empty if it cannot.
    exits: Vec<Vec<Cell>>,
    /// The cells of the middle, for objectives that hold it.
    middle: Vec<Cell>,
}

/// The cells of a starting area on the map of a level, unless its units need more.
const START: usize = 24;
/// The most cells that a side can start in.
const ROOM: usize = 64;

impl Site {
    /// From a generated map.
    pub fn of_ground(ground: &GeneratedMap) -> Self {
        let is_there = |c: &char| ground.rows.iter().any(|row| row.contains(*c));
        let legend = GeneratedMap::LEGEND.iter().filter(|(c, _)| is_there(c));
        let rows = Rows {
            rows: ground.rows.clone(),
            legend: legend.map(|(c, what)| (*c, (*what).to_owned())).collect(),
        };
        let fields = rows.fields();
        Self {
            fields,
            ids: vec![],
            starts: ground.starts.clone(),
            core: ground.core,
            exits: ground.exits.clone(),
            middle: ground.middle.clone(),
        }
    }

    /// From rows of characters, with the ids of the sides, and the cells where each can start
    /// and leave, nearest first.
    pub fn of_rows(
        rows: &Rows,
        ids: Vec<String>,
        starts: Vec<Vec<Cell>>,
        exits: Vec<Vec<Cell>>,
    ) -> Self {
        Self {
            fields: rows.fields(),
            ids,
            starts,
            core: START,
            exits,
            middle: vec![],
        }
    }

    /// From the map of a level. Its sides start where they start in that level.
    /// `None` if a side has too few free cells around its start.
    pub fn of_level(level: &Level) -> Option<Self> {
        let mut fields = String::new();
        let names = ["map", "legend", "light", "diagonals"].into_iter();
        for name in names.chain(rulesets::level_fields()) {
            if let Some(text) = ron_read::field(&level.source, name) {
                let _ = writeln!(fields, "    {name}: {text},");
            }
        }
        let starts = starts(level);
        let is_room = starts.iter().all(|start| start.len() >= 6);
        let exits = (0..level.sides.len()).map(|n| {
            let open = level.exits.iter();
            let open = open.filter(|exit| exit.sides.iter().any(|side| usize::from(side.0) == n));
            open.flat_map(|exit| exit.cells.clone()).collect()
        });
        is_room.then(|| Self {
            fields,
            ids: vec![],
            exits: exits.collect(),
            middle: middle(level, &starts),
            starts,
            core: START,
        })
    }

    /// The id of a side.
    fn id(&self, n: usize) -> String {
        let own = self.ids.get(n).cloned();
        own.unwrap_or_else(|| format!("side_{n}"))
    }

    /// The number of sides that it has places for.
    pub fn sides(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is a middle that can be held.
    pub fn can_be_held(&self) -> bool {
        !self.middle.is_empty()
    }
}

/// For each side a number of cells around its units' cells, nearest first.
fn starts(level: &Level) -> Vec<Vec<Cell>> {
    let board = level.board();
    let mut taken: BTreeSet<Cell> = BTreeSet::new();
    let mut starts = vec![vec![]; level.sides.len()];
    let here = level.combatants.iter().filter(|c| c.arrives.is_none());
    let here = here.map(|c| (usize::from(c.side.0), c.cell));
    let mut queue: VecDeque<_> = here.collect();
    while let Some((side, cell)) = queue.pop_front() {
        if !can_stand(&board, cell) || starts[side].len() == ROOM || !taken.insert(cell) {
            continue;
        }
        starts[side].push(cell);
        for next in cell.beside() {
            // No side starts beyond a step that has to be climbed.
            if board.contains(next) && (board.stand(next) - board.stand(cell)).abs() <= 5.0 {
                queue.push_back((side, next));
            }
        }
    }
    starts
}

/// Whether a unit can stand in a cell.
pub fn can_stand(board: &Board, cell: Cell) -> bool {
    board.contains(cell) && board.can_stand(Space::one(cell))
}

/// The distance of every reachable cell in steps, also through doors. A step goes up or down 5
/// feet at most.
pub fn steps(board: &Board, from: Cell) -> BTreeMap<Cell, u32> {
    let mut distances = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        let distance = distances[&cell] + 1;
        for next in cell.beside() {
            let can_step = board.contains(next)
                && (can_stand(board, next) || board.door(next).is_some())
                && (board.stand(next) - board.stand(cell)).abs() <= 5.0;
            if can_step && !distances.contains_key(&next) {
                distances.insert(next, distance);
                queue.push_back(next);
            }
        }
    }
    distances
}

/// The area that a side of the level has to capture; otherwise a cell about equally
/// far from all starts.
fn middle(level: &Level, starts: &[Vec<Cell>]) -> Vec<Cell> {
    let mut goals = level.objectives.iter().map(|objective| &objective.goal);
    let area = goals.find_map(|goal| match goal {
        Goal::Capture { area, .. } => Some(area.clone()),
        _ => None,
    });
    if let Some(area) = area {
        return area;
    }
    let board = level.board();
    let firsts = starts.iter().filter_map(|s| s.first());
    let ways: Vec<_> = firsts.map(|&s| steps(&board, s)).collect();
    let worth = |cell: &Cell| {
        let all: Option<Vec<u32>> = ways.iter().map(|way| way.get(cell).copied()).collect();
        let all = all?;
        let (least, most) = (all.iter().min()?, all.iter().max()?);
        Some(((most - least), most + least))
    };
    let free = board.cells().filter(|&cell| can_stand(&board, cell));
    let best = free.filter_map(|cell| Some((worth(&cell)?, cell))).min();
    best.map_or(vec![], |(_, cell)| vec![cell])
}

word_enum! {
    /// The objective of all sides.
    #[derive(Default)]
    pub enum Aim {
        /// Defeat all enemies.
        #[default]
        Defeat = "Defeat all",
        /// Hold the middle without enemies at the end of three rounds in a row.
        Hold = "Hold the middle",
        /// Defeat the other sides' leaders.
        Leaders = "Defeat the leader",
    }
}

/// The number of rounds for which the middle has to be held.
const HELD: u32 = 3;

/// The units of one side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Squad {
    /// The display name: "The reds".
    pub name: String,
    /// Kinds, each with the number of its units.
    pub members: Vec<(String, u32)>,
}

impl Squad {
    pub fn size(&self) -> u32 {
        self.members.iter().map(|(_, count)| count).sum()
    }

    /// The number of cells that its units occupy.
    pub fn cells(&self) -> u32 {
        let cells = |(kind, count): &(String, u32)| count * u32::from(size(kind)).pow(2);
        self.members.iter().map(cells).sum()
    }
}

/// The edge of a kind's space in cells; 1 if the kind is not built in.
fn size(kind: &str) -> u8 {
    Content::built_in().creature(kind).map_or(1, |c| c.size)
}

/// The parts of a battle to build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composition {
    pub title: String,
    pub briefing: String,
    pub place: Site,
    /// The first squad is the player's.
    pub squads: Vec<Squad>,
    pub aim: Aim,
    /// The ruleset that the level is made for. `None` for all.
    pub rules: Option<&'static str>,
    /// The level's own kinds, as the text of its field `kinds`; empty for none. They
    /// must have the size of the built-in kinds with the same id.
    pub kinds: String,
}

impl Composition {
    /// The text of the level's file.
    pub fn text(&self) -> String {
        let mut text = format!("(\n    title: {:?},\n", self.title);
        if !self.briefing.is_empty() {
            let _ = writeln!(text, "    briefing: {:?},", self.briefing);
        }
        if let Some(rules) = self.rules {
            let _ = writeln!(text, "    rules: {rules},");
        }
        text += &self.place.fields;
        let squads = || std::iter::zip(self.squads.iter(), &self.place.starts).enumerate();
        let mut members = String::new();
        text += "    sides: [\n";
        for (n, (squad, room)) in squads() {
            let free = self.members(&mut members, n, squad, room);
            let is_start =
                |(nth, cell): &(usize, &Cell)| *nth < self.place.core || !free.contains(cell);
            let start = room.iter().enumerate().filter(is_start);
            let start: Vec<Cell> = start.map(|(_, &cell)| cell).collect();
            let (id, name) = (self.place.id(n), &squad.name);
            let start = Cell::list_in_file(&start);
            let entry = format!("(id: {id:?}, name: {name:?}, start: {start})");
            let _ = writeln!(text, "        {entry},");
        }
        let _ = write!(text, "    ],\n    combatants: [\n{members}    ],\n");
        let mut exits = String::new();
        for (n, _) in squads() {
            if let Some(exit) = self.place.exits.get(n).filter(|exit| !exit.is_empty()) {
                let (exit, id) = (Cell::list_in_file(exit), self.place.id(n));
                let _ = writeln!(exits, "        (at: {exit}, sides: [{id:?}]),");
            }
        }
        if !exits.is_empty() {
            let _ = write!(text, "    exits: [\n{exits}    ],\n");
        }
        self.objectives(&mut text);
        if !self.kinds.is_empty() {
            let _ = writeln!(text, "    kinds: {},", self.kinds);
        }
        text + ")\n"
    }

    /// Writes the entries of a squad's units and returns the cells that stay free.
    /// Large units first, because they need contiguous space.
    fn members(&self, text: &mut String, n: usize, squad: &Squad, room: &[Cell]) -> Vec<Cell> {
        let mut members = squad.members.clone();
        members.retain(|(_, count)| *count > 0);
        members.sort_by_key(|(kind, _)| std::cmp::Reverse(size(kind)));
        let has_leader = self.aim == Aim::Leaders;
        let mut leader = has_leader.then(|| self.leader(squad)).flatten();
        let start = &room[..self.place.core.min(room.len())];
        let mut free = room.to_vec();
        let side = self.place.id(n);
        for (kind, mut count) in members {
            if leader.as_ref() == Some(&kind) {
                leader = None;
                count -= 1;
                let at = places(&mut free, start, size(&kind), 1);
                let name = self.leader_name(n);
                let unit = format!("kind: {kind:?}, name: {name:?}, side: {side:?}{at}");
                let _ = writeln!(text, "        ({unit}, leader: true),");
            }
            if count > 0 {
                let at = places(&mut free, start, size(&kind), count);
                let _ = writeln!(text, "        (kind: {kind:?}, side: {side:?}{at}),");
            }
        }
        free
    }

    /// The kind of a squad's leader: the kind with the most hit dice.
    fn leader(&self, squad: &Squad) -> Option<String> {
        let there = squad.members.iter().filter(|(_, count)| *count > 0);
        let rank = |kind: &str| Some(Content::built_in().creature(kind)?.rank());
        let best = there.max_by_key(|(kind, _)| rank(kind));
        best.map(|(kind, _)| kind.clone())
    }

    /// The name of a squad's leader: that of its kind if it is the only unit of it,
    /// so that heroes keep their names.
    fn leader_name(&self, n: usize) -> String {
        let kind = self.leader(&self.squads[n]).unwrap_or_default();
        let all = self.squads.iter().flat_map(|squad| &squad.members);
        let count: u32 = all.filter(|of| of.0 == kind).map(|of| of.1).sum();
        match count {
            1 => kind.replace('_', " "),
            _ => format!("leader of side {n}"),
        }
    }

    fn objectives(&self, text: &mut String) {
        if self.aim == Aim::Defeat {
            return;
        }
        *text += "    objectives: [\n";
        for n in 0..self.squads.len() {
            let goal = match self.aim {
                Aim::Hold => format!(
                    "Capture(area: {}, rounds: {HELD}), text: \"Hold the middle for {HELD} rounds\"",
                    Cell::list_in_file(&self.place.middle)
                ),
                _ => {
                    let others = (0..self.squads.len()).filter(|other| *other != n);
                    let name = |n| format!("{:?}", self.leader_name(n));
                    let names: Vec<_> = others.map(name).collect();
                    let noun = if names.len() > 1 { "leaders" } else { "leader" };
                    let names = names.join(", ");
                    format!("Defeat([{names}]), text: \"Defeat their {noun}\"")
                }
            };
            let side = self.place.id(n);
            let _ = writeln!(text, "        (side: {side:?}, goal: {goal}),");
        }
        *text += "    ],\n    last_round: 40,\n";
    }
}

/// The cells of `count` units of a size, as text. If there is not enough space, only
/// their count, so that reading the level reports the problem.
fn places(free: &mut Vec<Cell>, start: &[Cell], size: u8, count: u32) -> String {
    let mut found = vec![];
    for _ in 0..count {
        // Place large units row by row, so that little space is lost between them.
        let place = match size {
            1 => free.first().copied(),
            _ => {
                let is_free =
                    |at: &&Cell| Space::new(**at, size).cells().all(|c| free.contains(&c));
                let near = free.iter().filter(|cell| start.contains(cell));
                let near = near.filter(is_free).min_by_key(|at| (at.y, at.x));
                near.or_else(|| free.iter().find(is_free)).copied()
            }
        };
        let Some(place) = place else {
            return format!(", count: {count}");
        };
        let taken = Space::new(place, size);
        free.retain(|cell| !taken.cells().any(|c| c == *cell));
        found.push(place);
    }
    format!(", at: {}", Cell::list_in_file(&found))
}
