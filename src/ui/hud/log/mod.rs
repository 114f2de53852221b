//! The log: sentences that open to show their dice.
//!
//! - `entries`: events as sentences
//! - this file: their look, filters, copying

mod entries;

use super::{SmallPictures, plan_list};
use crate::{
    battle::{Id, Rule},
    ui::{
        Phase, Screen, Selection, Session,
        art::{
            hud::Panel,
            palette,
            tokens::{Chip, ChipState},
        },
        auto_reactions::AutoAnswers,
        codex::rule_link,
        modal,
        pictures::SmallPicture,
        scrollbars::{faded_edge, scroll_by_page, to_reveal},
        shown::UnitView,
        theme::{TextStyle, colour, text},
        tokens,
        widgets::{
            Filled, NodeExt, SpawnWith, Tip, button, column, fill_width, refill, rigid, row, rule,
            scrolling_column, show_if, words_row, wrapping_row,
        },
    },
};
use bevy::{
    clipboard::Clipboard,
    prelude::*,
    ui::UiGlobalTransform,
    ui_widgets::{Activate, Button, ScrollArea},
};
pub use entries::Topic;
use entries::{LogEntries, LogEntry};
use std::collections::HashSet;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<LogFilter>();
    app.add_observer(press);
    let changed = || {
        resource_exists_and_changed::<Session>
            .or_else(resource_changed::<LogFilter>)
            .or_else(resource_changed::<AutoAnswers>)
            .or_else(resource_changed::<Selection>)
    };
    app.add_systems(OnEnter(Screen::Battle), |mut journal: ResMut<LogFilter>| {
        journal.open.clear();
        (journal.who, journal.choosing) = (None, false);
    });
    app.add_systems(
        Update,
        (
            scroll_by_page::<LogCard>
                .in_set(Phase::Input)
                .run_if(modal::is_clear),
            ((tools, refresh).run_if(changed()), scroll)
                .chain()
                .in_set(Phase::Draw),
        )
            .run_if(in_state(Screen::Battle)),
    );
}

/// The filters of the log and its open entries.
#[derive(Resource, Debug, Default)]
pub struct LogFilter {
    /// Show only this topic.
    pub topic: Option<Topic>,
    /// Show only this unit.
    pub who: Option<Id>,
    /// Whether the portraits to choose `who` from are shown.
    choosing: bool,
    /// Whether every entry is open.
    pub dice: bool,
    /// Open entries, by index of their first event; with `dice`, the closed ones.
    open: HashSet<usize>,
}

impl LogFilter {
    fn shows(&self, entry: &LogEntry) -> bool {
        if entry.topic == Topic::Heading {
            return true;
        }
        self.topic.is_none_or(|topic| topic == entry.topic)
            && self.who.is_none_or(|who| entry.who & who.bit() != 0)
    }

    fn is_open(&self, entry: &LogEntry) -> bool {
        self.open.contains(&entry.from) != self.dice
    }
}

#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogButton {
    Topic(Option<Topic>),
    /// Choose whose entries are shown.
    Who,
    /// Show only this unit, or with `None` all units.
    Of(Option<Id>),
    Dice,
    Copy,
    /// Open or close the entry with this first event.
    Line(usize),
    /// Scroll to the newest line.
    Newest,
}

fn press(
    on: On<Activate>,
    buttons: Query<&LogButton>,
    mut journal: ResMut<LogFilter>,
    mut log: Query<(&LogCard, &mut ScrollPosition, &mut Follows)>,
    clipboard: Option<ResMut<Clipboard>>,
    mut selection: ResMut<Selection>,
) {
    let Ok(button) = buttons.get(on.entity) else {
        return;
    };
    match *button {
        LogButton::Topic(topic) => journal.topic = topic,
        LogButton::Who => journal.choosing = !journal.choosing,
        LogButton::Of(who) => (journal.who, journal.choosing) = (who, false),
        LogButton::Dice => {
            journal.dice = !journal.dice;
            journal.open.clear();
        }
        LogButton::Line(from) => {
            if !journal.open.remove(&from) {
                journal.open.insert(from);
            }
            log.iter_mut()
                .for_each(|(log, at, mut follows)| follows.hold(from, log.last(), at.y));
        }
        LogButton::Copy => {
            let Ok((log, ..)) = log.single() else { return };
            let words = log.plain(&journal);
            let done = clipboard.is_some_and(|mut c| c.set_text(words).is_ok());
            selection.show_toast(match done {
                true => "Log copied.",
                false => "Can't copy the log: no clipboard.",
            });
        }
        // The layout clamps it to the end.
        LogButton::Newest => log.iter_mut().for_each(|(_, mut at, mut follows)| {
            (at.y, follows.held) = (f32::MAX, None);
        }),
    }
}

/// The lines of the log, scrollable.
#[derive(Component, Default)]
#[require(Follows)]
pub struct LogCard {
    /// The epoch of the display world; `None` before the first.
    epoch: Option<u32>,
    all: LogEntries,
    /// The entries on screen, with their nodes.
    shown: Vec<(Shown, Entity)>,
}

/// An entry as shown.
#[derive(Clone)]
struct Shown {
    entry: LogEntry,
    is_open: bool,
    /// Whether it is about one of the player's units.
    is_own: bool,
    /// The token of its unit, on the first of several lines in a row about the same unit.
    token: Option<SmallPicture>,
}

impl Shown {
    fn looks_like(&self, other: &Self) -> bool {
        (self.is_open, self.is_own, self.token) == (other.is_open, other.is_own, other.token)
            && self.entry.looks_like(&other.entry, self.is_open)
    }
}

impl LogCard {
    /// First event of the last line on screen.
    fn last(&self) -> Option<usize> {
        self.shown.last().map(|(line, _)| line.entry.from)
    }

    /// The shown entries as plain text.
    pub fn plain(&self, journal: &LogFilter) -> String {
        let mut out = String::new();
        for entry in self.all.entries.iter().filter(|e| journal.shows(e)) {
            out += &entry.sentence();
            if entry.topic != Topic::Heading {
                out += &format!(" [{}]", entry.rule);
            }
            out.push('\n');
            if journal.is_open(entry) {
                for (line, rule) in &entry.details {
                    out += &format!("    {line} [{rule}]\n");
                }
            }
        }
        out
    }
}

/// Keeps the end of the log in view unless the player has scrolled up.
#[derive(Component, Default)]
pub struct Follows {
    /// Height of the content and of the visible part for the current scroll position.
    seen: (f32, f32),
    /// The scroll position of the last frame.
    at: f32,
    /// First event of the last line that was visible at the end.
    read: Option<usize>,
    /// The scroll position stays at this line until there is a new one or the player scrolls.
    held: Option<Held>,
}

/// A line that the player opened or closed.
struct Held {
    /// Its first event.
    from: usize,
    /// First event of the last line at that time.
    last: Option<usize>,
    /// Whether the end of the log was in view before.
    was_at_end: bool,
    /// Frames for which it is scrolled into view, until its layout is final.
    frames: u8,
}

impl Follows {
    fn hold(&mut self, from: usize, last: Option<usize>, at: f32) {
        let follows = self.held.as_ref().is_some_and(|held| held.was_at_end);
        self.held = Some(Held {
            from,
            last,
            was_at_end: follows || self.is_at_end(at),
            frames: 4,
        });
    }

    fn is_at_end(&self, at: f32) -> bool {
        at >= end(self.seen) - 4.0
    }
}

/// The last scroll position, for the height of the content and of the visible part.
fn end((content, height): (f32, f32)) -> f32 {
    (content - height).max(0.0)
}

/// The button that says there are newer lines below.
#[derive(Component)]
pub struct MoreBelow;

/// Side of a token beside a line, in layout pixels.
const TOKEN: f32 = 18.0;
/// Most entries shown; nobody scrolls back further.
const LONGEST: usize = 400;

fn refresh(
    session: Option<Res<Session>>,
    journal: Res<LogFilter>,
    auto_answers: Res<AutoAnswers>,
    log: Single<(Entity, &mut LogCard)>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let Some(session) = session else { return };
    let (entity, mut log) = log.into_inner();
    let log = &mut *log;
    let epoch = session.shown().epoch;
    if log.epoch != Some(epoch) {
        (log.epoch, log.all) = (Some(epoch), LogEntries::of(session.game.level()));
    }
    let all = session.known_events().count();
    let answers = &auto_answers.answers;
    let known = answers.iter().take_while(|note| note.at <= all).count();
    log.all.go_on(
        session.known_events(),
        &answers[..known],
        &auto_answers.unasked,
        session.queries.ruleset_ui,
        (session.game.names(), session.how_lost()),
    );
    let all = log.all.entries.iter().filter(|e| journal.shows(e));
    let mut now: Vec<Shown> = all
        .rev()
        .take(LONGEST)
        .map(|entry| Shown {
            entry: entry.clone(),
            is_open: journal.is_open(entry),
            is_own: entry
                .unit()
                .is_some_and(|id| session.shown().unit(id).side == session.player()),
            token: None,
        })
        .collect();
    now.reverse();
    let mut above = None;
    for shown in &mut now {
        let unit = shown.entry.unit();
        // Lines from before a unit fell keep their look.
        let token = |id| {
            SmallPicture::Chip(Chip {
                state: ChipState::Ready,
                ..tokens::chip(session.shown().unit(id), false)
            })
        };
        shown.token = unit.filter(|_| unit != above).map(token);
        above = unit;
    }
    // Usually one line is added at the end or dropped at the start, so the others are not laid out
    // again.
    let first = now.first().map(|s| s.entry.from);
    let mut old = log.shown.iter();
    let stale = old.position(|(s, _)| Some(s.entry.from) == first);
    let stale = stale.unwrap_or(log.shown.len());
    let mut drop = |old: Vec<(Shown, Entity)>| {
        old.iter().for_each(|(_, e)| commands.entity(*e).despawn());
    };
    drop(log.shown.drain(..stale).collect());
    let both = std::iter::zip(&log.shown, &now);
    let same = both
        .take_while(|((old, _), new)| old.looks_like(new))
        .count();
    drop(log.shown.drain(same..).collect());
    commands.entity(entity).with_children(|list| {
        for fresh in now.drain(same..) {
            let token = fresh.token.map(|token| icons.get(token, TOKEN));
            let node = line(list, &fresh, token);
            log.shown.push((fresh, node));
        }
    });
}

/// Spawns a line, with the picture of its token.
fn line(log: &mut ChildSpawnerCommands, shown: &Shown, token: Option<Handle<Image>>) -> Entity {
    let Shown {
        entry,
        is_open,
        is_own,
        ..
    } = shown;
    let is_heading = entry.topic == Topic::Heading;
    let node = rigid(column(0.0).margin_top(if is_heading { 6.0 } else { 0.0 }));
    let mut whole = log.spawn((node, Pickable::IGNORE));
    whole.with_children(|whole| {
        if is_heading {
            whole.spawn(text(entry.text.clone(), TextStyle::Strong, palette::INK));
            return;
        }
        // Not by baseline: that of a text with several lines is below the last one.
        let head = Node {
            align_items: AlignItems::FlexStart,
            padding: UiRect::left(px(TOKEN + 4.0)),
            ..row(6.0)
        };
        let mut head = whole.spawn((head, entry.mentions()));
        if let Some(token) = token {
            let node = Node::default().at(0.0, 2.0).size(TOKEN, TOKEN);
            head.with_child((ImageNode::new(token), node, Pickable::IGNORE));
        }
        if !entry.details.is_empty() {
            head.insert((Button, LogButton::Line(entry.from)));
        }
        head.with_children(|head| {
            let marker = match (entry.details.is_empty(), is_open) {
                (true, _) => "",
                (_, true) => "−",
                (_, false) => "+",
            };
            let place = beside_first_line().width(px(9));
            let marker = text(marker, TextStyle::Label, palette::TEAL);
            head.spawn((place, Pickable::IGNORE, children![marker]));
            // What an enemy loses is good news.
            let ink = match (entry.is_grave, is_own) {
                (true, true) => palette::DANGER,
                (true, false) => palette::TEAL,
                (false, _) => palette::INK,
            };
            sentence(head, &entry.sentence(), TextStyle::Body, ink);
            link(head, entry.rule);
        });
        for (words, rule) in entry.details.iter().filter(|_| *is_open) {
            let node = Node {
                align_items: AlignItems::FlexStart,
                margin: UiRect::left(px(TOKEN + 4.0)),
                ..row(6.0)
            };
            whole.group(node, |line| {
                sentence(line, words, TextStyle::Body, palette::FADED_INK);
                link(line, rule);
            });
        }
    });
    whole.id()
}

/// A link to a rule; none for GR-00, which is not in the codex.
fn link(line: &mut ChildSpawnerCommands, rule: Rule) {
    if rule != "GR-00" {
        line.group(beside_first_line(), |place| rule_link(place, rule));
    }
}

/// A place for small text beside the first line of a sentence, on the same baseline.
fn beside_first_line() -> Node {
    rigid(Node::default().margin_top(2.0))
}

fn sentence(line: &mut ChildSpawnerCommands, words: &str, cut: TextStyle, ink: palette::Rgb) {
    let words = children![text(words, cut, ink)];
    line.spawn((fill_width(default()), Pickable::IGNORE, words));
}

/// The upper edge of a scrolled log, at which a line that is cut off fades.
#[derive(Component)]
pub struct FadedTop;

fn faded_top() -> impl Bundle {
    let node = Node {
        top: px(0),
        display: Display::None,
        ..default()
    };
    (FadedTop, faded_edge(Panel::Card, node))
}

/// Spawns the log with its header.
pub fn log(card: &mut ChildSpawnerCommands) {
    card.spawn((LogTools, column(4.0), Pickable::IGNORE));
    card.spawn(rule());
    card.spawn((LogCard::default(), ScrollArea, scrolling_column(2.0)))
        .with_child(faded_top());
    let node = Node {
        position_type: PositionType::Absolute,
        bottom: px(6),
        right: px(24),
        padding: UiRect::axes(px(10), px(1)),
        display: Display::None,
        ..default()
    };
    let words = text("More below", TextStyle::Label, Panel::ButtonPrimary.text());
    card.spawn((
        button(Panel::ButtonPrimary, node),
        MoreBelow,
        LogButton::Newest,
        children![words],
    ));
}

/// The header of the log.
#[derive(Component, Default)]
pub struct LogTools;

#[derive(PartialEq)]
struct Tools {
    topic: Option<Topic>,
    who: Option<(Id, String)>,
    portraits: Vec<(Id, String, SmallPicture)>,
    dice: bool,
    /// Whether the list of orders could be here.
    hides_orders: bool,
}

fn tools(
    session: Option<Res<Session>>,
    selection: Res<Selection>,
    journal: Res<LogFilter>,
    head: Single<Entity, With<LogTools>>,
    mut shown: Local<Filled<Tools>>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let Some(session) = session else { return };
    let units = session.shown().units.iter();
    let units = units.filter(|p| journal.choosing && p.is_there());
    let portrait = |unit: &UnitView| {
        let chip = SmallPicture::Chip(tokens::chip(unit, false));
        (unit.id, unit.name.clone(), chip)
    };
    let now = Tools {
        topic: journal.topic,
        who: journal
            .who
            .map(|id| (id, session.shown().unit(id).name.clone())),
        portraits: units.map(portrait).collect(),
        dice: journal.dice,
        hides_orders: selection.shows_log && session.is_declaring(),
    };
    refill(&mut commands, (*head, now), &mut shown, |head, now| {
        head.group(words_row(4.0), |line| {
            line.spawn(text("Log", TextStyle::Strong, palette::INK));
            if now.hides_orders {
                plan_list::show_closed(line);
            }
            let topics = [
                ("all", None, "Show everything"),
                (
                    "attacks",
                    Some(Topic::Attack),
                    "Show attacks and wounds only",
                ),
                ("moves", Some(Topic::Move), "Show moves only"),
                (
                    "rules",
                    Some(Topic::Rule),
                    "Show checks, spells and the rest only",
                ),
            ];
            for (words, topic, tip) in topics {
                let is_on = now.topic == topic;
                word(line, words, is_on, tip, LogButton::Topic(topic));
            }
            let who = now.who.as_ref().map_or("by unit", |w| w.1.as_str());
            let tip = "Show only one unit";
            word(line, who, now.who.is_some(), tip, LogButton::Who);
            let tip = "Show the dice, modifiers and steps of every line";
            word(line, "dice", now.dice, tip, LogButton::Dice);
            let tip = "Copy these lines to the clipboard";
            word(line, "copy", false, tip, LogButton::Copy);
        });
        if now.portraits.is_empty() {
            return;
        }
        head.group(wrapping_row(4.0, 4.0), |buttons| {
            let is_on = now.who.is_none();
            word(buttons, "everyone", is_on, "", LogButton::Of(None));
            for (id, name, portrait) in &now.portraits {
                let tip = Tip::text(name.clone());
                let image = ImageNode::new(icons.get(*portrait, 24.0));
                let node = Node::default().size(24.0, 24.0);
                let button = (Button, LogButton::Of(Some(*id)));
                buttons.spawn((button, image, node, tip));
            }
        });
    });
}

/// A word as a button.
fn word(line: &mut ChildSpawnerCommands, words: &str, is_on: bool, tip: &str, of: LogButton) {
    let ink = match is_on {
        true => palette::TEAL,
        false => palette::FADED_INK,
    };
    let mut button = line.spawn((
        Button,
        of,
        Node {
            border: UiRect::bottom(px(1.6)),
            padding: UiRect::axes(px(1), px(2)),
            ..default()
        },
        BorderColor::all(colour(ink).with_alpha(if is_on { 1.0 } else { 0.0 })),
        children![text(words, TextStyle::Small, ink)],
    ));
    if !tip.is_empty() {
        button.insert(Tip::text(tip));
    }
}

/// Keeps the end in view while lines arrive, or shows that there are newer lines. A line that the
/// player opens is scrolled into view. The upper edge fades if there are lines above it.
fn scroll(
    log: Single<(
        &LogCard,
        (&ComputedNode, &UiGlobalTransform),
        &mut ScrollPosition,
        &mut Follows,
    )>,
    lines: Query<(&ComputedNode, &UiGlobalTransform)>,
    more: Single<&mut Node, With<MoreBelow>>,
    top: Single<&mut Node, (With<FadedTop>, Without<MoreBelow>)>,
) {
    let (log, (node, place), mut position, mut follows) = log.into_inner();
    let follows = &mut *follows;
    if node.is_empty() {
        // A hidden log opens at its newest line: the layout clamps this to the end.
        (position.y, follows.at, follows.held) = (f32::MAX, f32::MAX, None);
        return;
    }
    let scale = node.inverse_scale_factor;
    let now = (node.content_size().y * scale, node.size().y * scale);
    let last = log.last();
    let was_at_end = follows.is_at_end(position.y);
    if position.y != follows.at {
        // The player scrolls.
        follows.held = None;
    }
    let rect = |node: &ComputedNode, place: &UiGlobalTransform| {
        Rect::from_center_size(place.translation, node.size())
    };
    let there = match &mut follows.held {
        Some(held) if held.last == last => {
            let mut shown = log.shown.iter();
            let line = shown.find(|(line, _)| line.entry.from == held.from);
            let line = line.filter(|_| held.frames > 0);
            let line = line.and_then(|(_, line)| lines.get(*line).ok());
            let by = match line {
                // A line without a layout has no place yet.
                Some((line, at)) if line.size().y > 0.0 => {
                    to_reveal(rect(line, at), rect(node, place), 0.0) * scale
                }
                _ => 0.0,
            };
            held.frames = held.frames.saturating_sub(1);
            Some((position.y + by).clamp(0.0, end(now)))
        }
        held => {
            let follows_on = held.take().is_some_and(|held| held.was_at_end);
            (follows_on || was_at_end || now.0 < follows.seen.0).then(|| end(now))
        }
    };
    if let Some(there) = there.filter(|&there| position.y != there) {
        position.y = there;
    }
    (follows.at, follows.seen) = (position.y, now);
    if follows.is_at_end(position.y) {
        follows.read = last;
        follows.held = follows.held.take().filter(|held| held.frames > 0);
    }
    show_if(&mut more.into_inner(), follows.read != last);
    show_if(&mut top.into_inner(), position.y > 0.5);
}
