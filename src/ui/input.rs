//! The keyboard. Which key means what stands here once; tooltips read it too.

use super::{Command, Phase, Pick, Prospect, Screen, board::Overlay, read::TAKEN};
use bevy::prelude::*;
use leafwing_input_manager::{plugin::InputManagerSystem, prelude::*};

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(InputManagerPlugin::<Key>::default());
    app.add_systems(Startup, lay_hands);
    app.add_systems(
        PreUpdate,
        catch_taps.in_set(InputManagerSystem::ManualControl),
    );
    app.add_systems(
        Update,
        battle_keys
            .in_set(Phase::Input)
            .run_if(in_state(Screen::Battle)),
    );
}

/// What can be done by keys, on whatever screen.
#[derive(Actionlike, Clone, Copy, PartialEq, Eq, Hash, Debug, Reflect)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    /// Do it: act, start, answer yes.
    Confirm,
    /// Leave it: disarm, go back, answer no.
    Back,
    Next,
    Previous,
    Member(u8),
    /// A button of the act bar.
    Act(char),
    Other,
    Done,
    EndTurn,
    Undo,
    Skip,
    /// The path is to lead by this cell.
    Via,
    /// Every act.
    More,
    /// Something that is laid over the board.
    Overlay(Overlay),
    /// Go faster while it is held.
    Faster,
    /// New dice on the title screen.
    Reroll,
}

/// Where the key map lies.
#[derive(Component)]
pub struct Hands;

/// The letter on the keyboard.
fn letter(c: char) -> Option<KeyCode> {
    use KeyCode::*;
    let keys = [
        KeyA, KeyB, KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO,
        KeyP, KeyQ, KeyR, KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ,
    ];
    let n = u32::from(c.to_ascii_lowercase()).checked_sub(u32::from('a'))?;
    keys.get(n as usize).copied()
}

/// The keys as they come with the game.
pub fn standard_keys() -> InputMap<Key> {
    let mut map = InputMap::new([
        (Key::Up, KeyCode::ArrowUp),
        (Key::Down, KeyCode::ArrowDown),
        (Key::Left, KeyCode::ArrowLeft),
        (Key::Right, KeyCode::ArrowRight),
        (Key::Confirm, KeyCode::Enter),
        (Key::Confirm, KeyCode::NumpadEnter),
        (Key::Back, KeyCode::Escape),
        (Key::Next, KeyCode::Tab),
        (Key::Other, KeyCode::KeyW),
        (Key::Done, KeyCode::KeyN),
        (Key::EndTurn, KeyCode::KeyE),
        (Key::Undo, KeyCode::KeyU),
        (Key::Skip, KeyCode::Space),
        (Key::Via, KeyCode::KeyV),
        (Key::More, KeyCode::KeyQ),
        (Key::Overlay(Overlay::Sight), KeyCode::F2),
        (Key::Overlay(Overlay::Threats), KeyCode::F3),
        (Key::Overlay(Overlay::Cover), KeyCode::F4),
        (Key::Overlay(Overlay::Heights), KeyCode::F6),
        (Key::Faster, KeyCode::Period),
        (Key::Reroll, KeyCode::KeyR),
    ]);
    map.insert(
        Key::Previous,
        ButtonlikeChord::modified(ModifierKey::Shift, KeyCode::Tab),
    );
    let digits = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
        KeyCode::Digit7,
        KeyCode::Digit8,
        KeyCode::Digit9,
    ];
    for (n, key) in digits.into_iter().enumerate() {
        map.insert(Key::Member(n as u8), key);
    }
    for act in ('a'..='z').filter(|c| !TAKEN.contains(*c)) {
        if let Some(key) = letter(act) {
            map.insert(Key::Act(act), key);
        }
    }
    map
}

/// What is written on the key that does it, as the game comes.
pub fn key_name(key: Key) -> &'static str {
    match key {
        Key::Overlay(Overlay::Sight) => "F2",
        Key::Overlay(Overlay::Threats) => "F3",
        Key::Overlay(Overlay::Cover) => "F4",
        Key::Overlay(Overlay::Heights) => "F6",
        Key::Faster => ".",
        _ => "",
    }
}

fn lay_hands(mut commands: Commands) {
    commands.spawn((Hands, standard_keys(), ActionState::<Key>::default()));
}

/// A key that goes down and up again within one slow frame was pressed all the
/// same.
fn catch_taps(
    keys: Res<ButtonInput<KeyCode>>,
    hands: Single<(&InputMap<Key>, &mut ActionState<Key>), With<Hands>>,
) {
    let (map, mut state) = hands.into_inner();
    for &code in keys.get_just_pressed().filter(|code| !keys.pressed(**code)) {
        if code == KeyCode::Tab && keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
            state.press(&Key::Previous);
            continue;
        }
        let tapped: Box<dyn Buttonlike> = Box::new(code);
        for (action, inputs) in map.iter_buttonlike() {
            if inputs.contains(&tapped) {
                state.press(action);
            }
        }
    }
}

/// How long a key is held before it repeats, and how often it does then, in
/// seconds.
const REPEAT: (f32, f32) = (0.35, 0.09);

/// Arrow keys repeat while they are held.
#[derive(Default)]
pub struct Repeat {
    held: f32,
}

/// The way in which the cursor is sent this frame.
pub fn arrows(keys: &ActionState<Key>, time: &Time, repeat: &mut Repeat) -> (i16, i16) {
    let ways = [
        (Key::Left, (-1, 0)),
        (Key::Right, (1, 0)),
        (Key::Up, (0, -1)),
        (Key::Down, (0, 1)),
    ];
    let sum = |pressed: &dyn Fn(&Key) -> bool| {
        let on = ways.iter().filter(|w| pressed(&w.0));
        on.fold((0, 0), |sum: (i16, i16), w| (sum.0 + w.1.0, sum.1 + w.1.1))
    };
    let fresh = sum(&|key| keys.just_pressed(key));
    if fresh != (0, 0) {
        repeat.held = 0.0;
        return fresh;
    }
    let held = sum(&|key| keys.pressed(key));
    if held == (0, 0) {
        repeat.held = 0.0;
        return (0, 0);
    }
    let before = repeat.held;
    repeat.held += time.delta_secs();
    let ticks = |t: f32| ((t - REPEAT.0) / REPEAT.1).floor();
    if repeat.held >= REPEAT.0 && ticks(repeat.held) > ticks(before) {
        held
    } else {
        (0, 0)
    }
}

fn battle_keys(
    keys: Single<&ActionState<Key>, With<Hands>>,
    pick: Res<Pick>,
    prospect: Res<Prospect>,
    time: Res<Time>,
    mut repeat: Local<Repeat>,
    mut out: MessageWriter<Command>,
) {
    let menu = prospect.menu.as_ref();
    let (east, south) = arrows(&keys, &time, &mut repeat);
    if let Some(slider) = menu.and_then(|m| m.slider.as_ref()) {
        let by = i32::from(east) - i32::from(south) * slider.stride();
        if by != 0 {
            out.write(Command::Nudge(by));
        }
    } else if (east, south) != (0, 0) {
        out.write(Command::Step(east, south));
    }
    let lets_pass = menu.is_some_and(|m| m.is_reaction) && pick.trail.is_empty();
    // With a list open Enter takes its first row, unless the cursor was sent
    // to something.
    let aims = pick.by_keys && prospect.click.choice().is_some();
    let lists = menu.is_some_and(|m| m.is_reaction || !aims);
    for key in keys.get_just_pressed() {
        let command = match key {
            Key::Confirm if pick.leaving => Command::Leave,
            Key::Back if pick.leaving => Command::AskToLeave(false),
            Key::Confirm if pick.warning.is_some() => Command::Heed(true),
            Key::Back if pick.warning.is_some() => Command::Heed(false),
            // A question out of turn is answered with Enter for the first
            // offer, Esc for the last, which lets the moment pass; or by number.
            Key::Confirm if lists => Command::Reply(0),
            Key::Back if lets_pass => Command::Reply(usize::MAX),
            Key::Member(n) if menu.is_some() => Command::Reply(n.into()),
            Key::Confirm => Command::Go,
            Key::Back => Command::Back,
            Key::Next => Command::Cycle { back: false },
            Key::Previous => Command::Cycle { back: true },
            Key::Member(n) => Command::Member(n.into()),
            Key::Act(c) => Command::Act(c),
            Key::Other => Command::Other,
            Key::Done => Command::Done,
            Key::EndTurn => Command::EndTurn,
            Key::Undo => Command::Undo,
            Key::Skip => Command::Skip,
            Key::Via => Command::Via,
            Key::More => Command::More,
            Key::Overlay(overlay) => Command::Overlay(overlay),
            Key::Up | Key::Down | Key::Left | Key::Right | Key::Faster | Key::Reroll => continue,
        };
        out.write(command);
    }
}
