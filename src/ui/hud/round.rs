//! A unit's round as a bar, filled with actions from left to right.

use super::SmallPictures;
use crate::ui::{
    art::palette::{self, Rgb},
    pictures::SmallPicture,
    ruleset_ui::{Portion, PortionState, RoundPlan},
    theme::{TextStyle, colour, faded, text},
    widgets::{SpawnWith, column, picture, row, spacer},
};
use bevy::prelude::*;

/// The bar: past actions pale, coming ones teal, the one being chosen ochre. An action longer than
/// the rest of the round has no border at its right end.
pub fn bar(
    parent: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    plan: &RoundPlan,
    height: f32,
) {
    let node = Node {
        width: percent(100),
        height: px(height),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(3)),
        flex_shrink: 0.0,
        overflow: Overflow::clip(),
        ..default()
    };
    let ground = BackgroundColor(colour(palette::CARD_PALE));
    let line = BorderColor::all(colour(palette::INK));
    parent.spawn_with((node, ground, line, Pickable::IGNORE), |bar| {
        let mut used = 0;
        for part in &plan.parts {
            let shown = part.percent.min(plan.whole - used).max(0);
            used += shown;
            portion(bar, icons, plan.whole, part, shown, height);
        }
    });
}

fn portion(
    bar: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    whole: i32,
    part: &Portion,
    shown: i32,
    height: f32,
) {
    let share = shown as f32 / whole.max(1) as f32;
    // An action that continues next round has no end in this one.
    let end = if shown < part.percent { 0.0 } else { 1.0 };
    let node = Node {
        width: percent(share * 100.0),
        height: percent(100),
        border: UiRect::right(px(end)),
        justify_content: JustifyContent::Center,
        overflow: Overflow::clip(),
        ..row(0.0)
    };
    let (background, ink) = inks(part.state);
    let line = BorderColor::all(colour(palette::INK));
    let parts = (
        node,
        BackgroundColor(colour(background)),
        line,
        Pickable::IGNORE,
    );
    bar.spawn_with(parts, |inside| {
        let size = height - 3.0;
        let image = icons.get(SmallPicture::Icon(part.icon, ink), size);
        inside.spawn(picture(image, size));
    });
}

fn inks(state: PortionState) -> (Rgb, Rgb) {
    match state {
        PortionState::Done => (palette::ROCK, palette::FADED_INK),
        PortionState::ToCome => (palette::TEAL, palette::WHITE),
        PortionState::Preview => (palette::OCHRE, palette::INK),
    }
}

/// The bar, with one line for each action: its name and when it happens.
pub fn show_plan(parent: &mut ChildSpawnerCommands, icons: &mut SmallPictures, plan: &RoundPlan) {
    let node = Node {
        width: percent(100),
        margin: UiRect::vertical(px(4)),
        flex_shrink: 0.0,
        ..column(2.0)
    };
    parent.group(node, |rows| {
        bar(rows, icons, plan, 16.0);
        for part in &plan.parts {
            rows.group(row(6.0), |line| {
                let (_, ink) = match part.state {
                    PortionState::Done => inks(part.state),
                    _ => (palette::ROCK, palette::INK),
                };
                let image = icons.get(SmallPicture::Icon(part.icon, ink), 13.0);
                line.spawn(picture(image, 13.0));
                line.spawn(text(part.what.clone(), TextStyle::Small, ink));
                line.spawn(spacer());
                line.spawn(text(part.comes.clone(), TextStyle::Small, palette::TEAL));
            });
        }
        let free = if plan.is_over { "not used" } else { "free" };
        rows.spawn(faded(format!("{}% of {}% {free}", plan.left, plan.whole)));
    });
}
