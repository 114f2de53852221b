//! Where enemies can attack: all enemies by a key, one enemy while the pointer is on it.

use super::kit::{
    game::{Game, fresh_home, resize},
    rounds::{DECLARED, declaring},
    shell::{at, show},
};
use bevy::{input::ButtonState, prelude::*};
use fivefoot::{
    battle::Id,
    grid::Cell,
    rulesets::ALL,
    ui::{
        Command, Session,
        board::{
            Layer,
            enemy_reach::{DangerCard, Threatened},
        },
        selection::PlanChange,
        session::thinking::FrameWait,
    },
};
use fivefoot_kit::field;
use std::time::Duration;

/// One enemy stands beside Ann; another is far from everyone, behind a wall.
fn begun(rules: &'static fivefoot::battle::Ruleset) -> Game {
    let rows = ["......#...", "......#...", "......#..."];
    let units = [
        ("ann", "party", (2, 1), 12),
        ("bea", "party", (0, 0), 12),
        ("gob", "goblins", (4, 1), 12),
        ("gab", "goblins", (8, 1), 12),
    ];
    let mut game = at(&fresh_home());
    show(&mut game, Session::new(&field(&rows, &units), rules, 2));
    game.until_own_turn();
    game
}

fn card(game: &mut Game) -> bool {
    game.find::<DangerCard>(|_| true).is_some()
}

#[test]
fn a_key_shows_which_units_are_in_danger_and_from_which_enemies() {
    for rules in ALL {
        let mut game = begun(rules);
        assert!(!card(&mut game), "{}", rules.id);
        game.press(KeyCode::F3);
        game.wait(2);
        assert!(card(&mut game), "{}", rules.id);
        // Once it is predicted: under Speed, the likeliest action of the goblin here is no attack.
        let heading = match rules.id {
            "Speed" => "No attack on your units is likely",
            _ => "In danger: Ann",
        };
        assert!(game.comes(|game| game.says(heading)), "{}", rules.id);
        let gob = game.session().shown().unit(Id(2)).at;
        game.point(game.screen_point(Cell::new(gob.x + 1, gob.y)));
        game.wait(2);
        assert!(game.says("Enemies can attack here: Gob"), "{}", rules.id);
        game.press(KeyCode::F3);
        game.wait(2);
        assert!(!card(&mut game), "{}", rules.id);
    }
}

/// An enemy can open the door between and come through on the same turn.
#[test]
fn a_closed_door_keeps_nobody_out_of_danger() {
    for rules in ALL {
        let rows = ["......#...", "......+...", "......#..."];
        let units = [("ann", "party", (4, 1), 12), ("gob", "goblins", (7, 1), 12)];
        let mut game = at(&fresh_home());
        show(&mut game, Session::new(&field(&rows, &units), rules, 2));
        game.until_own_turn();
        game.press(KeyCode::F3);
        game.point(game.screen_point(game.cell_of(Id(0))));
        game.wait(2);
        assert!(game.says("Enemies can attack here: Gob"), "{}", rules.id);
    }
}

/// Once enemies are predicted, only likely attackers count.
#[test]
fn a_unit_is_in_danger_from_likely_attackers() {
    let units = [
        ("ann", "party", (2, 1), 30),
        ("bea", "party", (0, 0), 30),
        ("gob", "goblins", (3, 1), 30),
    ];
    let mut game = declaring(DECLARED[0], &["......", "......", "......"], &units, 3);
    let suppose = Command::Plan(PlanChange::Suppose(Id(2)));
    // The enemy is supposed to hold, then to attack Ann.
    game.click_button(&suppose);
    game.wait(2);
    game.press(KeyCode::F3);
    assert!(game.comes(|game| game.says("No attack on your units is likely")));
    // It could attack her anyway.
    game.point(game.screen_point(game.cell_of(Id(0))));
    let words = "Enemies can attack here: Gob";
    let is_told = |game: &mut Game| game.says(words) && game.says("None of them is likely to");
    assert!(game.comes(is_told));
    game.click_button(&suppose);
    assert!(game.comes(|game| game.says("In danger: Ann (1)") && !game.says("Bea (")));
}

/// In a large battle, the search takes longer than a frame.
#[test]
fn no_unit_is_called_safe_before_the_search_ends() {
    let mut game = begun(ALL[0]);
    game.app.insert_resource(FrameWait(Duration::ZERO));
    game.press(KeyCode::F3);
    game.until("the units in danger are listed", |game| {
        assert!(!game.says("Nobody is in danger"));
        std::thread::sleep(Duration::from_millis(1));
        game.says("In danger: Ann")
    });
}

#[test]
fn an_enemys_possible_attacks_are_shown_with_their_chances() {
    for rules in ALL {
        let mut game = begun(rules);
        let of = |id: u16| game.session().shown().unit(Id(id)).at;
        let (ann, gob, gab) = (of(0), of(2), of(3));
        game.point(game.screen_point(gob));
        game.wait(3);
        let is_of = |id: u16| move |one: &Threatened| one.0 == Id(id);
        assert!(game.find(is_of(0)).is_none(), "{}", rules.id);
        game.key(KeyCode::AltLeft, ButtonState::Pressed);
        game.wait(3);
        assert!(game.find(is_of(0)).is_some(), "{}", rules.id);
        let is_told = game.says("chance to hit Ann: up to") || game.says("damage to Ann: up to");
        assert!(is_told, "{}", rules.id);
        // The prediction is simulated in the background.
        assert!(
            game.comes(|game| game.says("attacks Ann: ")),
            "{}",
            rules.id
        );
        // An enemy that cannot reach anyone has no threat card.
        game.point(game.screen_point(gab));
        game.wait(3);
        assert!(game.find::<Threatened>(|_| true).is_none(), "{}", rules.id);
        // Its card predicts what it does instead.
        assert!(game.says("Predicted in 20 simulations: "), "{}", rules.id);
        game.key(KeyCode::AltLeft, ButtonState::Released);
        game.wait(1);
        game.press(KeyCode::F3);
        game.point(game.screen_point(ann));
        game.wait(3);
        assert!(game.says("Enemies can attack here: Gob ("), "{}", rules.id);
    }
}

/// The hatching is explained at the edge of the board, whatever the card of the enemy under the
/// cursor has to say.
#[test]
fn the_hatching_is_explained_wherever_it_is_shown() {
    let words = "Hatched or outlined: melee next turn; dashed:";
    for rules in ALL {
        for enemy in [2, 3] {
            let mut game = begun(rules);
            resize(game.app.world_mut(), 1920, 1080);
            game.wait(8);
            assert!(!game.says(words), "{}", rules.id);
            game.point(game.screen_point(game.cell_of(Id(enemy))));
            assert!(game.comes(|game| game.says(words)), "{}", rules.id);
        }
    }
}

/// An enemy that reaches most of the board hatches only the cells of your units in its reach. While a
/// click would attack it, its reach is only an outline, until the key for all numbers is held.
#[test]
fn a_reach_over_most_of_the_board_is_an_outline() {
    let mut game = begun(ALL[0]);
    game.point(game.screen_point(game.cell_of(Id(2))));
    // The hatched cells, and the borders, which are larger than a cell.
    let count = |game: &mut Game| {
        let world = game.app.world_mut();
        let mut marks = world.query::<(&Layer, &Sprite)>();
        let reach = marks
            .iter(world)
            .filter(|mark| *mark.0 == Layer::EnemyReach);
        let sizes = reach.filter_map(|mark| mark.1.custom_size);
        let (borders, cells): (Vec<Vec2>, Vec<Vec2>) = sizes.partition(|size| size.x > 2.0);
        (cells.len(), borders.len())
    };
    assert!(game.comes(|game| count(game) != (0, 0)));
    assert_eq!(count(&mut game), (0, 1), "a click would attack");
    game.key(KeyCode::AltLeft, ButtonState::Pressed);
    assert!(game.comes(|game| count(game).0 > 0));
    let (cells, borders) = count(&mut game);
    assert_eq!(cells, 2, "the cells of the two units");
    assert!((1..=2).contains(&borders), "{borders}");
}

/// An enemy that can charge further than it can move and attack is listed with the bonus of
/// the charge.
#[test]
fn a_charge_is_listed_with_its_bonus() {
    let row = ".".repeat(30);
    let rows = [row.as_str(); 3];
    for (id, apart) in [
        ("Skirmish", 12),
        ("Segments", 6),
        ("Phased", 7),
        ("Activity", 8),
    ] {
        let rules = fivefoot::rulesets::find(id).expect("a ruleset");
        let units = [
            ("ann", "party", (2, 1), 12),
            ("gob", "goblins", (2 + apart, 1), 12),
        ];
        let mut game = at(&fresh_home());
        show(&mut game, Session::new(&field(&rows, &units), rules, 2));
        game.until_own_turn();
        let of = |game: &Game, id: u16| game.session().shown().unit(Id(id)).at;
        let (ann, gob) = (of(&game, 0), of(&game, 1));
        assert_eq!((gob.x - ann.x, gob.y), (apart, ann.y), "{id}");
        game.press(KeyCode::F3);
        game.point(game.screen_point(ann));
        game.wait(3);
        // AC-02: an attack after a run can be weaker than one after a plain move.
        let how = if id == "Activity" { "" } else { "charge, " };
        let words = format!("Enemies can attack here: Gob ({how}");
        assert!(game.says(&words), "{id}");
        let plain = game.session().queries.attacks(Id(1), Id(0));
        assert!(
            plain.is_empty(),
            "{id}: it is too far away for a plain attack"
        );
    }
}

/// A unit that has declared a move into an enemy's reach is listed before anyone moves.
#[test]
fn declared_destinations_of_your_units_count_too() {
    for id in DECLARED {
        // The wall leaves no line for a charge.
        let middle = format!("{}#{}", ".".repeat(21), ".".repeat(4));
        let rows = [".".repeat(26), middle, ".".repeat(26)];
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let units = |ann: i16| {
            [
                ("ann", "party", (ann, 1), 12),
                ("bea", "party", (0, 0), 12),
                ("gob", "goblins", (22, 1), 12),
            ]
        };
        let game = declaring(id, &rows, &units(1), 2);
        let range = game.session().queries.threat_range(Id(2));
        let least = range.cells().map(|cell| cell.x).min().expect("it comes");
        let mut game = declaring(id, &rows, &units(least - 2), 2);
        game.key(KeyCode::AltLeft, ButtonState::Pressed);
        let is_told = |game: &mut Game| {
            let gob = game.session().shown().unit(Id(2)).at;
            game.point(game.screen_point(gob));
            game.wait(3);
            assert_eq!(game.selection().cursor, Some(gob), "{id}");
            game.find(|one: &Threatened| one.0 == Id(0)).is_some()
        };
        assert!(!is_told(&mut game), "{id}: she is out of reach");
        let ann = game.session().shown().unit(Id(0)).at;
        game.click_cell(ann);
        game.click_cell(Cell::new(least + 1, 1));
        game.wait(2);
        assert!(is_told(&mut game), "{id}: {:?}", game.session().intents());
    }
}
