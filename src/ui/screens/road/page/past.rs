//! How a run ended, and the runs before it.

use super::{small, tip};
use crate::{
    battle::capitalised,
    road::{End, State},
    ui::{
        art::{hud::Panel, palette},
        screens::{
            result::road::lines,
            road::{Past, Road, RoadButton as B},
        },
        theme::{Cut, text},
        widgets::{card, face, row, rule, spring, word_button},
    },
    words::{count, list},
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

/// The end of the run.
pub(super) fn ended(right: &mut ChildSpawnerCommands, road: &Road, state: &State, end: End) {
    let (words, ink) = match end {
        End::Finished => ("You reached the end of the Road", palette::TEAL),
        _ => ("The run is over", palette::DANGER),
    };
    right.spawn(text(words, Cut::Heading, ink));
    right.spawn(text(
        format!("{}.", capitalised(&outcome(state))),
        Cut::Strong,
        palette::INK,
    ));
    let names = |members: &[crate::road::Member]| {
        let name = |m: &crate::road::Member| format!("{} (level {})", m.name(), m.level);
        list(members.iter().map(name), "and")
    };
    for (what, members) in [("Alive", &state.squad), ("Lost", &state.lost)] {
        if !members.is_empty() {
            let words = format!("{what}: {}.", names(members));
            right.spawn(text(words, Cut::Body, palette::INK));
        }
    }
    right.spawn(rule());
    right.spawn(text("The last battle", Cut::Small, palette::FADED_INK));
    lines(right, state);
    right.spawn(rule());
    let words = match road.past.iter().map(|past| rank(&past.state)).max() {
        None => String::from("This is your first run."),
        Some(best) if best < rank(state) => String::from("This is your best run."),
        Some(_) => best(road).unwrap_or_default(),
    };
    right.spawn(text(words, Cut::Body, palette::INK));
    let words = "The code gives a friend the same road. The file holds the whole run: \
                 `fivefoot road FILE` tells its story and plays every battle again.";
    right.spawn(text(words, Cut::Small, palette::FADED_INK));
    right
        .spawn((row(8.0), Pickable::IGNORE))
        .with_children(|row| {
            let again = word_button("New run (Enter)", Panel::ButtonPrimary);
            let about = tip("This run stays in the list of your runs");
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

/// "Reached the end, 8 of 9 battles won".
fn outcome(state: &State) -> String {
    let end = state.end.map_or("not over", End::text);
    let (won, of) = (state.won, state.settings.battles);
    let lost = match state.lost.len() {
        0 => String::from("nobody died"),
        n => format!("{} died", count(n, "unit")),
    };
    format!("{end}, {won} of {of} battles won, {lost}")
}

/// The better run has the larger.
pub fn rank(state: &State) -> impl Ord + use<> {
    let difficulty = state.settings.difficulty as usize;
    let lost = std::cmp::Reverse(state.lost.len());
    let is_done = state.end == Some(End::Finished);
    (is_done, difficulty * usize::from(is_done), state.won, lost)
}

/// "Best run: reached the end, 9 of 9 battles won (Skirmish, Normal)".
pub(super) fn best(road: &Road) -> Option<String> {
    let best = road.past.first()?;
    Some(format!("Best run: {}", line(&best.state)))
}

fn line(state: &State) -> String {
    let (rules, difficulty) = (state.settings.rules.id, state.settings.difficulty.name());
    format!("{} ({rules}, {difficulty})", outcome(state))
}

/// The runs that are over, the best first.
pub(super) fn runs(page: &mut ChildSpawnerCommands, road: &Road) {
    if road.past.is_empty() {
        return;
    }
    let node = Node {
        row_gap: px(4),
        padding: UiRect::axes(px(14), px(8)),
        max_height: px(170),
        flex_shrink: 0.0,
        overflow: Overflow::scroll_y(),
        ..card()
    };
    page.spawn((node, face(Panel::Card), ScrollArea))
        .with_children(|runs| {
            let words = format!("Your runs: {}", road.past.len());
            runs.spawn(text(words, Cut::Heading, palette::INK));
            for (n, past) in road.past.iter().enumerate() {
                run(runs, road, n, past);
            }
        });
}

fn run(runs: &mut ChildSpawnerCommands, road: &Road, n: usize, past: &Past) {
    let node = Node {
        flex_shrink: 0.0,
        ..row(12.0)
    };
    runs.spawn((node, Pickable::IGNORE)).with_children(|run| {
        let code = past.state.settings.code();
        run.spawn(text(code, Cut::Strong, palette::LINK));
        let ink = match past.state.end {
            Some(End::Finished) => palette::TEAL,
            _ => palette::INK,
        };
        run.spawn(text(capitalised(&line(&past.state)), Cut::Body, ink));
        if n == 0 {
            run.spawn(text("Best run", Cut::Small, palette::OAK_DARK));
        }
        run.spawn(spring());
        let about = tip("Fill in this code: the same road again");
        small(run, road, "Play again", B::Again(n), Panel::Button, about);
        let about = tip("Copy where the file of this run is, to share it");
        small(
            run,
            road,
            "Copy file path",
            B::CopyPath(Some(n)),
            Panel::Button,
            about,
        );
    });
}
