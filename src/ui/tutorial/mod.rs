//! The coach: shows the steps of a level's lesson one after the other and points at what
//! each step is about. It never blocks play.
//!
//! - `card`: the coach card, frames and arrow
//! - `lesson_list`: the list of lessons on the title screen
//! - this file: which step is current

mod card;
mod lesson_list;

pub use card::CoachCard;
pub use lesson_list::{LessonButton, begin, lesson_list, next_lesson};

use super::{
    ActionPreview, Phase, Playback, Profile, Screen, Selection, Session,
    preview::MenuRow,
    profile,
    session::{self, Intent},
};
use crate::{
    battle::{Choice, EventKind, Id, State},
    levels::{CombatantIx, Lesson, LessonMark, Until},
};
use bevy::{prelude::*, ui_widgets::Activate};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Coach>();
    app.add_plugins((card::plugin, lesson_list::plugin));
    app.add_observer(press);
    app.add_systems(OnEnter(Screen::Battle), resume.after(session::begin));
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

/// Starts at the first step, or where the saved battle was left.
fn resume(session: Res<Session>, mut coach: ResMut<Coach>) {
    let step = session.game.lesson_step;
    *coach = Coach {
        step,
        furthest: step,
        ..default()
    };
}

/// Progress in the lesson of the running battle.
#[derive(Resource, Clone, PartialEq, Eq, Debug, Default)]
pub struct Coach {
    /// Index of the current step.
    pub step: usize,
    /// The player has closed the coach card.
    pub is_closed: bool,
    /// Highest step reached so far.
    furthest: usize,
    /// Steps completed by something that happened in the battle. If it is undone, the step
    /// is shown again. Steps completed only on the screen (selecting, pointing) are not
    /// included.
    done: BTreeSet<usize>,
    /// The step's condition was already met when the player came back to the step, and
    /// still is. The coach then waits until the player has met it again.
    was_met: bool,
    /// Why earlier steps were skipped, for the player.
    passed: Option<String>,
    /// Text above the step: why steps were skipped, which of the units that the step points at are
    /// out of the fight, and that a plan has done what it asks for.
    pub news: Option<String>,
    /// That the unit of the step has no action left for it.
    pub stuck: Option<String>,
    /// Number of answers in the battle at the last update, with declarations that wait for
    /// confirmation as one; a smaller one means an undo.
    given: usize,
    /// Number of answers when each round was first seen; 0 for the first one.
    rounds: BTreeMap<u16, usize>,
    /// The round in which each step began.
    began: BTreeMap<usize, u16>,
    undone: bool,
    was_asked: bool,
    /// When the coach last went on to another step by itself, as time since the start of the game.
    went_on: Option<Duration>,
    /// The units that the player has pointed at for [`LOOKED`] in this step, [`READ`] ago or more.
    pointed: BTreeSet<Id>,
    /// Reactions explained so far, by the names of their actions.
    explained: BTreeSet<String>,
    /// The action whose explanation is on screen: a reaction that is offered or used for the first
    /// time.
    pub explains: Option<String>,
    /// The explanation is about an offered reaction: hide it once the prompt is answered.
    explains_prompt: bool,
    /// The player must choose a reaction, and no setting answers automatically.
    is_prompted: bool,
}

impl Coach {
    /// Number of answers before the round in which a step began.
    fn since(&self, step: usize) -> usize {
        let began = self
            .began
            .get(&step)
            .and_then(|round| self.rounds.get(round));
        began.copied().unwrap_or(0)
    }

    /// The round in which an answer was given.
    fn round_of(&self, answer: usize) -> u16 {
        let mut began = self.rounds.iter();
        let last = began.rfind(|(_, before)| **before <= answer);
        last.map_or(0, |(round, _)| *round)
    }
}

/// How long the player must point at a unit for [`Until::Pointed`], so that moving the
/// pointer across it does not count.
const LOOKED: Duration = Duration::from_millis(1000);

/// How long the text of the step stays after that, as it is about what pointing shows.
const READ: Duration = Duration::from_millis(5000);

/// How long a prompt must stay open to count: settings answer theirs sooner.
const ASKED: Duration = Duration::from_millis(150);

/// How soon after the coach has gone on by itself a press on *Next* still means the step before.
const HASTY: Duration = Duration::from_millis(600);

/// Tracks which units the player has pointed at in this step, and how long a prompt has been open.
fn dwell(
    session: Option<Res<Session>>,
    (selection, playback): (Res<Selection>, Res<Playback>),
    time: Res<Time>,
    mut coach: ResMut<Coach>,
    (mut at, mut asked): (Local<(Option<Id>, Duration)>, Local<Duration>),
    // The step, and the time since each unit was looked at in it.
    mut looked: Local<(usize, BTreeMap<Id, Duration>)>,
) {
    let Some(session) = session.filter(|s| s.game.level().lesson.is_some()) else {
        return;
    };
    let under = selection.pointed(session.shown());
    let now = under.map(|p| p.id).or(selection.looked_at);
    match at.0 == now {
        true => at.1 += time.delta(),
        false => *at = (now, Duration::ZERO),
    }
    if looked.0 != coach.step {
        *looked = (coach.step, BTreeMap::new());
    }
    looked
        .1
        .values_mut()
        .for_each(|since| *since += time.delta());
    if let Some(unit) = now.filter(|_| at.1 >= LOOKED) {
        looked.1.entry(unit).or_default();
    }
    let is_read = |(unit, since): (&Id, &Duration)| (*since >= READ).then_some(*unit);
    let pointed: BTreeSet<Id> = looked.1.iter().filter_map(is_read).collect();
    *asked = match session.is_prompted() && !playback.busy {
        true => *asked + time.delta(),
        false => Duration::ZERO,
    };
    let is_prompted = *asked >= ASKED;
    if coach.pointed != pointed || coach.is_prompted != is_prompted {
        (coach.pointed, coach.is_prompted) = (pointed, is_prompted);
    }
}

#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoachButton {
    /// Closes the explanation of a reaction.
    Understood,
    /// Continues to the next step, whether this one is done or not.
    Next,
    Back,
    Close,
    Open,
}

fn press(
    on: On<Activate>,
    buttons: Query<&CoachButton>,
    (time, session): (Res<Time<Real>>, Option<Res<Session>>),
    mut coach: ResMut<Coach>,
    mut profile: ResMut<Profile>,
) {
    let is_hasty = coach.went_on.is_some_and(|at| time.elapsed() < at + HASTY);
    match buttons.get(on.entity) {
        Ok(CoachButton::Next) if is_hasty => {}
        Ok(button @ (CoachButton::Next | CoachButton::Back)) => {
            coach.step = match button {
                CoachButton::Next => coach.step + 1,
                _ => coach.step.saturating_sub(1),
            };
            (coach.was_met, coach.passed) = (true, None);
        }
        Ok(CoachButton::Understood) => {
            if let (Some(act), Some(session)) = (coach.explains.take(), session) {
                profile.explained.insert(explanation(&session, &act));
            }
        }
        Ok(CoachButton::Close) => coach.is_closed = true,
        Ok(CoachButton::Open) => coach.is_closed = false,
        Err(_) => {}
    }
}

/// Advances to the first step that is not done, or back to a step that the player has
/// undone.
fn follow(
    mut session: ResMut<Session>,
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    (time, profile): (Res<Time<Real>>, Res<Profile>),
    mut coach: ResMut<Coach>,
) {
    let Some(lesson) = &session.game.level().lesson else {
        return;
    };
    let mut now = coach.clone();
    let answers = session.game.answered();
    let given = answers + usize::from(session.held().is_some());
    let is_undo = given < now.given;
    now.undone |= is_undo;
    now.given = given;
    now.was_asked |= session.is_prompted();
    let round = session.shown().clock.round;
    now.rounds.retain(|known, _| *known <= round);
    let before_all = if now.rounds.is_empty() { 0 } else { answers };
    now.rounds.entry(round).or_insert(before_all);
    now.began.entry(now.step).or_insert(round);
    explain(&mut now, lesson, &session, (&preview, &profile));
    let met = |n: usize, now: &Coach| {
        let until = lesson.steps.get(n).and_then(|s| s.until.as_ref());
        // A step is over too once all units that it is about are out of the fight.
        let is_met = |until: &Until| {
            has_come_about(n, until, &session, &selection, now) || !gone(until, &session).is_empty()
        };
        until.map(|until| (until, is_met(until)))
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
    // Once the round of a `Round` step has begun, or the round of a `Declared` step runs, earlier
    // steps are skipped, done or not. A `Declared` step after a round to come is about that round.
    let until = |n: &usize| lesson.steps[*n].until.as_ref();
    let is_met = |n: &usize| met(*n, &now).is_some_and(|m| m.1);
    let is_begun =
        |n: &usize| matches!(until(n), Some(Until::Round(_) | Until::Declared)) && is_met(n);
    let is_to_come = |n: &usize| matches!(until(n), Some(Until::Round(_))) && !is_met(n);
    let before = now.step;
    let mut passed = None;
    let all = (now.step..lesson.steps.len()).take_while(|n| !is_to_come(n));
    let begun = all.filter(is_begun).last();
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
        // A player who goes back to read a step again stays there until it is done again.
        let is_old = now.step < now.furthest && now.was_met;
        if !is_met || is_old {
            now.was_met &= is_met;
            break;
        }
        if !has_come_about(now.step, until, &session, &selection, &now) {
            let names = names(&session, &gone(until, &session));
            passed = Some(format!("{names} out of the fight already: step skipped."));
        } else if *until == Until::Undone {
            // The step asked for the undo, so it must not bring earlier steps back.
            now.done.clear();
        } else if is_lasting(until) {
            passed = carried_out(until, &session, &now).or(passed);
            now.done.insert(now.step);
        }
        now.step += 1;
        now.pointed.clear();
        now.began.entry(now.step).or_insert(round);
        now.was_met = now.step < now.furthest;
    }
    now.furthest = now.furthest.max(now.step);
    if now.step != before {
        now.passed = passed;
        now.went_on = Some(time.elapsed());
    }
    (now.news, now.stuck) = news(&now, lesson, &session);
    session.bypass_change_detection().game.lesson_step = now.step;
    coach.set_if_neq(now);
}

/// Explains a reaction the first time it is offered to the player (until the prompt is
/// answered) or used by any unit (until the player closes the explanation). What was closed in an
/// earlier lesson is not explained again.
fn explain(
    now: &mut Coach,
    lesson: &Lesson,
    session: &Session,
    (preview, profile): (&ActionPreview, &Profile),
) {
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
    let offered = menu.flat_map(|menu| &menu.rows).filter_map(MenuRow::choice);
    let done = session
        .known_events()
        .filter_map(|event| match &event.what {
            EventKind::Acted { choice } => Some(choice),
            _ => None,
        });
    for (act, is_offer) in offered
        .map(|c| (c.verb.name, true))
        .chain(done.map(|c| (c.verb.name, false)))
    {
        if lesson.explains(act).is_some()
            && now.explained.insert(act.to_owned())
            && !profile.explained.contains(&explanation(session, act))
        {
            (now.explains, now.explains_prompt) = (Some(act.to_owned()), is_offer);
        }
    }
}

/// The explanation of a reaction, as the profile names it.
fn explanation(session: &Session, act: &str) -> String {
    format!("{}: {act}", session.game.rules().id)
}

/// The text above the step, see [`Coach::news`] and [`Coach::stuck`].
fn news(now: &Coach, lesson: &Lesson, session: &Session) -> (Option<String>, Option<String>) {
    let step = lesson.steps.get(now.step);
    let marks = step.iter().flat_map(|step| &step.at);
    let fallen = marks.filter_map(|mark| match mark {
        LessonMark::Unit(who) if is_out(session, *who) => Some(*who),
        _ => None,
    });
    let fallen: Vec<CombatantIx> = fallen.collect();
    let fallen =
        (!fallen.is_empty()).then(|| format!("{} out of the fight now.", names(session, &fallen)));
    let until = step.and_then(|step| step.until.as_ref());
    let stuck = until.and_then(|until| stuck(until, session));
    let all = now.passed.clone().into_iter().chain(fallen);
    let all: Vec<String> = all.collect();
    ((!all.is_empty()).then(|| all.join(" ")), stuck)
}

/// Says that a step is skipped because the unit's plan already did what it asks for.
fn carried_out(until: &Until, session: &Session, coach: &Coach) -> Option<String> {
    let Until::Used { act, who } = until else {
        return None;
    };
    let mut done = uses(coach.step, (act, *who), session, coach);
    let (order, _) = done.find(|(_, is_by_plan)| *is_by_plan)?;
    let name = &session.shown().unit(order.who?).name;
    Some(format!(
        "{name} has done that already, as ordered: step skipped."
    ))
}

/// The orders since a step began, each with its round. Declarations that
/// wait for confirmation are orders too.
fn orders<'s>(
    step: usize,
    session: &'s Session,
    coach: &'s Coach,
) -> impl Iterator<Item = (u16, &'s Choice)> {
    let since = coach.since(step);
    let given = session.game.answers().iter().enumerate().skip(since);
    let given = given.map(|(n, order)| (coach.round_of(n), order));
    let held = session.held().into_iter();
    let held = held.flat_map(|held| &held.plan.declared);
    given.chain(held.map(|order| (session.round(), order)))
}

/// The orders since a step began that do what it asks for with [`Until::Used`], each with whether
/// a plan gave it. Answers, not events: a declared action is no event yet.
fn uses<'s>(
    step: usize,
    (act, wanted): (&'s str, Option<CombatantIx>),
    session: &'s Session,
    coach: &'s Coach,
) -> impl Iterator<Item = (&'s Choice, bool)> {
    let is_it = move |order: &Choice| {
        let is_by = order.who.is_some_and(|who| is_meant(session, who, wanted));
        order.verb.name == act && is_by
    };
    let all = orders(step, session, coach).filter(move |(_, order)| is_it(order));
    all.map(move |(round, order)| (order, is_by_plan(session, round, order)))
}

/// Whether a step that asks for this unit is about a unit. `None` asks for any of the player's.
fn is_meant(session: &Session, who: Id, wanted: Option<CombatantIx>) -> bool {
    match wanted {
        Some(one) => who == id(one),
        None => session.shown().unit(who).side == session.player(),
    }
}

/// Whether the plan of a unit for a round gave this order, which its declarations did not name.
fn is_by_plan(session: &Session, round: u16, order: &Choice) -> bool {
    let intent = order.who.and_then(|who| session.intents().of(who, round));
    intent.is_some_and(|Intent { plan, .. }| {
        let is_its = plan.order.target().is_some() && plan.is_done_by(std::slice::from_ref(order));
        plan.is_begun && is_its && plan.declared.iter().all(|said| said.verb != order.verb)
    })
}

/// What to do if the unit that must meet a condition has nothing left to do it with this turn.
fn stuck(until: &Until, session: &Session) -> Option<String> {
    let (Until::Moved { who, .. } | Until::Used { who, .. }) = until else {
        return None;
    };
    let unit = session.shown().unit(id((*who)?));
    if !(session.is_players_turn() && unit.is_up() && session.is_done(unit)) {
        return None;
    }
    let remedy = match session.can_undo() {
        true => "click Undo at the top.",
        false => "click Next, or restart the lesson from the pause menu.",
    };
    let name = &unit.name;
    Some(format!("{name} has no action left for this step: {remedy}"))
}

/// The units' names with a verb: "Goblin 1 and Goblin 2 are".
fn names(session: &Session, who: &[CombatantIx]) -> String {
    let name = |of: &CombatantIx| session.shown().unit(id(*of)).name.clone();
    let all: Vec<String> = who.iter().map(name).collect();
    match &all[..] {
        [one] => format!("{one} is"),
        _ => format!("{} are", crate::words::list(all, "and")),
    }
}

/// Whether a unit has fallen or left the field. One that has not entered yet does not count, nor
/// one whose round has come but that is still on its way.
fn is_out(session: &Session, of: CombatantIx) -> bool {
    let unit = session.shown().unit(id(of));
    !(unit.is_up() || unit.state == State::Waiting)
}

/// The units that a condition is about, if all of them are out of the fight; else empty.
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

/// Whether a condition stays met until an undo. The others are about the screen, or fail again in
/// the next round.
fn is_lasting(until: &Until) -> bool {
    !matches!(
        until,
        Until::Pointed(_) | Until::Chosen(_) | Until::Declared | Until::Asked | Until::Undone
    )
}

fn id(of: CombatantIx) -> Id {
    Id(of.0)
}

/// Whether the condition of a step is met.
fn has_come_about(
    step: usize,
    until: &Until,
    session: &Session,
    selection: &Selection,
    coach: &Coach,
) -> bool {
    let shown = session.shown();
    let is_meant = |who: Id, wanted: &Option<CombatantIx>| is_meant(session, who, *wanted);
    let mut known_events = session.known_events();
    let mut orders = orders(step, session, coach).map(|(_, order)| order);
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
            // While events are applied, units that only pass through the area would count.
            let mut units = shown.units.iter().filter(|_| session.question().is_some());
            units.any(|p| p.is_up() && is_meant(p.id, who) && area.contains(&p.at))
                || orders.any(|order| is_sent(&order)) && known_events.any(|e| came(&e.what))
        }
        Until::Used { act, who } => uses(step, (act, *who), session, coach).next().is_some(),
        Until::Attacked(at) => {
            let is_target = |of: Id| at.iter().any(|one| id(*one) == of);
            let is_reaction = |order: &Choice| {
                profile::kinds(session.game.rules()).any(|kind| kind == order.verb)
            };
            let is_ordered = |order: &&Choice| {
                by(order, &None) && order.at.is_some_and(is_target) && !is_reaction(order)
            };
            let rolled = |what: &EventKind| match what {
                EventKind::AttackRolled { rolled_attack } => {
                    is_meant(rolled_attack.attack.by, &None) && is_target(rolled_attack.attack.at)
                }
                _ => false,
            };
            orders.any(|order| is_ordered(&order)) && known_events.any(|e| rolled(&e.what))
        }
        Until::Defeated(who) => who.iter().all(|of| is_out(session, *of)),
        Until::Pointed(at) => at.iter().any(|of| coach.pointed.contains(&id(*of))),
        Until::Chosen(who) => selection.chosen == Some(id(*who)),
        Until::Opened(door) => shown.board.door(*door) == Some(true),
        Until::Round(round) => u32::from(shown.clock.round) >= *round,
        Until::Declared => shown.clock.round > 0 && !session.is_before_round(),
        Until::Asked => coach.was_asked,
        Until::Undone => coach.undone,
    }
}

/// Marks the lesson as done once the player has won its level.
fn finish(session: Res<Session>, mut profile: ResMut<Profile>) {
    let level = session.game.level();
    let won = session.over() == Some(Some(session.player()));
    if won && level.lesson.is_some() && !profile.lessons.contains(&level.id) {
        profile.lessons.insert(level.id.clone());
    }
}

/// The lesson of the battle, unless the player has closed the coach card.
fn lesson<'s>(session: &'s Session, coach: &Coach) -> Option<&'s Lesson> {
    let lesson = session.game.level().lesson.as_ref();
    lesson.filter(|_| !coach.is_closed)
}
