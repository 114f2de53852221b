//! Notes of the author in the editor, and a picture to trace.

use super::kit::{
    editing::{ask, drag, editor, standing, text},
    game::{Game, fresh_home},
};
use bevy::prelude::*;
use fivefoot::{
    levels::edit::At,
    ui::editor::{
        EditorCommand, Writes,
        brush::Brush,
        marks::NoteMark,
        trace::{Trace, TraceChange, TracePicture},
    },
};

#[test]
fn notes_are_placed_written_and_removed() {
    let mut game = editor();
    let before = text(&game);
    ask(&mut game, EditorCommand::Brush(Brush::Note));
    drag(&mut game, MouseButton::Left, &[(3, 7)]);
    game.wait(4);
    assert_eq!(game.count::<NoteMark>(|_| true), 1);
    let words = At::root().field("notes").nth(0).field("text");
    game.click_on::<Writes>("the text", |writes| writes.at == words);
    game.type_text("Too open");
    game.press(KeyCode::Enter);
    game.wait(4);
    let level = standing(&game).good.clone().expect("no errors");
    let notes: Vec<_> = level.notes.iter().map(|n| (&*n.text, n.at)).collect();
    let at = Some(fivefoot::grid::Cell::new(3, 7));
    assert_eq!(notes, [("Too open", at)]);
    ask(&mut game, EditorCommand::AddNote);
    assert_eq!(standing(&game).notes().len(), 2);
    assert_eq!(game.count::<NoteMark>(|_| true), 1, "one has no cell");
    // The note moves with the map.
    ask(
        &mut game,
        EditorCommand::Grow(fivefoot::levels::edit::Edge::West),
    );
    let cell = standing(&game).notes()[0].cell;
    assert_eq!(cell, Some(fivefoot::grid::Cell::new(4, 7)));
    ask(&mut game, EditorCommand::Undo);
    ask(&mut game, EditorCommand::Undo);
    drag(&mut game, MouseButton::Right, &[(3, 7)]);
    assert_eq!(text(&game), before, "no empty list is left");
}

#[test]
fn a_picture_lies_on_the_map_and_not_in_the_level() {
    let mut game = editor();
    let before = text(&game);
    let home = fresh_home();
    std::fs::create_dir_all(&home).unwrap();
    let file = home.join("plan.png");
    tiny_skia::Pixmap::new(32, 20)
        .unwrap()
        .save_png(&file)
        .unwrap();
    let trace = |change| EditorCommand::Trace(change);
    let type_path = |game: &mut Game, path: String| {
        game.app.world_mut().resource_mut::<Trace>().path = path;
    };
    type_path(&mut game, "missing.png".into());
    ask(&mut game, trace(TraceChange::Load));
    assert!(
        standing(&game)
            .message
            .as_ref()
            .is_some_and(|why| why.contains("missing.png"))
    );
    type_path(&mut game, file.display().to_string());
    ask(&mut game, trace(TraceChange::Load));
    game.wait(4);
    // At first it is as wide as the map.
    assert_eq!(game.app.world().resource::<Trace>().width, 64);
    assert_eq!(game.count::<TracePicture>(|_| true), 1);
    assert!(game.says("Opacity"));
    ask(&mut game, trace(TraceChange::Remove));
    game.wait(4);
    assert_eq!(game.count::<TracePicture>(|_| true), 0);
    assert_eq!(text(&game), before);
}
