//! Icons, tokens and marks.

use super::*;

#[test]
fn icons_are_told_apart_at_their_smallest() {
    let pictures: Vec<(Icon, Vec<f32>)> = Icon::ALL
        .iter()
        .map(|&sign| (sign, covers(&icon(sign, 20, palette::INK))))
        .collect();
    for (i, (a, one)) in pictures.iter().enumerate() {
        assert!(one.iter().sum::<f32>() > 15.0, "{a:?} is drawn");
        for (b, other) in &pictures[..i] {
            let unlike: f32 = one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum();
            assert!(unlike > 12.0, "{a:?} and {b:?} differ by {unlike} pixels");
        }
    }
}

#[test]
fn tokens_are_told_apart_without_colour() {
    let stood = |base, glyph, number, pose| tokens::token(piece(base, glyph, number, pose), 32);
    let plain = |number, pose| stood(Base::Hexagon, Glyph::Figure(Figure::Plain), number, pose);
    let mut pictures: Vec<(String, Pixmap)> = Vec::new();
    pictures.extend(Role::ALL.map(|role| {
        let glyph = Glyph::Role(role);
        (
            format!("{role:?}"),
            stood(Base::Round, glyph, None, Pose::Ready),
        )
    }));
    pictures.extend(Figure::ALL.map(|figure| {
        let glyph = Glyph::Figure(figure);
        (
            format!("{figure:?}"),
            stood(Base::Hexagon, glyph, None, Pose::Ready),
        )
    }));
    pictures.extend((1..=20).map(|n| (format!("number {n}"), plain(Some(n), Pose::Ready))));
    let others = [Pose::Active, Pose::Done, Pose::Down, Pose::Ghost];
    pictures.extend(others.map(|pose| (format!("{pose:?}"), plain(Some(1), pose))));
    pictures.extend(Icon::ALL.iter().map(|&icon| {
        let badge = Badge {
            icon,
            tone: Tone::Bad,
        };
        (format!("badge {icon:?}"), tokens::badge(badge, 41))
    }));
    pictures.push(("half cover".to_owned(), cover_badge(Cover::Half, 41)));
    pictures.push(("full cover".to_owned(), cover_badge(Cover::Full, 41)));
    let greys: Vec<Vec<f32>> = pictures.iter().map(|(_, picture)| greys(picture)).collect();
    for i in 0..pictures.len() {
        for j in 0..i {
            let unlike = greys[i]
                .iter()
                .zip(&greys[j])
                .filter(|(a, b)| (*a - *b).abs() > 0.2)
                .count();
            assert!(
                unlike >= 5,
                "{} and {}: {unlike} pixels",
                pictures[i].0,
                pictures[j].0
            );
        }
    }
}

#[test]
fn chips_show_who_is_done_and_who_fell() {
    for base in Base::ALL {
        let shown = |state| {
            let chip = Chip {
                base,
                glyph: Glyph::Figure(Figure::Ears),
                number: Some(2),
                state,
            };
            greys(&tokens::chip(chip, 22))
        };
        let states = [ChipState::Ready, ChipState::Done, ChipState::Fallen].map(shown);
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let unlike = unlike(&states[one], &states[other], 0.15);
            assert!(
                unlike >= 30,
                "{base:?}: {unlike} pixels of {one} and {other}"
            );
        }
    }
}

/// A side is told by shape and pattern: without colour, whatever stands on the
/// base, on the board as in lists, standing, fallen or planned, of any size.
#[test]
fn sides_are_told_apart_without_colour() {
    let glyphs = [Glyph::Role(Role::Sword), Glyph::Figure(Figure::Brute)];
    for glyph in glyphs {
        for pose in Pose::ALL {
            for (px, cells) in [(16, 1), (24, 1), (46, 1), (24, 2)] {
                let shown = Base::ALL.map(|base| {
                    let token = Token {
                        cells,
                        ..piece(base, glyph, None, pose)
                    };
                    tokens::token(token, px)
                });
                apart(&shown, &format!("{pose:?}, {cells} cells of {px}"));
            }
        }
        for px in [12, 22, 32] {
            let shown = Base::ALL.map(|base| {
                let chip = Chip {
                    base,
                    glyph,
                    number: None,
                    state: ChipState::Ready,
                };
                tokens::chip(chip, px)
            });
            apart(&shown, &format!("chip of {px}"));
        }
    }
}

/// Each of these differs from each other in the form that is covered.
fn apart(shown: &[Pixmap], what: &str) {
    let all: Vec<Vec<f32>> = shown.iter().map(covers).collect();
    let whole = (shown[0].width() * shown[0].height()) as f32;
    for (n, one) in all.iter().enumerate() {
        for other in &all[..n] {
            let unlike: f32 = one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum();
            assert!(unlike > whole * 0.012, "{what}: {unlike} of {whole} pixels");
        }
    }
}

fn piece(base: Base, glyph: Glyph, number: Option<u32>, pose: Pose) -> Token {
    Token {
        base,
        glyph,
        number,
        pose,
        cells: 1,
        corner: None,
    }
}

fn unlike(one: &[f32], other: &[f32], least: f32) -> usize {
    let pairs = one.iter().zip(other);
    pairs.filter(|(a, b)| (*a - *b).abs() > least).count()
}

/// Whoever lies under somebody is drawn where the other's base leaves room.
#[test]
fn the_fallen_peep_out_beneath_who_stands_on_them() {
    for over in Base::ALL {
        for under in Base::ALL {
            let above = tokens::token(piece(over, Glyph::Role(Role::Bow), None, Pose::Ready), 46);
            for corner in [(-1, 1), (1, 1), (-1, -1), (1, -1)] {
                let down = Token {
                    corner: Some(corner),
                    ..piece(under, Glyph::Figure(Figure::Ears), Some(2), Pose::Down)
                };
                let below = tokens::token(down, 46);
                let pairs = below.pixels().iter().zip(above.pixels());
                let seen = pairs.filter(|(b, a)| b.alpha() > 200 && a.alpha() < 40);
                let seen = seen.count();
                assert!(
                    seen > 60,
                    "{under:?} under {over:?} at {corner:?}: {seen} pixels"
                );
            }
        }
    }
}

fn health(now: i32, most: i32) -> Health {
    Health {
        now,
        most,
        is_own: true,
    }
}

#[test]
fn a_health_bar_is_never_wrongly_full_or_empty() {
    let filled = |share: f32| {
        let bar = tokens::health_bar(health((share * 1000.0) as i32, 1000), 1, 24, 1.0);
        let middle = bar.height() / 2;
        let empty = palette::HEALTH_EMPTY;
        let inner = 1..bar.width() - 1;
        inner
            .filter(|&x| {
                bar.pixel(x, middle)
                    .is_some_and(|p| [p.red(), p.green(), p.blue()] != empty.bytes())
            })
            .count()
    };
    assert_eq!(filled(0.0), 0);
    assert!(filled(0.001) <= 1);
    assert!(filled(0.999) < filled(1.0));
    assert!(filled(0.25) < filled(0.5) && filled(0.5) < filled(0.75));
}

/// At the size in which a battle begins in the smallest window, and larger.
#[test]
fn hit_points_are_written_on_their_bar() {
    let white = |now: i32, px: u32, layout: f32| {
        let bar = tokens::health_bar(health(now, 120), 1, px, layout);
        let is_light = |p: &&tiny_skia::PremultipliedColorU8| p.red().min(p.green()) > 200;
        (bar.pixels().iter().filter(is_light).count(), bar.height())
    };
    for (px, layout) in [(36, 1.0), (46, 1.0), (72, 1.5), (92, 2.0), (120, 1.0)] {
        for now in [1, 8, 24, 107] {
            let (light, high) = white(now, px, layout);
            assert!(light > 5, "{now} in cells of {px}: {light} pixels");
            assert!(high as f32 >= 8.6 * layout, "{high} pixels high at {px}");
        }
    }
    // Too small to be read: a bar alone.
    assert_eq!(white(24, 20, 1.0).0, 0);
    assert_eq!(white(24, 46, 2.0).0, 0);
}

#[test]
fn a_path_is_marked_from_start_to_end() {
    assert!(marks::path(&[], 1, 40).is_none());
    let step = |x: f32, provokes| Step {
        x,
        y: 0.5,
        provokes,
    };
    let at = |path: &fivefoot::ui::art::board::Picture, x: f32| {
        let (px, py) = ((x * 40.0) as i32 - path.left, 20 - path.top);
        let pixel = path
            .pixmap
            .pixel(px as u32, py as u32)
            .expect("on the path");
        (pixel.alpha(), Rgb(pixel.red(), pixel.green(), pixel.blue()))
    };
    let calm = marks::path(
        &[step(0.5, false), step(1.5, false), step(2.5, false)],
        1,
        40,
    )
    .expect("a path");
    assert_eq!(at(&calm, 1.5), (255, palette::INK), "a dot at the step");
    assert_eq!(at(&calm, 2.5).0, 0, "the ring at the end is open");
    let bold = marks::path(
        &[step(0.5, false), step(1.5, true), step(2.5, false)],
        1,
        40,
    )
    .expect("a path");
    assert_eq!(
        at(&bold, 1.35),
        (255, palette::DANGER),
        "a red disc where it draws an attack"
    );
    let only = marks::path(&[step(0.5, false)], 1, 40).expect("a ring");
    assert!(only.pixmap.width() < 60);
}

#[test]
fn marks_lie_where_they_are_meant() {
    let strip = marks::dots(palette::TEAL, 40);
    let inked = strip.pixels().iter().filter(|p| p.alpha() > 200).count();
    assert!(strip.width() >= 40 * 40 && inked > 2000, "{inked}");
    assert!(marks::area(&[], palette::DANGER, 40).is_none());
    let area = marks::area(&[(2, 1), (3, 1)], palette::DANGER, 40).expect("two cells");
    let alpha = |x: i32, y: i32| {
        area.pixmap
            .pixel((x - area.left) as u32, (y - area.top) as u32)
            .map(|p| p.alpha())
    };
    assert!(alpha(80, 60) > Some(200), "a line on the western side");
    assert_eq!(alpha(120, 60), alpha(100, 60), "none between the two");
    let (plain, lined) = (
        marks::reach(Reach::Plain, 40),
        marks::reach(Reach::Dear, 40),
    );
    assert!(
        greys(&lined)
            .iter()
            .any(|&grey| grey != greys(&lined)[10 * 40 + 10]),
        "the Main is lined"
    );
    assert!(
        plain.pixel(20, 20).is_some_and(|pixel| pixel.alpha() == 51),
        "a fifth"
    );
}
