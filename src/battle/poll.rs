//! Asking several in order, sealed from each other.

use super::{Answer, Choice, Decision, Id};

/// Who is still to be asked, and what the others said. Nobody's answer is in
/// the record of events before all have answered.
#[derive(Clone, Debug, Default)]
pub struct Poll {
    pub left: Vec<Id>,
    pub said: Vec<Choice>,
}

impl Poll {
    pub fn of(ids: impl IntoIterator<Item = Id>) -> Self {
        Self {
            left: ids.into_iter().collect(),
            said: vec![],
        }
    }

    /// Takes the answer to the last question, then finds the next one to ask:
    /// who has no offer (`ask` gives none) is skipped. `None`: all have said.
    pub fn next(
        &mut self,
        answer: &mut Answer,
        mut ask: impl FnMut(Id) -> Option<Decision>,
    ) -> Option<Decision> {
        if let Some(choice) = answer.0.take() {
            self.left.remove(0);
            self.said.push(choice);
        }
        while let Some(&who) = self.left.first() {
            match ask(who) {
                None => {
                    self.left.remove(0);
                }
                question => return question,
            }
        }
        None
    }
}
