//! Floating text over units, such as dice results and damage.

use super::View;
use crate::ui::{
    Screen,
    art::{
        hud::Panel,
        palette::{self, Rgb},
    },
    theme::{self, Cut},
    widgets::face,
};
use bevy::{prelude::*, text::RemSize};

pub(super) const ABOVE_LABELS: GlobalZIndex = GlobalZIndex(-1);
/// Distance from the subject up to the middle of the text, in layout pixels.
const UP: f32 = 16.0;
/// Seconds for which floating text stays.
const LIFE: f32 = 1.15;

/// Floating text that rises over a place and disappears.
#[derive(Component)]
pub struct Pop {
    place: Vec2,
    age: f32,
    life: f32,
    /// Extra height so that it hides no other text, in layout pixels; `None` before it is first
    /// shown.
    lift: Option<f32>,
    /// The unit's name, shown while the text stands over another unit.
    name: Option<Entity>,
}

fn pop(
    commands: &mut Commands,
    place: Vec2,
    (delay, life): (f32, f32),
    name: Option<&str>,
    fill: impl FnOnce(&mut ChildSpawnerCommands),
) {
    // A node of size zero; the card is centred on it.
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

/// Text in a single line.
pub(super) fn words(text: impl Into<String>, cut: Cut, ink: Rgb) -> impl Bundle {
    (
        theme::text(text, cut, ink),
        TextLayout::linebreak(LineBreak::NoWrap),
    )
}

/// Spawns floating text over `place`, such as what happened to the named unit, after `delay`
/// seconds.
pub fn pop_word(
    commands: &mut Commands,
    place: Vec2,
    (name, word, ink): (&str, &str, Rgb),
    delay: f32,
    duration_scale: f32,
) {
    let life = LIFE * duration_scale;
    pop(commands, place, (delay, life), Some(name), |card| {
        card.spawn(words(word, Cut::Strong, ink));
    });
}

/// Animates floating text: it pops up, stays, and disappears; newer text appears below older text.
pub(super) fn rise(
    mut commands: Commands,
    mut pops: Query<(Entity, &mut Pop, &mut UiTransform)>,
    (view, rem): (Res<View>, Res<RemSize>),
    time: Res<Time>,
) {
    let mut ages: Vec<(Vec2, f32)> = Vec::new();
    let scale = view.layout_scale();
    let size = WORD * rem.0 / theme::BODY;
    // Where earlier text already stands.
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
        // Text pops up, overshoots a little, and shrinks away.
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

/// Extra height at which a text overlaps none of the others, in layout pixels.
pub fn lift(alone: Rect, others: &[Rect]) -> f32 {
    let mut lift = 0.0;
    // Each pass moves it above one of the others.
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

pub(super) fn spot(transform: &UiTransform) -> Vec2 {
    match transform.translation {
        Val2 {
            x: Val::Px(x),
            y: Val::Px(y),
        } => Vec2::new(x, y),
        _ => Vec2::ZERO,
    }
}

/// Space for one text, in layout pixels at the standard text size.
pub const WORD: Vec2 = Vec2::new(96.0, 34.0);

impl Pop {
    /// Whether the text is visible yet: it appears after a delay.
    pub(super) fn is_seen(&self) -> bool {
        self.age >= 0.0
    }
}

pub(super) fn area(rect: Rect) -> f32 {
    rect.width() * rect.height()
}
