//! The frame of a win probability curve: its scale, and the positions of times and
//! chances.

use crate::ui::{
    art::palette,
    theme::{TextStyle, text},
    widgets::{NodeExt, SpawnWith, column},
};
use bevy::prelude::*;

/// Spawns a curve of the win probability with its scale on the left, and below it the labels of the
/// rounds that begin at these times. `marks` spawns the children that go over the curve and between
/// it and the labels. All positions are in layout pixels.
pub fn plot(
    place: &mut ChildSpawnerCommands,
    image: Handle<Image>,
    frame: &PlotFrame,
    rounds: &[f32],
    marks: impl FnOnce(&mut ChildSpawnerCommands),
) {
    let node = Node::default().height(px(frame.high + frame.below));
    place.group(node, |line| {
        let scale = Node {
            width: px(frame.scale_wide),
            height: px(frame.high),
            justify_content: JustifyContent::SpaceBetween,
            align_items: AlignItems::End,
            padding: UiRect::right(px(4)),
            ..column(0.0)
        };
        line.group(scale, |scale| {
            for words in ["100%", "50%", "0%"] {
                scale.spawn(text(words, TextStyle::Label, palette::FADED_INK));
            }
        });
        let plot = Node::default().width(px(frame.wide)).height(percent(100));
        line.group(plot, |plot| {
            let node = Node::default().size(frame.wide, frame.high);
            plot.spawn((node, ImageNode::new(image), Pickable::IGNORE));
            marks(plot);
            let y = frame.high + frame.below - PlotFrame::LABEL * frame.text;
            let mut free = f32::MIN;
            for (time, words) in std::iter::zip(rounds, frame.round_labels(rounds)) {
                let x = frame.left(*time);
                if x >= free {
                    free = x + 8.0 * frame.text * words.len() as f32;
                    let label = text(words, TextStyle::Label, palette::FADED_INK);
                    plot.spawn((label, Node::default().at(x, y)));
                }
            }
        });
    });
}

/// The width of "Round 12" with a gap, in layout pixels at the standard text size.
const ROUND_LABEL: f32 = 64.0;

/// The dimensions of a curve in layout pixels.
pub struct PlotFrame {
    scale_wide: f32,
    pub wide: f32,
    pub high: f32,
    /// Space below the curve, with the labels of rounds at its end.
    pub below: f32,
    /// The text size as a factor of the standard size.
    text: f32,
}

impl PlotFrame {
    /// The margin between the edge of the picture and the curve.
    const EDGE: f32 = 6.0;
    /// The width of the scale on the left, at the standard text size.
    const SCALE: f32 = 44.0;
    /// The height of the label of a round, at the standard text size.
    pub const LABEL: f32 = 16.0;

    /// The frame for a card of this width; `text` is the text size as a factor of the
    /// standard size.
    pub fn new(wide: f32, high: f32, below: f32, text: f32) -> Self {
        let scale_wide = Self::SCALE * text;
        Self {
            scale_wide,
            wide: (wide - scale_wide - 36.0).max(120.0),
            high,
            below,
            text,
        }
    }

    /// The picture's size in screen pixels.
    pub fn pixels(&self, fine: f32) -> (u32, u32) {
        ((self.wide * fine) as u32, (self.high * fine) as u32)
    }

    /// The x position of a time, from 0 to 1 of the battle.
    pub fn left(&self, time: f32) -> f32 {
        Self::EDGE + time * (self.wide - 2.0 * Self::EDGE)
    }

    /// The y position of a chance, from 0 to 1.
    pub fn top(&self, chance: f32) -> f32 {
        Self::EDGE + (1.0 - chance) * (self.high - 2.0 * Self::EDGE)
    }

    /// The label of each round that begins at these times: "Round 2" if all have space for that,
    /// otherwise "2".
    fn round_labels(&self, rounds: &[f32]) -> Vec<String> {
        let ends = rounds.iter().skip(1).chain([&1.0]);
        let has_space = std::iter::zip(rounds, ends)
            .all(|(from, to)| self.wide * (to - from) > ROUND_LABEL * self.text);
        let label = |round: usize| match has_space {
            true => format!("Round {round}"),
            false => round.to_string(),
        };
        (1..=rounds.len()).map(label).collect()
    }
}
