//! The log lines of events.

use super::{Event, EventKind, EventTable, Line, LogLevel};
use crate::battle::Names;

/// The log of some events: their lines, without the heading of a part of the round in which
/// nothing happens, and without a fact that only repeats its action.
pub fn log_lines<'e>(events: &'e [Event], names: &Names) -> Vec<(&'e Event, Line)> {
    let mut lines: Vec<(&Event, Line)> = vec![];
    // The index of the last action's line.
    let mut act: Option<usize> = None;
    for event in events {
        let Some(line) = event.describe(names) else {
            continue;
        };
        let closes = matches!(line.depth, LogLevel::Part | LogLevel::Heading);
        if closes && lines.last().is_some_and(|(_, l)| l.depth == LogLevel::Part) {
            lines.pop();
        }
        match event.what {
            EventKind::Acted { .. } => act = Some(lines.len()),
            // A step is never a repetition, not even the last one of a move.
            EventKind::Moved { .. } => {}
            _ if closes => act = None,
            _ => {
                let announced = act.map(|n| &mut lines[n].1.text);
                if let Some(announced) = announced.filter(|text| restates(&line.text, text)) {
                    *announced = line.text;
                    continue;
                }
            }
        }
        lines.push((event, line));
    }
    lines
}

/// Whether a fact repeats the line of its action, perhaps with more: "Alice opens the door at
/// 3,4" after "Alice opens the door".
pub fn restates(fact: &str, act: &str) -> bool {
    let more = fact.strip_prefix(act);
    more.is_some_and(|more| more.is_empty() || more.starts_with(' '))
}

impl Event {
    /// The event's log line. `None` if the log leaves the event out.
    pub fn describe(&self, names: &Names) -> Option<Line> {
        let line = self.what.describe(names)?;
        let text = crate::words::shown(&line.text).into_owned();
        Some(Line { text, ..line })
    }
}
