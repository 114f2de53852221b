//! Small random levels for tests that need many: doors, diagonals, heights, pits, climbable slopes,
//! slits, fog, two to four sides, large units, exits, hidden units, surprise, reinforcements, and
//! every kind of objective.

use fivefoot_core::{
    battle::Chance,
    content::Content,
    levels::{Level, check_file},
};
use std::sync::Arc;

/// A small random level, deterministic for its seed.
///
/// # Panics
/// If no attempt for the seed passes `check`.
pub fn small_level(seed: u64) -> Arc<Level> {
    let mut problems = vec![];
    for attempt in 0..ATTEMPTS {
        let text = Sketch::new(seed.wrapping_mul(ATTEMPTS) + attempt).text();
        match check_file("small.ron", &text) {
            Ok((level, _)) => return Arc::new(level),
            Err(found) => problems.push(format!("{}\n{text}", found[0])),
        }
    }
    let last = problems.last().expect("attempts were made");
    panic!("seed {seed}: no attempt is a level; the last: {last}");
}

/// Attempts per seed to generate a level that passes `check`; sometimes a unit is walled in.
const ATTEMPTS: u64 = 100;

/// Terrain other than plain floor: its character and its legend entry.
const GROUND: [(char, &str); 21] = [
    ('#', ""),
    ('=', ""),
    ('o', ""),
    ('+', ""),
    ('/', ""),
    (',', ""),
    ('~', ""),
    ('l', "(floor: 5)"),
    ('m', "(floor: 2, rough: true)"),
    ('h', "(floor: 10)"),
    ('c', "(floor: 15, climbable: true)"),
    ('p', "(floor: -20)"),
    ('q', "(floor: -20, climbable: true)"),
    ('s', "(floor: -8)"),
    ('w', "Window(X)"),
    ('y', "Slit(Y)"),
    ('f', "(fog: 100)"),
    ('g', "(fog: 50, water: true)"),
    ('d', "(floor: 5, feature: Door)"),
    ('e', "(floor: -8, feature: LowWall)"),
    (
        't',
        "Blocks([(from: (0.5, 1, 2), to: (4.5, 4, 2.5)), (from: (0, 0, 0), to: (0.5, 0.5, 8))])",
    ),
];

/// Terrain in which no unit is placed.
const FULL: &str = "#o+wydt";

/// A level under construction.
struct Sketch {
    chance: Chance,
    rows: Vec<Vec<char>>,
    /// Cells in which a unit starts or arrives.
    taken: Vec<(usize, usize)>,
    sides: usize,
    /// Units present from the start: name, side.
    units: Vec<(String, usize)>,
}

impl Sketch {
    fn new(seed: u64) -> Self {
        Self {
            chance: Chance::new(seed),
            rows: vec![],
            taken: vec![],
            sides: 0,
            units: vec![],
        }
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.chance.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.chance.below(of.len())]
    }

    fn text(mut self) -> String {
        self.draw();
        self.sides = self.pick(&[2, 2, 2, 3, 4]);
        let sides: String = (0..self.sides).map(|n| self.side(n)).collect();
        let combatants = self.combatants();
        let mut fields = format!(
            "    title: \"Small\",\n    map: [\n{}    ],\n    legend: {{\n{}    }},\n    \
             sides: [\n{sides}    ],\n    combatants: [\n{combatants}    ],\n",
            self.map(),
            legend()
        );
        let more = [
            Self::reinforcements,
            Self::exits,
            Self::surprise,
            Self::objectives,
            Self::settings,
        ];
        for write in more {
            fields += &write(&mut self);
        }
        format!("(\n{fields})\n")
    }

    /// Draws the terrain: a few features, scattered.
    fn draw(&mut self) {
        let width = 3 + self.chance.below(10);
        let height = 2 + self.chance.below(7);
        let features: Vec<(char, usize)> = (0..1 + self.chance.below(4))
            .map(|_| (self.pick(&GROUND).0, 4 + self.chance.below(16)))
            .collect();
        for _ in 0..height {
            let mut row = vec![];
            for _ in 0..width {
                let mut cell = '.';
                for &(feature, rarity) in &features {
                    if self.one_in(rarity) {
                        cell = feature;
                    }
                }
                row.push(cell);
            }
            self.rows.push(row);
        }
        // Random cells rarely give doors inside walls, so add a wall with doors.
        if self.one_in(3) {
            let column = 1 + self.chance.below(width - 2);
            for row in &mut self.rows {
                row[column] = '#';
            }
            let door = self.chance.below(height);
            self.rows[door][column] = self.pick(&['+', '+', '/']);
        }
    }

    fn map(&self) -> String {
        let row = |row: &Vec<char>| format!("        {:?},\n", row.iter().collect::<String>());
        self.rows.iter().map(row).collect()
    }

    fn side(&mut self, n: usize) -> String {
        let mut side = format!("        (id: \"side_{n}\"");
        if self.one_in(3) {
            let rounds = 1 + self.chance.below(3);
            side += &format!(", fled_return: {rounds}");
        }
        if self.one_in(3) {
            let awareness = self.pick(&["Unaware", "Ready", "Alert"]);
            side += &format!(", awareness: {awareness}");
        }
        if self.one_in(4) {
            let other = (n + 1 + self.chance.below(self.sides - 1)) % self.sides;
            side += &format!(", alerted_to: [\"side_{other}\"]");
        }
        side + "),\n"
    }

    /// The north-west cell of a random free square, or `None` after 40 tries.
    fn free(&mut self, size: usize) -> Option<(usize, usize)> {
        let (width, height) = (self.rows[0].len(), self.rows.len());
        for _ in 0..40 {
            let (x, y) = (self.chance.below(width), self.chance.below(height));
            let cells: Vec<_> = (0..size * size)
                .map(|n| (x + n % size, y + n / size))
                .collect();
            let ok = |&(x, y): &(usize, usize)| {
                x < width
                    && y < height
                    && !FULL.contains(self.rows[y][x])
                    && !self.taken.contains(&(x, y))
            };
            if cells.iter().all(ok) {
                self.taken.extend(cells);
                return Some((x, y));
            }
        }
        None
    }

    /// A unit of a random kind, or `None` if there is no room.
    fn unit(&mut self, name: &str, side: usize) -> Option<String> {
        let kinds = &Content::built_in().creatures;
        let (kind, creature) = kinds
            .iter()
            .nth(self.chance.below(kinds.len()))
            .expect("there are kinds");
        let mut with = vec![];
        let mut size = usize::from(creature.size);
        match self.chance.below(12) {
            0 => size = 2,
            1 => size = 3,
            _ => {}
        }
        if size != usize::from(creature.size) {
            with.push(format!("size: {size}"));
        }
        if self.one_in(4) {
            with.push(format!("morale: {}", 2 + self.chance.below(6)));
        }
        if self.one_in(10) {
            let speed = self.pick(&[0, 5, 10, 60]);
            with.push(format!("speed: {speed}"));
        }
        let (x, y) = self.free(size)?;
        let mut unit = format!(
            "(kind: {kind:?}, name: {name:?}, side: \"side_{side}\", at: ({x}, {y}), with: ({})",
            with.join(", ")
        );
        for (field, rarity) in [
            ("prone: true", 8),
            ("leader: true", 5),
            ("hidden: true", 6),
            ("hp: 1", 8),
            ("awareness: Unaware", 10),
            ("awareness: Alert", 10),
        ] {
            let first = !unit.contains(field.split(':').next().unwrap_or(field));
            if self.one_in(rarity) && first {
                unit += &format!(", {field}");
            }
        }
        Some(unit + ")")
    }

    fn combatants(&mut self) -> String {
        let mut all = String::new();
        for side in 0..self.sides {
            for n in 0..1 + self.chance.below(4) {
                let name = format!("s{side} n{n}");
                if let Some(unit) = self.unit(&name, side) {
                    all += &format!("        {unit},\n");
                    self.units.push((name, side));
                }
            }
        }
        all
    }

    fn reinforcements(&mut self) -> String {
        let mut waves = String::new();
        while self.one_in(4) {
            let side = self.chance.below(self.sides);
            let name = format!("late {}", waves.len());
            if let Some(unit) = self.unit(&name, side) {
                let round = 2 + self.chance.below(4);
                let count = match self.one_in(3) {
                    true => format!("count: {}, ", 1 + self.chance.below(20)),
                    false => String::new(),
                };
                waves += &format!("        (round: {round}, {count}combatants: [{unit}]),\n");
            }
        }
        match waves.is_empty() {
            true => waves,
            false => format!("    reinforcements: [\n{waves}    ],\n"),
        }
    }

    /// A random cell as levels write it.
    fn cell(&mut self) -> String {
        let (width, height) = (self.rows[0].len(), self.rows.len());
        format!(
            "({}, {})",
            self.chance.below(width),
            self.chance.below(height)
        )
    }

    fn exits(&mut self) -> String {
        let mut exits = String::new();
        for _ in 0..self.chance.below(3) {
            let cell = self.cell();
            let sides = match self.one_in(2) {
                true => String::new(),
                false => format!(", sides: [\"side_{}\"]", self.chance.below(self.sides)),
            };
            exits += &format!("        (at: {cell}{sides}),\n");
        }
        format!("    exits: [\n{exits}    ],\n")
    }

    fn surprise(&mut self) -> String {
        let side = self.chance.below(self.sides);
        let how = self.pick(&["Stealth", "Force"]);
        match self.chance.below(6) {
            0 => format!("    surprise: Caught([\"side_{side}\"]),\n"),
            1 => format!("    surprise: Check(by: \"side_{side}\", how: {how}),\n"),
            _ => String::new(),
        }
    }

    fn objectives(&mut self) -> String {
        let mut all = String::new();
        if self.units.is_empty() {
            return all;
        }
        for _ in 0..self.chance.below(4) {
            let side = self.chance.below(self.sides);
            let (name, of) = self.units[self.chance.below(self.units.len())].clone();
            let cell = self.cell();
            let rounds = 1 + self.chance.below(5);
            let goal: String = match self.chance.below(7) {
                0 => "Defeat".into(),
                1 if of != side => format!("Defeat([{name:?}])"),
                2 => format!("Reach(area: {cell})"),
                3 => format!("Reach(area: [{cell}, {}], count: 1)", self.cell()),
                4 => format!("Survive(rounds: {rounds})"),
                5 => format!("Protect([{name:?}])"),
                _ => format!("Capture(area: {cell}, rounds: {rounds})"),
            };
            let may_go_on = goal.starts_with("Reach") || goal.starts_with("Protect");
            let vital = match may_go_on && self.one_in(2) {
                true => self.pick(&[", vital: true", ", vital: false"]),
                false => "",
            };
            all += &format!("        (side: \"side_{side}\", goal: {goal}{vital}),\n");
        }
        format!("    objectives: [\n{all}    ],\n")
    }

    fn settings(&mut self) -> String {
        let mut all = String::new();
        // Units that move at random seldom meet, so most battles get a round limit.
        if !self.one_in(20) {
            all += &format!("    last_round: {},\n", 5 + self.chance.below(20));
        }
        if self.one_in(3) {
            all += "    diagonals: FiveTen,\n";
        }
        if self.one_in(4) {
            all += "    restricted: true,\n";
        }
        if self.one_in(4) {
            all += "    fine_haste: true,\n";
        }
        if self.one_in(2) {
            let declare = self.pick(&["Sealed", "RoundRobin", "ByAgility"]);
            let shared = self.one_in(2);
            all += &format!("    speed: (declare: {declare}, shared: {shared}),\n");
        }
        all
    }
}

fn legend() -> String {
    let own = GROUND.iter().filter(|(_, what)| !what.is_empty());
    own.map(|(letter, what)| format!("        {letter:?}: {what},\n"))
        .collect()
}

#[test]
fn small_levels_cover_every_feature() {
    use fivefoot_core::levels::Goal;
    let levels: Vec<_> = (0..300).map(small_level).collect();
    let any = |is: &dyn Fn(&Level) -> bool| levels.iter().filter(|level| is(level)).count();
    let goals = |is: fn(&Goal) -> bool| any(&|l| l.objectives.iter().any(|o| is(&o.goal)));
    for (what, count) in [
        ("doors", any(&|l| l.board().doors().next().is_some())),
        ("four sides", any(&|l| l.sides.len() == 4)),
        ("exits", any(&|l| !l.exits.is_empty())),
        ("hidden", any(&|l| l.combatants.iter().any(|c| c.hidden))),
        (
            "late",
            any(&|l| l.combatants.iter().any(|c| c.arrives.is_some())),
        ),
        (
            "large",
            any(&|l| l.combatants.iter().any(|c| c.creature.size > 1)),
        ),
        (
            "fled return",
            any(&|l| l.sides.iter().any(|s| s.fled_return.is_some())),
        ),
        ("reach", goals(|goal| matches!(goal, Goal::Reach { .. }))),
        (
            "capture",
            goals(|goal| matches!(goal, Goal::Capture { .. })),
        ),
        ("protect", goals(|goal| matches!(goal, Goal::Protect(_)))),
        (
            "survive",
            goals(|goal| matches!(goal, Goal::Survive { .. })),
        ),
    ] {
        assert!(count >= 10, "{what}: {count} of {}", levels.len());
    }
}
