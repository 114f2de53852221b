//! The coach: tells the steps of a level that teaches, one after the other,
//! and points at what each speaks of. It never stands in the way of play.
//!
//! - `card`: what the coach says, and where it points
//! - `shelf`: the lessons on the title screen
//! - this file: which step it is

mod card;
mod shelf;

pub use card::CoachCard;
pub use shelf::{LessonButton, shelf};

use super::{Phase, Profile, Screen, Selection, Session};
use crate::{
    battle::{EventKind, Id},
    levels::{CombatantIx, Lesson, Until},
};
use bevy::{prelude::*, ui_widgets::Activate};
use std::collections::BTreeSet;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Coach>();
    app.add_plugins((card::plugin, shelf::plugin));
    app.add_observer(press);
    app.add_systems(OnEnter(Screen::Battle), |mut coach: ResMut<Coach>| {
        *coach = Coach::default();
    });
    app.add_systems(
        Update,
        (
            follow.run_if(
                resource_exists_and_changed::<Session>
                    .or_else(resource_changed::<Selection>)
                    .or_else(resource_changed::<Coach>),
            ),
            finish.run_if(resource_exists_and_changed::<Session>),
        )
            .in_set(Phase::Foresee)
            .run_if(in_state(Screen::Battle)),
    );
}

/// Which step of the lesson it is.
#[derive(Resource, Clone, PartialEq, Eq, Debug, Default)]
pub struct Coach {
    pub step: usize,
    /// The player would rather be left alone.
    pub is_closed: bool,
    /// The last step that it has been.
    furthest: usize,
    /// Steps whose wish came true, each on the field and not on the screen
    /// only: they are to be done again if that is taken back.
    done: BTreeSet<usize>,
    /// The step is met as things stand, which it was already when the player
    /// went back to it.
    was_met: bool,
    /// How many answers there were, to see when some are taken back.
    answers: usize,
    undone: bool,
    was_asked: bool,
}

/// The buttons of the coach.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoachButton {
    /// On to the next step, done or not.
    Next,
    Back,
    Close,
    Open,
}

fn press(on: On<Activate>, buttons: Query<&CoachButton>, mut coach: ResMut<Coach>) {
    match buttons.get(on.entity) {
        Ok(CoachButton::Next) => {
            coach.step += 1;
            coach.was_met = true;
        }
        Ok(CoachButton::Back) => {
            coach.step = coach.step.saturating_sub(1);
            coach.was_met = true;
        }
        Ok(CoachButton::Close) => coach.is_closed = true,
        Ok(CoachButton::Open) => coach.is_closed = false,
        Err(_) => {}
    }
}

/// Goes on to the first step that is still to be done, and back to one that was
/// undone.
fn follow(session: Res<Session>, selection: Res<Selection>, mut coach: ResMut<Coach>) {
    let Some(lesson) = &session.game.level().lesson else {
        return;
    };
    let mut now = coach.clone();
    let answers = session.game.answered();
    let is_undo = answers < now.answers;
    now.undone |= is_undo;
    now.answers = answers;
    now.was_asked |= session.is_prompted();
    let met = |n: usize, now: &Coach| {
        let until = lesson.steps.get(n).and_then(|s| s.until.as_ref());
        until.map(|until| (until, is_met(until, &session, &selection, now)))
    };
    let is_bidden = lesson.steps.get(now.step).and_then(|s| s.until.as_ref());
    if is_undo && is_bidden != Some(&Until::Undone) {
        let lost = now
            .done
            .iter()
            .find(|&&n| met(n, &now).is_some_and(|m| !m.1));
        if let Some(&lost) = lost {
            now.done.split_off(&lost);
            (now.step, now.furthest) = (lost, lost);
        }
    }
    // A round that has begun leaves behind what was to be done before it, done
    // or not.
    let is_begun = |n: &usize| {
        let until = lesson.steps[*n].until.as_ref();
        matches!(until, Some(Until::Round(_))) && met(*n, &now).is_some_and(|m| m.1)
    };
    let begun = (now.step..lesson.steps.len()).rfind(is_begun);
    if let Some(begun) = begun.filter(|_| now.step >= now.furthest) {
        now.step = begun;
    }
    while let Some((until, is_met)) = met(now.step, &now) {
        // Who goes back to read a step again is not sent on before it is done
        // again.
        let is_old = now.step < now.furthest && now.was_met;
        if !is_met || is_old {
            now.was_met &= is_met;
            break;
        }
        if *until == Until::Undone {
            // What was taken back as it bade is not to be done again.
            now.done.clear();
        } else if is_lasting(until) {
            now.done.insert(now.step);
        }
        now.step += 1;
        now.was_met = now.step < now.furthest;
    }
    now.furthest = now.furthest.max(now.step);
    coach.set_if_neq(now);
}

/// It has come about on the field, not only on the screen.
fn is_lasting(until: &Until) -> bool {
    !matches!(
        until,
        Until::Pointed(_) | Until::Chosen(_) | Until::Asked | Until::Undone
    )
}

fn id(of: CombatantIx) -> Id {
    Id(of.0)
}

/// Whether what a step waits for has come about.
fn is_met(until: &Until, session: &Session, selection: &Selection, coach: &Coach) -> bool {
    let shown = session.shown();
    let person = |of: CombatantIx| shown.person(id(of));
    let is_out = |of: &CombatantIx| !person(*of).is_there() || !person(*of).is_up();
    let is_mine = |who: Id| shown.person(who).side == session.player();
    // This one, or any of the player's.
    let is_meant = |who: Id, wanted: &Option<CombatantIx>| match wanted {
        Some(one) => who == id(*one),
        None => is_mine(who),
    };
    let gone = |who: &Option<CombatantIx>| who.as_ref().is_some_and(is_out);
    let mut told = session.told();
    match until {
        Until::Moved { who, area } => {
            let mut people = shown.people.iter();
            gone(who)
                || people.any(|p| p.is_up() && is_meant(p.id, who) && area.contains(&p.at))
                || told.any(|e| match &e.what {
                    EventKind::Moved { who: by, to, .. } => is_meant(*by, who) && area.contains(to),
                    _ => false,
                })
        }
        Until::Used { act, who } => {
            gone(who)
                || told.any(|e| match &e.what {
                    EventKind::Acted { choice } => {
                        choice.verb.name == act && choice.who.is_some_and(|by| is_meant(by, who))
                    }
                    _ => false,
                })
        }
        Until::Attacked(at) => {
            at.iter().all(is_out)
                || told.any(|e| match &e.what {
                    EventKind::AttackRolled { shot } => {
                        let is_aimed = at.iter().any(|of| id(*of) == shot.attack.at);
                        is_mine(shot.attack.by) && is_aimed
                    }
                    _ => false,
                })
        }
        Until::Defeated(who) => who.iter().all(is_out),
        Until::Pointed(at) => {
            let under = selection
                .cursor
                .and_then(|cell| shown.on(cell))
                .map(|p| p.id);
            let looked = [under, selection.looked_at];
            at.iter().all(is_out) || at.iter().any(|of| looked.contains(&Some(id(*of))))
        }
        Until::Chosen(who) => is_out(who) || selection.chosen == Some(id(*who)),
        Until::Opened(door) => shown.board.door(*door) == Some(true),
        Until::Round(round) => u32::from(shown.clock.round) >= *round,
        Until::Asked => coach.was_asked,
        Until::Undone => coach.undone,
    }
}

/// Who wins the level has done the lesson.
fn finish(session: Res<Session>, mut profile: ResMut<Profile>) {
    let level = session.game.level();
    let won = session.over() == Some(Some(session.player()));
    if won && level.lesson.is_some() && !profile.lessons.contains(&level.id) {
        profile.lessons.insert(level.id.clone());
    }
}

/// The lesson of the battle, unless the player has closed it.
fn lesson<'s>(session: &'s Session, coach: &Coach) -> Option<&'s Lesson> {
    let lesson = session.game.level().lesson.as_ref();
    lesson.filter(|_| !coach.is_closed)
}
