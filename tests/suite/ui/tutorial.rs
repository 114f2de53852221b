//! The lessons, played by their words alone: whatever a step asks for is done
//! by clicks at the places that it points at.

use super::hands::Game;
use bevy::prelude::KeyCode;
use fivefoot::{
    battle::Id,
    grid::Cell,
    levels::{self, CombatantIx, Until},
    ui::{
        Command, Options, Profile, Screen,
        app_command::{AppCommand, Does},
        preview::{Click, Cost},
        tutorial::{Coach, CoachButton, CoachCard, LessonButton},
    },
};

fn title() -> Game {
    Game::new(Options {
        seed: Some(2),
        ..Options::default()
    })
}

fn step(game: &Game) -> usize {
    game.app.world().resource::<Coach>().step
}

fn id(of: CombatantIx) -> Id {
    Id(of.0)
}

fn at(game: &Game, of: Id) -> Cell {
    game.session().shown().person(of).at
}

/// Takes whatever is offered out of turn, until it is the player's turn.
fn react_until_own_turn(game: &mut Game) {
    game.until_asked();
    while game.screen() == Screen::Battle && game.session().is_prompted() {
        game.press(KeyCode::Enter);
        game.until_asked();
    }
}

/// Takes somebody in hand by a click on the board.
fn take(game: &mut Game, who: Id) {
    if game.selection().chosen != Some(who) {
        game.click_cell(at(game, who));
    }
    assert_eq!(game.selection().chosen, Some(who));
}

/// Strikes one of the foes if anybody can; who cannot goes nearer.
fn fight(game: &mut Game, foes: &[Id]) {
    let own: Vec<Id> = {
        let session = game.session();
        let idle = session.idle_members();
        idle.map(|p| p.id).collect()
    };
    for who in own {
        if game.screen() != Screen::Battle || !game.session().is_players_turn() {
            return;
        }
        take(game, who);
        for &foe in foes {
            if !game.session().shown().person(foe).is_up() {
                continue;
            }
            if strike(game, foe) {
                return;
            }
            let apart = |a: Cell, b: Cell| (a.x - b.x).abs().max((a.y - b.y).abs());
            let there = at(game, foe);
            let near = game.preview().reach.iter();
            let near = near.filter(|r| r.cost == Cost::Plain);
            let best = near.min_by_key(|r| (apart(r.cell, there), r.feet));
            if let Some(cell) = best.map(|r| r.cell)
                && apart(cell, there) < apart(at(game, who), there)
            {
                game.click_cell(cell);
                react_until_own_turn(game);
                return;
            }
        }
    }
    end_turn(game);
}

fn strike(game: &mut Game, foe: Id) -> bool {
    game.point(game.spot(at(game, foe)));
    let can = matches!(game.preview().click, Click::Blow(_));
    if can {
        game.click_cell(at(game, foe));
        react_until_own_turn(game);
    }
    can
}

fn end_turn(game: &mut Game) {
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
    react_until_own_turn(game);
}

/// Does what a step asks for.
fn apply_command(game: &mut Game, until: &Until) {
    match until {
        Until::Moved { who, area } => {
            take(game, id(who.expect("the lesson names somebody")));
            game.click_cell(area[0]);
            react_until_own_turn(game);
        }
        Until::Chosen(who) => take(game, id(*who)),
        Until::Pointed(who) => {
            let there = at(game, id(who[0]));
            game.point(game.spot(there));
        }
        Until::Attacked(who) => {
            if !strike(game, id(who[0])) {
                panic!("{who:?} cannot be attacked: {:?}", game.preview().click);
            }
        }
        Until::Used { act, who } => {
            if let Some(who) = who {
                take(game, id(*who));
            }
            match act.as_str() {
                "disengage" => game.press(KeyCode::KeyF),
                "cast" => {
                    game.press(KeyCode::KeyM);
                    let menu = game.preview().menu.as_ref().expect("spells");
                    let bolt = menu.rows.iter().position(|r| r.label == "Fire bolt");
                    game.click_button(&Command::Reply(bolt.expect("Fire bolt")));
                    let target = *game.preview().targets.first().expect("a target");
                    game.click_cell(at(game, target));
                }
                other => panic!("how is `{other}` done?"),
            }
            react_until_own_turn(game);
        }
        Until::Opened(_) => {
            game.press(KeyCode::KeyO);
            game.press(KeyCode::Enter);
            react_until_own_turn(game);
        }
        Until::Round(_) => end_turn(game),
        Until::Undone => game.click_button(&Command::Undo),
        Until::Defeated(who) => {
            let foes: Vec<Id> = who.iter().map(|of| id(*of)).collect();
            fight(game, &foes);
        }
        Until::Asked => end_turn(game),
    }
}

fn played(n: usize) {
    let level = levels::tutorial()[n].clone();
    let lesson = level.lesson.clone().expect("it teaches");
    let mut game = title();
    game.click_on::<LessonButton>("the lesson", |b| b.0 == n);
    react_until_own_turn(&mut game);
    assert_eq!(game.session().game.level().id, level.id);
    assert!(game.session().shown().clock.turn == Some(game.session().player()));
    assert!(game.find::<CoachCard>(|_| true).is_some());
    for _ in 0..80 {
        let now = step(&game);
        let Some(step_now) = lesson.steps.get(now) else {
            break;
        };
        let first: String = step_now.text.split(['(', '.']).next().unwrap().into();
        assert!(game.says(first.trim()), "step {now} is not told");
        let until = step_now
            .until
            .clone()
            .expect("the lessons wait for something");
        let is_last = matches!(until, Until::Defeated(_));
        apply_command(&mut game, &until);
        if game.screen() != Screen::Battle || game.session().over().is_some() {
            break;
        }
        game.wait(2);
        if !is_last {
            assert!(step(&game) > now, "step {now} is not done: {until:?}");
        }
    }
    game.until("the result", |game| game.screen() == Screen::Result);
    game.wait(2);
    assert!(game.says("Victory"), "the lesson is lost");
    let profile = game.app.world().resource::<Profile>();
    assert!(profile.lessons.contains(&level.id));
    if n + 1 < levels::tutorial().len() {
        assert!(game.says("Next lesson"));
        game.press(KeyCode::Enter);
        game.until("the next lesson", |game| game.screen() == Screen::Battle);
        game.until_asked();
        let next = &levels::tutorial()[n + 1];
        assert_eq!(game.session().game.level().id, next.id);
        return;
    }
    assert!(!game.says("Next lesson"));
    game.click_on::<Does>("Back to title", |b| b.0 == AppCommand::Leave);
    game.wait(2);
    assert!(game.says("Tutorial"));
}

#[test]
fn lesson_1_is_won_by_following_its_words() {
    played(0);
}

#[test]
fn lesson_2_is_won_by_following_its_words() {
    played(1);
}

#[test]
fn lesson_3_is_won_by_following_its_words() {
    played(2);
}

#[test]
fn the_coach_can_be_hurried_sent_away_and_called_back() {
    let mut game = title();
    game.click_on::<LessonButton>("the first lesson", |b| b.0 == 0);
    react_until_own_turn(&mut game);
    game.click_on::<CoachButton>("Next", |b| *b == CoachButton::Next);
    assert_eq!(step(&game), 1);
    game.click_on::<CoachButton>("Back", |b| *b == CoachButton::Back);
    assert_eq!(step(&game), 0);
    game.click_on::<CoachButton>("Close", |b| *b == CoachButton::Close);
    assert!(!game.says("Step 1 of"));
    // Play goes on all the same.
    let reach = game.preview().reach.iter();
    let to = reach.map(|r| r.cell).next().expect("somewhere to go");
    game.click_cell(to);
    react_until_own_turn(&mut game);
    assert!(game.session().can_undo());
    game.click_on::<CoachButton>("Lesson", |b| *b == CoachButton::Open);
    assert!(game.says("Step 1 of"));
}

#[test]
fn what_is_taken_back_is_to_be_done_again() {
    let mut game = title();
    game.click_on::<LessonButton>("the first lesson", |b| b.0 == 0);
    react_until_own_turn(&mut game);
    let lesson = levels::tutorial()[0].lesson.clone().expect("it teaches");
    let until = lesson.steps[0].until.clone().expect("a wish");
    apply_command(&mut game, &until);
    game.wait(2);
    assert_eq!(step(&game), 1);
    game.press(KeyCode::KeyU);
    game.wait(3);
    assert_eq!(step(&game), 0);
    apply_command(&mut game, &until);
    game.wait(2);
    assert_eq!(step(&game), 1, "{:?}", game.app.world().resource::<Coach>());
}

#[test]
fn a_step_that_one_went_back_to_can_be_done_once_more() {
    let mut game = title();
    game.click_on::<LessonButton>("the first lesson", |b| b.0 == 0);
    react_until_own_turn(&mut game);
    let lesson = levels::tutorial()[0].lesson.clone().expect("it teaches");
    for step in &lesson.steps[..2] {
        apply_command(&mut game, step.until.as_ref().expect("a wish"));
        game.wait(2);
    }
    assert_eq!(step(&game), 2);
    game.click_on::<CoachButton>("Back", |b| *b == CoachButton::Back);
    game.wait(2);
    assert_eq!(step(&game), 1);
    apply_command(&mut game, lesson.steps[1].until.as_ref().expect("a wish"));
    game.wait(2);
    assert_eq!(step(&game), 2);
}
