//! What is kept without being asked: the battle as it stands after every turn,
//! when it is left and when the window is closed; the beginning of the round;
//! every battle that is over.

use super::{
    NOWHERE, Shelves,
    shelf::{Entry, Kind, Shelf},
};
use crate::ui::{
    Phase, Pick, Screen, Session,
    errand::Errand,
    session::{self, Ready},
    veil::Veil,
};
use bevy::prelude::*;
use std::path::Path;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Keeper>();
    app.add_systems(OnEnter(Screen::Battle), begin.after(session::begin));
    app.add_systems(OnExit(Screen::Battle), keep_now);
    app.add_systems(OnEnter(Screen::Result), put_away);
    app.add_systems(
        Update,
        (
            obey.in_set(Phase::Obey),
            keep_turn
                .in_set(Phase::Foresee)
                .run_if(in_state(Screen::Battle)),
        ),
    );
    app.add_systems(
        Last,
        keep_now
            .run_if(on_message::<AppExit>)
            .run_if(resource_exists::<Session>),
    );
}

/// Seconds at least between two writings while the others act.
const BETWEEN: f32 = 0.4;
/// So many battles are kept as they stood when they were left.
const AUTOSAVES: usize = 8;
/// And so many that are over.
pub const REPLAYS: usize = 30;

/// What has been written of the running battle.
#[derive(Resource, Debug, Default)]
pub struct Keeper {
    /// The battle's own part of the names of its files.
    slot: String,
    /// The slot of the battle that is about to begin, if it goes on from there.
    next_slot: Option<String>,
    /// The answers and the round that were written last.
    answered: usize,
    round: u16,
    /// When that was, in seconds of the run.
    kept_at: f32,
    /// The player was asked something a frame ago.
    was_asked: bool,
    /// Battles begun in this run.
    count: u32,
    /// What could not be written was told.
    has_complained: bool,
}

fn begin(mut keeper: ResMut<Keeper>, session: Res<Session>) {
    keeper.count += 1;
    let fresh = format!("{}-{}-{}", session::now(), std::process::id(), keeper.count);
    keeper.slot = keeper.next_slot.take().unwrap_or(fresh);
    (keeper.answered, keeper.round) = (session.answered(), session.shown().clock.round);
}

/// Writes the battle as it stands, once a question is new to the player; and
/// now and then while the others act, so that what the player did last, the end
/// of the turn above all, is never lost.
fn keep_turn(
    session: ResMut<Session>,
    mut keeper: ResMut<Keeper>,
    shelves: Res<Shelves>,
    errands: MessageWriter<Errand>,
    time: Res<Time<Real>>,
) {
    let is_asked = session.question().is_some() || session.awaits_end_of_turn();
    let was_asked = std::mem::replace(&mut keeper.was_asked, is_asked);
    let now = time.elapsed_secs();
    let is_due = is_asked || was_asked || now - keeper.kept_at > BETWEEN;
    if is_due && session.answered() != keeper.answered {
        keeper.kept_at = now;
        keep(session, keeper, &shelves, errands);
    }
}

/// Writes the battle as it stands, whatever goes on in it.
fn keep_now(
    session: ResMut<Session>,
    keeper: ResMut<Keeper>,
    shelves: Res<Shelves>,
    errands: MessageWriter<Errand>,
) {
    keep(session, keeper, &shelves, errands);
}

fn keep(
    mut session: ResMut<Session>,
    mut keeper: ResMut<Keeper>,
    shelves: &Shelves,
    mut errands: MessageWriter<Errand>,
) {
    let answered = session.answered();
    if session.tape().is_some() || session.is_over() || answered == keeper.answered {
        return;
    }
    let Some(shelf) = &shelves.saves else { return };
    // Nothing that is shown changes by it.
    let recording = session.bypass_change_detection().recording("");
    let is_first = keeper.answered == 0;
    keeper.answered = answered;
    let mut written = shelf.keep(&format!("auto-{}", keeper.slot), &recording);
    let round = session.shown().clock.round;
    if round != keeper.round {
        keeper.round = round;
        let round = shelf.keep(&format!("round-{}", keeper.slot), &recording);
        written = written.and(round);
    }
    if is_first {
        shelf.thin(Kind::Auto, AUTOSAVES);
        shelf.thin(Kind::Round, AUTOSAVES);
    }
    if let Err(why) = written
        && !keeper.has_complained
    {
        keeper.has_complained = true;
        errands.write(Errand::Tell(
            String::from("The battle cannot be saved"),
            format!("{why}. It goes on all the same."),
        ));
    }
}

/// A battle that is over is a replay from now on.
fn put_away(mut session: ResMut<Session>, keeper: Res<Keeper>, shelves: Res<Shelves>) {
    if let Some(shelf) = &shelves.replays {
        let recording = session.bypass_change_detection().recording("");
        // A replay less is no reason to come between the player and the result.
        let _ = shelf.keep(&format!("auto-{}", keeper.slot), &recording);
        shelf.thin(Kind::Auto, REPLAYS);
    }
    if let Some(shelf) = &shelves.saves {
        for kind in ["auto", "round"] {
            let _ = shelf.remove(&shelf.path(&format!("{kind}-{}", keeper.slot)));
        }
    }
}

/// The youngest save that can be gone on with.
pub fn latest(shelf: &Shelf) -> Option<Entry> {
    let goes_on = |e: &Entry| e.found.is_ok() && !e.is_replay();
    shelf.list().into_iter().find(goes_on)
}

/// The part of an autosave's name that is its battle's own.
fn slot_of(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_string_lossy();
    stem.strip_prefix("auto-").map(str::to_owned)
}

/// Goes on with a session that was loaded from a file.
pub fn go_on(world: &mut World, session: Session, path: &Path) {
    world.resource_mut::<Keeper>().next_slot = slot_of(path);
    show(world, session);
}

/// Shows a session on the battle screen, and nothing above it.
pub fn show(world: &mut World, session: Session) {
    let mut veils = world.query_filtered::<Entity, With<Veil>>();
    let above: Vec<Entity> = veils.iter(world).collect();
    for veil in above {
        world.despawn(veil);
    }
    world.insert_resource(Ready(session));
    world
        .resource_mut::<NextState<Screen>>()
        .set(Screen::Battle);
}

/// Loads a file and goes on with it, or tells why not.
fn load(world: &mut World, entry: &Entry) {
    let found = entry.found.as_ref().map_err(String::clone);
    match found.and_then(Session::load) {
        Ok(session) => go_on(world, session, &entry.path),
        Err(why) => {
            world.write_message(Errand::Tell(
                String::from("This save cannot be loaded"),
                format!("{why}\nThe file is kept: {}", entry.path.display()),
            ));
        }
    }
}

fn obey(
    mut errands: MessageReader<Errand>,
    mut session: Option<ResMut<Session>>,
    mut pick: ResMut<Pick>,
    shelves: Res<Shelves>,
    mut commands: Commands,
    screen: Res<State<Screen>>,
) {
    for errand in errands.read() {
        match (errand, &shelves.saves) {
            (Errand::QuickSave | Errand::QuickLoad | Errand::Continue, None) => pick.say(NOWHERE),
            (Errand::QuickSave, Some(shelf)) => {
                let Some(session) = session.as_mut().filter(|s| s.tape().is_none()) else {
                    continue;
                };
                let recording = session.bypass_change_detection().recording("");
                pick.say(match shelf.keep("quick", &recording) {
                    Ok(_) => String::from("Saved. F9 loads it."),
                    Err(why) => why,
                });
            }
            (Errand::QuickLoad, Some(shelf)) => {
                let quick = shelf.list().into_iter().find(|e| e.kind == Kind::Quick);
                match quick {
                    Some(entry) => commands.queue(move |world: &mut World| load(world, &entry)),
                    None => pick.say("There is no quick save yet: F5 makes one."),
                }
            }
            (Errand::Continue, Some(shelf)) if *screen == Screen::Title => {
                if let Some(entry) = latest(shelf) {
                    commands.queue(move |world: &mut World| load(world, &entry));
                }
            }
            _ => {}
        }
    }
}
