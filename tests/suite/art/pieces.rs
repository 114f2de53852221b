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
    let hero = |role| {
        tokens::hero(
            Hero {
                role,
                colour: palette::GREY,
                pose: Pose::Ready,
                cells: 1,
            },
            32,
        )
    };
    let meeple = |figure, number, pose| {
        tokens::meeple(
            Meeple {
                figure,
                colour: palette::GREY,
                number,
                pose,
                cells: 1,
            },
            32,
        )
    };
    let mut pictures: Vec<(String, Pixmap)> = Vec::new();
    pictures.extend(Role::ALL.map(|role| (format!("{role:?}"), hero(role))));
    pictures.extend(
        Figure::ALL.map(|figure| (format!("{figure:?}"), meeple(figure, None, Pose::Ready))),
    );
    pictures.extend((1..=20).map(|n| {
        (
            format!("number {n}"),
            meeple(Figure::Plain, Some(n), Pose::Ready),
        )
    }));
    pictures.extend(Icon::ALL.iter().map(|&icon| {
        let badge = Badge {
            icon,
            tone: Tone::Bad,
        };
        (format!("badge {icon:?}"), tokens::badge(badge, 41))
    }));
    pictures.push((
        "down".to_owned(),
        meeple(Figure::Plain, Some(1), Pose::Down),
    ));
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
fn chips_show_who_is_done() {
    let hero = |done| {
        tokens::chip(
            Chip::Hero {
                role: Role::Bow,
                colour: palette::GREEN,
                done,
            },
            32,
        )
    };
    let meeple = |done| {
        let chip = Chip::Meeple {
            figure: Figure::Ears,
            colour: palette::VERMILION,
            number: Some(2),
            done,
        };
        tokens::chip(chip, 32)
    };
    assert_ne!(hero(false), hero(true));
    assert_ne!(meeple(false), meeple(true));
}

#[test]
fn a_health_bar_is_never_wrongly_full_or_empty() {
    let filled = |share: f32| {
        let bar = tokens::health_bar(share, false, 1, 48);
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
