//! What the player can do while no unit or cell is hovered.

use super::ClickEffect;
use crate::{
    battle::{Choice, Cost, CowStr},
    ui::{
        ActionPreview, Selection, Session,
        preview::{Unaimed, stuck},
    },
};

/// What clicks and keys do right now, one line each.
pub(super) fn hint(
    session: &Session,
    selection: &Selection,
    preview: &ActionPreview,
) -> ClickEffect {
    if session.held().is_some() && selection.armed.is_none() {
        return ClickEffect::Hint(vec![
            "Hover a unit for details.".into(),
            "E: begin the round. U: undo the last order.".into(),
        ]);
    }
    let is_number = preview.menu.as_ref().is_some_and(|m| m.slider.is_some());
    let mut lines = match (selection.chosen, selection.armed) {
        (Some(_), _) if is_number => vec![
            "Less or more: use the buttons or arrow keys.",
            "Enter: confirm. Esc: back.",
        ],
        (Some(_), Some(_)) if preview.unaimed.is_some() => {
            let aims = match preview.unaimed {
                Some((_, Unaimed::Cell)) => "Click a cell; Enter to pick it later.",
                _ => "Click the target; Enter to pick it later.",
            };
            vec![aims, "Esc: back."]
        }
        (None, _) => vec!["Select a unit: click, Tab or a number."],
        (_, Some(_)) if selection.partial_choice().at.is_some() => {
            vec!["Choose a cell: click, or Tab and Enter.", "Esc: back."]
        }
        (_, Some(_)) => vec!["Choose a target: click, or Tab and Enter.", "Esc: cancel."],
        _ if preview.acts.is_empty() && preview.reach.is_empty() => vec![],
        (Some(who), None) if preview.reach.is_empty() && session.can_repeat(who) => vec![
            "Click an enemy or a cell, or use the buttons. R: repeat last orders.",
            "F1: codex. Q: all actions.",
        ],
        (Some(who), None)
            if !session.is_declaring() && session.idle_members().all(|unit| unit.id != who) =>
        {
            vec![
                "Nothing left to do this turn.",
                "Tab: next unit. F1: codex. Q: all actions.",
            ]
        }
        // A unit that can't move can't use cells, unless it plans a move.
        _ if preview.reach.is_empty() => vec![
            match session.is_declaring() {
                true => "Click an enemy or a cell, or use the buttons.",
                false => "Click an enemy, or use the buttons.",
            },
            "F1: codex. Q: all actions.",
        ],
        _ if !can_attack(session, preview) => {
            vec![
                "Click a coloured cell to move.",
                "Shift+click or V: add a waypoint.",
                "Q: all actions.",
                "Ctrl+click: pin this card.",
            ]
        }
        _ => vec![
            "Click a coloured cell to move, an enemy to attack.",
            "Shift+click or V: add a waypoint.",
            "Keys: arrows, Enter, Tab for the next unit.",
            "F1: codex. Q: all actions.",
            "Ctrl+click: pin this card.",
        ],
    };
    let has = |cost: Cost| preview.range().iter().any(|end| end.cost == cost);
    if has(Cost::Plain) && has(Cost::Extra) && selection.armed.is_none() && !lines.is_empty() {
        lines.insert(1, "Small orange cells cost more: hover one to see what.");
    }
    let moving = selection.chosen.filter(|_| selection.armed.is_none());
    let stuck = moving.and_then(|who| stuck(session, &preview.acts, who, false));
    let lines = lines.into_iter().map(CowStr::from);
    ClickEffect::Hint(stuck.map(CowStr::from).into_iter().chain(lines).collect())
}

/// Whether a click on an enemy can be an attack or a harmful spell now.
fn can_attack(session: &Session, preview: &ActionPreview) -> bool {
    let queries = &session.queries;
    let planning = queries.rules.planning;
    let harms = |choice: &Choice| planning.is_attack(choice.verb) || queries.harms(choice);
    let mut plain = preview.acts.iter().filter(|act| act.plain);
    plain.any(|act| act.choices().any(harms))
}
