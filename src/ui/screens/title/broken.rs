//! The card that lists the errors of one of the player's own levels.

use crate::{
    levels::own::OwnLevel,
    ui::{
        art::{hud::Panel, palette},
        editor::{Edit, files},
        theme::{TextStyle, body_text, faded, text},
        widgets::{
            NodeExt, SpawnWith, card, fill_width, message_button, panel_style, row, rule,
            scrolling_column, spacer,
        },
    },
    words::count,
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

/// Maximum number of problems listed.
const MAX: usize = 40;

pub(super) fn card_of(body: &mut ChildSpawnerCommands, own: &OwnLevel) {
    let Err(problems) = &own.found else { return };
    let node = fill_width(card()).row_gap(8.0);
    body.spawn_with((node, panel_style(Panel::Card)), |card| {
        let head = format!("{} has {}", own.file(), count(problems.len(), "error"));
        card.spawn(text(head, TextStyle::Heading, palette::DANGER));
        let place = own.path.display().to_string();
        card.spawn(faded(place.clone()));
        card.spawn(rule());
        card.spawn_with((scrolling_column(8.0), ScrollArea), |list| {
            for problem in problems.iter().take(MAX) {
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
                list.spawn(body_text(words));
            }
            if let Some(more @ 1..) = problems.len().checked_sub(MAX) {
                list.spawn(faded(format!("and {more} more")));
            }
        });
        card.spawn(rule());
        card.spawn_with(row(10.0), |foot| {
            let words = "Fix the file and it reloads. `fivefoot check` lists the same errors.";
            foot.spawn(faded(words));
            // The editor cannot open packs and files that do not parse.
            if files::read(&own.path).is_some() {
                foot.spawn(spacer());
                message_button(foot, "Edit", Edit::File(own.path.clone()));
            }
        });
    });
}
