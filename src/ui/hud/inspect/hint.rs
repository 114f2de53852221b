//! What could be done now, where nothing is pointed at.

use super::Part;
use crate::ui::{ActionPreview, Selection, Session};

/// What clicks and keys do at this moment, a line each.
pub(super) fn hint(session: &Session, selection: &Selection, preview: &ActionPreview) -> Part {
    if session.held().is_some() && selection.armed.is_none() {
        return Part::Hint(vec![
            "Everybody has declared: look at the plan. Point at somebody for all of it.",
            "E begins the round, U takes the last plan back.",
        ]);
    }
    let is_listed = preview.menu.is_some();
    let is_number = preview.menu.as_ref().is_some_and(|m| m.slider.is_some());
    Part::Hint(match (selection.chosen, selection.armed) {
        (Some(_), _) if is_number => vec![
            "Less and more: the buttons, or the arrows.",
            "Enter does it, Esc goes a step back.",
        ],
        (Some(_), Some(_)) if is_listed => vec![
            "Choose from the list: a click, or its number.",
            "Esc goes a step back.",
        ],
        (Some(_), Some(_)) if preview.unaimed.is_some() => vec![
            "Click whom or where it is meant for; Enter leaves that open.",
            "Esc goes a step back.",
        ],
        (None, _) => vec!["Choose somebody: a click, Tab or a number."],
        (_, Some(_)) => vec![
            "Choose a target: a click, or Tab and Enter.",
            "Esc lets the act be.",
        ],
        _ if preview.acts.is_empty() && preview.reach.is_empty() => vec![],
        _ if preview.reach.is_empty() => vec![
            "Click whom to attack or where to go, or choose by the buttons. R: the same again.",
            "F1: the rules. Q: every act, and why some cannot be done.",
        ],
        _ if preview.acts.iter().all(|a| !a.plain || a.why_not.is_some()) => {
            vec![
                "A click on a coloured cell moves there.",
                "Shift and a click (V) lays the path by hand.",
                "Q: every act, and why some cannot be done.",
                "Ctrl and a click keeps what this card says of a cell.",
            ]
        }
        _ => vec![
            "A click on a coloured cell moves there, on an enemy attacks.",
            "Shift and a click (V) lays the path by hand.",
            "By keys: arrows, Enter, Tab for the next one.",
            "F1: the rules. Q: every act, and why some cannot be done.",
            "Ctrl and a click keeps what this card says of a cell.",
        ],
    })
}
