//! Caches drawn pictures as images for the window, one for each size.

use super::art::{
    self,
    hud::{self, Pip, Star},
    icons::{self, Icon},
    palette::Rgb,
    portrait::{self, Portrait},
    tokens::{self, Chip},
};
use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    platform::collections::HashMap,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
    window::PrimaryWindow,
};
use tiny_skia::Pixmap;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Pictures>()
        .add_systems(PreUpdate, watch_scale);
}

/// What a small picture shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SmallPicture {
    Icon(Icon, Rgb),
    Chip(Chip),
    /// A portrait, and whether it is pale: its unit is out of the fight.
    Portrait(Portrait, bool),
    Pip(Pip, bool),
    Star(Star),
    Badge(tokens::Badge),
    Cover(icons::Cover),
}

/// The small pictures of the HUD.
#[derive(Resource)]
pub struct Pictures {
    /// Screen pixels for one layout pixel.
    scale: f32,
    made: HashMap<String, Handle<Image>>,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            scale: 1.0,
            made: HashMap::default(),
        }
    }
}

impl Pictures {
    /// A small picture, `size` layout pixels square.
    pub fn small_picture(
        &mut self,
        images: &mut Assets<Image>,
        picture: SmallPicture,
        size: f32,
    ) -> Handle<Image> {
        let px = (size * self.scale).round().max(1.0) as u32;
        let key = format!("{picture:?} {px}");
        let draw = || match picture {
            SmallPicture::Icon(icon, ink) => icons::icon(icon, px, ink),
            SmallPicture::Chip(chip) => tokens::chip(chip, px),
            SmallPicture::Portrait(of, is_pale) => portrait::portrait(of, px, is_pale),
            SmallPicture::Pip(pip, spent) => hud::pip(pip, spent, px),
            SmallPicture::Star(star) => hud::star(star, px),
            SmallPicture::Badge(badge) => tokens::badge(badge, px),
            SmallPicture::Cover(cover) => icons::cover_badge(cover, px),
        };
        self.made
            .entry(key)
            .or_insert_with(|| images.add(image(draw())))
            .clone()
    }

    /// Screen pixels for one layout pixel.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// The tileable paper that boards lie on.
    pub fn parchment(&mut self, images: &mut Assets<Image>) -> Handle<Image> {
        let paper = || {
            let mut image = image(art::parchment());
            image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
                address_mode_u: ImageAddressMode::Repeat,
                address_mode_v: ImageAddressMode::Repeat,
                mag_filter: ImageFilterMode::Linear,
                min_filter: ImageFilterMode::Linear,
                ..default()
            });
            images.add(image)
        };
        self.made
            .entry(String::from("parchment"))
            .or_insert_with(paper)
            .clone()
    }

    /// The paper as the background of a whole node. By default an image leaves out the padding.
    pub fn paper(&mut self, images: &mut Assets<Image>) -> ImageNode {
        ImageNode {
            image_mode: NodeImageMode::Tiled {
                tile_x: true,
                tile_y: true,
                stretch_value: 1.0,
            },
            visual_box: VisualBox::BorderBox,
            ..ImageNode::new(self.parchment(images))
        }
    }

    /// Drops all pictures, so that they are drawn again.
    pub fn forget(&mut self) {
        self.made.clear();
    }

    /// The picture stored under a name; `make` draws it the first time.
    pub fn keep(&mut self, name: String, make: impl FnOnce() -> Handle<Image>) -> Handle<Image> {
        self.made.entry(name).or_insert_with(make).clone()
    }
}

/// Converts a drawn picture to an image for the window.
pub fn image(pixmap: Pixmap) -> Image {
    let size = Extent3d {
        width: pixmap.width(),
        height: pixmap.height(),
        depth_or_array_layers: 1,
    };
    Image::new(
        size,
        TextureDimension::D2,
        art::straight_rgba(pixmap),
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::all(),
    )
}

/// Small pictures are drawn larger on screens with finer pixels.
fn watch_scale(
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    ui: Option<Res<UiScale>>,
    mut pictures: ResMut<Pictures>,
) {
    let scale = window.map_or(1.0, |w| w.scale_factor()) * ui.map_or(1.0, |s| s.0);
    if scale != pictures.scale {
        pictures.scale = scale;
        pictures.made.clear();
    }
}
