//! Items drawn in front of a figure on its token: large, so that the outline alone
//! distinguishes an archer from a guard.

use super::super::palette::{self, Rgb};
use super::pen::Pen;
use super::{Hand, Portrait};

const STEEL: Rgb = Rgb::hex(0xD6D6D0);
const WOOD: Rgb = Rgb::hex(0x9A6B3F);

pub fn draw(pen: &mut Pen, of: &Portrait) {
    match of.hand {
        Hand::None => {}
        Hand::Blade => {
            pen.form(
                "M 0.27 0.2 L 0.4 -0.3 L 0.455 -0.4 L 0.45 -0.28 L 0.32 0.22 Z",
                STEEL,
            );
            pen.form("M 0.2 0.15 L 0.38 0.2 L 0.37 0.25 L 0.19 0.2 Z", WOOD);
            pen.form("M 0.255 0.22 L 0.3 0.235 L 0.28 0.33 L 0.235 0.315 Z", WOOD);
        }
        Hand::Shield => {
            let cloth = of.cloth.mix(palette::PAPER, 0.1);
            pen.form("O 0.25 0.08 0.225", cloth);
            pen.form("O 0.25 0.08 0.155", cloth.mix(palette::WHITE, 0.45));
            pen.form("O 0.25 0.08 0.055", STEEL);
        }
        Hand::Bow => {
            pen.form(
                "M 0.2 -0.43 C 0.36 -0.36 0.5 -0.2 0.5 -0.04 C 0.5 0.12 0.36 0.28 0.2 0.35 L 0.19 0.31 C 0.33 0.24 0.43 0.1 0.43 -0.04 C 0.43 -0.18 0.33 -0.32 0.19 -0.39 Z",
                WOOD,
            );
            pen.line("M 0.2 -0.4 L 0.2 0.32");
            pen.line("M 0.06 -0.04 L 0.54 -0.04");
            pen.form("M 0.5 -0.09 L 0.6 -0.04 L 0.5 0.01 Z", STEEL);
        }
        Hand::Spear => spear(pen),
        Hand::Axe => {
            shaft(pen);
            pen.form(
                "M 0.36 -0.36 C 0.3 -0.38 0.25 -0.44 0.24 -0.47 C 0.19 -0.33 0.21 -0.2 0.28 -0.1 C 0.28 -0.16 0.31 -0.22 0.36 -0.23 Z",
                STEEL,
            );
        }
        Hand::Club => {
            pen.form(
                "M 0.29 0.34 L 0.32 0 C 0.29 -0.12 0.29 -0.28 0.35 -0.37 C 0.42 -0.42 0.5 -0.38 0.5 -0.3 C 0.49 -0.18 0.44 -0.06 0.38 0.02 L 0.335 0.345 Z",
                WOOD,
            );
            pen.line("M 0.37 -0.28 L 0.41 -0.24 M 0.42 -0.16 L 0.38 -0.12");
        }
        Hand::Staff => {
            shaft(pen);
            pen.form("O 0.395 -0.4 0.085", of.cloth.mix(palette::WHITE, 0.3));
        }
        Hand::Sling => {
            pen.line("M 0.27 0.3 C 0.38 0.2 0.36 -0.1 0.42 -0.3");
            pen.line("M 0.29 0.32 C 0.46 0.24 0.52 -0.06 0.5 -0.3");
            pen.form("O 0.46 -0.36 0.1", WOOD);
            pen.form("O 0.46 -0.39 0.065", STEEL);
        }
        Hand::Banner => {
            pen.form("M 0.2 0.34 L 0.2 -0.54 L 0.25 -0.54 L 0.25 0.345 Z", WOOD);
            pen.form(
                "M 0.25 -0.52 C 0.32 -0.57 0.4 -0.47 0.5 -0.51 L 0.45 -0.38 L 0.5 -0.25 C 0.4 -0.21 0.32 -0.31 0.25 -0.26 Z",
                palette::GOLD,
            );
        }
        Hand::Chief => {
            spear(pen);
            pen.form(
                "M -0.2 -0.27 L -0.25 -0.5 L -0.12 -0.38 L 0 -0.54 L 0.12 -0.38 L 0.25 -0.5 L 0.2 -0.27 C 0.1 -0.3 -0.1 -0.3 -0.2 -0.27 Z",
                palette::GOLD,
            );
            pen.darks("O 0.12 -0.34 0.016 O 0 -0.37 0.02");
        }
    }
}

fn shaft(pen: &mut Pen) {
    pen.form("M 0.3 0.34 L 0.365 -0.4 L 0.415 -0.4 L 0.35 0.345 Z", WOOD);
}

fn spear(pen: &mut Pen) {
    shaft(pen);
    pen.form(
        "M 0.405 -0.58 C 0.46 -0.48 0.47 -0.43 0.44 -0.36 L 0.355 -0.37 C 0.335 -0.44 0.345 -0.49 0.405 -0.58 Z",
        STEEL,
    );
}
