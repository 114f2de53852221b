//! Icons, tokens, marks and bursts: distinguishable and complete.

use super::*;
use fivefoot::content::{Burst, Content, Creature};
use fivefoot::ui::Session;
use fivefoot::ui::art::bursts::{burst, clash, dust, great_impact, impact, jolt, stroke, whiff};
use fivefoot::ui::art::file_errors;
use fivefoot::ui::art::portrait::{Back, Face, Garb, Hair, Hat, portrait};
use fivefoot::ui::portraits;
use fivefoot::ui::shown::{UnitView, corner_in_cell, rank};
use fivefoot::{
    battle::{Side, State},
    control::{Player, recording::SideController},
    levels, rulesets,
};
use std::sync::Arc;
use tiny_skia::PremultipliedColorU8;

#[test]
fn all_svg_files_can_be_drawn() {
    assert_eq!(file_errors(), Vec::<String>::new());
    // Of these, single shapes are asked for by their ids.
    for (face, hat) in [(Face::Human, Hat::Hood), (Face::Ogre, Hat::Coif)] {
        let of = Portrait {
            face,
            hat,
            ..Portrait::default()
        };
        portrait(of, 48, false);
    }
}

#[test]
fn icons_differ_at_their_smallest_size() {
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
fn tokens_differ_without_colour() {
    let stood = |base, of, number, pose| tokens::token(piece(base, of, number, pose), 32);
    let plain = |number, pose| stood(Base::Hexagon, Portrait::default(), number, pose);
    let mut pictures: Vec<(String, Pixmap)> = Vec::new();
    let kinds = creatures();
    pictures.extend(kinds.map(|creature| {
        let of = portraits::of(&creature);
        (
            creature.id.clone(),
            stood(Base::Hexagon, of, None, Pose::Ready),
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

/// The label of a token is also a picture of its own, in the same place.
#[test]
fn a_label_is_drawn_where_the_token_has_it() {
    for corner in [None, Some((-1, -1)), Some((1, 1))] {
        let numbered = |number| Token {
            corner,
            ..piece(Base::Hexagon, goblin(), number, Pose::Ready)
        };
        let [plain, whole] = [None, Some(2)].map(|n| tokens::token(numbered(n), 46));
        let label = tokens::label(numbered(Some(2)), 46);
        let pixels = plain.pixels().iter().zip(whole.pixels());
        for ((plain, whole), label) in pixels.zip(label.pixels()) {
            assert!(label.alpha() > 0 || plain == whole, "{corner:?}");
        }
    }
}

/// In lists, too, a leader is told by its crown or banner; a common unit carries nothing there.
#[test]
fn chips_show_leaders() {
    let shown = |hand| {
        let chip = Chip {
            base: Base::Hexagon,
            portrait: Portrait { hand, ..goblin() },
            label: None,
            state: ChipState::Ready,
        };
        greys(&tokens::chip(chip, 22))
    };
    let common = shown(Hand::None);
    assert_eq!(shown(Hand::Spear), common);
    for hand in [Hand::Chief, Hand::Banner] {
        let unlike = unlike(&shown(hand), &common, 0.15);
        assert!(unlike >= 20, "{hand:?}: {unlike} pixels");
    }
}

/// At the size of small badges, cover does not look like a defense.
#[test]
fn cover_is_no_shield() {
    for cover in [Cover::Half, Cover::Full].map(|cover| greys(&cover_badge(cover, 20))) {
        for icon in [Icon::Defend, Icon::TotalDefense] {
            let tone = Tone::Mixed;
            let defense = greys(&tokens::badge(Badge { icon, tone }, 20));
            let unlike = unlike(&cover, &defense, 0.3);
            assert!(unlike >= 25, "{icon:?}: {unlike} pixels");
        }
    }
}

#[test]
fn chips_show_which_units_are_done_or_fallen() {
    for base in Base::ALL {
        let shown = |state| {
            let chip = Chip {
                base,
                portrait: goblin(),
                label: Some(2u32.into()),
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

/// Shape and pattern of the base show the side without colour: on the board and in lists,
/// for standing, fallen and planned units of every size.
#[test]
fn sides_differ_without_colour() {
    for portrait in [Portrait::default(), goblin()] {
        for pose in Pose::ALL {
            for (px, cells) in [(16, 1), (24, 1), (46, 1), (24, 2)] {
                let shown = Base::ALL.map(|base| {
                    let token = Token {
                        cells,
                        ..piece(base, portrait, None, pose)
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
                    portrait,
                    label: None,
                    state: ChipState::Ready,
                };
                tokens::chip(chip, px)
            });
            apart(&shown, &format!("chip of {px}"));
        }
    }
}

/// Asserts that the covered areas of all pictures differ from each other.
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

/// All built-in creatures.
fn creatures() -> impl Iterator<Item = Arc<Creature>> {
    Content::built_in().creatures.values().cloned()
}

fn goblin() -> Portrait {
    Portrait {
        face: Face::Goblin,
        ..Portrait::default()
    }
}

/// Every creature has a distinct portrait that fills its picture, at the smallest and the
/// largest size in use.
#[test]
fn portraits_differ_without_colour() {
    for px in [22, 56] {
        let shown: Vec<(String, Vec<f32>)> = creatures()
            .map(|creature| {
                let picture = portrait(portraits::of(&creature), px, false);
                (creature.id.clone(), greys(&picture))
            })
            .collect();
        assert!(shown.len() > 30);
        for (n, (name, one)) in shown.iter().enumerate() {
            for (other_name, other) in &shown[..n] {
                let unlike = unlike(one, other, 0.15);
                let least = (px * px) as usize / 60;
                assert!(unlike > least, "{name} and {other_name} at {px}: {unlike}");
            }
        }
    }
}

#[test]
fn an_authors_own_creature_gets_a_sensible_portrait() {
    let base = creatures().find(|c| c.id == "goblin_archer").expect("it");
    let own = |id: &str, title: &str| {
        portraits::of(&Creature {
            id: id.into(),
            title: title.into(),
            root: None,
            ..(*base).clone()
        })
    };
    assert_eq!(own("cave_rat", "pest").face, Face::Rat);
    assert_eq!(own("werewolf", "hunter").face, Face::Wolf);
    assert_eq!(own("old_knight", "undead").face, Face::Zombie);
    let pirate = own("pirate", "archer");
    assert!(matches!(pirate.face, Face::Human | Face::Soft));
    assert_eq!((pirate.hat, pirate.back), (Hat::Hood, Back::Quiver));
    assert_eq!(pirate.garb, Garb::Leather);
}

/// A kind that is like another has its face, and no human has the head of another kind in the
/// battle.
#[test]
fn units_of_different_kinds_have_different_heads() {
    let text = r#"(
        title: "Heads",
        map: ["........", "........"],
        kinds: (creatures: {
            "bold": (like: "goblin"),
            "bolder": (like: "bold"),
            "bold_straggler": (like: "bandit"),
            "porter": (like: "bandit"),
            "cook": (like: "bandit"),
            "picker": (like: "bandit"),
            "squire": (like: "bandit"),
        }),
        sides: [(id: "party"), (id: "foes")],
        combatants: [
            (kind: "mara", side: "party", at: (0, 0)),
            (kind: "bold_straggler", side: "party", at: (1, 0)),
            (kind: "porter", side: "foes", at: (3, 0)),
            (kind: "cook", side: "foes", at: [(4, 0), (4, 1)]),
            (kind: "picker", side: "foes", at: (5, 0)),
            (kind: "squire", side: "foes", at: (5, 1)),
            (kind: "bolder", side: "foes", at: (6, 0)),
        ],
    )"#;
    let units = UnitView::all_of(&fivefoot_kit::level(text), rulesets::ALL[0]);
    let goblin = units.iter().find(|p| p.kind == "bolder").expect("it");
    assert_eq!(goblin.portrait.face, Face::Goblin);
    let head = |p: &UnitView| {
        // A braid looks like long hair.
        let hair = match p.portrait.hair {
            Hair::Braid => Hair::Long,
            hair => hair,
        };
        (p.portrait.face, hair, p.portrait.beard, p.portrait.tint)
    };
    for (n, one) in units.iter().enumerate() {
        for other in &units[..n] {
            let is_one_kind = one.kind == other.kind;
            assert_eq!(
                head(one) == head(other),
                is_one_kind,
                "{} {}",
                one.name,
                other.name
            );
        }
    }
}

fn piece(base: Base, portrait: Portrait, number: Option<u32>, pose: Pose) -> Token {
    Token {
        base,
        portrait,
        label: number.map(Into::into),
        pose,
        cells: 1,
        corner: None,
    }
}

fn unlike(one: &[f32], other: &[f32], least: f32) -> usize {
    let pairs = one.iter().zip(other);
    pairs.filter(|(a, b)| (*a - *b).abs() > least).count()
}

/// A fallen unit that shares its cell is drawn inside the cell: beside it, it would seem to lie in the
/// next one.
#[test]
fn fallen_units_that_share_a_cell_stay_inside_it() {
    for base in Base::ALL {
        for corner in [(-1, 1), (1, 1), (-1, -1), (1, -1)] {
            let down = Token {
                corner: Some(corner),
                ..piece(base, goblin(), Some(2), Pose::Down)
            };
            let drawn = tokens::token(down, 46);
            let wide = drawn.width() as usize;
            let beyond = |n: usize| (n as f32 + 0.5 - wide as f32 / 2.0).abs() > 23.0;
            let pixels = drawn.pixels().iter().enumerate();
            let seen = pixels.filter(|(_, pixel)| pixel.alpha() > 40);
            let mut outside = seen.filter(|(n, _)| beyond(n % wide) || beyond(n / wide));
            assert!(outside.next().is_none(), "{base:?} at {corner:?}");
        }
    }
}

/// Bodies that share a cell are smaller than standing units there, and have no number.
#[test]
fn fallen_units_that_share_a_cell_are_small_and_plain() {
    let shared = Some((-1, 1));
    let size = |pose| tokens::frame(pose, shared).0;
    assert!(size(Pose::Down) < size(Pose::Ready));
    let drawn = |number, corner| {
        let fallen = piece(Base::Round, goblin(), number, Pose::Down);
        tokens::token(Token { corner, ..fallen }, 46)
    };
    assert!(drawn(Some(2), shared).data() == drawn(None, shared).data());
    assert!(drawn(Some(2), None).data() != drawn(None, None).data());
}

/// Three fallen units lie in one cell under a standing unit, one lies alone, one lies under
/// a large unit.
#[test]
fn fallen_units_in_a_cell_lie_in_its_lower_corners() {
    let level = levels::default_level();
    let mut units = UnitView::all_of(&level, rulesets::ALL[0]);
    units.truncate(6);
    for (n, unit) in units.iter_mut().enumerate() {
        (unit.at, unit.size) = (Cell::new(3, 3), 1);
        unit.state = if n == 0 { State::Up } else { State::Down };
    }
    units[4].at = Cell::new(8, 8);
    units[5].at = Cell::new(9, 9);
    let corners = |units: &[UnitView]| -> Vec<Option<(i8, i8)>> {
        units
            .iter()
            .map(|unit| corner_in_cell(units, unit))
            .collect()
    };
    let found = corners(&units);
    assert_eq!((found[0], found[4], found[5]), (None, None, None));
    // Two corners are left beside the hit points.
    let (west, east) = (Some((-1, 1)), Some((1, 1)));
    assert_eq!(found[1..4], [west, east, east]);
    // Without a unit above them, the first is drawn in full.
    units[0].state = State::Fled;
    assert_eq!(corners(&units)[1..4], [None, west, east]);
    // The death of a leader is not hidden.
    units[3].is_key = true;
    assert_eq!(corners(&units)[1..4], [west, east, None]);
    units[3].is_key = false;
    // Under a large unit: in the corner on the fallen unit's side.
    (units[0].state, units[0].at, units[0].size) = (State::Up, Cell::new(8, 8), 2);
    let found = corners(&units);
    assert_eq!(found[5], Some((1, 1)));
    assert!(found[4].is_some_and(|c| c != (1, 1)), "{found:?}");
}

/// PH-52: allies can share a cell. Each is drawn in its own corner, and so are fallen units there.
#[test]
fn each_standing_unit_in_a_cell_has_its_own_corner() {
    let level = levels::default_level();
    let mut units = UnitView::all_of(&level, rulesets::ALL[0]);
    units.truncate(5);
    for unit in &mut units {
        (unit.at, unit.size, unit.state) = (Cell::new(3, 3), 1, State::Up);
    }
    units[3].state = State::Down;
    units[4].at = Cell::new(4, 3);
    let corners = |units: &[UnitView]| -> Vec<Option<(i8, i8)>> {
        units
            .iter()
            .map(|unit| corner_in_cell(units, unit))
            .collect()
    };
    let found = corners(&units);
    let mut own: Vec<(i8, i8)> = found[..4].iter().flatten().copied().collect();
    own.sort_unstable();
    own.dedup();
    assert_eq!((own.len(), found[4]), (4, None), "{found:?}");
    // Two lie across from each other, so that the hit points of one don't cover the other.
    units[2].at = Cell::new(9, 9);
    let found = corners(&units);
    assert_eq!(found[..3], [Some((-1, -1)), Some((1, 1)), None]);
    // In a cell of a large unit: in the outer corner, and the large unit is drawn in full.
    (units[4].at, units[4].size) = (Cell::new(8, 8), 2);
    let found = corners(&units);
    assert_eq!((found[2], found[4]), (Some((1, 1)), None));
}

/// Two standing units in one cell hide little of each other.
#[test]
fn units_that_share_a_cell_are_all_visible() {
    for base in Base::ALL {
        let shown = |corner| {
            let token = Token {
                corner: Some(corner),
                ..piece(base, goblin(), Some(2), Pose::Ready)
            };
            tokens::token(token, 46)
        };
        let (one, other) = (shown((-1, -1)), shown((1, 1)));
        let (one, other) = (covers(&one), covers(&other));
        let both: f32 = one.iter().zip(&other).map(|(a, b)| a.min(*b)).sum();
        let whole: f32 = one.iter().sum();
        assert!(both < 0.1 * whole, "{base:?}: {both} of {whole} pixels");
    }
}

/// The hit points of the unit in the upper left corner of a cell do not cover the number of the one
/// in the lower right corner.
#[test]
fn the_number_of_a_unit_that_shares_a_cell_is_clear_of_hit_points() {
    let (size, (middle, _)) = tokens::frame(Pose::Ready, Some((-1, -1)));
    let bar_end = middle + 0.41 * size;
    for base in Base::ALL {
        let drawn = |number| {
            let token = Token {
                corner: Some((1, 1)),
                ..piece(base, goblin(), number, Pose::Ready)
            };
            tokens::token(token, 46)
        };
        let (plain, numbered) = (drawn(None), drawn(Some(2)));
        let wide = plain.width() as usize;
        let pixels = plain.pixels().iter().zip(numbered.pixels()).enumerate();
        let changed = pixels.filter(|(_, (one, other))| one != other);
        let west = changed.map(|(n, _)| n % wide).min().expect("a number");
        let west = (west as f32 - wide as f32 / 2.0) / 46.0;
        assert!(west > bar_end, "{base:?}: {west}, {bar_end}");
    }
}

#[test]
fn the_players_own_side_comes_first() {
    let ranks = |own: u8| [0, 1, 2, 3].map(|side| rank(Side(side), Side(own)));
    assert_eq!(ranks(0), [0, 1, 2, 3]);
    assert_eq!(ranks(1), [1, 0, 2, 3]);
    assert_eq!(ranks(3), [1, 2, 3, 0]);
    // A side that an AI controls instead of a player looks like an enemy side.
    let controllers = vec![SideController::Ai(Player::Idle), SideController::Human];
    let session =
        Session::with_controllers(&levels::default_level(), rulesets::ALL[0], 1, controllers);
    for unit in &session.shown().units {
        assert_eq!(unit.rank == 0, unit.side == session.player());
    }
}

fn health(now: i32, most: i32) -> Health {
    Health {
        now,
        lost: 0,
        most,
        is_own: true,
    }
}

/// What a hit takes is seen in white beside what is left.
#[test]
fn a_health_bar_shows_what_was_just_lost() {
    let hurt = Health {
        lost: 65,
        ..health(25, 100)
    };
    for (health, ink) in [
        (hurt, palette::WHITE),
        (health(25, 100), palette::HEALTH_EMPTY),
        (health(90, 100), palette::HEALTH),
    ] {
        let bar = tokens::health_bar(health, 1, 120, 1.0);
        // Beside the number, which is in the middle.
        let pixel = bar.pixel(bar.width() * 8 / 10, bar.height() / 2);
        let pixel = pixel.expect("a pixel of the bar");
        assert_eq!([pixel.red(), pixel.green(), pixel.blue()], ink.bytes());
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

#[test]
fn a_health_bar_keeps_the_colour_of_its_side_at_low_hit_points() {
    for (is_own, colour) in [(true, palette::HEALTH), (false, palette::HEALTH_ENEMY)] {
        for now in [3, 6, 10] {
            let health = Health {
                is_own,
                ..health(now, 10)
            };
            let bar = tokens::health_bar(health, 1, 24, 1.0);
            let left = bar.pixel(2, bar.height() / 2).expect("a pixel of the bar");
            let seen = [left.red(), left.green(), left.blue()];
            assert_eq!(seen, colour.bytes(), "{now} of 10");
        }
    }
}

/// At the size of a cell in the smallest window, and larger; also while units share a cell.
#[test]
fn hit_points_are_written_on_the_health_bar() {
    let white = |now: i32, px: u32, layout: f32| {
        let bar = tokens::health_bar(health(now, 120), 1, px, layout);
        let is_light = |p: &&tiny_skia::PremultipliedColorU8| p.red().min(p.green()) > 200;
        (bar.pixels().iter().filter(is_light).count(), bar.height())
    };
    let shared = tokens::frame(Pose::Ready, Some((1, 1))).0;
    for (px, layout) in [(36, 1.0), (46, 1.0), (72, 1.5), (92, 2.0), (120, 1.0)] {
        let (light, high) = white(24, tokens::bar_px(px, shared, layout), layout);
        assert!(light > 5, "{light} pixels in a shared cell of {px}");
        assert!(high as f32 >= 8.6 * layout, "{high} pixels high at {px}");
        for now in [1, 8, 24, 107] {
            let (light, high) = white(now, px, layout);
            assert!(light > 5, "{now} in cells of {px}: {light} pixels");
            assert!(high as f32 >= 8.6 * layout, "{high} pixels high at {px}");
        }
    }
    // Too small to read: only a bar.
    assert_eq!(white(24, 20, 1.0).0, 0);
    assert_eq!(white(24, 46, 2.0).0, 0);
}

#[test]
fn a_path_is_marked_from_start_to_end() {
    assert!(marks::path(&[], 1, 40).is_none());
    let at = |path: &fivefoot::ui::art::board::Picture, x: f32| {
        let (px, py) = ((x * 40.0) as i32 - path.left, 20 - path.top);
        let pixel = path
            .pixmap
            .pixel(px as u32, py as u32)
            .expect("on the path");
        (pixel.alpha(), Rgb(pixel.red(), pixel.green(), pixel.blue()))
    };
    let path = marks::path(&[(0.5, 0.5), (1.5, 0.5), (2.5, 0.5)], 1, 40).expect("a path");
    assert_eq!(at(&path, 1.5), (255, palette::INK), "a dot at the step");
    assert_eq!(at(&path, 2.5).0, 0, "the ring at the end is open");
    let only = marks::path(&[(0.5, 0.5)], 1, 40).expect("a ring");
    assert!(only.pixmap.width() < 60);
}

/// The expected way of a unit is drawn around a corner, not across it.
#[test]
fn a_dotted_way_follows_its_steps() {
    assert!(marks::dotted(&[(0.5, 0.5)], palette::INK, 40).is_none());
    let steps = [(0.5, 0.5), (3.5, 0.5), (3.5, 3.5)];
    let way = marks::dotted(&steps, palette::INK, 40).expect("a way");
    // How much is drawn in a cell.
    let drawn = |x: i32, y: i32| {
        let pixels = (0..40 * 40).filter(|n| {
            let at = (x * 40 + n % 40 - way.left, y * 40 + n / 40 - way.top);
            let (Ok(x), Ok(y)) = (u32::try_from(at.0), u32::try_from(at.1)) else {
                return false;
            };
            way.pixmap.pixel(x, y).is_some_and(|p| p.alpha() > 128)
        });
        pixels.count()
    };
    assert!(drawn(2, 0) > 50 && drawn(3, 1) > 50);
    assert_eq!((drawn(1, 1), drawn(2, 2)), (0, 0));
}

#[test]
fn marks_are_drawn_in_the_right_cells() {
    let strip = marks::dots(palette::TEAL, 40);
    let inked = strip.pixels().iter().filter(|p| p.alpha() > 200).count();
    assert!(strip.width() >= 40 * 40 && inked > 2000, "{inked}");
    assert!(marks::area(&[], palette::DANGER, 40).is_none());
    let cells = [Cell::new(2, 1), Cell::new(3, 1)];
    let area = marks::area(&cells, palette::DANGER, 40).expect("two cells");
    let alpha = |x: i32, y: i32| {
        area.pixmap
            .pixel((x - area.left) as u32, (y - area.top) as u32)
            .map(|p| p.alpha())
    };
    assert!(alpha(80, 60) > Some(200), "a line on the western side");
    assert_eq!(alpha(120, 60), alpha(100, 60), "none between the two");
    assert!(marks::aim(&[], 40).is_none());
    let aim = marks::aim(&cells, 40).expect("two cells");
    let alpha = |x: i32, y: i32| {
        let pixel = aim
            .pixmap
            .pixel((x - aim.left) as u32, (y - aim.top) as u32);
        pixel.map(|p| p.alpha())
    };
    assert!(alpha(100, 60) > Some(150), "a dot in the middle");
    assert_eq!(alpha(90, 50), Some(0), "no tint, which moves have");
    let (plain, extra) = (
        marks::reach(Reach::Plain, 40),
        marks::reach(Reach::Extra, 40),
    );
    let tinted = |reach: &Pixmap| reach.pixels().iter().filter(|p| p.alpha() > 0).count();
    assert_eq!(tinted(&plain), 38 * 38);
    assert_eq!(tinted(&extra), 32 * 32, "the Main is smaller");
    let middle = extra.pixel(20, 20);
    let is_plain = |pixel: &PremultipliedColorU8| pixel.alpha() == 0 || Some(*pixel) == middle;
    assert!(extra.pixels().iter().all(is_plain), "it is not hatched");
    assert!(
        plain.pixel(20, 20).is_some_and(|pixel| pixel.alpha() == 51),
        "a fifth"
    );
}

#[test]
fn every_burst_fits_its_picture_and_is_unique() {
    let all = Burst::ALL.map(|kind| burst(kind, 64));
    let great = great_impact(64);
    let more = [impact(64), great, jolt(64), whiff(64), clash(64), dust(64)];
    let all = Vec::from_iter(all.into_iter().chain(more));
    for (n, one) in all.iter().enumerate() {
        let pixels = one.pixels();
        let strong = pixels.iter().filter(|p| p.alpha() > 200).count();
        assert!(strong > 120, "{n}: {strong}");
        let edge = |i: usize| i / 64 == 0 || i / 64 == 63 || i.is_multiple_of(64) || i % 64 == 63;
        let spills = |(i, p): (usize, &PremultipliedColorU8)| edge(i) && p.alpha() > 128;
        assert!(!pixels.iter().enumerate().any(spills), "{n} is cut off");
        for (m, other) in all.iter().enumerate().skip(n + 1) {
            // Compare where there is ink, whatever its colour.
            let differs = |(a, b): (&PremultipliedColorU8, _)| {
                let b: &PremultipliedColorU8 = b;
                (a.alpha() > 128) != (b.alpha() > 128)
            };
            let apart = pixels.iter().zip(other.pixels()).filter(|&p| differs(p));
            assert!(apart.count() > 150, "{n} and {m}");
        }
    }
}

#[test]
fn every_kind_of_spell_has_its_own_stroke() {
    let all = Burst::ALL.map(|kind| stroke(kind, 3.0, 48));
    for (n, one) in all.iter().enumerate() {
        let strong = one.pixels().iter().filter(|p| p.alpha() > 200).count();
        assert!(strong > 200, "{n}: {strong}");
        assert!(
            all[n + 1..].iter().all(|other| other.data() != one.data()),
            "{n}"
        );
    }
}
