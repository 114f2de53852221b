//! What is longer than its room shows it: a bar beside it, to be dragged.

use super::{art::palette, theme::colour};
use bevy::{
    prelude::*,
    ui::{IgnoreScroll, UiSystems},
    ui_widgets::{ControlOrientation, ScrollArea, Scrollbar, ScrollbarThumb},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (put_up, show).chain().before(UiSystems::Content),
    );
}

/// The bar of the area whose child it is.
#[derive(Component)]
struct Bar;

/// The room that a bar takes, and how much of it is left free, in pixels of the
/// layout.
const WIDTH: f32 = 10.0;
const GAP: f32 = 4.0;
/// The thumb is no shorter, in pixels of the layout.
const SHORTEST: f32 = 24.0;

/// Whoever fills an area anew takes its bar away with the rest.
fn put_up(
    areas: Query<Entity, With<ScrollArea>>,
    bars: Query<&ChildOf, With<Bar>>,
    mut commands: Commands,
) {
    for area in &areas {
        if bars.iter().any(|of| of.parent() == area) {
            continue;
        }
        let node = Node {
            position_type: PositionType::Absolute,
            top: px(0),
            bottom: px(0),
            right: px(-WIDTH),
            width: px(WIDTH - GAP),
            ..default()
        };
        let thumb = ScrollbarThumb {
            border_radius: BorderRadius::MAX,
            border: UiRect::DEFAULT,
        };
        let ink = colour(palette::FADED_INK).with_alpha(0.55);
        commands.spawn((
            Bar,
            ChildOf(area),
            Scrollbar::new(area, ControlOrientation::Vertical, SHORTEST),
            node,
            IgnoreScroll(BVec2::TRUE),
            Visibility::Hidden,
            children![(thumb, BackgroundColor(ink))],
        ));
    }
}

fn show(
    mut areas: Query<(&mut Node, &ComputedNode), With<ScrollArea>>,
    mut bars: Query<(&ChildOf, &mut Visibility), With<Bar>>,
) {
    for (of, mut visibility) in &mut bars {
        let Ok((mut node, laid)) = areas.get_mut(of.parent()) else {
            continue;
        };
        let is_long = laid.content_size().y > laid.size().y + 1.0;
        let (width, seen) = match is_long {
            true => (WIDTH, Visibility::Inherited),
            false => (0.0, Visibility::Hidden),
        };
        if node.scrollbar_width != width {
            node.scrollbar_width = width;
        }
        visibility.set_if_neq(seen);
    }
}
