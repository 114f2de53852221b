//! Text fields: the clipboard and the editing keys work as in other programs.

use super::kit::{
    editing::{editor, standing},
    game::{Game, fresh_home, strike},
    shell::at,
};
use bevy::{
    clipboard::Clipboard,
    input::{ButtonState, keyboard::Key as Logical},
    prelude::*,
    text::EditableText,
};
use fivefoot::{
    levels::edit::At,
    ui::{editor::Writes, screens::title::SeedEntry},
};
use std::time::Duration;

/// The text of the field with this component.
fn value<C: Component>(game: &mut Game) -> String {
    let world = game.app.world_mut();
    let mut lines = world.query_filtered::<&EditableText, With<C>>();
    lines.iter(world).next().unwrap().value().to_string()
}

fn stroke(game: &mut Game, code: KeyCode, key: Logical, text: Option<&str>) {
    game.key_with(code, key.clone(), text, ButtonState::Pressed);
    game.key_with(code, key, None, ButtonState::Released);
    game.wait(1);
}

/// Presses a letter with a modifier, which must type nothing.
fn chord(game: &mut Game, held: (KeyCode, Logical), code: KeyCode, letter: &str) {
    game.key_with(held.0, held.1.clone(), None, ButtonState::Pressed);
    let key = Logical::Character(letter.into());
    // Some systems send a text with the key.
    stroke(game, code, key, Some(letter));
    game.key_with(held.0, held.1, None, ButtonState::Released);
    game.wait(1);
}

fn ctrl(game: &mut Game, code: KeyCode, letter: &str) {
    chord(game, (KeyCode::ControlLeft, Logical::Control), code, letter);
}

fn shift(game: &mut Game, code: KeyCode, key: Logical, text: Option<&str>) {
    let held = (KeyCode::ShiftLeft, Logical::Shift);
    game.key_with(held.0, held.1.clone(), None, ButtonState::Pressed);
    stroke(game, code, key, text);
    game.key_with(held.0, held.1, None, ButtonState::Released);
    game.wait(1);
}

/// The clipboard belongs to the desktop, so a copy may take a moment to arrive.
fn clipboard(game: &mut Game) -> String {
    std::thread::sleep(Duration::from_millis(50));
    let mut clipboard = game.app.world_mut().resource_mut::<Clipboard>();
    let text = clipboard.fetch_text().poll_result();
    text.and_then(Result::ok).unwrap_or_default()
}

fn put(game: &mut Game, text: &str) {
    let mut clipboard = game.app.world_mut().resource_mut::<Clipboard>();
    clipboard.set_text(text).expect("a clipboard");
    std::thread::sleep(Duration::from_millis(50));
}

/// One test for everything that uses the clipboard, because tests share it.
#[test]
fn a_seed_is_copied_cut_and_pasted() {
    let mut game = at(&fresh_home());
    let line = game.find::<SeedEntry>(|_| true).expect("the seed");
    game.click(line);
    game.type_text("4711");
    let before = value::<SeedEntry>(&mut game);
    assert_eq!(before, "4711");
    // Chords type nothing.
    for held in [
        (KeyCode::AltLeft, Logical::Alt),
        (KeyCode::SuperLeft, Logical::Super),
        (KeyCode::ControlLeft, Logical::Control),
    ] {
        for (code, digit) in [(KeyCode::Digit1, "1"), (KeyCode::Digit9, "9")] {
            chord(&mut game, held.clone(), code, digit);
        }
    }
    assert_eq!(value::<SeedEntry>(&mut game), before);
    ctrl(&mut game, KeyCode::KeyA, "a");
    ctrl(&mut game, KeyCode::KeyC, "c");
    assert_eq!(clipboard(&mut game), before);
    assert_eq!(value::<SeedEntry>(&mut game), before);
    ctrl(&mut game, KeyCode::KeyX, "x");
    assert_eq!(value::<SeedEntry>(&mut game), "");
    // In some layouts, the key labelled V has another position.
    ctrl(&mut game, KeyCode::KeyU, "v");
    assert_eq!(value::<SeedEntry>(&mut game), before);
    ctrl(&mut game, KeyCode::KeyA, "a");
    ctrl(&mut game, KeyCode::KeyV, "v");
    assert_eq!(value::<SeedEntry>(&mut game), before);
    // Pasted as copied from a report: with words, spaces and a line end.
    for (there, pasted) in [
        (" seed: 123456\n", "123456"),
        ("99", "99"),
        ("no number", ""),
        // Too long: only the part that fits.
        ("123456789012345678901234567890", "12345678901234567890"),
    ] {
        put(&mut game, there);
        game.type_text("7");
        ctrl(&mut game, KeyCode::KeyA, "a");
        ctrl(&mut game, KeyCode::KeyV, "v");
        let wanted = if pasted.is_empty() { "7" } else { pasted };
        assert_eq!(value::<SeedEntry>(&mut game), wanted, "{there:?}");
    }
    // A layout without Latin letters, and older key combinations.
    put(&mut game, "55");
    ctrl(&mut game, KeyCode::KeyA, "ф");
    ctrl(&mut game, KeyCode::KeyV, "м");
    assert_eq!(value::<SeedEntry>(&mut game), "55");
    shift(&mut game, KeyCode::Insert, Logical::Insert, None);
    assert_eq!(value::<SeedEntry>(&mut game), "5555");
    // Key combinations within one slow frame, with digits before and after.
    put(&mut game, "99");
    let (down, up) = (ButtonState::Pressed, ButtonState::Released);
    let (ctrl, one) = (KeyCode::ControlLeft, KeyCode::Digit1);
    let letter = |c: &str| Logical::Character(c.into());
    for (code, key, text, state) in [
        (ctrl, Logical::Control, None, down),
        (KeyCode::KeyA, letter("a"), Some("a"), down),
        (KeyCode::KeyA, letter("a"), None, up),
        (ctrl, Logical::Control, None, up),
        (one, letter("1"), Some("1"), down),
        (one, letter("1"), None, up),
        (ctrl, Logical::Control, None, down),
        (KeyCode::KeyV, letter("v"), Some("v"), down),
        (KeyCode::KeyV, letter("v"), None, up),
        (ctrl, Logical::Control, None, up),
        (one, letter("1"), Some("1"), down),
    ] {
        strike(game.app.world_mut(), code, key, text, state);
    }
    game.wait(3);
    assert_eq!(value::<SeedEntry>(&mut game), "1991");
}

/// Ctrl+S saves while the player types a title, and types no letter.
#[test]
fn a_title_field_takes_spaces_and_no_key_combinations() {
    let mut game = editor();
    let title = standing(&game).level.as_ref().unwrap().title.clone();
    let is_title = |writes: &Writes| writes.at == At::root().field("title");
    game.click_on::<Writes>("the title", is_title);
    game.type_text("A");
    shift(&mut game, KeyCode::Space, Logical::Space, Some(" "));
    shift(
        &mut game,
        KeyCode::KeyB,
        Logical::Character("B".into()),
        Some("B"),
    );
    shift(
        &mut game,
        KeyCode::KeyX,
        Logical::Character("X".into()),
        Some("X"),
    );
    shift(&mut game, KeyCode::Backspace, Logical::Backspace, None);
    game.wait(3);
    let now = |game: &Game| standing(game).level.as_ref().unwrap().title.clone();
    assert_ne!(title, "A B");
    assert_eq!(now(&game), "A B");
    ctrl(&mut game, KeyCode::KeyB, "b");
    assert_eq!(now(&game), "A B");
    // An undo shows in the field too, or the next letter would revert it.
    let shown = |game: &mut Game| {
        let world = game.app.world_mut();
        let mut lines = world.query::<(&EditableText, &Writes)>();
        let line = lines.iter(world).find(|line| is_title(line.1));
        line.unwrap().0.value().to_string()
    };
    while now(&game) != title {
        ctrl(&mut game, KeyCode::KeyZ, "z");
    }
    assert_eq!(shown(&mut game), title);
    game.key_with(
        KeyCode::KeyX,
        Logical::Character("x".into()),
        Some("x"),
        ButtonState::Pressed,
    );
    game.wait(3);
    assert_eq!(now(&game), format!("{title}x"));
    ctrl(&mut game, KeyCode::KeyS, "s");
    game.wait(3);
    assert_eq!(now(&game), format!("{title}x"));
}
