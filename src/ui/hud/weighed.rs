//! Choices that were weighed up, a row each: a number, and what would be done.

use crate::ui::{
    Command,
    art::palette,
    theme::{Cut, colour, text},
    widgets::{Broad, Sends, Tip, bar, column, row},
};
use bevy::{picking::hover::Hovered, prelude::*, ui_widgets::Button};

/// A choice and what was made of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Row {
    /// "38% ± 4"
    pub worth: String,
    /// Room for it, in pixels of the layout.
    pub broad: f32,
    /// How much of the bar beneath is filled, 0 to 1; none: there is no bar.
    pub share: Option<f32>,
    /// For better, or for worse.
    pub tone: Tone,
    /// "Goblin 2 strikes Mara"
    pub words: String,
    /// What more there is to say of it, in a word.
    pub note: &'static str,
    pub tip: String,
    pub is_marked: bool,
    /// What a click on it sends.
    pub sends: Option<Command>,
}

/// How good a number is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) enum Tone {
    #[default]
    Plain,
    Good,
    Bad,
}

impl Row {
    pub(super) fn show(&self, card: &mut ChildSpawnerCommands) {
        let node = Node {
            align_items: AlignItems::Start,
            padding: UiRect::axes(px(4), px(2)),
            border: UiRect::left(px(3)),
            flex_shrink: 0.0,
            ..row(8.0)
        };
        let (edge, cut) = match self.is_marked {
            true => (colour(palette::GOLD), Cut::Strong),
            false => (Color::NONE, Cut::Body),
        };
        let ink = match self.tone {
            Tone::Plain => palette::INK,
            Tone::Good => palette::TEAL,
            Tone::Bad => palette::DANGER,
        };
        let mut line = card.spawn((node, BorderColor::all(edge)));
        match &self.sends {
            Some(command) => line.insert((Button, Sends(command.clone()))),
            None => line.insert(Pickable::IGNORE),
        };
        if !self.tip.is_empty() {
            let tip = Tip::default().line(self.tip.clone(), Cut::Small, palette::INK);
            line.insert((tip, Hovered::default()));
        }
        line.with_children(|line| {
            let number = Node {
                flex_shrink: 0.0,
                // Numbers line up by their ones.
                align_items: match self.share {
                    Some(_) => AlignItems::Stretch,
                    None => AlignItems::End,
                },
                ..column(2.0)
            };
            line.spawn((number, Broad(self.broad), Pickable::IGNORE))
                .with_children(|number| {
                    let worth = text(self.worth.clone(), cut, ink);
                    number.spawn((worth, TextLayout::no_wrap()));
                    if let Some(share) = self.share {
                        number.spawn(bar(share, palette::TEAL, 6.0));
                    }
                });
            let words = Node {
                flex_shrink: 1.0,
                min_width: px(0),
                ..column(0.0)
            };
            line.spawn((words, Pickable::IGNORE))
                .with_children(|words| {
                    words.spawn(text(self.words.clone(), cut, palette::INK));
                    if !self.note.is_empty() {
                        words.spawn(text(self.note, Cut::Small, palette::FADED_INK));
                    }
                });
        });
    }
}
