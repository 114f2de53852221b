//! The results of a battle for the run on the Road.

use super::{super::page_card, Maker};
use crate::{
    road::{NewsKind, RunState},
    ui::{
        art::{hud::Panel, palette},
        theme::{TextStyle, faded, heading_text, text},
        widgets::{SpawnWith, panel_style},
    },
    words::count,
};
use bevy::prelude::*;

pub(super) fn card(place: &mut ChildSpawnerCommands, maker: &Maker) {
    let state = maker.road.state();
    let Some(state) = state.filter(|_| maker.road.has_fought(&maker.session)) else {
        return;
    };
    place.spawn_with((page_card(2.0), panel_style(Panel::CardActive)), |card| {
        card.spawn(heading_text("On the Road"));
        lines(card, state);
        card.spawn(faded(standing(state)));
    });
}

/// The results of the last battle, one line each.
pub fn lines(place: &mut ChildSpawnerCommands, state: &RunState) {
    for news in &state.news {
        let (cut, ink) = match news.kind {
            NewsKind::Result => (TextStyle::Strong, palette::INK),
            NewsKind::Harm => (TextStyle::Body, palette::DANGER),
            NewsKind::Gain => (TextStyle::Body, palette::TEAL),
        };
        place.spawn(text(news.text.clone(), cut, ink));
    }
}

/// The state of the run: "Stop 4 of 9: 3 won. 2 bandages, 1 retreat."
fn standing(state: &RunState) -> String {
    let (stop, of) = (state.stop, state.settings.battles);
    let left = [
        count(state.bandages.into(), "bandage"),
        count(state.retreats.into(), "retreat"),
    ];
    format!(
        "{stop} of {of} battles fought, {} won. You have {}.",
        state.won,
        left.join(" and ")
    )
}
