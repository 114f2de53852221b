//! The ink drawing below the entries, or below a page that leaves space for it. When the game starts
//! it is drawn from left to right; a key or a click completes it at once.

use crate::ui::{
    Phase, Screen,
    art::vignette::{SIZE, vignette},
    hud::SmallPictures,
    pictures,
    redraw::KeepRedrawing,
    settings::Settings,
    widgets::{NodeExt, fill_height, set_part},
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<VignetteShare>();
    app.add_systems(
        Update,
        draw.in_set(Phase::Draw).run_if(in_state(Screen::Title)),
    );
}

/// How much of the drawing is visible, from 0 to 1.
#[derive(Resource, Default, PartialEq, Debug)]
pub struct VignetteShare(pub f32);

/// The visible part of the drawing.
#[derive(Component)]
struct Visible;

/// The whole drawing inside [`Visible`].
#[derive(Component)]
struct Whole;

/// How long the drawing takes, in seconds.
const SECONDS: f32 = 1.6;

/// Spawns the drawing, which fills the remaining height of its column, up to `size` times its own.
pub(super) fn put(column: &mut ChildSpawnerCommands, icons: &mut SmallPictures, size: f32) {
    let scale = icons.pictures.scale() * size;
    let SmallPictures { pictures, images } = icons;
    let draw = || images.add(pictures::image(vignette(scale)));
    let image = pictures.keep(format!("vignette {scale}"), draw);
    let room = fill_height(
        Node::default()
            .align(AlignItems::End)
            .justify(JustifyContent::Center),
    );
    let frame = Node {
        height: percent(100),
        max_height: px(SIZE.1 * size),
        aspect_ratio: Some(SIZE.0 / SIZE.1),
        ..default()
    };
    let part = Node::default().height(percent(100)).clipped();
    let whole = Node::default().absolute().height(percent(100));
    column.spawn((
        room,
        Pickable::IGNORE,
        children![(
            frame,
            Pickable::IGNORE,
            children![(
                Visible,
                KeepRedrawing,
                part,
                Pickable::IGNORE,
                children![(Whole, ImageNode::new(image), whole, Pickable::IGNORE)],
            )],
        )],
    ));
}

fn draw(
    settings: Res<Settings>,
    time: Res<Time<Real>>,
    (keys, buttons): (Res<ButtonInput<KeyCode>>, Res<ButtonInput<MouseButton>>),
    mut share: ResMut<VignetteShare>,
    parts: Query<(Entity, &mut Node), (With<Visible>, Without<Whole>)>,
    mut wholes: Query<&mut Node, With<Whole>>,
    mut commands: Commands,
) {
    let is_skipped = keys.get_just_pressed().len() > 0 || buttons.get_just_pressed().len() > 0;
    let now = match settings.less_motion || is_skipped {
        true => 1.0,
        // A slow first frame must not skip the drawing.
        false => share.0 + time.delta_secs().min(0.05) / SECONDS,
    };
    share.set_if_neq(VignetteShare(now.min(1.0)));
    for (entity, mut part) in parts {
        set_part(&mut part, |part| &mut part.width, percent(100.0 * share.0));
        if share.0 >= 1.0 {
            commands.entity(entity).try_remove::<KeepRedrawing>();
        }
    }
    let width = percent(100.0 / share.0.max(0.01));
    for mut whole in &mut wholes {
        set_part(&mut whole, |whole| &mut whole.width, width);
    }
}
