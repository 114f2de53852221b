//! Sound synthesis: every sound is built from a few oscillators, noises and envelopes, identical on
//! every run.
//!
//! Sounds are short and dry, like pieces on a table. Frequencies are in Hz, times in seconds,
//! levels from 0 to 1.

use fundsp::prelude64::*;
use std::sync::{Arc, OnceLock};

/// All sounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sound {
    /// A piece put down on the board.
    Step,
    /// A pencil drawing a path.
    Scratch,
    Dice,
    Hit,
    /// A hit that takes a large share of the target's hit points.
    HeavyHit,
    /// A hit that only tires the target: cloth and breath.
    Stress,
    Miss,
    Fall,
    /// The fall of a key unit.
    Knell,
    /// The fall or death of one of the player's units.
    Loss,
    /// A passed and a failed save or morale check.
    Pass,
    Fail,
    /// A unit whose morale breaks: a staff that snaps.
    Rout,
    /// A missile in flight.
    Shot,
    Spell,
    /// Spell effects: fire, ice, light, protection or haste, hold, sleep.
    Flame,
    Frost,
    Light,
    Ward,
    Hold,
    Sleep,
    Door,
    /// An attack blocked or parried.
    Parry,
    Heal,
    /// The player's turn begins.
    Turn,
    /// A button.
    Button,
    Victory,
    Defeat,
    /// Background music and drone, always playing.
    Ambience,
    /// Loops of a battle: open air, water, torches.
    Wind,
    Water,
    Fire,
}

impl Sound {
    /// Every sound in the order of the enum, with its length in seconds and its peak level from 0 to
    /// 1: frequent sounds are quiet.
    const TABLE: [(Self, f64, f32); Self::Fire as usize + 1] = [
        (Self::Step, 0.12, 0.22),
        (Self::Scratch, 0.22, 0.10),
        (Self::Dice, 0.55, 0.35),
        (Self::Hit, 0.35, 0.60),
        (Self::HeavyHit, 0.5, 0.68),
        (Self::Stress, 0.28, 0.42),
        (Self::Miss, 0.26, 0.36),
        (Self::Fall, 0.6, 0.55),
        (Self::Knell, 1.3, 0.60),
        (Self::Loss, 1.4, 0.50),
        (Self::Pass, 0.16, 0.25),
        (Self::Fail, 0.2, 0.30),
        (Self::Rout, 0.7, 0.50),
        (Self::Shot, 0.3, 0.35),
        (Self::Spell, 0.9, 0.40),
        (Self::Flame, 0.7, 0.50),
        (Self::Frost, 0.6, 0.35),
        (Self::Light, 0.6, 0.35),
        (Self::Ward, 0.5, 0.32),
        (Self::Hold, 0.5, 0.38),
        (Self::Sleep, 0.8, 0.30),
        (Self::Door, 0.5, 0.35),
        (Self::Parry, 0.3, 0.42),
        (Self::Heal, 0.8, 0.32),
        (Self::Turn, 0.7, 0.25),
        (Self::Button, 0.07, 0.22),
        (Self::Victory, 2.4, 0.45),
        (Self::Defeat, 2.6, 0.45),
        (Self::Ambience, LOOP, 0.30),
        (Self::Wind, 19.0, 0.22),
        (Self::Water, 11.0, 0.16),
        (Self::Fire, 13.0, 0.14),
    ];

    pub fn all() -> impl Iterator<Item = Self> {
        Self::TABLE.into_iter().map(|row| row.0)
    }

    /// Whether it is a loop, whose end runs into its beginning.
    pub fn is_loop(self) -> bool {
        matches!(self, Self::Ambience | Self::Wind | Self::Water | Self::Fire)
    }

    /// Length in seconds.
    pub fn seconds(self) -> f64 {
        Self::TABLE[self as usize].1
    }

    /// The sound as a WAV file, generated once for the whole process.
    pub fn wav(self) -> Arc<[u8]> {
        static MADE: [OnceLock<Arc<[u8]>>; Sound::TABLE.len()] =
            [const { OnceLock::new() }; Sound::TABLE.len()];
        let make = || {
            let mut bytes = Vec::new();
            let written = self.wave().write_wav16(&mut bytes);
            written.expect("a vector takes whatever is written");
            bytes.into()
        };
        MADE[self as usize].get_or_init(make).clone()
    }

    /// The sound in one channel, at its level.
    pub fn wave(self) -> Wave {
        // Low-pitched loops need fewer samples.
        let rate = if self.is_loop() { 22_050.0 } else { 44_100.0 };
        let mut wave = match self {
            Self::Wind | Self::Water | Self::Fire => closed(rate, self.seconds(), self.unit()),
            _ => Wave::render(rate, self.seconds(), &mut *self.unit()),
        };
        let peak = wave.amplitude().max(1e-6);
        let gain = Self::TABLE[self as usize].2 / peak;
        wave.channel_mut(0).iter_mut().for_each(|s| *s *= gain);
        if !self.is_loop() {
            wave.fade_in(0.001);
            wave.fade_out(0.02);
        }
        wave
    }

    fn unit(self) -> Box<dyn AudioUnit> {
        match self {
            Self::Step => tap(0.0, 310.0, 1.0),
            Self::Scratch => scratch(),
            Self::Dice => dice(),
            Self::Hit => drum(0.0, 150.0),
            Self::HeavyHit => sum([drum(0.0, 92.0), drum(0.015, 150.0), tap(0.0, 210.0, 0.7)]),
            Self::Stress => stress(),
            Self::Miss => swish(1800.0, 700.0),
            Self::Fall => fall(),
            Self::Knell => sum([fall(), drum(0.42, 62.0)]),
            Self::Loss => sum([fall(), chime(&[293.66, 220.0], 0.3, 3.0)]),
            Self::Pass => sum([tap(0.0, 520.0, 0.8), tap(0.055, 780.0, 1.0)]),
            Self::Fail => sum([tap(0.0, 380.0, 0.8), tap(0.07, 250.0, 1.0)]),
            Self::Rout => sum([
                tap(0.0, 430.0, 1.0),
                tap(0.05, 260.0, 0.9),
                drum(0.12, 70.0),
                drum(0.32, 58.0),
            ]),
            Self::Shot => shot(),
            Self::Spell => chime(&[523.25, 659.25, 783.99, 1046.5], 0.07, 5.0),
            Self::Flame => flame(),
            Self::Frost => frost(),
            Self::Light => sum([
                chime(&[1318.5, 1568.0, 2093.0], 0.03, 9.0),
                swish(3200.0, 5200.0),
            ]),
            Self::Ward => chime(&[392.0, 493.88, 587.33], 0.05, 8.0),
            Self::Hold => sum([parry(), tap(0.09, 190.0, 0.9), tap(0.18, 170.0, 0.7)]),
            Self::Sleep => chime(&[587.33, 493.88, 392.0], 0.16, 6.0),
            Self::Door => door(),
            Self::Parry => parry(),
            Self::Heal => chime(&[392.0, 587.33], 0.12, 5.0),
            Self::Turn => chime(&[659.25, 880.0], 0.09, 7.0),
            Self::Button => tap(0.0, 620.0, 1.0),
            Self::Victory => chime(&[392.0, 523.25, 659.25, 783.99, 1046.5], 0.19, 2.6),
            Self::Defeat => chime(&[440.0, 349.23, 293.66, 220.0], 0.32, 2.4),
            Self::Ambience => ambience(),
            Self::Wind => wind(),
            Self::Water => water(),
            Self::Fire => fire(),
        }
    }
}

/// An envelope from 1 at `at` downwards; 0 before.
fn decay(at: f64, haste: f64) -> impl FnMut(f64) -> f64 + Clone + Send + Sync {
    move |t| {
        if t < at {
            0.0
        } else {
            (-(t - at) * haste).exp()
        }
    }
}

/// An envelope like half a sine wave, from `at` on for `long` seconds.
fn swell(at: f64, long: f64) -> impl FnMut(f64) -> f64 + Clone + Send + Sync {
    move |t| {
        let x = ((t - at) / long).clamp(0.0, 1.0);
        (std::f64::consts::PI * x).sin()
    }
}

fn boxed(unit: impl AudioUnit + 'static) -> Box<dyn AudioUnit> {
    Box::new(unit)
}

fn sum(units: impl IntoIterator<Item = Box<dyn AudioUnit>>) -> Box<dyn AudioUnit> {
    let mut net = Net::new(0, 1);
    for unit in units {
        net = net + Net::wrap(unit);
    }
    boxed(net)
}

/// Wood on wood.
fn tap(at: f64, pitch: f32, level: f32) -> Box<dyn AudioUnit> {
    let body = sine_hz(pitch) * envelope(decay(at, 70.0))
        + sine_hz(pitch * 1.68) * envelope(decay(at, 95.0)) * 0.5;
    let edge = (noise() >> bandpass_hz(pitch * 6.0, 1.2)) * envelope(decay(at, 190.0));
    boxed((body + edge * 0.9) * level)
}

/// A struck drum skin with falling pitch.
fn drum(at: f64, pitch: f64) -> Box<dyn AudioUnit> {
    let glide = move |t: f64| pitch * (0.42 + 0.58 * (-(t - at).max(0.0) * 26.0).exp());
    let skin = (envelope(glide) >> sine()) * envelope(decay(at, 13.0));
    let stick = (noise() >> lowpass_hz(1400.0, 0.8)) * envelope(decay(at, 75.0));
    boxed(skin + stick * 0.7)
}

/// Rushing air, from one pitch to another.
fn swish(from: f64, to: f64) -> Box<dyn AudioUnit> {
    let glide = move |t: f64| from + (to - from) * (t / 0.24).min(1.0);
    let air = (noise() | envelope(glide) | dc(1.6)) >> bandpass();
    boxed(air * envelope(swell(0.0, 0.24)))
}

/// Breath knocked out, on padding: no drum, no metal.
fn stress() -> Box<dyn AudioUnit> {
    let cloth = (noise() >> lowpass_hz(520.0, 0.7)) * envelope(decay(0.0, 32.0));
    let breath = (noise() >> bandpass_hz(1500.0, 1.1)) * envelope(swell(0.04, 0.18)) * 0.35;
    boxed(cloth + breath)
}

/// A gust that catches and crackles.
fn flame() -> Box<dyn AudioUnit> {
    let gust = (noise() >> lowpass_hz(900.0, 0.7)) * envelope(decay(0.02, 7.0)) * 1.2;
    let crackles = [0.12, 0.19, 0.23, 0.34, 0.41, 0.5];
    let crackle = crackles.map(|at| tap(at, 700.0 + 900.0 * (at as f32 * 7.0).fract(), 0.22));
    sum([boxed(gust)].into_iter().chain(crackle))
}

/// Cracking ice: high taps, ever faster.
fn frost() -> Box<dyn AudioUnit> {
    let cracks = [0.0, 0.11, 0.19, 0.25, 0.29, 0.32, 0.34];
    let crack = |at: f64| tap(at, 1700.0 + 2400.0 * at as f32, 0.6);
    let breath = (noise() >> bandpass_hz(4200.0, 1.4)) * envelope(swell(0.0, 0.4)) * 0.3;
    sum([boxed(breath)].into_iter().chain(cracks.map(crack)))
}

fn scratch() -> Box<dyn AudioUnit> {
    // Two strokes, and the grain of the paper.
    let strokes = |t: f64| {
        let grain = 0.75 + 0.25 * (t * 95.0 * std::f64::consts::TAU).sin();
        (swell(0.0, 0.08)(t) + 0.8 * swell(0.09, 0.12)(t)) * grain
    };
    let lead = pink() >> bandpass_hz(3600.0, 0.9);
    boxed(lead * envelope(strokes))
}

fn dice() -> Box<dyn AudioUnit> {
    // They fall, roll and come to rest.
    let taps = [
        (0.00, 900.0, 1.0),
        (0.05, 1240.0, 0.7),
        (0.11, 1020.0, 0.9),
        (0.19, 1330.0, 0.6),
        (0.25, 960.0, 0.7),
        (0.34, 1180.0, 0.4),
        (0.40, 1050.0, 0.3),
    ];
    sum(taps.map(|(at, pitch, level)| tap(at, pitch, level)))
}

fn fall() -> Box<dyn AudioUnit> {
    sum([
        tap(0.0, 240.0, 0.5),
        // The token lands.
        drum(0.13, 95.0),
        tap(0.24, 330.0, 0.4),
        tap(0.32, 290.0, 0.25),
    ])
}

fn shot() -> Box<dyn AudioUnit> {
    let string = sine_hz(196.0) * envelope(decay(0.0, 26.0))
        + sine_hz(393.5) * envelope(decay(0.0, 34.0)) * 0.5;
    sum([boxed(string * 0.8), swish(2600.0, 1200.0)])
}

fn door() -> Box<dyn AudioUnit> {
    let creak = |t: f64| 70.0 + 45.0 * (t * 3.1 * std::f64::consts::TAU).sin() + 60.0 * t;
    let hinge = (envelope(creak) >> saw()) >> bandpass_hz(820.0, 3.0);
    let hinge = hinge * envelope(swell(0.0, 0.34)) * 0.5;
    sum([boxed(hinge), drum(0.33, 120.0)])
}

fn parry() -> Box<dyn AudioUnit> {
    // Metal: inharmonic partials.
    let partials = [
        (1180.0, 15.0, 1.0),
        (1871.0, 19.0, 0.7),
        (2725.0, 26.0, 0.5),
        (3910.0, 34.0, 0.35),
    ];
    let ring = partials
        .map(|(pitch, haste, level)| boxed(sine_hz(pitch) * envelope(decay(0.0, haste)) * level));
    sum(ring.into_iter().chain([tap(0.0, 480.0, 0.8)]))
}

/// A tooth of a music box.
fn tooth(at: f64, pitch: f32, haste: f64, level: f32) -> Box<dyn AudioUnit> {
    let tone = sine_hz(pitch) * envelope(decay(at, haste))
        + sine_hz(pitch * 2.0) * envelope(decay(at, haste * 1.8)) * 0.28
        + sine_hz(pitch * 5.4) * envelope(decay(at, haste * 7.0)) * 0.10;
    boxed(tone * level)
}

/// Music box teeth in succession.
fn chime(pitches: &[f32], apart: f64, haste: f64) -> Box<dyn AudioUnit> {
    let teeth = pitches.iter().enumerate();
    sum(teeth.map(|(n, &pitch)| tooth(n as f64 * apart, pitch, haste, 1.0)))
}

/// Length of the ambience loop in seconds.
const LOOP: f64 = 32.0;

/// A low drone, with a distant music box now and then. Everything is silent or back in its first
/// phase when the loop ends.
fn ambience() -> Box<dyn AudioUnit> {
    // Rounds to a whole number of waves in the loop.
    let whole = |pitch: f64| (pitch * LOOP).round() / LOOP;
    let breath = |waves: f64, shift: f64| {
        move |t: f64| 0.55 + 0.45 * (std::f64::consts::TAU * (t * waves / LOOP + shift)).sin()
    };
    let voice = |pitch: f64, waves: f64, shift: f64, level: f32| {
        let tone = sine_hz(whole(pitch) as f32) * envelope(breath(waves, shift));
        boxed(tone * level)
    };
    let drone = [
        voice(73.42, 3.0, 0.0, 0.55),
        voice(110.0, 2.0, 0.4, 0.40),
        voice(146.83, 5.0, 0.7, 0.22),
        voice(220.0, 4.0, 0.2, 0.08),
    ];
    // D E G A B, slowly; the last note fades before the end.
    let tune = [
        (1.5, 587.33),
        (2.6, 880.0),
        (4.9, 659.25),
        (8.0, 783.99),
        (9.1, 587.33),
        (12.4, 493.88),
        (13.5, 587.33),
        (16.8, 880.0),
        (17.6, 987.77),
        (19.3, 783.99),
        (22.7, 659.25),
        (24.0, 587.33),
        (26.2, 440.0),
    ];
    let tune = tune.map(|(at, pitch)| tooth(at, pitch, 1.9, 0.16));
    sum(drone.into_iter().chain(tune))
}

/// Noise of a length in seconds whose end runs into its beginning.
fn closed(rate: f64, seconds: f64, mut unit: Box<dyn AudioUnit>) -> Wave {
    let blend = 1.5;
    let long = Wave::render(rate, seconds + blend, &mut *unit);
    let (whole, over) = ((seconds * rate) as usize, (blend * rate) as usize);
    let sample = |n: usize| {
        let now = long.at(0, n);
        if n >= over {
            return now;
        }
        // Blends by power, because the two are not in phase.
        let x = n as f32 / over as f32;
        now * x.sqrt() + long.at(0, whole + n) * (1.0 - x).sqrt()
    };
    let samples: Vec<f32> = (0..whole).map(sample).collect();
    Wave::from_samples(rate, &samples)
}

/// Wind: dark noise that swells, with a thin whistle in its gusts.
fn wind() -> Box<dyn AudioUnit> {
    let gust = |t: f64| {
        let slow = (t * 0.41).sin() * 0.5 + (t * 0.23 + 1.0).sin() * 0.5;
        0.35 + 0.3 * (slow + 1.0)
    };
    let body = (pink() >> lowpass_hz(420.0, 0.7)) * envelope(gust);
    let whistle = (noise() >> bandpass_hz(640.0, 6.0))
        * envelope(move |t: f64| (gust(t) - 0.55).max(0.0) * 0.35);
    sum([boxed(body), boxed(whistle)])
}

/// Water: light noise in small waves.
fn water() -> Box<dyn AudioUnit> {
    let waves = |t: f64| 0.6 + 0.25 * (t * 2.1).sin() + 0.15 * (t * 5.3 + (t * 0.7).sin()).sin();
    let run = (noise() >> bandpass_hz(900.0, 0.9)) * envelope(waves);
    let deep = (pink() >> lowpass_hz(240.0, 0.8)) * 0.5;
    sum([boxed(run), boxed(deep)])
}

/// Torches: a soft roar, and crackling.
fn fire() -> Box<dyn AudioUnit> {
    let roar = (pink() >> lowpass_hz(300.0, 0.7)) * envelope(|t: f64| 0.5 + 0.1 * (t * 3.7).sin());
    let crackles = (0..46).map(|n| {
        // Irregular, but the same on every run.
        let n = f64::from(n);
        let at = n * 0.3 + 0.26 * (n * 12.9898).sin();
        let pitch = 900.0 + 500.0 * (n * 78.233).sin();
        tap(
            at.max(0.0),
            pitch as f32,
            0.25 + 0.2 * (n * 4.1).sin().abs() as f32,
        )
    });
    sum(std::iter::once(boxed(roar)).chain(crackles))
}
