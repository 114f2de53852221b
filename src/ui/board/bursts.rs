//! Animations of spells: the caster's gesture, then a burst at the target or over the area, which
//! leaves stains and pushes the units that it catches.
//! And of other actions that are no attack: a speech mark with the action's icon.

use super::{
    height,
    sprites::at,
    unit_animator::{DespawnAfter, UnitAnimator, flight_seconds},
};
use crate::{
    battle::{Choice, Id},
    content::{Burst, Spell, SpellArea},
    grid::Cell,
    ui::{
        Screen, Session,
        art::{bursts, icons::Icon, marks, palette},
        shown::{UnitView, middle},
    },
};
use bevy::{prelude::*, sprite::Anchor};
use bevy_tweening::{Tween, TweenAnim, lens::TransformPositionLens};
use std::f32::consts::TAU;

/// Seconds of a burst, and the delay of a flare for each cell from its origin.
const BURST: f32 = 0.55;
const SPREADS: f32 = 0.04;
/// Seconds of the caster's gesture.
pub(super) const GESTURE: f32 = 0.3;
/// Width of the rays that close in on the caster, in cells for each cell of its size, and the share
/// by which its token shrinks and then grows.
const GATHERS: f32 = 2.2;
const CROUCHES: f32 = 0.12;
/// Width of the spark that flies to one target, and to the middle of an area, in cells.
const SPARK: (f32, f32) = (0.9, 1.4);
/// Seconds in which the stroke of a spell fades after it has reached its target.
const STROKE: f32 = 0.35;
/// How much wider than a burst its ring of rays is.
const RAYS: f32 = 1.35;
/// Width of the stain on each cell of an area, in cells, the seconds until it has faded, and its
/// opacity at first.
const STAIN: f32 = 1.1;
const STAIN_SEEN: f32 = 1.0;
const STAINS: f32 = 0.6;
/// Seconds from the push of a spell's area to the first save.
const CAUGHT: f32 = 0.2;
/// How far an area spell shakes the board, in cells, and for how many seconds.
const SHAKES: (f32, f32) = (0.07, 0.3);

/// Seconds for which the icon of an action stays, and its size in cells.
const ACTION_SEEN: f32 = 0.9;
const ACTION: f32 = 0.62;

/// A spell that has taken effect.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CastSpell {
    pub by: Id,
    /// Where its effect comes from, in cells: the middle of a blast, otherwise its caster.
    pub origin: Vec2,
}

/// The icon of an action in a speech mark beside its unit.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct ActionMark(pub Icon);

impl UnitAnimator<'_, '_> {
    /// Shows the icon of a unit's action in a speech mark, at its upper right.
    pub(super) fn mark_action(&mut self, by: &UnitView, icon: Icon) {
        let image = self.get_or_draw(format!("action {icon:?}"), ACTION, |px| {
            bursts::action_mark(icon, px)
        });
        let size = f32::from(by.size.max(1));
        let place = Vec2::from(by.middle()) + Vec2::new(0.42, -0.32) * size;
        let place = (at(place, height::MISSILE), Quat::IDENTITY);
        // No flash, so it also shows while flashes are off.
        let mark = self.glow(image.sprite(), place, (0.0, ACTION_SEEN), |sprite, x| {
            sprite.color = Color::WHITE.with_alpha(((1.0 - x) / 0.3).min(1.0));
        });
        self.commands.entity(mark).insert(ActionMark(icon));
    }

    /// Shows a unit gathering itself for a spell: rays close in on it, and it crouches and rises.
    pub(super) fn gesture(&mut self, by: &UnitView, burst: Burst) {
        let image = self.motif(burst, 0.6);
        let (x, y) = by.middle();
        let place = at(Vec2::new(x + 0.3, y - 0.35), height::MISSILE);
        let strength = self.brightness();
        self.flare(&image, place, (0.0, GESTURE), (strength, 0.0));
        let is_moving = self.animate_figure(by, GESTURE, |x| {
            Transform::from_scale(Vec3::splat(1.0 - CROUCHES * (TAU * x).sin()))
        });
        if !is_moving {
            return;
        }
        let rays = self.rays(bursts::ink(burst), GATHERS * f32::from(by.size.max(1)));
        let whole = rays.size;
        let place = (at(Vec2::new(x, y), height::AIM), Quat::IDENTITY);
        self.glow(rays.sprite(), place, (0.0, GESTURE), move |sprite, x| {
            sprite.custom_size = Some(whole * (1.0 - 0.7 * x));
            sprite.color = Color::WHITE.with_alpha(strength);
        });
    }

    /// Animates a spell taking effect: a bolt that bursts at its target, or a burst over its area.
    /// Returns the spell and the seconds until the effect is felt.
    pub(super) fn cast(&mut self, session: &Session, choice: &Choice) -> Option<(CastSpell, f32)> {
        let (who, spell) = choice.who.zip(choice.spell)?;
        let spell = session.game.spell(spell);
        let shown = session.shown();
        let from = Vec2::from(shown.unit(who).middle());
        let target = choice.at.map(|id| Vec2::from(shown.unit(id).middle()));
        let place = choice.to.map(|cell| Vec2::from(middle(cell, 1)));
        let area = match spell.area {
            SpellArea::One => vec![],
            _ => session.queries.area(choice),
        };
        // A blast spreads from where it was aimed, a cone or a line from the caster.
        let is_blast = matches!(spell.area, SpellArea::Blast(feet) if feet > 0) && spell.range > 0;
        let aim = match area.is_empty() {
            true => target.or(place),
            false => place.or(target).filter(|_| is_blast),
        };
        let spark = if area.is_empty() { SPARK.0 } else { SPARK.1 };
        let flies = match aim.filter(|to| to.distance(from) > 0.1) {
            Some(to) => self.bolt((from, to), spell.burst, spark),
            None => 0.0,
        };
        let place = aim.unwrap_or(from);
        if area.is_empty() {
            self.burst(place, spell.burst, (1.5, flies));
            let cast = CastSpell {
                by: who,
                origin: from,
            };
            return Some((cast, flies + BURST * 0.25));
        }
        if let SpellArea::Blast(feet) = spell.area {
            let wide = (feet as f32 / 5.0 * 2.0 * 0.9).max(1.5);
            self.burst(place, spell.burst, (wide, flies));
        }
        let spreads = self.flood(&area, place, spell.burst, flies);
        let cast = CastSpell {
            by: who,
            origin: place,
        };
        Some((cast, flies + spreads + BURST * 0.25))
    }

    /// Shows bursts at the affected units, for a casting that was not seen.
    pub(super) fn caught_unseen(&mut self, session: &Session, burst: Burst, who: &[Id]) {
        for &id in who {
            let place = Vec2::from(session.shown().unit(id).middle());
            self.burst(place, burst, (1.3, 0.0));
        }
    }

    /// Pushes the units in the area of a harmful spell away from its `origin` for a moment, and
    /// shakes the board. Returns the seconds until the next event.
    pub(super) fn caught(
        &mut self,
        session: &Session,
        (spell, origin): (&Spell, Vec2),
        who: &[Id],
    ) -> f32 {
        if !spell.effect.harms() || self.is_calm() {
            return 0.0;
        }
        let units = who.iter().map(|&id| session.shown().unit(id));
        for unit in units.filter(|unit| unit.is_up()) {
            let away = at(Vec2::from(unit.middle()) - origin, 0.0);
            self.push(unit, away.normalize_or_zero(), 0.0);
        }
        let wide = SHAKES.0 * self.settings.shake.share();
        self.shake.start(wide, SHAKES.1 * *self.duration_scale);
        CAUGHT
    }

    /// Flares an area cell by cell; returns the seconds until it has spread.
    fn flood(&mut self, area: &[Cell], origin: Vec2, burst: Burst, after: f32) -> f32 {
        let ink = bursts::ink(burst);
        let strength = self.brightness();
        let spread = |cell: &Cell| Vec2::from(middle(*cell, 1)).distance(origin) * SPREADS;
        let last = area.iter().map(spread).fold(0.0, f32::max);
        // The outline shows the area even when flashes are off.
        if let Some(cell_px) = self.sprites.cell_px()
            && let Some(outline) = marks::area(area, ink, cell_px)
        {
            let (sprite, place) = self.sprites.placed(outline, height::AIM);
            let timing = (after, last + BURST * 1.3);
            let place = (place.translation, Quat::IDENTITY);
            self.glow(sprite, place, timing, |sprite, x| {
                let strength = ((1.0 - x) / 0.35).min(1.0);
                sprite.color = Color::WHITE.with_alpha(strength);
            });
        }
        let image = self.motif(burst, 0.82);
        let stain = self.get_or_draw(format!("stain {burst:?}"), STAIN, |px| {
            bursts::splash(ink.mix(palette::INK, 0.3), px)
        });
        for (n, cell) in area.iter().enumerate() {
            let middle = Vec2::from(middle(*cell, 1));
            let timing = (after + spread(cell), BURST);
            if !bursts::is_gentle(burst) {
                let outwards = middle - origin;
                let turn = Quat::from_rotation_z((-outwards.y).atan2(outwards.x));
                let place = (at(middle, height::FALLEN - 0.1), turn);
                let seen = (timing.0, STAIN_SEEN);
                self.glow(stain.sprite(), place, seen, move |sprite, x| {
                    sprite.color = Color::WHITE.with_alpha(STAINS * strength * (1.0 - x));
                });
            }
            // A cone or a line has no single centre, so each of its cells bursts.
            if middle.distance(origin) > 0.1 {
                let angle = (n * 5 % 7) as f32 * 0.35 - 1.0;
                let place = at(middle, height::TARGET);
                self.flare(&image, place, timing, (strength * 0.9, angle));
            }
        }
        last
    }

    fn motif(&mut self, burst: Burst, cells: f32) -> super::sprites::SizedImage {
        self.get_or_draw(format!("burst {burst:?} {cells}"), cells, |px| {
            bursts::burst(burst, px)
        })
    }

    /// A ring with rays, `cells` wide.
    fn rays(&mut self, ink: palette::Rgb, cells: f32) -> super::sprites::SizedImage {
        self.get_or_draw(format!("rays {ink:?} {cells}"), cells, |px| {
            marks::burst(ink, px)
        })
    }

    /// Flies a spark, `wide` cells across, that draws the stroke of its spell behind it; returns its
    /// flight time in seconds.
    fn bolt(&mut self, (from, to): (Vec2, Vec2), burst: Burst, wide: f32) -> f32 {
        let seconds = flight_seconds(from.distance(to)) * 1.2;
        let ink = bursts::ink(burst);
        let image = self.get_or_draw(format!("spark {ink:?} {wide}"), wide, |px| {
            marks::spark(ink, px)
        });
        let way = to - from;
        let angle = (-way.y).atan2(way.x);
        let lens = TransformPositionLens {
            start: at(from, height::MISSILE),
            end: at(to, height::MISSILE),
        };
        let place =
            Transform::from_translation(lens.start).with_rotation(Quat::from_rotation_z(angle));
        // Between the edges of both; in steps, so that few pictures are drawn.
        let long = ((way.length() - 0.7) * 4.0).round() / 4.0;
        if long > 0.0 {
            let name = format!("stroke {burst:?} {long}");
            let stroke = self
                .sprites
                .get_or_draw(name, |px| bursts::stroke(burst, long, px));
            let (whole, is_calm) = (stroke.size, self.is_calm());
            let px = self.sprites.cell_px().unwrap_or(1) as f32;
            let start = at(from + way.normalize() * 0.35, height::AIM);
            let place = (start, Quat::from_rotation_z(angle));
            let stays = seconds + STROKE;
            let drawn = self.glow(stroke.sprite(), place, (0.0, stays), move |sprite, x| {
                let flown = (x * stays / seconds).min(1.0);
                // The spark is as far on its way.
                let share = if is_calm { 1.0 } else { flown * flown };
                let seen = Vec2::new(whole.x * share, whole.y);
                sprite.custom_size = Some(seen);
                sprite.rect = Some(Rect::from_corners(Vec2::ZERO, seen * px));
                let left = ((1.0 - x) * stays / STROKE).min(1.0);
                sprite.color = Color::WHITE.with_alpha(left);
            });
            self.commands.entity(drawn).insert(Anchor::CENTER_LEFT);
        }
        let tween = Tween::new(EaseFunction::QuadraticIn, self.seconds(seconds), lens);
        self.commands.spawn((
            DespawnAfter(seconds * *self.duration_scale),
            DespawnOnExit(Screen::Battle),
            image.sprite(),
            place,
            TweenAnim::new(tween),
        ));
        seconds
    }

    /// Spawns a burst `wide` cells across, after `after` seconds.
    fn burst(&mut self, place: Vec2, burst: Burst, (wide, after): (f32, f32)) {
        let image = self.motif(burst, wide);
        // Healing, protection and haste are not flashes: they stay visible with flashes off.
        let is_gentle = bursts::is_gentle(burst);
        let strength = match is_gentle {
            true => self.brightness().max(0.6),
            false => self.brightness(),
        };
        let timing = (after, BURST);
        if !is_gentle {
            let ink = bursts::ink(burst).mix(palette::INK, 0.5);
            let rays = self.rays(ink, wide * RAYS);
            self.flare(&rays, at(place, height::TARGET), timing, (strength, 0.0));
        }
        let place = at(place, height::MISSILE);
        self.flare(&image, place, timing, (strength, 0.0));
    }
}
