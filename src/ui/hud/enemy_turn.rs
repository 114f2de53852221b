//! What an enemy turn, or a round that was planned, does to each of the player's units: a strip in
//! place of the action bar meanwhile, and a line after an enemy turn.

use super::Signs;
use crate::{
    battle::{Event, EventKind, Id, Side},
    ui::{
        Selection, Session,
        art::{hud::Panel, palette},
        pictures::Sign,
        theme::{self, Cut, text},
        tokens,
        widgets::{column, face, picture, row},
    },
};
use bevy::prelude::*;

/// What one of the player's units suffered in an enemy turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Suffered {
    pub who: Id,
    /// Hit points lost.
    pub lost: i32,
    pub is_down: bool,
}

impl Suffered {
    /// "−6", "−6, down", "not hit".
    pub fn words(&self) -> String {
        match (self.lost, self.is_down) {
            (0, false) => String::from("not hit"),
            (0, true) => String::from("down"),
            (lost, false) => format!("−{lost}"),
            (lost, true) => format!("−{lost}, down"),
        }
    }
}

/// The part of a battle that is summed up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    EnemyTurn,
    /// In rulesets where sides take no turns.
    Round,
}

/// The units of a side that were attacked or hurt in the current or the last span, in order. `None`
/// before the first one.
pub fn suffered<'a>(
    events: impl Iterator<Item = &'a Event>,
    span: Span,
    side: Side,
    is_own: impl Fn(Id) -> bool,
) -> Option<Vec<Suffered>> {
    let mut all: Option<Vec<Suffered>> = None;
    let mut is_others = false;
    for event in events {
        match (span, &event.what) {
            (Span::EnemyTurn, EventKind::TurnBegan { side: turn }) => {
                if *turn != side && !is_others {
                    all = Some(vec![]);
                }
                is_others = *turn != side;
            }
            (Span::Round, EventKind::RoundBegan { .. }) => {
                (all, is_others) = (Some(vec![]), true);
            }
            _ => {}
        }
        let Some(all) = all.as_mut().filter(|_| is_others) else {
            continue;
        };
        let (who, lost, falls) = match &event.what {
            EventKind::AttackRolled { shot } => (shot.attack.at, 0, false),
            EventKind::Damaged { who, points, .. } => (*who, *points, false),
            EventKind::Fell { who, .. } => (*who, 0, true),
            _ => continue,
        };
        if !is_own(who) {
            continue;
        }
        let n = all.iter().position(|one| one.who == who);
        let n = n.unwrap_or_else(|| {
            all.push(Suffered {
                who,
                lost: 0,
                is_down: false,
            });
            all.len() - 1
        });
        all[n].lost += lost;
        all[n].is_down |= falls;
    }
    all
}

/// What the player's units suffered, as far as the screen has shown it.
fn told(session: &Session) -> Option<Vec<Suffered>> {
    let (shown, side) = (session.shown(), session.player());
    let is_own = |id| shown.person(id).side == side;
    suffered(session.told(), span(session), side, is_own)
}

fn span(session: &Session) -> Span {
    match session.reads.rules.planning.declares() {
        true => Span::Round,
        false => Span::EnemyTurn,
    }
}

/// "Brandt −6, Tobin not hit".
pub fn line(session: &Session, all: &[Suffered]) -> String {
    let one = |one: &Suffered| {
        let name = &session.shown().person(one.who).name;
        format!("{name} {}", one.words())
    };
    match all {
        [] => String::from("nobody was attacked"),
        all => all.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

/// Content of the strip.
#[derive(Clone, PartialEq)]
pub struct Strip(Span, Vec<Entry>);

#[derive(Clone, PartialEq)]
struct Entry {
    name: String,
    face: Sign,
    words: String,
    is_hurt: bool,
    /// Whether the unit is choosing a reaction.
    is_open: bool,
}

/// The strip during an enemy turn or a planned round; `None` while the player decides.
pub fn strip(session: &Session) -> Option<Strip> {
    let (span, turn) = (span(session), session.shown().clock.turn);
    let is_others = span == Span::Round || turn? != session.player();
    if !is_others || session.is_players_turn() || session.replay().is_some() {
        return None;
    }
    let asked = session.asked_member();
    let mut all = told(session)?;
    if let Some(who) = asked.filter(|who| all.iter().all(|one| one.who != *who)) {
        all.push(Suffered {
            who,
            lost: 0,
            is_down: false,
        });
    }
    let entry = |one: &Suffered| {
        let person = session.shown().person(one.who);
        let is_open = asked == Some(one.who);
        Entry {
            name: person.name.clone(),
            face: Sign::Portrait(tokens::portrait(person), !person.is_up()),
            words: match is_open {
                true => String::from("you choose"),
                false => one.words(),
            },
            is_hurt: one.lost > 0 || one.is_down,
            is_open,
        }
    };
    Some(Strip(span, all.iter().map(entry).collect()))
}

/// Side of a portrait, in layout pixels.
const FACE: f32 = 30.0;

pub fn show(bar: &mut ChildSpawnerCommands, signs: &mut Signs, Strip(span, entries): &Strip) {
    let node = Node {
        flex_grow: 1.0,
        min_width: px(0),
        max_height: percent(100),
        padding: UiRect::axes(px(12), px(6)),
        border: UiRect::all(px(theme::LINE)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        overflow: Overflow::clip(),
        ..column(4.0)
    };
    bar.spawn((node, face(Panel::Card), Pickable::IGNORE))
        .with_children(|card| {
            let heading = match span {
                Span::EnemyTurn => "Enemy turn so far",
                Span::Round => "Round so far",
            };
            card.spawn(text(heading, Cut::Strong, palette::INK));
            let line = Node {
                // A second line would move the board.
                overflow: Overflow::clip_x(),
                ..row(6.0)
            };
            card.spawn(line).with_children(|line| {
                if entries.is_empty() {
                    line.spawn(text("No attack yet", Cut::Small, palette::FADED_INK));
                }
                entries.iter().for_each(|one| entry(line, signs, one));
            });
        });
}

fn entry(line: &mut ChildSpawnerCommands, signs: &mut Signs, entry: &Entry) {
    let panel = match entry.is_open {
        true => Panel::CardActive,
        false => Panel::CardLight,
    };
    let node = Node {
        padding: UiRect::axes(px(6), px(2)),
        border: UiRect::all(px(theme::LINE)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        ..row(6.0)
    };
    line.spawn((node, face(panel), Pickable::IGNORE))
        .with_children(|one| {
            one.spawn(picture(signs.get(entry.face, FACE), FACE));
            one.spawn(column(0.0)).with_children(|words| {
                words.spawn(text(entry.name.clone(), Cut::Label, palette::INK));
                let ink = match (entry.is_open, entry.is_hurt) {
                    (true, _) => palette::INK,
                    (false, true) => palette::DANGER,
                    (false, false) => palette::TEAL,
                };
                words.spawn(text(entry.words.clone(), Cut::Small, ink));
            });
        });
}

/// Sums up the enemy turn in a toast at the start of the player's turn.
pub(super) fn sum_up(
    session: Res<Session>,
    mut selection: ResMut<Selection>,
    mut seen: Local<Option<(u32, usize)>>,
) {
    if !session.is_players_turn() || session.replay().is_some() {
        return;
    }
    let turns = session.told().filter(
        |event| matches!(event.what, EventKind::TurnBegan { side } if side == session.player()),
    );
    let now = (session.shown().epoch, turns.count());
    let before = seen.replace(now);
    // Only a turn that follows the last one seen: not after an undo or a load.
    let is_next = before.is_some_and(|then| then.1 + 1 == now.1);
    let is_next = is_next && span(&session) == Span::EnemyTurn;
    if let Some(all) = told(&session).filter(|_| is_next) {
        let words = line(&session, &all);
        selection.say(format!("Enemy turn: {words}."));
    }
}
