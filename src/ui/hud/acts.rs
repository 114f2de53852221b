//! The action bar: what the selected unit can do now. Buttons and their order do not depend on the
//! size of the window: tall buttons in a row, or small ones in columns if there is less space. "All
//! actions" lists the rest, with the reasons why actions are blocked.
//!
//! Which actions have a button does not depend on what is possible now, so that buttons keep their
//! places during a turn: what a click can mean comes before the rest, and blocked actions are grey.
//! Only what ends an affliction, such as breaking free, has a button as long as that lasts.
//! While units declare, blocked actions only fill the places that are left. The buttons stand in the
//! ruleset's order; an armed action that has no button takes the last of their places. "Done" and
//! "All actions" have the last two places of the bar.

use super::{SmallPictures, enemy_turn};
use crate::{
    battle::{Action, CowStr, Id},
    levels::Lesson,
    ui::{
        ActionPreview, Selection, Session,
        art::{hud::Panel, icons::Icon, palette},
        input::{Bindings, Device, FirstFocus, Key},
        pictures::SmallPicture,
        preview::{ActButton, Offers},
        selection::{Command, PlanChange},
        theme::{self, TextStyle, faded, text},
        widgets::{
            Filled, NodeExt, SendOnPress, SpawnWith, Tall, Tip, TipsAbove, button, fill_width,
            hint, refill, wide_column,
        },
    },
};
use bevy::{
    prelude::*,
    text::{LineBreak, RemSize},
};

/// The row of action buttons.
#[derive(Component, Default)]
#[require(TipsAbove)]
pub struct ActBar;

impl ActBar {
    /// Least height in layout pixels.
    pub const HEIGHT: f32 = 100.0;
    /// Height of the row below the board, in layout pixels at the standard text size: enough for
    /// any content, so that the board never moves.
    pub const ROW: f32 = Self::HEIGHT + 8.0;
    /// Places for buttons, including "Done" and "All actions".
    pub const MAX: usize = 10;
    /// Most places in a lesson, which names the actions that it shows.
    pub const MAX_OF_LESSON: usize = 12;
}

/// Gap between buttons, in layout pixels.
const GAP: f32 = 5.0;
/// Least and greatest width of a tall button, in layout pixels.
const TALL: (f32, f32) = (64.0, 92.0);
/// Least width of a small button, in layout pixels.
const SMALL: f32 = 98.0;

/// The actions that have a button, in the ruleset's order. `armed` is the letter of the action that
/// waits for its target. A lesson has a button for each action that it names; otherwise actions that
/// the unit has no means for have none. Each declaration opens and closes others, so while units
/// declare, possible actions come first.
fn shown<'a>(
    acts: &'a [ActButton],
    lesson: Option<&Lesson>,
    (armed, is_declaring): (Option<char>, bool),
    most: usize,
) -> Vec<&'a ActButton> {
    let is_wanted = |act: &&ActButton| match lesson {
        Some(lesson) => act.is_needed || lesson.shows(act.names()),
        None => !act.is_lacking,
    };
    let mut all: Vec<(usize, &ActButton)> = acts.iter().filter(is_wanted).enumerate().collect();
    all.sort_by_key(|&(n, act)| {
        let is_blocked = is_declaring && act.why_not.is_some();
        (!act.is_needed, is_blocked, !act.instead, !act.plain, n)
    });
    let rest = all.split_off(most.min(all.len()));
    all.sort_unstable_by_key(|&(n, _)| n);
    let is_armed = |(_, act): &&(usize, &ActButton)| armed == Some(act.key);
    if let (Some(last), Some(act)) = (all.last_mut(), rest.iter().find(is_armed)) {
        *last = *act;
    }
    all.into_iter().map(|(_, act)| act).collect()
}

#[derive(PartialEq)]
pub struct ActBarModel {
    /// The buttons by place; `None` for an empty place.
    slots: Vec<Option<BarSlot>>,
    shape: BarShape,
    /// Text size relative to the standard.
    scale: f32,
    /// Why the selected unit can't do anything; `None` otherwise.
    idle: Option<String>,
    /// The summary strip during an enemy turn.
    strip: Option<enemy_turn::Strip>,
}

/// How the buttons are laid out.
#[derive(Clone, Copy, PartialEq, Debug)]
enum BarShape {
    Tall,
    Columns {
        rows: usize,
        /// Width of each button, in layout pixels.
        scaled: f32,
    },
}

#[derive(PartialEq)]
struct BarSlot {
    label: CowStr,
    /// The weapon or item, for the armed action.
    item: Option<String>,
    key: Option<Key>,
    /// Display name of the key; empty without a key.
    key_name: String,
    icon: Icon,
    panel: Panel,
    sends: Command,
    /// What the board shows while the button is hovered.
    offers: Option<Offers>,
    tip: Tip,
    /// Whether the focus starts here.
    is_first: bool,
}

pub(super) fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    preview: Res<ActionPreview>,
    bar: Single<(Entity, &ComputedNode), With<ActBar>>,
    (rem, device, bindings): (Res<RemSize>, Res<Device>, Res<Bindings>),
    mut last: Local<Filled<ActBarModel>>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let (bar, node) = bar.into_inner();
    let scale = rem.0 / theme::BODY;
    let width = match node.size().x * node.inverse_scale_factor {
        // Before the first layout.
        width if width < 1.0 => 700.0 * scale,
        width => width,
    };
    let lesson = session.game.level().lesson.as_ref();
    let all = &preview.acts;
    // Every action that a lesson names has a button, and so have Done and All actions. Those with
    // one key, such as a declaration and what carries it out, share theirs.
    let buttons = session.queries.buttons.iter();
    let choosing = lesson.filter(|lesson| !lesson.acts.is_empty());
    let named = choosing.map_or(0, |lesson| {
        let named = buttons.filter(|button| {
            let names = button.acts.iter().map(|act| act.0.name);
            lesson.shows(names)
        });
        named.count() + 2
    });
    let most = named.clamp(ActBar::MAX, ActBar::MAX_OF_LESSON);
    let has_any = !all.is_empty() || preview.done.is_some();
    let mut slots: Vec<Option<BarSlot>> = vec![];
    if let Some(who) = selection.chosen.filter(|_| has_any) {
        let how = (selection.armed, session.is_declaring());
        let own = shown(all, lesson, how, most - 2);
        slots.extend(own.iter().map(|act| Some(slot_of(&session, act))));
        let more = all.len() - own.len();
        slots.resize_with(most - 2, || None);
        let name = &session.shown().unit(who).name;
        let done = preview.done.map(|verb| done_slot(name, verb));
        let change = || session.can_replace(who).then(|| change_slot(name, who));
        slots.push(done.or_else(change));
        slots.push((!all.is_empty()).then(|| all_slot(more, selection.more)));
    }
    let idle = selection.chosen.filter(|_| all.is_empty());
    let idle = idle.and_then(|who| idle_words(&session, who));
    let shape = shape(width, scale, most);
    if let Some(first) = slots.iter_mut().flatten().next() {
        first.is_first = true;
    }
    for slot in slots.iter_mut().flatten() {
        let key = slot.key.map(|key| device.name(key, &bindings));
        slot.key_name = key.unwrap_or_default();
        // While events are shown only the places of the buttons stay; no action can be chosen then.
        if !session.prompts_turn() {
            slot.panel = Panel::CardPale;
        }
    }
    let model = ActBarModel {
        slots,
        shape,
        scale,
        idle,
        strip: enemy_turn::strip(&session),
    };
    refill(&mut commands, (bar, model), &mut last, |bar, model| {
        show(bar, &mut icons, model);
    });
}

fn show(bar: &mut ChildSpawnerCommands, icons: &mut SmallPictures, model: &ActBarModel) {
    let (slots, scale) = (&model.slots, model.scale);
    if let Some(strip) = &model.strip {
        return enemy_turn::show(bar, icons, strip);
    }
    match model.shape {
        _ if slots.is_empty() => {
            bar.spawn(faded(model.idle.clone().unwrap_or_default()));
        }
        BarShape::Tall => {
            for slot in slots {
                let Some(slot) = slot else {
                    bar.spawn((tall_node(scale), Pickable::IGNORE));
                    continue;
                };
                tall(bar, icons, slot, scale);
            }
        }
        BarShape::Columns { rows, scaled } => {
            let parts = bar_parts(slots, scaled, scale);
            for (column, parts) in slots.chunks(rows).zip(parts.chunks(rows)) {
                let node = wide_column(GAP - 2.0).max_width(px(170.0 * scale));
                bar.group(node, |column_of| {
                    for (slot, &parts) in column.iter().zip(parts) {
                        let Some(slot) = slot else {
                            column_of.spawn((small_node(rows), Pickable::IGNORE));
                            continue;
                        };
                        small(column_of, icons, slot, rows, parts);
                    }
                });
            }
        }
    }
}

/// Why the unit has nothing to do, and which units of its side decide next; `None` if the player is
/// not to decide.
fn idle_words(session: &Session, who: Id) -> Option<String> {
    let question = session.prompt().filter(|q| q.is_turn())?;
    let name = |id: &Id| session.shown().unit(*id).name.clone();
    // A unit whose declaration waits for confirmation is still asked.
    let held = session.held().map(|held| held.who());
    let others: Vec<String> = question
        .actors
        .iter()
        .filter(|id| **id != who && Some(**id) != held)
        .map(name)
        .collect();
    let has_declared = session.is_declaring() && !session.shown().unit(who).plan.is_empty();
    let words = match has_declared {
        true => format!("{} has declared. Undo to change the last plan.", name(&who)),
        false => format!("{} has nothing to do right now.", name(&who)),
    };
    Some(match others.is_empty() {
        true => words,
        false => format!("{words} Next: {}.", others.join(", ")),
    })
}

/// How a number of places fits into a width in layout pixels. The least widths of buttons grow with
/// `scale`, that of the text.
fn shape(width: f32, scale: f32, most: usize) -> BarShape {
    let room = width / scale + GAP;
    if most as f32 * (TALL.0 + GAP) <= room {
        return BarShape::Tall;
    }
    let columns = ((room / (SMALL + GAP)) as usize).max(1);
    let rows = most.div_ceil(columns);
    let columns = most.div_ceil(rows) as f32;
    BarShape::Columns {
        rows,
        scaled: (width - GAP * (columns - 1.0)) / columns,
    }
}

fn slot_of(session: &Session, act: &ActButton) -> BarSlot {
    // What a click would do after a move may be impossible from here.
    let is_pale = act.why_not.is_some() || act.no_effect.is_some();
    let panel = Panel::CardLight.pale_if(is_pale).active_if(act.is_on);
    let mut tip = Tip::default().line(act.label.to_string(), TextStyle::Strong, palette::INK);
    if act.key.is_ascii() {
        tip = tip.key(Key::Act(act.key));
    }
    if !act.help.is_empty() {
        tip = tip.small(act.help);
    }
    if let Some(why) = &act.why_not {
        let why = crate::battle::capitalised(&why.text);
        tip = tip.line(why, TextStyle::Body, palette::DANGER);
    }
    if let Some(why) = &act.no_effect {
        tip = tip.line(
            format!("No effect: {why}"),
            TextStyle::Body,
            palette::DANGER,
        );
    }
    for odds in &act.odds {
        tip = tip.line(odds.words(), TextStyle::Body, palette::TEAL);
    }
    for line in session.shown().provoked_lines(&act.provoked) {
        tip = tip.line(line, TextStyle::Body, palette::DANGER);
    }
    // The key changes the weapon of the action that a click takes now.
    if act.is_on && act.items.len() > 1 {
        let words = "Swap weapons";
        tip = tip
            .line(words, TextStyle::Small, palette::FADED_INK)
            .key(Key::Other);
    }
    let rule = act.why_not.as_ref().map_or(act.rule, |w| w.rule);
    let item = act.item.filter(|_| act.is_on);
    let tip = tip.line(rule, TextStyle::Small, palette::LINK);
    BarSlot {
        item: item.map(|item| session.game.names().item(item).to_owned()),
        key: act.key.is_ascii().then_some(Key::Act(act.key)),
        icon: act.icon,
        panel,
        offers: (session.is_declaring() && act.why_not.is_none()).then_some(Offers::Act(act.key)),
        ..plain_slot(act.label.clone(), Command::Act(act.key), tip)
    }
}

/// A button without a key.
fn plain_slot(label: impl Into<CowStr>, sends: Command, tip: Tip) -> BarSlot {
    BarSlot {
        label: label.into(),
        item: None,
        key: None,
        key_name: String::new(),
        icon: Icon::Check,
        panel: Panel::CardLight,
        sends,
        offers: None,
        tip,
        is_first: false,
    }
}

/// The button that withdraws the order of a unit. The other buttons replace the order at once.
fn change_slot(name: &str, who: Id) -> BarSlot {
    let words = format!("{name} has declared. Withdraw the order to give another");
    let sends = Command::Plan(PlanChange::Clear(who));
    BarSlot {
        icon: Icon::Reload,
        ..plain_slot("Change order", sends, Tip::text(words))
    }
}

fn done_slot(who: &str, verb: &Action) -> BarSlot {
    let words = format!("{who} {}", verb.log_text);
    BarSlot {
        key: Some(Key::Done),
        ..plain_slot("Done", Command::Done, Tip::text(words).key(Key::Done))
    }
}

/// The button that opens the list of all actions; `more` is the number of actions without a button.
fn all_slot(more: usize, is_open: bool) -> BarSlot {
    let tip = Tip::text("All actions, and why some are blocked").key(Key::More);
    BarSlot {
        item: (more > 0).then(|| format!("{more} more")),
        key: Some(Key::More),
        icon: Icon::Grid,
        panel: Panel::CardLight.active_if(is_open),
        ..plain_slot("All actions", Command::More, tip)
    }
}

/// The width of a place in a row. The places share the row's width evenly.
fn tall_node(scale: f32) -> Node {
    fill_width(default()).max_width(px(TALL.1 * scale))
}

fn tall(bar: &mut ChildSpawnerCommands, icons: &mut SmallPictures, slot: &BarSlot, scale: f32) {
    let node = Node {
        min_height: px(ActBar::HEIGHT),
        max_height: px(Tall::buttons(ActBar::ROW).at(scale)),
        overflow: Overflow::clip_y(),
        flex_direction: FlexDirection::Column,
        padding: UiRect::new(px(2), px(2), px(12), px(4)),
        row_gap: px(3),
        ..tall_node(scale)
    };
    spawn_button(bar, slot, node, |inside| {
        let corner = Node {
            position_type: PositionType::Absolute,
            right: px(6),
            top: px(2),
            ..default()
        };
        if let Some(key) = slot.key {
            inside.spawn((corner, children![hint(key, palette::FADED_INK)]));
        }
        inside.spawn(icons.square(SmallPicture::Icon(slot.icon, slot.panel.text()), 30.0));
        let label = text(slot.label.clone(), TextStyle::Label, slot.panel.text());
        inside.spawn((label, TextLayout::justify(Justify::Center)));
        if let Some(item) = &slot.item {
            let item = faded(item.clone());
            inside.spawn((item, TextLayout::justify(Justify::Center)));
        }
    });
}

/// Spawns a button of the bar.
fn spawn_button(
    place: &mut ChildSpawnerCommands,
    slot: &BarSlot,
    node: Node,
    content: impl FnOnce(&mut ChildSpawnerCommands),
) {
    let parts = (SendOnPress(slot.sends.clone()), slot.tip.clone());
    let mut spawned = place.spawn((button(slot.panel, node), parts));
    if let Some(offers) = slot.offers {
        spawned.insert(offers);
    }
    if slot.is_first {
        spawned.insert(FirstFocus);
    }
    spawned.with_children(content);
}

/// Height of each of `rows` rows, in layout pixels.
fn row_height(rows: usize) -> f32 {
    let high = (ActBar::HEIGHT - (GAP - 2.0) * (rows as f32 - 1.0)) / rows as f32;
    high.floor()
}

/// The icon of a small button and the gap between its parts, in layout pixels.
const ICON: (f32, f32) = (17.0, 3.0);
/// The padding of a small button at each side, in layout pixels.
const EDGE: f32 = 4.0;

/// Whether a small button shows its icon and its key beside the label. If not both fit, a key of
/// one letter stays, and a longer one, such as "Shift+D", leaves its space to the icon: the tip
/// names it. `scaled` is the button's width in layout pixels; only the text grows with `scale`.
fn small_parts(slot: &BarSlot, scaled: f32, scale: f32) -> (bool, bool) {
    let key = match slot.key {
        Some(_) => ICON.1 + scale * TextStyle::Small.width(&slot.key_name),
        None => 0.0,
    };
    let edges = 2.0 * (EDGE + theme::LINE);
    let least = edges + ICON.0 + ICON.1 + scale * TextStyle::Label.width(&slot.label);
    let is_long = slot.key_name.chars().count() > 1;
    match least <= scaled {
        true if least + key <= scaled => (true, true),
        true if is_long => (true, false),
        _ => (false, true),
    }
}

/// What [`small_parts`] says of each place. If one button has no room for its icon, none has one, so
/// that all look alike.
fn bar_parts(slots: &[Option<BarSlot>], scaled: f32, scale: f32) -> Vec<(bool, bool)> {
    let parts = slots.iter().map(|slot| match slot {
        Some(slot) => small_parts(slot, scaled, scale),
        None => (true, true),
    });
    let parts: Vec<(bool, bool)> = parts.collect();
    match parts.iter().all(|(has_icon, _)| *has_icon) {
        true => parts,
        false => vec![(false, true); parts.len()],
    }
}

/// The size of a place in a column.
fn small_node(rows: usize) -> Node {
    Node::default()
        .width(percent(100))
        .min_height(px(row_height(rows)))
}

fn small(
    column: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    slot: &BarSlot,
    rows: usize,
    (has_icon, has_key): (bool, bool),
) {
    let node = small_node(rows)
        .justify(JustifyContent::Start)
        .column_gap(ICON.1)
        .padding(EDGE, 0.0)
        .clipped();
    spawn_button(column, slot, node, |inside| {
        if has_icon {
            inside.spawn(icons.square(SmallPicture::Icon(slot.icon, slot.panel.text()), ICON.0));
        }
        inside.spawn((
            text(slot.label.clone(), TextStyle::Label, slot.panel.text()),
            TextLayout::linebreak(LineBreak::NoWrap),
        ));
        if let Some(key) = slot.key.filter(|_| has_key) {
            let last = Node {
                margin: UiRect::left(auto()),
                ..default()
            };
            inside.spawn((hint(key, palette::FADED_INK), last));
        }
    });
}
