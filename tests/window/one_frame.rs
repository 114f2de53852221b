//! A pointer move, press and release within one frame count as one click, whatever is
//! clicked.

use super::kit::{
    editing::{editor, screen_point, standing},
    game::{Game, fresh_home, resize},
    shell::click,
};
use bevy::{
    input::{ButtonState, mouse::MouseButtonInput},
    prelude::*,
    window::{CursorMoved, PrimaryWindow, WindowEvent},
};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    grid::Cell,
    lab::measured::by_difficulty,
    levels,
    ui::{
        Command, Options, Screen,
        editor::{
            EditorCommand,
            brush::{Brush, TerrainKind},
        },
        screens::{
            builder::{BattleDraft, BuilderButton},
            title::TitleButton,
        },
    },
};

/// Moves the pointer to a position, presses and releases the button, all within one frame.
fn tap(game: &mut Game, position: Vec2) {
    let world = game.app.world_mut();
    let mut windows = world.query_filtered::<Entity, With<PrimaryWindow>>();
    let window = windows.single(world).expect("one window");
    let moved = CursorMoved {
        window,
        position,
        delta: None,
    };
    world.write_message(WindowEvent::from(moved.clone()));
    world.write_message(moved);
    for state in [ButtonState::Pressed, ButtonState::Released] {
        let pressed = MouseButtonInput {
            button: MouseButton::Left,
            state,
            window,
        };
        world.write_message(WindowEvent::from(pressed));
        world.write_message(pressed);
    }
}

fn place<C: Component>(game: &mut Game, is_it: impl Fn(&C) -> bool) -> Vec2 {
    game.find::<C>(is_it).expect("it is on the screen")
}

fn title() -> Game {
    Game::new(Options {
        home: Some(fresh_home()),
        seed: Some(2),
        ..Options::default()
    })
}

#[test]
fn every_click_in_the_editor_is_painted() {
    let mut game = editor();
    game.click_on::<SendOnPress<EditorCommand>>("the brush", |w| {
        w.0 == EditorCommand::Brush(Brush::Ground(TerrainKind::LowWall))
    });
    game.wait(3);
    for (n, x) in (3..9).enumerate() {
        let at = screen_point(&game, x, 7);
        tap(&mut game, at);
        game.wait(4);
        assert!(standing(&game).stroke.is_none(), "stroke {n} has ended");
        let c = standing(&game).doc.char_at(Cell::new(x, 7));
        assert_eq!(c, Some('='), "stroke {n}");
    }
    // Several clicks within one frame.
    for x in [3, 5, 7] {
        let at = screen_point(&game, x, 6);
        tap(&mut game, at);
    }
    game.wait(12);
    for x in [3, 5, 7] {
        assert_eq!(
            standing(&game).doc.char_at(Cell::new(x, 6)),
            Some('='),
            "{x}"
        );
    }
}

#[test]
fn every_click_in_a_list_counts() {
    let mut game = title();
    for n in [2, 1, 3, 0] {
        let button = place::<TitleButton>(&mut game, |b| *b == TitleButton::Level(n));
        tap(&mut game, button);
        game.wait(5);
        let title = &by_difficulty()[n].briefing;
        assert!(game.says(title), "level {n}");
    }
}

#[test]
fn every_click_in_the_builder_counts() {
    let mut game = title();
    click(&mut game, BuilderButton::Open);
    // A window with room for all buttons, and enough points for three more of any creature.
    resize(game.app.world_mut(), 1280, 1400);
    game.app.world_mut().resource_mut::<BattleDraft>().budget = 400;
    game.wait(3);
    let size = |game: &Game| game.app.world().resource::<BattleDraft>().squads[0].size();
    let before = size(&game);
    let is_less = |b: &BuilderButton| matches!(b, BuilderButton::Remove(0, _));
    let is_more = |b: &BuilderButton| matches!(b, BuilderButton::Add(_));
    let less = place::<BuilderButton>(&mut game, is_less);
    tap(&mut game, less);
    game.wait(5);
    assert_eq!(size(&game), before - 1);
    for n in 0..3 {
        let more = place::<BuilderButton>(&mut game, is_more);
        tap(&mut game, more);
        game.wait(5);
        assert_eq!(size(&game), before + n, "click {n}");
    }
}

#[test]
fn every_click_in_a_battle_counts() {
    let mut game = Game::battle(levels::default_level(), None, 2);
    game.until_own_turn();
    let own: Vec<_> = game
        .session()
        .idle_members()
        .map(|p| (p.id, p.at))
        .collect();
    // Clicks on cards, and on the map.
    for &(id, _) in own.iter().rev() {
        let card = place::<SendOnPress<Command>>(&mut game, |sends| sends.0 == Command::Choose(id));
        tap(&mut game, card);
        game.wait(5);
        assert_eq!(game.selection().chosen, Some(id));
    }
    for (id, at) in own {
        let on_map = game.screen_point(at);
        tap(&mut game, on_map);
        game.wait(5);
        assert_eq!(game.selection().chosen, Some(id));
    }
    assert_eq!(game.screen(), Screen::Battle);
}
