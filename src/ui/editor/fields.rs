//! The fields of a kind, or a unit's deviations from its kind. Numbers have steppers,
//! weapons and other lists have choices, each with its description.

use super::{
    command::EditorCommand,
    form::changed_ink,
    panel::{FormSearch, line, set, small, stepper, text_entry, text_line, tip, unset, wrapped},
    state::EditorState,
};
use crate::{
    battle::capitalised,
    content::{Armour, Content, Creature, Weapon, schema},
    levels::edit::{At, quoted},
    ron_read::ValueShape,
    ui::{
        theme::{TextStyle, faded, text},
        widgets::{SpawnWith, column, fill_width, rigid, row},
    },
};
use bevy::prelude::*;
use std::sync::Arc;

/// Where the fields are written and what they apply to.
pub(super) struct Of<'a> {
    /// The path of the group that the fields are written in.
    pub at: At,
    /// The creature with these fields applied.
    pub creature: &'a Arc<Creature>,
    /// The creature without them.
    pub usual: Option<Arc<Creature>>,
    pub shows: Shows,
}

/// Which fields are shown without a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// Only those that the file sets.
    Changes,
    /// Those that the file sets and the ones every kind has.
    Usual,
}

/// The most numbers that a search lists.
const LISTED: usize = 8;
/// The numbers that every kind has.
const MAIN: [&str; 5] = ["level", "hit_dice", "skill", "speed", "morale"];
/// The fields chosen from lists.
const LISTS: [&str; 7] = [
    "weapons", "off_hand", "pack", "armour", "shield", "spells", "traits",
];
/// Those of [`LISTS`] that hold a single entry.
const SINGLE: [&str; 3] = ["off_hand", "armour", "shield"];
const TRAITS: [&str; 12] = [
    "Disciplined",
    "Minion",
    "ShockImmune",
    "ShockBonus(1)",
    "ShockBonus(2)",
    "ShockAnyAc",
    "DamageBonus(1)",
    "DamageBonus(2)",
    "Reroll",
    "SpareMain",
    "Invisible",
    "Speechless",
];

/// The fields of a kind, or of a unit's deviations from its kind.
pub(super) fn put(form: &mut ChildSpawnerCommands, state: &EditorState, of: &Of, search: &str) {
    let whole = of.shows == Shows::Usual;
    let kind = of.usual.as_ref().map_or(vec![], |kind| kind.numbers());
    let mut others = vec![];
    for (group, name, now) in of.creature.numbers() {
        let (full, at) = match group {
            Some(group) => (format!("{group}.{name}"), of.at.field(group).field(name)),
            None => (String::from(name), of.at.field(name)),
        };
        let usual = kind.iter().find(|n| n.0 == group && n.1 == name);
        let is_own = state.doc.piece(&at).is_some();
        let is_main = whole && group.is_none() && MAIN.contains(&name);
        let number = Number {
            full,
            group,
            name,
            now,
            at,
            usual: usual.map(|n| n.2),
            is_own,
        };
        match is_own || is_main {
            true => number.put(form),
            false => others.push(number),
        }
    }
    for name in LISTS {
        let is_own = state.doc.piece(&of.at.field(name)).is_some();
        let is_found = !search.is_empty() && name.contains(search);
        let is_main = whole && !["off_hand", "pack"].contains(&name);
        if is_own || is_found || is_main {
            list(form, state, of, name);
        }
    }
    if !whole {
        for name in ["name", "title"] {
            words(form, state, of, name, search);
        }
    }
    let what = format!(
        "Find one of its {} numbers: hp, morale, skirmish.attack \u{2026}",
        others.len()
    );
    line(form, "Add a change", Some(what.clone()), |l| {
        l.spawn((FormSearch, text_entry(&what, search, 180.0, 30)));
    });
    if search.is_empty() {
        let words = "Type part of a name: hp, armour, traits, activity \u{2026}";
        form.spawn(faded(words));
        return;
    }
    let others = others.iter();
    let fits = others.filter(|o| o.full.to_lowercase().contains(search));
    for number in fits.take(LISTED) {
        number.put(form);
    }
}

/// A text that players read, such as a name.
fn words(form: &mut ChildSpawnerCommands, state: &EditorState, of: &Of, name: &str, search: &str) {
    let at = of.at.field(name);
    let now = state.doc.string(&at);
    let is_found = !search.is_empty() && name.contains(search);
    if now.is_none() && !is_found {
        return;
    }
    let about = schema::of_creature(None, name);
    let entry = (&*about.clone().unwrap_or_default(), 180.0, 40);
    let written = (at, format!("{name} of {}", of.creature.name));
    text_line(form, state, (name, about), entry, written);
}

/// A field with a button for each entry and one that opens the other choices.
fn list(form: &mut ChildSpawnerCommands, state: &EditorState, of: &Of, name: &'static str) {
    let at = of.at.field(name);
    let is_own = state.doc.piece(&at).is_some();
    let now = entries(state, of, name);
    let what = format!("{name} of {}", of.creature.name);
    let is_single = SINGLE.contains(&name);
    let written = |all: &[String]| match (is_single, all) {
        (true, []) => String::from("None"),
        (true, [.., last]) => last.clone(),
        (false, all) => format!("[{}]", all.join(", ")),
    };
    let content = state.level.as_ref().map(|level| &*level.content);
    let is_open = state.lists.as_ref() == Some(&at);
    line(form, name, schema::of_creature(None, name), |l| {
        for (n, entry) in now.iter().enumerate() {
            let mut rest = now.clone();
            rest.remove(n);
            let editor_command = set(at.clone(), written(&rest), what.clone());
            let words = format!("{} \u{d7}", plain(entry));
            l.spawn((small(&words, is_own, editor_command), tip("Remove it")));
        }
        if now.is_empty() {
            l.spawn(faded("none"));
        }
        let editor_command = EditorCommand::List(at.clone());
        l.spawn((small("+", is_open, editor_command), tip("Show the choices")));
        if is_own {
            let editor_command = unset(at.clone(), format!("reset {name}"));
            let reset = small("reset", false, editor_command);
            l.spawn((reset, tip("Use its kind's value")));
        }
    });
    if !is_open {
        return;
    }
    form.group(wrapped(3.0), |all| {
        for (entry, about) in content.map_or(vec![], |content| choices(content, name)) {
            if !is_single && name != "pack" && now.contains(&entry) {
                continue;
            }
            let mut more = now.clone();
            more.push(entry.clone());
            let editor_command = set(at.clone(), written(&more), what.clone());
            all.spawn((small(&plain(&entry), false, editor_command), tip(&about)));
        }
    });
}

/// An entry as shown to the player: without quotes and underscores.
fn plain(entry: &str) -> String {
    let bare = entry.strip_prefix('"').and_then(|e| e.strip_suffix('"'));
    bare.map_or_else(|| entry.to_string(), |id| id.replace('_', " "))
}

/// The entries of a list field, as written in a file.
fn entries(state: &EditorState, of: &Of, name: &str) -> Vec<String> {
    let (at, creature) = (of.at.field(name), of.creature);
    let raw = |at: &At| state.doc.raw(at).map(String::from);
    match state.doc.piece(&at).map(|p| &p.shape) {
        Some(ValueShape::List(items)) => {
            return (0..items.len()).filter_map(|n| raw(&at.nth(n))).collect();
        }
        Some(ValueShape::Text(_)) => return raw(&at).into_iter().collect(),
        Some(_) => return vec![],
        None => {}
    }
    match name {
        "weapons" => counted(creature.weapons.iter().map(|w| &w.id)),
        "pack" => counted(creature.pack.iter().map(|w| &w.id)),
        "spells" => creature.spells.iter().map(|s| quoted(&s.id)).collect(),
        "off_hand" => creature.off_hand.iter().map(|w| quoted(&w.id)).collect(),
        "armour" => creature.armour.iter().map(|a| quoted(&a.id)).collect(),
        "shield" => creature.shield.iter().map(|a| quoted(&a.id)).collect(),
        _ => creature.traits.iter().map(|t| format!("{t:?}")).collect(),
    }
}

/// Groups equal ids into one entry with a count.
fn counted<'a>(ids: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<(&String, usize)> = vec![];
    for id in ids {
        match all.iter_mut().find(|(known, _)| *known == id) {
            Some((_, count)) => *count += 1,
            None => all.push((id, 1)),
        }
    }
    let written = |(id, count): (&String, usize)| match count {
        1 => quoted(id),
        n => format!("(weapon: {id:?}, count: {n})"),
    };
    all.into_iter().map(written).collect()
}

/// The choices for a list field, each as written in a file and with a description.
fn choices(content: &Content, name: &str) -> Vec<(String, String)> {
    match name {
        "weapons" | "pack" | "off_hand" => {
            let all = content.weapons.values().filter(|w| w.id != "unarmed");
            let about = |w: &Weapon| format!("{}, {}", capitalised(&w.name), w.damage);
            all.map(|w| (quoted(&w.id), about(w))).collect()
        }
        "armour" | "shield" => {
            let all = content.armours.values();
            let all = all.filter(|a| a.shield == (name == "shield"));
            let about = |a: &Armour| format!("{}, AC {}", capitalised(&a.name), a.ac_melee);
            all.map(|a| (quoted(&a.id), about(a))).collect()
        }
        "spells" => {
            let all = content.spells.values();
            all.map(|s| (quoted(&s.id), capitalised(&s.name))).collect()
        }
        _ => {
            let about =
                |name: &&str| (name.to_string(), schema::of_trait(name).unwrap_or_default());
            TRAITS.iter().map(about).collect()
        }
    }
}

/// A number field of a creature.
struct Number<'a> {
    full: String,
    group: Option<&'a str>,
    name: &'a str,
    now: i32,
    at: At,
    usual: Option<i32>,
    is_own: bool,
}

impl Number<'_> {
    fn put(&self, form: &mut ChildSpawnerCommands) {
        form.group(rigid(row(6.0)), |line| {
            let node = fill_width(column(0.0));
            let about = schema::of_creature(self.group, self.name);
            let ink = changed_ink(self.is_own);
            let parts = (node, tip(about.as_deref().unwrap_or(&self.full)));
            line.spawn_with(parts, |words| {
                words.spawn(text(self.full.clone(), TextStyle::Label, ink));
            });
            if let Some(usual) = self.usual.filter(|_| self.is_own) {
                line.spawn(faded(format!("was {usual}")));
            }
            // Left of the stepper, so that the buttons clicked repeatedly stay in
            // place.
            if self.is_own {
                let editor_command = unset(self.at.clone(), format!("reset {}", self.full));
                line.spawn((small("\u{d7}", false, editor_command), tip("Reset")));
            }
            let (to, what) = (self.at.clone(), self.full.clone());
            // Speeds are multiples of 5 feet.
            let is_speed = self.name == "speed" && self.group.is_none();
            let by = if is_speed { 5 } else { 1 };
            let now = self.now;
            stepper(line, now, ink, move |n| {
                set(to.clone(), (now + (n - now) * by).to_string(), what.clone())
            });
        });
    }
}
