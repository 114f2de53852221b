//! Sounds: audible, not too loud, and playable by the engine.

use bevy::audio::{AudioSource, Decodable};
use fivefoot::{
    levels::built_in,
    ui::sound::{Sound, sounds_of_level},
};

fn rms(samples: &[f32]) -> f32 {
    (samples.iter().map(|s| s * s).sum::<f32>() / samples.len() as f32).sqrt()
}

#[test]
fn every_sound_is_audible_and_none_is_too_loud() {
    for sound in Sound::all() {
        assert_eq!(Sound::all().nth(sound as usize), Some(sound));
        let wave = sound.wave();
        assert_eq!(wave.channels(), 1, "{sound:?}");
        assert!(
            (wave.duration() - sound.seconds()).abs() < 1e-3,
            "{sound:?}"
        );
        let samples = wave.channel(0);
        assert!(samples.iter().all(|s| s.is_finite()), "{sound:?}");
        let peak = samples.iter().fold(0.0_f32, |m, s| m.max(s.abs()));
        assert!((0.05..=0.7).contains(&peak), "{sound:?}: {peak}");
        assert!(rms(samples) > 0.008, "{sound:?}: {}", rms(samples));
        // The samples have no DC offset.
        let mean = samples.iter().sum::<f32>() / samples.len() as f32;
        assert!(mean.abs() < 0.02, "{sound:?}: {mean}");
    }
}

#[test]
fn sounds_end_in_silence_and_the_ambience_loops_smoothly() {
    for sound in Sound::all() {
        let wave = sound.wave();
        let samples = wave.channel(0);
        let (first, last) = (samples[0], samples[samples.len() - 1]);
        if sound.is_loop() {
            // The jump at the loop is no larger than the largest one between two samples.
            let leap = |a: f32, b: f32| (a - b).abs();
            let most = samples
                .windows(2)
                .map(|w| leap(w[0], w[1]))
                .fold(0.0, f32::max);
            assert!(
                leap(first, last) <= most,
                "{first} after {last}, not over {most}"
            );
        } else {
            assert!(first.abs() < 0.01 && last.abs() < 0.01, "{sound:?}");
        }
    }
}

/// A level's light and water decide its ambient sounds.
#[test]
fn a_levels_light_and_water_can_be_heard() {
    let of = |id: &str| {
        let level = built_in().iter().find(|level| level.id == id).expect(id);
        sounds_of_level(level)
    };
    assert_eq!(of("toll_gate"), [Sound::Wind, Sound::Water]);
    assert_eq!(of("duel"), [Sound::Wind]);
    assert_eq!(of("undercroft")[0], Sound::Fire);
}

#[test]
fn sounds_are_the_same_on_every_run() {
    for sound in [Sound::Dice, Sound::Miss, Sound::Scratch, Sound::Door] {
        assert_eq!(
            sound.wave().channel(0),
            sound.wave().channel(0),
            "{sound:?}"
        );
    }
}

#[test]
fn the_engine_can_play_all_sounds() {
    for sound in Sound::all() {
        let source = AudioSource { bytes: sound.wav() };
        let rate = if sound.is_loop() { 22_050.0 } else { 44_100.0 };
        let samples = source.decoder().count() as f64;
        let wanted = sound.seconds() * rate;
        assert!(
            (samples - wanted).abs() < 8.0,
            "{sound:?}: {samples} for {wanted}"
        );
    }
}
