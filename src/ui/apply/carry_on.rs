//! Carries out plans when their units come up, repeats last round's orders, and declares drafts.

use crate::{
    battle::{Choice, Id, Refused, capitalised},
    ui::{
        Playback, Screen, Selection, Session,
        art::palette,
        board::{
            MapView,
            banner::{BRIEF, show_banner},
        },
        hud::next_supposition,
        preview::{
            Offers, OrderDraft, again, can_give_way,
            carry::{Went, go_on},
            intended, suggested,
        },
        selection::PlanChange,
        session::{ForAll, Intent, ShownMoment},
    },
    words::{list, possessive},
};
use bevy::prelude::*;

/// Carries out the next step of the side's plans.
pub(super) fn carry_on(
    mut session: ResMut<Session>,
    mut selection: ResMut<Selection>,
    playback: Res<Playback>,
    mut asked: Local<Option<ShownMoment>>,
) {
    if playback.busy || selection.warning.is_some() || !session.is_players_turn() {
        return;
    }
    // In rulesets that prompt units one by one, "Repeat all" continues with the next unit.
    if let Some(what) = session.bypass_change_detection().take_order_for_all() {
        return give_all(&mut session, &mut selection, what);
    }
    if let Some(parked) = session.bypass_change_detection().take_parked(None) {
        // The old order comes back because of what the toast says.
        let notice = selection.toast.clone();
        declare(&mut session, &mut selection, parked);
        if selection.toast.is_none() {
            selection.toast = notice;
        }
        return;
    }
    // A decision left to the player stays with the player until something happens.
    let now = Some(session.moment());
    if *asked == now {
        return;
    }
    // Checking whether a plan can continue must not mark the session as changed.
    let went = go_on(session.bypass_change_detection());
    if went != Went::Asks {
        session.set_changed();
    }
    match went {
        Went::Asks => *asked = now,
        Went::On => selection.disarm(),
        Went::Failed(who) => selection.choose(who),
    }
}

/// Shows a toast with the reason for each plan that fails, and a banner if the player now decides
/// for its unit.
pub(super) fn show_plan_failures(
    session: Res<Session>,
    mut selection: ResMut<Selection>,
    view: Res<MapView>,
    mut commands: Commands,
    mut transitions: MessageReader<StateTransitionEvent<Screen>>,
    mut seen_failures: Local<usize>,
) {
    let failures = session.intents().all_failures();
    if transitions.read().count() > 0 {
        // What failed before a battle was loaded is no news.
        *seen_failures = failures.len();
    }
    if let Some(last) = failures.last().filter(|_| failures.len() > *seen_failures) {
        let unit = session.shown().unit(last.who);
        let (name, why) = (&unit.name, last.reason.text(session.game.names()));
        let how = match last.reason.is_unneeded() {
            true => "is not needed",
            false => "failed",
        };
        selection.show_toast(format!("{name}'s plan {how}: {why}."));
        let prompt = session.prompt();
        if prompt.is_some_and(|q| q.actors.contains(&last.who)) {
            let words = (format!("{} turn", possessive(name)), palette::INK);
            let about = [Vec2::from(unit.middle())];
            show_banner(&mut commands, &view, words, &about, BRIEF);
        }
    }
    *seen_failures = failures.len();
}

/// Declares a draft and remembers its intent.
pub(super) fn plan(session: &mut Session, selection: &mut Selection, draft: &OrderDraft) {
    let order = intended(session, draft);
    let order = order.unwrap_or_else(|| session.said(draft.who(), draft.orders().to_vec()));
    declare(session, selection, order);
}

/// Gives orders. Those of the whole side, such as to finish declaring, need no further confirmation.
pub(super) fn give(session: &mut Session, selection: &mut Selection, orders: &[Choice]) {
    let who = orders.first().and_then(|order| order.who);
    match who.filter(|_| session.is_declaring()) {
        Some(who) => declare(session, selection, session.said(who, orders.to_vec())),
        None => {
            let given = session.give(orders);
            report(selection, given)
        }
    }
}

/// Gives an order of a unit. The last one before the round begins is held if the player wants to
/// review the plan first.
fn declare(session: &mut Session, selection: &mut Selection, order: Intent) {
    if selection.reviews && session.ends_declaring(&order.plan.declared) {
        session.set_held(Some(order));
        // Until a unit is picked, a click on the board changes no order.
        (selection.toast, selection.chosen) = (None, None);
        return selection.disarm();
    }
    let given = session.give_order(order);
    report(selection, given);
}

/// Clears the selection after accepted orders, or shows why they were refused.
fn report(selection: &mut Selection, given: Result<(), Refused>) {
    match &given {
        Ok(()) => {
            selection.toast = None;
            selection.disarm();
        }
        Err(why) => selection.show_toast(capitalised(&why.to_string())),
    }
}

/// Begins the round with the held declarations.
pub(super) fn begin(session: &mut Session, selection: &mut Selection) {
    selection.mouse_rested = false;
    report(selection, session.begin_round());
}

/// Declares the draft that a button of the strip offers.
pub(super) fn offered(session: &mut Session, selection: &mut Selection, what: Offers) {
    if !session.is_declaring() {
        selection.show_toast("Nothing to declare right now.");
        return;
    }
    let Some(who) = selection.chosen else { return };
    match what.draft(session, who) {
        Ok(draft) => plan(session, selection, &draft),
        Err(why) => selection.show_toast(why),
    }
}

/// Switches the selected unit to the next fallback.
pub(super) fn otherwise(session: &mut Session, selection: &mut Selection) {
    let Some(who) = selection.chosen else { return };
    let next = session.next_fallback(who);
    let name = session.shown().unit(who).name.clone();
    selection.show_toast(format!("If {name}'s plan fails: {}.", next.words()));
}

/// Applies a change from the list of orders.
pub(super) fn change_plan(session: &mut Session, selection: &mut Selection, change: PlanChange) {
    match change {
        PlanChange::Clear(who) => match session.clear_order(who) {
            true => {
                selection.toast = None;
                selection.choose(who);
            }
            false => selection.show_toast("This order can no longer be changed."),
        },
        PlanChange::Earlier(who) => session.move_in_sequence(who, -1),
        PlanChange::Later(who) => session.move_in_sequence(who, 1),
        PlanChange::Fallback(who) => {
            session.next_fallback(who);
        }
        PlanChange::ShowLog(shows) => selection.shows_log = shows,
        PlanChange::ShowHolding(shows) => selection.shows_holding = shows,
        PlanChange::Suppose(enemy) => {
            let now = session.supposed().get(&enemy).copied();
            let next = next_supposition(session, now);
            session.suppose(enemy, next);
        }
    }
}

/// Gives orders to all units without one. A unit whose order can't be repeated is left without one.
/// Orders that the player gave stay, also if they wait to be given again.
pub(super) fn give_all(session: &mut Session, selection: &mut Selection, what: ForAll) {
    if !session.is_declaring() {
        selection.show_toast("Nothing to declare right now.");
        return;
    }
    if let Some(who) = selection.withdrawn.take()
        && !session.can_edit(who)
    {
        // Nothing has taken the place of this order.
        selection.disarm();
        session.restore_orders();
    }
    let (mut done, mut without, mut has_given) = (vec![], vec![], false);
    // If all units have declared, the plan waits for confirmation.
    while session.held().is_none() {
        if let Some(parked) = session.take_parked(None) {
            declare(session, selection, parked);
            has_given = true;
            continue;
        }
        let Some(who) = undeclared(session, &done, what) else {
            break;
        };
        done.push(who);
        if what != ForAll::Rest && session.intent(who).is_some() {
            continue;
        }
        let draft = match what {
            ForAll::Suggest => suggested(session, who),
            ForAll::Repeat if session.has_ordered(who) => again(session, who),
            ForAll::Repeat => Err(String::from("it has had none")),
            ForAll::Rest => {
                let Some(choice) = session.queries.rest(who) else {
                    continue;
                };
                Ok(OrderDraft::of_choice(session, &choice))
            }
        };
        match draft {
            Ok(draft) => {
                plan(session, selection, &draft);
                has_given = true;
            }
            Err(why) => without.push(format!("{} ({why})", session.shown().unit(who).name)),
        }
    }
    if has_given && session.held().is_none() {
        session.order_all(what);
    }
    if !without.is_empty() {
        let names = list(without, "and");
        let what = match what {
            ForAll::Repeat => "No order to repeat",
            ForAll::Suggest | ForAll::Rest => "No suggestion",
        };
        selection.show_toast(format!("{what} for {names}: order them yourself."));
    }
}

/// The next unit that must declare and has not been tried. Suggested moves come last, because they
/// can end in another cell than the other orders.
fn undeclared(session: &Session, tried: &[Id], what: ForAll) -> Option<Id> {
    let asked = session.question().filter(|_| session.is_declaring())?;
    let actors = asked.actors.iter().copied();
    let mut actors = actors.filter(|who| !tried.contains(who));
    let mut stays = actors.clone();
    let stays = match what {
        ForAll::Suggest => stays.find(|&who| !can_give_way(session, who)),
        ForAll::Repeat | ForAll::Rest => None,
    };
    stays.or_else(|| actors.next())
}
