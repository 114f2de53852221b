//! Benchmarks of sight and movement on a map of 100 by 100 cells with 20% walls, compared with
//! other crates. Times are for one source cell on one core. docs/performance.md says what each task
//! computes.

use std::hint::black_box;

use bracket_pathfinding::prelude::{Algorithm2D, BaseMap, FieldOfViewAlg, Point};
use divan::Bencher;
use doryen_fov::{FovAlgorithm, FovRecursiveShadowCasting, MapData};
use fivefoot::grid::*;
use pathfinding::prelude::dijkstra_reach;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

const SIDE: u16 = 100;
const RADIUS: u16 = 20;
/// Feet of movement: 12 cells.
const BUDGET: u16 = 60;

fn main() {
    divan::main();
    print_ratios();
}

fn field() -> Board {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut board = Board::new(SIDE, SIDE);
    for cell in board.cells() {
        if dice.random_range(0..5) == 0 {
            board.set(cell, CellGround::of(Feature::Wall));
        }
    }
    board
}

/// Up to 64 free cells from all over the map, at least 20 cells from its border.
fn sources(board: &Board) -> Vec<Cell> {
    let inner = |v: i16| (20..80).contains(&v);
    let free = board
        .cells()
        .filter(|cell| inner(cell.x) && inner(cell.y) && board.can_stand((*cell).into()));
    free.step_by(37).take(64).collect()
}

/// Times a task over all sources in turn, after one untimed pass that fills the caches.
fn bench<T>(bencher: Bencher, mut task: impl FnMut(Cell) -> T) {
    let sources = sources(&field());
    for from in &sources {
        black_box(task(*from));
    }
    let mut next = sources.into_iter().cycle();
    bencher.bench_local(|| task(next.next().unwrap()));
}

mod sight {
    use super::*;

    /// Line of sight and cover for every visible cell, without the cache.
    #[divan::bench]
    fn sight_and_cover(bencher: Bencher) {
        let board = field();
        bench(bencher, |from| board.survey(from.into(), RADIUS));
    }

    /// Line of sight between two cells in three dimensions, without the cache.
    #[divan::bench]
    fn pair_afresh(bencher: Bencher) {
        let board = field();
        bench(bencher, |from| {
            board.sight_uncached(from.into(), from.offset(3, 5).into())
        });
    }

    /// Line of sight between two cells, from the cache.
    #[divan::bench]
    fn remembered_pair(bencher: Bencher) {
        let board = field();
        bench(bencher, |from| {
            board.sight(from.into(), from.offset(3, 5).into())
        });
    }

    #[divan::bench]
    fn doryen_shadowcasting(bencher: Bencher) {
        let mut doryen = Doryen::new();
        bench(bencher, |from| doryen.look(from));
    }

    #[divan::bench]
    fn bracket_symmetric(bencher: Bencher) {
        let map = Bracket(field());
        bench(bencher, |from| map.look(from));
    }
}

mod movement {
    use super::*;

    /// The cells in range, searched again each time; the board caches the costs of steps.
    #[divan::bench]
    fn range(bencher: Bencher) {
        let board = field();
        bench(bencher, |from| walk(&board).range(from, BUDGET));
    }

    /// The cells in range when enemies can provoke, though no enemy is near.
    #[divan::bench]
    fn hostile_range(bencher: Bencher) {
        let board = field();
        bench(bencher, |from| hostile(&board).range(from, BUDGET));
    }

    /// The `pathfinding` crate's search over the steps that `StepRules` computes.
    #[divan::bench]
    fn crate_reach(bencher: Bencher) {
        let board = field();
        bench(bencher, |from| reach(&walk(&board), from));
    }

    /// The `pathfinding` crate's search over steps that depend only on walls.
    #[divan::bench]
    fn crate_reach_past_walls(bencher: Bencher) {
        let walls = walls(&field());
        bench(bencher, |from| reach_past_walls(&walls, from));
    }

    /// The `pathfinding` crate's search over steps that were all computed beforehand.
    #[divan::bench]
    fn crate_reach_known(bencher: Bencher) {
        let known = Known::new(&field());
        bench(bencher, |from| known.reach(from));
    }

    #[divan::bench]
    fn path_across(bencher: Bencher) {
        let board = field();
        bench(bencher, |from| {
            walk(&board).path(from, Cell::new(from.y, from.x))
        });
    }
}

struct Doryen {
    map: MapData,
    fov: FovRecursiveShadowCasting,
}

impl Doryen {
    fn new() -> Self {
        let board = field();
        let mut map = MapData::new(SIDE.into(), SIDE.into());
        for cell in board.cells() {
            map.set_transparent(
                cell.x as usize,
                cell.y as usize,
                board.can_stand(cell.into()),
            );
        }
        Self {
            map,
            fov: FovRecursiveShadowCasting::new(),
        }
    }

    fn look(&mut self, from: Cell) -> usize {
        self.map.clear_fov();
        self.fov.compute_fov(
            &mut self.map,
            from.x as usize,
            from.y as usize,
            RADIUS.into(),
            false,
        );
        usize::from(self.map.is_in_fov(0, 0))
    }
}

struct Bracket(Board);

impl BaseMap for Bracket {
    fn is_opaque(&self, index: usize) -> bool {
        let side = usize::from(SIDE);
        let cell = Cell::new((index % side) as i16, (index / side) as i16);
        !self.0.can_stand(cell.into())
    }
}

impl Algorithm2D for Bracket {
    fn dimensions(&self) -> Point {
        Point::new(SIDE, SIDE)
    }
}

impl Bracket {
    fn look(&self, from: Cell) -> usize {
        let at = Point::new(from.x, from.y);
        FieldOfViewAlg::SymmetricShadowcasting
            .field_of_view_set(at, RADIUS.into(), self)
            .len()
    }
}

fn walk(board: &Board) -> StepRules<'_> {
    StepRules {
        board,
        size: 1,
        diagonals: Diagonals::Five,
        slow: 1,
        most: u16::MAX,
        standing: &|_| Occupant::Nobody,
        provokes: None,
    }
}

fn hostile(board: &Board) -> StepRules<'_> {
    StepRules {
        provokes: Some(Provokes::anywhere(&|_, _| 0)),
        ..walk(board)
    }
}

/// Number of cells in range, found by the `pathfinding` crate with the steps of `StepRules`.
fn reach(walk: &StepRules, from: Cell) -> usize {
    let steps = |cell: &Cell| {
        let (cell, walk) = (*cell, *walk);
        cell.neighbours()
            .filter_map(move |next| Some((next, walk.step(cell, next).ok()?.feet)))
    };
    dijkstra_reach(&from, steps)
        .take_while(|reached| reached.total_cost <= BUDGET)
        .count()
}

/// Number of cells in range, found by the `pathfinding` crate from a table of walls.
fn reach_past_walls(walls: &[bool], from: Cell) -> usize {
    let side = SIDE as i16;
    let is_free = |cell: Cell| {
        let on_map = (0..side).contains(&cell.x) && (0..side).contains(&cell.y);
        on_map && !walls[(cell.y * side + cell.x) as usize]
    };
    let steps = |cell: &Cell| {
        let cell = *cell;
        cell.neighbours().filter_map(move |next| {
            let sides = [Cell::new(next.x, cell.y), Cell::new(cell.x, next.y)];
            (is_free(next) && sides.into_iter().all(is_free)).then_some((next, 5))
        })
    };
    dijkstra_reach(&from, steps)
        .take_while(|reached| reached.total_cost <= BUDGET)
        .count()
}

fn walls(board: &Board) -> Vec<bool> {
    board
        .cells()
        .map(|cell| !board.can_stand(cell.into()))
        .collect()
}

/// All steps of a map, computed beforehand for the `pathfinding` crate.
struct Known(Vec<Vec<(Cell, u16)>>);

impl Known {
    fn new(board: &Board) -> Self {
        let walk = walk(board);
        let steps = |cell: Cell| {
            cell.neighbours()
                .filter_map(|next| Some((next, walk.step(cell, next).ok()?.feet)))
                .collect()
        };
        Self(board.cells().map(steps).collect())
    }

    fn reach(&self, from: Cell) -> usize {
        let side = usize::from(SIDE);
        let steps = |cell: &Cell| {
            self.0[cell.y as usize * side + cell.x as usize]
                .iter()
                .copied()
        };
        dijkstra_reach(&from, steps)
            .take_while(|reached| reached.total_cost <= BUDGET)
            .count()
    }
}

fn print_ratios() {
    let board = field();
    let (mut doryen, bracket) = (Doryen::new(), Bracket(field()));
    let (walls, known) = (walls(&board), Known::new(&board));
    println!("\nmicroseconds a source, and as a multiple of the first");
    compare(&mut [
        ("Board::survey", &mut |from| {
            board.survey(from.into(), RADIUS).len()
        }),
        ("doryen-fov, shadowcasting", &mut |from| doryen.look(from)),
        ("bracket, symmetric", &mut |from| bracket.look(from)),
    ]);
    println!();
    compare(&mut [
        ("StepRules::range", &mut |from| {
            walk(&board).range(from, BUDGET).count()
        }),
        ("StepRules::range, foes about", &mut |from| {
            hostile(&board).range(from, BUDGET).count()
        }),
        ("dijkstra_reach over StepRules::step", &mut |from| {
            reach(&walk(&board), from)
        }),
        ("dijkstra_reach past walls", &mut |from| {
            reach_past_walls(&walls, from)
        }),
        ("dijkstra_reach, steps known", &mut |from| known.reach(from)),
    ]);
}

/// Times several tasks in turn and prints the best of 200 rounds for each.
fn compare(tasks: &mut [(&str, &mut dyn FnMut(Cell) -> usize)]) {
    let sources = sources(&field());
    let mut best = vec![f64::MAX; tasks.len()];
    for _ in 0..200 {
        for ((_, task), best) in tasks.iter_mut().zip(&mut best) {
            let start = std::time::Instant::now();
            for from in &sources {
                black_box(task(*from));
            }
            *best = best.min(start.elapsed().as_secs_f64() * 1e6 / sources.len() as f64);
        }
    }
    for ((name, _), time) in tasks.iter().zip(&best) {
        println!("{name:32} {time:8.2} {:8.2}", time / best[0]);
    }
}
