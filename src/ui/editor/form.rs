//! The right panel of the editor: the form of what is selected.

use super::{
    Drawing,
    command::EditorCommand,
    fields, forms, kinds,
    panel::{
        FormSearch, Searches, heading, label, line, set, small, stepper, text_line, tip, toggle,
        wrapped,
    },
    state::{Chosen, EditorState},
    trace::Trace,
};
use crate::{
    battle::{Stat, capitalised},
    content::{Creature, schema},
    levels::{Level, Rules, edit::At},
    rulesets,
    ui::{
        art::{
            hud::Panel,
            palette::{self, Rgb},
            portrait::Portrait,
        },
        hud::SmallPictures,
        input::{EditKey, Key},
        pictures::SmallPicture,
        theme::{TextStyle, faded, heading_text, one_line, text},
        widgets::{
            Filled, NodeExt, SendOnPress, SpawnWith, Tip, column, fill_width, refill, rigid, row,
            rule, word_button, wrapping_row,
        },
    },
};
use bevy::{input_focus::InputFocus, prelude::*, text::EditableText};
use std::{collections::BTreeMap, sync::Arc};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, fill.in_set(Drawing));
}

/// The node that holds the form.
#[derive(Component)]
pub(super) struct FormPlace;

#[derive(PartialEq)]
struct FormKey {
    revision: u64,
    chosen: Chosen,
    picks: bool,
    lists: Option<At>,
    search: String,
    trace: Trace,
}

/// Figures by kind, cached because they are expensive to work out.
#[derive(Default)]
pub(super) struct KnownFigures(BTreeMap<String, Profiles>);

type Profiles = Vec<(&'static str, Vec<Stat>)>;

fn fill(
    mut commands: Commands,
    state: Res<EditorState>,
    (searches, trace): (Res<Searches>, Res<Trace>),
    place: Single<Entity, With<FormPlace>>,
    (focus, entries, parents): (
        Res<InputFocus>,
        Query<(), (With<EditableText>, Without<FormSearch>)>,
        Query<&ChildOf>,
    ),
    mut icons: SmallPictures,
    (mut shown, mut known): (Local<Filled<FormKey>>, Local<KnownFigures>),
) {
    let place = *place;
    let now = FormKey {
        revision: state.revision,
        chosen: state.chosen,
        picks: state.picks_kind,
        lists: state.lists.clone(),
        search: searches.form.clone(),
        // A form that is rebuilt after typing would swallow the click on the button beside it.
        trace: Trace {
            path: String::new(),
            ..trace.clone()
        },
    };
    // Do not rebuild the form while the player types into one of its fields.
    let types = focus
        .get()
        .filter(|it| entries.contains(*it))
        .is_some_and(|it| parents.iter_ancestors(it).any(|up| up == place));
    let same = shown
        .as_ref()
        .is_some_and(|(of, form)| form.chosen == now.chosen && *of == place);
    if types && same {
        return;
    }
    if !same {
        commands.entity(place).insert(ScrollPosition::default());
    }
    let (icons, search) = (&mut icons, &searches.form);
    refill(
        &mut commands,
        (place, now),
        &mut shown,
        |form, now| match now.chosen {
            Chosen::Unit(who) => unit(form, &state, who, search, icons, &mut known),
            Chosen::Level => forms::level(form, &state, &trace),
            Chosen::Sides => forms::sides(form, &state),
            Chosen::Goals => forms::goals(form, &state),
            Chosen::Later => forms::later(form, &state),
            Chosen::Surprise => forms::surprise(form, &state),
            Chosen::Kinds => kinds::all(form, &state, icons),
            Chosen::Kind(nth) => kinds::one(form, &state, nth, search, icons, &mut known),
        },
    );
}

/// The head of the form of a unit or a kind: its portrait, its name, and where the file has it.
pub(super) fn head(
    form: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    portrait: Portrait,
    (name, about): (&str, String),
) {
    form.group(row(10.0), |head| {
        head.spawn(icons.square(SmallPicture::Portrait(portrait, false), 40.0));
        head.group(column(0.0), |words| {
            words.spawn(heading_text(capitalised(name)));
            words.spawn(faded(about));
        });
    });
    form.spawn(rule());
}

fn unit(
    form: &mut ChildSpawnerCommands,
    state: &EditorState,
    who: usize,
    search: &str,
    icons: &mut SmallPictures,
    known: &mut KnownFigures,
) {
    let (Some(level), Some(placed)) = (&state.level, state.units.get(who)) else {
        return;
    };
    let Some(combatant) = level.combatants.get(who) else {
        return;
    };
    let (entry_at, doc) = (&placed.entry, &state.doc);
    let creature = &combatant.creature;
    let name = state.name_of(who);
    let line_of = doc.line(entry_at).unwrap_or(0);
    let about = match placed.of {
        1 => format!("line {line_of} of the file"),
        n => format!("one of {n} from line {line_of}"),
    };
    let portrait = super::palette::portrait(creature, u8::from(combatant.side.0 > 0));
    head(form, icons, portrait, (&name, about));
    let at = |field: &str| entry_at.field(field);
    let what = |field: &str| format!("{field} of {name}");
    line(form, "Kind", schema::meaning("Combatants", "kind"), |l| {
        let words = match state.picks_kind {
            true => "pick on the left".into(),
            false => capitalised(&creature.name),
        };
        let pick = small(&words, state.picks_kind, EditorCommand::PickKind);
        l.spawn((pick, tip("Choose another kind from the list on the left")));
    });
    line(form, "Side", schema::meaning("Combatants", "side"), |l| {
        for (n, id) in state.side_ids().into_iter().enumerate() {
            let is_on = usize::from(combatant.side.0) == n;
            let editor_command = set(at("side"), format!("{id:?}"), what("side"));
            l.spawn(small(&id, is_on, editor_command));
        }
    });
    let label = ("Name", schema::meaning("Combatants", "name"));
    let about = ("Name; empty: named after the kind", 180.0, 30);
    text_line(form, state, label, about, (at("name"), what("name")));
    line(form, "Position", schema::meaning("Combatants", "at"), |l| {
        let now = doc.raw(&at("at")).unwrap_or("anywhere in the start area");
        l.spawn(text(now, TextStyle::Small, palette::INK));
    });
    let meaning = schema::meaning("Combatants", "awareness");
    line(form, "Awareness", meaning, |l| {
        for word in ["Unaware", "Ready", "Alert"] {
            let is_on = doc.word(&at("awareness")) == Some(word);
            let editor_command = toggle(at("awareness"), is_on, word, what("awareness"));
            l.spawn(small(word, is_on, editor_command));
        }
    });
    line(form, "Flags", None, |l| {
        for flag in ["leader", "hidden", "prone"] {
            let is_on = doc.word(&at(flag)) == Some("true");
            let editor_command = toggle(at(flag), is_on, "true", what(flag));
            let meaning = schema::meaning("Combatants", flag).unwrap_or_default();
            l.spawn((small(flag, is_on, editor_command), tip(&meaning)));
        }
    });
    let about = "At the start, or as a reinforcement in a later round";
    line(form, "Arrives", Some(about.into()), |l| {
        let (round, at_start) = (placed.round, EditorCommand::Round(None));
        l.spawn(small("at the start", round.is_none(), at_start));
        match round {
            None => {
                l.spawn(small("later", false, EditorCommand::Round(Some(3))));
            }
            Some(n) => {
                l.spawn(text("round", TextStyle::Small, palette::INK));
                stepper(l, n, palette::INK, |n| EditorCommand::Round(Some(n.max(2))));
            }
        }
    });
    let own = doc.own_kinds().iter().position(|id| *id == creature.id);
    if let Some(nth) = own {
        line(form, "", None, |l| {
            let editor_command = EditorCommand::Choose(Chosen::Kind(nth));
            let about = "Edit this level\u{2019}s own kind, which all its units share";
            l.spawn((small("Edit its kind", false, editor_command), tip(about)));
        });
    }
    heading(form, "Changes to this unit", "");
    let usual = level.content.creatures.get(&creature.id);
    let of = fields::Of {
        at: at("with"),
        creature,
        usual: usual.cloned(),
        shows: fields::Shows::Changes,
    };
    fields::put(form, state, &of, search);
    let sturdier = &level.sides[usize::from(combatant.side.0)].sturdier;
    figures(form, level, creature, usual, sturdier, known);
    let node = wrapped(6.0).margin_top(8.0);
    form.group(node, |foot| {
        let mut add = |words: &str, command, about: Tip| {
            let button = word_button(words, Panel::Button);
            foot.spawn((button, SendOnPress(command), about));
        };
        let about = tip("Add one more to the same entry").key(Key::Edit(EditKey::Another));
        add("Duplicate", EditorCommand::Another, about);
        if placed.of > 1 {
            let about = tip("Give this unit its own entry");
            add("Split off", EditorCommand::SplitOff, about);
        }
        let about = tip("Make a new kind from this unit's changes");
        add("Own kind", EditorCommand::OwnKind, about);
        let about = tip("Delete this unit").key(Key::Edit(EditKey::Remove));
        add("Remove", EditorCommand::Remove, about);
    });
}

/// The colour of a value: another one if it differs from that of the kind.
pub(super) fn changed_ink(is_changed: bool) -> Rgb {
    match is_changed {
        true => palette::AMBER,
        false => palette::INK,
    }
}

/// The number of figures shown per ruleset.
const SHOWN: usize = 4;

/// The resulting figures under each ruleset. Those that differ from the kind's are
/// ochre.
pub(super) fn figures(
    form: &mut ChildSpawnerCommands,
    level: &Level,
    creature: &Arc<Creature>,
    usual: Option<&Arc<Creature>>,
    sturdier: &[(Rules, u8)],
    known: &mut KnownFigures,
) {
    let mut of = |creature: &Arc<Creature>, sturdier: &[(Rules, u8)]| -> Profiles {
        let key = format!("{creature:?} {sturdier:?}");
        if known.0.len() > 64 {
            known.0.clear();
        }
        let work = || rulesets::profiles(&level.content, creature, sturdier);
        known.0.entry(key).or_insert_with(work).clone()
    };
    let now = of(creature, sturdier);
    let usual = usual.map(|usual| of(usual, &[])).unwrap_or_default();
    let about = match sturdier {
        [] => "",
        _ => "with its side\u{2019}s bonus",
    };
    heading(form, "Final statistics", about);
    for (rules, figures) in &now {
        let node = rigid(row(6.0).align(AlignItems::Start));
        form.group(node, |line| {
            let name = text(*rules, TextStyle::Label, palette::INK);
            line.spawn((label(), children![name]));
            let before = usual.iter().find(|u| u.0 == *rules).map(|u| &u.1);
            let listed = figures.iter().filter(|f| !f.is_detail);
            line.group(fill_width(wrapping_row(6.0, 0.0)), |all| {
                for figure in listed.take(SHOWN) {
                    let is_new = before.is_some_and(|b| !b.contains(figure));
                    let words = format!("{} {}", figure.name, figure.text());
                    all.spawn(one_line(words, TextStyle::Small, changed_ink(is_new)));
                }
            });
        });
    }
}
