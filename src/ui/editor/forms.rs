//! Forms for everything except units and kinds: the level itself, its sides,
//! objectives, reinforcements and surprise.

use super::{
    brush::Brush,
    command::EditorCommand,
    kinds::Names,
    palette::brush_button,
    panel::{
        Writes, field, heading, line, lone, set, small, stepper, text_entry, text_line, tip,
        toggle, unset, wrapped,
    },
    state::{Chosen, EditorState},
    trace::Trace,
};
use crate::{
    content::Colour,
    levels::edit::{At, Edge},
    rulesets,
    ui::{
        art::palette,
        theme::{TextStyle, faded, heading_text, text},
        widgets::{SpawnWith, rule},
    },
};
use bevy::prelude::*;

fn head(form: &mut ChildSpawnerCommands, words: &str) {
    form.spawn(heading_text(words));
    form.spawn(rule());
}

/// A row of buttons for one field. The current value is lit; pressing it removes the
/// field.
fn words(
    form: &mut ChildSpawnerCommands,
    state: &EditorState,
    (label, about): (&str, &str),
    at: &At,
    all: &[&str],
) {
    line(form, label, Some(about.into()), |l| {
        let now = state.doc.word(at);
        for word in all {
            let is_on = now == Some(word);
            l.spawn(small(word, is_on, toggle(at.clone(), is_on, *word, label)));
        }
    });
}

/// A row for a number that the field may lack: `none` is shown without it, and pressing that sets it
/// to the `usual` one; otherwise `some` is shown before it. `whats` say in the history that it is
/// set and that it is removed.
fn number(
    form: &mut ChildSpawnerCommands,
    state: &EditorState,
    (label, about): (&str, &str),
    (none, some): (&str, &str),
    (at, usual, most): (At, &str, i32),
    whats: [&'static str; 2],
) {
    line(form, label, Some(about.into()), |l| {
        let Some(now) = whole(state, &at) else {
            l.spawn(small(none, true, set(at, usual, whats[0])));
            return;
        };
        l.spawn(text(some, TextStyle::Small, palette::INK));
        let to = at.clone();
        stepper(l, now, palette::INK, move |n| {
            set(to.clone(), n.clamp(1, most).to_string(), whats[0])
        });
        l.spawn(small("\u{d7}", false, unset(at, whats[1])));
    });
}

fn whole(state: &EditorState, at: &At) -> Option<i32> {
    state.doc.raw(at)?.trim().parse().ok()
}

/// The notes of the author: a field for each, with its cell.
fn notes(form: &mut ChildSpawnerCommands, state: &EditorState) {
    heading(form, "Notes", "only in the editor");
    for (n, note) in state.notes().into_iter().enumerate() {
        let label = match note.cell {
            Some(cell) => format!("{} at {},{}", n + 1, cell.x, cell.y),
            None => format!("{}", n + 1),
        };
        line(form, &label, None, |l| {
            let writes = Writes {
                at: note.entry.field("text"),
                is_text: true,
                what: "note".into(),
            };
            field(l, ("Text of the note", 160.0, 500), &note.text, writes);
            let remove = unset(note.entry, "removal of a note");
            l.spawn((small("\u{d7}", false, remove), tip("Remove this note")));
        });
    }
    let about = "For a note about a cell, choose note under Areas and click the cell";
    let add = small("Add a note", false, EditorCommand::AddNote);
    lone(form, (add, tip(about)));
}

pub(super) fn level(form: &mut ChildSpawnerCommands, state: &EditorState, trace: &Trace) {
    let root = At::root();
    head(form, "The level");
    for (label, field, about, most) in [
        ("Title", "title", "Title that players see", 60),
        ("Briefing", "briefing", "Text shown before the battle", 2000),
    ] {
        let written = (root.field(field), String::from(field));
        text_line(form, state, (label, None), (about, 190.0, most), written);
    }
    let ids: Vec<&str> = rulesets::ALL.iter().map(|r| r.id).collect();
    let about = "The only ruleset for this level; if unset, the player chooses";
    words(form, state, ("Rules", about), &root.field("rules"), &ids);
    let about = "The rulesets it is balanced for; if none, all";
    line(form, "Best with", Some(about.into()), |l| {
        suits(l, state, &ids)
    });
    let about = "How it looks and sounds; no rule depends on it";
    let all = ["Day", "Dusk", "Night", "Cold", "Torches"];
    words(form, state, ("Light", about), &root.field("light"), &all);
    let about = "Cost of a diagonal step: always 5 ft, or 10 ft for every second one";
    let (at, all) = (root.field("diagonals"), ["Five", "FiveTen"]);
    words(form, state, ("Diagonal", about), &at, &all);
    let about = ("Ends", "The battle ends after this round");
    let at = (root.field("last_round"), "20", 1000);
    let whats = ["last round", "last round"];
    number(form, state, about, ("never", "after round"), at, whats);
    let (columns, rows) = state.doc.size();
    heading(form, "Size", &format!("{columns} by {rows} cells"));
    for (name, edge) in [
        ("North", Edge::North),
        ("East", Edge::East),
        ("South", Edge::South),
        ("West", Edge::West),
    ] {
        line(form, name, None, |l| {
            let about = "Add a row or column of rock; units stay in place";
            l.spawn((small("grow", false, EditorCommand::Grow(edge)), tip(about)));
            l.spawn(small("shrink", false, EditorCommand::Shrink(edge)));
        });
    }
    notes(form, state);
    trace.show(form);
    heading(form, "How to", "");
    for words in [
        "Choose a tile or unit on the left, then paint or click.",
        "Select: drag a unit, or click it to edit it.",
        "Test play: fight it. Simulate: see who wins. Undo: go back.",
    ] {
        form.spawn(faded(words));
    }
}

/// A toggle for each ruleset: on if the level lists it in `suits`.
fn suits(line: &mut ChildSpawnerCommands, state: &EditorState, ids: &[&str]) {
    let at = At::root().field("suits");
    let count = state.doc.count(&at);
    let now = (0..count).filter_map(|n| state.doc.word(&at.nth(n)));
    let now: Vec<&str> = now.collect();
    for id in ids {
        let then = ids.iter().copied();
        let then = then.filter(|other| (other == id) != now.contains(other));
        let then: Vec<&str> = then.collect();
        let is_any = then.is_empty() || then.len() == ids.len();
        let editor_command = match is_any {
            true => unset(at.clone(), "suits"),
            false => set(at.clone(), format!("[{}]", then.join(", ")), "suits"),
        };
        line.spawn(small(id, now.contains(id), editor_command));
    }
}

pub(super) fn sides(form: &mut ChildSpawnerCommands, state: &EditorState) {
    let list = At::root().field("sides");
    head(form, "Sides");
    let count = state.doc.count(&list);
    for n in 0..count {
        let side = list.nth(n);
        let id = state.doc.string(&side.field("id")).unwrap_or("?");
        let aside = match n {
            0 => "the player's by default",
            _ => "",
        };
        heading(form, id, aside);
        let about = "Name that players see; the id follows it";
        line(form, "Name", Some(about.into()), |l| {
            let now = super::kinds::side_name(state, n).unwrap_or_default();
            l.spawn((Names::Side(n), text_entry(about, now, 170.0, 40)));
        });
        let colours: Vec<String> = Colour::ALL.iter().map(|c| format!("{c:?}")).collect();
        let colours: Vec<&str> = colours.iter().map(String::as_str).collect();
        let (at, about) = (side.field("colour"), "Colour of its units");
        words(form, state, ("Colour", about), &at, &colours);
        let (at, about) = (side.field("control"), "Who controls it by default");
        words(form, state, ("Played by", about), &at, &["Player", "Ai"]);
        let (at, about) = (side.field("awareness"), "Awareness of its units by default");
        let all = ["Unaware", "Ready", "Alert"];
        words(form, state, ("Awareness", about), &at, &all);
        let about = ("Fled", "Units that fled return after this many rounds");
        let at = (side.field("fled_return"), "3", i32::MAX);
        let whats = ["fled come back", "fled for good"];
        number(form, state, about, ("for good", "back after"), at, whats);
        if count > 2 {
            let editor_command = unset(side, "remove a side");
            lone(form, small("Remove this side", false, editor_command));
        }
    }
    let taken = state.side_ids();
    let names = ["third", "fourth", "fifth", "sixth", "seventh"];
    let free = names.iter().find(|n| !taken.iter().any(|t| t == *n));
    if let Some(id) = free.filter(|_| count < 7) {
        heading(form, "Add one", "");
        let editor_command = EditorCommand::Push {
            list,
            entry: format!("(id: {id:?})"),
            what: "another side".into(),
        };
        lone(form, small("Add a side", false, editor_command));
    }
}

/// The objectives on offer: title, the RON that is inserted, tooltip.
const GOALS: [(&str, &str, &str); 6] = [
    ("Defeat all", "Defeat", "No enemy left standing"),
    (
        "Survive",
        "Survive(rounds: 8)",
        "A unit still stands at the end of that round",
    ),
    (
        "Reach",
        "Reach(area: (0, 0))",
        "A number of units end a turn in an area or exit there",
    ),
    (
        "Hold",
        "Capture(area: (0, 0), rounds: 2)",
        "Your side alone stands in an area at the end of rounds",
    ),
    ("Defeat one", "Defeat", "These enemies are defeated"),
    ("Protect", "Protect", "None of these units falls"),
];

pub(super) fn goals(form: &mut ChildSpawnerCommands, state: &EditorState) {
    let list = At::root().field("objectives");
    head(form, "Goals");
    let ids = state.side_ids();
    for n in 0..state.doc.count(&list) {
        let goal = list.nth(n);
        let kind = state.doc.word(&goal.field("goal")).unwrap_or("?");
        heading(form, &format!("{}. {kind}", n + 1), "");
        line(form, "Side", None, |l| {
            let now = state.doc.string(&goal.field("side"));
            for id in &ids {
                let editor_command = set(goal.field("side"), format!("{id:?}"), "side of a goal");
                l.spawn(small(id, now == Some(id), editor_command));
            }
        });
        let group = goal.field("goal").group();
        for name in ["rounds", "count"] {
            let at = group.field(name);
            if let Some(now) = whole(state, &at) {
                line(form, name, None, |l| {
                    stepper(l, now, palette::INK, move |n| {
                        set(at.clone(), n.max(1).to_string(), "a goal")
                    });
                });
            }
        }
        if state.doc.piece(&group.field("area")).is_some() {
            line(form, "Area", None, |l| {
                let about = "Drag over its cells; right-click removes";
                brush_button(l, state, "draw it", (Brush::Goal(n), about));
            });
        }
        let raw = state.doc.raw(&goal.field("goal"));
        if let Some(raw) = raw.filter(|raw| raw.contains('[')) {
            let about = "As in the file: names of units or sides";
            line(form, "Of", Some(about.into()), |l| {
                let writes = Writes {
                    at: goal.field("goal"),
                    is_text: false,
                    what: "a goal".into(),
                };
                field(l, ("As in the file", 180.0, 200), raw, writes);
            });
        }
        let about = "Text that players see";
        let written = (goal.field("text"), String::from("text of a goal"));
        let label = ("Text", Some(about.into()));
        text_line(form, state, label, (about, 180.0, 100), written);
        let about = "If it fails, its side loses the battle";
        let (at, all) = (goal.field("vital"), ["true", "false"]);
        words(form, state, ("Vital", about), &at, &all);
        lone(form, small("Remove", false, unset(goal, "remove a goal")));
    }
    let units = state.level.iter().flat_map(|level| &level.combatants);
    let (own, enemies): (Vec<_>, Vec<_>) = units.partition(|c| c.side.0 == 0);
    let own = own.first().map(|c| &c.name);
    let leader = enemies.iter().find(|c| c.leader).or(enemies.first());
    let leader = leader.map(|c| &c.name);
    for id in &ids {
        heading(form, "Add one", &format!("for {id}"));
        form.group(wrapped(3.0), |all| {
            for (words, goal, about) in GOALS {
                let goal = match (words, own, leader) {
                    ("Defeat one", _, Some(who)) => format!("Defeat([{who:?}])"),
                    ("Protect", Some(who), _) => format!("Protect([{who:?}])"),
                    ("Defeat one" | "Protect", ..) => continue,
                    _ => goal.into(),
                };
                let editor_command = EditorCommand::Push {
                    list: list.clone(),
                    entry: format!("(side: {id:?}, goal: {goal})"),
                    what: format!("a goal of {id}"),
                };
                all.spawn((small(words, false, editor_command), tip(about)));
            }
        });
    }
}

pub(super) fn later(form: &mut ChildSpawnerCommands, state: &EditorState) {
    head(form, "Reinforcements");
    let list = At::root().field("reinforcements");
    for n in 0..state.doc.count(&list) {
        let wave = list.nth(n);
        let round = whole(state, &wave.field("round")).unwrap_or(2);
        heading(form, &format!("Round {round}"), "");
        line(form, "Round", None, |l| {
            let at = wave.field("round");
            stepper(l, round, palette::INK, move |n| {
                set(at.clone(), n.max(2).to_string(), "round of reinforcements")
            });
        });
        form.group(wrapped(3.0), |all| {
            let of_wave =
                |p: &crate::levels::edit::units::Placed| p.entry.parent().parent() == wave;
            for (who, _) in state.units.iter().enumerate().filter(|(_, p)| of_wave(p)) {
                let editor_command = EditorCommand::Choose(Chosen::Unit(who));
                all.spawn(small(&state.name_of(who), false, editor_command));
            }
        });
    }
    form.spawn(faded("Select a unit on the map and set Arrives to later."));
}

pub(super) fn surprise(form: &mut ChildSpawnerCommands, state: &EditorState) {
    let at = At::root().field("surprise");
    head(form, "Surprise");
    let now = state.doc.raw(&at).unwrap_or_default().to_string();
    let mut all = vec![("Nobody is surprised".to_string(), String::new())];
    for id in state.side_ids() {
        let check = |how: &str| format!("Check(by: {id:?}, how: {how})");
        all.extend([
            (format!("{id}: surprised"), format!("Caught([{id:?}])")),
            (format!("{id}: stealth check"), check("Stealth")),
            (format!("{id}: break in (force check)"), check("Force")),
        ]);
    }
    for (words, value) in all {
        let is_on = now == value;
        let command = match value.is_empty() {
            true => unset(at.clone(), "no surprise"),
            false => set(at.clone(), value, "surprise"),
        };
        lone(form, small(&words, is_on, command));
    }
}
