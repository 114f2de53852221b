//! The animator of tokens, missiles, flashes and floating text: the basics are here, attacks in
//! [`attack_effects`](super::attack_effects), spells in [`bursts`](super::bursts).

use super::{
    MapView,
    dice::VisibleRoll,
    floating_text::{self, FloatingName, MovesWith, NamePlace, TextAnchor},
    height,
    mark_painter::rect_of,
    pieces::{Pieces, WHITE, rest},
    shake::Shake,
    sprites::{SizedImage, SpriteCache, at},
};
use crate::{
    battle::{CheckRoll, Id},
    grid::{Cell, Space},
    ui::{
        Screen, Session,
        art::palette,
        settings::Settings,
        shown::{UnitView, middle},
        theme::{self, colour},
    },
};
use bevy::{ecs::system::SystemParam, prelude::*, sprite::Anchor, text::RemSize};
use bevy_tweening::{Lens, Tween, TweenAnim, Tweenable, lens::TransformPositionLens};
use std::{f32::consts::PI, time::Duration};
use tiny_skia::Pixmap;

/// Seconds for one cell of movement.
pub(super) const STEP: f32 = 0.12;
/// Flight time of a missile in seconds: for each cell, at least, at most.
const FLIGHT: (f32, f32, f32) = (0.035, 0.12, 0.42);
/// Seconds for which a door swings.
pub(super) const SWING: f32 = 0.3;

/// Seconds for which a hit and a miss can be read before the next attack's dice come. A miss is no
/// news for long.
const READ_HIT: f32 = 0.65;
const READ_MISS: f32 = 0.4;
/// Seconds in which the result of an attack disappears while the next attack's dice fly.
const FADES: f32 = 0.12;
/// The smaller type of a text that has no free place at its unit otherwise, as a share.
const SMALLER: f32 = 0.75;

/// Starts all animations on the board.
#[derive(SystemParam)]
pub(super) struct UnitAnimator<'w, 's> {
    pub(super) commands: Commands<'w, 's>,
    pub(super) pieces: Res<'w, Pieces>,
    pub(super) sprites: SpriteCache<'w>,
    pub(super) view: ResMut<'w, MapView>,
    pub(super) shake: ResMut<'w, Shake>,
    pub(super) settings: Res<'w, Settings>,
    rem: Res<'w, RemSize>,
    /// Factor on the duration at normal speed.
    pub(super) duration_scale: Local<'s, f32>,
    /// Whether another side than the player's acts.
    pub(super) is_other_side_acting: Local<'s, bool>,
    /// Whether the view follows the action.
    pub(super) follows: Local<'s, bool>,
    /// Seconds since the event should have begun.
    pub(super) late: Local<'s, f32>,
    /// Whether floating text is gathered, for one tag per unit at the end of its results.
    pub(super) gathers_text: Local<'s, bool>,
    /// Rolls still visible, also of resolved attacks, which no floating text covers.
    pub(super) rolls: Local<'s, Vec<VisibleRoll>>,
    /// The gathered tags, one per unit.
    pub(super) tags: Local<'s, Vec<Tag>>,
    /// The floating texts on the board, which no roll and no other text covers.
    pub(super) texts: Local<'s, Vec<VisibleText>>,
}

/// What a group of events says about a unit.
pub(super) struct Tag {
    who: Id,
    words: String,
    /// The numbers of its check: "11, morale 8".
    numbers: Option<String>,
    tone: Tone,
    /// Seconds until it appears.
    delay: f32,
}

/// A floating text that is visible or about to appear.
pub(super) struct VisibleText {
    who: Id,
    entity: Entity,
    /// What it says last: "falls" of "hit 3, falls".
    word: String,
    tone: Tone,
    /// The cells that it takes.
    pub(super) extent: Rect,
    /// Seconds since it appeared, negative before.
    age: f32,
    /// Seconds for which it stays.
    life: f32,
}

/// The tone of floating text, from the least important.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tone {
    Plain,
    /// An attack that misses.
    Missed,
    Good,
    Bad,
    /// A unit whose morale breaks.
    Breaks,
    /// Points lost.
    Damage,
    /// Points lost to a critical hit, an execution or an attack that fells its target.
    Decisive,
    /// A fall or a death.
    Fall,
}

impl Tone {
    /// Size of the type in cells, so that it can be read from across the room: capitals and digits
    /// are about two thirds as high.
    fn type_size(self) -> f32 {
        match self {
            Self::Plain | Self::Missed | Self::Good | Self::Bad => 0.39,
            Self::Damage => 0.52,
            Self::Breaks | Self::Decisive | Self::Fall => 0.66,
        }
    }

    /// Where a unit's name stands beside a text in this tone.
    pub fn name_place(self) -> NamePlace {
        match self {
            Self::Missed => NamePlace::After(""),
            Self::Damage | Self::Decisive => NamePlace::After("on "),
            Self::Plain | Self::Good | Self::Bad | Self::Breaks | Self::Fall => NamePlace::Before,
        }
    }

    /// Whether it is the tone of an attack's result.
    fn is_result(self) -> bool {
        self.reads().is_some()
    }

    /// Whether a text in this tone is repeated before the next one of its unit.
    fn goes_before(self, next: Self) -> bool {
        next != Self::Breaks && (self.is_result() || !next.is_result())
    }

    /// Seconds for which the result of an attack can be read before the next attack's dice come;
    /// `None` for text that is no such result.
    fn reads(self) -> Option<f32> {
        match self {
            Self::Plain | Self::Good | Self::Bad | Self::Breaks => None,
            Self::Missed => Some(READ_MISS),
            Self::Damage | Self::Decisive | Self::Fall => Some(READ_HIT),
        }
    }
}

impl UnitAnimator<'_, '_> {
    pub(super) fn seconds(&self, seconds: f32) -> Duration {
        Duration::from_secs_f32(seconds * *self.duration_scale)
    }

    /// The text size, as a factor of the standard size.
    pub(super) fn text_scale(&self) -> f32 {
        self.rem.0 / theme::BODY
    }

    /// A picture `cells` cells high: see [`SpriteCache::get_or_draw_sized`].
    pub(super) fn get_or_draw(
        &mut self,
        name: impl Into<String>,
        cells: f32,
        draw: impl FnOnce(u32) -> Pixmap,
    ) -> SizedImage {
        self.sprites.get_or_draw_sized(name, cells, draw)
    }

    pub(super) fn follow(&mut self, unit: &UnitView) {
        if *self.follows {
            self.view.show(unit.middle().into());
        }
    }

    /// Animates a unit's figure around its root and returns it to rest at the end; replaces its current
    /// animation. It stays at rest if the player wants less motion.
    pub(super) fn animate_figure(
        &mut self,
        unit: &UnitView,
        seconds: f32,
        mut pose: impl FnMut(f32) -> Transform + Send + Sync + 'static,
    ) -> bool {
        let Some(piece) = self.pieces.get(unit.id).filter(|_| !self.is_calm()) else {
            return false;
        };
        let figure = piece.figure;
        self.move_along(figure, seconds, move |x| match x < 1.0 {
            true => pose(x),
            false => Transform::IDENTITY,
        });
        true
    }

    /// Turns a token's flash on and lets it fade.
    pub(super) fn flash(&mut self, flash: Entity, seconds: f32, strength: f32) {
        let lens = SpriteLens(move |sprite: &mut Sprite, x: f32| {
            let left = 1.0 - x.min(1.0);
            sprite.color = WHITE.with_alpha(strength * left * left).into();
        });
        let tween = Tween::new::<Sprite, _>(EaseFunction::Linear, self.seconds(seconds), lens);
        self.start(flash, tween);
    }

    /// Moves an entity along a path.
    pub(super) fn move_along(
        &mut self,
        what: Entity,
        seconds: f32,
        mut path: impl FnMut(f32) -> Transform + Send + Sync + 'static,
    ) {
        let lens = TransformLens(move |t: &mut Transform, x: f32| *t = path(x));
        let tween = Tween::new::<Transform, _>(EaseFunction::Linear, self.seconds(seconds), lens);
        self.start(what, tween);
    }

    /// Whether the player wants less motion.
    pub(super) fn is_calm(&self) -> bool {
        self.settings.less_motion
    }

    /// Brightness of flashes, from 0 to 1.
    pub(super) fn brightness(&self) -> f32 {
        self.settings.flashes.share()
    }

    pub(super) fn start(&mut self, entity: Entity, mut tween: Tween) {
        tween.set_elapsed(Duration::from_secs_f32(self.late.max(0.0)));
        self.commands.entity(entity).insert(TweenAnim::new(tween));
    }

    /// Animates one cell of movement.
    pub(super) fn walk(&mut self, unit: &UnitView, from: Vec2) {
        let Some(piece) = self.pieces.get(unit.id) else {
            return;
        };
        let end = rest(unit);
        let lens = TransformPositionLens {
            start: at(from, end.z),
            end,
        };
        let root = piece.root;
        let tween = Tween::new(EaseFunction::Linear, self.seconds(STEP), lens);
        self.start(root, tween);
        self.follow(unit);
    }

    /// Flashes a picture after a delay: it grows, unless the player wants less motion, and fades.
    /// `timing` is delay and duration in seconds; the last pair is opacity and angle.
    pub(super) fn flare(
        &mut self,
        image: &SizedImage,
        place: Vec3,
        timing: (f32, f32),
        (strength, angle): (f32, f32),
    ) {
        if strength <= 0.0 {
            return;
        }
        let (whole, is_calm) = (image.size, self.is_calm());
        let turn = Quat::from_rotation_z(angle);
        self.glow(image.sprite(), (place, turn), timing, move |sprite, x| {
            let size = if is_calm { 1.0 } else { flash_size(x) };
            sprite.custom_size = Some(whole * size);
            sprite.color = Color::WHITE.with_alpha(strength * (1.0 - x * x * x));
        });
    }

    /// Shows a sprite after a delay and despawns it at the end; times in seconds.
    pub(super) fn glow(
        &mut self,
        mut sprite: Sprite,
        (place, turn): (Vec3, Quat),
        (delay, seconds): (f32, f32),
        mut show: impl FnMut(&mut Sprite, f32) + Send + Sync + 'static,
    ) -> Entity {
        sprite.color = Color::NONE;
        let whole = delay + seconds;
        let lens = SpriteLens(move |sprite: &mut Sprite, x: f32| {
            let now = (x * whole - delay) / seconds;
            if now >= 0.0 {
                show(sprite, now.min(1.0));
            }
        });
        let tween = Tween::new::<Sprite, _>(EaseFunction::Linear, self.seconds(whole), lens);
        let spawned = (
            DespawnAfter(whole * *self.duration_scale),
            DespawnOnExit(Screen::Battle),
            sprite,
            Transform::from_translation(place).with_rotation(turn),
            TweenAnim::new(tween),
        );
        self.commands.spawn(spawned).id()
    }

    /// Animates a door turning on its hinge.
    pub(super) fn swing(&mut self, session: &Session, cell: Cell, open: bool) {
        let board = &session.shown().board;
        let is_free = |x: i16| board.can_stand(Space::one(cell.offset(x, 0)));
        // A door is set between two cells that block movement.
        let is_across = is_free(-1) || is_free(1);
        let along = if is_across { PI / 2.0 } else { 0.0 };
        let hinge = Vec2::from(middle(cell, 1)) - 0.5 * Vec2::from_angle(along);
        let plank = |size: Vec2, rgb| (Sprite::from_color(colour(rgb), size), Anchor::CENTER_LEFT);
        let (from, to) = match open {
            true => (0.0, PI / 2.0),
            false => (PI / 2.0, 0.0),
        };
        let lens = TransformLens(move |t: &mut Transform, x: f32| {
            let turn = from + (to - from) * x;
            t.rotation = Quat::from_rotation_z(turn - along);
        });
        let tween =
            Tween::new::<Transform, _>(EaseFunction::QuadraticInOut, self.seconds(SWING), lens);
        self.commands.spawn((
            DespawnAfter(SWING * *self.duration_scale),
            DespawnOnExit(Screen::Battle),
            plank(Vec2::new(1.0, 0.2), palette::INK),
            Transform::from_translation(at(hinge, height::AIM)),
            TweenAnim::new(tween),
            children![(
                plank(Vec2::new(0.94, 0.13), palette::OAK),
                Transform::from_xyz(0.03, 0.0, 0.01)
            )],
        ));
    }

    /// The name beside a unit's floating text.
    fn name_of<'a>(&self, unit: &'a UnitView, place: NamePlace) -> FloatingName<'a> {
        FloatingName {
            name: &unit.name,
            is_shown: self.pieces.shares_cell(unit),
            place,
        }
    }

    /// Where a floating text of the unit appears, its size in cells with the name beside it, and how
    /// much larger than standard its type is.
    pub(super) fn anchor_of(
        &self,
        unit: &UnitView,
        (text, tone): (&str, Tone),
        place: NamePlace,
    ) -> (TextAnchor, Vec2, f32) {
        let (free, size, scale) = self.free_anchor_of(unit, (text, tone), place);
        let anchor = free.unwrap_or_else(|| TextAnchor::inside(rect_of(unit.space())));
        (anchor, size, scale)
    }

    /// Like [`anchor_of`](Self::anchor_of), with the anchor only if it has a free place. It is
    /// smaller, or covers a unit that is down, only if it has no free place otherwise.
    fn free_anchor_of(
        &self,
        unit: &UnitView,
        (text, tone): (&str, Tone),
        place: NamePlace,
    ) -> (Option<TextAnchor>, Vec2, f32) {
        // Layout pixels at the standard text size.
        let cell = self.sprites.cell_px().unwrap_or(1) as f32 / self.sprites.layout_scale()
            * (theme::BODY / self.rem.0);
        let name = self.name_of(unit, place);
        let sized = [1.0, SMALLER].map(|share| {
            let high = tone.type_size() * share;
            let scale = floating_text::type_scale(&name.beside(text), high, cell);
            (floating_text::named_size(name, text, scale) / cell, scale)
        });
        let texts = self.texts.iter().filter(|text| text.who != unit.id);
        let rolls = self.rolls.iter().map(|roll| roll.extent);
        let others = Vec::from_iter(rolls.chain(texts.map(|it| it.extent)));
        let (space, room) = (rect_of(unit.space()), self.view.area_at_rest());
        let living = Vec::from_iter(self.pieces.occupied());
        let standing = Vec::from_iter(self.pieces.standing());
        let free = [living, standing].into_iter().find_map(|units| {
            sized.into_iter().find_map(|(size, scale)| {
                let anchor = TextAnchor::free(space, size, (&units, &others), room)?;
                Some((Some(anchor), size, scale))
            })
        });
        let [_, (size, scale)] = sized;
        free.unwrap_or((None, size, scale))
    }

    /// Shows floating text. In a group of events, all of a unit's text is shown as one tag: "fails,
    /// 7".
    pub(super) fn show_text(&mut self, unit: &UnitView, word: &str, tone: Tone) {
        self.show_result(unit, word, tone, 0.0);
    }

    /// Shows the result of a check as [`show_text`](Self::show_text) does, `delay` seconds later:
    /// once its dice lie still.
    pub(super) fn show_result(&mut self, unit: &UnitView, word: &str, tone: Tone, delay: f32) {
        if !*self.gathers_text {
            return self.show_text_after(unit, word, tone, delay);
        }
        let tag = self.tag(unit.id);
        if !tag.words.is_empty() {
            tag.words += ", ";
        }
        tag.words += word;
        tag.tone = tag.tone.max(tone);
        tag.delay = tag.delay.max(delay);
    }

    /// Adds the numbers of a unit's check to its tag: "passes (7, morale 8)".
    pub(super) fn note_numbers(&mut self, unit: &UnitView, check: &CheckRoll) {
        let total = check.roll.total();
        self.tag(unit.id).numbers = Some(match check.against {
            Some(against) => format!("{total}, {} {against}", check.what),
            None => total.to_string(),
        });
    }

    /// The gathered tag of a unit, empty at first.
    fn tag(&mut self, who: Id) -> &mut Tag {
        let known = self.tags.iter().position(|tag| tag.who == who);
        let n = known.unwrap_or_else(|| {
            self.tags.push(Tag {
                who,
                words: String::new(),
                numbers: None,
                tone: Tone::Plain,
                delay: 0.0,
            });
            self.tags.len() - 1
        });
        &mut self.tags[n]
    }

    /// Shows the gathered tags for `life` seconds, without their numbers where these have no free
    /// place, and where morale breaks, so that the type is large.
    pub(super) fn show_gathered_text(&mut self, session: &Session, life: f32) {
        for tag in std::mem::take(&mut *self.tags) {
            let unit = session.shown().unit(tag.who);
            let numbers = tag.numbers.filter(|_| tag.tone != Tone::Breaks);
            let whole = numbers.map(|it| format!("{} ({it})", tag.words));
            let place = NamePlace::Before;
            let is_free = |it: &String| {
                let (free, ..) = self.free_anchor_of(unit, (it.as_str(), tag.tone), place);
                free.is_some()
            };
            let words = whole.filter(is_free).unwrap_or(tag.words);
            self.pop(unit, (words.as_str(), tag.tone), place, (tag.delay, life));
        }
    }

    pub(super) fn show_text_after(&mut self, unit: &UnitView, word: &str, tone: Tone, delay: f32) {
        let timing = (delay, floating_text::LIFE);
        self.pop(unit, (word, tone), tone.name_place(), timing);
    }

    /// Shows floating text after `delay` seconds, for `life` seconds. It takes the place of the
    /// unit's visible text and repeats its last word: "hit 3, falls". Only the result of an attack
    /// and broken morale do not repeat what came before them, so that their type stays large. The
    /// name of the unit is at its `place` only beside a single word: of "hit 3, falls", the fall is
    /// not the attacker's.
    fn pop(
        &mut self,
        unit: &UnitView,
        (word, tone): (&str, Tone),
        place: NamePlace,
        (delay, life): (f32, f32),
    ) {
        let is_its = |text: &VisibleText| text.who == unit.id && text.age >= 0.0;
        let old = self.texts.iter().position(is_its).filter(|_| delay == 0.0);
        let old = old.map(|n| self.texts.remove(n));
        let (words, tone, place) = match &old {
            Some(old) if !old.word.eq_ignore_ascii_case(word) && old.tone.goes_before(tone) => {
                let words = format!("{}, {word}", old.word);
                (words, old.tone.max(tone), NamePlace::Before)
            }
            _ => (word.to_owned(), tone, place),
        };
        if let Some(old) = old {
            self.commands.entity(old.entity).try_despawn();
        }
        let ink = match tone {
            Tone::Plain | Tone::Missed => palette::INK,
            Tone::Good => palette::TEAL,
            // Red is for harm to the player's side, so that it stands out among other targets.
            _ if unit.rank == 0 => palette::DANGER,
            Tone::Bad | Tone::Breaks | Tone::Damage | Tone::Decisive | Tone::Fall => palette::INK,
        };
        let scale = *self.duration_scale;
        let (anchor, size, type_scale) = self.anchor_of(unit, (words.as_str(), tone), place);
        let text = (self.name_of(unit, place), words.as_str(), ink);
        let (delay, life) = (delay * scale, life * scale);
        let timing = (delay, life);
        let entity = floating_text::pop_word(&mut self.commands, anchor, text, type_scale, timing);
        if let Some(piece) = self.pieces.get(unit.id) {
            // Another text stays still while its unit staggers or lunges.
            let figure = Some(piece.figure).filter(|_| tone.is_result());
            let parts = [piece.root].into_iter().chain(figure).collect();
            let token = MovesWith::new(parts, rest(unit).truncate());
            self.commands.entity(entity).insert(token);
        }
        self.texts.push(VisibleText {
            who: unit.id,
            entity,
            word: word.to_owned(),
            tone,
            extent: anchor.extent(size),
            age: -delay,
            life,
        });
    }

    /// Lets time pass for the visible texts.
    pub(super) fn age_texts(&mut self, seconds: f32) {
        self.texts.retain_mut(|text| {
            text.age += seconds;
            text.age < text.life
        });
    }

    /// Seconds until the results of earlier attacks can be gone; `None` if they can go now.
    pub(super) fn unread(&self) -> Option<f32> {
        let scale = *self.duration_scale;
        let left = self.texts.iter().filter_map(|text| {
            let reads = text.tone.reads()?.min(text.life / scale);
            Some(reads - text.age / scale)
        });
        left.reduce(f32::max).filter(|&left| left > 0.01)
    }

    /// Lets the results of earlier attacks disappear.
    pub(super) fn clear_results(&mut self) {
        let (texts, commands) = (&mut *self.texts, &mut self.commands);
        for text in texts.extract_if(.., |text| text.tone.is_result()) {
            commands.entity(text.entity).try_insert(DespawnAfter(FADES));
        }
    }
}

/// The size of a flash over its time from 0 to 1: grows quickly, then slowly past full size.
fn flash_size(x: f32) -> f32 {
    let soon = 1.0 - (1.0 - (x / 0.35).min(1.0)).powi(3);
    0.3 + 0.7 * soon + 0.12 * x
}

/// Flight time of a missile over a distance in cells, in seconds.
pub(super) fn flight_seconds(cells: f32) -> f32 {
    (cells * FLIGHT.0).clamp(FLIGHT.1, FLIGHT.2)
}

/// A lens from any function of a transform and time.
pub(super) struct TransformLens<F>(pub F);

impl<F: FnMut(&mut Transform, f32)> Lens<Transform> for TransformLens<F> {
    fn lerp(&mut self, mut target: Mut<Transform>, ratio: f32) {
        (self.0)(&mut target, ratio);
    }
}

/// A lens from any function of a sprite and time.
struct SpriteLens<F>(F);

impl<F: FnMut(&mut Sprite, f32)> Lens<Sprite> for SpriteLens<F> {
    fn lerp(&mut self, mut target: Mut<Sprite>, ratio: f32) {
        (self.0)(&mut target, ratio);
    }
}

pub(super) type DespawnAfterOrFloating =
    Or<(With<DespawnAfter>, With<floating_text::FloatingText>)>;

/// Despawns the entity after this many seconds.
#[derive(Component)]
pub(super) struct DespawnAfter(pub f32);

pub(super) fn despawn_expired(
    mut commands: Commands,
    mut timers: Query<(Entity, &mut DespawnAfter)>,
    time: Res<Time>,
) {
    for (entity, mut left) in &mut timers {
        left.0 -= time.delta_secs();
        if left.0 <= 0.0 {
            // It may have been despawned with its parent.
            commands.entity(entity).try_despawn();
        }
    }
}
