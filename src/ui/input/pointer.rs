//! Splits pointer input into portions that a frame can handle.
//!
//! Picking compares what is under the pointer in this frame and the last one, and observers of a
//! press may rebuild the pressed entity. A press and its release in one frame, or a move and a
//! press, would be lost. So a frame gets either moves and scrolling, or one press or release; the
//! rest waits.

use bevy::{
    ecs::message::MessageCursor,
    picking::{
        PickingSystems,
        pointer::{PointerAction, PointerInput},
    },
    prelude::*,
};
use std::collections::VecDeque;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(First, portion.in_set(PickingSystems::PostInput));
}

/// Leaves only this frame's portion among the messages.
fn portion(
    mut inputs: ResMut<Messages<PointerInput>>,
    mut new: Local<MessageCursor<PointerInput>>,
    mut waiting: Local<VecDeque<PointerInput>>,
) {
    let is_stroke = |input: &PointerInput| {
        matches!(
            input.action,
            PointerAction::Press(_) | PointerAction::Release(_)
        )
    };
    waiting.extend(new.read(&inputs).cloned());
    if waiting.is_empty() {
        return;
    }
    let moves = waiting.iter().take_while(|input| !is_stroke(input)).count();
    let portion = match moves {
        0 => waiting.len().min(1),
        moves => moves,
    };
    // All readers run every frame, so older messages have been read.
    inputs.clear();
    inputs.write_batch(waiting.drain(..portion));
    new.clear(&inputs);
}
