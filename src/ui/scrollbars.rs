//! What is longer than its room shows it: a bar beside it, to be dragged. Whatever
//! in it matters now is brought into sight.

use super::{art::palette, theme::colour};
use bevy::{
    ecs::system::SystemParam,
    prelude::*,
    ui::{IgnoreScroll, UiGlobalTransform, UiSystems},
    ui_widgets::{ControlOrientation, ScrollArea, Scrollbar, ScrollbarThumb},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (put_up, show).chain().before(UiSystems::Content),
    );
    app.add_systems(PostUpdate, bring.after(UiSystems::PostLayout));
}

/// A node that is scrolled into sight, once it has been laid out.
#[derive(Component, Default)]
pub struct InSight {
    /// For how many frames it has been laid out.
    frames: u8,
}

/// Frames until everything on a new page has its final size: icons and lists that are
/// filled later push other nodes about.
const SETTLES: u8 = 4;

fn bring(
    mut wanted: Query<(Entity, &ComputedNode, &mut InSight)>,
    mut areas: Areas,
    mut commands: Commands,
) {
    for (entity, node, mut in_sight) in &mut wanted {
        if node.size().y <= 0.0 {
            continue;
        }
        areas.bring_into_sight(entity);
        in_sight.frames += 1;
        if in_sight.frames == SETTLES {
            commands.entity(entity).remove::<InSight>();
        }
    }
}

/// The areas that scroll, and what is in them.
#[derive(SystemParam)]
pub struct Areas<'w, 's> {
    parents: Query<'w, 's, &'static ChildOf>,
    nodes: Query<'w, 's, (&'static ComputedNode, &'static UiGlobalTransform)>,
    scrolled: Query<'w, 's, (&'static Node, &'static mut ScrollPosition)>,
}

impl Areas<'_, '_> {
    /// Scrolls all areas that a node is in no further than that it is seen.
    pub fn bring_into_sight(&mut self, entity: Entity) {
        let Some((widget, _)) = self.place(entity) else {
            return;
        };
        for above in self.parents.iter_ancestors(entity) {
            let Some((window, scale)) = self.place(above) else {
                continue;
            };
            if let Ok((node, mut position)) = self.scrolled.get_mut(above)
                && node.overflow.y == OverflowAxis::Scroll
            {
                let margin = 8.0 / scale;
                let under = widget.max.y + margin - window.max.y;
                let over = window.min.y + margin - widget.min.y;
                if under > 0.0 {
                    position.y += under * scale;
                } else if over > 0.0 {
                    position.y = (position.y - over * scale).max(0.0);
                }
            }
        }
    }

    fn place(&self, entity: Entity) -> Option<(Rect, f32)> {
        let (node, place) = self.nodes.get(entity).ok()?;
        let rect = Rect::from_center_size(place.translation, node.size());
        Some((rect, node.inverse_scale_factor))
    }
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
/// Beside a bar lines are shorter and more of them wrap. What is too long by no more
/// than this, in pixels of the layout, may fit without the bar.
const WRAPS: f32 = 64.0;

/// The heights of the content and of the area when the area was last laid out without
/// its bar to see whether all fits then.
#[derive(Component, Default, PartialEq)]
struct TriedWithout(Option<(f32, f32)>);

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
        commands.entity(area).insert_if_new(TriedWithout::default());
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
    mut areas: Query<(&mut Node, &ComputedNode, &mut TriedWithout), With<ScrollArea>>,
    mut bars: Query<(&ChildOf, &mut Visibility), With<Bar>>,
) {
    for (of, mut visibility) in &mut bars {
        let Ok((mut node, laid, mut tried)) = areas.get_mut(of.parent()) else {
            continue;
        };
        let heights = (laid.content_size().y, laid.size().y);
        let over = heights.0 - heights.1;
        let has_bar = node.scrollbar_width > 0.0;
        let may_fit_without = has_bar && over * laid.inverse_scale_factor <= WRAPS;
        let is_long = over > 1.0 && !(may_fit_without && tried.0 != Some(heights));
        if may_fit_without {
            tried.set_if_neq(TriedWithout(Some(heights)));
        }
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
