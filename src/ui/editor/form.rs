//! The right of the editor: the form of whoever or whatever is chosen.

use super::{
    desk::{Chosen, Desk},
    forms, meaning,
    panel::{Writes, field, heading, line, set, small, stepper, tip, wrapped},
    wish::{Wish, Wishes},
};
use crate::{
    battle::{Figure, capitalised},
    content::Creature,
    levels::{Level, edit::At},
    rulesets,
    ui::{
        Phase, Screen,
        art::{hud::Panel, palette},
        entry::entry,
        pictures::{Pictures, Sign},
        theme::{Cut, Look, text},
        widgets::{picture, row, rule, word_button},
    },
};
use bevy::{
    input_focus::InputFocus,
    prelude::*,
    text::{EditableText, TextEditChange},
};
use std::{collections::BTreeMap, sync::Arc};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FieldSearch>();
    app.add_observer(search);
    app.add_systems(
        Update,
        fill.in_set(Phase::Draw)
            .run_if(resource_exists::<Desk>)
            .run_if(in_state(Screen::Editor)),
    );
}

/// Where the form is.
#[derive(Component)]
pub(super) struct FormPlace;

/// Which numbers of a kind are listed to be changed.
#[derive(Resource, Default)]
struct FieldSearch(String);

/// Where they are searched.
#[derive(Component)]
pub struct FieldEntry;

fn search(
    on: On<TextEditChange>,
    entries: Query<&EditableText, With<FieldEntry>>,
    mut search: ResMut<FieldSearch>,
) {
    if let Ok(text) = entries.get(on.event_target()) {
        search.0 = text.value().to_string().to_lowercase();
    }
}

#[derive(Clone, PartialEq)]
struct Key {
    revision: u64,
    chosen: Chosen,
    picks: bool,
    search: String,
    place: Entity,
}

/// Who has which numbers, so that they are worked out once.
#[derive(Default)]
struct Known(BTreeMap<String, Profiles>);

type Profiles = Vec<(&'static str, Vec<Figure>)>;

fn fill(
    mut commands: Commands,
    desk: Res<Desk>,
    search: Res<FieldSearch>,
    place: Query<Entity, With<FormPlace>>,
    (focus, entries, parents): (
        Res<InputFocus>,
        Query<(), (With<EditableText>, Without<FieldEntry>)>,
        Query<&ChildOf>,
    ),
    (mut pictures, mut images): (ResMut<Pictures>, ResMut<Assets<Image>>),
    look: Res<Look>,
    (mut shown, mut known): (Local<Option<Key>>, Local<Known>),
) {
    let Ok(place) = place.single() else { return };
    let now = Key {
        revision: desk.revision,
        chosen: desk.chosen,
        picks: desk.picks_kind,
        search: search.0.clone(),
        place,
    };
    if shown.as_ref() == Some(&now) && !look.is_changed() {
        return;
    }
    // What is being typed in is not taken away under the player's hands.
    let types = focus
        .get()
        .filter(|it| entries.contains(*it))
        .is_some_and(|it| parents.iter_ancestors(it).any(|up| up == place));
    let same = shown
        .as_ref()
        .is_some_and(|s| s.chosen == now.chosen && s.place == place);
    if types && same {
        return;
    }
    *shown = Some(now);
    commands.entity(place).despawn_children();
    commands
        .entity(place)
        .with_children(|form| match desk.chosen {
            Chosen::Person(who) => {
                person(
                    form,
                    &desk,
                    who,
                    &search.0,
                    (&mut pictures, &mut images),
                    &mut known,
                );
            }
            Chosen::Level => forms::level(form, &desk),
            Chosen::Sides => forms::sides(form, &desk),
            Chosen::Goals => forms::goals(form, &desk),
            Chosen::Later => forms::later(form, &desk),
            Chosen::Surprise => forms::surprise(form, &desk),
        });
}

fn person(
    form: &mut ChildSpawnerCommands,
    desk: &Desk,
    who: usize,
    search: &str,
    (pictures, images): (&mut Pictures, &mut Assets<Image>),
    known: &mut Known,
) {
    let (Some(level), Some(placed)) = (&desk.level, desk.people.get(who)) else {
        return;
    };
    let Some(combatant) = level.combatants.get(who) else {
        return;
    };
    let (entry_at, doc) = (&placed.entry, &desk.doc);
    let creature = &combatant.creature;
    let name = desk.name_of(who);
    form.spawn((row(10.0), Pickable::IGNORE))
        .with_children(|head| {
            let portrait = super::palette::portrait(creature, u8::from(combatant.side.0 > 0));
            let image = pictures.sign(images, Sign::Portrait(portrait, false), 40.0);
            head.spawn(picture(image, 40.0));
            let node = Node {
                flex_direction: FlexDirection::Column,
                ..default()
            };
            head.spawn((node, Pickable::IGNORE)).with_children(|words| {
                words.spawn(text(capitalised(&name), Cut::Heading, palette::INK));
                let line = doc.line(entry_at).unwrap_or(0);
                let about = match placed.of {
                    1 => format!("line {line} of the file"),
                    n => format!("one of {n} from line {line}"),
                };
                words.spawn(text(about, Cut::Small, palette::FADED_INK));
            });
        });
    form.spawn(rule());
    let at = |field: &str| entry_at.field(field);
    let what = |field: &str| format!("{field} of {name}");
    line(form, "Kind", meaning::of_combatant("kind"), |l| {
        let words = if desk.picks_kind {
            "pick it on the left".into()
        } else {
            capitalised(&creature.name)
        };
        l.spawn((
            small(&words, desk.picks_kind, Wish::PickKind),
            tip("Another kind, from the list on the left"),
        ));
    });
    line(form, "Side", meaning::of_combatant("side"), |l| {
        for (n, id) in desk.side_ids().into_iter().enumerate() {
            let is_on = usize::from(combatant.side.0) == n;
            l.spawn(small(
                &id,
                is_on,
                set(at("side"), format!("{id:?}"), what("side")),
            ));
        }
    });
    line(form, "Name", meaning::of_combatant("name"), |l| {
        let now = doc.string(&at("name")).unwrap_or_default();
        let writes = Writes {
            at: at("name"),
            is_text: true,
            what: what("name"),
        };
        field(l, ("A name; empty: after the kind", 180.0, 30), now, writes);
    });
    line(form, "At", meaning::of_combatant("at"), |l| {
        let now = doc.raw(&at("at")).unwrap_or("anywhere in the start");
        l.spawn(text(now, Cut::Small, palette::INK));
    });
    line(form, "Expects", meaning::of_combatant("awareness"), |l| {
        let now = doc.word(&at("awareness")).map(String::from);
        for word in ["Unaware", "Ready", "Alert"] {
            let is_on = now.as_deref() == Some(word);
            let wish = if is_on {
                Wish::Unset {
                    at: at("awareness"),
                    what: what("awareness"),
                }
            } else {
                set(at("awareness"), word, what("awareness"))
            };
            l.spawn(small(word, is_on, wish));
        }
    });
    line(form, "Is", None, |l| {
        for flag in ["leader", "hidden", "prone"] {
            let is_on = doc.word(&at(flag)) == Some("true");
            let wish = if is_on {
                Wish::Unset {
                    at: at(flag),
                    what: what(flag),
                }
            } else {
                set(at(flag), "true", what(flag))
            };
            let meaning = meaning::of_combatant(flag).unwrap_or_default();
            l.spawn((small(flag, is_on, wish), tip(&meaning)));
        }
    });
    line(
        form,
        "Comes",
        Some("With the reinforcements of a round, or there from the start".into()),
        |l| {
            let round = placed.round;
            l.spawn(small("at the start", round.is_none(), Wish::Round(None)));
            match round {
                None => {
                    l.spawn(small("later", false, Wish::Round(Some(3))));
                }
                Some(n) => {
                    l.spawn(text("round", Cut::Small, palette::INK));
                    stepper(l, n, palette::INK, |n| Wish::Round(Some(n.max(2))));
                }
            }
        },
    );
    let own = At::root()
        .field("kinds")
        .field("creatures")
        .key(&creature.id);
    if let Some(raw) = doc.raw(&own) {
        heading(form, "Its kind", "of this level");
        let about = "The entry of the kind, as the file has it; docs/content.md tells its fields";
        line(form, "Entry", Some(about.into()), |l| {
            let writes = Writes {
                at: own.clone(),
                is_text: false,
                what: format!("the kind {}", creature.id),
            };
            field(l, (about, 190.0, 2000), raw, writes);
        });
    }
    changes(form, desk, &at("with"), level, creature, search);
    figures(form, level, creature, known);
    let (node, pick) = wrapped(6.0);
    let node = Node {
        margin: UiRect::top(px(8)),
        ..node
    };
    form.spawn((node, pick)).with_children(|foot| {
        let another = (word_button("Another", Panel::Button), Wishes(Wish::Another));
        foot.spawn((another, tip("One more by the same entry (Ctrl+D)")));
        if placed.of > 1 {
            let split = (
                word_button("Split off", Panel::Button),
                Wishes(Wish::SplitOff),
            );
            foot.spawn((split, tip("Gives this one an entry of its own")));
        }
        let about = "Makes a kind of this level of what is different about this one";
        let own = (
            word_button("Own kind", Panel::Button),
            Wishes(Wish::OwnKind),
        );
        foot.spawn((own, tip(about)));
        let remove = (word_button("Remove", Panel::Button), Wishes(Wish::Remove));
        foot.spawn((remove, tip("Del")));
    });
}

/// Numbers that are listed when nothing is searched for.
const LISTED: usize = 5;

/// What is different from the kind, and what else could be.
fn changes(
    form: &mut ChildSpawnerCommands,
    desk: &Desk,
    with: &At,
    level: &Arc<Level>,
    creature: &Creature,
    search: &str,
) {
    let kind = level.content.creatures.get(&creature.id);
    let own = kind.map_or(vec![], |kind| kind.numbers());
    let usual = |group: Option<&str>, field: &str| {
        own.iter()
            .find(|n| n.0 == group && n.1 == field)
            .map(|n| n.2)
    };
    heading(form, "Differs from its kind", "");
    let at = |group: Option<&str>, field: &str| match group {
        Some(group) => with.field(group).field(field),
        None => with.field(field),
    };
    let mut others = vec![];
    for (group, name, now) in creature.numbers() {
        let full = match group {
            Some(group) => format!("{group}.{name}"),
            None => String::from(name),
        };
        let at = at(group, name);
        if desk.doc.piece(&at).is_none() {
            others.push((group, name, full, now, at));
            continue;
        }
        number(
            form,
            (&full, group, name),
            now,
            at.clone(),
            usual(group, name),
            true,
        );
    }
    let rest = [
        "name", "title", "weapons", "armour", "shield", "pack", "spells", "traits",
    ];
    for name in rest {
        let at = with.field(name);
        let Some(raw) = desk.doc.raw(&at) else {
            continue;
        };
        let raw = raw.to_string();
        line(form, name, meaning::of_creature(None, name), |l| {
            let writes = Writes {
                at: at.clone(),
                is_text: false,
                what: format!("{name} of {}", creature.name),
            };
            field(l, ("As the file has it", 150.0, 200), &raw, writes);
            let wish = Wish::Unset {
                at,
                what: format!("{name} as the kind"),
            };
            l.spawn(small("\u{d7}", false, wish));
        });
    }
    let takes: fn(char) -> bool = |c| !c.is_control();
    let what = format!(
        "Change another of its {} numbers: hp, morale, skirmish.attack …",
        others.len()
    );
    line(form, "Other", Some(what.clone()), |l| {
        l.spawn((FieldEntry, entry(&what, search, 180.0, 30, takes)));
    });
    let fits = others
        .into_iter()
        .filter(|o| o.2.to_lowercase().contains(search));
    let most = if search.is_empty() { 0 } else { LISTED };
    for (group, name, full, now, at) in fits.take(most) {
        number(
            form,
            (&full, group, name),
            now,
            at,
            usual(group, name),
            false,
        );
    }
    if !search.is_empty() {
        form.spawn(wrapped(3.0)).with_children(|all| {
            for name in rest.into_iter().filter(|n| n.contains(search)) {
                let value = text_of(level, creature, name);
                let about = meaning::of_creature(None, name).unwrap_or_default();
                let wish = set(
                    with.field(name),
                    value,
                    format!("{name} of {}", creature.name),
                );
                all.spawn((small(&format!("+ {name}"), false, wish), tip(&about)));
            }
        });
    }
}

/// What a creature has of something that is no number, as a file has it.
fn text_of(_: &Level, creature: &Creature, name: &str) -> String {
    let list = |ids: Vec<&str>| format!("{ids:?}");
    let one = |id: Option<&str>| id.map_or("None".into(), |id| format!("{id:?}"));
    match name {
        "name" => format!("{:?}", creature.name),
        "title" => format!("{:?}", creature.title),
        "weapons" => list(creature.weapons.iter().map(|w| w.id.as_str()).collect()),
        "pack" => list(vec![]),
        "spells" => list(creature.spells.iter().map(|s| s.id.as_str()).collect()),
        "armour" => one(creature.armour.as_ref().map(|a| a.id.as_str())),
        "shield" => one(creature.shield.as_ref().map(|a| a.id.as_str())),
        _ => {
            let all: Vec<String> = creature.traits.iter().map(|t| format!("{t:?}")).collect();
            format!("[{}]", all.join(", "))
        }
    }
}

fn number(
    form: &mut ChildSpawnerCommands,
    (full, group, name): (&str, Option<&str>, &str),
    now: i32,
    at: At,
    usual: Option<i32>,
    is_own: bool,
) {
    let node = Node {
        flex_shrink: 0.0,
        ..row(6.0)
    };
    form.spawn((node, Pickable::IGNORE)).with_children(|line| {
        let node = Node {
            flex_grow: 1.0,
            flex_basis: px(0),
            min_width: px(0),
            flex_direction: FlexDirection::Column,
            ..default()
        };
        let about = meaning::of_creature(group, name);
        let hover = bevy::picking::hover::Hovered::default();
        let ink = if is_own {
            palette::ANSWERED
        } else {
            palette::INK
        };
        line.spawn((node, hover, tip(about.as_deref().unwrap_or(full))))
            .with_children(|words| {
                words.spawn(text(full, Cut::Label, ink));
            });
        if let Some(usual) = usual.filter(|_| is_own) {
            line.spawn(text(
                format!("kind: {usual}"),
                Cut::Small,
                palette::FADED_INK,
            ));
        }
        let what = full.to_string();
        let to = at.clone();
        stepper(line, now, ink, move |n| {
            set(to.clone(), n.to_string(), what.clone())
        });
        if is_own {
            let wish = Wish::Unset {
                at,
                what: format!("{full} as the kind"),
            };
            line.spawn(small("\u{d7}", false, wish));
        }
    });
}

/// Figures of a ruleset that are shown.
const SHOWN: usize = 4;

/// What comes of it under each ruleset; what differs from the kind is ochre.
fn figures(
    form: &mut ChildSpawnerCommands,
    level: &Level,
    creature: &Arc<Creature>,
    known: &mut Known,
) {
    let mut of = |creature: &Arc<Creature>| -> Profiles {
        let key = format!("{creature:?}");
        if known.0.len() > 64 {
            known.0.clear();
        }
        let work = || rulesets::profiles(&level.content, creature);
        known.0.entry(key).or_insert_with(work).clone()
    };
    let now = of(creature);
    let kind = level.content.creatures.get(&creature.id);
    let usual = kind.map(of).unwrap_or_default();
    heading(form, "What comes of it", "");
    for (rules, figures) in &now {
        let node = Node {
            flex_shrink: 0.0,
            align_items: AlignItems::Start,
            ..row(6.0)
        };
        form.spawn((node, Pickable::IGNORE)).with_children(|line| {
            let label = Node {
                width: px(62),
                flex_shrink: 0.0,
                ..default()
            };
            line.spawn((label, Pickable::IGNORE)).with_children(|l| {
                l.spawn(text(*rules, Cut::Label, palette::INK));
            });
            let before = usual.iter().find(|u| u.0 == *rules).map(|u| &u.1);
            let (node, pick) = wrapped(6.0);
            let node = Node {
                flex_grow: 1.0,
                flex_shrink: 1.0,
                flex_basis: px(0),
                row_gap: px(0),
                align_content: AlignContent::FlexStart,
                ..node
            };
            let told = figures.iter().filter(|f| !f.name.contains("against"));
            line.spawn((node, pick)).with_children(|all| {
                for figure in told.take(SHOWN) {
                    let is_new = before.is_some_and(|b| !b.contains(figure));
                    let ink = if is_new {
                        palette::ANSWERED
                    } else {
                        palette::INK
                    };
                    let words = format!("{} {}", figure.name, figure.text());
                    all.spawn((text(words, Cut::Small, ink), TextLayout::no_wrap()));
                }
            });
        });
    }
}
