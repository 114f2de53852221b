//! Levels put together of ground, squads and something to do, as text: what comes of
//! it is read and checked like any level, and can be saved as one.

use super::{Goal, Level, Rows, generate::Ground};
use crate::{
    content::{Content, Training},
    grid::{Cell, Space},
    ron_read, rulesets,
};
use std::{
    collections::{BTreeSet, VecDeque},
    fmt::Write,
};

/// Ground to fight on, with places for some sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The fields of a level that tell the ground, as they are written.
    fields: String,
    /// Where each side may begin, the nearest first.
    starts: Vec<Vec<Cell>>,
    /// So many of those cells are its start area; the others are for those whom it
    /// has no room for.
    core: usize,
    /// Where each may leave; empty where it may not.
    exits: Vec<Vec<Cell>>,
    /// What can be held.
    middle: Vec<Cell>,
}

/// Cells of a start area on the ground of a level, unless more are stood in.
const START: usize = 24;
/// Cells in which a side may stand at most.
const ROOM: usize = 64;

impl Place {
    /// Of ground that was made.
    pub fn of_ground(ground: &Ground) -> Self {
        let is_there = |c: &char| ground.rows.iter().any(|row| row.contains(*c));
        let legend = Ground::LEGEND.iter().filter(|(c, _)| is_there(c));
        let rows = Rows {
            rows: ground.rows.clone(),
            legend: legend.map(|(c, what)| (*c, (*what).to_owned())).collect(),
        };
        let fields = rows.fields();
        Self {
            fields,
            starts: ground.starts.clone(),
            core: ground.core,
            exits: ground.exits.clone(),
            middle: ground.middle.clone(),
        }
    }

    /// Of a map, where each side may begin and leave, the nearest cells first.
    pub fn of_rows(rows: &Rows, starts: Vec<Vec<Cell>>, exits: Vec<Vec<Cell>>) -> Self {
        Self {
            fields: rows.fields(),
            starts,
            core: START,
            exits,
            middle: vec![],
        }
    }

    /// The ground of a level; its sides begin where they begin there.
    pub fn of_level(level: &Level) -> Option<Self> {
        let mut fields = String::new();
        for name in ["map", "legend", "light", "diagonals"]
            .into_iter()
            .chain(rulesets::level_fields())
        {
            if let Some(text) = ron_read::field(&level.source, name) {
                let _ = writeln!(fields, "    {name}: {text},");
            }
        }
        let starts = starts(level);
        let is_room = starts.iter().all(|start| start.len() >= 6);
        let exits = (0..level.sides.len()).map(|n| {
            let open = level
                .exits
                .iter()
                .filter(|exit| exit.sides.iter().any(|side| usize::from(side.0) == n));
            open.flat_map(|exit| exit.cells.clone()).collect()
        });
        is_room.then(|| Self {
            fields,
            exits: exits.collect(),
            middle: middle(level, &starts),
            starts,
            core: START,
        })
    }

    /// How many sides it has places for.
    pub fn sides(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is something in the middle that can be held.
    pub fn can_be_held(&self) -> bool {
        !self.middle.is_empty()
    }
}

/// Cells round those in which the sides begin, a few for each, the nearest first.
fn starts(level: &Level) -> Vec<Vec<Cell>> {
    let board = level.board();
    let mut taken: BTreeSet<Cell> = BTreeSet::new();
    let mut starts = vec![vec![]; level.sides.len()];
    let mut queue = VecDeque::new();
    let here = level.combatants.iter().filter(|c| c.arrives.is_none());
    for one in here {
        queue.push_back((usize::from(one.side.0), one.cell));
    }
    while let Some((side, cell)) = queue.pop_front() {
        let is_free = board.contains(cell) && board.can_stand(Space::new(cell, 1));
        if !is_free || starts[side].len() == ROOM || !taken.insert(cell) {
            continue;
        }
        starts[side].push(cell);
        for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
            let next = Cell::new(cell.x + dx, cell.y + dy);
            // Nobody begins beyond a step that would have to be climbed.
            if board.contains(next) && (board.stand(next) - board.stand(cell)).abs() <= 5.0 {
                queue.push_back((side, next));
            }
        }
    }
    starts
}

/// What some side of the level is to take, or else a cell that lies as far from one
/// start as from another.
fn middle(level: &Level, starts: &[Vec<Cell>]) -> Vec<Cell> {
    let area = level
        .objectives
        .iter()
        .find_map(|objective| match &objective.goal {
            Goal::Capture { area, .. } => Some(area.clone()),
            _ => None,
        });
    if let Some(area) = area {
        return area;
    }
    let board = level.board();
    let far = |from: Cell| {
        let mut met = std::collections::BTreeMap::from([(from, 0)]);
        let mut queue = VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                let next = Cell::new(cell.x + dx, cell.y + dy);
                let is_way = board.contains(next)
                    && (board.can_stand(Space::new(next, 1)) || board.door(next).is_some())
                    && (board.stand(next) - board.stand(cell)).abs() <= 5.0;
                if is_way && !met.contains_key(&next) {
                    met.insert(next, met[&cell] + 1);
                    queue.push_back(next);
                }
            }
        }
        met
    };
    let ways: Vec<_> = starts
        .iter()
        .filter_map(|s| s.first())
        .map(|&s| far(s))
        .collect();
    let worth = |cell: &Cell| {
        let all: Option<Vec<i32>> = ways.iter().map(|way| way.get(cell).copied()).collect();
        let all = all?;
        let (least, most) = (all.iter().min()?, all.iter().max()?);
        Some(((most - least), most + least))
    };
    let free = board
        .cells()
        .filter(|&cell| board.can_stand(Space::new(cell, 1)));
    let best = free.filter_map(|cell| Some((worth(&cell)?, cell))).min();
    best.map_or(vec![], |(_, cell)| vec![cell])
}

/// What the sides have to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// Nobody else is left.
    #[default]
    Defeat,
    /// Nobody else stands in the middle at the end of three rounds.
    Hold,
    /// The others' leaders fall.
    Leaders,
}

impl Aim {
    pub const ALL: [Self; 3] = [Self::Defeat, Self::Hold, Self::Leaders];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Defeat => "Defeat all",
            Self::Hold => "Hold the middle",
            Self::Leaders => "Defeat the leader",
        }
    }
}

/// Rounds for which the middle has to be held.
const HELD: u32 = 3;

/// Those who fight on one side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Squad {
    /// For people: "The reds".
    pub name: String,
    /// Kinds, each with how many there are.
    pub members: Vec<(String, u32)>,
}

impl Squad {
    pub fn size(&self) -> u32 {
        self.members.iter().map(|(_, count)| count).sum()
    }
}

/// A battle to be put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composition {
    pub title: String,
    pub briefing: String,
    pub place: Place,
    /// The first is the player's.
    pub squads: Vec<Squad>,
    pub aim: Aim,
    /// The ruleset that it is made for, if for one.
    pub rules: Option<&'static str>,
    /// The level's own kinds, as its field `kinds` is written; empty for none. They must
    /// be as large as the built-in kinds of their ids.
    pub kinds: String,
}

impl Composition {
    /// The level's file.
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
            let (name, start) = (&squad.name, cells(&start));
            let _ = writeln!(
                text,
                "        (id: \"side_{n}\", name: {name:?}, start: {start}),"
            );
        }
        let _ = write!(text, "    ],\n    combatants: [\n{members}    ],\n");
        let exits: String = squads()
            .filter(|(n, _)| {
                self.place
                    .exits
                    .get(*n)
                    .is_some_and(|exit| !exit.is_empty())
            })
            .map(|(n, _)| {
                let exit = cells(&self.place.exits[n]);
                format!("        (at: {exit}, sides: [\"side_{n}\"]),\n")
            })
            .collect();
        if !exits.is_empty() {
            let _ = write!(text, "    exits: [\n{exits}    ],\n");
        }
        self.objectives(&mut text);
        if !self.kinds.is_empty() {
            let _ = writeln!(text, "    kinds: {},", self.kinds);
        }
        text + ")\n"
    }

    /// Large bodies first: they need the room. Which cells stay free.
    fn members(&self, text: &mut String, n: usize, squad: &Squad, room: &[Cell]) -> Vec<Cell> {
        let size = |kind: &str| Content::built_in().creature(kind).map_or(1, |c| c.size);
        let mut members = squad.members.clone();
        members.retain(|(_, count)| *count > 0);
        members.sort_by_key(|(kind, _)| std::cmp::Reverse(size(kind)));
        let mut leader = (self.aim == Aim::Leaders)
            .then(|| self.leader(squad))
            .flatten();
        let start = &room[..self.place.core.min(room.len())];
        let mut free = room.to_vec();
        for (kind, mut count) in members {
            if leader.as_ref() == Some(&kind) {
                leader = None;
                count -= 1;
                let at = places(&mut free, start, size(&kind), 1);
                let name = self.leader_name(n);
                let _ = writeln!(
                    text,
                    "        (kind: {kind:?}, name: {name:?}, side: \"side_{n}\"{at}, leader: true),"
                );
            }
            if count > 0 {
                let at = places(&mut free, start, size(&kind), count);
                let _ = writeln!(text, "        (kind: {kind:?}, side: \"side_{n}\"{at}),");
            }
        }
        free
    }

    /// Who leads a squad: of the kind with the most hit dice.
    fn leader(&self, squad: &Squad) -> Option<String> {
        let there = squad.members.iter().filter(|(_, count)| *count > 0);
        let dice = |kind: &str| match &Content::built_in().creature(kind)?.training {
            Training::Npc { hit_dice, .. } => Some(*hit_dice),
            Training::Hero { level, .. } => Some(*level),
        };
        let best = there.max_by_key(|(kind, _)| dice(kind));
        best.map(|(kind, _)| kind.clone())
    }

    /// What the leader of a squad is called: after its kind if it is the only one of it,
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
                    cells(&self.place.middle)
                ),
                _ => {
                    let others = (0..self.squads.len()).filter(|other| *other != n);
                    let names: Vec<_> = others
                        .map(|o| format!("{:?}", self.leader_name(o)))
                        .collect();
                    let whom = if names.len() > 1 {
                        "their leaders"
                    } else {
                        "their leader"
                    };
                    format!("Defeat([{}]), text: \"Defeat {whom}\"", names.join(", "))
                }
            };
            let _ = writeln!(text, "        (side: \"side_{n}\", goal: {goal}),");
        }
        *text += "    ],\n    last_round: 40,\n";
    }
}

/// Where so many of a size stand, as it is written; how many they are where there is
/// no room for all, which is then told when the level is read.
fn places(free: &mut Vec<Cell>, start: &[Cell], size: u8, count: u32) -> String {
    let mut found = vec![];
    for _ in 0..count {
        // Large ones row by row, so that little room is lost between them.
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
    format!(", at: {}", cells(&found))
}

fn cells(cells: &[Cell]) -> String {
    let all = cells.iter().map(|cell| cell.in_file());
    format!("[{}]", all.collect::<Vec<_>>().join(", "))
}
