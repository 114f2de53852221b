//! The reaction panel beside the board: which unit can react, to what, and what each reaction does.
//! It replaces the inspect card and has its size, so it hides neither attacker nor target.

use super::SmallPictures;
use crate::{
    battle::{Action, Ruleset, capitalised},
    ui::{
        ActionPreview, Playback, Profile, Session,
        art::{hud::Panel, palette},
        auto_reactions::SetAutoReaction,
        codex::{prose, rule_link},
        input::Key,
        pictures::SmallPicture,
        places::ReactionPlace,
        preview::{Menu, MenuRow, Picks},
        profile::{AutoReaction, kinds, settings_of},
        room::Room,
        scrollbars::InSight,
        selection::Command,
        shown::UnitView,
        theme::{TextStyle, faded, one_line, text},
        widgets::{
            Filled, NodeExt, SendOnPress, SpawnWith, Tip, button, column, hint, list_node, refill,
            rigid, row, rule, show_if, spacer, wide_column, wrapping_row,
        },
    },
};
use bevy::{prelude::*, ui_widgets::Activate};

/// Side of the portrait, in layout pixels.
const PORTRAIT: f32 = 44.0;
/// The most reactions with high buttons that show their effects, at the standard text size.
const FEW: f32 = 5.0;

#[derive(PartialEq)]
pub struct ReactionModel {
    menu: Menu,
    /// The unit that can react, and its key figures.
    asked: Option<UnitView>,
    figures: Option<String>,
    /// The kinds of reactions offered, with their automatic settings.
    kinds: Vec<Kind>,
    rules: &'static str,
    /// Whether there is only room for low buttons, without their effects.
    is_dense: bool,
}

/// A kind of reaction, the unit's name, and its automatic setting.
type Kind = (&'static Action, Option<String>, AutoReaction);

pub(super) fn refresh(
    session: Res<Session>,
    profile: Res<Profile>,
    (preview, playback): (Res<ActionPreview>, Res<Playback>),
    room: Room,
    place: Single<Entity, With<ReactionPlace>>,
    mut shown: Local<Filled<Option<ReactionModel>>>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let menu = preview.menu.as_ref().filter(|menu| menu.is_docked());
    // Earlier events are shown first; until then a setting may still answer the prompt.
    let menu = menu.filter(|_| !playback.busy);
    let asked = session.asked_member();
    let now = menu.map(|menu| ReactionModel {
        kinds: kinds_of(menu, &session, &profile),
        rules: session.game.rules().id,
        is_dense: menu.rows.len() as f32 * room.text() > FEW,
        figures: asked.and_then(|id| session.queries.figures(id).into_iter().next()),
        asked: asked.map(|id| session.shown().unit(id).clone()),
        menu: menu.clone(),
    });
    let is_new = refill(&mut commands, (*place, now), &mut shown, |place, model| {
        let Some(model) = model else { return };
        // Content that is too long scrolls instead of being squeezed.
        place.spawn_with(rigid(column(4.0)), |card| show(card, &mut icons, model));
    });
    if is_new {
        commands.entity(*place).insert(ScrollPosition::default());
    }
}

/// The kinds of reactions in a list that can be set to automatic.
fn kinds_of(menu: &Menu, session: &Session, profile: &Profile) -> Vec<Kind> {
    let rules = session.game.rules();
    let mut out: Vec<Kind> = vec![];
    for choice in menu.rows.iter().filter_map(MenuRow::choice) {
        let verb = choice.verb;
        let who = choice.who.or(session.asked_member());
        let name = who.map(|id| session.shown().unit(id).name.clone());
        let is_known = out.iter().any(|(v, of, _)| *v == verb && *of == name);
        if !is_known && kinds(rules).any(|kind| kind == verb) {
            let now = profile.auto_reactions.of_unit(rules, verb, name.as_deref());
            out.push((verb, name, now));
        }
    }
    out
}

fn show(card: &mut ChildSpawnerCommands, icons: &mut SmallPictures, model: &ReactionModel) {
    let menu = &model.menu;
    if let Some(unit) = &model.asked {
        head(card, icons, unit, (&menu.heading, model.figures.as_deref()));
        card.spawn(rule());
    }
    card.spawn_with(row(6.0), |line| {
        let words = Node::default().min_width(px(0)).grow();
        let title = text(menu.title.clone(), TextStyle::Strong, palette::DANGER);
        line.spawn((words, children![title]));
        rule_link(line, menu.rule);
    });
    if !menu.company.is_empty() {
        let verbs = || model.kinds.iter().map(|kind| kind.0);
        let first = verbs().next();
        let only = first.filter(|first| verbs().all(|verb| verb == *first));
        let words = "choose one; the others may be asked again.";
        card.spawn(faded(match only {
            Some(verb) => format!("{}: {words}", capitalised(verb.name)),
            None => capitalised(words),
        }));
    }
    let suggested = menu.suggested;
    for (n, answer) in menu.rows.iter().enumerate() {
        choice(card, (n, model.is_dense, suggested == Some(n)), answer);
    }
    match menu.company.is_empty() {
        true => settings(card, model),
        false => folded(card, "Automatic reactions", |card| settings(card, model)),
    }
}

/// A small button that shows and hides the content below it, which is hidden at first.
fn folded(
    card: &mut ChildSpawnerCommands,
    words: &'static str,
    content: impl FnOnce(&mut ChildSpawnerCommands),
) {
    let node = Node {
        padding: UiRect::axes(px(6), px(0)),
        align_self: AlignSelf::Start,
        ..default()
    };
    let label = text(words, TextStyle::Label, Panel::Button.text());
    let button = (button(Panel::Button, node), children![label]);
    let button = card.spawn(button).id();
    let node = rigid(column(4.0)).hidden();
    let content = card.spawn(node).with_children(content).id();
    card.commands().entity(button).insert(Unfolds(content));
}

/// A button that shows or hides this node.
#[derive(Component)]
pub struct Unfolds(Entity);

pub(super) fn unfold(on: On<Activate>, buttons: Query<&Unfolds>, mut nodes: Query<&mut Node>) {
    if let Ok(unfolds) = buttons.get(on.entity)
        && let Ok(mut node) = nodes.get_mut(unfolds.0)
    {
        let is_hidden = node.display == Display::None;
        show_if(&mut node, is_hidden);
    }
}

/// The automatic settings of the kinds of reactions offered.
fn settings(card: &mut ChildSpawnerCommands, model: &ReactionModel) {
    let Some(rules) = crate::rulesets::find(model.rules) else {
        return;
    };
    let mut last = None;
    for (verb, name, now) in &model.kinds {
        if last != Some(name) {
            let whose = name.as_ref().map_or("you", |name| name.as_str());
            card.spawn(faded(format!("From now on, {whose}:")));
            last = Some(name);
        }
        setting_row(card, rules, (verb, *now), name.as_deref());
    }
}

/// The unit that can react, and the actions it has left.
fn head(
    card: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    unit: &UnitView,
    (title, figures): (&str, Option<&str>),
) {
    card.spawn_with(row(10.0), |top| {
        top.spawn(icons.portrait(unit, PORTRAIT));
        top.spawn_with(wide_column(1.0), |names| {
            names.spawn(text(title, TextStyle::Heading, palette::INK));
            if let Some(figures) = figures {
                names.spawn(text(figures, TextStyle::Label, palette::INK));
            }
            // Four actions take two lines.
            let pips = wrapping_row(6.0, 0.0);
            names.spawn_with(pips, |pips| {
                for action in &unit.pips {
                    let sign = SmallPicture::Pip(action.pip, action.spent);
                    let (words, ink) = match action.spent {
                        true => (format!("{} used", action.word), palette::PALE_INK),
                        false => (action.word.to_string(), palette::INK),
                    };
                    pips.spawn_with(row(4.0), |pip| {
                        pip.spawn(icons.square(sign, 11.0));
                        pip.spawn(one_line(words, TextStyle::Small, ink));
                    });
                }
            });
        });
    });
}

/// A reaction: its name, a short effect, what it takes from the next turn, its chance, its keys. The one that Enter takes is
/// highlighted. The tooltip has the rest, if there is more, in a dense list the effect too.
fn choice(
    card: &mut ChildSpawnerCommands,
    (n, is_dense, is_suggested): (usize, bool, bool),
    answer: &MenuRow,
) {
    let panel = match (&answer.picks, is_suggested) {
        (Picks::Nothing(_), _) => Panel::CardPale,
        (_, true) => Panel::CardActive,
        _ => Panel::CardLight,
    };
    let (high, above) = if is_dense { (24.0, 0.0) } else { (36.0, 3.0) };
    let node = list_node(high, 8.0).padding(10.0, above);
    let more = match is_dense {
        true => &answer.lines[..],
        false => &answer.lines[answer.in_brief..],
    };
    let tip = more.iter().fold(Tip::default(), Tip::small);
    let sends = SendOnPress(Command::Reply(n));
    let mut spawned = card.spawn((button(panel, node), sends, answer.mentions()));
    if !more.is_empty() {
        spawned.insert(tip);
    }
    // If not everything fits, the choices come before what they are about.
    if answer.is_pass {
        spawned.insert(InSight::default());
    }
    spawned.with_children(|line| {
        let words = column(0.0).min_width(px(0)).grow();
        line.group(words, |words| {
            words.spawn(text(answer.label.clone(), TextStyle::Strong, panel.text()));
            if !answer.brief.is_empty() && !is_dense {
                words.spawn(faded(answer.brief.clone()));
            }
            if let Some(forfeits) = &answer.forfeits {
                words.spawn(text(forfeits.clone(), TextStyle::Label, palette::DANGER));
            }
            if let Picks::Nothing(why) = &answer.picks {
                prose(words, why, TextStyle::Small, palette::DANGER);
            }
        });
        let cut = match is_dense {
            true => TextStyle::Strong,
            false => TextStyle::Heading,
        };
        super::menu::chance(line, answer, cut);
        let own = match answer.is_pass {
            true => Some(Key::Back).filter(|_| !is_suggested),
            false => Key::answer(n),
        };
        let keys = own.into_iter().chain(is_suggested.then_some(Key::Confirm));
        for key in keys {
            line.spawn(hint(key, palette::FADED_INK));
        }
    });
}

/// A kind of reaction, with a button for each automatic setting.
fn setting_row(
    card: &mut ChildSpawnerCommands,
    rules: &'static Ruleset,
    (verb, now): (&'static Action, AutoReaction),
    unit: Option<&str>,
) {
    card.spawn_with(rigid(wrapping_row(3.0, 1.0)), |line| {
        let label = row(6.0).width(percent(100));
        line.spawn_with(label, |label| {
            label.spawn(text(capitalised(verb.name), TextStyle::Label, palette::INK));
            label.spawn(spacer());
            rule_link(label, verb.rule);
        });
        for &auto_reaction in settings_of(rules, verb) {
            let node = Node::default().padding(6.0, 0.0);
            let set_reaction = SetAutoReaction {
                rules,
                verb,
                auto_reaction,
                unit: unit.map(str::to_owned),
            };
            let tip = Tip::text(auto_reaction.about());
            set_reaction
                .spawn(line, now, node, auto_reaction.name())
                .insert(tip);
        }
    });
}
