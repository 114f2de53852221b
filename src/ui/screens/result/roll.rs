//! The units of the player's side, with what each did, and the entrance of the page: the verdict and
//! the units appear one after the other.

use super::{Maker, table::fate};
use crate::{
    control::statistics::UnitStatistics,
    ui::{
        art::palette,
        pictures::SmallPicture,
        redraw::KeepRedrawing,
        settings::Settings,
        shown::UnitView,
        theme::{TextStyle, faded, one_line},
        tokens,
        widgets::{NodeExt, SpawnWith, Tip, column, rigid, sized, visible_if, wrapping_row},
    },
};
use bevy::prelude::*;
use std::cmp::Reverse;

/// The most units that are shown, by the damage they dealt.
const MAX: usize = 6;
/// The size of a portrait, in layout pixels.
const PORTRAIT: f32 = 44.0;
/// When the first unit appears, and the time between two, in seconds.
const UNITS: (f32, f32) = (0.5, 0.14);
/// How long a picture takes to shrink to its size, in seconds, and how much larger it starts.
const STAMP: (f32, f32) = (0.22, 0.6);

/// Appears this many seconds after the page was opened. Pictures come down like a stamp.
#[derive(Component, Clone, Copy)]
#[require(KeepRedrawing)]
pub struct Enters {
    pub at: f32,
    pub is_picture: bool,
}

impl Enters {
    fn unit(nth: usize, is_picture: bool) -> Self {
        Self {
            at: UNITS.0 + UNITS.1 * nth as f32,
            is_picture,
        }
    }
}

/// Seconds since the page was opened.
#[derive(Resource, Default)]
pub struct Entrance(f32);

/// Shows the parts of the page whose time has come: all of them after a key or a click, or if the
/// player wants less motion.
pub fn enter(
    settings: Res<Settings>,
    time: Res<Time<Real>>,
    (keys, buttons): (Res<ButtonInput<KeyCode>>, Res<ButtonInput<MouseButton>>),
    mut entrance: ResMut<Entrance>,
    parts: Query<(Entity, &Enters, &mut UiTransform, &mut Visibility), With<KeepRedrawing>>,
    mut commands: Commands,
) {
    let is_skipped = keys.get_just_pressed().len() > 0 || buttons.get_just_pressed().len() > 0;
    entrance.0 = match settings.less_motion || is_skipped {
        true => f32::INFINITY,
        // A slow first frame must not skip the entrance.
        false => entrance.0 + time.delta_secs().min(0.05),
    };
    for (entity, enters, mut transform, mut visibility) in parts {
        let age = entrance.0 - enters.at;
        visibility.set_if_neq(visible_if(age >= 0.0));
        let (seconds, larger) = STAMP;
        let left = 1.0 - (age / seconds).clamp(0.0, 1.0);
        if enters.is_picture {
            transform.scale = Vec2::splat(1.0 + larger * left * left);
        }
        if left == 0.0 {
            commands.entity(entity).try_remove::<KeepRedrawing>();
        }
    }
}

/// Spawns the units: first standing units, then units that fell or left.
pub fn row_of_units(
    place: &mut ChildSpawnerCommands,
    maker: &mut Maker,
    statistics: &[UnitStatistics],
) {
    let session = &maker.session;
    let winner = session.over().flatten();
    let side = match session.game.humans() {
        1 => session.player(),
        _ => winner.unwrap_or_else(|| session.player()),
    };
    let mut units: Vec<UnitView> = session.shown().members(side).cloned().collect();
    let dealt = |unit: &UnitView| statistics[unit.id.index()].dealt;
    units.sort_by_key(|unit| Reverse(dealt(unit)));
    units.truncate(MAX);
    units.sort_by_key(|unit| !unit.is_up());
    let node = rigid(wrapping_row(14.0, 4.0).align(AlignItems::Start));
    place.group(node, |line| {
        for (nth, unit) in units.iter().enumerate() {
            let portrait = SmallPicture::Portrait(tokens::portrait(unit), !unit.is_up());
            let portrait = maker.icons.get(portrait, PORTRAIT);
            show(line, (nth, unit), portrait, &statistics[unit.id.index()]);
        }
    });
}

/// A unit: its portrait, its name, and what it did.
fn show(
    line: &mut ChildSpawnerCommands,
    (nth, unit): (usize, &UnitView),
    portrait: Handle<Image>,
    did: &UnitStatistics,
) {
    let (state, out) = fate(unit);
    let help = format!(
        "{}: {state}, {} damage dealt, {} taken, {} downed",
        unit.name, did.dealt, did.taken, did.felled
    );
    let ink = if unit.is_up() { palette::INK } else { out };
    let below = match did.felled {
        0 if unit.is_up() => String::new(),
        0 => String::from(state),
        n => format!("{n} downed"),
    };
    let node = rigid(column(0.0).align(AlignItems::Center));
    let square = sized(PORTRAIT, PORTRAIT);
    let small = |words: String| (faded(words), TextLayout::no_wrap());
    line.spawn((
        node,
        Enters::unit(nth, false),
        Tip::text(help),
        children![
            (
                square,
                ImageNode::new(portrait),
                Enters::unit(nth, true),
                Pickable::IGNORE
            ),
            one_line(unit.name.clone(), TextStyle::Label, ink),
            small(format!("{} damage", did.dealt)),
            small(below),
        ],
    ));
}
