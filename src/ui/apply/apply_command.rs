//! Applies the commands of the battle screen in order.

use super::{
    carry_on::{begin, change_plan, give, give_all, offered, otherwise, plan},
    warn,
};
use crate::{
    battle::{Choice, Id, State, capitalised},
    grid::Cell,
    ui::{
        ActionPreview, Command, Selection, Session,
        app_command::{AppCommand, GameCommand},
        input::PromptAnswered,
        preview::{
            ActButton, Click, Menu, Offers, Open, Picks, PlanPreview, PreviewParam, Slider,
            carry::in_area, open, unaimed,
        },
        replay,
        selection::{PartialChoice, SidePanel},
        session::{ForAll, Intent},
        settings::Settings,
        shown::corner_in_cell,
    },
    words::{list, uncapitalised},
};
use bevy::prelude::*;
use std::cmp::Reverse;

pub(super) fn apply_commands(
    mut commands: MessageReader<Command>,
    mut session: ResMut<Session>,
    mut selection: ResMut<Selection>,
    (mut preview_param, plan_preview): (PreviewParam, Res<PlanPreview>),
    mut app_commands: MessageWriter<AppCommand>,
    mut settings: ResMut<Settings>,
    (mut answered, time): (ResMut<PromptAnswered>, Res<Time<Real>>),
) {
    let prompt = session.is_prompted().then(|| session.game.answered());
    if (selection.reviews, selection.warns) != (settings.review, settings.warn) {
        (selection.reviews, selection.warns) = (settings.review, settings.warn);
    }
    for command in commands.read() {
        let is_pointing = matches!(
            command,
            Command::Point(..)
                | Command::MouseMoved
                | Command::LookAt(_)
                | Command::Highlight(_)
                | Command::PreviewHint(_)
        );
        if selection.before_preview.is_some() && !is_pointing {
            selection.end_preview();
        }
        // Commands that only move the cursor must not mark the session as changed: everything that
        // depends on it would be recomputed.
        match command {
            // What the warning is about stays in view.
            Command::Point(..) if selection.warning.is_some() => {}
            Command::Point(cell, quarter) => point(&mut selection, *cell, *quarter),
            Command::MouseMoved => change(&mut selection, |next| {
                next.mouse_rested = false;
                if let Some(before) = &mut next.before_preview {
                    before.mouse_rested = false;
                }
            }),
            Command::Pin(cell) => change(&mut selection, |next| {
                next.pinned = !next.pinned && cell.is_some();
                (next.cursor, next.by_keys) = (*cell, false);
            }),
            // With a pinned card, the click or key only unpins it.
            Command::Go | Command::AddWaypoint | Command::Back | Command::Retract
                if selection.pinned =>
            {
                selection.pinned = false;
            }
            Command::LookAt(who) => change(&mut selection, |next| next.looked_at = *who),
            Command::Highlight(what) => change(&mut selection, |next| next.highlighted = *what),
            Command::PreviewHint(choice) => {
                let session = session.bypass_change_detection();
                preview_hint(session, &mut selection, choice.as_ref());
            }
            Command::Back if selection.warning.is_none() => {
                if !back(&session, &mut selection) {
                    app_commands.write(AppCommand::Game(GameCommand::Pause));
                }
            }
            Command::Retract if selection.warning.is_none() => {
                back(&session, &mut selection);
            }
            Command::Why => {
                let is_shown = matches!(selection.side_panel, Some(SidePanel::Why(_)));
                selection.side_panel = (!is_shown).then_some(SidePanel::Why(0));
            }
            Command::WhyEarlier(by) => {
                if let Some(SidePanel::Why(back)) = &mut selection.side_panel {
                    *back = back.saturating_add_signed(*by);
                }
            }
            Command::Hint | Command::DoBest if !settings.forecast => {
                selection.show_toast("Forecasts are off. Turn them on in the settings.");
            }
            Command::Hint => {
                let is_shown = selection.side_panel == Some(SidePanel::Hint);
                selection.side_panel = (!is_shown).then_some(SidePanel::Hint);
                if !is_shown && session.question().is_none() {
                    selection.show_toast("Suggestions appear when you can act.");
                }
            }
            Command::DoBest if selection.side_panel != Some(SidePanel::Hint) => {
                selection.side_panel = Some(SidePanel::Hint);
            }
            _ if session.replay().is_some() => replay::control_replay(command, &mut session),
            // The overlay systems of the board handle it.
            Command::Overlay(_) => {}
            Command::DontAskAgain => {
                if let Some(warning) = &mut selection.warning {
                    warning.is_last = !warning.is_last;
                }
            }
            Command::Confirm(goes_on) => {
                let Some(warning) = selection.warning.take() else {
                    continue;
                };
                if *goes_on {
                    if warning.is_last {
                        (settings.warn, selection.warns) = (false, false);
                    }
                    warn::accept(&session, &mut selection, &warning.orders);
                    let is_held = |held: &Intent| held.plan.declared == warning.orders;
                    match session.held().is_some_and(is_held) {
                        true => begin(&mut session, &mut selection),
                        false => give(&mut session, &mut selection, &warning.orders),
                    }
                }
            }
            // A click elsewhere cancels; no other key or card may discard the pending order.
            Command::Go | Command::AddWaypoint | Command::Retract
                if selection.warning.is_some() =>
            {
                selection.warning = None;
            }
            _ if selection.warning.is_some() => selection.show_toast(UNCONFIRMED),
            command if is_lost_by(command, &selection, preview_param.latest()) => {
                let preview = preview_param.latest();
                let act = selection.armed.and_then(|key| preview.act(key));
                let label = act.map_or("This choice", |act| &act.label);
                let words = format!("{label} is not finished: choose the rest, or press Esc.");
                selection.show_toast(words);
            }
            _ => {
                let confirming_end = std::mem::take(&mut selection.confirming_end);
                let preview = preview_param.of(session.bypass_change_detection(), &selection);
                let who = withdraws(command, &session, &selection, preview);
                // A click gives the order that was shown.
                let is_shown = preview.replaces && *command == Command::Go;
                let shown = is_shown.then(|| preview.clone());
                if let Some(who) = who {
                    let is_cleared = session.clear_order(who);
                    selection.choose(who);
                    selection.withdrawn = is_cleared.then_some(who);
                }
                let preview = match &shown {
                    Some(shown) => shown,
                    None => preview_param.of(session.bypass_change_detection(), &selection),
                };
                let previews = (preview, &*plan_preview);
                act_on(
                    command,
                    &mut session,
                    &mut selection,
                    previews,
                    confirming_end,
                );
            }
        }
        let is_open = selection.armed.is_some() || selection.warning.is_some();
        if let Some(who) = selection.withdrawn.filter(|_| !is_open) {
            selection.withdrawn = None;
            // Nothing took the place of the order, so it stands.
            if !session.can_edit(who) {
                session.restore_orders();
            }
        }
    }
    if prompt.is_some_and(|answers| session.game.answered() != answers) {
        answered.note(&time);
    }
}

/// The selected unit, if it has declared and the command gives it another order instead.
fn withdraws(
    command: &Command,
    session: &Session,
    selection: &Selection,
    preview: &ActionPreview,
) -> Option<Id> {
    let is_order = match command {
        Command::Go => preview.replaces,
        _ => matches!(
            command,
            Command::Act(_)
                | Command::Preset(_)
                | Command::Repeat { all: false }
                | Command::Suggest { all: false }
        ),
    };
    let who = selection.chosen.filter(|_| is_order)?;
    session.can_replace(who).then_some(who)
}

/// Toasts for commands that would discard an open prompt, question or choice.
const UNANSWERED: &str = "Answer the prompt at the right first.";
const UNCONFIRMED: &str = "Answer the question first.";

/// Whether the command would discard what was chosen in an open list, or on the board.
fn is_lost_by(command: &Command, selection: &Selection, preview: &ActionPreview) -> bool {
    let is_open = selection.armed.is_some() && preview.menu.is_some();
    let is_begun = !selection.partial_choices.is_empty();
    match command {
        Command::Choose(id) => is_open && is_begun && selection.chosen != Some(*id),
        // The rest may be chosen on the board.
        Command::EndTurn => selection.armed.is_some() && is_begun,
        Command::Done | Command::Common(_) | Command::Member(_) | Command::Undo => {
            is_open && is_begun
        }
        // Actions that take effect at once.
        Command::Act(key) if selection.armed != Some(*key) => {
            is_open && preview.act(*key).is_some_and(|act| act.only().is_some())
        }
        _ => false,
    }
}

/// Changes the selection, which counts as changed only if it differs then.
fn change(selection: &mut ResMut<Selection>, with: impl FnOnce(&mut Selection)) {
    let mut next = Selection::clone(selection);
    with(&mut next);
    selection.set_if_neq(next);
}

/// Moves the cursor, unless it is pinned. While a suggestion is shown, that is the cursor to go back
/// to.
fn point(selection: &mut ResMut<Selection>, cell: Option<Cell>, quarter: Option<(i8, i8)>) {
    change(selection, |next| {
        let mut before = next.before_preview.take();
        let own = before.as_deref_mut().unwrap_or(next);
        if !own.pinned {
            own.refused &= cell == own.cursor;
            own.mouse_rested &= cell == own.cursor;
            (own.cursor, own.quarter, own.by_keys) = (cell, quarter, false);
            own.aimed = own.aimed.filter(|aimed| Some(aimed.0) == cell);
        }
        next.before_preview = before;
    });
}

/// Shows a suggestion on the board until the next glance; without one, what was selected before.
fn preview_hint(session: &mut Session, selection: &mut ResMut<Selection>, choice: Option<&Choice>) {
    // The board has nothing to show for a declaration without a target.
    let is_shown = |choice: &&Choice| choice.at.is_some() || choice.to.is_some();
    change(selection, |next| {
        next.end_preview();
        if let Some(choice) = choice.filter(is_shown)
            && next.warning.is_none()
        {
            let before = next.clone();
            show(session, next, choice);
            next.before_preview = Some(Box::new(before));
        }
    });
}

fn act_on(
    command: &Command,
    session: &mut ResMut<Session>,
    selection: &mut Selection,
    (preview, plan_preview): (&ActionPreview, &PlanPreview),
    confirming_end: bool,
) {
    match command {
        Command::Point(..)
        | Command::Pin(_)
        | Command::MouseMoved
        | Command::LookAt(_)
        | Command::Highlight(_)
        | Command::PreviewHint(_)
        | Command::Back
        | Command::Retract
        | Command::Overlay(_)
        | Command::Confirm(_)
        | Command::DontAskAgain
        | Command::Why
        | Command::WhyEarlier(_)
        | Command::Hint => {}
        Command::Show(choice) => show(session, selection, choice),
        Command::Do(orders) => take_hint(session, selection, preview, orders),
        Command::DoBest => match session.best_hint() {
            Some(orders) => take_hint(session, selection, preview, &orders),
            None if session.awaits_end_of_turn() => {
                selection.show_toast("All units have acted: end the turn.");
            }
            None => selection.show_toast("No suggestion yet."),
        },
        Command::Step(east, south) => step(session, selection, *east, *south),
        Command::Choose(id) => choose(session, selection, *id),
        Command::Go | Command::Member(_) | Command::Act(_) | Command::EndTurn
            if session.prompt().is_some_and(|asked| !asked.is_turn()) =>
        {
            selection.show_toast(UNANSWERED);
        }
        Command::Go => go(session, selection, (preview, plan_preview)),
        Command::Glance => glance(session, selection, preview),
        // Number keys are fixed for the battle: units that fell or have not arrived keep theirs.
        Command::Member(n) => match session.shown().members(session.player()).nth(*n) {
            Some(own) if own.is_up() => choose(session, selection, own.id),
            Some(own) if own.state != State::Waiting => {
                selection.show_toast(format!("{} is out of the battle.", own.name));
            }
            _ => {}
        },
        Command::Cycle { back } => cycle(session, selection, preview, *back),
        Command::Act(key) => act(session, selection, preview, *key),
        Command::AddWaypoint => add_waypoint(session, selection, preview),
        Command::More => selection.more = !selection.more && !preview.acts.is_empty(),
        Command::Nudge(by) => nudge(session, selection, preview, *by),
        Command::Other => other(selection, preview),
        // Like their buttons, the keys do nothing while a decision is answered without the player.
        Command::Done | Command::EndTurn if session.goes_on() => {}
        Command::Done => {
            // Without an action that ends its turn, the unit passes. Reactions are declined in
            // their own list.
            let may = session.question().is_some_and(|q| !q.reaction);
            // While declaring, Done counts only if the ruleset offers it: a unit that must declare
            // something can't skip it.
            let has_word = |_: &Id| !session.is_declaring() || preview.done.is_some();
            if let Some(who) = selection.chosen.filter(|_| may).filter(has_word)
                && let Some(done) = session.pass_choice(who)
            {
                let lines = warn::against_rest(session, preview, &done);
                give_after(session, selection, &[done], lines);
            }
        }
        Command::EndTurn if session.held().is_some() => {
            begin_after(session, selection, plan_preview);
        }
        Command::EndTurn | Command::Common(_) if reviews_rest(session, selection) => {
            give_all(session, selection, ForAll::Rest);
        }
        Command::EndTurn
            if session.is_players_turn()
                && session.is_declaring()
                && session.end_choice().is_none() =>
        {
            selection.show_toast("Each unit needs its own order now.");
        }
        Command::EndTurn => {
            // Enter confirms the end of the turn, so it must not choose from a list.
            selection.disarm();
            let why = (!confirming_end)
                .then(|| against_end_of_turn(session))
                .flatten();
            selection.confirming_end = why.is_some();
            match why {
                Some(why) => selection.show_toast(why),
                None => {
                    session.end_turn();
                    selection.toast = None;
                }
            }
        }
        Command::Common(n) => {
            let common = session.question().filter(|q| q.is_turn());
            if let Some(choice) = common.and_then(|q| q.common.get(*n)).cloned() {
                let lines = warn::against_begin(session, plan_preview);
                give_after(session, selection, &[choice], lines);
            }
        }
        Command::Undo => match session.why_no_undo() {
            Some(why) => selection.show_toast(why),
            None => match session.undo() {
                // Selects the unit whose action was undone.
                Some(who) => choose(session, selection, who),
                None => selection.disarm(),
            },
        },
        Command::Rewatch => {
            if !session.rewatch() {
                selection.show_toast("There is no round to replay yet.");
            }
        }
        Command::Repeat { all: false } => offered(session, selection, Offers::Again),
        Command::Repeat { all: true } => give_all(session, selection, ForAll::Repeat),
        Command::Suggest { all: false } => offered(session, selection, Offers::Suggested),
        Command::Suggest { all: true } => give_all(session, selection, ForAll::Suggest),
        Command::Preset(n) => offered(session, selection, Offers::Preset(*n)),
        Command::Otherwise => otherwise(session, selection),
        Command::Plan(change) => change_plan(session, selection, *change),
        Command::Skip => {
            if session.question().is_none() {
                session.hurry();
            }
        }
        Command::Reply(n) => reply(session, selection, preview, *n),
    }
}

/// Whether the end of the declarations gives orders to the units without one, and the player wants
/// to review the whole plan before the round begins.
fn reviews_rest(session: &Session, selection: &Selection) -> bool {
    let asked = session.question().filter(|_| session.is_declaring());
    let mut left = asked.iter().flat_map(|asked| &asked.actors);
    selection.reviews && left.any(|&who| session.queries.rest(who).is_some())
}

/// What the player should confirm before the turn or the declarations end: dying allies, units in
/// danger, units that can still act.
fn against_end_of_turn(session: &mut Session) -> Option<String> {
    let verb = |names: &[String], [one, many]: [&'static str; 2]| match names.len() {
        1 => one,
        _ => many,
    };
    let dying = warn::helpable(session);
    if !dying.is_empty() {
        let is = verb(&dying, ["is", "are"]);
        return Some(format!(
            "{} {is} dying, and you can still help. Enter: end the turn. Esc: cancel.",
            list(dying, "and")
        ));
    }
    let idle = session.awaiting_orders();
    let idle: Vec<String> = idle.map(|p| p.name.clone()).collect();
    if session.is_declaring() {
        let has = verb(&idle, ["has", "have"]);
        let button = session.end_label();
        return (!idle.is_empty() && session.is_players_turn()).then(|| {
            let (units, ends) = (list(idle, "and"), uncapitalised(&button));
            format!("{units} {has} no order. Enter: {ends}. Esc: cancel.")
        });
    }
    let mut exposed = warn::exposed(session);
    exposed.retain(|name| !idle.contains(name));
    let is = verb(&exposed, ["is", "are"]);
    let mut lines = vec![];
    if !idle.is_empty() && session.is_players_turn() {
        lines.push(format!("{} can still act.", list(idle, "and")));
    }
    if !exposed.is_empty() {
        let units = list(exposed, "and");
        lines.push(format!("{units} can still move and {is} in danger."));
    }
    (!lines.is_empty()).then(|| {
        lines.push(String::from("Enter: end the turn. Esc: cancel."));
        lines.join("\n")
    })
}

/// Gives the orders, after a warning if there are reasons against them: always before one that loses
/// the battle.
fn give_after(
    session: &mut Session,
    selection: &mut Selection,
    orders: &[Choice],
    lines: Vec<String>,
) {
    let loses = |order: &Choice| warn::loses_battle(session, order);
    if !lines.is_empty() && (selection.warns || orders.iter().any(loses)) {
        selection.warn(orders, lines);
    } else {
        give(session, selection, orders);
    }
}

/// Begins the round with the held declarations, after a warning if there are reasons against it.
fn begin_after(session: &mut Session, selection: &mut Selection, plan_preview: &PlanPreview) {
    let lines = warn::against_begin(session, plan_preview);
    match session.held() {
        Some(held) if selection.warns && !lines.is_empty() => {
            selection.warn(&held.plan.declared, lines)
        }
        _ => begin(session, selection),
    }
}

/// Shows an order on the board: a click on its target would give it.
fn show(session: &mut Session, selection: &mut Selection, choice: &Choice) {
    let Some(who) = choice.who else { return };
    choose(session, selection, who);
    if selection.chosen != Some(who) {
        return;
    }
    let target = choice.at.map(|at| session.shown().unit(at).at);
    if let Some(cell) = target.or(choice.to) {
        (selection.cursor, selection.pinned) = (Some(cell), true);
        let shown = session.shown();
        let at = choice.at.map(|at| shown.unit(at));
        selection.quarter = at.and_then(|at| corner_in_cell(&shown.units, at));
    } else if choice.spell.is_none() {
        // Selecting its unit is enough; a list with this one action would tell nothing.
        return;
    }
    // A click on an enemy out of reach also moves the unit there.
    let means = |click: &Click| click.orders().last() == Some(choice);
    if means(&ActionPreview::of(session, selection).click) {
        return;
    }
    // A plain click there would do something else.
    selection.prefers = choice.with;
    if means(&ActionPreview::of(session, selection).click) {
        return;
    }
    selection.armed = session.queries.key(choice.verb);
    if choice.spell.is_some() {
        selection.partial_choices.push(PartialChoice {
            spell: choice.spell,
            ..PartialChoice::default()
        });
    }
}

/// Gives suggested orders, or answers a reaction prompt with them.
fn take_hint(
    session: &mut Session,
    selection: &mut Selection,
    preview: &ActionPreview,
    orders: &[Choice],
) {
    selection.pinned = false;
    let rows = preview.menu.as_ref().filter(|menu| menu.is_reaction);
    let row = rows.and_then(|menu| {
        let mut rows = menu.rows.iter();
        rows.position(|row| row.choice() == orders.first())
    });
    match row {
        Some(row) => reply(session, selection, preview, row),
        None => {
            let lines = orders.first().map(|first| warn::against(session, first));
            give_after(session, selection, orders, lines.unwrap_or_default());
        }
    }
}

/// Gives an order, after a warning if there are reasons against it.
fn give_warned(session: &mut Session, selection: &mut Selection, choice: &Choice) {
    let lines = warn::against(session, choice);
    give_after(session, selection, std::slice::from_ref(choice), lines);
}

fn choose(session: &Session, selection: &mut Selection, id: Id) {
    let unit = session.shown().unit(id);
    if unit.side == session.player() && unit.is_up() {
        selection.choose(id);
    }
}

fn step(session: &Session, selection: &mut Selection, east: i16, south: i16) {
    let board = &session.shown().board;
    let own = selection.chosen.map(|id| session.shown().unit(id).at);
    let from = selection.cursor.or(own).unwrap_or_default();
    let last = (board.width() as i16 - 1, board.height() as i16 - 1);
    let x = (from.x + east).clamp(0, last.0);
    let to = Cell::new(x, (from.y + south).clamp(0, last.1));
    (selection.cursor, selection.by_keys, selection.looked_at) = (Some(to), true, None);
    selection.aimed = None;
    (selection.pinned, selection.refused, selection.mouse_rested) = (false, false, false);
}

/// The target of the last click, if it has left the cell under the cursor since.
pub(super) fn gone_target(session: &Session, selection: &Selection) -> Option<Id> {
    let (cell, id) = selection.aimed?;
    let is_left = !session.shown().on(cell).is_some_and(|p| p.is_up());
    (selection.cursor == Some(cell) && is_left).then_some(id)
}

/// Whether a second click was meant for a target that the first click removed; such a click is not
/// an order for the unit selected since. While other sides act, no click is an order.
fn is_late(session: &Session, selection: &mut Selection) -> bool {
    let gone = gone_target(session, selection).filter(|_| session.is_players_turn());
    let Some(gone) = gone else { return false };
    selection.aimed = None;
    let name = |id| session.game.names().title(id).to_owned();
    let next = selection.chosen.map_or(String::new(), |id| {
        let how = match selection.mouse_rested {
            true => "move the mouse before you click",
            false => "click again to confirm",
        };
        format!(" {} is selected: {how}.", name(id))
    });
    let what = match session.shown().unit(gone).is_up() {
        true => "is no longer there",
        false => "is out of the fight",
    };
    selection.show_toast(format!("{} {what}.{next}", name(gone)));
    true
}

fn go(
    session: &mut Session,
    selection: &mut Selection,
    (preview, plan_preview): (&ActionPreview, &PlanPreview),
) {
    if is_late(session, selection) {
        return;
    }
    let resting = selection.chosen.filter(|_| selection.mouse_rested);
    if let Some(id) = resting.filter(|_| session.is_players_turn() && session.held().is_none())
        && matches!(preview.click, Click::Nothing)
    {
        let name = session.game.names().title(id);
        return selection.show_toast(format!(
            "{name} is selected: move the mouse before you click."
        ));
    }
    let enemy = |id: Id| session.shown().unit(id).side != session.player();
    let at = preview.click.choice().and_then(|choice| choice.at);
    if let Some((cell, at)) = selection.cursor.zip(at.filter(|&id| enemy(id))) {
        selection.aimed = Some((cell, at));
    }
    match &preview.click {
        Click::Nothing if session.held().is_some() => match selection.by_keys {
            true => begin_after(session, selection, plan_preview),
            false => {
                selection.show_toast("Pick a unit to change its order, or begin the round.");
            }
        },
        Click::Nothing => {}
        Click::No(_) | Click::NoAttack(_) => glance(session, selection, preview),
        Click::Choose(id) => selection.choose(*id),
        click @ (Click::Move(_) | Click::Advance(_) | Click::Attack(_) | Click::Act { .. }) => {
            let lines = warn::against_click(session, selection, click);
            give_after(session, selection, click.orders(), lines);
        }
        Click::Plan(draft) => plan(session, selection, draft),
        Click::Aim { key, partial, .. } => {
            if selection.armed != Some(*key) {
                selection.disarm();
            }
            selection.armed = Some(*key);
            selection.partial_choices.push(partial.clone());
        }
    }
}

/// Says why a click does nothing, if it does nothing.
fn glance(session: &Session, selection: &mut Selection, preview: &ActionPreview) {
    let (Click::No(why) | Click::NoAttack(why)) = &preview.click else {
        return;
    };
    selection.refused = true;
    // In a cell without a unit, the board says it.
    let is_bare = |cell| session.shown().on(cell).is_none();
    let is_on_board = matches!(preview.click, Click::No(_));
    if !(is_on_board && selection.cursor.is_some_and(is_bare)) {
        selection.show_toast(why.clone());
    }
}

/// Reopens the last choice that was made, or closes the side panel, which gives its place back to the
/// log or the list of orders; false if there was neither. A prompt is answered before.
fn back(session: &Session, selection: &mut Selection) -> bool {
    selection.toast = None;
    if std::mem::take(&mut selection.confirming_end) {
        // Only the end of the turn is cancelled.
    } else if selection.more {
        selection.more = false;
    } else if selection.partial_choices.pop().is_some() || selection.waypoints.pop().is_some() {
        // One step back is enough.
    } else if selection.armed.is_some() {
        selection.disarm();
    } else if session.is_prompted() || selection.side_panel.take().is_none() {
        return session.is_prompted();
    }
    true
}

/// Adds or removes a waypoint at the cursor if a path leads there (GR-33).
fn add_waypoint(session: &mut Session, selection: &mut Selection, preview: &ActionPreview) {
    let Some(cell) = selection.cursor.filter(|_| session.is_players_turn()) else {
        return;
    };
    if selection.waypoints.last() == Some(&cell) {
        selection.waypoints.pop();
        return;
    }
    let Some(who) = selection.chosen.filter(|_| selection.armed.is_none()) else {
        return;
    };
    // A path may pass a cell where the unit can't stop, such as an ally's; so only the final path
    // decides whether the waypoint is possible.
    let own = session.shown().unit(who).at;
    let is_known = cell != own && session.shown().board.contains(cell);
    let in_reach = preview.reach.iter().any(|r| r.cell == cell);
    if is_known && (in_reach || session.shown().on(cell).is_some()) {
        selection.waypoints.push(cell);
    } else {
        selection.show_toast("Waypoints must be cells in reach.");
    }
}

fn nudge(session: &Session, selection: &mut Selection, preview: &ActionPreview, by: i32) {
    let Some(menu) = &preview.menu else { return };
    let Some(slider) = &menu.slider else { return };
    let now = match by.abs() > 1 {
        true => useful(session, menu, slider, by),
        false => slider.now + by,
    };
    let now = now.clamp(slider.least, slider.most);
    let mut partial = selection.partial_choice();
    partial.number = Some(now);
    selection.partial_choices.pop();
    selection.partial_choices.push(partial);
}

/// The target of a large step: for a move, the next value that reaches further; otherwise the next
/// round number.
fn useful(session: &Session, menu: &Menu, slider: &Slider, by: i32) -> i32 {
    let row = menu.rows.first().and_then(|row| row.choice());
    let preview = |choice: Choice| session.queries.preview_declaration(&choice);
    let far = |n: i32| {
        let numbered = row.map(|choice| choice.clone().number(n));
        numbered.map_or(0, |choice| preview(choice).reach.len())
    };
    let leads_further = |n: &i32| *n == slider.least || far(*n) > far(n - 1);
    let (now, stride) = (slider.now, slider.large_step());
    match (far(slider.most) > 0, by > 0) {
        (true, true) => (now + 1..=slider.most).find(leads_further),
        (true, false) => (slider.least..now).rev().find(leads_further),
        (false, true) => Some((now.div_euclid(stride) + 1) * stride),
        (false, false) => Some((now - 1).div_euclid(stride) * stride),
    }
    .unwrap_or(now + by)
}

fn cycle(session: &Session, selection: &mut Selection, preview: &ActionPreview, back: bool) {
    if selection.armed.is_some() {
        let targets = preview.targets.iter();
        let targets = targets.map(|&id| session.shown().unit(id).at);
        let marks: Vec<Cell> = targets.chain(preview.places.iter().copied()).collect();
        if let Some(cell) = next_of(&marks, selection.cursor, back) {
            (selection.cursor, selection.by_keys) = (Some(cell), true);
        }
        return;
    }
    let ready: Vec<Id> = session.idle_members().map(|p| p.id).collect();
    if let Some(id) = next_of(&ready, selection.chosen, back) {
        selection.choose(id);
        (selection.cursor, selection.by_keys) = (Some(session.shown().unit(id).at), true);
    }
}

/// The entry after or before `now` in a ring.
fn next_of<T: PartialEq + Copy>(ring: &[T], now: Option<T>, back: bool) -> Option<T> {
    let last = ring.len().checked_sub(1)?;
    let at = now.and_then(|now| ring.iter().position(|&t| t == now));
    let next = match back {
        true => at.unwrap_or(0) + last,
        false => at.unwrap_or(last) + 1,
    };
    Some(ring[next % ring.len()])
}

fn act(session: &mut Session, selection: &mut Selection, preview: &ActionPreview, key: char) {
    let act = preview.act(key).filter(|_| session.is_players_turn());
    let Some(act) = act else { return };
    if let Some(why) = &act.why_not {
        selection.show_toast(format!("{}: {why}", act.label));
        return;
    }
    let only = act.only().filter(|only| unaimed(session, only).is_none());
    if let Some(only) = only.cloned() {
        let mut lines = warn::against(session, &only);
        // The action happens at once and dice can't be undone, so the player confirms.
        let rolls = act.odds.iter().any(|odds| odds.percent.is_some());
        if rolls && !session.is_declaring() {
            let odds = act.odds.iter().map(crate::battle::OddsLine::words);
            lines.insert(0, format!("{} now? It can't be undone.", act.label));
            lines.extend(odds);
        }
        give_after(session, selection, &[only], lines);
        return;
    }
    if selection.armed == Some(key) {
        // Pressing the key again selects the next weapon; after the last one it disarms.
        let is_last = act.items.last() == act.item.as_ref();
        if is_last || !selection.partial_choices.is_empty() {
            selection.disarm()
        } else {
            other(selection, preview)
        }
        return;
    }
    let prefers = selection.prefers.filter(|item| act.items.contains(item));
    selection.disarm();
    (selection.armed, selection.prefers) = (Some(key), prefers);
    let first = open(&act.offers, &PartialChoice::default());
    let Some(Open::Aim { units, places }) = first else {
        return;
    };
    // Moves the cursor to the first target unless it is on one.
    let cell = |id: Id| session.shown().unit(id).at;
    let mut targets = units
        .iter()
        .map(|&id| cell(id))
        .chain(places.iter().copied());
    let on = selection.cursor;
    if on.is_some_and(|at| targets.clone().any(|target| target == at)) {
        return;
    }
    let harms = act.choices().any(|choice| session.queries.harms(choice));
    let target = match harms {
        true => harmful_aim(session, act, (&units, &places)),
        false => targets.next(),
    };
    if target.is_some() {
        (selection.cursor, selection.by_keys) = (target, true);
    }
}

/// Where a harmful action is aimed at first: at an enemy, or where it catches enemies and the fewest
/// allies. `None` if it can harm no enemy.
fn harmful_aim(
    session: &Session,
    act: &ActButton,
    (units, places): (&[Id], &[Cell]),
) -> Option<Cell> {
    let unit = |id: &Id| session.shown().unit(*id);
    let enemy = units.iter().find(|id| unit(id).side != session.player());
    let caught = |&to: &Cell| {
        let choice = act.choices().find(|choice| choice.to == Some(to))?;
        let (allies, enemies) = in_area(session, choice)?;
        let order = (allies.len(), Reverse(enemies.len()));
        (!enemies.is_empty()).then_some((order, to))
    };
    let place = || places.iter().filter_map(caught).min_by_key(|p| p.0);
    enemy
        .map(|id| unit(id).at)
        .or_else(|| place().map(|place| place.1))
}

/// Selects the next item that the action can use, or the next weapon for the attack that a click
/// would declare.
fn other(selection: &mut Selection, preview: &ActionPreview) {
    let planned = match &preview.click {
        Click::Plan(draft) => {
            let attack = draft.attack.as_ref();
            let with = attack.and_then(|attack| attack.choice.with);
            next_of(&draft.weapons, with, false)
        }
        _ => None,
    };
    let act = || preview.acts.iter().find(|a| a.is_on);
    let next = planned.or_else(|| act().and_then(|act| next_of(&act.items, act.item, false)));
    selection.prefers = next.or(selection.prefers);
}

/// Applies the choice of a row in the list.
fn reply(session: &mut Session, selection: &mut Selection, preview: &ActionPreview, n: usize) {
    // The target is picked when the action happens.
    if let (None, Some((choice, _))) = (&preview.menu, &preview.unaimed) {
        return give(session, selection, std::slice::from_ref(choice));
    }
    let Some(menu) = &preview.menu else { return };
    let passes = menu.rows.iter().rfind(|row| row.is_pass);
    let last = passes.or(menu.rows.last()).filter(|_| n == usize::MAX);
    match menu.rows.get(n).or(last).map(|row| &row.picks) {
        Some(Picks::Give(choice)) if !menu.company.is_empty() => {
            if let Err(refused) = session.react(choice) {
                selection.show_toast(capitalised(&refused.to_string()));
            }
            selection.disarm();
        }
        Some(Picks::Give(choice)) if menu.is_reaction => {
            give(session, selection, std::slice::from_ref(choice));
        }
        Some(Picks::Give(choice)) => give_warned(session, selection, choice),
        Some(Picks::Partial(partial)) => {
            selection.partial_choices.push(partial.clone());
            let act = preview.acts.iter().find(|act| act.is_on);
            let open = act.and_then(|act| open(&act.offers, partial));
            if let Some(Open::Nothing(choice)) = open
                && let Some(spell) = choice.spell.filter(|_| unaimed(session, &choice).is_some())
            {
                let name = capitalised(session.game.names().spell(spell));
                selection.show_toast(format!(
                    "{name}: click the target, or Enter to pick it later."
                ));
            }
            let at = partial.at.map(|id| session.shown().unit(id).at);
            if selection.by_keys {
                selection.cursor = at.or(selection.cursor);
            }
        }
        Some(Picks::Nothing(why)) => selection.show_toast(why.clone()),
        None => {}
    }
}

/// Keeps a unit selected that can still act, if there is one. The player may select others; the
/// selection moves on only after something happened. While orders are carried out, units with an
/// action left come first, unless the player has just acted with the selected unit.
pub(super) fn follow(
    session: Res<Session>,
    mut selection: ResMut<Selection>,
    mut seen: Local<(usize, usize, bool)>,
    mut round: Local<u16>,
) {
    // A secret answer causes no event, so answers count too.
    let (events, answers) = (session.shown().events, session.game.answered());
    let now = (events, answers, session.prompts_turn());
    // A loaded battle may have the same counts but no selection.
    if *seen == now && selection.chosen.is_some() {
        return;
    }
    *seen = now;
    // Once everyone has declared, the player picks the unit whose order changes.
    if !now.2 || session.held().is_some() {
        return;
    }
    let ready: Vec<Id> = session.idle_members().map(|p| p.id).collect();
    let mut able: Vec<Id> = session.awaiting_orders().map(|p| p.id).collect();
    if able.is_empty() || session.is_declaring() {
        able.clone_from(&ready);
    }
    let asked = session.question().map_or(&[][..], |q| &q.actors);
    let is_asked = selection.chosen.is_some_and(|id| asked.contains(&id));
    // Each round starts with the first unit, whichever was selected last.
    let begun = session.round();
    let is_new = std::mem::replace(&mut *round, begun) != begun;
    // The log was to be read for once: the next round has orders to review.
    selection.shows_log &= !is_new;
    let in_hand = session.acted_unplanned();
    let is_able = |id| able.contains(&id) || ready.contains(&id) && in_hand == Some(id);
    // The mouse rests where the target of its last click was.
    let is_gone = !selection.by_keys && gone_target(&session, &selection).is_some();
    if !is_new && selection.chosen.is_some_and(is_able) || is_asked && ready.is_empty() {
        selection.mouse_rested |= is_gone;
        return;
    }
    let from = if able.is_empty() { asked } else { &able };
    let last = selection.chosen.filter(|_| !is_new);
    let after = last.and_then(|now| from.iter().find(|&&id| id > now));
    if let Some(&id) = after.or(from.first()) {
        if is_new && selection.by_keys {
            selection.cursor = None;
        }
        let is_other = selection.chosen.is_some_and(|now| now != id);
        selection.choose(id);
        selection.mouse_rested =
            is_gone || is_other && selection.cursor.is_some() && !selection.by_keys;
    }
}
