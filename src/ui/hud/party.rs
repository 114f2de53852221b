//! The party cards: one for each unit of the player's side.

use super::{ActBar, SmallPictures, board_width, round, track::InspectsUnit};
use crate::{
    battle::{CowStr, State, capitalised, numeral},
    ui::{
        Selection, Session,
        art::{
            hud::Panel,
            palette::{self, Rgb},
        },
        input::Key,
        pictures::SmallPicture,
        room::Room,
        scrollbars::InSight,
        selection::Command,
        shown::UnitView,
        theme::{TextStyle, one_line, resized_text, text},
        widgets::{
            Filled, NodeExt, SendOnPress, SpawnWith, Tip, bar, button, column, refill, rigid, row,
        },
    },
    words::{count, shortened},
};
use bevy::prelude::*;

#[derive(Component, Default)]
#[require(Node)]
pub struct PartyRow;

/// The content of a card.
#[derive(PartialEq, Clone)]
pub struct PartyModel {
    unit: UnitView,
    is_chosen: bool,
    /// Whether the unit has nothing left to do, as its token shows.
    is_done: bool,
    /// Index among all units of the side, which sets its number key.
    place: usize,
}

impl PartyModel {
    /// The panel of the card, and the ink on it.
    fn panel_and_ink(&self) -> (Panel, Rgb) {
        match (self.is_chosen, self.unit.is_up() && !self.is_done) {
            (true, _) => (Panel::CardActive, palette::INK),
            (_, true) => (Panel::Card, palette::INK),
            _ => (Panel::CardPale, palette::PALE_INK),
        }
    }

    /// The empty card, which is a button.
    fn button(&self, panel: Panel, node: Node) -> impl Bundle + use<> {
        let who = self.unit.id;
        let sends = SendOnPress(Command::Choose(who));
        (button(panel, node), sends, InspectsUnit(who), tip(self))
    }
}

/// Rebuilds the cards when a unit, the selection, the text size or the window has changed.
pub(super) fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    cards: Single<(Entity, &mut Node), With<PartyRow>>,
    room: Room,
    mut last: Local<Filled<(Vec<PartyModel>, PartyLayout)>>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let (cards, mut node) = cards.into_inner();
    let own = session.shown().members(session.player()).enumerate();
    let own = own.filter(|(_, p)| p.state != State::Waiting);
    let models: Vec<PartyModel> = own
        .map(|(place, p)| {
            let selected = session.asked_member().or(selection.chosen);
            let is_chosen = selected == Some(p.id) && p.is_up();
            let mut unit = p.clone();
            let has_passed = p.is_up() && session.has_passed(p.id);
            let declared = session.only_declared(p.id);
            if let Some(declared) = declared.filter(|_| !p.plan.is_empty()) {
                unit.plan = session.in_short(&declared).into();
            }
            if has_passed {
                unit.plan = "done".into();
            }
            if let Some(choice) = session.game.chosen(p.id) {
                let action = session.order_text(choice);
                let passes = session.queries.rules.planning.done.contains(&choice.verb);
                let has_acted = p.pips.first().is_some_and(|pip| pip.spent);
                let plan = match (passes, has_acted) {
                    (true, true) => String::from("has acted"),
                    (true, false) => String::from("passes"),
                    (false, _) => format!("will {action}"),
                };
                (unit.plan, unit.done) = (plan.into(), true);
            }
            if let Some(held) = session.held().filter(|held| held.who() == p.id) {
                let plan = match held.plan.is_aimed {
                    true => session.in_shortest(held),
                    false => session.in_short(held),
                };
                (unit.plan, unit.done) = (plan.into(), true);
            }
            if !p.plan.is_empty() && !has_passed {
                unit.plan = session.plan_text(&unit);
            }
            PartyModel {
                unit,
                is_chosen,
                is_done: session.is_done(p),
                place,
            }
        })
        .collect();
    let scale = room.text();
    let layout = PartyLayout::of(models.len(), board_width(room.size().x, scale), scale);
    let letters = |model: &PartyModel| model.unit.name.chars().count();
    let longest = models.iter().map(letters).max().unwrap_or_default();
    let now = (cards, (models, layout));
    let is_new = refill(&mut commands, now, &mut last, |cards, (models, _)| {
        for model in models {
            match layout.is_small {
                true => small_card(cards, &mut icons, model, layout),
                false => card(cards, &mut icons, model, (layout, longest)),
            }
        }
    });
    // Its scroll bar sets the node too.
    if is_new {
        node.set_if_neq(layout.row());
    }
}

/// Largest share of the board's width for the cards.
const SHARE: f32 = 0.451;
/// Gaps in layout pixels: between cards, and between rows of small cards.
const GAP: (f32, f32) = (8.0, 4.0);
/// Width of a card in layout pixels: the least and the greatest at the standard text size. If the
/// least width does not fit, all cards are small.
const WIDTH: (f32, f32) = (75.0, 126.0);
/// The most by which larger text widens the narrowest card.
const WIDENED: f32 = 1.12;
/// Least width of a small card at the standard text size, in layout pixels.
const SMALL: f32 = 88.0;
/// Visible rows of small cards; the rest scrolls.
const ROWS: f32 = 3.0;
/// Width of the scroll bar beside small cards, in layout pixels.
const SCROLL_BAR: f32 = 12.0;

/// Layout of the cards, in layout pixels.
#[derive(Clone, Copy, PartialEq)]
pub struct PartyLayout {
    /// Width of the whole row.
    all: f32,
    /// Width of a card.
    width: f32,
    is_small: bool,
    /// Text size relative to the standard.
    scale: f32,
}

impl PartyLayout {
    /// The layout of `cards` cards under a board that is `board` layout pixels wide. More than half
    /// of the width is left for the action bar.
    fn of(cards: usize, board: f32, scale: f32) -> Self {
        let most = board * SHARE;
        let width = (most.min(532.0 * scale) / cards.max(1) as f32 - GAP.0).min(WIDTH.1 * scale);
        if width >= WIDTH.0 * scale.clamp(1.0, WIDENED) {
            let all = cards as f32 * (width + GAP.0) - GAP.0;
            return Self {
                all,
                width,
                is_small: false,
                scale,
            };
        }
        let columns = ((most - SCROLL_BAR) / (SMALL * scale + GAP.0))
            .floor()
            .max(1.0);
        Self {
            all: most,
            width: (most - SCROLL_BAR) / columns - GAP.0,
            is_small: true,
            scale,
        }
    }

    /// Whether a card has space for more than the essentials.
    fn is_wide(self) -> bool {
        self.width >= 120.0 * self.scale
    }

    /// The node of the row.
    fn row(self) -> Node {
        let plain = rigid(Node::default().width(px(self.all)).column_gap(GAP.0));
        match self.is_small {
            true => Node {
                max_height: px(ActBar::HEIGHT),
                row_gap: px(GAP.1),
                flex_wrap: FlexWrap::Wrap,
                align_content: AlignContent::Start,
                overflow: Overflow::scroll_y(),
                ..plain
            },
            false => plain,
        }
    }
}

/// Line height of small text at the standard size, in layout pixels: two lines must not show a part
/// of a third.
const LINE: f32 = 15.6;
/// Estimated width of a letter of a name in layout pixels: in large type, in small type.
const OF_NAME: (f32, f32) = (8.1, 7.1);

/// How the names on cards of one width are shown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NameType {
    /// The style, and the factor of its type.
    pub cut: (TextStyle, f32),
    /// Whether the portrait fits beside the name.
    pub has_face: bool,
    /// The most letters that fit.
    most: usize,
}

impl NameType {
    /// The type for a name of this many letters. On a narrow card first the type gets smaller, then
    /// enlarged type shrinks down to the standard size, then the portrait is dropped. `width` and
    /// `face` are in layout pixels; `scale` is the text scale.
    pub fn of(letters: usize, width: f32, face: f32, scale: f32) -> Self {
        let letters = letters.max(1) as f32;
        let room = width - 20.0;
        let shrunk = |room: f32| (room / (letters * scale * OF_NAME.1)).min(1.0);
        let least = 1.0 / scale.max(1.0);
        let (style, factor, has_face) = if letters * scale * OF_NAME.0 <= room - face {
            (TextStyle::Strong, 1.0, true)
        } else if shrunk(room - face) >= least {
            (TextStyle::Label, shrunk(room - face), true)
        } else {
            (TextStyle::Label, shrunk(room).max(least), false)
        };
        Self {
            cut: (style, factor),
            has_face,
            // A little is added, because a name that fits exactly must not lose a letter by rounding.
            most: (room / (OF_NAME.1 * scale * factor) + 0.01) as usize,
        }
    }

    /// A name, shortened if it is too long.
    pub fn shown(self, name: &str) -> String {
        shortened(name, self.most)
    }
}

/// Spawns a card: portrait, name, plan or title, health, and actions left. The `longest` name of the
/// row, in letters, sets the type of all, so that the cards look alike.
fn card(
    cards: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    model: &PartyModel,
    (layout, longest): (PartyLayout, usize),
) {
    let (width, is_wide, scale) = (layout.width, layout.is_wide(), layout.scale);
    let unit = &model.unit;
    let (panel, ink) = model.panel_and_ink();
    let node = Node {
        width: px(width),
        min_height: px(ActBar::HEIGHT),
        // The round bar needs some of the padding's space.
        padding: UiRect::axes(px(8), px(if unit.round.is_some() { 4 } else { 6 })),
        ..column(0.0)
    };
    cards.spawn_with(model.button(panel, node), |card| {
        // A narrow card leaves more space for the name.
        let (side, space) = if is_wide { (26.0, 7.0) } else { (20.0, 3.0) };
        let names = NameType::of(longest, width, side + space, scale);
        let name = names.shown(&unit.name);
        let top = row(space).width(percent(100));
        card.group(top, |top| {
            if names.has_face {
                top.spawn(icons.portrait(unit, side));
            }
            let place = column(0.0).min_width(px(0)).clip_x();
            top.spawn((
                place,
                Pickable::IGNORE,
                children![(resized_text(name, names.cut, ink), TextLayout::no_wrap())],
            ));
        });
        // A declared plan matters more than the title. The tooltip has the full text: a card that
        // grew would move the board.
        let lines = if unit.round.is_some() { 1.0 } else { 2.0 };
        let plan_area = Node {
            width: percent(100),
            height: px(lines * LINE * scale),
            overflow: Overflow::clip_y(),
            justify_content: JustifyContent::SpaceBetween,
            ..default()
        };
        let badges = unit.conditions.iter().take(3).filter(|_| unit.is_up());
        let badges: Vec<SmallPicture> = badges.map(|c| SmallPicture::Badge(c.badge)).collect();
        let columns = badges.len().div_ceil(lines as usize);
        // A portrait without space beside the name takes the place of the title.
        let has_low_face = !names.has_face && unit.plan.is_empty() && lines > 1.0;
        let (words, ink) = match unit.plan.is_empty() {
            _ if has_low_face => (String::new(), palette::FADED_INK),
            true => (unit.title.clone(), palette::FADED_INK),
            false => (capitalised(&unit.plan), palette::TEAL),
        };
        let (style, room) = (TextStyle::Small, width - 20.0 - columns as f32 * BADGE);
        let own_scale = style.fitting_scale(&words, room, scale);
        let words = style.wrapped(&words, room / own_scale, lines as usize);
        let words = resized_text(words, (style, own_scale / scale), ink);
        card.group(plan_area, |area| {
            match has_low_face {
                true => area.spawn(icons.portrait(unit, (lines * LINE * scale).min(LOW_FACE))),
                false => area.spawn(words),
            };
            let stack = Node {
                width: px(columns as f32 * BADGE),
                height: percent(100),
                flex_shrink: 0.0,
                flex_wrap: FlexWrap::Wrap,
                ..column(0.0)
            };
            area.group(stack, |stack| {
                for badge in badges {
                    stack.spawn(icons.square(badge, BADGE));
                }
            });
        });
        let line = row(6.0).width(percent(100)).margin_top(4.0);
        card.group(line, |line| {
            let grow = column(0.0).grow();
            line.spawn((grow, Pickable::IGNORE, children![health(unit, true, 9.0)]));
            let words = format!("{}/{}", numeral(unit.hp), unit.max_hp);
            line.spawn(text(words, TextStyle::Small, ink));
        });
        if let Some(plan) = &unit.round {
            let gap = Node::default().width(percent(100)).margin_top(3.0);
            card.group(gap, |line| round::bar(line, icons, plan, 14.0));
        }
        let foot = row(FOOT_GAP).width(percent(100)).grow().clip_x();
        card.group(foot, |foot| foot_line(foot, icons, unit, layout));
    });
}

/// Spawns a small card: portrait, name, health, and a symbol for each action, or why the unit is out of
/// the fight. The tooltip has the rest.
fn small_card(
    cards: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    model: &PartyModel,
    layout: PartyLayout,
) {
    let unit = &model.unit;
    let (panel, ink) = model.panel_and_ink();
    let node = row(SMALL_GAP)
        .size(layout.width, (ActBar::HEIGHT - GAP.1 * (ROWS - 1.0)) / ROWS)
        .padding(4.0, 1.0)
        .clipped();
    let letters = unit.name.chars().count();
    let room = layout.width - SMALL_FACE - SMALL_GAP + 4.0;
    let names = NameType::of(letters, room, 0.0, layout.scale);
    let mut card = cards.spawn(model.button(panel, node));
    card.with_children(|card| {
        card.spawn(icons.portrait(unit, SMALL_FACE));
        let lines = column(1.0)
            .align(AlignItems::Stretch)
            .min_width(px(0))
            .grow();
        card.group(lines, |lines| {
            let name = resized_text(names.shown(&unit.name), names.cut, ink);
            lines.spawn((name, TextLayout::no_wrap()));
            if !unit.is_up() {
                lines.spawn(one_line(
                    out_words(unit, false),
                    TextStyle::Small,
                    palette::DANGER,
                ));
                return;
            }
            lines.group(row(3.0), |line| {
                let grow = column(0.0).grow();
                line.spawn((grow, Pickable::IGNORE, children![health(unit, true, 7.0)]));
                for action in &unit.pips {
                    let pip = SmallPicture::Pip(action.pip, action.spent);
                    line.spawn(icons.square(pip, SMALL_PIP));
                }
            });
        });
    });
    if model.is_chosen {
        card.insert(InSight::default());
    }
}

/// A bar of the unit's hit points, `height` layout pixels high. As on its token, the colour shows
/// only whether it is the player's: the length shows how hurt it is.
pub fn health(unit: &UnitView, is_own: bool, height: f32) -> impl Bundle {
    let share = unit.hp as f32 / unit.max_hp.max(1) as f32;
    let fill = match is_own {
        true => palette::HEALTH,
        false => palette::HEALTH_ENEMY,
    };
    bar(share, fill, height)
}

/// Largest side of a portrait below the name, in layout pixels.
const LOW_FACE: f32 = 30.0;
/// Side of the portrait of a small card, and the gap beside it, in layout pixels.
const SMALL_FACE: f32 = 24.0;
const SMALL_GAP: f32 = 4.0;
/// Side of the symbol of an action in layout pixels: on a card, and on a small card.
const PIP: f32 = 11.0;
const SMALL_PIP: f32 = 9.0;
/// Side of the badge of a condition, in layout pixels: no higher than a line of small text.
const BADGE: f32 = 15.0;
/// Gap in the last line of a card, in layout pixels.
const FOOT_GAP: f32 = 4.0;

/// How it stands with a unit that is out of the fight: "dies in 3 rounds", "left the battle", or
/// "dies: 3", "left" without room.
pub fn out_words(unit: &UnitView, is_wide: bool) -> CowStr {
    match (unit.state, unit.dying) {
        (State::Fled, _) if is_wide => "left the battle".into(),
        (State::Fled, _) => "left".into(),
        (State::Dead, _) => "dead".into(),
        (_, Some(rounds)) if is_wide => format!("dies in {}", count(rounds.into(), "round")).into(),
        (_, Some(rounds)) => format!("dies: {rounds}").into(),
        (_, None) => "down".into(),
    }
}

/// Spawns the last line of a card: actions left, or why the unit has none. The words of actions
/// without room for them are left out, those of spent actions first.
fn foot_line(
    foot: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    unit: &UnitView,
    layout: PartyLayout,
) {
    if !unit.is_up() {
        let words = out_words(unit, layout.is_wide());
        foot.spawn(one_line(words, TextStyle::Small, palette::DANGER));
        return;
    }
    let more = if layout.is_wide() { " left" } else { "" };
    let left = unit.left.map(|left| format!("{left}%{more}"));
    let wide = |words: &str| TextStyle::Small.width(words) * layout.scale + FOOT_GAP;
    let taken = unit.pips.len() as f32 * (PIP + FOOT_GAP) + left.as_deref().map_or(0.0, wide);
    let fits = |spent: bool| {
        let named = unit.pips.iter().filter(|p| spent || !p.spent);
        taken + named.map(|p| wide(p.word)).sum::<f32>() <= layout.width - 20.0
    };
    let (all_fit, left_fit) = (fits(true), fits(false));
    for action in &unit.pips {
        let ink = if action.spent {
            palette::PALE_INK
        } else {
            palette::INK
        };
        foot.spawn(icons.square(SmallPicture::Pip(action.pip, action.spent), PIP));
        if all_fit || left_fit && !action.spent {
            foot.spawn(one_line(action.word, TextStyle::Small, ink));
        }
    }
    if let Some(left) = left {
        // A second line would move the board.
        foot.spawn(one_line(left, TextStyle::Small, palette::INK));
    }
}

/// The tooltip of a card; empty for a unit that is down.
fn tip(PartyModel { unit, place, .. }: &PartyModel) -> Tip {
    if !unit.is_up() {
        return Tip::default();
    }
    let heading = format!("Select {}", unit.name);
    let left = unit.pips.iter().filter(|p| !p.spent);
    let left: Vec<&str> = left.map(|p| p.word).collect();
    let left = match (unit.left, left.is_empty()) {
        (Some(percent), _) => Some(format!("{percent}% of the round left")),
        (None, true) if unit.pips.is_empty() => None,
        (None, true) => Some(String::from("No actions left")),
        (None, false) => Some(format!("Left: {}", left.join(", "))),
    };
    let tip = Tip::text(heading).key(Key::Member(*place as u8));
    let tip = left.into_iter().fold(tip, Tip::small);
    let parts = unit.round.iter().flat_map(|round| &round.parts);
    let tip = parts.fold(tip, |tip, part| {
        let words = format!("{}: {}", part.what, part.comes);
        tip.line(words, TextStyle::Small, palette::TEAL)
    });
    let plan = Some(&unit.plan).filter(|p| !p.is_empty() && unit.round.is_none());
    let tip = plan.into_iter().fold(tip, |tip, plan| {
        tip.line(capitalised(plan), TextStyle::Small, palette::TEAL)
    });
    let more = unit.bars.iter().skip(1).fold(tip, |tip, bar| {
        tip.small(format!("{} {} of {}", bar.word, numeral(bar.now), bar.most))
    });
    unit.conditions.iter().fold(more, |tip, condition| {
        let ink = super::inspect::tone(condition.badge.tone);
        tip.line(condition.words.clone(), TextStyle::Small, ink)
    })
}
