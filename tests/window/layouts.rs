//! Keyboard layouts: bindings follow the key labels of the player's keyboard, and the game
//! names keys by these labels.

use super::kit::{
    editing::{editor, standing},
    game::{Game, fresh_home},
    shell::at,
};
use bevy::{
    input::{ButtonState, keyboard::Key as Logical},
    prelude::*,
    ui_widgets::Activate,
};
use fivefoot::{
    rulesets,
    ui::{
        input::{Bindings, Key, Stroke},
        selection::Overlay,
        settings::{
            screen::{CardButton, Tab},
            store,
        },
    },
};

/// A physical key, and the text that it types.
type Typed = (KeyCode, &'static str);

fn logical(typed: &str) -> Logical {
    Logical::Character(typed.into())
}

fn down(game: &mut Game, (code, typed): Typed) {
    game.key_with(code, logical(typed), Some(typed), ButtonState::Pressed);
}

fn up(game: &mut Game, (code, typed): Typed) {
    game.key_with(code, logical(typed), None, ButtonState::Released);
    game.wait(1);
}

/// The meanings of a key while it is held.
fn meanings(game: &mut Game, typed: Typed) -> Vec<Key> {
    down(game, typed);
    let keys = game.app.world().resource::<ButtonInput<Key>>();
    let all = keys.get_pressed().copied().collect();
    up(game, typed);
    all
}

fn with(game: &mut Game, code: KeyCode, key: Logical, then: impl FnOnce(&mut Game)) {
    game.key_with(code, key.clone(), None, ButtonState::Pressed);
    then(game);
    game.key_with(code, key, None, ButtonState::Released);
    game.wait(1);
}

#[test]
fn key_bindings_follow_the_keyboard_layout() {
    use KeyCode::*;
    let mut game = at(&fresh_home());
    let act = |c| vec![Key::Act(c)];
    let german: [(Typed, Vec<Key>); 6] = [
        ((KeyY, "z"), act('z')),
        ((KeyZ, "y"), act('y')),
        ((KeyA, "a"), act('a')),
        ((BracketRight, "+"), vec![Key::ZoomIn]),
        ((Slash, "-"), vec![Key::ZoomOut]),
        ((Digit1, "1"), vec![Key::Member(0)]),
    ];
    let french: [(Typed, Vec<Key>); 8] = [
        ((KeyQ, "a"), act('a')),
        ((KeyA, "q"), vec![Key::More]),
        ((KeyZ, "w"), vec![Key::Other]),
        ((KeyW, "z"), act('z')),
        ((Semicolon, "m"), act('m')),
        ((KeyM, ","), vec![]),
        ((Digit1, "&"), vec![Key::Member(0)]),
        ((Digit6, "-"), vec![Key::Member(5)]),
    ];
    // Keyboards of other scripts are labelled with Latin letters too.
    let others: [(Typed, Vec<Key>); 3] = [
        ((KeyF, "а"), act('f')),
        ((KeyE, "ε"), vec![Key::EndTurn]),
        ((Period, "ю"), vec![Key::Faster]),
    ];
    // In the bépo layout, W is on another key: the key at its US position is not W.
    let bepo: [(Typed, Vec<Key>); 2] = [
        ((KeyW, "é"), vec![]),
        ((BracketRight, "w"), vec![Key::Other]),
    ];
    let all = german.into_iter().chain(french).chain(others).chain(bepo);
    for (typed, wanted) in all {
        assert_eq!(meanings(&mut game, typed), wanted, "{typed:?}");
    }
    // With Caps Lock or Shift, letters keep their meaning.
    assert_eq!(meanings(&mut game, (KeyY, "Z")), act('z'));
}

#[test]
fn a_remapped_key_has_its_new_meaning() {
    let mut game = at(&fresh_home());
    with(&mut game, KeyCode::CapsLock, Logical::Escape, |game| {
        let keys = game.app.world().resource::<ButtonInput<Key>>();
        assert!(keys.pressed(Key::Back));
    });
    with(&mut game, KeyCode::CapsLock, Logical::Control, |game| {
        let chord = (KeyCode::KeyS, "s");
        assert_eq!(meanings(game, chord), [], "Ctrl+S is not S");
    });
}

#[test]
fn key_combinations_of_the_desktop_are_ignored() {
    let held = [
        (KeyCode::ControlLeft, Logical::Control),
        (KeyCode::AltLeft, Logical::Alt),
        (KeyCode::AltRight, Logical::AltGraph),
        (KeyCode::SuperLeft, Logical::Super),
    ];
    let mut game = at(&fresh_home());
    for (code, key) in held {
        with(&mut game, code, key, |game| {
            for stroke in [(KeyCode::KeyD, "d"), (KeyCode::KeyQ, "@")] {
                // Alt itself shows all numbers.
                let mut meant = meanings(game, stroke);
                meant.retain(|key| *key != Key::Overlay(Overlay::Numbers));
                assert_eq!(meant, []);
            }
        });
        assert_eq!(meanings(&mut game, (KeyCode::KeyD, "d")), [Key::Act('d')]);
    }
}

/// Under `setxkbmap de`, Z is where a US keyboard has Y.
#[test]
fn the_editor_undoes_with_the_key_labelled_z() {
    let mut game = editor();
    let before = standing(&game).history.text().to_string();
    let (z, y) = ((KeyCode::KeyY, "z"), (KeyCode::KeyZ, "y"));
    game.app
        .world_mut()
        .resource_mut::<fivefoot::ui::editor::state::EditorState>()
        .replace(&before.replacen("title", " title", 1), "a space");
    game.wait(3);
    let after = standing(&game).history.text().to_string();
    assert_ne!(after, before);
    let now = |game: &Game| standing(game).history.text().to_string();
    let chord = |game: &mut Game, typed| {
        with(game, KeyCode::ControlLeft, Logical::Control, |game| {
            down(game, typed);
            up(game, typed);
        });
    };
    chord(&mut game, z);
    assert_eq!(now(&game), before);
    chord(&mut game, y);
    assert_eq!(now(&game), after);
    // Chords with Alt or Super belong to the desktop.
    for (code, key) in [
        (KeyCode::AltLeft, Logical::Alt),
        (KeyCode::SuperLeft, Logical::Super),
    ] {
        with(&mut game, code, key, |game| chord(game, z));
        assert_eq!(now(&game), after);
    }
}

fn listens_for(game: &mut Game, key: Key) {
    let world = game.app.world_mut();
    let mut buttons = world.query::<(Entity, &CardButton)>();
    let found = buttons.iter(world).find(|b| *b.1 == CardButton::Bind(key));
    let entity = found.expect("its line").0;
    world.trigger(Activate { entity });
    game.wait(2);
}

#[test]
fn a_key_is_bound_and_named_by_its_label() {
    let home = fresh_home();
    let mut game = at(&home);
    game.press(KeyCode::F10);
    game.click_on::<CardButton>("the keys", |b| *b == CardButton::Tab(Tab::Keys));
    let name = |game: &Game, key| game.app.world().resource::<Bindings>().name(key);
    for (typed, called) in [
        ((KeyCode::Semicolon, "ö"), "Ö"),
        ((KeyCode::IntlBackslash, "<"), "<"),
        ((KeyCode::KeyY, "z"), "Z"),
    ] {
        listens_for(&mut game, Key::Hint);
        down(&mut game, typed);
        up(&mut game, typed);
        assert_eq!(name(&game, Key::Hint), called);
        assert!(game.says(called));
    }
    // A key at the position of a letter would be mistaken for that letter.
    listens_for(&mut game, Key::Hint);
    down(&mut game, (KeyCode::KeyW, "é"));
    up(&mut game, (KeyCode::KeyW, "é"));
    assert!(game.says("can't be used"));
    assert_eq!(name(&game, Key::Hint), "Z");
    // The name is saved.
    listens_for(&mut game, Key::Hint);
    down(&mut game, (KeyCode::Semicolon, "ö"));
    up(&mut game, (KeyCode::Semicolon, "ö"));
    game.until("it is written", |_| {
        let own = store::load(&home.join("settings.ron")).0.keys;
        own.get(&Key::Hint).is_some_and(|s| s.typed == Some('ö'))
    });
    drop(game);
    let mut game = at(&home);
    assert_eq!(name(&game, Key::Hint), "Ö");
    assert_eq!(meanings(&mut game, (KeyCode::Semicolon, "ö")), [Key::Hint]);
    assert_eq!(meanings(&mut game, (KeyCode::Semicolon, ";")), [Key::Hint]);
}

/// The game learns the label of a default key when the key is pressed.
#[test]
fn a_key_with_another_label_is_renamed() {
    let mut game = Game::battle(
        fivefoot::levels::default_level(),
        rulesets::find("Skirmish"),
        2,
    );
    game.until_own_turn();
    let name = |game: &Game| {
        let bindings = game.app.world().resource::<Bindings>();
        bindings.name(Key::ZoomOut)
    };
    assert_eq!(name(&game), "−");
    let paren = (KeyCode::Minus, ")");
    assert_eq!(meanings(&mut game, paren), [Key::ZoomOut]);
    assert_eq!(name(&game), ")");
    assert_eq!(Stroke::plain(KeyCode::Equal).to_string(), "+");
}
