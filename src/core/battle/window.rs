//! A moment at which others may react.

use super::{Answer, Choice, Decision, Id, PASS, Poll};

/// A window in the course of things: an act was declared, a movement provokes,
/// an attack was rolled. All who have an offer are asked, sealed from each
/// other; what they chose is resolved together, on the state as it was before
/// any of it; then the window opens again, until all pass. It ends because
/// each reaction spends something.
///
/// The ruleset's step drives it with [`Window::run`] and says what may be
/// offered and what a reaction does.
#[derive(Clone, Debug)]
pub struct Window<M> {
    pub moment: M,
    poll: Option<Poll>,
}

/// Where a window stands after it was run.
#[derive(Debug)]
pub enum WindowState<M> {
    /// Somebody has to answer; run the window again then.
    Asks(Decision, Window<M>),
    /// What those who reacted chose, in the order in which they were asked.
    React(Vec<Choice>),
    /// All pass.
    Closed,
}

impl<M> Window<M> {
    pub fn open(moment: M) -> Self {
        Self { moment, poll: None }
    }

    /// Asks the next of `who` for whom `ask` finds an offer.
    pub fn run(
        self,
        answer: &mut Answer,
        who: impl FnOnce(&M) -> Vec<Id>,
        mut ask: impl FnMut(&M, Id) -> Option<Decision>,
    ) -> WindowState<M> {
        self.run_numbered(answer, who, |moment, _, id| ask(moment, id))
    }

    /// As [`run`](Self::run), where a unit may be among `who` several times: `ask`
    /// gets the place there, from 0.
    pub fn run_numbered(
        mut self,
        answer: &mut Answer,
        who: impl FnOnce(&M) -> Vec<Id>,
        mut ask: impl FnMut(&M, usize, Id) -> Option<Decision>,
    ) -> WindowState<M> {
        let mut poll = self
            .poll
            .take()
            .unwrap_or_else(|| Poll::of(who(&self.moment)));
        let asked = poll.next_numbered(answer, |n, id| ask(&self.moment, n, id));
        if let Some(question) = asked {
            self.poll = Some(poll);
            return WindowState::Asks(question, self);
        }
        let said = poll.open(answer).into_iter();
        let reactions: Vec<Choice> = said.filter(|c| c.verb != &PASS).collect();
        if reactions.is_empty() {
            WindowState::Closed
        } else {
            WindowState::React(reactions)
        }
    }
}
