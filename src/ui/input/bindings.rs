//! Key bindings: the defaults and the player's changes.

use super::{EditKey, Key, KeyLabel};
use bevy::{input::keyboard::KeyCode, prelude::*};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// A key with modifiers. The key is named as on a US keyboard; see [`Layout`](super::Layout).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Stroke {
    pub key: KeyCode,
    #[serde(default)]
    pub shift: bool,
    /// Control, or Command on a Mac. Only the editor's bindings use it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ctrl: bool,
    /// The label on the player's keyboard, if it differs. Equality ignores it.
    #[serde(rename = "sign", default, skip_serializing_if = "Option::is_none")]
    pub typed: Option<char>,
}

impl PartialEq for Stroke {
    fn eq(&self, other: &Self) -> bool {
        (self.key, self.shift, self.ctrl) == (other.key, other.shift, other.ctrl)
    }
}

impl Eq for Stroke {}

impl Stroke {
    pub const fn plain(key: KeyCode) -> Self {
        Self {
            key,
            shift: false,
            ctrl: false,
            typed: None,
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

/// As printed on a keyboard: "Shift+Tab".
impl fmt::Display for Stroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ctrl = if self.ctrl { "Ctrl+" } else { "" };
        let shift = if self.shift { "Shift+" } else { "" };
        write!(f, "{ctrl}{shift}")?;
        match self.typed {
            Some(typed) => write!(f, "{}", typed.to_uppercase()),
            None => f.write_str(&label(self.key)),
        }
    }
}

/// The label of a key on a US keyboard.
fn label(key: KeyCode) -> String {
    use KeyCode::*;
    let text = match key {
        Escape => "Esc",
        AltLeft => "Alt",
        Delete => "Del",
        Minus => "−",
        // Every layout has a + that is bound as this key; = can be elsewhere.
        Equal => "+",
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
    if !text.is_empty() {
        return String::from(text);
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

/// The current key bindings.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Bindings {
    /// All bindings; if a key has several, tooltips name the first.
    strokes: Vec<(Key, Stroke)>,
}

impl Default for Bindings {
    fn default() -> Self {
        Self::new(&BTreeMap::new())
    }
}

impl Bindings {
    /// The defaults with the player's own bindings.
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

    /// The stroke that tooltips name; `None` if another key has taken it.
    pub fn stroke(&self, key: Key) -> Option<Stroke> {
        let found = self.strokes.iter().find(|(k, _)| *k == key);
        found.map(|(_, stroke)| *stroke)
    }

    /// The stroke's name for tooltips and buttons; empty if there is none.
    pub fn name(&self, key: Key) -> String {
        self.stroke(key).map_or(String::new(), |s| s.to_string())
    }

    /// Corrects the label of all strokes on a key; returns whether one was wrong.
    pub fn rename(&mut self, label: KeyLabel) -> bool {
        let all = self.strokes.iter_mut().map(|(_, stroke)| stroke);
        let mut is_wrong = false;
        for stroke in all.filter(|s| Some(s.key) == label.key && s.typed != label.typed) {
            (stroke.typed, is_wrong) = (label.typed, true);
        }
        is_wrong
    }

    /// The key bound to a stroke outside the editor.
    pub fn meaning(&self, stroke: Stroke) -> Option<Key> {
        let is_it = |(key, s): &&(Key, Stroke)| *s == stroke && key.of_editor().is_none();
        let found = self.strokes.iter().find(is_it);
        found.map(|(key, _)| *key)
    }

    /// The editor key bound to a stroke; Shift is ignored unless it is bound.
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

    /// Other keys with this stroke that share a screen with `key`.
    fn holders(&self, key: Key, stroke: Stroke) -> Vec<Key> {
        let is_it = |(other, s): &&(Key, Stroke)| *s == stroke && *other != key && other.meets(key);
        self.strokes.iter().filter(is_it).map(|(k, _)| *k).collect()
    }

    /// The key bound to a press, with or without Shift.
    pub fn struck(&self, key: KeyCode, shift: bool) -> Option<Key> {
        let shifted = self.meaning(Stroke::shifted(key)).filter(|_| shift);
        shifted.or_else(|| self.meaning(Stroke::plain(key)))
    }
}

/// Binds `key` to `stroke`. The key that had the stroke gets the old stroke of `key` in exchange
/// and is returned. If that stroke is taken on one of its screens, it is left unbound.
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
    // Bindings equal to the default are not saved.
    let standard = Bindings::default();
    own.retain(|&key, stroke| standard.stroke(key) != Some(*stroke));
    holders.first().copied()
}
