//! Undo and redo for a text, unlimited.

use std::sync::Arc;

/// Every state that a text has had.
#[derive(Clone, Debug)]
pub struct History {
    states: Vec<EditState>,
    now: usize,
    /// The text in the file.
    saved: Arc<str>,
}

#[derive(Clone, Debug)]
struct EditState {
    text: Arc<str>,
    /// The edit that led to this state: "move goblin guard".
    what: String,
    /// The next edit joins this one if it has the same key, such as digits typed one
    /// by one.
    key: Option<String>,
}

impl History {
    pub fn new(text: &str) -> Self {
        let text: Arc<str> = text.into();
        let first = EditState {
            text: text.clone(),
            what: String::new(),
            key: None,
        };
        Self {
            states: vec![first],
            now: 0,
            saved: text,
        }
    }

    pub fn text(&self) -> &Arc<str> {
        &self.states[self.now].text
    }

    /// The text in the file.
    pub fn saved(&self) -> &Arc<str> {
        &self.saved
    }

    pub fn is_saved(&self) -> bool {
        self.text() == &self.saved
    }

    /// Records that the file now has this text.
    pub fn mark_saved(&mut self, text: &str) {
        self.saved = text.into();
    }

    /// Adds a state and drops what was undone. Does nothing if the text is the same.
    pub fn push(&mut self, text: &str, what: impl Into<String>, key: Option<String>) {
        if &**self.text() == text {
            return;
        }
        self.states.truncate(self.now + 1);
        let joins = key.is_some() && self.states[self.now].key == key;
        let state = EditState {
            text: text.into(),
            what: what.into(),
            key,
        };
        if joins && self.now > 0 && !Arc::ptr_eq(self.text(), &self.saved) {
            self.states[self.now] = state;
        } else {
            self.states.push(state);
            self.now += 1;
        }
    }

    /// The next edit is a step of its own, whatever its key.
    pub fn seal(&mut self) {
        self.states[self.now].key = None;
    }

    /// Undoes one step and returns what it was.
    pub fn undo(&mut self) -> Option<&str> {
        self.now = self.now.checked_sub(1)?;
        self.seal();
        Some(&self.states[self.now + 1].what)
    }

    /// Redoes one step and returns what it was.
    pub fn redo(&mut self) -> Option<&str> {
        if self.now + 1 == self.states.len() {
            return None;
        }
        self.now += 1;
        Some(&self.states[self.now].what)
    }

    pub fn can_undo(&self) -> bool {
        self.now > 0
    }

    pub fn can_redo(&self) -> bool {
        self.now + 1 < self.states.len()
    }

    /// The number of steps that can be undone, and the last of them.
    pub fn last(&self) -> (usize, &str) {
        (self.now, &self.states[self.now].what)
    }

    /// The texts before this state, newest first.
    pub fn before(&self) -> impl Iterator<Item = &Arc<str>> {
        self.states[..self.now].iter().rev().map(|s| &s.text)
    }
}
