//! How the damage of an attack is spread, as bars.

use crate::battle::Spread;
use crate::ui::{
    art::palette,
    theme::{Cut, colour, text},
};
use bevy::prelude::*;

/// The bars of a chart.
#[derive(Component)]
pub struct ChartRow;

/// How large a chart is drawn.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// The tallest bar, in pixels of the layout.
    height: f32,
    /// Bars at most, and numbers under them.
    bars: usize,
    numbers: usize,
}

/// A chart as wide as the card.
pub(super) const WHOLE: Size = Size {
    height: 34.0,
    bars: 24,
    numbers: 10,
};

/// One of two beside each other.
pub(super) const HALF: Size = Size {
    height: 26.0,
    bars: 12,
    numbers: 6,
};

/// A bar for each number of points, red as far as it drops the target, and what
/// it comes to on average. Nothing, where it is always the same.
pub(super) fn chart(
    card: &mut ChildSpawnerCommands,
    spread: &Spread,
    size: Size,
    caption: impl FnOnce(f32) -> String,
) {
    let bars = spread.at_most(size.bars);
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else {
        return;
    };
    if first == last {
        return;
    }
    let most = bars.iter().map(|b| b.chance).fold(0.01, f32::max);
    let row = Node {
        height: px(size.height),
        align_items: AlignItems::End,
        column_gap: px(2),
        flex_shrink: 0.0,
        ..default()
    };
    card.spawn((row, ChartRow)).with_children(|row| {
        for bar in &bars {
            let whole = Node {
                height: percent(100),
                flex_direction: FlexDirection::Column,
                justify_content: JustifyContent::End,
                ..place()
            };
            row.spawn(whole).with_children(|column| {
                for (share, ink) in [
                    (bar.drops, palette::DANGER),
                    (bar.chance - bar.drops, palette::TEAL),
                ] {
                    if share > 0.0 {
                        let node = Node {
                            height: percent(share / most * 100.0),
                            min_height: px(1),
                            ..default()
                        };
                        column.spawn((node, BackgroundColor(colour(ink))));
                    }
                }
            });
        }
    });
    let line = Node {
        height: px(1.2),
        flex_shrink: 0.0,
        ..default()
    };
    card.spawn((line, BackgroundColor(colour(palette::INK))));
    // As many numbers as there is room for.
    let every = bars.len().div_ceil(size.numbers);
    let axis = Node {
        column_gap: px(2),
        flex_shrink: 0.0,
        ..default()
    };
    card.spawn(axis).with_children(|axis| {
        for (n, bar) in bars.iter().enumerate() {
            let place = Node {
                justify_content: JustifyContent::Center,
                ..place()
            };
            axis.spawn(place).with_children(|place| {
                if n % every == 0 {
                    let words = bar.points.to_string();
                    place.spawn(text(words, Cut::Small, palette::FADED_INK));
                }
            });
        }
    });
    let words = caption(spread.mean());
    card.spawn(text(words, Cut::Small, palette::FADED_INK));
}

/// Where a bar or its number stands.
fn place() -> Node {
    Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        max_width: px(26),
        ..default()
    }
}
