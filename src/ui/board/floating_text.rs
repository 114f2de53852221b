//! Floating text over units, such as dice results and damage.

use super::{FRAME, MapView, unit_animator::DespawnAfter};
use crate::ui::{
    Screen,
    art::{
        hud::Panel,
        palette::{self, Rgb},
    },
    theme::{self, TextStyle},
    widgets::{NodeExt, SpawnWith, display_if, panel_style},
};
use bevy::{prelude::*, text::RemSize};

pub(super) const ABOVE_LABELS: GlobalZIndex = GlobalZIndex(-1);
/// Seconds for which floating text stays.
pub(super) const LIFE: f32 = 1.15;

/// How far floating text rises, in layout pixels: above a unit, and beside it or inside its cells.
const RISES: (f32, f32) = (6.0, 2.0);

/// Where floating text appears.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextAnchor {
    /// In cells.
    pub place: Vec2,
    /// The middle of the text is at the place, not above it: another unit is above.
    pub is_centred: bool,
}

impl TextAnchor {
    /// The free anchor for a unit's text of a size in cells, at the unit's space: above it, if need be
    /// to one side; beside or below it. `None` if everywhere it would cover one of the `units`, such
    /// as a standing unit above, or something else that is `taken`, or leave the `room`, the board, or
    /// if its middle would be nearer to another unit, which it would then seem to be about.
    pub fn free(
        space: Rect,
        text: Vec2,
        (units, taken): (&[Rect], &[Rect]),
        room: Rect,
    ) -> Option<Self> {
        let covers = |text: Rect| {
            let mut all = units.iter().chain(taken);
            all.any(|other| area(other.intersect(text)) > 0.0)
        };
        let is_nearest = |middle: Vec2| {
            let off = |unit: &Rect| middle.distance(middle.clamp(unit.min, unit.max));
            units.iter().all(|unit| off(unit) >= off(&space))
        };
        let top = Vec2::new(space.center().x, space.min.y);
        let (width, high) = (text.x, text.y - 0.1);
        let size = Vec2::new(width.max(space.width() - 0.2), high);
        let is_free = |place: &Vec2| {
            let above = Rect::from_center_size(*place - Vec2::new(0.0, text.y / 2.0), size);
            let room = room.inflate(FRAME);
            let is_in = above.min.x >= room.min.x && above.max.x <= room.max.x;
            !covers(above) && is_nearest(above.center()) && is_in && above.min.y >= room.min.y
        };
        // A wide text may lie flush with the unit's side.
        let flush = (width - space.width()).max(0.0) / 2.0;
        let shifts = SHIFTS.into_iter().chain([flush, -flush]);
        let shifts = shifts.map(|shift| Vec2::new(shift, 0.0));
        let mut above = shifts.clone().map(|shift| top + shift);
        if let Some(place) = above.find(is_free) {
            return Some(Self {
                place,
                is_centred: false,
            });
        }
        let aside = Vec2::new((space.width() + width) / 2.0 + ASIDE, 0.0);
        let below = Vec2::new(0.0, (space.height() + high) / 2.0 + ASIDE);
        let fits = |&middle: &Vec2| {
            let text = Rect::from_center_size(middle, Vec2::new(width, high));
            let is_in = room.contains(text.min) && room.contains(text.max);
            !covers(text) && is_nearest(middle) && is_in
        };
        let below = shifts.map(|shift| below + shift);
        let mut beside = [aside, -aside].into_iter().chain(below);
        let place = beside.find_map(|off| Some(space.center() + off).filter(fits))?;
        Some(Self {
            place,
            is_centred: true,
        })
    }

    /// The anchor over a unit's head, for a text that has no free one.
    pub fn inside(space: Rect) -> Self {
        Self {
            place: Vec2::new(space.center().x, space.min.y + INSIDE),
            is_centred: true,
        }
    }

    /// The cells of its text of a size in cells.
    pub(super) fn extent(self, size: Vec2) -> Rect {
        Rect::from_center_size(self.place - Vec2::new(0.0, self.up(size.y)), size)
    }

    /// The middle of its text, in cells.
    pub(super) fn middle(self) -> Vec2 {
        match self.is_centred {
            true => self.place,
            false => self.place - Vec2::new(0.0, WORD_HIGH / 2.0),
        }
    }

    /// Distance up to the middle of a text of a height, in the same unit.
    fn up(self, high: f32) -> f32 {
        if self.is_centred { 0.0 } else { high / 2.0 }
    }

    /// How far a text of a height may go down, in layout pixels, with cells of a size: it stays over
    /// or beside its unit.
    fn most_down(self, high: f32, cell: f32) -> f32 {
        let lowest = PLATE * cell - (high / 2.0 - SLACK);
        match self.is_centred {
            true => (lowest - INSIDE * cell).max(0.0),
            false => self.up(high) + lowest,
        }
    }
}

/// Distance between a unit and the text beside it, in cells.
const ASIDE: f32 = 0.05;
/// Distance from the top edge of a unit down to the middle of text inside it, in cells.
const INSIDE: f32 = 0.3;
/// Distance from the top edge of a unit down to its hit points, which no text of its own covers, in
/// cells.
const PLATE: f32 = 0.7;
/// How far text above or below a unit may lie to one side of it, in cells, the best first.
const SHIFTS: [f32; 5] = [0.0, -0.25, 0.25, -0.5, 0.5];
/// About the height above a unit that its damage takes, in cells.
pub(super) const WORD_HIGH: f32 = 0.8;

/// Floating text that rises over a place and disappears.
#[derive(Component)]
pub struct FloatingText {
    anchor: TextAnchor,
    age: f32,
    life: f32,
    /// The space that it takes at the standard text size, in layout pixels.
    size: Vec2,
    /// Extra height so that texts do not overlap, in layout pixels, negative for text that goes
    /// down; `None` before it is first shown.
    lift: Option<f32>,
    /// The unit's name, shown while the text stands over another unit.
    name: Option<Entity>,
}

/// What a floating text moves with: a unit that is knocked back or walks on keeps its text beside it.
#[derive(Component)]
pub(super) struct MovesWith {
    /// The root of a token, and its figure for a text that moves with this too.
    parts: Vec<Entity>,
    /// Where they rest, added up, in world coordinates.
    rest: Vec2,
    /// How far they have moved, in cells.
    moved: Vec2,
}

impl MovesWith {
    pub(super) fn new(parts: Vec<Entity>, rest: Vec2) -> Self {
        Self {
            parts,
            rest,
            moved: Vec2::ZERO,
        }
    }

    /// How far they have moved, in cells; as far as before once they are gone.
    fn moved(&mut self, places: &Query<&Transform>) -> Vec2 {
        let parts = self.parts.iter().map(|&part| places.get(part).ok());
        let place: Option<Vec2> = parts.map(|part| Some(part?.translation.truncate())).sum();
        if let Some(place) = place {
            self.moved = (place - self.rest) * Vec2::new(1.0, -1.0);
        }
        self.moved
    }
}

/// The name of a text's unit, beside the text.
#[derive(Clone, Copy)]
pub struct FloatingName<'a> {
    pub name: &'a str,
    /// Whether it is shown from the start, not only while the text stands over another unit.
    pub is_shown: bool,
    pub place: NamePlace,
}

/// Where the name of a unit stands beside its text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NamePlace {
    /// "Bandit 2: fails".
    Before,
    /// "missed Bandit 2", "hit 3 on Bandit 2": the result of an attack on the unit, which in front
    /// of it would look like the attacker. The word comes between the two.
    After(&'static str),
}

impl FloatingName<'_> {
    fn words(self) -> String {
        match self.place {
            NamePlace::Before => format!("{}:", self.name),
            NamePlace::After(between) => format!("{between}{}", self.name),
        }
    }

    /// The text with the name beside it, if that is shown from the start.
    pub fn beside(self, text: &str) -> String {
        match (self.is_shown, self.place) {
            (true, NamePlace::Before) => format!("{} {text}", self.words()),
            (true, NamePlace::After(_)) => format!("{text} {}", self.words()),
            (false, _) => text.to_owned(),
        }
    }
}

/// Spawns floating text, such as what happened to the named unit, in type enlarged by `scale`, after
/// a delay and for a time, both in seconds.
pub(super) fn pop_word(
    commands: &mut Commands,
    anchor: TextAnchor,
    (name, word, ink): (FloatingName, &str, Rgb),
    scale: f32,
    (delay, life): (f32, f32),
) -> Entity {
    // A node of size zero; the card is centred on it.
    let point = Node::default().absolute().size(0.0, 0.0).centred();
    let card = Node {
        padding: UiRect::axes(px(7), px(0)),
        border: UiRect::all(px(1.4)),
        border_radius: BorderRadius::all(px(5)),
        align_items: AlignItems::Baseline,
        flex_direction: match name.place {
            NamePlace::Before => FlexDirection::Row,
            NamePlace::After(_) => FlexDirection::RowReverse,
        },
        column_gap: px(NAME_GAP),
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
            point.spawn_with(
                (card, panel_style(Panel::CardLight), Pickable::IGNORE),
                |card| {
                    let node = Node {
                        display: display_if(name.is_shown),
                        ..default()
                    };
                    let cut = (NAME, name_scale(scale));
                    let words = theme::resized_text(name.words(), cut, palette::INK);
                    let words = (words, TextLayout::no_wrap(), node);
                    named = Some(card.spawn(words).id());
                    let text = theme::resized_text(word, (TextStyle::Strong, scale), ink);
                    card.spawn((text, TextLayout::no_wrap()));
                },
            );
        })
        .id();
    commands.entity(text).insert(FloatingText {
        anchor,
        age: -delay,
        life,
        size: named_size(name, word, scale),
        lift: None,
        name: named,
    });
    text
}

/// How much larger than standard a text's type is if it is to be `high` cells, with cells of a size
/// in layout pixels at the standard text size. It is at most [`WIDEST`] cells wide, but never smaller
/// than the standard. It has few steps, because each type size needs a font atlas.
pub fn type_scale(text: &str, high: f32, cell: f32) -> f32 {
    let widest = WIDEST * cell / TextStyle::Strong.width(text).max(1.0);
    let scale = (high * cell / theme::BODY).min(widest).max(1.0);
    (scale * 10.0).round() / 10.0
}

/// Animates floating text: it pops up, stays, and disappears; newer text appears below older text.
pub(super) fn rise(
    mut commands: Commands,
    mut texts: Query<(
        Entity,
        &mut FloatingText,
        &mut UiTransform,
        Option<&DespawnAfter>,
        Option<&mut MovesWith>,
    )>,
    places: Query<&Transform>,
    (view, rem): (Res<MapView>, Res<RemSize>),
    time: Res<Time>,
) {
    // The anchor, age and height of each text.
    let mut ages: Vec<(TextAnchor, f32, f32, Entity)> = Vec::new();
    let scale = view.layout_scale();
    // Where earlier text already stands.
    let mut stand: Vec<(TextAnchor, Rect)> = Vec::new();
    for (entity, mut text, transform, ..) in &mut texts {
        text.age += time.delta_secs();
        if text.age >= text.life {
            commands.entity(entity).try_despawn();
            continue;
        }
        ages.push((text.anchor, text.age, text.size(&rem).y, entity));
        if text.lift.is_some() {
            let rect = Rect::from_center_size(translation_px(&transform), text.size(&rem));
            stand.push((text.anchor, rect));
        }
    }
    for (entity, mut text, mut transform, ends, token) in &mut texts {
        let (here, age, high) = (text.anchor, text.age, text.size(&rem).y);
        let moved = token.map_or(Vec2::ZERO, |mut token| token.moved(&places));
        let place = view.in_window(here.place + moved) / scale;
        if text.lift.is_none() && (0.0..text.life).contains(&age) {
            let alone = place - Vec2::new(0.0, here.up(high));
            // Older text of the same unit moves up instead.
            let others = stand.iter().filter(|(of, _)| *of != here);
            let others: Vec<Rect> = others.map(|(_, rect)| *rect).collect();
            let rect = Rect::from_center_size(alone, text.size(&rem));
            let most_down = here.most_down(high, view.cell_px() as f32 / scale);
            let lift = room_for(rect, &others, most_down);
            text.lift = Some(lift);
            if let Some(name) = text.name.filter(|_| lift > 0.0) {
                commands.entity(name).insert(Node::default());
            }
            let at = alone - Vec2::new(0.0, lift);
            stand.push((here, Rect::from_center_size(at, text.size(&rem))));
        }
        let is_newer = |of: &(TextAnchor, f32, f32, Entity)| {
            of.0 == here && of.1 >= 0.0 && (of.1 < age || of.1 == age && of.3 > entity)
        };
        let newer = ages.iter().filter(|of| is_newer(of));
        let newer: f32 = newer
            .map(|(_, age, high, _)| (age / 0.1).min(1.0) * (high - SLACK))
            .sum();
        let lift = text.lift.unwrap_or_default();
        let rises = if here.is_centred { RISES.1 } else { RISES.0 };
        let up = here.up(high) + lift + newer + rises * (age / text.life);
        let at = (place - Vec2::new(0.0, up)) * scale;
        // Text pops up, overshoots a little, and shrinks away.
        let left = (text.life - text.age).min(ends.map_or(f32::MAX, |ends| ends.0));
        let (into, out) = (text.age / 0.14, (left / 0.12).clamp(0.0, 1.0));
        let size = match into < 1.0 {
            true => popped_up(into, 0.12) * out,
            false => out,
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

/// The space for a text in type enlarged by `scale`, in layout pixels at the standard text size.
fn size_of(text: &str, scale: f32) -> Vec2 {
    let grows = TextStyle::Strong.line_height() * (scale - 1.0);
    let wide = TextStyle::Strong.width(text) * scale + EDGES;
    Vec2::new(wide, WORD.y + grows)
}

/// How much larger than standard the name's type is beside a text whose type is enlarged by
/// `scale`.
fn name_scale(scale: f32) -> f32 {
    ((scale * NAME_SHARE).max(1.0) * 10.0).round() / 10.0
}

/// The space for a text with the name beside it, if that is shown from the start.
pub fn named_size(name: FloatingName, text: &str, scale: f32) -> Vec2 {
    let name = if name.is_shown {
        NAME.width(&name.words()) * name_scale(scale) + NAME_GAP
    } else {
        0.0
    };
    size_of(text, scale) + Vec2::new(name, 0.0)
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

pub(super) fn translation_px(transform: &UiTransform) -> Vec2 {
    match transform.translation {
        Val2 {
            x: Val::Px(x),
            y: Val::Px(y),
        } => Vec2::new(x, y),
        _ => Vec2::ZERO,
    }
}

/// The type of a unit's name beside its text.
pub const NAME: TextStyle = TextStyle::Strong;
/// The type of the name as a share of the text's.
const NAME_SHARE: f32 = 0.75;
/// Between a unit's name and its text, in layout pixels.
const NAME_GAP: f32 = 5.0;
/// Padding and border of a text at both sides together, in layout pixels.
const EDGES: f32 = 17.0;
/// Width of the largest type of a long text, in cells.
const WIDEST: f32 = 3.0;
/// How much of the space of a text is free above and below it, in layout pixels.
const SLACK: f32 = 7.0;
/// Least space for one text, in layout pixels at the standard text size.
pub const WORD: Vec2 = Vec2::new(96.0, 34.0);

impl FloatingText {
    /// Whether the text is visible yet: it appears after a delay.
    pub(super) fn is_seen(&self) -> bool {
        self.age >= 0.0
    }

    /// The space that it takes, in layout pixels.
    pub(super) fn size(&self, rem: &RemSize) -> Vec2 {
        self.size.max(WORD) * rem.0 / theme::BODY
    }
}

pub(super) fn area(rect: Rect) -> f32 {
    rect.width() * rect.height()
}
