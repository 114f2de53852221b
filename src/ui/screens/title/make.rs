//! The Make page: a level in the editor, or a battle in the battle builder.

use super::{TitleChoices, entries::EntryButton};
use crate::{
    levels::Level,
    ui::{
        art::{hud::Panel, icons::Icon},
        editor::Edit,
        hud::SmallPictures,
        own::Own,
        screens::builder::BuilderButton,
        theme::{faded, heading_text},
        widgets::{NodeExt, SendOnPress, SpawnWith, card, panel_style, rule},
    },
};
use bevy::{prelude::*, ui_widgets::ScrollArea};
use std::sync::Arc;

pub(super) fn page(
    body: &mut ChildSpawnerCommands,
    (levels, own): (&[Arc<Level>], &Own),
    choices: &TitleChoices,
    icons: &mut SmallPictures,
) {
    let node = card().min_height(px(0)).row_gap(10.0).scrolling();
    body.spawn_with((node, panel_style(Panel::Card), ScrollArea), |page| {
        page.spawn(heading_text("Make"));
        page.spawn(rule());
        let about = "Ground drawn or generated, squads by points, an objective; then fight on it";
        let build = EntryButton(Icon::Flag, "Build a battle", about, Panel::Card);
        build.spawn(page, icons, BuilderButton::Open);
        let about = "An empty map in the editor: ground, sides, units, objectives";
        let new = EntryButton(Icon::Grid, "New level", about, Panel::Card);
        new.spawn(page, icons, SendOnPress(Edit::New));
        if let Some(level) = levels.get(choices.level) {
            let name = format!("Edit {}", level.title);
            let about = "The level that is chosen under Play";
            let edits = SendOnPress(Edit::Level(level.clone()));
            EntryButton(Icon::Gear, &name, about, Panel::Card).spawn(page, icons, edits);
        }
        if let Some(folder) = own.folder() {
            let words = format!(
                "Your levels are files in {}. They are listed under Play.",
                folder.display()
            );
            page.spawn(faded(words));
        }
    });
}
