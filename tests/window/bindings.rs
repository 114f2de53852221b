//! Keys: names, meanings and rebinding.

use super::kit::game::{Game, strike};
use bevy::input::{
    ButtonState,
    keyboard::{Key as Logical, KeyCode},
};
use fivefoot::{
    battle::Id,
    rulesets,
    ui::input::{Bindings, EditKey, Key, Stroke, rebind, standard_keys},
};
use std::collections::BTreeMap;

/// If a frame takes longer than the keystroke, Shift and the key are both released within
/// the frame.
#[test]
fn a_key_combination_within_one_frame_is_recognised() {
    let units = [
        ("ann", "party", (0, 0), 9),
        ("bea", "party", (2, 0), 9),
        ("cid", "party", (4, 0), 9),
        ("gob", "goblins", (9, 0), 9),
    ];
    let level = fivefoot_kit::field(&[".........."], &units);
    let mut game = Game::battle(level, rulesets::find("Skirmish"), 2);
    game.until_own_turn();
    assert_eq!(game.selection().chosen, Some(Id(0)));
    let (shift, tab) = (KeyCode::ShiftLeft, KeyCode::Tab);
    let (down, up) = (ButtonState::Pressed, ButtonState::Released);
    for (key, state) in [(shift, down), (tab, down), (tab, up), (shift, up)] {
        strike(game.app.world_mut(), key, Logical::Dead(None), None, state);
    }
    game.wait(3);
    assert_eq!(game.selection().chosen, Some(Id(2)), "the one before");
    game.press(tab);
    assert_eq!(game.selection().chosen, Some(Id(0)), "and the next");
}

#[test]
fn keys_are_named_by_their_labels() {
    let names = [
        (KeyCode::KeyQ, "Q"),
        (KeyCode::Digit3, "3"),
        (KeyCode::Escape, "Esc"),
        (KeyCode::ArrowLeft, "Left"),
        (KeyCode::NumpadEnter, "Numpad enter"),
        (KeyCode::Numpad7, "Numpad 7"),
        (KeyCode::F10, "F10"),
        (KeyCode::PageUp, "Page up"),
    ];
    for (key, name) in names {
        assert_eq!(Stroke::plain(key).to_string(), name);
    }
    assert_eq!(Stroke::shifted(KeyCode::Tab).to_string(), "Shift+Tab");
}

#[test]
fn no_key_combination_has_two_meanings() {
    let all = standard_keys();
    for (n, (key, stroke)) in all.iter().enumerate() {
        let other = all[..n].iter().find(|(k, s)| s == stroke && k.meets(*key));
        assert_eq!(other, None, "{key:?}");
    }
}

#[test]
fn rebinding_a_taken_key_swaps_the_two() {
    let mut own = BTreeMap::new();
    let (e, u) = (Stroke::plain(KeyCode::KeyE), Stroke::plain(KeyCode::KeyU));
    assert_eq!(rebind(&mut own, Key::Undo, e), Some(Key::EndTurn));
    let now = Bindings::new(&own);
    assert_eq!(now.meaning(e), Some(Key::Undo));
    assert_eq!(now.meaning(u), Some(Key::EndTurn));
    // Swapped back, no binding differs from the defaults.
    assert_eq!(rebind(&mut own, Key::Undo, u), Some(Key::EndTurn));
    assert!(own.is_empty());
    // One of two keys with the same meaning is taken without a swap.
    let numpad = Stroke::plain(KeyCode::NumpadEnter);
    assert_eq!(rebind(&mut own, Key::Skip, numpad), Some(Key::Confirm));
    let now = Bindings::new(&own);
    assert_eq!(now.meaning(numpad), Some(Key::Skip));
    assert_eq!(now.name(Key::Confirm), "Enter");
}

#[test]
fn the_editor_has_keys_of_its_own() {
    let line = Key::Edit(EditKey::Line);
    let mut own = BTreeMap::new();
    // In a battle, U still means undo.
    let u = Stroke::plain(KeyCode::KeyU);
    assert_eq!(rebind(&mut own, line, u), None);
    let now = Bindings::new(&own);
    assert_eq!(now.meaning(u), Some(Key::Undo));
    assert_eq!(now.editing(u), Some(EditKey::Line));
    // Tab has one meaning on all screens. A swap would give that meaning the undo key of
    // battles, so it gets no key.
    let tab = Stroke::plain(KeyCode::Tab);
    assert_eq!(rebind(&mut own, line, tab), Some(Key::Next));
    let now = Bindings::new(&own);
    assert_eq!(
        (now.editing(tab), now.meaning(u)),
        (Some(EditKey::Line), Some(Key::Undo))
    );
    assert_eq!(now.stroke(Key::Next), None);
    let undo = Stroke::controlled(KeyCode::KeyZ);
    assert_eq!(now.editing(undo), Some(EditKey::Undo));
    assert_eq!(undo.to_string(), "Ctrl+Z");
}

#[test]
fn a_key_with_shift_is_a_separate_binding() {
    let now = Bindings::default();
    assert_eq!(now.struck(KeyCode::Tab, false), Some(Key::Next));
    assert_eq!(now.struck(KeyCode::Tab, true), Some(Key::Previous));
    assert_eq!(now.struck(KeyCode::KeyU, true), Some(Key::Undo));
}
