//! Keys: what they are called, what they mean, and how they are bound anew.

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

/// Where a frame takes longer than the stroke, Shift is up again with the key.
#[test]
fn a_chord_within_one_frame_is_a_chord() {
    let people = [
        ("ann", "party", (0, 0), 9),
        ("bea", "party", (2, 0), 9),
        ("cid", "party", (4, 0), 9),
        ("gob", "goblins", (9, 0), 9),
    ];
    let level = fivefoot_kit::field(&[".........."], &people);
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
fn keys_are_called_as_they_are_labelled() {
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
fn no_stroke_means_two_things() {
    let all = standard_keys();
    for (n, (key, stroke)) in all.iter().enumerate() {
        let other = all[..n].iter().find(|(k, s)| s == stroke && k.meets(*key));
        assert_eq!(other, None, "{key:?}");
    }
}

#[test]
fn a_key_that_is_taken_changes_places() {
    let mut own = BTreeMap::new();
    let (e, u) = (Stroke::plain(KeyCode::KeyE), Stroke::plain(KeyCode::KeyU));
    assert_eq!(rebind(&mut own, Key::Undo, e), Some(Key::EndTurn));
    let now = Bindings::new(&own);
    assert_eq!(now.meaning(e), Some(Key::Undo));
    assert_eq!(now.meaning(u), Some(Key::EndTurn));
    // And back: nothing is left to keep.
    assert_eq!(rebind(&mut own, Key::Undo, u), Some(Key::EndTurn));
    assert!(own.is_empty());
    // A second key for the same is simply taken.
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
    // In a battle U takes back, and goes on doing so.
    let u = Stroke::plain(KeyCode::KeyU);
    assert_eq!(rebind(&mut own, line, u), None);
    let now = Bindings::new(&own);
    assert_eq!(now.meaning(u), Some(Key::Undo));
    assert_eq!(now.editing(u), Some(EditKey::Line));
    // Tab means the same everywhere; in exchange it would get what takes back
    // in battles, so it gets nothing.
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
fn shift_makes_it_another_stroke() {
    let now = Bindings::default();
    assert_eq!(now.struck(KeyCode::Tab, false), Some(Key::Next));
    assert_eq!(now.struck(KeyCode::Tab, true), Some(Key::Previous));
    assert_eq!(now.struck(KeyCode::KeyU, true), Some(Key::Undo));
}
