//! Where rolls lie on the board, and their colours.

use bevy::prelude::*;
use fivefoot::ui::{
    art::palette,
    board::{
        dice::{NEARER, SUM, Taken, landing, total_style, widened},
        labels::distance,
    },
};

/// About the size of a roll, and a map.
const ROLL: Vec2 = Vec2::new(3.2, SUM);
const MAP: Rect = Rect {
    min: Vec2::ZERO,
    max: Vec2::new(12.0, 8.0),
};

fn unit(x: f32, y: f32) -> Rect {
    Rect::from_center_size(Vec2::new(x, y), Vec2::ONE)
}

fn among(units: &[Rect]) -> Taken {
    Taken {
        units: units.to_vec(),
        texts: vec![],
    }
}

fn is_free(roll: Rect, taken: &[Rect]) -> bool {
    taken.iter().all(|unit| unit.intersect(roll).is_empty())
}

#[test]
fn a_roll_lies_beside_its_attacker_where_it_hides_no_unit() {
    let (by, at) = (unit(4.5, 3.5), unit(5.5, 3.5));
    let alone = [by, at];
    let roll = landing((by, at), ROLL, &among(&alone), MAP);
    assert!(roll.center().distance(Vec2::new(4.5, 2.5)) < 0.01);
    // Other units stand above, so the roll lies below.
    let crowd = [by, at, unit(4.5, 2.5), unit(5.5, 2.5), unit(3.5, 2.5)];
    let roll = landing((by, at), ROLL, &among(&crowd), MAP);
    assert!(roll.center().distance(Vec2::new(4.5, 4.5)) < 0.01);
}

#[test]
fn a_roll_is_nearer_to_its_attack_than_to_another_unit() {
    let (by, at) = (unit(5.5, 3.5), unit(4.5, 3.5));
    let units = [
        by,
        at,
        unit(7.5, 4.5),
        unit(5.5, 2.5),
        unit(6.5, 2.5),
        unit(4.5, 4.5),
        unit(5.5, 4.5),
    ];
    let word = Rect::from_center_size(Vec2::new(4.0, 2.6), Vec2::new(2.0, 0.8));
    let taken = Taken {
        texts: vec![word],
        ..among(&units)
    };
    let roll = landing((by, at), ROLL, &taken, MAP);
    assert!(is_free(roll, &units) && is_free(roll, &[word]), "{roll:?}");
    let own = distance(roll, by).min(distance(roll, at));
    let others = units.iter().map(|unit| distance(roll, *unit) + NEARER);
    assert!(own <= others.fold(0.2, f32::min), "{roll:?}");
}

#[test]
fn a_success_has_the_colour_of_its_side_and_a_failure_is_grey() {
    for (rank, ink) in [(0, palette::TEAL), (1, palette::DANGER)] {
        assert_eq!(total_style(rank, Some(true)), (ink, true));
        assert_eq!(total_style(rank, Some(false)), (palette::GREY, false));
        assert_eq!(total_style(rank, None), (ink, false));
    }
}

#[test]
fn a_roll_lies_wholly_inside_the_board() {
    for (x, y) in [(0.5, 0.5), (11.5, 0.5), (0.5, 7.5), (11.5, 7.5)] {
        let by = unit(x, y);
        let at = unit(x, y.clamp(1.5, 6.5));
        let roll = landing((by, at), ROLL, &among(&[by, at]), MAP);
        let room = MAP.inflate(0.01);
        assert!(room.contains(roll.min) && room.contains(roll.max));
        assert!(is_free(roll, &[by, at]), "{roll:?}");
        assert!(distance(roll, by).min(distance(roll, at)) < 0.5, "{roll:?}");
    }
}

#[test]
fn a_roll_that_grows_makes_room() {
    let ends = (unit(4.5, 3.5), unit(5.5, 3.5));
    let old = landing(ends, ROLL, &among(&[ends.0, ends.1]), MAP);
    let grown = |taken: &[Rect]| widened(old, ROLL.x + 1.5, ends, &among(taken), MAP);
    let alone = grown(&[ends.0, ends.1]);
    assert_eq!(alone.min, old.min);
    assert!(alone.width() > old.width() + 1.4);
    let taken = [ends.0, ends.1, unit(6.8, 2.5)];
    assert!(is_free(old, &taken) && !is_free(alone, &taken));
    assert!(is_free(grown(&taken), &taken));
}

#[test]
fn rolls_of_the_same_attacks_do_not_lie_on_each_other() {
    let (by, at) = (unit(2.5, 2.5), unit(9.5, 2.5));
    let mut taken = vec![by, at];
    for n in 0..4 {
        let roll = landing((by, at), ROLL, &among(&taken), MAP);
        assert!(is_free(roll, &taken), "roll {n}");
        taken.push(roll);
    }
}
