//! The cards of the player's units: with any number of units, the actions keep their space
//! and each unit keeps its number key.

use super::kit::game::Game;
use bevy::{prelude::*, ui::UiGlobalTransform};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::{EventKind, Id, State},
    levels::Level,
    ui::{
        Command,
        art::palette,
        hud::{ActBar, PartyRow},
        theme::colour,
    },
};
use fivefoot_kit::level;
use std::sync::Arc;

/// A level with this many of the player's units against one enemy.
fn many(count: usize) -> Arc<Level> {
    let text = format!(
        r#"(
            title: "Many units",
            map: [{}],
            sides: [(id: "party", start: Rect((0, 0), (8, 7))), (id: "goblins")],
            combatants: [
                (kind: "mara", side: "party", count: {count}, awareness: Alert),
                (kind: "goblin", side: "goblins", at: (15, 7)),
            ],
            surprise: Caught(["goblins"]),
        )"#,
        "\"................\",".repeat(8)
    );
    level(&text)
}

fn rect<C: Component>(game: &mut Game, is_it: impl Fn(&C) -> bool) -> Option<Rect> {
    let world = game.app.world_mut();
    let mut nodes = world.query::<(&C, &ComputedNode, &UiGlobalTransform)>();
    let mut all = nodes.iter(world).filter(|(c, ..)| is_it(c));
    all.next().map(|(_, node, place)| {
        let scale = node.inverse_scale_factor;
        Rect::from_center_size(place.translation * scale, node.size() * scale)
    })
}

/// Red is the colour of enemies, on tokens and on cards.
#[test]
fn the_health_of_a_hurt_unit_keeps_the_colour_of_its_side() {
    let level = level(
        r#"(
            title: "Hurt",
            map: ["......", "......"],
            sides: [(id: "party"), (id: "goblins")],
            combatants: [
                (kind: "mara", side: "party", at: (0, 0), hp: 1),
                (kind: "goblin", side: "goblins", at: (5, 1)),
            ],
        )"#,
    );
    let mut game = Game::battle(level, None, 5);
    game.until_own_turn();
    game.wait(5);
    let world = game.app.world_mut();
    let mut rows = world.query_filtered::<Entity, With<PartyRow>>();
    let mut below = vec![rows.single(world).expect("the cards")];
    let mut bars = 0;
    while let Some(entity) = below.pop() {
        let children = world.get::<Children>(entity).into_iter().flatten();
        below.extend(children.copied());
        if let Some(ground) = world.get::<BackgroundColor>(entity) {
            assert_ne!(ground.0, colour(palette::HEALTH_ENEMY));
            bars += usize::from(ground.0 == colour(palette::HEALTH));
        }
    }
    assert_eq!(bars, 1);
}

#[test]
fn the_actions_keep_half_of_the_bottom_bar_with_any_number_of_units() {
    let window = Rect::new(0.0, 0.0, 1280.0, 720.0);
    for count in [1, 4, 6, 7, 12, 13, 14, 30, 63] {
        let mut game = Game::battle(many(count), None, 5);
        game.until_own_turn();
        game.wait(5);
        let bar = rect::<ActBar>(&mut game, |_| true).expect("the acts");
        assert!(
            bar.width() >= 500.0 && window.union(bar) == window,
            "{count}: {bar:?}"
        );
        let row = rect::<PartyRow>(&mut game, |_| true).expect("the cards");
        assert!(
            row.max.x <= bar.min.x && window.union(row) == window,
            "{count}: {row:?}"
        );
        for sends in [Command::Done, Command::More] {
            let button = rect::<SendOnPress<Command>>(&mut game, |s| s.0 == sends);
            let button = button.unwrap_or_else(|| panic!("{count}: no {sends:?}"));
            assert!(
                bar.union(button).width() <= bar.width() + 1.0,
                "{count}: {button:?}"
            );
        }
        // The card of the selected unit is visible, also for the last unit.
        for id in [0, count as u16 - 1].map(Id) {
            game.send(Command::Choose(id), 6);
            let card = rect::<SendOnPress<Command>>(&mut game, |s| s.0 == Command::Choose(id));
            let card = card.expect("its card");
            let is_in = row.min.y - 1.0 <= card.min.y && card.max.y <= row.max.y + 1.0;
            assert!(
                is_in && row.min.x <= card.min.x && card.max.x <= row.max.x,
                "{count}: {card:?}"
            );
        }
    }
}

/// Small cards have a symbol for each action too.
#[test]
fn a_small_card_shows_the_actions_left() {
    let mut game = Game::battle(many(7), None, 5);
    game.until_own_turn();
    game.wait(5);
    let pips = game.session().shown().members(game.session().player());
    let pips: usize = pips.map(|own| own.pips.len()).sum();
    assert!(pips >= 14);
    let is_pip = |node: &Node| node.width == px(9) && node.height == px(9);
    assert_eq!(game.count::<Node>(is_pip), pips);
}

#[test]
fn number_keys_keep_their_units_when_one_falls() {
    let text = r#"(
        title: "Last stand",
        map: ["........", "........", "........", "........"],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "mara", side: "party", at: (0, 0)),
            (kind: "tobin", side: "party", at: (4, 1), hp: 1),
            (kind: "brandt", side: "party", at: (0, 2)),
            (kind: "ogre", side: "goblins", at: [(5, 0), (5, 2)]),
        ],
    )"#;
    let level = level(text);
    for seed in 0..12 {
        let mut game = Game::battle(level.clone(), None, seed).at_once();
        for _ in 0..6 {
            game.until_own_turn();
            let has_fallen = game.session().shown().unit(Id(1)).state != State::Up;
            if has_fallen || game.session().over().is_some() {
                break;
            }
            game.press(KeyCode::KeyE);
            game.press(KeyCode::KeyE);
        }
        let fell = |event: &fivefoot::battle::Event| matches!(event.what, EventKind::Fell { who } if who == Id(1));
        let session = game.session();
        let others = [0, 2].map(|n| session.shown().unit(Id(n)).is_up());
        if !session.known_events().any(fell)
            || others != [true, true]
            || session.question().is_none()
        {
            continue;
        }
        game.press(KeyCode::Digit3);
        assert_eq!(
            game.selection().chosen,
            Some(Id(2)),
            "the third is still the third"
        );
        game.press(KeyCode::Digit2);
        assert_eq!(
            game.selection().chosen,
            Some(Id(2)),
            "the second key is for this unit"
        );
        assert!(game.says("Tobin is out of the battle."));
        game.press(KeyCode::Digit1);
        assert_eq!(game.selection().chosen, Some(Id(0)));
        return;
    }
    panic!("Tobin never fell");
}

/// The badge of a condition takes no words of the actions left from a card.
#[test]
fn a_card_with_a_badge_keeps_the_words_of_its_actions() {
    let units = [("ann", "party", (1, 2), 9), ("gob", "goblins", (9, 2), 9)];
    let mut game = Game::battle(fivefoot_kit::field(&[".........."; 5], &units), None, 1);
    game.until_own_turn();
    let named = |game: &mut Game| game.words().iter().filter(|w| *w == "Main").count();
    let before = named(&mut game);
    assert!(before > 0);
    game.act('p');
    game.until_own_turn();
    let ann = game.session().shown().unit(Id(0));
    assert!(ann.is_prone && !ann.conditions.is_empty());
    assert_eq!(named(&mut game), before);
}
