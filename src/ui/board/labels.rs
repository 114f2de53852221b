//! Small cards on the board: what a step would cost, chances, dice, results.
//! They belong to the layout, so that their type keeps its size at any zoom.

use super::{Stage, View};
use crate::grid::Space;
use crate::ui::{
    Screen, Selection,
    art::{
        hud::Panel,
        palette::{self, Rgb},
    },
    places::MenuPlace,
    theme::{self, Cut},
    widgets::face,
};
use bevy::{
    prelude::*,
    text::{LineBreak, RemSize},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (rise, put_labels, give_way).chain().in_set(Stage::Tell),
    );
}

/// Below the cards of the HUD.
const BELOW: GlobalZIndex = GlobalZIndex(-2);
pub(super) const ABOVE_LABELS: GlobalZIndex = GlobalZIndex(-1);
/// From what a label is about to the label, in pixels of the layout.
const GAP: f32 = 8.0;
const CLOSE: f32 = 3.0;
/// How much further off the next place to be tried is.
const FURTHER: f32 = 22.0;
/// Room left free round what must be seen.
const FREE: f32 = 5.0;
/// From what a word is over to its middle, in pixels of the layout.
const UP: f32 = 16.0;
/// How long a word stays over somebody, in seconds.
const LIFE: f32 = 1.15;

/// A word that rises over a place and is gone.
#[derive(Component)]
pub struct Pop {
    place: Vec2,
    age: f32,
    life: f32,
    /// How much higher it stands than it would alone, so that it hides no word
    /// beside it, in pixels of the layout; none before it is seen.
    lift: Option<f32>,
    /// Whose it is: seen where it stands over somebody else.
    name: Option<Entity>,
}

fn pop(
    commands: &mut Commands,
    place: Vec2,
    (delay, life): (f32, f32),
    name: Option<&str>,
    fill: impl FnOnce(&mut ChildSpawnerCommands),
) {
    // A point; what it shows is laid out round it.
    let point = Node {
        position_type: PositionType::Absolute,
        width: px(0),
        height: px(0),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        ..default()
    };
    let card = Node {
        padding: UiRect::axes(px(7), px(0)),
        border: UiRect::all(px(1.4)),
        border_radius: BorderRadius::all(px(5)),
        align_items: AlignItems::Baseline,
        flex_shrink: 0.0,
        ..default()
    };
    let mut named = None;
    let look = (
        DespawnOnExit(Screen::Battle),
        point,
        UiTransform::from_scale(Vec2::ZERO),
        ABOVE_LABELS,
        Pickable::IGNORE,
    );
    let pop = commands
        .spawn(look)
        .with_children(|point| {
            point
                .spawn((card, face(Panel::CardLight), Pickable::IGNORE))
                .with_children(|card| {
                    named = name.map(|name| {
                        let unseen = Node {
                            display: Display::None,
                            margin: UiRect::right(px(5)),
                            ..default()
                        };
                        let name = words(name, Cut::Small, palette::FADED_INK);
                        card.spawn(name).insert(unseen).id()
                    });
                    fill(card);
                });
        })
        .id();
    commands.entity(pop).insert(Pop {
        place,
        age: -delay,
        life,
        lift: None,
        name: named,
    });
}

fn words(text: impl Into<String>, cut: Cut, ink: Rgb) -> impl Bundle {
    (
        theme::text(text, cut, ink),
        TextLayout::linebreak(LineBreak::NoWrap),
    )
}

/// The number on a die, and what becomes of it.
pub fn pop_die(commands: &mut Commands, place: Vec2, die: i32, sum: String, pace: f32) {
    pop(commands, place, (0.0, LIFE * pace), None, |card| {
        card.spawn(words(die.to_string(), Cut::Heading, palette::INK));
        if !sum.is_empty() {
            card.spawn(words(sum, Cut::Small, palette::FADED_INK));
        }
    });
}

/// What has become of somebody of that name, after some seconds.
pub fn pop_word(
    commands: &mut Commands,
    place: Vec2,
    (name, word, ink): (&str, &str, Rgb),
    delay: f32,
    pace: f32,
) {
    pop(commands, place, (delay, LIFE * pace), Some(name), |card| {
        card.spawn(words(word, Cut::Strong, ink));
    });
}

/// Words pop up, stand for a while, the newer below the older, and go.
fn rise(
    mut commands: Commands,
    mut pops: Query<(Entity, &mut Pop, &mut UiTransform)>,
    (view, rem): (Res<View>, Res<RemSize>),
    time: Res<Time>,
) {
    let mut ages: Vec<(Vec2, f32)> = Vec::new();
    let scale = view.layout_scale();
    let size = WORD * rem.0 / theme::BODY;
    // Where the words stand that were there before.
    let mut stand: Vec<(Vec2, Rect)> = Vec::new();
    for (entity, mut pop, transform) in &mut pops {
        pop.age += time.delta_secs();
        if pop.age >= pop.life {
            commands.entity(entity).despawn();
        }
        ages.push((pop.place, pop.age));
        if pop.lift.is_some() {
            stand.push((pop.place, Rect::from_center_size(spot(&transform), size)));
        }
    }
    for (_, mut pop, mut transform) in &mut pops {
        if pop.lift.is_none() && (0.0..pop.life).contains(&pop.age) {
            let alone = view.in_window(pop.place) / scale - Vec2::new(0.0, UP);
            let others = stand.iter().filter(|(place, _)| *place != pop.place);
            let others: Vec<Rect> = others.map(|(_, rect)| *rect).collect();
            let lift = lift(Rect::from_center_size(alone, size), &others);
            pop.lift = Some(lift);
            if let Some(name) = pop.name.filter(|_| lift > 0.0) {
                let seen = Node {
                    margin: UiRect::right(px(5)),
                    ..default()
                };
                commands.entity(name).insert(seen);
            }
            let at = alone - Vec2::new(0.0, lift);
            stand.push((pop.place, Rect::from_center_size(at, size)));
        }
        let newer: f32 = ages
            .iter()
            .filter(|(place, age)| *place == pop.place && (0.0..pop.age).contains(age))
            .map(|(_, age)| (age / 0.1).min(1.0))
            .sum();
        let lift = pop.lift.unwrap_or_default();
        let up = UP + lift + 27.0 * newer + 6.0 * (pop.age / pop.life);
        let at = (view.in_window(pop.place) / scale - Vec2::new(0.0, up)) * scale;
        // It springs up a little too large, and shrinks away.
        let (into, out) = (pop.age / 0.14, (pop.life - pop.age) / 0.12);
        let size = match into {
            x if x < 0.0 => 0.0,
            x if x < 0.7 => x / 0.7 * 1.12,
            x if x < 1.0 => 1.12 - (x - 0.7) / 0.3 * 0.12,
            _ => out.clamp(0.0, 1.0),
        };
        transform.translation = Val2::px(at.x.round() / scale, at.y.round() / scale);
        transform.scale = Vec2::splat(size);
    }
}

/// How much higher a word has to stand to hide none of the others, in pixels of the
/// layout.
pub fn lift(alone: Rect, others: &[Rect]) -> f32 {
    let mut lift = 0.0;
    // Each round it goes over one of them.
    for _ in 0..others.len() {
        let here = Rect::from_corners(
            alone.min - Vec2::new(0.0, lift),
            alone.max - Vec2::new(0.0, lift),
        );
        let hidden = others
            .iter()
            .find(|other| area(other.intersect(here)) > 0.0);
        let Some(other) = hidden else { break };
        lift = alone.max.y - other.min.y;
    }
    lift
}

fn spot(transform: &UiTransform) -> Vec2 {
    match transform.translation {
        Val2 {
            x: Val::Px(x),
            y: Val::Px(y),
        } => Vec2::new(x, y),
        _ => Vec2::ZERO,
    }
}

/// Room that a word takes, in pixels of the layout at the standard text size.
pub const WORD: Vec2 = Vec2::new(96.0, 34.0);

/// While a word stands over somebody, no label lies under it.
fn give_way(
    pops: Query<(&Pop, &UiTransform)>,
    mut labels: Query<
        (&ComputedNode, &UiTransform, &mut Visibility, Has<Unplaced>),
        (With<Label>, Without<Pop>),
    >,
    rem: Res<RemSize>,
    mut was_any: Local<bool>,
) {
    let is_any = !pops.is_empty();
    if !is_any && !std::mem::replace(&mut *was_any, is_any) {
        return;
    }
    *was_any = is_any;
    let alive = pops.iter().filter(|(pop, _)| pop.age >= 0.0);
    let size = WORD * rem.0 / theme::BODY;
    let words: Vec<Rect> = alive
        .map(|(_, transform)| Rect::from_center_size(spot(transform), size))
        .collect();
    for (node, transform, mut visibility, unplaced) in &mut labels {
        let corner = spot(transform);
        let card = Rect::from_corners(corner, corner + node.size() * node.inverse_scale_factor);
        let is_free = words.iter().all(|word| word.intersect(card).is_empty());
        visibility.set_if_neq(match is_free && !unplaced {
            true => Visibility::Inherited,
            false => Visibility::Hidden,
        });
    }
}

/// A card beside some cells of the map.
#[derive(Component)]
#[require(Unplaced)]
pub struct Label {
    /// What it is about, in cells.
    pub about: Rect,
    /// What it must leave free, in cells.
    pub clear: Vec<Rect>,
    /// Who comes first takes the better place.
    pub rank: u32,
    pub side: Side,
}

/// Where a label likes to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// A little off, at a corner.
    Corner,
    /// Close to what it is about, above it or below.
    Above,
}

/// Its size is not known yet.
#[derive(Component, Default)]
struct Unplaced;

/// A part of a label's line.
pub enum Bit {
    Words(String, Cut, Rgb),
    Picture(Handle<Image>, f32),
}

/// A label, to be placed as soon as its size is known.
pub fn label(commands: &mut Commands, label: Label, lines: Vec<Vec<Bit>>) -> Entity {
    let node = Node {
        position_type: PositionType::Absolute,
        flex_direction: FlexDirection::Column,
        padding: UiRect::axes(px(9), px(3)),
        border: UiRect::all(px(theme::LINE)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        ..default()
    };
    let look = (
        node,
        face(Panel::CardLight),
        BELOW,
        Pickable::IGNORE,
        Visibility::Hidden,
    );
    let mut card = commands.spawn((label, DespawnOnExit(Screen::Battle), look));
    card.with_children(|card| {
        for line in lines {
            let node = Node {
                align_items: AlignItems::Center,
                column_gap: px(5),
                ..default()
            };
            card.spawn((node, Pickable::IGNORE)).with_children(|row| {
                for bit in line {
                    match bit {
                        Bit::Words(text, cut, ink) => {
                            row.spawn(words(text, cut, ink));
                        }
                        Bit::Picture(image, side) => {
                            row.spawn(crate::ui::widgets::picture(image, side));
                        }
                    }
                }
            });
        }
    });
    card.id()
}

/// A label as it is laid out.
type Card<'w> = (
    Entity,
    &'w Label,
    Ref<'w, ComputedNode>,
    &'w mut UiTransform,
    &'w mut Visibility,
    Has<Unplaced>,
);

/// Puts the labels where they hide nothing.
fn put_labels(
    mut commands: Commands,
    mut labels: Query<Card>,
    view: Res<View>,
    selection: Res<Selection>,
    (lists, cards): (
        Query<&Children, With<MenuPlace>>,
        Query<(&ComputedNode, &UiGlobalTransform)>,
    ),
    mut covered: Local<Vec<Rect>>,
) {
    // What a list covers cannot be read.
    let rect_of = |card: &Entity| {
        let (node, place) = cards.get(*card).ok()?;
        Some(Rect::from_center_size(place.translation, node.size()))
    };
    let covers: Vec<Rect> = lists.iter().flatten().filter_map(rect_of).collect();
    let is_moved = *covered != covers;
    *covered = covers;
    let is_new = labels
        .iter()
        .any(|(_, _, node, _, _, unplaced)| unplaced || node.is_changed());
    let is_news = is_new || is_moved || view.is_changed() || selection.is_changed();
    if labels.is_empty() || !is_news {
        return;
    }
    let in_window =
        |cells: &Rect| Rect::from_corners(view.in_window(cells.min), view.in_window(cells.max));
    let scale = view.layout_scale();
    let room = view.room().inflate(-2.0 * scale);
    let mut order: Vec<(u32, Entity)> = labels
        .iter()
        .map(|(e, label, ..)| (label.rank, e))
        .collect();
    order.sort();
    // No card hides what the first is about: the path that one looks at.
    let first = labels.iter().filter(|(_, label, ..)| label.rank == 0);
    let mut taken: Vec<Rect> = first
        .flat_map(|(_, label, ..)| label.clear.iter().map(in_window))
        .collect();
    taken.extend(covered.iter().copied());
    if let Some(cell) = selection.cursor {
        taken.push(view.rect(Space::one(cell)).inflate(2.0 * scale));
    }
    for (_, entity) in order {
        let Ok((_, label, node, mut transform, mut visibility, unplaced)) = labels.get_mut(entity)
        else {
            continue;
        };
        if node.size().min_element() < 1.0 {
            continue;
        }
        let mut avoid = taken.clone();
        avoid.extend(label.clear.iter().map(in_window));
        let about = in_window(&label.about);
        let place = free_place(node.size(), (about, label.side, scale), &avoid, room);
        taken.push(place.inflate(FREE * scale));
        let corner = place.min.round() / scale;
        transform.translation = Val2::px(corner.x, corner.y);
        visibility.set_if_neq(Visibility::Inherited);
        if unplaced {
            commands.entity(entity).remove::<Unplaced>();
        }
    }
}

/// A place for a card of some size beside something, at some scale of the
/// layout: outside of what must be seen if that can be, inside of its room in
/// any case where it fits, and as near as possible.
pub fn free_place(
    size: Vec2,
    (about, side, scale): (Rect, Side, f32),
    avoid: &[Rect],
    room: Rect,
) -> Rect {
    let sides = match side {
        Side::Corner => [
            (1, -1),
            (0, -1),
            (1, 0),
            (-1, -1),
            (1, 1),
            (-1, 0),
            (0, 1),
            (-1, 1),
        ],
        Side::Above => [
            (0, -1),
            (0, 1),
            (1, -1),
            (-1, -1),
            (1, 1),
            (-1, 1),
            (1, 0),
            (-1, 0),
        ],
    };
    let gap = if side == Side::Above { CLOSE } else { GAP };
    let half = size / 2.0;
    let fits = room.half_size().cmpge(half).all();
    let mut best: Option<(f32, Rect)> = None;
    // Round and round, further out each time.
    for ring in 0..6 {
        let out = (gap + ring as f32 * FURTHER) * scale;
        let reach = about.half_size() + half + out;
        for (n, (x, y)) in sides.into_iter().enumerate() {
            let wanted = about.center() + reach * Vec2::new(x as f32, y as f32);
            let middle = if fits {
                wanted.clamp(room.min + half, room.max - half)
            } else {
                wanted
            };
            let place = Rect::from_center_half_size(middle, half);
            let hidden: f32 = avoid.iter().map(|it| area(it.intersect(place))).sum();
            let hidden = (hidden + 2.0 * area(about.intersect(place))) / (scale * scale);
            let off = (out + middle.distance(wanted)) / scale;
            let cost = hidden * 10.0 + off * 6.0 + n as f32;
            if best.is_none_or(|b| cost < b.0) {
                best = Some((cost, place));
            }
        }
    }
    best.map_or(about, |b| b.1)
}

fn area(rect: Rect) -> f32 {
    rect.width() * rect.height()
}
