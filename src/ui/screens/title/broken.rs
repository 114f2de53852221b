//! The card that lists the errors of one of the player's own levels.

use crate::{
    levels::own::OwnLevel,
    ui::{
        art::{hud::Panel, palette},
        editor::{Edit, files},
        theme::{TextStyle, text},
        widgets::{SendOnPress, card, face, row, rule, scrolling_column, spring, word_button},
    },
    words::count,
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

/// Maximum number of problems listed.
const MOST: usize = 40;

pub(super) fn card_of(body: &mut ChildSpawnerCommands, own: &OwnLevel) {
    let Err(problems) = &own.found else { return };
    let node = Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(0),
        row_gap: px(8),
        ..card()
    };
    body.spawn((node, face(Panel::Card))).with_children(|card| {
        let head = format!("{} has {}", own.file(), count(problems.len(), "error"));
        card.spawn(text(head, TextStyle::Heading, palette::DANGER));
        let place = own.path.display().to_string();
        card.spawn(text(place.clone(), TextStyle::Small, palette::FADED_INK));
        card.spawn(rule());
        let node = scrolling_column(8.0);
        card.spawn((node, ScrollArea)).with_children(|list| {
            for problem in problems.iter().take(MOST) {
                // A pack has several files, so name the file.
                let file = problem.file.strip_prefix(&place).unwrap_or_default();
                let file = file.trim_start_matches('/');
                let colon = if file.is_empty() { "" } else { ":" };
                let mut words = format!(
                    "{file}{colon}{}:{}: {}",
                    problem.line, problem.col, problem.what
                );
                if !problem.help.is_empty() {
                    words += &format!("; {}", problem.help);
                }
                list.spawn(text(words, TextStyle::Body, palette::INK));
            }
            if let Some(more @ 1..) = problems.len().checked_sub(MOST) {
                let words = format!("and {more} more");
                list.spawn(text(words, TextStyle::Small, palette::FADED_INK));
            }
        });
        card.spawn(rule());
        card.spawn(row(10.0)).with_children(|foot| {
            let words = "Fix the file and it reloads. `fivefoot check` lists the same errors.";
            foot.spawn(text(words, TextStyle::Small, palette::FADED_INK));
            // The editor cannot open packs and files that do not parse.
            if files::read(&own.path).is_some() {
                foot.spawn(spring());
                let edits = SendOnPress(Edit::File(own.path.clone()));
                foot.spawn((word_button("Edit", Panel::Button), edits));
            }
        });
    });
}
