//! The end of a run, and past runs.

use super::small;
use crate::{
    battle::capitalised,
    road::{RunEnd, RunState},
    ui::{
        art::{hud::Panel, palette},
        screens::{
            result::road::lines,
            road::{Past, Road, RoadButton as B},
        },
        theme::{TextStyle, body_text, faded, heading_text, strong_text, text},
        widgets::{
            NodeExt, SpawnWith, Tip, card, panel_style, rigid, row, rule, spacer, word_button,
        },
    },
    words::{count, list},
};
use bevy::prelude::*;

/// Spawns the summary of a finished run.
pub(super) fn ended(right: &mut ChildSpawnerCommands, road: &Road, state: &RunState, end: RunEnd) {
    let (words, ink) = match end {
        RunEnd::Finished => ("You reached the end of the Road", palette::TEAL),
        _ => ("The run is over", palette::DANGER),
    };
    right.spawn(text(words, TextStyle::Heading, ink));
    right.spawn(strong_text(format!("{}.", capitalised(&outcome(state)))));
    let names = |members: &[crate::road::Member]| {
        let name = |m: &crate::road::Member| format!("{} (level {})", m.name(), m.level);
        list(members.iter().map(name), "and")
    };
    for (what, members) in [("Alive", &state.squad), ("Lost", &state.lost)] {
        if !members.is_empty() {
            right.spawn(body_text(format!("{what}: {}.", names(members))));
        }
    }
    right.spawn(rule());
    right.spawn(faded("The last battle"));
    lines(right, state);
    right.spawn(rule());
    let words = match road.past.iter().map(|past| rank(&past.state)).max() {
        None => String::from("This is your first run."),
        Some(best) if best < rank(state) => String::from("This is your best run."),
        Some(_) => best(road).unwrap_or_default(),
    };
    right.spawn(body_text(words));
    let words = "The code gives a friend the same road. The file holds the whole run: \
                 the command fivefoot road FILE retells it and plays every battle again.";
    right.spawn(faded(words));
    right.group(row(8.0), |row| {
        let again = word_button("New run (Enter)", Panel::ButtonPrimary);
        let about = Tip::text("This run stays in the list of your runs");
        row.spawn((again, B::NewRun, about));
        row.spawn((word_button("Copy code", Panel::Button), B::Copy));
        if road.path.is_some() {
            row.spawn((
                word_button("Copy file path", Panel::Button),
                B::CopyPath(None),
            ));
        }
    });
}

/// A finished run in one line: "reached the end, 8 of 9 battles won, nobody died".
fn outcome(state: &RunState) -> String {
    let end = state.end.map_or("not over", RunEnd::text);
    let (won, of) = (state.won, state.settings.battles);
    let lost = match state.lost.len() {
        0 => String::from("nobody died"),
        n => format!("{} died", count(n, "unit")),
    };
    format!("{end}, {won} of {of} battles won, {lost}")
}

/// Sort key of finished runs: the best run has the largest. Runs that reached the end come before
/// others, harder ones first; then more battles won; then fewer dead units.
pub fn rank(state: &RunState) -> impl Ord + use<> {
    let difficulty = state.settings.difficulty as usize;
    let lost = std::cmp::Reverse(state.lost.len());
    let is_done = state.end == Some(RunEnd::Finished);
    (is_done, difficulty * usize::from(is_done), state.won, lost)
}

/// The best past run in one line: "Best run: 9 of 9 battles won, Skirmish, Normal".
pub(super) fn best(road: &Road) -> Option<String> {
    let best = &road.past.first()?.state;
    let (rules, difficulty) = (best.settings.rules.id, best.settings.difficulty.name());
    let (won, of) = (best.won, best.settings.battles);
    Some(format!(
        "Best run: {won} of {of} battles won, {rules}, {difficulty}"
    ))
}

/// Spawns the list of past runs, best first.
pub(super) fn runs(right: &mut ChildSpawnerCommands, road: &Road) {
    if road.past.is_empty() {
        return;
    }
    right.spawn(rule());
    right.spawn(heading_text(format!("Your runs: {}", road.past.len())));
    for (n, past) in road.past.iter().enumerate() {
        run(right, road, n, past);
    }
}

/// Spawns the card of the past run with index `n`.
fn run(right: &mut ChildSpawnerCommands, road: &Road, n: usize, past: &Past) {
    let node = rigid(card().row_gap(2.0).padding(12.0, 6.0));
    right.spawn_with((node, panel_style(Panel::Card)), |run| {
        run.group(row(10.0), |head| {
            let code = past.state.settings.code();
            head.spawn(text(code, TextStyle::Strong, palette::LINK));
            if n == 0 {
                head.spawn(text("best run", TextStyle::Small, palette::OAK_DARK));
            }
            head.spawn(spacer());
            let about = Tip::text("Set up this road again");
            small(head, road, "Same road", B::Again(n), Panel::Button, about);
            let about = Tip::text("Copy where the file of this run is, to share it");
            let what = B::CopyPath(Some(n));
            small(head, road, "Copy file path", what, Panel::Button, about);
        });
        let ink = match past.state.end {
            Some(RunEnd::Finished) => palette::TEAL,
            _ => palette::INK,
        };
        let settings = &past.state.settings;
        let (rules, difficulty) = (settings.rules.id, settings.difficulty.name());
        let words = capitalised(&outcome(&past.state));
        let words = format!("{words} ({rules}, {difficulty}).");
        run.spawn(text(words, TextStyle::Small, ink));
    });
}
