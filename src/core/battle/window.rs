//! Reaction windows: moments at which other units can react.

use super::{Answer, Choice, Decision, Id, PASS, Poll};

/// A pause for reactions: an action was declared, a movement provokes, an attack was rolled. All
/// units with an offer choose in secret. Their choices are resolved together, on the state before
/// any of them. Then the window opens again, until all pass. It always closes, because each
/// reaction spends something.
///
/// The ruleset's step drives it with [`Window::run`] and decides what is offered and what a
/// reaction does.
#[derive(Clone, Debug)]
pub struct Window<M> {
    pub moment: M,
    poll: Option<Poll>,
}

/// The state of a window after it was run.
#[derive(Debug)]
pub enum WindowState<M> {
    /// A unit has to answer; then run the window again.
    Asks(Decision, Window<M>),
    /// The choices of the units that react, in the order in which they were asked.
    React(Vec<Choice>),
    /// All units passed.
    Closed,
}

impl<M> Window<M> {
    pub fn open(moment: M) -> Self {
        Self { moment, poll: None }
    }

    /// Asks the next unit of `who` for which `ask` finds an offer.
    pub fn run(
        self,
        answer: &mut Answer,
        who: impl FnOnce(&M) -> Vec<Id>,
        mut ask: impl FnMut(&M, Id) -> Option<Decision>,
    ) -> WindowState<M> {
        self.run_numbered(answer, who, |moment, _, id| ask(moment, id))
    }

    /// Like [`run`](Self::run), for a `who` that can list a unit several times: `ask` also gets
    /// the index in `who`, from 0.
    pub fn run_numbered(
        mut self,
        answer: &mut Answer,
        who: impl FnOnce(&M) -> Vec<Id>,
        mut ask: impl FnMut(&M, usize, Id) -> Option<Decision>,
    ) -> WindowState<M> {
        let poll = self.poll.take();
        let mut poll = poll.unwrap_or_else(|| Poll::of(who(&self.moment)));
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
