//! A level that was drawn in the window, by mouse: its file is as the editor wrote
//! it.

use fivefoot::{
    battle::{Battle, DiceBox, level_setup},
    control::{Player, Table, play},
    grid::Feature,
    levels::check_file,
    rulesets::ALL,
};

const DRAWN: &str = include_str!("../levels/drawn.ron");
/// No battle on it needs more.
const ANSWERS: usize = 20_000;

#[test]
fn a_level_drawn_in_the_window_is_sound_and_played_to_its_end_everywhere() {
    let read = check_file("drawn.ron", DRAWN);
    let (level, hints) = read.unwrap_or_else(|problems| panic!("{problems:?}"));
    assert!(hints.is_empty(), "{hints:?}");
    assert_eq!(level.sides.len(), 3);
    assert!(level.combatants.iter().any(|c| c.arrives.is_some()), "reinforcements");
    assert!(DRAWN.contains("kinds: ("), "a creature of its own");
    let board = level.board();
    let grounds: Vec<_> = board.cells().filter_map(|c| board.ground(c)).collect();
    assert!(grounds.iter().any(|g| matches!(g.feature, Feature::Window(_))));
    assert!(grounds.iter().any(|g| g.floor < 0), "a pit");
    assert!(grounds.iter().any(|g| g.floor >= 5), "a storey");
    for rules in ALL {
        for seed in 0..2 {
            let setup = level_setup(&level);
            let seats = vec![Player::Quick; level.sides.len()];
            let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
            let mut table = Table::new(&seats, &setup, rules, seed);
            play(&mut battle, &mut table, ANSWERS);
            assert!(battle.over().is_some(), "{}, {seed}", rules.id);
        }
    }
}
