//! The ink drawing of the title screen: four heroes on the road to a toll gate at dusk.

use super::{
    canvas::{DrawnShape, Point, Sheet},
    lettering::{Typeface, centred},
    noise::Scatter,
    palette::{self, Rgb},
    smooth_step,
};
use tiny_skia::Pixmap;

/// Width and height in drawing units.
pub const SIZE: Point = (240.0, 230.0);

/// Where the ground meets the sky.
const HORIZON: f32 = 142.0;

/// Draws the vignette with `unit` pixels per drawing unit. Its edges fade out.
pub fn vignette(unit: f32) -> Pixmap {
    let px = |units: f32| (units * unit).round().max(1.0) as u32;
    let mut sheet = Sheet::new(px(SIZE.0), px(SIZE.1), unit);
    sky(&mut sheet);
    moor(&mut sheet);
    road(&mut sheet);
    tree(&mut sheet);
    house(&mut sheet);
    gate(&mut sheet);
    for (at, who) in [
        ((104.0, 190.0), Hero::Archer),
        ((160.0, 192.0), Hero::Shieldman),
        ((84.0, 204.0), Hero::Mage),
        ((134.0, 208.0), Hero::Warden),
    ] {
        hero(&mut sheet, at, who);
    }
    fade(&mut sheet.pixmap);
    sheet.pixmap
}

fn line(sheet: &mut Sheet, points: &[Point], width: f32) {
    sheet.stroke_line(points, width, palette::INK.solid());
}

/// Fills a polygon and draws its outline.
fn solid(sheet: &mut Sheet, points: &[Point], ink: Rgb) {
    let shape = DrawnShape::polygon(points);
    sheet.fill(&shape, ink.solid());
    sheet.stroke(&shape, 1.1, palette::INK.solid());
}

/// A rectangle with its outline, from its left, top, right and bottom.
fn block(sheet: &mut Sheet, [left, top, right, bottom]: [f32; 4], ink: Rgb) {
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    solid(sheet, &corners, ink);
}

/// The setting sun, and strokes of cloud that get closer towards the horizon.
fn sky(sheet: &mut Sheet) {
    let dusk = palette::OCHRE.mix(palette::PAPER, 0.35);
    for n in 0..9 {
        let top = 40.0 + 12.0 * n as f32;
        sheet.fill_rect(0.0, top, SIZE.0, HORIZON - top, dusk.alpha(0.07));
    }
    let sun = DrawnShape::circle(142.0, HORIZON - 6.0, 15.0);
    sheet.fill(&sun, palette::CARD_ACTIVE.solid());
    sheet.stroke(&sun, 0.9, palette::INK.alpha(0.7));
    for n in 0..13 {
        let turn = (180.0 + 15.0 * n as f32).to_radians();
        let at = |far: f32| {
            let (y, x) = turn.sin_cos();
            (142.0 + far * x, HORIZON - 6.0 + far * y)
        };
        let ray = DrawnShape::polyline(&[at(20.0), at(26.0 + 5.0 * (n % 3) as f32)]);
        sheet.stroke(&ray, 0.7, palette::INK.alpha(0.45));
    }
    let mut noise = Scatter::new(&[11, 3]);
    for n in 0..44 {
        let y = 12.0 + 2.9 * n as f32;
        let x = noise.between(-20.0, 190.0);
        let long = noise.between(20.0, 70.0);
        let sag = noise.between(-1.4, 1.4);
        let stroke = DrawnShape::of(|pen| {
            pen.move_to(x, y);
            pen.quad_to(x + long / 2.0, y + sag, x + long, y);
        });
        sheet.stroke(&stroke, 0.6, palette::INK.alpha(0.16));
    }
    for (x, y) in [(70.0, 52.0), (82.0, 46.0), (90.0, 57.0), (204.0, 40.0)] {
        let bird = DrawnShape::of(|pen| {
            pen.move_to(x - 4.0, y - 1.5);
            pen.quad_to(x - 1.5, y - 3.0, x, y);
            pen.quad_to(x + 1.5, y - 3.0, x + 4.0, y - 1.5);
        });
        sheet.stroke(&bird, 0.9, palette::INK.alpha(0.8));
    }
}

/// Hills on the horizon, and the hatched ground with tufts of grass.
fn moor(sheet: &mut Sheet) {
    for (from, rise, ink) in [
        (-20.0, 16.0, palette::STONE_DARK),
        (70.0, 11.0, palette::STONE),
        (150.0, 18.0, palette::STONE_DARK),
    ] {
        let hill = DrawnShape::of(|pen| {
            pen.move_to(from, HORIZON);
            pen.cubic_to(
                from + 30.0,
                HORIZON - rise,
                from + 75.0,
                HORIZON - rise,
                from + 110.0,
                HORIZON,
            );
        });
        sheet.fill(&hill, ink.solid());
        sheet.stroke(&hill, 0.9, palette::INK.alpha(0.7));
    }
    let ground = DrawnShape::rect(0.0, HORIZON, SIZE.0, SIZE.1 - HORIZON);
    sheet.fill(&ground, palette::ROCK.mix(palette::OAK, 0.22).solid());
    line(sheet, &[(0.0, HORIZON), (SIZE.0, HORIZON)], 0.9);
    let mut noise = Scatter::new(&[5, 8]);
    for _ in 0..260 {
        let x = noise.between(0.0, SIZE.0);
        let y = noise.between(HORIZON + 3.0, SIZE.1);
        let long = noise.between(4.0, 12.0);
        sheet.stroke_line(&[(x, y), (x + long, y + 0.8)], 0.6, palette::INK.alpha(0.3));
    }
    for _ in 0..46 {
        let x = noise.between(4.0, SIZE.0 - 4.0);
        let y = noise.between(HORIZON + 8.0, SIZE.1 - 4.0);
        let size = 0.5 + (y - HORIZON) / 110.0;
        for lean in [-3.0, -1.0, 1.0, 3.0] {
            let blade = DrawnShape::polyline(&[(x, y), (x + lean * size, y - 6.0 * size)]);
            sheet.stroke(&blade, 0.8, palette::INK.alpha(0.65));
        }
    }
}

fn road(sheet: &mut Sheet) {
    let road = DrawnShape::of(|pen| {
        pen.move_to(132.0, HORIZON + 4.0);
        pen.cubic_to(126.0, 168.0, 88.0, 190.0, 52.0, SIZE.1);
        pen.line_to(196.0, SIZE.1);
        pen.cubic_to(176.0, 190.0, 156.0, 168.0, 154.0, HORIZON + 4.0);
        pen.close();
    });
    sheet.fill(&road, palette::FLOOR.mix(palette::OCHRE, 0.16).solid());
    sheet.stroke(&road, 1.1, palette::INK.alpha(0.75));
    let mut noise = Scatter::new(&[2, 9]);
    for n in 0..16 {
        let y = 152.0 + 4.8 * n as f32;
        let x = 140.0 + noise.between(-0.5, 0.5) * (y - HORIZON);
        let rut = DrawnShape::polyline(&[(x, y), (x + noise.between(4.0, 11.0), y + 1.0)]);
        sheet.stroke(&rut, 0.6, palette::INK.alpha(0.35));
    }
}

/// A bare tree.
fn tree(sheet: &mut Sheet) {
    fn branch(sheet: &mut Sheet, from: Point, turn: f32, long: f32, width: f32) {
        let to = (
            from.0 + long * turn.to_radians().cos(),
            from.1 - long * turn.to_radians().sin(),
        );
        line(sheet, &[from, to], width);
        if long > 5.0 {
            branch(sheet, to, turn + 27.0, long * 0.72, width * 0.66);
            branch(sheet, to, turn - 23.0, long * 0.68, width * 0.62);
        }
    }
    solid(
        sheet,
        &[(38.0, 178.0), (42.0, 150.0), (46.0, 150.0), (51.0, 178.0)],
        palette::INK,
    );
    branch(sheet, (44.0, 152.0), 96.0, 19.0, 3.6);
}

/// The gate-keeper's house, with a lit window.
fn house(sheet: &mut Sheet) {
    block(sheet, [214.0, 66.0, 222.0, 92.0], palette::STONE_DARK);
    let smoke = DrawnShape::of(|pen| {
        pen.move_to(218.0, 63.0);
        pen.cubic_to(212.0, 52.0, 225.0, 46.0, 219.0, 30.0);
    });
    sheet.stroke(&smoke, 0.9, palette::INK.alpha(0.4));
    block(sheet, [178.0, 112.0, 232.0, 152.0], palette::STONE);
    solid(
        sheet,
        &[(170.0, 114.0), (184.0, 82.0), (228.0, 82.0), (240.0, 114.0)],
        palette::OAK_DARK,
    );
    for n in 0..9 {
        let x = 182.0 + 6.0 * n as f32;
        let tile = DrawnShape::polyline(&[(x, 84.0), (x - 5.0 + n as f32 * 1.1, 112.0)]);
        sheet.stroke(&tile, 0.6, palette::INK.alpha(0.5));
    }
    block(
        sheet,
        [196.0, 122.0, 210.0, 138.0],
        palette::GOLD.mix(palette::CARD_ACTIVE, 0.45),
    );
    line(sheet, &[(203.0, 122.0), (203.0, 138.0)], 0.9);
    line(sheet, &[(196.0, 130.0), (210.0, 130.0)], 0.9);
}

/// Two stone posts with a beam, a sign, a flag, and a striped bar across the road.
fn gate(sheet: &mut Sheet) {
    for left in [112.0, 158.0] {
        solid(
            sheet,
            &[
                (left, 80.0),
                (left + 15.0, 80.0),
                (left + 16.0, 154.0),
                (left - 1.0, 154.0),
            ],
            palette::STONE,
        );
        for row in 0..8 {
            let y = 89.0 + 9.0 * row as f32;
            line(sheet, &[(left, y), (left + 15.0, y)], 0.7);
            let x = left + if row % 2 == 0 { 5.0 } else { 10.0 };
            line(sheet, &[(x, y - 9.0), (x, y)], 0.7);
        }
    }
    block(sheet, [104.0, 71.0, 181.0, 80.0], palette::OAK_DARK);
    line(sheet, &[(130.0, 80.0), (130.0, 86.0)], 0.9);
    line(sheet, &[(155.0, 80.0), (155.0, 86.0)], 0.9);
    block(sheet, [127.5, 86.0, 158.0, 97.0], palette::STONE_LIGHT);
    let sign = centred(Typeface::Bold, "TOLL", 9.0, 142.8, 91.5);
    sheet.fill(&sign, palette::INK.solid());
    line(sheet, &[(121.0, 71.0), (121.0, 44.0)], 1.3);
    solid(
        sheet,
        &[
            (121.0, 45.0),
            (100.0, 47.0),
            (106.0, 52.0),
            (99.0, 58.0),
            (121.0, 58.0),
        ],
        palette::VERMILION,
    );
    let bar = DrawnShape::polyline(&[(126.0, 133.0), (172.0, 127.0)]);
    sheet.stroke(&bar, 4.4, palette::INK.solid());
    sheet.stroke(&bar, 3.0, palette::CARD_ACTIVE.solid());
    sheet.dash(&bar, 3.0, palette::DANGER.solid(), &[5.0, 5.0]);
    for x in [134.0, 151.0] {
        goblin(sheet, (x, 147.0));
    }
}

/// A goblin behind the bar, with large ears and a spear.
fn goblin(sheet: &mut Sheet, (x, y): Point) {
    line(sheet, &[(x + 5.5, y + 4.0), (x + 5.5, y - 22.0)], 0.9);
    solid(
        sheet,
        &[
            (x - 4.0, y - 9.0),
            (x + 4.0, y - 9.0),
            (x + 5.0, y + 4.0),
            (x - 5.0, y + 4.0),
        ],
        palette::BROWN,
    );
    let skin = palette::OLIVE.mix(palette::INK, 0.35);
    solid(
        sheet,
        &[
            (x - 8.0, y - 15.0),
            (x - 3.0, y - 16.5),
            (x + 3.0, y - 16.5),
            (x + 8.0, y - 15.0),
            (x + 3.0, y - 9.5),
            (x - 3.0, y - 9.5),
        ],
        skin,
    );
    for eye in [-1.6, 1.6] {
        sheet.fill_circle(x + eye, y - 13.2, 0.7, palette::GOLD.solid());
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hero {
    Warden,
    Shieldman,
    Archer,
    Mage,
}

/// A hero from behind, in a cloak, with a weapon.
fn hero(sheet: &mut Sheet, (x, y): Point, who: Hero) {
    let shade = DrawnShape::polygon(&[
        (x - 6.0, y + 1.0),
        (x + 6.0, y + 1.0),
        (x - 8.0, y + 13.0),
        (x - 16.0, y + 11.0),
    ]);
    sheet.fill(&shade, palette::INK.alpha(0.22));
    weapon(sheet, (x, y), who);
    for leg in [-3.2, 3.2] {
        line(sheet, &[(x + leg, y - 6.0), (x + leg, y + 2.0)], 2.6);
    }
    let (cloak, head) = match who {
        Hero::Warden => (palette::BLUE, palette::OAK_DARK),
        Hero::Shieldman => (palette::BROWN, palette::STONE),
        Hero::Archer => (palette::GREEN, palette::GREEN.mix(palette::INK, 0.3)),
        Hero::Mage => (palette::PURPLE, palette::PURPLE.mix(palette::INK, 0.3)),
    };
    let body = DrawnShape::of(|pen| {
        pen.move_to(x - 4.5, y - 21.0);
        pen.line_to(x + 4.5, y - 21.0);
        pen.quad_to(x + 7.5, y - 12.0, x + 9.0, y - 2.0);
        pen.quad_to(x, y, x - 9.0, y - 2.0);
        pen.quad_to(x - 7.5, y - 12.0, x - 4.5, y - 21.0);
        pen.close();
    });
    sheet.fill(&body, cloak.mix(palette::INK, 0.18).solid());
    sheet.stroke(&body, 1.1, palette::INK.solid());
    for fold in [-4.0, 0.5, 4.5] {
        let fold = DrawnShape::polyline(&[(x + fold * 0.5, y - 17.0), (x + fold, y - 3.0)]);
        sheet.stroke(&fold, 0.6, palette::INK.alpha(0.7));
    }
    if who == Hero::Shieldman {
        let shield = DrawnShape::circle(x - 2.0, y - 12.0, 6.5);
        sheet.fill(&shield, palette::OAK.solid());
        sheet.stroke(&shield, 1.2, palette::INK.solid());
        sheet.fill_circle(x - 2.0, y - 12.0, 1.8, palette::INK.solid());
    }
    let hood = DrawnShape::circle(x, y - 24.5, 4.6);
    sheet.fill(&hood, head.solid());
    sheet.stroke(&hood, 1.0, palette::INK.solid());
}

/// A hero's sword, spear, bow or staff.
fn weapon(sheet: &mut Sheet, (x, y): Point, who: Hero) {
    match who {
        Hero::Warden => {
            line(sheet, &[(x + 7.0, y - 10.0), (x + 14.0, y - 1.0)], 1.6);
            line(sheet, &[(x + 6.0, y - 7.0), (x + 10.0, y - 11.0)], 1.2);
        }
        Hero::Shieldman => {
            line(sheet, &[(x + 10.0, y + 1.0), (x + 10.0, y - 34.0)], 1.4);
            let point = [
                (x + 10.0, y - 41.0),
                (x + 12.5, y - 34.0),
                (x + 7.5, y - 34.0),
            ];
            solid(sheet, &point, palette::STONE_LIGHT);
        }
        Hero::Archer => {
            let bow = DrawnShape::of(|pen| {
                pen.move_to(x + 8.0, y - 26.0);
                pen.quad_to(x + 16.0, y - 13.0, x + 8.0, y);
            });
            sheet.stroke(&bow, 1.4, palette::INK.solid());
            line(sheet, &[(x + 8.0, y - 26.0), (x + 8.0, y)], 0.6);
        }
        Hero::Mage => {
            line(sheet, &[(x + 10.0, y + 1.0), (x + 10.0, y - 32.0)], 1.4);
            let glow = DrawnShape::circle(x + 10.0, y - 34.0, 2.6);
            sheet.fill(&glow, palette::GOLD.solid());
            sheet.stroke(&glow, 0.8, palette::INK.solid());
        }
    }
}

/// The share of the picture in which its edges fade out.
const FADE: f32 = 0.2;

/// Thins the picture out towards its edges.
fn fade(pixmap: &mut Pixmap) {
    let (width, height) = (pixmap.width() as f32, pixmap.height() as f32);
    let ramp = |at: f32, size: f32| smooth_step((at / size).min(1.0 - at / size) / FADE);
    let row = pixmap.width() as usize;
    for (n, bytes) in pixmap.data_mut().chunks_exact_mut(4).enumerate() {
        let (x, y) = ((n % row) as f32 + 0.5, (n / row) as f32 + 0.5);
        let share = ramp(x, width) * ramp(y, height);
        for byte in bytes {
            *byte = (f32::from(*byte) * share).round() as u8;
        }
    }
}
