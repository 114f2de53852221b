//! Why an AI acted: the options it considered and how it rated them.

use super::rated_row::RatedRow;
use crate::{
    battle::numeral,
    control::{
        Player,
        recording::SideController,
        why::{Explanation, Judge, RatedOption, Worth},
    },
    ui::{
        Command, Selection, Session,
        art::{hud::Panel, palette},
        input::Key,
        redraw::KeepRedrawing,
        selection::SidePanel,
        session::GivenReason,
        theme::{TextStyle, faded, text},
        widgets::{Hint, SendOnPress, SpawnWith, Tip, button, row, rule, sized, spacer},
    },
};
use bevy::prelude::*;

/// The explained action; `None` if no AI has acted.
#[derive(Resource, Clone, PartialEq, Default, Debug)]
pub(super) struct Explained(Option<ShownAction>);

#[derive(Clone, PartialEq, Debug)]
struct ShownAction {
    /// Index of the answer.
    answer: usize,
    /// Number of events shown when the explanation was requested.
    shown: usize,
    /// The display world's epoch.
    epoch: u32,
    reason: GivenReason,
    /// Whether there is an earlier and a later action to explain.
    earlier: bool,
    later: bool,
}

/// Updates the explanation of the chosen action.
pub(super) fn inquire(
    mut session: ResMut<Session>,
    mut selection: ResMut<Selection>,
    mut explained: ResMut<Explained>,
) {
    let Some(SidePanel::Why(back)) = selection.side_panel else {
        return;
    };
    let mut actions = session.explicable();
    let (mut found, mut steps) = (None, 0);
    for action in actions.by_ref().take(back + 1) {
        (found, steps) = (Some(action), steps + 1);
    }
    let earlier = actions.next().is_some();
    drop(actions);
    if steps > 0 && steps <= back {
        selection.side_panel = Some(SidePanel::Why(steps - 1));
    }
    let Some(answer) = found else {
        explained.set_if_neq(Explained(None));
        return;
    };
    let (shown, epoch) = (session.shown().events, session.shown().epoch);
    let is_same = |old: &ShownAction| (old.answer, old.shown, old.epoch) == (answer, shown, epoch);
    let known = explained.0.as_ref().filter(|old| is_same(old));
    let reason = match known {
        Some(old) if old.reason != GivenReason::Soon => old.reason.clone(),
        _ => session.bypass_change_detection().why(answer),
    };
    explained.set_if_neq(Explained(Some(ShownAction {
        answer,
        shown,
        epoch,
        reason,
        earlier,
        later: steps > 1,
    })));
}

#[derive(PartialEq, Default)]
pub struct WhyModel {
    /// "Goblin 2 strikes Mara"; `None` if no AI has acted yet.
    action: Option<String>,
    /// A sentence on how the options were rated.
    judge: &'static str,
    reason: Option<GivenReason>,
    rows: Vec<RatedRow>,
    earlier: bool,
    later: bool,
}

pub(super) fn model(session: &Session, explained: &Explained) -> WhyModel {
    let Some(action) = &explained.0 else {
        return WhyModel::default();
    };
    let why = match &action.reason {
        GivenReason::Why(why) => Some(why),
        _ => None,
    };
    let weighed = why.map_or(&[][..], |why| &why.weighed);
    let taken = weighed.iter().find(|one| one.is_taken);
    let answer = &session.game.answers()[action.answer];
    let words = answer.log_text_from(session.game.names(), taken.and_then(|one| one.from));
    WhyModel {
        action: Some(words),
        judge: why.map_or("", |why| judged(why, session.answered_by(action.answer))),
        rows: weighed.iter().map(|one| rated_row(session, one)).collect(),
        reason: Some(action.reason.clone()),
        earlier: action.earlier,
        later: action.later,
    }
}

/// A sentence on how the options were rated.
fn judged(why: &Explanation, controller: Option<SideController>) -> &'static str {
    match (why.judge, controller) {
        _ if why.is_plain() => "There was no other option worth considering.",
        (Judge::Strategist, Some(SideController::Human)) => {
            "A human chose. This is how the Strategist would rate each option, by simulating it."
        }
        (Judge::Strategist, _) => "The Strategist simulated each option: its side's chance to win.",
        (Judge::Quick, Some(SideController::Ai(Player::Easy))) => {
            "The Easy AI rates options in points and often makes mistakes. Dropping an enemy is worth 1000."
        }
        (Judge::Quick, Some(SideController::Ai(Player::Quick))) => {
            "The Quick AI takes the best-looking option. Dropping an enemy is worth 1000."
        }
        (Judge::Quick, _) => "How the Quick AI rates each option. Dropping an enemy is worth 1000.",
    }
}

fn rated_row(session: &Session, one: &RatedOption) -> RatedRow {
    let (worth, share, tip) = match one.worth {
        Worth::Share {
            value,
            error,
            playouts,
        } => (
            format!("{:.0}% ± {:.0}", value * 100.0, error * 100.0),
            Some(value),
            format!(
                "Simulated {}",
                crate::words::count(playouts as usize, "time")
            ),
        ),
        Worth::Points(points) => (numeral(points), None, String::new()),
        Worth::Unknown => (String::from("–"), None, String::from("Not considered")),
    };
    RatedRow {
        scaled: if share.is_some() { 84.0 } else { 48.0 },
        words: one.choice.log_text_from(session.game.names(), one.from),
        worth,
        share,
        tip,
        is_marked: one.is_taken,
        note: String::from(if one.is_taken { "taken" } else { "" }),
        ..RatedRow::default()
    }
}

pub(super) fn show(card: &mut ChildSpawnerCommands, model: &WhyModel) {
    card.group(row(6.0), |head| {
        head.spawn(text("Why", TextStyle::Heading, palette::INK));
        head.spawn((faded(""), Hint::new("{} closes", Key::Why)));
        head.spawn(spacer());
        page_button(head, "‹", "Previous action", 1, model.earlier);
        page_button(head, "›", "Next action", -1, model.later);
    });
    card.spawn(rule());
    let Some(action) = &model.action else {
        let words = "No AI has acted yet.";
        card.spawn(text(words, TextStyle::Body, palette::FADED_INK));
        return;
    };
    card.spawn(text(action.clone(), TextStyle::Strong, palette::TEAL));
    match model.reason {
        Some(GivenReason::Soon) => {
            let words = faded("Calculating…");
            card.spawn((words, KeepRedrawing));
        }
        Some(GivenReason::Secret) => {
            let words =
                "This would reveal what your side can't know. You can see it after the battle.";
            card.spawn(faded(words));
        }
        _ => {
            card.spawn(faded(model.judge));
            for row in &model.rows {
                row.show(card);
            }
        }
    }
}

fn page_button(
    head: &mut ChildSpawnerCommands,
    sign: &str,
    words: &str,
    by: isize,
    is_there: bool,
) {
    let panel = Panel::Button.pale_if(!is_there);
    let mut leaf = head.spawn((
        button(panel, sized(26.0, 26.0)),
        Tip::text(words),
        children![text(sign, TextStyle::Strong, panel.text())],
    ));
    if is_there {
        leaf.insert(SendOnPress(Command::WhyEarlier(by)));
    }
}
