//! Drawings: deterministic, complete, and distinguishable without colour.

mod colours;
mod pieces;

use fivefoot::grid::{Axis, Block, Board, Cell, CellGround, Feature};
use fivefoot::levels::Light;
use fivefoot::ui::art::board::{Atlas, DrawnArea, ink, picture, preview};
use fivefoot::ui::art::chart::{self, Judged};
use fivefoot::ui::art::icons::{Cover, Icon, cover_badge, icon};
use fivefoot::ui::art::marks::{self, Reach, Ring};
use fivefoot::ui::art::palette::{self, Rgb};
use fivefoot::ui::art::portrait::{Hand, Portrait};
use fivefoot::ui::art::tokens::{self, Badge, Base, Chip, ChipState, Health, Pose, Token, Tone};
use fivefoot::ui::art::{BoardPlan, hud, parchment, straight_rgba};
use tiny_skia::Pixmap;

/// A map plan from rows of letters: a small part of the level notation, enough for these
/// tests.
fn plan(rows: &[&str]) -> BoardPlan {
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let mut board = Board::new(width as u16, rows.len() as u16);
    for cell in board.cells() {
        let letter = rows[cell.y as usize].as_bytes()[cell.x as usize];
        board.set(cell, tile(letter));
    }
    BoardPlan::of(&board, Light::Day)
}

fn tile(letter: u8) -> CellGround {
    let of = CellGround::of;
    let block =
        |bottom, top| Block::from_feet([1.0, 1.0, bottom], [4.0, 4.0, top]).expect("a block");
    match letter {
        b'.' => CellGround::default(),
        b'#' => of(Feature::Wall),
        b'r' => CellGround {
            rough: true,
            ..CellGround::default()
        },
        b'w' => CellGround {
            water: true,
            ..CellGround::default()
        },
        b'h' => CellGround::floor(5),
        b'p' => CellGround::floor(-10),
        b'c' => CellGround {
            climbable: true,
            ..CellGround::floor(10)
        },
        b'L' => of(Feature::LowWall),
        b'=' => of(Feature::Window(Axis::X)),
        b'"' => of(Feature::Window(Axis::Y)),
        b'-' => of(Feature::Slit(Axis::X)),
        b'|' => of(Feature::Slit(Axis::Y)),
        b'I' => of(Feature::Pillar),
        b'D' => of(Feature::Door { open: false }),
        b'O' => of(Feature::Door { open: true }),
        b'B' => of(Feature::Blocks(vec![block(0.0, 3.0)])),
        b'T' => of(Feature::Blocks(vec![block(0.0, 9.0)])),
        b'A' => of(Feature::Blocks(vec![block(6.0, 9.0)])),
        other => panic!("no tile for {:?}", other as char),
    }
}

const LETTERS: &[u8] = b".#rwhpcL=\"-|IDOBTA";

fn hall() -> BoardPlan {
    plan(&[
        "#########",
        "#..rr#..#",
        "=....D.h#",
        "#.LLL#hh#",
        "#..I.#cp#",
        "#ww..|..#",
        "#########",
    ])
}

#[test]
fn the_same_plan_gives_the_same_picture() {
    assert_eq!(preview(&hall(), 24).data(), preview(&hall(), 24).data());
}

#[test]
fn chunks_join_into_the_whole_picture() {
    let plan = hall();
    for cell_px in [17, 32] {
        let whole = picture(&plan, cell_px, DrawnArea::whole(&plan));
        let mut covered = 0;
        for area in DrawnArea::chunks(&plan, 4) {
            let part = picture(&plan, cell_px, area);
            covered += part.pixmap.pixels().len();
            for (i, pixel) in part.pixmap.pixels().iter().enumerate() {
                let (x, y) = (
                    i as u32 % part.pixmap.width(),
                    i as u32 / part.pixmap.width(),
                );
                let x = (part.left - whole.left) as u32 + x;
                let y = (part.top - whole.top) as u32 + y;
                let other = whole
                    .pixmap
                    .pixel(x, y)
                    .expect("a chunk lies inside the whole");
                let off = [
                    pixel.red().abs_diff(other.red()),
                    pixel.green().abs_diff(other.green()),
                    pixel.blue().abs_diff(other.blue()),
                ];
                // The rasteriser has a precision of 1/16 pixel.
                assert!(
                    off.iter().all(|&off| off <= 24),
                    "{x},{y}: {pixel:?} is not {other:?}"
                );
            }
        }
        assert_eq!(covered, whole.pixmap.pixels().len());
    }
}

#[test]
fn an_opening_door_changes_only_its_own_tile() {
    let shut = hall();
    let mut open = hall();
    open.set_door(5, 2, true);
    assert_ne!(shut, open);
    assert_eq!(
        ink(&shut, 24, DrawnArea::whole(&shut)).pixmap,
        ink(&open, 24, DrawnArea::whole(&open)).pixmap
    );
    let atlas = Atlas::new(&shut, 24);
    for (x, y, _) in shut.cells() {
        let changed = atlas.tile_index(&shut, x, y) != atlas.tile_index(&open, x, y);
        assert_eq!(changed, (x, y) == (5, 2), "at {x},{y}");
    }
}

#[test]
fn every_kind_of_cell_looks_different_without_colour() {
    let pictures: Vec<(char, Vec<f32>)> = LETTERS
        .iter()
        .map(|&letter| {
            let rows = ["....", &format!(".{}..", letter as char), "...."];
            // Openings need a wall around them, doors a wall on each side.
            let rows = match letter {
                b'=' | b'-' => [".#..", rows[1], ".#.."],
                b'"' | b'|' | b'D' | b'O' => [
                    "....",
                    &rows[1].replacen('.', "#", 2).replace(".", "#"),
                    "....",
                ],
                _ => rows,
            };
            (letter as char, greys(&cell(&plan(&rows), 1, 1, 32)))
        })
        .collect();
    for (i, (a, one)) in pictures.iter().enumerate() {
        for (b, other) in &pictures[..i] {
            let unlike = one
                .iter()
                .zip(other)
                .filter(|(a, b)| (*a - *b).abs() > 0.15)
                .count();
            let share = unlike as f32 / one.len() as f32;
            assert!(share > 0.03, "{a} and {b} differ in {share} of the cell");
        }
    }
}

#[test]
fn openings_are_drawn_at_their_real_width() {
    // At 20 pixels per foot.
    for (letter, wide) in [("=", 30), ("-", 10)] {
        let cell = cell(&plan(&["###", &format!(".{letter}."), "###"]), 1, 1, 100);
        let floor = palette::FLOOR.luminance();
        let column = (0..100).map(|y| luminance(&cell, 25, y));
        let clear = column.filter(|light| (light - floor).abs() < 0.05).count();
        assert!(clear.abs_diff(wide) <= 1, "{letter} is {clear} px wide");
    }
}

#[test]
fn a_pillar_is_half_as_wide_as_its_cell() {
    let cell = cell(&plan(&["...", ".I.", "..."]), 1, 1, 100);
    let inked: Vec<u32> = (0..100)
        .filter(|&x| luminance(&cell, x, 50) < 0.1)
        .collect();
    let (first, last) = (inked[0], inked[inked.len() - 1]);
    assert!(
        (20..=27).contains(&first) && (73..=80).contains(&last),
        "from {first} to {last}"
    );
}

#[test]
fn a_height_is_labelled_once_per_area_of_floor() {
    let mut plan = plan(&["hh..p", "hh..p", "..h..", "....."]);
    let mut heights = plan.heights().to_vec();
    heights.sort_unstable();
    assert_eq!(heights, [(1, 1, 5), (2, 2, 5), (4, 1, -10)]);
    // The overlay that shows all heights replaces the labels.
    plan.write_heights(false);
    assert!(plan.heights().is_empty());
    plan.write_heights(true);
    assert_eq!(plan.heights().len(), 3);
}

#[test]
fn the_most_common_height_is_the_ground() {
    assert_eq!(plan(&["hhh", "h.."]).ground_level(), 5);
    assert_eq!(plan(&["###"]).ground_level(), 0);
    assert_eq!(plan(&[]).ground_level(), 0);
}

#[test]
fn paper_is_blank_at_the_edge_and_deep_inside_rock() {
    let grain = parchment();
    let bare = |x: i32, y: i32| grain.pixel(x.rem_euclid(256) as u32, y.rem_euclid(256) as u32);
    let open = plan(&["...."; 4]);
    let sheet = ink(&open, 40, DrawnArea::whole(&open));
    let (width, height) = (sheet.pixmap.width(), sheet.pixmap.height());
    for (x, y) in (0..width)
        .flat_map(|x| [(x, 0), (x, height - 1)])
        .chain((0..height).flat_map(|y| [(0, y), (width - 1, y)]))
    {
        assert_eq!(
            sheet.pixmap.pixel(x, y),
            bare(sheet.left + x as i32, sheet.top + y as i32),
            "at {x},{y}"
        );
    }
    let rock = plan(&[".########"; 9]);
    let sheet = ink(
        &rock,
        40,
        DrawnArea {
            west: 3.0,
            north: 0.0,
            east: 9.0,
            south: 9.0,
        },
    );
    for (i, pixel) in sheet.pixmap.pixels().iter().enumerate() {
        let (x, y) = (
            i as i32 % sheet.pixmap.width() as i32,
            i as i32 / sheet.pixmap.width() as i32,
        );
        assert_eq!(Some(*pixel), bare(sheet.left + x, sheet.top + y));
    }
}

#[test]
fn ink_leaves_the_middle_of_a_floor_clear() {
    let plan = plan(&["...", "...", "..."]);
    let sheet = ink(
        &plan,
        40,
        DrawnArea {
            west: 1.0,
            north: 1.0,
            east: 2.0,
            south: 2.0,
        },
    );
    assert_eq!(
        sheet.pixmap.pixel(20, 20).map(|pixel| pixel.alpha()),
        Some(0)
    );
}

#[test]
fn parchment_repeats_without_a_seam() {
    let sheet = parchment();
    let last = sheet.width() - 1;
    let step = |a: (u32, u32), b: (u32, u32)| {
        (luminance(&sheet, a.0, a.1) - luminance(&sheet, b.0, b.1)).abs()
    };
    let mean = |steps: Vec<f32>| steps.iter().sum::<f32>() / steps.len() as f32;
    let inside = mean((0..last).map(|x| step((x, 99), (x + 1, 99))).collect());
    let across = mean((0..=last).map(|y| step((last, y), (0, y))).collect());
    let along = mean((0..=last).map(|x| step((x, last), (x, 0))).collect());
    assert!(
        across < inside * 1.5 && along < inside * 1.5,
        "{inside}, at the seam {across} and {along}"
    );
}

#[test]
fn boards_are_drawn_with_all_their_features() {
    let mut board = Board::new(3, 2);
    board.set(
        Cell::new(0, 0),
        CellGround {
            rough: true,
            climbable: true,
            ..CellGround::floor(10)
        },
    );
    board.set(Cell::new(1, 0), CellGround::of(Feature::Window(Axis::Y)));
    board.set(
        Cell::new(2, 0),
        CellGround::of(Feature::Door { open: false }),
    );
    let block = Block::from_feet([0.0, 0.0, 10.0], [5.0, 2.5, 14.0]).expect("a block");
    let on_high = CellGround {
        feature: Feature::Blocks(vec![block]),
        ..CellGround::floor(10)
    };
    board.set(Cell::new(0, 1), on_high.clone());
    board.set_door(Cell::new(2, 0), true);
    let plan = BoardPlan::of(&board, Light::Day);
    assert_eq!((plan.width(), plan.height()), (3, 2));
    assert_eq!(
        plan.tile(0, 0),
        Some(&CellGround {
            rough: true,
            climbable: true,
            ..CellGround::floor(10)
        })
    );
    assert_eq!(
        plan.tile(1, 0).map(|tile| &tile.feature),
        Some(&Feature::Window(Axis::Y))
    );
    assert_eq!(
        plan.tile(2, 0).map(|tile| &tile.feature),
        Some(&Feature::Door { open: true })
    );
    assert_eq!(plan.tile(0, 1), Some(&on_high));
    // A block that stands on a high floor looks like the same block on a low one.
    let drawn = |floor: i16, low: f64| {
        let block = Block::from_feet([0.0, 0.0, low], [5.0, 2.5, low + 4.0]);
        let ground = CellGround {
            feature: Feature::Blocks(vec![block.expect("a block")]),
            ..CellGround::floor(floor)
        };
        let mut board = Board::new(1, 1);
        board.set(Cell::new(0, 0), ground);
        let mut plan = BoardPlan::of(&board, Light::Day);
        plan.write_heights(false);
        let area = DrawnArea {
            west: 0.0,
            north: 0.0,
            east: 1.0,
            south: 1.0,
        };
        ink(&plan, 40, area).pixmap
    };
    assert_eq!(drawn(10, 10.0), drawn(0, 0.0));
    assert_eq!(plan.tile(3, 0), None);
}

#[test]
fn no_drawing_is_cut_off_at_the_edge_of_its_picture() {
    let portraits = Hand::ALL.map(|hand| Portrait {
        hand,
        ..Portrait::default()
    });
    let corners = [None, Some((-1, -1)), Some((1, 1))];
    for (cell_px, cells) in [(24, 1), (48, 1), (48, 2)] {
        for (pose, base) in Pose::ALL
            .into_iter()
            .flat_map(|p| Base::ALL.map(|b| (p, b)))
        {
            for (portrait, corner) in portraits.iter().flat_map(|g| corners.map(|c| (*g, c))) {
                let token = Token {
                    base,
                    portrait,
                    label: Some(12u32.into()),
                    pose,
                    cells,
                    corner,
                };
                assert_clear_border(&tokens::token(token, cell_px), &format!("{token:?}"));
            }
        }
    }
    for ring in [Ring::Threat, Ring::Hover, Ring::Target, Ring::Active] {
        assert_clear_border(&marks::ring(ring, 1.5, 40), &format!("{ring:?}"));
    }
    for &sign in Icon::ALL {
        assert_clear_border(&icon(sign, 48, palette::INK), &format!("{sign:?}"));
    }
}

/// The thinnest arrow between neighbours has a head at its end: broad at its barbs, then narrowing
/// to its tip.
#[test]
fn an_arrow_between_neighbours_shows_its_direction() {
    let path = [(0.5, 0.5), (1.5, 0.5)];
    let arrow = marks::IntentArrow::new(&path, [1, 1], (0.0, false)).expect("an arrow");
    let drawn = arrow.picture(palette::TEAL, 40).pixmap;
    let is_drawn = |x: u32, y: u32| drawn.pixel(x, y).is_some_and(|p| p.alpha() > 200);
    let high = |x: u32| (0..drawn.height()).filter(|&y| is_drawn(x, y)).count();
    let columns: Vec<usize> = (0..drawn.width()).map(high).filter(|&n| n > 0).collect();
    let broadest = columns.iter().copied().max().unwrap_or(0);
    let barbs = columns.iter().position(|&n| n == broadest).unwrap_or(0);
    assert!(broadest >= 13 && columns.len() - barbs >= 6, "{columns:?}");
    assert!(columns[0] < broadest / 2 && columns[columns.len() - 1] < broadest / 2);
}

/// Arrows that run along each other lie side by side; others stay in place.
#[test]
fn arrows_along_each_other_lie_side_by_side() {
    let long = vec![(0.5, 0.5), (5.5, 0.5)];
    let short = vec![(2.5, 0.5), (5.5, 0.5)];
    let other = vec![(5.5, 4.5), (5.5, 0.5)];
    let mut paths = [long.clone(), short.clone(), long.clone(), other.clone()];
    marks::side_by_side(&mut paths);
    assert_eq!((&paths[0], &paths[3]), (&long, &other));
    let [right, left] = [paths[1][0].1 - 0.5, paths[2][0].1 - 0.5];
    assert!(right > 0.1 && left < -0.1, "{right} {left}");
}

/// The heads of several arrows at one target point at its middle from sides of their own; at the
/// neighbour of that target, each arrow ends on its own side.
#[test]
fn heads_on_one_target_do_not_cover_each_other() {
    let (mara, tobin) = ((0.5, 0.5), (0.5, 1.5));
    // Each first path ends past a corner that both targets have.
    let shot = |to: (f32, f32)| vec![(9.5, 1.0), (1.0, 1.0), to];
    let mut paths = [(shot(mara), mara), (shot(mara), mara), (shot(tobin), tobin)];
    let mut heads = marks::Heads::default();
    for (path, to) in &mut paths {
        heads.end(path, *to, 1);
    }
    let angles = paths.map(|(path, to)| {
        let [.., before, end] = path[..] else {
            panic!("{path:?}");
        };
        assert_eq!(end, to);
        (before.1 - to.1).atan2(before.0 - to.0)
    });
    let [first, second, other] = angles;
    assert!((first - second).abs() > 0.4, "{angles:?}");
    assert!(first.abs() < 0.2 && other.abs() < 0.2, "{angles:?}");
    // An arrow from a neighbouring cell keeps its path.
    let mut near = vec![(3.5, 0.5), (1.5, 0.5), mara];
    let path = near.clone();
    heads.end(&mut near, mara, 1);
    assert_eq!(near, path);
}

/// An arrow between neighbours in a row or a column lies across their shared edge, clear of their
/// faces.
#[test]
fn an_arrow_between_neighbours_covers_no_face() {
    let px = 40;
    // A face takes about this much of a cell on each side of the middle.
    const FACE: f32 = 0.25;
    for share in [0.0, 0.5, 1.0] {
        for end in [(1.5, 0.5), (0.5, 1.5)] {
            for path in [[(0.5, 0.5), end], [end, (0.5, 0.5)]] {
                let arrow = marks::IntentArrow::new(&path, [1, 1], (share, false));
                let drawn = arrow.expect("an arrow").picture(palette::TEAL, px);
                let (left, top) = (drawn.left as f32, drawn.top as f32);
                let size = (drawn.pixmap.width() as f32, drawn.pixmap.height() as f32);
                // Along the line between both, in cells.
                let (first, long) = match end.1 > 1.0 {
                    true => (top, size.1),
                    false => (left, size.0),
                };
                let [first, last] = [first, first + long].map(|at| at / px as f32);
                // The picture has an empty margin.
                let clear = FACE - 0.12;
                assert!(first > 0.5 + clear, "{share}: {path:?} from {first}");
                assert!(last < 1.5 - clear, "{share}: {path:?} to {last}");
            }
        }
    }
}

/// Between neighbours across a corner, the head reaches the ring of the target: hit points cover what
/// lies before it.
#[test]
fn an_arrow_across_a_corner_ends_on_the_targets_ring() {
    let px = 40;
    for share in [0.0, 0.5, 1.0] {
        let path = [(1.5, 0.5), (0.5, 1.5)];
        let arrow = marks::IntentArrow::new(&path, [1, 1], (share, false)).expect("an arrow");
        let drawn = arrow.picture(palette::TEAL, px);
        let is_drawn = |x: u32, y: u32| drawn.pixmap.pixel(x, y).is_some_and(|p| p.alpha() > 200);
        let is_covered = |&x: &u32| (0..drawn.pixmap.height()).any(|y| is_drawn(x, y));
        let first = (0..drawn.pixmap.width())
            .find(is_covered)
            .expect("a column");
        let tip = (first as i32 + drawn.left) as f32 / px as f32;
        assert!((0.7..0.82).contains(&tip), "{share}: {tip}");
    }
}

/// Rings around a unit cover neither its hit points, at the bottom, nor its number, at the upper
/// left.
#[test]
fn rings_around_a_unit_leave_its_numbers_free() {
    for ring in [Ring::Hover, Ring::Target, Ring::Attacker, Ring::Active] {
        let picture = marks::ring(ring, 0.53, 80);
        let middle = picture.width() as f32 / 2.0;
        let is_drawn = |degrees: u32| {
            let (y, x) = (degrees as f32).to_radians().sin_cos();
            let at = |by: f32| (middle + by * 0.53 * 80.0) as u32;
            picture.pixel(at(x), at(y)).is_some_and(|p| p.alpha() > 0)
        };
        assert!(is_drawn(0) && is_drawn(180), "{ring:?}");
        for degrees in (45..=135).chain(208..=250) {
            assert!(!is_drawn(degrees), "{ring:?} at {degrees} degrees");
        }
    }
}

/// The arrow of a likely move is brown, as the first lesson says, not grey.
#[test]
fn a_likely_move_is_brown() {
    let Rgb(red, green, blue) = palette::INTENT;
    assert!(red > green && green > blue && red >= 3 * blue);
}

#[test]
fn text_is_readable_on_every_panel() {
    for colour in palette::FLATS {
        let contrast = colour.contrast(palette::WHITE);
        assert!(contrast >= 3.0, "white on {colour:?}: {contrast}");
        let contrast = colour.contrast(palette::FLOOR);
        assert!(contrast >= 3.0, "{colour:?} on the floor: {contrast}");
    }
    for panel in hud::Panel::ALL {
        let contrast = panel.background().contrast(panel.text());
        let least = if panel == hud::Panel::CardPale {
            3.0
        } else {
            4.5
        };
        assert!(contrast >= least, "text on {panel:?}: {contrast}");
    }
    for (ink, paper, least) in [
        (palette::INK, palette::PAPER, 7.0),
        (palette::FADED_INK, palette::FLOOR, 4.5),
        (palette::FADED_INK, palette::CARD, 4.5),
        (palette::DANGER, palette::CARD, 4.5),
        (palette::LINK, palette::CARD_ACTIVE, 4.5),
        (palette::TEAL, palette::CARD_ACTIVE, 4.5),
        (palette::WATER_INK, palette::WATER, 3.0),
    ] {
        let contrast = ink.contrast(paper);
        assert!(contrast >= least, "{ink:?} on {paper:?}: {contrast}");
    }
}

#[test]
fn straight_alpha_keeps_the_colour_of_a_thin_edge() {
    let bytes = straight_rgba(marks::reach(Reach::Plain, 40));
    let middle = (20 * 40 + 20) * 4;
    let [r, g, b] = palette::TEAL.bytes();
    for (byte, wanted) in bytes[middle..middle + 3].iter().zip([r, g, b]) {
        assert!(byte.abs_diff(wanted) <= 3, "{byte} is not {wanted}");
    }
}

/// One cell, cut out of the picture of the whole map.
fn cell(plan: &BoardPlan, x: i32, y: i32, cell_px: u32) -> Pixmap {
    let (west, north) = (x as f32, y as f32);
    picture(
        plan,
        cell_px,
        DrawnArea {
            west,
            north,
            east: west + 1.0,
            south: north + 1.0,
        },
    )
    .pixmap
}

/// The curve of a review is faint until it is final.
#[test]
fn an_unfinished_curve_is_faint() {
    let points = [(0.0, 0.2, 0.05, false), (1.0, 0.8, 0.05, true)];
    let ink = |is_final: bool| -> f32 {
        let judged = Judged {
            points: &points,
            stretches: &[],
            mistakes: &[],
            is_final,
        };
        covers(&chart::judged(&judged, 200, 100, 1.0)).iter().sum()
    };
    assert!(ink(false) < ink(true));
}

fn luminance(picture: &Pixmap, x: u32, y: u32) -> f32 {
    let pixel = picture.pixel(x, y).expect("inside the picture");
    Rgb(pixel.red(), pixel.green(), pixel.blue()).luminance()
}

/// The brightness of each pixel over a white background.
fn greys(picture: &Pixmap) -> Vec<f32> {
    let over = |part: u8, alpha: u8| part.saturating_add(255 - alpha);
    let pixels = picture.pixels().iter();
    pixels
        .map(|p| {
            Rgb(
                over(p.red(), p.alpha()),
                over(p.green(), p.alpha()),
                over(p.blue(), p.alpha()),
            )
            .luminance()
        })
        .collect()
}

/// The opacity of each pixel, from 0 to 1.
fn covers(picture: &Pixmap) -> Vec<f32> {
    picture
        .pixels()
        .iter()
        .map(|pixel| f32::from(pixel.alpha()) / 255.0)
        .collect()
}

/// The outline of a chip's number is closed: the white of its disc touches no side of the picture.
#[test]
fn the_number_of_a_chip_is_not_cut_off() {
    let sizes = [12, 20, 24, 32];
    for (px, base) in sizes.into_iter().flat_map(|px| Base::ALL.map(|b| (px, b))) {
        let chip = |label: Option<u32>| {
            let chip = Chip {
                base,
                portrait: Portrait::default(),
                label: label.map(Into::into),
                state: ChipState::Ready,
            };
            tokens::chip(chip, px)
        };
        let (plain, numbered) = (chip(None), chip(Some(2)));
        let pixels = (0..px).flat_map(|n| [(n, 0), (0, n)]);
        for (x, y) in pixels.filter(|&(x, y)| plain.pixel(x, y) != numbered.pixel(x, y)) {
            let pixel = numbered.pixel(x, y).expect("it is in the picture");
            let colour = pixel.demultiply();
            let is_ink = colour.alpha() < 64 || colour.red() < 128;
            assert!(is_ink, "{base:?} of {px}: {colour:?} at {x},{y}");
        }
    }
}

fn assert_clear_border(picture: &Pixmap, name: &str) {
    let (width, height) = (picture.width(), picture.height());
    let rows = (0..width).flat_map(|x| [(x, 0), (x, height - 1)]);
    for (x, y) in rows.chain((0..height).flat_map(|y| [(0, y), (width - 1, y)])) {
        let alpha = picture.pixel(x, y).map_or(0, |pixel| pixel.alpha());
        assert!(alpha == 0, "{name} touches its side at {x},{y}");
    }
}
