//! What has happened, with its dice.

use super::Told;
use crate::{
    battle::{Depth, Rule},
    ui::{
        Session,
        art::palette,
        theme::{Cut, text},
        widgets::row,
    },
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

/// The lines of the log, scrollable.
#[derive(Component, Default)]
#[require(Told<Model>, Follows)]
pub struct LogCard;

/// The log shows its end, unless the player has scrolled up.
#[derive(Component, Default)]
pub struct Follows {
    /// The height of the content and of the window on it that the position
    /// was made for.
    seen: (f32, f32),
}

#[derive(PartialEq)]
pub struct Model {
    epoch: u32,
    lines: Vec<LogLine>,
}

#[derive(PartialEq, Clone)]
struct LogLine {
    depth: Depth,
    text: String,
    rule: Rule,
}

/// What is beyond this is history that nobody scrolls to.
const LONGEST: usize = 400;

pub(super) fn refresh(
    session: Res<Session>,
    log: Single<(Entity, &mut Told<Model>), With<LogCard>>,
    mut commands: Commands,
) {
    let (entity, mut told) = log.into_inner();
    let names = session.names();
    let line = |event: &crate::battle::Event| {
        let line = event.tell(names).filter(|l| l.depth < Depth::Trace)?;
        Some(LogLine {
            depth: line.depth,
            text: line.text,
            rule: event.rule,
        })
    };
    let mut lines: Vec<LogLine> = session.told().filter_map(line).collect();
    lines.drain(..lines.len().saturating_sub(LONGEST));
    let now = Model {
        epoch: session.shown().epoch,
        lines,
    };
    // A line more is the common case: no need to lay out the others again.
    let known = match &told.0 {
        Some(old) if now.lines.len() >= old.lines.len() && now.lines.starts_with(&old.lines) => {
            old.lines.len()
        }
        _ => {
            commands.entity(entity).despawn_children();
            0
        }
    };
    let fresh = now.lines[known..].to_vec();
    told.0 = Some(now);
    commands.entity(entity).with_children(|log| {
        for line in &fresh {
            show(log, line);
        }
    });
}

fn show(log: &mut ChildSpawnerCommands, line: &LogLine) {
    let (cut, ink, inset) = match line.depth {
        Depth::Heading => (Cut::Strong, palette::INK, 0.0),
        Depth::Fact => (Cut::Body, palette::INK, 0.0),
        _ => (Cut::Body, palette::FADED_INK, 12.0),
    };
    let top = if line.depth == Depth::Heading {
        6.0
    } else {
        0.0
    };
    let node = Node {
        align_items: AlignItems::Baseline,
        margin: UiRect::new(px(inset), px(0), px(top), px(0)),
        flex_shrink: 0.0,
        ..row(8.0)
    };
    log.spawn((node, Pickable::IGNORE)).with_children(|row| {
        row.spawn((
            Node {
                flex_grow: 1.0,
                flex_shrink: 1.0,
                flex_basis: px(0),
                ..default()
            },
            Pickable::IGNORE,
        ))
        .with_children(|words| {
            words.spawn(text(line.text.clone(), cut, ink));
        });
        if line.depth != Depth::Heading {
            row.spawn(text(line.rule, Cut::Small, palette::LINK));
        }
    });
}

/// The node of the scrolling part.
pub fn scroller() -> impl Bundle {
    let node = Node {
        flex_direction: FlexDirection::Column,
        flex_grow: 1.0,
        flex_basis: px(0),
        min_height: px(0),
        row_gap: px(2),
        overflow: Overflow::scroll_y(),
        ..default()
    };
    (LogCard, ScrollArea, node)
}

/// Keeps the end in view while lines come in.
pub(super) fn scroll(
    log: Single<(&ComputedNode, &mut ScrollPosition, &mut Follows), With<LogCard>>,
) {
    let (node, mut position, mut follows) = log.into_inner();
    let scale = node.inverse_scale_factor;
    let (content, height) = (node.content_size().y * scale, node.size().y * scale);
    if (content, height) == follows.seen {
        return;
    }
    let (seen, room) = follows.seen;
    let was_at_end = position.y >= seen - room - 4.0;
    if was_at_end || content < seen {
        position.y = (content - height).max(0.0);
    }
    follows.seen = (content, height);
}
