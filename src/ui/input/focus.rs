//! Keyboard and gamepad focus for buttons, checkboxes and sliders.
//!
//! The focused widget is Bevy's [`InputFocus`], shown as a ring. Arrows move it to the next widget
//! in that direction, Confirm presses it. No registration is needed: every visible widget can be
//! reached.
//!
//! Which widgets can be reached ([`Reach`]):
//! - A card over everything (the highest [`GlobalZIndex`] with a widget on it) keeps the focus.
//! - In battles and in the editor the arrows belong to the board, except in an open list or after
//!   [`Key::Buttons`], which moves between board and buttons.
//! - On other screens, all of them.
//!
//! These systems run before [`Phase::Input`]; a key they use reads as released for the rest of the
//! frame.

use super::{Device, Key, Repeat, arrows, is_arrow};
use crate::ui::{
    ActionPreview, Phase, Screen,
    art::palette,
    places::{ListPlace, MenuPlace, MorePlace},
    scrollbars::Areas,
    theme::colour,
};
use bevy::{
    ecs::system::SystemParam,
    input_focus::{
        FocusCause, InputFocus, InputFocusVisible,
        directional_navigation::{AutoNavigationConfig, FocusableArea},
        navigator::find_best_candidate,
    },
    math::CompassOctant,
    prelude::*,
    text::EditableText,
    ui::{InteractionDisabled, UiGlobalTransform},
    ui_widgets::{
        Activate, Button, Checkbox, SetSliderValue, Slider, SliderValueChange, ToggleChecked,
    },
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FocusPlace>();
    app.add_systems(Update, steer.in_set(Steering).before(Phase::Input));
    app.add_systems(Update, (draw_ring, keep_in_sight).in_set(Phase::Draw));
}

/// Moves the focus, before any other system of the frame reads the keys.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Steering;

/// The focus starts at this widget.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct FirstFocus;

/// One of several options, chosen as soon as it gets the focus; Confirm is left to the screen.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct FollowsFocus;

/// Where the focus is, to restore it after a rebuild of the focused widget.
#[derive(Resource, Default)]
struct FocusPlace {
    rect: Option<Rect>,
    /// Whether it was on one of several options: the chosen one gets the focus next.
    follows: bool,
    /// Frames for which no widget has been there.
    gone: u32,
    /// Whether the player went from the board to the buttons, or from a list to the board.
    elsewhere: bool,
    /// The reach in the last frame.
    reach: Reach,
}

/// Frames for which the place is kept: a rebuilt widget has no position before layout.
const PATIENCE: u32 = 10;

/// Which widgets can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Reach {
    /// None: the arrows belong to the board.
    #[default]
    Board,
    /// Those of the open list.
    List,
    /// Those around the board.
    Buttons,
    /// Those of a screen, or of a card at this z-index.
    All(i32, Screen),
}

type IsWidget = Or<(
    With<Button>,
    With<Checkbox>,
    With<Slider>,
    With<EditableText>,
)>;

/// The widgets and the focus.
#[derive(SystemParam)]
struct Widgets<'w, 's> {
    focus: ResMut<'w, InputFocus>,
    visible: ResMut<'w, InputFocusVisible>,
    place: ResMut<'w, FocusPlace>,
    widgets: Query<
        'w,
        's,
        (
            Entity,
            &'static ComputedNode,
            &'static UiGlobalTransform,
            &'static InheritedVisibility,
        ),
        (IsWidget, Without<InteractionDisabled>),
    >,
    checkboxes: Query<'w, 's, (), With<Checkbox>>,
    sliders: Query<'w, 's, (), With<Slider>>,
    text_fields: Query<'w, 's, (), With<EditableText>>,
    parents: Query<'w, 's, &'static ChildOf>,
    heights: Query<'w, 's, &'static GlobalZIndex>,
    lists: Query<'w, 's, (), Or<(With<MenuPlace>, With<ListPlace>, With<MorePlace>)>>,
    first: Query<'w, 's, (), With<FirstFocus>>,
    follows: Query<'w, 's, (), With<FollowsFocus>>,
}

impl Widgets<'_, '_> {
    /// All visible widgets, each with the z-index of its card.
    fn all(&self) -> Vec<(i32, FocusableArea)> {
        let seen = self.widgets.iter().filter(|w| w.3.get() && !w.1.is_empty());
        seen.map(|(entity, node, place, _)| {
            let root = self.parents.root_ancestor(entity);
            let height = self.heights.get(root).map_or(0, |z| z.0);
            let scale = node.inverse_scale_factor;
            let area = FocusableArea {
                entity,
                position: place.translation * scale,
                size: node.size() * scale,
            };
            (height, area)
        })
        .collect()
    }

    fn is_in_list(&self, entity: Entity) -> bool {
        self.parents
            .iter_ancestors(entity)
            .any(|e| self.lists.contains(e))
    }

    /// Where the focus starts: at the marked widget, otherwise at the top left.
    fn first<'a>(&self, areas: &'a [FocusableArea]) -> Option<&'a FocusableArea> {
        let said = areas.iter().find(|a| self.first.contains(a.entity));
        let corner = |a: &&FocusableArea| {
            let corner = rect(a).min.round();
            (corner.y as i32, corner.x as i32)
        };
        said.or_else(|| areas.iter().min_by_key(corner))
    }

    /// Focuses a widget.
    fn go(&mut self, to: &FocusableArea) {
        self.focus.set(to.entity, FocusCause::Navigated);
        self.visible.0 = true;
        self.is_at(to);
    }

    /// Focuses a widget; of several options, also chooses it.
    fn choose(&mut self, to: &FocusableArea, commands: &mut Commands) {
        self.go(to);
        if self.place.follows {
            commands.trigger(Activate { entity: to.entity });
        }
    }

    /// Notes where the focus is.
    fn is_at(&mut self, area: &FocusableArea) {
        self.place.rect = Some(rect(area));
        self.place.follows = self.follows.contains(area.entity);
        self.place.gone = 0;
    }

    /// The focused widget, after widgets may have moved, vanished or been rebuilt.
    fn settle(&mut self, areas: &[FocusableArea], begins: bool) -> Option<FocusableArea> {
        // A new widget has no node for screen readers yet: they learn of the focus in a later frame.
        self.focus.set_changed();
        let focused = self.focus.get();
        let now = areas.iter().find(|a| Some(a.entity) == focused).copied();
        if let Some(area) = now
            && (self.visible.0 || self.text_fields.contains(area.entity))
        {
            self.is_at(&area);
            return now;
        }
        if focused.is_some() {
            self.focus.clear();
        }
        let wanted = if begins {
            self.first(areas)
        } else {
            // Rebuilt: the widget now in its place gets the focus.
            let place = &mut *self.place;
            place.gone += 1;
            let is_kept = self.visible.0 && place.gone <= PATIENCE;
            place.rect = place.rect.filter(|_| is_kept);
            let chosen = |a: &&FocusableArea| {
                self.follows.contains(a.entity) && self.first.contains(a.entity)
            };
            place.rect.and_then(|was| {
                let in_place = |a: &&FocusableArea| rect(a).contains(was.center());
                let chosen = areas.iter().find(chosen).filter(|_| place.follows);
                chosen.or_else(|| areas.iter().find(in_place))
            })
        };
        let wanted = *wanted?;
        self.go(&wanted);
        Some(wanted)
    }
}

fn rect(area: &FocusableArea) -> Rect {
    Rect::from_center_size(area.position, area.size)
}

/// Hides keys from the rest of the frame.
pub fn take(keys: &mut ButtonInput<Key>, taken: &[Key]) {
    taken.iter().for_each(|&key| keys.reset(key));
}

const ARROWS: [Key; 4] = [Key::Up, Key::Down, Key::Left, Key::Right];

fn steer(
    mut widgets: Widgets,
    mut keys: ResMut<ButtonInput<Key>>,
    screen: Res<State<Screen>>,
    preview: Res<ActionPreview>,
    device: Res<Device>,
    keyboard: Res<ButtonInput<KeyCode>>,
    mouse: Res<ButtonInput<MouseButton>>,
    (time, mut repeat): (Res<Time>, Local<Repeat>),
    mut commands: Commands,
) {
    let keys = &mut *keys;
    // A mouse user needs no focus ring.
    if mouse.get_just_pressed().next().is_some() {
        (widgets.visible.0, widgets.place.elsewhere) = (false, false);
    }
    let all = widgets.all();
    let reach = reach(&mut widgets, &all, *screen.get(), &preview, keys);
    let areas: Vec<FocusableArea> = all
        .into_iter()
        .filter(|(height, area)| match reach {
            Reach::Board => false,
            Reach::List => widgets.is_in_list(area.entity),
            Reach::Buttons => true,
            Reach::All(top, _) => *height == top,
        })
        .map(|w| w.1)
        .collect();
    let is_new = std::mem::replace(&mut widgets.place.reach, reach) != reach;
    let begins = is_new && (widgets.visible.0 || *device == Device::Pad);
    let now = widgets.settle(&areas, begins);
    if reach == Reach::Board {
        return;
    }
    // In a text field, letters are text.
    if let Some(area) = now.filter(|a| widgets.text_fields.contains(a.entity)) {
        let is_typed =
            |key: &Key| matches!(key, Key::Left | Key::Right) && is_arrow(&keyboard, *key);
        let mut leaves = ARROWS.into_iter();
        let leaves = leaves.find(|key| keys.just_pressed(*key) && !is_typed(key));
        if let Some(next) = leaves.and_then(|key| neighbour(&area, &areas, way(key))) {
            widgets.choose(next, &mut commands);
        } else if keys.just_pressed(Key::Back) || keys.just_pressed(Key::Confirm) {
            widgets.focus.clear();
        }
        // Esc and Enter still reach the card of the text field.
        let is_on_card = matches!(reach, Reach::All(1.., _));
        let rest = keys.get_pressed().chain(keys.get_just_released()).copied();
        let is_taken = |key: &Key| !matches!(key, Key::Back | Key::Confirm) || !is_on_card;
        let rest: Vec<Key> = rest.filter(is_taken).collect();
        take(keys, &rest);
        return;
    }

    let (east, south) = arrows(keys, &time, &mut repeat);
    let key = match (east, south) {
        (0, 0) => None,
        (1, _) => Some(Key::Right),
        (-1, _) => Some(Key::Left),
        (_, 1) => Some(Key::Down),
        _ => Some(Key::Up),
    };
    match (key, &now) {
        (None, _) => {}
        (Some(key), Some(area)) if east != 0 && widgets.sliders.contains(area.entity) => {
            // A slider handles keyboard arrows itself.
            if !is_arrow(&keyboard, key) {
                commands.trigger(SetSliderValue {
                    entity: area.entity,
                    change: SliderValueChange::RelativeStep(east.into()),
                });
            }
        }
        (Some(key), Some(area)) => {
            if let Some(next) = neighbour(area, &areas, way(key)) {
                widgets.choose(next, &mut commands);
            }
        }
        (Some(key), None) => {
            // The first press only shows the focus, unless it is visible anyway.
            if let Some(first) = widgets.first(&areas) {
                let is_seen = widgets.follows.contains(first.entity);
                let next = neighbour(first, &areas, way(key)).filter(|_| is_seen);
                match next {
                    Some(next) => widgets.choose(next, &mut commands),
                    None => widgets.go(first),
                }
            }
        }
    }
    take(keys, &ARROWS);

    let Some(FocusableArea { entity, .. }) = now else {
        return;
    };
    if keys.just_pressed(Key::Confirm) && !widgets.follows.contains(entity) {
        // Widgets handle these keys themselves, whatever the bindings.
        if !keyboard.any_just_pressed([KeyCode::Enter, KeyCode::Space]) {
            if widgets.checkboxes.contains(entity) {
                commands.trigger(ToggleChecked { entity });
            } else if !widgets.sliders.contains(entity) {
                commands.trigger(Activate { entity });
            }
        }
        take(keys, &[Key::Confirm]);
        widgets.place.elsewhere &= reach != Reach::Buttons;
    }
    if keyboard.just_pressed(KeyCode::Space) {
        take(keys, &[Key::Skip]);
    }
    if reach == Reach::Buttons && keys.just_pressed(Key::Back) {
        widgets.place.elsewhere = false;
        take(keys, &[Key::Back]);
    }
}

/// The current reach.
fn reach(
    widgets: &mut Widgets,
    all: &[(i32, FocusableArea)],
    screen: Screen,
    preview: &ActionPreview,
    keys: &mut ButtonInput<Key>,
) -> Reach {
    let top = all.iter().map(|w| w.0).max().unwrap_or(0).max(0);
    if top > 0 || !matches!(screen, Screen::Battle | Screen::Editor) {
        return Reach::All(top, screen);
    }
    let is_editing = screen == Screen::Editor;
    let focused = widgets.focus.get();
    let types = focused.is_some_and(|it| widgets.text_fields.contains(it));
    // A text field in the editor keeps the focus off the map while the player types.
    if is_editing && types {
        return Reach::Buttons;
    }
    let is_number = preview.menu.as_ref().is_some_and(|m| m.slider.is_some());
    let has_list = !is_editing && !is_number && all.iter().any(|w| widgets.is_in_list(w.1.entity));
    let place = &mut *widgets.place;
    let had_list = place.reach == Reach::List || place.reach == Reach::Board && place.elsewhere;
    if has_list != had_list {
        place.elsewhere = false;
    }
    if keys.just_pressed(Key::Buttons) {
        place.elsewhere = !place.elsewhere;
        take(keys, &[Key::Buttons]);
    }
    match (has_list, place.elsewhere) {
        (true, false) => Reach::List,
        (false, true) => Reach::Buttons,
        (true, true) | (false, false) => Reach::Board,
    }
}

fn way(key: Key) -> CompassOctant {
    match key {
        Key::Up => CompassOctant::North,
        Key::Down => CompassOctant::South,
        Key::Left => CompassOctant::West,
        _ => CompassOctant::East,
    }
}

/// The next widget in a direction. Up and down go to the nearest row and the nearest widget in it;
/// left and right stay in the row if possible.
fn neighbour<'a>(
    from: &FocusableArea,
    areas: &'a [FocusableArea],
    way: CompassOctant,
) -> Option<&'a FocusableArea> {
    let edge = rect(from);
    // Beyond the edge, not just the middle: widgets of unequal height in one row are not below each
    // other.
    let is_beyond = |a: &&FocusableArea| match way {
        CompassOctant::North => a.position.y < edge.min.y,
        CompassOctant::South => a.position.y > edge.max.y,
        CompassOctant::West => a.position.x < edge.min.x,
        _ => a.position.x > edge.max.x,
    };
    let beyond = || areas.iter().filter(is_beyond);
    let in_row = |row: Rect| move |a: &&FocusableArea| gap(rect(a), row).y <= 0.0;
    if matches!(way, CompassOctant::North | CompassOctant::South) {
        // Overlap counts as distance 0: otherwise a wide button far below would be nearer than a
        // narrow one right below.
        let gap = |a: &FocusableArea| gap(rect(a), edge).max(Vec2::ZERO);
        let row = beyond().min_by(|a, b| gap(a).y.total_cmp(&gap(b).y))?;
        let nearest = |a: &&FocusableArea, b: &&FocusableArea| {
            let (a, b) = (gap(a), gap(b));
            a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
        };
        return beyond().filter(in_row(rect(row))).min_by(nearest);
    }
    let best = |among: &[FocusableArea]| {
        find_best_candidate(from, way, among, &AutoNavigationConfig::default())
    };
    let row: Vec<FocusableArea> = beyond().filter(in_row(edge)).copied().collect();
    let all = || best(&beyond().copied().collect::<Vec<_>>());
    let next = best(&row).or_else(all)?;
    areas.iter().find(|a| a.entity == next)
}

/// Distance between two rectangles, across and down; negative where they overlap.
fn gap(a: Rect, b: Rect) -> Vec2 {
    (a.min - b.max).max(b.min - a.max)
}

/// Draws the focus ring.
fn draw_ring(
    focus: Res<InputFocus>,
    visible: Res<InputFocusVisible>,
    mut ringed: Local<Option<Entity>>,
    widgets: Query<(), IsWidget>,
    mut commands: Commands,
) {
    let now = focus.get().filter(|e| visible.0 && widgets.contains(*e));
    if let Some(old) = ringed.filter(|old| Some(*old) != now)
        && let Ok(mut old) = commands.get_entity(old)
    {
        old.try_remove::<Outline>();
    }
    if let Some(new) = now.filter(|new| Some(*new) != *ringed) {
        let ring = Outline::new(px(3), px(1.5), colour(palette::LINK));
        commands.entity(new).try_insert(ring);
    }
    *ringed = now;
}

/// Scrolls the focused widget into view.
fn keep_in_sight(
    focus: Res<InputFocus>,
    visible: Res<InputFocusVisible>,
    mut areas: Areas,
    mut last: Local<Option<Entity>>,
) {
    let now = focus.get().filter(|_| visible.0);
    if *last == now {
        return;
    }
    *last = now;
    if let Some(now) = now {
        areas.bring_into_sight(now);
    }
}
