//! Automatic saves: the current state at every prompt, on leaving the battle and on closing
//! the window; the start of the round; every finished battle. A battle of the Road is
//! saved only in the file of its run, so that the player cannot return to an earlier state.
//!
//! A running game claims the battle that it plays ([`SaveFolder::claim`]). Another
//! running game that loads the same battle continues with a copy.

use super::{
    NOWHERE, Shelves,
    index::{self, Claim, SaveEntry, SaveFolder, SaveKind},
};
use crate::{
    control::recording::{Recording, SaveInfo},
    ui::{
        Phase, Screen, Session,
        app_command::{AppCommand, SaveCommand},
        modal::Modal,
        screens::{
            review::Puzzle,
            road::{self, Road},
        },
        session::{self, Ready, TestBattle, Unloadable, now},
        settings::Toast,
    },
    words,
};
use bevy::{ecs::system::SystemParam, prelude::*};
use std::path::{Path, PathBuf};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Autosave>();
    app.add_systems(OnEnter(Screen::Battle), begin.after(session::begin));
    app.add_systems(OnExit(Screen::Battle), keep_now.run_if(is_kept));
    app.add_systems(
        Update,
        (
            apply_save_commands.in_set(Phase::Commands),
            keep_turn
                .in_set(Phase::Foresee)
                .run_if(is_kept)
                .run_if(in_state(Screen::Battle)),
        ),
    );
    app.add_systems(
        Last,
        keep_now
            .run_if(is_kept)
            .run_if(on_message::<AppExit>)
            .run_if(in_state(Screen::Battle)),
    );
}

/// The least time between two autosaves while other sides act, in seconds.
const BETWEEN: f32 = 0.4;
/// How many unfinished battles are kept per level.
const AUTOSAVES: usize = 8;
/// How many finished battles are kept per level.
pub const REPLAYS: usize = 30;

/// What has been saved of the running battle.
#[derive(Resource, Debug, Default)]
pub struct Autosave {
    /// The part of the autosave's file name that belongs to the battle.
    slot: String,
    /// The slot of the next battle, if it continues an existing autosave.
    next_slot: Option<String>,
    claim: Option<Claim>,
    /// The sequence of the last autosave; 0 if none was written yet.
    sequence: u64,
    /// What the autosave has, see [`progress`]. `None` if there is no autosave yet.
    kept: Option<(usize, usize)>,
    /// The last round whose start was saved.
    round: u16,
    /// When the last autosave was written, in seconds since the game started.
    kept_at: f32,
    /// The player had a prompt in the last frame.
    was_asked: bool,
    /// A message that saving failed has been shown.
    has_complained: bool,
}

impl Autosave {
    /// The next battle is the running one, started again: reuse its autosave.
    pub fn reuse_slot(&mut self) {
        self.next_slot = Some(self.slot.clone());
    }

    /// Whether leaving the battle saves it.
    pub fn keeps(&self) -> bool {
        !self.has_complained
    }
}

/// Whether the battle counts: test play and puzzles of a review are not saved and win no star.
pub fn is_kept(test_battle: Option<Res<TestBattle>>, puzzle: Option<Res<Puzzle>>) -> bool {
    test_battle.is_none() && puzzle.is_none()
}

fn begin(mut autosave: ResMut<Autosave>, mut session: ResMut<Session>, shelves: Res<Shelves>) {
    autosave.round = session.shown().clock.round;
    // Release the claim first: this may be the same battle, loaded again.
    autosave.claim = None;
    autosave.sequence = 0;
    if session.replay().is_some() {
        return;
    }
    let mut slot = autosave.next_slot.take();
    if let Some(shelf) = &shelves.saves {
        autosave.claim = shelf.claim(session.game.id());
        if autosave.claim.is_none() {
            session.bypass_change_detection().game.renew_id();
            autosave.claim = shelf.claim(session.game.id());
            slot = None;
        }
    }
    let is_written = |slot: &String| {
        let path = shelves.saves.as_ref()?.path(&format!("auto-{slot}"));
        path.exists().then(|| progress(&session))
    };
    autosave.kept = slot.as_ref().and_then(is_written);
    autosave.slot = slot.unwrap_or_else(session::fresh_id);
}

/// How far the battle has come: its number of answers, and the step of the lesson.
fn progress(session: &Session) -> (usize, usize) {
    (session.game.answered(), session.game.lesson_step)
}

/// Saves the battle at every new prompt for the player. While other sides act, it
/// saves from time to time, so that the player's last action, often the end of the
/// turn, is never lost.
fn keep_turn(mut keeper: Keeper, time: Res<Time<Real>>) {
    let Keeper {
        session, autosave, ..
    } = &mut keeper;
    let is_asked = session.question().is_some() || session.awaits_end_of_turn();
    let was_asked = std::mem::replace(&mut autosave.was_asked, is_asked);
    let now = time.elapsed_secs();
    let is_due = is_asked || was_asked || now - autosave.kept_at > BETWEEN;
    if is_due && autosave.kept != Some(progress(session)) {
        autosave.kept_at = now;
        keeper.keep();
    }
}

/// Saves the battle at any moment. A battle whose end is decided counts as finished,
/// even if its events are not shown yet.
fn keep_now(mut keeper: Keeper) {
    if !keeper.session.game.is_over() || keeper.session.replay().is_some() {
        return keeper.keep();
    }
    if keeper.road.is_fighting(&keeper.session) {
        let written = keeper.road.save_battle(keeper.session.recording(""));
        keeper.complain(written);
    }
    keeper.put_away();
}

/// The system parameters that saving needs.
#[derive(SystemParam)]
struct Keeper<'w> {
    session: Res<'w, Session>,
    autosave: ResMut<'w, Autosave>,
    shelves: Res<'w, Shelves>,
    road: ResMut<'w, Road>,
    app_commands: MessageWriter<'w, AppCommand>,
}

impl Keeper<'_> {
    fn keep(&mut self) {
        let (session, autosave) = (&self.session, &mut self.autosave);
        let progress = progress(session);
        if session.replay().is_some() || session.game.is_over() || autosave.kept == Some(progress) {
            return;
        }
        let mut recording = session.recording("");
        // Counted here because reading all files every turn is slow.
        autosave.sequence = match autosave.sequence {
            0 => next_sequence(&self.shelves, &self.road),
            last => last.saturating_add(1),
        };
        if let Some(save_info) = &mut recording.save_info {
            save_info.sequence = autosave.sequence;
        }
        if self.road.is_fighting(session) {
            autosave.kept = Some(progress);
            let written = self.road.save_battle(recording);
            return self.complain(written);
        }
        let Some(shelf) = &self.shelves.saves else {
            return;
        };
        let is_first = autosave.kept.replace(progress).is_none();
        let mut written = shelf.save(&format!("auto-{}", autosave.slot), &recording);
        let round = session.shown().clock.round;
        if round != autosave.round {
            autosave.round = round;
            let round = shelf.save(&format!("round-{}", autosave.slot), &recording);
            written = written.and(round);
        }
        if is_first {
            for kind in [SaveKind::Auto, SaveKind::Round, SaveKind::Left] {
                shelf.delete_oldest(kind, AUTOSAVES);
            }
        }
        self.complain(written.map(drop));
    }

    /// Shows once per battle that it cannot be saved.
    fn complain(&mut self, written: Result<(), String>) {
        if let Err(why) = written
            && !std::mem::replace(&mut self.autosave.has_complained, true)
        {
            let title = String::from("The battle can't be saved");
            let words = format!("{why}. You can keep playing.");
            self.app_commands.write(AppCommand::Tell(title, words));
        }
    }

    /// Turns a finished battle into a replay. *Continue* then ignores its other
    /// autosaves: they are renamed and stay in the list only.
    fn put_away(&self) {
        let (session, slot) = (&self.session, &self.autosave.slot);
        if let Some(shelf) = &self.shelves.replays {
            // A missing replay is no reason to keep the player from the result.
            let _ = shelf.save(&format!("auto-{slot}"), &session.recording(""));
            shelf.delete_oldest(SaveKind::Auto, REPLAYS);
        }
        let Some(shelf) = &self.shelves.saves else {
            return;
        };
        for kind in ["auto", "round"] {
            let _ = shelf.remove(&shelf.path(&format!("{kind}-{slot}")));
        }
        let is_course = |e: &SaveEntry| e.kind == SaveKind::Auto && e.battle() == session.game.id();
        for entry in shelf.list().into_iter().filter(is_course) {
            if let Some(slot) = slot_of(&entry.path) {
                let _ = shelf.rename(&entry.path, &format!("left-{slot}"));
            }
        }
    }
}

/// A sequence number higher than that of every save, including the battle of the Road.
fn next_sequence(shelves: &Shelves, road: &Road) -> u64 {
    let saves = shelves.saves.as_ref().map_or(1, SaveFolder::next_sequence);
    saves.max(sequence(road.fighting()).saturating_add(1))
}

fn sequence(recording: Option<&Recording>) -> u64 {
    let save_info = recording.and_then(|recording| recording.save_info.as_ref());
    save_info.map_or(0, |save_info| save_info.sequence)
}

/// The battle that *Continue* loads.
pub enum Latest {
    Save(Box<SaveEntry>),
    /// The battle of the run on the Road.
    Road(SaveInfo),
}

impl Latest {
    /// A description for players: "The hen house · round 3 · just now".
    pub fn line(&self) -> String {
        let (save_info, road) = match self {
            Self::Save(entry) => match entry.save_info() {
                Some(save_info) => (save_info, ""),
                None => return entry.file(),
            },
            Self::Road(save_info) => (save_info, "The Road: "),
        };
        let round = words::round(save_info.round);
        let ago = index::ago(save_info.when, now());
        format!("{road}{} · {round} · {ago}", save_info.title)
    }
}

/// The battle that was left last. Only autosaves count, as every battle is autosaved on
/// leaving; a save made by the player can be of a battle that was finished since.
pub fn latest(shelves: &Shelves, road: &Road) -> Option<Latest> {
    let goes_on = |e: &SaveEntry| e.kind == SaveKind::Auto && e.found.is_ok() && !e.is_replay();
    let all = shelves.saves.iter().flat_map(SaveFolder::list);
    let entry = all.into_iter().find(goes_on);
    let own = road.fighting().and_then(|battle| battle.save_info.clone());
    let last = entry.as_ref().and_then(SaveEntry::save_info);
    match own {
        Some(own) if last.is_none_or(|last| last.sequence < own.sequence) => {
            Some(Latest::Road(own))
        }
        _ => entry.map(|entry| Latest::Save(Box::new(entry))),
    }
}

/// The file of a battle's quick save.
fn quick(shelf: &SaveFolder, session: &Session) -> PathBuf {
    shelf.path(&format!("quick-{}", session.game.id()))
}

/// The quick save that a quick load means: that of the battle on the screen, otherwise the newest one
/// that can be read.
fn quick_save(shelf: &SaveFolder, session: &Session) -> Option<SaveEntry> {
    let own = quick(shelf, session);
    if own.exists() {
        return Some(index::read(own));
    }
    let is_quick = |e: &SaveEntry| e.kind == SaveKind::Quick && e.found.is_ok();
    shelf.list().into_iter().find(is_quick)
}

/// The slot in the file name of an autosave.
fn slot_of(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_string_lossy();
    stem.strip_prefix("auto-").map(str::to_owned)
}

/// Continues a session that was loaded from a file.
pub fn go_on(world: &mut World, session: Session, path: &Path) {
    world.resource_mut::<Autosave>().next_slot = slot_of(path);
    show(world, session);
}

/// Shows a session on the battle screen and closes everything above it.
pub fn show(world: &mut World, session: Session) {
    let mut modals = world.query_filtered::<Entity, With<Modal>>();
    let above: Vec<Entity> = modals.iter(world).collect();
    for modal in above {
        world.despawn(modal);
    }
    world.insert_resource(Ready(session));
    let mut next = world.resource_mut::<NextState<Screen>>();
    next.set(Screen::Battle);
}

/// Loads a file and continues its battle. If only the beginning still works, asks
/// whether to play on from there; if nothing does, says why.
fn load(world: &mut World, entry: &SaveEntry) {
    let app_command = match entry.load() {
        Ok(session) => {
            world.remove_resource::<TestBattle>();
            let (title, round) = (&session.game.level().title, session.shown().clock.round);
            let message = format!("Loaded: {title}, round {round}");
            go_on(world, session, &entry.path);
            world.write_message(Toast(message));
            return;
        }
        Err(broken) if broken.valid_answers > 0 => salvage(&entry.path, &broken),
        Err(broken) => {
            let title = String::from("This save can't be loaded");
            let (why, path) = (broken.why, entry.path.display());
            AppCommand::Tell(title, format!("{why}\nThe file is not changed: {path}"))
        }
    };
    world.write_message(app_command);
}

/// The question whether to play on from the last moment that still works.
pub fn salvage(path: &Path, broken: &Unloadable) -> AppCommand {
    AppCommand::Ask(Box::new(AppCommand::Save(SaveCommand::Salvage {
        path: path.to_owned(),
        answers: broken.valid_answers,
        why: broken.why.clone(),
    })))
}

/// Continues from the part of a file that still works, in a new slot, so that the
/// file stays unchanged.
fn go_on_from(world: &mut World, path: &Path, answers: usize) {
    let entry = super::index::read(path.to_owned());
    let is_replay = entry.is_replay();
    let recording = entry.found.ok();
    let loaded = recording.and_then(|r| Session::load_to(&r, Some(answers)).ok());
    match loaded {
        Some(session) if is_replay => show(world, session.into_replay()),
        Some(session) => show(world, session),
        // The file could be read a moment ago, so it has changed.
        None => {
            let title = String::from("This save can't be loaded");
            let why = format!("{} has changed in the meantime.", path.display());
            world.write_message(AppCommand::Tell(title, why));
        }
    }
}

/// Quick saves, quick loads, continues the last battle, and plays on from the part of
/// a file that still works.
fn apply_save_commands(
    mut app_commands: MessageReader<AppCommand>,
    session: Option<Res<Session>>,
    (test_battle, puzzle): (Option<Res<TestBattle>>, Option<Res<Puzzle>>),
    mut toasts: MessageWriter<Toast>,
    (shelves, road): (Res<Shelves>, Res<Road>),
    mut commands: Commands,
    screen: Res<State<Screen>>,
) {
    let on_road = session.as_ref().filter(|s| road.is_fighting(s)).is_some();
    let is_kept = is_kept(test_battle, puzzle);
    let mut tell = |words: &str| {
        toasts.write(Toast(String::from(words)));
    };
    for app_command in app_commands.read() {
        let AppCommand::Save(command) = app_command else {
            continue;
        };
        match (command, &shelves.saves) {
            (SaveCommand::Salvage { path, answers, .. }, _) => {
                let (path, answers) = (path.clone(), *answers);
                commands.queue(move |world: &mut World| go_on_from(world, &path, answers));
            }
            (SaveCommand::QuickSave, _) if on_road => {
                tell("The Road saves itself after every order.");
            }
            (SaveCommand::QuickLoad, _) if on_road => {
                tell("A battle of the Road is fought once: you can't load an earlier moment.");
            }
            (SaveCommand::QuickSave | SaveCommand::QuickLoad, _) if !is_kept => {
                tell("Test battles and puzzles have no quick save.");
            }
            (_, None) => tell(NOWHERE),
            (SaveCommand::Continue, Some(_)) if *screen != Screen::Title => {}
            (SaveCommand::Continue, Some(_)) => match latest(&shelves, &road) {
                Some(Latest::Save(entry)) => {
                    commands.queue(move |world: &mut World| load(world, &entry));
                }
                Some(Latest::Road(_)) => road::resume(&mut commands),
                None => {}
            },
            (SaveCommand::QuickSave, Some(shelf)) => match &session {
                Some(session) if session.replay().is_none() => {
                    let recording = session.recording("");
                    match shelf.write(&quick(shelf, session), &recording) {
                        Ok(()) => tell("Saved. F9 loads it."),
                        Err(why) => tell(&why),
                    }
                }
                _ => tell("A replay can't be saved again."),
            },
            (SaveCommand::QuickLoad, Some(shelf)) => {
                match session.as_ref().and_then(|s| quick_save(shelf, s)) {
                    Some(entry) => commands.queue(move |world: &mut World| load(world, &entry)),
                    None => tell("There is no quick save yet: press F5 in a battle."),
                }
            }
        }
    }
}
