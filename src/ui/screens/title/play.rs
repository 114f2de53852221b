//! The Play page: the Road, the battle builder, the list of levels and the chosen level.

use super::{TitleChoices, broken, card, list};
use crate::{
    levels::Level,
    ui::{
        Options, Profile,
        art::hud::Panel,
        hud::SmallPictures,
        own::Own,
        progress::Progress,
        room::Room,
        screens::{
            builder::BuilderButton,
            road::{Road, RoadButton},
        },
        scrollbars::KeepsScroll,
        theme::{faded, strong_text},
        widgets::{
            NodeExt, ScaledWidth, SpawnWith, Tip, button, column, fill_width, rigid,
            scrolling_column, tipped, word_button,
        },
    },
};
use bevy::{prelude::*, ui_widgets::ScrollArea};
use std::sync::Arc;

/// Width of the list of levels, in layout pixels at the standard text size.
pub(super) const LIST: f32 = 308.0;

pub(super) fn page(
    body: &mut ChildSpawnerCommands,
    (levels, own): (&[Arc<Level>], &Own),
    choices: &TitleChoices,
    (options, profile, progress): (&Options, &Profile, &Progress),
    road: &Road,
    (icons, room): (&mut SmallPictures, &Room),
) {
    // With very large text the whole column scrolls.
    let node = rigid(column(8.0).width(px(LIST)).scrolling());
    let left = (node, ScaledWidth(LIST), ScrollArea);
    body.spawn_with(left, |left| {
        ways(left, road);
        left.spawn(strong_text("Single battle, easiest first"));
        let node = scrolling_column(5.0).min_height(px(130)).padding(3.0, 3.0);
        left.spawn_with((rigid(node), KeepsScroll("levels")), |list| {
            list::levels(list, (levels, own), choices, options, (progress, icons));
        });
        stars(left, progress);
    });
    let broken = choices.broken.as_ref().and_then(|path| own.0.at(path));
    match (broken, levels.get(choices.level)) {
        (Some(broken), _) => broken::card_of(body, broken),
        (None, Some(level)) => {
            let picture = card::preview(icons, level, room);
            let own = own.picture(level);
            let own = own.and_then(|png| card::own_picture(icons, png));
            let known = (options, profile, progress);
            card::level_card(body, level, choices, known, (picture, own), icons);
        }
        (None, None) => {}
    }
}

/// Entries for the Road and the battle builder.
fn ways(left: &mut ChildSpawnerCommands, road: &Road) {
    left.group(rigid(Node::default().column_gap(6.0)), |ways| {
        let node = fill_width(column(0.0))
            .align(AlignItems::Start)
            .padding(10.0, 3.0);
        let tip = Tip::text("A run of battles: wounds stay, so do levels");
        let parts = (button(Panel::Button, node), RoadButton::Open, tip);
        ways.spawn_with(parts, |words| {
            words.spawn(strong_text("The Road"));
            words.spawn(faded(road.line()));
        });
        let tip = Tip::text("Build your own battle: map, squads, objective");
        let build = word_button("Build a battle", Panel::Button);
        ways.spawn((build, BuilderButton::Open, tip));
    });
}

/// The number of stars won, with a legend of their shapes.
fn stars(left: &mut ChildSpawnerCommands, progress: &Progress) {
    let (won, of) = progress.gathered();
    let words = format!("{won} of {of} stars: one for each level and combat system that you win.");
    let help = "Hollow: Easy AI beaten; full: Quick AI; with a dot: Strategist.";
    left.spawn(tipped(faded(words), Tip::text(help)));
}
