//! Asking several units in order, each in secret.

use super::{Answer, Choice, Decision, Id, Side};

/// The units still to ask. Until all have answered, the answers are kept in [`Answer`] and not in
/// the list of events.
#[derive(Clone, Debug, Default)]
pub struct Poll {
    /// Each unit with the number of its question.
    left: Vec<(usize, Id)>,
    /// The units that have answered, in the order in which they were asked.
    asked: Vec<(usize, Id)>,
    /// The index of this poll's answers in [`Answer`]. `None` before the first question.
    place: Option<usize>,
    /// The sides that were asked.
    sides: Vec<Side>,
}

impl Poll {
    pub fn of(ids: impl IntoIterator<Item = Id>) -> Self {
        Self {
            left: ids.into_iter().enumerate().collect(),
            ..Self::default()
        }
    }

    /// Takes the answer to the last question and returns the next one, skipping units for which
    /// `ask` has no offer. `None` when all have answered.
    pub fn next(
        &mut self,
        answer: &mut Answer,
        mut ask: impl FnMut(Id) -> Option<Decision>,
    ) -> Option<Decision> {
        self.next_numbered(answer, |_, id| ask(id))
    }

    /// Like [`next`](Self::next), for units with several questions: `ask` also gets the number of
    /// the question, from 0, in the order of the ids.
    pub fn next_numbered(
        &mut self,
        answer: &mut Answer,
        mut ask: impl FnMut(usize, Id) -> Option<Decision>,
    ) -> Option<Decision> {
        let place = *self.place.get_or_insert(answer.sealed.len());
        // Drops what an aborted inner poll left behind.
        answer.sealed.resize(place + 1, vec![]);
        if let Some(choice) = answer.take() {
            self.asked.push(self.left.remove(0));
            answer.sealed[place].push(choice);
        }
        while let Some(&(n, who)) = self.left.first() {
            if let Some(question) = ask(n, who) {
                if !self.sides.contains(&question.side) {
                    self.sides.push(question.side);
                }
                return Some(question);
            }
            self.left.remove(0);
        }
        // In a redacted copy, some answers are missing: ask those units again.
        let sealed = &answer.sealed[place];
        if sealed.len() < self.asked.len() {
            let has_answered = |id: Id| sealed.iter().any(|said| said.who == Some(id));
            self.left = (self.asked.iter().copied())
                .filter(|&(_, id)| !has_answered(id))
                .collect();
            self.asked.retain(|&(_, id)| has_answered(id));
            return self.next_numbered(answer, ask);
        }
        None
    }

    /// Reveals all answers, in the order of the questions.
    pub fn open(self, answer: &mut Answer) -> Vec<Choice> {
        answer.opened += u32::from(self.sides.len() > 1);
        let own_answers = |place| answer.sealed.drain(place..).next();
        self.place.and_then(own_answers).unwrap_or_default()
    }

    /// Asks `ids` in addition to the units whose answers `said` already holds.
    pub fn resume_with(said: Vec<Choice>, ids: Vec<Id>, answer: &mut Answer) -> Self {
        let poll = Self {
            asked: said.iter().filter_map(|c| c.who).enumerate().collect(),
            place: Some(answer.sealed.len()),
            ..Self::of(ids)
        };
        answer.sealed.push(said);
        poll
    }
}
