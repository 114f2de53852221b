//! Small pictures of the board, made once for each size of cell.

use super::{Stage, View};
use crate::ui::{art::board::Picture, pictures};
use bevy::{platform::collections::HashMap, prelude::*};
use tiny_skia::Pixmap;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Prints>();
    app.add_systems(Update, renew.in_set(Stage::Lay));
}

/// A picture for the board, and how large it is in cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Print {
    pub image: Handle<Image>,
    pub size: Vec2,
}

/// The pictures for the present size of cell.
#[derive(Resource, Default)]
pub struct Prints {
    cell_px: u32,
    made: HashMap<String, Print>,
}

impl Prints {
    pub fn cell_px(&self) -> u32 {
        self.cell_px
    }

    /// The picture of that name, drawn if there is none yet.
    pub fn get(
        &mut self,
        images: &mut Assets<Image>,
        name: String,
        draw: impl FnOnce(u32) -> Pixmap,
    ) -> Print {
        let px = self.cell_px.max(1);
        let make = || {
            let pixmap = draw(px);
            let size = Vec2::new(pixmap.width() as f32, pixmap.height() as f32) / px as f32;
            Print { image: images.add(pictures::image(pixmap)), size }
        };
        self.made.entry(name).or_insert_with(make).clone()
    }
}

impl Print {
    pub fn sprite(&self) -> Sprite {
        Sprite { custom_size: Some(self.size), ..Sprite::from_image(self.image.clone()) }
    }
}

/// A place in cells, in the world.
pub fn at(place: Vec2, z: f32) -> Vec3 {
    Vec3::new(place.x, -place.y, z)
}

/// Where the middle of a picture belongs that should be round a place, so that
/// its pixels fall on those of the screen.
pub fn on_pixels(place: Vec2, size: Vec2, cell_px: u32) -> Vec2 {
    let px = cell_px.max(1) as f32;
    ((place - size / 2.0) * px).round() / px + size / 2.0
}

/// A picture that knows its own place on the map.
pub fn placed(picture: Picture, cell_px: u32, z: f32, images: &mut Assets<Image>) -> (Sprite, Transform) {
    let px = cell_px as f32;
    let size = Vec2::new(picture.pixmap.width() as f32, picture.pixmap.height() as f32) / px;
    let corner = Vec2::new(picture.left as f32, picture.top as f32) / px;
    let sprite = Sprite {
        custom_size: Some(size),
        ..Sprite::from_image(images.add(pictures::image(picture.pixmap)))
    };
    (sprite, Transform::from_translation(at(corner + size / 2.0, z)))
}

fn renew(view: Res<View>, mut prints: ResMut<Prints>) {
    if view.is_ready() && prints.cell_px != view.cell_px() {
        prints.made.clear();
        prints.cell_px = view.cell_px();
    }
}
