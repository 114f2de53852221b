//! Floating text over units, such as dice results and damage.

use super::MapView;
use crate::ui::{
    Screen,
    art::{
        hud::Panel,
        palette::{self, Rgb},
    },
    theme::{self, TextStyle},
    widgets::{SpawnWith, display_if, face},
};
use bevy::{prelude::*, text::RemSize};

pub(super) const ABOVE_LABELS: GlobalZIndex = GlobalZIndex(-1);
/// Distance from the subject up to the middle of the text, in layout pixels.
const UP: f32 = 16.0;
/// Seconds for which floating text stays.
pub(super) const LIFE: f32 = 1.15;

/// How far floating text rises, in layout pixels: above a unit, and beside it or inside its cells.
const RISES: (f32, f32) = (6.0, 2.0);

/// Where floating text appears.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextSpot {
    /// In cells.
    pub place: Vec2,
    /// The middle of the text is at the place, not above it: another unit is above.
    pub is_centred: bool,
}

impl TextSpot {
    /// The spot for a unit's text of a width, from its space in cells: above it; beside it, inside
    /// the `room`, where it would cover a `standing` unit above; inside it if that would cover one
    /// too.
    pub fn of(space: Rect, width: f32, standing: &[Rect], room: Rect) -> Self {
        let covers = |text: Rect| {
            let mut units = standing.iter();
            units.any(|unit| area(unit.intersect(text)) > 0.0)
        };
        let top = Vec2::new(space.center().x, space.min.y);
        let high = WORD_HIGH - 0.1;
        let size = Vec2::new(width.max(space.width() - 0.2), high);
        let above = Rect::from_center_size(top - Vec2::new(0.0, WORD_HIGH / 2.0), size);
        if !covers(above) {
            return Self {
                place: top,
                is_centred: false,
            };
        }
        let aside = Vec2::new((space.width() + width) / 2.0 + ASIDE, 0.0);
        let fits = |&middle: &Vec2| {
            let text = Rect::from_center_size(middle, Vec2::new(width, high));
            !covers(text) && room.contains(text.min) && room.contains(text.max)
        };
        let mut beside = [space.center() + aside, space.center() - aside].into_iter();
        Self {
            place: beside.find(fits).unwrap_or(top + Vec2::new(0.0, INSIDE)),
            is_centred: true,
        }
    }

    /// The middle of its text, in cells.
    pub(super) fn middle(self) -> Vec2 {
        match self.is_centred {
            true => self.place,
            false => self.place - Vec2::new(0.0, WORD_HIGH / 2.0),
        }
    }

    /// Distance up to the middle of the text, in layout pixels.
    fn up(self) -> f32 {
        if self.is_centred { 0.0 } else { UP }
    }

    /// How far the text may go down, in layout pixels, with cells of a size: it stays over or beside
    /// its unit.
    fn most_down(self, cell: f32) -> f32 {
        match self.is_centred {
            true => (LOWEST - INSIDE) * cell,
            false => UP + LOWEST * cell,
        }
    }
}

/// Distance between a unit and the text beside it, in cells.
const ASIDE: f32 = 0.05;
/// Distance from the top edge of a unit down to the middle of text inside it, in cells.
const INSIDE: f32 = 0.3;
/// The same for text that makes room for other text: hit points are below it.
const LOWEST: f32 = 0.42;
/// About the height above a unit that its text takes, in cells.
pub(super) const WORD_HIGH: f32 = 0.6;

/// Floating text that rises over a place and disappears.
#[derive(Component)]
pub struct FloatingText {
    spot: TextSpot,
    age: f32,
    life: f32,
    /// Its width at the standard text size, in layout pixels.
    wide: f32,
    /// Extra height so that texts do not overlap, in layout pixels, negative for text that goes
    /// down; `None` before it is first shown.
    lift: Option<f32>,
    /// The unit's name, shown while the text stands over another unit.
    name: Option<Entity>,
}

/// The name of a text's unit, in front of the text.
#[derive(Clone, Copy)]
pub struct FloatingName<'a> {
    pub name: &'a str,
    /// Whether it is shown from the start, not only while the text stands over another unit.
    pub is_shown: bool,
}

fn float_text(
    commands: &mut Commands,
    spot: TextSpot,
    (delay, life): (f32, f32),
    (name, wide): (FloatingName, f32),
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
    let text = commands
        .spawn(look)
        .with_children(|point| {
            point.spawn_with((card, face(Panel::CardLight), Pickable::IGNORE), |card| {
                let node = Node {
                    display: display_if(name.is_shown),
                    margin: UiRect::right(px(5)),
                    ..default()
                };
                let name = words(name.name, TextStyle::Small, palette::FADED_INK);
                named = Some(card.spawn(name).insert(node).id());
                fill(card);
            });
        })
        .id();
    commands.entity(text).insert(FloatingText {
        spot,
        age: -delay,
        life,
        wide,
        lift: None,
        name: named,
    });
}

/// Text in a single line.
pub(super) fn words(text: impl Into<String>, cut: TextStyle, ink: Rgb) -> impl Bundle {
    (theme::text(text, cut, ink), TextLayout::no_wrap())
}

/// Spawns floating text, such as what happened to the named unit, after a delay and for a time,
/// both in seconds.
pub fn pop_word(
    commands: &mut Commands,
    spot: TextSpot,
    (name, word, ink): (FloatingName, &str, Rgb),
    timing: (f32, f32),
) {
    let wide = match name.is_shown {
        true => width_of(word) + TextStyle::Small.width(name.name),
        false => width_of(word),
    };
    float_text(commands, spot, timing, (name, wide), |card| {
        card.spawn(words(word, TextStyle::Strong, ink));
    });
}

/// Animates floating text: it pops up, stays, and disappears; newer text appears below older text.
pub(super) fn rise(
    mut commands: Commands,
    mut texts: Query<(Entity, &mut FloatingText, &mut UiTransform)>,
    (view, rem): (Res<MapView>, Res<RemSize>),
    time: Res<Time>,
) {
    let mut ages: Vec<(TextSpot, f32, Entity)> = Vec::new();
    let scale = view.layout_scale();
    // Where earlier text already stands.
    let mut stand: Vec<(TextSpot, Rect)> = Vec::new();
    for (entity, mut text, transform) in &mut texts {
        text.age += time.delta_secs();
        if text.age >= text.life {
            commands.entity(entity).despawn();
            continue;
        }
        ages.push((text.spot, text.age, entity));
        if text.lift.is_some() {
            let rect = Rect::from_center_size(spot(&transform), text.size(&rem));
            stand.push((text.spot, rect));
        }
    }
    for (entity, mut text, mut transform) in &mut texts {
        let (here, age) = (text.spot, text.age);
        if text.lift.is_none() && (0.0..text.life).contains(&age) {
            let alone = view.in_window(here.place) / scale - Vec2::new(0.0, here.up());
            // Older text of the same unit moves up instead.
            let others = stand.iter().filter(|(of, _)| *of != here);
            let others: Vec<Rect> = others.map(|(_, rect)| *rect).collect();
            let rect = Rect::from_center_size(alone, text.size(&rem));
            let most_down = here.most_down(view.cell_px() as f32 / scale);
            let lift = room_for(rect, &others, most_down);
            text.lift = Some(lift);
            if let Some(name) = text.name.filter(|_| lift > 0.0) {
                let seen = Node {
                    margin: UiRect::right(px(5)),
                    ..default()
                };
                commands.entity(name).insert(seen);
            }
            let at = alone - Vec2::new(0.0, lift);
            stand.push((here, Rect::from_center_size(at, text.size(&rem))));
        }
        let is_newer = |of: &(TextSpot, f32, Entity)| {
            of.0 == here && of.1 >= 0.0 && (of.1 < age || of.1 == age && of.2 > entity)
        };
        let newer = ages.iter().filter(|of| is_newer(of));
        let newer: f32 = newer.map(|(_, age, _)| (age / 0.1).min(1.0)).sum();
        let lift = text.lift.unwrap_or_default();
        let rises = if here.is_centred { RISES.1 } else { RISES.0 };
        let up = here.up() + lift + 27.0 * newer + rises * (age / text.life);
        let at = (view.in_window(here.place) / scale - Vec2::new(0.0, up)) * scale;
        // Text pops up, overshoots a little, and shrinks away.
        let (into, out) = (text.age / 0.14, (text.life - text.age) / 0.12);
        let size = match into < 1.0 {
            true => popped_up(into, 0.12),
            false => out.clamp(0.0, 1.0),
        };
        transform.translation = Val2::px(at.x.round() / scale, at.y.round() / scale);
        transform.scale = Vec2::splat(size);
    }
}

/// The scale of something that pops up and overshoots by the share `over`; `x` goes from 0 to 1
/// meanwhile.
pub(super) fn popped_up(x: f32, over: f32) -> f32 {
    match x {
        x if x < 0.7 => (x / 0.7).max(0.0) * (1.0 + over),
        x if x < 1.0 => 1.0 + over * (1.0 - x) / 0.3,
        _ => 1.0,
    }
}

/// How far a text moves up to overlap none of the others, in layout pixels. It goes down instead,
/// a negative number, if that is at most `most_down`: it stays over its own unit.
pub fn room_for(alone: Rect, others: &[Rect], most_down: f32) -> f32 {
    let (up, down) = (lift(alone, others), drop_below(alone, others));
    match up > 0.0 && down <= most_down {
        true => -down,
        false => up,
    }
}

/// The width of a text at the standard text size, in layout pixels.
pub(super) fn width_of(text: &str) -> f32 {
    TextStyle::Strong.width(text) + EDGES
}

/// Extra height at which a text overlaps none of the others, in layout pixels.
pub fn lift(alone: Rect, others: &[Rect]) -> f32 {
    let mut lift = 0.0;
    // Each pass moves it above one of the others.
    for _ in 0..others.len() {
        let up = Vec2::new(0.0, lift);
        let here = Rect::from_corners(alone.min - up, alone.max - up);
        let is_hidden = |other: &&Rect| area(other.intersect(here)) > 0.0;
        let Some(other) = others.iter().find(is_hidden) else {
            break;
        };
        lift = alone.max.y - other.min.y;
    }
    lift
}

/// How far a text must go down to overlap none of the others, in layout pixels.
pub fn drop_below(alone: Rect, others: &[Rect]) -> f32 {
    let flipped = |rect: &Rect| {
        let (min, max) = (rect.min, rect.max);
        Rect::new(min.x, -max.y, max.x, -min.y)
    };
    let others: Vec<Rect> = others.iter().map(flipped).collect();
    lift(flipped(&alone), &others)
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

/// Padding and border of a text at both sides together, in layout pixels.
const EDGES: f32 = 17.0;
/// Least space for one text, in layout pixels at the standard text size.
pub const WORD: Vec2 = Vec2::new(96.0, 34.0);

impl FloatingText {
    /// Whether the text is visible yet: it appears after a delay.
    pub(super) fn is_seen(&self) -> bool {
        self.age >= 0.0
    }

    /// The space that it takes, in layout pixels.
    pub(super) fn size(&self, rem: &RemSize) -> Vec2 {
        Vec2::new(self.wide.max(WORD.x), WORD.y) * rem.0 / theme::BODY
    }
}

pub(super) fn area(rect: Rect) -> f32 {
    rect.width() * rect.height()
}
