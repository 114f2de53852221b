//! The screens that fill the window: title, battle builder, Road, battle, result, review. The
//! editor is a screen too, in a module of its own ([`editor`](super::editor)).

pub mod ask;
pub mod battle;
pub mod builder;
pub mod handover;
pub mod opening;
pub mod pause;
mod plot;
pub mod result;
pub mod review;
pub mod road;
pub mod title;

use super::{
    Screen,
    art::palette::{self, Rgb},
    hud::SmallPictures,
    places::MainCamera,
    room::Room,
    theme::{self, Appearance},
    widgets::{NodeExt, card, column, despawn_all, rigid, scrolling_column, wrapping_row},
};
use bevy::{prelude::*, text::RemSize, window::WindowResized};

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        title::plugin,
        battle::plugin,
        builder::plugin,
        result::plugin,
        review::plugin,
        road::plugin,
        ask::plugin,
        handover::plugin,
        opening::plugin,
        pause::plugin,
    ));
    app.add_systems(Startup, set_up_camera);
}

fn set_up_camera(mut commands: Commands) {
    commands.spawn((MainCamera, Camera2d, Msaa::Off, IsDefaultUiCamera));
}

/// The heading of the luck of a unit's attacks, and what it means.
const LUCK: (&str, &str) = (
    "Luck, in damage",
    "Damage of attacks above or below what was expected at the moment of each roll",
);

/// A gain or a loss with its sign and its colour. Zero, as it is rounded, has no sign. What others
/// gain is bad news for the player.
fn signed(value: f32, digits: usize, is_own: bool) -> (String, Rgb) {
    let least = 0.5 * 0.1_f32.powi(digits as i32);
    let sign = match value {
        x if x.abs() < least => "",
        x if x > 0.0 => "+",
        _ => "\u{2212}",
    };
    let ink = match (sign, is_own) {
        ("", _) => palette::INK,
        ("+", true) | ("\u{2212}", false) => palette::TEAL,
        _ => palette::DANGER,
    };
    (format!("{sign}{:.digits$}", value.abs()), ink)
}

/// The root node of the page that fills the window.
#[derive(Component)]
pub struct PageRoot;

/// Replaces the page that fills the window, until the player leaves the screen.
pub fn new_page<'a>(
    commands: &'a mut Commands,
    old: Query<Entity, With<PageRoot>>,
    (name, screen): (&'static str, Screen),
    look: impl Bundle,
) -> EntityCommands<'a> {
    despawn_all(commands, &old);
    commands.spawn((Name::new(name), PageRoot, DespawnOnExit(screen), look))
}

/// The margin left and right of a sheet's content, in layout pixels.
const SIDES: f32 = 48.0;

/// A sheet of paper that fills the window.
fn sheet(icons: &mut SmallPictures) -> impl Bundle {
    let node = column(theme::GAP).whole().padding(SIDES, 28.0);
    (node, icons.pictures.paper(&mut icons.images))
}

/// Whether a page has one column instead of two, for large text in a small window, and the widths of
/// its columns in layout pixels. The left of two has this share of the page.
fn page_columns(room: &Room, share: f32) -> (bool, f32, f32) {
    let wide = room.size().x - 2.0 * SIDES;
    match wide < 1000.0 * room.text() {
        true => (true, wide, wide),
        false => (false, wide * share, wide - wide * share - theme::GAP),
    }
}

/// The part of a page between its heading and its foot: cards in columns, or in one column if the
/// window is narrow.
fn page_body(is_narrow: bool) -> Node {
    Node {
        column_gap: px(theme::GAP),
        flex_direction: match is_narrow {
            true => FlexDirection::Column,
            false => FlexDirection::Row,
        },
        ..scrolling_column(theme::GAP)
    }
}

/// A card on a page, as high as its lines, with a gap between them.
fn page_card(gap: f32) -> Node {
    rigid(card().row_gap(gap))
}

/// The row of buttons below a page.
fn page_foot() -> Node {
    rigid(wrapping_row(12.0, 6.0))
}

/// Whether pages have to be built again, because the look, the text size or the window changed.
fn is_outdated(
    appearance: Res<Appearance>,
    text_size: Res<RemSize>,
    mut resized: MessageReader<WindowResized>,
) -> bool {
    resized.read().count() > 0 || appearance.is_changed() || text_size.is_changed()
}
