//! Ink portraits: head and shoulders, assembled from parts by a short description.
//! Light comes from the upper left; the shaded side is hatched.
//!
//! Each part is an SVG file in `assets/pictures/portraits`. The code decides which
//! parts are drawn, in which order, and what clips them.
//!
//! - [`parts`]: the files
//! - [`pen`]: the colours of a unit, line widths, hatching
//!
//! One unit is the side of the picture; the origin is its centre.

mod parts;
mod pen;

use tiny_skia::{Pixmap, Transform};

use super::canvas::{DrawnShape, Sheet};
use super::palette::{self, FLOOR, INK, Rgb};
use super::tokens::Base;
use parts::Extra;
pub(super) use parts::files;
use pen::Pen;

/// The look of a unit or a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Portrait {
    pub face: Face,
    pub hair: Hair,
    pub beard: Beard,
    pub hat: Hat,
    pub garb: Garb,
    pub back: Back,
    /// The item held in front, shown on tokens only.
    pub hand: Hand,
    /// The colour of the clothes or the hide, by kind.
    pub cloth: Rgb,
    pub tint: Tint,
    /// The side's base, drawn as the background.
    pub base: Base,
}

/// A head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Face {
    #[default]
    Human,
    /// Human, with softer features.
    Soft,
    Goblin,
    Hobgoblin,
    Bugbear,
    Ogre,
    Troll,
    Skull,
    Zombie,
    Ghoul,
    Wight,
    Clay,
    Hound,
    Wolf,
    Bear,
    Boar,
    Rat,
    Spider,
    /// Two eyes in the dark.
    Unseen,
}

impl Face {
    /// Whether its file shows the whole creature, without hair, clothes and hat.
    fn is_beast(self) -> bool {
        matches!(
            self,
            Face::Hound
                | Face::Wolf
                | Face::Bear
                | Face::Boar
                | Face::Rat
                | Face::Spider
                | Face::Unseen
        )
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hair {
    #[default]
    None,
    Short,
    Long,
    /// Long, with a braid over the shoulder.
    Braid,
    /// A ring of hair around a bald head.
    Tonsure,
    /// A strip from brow to neck.
    Crest,
    Wild,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Beard {
    #[default]
    None,
    Full,
    Moustache,
    Stubble,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hat {
    #[default]
    None,
    Hood,
    /// A round helmet with a band and a nose guard.
    Helmet,
    /// A helmet with a broad brim.
    Kettle,
    /// A closed helmet that hides the face.
    GreatHelm,
    /// A hood of mail around the whole head.
    Coif,
    /// A pointed hat with a broad brim.
    Pointed,
    Cap,
    Band,
    Crown,
    Horns,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Garb {
    #[default]
    Cloth,
    Robe,
    Leather,
    Mail,
    Plate,
    Fur,
    Bare,
}

/// What shows over the shoulder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Back {
    #[default]
    None,
    Quiver,
    Spear,
    Axe,
    Staff,
    Hilt,
    Mace,
}

/// The item held in front. Its outline distinguishes kinds with the same face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hand {
    #[default]
    None,
    Blade,
    Shield,
    Bow,
    Spear,
    Axe,
    Club,
    Staff,
    Sling,
    /// A crown on the head, and a spear.
    Chief,
    /// A banner on a pole.
    Banner,
}

impl Hand {
    pub const ALL: [Hand; 11] = [
        Hand::None,
        Hand::Blade,
        Hand::Shield,
        Hand::Bow,
        Hand::Spear,
        Hand::Axe,
        Hand::Club,
        Hand::Staff,
        Hand::Sling,
        Hand::Chief,
        Hand::Banner,
    ];
}

/// The tone of the skin; for people also of the hair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tint {
    #[default]
    Fair,
    Tan,
    Dark,
    Red,
    Grey,
    /// Fair, with silver hair.
    Silver,
    Green,
    Ashen,
    Bone,
    Earth,
    Iron,
}

impl Tint {
    fn skin(self) -> Rgb {
        match self {
            Tint::Fair => Rgb::hex(0xF3DFC2),
            Tint::Tan => Rgb::hex(0xE3C39A),
            Tint::Dark => Rgb::hex(0xB98A60),
            Tint::Red => Rgb::hex(0xC9906F),
            Tint::Grey => Rgb::hex(0xC9C2B4),
            Tint::Silver => Rgb::hex(0xEED9C2),
            Tint::Green => Rgb::hex(0xA9B37C),
            Tint::Ashen => Rgb::hex(0xC3C6A8),
            Tint::Bone => Rgb::hex(0xF2EAD2),
            Tint::Earth => Rgb::hex(0xBE9067),
            Tint::Iron => Rgb::hex(0xA7A7A3),
        }
    }

    fn hair(self) -> Rgb {
        match self {
            Tint::Fair => Rgb::hex(0x5B4632),
            Tint::Tan => Rgb::hex(0x8C4A26),
            Tint::Dark => Rgb::hex(0x2E2622),
            Tint::Red => Rgb::hex(0x3A2C25),
            Tint::Silver => Rgb::hex(0xB9B3A6),
            Tint::Grey | Tint::Ashen => Rgb::hex(0x8A8578),
            _ => Rgb::hex(0x4A4236),
        }
    }
}

impl Portrait {
    fn cloth(&self) -> Rgb {
        self.cloth.mix(palette::PAPER, 0.26)
    }
}

/// A framed portrait, `px` pixels square. Pale for a unit that is out of the fight.
pub fn portrait(of: Portrait, px: u32, is_pale: bool) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::square(px);
    let line = (1.5 / px as f32).max(0.024);
    let frame = |inset: f32| {
        let side = 1.0 - 2.0 * inset;
        DrawnShape::rounded(inset - 0.5, inset - 0.5, side, side, 0.09 - inset * 0.6)
    };
    sheet.fill(&frame(0.0), INK.solid());
    let room = frame(line);
    let side = of.base.colour();
    sheet.fill(&room, side.mix(FLOOR, 0.62).solid());
    sheet.within_shape(&room, |sheet| {
        let ink = side.mix(FLOOR, 0.42).solid();
        of.base.pattern(sheet, 0.8, 0.12, ink);
        // A small portrait shows mainly the head.
        let near = if px < 40 { 1.2 } else { 1.06 };
        let room = Transform::from_translate(0.0, 0.03).pre_scale(near, near);
        sheet.within(room, |sheet| bust(sheet, of, px as f32 * near));
        if is_pale {
            sheet.fill(&frame(0.0), palette::CARD_PALE.alpha(0.58));
        }
        // A border in the side's colour, thicker at the bottom.
        sheet.stroke(&frame(line * 1.6), line * 1.5, side.solid());
    });
    sheet.pixmap
}

/// Draws a head and shoulders without background or frame around the origin. One unit
/// is `px` pixels.
pub fn bust(sheet: &mut Sheet, of: Portrait, px: f32) {
    let pen = &Pen::new(&of, px);
    if of.face.is_beast() {
        return parts::face(of.face).draw(sheet, pen);
    }
    parts::back(of.back).draw(sheet, pen);
    // A hood holds all hair but the wildest.
    if of.hat != Hat::Hood || of.hair == Hair::Wild {
        parts::hair(of.hair).draw_part(sheet, pen, "behind");
    }
    body(sheet, &of, pen);
    let hat = parts::hat(of.hat);
    match of.hat {
        Hat::Hood | Hat::Coif => {
            hat.draw_without(sheet, pen, &["rim"]);
            sheet.within_shape(hat.outline("opening"), |sheet| head(sheet, &of, pen));
            hat.draw_part(sheet, pen, "rim");
            parts::face(of.face).draw_part(sheet, pen, "over-hood");
        }
        _ => {
            head(sheet, &of, pen);
            hat.draw(sheet, pen);
        }
    }
}

/// Draws the item that a unit carries, over the edge of its token. The origin is the
/// centre of the token, and one unit (`px` pixels) is the side of its cells.
pub fn carried(sheet: &mut Sheet, of: Portrait, px: f32) {
    parts::hand(of.hand).draw(sheet, &Pen::new(&of, px));
}

/// Draws the shoulders and the clothes on them.
fn body(sheet: &mut Sheet, of: &Portrait, pen: &Pen) {
    let shoulders = parts::extra(match of.face {
        Face::Ogre | Face::Troll | Face::Bugbear | Face::Clay => Extra::BroadShoulders,
        _ => Extra::Shoulders,
    });
    shoulders.draw(sheet, pen);
    sheet.within_shape(shoulders.outline("shoulders"), |sheet| {
        parts::garb(of.garb).draw(sheet, pen);
    });
    shoulders.draw_part(sheet, pen, "edge");
}

/// Draws the face, the beard and the hair in front of them.
fn head(sheet: &mut Sheet, of: &Portrait, pen: &Pen) {
    if of.hat != Hat::GreatHelm {
        // A full beard has a mouth of its own.
        let mut hidden = Vec::from_iter((of.beard == Beard::Full).then_some("mouth"));
        let has_grey_brows = of.face == Face::Human && of.tint == Tint::Grey;
        hidden.extend(has_grey_brows.then_some("brows"));
        parts::face(of.face).draw_without(sheet, pen, &hidden);
        if has_grey_brows {
            parts::extra(Extra::GreyBrows).draw(sheet, pen);
        }
        parts::beard(of.beard).draw(sheet, pen);
    }
    let hair = parts::hair(of.hair);
    if matches!(of.hat, Hat::None | Hat::Band | Hat::Hood | Hat::Crown) {
        hair.draw_part(sheet, pen, "before");
    }
    hair.draw_part(sheet, pen, "braid");
}

/// Says which colours that the pen replaces are in no file: either they are no longer
/// needed, or files use another colour by mistake.
pub(super) fn unused_colours() -> impl Iterator<Item = String> {
    let is_unused = |rgb: &u32| !files().any(|file| file.has_colour(*rgb));
    pen::colours_in_files()
        .filter(is_unused)
        .map(|rgb| format!("assets/pictures/portraits: no file has the colour #{rgb:06x}"))
}
