//! A unit's round as a bar, filled with actions from left to right.

use super::SmallPictures;
use crate::ui::{
    art::palette::{self, Rgb},
    pictures::SmallPicture,
    ruleset_ui::{PortionState, RoundPlan},
    theme::{TextStyle, colour, faded, text},
    widgets::{NodeExt, SpawnWith, column, rigid, row, spacer},
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
    let node = Node::default()
        .width(percent(100))
        .height(px(height))
        .border(1.0)
        .rounded(BorderRadius::all(px(3)))
        .clipped();
    let ground = BackgroundColor(colour(palette::CARD_PALE));
    let line = BorderColor::all(colour(palette::INK));
    parent.spawn_with((rigid(node), ground, line, Pickable::IGNORE), |bar| {
        let mut used = 0;
        for part in &plan.parts {
            let shown = part.percent.min(plan.whole - used).max(0);
            used += shown;
            // An action that continues next round has no end in this one.
            let end = if shown < part.percent { 0.0 } else { 1.0 };
            let node = Node {
                width: percent(shown as f32 / plan.whole.max(1) as f32 * 100.0),
                height: percent(100),
                border: UiRect::right(px(end)),
                justify_content: JustifyContent::Center,
                ..row(0.0).clipped()
            };
            let (background, ink) = inks(part.state);
            let ground = BackgroundColor(colour(background));
            bar.spawn_with((node, ground, line, Pickable::IGNORE), |inside| {
                inside.spawn(icons.square(SmallPicture::Icon(part.icon, ink), height - 3.0));
            });
        }
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
    let node = rigid(column(2.0).width(percent(100)).margin_y(4.0));
    parent.group(node, |rows| {
        bar(rows, icons, plan, 16.0);
        for part in &plan.parts {
            rows.group(row(6.0), |line| {
                let (_, ink) = match part.state {
                    PortionState::Done => inks(part.state),
                    _ => (palette::ROCK, palette::INK),
                };
                line.spawn(icons.square(SmallPicture::Icon(part.icon, ink), 13.0));
                line.spawn(text(part.what.clone(), TextStyle::Small, ink));
                line.spawn(spacer());
                line.spawn(text(part.comes.clone(), TextStyle::Small, palette::TEAL));
            });
        }
        let free = if plan.is_over { "not used" } else { "free" };
        rows.spawn(faded(format!("{}% of {}% {free}", plan.left, plan.whole)));
    });
}
