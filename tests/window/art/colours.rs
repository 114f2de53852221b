//! Colours are told apart, and print is read, by all eyes.

use fivefoot::ui::art::{
    palette::*,
    vision::{Cones, ciede2000},
};

#[test]
fn a_colour_that_was_swapped_is_not_swapped_again() {
    for scheme in Scheme::ALL {
        for (from, to) in scheme.swaps() {
            assert_eq!(to.in_scheme(scheme), *to, "{scheme:?}: {from:?}");
        }
    }
}

#[test]
fn print_can_be_read_in_every_scheme() {
    for scheme in Scheme::ALL {
        let of = |rgb: Rgb| rgb.in_scheme(scheme);
        for ink in [INK, FADED_INK, TEAL, DANGER, LINK] {
            for paper in [CARD, CARD_ACTIVE] {
                let contrast = of(ink).contrast(of(paper));
                let least = if scheme == Scheme::HighContrast {
                    7.0
                } else {
                    3.9
                };
                assert!(
                    contrast >= least,
                    "{scheme:?}: {ink:?} on {paper:?}: {contrast}"
                );
            }
        }
        for ground in [TEAL, DANGER] {
            let contrast = of(WHITE).contrast(of(ground));
            assert!(
                contrast >= 4.3,
                "{scheme:?}: white on {ground:?}: {contrast}"
            );
        }
        for flat in FLATS {
            let contrast = of(WHITE).contrast(of(flat));
            assert!(contrast >= 3.0, "{scheme:?}: white on {flat:?}: {contrast}");
        }
    }
}

/// From the supplement of Sharma, Wu and Dalal to the formula.
#[test]
fn the_difference_is_that_of_the_published_examples() {
    for (one, other, apart) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
        (
            [60.2574, -34.0099, 36.2677],
            [60.4626, -34.1751, 39.4387],
            1.2644,
        ),
        (
            [2.0776, 0.0795, -1.1350],
            [0.9033, -0.0636, -0.5514],
            0.9082,
        ),
    ] {
        let found = ciede2000(one, other);
        assert!((found - apart).abs() < 0.002, "{one:?} {other:?}: {found}");
    }
}

#[test]
fn greys_look_the_same_to_all() {
    for cones in Cones::ALL {
        for grey in [0, 60, 128, 255] {
            let Rgb(r, g, b) = Rgb(grey, grey, grey).as_seen_without(cones);
            for byte in [r, g, b] {
                assert!(byte.abs_diff(grey) <= 1, "{cones:?} {grey}: {byte}");
            }
        }
    }
}

/// Colours that stand beside each other and mean different things, and what
/// else than the colour tells them.
fn pairs(scheme: Scheme) -> Vec<(&'static str, Rgb, Rgb, Option<&'static str>)> {
    let of = |colour: Rgb| colour.in_scheme(scheme);
    let tint = |ink: Rgb, share: f32| of(FLOOR).mix(of(ink), share);
    let mut pairs = vec![
        (
            "reach: with the Main and without",
            tint(TEAL, REACH_MOVE_ALPHA),
            tint(OCHRE, REACH_MAIN_ALPHA),
            Some("what costs the Main is lined"),
        ),
        (
            "threat and what can be done",
            of(DANGER),
            of(TEAL),
            Some("rings are dashed, paths dotted"),
        ),
        (
            "threat and price",
            of(DANGER),
            of(OCHRE),
            Some("rings are dashed, prices are words"),
        ),
        (
            "health and harm",
            of(HEALTH),
            of(HEALTH_ENEMY),
            Some("a number and a length"),
        ),
        (
            "health that is left and lost",
            of(HEALTH),
            of(HEALTH_EMPTY),
            Some("a number"),
        ),
        (
            "harm that is left and lost",
            of(HEALTH_ENEMY),
            of(HEALTH_EMPTY),
            Some("a number"),
        ),
        (
            "chances: given and taken",
            of(TEAL),
            of(DANGER),
            Some("their places, and words"),
        ),
        (
            "forecast: theirs and ours",
            of(TEAL),
            of(VERMILION),
            Some("their ends, and words"),
        ),
        ("whose turn", of(GOLD), of(INK), None),
        (
            "the ring of who acts, on the floor",
            of(GOLD),
            of(FLOOR),
            None,
        ),
        (
            "links and text",
            of(LINK),
            of(INK),
            Some("links are in italics"),
        ),
    ];
    let told = Some("the base's shape and pattern");
    for (n, &one) in SIDES.iter().enumerate() {
        for &other in &SIDES[..n] {
            pairs.push(("two sides", of(one), of(other), told));
        }
        pairs.push(("a side on the floor", of(one), of(FLOOR), None));
    }
    pairs
}

/// At least so far apart where nothing else tells them, and where something
/// else does.
const ALONE: f32 = 15.0;
const HELPED: f32 = 5.0;

/// The player's own side and the first against them are told by colour
/// alone, too, to all eyes.
#[test]
fn what_has_to_be_told_apart_is_to_all_eyes() {
    let all_units = [None].into_iter().chain(Cones::ALL.map(Some));
    for eyes in all_units {
        for scheme in Scheme::ALL {
            // Schemes for certain eyes are looked at by these.
            if scheme.eyes().is_some() && scheme.eyes() != eyes {
                continue;
            }
            let seen = |colour: Rgb| eyes.map_or(colour, |cones| colour.as_seen_without(cones));
            let far = |a: Rgb, b: Rgb| seen(a).apart(seen(b));
            for (what, a, b, told_by) in pairs(scheme) {
                let least = if told_by.is_some() { HELPED } else { ALONE };
                let found = far(a, b);
                assert!(
                    found >= least,
                    "{scheme:?}, {eyes:?} wanting, {what} ({told_by:?}): {found}"
                );
            }
            let [ours, theirs] = [SIDES[0], SIDES[1]].map(|side| side.in_scheme(scheme));
            let found = far(ours, theirs);
            assert!(
                found >= ALONE,
                "{scheme:?}, {eyes:?}: ours and theirs: {found}"
            );
        }
    }
}
