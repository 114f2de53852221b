//! The rest of the round as the screen shows it: with what has been declared, and with
//! what is pointed at.

use super::{
    ActionPreview, Click, Draft, Offers,
    course::{BoardView, Course, Frame, PlannedAct, act_in_round, course},
    risks::{Risks, risks},
};
use crate::{
    battle::{Choice, Id},
    control::simulation::{ROUNDS, Simulation, Situation, Trial},
    ui::{
        Phase, Screen, Selection, Session,
        session::{
            Intent, Moment,
            thinking::{FrameWait, Pondering, Thinking},
        },
        shown::Person,
    },
};
use bevy::{picking::hover::Hovered, prelude::*};
use std::{collections::BTreeMap, time::Duration};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PlanPreview>()
        .init_resource::<Offered>()
        .init_resource::<Presets>()
        .init_resource::<PreviewedMoment>();
    app.add_systems(
        Update,
        (prepare, offer, preview_plans, simulate)
            .chain()
            .in_set(Phase::Foresee)
            .after(super::foresee)
            .run_if(in_state(Screen::Battle)),
    );
}

/// A draft that a button offers while the pointer is on it.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Offered(pub Option<Draft>);

/// The button that the pointer is on, at which moment, with whom in hand.
type Asked = (Moment, Id, Offers);

fn offer(
    buttons: Query<(&Offers, &Hovered)>,
    mut session: ResMut<Session>,
    selection: Res<Selection>,
    mut offered: ResMut<Offered>,
    mut seen: Local<Option<Asked>>,
) {
    let found = buttons.iter().find(|(_, hovered)| hovered.get());
    let asked = found
        .zip(selection.chosen)
        .filter(|_| session.is_declaring() && session.held().is_none())
        .map(|((&what, _), who)| (session.moment(), who, what));
    if *seen == asked {
        return;
    }
    // To look what it would be is no change.
    let session = session.bypass_change_detection();
    let draft = asked
        .as_ref()
        .and_then(|(_, who, what)| what.draft(session, *who).ok());
    *seen = asked;
    offered.set_if_neq(Offered(draft));
}

/// What each usual round would be for the one in hand.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Presets {
    pub drafts: Vec<Result<Draft, String>>,
    seen: Option<(Moment, Id)>,
}

fn prepare(mut session: ResMut<Session>, selection: Res<Selection>, mut presets: ResMut<Presets>) {
    let count = session.reads.reader.presets.len();
    if count == 0 && presets.seen.is_none() {
        return;
    }
    let asked = selection.chosen.filter(|_| session.is_declaring());
    let seen = asked.map(|who| (session.moment(), who));
    if presets.seen == seen {
        return;
    }
    let session = session.bypass_change_detection();
    let of = |who| {
        (0..count)
            .map(|n| Offers::Preset(n).draft(session, who))
            .collect()
    };
    let drafts = asked.map(of).unwrap_or_default();
    *presets = Presets { drafts, seen };
}

/// The part of the round at whose end the board is shown as it would be: its place among
/// the frames of the course.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PreviewedMoment(pub Option<usize>);

impl PreviewedMoment {
    /// What is shown, if it is known.
    pub fn frame<'a>(&self, preview: &'a PlanPreview) -> Option<&'a Frame> {
        preview.course.as_ref()?.frames.get(self.0?)
    }
}

/// What is to come of the round, as far as the player can know.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct PlanPreview {
    /// None where there are no plans.
    pub course: Option<Course>,
    /// What is pointed at besides.
    pub draft: Option<Draft>,
    /// What speaks against the plan of each unit.
    pub risks: BTreeMap<Id, Risks>,
    /// How often plans succeed. None: that is not known yet.
    pub simulation: Option<Simulation>,
    seen: Option<Seen>,
    /// What will be shown instead, as soon as it is known.
    next: Option<Seen>,
}

/// The moment of the preview, with what was pointed at.
type Seen = (Moment, Option<Draft>);

/// What is simulated: how often plans succeed, and the acts of those that mostly do,
/// though they are expected to fail.
type Simulated = (Simulation, Vec<PlannedAct>);

impl PlanPreview {
    /// The same, whenever it was.
    pub fn timeless(&self) -> Self {
        Self {
            seen: None,
            next: None,
            ..self.clone()
        }
    }

    /// What mostly succeeds is shown as it does then, though with every die as expected its
    /// target would be gone.
    fn take(&mut self, (simulation, acts): Simulated) {
        if let Some(course) = &mut self.course {
            for act in acts {
                course.failures.remove(&act.who);
                course.acts.retain(|known| known.who != act.who);
                course.acts.push(act);
            }
        }
        self.simulation = Some(simulation);
    }

    /// How often the plan of a unit succeeds, in percent.
    pub fn success_rate(&self, who: Id) -> Option<u32> {
        self.simulation.as_ref()?.success_rate(who)
    }

    /// It is that of what is pointed at, at this moment.
    pub fn is_current(&self) -> bool {
        self.next.is_none()
    }

    /// What would come of a draft is known.
    pub fn knows(&self, draft: &Draft) -> bool {
        self.is_current() && self.draft.as_ref() == Some(draft)
    }

    /// It is only pointed at.
    pub fn is_draft(&self, who: Id) -> bool {
        self.draft.as_ref().is_some_and(|d| d.who() == who)
    }

    fn moment(&self) -> Option<Moment> {
        let seen = self.next.as_ref().or(self.seen.as_ref());
        seen.map(|seen| seen.0)
    }

    /// Something else is to be shown. What was stays to be seen until that is known, but
    /// for another battle, or where the battle was gone back in.
    fn turn_to(&mut self, seen: Seen, session: &Session) -> Option<Thinking<Option<Course>>> {
        if self.seen.as_ref() == Some(&seen) {
            self.next = None;
            return None;
        }
        let draft = seen.1.as_ref();
        let situation = has_plans(session, draft)
            .then(|| session.situation(draft.map(Draft::to_simulate)))
            .flatten();
        let Some(situation) = situation else {
            *self = Self {
                draft: draft.cloned(),
                seen: Some(seen),
                ..Self::default()
            };
            return None;
        };
        if !self.moment().is_some_and(|then| then.leads_to(seen.0)) {
            *self = Self::default();
        }
        self.next = Some(seen);
        let view = BoardView::of(session);
        Some(Thinking::soon(move |dropped| {
            course(&situation, &view, dropped)
        }))
    }
}

/// Previews the round on a thread of its own: in a large battle that takes longer than a
/// frame.
fn preview_plans(
    session: Res<Session>,
    (action, offered): (Res<ActionPreview>, Res<Offered>),
    frame_wait: Res<FrameWait>,
    mut preview: ResMut<PlanPreview>,
    mut looked: ResMut<PreviewedMoment>,
    mut thinks: Local<Option<Thinking<Option<Course>>>>,
) {
    let mut wait = Duration::ZERO;
    if session.is_changed() || action.is_changed() || offered.is_changed() {
        let seen = (session.moment(), draft(&session, &action, &offered));
        if preview.next.as_ref().or(preview.seen.as_ref()) != Some(&seen) {
            // Another moment is looked at from its beginning.
            if preview.moment() != Some(seen.0) {
                looked.set_if_neq(PreviewedMoment(None));
            }
            *thinks = preview.turn_to(seen, &session);
            wait = frame_wait.0;
        }
    }
    let Some(found) = thinks.as_mut().and_then(|l| l.done_within(wait)) else {
        return;
    };
    *thinks = None;
    let seen = preview.next.clone();
    let draft = seen.as_ref().and_then(|seen| seen.1.clone());
    let risks = found
        .as_ref()
        .map(|course| all_risks(&session, course, draft.as_ref()));
    *preview = PlanPreview {
        course: found,
        risks: risks.unwrap_or_default(),
        draft,
        seen,
        ..PlanPreview::default()
    };
}

/// What is pointed at, offered, or waits for the player's word.
fn draft(session: &Session, preview: &ActionPreview, offered: &Offered) -> Option<Draft> {
    let pointed = match &preview.click {
        Click::Plan(draft) => Some((**draft).clone()),
        // What is declared with its target is no intent: it is done by itself.
        click if session.is_declaring() => click.choice().map(|c| Draft::settled(session, c)),
        _ => None,
    };
    let held = || session.held().map(Draft::held);
    offered.0.clone().or(pointed).or_else(held)
}

/// The player is asked, and there is something to be previewed.
fn has_plans(session: &Session, draft: Option<&Draft>) -> bool {
    let round = session.shown().clock.round;
    let is_open = |who| {
        !session
            .intents()
            .of(who, round)
            .is_none_or(|i| i.plan.is_begun)
    };
    let mut own = session.shown().members(session.player());
    let is_declared = |p: &Person| session.is_declaring() && !p.plan.is_empty();
    let has_plans = draft.is_some() || own.any(|p| is_open(p.id) || is_declared(p));
    session.is_players_turn() && has_plans
}

/// What speaks against each plan, and against what is pointed at.
fn all_risks(session: &Session, course: &Course, draft: Option<&Draft>) -> BTreeMap<Id, Risks> {
    let pointed = draft.filter(|draft| draft.is_plan());
    let pointed = pointed.map(|draft| (draft.intent.clone(), draft.is_aimed));
    let all = declared(session).into_iter().chain(pointed);
    all.map(|(intent, is_aimed)| (intent.who(), risks(session, course, &intent, is_aimed)))
        .collect()
}

/// What the player's side has declared in this round and has not begun. True: its target is
/// named when its moment comes; else it names its target itself, and nothing is asked.
fn declared(session: &Session) -> Vec<(Intent, bool)> {
    let (shown, intents) = (session.shown(), session.intents());
    let round = shown.clock.round;
    let own = |who: Id| Some(shown.person(who)).filter(|p| p.side == session.player());
    let aimed = intents.in_round(round).filter(|i| !i.plan.is_begun);
    let aimed = aimed.filter(|i| own(i.who()).is_some());
    // A unit that is done while all declare has only finished declaring.
    let is_under_way = |p: &Person| {
        let is_done = p.done && !session.is_declaring();
        p.is_up() && !p.plan.is_empty() && !is_done
    };
    let is_open = |order: &&Choice| {
        let person = order.who.and_then(own);
        person.is_some_and(is_under_way) && order.at.is_some()
    };
    let settled = intents.said_in(round).filter(is_open);
    let settled = settled.map(|order| (Draft::settled(session, order).intent, false));
    let aimed = aimed.map(|intent| (intent.clone(), true));
    aimed.chain(settled).collect()
}

/// Percent of the rounds: more often than not.
const MOSTLY: u32 = 50;

/// Simulates what is planned and what is pointed at, on a thread of its own, so that
/// nothing waits for it.
fn simulate(
    session: Res<Session>,
    mut preview: ResMut<PlanPreview>,
    time: Res<Time>,
    mut ponders: Local<Pondering<Seen, Option<Simulated>>>,
) {
    let is_known = preview.course.is_some() && preview.is_current();
    let is_asked = is_known && preview.simulation.is_none();
    let asked = preview.seen.clone().filter(|_| is_asked);
    let draft = &preview.draft;
    let course = &preview.course;
    let found = ponders.of(asked, time.delta_secs(), || {
        let situation = session.situation(draft.as_ref().map(Draft::to_simulate))?;
        let view = BoardView::of(&session);
        let failing = course.iter().flat_map(|course| course.failures.keys());
        let failing: Vec<Id> = failing.copied().collect();
        let seed = session.game.seed();
        Some(Thinking::of(move |dropped| {
            simulated(&situation, &view, (&failing, seed), dropped)
        }))
    });
    if let Some(found) = found.flatten().filter(|found| !found.0.plans.is_empty()) {
        preview.take(found);
    }
}

fn simulated(
    situation: &Situation,
    view: &BoardView,
    (failing, seed): (&[Id], u64),
    dropped: &dyn Fn() -> bool,
) -> Option<Simulated> {
    let trial = Trial {
        seed,
        rounds: ROUNDS,
        plans: true,
        enemies: false,
    };
    let simulation = situation.simulate(trial, dropped)?;
    let act = |&who: &Id| {
        let rate = simulation.success_rate(who).filter(|rate| *rate >= MOSTLY);
        let first = rate.and(simulation.plans.get(&who)?.first)?;
        act_in_round(situation, view, (who, first))
    };
    let acts = failing.iter().filter_map(act).collect();
    Some((simulation, acts))
}
