//! Asking several in order, sealed from each other.

use super::{Answer, Choice, Decision, Id, Side};

/// Who is still to be asked. What the others said lies in [`Answer`], and not
/// in the record of events, before all have answered.
#[derive(Clone, Debug, Default)]
pub struct Poll {
    /// Each with the number of its question.
    left: Vec<(usize, Id)>,
    /// Those who have answered, in the order in which they were asked.
    asked: Vec<(usize, Id)>,
    /// Where its answers lie among those of all polls; nowhere before the first
    /// question.
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

    /// Takes the answer to the last question, then finds the next one to ask:
    /// who has no offer (`ask` gives none) is skipped. `None`: all have said.
    pub fn next(
        &mut self,
        answer: &mut Answer,
        mut ask: impl FnMut(Id) -> Option<Decision>,
    ) -> Option<Decision> {
        self.next_numbered(answer, |_, id| ask(id))
    }

    /// As [`next`](Self::next), where a unit may be asked several questions: `ask`
    /// gets the number of the question, from 0, in the order of the ids.
    pub fn next_numbered(
        &mut self,
        answer: &mut Answer,
        mut ask: impl FnMut(usize, Id) -> Option<Decision>,
    ) -> Option<Decision> {
        let place = *self.place.get_or_insert(answer.sealed.len());
        // What an inner poll left that was broken off is forgotten.
        answer.sealed.resize(place + 1, vec![]);
        if let Some(choice) = answer.take() {
            self.asked.push(self.left.remove(0));
            answer.sealed[place].push(choice);
        }
        while let Some(&(n, who)) = self.left.first() {
            match ask(n, who) {
                None => {
                    self.left.remove(0);
                }
                Some(question) => {
                    if !self.sides.contains(&question.side) {
                        self.sides.push(question.side);
                    }
                    return Some(question);
                }
            }
        }
        // In a redacted copy some answers are missing.
        let sealed = &answer.sealed[place];
        if sealed.len() < self.asked.len() {
            let has_said = |id: Id| sealed.iter().any(|said| said.who == Some(id));
            self.left = (self.asked.iter().copied())
                .filter(|&(_, id)| !has_said(id))
                .collect();
            self.asked.retain(|&(_, id)| has_said(id));
            return self.next_numbered(answer, ask);
        }
        None
    }

    /// What all have said, in the order in which they were asked: no longer
    /// sealed.
    pub fn open(self, answer: &mut Answer) -> Vec<Choice> {
        answer.opened += u32::from(self.sides.len() > 1);
        let mine = |place| answer.sealed.drain(place..).next();
        self.place.and_then(mine).unwrap_or_default()
    }

    /// Asks `ids` beside those who have `said` something already.
    pub fn beside(said: Vec<Choice>, ids: Vec<Id>, answer: &mut Answer) -> Self {
        let poll = Self {
            left: ids.into_iter().enumerate().collect(),
            asked: said.iter().filter_map(|c| c.who).enumerate().collect(),
            place: Some(answer.sealed.len()),
            sides: vec![],
        };
        answer.sealed.push(said);
        poll
    }
}
