//! Cells, solids, heights, distances and areas.

use fivefoot_core::grid::*;

use super::kit::{at, board};

fn c(x: i16, y: i16) -> Cell {
    Cell::new(x, y)
}

#[test]
fn cells_survive_printing_and_parsing() {
    for cell in [c(7, 10), c(-3, 0), c(i16::MAX, i16::MIN)] {
        assert_eq!(cell.to_string().parse(), Ok(cell));
    }
    assert_eq!(c(7, 10).to_string(), "7,10");
    for text in ["", "7", "7,", "7;10", "a,b", "7,10,3", "40000,0"] {
        let error = text.parse::<Cell>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "not a cell: expected column,row such as 7,10"
        );
    }
}

#[test]
fn orthogonal_neighbours_come_first() {
    let around: Vec<String> = c(1, 1).neighbours().map(|cell| cell.to_string()).collect();
    assert_eq!(
        around,
        ["1,0", "2,1", "1,2", "0,1", "2,0", "2,2", "0,2", "0,0"]
    );
}

#[test]
fn spaces_count_their_cells_gr_01() {
    let space = Space::new(c(2, 3), 2);
    assert_eq!(
        space.cells().collect::<Vec<_>>(),
        [c(2, 3), c(3, 3), c(2, 4), c(3, 4)]
    );
    assert!(space.contains(c(3, 4)) && !space.contains(c(4, 4)));
    assert!(space.overlaps(at(3, 4)) && !space.overlaps(at(4, 4)));
    assert_eq!(cells_apart(space, at(3, 4)), 0);
    assert_eq!(cells_apart(space, at(4, 5)), 1);
    assert_eq!(cells_apart(at(0, 0), space), 3);
}

/// The boxes of a feature on a floor at 1 ft, in feet, without the floor itself.
fn boxes(feature: Feature) -> Vec<[[f64; 3]; 2]> {
    let mut board = Board::new(3, 2);
    board.set(
        c(2, 1),
        CellGround {
            floor: 1,
            feature,
            ..CellGround::default()
        },
    );
    let solids = board.solids(c(2, 1));
    assert_eq!(solids[solids.len() - 1].feet()[1], [15.0, 10.0, 1.0]);
    solids[..solids.len() - 1].iter().map(Block::feet).collect()
}

#[test]
fn features_have_the_sizes_of_gr_02() {
    assert!(boxes(Feature::Open).is_empty());
    assert!(boxes(Feature::Door { open: true }).is_empty());
    assert_eq!(
        boxes(Feature::Wall),
        [[[10.0, 5.0, 1.0], [15.0, 10.0, 101.0]]]
    );
    assert_eq!(
        boxes(Feature::LowWall),
        [[[10.0, 5.0, 1.0], [15.0, 10.0, 4.0]]]
    );
    assert_eq!(
        boxes(Feature::Door { open: false }),
        [[[10.0, 5.0, 1.0], [15.0, 10.0, 11.0]]]
    );
    assert_eq!(
        boxes(Feature::Pillar),
        [[[11.25, 6.25, 1.0], [13.75, 8.75, 101.0]]]
    );
    assert_eq!(
        boxes(Feature::Window(Axis::X)),
        [
            [[10.0, 5.0, 1.0], [15.0, 6.75, 11.0]],
            [[10.0, 8.25, 1.0], [15.0, 10.0, 11.0]],
            [[10.0, 6.75, 1.0], [15.0, 8.25, 3.5]],
            [[10.0, 6.75, 6.5], [15.0, 8.25, 11.0]],
        ]
    );
    assert_eq!(
        boxes(Feature::Slit(Axis::Y)),
        [
            [[10.0, 5.0, 1.0], [12.25, 10.0, 11.0]],
            [[12.75, 5.0, 1.0], [15.0, 10.0, 11.0]],
            [[12.25, 5.0, 1.0], [12.75, 10.0, 3.0]],
            [[12.25, 5.0, 6.0], [12.75, 10.0, 11.0]],
        ]
    );
    assert_eq!(
        boxes(Feature::Window(Axis::Y)),
        [
            [[10.0, 5.0, 1.0], [11.75, 10.0, 11.0]],
            [[13.25, 5.0, 1.0], [15.0, 10.0, 11.0]],
            [[11.75, 5.0, 1.0], [13.25, 10.0, 3.5]],
            [[11.75, 5.0, 6.5], [13.25, 10.0, 11.0]],
        ]
    );
    assert_eq!(
        boxes(Feature::Slit(Axis::X)),
        [
            [[10.0, 5.0, 1.0], [15.0, 7.25, 11.0]],
            [[10.0, 7.75, 1.0], [15.0, 10.0, 11.0]],
            [[10.0, 7.25, 1.0], [15.0, 7.75, 3.0]],
            [[10.0, 7.25, 6.0], [15.0, 7.75, 11.0]],
        ]
    );
    // Blocks stand on the floor and are cut at the cell's border.
    let beam = Block::from_feet([-1.0, 2.0, 6.05], [9.0, 3.0, 7.1]).unwrap();
    assert_eq!(
        boxes(Feature::Blocks(vec![beam])),
        [[[10.0, 7.0, 6.05], [15.0, 8.0, 7.1]]]
    );
}

#[test]
fn boxes_are_given_in_twentieths_of_a_foot() {
    assert_eq!(
        Block::from_feet([0.0; 3], [5.0, 5.0, 0.05]).unwrap().max,
        [100, 100, 1]
    );
    assert_eq!(Block::from_feet([0.0; 3], [5.0, 5.0, 0.02]), None);
    assert_eq!(Block::from_feet([0.0; 3], [5.0, 0.0, 1.0]), None);
    assert_eq!(Block::from_feet([0.0; 3], [5.0, f64::NAN, 1.0]), None);
    assert_eq!(Block::from_feet([0.0; 3], [f64::INFINITY, 1.0, 1.0]), None);
    assert_eq!(Block::from_feet([0.0; 3], [1e9, 1.0, 1.0]), None);
}

#[test]
fn units_stand_on_solids_up_to_five_feet() {
    let slab = |low: f64, high: f64| Block::from_feet([0.0, 0.0, low], [5.0, 5.0, high]).unwrap();
    let mut board = Board::new(3, 1);
    let mut stand = |floor: i16, feature: Feature| {
        board.set(
            c(1, 0),
            CellGround {
                floor,
                feature,
                ..CellGround::default()
            },
        );
        (board.stand(c(1, 0)), board.can_stand(at(1, 0)))
    };
    assert_eq!(stand(-4, Feature::Open), (-4.0, true));
    assert_eq!(stand(2, Feature::LowWall), (5.0, true));
    assert_eq!(stand(0, Feature::Wall), (0.0, false));
    assert_eq!(stand(0, Feature::Pillar), (0.0, false));
    assert_eq!(stand(0, Feature::Window(Axis::X)), (0.0, false));
    assert_eq!(stand(0, Feature::Door { open: false }), (0.0, false));
    assert_eq!(stand(0, Feature::Door { open: true }), (0.0, true));
    assert_eq!(stand(0, Feature::Blocks(vec![slab(0.0, 5.0)])), (5.0, true));
    assert_eq!(
        stand(0, Feature::Blocks(vec![slab(0.0, 5.05)])),
        (0.0, false)
    );
    assert_eq!(
        stand(0, Feature::Blocks(vec![slab(1.5, 3.0), slab(0.0, 1.5)])),
        (3.0, true)
    );
    assert_eq!(stand(0, Feature::Blocks(vec![slab(5.0, 8.0)])), (0.0, true));
    assert_eq!(
        stand(0, Feature::Blocks(vec![slab(4.95, 8.0)])),
        (0.0, false)
    );
    // A large body stands at the height of its highest cell.
    board.set(c(1, 0), CellGround::of(Feature::LowWall));
    let wide = Board::clone(&board);
    assert_eq!(
        wide.cube(at(1, 0)).unwrap().feet(),
        [[5.0, 0.0, 3.0], [10.0, 5.0, 8.0]]
    );
    assert_eq!(wide.cube(Space::new(c(0, 0), 2)), None);
}

#[test]
fn near_distances_count_cells_gr_40() {
    let board = board(&["....", "..#.", "..90", "...."]);
    assert!(board.within(at(0, 0), at(1, 1), 5));
    assert!(!board.within(at(0, 0), at(2, 0), 5));
    assert!(board.within(at(0, 0), at(2, 0), 10));
    assert!(!board.within(at(0, 0), at(3, 0), 10));
    // The wall blocks line of sight, although the distance is 10 ft.
    assert!(!board.within(at(1, 1), at(3, 1), 10));
    // The target is 9 ft higher.
    assert!(!board.within(at(1, 2), at(2, 2), 5));
    assert!(board.within(at(1, 2), at(2, 2), 10));
    assert!(board.within(at(1, 2), at(1, 2), 0));
}

#[test]
fn far_distances_are_straight_gr_40() {
    let board = board(&[
        "9...........",
        "............",
        "............",
        "............",
    ]);
    let feet = |a, b| board.distance(a, b).unwrap().feet();
    assert_eq!(feet(at(1, 0), at(1, 0)), 0);
    assert_eq!(feet(at(1, 0), at(4, 0)), 15);
    assert_eq!(feet(at(1, 0), at(4, 3)), 21);
    assert_eq!(feet(at(1, 0), at(5, 3)), 25);
    // 20 ft along and 9 ft down: 21.93 ft.
    assert_eq!(feet(at(0, 0), at(4, 0)), 22);
    assert!(board.within(at(1, 0), at(5, 3), 25) && !board.within(at(1, 0), at(5, 3), 24));
    assert!(board.within(at(0, 0), at(4, 0), 22) && !board.within(at(0, 0), at(4, 0), 21));
    // Large bodies measure from the nearest pair of cells, heights included.
    let large = Space::new(c(2, 0), 2);
    assert_eq!(feet(large, at(7, 1)), 20);
    assert_eq!(feet(large, at(0, 0)), 11);
}

/// The area's cells drawn as a map, row by row.
fn drawn(board: &Board, cells: &[Cell]) -> Vec<String> {
    let row = |y: i16| {
        (0..board.width() as i16)
            .map(|x| if cells.contains(&c(x, y)) { 'x' } else { '.' })
            .collect()
    };
    (0..board.height() as i16).map(row).collect()
}

#[test]
fn blasts_spread_only_where_a_line_reaches_gr_41() {
    let open = Board::new(9, 9);
    let origin = open.centre(at(4, 4)).unwrap();
    assert_eq!(
        drawn(&open, &open.blast(origin, 15)),
        [
            ".........",
            "....x....",
            "..xxxxx..",
            "..xxxxx..",
            ".xxxxxxx.",
            "..xxxxx..",
            "..xxxxx..",
            "....x....",
            ".........",
        ]
    );
    // Centred on the corner of four cells.
    assert_eq!(open.blast(Point([400, 400, 0]), 5).len(), 4);
    let mut walled = Board::new(9, 9);
    for y in 0..9 {
        walled.set(c(5, y), CellGround::of(Feature::Wall));
    }
    assert_eq!(
        drawn(&walled, &walled.blast(origin, 15)),
        [
            ".........",
            "....x....",
            "..xxx....",
            "..xxx....",
            ".xxxx....",
            "..xxx....",
            "..xxx....",
            "....x....",
            ".........",
        ]
    );
    let mut pit = Board::new(3, 1);
    pit.set(c(2, 0), CellGround::floor(-30));
    let origin = pit.centre(at(0, 0)).unwrap();
    assert_eq!(drawn(&pit, &pit.blast(origin, 20)), ["xx."]);
}

#[test]
fn cones_are_as_wide_as_long_gr_41() {
    let board = Board::new(9, 7);
    let (origin, east) = (Point([0, 350, 50]), Point([100, 350, 50]));
    assert_eq!(
        drawn(&board, &board.cone(origin, east, 30)),
        [
            ".........",
            "....xx...",
            "..xxxx...",
            "xxxxxx...",
            "..xxxx...",
            "....xx...",
            ".........",
        ]
    );
    assert_eq!(board.cone(origin, origin, 30), []);
}

#[test]
fn lines_are_five_feet_wide_gr_41() {
    let board = Board::new(7, 5);
    let origin = board.centre(at(0, 2)).unwrap();
    let towards = |x, y| board.centre(at(x, y)).unwrap();
    assert_eq!(
        drawn(&board, &board.line(origin, towards(3, 2), 20)),
        [".......", ".......", ".xxxx..", ".......", "......."]
    );
    assert_eq!(board.line(origin, origin, 20), []);
}

#[test]
fn no_two_cells_are_called_the_same() {
    let from = c(10, 10);
    for (x, y, expected) in [
        (15, 10, "25 ft to the east"),
        (15, 11, "25 ft east, 5 ft south"),
        (15, 9, "25 ft east, 5 ft north"),
        (8, 13, "10 ft west, 15 ft south"),
        (7, 7, "15 ft to the north-west"),
    ] {
        assert_eq!(c(x, y).place_from(from).as_deref(), Some(expected));
    }
    assert_eq!(from.place_from(from), None);
}

#[test]
fn a_way_is_its_length_in_feet_and_its_overall_direction() {
    let from = c(10, 10);
    let told = |x, y, path: &[Cell]| Cell::describe_path(&[&[from][..], path, &[c(x, y)]].concat());
    for (x, y, expected) in [
        (10, 7, "15 ft to the north"),
        (11, 7, "15 ft to the north"),
        (13, 7, "15 ft to the north-east"),
        (15, 8, "25 ft to the east"),
        (15, 13, "25 ft to the south-east"),
        (11, 11, "5 ft to the south-east"),
        (11, 12, "10 ft to the south-east"),
        (10, 12, "10 ft to the south"),
        (8, 12, "10 ft to the south-west"),
        (4, 9, "30 ft to the west"),
        (7, 7, "15 ft to the north-west"),
    ] {
        assert_eq!(told(x, y, &[]).as_deref(), Some(expected), "{x},{y}");
    }
    assert_eq!(told(10, 10, &[]), None);
    let there_and_back = told(10, 10, &[c(12, 10)]);
    assert_eq!(there_and_back.as_deref(), Some("20 ft, back to its start"));
    // One step north and one east are two steps.
    let corner = told(11, 9, &[c(10, 9)]);
    assert_eq!(corner.as_deref(), Some("10 ft to the north-east"));
    let around = [c(13, 10), c(13, 12)];
    assert_eq!(told(10, 12, &around).as_deref(), Some("40 ft to the south"));
}
