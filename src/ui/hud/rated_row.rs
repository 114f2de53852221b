//! Choices with their ratings, one row each.

use crate::ui::{
    Command,
    art::{hud::Panel, palette},
    theme::{TextStyle, colour, faded, one_line, text},
    widgets::{NodeExt, ScaledWidth, SendOnPress, SpawnWith, Tip, bar, button, column, row},
};
use bevy::{picking::hover::Hovered, prelude::*, ui_widgets::Button};

/// A choice and its rating.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct RatedRow {
    /// "38% ± 4"
    pub worth: String,
    /// Width of the rating, in layout pixels.
    pub scaled: f32,
    /// Filled part of the bar below the rating, from 0 to 1; `None` for no bar.
    pub share: Option<f32>,
    /// Whether the rating is good or bad.
    pub tone: Tone,
    /// "Goblin 2 strikes Mara"
    pub words: String,
    /// A short remark.
    pub note: String,
    pub tip: String,
    pub is_marked: bool,
    /// The command that a click sends. A row that shows an order shows it on hover too.
    pub sends: Option<Command>,
    /// The command of a button that carries the choice out.
    pub does: Option<Command>,
}

/// How good a rating is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) enum Tone {
    #[default]
    Plain,
    Good,
    Bad,
}

impl RatedRow {
    pub(super) fn show(&self, card: &mut ChildSpawnerCommands) {
        let node = Node {
            align_items: AlignItems::Start,
            padding: UiRect::axes(px(4), px(2)),
            border: UiRect::left(px(3)),
            flex_shrink: 0.0,
            ..row(8.0)
        };
        let (edge, cut) = match self.is_marked {
            true => (colour(palette::GOLD), TextStyle::Strong),
            false => (Color::NONE, TextStyle::Body),
        };
        let ink = match self.tone {
            Tone::Plain => palette::INK,
            Tone::Good => palette::TEAL,
            Tone::Bad => palette::DANGER,
        };
        let mut line = card.spawn((node, BorderColor::all(edge)));
        match &self.sends {
            Some(command) => {
                let sends = SendOnPress(command.clone());
                line.insert((Button, Hovered::default(), sends))
            }
            None => line.insert(Pickable::IGNORE),
        };
        if !self.tip.is_empty() {
            line.insert(Tip::text(self.tip.clone()));
        }
        line.with_children(|line| {
            let number = Node {
                flex_shrink: 0.0,
                // Right-aligned, so that the ones line up.
                align_items: match self.share {
                    Some(_) => AlignItems::Stretch,
                    None => AlignItems::End,
                },
                ..column(2.0)
            };
            line.spawn_with(
                (number, ScaledWidth(self.scaled), Pickable::IGNORE),
                |number| {
                    number.spawn(one_line(self.worth.clone(), cut, ink));
                    if let Some(share) = self.share {
                        number.spawn(bar(share, palette::TEAL, 6.0));
                    }
                },
            );
            let words = column(0.0).min_width(px(0));
            line.group(words, |words| {
                words.spawn(text(self.words.clone(), cut, palette::INK));
                if !self.note.is_empty() {
                    words.spawn(faded(self.note.clone()));
                }
            });
            if let Some(command) = &self.does {
                let node = Node {
                    padding: UiRect::axes(px(8), px(0)),
                    margin: UiRect::left(auto()),
                    flex_shrink: 0.0,
                    ..row(0.0)
                };
                line.spawn((button(Panel::Button, node), SendOnPress(command.clone())))
                    .with_child(one_line("Do it", TextStyle::Small, palette::INK));
            }
        });
    }
}
