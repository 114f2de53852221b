//! Where objectives send units, under every ruleset.

use bevy_ecs::system::In;
use fivefoot_core::{
    battle::{Battle, DiceBox, GoalState, Id, View, goal_state, level_setup, sent_to},
    control::{Controllers, Player, play},
    grid::Cell,
    levels::check_file,
    rulesets::ALL,
};
use std::sync::Arc;

/// Alice has reached the goal cell and ended a turn there, so the objective no longer sends her
/// anywhere. Bob has not, so it still sends him. Every AI uses this.
#[test]
fn a_unit_that_reached_the_goal_is_sent_nowhere() {
    fn sent(In(who): In<Id>, view: View) -> Vec<Cell> {
        sent_to(&view, who)
    }
    let text = r#"(
        title: "A long way",
        map: ["................", "................"],
        sides: [(id: "party"), (id: "brutes")],
        combatants: [
            (kind: "mara", name: "alice", side: "party", at: (0, 0)),
            (kind: "brandt", name: "bob", side: "party", at: (3, 1)),
            (kind: "goblin", name: "brute", side: "brutes", at: (15, 0), with: (morale: Fearless)),
        ],
        objectives: [(side: "party", goal: Reach(area: (0, 0)))],
        last_round: 3,
    )"#;
    let marked = vec![Cell::new(0, 0)];
    for rules in ALL {
        let (level, _) = check_file("test.ron", text).expect("the level is right");
        let setup = level_setup(&Arc::new(level));
        let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(7));
        let [alice, bob, brute] = [Id(0), Id(1), Id(2)];
        assert_eq!(battle.read(sent, alice), marked, "{}", rules.id);
        assert_eq!(battle.read(sent, brute), vec![], "{}", rules.id);
        // She stands there from the start, and counts once a turn has ended.
        let reached = |so_far, there| GoalState::Reached {
            so_far,
            of: 2,
            there,
        };
        let now = goal_state(battle.world(), 0, |_| true);
        assert_eq!(now, reached(0, 1), "{}", rules.id);
        let mut controllers = Controllers::new(&[Player::Idle; 2], &setup, rules, 7);
        play(&mut battle, &mut controllers, 1_000);
        let now = goal_state(battle.world(), 0, |_| true);
        assert_eq!(now, reached(1, 0), "{}", rules.id);
        assert_eq!(battle.read(sent, alice), vec![], "{}", rules.id);
        assert_eq!(battle.read(sent, bob), marked, "{}", rules.id);
    }
}
