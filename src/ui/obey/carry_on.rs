//! What members are to do is carried out when they are asked, as long as it comes
//! off; and what they did last is declared again.

use crate::{
    battle::Id,
    ui::{
        Playback, Selection, Session,
        preview::{
            Draft, again,
            carry::{Next, next},
        },
        session::Moment,
    },
};
use bevy::prelude::*;

/// One thing that somebody is to do now.
pub(super) fn carry_on(
    mut session: ResMut<Session>,
    mut selection: ResMut<Selection>,
    playback: Res<Playback>,
    mut asked: Local<Option<Moment>>,
) {
    if playback.busy || selection.warning.is_some() || !session.is_players_turn() {
        return;
    }
    let round = session.shown().clock.round;
    if session.intents().in_round(round).next().is_none() {
        return;
    }
    // What is the player's to answer stays so until something has happened.
    let now = Some(session.moment());
    if *asked == now {
        return;
    }
    match next(session.bypass_change_detection()) {
        Next::Ask => *asked = now,
        Next::Give(who, orders) => {
            let intent = session.intent(who).cloned();
            let meant = intent.as_ref().and_then(|i| i.at);
            let is_done = match &intent {
                Some(intent) if intent.at.is_none() => true,
                _ => orders.iter().any(|o| o.at == meant),
            };
            match session.give_planned(&orders) {
                Ok(()) if is_done => session.has_begun(who),
                Ok(()) => {}
                Err(why) => fails(&mut session, &mut selection, who, why.to_string()),
            }
            selection.disarm();
        }
        Next::Pass(choice) => {
            // It was on offer. Where it is refused after all, the player is asked.
            if session.give_planned(std::slice::from_ref(&choice)).is_err()
                && let Some(who) = choice.who
            {
                session.ask_again(who);
            }
        }
        Next::Fail(who, why) => fails(&mut session, &mut selection, who, why),
    }
}

/// The player hears of it, and is asked.
fn fails(session: &mut Session, selection: &mut Selection, who: Id, why: String) {
    let name = session.shown().person(who).name.clone();
    let first = why.lines().next().unwrap_or_default();
    let words = format!("{name} cannot do as planned: {first}.");
    session.fail(who, why);
    selection.choose(who);
    selection.say(words);
}

/// Declares a draft, and keeps what it is for.
pub(super) fn plan(session: &mut Session, selection: &mut Selection, draft: &Draft) {
    match session.give(&draft.orders) {
        Ok(()) => {
            selection.notice = None;
            selection.disarm();
            session.intend(draft.intent.clone());
        }
        Err(why) => selection.say(crate::battle::capitalised(&why.to_string())),
    }
}

/// The same as last round, or what is sensible, for the one in hand or for all
/// who have not declared yet.
pub(super) fn repeat(session: &mut Session, selection: &mut Selection, all: bool) {
    if !session.is_declaring() {
        selection.say("Nothing is to be declared now.");
        return;
    }
    if !all {
        let Some(who) = selection.chosen else { return };
        match again(session, who) {
            Some(draft) => plan(session, selection, &draft),
            None => selection.say("Nothing to repeat: declare by a click or by the buttons."),
        }
        return;
    }
    let mut done = vec![];
    while let Some(who) = undeclared(session, &done) {
        done.push(who);
        if let Some(draft) = again(session, who) {
            plan(session, selection, &draft);
        }
    }
}

/// The first who is to declare and has not been tried.
fn undeclared(session: &Session, tried: &[Id]) -> Option<Id> {
    let asked = session.question().filter(|_| session.is_declaring())?;
    let mut actors = asked.actors.iter().copied();
    actors.find(|who| !tried.contains(who))
}
