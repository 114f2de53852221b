//! The win probability order by order: orders solid, dice dotted, mistakes red.

use super::{
    super::{
        page_card,
        plot::{PlotFrame, plot},
    },
    Maker,
    cards::inks,
};
use crate::{
    control::review::{CurvePoint, Grade},
    ui::{
        app_command::{AppCommand, ReviewCommand},
        art::{
            chart::{self, Judged, MistakeMark},
            hud::Panel,
            palette,
        },
        pictures,
        session::MarkKind,
        theme::{TextStyle, colour, faded, heading_text, text},
        widgets::{NodeExt, SendOnPress, SpawnWith, Tip, panel_style, rigid, spacer, words_row},
    },
};
use bevy::{picking::hover::Hovered, prelude::*, ui_widgets::Button};

/// The height of the curve, as a share of its column.
const HIGH: f32 = 0.22;
/// The height of the column besides the curve if there is no mistake to show, in layout pixels
/// at the standard text size.
const AROUND: f32 = 160.0;
/// The size of the disc that marks a mistake, in layout pixels.
const DISC: f32 = 24.0;
/// The size of the unit pictures below the curve, in layout pixels.
const CHIP: f32 = 20.0;
/// An error from which on a chance is too rough to draw while the review still simulates: it would look
/// like a change in the battle.
const ROUGH: f32 = 0.1;

/// The number of points that are known well enough to draw. The chance after the last order lasts
/// until the next decision, which is not measured yet.
pub fn well_known(points: &[CurvePoint], is_done: bool) -> usize {
    if is_done {
        return points.len();
    }
    let is_rough = |point: &CurvePoint| point.error > ROUGH;
    let fine = points.iter().position(is_rough).unwrap_or(points.len());
    let is_before = |point: &CurvePoint| point.decision.is_some() && !point.is_ordered;
    let last = points[..fine].iter().rposition(is_before);
    last.map_or(0, |last| last + 1)
}

/// Spawns the card; `wide` and `high` are the size of its column in layout pixels.
pub(super) fn card(place: &mut ChildSpawnerCommands, maker: &mut Maker, (wide, high): (f32, f32)) {
    let state = &maker.state;
    let points = state.review.curve(state.side);
    let mistakes = state.mistakes();
    let grades = mistakes.iter().map(|&n| state.review.decisions[n].grade());
    let grades: Vec<Grade> = grades.collect();
    let chosen = state.chosen.min(mistakes.len().saturating_sub(1));
    let length = maker.session.game.length().max(1) as f32;
    let time = |event: usize| event as f32 / length;
    let marks = maker.session.marks();
    let rounds = marks
        .iter()
        .filter(|m| matches!(m.kind, MarkKind::Round(_)));
    let rounds: Vec<f32> = rounds.map(|m| time(m.event)).collect();
    let is_done = state.is_done();
    let known = well_known(&points, is_done);
    let unknown_from = points[..known].last().map_or(0.0, |last| time(last.event));
    let drawn: Vec<(f32, f32, f32, bool)> = points[..known]
        .iter()
        .map(|p| (time(p.event), p.chance, p.error, p.is_ordered))
        .collect();
    let at = |decision: usize, is_ordered: bool| -> Option<&CurvePoint> {
        let mut all = points.iter();
        all.find(|p| p.decision == Some(decision) && p.is_ordered == is_ordered)
    };
    let mistakes_drawn: Vec<MistakeMark> = mistakes
        .iter()
        .enumerate()
        .filter_map(|(place, &n)| {
            let (from, to) = (at(n, false)?, at(n, true)?);
            let one = &state.review.decisions[n];
            let better = one.best().chance.value;
            Some(MistakeMark {
                ink: inks(one.grade()).0,
                from: (time(from.event), from.chance),
                to: (time(to.event), (better - one.loss()).clamp(0.0, 1.0)),
                better,
                is_chosen: place == chosen,
            })
        })
        .collect();
    let fallen: Vec<_> = marks
        .iter()
        .filter_map(|mark| match mark.kind {
            MarkKind::Fell(id) | MarkKind::Fled(id) => Some((id, mark.event)),
            _ => None,
        })
        .collect();
    let size = maker.room.text();
    let label_high = PlotFrame::LABEL * size;
    // Without a mistake to show on the board, the curve fills the column.
    let most = match is_done && maker.state.decision().is_none() {
        true => high - AROUND * size,
        false => 0.0,
    };
    let high = (high * HIGH).max(3.2 * label_high).max(most);
    let frame = PlotFrame::new(wide, high, CHIP + 2.0 + label_high, size);
    let fine = maker.room.screen_scale();
    let (pixels_wide, pixels_high) = frame.pixels(fine);
    let picture = chart::judged(
        &Judged {
            points: &drawn,
            stretches: &rounds,
            mistakes: &mistakes_drawn,
            is_final: is_done,
        },
        pixels_wide,
        pixels_high,
        fine,
    );
    let image = maker.icons.images.add(pictures::image(picture));
    place.spawn_with((page_card(2.0), panel_style(Panel::Card)), |card| {
        let head = words_row(10.0);
        card.group(head, |head| {
            let small = |words: &'static str, ink| text(words, TextStyle::Small, ink);
            head.spawn(heading_text("Win chance"));
            head.spawn(small("click a mistake to see it", palette::FADED_INK));
            head.spawn(spacer());
            head.spawn(small("solid: orders", palette::BLUE));
            head.spawn(small("dotted: dice", palette::BLUE));
            head.spawn(small("red: mistakes", palette::DANGER));
            head.spawn(small("tan: inaccuracies", palette::FADED_INK));
            head.spawn(small("pale: margin of error", palette::FADED_INK));
            if !is_done {
                head.spawn(small("faint: still calculating", palette::FADED_INK));
            }
        });
        plot(card, image, &frame, &rounds, |plot| {
            // Near the end there is no space for the word.
            if !is_done && unknown_from < 0.85 {
                let (x, y) = (frame.left(unknown_from) + 8.0, high / 2.0 - label_high);
                plot.spawn((faded("calculating\u{2026}"), Node::default().at(x, y)));
            }
            for (place, mark) in mistakes_drawn.iter().enumerate() {
                // Below the curve, or above it if there is no space.
                let low = frame.top(mark.to.1) + 6.0;
                let y = match low + DISC < high {
                    true => low,
                    false => frame.top(mark.from.1) - DISC - 6.0,
                };
                let x = frame.left(mark.from.0) - DISC / 2.0;
                let node = Node::default().at(x, y.max(0.0));
                disc(plot, node, (place, grades[place]), mark.is_chosen);
            }
            let mut free = f32::MIN;
            for (id, event) in fallen {
                let x = (frame.left(time(event)) - CHIP / 2.0).clamp(0.0, frame.wide - CHIP);
                let x = x.max(free);
                free = x + CHIP + 1.0;
                let unit = maker.session.shown().unit(id).clone();
                let tip = Tip::text(format!("{} falls or leaves", unit.name));
                let node = Node::default().at(x, high).size(CHIP, CHIP);
                let chip = maker.icons.chip(&unit, CHIP);
                plot.spawn((node, ImageNode::new(chip), tip));
            }
        });
    });
}

/// The disc with the number of a costly order, in the colour of its grade. Clicking it shows the
/// order.
pub fn disc(
    place: &mut ChildSpawnerCommands,
    node: Node,
    (nth, grade): (usize, Grade),
    is_chosen: bool,
) {
    let node = rigid(
        node.size(DISC, DISC)
            .centred()
            .border(2.0)
            .rounded(BorderRadius::all(px(DISC / 2.0))),
    );
    let line = match is_chosen {
        true => palette::GOLD,
        false => palette::INK,
    };
    let (fill, ink) = inks(grade);
    place.spawn((
        node,
        Button,
        Hovered::default(),
        SendOnPress(AppCommand::Review(ReviewCommand::ShowMistake(nth))),
        BackgroundColor(colour(fill)),
        BorderColor::all(colour(line)),
        children![text((nth + 1).to_string(), TextStyle::Strong, ink)],
    ));
}
