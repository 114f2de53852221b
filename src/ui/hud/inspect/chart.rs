//! The damage distribution of an attack as a bar chart.

use crate::battle::Spread;
use crate::ui::{
    art::palette,
    theme::{colour, faded},
    widgets::{NodeExt, SpawnWith, rigid, row},
};
use bevy::prelude::*;

/// The bars of a chart.
#[derive(Component)]
pub struct ChartRow;

/// The size of a chart.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// Height of the tallest bar, in layout pixels.
    height: f32,
    /// Most bars, and most numbers under them.
    bars: usize,
    numbers: usize,
}

/// A chart as wide as the card.
pub(super) const WHOLE: Size = Size {
    height: 34.0,
    bars: 24,
    numbers: 10,
};

/// One of two charts side by side.
pub(super) const HALF: Size = Size {
    height: 26.0,
    bars: 12,
    numbers: 6,
};

/// A bar for each amount of damage, red for the share that drops the target, and the average.
/// Nothing if the damage is always the same.
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
    let node = row(2.0).height(px(size.height)).align(AlignItems::End);
    card.spawn_with((rigid(node), ChartRow), |row| {
        for bar in &bars {
            let whole = Node {
                height: percent(100),
                flex_direction: FlexDirection::Column,
                justify_content: JustifyContent::End,
                ..place()
            };
            row.spawn_with(whole, |column| {
                for (share, ink) in [
                    (bar.drops, palette::DANGER),
                    (bar.chance - bar.drops, palette::TEAL),
                ] {
                    if share > 0.0 {
                        let node = Node::default()
                            .height(percent(share / most * 100.0))
                            .min_height(px(1));
                        column.spawn((node, BackgroundColor(colour(ink))));
                    }
                }
            });
        }
    });
    let line = rigid(Node::default().height(px(1.2)));
    card.spawn((line, BackgroundColor(colour(palette::INK))));
    // Only as many numbers as fit.
    let every = bars.len().div_ceil(size.numbers);
    let axis = rigid(Node::default().column_gap(2.0));
    card.spawn_with(axis, |axis| {
        for (n, bar) in bars.iter().enumerate() {
            let place = place().justify(JustifyContent::Center);
            axis.spawn_with(place, |place| {
                if n % every == 0 {
                    place.spawn(faded(bar.points.to_string()));
                }
            });
        }
    });
    card.spawn(faded(caption(spread.mean())));
}

/// Layout of a bar or its number.
fn place() -> Node {
    Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        max_width: px(26),
        ..default()
    }
}
