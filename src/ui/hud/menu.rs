//! The list beside the board from which the player chooses a spell, a weapon or a target, and the card
//! over the board for a number, each with its odds.

use super::{ActBar, SmallPictures, round, show_card};
use crate::{
    battle::Id,
    grid::Space,
    ui::{
        ActionPreview, Selection, Session,
        art::{hud::Panel, palette},
        board::MapView,
        codex::{prose, rule_link},
        input::Key,
        places::{ListPlace, MenuPlace},
        preview::{Menu, MenuRow, Picks, Slider},
        selection::Command,
        theme::{self, TextStyle, faded, one_line, text},
        widgets::{
            Filled, Hint, NodeExt, SendOnPress, SpawnWith, Tip, bar, button, column, hint,
            key_button, list_node, refill, rigid, row, rule, spacer,
        },
    },
};
use bevy::{prelude::*, ui::UiGlobalTransform, ui_widgets::ScrollArea, window::PrimaryWindow};

pub(super) fn refresh(
    preview: Res<ActionPreview>,
    (over_board, beside): (
        Single<Entity, With<MenuPlace>>,
        Single<Entity, With<ListPlace>>,
    ),
    (mut number_shown, mut list_shown): (Local<Filled<Option<Menu>>>, Local<Filled<Option<Menu>>>),
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let number = preview.menu.clone().filter(|menu| menu.slider.is_some());
    let show_number = |card: &mut ChildSpawnerCommands, menu: &Menu| show(card, &mut icons, menu);
    let now = (*over_board, number);
    let size = (460.0, 98.0);
    show_card(&mut commands, now, &mut number_shown, size, show_number);
    let list = preview.menu.clone().filter(Menu::is_list);
    let now = (*beside, list);
    refill(&mut commands, now, &mut list_shown, |place, menu| {
        if let Some(menu) = menu {
            show(place, &mut icons, menu);
        }
    });
}

/// How bad it is to cover the acting unit, a target of the action, any other unit, and the party
/// cards.
pub const ACTING: u32 = 100;
const TARGET: u32 = 20;
pub const OTHER: u32 = 3;
const PARTY: u32 = 2;

/// How bad a place for a card is, from what it covers.
pub fn cost(card: Rect, obstacles: &[(Rect, u32)]) -> u32 {
    let covered = obstacles
        .iter()
        .filter(|obstacle| !obstacle.0.intersect(card).is_empty());
    covered.map(|obstacle| obstacle.1).sum()
}

/// A place for a card over the board: from top to bottom, and from left to right.
pub(super) type CardPlace = (JustifyContent, AlignItems);

/// What a card of this size covers at a place of the room.
pub(super) fn card_at((at, along): CardPlace, room: Rect, size: Vec2) -> Rect {
    let y = match at {
        JustifyContent::Start => room.min.y,
        JustifyContent::Center => room.center().y - size.y / 2.0,
        _ => room.max.y - size.y,
    };
    let x = match along {
        AlignItems::Start => room.min.x,
        AlignItems::End => room.max.x - size.x,
        _ => room.center().x - size.x / 2.0,
    };
    let corner = Vec2::new(x, y);
    Rect::from_corners(corner, corner + size)
}

/// Places the card clear of the acting unit and its targets, where it covers the fewest of the
/// other units. It may extend below the board over the action bar, which is not needed until a
/// choice is made.
pub(super) fn step_aside(
    session: Res<Session>,
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    view: Res<MapView>,
    window: Query<&Window, With<PrimaryWindow>>,
    place: Single<(&mut Node, &Children), With<MenuPlace>>,
    cards: Query<&ComputedNode>,
    acts: Query<(&ComputedNode, &UiGlobalTransform), With<ActBar>>,
) {
    if preview
        .menu
        .as_ref()
        .is_none_or(|menu| menu.slider.is_none())
    {
        return;
    }
    let (mut node, children) = place.into_inner();
    let Some(card) = children.first().and_then(|&card| cards.get(card).ok()) else {
        return;
    };
    let shown = session.shown();
    let acting = session.asked_member().or(selection.chosen);
    let weight = |id: Id| match preview.targets.contains(&id) {
        _ if acting == Some(id) => ACTING,
        true => TARGET,
        false => OTHER,
    };
    let units = shown.units.iter().filter(|p| p.is_up());
    let units = units.map(|p| (view.rect(p.space()), weight(p.id)));
    let cells = preview.places.iter();
    let cells = cells.map(|&cell| (view.rect(Space::one(cell)), TARGET));
    let obstacles: Vec<(Rect, u32)> = units.chain(cells).collect();
    let (room, size) = (view.area(), card.size());
    // How far it may extend below the board, in pixels.
    let below = match window.single() {
        Ok(window) => {
            window.physical_height() as f32 - theme::GAP * view.layout_scale() - room.max.y
        }
        Err(_) => 0.0,
    };
    // Not over the party cards: when the card closes, the pointer would be on one of them.
    let bar = acts.iter().next().filter(|_| below > 0.0);
    let bar = bar.map(|(bar, place)| place.translation.x - bar.size().x / 2.0);
    let aside = bar.map_or(0.0, |bar| (bar - (room.max.x - size.x)).max(0.0));
    use AlignItems as Along;
    use JustifyContent as At;
    let hidden = |place: CardPlace| {
        let card = card_at(place, room, size);
        // Over the action bar rather than the party cards.
        let (pushed, more) = match place {
            (At::End, Along::End) => (Vec2::new(aside, below), 0),
            (At::End, _) => (Vec2::new(0.0, below), PARTY),
            _ => (Vec2::ZERO, 0),
        };
        cost(
            Rect::from_corners(card.min + pushed, card.max + pushed),
            &obstacles,
        ) + more
    };
    let places = [
        (At::End, Along::End),
        (At::Start, Along::Center),
        (At::End, Along::Start),
        (At::End, Along::Center),
        (At::Start, Along::Start),
        (At::Start, Along::End),
        (At::Center, Along::Start),
        (At::Center, Along::End),
    ];
    let best = places.into_iter().min_by_key(|&place| hidden(place));
    let Some((at, along)) = best else { return };
    let pushed = |pixels: f32, is_so: bool| match is_so {
        true => px((pixels / view.layout_scale()).round()),
        false => Val::Auto,
    };
    let wanted = Node {
        justify_content: at,
        align_items: along,
        bottom: pushed(-below, at == At::End),
        left: pushed(aside, (at, along) == (At::End, Along::End)),
        ..node.clone()
    };
    node.set_if_neq(wanted);
}

fn show(card: &mut ChildSpawnerCommands, icons: &mut SmallPictures, menu: &Menu) {
    card.spawn_with(rigid(row(8.0)), |top| {
        let title = text(menu.title.clone(), TextStyle::Heading, palette::INK);
        top.spawn((Node::default(), children![title]));
        top.spawn(spacer());
        rule_link(top, menu.rule);
    });
    card.spawn(rule());
    if let (Some(slider), [only]) = (&menu.slider, &menu.rows[..]) {
        if let Some(plan) = &menu.round {
            round::show_plan(card, icons, plan);
        }
        return number(card, slider, only);
    }
    let shared = shared(&menu.rows);
    card.lines(&shared, TextStyle::Body, palette::FADED_INK);
    let list = Node {
        min_height: px(0),
        // Space for the last row's shadow.
        padding: UiRect::bottom(px(3)),
        overflow: Overflow::scroll_y(),
        ..column(5.0)
    };
    card.spawn_with((list, ScrollArea), |list| {
        for (n, answer) in menu.rows.iter().enumerate() {
            line(list, (n, menu.rows.len()), answer, &shared);
        }
    });
    let words = (faded(""), Hint::new("{}: back", Key::Back));
    card.spawn((Node::default().margin_top(6.0), children![words]));
}

/// The lines that all rows of a list have, which are printed once above them. None if there is only
/// one row.
pub fn shared(rows: &[MenuRow]) -> Vec<String> {
    let [first, others @ ..] = rows else {
        return vec![];
    };
    let in_all = |line: &&String| others.iter().all(|row| row.lines.contains(line));
    let lines = first.lines.iter().filter(|_| !others.is_empty());
    lines.filter(in_all).cloned().collect()
}

/// A row: its label, its effect, its chance, its key. Its `shared` lines are above the list.
fn line(
    list: &mut ChildSpawnerCommands,
    (n, count): (usize, usize),
    answer: &MenuRow,
    shared: &[String],
) {
    let panel = match (&answer.picks, answer.is_pass) {
        (Picks::Nothing(_), _) => Panel::CardPale,
        (_, true) => Panel::Card,
        _ => Panel::CardLight,
    };
    let node = list_node(34.0, 8.0).padding(10.0, 4.0);
    let sends = SendOnPress(Command::Reply(n));
    list.spawn_with((button(panel, node), sends, answer.mentions()), |line| {
        let words = column(1.0).grow();
        line.group(words, |words| {
            words.spawn(text(answer.label.clone(), TextStyle::Strong, panel.text()));
            let own = answer.lines.iter().filter(|&of| !shared.contains(of));
            words.lines(own, TextStyle::Body, palette::FADED_INK);
            if let Picks::Nothing(why) = &answer.picks {
                prose(words, why, TextStyle::Small, palette::DANGER);
            }
        });
        chance(line, answer, TextStyle::Heading);
        let key = match (n, answer.is_pass) {
            (_, true) => Key::Back,
            (0, _) if count == 1 => Key::Confirm,
            (n @ ..=8, _) => Key::Member(n as u8),
            _ => return,
        };
        line.spawn(hint(key, palette::FADED_INK));
    });
}

/// The chance of a row, with its meaning if it is not the chance to hit.
pub(super) fn chance(line: &mut ChildSpawnerCommands, answer: &MenuRow, cut: TextStyle) {
    let Some(percent) = answer.percent else {
        return;
    };
    let number = one_line(format!("{percent}%"), cut, palette::TEAL);
    if !answer.is_drop_first {
        line.spawn(number);
        return;
    }
    line.group(rigid(column(0.0).align(AlignItems::End)), |both| {
        both.spawn(number);
        both.spawn((faded("to drop"), TextLayout::no_wrap()));
    });
}

/// A number with buttons to change it, and its effect.
fn number(card: &mut ChildSpawnerCommands, slider: &Slider, only: &MenuRow) {
    let big = slider.large_step();
    let numbers = rigid(row(8.0).justify(JustifyContent::Center));
    card.spawn_with(numbers, |line| {
        let less = if big > 1 { vec![-big, -1] } else { vec![-1] };
        for &by in &less {
            nudge(line, by);
        }
        line.spawn((
            Node::default()
                .min_width(px(86))
                .justify(JustifyContent::Center),
            children![text(slider.now.to_string(), TextStyle::Big, palette::INK)],
        ));
        for by in less.iter().rev() {
            nudge(line, -by);
        }
    });
    let share = (slider.now - slider.least) as f32 / (slider.most - slider.least).max(1) as f32;
    let range = rigid(row(8.0).margin_y(6.0));
    card.spawn_with(range, |line| {
        line.spawn(faded(slider.least.to_string()));
        line.spawn((
            column(0.0).grow(),
            children![bar(share, palette::TEAL, 9.0)],
        ));
        line.spawn(faded(slider.most.to_string()));
    });
    card.spawn_with(row(8.0), |line| {
        let words = column(1.0).grow();
        line.spawn_with(words, |words| {
            words.spawn(text(only.label.clone(), TextStyle::Strong, palette::INK));
            words.lines(&only.lines, TextStyle::Body, palette::FADED_INK);
        });
        chance(line, only, TextStyle::Big);
    });
    let foot = rigid(row(8.0).margin_top(8.0));
    card.spawn_with(foot, |foot| {
        foot.spawn((
            key_button("Confirm ({})", Key::Confirm, Panel::ButtonPrimary),
            SendOnPress(Command::Reply(0)),
            only.mentions(),
        ));
        foot.spawn((
            key_button("Back ({})", Key::Back, Panel::Button),
            SendOnPress(Command::Back),
        ));
        foot.spawn(spacer());
        foot.spawn(faded("Arrows: less, more"));
    });
}

fn nudge(line: &mut ChildSpawnerCommands, by: i32) {
    let node = Node::default().min_width(px(46)).min_height(px(34));
    // A large step goes to the next number that makes a difference.
    let (words, help) = match by {
        ..-1 => ("«".into(), "Down to the next useful number"),
        2.. => ("»".into(), "Up to the next useful number"),
        _ => (crate::battle::signed(by), "Change by 1"),
    };
    line.spawn((
        button(Panel::Button, node),
        SendOnPress(Command::Nudge(by)),
        Tip::text(help),
        children![text(words, TextStyle::Strong, palette::INK)],
    ));
}
