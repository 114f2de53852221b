//! The board: position of the map in the window, placement of labels, timing of attacks,
//! dice and shaking.

mod rolls;
mod texts;
mod together;
mod tokens;

use bevy::prelude::*;
use fivefoot::{
    battle::Id,
    grid::{Cell, Space},
    ui::board::{
        FRAME, MapView,
        attack_effects::{BACK, DRAW, HURT, STOP, STRIKE, around, knocked, swing},
        floating_text::{TextAnchor, WORD, drop_below, lift, room_for, type_scale},
        initiative::{Die, FACE, TUMBLES, WHOLE},
        labels::{LabelSide, free_place},
        preview::UnderCursor,
        shake::Shake,
    },
    ui::theme::BODY,
};

fn view(cells: (f32, f32)) -> MapView {
    let room = Rect::new(12.0, 78.0, 916.0, 600.0);
    MapView::fitted(Vec2::new(cells.0, cells.1), Vec2::new(1280.0, 720.0), room)
}

#[test]
fn a_whole_map_fits_centred_in_the_window() {
    let view = view((16.0, 10.0));
    assert_eq!(view.cell_px(), 48);
    let (north_west, south_east) = (
        view.in_window(Vec2::splat(-FRAME)),
        view.in_window(Vec2::new(16.0, 10.0) + FRAME),
    );
    assert!(view.area().contains(north_west) && view.area().contains(south_east));
    let middle = (north_west + south_east) / 2.0;
    assert!(middle.distance(view.area().center()) <= 1.0);
    // The origin lies on whole pixels.
    assert_eq!(view.in_window(Vec2::ZERO).fract(), Vec2::ZERO);
}

#[test]
fn the_cell_under_the_pointer_is_right_at_any_zoom_and_pan() {
    let mut view = view((40.0, 30.0));
    for (steps, drag) in [
        (0, (0.0, 0.0)),
        (3, (-70.0, 33.5)),
        (-2, (900.0, 900.0)),
        (9, (-5e3, -5e3)),
    ] {
        view.zoom(Vec2::new(400.0, 300.0), steps);
        view.finish();
        view.pan(Vec2::from(drag));
        for cell in [Cell::new(0, 0), Cell::new(17, 11), Cell::new(39, 29)] {
            let rect = view.rect(Space::new(cell, 1));
            assert_eq!(view.cell(rect.center()), Some(cell), "{view:?}");
            assert_eq!(view.cell(rect.min + 0.5), Some(cell));
            assert_eq!(view.cell(rect.max - 0.5), Some(cell));
        }
        let corner = view.in_window(Vec2::ZERO);
        assert_eq!(view.cell(corner - 0.5), None);
    }
}

#[test]
fn zooming_keeps_the_place_under_the_pointer() {
    let mut view = view((100.0, 100.0));
    let at = Vec2::new(500.0, 350.0);
    let before = view.place(at);
    view.zoom(at, 2);
    for _ in 0..20 {
        view.advance(0.016);
        assert!(view.place(at).distance(before) < 0.05);
    }
    view.finish();
    assert!(view.place(at).distance(before) < 0.05);
    assert!(view.cell_px() > 26);
}

#[test]
fn bounds_keep_the_map_in_view() {
    let mut view = view((100.0, 100.0));
    view.pan(Vec2::splat(1e6));
    let corner = view.in_window(Vec2::ZERO) - view.area().min;
    assert!((corner - FRAME * view.cell_px() as f32).abs().max_element() <= 1.0);
    view.zoom(Vec2::ZERO, -30);
    view.finish();
    assert_eq!(view.cell_px(), view.whole_px());
    view.zoom(Vec2::ZERO, 30);
    assert!(view.cell_px() <= 120);
}

const ROOM: Rect = Rect {
    min: Vec2::new(0.0, 0.0),
    max: Vec2::new(800.0, 500.0),
};
const SIZE: Vec2 = Vec2::new(170.0, 44.0);

fn cell(x: f32, y: f32) -> Rect {
    Rect::from_corners(Vec2::new(x, y) * 40.0, Vec2::new(x + 1.0, y + 1.0) * 40.0)
}

fn hides(place: Rect, it: Rect) -> bool {
    !place.intersect(it).is_empty()
}

#[test]
fn a_label_covers_neither_its_unit_nor_the_path() {
    let end = cell(8.0, 5.0);
    let paths: [&[(f32, f32)]; 3] = [
        &[(4.0, 5.0), (5.0, 5.0), (6.0, 5.0), (7.0, 5.0)],
        &[(9.0, 4.0), (10.0, 3.0), (11.0, 2.0)],
        &[(8.0, 4.0), (8.0, 3.0), (9.0, 2.0), (10.0, 2.0)],
    ];
    for path in paths {
        let path: Vec<Rect> = path.iter().map(|&(x, y)| cell(x, y)).collect();
        let place = free_place(SIZE, (end, LabelSide::Corner, 1.0), &path, &[], ROOM);
        assert!(!hides(place, end), "{place:?}");
        assert!(path.iter().all(|&step| !hides(place, step)), "{place:?}");
    }
}

#[test]
fn floating_texts_in_one_place_are_stacked() {
    let mut stand: Vec<Rect> = Vec::new();
    for place in [
        (0.0, 0.0),
        (40.0, 0.0),
        (80.0, 10.0),
        (40.0, -40.0),
        (400.0, 0.0),
    ] {
        let alone = Rect::from_center_size(place.into(), WORD);
        let up = Vec2::new(0.0, lift(alone, &stand));
        let here = Rect::from_corners(alone.min - up, alone.max - up);
        assert!(
            up.y >= 0.0 && stand.iter().all(|other| !hides(*other, here)),
            "{place:?}"
        );
        stand.push(here);
    }
    assert_eq!(stand[0].center(), Vec2::ZERO, "the first stays where it is");
    assert_eq!(
        stand[4].center(),
        Vec2::new(400.0, 0.0),
        "so does one far away"
    );
}

/// Floating text can be read from across the room: it grows with the cells, as far as a long text has
/// room, and is never smaller than other text.
#[test]
fn floating_text_grows_with_the_cells() {
    let cell = 86.0;
    let type_size = |text, high, cell| type_scale(text, high, cell) * BODY / cell;
    assert!((type_size("miss", 0.39, cell) - 0.39).abs() < 0.01);
    assert!((type_size("hit 12", 0.52, cell) - 0.52).abs() < 0.01);
    let long = "Physical save: passes at the last moment";
    assert!(type_size(long, 0.39, cell) < 0.39);
    assert_eq!(type_scale("miss", 0.39, 20.0), 1.0);
}

/// A unit's text lies above it, if need be to one side. If it would cover the unit above, it lies
/// beside or below its own unit, or inside its cell if there is no room on any side.
#[test]
fn floating_text_covers_no_other_unit() {
    let own = cell(3.0, 3.0);
    let room = Rect::from_corners(Vec2::ZERO, cell(9.0, 7.0).max);
    let of = |space, text, units: &[Rect]| {
        let free = TextAnchor::free(space, text, (units, &[]), room);
        free.unwrap_or_else(|| TextAnchor::inside(space))
    };
    let anchor = |space, wide, units: &[Rect]| of(space, Vec2::new(wide, 0.6), units);
    let beside = [own, cell(2.0, 2.0), cell(4.0, 2.0), cell(4.0, 3.0)];
    let alone = anchor(own, 0.8, &beside);
    assert!(!alone.is_centred);
    assert_eq!(alone.place, Vec2::new(own.center().x, own.min.y));
    let (above, east, west) = (cell(3.0, 2.0), cell(4.0, 3.0), cell(2.0, 3.0));
    let right = anchor(own, 0.8, &[own, above]);
    assert!(right.is_centred && right.place.x > own.max.x);
    assert_eq!(right.place.y, own.center().y);
    let left = anchor(own, 0.8, &[own, above, east]);
    assert!(left.place.x < own.min.x && left.place.y == own.center().y);
    let below = anchor(own, 0.8, &[own, above, east, west]);
    assert!(below.is_centred && below.place.y > own.max.y);
    assert_eq!(below.place.x, own.center().x);
    let south = cell(3.0, 4.0);
    let inside = anchor(own, 0.8, &[own, above, east, west, south]);
    assert!(inside.is_centred && own.contains(inside.place));
    // It never leaves the board, also at the top.
    let top = cell(3.0, 0.0);
    let high = Vec2::new(0.8, top.height());
    assert!(of(top, high, &[top]).is_centred);
    let edge = cell(9.0, 3.0);
    assert!(anchor(edge, 0.8, &[edge, cell(9.0, 2.0)]).place.x < edge.min.x);
    // A text a little too wide lies to one side of the unit diagonally above.
    let shifted = anchor(own, 40.4, &[own, cell(4.0, 2.0)]);
    assert!(!shifted.is_centred && shifted.place.x < own.center().x);
    assert_eq!(shifted.place.y, own.min.y);
    // A large unit above counts too, and a large unit has units above either half.
    let large = Rect::from_corners(cell(2.0, 1.0).min, cell(3.0, 2.0).max);
    assert!(anchor(own, 0.8, &[large]).is_centred);
    assert!(anchor(large, 0.8, &[cell(3.0, 0.0)]).is_centred);
    // A long text that would reach the unit diagonally above lies flush with its own unit's side; it
    // lies beside its unit if there is one diagonally above on either side.
    let flush = anchor(own, 64.0, &[cell(2.0, 2.0)]);
    assert_eq!(flush.place, Vec2::new(own.min.x + 32.0, own.min.y));
    assert!(anchor(own, 64.0, &[cell(2.0, 2.0), cell(4.0, 2.0)]).is_centred);
    // It does not leave the board at a side either.
    let corner = cell(0.0, 3.0);
    assert!(anchor(corner, 64.0, &[cell(1.0, 2.0)]).is_centred);
    let stand = Rect::from_center_size(Vec2::ZERO, WORD);
    assert_eq!(drop_below(stand, &[stand]), WORD.y);
    assert_eq!(drop_below(stand, &[]), 0.0);
    // It makes room downwards only as far as it stays over its own unit.
    let above = Rect::from_center_size(Vec2::new(0.0, -10.0), WORD);
    assert_eq!(room_for(stand, &[above], 30.0), 10.0 - WORD.y);
    assert_eq!(room_for(stand, &[above], 20.0), WORD.y + 10.0);
    assert_eq!(room_for(stand, &[], 30.0), 0.0);
}

/// A long text does not lie at another unit, which would seem to be the one that it is about.
#[test]
fn floating_text_is_nearest_to_its_own_unit() {
    let unit = |x, y| Rect::from_center_size(Vec2::new(x, y) + 0.5, Vec2::ONE);
    let (own, south_east) = (unit(8.0, 3.0), unit(10.0, 4.0));
    let [above, north_west] = [8.0, 7.0].map(|x| unit(x, 2.0));
    let room = Rect::new(0.0, 0.0, 16.0, 9.0);
    let text = Vec2::new(3.1, 0.8);
    let anchor = |units: &[Rect]| TextAnchor::free(own, text, (units, &[]), room);
    let place = |units: &[Rect]| anchor(units).expect("a free place").place;
    assert!(place(&[own, above]).x > own.max.x);
    // On either side there is room, but near others.
    let units = [own, above, north_west, south_east];
    let below = place(&units);
    assert!(below.y > own.max.y && below.x < own.center().x, "{below}");
    let units = [own, above, north_west, south_east, unit(6.0, 4.0)];
    assert_eq!(anchor(&units), None);
}

#[test]
fn a_label_stays_within_its_bounds() {
    for (x, y) in [
        (0.0, 0.0),
        (19.0, 0.0),
        (0.0, 11.0),
        (19.0, 11.0),
        (10.0, 0.0),
    ] {
        let about = cell(x, y);
        let place = free_place(SIZE, (about, LabelSide::Corner, 1.0), &[], &[], ROOM);
        assert_eq!(ROOM.union(place), ROOM, "{about:?}: {place:?}");
        assert!(!hides(place, about), "{about:?}: {place:?}");
    }
}

/// A label too wide to be centred above or below its unit lies there flush with the unit's side.
#[test]
fn a_label_among_units_touches_its_own() {
    let about = cell(8.0, 5.0);
    let around = [
        cell(6.0, 4.0),
        cell(6.0, 6.0),
        cell(9.0, 5.0),
        cell(7.0, 5.0),
    ];
    let place = free_place(SIZE, (about, LabelSide::Above, 1.0), &around, &around, ROOM);
    assert!(around.iter().all(|&unit| !hides(place, unit)), "{place:?}");
    assert!(!hides(place, about) && hides(place.inflate(4.0), about));
    assert_eq!(place.min.x, about.min.x);
}

#[test]
fn a_second_label_does_not_cover_the_first() {
    let about = cell(5.0, 5.0);
    let first = free_place(SIZE, (about, LabelSide::Corner, 1.0), &[], &[], ROOM);
    let second = free_place(SIZE, (about, LabelSide::Corner, 1.0), &[first], &[], ROOM);
    assert!(!hides(first, second));
}

/// In a column of units, a label is beside its own one.
#[test]
fn a_label_is_nearer_to_its_unit_than_to_its_neighbours() {
    let about = cell(5.0, 5.0);
    let others = [cell(5.0, 4.0), cell(5.0, 6.0), cell(4.0, 5.0)];
    let size = Vec2::new(60.0, 20.0);
    let of = (about, LabelSide::Above, 1.0);
    let place = free_place(size, of, &others, &others, ROOM);
    assert!(hides(place, about.inflate(4.0)), "{place:?}");
    assert!(!others.iter().any(|it| hides(place, it.inflate(4.0))));
}

#[test]
fn an_attack_motion_draws_back_strikes_and_returns() {
    for stop in [0.0, STOP] {
        let out = |t| swing(t, (0.16, 0.5), (stop, BACK));
        assert_eq!(out(0.0), 0.0);
        assert!((out(DRAW) + 0.16).abs() < 1e-4, "{}", out(DRAW));
        assert!((out(DRAW + STRIKE) - 0.5).abs() < 1e-4);
        assert!((out(DRAW + STRIKE + stop) - 0.5).abs() < 1e-4);
        assert!(out(DRAW + STRIKE + stop + BACK).abs() < 1e-4);
        // The motion has no jumps.
        for n in 0..560 {
            let t = n as f32 / 1000.0;
            assert!((out(t + 0.001) - out(t)).abs() < 0.02, "at {t}");
        }
    }
}

/// The target stands still while the attacker does, then flies back and returns before the next
/// event.
#[test]
fn a_hit_stops_both_units_before_the_target_is_knocked_back() {
    assert_eq!((knocked(0.0, STOP), knocked(STOP, STOP)), (0.0, 0.0));
    let most = (0..300).map(|n| knocked(n as f32 / 1000.0, STOP));
    assert!(most.fold(0.0, f32::max) > 0.99);
    assert!(knocked(HURT, STOP).abs() < 1e-4);
}

/// What dims the board after a fall leaves attacker and victim lit, wherever they stand.
#[test]
fn the_parts_around_two_units_cover_all_but_them() {
    let all = Rect::new(-5.0, -5.0, 5.0, 5.0);
    let unit = |x, y| Rect::from_center_size(Vec2::new(x, y), Vec2::ONE);
    for other in [(1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (-3.0, 0.5)] {
        let lit = [unit(0.0, 0.0), unit(other.0, other.1)];
        let parts = around(all, lit.to_vec());
        let area: f32 = parts.iter().map(|part| part.width() * part.height()).sum();
        assert!((area - 98.0).abs() < 0.001, "{parts:?}");
        assert!(
            !parts
                .iter()
                .any(|&part| lit.iter().any(|&it| hides(part, it)))
        );
    }
}

/// The mark of a hovered unit does not stay behind on its empty cell.
#[test]
fn a_cell_that_its_unit_has_left_is_not_marked_until_the_cursor_moves() {
    let (here, unit) = (Some(Cell::new(2, 1)), Some(Id(1)));
    let hovered = UnderCursor::default().next(here, unit);
    let left = hovered.next(here, None);
    assert!(!hovered.has_unit_gone && left.has_unit_gone && left.next(here, None).has_unit_gone);
    assert!(!left.next(here, unit).has_unit_gone, "another unit comes");
    assert!(!left.next(None, None).next(here, None).has_unit_gone);
    assert!(
        !UnderCursor::default().next(here, None).has_unit_gone,
        "an empty cell"
    );
}

#[test]
fn a_shake_fades_and_a_weaker_one_does_not_cut_it_short() {
    let mut shake = Shake::default();
    assert_eq!(shake.offset(), Vec2::ZERO);
    shake.start(0.2, 0.3);
    let first = shake;
    shake.start(0.1, 5.0);
    assert_eq!(shake, first);
    let mut before = shake.now();
    for _ in 0..5 {
        shake.pass(0.05);
        assert!(shake.now() < before && shake.offset().length() <= 0.3);
        before = shake.now();
    }
    shake.pass(0.06);
    assert!(shake.is_still() && shake.offset() == Vec2::ZERO);
    shake.start_after(0.2, (0.1, 0.3));
    assert!(!shake.is_still() && shake.now() == 0.0, "not yet");
    shake.pass(0.15);
    assert!(shake.now() > 0.1);
}

#[test]
fn a_die_tumbles_and_stops_on_the_rolled_face() {
    for (faces, value) in [(6, 1), (6, 6), (8, 5), (10, 10), (12, 3), (1, 1)] {
        let die = Die {
            faces,
            value,
            card: Entity::PLACEHOLDER,
        };
        let seen = (0..7).map(|n| die.shows(n as f32 * FACE + 0.001));
        let seen = Vec::from_iter(seen);
        assert!(seen.iter().all(|n| (1..=faces).contains(n)), "{seen:?}");
        if faces > 1 {
            assert!(seen.windows(2).all(|w| w[0] != w[1]), "{seen:?}");
        }
        assert_eq!(die.shows(TUMBLES), value);
        assert_eq!(die.shows(60.0), value);
    }
}

#[test]
fn a_die_roll_takes_less_than_a_second() {
    const { assert!(WHOLE < 1.0) };
}
