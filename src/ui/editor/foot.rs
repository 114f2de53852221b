//! The area below the map: the problems that `check` finds in the current level, and
//! the lines of the file that have changed.

use super::{
    Drawing,
    command::EditorCommand,
    marks::finding_ink,
    panel::{small, tip, wrapped},
    state::{EditorState, Finding},
};
use crate::{
    levels::edit::lines::{DiffLine, compare},
    ui::{
        art::{hud::Panel, palette},
        theme::{TextStyle, colour, faded, strong_text, text},
        widgets::{
            Filled, NodeExt, SendOnPress, SpawnWith, button, column, fill_width, refill, rigid,
            row, spacer,
        },
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (check, lines).in_set(Drawing));
}

/// The node that holds the list of problems.
#[derive(Component)]
pub(super) struct CheckPlace;

/// The node that holds the lines of the file.
#[derive(Component)]
pub(super) struct LinesPlace;

fn check(
    mut commands: Commands,
    state: Res<EditorState>,
    place: Single<Entity, With<CheckPlace>>,
    mut shown: Local<Filled<(u64, Option<String>)>>,
) {
    let now = (*place, (state.revision, state.message.clone()));
    refill(&mut commands, now, &mut shown, |card, _| {
        let errors = state.errors();
        let warnings = state.findings.len() - errors;
        card.group(rigid(row(10.0)), |head| {
            head.spawn(strong_text("Check"));
            head.spawn(spacer());
            for (n, what, is_error) in [(errors, "error", true), (warnings, "warning", false)] {
                if n > 0 {
                    let words = crate::words::count(n, what);
                    head.spawn(text(words, TextStyle::Label, finding_ink(is_error)));
                }
            }
        });
        if let Some(word) = &state.message {
            card.spawn(text(word.clone(), TextStyle::Small, palette::TEAL));
        }
        if state.findings.is_empty() {
            card.spawn(faded("No problems found."));
        }
        for (n, finding) in state.findings.iter().enumerate() {
            if let Some(fix) = &finding.fix {
                card.group(rigid(row(6.0)).width(percent(100)), |line| {
                    show_finding(line, n, finding);
                    let about = "Fix it; you can undo this";
                    let button = small(&fix.title(), false, EditorCommand::Fix(n));
                    line.spawn((button, tip(about)));
                });
                continue;
            }
            show_finding(card, n, finding);
        }
    });
}

/// A row for one problem. Clicking it shows where the problem is.
fn show_finding(card: &mut ChildSpawnerCommands, n: usize, finding: &Finding) {
    let node = row(8.0)
        .min_width(px(0))
        .align(AlignItems::Start)
        .justify(JustifyContent::Start)
        .padding(6.0, 2.0);
    // With a fix button next to it the row takes the remaining width, otherwise the
    // full width.
    let node = match finding.fix.is_some() {
        true => fill_width(node),
        false => node.width(percent(100)),
    };
    let problem = &finding.problem;
    let find = SendOnPress(EditorCommand::Find(n));
    card.spawn_with((button(Panel::CardLight, node), find), |line| {
        let sign = format!("{}", n + 1);
        line.spawn(text(sign, TextStyle::Strong, finding_ink(finding.is_error)));
        line.group(column(0.0).min_width(px(0)), |words| {
            words.spawn(text(problem.what.clone(), TextStyle::Label, palette::INK));
            let mut place = format!("line {}, column {}", problem.line, problem.col);
            if !problem.help.is_empty() {
                place = format!("{place} · {}", problem.help);
            }
            words.spawn(faded(place));
        });
    });
}

/// The most lines of the file that are shown.
const MAX: usize = 400;

fn lines(
    mut commands: Commands,
    state: Res<EditorState>,
    place: Single<Entity, With<LinesPlace>>,
    mut shown: Local<Filled<(u64, bool)>>,
) {
    let now = (*place, (state.revision, state.shows_file));
    refill(&mut commands, now, &mut shown, |card, _| {
        let (old, new) = (state.history.saved(), state.history.text());
        let [old_lines, new_lines] = [old, new].map(|text| Vec::from_iter(text.lines()));
        let all = compare(old, new);
        let touched = |l: &&DiffLine| !matches!(l, DiffLine::Same(..));
        let count = all.iter().filter(|l| matches!(l, DiffLine::New(_))).count();
        let count = count.max(all.iter().filter(|l| matches!(l, DiffLine::Old(_))).count());
        card.group(wrapped(6.0), |head| {
            head.spawn(strong_text(state.file_name()));
            let (what, other) = match state.shows_file {
                true => ("whole", "show changes"),
                false => ("changed lines", "show whole file"),
            };
            head.spawn(faded(what));
            head.spawn(spacer());
            let words = format!("{count} of {} lines changed", new_lines.len());
            head.spawn(text(words, TextStyle::Label, palette::AMBER));
            head.spawn(small(other, false, EditorCommand::WholeFile));
        });
        let wanted: Vec<&DiffLine> = match state.shows_file {
            true => all.iter().take(MAX).collect(),
            false => all.iter().filter(touched).take(MAX).collect(),
        };
        if wanted.is_empty() {
            card.spawn(faded("No unsaved changes."));
        }
        for written in wanted {
            let (number, sign, words, ink, ground) = match *written {
                DiffLine::Same(_, n) => (n + 1, " ", new_lines.get(n), palette::INK, None),
                DiffLine::Old(n) => (n + 1, "\u{2212}", old_lines.get(n), palette::DANGER, None),
                DiffLine::New(n) => {
                    let ground = Some(palette::GOLD);
                    (n + 1, "+", new_lines.get(n), palette::INK, ground)
                }
            };
            let node = rigid(row(6.0).align(AlignItems::Start));
            let ground = ground.map_or(Color::NONE, |ink| colour(ink).with_alpha(0.22));
            card.spawn_with((node, BackgroundColor(ground), Pickable::IGNORE), |line| {
                let number = format!("{number}{sign}");
                let number = text(number, TextStyle::Code, palette::FADED_INK);
                line.spawn((number, rigid(Node::default().width(px(34)))));
                let words = words.copied().unwrap_or_default().trim_end();
                let words = text(words, TextStyle::Code, ink);
                line.spawn((words, Node::default().min_width(px(0))));
            });
        }
    });
}
