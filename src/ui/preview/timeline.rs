//! The expected timeline: the rest of a round if no enemy interferes, as the board shows it, with
//! who acts where and when, and the board after each part.

use super::walk;
use crate::{
    battle::{
        Choice, Event, EventKind, Id, Moment, Names, Provoked, Ruleset, TrackPart, TrackTime,
        Unknown, capitalised,
    },
    control::{
        exchange::harms,
        orders::Reason,
        simulation::{Fork, Observed, Situation},
    },
    grid::Cell,
    ui::{Session, ruleset_ui::RulesetUi, shown::UnitView},
    words::list,
};
use bevy::ecs::world::World;
use std::{collections::BTreeMap, sync::Arc};

/// An action that a unit is expected to take.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedAct {
    pub who: Id,
    pub when: Moment,
    /// From the current cell to the last one, both included.
    pub path: Vec<Cell>,
    pub at: Option<Id>,
    /// The cell where its target is expected then.
    pub target_at: Option<Cell>,
    /// Whether it is a charge in a straight line.
    pub is_charge: bool,
    /// The cells that it affects.
    pub area: Vec<Cell>,
    /// Whether that harms the units there.
    pub harms: bool,
    pub is_spell: bool,
    /// Effects of a spell on its targets: "1d8 damage".
    pub does: Vec<String>,
    /// The chances of its attack, with all units where they are expected then: "55% to hit, 10% to
    /// drop". Empty for other actions.
    pub chances: String,
    /// "Strike goblin 2 with short sword".
    pub what: String,
    /// The intended target that it can't reach.
    pub misses: Option<Id>,
    /// The attacks that it provokes, with all units where they are expected then.
    pub provoked: Vec<Provoked>,
}

/// The board after a part of the round.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    pub when: Moment,
    pub units: Vec<UnitView>,
}

impl Frame {
    /// Whether the board then looks different from a board with these units.
    pub fn differs_from(&self, units: &[UnitView]) -> bool {
        let looks = |unit: &UnitView| (unit.at, unit.state, unit.is_prone, unit.hp);
        let mut pairs = self.units.iter().zip(units);
        pairs.any(|(then, now)| (then.is_there() || now.is_there()) && looks(then) != looks(now))
    }
}

/// The expected rest of the round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RoundTimeline {
    /// Whether times are certain; otherwise they are likely.
    pub is_sure: bool,
    pub acts: Vec<PlannedAct>,
    /// In order.
    pub frames: Arc<[Frame]>,
    /// Plans expected to fail, with reasons.
    pub failures: BTreeMap<Id, Reason>,
}

impl RoundTimeline {
    /// Moves the last action of a unit to another part of the round, with what belongs to it.
    pub(super) fn move_last(&mut self, who: Id, to: &Moment) {
        let last = self.acts.iter().rfind(|act| act.who == who);
        let Some(from) = last.map(|act| act.when.clone()) else {
            return;
        };
        let acts = self.acts.iter_mut();
        for act in acts.filter(|act| act.who == who && act.when == from) {
            act.when = to.clone();
        }
    }
}

/// A copy of the display world's units for a background thread.
#[derive(Clone)]
pub struct BoardView {
    rules: &'static Ruleset,
    ruleset_ui: &'static RulesetUi,
    units: Vec<UnitView>,
    unknown: Unknown,
    is_sure: bool,
}

impl BoardView {
    pub fn of(session: &Session) -> Self {
        let rules = session.queries.rules;
        Self {
            rules,
            ruleset_ui: session.queries.ruleset_ui,
            units: session.shown().units.clone(),
            unknown: session.queries.unknown_to(session.player()),
            is_sure: rules.planning.knows_times || !session.is_declaring(),
        }
    }

    fn units_in(&self, world: &mut World) -> Vec<UnitView> {
        let mut units = self.units.clone();
        for unit in &mut units {
            unit.update(self.ruleset_ui, world, self.unknown.has(unit.id));
        }
        units
    }
}

/// The expected timeline, with the situation's draft declared. `None` if cancelled.
pub fn timeline(
    situation: &Situation,
    view: &BoardView,
    cancelled: &dyn Fn() -> bool,
) -> Option<RoundTimeline> {
    let mut recorder = Recorder::new(view);
    let mut fork = situation.expect(cancelled, &mut |fork, observed| {
        recorder.observe(fork, observed);
    })?;
    recorder.end_moment(&mut fork);
    let mut failures = fork.failures().clone();
    for plan in fork.unfinished() {
        let reason = fork.why_missed(&plan);
        failures.entry(plan.who).or_insert(reason);
    }
    Some(RoundTimeline {
        is_sure: view.is_sure,
        acts: recorder.acts,
        frames: recorder.frames.into(),
        failures,
    })
}

/// What a unit does in the simulated round of a seed.
pub fn act_in_round(
    situation: &Situation,
    view: &BoardView,
    (who, seed): (Id, u64),
) -> Option<PlannedAct> {
    let mut recorder = Recorder::new(view);
    let observe = &mut |fork: &mut Fork, observed: Observed| recorder.observe(fork, observed);
    situation.round(&situation.plans(), seed, &|| false, observe)?;
    recorder.acts.into_iter().rfind(|act| act.who == who)
}

/// Records actions and boards while a fork plays on.
struct Recorder<'a> {
    view: &'a BoardView,
    acts: Vec<PlannedAct>,
    frames: Vec<Frame>,
    /// The current part of the round.
    now: Option<Moment>,
    /// What each unit had declared at the last decision.
    declared: BTreeMap<Id, String>,
    /// Units that acted without a decision since then, a bit each.
    by_itself: u64,
    /// Units whose last action is a charge in a straight line, a bit each.
    charging: u64,
}

impl<'a> Recorder<'a> {
    fn new(view: &'a BoardView) -> Self {
        Self {
            view,
            acts: vec![],
            frames: vec![],
            now: None,
            declared: BTreeMap::new(),
            by_itself: 0,
            charging: 0,
        }
    }

    fn observe(&mut self, fork: &mut Fork, observed: Observed) {
        match observed {
            Observed::Question(_) => {
                self.turn_page(fork);
                self.by_itself = 0;
                let side = fork.side();
                let declared = self.view.rules.planning.declared;
                let own = self.view.units.iter().filter(|p| p.side == side);
                self.declared = own.map(|p| (p.id, declared(fork.world(), p.id))).collect();
            }
            Observed::Begins(who, answers) => {
                let act = PlannedAct::of(self.view, fork, who, answers);
                self.acts.extend(act);
            }
            Observed::Began(who) => self.began(fork, who),
            Observed::Event(event) => self.note(fork, event),
            Observed::Reacts(_) => {}
        }
    }

    /// Records the last part of the round once another has begun.
    fn turn_page(&mut self, fork: &mut Fork) {
        let now = fork.moment();
        if self.now.as_ref().is_some_and(|last| *last != now) {
            self.end_moment(fork);
        }
        self.now = Some(now);
    }

    fn end_moment(&mut self, fork: &mut Fork) {
        if let Some(when) = self.now.clone() {
            let units = self.view.units_in(fork.world());
            self.frames.push(Frame { when, units });
        }
    }

    /// An aimed spell takes effect in its own, later part of the round.
    fn began(&mut self, fork: &mut Fork, who: Id) {
        let act = self.acts.iter_mut().rfind(|act| act.who == who);
        let Some(act) = act.filter(|act| act.is_spell) else {
            return;
        };
        let clock = (self.view.rules.planning.clock)(fork.world());
        let takes_effect = |stop: &&TrackPart| {
            let mut marks = stop.marks.iter();
            stop.when == TrackTime::Later && marks.any(|m| m.who == who && !m.done)
        };
        if let Some(stop) = clock.track.iter().find(takes_effect) {
            act.when = Moment {
                count: stop.count,
                label: stop.label.to_string(),
                name: stop.label.to_string(),
                step: String::new(),
            };
        }
    }

    /// Records events. Units that act simultaneously have no events until the last has decided;
    /// actions declared with a target happen without a decision.
    fn note(&mut self, fork: &mut Fork, event: &Event) {
        let planning = self.view.rules.planning;
        planning.note_charge(&mut self.charging, event);
        let (who, from) = match &event.what {
            EventKind::Moved { who, from, .. } => (*who, *from),
            EventKind::AttackRolled { rolled_attack } => {
                let by = rolled_attack.attack.by;
                (by, fork.body(by).at)
            }
            // Parts of a round may pass without a decision, such as a spell taking effect.
            EventKind::Ruleset(_) | EventKind::RoundBegan { .. } | EventKind::TurnBegan { .. } => {
                return self.turn_page(fork);
            }
            _ => return,
        };
        if fork.body(who).side != fork.side() {
            return;
        }
        if self.acts.iter().all(|act| act.who != who) {
            let what = self.declared.get(&who).map_or("", String::as_str);
            self.acts.push(PlannedAct {
                what: capitalised(what),
                ..PlannedAct::begun(fork, who, from)
            });
            self.by_itself |= who.bit();
        }
        let Some(act) = self.acts.iter_mut().rfind(|act| act.who == who) else {
            return;
        };
        match &event.what {
            EventKind::Moved { to, .. } => {
                act.path.push(*to);
                act.is_charge |= self.charging & who.bit() != 0;
            }
            EventKind::AttackRolled { rolled_attack } => {
                let at = rolled_attack.attack.at;
                if self.by_itself & who.bit() != 0 {
                    act.at = Some(at);
                }
                if act.at == Some(at) {
                    act.target_at = Some(fork.body(at).at);
                }
            }
            _ => {}
        }
    }
}

impl PlannedAct {
    /// The action that a unit begins with these answers, before any results.
    fn of(view: &BoardView, fork: &mut Fork, who: Id, answers: &[Choice]) -> Option<Self> {
        let last = answers.last()?;
        let plan = fork.plan(who);
        let meant = plan.and_then(|plan| plan.order.target());
        let is_spell = last.spell.is_some() || plan.is_some_and(|plan| plan.is_spell());
        let at = fork.body(who).at;
        let names = fork.names().clone();
        let begun = Self::begun(fork, who, at);
        let from = last.counts_from().map(|id| fork.body(id).at);
        let target_at = last.at.map(|target| fork.body(target).at);
        let world = fork.world();
        let rules = view.rules;
        let attack = (rules.forecasting.attack)(world, last).filter(|_| !is_spell);
        let attack = attack.and_then(Result::ok);
        Some(Self {
            chances: attack.map_or(String::new(), |attack| attack.in_brief()),
            target_at,
            at: last.at,
            area: (rules.forecasting.area)(world, last),
            harms: last.spell.is_some_and(|spell| harms(world, spell)),
            does: effects(rules, world, &names, last),
            is_spell,
            what: capitalised(&last.describe_from(&names, from)),
            misses: meant.filter(|_| answers.iter().all(|o| o.at.is_none() && o.spell.is_none())),
            provoked: walk::provoked(rules, world, who, answers),
            ..begun
        })
    }

    fn begun(fork: &mut Fork, who: Id, at: Cell) -> Self {
        Self {
            who,
            when: fork.moment(),
            path: vec![at],
            at: None,
            target_at: None,
            is_charge: false,
            area: vec![],
            harms: false,
            is_spell: false,
            does: vec![],
            chances: String::new(),
            what: String::new(),
            misses: None,
            provoked: vec![],
        }
    }
}

/// Effects of a spell in short lines; with several targets, units with the same effect share a
/// line.
fn effects(rules: &Ruleset, world: &mut World, names: &Names, order: &Choice) -> Vec<String> {
    const MAX: usize = 2;
    let odds = order.spell.map(|_| (rules.forecasting.odds)(world, order));
    let mut all: Vec<(String, Vec<String>)> = vec![];
    for odds in odds.iter().flatten() {
        let Some(who) = odds.who else { continue };
        let percent = odds.percent.map(|percent| format!(" {percent}%"));
        let words = odds.text.clone() + &percent.unwrap_or_default();
        let name = names.name(who).to_owned();
        match all.iter_mut().find(|known| known.0 == words) {
            Some(known) => known.1.push(name),
            None => all.push((words, vec![name])),
        }
    }
    let line = |(words, names): (String, Vec<String>)| match order.at {
        Some(_) => words,
        None => format!("{}: {words}", list(names, "and")),
    };
    all.into_iter().take(MAX).map(line).collect()
}
