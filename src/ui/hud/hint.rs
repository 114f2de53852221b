//! Suggestions: the best orders, and what the order under the cursor does to the win probability.

use super::rated_row::{RatedRow, Tone};
use crate::{
    battle::{Choice, Id, capitalised},
    control::forecast::OrderAdvice,
    ui::{
        ActionPreview, Command, Selection, Session,
        art::palette,
        input::Key,
        places::SidePanelPlace,
        preview::Click,
        redraw::KeepRedrawing,
        session::Hint,
        theme::{TextStyle, faded, heading_text, text},
        widgets::{Hint as KeyHint, SendOnPress, SpawnWith, Tip, row, rule, spacer, tipped},
    },
    words::uncapitalised,
};
use bevy::{picking::hover::Hovered, prelude::*};
use std::cmp::Reverse;

/// The current suggestions.
#[derive(Resource, Clone, PartialEq, Default, Debug)]
pub(super) struct Advised {
    /// `None` if there is nothing to choose.
    hint: Option<Hint>,
    /// The plan under the cursor, if it is more than its declarations: "strike goblin 2 with
    /// sword".
    plan: Option<String>,
}

impl Advised {
    /// Whether there is something to choose.
    pub(super) fn has_choice(&self) -> bool {
        self.hint.is_some()
    }
}

/// Least playouts before the number of the order under the cursor is shown.
const FEWEST: u32 = 8;

/// Updates the suggestions.
pub(super) fn inquire(
    mut session: ResMut<Session>,
    (preview, selection): (Res<ActionPreview>, Res<Selection>),
    mut advised: ResMut<Advised>,
    place: Query<&Hovered, With<SidePanelPlace>>,
    mut under_pointer: Local<(Vec<Choice>, Option<String>, Option<Id>)>,
) {
    let (orders, plan, chosen) = &mut *under_pointer;
    // The board shows a suggestion while the pointer is on it; the player may mean something else. For a
    // new selection, the preview is not computed yet.
    if selection.before_preview.is_none() && !selection.is_changed() {
        *chosen = selection.chosen;
        orders.clear();
        orders.extend_from_slice(preview.click.orders());
        *plan = match &preview.click {
            Click::Plan(draft) => Some(uncapitalised(&draft.intent.label)),
            _ => None,
        };
    }
    // The row under the pointer must still be there when the player clicks.
    let is_pointed = place.iter().any(Hovered::get);
    let session = session.bypass_change_detection();
    let hint = session.hint(orders, *chosen, is_pointed);
    let plan = plan.clone();
    advised.set_if_neq(Advised { hint, plan });
}

/// Shows the suggestion under the pointer on the board.
pub(super) fn preview_hint(
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
        out.write(Command::PreviewHint(pointed.cloned()));
    }
}

#[derive(PartialEq)]
pub struct HintModel {
    /// Whether there is nothing to choose right now.
    is_idle: bool,
    /// How much of the first calculation is done, in percent.
    percent: u32,
    best: Vec<RatedRow>,
    /// Whether nothing is better or worse than the computer's choice.
    is_alone: bool,
    under_pointer: Option<RatedRow>,
    is_open: bool,
}

pub(super) fn model(session: &Session, advised: &Advised) -> HintModel {
    let hint = advised.hint.as_ref();
    let best = hint.map_or(&[][..], |hint| &hint.best);
    let under_pointer = hint.and_then(|hint| hint.under_pointer.as_ref());
    let is_under_pointer = |one: &OrderAdvice| {
        under_pointer.is_some_and(|under_pointer| under_pointer.choice == one.choice)
    };
    let is_known = |one: &&OrderAdvice| one.playouts >= FEWEST;
    let is_listed = |one: &OrderAdvice| best.iter().any(|other| other.choice == one.choice);
    // The first of equals, as in the order of the list.
    let first = best.iter().min_by_key(|one| Reverse(one.beyond_error()));
    let rated = |one: &OrderAdvice, is_marked| rated_row(session, one, first, is_marked);
    let rows = best.iter().map(|one| rated(one, is_under_pointer(one)));
    let apart = under_pointer.filter(|one| !is_listed(one)).filter(is_known);
    HintModel {
        is_idle: hint.is_none(),
        percent: hint.map_or(0, |hint| (hint.progress * 100.0) as u32),
        is_alone: !best.is_empty() && best.iter().all(|one| one.is_quick),
        best: rows.collect(),
        under_pointer: apart.map(|one| {
            let row = rated(one, true);
            let plan = advised.plan.as_ref().zip(one.choice.who);
            match plan {
                Some((plan, who)) => RatedRow {
                    words: format!("{}: {plan}", session.game.names().title(who)),
                    ..row
                },
                None => row,
            }
        }),
        is_open: hint.is_some_and(|hint| hint.is_open),
    }
}

/// An order compared with the best one. The win chance itself stands in the top bar, which comes
/// from other playouts: a second one here would contradict it.
fn rated_row(
    session: &Session,
    one: &OrderAdvice,
    best: Option<&OrderAdvice>,
    is_marked: bool,
) -> RatedRow {
    let (_, error) = one.points();
    let of_best = best.map_or(0, |best| best.points().1);
    let is_best = best.is_some_and(|best| best.choice == one.choice);
    let more = one.beyond_error() - best.map_or(0, OrderAdvice::beyond_error);
    let count = crate::words::count(one.playouts as usize, "time");
    let (note, tip_end) = match one.is_quick {
        true => (Some("Computer's choice"), String::new()),
        false => (None, format!(", ± {error} against the computer's choice")),
    };
    let reason = one.reason.as_ref().map(|reason| session.reason(reason));
    let reason = reason.map(|words| capitalised(&words));
    let note: Vec<String> = reason.into_iter().chain(note.map(String::from)).collect();
    let (worth, tone) = match more {
        _ if is_best => (String::from("best"), Tone::Good),
        // The difference is within the error.
        _ if more.abs() <= error.max(of_best) => (String::from("equal"), Tone::Plain),
        1.. => (format!("+{more}"), Tone::Good),
        _ => (format!("−{}", -more), Tone::Bad),
    };
    // A click shows the order on the board, in the player's turn.
    let is_shown = one.choice.who.is_some() && session.is_players_turn();
    RatedRow {
        worth,
        scaled: 46.0,
        tone,
        words: session.suggestion(one),
        note: note.join("; "),
        tip: format!("Simulated {count}{tip_end}"),
        is_marked,
        sends: is_shown.then(|| Command::Show(one.follow_up().unwrap_or(&one.choice).clone())),
        does: Some(Command::Do(one.orders())),
        ..RatedRow::default()
    }
}

pub(super) fn show(card: &mut ChildSpawnerCommands, model: &HintModel) {
    card.group(row(6.0), |head| {
        let words = "After each order, the computer plays all sides on for two rounds, many \
                     times, knowing only what you know, and your win chance is estimated \
                     there. The numbers are what the other orders cost against the best, in \
                     points of that chance. Equal: within the error.";
        let tip = Tip::text(words)
            .small("Hover one to see it, click to keep it")
            .small("Do the first")
            .key(Key::DoBest);
        head.spawn(tipped(heading_text("Suggestions"), tip));
        head.spawn((faded(""), KeyHint::new("{} closes", Key::Hint)));
        head.spawn(spacer());
    });
    let words = "Points of win chance, compared with the best";
    card.spawn(faded(words));
    card.spawn(rule());
    if model.is_idle {
        let words = "Nothing to choose right now.";
        card.spawn(text(words, TextStyle::Body, palette::FADED_INK));
        return;
    }
    for row in &model.best {
        row.show(card);
    }
    if model.best.is_empty() {
        let words = format!("Calculating… {}%", model.percent);
        card.spawn((
            text(words, TextStyle::Strong, palette::FADED_INK),
            KeepRedrawing,
        ));
    }
    if model.is_alone && !model.is_open {
        card.spawn(faded("Nothing better found"));
    }
    if let Some(under_pointer) = &model.under_pointer {
        card.spawn(rule());
        card.spawn(faded("Under the cursor"));
        under_pointer.show(card);
    }
    if model.is_open && !model.best.is_empty() {
        let words = faded("Still simulating…");
        card.spawn((words, KeepRedrawing));
    }
}
