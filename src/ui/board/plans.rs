//! Draws the plans of the player's side: paths, arrows, areas, and final positions. Only a preview
//! is dashed, not an order that was given.

use super::{
    Overlays, Stage, height,
    labels::{Bit, LabelSide},
    mark_painter::{
        Layer, Layers, MarkPainter, charge_line, is_near, rect_of, sight_line, space_at,
    },
    pieces::EDGE,
    sprites::at,
};
use crate::{
    battle::{Id, capitalised},
    control::orders::Fallback,
    grid::{Cell, Space},
    ui::{
        Playback, Selection, Session, Shown,
        art::{
            marks,
            palette::{self, Rgb},
        },
        hud::plan_list,
        preview::{
            PlanPreview, outcome,
            risks::Risks,
            timeline::{PlannedAct, RoundTimeline},
        },
        selection::Overlay,
        session::Failure,
        shown::{UnitView, middle},
        theme::TextStyle,
    },
    words::{count, uncapitalised},
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, lay.in_set(Stage::Mark));
}

fn lay(
    layers: Layers,
    session: Res<Session>,
    (selection, plan_preview): (Res<Selection>, Res<PlanPreview>),
    overlays: Res<Overlays>,
    (playback, time): (Res<Playback>, Res<Time>),
    (mut drawn, mut seen): (Local<Option<Picture>>, Local<SeenFailures>),
) {
    // Labels are hidden while an action plays.
    let seconds = match playback.busy {
        true => 0.0,
        false => time.delta_secs(),
    };
    let has_other_failures = seen.pass(&session, seconds);
    let looked_at = looked_at(&session, &selection, &plan_preview);
    let hovered = hovered(&session, &selection, &plan_preview);
    // The board shows arrows and ghosts, and one short label for the hovered plan; the list and
    // the card have the rest.
    let is_quiet = !overlays.has(Overlay::Numbers);
    let is_held = plan_preview.is_held(&session);
    let has_list = plan_list::is_shown(&session, &selection);
    let is_news = plan_preview.is_changed()
        || layers.is_renewed()
        || has_other_failures
        || drawn.as_ref().is_none_or(|drawn| {
            let seen = (
                drawn.looked_at,
                drawn.hovered,
                drawn.is_quiet,
                drawn.is_held,
            );
            seen != (looked_at, hovered, is_quiet, is_held)
        });
    if !is_news {
        return;
    }
    // An attack that is drafted next is marked by the action preview until this one knows it.
    let is_past = plan_preview.drafts_attack();
    let picture = Picture::of(
        &session,
        &plan_preview,
        (looked_at, hovered),
        (is_quiet, is_held, is_past),
        &seen,
    );
    // During the round much changes but no plan does, and a respawned label would flicker.
    let is_other = drawn.as_ref() != Some(&picture);
    let painter = layers.redraw(Layer::Plans, is_other, session.shown());
    let Some(mut painter) = painter else { return };
    let orders = picture.orders.clone();
    *drawn = Some(picture);
    let round = session.shown().clock.round;
    for failed in session.intents().failures(round) {
        // A failure is no longer shown once the unit's next plan is drafted.
        let is_past = plan_preview.is_draft(failed.who);
        let is_own = painter.shown.unit(failed.who).side == session.player();
        if is_own && !is_past && (!is_quiet || !has_list && seen.is_fresh(failed)) {
            painter.failure(failed.who, &failed.reason.text(session.game.names()));
        }
    }
    let Some(timeline) = &plan_preview.timeline else {
        return;
    };
    let simulation = plan_preview.simulation.as_ref();
    let ends = ends(&painter, &timeline.acts);
    // Plans waiting for confirmation are already in the list.
    let is_drafted = |who: Id| plan_preview.is_draft(who) && session.held().is_none();
    let is_named = |who: Id| !is_quiet || looked_at == Some(who) || is_drafted(who);
    let is_preview = |who: Id| plan_preview.is_draft(who) && !is_held;
    let is_outdated = |who: Id| is_past && plan_preview.is_draft(who);
    // The draft is what the player is about to do, so it always stays.
    let alpha = |who: Id, at_whom: Option<Id>| match plan_preview.is_draft(who) {
        true => 1.0,
        false => alpha(hovered, (who, at_whom)),
    };
    let ghosts = ghosts(painter.shown, &timeline.acts);
    for (n, act) in timeline.acts.iter().enumerate() {
        if is_outdated(act.who) {
            continue;
        }
        let is_draft = plan_preview.is_draft(act.who);
        let text = PlanLabelText::of(&session, &plan_preview, act.who);
        let chances = match &plan_preview.draft {
            Some(draft) if is_draft && act.at.is_some() => draft.attack.as_ref(),
            _ => None,
        };
        let chances = chances.map_or(vec![], |attack| painter.attack_lines(attack, None));
        painter.alpha = alpha(act.who, act.at);
        let target = act.at.filter(|&id| id != act.who).zip(act.target_at);
        let target = target.filter(|&(id, to)| painter.shown.unit(id).at != to);
        let way = target.map_or(vec![], |(id, to)| session.queries.long_path(id, to));
        painter.draw((act, &way), is_preview(act.who), &ghosts);
        // One label for a move and the action after it, and the short label only once. A spell is
        // labelled where it takes effect, not where casting begins.
        let goes_on = timeline.acts[n + 1..].iter().any(|next| {
            let is_part = next.when == act.when || next.is_spell && act.is_spell;
            next.who == act.who && (is_quiet || is_part)
        });
        // Plans expected to fail are labelled below, with the reasons.
        let fails = timeline.failures.contains_key(&act.who);
        if !goes_on && !fails && is_named(act.who) {
            let when = when(&plan_preview, timeline, act);
            let is_attack = chances.is_empty() && !act.is_spell && act.at.is_some();
            let odds = text.odds.into_iter().filter(|_| is_attack);
            let is_aimed = act.is_spell || act.at.is_some() || act.path.len() > 1;
            let text = PlanLabelText {
                chances,
                odds: odds.chain(act.does.iter().cloned()).collect(),
                is_tried: is_aimed && simulation.is_none(),
                share: match (is_draft || looked_at == Some(act.who), session.held()) {
                    _ if is_quiet => Share::Brief,
                    (true, _) => Share::All,
                    (false, Some(_)) => Share::Worst,
                    (false, None) => Share::Count,
                },
                ..text
            };
            painter.name(act, when, is_preview(act.who), text, &ends);
        }
    }
    for order in orders.iter().filter(|order| !is_outdated(order.who)) {
        painter.alpha = alpha(order.who, order.at);
        painter.order(order, timeline, is_preview(order.who));
    }
    painter.alpha = 1.0;
    for unit in session.shown().members(session.player()) {
        let is_wanted = looked_at == Some(unit.id) || session.is_declaring();
        let is_shown = timeline.acts.iter().any(|act| act.who == unit.id)
            || timeline.failures.contains_key(&unit.id);
        let is_open = is_wanted && !is_shown && !is_quiet;
        if is_open && unit.is_up() && !unit.plan.is_empty() {
            let text = PlanLabelText::of(&session, &plan_preview, unit.id);
            painter.open(unit, text);
        }
    }
    let failing = timeline.failures.keys();
    for &who in failing.filter(|&&who| is_named(who) && !is_outdated(who)) {
        // No reason before it is simulated: a plan that fails with average dice may mostly succeed.
        let text = PlanLabelText::of(&session, &plan_preview, who);
        let text = PlanLabelText {
            share: if is_quiet { Share::Brief } else { text.share },
            ..text
        };
        let draft = plan_preview.draft.as_ref().filter(|d| d.who() == who);
        let intent = draft.map(|draft| &draft.intent).or(session.intent(who));
        let what = intent.map_or_else(|| painter.plan(who), |intent| intent.label.clone());
        painter.doubtful(who, &what, text);
    }
}

/// When an action of a plan happens: "probably count 9".
pub fn when(plan_preview: &PlanPreview, timeline: &RoundTimeline, act: &PlannedAct) -> String {
    let simulation = plan_preview.simulation.as_ref();
    // Simulated is the time of the plan, which is that of its unit's last action: a charge before
    // it comes earlier.
    let last = timeline.acts.iter().rfind(|last| last.who == act.who);
    let simulation = simulation.filter(|_| last.is_none_or(|last| last.when == act.when));
    let outcome = simulation.and_then(|simulation| simulation.plans.get(&act.who));
    match (timeline.is_sure, outcome.and_then(outcome::when)) {
        (true, _) => act.when.in_line(),
        (false, Some(mostly)) => format!("usually {mostly}"),
        (false, None) => format!("probably {}", act.when.in_line()),
    }
}

/// Rank of the labels of failed plans.
const FAILURE: u32 = 5;
/// Seconds for which the label of a failed plan stays.
const FRESH: f32 = 4.0;

/// The failed plans of the round, each with the seconds for which it has been visible.
#[derive(Default)]
struct SeenFailures(Vec<(Failure, f32)>);

impl SeenFailures {
    /// Lets time pass; true if other failures are fresh than before.
    fn pass(&mut self, session: &Session, seconds: f32) -> bool {
        let round = session.shown().clock.round;
        self.0.retain(|(old, _)| {
            let mut failures = session.intents().failures(round);
            failures.any(|failed| failed == old)
        });
        let mut is_changed = false;
        for failed in session.intents().failures(round) {
            match self.0.iter_mut().find(|(old, _)| old == failed) {
                Some((_, age)) => {
                    let was_fresh = *age < FRESH;
                    *age += seconds;
                    is_changed |= was_fresh && *age >= FRESH;
                }
                None => {
                    self.0.push((failed.clone(), 0.0));
                    is_changed = true;
                }
            }
        }
        is_changed
    }

    fn is_fresh(&self, failed: &Failure) -> bool {
        let mut all = self.0.iter();
        all.any(|(old, age)| old == failed && *age < FRESH)
    }
}

/// Everything drawn for the plans; a redraw is needed only if it changes.
#[derive(PartialEq)]
struct Picture {
    plan_preview: PlanPreview,
    /// Failed plans, each with its unit's cell, and whether it is fresh.
    failures: Vec<(Failure, Cell, bool)>,
    /// Given orders and the draft, even orders that the timeline leaves out.
    orders: Vec<AimedOrder>,
    looked_at: Option<Id>,
    /// Only the marks of this unit are not faded.
    hovered: Option<Id>,
    /// Only the hovered plan has a label.
    is_quiet: bool,
    /// The draft is an order that was given.
    is_held: bool,
    /// The draft is no longer under the cursor.
    is_past: bool,
}

impl Picture {
    fn of(
        session: &Session,
        plan_preview: &PlanPreview,
        (looked_at, hovered): (Option<Id>, Option<Id>),
        (is_quiet, is_held, is_past): (bool, bool, bool),
        seen: &SeenFailures,
    ) -> Self {
        let round = session.shown().clock.round;
        let failures = session.intents().failures(round);
        let stands = |failed: &Failure| {
            let at = session.shown().unit(failed.who).at;
            (failed.clone(), at, seen.is_fresh(failed))
        };
        Self {
            plan_preview: plan_preview.timeless(),
            failures: failures.map(stands).collect(),
            orders: aimed_orders(session, plan_preview),
            looked_at,
            hovered,
            is_quiet,
            is_held,
            is_past,
        }
    }
}

/// An order with a target unit or cell.
#[derive(Clone, Copy, PartialEq, Debug)]
struct AimedOrder {
    who: Id,
    at: Option<Id>,
    to: Option<Cell>,
    is_spell: bool,
}

/// The orders of the player's side that have a target and are not begun, and the draft.
fn aimed_orders(session: &Session, plan_preview: &PlanPreview) -> Vec<AimedOrder> {
    let round = session.shown().clock.round;
    let of = |unit: &UnitView| {
        let who = unit.id;
        let draft = plan_preview.draft.as_ref().filter(|d| d.who() == who);
        let given = session.intent(who).filter(|i| !i.plan.is_begun);
        let intent = draft.map(|draft| &draft.intent).or(given);
        let mut said = session.intents().unplanned_in(round);
        let said = said.find(|order| order.who == Some(who) && order.at.is_some());
        let (at, to, is_spell) = match (intent, said.filter(|_| session.is_declaring())) {
            (Some(intent), _) => (
                intent.at(),
                intent.plan.order.cell(),
                intent.plan.is_spell(),
            ),
            (None, Some(order)) => (order.at, order.to, order.spell.is_some()),
            (None, None) => return None,
        };
        let order = AimedOrder {
            who,
            at,
            to,
            is_spell,
        };
        (at.is_some() || to.is_some()).then_some(order)
    };
    let own = session.shown().members(session.player());
    own.filter(|unit| unit.is_up()).filter_map(of).collect()
}

/// The unit whose plan is hovered: at its current or its final position.
fn looked_at(session: &Session, selection: &Selection, plan_preview: &PlanPreview) -> Option<Id> {
    if selection.looked_at.is_some() {
        return selection.looked_at;
    }
    let (cursor, timeline) = (selection.cursor?, plan_preview.timeline.as_ref()?);
    let pointed = selection.pointed(session.shown());
    let is_there = |act: &&PlannedAct| {
        let size = session.shown().unit(act.who).size;
        let end = act.path.last().filter(|_| act.path.len() > 1);
        let is_end = end.is_some_and(|&at| Space::new(at, size).contains(cursor));
        is_end || pointed.is_some_and(|unit| unit.id == act.who)
    };
    let found = timeline.acts.iter().find(is_there);
    found.map(|act| act.who)
}

/// The unit whose marks stand out while those of all others are faded: the unit of the hovered
/// plan, or the one under the cursor.
pub(super) fn hovered(
    session: &Session,
    selection: &Selection,
    plan_preview: &PlanPreview,
) -> Option<Id> {
    looked_at(session, selection, plan_preview).or_else(|| {
        let unit = selection.pointed(session.shown())?;
        unit.is_up().then_some(unit.id)
    })
}

/// Opacity of the marks of other units while one is hovered, from 0 to 1.
pub const FADED: f32 = 0.5;

/// The opacity of what a unit does to a target, from 0 to 1: not faded if it is about the hovered
/// unit or none is hovered.
pub(super) fn alpha(hovered: Option<Id>, (who, at_whom): (Id, Option<Id>)) -> f32 {
    match hovered {
        Some(hovered) if hovered != who && at_whom != Some(hovered) => FADED,
        _ => 1.0,
    }
}

/// Each moving unit where its path ends.
fn ghosts(shown: &Shown, acts: &[PlannedAct]) -> Vec<UnitView> {
    let moving = acts.iter().filter(|act| act.path.len() > 1);
    let ghost = |act: &PlannedAct| {
        let at = *act.path.last()?;
        let unit = shown.unit(act.who).clone();
        Some(UnitView { at, ..unit })
    };
    moving.filter_map(ghost).collect()
}

/// The text of a plan's label, apart from when it happens.
struct PlanLabelText {
    /// Chances of the attack in the draft, as lines.
    chances: Vec<Vec<Bit>>,
    /// Chances of declared actions, in short form.
    odds: Vec<String>,
    /// How often the plan succeeds.
    success: Option<String>,
    /// "; if it fails, do nothing"; empty if the plan is certain to succeed.
    fallback: String,
    /// Whether the plan is still being simulated.
    is_tried: bool,
    /// "not needed 72%: Sentry will be down by then".
    not_needed: Option<String>,
    /// Why it mostly fails, and how often: the reason that the card gives.
    main_failure: Option<String>,
    /// The risks and why it may fail.
    risks: Vec<String>,
    /// The risks without the failures.
    beside_rate: Vec<String>,
    share: Share,
}

/// How much of a plan a label says.
#[derive(PartialEq)]
enum Share {
    /// One line: its chance, or when it happens and how often it succeeds.
    Brief,
    /// Only the number of risks, or the risk if it is the only one.
    Count,
    /// The worst one, while the whole plan waits for confirmation.
    Worst,
    /// All of them, for the draft and the hovered plan.
    All,
}

impl PlanLabelText {
    /// Everything known about a plan.
    fn of(session: &Session, plan_preview: &PlanPreview, who: Id) -> Self {
        let simulation = plan_preview.simulation.as_ref();
        let risks = plan_preview.risks.get(&who);
        let fallback = risks.and_then(|risks| risks.fallback);
        let is_sure = simulation.is_some_and(|s| s.success_rate(who) == Some(100));
        let fallback = fallback.filter(|_| !is_sure).map(Fallback::words);
        let fallback = fallback.map_or(String::new(), |words| format!("; if it fails, {words}"));
        let success = simulation.and_then(|s| outcome::success_rate(s, who));
        let plain = Risks::default();
        let risks = risks.unwrap_or(&plain);
        let names = session.game.names();
        Self {
            chances: vec![],
            odds: vec![risks.odds.clone()],
            fallback: success.as_ref().map_or(String::new(), |_| fallback),
            success,
            is_tried: simulation.is_none(),
            not_needed: simulation.and_then(|s| outcome::not_needed(s, who, names)),
            main_failure: simulation.and_then(|s| outcome::main_share(s, who, names)),
            risks: risks.lines(session, simulation, who),
            beside_rate: risks.beside_rate(session, simulation, who),
            share: Share::All,
        }
    }

    fn lines(mut self) -> Vec<Vec<Bit>> {
        let small = |(words, ink): (String, Rgb)| vec![Bit::small(words, ink)];
        let mut lines = std::mem::take(&mut self.chances);
        lines.extend(self.words().into_iter().map(small));
        lines
    }

    /// Everything but the chances of the draft, one line each.
    fn words(self) -> Vec<(String, Rgb)> {
        let trying = || self.is_tried.then(|| String::from("simulating…"));
        let success = self.success.or_else(trying);
        if self.share == Share::Brief {
            let worst = self.main_failure;
            let worst = worst.or_else(|| self.risks.into_iter().next());
            let line = success.map(|words| (words, palette::INK));
            return Vec::from_iter(worst.map(|words| (words, palette::DANGER)).or(line));
        }
        if self.share == Share::Count {
            let risks = match &self.beside_rate[..] {
                [] => None,
                [risk] => Some(format!("risk: {risk}")),
                all => Some(count(all.len(), "risk")),
            };
            let ink = match risks {
                Some(_) => palette::DANGER,
                None => palette::FADED_INK,
            };
            let words: Vec<String> = success.into_iter().chain(risks).collect();
            return Vec::from_iter((!words.is_empty()).then(|| (words.join(" · "), ink)));
        }
        let odds = self.odds.into_iter().filter(|words| !words.is_empty());
        let mut lines = Vec::from_iter(odds.map(|words| (words, palette::INK)));
        let success = success.map(|words| words + &self.fallback);
        let gray = success.into_iter().chain(self.not_needed);
        lines.extend(gray.map(|words| (words, palette::FADED_INK)));
        let shown = match self.share {
            // A single further risk takes no more space than "and 1 more".
            Share::Worst if self.risks.len() > 2 => 1,
            _ => self.risks.len(),
        };
        let more = self.risks.len() - shown;
        let risks = self.risks.into_iter().take(shown);
        let more = (more > 0).then(|| format!("and {more} more"));
        let risks = risks.chain(more);
        lines.extend(risks.map(|words| (words, palette::DANGER)));
        lines
    }
}

/// Everything known about a unit's plan, for the card: how often it succeeds, when it happens and
/// what the unit gives up for it, what it costs and what can disrupt it. Empty without a plan.
pub fn facts(session: &Session, plan_preview: &PlanPreview, who: Id) -> Vec<(String, Rgb)> {
    let Some(timeline) = &plan_preview.timeline else {
        return vec![];
    };
    let Some(act) = timeline.acts.iter().rfind(|act| act.who == who) else {
        return unseen_facts(session, plan_preview, who);
    };
    let when = capitalised(&when(plan_preview, timeline, act));
    let draft = plan_preview.draft.as_ref().filter(|d| d.who() == who);
    let intent = draft.map(|draft| &draft.intent).or(session.intent(who));
    let gives_up = intent.map_or(vec![], |intent| session.gives_up(intent));
    let when = [vec![when], gives_up].concat().join("; ");
    let text = PlanLabelText::of(session, plan_preview, who);
    let text = PlanLabelText {
        // The draft's chances have their own place on the card.
        odds: match plan_preview.is_draft(who) {
            true => vec![],
            false => text.odds,
        },
        ..text
    };
    let mut facts = text.words();
    facts.insert(facts.len().min(1), (when, palette::TEAL));
    facts
}

/// What is known about a declaration that shows nothing on the board, such as a parley: its
/// chances, how often it goes ahead, and why it fails.
fn unseen_facts(session: &Session, plan_preview: &PlanPreview, who: Id) -> Vec<(String, Rgb)> {
    if !session.is_declaring() {
        return vec![];
    }
    let works = session.queries.rules.planning.works;
    let orders = session.declarations(who).into_iter();
    let orders = orders.filter(|order| works.contains(&order.verb));
    let odds = orders.flat_map(|order| session.queries.odds(order));
    let odds = odds.map(|odds| odds.words());
    let simulation = plan_preview.simulation.as_ref();
    let rate = simulation.and_then(|simulation| outcome::success_rate(simulation, who));
    let names = session.game.names();
    let failures = simulation.map_or(vec![], |s| {
        outcome::failures(s, who, names, MAX_UNSEEN_FAILURES)
    });
    let lines = odds.chain(rate).map(|words| (words, palette::INK));
    let failures = failures.into_iter().map(|words| (words, palette::DANGER));
    lines.chain(failures).collect()
}

/// Most reasons for which such a declaration fails, on the card.
const MAX_UNSEEN_FAILURES: usize = 3;
/// Label rank of the hovered plan.
const LOOKED_AT: u32 = 1;
/// Length of an arrow head, in cells.
const HEAD: f32 = 0.34;
/// Side of the mark of a spell, in cells.
const SPELL: f32 = 0.5;

impl MarkPainter<'_, '_, '_> {
    fn ink(&self, who: Id, is_draft: bool) -> Rgb {
        let rank = usize::from(self.shown.unit(who).rank);
        match is_draft {
            true => palette::TEAL,
            false => palette::SIDES[rank % palette::SIDES.len()],
        }
    }

    /// The path of a planned action, and the start and end of its arrow.
    fn path_and_arrow(&self, act: &PlannedAct) -> (Vec<Vec2>, Option<(Vec2, Vec2)>) {
        let size = self.shown.unit(act.who).size;
        let points: Vec<Vec2> = act.path.iter().map(|&c| middle(c, size).into()).collect();
        let aim = act.at.filter(|&id| id != act.who).and_then(|at_whom| {
            let target = self.target_space(act, at_whom);
            let (end, to) = (*points.last()?, rect_of(target).center());
            let edge = EDGE * f32::from(target.size.max(1));
            let along = (to - end).normalize_or_zero();
            Some((end + along * EDGE, to - along * edge))
        });
        (points, aim)
    }

    /// The space of the target of a planned action when the action happens.
    fn target_space(&self, act: &PlannedAct, at_whom: Id) -> Space {
        let target = self.shown.unit(at_whom);
        Space::new(act.target_at.unwrap_or(target.at), target.size)
    }

    /// The way of the target of a planned action to where it will be by then: a dotted path, or only
    /// its direction if no path is known.
    fn target_moves(
        &mut self,
        (act, way): (&PlannedAct, &[Cell]),
        at_whom: Id,
        ghosts: &[UnitView],
    ) {
        let (from, to) = (
            self.shown.unit(at_whom).space(),
            self.target_space(act, at_whom),
        );
        let (ink, px) = (palette::FADED_INK, self.px());
        let steps: Vec<(f32, f32)> = way.iter().map(|&c| middle(c, from.size)).collect();
        let picture = match steps[..] {
            [start, end] if !is_near(start.into(), end.into()) => {
                Some(marks::heading_arrow([start, end], from.size, ink, px))
            }
            _ => marks::dotted(&steps, ink, px),
        };
        if let Some(picture) = picture {
            let way = self.sprites.placed(picture, height::PATH);
            self.lay(way);
        }
        self.ghost(Some(at_whom), Some(to.at), ghosts);
    }

    /// Draws a planned action; `way` is that of its target until then, empty if it stays.
    fn draw(&mut self, (act, way): (&PlannedAct, &[Cell]), is_draft: bool, ghosts: &[UnitView]) {
        let ink = self.ink(act.who, is_draft);
        let (points, aim) = self.path_and_arrow(act);
        match act.at.filter(|_| act.is_charge) {
            Some(at_whom) => {
                // The charge follows its target, so it leads past its own ghost.
                let size = self.shown.unit(act.who).size;
                let target = self.target_space(act, at_whom);
                let line = charge_line(act.path[0], size, target);
                self.charge_arrow(line, ink, is_draft);
            }
            None => {
                let at_whom = act.at.filter(|_| aim.is_some());
                self.walk_and_attack((act, at_whom), &points, ink, is_draft);
            }
        }
        if points.len() > 1 {
            self.ghost(Some(act.who), act.path.last().copied(), ghosts);
        }
        if let Some(at_whom) = act.at.filter(|_| !way.is_empty()) {
            self.target_moves((act, way), at_whom, ghosts);
        }
        self.dangers(&act.provoked, &points);
        if !act.area.is_empty() {
            self.area(&act.area, palette::PURPLE);
        }
    }

    /// The steps of a planned action, and an arrow to its target or, without one, to the last cell.
    fn walk_and_attack(
        &mut self,
        (act, at_whom): (&PlannedAct, Option<Id>),
        points: &[Vec2],
        ink: Rgb,
        is_draft: bool,
    ) {
        let along = |before: Vec2, last: Vec2| (last - before).normalize_or_zero();
        let tip = match *points {
            _ if at_whom.is_some() => None,
            // Across the shared edge, above the unit: below it, only the tip would show.
            [before, last] => {
                let along = along(before, last);
                let point = (before + last) / 2.0 + along * HEAD / 2.0;
                Some((point, along, height::TARGET))
            }
            [.., before, last] => {
                let along = along(before, last);
                Some((last - along * EDGE, along, height::AIM))
            }
            _ => None,
        };
        // The shaft ends in the arrow head and does not cross the ghost behind it.
        let mut line = points.to_vec();
        if let (Some((point, along, _)), Some(end)) = (tip, line.last_mut()) {
            *end = point - along * HEAD / 2.0;
        }
        for step in line.windows(2) {
            self.stretch(step[0], step[1], (ink, height::AIM), is_draft);
        }
        if let (Some(at_whom), Some(&end)) = (at_whom, points.last()) {
            let target = self.target_space(act, at_whom);
            self.attack_arrow((act.who, end), target, act.is_spell, is_draft);
        }
        if let Some((point, along, z)) = tip {
            self.head(point, along, (ink, z));
        }
    }

    /// An arrow from the place where a unit acts to its target, with a mark at its end for a spell.
    pub(super) fn attack_arrow(
        &mut self,
        (who, end): (Id, Vec2),
        target: Space,
        is_spell: bool,
        is_draft: bool,
    ) {
        let ink = self.ink(who, is_draft);
        let to = rect_of(target).center();
        let size = self.shown.unit(who).size;
        let [start, _] = sight_line(&self.shown.board, space_at(end, size), target);
        let side = Vec2::from(self.heads.side(start.into(), to.into()));
        let point = to + side * EDGE * f32::from(target.size.max(1));
        match is_near(end, to) {
            true => self.brush((end, to), [size, target.size], ink),
            false => {
                // The line may begin at a corner of the space, outside the token.
                let along = (point - start).normalize_or_zero();
                let start = start + along * (EDGE - start.distance(end)).max(0.0);
                self.arrow_to(start, (point, -side), ink, is_draft);
            }
        }
        if is_spell {
            self.spell_mark(point);
        }
    }

    /// One straight arrow for a charge and its attack: from the edge of the charging unit's token
    /// to that of its target.
    pub(super) fn charge_arrow(&mut self, [from, to]: [Vec2; 2], ink: Rgb, is_draft: bool) {
        let edge = (to - from).normalize_or_zero() * EDGE;
        self.arrow(from + edge, to - edge, ink, is_draft);
    }

    /// A purple burst where a spell takes effect.
    pub(super) fn spell_mark(&mut self, place: Vec2) {
        let draw = |px| marks::burst(palette::PURPLE, px);
        let image = self.sprites.get_or_draw_sized("spell mark", SPELL, draw);
        self.place_image(&image, place, height::TARGET);
    }

    /// Draws an order straight to its target if the timeline does not show it, for example because
    /// it is expected to fail.
    fn order(&mut self, order: &AimedOrder, timeline: &RoundTimeline, is_draft: bool) {
        let size = self.shown.unit(order.who).size;
        let mut end = Vec2::from(self.shown.unit(order.who).middle());
        for act in timeline.acts.iter().filter(|act| act.who == order.who) {
            let is_way = !order.is_spell && order.at.is_none() && act.path.len() > 1;
            if act.at.is_some() || !act.area.is_empty() || is_way {
                return;
            }
            end = act.path.last().map_or(end, |&c| middle(c, size).into());
        }
        match (order.at, order.to) {
            (Some(at), _) if at != order.who => {
                let target = self.shown.unit(at).space();
                self.attack_arrow((order.who, end), target, order.is_spell, is_draft);
            }
            (None, Some(to)) => {
                let ink = self.ink(order.who, is_draft);
                let to = Vec2::from(middle(to, size));
                let along = (to - end).normalize_or_zero();
                self.arrow(end + along * EDGE, to, ink, is_draft);
                if order.is_spell {
                    self.spell_mark(to);
                }
            }
            _ => {}
        }
    }

    /// Labels a planned action with its time, its chances and its risks.
    fn name(
        &mut self,
        act: &PlannedAct,
        when: String,
        is_draft: bool,
        text: PlanLabelText,
        ends: &[Rect],
    ) {
        let rank = match text.share {
            Share::All => LOOKED_AT,
            _ => 100 + u32::from(act.who.0),
        };
        let ink = self.ink(act.who, is_draft);
        let (points, aim) = self.path_and_arrow(act);
        let about = match (aim, act.at, points.last()) {
            (Some(_), Some(target), _) if text.share == Share::Brief => {
                rect_of(self.target_space(act, target))
            }
            (Some((from, to)), ..) => {
                Rect::from_center_half_size((from + to) / 2.0, Vec2::splat(0.12))
            }
            (None, _, Some(&end)) => Rect::from_center_half_size(end, Vec2::splat(0.5)),
            (None, _, None) => return,
        };
        let missed = act.misses.map(|missed| {
            let words = format!("can't reach {}", self.shown.unit(missed).name);
            vec![Bit::small(words, palette::DANGER)]
        });
        let when = Bit::Words(when, TextStyle::Strong, ink);
        let lines = match text.share {
            Share::Brief => {
                let when = match text.success {
                    Some(rate) => vec![when, Bit::small(rate, palette::INK)],
                    None => vec![when],
                };
                let chance = text.chances.into_iter().next();
                vec![missed.or(chance).unwrap_or(when)]
            }
            _ => {
                let mut line = vec![self.whose(act.who), when];
                if act.is_spell {
                    line.push(Bit::small(act.what.clone(), palette::INK));
                }
                let lines = std::iter::once(line).chain(missed);
                lines.chain(text.lines()).collect()
            }
        };
        let step = |point: &Vec2| Rect::from_center_half_size(*point, Vec2::splat(0.3));
        let mut clear: Vec<Rect> = self.others(None).collect();
        clear.extend(ends);
        clear.extend(points.iter().map(step));
        self.label((about, clear), (rank, LabelSide::Above), lines);
    }

    /// The unit's name with a colon.
    fn whose(&self, who: Id) -> Bit {
        let name = &self.shown.unit(who).name;
        Bit::small(format!("{name}:"), palette::INK)
    }

    /// Labels a declared action that has no target and so no place on the board.
    fn open(&mut self, unit: &UnitView, text: PlanLabelText) {
        let plan = Bit::small(uncapitalised(&self.plan(unit.id)), palette::INK);
        let line = [vec![self.whose(unit.id), plan]];
        let lines = line.into_iter().chain(text.lines());
        self.corner(unit.id, lines.collect());
    }

    /// Labels a unit with the reason why its plan failed.
    fn failure(&mut self, who: Id, why: &str) {
        let line = vec![self.whose(who), Bit::small(why, palette::DANGER)];
        self.beside(who, vec![line], &[], FAILURE);
    }

    /// The ruleset's text for what the unit declared.
    fn plan(&self, who: Id) -> String {
        self.shown.unit(who).plan.to_string()
    }

    /// Labels a plan that is expected to fail: first the failure with its rate, then the plan and,
    /// in a long label, the chances that its actions would have.
    fn doubtful(&mut self, who: Id, what: &str, mut text: PlanLabelText) {
        let is_long = matches!(text.share, Share::All | Share::Worst);
        let odds = std::mem::take(&mut text.odds).into_iter();
        let odds = odds.filter(|words| is_long && !words.is_empty());
        let odds = odds.map(|words| vec![Bit::small(words, palette::INK)]);
        let words = Bit::small(uncapitalised(what), palette::INK);
        let mut lines = text.lines();
        lines.push(vec![self.whose(who), words]);
        lines.extend(odds);
        self.corner(who, lines);
    }

    fn corner(&mut self, who: Id, lines: Vec<Vec<Bit>>) {
        self.corner_label(rect_of(self.shown.unit(who).space()), 5, lines);
    }

    /// One segment of a path or an arrow, at height `z`.
    fn stretch(&mut self, from: Vec2, to: Vec2, (ink, z): (Rgb, f32), is_draft: bool) {
        match is_draft {
            false => self.line(from, to, (ink, z)),
            true => self.dashes(from, to, (ink, z)),
        }
    }

    fn dashes(&mut self, from: Vec2, to: Vec2, mark: (Rgb, f32)) {
        const DASH: f32 = 0.22;
        let way = to - from;
        let (length, along) = (way.length(), way.normalize_or_zero());
        let count = (length / (2.0 * DASH)).ceil().max(1.0);
        let step = length / count;
        for n in 0..count as u32 {
            let start = from + along * step * n as f32;
            self.line(start, start + along * step * 0.55, mark);
        }
    }

    /// A straight arrow.
    fn arrow(&mut self, from: Vec2, to: Vec2, ink: Rgb, is_draft: bool) {
        self.arrow_to(from, (to, (to - from).normalize_or_zero()), ink, is_draft);
    }

    /// An arrow whose head has its point at `to` and points `ahead`. It passes below the units on
    /// its way; its head lies above them, so that it is clear where it ends.
    fn arrow_to(&mut self, from: Vec2, (to, ahead): (Vec2, Vec2), ink: Rgb, is_draft: bool) {
        if from.distance(to) > 0.01 {
            self.stretch(from, to - ahead * 0.16, (ink, height::AIM), is_draft);
            self.head(to, ahead, (ink, height::TARGET));
        }
    }

    /// An arrow head with its point at `point`, at height `z`.
    fn head(&mut self, point: Vec2, along: Vec2, (ink, z): (Rgb, f32)) {
        let (name, draw) = (format!("arrow head {ink:?}"), |px| {
            marks::arrow_head(ink, px)
        });
        let image = self.sprites.get_or_draw_sized(name, HEAD, draw);
        let middle = point - along * image.size.x / 2.0;
        let turn = -along.y.atan2(along.x);
        let place = Transform::from_translation(at(middle, z + 0.01))
            .with_rotation(Quat::from_rotation_z(turn));
        self.lay((image.sprite(), place));
    }
}

/// Final positions of moving units, which labels must not hide.
fn ends(painter: &MarkPainter, acts: &[PlannedAct]) -> Vec<Rect> {
    let end = |act: &PlannedAct| {
        let size = painter.shown.unit(act.who).size;
        let end: Vec2 = middle(*act.path.last()?, size).into();
        let half = Vec2::splat(0.45 * f32::from(size.max(1)));
        Some(Rect::from_center_half_size(end, half))
    };
    acts.iter().filter_map(end).collect()
}
