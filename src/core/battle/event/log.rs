//! The log lines of events.

use super::{Event, EventKind, EventTable, Line, LogLevel};
use crate::{
    battle::{Choice, Names},
    words::shown,
};

/// The log of some events: their lines, without the heading of a part of the round in which
/// nothing happens, and without a fact that only repeats its action.
pub fn log_lines<'e>(events: &'e [Event], names: &Names) -> Vec<(&'e Event, Line)> {
    let mut lines: Vec<(&Event, Line)> = vec![];
    // The index of the last action's line, if its event may still come.
    let mut act: Option<(usize, &Choice)> = None;
    for event in events {
        let Some(line) = event.describe(names) else {
            continue;
        };
        let closes = matches!(line.depth, LogLevel::Part | LogLevel::Heading);
        if closes && lines.last().is_some_and(|(_, l)| l.depth == LogLevel::Part) {
            lines.pop();
        }
        match &event.what {
            EventKind::Acted { choice } => act = Some((lines.len(), choice)),
            _ if closes => act = None,
            what => {
                if let Some((n, _)) = act.filter(|(_, choice)| what.carries_out(choice)) {
                    lines[n].1.text = line.text;
                    continue;
                }
            }
        }
        lines.push((event, line));
    }
    lines
}

impl EventKind {
    /// Whether the event is all that an action was for, so that its log line replaces the line of
    /// the action: "Alice opens the door at 3,4" after "Alice opens a door".
    pub fn carries_out(&self, choice: &Choice) -> bool {
        let (who, what) = (choice.who, choice.verb.handling);
        what.is_some()
            && self.handles() == what.zip(who).map(|(what, who)| (what, who, choice.with))
    }
}

impl Event {
    /// The event's log line. `None` if the log leaves the event out.
    pub fn describe(&self, names: &Names) -> Option<Line> {
        let line = self.what.describe(names)?;
        let text = shown(&line.text).into_owned();
        Some(Line { text, ..line })
    }

    /// [`describe`](Self::describe) for readers who see the board.
    pub fn describe_on_board(&self, names: &Names) -> Option<Line> {
        let line = self.describe(names)?;
        let text = match self.what.describe_on_board(names) {
            Some(text) => shown(&text).into_owned(),
            None => line.text,
        };
        Some(Line { text, ..line })
    }
}
