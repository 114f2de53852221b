//! Risks of a plan, one sentence each: conflicts with its own side in the expected timeline, and
//! reasons why it fails in simulated rounds.

use super::{
    outcome,
    timeline::{PlannedAct, RoundTimeline},
};
use crate::{
    battle::{Id, capitalised},
    control::{
        orders::{Fallback, Order},
        simulation::Simulation,
    },
    grid::{Cell, Space},
    ui::{Session, session::Intent, shown::UnitView},
    words::possessive,
};

/// Most sentences for one plan.
const MAX: usize = 6;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Risks {
    /// Its odds as shown, or else as expected when it happens: "55% to hit, 10% to drop".
    pub odds: String,
    /// Attacks that it provokes and conflicts with its own side: an ally in the area, crossing
    /// paths.
    own: Vec<String>,
    /// Units of its side whose orders end in the same cell.
    pub shares_end: Vec<Id>,
    /// What the unit does if the plan fails; `None` if the declaration names its target itself.
    pub fallback: Option<Fallback>,
}

impl Risks {
    /// The risks that its success rate does not count already, unlike failures, one sentence each.
    pub fn beside_rate(
        &self,
        session: &Session,
        simulation: Option<&Simulation>,
        who: Id,
    ) -> Vec<String> {
        let shares = self.shares_end.iter().map(|&id| ends_beside(session, id));
        let price = simulation.and_then(|s| outcome::price(s, who, session.game.names()));
        shares
            .chain(self.own.iter().cloned())
            .chain(price)
            .collect()
    }

    /// The risks and why the plan may fail, one sentence each, most important first.
    pub fn lines(
        &self,
        session: &Session,
        simulation: Option<&Simulation>,
        who: Id,
    ) -> Vec<String> {
        let mut lines = self.beside_rate(session, simulation, who);
        let room = MAX.saturating_sub(lines.len());
        let failures = simulation.map(|s| outcome::failures(s, who, session.game.names(), room));
        // The price comes last.
        let known = self.shares_end.len() + self.own.len();
        lines.splice(known..known, failures.into_iter().flatten());
        lines.truncate(MAX);
        lines
    }
}

fn ends_beside(session: &Session, other: Id) -> String {
    let name = &session.shown().unit(other).name;
    format!("Ends in the same cell as {name}{}", sharing_cost(session))
}

/// What units lose that end in the same cell, and the rule: ": neither can attack there (PH-52)".
/// Empty if they lose nothing.
pub fn sharing_cost(session: &Session) -> String {
    let cost = session.queries.rules.planning.shared_cell_cost;
    cost.map_or(String::new(), |(words, rule)| format!(": {words} ({rule})"))
}

/// A sentence for each unit of the player's side that is expected to end where a unit would move.
pub fn of_move(session: &Session, timeline: &RoundTimeline, (who, to): (Id, Cell)) -> Vec<String> {
    let space = |who: Id, at: Cell| Space::new(at, session.shown().unit(who).size);
    let end = space(who, to);
    let acts = timeline.acts.iter();
    let moves = acts.filter(|act| act.who != who && act.path.len() > 1);
    let ends = moves.filter_map(|act| Some((act.who, *act.path.last()?)));
    let there = ends.filter(|&(id, at)| space(id, at).overlaps(end));
    there.map(|(id, _)| ends_beside(session, id)).collect()
}

/// The risks of a unit's plan, among all plans of its side.
pub fn risks<'a>(
    session: &Session,
    timeline: &RoundTimeline,
    intent: &Intent,
    all: impl Iterator<Item = &'a Intent>,
) -> Risks {
    let who = intent.who();
    let shares_end = shares_end(session, timeline, intent, all);
    let own: Vec<&PlannedAct> = timeline.acts.iter().filter(|d| d.who == who).collect();
    let Some(&act) = own.last() else {
        return Risks {
            shares_end,
            ..Risks::default()
        };
    };
    let is_spell = intent.plan.is_spell() || act.is_spell;
    let shown = session.shown();
    let strikes = own.iter().map(|act| shown.provoked_lines(&act.provoked));
    let mut out = Risks {
        shares_end,
        own: strikes.flatten().collect(),
        odds: match intent.odds.is_empty() {
            true => act.chances.clone(),
            false => intent.odds.clone(),
        },
        fallback: (intent.plan.is_aimed && !is_spell).then(|| session.fallback_of(&intent.plan)),
    };
    out.own.extend(ends_truce(session, intent));
    out.own.extend(in_harms_way(session, timeline, act));
    out.own.extend(crossings(session, timeline, &own));
    out.own.extend(hits_nobody(session, act));
    out
}

/// Says if a plan is against an enemy that its side asks not to fight: "The attack ends Tobin's parley
/// with Bandit 3".
pub fn ends_truce(session: &Session, intent: &Intent) -> Option<String> {
    let target = intent.at()?;
    let truce = session.truce_with(target)?;
    let name = |id: Id| &session.shown().unit(id).name;
    let (ally, enemy) = (possessive(name(truce.who?)), name(target));
    let parley = session.queries.label(truce.verb).to_lowercase();
    Some(format!("The attack ends {ally} {parley} with {enemy}"))
}

/// The units among these plans that end in the same cell. A move ends in the cell of its order: in
/// the expected timeline it may stop short of it because the other unit is there.
pub fn shares_end<'a>(
    session: &Session,
    timeline: &RoundTimeline,
    intent: &Intent,
    all: impl Iterator<Item = &'a Intent>,
) -> Vec<Id> {
    let end = |intent: &Intent| {
        let mut acts = timeline.acts.iter().filter(|act| act.who == intent.who());
        let cell = match intent.plan.order {
            Order::Move { to } => to,
            _ => *acts.next_back()?.path.last()?,
        };
        Some(Space::new(cell, session.shown().unit(intent.who()).size))
    };
    let Some(own) = end(intent) else {
        return vec![];
    };
    let others = all.filter(|other| other.who() != intent.who());
    let there = others.filter(|other| end(other).is_some_and(|end| end.overlaps(own)));
    there.map(Intent::who).collect()
}

/// Allies that would be in the area it harms, or an ally's harmful area in which it would end.
fn in_harms_way(session: &Session, timeline: &RoundTimeline, act: &PlannedAct) -> Vec<String> {
    let own = session.shown().members(session.player());
    let own: Vec<&UnitView> = own.filter(|p| p.is_up()).collect();
    let stands_in = |unit: &UnitView, area: &[Cell]| {
        let last = timeline.acts.iter().rfind(|act| act.who == unit.id);
        let end = last.and_then(|act| act.path.last().copied());
        let there = Space::new(end.unwrap_or(unit.at), unit.size);
        there.cells().any(|cell| area.contains(&cell))
    };
    if act.harms {
        let there = own.iter().filter(|p| stands_in(p, &act.area));
        let line = |p: &&UnitView| format!("{} would be in the area", capitalised(&p.name));
        return there.map(line).collect();
    }
    let Some(mover) = own.iter().find(|p| p.id == act.who) else {
        return vec![];
    };
    let spells = timeline.acts.iter().filter(|act| act.harms);
    let spells = spells.filter(|act| stands_in(mover, &act.area));
    let whose = spells.map(|act| &session.shown().unit(act.who).name);
    let lines = whose.map(|name| format!("Ends inside {name}'s spell"));
    lines.collect()
}

/// Says if a harmful area contains no enemy.
fn hits_nobody(session: &Session, act: &PlannedAct) -> Option<String> {
    let mut enemies = session.shown().enemies_of(session.player());
    let hits = !act.harms || act.area.is_empty() || enemies.any(|p| p.is_in(&act.area));
    (!hits).then(|| String::from("No enemy in the area now"))
}

/// Allies whose paths it crosses at the same moment.
fn crossings(session: &Session, timeline: &RoundTimeline, own: &[&PlannedAct]) -> Vec<String> {
    let meets = |one: &PlannedAct, other: &PlannedAct| {
        let there = path_ahead(other);
        one.when.label == other.when.label && path_ahead(one).iter().any(|c| there.contains(c))
    };
    let others = timeline.acts.iter().filter(|other| {
        own.iter().all(|act| act.who != other.who) && own.iter().any(|act| meets(act, other))
    });
    let line = |other: &PlannedAct| {
        let name = &session.shown().unit(other.who).name;
        format!("Crosses {name}'s path")
    };
    others.map(line).collect()
}

/// The cells that it enters.
fn path_ahead(act: &PlannedAct) -> &[Cell] {
    act.path.get(1..).unwrap_or_default()
}
