//! Which key on the keyboard means what: the standard, and what the player
//! has put in its place.

use super::{EditKey, Key};
use bevy::{input::keyboard::KeyCode, prelude::*};
use leafwing_input_manager::prelude::*;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// A key of the keyboard, by its place; perhaps with Shift.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Stroke {
    pub key: KeyCode,
    #[serde(default)]
    pub shift: bool,
    /// With Control held, or what stands for it on a Mac. Only the editor's keys
    /// are bound so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ctrl: bool,
}

impl Stroke {
    pub const fn plain(key: KeyCode) -> Self {
        Self {
            key,
            shift: false,
            ctrl: false,
        }
    }

    pub const fn shifted(key: KeyCode) -> Self {
        Self {
            shift: true,
            ..Self::plain(key)
        }
    }

    pub const fn controlled(key: KeyCode) -> Self {
        Self {
            ctrl: true,
            ..Self::plain(key)
        }
    }
}

/// As a keyboard is labelled: "Shift+Tab".
impl fmt::Display for Stroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ctrl = if self.ctrl { "Ctrl+" } else { "" };
        let shift = if self.shift { "Shift+" } else { "" };
        write!(f, "{ctrl}{shift}{}", label(self.key))
    }
}

/// What is printed on a key, on the keyboard that most have.
fn label(key: KeyCode) -> String {
    use KeyCode::*;
    let sign = match key {
        Escape => "Esc",
        Delete => "Del",
        Minus => "−",
        Equal => "=",
        Comma => ",",
        Period => ".",
        Slash => "/",
        Backslash => "\\",
        Semicolon => ";",
        Quote => "'",
        Backquote => "`",
        BracketLeft => "[",
        BracketRight => "]",
        _ => "",
    };
    if !sign.is_empty() {
        return String::from(sign);
    }
    // `KeyA`, `Digit1`, `ArrowUp`, `NumpadEnter`, `PageUp`.
    let name = format!("{key:?}");
    let bare = ["Key", "Digit", "Arrow"]
        .iter()
        .find_map(|head| name.strip_prefix(head))
        .unwrap_or(&name);
    let mut words = String::new();
    for (n, c) in bare.char_indices() {
        let is_word = c.is_uppercase() || c.is_ascii_digit() && !bare.starts_with('F');
        if n > 0 && is_word {
            words.push(' ');
        }
        words.push(if n > 0 { c.to_ascii_lowercase() } else { c });
    }
    words
}

/// The keyboard as it is bound now.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Bindings {
    /// What a key does; the one that is named in tips comes first.
    strokes: Vec<(Key, Stroke)>,
}

impl Default for Bindings {
    fn default() -> Self {
        Self::new(&BTreeMap::new())
    }
}

impl Bindings {
    /// The standard, but for these.
    pub fn new(own: &BTreeMap<Key, Stroke>) -> Self {
        let standard = super::standard_keys();
        let mut strokes: Vec<_> = own.iter().map(|(&key, &stroke)| (key, stroke)).collect();
        let taken = |key: Key, s: Stroke| own.iter().any(|(&k, &o)| o == s && k.meets(key));
        strokes.extend(
            standard
                .into_iter()
                .filter(|(key, stroke)| !own.contains_key(key) && !taken(*key, *stroke)),
        );
        Self { strokes }
    }

    /// The stroke that tips name. None where another key has taken it.
    pub fn stroke(&self, key: Key) -> Option<Stroke> {
        let found = self.strokes.iter().find(|(k, _)| *k == key);
        found.map(|(_, stroke)| *stroke)
    }

    /// Its name for tips and buttons; empty where there is none.
    pub fn name(&self, key: Key) -> String {
        self.stroke(key).map_or(String::new(), |s| s.to_string())
    }

    /// What a stroke means, but in the editor.
    pub fn meaning(&self, stroke: Stroke) -> Option<Key> {
        let is_it = |(key, s): &&(Key, Stroke)| *s == stroke && key.of_editor().is_none();
        let found = self.strokes.iter().find(is_it);
        found.map(|(key, _)| *key)
    }

    /// What a stroke means to the editor alone; some keys have no use for Shift.
    pub fn editing(&self, stroke: Stroke) -> Option<EditKey> {
        let of = |stroke: Stroke| {
            let mut all = self.strokes.iter().filter(move |(_, s)| *s == stroke);
            all.find_map(|(key, _)| key.of_editor())
        };
        let bare = Stroke {
            shift: false,
            ..stroke
        };
        of(stroke).or_else(|| of(bare))
    }

    /// Those who have a stroke wherever this key is heard.
    fn holders(&self, key: Key, stroke: Stroke) -> Vec<Key> {
        let is_it = |(other, s): &&(Key, Stroke)| *s == stroke && *other != key && other.meets(key);
        self.strokes.iter().filter(is_it).map(|(k, _)| *k).collect()
    }

    /// What a key that is struck means, with Shift held or not.
    pub(super) fn struck(&self, key: KeyCode, shift: bool) -> Option<Key> {
        let shifted = self.meaning(Stroke::shifted(key)).filter(|_| shift);
        shifted.or_else(|| self.meaning(Stroke::plain(key)))
    }

    pub(super) fn input_map(&self) -> InputMap<Key> {
        let mut map = InputMap::default();
        // The editor listens to the keyboard itself.
        let all = self.strokes.iter();
        for &(key, stroke) in all.filter(|(key, _)| key.of_editor().is_none()) {
            if stroke.shift {
                map.insert(
                    key,
                    ButtonlikeChord::modified(ModifierKey::Shift, stroke.key),
                );
            } else {
                map.insert(key, stroke.key);
            }
        }
        map
    }
}

/// Binds a key anew. What had the stroke before gets in exchange what the key
/// had, and is returned. Where a third has that already, it is left without: a
/// key of the editor alone may have had what means something else in a battle.
pub fn rebind(own: &mut BTreeMap<Key, Stroke>, key: Key, stroke: Stroke) -> Option<Key> {
    let now = Bindings::new(own);
    let before = now.stroke(key);
    let holders = now.holders(key, stroke);
    own.insert(key, stroke);
    for &holder in &holders {
        if now.stroke(holder) == Some(stroke)
            && let Some(before) = before
            && now.holders(holder, before).iter().all(|&k| k == key)
        {
            own.insert(holder, before);
        }
    }
    // What is standard again need not be kept.
    let standard = Bindings::default();
    own.retain(|&key, stroke| standard.stroke(key) != Some(*stroke));
    holders.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let all = super::super::standard_keys();
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
}
