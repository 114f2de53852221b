//! The act bar: what the chosen one may do. A few acts are tall buttons in a
//! row; many are small ones in columns, and what has no room is behind "All".

use super::{Signs, Told};
use crate::battle::Verb;
use crate::ui::{
    Pick, Prospect, Session,
    art::{hud::Panel, icons::Icon, palette},
    pick::Command,
    pictures::Sign,
    prospect::{Act, Drawn},
    read::Words,
    theme::{Cut, text},
    widgets::{Sends, Tip, button, picture, spring},
};
use bevy::{prelude::*, text::LineBreak};

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
/// So many acts are tall buttons at most, and so wide each at least.
const TALL: (usize, f32) = (10, 62.0);
/// A small button is at least so wide.
const SMALL: f32 = 108.0;
/// Small buttons stand in so many rows at most.
const ROWS: usize = 4;

#[derive(PartialEq)]
pub struct Model {
    slots: Vec<Slot>,
    shape: Shape,
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
    key: char,
    icon: Icon,
    panel: Panel,
    sends: Command,
    tip: Tip,
}

pub(super) fn refresh(
    session: Res<Session>,
    pick: Res<Pick>,
    prospect: Res<Prospect>,
    bar: Single<(Entity, &mut Told<Model>, &ComputedNode), With<ActBar>>,
    mut commands: Commands,
    mut signs: Signs,
) {
    let (entity, mut told, node) = bar.into_inner();
    let width = node.size().x * node.inverse_scale_factor;
    let mut slots: Vec<Slot> = prospect.acts.iter().map(|a| slot_of(&session, a)).collect();
    let done = prospect.done;
    let extra = usize::from(done.is_some());
    // One shape for the whole battle: the bar is not to jump from member to
    // member.
    let all = session.buttons().len();
    let shape = shape(slots.len() + extra, all, width);
    if let Shape::Columns { rows, columns } = shape
        && slots.len() + extra > rows * columns
    {
        slots.truncate((rows * columns).saturating_sub(1 + extra));
        slots.push(all_slot());
    }
    if let Some(verb) = done.filter(|_| !slots.is_empty()) {
        let name = pick
            .chosen
            .map(|id| session.shown().person(id).name.clone());
        slots.push(done_slot(&name.unwrap_or_default(), verb));
    }
    if !told.is_news(Model { slots, shape }) {
        return;
    }
    let Some(Model { slots, shape }) = &told.0 else {
        return;
    };
    let mut bar = commands.entity(entity);
    bar.despawn_children();
    bar.with_children(|bar| match *shape {
        Shape::Tall => slots.iter().for_each(|s| tall(bar, &mut signs, s)),
        Shape::Columns { rows, .. } => {
            for column in slots.chunks(rows) {
                let node = Node {
                    flex_direction: FlexDirection::Column,
                    flex_grow: 1.0,
                    flex_basis: px(0),
                    min_width: px(0),
                    max_width: px(170),
                    row_gap: px(GAP - 2.0),
                    ..default()
                };
                bar.spawn((node, Pickable::IGNORE))
                    .with_children(|column_of| {
                        column
                            .iter()
                            .for_each(|s| small(column_of, &mut signs, s, rows));
                    });
            }
        }
    });
}

/// How so many buttons fit into so many pixels, of all that there may be.
fn shape(slots: usize, all: usize, width: f32) -> Shape {
    // As before it was laid out for the first time.
    let width = if width < 1.0 { 700.0 } else { width };
    if all <= TALL.0 && slots as f32 * (TALL.1 + GAP) <= width + GAP {
        return Shape::Tall;
    }
    let columns = (((width + GAP) / (SMALL + GAP)) as usize).max(1);
    Shape::Columns {
        rows: slots.div_ceil(columns).clamp(3, ROWS),
        columns,
    }
}

/// "Goblin 2 may strike first: 45%".
pub(super) fn drawn_lines(session: &Session, draws: &[Drawn]) -> Vec<String> {
    let line = |d: &Drawn| {
        let name = &session.shown().person(d.by).name;
        format!("{name} may strike first: {}%", d.percent)
    };
    draws.iter().map(line).collect()
}

fn slot_of(session: &Session, act: &Act) -> Slot {
    let can = session.is_players_turn();
    let panel = match (&act.why_not, act.is_on) {
        (Some(_), _) => Panel::CardPale,
        _ if !can => Panel::CardPale,
        (None, true) => Panel::CardActive,
        (None, false) => Panel::CardLight,
    };
    let head = match act.key.is_ascii() {
        true => format!("{} ({})", act.label, upper(act.key)),
        false => act.label.to_string(),
    };
    let mut tip = Tip::default().line(head, Cut::Strong, palette::INK);
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
    for line in drawn_lines(session, &act.draws) {
        tip = tip.line(line, Cut::Body, palette::DANGER);
    }
    if act.items.len() > 1 {
        let words = "Once more: another weapon (W)";
        tip = tip.line(words, Cut::Small, palette::FADED_INK);
    }
    let rule = act.why_not.as_ref().map_or(act.rule, |w| w.rule);
    let item = act.item.filter(|_| act.is_on);
    Slot {
        label: act.label.clone(),
        item: item.map(|item| session.names().item(item).to_owned()),
        key: act.key,
        icon: act.icon,
        panel,
        sends: Command::Act(act.key),
        tip: tip.line(rule, Cut::Small, palette::LINK),
    }
}

fn done_slot(who: &str, verb: &Verb) -> Slot {
    let words = format!("{who} {} (N)", verb.told);
    Slot {
        label: "Done".into(),
        item: None,
        key: 'n',
        icon: Icon::Check,
        panel: Panel::CardLight,
        sends: Command::Done,
        tip: Tip::default().line(words, Cut::Small, palette::INK),
    }
}

fn all_slot() -> Slot {
    let words = "Every act, and why some cannot be done (Q)";
    Slot {
        label: "All acts".into(),
        item: None,
        key: 'q',
        icon: Icon::Book,
        panel: Panel::CardLight,
        sends: Command::More,
        tip: Tip::default().line(words, Cut::Small, palette::INK),
    }
}

pub(super) fn upper(key: char) -> char {
    key.to_ascii_uppercase()
}

/// The letter of a slot: "?" for what is impossible now.
fn letter(slot: &Slot) -> String {
    match slot.key.is_ascii() {
        true => upper(slot.key).to_string(),
        false => String::new(),
    }
}

fn tall(bar: &mut ChildSpawnerCommands, signs: &mut Signs, slot: &Slot) {
    let node = Node {
        // As wide as the row has room for, between these.
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(56),
        max_width: px(84),
        height: px(ActBar::HEIGHT),
        flex_direction: FlexDirection::Column,
        padding: UiRect::new(px(2), px(2), px(8), px(4)),
        row_gap: px(4),
        ..default()
    };
    let parts = (Sends(slot.sends.clone()), slot.tip.clone());
    bar.spawn((button(slot.panel, node), parts))
        .with_children(|inside| {
            let corner = Node {
                position_type: PositionType::Absolute,
                left: px(6),
                top: px(3),
                ..default()
            };
            let words = text(letter(slot), Cut::Small, palette::FADED_INK);
            inside.spawn((corner, words));
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

fn small(column: &mut ChildSpawnerCommands, signs: &mut Signs, slot: &Slot, rows: usize) {
    let high = (ActBar::HEIGHT - (GAP - 2.0) * (rows as f32 - 1.0)) / rows as f32;
    let node = Node {
        width: percent(100),
        height: px(high.floor()),
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
    column
        .spawn((button(slot.panel, node), parts))
        .with_children(|inside| {
            let image = signs.get(Sign::Icon(slot.icon, slot.panel.text()), 17.0);
            inside.spawn(picture(image, 17.0));
            inside.spawn((
                text(slot.label.clone(), Cut::Label, slot.panel.text()),
                TextLayout::linebreak(LineBreak::NoWrap),
            ));
            inside.spawn(spring());
            let (words, ink) = match slot.panel {
                Panel::CardPale => (String::from("?"), palette::DANGER),
                _ => (letter(slot), palette::FADED_INK),
            };
            inside.spawn(text(words, Cut::Small, ink));
        });
}
