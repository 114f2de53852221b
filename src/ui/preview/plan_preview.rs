//! The preview of the rest of the round, from the declarations and the draft under the cursor.

use super::{
    ActionPreview, Click, Offers, OrderDraft,
    risks::{Risks, risks},
    timeline::{BoardView, Frame, PlannedAct, RoundTimeline, act_in_round, timeline},
};
use crate::{
    battle::{Choice, Id},
    control::simulation::{ROUNDS, Simulation, Situation},
    ui::{
        Phase, Screen, Selection, Session,
        session::{
            Intent, ShownMoment,
            thinking::{FrameWait, Pondering, Thinking},
        },
        shown::UnitView,
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
            .after(super::update)
            .run_if(in_state(Screen::Battle)),
    );
}

/// The draft that the hovered button offers.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Offered(pub Option<OrderDraft>);

/// State, selected unit and hovered button.
type Asked = (ShownMoment, Id, Offers);

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
    // Previewing a draft is not a change of the session.
    let session = session.bypass_change_detection();
    let draft = |(_, who, what): &Asked| what.draft(session, *who).ok();
    let draft = asked.as_ref().and_then(draft);
    *seen = asked;
    offered.set_if_neq(Offered(draft));
}

/// The drafts of all presets for the selected unit.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Presets {
    pub drafts: Vec<Result<OrderDraft, String>>,
    seen: Option<(ShownMoment, Id)>,
}

fn prepare(mut session: ResMut<Session>, selection: Res<Selection>, mut presets: ResMut<Presets>) {
    let count = session.queries.ruleset_ui.presets.len();
    let asked = selection
        .chosen
        .filter(|_| count > 0 && session.is_declaring());
    let seen = asked.map(|who| (session.moment(), who));
    if presets.seen == seen {
        return;
    }
    let session = session.bypass_change_detection();
    let of = |who| Vec::from_iter((0..count).map(|n| Offers::Preset(n).draft(session, who)));
    let drafts = asked.map(of).unwrap_or_default();
    *presets = Presets { drafts, seen };
}

/// The previewed part of the round, as an index into the timeline's frames.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PreviewedMoment(pub Option<usize>);

impl PreviewedMoment {
    /// The previewed board, if it is known.
    pub fn frame<'a>(&self, preview: &'a PlanPreview) -> Option<&'a Frame> {
        preview.timeline.as_ref()?.frames.get(self.0?)
    }
}

/// The expected rest of the round, as far as the player can know.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct PlanPreview {
    /// `None` if there are no plans.
    pub timeline: Option<RoundTimeline>,
    /// The draft under the cursor or on a hovered button.
    pub draft: Option<OrderDraft>,
    pub risks: BTreeMap<Id, Risks>,
    /// Success rates; `None` until simulated.
    pub simulation: Option<Simulation>,
    /// What was last known about the given orders alone.
    without_draft: Option<GivenOrders>,
    seen: Option<Seen>,
    /// What the preview will show once it is computed.
    next: Option<Seen>,
}

/// What is known about the orders of a state, without any draft.
#[derive(Clone, PartialEq, Debug)]
struct GivenOrders {
    moment: ShownMoment,
    simulation: Simulation,
    risks: BTreeMap<Id, Risks>,
}

/// State and draft of a preview.
type Seen = (ShownMoment, Option<OrderDraft>);

/// What simulated rounds show.
struct Simulated {
    simulation: Simulation,
    /// The actions of plans that mostly succeed although the expected timeline has them fail.
    acts: Vec<PlannedAct>,
    /// The success rates without the draft, if it would replace an order whose rate is unknown.
    given: Option<Simulation>,
}

impl PlanPreview {
    /// A copy without its time, to compare what is shown.
    pub fn timeless(&self) -> Self {
        Self {
            seen: None,
            next: None,
            ..self.clone()
        }
    }

    /// Adopts simulation results. A plan that mostly succeeds is shown as succeeding, even if it
    /// fails when every die is average; and where parts of the round have no numbers, at its
    /// likeliest time, as the labels say.
    fn take(&mut self, simulated: Simulated) {
        let Simulated {
            simulation,
            acts,
            given,
        } = simulated;
        if let Some(timeline) = &mut self.timeline {
            for act in acts {
                timeline.failures.remove(&act.who);
                timeline.acts.retain(|known| known.who != act.who);
                timeline.acts.push(act);
            }
            let likely = simulation.plans.iter().filter_map(|(who, outcome)| {
                let (when, _) = outcome.likeliest()?;
                when.count.is_none().then_some((*who, when))
            });
            if !timeline.is_sure {
                likely.for_each(|(who, when)| timeline.move_last(who, when));
            }
        }
        let (given, risks) = match &self.draft {
            None => (Some(simulation.clone()), self.risks.clone()),
            Some(_) => (given, BTreeMap::new()),
        };
        if let Some(((moment, _), simulation)) = self.seen.as_ref().zip(given) {
            self.without_draft = Some(GivenOrders {
                moment: *moment,
                simulation,
                risks,
            });
        }
        self.simulation = Some(simulation);
    }

    /// The success rates; while those with a new draft are simulated, those of the same state without
    /// a draft, so that numbers beside the board do not come and go with the cursor.
    fn latest_simulation(&self) -> Option<&Simulation> {
        let then = self.given_orders().map(|then| &then.simulation);
        self.simulation.as_ref().or(then)
    }

    fn given_orders(&self) -> Option<&GivenOrders> {
        let then = self.without_draft.as_ref();
        then.filter(|then| self.knows_plans(then.moment))
    }

    /// The success rates of a unit's given order, never those of a draft in its place.
    pub fn simulation_of_order(&self, session: &Session, who: Id) -> Option<&Simulation> {
        match self.replaces_order(session, who) {
            true => self.given_orders().map(|then| &then.simulation),
            false => self.latest_simulation(),
        }
    }

    /// The risks of a unit's given order, never those of a draft in its place.
    pub fn risks_of_order(&self, session: &Session, who: Id) -> Option<&Risks> {
        match self.replaces_order(session, who) {
            true => self.given_orders()?.risks.get(&who),
            false => self.risks.get(&who),
        }
    }

    /// Whether the preview shows a draft of the unit that is not its given order.
    pub fn replaces_order(&self, session: &Session, who: Id) -> bool {
        self.is_draft(who) && !self.is_held(session)
    }

    /// Whether the draft is the order that waits for confirmation, and so was given.
    pub fn is_held(&self, session: &Session) -> bool {
        let (Some(held), Some(draft)) = (session.held(), &self.draft) else {
            return false;
        };
        let (held, draft) = (&held.plan, &draft.intent.plan);
        let is_same = !held.is_aimed || held.order == draft.order;
        held.who == draft.who && held.declared == draft.declared && is_same
    }

    /// Success rate of a unit's plan, in percent.
    pub fn success_rate(&self, who: Id) -> Option<u32> {
        self.simulation.as_ref()?.success_rate(who)
    }

    /// Whether a unit's order mostly goes ahead, as far as it is simulated.
    pub fn mostly_succeeds(&self, who: Id) -> bool {
        let rate = self.latest_simulation().and_then(|s| s.success_rate(who));
        rate.is_none_or(|rate| rate >= MOSTLY)
    }

    /// The pairs of units whose plans end in the same cell.
    pub fn shared_ends(&self) -> impl Iterator<Item = (Id, Id)> {
        self.risks.iter().flat_map(|(&who, risks)| {
            let later = risks.shares_end.iter().filter(move |&&other| who < other);
            later.map(move |&other| (who, other))
        })
    }

    /// Whether it shows the current state and draft.
    pub fn is_current(&self) -> bool {
        self.next.is_none()
    }

    /// Whether it shows the plans of the current state, whatever the draft.
    pub fn knows_plans(&self, now: ShownMoment) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.0 == now)
    }

    /// Whether the draft that it will show once it is computed is an attack.
    pub fn drafts_attack(&self) -> bool {
        let next = self.next.as_ref().and_then(|seen| seen.1.as_ref());
        next.is_some_and(|draft| draft.attack.is_some())
    }

    /// Whether it shows this draft.
    pub fn knows(&self, draft: &OrderDraft) -> bool {
        self.is_current() && self.draft.as_ref() == Some(draft)
    }

    /// Whether the unit's plan is only a draft.
    pub fn is_draft(&self, who: Id) -> bool {
        self.draft.as_ref().is_some_and(|d| d.who() == who)
    }

    fn moment(&self) -> Option<ShownMoment> {
        let seen = self.next.as_ref().or(self.seen.as_ref());
        seen.map(|seen| seen.0)
    }

    /// Switches to a new state or draft. The old preview stays until the new one is ready, unless
    /// the battle changed or went back.
    fn turn_to(
        &mut self,
        seen: Seen,
        session: &Session,
    ) -> Option<Thinking<Option<RoundTimeline>>> {
        if self.seen.as_ref() == Some(&seen) {
            self.next = None;
            return None;
        }
        let draft = seen.1.as_ref();
        let situation = || session.situation(draft.map(|draft| &draft.intent.plan));
        let situation = has_plans(session, draft).then(situation);
        let Some(situation) = situation.flatten() else {
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
            timeline(&situation, &view, dropped)
        }))
    }
}

/// Previews the round on a background thread: in a large battle it takes longer than a frame.
fn preview_plans(
    session: Res<Session>,
    (action, offered): (Res<ActionPreview>, Res<Offered>),
    frame_wait: Res<FrameWait>,
    mut preview: ResMut<PlanPreview>,
    mut looked: ResMut<PreviewedMoment>,
    mut thinks: Local<Option<Thinking<Option<RoundTimeline>>>>,
) {
    let mut wait = Duration::ZERO;
    if session.is_changed() || action.is_changed() || offered.is_changed() {
        let seen = (session.moment(), draft(&session, &action, &offered));
        if preview.next.as_ref().or(preview.seen.as_ref()) != Some(&seen) {
            // In a new state the preview starts at the present.
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
    let risks = |timeline: &RoundTimeline| all_risks(&session, timeline, draft.as_ref());
    *preview = PlanPreview {
        risks: found.as_ref().map(risks).unwrap_or_default(),
        timeline: found,
        draft,
        seen,
        without_draft: preview.without_draft.take(),
        ..PlanPreview::default()
    };
}

/// The draft that is offered, under the cursor, or waiting for confirmation.
fn draft(session: &Session, preview: &ActionPreview, offered: &Offered) -> Option<OrderDraft> {
    let pointed = match &preview.click {
        Click::Plan(draft) => Some((**draft).clone()),
        // A declaration with a target has no intent: it happens without another decision.
        click if session.is_declaring() => {
            click.choice().map(|c| OrderDraft::of_choice(session, c))
        }
        _ => None,
    };
    let held = || session.held().cloned().map(OrderDraft::of);
    offered.0.clone().or(pointed).or_else(held)
}

/// Whether the player decides now and there is a plan to preview.
fn has_plans(session: &Session, draft: Option<&OrderDraft>) -> bool {
    let is_open = |who| {
        let intent = session.intent(who);
        intent.is_some_and(|intent| !intent.plan.is_begun)
    };
    let mut own = session.shown().members(session.player());
    let is_declared = |p: &UnitView| session.is_declaring() && !p.plan.is_empty();
    // Units that act at once wait for each other's choices.
    let has_chosen = |p: &UnitView| session.game.chosen(p.id).is_some();
    let is_planned = |p: &UnitView| is_open(p.id) || is_declared(p) || has_chosen(p);
    let has_plans = draft.is_some() || own.any(is_planned);
    session.is_players_turn() && has_plans
}

/// The risks of each plan and of the draft.
fn all_risks(
    session: &Session,
    timeline: &RoundTimeline,
    draft: Option<&OrderDraft>,
) -> BTreeMap<Id, Risks> {
    let pointed = draft.map(|draft| &draft.intent);
    let pointed = pointed.filter(|intent| intent.plan.has_purpose());
    let all = declared(session).into_iter().chain(pointed.cloned());
    // The draft takes the place of its unit's order.
    let all: BTreeMap<Id, Intent> = all.map(|intent| (intent.who(), intent)).collect();
    let of = |(&who, intent): (&Id, &Intent)| (who, risks(session, timeline, intent, all.values()));
    all.iter().map(of).collect()
}

/// The plans that the player's side has declared this round and not begun.
pub(super) fn declared(session: &Session) -> Vec<Intent> {
    let (shown, intents) = (session.shown(), session.intents());
    let round = shown.clock.round;
    let own = |who: Id| Some(shown.unit(who)).filter(|p| p.side == session.player());
    let aimed = intents.in_round(round).filter(|i| !i.plan.is_begun);
    let aimed = aimed.filter(|i| own(i.who()).is_some());
    // While declaring, done only means that the unit has finished declaring.
    let is_under_way = |p: &UnitView| {
        let is_done = p.done && !session.is_declaring();
        p.is_up() && !p.plan.is_empty() && !is_done
    };
    let is_open = |order: &&Choice| {
        let unit = order.who.and_then(own);
        unit.is_some_and(is_under_way) && order.at.is_some()
    };
    let unplanned = intents.unplanned_in(round).filter(is_open);
    let unplanned = unplanned.map(|order| OrderDraft::of_choice(session, order).intent);
    aimed.cloned().chain(unplanned).collect()
}

/// Percent of rounds that counts as mostly.
const MOSTLY: u32 = 50;

/// Simulates plans and draft on a background thread, so that nothing waits for it.
fn simulate(
    session: Res<Session>,
    mut preview: ResMut<PlanPreview>,
    time: Res<Time>,
    mut ponders: Local<Pondering<Seen, Option<Simulated>>>,
) {
    let is_known = preview.timeline.is_some() && preview.is_current();
    let is_asked = is_known && preview.simulation.is_none();
    let asked = preview.seen.clone().filter(|_| is_asked);
    let (draft, timeline) = (&preview.draft, &preview.timeline);
    let found = ponders.of(asked, time.delta_secs(), || {
        let situation = session.situation(draft.as_ref().map(|draft| &draft.intent.plan))?;
        let view = BoardView::of(&session);
        let failing = timeline.iter().flat_map(|known| known.failures.keys());
        let failing: Vec<Id> = failing.copied().collect();
        let seed = session.game.seed();
        let is_unknown = |who: Id| {
            let is_given = session.intent(who).is_some() || !session.declarations(who).is_empty();
            is_given && preview.replaces_order(&session, who) && preview.given_orders().is_none()
        };
        let replaced = draft.as_ref().is_some_and(|draft| is_unknown(draft.who()));
        let given = replaced.then(|| session.situation(None)).flatten();
        Some(Thinking::of(move |dropped| {
            let found = simulated(&situation, &view, (&failing, seed), dropped)?;
            let given = given.and_then(|given| given.simulate((seed, ROUNDS), dropped));
            Some(Simulated { given, ..found })
        }))
    });
    // Without plans there is nothing to simulate, which is a result too.
    if let Some(found) = found.flatten() {
        preview.take(found);
    }
}

fn simulated(
    situation: &Situation,
    view: &BoardView,
    (failing, seed): (&[Id], u64),
    dropped: &dyn Fn() -> bool,
) -> Option<Simulated> {
    let simulation = situation.simulate((seed, ROUNDS), dropped)?;
    let act = |&who: &Id| {
        let rate = simulation.success_rate(who).filter(|rate| *rate >= MOSTLY);
        let first = rate.and(simulation.plans.get(&who)?.first)?;
        act_in_round(situation, view, (who, first))
    };
    let acts = failing.iter().filter_map(act).collect();
    Some(Simulated {
        simulation,
        acts,
        given: None,
    })
}
