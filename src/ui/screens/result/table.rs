//! Each unit's statistics, and how its damage compares with the expected damage.

use super::{
    super::{LUCK, page_card, signed},
    Maker,
};
use crate::{
    battle::{Side, State, capitalised, numeral},
    control::statistics::{UnitStatistics, tenths},
    ui::{
        Session,
        art::{
            hud::Panel,
            palette::{self, Rgb},
        },
        hud::party::health,
        shown::UnitView,
        theme::{TextStyle, faded, heading_text, text},
        widgets::{
            NodeExt, SpawnWith, Tip, centred_bar, column, fill_width, panel_style, picture, rigid,
            row, rule, spacer,
        },
    },
    words::count,
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

/// The columns: heading, width at the standard text size, tooltip.
const COLUMNS: [(&str, f32, &str); 4] = [
    (
        "Dealt",
        60.0,
        "Damage dealt to anyone, at most the HP that were left, with bleeding and the falls it caused",
    ),
    (
        "Taken",
        60.0,
        "Damage taken, at most the HP that were left, with bleeding and falls",
    ),
    ("Downed", 60.0, "Units it downed, on any side"),
    (LUCK.0, 112.0, LUCK.1),
];

/// The luck bar's half width in layout pixels, and the damage above or below expectation
/// that fills it.
const BAR: (f32, f32) = (26.0, 20.0);

/// About the height of the card without scrolling, in layout pixels; `text` is the text size as a
/// factor of the standard size.
pub fn height(session: &Session, text: f32) -> f32 {
    let sides = session.game.controllers().len();
    let units = session.shown().units.len();
    (50.0 + 36.0 * sides as f32 + 27.0 * units as f32) * text.max(1.0)
}

/// Spawns the card. It scrolls if its column has too little room, unless the page is one column,
/// which scrolls as a whole.
pub fn card(
    place: &mut ChildSpawnerCommands,
    maker: &mut Maker,
    all: &[UnitStatistics],
    is_narrow: bool,
) {
    let level = maker.session.game.level().clone();
    let node = Node {
        flex_basis: if is_narrow { auto() } else { px(190) },
        ..page_card(3.0).grow().scrolling()
    };
    place.spawn_with((node, ScrollArea, panel_style(Panel::Card)), |table| {
        let size = maker.room.text();
        head(table, size);
        for (n, side) in level.sides.iter().enumerate() {
            let members = maker.session.shown().members(Side(n as u8));
            let members: Vec<UnitView> = members.cloned().collect();
            let mut sum = UnitStatistics::default();
            members.iter().for_each(|p| sum += all[p.id.index()]);
            let is_own = maker.session.player() == Side(n as u8);
            table.spawn(rule());
            line(table, |line| {
                line.spawn(heading_text(capitalised(&side.name)));
                line.spawn(spacer());
                numbers(line, (&sum, is_own), TextStyle::Strong, size);
            });
            for unit in &members {
                let chip = maker.icons.chip(unit, 24.0);
                line(table, |line| {
                    member(line, (unit, is_own), chip, size);
                    numbers(line, (&all[unit.id.index()], is_own), TextStyle::Body, size);
                });
            }
        }
    });
}

fn line(table: &mut ChildSpawnerCommands, fill: impl FnOnce(&mut ChildSpawnerCommands)) {
    table.group(rigid(row(8.0)), fill);
}

/// A cell of this width, with its content at the right.
fn cell(width: f32) -> Node {
    rigid(row(6.0).width(px(width)).justify(JustifyContent::End))
}

fn head(table: &mut ChildSpawnerCommands, size: f32) {
    line(table, |line| {
        line.spawn(faded("Damage counts up to the HP that were left"));
        line.spawn(spacer());
        for (word, width, help) in COLUMNS {
            let tip = Tip::text(help);
            let word = text(word, TextStyle::Label, palette::FADED_INK);
            line.spawn((cell(width * size), tip, children![word]));
        }
    });
}

fn numbers(
    line: &mut ChildSpawnerCommands,
    (actions, is_own): (&UnitStatistics, bool),
    cut: TextStyle,
    size: f32,
) {
    let plain = [actions.dealt, actions.taken, actions.felled as i32];
    for (number, (_, width, _)) in std::iter::zip(plain, COLUMNS) {
        let number = text(number.to_string(), cut, palette::INK);
        line.spawn((cell(width * size), children![number]));
    }
    let (_, width, _) = COLUMNS[3];
    if actions.attacks == 0 {
        let none = text("–", cut, palette::FADED_INK);
        line.spawn((cell(width * size), children![none]));
        return;
    }
    let luck = actions.luck();
    let (words, ink) = signed(luck, 1, is_own);
    let help = format!(
        "{} damage in {}; expected: {:.1}. {} hit; expected: {:.1}",
        actions.struck,
        count(actions.attacks as usize, "attack"),
        tenths(actions.expected_damage),
        actions.hits,
        tenths(actions.expected)
    );
    line.spawn_with((cell(width * size), Tip::text(help)), |cell| {
        let (half, most) = BAR;
        centred_bar(cell, luck / most, half, ink);
        let number = Node::default()
            .width(px(36.0 * size))
            .justify(JustifyContent::End);
        cell.spawn((number, children![text(words, cut, ink)]));
    });
}

/// What became of a unit, and the colour for it.
pub fn fate(unit: &UnitView) -> (&'static str, Rgb) {
    match unit.state {
        State::Up => ("standing", palette::TEAL),
        State::Down if unit.dying.is_some() => ("dying", palette::DANGER),
        State::Down => ("down", palette::DANGER),
        State::Dead => ("died", palette::DANGER),
        State::Fled => ("fled", palette::FADED_INK),
        State::Waiting => ("never arrived", palette::FADED_INK),
    }
}

/// A unit's picture, name, state and remaining hit points.
fn member(
    line: &mut ChildSpawnerCommands,
    (unit, is_own): (&UnitView, bool),
    chip: Handle<Image>,
    size: f32,
) {
    line.spawn(picture(chip, 24.0));
    let ink = match unit.is_up() {
        true => palette::INK,
        false => palette::FADED_INK,
    };
    let name = fill_width(Node::default()).set(|name| name.flex_basis = px(100));
    line.spawn((text(unit.name.clone(), TextStyle::Body, ink), name));
    let wide = |width: f32| rigid(Node::default().width(px(width)));
    let (fate, ink) = fate(unit);
    line.spawn((text(fate, TextStyle::Small, ink), wide(68.0 * size)));
    let bar = rigid(column(0.0).width(px(64)));
    line.spawn((bar, children![health(unit, is_own, 9.0)]));
    let left = format!("{}/{}", numeral(unit.hp), unit.max_hp);
    line.spawn((faded(left), wide(52.0 * size)));
}
