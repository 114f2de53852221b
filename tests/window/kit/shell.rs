//! Helpers for screens: open, click, leave.

use super::game::Game;
use bevy::prelude::*;
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::Ruleset,
    control::{
        Player,
        recording::{Recording, SideController},
    },
    grid::Cell,
    lab::measured::by_difficulty,
    levels, rulesets,
    ui::{
        Options, Screen, Session,
        app_command::AppCommand,
        hud::{LogCard, LogFilter},
        saves::{autosave::Autosave, index::SaveFolder},
        screens::title::{Page, TitleButton},
        session::Ready,
    },
};
use fivefoot_kit::level;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

pub fn at(home: &Path) -> Game {
    Game::new(Options {
        seed: Some(2),
        home: Some(home.to_path_buf()),
        ..Options::default()
    })
}

/// Clicks the button that sends a command.
pub fn click_command(game: &mut Game, app_command: &AppCommand) {
    let place = game.find::<SendOnPress<AppCommand>>(|does| does.0 == *app_command);
    let place = place.unwrap_or_else(|| panic!("no button for {app_command:?}"));
    game.click(place);
    game.wait(3);
}

pub fn click<C: Component + PartialEq + std::fmt::Debug>(game: &mut Game, what: C) {
    let place = game.find::<C>(|c| *c == what);
    let place = place.unwrap_or_else(|| panic!("no button {what:?}"));
    game.click(place);
    game.wait(3);
}

/// Chooses a level on the title screen, by its id.
pub fn choose(game: &mut Game, id: &str) {
    let all = by_difficulty();
    let place = all.iter().position(|level| level.id == id);
    for _ in 0..place.expect("a level of the game") {
        game.press(KeyCode::ArrowDown);
        game.wait(3);
    }
    let level = all.iter().find(|level| level.id == id).expect("a level");
    assert!(game.says(&level.briefing), "{id} is chosen");
}

/// Opens a page of the title screen.
pub fn open(game: &mut Game, page: Page) {
    click(game, TitleButton::Page(page));
}

pub fn is_there<C: Component>(game: &mut Game) -> bool {
    game.find::<C>(|_| true).is_some()
}

/// Shows a session on the battle screen.
pub fn show(game: &mut Game, session: Session) {
    game.app.insert_resource(Ready(session));
    let mut next = game.app.world_mut().resource_mut::<NextState<Screen>>();
    next.set(Screen::Battle);
    game.wait(5);
}

/// A game that shows a session on the battle screen.
pub fn shown(session: Session) -> Game {
    let mut game = Game::new(Options::default());
    show(&mut game, session);
    game
}

/// A battle against this AI.
pub fn against(
    enemy: Player,
    level: &Arc<levels::Level>,
    rules: &'static Ruleset,
    seed: u64,
) -> Session {
    let controllers = vec![SideController::Human, SideController::Ai(enemy)];
    Session::with_controllers(level, rules, seed, controllers)
}

/// A session in which the AI has given this many answers for the player's side, so that
/// there is something to save.
pub fn played(rules: &'static Ruleset, answers: usize) -> Session {
    played_in(&levels::default_level(), rules, answers)
}

/// Like [`played`], in a level with two sides of which the first is the player's.
pub fn played_in(level: &Arc<levels::Level>, rules: &'static Ruleset, answers: usize) -> Session {
    // Several tests use the same battle, and only its first use plays it.
    type Key = (String, &'static str, usize);
    static PLAYED: Mutex<BTreeMap<Key, Recording>> = Mutex::new(BTreeMap::new());
    let play = || {
        let ais = vec![SideController::Ai(Player::Quick); 2];
        let mut session = Session::with_controllers(level, rules, 7, ais);
        for _ in 0..answers {
            if session.awaits_ai() {
                session.think();
            }
        }
        let mut recording = session.recording("");
        recording.save_info.as_mut().unwrap().controllers =
            vec![SideController::Human, SideController::Ai(Player::Quick)];
        recording
    };
    let mut played = PLAYED.lock().unwrap();
    let key = (level.source.to_string(), rules.id, answers);
    Session::load(played.entry(key).or_insert_with(play)).unwrap()
}

/// Ends the turn of the player's side without any action.
pub fn end_turn(game: &mut Game) {
    let before = game.session().game.answered();
    for _ in 0..40 {
        game.until_asked();
        if game.screen() != Screen::Battle || game.session().game.answered() > before + 2 {
            return;
        }
        if game.session().is_prompted() {
            game.press(KeyCode::Escape);
        } else {
            game.press(KeyCode::KeyE);
            game.press(KeyCode::KeyE);
        }
        game.press(KeyCode::Space);
    }
}

/// Skips ahead in a battle between AIs until its result.
pub fn watch(game: &mut Game) {
    for _ in 0..400 {
        if game.screen() == Screen::Result {
            break;
        }
        game.press(KeyCode::Space);
        game.wait(3);
    }
    assert_eq!(game.screen(), Screen::Result);
}

/// Ends the game as if its process had been killed: it saves nothing, and its locks are
/// released.
pub fn kill(mut game: Game) {
    game.app.world_mut().remove_resource::<Autosave>();
    std::mem::forget(std::mem::take(&mut game.app));
}

pub fn files(home: &Path, folder: &str) -> Vec<PathBuf> {
    let all = SaveFolder(home.join(folder)).list();
    all.into_iter().map(|e| e.path).collect()
}

pub fn answer(game: &mut Game) {
    let mut session = game.app.world_mut().resource_mut::<Session>();
    let choice = common_or_first(&mut session);
    session.give(&[choice]).unwrap();
}

/// An answer that is always possible: a common one, or the first legal offer.
pub fn common_or_first(session: &mut Session) -> fivefoot::battle::Choice {
    let asked = session.question().unwrap();
    if let Some(choice) = asked.common.first() {
        return choice.clone();
    }
    let who = asked.actors[0];
    let offers = session.offers_of(who);
    let legal = offers.iter().find(|o| o.is_legal());
    let offer = legal.expect("something can be done");
    match offer.numbers {
        Some((least, _)) => offer.choice.clone().number(least),
        None => offer.choice.clone(),
    }
}

/// A battle on the level in `text`. The player has the first side, an AI the other.
pub fn battle(text: &str, rules: &str, seed: u64, enemy: Player) -> Game {
    let rules = rulesets::find(rules).expect("a ruleset");
    let mut game = shown(against(enemy, &level(text), rules, seed));
    game.until_asked();
    game
}

pub fn plain(game: &mut Game) -> String {
    let world = game.app.world_mut();
    let mut cards = world.query::<&LogCard>();
    let card = cards.single(world).expect("one log");
    card.plain(world.resource::<LogFilter>())
}

/// Moves the keyboard cursor to a cell.
pub fn walk_cursor(game: &mut Game, to: Cell) {
    for _ in 0..200 {
        let own = game
            .selection()
            .chosen
            .map(|id| game.session().shown().unit(id).at);
        let Some(at) = game.selection().cursor.or(own) else {
            return;
        };
        let key = match ((to.x - at.x).signum(), (to.y - at.y).signum()) {
            (1, _) => KeyCode::ArrowRight,
            (-1, _) => KeyCode::ArrowLeft,
            (_, 1) => KeyCode::ArrowDown,
            (_, -1) => KeyCode::ArrowUp,
            _ => return,
        };
        game.press(key);
    }
    panic!("the cursor never got to {to}");
}
