//! Steps, paths and ranges (GR-30 to GR-33), some compared with brute force.

use std::collections::{BTreeMap, HashMap};

use fivefoot_core::grid::*;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::kit::{board, c, plain};

fn feet(step: Result<StepCost, StepError>) -> Result<u16, StepError> {
    step.map(|step| step.feet)
}

#[test]
fn diagonals_do_not_cut_corners_gr_30() {
    let board = board(&["..#", "...", "..."]);
    let walk = plain(&board);
    assert_eq!(feet(walk.step(c(1, 0), c(2, 1))), Err(StepError::Corner));
    assert_eq!(feet(walk.step(c(2, 1), c(1, 0))), Err(StepError::Corner));
    assert_eq!(feet(walk.step(c(0, 1), c(1, 2))), Ok(5));
    assert_eq!(feet(walk.step(c(1, 1), c(2, 0))), Err(StepError::Wall));
    assert_eq!(feet(walk.step(c(0, 0), c(0, -1))), Err(StepError::OffMap));
    assert_eq!(
        feet(walk.step(c(0, 0), c(2, 0))),
        Err(StepError::NotAdjacent)
    );
    assert_eq!(
        feet(walk.step(c(0, 0), c(0, 0))),
        Err(StepError::NotAdjacent)
    );
    let pillar = {
        let mut board = Board::new(2, 2);
        board.set(c(1, 0), CellGround::of(Feature::Pillar));
        board
    };
    assert_eq!(
        feet(plain(&pillar).step(c(0, 0), c(1, 1))),
        Err(StepError::Corner)
    );
}

#[test]
fn every_second_diagonal_can_cost_ten_gr_31() {
    let board = Board::new(9, 9);
    let five = plain(&board);
    let ten = StepRules {
        diagonals: Diagonals::FiveTen,
        ..five
    };
    let slant: Vec<Cell> = (0..5).map(|i| c(i, i)).collect();
    assert_eq!(five.price(&slant).unwrap().feet, 20);
    assert_eq!(ten.price(&slant).unwrap().feet, 30);
    let costs: Vec<u16> = ten
        .price(&slant)
        .unwrap()
        .steps
        .iter()
        .map(|step| step.feet)
        .collect();
    assert_eq!(costs, [5, 10, 5, 10]);
    // Straight steps in between do not restart the count of diagonals.
    let bent = [c(0, 0), c(1, 1), c(2, 1), c(3, 2)];
    assert_eq!(ten.price(&bent).unwrap().feet, 20);
    assert_eq!(ten.range(c(0, 0), 60).get(c(4, 4)).unwrap().feet, 30);
}

#[test]
fn climbing_up_costs_extra_gr_32() {
    let board = board(&["00=0599"]);
    let walk = plain(&board);
    let step = |from: i16, to: i16| walk.step(c(from, 0), c(to, 0));
    assert_eq!(feet(step(0, 1)), Ok(5));
    // Up onto a low wall of 3 ft, and down again.
    assert_eq!(feet(step(1, 2)), Ok(10));
    assert_eq!(feet(step(2, 3)), Ok(5));
    assert_eq!(feet(step(3, 4)), Ok(10));
    // 4 ft up.
    assert_eq!(feet(step(4, 5)), Ok(10));
    assert_eq!(feet(step(5, 4)), Ok(5));
    assert_eq!(feet(step(5, 6)), Ok(5));
}

#[test]
fn no_more_than_five_feet_up_unless_climbed_gr_32() {
    let mut board = Board::new(2, 1);
    let mut ledge = |floor: i16, climbable: bool| {
        board.set(
            c(1, 0),
            CellGround {
                climbable,
                ..CellGround::floor(floor)
            },
        );
        let walk = plain(&board);
        (walk.step(c(0, 0), c(1, 0)), walk.step(c(1, 0), c(0, 0)))
    };
    let plain = |feet: u16| StepCost {
        feet,
        fall: 0,
        diagonal: false,
    };
    assert_eq!(ledge(2, false).0, Ok(plain(5)));
    assert_eq!(ledge(3, false).0, Ok(plain(10)));
    assert_eq!(ledge(5, false).0, Ok(plain(10)));
    assert_eq!(ledge(6, false), (Err(StepError::TooHigh), Ok(plain(5))));
    assert_eq!(ledge(10, false), (Err(StepError::TooHigh), Ok(plain(5))));
    assert_eq!(
        ledge(11, false),
        (
            Err(StepError::TooHigh),
            Ok(StepCost {
                fall: 11,
                ..plain(5)
            })
        )
    );
    // Climbing is at half speed: 2 ft of movement for each foot of height.
    assert_eq!(ledge(6, true), (Ok(plain(15)), Ok(plain(5))));
    assert_eq!(ledge(10, true), (Ok(plain(20)), Ok(plain(5))));
    assert_eq!(ledge(30, true), (Ok(plain(60)), Ok(plain(60))));
}

#[test]
fn rough_ground_and_water_cost_double_gr_32() {
    let mut board = Board::new(3, 1);
    board.set(
        c(1, 0),
        CellGround {
            rough: true,
            ..CellGround::floor(3)
        },
    );
    board.set(
        c(2, 0),
        CellGround {
            water: true,
            ..CellGround::default()
        },
    );
    let walk = plain(&board);
    assert_eq!(feet(walk.step(c(0, 0), c(1, 0))), Ok(20));
    assert_eq!(feet(walk.step(c(1, 0), c(2, 0))), Ok(10));
    assert_eq!(
        feet(StepRules { slow: 2, ..walk }.step(c(1, 0), c(2, 0))),
        Ok(20)
    );
}

#[test]
fn found_paths_never_fall_but_custom_paths_can_gr_33() {
    let mut board = Board::new(3, 1);
    board.set(c(0, 0), CellGround::floor(25));
    let walk = plain(&board);
    assert_eq!(walk.range(c(0, 0), 60).cells().count(), 1);
    assert_eq!(walk.path(c(0, 0), c(2, 0)), None);
    let price = walk.price(&[c(0, 0), c(1, 0), c(2, 0)]).unwrap();
    assert_eq!((price.feet, price.steps[0].fall), (10, 25));
    let back = walk.price(&[c(2, 0), c(1, 0), c(0, 0)]);
    assert_eq!(
        back,
        Err(PathError {
            step: 1,
            why: StepError::TooHigh
        })
    );
    assert_eq!(back.unwrap_err().to_string(), "step 2: too high to step up");
}

#[test]
fn allies_let_units_pass_and_enemies_do_not_gr_03() {
    let board = Board::new(5, 1);
    let standing = |cell: Cell| match cell.x {
        2 => Occupant::Ally,
        4 => Occupant::Foe,
        _ => Occupant::Nobody,
    };
    let walk = StepRules {
        standing: &standing,
        ..plain(&board)
    };
    let range = walk.range(c(0, 0), 60);
    let stops: Vec<_> = range
        .cells()
        .map(|reached| (reached.cell.x, reached.may_stop))
        .collect();
    assert_eq!(stops, [(0, true), (1, true), (2, false), (3, true)]);
    assert_eq!(feet(walk.step(c(3, 0), c(4, 0))), Err(StepError::Foe));
}

#[test]
fn only_closed_doors_block_gr_02() {
    let mut board = Board::new(3, 1);
    board.set(c(1, 0), CellGround::of(Feature::Door { open: false }));
    assert_eq!(
        feet(plain(&board).step(c(0, 0), c(1, 0))),
        Err(StepError::Wall)
    );
    assert_eq!(plain(&board).range(c(0, 0), 60).cells().count(), 1);
    board.set_door(c(1, 0), true);
    assert_eq!(plain(&board).range(c(0, 0), 60).cells().count(), 3);
    board.set_door(c(1, 0), false);
    assert_eq!(plain(&board).range(c(0, 0), 60).cells().count(), 1);
}

#[test]
fn large_bodies_need_room_everywhere_gr_01() {
    let board = board(&["....", "....", "..#.", "...."]);
    let walk = StepRules {
        size: 2,
        ..plain(&board)
    };
    assert_eq!(feet(walk.step(c(0, 0), c(1, 0))), Ok(5));
    assert_eq!(feet(walk.step(c(1, 0), c(1, 1))), Err(StepError::Wall));
    assert_eq!(feet(walk.step(c(2, 0), c(3, 0))), Err(StepError::OffMap));
    assert_eq!(feet(walk.step(c(0, 1), c(1, 0))), Err(StepError::Corner));
    assert_eq!(walk.range(c(0, 0), 60).cells().count(), 5);
}

/// A random map with difficult terrain and enemies, and a unit to walk on it.
struct Country {
    board: Board,
    size: u8,
    diagonals: Diagonals,
    slow: u8,
    most: u16,
    occupants: HashMap<Cell, Occupant>,
    provoked: HashMap<(Cell, Cell), u64>,
    from: Cell,
    budget: u16,
}

impl Country {
    fn random(seed: u64) -> Self {
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (width, height) = (dice.random_range(1..8u16), dice.random_range(1..8u16));
        let mut board = Board::new(width, height);
        let mut occupants = HashMap::new();
        let heights: &[i16] = if dice.random_bool(0.5) {
            &[0]
        } else {
            &[0, 0, 0, 2, 4, 6, 12, -3]
        };
        for cell in board.cells() {
            let feature = match dice.random_range(0..20) {
                0..3 => Feature::Wall,
                3 => Feature::LowWall,
                4 => Feature::Door {
                    open: dice.random_bool(0.5),
                },
                5 => Feature::Window(Axis::X),
                _ => Feature::Open,
            };
            let ground = CellGround {
                floor: heights[dice.random_range(0..heights.len())],
                rough: dice.random_range(0..5) == 0,
                water: dice.random_range(0..9) == 0,
                climbable: dice.random_range(0..9) == 0,
                feature,
            };
            board.set(cell, ground);
            let occupant = match dice.random_range(0..12) {
                0 => Occupant::Foe,
                1 => Occupant::Ally,
                _ => Occupant::Nobody,
            };
            occupants.insert(cell, occupant);
        }
        let enemies = dice.random_range(0..6);
        let mut provoked = HashMap::new();
        for cell in board.cells() {
            for next in cell.neighbours() {
                let bits = (0..enemies)
                    .filter(|_| dice.random_range(0..3) == 0)
                    .map(|enemy| 1 << enemy)
                    .sum();
                provoked.insert((cell, next), bits);
            }
        }
        let from = c(
            dice.random_range(0..width as i16),
            dice.random_range(0..height as i16),
        );
        occupants.insert(from, Occupant::Nobody);
        Country {
            board,
            size: dice.random_range(1..3),
            diagonals: if dice.random_bool(0.5) {
                Diagonals::Five
            } else {
                Diagonals::FiveTen
            },
            slow: dice.random_range(1..3),
            occupants,
            provoked,
            from,
            budget: dice.random_range(0..100),
            most: match dice.random_bool(0.5) {
                true => 15,
                false => u16::MAX,
            },
        }
    }

    fn with_walk<T>(&self, task: impl FnOnce(StepRules) -> T) -> T {
        task(StepRules {
            board: &self.board,
            size: self.size,
            diagonals: self.diagonals,
            slow: self.slow,
            most: self.most,
            standing: &|cell| self.occupants.get(&cell).copied().unwrap_or_default(),
            provokes: Some(Provokes::anywhere(&|from, to| {
                self.provoked.get(&(from, to)).copied().unwrap_or_default()
            })),
        })
    }
}

/// The lowest cost to each cell and the number of enemies it provokes, found by trying every set of
/// enemies.
fn by_force(walk: &StepRules, from: Cell, budget: u16) -> BTreeMap<Cell, (u16, u32)> {
    let mut feet: BTreeMap<(Cell, bool, u64), u16> = BTreeMap::from([((from, false, 0), 0)]);
    loop {
        let mut better = vec![];
        for (&(cell, odd, provoked), &spent) in &feet {
            for next in cell.neighbours() {
                let Ok(StepCost {
                    feet: cost,
                    fall: 0,
                    diagonal,
                }) = walk.step(cell, next)
                else {
                    continue;
                };
                let counts = diagonal && walk.diagonals == Diagonals::FiveTen;
                let total = spent + if counts && odd { 2 * cost } else { cost };
                let state = (next, odd ^ counts, provoked | walk.provoked(cell, next));
                if total <= budget && feet.get(&state).is_none_or(|known| total < *known) {
                    better.push((state, total));
                }
            }
        }
        if better.is_empty() {
            break;
        }
        for (state, total) in better {
            let known = feet.entry(state).or_insert(total);
            *known = total.min(*known);
        }
    }
    let mut best = BTreeMap::new();
    for ((cell, _, provoked), feet) in feet {
        let rank = (feet, provoked.count_ones());
        let known = best.entry(cell).or_insert(rank);
        *known = rank.min(*known);
    }
    best
}

#[test]
fn ranges_match_brute_force_gr_33() {
    for seed in 0..1500 {
        let country = Country::random(seed);
        country.with_walk(|walk| {
            let range = walk.range(country.from, country.budget);
            let reached: BTreeMap<Cell, (u16, u32)> = range
                .cells()
                .map(|r| (r.cell, (r.feet, r.provoked.count_ones())))
                .collect();
            assert_eq!(
                reached,
                by_force(&walk, country.from, country.budget),
                "seed {seed}"
            );
            assert_eq!(range.cells().count(), reached.len(), "seed {seed}");
            assert!(
                range.cells().is_sorted_by_key(|reached| reached.feet),
                "seed {seed}"
            );
            for reached in range.cells() {
                let path = range.path(reached.cell);
                let price = walk.price(&path).unwrap();
                assert_eq!(
                    (price.feet, price.provoked),
                    (reached.feet, reached.provoked),
                    "seed {seed}"
                );
                assert!(price.steps.iter().all(|step| step.fall == 0), "seed {seed}");
                assert_eq!(
                    (path[0], path[path.len() - 1]),
                    (country.from, reached.cell),
                    "seed {seed}"
                );
                assert_eq!(reached.may_stop, walk.may_stop(reached.cell), "seed {seed}");
                assert_eq!(
                    walk.path_in_range(country.from, reached.cell, country.budget),
                    path,
                    "seed {seed}"
                );
                let other = walk.path(country.from, reached.cell).unwrap();
                let other = walk.price(&other).unwrap();
                assert_eq!(
                    (other.feet, other.provoked.count_ones()),
                    (price.feet, price.provoked.count_ones()),
                    "seed {seed}"
                );
            }
        });
    }
}

/// With 32 enemies on open ground, a search that keeps every set of provoked enemies has millions
/// of states.
#[test]
fn paths_through_a_crowd_are_found_or_ruled_out() {
    let mut board = Board::new(60, 60);
    let walled_in = c(57, 56);
    for cell in walled_in.neighbours() {
        board.set(cell, CellGround::of(Feature::Wall));
    }
    let enemies: Vec<Cell> = (0..32)
        .map(|n| c(6 + 6 * (n % 8), 12 + 9 * (n / 8)))
        .collect();
    let mut provoked: HashMap<(Cell, Cell), u64> = HashMap::new();
    for (n, &enemy) in enemies.iter().enumerate() {
        for from in enemy.neighbours() {
            for to in from.neighbours() {
                *provoked.entry((from, to)).or_default() |= 1 << n;
            }
        }
    }
    let country = Country {
        board,
        size: 1,
        diagonals: Diagonals::Five,
        slow: 1,
        most: u16::MAX,
        occupants: enemies
            .iter()
            .map(|&enemy| (enemy, Occupant::Foe))
            .collect(),
        provoked,
        from: c(1, 1),
        budget: 600,
    };
    country.with_walk(|walk| {
        // Ruling out a path means searching everything else.
        assert_eq!(walk.path(country.from, walled_in), None);
        let there = c(58, 30);
        let path = walk.path(country.from, there).expect("there is a way");
        let price = walk.price(&path).expect("it can be gone");
        assert_eq!(price.feet, 285);
        let reached = walk.range(country.from, 600).get(there);
        let fewest = reached.map(|reached| reached.provoked.count_ones());
        assert_eq!(fewest, Some(price.provoked.count_ones()));
    });
}

#[test]
fn a_slow_range_ends_at_its_budget() {
    let board = Board::new(9, 1);
    let slow = StepRules {
        slow: 2,
        ..plain(&board)
    };
    let range = slow.range(c(0, 0), 20);
    assert_eq!(range.get(c(2, 0)).map(|end| end.feet), Some(20));
    assert!(range.get(c(3, 0)).is_none());
}

#[test]
fn ranges_with_nobody_to_provoke_are_the_same_found_either_way() {
    for seed in 0..3000 {
        let country = Country::random(seed);
        country.with_walk(|walk| {
            let all = |walk: StepRules| {
                let range = walk.range(country.from, country.budget);
                let paths = range.cells().map(|r| (r, range.path(r.cell)));
                paths.collect::<Vec<_>>()
            };
            let quiet = StepRules {
                provokes: None,
                ..walk
            };
            let hostile = StepRules {
                provokes: Some(Provokes::anywhere(&|_, _| 0)),
                ..walk
            };
            let found = all(quiet);
            assert_eq!(found, all(hostile), "seed {seed}");
            for (reached, path) in found {
                let way = quiet.path_in_range(country.from, reached.cell, country.budget);
                assert_eq!(way, path, "seed {seed}");
            }
        });
    }
}

#[test]
fn both_range_searches_agree_out_of_enemy_reach() {
    let mut clear = 0;
    for seed in 0..1500 {
        let country = Country::random(seed);
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5eed);
        let enemy = Space::new(c(dice.random_range(-2..12), dice.random_range(-2..12)), 2);
        let within = [enemy.at.offset(-1, -1), enemy.at.offset(2, 2)];
        country.with_walk(|walk| {
            let near = |at: Cell| cells_apart(Space::new(at, walk.size), enemy) <= 1;
            let by = |from: Cell, to: Cell| u64::from(near(from) && !near(to));
            let all = |provokes: Provokes, budget: u16| {
                let walk = StepRules {
                    provokes: Some(provokes),
                    ..walk
                };
                let range = walk.range(country.from, budget);
                let paths = range.cells().map(|r| (r, range.path(r.cell)));
                paths.collect::<Vec<_>>()
            };
            for budget in [5, 10, 20, country.budget] {
                let found = all(Provokes { by: &by, within }, budget);
                assert_eq!(found, all(Provokes::anywhere(&by), budget), "seed {seed}");
                clear += usize::from(found.iter().all(|(reached, _)| reached.provoked == 0));
            }
        });
    }
    assert!(clear > 1000, "{clear}");
}

#[test]
fn cached_reach_follows_doors_gr_40() {
    for seed in 0..60 {
        let country = Country::random(seed);
        let mut board = country.board.clone();
        board.set(c(3, 3), CellGround::of(Feature::Door { open: false }));
        for turn in 0..3 {
            board.set_door(c(3, 3), turn == 1);
            for at in [c(2, 3), c(3, 2), c(0, 0), country.from] {
                for (size, feet) in [(1, 5), (1, 10), (2, 5), (1, 23), (3, 0)] {
                    let from = Space::new(at, size);
                    let there = |cell: &Cell| board.in_reach(from, (*cell).into(), feet);
                    let cells: Vec<Cell> = board.cells().filter(there).collect();
                    for _ in 0..2 {
                        assert_eq!(*board.reach(from, feet), *cells, "{seed} {from:?} {feet}");
                    }
                    assert_eq!(*board.clone().forgetful().reach(from, feet), *cells);
                }
            }
        }
    }
}

#[test]
fn ranges_match_the_pathfinding_crate() {
    for seed in 0..300 {
        let country = Country::random(seed);
        country.with_walk(|walk| {
            let walk = StepRules {
                diagonals: Diagonals::Five,
                ..walk
            };
            let steps = |cell: &Cell| {
                let steps = cell.neighbours().filter_map(|next| {
                    let step = walk.step(*cell, next).ok().filter(|step| step.fall == 0)?;
                    Some((next, step.feet))
                });
                steps.collect::<Vec<_>>()
            };
            let theirs: BTreeMap<Cell, u16> =
                pathfinding::prelude::dijkstra_reach(&country.from, steps)
                    .take_while(|reached| reached.total_cost <= country.budget)
                    .map(|reached| (reached.node, reached.total_cost))
                    .collect();
            let ours: BTreeMap<Cell, u16> = walk
                .range(country.from, country.budget)
                .cells()
                .map(|r| (r.cell, r.feet))
                .collect();
            assert_eq!(ours, theirs, "seed {seed}");
        });
    }
}

#[test]
fn ranges_on_a_large_map_reach_what_the_crate_reaches() {
    // The map of benches/grid.rs: 12 cells of movement among 20% walls.
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut board = Board::new(100, 100);
    for cell in board.cells() {
        if dice.random_range(0..5) == 0 {
            board.set(cell, CellGround::of(Feature::Wall));
        }
    }
    let walk = plain(&board);
    let free = board.cells().filter(|cell| board.can_stand((*cell).into()));
    for from in free.step_by(97) {
        let steps = |cell: &Cell| {
            let steps = cell
                .neighbours()
                .filter_map(|next| Some((next, walk.step(*cell, next).ok()?.feet)));
            steps.collect::<Vec<_>>()
        };
        let theirs: BTreeMap<Cell, u16> = pathfinding::prelude::dijkstra_reach(&from, steps)
            .take_while(|reached| reached.total_cost <= 60)
            .map(|reached| (reached.node, reached.total_cost))
            .collect();
        let range = walk.range(from, 60);
        let ours: BTreeMap<Cell, u16> = range.cells().map(|r| (r.cell, r.feet)).collect();
        assert_eq!(ours, theirs, "{from}");
        // A search for a single cell finds the range's path.
        for reached in range.cells().step_by(13) {
            assert_eq!(
                walk.path_in_range(from, reached.cell, 60),
                range.path(reached.cell)
            );
        }
    }
}

#[test]
fn off_map_cells_never_panic() {
    let board = Board::new(3, 3);
    let walk = plain(&board);
    let far = [
        c(-1, 0),
        c(3, 3),
        c(i16::MIN, i16::MIN),
        c(i16::MAX, i16::MAX),
    ];
    for at in far {
        assert_eq!(walk.range(at, u16::MAX).cells().count(), 0);
        assert_eq!(walk.range(c(0, 0), u16::MAX).get(at), None);
        assert!(walk.range(c(0, 0), 10).path(at).is_empty());
        assert!(walk.path(at, c(0, 0)).is_none() && walk.path(c(0, 0), at).is_none());
        assert!(walk.price(&[at, at.offset(1, 0)]).is_err());
        let space = Space::new(at, 3);
        assert_eq!(board.sight(space, Space::one(c(0, 0))), Sight::NONE);
        assert_eq!(board.sight(Space::one(c(0, 0)), space), Sight::NONE);
        assert!(!board.proof(space, Space::one(c(0, 0))).sight.los);
        assert!(!board.within(space, Space::one(c(0, 0)), 5));
        assert_eq!(board.distance(space, Space::one(c(0, 0))), None);
        assert!(
            !board.can_stand(space) && board.solids(at).is_empty() && board.ground(at).is_none()
        );
        assert!(board.survey(space, u16::MAX).is_empty());
        assert_eq!(board.unseen_share(space, Space::one(c(0, 0))), 100);
        assert_eq!(board.concealment(space, Space::one(c(0, 0))), 0);
        assert!(!board.line_of_effect(space, Space::one(c(0, 0))));
        let mut board = board.clone();
        board.set(at, CellGround::of(Feature::Wall));
        board.set_fog(at, 50);
        assert!(!board.set_door(at, true));
    }
    assert!(Board::new(0, 0).cells().next().is_none());
    assert_eq!(
        plain(&Board::new(0, 0)).range(c(0, 0), 30).cells().count(),
        0
    );
    assert_eq!(walk.range(c(1, 1), u16::MAX).cells().count(), 9);
}
