//! The files of all parts of portraits.

use super::super::svg::{Page, SvgFile, drawings};
use super::{Back, Beard, Face, Garb, Hair, Hand, Hat};

/// Pages are larger than a portrait, to hold what its frame cuts off.
const PAGE: Page = Page {
    corner: -0.6,
    side: 1.2,
};

/// Files without a variant of their own.
#[derive(Clone, Copy)]
pub enum Extra {
    Shoulders,
    BroadShoulders,
    /// Brows of a human with grey skin.
    GreyBrows,
}

drawings! {
    /// A head, or a whole beast.
    fn face(Face) of FACES on PAGE, in "portraits/face":
        Human "human" Soft "soft" Goblin "goblin" Hobgoblin "hobgoblin" Bugbear "bugbear"
        Ogre "ogre" Troll "troll" Skull "skull" Zombie "zombie" Ghoul "ghoul" Wight "wight"
        Clay "clay" Hound "hound" Wolf "wolf" Bear "bear" Boar "boar" Rat "rat" Spider "spider"
        Unseen "unseen"
}
drawings! {
    fn hair(Hair) of HAIR on PAGE, in "portraits/hair":
        Short "short" Long "long" Braid "braid" Tonsure "tonsure" Crest "crest" Wild "wild"
        ; none: None
}
drawings! {
    fn beard(Beard) of BEARDS on PAGE, in "portraits/beard":
        Full "full" Moustache "moustache" Stubble "stubble"
        ; none: None
}
drawings! {
    fn hat(Hat) of HATS on PAGE, in "portraits/hat":
        Hood "hood" Helmet "helmet" Kettle "kettle" GreatHelm "great-helm" Coif "coif"
        Pointed "pointed" Cap "cap" Band "band" Crown "crown" Horns "horns"
        ; none: None
}
drawings! {
    /// Clothes, clipped to the shoulders when drawn.
    fn garb(Garb) of GARBS on PAGE, in "portraits/garb":
        Cloth "cloth" Robe "robe" Leather "leather" Mail "mail" Plate "plate" Fur "fur" Bare "bare"
}
drawings! {
    fn back(Back) of BACKS on PAGE, in "portraits/back":
        Quiver "quiver" Spear "spear" Axe "axe" Staff "staff" Hilt "hilt" Mace "mace"
        ; none: None
}
drawings! {
    fn hand(Hand) of HANDS on PAGE, in "portraits/hand":
        Blade "blade" Shield "shield" Bow "bow" Spear "spear" Axe "axe" Club "club" Staff "staff"
        Sling "sling" Chief "chief" Banner "banner"
        ; none: None
}
drawings! {
    fn extra(Extra) of EXTRAS on PAGE, in "portraits":
        Shoulders "body/slim" BroadShoulders "body/broad" GreyBrows "face/grey-brows"
}

/// All files of portraits.
pub fn files() -> impl Iterator<Item = &'static SvgFile> {
    let tables: [&'static [SvgFile]; 8] = [
        &FACES, &HAIR, &BEARDS, &HATS, &GARBS, &BACKS, &HANDS, &EXTRAS,
    ];
    tables.into_iter().flatten()
}
