//! The act bar: what the chosen one may do. A few acts are tall buttons in a
//! row; many are small ones in columns, each at a place of its own where there is
//! room for that. What has no room is behind "All acts", and so is what a lesson
//! does not speak of.

use super::{Signs, Told};
use crate::battle::{Action, Id, Words};
use crate::ui::{
    ActionPreview, Selection, Session,
    art::{hud::Panel, icons::Icon, palette},
    input::{Bindings, Device, Key},
    pictures::Sign,
    preview::{Act, Offers},
    read::{Button, LETTERS},
    selection::Command,
    theme::{self, Cut, colour, text},
    widgets::{Sends, Tip, button, hint, picture, spring},
};
use bevy::{
    prelude::*,
    text::{LineBreak, RemSize},
};

/// The row of acts.
#[derive(Component, Default)]
#[require(Told<Model>)]
pub struct ActBar;

impl ActBar {
    /// In pixels of the layout.
    pub const HEIGHT: f32 = 108.0;
}

/// Between buttons.
const GAP: f32 = 5.0;
/// How many acts are tall buttons at most, and how wide each is at least.
const TALL: (usize, f32) = (10, 62.0);
/// A small button is at least so wide.
const SMALL: f32 = 108.0;
/// The most rows of small buttons.
const ROWS: usize = 4;

#[derive(PartialEq)]
pub struct Model {
    /// In columns with gaps before the last.
    slots: Vec<Option<Slot>>,
    shape: Shape,
    /// Why there is nothing to be done, if so.
    idle: Option<String>,
}

/// How the buttons are laid out.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Shape {
    Tall,
    Columns { rows: usize, columns: usize },
}

#[derive(PartialEq)]
struct Slot {
    label: Words,
    /// What it would be done with, for the act that is meant.
    item: Option<String>,
    key: Option<Key>,
    /// What the key is called; empty without a key.
    key_name: String,
    icon: Icon,
    panel: Panel,
    sends: Command,
    /// What the board shows while the pointer is on it.
    offers: Option<Offers>,
    tip: Tip,
}

pub(super) fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    preview: Res<ActionPreview>,
    bar: Single<(Entity, &mut Told<Model>, &ComputedNode), With<ActBar>>,
    (rem, device, bindings): (Res<RemSize>, Res<Device>, Res<Bindings>),
    mut commands: Commands,
    mut signs: Signs,
) {
    let (entity, mut told, node) = bar.into_inner();
    let width = node.size().x * node.inverse_scale_factor;
    let scale = rem.0 / theme::BODY;
    let lesson = session.game.level().lesson.as_ref();
    let shows = |names: &mut dyn Iterator<Item = &'static str>| {
        lesson.is_none_or(|lesson| lesson.shows(names))
    };
    let shown = preview.acts.iter().filter(|a| shows(&mut a.names()));
    let shown: Vec<&Act> = shown.collect();
    let mut slots: Vec<Slot> = shown.iter().map(|a| slot_of(&session, a)).collect();
    let done = preview.done;
    let is_short = shown.len() < preview.acts.len();
    let extra = usize::from(done.is_some()) + usize::from(is_short);
    // One shape for the whole battle: the bar is not to jump from member to
    // member.
    let buttons = session.reads.buttons.clone();
    let names = |b: &Button| shows(&mut b.acts.iter().map(|a| a.verb.name));
    let all = buttons.iter().filter(|b| names(b)).count();
    let shape = shape(slots.len() + extra, all, width, scale);
    let places = match is_short {
        true => None,
        false => places(shape, shown.iter().map(|a| a.key)),
    };
    let has_room = match shape {
        Shape::Columns { rows, columns } if places.is_none() => {
            let room = rows * columns;
            let has_room = slots.len() + extra <= room;
            if !has_room {
                slots.truncate(room.saturating_sub(1 + usize::from(done.is_some())));
            }
            has_room
        }
        _ => true,
    };
    if !has_room || is_short {
        slots.push(all_slot());
    }
    let idle = selection
        .chosen
        .filter(|_| slots.is_empty())
        .and_then(|who| idle(&session, who));
    let mut slots: Vec<Option<Slot>> = slots.into_iter().map(Some).collect();
    let shape = match places.filter(|_| !slots.is_empty()) {
        Some((places, rows, columns)) => {
            let mut fixed: Vec<Option<Slot>> = vec![];
            fixed.resize_with(rows * columns - 1, || None);
            for (place, slot) in std::iter::zip(places, slots) {
                fixed[place] = slot;
            }
            slots = fixed;
            Shape::Columns { rows, columns }
        }
        None => shape,
    };
    if let Some(verb) = done {
        let name = selection
            .chosen
            .map(|id| session.shown().person(id).name.clone());
        // Always at the same place, however many acts there are.
        if let Shape::Columns { rows, columns } = shape {
            slots.resize_with((rows * columns - 1).max(slots.len()), || None);
        }
        slots.push(Some(done_slot(&name.unwrap_or_default(), verb)));
    }
    for slot in slots.iter_mut().flatten() {
        slot.key_name = slot
            .key
            .map_or_else(String::new, |key| device.name(key, &bindings));
    }
    let model = Model { slots, shape, idle };
    if !told.is_news(model) && !rem.is_changed() {
        return;
    }
    let Some(Model { slots, shape, idle }) = &told.0 else {
        return;
    };
    let mut bar = commands.entity(entity);
    bar.despawn_children();
    bar.with_children(|bar| match *shape {
        _ if slots.is_empty() => {
            let words = idle.clone().unwrap_or_default();
            bar.spawn(text(words, Cut::Small, palette::FADED_INK));
        }
        Shape::Tall => {
            let slots = slots.iter().flatten();
            slots.for_each(|s| tall(bar, &mut signs, s, scale));
        }
        Shape::Columns { rows, columns } => {
            let broad = (width / scale - GAP * (columns as f32 - 1.0)) / columns as f32;
            for column in slots.chunks(rows) {
                let node = Node {
                    flex_direction: FlexDirection::Column,
                    flex_grow: 1.0,
                    flex_basis: px(0),
                    min_width: px(0),
                    max_width: px(170.0 * scale),
                    row_gap: px(GAP - 2.0),
                    ..default()
                };
                bar.spawn((node, Pickable::IGNORE))
                    .with_children(|column_of| {
                        for slot in column {
                            match slot {
                                Some(slot) => {
                                    small(column_of, &mut signs, slot, (rows, broad));
                                }
                                None => gap(column_of, rows),
                            }
                        }
                    });
            }
        }
    });
}

/// Why somebody has nothing to do while others of its side are asked.
fn idle(session: &Session, who: Id) -> Option<String> {
    let question = session.question().filter(|_| session.is_players_turn())?;
    let name = |id: &Id| session.shown().person(*id).name.clone();
    let others: Vec<String> = question
        .actors
        .iter()
        .filter(|id| **id != who)
        .map(name)
        .collect();
    let has_declared = session.is_declaring() && !session.shown().person(who).plan.is_empty();
    let words = match has_declared {
        true => format!("{} has declared. Undo to change the last plan.", name(&who)),
        false => format!("{} has nothing to do right now.", name(&who)),
    };
    Some(match others.is_empty() {
        true => words,
        false => format!("{words} Next: {}.", others.join(", ")),
    })
}

/// How `n` buttons fit into a number of pixels, of all that there may be, with
/// text of a size.
fn shape(slots: usize, all: usize, width: f32, scale: f32) -> Shape {
    // As before it was laid out for the first time.
    let width = if width < 1.0 { 700.0 } else { width / scale };
    if all <= TALL.0 && slots as f32 * (TALL.1 + GAP) <= width + GAP {
        return Shape::Tall;
    }
    let columns = (((width + GAP) / (SMALL + GAP)) as usize).max(1);
    Shape::Columns {
        rows: slots.div_ceil(columns).clamp(3, ROWS),
        columns,
    }
}

/// Where every act has a place of its own, whoever is in hand and whatever the
/// rules: the place of each, and how many rows and columns that makes. None where
/// the bar has no room for that.
fn places(shape: Shape, keys: impl Iterator<Item = char>) -> Option<(Vec<usize>, usize, usize)> {
    let Shape::Columns { columns, .. } = shape else {
        return None;
    };
    // The last place is for being done.
    let all = LETTERS.len() + 1;
    let rows = all.div_ceil(columns).max(3);
    let places: Option<Vec<usize>> = keys.map(|key| LETTERS.find(key)).collect();
    (rows <= ROWS).then_some((places?, rows, all.div_ceil(rows)))
}

fn slot_of(session: &Session, act: &Act) -> Slot {
    let can = session.is_players_turn();
    let panel = match (&act.why_not, act.is_on) {
        (Some(_), _) => Panel::CardPale,
        _ if !can => Panel::CardPale,
        (None, true) => Panel::CardActive,
        (None, false) => Panel::CardLight,
    };
    let mut tip = Tip::default().line(act.label.to_string(), Cut::Strong, palette::INK);
    if act.key.is_ascii() {
        tip = tip.key(Key::Act(act.key));
    }
    if !act.help.is_empty() {
        tip = tip.line(act.help, Cut::Small, palette::INK);
    }
    if let Some(why) = &act.why_not {
        let why = crate::battle::capitalised(&why.text);
        tip = tip.line(why, Cut::Body, palette::DANGER);
    }
    for odds in &act.odds {
        tip = tip.line(odds.words(), Cut::Body, palette::TEAL);
    }
    for line in session.shown().may_strike(&act.draws) {
        tip = tip.line(line, Cut::Body, palette::DANGER);
    }
    if act.items.len() > 1 {
        let words = "Swap weapons";
        tip = tip
            .line(words, Cut::Small, palette::FADED_INK)
            .key(Key::Other);
    }
    let rule = act.why_not.as_ref().map_or(act.rule, |w| w.rule);
    let item = act.item.filter(|_| act.is_on);
    Slot {
        label: act.label.clone(),
        item: item.map(|item| session.game.names().item(item).to_owned()),
        key: act.key.is_ascii().then_some(Key::Act(act.key)),
        key_name: String::new(),
        icon: act.icon,
        panel,
        sends: Command::Act(act.key),
        offers: (session.is_declaring() && act.why_not.is_none()).then_some(Offers::Act(act.key)),
        tip: tip.line(rule, Cut::Small, palette::LINK),
    }
}

fn done_slot(who: &str, verb: &Action) -> Slot {
    let words = format!("{who} {}", verb.log_text);
    Slot {
        label: "Done".into(),
        item: None,
        key: Some(Key::Done),
        key_name: String::new(),
        icon: Icon::Check,
        panel: Panel::CardLight,
        sends: Command::Done,
        offers: None,
        tip: Tip::default()
            .line(words, Cut::Small, palette::INK)
            .key(Key::Done),
    }
}

fn all_slot() -> Slot {
    let words = "All actions, and why some are blocked";
    Slot {
        label: "All actions".into(),
        item: None,
        key: Some(Key::More),
        key_name: String::new(),
        icon: Icon::Book,
        panel: Panel::CardLight,
        sends: Command::More,
        offers: None,
        tip: Tip::default()
            .line(words, Cut::Small, palette::INK)
            .key(Key::More),
    }
}

fn tall(bar: &mut ChildSpawnerCommands, signs: &mut Signs, slot: &Slot, scale: f32) {
    let node = Node {
        // As wide as the row has room for, between these.
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(56),
        max_width: px(84.0 * scale),
        min_height: px(ActBar::HEIGHT),
        flex_direction: FlexDirection::Column,
        padding: UiRect::new(px(2), px(2), px(8), px(4)),
        row_gap: px(4),
        ..default()
    };
    let parts = (Sends(slot.sends.clone()), slot.tip.clone());
    let mut spawned = bar.spawn((button(slot.panel, node), parts));
    if let Some(offers) = slot.offers {
        spawned.insert(offers);
    }
    spawned.with_children(|inside| {
        let corner = Node {
            position_type: PositionType::Absolute,
            left: px(6),
            top: px(3),
            ..default()
        };
        if let Some(key) = slot.key {
            inside.spawn((corner, children![hint(key, palette::FADED_INK)]));
        }
        let image = signs.get(Sign::Icon(slot.icon, slot.panel.text()), 30.0);
        inside.spawn(picture(image, 30.0));
        inside.spawn(text(slot.label.clone(), Cut::Label, slot.panel.text()));
        if slot.panel == Panel::CardPale {
            inside.spawn(text("why?", Cut::Small, palette::DANGER));
        } else if let Some(item) = &slot.item {
            inside.spawn(text(item.clone(), Cut::Small, palette::FADED_INK));
        }
    });
}

/// How high each of `n` rows is, in pixels of the layout.
fn row_height(rows: usize) -> f32 {
    let high = (ActBar::HEIGHT - (GAP - 2.0) * (rows as f32 - 1.0)) / rows as f32;
    high.floor()
}

fn gap(column: &mut ChildSpawnerCommands, rows: usize) {
    let node = Node {
        min_height: px(row_height(rows)),
        flex_shrink: 0.0,
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        ..default()
    };
    // The place is kept for somebody else's act.
    let line = BorderColor::all(colour(palette::ROCK));
    column.spawn((node, line, Pickable::IGNORE));
}

/// How wide a letter of a small button is, about, and all but its letters and the
/// name of its key.
const LETTER: (f32, f32) = (7.0, 39.0);

fn small(
    column: &mut ChildSpawnerCommands,
    signs: &mut Signs,
    slot: &Slot,
    (rows, broad): (usize, f32),
) {
    // Where all has no room the words and the key go before the icon.
    let letters = slot.label.chars().count() + slot.key_name.chars().count().max(1);
    let has_icon = letters as f32 * LETTER.0 + LETTER.1 <= broad;
    let node = Node {
        width: percent(100),
        min_height: px(row_height(rows)),
        padding: UiRect::axes(px(5), px(0)),
        column_gap: px(4),
        justify_content: JustifyContent::Start,
        overflow: Overflow::clip(),
        ..default()
    };
    let node = Node {
        border: UiRect::all(px(1.4)),
        ..node
    };
    let parts = (Sends(slot.sends.clone()), slot.tip.clone());
    let mut spawned = column.spawn((button(slot.panel, node), parts));
    if let Some(offers) = slot.offers {
        spawned.insert(offers);
    }
    spawned.with_children(|inside| {
        if has_icon {
            let image = signs.get(Sign::Icon(slot.icon, slot.panel.text()), 17.0);
            inside.spawn(picture(image, 17.0));
        }
        inside.spawn((
            text(slot.label.clone(), Cut::Label, slot.panel.text()),
            TextLayout::linebreak(LineBreak::NoWrap),
        ));
        inside.spawn(spring());
        match (slot.panel, slot.key) {
            (Panel::CardPale, _) => {
                inside.spawn(text("?", Cut::Small, palette::DANGER));
            }
            (_, Some(key)) => {
                inside.spawn(hint(key, palette::FADED_INK));
            }
            _ => {}
        }
    });
}
