//! Screen readers: what they read, and controls that are pressed through them.

use super::kit::{
    game::{Game, fresh_home},
    shell::{at, click_command, played, show},
};
use accesskit::{Action, Live, NodeId, Role, TreeId};
use bevy::{
    a11y::{AccessibilityNode, AccessibilityRequested, ActionRequest},
    prelude::*,
};
use fivefoot::{
    rulesets::ALL,
    ui::{
        Screen,
        app_command::{AppCommand, Browse, FileCommand, GameCommand},
        screen_reader::Region,
        screens::title::TitleButton,
    },
};

fn heard() -> Game {
    let mut game = at(&fresh_home());
    let asked = game.app.world().resource::<AccessibilityRequested>();
    asked.set(true);
    game.wait(3);
    game
}

fn nodes(game: &mut Game) -> Vec<accesskit::Node> {
    game.wait(2);
    let mut query = game.app.world_mut().query::<&AccessibilityNode>();
    let all = query.iter(game.app.world());
    let shown = all.filter(|told| !told.is_hidden());
    shown.map(|told| told.0.clone()).collect()
}

fn is_control(role: Role) -> bool {
    use Role::*;
    matches!(role, Button | CheckBox | Slider | TextInput | RadioButton)
}

/// Asserts that every button, checkbox, slider and text field has a name.
fn all_named(game: &mut Game, screen: &str) {
    let all = nodes(game);
    let controls = all.iter().filter(|told| is_control(told.role()));
    let mut n = 0;
    for told in controls {
        n += 1;
        let label = told.label().unwrap_or_default();
        assert!(
            !label.is_empty(),
            "{screen}: a control without a name: {told:?}"
        );
    }
    assert!(n > 3, "{screen}: {n} controls");
}

fn region(game: &mut Game, which: Region) -> String {
    game.wait(2);
    let mut query = game
        .app
        .world_mut()
        .query::<(&Region, &AccessibilityNode)>();
    let found = query.iter(game.app.world()).find(|(own, _)| **own == which);
    let (_, told) = found.expect("the region is there");
    assert_eq!(told.live(), Some(Live::Polite));
    told.value().unwrap_or_default().to_owned()
}

#[test]
fn every_control_of_every_screen_has_a_name() {
    let mut game = heard();
    all_named(&mut game, "title");
    game.press(KeyCode::F10);
    all_named(&mut game, "settings");
    game.press(KeyCode::Escape);
    game.press(KeyCode::F1);
    all_named(&mut game, "codex");
    game.press(KeyCode::Escape);
    for rules in ALL {
        show(&mut game, played(rules, 12));
        game.until_asked();
        all_named(&mut game, rules.id);
    }
    click_command(&mut game, &AppCommand::Game(GameCommand::Pause));
    all_named(&mut game, "pause");
    click_command(
        &mut game,
        &AppCommand::File(FileCommand::Browse(Browse::Save)),
    );
    all_named(&mut game, "saving");
    for _ in 0..2 {
        game.press(KeyCode::Escape);
        game.wait(3);
    }
    show(&mut game, played(ALL[0], 5000));
    game.until("the result", |game| game.screen() == Screen::Result);
    all_named(&mut game, "result");
}

#[test]
fn the_cell_under_the_cursor_is_read_with_its_details() {
    for rules in ALL {
        let mut game = heard();
        show(&mut game, played(rules, 12));
        game.until_own_turn();
        let enemy = {
            let session = game.session();
            let own = session.player();
            let mut enemies = session.shown().units.iter();
            let foe = enemies.find(|p| p.side != own && p.is_up()).expect("a foe");
            (foe.name.clone(), foe.at)
        };
        let point = game.screen_point(enemy.1);
        game.point(point);
        game.wait(3);
        let told = region(&mut game, Region::Cursor);
        let place = format!("Column {}, row {}. ", enemy.1.x, enemy.1.y);
        assert!(told.starts_with(&place), "{}: {told}", rules.id);
        assert!(told.contains(&enemy.0), "{}: {told}", rules.id);
    }
}

#[test]
fn events_are_read_as_they_are_shown() {
    let mut game = heard();
    show(&mut game, played(ALL[0], 40));
    game.until_own_turn();
    let before = region(&mut game, Region::News);
    game.press(KeyCode::KeyE);
    game.press(KeyCode::KeyE);
    game.until("news", |game| {
        let told = region(game, Region::News);
        !told.is_empty() && told != before
    });
}

/// A press through a screen reader is a click.
#[test]
fn a_control_is_pressed_by_name() {
    let mut game = heard();
    let wanted = {
        let world = game.app.world_mut();
        let mut query = world.query::<(Entity, &TitleButton, &AccessibilityNode)>();
        let found = query
            .iter(world)
            .find(|(_, button, _)| **button == TitleButton::Start);
        let (entity, _, told) = found.expect("the button that begins");
        assert_eq!(told.role(), Role::Button);
        entity
    };
    let request = accesskit::ActionRequest {
        action: Action::Click,
        target_tree: TreeId::ROOT,
        target_node: NodeId(wanted.to_bits()),
        data: None,
    };
    game.send(ActionRequest(request), 5);
    assert_eq!(game.screen(), Screen::Battle);
}
