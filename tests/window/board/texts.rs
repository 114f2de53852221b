//! Text over units, and the name beside it.

use fivefoot::ui::board::{
    floating_text::{FloatingName, NAME, NamePlace, named_size},
    unit_animator::Tone,
};

fn named(place: NamePlace, is_shown: bool) -> FloatingName<'static> {
    FloatingName {
        name: "Bandit 2",
        is_shown,
        place,
    }
}

#[test]
fn a_text_has_room_for_its_name() {
    let size = |is_shown| named_size(named(NamePlace::Before, is_shown), "missed", 1.0);
    let wider = size(true).x - size(false).x;
    assert!(wider > NAME.width("Bandit 2:"), "{wider}");
}

/// The name of an attack's target is not in front of the result, as if it had attacked.
#[test]
fn the_result_of_an_attack_names_its_target_last() {
    let says = |place, text| named(place, true).beside(text);
    assert_eq!(says(NamePlace::After(""), "missed"), "missed Bandit 2");
    assert_eq!(says(NamePlace::After("on "), "hit 5"), "hit 5 on Bandit 2");
    assert_eq!(says(NamePlace::Before, "fails"), "Bandit 2: fails");
}

/// In front of the result of an attack, the name of its target would look like the attacker's.
#[test]
fn the_name_of_a_target_stands_after_the_result() {
    for tone in [Tone::Damage, Tone::Decisive] {
        assert_eq!(tone.name_place(), NamePlace::After("on "));
    }
    assert_eq!(Tone::Fall.name_place(), NamePlace::Before);
}
