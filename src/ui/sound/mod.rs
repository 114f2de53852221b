//! Sound. Systems request a sound by writing [`Play`]; events sound when the board shows them
//! ([`EventShown`]).
//!
//! [`synth`] generates all sounds in the background when the game starts. Without an audio device
//! the game is silent, without an error.

pub mod synth;

pub use synth::Sound;

use super::{
    ActionPreview, Phase, Screen, Selection, Session,
    board::playback::{BurstShown, EventShown, Weight},
    preview::Click,
    settings::{Settings, Volumes},
};
use crate::{
    battle::{CueKind, EventKind, Side},
    content::Burst,
    levels::{Level, Light},
};
use bevy::{
    audio::{AudioPlugin, AudioSinkPlayback, PlaybackMode, Volume},
    platform::collections::HashMap,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
    ui_widgets::{Activate, ValueChange},
};
use std::{sync::Arc, time::Duration};

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Play>()
        .init_resource::<SoundBank>()
        .init_resource::<AmbienceSilence>();
    if !app.is_plugin_added::<AudioPlugin>() {
        app.init_asset::<AudioSource>();
    }
    app.add_observer(on_button)
        .add_observer(on_box)
        .add_observer(on_slider);
    app.add_systems(Startup, make);
    app.add_systems(
        Update,
        (
            hear_events.run_if(in_state(Screen::Battle)),
            hear_paths.run_if(in_state(Screen::Battle)),
        )
            .in_set(Phase::Draw),
    );
    app.add_systems(
        Last,
        (fill, play, ambience, level_sounds, mix, keep_silent, clear).chain(),
    );
}

/// Requests a sound.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Play(pub Sound);

/// The volume group of a sound.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SoundGroup {
    Ambience,
    Effects,
    Ui,
}

impl SoundGroup {
    fn of(sound: Sound) -> Self {
        match sound {
            _ if sound.is_loop() => Self::Ambience,
            Sound::Scratch | Sound::Button => Self::Ui,
            _ => Self::Effects,
        }
    }

    /// Linear volume from 0 to 1. Settings are squared, because hearing is not linear: half the
    /// number is about half as loud.
    pub fn volume(self, volumes: &Volumes) -> f32 {
        let own = match self {
            Self::Ambience => volumes.ambience,
            Self::Effects => volumes.effects,
            Self::Ui => volumes.ui,
        };
        let share = |percent: u8| (f32::from(percent) / 100.0).powi(2);
        share(own) * share(volumes.master)
    }
}

/// The generated sounds, and those still being generated.
#[derive(Resource, Default)]
struct SoundBank {
    making: Vec<(Sound, Task<Arc<[u8]>>)>,
    made: HashMap<Sound, Handle<AudioSource>>,
}

fn make(mut sound_bank: ResMut<SoundBank>) {
    let pool = AsyncComputeTaskPool::get();
    let begin = |sound: Sound| (sound, pool.spawn(async move { sound.wav() }));
    sound_bank.making = Sound::all().map(begin).collect();
}

fn fill(mut sound_bank: ResMut<SoundBank>, mut sources: ResMut<Assets<AudioSource>>) {
    if sound_bank.making.is_empty() {
        return;
    }
    let SoundBank { making, made } = &mut *sound_bank;
    making.retain_mut(|(sound, task)| {
        let bytes = check_ready(task);
        let is_made = bytes.is_some();
        if let Some(bytes) = bytes {
            made.insert(*sound, sources.add(AudioSource { bytes }));
        }
        !is_made
    });
}

/// A sound that is playing, with the seconds left.
#[derive(Component)]
struct PlayingSound {
    sound: Sound,
    left: f32,
}

/// Most sounds at once, and seconds within which a sound does not repeat.
const MAX_SOUNDS: usize = 12;
const MIN_GAP: f32 = 0.045;

fn play(
    mut wanted: MessageReader<Play>,
    sound_bank: Res<SoundBank>,
    settings: Res<Settings>,
    heard: Query<&PlayingSound>,
    mut count: Local<usize>,
    mut commands: Commands,
) {
    let mut begun: Vec<Sound> = vec![];
    for &Play(sound) in wanted.read() {
        let group = SoundGroup::of(sound);
        let volume = group.volume(&settings.volumes);
        let Some(source) = sound_bank.made.get(&sound) else {
            continue;
        };
        let just = |s: &PlayingSound| s.sound == sound && sound.seconds() as f32 - s.left < MIN_GAP;
        let too_many = heard.iter().count() + begun.len() >= MAX_SOUNDS;
        if volume <= 0.0 || too_many || begun.contains(&sound) || heard.iter().any(just) {
            continue;
        }
        begun.push(sound);
        // Varies the pitch, so that repeats don't sound the same.
        *count += 1;
        let speed = [1.0, 0.96, 1.03, 0.98, 1.05][*count % 5];
        commands.spawn((
            PlayingSound {
                sound,
                left: sound.seconds() as f32,
            },
            group,
            AudioPlayer(source.clone()),
            PlaybackSettings {
                mode: PlaybackMode::Once,
                volume: Volume::Linear(volume),
                speed,
                ..default()
            },
        ));
    }
}

/// Despawns finished sounds, with or without an audio device.
fn clear(
    mut heard: Query<(Entity, &mut PlayingSound)>,
    time: Res<Time<Real>>,
    mut commands: Commands,
) {
    for (entity, mut playing) in &mut heard {
        playing.left -= time.delta_secs();
        if playing.left < -0.3 {
            commands.entity(entity).despawn();
        }
    }
}

/// Starts the ambience once it is generated; it loops forever.
fn ambience(
    sound_bank: Res<SoundBank>,
    settings: Res<Settings>,
    mut done: Local<bool>,
    mut commands: Commands,
) {
    let Some(source) = sound_bank.made.get(&Sound::Ambience).filter(|_| !*done) else {
        return;
    };
    *done = true;
    commands.spawn(looped(source, &settings));
}

/// A sound of the ambience group that loops.
fn looped(source: &Handle<AudioSource>, settings: &Settings) -> impl Bundle {
    let volume = SoundGroup::Ambience.volume(&settings.volumes);
    (
        SoundGroup::Ambience,
        AudioPlayer(source.clone()),
        PlaybackSettings {
            mode: PlaybackMode::Loop,
            volume: Volume::Linear(volume),
            ..default()
        },
    )
}

/// A looping sound of the current level.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelSound(pub Sound);

/// Least water cells for the sound of water.
const HEARD_WATER: usize = 6;

/// The looping sounds of a level.
pub fn sounds_of_level(level: &Level) -> Vec<Sound> {
    let board = level.board();
    let is_water = |&cell: &_| board.ground(cell).is_some_and(|ground| ground.water);
    let has_water = board.cells().filter(is_water).count() >= HEARD_WATER;
    let air = match level.light {
        Light::Torches => Sound::Fire,
        Light::Day | Light::Dusk | Light::Night | Light::Cold => Sound::Wind,
    };
    let water = has_water.then_some(Sound::Water);
    std::iter::once(air).chain(water).collect()
}

/// Starts the sounds of a level with its battle and stops them at its end.
fn level_sounds(
    sound_bank: Res<SoundBank>,
    settings: Res<Settings>,
    (session, screen): (Option<Res<Session>>, Res<State<Screen>>),
    heard: Query<(Entity, &LevelSound)>,
    mut commands: Commands,
) {
    let session = session.filter(|_| *screen.get() == Screen::Battle);
    let wanted = match &session {
        Some(session) if session.is_changed() || heard.is_empty() => {
            sounds_of_level(session.game.level())
        }
        Some(_) => return,
        None => vec![],
    };
    for (entity, playing) in &heard {
        if !wanted.contains(&playing.0) {
            commands.entity(entity).despawn();
        }
    }
    for sound in wanted {
        let Some(source) = sound_bank.made.get(&sound) else {
            continue;
        };
        if heard.iter().any(|(_, playing)| playing.0 == sound) {
            continue;
        }
        commands.spawn((LevelSound(sound), looped(source, &settings)));
    }
}

/// Applies volume settings to sounds that are playing.
fn mix(settings: Res<Settings>, mut sinks: Query<(&SoundGroup, &mut AudioSink)>) {
    if !settings.is_changed() {
        return;
    }
    for (group, mut sink) in &mut sinks {
        sink.set_volume(Volume::Linear(group.volume(&settings.volumes)));
    }
}

fn on_button(_: On<Activate>, mut out: MessageWriter<Play>) {
    out.write(Play(Sound::Button));
}

fn on_box(_: On<ValueChange<bool>>, mut out: MessageWriter<Play>) {
    out.write(Play(Sound::Button));
}

/// Plays a sample when a volume is set.
fn on_slider(
    on: On<ValueChange<f32>>,
    sliders: Query<&super::settings::screen::Loudness>,
    mut out: MessageWriter<Play>,
) {
    use super::settings::screen::Loudness;
    if let Ok(loudness) = sliders.get(on.source)
        && on.is_final
    {
        match loudness {
            Loudness::Ambience => {}
            Loudness::Ui => {
                out.write(Play(Sound::Button));
            }
            Loudness::Master | Loudness::Effects => {
                out.write(Play(Sound::Hit));
            }
        }
    }
}

fn hear_events(
    mut events: MessageReader<EventShown>,
    mut bursts: MessageReader<BurstShown>,
    mut silence: ResMut<AmbienceSilence>,
    session: Option<Res<Session>>,
    mut out: MessageWriter<Play>,
    mut ranged: Local<Vec<u32>>,
) {
    let Some(session) = session else { return };
    for played in events.read() {
        if matches!(played.weight, Weight::Key | Weight::Lost) {
            silence.0 = SILENCE_SECONDS;
        }
        if let Some(sound) = sound_of(played, session.player(), &mut ranged) {
            out.write(Play(sound));
        }
    }
    out.write_batch(bursts.read().map(|burst| Play(burst_sound(burst.0))));
}

/// The sound of an event; `None` if it is silent. `ranged`: serial numbers of ranged attacks that
/// are rolled and not yet resolved.
fn sound_of(played: &EventShown, player: Side, ranged: &mut Vec<u32>) -> Option<Sound> {
    let EventShown { event, weight } = played;
    if let EventKind::TurnBegan { side } = &event.what
        && *side != player
    {
        return None;
    }
    let flies = match &event.what {
        EventKind::AttackRolled { rolled_attack } => {
            ranged.extend(rolled_attack.attack.ranged.then_some(rolled_attack.serial));
            false
        }
        EventKind::AttackResolved { serial, .. } => {
            let flies = ranged.iter().position(|s| s == serial);
            flies.map(|n| ranged.swap_remove(n)).is_some()
        }
        _ => false,
    };
    if let EventKind::Flees { .. } = &event.what {
        return Some(Sound::Rout);
    }
    use CueKind::*;
    Some(match event.cue()?.kind {
        Turn => Sound::Turn,
        Spell => Sound::Spell,
        Defense => Sound::Parry,
        Step | Enter | Stance | Thing => Sound::Step,
        Dice => Sound::Dice,
        Pass => Sound::Pass,
        Fail => Sound::Fail,
        Hit | Miss if flies => Sound::Shot,
        Miss if *weight == Weight::Blocked => Sound::Parry,
        Miss => Sound::Miss,
        // A hit is heard through its damage.
        Wound if *weight == Weight::Heavy => Sound::HeavyHit,
        Wound => Sound::Hit,
        Harm => Sound::Stress,
        Heal => Sound::Heal,
        Fall if *weight == Weight::Key => Sound::Knell,
        Fall | Death if *weight == Weight::Lost => Sound::Loss,
        Fall => Sound::Fall,
        Door => Sound::Door,
        Hit | Act | Stop | Leave | Good | Bad | Death | Alarm | Over => return None,
    })
}

/// The sound of a spell taking effect.
fn burst_sound(burst: Burst) -> Sound {
    match burst {
        Burst::Flame => Sound::Flame,
        Burst::Frost => Sound::Frost,
        Burst::Light => Sound::Light,
        Burst::Force => Sound::HeavyHit,
        Burst::Healing => Sound::Heal,
        Burst::Ward | Burst::Haste => Sound::Ward,
        Burst::Hold | Burst::Hex => Sound::Hold,
        Burst::Sleep => Sound::Sleep,
    }
}

/// Seconds for which the ambience stays quiet after the fall of a key unit or the loss of one of
/// the player's units.
#[derive(Resource, Default, Debug)]
pub struct AmbienceSilence(f32);

/// Seconds of quiet in total, and seconds in which the ambience returns at their end.
const SILENCE_SECONDS: f32 = 1.6;
const RETURN_SECONDS: f32 = 0.5;

impl AmbienceSilence {
    /// Current volume of the ambience as a share of the usual, from 0 to 1.
    pub fn share(&self) -> f32 {
        (1.0 - self.0 / RETURN_SECONDS).clamp(0.0, 1.0)
    }
}

fn keep_silent(
    mut silence: ResMut<AmbienceSilence>,
    settings: Res<Settings>,
    mut sinks: Query<(&SoundGroup, &mut AudioSink)>,
    time: Res<Time>,
) {
    if silence.0 <= 0.0 {
        return;
    }
    silence.0 = (silence.0 - time.delta_secs()).max(0.0);
    for (group, mut sink) in &mut sinks {
        if *group == SoundGroup::Ambience {
            let volume = group.volume(&settings.volumes) * silence.share();
            sink.set_volume(Volume::Linear(volume));
        }
    }
}

/// Least time between pencil sounds, since the pointer may sweep over many cells.
const MIN_PENCIL_GAP: Duration = Duration::from_millis(240);

/// Plays a pencil sound when a path is previewed.
fn hear_paths(
    preview: Res<ActionPreview>,
    selection: Res<Selection>,
    time: Res<Time>,
    mut last: Local<(Option<crate::grid::Cell>, Duration)>,
    mut out: MessageWriter<Play>,
) {
    let is_path = matches!(preview.click, Click::Move(_));
    let now = selection.cursor.filter(|_| is_path);
    if now == last.0 {
        return;
    }
    last.0 = now;
    if now.is_some() && time.elapsed() - last.1 >= MIN_PENCIL_GAP {
        last.1 = time.elapsed();
        out.write(Play(Sound::Scratch));
    }
}
