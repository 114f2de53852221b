//! Portraits in ink: a head and shoulders, put together from parts by a small
//! description, with hatching where the light does not fall (it comes from the
//! upper left).
//!
//! - [`faces`]: heads, of people and of others
//! - [`beasts`]: those on four legs or on eight
//! - [`carry`]: what is carried in front
//! - [`dress`]: hair and beards, what is worn on the head and on the body, and
//!   what looks over the shoulder
//! - [`pen`]: how all of it is inked
//!
//! One unit is the picture's side, and the origin lies in its middle.

mod beasts;
mod carry;
mod dress;
mod faces;
mod pen;

use tiny_skia::{Pixmap, Transform};

use super::canvas::{Shape, Sheet};
use super::palette::{self, FLOOR, INK, Rgb};
use super::tokens::Base;
use pen::Pen;

/// What somebody looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Portrait {
    pub face: Face,
    pub hair: Hair,
    pub beard: Beard,
    pub hat: Hat,
    pub garb: Garb,
    pub back: Back,
    /// What is carried in front, on a token.
    pub hand: Hand,
    /// The colour of the cloth that is worn, or of the hide: the kind's.
    pub cloth: Rgb,
    pub tint: Tint,
    /// Whose it is: the ground behind.
    pub base: Base,
}

/// A head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Face {
    #[default]
    Human,
    /// With softer features.
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hair {
    #[default]
    None,
    Short,
    Long,
    /// Long, with a braid over the shoulder.
    Braid,
    /// A ring of it round a bald head.
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
    /// A round helmet with a band and a strip before the nose.
    Helmet,
    /// With a broad rim.
    Kettle,
    /// It hides the face.
    GreatHelm,
    /// Rings, all round the head.
    Coif,
    /// Pointed, with a broad rim.
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

/// What looks over the shoulder.
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

/// What is carried in front: it tells kinds with one face apart, by their outline.
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
    /// A crown on the head, and a spear.
    Chief,
}

impl Hand {
    pub const ALL: [Hand; 9] = [
        Hand::None,
        Hand::Blade,
        Hand::Shield,
        Hand::Bow,
        Hand::Spear,
        Hand::Axe,
        Hand::Club,
        Hand::Staff,
        Hand::Chief,
    ];
}

/// The tone of skin, and with people that of the hair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tint {
    #[default]
    Fair,
    Tan,
    Dark,
    Red,
    Grey,
    /// Fair, with hair that has turned.
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

/// A portrait in its frame, `px` pixels square; pale if it is of somebody who
/// is out of the fight.
pub fn portrait(of: Portrait, px: u32, is_pale: bool) -> Pixmap {
    let px = px.max(1);
    let mut sheet = Sheet::new(px, px, px as f32).origin(0.5, 0.5);
    let line = (1.5 / px as f32).max(0.024);
    let frame = |inset: f32| {
        let side = 1.0 - 2.0 * inset;
        Shape::rounded(inset - 0.5, inset - 0.5, side, side, 0.09 - inset * 0.6)
    };
    sheet.fill(&frame(0.0), INK.solid());
    let room = frame(line);
    let side = of.base.colour();
    sheet.fill(&room, side.mix(FLOOR, 0.62).solid());
    sheet.within_shape(&room, |sheet| {
        let ink = side.mix(FLOOR, 0.42).solid();
        of.base.pattern(sheet, 0.8, 0.12, ink);
        // Of a small one the head is what is seen.
        let near = if px < 40 { 1.2 } else { 1.06 };
        let room = Transform::from_translate(0.0, 0.03).pre_scale(near, near);
        sheet.within(room, |sheet| bust(sheet, of, px as f32 * near));
        if is_pale {
            sheet.fill(&frame(0.0), palette::CARD_PALE.alpha(0.58));
        }
        // The side's colour runs round it, and is thicker at the foot.
        sheet.stroke(&frame(line * 1.6), line * 1.5, side.solid());
    });
    sheet.pixmap
}

/// A head and shoulders without ground or frame, about the origin; `px` pixels
/// are one unit.
pub fn bust(sheet: &mut Sheet, of: Portrait, px: f32) {
    Pen::new(sheet, px).draw(of);
}

/// The item that a unit carries, drawn over the edge of its token. The origin is the
/// token's middle, and one unit is the side of its cells, `px` pixels.
pub fn carried(sheet: &mut Sheet, of: Portrait, px: f32) {
    carry::draw(&mut Pen::new(sheet, px), &of);
}

impl Pen<'_> {
    fn draw(&mut self, of: Portrait) {
        if beasts::draw(self, &of) {
            return;
        }
        dress::back(self, &of);
        dress::hair_behind(self, &of);
        dress::garb(self, &of);
        match of.hat {
            Hat::Hood | Hat::Coif => {
                let hole = dress::cowl(self, &of);
                self.within(&hole, |pen| {
                    faces::draw(pen, &of);
                    dress::hair_before(pen, &of);
                });
                dress::cowl_edge(self, &of, &hole);
                faces::ears_out(self, &of);
            }
            _ => {
                faces::draw(self, &of);
                dress::hair_before(self, &of);
                dress::hat(self, &of);
            }
        }
    }
}
