//! Animations of spells: the caster's gesture, then a burst at the target or a flare over the area.
//! And of other actions that are no attack: a speech mark with the action's icon.

use super::{
    height,
    sprites::at,
    unit_animator::{DespawnAfter, UnitAnimator, flight_seconds},
};
use crate::{
    battle::{Choice, Id},
    content::{Burst, SpellArea},
    grid::Cell,
    ui::{
        Screen, Session,
        art::{bursts, icons::Icon, marks, palette},
        shown::{UnitView, middle},
        theme::colour,
    },
};
use bevy::prelude::*;
use bevy_tweening::{Tween, TweenAnim, lens::TransformPositionLens};

/// Seconds of a burst, and the delay of a flare for each cell from its origin.
const BURST: f32 = 0.55;
const SPREADS: f32 = 0.04;
/// Seconds of the caster's gesture.
pub(super) const GESTURE: f32 = 0.3;

/// Seconds for which the icon of an action stays, and its size in cells.
const ACTION_SEEN: f32 = 0.9;
const ACTION: f32 = 0.62;

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

    /// Shows a unit beginning to cast.
    pub(super) fn gesture(&mut self, by: &UnitView, burst: Burst) {
        let image = self.motif(burst, 0.6);
        let (x, y) = by.middle();
        let place = at(Vec2::new(x + 0.3, y - 0.35), height::MISSILE);
        let strength = self.brightness();
        self.flare(&image, place, (0.0, GESTURE), (strength, 0.0));
    }

    /// Animates a spell taking effect: a bolt that bursts at its target, or a flare over its area.
    /// Returns the seconds until the effect is felt.
    pub(super) fn cast(&mut self, session: &Session, choice: &Choice) -> f32 {
        let (Some(who), Some(spell)) = (choice.who, choice.spell) else {
            return 0.0;
        };
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
        let flies = match aim.filter(|to| to.distance(from) > 0.1) {
            Some(to) => self.bolt(from, to, bursts::ink(spell.burst)),
            None => 0.0,
        };
        let origin = aim.unwrap_or(from);
        if area.is_empty() {
            self.burst(origin, spell.burst, (1.5, flies));
            return flies + BURST * 0.25;
        }
        if let SpellArea::Blast(feet) = spell.area {
            let wide = (feet as f32 / 5.0 * 2.0 * 0.9).max(1.5);
            self.burst(origin, spell.burst, (wide, flies));
        }
        let spreads = self.flood(&area, origin, spell.burst, flies);
        flies + spreads + BURST * 0.25
    }

    /// Shows bursts at the affected units if the casting was not seen.
    pub(super) fn caught(&mut self, session: &Session, burst: Burst, who: &[Id]) {
        for &id in who {
            let place = Vec2::from(session.shown().unit(id).middle());
            self.burst(place, burst, (1.3, 0.0));
        }
    }

    /// Flares an area cell by cell; returns the seconds until it has spread.
    fn flood(&mut self, area: &[Cell], origin: Vec2, burst: Burst, after: f32) -> f32 {
        let ink = bursts::ink(burst);
        let strength = self.brightness();
        let spread = |cell: &Cell| Vec2::from(middle(*cell, 1)).distance(origin) * SPREADS;
        let last = area.iter().map(spread).fold(0.0, f32::max);
        let cells: Vec<(i32, i32)> = area.iter().map(|c| (c.x.into(), c.y.into())).collect();
        // The outline shows the area even when flashes are off.
        if let Some(cell_px) = self.sprites.cell_px()
            && let Some(outline) = marks::area(&cells, ink, cell_px)
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
        for (n, cell) in area.iter().enumerate() {
            let middle = Vec2::from(middle(*cell, 1));
            let timing = (after + spread(cell), BURST);
            let sprite = Sprite::from_color(Color::WHITE, Vec2::ONE);
            let place = (at(middle, height::AIM), Quat::IDENTITY);
            self.glow(sprite, place, timing, move |sprite, x| {
                sprite.color = colour(ink).with_alpha(0.45 * strength * (1.0 - x));
            });
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

    /// Flies a spark with a tail; returns its flight time in seconds.
    fn bolt(&mut self, from: Vec2, to: Vec2, ink: palette::Rgb) -> f32 {
        let seconds = flight_seconds(from.distance(to)) * 1.2;
        let image = self.get_or_draw(format!("spark {ink:?}"), 0.9, |px| marks::spark(ink, px));
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
        let gentle = matches!(burst, Burst::Healing | Burst::Ward | Burst::Haste);
        let strength = match gentle {
            true => self.brightness().max(0.6),
            false => self.brightness(),
        };
        let place = at(place, height::MISSILE);
        self.flare(&image, place, (after, BURST), (strength, 0.0));
    }
}
