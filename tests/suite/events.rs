//! What events say of themselves.

use fivefoot::{
    battle::{Battle, Change, DiceBox, Id, level_setup},
    control::{Player, Table, play},
    levels::built_in,
    rulesets::ALL,
};

/// Whether a text has a name as whole words.
fn names(text: &str, name: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        // "goblin" is no word of its own in "goblin 2".
        let number = after.trim_start().starts_with(|c: char| c.is_ascii_digit());
        !inside(before.chars().next_back()) && !inside(after.chars().next()) && !number
    })
}

/// Who is hidden is kept out of the log by the events' facts alone: a sentence
/// may name nobody whom they leave out.
#[test]
fn a_sentence_names_only_whom_its_facts_concern() {
    let mut wrong: Vec<String> = vec![];
    for (rules, level) in ALL
        .iter()
        .flat_map(|r| built_in().iter().map(move |l| (r, l)))
    {
        for player in [Player::Quick, Player::Random] {
            let setup = level_setup(level);
            let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(5));
            let mut table = Table::new(&vec![player; level.sides.len()], &setup, rules, 5);
            play(&mut battle, &mut table, 150);
            let all = battle.names().clone();
            let people: Vec<Id> = (0..level.combatants.len() as u16).map(Id).collect();
            for event in battle.events() {
                // An objective is told in the level's own words.
                let is_levels = matches!(
                    event.what,
                    Change::ObjectiveLost { .. }
                        | Change::Over { .. }
                        | Change::Held { .. }
                        | Change::Reached { .. }
                );
                let Some(line) = event.tell(&all).filter(|_| !is_levels) else {
                    continue;
                };
                let who = event.who(&all);
                let told = |id: &&Id| {
                    names(&line.text, all.name(**id)) || names(&line.text, all.title(**id))
                };
                let left_out = people.iter().filter(told).filter(|id| !who.contains(id));
                wrong.extend(left_out.map(|id| {
                    let name = all.name(*id);
                    format!(
                        "{}: {name:?} in \"{}\": {:?}",
                        rules.id, line.text, event.what
                    )
                }));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
