//! The coach: tells the steps of a level that teaches, one after the other,
//! and points at what each speaks of. It never stands in the way of play.
//!
//! - `card`: what the coach says, and where it points
//! - `shelf`: the lessons on the title screen
//! - this file: which step it is

mod card;
mod shelf;

pub use card::CoachCard;
pub use shelf::{LessonButton, begin, next_lesson, shelf};

use super::{
    ActionPreview, Phase, Playback, Profile, Screen, Selection, Session, preview::Row, profile,
};
use crate::{
    battle::{Choice, EventKind, Id},
    levels::{CombatantIx, Lesson, Mark, Until},
};
use bevy::{prelude::*, ui_widgets::Activate};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

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
            dwell,
            follow.run_if(
                resource_exists_and_changed::<Session>
                    .or_else(resource_changed::<Selection>)
                    .or_else(resource_changed::<ActionPreview>)
                    .or_else(resource_changed::<Coach>),
            ),
            finish.run_if(resource_exists_and_changed::<Session>),
        )
            .chain()
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
    /// Why steps before this one were passed over, if so.
    passed: Option<String>,
    /// What has happened that the step does not speak of: whose step was passed
    /// over, and who of those that it points at has fallen.
    pub news: Option<String>,
    /// How many answers there were, to see when some are taken back.
    answers: usize,
    /// How many there were when each round was first seen: 0 for the first of all.
    rounds: BTreeMap<u16, usize>,
    /// The round in which each step began.
    began: BTreeMap<usize, u16>,
    undone: bool,
    was_asked: bool,
    /// The unit at which the player has pointed for a moment.
    pointed: Option<Id>,
    /// The reactions that were explained, by the names of their acts.
    explained: BTreeSet<String>,
    /// What is said of a reaction that may be taken, or was, for the first time.
    pub explains: Option<String>,
    /// It goes as soon as there is an answer.
    explains_prompt: bool,
    /// The player has to choose a reaction, and no setting does.
    is_prompted: bool,
}

impl Coach {
    /// How many answers came before the round in which a step began.
    fn since(&self, step: usize) -> usize {
        let began = self
            .began
            .get(&step)
            .and_then(|round| self.rounds.get(round));
        began.copied().unwrap_or(0)
    }
}

/// For how long the player points at a unit that a step asks to look at: passing over it
/// is not enough.
const LOOKED: Duration = Duration::from_millis(1000);

/// For how long a question stays that no setting answers by itself.
const ASKED: Duration = Duration::from_millis(150);

/// Waits until the pointer has been on a unit for a moment, and until a question has
/// stayed.
fn dwell(
    session: Option<Res<Session>>,
    (selection, playback): (Res<Selection>, Res<Playback>),
    time: Res<Time>,
    mut coach: ResMut<Coach>,
    (mut at, mut asked): (Local<(Option<Id>, Duration)>, Local<Duration>),
) {
    let Some(session) = session.filter(|s| s.game.level().lesson.is_some()) else {
        return;
    };
    let under = selection.cursor.and_then(|cell| session.shown().on(cell));
    let now = under.map(|p| p.id).or(selection.looked_at);
    match at.0 == now {
        true => at.1 += time.delta(),
        false => *at = (now, Duration::ZERO),
    }
    let pointed = now.filter(|_| at.1 >= LOOKED);
    *asked = match session.is_prompted() && !playback.busy {
        true => *asked + time.delta(),
        false => Duration::ZERO,
    };
    let is_prompted = *asked >= ASKED;
    if (coach.pointed, coach.is_prompted) != (pointed, is_prompted) {
        (coach.pointed, coach.is_prompted) = (pointed, is_prompted);
    }
}

/// The buttons of the coach.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoachButton {
    /// What was explained is understood.
    Understood,
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
            (coach.was_met, coach.passed) = (true, None);
        }
        Ok(CoachButton::Back) => {
            coach.step = coach.step.saturating_sub(1);
            (coach.was_met, coach.passed) = (true, None);
        }
        Ok(CoachButton::Understood) => coach.explains = None,
        Ok(CoachButton::Close) => coach.is_closed = true,
        Ok(CoachButton::Open) => coach.is_closed = false,
        Err(_) => {}
    }
}

/// Goes on to the first step that is still to be done, and back to one that was
/// undone.
fn follow(
    session: Res<Session>,
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    mut coach: ResMut<Coach>,
) {
    let Some(lesson) = &session.game.level().lesson else {
        return;
    };
    let mut now = coach.clone();
    let answers = session.game.answered();
    let is_undo = answers < now.answers;
    now.undone |= is_undo;
    now.answers = answers;
    now.was_asked |= session.is_prompted();
    let round = session.shown().clock.round;
    now.rounds.retain(|known, _| *known <= round);
    let before_all = if now.rounds.is_empty() { 0 } else { answers };
    now.rounds.entry(round).or_insert(before_all);
    now.began.entry(now.step).or_insert(round);
    explain(&mut now, lesson, &session, &preview);
    let met = |n: usize, now: &Coach| {
        let until = lesson.steps.get(n).and_then(|s| s.until.as_ref());
        until.map(|until| (until, is_met(n, until, &session, &selection, now)))
    };
    let is_bidden = lesson.steps.get(now.step).and_then(|s| s.until.as_ref());
    if is_undo && is_bidden != Some(&Until::Undone) {
        let lost = now
            .done
            .iter()
            .find(|&&n| met(n, &now).is_some_and(|m| !m.1));
        if let Some(&lost) = lost {
            now.done.split_off(&lost);
            now.began.split_off(&(lost + 1));
            (now.step, now.furthest) = (lost, lost);
        }
    }
    // A round that has begun leaves behind what was to be done before it, done
    // or not.
    let is_begun = |n: &usize| {
        let until = lesson.steps[*n].until.as_ref();
        matches!(until, Some(Until::Round(_))) && met(*n, &now).is_some_and(|m| m.1)
    };
    let before = now.step;
    let mut passed = None;
    let begun = (now.step..lesson.steps.len()).rfind(is_begun);
    if let Some(begun) = begun.filter(|_| now.step >= now.furthest) {
        if now.step < begun {
            let round = session.shown().clock.round;
            passed = Some(format!(
                "Round {round} has begun, so we continue from here."
            ));
        }
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
        if !has_come_about(now.step, until, &session, &selection, &now) {
            let names = names(&session, &gone(until, &session));
            passed = Some(format!("{names} out of the fight already: step skipped."));
        } else if *until == Until::Undone {
            // What was taken back as it bade is not to be done again.
            now.done.clear();
        } else if is_lasting(until) {
            now.done.insert(now.step);
        }
        now.step += 1;
        now.began.entry(now.step).or_insert(round);
        now.was_met = now.step < now.furthest;
    }
    now.furthest = now.furthest.max(now.step);
    if now.step != before {
        now.passed = passed;
    }
    now.news = news(&now, lesson, &session);
    coach.set_if_neq(now);
}

/// A reaction is explained the first time that the player may react so, until there is an
/// answer; or that a unit has reacted so, until the player has read it.
fn explain(now: &mut Coach, lesson: &Lesson, session: &Session, preview: &ActionPreview) {
    let is_prompted = now.is_prompted;
    if now.explains_prompt && !is_prompted {
        (now.explains, now.explains_prompt) = (None, false);
    }
    if now.explained.len() == lesson.reactions.len() {
        return;
    }
    let menu = preview
        .menu
        .iter()
        .filter(|menu| is_prompted && menu.is_docked());
    let offered = menu.flat_map(|menu| &menu.rows).filter_map(Row::choice);
    let done = session.told().filter_map(|event| match &event.what {
        EventKind::Acted { choice } => Some(choice),
        _ => None,
    });
    for (act, is_offer) in offered
        .map(|c| (c.verb.name, true))
        .chain(done.map(|c| (c.verb.name, false)))
    {
        if let Some(text) = lesson.explains(act)
            && now.explained.insert(act.to_owned())
        {
            (now.explains, now.explains_prompt) = (Some(text.to_owned()), is_offer);
        }
    }
}

/// What the player is told above the words of the step.
fn news(now: &Coach, lesson: &Lesson, session: &Session) -> Option<String> {
    let step = lesson.steps.get(now.step);
    let marks = step.iter().flat_map(|step| &step.at);
    let fallen = marks.filter_map(|mark| match mark {
        Mark::Person(who) if is_out(session, *who) => Some(*who),
        _ => None,
    });
    let fallen: Vec<CombatantIx> = fallen.collect();
    let fallen =
        (!fallen.is_empty()).then(|| format!("{} out of the fight now.", names(session, &fallen)));
    let all: Vec<String> = now.passed.clone().into_iter().chain(fallen).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// "Goblin 1 and Goblin 2 are", with the names of people.
fn names(session: &Session, who: &[CombatantIx]) -> String {
    let name = |of: &CombatantIx| session.shown().person(id(*of)).name.clone();
    let all: Vec<String> = who.iter().map(name).collect();
    match &all[..] {
        [one] => format!("{one} is"),
        _ => format!("{} are", crate::words::list(all, "and")),
    }
}

/// Has fallen or is gone; who is still to come is not.
fn is_out(session: &Session, of: CombatantIx) -> bool {
    let person = session.shown().person(id(of));
    let arrives = session.game.level().combatant(of).arrives;
    let is_to_come = arrives.is_some_and(|round| round > u32::from(session.shown().clock.round));
    !(is_to_come || person.is_there() && person.is_up())
}

/// Those whom a step is about, if all of them are out of the fight.
fn gone(until: &Until, session: &Session) -> Vec<CombatantIx> {
    let about: Vec<CombatantIx> = match until {
        Until::Moved { who, .. } | Until::Used { who, .. } => who.iter().copied().collect(),
        Until::Attacked(who) | Until::Pointed(who) => who.clone(),
        Until::Chosen(who) => vec![*who],
        _ => vec![],
    };
    match about.iter().all(|of| is_out(session, *of)) {
        true => about,
        false => vec![],
    }
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

/// Nothing is to be awaited any more: it has come about, or those whom the step
/// is about are out of the fight.
fn is_met(
    step: usize,
    until: &Until,
    session: &Session,
    selection: &Selection,
    coach: &Coach,
) -> bool {
    has_come_about(step, until, session, selection, coach) || !gone(until, session).is_empty()
}

/// What a step waits for has come about.
fn has_come_about(
    step: usize,
    until: &Until,
    session: &Session,
    selection: &Selection,
    coach: &Coach,
) -> bool {
    let shown = session.shown();
    let is_mine = |who: Id| shown.person(who).side == session.player();
    // This one, or any of the player's.
    let is_meant = |who: Id, wanted: &Option<CombatantIx>| match wanted {
        Some(one) => who == id(*one),
        None => is_mine(who),
    };
    let mut told = session.told();
    let orders = || {
        let all = session.game.answers();
        all.get(coach.since(step)..).unwrap_or_default().iter()
    };
    let by = |choice: &Choice, wanted: &Option<CombatantIx>| {
        choice.who.is_some_and(|who| is_meant(who, wanted))
    };
    match until {
        Until::Moved { who, area } => {
            let is_sent =
                |order: &&Choice| by(order, who) && order.to.is_some_and(|to| area.contains(&to));
            let came = |what: &EventKind| match what {
                EventKind::Moved { who: by, to, .. } => is_meant(*by, who) && area.contains(to),
                _ => false,
            };
            // Who passes by on the way to another place does not stand there.
            let mut people = shown.people.iter().filter(|_| session.question().is_some());
            people.any(|p| p.is_up() && is_meant(p.id, who) && area.contains(&p.at))
                || orders().any(|order| is_sent(&order)) && told.any(|e| came(&e.what))
        }
        Until::Used { act, who } => {
            // What is declared is an answer, and nothing that happens yet.
            orders().any(|order| order.verb.name == act && by(order, who))
        }
        Until::Attacked(at) => {
            let is_target = |of: Id| at.iter().any(|one| id(*one) == of);
            let is_reaction = |order: &Choice| {
                profile::kinds(session.game.rules()).any(|kind| kind == order.verb)
            };
            let is_ordered = |order: &&Choice| {
                by(order, &None) && order.at.is_some_and(is_target) && !is_reaction(order)
            };
            let rolled = |what: &EventKind| match what {
                EventKind::AttackRolled { shot } => {
                    is_mine(shot.attack.by) && is_target(shot.attack.at)
                }
                _ => false,
            };
            orders().any(|order| is_ordered(&order)) && told.any(|e| rolled(&e.what))
        }
        Until::Defeated(who) => who.iter().all(|of| is_out(session, *of)),
        Until::Pointed(at) => at.iter().any(|of| coach.pointed == Some(id(*of))),
        Until::Chosen(who) => selection.chosen == Some(id(*who)),
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
