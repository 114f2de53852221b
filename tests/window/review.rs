//! The review of a battle: the page, and its moments as puzzles to solve.

use super::kit::{
    game::{Game, fresh_home},
    shell::{at, click, files, played, show},
};
use bevy::prelude::*;
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    control::review::{CurvePoint, Grade},
    rulesets::ALL,
    ui::{
        Screen, Session,
        app_command::{AppCommand, GameCommand, PuzzleCommand, ReplayCommand, ReviewCommand},
        screens::review::{Puzzle, PuzzleCard, ReviewState, curve::well_known},
    },
};

fn until(game: &mut Game, what: &str, is_so: impl FnMut(&mut Game) -> bool) {
    game.in_time(what, is_so);
    game.wait(2);
}

fn standing(game: &Game) -> &ReviewState {
    game.app.world().resource::<ReviewState>()
}

/// Opens the review of a finished battle of the player's.
fn reviewed(game: &mut Game) {
    show(game, played(ALL[0], 5000));
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(3);
    click(game, review());
    assert_eq!(game.screen(), Screen::Review);
}

#[test]
fn a_review_fills_in_gradually_and_returns_to_the_result() {
    let home = fresh_home();
    let mut game = at(&home);
    reviewed(&mut game);
    assert!(game.says("Review: "));
    until(&mut game, "the first part of it", |game| {
        !standing(game).review.decisions.is_empty()
    });
    if !standing(&game).is_done() {
        // Any order may still turn out to be a mistake.
        assert!(game.says("Reviewing") && !game.says("No clear mistakes"));
        assert!(game.words().iter().any(|words| words == "–"));
    }
    until(&mut game, "all of it", |game| standing(game).is_done());
    assert!(!game.says("Reviewing") && !game.says("Still looking"));
    for words in ["Win chance", "Accuracy", "Luck and skill", "checked"] {
        assert!(game.says(words), "{words}: {:?}", game.words());
    }
    let kept = files(&home, "replays").len();
    game.press(KeyCode::Escape);
    game.wait(4);
    assert_eq!(game.screen(), Screen::Result);
    assert!(game.says("The largest swing of one action") || game.says("Final position"));
    assert_eq!(files(&home, "replays").len(), kept, "it is not kept twice");
    // The earlier results are there at once.
    click(&mut game, review());
    assert!(standing(&game).is_done());
    game.press(KeyCode::KeyW);
    game.wait(4);
    assert!(game.session().replay().is_some(), "it is watched");
}

/// A replay can be reviewed too; Esc returns to the moment that was shown. The replay of a file
/// has no result to return to.
#[test]
fn a_replay_can_be_reviewed() {
    let mut game = at(&fresh_home());
    let mut replay = played(ALL[0], 5000).into_replay();
    replay.seek(20);
    show(&mut game, replay);
    click(&mut game, review());
    assert_eq!(game.screen(), Screen::Review);
    game.press(KeyCode::Escape);
    game.wait(4);
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(game.session().shown().events, 20);
    pause(&mut game);
    assert!(game.is_paused() && !game.says("Back to the result"));
}

fn pause(game: &mut Game) {
    game.send(AppCommand::Game(GameCommand::Pause), 3);
}

fn review() -> SendOnPress<AppCommand> {
    SendOnPress(AppCommand::Review(ReviewCommand::Open))
}

/// The replay of a battle just played returns to its result, also after a review of it and after
/// the review's own replay. Nothing is saved twice.
#[test]
fn a_replay_returns_to_the_result_of_the_battle() {
    let home = fresh_home();
    let mut game = at(&home);
    show(&mut game, played(ALL[0], 5000));
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(3);
    let kept = files(&home, "replays").len();
    let watch = || SendOnPress(AppCommand::Replay(ReplayCommand::Watch(0)));
    let result = || SendOnPress(AppCommand::Review(ReviewCommand::ShowResult));
    click(&mut game, watch());
    assert_eq!(game.screen(), Screen::Battle);
    click(&mut game, result());
    assert_eq!(game.screen(), Screen::Result);
    assert!(game.session().over().is_some() && game.session().replay().is_none());
    click(&mut game, watch());
    click(&mut game, review());
    assert_eq!(game.screen(), Screen::Review);
    game.press(KeyCode::KeyW);
    game.wait(4);
    click(&mut game, review());
    game.press(KeyCode::Escape);
    game.wait(4);
    assert_eq!(game.screen(), Screen::Battle, "from the replay, back to it");
    pause(&mut game);
    assert!(game.is_paused() && game.says("Back to the result"));
    game.send(AppCommand::Review(ReviewCommand::ShowResult), 4);
    assert_eq!(game.screen(), Screen::Result);
    assert!(game.says("Win chance") && !game.is_paused());
    assert_eq!(files(&home, "replays").len(), kept);
}

fn order(game: &mut Game, choice: fivefoot::battle::Choice) {
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session.give(&[choice]).expect("it is legal there");
    game.wait(2);
}

/// The order from the battle does not solve a puzzle, the best one does; nothing is saved.
#[test]
fn a_puzzle_is_solved_by_the_best_order() {
    let home = fresh_home();
    let mut game = at(&home);
    reviewed(&mut game);
    until(&mut game, "the review", |game| standing(game).is_done());
    let Some(decision) = standing(&game).decision().cloned() else {
        panic!("the battle that is played at random has mistakes");
    };
    assert!(decision.grade() >= Grade::Inaccuracy);
    let saves = files(&home, "saves");
    game.press(KeyCode::KeyT);
    game.wait(6);
    assert_eq!(game.screen(), Screen::Battle);
    assert_eq!(game.session().game.answered(), decision.answer);
    game.until_asked();
    order(&mut game, decision.given().choice.clone());
    until(&mut game, "what it costs", |game| game.says("Not yet"));
    click(
        &mut game,
        SendOnPress(AppCommand::Puzzle(PuzzleCommand::TryAgain)),
    );
    game.wait(6);
    assert_eq!(game.session().game.answered(), decision.answer);
    assert_eq!(game.count::<PuzzleCard>(|_| true), 0);
    game.until_asked();
    order(&mut game, decision.best().choice.clone());
    until(&mut game, "that it is solved", |game| game.says("Solved"));
    assert!(game.app.world().resource::<Puzzle>().is_solved);
    assert!(game.says("after 2 tries"));
    assert_eq!(files(&home, "saves"), saves, "nothing of it is saved");
    click(
        &mut game,
        SendOnPress(AppCommand::Puzzle(PuzzleCommand::Leave)),
    );
    game.wait(4);
    assert_eq!(game.screen(), Screen::Review);
    assert!(!game.app.world().contains_resource::<Puzzle>());
}

/// A rough first estimate is not drawn, nor what comes after it; once all is simulated, everything is.
#[test]
fn rough_estimates_are_not_drawn() {
    let point = |decision: usize, error: f32, is_ordered: bool| CurvePoint {
        event: decision,
        chance: 0.5,
        error,
        decision: Some(decision),
        is_ordered,
    };
    let points = [
        point(0, 0.02, false),
        point(0, 0.02, true),
        point(1, 0.03, false),
        point(1, 0.2, true),
        point(2, 0.02, false),
    ];
    assert_eq!(well_known(&points, false), 3);
    assert_eq!(well_known(&points[3..], false), 0);
    assert_eq!(well_known(&points, true), points.len());
}
