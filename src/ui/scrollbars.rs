//! Scroll bars for areas whose content does not fit, and scrolling to nodes that
//! should be visible.

use super::{
    art::{hud::Panel, palette},
    input::Key,
    theme::colour,
    widgets::{set_part, visible_if},
};
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
    app.init_resource::<LeftScroll>()
        .add_observer(leave_scroll)
        .add_observer(take_over_scroll)
        .add_systems(Last, |mut left: ResMut<LeftScroll>| left.0.clear());
}

/// An edge of a scrolling area at which a line that is cut off fades into `ground`. `node` says which
/// edge: the one with `top` or `bottom` at 0.
pub fn faded_edge(ground: Panel, node: Node) -> impl Bundle {
    let ground = colour(ground.background());
    let stops = [ground, ground.with_alpha(0.0)].map(ColorStop::from);
    let gradient = match node.bottom {
        Val::Auto => LinearGradient::to_bottom(stops.to_vec()),
        _ => LinearGradient::to_top(stops.to_vec()),
    };
    let node = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(0),
        height: px(12),
        ..node
    };
    // In front of the lines, which come later.
    let place = (ZIndex(1), IgnoreScroll(BVec2::TRUE), Pickable::IGNORE);
    (node, BackgroundGradient::from(gradient), place)
}

/// A scrolling area that keeps its position when its page is built again: it takes over that of
/// the area with the same name that was removed in the same frame.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[require(ScrollArea)]
pub struct KeepsScroll(pub &'static str);

/// The positions of the areas that were removed in this frame.
#[derive(Resource, Default)]
struct LeftScroll(Vec<(KeepsScroll, Vec2)>);

fn leave_scroll(
    on: On<Remove, KeepsScroll>,
    areas: Query<(&KeepsScroll, &ScrollPosition)>,
    mut left: ResMut<LeftScroll>,
) {
    let area = areas.get(on.entity);
    left.0.extend(area.map(|(name, at)| (*name, at.0)));
}

fn take_over_scroll(
    on: On<Add, KeepsScroll>,
    mut areas: Query<(&KeepsScroll, &mut ScrollPosition)>,
    left: Res<LeftScroll>,
) {
    if let Ok((name, mut at)) = areas.get_mut(on.entity)
        && let Some((_, was)) = left.0.iter().find(|(of, _)| of == name)
    {
        at.0 = *was;
    }
}

/// A node to scroll to once its layout is final.
#[derive(Component, Default)]
pub struct InSight {
    /// The number of frames since its first layout.
    frames: u8,
}

/// The number of frames until the layout of a new page is final: icons and lists that
/// are filled later move other nodes.
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

/// Scrolls an area with Page Up and Page Down.
pub fn scroll_by_page<Area: Component>(
    keys: Res<ButtonInput<Key>>,
    mut areas: Query<(&ComputedNode, &mut ScrollPosition), With<Area>>,
) {
    let down = keys.just_pressed(Key::PageDown);
    if down == keys.just_pressed(Key::PageUp) {
        return;
    }
    for (node, mut position) in &mut areas {
        let scale = node.inverse_scale_factor;
        let (content, height) = (node.content_size().y * scale, node.size().y * scale);
        let by = if down { height * 0.8 } else { -height * 0.8 };
        position.y = (position.y + by).clamp(0.0, (content - height).max(0.0));
    }
}

/// The scrolling areas and their content.
#[derive(SystemParam)]
pub struct Areas<'w, 's> {
    parents: Query<'w, 's, &'static ChildOf>,
    nodes: Query<'w, 's, (&'static ComputedNode, &'static UiGlobalTransform)>,
    scrolled: Query<'w, 's, (&'static Node, &'static mut ScrollPosition)>,
}

impl Areas<'_, '_> {
    /// Scrolls all areas around a node just far enough to make it visible.
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
                let by = to_reveal(widget, window, 8.0 / scale) * scale;
                if by != 0.0 {
                    position.y = (position.y + by).max(0.0);
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

/// How far a window must scroll down, or up if negative, to show a node with this margin. If the
/// node is too high, its top is shown.
pub fn to_reveal(node: Rect, window: Rect, margin: f32) -> f32 {
    let top = node.min.y - margin - window.min.y;
    let bottom = node.max.y + margin - window.max.y;
    match top < 0.0 {
        true => top,
        false => bottom.clamp(0.0, top),
    }
}

/// The scroll bar of its parent area.
#[derive(Component)]
struct Bar;

/// The width of a bar, and the gap beside it, in layout pixels.
const WIDTH: f32 = 10.0;
const GAP: f32 = 4.0;
/// The least length of the thumb, in layout pixels.
const SHORTEST: f32 = 24.0;
/// Beside a bar, lines are shorter and more of them wrap. If the content is too long
/// by at most this many layout pixels, it may fit without the bar.
const WRAPS: f32 = 64.0;

/// The heights of the content and of the area when the area was last laid out without
/// its bar to see whether everything fits.
#[derive(Component, Default, PartialEq)]
struct TriedWithout(Option<(f32, f32)>);

/// Adds a bar to every area without one. Rebuilding an area's content also removes
/// its bar.
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
        let width = if is_long { WIDTH } else { 0.0 };
        // Content that is cut off always has its mark, also while the layout is tried without it.
        let seen = visible_if(over > 1.0);
        set_part(&mut node, |node| &mut node.scrollbar_width, width);
        visibility.set_if_neq(seen);
    }
}
