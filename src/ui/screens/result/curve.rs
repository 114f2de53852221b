//! The course of the battle: the win probability over the rounds, with the units that
//! fell or left.

use super::{
    super::{
        page_card,
        plot::{PlotFrame, plot},
    },
    Maker,
};
use crate::{
    control::timeline::{Review, Timeline, TimelineAction},
    ui::{
        Session,
        app_command::{AppCommand, ReplayCommand},
        art::{chart, hud::Panel, palette},
        pictures,
        session::{MarkKind, TimelineMark},
        shown::UnitView,
        theme::{TextStyle, faded, heading_text},
        widgets::{NodeExt, SendOnPress, SpawnWith, Tip, panel_style, row, tipped},
    },
    words::possessive,
};
use bevy::{prelude::*, ui_widgets::Button};

/// The height of the curve, as a share of its column.
const HIGH: f32 = 0.19;
/// The height of the card without the plot, in layout pixels at the standard text size.
const AROUND: f32 = 56.0;
/// The size of the unit pictures below the curve, in layout pixels.
const CHIP: f32 = 20.0;

/// A unit that its side lost.
struct Loss {
    who: UnitView,
    what: &'static str,
    /// Time of the loss: 0 is the start of the battle, 1 its end.
    time: f32,
    /// Index of the first event of the action that caused the loss.
    from: usize,
}

/// Spawns the card; `wide` and `high` are the size of its column in layout pixels. The card grows
/// to `free`, the height that the rest of the column leaves to it.
pub fn card(
    place: &mut ChildSpawnerCommands,
    maker: &mut Maker,
    (timeline, decisive): (&Timeline, Option<&TimelineAction>),
    (wide, high, free): (f32, f32, f32),
) {
    if timeline.points.is_empty() {
        return;
    }
    let session = &maker.session;
    let names = session.game.names();
    let whose = match session.game.humans() {
        1 => String::from("yours, as estimated"),
        _ => format!(
            "{}, as estimated",
            possessive(&names.side_in_line(session.player()))
        ),
    };
    let marks = session.marks();
    let length = session.game.length().max(1) as f32;
    let time = |event: usize| event as f32 / length;
    let points: Vec<(f32, f32)> = timeline
        .points
        .iter()
        .map(|p| (time(p.event), p.chance))
        .collect();
    let rounds: Vec<f32> = marks
        .iter()
        .filter(|m| matches!(m.kind, MarkKind::Round(_)))
        .map(|m| time(m.event))
        .collect();
    let loss = |mark: &TimelineMark| {
        let (who, what) = match mark.kind {
            MarkKind::Fell(id) => (id, "falls"),
            MarkKind::Fled(id) => (id, "leaves the battle"),
            _ => return None,
        };
        Some(Loss {
            who: session.shown().unit(who).clone(),
            what,
            time: time(mark.event),
            from: session.action_before(mark.event),
        })
    };
    let lost: Vec<Loss> = marks.iter().filter_map(loss).collect();
    let notes: Vec<f32> = lost.iter().map(|loss| loss.time).collect();
    let swing = decisive.map(|action| {
        let [before, after] = action.ends().map(|end| (time(end.event), end.chance));
        (before, after)
    });
    let source = Tip::text(source(session, maker.review()));
    let label_high = PlotFrame::LABEL * maker.room.text();
    let high = (high * HIGH).max(3.2 * label_high);
    let mut frame = PlotFrame::new(wide, high, label_high, maker.room.text());
    let lanes = lanes(&notes, frame.wide);
    let deep = lanes.iter().max().map_or(0.0, |&most| (most + 1) as f32);
    frame.below += deep * (CHIP + 2.0);
    frame.high = high.max(free - frame.below - AROUND * maker.room.text());
    let fine = maker.room.screen_scale();
    let (pixels_wide, pixels_high) = frame.pixels(fine);
    let drawn = chart::curve(
        &chart::Curve {
            points: &points,
            error: timeline.error,
            stretches: &rounds,
            notes: &notes,
            swing,
        },
        pixels_wide,
        pixels_high,
        fine,
    );
    let image = maker.icons.images.add(pictures::image(drawn));
    place.spawn_with((page_card(2.0), panel_style(Panel::Card)), |card| {
        let head = row(10.0).align(AlignItems::Baseline);
        card.group(head, |head| {
            head.spawn(heading_text("Win chance"));
            head.spawn(tipped(faded(whose), source));
        });
        plot(card, image, &frame, &rounds, |plot| {
            for (loss, lane) in std::iter::zip(&lost, &lanes) {
                let words = format!("{} {}", loss.who.name, loss.what);
                let tip = Tip::default()
                    .line(words, TextStyle::Strong, palette::INK)
                    .small("Click to show it");
                let y = frame.high + *lane as f32 * (CHIP + 2.0);
                let x = (frame.left(loss.time) - CHIP / 2.0).min(frame.wide - CHIP);
                let node = Node::default().at(x.max(0.0), y).size(CHIP, CHIP);
                plot.spawn((
                    node,
                    Button,
                    ImageNode::new(maker.icons.chip(&loss.who, CHIP)),
                    SendOnPress(AppCommand::Replay(ReplayCommand::Watch(loss.from))),
                    tip,
                ));
            }
        });
    });
}

/// Where the numbers of the curve come from.
fn source(session: &Session, review: Option<&Review>) -> &'static str {
    let player = session.player();
    let was_shown = session.readings().iter().any(|one| one.side == player);
    match review.is_some_and(|review| !review.measured.is_empty()) {
        _ if was_shown => {
            "Simulated at your decisions, as the bar showed it, and around the largest swing of one \
             action; elsewhere estimated from what is left of each side"
        }
        true => "Simulated at turning points; elsewhere estimated from what is left of each side",
        false => "Estimated from what is left of each side",
    }
}

/// The row of each picture below the curve, chosen so that no picture covers another.
fn lanes(times: &[f32], wide: f32) -> Vec<usize> {
    let mut free: Vec<f32> = vec![];
    let mut lanes = vec![];
    for time in times {
        let at = time * wide;
        let lane = free.iter().position(|&free| free <= at);
        let lane = lane.unwrap_or_else(|| {
            free.push(0.0);
            free.len() - 1
        });
        free[lane] = at + CHIP + 2.0;
        lanes.push(lane);
    }
    lanes
}
