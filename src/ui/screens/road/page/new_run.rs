//! The setup of a new run.

use super::small;
use crate::{
    road::{Difficulty, Settings},
    rulesets,
    ui::{
        art::{hud::Panel, palette},
        entry::entry,
        input::FirstFocus,
        screens::road::{CodeEntry, KeepDeadBox, Road, RoadButton as B},
        theme::{TextStyle, body_text, faded, heading_text, strong_text, text},
        widgets::{NodeExt, SpawnWith, Tip, button, checkbox, list_node, rule, wrapping_row},
    },
};
use bevy::prelude::*;

/// A line about how turns work under each ruleset, in the order of the rulesets.
const TURNS: [&str; 5] = [
    "Sides take turns. Best to start with.",
    "A die says who acts next; spells take time.",
    "Everyone plans, the better roll acts first, spells last.",
    "Everyone plans, fast weapons act first.",
    "Spend 100% a round: attack with some, parry with the rest.",
];

/// The average length of a battle in minutes, as measured by playing (docs/road.md).
const MINUTES: usize = 13;

/// Spawns the settings of a new run on the right side of the page.
pub(super) fn new_run(right: &mut ChildSpawnerCommands, road: &Road) {
    let wrap = || wrapping_row(6.0, 4.0);
    right.spawn(heading_text("A new run"));
    let words = "Four heroes set out. At each fork you choose your next battle and see your odds. \
                 A unit that falls is wounded; a unit that dies is lost.";
    right.spawn(body_text(words));
    right.spawn(faded("How turns work"));
    for (n, rules) in rulesets::ALL.iter().enumerate() {
        let is_selected = road.settings.rules.id == rules.id;
        let node = list_node(0.0, 10.0).padding(10.0, 4.0);
        let panel = Panel::Card.active_if(is_selected);
        let mut spawned = right.spawn((button(panel, node), B::Rules(n)));
        spawned.insert_if(FirstFocus, || road.last == Some(B::Rules(n)));
        spawned.with_children(|line| {
            line.spawn(strong_text(rules.id));
            line.spawn(faded(TURNS[n]));
        });
    }
    right.spawn(faded("Difficulty"));
    right.group(wrap(), |row| {
        for difficulty in Difficulty::ALL {
            let panel = Panel::Card.active_if(road.settings.difficulty == difficulty);
            let about = Tip::text(difficulty.about());
            let what = B::Difficulty(difficulty);
            small(row, road, difficulty.name(), what, panel, about);
        }
    });
    let about = road.settings.difficulty.about();
    right.spawn(text(about, TextStyle::Small, palette::INK));
    right.spawn(faded("Length"));
    right.group(wrap(), |row| {
        for battles in Settings::BATTLES.0..=Settings::BATTLES.1 {
            let panel = Panel::Card.active_if(road.settings.battles == battles);
            let minutes = MINUTES * usize::from(battles);
            let about = Tip::text(format!("About {minutes} minutes"));
            let words = format!("{battles} battles");
            small(row, road, &words, B::Length(battles), panel, about);
        }
    });
    let words = "Units that die come back with a wound";
    let keeps_dead = checkbox(words, road.settings.keeps_dead);
    right.spawn((keeps_dead, KeepDeadBox));
    right.spawn(rule());
    right.group(wrap(), |row| {
        let about = Tip::text("Another road: other places, enemies and dice");
        small(row, road, "Another road", B::Reroll, Panel::Button, about);
        let any = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ' ';
        row.spawn(faded("or a friend's code:"));
        row.spawn((CodeEntry, entry("Run code", &road.code, 150.0, 14, any)));
    });
}
