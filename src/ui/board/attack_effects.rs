//! Animations of attacks: the swing, missiles that fly and stick, damage, falls and broken morale.
//! [`Contact`] decides how the bodies of attacker and target move.

use super::{
    ground, height,
    mark_painter::rect_of,
    pieces::{EDGE, Piece},
    playback::OTHERS,
    sprites::{SizedImage, SpriteCache, at},
    unit_animator::{DespawnAfter, Tone, UnitAnimator, flight_seconds},
};
use crate::ui::{
    Screen,
    art::{
        bursts,
        icons::{self, Icon},
        marks::{self, Ring},
        palette::{self, Rgb},
        smooth_step,
    },
    shown::UnitView,
    theme::colour,
};
use bevy::prelude::*;
use std::f32::consts::PI;
use tiny_skia::Pixmap;

/// Seconds in which the attacker draws back.
pub const DRAW: f32 = 0.2;
/// Seconds in which the attacker lunges.
pub const STRIKE: f32 = 0.1;
/// Seconds for which attacker and target stand still after a hit: long enough for a few frames also
/// while other sides act.
pub const STOP: f32 = 0.08;
/// Like [`STOP`], after a hit that fells its target, and after a final one: see [`Force`].
const FELLING_STOP: f32 = 0.16;
const FINAL_STOP: f32 = 0.24;
/// How far a target that falls trembles during the stop, in cells.
const TREMBLES: f32 = 0.06;
/// Seconds in which the attacker returns to rest.
pub const BACK: f32 = 0.18;
/// Seconds in which a missed target steps aside, stays there and steps back.
const DODGES: (f32, f32, f32) = (0.1, 0.22, 0.24);
/// How far a missed target steps aside and back from its attacker, in cells.
const ASIDE: (f32, f32) = (0.36, 0.14);
/// Seconds for which the picture of a miss is visible, and until the next event after it: a miss takes
/// about 60% of the time of a hit.
const LINGERS: f32 = 0.42;
const PASSES: f32 = 0.1;
/// How far the attacker draws back, in cells.
const DRAWN: f32 = 0.26;
/// How far the attacker's token moves over the edge of its target on a hit, in cells.
const OVERLAP: f32 = 0.4;
/// Least and greatest distance of a lunge, in cells.
const REACH: (f32, f32) = (0.35, 0.95);
/// How far a blocked attack or the blast of a spell pushes its target back, in cells.
const PUSHED: f32 = 0.2;
/// How far a token leans at the end of a lunge or a step aside, in radians: usually, and an attacker
/// whose attack misses.
const LEANS: (f32, f32) = (0.2, 0.42);
/// How much larger the attacker's token grows at the end of its lunge, as a share.
const SWELLS: f32 = 0.12;
/// How far the attacker's token is lifted over all other standing tokens.
const LIFTED: f32 = 5.0;
/// Seconds in which an attacker that drew back returns to rest if no lunge follows.
pub(super) const HOLDS: f32 = 0.25;
/// Seconds in which damage is shown: the stop, then the target is knocked back.
pub const HURT: f32 = 0.3;
/// How far a hit knocks its target back, in cells: always, and in addition if it takes all hit
/// points.
const KNOCKED: (f32, f32) = (0.24, 0.26);
/// How far damage from no direction shakes its target from side to side, as a share of
/// [`KNOCKED`].
const SHUDDERS: f32 = 0.5;
/// Seconds of a fall: the token is thrown over, lands and comes to rest.
pub(super) const FALL: f32 = 0.36;
/// How much slower a unit falls after a final hit, as a factor.
const SLOW: f32 = 1.8;
/// How far a falling token is thrown up and away from its attacker, in cells, and how flat it is as it
/// lands, as a share of its height.
const THROWN: (f32, f32) = (0.3, 0.22);
const FLATTENED: f32 = 0.35;
/// Size of the ink splashes of a final hit and of the fall after it, as for a share of the hit
/// points lost.
const FINAL_INK: (f32, f32) = (1.0, 1.8);
/// The word at the target of a miss. It says what happened to that unit.
pub(super) const MISSED: &str = "missed";
/// Seconds for which the star of a great hit is visible in addition.
const SHINES: f32 = 0.3;
/// Seconds for which a missile stays in its target, and in the ground behind or beside it.
const STICKS: f32 = 0.75;
const LIES: f32 = 1.3;
/// Seconds in which a blocked missile bounces off, and how far aside, in cells.
const BOUNCES: (f32, f32) = (0.3, 0.85);
/// Seconds of stillness after the fall of a key unit or of one of the player's units.
const HUSH: f32 = 0.85;
/// Seconds of stillness after any other fall.
pub(super) const BEAT: f32 = 0.3;
/// Seconds of stillness after the fall of an executed unit.
pub(super) const FINAL_BEAT: f32 = 0.4;
/// Seconds in which a banner breaks when morale fails.
pub(super) const BREAKS: f32 = 0.8;
/// Seconds in which a banner is planted when morale holds.
const PLANTS: f32 = 0.14;
/// The word at a unit whose morale breaks.
pub(super) const BROKEN: &str = "breaks!";
/// Seconds in which a unit swells or staggers after a check.
const STAGGERS: f32 = 0.5;
/// How much further than after another failed check a unit staggers whose morale breaks.
const REELS: f32 = 1.7;
/// When a falling token lands, as a share of its fall, and how it shakes the board: how far for each
/// cell of its size, in cells, and for how many seconds.
const LANDS: f32 = 0.45;
const THUD: (f32, f32) = (0.09, 0.25);
/// Seconds for which ink splashes stay visible.
const INK_SEEN: f32 = 0.9;
/// Share of the target's hit points from which damage counts as heavy, from 0 to 1.
pub const HEAVY: f32 = 0.4;

/// How an attack meets its target, as it looks on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contact {
    Hit,
    /// The attack misses because a weapon, a shield or armour is in its way.
    Blocked,
    /// The attack passes its target.
    Missed,
}

/// How hard an attack or other damage is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Force {
    Usual,
    /// It fells its target.
    Fells,
    /// An execution, a critical hit, a natural 20 that always hits, or a hit that fells a key unit or
    /// ends the battle. A natural 1 that always misses rests as long.
    Final,
}

impl Force {
    pub(super) fn of(is_final: bool, falls: bool) -> Self {
        match (is_final, falls) {
            (true, _) => Self::Final,
            (false, true) => Self::Fells,
            (false, false) => Self::Usual,
        }
    }
}

/// How the attacker moves once its lunge ends.
struct Lunge {
    /// Seconds for which it stays out, and in which it returns.
    stop: f32,
    back: f32,
    /// How much further it goes than a lunge that hits, how far aside, and how far it bounces off,
    /// in cells.
    further: f32,
    aside: f32,
    recoil: f32,
    /// How far it leans, in radians.
    leans: f32,
}

impl Contact {
    /// `hit_stop` is how long a hit stays out, in seconds.
    fn lunge(self, hit_stop: f32) -> Lunge {
        let hit = Lunge {
            stop: hit_stop,
            back: BACK,
            further: 0.0,
            aside: 0.0,
            recoil: 0.0,
            leans: LEANS.0,
        };
        match self {
            Self::Hit => hit,
            Self::Blocked => Lunge {
                stop: 0.06,
                back: 0.36,
                further: -0.2,
                recoil: 0.6,
                ..hit
            },
            Self::Missed => Lunge {
                stop: 0.16,
                back: 0.3,
                further: 0.3,
                aside: -0.3,
                leans: LEANS.1,
                ..hit
            },
        }
    }
}

/// Marks the banner over a unit whose morale holds.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct PlantedBanner;

/// Marks an ink splash from an attack.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct InkSplash;

/// The effect of one attack on its target.
pub(super) struct Suffered {
    /// Where the attack came from, in cells; `None` if it has no origin.
    pub from: Option<Vec2>,
    /// Share of the target's hit points that it lost, from 0 to 1.
    pub share: f32,
    /// Whether the target lost hit points; otherwise the damage only tires it.
    pub bleeds: bool,
    pub force: Force,
    /// Whether its points are written larger: a final hit, an execution, or one that fells the
    /// target.
    pub is_decisive: bool,
}

impl UnitAnimator<'_, '_> {
    /// Seconds for which attacker and target stand still after a hit.
    fn stop(&self, force: Force) -> f32 {
        match force {
            _ if self.is_calm() => STOP,
            Force::Usual => STOP,
            Force::Fells => FELLING_STOP,
            Force::Final => FINAL_STOP,
        }
    }

    /// Seconds in which damage is shown. A target that `falls` does not come to rest before.
    pub(super) fn hurt_seconds(&self, force: Force, falls: bool) -> f32 {
        let knocked = if falls { 0.0 } else { HURT - STOP };
        knocked + self.stop(force)
    }

    /// Animates an attack: the target of a miss steps aside and a missile flies past; a blocked attack
    /// clashes and bounces off. A hit has a star, with another shape if it `is_great`: a natural 20 or a
    /// critical hit. Returns the seconds until the hit, or until the next event after a miss.
    pub(super) fn attack(
        &mut self,
        by: &UnitView,
        at_whom: &UnitView,
        flies: Option<&str>,
        (contact, force, is_great): (Contact, Force, bool),
    ) -> f32 {
        let (from, to) = (Vec2::from(by.middle()), Vec2::from(at_whom.middle()));
        let way = at(to - from, 0.0);
        let ahead = way.normalize_or_zero();
        let aside = Vec3::new(-ahead.y, ahead.x, 0.0);
        let arrives = match flies {
            Some(_) => flight_seconds(way.length()),
            None => STRIKE,
        };
        // Damage says more about a hit.
        if contact != Contact::Hit {
            self.show_text_after(at_whom, MISSED, Tone::Missed, arrives);
        }
        let angle = ahead.y.atan2(ahead.x);
        let half = |unit: &UnitView| EDGE * f32::from(unit.size.max(1));
        // The target's edge towards the attacker.
        let edge = to - Vec2::new(ahead.x, -ahead.y) * half(at_whom);
        match contact {
            Contact::Hit => {
                // Where the attacker's edge comes to a stop.
                let place = edge + Vec2::new(ahead.x, -ahead.y) * OVERLAP;
                self.strike_light(place, (arrives, angle), (force, is_great));
            }
            Contact::Blocked => {
                let image = self.get_or_draw("clash", 1.3, bursts::clash);
                let timing = (arrives, LINGERS / self.usual());
                self.flare(&image, at(edge, height::MISSILE), timing, (1.0, angle));
                self.push(at_whom, ahead, arrives);
            }
            Contact::Missed => {
                if flies.is_none() {
                    let image = self.get_or_draw("whiff", 1.7, bursts::whiff);
                    let timing = (STRIKE * 0.4, LINGERS / self.usual());
                    let place = at(edge, height::MISSILE) + ahead * 0.4 - aside * 0.1;
                    self.flare(&image, place, timing, (1.0, angle));
                }
                self.dodge(at_whom, (ahead, aside), arrives);
            }
        }
        let lingers = match contact {
            Contact::Hit => 0.0,
            _ => PASSES + self.stop(force) - STOP,
        };
        let seconds = arrives + lingers;
        if let Some(missile) = flies {
            self.fly((from, edge, to), missile, (contact, at_whom));
            return seconds;
        }
        // The attacker already drew back while the die was rolled.
        let lunge = contact.lunge(self.stop(force));
        // A hit reaches the target's edge; a miss goes past it.
        let gap = way.length() - half(by) - half(at_whom);
        let reach = (gap + OVERLAP).clamp(REACH.0, REACH.1) + lunge.further;
        let whole = STRIKE + lunge.stop + lunge.back;
        self.animate_figure(by, whole, move |x| {
            let t = DRAW + x * whole;
            let out = swing(t, (DRAWN, reach), (lunge.stop, lunge.back));
            let off = out.max(0.0) / reach;
            let returned = (t - DRAW - STRIKE - lunge.stop).max(0.0) / lunge.back;
            let bounced = lunge.recoil * (PI * returned.sqrt()).sin();
            let place = ahead * (out - bounced) + aside * lunge.aside * off + Vec3::Z * LIFTED;
            let leans = lunge.leans * (off - bounced) * ahead.x;
            Transform::from_translation(place)
                .with_rotation(Quat::from_rotation_z(-leans))
                .with_scale(Vec3::splat(1.0 + SWELLS * off))
        });
        seconds
    }

    /// Factor on durations for the acting side. Divided by it, a duration is as long in other sides'
    /// turns as in the player's.
    fn usual(&self) -> f32 {
        match *self.is_other_side_acting {
            true => OTHERS,
            false => 1.0,
        }
    }

    /// Draws the attacker back for `seconds`, while its die is rolled, so that motion follows the
    /// click at once.
    pub(super) fn draw_back(&mut self, by: &UnitView, at_whom: &UnitView, seconds: f32) {
        let way = Vec2::from(at_whom.middle()) - Vec2::from(by.middle());
        let ahead = at(way, 0.0).normalize_or_zero();
        // Lasts a little longer than the roll: the lunge takes over.
        let whole = seconds + HOLDS;
        self.animate_figure(by, whole, move |x| {
            let t = x * whole;
            let rests = ((whole - t) / HOLDS).min(1.0);
            let out = swing(t.min(DRAW), (DRAWN, 0.0), (0.0, BACK)) * rests;
            let leans = LEANS.0 * ahead.x * out / DRAWN;
            Transform::from_translation(ahead * out).with_rotation(Quat::from_rotation_z(-leans))
        });
    }

    /// Moves a target out of the way of an attack that arrives after `arrives` seconds, and back.
    fn dodge(&mut self, who: &UnitView, (ahead, aside): (Vec3, Vec3), arrives: f32) {
        if !who.is_up() {
            return;
        }
        let (steps, stays, returns) = DODGES;
        let begins = (arrives - steps).max(0.0);
        let way = aside * ASIDE.0 + ahead * ASIDE.1;
        let whole = begins + steps + stays + returns;
        self.animate_figure(who, whole, move |x| {
            let t = x * whole - begins;
            let out = smooth_step(t / steps) * (1.0 - smooth_step((t - steps - stays) / returns));
            let leans = LEANS.0 * out * (ahead + aside).x;
            Transform::from_translation(way * out).with_rotation(Quat::from_rotation_z(-leans))
        });
    }

    /// Pushes a unit back for a moment: the target of a blocked attack that arrives after `arrives`
    /// seconds, or a unit in the area of a spell.
    pub(super) fn push(&mut self, who: &UnitView, ahead: Vec3, arrives: f32) {
        let whole = arrives + HURT;
        self.animate_figure(who, whole, move |x| {
            let out = knocked(x * whole - arrives, STOP);
            Transform::from_translation(ahead * PUSHED * out)
                .with_rotation(Quat::from_rotation_z(-LEANS.0 * out * ahead.x))
        });
    }

    /// The star at the point where a hit lands.
    fn strike_light(
        &mut self,
        place: Vec2,
        (after, angle): (f32, f32),
        (force, is_great): (Force, bool),
    ) {
        let (draw, wide, fades): (fn(u32) -> Pixmap, f32, f32) = match force {
            _ if is_great => (bursts::great_impact, 2.3, BACK + SHINES),
            Force::Usual => (bursts::impact, 1.25, BACK),
            // Gone before it would hide the fall.
            Force::Fells | Force::Final => (bursts::impact, 1.8, 0.05),
        };
        let image = self.get_or_draw(format!("impact {wide}"), wide, draw);
        let strength = self.brightness();
        let place = at(place, height::MISSILE);
        let timing = (after, self.stop(force) + fades);
        self.flare(&image, place, timing, (strength, angle));
    }

    /// Flies a missile to its target, where it sticks for a moment, or past the target into the
    /// ground; one that is blocked bounces off the target's edge. An arrow flies straight; a thrown
    /// weapon turns over.
    fn fly(
        &mut self,
        (from, edge, to): (Vec2, Vec2, Vec2),
        missile: &str,
        (contact, target): (Contact, &UnitView),
    ) {
        let way = to - from;
        let seconds = flight_seconds(way.length());
        let ahead = way.normalize_or_zero();
        // The target of a miss steps to the other side.
        let aside = Vec2::new(-ahead.y, ahead.x);
        let start = from + ahead * 0.4;
        // A miss flies on past the target at its old speed.
        let beyond = 1.1;
        let (end, flies, lies) = match contact {
            Contact::Hit => (to - ahead * 0.25, seconds, 0.0),
            Contact::Blocked => (edge, seconds, LIES),
            Contact::Missed => {
                let longer = 1.0 + beyond / way.length().max(1.0);
                let end = to + aside * 0.3 + ahead * beyond;
                (end, seconds * longer, LIES)
            }
        };
        let angle = (-way.y).atan2(way.x);
        let turns = match ground::item_icon(missile) {
            Icon::Shoot => 0.0,
            _ => (way.length() / 2.0).ceil().max(1.0) * -2.0 * PI,
        };
        let bounce = match contact {
            Contact::Blocked => at(aside * BOUNCES.1 - ahead * 0.2, 0.0),
            _ => Vec3::ZERO,
        };
        let (start, end) = (at(start, height::MISSILE), at(end, height::MISSILE));
        let trembles = if self.is_calm() { 0.0 } else { 0.16 };
        let tremble = move |t: f32| trembles * (t * 70.0).sin() * (-t * 11.0).exp();
        let whole = flies + lies;
        let path = move |x: f32| {
            let flown = (x * whole / flies).min(1.0);
            let lain = (x * whole - flies).max(0.0);
            let turned = angle + turns * flown;
            let place = start.lerp(end, flown);
            if lain == 0.0 {
                return Transform::from_translation(place)
                    .with_rotation(Quat::from_rotation_z(turned));
            }
            let size = ((lies - lain) / 0.12).clamp(0.0, 1.0);
            let bounced = (lain / BOUNCES.0).min(1.0);
            let (hop, turned) = match contact {
                Contact::Blocked => ((PI * bounced).sin() * 0.4, turned - 7.0 * bounced),
                _ => (0.0, turned + tremble(lain)),
            };
            Transform::from_translation(place + bounce * bounced + Vec3::Y * hop)
                .with_rotation(Quat::from_rotation_z(turned))
                .with_scale(Vec3::splat(size))
        };
        let flying = self.missile(missile, path(0.0));
        self.send(flying, whole, path);
        let hit = Some(target).filter(|_| contact == Contact::Hit);
        let Some(piece) = hit.and_then(|unit| self.pieces.get(unit.id)) else {
            return;
        };
        // A child of the figure, so that it moves with the unit.
        let figure = piece.figure;
        let hung = end - at(to, 0.0);
        let stuck = self.missile(missile, Transform::from_scale(Vec3::ZERO));
        self.commands.entity(stuck).insert(ChildOf(figure));
        let whole = seconds + STICKS;
        self.send(stuck, whole, move |x| {
            let t = x * whole - seconds;
            if t < 0.0 {
                return Transform::from_scale(Vec3::ZERO);
            }
            let size = ((STICKS - t) / 0.12).clamp(0.0, 1.0);
            Transform::from_xyz(hung.x, hung.y, 0.01)
                .with_rotation(Quat::from_rotation_z(angle + tremble(t)))
                .with_scale(Vec3::splat(size))
        });
    }

    /// Moves an entity along `path` and despawns it at the end.
    pub(super) fn send(
        &mut self,
        what: Entity,
        seconds: f32,
        path: impl FnMut(f32) -> Transform + Send + Sync + 'static,
    ) {
        self.move_along(what, seconds, path);
        let timer = DespawnAfter(seconds * *self.duration_scale);
        self.commands.entity(what).insert(timer);
    }

    /// Spawns an arrow, or the thrown item.
    fn missile(&mut self, missile: &str, place: Transform) -> Entity {
        let icon = ground::item_icon(missile);
        let spawned = (DespawnOnExit(Screen::Battle), place);
        if icon != Icon::Shoot {
            let image = self.get_or_draw(format!("thrown {icon:?}"), 0.42, |px| {
                icons::icon(icon, px, palette::INK)
            });
            return self.commands.spawn((spawned, image.sprite())).id();
        }
        let head = self.get_or_draw("arrow head", 0.2, |px| marks::arrow_head(palette::INK, px));
        let line = |wide: f32, rgb| Sprite::from_color(colour(rgb), Vec2::new(0.46, wide));
        let parts = children![
            (
                line(0.05, palette::INK),
                Transform::from_xyz(0.0, 0.0, 0.01)
            ),
            (head.sprite(), Transform::from_xyz(0.26, 0.0, 0.02)),
        ];
        let arrow = (spawned, line(0.11, palette::WHITE), parts);
        self.commands.spawn(arrow).id()
    }

    /// Flashes the unit and knocks it back, further for a larger share. A heavy hit shakes the
    /// board. Damage that only tires the unit shows a broken ring.
    pub(super) fn hurt(&mut self, unit: &UnitView, word: &str, attack: &Suffered) {
        let tone = match attack.is_decisive {
            true => Tone::Decisive,
            false => Tone::Damage,
        };
        self.show_text(unit, word, tone);
        let Some(&Piece { flash, .. }) = self.pieces.get(unit.id) else {
            return;
        };
        let here = Vec2::from(unit.middle());
        let ahead = attack
            .from
            .map(|from| at(here - from, 0.0).normalize_or_zero());
        let wide = match attack.bleeds {
            true => KNOCKED.0 + KNOCKED.1 * attack.share,
            false => 0.1,
        };
        let whole = self.hurt_seconds(attack.force, false);
        let stop = self.stop(attack.force);
        let trembles = if attack.force > Force::Usual {
            TREMBLES
        } else {
            0.0
        };
        self.animate_figure(unit, whole, move |x| {
            if x * whole < stop {
                return Transform::from_xyz(trembles * (x * whole * 120.0).sin(), 0.0, 0.0);
            }
            let off = match ahead.filter(|ahead| *ahead != Vec3::ZERO) {
                Some(ahead) => ahead * wide * knocked(x * whole, stop),
                None => Vec3::X * wide * SHUDDERS * (4.0 * PI * x).sin() * (1.0 - x),
            };
            Transform::from_translation(off)
        });
        let strength = self.brightness() * if attack.bleeds { 0.9 } else { 0.35 };
        if strength > 0.0 {
            self.flash(flash, whole, strength);
        }
        if !attack.bleeds {
            let wide = 1.15 * f32::from(unit.size.max(1));
            let image = self.get_or_draw(format!("jolt {wide}"), wide, bursts::jolt);
            let place = at(here, height::MISSILE);
            self.flare(&image, place, (0.0, HURT * 1.4), (1.0, 0.0));
            return;
        }
        let is_final = attack.force == Force::Final;
        let ink = match is_final {
            true => FINAL_INK.0,
            false => attack.share * 0.75,
        };
        self.splash(unit, attack.from, ink, 0.0);
        if (attack.share >= HEAVY || is_final) && !self.is_calm() {
            let (wide, seconds) = match is_final {
                true => (0.22, 0.55),
                false => (0.05 + 0.09 * attack.share, 0.32),
            };
            let wide = wide * self.settings.shake.share();
            self.shake.start(wide, seconds * *self.duration_scale);
        }
    }

    /// Throws ink off a unit after `after` seconds, away from its attacker; `share` is the part of its
    /// hit points that it lost, up to [`FINAL_INK`]. The ink lies under all units, also those down.
    fn splash(&mut self, unit: &UnitView, from: Option<Vec2>, share: f32, after: f32) {
        let strength = self.brightness();
        if strength <= 0.0 {
            return;
        }
        let size = f32::from(unit.size.max(1));
        let wide = ((0.8 + 0.8 * share.clamp(0.0, FINAL_INK.1)) * size * 10.0).round() / 10.0;
        let image = splash_image(&mut self.sprites, wide);
        let here = Vec2::from(unit.middle());
        let way = from.map_or(Vec2::Y, |from| (here - from).normalize_or(Vec2::X));
        let turn = Quat::from_rotation_z((-way.y).atan2(way.x));
        let place = at(here + way * 0.5 * size, height::FALLEN - 0.1);
        let (whole, is_calm) = (image.size, self.is_calm());
        let show = move |sprite: &mut Sprite, x: f32| {
            let grown = match is_calm {
                true => 1.0,
                false => 1.0 - 0.6 * (1.0 - (x / 0.12).min(1.0)).powi(2),
            };
            sprite.custom_size = Some(whole * grown);
            sprite.color = Color::WHITE.with_alpha(((1.0 - x) / 0.4).min(1.0) * strength);
        };
        let ink = self.glow(image.sprite(), (place, turn), (after, INK_SEEN), show);
        self.commands.entity(ink).insert(InkSplash);
    }

    /// A banner is planted over a unit whose morale holds, after `after` seconds.
    pub(super) fn plant_banner(&mut self, unit: &UnitView, after: f32) {
        let image = self.get_or_draw("banner", 0.9, bursts::banner);
        let (whole, is_calm) = (after + BREAKS * 2.0, self.is_calm());
        let place = at(banner_place(unit), height::MISSILE);
        let path = move |x: f32| {
            let t = x * whole - after;
            let size = if t < 0.0 {
                0.0
            } else {
                ((whole - after - t) / 0.15).min(1.0)
            };
            // It comes down and stands still at once.
            let above = if is_calm {
                0.0
            } else {
                0.7 * (1.0 - t / PLANTS).max(0.0).powi(2)
            };
            Transform::from_translation(place + Vec3::Y * above).with_scale(Vec3::splat(size))
        };
        let spawned = (
            PlantedBanner,
            DespawnOnExit(Screen::Battle),
            image.sprite(),
            path(0.0),
        );
        let banner = self.commands.spawn(spawned).id();
        self.send(banner, whole, path);
    }

    /// A banner breaks over a unit whose morale fails, a ring closes around it, and it reels.
    pub(super) fn break_banner(&mut self, unit: &UnitView) {
        let image = self.get_or_draw("broken banner", 1.5, bursts::broken_banner);
        self.sway(unit, REELS, 0.0);
        self.close_ring(unit, BREAKS * 2.0);
        let place = at(banner_place(unit), height::MISSILE);
        // Not a flash, so it also shows when flashes are off.
        self.flare(&image, place, (0.0, BREAKS * 2.0), (1.0, 0.0));
        self.show_text(unit, BROKEN, Tone::Breaks);
    }

    /// Shows on a unit how its check went, after `after` seconds: it stands firm and swells, or
    /// staggers from side to side.
    pub(super) fn bear(&mut self, unit: &UnitView, passed: bool, after: f32) {
        self.sway(unit, if passed { 0.0 } else { 1.0 }, after);
    }

    /// Lets a unit stagger, as far as `wide` times a failed check's; with 0 it stands firm and swells.
    fn sway(&mut self, unit: &UnitView, wide: f32, after: f32) {
        if !unit.is_up() {
            return;
        }
        let whole = after + STAGGERS;
        self.animate_figure(unit, whole, move |x| {
            let x = (x * whole - after).max(0.0) / STAGGERS;
            if wide == 0.0 {
                return Transform::from_scale(Vec3::splat(1.0 + 0.2 * (PI * x.sqrt()).sin()));
            }
            let sways = wide * (4.0 * PI * x).sin() * (1.0 - x);
            Transform::from_xyz(0.16 * sways, 0.0, 0.0)
                .with_rotation(Quat::from_rotation_z(-0.35 * sways))
        });
    }

    /// Throws a unit over after `after` seconds, away from the attacker, and splashes ink where it lands.
    /// Its picture already lies down, so the animation starts upright. Returns the seconds that it takes.
    pub(super) fn fall(
        &mut self,
        unit: &UnitView,
        from: Option<Vec2>,
        (is_final, after): (bool, f32),
    ) -> f32 {
        let (ink, slow) = match is_final {
            true => (FINAL_INK.1, SLOW),
            false => (1.0, 1.0),
        };
        let (seconds, lands) = match self.is_calm() {
            true => (FALL, 0.0),
            false => (FALL * slow, FALL * slow * LANDS),
        };
        self.tip_over(unit, from, (after, seconds));
        self.splash(unit, from, ink, after + lands);
        after + seconds
    }

    fn tip_over(&mut self, unit: &UnitView, from: Option<Vec2>, (after, seconds): (f32, f32)) {
        let here = Vec2::from(unit.middle());
        let side = match from {
            Some(from) if from.x > here.x => -1.0,
            _ => 1.0,
        };
        let away = from.map_or(Vec3::ZERO, |from| at(here - from, 0.0).normalize_or_zero());
        let whole = after + seconds;
        let is_moving = self.animate_figure(unit, whole, move |x| {
            let x = (x * whole - after).max(0.0) / seconds;
            if x < LANDS {
                let x = x / LANDS;
                let off = (Vec3::Y * THROWN.0 + away * THROWN.1) * (PI * x).sin();
                let angle = side * (1.0 - x * x) * 94_f32.to_radians();
                return Transform::from_translation(off)
                    .with_rotation(Quat::from_rotation_z(angle));
            }
            let x = (x - LANDS) / (1.0 - LANDS);
            let flat = FLATTENED * (1.0 - x).powi(2) * (1.5 * PI * x).cos();
            Transform::from_scale(Vec3::new(1.0 + flat * 0.6, 1.0 - flat, 1.0))
        });
        if !is_moving {
            return;
        }
        let size = f32::from(unit.size.max(1));
        let scale = *self.duration_scale;
        let wide = THUD.0 * size * self.settings.shake.share();
        let timing = ((after + LANDS * seconds) * scale, THUD.1 * scale);
        self.shake.start_after(wide, timing);
        let wide = 1.3 * size;
        let image = self.get_or_draw(format!("dust {wide}"), wide, bursts::dust);
        let place = at(here + Vec2::new(0.0, 0.25), height::AIM);
        let timing = (after + seconds * LANDS, seconds);
        self.flare(&image, place, timing, (0.85, 0.0));
    }

    /// Marks the fall of a key unit, which takes `fall` seconds: the rest of the board turns pale but
    /// for its attacker at `from`, and a ring closes around the unit. Returns the seconds of it all.
    pub(super) fn hush(&mut self, unit: &UnitView, from: Option<Vec2>, fall: f32) -> f32 {
        let whole = fall + HUSH;
        self.dim_around((unit, from), palette::PAPER, whole);
        whole
    }

    /// Marks the loss of one of the player's units, whose fall takes `fall` seconds: the rest of the
    /// board turns dark, and a banner names the unit and says what happened to it, clear of it and of
    /// its attacker at `from`, which stays lit. It lasts as long during other sides' turns. Returns the
    /// seconds of it all.
    pub(super) fn mourn(
        &mut self,
        unit: &UnitView,
        what: &str,
        from: Option<Vec2>,
        fall: f32,
    ) -> f32 {
        let whole = fall + HUSH / self.usual();
        self.dim_around((unit, from), palette::INK, whole);
        let words = format!("{} {what}", unit.name);
        let about = Vec::from_iter(from.into_iter().chain([unit.middle().into()]));
        self.banner((words, palette::DANGER), &about, whole);
        whole
    }

    /// Covers the board around a unit and its attacker at `from` with a colour for `whole` seconds; a
    /// ring closes around the unit.
    fn dim_around(&mut self, (unit, from): (&UnitView, Option<Vec2>), ink: Rgb, whole: f32) {
        let here = Vec2::from(unit.middle());
        let stands_at = |from| self.pieces.standing().find(|space| space.contains(from));
        let attacker = from.and_then(stands_at);
        let lit = Vec::from_iter(attacker.into_iter().chain([rect_of(unit.space())]));
        let all = Rect::from_center_size(here, Vec2::splat(400.0));
        for part in around(all, lit) {
            let overlay = Sprite::from_color(Color::WHITE, part.size());
            let place = (at(part.center(), height::TARGET), Quat::IDENTITY);
            self.glow(overlay, place, (0.0, whole), move |sprite, x| {
                let strength = (x / 0.25).min((1.0 - x) / 0.25).clamp(0.0, 1.0);
                sprite.color = colour(ink).with_alpha(0.5 * strength);
            });
        }
        self.close_ring(unit, whole);
    }

    /// Closes a ring around a unit; it stays for `whole` seconds in all.
    pub(super) fn close_ring(&mut self, unit: &UnitView, whole: f32) {
        let here = Vec2::from(unit.middle());
        let radius = 0.62 * f32::from(unit.size.max(1));
        let image = self
            .sprites
            .get_or_draw(format!("closing ring {radius}"), |px| {
                marks::ring(Ring::Hover, radius, px)
            });
        let (size, is_calm) = (image.size, self.is_calm());
        let place = (at(here, height::DANGER), Quat::IDENTITY);
        self.glow(image.sprite(), place, (0.0, whole), move |sprite, x| {
            let wide = match is_calm {
                true => 1.0,
                false => 1.0 + 2.2 * (1.0 - x).powi(3),
            };
            sprite.custom_size = Some(size * wide);
            sprite.color = Color::WHITE.with_alpha(((1.0 - x) / 0.2).min(1.0));
        });
    }
}

/// Where the banner of a unit is, in cells.
fn banner_place(unit: &UnitView) -> Vec2 {
    Vec2::from(unit.middle()) - Vec2::new(0.0, 0.62 * f32::from(unit.size.max(1)))
}

/// The parts of a place around some others in it.
pub fn around(all: Rect, mut others: Vec<Rect>) -> Vec<Rect> {
    others.sort_by(|a, b| a.min.x.total_cmp(&b.min.x));
    let ends = others.iter().flat_map(|other| [other.min.y, other.max.y]);
    let mut ends = Vec::from_iter(ends.chain([all.min.y, all.max.y]));
    ends.sort_by(f32::total_cmp);
    ends.dedup();
    let mut parts = vec![];
    // Row by row, from left to right.
    for row in ends.windows(2) {
        let mut left = all.min.x;
        let here = others
            .iter()
            .filter(|it| it.min.y < row[1] && it.max.y > row[0]);
        for (from, to) in here
            .map(|it| (it.min.x, it.max.x))
            .chain([(all.max.x, all.max.x)])
        {
            if from > left {
                parts.push(Rect::new(left, row[0], from, row[1]));
            }
            left = left.max(to);
        }
    }
    parts
}

/// A splash of ink, in cells wide.
pub(super) fn splash_image(sprites: &mut SpriteCache, wide: f32) -> SizedImage {
    sprites.get_or_draw_sized(format!("splash {wide}"), wide, |px| {
        bursts::splash(palette::DANGER.mix(palette::INK, 0.45), px)
    })
}

/// How far the attacker is out after `t` seconds, in cells: back by `drawn`, out to `reach`, still
/// for `stop` seconds, then at rest within `back` seconds.
pub fn swing(t: f32, (drawn, reach): (f32, f32), (stop, back): (f32, f32)) -> f32 {
    match t {
        _ if t <= DRAW => -drawn * smooth_step(t / DRAW),
        _ if t < DRAW + STRIKE => -drawn + (drawn + reach) * smooth_step((t - DRAW) / STRIKE),
        _ => reach * (1.0 - smooth_step((t - DRAW - STRIKE - stop) / back)),
    }
}

/// How far a hit target is knocked back `t` seconds after contact, from 0 to 1: still for `stop`
/// seconds, then back quickly and slowly to rest.
pub fn knocked(t: f32, stop: f32) -> f32 {
    let x = ((t - stop) / (HURT - STOP)).clamp(0.0, 1.0);
    (PI * x.powf(0.45)).sin()
}
