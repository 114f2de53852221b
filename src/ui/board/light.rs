//! The light of a level: a tint over floor and paper, under all marks and units, so that no
//! meaningful colour changes.

use super::{MapView, Stage, height, sprites::at};
use crate::{
    levels::Light,
    ui::{
        Screen, Session,
        art::{
            palette::{self, Scheme},
            smooth_step,
        },
        pictures,
    },
};
use bevy::prelude::*;
use std::sync::Arc;
use tiny_skia::{Pixmap, PremultipliedColorU8};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, lay.in_set(Stage::Lay));
}

/// The tint over the map.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wash(pub Light);

/// Above the ink, below all marks.
const ABOVE_INK: f32 = (height::INK + height::REACH) / 2.0;
/// Side of the picture in pixels; it is stretched over the map.
const SIDE: u32 = 160;
/// Side of the picture as a multiple of the map's diagonal: it extends beyond anything the window
/// shows.
const BEYOND: f32 = 4.0;

/// A colour and its strength, from 0 to 1.
type Tint = ([u8; 3], f32);

fn tints(light: Light) -> Option<(Tint, Tint)> {
    Some(match light {
        Light::Day => return None,
        Light::Dusk => (([222, 130, 70], 0.08), ([120, 62, 70], 0.30)),
        Light::Night => (([58, 78, 120], 0.16), ([22, 30, 58], 0.48)),
        Light::Cold => (([130, 168, 196], 0.16), ([86, 120, 150], 0.34)),
        Light::Torches => (([255, 176, 84], 0.10), ([38, 22, 14], 0.55)),
    })
}

fn lay(
    mut commands: Commands,
    (session, view): (Res<Session>, Res<MapView>),
    old: Query<(Entity, &Wash)>,
    mut images: ResMut<Assets<Image>>,
    mut scheme: Local<Option<Scheme>>,
) {
    let level: &Arc<_> = session.game.level();
    let now = palette::scheme();
    // High contrast uses no tint.
    let wanted = Some(level.light).filter(|_| now != Scheme::HighContrast);
    let wanted = wanted.and_then(|light| Some((light, tints(light)?)));
    let is_there = old.iter().map(|(_, wash)| wash.0).next();
    let is_new = scheme.replace(now) != Some(now);
    if is_there == wanted.map(|(light, _)| light) && !is_new || !view.is_ready() {
        return;
    }
    for (entity, _) in &old {
        commands.entity(entity).despawn();
    }
    let Some((light, tints)) = wanted else { return };
    let board = level.board();
    let size = Vec2::new(f32::from(board.width()), f32::from(board.height()));
    let sprite = Sprite {
        custom_size: Some(Vec2::splat(size.length() * BEYOND)),
        ..Sprite::from_image(images.add(pictures::image(wash(tints))))
    };
    let place = Transform::from_translation(at(size / 2.0, ABOVE_INK));
    commands.spawn((Wash(light), sprite, place, DespawnOnExit(Screen::Battle)));
}

/// Draws a radial tint: `middle` at the centre of the map, `edge` from the corners outwards.
fn wash((middle, edge): (Tint, Tint)) -> Pixmap {
    let mut pixmap = Pixmap::new(SIDE, SIDE).expect("a size");
    let half = SIDE as f32 / 2.0;
    // In halves of the map's diagonal.
    let far = |n: u32| (n as f32 + 0.5 - half) / half * BEYOND;
    for (n, pixel) in pixmap.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (far(n as u32 % SIDE), far(n as u32 / SIDE));
        let out = smooth_step(((x * x + y * y).sqrt() - 0.35) / 0.85);
        let strength = middle.1 + (edge.1 - middle.1) * out;
        let channel = |k: usize| {
            let (a, b) = (f32::from(middle.0[k]), f32::from(edge.0[k]));
            ((a + (b - a) * out) * strength).round() as u8
        };
        let alpha = (strength * 255.0).round() as u8;
        let [r, g, b] = [0, 1, 2].map(|k| channel(k).min(alpha));
        if let Some(colour) = PremultipliedColorU8::from_rgba(r, g, b, alpha) {
            *pixel = colour;
        }
    }
    pixmap
}
