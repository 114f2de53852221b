//! Colours are distinguishable and text is readable with every kind of colour vision.

use fivefoot::ui::art::{
    palette::*,
    vision::{Cones, ciede2000},
};

#[test]
fn a_recoloured_colour_is_not_recoloured_again() {
    for scheme in Scheme::ALL {
        for (from, to) in scheme.swaps() {
            assert_eq!(to.in_scheme(scheme), *to, "{scheme:?}: {from:?}");
        }
    }
}

#[test]
fn text_is_readable_in_every_colour_scheme() {
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

/// Examples from the supplement by Sharma, Wu and Dalal to the CIEDE2000 formula.
#[test]
fn colour_differences_match_the_published_examples() {
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
fn greys_look_the_same_with_every_colour_vision() {
    for cones in Cones::ALL {
        for grey in [0, 60, 128, 255] {
            let Rgb(r, g, b) = Rgb(grey, grey, grey).as_seen_without(cones);
            for byte in [r, g, b] {
                assert!(byte.abs_diff(grey) <= 1, "{cones:?} {grey}: {byte}");
            }
        }
    }
}

/// Pairs of colours that appear side by side with different meanings, and what else
/// distinguishes them, if anything.
fn pairs(scheme: Scheme) -> Vec<(&'static str, Rgb, Rgb, Option<&'static str>)> {
    let of = |colour: Rgb| colour.in_scheme(scheme);
    let tint = |ink: Rgb, share: f32| of(FLOOR).mix(of(ink), share);
    let mut pairs = vec![
        (
            "reach: with the Main and without",
            tint(TEAL, REACH_MOVE_ALPHA),
            tint(OCHRE, REACH_MAIN_ALPHA),
            Some("what costs the Main is smaller"),
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

/// Minimum difference of two colours that only colour distinguishes.
const ALONE: f32 = 15.0;
/// Minimum difference of two colours that something else distinguishes too.
const HELPED: f32 = 5.0;

/// The colours of the player's side and the first enemy side also differ enough alone, with
/// every kind of colour vision.
#[test]
fn neighbouring_colours_differ_with_every_colour_vision() {
    let all_units = [None].into_iter().chain(Cones::ALL.map(Some));
    for eyes in all_units {
        for scheme in Scheme::ALL {
            // A scheme for one kind of colour vision is checked only with that kind.
            if scheme.missing_cones().is_some() && scheme.missing_cones() != eyes {
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
