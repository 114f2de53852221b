//! The left side of the title screen: the game's name, the large and the small entries.

use super::{Page, TitleButton, TitleChoices, vignette};
use crate::ui::{
    app_command::{AppCommand, Browse, FileCommand, GameCommand, SaveCommand},
    art::{hud::Panel, icons::Icon, palette},
    codex::CodexCommand,
    hud::SmallPictures,
    pictures::SmallPicture,
    settings::screen::OpensSettings,
    theme::{TextStyle, faded, text},
    widgets::{
        NodeExt, ScaledWidth, SendOnPress, SpawnWith, Tall, button, column, list_node,
        message_button, rigid, spacer, word_button, wrapping_row,
    },
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

/// Width of the column, in layout pixels at the standard text size.
pub(super) const WIDTH: f32 = 240.0;

/// Spawns the column.
pub(super) fn column_of(
    body: &mut ChildSpawnerCommands,
    choices: &TitleChoices,
    icons: &mut SmallPictures,
) {
    // With very large text the whole column scrolls.
    let node = rigid(column(10.0).width(px(WIDTH)).scrolling());
    body.spawn_with((node, ScaledWidth(WIDTH), ScrollArea), |entries| {
        entries.spawn(text("Fivefoot", TextStyle::Title, palette::INK));
        entries.spawn(faded("Small battles. Every roll shown."));
        if let Some(latest) = &choices.latest {
            // The button that Enter presses is teal.
            let panel = match choices.continues() {
                true => Panel::ButtonPrimary,
                false => Panel::Button,
            };
            let does = SendOnPress(AppCommand::Save(SaveCommand::Continue));
            EntryButton(Icon::Play, "Continue", latest, panel).spawn(entries, icons, does);
        }
        for page in Page::ALL {
            let panel = Panel::Card.active_if(page == choices.page);
            let (icon, words) = match page {
                Page::Play => (Icon::Strike, "Single battles, or a run along the Road"),
                Page::Learn => (Icon::Book, "Three short lessons, then one for each system"),
                Page::Make => (Icon::Map, "Draw a map, choose the sides, share it"),
            };
            let opens = TitleButton::Page(page);
            EntryButton(icon, page.name(), words, panel).spawn(entries, icons, opens);
        }
        match choices.page {
            Page::Play => vignette::put(entries, icons, 1.0),
            // Below the page there is more space for it.
            Page::Learn | Page::Make => {
                entries.spawn(spacer());
            }
        }
        entries.group(rigid(wrapping_row(6.0, 6.0)), |row| {
            let browse = |what| AppCommand::File(FileCommand::Browse(what));
            message_button(row, "Load", browse(Browse::Load));
            message_button(row, "Replays", browse(Browse::Replays));
            row.spawn((word_button("Settings", Panel::Button), OpensSettings));
            message_button(row, "Codex", CodexCommand::Open(None));
            message_button(row, "Quit", AppCommand::Game(GameCommand::Quit));
        });
        let words = match (choices.continues(), choices.page) {
            (true, _) => "Enter: continue. F1: codex.",
            (false, Page::Play) => "Arrow keys: choose. Enter: start. F1: codex.",
            (false, _) => "Arrow keys: choose. Enter: open. F1: codex.",
        };
        // The longest hint takes two lines; the fixed height keeps the rows above in place.
        entries.spawn((faded(words), rigid(default()), Tall::text(HINT_LINES)));
    });
}

/// Height of two lines of small text, in layout pixels at the standard text size.
const HINT_LINES: f32 = 32.0;

/// A large entry: icon, name, description and panel.
pub(super) struct EntryButton<'a>(pub Icon, pub &'a str, pub &'a str, pub Panel);

impl EntryButton<'_> {
    pub(super) fn spawn(
        self,
        place: &mut ChildSpawnerCommands,
        icons: &mut SmallPictures,
        does: impl Bundle,
    ) {
        let Self(icon, name, about, panel) = self;
        let node = list_node(72.0, 12.0).padding(14.0, 8.0);
        place.spawn_with((button(panel, node), does), |entry| {
            entry.spawn(icons.square(SmallPicture::Icon(icon, panel.text()), 28.0));
            entry.group(column(1.0).min_width(px(0)), |words| {
                words.spawn(text(name, TextStyle::Heading, panel.text()));
                words.spawn(text(about, TextStyle::Small, panel.text()));
            });
        });
    }
}
