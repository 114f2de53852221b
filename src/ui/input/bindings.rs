//! Which key on the keyboard means what: the standard, and what the player
//! has put in its place.

use super::{Cap, EditKey, Key};
use bevy::{input::keyboard::KeyCode, prelude::*};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// A key with its modifiers. The key is named as on a US keyboard; see
/// [`Layout`](super::Layout).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Stroke {
    pub key: KeyCode,
    #[serde(default)]
    pub shift: bool,
    /// With Control held, or what stands for it on a Mac. Only the editor's keys
    /// are bound so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ctrl: bool,
    /// The label on the player's keyboard, if it differs. Equality ignores it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<char>,
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
            sign: None,
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
        write!(f, "{ctrl}{shift}")?;
        match self.sign {
            Some(sign) => write!(f, "{}", sign.to_uppercase()),
            None => f.write_str(&label(self.key)),
        }
    }
}

/// What is printed on a key, on the keyboard that most have.
fn label(key: KeyCode) -> String {
    use KeyCode::*;
    let sign = match key {
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

    fn misnamed(cap: Cap) -> impl Fn(&Stroke) -> bool {
        move |stroke| Some(stroke.key) == cap.key && stroke.sign != cap.sign
    }

    /// Whether [`Bindings::rename`] changes anything.
    pub fn would_rename(&self, cap: Cap) -> bool {
        let misnamed = Self::misnamed(cap);
        self.strokes.iter().any(|(_, stroke)| misnamed(stroke))
    }

    /// Gives the strokes of a key the label it turned out to have.
    pub fn rename(&mut self, cap: Cap) {
        let misnamed = Self::misnamed(cap);
        let all = self.strokes.iter_mut().map(|(_, stroke)| stroke);
        for stroke in all.filter(|stroke| misnamed(stroke)) {
            stroke.sign = cap.sign;
        }
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
    pub fn struck(&self, key: KeyCode, shift: bool) -> Option<Key> {
        let shifted = self.meaning(Stroke::shifted(key)).filter(|_| shift);
        shifted.or_else(|| self.meaning(Stroke::plain(key)))
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
