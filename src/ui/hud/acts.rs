//! The action bar: what the selected unit can do now. Buttons and their order do not depend on the
//! size of the window: tall buttons in a row, or small ones in columns if text is large. "All
//! actions" lists the rest, with the reasons why actions are blocked.

use super::{Signs, Told, enemy_turn};
use crate::battle::{Action, Id, Words};
use crate::ui::widgets::SendOnPress;
use crate::ui::{
    ActionPreview, Selection, Session,
    art::{hud::Panel, icons::Icon, palette},
    input::{Bindings, Device, FirstFocus, Key},
    pictures::Sign,
    preview::{Act, Offers},
    selection::Command,
    theme::{self, Cut, text},
    widgets::{Tall, Tip, button, hint, picture, spring},
};
use bevy::{
    prelude::*,
    text::{LineBreak, RemSize},
};

/// The row of action buttons.
#[derive(Component, Default)]
#[require(Told<Model>)]
pub struct ActBar;

impl ActBar {
    /// Least height in layout pixels.
    pub const HEIGHT: f32 = 100.0;
    /// Height of the row below the board, in layout pixels at the standard text size: enough for
    /// any content, so that the board never moves.
    pub const ROW: f32 = Self::HEIGHT + 8.0;
    /// Most buttons, including "All actions".
    pub const MOST: usize = 7;
    /// And in a lesson, which names the acts that it shows.
    pub const MOST_OF_LESSON: usize = 12;
}

/// Gap between buttons, in layout pixels.
const GAP: f32 = 5.0;
/// Least and greatest width of a tall button, in layout pixels.
const TALL: (f32, f32) = (64.0, 92.0);
/// Least width of a small button, in layout pixels.
const SMALL: f32 = 98.0;

#[derive(PartialEq)]
pub struct Model {
    slots: Vec<Slot>,
    shape: Shape,
    /// Why the selected unit can't do anything; `None` otherwise.
    idle: Option<String>,
    /// The summary strip during an enemy turn.
    strip: Option<enemy_turn::Strip>,
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
    let shows = |act: &&Act| lesson.is_none_or(|lesson| lesson.shows(&mut act.names()));
    let all = &preview.acts;
    // A lesson has few actions and may mention one before it is possible.
    let is_shown = |act: &&Act| act.why_not.is_none() || lesson.is_some();
    let possible = all.iter().filter(is_shown);
    // Every act that a lesson names has a button, and so have Done and All actions.
    let named = lesson.map_or(0, |lesson| lesson.acts.len() + 2);
    let most = named.clamp(ActBar::MOST, ActBar::MOST_OF_LESSON);
    let own = most - 1 - usize::from(preview.done.is_some());
    let mut slots: Vec<Slot> = possible
        .filter(shows)
        .take(own)
        .map(|act| slot_of(&session, act))
        .collect();
    let chosen = || selection.chosen.filter(|_| all.is_empty());
    let idle = chosen().and_then(|who| idle(&session, who));
    if let Some(verb) = preview.done {
        let name = |id| session.shown().person(id).name.clone();
        let name = selection.chosen.map(name).unwrap_or_default();
        slots.push(done_slot(&name, verb));
    }
    if !all.is_empty() {
        let more = (all.len() + usize::from(preview.done.is_some())).saturating_sub(slots.len());
        slots.push(all_slot(more, selection.more));
    }
    for slot in &mut slots {
        slot.key_name = slot
            .key
            .map_or_else(String::new, |key| device.name(key, &bindings));
    }
    let most = slots.len().max(ActBar::MOST);
    let model = Model {
        slots,
        shape: shape(width, scale, most),
        idle,
        strip: enemy_turn::strip(&session),
    };
    if !told.is_news(model) && !rem.is_changed() {
        return;
    }
    let Some(Model {
        slots,
        shape,
        idle,
        strip,
    }) = &told.0
    else {
        return;
    };
    let mut bar = commands.entity(entity);
    bar.despawn_children();
    if let Some(strip) = strip {
        bar.with_children(|bar| enemy_turn::show(bar, &mut signs, strip));
        return;
    }
    bar.with_children(|bar| match *shape {
        _ if slots.is_empty() => {
            let words = idle.clone().unwrap_or_default();
            bar.spawn(text(words, Cut::Small, palette::FADED_INK));
        }
        Shape::Tall => {
            for (n, slot) in slots.iter().enumerate() {
                let button = tall(bar, &mut signs, slot, scale);
                if n == 0 {
                    bar.commands().entity(button).insert(FirstFocus);
                }
            }
        }
        Shape::Columns { rows, columns } => {
            let broad = (width / scale - GAP * (columns as f32 - 1.0)) / columns as f32;
            for (n, column) in slots.chunks(rows).enumerate() {
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
                        for (row, slot) in column.iter().enumerate() {
                            let button = small(column_of, &mut signs, slot, (rows, broad));
                            if (n, row) == (0, 0) {
                                column_of.commands().entity(button).insert(FirstFocus);
                            }
                        }
                    });
            }
        }
    });
}

/// Why the unit has nothing to do, and which units of its side decide next; `None` if the player is
/// not to decide.
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

/// How the buttons fit into a number of pixels, with text of a size: as many as there
/// may be at most, so that nothing jumps from unit to unit.
fn shape(width: f32, scale: f32, most: usize) -> Shape {
    // As before it was laid out for the first time.
    let width = if width < 1.0 { 700.0 } else { width / scale };
    if most as f32 * (TALL.0 + GAP) <= width + GAP {
        return Shape::Tall;
    }
    let columns = (((width + GAP) / (SMALL + GAP)) as usize).max(1);
    Shape::Columns {
        rows: most.div_ceil(columns),
        columns,
    }
}

fn slot_of(session: &Session, act: &Act) -> Slot {
    // While an action is played back the bar keeps its look, so that it does not flicker.
    let panel = match (&act.why_not, act.is_on) {
        (Some(_), _) => Panel::CardPale,
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

/// The button that opens the list of all actions; `more` is the number of actions without a button.
fn all_slot(more: usize, is_open: bool) -> Slot {
    let words = "All actions, and why some are blocked";
    Slot {
        label: "All actions".into(),
        item: (more > 0).then(|| format!("{more} more")),
        key: Some(Key::More),
        key_name: String::new(),
        icon: Icon::Grid,
        panel: match is_open {
            true => Panel::CardActive,
            false => Panel::CardLight,
        },
        sends: Command::More,
        offers: None,
        tip: Tip::default()
            .line(words, Cut::Small, palette::INK)
            .key(Key::More),
    }
}

fn tall(bar: &mut ChildSpawnerCommands, signs: &mut Signs, slot: &Slot, scale: f32) -> Entity {
    let node = Node {
        // Shares the row's width evenly, up to the greatest width.
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(0),
        max_width: px(TALL.1 * scale),
        min_height: px(ActBar::HEIGHT),
        max_height: px(Tall::buttons(ActBar::ROW).at(scale)),
        overflow: Overflow::clip_y(),
        flex_direction: FlexDirection::Column,
        padding: UiRect::new(px(2), px(2), px(12), px(4)),
        row_gap: px(3),
        ..default()
    };
    let parts = (SendOnPress(slot.sends.clone()), slot.tip.clone());
    let mut spawned = bar.spawn((button(slot.panel, node), parts));
    if let Some(offers) = slot.offers {
        spawned.insert(offers);
    }
    spawned.with_children(|inside| {
        let corner = Node {
            position_type: PositionType::Absolute,
            right: px(6),
            top: px(2),
            ..default()
        };
        if let Some(key) = slot.key {
            inside.spawn((corner, children![hint(key, palette::FADED_INK)]));
        }
        let image = signs.get(Sign::Icon(slot.icon, slot.panel.text()), 30.0);
        inside.spawn(picture(image, 30.0));
        let label = text(slot.label.clone(), Cut::Label, slot.panel.text());
        inside.spawn((label, TextLayout::justify(Justify::Center)));
        if let Some(item) = &slot.item {
            let item = text(item.clone(), Cut::Small, palette::FADED_INK);
            inside.spawn((item, TextLayout::justify(Justify::Center)));
        }
    });
    spawned.id()
}

/// Height of each of `rows` rows, in layout pixels.
fn row_height(rows: usize) -> f32 {
    let high = (ActBar::HEIGHT - (GAP - 2.0) * (rows as f32 - 1.0)) / rows as f32;
    high.floor()
}

/// Estimated width of a letter on a small button, and of everything else on it, in layout pixels.
const LETTER: (f32, f32) = (7.0, 39.0);

fn small(
    column: &mut ChildSpawnerCommands,
    signs: &mut Signs,
    slot: &Slot,
    (rows, broad): (usize, f32),
) -> Entity {
    // On a narrow button the icon is dropped to make space for the label and the key.
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
    let parts = (SendOnPress(slot.sends.clone()), slot.tip.clone());
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
        if let Some(key) = slot.key {
            inside.spawn(hint(key, palette::FADED_INK));
        }
    });
    spawned.id()
}
