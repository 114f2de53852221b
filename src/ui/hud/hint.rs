//! Suggestions: the best orders, and what the order under the cursor does to the win probability.

use super::rated_row::{RatedRow, Tone};
use crate::{
    battle::Choice,
    control::forecast::OrderAdvice,
    ui::{
        ActionPreview, Command, Selection, Session,
        art::palette,
        input::Key,
        places::SidePanelPlace,
        redraw::KeepRedrawing,
        session::Hint,
        theme::{Cut, text},
        widgets::{Hint as KeyHint, SendOnPress, Tip, row, rule, spring},
    },
};
use bevy::{picking::hover::Hovered, prelude::*};

/// The current suggestions; `None` if there is nothing to choose.
#[derive(Resource, Clone, PartialEq, Default, Debug)]
pub(super) struct Advised(Option<Hint>);

/// Least playouts before the number of the order under the cursor is shown.
const FEWEST: u32 = 8;

/// Updates the suggestions.
pub(super) fn inquire(
    mut session: ResMut<Session>,
    (preview, selection): (Res<ActionPreview>, Res<Selection>),
    mut advised: ResMut<Advised>,
    place: Query<&Hovered, With<SidePanelPlace>>,
    mut meant: Local<Vec<Choice>>,
) {
    // The board shows a suggestion while the pointer is on it; the player may mean something else. For a
    // new selection, the preview is not computed yet.
    if selection.before_glance.is_none() && !selection.is_changed() {
        meant.clear();
        meant.extend_from_slice(preview.click.orders());
    }
    // The row under the pointer must still be there when the player clicks.
    let is_pointed = place.iter().any(Hovered::get);
    let session = session.bypass_change_detection();
    let hint = session.hint(&meant, is_pointed);
    advised.set_if_neq(Advised(hint));
}

/// Shows the suggestion under the pointer on the board.
pub(super) fn glance(
    rows: Query<(&SendOnPress<Command>, &Hovered)>,
    mut last: Local<Option<Choice>>,
    mut out: MessageWriter<Command>,
) {
    let pointed = rows.iter().find_map(|(sends, hovered)| match &sends.0 {
        Command::Show(choice) if hovered.get() => Some(choice),
        _ => None,
    });
    if last.as_ref() != pointed {
        *last = pointed.cloned();
        out.write(Command::Glance(pointed.cloned()));
    }
}

#[derive(PartialEq)]
pub struct HintModel {
    /// Whether there is nothing to choose right now.
    is_idle: bool,
    /// How much of the first calculation is done, in percent.
    percent: u32,
    best: Vec<RatedRow>,
    /// Whether nothing is better or worse than the quick AI's choice.
    is_alone: bool,
    meant: Option<RatedRow>,
    is_open: bool,
}

pub(super) fn model(session: &Session, advised: &Advised) -> HintModel {
    let hint = advised.0.as_ref();
    let best = hint.map_or(&[][..], |hint| &hint.best);
    let meant = hint.and_then(|hint| hint.meant.as_ref());
    let is_meant = |one: &OrderAdvice| meant.is_some_and(|meant| meant.choice == one.choice);
    let is_known = |one: &&OrderAdvice| one.playouts >= FEWEST;
    let is_listed = |one: &OrderAdvice| best.iter().any(|other| other.choice == one.choice);
    let rows = best
        .iter()
        .map(|one| rated_row(session, one, is_meant(one)));
    let apart = meant.filter(|one| !is_listed(one)).filter(is_known);
    HintModel {
        is_idle: hint.is_none(),
        percent: hint.map_or(0, |hint| (hint.progress * 100.0) as u32),
        is_alone: !best.is_empty() && best.iter().all(|one| one.is_quick),
        best: rows.collect(),
        meant: apart.map(|one| rated_row(session, one, true)),
        is_open: hint.is_some_and(|hint| hint.is_open),
    }
}

fn rated_row(session: &Session, one: &OrderAdvice, is_marked: bool) -> RatedRow {
    let (_, error) = one.points();
    // The chance and the difference add up from row to row, whatever the rounding.
    let of_quick = ((one.chance - one.gain) * 100.0).round() as i32;
    let gain = one.beyond_error();
    let chance = format!("{}%", (of_quick + gain).clamp(0, 100));
    let count = crate::words::count(one.playouts as usize, "time");
    let note = match one.is_quick {
        true => format!("Quick AI's choice, simulated {count}"),
        false => format!("Simulated {count}, difference ± {error}"),
    };
    let (worth, tone) = match gain {
        _ if one.is_quick => (chance, Tone::Plain),
        0 => (format!("{chance}, ±0"), Tone::Plain),
        1.. => (format!("{chance}, +{gain}"), Tone::Good),
        _ => (format!("{chance}, −{}", -gain), Tone::Bad),
    };
    RatedRow {
        worth,
        broad: 84.0,
        tone,
        words: session.suggestion(&one.choice),
        note,
        is_marked,
        sends: shows(session, &one.choice),
        does: Some(Command::Do(one.choice.clone())),
        ..RatedRow::default()
    }
}

/// A click shows the order on the board; `None` outside the player's turn.
fn shows(session: &Session, choice: &Choice) -> Option<Command> {
    let is_shown = choice.who.is_some() && session.is_players_turn();
    is_shown.then(|| Command::Show(choice.clone()))
}

pub(super) fn show(card: &mut ChildSpawnerCommands, model: &HintModel) {
    card.spawn((row(6.0), Pickable::IGNORE))
        .with_children(|head| {
            let words = "After each order, the quick AI plays all sides on for two rounds, many \
                         times, knowing only what you know, and your win chance is estimated \
                         there. The first number is the average, the second its difference \
                         from the quick AI's choice: bad dice can still lower it.";
            head.spawn((
                Node::default(),
                Hovered::default(),
                Tip::default()
                    .line(words, Cut::Small, palette::INK)
                    .line(
                        "Hover one to see it, click to keep it",
                        Cut::Small,
                        palette::INK,
                    )
                    .line("Do the first", Cut::Small, palette::INK)
                    .key(Key::DoBest),
                children![text("Suggestions", Cut::Heading, palette::INK)],
            ));
            head.spawn((
                text("", Cut::Small, palette::FADED_INK),
                KeyHint::new("{} closes", Key::Hint),
            ));
            head.spawn(spring());
        });
    let words = "Win chance, compared with the quick AI's choice";
    card.spawn(text(words, Cut::Small, palette::FADED_INK));
    card.spawn(rule());
    if model.is_idle {
        let words = "Nothing to choose right now.";
        card.spawn(text(words, Cut::Body, palette::FADED_INK));
        return;
    }
    for row in &model.best {
        row.show(card);
    }
    if model.best.is_empty() {
        let words = format!("Calculating… {}%", model.percent);
        card.spawn((text(words, Cut::Strong, palette::FADED_INK), KeepRedrawing));
    }
    if model.is_alone && !model.is_open {
        let words = "Nothing better found";
        card.spawn(text(words, Cut::Small, palette::FADED_INK));
    }
    if let Some(meant) = &model.meant {
        card.spawn(rule());
        card.spawn(text("Under the cursor", Cut::Small, palette::FADED_INK));
        meant.show(card);
    }
    if model.is_open && !model.best.is_empty() {
        let words = text("Refining…", Cut::Small, palette::FADED_INK);
        card.spawn((words, KeepRedrawing));
    }
}
