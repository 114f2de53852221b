//! The win probability beside the round. It has its own node in the top bar, so that its neighbours
//! neither move nor get rebuilt while it is refined.

use crate::{
    battle::capitalised,
    ui::{
        Command, Session,
        art::palette,
        input::Key,
        settings::Settings,
        theme::{BODY, TextStyle, colour, one_line},
        widgets::{Filled, NodeExt, SendOnPress, Tip, refill, rigid, row},
    },
};
use bevy::{
    a11y::AccessibilityNode, picking::hover::Hovered, prelude::*, text::RemSize, ui_widgets::Button,
};

/// The player's win probability; empty while it is off or unknown. A click opens the suggestions.
#[derive(Component, Default)]
#[require(Node = row(6.0), Hovered, SendOnPress<Command> = SendOnPress(Command::Hint))]
pub struct ForecastBar;

/// The player's win probability and its interval, in percent.
#[derive(PartialEq)]
pub struct Odds {
    /// `None` until it was simulated.
    percent: Option<i32>,
    /// Whether the number is final for the current state; otherwise it is pale.
    is_settled: bool,
    /// Whether a new number follows.
    is_estimating: bool,
    low: i32,
    high: i32,
    /// Tooltip: the side, and how the number was found.
    help: String,
    /// Width of the longest text that can appear, in layout pixels.
    width: f32,
}

/// [`Odds::width`] at the standard text size, in layout pixels.
const WIDTH: f32 = 92.0;

fn odds(session: &Session, rem: f32) -> Option<Odds> {
    let chance = session.chance()?;
    let percent = |share: f32| (share * 100.0).round() as i32;
    let is_estimating = session.is_estimating();
    let is_known = !is_estimating || chance.playouts > 0;
    let (low, high) = match is_known {
        true => chance.interval(),
        false => (0.0, 1.0),
    };
    let (low, high) = (percent(low), percent(high));
    // Nothing is certain before the battle is over.
    let percent = percent(chance.value).clamp(1, 99);
    let side = capitalised(session.game.names().side(session.player()));
    let found = match chance.playouts {
        _ if is_estimating => {
            String::from("From an earlier state. It is simulated again at each of your decisions")
        }
        0 => String::from("Rough estimate, from what is left of each side"),
        n => format!(
            "The computer played all sides on from here, {n} times, knowing only what you know, \
             with the orders that you gave"
        ),
    };
    Some(Odds {
        percent: is_known.then_some(percent),
        is_settled: !is_estimating && chance.playouts > 0,
        is_estimating,
        low,
        high,
        help: match is_known {
            true => format!("{side}: win chance {percent}% ({low} to {high}%). {found}"),
            false => format!("{side}: the win chance is being simulated"),
        },
        width: (WIDTH * rem / BODY).ceil(),
    })
}

/// What the interval means.
const RANGE: &str =
    "The range is the error of this estimate. Every roll of the dice moves the chance.";

pub(super) fn refresh(
    session: Res<Session>,
    (settings, rem): (Res<Settings>, Res<RemSize>),
    bar: Single<Entity, With<ForecastBar>>,
    mut shown: Local<Filled<Option<Odds>>>,
    mut commands: Commands,
) {
    let odds = odds(&session, rem.0).filter(|_| settings.forecast);
    refill(&mut commands, (*bar, odds), &mut shown, |row, odds| {
        let bar = row.target_entity();
        // An empty bar must not be a button, not even for a screen reader.
        let mut bar = row.commands_mut().entity(bar);
        bar.remove::<(Tip, Button, AccessibilityNode)>();
        let Some(odds) = odds else { return };
        let mut tip = Tip::text(odds.help.clone());
        if odds.percent.is_some() {
            tip = tip.small(RANGE);
        }
        let tip = tip.small("Click for suggestions").key(Key::Hint);
        bar.insert((tip, Button));
        show(row, odds);
    });
}

/// The bar: the player's share, the uncertain part, the other sides' share.
fn show(row: &mut ChildSpawnerCommands, odds: &Odds) {
    let frame = Node::default()
        .size(56.0, 9.0)
        .border(1.0)
        .rounded(BorderRadius::all(px(3)))
        .clipped();
    let part = |share: i32, ink| {
        let node = rigid(Node::default().width(percent(share)).height(percent(100)));
        (node, BackgroundColor(colour(ink)), Pickable::IGNORE)
    };
    row.spawn((
        frame,
        BorderColor::all(colour(palette::INK)),
        Pickable::IGNORE,
        children![
            part(odds.low, palette::TEAL),
            part(odds.high - odds.low, palette::CARD_PALE),
            part(100 - odds.high, palette::VERMILION),
        ],
    ));
    let words = match odds.percent {
        Some(percent) if odds.is_estimating => format!("win {percent}% \u{2026}"),
        Some(percent) => format!("win {percent}%"),
        None => String::from("estimating\u{2026}"),
    };
    let ink = match odds.is_settled {
        true => palette::TEAL,
        false => palette::FADED_INK,
    };
    let width = Node::default().min_width(px(odds.width));
    row.spawn((one_line(words, TextStyle::Label, ink), width));
}
