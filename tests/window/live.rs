//! Reloading a level when its file changes.

use super::kit::{
    game::{Game, resize},
    live::{YARD, folder, game_at, until},
};
use fivefoot::ui::{
    Screen,
    live::{Broken, BrokenCard, CloseBroken},
};
use std::{fs, path::Path};

fn game(file: &Path) -> Game {
    game_at(file, None)
}

#[test]
fn a_changed_level_restarts_and_a_broken_one_is_reported() {
    let folder = folder("live");
    let file = folder.join("yard.ron");
    fs::write(&file, YARD).expect("written");
    let mut game = game(&file);
    assert_eq!(game.session().game.level().title, "The yard");
    assert_eq!(game.session().shown().units.len(), 2);

    // One more goblin. The new file replaces the old one by a rename, as editors do.
    let more = YARD.replace("at: (7, 1))", "at: [(7, 1), (7, 2)])");
    let aside = folder.join("yard.ron.new");
    fs::write(&aside, &more).expect("written");
    fs::rename(&aside, &file).expect("replaced");
    until(&mut game, "three people", |game| {
        game.app
            .world()
            .contains_resource::<fivefoot::ui::Session>()
            && game.session().shown().units.len() == 3
    });
    assert_eq!(game.session().game.seed(), 7, "the same dice");
    assert!(game.says("The level has changed"));
    game.until_asked();

    // A mistake is shown with its position, and the battle stays as it is.
    let broken = more.replace("kind: \"goblin\"", "kind: \"gobblin\"");
    let line = broken.lines().position(|l| l.contains("gobblin")).unwrap() + 1;
    fs::write(&file, &broken).expect("written");
    until(&mut game, "the error", |game| {
        !game.app.world().resource::<Broken>().problems.is_empty()
    });
    assert!(game.says("gobblin") && game.says(&format!("{line}:")));
    assert_eq!(game.session().shown().units.len(), 3);
    assert_eq!(game.screen(), Screen::Battle);
    game.click_on::<CloseBroken>("Close", |_| true);
    assert!(game.find::<BrokenCard>(|_| true).is_none());

    // Fixed, with another title.
    fs::write(&file, more.replace("The yard", "The orchard")).expect("written");
    until(&mut game, "the new title", |game| {
        game.session().game.level().title == "The orchard"
    });
    // Only a wide window has room for the title.
    resize(game.app.world_mut(), 1920, 1080);
    game.wait(4);
    assert!(game.says("The orchard"));
    let _ = fs::remove_dir_all(&folder);
}
