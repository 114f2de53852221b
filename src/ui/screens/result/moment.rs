//! The decisive moment of a battle, drawn as a piece torn out of the board.

use super::{super::page_card, Maker};
use crate::{
    battle::{Cue, CueKind, Event, EventKind, Id, LogLevel, numeral},
    control::timeline::{PLAYOUTS, Review, Timeline, TimelineAction},
    ui::{
        Session, Shown,
        app_command::{AppCommand, ReplayCommand},
        art::{
            board::{DrawnArea, MARGIN},
            hud::Panel,
            palette,
            plan::BoardPlan,
            scene::{Scene, scene},
            tokens::{self as drawn, Pose},
        },
        pictures,
        redraw::KeepRedrawing,
        shown::{UnitView, corner_in_cell},
        theme::{TextStyle, faded, heading_text, strong_text, text},
        tokens,
        widgets::{
            NodeExt, SpawnWith, Tip, column, message_button, panel_style, rigid, sized, spacer,
            words_row, wrapping_row,
        },
    },
};
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The least number of cells that the picture shows, from side to side.
const CELLS: f32 = 8.0;
/// The least height of what is below the picture, in layout pixels at the standard text size.
const BELOW: f32 = 120.0;

/// Spawns the card; `wide` and `high` are the size of its column in layout pixels. Without a review
/// the moment is still being searched for. The card has the same size then, and if there is no
/// decisive moment.
pub(super) fn card(
    place: &mut ChildSpawnerCommands,
    maker: &mut Maker,
    (review, timeline): (Option<&Review>, &Timeline),
    (wide, high): (f32, f32),
) {
    let node = page_card(6.0).grow();
    let action = review.and_then(|review| review.decisive.as_ref());
    let is_of_road = maker.road.has_fought(&maker.session);
    let room = (wide - 36.0).max(160.0);
    // Leave space for the text and buttons below.
    let shape = ((high - 40.0 - (BELOW + 30.0) * maker.room.text()) / room).clamp(0.3, 1.0);
    let fine = maker.room.screen_scale();
    let drawn = action.and_then(|action| picture(&maker.session, action, room * fine, shape));
    let drawn = drawn.or_else(|| end(&maker.session, room * fine, shape));
    let image = drawn.map(|drawn| maker.icons.images.add(drawn));
    let summary = action.map(|action| {
        format!(
            "Round {}: {}",
            action.round,
            describe_action(&maker.session, action)
        )
    });
    let estimate = match review {
        Some(_) => None,
        None => maker.session.estimated_swing(timeline),
    };
    let estimate = estimate.map(|action| {
        let (before, after) = action.swing;
        format!(
            "By a first estimate, most changed in round {}: {}, from {:.0}% to {:.0}%",
            action.round,
            describe_action(&maker.session, &action),
            before * 100.0,
            after * 100.0
        )
    });
    place.spawn_with((node, panel_style(Panel::Card)), |card| {
        // Without a decisive moment, or before it is found, the picture shows how the battle ended.
        let title = match action {
            Some(_) => "The largest swing of one action",
            None => "Final position",
        };
        card.spawn(heading_text(title));
        if let Some(image) = image {
            let node = sized(room, room * shape);
            card.spawn((node, ImageNode::new(image), Pickable::IGNORE));
        }
        let below = column(6.0).min_height(px(BELOW * maker.room.text())).grow();
        let mut below = card.spawn((rigid(below), Pickable::IGNORE));
        let words = match (review, action.zip(summary)) {
            (_, Some((action, summary))) => {
                below.with_children(|below| lines(below, action, summary, is_of_road));
                return;
            }
            (None, _) => "Simulating the turning points of the battle\u{2026}",
            (Some(_), None) => "No single action decided this battle.",
        };
        if review.is_none() {
            below.insert(KeepRedrawing);
        }
        below.with_children(|below| {
            if let Some(estimate) = estimate {
                below.spawn(faded(estimate));
            }
            below.spawn(faded(words));
        });
    });
}

/// What happened, what it changed, and the buttons.
fn lines(
    below: &mut ChildSpawnerCommands,
    action: &TimelineAction,
    summary: String,
    is_of_road: bool,
) {
    below.spawn(strong_text(summary));
    let source = format!(
        "Actions of all sides count, each by itself: a whole turn can change more. Measured by {PLAYOUTS} \
         simulations before and after, in which nothing is hidden. The bar knew only what you knew, \
         so its numbers can differ"
    );
    let line = (words_row(8.0), Tip::text(source));
    below.spawn_with(line, |line| {
        let (before, after) = action.swing;
        let ink = match after > before {
            true => palette::TEAL,
            false => palette::DANGER,
        };
        let percent = |chance: f32| format!("{}%", (chance * 100.0).round());
        line.spawn(heading_text(percent(before)));
        line.spawn(faded("to"));
        line.spawn(text(percent(after), TextStyle::Heading, ink));
        let error = (action.error * 100.0).round();
        let words = format!("win chance, ± {error}, in {PLAYOUTS} simulations");
        line.spawn(faded(words));
    });
    below.spawn(spacer());
    below.group(wrapping_row(8.0, 6.0), |line| {
        let start = action.events.start;
        let watch = AppCommand::Replay(ReplayCommand::Watch(start));
        message_button(line, "Show it", watch);
        // A battle of the Road is fought once.
        if !is_of_road {
            let retry = AppCommand::Replay(ReplayCommand::TryFrom(start));
            message_button(line, "Retry from here", retry);
        }
    });
}

/// The most consequences that the card names.
const CONSEQUENCES: usize = 3;

/// The action and its consequences in the words of the log: "Mara attacks goblin 2 with hand axe.
/// Goblin 2 falls". Other units may act at the same time, so the action of the doer may come later,
/// or not at all.
fn describe_action(session: &Session, action: &TimelineAction) -> String {
    let events = &session.game.events()[action.events.clone()];
    let names = session.game.names();
    let is_doers = |event: &&Event| match &event.what {
        EventKind::Acted { choice } => choice.who == action.by,
        _ => false,
    };
    let is_consequence = |event: &&Event| match &event.what {
        EventKind::Fell { .. } => true,
        EventKind::MoraleEnded { broke, .. } => !broke.is_empty(),
        _ => false,
    };
    // The place that the action began at, if it is a move.
    let from = events.iter().find_map(|event| match event.what {
        EventKind::Moved { who, from, .. } if Some(who) == action.by => Some(from),
        _ => None,
    });
    let fact = |event: &Event| {
        let line = event.describe_on_board(names)?;
        let text = match &event.what {
            EventKind::Acted { choice } => choice.log_text_from(names, from),
            _ => line.text,
        };
        (line.depth == LogLevel::Fact).then_some(text)
    };
    let own = events.iter().filter(is_doers).find_map(fact);
    let consequences = events.iter().filter(is_consequence);
    let consequences = consequences.filter_map(|event| event.describe_on_board(names));
    let consequences = consequences.map(|line| line.text).take(CONSEQUENCES);
    let parts: Vec<String> = own.into_iter().chain(consequences).collect();
    match parts.is_empty() {
        true => events.iter().find_map(fact).unwrap_or_default(),
        false => parts.join(". "),
    }
}

/// What units lost in an action, with the units that dealt it.
#[derive(Default)]
pub struct Losses {
    /// Damage per unit, healing counted as negative.
    pub points: BTreeMap<Id, i32>,
    /// Each attacker and its target.
    pub dealt: BTreeSet<(Id, Id)>,
}

/// What units lost in an action of the doer. What no unit deals, such as bleeding, counts only for
/// the doer, whose own mistake it can be: on other units, its numbers would cover those of the
/// action.
pub fn losses(events: &[Event], doer: Option<Id>) -> Losses {
    let mut lost = Losses::default();
    for cue in events.iter().filter_map(Event::cue) {
        let Cue {
            kind,
            who,
            by,
            points,
            ..
        } = cue;
        let (points, by) = match kind {
            CueKind::Wound | CueKind::Harm if by.is_none() && who != doer => continue,
            CueKind::Wound | CueKind::Harm => (points, by),
            CueKind::Heal => (-points, by.or(doer)),
            _ => continue,
        };
        if let Some(who) = who {
            *lost.points.entry(who).or_insert(0) += points;
            lost.dealt.extend(by.map(|by| (by, who)));
        }
    }
    lost
}

/// A picture of the units involved: where they stood before the action, in the state
/// that it left them in. It is `wide_px` wide and `shape` times that high.
fn picture(session: &Session, action: &TimelineAction, wide_px: f32, shape: f32) -> Option<Image> {
    let mut watched = session.as_replay().ok()?;
    watched.seek(action.events.start);
    let before: Shown = watched.shown().clone();
    watched.seek(action.events.end);
    let after = watched.shown();
    let events = &session.game.events()[action.events.clone()];
    let lost = losses(events, action.by);
    let mut caught = events.iter().filter_map(|event| match &event.what {
        EventKind::Caught { who, .. } => Some(who.clone()),
        _ => None,
    });
    let caught = caught.next().unwrap_or_default();

    // The acting unit is drawn where it acted, the others where they were hit.
    let place = |id: Id| match Some(id) == action.by {
        true => after.unit(id).middle(),
        false => before.unit(id).middle(),
    };
    let mut units: Vec<Id> = lost.points.keys().chain(&caught).copied().collect();
    units.extend(lost.dealt.iter().map(|(by, _)| *by));
    units.extend(action.by);
    let there = |id: &Id| before.unit(*id).is_there() || after.unit(*id).is_there();
    units.retain(there);
    let points: Vec<(f32, f32)> = units.iter().map(|&id| place(id)).collect();
    let area = around(&points, &before, shape)?;
    let cell_px = cell_px(&area, wide_px);

    let mut tokens = vec![];
    for unit in before.units.iter().filter(|p| p.is_there()) {
        let pose = match after.unit(unit.id).is_up() {
            true if Some(unit.id) == action.by => Pose::Active,
            true => Pose::Ready,
            false => Pose::Down,
        };
        // The acting unit is drawn where it ends.
        let corner = match Some(unit.id) == action.by {
            true => corner_in_cell(&after.units, after.unit(unit.id)),
            false => corner_in_cell(&before.units, unit),
        };
        let token = drawn::token(tokens::token(unit, pose, corner), cell_px);
        let layer = tokens::layer(pose, corner);
        tokens.push((layer, (token, place(unit.id))));
    }
    tokens.sort_by_key(|(layer, _)| *layer);
    let tokens = tokens.into_iter().map(|(_, token)| token).collect();
    let mut arrows = vec![];
    let mut burst = None;
    if let (Some(by), true) = (action.by, caught.len() > 1) {
        let all: Vec<(f32, f32)> = caught.iter().map(|&id| place(id)).collect();
        let n = all.len() as f32;
        let middle = (
            all.iter().map(|s| s.0).sum::<f32>() / n,
            all.iter().map(|s| s.1).sum::<f32>() / n,
        );
        let far = all.iter().map(|s| (s.0 - middle.0).hypot(s.1 - middle.1));
        burst = Some((middle, far.fold(0.0, f32::max) + 0.8));
        arrows.push((place(by), middle));
    } else {
        let others = lost.dealt.iter().filter(|(by, at)| by != at);
        arrows.extend(others.map(|&(by, at)| (place(by), place(at))));
    }
    let words = lost
        .points
        .iter()
        .filter(|(id, points)| **points != 0 && there(id));
    let words = words.map(|(&id, &points)| {
        let (x, y) = place(id);
        let words = match points > 0 {
            true => numeral(-points),
            false => format!("+{}", -points),
        };
        (words, (x + 0.42, y - 0.52))
    });
    let drawn = scene(
        &Scene {
            plan: &BoardPlan::of(&before.board, session.game.level().light),
            area,
            tokens,
            arrows,
            orders: vec![],
            burst,
            words: words.collect(),
        },
        cell_px,
    );
    Some(pictures::image(drawn))
}

/// A picture of the field as the battle ended.
fn end(session: &Session, wide_px: f32, shape: f32) -> Option<Image> {
    let shown = session.shown();
    let there = shown.units.iter().filter(|p| p.is_there());
    let points: Vec<(f32, f32)> = there.map(UnitView::middle).collect();
    let area = around(&points, shown, shape)?;
    let cell_px = cell_px(&area, wide_px);
    let drawn = scene(
        &Scene {
            plan: &BoardPlan::of(&shown.board, session.game.level().light),
            area,
            tokens: tokens::on_map(&shown.units, None, cell_px),
            arrows: vec![],
            orders: vec![],
            burst: None,
            words: vec![],
        },
        cell_px,
    );
    Some(pictures::image(drawn))
}

/// The size of a cell if the area is this wide, in pixels.
fn cell_px(area: &DrawnArea, wide_px: f32) -> u32 {
    (wide_px / (area.east - area.west)).round().max(8.0) as u32
}

/// A piece of the map that contains all points, with the aspect ratio `shape`.
fn around(points: &[(f32, f32)], shown: &Shown, shape: f32) -> Option<DrawnArea> {
    let (first, rest) = points.split_first()?;
    let mut ends = (*first, *first);
    for point in rest {
        ends.0 = (ends.0.0.min(point.0), ends.0.1.min(point.1));
        ends.1 = (ends.1.0.max(point.0), ends.1.1.max(point.1));
    }
    let ((west, north), (east, south)) = ends;
    let across = (east - west + 3.0)
        .max((south - north + 3.0) / shape)
        .max(CELLS);
    let along = |from: f32, to: f32, size: f32, cells: i32| {
        let middle = (from + to) / 2.0;
        let most = cells as f32 + MARGIN;
        // Prefer showing more of the map over what lies beside it.
        (middle - size / 2.0).min(most - size).max(-MARGIN)
    };
    let west = along(west, east, across, shown.board.width() as i32);
    let north = along(north, south, across * shape, shown.board.height() as i32);
    Some(DrawnArea {
        west,
        north,
        east: west + across,
        south: north + across * shape,
    })
}
