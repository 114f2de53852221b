//! What a token shows: badges, the label of its unit, fallen units in one cell.

use bevy::prelude::*;
use fivefoot::{
    battle::State,
    grid::Cell,
    levels, rulesets,
    ui::{
        art::{
            icons::Icon,
            lettering::{self, Typeface},
            tokens::{Pose, label_span},
        },
        board::pieces::{
            FACE_MARK, Lying, MAX_BADGES, MAX_SHARED, ShownBadge, TokenAppearance, badges,
        },
        ruleset_ui::StatusBadge,
        shown::UnitView,
    },
};

#[test]
fn a_token_has_two_badges_at_most_and_the_second_stands_for_the_rest() {
    let icons = [Icon::Prone, Icon::Stunned, Icon::Bleeding];
    let all = icons.map(|icon| StatusBadge::bad(icon, "so"));
    let own = |n: usize| ShownBadge::Condition(all[n].badge);
    assert_eq!(badges(&all[..2], MAX_BADGES), [own(0), own(1)]);
    assert_eq!(badges(&all, MAX_BADGES), [own(0), ShownBadge::More]);
    assert_eq!(badges(&all, MAX_SHARED), [own(0)]);
    assert!(badges(&all, 0).is_empty());
}

/// Four units fall in one cell. The third is the player's and can still be saved.
#[test]
fn the_most_important_fallen_unit_lies_in_full_and_the_others_are_small_faces() {
    use Lying::{Alone, Face, More, Top, Unseen};
    let mut units = UnitView::all_of(&levels::default_level(), rulesets::ALL[0]);
    units.truncate(5);
    let states = [State::Dead, State::Dead, State::Down, State::Down];
    for (n, unit) in units.iter_mut().enumerate() {
        (unit.at, unit.size) = (Cell::new(3, 3), 1);
        unit.state = states.get(n).copied().unwrap_or(State::Fled);
        unit.rank = u8::from(n != 2);
    }
    let drawn = |units: &[UnitView]| {
        let there = units.iter().filter(|unit| unit.is_there());
        Vec::from_iter(there.map(|unit| Lying::of(units, unit)))
    };
    assert_eq!(drawn(&units), [More(2), Unseen, Top, Face]);
    units[1].state = State::Fled;
    assert_eq!(drawn(&units), [Face, Top, Face]);
    // A unit that stands there is drawn in full instead.
    units[4].state = State::Up;
    assert_eq!(drawn(&units), [Unseen, Face, More(2), Alone]);
    units[0].state = State::Fled;
    assert_eq!(drawn(&units), [Face, Face, Alone]);
}

#[test]
fn small_faces_and_their_marks_lie_inside_their_cell() {
    let units = UnitView::all_of(&levels::default_level(), rulesets::ALL[0]);
    for corner in [(-1, 1), (1, 1), (-1, -1), (1, -1)] {
        for is_under in [false, true] {
            let appearance = TokenAppearance {
                unit: units[0].clone(),
                pose: Pose::Down,
                is_own: true,
                cell_px: 46,
                corner: Some(corner),
                lying: Lying::Face,
                is_under,
                ink: 0.0,
            };
            let (face, mark) = (Vec2::splat(appearance.face()), Vec2::splat(FACE_MARK));
            let [face, mark] = [
                Rect::from_center_size(appearance.in_corner(face), face),
                Rect::from_center_size(appearance.on_face(mark), mark),
            ];
            for rect in [face, mark] {
                let cell = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(0.501));
                assert_eq!(cell.union(rect), cell, "{corner:?}");
            }
            assert!(!face.intersect(mark).is_empty());
        }
    }
}

#[test]
fn the_disc_of_a_label_is_as_wide_as_its_text() {
    for text in ["1", "12", "W1", "C2", "WM1", "W12"] {
        let (size, long) = label_span(text, 1.0);
        let wide = lettering::width(Typeface::Bold, text, size);
        assert!(2.0 + long >= wide + 0.4, "{text}: {wide} in {}", 2.0 + long);
    }
    assert_eq!(label_span("1", 1.0).1, 0.0, "one digit needs only a circle");
}
