//! Text on narrow cards: smaller sizes and ellipses.

use fivefoot::ui::{
    hud::party::{fitted, name_in},
    theme::Cut,
};

#[test]
fn a_name_is_shrunk_before_it_is_cut() {
    let (name, cut, has_face) = name_in("Brandt", 126.0, 32.0, 1.0);
    assert_eq!(
        (name.as_str(), cut, has_face),
        ("Brandt", Cut::Strong, true)
    );
    let (name, cut, has_face) = name_in("Ysolde", 84.0, 20.0, 1.0);
    assert_eq!((name.as_str(), cut, has_face), ("Ysolde", Cut::Label, true));
    let (name, cut, has_face) = name_in("Ysolde", 120.0, 20.0, 2.0);
    assert_eq!(
        (name.as_str(), cut, has_face),
        ("Ysolde", Cut::Label, false)
    );
    let (name, ..) = name_in("Bartholomew the Bold", 84.0, 20.0, 1.0);
    assert!(name.ends_with('…') && name.starts_with("Bart"), "{name}");
}

#[test]
fn text_without_room_ends_with_an_ellipsis() {
    assert_eq!(fitted("hedge mage", 10, 1), "hedge mage");
    assert_eq!(fitted("hedge mage", 7, 2), "hedge mage");
    assert_eq!(fitted("hedge mage", 7, 1), "hedge…");
    assert_eq!(fitted("shieldman", 10, 1), "shieldman");
    assert_eq!(fitted("shieldman", 8, 2), "shield…");
}
