//! What was done to a text, without end.

use std::sync::Arc;

/// Every state that a text has had, to go back and on.
#[derive(Clone, Debug)]
pub struct History {
    states: Vec<State>,
    now: usize,
    /// As the file has it.
    saved: Arc<str>,
}

#[derive(Clone, Debug)]
struct State {
    text: Arc<str>,
    /// What made it: "move goblin guard".
    what: String,
    /// Further edits with the same key join it: digits typed one by one.
    key: Option<String>,
}

impl History {
    pub fn new(text: &str) -> Self {
        let text: Arc<str> = text.into();
        let first = State {
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

    /// The text as the file has it.
    pub fn saved(&self) -> &Arc<str> {
        &self.saved
    }

    pub fn is_saved(&self) -> bool {
        self.text() == &self.saved
    }

    /// The file has this text now.
    pub fn mark_saved(&mut self, text: &str) {
        self.saved = text.into();
    }

    /// A new state; what was undone before is given up. One that changes nothing
    /// is none.
    pub fn push(&mut self, text: &str, what: impl Into<String>, key: Option<String>) {
        if &**self.text() == text {
            return;
        }
        self.states.truncate(self.now + 1);
        let joins = key.is_some() && self.states[self.now].key == key;
        let state = State {
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

    /// What comes next is an edit of its own, whatever its key.
    pub fn seal(&mut self) {
        self.states[self.now].key = None;
    }

    /// Goes back by one; what was undone.
    pub fn undo(&mut self) -> Option<&str> {
        self.now = self.now.checked_sub(1)?;
        self.seal();
        Some(&self.states[self.now + 1].what)
    }

    /// Goes on by one that was undone.
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

    /// How many edits lie behind, and what the last was.
    pub fn last(&self) -> (usize, &str) {
        (self.now, &self.states[self.now].what)
    }

    /// The states before this one, the youngest first.
    pub fn before(&self) -> impl Iterator<Item = &Arc<str>> {
        self.states[..self.now].iter().rev().map(|s| &s.text)
    }
}
