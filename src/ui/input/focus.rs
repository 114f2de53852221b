//! The focus: buttons, boxes and sliders by keys and by gamepad.
//!
//! What has the focus is bevy's [`InputFocus`]; it shows as a ring. Arrows move
//! it to the next widget on that side, Confirm presses it. Nothing has to be
//! registered: every widget that can be seen can be reached.
//!
//! Where it may go ([`Reach`]):
//! - A card over everything (the highest [`GlobalZIndex`] with a widget on it)
//!   keeps it to itself.
//! - In a battle and in the editor the arrows are the board's, except in an open list, or after
//!   [`Key::Buttons`], which goes from the board to the buttons and back.
//! - On other screens it may go everywhere.
//!
//! What is used up here is hidden from the rest of the frame: these systems run
//! before [`Phase::Input`], and a key that they take reads as released there.

use super::{Device, Key, Repeat, arrows, is_arrow};
use crate::ui::{
    ActionPreview, Phase, Screen,
    art::palette,
    places::{MenuPlace, MorePlace},
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
    app.init_resource::<Place>();
    app.add_systems(Update, steer.in_set(Steering).before(Phase::Input));
    app.add_systems(Update, (draw_ring, keep_in_sight).in_set(Phase::Draw));
}

/// The focus is moved, before anybody else in the frame looks at the keys.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Steering;

/// The focus begins here.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct FirstFocus;

/// A choice of several: it is made when the focus comes to it, and Confirm is
/// left to the screen.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct FollowsFocus;

/// Where the focus is, for when what had it has been built anew.
#[derive(Resource, Default)]
struct Place {
    rect: Option<Rect>,
    /// It was on a choice of several: the chosen one has it next.
    follows: bool,
    /// For how many frames nothing has been there.
    gone: u32,
    /// The player has gone from the board to the buttons, or from a list to
    /// the board.
    elsewhere: bool,
    /// What could be reached in the last frame.
    reach: Reach,
}

impl Place {
    fn is_at(&mut self, widgets: &Widgets, area: &FocusableArea) {
        self.rect = Some(rect(area));
        self.follows = widgets.follows.contains(area.entity);
        self.gone = 0;
    }
}

/// For this many frames a place is kept: what is built anew has none before it
/// is laid out.
const PATIENCE: u32 = 10;

/// Which widgets can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Reach {
    /// None: the arrows are the board's.
    #[default]
    Board,
    /// Those of the open list.
    List,
    /// Those round the board.
    Buttons,
    /// Those of a screen, or of a card at this height.
    All(i32, Screen),
}

type IsWidget = Or<(
    With<Button>,
    With<Checkbox>,
    With<Slider>,
    With<EditableText>,
)>;

#[derive(SystemParam)]
struct Widgets<'w, 's> {
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
    kinds: Query<'w, 's, (Has<Checkbox>, Has<Slider>, Has<EditableText>), IsWidget>,
    parents: Query<'w, 's, &'static ChildOf>,
    heights: Query<'w, 's, &'static GlobalZIndex>,
    lists: Query<'w, 's, (), Or<(With<MenuPlace>, With<MorePlace>)>>,
    first: Query<'w, 's, (), With<FirstFocus>>,
    follows: Query<'w, 's, (), With<FollowsFocus>>,
}

/// What a widget is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Button,
    Checkbox,
    Slider,
    /// A line of text to be typed.
    Line,
}

impl Widgets<'_, '_> {
    /// All widgets that can be seen, each with the height of its card.
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

    fn kind(&self, entity: Entity) -> Option<Kind> {
        Some(match self.kinds.get(entity).ok()? {
            (true, ..) => Kind::Checkbox,
            (_, true, _) => Kind::Slider,
            (.., true) => Kind::Line,
            _ => Kind::Button,
        })
    }

    /// Where the focus begins: where it is said to, or at the top left.
    fn first<'a>(&self, areas: &'a [FocusableArea]) -> Option<&'a FocusableArea> {
        let said = areas.iter().find(|a| self.first.contains(a.entity));
        let corner = |a: &&FocusableArea| {
            let corner = rect(a).min.round();
            (corner.y as i32, corner.x as i32)
        };
        said.or_else(|| areas.iter().min_by_key(corner))
    }

    /// Makes the choice that the focus has come to.
    fn follow(&self, entity: Entity, commands: &mut Commands) {
        if self.follows.contains(entity) {
            commands.trigger(Activate { entity });
        }
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
    widgets: Widgets,
    mut keys: ResMut<ButtonInput<Key>>,
    mut focus: ResMut<InputFocus>,
    mut visible: ResMut<InputFocusVisible>,
    mut place: ResMut<Place>,
    screen: Res<State<Screen>>,
    preview: Res<ActionPreview>,
    device: Res<Device>,
    keyboard: Res<ButtonInput<KeyCode>>,
    mouse: Res<ButtonInput<MouseButton>>,
    (time, mut repeat): (Res<Time>, Local<Repeat>),
    mut commands: Commands,
) {
    let keys = &mut *keys;
    // The mouse needs no ring.
    if mouse.get_just_pressed().next().is_some() {
        (visible.0, place.elsewhere) = (false, false);
    }
    let all = widgets.all();
    let types = focus
        .get()
        .is_some_and(|it| widgets.kind(it) == Some(Kind::Line));
    let screen = *screen.get();
    let reach = reach(&widgets, &all, screen, &preview, types, keys, &mut place);
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
    let is_new = reach != place.reach;
    place.reach = reach;
    let begins = is_new && (visible.0 || *device == Device::Pad);
    let now = settle(
        &widgets,
        &areas,
        &mut focus,
        &mut visible,
        &mut place,
        begins,
    );
    if reach == Reach::Board {
        return;
    }
    // While a line is typed, letters are letters.
    if let Some(area) = now.filter(|a| widgets.kind(a.entity) == Some(Kind::Line)) {
        let is_typed =
            |key: &Key| matches!(key, Key::Left | Key::Right) && is_arrow(&keyboard, *key);
        let mut leaves = ARROWS.into_iter();
        let leaves = leaves.find(|key| keys.just_pressed(*key) && !is_typed(key));
        if let Some(next) = leaves.and_then(|key| neighbour(&area, &areas, way(key))) {
            go(&widgets, next, &mut focus, &mut visible, &mut place);
            widgets.follow(next.entity, &mut commands);
        } else if keys.just_pressed(Key::Back) || keys.just_pressed(Key::Confirm) {
            focus.clear();
        }
        // Esc and Enter mean the card that the line is on as well.
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
        (Some(key), Some(area)) if east != 0 && widgets.kind(area.entity) == Some(Kind::Slider) => {
            // A slider answers to the arrows of the keyboard by itself.
            if !is_arrow(&keyboard, key) {
                commands.trigger(SetSliderValue {
                    entity: area.entity,
                    change: SliderValueChange::RelativeStep(east.into()),
                });
            }
        }
        (Some(key), Some(area)) => {
            if let Some(next) = neighbour(area, &areas, way(key)) {
                go(&widgets, next, &mut focus, &mut visible, &mut place);
                widgets.follow(next.entity, &mut commands);
            }
        }
        (Some(key), None) => {
            // The first stroke shows where one is, unless that is seen anyway.
            if let Some(first) = widgets.first(&areas) {
                let is_seen = widgets.follows.contains(first.entity);
                let next = neighbour(first, &areas, way(key)).filter(|_| is_seen);
                let to = next.unwrap_or(first);
                go(&widgets, to, &mut focus, &mut visible, &mut place);
                if next.is_some() {
                    widgets.follow(to.entity, &mut commands);
                }
            }
        }
    }
    take(keys, &ARROWS);

    let Some(FocusableArea { entity, .. }) = now else {
        return;
    };
    if keys.just_pressed(Key::Confirm) && !widgets.follows.contains(entity) {
        // To these widgets answer by themselves, whatever they are bound to.
        if !keyboard.any_just_pressed([KeyCode::Enter, KeyCode::Space]) {
            match widgets.kind(entity) {
                Some(Kind::Button) => commands.trigger(Activate { entity }),
                Some(Kind::Checkbox) => commands.trigger(ToggleChecked { entity }),
                _ => {}
            }
        }
        take(keys, &[Key::Confirm]);
        place.elsewhere &= reach != Reach::Buttons;
    }
    if keyboard.just_pressed(KeyCode::Space) {
        take(keys, &[Key::Skip]);
    }
    if reach == Reach::Buttons && keys.just_pressed(Key::Back) {
        place.elsewhere = false;
        take(keys, &[Key::Back]);
    }
}

/// What can be reached now.
fn reach(
    widgets: &Widgets,
    all: &[(i32, FocusableArea)],
    screen: Screen,
    preview: &ActionPreview,
    types: bool,
    keys: &mut ButtonInput<Key>,
    place: &mut Place,
) -> Reach {
    let top = all.iter().map(|w| w.0).max().unwrap_or(0).max(0);
    if top > 0 || !matches!(screen, Screen::Battle | Screen::Editor) {
        return Reach::All(top, screen);
    }
    let is_editing = screen == Screen::Editor;
    // Who types in a form of the editor has left the map for as long.
    if is_editing && types {
        return Reach::Buttons;
    }
    let is_number = preview.menu.as_ref().is_some_and(|m| m.slider.is_some());
    let has_list = !is_editing && !is_number && all.iter().any(|w| widgets.is_in_list(w.1.entity));
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

/// Who has the focus, after what may have happened to the widgets.
fn settle(
    widgets: &Widgets,
    areas: &[FocusableArea],
    focus: &mut InputFocus,
    visible: &mut InputFocusVisible,
    place: &mut Place,
    begins: bool,
) -> Option<FocusableArea> {
    let now = focus.get();
    let now = now
        .and_then(|e| areas.iter().find(|a| a.entity == e))
        .copied();
    if let Some(area) = now
        && (visible.0 || widgets.kind(area.entity) == Some(Kind::Line))
    {
        place.is_at(widgets, &area);
        return now;
    }
    if focus.get().is_some() {
        focus.clear();
    }
    let wanted = if begins {
        widgets.first(areas)
    } else {
        // Built anew: what is now in its place has it.
        place.gone += 1;
        place.rect = place.rect.filter(|_| visible.0 && place.gone <= PATIENCE);
        let chosen = |a: &&FocusableArea| {
            widgets.follows.contains(a.entity) && widgets.first.contains(a.entity)
        };
        place.rect.and_then(|was| {
            let in_place = |a: &&FocusableArea| rect(a).contains(was.center());
            let chosen = areas.iter().find(chosen).filter(|_| place.follows);
            chosen.or_else(|| areas.iter().find(in_place))
        })
    };
    let wanted = *wanted?;
    go(widgets, &wanted, focus, visible, place);
    Some(wanted)
}

/// Gives the focus to a widget.
fn go(
    widgets: &Widgets,
    to: &FocusableArea,
    focus: &mut InputFocus,
    visible: &mut InputFocusVisible,
    place: &mut Place,
) {
    focus.set(to.entity, FocusCause::Navigated);
    visible.0 = true;
    place.is_at(widgets, to);
}

fn way(key: Key) -> CompassOctant {
    match key {
        Key::Up => CompassOctant::North,
        Key::Down => CompassOctant::South,
        Key::Left => CompassOctant::West,
        _ => CompassOctant::East,
    }
}

/// The next widget on that side. Screens read in rows: up and down go to the
/// nearest row, and there to what is nearest; left and right stay in the row
/// if they can.
fn neighbour<'a>(
    from: &FocusableArea,
    areas: &'a [FocusableArea],
    way: CompassOctant,
) -> Option<&'a FocusableArea> {
    let edge = rect(from);
    // Beyond the edge, not just beyond the middle: of two in a row of unequal
    // heights neither is below the other.
    let is_beyond = |a: &&FocusableArea| match way {
        CompassOctant::North => a.position.y < edge.min.y,
        CompassOctant::South => a.position.y > edge.max.y,
        CompassOctant::West => a.position.x < edge.min.x,
        _ => a.position.x > edge.max.x,
    };
    let beyond = || areas.iter().filter(is_beyond);
    let in_row = |row: Rect| move |a: &&FocusableArea| gap(rect(a), row).y <= 0.0;
    if matches!(way, CompassOctant::North | CompassOctant::South) {
        // What overlaps is no nearer for overlapping more: else a wide button far below
        // would be nearer than a narrow one right below.
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

/// How far two rectangles are apart, across and down; negative where they
/// overlap.
fn gap(a: Rect, b: Rect) -> Vec2 {
    (a.min - b.max).max(b.min - a.max)
}

/// The ring round what has the focus.
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

/// What has the focus is scrolled into sight.
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
