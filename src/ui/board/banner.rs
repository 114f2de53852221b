//! Banners: a few large words over the board that disappear by themselves, such as "Lin is down" or
//! "Round 3". A new banner replaces an older one.

use super::{
    MapView, Stage,
    floating_text::ABOVE_LABELS,
    unit_animator::{DespawnAfter, UnitAnimator},
};
use crate::ui::{
    Screen,
    art::{hud::Panel, palette::Rgb},
    theme::{self, TextStyle},
    widgets::{NodeExt, card, panel_style, rigid},
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, keep_newest.in_set(Stage::Tell));
}

/// Seconds of a banner during which the battle goes on.
pub const BRIEF: f32 = 1.1;
/// Middle of a banner, as a share of the board's height: usually, and where that is further from
/// what it is about.
const MIDDLE: (f32, f32) = (0.08, 0.92);
/// How much larger than a heading a banner's type is.
const TYPE: f32 = 1.3;

/// Marks a banner.
#[derive(Component, Clone, Copy)]
pub struct Banner;

/// Shows a banner for `seconds` seconds at the top or the bottom of the board, away from the places
/// that it is `about`, in cells.
pub fn show_banner(
    commands: &mut Commands,
    view: &MapView,
    (words, ink): (String, Rgb),
    about: &[Vec2],
    seconds: f32,
) {
    let (room, scale) = (view.area(), view.layout_scale());
    let at = |share: f32| room.min.y + room.height() * share;
    // Distance to the nearest of these places.
    let clear = |share: f32| {
        let apart = |&place: &Vec2| (view.in_window(place).y - at(share)).abs();
        about.iter().map(apart).fold(f32::INFINITY, f32::min)
    };
    let middle = match clear(MIDDLE.0) < clear(MIDDLE.1) {
        true => MIDDLE.1,
        false => MIDDLE.0,
    };
    // A line without height; the card is centred on it.
    let line = Node::default()
        .at(room.min.x / scale, at(middle) / scale)
        .size(room.width() / scale, 0.0)
        .centred();
    let node = rigid(card().max_width(percent(100)));
    commands.spawn((
        Banner,
        DespawnAfter(seconds),
        DespawnOnExit(Screen::Battle),
        line,
        ABOVE_LABELS,
        Pickable::IGNORE,
        children![(
            node,
            panel_style(Panel::CardLight),
            Pickable::IGNORE,
            children![theme::resized_text(words, (TextStyle::Heading, TYPE), ink)],
        )],
    ));
}

impl UnitAnimator<'_, '_> {
    /// Shows a banner for `seconds` seconds at normal speed; see [`show_banner`].
    pub(super) fn banner(&mut self, words: (String, Rgb), about: &[Vec2], seconds: f32) {
        let seconds = seconds * *self.duration_scale;
        show_banner(&mut self.commands, &self.view, words, about, seconds);
    }
}

fn keep_newest(
    added: Query<Entity, Added<Banner>>,
    all: Query<Entity, With<Banner>>,
    mut commands: Commands,
) {
    let Some(newest) = added.iter().last() else {
        return;
    };
    for old in all.iter().filter(|&banner| banner != newest) {
        commands.entity(old).try_despawn();
    }
}
