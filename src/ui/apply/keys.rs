//! Keys in a battle.

use super::apply_command::gone_target;
use crate::ui::{
    ActionPreview, Command, Selection, Session,
    input::{Key, PromptAnswered, Repeat, arrows},
    preview::Click,
};
use bevy::prelude::*;

pub(super) fn battle_keys(
    keys: Res<ButtonInput<Key>>,
    (session, selection): (Res<Session>, Res<Selection>),
    preview: Res<ActionPreview>,
    (time, real, answered): (Res<Time>, Res<Time<Real>>, Res<PromptAnswered>),
    mut repeat: Local<Repeat>,
    mut out: MessageWriter<Command>,
) {
    let menu = preview.menu.as_ref();
    let (east, south) = arrows(&keys, &time, &mut repeat);
    if let Some(slider) = menu.and_then(|m| m.slider.as_ref()) {
        let by = i32::from(east) - i32::from(south) * slider.large_step();
        if by != 0 {
            out.write(Command::Nudge(by));
        }
    } else if (east, south) != (0, 0) {
        out.write(Command::Step(east, south));
    }
    let lets_pass = menu.is_some_and(|m| m.is_reaction) && selection.partial_choices.is_empty();
    // A prompt beside the board is answered by letters, any other list by numbers. The row that
    // declines shows another key.
    let row_of = |key: Key| {
        let menu = menu?;
        let n = match key {
            _ if menu.is_docked() => {
                let mut rows = 0..menu.rows.len();
                rows.find(|&n| Key::answer(n) == Some(key))?
            }
            Key::Member(n) => n.into(),
            _ => return None,
        };
        menu.rows.get(n).filter(|row| !row.is_pass).map(|_| n)
    };
    let chosen = selection.partial_choices.last();
    let is_from_list = menu.is_none()
        && chosen.is_some_and(|partial| !partial.is_aimed())
        && !(selection.more || selection.pinned || selection.warning.is_some());
    let is_list = menu.is_some_and(|menu| !menu.is_docked());
    let suggested = menu.and_then(|menu| menu.suggested);
    // With a list open, Enter takes its first row, unless the cursor was moved to a target by keys.
    // With an optional target, Enter leaves it open.
    let aims = selection.by_keys && preview.click.choice().is_some();
    let is_open = menu.is_some() || preview.unaimed.is_some();
    let lists = menu.is_some_and(|m| m.is_reaction) || is_open && !aims;
    // The plan waits for confirmation, and the keys have not moved the cursor.
    let waits = session.held().is_some() && !selection.by_keys;
    // Where the pointer happens to rest is no target: after an order the next unit is selected, and
    // a second press of Enter must not give it one.
    let is_unaimed = session.is_declaring() && selection.armed.is_none() && !selection.pinned;
    let is_resting = selection.mouse_rested && matches!(preview.click, Click::Nothing);
    let is_gone = gone_target(&session, &selection).is_some();
    let is_stray = !selection.by_keys && (is_unaimed || is_resting || is_gone);
    for &key in keys.get_just_pressed() {
        if let Some(row) = row_of(key) {
            out.write(Command::Reply(row));
            continue;
        }
        let command = match key {
            Key::Confirm if answered.is_double(&real) => continue,
            Key::Confirm if selection.warning.is_some() => Command::Confirm(true),
            Key::Back if selection.warning.is_some() => Command::Confirm(false),
            Key::Confirm if selection.confirming_end => Command::EndTurn,
            // Enter takes a reaction that helps, or declines. Esc declines.
            Key::Confirm if lists => Command::Reply(suggested.unwrap_or(0)),
            Key::Back if lets_pass => Command::Reply(usize::MAX),
            Key::Member(_) if is_list => continue,
            Key::Confirm if waits => Command::EndTurn,
            Key::Confirm if is_stray => continue,
            Key::Confirm => Command::Go,
            Key::Back => Command::Back,
            Key::Next => Command::Cycle { back: false },
            Key::Previous => Command::Cycle { back: true },
            // While the target of what was chosen from a list is open, another row can be chosen.
            Key::Member(n) if is_from_list => {
                out.write(Command::Back);
                Command::Reply(n.into())
            }
            Key::Member(n) => Command::Member(n.into()),
            Key::Act(c) => Command::Act(c),
            Key::Other => Command::Other,
            Key::Done => Command::Done,
            Key::EndTurn => Command::EndTurn,
            Key::Undo => Command::Undo,
            Key::Skip => Command::Skip,
            Key::Rewatch => Command::Rewatch,
            Key::Repeat => Command::Repeat { all: false },
            Key::RepeatAll => Command::Repeat { all: true },
            Key::Suggest => Command::Suggest { all: false },
            Key::SuggestAll => Command::Suggest { all: true },
            Key::Preset(n) => Command::Preset(n.into()),
            Key::Otherwise => Command::Otherwise,
            Key::Via => Command::AddWaypoint,
            Key::More => Command::More,
            Key::Overlay(overlay) => Command::Overlay(overlay),
            Key::Why => Command::Why,
            Key::Hint => Command::Hint,
            Key::DoBest => Command::DoBest,
            Key::Up | Key::Down | Key::Left | Key::Right | Key::Faster => continue,
            Key::Reroll | Key::Buttons | Key::Settings | Key::FullScreen => continue,
            Key::QuickSave | Key::QuickLoad | Key::ZoomIn | Key::ZoomOut => continue,
            Key::Codex | Key::PageUp | Key::PageDown | Key::Edit(_) => continue,
        };
        out.write(command);
    }
}
