//! The bar along the top, the tools, and the card with the win chances.

use super::{
    Drawing, ToolsPlace, TopPlace,
    brush::Tool,
    canvas::Canvas,
    command::EditorCommand,
    panel::{heading, label, small, tip},
    simulate::{BATTLES, Chance, FAIR, Simulation, Standing},
    state::EditorState,
    test_play::TestTable,
};
use crate::{
    levels::edit::lines,
    rulesets,
    ui::{
        art::{
            hud::Panel,
            palette::{self, Rgb},
        },
        input::{EditKey, Key},
        redraw::KeepRedrawing,
        theme::{TextStyle, colour, faded, strong_text, text},
        widgets::{
            Filled, NodeExt, SendOnPress, SpawnWith, Tip, column, refill, rigid, row, show_if,
            sized, spacer, word_button,
        },
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Simulation>();
    app.add_systems(Update, (bar, tools, chances).in_set(Drawing));
}

/// The node that holds the card with the win chances.
#[derive(Component)]
pub(super) struct ChancesPlace;

fn bar(
    mut commands: Commands,
    state: Res<EditorState>,
    table: Res<TestTable>,
    simulation: Res<Simulation>,
    place: Single<Entity, With<TopPlace>>,
    mut shown: Local<Filled<(u64, TestTable, bool)>>,
) {
    let runs = simulation.is_running();
    let now = (*place, (state.revision, table.clone(), runs));
    refill(&mut commands, now, &mut shown, |bar, _| {
        let about = tip("Leave the editor").key(Key::Back);
        let leave = EditorCommand::Leave { sure: false };
        add(bar, "\u{2190}", Panel::Button, leave, about);
        let node = column(0.0).min_width(px(90)).max_width(px(300)).clipped();
        bar.group(node, |words| {
            let root = crate::levels::edit::At::root();
            let title = state.doc.string(&root.field("title")).unwrap_or("Untitled");
            words.spawn(strong_text(title));
            let n = lines::changes(state.history.saved(), state.history.text());
            let saved = match (n, &state.file) {
                (0, Some(_)) => "saved".into(),
                (0, None) => "unchanged".into(),
                (n, _) => format!("{} changed", crate::words::count(n, "line")),
            };
            let line = format!("{} · {saved}", state.file_name());
            words.spawn((faded(line), TextLayout::no_wrap()));
        });
        let panel = |can| if can { Panel::Button } else { Panel::CardPale };
        let (n, last) = state.history.last();
        let about = tip(&format!("{n} edits, last: {last}")).key(Key::Edit(EditKey::Undo));
        let undo = panel(state.history.can_undo());
        add(bar, "Undo", undo, EditorCommand::Undo, about);
        let about = tip("Redo the last undone edit").key(Key::Edit(EditKey::Redo));
        let redo = panel(state.history.can_redo());
        add(bar, "Redo", redo, EditorCommand::Redo, about);
        bar.spawn(spacer());
        let rules = table.rules(state.good.as_deref()).id;
        let about = tip("Ruleset for tests; click for the next");
        add(bar, rules, Panel::Button, EditorCommand::Rules, about);
        let about = tip("Who plays: your side and the others; click for the next");
        let players = table.words();
        add(bar, &players, Panel::Button, EditorCommand::Table, about);
        let about = "Play this level; leave the battle to return here";
        let (words, about) = match state.errors() {
            0 => ("Test play", about),
            _ => ("Test play !", "Play the last version without errors"),
        };
        let about = tip(about).key(Key::Edit(EditKey::TestPlay));
        let play = EditorCommand::TestPlay;
        add(bar, words, Panel::ButtonPrimary, play, about);
        let words = if runs { "Stop" } else { "Simulate" };
        let about = format!("Simulate {BATTLES} battles under each ruleset, in the background");
        let about = tip(&about).key(Key::Edit(EditKey::Simulate));
        add(bar, words, Panel::Button, EditorCommand::Simulate, about);
        let about = tip("Save the file").key(Key::Edit(EditKey::Save));
        let save = panel(!state.history.is_saved());
        add(bar, "Save", save, EditorCommand::Save, about);
    });
}

/// A button of the bar.
fn add(
    bar: &mut ChildSpawnerCommands,
    words: &str,
    panel: Panel,
    command: EditorCommand,
    about: Tip,
) {
    bar.spawn((word_button(words, panel), SendOnPress(command), about));
}

fn tools(
    mut commands: Commands,
    state: Res<EditorState>,
    canvas: Res<Canvas>,
    place: Single<Entity, With<ToolsPlace>>,
    mut shown: Local<Filled<(Tool, u8, (bool, bool), i32)>>,
) {
    let flags = (state.shows_cover, state.is_hollow);
    let now = (state.tool, state.size, flags, canvas.percent());
    refill(&mut commands, (*place, now), &mut shown, |bar, _| {
        for (tool, key) in Tool::ALL {
            let is_on = state.tool == tool;
            let button = small(&format!("{tool:?}"), is_on, EditorCommand::Tool(tool));
            bar.spawn((button, tip(tool.about()).key(Key::Edit(key))));
        }
        // Both mirror buttons replace the brush size here, so that the bar keeps its
        // height.
        if state.tool.takes_areas() {
            for (words, upright, key) in [
                ("\u{2194}", false, EditKey::Mirror),
                ("\u{2195}", true, EditKey::MirrorUpright),
            ] {
                let about = "Mirror the area that you hold";
                let mirror = small(words, false, EditorCommand::Mirror { upright });
                bar.spawn((mirror, tip(about).key(Key::Edit(key))));
            }
        } else if state.tool == Tool::Box {
            let about = "Draw only the outline; Shift toggles";
            let hollow = small("Hollow", state.is_hollow, EditorCommand::Hollow);
            bar.spawn((hollow, tip(about)));
        } else {
            bar.spawn(faded("Brush"));
            for n in 1..=3 {
                let is_on = state.size == n;
                bar.spawn(small(&n.to_string(), is_on, EditorCommand::Size(n)));
            }
        }
        let about = "Tint what the selected unit or pinned cell sees under cover or not at all";
        let tip = tip(about).key(Key::Edit(EditKey::Cover));
        bar.spawn((small("Cover", state.shows_cover, EditorCommand::Cover), tip));
        bar.spawn(spacer());
        bar.spawn(small("\u{2212}", false, EditorCommand::Zoom(-1)));
        let percent = format!("{}%", canvas.percent());
        bar.spawn(text(percent, TextStyle::Small, palette::INK));
        bar.spawn(small("+", false, EditorCommand::Zoom(1)));
    });
}

fn chances(
    mut commands: Commands,
    state: Res<EditorState>,
    simulation: Res<Simulation>,
    place: Single<(Entity, &mut Node), With<ChancesPlace>>,
    mut shown: Local<Filled<Option<Standing>>>,
) {
    let (place, mut node) = place.into_inner();
    let now = (place, simulation.standing(&state));
    refill(&mut commands, now, &mut shown, |card, standing| {
        let is_running = simulation.is_running();
        show_if(&mut node, standing.is_some());
        let mut place = card.commands_mut().entity(place);
        match is_running {
            true => place.insert(KeepRedrawing),
            false => place.remove::<KeepRedrawing>(),
        };
        let Some(standing) = standing else { return };
        let aside = match (is_running, standing.is_old) {
            (true, _) => "calculating",
            (_, true) => "of an earlier version",
            _ => "",
        };
        heading(card, &format!("{} wins", standing.side), aside);
        for chance in &standing.chances {
            let saved = simulation.saved.get(chance.rules).copied().flatten();
            chart(card, *chance, saved);
        }
        let fair = |c: &Chance| {
            let share = c.estimate().value * 100.0;
            c.of > 0 && (FAIR.0..=FAIR.1).contains(&share)
        };
        let fought = standing.chances.iter().map(|c| c.of).max().unwrap_or(0);
        let chances = standing.chances.iter();
        let off = chances.filter(|c| c.of > 0 && !fair(c)).count();
        let words = match off {
            _ if fought == 0 => String::from("First battles running."),
            0 => format!("All within {} to {}%.", FAIR.0, FAIR.1),
            n => format!("{n} outside {} to {}%.", FAIR.0, FAIR.1),
        };
        let took = standing.took;
        let took = took.map_or(String::new(), |t| format!(" {}.{} s.", t / 10, t % 10));
        let words = format!("{words} {fought} battles each, 95% intervals.{took}");
        card.spawn(faded(words));
    });
}

/// The width of the chance scale in pixels.
const SCALE: f32 = 110.0;

/// A scale with a dot at the win chance, a bar for its interval, and a ring at the
/// chance of the saved state.
fn chart(card: &mut ChildSpawnerCommands, chance: Chance, saved: Option<Chance>) {
    let estimate = chance.estimate();
    card.group(rigid(row(6.0).height(px(20))), |line| {
        let rules = rulesets::ALL[chance.rules].id;
        let name = text(rules, TextStyle::Label, palette::INK);
        line.spawn((label(), children![name]));
        line.group(sized(SCALE, 18.0), |scale| {
            let part = |from: f64, to: f64, high: f32| {
                Node::default()
                    .at(from as f32 * SCALE, 9.0 - high / 2.0)
                    .size(((to - from) as f32 * SCALE).max(1.0), high)
            };
            let reach = 4.0 / f64::from(SCALE);
            let dot = |at: f64| part(at - reach, at + reach, 8.0).rounded(BorderRadius::MAX);
            let filled = |ink: Rgb| BackgroundColor(colour(ink));
            let fair = part(FAIR.0 / 100.0, FAIR.1 / 100.0, 18.0);
            let green = colour(palette::GREEN).with_alpha(0.14);
            scale.spawn((fair, BackgroundColor(green)));
            scale.spawn((part(0.0, 1.0, 1.0), filled(palette::STONE_DARK)));
            if chance.of > 0 {
                let interval = part(estimate.low, estimate.high, 3.0);
                scale.spawn((interval, filled(palette::INK)));
                scale.spawn((dot(estimate.value), filled(palette::TEAL)));
            }
            if let Some(saved) = saved.filter(|s| s.of > 0) {
                let node = dot(saved.estimate().value).border(1.4);
                scale.spawn((node, BorderColor::all(colour(palette::FADED_INK))));
            }
        });
        let words = match chance.of {
            0 => String::from("…"),
            _ => {
                let [value, reach] = [estimate.value, estimate.reach()].map(|n| n * 100.0);
                format!("{value:.0}% ±{reach:.0}")
            }
        };
        line.spawn(text(words, TextStyle::Label, palette::TEAL));
    });
}
