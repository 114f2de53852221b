//! Tokens, missiles, light and words in motion.

use super::{
    View, ground, height, labels,
    pieces::{Piece, Pieces, WHITE, rest},
    prints::{Studio, at},
};
use crate::{
    battle::{Choice, RolledAttack, SpellId},
    content::{Area, Effect},
    grid::{Cell, Space},
    ui::{
        Screen, Session,
        art::{
            icons::{self, Icon},
            marks, palette,
        },
        shown::{Person, middle},
        theme::colour,
    },
};
use bevy::{ecs::system::SystemParam, prelude::*, sprite::Anchor};
use bevy_tweening::{
    EaseMethod, Lens, Tween, TweenAnim, Tweenable,
    lens::{SpriteColorLens, TransformPositionLens},
};
use std::{f32::consts::PI, time::Duration};

/// Seconds for a cell of a move.
pub(super) const STEP: f32 = 0.12;
/// A blow, there and back.
const BLOW: f32 = 0.25;
/// A missile over a cell, and the least and most that it takes.
const FLIGHT: (f32, f32, f32) = (0.035, 0.12, 0.42);
/// A burst of light, and a cell later in how many seconds.
const BURST: f32 = 0.5;
const SPREADS: f32 = 0.035;
/// A door swings.
pub(super) const SWING: f32 = 0.3;
/// What is suffered.
pub(super) const HURT: f32 = 0.28;
pub(super) const FALL: f32 = 0.42;

/// What sets tokens in motion.
#[derive(SystemParam)]
pub(super) struct Troupe<'w, 's> {
    pub(super) commands: Commands<'w, 's>,
    pub(super) pieces: Res<'w, Pieces>,
    pub(super) studio: Studio<'w>,
    pub(super) view: ResMut<'w, View>,
    /// How much longer than usual everything takes.
    pub(super) pace: Local<'s, f32>,
    /// It is not the player's side that acts.
    pub(super) is_others: Local<'s, bool>,
    /// The view goes where something happens.
    pub(super) follows: Local<'s, bool>,
    /// Seconds that have passed since the event should have begun.
    pub(super) late: Local<'s, f32>,
}

/// How a word is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tone {
    Plain,
    Good,
    Bad,
}

impl Troupe<'_, '_> {
    pub(super) fn seconds(&self, seconds: f32) -> Duration {
        Duration::from_secs_f32(seconds * *self.pace)
    }

    pub(super) fn watch(&mut self, person: &Person) {
        if *self.follows {
            self.view.show(person.middle().into());
        }
    }

    /// Sets an entity's transform in motion.
    fn sway(
        &mut self,
        entity: Entity,
        seconds: f32,
        ease: impl Into<EaseMethod>,
        sway: impl FnMut(&mut Transform, f32) + Send + Sync + 'static,
    ) {
        let tween = Tween::new::<Transform, _>(ease, self.seconds(seconds), Sway(sway));
        self.start(entity, tween);
    }

    pub(super) fn start(&mut self, entity: Entity, mut tween: Tween) {
        tween.set_elapsed(Duration::from_secs_f32(self.late.max(0.0)));
        self.commands.entity(entity).insert(TweenAnim::new(tween));
    }

    /// One cell of a move.
    pub(super) fn walk(&mut self, person: &Person, from: Vec2) {
        let Some(piece) = self.pieces.get(person.id) else {
            return;
        };
        let end = rest(person);
        let lens = TransformPositionLens {
            start: at(from, end.z),
            end,
        };
        let root = piece.root;
        let tween = Tween::new(EaseFunction::Linear, self.seconds(STEP), lens);
        self.start(root, tween);
        self.watch(person);
    }

    pub(super) fn roll(&mut self, by: &Person, shot: &RolledAttack) {
        let die: i32 = shot.roll.dice.iter().map(|d| i32::from(d.1)).sum();
        let total = shot.roll.total();
        let sum =
            (total != die).then(|| format!(" {} = {total}", crate::battle::signed(total - die)));
        let place = above(by);
        labels::pop_die(
            &mut self.commands,
            place,
            die,
            sum.unwrap_or_default(),
            *self.pace,
        );
    }

    /// A blow or a shot. A miss slides past, and its target steps aside.
    pub(super) fn blow(
        &mut self,
        by: &Person,
        at_whom: &Person,
        flies: Option<&str>,
        hit: bool,
    ) -> f32 {
        let (from, to) = (Vec2::from(by.middle()), Vec2::from(at_whom.middle()));
        let way = at(to - from, 0.0);
        let ahead = way.normalize_or_zero();
        let aside = Vec3::new(-ahead.y, ahead.x, 0.0);
        let arrives = if flies.is_some() {
            flight(way.length()) * 0.85
        } else {
            BLOW * 0.35
        };
        if !hit {
            self.say_later(at_whom, "miss", Tone::Plain, arrives);
            if let Some(piece) = self.pieces.get(at_whom.id) {
                let (figure, seconds) = (piece.figure, arrives + BLOW);
                self.sway(figure, seconds, EaseFunction::Linear, move |t, x| {
                    let x = ((x * seconds - arrives) / BLOW).max(0.0);
                    t.translation = aside * 0.2 * (PI * x).sin();
                });
            }
        }
        if let Some(missile) = flies {
            return self.fly(from, to, missile, hit);
        }
        let Some(piece) = self.pieces.get(by.id) else {
            return BLOW;
        };
        let figure = piece.figure;
        // Up to the target's edge; a miss goes on beside it.
        let reach = (way.length() - 0.62).clamp(0.18, 0.55) + if hit { 0.0 } else { 0.12 };
        let drift = if hit { 0.0 } else { -0.16 };
        self.sway(figure, BLOW, EaseFunction::Linear, move |t, x| {
            // Fast there, slower back.
            let out = (PI * x.powf(0.62)).sin();
            t.translation = ahead * reach * out + aside * drift * out;
        });
        BLOW * if hit { 0.5 } else { 1.0 }
    }

    /// A missile from one to the other, or past it: an arrow, or the thing
    /// itself, which turns over as it flies.
    fn fly(&mut self, from: Vec2, to: Vec2, missile: &str, hit: bool) -> f32 {
        let way = to - from;
        let seconds = flight(way.length());
        let ahead = way.normalize_or_zero();
        let aside = Vec2::new(ahead.y, -ahead.x) * if hit { 0.0 } else { 0.38 };
        let (start, end) = (
            from + ahead * 0.4,
            to + aside + ahead * if hit { -0.25 } else { 0.9 },
        );
        let angle = (-way.y).atan2(way.x);
        let (start, end) = (at(start, height::MISSILE), at(end, height::MISSILE));
        let sign = ground::sign(missile);
        let place = Transform::from_translation(start).with_rotation(Quat::from_rotation_z(angle));
        let spawned = (
            Passing(seconds * *self.pace),
            DespawnOnExit(Screen::Battle),
            place,
        );
        if sign != Icon::Shoot {
            let print = self.studio.print(format!("thrown {sign:?}"), |px| {
                icons::icon(sign, (px as f32 * 0.42).round() as u32, palette::INK)
            });
            let turns = (way.length() / 2.0).ceil().max(1.0) * -2.0 * PI;
            let lens = Sway(move |t: &mut Transform, x: f32| {
                t.translation = start.lerp(end, x);
                t.rotation = Quat::from_rotation_z(angle + turns * x);
            });
            let tween =
                Tween::new::<Transform, _>(EaseFunction::Linear, self.seconds(seconds), lens);
            self.commands
                .spawn((spawned, print.sprite(), TweenAnim::new(tween)));
            return seconds;
        }
        let head = self.studio.print(String::from("arrow head"), |px| {
            marks::arrow_head(palette::INK, (px as f32 * 0.2).round() as u32)
        });
        let line = |wide: f32, rgb| Sprite {
            custom_size: Some(Vec2::new(0.46, wide)),
            color: colour(rgb),
            ..default()
        };
        let lens = TransformPositionLens { start, end };
        let tween = Tween::new(EaseFunction::Linear, self.seconds(seconds), lens);
        self.commands.spawn((
            spawned,
            line(0.11, palette::WHITE),
            TweenAnim::new(tween),
            children![
                (
                    line(0.05, palette::INK),
                    Transform::from_xyz(0.0, 0.0, 0.01)
                ),
                (head.sprite(), Transform::from_xyz(0.26, 0.0, 0.02)),
            ],
        ));
        seconds
    }

    /// A spell takes effect: a bolt flies to its target, or light spreads over
    /// its area, from where it begins.
    pub(super) fn cast(
        &mut self,
        session: &Session,
        choice: &Choice,
        spell: SpellId,
        area: &[Cell],
    ) -> f32 {
        let shown = session.shown();
        let kind = session.game.spell(spell);
        let ink = match kind.effect {
            Effect::Damage(_) => palette::VERMILION,
            _ if kind.effect.harms() => palette::PURPLE,
            _ => palette::TEAL,
        };
        let Some(by) = choice.who.map(|id| shown.person(id)) else {
            return 0.0;
        };
        let from = Vec2::from(by.middle());
        let target = choice.at.map(|id| Vec2::from(shown.person(id).middle()));
        let place = choice.to.map(|cell| Vec2::from(middle(cell, 1)));
        // A blast begins where it was aimed at, a cone or a line at the caster.
        let is_blast = matches!(kind.area, Area::Blast(feet) if feet > 0) && kind.range > 0;
        let aim = match area.is_empty() {
            true => target,
            false => place.or(target).filter(|_| is_blast),
        };
        let flies = match aim.filter(|to| to.distance(from) > 0.1) {
            Some(to) => self.bolt(from, to, ink),
            None => 0.0,
        };
        if area.is_empty() {
            // Nobody's target: it is only begun.
            let Some(to) = target.or(place) else {
                return 0.15;
            };
            self.burst(to, ink, flies);
            return flies + BURST * 0.5;
        }
        let origin = aim.unwrap_or(from);
        let mut last: f32 = 0.0;
        for &cell in area {
            let middle = Vec2::from(middle(cell, 1));
            let delay = flies + middle.distance(origin) * SPREADS;
            last = last.max(delay);
            let sprite = Sprite {
                custom_size: Some(Vec2::splat(1.0)),
                color: Color::NONE,
                ..default()
            };
            self.glow(
                sprite,
                at(middle, height::AIM),
                (delay, BURST),
                move |sprite, x| {
                    sprite.color = colour(ink).with_alpha(0.62 * (1.0 - x) * (1.0 - x));
                },
            );
        }
        last + BURST * 0.5
    }

    /// A spark with a tail.
    fn bolt(&mut self, from: Vec2, to: Vec2, ink: palette::Rgb) -> f32 {
        let seconds = flight(from.distance(to)) * 1.2;
        let print = self.studio.print(format!("spark {ink:?}"), |px| {
            marks::spark(ink, (px as f32 * 0.9).round() as u32)
        });
        let way = to - from;
        let angle = (-way.y).atan2(way.x);
        let lens = TransformPositionLens {
            start: at(from, height::MISSILE),
            end: at(to, height::MISSILE),
        };
        let place =
            Transform::from_translation(lens.start).with_rotation(Quat::from_rotation_z(angle));
        let tween = Tween::new(EaseFunction::QuadraticIn, self.seconds(seconds), lens);
        self.commands.spawn((
            Passing(seconds * *self.pace),
            DespawnOnExit(Screen::Battle),
            print.sprite(),
            place,
            TweenAnim::new(tween),
        ));
        seconds
    }

    /// A ring that widens and fades, after some seconds.
    fn burst(&mut self, place: Vec2, ink: palette::Rgb, delay: f32) {
        let print = self.studio.print(format!("burst {ink:?}"), |px| {
            marks::burst(ink, (px as f32 * 1.6).round() as u32)
        });
        let whole = print.size;
        let mut sprite = print.sprite();
        sprite.color = Color::NONE;
        let show = move |sprite: &mut Sprite, x: f32| {
            sprite.custom_size = Some(whole * (0.35 + 0.65 * x.sqrt()));
            sprite.color = Color::WHITE.with_alpha((1.0 - x) * 0.95);
        };
        self.glow(sprite, at(place, height::MISSILE), (delay, BURST), show);
    }

    /// Something that lights up after some seconds and is gone.
    fn glow(
        &mut self,
        sprite: Sprite,
        place: Vec3,
        (delay, seconds): (f32, f32),
        mut show: impl FnMut(&mut Sprite, f32) + Send + Sync + 'static,
    ) {
        let whole = delay + seconds;
        let lens = Glow(move |sprite: &mut Sprite, x: f32| {
            let now = (x * whole - delay) / seconds;
            if now >= 0.0 {
                show(sprite, now.min(1.0));
            }
        });
        let tween = Tween::new::<Sprite, _>(EaseFunction::Linear, self.seconds(whole), lens);
        self.commands.spawn((
            Passing(whole * *self.pace),
            DespawnOnExit(Screen::Battle),
            sprite,
            Transform::from_translation(place),
            TweenAnim::new(tween),
        ));
    }

    /// A door turns on its hinge.
    pub(super) fn swing(&mut self, session: &Session, cell: Cell, open: bool) {
        let board = &session.shown().board;
        let is_free = |x: i16| board.can_stand(Space::one(cell.offset(x, 0)));
        // It hangs between what is no floor.
        let along = if is_free(-1) || is_free(1) {
            PI / 2.0
        } else {
            0.0
        };
        let hinge = Vec2::from(middle(cell, 1)) - 0.5 * Vec2::from_angle(along);
        let plank = |size: Vec2, rgb| {
            let sprite = Sprite {
                custom_size: Some(size),
                color: colour(rgb),
                ..default()
            };
            (sprite, Anchor::CENTER_LEFT)
        };
        let (from, to) = if open {
            (0.0, PI / 2.0)
        } else {
            (PI / 2.0, 0.0)
        };
        let lens = Sway(move |t: &mut Transform, x: f32| {
            let turn = from + (to - from) * x;
            t.rotation = Quat::from_rotation_z(turn - along);
        });
        let tween =
            Tween::new::<Transform, _>(EaseFunction::QuadraticInOut, self.seconds(SWING), lens);
        self.commands.spawn((
            Passing(SWING * *self.pace),
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

    /// Flashes and shakes once.
    pub(super) fn hurt(&mut self, person: &Person, word: &str) {
        self.say(person, word, Tone::Bad);
        let Some(&Piece { figure, flash, .. }) = self.pieces.get(person.id) else {
            return;
        };
        self.sway(figure, HURT, EaseFunction::Linear, |t, x| {
            t.translation = Vec3::X * 0.09 * (4.0 * PI * x).sin() * (1.0 - x);
        });
        let lens = SpriteColorLens {
            start: WHITE.with_alpha(0.9).into(),
            end: WHITE.with_alpha(0.0).into(),
        };
        let tween = Tween::new(EaseFunction::QuadraticOut, self.seconds(HURT), lens);
        self.start(flash, tween);
    }

    /// The fallen lie in their picture: the fall begins as they stood.
    pub(super) fn tip_over(&mut self, person: &Person) {
        let Some(piece) = self.pieces.get(person.id) else {
            return;
        };
        let figure = piece.figure;
        self.sway(figure, FALL, EaseFunction::BounceOut, |t, x| {
            let angle = (1.0 - x) * 94_f32.to_radians();
            (t.translation, t.rotation) = (Vec3::ZERO, Quat::from_rotation_z(angle));
        });
    }

    pub(super) fn say(&mut self, person: &Person, word: &str, tone: Tone) {
        self.say_later(person, word, tone, 0.0);
    }

    fn say_later(&mut self, person: &Person, word: &str, tone: Tone, delay: f32) {
        let ink = match tone {
            Tone::Plain => palette::INK,
            Tone::Good => palette::TEAL,
            Tone::Bad => palette::DANGER,
        };
        let (delay, pace) = (delay * *self.pace, *self.pace);
        labels::pop_word(&mut self.commands, above(person), (word, ink), delay, pace);
    }
}

/// Seconds that a missile takes for a number of cells.
fn flight(cells: f32) -> f32 {
    (cells * FLIGHT.0).clamp(FLIGHT.1, FLIGHT.2)
}

/// Above somebody's token.
fn above(person: &Person) -> Vec2 {
    let (x, y) = person.middle();
    Vec2::new(x, y - 0.5 * f32::from(person.size.max(1)))
}

/// Any function of a transform and of time as a lens.
pub(super) struct Sway<F>(pub F);

impl<F: FnMut(&mut Transform, f32)> Lens<Transform> for Sway<F> {
    fn lerp(&mut self, mut target: Mut<Transform>, ratio: f32) {
        (self.0)(&mut target, ratio);
    }
}

/// Any function of a sprite and of time as a lens.
struct Glow<F>(F);

impl<F: FnMut(&mut Sprite, f32)> Lens<Sprite> for Glow<F> {
    fn lerp(&mut self, mut target: Mut<Sprite>, ratio: f32) {
        (self.0)(&mut target, ratio);
    }
}

pub(super) type PassingOrPop = Or<(With<Passing>, With<labels::Pop>)>;

/// Is gone after that many seconds.
#[derive(Component)]
pub(super) struct Passing(pub f32);

pub(super) fn fade(
    mut commands: Commands,
    mut passing: Query<(Entity, &mut Passing)>,
    time: Res<Time>,
) {
    for (entity, mut left) in &mut passing {
        left.0 -= time.delta_secs();
        if left.0 <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}
