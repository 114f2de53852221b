//! The cards around the board. Each is a function of session, selection and preview, and is rebuilt
//! when its content changes.

mod acts;
pub mod enemy_turn;
mod forecast;
mod hint;
mod inspect;
mod log;
pub mod menu;
mod more;
mod objectives;
pub mod party;
pub mod plan_list;
mod planner;
mod rated_row;
mod reaction;
mod round;
mod side_panel;
mod toast;
mod top;
mod track;
mod warn;
mod why;

use super::{
    ActionPreview, Command, Phase, Playback, Profile, Screen, Selection, Session,
    art::hud::Panel,
    board::{enemy_reach::EnemyReach, playback::EventPlayback},
    pictures::{self, Pictures, SmallPicture},
    preview::{PlanPreview, Predictions, Presets, PreviewedMoment},
    selection::Highlight,
    settings::Settings,
    shown::UnitView,
    tokens,
    widgets::{self, Filled, NodeExt, ScaledWidth, SpawnWith, card, panel_style, refill},
};
use bevy::{
    ecs::system::SystemParam,
    picking::{hover::Hovered, pointer::PointerInput},
    prelude::*,
    text::RemSize,
    window::WindowResized,
};
use tiny_skia::Pixmap;

pub use acts::ActBar;
pub use forecast::ForecastBar;
pub use inspect::{ChartRow, InspectCard, height};
pub use log::{FadedTop, LogButton, LogCard, LogFilter, MoreBelow, Topic, log};
pub use objectives::ObjectivesCard;
pub use party::PartyRow;
pub use plan_list::next_supposition;
pub use planner::PlanStrip;
pub use reaction::Unfolds;
pub use side_panel::SidePanelCard;
pub use top::TopBar;
pub use track::{InspectsUnit, PreviewFrame, ReplaysRound};

/// Gap between the cards of a battle, in layout pixels: small, to leave space for the board.
pub const GAP: f32 = 8.0;
/// Width of the right column at the standard text size, in layout pixels.
pub const COLUMN: f32 = 330.0;

/// Width of the board for a window width and a text scale, in layout pixels.
fn board_width(window: f32, scale: f32) -> f32 {
    window - ScaledWidth(COLUMN).at(scale) - 3.0 * GAP
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((log::plugin, side_panel::plugin));
    app.add_observer(reaction::unfold);
    let changed = || {
        resource_exists_and_changed::<Session>
            .or_else(resource_changed::<Selection>)
            .or_else(resource_changed::<ActionPreview>)
            .or_else(resource_changed::<PlanPreview>)
            .or_else(resource_changed::<Predictions>)
            .or_else(resource_changed::<Presets>)
            .or_else(resource_changed::<Profile>)
            .or_else(resource_changed::<PreviewedMoment>)
            // A prompt waits until all events have been shown, and nothing else changes then.
            .or_else(resource_changed::<Playback>)
            .or_else(resource_changed::<RemSize>)
            .or_else(resource_changed::<Settings>)
            .or_else(on_message::<WindowResized>)
    };
    // The number of actions that fit is known only after layout.
    let resized = any_match_filter::<(With<ActBar>, Changed<ComputedNode>)>;
    let cards = (
        (top::refresh, forecast::refresh).chain(),
        objectives::refresh,
        party::refresh,
        planner::refresh,
        menu::refresh,
        reaction::refresh,
        more::refresh,
        toast::refresh,
        warn::refresh,
    );
    app.add_systems(
        Update,
        (
            (inspect_hovered, highlight, track::preview_part).in_set(Phase::Input),
            cards.in_set(Phase::Draw).run_if(changed()),
            // The card and the log share the space that the layout leaves.
            (
                inspect::share_column,
                inspect::refresh.run_if(
                    changed()
                        .or_else(resource_changed::<EventPlayback>)
                        .or_else(resource_changed::<EnemyReach>),
                ),
            )
                .chain()
                .in_set(Phase::Draw),
            acts::refresh
                .in_set(Phase::Draw)
                .run_if(changed().or_else(resized)),
            (menu::step_aside, warn::step_aside).in_set(Phase::Draw),
        )
            .run_if(in_state(Screen::Battle)),
    );
}

/// Inspects the unit whose card or token is under the pointer.
fn inspect_hovered(
    marks: Query<(&track::InspectsUnit, &Hovered)>,
    selection: Res<Selection>,
    mut out: MessageWriter<Command>,
) {
    let hovered = marks.iter().find(|(_, hovered)| hovered.get());
    let who = hovered.map(|(inspects, _)| inspects.0);
    if who != selection.looked_at {
        out.write(Command::LookAt(who));
    }
}

/// Marks on the board what the line under the pointer is about. Lines that scroll under a pointer at
/// rest, as the log's do while events play, mark nothing: marks and numbers would come and go.
fn highlight(
    lines: Query<(&Highlight, &Hovered)>,
    selection: Res<Selection>,
    mut inputs: MessageReader<PointerInput>,
    mut out: MessageWriter<Command>,
) {
    let is_at_rest = inputs.read().count() == 0;
    let hovered = lines.iter().find(|(_, hovered)| hovered.get());
    let line = hovered.map(|(what, _)| *what);
    let line = line.filter(|&line| !is_at_rest || line == selection.highlighted);
    let now = line.unwrap_or_default();
    if now != selection.highlighted {
        out.write(Command::Highlight(now));
    }
}

/// Rebuilds the card in a place if its content changed; without content the place stays empty.
fn show_card<M: PartialEq>(
    commands: &mut Commands,
    now: (Entity, Option<M>),
    shown: &mut Filled<Option<M>>,
    (scaled, high): (f32, f32),
    show: impl FnOnce(&mut ChildSpawnerCommands, &M),
) {
    refill(commands, now, shown, |place, model| {
        let Some(model) = model else { return };
        let node = card().max_width(percent(98)).max_height(percent(high));
        place.spawn_with(
            (node, ScaledWidth(scaled), panel_style(Panel::CardActive)),
            |card| show(card, model),
        );
    });
}

/// Small pictures for the HUD.
#[derive(SystemParam)]
pub struct SmallPictures<'w> {
    pub pictures: ResMut<'w, Pictures>,
    pub images: ResMut<'w, Assets<Image>>,
}

impl SmallPictures<'_> {
    /// A picture drawn for a single use; `draw` gets the screen pixels for each layout pixel.
    pub fn drawn(&mut self, draw: impl FnOnce(f32) -> Pixmap) -> Handle<Image> {
        self.images
            .add(pictures::image(draw(self.pictures.scale())))
    }

    pub fn get(&mut self, picture: SmallPicture, size: f32) -> Handle<Image> {
        self.pictures.small_picture(&mut self.images, picture, size)
    }

    /// A square picture.
    pub fn square(&mut self, picture: SmallPicture, size: f32) -> impl Bundle + use<> {
        widgets::picture(self.get(picture, size), size)
    }

    /// The portrait of a unit, crossed out if it has fallen.
    pub fn portrait(&mut self, unit: &UnitView, size: f32) -> impl Bundle + use<> {
        let portrait = SmallPicture::Portrait(tokens::portrait(unit), !unit.is_up());
        self.square(portrait, size)
    }

    /// The picture of a unit in a list, crossed out if it has fallen.
    pub fn chip(&mut self, unit: &UnitView, size: f32) -> Handle<Image> {
        let chip = SmallPicture::Chip(tokens::chip(unit, !unit.is_up()));
        self.get(chip, size)
    }
}
