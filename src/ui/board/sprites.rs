//! The sprite cache of the board: small pictures, drawn once for each cell size.

use super::{MapView, Stage};
use crate::ui::{
    art::{board::Picture, palette},
    pictures::{self, Pictures},
    theme::Appearance,
};
use bevy::{ecs::system::SystemParam, platform::collections::HashMap, prelude::*, text::RemSize};
use std::sync::OnceLock;
use tiny_skia::Pixmap;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SizedImages>();
    app.add_systems(Update, renew.in_set(Stage::Lay));
}

/// An image for the board, with its size in cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SizedImage {
    pub handle: Handle<Image>,
    pub size: Vec2,
}

impl SizedImage {
    pub fn sprite(&self) -> Sprite {
        Sprite {
            custom_size: Some(self.size),
            ..Sprite::from_image(self.handle.clone())
        }
    }

    /// The parts of a sprite with its middle at a place in cells.
    pub fn laid(&self, middle: Vec2, z: f32) -> (Sprite, Transform) {
        (self.sprite(), Transform::from_translation(at(middle, z)))
    }
}

/// The images for the current cell size; changes when the cell size does.
#[derive(Resource, Default)]
pub struct SizedImages {
    cell_px: u32,
    layout_scale: f32,
    by_name: HashMap<String, SizedImage>,
}

fn renew(
    view: Res<MapView>,
    (appearance, text): (Res<Appearance>, Res<RemSize>),
    mut cached: ResMut<SizedImages>,
) {
    let scales = (view.cell_px(), view.layout_scale());
    // The text size changes the space next to pictures.
    let is_other = appearance.is_changed() || text.is_changed();
    let is_old = (cached.cell_px, cached.layout_scale) != scales || is_other;
    if view.is_ready() && is_old {
        cached.by_name.clear();
        (cached.cell_px, cached.layout_scale) = scales;
    }
}

/// Draws pictures and keeps them for reuse.
#[derive(SystemParam)]
pub struct SpriteCache<'w> {
    cached: ResMut<'w, SizedImages>,
    images: ResMut<'w, Assets<Image>>,
    pictures: ResMut<'w, Pictures>,
}

impl SpriteCache<'_> {
    /// Pixels of a cell; `None` before the view is measured.
    pub fn cell_px(&self) -> Option<u32> {
        Some(self.cached.cell_px).filter(|&px| px > 0)
    }

    /// Screen pixels for each layout pixel.
    pub fn layout_scale(&self) -> f32 {
        self.cached.layout_scale
    }

    /// Whether all pictures must be drawn again.
    pub fn is_renewed(&self) -> bool {
        self.cached.is_changed()
    }

    /// The picture with that name; drawn at the current cell size if it is missing.
    pub fn get_or_draw(
        &mut self,
        name: impl Into<String>,
        draw: impl FnOnce(u32) -> Pixmap,
    ) -> SizedImage {
        // A new picture is not a change: nothing must be redrawn.
        let cached = self.cached.bypass_change_detection();
        let px = cached.cell_px.max(1);
        let images = &mut self.images;
        let make = || {
            let pixmap = draw(px);
            let size = Vec2::new(pixmap.width() as f32, pixmap.height() as f32) / px as f32;
            SizedImage {
                handle: images.add(image(pixmap)),
                size,
            }
        };
        cached
            .by_name
            .entry(name.into())
            .or_insert_with(make)
            .clone()
    }

    /// Like [`get_or_draw`](Self::get_or_draw), for a picture that is `cells` cells high: `draw`
    /// gets its height in pixels.
    pub fn get_or_draw_sized(
        &mut self,
        name: impl Into<String>,
        cells: f32,
        draw: impl FnOnce(u32) -> Pixmap,
    ) -> SizedImage {
        self.get_or_draw(name, |px| draw((px as f32 * cells).round() as u32))
    }

    /// A sprite at a picture's own place on the map.
    pub fn placed(&mut self, picture: Picture, z: f32) -> (Sprite, Transform) {
        let corner = (picture.left, picture.top);
        let (px, images) = (self.cached.cell_px, &mut self.images);
        placed(image(picture.pixmap), corner, px, z, images)
    }

    /// A small icon of the HUD.
    pub fn small_picture(&mut self, picture: pictures::SmallPicture, size: f32) -> Handle<Image> {
        self.pictures.small_picture(&mut self.images, picture, size)
    }
}

/// A sprite for an image whose corner is `left` and `top` pixels from the map's corner.
pub fn placed(
    image: Image,
    (left, top): (i32, i32),
    cell_px: u32,
    z: f32,
    images: &mut Assets<Image>,
) -> (Sprite, Transform) {
    let px = cell_px as f32;
    let size = image.size_f32() / px;
    let corner = Vec2::new(left as f32, top as f32) / px;
    let image = SizedImage {
        handle: images.add(image),
        size,
    };
    let place = Transform::from_translation(at(corner + size / 2.0, z));
    (image.sprite(), place)
}

/// A place in cells, in world coordinates.
pub fn at(place: Vec2, z: f32) -> Vec3 {
    Vec3::new(place.x, -place.y, z)
}

/// The middle of a picture near `place` at which its pixels match those of the screen.
pub fn on_pixels(place: Vec2, size: Vec2, cell_px: u32) -> Vec2 {
    let px = cell_px.max(1) as f32;
    ((place - size / 2.0) * px).round() / px + size / 2.0
}

/// Converts a drawing to an image that looks as drawn when it lies on the floor colour: drawings
/// blend colour values, but the screen blends light, which would make thin ink and pale tints too
/// faint.
pub fn image(pixmap: Pixmap) -> Image {
    let mut image = pictures::image(pixmap);
    let light = light();
    let floor = palette::FLOOR.bytes();
    let pixels = image.data.iter_mut();
    for pixel in pixels.flat_map(|data| data.chunks_exact_mut(4)) {
        let strength = pixel[3];
        if strength == 0 || strength == 255 {
            continue;
        }
        // Corrects the opacity for the channel that differs most from the floor.
        let differs = |n: &usize| pixel[*n].abs_diff(floor[*n]);
        let n = (0..3).max_by_key(differs).unwrap_or(0);
        if differs(&n) < 16 {
            continue;
        }
        let (below, ink) = (f32::from(floor[n]), f32::from(pixel[n]));
        let share = f32::from(strength) / 255.0;
        let meant = light[(below + (ink - below) * share).round() as usize];
        let (below, ink) = (light[usize::from(floor[n])], light[usize::from(pixel[n])]);
        let strength = (below - meant) / (below - ink) * 255.0;
        pixel[3] = strength.round().clamp(0.0, 255.0) as u8;
    }
    image
}

/// Linear light for each 8-bit colour value.
fn light() -> &'static [f32; 256] {
    static LIGHT: OnceLock<[f32; 256]> = OnceLock::new();
    LIGHT.get_or_init(|| std::array::from_fn(|n| Srgba::gamma_function(n as f32 / 255.0)))
}
