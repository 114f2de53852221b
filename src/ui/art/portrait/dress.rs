//! Hair, beards, hats, clothes, and what shows over a shoulder.

use super::super::canvas::DrawnShape;
use super::super::palette::{self, Rgb};
use super::pen::Pen;
use super::{Back, Beard, Face, Garb, Hair, Hat, Portrait};

const STEEL: Rgb = Rgb::hex(0xC9C9C2);
const WOOD: Rgb = Rgb::hex(0xA9794A);
const HIDE: Rgb = Rgb::hex(0xA87B4F);
const DARK: Rgb = Rgb::hex(0x4A3B31);

const SHOULDERS: &str = "M -0.52 0.56 C -0.49 0.37 -0.38 0.31 -0.22 0.275 C -0.13 0.25 -0.1 0.23 -0.095 0.15 \
    L 0.095 0.15 C 0.1 0.23 0.13 0.25 0.22 0.275 C 0.38 0.31 0.49 0.37 0.52 0.56 Z";
const BROAD: &str = "M -0.56 0.56 C -0.56 0.3 -0.46 0.21 -0.27 0.2 C -0.17 0.19 -0.14 0.18 -0.13 0.1 \
    L 0.13 0.1 C 0.14 0.18 0.17 0.19 0.27 0.2 C 0.46 0.21 0.56 0.3 0.56 0.56 Z";

pub fn garb(pen: &mut Pen, of: &Portrait) {
    let is_broad = matches!(
        of.face,
        Face::Ogre | Face::Troll | Face::Bugbear | Face::Clay
    );
    let marks = if is_broad { BROAD } else { SHOULDERS };
    let body = pen.form(marks, of.tint.skin());
    // The shadow of the chin.
    pen.shade(
        &body,
        "M -0.12 0.12 L 0.14 0.12 L 0.12 0.25 C 0.05 0.27 -0.03 0.26 -0.07 0.23 Z",
        20.0,
    );
    let cloth = of.cloth();
    let dressed = |pen: &mut Pen, neck: &str, fill: Rgb| pen.form(neck, fill);
    let round =
        "M -0.6 0.6 L -0.6 0.1 L -0.19 0.24 C -0.13 0.34 0.13 0.34 0.19 0.24 L 0.6 0.1 L 0.6 0.6 Z";
    let open = "M -0.6 0.6 L -0.6 0.1 L -0.16 0.23 L 0.0 0.42 L 0.16 0.23 L 0.6 0.1 L 0.6 0.6 Z";
    let shade = "M 0.6 0.2 L 0.24 0.25 C 0.26 0.34 0.22 0.45 0.14 0.6 L 0.6 0.6 Z";
    pen.within(&body, |pen| match of.garb {
        Garb::Bare => {
            pen.fine("M -0.1 0.3 C -0.06 0.33 -0.03 0.34 -0.01 0.37 M 0.12 0.3 C 0.08 0.33 0.05 0.34 0.03 0.37");
            pen.shade(&body, shade, 62.0);
        }
        Garb::Cloth => {
            let worn = dressed(pen, round, cloth);
            pen.fine("M -0.25 0.36 C -0.22 0.42 -0.22 0.46 -0.24 0.5 M 0.02 0.36 C 0.0 0.42 0.02 0.46 0.0 0.5");
            pen.shade(&worn, shade, 62.0);
        }
        Garb::Robe => {
            let worn = dressed(pen, open, cloth);
            pen.form("M -0.19 0.2 L -0.26 0.28 L -0.02 0.56 L 0.03 0.56 L 0 0.42 Z", cloth.mix(palette::WHITE, 0.35));
            pen.form("M 0.19 0.2 L 0.26 0.28 L 0.02 0.56 L -0.01 0.52 L 0 0.42 Z", cloth.mix(palette::WHITE, 0.35));
            pen.shade(&worn, shade, 62.0);
        }
        Garb::Leather => {
            let worn = dressed(pen, open, HIDE.mix(cloth, 0.25));
            pen.line("M -0.05 0.44 L 0.06 0.47 M 0.05 0.43 L -0.05 0.48");
            pen.line("M -0.42 0.33 C -0.3 0.4 -0.22 0.45 -0.16 0.56 M -0.36 0.31 C -0.25 0.38 -0.17 0.44 -0.1 0.56");
            pen.shade(&worn, shade, 62.0);
        }
        Garb::Mail => {
            let worn = dressed(pen, round, STEEL);
            pen.rings(&worn, ((-0.52, 0.24), (0.52, 0.56)));
            pen.form("M -0.14 0.56 L -0.17 0.37 C -0.08 0.4 0.08 0.4 0.17 0.37 L 0.14 0.56 Z", cloth);
            pen.shade(&worn, "M 0.6 0.2 L 0.36 0.25 C 0.38 0.34 0.34 0.45 0.3 0.6 L 0.6 0.6 Z", 62.0);
        }
        Garb::Plate => {
            let worn = dressed(pen, round, STEEL);
            pen.pair("M 0.2 0.3 C 0.3 0.22 0.46 0.28 0.5 0.44 C 0.4 0.46 0.28 0.44 0.22 0.4 Z", STEEL.mix(palette::WHITE, 0.3));
            pen.line("M 0 0.36 L 0 0.56 M -0.2 0.42 C -0.1 0.46 0.1 0.46 0.2 0.42");
            pen.shade(&worn, shade, 62.0);
        }
        Garb::Fur => {
            let worn = dressed(pen, "M -0.6 0.6 L -0.6 0.1 L -0.26 0.22 L -0.2 0.3 L -0.15 0.27 L -0.1 0.35 L -0.04 0.31 L 0 0.38 L 0.05 0.31 L 0.1 0.35 L 0.15 0.27 L 0.2 0.3 L 0.26 0.22 L 0.6 0.1 L 0.6 0.6 Z", HIDE.mix(cloth, 0.2));
            pen.fines("M 0.2 0.36 L 0.23 0.42 M 0.3 0.34 L 0.33 0.4 M 0.13 0.44 L 0.16 0.5 M 0.26 0.44 L 0.3 0.5 M 0.38 0.4 L 0.42 0.46");
            pen.shade(&worn, shade, 62.0);
        }
    });
    pen.edge(&body);
}

pub fn back(pen: &mut Pen, of: &Portrait) {
    match of.back {
        Back::None => {}
        Back::Quiver => {
            pen.line("M 0.3 -0.05 L 0.39 0.3 M 0.36 -0.1 L 0.41 0.3 M 0.43 -0.05 L 0.43 0.3");
            for (x, y) in [(0.295, -0.09), (0.355, -0.14), (0.43, -0.09)] {
                let feather = format!(
                    "M {x} {} C {} {} {} {} {} {} L {} {} C {} {} {} {} {x} {} Z",
                    y - 0.06,
                    x + 0.05,
                    y - 0.04,
                    x + 0.05,
                    y + 0.02,
                    x + 0.03,
                    y + 0.07,
                    x + 0.0,
                    y + 0.07,
                    x - 0.04,
                    y + 0.03,
                    x - 0.04,
                    y - 0.02,
                    y - 0.06,
                );
                pen.form(&feather, palette::WHITE);
            }
            pen.form("M 0.32 0.14 L 0.47 0.1 L 0.52 0.5 L 0.36 0.5 Z", HIDE);
        }
        Back::Spear => {
            pen.form("M 0.335 0.5 L 0.365 -0.28 L 0.4 -0.28 L 0.375 0.5 Z", WOOD);
            pen.form("M 0.385 -0.47 C 0.43 -0.38 0.44 -0.33 0.41 -0.27 L 0.355 -0.27 C 0.33 -0.33 0.34 -0.38 0.385 -0.47 Z", STEEL);
            pen.fine("M 0.385 -0.44 L 0.383 -0.28");
        }
        Back::Axe => {
            pen.form("M 0.335 0.5 L 0.365 -0.34 L 0.405 -0.34 L 0.38 0.5 Z", WOOD);
            pen.form("M 0.36 -0.32 C 0.3 -0.34 0.27 -0.4 0.26 -0.43 C 0.22 -0.3 0.23 -0.18 0.29 -0.08 C 0.29 -0.13 0.32 -0.18 0.36 -0.19 Z", STEEL);
            pen.form("M 0.405 -0.3 L 0.46 -0.33 L 0.46 -0.2 L 0.4 -0.22 Z", STEEL);
        }
        Back::Staff => {
            pen.form("M 0.34 0.5 L 0.365 -0.3 L 0.4 -0.3 L 0.385 0.5 Z", WOOD);
            pen.form("M 0.36 -0.28 C 0.28 -0.34 0.3 -0.47 0.39 -0.47 C 0.47 -0.47 0.48 -0.37 0.42 -0.35 C 0.43 -0.41 0.37 -0.43 0.355 -0.385 C 0.345 -0.35 0.38 -0.33 0.405 -0.29 Z", WOOD);
        }
        Back::Hilt => {
            pen.form("M 0.4 0.3 L 0.33 0.05 L 0.365 0.04 L 0.44 0.28 Z", WOOD);
            pen.form("M 0.3 0.16 L 0.47 0.1 L 0.48 0.14 L 0.315 0.2 Z", STEEL);
            pen.form("O 0.34 0.02 0.035", STEEL);
        }
        Back::Mace => {
            pen.form("M 0.345 0.5 L 0.37 -0.2 L 0.4 -0.2 L 0.385 0.5 Z", WOOD);
            pen.form("M 0.385 -0.42 L 0.43 -0.38 L 0.48 -0.36 L 0.46 -0.28 L 0.48 -0.2 L 0.42 -0.18 L 0.385 -0.15 L 0.34 -0.18 L 0.29 -0.2 L 0.31 -0.28 L 0.29 -0.36 L 0.34 -0.38 Z", STEEL);
            pen.fine(
                "M 0.385 -0.4 L 0.385 -0.17 M 0.34 -0.36 L 0.35 -0.2 M 0.43 -0.36 L 0.42 -0.2",
            );
        }
    }
}

pub fn hair_behind(pen: &mut Pen, of: &Portrait) {
    let tone = of.tint.hair();
    match of.hair {
        Hair::Long | Hair::Braid if of.hat != Hat::Hood => {
            let hair = pen.form(
                "M 0 -0.36 C 0.19 -0.37 0.27 -0.22 0.26 -0.04 C 0.25 0.1 0.28 0.2 0.3 0.32 L -0.3 0.32 C -0.28 0.2 -0.25 0.1 -0.26 -0.04 C -0.27 -0.22 -0.19 -0.37 0 -0.36 Z",
                tone,
            );
            pen.shade(&hair, "M 0.1 -0.4 L 0.4 -0.4 L 0.4 0.4 L 0.16 0.4 Z", 82.0);
        }
        Hair::Wild => {
            pen.form(
                "M 0 -0.42 L 0.06 -0.36 L 0.14 -0.41 L 0.16 -0.32 L 0.26 -0.31 L 0.22 -0.22 L 0.3 -0.14 L 0.23 -0.1 L 0.27 0.02 L 0.18 0.02 L -0.18 0.02 L -0.27 0.02 L -0.23 -0.1 L -0.3 -0.14 L -0.22 -0.22 L -0.26 -0.31 L -0.16 -0.32 L -0.14 -0.41 L -0.06 -0.36 Z",
                tone,
            );
        }
        _ => {}
    }
}

pub fn hair_before(pen: &mut Pen, of: &Portrait) {
    let tone = of.tint.hair();
    if of.hat != Hat::GreatHelm {
        beard(pen, of, tone);
    }
    let is_covered = !matches!(of.hat, Hat::None | Hat::Band | Hat::Hood | Hat::Crown);
    match of.hair {
        _ if is_covered && of.hair != Hair::Braid => {}
        Hair::None => {}
        Hair::Short => {
            let hair = pen.form(
                "M -0.185 -0.05 C -0.23 -0.24 -0.14 -0.37 0.02 -0.365 C 0.17 -0.36 0.23 -0.22 0.19 -0.05 C 0.17 -0.08 0.165 -0.12 0.16 -0.16 C 0.08 -0.16 0.02 -0.19 -0.02 -0.23 C -0.06 -0.18 -0.12 -0.15 -0.16 -0.15 C -0.165 -0.11 -0.175 -0.08 -0.185 -0.05 Z",
                tone,
            );
            pen.shade(&hair, "M 0.06 -0.4 L 0.3 -0.4 L 0.3 0 L 0.1 0 Z", 70.0);
        }
        Hair::Long | Hair::Braid => {
            if !is_covered {
                pen.form(
                    "M 0 -0.35 C 0.16 -0.36 0.22 -0.22 0.195 -0.02 C 0.185 -0.06 0.175 -0.1 0.16 -0.14 C 0.1 -0.15 0.02 -0.2 -0.01 -0.27 C -0.05 -0.19 -0.11 -0.15 -0.16 -0.13 C -0.175 -0.09 -0.185 -0.06 -0.195 -0.02 C -0.22 -0.22 -0.16 -0.36 0 -0.35 Z",
                    tone,
                );
            }
            if of.hair == Hair::Braid {
                for n in 0..5 {
                    let (x, y) = (0.225 - 0.012 * n as f32, 0.1 + 0.085 * n as f32);
                    let knot = format!(
                        "M {} {y} C {} {} {} {} {} {} C {} {} {} {} {} {y} Z",
                        x - 0.045,
                        x - 0.05,
                        y + 0.06,
                        x - 0.02,
                        y + 0.1,
                        x,
                        y + 0.1,
                        x + 0.02,
                        y + 0.1,
                        x + 0.05,
                        y + 0.06,
                        x + 0.045
                    );
                    pen.form(&knot, tone);
                    pen.fine(&format!(
                        "M {} {} L {} {}",
                        x - 0.02,
                        y + 0.03,
                        x + 0.02,
                        y + 0.07
                    ));
                }
            }
        }
        Hair::Tonsure => {
            pen.pair("M 0.18 0.0 C 0.22 -0.08 0.215 -0.16 0.185 -0.21 C 0.16 -0.17 0.165 -0.08 0.165 0.0 Z", tone);
            pen.fine("M -0.07 -0.24 C -0.04 -0.26 0 -0.265 0.03 -0.26");
        }
        Hair::Crest => {
            pen.form("M -0.045 -0.2 C -0.06 -0.3 -0.05 -0.38 0 -0.46 C 0.05 -0.38 0.06 -0.3 0.045 -0.2 C 0.02 -0.22 -0.02 -0.22 -0.045 -0.2 Z", tone);
            pen.fine("M 0 -0.42 L 0 -0.24");
        }
        Hair::Wild => {
            pen.form("M -0.17 -0.14 L -0.19 -0.26 L -0.1 -0.35 L 0.0 -0.37 L 0.1 -0.35 L 0.19 -0.26 L 0.17 -0.14 L 0.12 -0.22 L 0.08 -0.17 L 0.03 -0.25 L -0.03 -0.18 L -0.07 -0.24 L -0.12 -0.17 Z", tone);
        }
    }
}

fn beard(pen: &mut Pen, of: &Portrait, tone: Rgb) {
    match of.beard {
        Beard::None => {}
        Beard::Full => {
            let beard = pen.form(
                "M -0.182 -0.03 C -0.16 0.03 -0.13 0.07 -0.075 0.07 C -0.03 0.05 0.03 0.05 0.075 0.07 C 0.13 0.07 0.16 0.03 0.182 -0.03 C 0.2 0.14 0.14 0.3 0.0 0.36 C -0.14 0.3 -0.2 0.14 -0.182 -0.03 Z",
                tone,
            );
            pen.shade(&beard, "M 0.02 0.05 L 0.3 0 L 0.3 0.4 L 0.0 0.4 Z", 76.0);
            pen.spots(
                "M 0 0.105 C 0.03 0.1 0.05 0.105 0.06 0.112 C 0.04 0.128 0.02 0.13 0 0.13 Z",
                of.tint.skin().mix(Rgb::hex(0x9A4A3A), 0.4),
            );
            pen.line("M -0.06 0.11 C -0.02 0.122 0.02 0.122 0.06 0.11");
        }
        Beard::Moustache => {
            pen.pair(
                "M 0.0 0.075 C 0.04 0.06 0.09 0.085 0.12 0.14 C 0.07 0.12 0.03 0.115 0.0 0.1 Z",
                tone,
            );
        }
        Beard::Stubble => {
            pen.fines("M 0.1 0.09 L 0.105 0.11 M 0.07 0.14 L 0.075 0.16 M 0.03 0.165 L 0.032 0.185 M 0.115 0.05 L 0.12 0.07 M 0.05 0.115 L 0.055 0.13 M 0.005 0.16 L 0.005 0.18 M 0.09 0.115 L 0.095 0.135");
        }
    }
}

/// Draws a hood or a coif, and returns the opening that shows the face.
pub fn cowl(pen: &mut Pen, of: &Portrait) -> DrawnShape {
    let (outer, hole) = match of.hat {
        Hat::Coif => (
            "M 0 -0.36 C 0.19 -0.36 0.25 -0.2 0.235 -0.02 C 0.225 0.12 0.24 0.22 0.34 0.32 C 0.16 0.42 -0.16 0.42 -0.34 0.32 C -0.24 0.22 -0.225 0.12 -0.235 -0.02 C -0.25 -0.2 -0.19 -0.36 0 -0.36 Z",
            "M 0 -0.24 C 0.12 -0.24 0.165 -0.15 0.155 -0.03 C 0.15 0.08 0.1 0.17 0 0.2 C -0.1 0.17 -0.15 0.08 -0.155 -0.03 C -0.165 -0.15 -0.12 -0.24 0 -0.24 Z",
        ),
        _ => (
            "M 0.02 -0.46 C 0.17 -0.42 0.3 -0.26 0.28 -0.02 C 0.27 0.12 0.31 0.24 0.4 0.33 C 0.2 0.44 -0.2 0.44 -0.4 0.33 C -0.31 0.24 -0.27 0.12 -0.28 -0.02 C -0.3 -0.24 -0.16 -0.42 0.02 -0.46 Z",
            "M 0 -0.31 C 0.15 -0.31 0.215 -0.19 0.205 -0.05 C 0.195 0.1 0.13 0.22 0 0.27 C -0.13 0.22 -0.195 0.1 -0.205 -0.05 C -0.215 -0.19 -0.15 -0.31 0 -0.31 Z",
        ),
    };
    let fill = if of.hat == Hat::Coif {
        STEEL
    } else {
        of.cloth()
    };
    let cowl = pen.form(outer, fill);
    if of.hat == Hat::Coif {
        pen.rings(&cowl, ((-0.36, -0.36), (0.36, 0.44)));
    } else {
        pen.fine("M -0.24 -0.16 C -0.25 -0.04 -0.25 0.06 -0.29 0.2 M -0.18 0.24 C -0.16 0.3 -0.1 0.34 -0.05 0.36 M 0.03 -0.44 C 0.02 -0.4 0.02 -0.37 0.0 -0.33");
    }
    pen.shade(
        &cowl,
        "M 0.12 -0.5 L 0.5 -0.4 L 0.5 0.5 L 0.14 0.5 C 0.26 0.2 0.26 -0.2 0.12 -0.5 Z",
        66.0,
    );
    let hole = DrawnShape::marks(hole);
    pen.fill(&hole, DARK);
    hole
}

pub fn cowl_edge(pen: &mut Pen, _of: &Portrait, hole: &DrawnShape) {
    pen.edge(hole);
}

pub fn hat(pen: &mut Pen, of: &Portrait) {
    let cloth = of.cloth();
    let right = "M 0.05 -0.5 L 0.5 -0.5 L 0.5 0.1 L 0.1 0.1 Z";
    match of.hat {
        Hat::None | Hat::Hood | Hat::Coif => {}
        Hat::Helmet => {
            let dome = pen.form("M -0.205 -0.12 C -0.23 -0.32 -0.12 -0.43 0 -0.45 C 0.12 -0.43 0.23 -0.32 0.205 -0.12 Z", STEEL);
            pen.line("M 0 -0.44 L 0 -0.16");
            pen.form("M -0.215 -0.17 C -0.1 -0.2 0.1 -0.2 0.215 -0.17 L 0.21 -0.115 C 0.1 -0.145 -0.1 -0.145 -0.21 -0.115 Z", STEEL.mix(cloth, 0.45));
            pen.form(
                "M -0.028 -0.145 L 0.028 -0.145 L 0.034 0.03 C 0.02 0.05 -0.02 0.05 -0.034 0.03 Z",
                STEEL,
            );
            pen.pair("M 0.17 -0.13 L 0.212 -0.125 C 0.215 -0.02 0.2 0.06 0.17 0.12 L 0.145 0.06 C 0.16 0 0.17 -0.07 0.17 -0.13 Z", STEEL);
            pen.shade(&dome, right, 66.0);
        }
        Hat::Kettle => {
            let dome = pen.form("M -0.18 -0.18 C -0.19 -0.34 -0.1 -0.42 0 -0.43 C 0.1 -0.42 0.19 -0.34 0.18 -0.18 Z", STEEL);
            pen.fine("M 0 -0.42 L 0 -0.22");
            let brim = pen.form("M -0.32 -0.09 C -0.27 -0.19 -0.12 -0.225 0 -0.225 C 0.12 -0.225 0.27 -0.19 0.32 -0.09 C 0.2 -0.14 -0.2 -0.14 -0.32 -0.09 Z", STEEL);
            pen.shade(&dome, right, 66.0);
            pen.shade(&brim, right, 20.0);
        }
        Hat::GreatHelm => {
            let helm = pen.form("M -0.2 -0.3 C -0.1 -0.38 0.1 -0.38 0.2 -0.3 C 0.22 -0.1 0.22 0.1 0.18 0.22 C 0.08 0.29 -0.08 0.29 -0.18 0.22 C -0.22 0.1 -0.22 -0.1 -0.2 -0.3 Z", STEEL);
            pen.darks("M 0.03 -0.1 L 0.18 -0.115 L 0.18 -0.075 L 0.03 -0.06 Z");
            pen.form(
                "M -0.028 -0.36 L 0.028 -0.36 L 0.03 0.26 L -0.03 0.26 Z",
                STEEL.mix(cloth, 0.5),
            );
            pen.lines("M 0.03 -0.14 L 0.205 -0.16 M 0.03 -0.03 L 0.205 -0.045");
            pen.darks("O 0.08 0.04 0.012 O 0.13 0.035 0.012 O 0.08 0.1 0.012 O 0.13 0.095 0.012 O 0.08 0.16 0.012");
            pen.shade(&helm, "M 0.11 -0.5 L 0.5 -0.5 L 0.5 0.4 L 0.09 0.4 Z", 66.0);
            pen.form("M -0.02 -0.36 C -0.06 -0.45 0.05 -0.5 0.16 -0.46 C 0.1 -0.43 0.06 -0.4 0.03 -0.36 Z", cloth);
        }
        Hat::Pointed => {
            let cone = pen.form("M -0.2 -0.19 C -0.13 -0.3 -0.08 -0.4 0.02 -0.47 C 0.1 -0.5 0.2 -0.48 0.24 -0.41 C 0.17 -0.43 0.13 -0.42 0.12 -0.39 C 0.15 -0.32 0.17 -0.26 0.2 -0.19 Z", cloth);
            pen.shade(
                &cone,
                "M 0.02 -0.5 L 0.5 -0.5 L 0.5 -0.1 L 0.06 -0.1 Z",
                66.0,
            );
            pen.form("M -0.185 -0.22 C -0.1 -0.25 0.1 -0.25 0.185 -0.22 L 0.2 -0.17 C 0.1 -0.2 -0.1 -0.2 -0.2 -0.17 Z", palette::GOLD.mix(palette::PAPER, 0.3));
            let brim = pen.form("M -0.4 -0.11 C -0.3 -0.2 -0.12 -0.215 0 -0.215 C 0.12 -0.215 0.3 -0.2 0.4 -0.11 C 0.25 -0.15 0.1 -0.16 0 -0.16 C -0.1 -0.16 -0.25 -0.15 -0.4 -0.11 Z", cloth);
            pen.shade(&brim, right, 20.0);
        }
        Hat::Cap => {
            let cap = pen.form("M -0.195 -0.1 C -0.23 -0.3 -0.12 -0.385 0 -0.385 C 0.12 -0.385 0.23 -0.3 0.195 -0.1 C 0.1 -0.17 -0.1 -0.17 -0.195 -0.1 Z", HIDE.mix(cloth, 0.3));
            pen.fine("M 0 -0.38 L 0 -0.16 M -0.11 -0.35 C -0.13 -0.28 -0.13 -0.22 -0.12 -0.16 M 0.11 -0.35 C 0.13 -0.28 0.13 -0.22 0.12 -0.16");
            pen.pair("M 0.195 -0.12 C 0.22 -0.02 0.21 0.06 0.18 0.1 L 0.155 0.04 C 0.165 -0.01 0.165 -0.07 0.16 -0.13 Z", HIDE.mix(cloth, 0.3));
            pen.shade(&cap, right, 66.0);
        }
        Hat::Band => {
            pen.form("M -0.195 -0.19 C -0.1 -0.22 0.1 -0.22 0.195 -0.19 L 0.192 -0.13 C 0.1 -0.165 -0.1 -0.165 -0.192 -0.13 Z", cloth);
            pen.form(
                "M 0.185 -0.17 L 0.29 -0.19 L 0.26 -0.14 L 0.3 -0.09 L 0.19 -0.13 Z",
                cloth,
            );
        }
        Hat::Crown => {
            pen.form("M -0.2 -0.18 L -0.23 -0.4 L -0.11 -0.29 L 0 -0.44 L 0.11 -0.29 L 0.23 -0.4 L 0.2 -0.18 C 0.1 -0.21 -0.1 -0.21 -0.2 -0.18 Z", palette::GOLD.mix(palette::PAPER, 0.2));
            pen.fine("M -0.2 -0.21 C -0.1 -0.24 0.1 -0.24 0.2 -0.21");
            pen.darks("O 0.11 -0.25 0.012 O 0 -0.27 0.014");
        }
        Hat::Horns => {
            pen.pair("M 0.15 -0.22 C 0.26 -0.2 0.34 -0.3 0.32 -0.46 C 0.42 -0.36 0.42 -0.14 0.18 -0.12 Z", Rgb::hex(0xEADFC3));
            pen.fines("M 0.25 -0.2 L 0.27 -0.15 M 0.3 -0.24 L 0.34 -0.2 M 0.33 -0.3 L 0.37 -0.29");
            let cap = pen.form("M -0.2 -0.12 C -0.22 -0.3 -0.12 -0.38 0 -0.39 C 0.12 -0.38 0.22 -0.3 0.2 -0.12 C 0.1 -0.17 -0.1 -0.17 -0.2 -0.12 Z", STEEL.mix(cloth, 0.35));
            pen.line("M 0 -0.39 L 0 -0.16");
            pen.shade(&cap, right, 66.0);
        }
    }
}
