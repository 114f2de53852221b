//! The texts and cues of events.

use crate::kit::with_controllers;
use fivefoot_core::{
    battle::{CueKind, Event, EventKind, EventTable, Id},
    control::{Player, play},
    levels::built_in,
    rulesets::{ALL, find},
};
use serde_json::Value;

/// Whether a text contains a name as whole words.
fn names(text: &str, name: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        // "goblin" does not count inside "goblin 2".
        let number = after.trim_start().starts_with(|c: char| c.is_ascii_digit());
        !inside(before.chars().next_back()) && !inside(after.chars().next()) && !number
    })
}

/// The ids in an event's JSON, as one bit each.
fn ids(data: &Value) -> u64 {
    match data {
        Value::String(text) => {
            let id = text.strip_prefix('#').and_then(|n| n.parse().ok());
            id.map_or(0, |n| Id(n).bit())
        }
        Value::Array(all) => all.iter().fold(0, |set, one| set | ids(one)),
        Value::Object(all) => all.values().fold(0, |set, one| set | ids(one)),
        _ => 0,
    }
}

/// Hidden units are kept out of the log by the events' data alone, so a log line must not name a
/// unit that the data leaves out.
#[test]
fn log_lines_name_only_units_in_the_event() {
    for (rules, level) in ALL
        .iter()
        .flat_map(|r| built_in().iter().map(move |l| (r, l)))
    {
        for player in [Player::Quick, Player::Random] {
            let (mut battle, mut controllers) = with_controllers(level, rules, player, 5);
            play(&mut battle, &mut controllers, 150);
            let all = battle.names().clone();
            let units: Vec<Id> = (0..level.combatants.len() as u16).map(Id).collect();
            for event in battle.events() {
                let Some(line) = event.describe(&all) else {
                    continue;
                };
                // Texts by the level's author can name any unit.
                let is_of_level = matches!(
                    event.what,
                    EventKind::Over { .. }
                        | EventKind::Reached { .. }
                        | EventKind::Held { .. }
                        | EventKind::ObjectiveLost { .. }
                );
                if is_of_level {
                    continue;
                }
                let who = event.concerns().units;
                let named = |id: &&Id| {
                    names(&line.text, all.name(**id)) || names(&line.text, all.title(**id))
                };
                if let EventKind::Ruleset(own) = &event.what {
                    assert_eq!(who, ids(&own.data()), "{:?}", event.what);
                }
                for id in units.iter().filter(named) {
                    assert!(
                        who & id.bit() != 0,
                        "{}, {}: {:?} is named in \"{}\", and is not in {:?}",
                        rules.id,
                        level.id,
                        all.name(*id),
                        line.text,
                        event.what
                    );
                }
            }
        }
    }
}

/// Whether a text contains the coordinates of a cell: "3,4".
fn has_cell(text: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(',').any(|(at, _)| {
        is_digit(text[..at].chars().next_back()) && is_digit(text[at + 1..].chars().next())
    })
}

/// Readers who see the board get no coordinates, except of what an action aims at.
#[test]
fn lines_beside_the_board_name_no_cell() {
    let mut differ = 0;
    for (rules, level) in ALL
        .iter()
        .flat_map(|r| built_in().iter().take(6).map(move |l| (r, l)))
    {
        let (mut battle, mut controllers) = with_controllers(level, rules, Player::Random, 7);
        play(&mut battle, &mut controllers, 150);
        let is_act = |e: &&Event| matches!(e.what, EventKind::Acted { .. });
        for event in battle.events().iter().filter(|e| !is_act(e)) {
            let line = event.describe_on_board(battle.names());
            let Some(text) = line.map(|line| line.text) else {
                continue;
            };
            let what = &event.what;
            assert!(!has_cell(&text), "{}: \"{text}\" of {what:?}", rules.id);
            let plain = event.describe(battle.names());
            differ += u32::from(plain.is_some_and(|plain| plain.text != text));
        }
    }
    assert!(differ > 100, "{differ} lines differ");
}

/// Standing up is an action that has named itself, so that no text follows it.
#[test]
fn standing_up_is_not_said_twice() {
    for (prone, word) in [(true, "prone"), (false, "")] {
        let cue = EventKind::Prone { who: Id(0), prone }.cue();
        assert_eq!(cue.expect("a sound").word, word);
    }
}

/// Losing Stress gives the same kind of cue as losing hit points.
#[test]
fn a_loss_of_stress_gives_a_cue() {
    let rules = find("speed").expect("it is one of the five");
    let level = &built_in()[0];
    let (mut battle, mut controllers) = with_controllers(level, rules, Player::Quick, 1);
    play(&mut battle, &mut controllers, 400);
    let harm = battle.events().iter().filter_map(|e| e.cue());
    let harm: Vec<_> = harm.filter(|c| c.kind == CueKind::Harm).collect();
    assert!(!harm.is_empty());
    for cue in harm {
        assert!(cue.who.is_some() && cue.points > 0 && cue.word == "Stress");
    }
}
